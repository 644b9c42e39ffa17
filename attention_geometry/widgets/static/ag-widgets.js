var AttentionGeometry = (() => {
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __export = (target, all) => {
    for (var name in all)
      __defProp(target, name, { get: all[name], enumerable: true });
  };
  var __copyProps = (to, from, except, desc) => {
    if (from && typeof from === "object" || typeof from === "function") {
      for (let key of __getOwnPropNames(from))
        if (!__hasOwnProp.call(to, key) && key !== except)
          __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
    }
    return to;
  };
  var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

  // page.js
  var page_exports = {};
  __export(page_exports, {
    widgets: () => widgets
  });

  // dom.js
  var SVG = "http://www.w3.org/2000/svg";
  var html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  var svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
  function fill(node, attributes = {}, children = []) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value !== null && value !== void 0 && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null && child !== void 0));
    return node;
  }
  var written = /* @__PURE__ */ new WeakMap();
  function attr(node, name, value) {
    let known = written.get(node);
    if (!known) written.set(node, known = {});
    if (known[name] === value) return;
    known[name] = value;
    if (value === null || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value);
  }
  function text(node, value) {
    let known = written.get(node);
    if (!known) written.set(node, known = {});
    if (known["#"] === value) return;
    known["#"] = value;
    if (node.firstChild?.nodeType === 3 && !node.firstChild.nextSibling) node.firstChild.data = value;
    else node.textContent = value;
  }
  function marker(kind, scale = 1) {
    const d = {
      q: "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0Z",
      k: "M-7.5 -7.5H7.5V7.5H-7.5Z",
      v: "M0 -9.5L9 6.5H-9Z",
      y: "M0 -9.5L9.5 0L0 9.5L-9.5 0Z",
      x: "M-3 -9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z"
    }[kind];
    return svg("path", { class: `ag-${kind}`, d, transform: scale === 1 ? null : `scale(${scale})` });
  }
  function glyph(kind) {
    return svg("svg", { class: "ag-glyph", viewBox: "-11 -11 22 22", "aria-hidden": "true" }, marker(kind));
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
  var GAP = 24;
  var SIDE = 320;
  var HEAD = 34;
  function composeSvg(figures, root) {
    const style = getComputedStyle(root);
    const ink = style.color;
    const width = figures.length * (SIDE + GAP) + GAP;
    const height = SIDE + HEAD + 2 * GAP;
    const page = svg("svg", {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      "font-family": "system-ui, sans-serif",
      "font-size": 13
    }, svg("rect", { width, height, fill: paper(root) }));
    figures.forEach(({ title, picture }, i) => {
      const x = GAP + i * (SIDE + GAP);
      const name = svg("text", { x, y: GAP + 12, fill: ink, "font-weight": 600, "font-size": 14 }, title);
      page.append(name, svg("g", { transform: `translate(${x} ${GAP + HEAD})` }, ...[...picture.children].map(written2)));
    });
    return page;
  }
  function written2(node) {
    if (node.matches(LEFT_OUT)) return "";
    const style = getComputedStyle(node);
    if (style.display === "none") return "";
    const copy = node.cloneNode(false);
    for (const name of ["class", "tabindex", "role", "style", ...node.getAttributeNames().filter((a) => a.startsWith("aria-"))]) {
      copy.removeAttribute(name);
    }
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value === INITIAL[name]) copy.removeAttribute(name);
      else copy.setAttribute(name, value);
    }
    copy.append(...[...node.childNodes].map((child) => child.nodeType === 1 ? written2(child) : child.cloneNode()));
    return copy;
  }
  function paper(node) {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/^(transparent|rgba\(.*, 0\))$/.test(colour)) return colour;
    }
    return "white";
  }
  var svgBlob = (page) => new Blob([new XMLSerializer().serializeToString(page)], { type: "image/svg+xml" });
  async function pngBlob(page, scale = 2) {
    const image = new Image();
    const [width, height] = [page.getAttribute("width"), page.getAttribute("height")].map(Number);
    await new Promise((good, bad) => {
      [image.onload, image.onerror] = [good, bad];
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(page))}`;
    });
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * scale, height * scale];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((good, bad) => canvas.toBlob((blob) => blob ? good(blob) : bad(), "image/png"));
  }
  function download(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
  }

  // format.js
  function fixed(x, digits = 2) {
    if (x === null || x === void 0) return "\u2013";
    if (Math.abs(x) >= 1e5) return short(x);
    const text2 = x.toFixed(digits);
    return (Number(text2) === 0 ? text2.replace("-", "") : text2).replace("-", "\u2212");
  }
  function stored(x) {
    return fixed(x, 4).replace(/(\.\d\d)(\d*?)0+$/, "$1$2");
  }
  function short(x) {
    if (x === null || x === void 0) return "\u2013";
    if (x === 0) return "0";
    const text2 = Math.abs(x) >= 1e-3 && Math.abs(x) < 1e5 ? String(Number(x.toPrecision(4))) : x.toExponential(2);
    return text2.replaceAll("-", "\u2212").replace("e+", "e");
  }
  function four(x) {
    return x >= 1e-3 && x < 1e4 ? x.toPrecision(4) : short(x);
  }
  var subscript = (n) => String(n).replace(/\d/g, (d) => "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089"[d]);
  var NAMED = {
    "\n": "\u21B5",
    "	": "\u21E5",
    "\r": "\u240D",
    "\x7F": "\u2421",
    "\u200B": "\xB7ZWSP\xB7",
    "\uFEFF": "\xB7BOM\xB7"
  };
  var DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u0080-\u009f]/;
  function visible(token, limit = Infinity) {
    const signs = [...token === "" ? "\u2205" : token];
    const last = signs.length - 1;
    const text2 = signs.map((c, i) => {
      if (c === " ") return i === 0 || i === last ? "\u2423" : c;
      if (NAMED[c]) return NAMED[c];
      const code = c.codePointAt(0);
      if (code < 32) return String.fromCharCode(9216 + code);
      if (DIRECTION.test(c)) return `\xB7U+${code.toString(16).toUpperCase().padStart(4, "0")}\xB7`;
      return code >= 55296 && code < 57344 ? "\uFFFD" : c;
    }).join("");
    const shown = [...text2];
    return shown.length <= limit ? text2 : shown.slice(0, Math.max(1, limit - 1)).join("") + "\u2026";
  }
  function pythonString(token) {
    const named = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "	": "\\t" };
    const hex = (code, letter, width) => `\\${letter}${code.toString(16).padStart(width, "0")}`;
    const body = [...token].map((c) => {
      const code = c.codePointAt(0);
      if (named[c]) return named[c];
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

  // geometry.js
  var dot = (a, b) => a.reduce((sum3, x, i) => sum3 + x * b[i], 0);
  function scores(Q, K, { scaled = true } = {}) {
    const scale = scaled ? Q[0].length ** -0.5 : 1;
    return Q.map((q) => K.map((k) => scale * (Math.round(dot(q, k) * 1e12) / 1e12)));
  }
  function allowed(mask, queries, keys) {
    return Array.from({ length: queries }, (_, i) => Array.from({ length: keys }, (_2, j) => mask === "causal" ? j <= i : mask ? mask[i][j] : true));
  }
  function logits(s, may, temperature = 1) {
    const largest2 = Math.max(...s.filter((_, j) => may[j]));
    if (!may.some(Boolean)) return null;
    return s.map((x, j) => {
      if (!may[j]) return -Infinity;
      if (temperature === Infinity) return 0;
      if (temperature === 0) return x === largest2 ? 0 : -Infinity;
      return (x / 2 - largest2 / 2) / temperature * 2;
    });
  }
  function softmax(s, { may = s.map(() => true), temperature = 1 } = {}) {
    const e = logits(s, may, temperature)?.map(Math.exp);
    if (!e) return null;
    const total = sum(e);
    return e.map((x) => x / total);
  }
  var entropy = (p) => p && Math.abs(sum(p.map((x) => x > 0 ? -x * Math.log(x) : 0)));
  var effectiveKeys = (p) => p && Math.exp(entropy(p));
  var mixture = (p, V) => p && V && V[0].map((_, c) => sum(p.map((w, j) => w * V[j][c])));
  function attention(Q, K, V, { scaled = true, mask = null, temperature = 1 } = {}) {
    const S = scores(Q, K, { scaled });
    const may = allowed(mask, Q.length, K.length);
    const weights = S.map((s, i) => softmax(s, { may: may[i], temperature }));
    return { scores: S, allowed: may, weights, output: weights.map((p) => mixture(p, V)) };
  }
  function convexHull(points) {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]).filter((p, i, all) => !i || p[0] !== all[i - 1][0] || p[1] !== all[i - 1][1]);
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
  function niceRange(vectors, margin = 1.15) {
    const largest2 = margin * Math.max(...vectors.flat().map(Math.abs));
    if (!(largest2 > 0)) return 1;
    const unit = 10 ** (Math.floor(Math.log10(largest2)) - 1);
    return Math.ceil(largest2 / unit - 1e-9) * unit;
  }
  function tickStep(reach) {
    const unit = 10 ** Math.floor(Math.log10(reach / 3));
    return [1, 2, 5, 10].map((f) => f * unit).find((step) => step >= reach / 3 - 1e-12);
  }
  var sum = (x) => x.reduce((a, b) => a + b, 0);
  var cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

  // hull.js
  var FLAT = 1e-12;
  var STEPS = 120;
  function outputSpan(V, may) {
    const keys = V.map((_, j) => j).filter((j) => may[j]);
    const ones = keys.map(() => keys.length ** -0.5);
    const columns = [0, 1].map((c) => {
      const x = keys.map((j) => V[j][c]), mean = sum2(x) / keys.length, noise = 4 * keys.length * 23e-17 * largest(x);
      const centred = x.map((v) => v - mean), size = largest(centred);
      return size > noise ? centred.map((v) => v / size) : centred.map(() => 0);
    }).sort((a, b) => dot(b, b) - dot(a, a));
    const span = keys.length ? [ones] : [];
    for (const column of columns) {
      let rest = column;
      for (let twice = 0; twice < 2; twice++) for (const q of span) rest = subtract(rest, q, dot(q, rest));
      const length = Math.sqrt(dot(rest, rest));
      if (length > FLAT * keys.length) span.push(rest.map((x) => x / length));
    }
    return { keys, span, dimension: keys.length - span.length };
  }
  function equivalentDirection(V, may, j) {
    const { keys, span } = outputSpan(V, may);
    const at = keys.indexOf(j);
    if (at < 0) return null;
    const unit = keys.map((_, k) => Number(k === at));
    let rest = unit;
    for (let twice = 0; twice < 2; twice++) for (const q of span) rest = subtract(rest, q, dot(q, rest));
    if (rest[at] <= 1e-12) return null;
    const z = V.map(() => 0);
    keys.forEach((k, i) => {
      z[k] = rest[i] / rest[at];
    });
    return z;
  }
  function room(a, z) {
    const ends = { low: -Infinity, high: Infinity, lowKey: null, highKey: null };
    z.forEach((d, k) => {
      if (Math.abs(d) <= 1e-9) return;
      const t = -a[k] / d;
      if (d > 0 && t > ends.low) [ends.low, ends.lowKey] = [t, k];
      if (d < 0 && t < ends.high) [ends.high, ends.highKey] = [t, k];
    });
    return { ...ends, low: ends.low + 0, high: ends.high + 0 };
  }
  function equivalentRow(a, z, along) {
    const { low, high } = room(a, z);
    const t = along < 0 ? -along * low : along * high;
    return a.map((w, k) => {
      const moved = w + t * z[k];
      return moved > 1e-15 ? moved : 0;
    });
  }
  var totalVariation = (a, b) => sum2(a.map((w, j) => Math.abs(w - b[j]))) / 2;
  function compensatedValues(V, a, j, point3) {
    const others = sum2(a.map((w, k) => k === j ? 0 : w * w));
    if (a[j] > 0 && !(others > 0)) return null;
    const pull = a[j] > 0 ? a[j] / others : 0;
    return V.map((v, k) => k === j ? [...point3] : v.map((x, c) => x - pull * a[k] * (point3[c] - V[j][c])));
  }
  var times = (y, W) => W[0].map((_, c) => sum2(y.map((x, r) => x * W[r][c])));
  function hullMargin(point3, points) {
    const corners2 = convexHull(points);
    const sides = corners2.map((a, i) => [a, corners2[(i + 1) % corners2.length]]);
    const away = Math.min(...sides.map(([a, b]) => segmentDistance(point3, a, b)));
    if (corners2.length < 3) return 0 - away;
    const inside = sides.every(([a, b]) => (b[0] - a[0]) * (point3[1] - a[1]) - (b[1] - a[1]) * (point3[0] - a[0]) >= 0);
    return inside ? away : 0 - away;
  }
  function hullVerdict(point3, points) {
    const margin = hullMargin(point3, points), noise = 1e-9 * largest([...points.flat(), ...point3]);
    return margin > noise ? "inside" : margin >= -noise ? "edge" : "outside";
  }
  function temperaturePath(s, may, V) {
    const top = [...new Set(s.filter((_, j) => may[j]))].sort((a, b) => b - a);
    if (!top.length) return null;
    const at = (temperature) => ({ temperature, output: mixture(softmax(s, { may, temperature }), V) });
    if (top.length === 1) return [at(0), at(Infinity)];
    const low = (top[0] - top[1]) / 36, high = 60 * (top[0] - top.at(-1));
    const between = Array.from({ length: STEPS }, (_, i) => at(low * (high / low) ** (i / (STEPS - 1))));
    return [at(0), ...between, at(Infinity)];
  }
  function temperatureDrift(s, may, V, T) {
    if (!(T > 0 && T < Infinity)) return null;
    const a = softmax(s, { may, temperature: T });
    if (!a) return null;
    const mean = sum2(a.map((w, k) => may[k] ? w * s[k] : 0));
    return mixture(a.map((w, k) => may[k] ? -w * (s[k] - mean) / (T * T) : 0), V);
  }
  function segmentDistance(p, a, b) {
    const side = [b[0] - a[0], b[1] - a[1]], from = [p[0] - a[0], p[1] - a[1]], square = dot(side, side);
    const t = square > 0 ? Math.max(0, Math.min(1, dot(from, side) / square)) : 0;
    return Math.hypot(from[0] - t * side[0], from[1] - t * side[1]);
  }
  var sum2 = (x) => x.reduce((a, b) => a + b, 0);
  var largest = (x) => Math.max(...x.map(Math.abs));
  var subtract = (x, q, c) => x.map((v, i) => v - c * q[i]);

  // strings.js
  var frame = {
    undo: "Undo",
    redo: "Redo",
    reset: "Reset",
    link: "Copy link",
    save: "Save",
    saveAs: (kind) => `Save as ${kind}`,
    actions: "State and files",
    tasks: "Try this",
    setView: "Set this view",
    viewSet: "View set.",
    undone: "Undone.",
    redone: "Redone.",
    resetDone: "Reset.",
    linkSet: "View set from the link.",
    linkRefused: "This link was made for another version of this figure; it was not applied.",
    linkCopied: "Link copied. It opens this page with the figure as it stands now.",
    linkShown: "This link opens the page with the figure as it stands now.",
    codeCopied: "Copied. These lines rebuild the numbers with NumPy alone.",
    codeShown: "These lines rebuild the numbers with NumPy alone.",
    copy: "Copy",
    copied: "Copied.",
    copyByHand: "Selected: press Ctrl+C (or \u2318C) to copy.",
    file: (name) => `Save ${name}`,
    close: "Close",
    saved: (name) => `Saved ${name}.`,
    predict: "Predict",
    predictCommit: "Commit",
    predictAgain: "Ask again",
    predictChoose: "Choose an answer first.",
    predictNothing: "There is nothing to predict here: move something.",
    predictRight: "Right.",
    predictWrong: (answer) => `Not so: ${answer}.`,
    failed: "The picture could not be drawn by this browser."
  };
  var plane = {
    point: "Point",
    roles: { q: "query", k: "key", v: "value", y: "mixture" },
    role: "point in the plane",
    place: (x, y) => `x ${x}, y ${y}`,
    moved: (name, place) => `${name}, ${place}.`,
    coordinate: (axis, name) => `${axis} of the point`,
    helpTitle: "Moving points with keys, or without dragging",
    help: "Drag a point, or select it and use the arrow keys (Shift: larger steps, Home: back to the start). Without dragging: select a point, then click where it should go, or type its coordinates."
  };
  var queryKeyPlane = {
    label: "Queries, keys and what attention makes of them",
    controls: "Settings",
    query: "Query",
    mask: "Mask",
    masks: { none: "none", causal: "causal", custom: "custom" },
    scaled: "divide by \u221Ad",
    scaledFull: "Divide scores by the square root of the width of the keys, \u221A2",
    temperature: "Temperature",
    temperatureText: (t) => t === "0" ? "0: only the largest scores" : t === "\u221E" ? "infinity: all allowed keys alike" : t,
    queries: "queries",
    keys: "keys",
    values: "values",
    mixture: "mixture",
    planeLabel: "Plane of queries and keys",
    valuesLabel: "Plane of values and the mixture",
    zeroLine: "score 0",
    weightsOf: (q) => `Weights of ${q}`,
    may: "may attend",
    mayAttend: (q, k) => `${q} may attend to ${k}`,
    key: "key",
    weight: "weight",
    masked: "masked",
    allMasked: (q) => `${q} is masked: it may attend to no key, so it has no weights and no mixture.`,
    entropy: "entropy",
    nats: "nats",
    effective: "effective keys",
    atMost: (x) => ` (at most ${x})`,
    outOf: (n) => ` (of ${n})`,
    graph: "Who attends to whom",
    graphSides: "An arrow from a query to a key says that the query attends to the key; its width is the weight.",
    graphCircle: "An arrow from i to j says that i attends to j; its width is the weight.",
    graphLabel: (lines) => `Directed graph of the weights. ${lines}`,
    graphLine: (q, k, w) => `${q} most to ${k}, ${w}.`,
    graphMasked: (q) => `${q} is masked.`,
    pairs: "All pairs",
    show: "Show",
    showWeights: "weights",
    showScores: "scores",
    pairsCaption: (what) => `${what} of every pair: a row for each query, a column for each key`,
    steps: "Arithmetic of the selected query",
    stepsCaption: (q) => `The row of ${q}, step by step`,
    product: "q \xB7 k",
    score: "s = q\xB7k / \u221A2",
    scoreUnscaled: "s = q\xB7k",
    allowed: "allowed",
    exp: (t) => t === 1 ? "exp(s)" : "exp(s / T)",
    expShifted: (t) => t === 1 ? "exp(s \u2212 max)" : "exp((s \u2212 max) / T)",
    argmax: "1 if largest",
    uniform: "1 if allowed",
    share: "share",
    sum: "sum",
    ask: (q) => `Which key gets the largest weight of ${q}?`,
    askTie: "no single one: the largest weights are equal",
    askWhy: (scores2) => `Its scores are ${scores2}: the larger the score, the larger the weight.`,
    summary: (q, k, w) => `${q} gives most weight to ${k}, ${w}.`,
    spoken: { q: "query", k: "key", v: "value" }
  };
  var mixtureHull = {
    label: "Values, their weights and the mixture",
    about: (name) => `About: ${name}`,
    controls: "Settings",
    temperature: "Temperature",
    temperatureText: (t) => t === "0" ? "0: only the largest scores" : t === "\u221E" ? "infinity: all allowed keys alike" : t,
    temperatureHint: "T divides the scores before softmax: at T = 0 the largest scores share all the weight, at T = \u221E all allowed keys weigh alike. The dashed curve shows every output between the two.",
    value: "value",
    values: "values",
    output: "output",
    planeLabel: "Plane of values and the output",
    hold: "hold y: the other values make room",
    holdHint: "While this is on, the weights and y stay where they are. Move one value, and the others move against it, each in proportion to its weight; hollow triangles show where they were.",
    cannotHold: (v) => `${v} carries all the weight: it cannot move while y stays.`,
    rowsTitle: "Weights of one query",
    rowsHint: "Move a score: softmax turns the scores into weights a, and y goes straight towards that value. A disc around a value has its weight as area, and y is the point where the discs balance. Untick a key to mask it.",
    may: "may attend",
    mayAttend: (v) => `the query may attend to ${v}`,
    key: "key",
    score: "score",
    scoreOf: (v) => `score of ${v}`,
    scoreTyped: (v) => `score of ${v}, typed`,
    scoreText: (s, w) => w === null ? `${s}, masked` : `${s}, weight ${w}`,
    scored: (v, s) => `score of ${v}, ${s}.`,
    masked: "masked",
    allMasked: "No key is allowed, so there are no weights and no output.",
    entropy: "entropy",
    nats: "nats",
    effective: "effective keys",
    atMost: (x) => ` (at most ${x})`,
    outOf: (n) => ` (of ${n})`,
    twoRows: ", of a \xB7 a\u2032",
    otherTitle: "Another row with the same y",
    otherHint: "The slider gives one key more or less weight and lets the others make up for it, so that y does not move. It ends where the first weight reaches 0. Dashed rings around the values show the second row a\u2032.",
    give: "Weight of",
    chosen: "key that gains or loses weight",
    along: "second row, from the least to the most weight of the chosen key",
    alongText: (v, b, a) => `weight ${b} on ${v} instead of ${a}, same output`,
    end: (arrow, w, key, own) => own ? `${arrow} ${w}` : `${arrow} ${w}: ${key} at 0`,
    none: (n) => n === 1 ? "none: a single allowed key has all the weight" : `none: ${n} values in general position fix the weights`,
    noneMasked: (v) => `none: ${v} is masked; choose another key`,
    noneFixed: (v) => `none for ${v}: the other values cannot make up for it, so y fixes its weight; choose another key`,
    noneRoom: (v) => `none for ${v} from here: a weight that would have to fall is already 0; raise T or choose another key`,
    dimension: (d, n) => `${n} allowed keys, ${n - d} conditions (the sum and the place of y): ${d === 1 ? "1 direction is" : `${d} directions are`} left.`,
    distance: (x) => `a and a\u2032 differ by ${x} of all the weight, and give the same y.`,
    streamTitle: "After W_O and the residual",
    streamHint: "A head does not hand on y but y W_O, and adds it to x, which was there before. Drag x, or change W_O, and see which point leaves which hull.",
    streamLabel: "Plane of the residual stream",
    projected: "y W_O",
    stream: "x + y W_O",
    images: "v W_O",
    residual: "x, the residual",
    matrix: "Entries of W_O",
    entry: (r, c) => `W_O, row ${r}, column ${c}`,
    presets: { identity: "identity", rotation: "rotation by 45\xB0", stretch: "stretch", projection: "projection to a line", custom: "custom" },
    place: "place",
    hullOfV: "hull of v",
    hullOfVW: "hull of v W_O",
    verdict: { inside: "inside", edge: "on its edge", outside: "outside" },
    verdictsCaption: "Where the output lies before and after W_O and the residual",
    lemma: "y mixes the v, so it lies in their hull. y W_O mixes the v W_O with the same weights, so it lies in the hull of those. x is no mixture of values: adding it belongs to neither.",
    table: "Arithmetic: y = \u03A3 a v = \u03A3 a\u2032 v",
    tableCaption: "For each key its value, score, weights and products; the sums are the output",
    sum: "sum",
    summary: (x, y, n, stream) => `output x ${x}, y ${y}; effective keys ${n}.${stream ? ` x + y W_O: ${stream}, of the hull of the values.` : ""}`,
    askStream: "Where does x + y W_O lie with respect to the hull of the values v?",
    askStreamOptions: ["inside", "on its edge", "outside"],
    askStreamWhy: (verdict) => `Only y is sure to lie in that hull: W_O moves it to the hull of the v W_O, and x moves it on. With respect to the hull of the v W_O, x + y W_O lies ${verdict === "on its edge" ? verdict : `${verdict} of it`}.`,
    askDrift: (v, t) => `T grows a little above ${t}. Does y come nearer to ${v}?`,
    askDriftOptions: ["yes, nearer", "no, farther away"],
    askDriftWhy: (v, d) => `A larger T makes the weights more alike and moves y along the dashed curve; its distance from ${v} changes by ${d} for each unit of T.`,
    askUnique: "Is there another row of weights with this same y?",
    askUniqueOptions: ["yes", "no"],
    askUniqueWhy: (n, rank, d) => `${n} weights have to meet ${rank} conditions: their sum and the place of y. ${d ? `${d} ${d === 1 ? "direction is" : "directions are"} left.` : "Nothing is left free."}`
  };

  // hull_rows.js
  var STEPS2 = 100;
  var about = (name, sentence) => html(
    "details",
    { class: "ag-hull-about" },
    html("summary", { "aria-label": mixtureHull.about(name) }, "?"),
    html("p", { class: "ag-hint" }, sentence)
  );
  function createRows({ frame: frame2, count, named, called, forbid }) {
    const reach = Math.max(4, Math.ceil(Math.max(...frame2.initial.scores.map(Math.abs))));
    const put = (j, value) => {
      const clean = Number(Math.max(-1e6, Math.min(1e6, value)).toPrecision(12));
      frame2.set("scores", frame2.model.get("scores").map((s, k) => k === j ? clean : s));
    };
    const done = (j) => frame2.commit(null, mixtureHull.scored(called(j), short(frame2.model.get("scores")[j])));
    const rows = Array.from({ length: count }, (_, j) => {
      const box = html("input", { type: "checkbox", "aria-label": mixtureHull.mayAttend(called(j)) });
      const range = html("input", { type: "range", min: -reach, max: reach, step: 0.05, "aria-label": mixtureHull.scoreOf(called(j)) });
      const number = html("input", { type: "number", class: "ag-number", step: "any", "aria-label": mixtureHull.scoreTyped(called(j)) });
      const bar = (kind) => {
        const fill2 = html("span", { class: `ag-fill ag-hull-${kind}` });
        const track = html("span", { class: "ag-track" }, fill2), value = html("span", { class: "ag-number-text" });
        return { track, fill: fill2, value };
      };
      const first = bar("first"), second = bar("second");
      const line = (letter, { track, value }) => html("span", { class: "ag-hull-bar" }, html("i", {}, letter), track, value);
      frame2.on(box, "change", () => forbid(j, box.checked));
      frame2.on(range, "input", () => put(j, Number(range.value)));
      frame2.on(range, "change", () => {
        put(j, Number(range.value));
        done(j);
      });
      const take = () => Number.isFinite(number.valueAsNumber) && (put(j, number.valueAsNumber), true);
      frame2.on(number, "input", take);
      frame2.on(number, "change", () => take() ? done(j) : frame2.schedule());
      const other = line("a\u2032", second);
      const node = html(
        "div",
        { class: "ag-hull-row", role: "group", "aria-label": called(j) },
        html("label", { class: "ag-box" }, box),
        html("bdi", { class: "ag-hull-name" }, named(j)),
        range,
        number,
        html("span", { class: "ag-hull-bars" }, line("a", first), other)
      );
      return { node, box, range, number, first, second, other };
    });
    const stat = (name) => {
      const value = html("b", {}), limit = html("span", {});
      return { node: html("div", { class: "ag-fact" }, value, html("span", {}, name, limit)), value, limit };
    };
    const H = stat(mixtureHull.entropy), N = stat(mixtureHull.effective), none = html("p", {});
    const head = html(
      "div",
      { class: "ag-hull-row ag-hull-head", "aria-hidden": "true" },
      html("span", { title: mixtureHull.may }, "\u2713"),
      html("span", {}, mixtureHull.key),
      html("span", {}, mixtureHull.score)
    );
    const draw = (bar, w, may) => {
      attr(bar.fill, "style", `inline-size:${(100 * (w ?? 0)).toFixed(2)}%`);
      bar.track.classList.toggle("ag-hatched", !may);
      text(bar.value, may ? fixed(w, 3) : mixtureHull.masked);
    };
    return {
      node: html("div", { class: "ag-hull-rows" }, head, ...rows.map((row) => row.node), html("div", { class: "ag-facts" }, H.node, N.node, none)),
      draw({ scores: scores2, allowed: may, weights: a, other: b, entropy: entropy2, effective, otherEntropy, otherEffective, same }) {
        rows.forEach(({ node, box, range, number, first, second, other }, j) => {
          box.checked = may[j];
          node.classList.toggle("ag-masked", !may[j]);
          if (Number(range.value) !== scores2[j]) range.value = String(scores2[j]);
          attr(range, "aria-valuetext", mixtureHull.scoreText(short(scores2[j]), may[j] ? fixed(a[j], 3) : null));
          if (document.activeElement !== number) number.value = String(Number(scores2[j].toFixed(4)));
          draw(first, a?.[j], may[j]);
          other.hidden = same || !may[j];
          if (!other.hidden) draw(second, b[j], true);
        });
        const room2 = may.filter(Boolean).length;
        text(none, a ? "" : mixtureHull.allMasked);
        H.node.hidden = N.node.hidden = !a;
        const both = (p, q) => same || !a ? fixed(p) : `${fixed(p)} \xB7 ${fixed(q)}`;
        text(H.value, `${both(entropy2, otherEntropy)} ${mixtureHull.nats}`);
        text(H.limit, mixtureHull.atMost(fixed(room2 ? Math.log(room2) : null)) + (same ? "" : mixtureHull.twoRows));
        text(N.value, both(effective, otherEffective));
        text(N.limit, mixtureHull.outOf(room2) + (same ? "" : mixtureHull.twoRows));
      }
    };
  }
  function createOther({ frame: frame2, count, named, called }) {
    const choice = html(
      "select",
      { class: "ag-select", "aria-label": mixtureHull.chosen },
      ...Array.from({ length: count }, (_, j) => html("option", { value: j }, named(j)))
    );
    const range = html("input", { type: "range", min: -STEPS2, max: STEPS2, step: 1, "aria-label": mixtureHull.along });
    const reading = html("span", { class: "ag-number-text ag-reading" });
    const low = html("span", {}), high = html("span", {}), none = html("p", {}), size = html("p", { class: "ag-hint" });
    const moved = html("p", {});
    const take = () => frame2.set("along", Number(range.value) / STEPS2);
    frame2.on(choice, "change", () => {
      frame2.set("direction", Number(choice.value));
      frame2.commit();
    });
    frame2.on(range, "input", take);
    frame2.on(range, "change", () => {
      take();
      frame2.commit();
    });
    const slider = html(
      "div",
      { class: "ag-hull-slider" },
      html("label", { class: "ag-field" }, html("span", {}, mixtureHull.give), choice, reading),
      range,
      html("div", { class: "ag-hull-ends ag-hint" }, low, high)
    );
    return {
      node: html(
        "div",
        { class: "ag-hull-other", role: "group", "aria-label": mixtureHull.otherTitle },
        html("div", { class: "ag-title" }, mixtureHull.otherTitle, about(mixtureHull.otherTitle, mixtureHull.otherHint)),
        none,
        slider,
        moved,
        size
      ),
      draw({ allowed: may, weights: a, other: b, direction: j, along, dimension, ends, distance }) {
        const room2 = may.filter(Boolean).length;
        const why = !a ? mixtureHull.allMasked : dimension === 0 ? mixtureHull.none(room2) : !may[j] ? mixtureHull.noneMasked(named(j)) : !ends ? mixtureHull.noneFixed(named(j)) : ends.high - ends.low < 1e-12 ? mixtureHull.noneRoom(named(j)) : "";
        text(none, why);
        choice.value = String(j);
        slider.hidden = !a || dimension === 0;
        range.hidden = reading.hidden = low.parentNode.hidden = Boolean(why);
        text(size, a && dimension ? mixtureHull.dimension(dimension, room2) : "");
        text(moved, why ? "" : mixtureHull.distance(fixed(distance, 3)));
        if (why) return;
        const position = Math.round(along * STEPS2);
        if (Number(range.value) !== position) range.value = String(position);
        text(reading, `a\u2032 = ${fixed(b[j], 3)}`);
        attr(range, "aria-valuetext", mixtureHull.alongText(called(j), fixed(b[j], 3), fixed(a[j], 3)));
        text(low, mixtureHull.end("\u2190", fixed(a[j] + ends.low, 3), named(ends.lowKey), ends.lowKey === j));
        text(high, mixtureHull.end("\u2192", fixed(a[j] + ends.high, 3), named(ends.highKey), false));
      }
    };
  }

  // predict.js
  function createPredict(frame2, { cover, ask }, snapshot) {
    let on = false, asked = null, state = null, covered = [];
    const toggle = frame2.button(frame.predict, () => set(!on), { "aria-pressed": "false" });
    const question = html("legend", {}), choices = html("div", { class: "ag-row" });
    const verdict = html("p", { class: "ag-verdict" });
    const commit = frame2.button(frame.predictCommit, answer);
    const again = frame2.button(frame.predictAgain, () => renew(true));
    const node = html(
      "fieldset",
      { class: "ag-predict", hidden: true, tabindex: -1 },
      question,
      choices,
      html("div", { class: "ag-row" }, commit, again, verdict)
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
      asked = ask();
      text(verdict, "");
      text(question, asked ? asked.question : frame.predictNothing);
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
      const chosen = choices.querySelector(":checked");
      if (!chosen) return void text(verdict, frame.predictChoose);
      const { options, answer: right, why } = asked;
      const good = Number(chosen.value) === right;
      const sentence = `${good ? frame.predictRight : frame.predictWrong(options[right])} ${why}`;
      uncover();
      text(verdict, sentence);
      node.classList.toggle("ag-right", good);
      for (const input of choices.querySelectorAll("input")) input.disabled = true;
      commit.hidden = true;
      again.hidden = false;
      again.focus({ preventScroll: true });
      frame2.say(sentence);
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

  // state.js
  function miniModel(state) {
    const listeners = /* @__PURE__ */ new Map();
    const of = (event) => listeners.get(event) ?? listeners.set(event, /* @__PURE__ */ new Set()).get(event);
    return {
      get: (name) => state[name],
      set(name, value) {
        if (state[name] === value) return;
        state[name] = value;
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
    const text2 = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    return `ag=${VERSION}:${name}.${ordinal}:${text2}`;
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
      commit(key = null) {
        const now = snapshot();
        if (now === last) return false;
        if (key === null || key !== lastKey) past = [...past.slice(-199), last];
        future = [];
        [last, lastKey] = [now, key];
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
  function cleanVectors(raw, count) {
    const good = Array.isArray(raw) && raw.length === count && raw.every((row) => Array.isArray(row) && row.length === 2 && row.every((x) => Number.isFinite(x) && Math.abs(x) <= 1e6));
    return good ? raw.map((row) => [...row]) : null;
  }

  // view.js
  function createFrame(options) {
    const { model, el, page, traits, clean } = options;
    const stop = new AbortController();
    const reads = /* @__PURE__ */ new Set();
    const keys = /* @__PURE__ */ new Map();
    let request = 0, own = 0, timer = 0, said = "";
    const snapshot = () => JSON.stringify(Object.fromEntries(traits.map((name) => [name, model.get(name)])));
    const initial = JSON.parse(snapshot());
    const history = createHistory(snapshot);
    const live = html("p", { class: "ag-say", role: "status" });
    const body = html("div", { class: "ag-body" });
    const root = html("div", {
      class: "ag-widget",
      role: "group",
      "aria-label": options.label,
      "data-lm-suppress-shortcuts": "true"
    }, body);
    const frame2 = {
      root,
      body,
      keys,
      initial,
      model,
      signal: stop.signal,
      on: (node, event, run, more) => node.addEventListener(event, run, { signal: stop.signal, ...more }),
      /** Work that reads the layout, run at the start of the next drawing. */
      read(work) {
        reads.add(work);
        frame2.schedule();
      },
      /** A part of the widget and how to draw it: draw(what compute() gave, has the movement ended?). */
      region(node, draw) {
        regions.set(node, { draw, seen: true });
        draw(options.compute(), true);
        watcher.observe(node);
        return node;
      },
      schedule() {
        request ||= requestAnimationFrame(tick);
      },
      set(name, value) {
        own += 1;
        model.set(name, value);
        own -= 1;
        frame2.schedule();
      },
      /** One step of the history; steps that follow each other under one key are one. */
      commit(key = null, sentence = null) {
        if (!history.commit(key)) return;
        model.save_changes();
        refresh();
        predict?.follow();
        frame2.say(sentence ?? predict?.question ?? options.summary());
      },
      /** Sets a whole state that came from elsewhere: a task, a link. */
      apply(raw, sentence = frame.linkSet) {
        const state = clean(raw);
        if (!state) return frame2.say(frame.linkRefused), false;
        put(state);
        if (typeof raw.predict === "boolean") predict?.set(raw.predict);
        frame2.commit(null, sentence);
        return true;
      },
      /** The sentence is spoken when the movement has ended. */
      say(sentence) {
        said = sentence;
        frame2.settle();
      },
      settle() {
        clearTimeout(timer);
        timer = setTimeout(() => {
          const now = options.compute();
          for (const region of regions.values()) region.draw(now, true);
          text(live, said);
        }, 250);
      },
      dispose() {
        stop.abort();
        watcher.disconnect();
        cancelAnimationFrame(request);
        clearTimeout(timer);
        for (const name of traits) model.off(`change:${name}`, changed);
        root.remove();
      }
    };
    const regions = /* @__PURE__ */ new Map();
    const watcher = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) regions.get(target).seen = isIntersecting;
      frame2.schedule();
    }, { rootMargin: "80px" });
    function tick() {
      for (const work of reads) work();
      reads.clear();
      const now = options.compute();
      for (const region of regions.values()) if (region.seen) region.draw(now);
      predict?.follow();
      request = 0;
      frame2.settle();
    }
    function changed() {
      if (own) return;
      history.follow();
      frame2.schedule();
    }
    function put(state) {
      for (const [name, value] of Object.entries(state)) frame2.set(name, value);
    }
    function travel(state, sentence) {
      if (!state) return;
      put(state);
      model.save_changes();
      refresh();
      predict?.follow();
      frame2.say(sentence);
    }
    const undo = () => travel(history.undo(), frame.undone);
    const redo = () => travel(history.redo(), frame.redone);
    const button = (label2, run, more) => {
      const node = html("button", { type: "button", class: "ag-button", ...more }, label2);
      frame2.on(node, "click", () => node.getAttribute("aria-disabled") !== "true" && run());
      return node;
    };
    frame2.button = button;
    const undoButton = button(frame.undo, undo);
    const redoButton = button(frame.redo, redo);
    function refresh() {
      attr(undoButton, "aria-disabled", String(!history.canUndo));
      attr(redoButton, "aria-disabled", String(!history.canRedo));
    }
    const predict = options.predict && createPredict(frame2, options.predict, snapshot);
    if (predict) body.append(predict.node);
    const tray = createTray(frame2);
    const save = async (file) => {
      try {
        download(await file.make(), file.name);
        frame2.say(frame.saved(file.name));
      } catch {
        frame2.say(frame.failed);
      }
    };
    const link = () => tray.offer(page.url(JSON.parse(snapshot())), { copied: frame.linkCopied, shown: frame.linkShown });
    const code = () => tray.offer(options.code.make(), {
      copied: frame.codeCopied,
      shown: frame.codeShown,
      keep: true,
      name: options.code.name
    });
    frame2.actions = () => [
      html(
        "div",
        { class: "ag-actions", role: "group", "aria-label": frame.actions },
        undoButton,
        redoButton,
        button(frame.reset, () => {
          put(initial);
          frame2.commit(null, frame.resetDone);
        }),
        page && button(frame.link, link),
        predict?.toggle,
        html(
          "span",
          { class: "ag-save" },
          html("span", { class: "ag-hint", "aria-hidden": "true" }, frame.save),
          ...options.files.map((file) => button(file.kind, () => save(file), { "aria-label": frame.saveAs(file.kind) })),
          button(options.code.kind, code)
        )
      ),
      tray.node,
      taskList(frame2, model.get("tasks") ?? []),
      live
    ];
    const onKey = (event) => {
      const target = event.composedPath()[0];
      if (!(target instanceof Node && root.contains(target))) return;
      const command = event.ctrlKey || event.metaKey;
      const typing = target.matches("textarea, input:not([type=checkbox], [type=radio], [type=range])");
      const wanted = { z: event.shiftKey ? redo : undo, y: redo }[command && !typing ? event.key.toLowerCase() : ""];
      if (wanted || keys.get(target)?.(event)) {
        wanted?.();
        event.preventDefault();
        event.stopImmediatePropagation();
      } else if (!command && !event.altKey && event.key !== "Tab") event.stopImmediatePropagation();
    };
    let listening = false;
    const listen = (wanted) => {
      if (wanted === listening) return;
      listening = wanted;
      if (wanted) window.addEventListener("keydown", onKey, { capture: true, signal: stop.signal });
      else window.removeEventListener("keydown", onKey, { capture: true });
    };
    frame2.on(root, "focusin", () => listen(true));
    frame2.on(root, "focusout", (event) => listen(root.contains(event.relatedTarget)));
    for (const name of traits) model.on(`change:${name}`, changed);
    refresh();
    el.append(root);
    return frame2;
  }
  function createTray(frame2) {
    const area = html("textarea", { readonly: true, rows: 3, spellcheck: "false", class: "ag-text" });
    const note = html("span", { class: "ag-hint" });
    let name = null;
    const copy = frame2.button(frame.copy, async () => text(note, await copied(area.value) ? frame.copied : byHand()));
    const file = frame2.button(frame.saveAs(".py"), () => download(new Blob([area.value], { type: "text/x-python" }), name));
    const close = frame2.button(frame.close, () => {
      node.hidden = true;
    });
    const node = html("div", { class: "ag-tray", hidden: true }, area, html("div", { class: "ag-row" }, copy, file, close, note));
    const byHand = () => (area.select(), frame.copyByHand);
    return {
      node,
      async offer(value, { copied: done, shown, keep = false, name: as = null }) {
        area.value = value;
        area.rows = Math.min(14, value.split("\n").length + 1);
        area.setAttribute("aria-label", shown);
        name = as;
        file.hidden = !as;
        const good = await copied(value);
        node.hidden = good && !keep;
        text(note, good ? frame.copied : byHand());
        frame2.say(good ? done : shown);
      }
    };
  }
  async function copied(value) {
    try {
      await navigator.clipboard.writeText(value);
      return true;
    } catch {
      return false;
    }
  }
  function taskList(frame2, tasks) {
    if (!tasks.length) return null;
    const item = ({ text: task, state }) => html(
      "li",
      {},
      html("span", {}, task),
      state ? frame2.button(frame.setView, () => frame2.apply(state, frame.viewSet)) : null
    );
    return html(
      "div",
      { class: "ag-tasks" },
      html("p", { class: "ag-title" }, frame.tasks),
      html("ol", {}, ...tasks.map(item))
    );
  }
  function select(frame2, label2, options, run) {
    const node = html("select", { class: "ag-select", "aria-label": label2 }, ...options.map(([value, name]) => html("option", { value }, name)));
    frame2.on(node, "change", () => run(node.value));
    return { node, field: html("label", { class: "ag-field" }, html("span", {}, label2), node) };
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

  // hull_controls.js
  var R = Math.SQRT1_2;
  var PRESETS = {
    identity: [[1, 0], [0, 1]],
    rotation: [[R, R], [-R, R]],
    stretch: [[2, 0], [0, 0.5]],
    projection: [[0.5, 0.5], [0.5, 0.5]]
  };
  function createTemperature(frame2) {
    const range = html("input", { type: "range", min: 0, max: 200, step: 1, "aria-label": mixtureHull.temperature });
    const number = html("span", { class: "ag-number-text ag-reading" });
    const take = () => {
      const t = sliderToTemperature(Number(range.value));
      frame2.set("temperature", t === Infinity ? "inf" : t);
    };
    frame2.on(range, "input", take);
    frame2.on(range, "change", () => {
      take();
      frame2.commit();
    });
    const stop = (label2, t) => frame2.button(label2, () => {
      frame2.set("temperature", t);
      frame2.commit();
    });
    return {
      node: html(
        "div",
        { class: "ag-controls", role: "group", "aria-label": mixtureHull.controls },
        html(
          "div",
          { class: "ag-field ag-temperature" },
          html("label", { class: "ag-field" }, html("span", {}, mixtureHull.temperature), range),
          number
        ),
        stop("T = 0", 0),
        stop("T = 1", 1),
        stop("T = \u221E", "inf"),
        about(mixtureHull.temperature, mixtureHull.temperatureHint)
      ),
      draw({ temperature: t }) {
        const shown = t === Infinity ? "\u221E" : String(t);
        if (temperatureToSlider(t) !== Number(range.value)) range.value = String(temperatureToSlider(t));
        text(number, `T = ${shown}`);
        attr(range, "aria-valuetext", mixtureHull.temperatureText(shown));
      }
    };
  }
  function createMatrix(frame2) {
    const preset = select(frame2, "W_O", [...Object.keys(PRESETS), "custom"].map((kind) => [kind, mixtureHull.presets[kind]]), (kind) => {
      frame2.set("W_O", PRESETS[kind]);
      frame2.commit();
    });
    preset.field.firstChild.replaceChildren("W", html("sub", {}, "O"));
    const custom = preset.node.lastChild;
    const inputs = [0, 1].map((r) => [0, 1].map((c) => {
      const input = html("input", { class: "ag-number", type: "number", step: "any", "aria-label": mixtureHull.entry(r + 1, c + 1) });
      const take = () => {
        const value = input.valueAsNumber;
        if (!Number.isFinite(value) || Math.abs(value) > 1e6) return false;
        frame2.set("W_O", frame2.model.get("W_O").map((row, i) => row.map((w, k) => i === r && k === c ? value : w)));
        return true;
      };
      frame2.on(input, "input", take);
      frame2.on(input, "change", () => take() ? frame2.commit() : frame2.schedule());
      return input;
    }));
    return {
      node: html("div", { class: "ag-row ag-hull-matrix" }, preset.field, html("div", { class: "ag-hull-entries", role: "group", "aria-label": mixtureHull.matrix }, ...inputs.flat())),
      draw({ W_O }) {
        const same = (M) => M.every((row, r) => row.every((w, c) => Math.abs(w - W_O[r][c]) < 1e-9));
        const kind = Object.keys(PRESETS).find((name) => same(PRESETS[name])) ?? "custom";
        custom.hidden = custom.disabled = kind !== "custom";
        preset.node.value = kind;
        inputs.flat().forEach((input, i) => {
          if (document.activeElement !== input) input.value = String(Number(W_O[i >> 1][i & 1].toFixed(4)));
        });
      }
    };
  }

  // hull_numpy.js
  function hullLines({ V, scores: scores2, temperature, mask, direction: direction2, along, W_O, x }, tokens, line) {
    const number = (v) => Number.isInteger(v) ? `${v}.0` : String(v);
    const row = (values, one = number) => `[${values.map(one).join(", ")}]`;
    const matrix = (name, rows) => `${name} = np.array([
${rows.map((r) => `    ${row(r)},`).join("\n")}
])`;
    const limit = {
      0: ["best = np.where(allowed, scores, -np.inf).max()  # T = 0: alike on the largest scores, ties included", "weights = (allowed & (scores == best)).astype(float)"],
      inf: ["weights = allowed.astype(float)  # T = infinity: alike on every allowed key"]
    }[temperature] ?? [
      "best = np.where(allowed, scores, -np.inf).max()",
      `weights = np.where(allowed, np.exp(np.minimum(scores - best, 0) / ${temperature}), 0)`
    ];
    const other = line && along !== 0 ? [
      "keys = np.flatnonzero(allowed)",
      "C = V[keys] - V[keys].mean(axis=0)",
      "M = np.column_stack([np.ones(len(keys)), C / np.where(abs(C).max(axis=0) > 0, abs(C).max(axis=0), 1)])",
      "null = np.eye(len(keys)) - M @ np.linalg.pinv(M, rcond=1e-12)  # onto the z with z V = 0 and z 1 = 0",
      `i = np.flatnonzero(keys == ${direction2})[0]`,
      "z = np.zeros(len(V))",
      "z[keys] = null[:, i] / null[i, i]",
      "up, down = z > 1e-9, z < -1e-9",
      along < 0 ? `t = ${-along} * (-weights[up] / z[up]).max()  # towards the end where key ${direction2} has least` : `t = ${along} * (-weights[down] / z[down]).min()  # towards the end where key ${direction2} has most`,
      "other_weights = np.where(weights + t * z > 1e-15, weights + t * z, 0)  # the same output"
    ] : ["other_weights = weights"];
    return [
      "import numpy as np",
      "",
      ...tokens ? [`tokens = ${row(tokens, pythonString)}`] : [],
      matrix("V", V),
      `scores = np.array(${row(scores2)})`,
      `allowed = np.array(${row(mask ?? V.map(() => true), (b) => b ? "True" : "False")})`,
      "",
      ...limit,
      "weights = weights / (weights.sum() or 1)  # all 0 if no key is allowed",
      "output = weights @ V if allowed.any() else np.full(2, np.nan)",
      ...other,
      ...W_O ? ["", matrix("W_O", W_O), `x = np.array(${row(x)})`, "projected = output @ W_O", "stream = x + projected"] : [],
      ""
    ].join("\n");
  }

  // labels.js
  var LETTER = 7.4;
  var ABOVE = 11;
  var BELOW = 4;
  var MARK = 9;
  function places([x, y]) {
    const length = Math.hypot(x - 160, y - 160) || 1;
    const c = (x - 160) / length, s = (y - 160) / length;
    const outwards = [15 * c, 19 * s + 4.5, Math.abs(c) < 0.35 ? "middle" : c > 0 ? "start" : "end"];
    return [outwards, [13, 4.5, "start"], [-13, 4.5, "end"], [0, -14, "middle"], [0, 23, "middle"]];
  }
  function placeNames(items) {
    const taken = items.map(({ at: [x, y] }) => [x - MARK, y - MARK, x + MARK, y + MARK]);
    return items.map(({ at, letters, wanted, last }, own) => {
      if (!wanted) return null;
      const options = places(at);
      const order = [last, 0, 1, 2, 3, 4].filter((i) => i !== void 0);
      for (const i of order) {
        const box = boxOf(at, options[i], letters);
        if (box[0] < -4 || box[2] > 324 || taken.some((other, k) => k !== own && overlap(box, other))) continue;
        taken.push(box);
        return { place: options[i], index: i };
      }
      return null;
    });
  }
  function boxOf([x, y], [dx, dy, anchor], letters) {
    const width = LETTER * letters;
    const left = x + dx - { start: 0, middle: width / 2, end: width }[anchor];
    return [left, y + dy - ABOVE, left + width, y + dy + BELOW];
  }
  var overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

  // hull_pictures.js
  var MASS = 34;
  var pair = (p) => p.map((x) => x.toFixed(2)).join(" ");
  var corners = (plane2, points) => convexHull(points).map((p) => pair(plane2.place(p))).join(" ");
  var move = (node, at) => attr(node, "transform", `translate(${pair(at)})`);
  function drawHull(plane2, count) {
    const hull = svg("polygon", { class: "ag-hull" }), path = svg("path", { class: "ag-hull-path" });
    const stop = (name2) => {
      const label2 = svg("text", { class: "ag-tick" }, name2);
      return { node: svg("g", {}, svg("circle", { class: "ag-hull-stop", r: 3.5 }), label2), label: label2 };
    };
    const cold = stop("T = 0"), hot = stop("T = \u221E");
    const keys = Array.from({ length: count }, () => ({
      ghost: svg("path", { class: "ag-hull-ghost", d: "M0 -9.5L9 6.5H-9Z" }),
      way: svg("path", { class: "ag-hull-way" }),
      disc: svg("circle", { class: "ag-hull-disc" }),
      ring: svg("circle", { class: "ag-hull-ring" })
    }));
    const name = svg("text", { class: "ag-name ag-strong-text" }, "y");
    const diamond = svg("g", { class: "ag-mixture" }, marker("y"), name);
    const course = svg("g", {}, path, cold.node, hot.node), rings = svg("g", {}, ...keys.map((k) => k.ring));
    plane2.under.append(hull, ...keys.flatMap((k) => [k.way, k.ghost, k.disc]), rings, course);
    plane2.over.append(diamond);
    return {
      course,
      rings,
      draw({ V, allowed: may, weights: a, other: b, output: y, path: outputs, same }, ghosts) {
        attr(hull, "points", corners(plane2, V.filter((_, j) => may[j])));
        keys.forEach(({ ghost, way, disc, ring }, j) => {
          const at2 = plane2.place(V[j]);
          const was = ghosts && (ghosts[j][0] !== V[j][0] || ghosts[j][1] !== V[j][1]) ? plane2.place(ghosts[j]) : null;
          attr(ghost, "display", was ? null : "none");
          attr(way, "display", was ? null : "none");
          if (was) move(ghost, was), attr(way, "d", `M${pair(was)}L${pair(at2)}`);
          for (const [node, row, shown] of [[disc, a, true], [ring, b, !same]]) {
            attr(node, "display", row && shown && row[j] > 0 ? null : "none");
            if (!row) continue;
            move(node, at2);
            attr(node, "r", (MASS * Math.sqrt(row[j])).toFixed(2));
          }
        });
        for (const node of [course, diamond]) attr(node, "display", y ? null : "none");
        if (!y) return;
        attr(path, "d", `M${outputs.map(({ output }) => pair(plane2.place(output))).join("L")}`);
        const ends = [outputs[0], outputs.at(-1)].map(({ output }) => plane2.place(output));
        [cold, hot].forEach(({ node }, i) => move(node, ends[i]));
        const at = plane2.place(y), items = [at, ...ends];
        move(diamond, at);
        const found = placeNames([
          ...[[at, 2], [ends[1], 5], [ends[0], 5]].map(([where, letters]) => ({ at: where, letters, wanted: true })),
          ...V.map((v) => ({ at: plane2.place(v), letters: 0, wanted: false }))
        ]);
        [name, hot.label, cold.label].forEach((label2, i) => {
          const place = found[i]?.place ?? (i ? null : places(items[0])[0]);
          attr(label2, "display", place ? null : "none");
          if (place) ["x", "y", "text-anchor"].forEach((key, c) => attr(label2, key, c < 2 ? place[c].toFixed(1) : place[2]));
        });
      }
    };
  }
  function drawStream(plane2, count) {
    const hull = svg("polygon", { class: "ag-hull" }), shadow = svg("polygon", { class: "ag-hull-shadow" });
    const small = (kind) => Array.from({ length: count }, () => svg("path", { class: kind, d: "M0 -6L5.5 4H-5.5Z" }));
    const values = small("ag-v"), images = small("ag-hull-ghost");
    const step = svg("path", { class: "ag-hull-step" }), image = svg("path", { class: "ag-hull-step" });
    const points = [["stream", mixtureHull.stream], ["projected", mixtureHull.projected], ["output", "y"]].map(([kind, name]) => {
      const label2 = svg("text", { class: "ag-name" }, name);
      return { kind, label: label2, letters: [...name].length, node: svg("g", { class: `ag-mixture ag-hull-${kind}` }, ...shapes(kind), label2) };
    });
    plane2.under.append(hull, shadow, ...values, ...images, image, step);
    plane2.over.append(...points.map((p) => p.node).reverse());
    return {
      nodes: [plane2.over, step, image],
      draw({ V, allowed: may, images: W, x, ...now }) {
        const open = (rows) => rows.filter((_, j) => may[j]);
        attr(hull, "points", corners(plane2, open(V)));
        attr(shadow, "points", corners(plane2, open(W)));
        [[values, V], [images, W]].forEach(([nodes, rows]) => nodes.forEach((node, j) => {
          move(node, plane2.place(rows[j]));
          attr(node, "opacity", may[j] ? null : "0.35");
        }));
        const shown = now.output !== null;
        for (const { node } of points) attr(node, "display", shown ? null : "none");
        for (const node of [step, image]) attr(node, "display", shown ? null : "none");
        if (!shown) return;
        attr(step, "d", `M${pair(plane2.place(x))}L${pair(plane2.place(now.stream))}`);
        attr(image, "d", `M160 160L${pair(plane2.place(now.projected))}`);
        const at = points.map(({ kind }) => plane2.place(now[kind]));
        points.forEach(({ node }, i) => move(node, at[i]));
        const taken = [x, ...open(V), ...open(W)].map((p) => ({ at: plane2.place(p), letters: 0, wanted: false }));
        const found = placeNames([...points.map(({ letters }, i) => ({ at: at[i], letters, wanted: true })), ...taken]);
        points.forEach(({ label: label2 }, i) => {
          const [dx, dy, anchor] = found[i]?.place ?? places(at[i])[0];
          attr(label2, "x", dx.toFixed(1));
          attr(label2, "y", dy.toFixed(1));
          attr(label2, "text-anchor", anchor);
        });
      }
    };
  }
  function shapes(kind) {
    const diamond = marker("y", kind === "stream" ? 0.75 : 1);
    return kind === "stream" ? [svg("circle", { class: "ag-hull-circle", r: 11 }), diamond] : [diamond];
  }
  function legend(kind, name) {
    const node = ["v", "y", "x"].includes(kind) ? glyph(kind) : svg(
      "svg",
      { class: `ag-glyph ag-hull-${kind}`, viewBox: "-13 -13 26 26", "aria-hidden": "true" },
      ...kind === "image" ? [svg("path", { class: "ag-hull-ghost", d: "M0 -9.5L9 6.5H-9Z" })] : shapes(kind)
    );
    return html("span", { class: "ag-key" }, node, name);
  }
  function createVerdicts() {
    const rows = [["output", "y"], ["projected", mixtureHull.projected], ["stream", mixtureHull.stream]].map(([kind, name]) => {
      const cells = [0, 1, 2].map(() => html("td", {}));
      return { kind, cells, node: html("tr", {}, html("th", { scope: "row" }, legend(kind === "output" ? "y" : kind, name)), ...cells) };
    });
    const heads = [mixtureHull.place, mixtureHull.hullOfV, mixtureHull.hullOfVW].map((name) => html("th", { scope: "col" }, name));
    return {
      node: html(
        "table",
        { class: "ag-hull-verdicts" },
        html("caption", { class: "ag-hidden" }, mixtureHull.verdictsCaption),
        html("thead", {}, html("tr", {}, html("td", {}), ...heads)),
        html("tbody", {}, ...rows.map((row) => row.node))
      ),
      draw(now) {
        for (const { kind, cells } of rows) {
          const p = now[kind], verdict = now.verdicts?.[kind];
          text(cells[0], p ? `(${p.map((x) => fixed(x)).join(", ")})` : mixtureHull.masked);
          [1, 2].forEach((c) => {
            text(cells[c], verdict ? mixtureHull.verdict[verdict[c - 1]] : "\u2013");
            cells[c].classList.toggle("ag-hull-out", verdict?.[c - 1] === "outside");
          });
        }
      }
    };
  }

  // hull_questions.js
  function questions(now, { asked, named }) {
    const { V, scores: scores2, allowed: may, weights: a, output: y, temperature: T, verdicts, dimension } = now, found = [];
    if (!a) return found;
    if (verdicts) {
      const answer = ["inside", "edge", "outside"].indexOf(verdicts.stream[0]);
      found.push({
        kind: "stream",
        question: mixtureHull.askStream,
        options: mixtureHull.askStreamOptions,
        answer,
        why: mixtureHull.askStreamWhy(mixtureHull.verdict[verdicts.stream[1]])
      });
    }
    const drift = temperatureDrift(scores2, may, V, T), open = V.map((_, j2) => j2).filter((j2) => may[j2]);
    const j = open[asked % open.length];
    const change = drift && ((y[0] - V[j][0]) * drift[0] + (y[1] - V[j][1]) * drift[1]) / Math.hypot(y[0] - V[j][0], y[1] - V[j][1]);
    if (Number.isFinite(change) && Math.abs(change) > 1e-6) {
      found.push({
        kind: "drift",
        question: mixtureHull.askDrift(named(j), T),
        options: mixtureHull.askDriftOptions,
        answer: change < 0 ? 0 : 1,
        why: mixtureHull.askDriftWhy(named(j), fixed(change, 3))
      });
    }
    if (open.every((k) => a[k] > 1e-9)) {
      found.push({
        kind: "unique",
        question: mixtureHull.askUnique,
        options: mixtureHull.askUniqueOptions,
        answer: dimension ? 0 : 1,
        why: mixtureHull.askUniqueWhy(open.length, open.length - dimension, dimension)
      });
    }
    return found;
  }

  // hull_table.js
  var point = (p) => p ? `(${p.map((x) => fixed(x, 3)).join(", ")})` : "\u2013";
  function createTable({ count, named }) {
    const heads = ["v", "s", "a", "a v", "a\u2032", "a\u2032 v"].map((name) => html("th", { scope: "col" }, name));
    const rows = Array.from({ length: count }, (_, j) => {
      const cells = heads.map(() => html("td", {}));
      return { node: html("tr", {}, html("th", { scope: "row" }, html("bdi", {}, named(j))), ...cells), cells };
    });
    const sums = heads.map(() => html("td", {}));
    const table = html(
      "table",
      { class: "ag-hull-table" },
      html("caption", { class: "ag-hidden" }, mixtureHull.tableCaption),
      html("thead", {}, html("tr", {}, html("td", {}), ...heads)),
      html("tbody", {}, ...rows.map((row) => row.node)),
      html("tfoot", {}, html("tr", {}, html("th", { scope: "row" }, mixtureHull.sum), ...sums))
    );
    const scroll = html("div", { class: "ag-scroll", role: "group", "aria-label": mixtureHull.table }, table);
    const only = (cells, same) => cells.slice(4).forEach((cell) => {
      cell.hidden = same;
    });
    return {
      node: scroll,
      draw({ V, scores: scores2, allowed: may, weights: a, other: b, output: y, otherOutput: z, same }, settled) {
        only(heads, same);
        rows.forEach(({ cells }, j) => {
          only(cells, same);
          const shares = [a, b].flatMap((row) => row && may[j] ? [fixed(row[j], 3), point(V[j].map((x) => x * row[j]))] : [mixtureHull.masked, "\u2013"]);
          [`(${V[j].map(stored).join(", ")})`, stored(scores2[j]), ...shares].forEach((value, c) => text(cells[c], value));
        });
        only(sums, same);
        ["", "", a ? "1" : "\u2013", point(y), a ? "1" : "\u2013", point(z)].forEach((value, c) => text(sums[c], value));
        if (settled) attr(scroll, "tabindex", scroll.scrollWidth > scroll.clientWidth ? "0" : null);
      }
    };
  }
  function tableFile({ V, scores: scores2, allowed: may, weights: a, other: b }, tokens) {
    return csv([
      ["key", "token", "allowed", "v_x", "v_y", "score", "weight", "other_weight"],
      ...V.map((v, j) => [j, tokens?.[j] ?? "", may[j] ? 1 : 0, ...v, scores2[j], a?.[j] ?? null, b?.[j] ?? null])
    ]);
  }

  // plane.js
  var SIZE = 320;
  var REACH = 140;
  var CROWD = 12;
  var NEAR = 22;
  function createPlane({ frame: frame2, label: label2, points, initial, vectors, onHold, moved }) {
    const crowd = points.length > CROWD;
    const grid = svg("g", { "aria-hidden": "true" });
    const ticks = svg("g", { "aria-hidden": "true" });
    const under = svg("g", { "aria-hidden": "true" });
    const over = svg("g", { "aria-hidden": "true" });
    const handles = svg("g", {});
    const picture = svg(
      "svg",
      { class: "ag-picture ag-plane", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": label2 },
      svg("rect", { class: "ag-floor", width: SIZE, height: SIZE }),
      grid,
      under,
      ticks,
      handles,
      over
    );
    const place = (p) => [160 + p[0] / reach * REACH, 160 - p[1] / reach * REACH];
    let reach = 0, held = null, drag = null, pressed = null;
    const all = points.map((point3) => createHandle(point3));
    handles.append(...all.map((handle) => handle.group));
    const fields = coordinateFields();
    const where = ({ trait, index }, state = frame2.model.get(trait)) => index === void 0 ? state : state[index];
    const step = () => 10 ** (Math.floor(Math.log10(reach)) - 2);
    const spoken = (p) => plane.place(fixed(p[0]), fixed(p[1]));
    function createHandle(point3) {
      const name = svg("text", { class: "ag-name" });
      if (point3.full && point3.full !== point3.label) name.append(svg("title", {}, point3.full));
      const caption = document.createTextNode(visible(point3.label, 8));
      name.prepend(caption);
      const group = svg("g", {
        class: `ag-handle ag-handle-${point3.kind}`,
        tabindex: 0,
        role: "slider",
        "aria-roledescription": plane.role,
        "aria-label": point3.name,
        "data-handle": point3.id
      }, svg("circle", { class: "ag-ring", r: 14 }), marker(point3.kind), svg("circle", { class: "ag-hit", r: 17 }), name);
      const handle = { ...point3, group, text: name, letters: [...caption.data].length, at: [160, 160] };
      frame2.keys.set(group, (event) => onKey(handle, event));
      frame2.on(group, "focus", () => hold(handle));
      frame2.on(group, "blur", () => group.classList.remove("ag-by-pointer"));
      frame2.on(group, "touchstart", (event) => event.preventDefault(), { passive: false });
      return handle;
    }
    function hold(handle) {
      if (held === handle) return;
      held?.group.classList.remove("ag-held");
      held = handle;
      handle?.group.classList.add("ag-held");
      if (handle) {
        fields.show(handle);
        onHold?.(handle, Boolean(drag));
      }
      frame2.schedule();
    }
    function move2(handle, p) {
      const clean = p.map((x) => Number(x.toPrecision(12)));
      const alone = () => handle.index === void 0 ? clean : frame2.model.get(handle.trait).map((row, i) => i === handle.index ? clean : row);
      frame2.set(handle.trait, moved ? moved(handle, clean) : alone());
    }
    const commit = (handle, key = null) => {
      const p = where(handle);
      frame2.commit(key, plane.moved(handle.name, spoken(p)));
    };
    function pointed(x, y, offset = [0, 0]) {
      const box = picture.getBoundingClientRect();
      const scale = SIZE / box.width;
      const p = [((x - box.left) * scale - 160 + offset[0]) / REACH * reach, (160 - (y - box.top) * scale - offset[1]) / REACH * reach];
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
    frame2.on(picture, "pointerdown", (event) => {
      pressed = null;
      if (event.button !== 0 || drag) return;
      const target = event.target.closest(".ag-handle");
      if (!target) return void (pressed = [event.clientX, event.clientY]);
      const handle = nearest(event.clientX, event.clientY) ?? all.find((h) => h.group === target);
      const box = picture.getBoundingClientRect();
      const scale = SIZE / box.width;
      drag = {
        handle,
        id: event.pointerId,
        start: where(handle),
        x: event.clientX,
        y: event.clientY,
        moved: false,
        offset: [handle.at[0] - (event.clientX - box.left) * scale, handle.at[1] - (event.clientY - box.top) * scale]
      };
      picture.setPointerCapture(event.pointerId);
      handle.group.classList.add("ag-by-pointer");
      handle.group.focus({ preventScroll: true });
      hold(handle);
      picture.classList.add("ag-dragging");
      event.preventDefault();
    });
    const follow = () => drag?.moved && move2(drag.handle, pointed(drag.x, drag.y, drag.offset));
    frame2.on(picture, "pointermove", (event) => {
      if (event.pointerId !== drag?.id) return;
      if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 2) return;
      Object.assign(drag, { x: event.clientX, y: event.clientY, moved: true });
      frame2.read(follow);
    });
    const drop = (event, keep) => {
      if (event.pointerId !== drag?.id) return;
      const { handle, start: start3 } = drag;
      if (keep) follow();
      else move2(handle, start3);
      drag = null;
      picture.classList.remove("ag-dragging");
      commit(handle);
    };
    frame2.on(picture, "pointerup", (event) => drop(event, true));
    frame2.on(picture, "pointercancel", (event) => drop(event, true));
    frame2.on(picture, "click", (event) => {
      if (!pressed || !held || event.target.closest(".ag-handle")) return;
      if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 6) return;
      move2(held, pointed(event.clientX, event.clientY));
      commit(held);
      pressed = null;
    });
    function onKey(handle, event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      handle.group.classList.remove("ag-by-pointer");
      const unit = tickStep(reach) / (event.shiftKey ? 4 : 20);
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
      if (way) {
        const p = where(handle);
        move2(handle, p.map((x, c) => Math.max(-reach, Math.min(reach, x + unit * way[c]))));
        commit(handle, `keys ${handle.id}`);
      } else if (event.key === "Home") {
        move2(handle, where(handle, frame2.initial[handle.trait]));
        commit(handle);
      } else if (event.key === "Escape" && drag) {
        const { start: start3 } = drag;
        drag = null;
        picture.classList.remove("ag-dragging");
        move2(handle, start3);
      } else if (event.key === "Escape") {
        hold(null);
        handle.group.blur();
      } else return false;
      return true;
    }
    function coordinateFields() {
      const choice = html(
        "select",
        { class: "ag-select", "aria-label": plane.point },
        ...all.map((h) => html("option", { value: h.id }, h.full ? `${h.sign} \xB7 ${visible(h.full, 14)}` : h.sign))
      );
      const inputs = ["x", "y"].map((axis) => html("input", { class: "ag-number", type: "number", step: "any", "aria-label": plane.coordinate(axis) }));
      const chosen = () => all.find((h) => h.id === choice.value);
      frame2.on(choice, "change", () => hold(chosen()));
      inputs.forEach((input, c) => {
        const take = () => {
          const value = input.valueAsNumber, handle = chosen();
          if (!Number.isFinite(value) || Math.abs(value) > 1e6) return false;
          hold(handle);
          move2(handle, where(handle).map((x, i) => i === c ? value : x));
          return true;
        };
        frame2.on(input, "input", take);
        frame2.on(input, "change", () => {
          if (take()) commit(chosen());
          else frame2.schedule();
        });
      });
      const node = html(
        "div",
        { class: "ag-row ag-coordinates" },
        choice,
        ...inputs.map((input, c) => html("label", { class: "ag-coordinate" }, html("span", { "aria-hidden": "true" }, "xy"[c]), input))
      );
      return {
        node,
        show(handle) {
          choice.value = handle.id;
        },
        draw() {
          const p = where(chosen());
          inputs.forEach((input, c) => {
            if (document.activeElement !== input) input.value = String(Number(p[c].toFixed(4)));
          });
        }
      };
    }
    function drawGrid() {
      const parts = [], numbers2 = [], unit = tickStep(reach), count = Math.floor(reach / unit + 1e-9);
      for (let i = -count; i <= count; i++) {
        const a = 160 + i * unit / reach * REACH, kind = i ? "ag-grid" : "ag-axis";
        parts.push(svg("path", { class: kind, d: `M${a} 8V312M8 ${320 - a}H312` }));
        if (!i) continue;
        const number = fixed(i * unit, Math.max(0, -Math.floor(Math.log10(unit) + 1e-9)));
        numbers2.push(
          svg("text", { class: "ag-tick", x: a, y: 175, "text-anchor": "middle" }, number),
          svg("text", { class: "ag-tick", x: 154, y: 324.5 - a, "text-anchor": "end" }, number)
        );
      }
      grid.replaceChildren(...parts);
      ticks.replaceChildren(...numbers2);
      for (const handle of all) {
        attr(handle.group, "aria-valuemin", String(-reach));
        attr(handle.group, "aria-valuemax", String(reach));
      }
    }
    function drawNames(strong) {
      const rank = (h) => h === held ? 0 : h.id === strong ? 1 : 2;
      const order = [...all].sort((a, b) => rank(a) - rank(b));
      const found = placeNames(order.map((h) => ({
        at: h.at,
        letters: h.letters,
        last: h.place,
        wanted: !(crowd && h.kind === "q" && rank(h) === 2)
      })));
      order.forEach((handle, i) => {
        const { place: [dx, dy, anchor] = places(handle.at)[0], index } = found[i] ?? {};
        handle.place = index;
        handle.group.classList.toggle("ag-unnamed", crowd && !found[i]);
        attr(handle.text, "x", dx.toFixed(1));
        attr(handle.text, "y", dy.toFixed(1));
        attr(handle.text, "text-anchor", anchor);
      });
    }
    return {
      picture,
      fields: fields.node,
      under,
      over,
      place,
      crowd,
      get reach() {
        return reach;
      },
      get held() {
        return held;
      },
      hold: (id) => hold(all.find((h) => h.id === id)),
      /** Draws range, handles and their names; `strong` is the id of the one to stress. */
      draw(strong) {
        const wanted = Math.max(niceRange(initial), niceRange(vectors(), 1));
        if (wanted !== reach) {
          reach = wanted;
          drawGrid();
        }
        let moved2 = false;
        for (const handle of all) {
          const p = where(handle), look = `${reach} ${handle.id === strong} ${handle === held}`;
          if (handle.drawn?.p === p && handle.drawn.look === look) continue;
          handle.drawn = { p, look };
          moved2 = true;
          const [x, y] = handle.at = place(p);
          attr(handle.group, "transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
          attr(handle.group, "aria-valuenow", String(Number(p[0].toFixed(4))));
          attr(handle.group, "aria-valuetext", spoken(p));
          handle.group.classList.toggle("ag-strong", handle.id === strong);
        }
        if (moved2) drawNames(strong);
        fields.draw();
      }
    };
  }

  // mixture_hull.js
  var TRAITS = ["V", "scores", "temperature", "mask", "direction", "along", "hold_output", "W_O", "x"];
  function render({ model, el, page = null, view = {} }) {
    const shape = () => JSON.stringify([model.get("V").length, model.get("W_O") === null, model.get("tokens"), model.get("tasks")]);
    let now = shape();
    let dispose = start(model, el, page, view);
    const restart = () => {
      if (shape() === now) return;
      now = shape();
      dispose();
      dispose = start(model, el, page, view);
    };
    const watched = ["V", "W_O", "tokens", "tasks"].map((name) => `change:${name}`);
    for (const event of watched) model.on(event, restart);
    return () => {
      for (const event of watched) model.off(event, restart);
      dispose();
    };
  }
  var mixture_hull_default = { render };
  function cleanState(raw, { count, stream }) {
    const list = (x, length, good) => Array.isArray(x) && x.length === length && x.every(good);
    const finite = (x) => Number.isFinite(x) && Math.abs(x) <= 1e6;
    const outside = (value) => (x) => stream ? value(x) : x === null ? void 0 : null;
    const tests = {
      V: (x) => cleanVectors(x, count),
      scores: (x) => list(x, count, finite) ? [...x] : null,
      temperature: (x) => x === "inf" || Number.isFinite(x) && x >= 0 ? x : null,
      direction: (x) => Number.isInteger(x) && x >= 0 && x < count ? x : null,
      along: (x) => Number.isFinite(x) && Math.abs(x) <= 1 ? x : null,
      hold_output: (x) => typeof x === "boolean" ? x : null,
      W_O: outside((x) => cleanVectors(x, 2)),
      x: outside((x) => list(x, 2, finite) ? [...x] : null)
    };
    const state = {};
    for (const [name, test] of Object.entries(tests)) {
      if (!Object.hasOwn(raw, name)) continue;
      const value = test(raw[name]);
      if (value === null) return null;
      if (value !== void 0) state[name] = value;
    }
    if (Object.hasOwn(raw, "mask")) {
      if (raw.mask !== null && !list(raw.mask, count, (x) => typeof x === "boolean")) return null;
      state.mask = raw.mask;
    }
    return state;
  }
  function numbers({ V, scores: scores2, temperature, mask, direction: direction2, along, W_O, x }) {
    const may = mask ?? V.map(() => true);
    const a = softmax(scores2, { may, temperature }), y = mixture(a, V);
    const z = a && equivalentDirection(V, may, direction2);
    const b = z ? equivalentRow(a, z, along) : a;
    const open = V.filter((_, j) => may[j]), images = W_O && V.map((v) => times(v, W_O));
    const projected = W_O && y && times(y, W_O), stream = projected && projected.map((p, c) => x[c] + p);
    const lies = (p) => [open, W_O && open.map((v) => times(v, W_O))].map((points) => hullVerdict(p, points));
    return {
      allowed: may,
      weights: a,
      output: y,
      other: b,
      otherOutput: mixture(b, V),
      same: !z || along === 0,
      dimension: a ? outputSpan(V, may).dimension : 0,
      ends: z && room(a, z),
      distance: a && totalVariation(a, b),
      entropy: entropy(a),
      effective: effectiveKeys(a),
      otherEntropy: entropy(b),
      otherEffective: effectiveKeys(b),
      path: temperaturePath(scores2, may, V),
      images,
      projected,
      stream,
      verdicts: projected && { output: lies(y), projected: lies(projected), stream: lies(stream) }
    };
  }
  function start(model, el, page, view) {
    const get = (name) => model.get(name);
    const count = get("V").length, tokens = get("tokens"), withStream = get("W_O") !== null;
    const signs = get("V").map((_, j) => `v${subscript(j + 1)}`);
    const short2 = tokens?.map((t) => visible(t, 14));
    const named = (j) => signs[j] + (tokens ? ` \xB7 ${short2[j]}` : "");
    const called = (j) => `${mixtureHull.value} ${j + 1}${tokens ? ` (${short2[j]})` : ""}`;
    const state = () => Object.fromEntries(TRAITS.map((name) => [name, get(name)]));
    const compute = () => {
      const now = { ...state(), temperature: get("temperature") === "inf" ? Infinity : get("temperature") };
      return { ...now, ...numbers(now) };
    };
    let asked = 0, question = null, ghosts = null;
    const frame2 = createFrame({
      model,
      el,
      page,
      label: mixtureHull.label,
      traits: TRAITS,
      compute,
      clean: (raw) => cleanState(raw, { count, stream: withStream }),
      summary() {
        const { output: y, effective, verdicts: verdicts2 } = compute();
        if (!y) return mixtureHull.allMasked;
        return mixtureHull.summary(...y.map((p) => fixed(p)), fixed(effective), verdicts2 && mixtureHull.verdict[verdicts2.stream[0]]);
      },
      files: [
        { kind: "SVG", name: "mixture-hull.svg", make: () => svgBlob(composed()) },
        { kind: "PNG", name: "mixture-hull.png", make: () => pngBlob(composed()) },
        { kind: "CSV", name: "mixture-hull.csv", make: () => new Blob([tableFile(compute(), tokens)], { type: "text/csv" }) }
      ],
      code: { kind: "NumPy", name: "mixture_hull.py", make: () => hullLines(state(), tokens, Boolean(compute().ends)) },
      predict: {
        cover: () => ({
          stream: [verdicts?.node, ...streamed?.nodes ?? []],
          drift: [mixed.course],
          unique: [other.node, mixed.rings, table.node]
        })[question.kind],
        ask() {
          const open = questions(compute(), { asked, named });
          question = open.length ? open[asked++ % open.length] : null;
          return question;
        }
      }
    });
    view.apply = (raw) => frame2.apply(raw);
    const forbid = (j, may) => {
      const row = (get("mask") ?? get("V").map(() => true)).map((old, k) => k === j ? may : old);
      frame2.set("mask", row.every(Boolean) ? null : row);
      frame2.commit();
    };
    const points = get("V").map((_, index) => ({
      id: `v${index}`,
      kind: "v",
      trait: "V",
      index,
      sign: signs[index],
      label: tokens?.[index] ?? signs[index],
      full: tokens?.[index],
      name: called(index)
    }));
    const plane2 = createPlane({
      frame: frame2,
      label: mixtureHull.planeLabel,
      initial: get("V"),
      vectors: () => get("V"),
      points,
      moved({ index }, place) {
        const V = get("V"), { weights: a } = compute();
        if (!get("hold_output") || !a) return V.map((v, j) => j === index ? place : v);
        const held = compensatedValues(V, a, index, place);
        if (!held) frame2.say(mixtureHull.cannotHold(called(index)));
        return held?.map((v) => v.map((p) => Number(p.toPrecision(12)))) ?? V;
      }
    });
    const mixed = drawHull(plane2, count);
    const rows = createRows({ frame: frame2, count, named, called, forbid });
    const other = createOther({ frame: frame2, count, named, called });
    const table = createTable({ count, named });
    const temperature = createTemperature(frame2);
    const hold = html("input", { type: "checkbox" });
    frame2.on(hold, "change", () => {
      ghosts = hold.checked ? get("V") : null;
      frame2.set("hold_output", hold.checked);
      frame2.commit();
    });
    if (get("hold_output")) ghosts = get("V");
    const streamPlane = withStream && createPlane({
      frame: frame2,
      label: mixtureHull.streamLabel,
      initial: [...get("V"), get("x"), ...compute().images ?? []],
      vectors() {
        const { V, images, x, stream } = compute();
        return [...V, ...images, x, ...stream ? [stream] : []];
      },
      points: [{ id: "x", kind: "x", trait: "x", sign: "x", label: "x", name: mixtureHull.residual }]
    });
    const streamed = streamPlane && drawStream(streamPlane, count);
    const matrix = withStream && createMatrix(frame2);
    const verdicts = withStream && createVerdicts();
    const title = (...parts) => html("p", { class: "ag-title" }, ...parts);
    const panel = (name, draw, ...parts) => frame2.region(html("section", { class: `ag-panel ${name}` }, ...parts), draw);
    const at = html("span", { class: "ag-number-text" });
    frame2.body.append(
      frame2.region(temperature.node, temperature.draw),
      html(
        "div",
        { class: "ag-panels" },
        panel(
          "ag-hull-plane",
          (now) => {
            plane2.draw(null);
            mixed.draw(now, now.hold_output ? ghosts : null);
            plane2.picture.querySelectorAll("[data-handle]").forEach((node, j) => node.classList.toggle("ag-hull-masked", !now.allowed[j]));
            hold.checked = now.hold_output;
            text(at, now.output ? `y = (${now.output.map((p) => fixed(p)).join(", ")})` : mixtureHull.masked);
          },
          title(legend("v", mixtureHull.values), legend("y", mixtureHull.output), at),
          plane2.picture,
          plane2.fields,
          html(
            "div",
            { class: "ag-row ag-hull-hold" },
            html("label", { class: "ag-field ag-check" }, hold, html("span", {}, mixtureHull.hold)),
            about(mixtureHull.hold, mixtureHull.holdHint)
          )
        ),
        panel("ag-hull-weights", (now) => {
          rows.draw(now);
          other.draw(now);
        }, html("div", { class: "ag-title" }, mixtureHull.rowsTitle, about(mixtureHull.rowsTitle, mixtureHull.rowsHint)), rows.node, other.node),
        withStream ? panel(
          "ag-hull-after",
          (now) => {
            streamPlane.draw(null);
            streamed.draw(now);
            matrix.draw(now);
            verdicts.draw(now);
          },
          html("div", { class: "ag-title" }, mixtureHull.streamTitle, about(mixtureHull.streamTitle, mixtureHull.streamHint)),
          html(
            "div",
            { class: "ag-hull-split" },
            html("div", { class: "ag-hull-part" }, streamPlane.picture, streamPlane.fields),
            html(
              "div",
              { class: "ag-hull-part" },
              title(legend("image", mixtureHull.images), legend("x", mixtureHull.residual)),
              matrix.node,
              verdicts.node,
              html("p", { class: "ag-hint" }, mixtureHull.lemma)
            )
          )
        ) : ""
      ),
      html("details", { class: "ag-panel ag-help ag-hull-numbers", open: true }, html("summary", {}, mixtureHull.table), frame2.region(table.node, table.draw)),
      html("details", { class: "ag-help" }, html("summary", {}, plane.helpTitle), html("p", { class: "ag-hint" }, plane.help)),
      ...frame2.actions().filter(Boolean)
    );
    const composed = () => composeSvg([
      { title: `${mixtureHull.values}, ${mixtureHull.output}`, picture: plane2.picture },
      ...streamPlane ? [{ title: mixtureHull.streamTitle, picture: streamPlane.picture }] : []
    ], frame2.root);
    return () => frame2.dispose();
  }

  // arrows.js
  var HALF = [23, 6];
  var CLEAR = 34;
  function drawArrows(plane2, get) {
    const level = svg("path", { class: "ag-level" });
    const levelName = svg("text", { class: "ag-tick", "text-anchor": "middle" }, queryKeyPlane.zeroLine);
    const arrow = (kind) => svg("path", { class: `ag-shaft ag-${kind}-line${plane2.crowd ? " ag-faint" : ""}` });
    const keys = get("K").map(() => arrow("k")), queries = get("Q").map(() => arrow("q"));
    plane2.under.append(level, ...keys, ...queries, levelName);
    return {
      draw(selected) {
        const shaft = (p) => `M160 160L${plane2.place(p).map((x2) => x2.toFixed(2)).join(" ")}`;
        get("K").forEach((k, j) => attr(keys[j], "d", shaft(k)));
        get("Q").forEach((q2, i) => {
          attr(queries[i], "d", shaft(q2));
          queries[i].classList.toggle("ag-strong", i === selected);
        });
        const q = get("Q")[selected], length = Math.hypot(...q);
        attr(level, "display", length ? null : "none");
        attr(levelName, "display", length ? null : "none");
        if (!length) return;
        const c = -q[1] / length, s = q[0] / length;
        const [a, b] = [-152, 152].map((t) => [160 + t * c, 160 - t * s]);
        attr(level, "d", `M${a.map((x2) => x2.toFixed(2)).join(" ")}L${b.map((x2) => x2.toFixed(2)).join(" ")}`);
        const others = [...get("Q"), ...get("K")].map(plane2.place);
        const [x, y] = besideLine([c, -s], others);
        attr(levelName, "x", x.toFixed(1));
        attr(levelName, "y", (y + 4).toFixed(1));
      }
    };
  }
  function besideLine([u, v], others) {
    const off = 5 + HALF[0] * Math.abs(v) + HALF[1] * Math.abs(u);
    const room2 = ([x, y]) => Math.min(...others.map(([a, b]) => {
      const along = ((x - 160) * (a - 160) + (y - 160) * (b - 160)) / ((a - 160) ** 2 + (b - 160) ** 2 || 1);
      const t = Math.max(0, Math.min(1, along));
      return Math.hypot(x - 160 - t * (a - 160), y - 160 - t * (b - 160));
    }));
    const up = u > 0 ? -1 : 1;
    const spots = [[1, up], [-1, up], [1, -up], [-1, -up]].map(([end, side]) => [160 + 132 * end * u - side * off * v, 160 + 132 * end * v + side * off * u]);
    return spots.find((spot) => room2(spot) > CLEAR) ?? spots.reduce((a, b) => room2(b) > room2(a) ? b : a);
  }
  function drawMixture(plane2, get) {
    const hull = svg("polygon", { class: "ag-hull" });
    const lines = get("V").map(() => svg("path", { class: "ag-mix" }));
    const name = svg("text", { class: "ag-name ag-strong-text", x: 13, y: -10 });
    const diamond = svg("g", { class: "ag-mixture" }, svg("path", { class: "ag-y", d: "M0 -9.5L9.5 0L0 9.5L-9.5 0Z" }), name);
    plane2.under.append(hull, ...lines);
    plane2.over.append(diamond);
    return {
      nodes: [diamond, ...lines],
      draw(row, y, selected) {
        const V = get("V");
        attr(hull, "points", convexHull(V).map((p) => plane2.place(p).map((x) => x.toFixed(2)).join(",")).join(" "));
        attr(diamond, "display", row ? null : "none");
        lines.forEach((line, j) => attr(line, "display", row && row[j] >= 5e-3 ? null : "none"));
        if (!row) return;
        const at = plane2.place(y).map((x) => x.toFixed(2)).join(" ");
        attr(diamond, "transform", `translate(${at})`);
        text(name, `y${subscript(selected + 1)}`);
        lines.forEach((line, j) => {
          attr(line, "d", `M${at}L${plane2.place(V[j]).map((x) => x.toFixed(2)).join(" ")}`);
          attr(line, "stroke-width", (0.4 + 6 * row[j]).toFixed(2));
        });
      }
    };
  }

  // bars.js
  function createBars({ frame: frame2, keys, named, called, forbid, wide }) {
    const title = html("p", { class: "ag-title" });
    const rows = Array.from({ length: keys }, (_, j) => {
      const box = html("input", { type: "checkbox" });
      const fill2 = html("span", { class: "ag-fill" });
      const track = html("span", { class: "ag-track" }, fill2);
      const number = html("span", { class: "ag-number-text" });
      frame2.on(box, "change", () => forbid(j, box.checked));
      const node = html(
        "tr",
        {},
        html("td", {}, html("label", { class: "ag-box" }, box)),
        html("th", { scope: "row" }, html("bdi", {}, named("k", j))),
        html("td", { class: "ag-bar" }, track),
        html("td", {}, number)
      );
      return { node, box, fill: fill2, track, number };
    });
    const caption = html("caption", { class: "ag-hidden" });
    const tableNode = html(
      "table",
      { class: "ag-bars" },
      caption,
      html("thead", {}, html(
        "tr",
        {},
        html("th", { scope: "col", title: queryKeyPlane.may }, html("span", { class: "ag-hidden" }, queryKeyPlane.may), html("span", { "aria-hidden": "true" }, "\u2713")),
        html("th", { scope: "col" }, queryKeyPlane.key),
        html("th", { scope: "col" }, queryKeyPlane.weight),
        html("td", {})
      )),
      html("tbody", {}, ...rows.map((row) => row.node))
    );
    const stat = (name) => {
      const value = html("b", {}), limit = html("span", {});
      return { node: html("div", { class: "ag-fact" }, value, html("span", {}, name, limit)), value, limit };
    };
    const H = stat(queryKeyPlane.entropy), N = stat(queryKeyPlane.effective), none = html("p", {});
    const facts = html("div", { class: "ag-facts" }, H.node, N.node, none);
    tableNode.style.setProperty("--ag-name", wide ? "112px" : "40px");
    tableNode.style.setProperty("--ag-row", `${Math.max(28, Math.min(52, 300 / keys))}px`);
    return {
      title,
      node: html("div", { class: "ag-stack" }, tableNode, facts),
      draw({ weights, allowed: may, selected: i }) {
        const row = weights[i];
        text(title, queryKeyPlane.weightsOf(named("q", i)));
        text(caption, queryKeyPlane.weightsOf(called("q", i)));
        rows.forEach(({ box, fill: fill2, track, number, node }, j) => {
          box.checked = may[i][j];
          attr(box, "aria-label", queryKeyPlane.mayAttend(called("q", i), called("k", j)));
          node.classList.toggle("ag-masked", !may[i][j]);
          track.classList.toggle("ag-hatched", !may[i][j]);
          attr(fill2, "style", `transform:scaleX(${row ? row[j].toFixed(4) : 0})`);
          text(number, may[i][j] ? fixed(row[j], 3) : queryKeyPlane.masked);
        });
        const room2 = may[i].filter(Boolean).length;
        text(none, row ? "" : queryKeyPlane.allMasked(named("q", i)));
        H.node.hidden = N.node.hidden = !row;
        text(H.value, `${fixed(entropy(row))} ${queryKeyPlane.nats}`);
        text(H.limit, queryKeyPlane.atMost(fixed(room2 ? Math.log(room2) : null)));
        text(N.value, fixed(effectiveKeys(row)));
        text(N.limit, queryKeyPlane.outOf(room2));
      }
    };
  }

  // graph.js
  var HIDDEN = 5e-3;
  function createGraph({ frame: frame2, called, queries, keys, oneSet, onSelect }) {
    const n = queries.length, m = keys.length;
    const back = svg("g", { class: "ag-back" }), front = svg("g", { class: "ag-front" }), nodes = svg("g", {});
    const picture = svg("svg", { class: "ag-picture ag-graph", viewBox: "0 0 320 320", role: "img" }, back, front, nodes);
    const edges = queries.map((_, i) => keys.map((_2, j) => {
      const { d, tip, angle } = oneSet ? circleEdge(i, j, n) : sideEdge(i, j, n, m);
      const shaft = svg("path", { class: "ag-edge", d });
      const head = svg("path", { class: "ag-head", d: "M0 0L-6 3.2V-3.2Z" });
      return { group: svg("g", {}, shaft, head), shaft, head, place: `translate(${tip[0].toFixed(2)} ${tip[1].toFixed(2)}) rotate(${angle.toFixed(1)})` };
    }));
    for (const edge of edges.flat()) back.append(edge.group);
    const rows = oneSet ? queries.map((name, i) => circleNode(i, n, name)) : queries.map((name, i) => sideNode(i, n, name, "q"));
    nodes.append(...rows, ...oneSet ? [] : keys.map((name, j) => sideNode(j, m, name, "k")));
    rows.forEach((node, i) => frame2.on(node, "click", () => onSelect(i)));
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
        edges.forEach((row, i) => row.forEach((edge, j) => {
          const w = weights[i]?.[j] ?? 0, on = i === selected;
          if (edge.w === w && edge.on === on) return;
          Object.assign(edge, { w, on });
          const shown = w >= HIDDEN;
          attr(edge.group, "display", shown ? null : "none");
          if (!shown) return;
          attr(edge.group, "opacity", (on ? 0.4 + 0.6 * w : 0.12 + 0.5 * w).toFixed(2));
          attr(edge.shaft, "stroke-width", (0.6 + 5.4 * w).toFixed(2));
          attr(edge.head, "transform", `${edge.place} scale(${(1 + w).toFixed(2)})`);
        }));
        if (settled) attr(picture, "aria-label", described(weights, called));
      }
    };
  }
  function described(weights, called) {
    return queryKeyPlane.graphLabel(weights.map((row, i) => {
      if (!row) return queryKeyPlane.graphMasked(called("q", i));
      const best = Math.max(...row);
      return queryKeyPlane.graphLine(called("q", i), called("k", row.indexOf(best)), fixed(best));
    }).join(" "));
  }
  function label(name, limit, attributes) {
    const short2 = visible(name, limit);
    return svg("text", { class: "ag-name", ...attributes }, short2, short2 === name ? null : svg("title", {}, name));
  }
  var direction = (i, n) => {
    const angle = -Math.PI / 2 + 2 * Math.PI * i / n;
    return [Math.cos(angle), Math.sin(angle)];
  };
  var onCircle = (i, n) => direction(i, n).map((x) => 160 + 82 * x);
  function circleNode(i, n, name) {
    const [x, y] = onCircle(i, n), [c, s] = direction(i, n);
    return svg(
      "g",
      { class: "ag-node" },
      svg("circle", { class: "ag-hit", cx: x, cy: y, r: 15 }),
      svg("circle", { class: "ag-dot", cx: x, cy: y, r: 7 }),
      label(name, 6, {
        x: 160 + 110 * c,
        y: 164.5 + 114 * s,
        "text-anchor": Math.abs(c) < 0.35 ? "middle" : c > 0 ? "start" : "end"
      })
    );
  }
  var beside = (i, n, left) => [left ? 92 : 228, 160 + (i - (n - 1) / 2) * Math.min(76, 272 / Math.max(1, n - 1))];
  function sideNode(i, n, name, kind) {
    const left = kind === "q";
    const [x, y] = beside(i, n, left);
    return svg(
      "g",
      { class: "ag-node" },
      left ? svg("rect", { class: "ag-hit", x: x - 88, y: y - 11, width: 104, height: 22 }) : null,
      svg("g", { transform: `translate(${x} ${y})` }, marker(kind)),
      label(name, 9, { x: x + (left ? -15 : 15), y: y + 4.5, "text-anchor": left ? "end" : "start" })
    );
  }
  function circleEdge(i, j, n) {
    const [x, y] = onCircle(i, n), [c, s] = direction(i, n);
    if (i === j) {
      const turned = [-0.8, 0.8].map((t) => [Math.cos(t) * c - Math.sin(t) * s, Math.sin(t) * c + Math.cos(t) * s]);
      const [start4, stop2] = [8, 14].map((r, end) => [x + r * turned[end][0], y + r * turned[end][1]]);
      const [g, h] = turned.map(([u3, v3]) => [x + 36 * u3, y + 36 * v3]), [u2, v2] = turned[1];
      return { d: `M${point2(start4)}C${point2(g)} ${point2(h)} ${point2(stop2)}`, tip: [x + 8.5 * u2, y + 8.5 * v2], angle: degrees(-u2, -v2) };
    }
    const [u, v] = onCircle(j, n), bend = 0.16;
    const mid = [(x + u) / 2 - bend * (v - y), (y + v) / 2 + bend * (u - x)];
    const start3 = toward([x, y], mid, 8), stop = toward([u, v], mid, 13);
    return { d: `M${point2(start3)}Q${point2(mid)} ${point2(stop)}`, tip: toward([u, v], mid, 8.5), angle: degrees(u - mid[0], v - mid[1]) };
  }
  function sideEdge(i, j, n, m) {
    const a = beside(i, n, true), b = beside(j, m, false);
    return {
      d: `M${point2(toward(a, b, 10))}L${point2(toward(b, a, 15))}`,
      tip: toward(b, a, 10.5),
      angle: degrees(b[0] - a[0], b[1] - a[1])
    };
  }
  var point2 = ([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`;
  var degrees = (dx, dy) => Math.atan2(dy, dx) * 180 / Math.PI;
  function toward([x, y], [u, v], distance) {
    const length = Math.hypot(u - x, v - y) || 1;
    return [x + (u - x) / length * distance, y + (v - y) / length * distance];
  }

  // numpy.js
  function numpyLines({ Q, K, V, temperature, scaled, mask }, tokens = {}) {
    const number = (x) => Number.isInteger(x) ? `${x}.0` : String(x);
    const matrix = (name, rows, one) => `${name} = np.array([
${rows.map((row) => `    [${row.map(one).join(", ")}],`).join("\n")}
])`;
    const names = (side, list) => list ? [`${side}_tokens = [${list.map(pythonString).join(", ")}]`] : [];
    const may = allowed(mask, Q.length, K.length);
    const T = temperature === "inf" ? "inf" : temperature;
    const limit = {
      0: ["best = np.where(allowed, scores, -np.inf).max(axis=1, keepdims=True)  # T = 0: alike on the largest scores, ties included", "weights = (allowed & (scores == best)).astype(float)"],
      inf: ["weights = allowed.astype(float)  # T = infinity: alike on every allowed key"]
    }[T] ?? [
      "best = np.where(allowed, scores, -np.inf).max(axis=1, keepdims=True)",
      `weights = np.where(allowed, np.exp(np.minimum(scores - best, 0) / ${T}), 0)`
    ];
    return [
      "import numpy as np",
      "",
      ...names("query", tokens.q),
      ...names("key", tokens.k),
      matrix("Q", Q, number),
      matrix("K", K, number),
      ...V ? [matrix("V", V, number)] : [],
      matrix("allowed", may, (x) => x ? "True" : "False"),
      "",
      `scores = ${T === 0 ? "np.round(Q @ K.T, 12)" : "Q @ K.T"}${scaled ? " / np.sqrt(Q.shape[1])" : ""}`,
      ...limit,
      "total = weights.sum(axis=1, keepdims=True)  # 0 in a row with no allowed key",
      "weights = weights / np.where(total > 0, total, 1)",
      ...V ? ["output = np.where(total > 0, weights @ V, np.nan)"] : [],
      ""
    ].join("\n");
  }

  // pairs.js
  var LARGE = 20;
  function createPairs({ frame: frame2, counts, named, called, label: label2, onSelect }) {
    let what = "weights", open = true, drawn = null, placed = -1;
    const caption = html("caption", { class: "ag-hidden" });
    const rows = Array.from({ length: counts.queries }, (_, i) => {
      const button = html("button", { type: "button", class: "ag-opener" }, html("bdi", {}, named("q", i)));
      frame2.on(button, "click", () => {
        open = drawn.selected === i ? !open : true;
        onSelect(i);
        frame2.schedule();
      });
      const cells = Array.from({ length: counts.keys }, () => html("td", {}));
      cells.forEach((cell) => frame2.on(cell, "click", () => {
        open = true;
        onSelect(i);
        frame2.schedule();
      }));
      return { node: html("tr", {}, html("th", { scope: "row" }, button), ...cells), button, cells, known: cells.map(() => ({})) };
    });
    const steps = createSteps(counts, named, called);
    const unfold = html("div", { class: "ag-unfold", role: "group", "aria-label": queryKeyPlane.steps }, steps.node);
    const opened = html("tr", { class: "ag-open" }, html("td", { colspan: counts.keys + 1 }, unfold));
    const body = html("tbody", {}, ...rows.map((row) => row.node));
    const heads = Array.from({ length: counts.keys }, (_, j) => html("th", { scope: "col", title: named("k", j) }, html("bdi", {}, label2(j))));
    const switches = ["weights", "scores"].map((kind) => {
      const label3 = kind === "weights" ? queryKeyPlane.showWeights : queryKeyPlane.showScores;
      const node2 = html("button", { type: "button", class: "ag-button", "aria-pressed": String(kind === what) }, label3);
      frame2.on(node2, "click", () => {
        what = kind;
        frame2.schedule();
      });
      return { kind, node: node2 };
    });
    const table = html("table", { class: "ag-pairs" }, caption, html("thead", {}, html("tr", {}, html("td", {}), ...heads)), body);
    table.style.setProperty("--ag-columns", counts.keys);
    const scroll = html("div", { class: "ag-scroll", role: "group", "aria-label": queryKeyPlane.pairs }, table);
    const node = html(
      "section",
      { class: "ag-panel" },
      html(
        "div",
        { class: "ag-heading" },
        html("p", { class: "ag-title" }, queryKeyPlane.pairs),
        html("div", { class: "ag-switch", role: "group", "aria-label": queryKeyPlane.show }, ...switches.map((s) => s.node))
      ),
      scroll
    );
    return {
      node,
      draw(now, settled) {
        drawn = now;
        const { scores: scores2, weights, allowed: allowed2, selected } = now;
        const largest2 = what === "weights" ? 1 : Math.max(...scores2.flat().map(Math.abs), 1e-12);
        switches.forEach((s) => attr(s.node, "aria-pressed", String(s.kind === what)));
        text(caption, queryKeyPlane.pairsCaption(what === "weights" ? queryKeyPlane.showWeights : queryKeyPlane.showScores));
        rows.forEach((row, i) => {
          row.node.classList.toggle("ag-selected", i === selected);
          attr(row.button, "aria-expanded", String(i === selected && open));
          row.cells.forEach((cell, j) => {
            const may = allowed2[i][j], value = what === "weights" ? weights[i]?.[j] : scores2[i][j];
            const known = row.known[j];
            if (known.value === value && known.what === what && known.may === may && known.largest === largest2) return;
            row.known[j] = { value, what, may, largest: largest2 };
            drawCell(cell, { value, what, may, largest: largest2 });
          });
        });
        if (placed !== selected) {
          rows[selected].node.after(opened);
          placed = selected;
        }
        opened.hidden = !open;
        if (open) steps.draw(now);
        if (settled) for (const box of [scroll, unfold]) attr(box, "tabindex", box.scrollWidth > box.clientWidth ? "0" : null);
      }
    };
  }
  function drawCell(cell, { value, what, may, largest: largest2 }) {
    cell.classList.toggle("ag-hatched", !may);
    cell.classList.toggle("ag-no-weight", !may && what === "weights");
    cell.classList.toggle("ag-negative", what === "scores" && value < 0);
    text(cell, what === "weights" && !may ? queryKeyPlane.masked : fixed(value));
    const shade = what === "weights" && !may ? 0 : Math.abs(value) / largest2;
    cell.style.setProperty("--ag-tint", `${Math.round(40 * shade)}%`);
  }
  function createSteps(counts, named, called) {
    const caption = html("caption", {});
    const heads = Array.from({ length: 5 }, () => html("th", { scope: "col" }));
    const lines = Array.from({ length: counts.keys }, (_, j) => {
      const cells = Array.from({ length: 5 }, () => html("td", {}));
      return { node: html("tr", {}, html("th", { scope: "row" }, html("bdi", {}, named("k", j))), ...cells), cells };
    });
    const marks = lines.map(({ cells }) => cells[2].appendChild(html("span", {})));
    const total = html("td", {}), one = html("td", {});
    const sumHead = html("th", { scope: "row" }, queryKeyPlane.sum);
    const node = html(
      "table",
      { class: "ag-steps" },
      caption,
      html("thead", {}, html("tr", {}, html("td", {}), ...heads)),
      html("tbody", {}, ...lines.map((line) => line.node)),
      html("tfoot", {}, html("tr", {}, sumHead, total, one))
    );
    return {
      node,
      draw({ Q, K, scores: scores2, weights, allowed: allowed2, scaled, temperature: t, selected: i }) {
        const s = scores2[i], may = allowed2[i];
        const top = Math.max(...s.filter((_, j) => may[j]));
        const limit = t === 0 || t === Infinity;
        const large = !limit && Math.max(...s.map((x) => Math.abs(x) / t)) > LARGE;
        const mass = s.map((x, j) => {
          if (!may[j]) return 0;
          if (t === 0) return x === top ? 1 : 0;
          return t === Infinity ? 1 : Math.exp((large ? x - top : x) / t);
        });
        const sum3 = mass.reduce((a, b) => a + b, 0);
        const exp = t === 0 ? queryKeyPlane.argmax : t === Infinity ? queryKeyPlane.uniform : large ? queryKeyPlane.expShifted(t) : queryKeyPlane.exp(t);
        [queryKeyPlane.product, scaled ? queryKeyPlane.score : queryKeyPlane.scoreUnscaled, queryKeyPlane.mask.toLowerCase(), exp, queryKeyPlane.share].forEach((head, c) => text(heads[c], head));
        text(caption, queryKeyPlane.stepsCaption(called("q", i)));
        const masks = allowed2.some((row) => row.includes(false));
        [heads[2], ...lines.map(({ cells }) => cells[2])].forEach((cell) => attr(cell, "hidden", masks ? null : ""));
        attr(sumHead, "colspan", masks ? 4 : 3);
        lines.forEach(({ cells }, j) => {
          text(cells[0], product(Q[i], K[j]));
          text(cells[1], fixed(s[j], 3));
          cells[2].classList.toggle("ag-may", may[j]);
          text(marks[j], may[j] ? queryKeyPlane.allowed : "\u2212\u221E");
          text(cells[3], four(mass[j]));
          text(cells[4], weights[i] ? fixed(weights[i][j], 3) : queryKeyPlane.masked);
        });
        text(total, four(sum3));
        text(one, weights[i] ? fixed(1, 3) : queryKeyPlane.masked);
      }
    };
  }
  function product(q, k) {
    const signed = (x) => x < 0 ? `(${stored(x)})` : stored(x);
    const result = q[0] * k[0] + q[1] * k[1];
    const shown = (x, digits) => Number(x.toFixed(digits));
    const [a, b, c, d] = [q[0], k[0], q[1], k[1]].map((x) => shown(x, 4));
    const exact = Math.abs(a * b + c * d - shown(result, 3)) < 1e-9;
    return `${stored(q[0])}\xD7${signed(k[0])}
+\xA0${signed(q[1])}\xD7${signed(k[1])}
${exact ? "=" : "\u2248"}\xA0${fixed(result, 3)}`;
  }

  // query_key_plane.js
  var TRAITS2 = ["Q", "K", "V", "temperature", "scaled", "mask", "selected"];
  var NAMES = ["query_tokens", "key_tokens", "one_set", "tasks"];
  function render2({ model, el, page = null, view = {} }) {
    const shape = () => JSON.stringify([...["Q", "K", "V"].map((name) => model.get(name)?.length), ...NAMES.map((name) => model.get(name))]);
    let now = shape();
    let dispose = start2(model, el, page, view);
    const restart = () => {
      if (shape() === now) return;
      now = shape();
      dispose();
      dispose = start2(model, el, page, view);
    };
    const watched = ["Q", "K", "V", ...NAMES].map((name) => `change:${name}`);
    for (const event of watched) model.on(event, restart);
    return () => {
      for (const event of watched) model.off(event, restart);
      dispose();
    };
  }
  var query_key_plane_default = { render: render2 };
  function cleanState2(raw, { queries, keys, values }) {
    const tests = {
      Q: (x) => cleanVectors(x, queries),
      K: (x) => cleanVectors(x, keys),
      V: (x) => values ? cleanVectors(x, keys) : x === null ? void 0 : null,
      temperature: (x) => x === "inf" || Number.isFinite(x) && x >= 0 ? x : null,
      scaled: (x) => typeof x === "boolean" ? x : null,
      selected: (x) => Number.isInteger(x) && x >= 0 && x < queries ? x : null
    };
    const state = {};
    for (const [name, test] of Object.entries(tests)) {
      if (!Object.hasOwn(raw, name)) continue;
      const value = test(raw[name]);
      if (value === null) return null;
      if (value !== void 0) state[name] = value;
    }
    if (Object.hasOwn(raw, "mask")) {
      const { mask } = raw;
      const rows = Array.isArray(mask) && mask.length === queries && mask.every((row) => Array.isArray(row) && row.length === keys && row.every((x) => typeof x === "boolean"));
      if (!(mask === null || rows || mask === "causal" && queries === keys)) return null;
      state.mask = mask;
    }
    return state;
  }
  function start2(model, el, page, view) {
    const get = (name) => model.get(name);
    const counts = { queries: get("Q").length, keys: get("K").length, values: get("V") !== null && get("V") !== void 0 };
    const T = () => get("temperature") === "inf" ? Infinity : get("temperature");
    const signs = { q: get("Q").map((_, i) => `q${subscript(i + 1)}`), k: get("K").map((_, j) => `k${subscript(j + 1)}`) };
    const tokens = { q: get("query_tokens"), k: get("key_tokens") };
    const labels = { q: tokens.q ?? signs.q, k: tokens.k ?? signs.k };
    const short2 = { q: tokens.q?.map((t) => visible(t, 14)), k: tokens.k?.map((t) => visible(t, 14)) };
    const called = (kind, i) => `${queryKeyPlane.spoken[kind]} ${i + 1}${tokens[kind] ? ` (${short2[kind][i]})` : ""}`;
    const named = (kind, i) => signs[kind][i] + (tokens[kind] ? ` \xB7 ${short2[kind][i]}` : "");
    const compute = () => {
      const now = Object.fromEntries(TRAITS2.map((name) => [name, get(name)]));
      const options = { scaled: now.scaled, mask: now.mask, temperature: T() };
      return { ...now, temperature: T(), ...attention(now.Q, now.K, counts.values ? now.V : null, options) };
    };
    const frame2 = createFrame({
      model,
      el,
      page,
      label: queryKeyPlane.label,
      traits: TRAITS2,
      clean: (raw) => cleanState2(raw, counts),
      compute,
      summary() {
        const i = get("selected"), row = compute().weights[i];
        if (!row) return queryKeyPlane.allMasked(called("q", i));
        const j = row.indexOf(Math.max(...row));
        return queryKeyPlane.summary(called("q", i), called("k", j), fixed(row[j]));
      },
      files: [
        { kind: "SVG", name: "query-key-plane.svg", make: () => svgBlob(composed()) },
        { kind: "PNG", name: "query-key-plane.png", make: () => pngBlob(composed()) },
        { kind: "CSV", name: "query-key-plane.csv", make: () => new Blob([table()], { type: "text/csv" }) }
      ],
      predict: {
        cover: () => [bars.node, graph.picture.parentNode, pairs.node, mixed, ...mixture2?.nodes ?? []],
        ask() {
          const { weights, scores: scores2, allowed: may, selected: i } = compute(), row = weights[i];
          if (!row) return null;
          const open = row.map((_, j) => j).filter((j) => may[i][j]);
          const best = open.filter((j) => row[j] > Math.max(...row) - 1e-12);
          return {
            question: queryKeyPlane.ask(named("q", i)),
            options: [...open.map((j) => named("k", j)), ...open.length > 1 ? [queryKeyPlane.askTie] : []],
            answer: best.length > 1 ? open.length : open.indexOf(best[0]),
            why: queryKeyPlane.askWhy(open.map((j) => `${named("k", j)} ${fixed(scores2[i][j], 3)}`).join(", "))
          };
        }
      },
      code: { kind: "NumPy", name: "query_key_plane.py", make: () => numpyLines(state(), tokens) }
    });
    view.apply = (raw) => frame2.apply(raw);
    const choose = (i) => {
      if (i === get("selected")) return;
      frame2.set("selected", i);
      frame2.commit();
    };
    const forbid = (j, may) => {
      const rows = allowed(get("mask"), counts.queries, counts.keys);
      rows[get("selected")][j] = may;
      frame2.set("mask", rows.flat().every(Boolean) ? null : rows);
      frame2.commit();
    };
    const point3 = (kind, trait) => (_, index) => ({
      id: `${kind}${index}`,
      kind,
      trait,
      index,
      sign: signs[kind]?.[index] ?? `${kind}${subscript(index + 1)}`,
      label: labels[kind]?.[index] ?? `v${subscript(index + 1)}`,
      full: tokens[kind]?.[index],
      name: kind === "v" ? `${queryKeyPlane.spoken.v} ${index + 1}` : called(kind, index)
    });
    const pairPlane = createPlane({
      frame: frame2,
      label: queryKeyPlane.planeLabel,
      initial: [...get("Q"), ...get("K")],
      vectors: () => [...get("Q"), ...get("K")],
      points: [...get("K").map(point3("k", "K")), ...get("Q").map(point3("q", "Q"))],
      onHold(handle, dragging) {
        if (handle.kind !== "q" || handle.index === get("selected")) return;
        frame2.set("selected", handle.index);
        if (!dragging) frame2.commit("select");
      }
    });
    const arrows = drawArrows(pairPlane, get);
    const valuePlane = counts.values && createPlane({
      frame: frame2,
      label: queryKeyPlane.valuesLabel,
      initial: get("V"),
      vectors: () => get("V"),
      points: get("V").map(point3("v", "V"))
    });
    const mixture2 = valuePlane && drawMixture(valuePlane, get);
    const graph = createGraph({
      frame: frame2,
      called,
      queries: labels.q,
      keys: labels.k,
      oneSet: get("one_set"),
      onSelect: choose
    });
    const bars = createBars({ frame: frame2, keys: counts.keys, named, called, forbid, wide: Boolean(tokens.k) });
    const pairs = createPairs({ frame: frame2, counts, named, called, label: (j) => visible(labels.k[j], 7), onSelect: choose });
    const controls = createControls(frame2, get, counts, named, choose);
    const title = (...parts) => html("p", { class: "ag-title" }, ...parts);
    const legend2 = (kind, word) => html("span", { class: "ag-key" }, glyph(kind), word);
    const panel = (draw, ...parts) => frame2.region(html("section", { class: "ag-panel" }, ...parts), draw);
    const mixed = html("span", { class: "ag-number-text" });
    frame2.body.append(
      frame2.region(controls.node, controls.draw),
      html(
        "div",
        { class: "ag-panels" },
        panel((now) => {
          pairPlane.draw(`q${now.selected}`);
          arrows.draw(now.selected);
        }, title(legend2("q", queryKeyPlane.queries), legend2("k", queryKeyPlane.keys)), pairPlane.picture, pairPlane.fields),
        panel(bars.draw, bars.title, bars.node),
        valuePlane ? panel(({ weights, output, selected: i }) => {
          valuePlane.draw(null);
          mixture2.draw(weights[i], output[i], i);
          text(mixed, output[i] ? `y${subscript(i + 1)} = (${output[i].map((x) => fixed(x)).join(", ")})` : queryKeyPlane.masked);
        }, title(legend2("v", queryKeyPlane.values), legend2("y", queryKeyPlane.mixture), mixed), valuePlane.picture, valuePlane.fields) : "",
        panel(
          graph.draw,
          title(queryKeyPlane.graph),
          html("div", { class: "ag-cover" }, graph.picture),
          html("p", { class: "ag-hint" }, get("one_set") ? queryKeyPlane.graphCircle : queryKeyPlane.graphSides)
        )
      ),
      frame2.region(pairs.node, pairs.draw),
      html("details", { class: "ag-help" }, html("summary", {}, plane.helpTitle), html("p", { class: "ag-hint" }, plane.help)),
      ...frame2.actions().filter(Boolean)
    );
    pairPlane.hold(`q${get("selected")}`);
    pairPlane.hold(null);
    const state = () => Object.fromEntries(TRAITS2.map((name) => [name, get(name)]));
    const composed = () => composeSvg([
      { title: `${queryKeyPlane.queries}, ${queryKeyPlane.keys}`, picture: pairPlane.picture },
      ...valuePlane ? [{ title: `${queryKeyPlane.values}, ${queryKeyPlane.mixture}`, picture: valuePlane.picture }] : [],
      { title: queryKeyPlane.graph, picture: graph.picture }
    ], frame2.root);
    const table = () => {
      const { scores: scores2, allowed: may, weights } = compute();
      return csv([
        ["query", "key", "query_token", "key_token", "allowed", "score", "weight"],
        ...scores2.flatMap((row, i) => row.map((s, j) => [
          i,
          j,
          tokens.q?.[i] ?? "",
          tokens.k?.[j] ?? "",
          may[i][j] ? 1 : 0,
          s,
          weights[i]?.[j] ?? null
        ]))
      ]);
    };
    return () => frame2.dispose();
  }
  function createControls(frame2, get, counts, named, choose) {
    const query = select(frame2, queryKeyPlane.query, get("Q").map((_, i) => [String(i), named("q", i)]), (value) => choose(Number(value)));
    const kinds = ["none", ...counts.queries === counts.keys ? ["causal"] : [], "custom"];
    const mask = select(frame2, queryKeyPlane.mask, kinds.map((kind) => [kind, queryKeyPlane.masks[kind]]), (kind) => {
      frame2.set("mask", kind === "none" ? null : kind);
      frame2.commit();
    });
    const custom = mask.node.lastChild;
    const box = html("input", { type: "checkbox", title: queryKeyPlane.scaledFull });
    frame2.on(box, "change", () => {
      frame2.set("scaled", box.checked);
      frame2.commit();
    });
    const range = html("input", { type: "range", min: 0, max: 200, step: 1, "aria-label": queryKeyPlane.temperature });
    const number = html("span", { class: "ag-number-text ag-reading" });
    const take = () => {
      const t = sliderToTemperature(Number(range.value));
      frame2.set("temperature", t === Infinity ? "inf" : t);
    };
    frame2.on(range, "input", take);
    frame2.on(range, "change", () => {
      take();
      frame2.commit();
    });
    const node = html(
      "div",
      { class: "ag-controls", role: "group", "aria-label": queryKeyPlane.controls },
      query.field,
      mask.field,
      html("label", { class: "ag-field ag-check" }, box, html("span", {}, queryKeyPlane.scaled, html("sub", {}, "k"))),
      html("div", { class: "ag-field ag-temperature" }, html("label", { class: "ag-field" }, html("span", {}, queryKeyPlane.temperature), range), number)
    );
    return {
      node,
      draw({ selected, mask: now, scaled, temperature: t }) {
        query.node.value = String(selected);
        const kind = now === null ? "none" : now === "causal" ? "causal" : "custom";
        custom.hidden = custom.disabled = kind !== "custom";
        mask.node.value = kind;
        box.checked = scaled;
        const shown = t === Infinity ? "\u221E" : String(t);
        if (temperatureToSlider(t) !== Number(range.value)) range.value = String(temperatureToSlider(t));
        text(number, `T = ${shown}`);
        attr(range, "aria-valuetext", queryKeyPlane.temperatureText(shown));
      }
    };
  }

  // page.js
  var widgets = {
    MixtureHull: mixture_hull_default,
    QueryKeyPlane: query_key_plane_default
  };
  function mountNear() {
    const seen = {};
    const still = {};
    const near = new IntersectionObserver((entries) => entries.forEach((e) => e.isIntersecting && wake(e.target)), {
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
      still[`${name}.${ordinal}`] = node;
      near.observe(node);
    }
    const follow = () => {
      const link = decodeLink(location.hash);
      const node = link && still[`${link.name}.${link.ordinal}`];
      if (!node) return;
      wake(node).apply(link.state);
      node.scrollIntoView({ block: "start" });
    };
    window.addEventListener("hashchange", follow);
    follow();
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
  return __toCommonJS(page_exports);
})();
