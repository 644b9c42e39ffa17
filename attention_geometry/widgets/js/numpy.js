// The state as lines of Python that rebuild every number with NumPy alone.

import { pythonString } from "./format.js";
import { allowed } from "./geometry.js";

/** state: the traits as the model holds them; tokens { q, k }: names of the two sides, or null. */
export function numpyLines({ Q, K, V, temperature, scaled, mask }, tokens = {}) {
  const number = (x) => (Number.isInteger(x) ? `${x}.0` : String(x));
  const matrix = (name, rows, one) => `${name} = np.array([\n${rows.map((row) => `    [${row.map(one).join(", ")}],`).join("\n")}\n])`;
  const names = (side, list) => (list ? [`${side}_tokens = [${list.map(pythonString).join(", ")}]`] : []);
  const may = allowed(mask, Q.length, K.length);
  const T = temperature === "inf" ? "inf" : temperature;
  const limit = {
    0: ["best = np.where(allowed, scores, -np.inf).max(axis=1, keepdims=True)  # T = 0: alike on the largest scores, ties included", "weights = (allowed & (scores == best)).astype(float)"],
    inf: ["weights = allowed.astype(float)  # T = infinity: alike on every allowed key"],
  }[T] ?? [
    "best = np.where(allowed, scores, -np.inf).max(axis=1, keepdims=True)",
    `weights = np.where(allowed, np.exp(np.minimum(scores - best, 0) / ${T}), 0)`,
  ];
  return [
    "import numpy as np", "",
    ...names("query", tokens.q), ...names("key", tokens.k),
    matrix("Q", Q, number), matrix("K", K, number), ...(V ? [matrix("V", V, number)] : []),
    matrix("allowed", may, (x) => (x ? "True" : "False")), "",
    `scores = ${T === 0 ? "np.round(Q @ K.T, 12)" : "Q @ K.T"}${scaled ? " / np.sqrt(Q.shape[1])" : ""}`, ...limit,
    "total = weights.sum(axis=1, keepdims=True)  # 0 in a row with no allowed key",
    "weights = weights / np.where(total > 0, total, 1)",
    ...(V ? ["output = np.where(total > 0, weights @ V, np.nan)"] : []), "",
  ].join("\n");
}
