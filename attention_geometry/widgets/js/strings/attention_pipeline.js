// The words of AttentionPipeline. Another language is another folder of these files.

export const label = "From words as numbers to outputs, step by step";
export const lead = "Each word looks at every word, decides how much to take from each, and mixes what it takes.";
export const todo = "Drag a framed number up or down and watch it run through. Select any number to see how it was made.";
export const follow = "Follow";
export const stages = ["Words as numbers", "Ask, offer, carry", "Compare", "Share", "Who attends to whom", "Mix"];
export const hints = ["A row for each word.", null, null, "Each row adds up to 1.", null, "The values, mixed by the shares."];
export const match = (d) => `query · key${d === 1 ? "" : ` / √${d}`}: how well they match`;
export const matrices = { X: "tokens", Q: "queries", K: "keys", V: "values", S: "scores", A: "weights", Y: "outputs" };
export const means = { Q: "what it looks for", K: "what it offers", V: "what it hands on" };
export const captions = {
  X: "X, the tokens: a row for each", W_Q: "W_Q, which makes queries", W_K: "W_K, which makes keys", W_V: "W_V, which makes values",
  Q: "Queries Q = X W_Q: a row for each token", K: "Keys K = X W_K: a row for each token", V: "Values V = X W_V: a row for each token",
  S: "Scores: a row for each query, a column for each key", A: "Weights: a row for each query, a column for each key",
  Y: "Y, the outputs: a row for each token",
};
export const titles = {
  X: (token, c) => `Number ${c} of ${token}`, W_Q: inMatrix("W_Q"), W_K: inMatrix("W_K"), W_V: inMatrix("W_V"),
  Q: numberOf("Query"), K: numberOf("Key"), V: numberOf("Value"), Y: numberOf("Output"),
  S: (query, key) => `Score of ${query} with ${key}`,
  A: (query, key) => `Weight of ${query} on ${key}`,
};
export const stories = {
  X: () => "It is given: change it, and every stage that uses it follows.",
  W_Q: learned("query"), W_K: learned("key"), W_V: learned("value"), Q: product("W_Q"), K: product("W_K"), V: product("W_V"),
  S: (query, key) => `The query of ${query} times the key of ${key}: multiply in pairs, then add. The numbers used are outlined.`,
  A: (query, key) => `How much ${query} takes from ${key}: the exponential of this score as a share of its row. The scores used are outlined.`,
  Y: (token, _, c) => `Number ${c} of every value, each times the weight that ${token} gives it, added up. The numbers used are outlined.`,
  masked: (query) => `${query} may not look there, so there is nothing to compute.`,
};
export const arithmetic = "How the selected number was made";
export const nothingOpen = "How was a number made?";
export const open = "Select one in the picture: its arithmetic opens here and the numbers it came from are outlined.";
export const closeNumber = "Close";
export const less = "Less by 0.1";
export const more = "More by 0.1";
export const howToChange = "or ↑ ↓ on the number, or drag it";
export const masked = "masked";
export const points = "The tokens as points of a plane";
export const pointOf = (token, i) => `Point of ${token}${i ? ` (${i})` : ""}`;
export const reading = "Arrows say";
export const readings = { attends: "i attends to j", flows: "information flows from j to i" };
export const arrow = {
  attends: "Arrow i → j: i attends to j. Wider is more.",
  flows: "Arrow j → i: information flows from j to i. Wider is more.",
};
export const sentence = {
  attends: (token, shares) => (shares ? `${token} attends ${list(shares.map(([to, w]) => `${w} to ${to}`))}.` : `${token} is masked: it may attend to nothing.`),
  flows: (token, shares) => (shares ? `Into ${token} flow ${list(shares.map(([from, w]) => `${w} of ${from}`))}.` : `${token} is masked: nothing flows into it.`),
};
export const graphLabel = (arrow, lines) => `Directed graph of the weights. ${arrow} ${lines}`;
export const madeWith = (scale, t, mask) => `Scores divided by ${scale}. Temperature ${t}. Mask: ${mask}. A frame: a number that was given; the others follow. Slanted lines: below zero, or masked.`;
export const settings = "Settings";
export const mask = "Mask";
export const masks = { none: "none", causal: "causal: no later word", custom: "custom" };
export const scaled = "divide by √d";
export const temperature = "Temperature";
export const readingHint = "The weight is the same number either way: i looks at j, and what j hands on arrives at i.";
export const maskHint = "A causal mask lets a word look at itself and at the words before it, as a model that writes does.";
export const scaledHint = "Scores are divided by the root of the width of the keys, so that they do not grow with it.";
export const temperatureHint = "Scores are divided by T before the shares: near 0 the largest takes all, toward infinity all get the same.";
export const ask = (token) => `Which word gives most to the output of ${token}?`;
export const askTie = "no single one: the largest weights are equal";
export const askWhy = (scores, weights) => `The scores in its row are ${scores}; the largest score gets the largest share: ${weights}.`;
export const helpTitle = "Changing numbers without dragging";
export const help = "Numbers in a frame can be changed: select one, then ↑ and ↓ (Shift: larger steps, Home: back to the start), or type it, or use − and + below the picture. "
  + "← and → go to the next number; in the other tables all four arrows do. Tab goes from table to table.";

function inMatrix(name) { return (_, c, r) => `${name}, row ${r}, column ${c}`; }
function numberOf(what) { return (token, c) => `${what} of ${token}, number ${c}`; }
function learned(what) { return () => `It is learned in training. Change it, and every ${what} follows${what === "value" ? "; no weight does" : ""}.`; }
function product(W) { return (token, _, c) => `The row of ${token} in X times column ${c} of ${W}: multiply in pairs, then add. The numbers used are outlined.`; }
const list = (parts) => (parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts[0]);
