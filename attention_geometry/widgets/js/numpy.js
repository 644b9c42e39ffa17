// The state as lines of Python that rebuild every number with NumPy alone.

import { pythonString } from "./format.js";
import { allowed } from "./geometry.js";

/** A number, a list of numbers (or of what else `one` writes) and a matrix, as Python writes them. */
export const number = (x) => (Number.isInteger(x) ? `${x}.0` : String(x).replace("Infinity", "inf").replace("NaN", "nan"));
export const list = (values, one = number) => `[${values.map(one).join(", ")}]`;
export const matrix = (name, rows, one) => `${name} = np.array([\n${rows.map((row) => `    ${list(row, one)},`).join("\n")}\n])`;
export const truth = (x) => (x ? "True" : "False");
export const names = (side, tokens) => (tokens ? [`${side} = ${list(tokens, pythonString)}`] : []);

/** state: the traits as the model holds them; tokens { q, k }: names of the two sides, or null. */
export function numpyLines({ Q, K, V, temperature, scaled, mask, mode = "dot", lift = 0 }, tokens = {}) {
  return [
    "import numpy as np", "",
    ...names("query_tokens", tokens.q), ...names("key_tokens", tokens.k),
    ...vectorLines({ Q, K, ...tokens.source }), ...(V ? [matrix("V", V)] : []),
    ...attentionLines({ temperature, scaled, mask, values: V, ...COMPARISONS[mode](lift) }, Q.length, K.length),
  ].join("\n");
}

const vectorLines = ({ Q, K, X, W_Q, W_K, tied }) => (X
  ? [matrix("X", X), matrix("W_Q", W_Q), tied ? "W_K = W_Q" : matrix("W_K", W_K), "Q, K = X @ W_Q, X @ W_K"]
  : [matrix("Q", Q), matrix("K", K)]);

const COMPARISONS = {
  dot: () => ({}),
  cosine: () => ({
    before: ["lengths = np.linalg.norm(Q, axis=1)[:, None] * np.linalg.norm(K, axis=1)", "allowed = allowed & (lengths > 0)  # a vector of length 0 has no cosine"],
    product: "(Q @ K.T) / np.where(lengths > 0, lengths, 1)",
  }),
  distance: (lift) => ({
    before: ["squares = (K**2).sum(axis=1)", `heights = ${number(lift)} * np.sqrt(squares.max() - squares)  # the lift of the keys`],
    product: "-(((Q[:, None] - K) ** 2).sum(axis=2) + heights**2) / 2",
  }),
};

/** The same from the tokens X and their three matrices. */
export function pipelineLines({ X, W_Q, W_K, W_V, temperature, scaled, mask }, tokens) {
  return [
    "import numpy as np", "", ...names("tokens", tokens),
    matrix("X", X), matrix("W_Q", W_Q), matrix("W_K", W_K), matrix("W_V", W_V),
    ...attentionLines({ temperature, scaled, mask, values: true, before: ["Q, K, V = X @ W_Q, X @ W_K, X @ W_V"] }, X.length, X.length),
  ].join("\n");
}

function attentionLines({ temperature, scaled, mask, values, before = [], product = "Q @ K.T" }, queries, keys) {
  const may = allowed(mask, queries, keys);
  return [
    matrix("allowed", may, truth), "", ...before,
    `scores = ${temperature === 0 ? `np.round(${product}, 12)` : product}${scaled ? " / np.sqrt(Q.shape[1])" : ""}`,
    ...softmaxLines(temperature, values), "",
  ];
}

/** From allowed and scores, a row or a matrix of rows, to the weights and, where there are values, to the output. */
export const softmaxLines = (temperature, values) => [
  "best = np.where(allowed, scores, -np.inf).max(axis=-1, keepdims=True)",
  { 0: "weights = (allowed & (scores == best)).astype(float)  # T = 0: alike on the largest scores, ties included",
    inf: "weights = allowed.astype(float)  # T = infinity: alike on every allowed key" }[temperature]
    ?? `weights = np.where(allowed, np.exp(np.minimum(scores - best, 0) / ${temperature}), 0)`,
  "total = weights.sum(axis=-1, keepdims=True)  # 0 in a row with no allowed key",
  "weights = weights / np.where(total > 0, total, 1)",
  ...(values ? ["output = np.where(total > 0, weights @ V, np.nan)"] : []),
];
