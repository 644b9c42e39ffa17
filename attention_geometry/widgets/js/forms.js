// Three ways to compare a query with a key, who wins where, what a change of basis moves, and what the width does.
// A mirror of widgets/_comparison.py and of attention_geometry.relation and .bilinear; held to tests/fixtures/forms.json.

import { attention, dot, entropy, softmax } from "./geometry.js";

export const MODES = ["dot", "cosine", "distance"];
export const WIDTHS = Array.from({ length: 11 }, (_, s) => 2 ** s);

export const times = (A, B) => A.map((row) => B[0].map((_, c) => dot(row, B.map((b) => b[c]))));
export const transposed = (A) => A[0].map((_, c) => A.map((row) => row[c]));
export const norm = (x) => Math.hypot(...x);
const square = (x) => dot(x, x);
const round = (x) => Math.round(x * 1e12) / 1e12; // a tie made by hand is a tie, as in geometry.js

/** Lifting lemma: √(R² − ‖k‖²) with R the longest key, the coordinate that gives all keys one length. */
export function heights(K) {
  const longest = Math.max(...K.map(square));
  return K.map((k) => Math.sqrt(longest - square(k)));
}

/**
 * q·k, the cosine (null where a vector is zero), or −‖q − k‖²/2 to keys lifted by the share `lift` of their heights:
 * at 0 the plain distance, at 1 the order of the dot products. Row = query, column = key.
 */
export function compare(Q, K, mode = "dot", lift = 0) {
  const h = heights(K);
  const one = {
    dot: (q, k) => dot(q, k),
    cosine: (q, k) => (norm(q) && norm(k) ? dot(q, k) / (norm(q) * norm(k)) : null),
    distance: (q, k, j) => -(square(q.map((x, c) => x - k[c])) + (lift * h[j]) ** 2) / 2,
  }[mode];
  return Q.map((q) => K.map((k, j) => {
    const value = one(q, k, j);
    return value === null ? null : round(value);
  }));
}

/** One attention step with that comparison as its score; a pair that has none is not allowed. */
export function attend(Q, K, V, { mode = "dot", lift = 0, scaled = true, ...rest } = {}) {
  const scale = scaled ? Q[0].length ** -0.5 : 1;
  return attention(Q, K, V, { ...rest, S: compare(Q, K, mode, lift).map((row) => row.map((x) => (x === null ? null : scale * x))) });
}

/** Every comparison is largest where a·q + b is: the slope a and the offset b of each key, null for a key with none. */
function affine(K, mode, lift) {
  const h = heights(K);
  return K.map((k, j) => {
    if (mode === "dot") return [k, 0];
    if (mode === "distance") return [k, -(square(k) + (lift * h[j]) ** 2) / 2];
    return norm(k) ? [k.map((x) => x / norm(k)), 0] : null;
  });
}

/** For each key the polygon of the square |x|, |y| ≤ reach in which it wins; null if it wins nowhere. */
export function cells(K, { mode = "dot", lift = 0, reach = 1, may = K.map(() => true) } = {}) {
  const lines = affine(K, mode, lift).map((line, j) => (may[j] ? line : null));
  return lines.map((mine, j) => {
    if (!mine) return null;
    let corners = [[-reach, -reach], [reach, -reach], [reach, reach], [-reach, reach]];
    lines.forEach((other, i) => {
      if (other && i !== j) corners = clip(corners, mine[0].map((x, c) => x - other[0][c]), mine[1] - other[1]);
    });
    return Math.abs(area(corners)) > 1e-9 * reach * reach ? corners : null;
  });
}

/** The part of a convex polygon where a·q + b ≥ 0. */
function clip(corners, a, b) {
  const height = (p) => dot(a, p) + b;
  return corners.flatMap((p, i) => {
    const q = corners[(i + 1) % corners.length], [s, t] = [height(p), height(q)];
    const cut = s * t < 0 ? [p.map((x, c) => x + (s / (s - t)) * (q[c] - x))] : [];
    return s >= 0 ? [p, ...cut] : cut;
  });
}

export function area(corners) {
  return corners.reduce((sum, p, i) => {
    const q = corners[(i + 1) % corners.length];
    return sum + (p[0] * q[1] - q[0] * p[1]) / 2;
  }, 0);
}

/** Popularity, reciprocal and circulating share of the scores; nulls where every row is constant (relation.energy_shares). */
export function energyShares(S) {
  const n = S.length, mean = (x) => x.reduce((a, b) => a + b, 0) / x.length;
  const centred = S.map((row) => row.map((x) => x - mean(row)));
  const v = transposed(centred).map(mean), T = centred.map((row) => row.map((x, j) => x - v[j]));
  const energy = (sign) => T.flatMap((row, i) => row.map((x, j) => ((x + sign * T[j][i]) / 2) ** 2)).reduce((a, b) => a + b, 0);
  const parts = [n * square(v), energy(1), energy(-1)], total = parts.reduce((a, b) => a + b, 0);
  const flat = Math.max(...centred.flat().map(Math.abs)) <= 2 ** -51 * Math.max(...S.flat().map(Math.abs));
  return parts.map((part) => (flat ? null : part / total));
}

/** ‖B_s‖²/‖B‖² of B = W_Q W_Kᵀ; null for B = 0 (bilinear.symmetric_share). */
export function symmetricShare(W_Q, W_K) {
  const { size, s } = parts(times(W_Q, transposed(W_K)));
  return size > 1e-15 * norm(W_Q.flat()) * norm(W_K.flat()) ? square(s.flat()) / size ** 2 : null;
}

