// The state of MixtureHull as lines of Python that rebuild every number with NumPy alone.

import { list, matrix, names, softmaxLines, truth } from "./numpy.js";

/** state: the traits as the model holds them; tokens: names of the keys, or null; other: the second row. */
export const hullLines = ({ V, scores, temperature, mask, W_O, x }, tokens, other) => [
  "import numpy as np", "", ...names("tokens", tokens), matrix("V", V), `scores = np.array(${list(scores)})`,
  `allowed = np.array(${list(mask ?? V.map(() => true), truth)})`, "",
  ...softmaxLines(temperature, V),
  ...(other ? ["", `other_weights = np.array(${list(other)})  # a row that gives the same output`, "assert np.allclose(other_weights @ V, output)"] : []),
  ...(W_O ? ["", matrix("W_O", W_O), `x = np.array(${list(x)})`, "projected = output @ W_O", "stream = x + projected"] : []), "",
].join("\n");
