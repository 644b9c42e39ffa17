// The state of MetricCourt as lines of Python that rebuild d and its verdicts with NumPy alone.

import { CANDIDATES } from "./axioms.js";
import { matrix, names } from "./numpy.js";

// The others are longer than a line; for them the numbers stand in the source.
const FORMULAS = {
  "S": "S", "−S": "-S", "max S − S": "S.max() - S", "1 − A": "1 - A", "−log A": "-np.log(A)", "closure of −log A": "closure(-np.log(A))",
  "ρ": "rho", "D": "rho + rho.T", "√D": "np.sqrt(rho + rho.T)", "‖q − k‖": "norm(X[:, None] - X @ B.T)",
  "1 − cos": "((U[:, None] - U) ** 2).sum(-1) / 2", "arccos": "2 * np.arctan2(norm(U[:, None] - U), norm(U[:, None] + U))",
  "chord": "norm(U[:, None] - U)", "TV of rows": "np.abs(A[:, None] - A).sum(-1) / 2",
  "Hellinger of rows": "norm(np.sqrt(A)[:, None] - np.sqrt(A)) / np.sqrt(2)",
};
const GIVEN = {
  S: ["rho = np.diag(S)[:, None] - S  # log A_ii / A_ij"], X: ["U = X / norm(X)[:, None]"], QK: [],
  A: ["A = np.exp(S - S.max(axis=1, keepdims=True))", "A = A / A.sum(axis=1, keepdims=True)"],
};
const REPAIRS = {
  "symmetrise": "D = (D + D.T) / 2", "zero diagonal": "D = np.where(off, D, 0.0)",
  "closure": "D = closure(D) if (D[off] >= 0).all() else D", "shift": "D = D + off * max(0, -D[off].min(), gap(D).max())",
};
const HELPERS = `
def norm(V):
    return np.sqrt((V ** 2).sum(-1))

def closure(D):  # least sum along any path
    D = np.where(off, D, 0.0)
    for k in range(n):
        D = np.minimum(D, D[:, k, None] + D[k])
    return D

def gap(D):  # d(i,k) - d(i,j) - d(j,k) at [i, j, k], for three different tokens
    i, j, k = np.indices((n, n, n))
    different = (i != j) & (j != k) & (i != k)
    return np.where(different, D[i, k] - np.where(different, D[i, j] + D[j, k], 0), -np.inf)
`;
const VERDICTS = `zero = 8 * np.finfo(float).eps * np.abs(D[np.isfinite(D)]).max()  # what counts as zero
with np.errstate(invalid="ignore"):
    verdicts = {
        "non_negative": not (D < -zero).any(),
        "zero_diagonal": not (np.abs(np.diag(D)) > zero).any(),
        "separation": not (np.abs(D[off]) <= zero).any(),
        "symmetry": not (np.abs(D - D.T) > zero).any(),
        "triangle": not (gap(D) > zero).any(),
    }
`;

/** state: the traits as the model holds them; base: d before the repairs, or null; tokens: names or null. */
export function courtLines({ X, M, source, form, candidate, repairs }, base, tokens) {
  const given = { points: () => [matrix("X", X), matrix("B", form), "S = X @ B @ X.T"], scores: () => [matrix("S", M)], dissimilarities: () => [] }[source]();
  const hand = source === "dissimilarities" || !FORMULAS[candidate];
  return [
    "import numpy as np", "", `n, inf, nan = ${M.length}, np.inf, np.nan`, "off = ~np.eye(n, dtype=bool)",
    ...names("tokens", tokens), HELPERS, ...given,
    ...(given.length ? GIVEN[CANDIDATES[candidate][0]] : []),
    hand || !base ? matrix("D", base ?? M.map((row) => row.map(() => NaN))) : `D = ${FORMULAS[candidate]}`,
    ...repairs.map((name) => REPAIRS[name]), VERDICTS,
  ].join("\n");
}
