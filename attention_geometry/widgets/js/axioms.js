// Which metric axioms a dissimilarity of a few tokens obeys, with its worst cases; the candidates, thresholds and repairs.
// A mirror of attention_geometry.axioms and ../_court.py, held to them by tests/fixtures/axioms.json.

import { softmax } from "./geometry.js";

export const AXIOMS = ["non_negative", "zero_diagonal", "separation", "symmetry", "triangle"];

const KINDS = [
  ["metric", "11111"], ["pseudometric", "11011"], ["quasimetric", "11101"], ["semimetric", "11110"],
  ["lawvere", "11001"], ["divergence", "11100"], ["premetric", "11000"],
];

const matrix = (n, f) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => f(i, j)));
const sum = (x) => x.reduce((a, b) => a + b, 0);
const largest = (D) => Math.max(0, ...D.flat().filter(Number.isFinite).map(Math.abs));

/** What counts as zero: rounding of a sum of a few entries. */
export const toleranceOf = (D) => 8 * 2 ** -52 * largest(D);

/** One verdict for each axiom: { holds (null: nothing to judge), violations, cases, left, worst, witness }. */
export function checkAxioms(D) {
  const tolerance = toleranceOf(D), n = D.length;
  const pairs = (wanted) => matrix(n, (i, j) => [i, j]).flat().filter(([i, j]) => wanted(i, j));
  const over = (cases, badness, shown, broken, size = 2) => {
    const seen = cases.filter(([i, j]) => Number.isFinite(badness(i, j)));
    const left = cases.length - seen.length;
    if (!seen.length) return { holds: left ? null : true, violations: 0, cases: 0, left, worst: null, witness: null };
    const at = seen.reduce((a, b) => (badness(...b) > badness(...a) ? b : a)); // of equals the first
    const violations = seen.filter(([i, j]) => broken(i, j)).length;
    return { holds: !violations, violations, cases: seen.length, left, worst: shown(...at), witness: at.slice(0, size) };
  };
  const d = (i, j) => D[i][j], size = (i, j) => Math.abs(D[i][j]), skew = (i, j) => Math.abs(D[i][j] - D[j][i]);
  return {
    non_negative: over(pairs(() => true), (i, j) => -d(i, j), d, (i, j) => -d(i, j) > tolerance),
    zero_diagonal: over(pairs((i, j) => i === j), size, size, (i, j) => size(i, j) > tolerance, 1),
    separation: over(pairs((i, j) => i !== j), (i, j) => -size(i, j), size, (i, j) => size(i, j) <= tolerance),
    symmetry: over(pairs((i, j) => i < j), skew, skew, (i, j) => skew(i, j) > tolerance),
    triangle: triangles(D, tolerance),
  };
}

/** Every ordered triple of three different tokens; the witness is (i, j, k): from i, through j, to k. */
function triangles(D, tolerance) {
  const n = D.length, side = (i, j) => i !== j && Number.isFinite(D[i][j]);
  let cases = 0, violations = 0, worst = null, witness = null;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      let detour = Infinity, via = -1;
      for (let j = 0; j < n && side(i, k); j++) {
        if (!side(i, j) || !side(j, k)) continue;
        cases += 1;
        violations += D[i][k] - D[i][j] - D[j][k] > tolerance;
        if (D[i][j] + D[j][k] < detour) [detour, via] = [D[i][j] + D[j][k], j];
      }
      const gap = D[i][k] - detour;
      if (via >= 0 && (worst === null || gap > worst)) [worst, witness] = [gap, [i, via, k]];
    }
  }
  const left = n * (n - 1) * Math.max(n - 2, 0) - cases;
  return { holds: left && !cases ? null : !violations, violations, cases, left, worst, witness };
}

/** The name of what obeys these axioms: a key of the strings, "none", or null if the verdicts do not decide. */
export function kindOf(verdicts) {
  const held = AXIOMS.map((axiom) => verdicts[axiom].holds);
  if (held.includes(null)) return null;
  return (KINDS.find(([, wanted]) => held.every((holds, a) => holds || wanted[a] === "0")) ?? ["none"])[0];
}

/** What a wish for verdicts still misses: the axioms that stand the other way. */
export const missing = (wanted, verdicts) => AXIOMS.filter((axiom) => axiom in wanted && verdicts[axiom].holds !== wanted[axiom]);

// The candidates: what each takes of { S scores, A weights, X points, Q and K queries and keys }, and its formula.

const refuse = (reason, ...where) => { throw { reason, where }; };
const between = (rows, other, length) => rows.map((p) => other.map((r) => length(p, r)));
const norm = (v) => Math.sqrt(sum(v.map((x) => x * x)));
const minus = (p, r) => p.map((x, c) => x - r[c]);
const staying = (S) => matrix(S.length, (i, j) => S[i][i] - S[i][j]);
const surprisal = (A) => A.map((row) => row.map((a) => -Math.log(a) + 0));
const plusTransposed = (M) => matrix(M.length, (i, j) => M[i][j] + M[j][i]);

