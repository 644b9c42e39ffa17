// The state of MixtureHull as lines of Python that rebuild every number with NumPy alone.

import { pythonString } from "./format.js";

/** state: the traits as the model holds them; tokens: names of the keys, or null; line: does another row exist? */
export function hullLines({ V, scores, temperature, mask, direction, along, W_O, x }, tokens, line) {
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
  const other = line && along !== 0 ? [
    "keys = np.flatnonzero(allowed)",
    "C = V[keys] - V[keys].mean(axis=0)",
    "M = np.column_stack([np.ones(len(keys)), C / np.where(abs(C).max(axis=0) > 0, abs(C).max(axis=0), 1)])",
    "null = np.eye(len(keys)) - M @ np.linalg.pinv(M, rcond=1e-12)  # onto the z with z V = 0 and z 1 = 0",
    `i = np.flatnonzero(keys == ${direction})[0]`,
    "z = np.zeros(len(V))",
    "z[keys] = null[:, i] / null[i, i]",
    "up, down = z > 1e-9, z < -1e-9",
    along < 0 ? `t = ${-along} * (-weights[up] / z[up]).max()  # towards the end where key ${direction} has least`
      : `t = ${along} * (-weights[down] / z[down]).min()  # towards the end where key ${direction} has most`,
    "other_weights = np.where(weights + t * z > 1e-15, weights + t * z, 0)  # the same output",
  ] : ["other_weights = weights"];
  return [
    "import numpy as np", "",
    ...(tokens ? [`tokens = ${row(tokens, pythonString)}`] : []),
    matrix("V", V), `scores = np.array(${row(scores)})`,
    `allowed = np.array(${row(mask ?? V.map(() => true), (b) => (b ? "True" : "False"))})`, "",
    ...limit, "weights = weights / (weights.sum() or 1)  # all 0 if no key is allowed",
    "output = weights @ V if allowed.any() else np.full(2, np.nan)", ...other,
    ...(W_O ? ["", matrix("W_O", W_O), `x = np.array(${row(x)})`, "projected = output @ W_O", "stream = x + projected"] : []), "",
  ].join("\n");
}
