// One attention step as stages, from the tokens and three matrices to the outputs, and how each number of it was made.
// Held to attention_geometry.attention and .bilinear by tests/fixtures/stages.json.

import { attention, dot, logits } from "./geometry.js";

export const GIVEN = ["X", "W_Q", "W_K", "W_V"];
export const MADE = ["Q", "K", "V", "S", "A", "Y"];
const FROM = { Q: "W_Q", K: "W_K", V: "W_V" };
const LARGE = 20; // beyond this, exp is shown relative to the largest score, as it is computed

const column = (M, j) => M.map((row) => row[j]);

/** X W, row by row. */
export const project = (X, W) => X.map((x) => W[0].map((_, j) => dot(x, column(W, j))));

/** All stages of a state { X, W_Q, W_K, W_V, scaled, mask, temperature }. A row with no allowed key is null in A and Y. */
export function stages(state) {
  const [Q, K, V] = ["Q", "K", "V"].map((name) => project(state.X, state[FROM[name]]));
  const { scores: S, allowed, weights: A, output: Y } = attention(Q, K, V, state);
  return { ...state, Q, K, V, S, allowed, A, Y };
}

/** The number [name, i, j] of the stages, null where it is masked. */
export const entry = (now, [name, i, j]) => (name === "A" && !now.allowed[i][j] ? null : now[name][i]?.[j] ?? null);

/**
 * How a number was made: { kind, value, sources [[name, i, j], …] } and, by kind,
 * product, score, mix: terms [[a, b], …] whose products add up to `sum`; score: the divisor of the sum;
 * share: exps (null where masked) that add up to `total`, at T = 0 and ∞ ones and zeros, `shifted` where the largest score
 * was taken away first.
 */
export function arithmetic(now, [name, i, j]) {
  const value = entry(now, [name, i, j]);
  if (GIVEN.includes(name)) return { kind: "given", value, sources: [] };
  if (value === null) return { kind: "masked", value, sources: [] };
  if (name === "A") return share(now, i, value);
  const [left, right] = name === "S" ? ["Q", "K"] : name === "Y" ? ["A", "V"] : ["X", FROM[name]];
  const across = name === "S" ? now.K[j] : column(now[right], j);
  const used = now[left][i].map((_, m) => m).filter((m) => name !== "Y" || now.allowed[i][m]);
  const terms = used.map((m) => [now[left][i][m], across[m]]);
  return {
    kind: name === "S" ? "score" : name === "Y" ? "mix" : "product", value, terms,
    sum: terms.reduce((total, [a, b]) => total + a * b, 0),
    divisor: name === "S" && now.scaled ? Math.sqrt(now.Q[0].length) : 1,
    sources: used.flatMap((m) => [[left, i, m], name === "S" ? [right, j, m] : [right, m, j]]),
  };
}

function share({ S, allowed, temperature: t }, i, value) {
  const largest = Math.max(...S[i].filter((_, m) => allowed[i][m]));
  const shifted = t > 0 && t < Infinity && Math.max(...S[i].map((s) => Math.abs(s) / t)) > LARGE;
  const limit = t === 0 || t === Infinity;
  const exps = logits(S[i], allowed[i], t).map((z, m) =>
    (!allowed[i][m] ? null : Math.exp(limit || shifted ? z : S[i][m] / t)));
  return {
    kind: "share", value, exps, shifted, largest, total: exps.reduce((total, e) => total + (e ?? 0), 0),
    sources: S[i].flatMap((_, m) => (allowed[i][m] ? [["S", i, m]] : [])),
  };
}

/** The keys that share the largest weight of row i, ties included to the twelfth decimal; none in a masked row. */
export function winners({ A, allowed }, i) {
  const top = Math.max(...(A[i] ?? []));
  return (A[i] ?? []).flatMap((w, j) => (allowed[i][j] && w > top - 1e-12 ? [j] : []));
}