function euclidean(rows, other = rows) {
  return rows.map((p) => {
    const gaps = other.map((r) => minus(p, r));
    const unit = Math.max(...gaps.flat().map(Math.abs), 2 ** -1022);
    return gaps.map((gap) => norm(gap.map((x) => x / unit)) * unit);
  });
}

function directions(X) {
  const zero = X.findIndex((x) => x.every((c) => c === 0));
  if (zero >= 0) refuse("direction", zero);
  return X.map((x) => {
    const unit = Math.max(...x.map(Math.abs)), scaled = x.map((c) => c / unit), length = norm(scaled);
    return scaled.map((c) => c / length);
  });
}

function root(D) {
  D.forEach((row, i) => row.forEach((x, j) => x < 0 && refuse("negative", i, j, x)));
  return D.map((row) => row.map(Math.sqrt));
}

const divergence = (p, r) => sum(p.map((a, c) => Math.max((a > 0 ? a * (Math.log(a) - Math.log(r[c])) : 0) - a + r[c], 0)));

/** Jensen–Shannon divergence in a form that keeps the digits of rows that nearly agree. */
function jensenShannon(p, r) {
  const terms = p.map((a, c) => {
    const total = a + r[c], t = total > 0 ? (a - r[c]) / total : a - r[c];
    return total * (Math.abs(t) < 1 ? 2 * t * Math.atanh(t) + Math.log1p(-(t * t)) : 2 * Math.LN2);
  });
  return Math.max(sum(terms) / 4, 0);
}

/** Expected steps from i to k: all other tokens are taken out one by one, and put back. Nothing is subtracted. */
function hitting(A) {
  const H = A.map(() => []);
  A.forEach((_, k) => {
    const order = [k, ...A.keys()].filter((x, at) => at === 0 || x !== k);
    const P = order.map((i) => order.map((j) => A[i][j])), wait = order.map(() => 1), steps = [0];
    for (let e = A.length - 1; e > 0; e--) {
      const leave = sum(P[e].slice(0, e));
      if (leave === 0) refuse("reducible");
      wait[e] /= leave;
      for (let j = 0; j < e; j++) P[e][j] /= leave;
      for (let i = 0; i < e; i++) {
        wait[i] += P[i][e] * wait[e];
        for (let j = 0; j < e; j++) P[i][j] += P[i][e] * P[e][j];
      }
    }
    for (let e = 1; e < A.length; e++) steps.push(wait[e] + sum(steps.map((h, j) => P[e][j] * h)));
    order.forEach((i, at) => { H[i][k] = steps[at]; });
  });
  return H;
}

function diffusion(A) {
  const H = hitting(A); // π_k = 1 / (expected time from k back to k)
  const pi = A.map((row, k) => 1 / (1 + sum(row.map((a, j) => a * H[j][k]))));
  return between(A, A, (p, r) => norm(minus(p, r).map((x, c) => x / Math.sqrt(pi[c]))));
}

export const CANDIDATES = {
  "S": ["S", (S) => S],
  "−S": ["S", (S) => S.map((row) => row.map((s) => 0 - s))],
  "max S − S": ["S", (S) => { const top = Math.max(...S.flat()); return S.map((row) => row.map((s) => top - s)); }],
  "1 − A": ["A", (A) => A.map((row) => row.map((a) => 1 - a))],
  "−log A": ["A", surprisal],
  "closure of −log A": ["A", (A) => closure(surprisal(A))],
  "ρ": ["S", staying],
  "D": ["S", (S) => plusTransposed(staying(S))],
  "√D": ["S", (S) => root(plusTransposed(staying(S)))],
  "‖q − k‖": ["QK", ([Q, K]) => euclidean(Q, K)],
  "1 − cos": ["X", (X) => { const U = directions(X); return between(U, U, (u, w) => sum(minus(u, w).map((x) => x * x)) / 2); }],
  "arccos": ["X", (X) => {
    const U = directions(X);
    return between(U, U, (u, w) => 2 * Math.atan2(norm(minus(u, w)), norm(u.map((x, c) => x + w[c]))));
  }],
  "chord": ["X", (X) => euclidean(directions(X))],
  "TV of rows": ["A", (A) => between(A, A, (p, r) => sum(minus(p, r).map(Math.abs)) / 2)],
  "Hellinger of rows": ["A", (A) => euclidean(A.map((row) => row.map((a) => Math.sqrt(a / 2))))],
  "√JSD of rows": ["A", (A) => between(A, A, (p, r) => Math.sqrt(jensenShannon(p, r)))],
  "KL of rows": ["A", (A) => between(A, A, divergence)],
  "JSD of rows": ["A", (A) => between(A, A, jensenShannon)],
  "hitting time": ["A", hitting],
  "commute time": ["A", (A) => plusTransposed(hitting(A))],
  "diffusion distance": ["A", diffusion],
};

