// The words of MixtureHull. Another language is another folder of these files.

export const label = "Values, their weights and the mixture";
export const lead = "Move a score or a green triangle, and watch y: it is the point where the weights balance.";
export const legend = "Disc: weight a. Dashed ring: weight a′. Dashed curve: y from T = 0 to T = ∞.";
export const controls = "Settings";
export const temperature = "Temperature";
export const temperatureHint = "T divides the scores before softmax: at T = 0 the largest scores share all the weight, at T = ∞ all allowed keys "
  + "weigh alike.";
export const value = "value";
export const values = "values";
export const output = "output";
export const planeLabel = "Plane of values and the output";
export const hold = "hold y: the other values make room";
export const holdHint = "While this is on, the weights and y stay where they are. Move one value, and the others move against it, each in "
  + "proportion to its weight; hollow triangles show where they were.";
export const cannotHold = (v) => `${v} carries all the weight: it cannot move while y stays.`;
export const rowsTitle = "Weights of one query";
export const rowsHint = "Move a score: softmax turns the scores into weights a, and y goes straight towards that value. A disc around a value "
  + "has its weight as area, and y is the point where the discs balance. Untick a key to mask it.";
export const may = "may attend";
export const mayAttend = (v) => `the query may attend to ${v}`;
export const key = "key";
export const score = "score";
export const scoreOf = (v) => `score of ${v}`;
export const scoreTyped = (v) => `score of ${v}, typed`;
export const scoreText = (s, w) => (w === null ? `${s}, masked` : `${s}, weight ${w}`);
export const scored = (v, s) => `score of ${v}, ${s}.`;
export const masked = "masked";
export const allMasked = "No key is allowed, so there are no weights and no output.";
export const otherTitle = "Another row with the same y";
export const otherHint = "The slider gives one key more or less weight and lets the others make up for it, so that y does not move. Where a "
  + "weight reaches 0 the others go on without it, as far as they can. Dashed rings show the second row a′.";
export const give = "Weight of";
export const chosen = "key that gains or loses weight";
export const along = "second row, from the least to the most weight of the chosen key";
export const alongText = (v, b, a) => `weight ${b} on ${v} instead of ${a}, same output`;
export const inSecond = (w) => `in a′: ${w}`;
export const end = (arrow, w, what) => `${arrow} ${w}: ${what}`;
export const gone = (keys) => `${keys} at 0`;
export const left = (keys) => `only ${keys}`;
export const none = (n) => (n === 1 ? "none: a single allowed key has all the weight" : `none: ${n} values in general position fix the weights`);
export const noneMasked = (v) => `none: ${v} is masked; choose another key`;
export const noneFixed = (v) => `none for ${v}: the other values cannot make up for it, so y fixes its weight; choose another key`;
export const noneRoom = (v) => `none for ${v} from here: weights that would have to fall are 0 already; raise T or choose another key`;
export const dimension = (d, n) => `${n} allowed keys, ${n - d} conditions (the sum and the place of y): ${d === 1 ? "1 direction is" : `${d} directions are`} left.`;
export const unmoved = "a′ is still a. Move the slider: the weights change, y does not.";
export const distance = (x) => `a and a′ differ by ${x} of all the weight, and give the same y.`;
export const streamTitle = "After W_O and the residual";
export const streamHint = "A head does not hand on y but y W_O, and adds it to x, which was there before. Drag x, or change W_O, and see which "
  + "point leaves which hull.";
export const streamLabel = "Plane of the residual stream";
export const projected = "y W_O";
export const stream = "x + y W_O";
export const images = "v W_O";
export const residual = "x, the residual";
export const matrix = "Entries of W_O";
export const entry = (r, c) => `W_O, row ${r}, column ${c}`;
export const presets = { identity: "identity", rotation: "rotation by 45°", stretch: "stretch", projection: "projection to a line", custom: "custom" };
export const place = "place";
export const hullOfV = "hull of v";
export const hullOfVW = "hull of v W_O";
export const verdict = { inside: "inside", edge: "on its edge", outside: "outside" };
export const verdictsCaption = "Where the output lies";
export const lemma = "y mixes the v, so it lies in their hull. y W_O mixes the v W_O with the same weights, so it lies in the hull of those. "
  + "x is no mixture of values: adding it belongs to neither.";
export const table = "Arithmetic: y = Σ a v = Σ a′ v";
export const tableCaption = "For each key its value, score, weights and products";
export const sum = "sum";
export const summary = (x, y, n, stream) => `output x ${x}, y ${y}; effective keys ${n}.${stream ? ` x + y W_O: ${stream}, of the hull of the values.` : ""}`;
export const askStream = "Where does x + y W_O lie with respect to the hull of the values v?";
export const askStreamOptions = ["inside", "on its edge", "outside"];
export const askStreamWhy = (verdict) => `Only y is sure to lie in that hull: W_O moves it to the hull of the v W_O, and x moves it on. `
  + `With respect to the hull of the v W_O, x + y W_O lies ${verdict === "on its edge" ? verdict : `${verdict} of it`}.`;
export const askDrift = (v, t) => `T grows a little above ${t}. Does y come nearer to ${v}?`;
export const askDriftOptions = ["yes, nearer", "no, farther away"];
export const askDriftWhy = (v, d) => `A larger T makes the weights more alike and moves y along the dashed curve; its distance from ${v} changes by ${d} for each unit of T.`;
export const askUnique = "Is there another row of weights with this same y?";
export const askUniqueOptions = ["yes", "no"];
export const askUniqueWhy = (n, rank, d) => `${n} weights have to meet ${rank} conditions: their sum and the place of y. ${d ? `${d} ${d === 1 ? "direction is" : "directions are"} left.` : "Nothing is left free."}`;
