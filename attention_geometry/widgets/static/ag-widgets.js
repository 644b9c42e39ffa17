var AttentionGeometry = {};
(() => {
  // strings/query_key_plane.js
  var label = "Queries, keys and what attention makes of them";
  var controls = "Settings";
  var query = "Query";
  var mask = "Mask";
  var masks = { none: "none", causal: "causal", custom: "custom" };
  var scaled = "divide by \u221Ad";
  var scaledFull = "Divide scores by the square root of the width of the keys, \u221A2";
  var temperature = "Temperature";
  var temperatureText = (t) => t === "0" ? "0: only the largest scores" : t === "\u221E" ? "infinity: all allowed keys alike" : t;
  var queries = "queries";
  var keys = "keys";
  var values = "values";
  var mixture = "mixture";
  var planeLabel = "Plane of queries and keys";
  var valuesLabel = "Plane of values and the mixture";
  var zeroLine = "score 0";
  var wins = (k) => `${k} wins`;
  var weightsOf = (q) => `Weights of ${q}`;
  var may = "may attend";
  var mayAttend = (q, k) => `${q} may attend to ${k}`;
  var key = "key";
  var weight = "weight";
  var masked = "masked";
  var allMasked = (q) => `${q} is masked: it may attend to no key, so it has no weights and no mixture.`;
  var entropy = "entropy";
  var nats = "nats";
  var effective = "effective keys";
  var atMost = (x) => ` (at most ${x})`;
  var outOf = (n) => ` (of ${n})`;
  var twoRows = ", of a \xB7 a\u2032";
  var graph = "Who attends to whom";
  var graphHint = (from, to) => `An arrow from ${from} to ${to} says that ${from} attends to ${to}; its width is the weight.`;
  var graphLabel = (lines) => `Directed graph of the weights. ${lines}`;
  var graphLine = (q, k, w) => `${q} most to ${k}, ${w}.`;
  var graphMasked = (q) => `${q} is masked.`;
  var pairs = "All pairs";
  var show = "Show";
  var showWeights = "weights";
  var showScores = "scores";
  var pairsCaption = (what) => `${what} of every pair: a row for each query, a column for each key`;
  var steps = "Arithmetic of the selected query";
  var stepsCaption = (q) => `The row of ${q}, step by step`;
  var products = { dot: "q \xB7 k", cosine: "cos(q, k)", distance: "\u2212\xBD\u2016q \u2212 k\u2016\xB2" };
  var scoreOf = (product3, scaled3) => `s = ${product3.replace(" \xB7 ", "\xB7")}${scaled3 ? " / \u221A2" : ""}`;
  var allowed = "allowed";
  var exp = (t) => t === 1 ? "exp(s)" : "exp(s / T)";
  var expShifted = (t) => t === 1 ? "exp(s \u2212 max)" : "exp((s \u2212 max) / T)";
  var argmax = "1 if largest";
  var uniform = "1 if allowed";
  var share = "share";
  var sum = "sum";
  var ask = (q) => `Which key gets the largest weight of ${q}?`;
  var askTie = "no single one: the largest weights are equal";
  var askWhy = (scores2) => `Its scores are ${scores2}: the larger the score, the larger the weight.`;
  var summary = (q, k, w) => `${q} gives most weight to ${k}, ${w}.`;
  var spoken = { q: "query", k: "key", v: "value", x: "token" };
  var tokens = "tokens";
  var tokensLabel = "Plane of the tokens";
  var derived = "Queries and keys follow from the tokens: q = x W_Q, k = x W_K. Drag a token.";
  var experimentsTitle = "Experiments";
  var experiments = { compare: "Three comparisons", width: "Width d", basis: "Another basis" };
  var compareBy = "Compare by";
  var compareHint = "The score of a pair is made of this; each patch of the plane is named after the key that wins a query standing there.";
  var modes = { dot: "dot product", cosine: "cosine", distance: "distance" };
  var formulas = { dot: "q\xB7k", cosine: "cos(q, k)", distance: "\u2212\xBD\u2016q \u2212 k\u2016\xB2", lifted: "\u2212\xBD\u2016q \u2212 k\u0303\u2016\xB2" };
  var compareTable = "The keys compared three ways";
  var compareCaption = (q) => `Who wins ${q}? The largest number of a column, marked \u2605`;
  var length = "length";
  var lengthOf = "Key";
  var lengthHint = "Longer along the same ray: the cosine stays, the dot product grows in proportion, the distance does what it likes.";
  var alongRay = "keys slide along their rays";
  var equalise = "Make all keys equally long";
  var noCosine = "no direction";
  var verdictNone = "No key is allowed: nobody wins.";
  var verdictAll = (k, equal) => equal ? `All three choose ${k}. The keys are equally long: no query can part dot product, cosine and distance.` : `All three choose ${k} for this query. Drag it: the patches of another comparison lie elsewhere.`;
  var verdict = (dot2, cosine2, near) => `The dot product chooses ${dot2}, the cosine ${cosine2}, and nearest is ${near}: the lengths of the keys make the difference.`;
  var lift = "Lift the keys";
  var liftText = (x) => `${x} of the way`;
  var liftHint = "Every key gets one more coordinate, \u221A(R\xB2 \u2212 \u2016k\u2016\xB2) with R the longest key: at the end all keys have the length R.";
  var tiltLabel = "The plane from the side: every key on a stem as high as its lifted coordinate, a line from the query to each";
  var lifted = (R2) => `All keys have the length ${R2} now: whoever is nearest has the largest dot product, and every weight is that of the dot product.`;
  var liftNot = (begun) => begun ? "Not yet there: the order of these distances may still differ from that of the dot products." : "The keys lie in the plane. Lift them, and watch the patches and the weights.";
  var width = "Width";
  var widthWhat = (n, m) => `Away from this plane: ${n} random queries, ${m} random keys for each, every component +1 or \u22121 by the toss of a coin.`;
  var widthHint = "Each product q\xB7k adds up d terms of size 1, so its spread grows like \u221Ad; dividing by \u221Ad takes that out.";
  var widthSaid = (d2, spread4, bare, scaled3) => `At d = ${d2} the products spread by ${spread4}. Entropy of the weights: ${bare} nats as they are, ${scaled3} divided by \u221Ad.`;
  var widthAxis = "width d";
  var spread = "spread of q\xB7k";
  var curveScaled = "divided by \u221Ad";
  var curveUnscaled = "as they are";
  var mostEntropy = "most: log 16 nats";
  var widthTable = "The numbers of all widths";
  var widthCaption = "Spread of the products and mean entropy of the weights, for every width";
  var widthLabel = (lines) => `Mean entropy of the weights against the width. ${lines}`;
  var widthLine = (d2, bare, scaled3) => `Width ${d2}: ${bare} as they are, ${scaled3} divided.`;
  var basisWhat = "Multiply every query by a matrix M and every key by its inverse transposed: q\xB7k stays what it was.";
  var basisAnother = "Draw a basis";
  var basisHere = "Compare from here";
  var basisHint = "M is drawn at random; a trained head could have used any of them, so what changes here says nothing about the head.";
  var basisCaption = "Largest change since you began";
  var basisRows = { coordinate: "a coordinate of a query or key", angle: "a cosine of a query and a key", dot: "a weight, by dot product", cosine: "a weight, by cosine", distance: "a weight, by distance" };
  var basisNone = "Nothing has moved yet: press the button and watch the plane.";
  var basisGauge = "Every query and key stands elsewhere, and every weight of the dot product is where it was. Cosine and distance would give other weights.";
  var basisMoved = "A weight of the dot product changed as well: something else than the basis was moved.";
  var sourceTitle = "From tokens to queries and keys";
  var entry = (name, r, c) => `${name}, row ${r}, column ${c}`;
  var tie = "tie: W_K = W_Q";
  var tieHint = "Then q = k for every token, and B = W_Q W_Q\u1D40 is symmetric: i scores j as j scores i.";
  var antisymmetry = "Antisymmetric share";
  var antisymmetryHint = "Of the size of B = W_Q W_K\u1D40: at 0 the form is symmetric, at 1 it turns its sign when query and key change places.";
  var antisymmetryText = (x) => x === "0.00" ? "0: symmetric" : x === "1.00" ? "1: antisymmetric" : x;
  var formName = "B = W_Q W_K\u1D40 = ";
  var formLine = ([[a, b], [c, d2]]) => `(${a}, ${b}; ${c}, ${d2})`;
  var sharesTitle = "What the weights can see of the scores, in shares";
  var shares = { popularity: "popularity", reciprocal: "reciprocal", circulating: "circulating" };
  var shareHints = { popularity: "some keys are liked by all queries", reciprocal: "i and j agree on each other", circulating: "what runs around cycles" };
  var sharesNone = "The rows of the scores are constant: there is nothing to share out.";
  var sharesReversible = "Nothing circulates: the weights are reversible, though a popular key still draws more than it gives.";
  var sharesCirculate = "Something runs around cycles: no symmetric scores could give these weights.";

  // strings/plane.js
  var point = "Point";
  var role = "point in the plane";
  var place = (x, y) => `x ${x}, y ${y}`;
  var moved = (name, place3) => `${name}, ${place3}.`;
  var coordinate = (axis) => `${axis} of the point`;
  var helpTitle = "Moving points with keys, or without dragging";
  var help = "Drag a point, or select it and use the arrow keys (Shift: larger steps, Home: back to the start). Without dragging: select a point, then click where it should go, or type its coordinates.";

  // strings/metric_court.js
  var label2 = "A relation stands trial: which axioms of a metric does it obey?";
  var controls2 = "What stands trial";
  var source = "From";
  var sources = { points: "points", scores: "scores by hand", dissimilarities: "a matrix d by hand" };
  var sourceHint = "Points give scores s = x B x\u1D40 and weights A = softmax(s), off which a candidate reads d; or type the scores, or the entries of d.";
  var form = "Form B";
  var forms = { dot: "dot product", stretch: "stretched", minus: "one direction negative", turn: "turning", both: "dot product + turning", custom: "custom" };
  var formHint = "The score of token i for token j is s(i,j) = x_i B x_j\u1D40.";
  var candidate = "d is";
  var candidateHint = "Each candidate reads a number d(i,j) off the scores S, the weights A or the points; choose it before you see the data.";
  var byHand = "the matrix by hand";
  var lead = {
    points: "Drag the tokens: d follows, and five axioms are judged.",
    scores: "Type scores: d follows, and five axioms are judged.",
    dissimilarities: "Type d: five axioms are judged."
  };
  var question = (question3, domain) => `It answers: ${question3}. Defined for: ${domain}.`;
  var questionHand = "Made by hand, it answers no question.";
  var notHere = (n) => `${n} candidates do not apply here`;
  var reason = (name, why) => `${name}: ${why}`;
  var reasons = {
    hand: () => "a matrix by hand was not read off a head",
    vectors: () => "scores by hand have no vectors",
    direction: (i) => `token ${i + 1} is at the origin, so it has no direction`,
    negative: (i, j, x) => `D(${i + 1},${j + 1}) = ${x} is negative, so it has no root`,
    reducible: () => "some token is never reached again"
  };
  var notDefined = (why) => `Not defined here: ${why}.`;
  var planeLabel2 = "Plane of the tokens";
  var circleLabel = "Tokens on a circle";
  var tokens2 = "tokens";
  var token = (i, name) => name ? `token ${i} (${name})` : `token ${i}`;
  var drawn = (axiom, margin2) => `Drawn, ${axiom}: ${margin2}`;
  var keys2 = { direct: "breaks the axiom", detour: "the way round", room: "obeys it" };
  var entries = { scores: "Scores s(i,j): type your own", dissimilarities: "d(i,j): type your own" };
  var entry2 = (kind2, i, j) => `${kind2 === "scores" ? "score" : "entry"} from token ${i} to token ${j}`;
  var entered = (i, j, x) => `entry from ${i} to ${j}: ${x}.`;
  var verdicts = "Five verdicts";
  var verdictsHint = "Choose an axiom to see its worst case in the picture and in the matrix.";
  var names = { non_negative: "non-negativity", zero_diagonal: "zero diagonal", separation: "separation", symmetry: "symmetry", triangle: "triangle" };
  var formulas2 = { non_negative: "d(i,j) \u2265 0", zero_diagonal: "d(i,i) = 0", separation: "d(i,j) \u2260 0 for i \u2260 j", symmetry: "d(i,j) = d(j,i)", triangle: "d(i,k) \u2264 d(i,j) + d(j,k)" };
  var units = { non_negative: "entries", zero_diagonal: "tokens", separation: "ordered pairs", symmetry: "pairs", triangle: "ordered triples" };
  var holds = "holds";
  var fails = (n, of, unit) => `fails in ${n} of ${of} ${unit}`;
  var undecided = "undefined";
  var left = (n) => `${n} more cannot be judged: an entry is \u221E`;
  var nothing = "nothing to judge";
  var d = (i, j) => `d(${i},${j})`;
  var margins = {
    triangle: (ik, ij, jk, x, a, b, by, holds2) => `${ik} = ${x} ${holds2 ? "\u2264" : ">"} ${a} + ${b} = ${ij} + ${jk}, ${holds2 ? "room" : "by"} ${by}`,
    symmetry: (ij, ji, a, b, by) => `${ij} = ${a} \u2260 ${b} = ${ji}, by ${by}`,
    symmetric: "the same both ways, for every pair",
    zero_diagonal: (ii, x) => `${ii} = ${x} \u2260 0`,
    zero: "d(i,i) = 0 for every token",
    separation: (ij, x, holds2) => holds2 ? `closest to 0: ${ij} = ${x}` : `${ij} = ${x}`,
    non_negative: (ij, x, holds2) => holds2 ? `smallest: ${ij} = ${x}` : `${ij} = ${x} < 0`,
    few: "two tokens have no triangle"
  };
  var known = (status) => `Known beforehand: ${status}`;
  var kind = "so d is a";
  var forced = ", made so by repair";
  var kinds = {
    metric: "metric",
    pseudometric: "pseudometric",
    quasimetric: "quasimetric",
    semimetric: "semimetric",
    lawvere: "Lawvere metric",
    divergence: "divergence",
    premetric: "premetric",
    none: "relation without a name"
  };
  var free = "Does the triangle hold for free?";
  var freeHint = "A relation that is flat enough obeys the triangle whatever it says; below the mark, that it holds is no finding. Log scale.";
  var spread2 = (x) => `largest \xF7 smallest entry off the diagonal: ${x}`;
  var spreadLimit = (holds2, alpha) => holds2 ? "at most 2: any such matrix passes" : `up to 2 any matrix passes; the power ${alpha} of this one would`;
  var spreadNone = "No such bound while an entry off the diagonal is 0, negative or \u221E.";
  var thresholds = {
    "\u2212log A": (x) => `weights of a row differ by a factor of ${x}`,
    "1 \u2212 A": (x) => `largest weight on another token: ${x}`
  };
  var limit = (x, n, holds2) => holds2 ? `at most ${x} (${n} tokens): any relation so flat passes` : `up to ${x} (${n} tokens) any relation passes`;
  var matrix = "The matrix";
  var judged = (candidate2, repairs2) => `d${candidate2 ? ` = ${candidate2}` : " by hand"}${repairs2 ? ", repaired" : ""}: from row i to column j`;
  var was = (x) => `was ${x}`;
  var repairs = "Repair it by force";
  var repairsHint = "Each button makes an axiom hold and says what that destroyed; press it again to take the repair back.";
  var repairNames = { symmetrise: "Symmetrise", "zero diagonal": "Zero the diagonal", shift: "Shift", closure: "Shortest paths" };
  var repairHints = {
    symmetrise: "d(i,j) and d(j,i) become their mean",
    "zero diagonal": "d(i,i) becomes 0",
    shift: "the least constant is added off the diagonal",
    closure: "d(i,k) becomes the length of the shortest way from i to k"
  };
  var repairOrder = (n, name) => `${n}. ${name}`;
  var impossible = "not possible: an entry is negative, so a way round could be shortened for ever.";
  var shifted = (c) => `added ${c} off the diagonal; `;
  var damage = (changed, of, most) => changed ? `${changed} of ${of} entries moved, by ${most} at most; ` : "no entry moved; ";
  var order = (lost, of) => lost ? `${lost} of ${of} comparisons between two entries are lost.` : "which of two entries is larger is kept.";
  var challenges = "Challenges";
  var met = "met";
  var notMet = "not yet";
  var still = (parts3) => `still: ${parts3.join(", ")}`;
  var mustHold = (axiom) => `${axiom} must hold`;
  var mustFail = (axiom) => `${axiom} must fail`;
  var fewer = (n) => n ? `at most ${n} repairs` : "without repairs";
  var summary2 = (failed2, margin2) => failed2.length ? `Fails: ${failed2.join(", ")}. ${margin2}` : "All five axioms hold.";
  var summaryNone = (why) => `No verdict: ${why}.`;
  var ask2 = "Which axioms hold?";
  var askAll = "all five";
  var askNone = "none of the five";
  var askBut = (names3) => `all but ${names3.join(" and ")}`;
  var askOnly = (names3) => `only ${names3.join(" and ")}`;

  // strings/mixture_hull.js
  var label3 = "Values, their weights and the mixture";
  var lead2 = "Move a score or a green triangle, and watch y: it is the point where the weights balance.";
  var legend = "Disc: weight a. Dashed ring: weight a\u2032. Dashed curve: y from T = 0 to T = \u221E.";
  var controls3 = "Settings";
  var temperature2 = "Temperature";
  var temperatureHint = "T divides the scores before softmax: at T = 0 the largest scores share all the weight, at T = \u221E all allowed keys weigh alike.";
  var value = "value";
  var values2 = "values";
  var output = "output";
  var planeLabel3 = "Plane of values and the output";
  var hold = "hold y: the other values make room";
  var holdHint = "While this is on, the weights and y stay where they are. Move one value, and the others move against it, each in proportion to its weight; hollow triangles show where they were.";
  var cannotHold = (v) => `${v} carries all the weight: it cannot move while y stays.`;
  var rowsTitle = "Weights of one query";
  var rowsHint = "Move a score: softmax turns the scores into weights a, and y goes straight towards that value. A disc around a value has its weight as area, and y is the point where the discs balance. Untick a key to mask it.";
  var may2 = "may attend";
  var mayAttend2 = (v) => `the query may attend to ${v}`;
  var key2 = "key";
  var score = "score";
  var scoreOf2 = (v) => `score of ${v}`;
  var scoreTyped = (v) => `score of ${v}, typed`;
  var scoreText = (s, w) => w === null ? `${s}, masked` : `${s}, weight ${w}`;
  var scored = (v, s) => `score of ${v}, ${s}.`;
  var masked2 = "masked";
  var allMasked2 = "No key is allowed, so there are no weights and no output.";
  var otherTitle = "Another row with the same y";
  var otherHint = "The slider gives one key more or less weight and lets the others make up for it, so that y does not move. Where a weight reaches 0 the others go on without it, as far as they can. Dashed rings show the second row a\u2032.";
  var give = "Weight of";
  var chosen = "key that gains or loses weight";
  var along = "second row, from the least to the most weight of the chosen key";
  var alongText = (v, b, a) => `weight ${b} on ${v} instead of ${a}, same output`;
  var inSecond = (w) => `in a\u2032: ${w}`;
  var end = (arrow2, w, what) => `${arrow2} ${w}: ${what}`;
  var gone = (keys3) => `${keys3} at 0`;
  var left2 = (keys3) => `only ${keys3}`;
  var none = (n) => n === 1 ? "none: a single allowed key has all the weight" : `none: ${n} values in general position fix the weights`;
  var noneMasked = (v) => `none: ${v} is masked; choose another key`;
  var noneFixed = (v) => `none for ${v}: the other values cannot make up for it, so y fixes its weight; choose another key`;
  var noneRoom = (v) => `none for ${v} from here: weights that would have to fall are 0 already; raise T or choose another key`;
  var dimension = (d2, n) => `${n} allowed keys, ${n - d2} conditions (the sum and the place of y): ${d2 === 1 ? "1 direction is" : `${d2} directions are`} left.`;
  var unmoved = "a\u2032 is still a. Move the slider: the weights change, y does not.";
  var distance = (x) => `a and a\u2032 differ by ${x} of all the weight, and give the same y.`;
  var streamTitle = "After W_O and the residual";
  var streamHint = "A head does not hand on y but y W_O, and adds it to x, which was there before. Drag x, or change W_O, and see which point leaves which hull.";
  var streamLabel = "Plane of the residual stream";
  var projected = "y W_O";
  var stream = "x + y W_O";
  var images = "v W_O";
  var residual = "x, the residual";
  var matrix2 = "Entries of W_O";
  var entry3 = (r, c) => `W_O, row ${r}, column ${c}`;
  var presets = { identity: "identity", rotation: "rotation by 45\xB0", stretch: "stretch", projection: "projection to a line", custom: "custom" };
  var place2 = "place";
  var hullOfV = "hull of v";
  var hullOfVW = "hull of v W_O";
  var verdict2 = { inside: "inside", edge: "on its edge", outside: "outside" };
  var verdictsCaption = "Where the output lies";
  var lemma = "y mixes the v, so it lies in their hull. y W_O mixes the v W_O with the same weights, so it lies in the hull of those. x is no mixture of values: adding it belongs to neither.";
  var table = "Arithmetic: y = \u03A3 a v = \u03A3 a\u2032 v";
  var tableCaption = "For each key its value, score, weights and products";
  var sum2 = "sum";
  var summary3 = (x, y, n, stream2) => `output x ${x}, y ${y}; effective keys ${n}.${stream2 ? ` x + y W_O: ${stream2}, of the hull of the values.` : ""}`;
  var askStream = "Where does x + y W_O lie with respect to the hull of the values v?";
  var askStreamOptions = ["inside", "on its edge", "outside"];
  var askStreamWhy = (verdict3) => `Only y is sure to lie in that hull: W_O moves it to the hull of the v W_O, and x moves it on. With respect to the hull of the v W_O, x + y W_O lies ${verdict3 === "on its edge" ? verdict3 : `${verdict3} of it`}.`;
  var askDrift = (v, t) => `T grows a little above ${t}. Does y come nearer to ${v}?`;
  var askDriftOptions = ["yes, nearer", "no, farther away"];
  var askDriftWhy = (v, d2) => `A larger T makes the weights more alike and moves y along the dashed curve; its distance from ${v} changes by ${d2} for each unit of T.`;
  var askUnique = "Is there another row of weights with this same y?";
  var askUniqueOptions = ["yes", "no"];
  var askUniqueWhy = (n, rank, d2) => `${n} weights have to meet ${rank} conditions: their sum and the place of y. ${d2 ? `${d2} ${d2 === 1 ? "direction is" : "directions are"} left.` : "Nothing is left free."}`;

  // strings/attention_pipeline.js
  var label4 = "From words as numbers to outputs, step by step";
  var lead3 = "Each word looks at every word, decides how much to take from each, and mixes what it takes.";
  var todo = "Drag a framed number up or down and watch it run through. Select any number to see how it was made.";
  var follow = "Follow";
  var stages = ["Words as numbers", "Ask, offer, carry", "Compare", "Share", "Who attends to whom", "Mix"];
  var hints = ["A row for each word.", null, null, "Each row adds up to 1.", null, "The values, mixed by the shares."];
  var match = (d2) => `query \xB7 key${d2 === 1 ? "" : ` / \u221A${d2}`}: how well they match`;
  var matrices = { X: "tokens", Q: "queries", K: "keys", V: "values", S: "scores", A: "weights", Y: "outputs" };
  var means = { Q: "what it looks for", K: "what it offers", V: "what it hands on" };
  var captions = {
    X: "X, the tokens: a row for each",
    W_Q: "W_Q, which makes queries",
    W_K: "W_K, which makes keys",
    W_V: "W_V, which makes values",
    Q: "Queries Q = X W_Q: a row for each token",
    K: "Keys K = X W_K: a row for each token",
    V: "Values V = X W_V: a row for each token",
    S: "Scores: a row for each query, a column for each key",
    A: "Weights: a row for each query, a column for each key",
    Y: "Y, the outputs: a row for each token"
  };
  var titles = {
    X: (token2, c) => `Number ${c} of ${token2}`,
    W_Q: inMatrix("W_Q"),
    W_K: inMatrix("W_K"),
    W_V: inMatrix("W_V"),
    Q: numberOf("Query"),
    K: numberOf("Key"),
    V: numberOf("Value"),
    Y: numberOf("Output"),
    S: (query2, key3) => `Score of ${query2} with ${key3}`,
    A: (query2, key3) => `Weight of ${query2} on ${key3}`
  };
  var stories = {
    X: () => "It is given: change it, and every stage that uses it follows.",
    W_Q: learned("query"),
    W_K: learned("key"),
    W_V: learned("value"),
    Q: product("W_Q"),
    K: product("W_K"),
    V: product("W_V"),
    S: (query2, key3) => `The query of ${query2} times the key of ${key3}: multiply in pairs, then add. The numbers used are outlined.`,
    A: (query2, key3) => `How much ${query2} takes from ${key3}: the exponential of this score as a share of its row. The scores used are outlined.`,
    Y: (token2, _, c) => `Number ${c} of every value, each times the weight that ${token2} gives it, added up. The numbers used are outlined.`,
    masked: (query2) => `${query2} may not look there, so there is nothing to compute.`
  };
  var arithmetic = "How the selected number was made";
  var nothingOpen = "How was a number made?";
  var open = "Select one in the picture: its arithmetic opens here and the numbers it came from are outlined.";
  var closeNumber = "Close";
  var less = "Less by 0.1";
  var more = "More by 0.1";
  var howToChange = "or \u2191 \u2193 on the number, or drag it";
  var masked3 = "masked";
  var points = "The tokens as points of a plane";
  var pointOf = (token2, i) => `Point of ${token2}${i ? ` (${i})` : ""}`;
  var reading = "Arrows say";
  var readings = { attends: "i attends to j", flows: "information flows from j to i" };
  var arrow = {
    attends: "Arrow i \u2192 j: i attends to j. Wider is more.",
    flows: "Arrow j \u2192 i: information flows from j to i. Wider is more."
  };
  var sentence = {
    attends: (token2, shares3) => shares3 ? `${token2} attends ${list(shares3.map(([to, w]) => `${w} to ${to}`))}.` : `${token2} is masked: it may attend to nothing.`,
    flows: (token2, shares3) => shares3 ? `Into ${token2} flow ${list(shares3.map(([from, w]) => `${w} of ${from}`))}.` : `${token2} is masked: nothing flows into it.`
  };
  var graphLabel2 = (arrow2, lines) => `Directed graph of the weights. ${arrow2} ${lines}`;
  var madeWith = (scale, t, mask3) => `Scores divided by ${scale}. Temperature ${t}. Mask: ${mask3}. A frame: a number that was given; the others follow. Slanted lines: below zero, or masked.`;
  var settings = "Settings";
  var mask2 = "Mask";
  var masks2 = { none: "none", causal: "causal: no later word", custom: "custom" };
  var scaled2 = "divide by \u221Ad";
  var temperature3 = "Temperature";
  var readingHint = "The weight is the same number either way: i looks at j, and what j hands on arrives at i.";
  var maskHint = "A causal mask lets a word look at itself and at the words before it, as a model that writes does.";
  var scaledHint = "Scores are divided by the root of the width of the keys, so that they do not grow with it.";
  var temperatureHint2 = "Scores are divided by T before the shares: near 0 the largest takes all, toward infinity all get the same.";
  var ask3 = (token2) => `Which word gives most to the output of ${token2}?`;
  var askTie2 = "no single one: the largest weights are equal";
  var askWhy2 = (scores2, weights) => `The scores in its row are ${scores2}; the largest score gets the largest share: ${weights}.`;
  var helpTitle2 = "Changing numbers without dragging";
  var help2 = "Numbers in a frame can be changed: select one, then \u2191 and \u2193 (Shift: larger steps, Home: back to the start), or type it, or use \u2212 and + below the picture. \u2190 and \u2192 go to the next number; in the other tables all four arrows do. Tab goes from table to table.";
  function inMatrix(name) {
    return (_, c, r) => `${name}, row ${r}, column ${c}`;
  }
  function numberOf(what) {
    return (token2, c) => `${what} of ${token2}, number ${c}`;
  }
  function learned(what) {
    return () => `It is learned in training. Change it, and every ${what} follows${what === "value" ? "; no weight does" : ""}.`;
  }
  function product(W2) {
    return (token2, _, c) => `The row of ${token2} in X times column ${c} of ${W2}: multiply in pairs, then add. The numbers used are outlined.`;
  }
  var list = (parts3) => parts3.length > 1 ? `${parts3.slice(0, -1).join(", ")} and ${parts3.at(-1)}` : parts3[0];

  // geometry.js
  var dot = (a, b) => a.reduce((sum6, x, i) => sum6 + x * b[i], 0);
  function scores(Q, K, { scaled: scaled3 = true } = {}) {
    const scale = scaled3 ? Q[0].length ** -0.5 : 1;
    return Q.map((q) => K.map((k) => scale * (Math.round(dot(q, k) * 1e12) / 1e12)));
  }
  function allowed2(mask3, queries2, keys3) {
    return Array.from({ length: queries2 }, (_, i) => Array.from({ length: keys3 }, (_2, j) => mask3 === "causal" ? j <= i : mask3 ? mask3[i][j] : true));
  }
  function logits(s, may3, temperature4 = 1) {
    const largest3 = Math.max(...s.filter((_, j) => may3[j]));
    if (!may3.some(Boolean)) return null;
    return s.map((x, j) => {
      if (!may3[j]) return -Infinity;
      if (temperature4 === Infinity) return 0;
      if (temperature4 === 0) return x === largest3 ? 0 : -Infinity;
      return (x / 2 - largest3 / 2) / temperature4 * 2;
    });
  }
  function softmax(s, { may: may3 = s.map(() => true), temperature: temperature4 = 1 } = {}) {
    const e = logits(s, may3, temperature4)?.map(Math.exp);
    if (!e) return null;
    const total = sum3(e);
    return e.map((x) => x / total);
  }
  var entropy2 = (p) => p && Math.abs(sum3(p.map((x) => x > 0 ? -x * Math.log(x) : 0)));
  var effectiveKeys = (p) => p && Math.exp(entropy2(p));
  var mixture2 = (p, V) => p && V && V[0].map((_, c) => sum3(p.map((w, j) => w * V[j][c])));
  function attention(Q, K, V, { scaled: scaled3 = true, mask: mask3 = null, temperature: temperature4 = 1, S = scores(Q, K, { scaled: scaled3 }) } = {}) {
    const may3 = allowed2(mask3, Q.length, K.length).map((row, i) => row.map((ok, j) => ok && S[i][j] !== null));
    const weights = S.map((s, i) => softmax(s, { may: may3[i], temperature: temperature4 }));
    return { scores: S, allowed: may3, weights, output: weights.map((p) => mixture2(p, V)) };
  }
  function convexHull(points3) {
    const sorted = [...points3].sort((a, b) => a[0] - b[0] || a[1] - b[1]).filter((p, i, all) => !i || p[0] !== all[i - 1][0] || p[1] !== all[i - 1][1]);
    if (sorted.length < 3) return sorted;
    const chain = (ordered) => {
      const corners2 = [];
      for (const p of ordered) {
        while (corners2.length > 1 && cross(corners2.at(-2), corners2.at(-1), p) <= 0) corners2.pop();
        corners2.push(p);
      }
      return corners2.slice(0, -1);
    };
    return [...chain(sorted), ...chain(sorted.reverse())];
  }
  function niceRange(vectors, margin2 = 1.15) {
    const largest3 = margin2 * Math.max(...vectors.flat().map(Math.abs));
    if (!(largest3 > 0)) return 1;
    const unit = 10 ** (Math.floor(Math.log10(largest3)) - 1);
    return Math.ceil(largest3 / unit - 1e-9) * unit;
  }
  function tickStep(reach) {
    const unit = 10 ** Math.floor(Math.log10(reach / 3));
    return [1, 2, 5, 10].map((f) => f * unit).find((step) => step >= reach / 3 - 1e-12);
  }
  var degrees = (dx, dy) => Math.atan2(dy, dx) * 180 / Math.PI;
  function toward([x, y], [u, v], distance3) {
    const length2 = Math.hypot(u - x, v - y) || 1;
    return [x + (u - x) / length2 * distance3, y + (v - y) / length2 * distance3];
  }
  function direction(i, n) {
    const angle = 2 * Math.PI * i / n - Math.PI / 2;
    return [Math.cos(angle), Math.sin(angle)];
  }
  var anchorOf = (c) => Math.abs(c) < 0.35 ? "middle" : c > 0 ? "start" : "end";
  var sides = ([c, s]) => [-0.8, 0.8].map((t) => [Math.cos(t) * c - Math.sin(t) * s, Math.sin(t) * c + Math.cos(t) * s]);
  var sum3 = (x) => x.reduce((a, b) => a + b, 0);
  var cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

  // axioms.js
  var AXIOMS = ["non_negative", "zero_diagonal", "separation", "symmetry", "triangle"];
  var KINDS = [
    ["metric", "11111"],
    ["pseudometric", "11011"],
    ["quasimetric", "11101"],
    ["semimetric", "11110"],
    ["lawvere", "11001"],
    ["divergence", "11100"],
    ["premetric", "11000"]
  ];
  var matrix3 = (n, f) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_2, j) => f(i, j)));
  var sum4 = (x) => x.reduce((a, b) => a + b, 0);
  var largest = (D) => Math.max(0, ...D.flat().filter(Number.isFinite).map(Math.abs));
  var toleranceOf = (D) => 8 * 2 ** -52 * largest(D);
  function checkAxioms(D) {
    const tolerance = toleranceOf(D), n = D.length;
    const pairs2 = (wanted) => matrix3(n, (i, j) => [i, j]).flat().filter(([i, j]) => wanted(i, j));
    const over = (cases, badness, shown, broken, size2 = 2) => {
      const seen = cases.filter(([i, j]) => Number.isFinite(badness(i, j)));
      const left3 = cases.length - seen.length;
      if (!seen.length) return { holds: left3 ? null : true, violations: 0, cases: 0, left: left3, worst: null, witness: null };
      const at2 = seen.reduce((a, b) => badness(...b) > badness(...a) ? b : a);
      const violations = seen.filter(([i, j]) => broken(i, j)).length;
      return { holds: !violations, violations, cases: seen.length, left: left3, worst: shown(...at2), witness: at2.slice(0, size2) };
    };
    const d2 = (i, j) => D[i][j], size = (i, j) => Math.abs(D[i][j]), skew = (i, j) => Math.abs(D[i][j] - D[j][i]);
    return {
      non_negative: over(pairs2(() => true), (i, j) => -d2(i, j), d2, (i, j) => -d2(i, j) > tolerance),
      zero_diagonal: over(pairs2((i, j) => i === j), size, size, (i, j) => size(i, j) > tolerance, 1),
      separation: over(pairs2((i, j) => i !== j), (i, j) => -size(i, j), size, (i, j) => size(i, j) <= tolerance),
      symmetry: over(pairs2((i, j) => i < j), skew, skew, (i, j) => skew(i, j) > tolerance),
      triangle: triangles(D, tolerance)
    };
  }
  function triangles(D, tolerance) {
    const n = D.length, side = (i, j) => i !== j && Number.isFinite(D[i][j]);
    let cases = 0, violations = 0, worst = null, witness = null;
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < n; k++) {
        let detour = Infinity, via = -1;
        for (let j = 0; j < n && side(i, k); j++) {
          if (!side(i, j) || !side(j, k)) continue;
          cases += 1;
          violations += D[i][k] - D[i][j] - D[j][k] > tolerance;
          if (D[i][j] + D[j][k] < detour) [detour, via] = [D[i][j] + D[j][k], j];
        }
        const gap = D[i][k] - detour;
        if (via >= 0 && (worst === null || gap > worst)) [worst, witness] = [gap, [i, via, k]];
      }
    }
    const left3 = n * (n - 1) * Math.max(n - 2, 0) - cases;
    return { holds: left3 && !cases ? null : !violations, violations, cases, left: left3, worst, witness };
  }
  function kindOf(verdicts2) {
    const held = AXIOMS.map((axiom) => verdicts2[axiom].holds);
    if (held.includes(null)) return null;
    return (KINDS.find(([, wanted]) => held.every((holds2, a) => holds2 || wanted[a] === "0")) ?? ["none"])[0];
  }
  var missing = (wanted, verdicts2) => AXIOMS.filter((axiom) => axiom in wanted && verdicts2[axiom].holds !== wanted[axiom]);
  var refuse = (reason2, ...where2) => {
    throw { reason: reason2, where: where2 };
  };
  var between = (rows, other, length2) => rows.map((p) => other.map((r) => length2(p, r)));
  var norm = (v) => Math.sqrt(sum4(v.map((x) => x * x)));
  var minus = (p, r) => p.map((x, c) => x - r[c]);
  var staying = (S) => matrix3(S.length, (i, j) => S[i][i] - S[i][j]);
  var surprisal = (A) => A.map((row) => row.map((a) => -Math.log(a) + 0));
  var plusTransposed = (M) => matrix3(M.length, (i, j) => M[i][j] + M[j][i]);
  function euclidean(rows, other = rows) {
    return rows.map((p) => {
      const gaps = other.map((r) => minus(p, r));
      const unit = Math.max(...gaps.flat().map(Math.abs), 2 ** -1022);
      return gaps.map((gap) => norm(gap.map((x) => x / unit)) * unit);
    });
  }
  function directions(X) {
    const zero = X.findIndex((x) => x.every((c) => c === 0));
    if (zero >= 0) refuse("direction", zero);
    return X.map((x) => {
      const unit = Math.max(...x.map(Math.abs)), scaled3 = x.map((c) => c / unit), length2 = norm(scaled3);
      return scaled3.map((c) => c / length2);
    });
  }
  function root(D) {
    D.forEach((row, i) => row.forEach((x, j) => x < 0 && refuse("negative", i, j, x)));
    return D.map((row) => row.map(Math.sqrt));
  }
  var divergence = (p, r) => sum4(p.map((a, c) => Math.max((a > 0 ? a * (Math.log(a) - Math.log(r[c])) : 0) - a + r[c], 0)));
  function jensenShannon(p, r) {
    const terms = p.map((a, c) => {
      const total = a + r[c], t = total > 0 ? (a - r[c]) / total : a - r[c];
      return total * (Math.abs(t) < 1 ? 2 * t * Math.atanh(t) + Math.log1p(-(t * t)) : 2 * Math.LN2);
    });
    return Math.max(sum4(terms) / 4, 0);
  }
  function hitting(A) {
    const H2 = A.map(() => []);
    A.forEach((_, k) => {
      const order2 = [k, ...A.keys()].filter((x, at2) => at2 === 0 || x !== k);
      const P = order2.map((i) => order2.map((j) => A[i][j])), wait = order2.map(() => 1), steps2 = [0];
      for (let e = A.length - 1; e > 0; e--) {
        const leave = sum4(P[e].slice(0, e));
        if (leave === 0) refuse("reducible");
        wait[e] /= leave;
        for (let j = 0; j < e; j++) P[e][j] /= leave;
        for (let i = 0; i < e; i++) {
          wait[i] += P[i][e] * wait[e];
          for (let j = 0; j < e; j++) P[i][j] += P[i][e] * P[e][j];
        }
      }
      for (let e = 1; e < A.length; e++) steps2.push(wait[e] + sum4(steps2.map((h, j) => P[e][j] * h)));
      order2.forEach((i, at2) => {
        H2[i][k] = steps2[at2];
      });
    });
    return H2;
  }
  function diffusion(A) {
    const H2 = hitting(A);
    const pi = A.map((row, k) => 1 / (1 + sum4(row.map((a, j) => a * H2[j][k]))));
    return between(A, A, (p, r) => norm(minus(p, r).map((x, c) => x / Math.sqrt(pi[c]))));
  }
  var CANDIDATES = {
    "S": ["S", (S) => S],
    "\u2212S": ["S", (S) => S.map((row) => row.map((s) => 0 - s))],
    "max S \u2212 S": ["S", (S) => {
      const top = Math.max(...S.flat());
      return S.map((row) => row.map((s) => top - s));
    }],
    "1 \u2212 A": ["A", (A) => A.map((row) => row.map((a) => 1 - a))],
    "\u2212log A": ["A", surprisal],
    "closure of \u2212log A": ["A", (A) => closure(surprisal(A))],
    "\u03C1": ["S", staying],
    "D": ["S", (S) => plusTransposed(staying(S))],
    "\u221AD": ["S", (S) => root(plusTransposed(staying(S)))],
    "\u2016q \u2212 k\u2016": ["QK", ([Q, K]) => euclidean(Q, K)],
    "1 \u2212 cos": ["X", (X) => {
      const U = directions(X);
      return between(U, U, (u, w) => sum4(minus(u, w).map((x) => x * x)) / 2);
    }],
    "arccos": ["X", (X) => {
      const U = directions(X);
      return between(U, U, (u, w) => 2 * Math.atan2(norm(minus(u, w)), norm(u.map((x, c) => x + w[c]))));
    }],
    "chord": ["X", (X) => euclidean(directions(X))],
    "TV of rows": ["A", (A) => between(A, A, (p, r) => sum4(minus(p, r).map(Math.abs)) / 2)],
    "Hellinger of rows": ["A", (A) => euclidean(A.map((row) => row.map((a) => Math.sqrt(a / 2))))],
    "\u221AJSD of rows": ["A", (A) => between(A, A, (p, r) => Math.sqrt(jensenShannon(p, r)))],
    "KL of rows": ["A", (A) => between(A, A, divergence)],
    "JSD of rows": ["A", (A) => between(A, A, jensenShannon)],
    "hitting time": ["A", hitting],
    "commute time": ["A", (A) => plusTransposed(hitting(A))],
    "diffusion distance": ["A", diffusion]
  };
  var formScores = (X, B) => X.map((x) => {
    const q = [0, 1].map((c) => x[0] * B[0][c] + x[1] * B[1][c]);
    return X.map((y) => q[0] * y[0] + q[1] * y[1]);
  });
  function evidence({ source: source2, X, M, form: form2 }) {
    if (source2 === "dissimilarities") return {};
    const S = source2 === "points" ? formScores(X, form2) : M;
    const A = S.map((row) => softmax(row)).map((row) => {
      const total = sum4(row);
      return row.map((a) => a / total);
    });
    if (source2 === "scores") return { S, A };
    return { S, A, X, QK: [X, X.map((x) => form2.map((row) => row[0] * x[0] + row[1] * x[1]))] };
  }
  function dissimilarity(name, given) {
    const [takes, formula2] = CANDIDATES[name];
    if (!given.S) return { D: null, why: ["hand"] };
    if (!given[takes]) return { D: null, why: ["vectors"] };
    try {
      return { D: formula2(given[takes]), why: null };
    } catch (error) {
      if (!error.reason) throw error;
      return { D: null, why: [error.reason, ...error.where] };
    }
  }
  function threshold(name, D) {
    const n = D.length;
    if (name === "1 \u2212 A") {
      return { value: Math.max(...D.flatMap((row, i) => row.filter((_, j) => j !== i).map((x) => 1 - x))), limit: 0.5 };
    }
    if (name !== "\u2212log A") return null;
    const spread4 = Math.max(...D.map((row) => Math.max(...row) - Math.min(...row)));
    return { value: Math.exp(spread4), limit: (1 + Math.sqrt(4 * n - 3)) / 2 };
  }
  var offDiagonal = (D) => D.flatMap((row, i) => row.filter((_, j) => j !== i));
  function spread3(D) {
    const off = offDiagonal(D), low = Math.min(...off), high = Math.max(...off);
    return low > 0 && Number.isFinite(high) ? { value: high / low, limit: 2, exponent: Math.LN2 / (Math.log(high) - Math.log(low)) } : null;
  }
  function closure(C) {
    let D = matrix3(C.length, (i, j) => i === j ? 0 : C[i][j]);
    for (let k = 0; k < D.length; k++) D = matrix3(D.length, (i, j) => Math.min(D[i][j], D[i][k] + D[k][j]));
    return D;
  }
  var shiftOf = (D) => Math.max(0, checkAxioms(D).triangle.worst ?? 0, ...offDiagonal(D).filter(Number.isFinite).map((x) => -x));
  var REPAIRS = {
    "symmetrise": (D) => matrix3(D.length, (i, j) => (D[i][j] + D[j][i]) / 2),
    "zero diagonal": (D) => matrix3(D.length, (i, j) => i === j ? 0 : D[i][j]),
    "shift": (D) => {
      const c = shiftOf(D);
      return matrix3(D.length, (i, j) => i === j ? D[i][j] : D[i][j] + c);
    },
    "closure": (D) => D.some((row, i) => row.some((x, j) => i !== j && x < 0)) ? null : closure(D)
  };
  function repaired(D, names3) {
    const steps2 = [];
    for (const name of names3) {
      const after = REPAIRS[name](D);
      steps2.push({ name, possible: Boolean(after), shift: name === "shift" ? shiftOf(D) : null, ...damage2(D, after ?? D) });
      D = after ?? D;
    }
    return { D, steps: steps2 };
  }
  function damage2(before, after) {
    const change = before.flatMap((row, i) => row.map((x, j) => x === after[i][j] ? 0 : Math.abs(after[i][j] - x)));
    const [old, now] = [before, after].map(offDiagonal), [t, u] = [before, after].map(toleranceOf);
    let comparisons = 0, lost = 0;
    old.forEach((a, e) => old.forEach((b, f) => {
      if (!(a < b - t)) return;
      comparisons += 1;
      lost += !(now[e] < now[f] - u);
    }));
    return { changed: change.filter((x) => x > 0).length, largest: Math.max(...change), comparisons, lost };
  }

  // forms.js
  var MODES = ["dot", "cosine", "distance"];
  var WIDTHS = Array.from({ length: 11 }, (_, s) => 2 ** s);
  var times = (A, B) => A.map((row) => B[0].map((_, c) => dot(row, B.map((b) => b[c]))));
  var transposed = (A) => A[0].map((_, c) => A.map((row) => row[c]));
  var norm2 = (x) => Math.hypot(...x);
  var square = (x) => dot(x, x);
  var round = (x) => Math.round(x * 1e12) / 1e12;
  function heights(K) {
    const longest = Math.max(...K.map(square));
    return K.map((k) => Math.sqrt(longest - square(k)));
  }
  function compare(Q, K, mode = "dot", lift2 = 0) {
    const h = heights(K);
    const one = {
      dot: (q, k) => dot(q, k),
      cosine: (q, k) => norm2(q) && norm2(k) ? dot(q, k) / (norm2(q) * norm2(k)) : null,
      distance: (q, k, j) => -(square(q.map((x, c) => x - k[c])) + (lift2 * h[j]) ** 2) / 2
    }[mode];
    return Q.map((q) => K.map((k, j) => {
      const value3 = one(q, k, j);
      return value3 === null ? null : round(value3);
    }));
  }
  function attend(Q, K, V, { mode = "dot", lift: lift2 = 0, scaled: scaled3 = true, ...rest } = {}) {
    const scale = scaled3 ? Q[0].length ** -0.5 : 1;
    return attention(Q, K, V, { ...rest, S: compare(Q, K, mode, lift2).map((row) => row.map((x) => x === null ? null : scale * x)) });
  }
  function affine(K, mode, lift2) {
    const h = heights(K);
    return K.map((k, j) => {
      if (mode === "dot") return [k, 0];
      if (mode === "distance") return [k, -(square(k) + (lift2 * h[j]) ** 2) / 2];
      return norm2(k) ? [k.map((x) => x / norm2(k)), 0] : null;
    });
  }
  function cells(K, { mode = "dot", lift: lift2 = 0, reach = 1, may: may3 = K.map(() => true) } = {}) {
    const lines = affine(K, mode, lift2).map((line3, j) => may3[j] ? line3 : null);
    return lines.map((mine, j) => {
      if (!mine) return null;
      let corners2 = [[-reach, -reach], [reach, -reach], [reach, reach], [-reach, reach]];
      lines.forEach((other, i) => {
        if (other && i !== j) corners2 = clip(corners2, mine[0].map((x, c) => x - other[0][c]), mine[1] - other[1]);
      });
      return Math.abs(area(corners2)) > 1e-9 * reach * reach ? corners2 : null;
    });
  }
  function clip(corners2, a, b) {
    const height = (p) => dot(a, p) + b;
    return corners2.flatMap((p, i) => {
      const q = corners2[(i + 1) % corners2.length], [s, t] = [height(p), height(q)];
      const cut2 = s * t < 0 ? [p.map((x, c) => x + s / (s - t) * (q[c] - x))] : [];
      return s >= 0 ? [p, ...cut2] : cut2;
    });
  }
  function area(corners2) {
    return corners2.reduce((sum6, p, i) => {
      const q = corners2[(i + 1) % corners2.length];
      return sum6 + (p[0] * q[1] - q[0] * p[1]) / 2;
    }, 0);
  }
  function energyShares(S) {
    const n = S.length, mean = (x) => x.reduce((a, b) => a + b, 0) / x.length;
    const centred = S.map((row) => row.map((x) => x - mean(row)));
    const v = transposed(centred).map(mean), T = centred.map((row) => row.map((x, j) => x - v[j]));
    const energy = (sign) => T.flatMap((row, i) => row.map((x, j) => ((x + sign * T[j][i]) / 2) ** 2)).reduce((a, b) => a + b, 0);
    const parts3 = [n * square(v), energy(1), energy(-1)], total = parts3.reduce((a, b) => a + b, 0);
    const flat = Math.max(...centred.flat().map(Math.abs)) <= 2 ** -51 * Math.max(...S.flat().map(Math.abs));
    return parts3.map((part) => flat ? null : part / total);
  }
  function symmetricShare(W_Q, W_K) {
    const { size, s } = parts(times(W_Q, transposed(W_K)));
    return size > 1e-15 * norm2(W_Q.flat()) * norm2(W_K.flat()) ? square(s.flat()) / size ** 2 : null;
  }
  function parts(B) {
    const half = (sign) => B.map((row, i) => row.map((x, j) => (x + sign * B[j][i]) / 2));
    return { size: norm2(B.flat()), s: half(1), a: half(-1) };
  }
  var IDENTITY = [[1, 0], [0, 1]];
  var TURN = [[0, 1], [-1, 0]];
  function turnForm(W_Q, W_K, share3, known2 = {}) {
    const { size, s, a } = parts(times(W_Q, transposed(W_K)));
    const unit = (part, name, standard) => {
      const length2 = norm2(part.flat());
      if (length2 > 1e-6 * size && length2 > 0) known2[name] = part.map((row) => row.map((x) => x / length2));
      return known2[name] ??= standard.map((row) => row.map((x) => x * Math.SQRT1_2));
    };
    const [us, ua] = [unit(s, "s", IDENTITY), unit(a, "a", TURN)], full = size || 1;
    const B = us.map((row, i) => row.map((x, j) => full * (Math.sqrt(1 - share3) * x + Math.sqrt(share3) * ua[i][j])));
    const inverse = inverted(W_Q);
    return inverse ? { W_Q, W_K: transposed(times(inverse, B)) } : { W_Q: B, W_K: IDENTITY };
  }
  function inverted([[a, b], [c, d2]]) {
    const det = a * d2 - b * c;
    if (Math.abs(det) <= 1e-6 * square([a, b, c, d2])) return null;
    return [[d2 / det, -b / det], [-c / det, a / det]];
  }
  function basis(seed) {
    const draw = (i) => word(seed * 4 + i) / 2 ** 32;
    const turn = (t) => [[Math.cos(t), Math.sin(t)], [-Math.sin(t), Math.cos(t)]];
    const stretch = [[1.5 + draw(2) / 2, 0], [0, 1 / (1.5 + draw(3) / 2)]];
    return times(times(turn(2 * Math.PI * draw(0)), stretch), turn(2 * Math.PI * draw(1)));
  }
  var inBasis = (Q, K, M) => ({ Q: times(Q, M), K: times(K, transposed(inverted(M))) });
  function distances(before, after, options) {
    const largest3 = (A, B) => Math.max(0, ...A.flatMap((row, i) => row && B[i] ? row.map((x, j) => Math.abs((x ?? 0) - (B[i][j] ?? 0))) : []));
    const weights = ({ Q, K }, mode) => attend(Q, K, null, { ...options, mode, lift: 0 }).weights;
    return {
      coordinate: Math.max(largest3(before.Q, after.Q), largest3(before.K, after.K)),
      cosine: largest3(compare(before.Q, before.K, "cosine"), compare(after.Q, after.K, "cosine")),
      weight: Object.fromEntries(MODES.map((mode) => [mode, largest3(weights(before, mode), weights(after, mode))]))
    };
  }
  function word(i) {
    const a = Math.imul(i + 1, 1831565813);
    let t = Math.imul(a ^ a >>> 15, 1 | a);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return (t ^ t >>> 14) >>> 0;
  }
  var DRAWS = 64;
  var RIVALS = 16;
  function widthExperiment() {
    const vector = (m) => Array.from({ length: 32 }, (_, w) => word(32 * m + w));
    const rows = Array.from({ length: DRAWS }, (_, i) => ({
      q: vector(i),
      K: Array.from({ length: RIVALS }, (_2, j) => vector(DRAWS + RIVALS * i + j))
    }));
    return WIDTHS.map((d2) => {
      const S = rows.map(({ q, K }) => K.map((k) => d2 - 2 * differing(q, k, d2)));
      const mean = (x) => x.reduce((a, b) => a + b, 0) / x.length;
      return {
        d: d2,
        spread: Math.sqrt(mean(S.flat().map((x) => x * x))),
        unscaled: mean(S.map((s) => entropy2(softmax(s)))),
        scaled: mean(S.map((s) => entropy2(softmax(s.map((x) => x / Math.sqrt(d2))))))
      };
    });
  }
  function differing(a, b, d2) {
    let count = 0;
    for (let w = 0; 32 * w < d2; w++) {
      let x = a[w] ^ b[w];
      if (d2 - 32 * w < 32) x &= (1 << d2 - 32 * w) - 1;
      for (x >>>= 0; x; x &= x - 1) count += 1;
    }
    return count;
  }

  // dom.js
  var SVG = "http://www.w3.org/2000/svg";
  var html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  var svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
  function fill(node, attributes = {}, children = []) {
    for (const [name, value3] of Object.entries(attributes ?? {})) {
      if (value3 !== null && value3 !== void 0 && value3 !== false) node.setAttribute(name, value3 === true ? "" : value3);
    }
    node.append(...children.filter((child) => child !== null && child !== void 0));
    return node;
  }
  var table2 = (attributes, caption, heads, rows, foot) => html(
    "table",
    attributes,
    caption,
    html("thead", {}, html("tr", {}, ...heads)),
    html("tbody", {}, ...rows),
    foot
  );
  var rowOf = (name, cells3) => html("tr", {}, html("th", { scope: "row" }, name), ...cells3);
  var headOf = (...name) => html("th", { scope: "col" }, ...name);
  var written = /* @__PURE__ */ new WeakMap();
  function attr(node, name, value3) {
    let known2 = written.get(node);
    if (!known2) written.set(node, known2 = {});
    if (known2[name] === value3) return;
    known2[name] = value3;
    if (value3 === null || value3 === false) node.removeAttribute(name);
    else node.setAttribute(name, value3);
  }
  var show2 = (node, on) => attr(node, "display", on ? null : "none");
  var point2 = (p) => p.map((x) => x.toFixed(2)).join(" ");
  var line = (...points3) => `M${points3.map(point2).join("L")}`;
  var move = (node, p) => attr(node, "transform", `translate(${point2(p)})`);
  function put(label6, x, y, anchor) {
    attr(label6, "x", x.toFixed(1));
    attr(label6, "y", y.toFixed(1));
    if (anchor) attr(label6, "text-anchor", anchor);
  }
  var formula = (words) => words.split(/W_([QKVO])/).flatMap((part, i) => i % 2 ? ["W", html("sub", {}, part)] : part);
  function text(node, value3) {
    let known2 = written.get(node);
    if (!known2) written.set(node, known2 = {});
    if (known2["#"] === value3) return;
    known2["#"] = value3;
    if (node.firstChild?.nodeType === 3 && !node.firstChild.nextSibling) node.firstChild.data = value3;
    else node.textContent = value3;
  }
  var SHAPES = {
    q: "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0Z",
    k: "M-7.5 -7.5H7.5V7.5H-7.5Z",
    v: "M0 -9.5L9 6.5H-9Z",
    on: "M-14 -14V14H14V-14ZM-10 -10H10V10H-10Z",
    y: "M0 -9.5L9.5 0L0 9.5L-9.5 0Z",
    x: "M-3 -9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z"
  };
  var marker = (kind2, scale = 1) => svg("path", { class: `ag-${kind2}`, d: SHAPES[kind2], transform: scale === 1 ? null : `scale(${scale})` });
  function glyph(kind2) {
    return svg("svg", { class: "ag-glyph", viewBox: "-11 -11 22 22", "aria-hidden": "true" }, marker(kind2));
  }

  // hull.js
  var FLAT = 1e-12;
  var ZERO = 1e-13;
  var TINY = 1e-9;
  var STEPS = 120;
  function outputSpan(V, may3) {
    const keys3 = V.map((_, j) => j).filter((j) => may3[j]);
    const ones = keys3.map(() => keys3.length ** -0.5);
    const columns = [0, 1].map((c) => {
      const x = keys3.map((j) => V[j][c]), mean = sum5(x) / keys3.length, noise = 4 * keys3.length * 23e-17 * largest2(x);
      const centred = x.map((v) => v - mean), size = largest2(centred);
      return size > noise ? centred.map((v) => v / size) : centred.map(() => 0);
    }).sort((a, b) => dot(b, b) - dot(a, a));
    const span = keys3.length ? [ones] : [];
    for (const column2 of columns) {
      let rest = column2;
      for (let twice = 0; twice < 2; twice++) for (const q of span) rest = subtract(rest, q, dot(q, rest));
      const length2 = Math.sqrt(dot(rest, rest));
      if (length2 > FLAT * keys3.length) span.push(rest.map((x) => x / length2));
    }
    return { keys: keys3, span, dimension: keys3.length - span.length };
  }
  function equivalentDirection(V, may3, j) {
    const { keys: keys3, span } = outputSpan(V, may3);
    const at2 = keys3.indexOf(j);
    if (at2 < 0) return null;
    const unit = keys3.map((_, k) => Number(k === at2));
    let rest = unit;
    for (let twice = 0; twice < 2; twice++) for (const q of span) rest = subtract(rest, q, dot(q, rest));
    if (rest[at2] <= 1e-12) return null;
    const z = V.map(() => 0);
    keys3.forEach((k, i) => {
      z[k] = rest[i] / rest[at2];
    });
    return z;
  }
  function equivalentLine(V, may3, a, j) {
    const [down2, up2] = [-1, 1].map((sign) => walk(V, may3, a, j, sign));
    return { rows: [...down2.reverse(), a, ...up2], index: down2.length };
  }
  function equivalentRow({ rows, index }, j, along3) {
    const start5 = rows[index][j], end3 = rows.at(along3 > 0 ? -1 : 0)[j], wanted = start5 + Math.abs(along3) * (end3 - start5);
    if (along3 === 0 || start5 === end3) return rows[index];
    const i = rows.findIndex((row, k) => k && wanted <= row[j]);
    if (i < 0) return rows.at(-1);
    const [low, high] = [rows[i - 1], rows[i]];
    const t = Math.min(Math.max((wanted - low[j]) / (high[j] - low[j]), 0), 1);
    return low.map((w, k) => (1 - t) * w + t * high[k]);
  }
  function walk(V, may3, a, j, sign) {
    const corners2 = [];
    for (let row = a; corners2.length < 4 * a.length; ) {
      const z = openDirection(V, may3, row, j, sign);
      if (!z) break;
      const t = z.map((d2, k) => sign * d2 < -TINY ? row[k] / (-sign * d2) : Infinity), least = Math.min(...t), first = t.indexOf(least);
      row = row.map((w, k) => k !== first && w + sign * least * z[k] > ZERO ? w + sign * least * z[k] : 0);
      corners2.push(row);
    }
    return corners2;
  }
  function openDirection(V, may3, row, j, sign) {
    const support = [...may3];
    for (; ; ) {
      const z = equivalentDirection(V, support, j);
      if (!z) return null;
      const worse = z.map((d2, k) => support[k] && row[k] <= ZERO ? sign * d2 : 0), least = Math.min(...worse);
      if (least >= -TINY) return z;
      support[worse.findIndex((d2) => d2 <= least + TINY)] = false;
    }
  }
  var totalVariation = (a, b) => sum5(a.map((w, j) => Math.abs(w - b[j]))) / 2;
  function compensatedValues(V, a, j, point4) {
    const others = sum5(a.map((w, k) => k === j ? 0 : w * w));
    if (a[j] > 0 && !(others > 0)) return null;
    const pull = a[j] > 0 ? a[j] / others : 0;
    return V.map((v, k) => k === j ? [...point4] : v.map((x, c) => x - pull * a[k] * (point4[c] - V[j][c])));
  }
  var times2 = (y, W2) => W2[0].map((_, c) => sum5(y.map((x, r) => x * W2[r][c])));
  function hullMargin(point4, points3) {
    const corners2 = convexHull(points3);
    const sides2 = corners2.map((a, i) => [a, corners2[(i + 1) % corners2.length]]);
    const away = Math.min(...sides2.map(([a, b]) => segmentDistance(point4, a, b)));
    if (corners2.length < 3) return 0 - away;
    const inside2 = sides2.every(([a, b]) => (b[0] - a[0]) * (point4[1] - a[1]) - (b[1] - a[1]) * (point4[0] - a[0]) >= 0);
    return inside2 ? away : 0 - away;
  }
  function hullVerdict(point4, points3) {
    const margin2 = hullMargin(point4, points3), noise = 1e-9 * largest2([...points3.flat(), ...point4]);
    return margin2 > noise ? "inside" : margin2 >= -noise ? "edge" : "outside";
  }
  function temperaturePath(s, may3, V) {
    const top = [...new Set(s.filter((_, j) => may3[j]))].sort((a, b) => b - a);
    if (!top.length) return null;
    const at2 = (temperature4) => ({ temperature: temperature4, output: mixture2(softmax(s, { may: may3, temperature: temperature4 }), V) });
    if (top.length === 1) return [at2(0), at2(Infinity)];
    const low = (top[0] - top[1]) / 36, high = 60 * (top[0] - top.at(-1));
    const between2 = Array.from({ length: STEPS }, (_, i) => at2(low * (high / low) ** (i / (STEPS - 1))));
    return [at2(0), ...between2, at2(Infinity)];
  }
  function temperatureDrift(s, may3, V, T) {
    if (!(T > 0 && T < Infinity)) return null;
    const a = softmax(s, { may: may3, temperature: T });
    if (!a) return null;
    const mean = sum5(a.map((w, k) => may3[k] ? w * s[k] : 0));
    return mixture2(a.map((w, k) => may3[k] ? -w * (s[k] - mean) / (T * T) : 0), V);
  }
  function segmentDistance(p, a, b) {
    const side = [b[0] - a[0], b[1] - a[1]], from = [p[0] - a[0], p[1] - a[1]], square2 = dot(side, side);
    const t = square2 > 0 ? Math.max(0, Math.min(1, dot(from, side) / square2)) : 0;
    return Math.hypot(from[0] - t * side[0], from[1] - t * side[1]);
  }
  var sum5 = (x) => x.reduce((a, b) => a + b, 0);
  var largest2 = (x) => Math.max(...x.map(Math.abs));
  var subtract = (x, q, c) => x.map((v, i) => v - c * q[i]);

  // format.js
  function fixed(x, digits = 2) {
    if (x === null || x === void 0) return "\u2013";
    if (Math.abs(x) >= 1e5) return short(x);
    const text3 = x.toFixed(digits);
    return (Number(text3) === 0 ? text3.replace("-", "") : text3).replace("-", "\u2212");
  }
  function stored(x) {
    return fixed(x, 4).replace(/(\.\d\d)(\d*?)0+$/, "$1$2");
  }
  function short(x) {
    if (x === null || x === void 0) return "\u2013";
    if (x === 0) return "0";
    const text3 = Math.abs(x) >= 1e-3 && Math.abs(x) < 1e5 ? String(Number(x.toPrecision(4))) : x.toExponential(2);
    return text3.replaceAll("-", "\u2212").replace("e+", "e");
  }
  function four(x) {
    return x >= 1e-3 && x < 1e4 ? x.toPrecision(4) : short(x);
  }
  var subscript = (n) => String(n).replace(/\d/g, (d2) => "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089"[d2]);
  var NAMED = {
    "\n": "\u21B5",
    "	": "\u21E5",
    "\r": "\u240D",
    "\x7F": "\u2421",
    "\u200B": "\xB7ZWSP\xB7",
    "\uFEFF": "\xB7BOM\xB7"
  };
  var UNSEEN = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u0080-\u009f\u00ad\u2028\u2029]/;
  var JOINS = /^[\u200d\p{Mn}\p{Me}\u{1f3fb}-\u{1f3ff}]$/u;
  function visible(token2, limit2 = Infinity) {
    const signs = [...token2 === "" ? "\u2205" : token2];
    const last = signs.length - 1;
    const text3 = signs.map((c, i) => {
      if (c === " ") return i === 0 || i === last ? "\u2423" : c;
      if (NAMED[c]) return NAMED[c];
      const code = c.codePointAt(0);
      if (code < 32) return String.fromCharCode(9216 + code);
      if (UNSEEN.test(c)) return `\xB7U+${code.toString(16).toUpperCase().padStart(4, "0")}\xB7`;
      return code >= 55296 && code < 57344 ? "\uFFFD" : c;
    }).join("");
    const shown = [...text3];
    return shown.length <= limit2 ? text3 : shown.slice(0, cut(shown, Math.max(1, limit2 - 1))).join("") + "\u2026";
  }
  function cut(signs, end3) {
    let start5 = end3;
    while (start5 > 1 && (JOINS.test(signs[start5]) || signs[start5 - 1] === "\u200D")) start5 -= 1;
    return start5 > 1 || !JOINS.test(signs[1]) ? start5 : end3;
  }
  function pythonString(token2) {
    const named2 = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "	": "\\t" };
    const hex = (code, letter, width2) => `\\${letter}${code.toString(16).padStart(width2, "0")}`;
    const body = [...token2].map((c) => {
      const code = c.codePointAt(0);
      if (named2[c]) return named2[c];
      if (code >= 32 && code < 127) return c;
      return code < 256 ? hex(code, "x", 2) : code < 65536 ? hex(code, "u", 4) : hex(code, "U", 8);
    });
    return `'${body.join("")}'`;
  }
  function csv(rows) {
    const cell = (x) => {
      if (x === null || x === void 0) return "";
      if (typeof x !== "string") return String(x);
      const safe = /^[=+\-@\t\r]/.test(x) ? `'${x}` : x;
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
  }

  // numpy.js
  var number = (x) => Number.isInteger(x) ? `${x}.0` : String(x).replace("Infinity", "inf").replace("NaN", "nan");
  var list2 = (values3, one = number) => `[${values3.map(one).join(", ")}]`;
  var matrix4 = (name, rows, one) => `${name} = np.array([
${rows.map((row) => `    ${list2(row, one)},`).join("\n")}
])`;
  var truth = (x) => x ? "True" : "False";
  var names2 = (side, tokens3) => tokens3 ? [`${side} = ${list2(tokens3, pythonString)}`] : [];
  function numpyLines({ Q, K, V, temperature: temperature4, scaled: scaled3, mask: mask3, mode = "dot", lift: lift2 = 0 }, tokens3 = {}) {
    return [
      "import numpy as np",
      "",
      ...names2("query_tokens", tokens3.q),
      ...names2("key_tokens", tokens3.k),
      ...vectorLines({ Q, K, ...tokens3.source }),
      ...V ? [matrix4("V", V)] : [],
      ...attentionLines({ temperature: temperature4, scaled: scaled3, mask: mask3, values: V, ...COMPARISONS[mode](lift2) }, Q.length, K.length)
    ].join("\n");
  }
  var vectorLines = ({ Q, K, X, W_Q, W_K, tied }) => X ? [matrix4("X", X), matrix4("W_Q", W_Q), tied ? "W_K = W_Q" : matrix4("W_K", W_K), "Q, K = X @ W_Q, X @ W_K"] : [matrix4("Q", Q), matrix4("K", K)];
  var COMPARISONS = {
    dot: () => ({}),
    cosine: () => ({
      before: ["lengths = np.linalg.norm(Q, axis=1)[:, None] * np.linalg.norm(K, axis=1)", "allowed = allowed & (lengths > 0)  # a vector of length 0 has no cosine"],
      product: "(Q @ K.T) / np.where(lengths > 0, lengths, 1)"
    }),
    distance: (lift2) => ({
      before: ["squares = (K**2).sum(axis=1)", `heights = ${number(lift2)} * np.sqrt(squares.max() - squares)  # the lift of the keys`],
      product: "-(((Q[:, None] - K) ** 2).sum(axis=2) + heights**2) / 2"
    })
  };
  function pipelineLines({ X, W_Q, W_K, W_V, temperature: temperature4, scaled: scaled3, mask: mask3 }, tokens3) {
    return [
      "import numpy as np",
      "",
      ...names2("tokens", tokens3),
      matrix4("X", X),
      matrix4("W_Q", W_Q),
      matrix4("W_K", W_K),
      matrix4("W_V", W_V),
      ...attentionLines({ temperature: temperature4, scaled: scaled3, mask: mask3, values: true, before: ["Q, K, V = X @ W_Q, X @ W_K, X @ W_V"] }, X.length, X.length)
    ].join("\n");
  }
  function attentionLines({ temperature: temperature4, scaled: scaled3, mask: mask3, values: values3, before = [], product: product3 = "Q @ K.T" }, queries2, keys3) {
    const may3 = allowed2(mask3, queries2, keys3);
    return [
      matrix4("allowed", may3, truth),
      "",
      ...before,
      `scores = ${temperature4 === 0 ? `np.round(${product3}, 12)` : product3}${scaled3 ? " / np.sqrt(Q.shape[1])" : ""}`,
      ...softmaxLines(temperature4, values3),
      ""
    ];
  }
  var softmaxLines = (temperature4, values3) => [
    "best = np.where(allowed, scores, -np.inf).max(axis=-1, keepdims=True)",
    {
      0: "weights = (allowed & (scores == best)).astype(float)  # T = 0: alike on the largest scores, ties included",
      inf: "weights = allowed.astype(float)  # T = infinity: alike on every allowed key"
    }[temperature4] ?? `weights = np.where(allowed, np.exp(np.minimum(scores - best, 0) / ${temperature4}), 0)`,
    "total = weights.sum(axis=-1, keepdims=True)  # 0 in a row with no allowed key",
    "weights = weights / np.where(total > 0, total, 1)",
    ...values3 ? ["output = np.where(total > 0, weights @ V, np.nan)"] : []
  ];

  // hull_numpy.js
  var hullLines = ({ V, scores: scores2, temperature: temperature4, mask: mask3, W_O, x }, tokens3, other) => [
    "import numpy as np",
    "",
    ...names2("tokens", tokens3),
    matrix4("V", V),
    `scores = np.array(${list2(scores2)})`,
    `allowed = np.array(${list2(mask3 ?? V.map(() => true), truth)})`,
    "",
    ...softmaxLines(temperature4, V),
    ...other ? ["", `other_weights = np.array(${list2(other)})  # a row that gives the same output`, "assert np.allclose(other_weights @ V, output)"] : [],
    ...W_O ? ["", matrix4("W_O", W_O), `x = np.array(${list2(x)})`, "projected = output @ W_O", "stream = x + projected"] : [],
    ""
  ].join("\n");

  // labels.js
  var ABOVE = 11;
  var BELOW = 4;
  var MARK = 9;
  function places([x, y], mark2) {
    const length2 = Math.hypot(x - 160, y - 160);
    const [c, s] = length2 ? [(x - 160) / length2, (y - 160) / length2] : [0, -1];
    return [
      [(mark2 + 6) * c, (mark2 + 10) * s + 4.5, anchorOf(c)],
      [0, -5 - mark2, "middle"],
      [0, mark2 + 14, "middle"],
      [mark2 + 4, 4.5, "start"],
      [-4 - mark2, 4.5, "end"],
      [0, -20 - mark2, "middle"],
      [0, mark2 + 29, "middle"]
    ];
  }
  var around = ([x, y], half = MARK, high = half) => [x - half, y - high, x + half, y + high];
  var along2 = ([x, y], [u, v]) => Array.from({ length: 25 }, (_, i) => around([x + (u - x) * i / 24, y + (v - y) * i / 24], 4));
  var isFree = (box, boxes) => !boxes.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
  function placeNames(items, taken = []) {
    const boxes = [...items.map(({ at: at2 }) => around(at2)), ...taken];
    return items.map(({ at: [x, y], width: width2, mark: mark2 = MARK, last }, own) => {
      if (!width2) return null;
      const options = places([x, y], mark2).map(([dx, dy, anchor], index) => {
        const left3 = x + dx - { start: 0, middle: width2 / 2, end: width2 }[anchor], inside2 = Math.max(0, Math.min(320 - width2, left3));
        return { place: [dx + inside2 - left3, dy, anchor], index, box: [inside2, y + dy - ABOVE, inside2 + width2, y + dy + BELOW] };
      }).filter(({ box }) => isFree(box, [around([x, y], mark2 + 1, mark2 - 4)]));
      const others = boxes.filter((_, k) => k !== own);
      const free2 = [options.find(({ index }) => index === last), ...options].find((option) => option && isFree(option.box, others));
      if (free2) boxes.push(free2.box);
      return { ...free2 ?? options[0], free: free2 };
    });
  }

  // court_numpy.js
  var FORMULAS = {
    "S": "S",
    "\u2212S": "-S",
    "max S \u2212 S": "S.max() - S",
    "1 \u2212 A": "1 - A",
    "\u2212log A": "-np.log(A)",
    "closure of \u2212log A": "closure(-np.log(A))",
    "\u03C1": "rho",
    "D": "rho + rho.T",
    "\u221AD": "np.sqrt(rho + rho.T)",
    "\u2016q \u2212 k\u2016": "norm(X[:, None] - X @ B.T)",
    "1 \u2212 cos": "((U[:, None] - U) ** 2).sum(-1) / 2",
    "arccos": "2 * np.arctan2(norm(U[:, None] - U), norm(U[:, None] + U))",
    "chord": "norm(U[:, None] - U)",
    "TV of rows": "np.abs(A[:, None] - A).sum(-1) / 2",
    "Hellinger of rows": "norm(np.sqrt(A)[:, None] - np.sqrt(A)) / np.sqrt(2)"
  };
  var GIVEN = {
    S: ["rho = np.diag(S)[:, None] - S  # log A_ii / A_ij"],
    X: ["U = X / norm(X)[:, None]"],
    QK: [],
    A: ["A = np.exp(S - S.max(axis=1, keepdims=True))", "A = A / A.sum(axis=1, keepdims=True)"]
  };
  var REPAIRS2 = {
    "symmetrise": "D = (D + D.T) / 2",
    "zero diagonal": "D = np.where(off, D, 0.0)",
    "closure": "D = closure(D) if (D[off] >= 0).all() else D",
    "shift": "D = D + off * max(0, -D[off].min(), gap(D).max())"
  };
  var HELPERS = `
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
  var VERDICTS = `zero = 8 * np.finfo(float).eps * np.abs(D[np.isfinite(D)]).max()  # what counts as zero
with np.errstate(invalid="ignore"):
    verdicts = {
        "non_negative": not (D < -zero).any(),
        "zero_diagonal": not (np.abs(np.diag(D)) > zero).any(),
        "separation": not (np.abs(D[off]) <= zero).any(),
        "symmetry": not (np.abs(D - D.T) > zero).any(),
        "triangle": not (gap(D) > zero).any(),
    }
`;
  function courtLines({ X, M, source: source2, form: form2, candidate: candidate2, repairs: repairs2 }, base, tokens3) {
    const given = { points: () => [matrix4("X", X), matrix4("B", form2), "S = X @ B @ X.T"], scores: () => [matrix4("S", M)], dissimilarities: () => [] }[source2]();
    const hand = source2 === "dissimilarities" || !FORMULAS[candidate2];
    return [
      "import numpy as np",
      "",
      `n, inf, nan = ${M.length}, np.inf, np.nan`,
      "off = ~np.eye(n, dtype=bool)",
      ...names2("tokens", tokens3),
      HELPERS,
      ...given,
      ...given.length ? GIVEN[CANDIDATES[candidate2][0]] : [],
      hand || !base ? matrix4("D", base ?? M.map((row) => row.map(() => NaN))) : `D = ${FORMULAS[candidate2]}`,
      ...repairs2.map((name) => REPAIRS2[name]),
      VERDICTS
    ].join("\n");
  }

  // strings/frame.js
  var undo = "Undo";
  var redo = "Redo";
  var reset = "Reset";
  var link = "Copy link";
  var save = "Save";
  var saveAs = (kind2) => `Save as ${kind2}`;
  var actions = "State and files";
  var tasks = "Try this";
  var setView = "Set this view";
  var viewSet = "View set.";
  var undone = "Undone.";
  var redone = "Redone.";
  var resetDone = "Reset.";
  var linkSet = "View set from the link.";
  var linkRefused = "This link was made for another version of this figure; it was not applied.";
  var linkShown = "This link opens the page with the figure as it stands now.";
  var codeShown = "These lines rebuild the numbers with NumPy alone.";
  var copy = "Copy";
  var copied = "Copied.";
  var copyByHand = "Selected: press Ctrl+C (or \u2318C) to copy.";
  var close = "Close";
  var about = (name) => `About: ${name}`;
  var saved = (name) => `Saved ${name}.`;
  var predict = "Predict";
  var predictCommit = "Commit";
  var predictAgain = "Ask again";
  var predictChoose = "Choose an answer first.";
  var predictNothing = "There is nothing to predict here: move something.";
  var predictRight = "Right.";
  var predictWrong = (answer) => `Not so: ${answer}.`;
  var failed = "The picture could not be drawn by this browser.";

  // fields.js
  function about2(name, ...sentence3) {
    const hint = html("p", { class: "ag-hint", hidden: true }, ...sentence3);
    const button = html("button", { type: "button", class: "ag-ask", "aria-expanded": "false", "aria-label": about(name) }, "?");
    button.addEventListener("click", () => {
      hint.hidden = !hint.hidden;
      attr(button, "aria-expanded", String(!hint.hidden));
    });
    return html("span", { class: "ag-about" }, button, hint);
  }
  function select(frame, label6, options, run, rare) {
    const node = html("select", { class: "ag-select", "aria-label": label6 }, ...options.map(([value3, name]) => html("option", { value: value3 }, name)));
    frame.on(node, "change", () => run(node.value));
    const guest = [...node.options].find((option) => option.value === rare);
    return {
      node,
      field: html("label", { class: "ag-field" }, html("span", {}, label6), node),
      draw(value3) {
        if (node.value !== value3) node.value = value3;
        for (const name of guest ? ["hidden", "disabled"] : []) attr(guest, name, value3 === rare ? null : "");
      }
    };
  }
  var maskKind = (mask3) => Array.isArray(mask3) ? "custom" : mask3 ?? "none";
  function segmented(frame, label6, options, run) {
    const buttons = options.map(([value3, name]) => [value3, frame.button(name, () => run(value3), { "aria-pressed": "false" })]);
    return {
      node: html("div", { class: "ag-switch", role: "group", "aria-label": label6 }, ...buttons.map(([, button]) => button)),
      draw(now) {
        for (const [value3, button] of buttons) attr(button, "aria-pressed", String(value3 === now));
      }
    };
  }
  function numberField(frame, attributes, take, done = frame.commit) {
    const input = html("input", { class: "ag-number", type: "number", step: "any", ...attributes });
    const read = () => {
      const x = input.valueAsNumber, good = Number.isFinite(x) && Math.abs(x) <= 1e6;
      if (good) take(x);
      return good;
    };
    frame.on(input, "input", read);
    frame.on(input, "change", () => read() ? done() : frame.schedule());
    return input;
  }
  function showNumber(input, x, digits = 4) {
    const shown = String(Number(x.toFixed(digits)));
    if (document.activeElement !== input && input.value !== shown) input.value = shown;
  }
  var entryField = (frame, trait, r, c, attributes, done) => numberField(frame, attributes, (x) => frame.set(trait, frame.model.get(trait).map((row, i) => i === r ? row.map((old, k) => k === c ? x : old) : row)), done);
  function check(frame, take, ...name) {
    const box = html("input", { type: "checkbox" });
    frame.on(box, "change", () => {
      take(box.checked);
      frame.commit();
    });
    return { box, field: html("label", { class: "ag-field ag-check" }, box, html("span", {}, ...name)) };
  }
  function slider(frame, label6, max, take, min = 0) {
    const input = html("input", { type: "range", min, max, step: 1, "aria-label": label6 });
    const number2 = html("span", { class: "ag-number-text ag-reading" });
    frame.on(input, "input", () => take(Number(input.value)));
    frame.on(input, "change", () => {
      take(Number(input.value));
      frame.commit();
    });
    const field = html("label", { class: "ag-field" }, html("span", {}, label6), input);
    return {
      node: html("div", { class: "ag-field ag-slider" }, field, number2),
      input,
      draw(position, value3, spoken2 = value3) {
        if (Number(input.value) !== position) input.value = String(position);
        text(number2, value3);
        attr(input, "aria-valuetext", spoken2);
      }
    };
  }
  function temperatureSlider(frame, label6) {
    const range = slider(frame, label6, 200, (p) => frame.set("temperature", p < 200 ? sliderToTemperature(p) : "inf"));
    return { node: range.node, input: range.input, draw: (t, spoken2) => range.draw(temperatureToSlider(t), `T = ${t === Infinity ? "\u221E" : t}`, spoken2) };
  }
  var LOWEST = -1.3;
  var HIGHEST = 1.3;
  function temperatureToSlider(t) {
    if (t === 0) return 0;
    if (t === Infinity) return 200;
    return Math.max(1, Math.min(199, Math.round(1 + 198 * (Math.log10(t) - LOWEST) / (HIGHEST - LOWEST))));
  }
  function sliderToTemperature(p) {
    if (p <= 0) return 0;
    if (p >= 200) return Infinity;
    return p === 100 ? 1 : Number((10 ** (LOWEST + (p - 1) / 198 * (HIGHEST - LOWEST))).toPrecision(3));
  }

  // pairs.js
  var LARGE = 20;
  function createPairs({ frame, counts, named: named2, called, label: label6, onSelect }) {
    let what = "weights", open2 = true, drawn2 = null, placed = -1, turn = 0;
    const caption = html("caption", { class: "ag-hidden" });
    const rows = Array.from({ length: counts.queries }, (_, i) => {
      const button = html("button", { type: "button", class: "ag-opener" }, html("bdi", {}, named2("q", i)));
      frame.on(button, "click", () => {
        open2 = drawn2.selected === i ? !open2 : true;
        onSelect(i);
        frame.schedule();
      });
      const cells3 = Array.from({ length: counts.keys }, () => html("td", {}));
      cells3.forEach((cell) => frame.on(cell, "click", () => {
        open2 = true;
        onSelect(i);
        frame.schedule();
      }));
      return { node: rowOf(button, cells3), button, cells: cells3, known: cells3.map(() => ({})) };
    });
    const steps2 = createSteps(counts, named2, called);
    const unfold = html("div", { class: "ag-unfold", role: "group", "aria-label": steps }, steps2.node);
    const opened = html("tr", { class: "ag-open" }, html("td", { colspan: counts.keys + 1 }, unfold));
    const heads = Array.from({ length: counts.keys }, (_, j) => html("th", { scope: "col", title: named2("k", j) }, html("bdi", {}, label6(j))));
    const names3 = { weights: showWeights, scores: showScores };
    const switches = segmented(frame, show, Object.entries(names3), (kind2) => {
      what = kind2;
      frame.schedule();
    });
    const scroll = html("div", { class: "ag-scroll", role: "group", "aria-label": pairs }, table2(
      { class: "ag-pairs", style: `--ag-columns:${counts.keys}` },
      caption,
      [html("td", {}), ...heads],
      rows.map((row) => row.node)
    ));
    const node = html(
      "section",
      { class: "ag-panel" },
      html("div", { class: "ag-heading" }, html("p", { class: "ag-title" }, pairs), switches.node),
      scroll
    );
    return {
      node,
      draw(now, settled) {
        drawn2 = now;
        if (!frame.due(0)) return;
        turn += 1;
        const { scores: scores2, weights, allowed: allowed3, selected } = now;
        const largest3 = what === "weights" ? 1 : Math.max(...scores2.flat().map(Math.abs), 1e-12);
        switches.draw(what);
        text(caption, pairsCaption(names3[what]));
        rows.forEach((row, i) => {
          if (i !== selected && !frame.due(i, rows.length, turn)) return;
          row.node.classList.toggle("ag-selected", i === selected);
          attr(row.button, "aria-expanded", String(i === selected && open2));
          row.cells.forEach((cell, j) => {
            const may3 = allowed3[i][j], value3 = what === "weights" ? weights[i]?.[j] : scores2[i][j];
            const known2 = row.known[j];
            if (known2.value === value3 && known2.what === what && known2.may === may3 && known2.largest === largest3) return;
            row.known[j] = { value: value3, what, may: may3, largest: largest3 };
            drawCell(cell, { value: value3, what, may: may3, largest: largest3 });
          });
        });
        if (placed !== selected) {
          rows[selected].node.after(opened);
          placed = selected;
        }
        opened.hidden = !open2;
        if (open2) steps2.draw(now);
        if (settled) for (const box of [scroll, unfold]) attr(box, "tabindex", box.scrollWidth > box.clientWidth ? "0" : null);
      }
    };
  }
  function drawCell(cell, { value: value3, what, may: may3, largest: largest3 }) {
    cell.classList.toggle("ag-hatched", !may3);
    cell.classList.toggle("ag-no-weight", !may3 && what === "weights");
    cell.classList.toggle("ag-negative", what === "scores" && value3 < 0);
    text(cell, what === "weights" && !may3 ? masked : fixed(value3));
    const shade2 = what === "weights" && !may3 ? 0 : Math.abs(value3) / largest3;
    attr(cell, "style", `--ag-tint:${Math.round(40 * shade2)}%`);
  }
  function createSteps(counts, named2, called) {
    const caption = html("caption", {});
    const heads = Array.from({ length: 5 }, () => headOf());
    const lines = Array.from({ length: counts.keys }, (_, j) => {
      const cells3 = Array.from({ length: 5 }, () => html("td", {}));
      return { node: rowOf(html("bdi", {}, named2("k", j)), cells3), cells: cells3 };
    });
    const marks = lines.map(({ cells: cells3 }) => cells3[2].appendChild(html("span", {})));
    const total = html("td", {}), one = html("td", {}), sums = rowOf(sum, [total, one]);
    const node = table2({ class: "ag-steps" }, caption, [html("td", {}), ...heads], lines.map((line3) => line3.node), html("tfoot", {}, sums));
    return {
      node,
      draw({ Q, K, scores: scores2, weights, allowed: allowed3, scaled: scaled3, temperature: t, selected: i, mode = "dot", lift: lift2 = 0 }) {
        const s = scores2[i], may3 = allowed3[i];
        const top = Math.max(...s.filter((_, j) => may3[j]));
        const limit2 = t === 0 || t === Infinity;
        const large = !limit2 && Math.max(...s.map((x) => Math.abs(x) / t)) > LARGE;
        const mass = s.map((x, j) => {
          if (!may3[j]) return 0;
          if (t === 0) return x === top ? 1 : 0;
          return t === Infinity ? 1 : Math.exp((large ? x - top : x) / t);
        });
        const sum6 = mass.reduce((a, b) => a + b, 0);
        const exp2 = t === 0 ? argmax : t === Infinity ? uniform : large ? expShifted(t) : exp(t);
        const h = lift2 ? heights(K) : [];
        [products[mode], scoreOf(products[mode], scaled3), mask.toLowerCase(), exp2, share].forEach((head2, c) => text(heads[c], head2));
        text(caption, stepsCaption(called("q", i)));
        const masks3 = allowed3.some((row) => row.includes(false));
        [heads[2], ...lines.map(({ cells: cells3 }) => cells3[2])].forEach((cell) => attr(cell, "hidden", masks3 ? null : ""));
        attr(sums.firstChild, "colspan", masks3 ? 4 : 3);
        lines.forEach(({ cells: cells3 }, j) => {
          text(cells3[0], { dot: product2, cosine, distance: distance2 }[mode](Q[i], K[j], lift2 * (h[j] ?? 0)));
          text(cells3[1], fixed(s[j], 3));
          cells3[2].classList.toggle("ag-may", may3[j]);
          text(marks[j], may3[j] ? allowed : "\u2212\u221E");
          text(cells3[3], four(mass[j]));
          text(cells3[4], weights[i] ? fixed(weights[i][j], 3) : masked);
        });
        text(total, four(sum6));
        text(one, weights[i] ? fixed(1, 3) : masked);
      }
    };
  }
  function cosine(q, k) {
    const [a, b] = [norm2(q), norm2(k)];
    return a && b ? `${stored(dot(q, k))} / (${stored(a)}\xD7${stored(b)})
\u2248\xA0${fixed(dot(q, k) / (a * b), 3)}` : noCosine;
  }
  function distance2(q, k, h) {
    const terms = [...q.map((x, c) => `(${stored(x - k[c])})\xB2`), ...h ? [`(${stored(h)})\xB2`] : []];
    return `\u2212\xBD(${terms.join("\n+\xA0")})
\u2248\xA0${fixed(-(dot(q, q) - 2 * dot(q, k) + dot(k, k) + h * h) / 2, 3)}`;
  }
  function product2(q, k) {
    const signed2 = (x) => x < 0 ? `(${stored(x)})` : stored(x);
    const result = q[0] * k[0] + q[1] * k[1];
    const shown = (x, digits) => Number(x.toFixed(digits));
    const [a, b, c, d2] = [q[0], k[0], q[1], k[1]].map((x) => shown(x, 4));
    const exact = Math.abs(a * b + c * d2 - shown(result, 3)) < 1e-9;
    return `${stored(q[0])}\xD7${signed2(k[0])}
+\xA0${signed2(q[1])}\xD7${signed2(k[1])}
${exact ? "=" : "\u2248"}\xA0${fixed(result, 3)}`;
  }

  // graph.js
  var HIDDEN = 5e-3;
  function createGraph({ frame, called, queries: queries2, keys: keys3, oneSet, onSelect }) {
    const n = queries2.length, m = keys3.length, half = oneSet ? 160 : Math.min(160, 30 + 27.5 * Math.max(n, m));
    const back = svg("g", { class: "ag-back" }), front = svg("g", { class: "ag-front" }), nodes = svg("g", {});
    const picture = svg("svg", { class: "ag-picture ag-graph", viewBox: `0 ${160 - half} 320 ${2 * half}`, role: "img" }, back, front, nodes);
    const edges = queries2.map((_, i) => keys3.map((_2, j) => {
      const shaft = svg("path", { class: "ag-edge" }), head2 = svg("polygon", { class: "ag-head" });
      return { group: svg("g", {}, shaft, head2), shaft, head: head2, ...oneSet ? circleEdge(i, j, n) : sideEdge(i, j, n, m) };
    }));
    for (const edge of edges.flat()) back.append(edge.group);
    const rows = oneSet ? queries2.map((name, i) => circleNode(i, n, name)) : queries2.map((name, i) => sideNode(i, n, name, "q"));
    nodes.append(...rows, ...oneSet ? [] : keys3.map((name, j) => sideNode(j, m, name, "k")));
    rows.forEach((node, i) => frame.on(node, "click", () => onSelect(i)));
    let strong = -1;
    return {
      picture,
      draw({ weights, selected }, settled) {
        if (selected !== strong) {
          edges[strong]?.forEach((edge) => back.append(edge.group));
          edges[selected].forEach((edge) => front.append(edge.group));
          rows[strong]?.classList.remove("ag-on");
          rows[selected].classList.add("ag-on");
          strong = selected;
        }
        edges.forEach((row, i) => (i === selected || frame.due(i)) && row.forEach((edge, j) => drawEdge(edge, frame.rough(weights[i]?.[j] ?? 0), i === selected)));
        if (settled) attr(picture, "aria-label", described(weights, called));
      }
    };
  }
  function drawEdge(edge, w, on) {
    if (edge.w === w && edge.on === on) return;
    Object.assign(edge, { w, on });
    show2(edge.group, w >= HIDDEN);
    if (w < HIDDEN) return;
    const { shaft, head: head2, start: start5, tip: [x, y], back: [u, v] } = edge, long = 6 * (1 + w), wide = 3.2 * (1 + w);
    const opacity = (on ? 0.4 + 0.6 * w : 0.12 + 0.5 * w).toFixed(2), [a, b] = [x + long * u, y + long * v];
    attr(shaft, "d", start5 + point2([a, b]));
    attr(shaft, "stroke-width", (0.6 + 5.4 * w).toFixed(2));
    attr(shaft, "stroke-opacity", opacity);
    attr(head2, "points", [[x, y], [a - wide * v, b + wide * u], [a + wide * v, b - wide * u]].map(point2).join(" "));
    attr(head2, "fill-opacity", opacity);
  }
  function described(weights, called) {
    return graphLabel(weights.map((row, i) => {
      if (!row) return graphMasked(called("q", i));
      const best = Math.max(...row);
      return graphLine(called("q", i), called("k", row.indexOf(best)), fixed(best));
    }).join(" "));
  }
  function label5(name, limit2, attributes) {
    const short3 = visible(name, limit2);
    return svg("text", { class: "ag-name", ...attributes }, short3, short3 === name ? null : svg("title", {}, name));
  }
  var onCircle = (i, n) => direction(i, n).map((x) => 160 + 82 * x);
  function circleNode(i, n, name) {
    const [x, y] = onCircle(i, n), [c, s] = direction(i, n);
    return svg(
      "g",
      { class: "ag-node" },
      svg("circle", { class: "ag-hit", cx: x, cy: y, r: 15 }),
      svg("circle", { class: "ag-dot", cx: x, cy: y, r: 7 }),
      label5(name, 6, {
        x: 160 + 110 * c,
        y: 164.5 + 114 * s,
        "text-anchor": anchorOf(c)
      })
    );
  }
  var beside = (i, n, left3) => [left3 ? 92 : 228, 160 + (i - (n - 1) / 2) * Math.min(76, 272 / Math.max(1, n - 1))];
  function sideNode(i, n, name, kind2) {
    const left3 = kind2 === "q";
    const [x, y] = beside(i, n, left3);
    return svg(
      "g",
      { class: "ag-node" },
      left3 ? svg("rect", { class: "ag-hit", x: x - 88, y: y - 11, width: 104, height: 22 }) : null,
      svg("g", { transform: `translate(${x} ${y})` }, marker(kind2)),
      label5(name, 9, { x: x + (left3 ? -15 : 15), y: y + 4.5, "text-anchor": left3 ? "end" : "start" })
    );
  }
  function circleEdge(i, j, n) {
    const [x, y] = onCircle(i, n), [c, s] = direction(i, n);
    if (i === j) {
      const along3 = (r, [u2, v2]) => [x + r * u2, y + r * v2], [from, to] = sides([c, s]);
      return { start: `M${point2(along3(8, from))}C${point2(along3(36, from))} ${point2(along3(36, to))} `, tip: along3(8.5, to), back: to };
    }
    const [u, v] = onCircle(j, n), bend = 0.16;
    const mid = [(x + u) / 2 - bend * (v - y), (y + v) / 2 + bend * (u - x)];
    return { start: `M${point2(toward([x, y], mid, 8))}Q${point2(mid)} `, tip: toward([u, v], mid, 8.5), back: toward([0, 0], [mid[0] - u, mid[1] - v], 1) };
  }
  function sideEdge(i, j, n, m) {
    const a = beside(i, n, true), b = beside(j, m, false);
    return { start: `M${point2(toward(a, b, 10))}L`, tip: toward(b, a, 10.5), back: toward([0, 0], [a[0] - b[0], a[1] - b[1]], 1) };
  }

  // handles.js
  var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
  function createHandle(frame, { id, name, kind: kind2 = "x" }, [ring, mark2, hit], text3, onKey, onFocus) {
    const how = onKey ? { tabindex: 0, role: "slider", "aria-roledescription": role } : { role: "img" };
    const node = svg(
      "g",
      { class: `ag-handle ag-handle-${kind2}${onKey ? "" : " ag-derived"}`, ...how, "aria-label": name, "data-handle": id },
      svg("circle", { class: "ag-ring", r: ring }),
      mark2,
      svg("circle", { class: "ag-hit", r: hit }),
      text3
    );
    if (!onKey) return node;
    frame.keys.set(node, onKey);
    frame.on(node, "focus", onFocus);
    frame.on(node, "blur", () => node.classList.remove("ag-by-pointer"));
    frame.on(node, "touchstart", (event) => event.preventDefault(), { passive: false });
    return node;
  }
  function followPointer(frame, surface, { hold: hold2, move: move2, drop, place: place3 }) {
    let drag = null, pressed = null;
    const away = (event, { x, y }) => Math.hypot(event.clientX - x, event.clientY - y);
    const end3 = (kept) => {
      const done = drag;
      drag = null;
      drop(done, kept);
    };
    frame.on(surface, "pointerdown", (event) => {
      if (event.button !== 0 || drag) return;
      const held = hold2(event), at2 = { id: event.pointerId, x: event.clientX, y: event.clientY };
      pressed = held ? null : at2;
      if (!held) return;
      drag = { ...held, ...at2, moved: false };
      surface.setPointerCapture(event.pointerId);
      held.node.classList.add("ag-by-pointer");
      held.node.focus({ preventScroll: true });
      event.preventDefault();
    });
    frame.on(surface, "pointermove", (event) => {
      if (event.pointerId !== drag?.id) return;
      drag.moved ||= away(event, drag) >= 2;
      if (drag.moved) move2(drag, event);
    });
    for (const kind2 of ["pointerup", "pointercancel"]) {
      frame.on(surface, kind2, (event) => event.pointerId === drag?.id && end3(kind2 === "pointerup"));
    }
    frame.on(surface, "click", (event) => pressed && !event.target.closest(".ag-handle") && away(event, pressed) <= 6 && place3?.(event));
    return { get drag() {
      return drag;
    }, cancel: () => end3(false) };
  }
  function coordinateFields(frame, points3, { where: where2, move: move2, commit, hold: hold2 }) {
    const choice = html("select", { class: "ag-select", "aria-label": point }, ...points3.map(([value3, name]) => html("option", { value: value3 }, name)));
    const inputs = ["x", "y"].map((axis, c) => numberField(frame, { "aria-label": coordinate(axis) }, (value3) => {
      hold2(choice.value);
      move2(choice.value, where2(choice.value).map((x, i) => i === c ? value3 : x));
    }, () => commit(choice.value)));
    frame.on(choice, "change", () => hold2(choice.value));
    return {
      parts: [choice, ...inputs.map((input, c) => html("label", { class: "ag-coordinate" }, html("span", { "aria-hidden": "true" }, "xy"[c]), input))],
      show(id) {
        choice.value = id;
      },
      draw() {
        inputs.forEach((input, c) => showNumber(input, where2(choice.value)[c]));
      }
    };
  }

  // state.js
  function miniModel(state) {
    const listeners = /* @__PURE__ */ new Map();
    const of = (event) => listeners.get(event) ?? listeners.set(event, /* @__PURE__ */ new Set()).get(event);
    return {
      get: (name) => state[name],
      set(name, value3) {
        if (state[name] === value3) return;
        state[name] = value3;
        for (const event of [`change:${name}`, "change"]) for (const f of [...of(event)]) f();
      },
      save_changes() {
      },
      on: (event, f) => void of(event).add(f),
      off: (event, f) => void of(event).delete(f)
    };
  }
  var VERSION = 1;
  function encodeLink(name, ordinal, state) {
    const bytes = new TextEncoder().encode(JSON.stringify(state));
    const text3 = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    return `ag=${VERSION}:${name}.${ordinal}:${text3}`;
  }
  function decodeLink(hash) {
    const found = /^#?ag=1:([A-Za-z]+)\.(\d{1,3}):([\w-]{1,20000})$/.exec(hash);
    if (!found) return null;
    try {
      const bytes = Uint8Array.from(atob(found[3].replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
      const state = JSON.parse(new TextDecoder().decode(bytes));
      return state && typeof state === "object" ? { name: found[1], ordinal: Number(found[2]), state } : null;
    } catch {
      return null;
    }
  }
  function keep(names3, get, make) {
    let known2 = [], value3 = null;
    return () => {
      const now = names3.map(get);
      if (now.some((x, i) => x !== known2[i])) [known2, value3] = [now, make(...now)];
      return value3;
    };
  }
  function createHistory(snapshot) {
    let past = [], future = [], last = snapshot(), lastKey = null;
    const step = (from, to) => {
      if (!from.length) return null;
      to.push(last);
      last = from.pop();
      lastKey = null;
      return JSON.parse(last);
    };
    return {
      commit(key3 = null) {
        const now = snapshot();
        if (now === last) return false;
        if (key3 === null || key3 !== lastKey) past = [...past.slice(-199), last];
        future = [];
        [last, lastKey] = [now, key3];
        return true;
      },
      /** The state changed from elsewhere: go on from there, without a step of its own. */
      follow() {
        [last, lastKey] = [snapshot(), null];
      },
      undo: () => step(past, future),
      redo: () => step(future, past),
      get canUndo() {
        return past.length > 0;
      },
      get canRedo() {
        return future.length > 0;
      }
    };
  }
  var isNumber = (x) => Number.isFinite(x) && Math.abs(x) <= 1e6;
  var isBoolean = (x) => typeof x === "boolean";
  var isIndex = (x, size) => Number.isInteger(x) && x >= 0 && x < size;
  var isTemperature = (x) => x === "inf" || Number.isFinite(x) && x >= 0;
  var isRow = (x, length2, good = isNumber) => Array.isArray(x) && x.length === length2 && x.every(good);
  var isMatrix = (x, rows, columns, good = isNumber) => isRow(x, rows, (row) => isRow(row, columns, good));
  var where = (here, test) => (x) => here ? test(x) : x === null ? void 0 : false;
  function cleaned(raw, tests) {
    const state = {};
    for (const [name, test] of Object.entries(tests)) {
      if (!Object.hasOwn(raw, name)) continue;
      const good = test(raw[name]);
      if (good === false) return null;
      if (good) state[name] = structuredClone(raw[name]);
    }
    return state;
  }

  // stages.js
  var GIVEN2 = ["X", "W_Q", "W_K", "W_V"];
  var MADE = ["Q", "K", "V", "S", "A", "Y"];
  var FROM = { Q: "W_Q", K: "W_K", V: "W_V" };
  var LARGE2 = 20;
  var column = (M, j) => M.map((row) => row[j]);
  var project = (X, W2) => X.map((x) => W2[0].map((_, j) => dot(x, column(W2, j))));
  function stages2(state) {
    const [Q, K, V] = ["Q", "K", "V"].map((name) => project(state.X, state[FROM[name]]));
    const { scores: S, allowed: allowed3, weights: A, output: Y } = attention(Q, K, V, state);
    return { ...state, Q, K, V, S, allowed: allowed3, A, Y };
  }
  var entry4 = (now, [name, i, j]) => name === "A" && !now.allowed[i][j] ? null : now[name][i]?.[j] ?? null;
  function arithmetic2(now, [name, i, j]) {
    const value3 = entry4(now, [name, i, j]);
    if (GIVEN2.includes(name)) return { kind: "given", value: value3, sources: [] };
    if (value3 === null) return { kind: "masked", value: value3, sources: [] };
    if (name === "A") return share2(now, i, value3);
    const [left3, right] = name === "S" ? ["Q", "K"] : name === "Y" ? ["A", "V"] : ["X", FROM[name]];
    const across3 = name === "S" ? now.K[j] : column(now[right], j);
    const used = now[left3][i].map((_, m) => m).filter((m) => name !== "Y" || now.allowed[i][m]);
    const terms = used.map((m) => [now[left3][i][m], across3[m]]);
    return {
      kind: name === "S" ? "score" : name === "Y" ? "mix" : "product",
      value: value3,
      terms,
      sum: terms.reduce((total, [a, b]) => total + a * b, 0),
      divisor: name === "S" && now.scaled ? Math.sqrt(now.Q[0].length) : 1,
      sources: used.flatMap((m) => [[left3, i, m], name === "S" ? [right, j, m] : [right, m, j]])
    };
  }
  function share2({ S, allowed: allowed3, temperature: t }, i, value3) {
    const largest3 = Math.max(...S[i].filter((_, m) => allowed3[i][m]));
    const shifted2 = t > 0 && t < Infinity && Math.max(...S[i].map((s) => Math.abs(s) / t)) > LARGE2;
    const limit2 = t === 0 || t === Infinity;
    const exps = logits(S[i], allowed3[i], t).map((z, m) => !allowed3[i][m] ? null : Math.exp(limit2 || shifted2 ? z : S[i][m] / t));
    return {
      kind: "share",
      value: value3,
      exps,
      shifted: shifted2,
      largest: largest3,
      total: exps.reduce((total, e) => total + (e ?? 0), 0),
      sources: S[i].flatMap((_, m) => allowed3[i][m] ? [["S", i, m]] : [])
    };
  }
  function winners({ A, allowed: allowed3 }, i) {
    const top = Math.max(...A[i] ?? []);
    return (A[i] ?? []).flatMap((w, j) => allowed3[i][j] && w > top - 1e-12 ? [j] : []);
  }

  // pipeline_picture.js
  var KINDS2 = { Q: "q", K: "k", V: "v", Y: "y" };
  var COLOURS = { Q: "#0072B2", K: "#D55E00", V: "#009E73", A: "#0072B2" };
  var SHAPES2 = { Q: "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z", K: "M-5 -5H5V5H-5Z", V: "M0 -6.3L6 4.3H-6Z" };
  var W = 44;
  var H = 26;
  var NAME = 58;
  var GAP = 44;
  var SIDE = 16;
  var TOP = 66;
  var FONT = "Segoe UI, Roboto, Helvetica, Arial, Liberation Sans, sans-serif";
  var HIDDEN2 = 5e-3;
  var CROWD = 12;
  function cellText(x, given = false) {
    if (x === null) return "\u2013";
    if (Math.abs(x) >= 999.5) return x.toExponential(0).replace("e+", "e").replaceAll("-", "\u2212");
    if (Math.abs(x) >= 99.95) return fixed(x, 0);
    return given ? fixed(x, 2).replace(/0$/, "") : fixed(x);
  }
  var shade = (name, x, largest3) => x === null ? 0 : Math.min(1, Math.abs(x) / (name === "A" ? 1 : largest3 || 1));
  var largestOf = (M) => Math.max(0, ...M.flatMap((row) => row ?? []).map(Math.abs));
  var colour = (name) => COLOURS[name.at(-1)] ?? "currentColor";
  var short2 = (x, digits = 1) => String(Number(x.toFixed(digits)) || 0);
  var at = (...numbers2) => numbers2.map((x) => short2(x)).join(" ");
  var bold = { "font-weight": "600" };
  var middle = { "text-anchor": "middle" };
  var end2 = { "text-anchor": "end" };
  var small = { "font-size": "12" };
  var text2 = (x, y, body, more2 = {}) => ["text", { x: short2(x), y: short2(y), ...more2 }, body];
  function pipelinePicture(now, tokens3, settings2) {
    const n = now.X.length, d2 = now.X[0].length, wide = Math.max(now.Q[0].length, now.V[0].length);
    const lane2 = Math.max(n, d2) * H + 46, rows = [0, 1, 2].map((l) => TOP + 24 + l * lane2);
    const B = SIDE + NAME + Math.max(d2 * W, 100) + GAP, M = B + wide * W + 30, C = M + wide * W + GAP, D = C + NAME + n * W + GAP;
    const width2 = D + Math.max(220, NAME + now.V[0].length * W) + SIDE, foot = rows[2] + Math.max(n, d2) * H + 26;
    const place3 = {
      X: [SIDE + NAME, rows[0]],
      S: [C + NAME, rows[0]],
      A: [C + NAME, rows[2]],
      Y: [D + NAME, rows[2]],
      ...Object.fromEntries(["Q", "K", "V"].flatMap((name, l) => [[`W_${name}`, [B, rows[l]]], [name, [M, rows[l]]]]))
    };
    const box = Object.fromEntries(Object.entries(place3).map(([name, [x, y]]) => {
      const [high, long] = [now[name].length, now[name].find(Boolean)?.length ?? (name === "A" ? n : now.V[0].length)];
      return [name, { x, y, r: x + long * W, b: y + high * H, cx: x + long * W / 2, cy: y + high * H / 2, long }];
    }));
    const lanes = ["Q", "K", "V"];
    return [
      "svg",
      {
        viewBox: `0 0 ${at(width2, foot + 26)}`,
        width: short2(width2),
        height: short2(foot + 26),
        "font-family": FONT,
        "font-size": "14",
        fill: "currentColor"
      },
      ...lanes.map((name) => across("X", box.X.r + 4, box.X.cy, B - 5, box[`W_${name}`].cy)),
      ...lanes.map((name) => across(name, box[`W_${name}`].r + 4, box[`W_${name}`].cy, M - 4, box[`W_${name}`].cy)),
      ...["Q", "K"].map((name) => across(name, box[name].r + 4, box[name].cy, C + 4, box.S.cy)),
      down("A", box.S.cx, box.S.b + 4, box.A.y - 62),
      across("A", box.A.r + 4, box.A.cy - 6, D + 24, rows[0] + 112),
      across("A", box.A.r + 4, box.A.cy, D + 4, box.Y.cy),
      under("V", box.V.cx, box.V.b + 4, box.Y.cx, box.Y.b + 4, foot),
      ...[[SIDE, 28], [B, 28], [C, 28], [C, rows[2] - 46], [D, 28], [D, rows[2] - 46]].flatMap(([x, y], k) => head(k, x, y, now)),
      ...lanes.flatMap((name, l) => laneHead(name, B, M, rows[l])),
      ...["X", "S", "A", "Y"].flatMap((name) => tokens3.map((token2, i) => text2(box[name].x - 6, box[name].y + i * H + 17.5, visible(token2, 7), { ...end2, ...i === now.selected ? bold : {} }))),
      ...["S", "A"].flatMap((name) => tokens3.map((token2, j) => text2(box[name].x + (j + 0.5) * W, box[name].y - 6, visible(token2, 6), { ...middle, ...small }))),
      ...Object.keys(place3).flatMap((name) => cells2(name, box[name], now)),
      ...d2 === 2 ? points2(now.X, tokens3, SIDE + NAME - 20, rows[1] + 8, 120) : [],
      ["g", { transform: `translate(${at(D, TOP - 22)})` }, ...graphEdges(now), ...graphNodes(tokens3, now.selected)],
      text2(SIDE, foot + 14, settings2, small)
    ];
  }
  var settingsLine = ({ scaled: scaled3, mask: mask3, temperature: temperature4, Q }) => madeWith(
    scaled3 ? `\u221A${Q[0].length}` : "1",
    temperature4 === Infinity ? "\u221E" : String(temperature4),
    mask3 === null ? "none" : mask3 === "causal" ? "causal" : "custom"
  );
  function head(k, x, y, now) {
    const hint = k === 4 ? arrow[now.reading] : k === 2 ? match(now.scaled ? now.Q[0].length : 1) : hints[k];
    return [
      ["circle", { cx: short2(x + 9), cy: short2(y - 4.5), r: "9", fill: "none", stroke: "currentColor" }],
      text2(x + 9, y, String(k + 1), { ...middle, "font-size": "12", ...bold }),
      text2(x + 24, y, stages[k], { "font-size": "14", ...bold }),
      ...hint ? [text2(x, y + 20, hint, small)] : []
    ];
  }
  function laneHead(name, x, m, y) {
    return [
      ["text", { x: short2(x), y: short2(y - 7), "font-style": "italic" }, "W", ["tspan", { dy: "3", "font-size": "9" }, name]],
      ["path", { class: `ag-${KINDS2[name]}`, d: SHAPES2[name], fill: COLOURS[name], transform: `translate(${at(m + 6, y - 11)})` }],
      text2(m + 17, y - 7, matrices[name]),
      text2(x, y - 24, means[name], small)
    ];
  }
  function cells2(name, { x, y, long }, now) {
    const largest3 = largestOf(now[name]), given = GIVEN2.includes(name);
    return now[name].flatMap((row, i) => Array.from({ length: long }, (_, j) => {
      const value3 = name === "A" && !now.allowed[i][j] ? null : row?.[j] ?? null, [left3, top] = [x + j * W, y + i * H];
      return [
        "g",
        {},
        ["rect", {
          x: short2(left3 + 1),
          y: short2(top + 1),
          width: String(W - 2),
          height: String(H - 2),
          rx: "3",
          fill: colour(name),
          "fill-opacity": short2(0.05 + (colour(name) === "currentColor" ? 0.2 : 0.3) * shade(name, value3, largest3), 2),
          ...given ? { stroke: "currentColor", "stroke-opacity": "0.55" } : {}
        }],
        ...value3 === null || value3 < 0 ? [["path", { d: hatch(left3 + 1, top + 1, W - 2, H - 2), stroke: "currentColor", "stroke-opacity": "0.25", "stroke-width": "0.7" }]] : [],
        text2(left3 + W / 2, top + 17.5, cellText(value3, given), middle)
      ];
    }));
  }
  function hatch(x, y, w, h) {
    const lines = [];
    for (let s = 7; s < w + h; s += 7) lines.push(`M${at(x + Math.min(s, w), y + Math.max(0, s - w))}L${at(x + Math.max(0, s - h), y + Math.min(s, h))}`);
    return lines.join("");
  }
  function points2(X, tokens3, x, y, side) {
    const half = side / 2, reach = niceRange(X);
    return [
      ["path", { d: `M${at(x, y + half)}h${side}M${at(x + half, y)}v${side}`, stroke: "currentColor", "stroke-opacity": "0.35" }],
      ...X.flatMap((p, i) => {
        const [a, b] = [x + half + p[0] / reach * half, y + half - p[1] / reach * half];
        return [["circle", { cx: short2(a), cy: short2(b), r: "4.5" }], text2(a, b - 8, visible(tokens3[i], 7), { ...middle, ...small })];
      })
    ];
  }
  var line2 = (name, d2, x, y, turn) => [
    "g",
    {},
    ["path", { d: d2, fill: "none", stroke: colour(name), "stroke-width": "1.5" }],
    ["path", { d: "M0 0L-7 3.6V-3.6Z", fill: colour(name), transform: `translate(${at(x, y)}) rotate(${turn})` }]
  ];
  function across(name, x1, y1, x2, y2) {
    const half = (x2 - x1) / 2;
    return line2(name, `M${at(x1, y1)}C${at(x1 + half, y1, x2 - half, y2, x2 - 5, y2)}`, x2, y2, 0);
  }
  var down = (name, x, y1, y2) => line2(name, `M${at(x, y1)}V${short2(y2 - 5)}`, x, y2, 90);
  var under = (name, x1, y1, x2, y2, low) => line2(
    name,
    `M${at(x1, y1)}V${short2(low - 8)}q0 8 8 8H${short2(x2 - 8)}q8 0 8 -8V${short2(y2 + 5)}`,
    x2,
    y2,
    -90
  );
  var graphBox = (n) => n > 4 ? [0, -2, 220, 204] : [26, -6, 168, { 3: 184, 4: 216 }[n] ?? 204];
  function graphNodes(tokens3, selected) {
    const n = tokens3.length, crowd = n > CROWD;
    return tokens3.map((token2, i) => {
      const [x, y] = spot(i, n), { label: label6, anchor } = nameAt(i, n), on = i === selected;
      return [
        "g",
        { class: on ? "ag-pipe-node ag-on" : "ag-pipe-node" },
        ["circle", { class: "ag-dot", cx: short2(x), cy: short2(y), r: crowd ? "3" : "6.5" }],
        text2(label6[0], label6[1] + 4, visible(token2, crowd ? 1 : 7), { class: "ag-name", "text-anchor": anchor, ...on ? bold : {}, ...crowd ? { "font-size": "9" } : {} })
      ];
    });
  }
  function graphEdges({ A, selected, reading: reading2 }) {
    const n = A.length, flows = reading2 === "flows", paint = flows ? COLOURS.V : COLOURS.Q;
    const found = A.flatMap((row, i) => (row ?? []).flatMap((w, j) => w < HIDDEN2 || n > CROWD && i !== selected ? [] : [[i, j, w]]));
    return found.sort((a, b) => (a[0] === selected) - (b[0] === selected)).map(([i, j, w]) => {
      const on = i === selected, { d: d2, tip, turn, label: label6, anchor } = i === j ? loop(i, n) : curve(i, j, n, flows);
      const ink = on ? paint : "currentColor";
      return [
        "g",
        { class: `ag-pipe-edge${on ? flows ? " ag-pipe-v" : " ag-pipe-q" : ""}`, opacity: short2(on ? 0.55 + 0.45 * w : 0.1 + 0.35 * w, 2) },
        ["path", { d: d2, fill: "none", stroke: ink, "stroke-width": short2(0.8 + 6.2 * w, 2) }],
        ["path", { d: "M0 0L-8 4.2V-4.2Z", fill: ink, transform: `translate(${at(...tip)}) rotate(${short2(turn)}) scale(${short2(1 + 0.8 * w, 2)})` }],
        ...on && n <= 4 ? [text2(label6[0], label6[1] + 4, fixed(w), { class: "ag-name", "text-anchor": anchor, "font-size": "12", ...bold })] : []
      ];
    });
  }
  var spot = (i, n) => direction(i, n).map((x, c) => [110, 104][c] + 56 * x);
  function nameAt(i, n, on = 0) {
    const [x, y] = spot(i, n), [c, s] = direction(i, n), away = n > CROWD ? 12 : 26;
    if (n <= 4) return { label: [x, y + (s < -0.5 ? -30 - on : s > 0.9 ? 32 + on : 22 + on)], anchor: "middle" };
    return { label: [x + away * c, y + (away + 4) * s + (s < -0.5 ? -on : on)], anchor: anchorOf(c) };
  }
  function curve(i, j, n, flows) {
    const a = spot(i, n), b = spot(j, n), bend = 0.2, near = n > CROWD ? 5 : 12;
    const [u, v] = [b[0] - a[0], b[1] - a[1]], length2 = Math.hypot(u, v) || 1;
    const mid = [(a[0] + b[0]) / 2 - bend * v, (a[1] + b[1]) / 2 + bend * u], [from, to] = flows ? [b, a] : [a, b];
    return {
      d: `M${at(...toward(from, mid, near - 3))}Q${at(...mid, ...toward(to, mid, near + 5))}`,
      tip: toward(to, mid, near - 3),
      turn: degrees(to[0] - mid[0], to[1] - mid[1]),
      anchor: "middle",
      label: [(a[0] + b[0]) / 4 + mid[0] / 2 - 10 * v / length2, (a[1] + b[1]) / 4 + mid[1] / 2 + 10 * u / length2]
    };
  }
  function loop(i, n) {
    const [x, y] = spot(i, n), [e, f] = direction(i, n);
    const aside = n <= 4 && Math.abs(e) > 0.5, [c, s] = aside ? [Math.sign(e), 0] : [e, f];
    const [[a, b], [u, v]] = sides([c, s]);
    return {
      d: `M${at(x + 9 * a, y + 9 * b)}C${at(x + 36 * a, y + 36 * b, x + 36 * u, y + 36 * v, x + 17 * u, y + 17 * v)}`,
      tip: [x + 9 * u, y + 9 * v],
      turn: degrees(-u, -v),
      ...aside ? { label: [x + 17 * c, y - 26], anchor: "middle" } : nameAt(i, n, 15)
    };
  }

  // pipe_flows.js
  var GRAPH = 140;
  var BESIDE = 3.02;
  var SMALLEST = 30;
  var MIDDLE = 40;
  var LARGEST = 50;
  var TIP = "M0 0L-7 3.6V-3.6Z";
  function createFlows({ frame, picture, list: list3, tables, graph: graph2, plane, sizes }) {
    const layer = svg("svg", { class: "ag-pipe-flows", "aria-hidden": "true" });
    picture.prepend(layer);
    const boxes = Object.fromEntries(Object.entries(tables).map(([name, { node }]) => [name, node.tBodies[0]]));
    function draw() {
      const columns = sizes.X[1] + 2 * Math.max(sizes.Q[1], sizes.V[1]) + sizes.X[0];
      const gap = 14 + Math.max(0, picture.clientWidth - 660) / 12, room = picture.clientWidth - 3 * gap - 4;
      const fitting = (last2) => Math.floor((room - last2 - 2 * columns) / (columns + BESIDE));
      const cell = fitting(Math.max(GRAPH, 1.25 * fitting(GRAPH) + sizes.V[1] * (fitting(GRAPH) + 2)));
      const wide = cell >= SMALLEST, size = wide ? Math.min(LARGEST, cell) : MIDDLE;
      picture.classList.toggle("ag-pipe-wide", wide);
      const set = (name, value3) => picture.style.setProperty(`--ag-pipe-${name}`, `${value3.toFixed(1)}px`);
      set("gap", gap);
      set("cell", size);
      set("name", Math.max(40, Math.min(62, 1.25 * size)));
      set("font", Math.max(12, Math.min(14.5, 0.34 * size)));
      for (const [name, node] of [["graph", graph2], ["plane", plane]]) if (node) set(name, 13 * node.viewBox.baseVal.width / node.clientWidth);
      const { left: left3, top } = picture.getBoundingClientRect();
      const at2 = (node) => {
        const { left: x, top: y, width: width2, height } = node.getBoundingClientRect(), [l, t] = [x - left3, y - top];
        return { l, t, r: l + width2, b: t + height, x: l + width2 / 2, y: t + height / 2 };
      };
      const box = Object.fromEntries(Object.entries(boxes).map(([name, node]) => [name, at2(node)]));
      const lines = wide ? side(at2, box) : down2(at2, box);
      layer.replaceChildren(...lines.map(([kind2, d2, x, y, turn]) => svg(
        "g",
        { class: `ag-pipe-flow-${kind2}` },
        svg("path", { class: "ag-pipe-line", d: d2 }),
        svg("path", { class: "ag-pipe-tip", d: TIP, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn})` })
      )));
    }
    function side(at2, box) {
      const names3 = ["Q", "K", "V"];
      const across3 = (kind2, from, to, dy = 0) => bent(kind2, from.r + 3, from.y + dy, to.l - 3, to.y);
      const score2 = at2(tables.S.node), weight2 = at2(tables.A.node), out = at2(tables.Y.node);
      const low = Math.max(box.V.b, weight2.b, out.b) + 14;
      return [
        ...names3.map((name) => across3("x", box.X, box[`W_${name}`])),
        ...made(box),
        ...["Q", "K"].map((name) => bent(name.toLowerCase(), box[name].r + 3, box[name].y, score2.l - 2, box.S.y + (name === "Q" ? -4 : 4))),
        falling("q", box.S.x, box.S.b + 3, box.A.x, at2(list3[3]).t - 2),
        bent("q", box.A.r + 3, box.A.y - 8, at2(graph2.parentNode).l, at2(graph2.lastChild).b - 8, at2(graph2.lastChild).l - 3),
        across3("q", box.A, { ...box.Y, l: out.l }),
        ["v", `M${box.V.x} ${box.V.b + 3}V${low - 8}q0 8 8 8H${box.Y.x - 8}q8 0 8 -8V${box.Y.b + 8}`, box.Y.x, box.Y.b + 3, -90]
      ];
    }
    const made = (box) => ["Q", "K", "V"].map((name) => bent(name.toLowerCase(), box[`W_${name}`].r + 2, box[`W_${name}`].y, box[name].l - 2, box[`W_${name}`].y));
    const down2 = (at2, box) => [...made(box), ...list3.slice(1).map((node) => {
      const { l, t } = at2(node);
      return falling("x", l + 10, t - 21, l + 10, t - 3);
    })];
    let last = "";
    const watch = new ResizeObserver(() => {
      const size = `${picture.clientWidth} ${picture.clientHeight}`;
      if (size === last) return;
      last = size;
      frame.read(draw);
    });
    watch.observe(picture);
    return { node: layer, draw, dispose: () => watch.disconnect() };
  }
  function bent(kind2, x1, y1, x2, y2, end3 = x2) {
    const half = (x2 - x1) / 2;
    return [kind2, `M${x1} ${y1}C${x1 + half} ${y1} ${x2 - half} ${y2} ${x2 - 5} ${y2}H${end3 - 5}`, end3, y2, 0];
  }
  function falling(kind2, x1, y1, x2, y2) {
    const half = (y2 - y1) / 2;
    return [kind2, `M${x1} ${y1}C${x1} ${y1 + half} ${x2} ${y2 - half} ${x2} ${y2 - 5}`, x2, y2, 90];
  }

  // pipe_arithmetic.js
  function createArithmetic({ frame, title, story, editor }) {
    let place3 = null;
    const name = html("p", { class: "ag-title" }), sum6 = html("p", { class: "ag-pipe-sum" }), told = html("p", { class: "ag-hint" });
    const field = numberField(frame, {}, (x) => editor.change(place3, x, true), () => editor.commit(place3));
    const by = (step, sign, label6) => frame.button(sign, () => {
      editor.change(place3, frame.model.get(place3[0])[place3[1]][place3[2]] + step);
      editor.commit(place3, `step ${place3}`);
    }, { "aria-label": label6 });
    const change = html(
      "div",
      { class: "ag-row ag-pipe-change" },
      by(-0.1, "\u2212", less),
      field,
      by(0.1, "+", more),
      html("span", { class: "ag-hint" }, howToChange)
    );
    const close2 = frame.button("\xD7", () => editor.open(null), { class: "ag-pipe-close", "aria-label": closeNumber });
    const node = html("section", { class: "ag-panel ag-pipe-arithmetic", "aria-label": arithmetic }, name, close2, sum6, change, told);
    return {
      node,
      /** Writes a sign typed over a cell into the field and moves there. */
      type(sign) {
        field.focus({ preventScroll: true });
        if (sign) field.value = /\d/.test(sign) ? sign : "";
        else field.select();
      },
      draw(now) {
        place3 = now.opened;
        node.classList.toggle("ag-pipe-empty", !place3);
        for (const part of [close2, sum6]) part.hidden = !place3;
        const made = place3 && arithmetic2(now, place3);
        change.hidden = made?.kind !== "given";
        text(name, place3 ? title(place3) : nothingOpen);
        text(told, place3 ? story(place3, made) : open);
        text(sum6, made ? written2(made, now, place3) : "");
        sum6.hidden ||= made?.kind === "given";
        if (made?.kind !== "given") return;
        attr(field, "aria-label", title(place3));
        showNumber(field, made.value);
      }
    };
  }
  var signed = (x) => x < 0 ? `(${stored(x)})` : stored(x);
  function written2(made, { temperature: t, S, selected }, [, i, j]) {
    if (made.kind === "given") return stored(made.value);
    if (made.kind === "masked") return masked3;
    if (made.kind === "share") {
      const { exps, shifted: shifted2, largest: largest3, total } = made;
      const limit2 = t === 0 || t === Infinity;
      const term = (m) => limit2 ? short(exps[m]) : `exp(${shifted2 ? `(${fixed(S[i][m])} \u2212 ${signed(Number(largest3.toFixed(2)))})` : fixed(S[i][m])}${t === 1 ? "" : ` / ${t}`})`;
      const all = exps.flatMap((e, m) => e === null ? [] : [m]);
      const number2 = (e) => e >= 1e4 || e > 0 && e < 0.01 ? short(e) : fixed(e);
      const sums = limit2 ? "" : ` = ${number2(exps[j])} / (${all.map((m) => number2(exps[m])).join(" + ")})`;
      return `${term(j)} / (${all.map(term).join(" + ")})${sums} = ${number2(exps[j])} / ${number2(total)} \u2248 ${fixed(made.value, 3)}`;
    }
    const products2 = made.terms.map(([a, b], m) => `${m ? signed(a) : stored(a)} \xD7 ${signed(b)}`).join(" + ");
    const divided = made.divisor !== 1;
    const rounded = (x, digits) => Number(x.toFixed(digits));
    const exact = Math.abs(made.terms.reduce((s, [a, b]) => s + rounded(a, 4) * rounded(b, 4), 0) - rounded(made.sum, 3)) < 1e-9;
    const result = `${exact ? "=" : "\u2248"} ${fixed(made.sum, 3)}`;
    return divided ? `(${products2}) / \u221A2 = ${stored(made.sum)} / ${stored(made.divisor)} \u2248 ${fixed(made.value, 3)}`.replace("\u221A2", `\u221A${rounded(made.divisor ** 2, 6)}`) : `${products2} ${result}`;
  }

  // pipe_parts.js
  var element = ([tag, attributes, ...children]) => svg(tag, attributes, ...children.map((child) => typeof child === "string" ? child : element(child)));
  function patch(parent, list3) {
    list3.forEach((described2, c) => {
      const node = parent.childNodes[c];
      if (typeof described2 === "string") return node?.nodeType === 3 ? void (node.data === described2 || (node.data = described2)) : parent.replaceChildren(described2);
      const [tag, attributes, ...children] = described2;
      if (node?.tagName !== tag || node.childNodes.length !== children.length) {
        const fresh = element(described2);
        return node ? node.replaceWith(fresh) : parent.append(fresh);
      }
      for (const [name, value3] of Object.entries(attributes)) attr(node, name, value3);
      patch(node, children);
    });
    while (parent.childNodes.length > list3.length) parent.lastChild.remove();
  }
  function createGraph2({ frame, tokens: tokens3, called, follow: follow2 }) {
    const edges = svg("g", {}), nodes = svg("g", {});
    const picture = svg("svg", { class: "ag-pipe-graph", viewBox: graphBox(tokens3.length).join(" "), role: "img" }, edges, nodes);
    const hint = html("p", { class: "ag-hint" });
    let selected = -1;
    return {
      node: html("div", { class: "ag-pipe-body" }, picture),
      picture,
      hint,
      draw(now, settled) {
        if (!frame.due(0, 2)) return;
        patch(edges, graphEdges({ ...now, A: now.A.map((row) => row?.map(frame.rough)) }));
        if (now.selected !== selected) {
          selected = now.selected;
          nodes.replaceChildren(...graphNodes(tokens3, selected).map(element));
          [...nodes.children].forEach((node, i) => {
            const { cx, cy } = node.firstChild;
            node.prepend(svg("circle", { class: "ag-hit", cx: cx.baseVal.value, cy: cy.baseVal.value, r: 18 }));
            node.addEventListener("click", () => follow2(i));
          });
        }
        picture.classList.toggle("ag-pipe-flowing", now.reading === "flows");
        text(hint, arrow[now.reading]);
        if (settled) attr(picture, "aria-label", graphLabel2(arrow[now.reading], called.map((name, i) => sentence[now.reading](name, shares2(now, called, i))).join(" ")));
      }
    };
  }
  var shares2 = ({ A, allowed: allowed3 }, called, i) => A[i] && A[i].flatMap((w, j) => allowed3[i][j] ? [[called[j], fixed(w)]] : []);
  function createMix({ frame, tokens: tokens3, called, follow: follow2 }) {
    const choice = select(frame, follow, called.map((name, i) => [String(i), name]), (value3) => follow2(Number(value3)));
    const pieces = tokens3.map((token2) => {
      const number2 = html("b", {});
      return { node: html("span", { class: "ag-pipe-piece" }, number2, html("bdi", {}, visible(token2, 10))), number: number2 };
    });
    const bar = html("div", { class: "ag-pipe-bar", "aria-hidden": "true" }, ...pieces.map((piece) => piece.node));
    const sentence3 = html("p", { class: "ag-pipe-sentence" });
    const answer = html("div", { class: "ag-pipe-answer" }, bar, sentence3);
    return {
      node: html("div", { class: "ag-pipe-mix" }, choice.field, answer),
      answer,
      draw(now) {
        const i = now.selected, row = now.A[i];
        choice.draw(String(i));
        if (!frame.due(2)) return;
        pieces.forEach(({ node, number: number2 }, j) => {
          const w = row?.[j] ?? 0;
          attr(node, "style", `flex-grow:${w.toFixed(4)};--ag-tint:${Math.round(12 + 60 * w)}%`);
          node.classList.toggle("ag-pipe-small", w < 0.06);
          text(number2, fixed(w));
        });
        bar.classList.toggle("ag-pipe-green", now.reading === "flows");
        text(sentence3, sentence[now.reading](called[i], shares2(now, called, i)));
      }
    };
  }
  function createSettings({ frame, point: point4 }) {
    const set = (name, value3) => {
      frame.set(name, value3);
      frame.commit();
    };
    const reading2 = segmented(frame, reading, Object.entries(readings), (value3) => set("reading", value3));
    const mask3 = select(frame, mask2, Object.entries(masks2), (kind2) => set("mask", kind2 === "none" ? null : kind2), "custom");
    const scale = check(frame, (on) => frame.set("scaled", on), scaled2, html("sub", {}, "k"));
    const range = temperatureSlider(frame, temperature3);
    const row = (hint, name, ...parts3) => html("div", { class: "ag-row" }, ...parts3, about2(name, hint));
    return {
      node: html(
        "div",
        { class: "ag-controls ag-pipe-settings", role: "group", "aria-label": settings },
        row(readingHint, reading, html("span", {}, reading), reading2.node),
        row(maskHint, mask2, mask3.field),
        row(scaledHint, scaled2, scale.field),
        point4,
        row(temperatureHint2, temperature3, range.node)
      ),
      draw(now) {
        reading2.draw(now.reading);
        mask3.draw(maskKind(now.mask));
        scale.box.checked = now.scaled;
        range.draw(now.temperature);
      }
    };
  }

  // pipe_points.js
  var HALF = 64;
  var ROOM = [6, 14];
  var FINE = 0.05;
  function createPoints({ frame, tokens: tokens3, called, initial, move: move2, commit, follow: follow2 }) {
    let reach = niceRange(initial), X = initial, held = null;
    const picture = svg("svg", {
      class: "ag-plane ag-pipe-points",
      viewBox: `${-HALF - ROOM[0]} ${-HALF - ROOM[1]} ${2 * (HALF + ROOM[0])} ${2 * (HALF + ROOM[1])}`,
      role: "group",
      "aria-label": points
    }, svg("rect", { class: "ag-floor", x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF }), svg("path", { class: "ag-axis", d: `M${-HALF} 0H${HALF}M0 ${-HALF}V${HALF}` }));
    const index = (id) => Number(id.slice(1));
    const handles = tokens3.map((token2, i) => createHandle(
      frame,
      { id: `x${i}`, name: pointOf(called[i], i + 1) },
      [11, svg("circle", { class: "ag-dot", r: 5.5 }), 15],
      svg("text", { class: "ag-name", y: -9, "text-anchor": "middle" }, visible(token2, 7), svg("title", {}, token2)),
      (event) => onKey(i, event),
      () => hold2(i)
    ));
    picture.append(...handles);
    const fields = coordinateFields(frame, called.map((name, i) => [`x${i}`, name]), {
      where: (id) => X[index(id)],
      move: (id, p) => move2(index(id), p),
      commit: (id) => commit(index(id)),
      hold: (id) => hold2(index(id))
    });
    const snap = (x) => Math.round(Math.max(-reach, Math.min(reach, x)) / FINE) * FINE;
    const scale = () => 2 * (HALF + ROOM[0]) / picture.getBoundingClientRect().width / HALF * reach;
    function hold2(i) {
      held = i;
      fields.show(`x${i}`);
      follow2(i, Boolean(pointer.drag));
      frame.schedule();
    }
    const pointer = followPointer(frame, picture, {
      hold(event) {
        const node = event.target.closest(".ag-handle"), i = handles.indexOf(node);
        return node && { node, i, start: X[i] };
      },
      move({ i, start: start5, x, y }, event) {
        const by = [event.clientX - x, y - event.clientY], unit = scale();
        move2(i, start5.map((old, c) => snap(old + by[c] * unit)));
      },
      drop({ i, start: start5, moved: moved2 }, kept) {
        if (moved2 && !kept) move2(i, start5);
        commit(i);
      },
      place(event) {
        if (held === null) return;
        const box = picture.getBoundingClientRect(), unit = scale();
        move2(held, [event.clientX - box.left - box.width / 2, box.top + box.height / 2 - event.clientY].map((x) => snap(x * unit)));
        commit(held);
      }
    });
    function onKey(i, event) {
      const unit = event.shiftKey ? 0.5 : 0.1, way = ARROWS[event.key];
      if (!way && event.key !== "Home") return false;
      handles[i].classList.remove("ag-by-pointer");
      move2(i, way ? X[i].map((x, c) => x + unit * way[c]) : frame.initial.X[i]);
      commit(i, way ? `keys x${i}` : null);
      return true;
    }
    return {
      node: html("figure", { class: "ag-pipe-plane" }, picture),
      picture,
      fields: html("div", { class: "ag-field ag-coordinates" }, html("span", { "aria-hidden": "true" }, point), ...fields.parts),
      draw(now) {
        X = now.X;
        if (!pointer.drag) reach = Math.max(niceRange(initial), niceRange(X, 1));
        handles.forEach((node, i) => {
          const [x, y] = X[i];
          move(node, [x / reach * HALF, -y / reach * HALF]);
          attr(node, "aria-valuenow", String(x));
          attr(node, "aria-valuetext", place(fixed(x), fixed(y)));
          node.classList.toggle("ag-on", i === now.selected);
          node.classList.toggle("ag-held", i === held);
          node.classList.toggle("ag-unnamed", tokens3.length > CROWD && i !== now.selected);
        });
        fields.draw();
      }
    };
  }

  // exports.js
  var KEPT = [
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-opacity",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linejoin",
    "font-size",
    "font-weight",
    "text-anchor",
    "opacity",
    "paint-order"
  ];
  var INITIAL = {
    "fill-opacity": "1",
    "stroke-opacity": "1",
    stroke: "none",
    "stroke-dasharray": "none",
    "stroke-linejoin": "miter",
    opacity: "1",
    "paint-order": "normal",
    "stroke-width": "1px",
    "text-anchor": "start",
    "font-weight": "400"
  };
  var LEFT_OUT = ".ag-hit, .ag-ring, [hidden]";
  var GAP2 = 24;
  var SIDE2 = 320;
  var HEAD = 34;
  function composeSvg(figures, root2) {
    const style = getComputedStyle(root2);
    const ink = style.color;
    const width2 = figures.length * (SIDE2 + GAP2) + GAP2;
    const height = SIDE2 + HEAD + 2 * GAP2;
    const page = svg("svg", {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width2} ${height}`,
      width: width2,
      height,
      "font-family": "system-ui, sans-serif",
      "font-size": 13
    }, svg("rect", { width: width2, height, fill: paper(root2) }));
    figures.forEach(({ title, picture }, i) => {
      const x = GAP2 + i * (SIDE2 + GAP2);
      const name = svg("text", { x, y: GAP2 + 12, fill: ink, "font-weight": 600, "font-size": 14 }, title);
      page.append(name, svg("g", { transform: `translate(${x} ${GAP2 + HEAD})` }, ...[...picture.children].map(written3)));
    });
    return page;
  }
  function written3(node) {
    if (node.matches(LEFT_OUT)) return "";
    const style = getComputedStyle(node);
    if (style.display === "none") return "";
    const copy2 = node.cloneNode(false);
    for (const name of ["class", "tabindex", "role", "style", ...node.getAttributeNames().filter((a) => a.startsWith("aria-"))]) {
      copy2.removeAttribute(name);
    }
    for (const name of KEPT) {
      const value3 = style.getPropertyValue(name);
      if (value3 === INITIAL[name]) copy2.removeAttribute(name);
      else copy2.setAttribute(name, value3);
    }
    copy2.append(...[...node.childNodes].map((child) => child.nodeType === 1 ? written3(child) : child.cloneNode()));
    return copy2;
  }
  function paper(node) {
    for (let at2 = node; at2; at2 = at2.parentElement) {
      const colour2 = getComputedStyle(at2).backgroundColor;
      if (!/^(transparent|rgba\(.*, 0\))$/.test(colour2)) return colour2;
    }
    return "white";
  }
  var svgBlob = (page) => new Blob([new XMLSerializer().serializeToString(page)], { type: "image/svg+xml" });
  async function pngBlob(page, scale = 2) {
    const image = new Image();
    const [width2, height] = [page.getAttribute("width"), page.getAttribute("height")].map(Number);
    await new Promise((good, bad) => {
      [image.onload, image.onerror] = [good, bad];
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(page))}`;
    });
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width2 * scale, height * scale];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((good, bad) => canvas.toBlob((blob) => blob ? good(blob) : bad(), "image/png"));
  }
  function download(blob, name) {
    const link2 = document.createElement("a");
    link2.href = URL.createObjectURL(blob);
    link2.download = name;
    link2.click();
    setTimeout(() => URL.revokeObjectURL(link2.href), 1e4);
  }

  // predict.js
  function whichLargest(best, may3, names3, tie2) {
    const open2 = names3.map((_, j) => j).filter((j) => may3[j]);
    return {
      open: open2,
      options: [...open2.map((j) => names3[j]), ...open2.length > 1 ? [tie2] : []],
      answer: best.length > 1 ? open2.length : open2.indexOf(best[0])
    };
  }
  function createPredict(frame, { cover, ask: ask4 }, snapshot) {
    let on = false, asked = null, state = null, covered = [];
    const toggle = frame.button(predict, () => set(!on), { "aria-pressed": "false" });
    const question3 = html("legend", {}), choices = html("div", { class: "ag-row" });
    const verdict3 = html("p", { class: "ag-verdict" });
    const commit = frame.button(predictCommit, answer);
    const again = frame.button(predictAgain, () => renew(true));
    const node = html(
      "fieldset",
      { class: "ag-predict", hidden: true, tabindex: -1 },
      question3,
      choices,
      html("div", { class: "ag-row" }, commit, again, verdict3)
    );
    function set(wanted) {
      if (wanted === on) return;
      on = wanted;
      attr(toggle, "aria-pressed", String(on));
      node.hidden = !on;
      uncover();
      state = asked = null;
      if (!on) return;
      renew();
      node.focus({ preventScroll: true });
      node.scrollIntoView({ block: "nearest" });
    }
    function uncover() {
      for (const part of covered) {
        part.classList.remove("ag-covered");
        part.removeAttribute("inert");
        part.removeAttribute("aria-hidden");
      }
      covered = [];
    }
    function hide() {
      uncover();
      covered = [...cover()];
      for (const part of covered) {
        part.classList.add("ag-covered");
        part.setAttribute("inert", "");
        part.setAttribute("aria-hidden", "true");
      }
    }
    function renew(force = false) {
      const now = snapshot();
      if (now === state && !force) return;
      state = now;
      asked = ask4();
      text(verdict3, "");
      attr(verdict3, "class", "ag-verdict");
      text(question3, asked ? asked.question : predictNothing);
      choices.replaceChildren(...(asked?.options ?? []).map((option, i) => html(
        "label",
        { class: "ag-field" },
        html("input", { type: "radio", name: `ag-${serial}`, value: i }),
        html("bdi", {}, option)
      )));
      commit.hidden = !asked;
      again.hidden = true;
      if (asked) hide();
      else uncover();
    }
    const serial = `predict-${Math.random().toString(36).slice(2)}`;
    function answer() {
      const chosen2 = choices.querySelector(":checked");
      if (!chosen2) return void text(verdict3, predictChoose);
      const { options, answer: right, why } = asked;
      const good = Number(chosen2.value) === right;
      const sentence3 = `${good ? predictRight : predictWrong(options[right])} ${why}`;
      uncover();
      text(verdict3, sentence3);
      attr(verdict3, "class", `ag-verdict ag-${good ? "right" : "wrong"}`);
      for (const input of choices.querySelectorAll("input")) input.disabled = true;
      commit.hidden = true;
      again.hidden = false;
      again.focus({ preventScroll: true });
      frame.say(sentence3);
    }
    return {
      node,
      toggle,
      set,
      get on() {
        return on;
      },
      /** What may be said aloud after a step: the question as long as the answer is covered. */
      get question() {
        return covered.length ? asked.question : null;
      },
      /** Something may have moved: a question about another state is another question. */
      follow() {
        if (on) renew();
      }
    };
  }

  // view.js
  var LATE = 20;
  var LONG = 500;
  var REST = 250;
  var TURNS = 4;
  function createFrame(options) {
    const { model, el, page, traits, clean } = options;
    const stop = new AbortController();
    const reads = /* @__PURE__ */ new Set();
    const keys3 = /* @__PURE__ */ new Map();
    let request = 0, own = 0, timer = 0, rest = 0, said = "";
    const snapshot = () => JSON.stringify(Object.fromEntries(traits.map((name) => [name, model.get(name)])));
    const initial = JSON.parse(snapshot());
    const history = createHistory(snapshot);
    const live = html("p", { class: "ag-say", role: "status" });
    const body = html("div", { class: "ag-body" });
    const root2 = html("div", {
      class: "ag-widget",
      role: "group",
      "aria-label": options.label,
      "data-lm-suppress-shortcuts": "true"
    }, body);
    const frame = {
      root: root2,
      body,
      keys: keys3,
      initial,
      model,
      signal: stop.signal,
      on: (node, event, run, more2) => node.addEventListener(event, run, { signal: stop.signal, ...more2 }),
      /** Work that reads the layout, run at the start of the next drawing. */
      read(work) {
        reads.add(work);
        frame.schedule();
      },
      /** A part of the widget and how to draw it: draw(what compute() gave, has the movement ended?). */
      region(node, draw) {
        regions.set(node, { draw, seen: true, times: regions.size });
        draw(options.compute(), true);
        watcher.observe(node);
        return node;
      },
      schedule() {
        request ||= requestAnimationFrame(tick);
      },
      /**
       * Under a moving pointer what the eye cannot follow takes turns, numbers and pale arrows: is it the turn of part i of a region?
       * Numbers that change together change in one frame, since one new text is as dear to lay out as ten. `at` counts the drawings.
       */
      due: (i, turns2 = TURNS, at2 = times3) => steps2 < 2 || (at2 + i) % turns2 === 0,
      /** A weight as fine as a moving picture shows it: what changes less is not drawn anew. At rest it is itself. */
      rough: (w) => steps2 < 2 ? w : Math.round(100 * w) / 100,
      set(name, value3) {
        own += 1;
        model.set(name, value3);
        own -= 1;
        frame.schedule();
      },
      /** One step of the history; steps that follow each other under one key are one. */
      commit(key3 = null, sentence3 = null) {
        if (!history.commit(key3)) return;
        model.save_changes();
        refresh();
        predict2?.follow();
        frame.say(sentence3 ?? predict2?.question ?? options.summary());
      },
      /** Sets a whole state that came from elsewhere: a task, a link. */
      apply(raw, sentence3 = linkSet) {
        const state = clean(raw);
        if (!state) return frame.say(linkRefused), false;
        put2(state);
        if (typeof raw.predict === "boolean") predict2?.set(raw.predict);
        frame.commit(null, sentence3);
        return true;
      },
      /** The sentence is spoken when the movement has ended. */
      say(sentence3) {
        said = sentence3;
        frame.settle();
      },
      settle() {
        rest = performance.now() + REST;
        timer ||= setTimeout(still2, REST);
      },
      dispose() {
        stop.abort();
        watcher.disconnect();
        cancelAnimationFrame(request);
        clearTimeout(timer);
        for (const name of traits) model.off(`change:${name}`, changed);
        root2.remove();
      }
    };
    const regions = /* @__PURE__ */ new Map();
    const watcher = new IntersectionObserver((entries2) => {
      for (const { target, isIntersecting } of entries2) regions.get(target).seen = isIntersecting;
      frame.schedule();
    }, { rootMargin: "80px" });
    let pressed = false, before = 0, turns = 1, turn = 0, steps2 = 0, times3 = 0;
    const press = (event) => {
      [pressed, steps2] = [event.type === "pointerdown", 0];
    };
    for (const event of ["pointerdown", "pointerup", "pointercancel"]) frame.on(root2, event, press, { capture: true });
    function tick(time) {
      const late = time - before;
      turns = !pressed || late > LONG ? 1 : Math.max(1, Math.min(8, late > LATE ? turns + 1 : turns - 0.05));
      [before, turn, steps2] = [time, turn + 1, pressed ? steps2 + 1 : 0];
      for (const work of reads) work();
      reads.clear();
      const now = options.compute(), active = root2.getRootNode().activeElement;
      [...regions].filter(([, { seen }]) => seen).forEach(([node, region], i) => {
        if ((turn + i) % Math.floor(turns) && !node.contains(active)) return;
        times3 = region.times += 1;
        region.draw(now);
      });
      predict2?.follow();
      request = 0;
      frame.settle();
    }
    function still2() {
      const left3 = rest - performance.now();
      timer = left3 > 1 ? setTimeout(still2, left3) : 0;
      if (timer) return;
      steps2 = 0;
      const now = options.compute();
      for (const region of regions.values()) region.draw(now, true);
      text(live, said);
    }
    function changed() {
      if (own) return;
      history.follow();
      frame.schedule();
    }
    function put2(state) {
      for (const [name, value3] of Object.entries(state)) frame.set(name, value3);
    }
    function travel(state, sentence3) {
      if (!state) return;
      put2(state);
      model.save_changes();
      refresh();
      predict2?.follow();
      frame.say(sentence3);
    }
    const undo2 = () => travel(history.undo(), undone);
    const redo2 = () => travel(history.redo(), redone);
    const button = (label6, run, more2) => {
      const node = html("button", { type: "button", ...more2 }, label6);
      frame.on(node, "click", () => node.getAttribute("aria-disabled") !== "true" && run());
      return node;
    };
    frame.button = button;
    const undoButton = button(undo, undo2);
    const redoButton = button(redo, redo2);
    function refresh() {
      attr(undoButton, "aria-disabled", String(!history.canUndo));
      attr(redoButton, "aria-disabled", String(!history.canRedo));
    }
    const predict2 = options.predict && createPredict(frame, options.predict, snapshot);
    if (predict2) body.append(predict2.node);
    const tray = createTray(frame);
    const files = {
      SVG: () => svgBlob(options.picture()),
      PNG: () => pngBlob(options.picture()),
      CSV: () => new Blob([csv(options.rows())], { type: "text/csv" })
    };
    const save2 = async (kind2, make) => {
      const name = `${options.file.replaceAll("_", "-")}.${kind2.toLowerCase()}`;
      try {
        download(await make(), name);
        frame.say(saved(name));
      } catch {
        frame.say(failed);
      }
    };
    const link2 = () => tray.offer(page.url(JSON.parse(snapshot())), linkShown);
    const code = () => tray.offer(options.code(), codeShown, `${options.file}.py`);
    frame.close = (helpTitle3, help3) => {
      const tasks2 = taskList(frame, model.get("tasks") ?? []);
      if (tasks2) body.prepend(tasks2);
      body.append(...[
        helpTitle3 && html("details", { class: "ag-help" }, html("summary", {}, helpTitle3), html("p", { class: "ag-hint" }, help3)),
        html(
          "div",
          { class: "ag-actions", role: "group", "aria-label": actions },
          undoButton,
          redoButton,
          button(reset, () => {
            put2(initial);
            frame.commit(null, resetDone);
          }),
          page && button(link, link2),
          predict2?.toggle,
          html(
            "span",
            { class: "ag-save" },
            html("span", { class: "ag-hint", "aria-hidden": "true" }, save),
            ...Object.entries(files).map(([kind2, make]) => button(kind2, () => save2(kind2, make), { "aria-label": saveAs(kind2) })),
            button("NumPy", code)
          )
        ),
        tray.node,
        live
      ].filter(Boolean));
    };
    const onKey = (event) => {
      const target = event.composedPath()[0];
      if (!(target instanceof Node && root2.contains(target))) return;
      const command = event.ctrlKey || event.metaKey;
      const typing = target.matches("textarea, input:not([type=checkbox], [type=radio], [type=range])");
      const wanted = { z: event.shiftKey ? redo2 : undo2, y: redo2 }[command && !typing ? event.key.toLowerCase() : ""];
      const plain = !command && !event.altKey;
      if (wanted || plain && keys3.get(target)?.(event)) {
        wanted?.();
        event.preventDefault();
        event.stopImmediatePropagation();
      } else if (plain && event.key !== "Tab") event.stopImmediatePropagation();
    };
    let listening = false;
    const listen = (wanted) => {
      if (wanted === listening) return;
      listening = wanted;
      if (wanted) window.addEventListener("keydown", onKey, { capture: true, signal: stop.signal });
      else window.removeEventListener("keydown", onKey, { capture: true });
    };
    frame.on(root2, "focusin", () => listen(true));
    frame.on(root2, "focusout", (event) => listen(root2.contains(event.relatedTarget)));
    for (const name of traits) model.on(`change:${name}`, changed);
    refresh();
    el.append(root2);
    return frame;
  }
  var widget = (start5, names3, shape) => ({
    render({ model: given, el, page = null, view = {} }) {
      const model = page ? given : whole(given);
      const look = () => JSON.stringify(shape((name) => model.get(name)));
      let now = look(), dispose = start5(model, el, page, view);
      const restart = () => {
        if (look() === now) return;
        now = look();
        dispose();
        dispose = start5(model, el, page, view);
      };
      for (const name of names3) model.on(`change:${name}`, restart);
      return () => {
        for (const name of names3) model.off(`change:${name}`, restart);
        dispose();
      };
    }
  });
  var whole = (model) => ({
    get(name) {
      const value3 = model.get(name) ?? null;
      return name === "tasks" && typeof value3 === "string" ? JSON.parse(value3) : value3;
    },
    set: (name, value3) => model.set(name, value3),
    save_changes: () => model.save_changes(),
    on: (event, run) => model.on(event, run),
    off: (event, run) => model.off(event, run)
  });
  function createTray(frame) {
    const area2 = html("textarea", { readonly: true, rows: 3, spellcheck: "false", class: "ag-text" });
    const note = html("span", { class: "ag-hint" });
    let name = null;
    const copy2 = frame.button(copy, async () => text(note, await copied2(area2.value) ? copied : byHand2()));
    const file = frame.button(saveAs(".py"), () => download(new Blob([area2.value], { type: "text/x-python" }), name));
    const close2 = frame.button(close, () => {
      node.hidden = true;
    });
    const node = html("div", { class: "ag-tray", hidden: true }, area2, html("div", { class: "ag-row" }, copy2, file, close2, note));
    const byHand2 = () => (area2.select(), copyByHand);
    return {
      node,
      /** Copies a text, and shows it where that is not allowed, or where it can be saved: `as` is the name of its file. */
      async offer(value3, sentence3, as = null) {
        area2.value = value3;
        area2.rows = Math.min(14, value3.split("\n").length + 1);
        area2.setAttribute("aria-label", sentence3);
        name = as;
        file.hidden = !as;
        const good = await copied2(value3);
        node.hidden = good && !as;
        text(note, good ? copied : byHand2());
        frame.say(good ? `${copied} ${sentence3}` : sentence3);
      }
    };
  }
  async function copied2(value3) {
    try {
      await navigator.clipboard.writeText(value3);
      return true;
    } catch {
      return false;
    }
  }
  function taskList(frame, tasks2) {
    if (!tasks2.length) return null;
    const item = ({ text: task, state }) => html(
      "li",
      {},
      html("span", {}, ...formula(task)),
      state ? frame.button(setView, () => frame.apply(state, viewSet)) : null
    );
    return html(
      "div",
      { class: "ag-tasks" },
      html("p", { class: "ag-title" }, tasks),
      html("ol", {}, ...tasks2.map(item))
    );
  }

  // pipe_tables.js
  var STEP = 0.1;
  var COARSE = 1;
  var PIXELS = 4;
  var FINE2 = 0.05;
  var SHOWN = 1200;
  function createTable({ frame, name, rows, columns, size: [n, m], called, editor, follow: follow2 }) {
    const given = GIVEN2.includes(name);
    let current = [0, 0];
    const head2 = (names3, j) => html("th", { scope: "col", title: names3[j] }, html("bdi", { class: "ag-pipe-name" }, visible(names3[j], 14)));
    const cells3 = Array.from({ length: n }, (_, i) => Array.from({ length: m }, (_2, j) => createCell(i, j)));
    const lines = cells3.map((row, i) => {
      const th = html(
        "th",
        { scope: "row", title: rows.names[i], class: rows.hidden ? "ag-hidden" : follow2 ? "ag-pipe-follow" : null },
        html("bdi", { class: "ag-pipe-name" }, visible(rows.names[i], 14))
      );
      if (follow2) frame.on(th, "click", () => follow2(i));
      return { node: html("tr", {}, th, ...row.map((cell) => html("td", {}, cell.node))), th };
    });
    const node = html(
      "table",
      { class: `ag-pipe-table ag-pipe-${KINDS2[name.at(-1)] ?? "x"}${given ? " ag-pipe-given" : ""}`, "data-matrix": name },
      html("caption", { class: "ag-hidden" }, captions[name]),
      html("thead", { class: columns.hidden ? "ag-hidden" : null }, html("tr", {}, html("td", { class: rows.hidden ? "ag-hidden" : null }), ...columns.names.map((_, j) => head2(columns.names, j)))),
      html("tbody", {}, ...lines.map((line3) => line3.node))
    );
    function createCell(i, j) {
      const number2 = html("span", {}), place3 = [name, i, j], data = { class: "ag-pipe-cell", tabindex: -1, "data-cell": place3.join(".") };
      const node2 = given ? html("div", { ...data, role: "spinbutton" }, number2) : html("button", { ...data, type: "button" }, number2);
      frame.keys.set(node2, (event) => onKey(place3, event));
      return { node: node2, number: number2, place: place3, timer: 0 };
    }
    const cellOf = (event) => {
      const node2 = event.target.closest(".ag-pipe-cell"), [, i, j] = node2?.dataset.cell.split(".") ?? [];
      return node2 && cells3[i][j];
    };
    frame.on(node, "focusin", (event) => {
      const { place: place3 } = cellOf(event) ?? {};
      if (!place3) return;
      rove(place3[1], place3[2]);
      editor.open(place3);
    });
    frame.on(node, "click", (event) => cellOf(event)?.node.focus({ preventScroll: true }));
    function rove(i, j) {
      attr(cells3[current[0]][current[1]].node, "tabindex", "-1");
      current = [i, j];
      attr(cells3[i][j].node, "tabindex", "0");
    }
    function onKey(place3, event) {
      const [, i, j] = place3, way = ARROWS[event.key];
      if (given && way?.[1]) {
        editor.change(place3, frame.model.get(name)[i][j] + way[1] * (event.shiftKey ? COARSE : STEP));
        editor.commit(place3, `keys ${place3}`);
      } else if (way) {
        const flat = Math.max(0, Math.min(n * m - 1, i * m + j + way[0]));
        const [a, b] = way[1] ? [Math.max(0, Math.min(n - 1, i - way[1])), j] : [Math.floor(flat / m), flat % m];
        cells3[a][b].node.focus();
      } else if (event.key === "Home" && given) editor.reset(place3);
      else if (given && (event.key === "Enter" || /^[\d.-]$/.test(event.key))) editor.type(event.key === "Enter" ? "" : event.key);
      else if (event.key === "Escape") editor.open(null);
      else return false;
      return true;
    }
    if (given) {
      followPointer(frame, node, {
        hold(event) {
          const cell = cellOf(event);
          return cell && { ...cell, start: frame.model.get(name)[cell.place[1]][cell.place[2]] };
        },
        move(drag, event) {
          const steps2 = Math.round((drag.y - event.clientY) / PIXELS);
          drag.changed ||= steps2 !== 0;
          if (drag.changed) editor.change(drag.place, drag.start + steps2 * FINE2);
        },
        drop({ changed, place: place3, start: start5 }, kept) {
          if (!changed) return;
          if (!kept) editor.change(place3, start5, true);
          editor.commit(place3);
        }
      });
    }
    rove(0, 0);
    let first = true;
    return {
      node,
      cells: cells3,
      /** marks: a set of the places [name, i, j] joined by commas from which the opened number came. */
      draw(now, { opened, marks }, settled) {
        const largest3 = largestOf(now[name]);
        cells3.forEach((row, i) => (i === now.selected || frame.due(i, n)) && row.forEach((cell, j) => {
          const value3 = entry4(now, cell.place), key3 = String(cell.place), shown = cellText(value3, given);
          const tint = 6 + 2 * Math.round(17 * shade(name, value3, largest3));
          const look = `${shown} ${tint} ${opened === key3} ${marks.has(key3)}`;
          if (cell.look === look && !settled) return;
          if (cell.shown !== shown && !first) mark(cell);
          Object.assign(cell, { shown, look });
          text(cell.number, shown);
          attr(cell.node, "style", `--ag-tint:${tint}%`);
          cell.node.classList.toggle("ag-pipe-negative", value3 !== null && value3 < 0);
          cell.node.classList.toggle("ag-pipe-masked", value3 === null);
          cell.node.classList.toggle("ag-pipe-opened", opened === key3);
          cell.node.classList.toggle("ag-pipe-source", marks.has(key3));
          if (given) {
            attr(cell.node, "aria-valuenow", String(value3));
            attr(cell.node, "aria-valuetext", shown);
          }
          if (settled) attr(cell.node, "aria-label", given ? called(i, j) : `${called(i, j)}: ${value3 === null ? masked3 : shown}`);
        }));
        if (follow2) lines.forEach((line3, i) => line3.node.classList.toggle("ag-pipe-on", i === now.selected));
        first = false;
      }
    };
  }
  function mark(cell) {
    clearTimeout(cell.timer);
    cell.node.classList.add("ag-pipe-changed");
    cell.timer = setTimeout(() => cell.node.classList.remove("ag-pipe-changed"), SHOWN);
  }

  // attention_pipeline.js
  var TRAITS = [...GIVEN2, "temperature", "scaled", "mask", "selected", "reading"];
  var REACH = 1e6;
  var attention_pipeline_default = widget(start, [...GIVEN2, "tokens", "tasks"], (get) => [...GIVEN2.map((name) => sizeOf(get(name))), get("tokens"), get("tasks")]);
  var sizeOf = (M) => [M.length, M[0].length];
  function cleanState(raw, sizes) {
    const n = sizes.X[0];
    return cleaned(raw, {
      ...Object.fromEntries(GIVEN2.map((name) => [name, (x) => isMatrix(x, ...sizes[name])])),
      temperature: isTemperature,
      scaled: isBoolean,
      mask: (x) => x === null || x === "causal" || isMatrix(x, n, n, isBoolean),
      selected: (x) => isIndex(x, n),
      reading: (x) => x === "attends" || x === "flows",
      opened: (x) => x === null || Array.isArray(x) && x.length === 3 && Object.hasOwn(sizes, x[0]) && isIndex(x[1], sizes[x[0]][0]) && isIndex(x[2], sizes[x[0]][1])
    });
  }
  function start(model, el, page, view) {
    const get = (name) => model.get(name);
    const tokens3 = get("tokens"), called = tokens3.map((token2) => visible(token2, 14));
    const compute = keep([...TRAITS, "opened"], get, () => {
      const state = Object.fromEntries([...TRAITS, "opened"].map((name) => [name, get(name)]));
      return stages2({ ...state, temperature: state.temperature === "inf" ? Infinity : state.temperature });
    });
    const sizes = sizesOf(compute());
    const told = () => sentence[get("reading")](called[get("selected")], shares2(compute(), called, get("selected")));
    const title = ([name, i, j]) => titles[name](called[i], name === "S" || name === "A" ? called[j] : j + 1, i + 1);
    const story = (place3) => stories[entry4(compute(), place3) === null ? "masked" : place3[0]](called[place3[1]], called[place3[2]], place3[2] + 1);
    const spoken2 = (place3) => `${title(place3)}: ${fixed(entry4(compute(), place3))}.`;
    const frame = createFrame({
      model,
      el,
      page,
      label: label4,
      traits: TRAITS,
      compute,
      summary: told,
      clean: (raw) => cleanState(raw, sizes),
      file: "attention_pipeline",
      picture: () => paper2(),
      rows: () => numbersOf(compute(), sizes, tokens3),
      code: () => pipelineLines(Object.fromEntries(TRAITS.map((name) => [name, get(name)])), tokens3),
      predict: {
        cover: () => [mix.answer, weights, graph2.node, outputs, ...["A", "Y"].includes(get("opened")?.[0]) ? [arithmetic3.node] : []],
        ask: () => question2(compute(), called)
      }
    });
    view.apply = (raw) => frame.apply(raw);
    model.on("change:opened", frame.schedule);
    const covered = () => frame.root.querySelector(".ag-covered") !== null;
    const follow2 = (i, dragging = false) => {
      if (i === get("selected")) return;
      frame.set("selected", i);
      if (!dragging) frame.commit("select");
    };
    const commit = (key3, sentence3) => frame.commit(key3, covered() ? null : `${sentence3} ${told()}`);
    const editor = {
      open(place3) {
        if (String(place3) === String(get("opened"))) return;
        frame.set("opened", place3);
        model.save_changes();
        if (place3) frame.say(`${spoken2(place3)} ${story(place3)}`);
      },
      change([name, i, j], value3, exact = false) {
        const x = exact ? value3 : tidy(value3);
        frame.set(name, get(name).map((row, r) => r === i ? row.map((old, c) => c === j ? x : old) : row));
      },
      commit: (place3, key3 = null) => commit(key3, spoken2(place3)),
      reset(place3) {
        editor.change(place3, frame.initial[place3[0]][place3[1]][place3[2]], true);
        editor.commit(place3);
      },
      type: (sign) => arithmetic3.type(sign)
    };
    const tables = createTables({ frame, tokens: tokens3, sizes, title, editor, follow: follow2 });
    const points3 = sizes.X[1] !== 2 ? null : createPoints({
      frame,
      tokens: tokens3,
      called,
      initial: get("X"),
      follow: follow2,
      move: (i, p) => frame.set("X", get("X").map((row, r) => r === i ? p.map(tidy) : row)),
      commit: (i, key3 = null) => commit(key3, moved(pointOf(called[i]), place(...get("X")[i].map((x) => fixed(x)))))
    });
    const graph2 = createGraph2({ frame, tokens: tokens3, called, follow: follow2 });
    const mix = createMix({ frame, tokens: tokens3, called, follow: follow2 });
    const arithmetic3 = createArithmetic({ frame, title, story, editor });
    const settings2 = createSettings({ frame, point: points3?.fields });
    const body = (...parts3) => html("div", { class: "ag-pipe-body" }, ...parts3);
    const weights = body(tables.A.node), outputs = body(tables.Y.node), match2 = html("p", { class: "ag-hint" });
    const hint = (k) => html("p", { class: "ag-hint" }, hints[k - 1]);
    const items = [
      [hint(1), html("div", { class: "ag-pipe-pair" }, tables.X.node, points3?.node)],
      ["Q", "K", "V"].map((name) => lane(name, tables)),
      [match2, body(tables.S.node)],
      [hint(4), weights],
      [graph2.hint, graph2.node],
      [hint(6), outputs]
    ].map((parts3, k) => html("li", { class: `ag-pipe-stage ag-pipe-stage-${k + 1}` }, heading(k + 1), ...parts3));
    const picture = html("div", { class: `ag-pipe-picture${tokens3.length > CROWD ? " ag-pipe-dense" : ""}` }, html("ol", { class: "ag-pipe-stages", role: "list" }, ...items));
    const flows = createFlows({ frame, picture, list: items, tables, graph: graph2.picture, plane: points3?.picture, sizes });
    frame.body.append(
      html("p", { class: "ag-pipe-lead" }, lead3, " ", html("span", { class: "ag-hint" }, todo)),
      frame.region(mix.node, mix.draw),
      frame.region(picture, (now, settled) => {
        const sources2 = now.opened ? arithmetic2(now, now.opened).sources : [];
        const look = { opened: now.opened && String(now.opened), marks: new Set(sources2.map(String)) };
        for (const one of Object.values(tables)) one.draw(now, look, settled);
        points3?.draw(now);
        graph2.draw(now, settled);
        text(match2, match(now.scaled ? sizes.Q[1] : 1));
      }),
      frame.region(arithmetic3.node, arithmetic3.draw),
      frame.region(settings2.node, settings2.draw)
    );
    frame.close(helpTitle2, help2);
    const paper2 = () => {
      const now = compute(), sheet = element(pipelinePicture(now, tokens3, settingsLine(now)));
      sheet.prepend(svg("rect", { width: "100%", height: "100%", fill: "white" }));
      for (const node of sheet.querySelectorAll("[class]")) node.removeAttribute("class");
      return sheet;
    };
    return () => {
      model.off("change:opened", frame.schedule);
      flows.dispose();
      frame.dispose();
    };
  }
  var tidy = (x) => Number(Math.max(-REACH, Math.min(REACH, x)).toFixed(4)) || 0;
  function sizesOf(now) {
    const n = now.X.length;
    const made = { A: [n, n], Y: [n, now.V[0].length] };
    return Object.fromEntries([...GIVEN2, ...MADE].map((name) => [name, made[name] ?? sizeOf(now[name])]));
  }
  function createTables({ frame, tokens: tokens3, sizes, title, editor, follow: follow2 }) {
    const axis = (count) => ({ names: Array.from({ length: count }, (_, c) => String(c + 1)), hidden: true });
    const make = (name, rows, columns, more2) => createTable({
      frame,
      name,
      rows,
      columns,
      size: sizes[name],
      called: (i, j) => title([name, i, j]),
      editor,
      ...more2
    });
    const named2 = { names: tokens3 }, unnamed = { names: tokens3, hidden: true };
    const projections = ["Q", "K", "V"].flatMap((name) => [
      [`W_${name}`, make(`W_${name}`, axis(sizes.X[1]), axis(sizes[name][1]))],
      [name, make(name, unnamed, axis(sizes[name][1]))]
    ]);
    return {
      X: make("X", named2, axis(sizes.X[1]), { follow: follow2 }),
      ...Object.fromEntries(projections),
      S: make("S", named2, named2, { follow: follow2 }),
      A: make("A", named2, named2, { follow: follow2 }),
      Y: make("Y", named2, axis(sizes.Y[1]), { follow: follow2 })
    };
  }
  var heading = (k) => html(
    "p",
    { class: "ag-pipe-head" },
    html("span", { class: "ag-pipe-step", "aria-hidden": "true" }, k),
    html("span", {}, stages[k - 1], "\xA0", symbol({ 1: "X", 3: "S", 4: "A", 6: "Y" }[k] ?? ""))
  );
  var symbol = (letter, low) => html("span", { class: "ag-pipe-symbol", "aria-hidden": "true" }, letter, low && html("sub", {}, low));
  var lane = (name, tables) => html(
    "div",
    { class: "ag-pipe-lane" },
    html("p", { class: "ag-pipe-kind" }, glyph(KINDS2[name]), html("b", {}, matrices[name]), symbol(name), html("span", { class: "ag-hint" }, means[name])),
    html(
      "div",
      { class: "ag-pipe-times" },
      html("div", {}, symbol("W", name), tables[`W_${name}`].node),
      tables[name].node
    )
  );
  function question2(now, called) {
    const i = now.selected, best = winners(now, i);
    if (!best.length) return null;
    const { open: open2, ...answers } = whichLargest(best, now.allowed[i], called, askTie2);
    const listed = (row) => open2.map((j) => `${called[j]} ${fixed(row[j])}`).join(", ");
    return { question: ask3(called[i]), ...answers, why: askWhy2(listed(now.S[i]), listed(now.A[i])) };
  }
  function numbersOf(now, sizes, tokens3) {
    const lines = Object.entries(sizes).flatMap(([name, [rows, columns]]) => Array.from({ length: rows * columns }, (_, c) => {
      const [i, j] = [Math.floor(c / columns), c % columns];
      const row = name.startsWith("W_") ? "" : tokens3[i];
      return [name, i, j, row, name === "S" || name === "A" ? tokens3[j] : "", entry4(now, [name, i, j])];
    }));
    return [["matrix", "row", "column", "token", "to_token", "value"], ...lines];
  }

  // tokens.js
  var PARTS = ["popularity", "reciprocal", "circulating"];
  function createTokens({ frame, get }) {
    const known2 = {};
    const keyMatrix = () => get(get("tied") ? "W_Q" : "W_K");
    const matrices2 = { W_Q: createMatrix(frame, "W_Q"), W_K: createMatrix(frame, "W_K") };
    const tie2 = check(frame, (on) => frame.set("tied", on), ...formula(tie));
    const turn = slider(frame, antisymmetry, 100, (position) => {
      const { W_Q, W_K } = turnForm(get("W_Q"), keyMatrix(), position / 100, known2);
      frame.set("tied", false);
      frame.set("W_Q", W_Q);
      frame.set("W_K", W_K);
    });
    const form2 = html("span", {});
    const bars = PARTS.map((name) => {
      const fill2 = html("span", { class: "ag-fill" }), value3 = html("td", {});
      return { fill: fill2, value: value3, node: html(
        "tr",
        {},
        html("th", { scope: "row", title: shareHints[name] }, shares[name]),
        html("td", { class: "ag-bar" }, html("span", { class: "ag-track" }, fill2)),
        value3
      ) };
    });
    const said = html("p", { class: "ag-hint" });
    return {
      node: html(
        "section",
        { class: "ag-panel" },
        html("p", { class: "ag-title" }, sourceTitle),
        html(
          "div",
          { class: "ag-experiment" },
          html(
            "div",
            { class: "ag-part" },
            html("div", { class: "ag-row ag-matrices" }, matrices2.W_Q.node, matrices2.W_K.node),
            html("div", { class: "ag-row" }, tie2.field, about2(tie, ...formula(tieHint))),
            html("div", { class: "ag-row" }, turn.node, about2(antisymmetry, ...formula(antisymmetryHint))),
            html("p", { class: "ag-number-text" }, ...formula(formName), form2)
          ),
          html(
            "div",
            { class: "ag-part" },
            html("table", { class: "ag-shares" }, html("caption", {}, sharesTitle), html("tbody", {}, ...bars.map((bar) => bar.node))),
            said
          )
        )
      ),
      draw({ scores: scores2, tied, W_Q, W_K }) {
        const used = tied ? W_Q : W_K, share3 = symmetricShare(W_Q, used);
        matrices2.W_Q.draw(W_Q);
        matrices2.W_K.draw(used, tied);
        tie2.box.checked = tied;
        turn.draw(Math.round(100 * (1 - (share3 ?? 1))), share3 === null ? "\u2013" : antisymmetryText(fixed(1 - share3)));
        text(form2, formLine(W_Q.map((row) => used.map((other) => fixed(row[0] * other[0] + row[1] * other[1])))));
        const whole2 = scores2.flat().every((s) => s !== null), shares3 = whole2 ? energyShares(scores2) : [null, null, null];
        bars.forEach(({ fill: fill2, value: value3 }, i) => {
          attr(fill2, "style", `transform:scaleX(${(shares3[i] ?? 0).toFixed(4)})`);
          text(value3, fixed(shares3[i], 3));
        });
        text(said, shares3[2] === null ? sharesNone : shares3[2] < 5e-4 ? sharesReversible : sharesCirculate);
      }
    };
  }
  function createMatrix(frame, name) {
    const inputs = [0, 1].map((r) => [0, 1].map((c) => entryField(frame, name, r, c, { step: "0.1", "aria-label": entry(name, r + 1, c + 1) })));
    return {
      node: html(
        "div",
        { class: "ag-matrix", role: "group", "aria-label": name },
        html("span", { "aria-hidden": "true" }, ...formula(name)),
        html("div", { class: "ag-entries" }, ...inputs.flat())
      ),
      draw(rows, locked = false) {
        inputs.forEach((line3, r) => line3.forEach((input, c) => {
          showNumber(input, rows[r][c]);
          input.disabled = locked;
        }));
      }
    };
  }

  // witness.js
  var onCircle2 = (i, n) => direction(i, n).map((x) => 160 + 86 * x);
  function createWitness() {
    const arrows = Array.from({ length: 3 }, () => {
      const shaft = svg("path", {}), head2 = svg("path", { d: "M0 0L-9 4.6V-4.6Z" });
      return { shaft, head: head2, group: svg("g", {}, shaft, head2), name: svg("text", { class: "ag-name ag-strong-text", "text-anchor": "middle" }) };
    });
    const mesh = svg("path", { class: "ag-court-mesh" });
    const under2 = svg("g", { class: "ag-court-witness" }, ...arrows.map((arrow2) => arrow2.group));
    const over = svg("g", { class: "ag-court-numbers" }, ...arrows.map((arrow2) => arrow2.name));
    return {
      mesh,
      under: under2,
      over,
      draw({ shown, verdicts: verdicts2, D }, at2) {
        attr(mesh, "d", at2.flatMap((p, i) => at2.slice(0, i).map((q) => line(p, q))).join(""));
        const { witness, holds: holds2 } = verdicts2[shown];
        const found = witness ? parts2(shown, witness, at2, D) : [], boxes = found.flatMap(({ ends, middle: middle2 }) => ends.flatMap((end3) => along2(end3, middle2)));
        arrows.forEach(({ shaft, head: head2, group, name }, a) => {
          const part = found[a];
          show2(group, part);
          show2(name, part);
          if (!part) return;
          attr(group, "class", `ag-court-${part.detour ? "detour" : holds2 ? "room" : "direct"}`);
          attr(shaft, "d", part.d);
          attr(head2, "transform", `translate(${point2(part.tip)}) rotate(${part.angle.toFixed(1)})`);
          const word2 = value2(part.value), off = 8 + 4 * word2.length * Math.abs(part.across[0]) + 5 * Math.abs(part.across[1]);
          const [x, y] = part.middle.map((m, c) => m + off * part.across[c]);
          put(name, x, y + 4.5);
          text(name, word2);
          boxes.push(around([x, y], 4 * word2.length + 2, 8));
        });
        return boxes;
      }
    };
  }
  var value2 = (x) => x === Infinity ? "\u221E" : short(x);
  function parts2(axiom, witness, at2, D) {
    if (axiom === "triangle") {
      const [i2, j2, k] = witness, [[x, y], [a, b], [u, v]] = witness.map((t) => at2[t]);
      const bend = (u - x) * (b - y) - (v - y) * (a - x) > 0 ? -0.2 : 0.2;
      const apart = control(at2[i2], at2[k], bend);
      return [
        { ...curve2(at2[i2], at2[j2], 0, apart), value: D[i2][j2], detour: true },
        { ...curve2(at2[j2], at2[k], 0, apart), value: D[j2][k], detour: true },
        { ...curve2(at2[i2], at2[k], bend), value: D[i2][k] }
      ];
    }
    const [i, j = i] = witness;
    if (i === j) return [{ ...loop2(at2[i]), value: D[i][i] }];
    const way = (from, to, bend) => ({ ...curve2(at2[from], at2[to], bend), value: D[from][to] });
    return axiom === "symmetry" ? [way(i, j, 0.16), way(j, i, 0.16)] : [way(i, j, 0)];
  }
  var control = ([x, y], [u, v], bend) => [(x + u) / 2 - bend * (v - y), (y + v) / 2 + bend * (u - x)];
  function curve2(p, q, bend, apart = null) {
    const m = control(p, q, bend), length2 = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
    const across3 = [-(q[1] - p[1]) / length2, (q[0] - p[0]) / length2];
    const near = apart && across3[0] * (apart[0] - m[0]) + across3[1] * (apart[1] - m[1]) > 0;
    const side = apart ? near ? -1 : 1 : bend < 0 ? -1 : 1;
    const start5 = toward(p, m, 9), stop = toward(q, m, 14);
    return {
      d: `M${point2(start5)}Q${point2(m)} ${point2(stop)}`,
      tip: toward(q, m, 9.5),
      angle: degrees(q[0] - m[0], q[1] - m[1]),
      ends: [p, q],
      middle: [0, 1].map((c) => 0.25 * p[c] + 0.5 * m[c] + 0.25 * q[c]),
      across: across3.map((x) => side * x)
    };
  }
  function loop2([x, y]) {
    const length2 = Math.hypot(x - 160, y - 160), [c, s] = length2 > 1 ? [(160 - x) / length2, (160 - y) / length2] : [0, 1];
    const off = (r, [u, v]) => [x + r * u, y + r * v], [a, b] = sides([c, s]);
    return {
      d: `M${point2(off(9, a))}C${point2(off(54, a))} ${point2(off(54, b))} ${point2(off(14, b))}`,
      tip: off(9.5, b),
      angle: degrees(-b[0], -b[1]),
      ends: [off(54, a), off(54, b)],
      middle: off(36, [c, s]),
      across: [c, s]
    };
  }

  // court_matrix.js
  function createMatrix2(frame, names3, onRepair) {
    const field = (i, j) => entryField(frame, "M", i, j, {}, () => frame.commit(null, entered(i + 1, j + 1, short(frame.model.get("M")[i][j]))));
    const hand = createTable2(names3, field), judged2 = createTable2(names3);
    const buttons = Object.keys(REPAIRS).map((name) => ({
      name,
      node: frame.button(repairNames[name], () => onRepair(name), { "aria-pressed": "false", title: repairHints[name] })
    }));
    const list3 = html("ul", { class: "ag-court-damage" });
    return {
      node: html("div", { class: "ag-court-stack" }, hand.node, judged2.node, html(
        "div",
        {},
        html("div", { class: "ag-title" }, repairs, about2(repairs, repairsHint)),
        html("div", { class: "ag-row", role: "group", "aria-label": repairs }, ...buttons.map((button) => button.node)),
        list3
      )),
      draw({ D, M: typed, source: source2, base, candidate: candidate2, verdicts: verdicts2, shown, repairs: repairs2, steps: steps2 }) {
        const marks = marked(shown, verdicts2[shown].witness), same = source2 === "dissimilarities" && !steps2.length;
        hand.node.hidden = source2 === "points";
        judged2.node.hidden = same;
        text(judged2.caption, judged(source2 === "dissimilarities" ? "" : candidate2, steps2.length));
        judged2.cells.forEach((row, i) => frame.due(i) && row.forEach((cell, j) => {
          const moved2 = base && base[i][j] !== D[i][j];
          text(cell, value2(D[i][j]));
          attr(cell, "title", moved2 ? was(value2(base[i][j])) : null);
          attr(cell, "class", `${marks[`${i} ${j}`] ?? ""}${moved2 ? " ag-court-moved" : ""}` || null);
        }));
        if (source2 !== "points") {
          text(hand.caption, entries[source2]);
          hand.cells.forEach((row, i) => row.forEach((cell, j) => {
            const input = cell.firstChild;
            attr(cell, "class", same && marks[`${i} ${j}`] || null);
            attr(input, "aria-label", entry2(source2, i + 1, j + 1));
            if (document.activeElement !== input) input.value = String(Number(typed[i][j].toPrecision(4)));
          }));
        }
        for (const { name, node } of buttons) {
          const order2 = repairs2.indexOf(name);
          attr(node, "aria-pressed", String(order2 >= 0));
          text(node, order2 < 0 || repairs2.length < 2 ? repairNames[name] : repairOrder(order2 + 1, repairNames[name]));
        }
        if (list3.children.length !== steps2.length) list3.replaceChildren(...steps2.map(() => html("li", {}, html("b", {}), html("span", {}))));
        steps2.forEach((step, s) => {
          text(list3.children[s].firstChild, `${repairNames[step.name]}: `);
          text(list3.children[s].lastChild, sentence2(step, names3.length));
        });
      }
    };
  }
  function createTable2(names3, field) {
    const cells3 = names3.map((_, i) => names3.map((__, j) => html("td", {}, field?.(i, j))));
    const name = (i) => html("bdi", {}, names3[i]), caption = html("caption", {});
    return {
      cells: cells3,
      caption,
      node: table2({ class: "ag-court-matrix" }, caption, [html("td", {}), ...names3.map((_, j) => headOf(name(j)))], cells3.map((row, i) => rowOf(name(i), row)))
    };
  }
  function sentence2({ possible, shift, changed, largest: largest3, comparisons, lost }, n) {
    if (!possible) return impossible;
    return (shift === null ? "" : shifted(value2(shift))) + damage(changed, n * n, value2(largest3)) + order(lost, comparisons);
  }
  function marked(axiom, witness) {
    if (!witness) return {};
    const [i, j = i, k] = witness, direct = "ag-court-cell", round2 = "ag-court-cell ag-court-round";
    if (axiom === "triangle") return { [`${i} ${k}`]: direct, [`${i} ${j}`]: round2, [`${j} ${k}`]: round2 };
    return { [`${i} ${j}`]: direct, ...axiom === "symmetry" && { [`${j} ${i}`]: direct } };
  }

  // court_panels.js
  var SIGNS = { true: ["\u2713", "ag-court-holds"], false: ["\u2717", "ag-court-fails"], null: ["\u2013", ""] };
  function createSign() {
    const node = html("span", { class: "ag-court-sign", "aria-hidden": "true" });
    return { node, draw(holds2, sign = SIGNS[holds2][0]) {
      text(node, sign);
      attr(node, "class", `ag-court-sign ${SIGNS[holds2][1]}`);
    } };
  }
  function margin(axiom, { holds: holds2, worst, witness }, D) {
    if (!witness) return holds2 === null ? nothing : margins.few;
    const [i, j = i, k] = witness, d2 = (a, b) => d(a + 1, b + 1), x = (a, b) => value2(D[a][b]), by = value2(Math.abs(worst));
    const say = margins;
    if (axiom === "triangle") return say.triangle(d2(i, k), d2(i, j), d2(j, k), x(i, k), x(i, j), x(j, k), by, holds2);
    if (axiom === "symmetry") return holds2 ? say.symmetric : say.symmetry(d2(i, j), d2(j, i), x(i, j), x(j, i), by);
    if (axiom === "zero_diagonal") return holds2 ? say.zero : say.zero_diagonal(d2(i, i), x(i, i));
    return say[axiom](d2(i, j), x(i, j), holds2);
  }
  function named(holds2) {
    const [kept, broken] = [true, false].map((wanted) => AXIOMS.filter((_, a) => holds2[a] === wanted).map((axiom) => names[axiom]));
    if (!broken.length) return askAll;
    if (!kept.length) return askNone;
    return kept.length < broken.length ? askOnly(kept) : askBut(broken);
  }
  function createVerdicts(frame, onShow) {
    const rows = AXIOMS.map((axiom) => {
      const sign = createSign(), word2 = html("span", { class: "ag-court-word" }), worst = html("span", { class: "ag-court-margin" });
      const known2 = html("span", { class: "ag-court-known" });
      const button = frame.button(sign.node, () => onShow(axiom), { "aria-pressed": "false" });
      button.append(html(
        "span",
        { class: "ag-court-axiom" },
        html("span", {}, html("b", {}, names[axiom]), " ", html("span", { class: "ag-court-formula" }, formulas2[axiom])),
        html("span", {}, word2, " ", worst),
        known2
      ));
      return { axiom, sign, word: word2, worst, known: known2, button };
    });
    const kind2 = html("b", {}), kindHint = html("span", {});
    const node = html(
      "div",
      { class: "ag-court-verdicts" },
      html("ul", {}, ...rows.map((row) => html("li", {}, row.button))),
      html("p", { class: "ag-court-kind" }, kind, " ", kind2, " ", kindHint)
    );
    return {
      node,
      draw({ verdicts: verdicts2, D, why, kind: name, shown, known: statuses, steps: steps2 }) {
        rows.forEach(({ axiom, sign, word: word2, worst, known: known2, button }) => {
          const verdict3 = verdicts2[axiom], { holds: holds2, violations, cases, left: left3 } = verdict3;
          sign.draw(holds2);
          text(word2, holds2 === null ? undecided : holds2 ? holds : fails(violations, cases, units[axiom]));
          text(worst, why ? "" : margin(axiom, verdict3, D) + (left3 ? `; ${left(left3)}` : ""));
          text(known2, statuses && !steps2.length ? known(statuses[AXIOMS.indexOf(axiom)]) : "");
          attr(button, "aria-pressed", String(axiom === shown));
        });
        node.lastChild.hidden = !name;
        text(kind2, kinds[name] ?? "");
        text(kindHint, name ? `(${named(AXIOMS.map((axiom) => verdicts2[axiom].holds))}${steps2.length ? forced : ""})` : "");
      }
    };
  }
  function createFree() {
    const meter = () => {
      const fill2 = html("span", { class: "ag-fill" }), name = html("span", {}), note = html("span", { class: "ag-hint" });
      const node = html("div", { class: "ag-court-meter" }, name, html("span", { class: "ag-track" }, fill2), note);
      return { node, draw(now, label6, limit2) {
        node.hidden = !now;
        if (!now) return;
        attr(fill2, "style", `transform:scaleX(${Math.max(0, Math.min(1, 0.5 + Math.log10(now.value / now.limit) / 4)).toFixed(4)})`);
        text(name, label6);
        text(note, limit2);
      } };
    };
    const known2 = meter(), general = meter(), none2 = html("p", { class: "ag-hint" }, spreadNone);
    return {
      node: html(
        "div",
        { class: "ag-court-free" },
        html("div", { class: "ag-title" }, free, about2(free, freeHint)),
        known2.node,
        general.node,
        none2
      ),
      draw({ threshold: threshold2, spread: spread4, candidate: candidate2, D, why }) {
        const say = thresholds[candidate2];
        known2.draw(threshold2, say?.(value2(threshold2?.value)), limit(short(threshold2?.limit ?? null), D.length, threshold2?.value <= threshold2?.limit));
        general.draw(
          spread4,
          spread2(short(spread4?.value ?? null)),
          spreadLimit(spread4?.value <= 2, short(Math.floor((spread4?.exponent ?? 0) * 1e3) / 1e3))
        );
        none2.hidden = Boolean(spread4 || why);
      }
    };
  }
  function createChallenges(challenges2) {
    const items = challenges2.map(({ text: wish, wanted, repairs: repairs2 }) => {
      const sign = createSign(), word2 = html("b", {}), rest = html("span", { class: "ag-hint" });
      return { wanted, most: repairs2, sign, word: word2, rest, node: html("li", {}, sign.node, html("span", {}, wish, " ", word2, " ", rest)) };
    });
    return {
      node: html(
        "section",
        { class: "ag-panel ag-court-challenges" },
        html("p", { class: "ag-title" }, challenges),
        html("ul", {}, ...items.map((item) => item.node))
      ),
      draw({ verdicts: verdicts2, steps: steps2, why }) {
        for (const { wanted, most, sign, word: word2, rest } of items) {
          const left3 = missing(wanted, verdicts2).map((axiom) => (wanted[axiom] ? mustHold : mustFail)(names[axiom]));
          if (most !== null && steps2.length > most) left3.push(fewer(most));
          left3.length ? sign.draw(null, "") : sign.draw(true);
          text(word2, left3.length ? notMet : met);
          text(rest, why ? nothing : left3.length ? still(left3) : "");
        }
      }
    };
  }

  // plane.js
  var SIZE = 320;
  var REACH2 = 140;
  var CROWD2 = 12;
  var ON = 9;
  var NEAR = 22;
  function createPlane({ frame, label: label6, points: points3, initial, vectors, onHold, moved: moved2, derived: derived2 = false, at: at2 = (trait) => frame.model.get(trait) }) {
    const crowd = points3.length > CROWD2;
    const grid = svg("g", { "aria-hidden": "true" });
    const ticks = svg("g", { "aria-hidden": "true" });
    const under2 = svg("g", { "aria-hidden": "true" });
    const over = svg("g", { "aria-hidden": "true" });
    const handles = svg("g", {});
    const picture = svg(
      "svg",
      { class: "ag-picture ag-plane", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": label6 },
      svg("rect", { class: "ag-floor", width: SIZE, height: SIZE }),
      grid,
      under2,
      ticks,
      handles,
      over
    );
    const place3 = (p) => [160 + p[0] / reach * REACH2, 160 - p[1] / reach * REACH2];
    let reach = 0, held = null, stressed = null, look = "", numbers2 = [], clear = [];
    const pen = html("canvas").getContext("2d"), wide = (name) => pen.measureText(name).width;
    new ResizeObserver(() => frame.read(() => {
      const { fontSize, fontFamily } = getComputedStyle(picture);
      pen.font = `700 ${fontSize} ${fontFamily}`;
    })).observe(picture);
    const all = points3.map(handleOf);
    handles.append(...all.map((handle) => handle.group));
    const byId = (id) => all.find((h) => h.id === id);
    const fields = coordinateFields(frame, all.map((h) => [h.id, h.full ? `${h.sign} \xB7 ${visible(h.full, 14)}` : h.sign]), {
      where: (id) => where2(byId(id)),
      move: (id, p) => move2(byId(id), p),
      commit: (id) => commit(byId(id)),
      hold: (id) => hold2(byId(id))
    });
    const where2 = ({ trait, index }, state = at2(trait)) => index === void 0 ? state : state[index];
    const step = () => 10 ** (Math.floor(Math.log10(reach)) - 2);
    const spoken2 = (p) => place(fixed(p[0]), fixed(p[1]));
    function handleOf(point4) {
      const name = svg("text", { class: "ag-name" });
      if (point4.full && point4.full !== point4.label) name.append(svg("title", {}, point4.full));
      const caption = document.createTextNode(visible(point4.label, 8));
      name.prepend(caption);
      const handle = { ...point4, text: name, caption, short: caption.data, at: [160, 160] };
      handle.group = createHandle(frame, point4, [14, marker(point4.kind), 17], name, derived2 ? null : (event) => onKey(handle, event), () => hold2(handle));
      if (derived2) frame.on(handle.group, "click", () => onHold?.(handle, false));
      return handle;
    }
    function join() {
      const apart = (a, b) => Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]);
      for (const h of all) h.on = h.kind === "k" && all.find((q) => q.kind === "q" && apart(q, h) < ON);
      for (const h of all) {
        h.joint = all.filter((k) => k.on === h);
        const names3 = new Set([h, ...h.joint].map(({ short: short3 }) => short3));
        const caption = h.on ? "" : [...names3].join(h.joint.every((k) => apart(k, h) < 0.5) ? " = " : ", ");
        if (h.caption.data !== caption) h.caption.data = caption;
        attr(h.group.children[1], "d", SHAPES[h.on ? "on" : h.kind]);
      }
    }
    function hold2(handle) {
      if (held === handle) return;
      held?.group.classList.remove("ag-held");
      held = handle;
      handle?.group.classList.add("ag-held");
      if (handle) {
        fields.show(handle.id);
        onHold?.(handle, Boolean(pointer.drag));
      }
      frame.schedule();
    }
    function move2(handle, p) {
      const clean = p.map((x) => Number(x.toPrecision(12)));
      const alone = () => handle.index === void 0 ? clean : frame.model.get(handle.trait).map((row, i) => i === handle.index ? clean : row);
      frame.set(handle.trait, moved2 ? moved2(handle, clean) : alone());
    }
    const commit = (handle, key3 = null) => {
      const p = where2(handle);
      frame.commit(key3, moved(handle.name, spoken2(p)));
    };
    function pointed(x, y, offset = [0, 0]) {
      const box = picture.getBoundingClientRect();
      const scale = SIZE / box.width;
      const p = [((x - box.left) * scale - 160 + offset[0]) / REACH2 * reach, (160 - (y - box.top) * scale - offset[1]) / REACH2 * reach];
      const fine = step();
      return p.map((v) => Math.round(Math.max(-reach, Math.min(reach, v)) / fine) * fine);
    }
    function nearest(x, y) {
      const box = picture.getBoundingClientRect();
      const scale = box.width / SIZE;
      const gap = (h) => Math.hypot(box.left + h.at[0] * scale - x, box.top + h.at[1] * scale - y);
      const best = all.reduce((a, b) => gap(b) <= gap(a) ? b : a);
      return gap(best) <= Math.max(NEAR, 17 * scale) ? best : null;
    }
    const follow2 = () => pointer.drag?.to && move2(pointer.drag.handle, pointed(...pointer.drag.to, pointer.drag.offset));
    const pointer = followPointer(frame, picture, {
      hold(event) {
        const target = !derived2 && event.target.closest(".ag-handle");
        if (!target) return null;
        const handle = nearest(event.clientX, event.clientY) ?? all.find((h) => h.group === target);
        const box = picture.getBoundingClientRect(), scale = SIZE / box.width;
        picture.classList.add("ag-dragging");
        return {
          handle,
          node: handle.group,
          start: where2(handle),
          offset: [handle.at[0] - (event.clientX - box.left) * scale, handle.at[1] - (event.clientY - box.top) * scale]
        };
      },
      move(drag, event) {
        drag.to = [event.clientX, event.clientY];
        frame.read(follow2);
      },
      drop({ handle, start: start5, to, offset }, kept) {
        if (to) move2(handle, kept ? pointed(...to, offset) : start5);
        picture.classList.remove("ag-dragging");
        commit(handle);
      },
      place(event) {
        if (!held) return;
        move2(held, pointed(event.clientX, event.clientY));
        commit(held);
      }
    });
    function onKey(handle, event) {
      handle.group.classList.remove("ag-by-pointer");
      const unit = tickStep(reach) / (event.shiftKey ? 4 : 20);
      const way = ARROWS[event.key];
      if (way) {
        const p = where2(handle);
        move2(handle, p.map((x, c) => Math.max(-reach, Math.min(reach, x + unit * way[c]))));
        commit(handle, `keys ${handle.id}`);
      } else if (event.key === "Home") {
        move2(handle, where2(handle, frame.initial[handle.trait]));
        commit(handle);
      } else if (event.key === "Escape" && pointer.drag) pointer.cancel();
      else if (event.key === "Escape") {
        hold2(null);
        handle.group.blur();
      } else return false;
      return true;
    }
    function drawGrid() {
      const parts3 = [], written4 = [], unit = tickStep(reach), count = Math.floor(reach / unit + 1e-9);
      for (let i = -count; i <= count; i++) {
        const a = 160 + i * unit / reach * REACH2, kind2 = i ? "ag-grid" : "ag-axis";
        parts3.push(svg("path", { class: kind2, d: `M${a} 8V312M8 ${320 - a}H312` }));
        if (!i) continue;
        const number2 = fixed(i * unit, Math.max(0, -Math.floor(Math.log10(unit) + 1e-9)));
        const half = wide(number2) / 2;
        numbers2.push(around([a, 171], half, 6), around([154 - half, 320 - a], half, 6));
        written4.push(
          svg("text", { class: "ag-tick", x: a, y: 175, "text-anchor": "middle" }, number2),
          svg("text", { class: "ag-tick", x: 154, y: 324.5 - a, "text-anchor": "end" }, number2)
        );
      }
      grid.replaceChildren(...parts3);
      ticks.replaceChildren(...written4);
      for (const handle of derived2 ? [] : all) {
        attr(handle.group, "aria-valuemin", String(-reach));
        attr(handle.group, "aria-valuemax", String(reach));
      }
    }
    function drawNames() {
      const rank = (h) => h === held ? 0 : h.id === stressed ? 1 : 2;
      const order2 = [...all].sort((a, b) => rank(a) - rank(b));
      const found = placeNames(order2.map((h) => ({
        at: h.at,
        width: crowd && h.kind === "q" && rank(h) === 2 && !h.joint.length ? 0 : wide(h.caption.data),
        last: h.place,
        mark: h.joint.length ? 14 : 9
      })), [...numbers2, ...clear]);
      order2.forEach((handle, i) => {
        const { place: [dx, dy, anchor] = [15, 4.5, "start"], index, box, free: free2 } = found[i] ?? {};
        [handle.place, handle.box] = [index, box];
        handle.group.classList.toggle("ag-unnamed", crowd && !free2);
        put(handle.text, dx, dy, anchor);
      });
    }
    return {
      /** The picture in a box: as a part of a flexible panel it would be laid out with the whole page. */
      node: html("div", {}, picture),
      picture,
      fields: html("div", { class: "ag-row ag-coordinates" }, ...fields.parts),
      under: under2,
      over,
      place: place3,
      crowd,
      wide,
      get reach() {
        return reach;
      },
      /** Where the numbers of the axes and the names stand. */
      get taken() {
        return [...numbers2, ...all.map(({ box }) => box).filter(Boolean)];
      },
      /** Names keep clear of these boxes as well. */
      avoid(boxes) {
        clear = boxes;
        drawNames();
      },
      get held() {
        return held;
      },
      hold: (id) => hold2(byId(id) ?? null),
      /** Draws range, handles and their names; `strong` is the id of the one to stress. */
      draw(strong) {
        const wanted = Math.max(niceRange(initial), niceRange(vectors(), 1));
        if (look !== (look = wanted + pen.font)) {
          [reach, numbers2] = [wanted, []];
          drawGrid();
        }
        stressed = strong;
        let moved3 = false;
        for (const handle of all) {
          const p = where2(handle), now = `${look} ${handle.id === strong} ${handle === held}`;
          if (handle.drawn?.p === p && handle.drawn.now === now) continue;
          handle.drawn = { p, now };
          moved3 = true;
          move(handle.group, handle.at = place3(p));
          if (derived2) attr(handle.group, "aria-label", `${handle.name}: ${spoken2(p)}`);
          else {
            attr(handle.group, "aria-valuenow", String(Number(p[0].toFixed(4))));
            attr(handle.group, "aria-valuetext", spoken2(p));
          }
          handle.group.classList.toggle("ag-strong", handle.id === strong);
        }
        if (moved3) {
          join();
          drawNames();
        }
        if (!derived2 && frame.due(2)) fields.draw();
      }
    };
  }

  // metric_court.js
  var TRAITS2 = ["X", "M", "source", "form", "candidate", "repairs", "shown"];
  var FIXED = ["tokens", "challenges", "candidates", "tasks"];
  var FORMS = { dot: [[1, 0], [0, 1]], stretch: [[2, 0], [0, 0.5]], minus: [[1, 0], [0, -1]], turn: [[0, 1], [-1, 0]], both: [[1, 1], [-1, 1]] };
  var metric_court_default = widget(start2, FIXED, (get) => FIXED.map(get));
  var cleanState2 = (raw, { tokens: n, points: points3 }) => cleaned(raw, {
    X: where(points3, (x) => isMatrix(x, n, 2)),
    M: (x) => isMatrix(x, n, n),
    source: (x) => ["scores", "dissimilarities", points3 && "points"].includes(x),
    form: (x) => isMatrix(x, 2, 2),
    candidate: (x) => Object.hasOwn(CANDIDATES, x),
    repairs: (x) => Array.isArray(x) && isRow(x, new Set(x).size, (name) => Object.hasOwn(REPAIRS, name)),
    shown: (x) => AXIOMS.includes(x)
  });
  function judge(state) {
    const given = evidence(state), hand = state.source === "dissimilarities";
    const { D: base, why } = hand ? { D: state.M, why: null } : dissimilarity(state.candidate, given);
    const { D, steps: steps2 } = base ? repaired(base, state.repairs) : { D: state.M.map((row) => row.map(() => NaN)), steps: [] };
    const verdicts2 = checkAxioms(D);
    if (!base) for (const axiom of AXIOMS) verdicts2[axiom].holds = null;
    return {
      ...state,
      given,
      base,
      why,
      steps: steps2,
      verdicts: verdicts2,
      kind: kindOf(verdicts2),
      D: base ? D : D.map((row) => row.map(() => null)),
      threshold: base && !hand ? threshold(state.candidate, base) : null,
      spread: base && spread3(D)
    };
  }
  function start2(model, el, page, view) {
    const get = (name) => model.get(name);
    const n = get("M").length, points3 = Boolean(get("X")), tokens3 = get("tokens");
    const numbers2 = Array.from({ length: n }, (_, i) => i + 1);
    const short7 = numbers2.map((i) => tokens3 && tokens3[i - 1] !== String(i) ? visible(tokens3[i - 1], 7) : null);
    const label6 = numbers2.map((i) => short7[i - 1] ? `${i} ${short7[i - 1]}` : String(i));
    const called = numbers2.map((i) => token(i, short7[i - 1] && visible(tokens3[i - 1], 14)));
    const state = () => Object.fromEntries(TRAITS2.map((name) => [name, get(name)]));
    const lore = ({ source: source2, candidate: candidate2 }) => {
      const [, question4, domain, known2] = source2 === "dissimilarities" ? [] : get("candidates").find(([name]) => name === candidate2);
      return { question: question4, domain, known: known2 };
    };
    const compute = keep(TRAITS2, get, () => ({ ...judge(state()), ...lore(state()) }));
    const whySentence = ([reason2, ...where2]) => reasons[reason2](...where2.slice(0, 2), short(where2[2] ?? null));
    const failed2 = ({ verdicts: verdicts3 }) => AXIOMS.filter((axiom) => verdicts3[axiom].holds === false);
    const frame = createFrame({
      model,
      el,
      page,
      label: label2,
      traits: TRAITS2,
      compute,
      clean: (raw) => cleanState2(raw, { tokens: n, points: points3 }),
      summary() {
        const now = compute(), broken = failed2(now).map((axiom) => names[axiom]);
        return now.why ? summaryNone(whySentence(now.why)) : summary2(broken, margin(now.shown, now.verdicts[now.shown], now.D));
      },
      file: "metric_court",
      picture: () => composed(),
      rows: () => table3(),
      code: () => courtLines(state(), compute().base, tokens3),
      predict: { cover: () => covered, ask: () => question3(compute()) }
    });
    view.apply = (raw) => frame.apply(raw);
    const set = (name, value3, key4 = null, sentence3 = null) => {
      frame.set(name, value3);
      frame.commit(key4, sentence3);
    };
    const witnesses = [];
    const over = (picture) => {
      const witness = createWitness();
      witnesses.push(witness);
      return { witness, picture };
    };
    const plane = !points3 ? null : createPlane({
      frame,
      label: planeLabel2,
      initial: get("X"),
      vectors: () => get("X"),
      points: get("X").map((_, index) => ({
        id: `x${index}`,
        kind: "x",
        trait: "X",
        index,
        sign: String(index + 1),
        label: label6[index],
        full: tokens3?.[index],
        name: called[index]
      }))
    });
    const onPlane = plane && over(plane.picture).witness;
    if (plane) {
      plane.under.append(onPlane.mesh, onPlane.under);
      plane.over.append(onPlane.over);
      plane.over.setAttribute("class", "ag-court-over");
    }
    const circle = createCircle(label6, tokens3);
    witnesses.push(circle.witness);
    const drawn2 = html("p", { class: "ag-hint ag-court-drawn" });
    const verdicts2 = createVerdicts(frame, (axiom) => set("shown", axiom));
    const free2 = createFree();
    const matrix5 = createMatrix2(frame, label6, (name) => {
      const on = !get("repairs").includes(name);
      set("repairs", on ? [...get("repairs"), name] : get("repairs").filter((other) => other !== name));
    });
    const challenges2 = createChallenges(get("challenges"));
    plane?.hold("x0");
    plane?.hold(null);
    const controls4 = createControls(frame, { get, compute, points: points3, whySentence });
    const swatch = (kind2) => html(
      "span",
      { class: "ag-key" },
      svg("svg", { class: "ag-court-swatch", viewBox: "0 0 26 12", "aria-hidden": "true" }, svg(
        "g",
        { class: `ag-court-${kind2}` },
        svg("path", { d: "M1 6H17" }),
        svg("path", { d: "M0 0L-9 4.6V-4.6Z", transform: "translate(25 6)" })
      )),
      keys2[kind2]
    );
    const legend3 = ["direct", "room", "detour"].map((kind2) => [kind2, swatch(kind2)]);
    const key3 = html("span", { class: "ag-row" }, ...legend3.map(([, node]) => node));
    const covered = [verdicts2.node, free2.node, challenges2.node.lastChild, drawn2, key3, ...witnesses.flatMap((w) => [w.under, w.over])];
    const panel = (draw, ...parts3) => frame.region(html("section", { class: "ag-panel" }, ...parts3), draw);
    frame.body.append(
      frame.region(controls4.node, controls4.draw),
      html(
        "div",
        { class: "ag-panels ag-court-panels" },
        panel(
          (now) => {
            const on = now.source === "points", { holds: holds2 } = now.verdicts[now.shown];
            for (const node of [plane?.node, plane?.fields].filter(Boolean)) attr(node, "hidden", on ? null : "");
            attr(circle.picture, "hidden", on ? "" : null);
            if (on) {
              plane.draw(null);
              plane.avoid(onPlane.draw(now, now.X.map(plane.place)));
            } else circle.witness.draw(now, circle.at);
            for (const [kind2, node] of legend3) node.hidden = holds2 === null || (kind2 === "detour" ? now.shown !== "triangle" : kind2 === "direct" === holds2);
            text(drawn2, now.why ? notDefined(whySentence(now.why)) : drawn(names[now.shown], margin(now.shown, now.verdicts[now.shown], now.D)));
          },
          html("p", { class: "ag-title" }, html("span", { class: "ag-key" }, glyph("x"), tokens2), key3),
          plane ? plane.node : "",
          circle.picture,
          drawn2,
          plane ? plane.fields : ""
        ),
        panel(verdicts2.draw, html("div", { class: "ag-title" }, verdicts, about2(verdicts, verdictsHint)), verdicts2.node),
        panel((now) => {
          matrix5.draw(now);
          free2.draw(now);
        }, html("p", { class: "ag-title" }, matrix), matrix5.node, free2.node)
      ),
      get("challenges").length ? frame.region(challenges2.node, challenges2.draw) : ""
    );
    frame.close(points3 && helpTitle, help);
    function question3({ verdicts: now, why, D, shown }) {
      if (why || AXIOMS.some((axiom) => now[axiom].holds === null)) return null;
      const truth2 = AXIOMS.map((axiom) => now[axiom].holds);
      const flipped = (...axioms) => truth2.map((holds2, a) => axioms.includes(a) ? !holds2 : holds2);
      const options = [truth2, flipped(4), flipped(3), flipped(1, 4)].sort((a, b) => Number(b.map(Number).join("")) - Number(a.map(Number).join("")));
      const broken = AXIOMS.filter((axiom) => !now[axiom].holds);
      return {
        question: ask2,
        options: options.map(named),
        answer: options.indexOf(truth2),
        why: (broken.length ? broken : [shown]).map((axiom) => `${names[axiom]}: ${margin(axiom, now[axiom], D)}.`).join(" ")
      };
    }
    const composed = () => composeSvg([{ title: judged(get("source") === "dissimilarities" ? "" : get("candidate"), get("repairs").length), picture: get("source") === "points" ? plane.picture : circle.picture }], frame.root);
    const table3 = () => {
      const { D } = compute();
      return [
        ["from", "to", "from_token", "to_token", "d"],
        ...D.flatMap((row, i) => row.map((d2, j) => [i, j, tokens3?.[i] ?? "", tokens3?.[j] ?? "", d2 === Infinity ? "inf" : d2]))
      ];
    };
    return () => frame.dispose();
  }
  function createCircle(label6, tokens3) {
    const n = label6.length, witness = createWitness(), at2 = label6.map((_, i) => onCircle2(i, n));
    const nodes = at2.map(([x, y], i) => {
      const [c, s] = [(x - 160) / 86, (y - 160) / 86], full = tokens3?.[i];
      return svg(
        "g",
        {},
        svg("g", { transform: `translate(${x} ${y})` }, marker("x")),
        svg("text", {
          class: "ag-name",
          x: (160 + 104 * c).toFixed(1),
          y: (164.5 + 110 * s).toFixed(1),
          "text-anchor": anchorOf(c)
        }, label6[i], full && full !== label6[i] ? svg("title", {}, full) : null)
      );
    });
    const picture = svg(
      "svg",
      { class: "ag-picture", viewBox: "0 0 320 320", role: "img", "aria-label": circleLabel },
      witness.mesh,
      witness.under,
      ...nodes,
      witness.over
    );
    return { picture, witness, at: at2 };
  }
  function createControls(frame, { get, compute, points: points3, whySentence }) {
    const kinds2 = ["points", "scores", "dissimilarities"].filter((kind2) => points3 || kind2 !== "points");
    const source2 = select(frame, source, kinds2.map((kind2) => [kind2, sources[kind2]]), (kind2) => {
      const { given, D } = compute();
      const M = kind2 === "scores" ? given.S : kind2 === "dissimilarities" && D;
      if (M && M.flat().every((x) => x !== null && Math.abs(x) <= 1e6)) frame.set("M", M.map((row) => row.map((x) => Number(x.toPrecision(10)))));
      if (kind2 === "dissimilarities") frame.set("repairs", []);
      frame.set("source", kind2);
      frame.commit();
    });
    const form2 = select(frame, form, [...Object.keys(FORMS), "custom"].map((kind2) => [kind2, forms[kind2]]), (kind2) => {
      frame.set("form", FORMS[kind2]);
      frame.commit();
    }, "custom");
    const candidate2 = select(frame, candidate, [["", byHand], ...Object.keys(CANDIDATES).map((name) => [name, name])], (name) => {
      frame.set("candidate", name);
      frame.commit();
    }, "");
    const question3 = html("p", { class: "ag-hint" }), B = html("span", { class: "ag-number-text" });
    const others = html("ul", {}), count = html("summary", {});
    const apart = html("details", { class: "ag-help" }, count, others);
    const hints2 = [[source2, source, sourceHint], [form2, form, formHint], [candidate2, candidate, candidateHint]];
    const [sourceField, formField, candidateField] = hints2.map(([{ field }, name, hint]) => html("div", { class: "ag-row" }, field, about2(name, hint)));
    formField.insertBefore(B, formField.lastChild);
    return {
      node: html(
        "div",
        { class: "ag-stack" },
        html("div", { class: "ag-controls", role: "group", "aria-label": controls2 }, sourceField, points3 ? formField : "", candidateField),
        question3,
        apart
      ),
      draw(now, settled) {
        const hand = now.source === "dissimilarities";
        source2.draw(now.source);
        formField.hidden = now.source !== "points";
        form2.draw(Object.keys(FORMS).find((name) => String(FORMS[name]) === String(now.form)) ?? "custom");
        text(B, `B = (${now.form.map((row) => row.map(short).join(" ")).join("; ")})`);
        candidate2.draw(hand ? "" : now.candidate);
        candidate2.node.disabled = hand;
        text(question3, `${lead[now.source]} ${hand ? questionHand : question(now.question, now.domain)}`);
        if (!settled) return;
        const out = Object.keys(CANDIDATES).map((name) => [name, dissimilarity(name, now.given).why]).filter(([, why]) => why);
        for (const option of [...candidate2.node.options].slice(1)) option.disabled = out.some(([name]) => name === option.value) && option.value !== now.candidate;
        apart.hidden = hand || !out.length;
        text(count, notHere(out.length));
        others.replaceChildren(...out.map(([name, why]) => html("li", {}, reason(name, whySentence(why)))));
      }
    };
  }

  // arrows.js
  var HALF2 = [23, 6];
  function drawArrows(plane, get) {
    const level = svg("path", { class: "ag-level" });
    const levelName = svg("text", { class: "ag-tick", "text-anchor": "middle" }, zeroLine);
    const arrow2 = (kind2) => svg("path", { class: `ag-shaft ag-${kind2}-line${plane.crowd ? " ag-faint" : ""}` });
    const shafts = ["K", "Q"].map((name) => ({ name, nodes: get(name).map(() => arrow2(name.toLowerCase())), drawn: [] }));
    plane.under.append(level, ...shafts.flatMap(({ nodes }) => nodes), levelName);
    let reach = 0;
    return {
      draw(selected, mode) {
        for (const shaft of shafts) {
          const now = get(shaft.name);
          now.forEach((p, i) => (p !== shaft.drawn[i] || reach !== plane.reach) && attr(shaft.nodes[i], "d", line([160, 160], plane.place(p))));
          shaft.drawn = now;
        }
        reach = plane.reach;
        shafts[1].nodes.forEach((node, i) => node.classList.toggle("ag-strong", i === selected));
        const q = get("Q")[selected], length2 = Math.hypot(...q);
        const shown = length2 && mode !== "distance";
        show2(level, shown);
        show2(levelName, shown);
        if (!shown) return;
        const c = -q[1] / length2, s = q[0] / length2;
        attr(level, "d", line(...[-152, 152].map((t) => [160 + t * c, 160 - t * s])));
        const [x, y] = besideLine([c, -s], [...plane.taken, ...arrowBoxes(plane, [...get("Q"), ...get("K")])]);
        put(levelName, x, y + 4);
      }
    };
  }
  var arrowBoxes = (plane, vectors) => vectors.map(plane.place).flatMap((tip) => [around(tip), ...along2([160, 160], tip)]);
  function besideLine([u, v], boxes) {
    const off = 5 + HALF2[0] * Math.abs(v) + HALF2[1] * Math.abs(u);
    const up2 = u > 0 ? -1 : 1;
    const spots = [[1, up2], [-1, up2], [1, -up2], [-1, -up2]].map(([end3, side]) => [160 + 132 * end3 * u - side * off * v, 160 + 132 * end3 * v + side * off * u]);
    return spots.find((spot2) => isFree(around(spot2, ...HALF2), boxes)) ?? spots[0];
  }
  function drawMixture(plane, get) {
    const hull = svg("polygon", { class: "ag-hull" });
    const lines = get("V").map(() => svg("polyline", { class: "ag-mix" }));
    const name = svg("text", { class: "ag-name ag-strong-text" });
    const diamond = svg("g", { class: "ag-mixture" }, svg("path", { class: "ag-y", d: "M0 -9.5L9.5 0L0 9.5L-9.5 0Z" }), name);
    plane.under.append(hull, ...lines);
    plane.over.append(diamond);
    return {
      nodes: [diamond, ...lines],
      draw(row, y, selected) {
        const V = get("V");
        attr(hull, "points", convexHull(V).map((p) => point2(plane.place(p))).join(" "));
        show2(diamond, row);
        lines.forEach((line3, j) => show2(line3, row && row[j] >= 5e-3));
        if (!row) return;
        const at2 = plane.place(y);
        move(diamond, at2);
        text(name, `y${subscript(selected + 1)}`);
        const [{ place: place3 }] = placeNames([{ at: at2, width: plane.wide(name.textContent) }], [...plane.taken, ...V.map((v) => around(plane.place(v)))]);
        put(name, ...place3);
        lines.forEach((line3, j) => {
          attr(line3, "points", point2([...at2, ...plane.place(V[j])]));
          attr(line3, "stroke-width", (0.4 + 6 * row[j]).toFixed(2));
        });
      }
    };
  }

  // plane_controls.js
  function createControls2(frame, counts, named2, choose) {
    const query2 = select(frame, query, Array.from({ length: counts.queries }, (_, i) => [String(i), named2("q", i)]), (value3) => choose(Number(value3)));
    const kinds2 = ["none", ...counts.queries === counts.keys ? ["causal"] : [], "custom"];
    const mask3 = select(frame, mask, kinds2.map((kind2) => [kind2, masks[kind2]]), (kind2) => {
      frame.set("mask", kind2 === "none" ? null : kind2);
      frame.commit();
    }, "custom");
    const scale = check(frame, (on) => frame.set("scaled", on), scaled, html("sub", {}, "k"));
    scale.box.title = scaledFull;
    const range = temperatureSlider(frame, temperature);
    const node = html(
      "div",
      { class: "ag-controls", role: "group", "aria-label": controls },
      query2.field,
      mask3.field,
      scale.field,
      range.node
    );
    return {
      node,
      draw({ selected, mask: now, scaled: scaled3, temperature: t }) {
        query2.draw(String(selected));
        mask3.draw(maskKind(now));
        scale.box.checked = scaled3;
        range.draw(t, temperatureText(t === Infinity ? "\u221E" : String(t)));
      }
    };
  }

  // winners.js
  var SHADES = [0.05, 0.14, 0.23, 0.32];
  function drawWinners(plane, names3) {
    const layer = svg("g", {});
    const patches = names3.map((_, j) => svg("polygon", { class: "ag-cell", "fill-opacity": SHADES[j % 4] }));
    const labels = names3.map(() => svg("text", { class: "ag-tick", "text-anchor": "middle" }));
    layer.append(...patches, ...labels);
    plane.under.prepend(layer);
    return {
      nodes: [layer],
      /** now: { Q, K, mode, lift, allowed, selected }. */
      draw(now) {
        show2(layer, now);
        if (!now) return;
        const found = cells(now.K, { mode: now.mode, lift: now.lift, reach: plane.reach, may: now.allowed[now.selected] });
        const taken = [...plane.taken, ...arrowBoxes(plane, [...now.K, ...now.Q])];
        found.forEach((corners2, j) => {
          show2(patches[j], corners2);
          show2(labels[j], corners2);
          if (!corners2) return;
          const at2 = corners2.map(plane.place);
          attr(patches[j], "points", at2.map(point2).join(" "));
          const short3 = visible(names3[j], 8), spots = inside(at2);
          const [word2, [x, y]] = [wins(short3), short3].flatMap((name) => spots.map((spot2) => [name, spot2])).find(([name, spot2]) => isFree(around(spot2, plane.wide(name) / 2, 8), taken)) ?? [short3, spots[0]];
          put(labels[j], x, y + 4);
          text(labels[j], word2);
        });
      }
    };
  }
  function inside(corners2) {
    const mix = (p, q, t) => p.map((x, c) => t * x + (1 - t) * q[c]);
    const centre = [0, 1].map((c) => corners2.reduce((sum6, p) => sum6 + p[c], 0) / corners2.length);
    const ends = corners2.flatMap((p, i) => [p, mix(p, corners2[(i + 1) % corners2.length], 0.5)]);
    return [0.3, 0.6].flatMap((t) => ends.map((p) => mix(p, centre, t)));
  }
  function createTilt(names3, label6) {
    const dome = svg("path", { class: "ag-dome" }), floor = svg("path", { class: "ag-floor-edge" });
    const parts3 = names3.map((name) => ({
      stem: svg("path", { class: "ag-stem" }),
      way: svg("path", { class: "ag-level" }),
      mark: svg("path", { class: "ag-k", d: "M-6 -6H6V6H-6Z" }),
      name: svg("text", { class: "ag-name", dx: 10, dy: -6 }, visible(name, 8))
    }));
    const query2 = svg("circle", { class: "ag-q", r: 7 });
    const picture = svg(
      "svg",
      { class: "ag-picture ag-tilt", viewBox: "0 0 320 220", role: "img", "aria-label": label6 },
      floor,
      dome,
      ...parts3.flatMap(({ stem, way }) => [stem, way]),
      query2,
      ...parts3.flatMap(({ mark: mark2, name }) => [mark2, name])
    );
    return {
      picture,
      draw({ q, K, heights: heights2, lift: lift2, best, reach }) {
        const scale = 120 / reach;
        const at2 = ([x, y], z = 0) => [160 + scale * (x + 0.3 * y), 150 - scale * (0.38 * y + 0.85 * z)];
        attr(floor, "d", `${line(...[[-1, -1], [1, -1], [1, 1], [-1, 1]].map((p) => at2(p.map((x) => x * reach))))}Z`);
        const R2 = Math.max(...K.map((k) => Math.hypot(...k)));
        attr(dome, "d", line(...Array.from({ length: 41 }, (_, i) => Math.PI * i / 40).map((t) => at2([R2 * Math.cos(t), 0], lift2 * R2 * Math.sin(t)))));
        const foot = at2(q);
        move(query2, foot);
        parts3.forEach(({ stem, way, mark: mark2, name }, j) => {
          const top = at2(K[j], lift2 * heights2[j]);
          attr(stem, "d", line(at2(K[j]), top));
          attr(way, "d", line(foot, top));
          attr(way, "stroke-width", best === j ? "3" : "1.2");
          for (const node of [mark2, name]) move(node, top);
        });
      }
    };
  }

  // compare.js
  function createCompare({ frame, get, names: names3, named: named2, movable }) {
    const modes2 = segmented(frame, compareBy, MODES.map((mode) => [mode, modes[mode]]), (mode) => {
      frame.set("mode", mode);
      frame.commit();
    });
    const lift2 = slider(frame, lift, 100, (x) => frame.set("lift", x / 100));
    const length2 = createLength({ frame, get, named: named2, shown: movable });
    const tilt = createTilt(names3, tiltLabel);
    const caption = html("caption", {});
    const heads = [key, length, ...MODES.map((mode) => formulas[mode])].map((head2) => headOf(head2));
    const rows = names3.map((_, j) => {
      const cells3 = Array.from({ length: 4 }, () => html("td", {}));
      return { node: rowOf(html("bdi", {}, named2("k", j)), cells3), cells: cells3 };
    });
    const scroll = html(
      "div",
      { class: "ag-scroll", role: "group", tabindex: 0, "aria-label": compareTable },
      table2({ class: "ag-compare" }, caption, heads, rows.map((row) => row.node))
    );
    const verdict3 = html("p", {}), lemma2 = html("p", { class: "ag-hint" });
    const lifting = html("div", { class: "ag-lifting" }, html("div", { class: "ag-row" }, lift2.node, about2(lift, liftHint)), tilt.picture, lemma2);
    return {
      node: html(
        "div",
        { class: "ag-experiment" },
        html("div", { class: "ag-part" }, html("div", { class: "ag-row" }, modes2.node, about2(compareBy, compareHint)), scroll, verdict3, ...length2.nodes),
        lifting
      ),
      constrain: length2.constrain,
      draw({ Q, K, mode, lift: share3, selected: i, allowed: allowed3, reach }, settled) {
        modes2.draw(mode);
        lift2.draw(Math.round(share3 * 100), liftText(fixed(share3)));
        length2.draw(K);
        lifting.hidden = mode !== "distance";
        const all = MODES.map((each) => compare([Q[i]], K, each, each === "distance" ? share3 : 0)[0]);
        const best = all.map((row) => winners2(row, allowed3[i]));
        text(caption, compareCaption(named2("q", i)));
        rows.forEach(({ cells: cells3 }, j) => {
          text(cells3[0], fixed(norm2(K[j])));
          all.forEach((row, m) => {
            const wins2 = best[m].includes(j);
            text(cells3[m + 1], `${wins2 ? "\u2605 " : ""}${row[j] === null ? noCosine : fixed(row[j], 3)}`);
            cells3[m + 1].classList.toggle("ag-best", wins2);
            cells3[m + 1].classList.toggle("ag-now", MODES[m] === mode);
          });
        });
        text(heads[4], formulas[share3 ? "lifted" : "distance"]);
        heads.slice(2).forEach((head2, m) => head2.classList.toggle("ag-now", MODES[m] === mode));
        text(verdict3, verdictOn(best.map((js) => js.map((j) => named2("k", j)).join(" = ")), share3 ? [] : K));
        if (mode !== "distance") return;
        const equal = equallyLong(K);
        text(lemma2, share3 === 1 || equal ? lifted(fixed(Math.max(...K.map(norm2)))) : liftNot(share3 > 0));
        tilt.draw({ q: Q[i], K, heights: heights(K), lift: share3, best: best[2][0], reach });
      }
    };
  }
  var equallyLong = (K) => K.length > 0 && Math.max(...K.map(norm2)) - Math.min(...K.map(norm2)) < 1e-9;
  var winners2 = (row, may3) => {
    const open2 = row.map((x, j) => may3[j] && x !== null ? x : -Infinity), top = Math.max(...open2);
    return open2.flatMap((x, j) => x === top && top > -Infinity ? [j] : []);
  };
  function verdictOn([dot2, cosine2, near], K) {
    if (!dot2) return verdictNone;
    if (dot2 === cosine2 && cosine2 === near) return verdictAll(dot2, equallyLong(K));
    return verdict(dot2, cosine2, near);
  }
  function createLength({ frame, get, named: named2, shown }) {
    const choice = select(frame, lengthOf, get("K")?.map((_, j) => [String(j), named2("k", j)]) ?? [], () => frame.schedule());
    const chosen2 = () => Number(choice.node.value);
    const stretch = (j, to) => frame.set("K", get("K").map((k, i) => i === j && norm2(k) ? k.map((x) => x * to / norm2(k)) : k));
    const most = Math.max(300, ...(get("K") ?? []).map((k) => Math.ceil(100 * norm2(k))));
    const range = slider(frame, length, most, (x) => stretch(chosen2(), x / 100), 1);
    const ray = html("input", { type: "checkbox" });
    const equal = frame.button(equalise, () => {
      const mean = get("K").reduce((sum6, k) => sum6 + norm2(k), 0) / get("K").length;
      frame.set("K", get("K").map((k) => norm2(k) ? k.map((x) => x * mean / norm2(k)) : k));
      frame.commit();
    });
    return {
      nodes: shown ? [html("div", { class: "ag-row" }, choice.field, range.node), html(
        "div",
        { class: "ag-row" },
        html("label", { class: "ag-field ag-check" }, ray, html("span", {}, alongRay)),
        equal,
        about2(length, lengthHint)
      )] : [],
      /** With the box ticked a key goes to the point of its own ray that is nearest to the hand. */
      constrain(kind2, k, p) {
        if (kind2 !== "k" || !ray.checked || !norm2(k)) return p;
        const unit = k.map((x) => x / norm2(k)), along3 = Math.max(0.01, unit[0] * p[0] + unit[1] * p[1]);
        return unit.map((x) => Number((x * along3).toPrecision(12)));
      },
      draw(K) {
        if (!shown) return;
        const long = norm2(K[chosen2()]);
        range.draw(Math.min(most, Math.round(long * 100)), fixed(long));
      }
    };
  }

  // bars.js
  function createBars({ frame, keys: keys3, named: named2, called, forbid, wide }) {
    let said = -1;
    const title = html("p", { class: "ag-title" });
    const rows = Array.from({ length: keys3 }, (_, j) => {
      const box = html("input", { type: "checkbox" });
      const fill2 = html("span", { class: "ag-fill" });
      const track = html("span", { class: "ag-track" }, fill2);
      const number2 = html("span", { class: "ag-number-text" });
      frame.on(box, "change", () => forbid(j, box.checked));
      const node = html(
        "tr",
        {},
        html("td", {}, html("label", { class: "ag-box" }, box)),
        html("th", { scope: "row" }, html("bdi", {}, named2("k", j))),
        html("td", { class: "ag-bar" }, track),
        html("td", {}, number2)
      );
      return { node, box, fill: fill2, track, number: number2 };
    });
    const caption = html("caption", { class: "ag-hidden" });
    const tableNode = html(
      "table",
      { class: "ag-bars" },
      caption,
      html("thead", {}, html(
        "tr",
        {},
        html("th", { scope: "col", title: may }, html("span", { class: "ag-hidden" }, may), html("span", { "aria-hidden": "true" }, "\u2713")),
        html("th", { scope: "col" }, key),
        html("th", { scope: "col" }, weight),
        html("td", {})
      )),
      html("tbody", {}, ...rows.map((row) => row.node))
    );
    const facts = createFacts();
    tableNode.style.setProperty("--ag-name", wide ? "112px" : "40px");
    tableNode.style.setProperty("--ag-row", `${Math.max(28, Math.min(52, 300 / keys3))}px`);
    return {
      title,
      node: html("div", { class: "ag-stack" }, tableNode, facts.node),
      draw({ weights, allowed: may3, selected: i }) {
        const row = weights[i];
        text(title, weightsOf(named2("q", i)));
        text(caption, weightsOf(called("q", i)));
        rows.forEach(({ box, fill: fill2, track, number: number2 }, j) => {
          box.checked = may3[i][j];
          if (i !== said) attr(box, "aria-label", mayAttend(called("q", i), called("k", j)));
          track.classList.toggle("ag-hatched", !may3[i][j]);
          if (frame.due(j, 2)) attr(fill2, "style", `transform:scaleX(${row ? row[j].toFixed(4) : 0})`);
          if (frame.due(2)) text(number2, may3[i][j] ? fixed(row[j], 3) : masked);
        });
        said = i;
        if (frame.due(2)) facts.draw(row, may3[i], allMasked(named2("q", i)));
      }
    };
  }
  function createFacts() {
    const fact = (name) => {
      const value3 = html("b", {}), limit2 = html("span", {});
      return { node: html("div", { class: "ag-fact" }, value3, html("span", {}, name, limit2)), value: value3, limit: limit2 };
    };
    const H2 = fact(entropy), N = fact(effective), none2 = html("p", {});
    return {
      node: html("div", { class: "ag-facts" }, H2.node, N.node, none2),
      draw(row, may3, why, second = null) {
        const room = may3.filter(Boolean).length, rows = [row, second].filter(Boolean), of = rows[1] ? twoRows : "";
        text(none2, row ? "" : why);
        H2.node.hidden = N.node.hidden = !row;
        text(H2.value, `${rows.map((a) => fixed(entropy2(a))).join(" \xB7 ")} ${nats}`);
        text(H2.limit, atMost(fixed(room ? Math.log(room) : null)) + of);
        text(N.value, rows.map((a) => fixed(effectiveKeys(a))).join(" \xB7 "));
        text(N.limit, outOf(room) + of);
      }
    };
  }

  // experiments.js
  function createExperiments({ frame, panels, choose }) {
    const parts3 = Object.entries(panels).map(([name, panel]) => {
      const button = frame.button(experiments[name], () => choose(button.getAttribute("aria-expanded") === "true" ? null : name), { "aria-expanded": "false" });
      const node = html("section", { class: "ag-panel", hidden: true, role: "group", "aria-label": experiments[name] }, panel.node);
      return { name, panel, button, node };
    });
    let shown = null;
    return {
      node: html(
        "div",
        { class: "ag-experiments" },
        html(
          "div",
          { class: "ag-row", role: "group", "aria-label": experimentsTitle },
          html("span", { class: "ag-experiments-title" }, experimentsTitle),
          ...parts3.map((part) => part.button)
        ),
        ...parts3.map((part) => part.node)
      ),
      draw(now, settled) {
        if (now.experiment !== shown) panels[now.experiment]?.open?.();
        shown = now.experiment;
        for (const { name, panel, button, node } of parts3) {
          attr(button, "aria-expanded", String(name === shown));
          attr(node, "hidden", name === shown ? null : "");
          if (name === shown) panel.draw(now, settled);
        }
      }
    };
  }

  // hull_questions.js
  function questions(now, { asked, named: named2 }) {
    const { V, scores: scores2, allowed: may3, weights: a, output: y, temperature: T, verdicts: verdicts2, dimension: dimension2 } = now, found = [];
    if (!a) return found;
    if (verdicts2) {
      const answer = ["inside", "edge", "outside"].indexOf(verdicts2.stream[0]);
      found.push({
        kind: "stream",
        question: askStream,
        options: askStreamOptions,
        answer,
        why: askStreamWhy(verdict2[verdicts2.stream[1]])
      });
    }
    const drift = temperatureDrift(scores2, may3, V, T), open2 = V.map((_, j2) => j2).filter((j2) => may3[j2]);
    const j = open2[asked % open2.length];
    const change = drift && ((y[0] - V[j][0]) * drift[0] + (y[1] - V[j][1]) * drift[1]) / Math.hypot(y[0] - V[j][0], y[1] - V[j][1]);
    if (Number.isFinite(change) && Math.abs(change) > 1e-6) {
      found.push({
        kind: "drift",
        question: askDrift(named2(j), T),
        options: askDriftOptions,
        answer: change < 0 ? 0 : 1,
        why: askDriftWhy(named2(j), fixed(change, 3))
      });
    }
    if (open2.every((k) => a[k] > 1e-9)) {
      found.push({
        kind: "unique",
        question: askUnique,
        options: askUniqueOptions,
        answer: dimension2 ? 0 : 1,
        why: askUniqueWhy(open2.length, open2.length - dimension2, dimension2)
      });
    }
    return found;
  }

  // hull_controls.js
  var R = Math.SQRT1_2;
  var PRESETS = {
    identity: [[1, 0], [0, 1]],
    rotation: [[R, R], [-R, R]],
    stretch: [[2, 0], [0, 0.5]],
    projection: [[0.5, 0.5], [0.5, 0.5]]
  };
  function createTemperature(frame) {
    const set = (t) => frame.set("temperature", t === Infinity ? "inf" : t);
    const range = temperatureSlider(frame, temperature2);
    const stops = [0, 1, Infinity].map((t) => frame.button(`T = ${t === Infinity ? "\u221E" : t}`, () => {
      set(t);
      frame.commit();
    }));
    return {
      node: html(
        "div",
        { class: "ag-controls", role: "group", "aria-label": controls3 },
        range.node,
        ...stops,
        about2(temperature2, temperatureHint)
      ),
      draw({ temperature: t }) {
        range.draw(t);
      }
    };
  }
  function createMatrix3(frame) {
    const preset = select(frame, "W_O", [...Object.keys(PRESETS), "custom"].map((kind2) => [kind2, presets[kind2]]), (kind2) => {
      frame.set("W_O", PRESETS[kind2]);
      frame.commit();
    }, "custom");
    preset.field.firstChild.replaceChildren("W", html("sub", {}, "O"));
    const inputs = [0, 1, 2, 3].map((i) => entryField(frame, "W_O", i >> 1, i & 1, { "aria-label": entry3((i >> 1) + 1, (i & 1) + 1) }));
    return {
      node: html("div", { class: "ag-row" }, preset.field, html("div", { class: "ag-entries", role: "group", "aria-label": matrix2 }, ...inputs)),
      draw({ W_O }) {
        const same = (M) => M.every((row, r) => row.every((w, c) => Math.abs(w - W_O[r][c]) < 1e-9));
        preset.draw(Object.keys(PRESETS).find((name) => same(PRESETS[name])) ?? "custom");
        inputs.forEach((input, i) => showNumber(input, W_O[i >> 1][i & 1], 3));
      }
    };
  }

  // hull_pictures.js
  var MASS = 34;
  var corners = (plane, points3) => convexHull(points3).map((p) => point2(plane.place(p))).join(" ");
  function drawHull(plane, count) {
    const hull = svg("polygon", { class: "ag-hull" }), path = svg("path", { class: "ag-hull-path" });
    const stop = (name2) => {
      const label6 = svg("text", { class: "ag-tick" }, name2);
      return { node: svg("circle", { class: "ag-hull-stop", r: 3.5 }), label: label6 };
    };
    const cold = stop("T = 0"), hot = stop("T = \u221E");
    const keys3 = Array.from({ length: count }, () => ({
      ghost: svg("path", { class: "ag-hull-ghost", d: "M0 -9.5L9 6.5H-9Z" }),
      way: svg("path", { class: "ag-hull-way" }),
      disc: svg("circle", { class: "ag-hull-disc" }),
      ring: svg("circle", { class: "ag-hull-ring" })
    }));
    const name = svg("text", { class: "ag-name ag-strong-text" }, "y");
    const diamond = svg("g", { class: "ag-mixture" }, marker("y"), name);
    const course = svg("g", {}, path, cold.node, hot.node), rings = svg("g", {}, ...keys3.map((k) => k.ring));
    plane.under.append(hull, ...keys3.flatMap((k) => [k.way, k.ghost, k.disc]), rings, course);
    plane.over.append(cold.label, hot.label, diamond);
    return {
      course: [course, cold.label, hot.label],
      rings,
      draw({ V, allowed: may3, weights: a, other: b, output: y, path: outputs, single, along: along3 }, ghosts) {
        attr(hull, "points", corners(plane, V.filter((_, j) => may3[j])));
        keys3.forEach(({ ghost, way, disc, ring }, j) => {
          const at3 = plane.place(V[j]);
          const was2 = ghosts && (ghosts[j][0] !== V[j][0] || ghosts[j][1] !== V[j][1]) ? plane.place(ghosts[j]) : null;
          show2(ghost, was2);
          show2(way, was2);
          if (was2) move(ghost, was2), attr(way, "d", line(was2, at3));
          for (const [node, row, shown] of [[disc, a, true], [ring, b, !single && along3 !== 0]]) {
            show2(node, row && shown && row[j] > 0);
            if (!row) continue;
            move(node, at3);
            attr(node, "r", (MASS * Math.sqrt(row[j])).toFixed(2));
          }
        });
        for (const node of [course, diamond, cold.label, hot.label]) show2(node, y);
        if (!y) return;
        attr(path, "d", line(...outputs.map(({ output: output2 }) => plane.place(output2))));
        const ends = [outputs[0], outputs.at(-1)].map(({ output: output2 }) => plane.place(output2));
        [cold, hot].forEach(({ node }, i) => move(node, ends[i]));
        const at2 = plane.place(y), values3 = V.map(plane.place);
        move(diamond, at2);
        const lonely = ends.map((end3) => values3.every((v) => Math.hypot(v[0] - end3[0], v[1] - end3[1]) > 12));
        const found = placeNames([
          { at: at2, width: plane.wide("y") },
          ...ends.map((end3, i) => ({ at: end3, width: lonely[i] && plane.wide("T = 0") }))
        ], [...plane.taken, ...values3.map((v) => around(v))]);
        put(name, ...found[0].place);
        [cold, hot].forEach(({ label: label6 }, i) => {
          const { place: place3, free: free2 } = found[i + 1] ?? {};
          show2(label6, free2);
          if (free2) put(label6, ends[i][0] + place3[0], ends[i][1] + place3[1], place3[2]);
        });
      }
    };
  }
  function drawStream(plane, count) {
    const hull = svg("polygon", { class: "ag-hull" }), shadow = svg("polygon", { class: "ag-hull-shadow" });
    const small2 = (kind2) => Array.from({ length: count }, () => svg("path", { class: kind2, d: "M0 -6L5.5 4H-5.5Z" }));
    const values3 = small2("ag-v"), images2 = small2("ag-hull-ghost");
    const step = svg("path", { class: "ag-hull-step" }), image = svg("path", { class: "ag-hull-step" });
    const points3 = [["stream", stream], ["projected", projected], ["output", "y"]].map(([kind2, name]) => {
      const label6 = svg("text", { class: "ag-name" }, name.replace("_O", "\u2092"));
      return { kind: kind2, label: label6, node: svg("g", { class: `ag-mixture ag-hull-${kind2}` }, ...shapes(kind2), label6) };
    });
    plane.under.append(hull, shadow, ...values3, ...images2, image, step);
    plane.over.append(...points3.map((p) => p.node).reverse());
    return {
      nodes: [plane.over, step, image],
      draw({ V, allowed: may3, images: W2, x, ...now }) {
        const open2 = (rows) => rows.filter((_, j) => may3[j]);
        attr(hull, "points", corners(plane, open2(V)));
        attr(shadow, "points", corners(plane, open2(W2)));
        [[values3, V], [images2, W2]].forEach(([nodes, rows]) => nodes.forEach((node, j) => {
          move(node, plane.place(rows[j]));
          attr(node, "opacity", may3[j] ? null : "0.35");
        }));
        const shown = now.output !== null;
        for (const { node } of points3) show2(node, shown);
        for (const node of [step, image]) show2(node, shown);
        if (!shown) return;
        attr(step, "d", line(plane.place(x), plane.place(now.stream)));
        attr(image, "d", line([160, 160], plane.place(now.projected)));
        const at2 = points3.map(({ kind: kind2 }) => plane.place(now[kind2]));
        points3.forEach(({ node }, i) => move(node, at2[i]));
        const found = placeNames(
          points3.map(({ label: label6 }, i) => ({ at: at2[i], width: plane.wide(label6.textContent) })),
          [...plane.taken, ...[x, ...open2(V), ...open2(W2)].map((v) => around(plane.place(v)))]
        );
        points3.forEach(({ label: label6 }, i) => put(label6, ...found[i].place));
      }
    };
  }
  function shapes(kind2) {
    const diamond = marker("y", kind2 === "stream" ? 0.75 : 1);
    return kind2 === "stream" ? [svg("circle", { class: "ag-hull-circle", r: 11 }), diamond] : [diamond];
  }
  function legend2(kind2, name) {
    const node = ["v", "y", "x"].includes(kind2) ? glyph(kind2) : svg(
      "svg",
      { class: `ag-glyph ag-hull-${kind2}`, viewBox: "-13 -13 26 26", "aria-hidden": "true" },
      ...kind2 === "image" ? [svg("path", { class: "ag-hull-ghost", d: "M0 -9.5L9 6.5H-9Z" })] : shapes(kind2)
    );
    return html("span", { class: "ag-key" }, node, html("span", {}, ...formula(name)));
  }
  function createVerdicts2() {
    const rows = [["output", "y"], ["projected", projected], ["stream", stream]].map(([kind2, name]) => {
      const cells3 = [0, 1, 2].map(() => html("td", {}));
      return { kind: kind2, cells: cells3, node: rowOf(legend2(kind2 === "output" ? "y" : kind2, name), cells3) };
    });
    const heads = [place2, hullOfV, hullOfVW].map((name) => headOf(...formula(name)));
    return {
      node: table2(
        { class: "ag-hull-verdicts" },
        html("caption", { class: "ag-hidden" }, verdictsCaption),
        [html("td", {}), ...heads],
        rows.map((row) => row.node)
      ),
      draw(now) {
        for (const { kind: kind2, cells: cells3 } of rows) {
          const p = now[kind2], verdict3 = now.verdicts?.[kind2];
          text(cells3[0], p ? `(${p.map((x) => fixed(x)).join(", ")})` : masked2);
          [1, 2].forEach((c) => {
            text(cells3[c], verdict3 ? verdict2[verdict3[c - 1]] : "\u2013");
            cells3[c].classList.toggle("ag-hull-out", verdict3?.[c - 1] === "outside");
          });
        }
      }
    };
  }

  // hull_rows.js
  var STEPS2 = 100;
  function createRows({ frame, count, wide, named: named2, called, forbid }) {
    const reach = Math.max(4, Math.ceil(Math.max(...frame.initial.scores.map(Math.abs))));
    const put2 = (j, value3) => {
      const clean = Number(Math.max(-1e6, Math.min(1e6, value3)).toPrecision(12));
      frame.set("scores", frame.model.get("scores").map((s, k) => k === j ? clean : s));
    };
    const done = (j) => frame.commit(null, scored(called(j), short(frame.model.get("scores")[j])));
    const rows = Array.from({ length: count }, (_, j) => {
      const box = html("input", { type: "checkbox", "aria-label": mayAttend2(called(j)) });
      const range = html("input", { type: "range", min: -reach, max: reach, step: 0.05, "aria-label": scoreOf2(called(j)) });
      const number2 = numberField(frame, { "aria-label": scoreTyped(called(j)) }, (x) => put2(j, x), () => done(j));
      const bar = (kind2) => {
        const fill2 = html("span", { class: kind2 });
        const track = html("span", { class: "ag-track" }, fill2), value3 = html("span", { class: "ag-number-text" });
        return { track, fill: fill2, value: value3 };
      };
      const first = bar("ag-fill"), second = bar("ag-hull-second");
      const line3 = (letter, { track, value: value3 }) => html("span", { class: "ag-hull-bar" }, html("i", {}, letter), track, value3);
      frame.on(box, "change", () => forbid(j, box.checked));
      frame.on(range, "input", () => put2(j, Number(range.value)));
      frame.on(range, "change", () => {
        put2(j, Number(range.value));
        done(j);
      });
      const other = line3("a\u2032", second);
      const node2 = html(
        "div",
        { class: "ag-hull-row", role: "group", "aria-label": called(j) },
        html("label", { class: "ag-box" }, box),
        html("bdi", { class: "ag-hull-name" }, named2(j)),
        range,
        number2,
        html("span", { class: "ag-hull-bars" }, line3("a", first), other)
      );
      return { node: node2, box, range, number: number2, first, second, other };
    });
    const facts = createFacts();
    const head2 = html(
      "div",
      { class: "ag-hull-row ag-hull-head", "aria-hidden": "true" },
      html("span", { title: may2 }, "\u2713"),
      html("span", {}, key2),
      html("span", {}, score)
    );
    const draw = (bar, w, may3, due) => {
      attr(bar.fill, "style", `inline-size:${(100 * (w ?? 0)).toFixed(2)}%${w > 0 ? "" : ";visibility:hidden"}`);
      bar.track.classList.toggle("ag-hatched", !may3);
      if (due) text(bar.value, may3 ? fixed(w, 3) : masked2);
    };
    const node = html("div", { class: "ag-hull-rows" }, head2, ...rows.map((row) => row.node), facts.node);
    node.style.setProperty("--ag-name", wide ? "92px" : "28px");
    node.style.setProperty("--ag-bar", `${Math.max(9, Math.min(18, 90 / count))}px`);
    return {
      node,
      draw({ scores: scores2, allowed: may3, weights: a, other: b, single, along: along3 }) {
        rows.forEach(({ box, range, number: number2, first, second, other }, j) => {
          box.checked = may3[j];
          if (Number(range.value) !== scores2[j]) range.value = String(scores2[j]);
          attr(range, "aria-valuetext", scoreText(short(scores2[j]), may3[j] ? fixed(a[j], 3) : null));
          showNumber(number2, scores2[j], 3);
          draw(first, a?.[j], may3[j], frame.due(j));
          other.hidden = single || !may3[j];
          if (!other.hidden) draw(second, b[j], true, frame.due(j));
        });
        if (frame.due(0)) facts.draw(a, may3, allMasked2, single || along3 === 0 ? null : b);
      }
    };
  }
  function createOther({ frame, count, signs, named: named2, called }) {
    const choice = html(
      "select",
      { class: "ag-select", "aria-label": chosen },
      ...Array.from({ length: count }, (_, j) => html("option", { value: j }, named2(j)))
    );
    const range = html("input", { type: "range", min: -STEPS2, max: STEPS2, step: 1, "aria-label": along });
    const reading2 = html("span", { class: "ag-number-text ag-reading" });
    const low = html("span", {}), high = html("span", {}), none2 = html("p", {}), size = html("p", { class: "ag-hint" });
    const moved2 = html("p", {});
    const take = () => frame.set("along", Number(range.value) / STEPS2);
    frame.on(choice, "change", () => {
      frame.set("direction", Number(choice.value));
      frame.commit();
    });
    frame.on(range, "input", take);
    frame.on(range, "change", () => {
      take();
      frame.commit();
    });
    const slider2 = html(
      "div",
      { class: "ag-hull-slider" },
      html("label", { class: "ag-field" }, html("span", {}, give), choice, reading2),
      range,
      html("div", { class: "ag-hull-ends ag-hint" }, low, high)
    );
    return {
      node: html(
        "div",
        { class: "ag-hull-other", role: "group", "aria-label": otherTitle },
        html("div", { class: "ag-title" }, otherTitle, about2(otherTitle, otherHint)),
        none2,
        slider2,
        moved2,
        size
      ),
      draw({ allowed: may3, weights: a, other: b, direction: j, along: along3, dimension: dimension2, line: line3, single, settled, distance: distance3 }) {
        const room = may3.filter(Boolean).length;
        const why = !a ? allMasked2 : dimension2 === 0 ? none(room) : !may3[j] ? noneMasked(named2(j)) : !single ? "" : settled ? noneFixed(named2(j)) : noneRoom(named2(j));
        text(none2, why);
        choice.value = String(j);
        slider2.hidden = !a || dimension2 === 0;
        range.hidden = reading2.hidden = low.parentNode.hidden = Boolean(why);
        text(size, a && dimension2 ? dimension(dimension2, room) : "");
        text(moved2, why ? "" : along3 === 0 ? unmoved : distance(fixed(distance3, 3)));
        if (why) return;
        const position = Math.round(along3 * STEPS2);
        if (Number(range.value) !== position) range.value = String(position);
        text(reading2, inSecond(fixed(b[j], 3)));
        attr(range, "aria-valuetext", alongText(called(j), fixed(b[j], 3), fixed(a[j], 3)));
        [[low, "\u2190", line3[0]], [high, "\u2192", line3.at(-1)]].forEach(([node, arrow2, row]) => {
          const open2 = row.map((_, k) => k).filter((k) => may3[k]), left3 = open2.filter((k) => row[k] > 0);
          const gone2 = open2.filter((k) => row[k] === 0);
          const list3 = (keys3) => keys3.map((k) => signs[k]).join(", ");
          text(node, end(arrow2, fixed(row[j], 3), gone2.length < left3.length ? gone(list3(gone2)) : left2(list3(left3))));
        });
      }
    };
  }

  // hull_table.js
  var point3 = (p) => p ? `(${p.map((x) => fixed(x, 3)).join(", ")})` : "\u2013";
  function createTable3({ frame, count, named: named2 }) {
    const heads = ["v", "s", "a", "a v", "a\u2032", "a\u2032 v"].map((name) => headOf(name));
    const rows = Array.from({ length: count }, (_, j) => {
      const cells3 = heads.map(() => html("td", {}));
      return { node: rowOf(html("bdi", {}, named2(j)), cells3), cells: cells3 };
    });
    const sums = heads.map(() => html("td", {}));
    const scroll = html("div", { class: "ag-scroll", role: "group", "aria-label": table }, table2(
      { class: "ag-hull-table" },
      html("caption", { class: "ag-hidden" }, tableCaption),
      [html("td", {}), ...heads],
      rows.map((row) => row.node),
      html("tfoot", {}, rowOf(sum2, sums))
    ));
    const only = (cells3, same) => cells3.slice(4).forEach((cell) => {
      cell.hidden = same;
    });
    return {
      node: scroll,
      draw({ V, scores: scores2, allowed: may3, weights: a, other: b, output: y, otherOutput: z, single: same }, settled) {
        only(heads, same);
        rows.forEach(({ cells: cells3 }, j) => {
          if (!frame.due(j)) return;
          only(cells3, same);
          const shares3 = [a, b].flatMap((row) => row && may3[j] ? [fixed(row[j], 3), point3(V[j].map((x) => x * row[j]))] : [masked2, "\u2013"]);
          [`(${V[j].map(stored).join(", ")})`, stored(scores2[j]), ...shares3].forEach((value3, c) => text(cells3[c], value3));
        });
        only(sums, same);
        ["", "", a ? "1" : "\u2013", point3(y), a ? "1" : "\u2013", point3(z)].forEach((value3, c) => text(sums[c], value3));
        if (settled) attr(scroll, "tabindex", scroll.scrollWidth > scroll.clientWidth ? "0" : null);
      }
    };
  }
  function tableRows({ V, scores: scores2, allowed: may3, weights: a, other: b }, tokens3) {
    return [
      ["key", "token", "allowed", "v_x", "v_y", "score", "weight", "other_weight"],
      ...V.map((v, j) => [j, tokens3?.[j] ?? "", may3[j] ? 1 : 0, ...v, scores2[j], a?.[j] ?? null, b?.[j] ?? null])
    ];
  }

  // mixture_hull.js
  var TRAITS3 = ["V", "scores", "temperature", "mask", "direction", "along", "hold_output", "W_O", "x"];
  var mixture_hull_default = widget(start3, ["V", "W_O", "tokens", "tasks"], (get) => [get("V").length, get("W_O") === null, get("tokens"), get("tasks")]);
  var cleanState3 = (raw, { count, stream: stream2 }) => cleaned(raw, {
    V: (x) => isMatrix(x, count, 2),
    scores: (x) => isRow(x, count),
    temperature: isTemperature,
    direction: (x) => isIndex(x, count),
    along: (x) => Number.isFinite(x) && Math.abs(x) <= 1,
    hold_output: isBoolean,
    W_O: where(stream2, (x) => isMatrix(x, 2, 2)),
    x: where(stream2, (x) => isRow(x, 2)),
    mask: (x) => x === null || isRow(x, count, isBoolean)
  });
  function numbers({ V, scores: scores2, temperature: temperature4, mask: mask3, direction: direction2, along: along3, W_O, x }) {
    const may3 = mask3 ?? V.map(() => true);
    const a = softmax(scores2, { may: may3, temperature: temperature4 }), y = mixture2(a, V);
    const line3 = a && equivalentLine(V, may3, a, direction2), b = line3 && equivalentRow(line3, direction2, along3);
    const open2 = V.filter((_, j) => may3[j]), images2 = W_O && V.map((v) => times2(v, W_O));
    const projected2 = W_O && y && times2(y, W_O), stream2 = projected2 && projected2.map((p, c) => x[c] + p);
    const lies = (p) => [open2, W_O && open2.map((v) => times2(v, W_O))].map((points3) => hullVerdict(p, points3));
    return {
      allowed: may3,
      weights: a,
      output: y,
      line: line3?.rows,
      other: b,
      otherOutput: mixture2(b, V),
      single: !(line3?.rows.length > 1),
      dimension: a ? outputSpan(V, may3).dimension : 0,
      settled: !equivalentDirection(V, may3, direction2),
      distance: a && totalVariation(a, b),
      path: temperaturePath(scores2, may3, V),
      images: images2,
      projected: projected2,
      stream: stream2,
      verdicts: projected2 && { output: lies(y), projected: lies(projected2), stream: lies(stream2) }
    };
  }
  function start3(model, el, page, view) {
    const get = (name) => model.get(name);
    const count = get("V").length, tokens3 = get("tokens"), withStream = get("W_O") !== null;
    const signs = get("V").map((_, j) => `v${subscript(j + 1)}`);
    const short3 = tokens3?.map((t) => visible(t, 14));
    const named2 = (j) => signs[j] + (tokens3 ? ` \xB7 ${short3[j]}` : "");
    const called = (j) => `${value} ${j + 1}${tokens3 ? ` (${short3[j]})` : ""}`;
    const state = () => Object.fromEntries(TRAITS3.map((name) => [name, get(name)]));
    const compute = keep(TRAITS3, get, () => {
      const now = state(), read = { ...now, temperature: now.temperature === "inf" ? Infinity : now.temperature };
      return { ...read, ...numbers(read) };
    });
    let asked = -1, seen = null, question3 = null, ghosts = null;
    const frame = createFrame({
      model,
      el,
      page,
      label: label3,
      traits: TRAITS3,
      compute,
      clean: (raw) => cleanState3(raw, { count, stream: withStream }),
      summary() {
        const { weights: a, output: y, verdicts: verdicts3 } = compute();
        if (!y) return allMasked2;
        return summary3(...y.map((p) => fixed(p)), fixed(effectiveKeys(a)), verdicts3 && verdict2[verdicts3.stream[0]]);
      },
      file: "mixture_hull",
      picture: () => composed(),
      rows: () => tableRows(compute(), tokens3),
      code: () => hullLines(state(), tokens3, compute().other),
      predict: {
        cover: () => ({
          stream: [verdicts2?.node, ...streamed?.nodes ?? []],
          drift: mixed.course,
          unique: [other.node, mixed.rings, table3.node]
        })[question3.kind],
        ask() {
          const now = JSON.stringify(state());
          if (now !== seen) [seen, asked] = [now, asked + 1];
          const open2 = questions(compute(), { asked, named: named2 });
          return question3 = open2.length ? open2[asked % open2.length] : null;
        }
      }
    });
    view.apply = (raw) => frame.apply(raw);
    const forbid = (j, may3) => {
      const row = (get("mask") ?? get("V").map(() => true)).map((old, k) => k === j ? may3 : old);
      frame.set("mask", row.every(Boolean) ? null : row);
      frame.commit();
    };
    const points3 = get("V").map((_, index) => ({
      id: `v${index}`,
      kind: "v",
      trait: "V",
      index,
      sign: signs[index],
      label: tokens3?.[index] ?? signs[index],
      full: tokens3?.[index],
      name: called(index)
    }));
    const plane = createPlane({
      frame,
      label: planeLabel3,
      initial: get("V"),
      vectors: () => get("V"),
      points: points3,
      moved({ index }, place3) {
        const V = get("V"), { weights: a } = compute();
        if (!get("hold_output") || !a) return V.map((v, j) => j === index ? place3 : v);
        const held = compensatedValues(V, a, index, place3);
        if (!held) frame.say(cannotHold(called(index)));
        return held?.map((v) => v.map((p) => Number(p.toPrecision(12)))) ?? V;
      }
    });
    const mixed = drawHull(plane, count);
    const rows = createRows({ frame, count, wide: Boolean(tokens3), named: named2, called, forbid });
    const other = createOther({ frame, count, signs, named: named2, called });
    const table3 = createTable3({ frame, count, named: named2 });
    const temperature4 = createTemperature(frame);
    const hold2 = check(frame, (on) => frame.set("hold_output", on), hold);
    const streamPlane = withStream && createPlane({
      frame,
      label: streamLabel,
      initial: [...get("V"), get("x"), ...compute().images ?? []],
      vectors() {
        const { V, images: images2, x, stream: stream2 } = compute();
        return [...V, ...images2, x, ...stream2 ? [stream2] : []];
      },
      points: [{ id: "x", kind: "x", trait: "x", sign: "x", label: "x", name: residual }]
    });
    const streamed = streamPlane && drawStream(streamPlane, count);
    const matrix5 = withStream && createMatrix3(frame);
    const verdicts2 = withStream && createVerdicts2();
    const title = (...parts3) => html("p", { class: "ag-title" }, ...parts3);
    const panel = (name, draw, ...parts3) => frame.region(html("section", { class: `ag-panel ${name}` }, ...parts3), draw);
    const at2 = html("span", { class: "ag-number-text" });
    frame.body.append(
      html("p", {}, lead2),
      frame.region(temperature4.node, temperature4.draw),
      html(
        "div",
        { class: "ag-panels" },
        panel(
          "ag-hull-plane",
          (now) => {
            plane.draw(null);
            ghosts = now.hold_output ? ghosts ?? now.V : null;
            mixed.draw(now, ghosts);
            plane.picture.querySelectorAll("[data-handle]").forEach((node, j) => node.classList.toggle("ag-hull-masked", !now.allowed[j]));
            hold2.box.checked = now.hold_output;
            text(at2, now.output ? `y = (${now.output.map((p) => fixed(p)).join(", ")})` : masked2);
            other.draw(now);
          },
          title(legend2("v", values2), legend2("y", output), at2),
          plane.node,
          html("p", { class: "ag-hint ag-hull-legend" }, legend),
          plane.fields,
          html(
            "div",
            { class: "ag-row" },
            hold2.field,
            about2(hold, holdHint)
          ),
          other.node
        ),
        panel(
          "",
          rows.draw,
          html("div", { class: "ag-title" }, rowsTitle, about2(rowsTitle, rowsHint)),
          rows.node
        ),
        withStream ? panel(
          "ag-hull-after",
          (now) => {
            streamPlane.draw(null);
            streamed.draw(now);
            matrix5.draw(now);
            verdicts2.draw(now);
          },
          html("div", { class: "ag-title" }, html("span", {}, ...formula(streamTitle)), about2(streamTitle, ...formula(streamHint))),
          html(
            "div",
            { class: "ag-hull-split" },
            html("div", { class: "ag-hull-part" }, streamPlane.node, streamPlane.fields),
            html(
              "div",
              { class: "ag-hull-part" },
              title(legend2("image", images), legend2("x", residual)),
              matrix5.node,
              verdicts2.node,
              html("p", { class: "ag-hint" }, ...formula(lemma))
            )
          )
        ) : ""
      ),
      html("details", { class: "ag-panel ag-help ag-hull-numbers", open: true }, html("summary", {}, table), frame.region(table3.node, table3.draw))
    );
    frame.close(helpTitle, help);
    const composed = () => composeSvg([
      { title: `${values2}, ${output}`, picture: plane.picture },
      ...streamPlane ? [{ title: streamTitle.replace("_", ""), picture: streamPlane.picture }] : []
    ], frame.root);
    return () => frame.dispose();
  }

  // basis.js
  function createBasis({ frame, get, vectors, settings: settings2 }) {
    let seed = 0, before = null;
    const rows = ["coordinate", "angle", ...MODES].map((name) => {
      const value3 = html("td", {});
      return { name, value: value3, node: rowOf(basisRows[name], [value3]) };
    });
    const verdict3 = html("p", {});
    const table3 = html("table", { class: "ag-compare" }, html("caption", {}, basisCaption), html("tbody", {}, ...rows.map((row) => row.node)));
    const another = frame.button(basisAnother, () => {
      before ??= vectors();
      const M = basis(++seed);
      if (get("X")) {
        const W_K = get(get("tied") ? "W_Q" : "W_K");
        frame.set("W_K", times(W_K, transposed(inverted(M))));
        frame.set("W_Q", times(get("W_Q"), M));
        frame.set("tied", false);
      } else {
        const { Q, K } = inBasis(get("Q"), get("K"), M);
        frame.set("Q", Q);
        frame.set("K", K);
      }
      frame.commit();
    });
    const here = frame.button(basisHere, () => {
      before = vectors();
      frame.schedule();
    });
    return {
      node: html(
        "div",
        { class: "ag-experiment" },
        html("div", { class: "ag-part" }, html("p", {}, basisWhat), html("div", { class: "ag-row" }, another, here, about2(basisAnother, basisHint))),
        html("div", { class: "ag-part" }, table3, verdict3)
      ),
      open() {
        before = vectors();
      },
      draw() {
        const moved2 = distances(before ??= vectors(), vectors(), settings2());
        const values3 = { coordinate: moved2.coordinate, angle: moved2.cosine, ...moved2.weight };
        rows.forEach(({ name, value: value3 }) => text(value3, fixed(values3[name], 3)));
        text(verdict3, values3.coordinate < 5e-4 ? basisNone : values3.dot < 5e-4 ? basisGauge : basisMoved);
      }
    };
  }

  // width.js
  var LEFT = 46;
  var RIGHT = 308;
  var TOP2 = 16;
  var BOTTOM = 176;
  var MOST = Math.log(RIVALS);
  var across2 = (s) => LEFT + (RIGHT - LEFT) * s / (WIDTHS.length - 1);
  var up = (h) => BOTTOM - (BOTTOM - TOP2) * h / MOST;
  function createWidth({ frame }) {
    let found = null;
    const range = slider(frame, width, WIDTHS.length - 1, (s) => frame.set("d_k", WIDTHS[s]));
    const rule = svg("path", { class: "ag-rule" });
    const curves = ["scaled", "unscaled"].map((kind2, i) => ({
      kind: kind2,
      curve: svg("path", { class: `ag-curve ag-curve-${kind2}` }),
      dot: svg("g", {}, marker("qk"[i], 0.75))
    }));
    const ticks = [
      ...[0, 1, 2].map((h) => svg("text", { class: "ag-tick", x: LEFT - 7, y: up(h) + 4, "text-anchor": "end" }, String(h))),
      ...[0, 2, 4, 6, 8, 10].map((s) => svg("text", { class: "ag-tick", x: across2(s), y: BOTTOM + 17, "text-anchor": "middle" }, String(WIDTHS[s])))
    ];
    const names3 = {
      scaled: svg("text", { class: "ag-name", x: RIGHT, y: up(2.35) + 22, "text-anchor": "end" }, curveScaled),
      unscaled: svg("text", { class: "ag-name", x: RIGHT, y: up(0.62), "text-anchor": "end" }, curveUnscaled)
    };
    const picture = svg(
      "svg",
      { class: "ag-picture ag-chart", viewBox: "0 0 320 216", role: "img" },
      svg("path", { class: "ag-axis", d: `M${LEFT} ${TOP2}V${BOTTOM}H${RIGHT}` }),
      svg("path", { class: "ag-most", d: `M${LEFT} ${TOP2}H${RIGHT}` }),
      svg("text", { class: "ag-tick", x: LEFT + 4, y: TOP2 - 4 }, mostEntropy),
      rule,
      ...curves.flatMap(({ curve: curve3, dot: dot2 }) => [curve3, dot2]),
      ...ticks,
      ...Object.values(names3),
      svg("text", { class: "ag-tick", x: (LEFT + RIGHT) / 2, y: BOTTOM + 34, "text-anchor": "middle" }, widthAxis)
    );
    const said = html("p", {});
    const heads = [widthAxis, spread, curveUnscaled, curveScaled].map((head2) => headOf(head2));
    const numbers2 = html("details", { class: "ag-help" }, html("summary", {}, widthTable));
    const compute = () => {
      found = widthExperiment();
      curves.forEach(({ kind: kind2, curve: curve3 }) => attr(curve3, "d", line(...found.map((row, s) => [across2(s), up(row[kind2])]))));
      attr(picture, "aria-label", widthLabel(found.map((row) => widthLine(row.d, fixed(row.unscaled), fixed(row.scaled))).join(" ")));
      numbers2.append(table2(
        { class: "ag-compare" },
        html("caption", { class: "ag-hidden" }, widthCaption),
        heads,
        found.map((row) => rowOf(String(row.d), [row.spread, row.unscaled, row.scaled].map((x) => html("td", {}, fixed(x)))))
      ));
    };
    return {
      node: html(
        "div",
        { class: "ag-experiment" },
        html("div", { class: "ag-part" }, html("p", {}, widthWhat(DRAWS, RIVALS)), html("div", { class: "ag-row" }, range.node, about2(width, widthHint)), said, numbers2),
        picture
      ),
      draw({ d_k }) {
        if (!found) compute();
        const s = WIDTHS.indexOf(d_k), row = found[s];
        range.draw(s, `d = ${d_k}`);
        attr(rule, "d", line([across2(s), TOP2], [across2(s), BOTTOM]));
        curves.forEach(({ kind: kind2, dot: dot2 }) => move(dot2, [across2(s), up(row[kind2])]));
        text(said, widthSaid(d_k, fixed(row.spread), fixed(row.unscaled), fixed(row.scaled)));
      }
    };
  }

  // query_key_plane.js
  var SILENT = { mode: "dot", lift: 0, experiment: null, d_k: 64, X: null, W_Q: null, W_K: null, tied: false };
  var TRAITS4 = ["Q", "K", "V", "temperature", "scaled", "mask", "selected", ...Object.keys(SILENT)];
  var NAMES = ["query_tokens", "key_tokens", "one_set", "tasks"];
  var query_key_plane_default = widget(start4, ["Q", "K", "V", "X", ...NAMES], (get) => [...["Q", "K", "V", "X"].map((name) => get(name)?.length), ...NAMES.map(get)]);
  var cleanState4 = (raw, { queries: queries2, keys: keys3, values: values3, tokens: tokens3 = false }) => cleaned(raw, {
    Q: where(!tokens3, (x) => isMatrix(x, queries2, 2)),
    K: where(!tokens3, (x) => isMatrix(x, keys3, 2)),
    X: where(tokens3, (x) => isMatrix(x, queries2, 2)),
    W_Q: where(tokens3, (x) => isMatrix(x, 2, 2)),
    W_K: where(tokens3, (x) => isMatrix(x, 2, 2)),
    tied: (x) => isBoolean(x) && (tokens3 || !x),
    mode: (x) => MODES.includes(x),
    lift: (x) => Number.isFinite(x) && x >= 0 && x <= 1,
    d_k: (x) => WIDTHS.includes(x),
    V: where(values3, (x) => isMatrix(x, keys3, 2)),
    temperature: isTemperature,
    scaled: isBoolean,
    selected: (x) => isIndex(x, queries2),
    experiment: (x) => [null, "compare", "width", "basis"].includes(x),
    mask: (x) => x === null || isMatrix(x, queries2, keys3, isBoolean) || x === "causal" && queries2 === keys3
  });
  function start4(model, el, page, view) {
    for (const [name, value3] of Object.entries(SILENT)) if ((model.get(name) ?? null) === null) model.set(name, value3);
    const get = (name) => model.get(name);
    const source2 = get("X") ? "tokens" : "free", values3 = Boolean(get("V"));
    let last = {};
    const unmoved2 = (rows, before) => rows.map((row, i) => row.every((x, c) => x === before?.[i][c]) ? before[i] : row);
    const vectors = keep(["Q", "K", "X", "W_Q", "W_K", "tied"], get, (Q, K, X, W_Q, W_K, tied) => X ? last = { Q: unmoved2(times(X, W_Q), last.Q), K: unmoved2(times(X, tied ? W_Q : W_K), last.K) } : { Q, K });
    const counts = { queries: vectors().Q.length, keys: vectors().K.length, values: values3, tokens: source2 === "tokens" };
    const T = () => get("temperature") === "inf" ? Infinity : get("temperature");
    const signs = Object.fromEntries([..."qkvx"].map((kind2) => [kind2, Array.from({ length: 32 }, (_, i) => `${kind2}${subscript(i + 1)}`)]));
    const tokens3 = { q: get("query_tokens"), k: get("key_tokens"), x: get("query_tokens") };
    const labels = { q: tokens3.q ?? signs.q, k: tokens3.k ?? signs.k, x: tokens3.x ?? signs.x };
    const shortened = Object.fromEntries([..."qkx"].map((kind2) => [kind2, tokens3[kind2]?.map((token2) => visible(token2, 14))]));
    const short3 = (kind2, i) => shortened[kind2][i];
    const called = (kind2, i) => `${spoken[kind2]} ${i + 1}${tokens3[kind2] ? ` (${short3(kind2, i)})` : ""}`;
    const named2 = (kind2, i) => signs[kind2][i] + (tokens3[kind2] ? ` \xB7 ${short3(kind2, i)}` : "");
    const settings2 = () => ({ scaled: get("scaled"), mask: get("mask"), temperature: T() });
    const state = () => Object.fromEntries(TRAITS4.map((name) => [name, get(name)]));
    const compute = keep(TRAITS4, get, () => {
      const now = { ...state(), ...vectors(), ...settings2() };
      return { ...now, ...attend(now.Q, now.K, values3 ? now.V : null, now) };
    });
    const frame = createFrame({
      model,
      el,
      page,
      label,
      traits: TRAITS4,
      clean: (raw) => cleanState4(raw, counts),
      compute,
      summary() {
        const i = get("selected"), row = compute().weights[i];
        if (!row) return allMasked(called("q", i));
        const j = row.indexOf(Math.max(...row));
        return summary(called("q", i), called("k", j), fixed(row[j]));
      },
      file: "query_key_plane",
      picture: () => composed(),
      rows: () => table3(),
      code: () => numpyLines({ ...state(), ...vectors() }, { ...tokens3, source: state() }),
      predict: {
        cover: () => [bars.node, graph2.picture.parentNode, pairs2.node, mixed, ...mixture3?.nodes ?? [], experiments2.node, ...winners3.nodes],
        ask() {
          const { weights, scores: scores2, allowed: may3, selected: i } = compute(), row = weights[i];
          if (!row) return null;
          const names3 = row.map((_, j) => named2("k", j));
          const { open: open2, ...answers } = whichLargest(winners({ A: weights, allowed: may3 }, i), may3[i], names3, askTie);
          return {
            question: ask(named2("q", i)),
            ...answers,
            why: askWhy(open2.map((j) => `${names3[j]} ${fixed(scores2[i][j], 3)}`).join(", "))
          };
        }
      }
    });
    view.apply = (raw) => frame.apply(raw);
    const choose = (i) => {
      if (i === get("selected")) return;
      frame.set("selected", i);
      frame.commit();
    };
    const forbid = (j, may3) => {
      const rows = allowed2(get("mask"), counts.queries, counts.keys);
      rows[get("selected")][j] = may3;
      frame.set("mask", rows.flat().every(Boolean) ? null : rows);
      frame.commit();
    };
    const point4 = (kind2, trait) => (_, index) => ({
      id: `${kind2}${index}`,
      kind: kind2,
      trait,
      index,
      sign: signs[kind2][index],
      label: labels[kind2]?.[index] ?? signs[kind2][index],
      full: tokens3[kind2]?.[index],
      name: kind2 === "v" ? `${spoken.v} ${index + 1}` : called(kind2, index)
    });
    const pick = (wanted) => ({ kind: kind2, index }, dragging) => {
      if (kind2 !== wanted || index === get("selected")) return;
      frame.set("selected", index);
      if (!dragging) frame.commit("select");
    };
    const range = [...vectors().Q, ...vectors().K];
    const pairPlane = createPlane({
      frame,
      label: planeLabel,
      initial: range,
      vectors: () => [...vectors().Q, ...vectors().K],
      points: [...vectors().K.map(point4("k", "K")), ...vectors().Q.map(point4("q", "Q"))],
      derived: counts.tokens,
      at: (trait) => vectors()[trait],
      moved: ({ kind: kind2, trait, index }, place3) => get(trait).map((row, i) => i === index ? panels.compare.constrain(kind2, row, place3) : row),
      onHold: pick("q")
    });
    const tokenPlane = counts.tokens && createPlane({
      frame,
      label: tokensLabel,
      initial: get("X"),
      vectors: () => get("X"),
      points: get("X").map(point4("x", "X")),
      onHold: pick("x")
    });
    const winners3 = drawWinners(pairPlane, labels.k.slice(0, counts.keys));
    const arrows = drawArrows(pairPlane, (name) => vectors()[name]);
    const valuePlane = values3 && createPlane({
      frame,
      label: valuesLabel,
      initial: get("V"),
      vectors: () => get("V"),
      points: get("V").map(point4("v", "V"))
    });
    const mixture3 = valuePlane && drawMixture(valuePlane, get);
    const nodes = (kind2, count) => labels[counts.tokens ? "x" : kind2].slice(0, count);
    const graph2 = createGraph({
      frame,
      called,
      queries: nodes("q", counts.queries),
      keys: nodes("k", counts.keys),
      oneSet: get("one_set"),
      onSelect: choose
    });
    const bars = createBars({ frame, keys: counts.keys, named: named2, called, forbid, wide: Boolean(tokens3.k) });
    const pairs2 = createPairs({ frame, counts, named: named2, called, label: (j) => visible(labels.k[j], 7), onSelect: choose });
    const controls4 = createControls2(frame, counts, named2, choose);
    const panels = {
      compare: createCompare({ frame, get, names: labels.k.slice(0, counts.keys), named: named2, movable: !counts.tokens }),
      width: createWidth({ frame }),
      basis: createBasis({ frame, get, vectors, settings: settings2 })
    };
    const experiments2 = createExperiments({
      frame,
      panels,
      choose(name) {
        frame.set("experiment", name);
        if (name === null) frame.set("mode", "dot");
        frame.commit();
      }
    });
    const origin = counts.tokens && createTokens({ frame, get });
    const title = (...parts3) => html("p", { class: "ag-title" }, ...parts3);
    const legend3 = (kind2, word2) => html("span", { class: "ag-key" }, glyph(kind2), word2);
    const panel = (draw, ...parts3) => frame.region(html("section", { class: "ag-panel" }, ...parts3), draw);
    const compared = html("span", { class: "ag-compared" });
    const mixed = html("span", { class: "ag-number-text" });
    frame.body.append(
      frame.region(controls4.node, controls4.draw),
      html(
        "div",
        { class: "ag-panels" },
        tokenPlane ? panel((now) => tokenPlane.draw(`x${now.selected}`), title(legend3("x", tokens)), tokenPlane.node, tokenPlane.fields) : "",
        panel(
          (now) => {
            pairPlane.draw(`q${now.selected}`);
            arrows.draw(now.selected, now.mode);
            winners3.draw(now.experiment === "compare" ? now : null);
            text(compared, now.mode === "dot" ? "" : modes[now.mode]);
          },
          title(legend3("q", queries), legend3("k", keys), compared),
          pairPlane.node,
          counts.tokens ? html("p", { class: "ag-hint" }, ...formula(derived)) : pairPlane.fields
        ),
        panel(bars.draw, bars.title, bars.node),
        valuePlane ? panel(({ weights, output: output2, selected: i }) => {
          valuePlane.draw(null);
          mixture3.draw(weights[i]?.map(frame.rough), output2[i], i);
          if (frame.due(2)) text(mixed, output2[i] ? `y${subscript(i + 1)} = (${output2[i].map((x) => fixed(x)).join(", ")})` : masked);
        }, title(legend3("v", values), legend3("y", mixture), mixed), valuePlane.node, valuePlane.fields) : "",
        panel(
          graph2.draw,
          title(graph),
          html("div", { class: "ag-cover" }, graph2.picture),
          html("p", { class: "ag-hint" }, graphHint(...get("one_set") ? ["i", "j"] : ["q", "k"]))
        )
      ),
      ...origin ? [frame.region(origin.node, origin.draw)] : [],
      frame.region(experiments2.node, (now, settled) => experiments2.draw({ ...now, reach: pairPlane.reach }, settled)),
      frame.region(pairs2.node, pairs2.draw)
    );
    frame.close(helpTitle, help);
    if (!counts.tokens) {
      pairPlane.hold(`q${get("selected")}`);
      pairPlane.hold(null);
    }
    const composed = () => composeSvg([
      ...tokenPlane ? [{ title: tokens, picture: tokenPlane.picture }] : [],
      { title: `${queries}, ${keys}`, picture: pairPlane.picture },
      ...valuePlane ? [{ title: `${values}, ${mixture}`, picture: valuePlane.picture }] : [],
      { title: graph, picture: graph2.picture }
    ], frame.root);
    const table3 = () => {
      const { scores: scores2, allowed: may3, weights } = compute();
      return [
        ["query", "key", "query_token", "key_token", "allowed", "score", "weight"],
        ...scores2.flatMap((row, i) => row.map((s, j) => [
          i,
          j,
          tokens3.q?.[i] ?? "",
          tokens3.k?.[j] ?? "",
          may3[i][j] ? 1 : 0,
          s,
          weights[i]?.[j] ?? null
        ]))
      ];
    };
    return () => frame.dispose();
  }

  // page.js
  var widgets = {
    AttentionPipeline: attention_pipeline_default,
    MetricCourt: metric_court_default,
    MixtureHull: mixture_hull_default,
    QueryKeyPlane: query_key_plane_default
  };
  function mountNear() {
    const seen = {};
    const still2 = {};
    const near = new IntersectionObserver((entries2) => entries2.forEach((e) => e.isIntersecting && wake(e.target)), {
      rootMargin: "100% 0%"
    });
    const wake = (node) => {
      near.unobserve(node);
      return node.agWidget ??= mount(node, ...node.agPlace);
    };
    for (const node of document.querySelectorAll(".ag-static[data-ag-widget]")) {
      const name = node.dataset.agWidget;
      if (!Object.hasOwn(widgets, name)) continue;
      const ordinal = seen[name] = (seen[name] ?? -1) + 1;
      if (node.agPlace) continue;
      node.agPlace = [name, ordinal];
      still2[`${name}.${ordinal}`] = node;
      near.observe(node);
    }
    const follow2 = () => {
      const link2 = decodeLink(location.hash);
      const node = link2 && still2[`${link2.name}.${link2.ordinal}`];
      if (!node) return;
      wake(node).apply(link2.state);
      node.scrollIntoView({ block: "start" });
    };
    window.addEventListener("hashchange", follow2);
    follow2();
  }
  function mount(node, name, ordinal) {
    const host = document.createElement("div");
    node.append(host);
    const page = {
      url: (state) => `${location.href.split("#")[0]}#${encodeLink(name, ordinal, state)}`
    };
    const view = { apply: () => false };
    widgets[name].render({ model: miniModel(JSON.parse(node.dataset.agState)), el: host, page, view });
    node.dataset.agMounted = "true";
    return view;
  }
  if (globalThis.document?.currentScript) {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mountNear);
    else mountNear();
  }

  // <stdin>
  AttentionGeometry.widgets = widgets;
})();
