// The state of MetricCourt as lines of Python that rebuild d and its verdicts with NumPy alone.

import { CANDIDATES } from "./axioms.js";
import { pythonString } from "./format.js";

const FORMULAS = {
  "S": "S", "−S": "-S", "max S − S": "S.max() - S", "1 − A": "1 - A", "−log A": "-np.log(A)", "closure of −log A": "closure(-np.log(A))",
  "ρ": "np.diag(S)[:, None] - S", "D": "rho + rho.T", "√D": "np.sqrt(rho + rho.T)", "‖q − k‖": "norm(X[:, None] - X @ B.T)",
  "1 − cos": "((U[:, None] - U) ** 2).sum(-1) / 2", "arccos": "2 * np.arctan2(norm(U[:, None] - U), norm(U[:, None] + U))",
  "chord": "norm(U[:, None] - U)", "TV of rows": "np.abs(A[:, None] - A).sum(-1) / 2",
  "Hellinger of rows": "norm(np.sqrt(A)[:, None] - np.sqrt(A)) / np.sqrt(2)", "√JSD of rows": "np.sqrt(np.maximum(jsd(), 0))",
  "KL of rows": "kl(A[:, None], A)", "JSD of rows": "jsd()", "hitting time": "hitting()", "commute time": "hitting() + hitting().T",
  "diffusion distance": "norm((A[:, None] - A) / np.sqrt(pi))",
};
const NEEDS = {
  rho: ["rho = np.diag(S)[:, None] - S"],
  "norm(": ["norm = lambda V: np.sqrt((V ** 2).sum(-1))"],
  U: ["U = X / np.sqrt((X ** 2).sum(-1, keepdims=True))"],
  "kl(": ["def kl(p, r):  # 0 log 0 = 0", "    with np.errstate(all='ignore'):", "        return np.where(p > 0, p * np.log(p / r), 0).sum(-1)"],
  "jsd(": ["def jsd():", "    mean = (A[:, None] + A) / 2", "    return (kl(A[:, None], mean) + kl(A[None], mean)) / 2"],
  "closure(": ["def closure(D):", "    D = np.where(np.eye(n), 0.0, D)", "    for k in range(n):", "        D = np.minimum(D, D[:, k, None] + D[k])", "    return D"],
  "hitting(": ["def hitting():", "    H = np.zeros((n, n))", "    for k in range(n):", "        rest = np.arange(n) != k",
    "        H[rest, k] = np.linalg.solve(np.eye(n - 1) - A[np.ix_(rest, rest)], np.ones(n - 1))", "    return H"],
  pi: ["pi = np.linalg.lstsq(np.vstack([A.T - np.eye(n), np.ones(n)]), np.append(np.zeros(n), 1), rcond=None)[0]"],
};
const REPAIRS = {
  "symmetrise": ["D = (D + D.T) / 2"], "zero diagonal": ["D = np.where(np.eye(n), 0.0, D)"], "closure": ["D = closure(D) if (D >= 0)[off].all() else D"],
  "shift": ["D = D + off * max(0, -D[off].min(), gap(D).max())"],
};
const GAP = ["def gap(D):  # d(i,k) - d(i,j) - d(j,k) at [i, j, k], for three different tokens",
  "    i, j, k = np.indices((n, n, n))", "    return np.where((i != j) & (j != k) & (i != k), D[i, k] - D[i, j] - D[j, k], -np.inf)"];

/** state: the traits as the model holds them; tokens: names or null. */
export function courtLines({ X, M, source, form, candidate, repairs }, tokens) {
  const matrix = (name, rows) => `${name} = np.array([\n${rows.map((row) => `    [${row.map(number).join(", ")}],`).join("\n")}\n])`;
  const formula = FORMULAS[candidate], [takes] = CANDIDATES[candidate];
  const hand = source === "dissimilarities", body = hand ? [] : [`D = ${formula}`];
  const used = [hand ? "" : formula, ...repairs].join(" ");
  const needs = Object.entries(NEEDS).filter(([name]) => {
    if (name === "closure(") return used.includes("closure");
    if (name === "kl(") return !hand && /kl\(|jsd\(/.test(formula);
    return !hand && (name.endsWith("(") ? formula.includes(name) : new RegExp(`\\b${name}\\b`).test(formula));
  }).flatMap(([, lines]) => lines);
  const weights = takes === "A" ? ["A = np.exp(S - S.max(axis=1, keepdims=True))", "A = A / A.sum(axis=1, keepdims=True)"] : [];
  const start = { points: [matrix("X", X ?? []), matrix("B", form), "S = X @ B @ X.T", ...weights], scores: [matrix("S", M), ...weights], dissimilarities: [matrix("D", M)] }[source];
  return [
    "import numpy as np", "", ...(tokens ? [`tokens = [${tokens.map(pythonString).join(", ")}]`] : []), ...start,
    `n = ${M.length}`, "off = ~np.eye(n, dtype=bool)", "", ...needs, ...GAP, "", ...body, ...repairs.flatMap((name) => REPAIRS[name]),
    "zero = 8 * np.finfo(float).eps * np.abs(D[np.isfinite(D)]).max(initial=0)  # what counts as zero",
    "with np.errstate(invalid='ignore'):",
    "    verdicts = {", "        'non_negative': (D >= -zero).all(),", "        'zero_diagonal': (np.abs(np.diag(D)) <= zero).all(),",
    "        'separation': (np.abs(D[off]) > zero).all(),", "        'symmetry': not (np.abs(D - D.T) > zero).any(),",
    "        'triangle': not (gap(D) > zero).any(),", "    }", "",
  ].join("\n");
}

const number = (x) => (Number.isInteger(x) ? `${x}.0` : String(x));