function parts(B) {
  const half = (sign) => B.map((row, i) => row.map((x, j) => (x + sign * B[j][i]) / 2));
  return { size: norm(B.flat()), s: half(1), a: half(-1) };
}

const IDENTITY = [[1, 0], [0, 1]], TURN = [[0, 1], [-1, 0]];

/**
 * Matrices whose form has the antisymmetric share `share`, the size of B and, where it has them, the directions of its two
 * parts; `known` remembers these across the ends of the slider. W_Q stays if it can be inverted.
 */
export function turnForm(W_Q, W_K, share, known = {}) {
  const { size, s, a } = parts(times(W_Q, transposed(W_K)));
  const unit = (part, name, standard) => {
    const length = norm(part.flat());
    if (length > 1e-6 * size && length > 0) known[name] = part.map((row) => row.map((x) => x / length));
    return (known[name] ??= standard.map((row) => row.map((x) => x * Math.SQRT1_2)));
  };
  const [us, ua] = [unit(s, "s", IDENTITY), unit(a, "a", TURN)], full = size || 1;
  const B = us.map((row, i) => row.map((x, j) => full * (Math.sqrt(1 - share) * x + Math.sqrt(share) * ua[i][j])));
  const inverse = inverted(W_Q);
  return inverse ? { W_Q, W_K: transposed(times(inverse, B)) } : { W_Q: B, W_K: IDENTITY };
}

/** Inverse of a 2 × 2 matrix, or null if it is nearly singular. */
export function inverted([[a, b], [c, d]]) {
  const det = a * d - b * c;
  if (Math.abs(det) <= 1e-6 * square([a, b, c, d])) return null;
  return [[d / det, -b / det], [-c / det, a / det]];
}

/** A random change of basis M = R(α) diag(a, 1/b) R(β) with a and b between 1.5 and 2, the same for the same seed. */
export function basis(seed) {
  const draw = (i) => word(seed * 4 + i) / 2 ** 32;
  const turn = (t) => [[Math.cos(t), Math.sin(t)], [-Math.sin(t), Math.cos(t)]];
  const stretch = [[1.5 + draw(2) / 2, 0], [0, 1 / (1.5 + draw(3) / 2)]];
  return times(times(turn(2 * Math.PI * draw(0)), stretch), turn(2 * Math.PI * draw(1)));
}

/** The gauge: q M and k M⁻ᵀ have the dot products of q and k. */
export const inBasis = (Q, K, M) => ({ Q: times(Q, M), K: times(K, transposed(inverted(M))) });

/** How far two sets of queries and keys differ: in a coordinate, in a cosine, and in a weight of each mode. */
export function distances(before, after, options) {
  const largest = (A, B) => Math.max(0, ...A.flatMap((row, i) => (row && B[i] ? row.map((x, j) => Math.abs((x ?? 0) - (B[i][j] ?? 0))) : [])));
  const weights = ({ Q, K }, mode) => attend(Q, K, null, { ...options, mode, lift: 0 }).weights;
  return {
    coordinate: Math.max(largest(before.Q, after.Q), largest(before.K, after.K)),
    cosine: largest(compare(before.Q, before.K, "cosine"), compare(after.Q, after.K, "cosine")),
    weight: Object.fromEntries(MODES.map((mode) => [mode, largest(weights(before, mode), weights(after, mode))])),
  };
}

/** The i-th word of 32 random bits: one step of the generator mulberry32 from a state counted by i. */
export function word(i) {
  const a = Math.imul(i + 1, 0x6d2b79f5);
  let t = Math.imul(a ^ (a >>> 15), 1 | a);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return (t ^ (t >>> 14)) >>> 0;
}

export const DRAWS = 64, RIVALS = 16;

/**
 * Queries and keys whose components are +1 or −1 by the toss of a coin, DRAWS queries with RIVALS keys each: the spread of
 * q·k and the mean entropy of the weights, unscaled and divided by √d_k, for every width. Narrow vectors are the first
 * components of the wide ones.
 */
export function widthExperiment() {
  const vector = (m) => Array.from({ length: 32 }, (_, w) => word(32 * m + w));
  const rows = Array.from({ length: DRAWS }, (_, i) => ({
    q: vector(i), K: Array.from({ length: RIVALS }, (_, j) => vector(DRAWS + RIVALS * i + j)),
  }));
  return WIDTHS.map((d) => {
    const S = rows.map(({ q, K }) => K.map((k) => d - 2 * differing(q, k, d)));
    const mean = (x) => x.reduce((a, b) => a + b, 0) / x.length;
    return {
      d, spread: Math.sqrt(mean(S.flat().map((x) => x * x))),
      unscaled: mean(S.map((s) => entropy(softmax(s)))),
      scaled: mean(S.map((s) => entropy(softmax(s.map((x) => x / Math.sqrt(d)))))),
    };
  });
}

/** In how many of the first d bits two vectors differ. */
function differing(a, b, d) {
  let count = 0;
  for (let w = 0; 32 * w < d; w++) {
    let x = a[w] ^ b[w];
    if (d - 32 * w < 32) x &= (1 << (d - 32 * w)) - 1;
    for (x >>>= 0; x; x &= x - 1) count += 1;
  }
  return count;
}
