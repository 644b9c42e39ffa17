// The state of MixtureHull as lines of Python that rebuild every number with NumPy alone.

import { pythonString } from "./format.js";

/** state: the traits as the model holds them; tokens: names of the keys, or null; other: the second row. */
export function hullLines({ V, scores, temperature, mask, W_O, x }, tokens, other) {
  const number = (v) => (Number.isInteger(v) ? `${v}.0` : String(v));
  const row = (values, one = number) => `[${values.map(one).join(", ")}]`;
  const matrix = (name, rows) => `${name} = np.array([\n${rows.map((r) => `    ${row(r)},`).join("\n")}\n])`;
  const limit = {
    0: ["best = np.where(allowed, scores, -np.inf).max()  # T = 0: alike on the largest scores, ties included", "weights = (allowed & (scores == best)).astype(float)"],
    inf: ["weights = allowed.astype(float)  # T = infinity: alike on every allowed key"],
  }[temperature] ?? [
    "best = np.where(allowed, scores, -np.inf).max()",
    `weights = np.where(allowed, np.exp(np.minimum(scores - best, 0) / ${temperature}), 0)`,
  ];
  return [
    "import numpy as np", "",
    ...(tokens ? [`tokens = ${row(tokens, pythonString)}`] : []),
    matrix("V", V), `scores = np.array(${row(scores)})`,
    `allowed = np.array(${row(mask ?? V.map(() => true), (b) => (b ? "True" : "False"))})`, "",
    ...limit, "weights = weights / (weights.sum() or 1)  # all 0 if no key is allowed",
    "output = weights @ V if allowed.any() else np.full(2, np.nan)",
    ...(other ? ["", `other_weights = np.array(${row(other)})  # a row that gives the same output`, "assert np.allclose(other_weights @ V, output)"] : []),
    ...(W_O ? ["", matrix("W_O", W_O), `x = np.array(${row(x)})`, "projected = output @ W_O", "stream = x + projected"] : []), "",
  ].join("\n");
}