/** Scores x_i B x_jᵀ of points under a form B. */
export const formScores = (X, B) => X.map((x) => {
  const q = [0, 1].map((c) => x[0] * B[0][c] + x[1] * B[1][c]);
  return X.map((y) => q[0] * y[0] + q[1] * y[1]);
});

/** What the candidates take, from the state: points under a form, or scores by hand; nothing from a matrix by hand. */
export function evidence({ source, X, M, form }) {
  if (source === "dissimilarities") return {};
  const S = source === "points" ? formScores(X, form) : M;
  const A = S.map((row) => softmax(row)).map((row) => { const total = sum(row); return row.map((a) => a / total); });
  if (source === "scores") return { S, A };
  return { S, A, X, QK: [X, X.map((x) => form.map((row) => row[0] * x[0] + row[1] * x[1]))] };
}

/** { D }, or { why: [reason, …] } where the candidate is not defined. */
export function dissimilarity(name, given) {
  const [takes, formula] = CANDIDATES[name];
  if (!given.S) return { D: null, why: ["hand"] };
  if (!given[takes]) return { D: null, why: ["vectors"] };
  try {
    return { D: formula(given[takes]), why: null };
  } catch (error) {
    if (!error.reason) throw error;
    return { D: null, why: [error.reason, ...error.where] };
  }
}

/** Whether a candidate is so flat that any such relation passes the triangle test: value ≤ limit; null if not known. */
export function threshold(name, D) {
  const n = D.length;
  if (name === "1 − A") {
    return { value: Math.max(...D.flatMap((row, i) => row.filter((_, j) => j !== i).map((x) => 1 - x))), limit: 0.5 };
  }
  if (name !== "−log A") return null;
  const spread = Math.max(...D.map((row) => Math.max(...row) - Math.min(...row)));
  return { value: Math.exp(spread), limit: (1 + Math.sqrt(4 * n - 3)) / 2 };
}

const offDiagonal = (D) => D.flatMap((row, i) => row.filter((_, j) => j !== i));

/** Largest over smallest entry off the diagonal, for positive finite entries: up to 2, every triangle holds. */
export function spread(D) {
  const off = offDiagonal(D), low = Math.min(...off), high = Math.max(...off);
  return low > 0 && Number.isFinite(high) ? { value: high / low, limit: 2, exponent: Math.LN2 / (Math.log(high) - Math.log(low)) } : null;
}

// The repairs. Each gives a matrix that obeys an axiom by force.

/** Least sum along any path (Floyd–Warshall); zero on the diagonal. */
export function closure(C) {
  let D = matrix(C.length, (i, j) => (i === j ? 0 : C[i][j]));
  for (let k = 0; k < D.length; k++) D = matrix(D.length, (i, j) => Math.min(D[i][j], D[i][k] + D[k][j]));
  return D;
}

/** The least constant that leaves no entry off the diagonal negative and no triangle broken. */
export const shiftOf = (D) => Math.max(0, checkAxioms(D).triangle.worst ?? 0, ...offDiagonal(D).filter(Number.isFinite).map((x) => -x));

export const REPAIRS = {
  "symmetrise": (D) => matrix(D.length, (i, j) => (D[i][j] + D[j][i]) / 2),
  "zero diagonal": (D) => matrix(D.length, (i, j) => (i === j ? 0 : D[i][j])),
  "shift": (D) => { const c = shiftOf(D); return matrix(D.length, (i, j) => (i === j ? D[i][j] : D[i][j] + c)); },
  "closure": (D) => (D.some((row, i) => row.some((x, j) => i !== j && x < 0)) ? null : closure(D)),
};

/** The repairs in turn: the last matrix, and of each step what it destroyed; a step that is not possible changes nothing. */
export function repaired(D, names) {
  const steps = [];
  for (const name of names) {
    const after = REPAIRS[name](D);
    steps.push({ name, possible: Boolean(after), shift: name === "shift" ? shiftOf(D) : null, ...damage(D, after ?? D) });
    D = after ?? D;
  }
  return { D, steps };
}

/** How many entries changed and by how much, and how many comparisons of two entries off the diagonal are lost. */
export function damage(before, after) {
  const change = before.flatMap((row, i) => row.map((x, j) => (x === after[i][j] ? 0 : Math.abs(after[i][j] - x))));
  const [old, now] = [before, after].map(offDiagonal), [t, u] = [before, after].map(toleranceOf);
  let comparisons = 0, lost = 0;
  old.forEach((a, e) => old.forEach((b, f) => {
    if (!(a < b - t)) return;
    comparisons += 1;
    lost += !(now[e] < now[f] - u);
  }));
  return { changed: change.filter((x) => x > 0).length, largest: Math.max(...change), comparisons, lost };
}
