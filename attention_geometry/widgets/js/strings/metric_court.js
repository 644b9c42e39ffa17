// The words of MetricCourt. Another language is another folder of these files.

export const label = "A relation stands trial: which axioms of a metric does it obey?";
export const controls = "What stands trial";
export const source = "From";
export const sources = { points: "points", scores: "scores by hand", dissimilarities: "a matrix d by hand" };
export const sourceHint = "Points give scores s = x B xᵀ and weights A = softmax(s), off which a candidate reads d; or type the scores, or the entries of d.";
export const form = "Form B";
export const forms = { dot: "dot product", stretch: "stretched", minus: "one direction negative", turn: "turning", both: "dot product + turning", custom: "custom" };
export const formHint = "The score of token i for token j is s(i,j) = x_i B x_jᵀ.";
export const candidate = "d is";
export const candidateHint = "Each candidate reads a number d(i,j) off the scores S, the weights A or the points; choose it before you see the data.";
export const byHand = "the matrix by hand";
export const lead = {
  points: "Drag the tokens: d follows, and five axioms are judged.", scores: "Type scores: d follows, and five axioms are judged.",
  dissimilarities: "Type d: five axioms are judged.",
};
export const question = (question, domain) => `It answers: ${question}. Defined for: ${domain}.`;
export const questionHand = "Made by hand, it answers no question.";
export const notHere = (n) => `${n} candidates do not apply here`;
export const reason = (name, why) => `${name}: ${why}`;
export const reasons = {
  hand: () => "a matrix by hand was not read off a head",
  vectors: () => "scores by hand have no vectors",
  direction: (i) => `token ${i + 1} is at the origin, so it has no direction`,
  negative: (i, j, x) => `D(${i + 1},${j + 1}) = ${x} is negative, so it has no root`,
  reducible: () => "some token is never reached again",
};
export const notDefined = (why) => `Not defined here: ${why}.`;
export const planeLabel = "Plane of the tokens";
export const circleLabel = "Tokens on a circle";
export const tokens = "tokens";
export const token = (i, name) => (name ? `token ${i} (${name})` : `token ${i}`);
export const drawn = (axiom, margin) => `Drawn, ${axiom}: ${margin}`;
export const keys = { direct: "breaks the axiom", detour: "the way round", room: "obeys it" };
export const entries = { scores: "Scores s(i,j): type your own", dissimilarities: "d(i,j): type your own" };
export const entry = (kind, i, j) => `${kind === "scores" ? "score" : "entry"} from token ${i} to token ${j}`;
export const entered = (i, j, x) => `entry from ${i} to ${j}: ${x}.`;
export const verdicts = "Five verdicts";
export const verdictsHint = "Choose an axiom to see its worst case in the picture and in the matrix.";
export const names = { non_negative: "non-negativity", zero_diagonal: "zero diagonal", separation: "separation", symmetry: "symmetry", triangle: "triangle" };
export const formulas = { non_negative: "d(i,j) ≥ 0", zero_diagonal: "d(i,i) = 0", separation: "d(i,j) ≠ 0 for i ≠ j", symmetry: "d(i,j) = d(j,i)", triangle: "d(i,k) ≤ d(i,j) + d(j,k)" };
export const units = { non_negative: "entries", zero_diagonal: "tokens", separation: "ordered pairs", symmetry: "pairs", triangle: "ordered triples" };
export const holds = "holds";
export const fails = (n, of, unit) => `fails in ${n} of ${of} ${unit}`;
export const undecided = "undefined";
export const left = (n) => `${n} more cannot be judged: an entry is ∞`;
export const nothing = "nothing to judge";
export const d = (i, j) => `d(${i},${j})`;
export const margins = {
  triangle: (ik, ij, jk, x, a, b, by, holds) => `${ik} = ${x} ${holds ? "≤" : ">"} ${a} + ${b} = ${ij} + ${jk}, ${holds ? "room" : "by"} ${by}`,
  symmetry: (ij, ji, a, b, by) => `${ij} = ${a} ≠ ${b} = ${ji}, by ${by}`,
  symmetric: "the same both ways, for every pair",
  zero_diagonal: (ii, x) => `${ii} = ${x} ≠ 0`,
  zero: "d(i,i) = 0 for every token",
  separation: (ij, x, holds) => (holds ? `closest to 0: ${ij} = ${x}` : `${ij} = ${x}`),
  non_negative: (ij, x, holds) => (holds ? `smallest: ${ij} = ${x}` : `${ij} = ${x} < 0`),
  few: "two tokens have no triangle",
};
export const known = (status) => `Known beforehand: ${status}`;
export const kind = "so d is a";
export const forced = ", made so by repair";
export const kinds = {
  metric: "metric", pseudometric: "pseudometric", quasimetric: "quasimetric", semimetric: "semimetric", lawvere: "Lawvere metric",
  divergence: "divergence", premetric: "premetric", none: "relation without a name",
};
export const free = "Does the triangle hold for free?";
export const freeHint = "A relation that is flat enough obeys the triangle whatever it says; below the mark, that it holds is no finding. Log scale.";
export const spread = (x) => `largest ÷ smallest entry off the diagonal: ${x}`;
export const spreadLimit = (holds, alpha) => (holds ? "at most 2: any such matrix passes" : `up to 2 any matrix passes; the power ${alpha} of this one would`);
export const spreadNone = "No such bound while an entry off the diagonal is 0, negative or ∞.";
export const thresholds = {
  "−log A": (x) => `weights of a row differ by a factor of ${x}`,
  "1 − A": (x) => `largest weight on another token: ${x}`,
};
export const limit = (x, n, holds) => (holds ? `at most ${x} (${n} tokens): any relation so flat passes` : `up to ${x} (${n} tokens) any relation passes`);
export const matrix = "The matrix";
export const judged = (candidate, repairs) => `d${candidate ? ` = ${candidate}` : " by hand"}${repairs ? ", repaired" : ""}: from row i to column j`;
export const was = (x) => `was ${x}`;
export const repairs = "Repair it by force";
export const repairsHint = "Each button makes an axiom hold and says what that destroyed; press it again to take the repair back.";
export const repairNames = { symmetrise: "Symmetrise", "zero diagonal": "Zero the diagonal", shift: "Shift", closure: "Shortest paths" };
export const repairHints = {
  symmetrise: "d(i,j) and d(j,i) become their mean", "zero diagonal": "d(i,i) becomes 0",
  shift: "the least constant is added off the diagonal", closure: "d(i,k) becomes the length of the shortest way from i to k",
};
export const repairOrder = (n, name) => `${n}. ${name}`;
export const impossible = "not possible: an entry is negative, so a way round could be shortened for ever.";
export const shifted = (c) => `added ${c} off the diagonal; `;
export const damage = (changed, of, most) => (changed ? `${changed} of ${of} entries moved, by ${most} at most; ` : "no entry moved; ");
export const order = (lost, of) => (lost ? `${lost} of ${of} comparisons between two entries are lost.` : "which of two entries is larger is kept.");
export const challenges = "Challenges";
export const met = "met";
export const notMet = "not yet";
export const still = (parts) => `still: ${parts.join(", ")}`;
export const mustHold = (axiom) => `${axiom} must hold`;
export const mustFail = (axiom) => `${axiom} must fail`;
export const fewer = (n) => (n ? `at most ${n} repairs` : "without repairs");
export const summary = (failed, margin) => (failed.length ? `Fails: ${failed.join(", ")}. ${margin}` : "All five axioms hold.");
export const summaryNone = (why) => `No verdict: ${why}.`;
export const ask = "Which axioms hold?";
export const askAll = "all five";
export const askNone = "none of the five";
export const askBut = (names) => `all but ${names.join(" and ")}`;
export const askOnly = (names) => `only ${names.join(" and ")}`;
