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
    for (const [name, value2] of Object.entries(attributes ?? {})) {
      if (value2 !== null && value2 !== void 0 && value2 !== false) node.setAttribute(name, value2 === true ? "" : value2);
    }
    node.append(...children.filter((child) => child !== null && child !== void 0));
    return node;
  }
  var written = /* @__PURE__ */ new WeakMap();
  function attr(node, name, value2) {
    let known = written.get(node);
    if (!known) written.set(node, known = {});
    if (known[name] === value2) return;
    known[name] = value2;
    if (value2 === null || value2 === false) node.removeAttribute(name);
    else node.setAttribute(name, value2);
  }
  function text(node, value2) {
    let known = written.get(node);
    if (!known) written.set(node, known = {});
    if (known["#"] === value2) return;
    known["#"] = value2;
    if (node.firstChild?.nodeType === 3 && !node.firstChild.nextSibling) node.firstChild.data = value2;
    else node.textContent = value2;
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
  function composeSvg(figures, root2) {
    const style = getComputedStyle(root2);
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
    }, svg("rect", { width, height, fill: paper(root2) }));
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
      const value2 = style.getPropertyValue(name);
      if (value2 === INITIAL[name]) copy.removeAttribute(name);
      else copy.setAttribute(name, value2);
    }
    copy.append(...[...node.childNodes].map((child) => child.nodeType === 1 ? written2(child) : child.cloneNode()));
    return copy;
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
  var subscript = (n) => String(n).replace(/\d/g, (d) => "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089"[d]);
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
  function visible(token, limit = Infinity) {
    const signs = [...token === "" ? "\u2205" : token];
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
    return shown.length <= limit ? text3 : shown.slice(0, cut(shown, Math.max(1, limit - 1))).join("") + "\u2026";
  }
  function cut(signs, end2) {
    let start5 = end2;
    while (start5 > 1 && (JOINS.test(signs[start5]) || signs[start5 - 1] === "\u200D")) start5 -= 1;
    return start5 > 1 || !JOINS.test(signs[1]) ? start5 : end2;
  }
  function pythonString(token) {
    const named2 = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "	": "\\t" };
    const hex = (code, letter, width) => `\\${letter}${code.toString(16).padStart(width, "0")}`;
    const body = [...token].map((c) => {
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

  // geometry.js
  var dot = (a, b) => a.reduce((sum4, x, i) => sum4 + x * b[i], 0);
  function scores(Q, K, { scaled = true } = {}) {
    const scale = scaled ? Q[0].length ** -0.5 : 1;
    return Q.map((q) => K.map((k) => scale * (Math.round(dot(q, k) * 1e12) / 1e12)));
  }
  function allowed(mask, queries, keys) {
    return Array.from({ length: queries }, (_, i) => Array.from({ length: keys }, (_2, j) => mask === "causal" ? j <= i : mask ? mask[i][j] : true));
  }
  function logits(s, may, temperature = 1) {
    const largest3 = Math.max(...s.filter((_, j) => may[j]));
    if (!may.some(Boolean)) return null;
    return s.map((x, j) => {
      if (!may[j]) return -Infinity;
      if (temperature === Infinity) return 0;
      if (temperature === 0) return x === largest3 ? 0 : -Infinity;
      return (x / 2 - largest3 / 2) / temperature * 2;
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
  function attention(Q, K, V, { scaled = true, mask = null, temperature = 1, S = scores(Q, K, { scaled }) } = {}) {
    const may = allowed(mask, Q.length, K.length).map((row, i) => row.map((ok, j) => ok && S[i][j] !== null));
    const weights = S.map((s, i) => softmax(s, { may: may[i], temperature }));
    return { scores: S, allowed: may, weights, output: weights.map((p) => mixture(p, V)) };
  }
  function convexHull(points2) {
    const sorted = [...points2].sort((a, b) => a[0] - b[0] || a[1] - b[1]).filter((p, i, all) => !i || p[0] !== all[i - 1][0] || p[1] !== all[i - 1][1]);
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
  var sum = (x) => x.reduce((a, b) => a + b, 0);
  var cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

  // numpy.js
  var number = (x) => Number.isInteger(x) ? `${x}.0` : String(x);
  var matrix = (name, rows, one = number) => `${name} = np.array([
${rows.map((row) => `    [${row.map(one).join(", ")}],`).join("\n")}
])`;
  function numpyLines({ Q, K, V, temperature, scaled, mask, mode = "dot", lift = 0 }, tokens = {}) {
    const names = (side, list2) => list2 ? [`${side}_tokens = [${list2.map(pythonString).join(", ")}]`] : [];
    return [
      "import numpy as np",
      "",
      ...names("query", tokens.q),
      ...names("key", tokens.k),
      ...vectorLines({ Q, K, ...tokens.source }),
      ...V ? [matrix("V", V)] : [],
      ...attentionLines({ temperature, scaled, mask, values: V, ...COMPARISONS[mode](lift) }, Q.length, K.length)
    ].join("\n");
  }
  var vectorLines = ({ Q, K, X, W_Q, W_K, tied }) => X ? [matrix("X", X), matrix("W_Q", W_Q), tied ? "W_K = W_Q" : matrix("W_K", W_K), "Q, K = X @ W_Q, X @ W_K"] : [matrix("Q", Q), matrix("K", K)];
  var COMPARISONS = {
    dot: () => ({}),
    cosine: () => ({
      before: ["lengths = np.linalg.norm(Q, axis=1)[:, None] * np.linalg.norm(K, axis=1)", "allowed = allowed & (lengths > 0)  # a vector of length 0 has no cosine"],
      product: "(Q @ K.T) / np.where(lengths > 0, lengths, 1)"
    }),
    distance: (lift) => ({
      before: ["squares = (K**2).sum(axis=1)", `heights = ${number(lift)} * np.sqrt(squares.max() - squares)  # the lift of the keys`],
      product: "-(((Q[:, None] - K) ** 2).sum(axis=2) + heights**2) / 2"
    })
  };
  function pipelineLines({ X, W_Q, W_K, W_V, temperature, scaled, mask }, tokens) {
    return [
      "import numpy as np",
      "",
      `tokens = [${tokens.map(pythonString).join(", ")}]`,
      matrix("X", X),
      matrix("W_Q", W_Q),
      matrix("W_K", W_K),
      matrix("W_V", W_V),
      ...attentionLines({ temperature, scaled, mask, values: true, before: ["Q, K, V = X @ W_Q, X @ W_K, X @ W_V"] }, X.length, X.length)
    ].join("\n");
  }
  function attentionLines({ temperature, scaled, mask, values, before = [], product: product3 = "Q @ K.T" }, queries, keys) {
    const may = allowed(mask, queries, keys);
    const T = temperature === "inf" ? "inf" : temperature;
    const limit = {
      0: ["best = np.where(allowed, scores, -np.inf).max(axis=1, keepdims=True)  # T = 0: alike on the largest scores, ties included", "weights = (allowed & (scores == best)).astype(float)"],
      inf: ["weights = allowed.astype(float)  # T = infinity: alike on every allowed key"]
    }[T] ?? [
      "best = np.where(allowed, scores, -np.inf).max(axis=1, keepdims=True)",
      `weights = np.where(allowed, np.exp(np.minimum(scores - best, 0) / ${T}), 0)`
    ];
    return [
      matrix("allowed", may, (x) => x ? "True" : "False"),
      "",
      ...before,
      `scores = ${T === 0 ? `np.round(${product3}, 12)` : product3}${scaled ? " / np.sqrt(Q.shape[1])" : ""}`,
      ...limit,
      "total = weights.sum(axis=1, keepdims=True)  # 0 in a row with no allowed key",
      "weights = weights / np.where(total > 0, total, 1)",
      ...values ? ["output = np.where(total > 0, weights @ V, np.nan)"] : [],
      ""
    ];
  }

  // stages.js
  var GIVEN = ["X", "W_Q", "W_K", "W_V"];
  var MADE = ["Q", "K", "V", "S", "A", "Y"];
  var FROM = { Q: "W_Q", K: "W_K", V: "W_V" };
  var LARGE = 20;
  var column = (M, j) => M.map((row) => row[j]);
  var project = (X, W2) => X.map((x) => W2[0].map((_, j) => dot(x, column(W2, j))));
  function stages(state) {
    const [Q, K, V] = ["Q", "K", "V"].map((name) => project(state.X, state[FROM[name]]));
    const { scores: S, allowed: allowed2, weights: A, output: Y } = attention(Q, K, V, state);
    return { ...state, Q, K, V, S, allowed: allowed2, A, Y };
  }
  var entry = (now, [name, i, j]) => name === "A" && !now.allowed[i][j] ? null : now[name][i]?.[j] ?? null;
  function arithmetic(now, [name, i, j]) {
    const value2 = entry(now, [name, i, j]);
    if (GIVEN.includes(name)) return { kind: "given", value: value2, sources: [] };
    if (value2 === null) return { kind: "masked", value: value2, sources: [] };
    if (name === "A") return share(now, i, value2);
    const [left, right] = name === "S" ? ["Q", "K"] : name === "Y" ? ["A", "V"] : ["X", FROM[name]];
    const across3 = name === "S" ? now.K[j] : column(now[right], j);
    const used = now[left][i].map((_, m) => m).filter((m) => name !== "Y" || now.allowed[i][m]);
    const terms = used.map((m) => [now[left][i][m], across3[m]]);
    return {
      kind: name === "S" ? "score" : name === "Y" ? "mix" : "product",
      value: value2,
      terms,
      sum: terms.reduce((total, [a, b]) => total + a * b, 0),
      divisor: name === "S" && now.scaled ? Math.sqrt(now.Q[0].length) : 1,
      sources: used.flatMap((m) => [[left, i, m], name === "S" ? [right, j, m] : [right, m, j]])
    };
  }
  function share({ S, allowed: allowed2, temperature: t }, i, value2) {
    const largest3 = Math.max(...S[i].filter((_, m) => allowed2[i][m]));
    const shifted = t > 0 && t < Infinity && Math.max(...S[i].map((s) => Math.abs(s) / t)) > LARGE;
    const limit = t === 0 || t === Infinity;
    const exps = logits(S[i], allowed2[i], t).map((z, m) => !allowed2[i][m] ? null : Math.exp(limit || shifted ? z : S[i][m] / t));
    return {
      kind: "share",
      value: value2,
      exps,
      shifted,
      largest: largest3,
      total: exps.reduce((total, e) => total + (e ?? 0), 0),
      sources: S[i].flatMap((_, m) => allowed2[i][m] ? [["S", i, m]] : [])
    };
  }
  function winners({ A, allowed: allowed2 }, i) {
    const top = Math.max(...A[i] ?? []);
    return (A[i] ?? []).flatMap((w, j) => allowed2[i][j] && w > top - 1e-12 ? [j] : []);
  }

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
    about: (name) => `About: ${name}`,
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
    products: { dot: "q \xB7 k", cosine: "cos(q, k)", distance: "\u2212\xBD\u2016q \u2212 k\u2016\xB2" },
    scoreOf: (product3, scaled) => `s = ${product3.replace(" \xB7 ", "\xB7")}${scaled ? " / \u221A2" : ""}`,
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
    spoken: { q: "query", k: "key", v: "value", x: "token" },
    tokens: "tokens",
    tokensLabel: "Plane of the tokens",
    derived: "Queries and keys follow from the tokens: q = x W_Q, k = x W_K. Drag a token.",
    experimentsTitle: "Experiments",
    experiments: { compare: "Three comparisons", width: "Width d", basis: "Another basis" },
    compareBy: "Compare by",
    compareHint: "The score of a pair is made of this; each patch of the plane is named after the key that wins a query standing there.",
    modes: { dot: "dot product", cosine: "cosine", distance: "distance" },
    formulas: { dot: "q\xB7k", cosine: "cos(q, k)", distance: "\u2212\xBD\u2016q \u2212 k\u2016\xB2", lifted: "\u2212\xBD\u2016q \u2212 k\u0303\u2016\xB2" },
    compareTable: "The keys compared three ways",
    compareCaption: (q) => `Who wins ${q}? The largest number of a column, marked \u2605`,
    length: "length",
    lengthOf: "Key",
    lengthHint: "Longer along the same ray: the cosine stays, the dot product grows in proportion, the distance does what it likes.",
    alongRay: "keys slide along their rays",
    equalise: "Make all keys equally long",
    noCosine: "no direction",
    verdictNone: "No key is allowed: nobody wins.",
    verdictAll: (k, equal) => equal ? `All three choose ${k}. The keys are equally long: no query can part dot product, cosine and distance.` : `All three choose ${k} for this query. Drag it: the patches of another comparison lie elsewhere.`,
    verdict: (dot2, cosine2, near) => `The dot product chooses ${dot2}, the cosine ${cosine2}, and nearest is ${near}: the lengths of the keys make the difference.`,
    lift: "Lift the keys",
    liftText: (x) => `${x} of the way`,
    liftHint: "Every key gets one more coordinate, \u221A(R\xB2 \u2212 \u2016k\u2016\xB2) with R the longest key: at the end all keys have the length R.",
    tiltLabel: "The plane from the side: every key on a stem as high as its lifted coordinate, a line from the query to each",
    lifted: (R2) => `All keys have the length ${R2} now: whoever is nearest has the largest dot product, and every weight is that of the dot product.`,
    liftNot: (begun) => begun ? "Not yet there: the order of these distances may still differ from that of the dot products." : "The keys lie in the plane. Lift them, and watch the patches and the weights.",
    width: "Width",
    widthWhat: (n, m) => `Away from this plane: ${n} random queries, ${m} random keys for each, every component +1 or \u22121 by the toss of a coin.`,
    widthHint: "Each product q\xB7k adds up d terms of size 1, so its spread grows like \u221Ad; dividing by \u221Ad takes that out.",
    widthSaid: (d, spread2, bare, scaled) => `At d = ${d} the products spread by ${spread2}. Entropy of the weights: ${bare} nats as they are, ${scaled} divided by \u221Ad.`,
    widthAxis: "width d",
    spread: "spread of q\xB7k",
    curveScaled: "divided by \u221Ad",
    curveUnscaled: "as they are",
    mostEntropy: "most: log 16 nats",
    widthTable: "The numbers of all widths",
    widthCaption: "Spread of the products and mean entropy of the weights, for every width",
    widthLabel: (lines) => `Mean entropy of the weights against the width. ${lines}`,
    widthLine: (d, bare, scaled) => `Width ${d}: ${bare} as they are, ${scaled} divided.`,
    basisWhat: "Multiply every query by a matrix M and every key by its inverse transposed: q\xB7k stays what it was.",
    basisAnother: "Another basis",
    basisHere: "Compare from here",
    basisHint: "M is drawn at random; a trained head could have used any of them, so what changes here says nothing about the head.",
    basisCaption: "Largest change since you began",
    basisRows: { coordinate: "a coordinate of a query or key", angle: "a cosine of a query and a key", dot: "a weight, by dot product", cosine: "a weight, by cosine", distance: "a weight, by distance" },
    basisNone: "Nothing has moved yet: press the button and watch the plane.",
    basisGauge: "Every query and key stands elsewhere, and every weight of the dot product is where it was. Cosine and distance would give other weights.",
    basisMoved: "A weight of the dot product changed as well: something else than the basis was moved.",
    sourceTitle: "From tokens to queries and keys",
    matrixNames: { W_Q: "W_Q", W_K: "W_K" },
    entry: (name, r, c) => `${name}, row ${r}, column ${c}`,
    tie: "tie: W_K = W_Q",
    tieHint: "Then q = k for every token, and B = W_Q W_Q\u1D40 is symmetric: i scores j as j scores i.",
    antisymmetry: "Antisymmetric share",
    antisymmetryHint: "Of the size of B = W_Q W_K\u1D40: at 0 the form is symmetric, at 1 it turns its sign when query and key change places.",
    antisymmetryText: (x) => x === "0.00" ? "0: symmetric" : x === "1.00" ? "1: antisymmetric" : x,
    formLine: ([[a, b], [c, d]]) => `B = W_Q W_K\u1D40 = (${a}, ${b}; ${c}, ${d})`,
    sharesTitle: "What the weights can see of the scores, in shares",
    shares: { popularity: "popularity", reciprocal: "reciprocal", circulating: "circulating" },
    shareHints: { popularity: "some keys are liked by all queries", reciprocal: "i and j agree on each other", circulating: "what runs around cycles" },
    sharesNone: "The rows of the scores are constant: there is nothing to share out.",
    sharesReversible: "Nothing circulates: the weights are reversible, though a popular key still draws more than it gives.",
    sharesCirculate: "Something runs around cycles: no symmetric scores could give these weights."
  };
  var mixtureHull = {
    label: "Values, their weights and the mixture",
    lead: "Move a score or a green triangle, and watch y: it is the point where the weights balance.",
    legend: "Disc: weight a. Dashed ring: weight a\u2032. Dashed curve: y from T = 0 to T = \u221E.",
    controls: "Settings",
    temperature: "Temperature",
    temperatureHint: "T divides the scores before softmax: at T = 0 the largest scores share all the weight, at T = \u221E all allowed keys weigh alike.",
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
    otherHint: "The slider gives one key more or less weight and lets the others make up for it, so that y does not move. Where a weight reaches 0 the others go on without it, as far as they can. Dashed rings show the second row a\u2032.",
    give: "Weight of",
    chosen: "key that gains or loses weight",
    along: "second row, from the least to the most weight of the chosen key",
    alongText: (v, b, a) => `weight ${b} on ${v} instead of ${a}, same output`,
    inSecond: (w) => `in a\u2032: ${w}`,
    end: (arrow, w, what) => `${arrow} ${w}: ${what}`,
    gone: (keys) => `${keys} at 0`,
    left: (keys) => `only ${keys}`,
    none: (n) => n === 1 ? "none: a single allowed key has all the weight" : `none: ${n} values in general position fix the weights`,
    noneMasked: (v) => `none: ${v} is masked; choose another key`,
    noneFixed: (v) => `none for ${v}: the other values cannot make up for it, so y fixes its weight; choose another key`,
    noneRoom: (v) => `none for ${v} from here: weights that would have to fall are 0 already; raise T or choose another key`,
    dimension: (d, n) => `${n} allowed keys, ${n - d} conditions (the sum and the place of y): ${d === 1 ? "1 direction is" : `${d} directions are`} left.`,
    unmoved: "a\u2032 is still a. Move the slider: the weights change, y does not.",
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
    verdictsCaption: "Where the output lies",
    lemma: "y mixes the v, so it lies in their hull. y W_O mixes the v W_O with the same weights, so it lies in the hull of those. x is no mixture of values: adding it belongs to neither.",
    table: "Arithmetic: y = \u03A3 a v = \u03A3 a\u2032 v",
    tableCaption: "For each key its value, score, weights and products",
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
  var attentionPipeline = {
    label: "From words as numbers to outputs, step by step",
    lead: "Each word looks at every word, decides how much to take from each, and mixes what it takes.",
    todo: "Drag a framed number up or down and watch it run through. Select any number to see how it was made.",
    follow: "Follow",
    stages: ["Words as numbers", "Ask, offer, carry", "Compare", "Share", "Who attends to whom", "Mix"],
    hints: ["A row for each word.", null, null, "Each row adds up to 1.", null, "The values, mixed by the shares."],
    match: (d) => `query \xB7 key${d === 1 ? "" : ` / \u221A${d}`}: how well they match`,
    matrices: { X: "tokens", Q: "queries", K: "keys", V: "values", S: "scores", A: "weights", Y: "outputs" },
    means: { Q: "what it looks for", K: "what it offers", V: "what it hands on" },
    captions: {
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
    },
    titles: {
      X: (token, c) => `Number ${c} of ${token}`,
      W_Q: inMatrix("W_Q"),
      W_K: inMatrix("W_K"),
      W_V: inMatrix("W_V"),
      Q: numberOf("Query"),
      K: numberOf("Key"),
      V: numberOf("Value"),
      Y: numberOf("Output"),
      S: (query, key) => `Score of ${query} with ${key}`,
      A: (query, key) => `Weight of ${query} on ${key}`
    },
    stories: {
      X: () => "It is given: change it, and every stage that uses it follows.",
      W_Q: learned("query"),
      W_K: learned("key"),
      W_V: learned("value"),
      Q: product("W_Q"),
      K: product("W_K"),
      V: product("W_V"),
      S: (query, key) => `The query of ${query} times the key of ${key}: multiply in pairs, then add. The numbers used are outlined.`,
      A: (query, key) => `How much ${query} takes from ${key}: the exponential of this score as a share of its row. The scores used are outlined.`,
      Y: (token, _, c) => `Number ${c} of every value, each times the weight that ${token} gives it, added up. The numbers used are outlined.`,
      masked: (query) => `${query} may not look there, so there is nothing to compute.`
    },
    arithmetic: "How the selected number was made",
    nothingOpen: "How was a number made?",
    open: "Select one in the picture: its arithmetic opens here and the numbers it came from are outlined.",
    closeNumber: "Close",
    less: "Less by 0.1",
    more: "More by 0.1",
    howToChange: "or \u2191 \u2193 on the number, or drag it",
    maskedNumber: "masked",
    masked: "masked",
    points: "The tokens as points of a plane",
    pointOf: (token, i) => `Point of ${token}${i ? ` (${i})` : ""}`,
    reading: "Arrows say",
    readings: { attends: "i attends to j", flows: "information flows from j to i" },
    arrow: {
      attends: "Arrow i \u2192 j: i attends to j. Wider is more.",
      flows: "Arrow j \u2192 i: information flows from j to i. Wider is more."
    },
    sentence: {
      attends: (token, shares2) => shares2 ? `${token} attends ${list(shares2.map(([to, w]) => `${w} to ${to}`))}.` : `${token} is masked: it may attend to nothing.`,
      flows: (token, shares2) => shares2 ? `Into ${token} flow ${list(shares2.map(([from, w]) => `${w} of ${from}`))}.` : `${token} is masked: nothing flows into it.`
    },
    graphLabel: (arrow, lines) => `Directed graph of the weights. ${arrow} ${lines}`,
    madeWith: (scale, t, mask) => `Scores divided by ${scale}. Temperature ${t}. Mask: ${mask}. A frame: a number that was given; the others follow. Slanted lines: below zero, or masked.`,
    settings: "Settings",
    mask: "Mask",
    masks: { none: "none", causal: "causal: no later word", custom: "custom" },
    scaled: "divide by \u221Ad",
    temperature: "Temperature",
    readingHint: "The weight is the same number either way: i looks at j, and what j hands on arrives at i.",
    maskHint: "A causal mask lets a word look at itself and at the words before it, as a model that writes does.",
    scaledHint: "Scores are divided by the root of the width of the keys, so that they do not grow with it.",
    temperatureHint: "Scores are divided by T before the shares: near 0 the largest takes all, toward infinity all get the same.",
    ask: (token) => `Which word gives most to the output of ${token}?`,
    askTie: "no single one: the largest weights are equal",
    askWhy: (scores2, weights) => `The scores in its row are ${scores2}; the largest score gets the largest share: ${weights}.`,
    helpTitle: "Changing numbers without dragging",
    help: "Numbers in a frame can be changed: select one, then \u2191 and \u2193 (Shift: larger steps, Home: back to the start), or type it, or use \u2212 and + below the picture. \u2190 and \u2192 go to the next number; in the other tables all four arrows do. Tab goes from table to table."
  };
  function inMatrix(name) {
    return (_, c, r) => `${name}, row ${r}, column ${c}`;
  }
  function numberOf(what) {
    return (token, c) => `${what} of ${token}, number ${c}`;
  }
  function learned(what) {
    return () => `It is learned in training. Change it, and every ${what} follows${what === "value" ? "; no weight does" : ""}.`;
  }
  function product(W2) {
    return (token, _, c) => `The row of ${token} in X times column ${c} of ${W2}: multiply in pairs, then add. The numbers used are outlined.`;
  }
  var list = (parts3) => parts3.length > 1 ? `${parts3.slice(0, -1).join(", ")} and ${parts3.at(-1)}` : parts3[0];
  var metricCourt = {
    label: "A relation stands trial: which axioms of a metric does it obey?",
    controls: "What stands trial",
    source: "From",
    sources: { points: "points", scores: "scores by hand", dissimilarities: "a matrix d by hand" },
    sourceHint: "Points give scores s = x B x\u1D40 and weights A = softmax(s), off which a candidate reads d; or type the scores, or the entries of d.",
    form: "Form B",
    forms: { dot: "dot product", stretch: "stretched", minus: "one direction negative", turn: "turning", both: "dot product + turning", custom: "custom" },
    formHint: "The score of token i for token j is s(i,j) = x_i B x_j\u1D40.",
    candidate: "d is",
    candidateHint: "Each candidate reads a number d(i,j) off the scores S, the weights A or the points; choose it before you see the data.",
    byHand: "the matrix by hand",
    lead: {
      points: "Drag the tokens: d follows, and five axioms are judged.",
      scores: "Type scores: d follows, and five axioms are judged.",
      dissimilarities: "Type d: five axioms are judged."
    },
    question: (question2, domain) => `It answers: ${question2}. Defined for: ${domain}.`,
    questionHand: "Made by hand, it answers no question.",
    notHere: (n) => `${n} candidates do not apply here`,
    reason: (name, why) => `${name}: ${why}`,
    reasons: {
      hand: () => "a matrix by hand was not read off a head",
      vectors: () => "scores by hand have no vectors",
      direction: (i) => `token ${i + 1} is at the origin, so it has no direction`,
      negative: (i, j, x) => `D(${i + 1},${j + 1}) = ${x} is negative, so it has no root`,
      reducible: () => "some token is never reached again"
    },
    undefined: (why) => `Not defined here: ${why}.`,
    planeLabel: "Plane of the tokens",
    circleLabel: "Tokens on a circle",
    tokens: "tokens",
    token: (i, name) => name ? `token ${i} (${name})` : `token ${i}`,
    drawn: (axiom, margin2) => `Drawn, ${axiom}: ${margin2}`,
    keys: { direct: "breaks the axiom", detour: "the way round", room: "obeys it" },
    entries: { scores: "Scores s(i,j): type your own", dissimilarities: "d(i,j): type your own" },
    entry: (kind, i, j) => `${kind === "scores" ? "score" : "entry"} from token ${i} to token ${j}`,
    entered: (i, j, x) => `entry from ${i} to ${j}: ${x}.`,
    verdicts: "Five verdicts",
    verdictsHint: "Choose an axiom to see its worst case in the picture and in the matrix.",
    names: { non_negative: "non-negativity", zero_diagonal: "identity", separation: "separation", symmetry: "symmetry", triangle: "triangle" },
    formulas: { non_negative: "d(i,j) \u2265 0", zero_diagonal: "d(i,i) = 0", separation: "d(i,j) \u2260 0 for i \u2260 j", symmetry: "d(i,j) = d(j,i)", triangle: "d(i,k) \u2264 d(i,j) + d(j,k)" },
    units: { non_negative: "entries", zero_diagonal: "tokens", separation: "ordered pairs", symmetry: "pairs", triangle: "ordered triples" },
    holds: "holds",
    fails: (n, of, unit) => `fails in ${n} of ${of} ${unit}`,
    undecided: "undefined",
    left: (n) => `${n} more cannot be judged: an entry is \u221E`,
    nothing: "nothing to judge",
    d: (i, j) => `d(${i},${j})`,
    margins: {
      triangle: (ik, ij, jk, x, a, b, by, holds) => `${ik} = ${x} ${holds ? "\u2264" : ">"} ${a} + ${b} = ${ij} + ${jk}, ${holds ? "room" : "by"} ${by}`,
      symmetry: (ij, ji, a, b, by) => `${ij} = ${a} \u2260 ${b} = ${ji}, by ${by}`,
      symmetric: "the same both ways, for every pair",
      zero_diagonal: (ii, x) => `${ii} = ${x} \u2260 0`,
      zero: "d(i,i) = 0 for every token",
      separation: (ij, x, holds) => holds ? `closest to 0: ${ij} = ${x}` : `${ij} = ${x}`,
      non_negative: (ij, x, holds) => holds ? `smallest: ${ij} = ${x}` : `${ij} = ${x} < 0`,
      few: "two tokens have no triangle"
    },
    known: (status) => `Known beforehand: ${status}`,
    kind: "so d is a",
    forced: ", made so by repair",
    kinds: {
      metric: "metric",
      pseudometric: "pseudometric",
      quasimetric: "quasimetric",
      semimetric: "semimetric",
      lawvere: "Lawvere metric",
      divergence: "divergence",
      premetric: "premetric",
      none: "relation without a name"
    },
    free: "Does the triangle hold for free?",
    freeHint: "A relation that is flat enough obeys the triangle whatever it says; below the mark, that it holds is no finding.",
    spread: (x) => `largest \xF7 smallest entry off the diagonal: ${x}`,
    spreadLimit: (holds, alpha) => holds ? "at most 2: any such matrix passes" : `up to 2 any matrix passes; the power ${alpha} of this one would`,
    spreadNone: "No such bound while an entry off the diagonal is 0, negative or \u221E.",
    thresholds: {
      "\u2212log A": (x) => `weights of a row differ by a factor of ${x}`,
      "1 \u2212 A": (x) => `largest weight on another token: ${x}`
    },
    limit: (x, n, holds) => holds ? `at most ${x} (${n} tokens): any relation so flat passes` : `up to ${x} (${n} tokens) any relation passes`,
    matrix: "The matrix",
    judged: (candidate, repairs) => `d${candidate ? ` = ${candidate}` : " by hand"}${repairs ? ", repaired" : ""}: from row i to column j`,
    was: (x) => `was ${x}`,
    repairs: "Repair it by force",
    repairsHint: "Each button makes an axiom hold and says what that destroyed; press it again to take the repair back.",
    repairNames: { symmetrise: "Symmetrise", "zero diagonal": "Zero the diagonal", shift: "Shift", closure: "Shortest paths" },
    repairHints: {
      symmetrise: "d(i,j) and d(j,i) become their mean",
      "zero diagonal": "d(i,i) becomes 0",
      shift: "the least constant is added off the diagonal",
      closure: "d(i,k) becomes the length of the shortest way from i to k"
    },
    repairOrder: (n, name) => `${n}. ${name}`,
    impossible: "not possible: an entry is negative, so a way round could be shortened for ever.",
    shifted: (c) => `added ${c} off the diagonal; `,
    damage: (changed, of, most) => changed ? `${changed} of ${of} entries moved, by ${most} at most; ` : "no entry moved; ",
    order: (lost, of) => lost ? `${lost} of ${of} comparisons between two entries are lost.` : "which of two entries is larger is kept.",
    challenges: "Challenges",
    met: "met",
    notMet: "not yet",
    still: (parts3) => `still: ${parts3.join(", ")}`,
    mustHold: (axiom) => `${axiom} must hold`,
    mustFail: (axiom) => `${axiom} must fail`,
    fewer: (n) => n ? `at most ${n} repairs` : "without repairs",
    summary: (failed, margin2) => failed.length ? `Fails: ${failed.join(", ")}. ${margin2}` : "All five axioms hold.",
    summaryNone: (why) => `No verdict: ${why}.`,
    ask: "Which axioms hold?",
    askAll: "all five",
    askNone: "none of the five",
    askBut: (names) => `all but ${names.join(" and ")}`,
    askOnly: (names) => `only ${names.join(" and ")}`
  };

  // pipe_arithmetic.js
  function createArithmetic({ frame: frame2, title, story, editor }) {
    let place = null;
    const name = html("p", { class: "ag-title" }), sum4 = html("p", { class: "ag-pipe-sum" }), told = html("p", { class: "ag-hint" });
    const field = html("input", { class: "ag-number", type: "number", step: "any" });
    const by = (step, sign, label2) => frame2.button(sign, () => {
      editor.change(place, frame2.model.get(place[0])[place[1]][place[2]] + step);
      editor.commit(place, `step ${place}`);
    }, { "aria-label": label2 });
    const take = () => {
      const x = field.valueAsNumber;
      if (!Number.isFinite(x) || Math.abs(x) > 1e6) return false;
      editor.change(place, x, true);
      return true;
    };
    frame2.on(field, "input", take);
    frame2.on(field, "change", () => {
      if (take()) editor.commit(place);
      else frame2.schedule();
    });
    const change = html(
      "div",
      { class: "ag-row ag-pipe-change" },
      by(-0.1, "\u2212", attentionPipeline.less),
      field,
      by(0.1, "+", attentionPipeline.more),
      html("span", { class: "ag-hint" }, attentionPipeline.howToChange)
    );
    const close = frame2.button("\xD7", () => editor.open(null), { class: "ag-button ag-pipe-close", "aria-label": attentionPipeline.closeNumber });
    const node = html("section", { class: "ag-panel ag-pipe-arithmetic", "aria-label": attentionPipeline.arithmetic }, name, close, sum4, change, told);
    return {
      node,
      /** Writes a sign typed over a cell into the field and moves there. */
      type(sign) {
        field.focus({ preventScroll: true });
        if (sign) field.value = /\d/.test(sign) ? sign : "";
        else field.select();
      },
      draw(now) {
        place = now.opened;
        node.classList.toggle("ag-pipe-empty", !place);
        for (const part of [close, sum4]) part.hidden = !place;
        const made = place && arithmetic(now, place);
        change.hidden = made?.kind !== "given";
        text(name, place ? title(place) : attentionPipeline.nothingOpen);
        text(told, place ? story(place, made) : attentionPipeline.open);
        text(sum4, made ? written3(made, now, place) : "");
        sum4.hidden ||= made?.kind === "given";
        if (made?.kind !== "given") return;
        attr(field, "aria-label", title(place));
        if (document.activeElement !== field) field.value = String(Number(made.value.toFixed(4)));
      }
    };
  }
  var signed = (x) => x < 0 ? `(${stored(x)})` : stored(x);
  function written3(made, { temperature: t, S, selected }, [, i, j]) {
    if (made.kind === "given") return stored(made.value);
    if (made.kind === "masked") return attentionPipeline.maskedNumber;
    if (made.kind === "share") {
      const { exps, shifted, largest: largest3, total } = made;
      const limit = t === 0 || t === Infinity;
      const term = (m) => limit ? short(exps[m]) : `exp(${shifted ? `(${fixed(S[i][m])} \u2212 ${signed(Number(largest3.toFixed(2)))})` : fixed(S[i][m])}${t === 1 ? "" : ` / ${t}`})`;
      const all = exps.flatMap((e, m) => e === null ? [] : [m]);
      const number3 = (e) => e >= 1e4 || e > 0 && e < 0.01 ? short(e) : fixed(e);
      const sums = limit ? "" : ` = ${number3(exps[j])} / (${all.map((m) => number3(exps[m])).join(" + ")})`;
      return `${term(j)} / (${all.map(term).join(" + ")})${sums} = ${number3(exps[j])} / ${number3(total)} \u2248 ${fixed(made.value, 3)}`;
    }
    const products = made.terms.map(([a, b], m) => `${m ? signed(a) : stored(a)} \xD7 ${signed(b)}`).join(" + ");
    const divided = made.divisor !== 1;
    const rounded = (x, digits) => Number(x.toFixed(digits));
    const exact = Math.abs(made.terms.reduce((s, [a, b]) => s + rounded(a, 4) * rounded(b, 4), 0) - rounded(made.sum, 3)) < 1e-9;
    const result = `${exact ? "=" : "\u2248"} ${fixed(made.sum, 3)}`;
    return divided ? `(${products}) / \u221A2 = ${stored(made.sum)} / ${stored(made.divisor)} \u2248 ${fixed(made.value, 3)}`.replace("\u221A2", `\u221A${rounded(made.divisor ** 2, 6)}`) : `${products} ${result}`;
  }

  // pipe_flows.js
  var GRAPH = 140;
  var BESIDE = 3.02;
  var SMALLEST = 30;
  var MIDDLE = 40;
  var LARGEST = 50;
  var TIP = "M0 0L-7 3.6V-3.6Z";
  function createFlows({ frame: frame2, picture, list: list2, tables, graph, plane: plane2, sizes }) {
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
      const set = (name, value2) => picture.style.setProperty(`--ag-pipe-${name}`, `${value2.toFixed(1)}px`);
      set("gap", gap);
      set("cell", size);
      set("name", Math.max(40, Math.min(62, 1.25 * size)));
      set("font", Math.max(12, Math.min(14.5, 0.34 * size)));
      for (const [name, node] of [["graph", graph], ["plane", plane2]]) if (node) set(name, 13 * node.viewBox.baseVal.width / node.clientWidth);
      const { left, top } = picture.getBoundingClientRect();
      const at2 = (node) => {
        const { left: x, top: y, width, height } = node.getBoundingClientRect(), [l, t] = [x - left, y - top];
        return { l, t, r: l + width, b: t + height, x: l + width / 2, y: t + height / 2 };
      };
      const box = Object.fromEntries(Object.entries(boxes).map(([name, node]) => [name, at2(node)]));
      const lines = wide ? side(at2, box) : down2(at2, box);
      layer.replaceChildren(...lines.map(([kind, d, x, y, turn]) => svg(
        "g",
        { class: `ag-pipe-flow-${kind}` },
        svg("path", { class: "ag-pipe-line", d }),
        svg("path", { class: "ag-pipe-tip", d: TIP, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn})` })
      )));
    }
    function side(at2, box) {
      const names = ["Q", "K", "V"];
      const across3 = (kind, from, to, dy = 0) => bent(kind, from.r + 3, from.y + dy, to.l - 3, to.y);
      const score = at2(tables.S.node), weight = at2(tables.A.node), out = at2(tables.Y.node);
      const low = Math.max(box.V.b, weight.b, out.b) + 14;
      return [
        ...names.map((name) => across3("x", box.X, box[`W_${name}`])),
        ...made(box),
        ...["Q", "K"].map((name) => bent(name.toLowerCase(), box[name].r + 3, box[name].y, score.l - 2, box.S.y)),
        falling("q", box.S.x, box.S.b + 3, box.A.x, at2(list2[3]).t - 2),
        bent("q", box.A.r + 3, box.A.y - 8, at2(graph.parentNode).l + 4, at2(graph).b - 12),
        across3("q", box.A, { ...box.Y, l: out.l }),
        ["v", `M${box.V.x} ${box.V.b + 3}V${low - 8}q0 8 8 8H${box.Y.x - 8}q8 0 8 -8V${box.Y.b + 8}`, box.Y.x, box.Y.b + 3, -90]
      ];
    }
    const made = (box) => ["Q", "K", "V"].map((name) => bent(name.toLowerCase(), box[`W_${name}`].r + 2, box[`W_${name}`].y, box[name].l - 2, box[`W_${name}`].y));
    const down2 = (at2, box) => [...made(box), ...list2.slice(1).map((node) => {
      const { l, t } = at2(node);
      return falling("x", l + 10, t - 21, l + 10, t - 3);
    })];
    let last = "";
    const watch = new ResizeObserver(() => {
      const size = `${picture.clientWidth} ${picture.clientHeight}`;
      if (size === last) return;
      last = size;
      frame2.read(draw);
    });
    watch.observe(picture);
    return { node: layer, draw, dispose: () => watch.disconnect() };
  }
  function bent(kind, x1, y1, x2, y2) {
    const half = (x2 - x1) / 2;
    return [kind, `M${x1} ${y1}C${x1 + half} ${y1} ${x2 - half} ${y2} ${x2 - 5} ${y2}`, x2, y2, 0];
  }
  function falling(kind, x1, y1, x2, y2) {
    const half = (y2 - y1) / 2;
    return [kind, `M${x1} ${y1}C${x1} ${y1 + half} ${x2} ${y2 - half} ${x2} ${y2 - 5}`, x2, y2, 90];
  }

  // pipeline_picture.js
  var KINDS = { Q: "q", K: "k", V: "v", Y: "y" };
  var COLOURS = { Q: "#0072B2", K: "#D55E00", V: "#009E73", A: "#0072B2" };
  var SHAPES = { Q: "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z", K: "M-5 -5H5V5H-5Z", V: "M0 -6.3L6 4.3H-6Z" };
  var W = 44;
  var H = 26;
  var NAME = 58;
  var GAP2 = 44;
  var SIDE2 = 16;
  var TOP = 66;
  var FONT = "Segoe UI, Roboto, Helvetica, Arial, Liberation Sans, sans-serif";
  var HIDDEN = 5e-3;
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
  var at = (...numbers3) => numbers3.map((x) => short2(x)).join(" ");
  var bold = { "font-weight": "600" };
  var middle = { "text-anchor": "middle" };
  var end = { "text-anchor": "end" };
  var small = { "font-size": "12" };
  var text2 = (x, y, body, more = {}) => ["text", { x: short2(x), y: short2(y), ...more }, body];
  function pipelinePicture(now, tokens, settings) {
    const n = now.X.length, d = now.X[0].length, wide = Math.max(now.Q[0].length, now.V[0].length);
    const lane2 = Math.max(n, d) * H + 46, rows = [0, 1, 2].map((l) => TOP + 24 + l * lane2);
    const B = SIDE2 + NAME + Math.max(d * W, 100) + GAP2, M = B + wide * W + 30, C = M + wide * W + GAP2, D = C + NAME + n * W + GAP2;
    const width = D + Math.max(220, NAME + now.V[0].length * W) + SIDE2, foot = rows[2] + Math.max(n, d) * H + 26;
    const place = {
      X: [SIDE2 + NAME, rows[0]],
      S: [C + NAME, rows[0]],
      A: [C + NAME, rows[2]],
      Y: [D + NAME, rows[2]],
      ...Object.fromEntries(["Q", "K", "V"].flatMap((name, l) => [[`W_${name}`, [B, rows[l]]], [name, [M, rows[l]]]]))
    };
    const box = Object.fromEntries(Object.entries(place).map(([name, [x, y]]) => {
      const [high, long] = [now[name].length, now[name].find(Boolean)?.length ?? (name === "A" ? n : now.V[0].length)];
      return [name, { x, y, r: x + long * W, b: y + high * H, cx: x + long * W / 2, cy: y + high * H / 2, long }];
    }));
    const lanes = ["Q", "K", "V"];
    return [
      "svg",
      {
        viewBox: `0 0 ${at(width, foot + 26)}`,
        width: short2(width),
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
      ...[[SIDE2, 28], [B, 28], [C, 28], [C, rows[2] - 46], [D, 28], [D, rows[2] - 46]].flatMap(([x, y], k) => head(k, x, y, now)),
      ...lanes.flatMap((name, l) => laneHead(name, B, M, rows[l])),
      ...["X", "S", "A", "Y"].flatMap((name) => tokens.map((token, i) => text2(box[name].x - 6, box[name].y + i * H + 17.5, visible(token, 7), { ...end, ...i === now.selected ? bold : {} }))),
      ...["S", "A"].flatMap((name) => tokens.map((token, j) => text2(box[name].x + (j + 0.5) * W, box[name].y - 6, visible(token, 6), { ...middle, ...small }))),
      ...Object.keys(place).flatMap((name) => cells(name, box[name], now)),
      ...d === 2 ? points(now.X, tokens, SIDE2 + NAME - 20, rows[1] + 8, 120) : [],
      ["g", { transform: `translate(${at(D, TOP - 22)})` }, ...graphEdges(now), ...graphNodes(tokens, now.selected)],
      text2(SIDE2, foot + 14, settings, small)
    ];
  }
  var settingsLine = ({ scaled, mask, temperature, Q }) => attentionPipeline.madeWith(
    scaled ? `\u221A${Q[0].length}` : "1",
    temperature === Infinity ? "\u221E" : String(temperature),
    mask === null ? "none" : mask === "causal" ? "causal" : "custom"
  );
  function head(k, x, y, now) {
    const hint = k === 4 ? attentionPipeline.arrow[now.reading] : k === 2 ? attentionPipeline.match(now.scaled ? now.Q[0].length : 1) : attentionPipeline.hints[k];
    return [
      ["circle", { cx: short2(x + 9), cy: short2(y - 4.5), r: "9", fill: "none", stroke: "currentColor" }],
      text2(x + 9, y, String(k + 1), { ...middle, "font-size": "12", ...bold }),
      text2(x + 24, y, attentionPipeline.stages[k], { "font-size": "14", ...bold }),
      ...hint ? [text2(x, y + 20, hint, small)] : []
    ];
  }
  function laneHead(name, x, m, y) {
    return [
      ["text", { x: short2(x), y: short2(y - 7), "font-style": "italic" }, "W", ["tspan", { dy: "3", "font-size": "9" }, name]],
      ["path", { class: `ag-${KINDS[name]}`, d: SHAPES[name], fill: COLOURS[name], transform: `translate(${at(m + 6, y - 11)})` }],
      text2(m + 17, y - 7, attentionPipeline.matrices[name]),
      text2(x, y - 24, attentionPipeline.means[name], small)
    ];
  }
  function cells(name, { x, y, long }, now) {
    const largest3 = largestOf(now[name]), given = GIVEN.includes(name);
    return now[name].flatMap((row, i) => Array.from({ length: long }, (_, j) => {
      const value2 = name === "A" && !now.allowed[i][j] ? null : row?.[j] ?? null, [left, top] = [x + j * W, y + i * H];
      return [
        "g",
        {},
        ["rect", {
          x: short2(left + 1),
          y: short2(top + 1),
          width: String(W - 2),
          height: String(H - 2),
          rx: "3",
          fill: colour(name),
          "fill-opacity": short2(0.05 + (colour(name) === "currentColor" ? 0.2 : 0.3) * shade(name, value2, largest3), 2),
          ...given ? { stroke: "currentColor", "stroke-opacity": "0.55" } : {}
        }],
        ...value2 === null || value2 < 0 ? [["path", { d: hatch(left + 1, top + 1, W - 2, H - 2), stroke: "currentColor", "stroke-opacity": "0.25", "stroke-width": "0.7" }]] : [],
        text2(left + W / 2, top + 17.5, cellText(value2, given), middle)
      ];
    }));
  }
  function hatch(x, y, w, h) {
    const lines = [];
    for (let s = 7; s < w + h; s += 7) lines.push(`M${at(x + Math.min(s, w), y + Math.max(0, s - w))}L${at(x + Math.max(0, s - h), y + Math.min(s, h))}`);
    return lines.join("");
  }
  function points(X, tokens, x, y, side) {
    const half = side / 2, reach = niceRange(X);
    return [
      ["path", { d: `M${at(x, y + half)}h${side}M${at(x + half, y)}v${side}`, stroke: "currentColor", "stroke-opacity": "0.35" }],
      ...X.flatMap((p, i) => {
        const [a, b] = [x + half + p[0] / reach * half, y + half - p[1] / reach * half];
        return [["circle", { cx: short2(a), cy: short2(b), r: "4.5" }], text2(a, b - 8, visible(tokens[i], 7), { ...middle, ...small })];
      })
    ];
  }
  var line = (name, d, x, y, turn) => [
    "g",
    {},
    ["path", { d, fill: "none", stroke: colour(name), "stroke-width": "1.5" }],
    ["path", { d: "M0 0L-7 3.6V-3.6Z", fill: colour(name), transform: `translate(${at(x, y)}) rotate(${turn})` }]
  ];
  function across(name, x1, y1, x2, y2) {
    const half = (x2 - x1) / 2;
    return line(name, `M${at(x1, y1)}C${at(x1 + half, y1, x2 - half, y2, x2 - 5, y2)}`, x2, y2, 0);
  }
  var down = (name, x, y1, y2) => line(name, `M${at(x, y1)}V${short2(y2 - 5)}`, x, y2, 90);
  var under = (name, x1, y1, x2, y2, low) => line(
    name,
    `M${at(x1, y1)}V${short2(low - 8)}q0 8 8 8H${short2(x2 - 8)}q8 0 8 -8V${short2(y2 + 5)}`,
    x2,
    y2,
    -90
  );
  var graphBox = (n) => n > 4 ? [0, -2, 220, 204] : [26, -6, 168, { 3: 184, 4: 216 }[n] ?? 204];
  function graphNodes(tokens, selected) {
    const n = tokens.length, crowd = n > CROWD;
    return tokens.map((token, i) => {
      const [x, y] = spot(i, n), { label: label2, anchor } = nameAt(i, n), on = i === selected;
      return [
        "g",
        { class: on ? "ag-pipe-node ag-on" : "ag-pipe-node" },
        ["circle", { class: "ag-dot", cx: short2(x), cy: short2(y), r: crowd ? "3" : "6.5" }],
        text2(label2[0], label2[1] + 4, visible(token, crowd ? 1 : 7), { class: "ag-name", "text-anchor": anchor, ...on ? bold : {}, ...crowd ? { "font-size": "9" } : {} })
      ];
    });
  }
  function graphEdges({ A, selected, reading }) {
    const n = A.length, flows = reading === "flows", paint = flows ? COLOURS.V : COLOURS.Q;
    const found = A.flatMap((row, i) => (row ?? []).flatMap((w, j) => w < HIDDEN || n > CROWD && i !== selected ? [] : [[i, j, w]]));
    return found.sort((a, b) => (a[0] === selected) - (b[0] === selected)).map(([i, j, w]) => {
      const on = i === selected, { d, tip, turn, label: label2, anchor } = i === j ? loop(i, n) : curve(i, j, n, flows);
      const ink = on ? paint : "currentColor";
      return [
        "g",
        { class: `ag-pipe-edge${on ? flows ? " ag-pipe-v" : " ag-pipe-q" : ""}`, opacity: short2(on ? 0.55 + 0.45 * w : 0.1 + 0.35 * w, 2) },
        ["path", { d, fill: "none", stroke: ink, "stroke-width": short2(0.8 + 6.2 * w, 2) }],
        ["path", { d: "M0 0L-8 4.2V-4.2Z", fill: ink, transform: `translate(${at(...tip)}) rotate(${short2(turn)}) scale(${short2(1 + 0.8 * w, 2)})` }],
        ...on && n <= 4 ? [text2(label2[0], label2[1] + 4, fixed(w), { class: "ag-name", "text-anchor": anchor, "font-size": "12", ...bold })] : []
      ];
    });
  }
  var direction = (i, n) => [Math.cos(2 * Math.PI * i / n - Math.PI / 2), Math.sin(2 * Math.PI * i / n - Math.PI / 2)];
  var spot = (i, n) => direction(i, n).map((x, c) => [110, 104][c] + 56 * x);
  function nameAt(i, n, on = 0) {
    const [x, y] = spot(i, n), [c, s] = direction(i, n), away = n > CROWD ? 12 : 26;
    if (n <= 4) return { label: [x, y + (s < -0.5 ? -30 - on : s > 0.9 ? 32 + on : 22 + on)], anchor: "middle" };
    return { label: [x + away * c, y + (away + 4) * s + (s < -0.5 ? -on : on)], anchor: Math.abs(c) < 0.35 ? "middle" : c > 0 ? "start" : "end" };
  }
  function curve(i, j, n, flows) {
    const a = spot(i, n), b = spot(j, n), bend = 0.2, near = n > CROWD ? 5 : 12;
    const [u, v] = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(u, v) || 1;
    const mid = [(a[0] + b[0]) / 2 - bend * v, (a[1] + b[1]) / 2 + bend * u], [from, to] = flows ? [b, a] : [a, b];
    return {
      d: `M${at(...toward(from, mid, near - 3))}Q${at(...mid, ...toward(to, mid, near + 5))}`,
      tip: toward(to, mid, near - 3),
      turn: degrees(to[0] - mid[0], to[1] - mid[1]),
      anchor: "middle",
      label: [(a[0] + b[0]) / 4 + mid[0] / 2 - 10 * v / length, (a[1] + b[1]) / 4 + mid[1] / 2 + 10 * u / length]
    };
  }
  function loop(i, n) {
    const [x, y] = spot(i, n), [e, f] = direction(i, n);
    const aside = n <= 4 && Math.abs(e) > 0.5, [c, s] = aside ? [Math.sign(e), 0] : [e, f];
    const [[a, b], [u, v]] = [-0.8, 0.8].map((t) => [Math.cos(t) * c - Math.sin(t) * s, Math.sin(t) * c + Math.cos(t) * s]);
    return {
      d: `M${at(x + 9 * a, y + 9 * b)}C${at(x + 36 * a, y + 36 * b, x + 36 * u, y + 36 * v, x + 17 * u, y + 17 * v)}`,
      tip: [x + 9 * u, y + 9 * v],
      turn: degrees(-u, -v),
      ...aside ? { label: [x + 17 * c, y - 26], anchor: "middle" } : nameAt(i, n, 15)
    };
  }
  var degrees = (dx, dy) => Math.atan2(dy, dx) * 180 / Math.PI;
  function toward([x, y], [u, v], distance2) {
    const length = Math.hypot(u - x, v - y) || 1;
    return [x + (u - x) / length * distance2, y + (v - y) / length * distance2];
  }

  // predict.js
  function createPredict(frame2, { cover, ask }, snapshot) {
    let on = false, asked = null, state = null, covered = [];
    const toggle = frame2.button(frame.predict, () => set(!on), { "aria-pressed": "false" });
    const question2 = html("legend", {}), choices = html("div", { class: "ag-row" });
    const verdict = html("p", { class: "ag-verdict" });
    const commit = frame2.button(frame.predictCommit, answer);
    const again = frame2.button(frame.predictAgain, () => renew(true));
    const node = html(
      "fieldset",
      { class: "ag-predict", hidden: true, tabindex: -1 },
      question2,
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
      text(question2, asked ? asked.question : frame.predictNothing);
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
      const sentence2 = `${good ? frame.predictRight : frame.predictWrong(options[right])} ${why}`;
      uncover();
      text(verdict, sentence2);
      node.classList.toggle("ag-right", good);
      for (const input of choices.querySelectorAll("input")) input.disabled = true;
      commit.hidden = true;
      again.hidden = false;
      again.focus({ preventScroll: true });
      frame2.say(sentence2);
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
      set(name, value2) {
        if (state[name] === value2) return;
        state[name] = value2;
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
    const root2 = html("div", {
      class: "ag-widget",
      role: "group",
      "aria-label": options.label,
      "data-lm-suppress-shortcuts": "true"
    }, body);
    const frame2 = {
      root: root2,
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
      set(name, value2) {
        own += 1;
        model.set(name, value2);
        own -= 1;
        frame2.schedule();
      },
      /** One step of the history; steps that follow each other under one key are one. */
      commit(key = null, sentence2 = null) {
        if (!history.commit(key)) return;
        model.save_changes();
        refresh();
        predict?.follow();
        frame2.say(sentence2 ?? predict?.question ?? options.summary());
      },
      /** Sets a whole state that came from elsewhere: a task, a link. */
      apply(raw, sentence2 = frame.linkSet) {
        const state = clean(raw);
        if (!state) return frame2.say(frame.linkRefused), false;
        put2(state);
        if (typeof raw.predict === "boolean") predict?.set(raw.predict);
        frame2.commit(null, sentence2);
        return true;
      },
      /** The sentence is spoken when the movement has ended. */
      say(sentence2) {
        said = sentence2;
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
        root2.remove();
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
    function put2(state) {
      for (const [name, value2] of Object.entries(state)) frame2.set(name, value2);
    }
    function travel(state, sentence2) {
      if (!state) return;
      put2(state);
      model.save_changes();
      refresh();
      predict?.follow();
      frame2.say(sentence2);
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
          put2(initial);
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
      if (!(target instanceof Node && root2.contains(target))) return;
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
    frame2.on(root2, "focusin", () => listen(true));
    frame2.on(root2, "focusout", (event) => listen(root2.contains(event.relatedTarget)));
    for (const name of traits) model.on(`change:${name}`, changed);
    refresh();
    el.append(root2);
    return frame2;
  }
  function createTray(frame2) {
    const area2 = html("textarea", { readonly: true, rows: 3, spellcheck: "false", class: "ag-text" });
    const note = html("span", { class: "ag-hint" });
    let name = null;
    const copy = frame2.button(frame.copy, async () => text(note, await copied(area2.value) ? frame.copied : byHand()));
    const file = frame2.button(frame.saveAs(".py"), () => download(new Blob([area2.value], { type: "text/x-python" }), name));
    const close = frame2.button(frame.close, () => {
      node.hidden = true;
    });
    const node = html("div", { class: "ag-tray", hidden: true }, area2, html("div", { class: "ag-row" }, copy, file, close, note));
    const byHand = () => (area2.select(), frame.copyByHand);
    return {
      node,
      async offer(value2, { copied: done, shown, keep: keep2 = false, name: as = null }) {
        area2.value = value2;
        area2.rows = Math.min(14, value2.split("\n").length + 1);
        area2.setAttribute("aria-label", shown);
        name = as;
        file.hidden = !as;
        const good = await copied(value2);
        node.hidden = good && !keep2;
        text(note, good ? frame.copied : byHand());
        frame2.say(good ? done : shown);
      }
    };
  }
  async function copied(value2) {
    try {
      await navigator.clipboard.writeText(value2);
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
  function about(name, ...sentence2) {
    const hint = html("p", { class: "ag-hint", hidden: true }, ...sentence2);
    const button = html("button", { type: "button", class: "ag-ask", "aria-expanded": "false", "aria-label": frame.about(name) }, "?");
    button.addEventListener("click", () => {
      hint.hidden = !hint.hidden;
      attr(button, "aria-expanded", String(!hint.hidden));
    });
    return html("span", { class: "ag-about" }, button, hint);
  }
  function select(frame2, label2, options, run) {
    const node = html("select", { class: "ag-select", "aria-label": label2 }, ...options.map(([value2, name]) => html("option", { value: value2 }, name)));
    frame2.on(node, "change", () => run(node.value));
    return { node, field: html("label", { class: "ag-field" }, html("span", {}, label2), node) };
  }
  function segmented(frame2, label2, options, run) {
    const buttons = options.map(([value2, name]) => [value2, frame2.button(name, () => run(value2), { "aria-pressed": "false" })]);
    return {
      node: html("div", { class: "ag-switch", role: "group", "aria-label": label2 }, ...buttons.map(([, button]) => button)),
      draw(now) {
        for (const [value2, button] of buttons) attr(button, "aria-pressed", String(value2 === now));
      }
    };
  }
  function slider(frame2, label2, max, take, min = 0) {
    const input = html("input", { type: "range", min, max, step: 1, "aria-label": label2 });
    const number3 = html("span", { class: "ag-number-text ag-reading" });
    frame2.on(input, "input", () => take(Number(input.value)));
    frame2.on(input, "change", () => {
      take(Number(input.value));
      frame2.commit();
    });
    const field = html("label", { class: "ag-field" }, html("span", {}, label2), input);
    return {
      node: html("div", { class: "ag-field ag-slider" }, field, number3),
      input,
      draw(position, value2) {
        if (Number(input.value) !== position) input.value = String(position);
        text(number3, value2);
        attr(input, "aria-valuetext", value2);
      }
    };
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

  // pipe_parts.js
  var element = ([tag, attributes, ...children]) => svg(tag, attributes, ...children.map((child) => typeof child === "string" ? child : element(child)));
  function patch(parent, list2) {
    list2.forEach((described2, c) => {
      const node = parent.childNodes[c];
      if (typeof described2 === "string") return node?.nodeType === 3 ? void (node.data === described2 || (node.data = described2)) : parent.replaceChildren(described2);
      const [tag, attributes, ...children] = described2;
      if (node?.tagName !== tag || node.childNodes.length !== children.length) {
        const fresh = element(described2);
        return node ? node.replaceWith(fresh) : parent.append(fresh);
      }
      for (const [name, value2] of Object.entries(attributes)) attr(node, name, value2);
      patch(node, children);
    });
    while (parent.childNodes.length > list2.length) parent.lastChild.remove();
  }
  function createGraph({ frame: frame2, tokens, called, follow }) {
    const edges = svg("g", {}), nodes = svg("g", {});
    const picture = svg("svg", { class: "ag-pipe-graph", viewBox: graphBox(tokens.length).join(" "), role: "img" }, edges, nodes);
    const hint = html("p", { class: "ag-hint" });
    let selected = -1;
    return {
      node: html("div", { class: "ag-pipe-body" }, picture),
      picture,
      hint,
      draw(now, settled) {
        patch(edges, graphEdges(now));
        if (now.selected !== selected) {
          selected = now.selected;
          nodes.replaceChildren(...graphNodes(tokens, selected).map(element));
          [...nodes.children].forEach((node, i) => {
            const { cx, cy } = node.firstChild;
            node.prepend(svg("circle", { class: "ag-hit", cx: cx.baseVal.value, cy: cy.baseVal.value, r: 18 }));
            node.addEventListener("click", () => follow(i));
          });
        }
        picture.classList.toggle("ag-pipe-flowing", now.reading === "flows");
        text(hint, attentionPipeline.arrow[now.reading]);
        if (settled) attr(picture, "aria-label", attentionPipeline.graphLabel(attentionPipeline.arrow[now.reading], called.map((name, i) => attentionPipeline.sentence[now.reading](name, shares(now, called, i))).join(" ")));
      }
    };
  }
  var shares = ({ A, allowed: allowed2 }, called, i) => A[i] && A[i].flatMap((w, j) => allowed2[i][j] ? [[called[j], fixed(w)]] : []);
  function createMix({ frame: frame2, tokens, called, follow }) {
    const choice = select(frame2, attentionPipeline.follow, called.map((name, i) => [String(i), name]), (value2) => follow(Number(value2)));
    const pieces = tokens.map((token) => {
      const number3 = html("b", {});
      return { node: html("span", { class: "ag-pipe-piece" }, number3, html("bdi", {}, visible(token, 10))), number: number3 };
    });
    const bar = html("div", { class: "ag-pipe-bar", "aria-hidden": "true" }, ...pieces.map((piece) => piece.node));
    const sentence2 = html("p", { class: "ag-pipe-sentence" });
    const answer = html("div", { class: "ag-pipe-answer" }, bar, sentence2);
    return {
      node: html("div", { class: "ag-pipe-mix" }, choice.field, answer),
      answer,
      draw(now) {
        const i = now.selected, row = now.A[i];
        choice.node.value = String(i);
        pieces.forEach(({ node, number: number3 }, j) => {
          const w = row?.[j] ?? 0;
          attr(node, "style", `flex-grow:${w.toFixed(4)};--ag-tint:${Math.round(12 + 60 * w)}%`);
          node.classList.toggle("ag-pipe-small", w < 0.06);
          text(number3, fixed(w));
        });
        bar.classList.toggle("ag-pipe-green", now.reading === "flows");
        text(sentence2, attentionPipeline.sentence[now.reading](called[i], shares(now, called, i)));
      }
    };
  }
  function createSettings({ frame: frame2, point: point3 }) {
    const set = (name, value2) => {
      frame2.set(name, value2);
      frame2.commit();
    };
    const reading = segmented(frame2, attentionPipeline.reading, Object.entries(attentionPipeline.readings), (value2) => set("reading", value2));
    const mask = select(frame2, attentionPipeline.mask, Object.entries(attentionPipeline.masks), (kind) => set("mask", kind === "none" ? null : kind));
    const custom = mask.node.lastChild;
    const box = html("input", { type: "checkbox" });
    frame2.on(box, "change", () => set("scaled", box.checked));
    const range = slider(frame2, attentionPipeline.temperature, 200, (p) => frame2.set("temperature", p < 200 ? sliderToTemperature(p) : "inf"));
    const row = (hint, name, ...parts3) => html("div", { class: "ag-row" }, ...parts3, about(name, hint));
    return {
      node: html(
        "div",
        { class: "ag-controls ag-pipe-settings", role: "group", "aria-label": attentionPipeline.settings },
        row(attentionPipeline.readingHint, attentionPipeline.reading, html("span", {}, attentionPipeline.reading), reading.node),
        row(attentionPipeline.maskHint, attentionPipeline.mask, mask.field),
        row(attentionPipeline.scaledHint, attentionPipeline.scaled, html("label", { class: "ag-field ag-check" }, box, html("span", {}, attentionPipeline.scaled, html("sub", {}, "k")))),
        point3,
        row(attentionPipeline.temperatureHint, attentionPipeline.temperature, range.node)
      ),
      draw(now) {
        reading.draw(now.reading);
        custom.hidden = custom.disabled = !Array.isArray(now.mask);
        mask.node.value = now.mask === null ? "none" : Array.isArray(now.mask) ? "custom" : now.mask;
        box.checked = now.scaled;
        range.draw(temperatureToSlider(now.temperature), `T = ${now.temperature === Infinity ? "\u221E" : now.temperature}`);
      }
    };
  }

  // pipe_points.js
  var HALF = 64;
  var ROOM = [6, 14];
  var FINE = 0.05;
  function createPoints({ frame: frame2, tokens, called, initial, move: move2, commit, follow }) {
    let reach = niceRange(initial), X = initial, drag = null, held = null, pressed = null;
    const picture = svg("svg", {
      class: "ag-plane ag-pipe-points",
      viewBox: `${-HALF - ROOM[0]} ${-HALF - ROOM[1]} ${2 * (HALF + ROOM[0])} ${2 * (HALF + ROOM[1])}`,
      role: "group",
      "aria-label": attentionPipeline.points
    }, svg("rect", { class: "ag-floor", x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF }), svg("path", { class: "ag-axis", d: `M${-HALF} 0H${HALF}M0 ${-HALF}V${HALF}` }));
    const handles = tokens.map((token, i) => {
      const node = svg(
        "g",
        { class: "ag-handle", tabindex: 0, role: "slider", "aria-roledescription": plane.role, "aria-label": attentionPipeline.pointOf(called[i], i + 1), "data-handle": `x${i}` },
        svg("circle", { class: "ag-ring", r: 11 }),
        svg("circle", { class: "ag-dot", r: 5.5 }),
        svg("circle", { class: "ag-hit", r: 15 }),
        svg("text", { class: "ag-name", y: -9, "text-anchor": "middle" }, visible(token, 7), svg("title", {}, token))
      );
      frame2.keys.set(node, (event) => onKey(i, event));
      frame2.on(node, "focus", () => hold(i));
      frame2.on(node, "blur", () => node.classList.remove("ag-by-pointer"));
      frame2.on(node, "touchstart", (event) => event.preventDefault(), { passive: false });
      frame2.on(node, "pointerdown", (event) => {
        if (event.button !== 0 || drag) return;
        drag = { i, id: event.pointerId, x: event.clientX, y: event.clientY, start: X[i], moved: false };
        picture.setPointerCapture(event.pointerId);
        node.classList.add("ag-by-pointer");
        node.focus({ preventScroll: true });
        event.preventDefault();
      });
      return node;
    });
    picture.append(...handles);
    const fields = coordinates();
    const snap = (x) => Math.round(Math.max(-reach, Math.min(reach, x)) / FINE) * FINE;
    const scale = () => 2 * (HALF + ROOM[0]) / picture.getBoundingClientRect().width / HALF * reach;
    function hold(i) {
      held = i;
      fields.choice.value = `x${i}`;
      follow(i, drag !== null);
      frame2.schedule();
    }
    frame2.on(picture, "pointerdown", (event) => {
      pressed = event.target.closest(".ag-handle") ? null : [event.clientX, event.clientY];
    });
    frame2.on(picture, "pointermove", (event) => {
      if (event.pointerId !== drag?.id) return;
      const by = [event.clientX - drag.x, drag.y - event.clientY];
      if (!drag.moved && Math.hypot(...by) < 2) return;
      drag.moved = true;
      move2(drag.i, drag.start.map((x, c) => snap(x + by[c] * scale())));
    });
    const drop = (event) => {
      if (event.pointerId !== drag?.id) return;
      const { i } = drag;
      drag = null;
      commit(i);
    };
    frame2.on(picture, "pointerup", drop);
    frame2.on(picture, "pointercancel", drop);
    frame2.on(picture, "click", (event) => {
      if (!pressed || held === null || event.target.closest(".ag-handle")) return;
      if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 6) return;
      const box = picture.getBoundingClientRect();
      move2(held, [event.clientX - box.left - box.width / 2, box.top + box.height / 2 - event.clientY].map((x) => snap(x * scale())));
      commit(held);
    });
    function onKey(i, event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      const unit = event.shiftKey ? 0.5 : 0.1;
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
      if (!way && event.key !== "Home") return false;
      handles[i].classList.remove("ag-by-pointer");
      move2(i, way ? X[i].map((x, c) => x + unit * way[c]) : frame2.initial.X[i]);
      commit(i, way ? `keys x${i}` : null);
      return true;
    }
    function coordinates() {
      const choice = html("select", { class: "ag-select", "aria-label": plane.point }, ...called.map((name, i) => html("option", { value: `x${i}` }, name)));
      const chosen = () => Number(choice.value.slice(1));
      frame2.on(choice, "change", () => hold(chosen()));
      const inputs = ["x", "y"].map((axis, c) => {
        const input = html("input", { class: "ag-number", type: "number", step: "any", "aria-label": plane.coordinate(axis) });
        const take = () => {
          if (!Number.isFinite(input.valueAsNumber) || Math.abs(input.valueAsNumber) > 1e6) return false;
          move2(chosen(), X[chosen()].map((x, k) => k === c ? input.valueAsNumber : x));
          return true;
        };
        frame2.on(input, "input", take);
        frame2.on(input, "change", () => {
          if (take()) commit(chosen());
          else frame2.schedule();
        });
        return input;
      });
      const node = html(
        "div",
        { class: "ag-field ag-coordinates" },
        html("span", { "aria-hidden": "true" }, plane.point),
        choice,
        ...inputs.map((input, c) => html("label", { class: "ag-coordinate" }, html("span", { "aria-hidden": "true" }, "xy"[c]), input))
      );
      return { node, choice, inputs, chosen };
    }
    return {
      node: html("figure", { class: "ag-pipe-plane" }, picture),
      picture,
      fields: fields.node,
      draw(now) {
        X = now.X;
        if (!drag) reach = Math.max(niceRange(initial), niceRange(X, 1));
        handles.forEach((node, i) => {
          const [x, y] = X[i];
          attr(node, "transform", `translate(${(x / reach * HALF).toFixed(1)} ${(-y / reach * HALF).toFixed(1)})`);
          attr(node, "aria-valuenow", String(x));
          attr(node, "aria-valuetext", plane.place(fixed(x), fixed(y)));
          node.classList.toggle("ag-on", i === now.selected);
          node.classList.toggle("ag-held", i === held);
          node.classList.toggle("ag-unnamed", tokens.length > CROWD && i !== now.selected);
        });
        fields.inputs.forEach((input, c) => {
          if (document.activeElement !== input) input.value = String(Number(X[fields.chosen()][c].toFixed(4)));
        });
      }
    };
  }

  // pipe_tables.js
  var STEP = 0.1;
  var COARSE = 1;
  var PIXELS = 4;
  var FINE2 = 0.05;
  var SHOWN = 1200;
  function createTable({ frame: frame2, name, rows, columns, size: [n, m], called, editor, follow }) {
    const given = GIVEN.includes(name);
    let current = [0, 0], drag = null;
    const head2 = (names, j) => html("th", { scope: "col", title: names[j] }, html("bdi", { class: "ag-pipe-name" }, visible(names[j], 14)));
    const cells3 = Array.from({ length: n }, (_, i) => Array.from({ length: m }, (_2, j) => createCell(i, j)));
    const lines = cells3.map((row, i) => {
      const th = html(
        "th",
        { scope: "row", title: rows.names[i], class: rows.hidden ? "ag-hidden" : follow ? "ag-pipe-follow" : null },
        html("bdi", { class: "ag-pipe-name" }, visible(rows.names[i], 14))
      );
      if (follow) frame2.on(th, "click", () => follow(i));
      return { node: html("tr", {}, th, ...row.map((cell) => html("td", {}, cell.node))), th };
    });
    const node = html(
      "table",
      { class: `ag-pipe-table ag-pipe-${KINDS[name.at(-1)] ?? "x"}${given ? " ag-pipe-given" : ""}`, "data-matrix": name },
      html("caption", { class: "ag-hidden" }, attentionPipeline.captions[name]),
      html("thead", { class: columns.hidden ? "ag-hidden" : null }, html("tr", {}, html("td", { class: rows.hidden ? "ag-hidden" : null }), ...columns.names.map((_, j) => head2(columns.names, j)))),
      html("tbody", {}, ...lines.map((line2) => line2.node))
    );
    function createCell(i, j) {
      const number3 = html("span", {}), place = [name, i, j], data = { class: "ag-pipe-cell", tabindex: -1, "data-cell": place.join(".") };
      const node2 = given ? html("div", { ...data, role: "spinbutton" }, number3) : html("button", { ...data, type: "button" }, number3);
      frame2.keys.set(node2, (event) => onKey(place, event));
      return { node: node2, number: number3, place, timer: 0 };
    }
    const cellOf = (event) => {
      const node2 = event.target.closest(".ag-pipe-cell"), [, i, j] = node2?.dataset.cell.split(".") ?? [];
      return node2 && cells3[i][j];
    };
    frame2.on(node, "focusin", (event) => {
      const { place } = cellOf(event) ?? {};
      if (!place) return;
      rove(place[1], place[2]);
      editor.open(place);
    });
    frame2.on(node, "click", (event) => cellOf(event)?.node.focus({ preventScroll: true }));
    function rove(i, j) {
      attr(cells3[current[0]][current[1]].node, "tabindex", "-1");
      current = [i, j];
      attr(cells3[i][j].node, "tabindex", "0");
    }
    function onKey(place, event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      const [, i, j] = place;
      const way = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (way && given && way[0]) {
        editor.change(place, frame2.model.get(name)[i][j] - way[0] * (event.shiftKey ? COARSE : STEP));
        editor.commit(place, `keys ${place}`);
      } else if (way) {
        const flat = Math.max(0, Math.min(n * m - 1, i * m + j + way[1]));
        const [a, b] = way[0] ? [Math.max(0, Math.min(n - 1, i + way[0])), j] : [Math.floor(flat / m), flat % m];
        cells3[a][b].node.focus();
      } else if (event.key === "Home" && given) editor.reset(place);
      else if (given && (event.key === "Enter" || /^[\d.-]$/.test(event.key))) editor.type(event.key === "Enter" ? "" : event.key);
      else if (event.key === "Escape") editor.open(null);
      else return false;
      return true;
    }
    if (given) {
      frame2.on(node, "pointerdown", (event) => {
        const cell = cellOf(event);
        if (!cell || event.button !== 0 || drag) return;
        drag = { place: cell.place, id: event.pointerId, y: event.clientY, start: frame2.model.get(name)[cell.place[1]][cell.place[2]], moved: false };
        node.setPointerCapture(event.pointerId);
        cell.node.focus({ preventScroll: true });
        event.preventDefault();
      });
      frame2.on(node, "pointermove", (event) => {
        if (event.pointerId !== drag?.id) return;
        const steps = Math.round((drag.y - event.clientY) / PIXELS);
        if (!steps && !drag.moved) return;
        drag.moved = true;
        editor.change(drag.place, drag.start + steps * FINE2);
      });
      const drop = (event) => {
        if (event.pointerId !== drag?.id) return;
        const { moved, place } = drag;
        drag = null;
        if (moved) editor.commit(place);
      };
      frame2.on(node, "pointerup", drop);
      frame2.on(node, "pointercancel", drop);
    }
    rove(0, 0);
    let first = true;
    return {
      node,
      cells: cells3,
      /** marks: a set of the places [name, i, j] joined by commas from which the opened number came. */
      draw(now, { opened, marks }, settled) {
        const largest3 = largestOf(now[name]);
        cells3.forEach((row, i) => row.forEach((cell, j) => {
          const value2 = entry(now, cell.place), key = String(cell.place), shown = cellText(value2, given);
          const tint = 6 + 2 * Math.round(17 * shade(name, value2, largest3));
          const look = `${shown} ${tint} ${opened === key} ${marks.has(key)}`;
          if (cell.look === look && !settled) return;
          if (cell.shown !== shown && !first) mark(cell);
          Object.assign(cell, { shown, look });
          text(cell.number, shown);
          attr(cell.node, "style", `--ag-tint:${tint}%`);
          cell.node.classList.toggle("ag-pipe-negative", value2 !== null && value2 < 0);
          cell.node.classList.toggle("ag-pipe-masked", value2 === null);
          cell.node.classList.toggle("ag-pipe-opened", opened === key);
          cell.node.classList.toggle("ag-pipe-source", marks.has(key));
          if (given) {
            attr(cell.node, "aria-valuenow", String(value2));
            attr(cell.node, "aria-valuetext", shown);
          }
          if (settled) attr(cell.node, "aria-label", given ? called(i, j) : `${called(i, j)}: ${value2 === null ? attentionPipeline.masked : shown}`);
        }));
        if (follow) lines.forEach((line2, i) => line2.node.classList.toggle("ag-pipe-on", i === now.selected));
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
  var TRAITS = [...GIVEN, "temperature", "scaled", "mask", "selected", "reading"];
  var REACH = 1e6;
  function render({ model, el, page = null, view = {} }) {
    const shape = () => JSON.stringify([...GIVEN.map((name) => sizeOf(model.get(name))), model.get("tokens"), model.get("tasks")]);
    let now = shape();
    let dispose = start(model, el, page, view);
    const restart = () => {
      if (shape() === now) return;
      now = shape();
      dispose();
      dispose = start(model, el, page, view);
    };
    const watched = [...GIVEN, "tokens", "tasks"].map((name) => `change:${name}`);
    for (const event of watched) model.on(event, restart);
    return () => {
      for (const event of watched) model.off(event, restart);
      dispose();
    };
  }
  var attention_pipeline_default = { render };
  var sizeOf = (M) => [M.length, M[0].length];
  function cleanState(raw, sizes) {
    const n = sizes.X[0];
    const index = (x, size) => Number.isInteger(x) && x >= 0 && x < size;
    const matrix3 = ([rows, columns]) => (x) => Array.isArray(x) && x.length === rows && x.every((row) => Array.isArray(row) && row.length === columns && row.every((v) => Number.isFinite(v) && Math.abs(v) <= REACH));
    const tests = {
      ...Object.fromEntries(GIVEN.map((name) => [name, matrix3(sizes[name])])),
      temperature: (x) => x === "inf" || Number.isFinite(x) && x >= 0,
      scaled: (x) => typeof x === "boolean",
      mask: (x) => x === null || x === "causal" || Array.isArray(x) && x.length === n && x.every((row) => Array.isArray(row) && row.length === n && row.every((may) => typeof may === "boolean")),
      selected: (x) => index(x, n),
      reading: (x) => x === "attends" || x === "flows",
      opened: (x) => x === null || Array.isArray(x) && x.length === 3 && Object.hasOwn(sizes, x[0]) && index(x[1], sizes[x[0]][0]) && index(x[2], sizes[x[0]][1])
    };
    const given = Object.keys(tests).filter((name) => Object.hasOwn(raw, name));
    return given.every((name) => tests[name](raw[name])) ? Object.fromEntries(given.map((name) => [name, structuredClone(raw[name])])) : null;
  }
  function start(model, el, page, view) {
    const get = (name) => model.get(name);
    const tokens = get("tokens"), called = tokens.map((token) => visible(token, 14));
    const compute = () => {
      const state = Object.fromEntries([...TRAITS, "opened"].map((name) => [name, get(name)]));
      return stages({ ...state, temperature: state.temperature === "inf" ? Infinity : state.temperature });
    };
    const sizes = sizesOf(compute());
    const told = () => attentionPipeline.sentence[get("reading")](called[get("selected")], shares(compute(), called, get("selected")));
    const title = ([name, i, j]) => attentionPipeline.titles[name](called[i], name === "S" || name === "A" ? called[j] : j + 1, i + 1);
    const story = (place) => attentionPipeline.stories[entry(compute(), place) === null ? "masked" : place[0]](called[place[1]], called[place[2]], place[2] + 1);
    const spoken = (place) => `${title(place)}: ${fixed(entry(compute(), place))}.`;
    const frame2 = createFrame({
      model,
      el,
      page,
      label: attentionPipeline.label,
      traits: TRAITS,
      compute,
      summary: told,
      clean: (raw) => cleanState(raw, sizes),
      files: [
        { kind: "SVG", name: "attention-pipeline.svg", make: () => svgBlob(paper2()) },
        { kind: "PNG", name: "attention-pipeline.png", make: () => pngBlob(paper2()) },
        { kind: "CSV", name: "attention-pipeline.csv", make: () => new Blob([numbersOf(compute(), sizes, tokens)], { type: "text/csv" }) }
      ],
      code: { kind: "NumPy", name: "attention_pipeline.py", make: () => pipelineLines(Object.fromEntries(TRAITS.map((name) => [name, get(name)])), tokens) },
      predict: {
        cover: () => [mix.answer, weights, graph.node, outputs, ...["A", "Y"].includes(get("opened")?.[0]) ? [arithmetic2.node] : []],
        ask: () => question(compute(), called)
      }
    });
    view.apply = (raw) => frame2.apply(raw);
    model.on("change:opened", frame2.schedule);
    const covered = () => frame2.root.querySelector(".ag-covered") !== null;
    const follow = (i, dragging = false) => {
      if (i === get("selected")) return;
      frame2.set("selected", i);
      if (!dragging) frame2.commit("select");
    };
    const commit = (key, sentence2) => frame2.commit(key, covered() ? null : `${sentence2} ${told()}`);
    const editor = {
      open(place) {
        if (String(place) === String(get("opened"))) return;
        frame2.set("opened", place);
        model.save_changes();
        if (place) frame2.say(`${spoken(place)} ${story(place)}`);
      },
      change([name, i, j], value2, exact = false) {
        const x = exact ? value2 : tidy(value2);
        frame2.set(name, get(name).map((row, r) => r === i ? row.map((old, c) => c === j ? x : old) : row));
      },
      commit: (place, key = null) => commit(key, spoken(place)),
      reset(place) {
        editor.change(place, frame2.initial[place[0]][place[1]][place[2]], true);
        editor.commit(place);
      },
      type: (sign) => arithmetic2.type(sign)
    };
    const tables = createTables({ frame: frame2, tokens, sizes, title, editor, follow });
    const points2 = sizes.X[1] !== 2 ? null : createPoints({
      frame: frame2,
      tokens,
      called,
      initial: get("X"),
      follow,
      move: (i, p) => frame2.set("X", get("X").map((row, r) => r === i ? p.map(tidy) : row)),
      commit: (i, key = null) => commit(key, plane.moved(attentionPipeline.pointOf(called[i]), plane.place(...get("X")[i].map((x) => fixed(x)))))
    });
    const graph = createGraph({ frame: frame2, tokens, called, follow });
    const mix = createMix({ frame: frame2, tokens, called, follow });
    const arithmetic2 = createArithmetic({ frame: frame2, title, story, editor });
    const settings = createSettings({ frame: frame2, point: points2?.fields });
    const body = (...parts3) => html("div", { class: "ag-pipe-body" }, ...parts3);
    const weights = body(tables.A.node), outputs = body(tables.Y.node), match = html("p", { class: "ag-hint" });
    const hint = (k) => html("p", { class: "ag-hint" }, attentionPipeline.hints[k - 1]);
    const items = [
      [hint(1), html("div", { class: "ag-pipe-pair" }, tables.X.node, points2?.node)],
      ["Q", "K", "V"].map((name) => lane(name, tables)),
      [match, body(tables.S.node)],
      [hint(4), weights],
      [graph.hint, graph.node],
      [hint(6), outputs]
    ].map((parts3, k) => html("li", { class: `ag-pipe-stage ag-pipe-stage-${k + 1}` }, heading(k + 1), ...parts3));
    const picture = html("div", { class: `ag-pipe-picture${tokens.length > CROWD ? " ag-pipe-dense" : ""}` }, html("ol", { class: "ag-pipe-stages", role: "list" }, ...items));
    const flows = createFlows({ frame: frame2, picture, list: items, tables, graph: graph.picture, plane: points2?.picture, sizes });
    frame2.body.append(
      html("p", { class: "ag-pipe-lead" }, attentionPipeline.lead, " ", html("span", { class: "ag-hint" }, attentionPipeline.todo)),
      frame2.region(mix.node, mix.draw),
      frame2.region(picture, (now, settled) => {
        const sources = now.opened ? arithmetic(now, now.opened).sources : [];
        const look = { opened: now.opened && String(now.opened), marks: new Set(sources.map(String)) };
        for (const one of Object.values(tables)) one.draw(now, look, settled);
        points2?.draw(now);
        graph.draw(now, settled);
        text(match, attentionPipeline.match(now.scaled ? sizes.Q[1] : 1));
      }),
      frame2.region(arithmetic2.node, arithmetic2.draw),
      frame2.region(settings.node, settings.draw),
      html("details", { class: "ag-help" }, html("summary", {}, attentionPipeline.helpTitle), html("p", { class: "ag-hint" }, attentionPipeline.help)),
      ...frame2.actions().filter(Boolean)
    );
    const paper2 = () => {
      const now = compute(), sheet = element(pipelinePicture(now, tokens, settingsLine(now)));
      sheet.prepend(svg("rect", { width: "100%", height: "100%", fill: "white" }));
      for (const node of sheet.querySelectorAll("[class]")) node.removeAttribute("class");
      return sheet;
    };
    return () => {
      model.off("change:opened", frame2.schedule);
      flows.dispose();
      frame2.dispose();
    };
  }
  var tidy = (x) => Number(Math.max(-REACH, Math.min(REACH, x)).toFixed(4)) || 0;
  function sizesOf(now) {
    const n = now.X.length;
    const made = { A: [n, n], Y: [n, now.V[0].length] };
    return Object.fromEntries([...GIVEN, ...MADE].map((name) => [name, made[name] ?? sizeOf(now[name])]));
  }
  function createTables({ frame: frame2, tokens, sizes, title, editor, follow }) {
    const axis = (count) => ({ names: Array.from({ length: count }, (_, c) => String(c + 1)), hidden: true });
    const make = (name, rows, columns, more) => createTable({
      frame: frame2,
      name,
      rows,
      columns,
      size: sizes[name],
      called: (i, j) => title([name, i, j]),
      editor,
      ...more
    });
    const named2 = { names: tokens }, unnamed = { names: tokens, hidden: true };
    const projections = ["Q", "K", "V"].flatMap((name) => [
      [`W_${name}`, make(`W_${name}`, axis(sizes.X[1]), axis(sizes[name][1]))],
      [name, make(name, unnamed, axis(sizes[name][1]))]
    ]);
    return {
      X: make("X", named2, axis(sizes.X[1]), { follow }),
      ...Object.fromEntries(projections),
      S: make("S", named2, named2, { follow }),
      A: make("A", named2, named2, { follow }),
      Y: make("Y", named2, axis(sizes.Y[1]), { follow })
    };
  }
  var heading = (k) => html(
    "p",
    { class: "ag-pipe-head" },
    html("span", { class: "ag-pipe-step", "aria-hidden": "true" }, k),
    html("span", {}, attentionPipeline.stages[k - 1], "\xA0", symbol({ 1: "X", 3: "S", 4: "A", 6: "Y" }[k] ?? ""))
  );
  var symbol = (letter, low) => html("span", { class: "ag-pipe-symbol", "aria-hidden": "true" }, letter, low && html("sub", {}, low));
  var lane = (name, tables) => html(
    "div",
    { class: "ag-pipe-lane" },
    html("p", { class: "ag-pipe-kind" }, glyph(KINDS[name]), html("b", {}, attentionPipeline.matrices[name]), symbol(name), html("span", { class: "ag-hint" }, attentionPipeline.means[name])),
    html(
      "div",
      { class: "ag-pipe-times" },
      html("div", {}, symbol("W", name), tables[`W_${name}`].node),
      tables[name].node
    )
  );
  function question(now, called) {
    const i = now.selected, best = winners(now, i);
    if (!best.length) return null;
    const open = called.map((_, j) => j).filter((j) => now.allowed[i][j]);
    return {
      question: attentionPipeline.ask(called[i]),
      options: [...open.map((j) => called[j]), ...open.length > 1 ? [attentionPipeline.askTie] : []],
      answer: best.length > 1 ? open.length : open.indexOf(best[0]),
      why: attentionPipeline.askWhy(open.map((j) => `${called[j]} ${fixed(now.S[i][j])}`).join(", "), open.map((j) => `${called[j]} ${fixed(now.A[i][j])}`).join(", "))
    };
  }
  function numbersOf(now, sizes, tokens) {
    const lines = Object.entries(sizes).flatMap(([name, [rows, columns]]) => Array.from({ length: rows * columns }, (_, c) => {
      const [i, j] = [Math.floor(c / columns), c % columns];
      const row = name.startsWith("W_") ? "" : tokens[i];
      return [name, i, j, row, name === "S" || name === "A" ? tokens[j] : "", entry(now, [name, i, j])];
    }));
    return csv([["matrix", "row", "column", "token", "to_token", "value"], ...lines]);
  }

  // axioms.js
  var AXIOMS = ["non_negative", "zero_diagonal", "separation", "symmetry", "triangle"];
  var KINDS2 = [
    ["metric", "11111"],
    ["pseudometric", "11011"],
    ["quasimetric", "11101"],
    ["semimetric", "11110"],
    ["lawvere", "11001"],
    ["divergence", "11100"],
    ["premetric", "11000"]
  ];
  var matrix2 = (n, f) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_2, j) => f(i, j)));
  var sum2 = (x) => x.reduce((a, b) => a + b, 0);
  var largest = (D) => Math.max(0, ...D.flat().filter(Number.isFinite).map(Math.abs));
  var toleranceOf = (D) => 8 * 2 ** -52 * largest(D);
  function checkAxioms(D) {
    const tolerance = toleranceOf(D), n = D.length;
    const pairs = (wanted) => matrix2(n, (i, j) => [i, j]).flat().filter(([i, j]) => wanted(i, j));
    const over = (cases, badness, shown, broken, size2 = 2) => {
      const seen = cases.filter(([i, j]) => Number.isFinite(badness(i, j)));
      const left = cases.length - seen.length;
      if (!seen.length) return { holds: left ? null : true, violations: 0, cases: 0, left, worst: null, witness: null };
      const at2 = seen.reduce((a, b) => badness(...b) > badness(...a) ? b : a);
      const violations = seen.filter(([i, j]) => broken(i, j)).length;
      return { holds: !violations, violations, cases: seen.length, left, worst: shown(...at2), witness: at2.slice(0, size2) };
    };
    const d = (i, j) => D[i][j], size = (i, j) => Math.abs(D[i][j]), skew = (i, j) => Math.abs(D[i][j] - D[j][i]);
    return {
      non_negative: over(pairs(() => true), (i, j) => -d(i, j), d, (i, j) => -d(i, j) > tolerance),
      zero_diagonal: over(pairs((i, j) => i === j), size, size, (i, j) => size(i, j) > tolerance, 1),
      separation: over(pairs((i, j) => i !== j), (i, j) => -size(i, j), size, (i, j) => size(i, j) <= tolerance),
      symmetry: over(pairs((i, j) => i < j), skew, skew, (i, j) => skew(i, j) > tolerance),
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
    const left = n * (n - 1) * Math.max(n - 2, 0) - cases;
    return { holds: left && !cases ? null : !violations, violations, cases, left, worst, witness };
  }
  function kindOf(verdicts) {
    const held = AXIOMS.map((axiom) => verdicts[axiom].holds);
    if (held.includes(null)) return null;
    return (KINDS2.find(([, wanted]) => held.every((holds, a) => holds || wanted[a] === "0")) ?? ["none"])[0];
  }
  var missing = (wanted, verdicts) => AXIOMS.filter((axiom) => axiom in wanted && verdicts[axiom].holds !== wanted[axiom]);
  var refuse = (reason, ...where) => {
    throw { reason, where };
  };
  var between = (rows, other, length) => rows.map((p) => other.map((r) => length(p, r)));
  var norm = (v) => Math.sqrt(sum2(v.map((x) => x * x)));
  var minus = (p, r) => p.map((x, c) => x - r[c]);
  var staying = (S) => matrix2(S.length, (i, j) => S[i][i] - S[i][j]);
  var surprisal = (A) => A.map((row) => row.map((a) => -Math.log(a) + 0));
  var plusTransposed = (M) => matrix2(M.length, (i, j) => M[i][j] + M[j][i]);
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
      const unit = Math.max(...x.map(Math.abs)), scaled = x.map((c) => c / unit), length = norm(scaled);
      return scaled.map((c) => c / length);
    });
  }
  function root(D) {
    D.forEach((row, i) => row.forEach((x, j) => x < 0 && refuse("negative", i, j, x)));
    return D.map((row) => row.map(Math.sqrt));
  }
  var divergence = (p, r) => sum2(p.map((a, c) => Math.max((a > 0 ? a * (Math.log(a) - Math.log(r[c])) : 0) - a + r[c], 0)));
  function jensenShannon(p, r) {
    const terms = p.map((a, c) => {
      const total = a + r[c], t = total > 0 ? (a - r[c]) / total : a - r[c];
      return total * (Math.abs(t) < 1 ? 2 * t * Math.atanh(t) + Math.log1p(-(t * t)) : 2 * Math.LN2);
    });
    return Math.max(sum2(terms) / 4, 0);
  }
  function hitting(A) {
    const H2 = A.map(() => []);
    A.forEach((_, k) => {
      const order = [k, ...A.keys()].filter((x, at2) => at2 === 0 || x !== k);
      const P = order.map((i) => order.map((j) => A[i][j])), wait = order.map(() => 1), steps = [0];
      for (let e = A.length - 1; e > 0; e--) {
        const leave = sum2(P[e].slice(0, e));
        if (leave === 0) refuse("reducible");
        wait[e] /= leave;
        for (let j = 0; j < e; j++) P[e][j] /= leave;
        for (let i = 0; i < e; i++) {
          wait[i] += P[i][e] * wait[e];
          for (let j = 0; j < e; j++) P[i][j] += P[i][e] * P[e][j];
        }
      }
      for (let e = 1; e < A.length; e++) steps.push(wait[e] + sum2(steps.map((h, j) => P[e][j] * h)));
      order.forEach((i, at2) => {
        H2[i][k] = steps[at2];
      });
    });
    return H2;
  }
  function diffusion(A) {
    const H2 = hitting(A);
    const pi = A.map((row, k) => 1 / (1 + sum2(row.map((a, j) => a * H2[j][k]))));
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
      return between(U, U, (u, w) => sum2(minus(u, w).map((x) => x * x)) / 2);
    }],
    "arccos": ["X", (X) => {
      const U = directions(X);
      return between(U, U, (u, w) => 2 * Math.atan2(norm(minus(u, w)), norm(u.map((x, c) => x + w[c]))));
    }],
    "chord": ["X", (X) => euclidean(directions(X))],
    "TV of rows": ["A", (A) => between(A, A, (p, r) => sum2(minus(p, r).map(Math.abs)) / 2)],
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
  function evidence({ source, X, M, form }) {
    if (source === "dissimilarities") return {};
    const S = source === "points" ? formScores(X, form) : M;
    const A = S.map((row) => softmax(row)).map((row) => {
      const total = sum2(row);
      return row.map((a) => a / total);
    });
    if (source === "scores") return { S, A };
    return { S, A, X, QK: [X, X.map((x) => form.map((row) => row[0] * x[0] + row[1] * x[1]))] };
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
    const spread2 = Math.max(...D.map((row) => Math.max(...row) - Math.min(...row)));
    return { value: Math.exp(spread2), limit: (1 + Math.sqrt(4 * n - 3)) / 2 };
  }
  var offDiagonal = (D) => D.flatMap((row, i) => row.filter((_, j) => j !== i));
  function spread(D) {
    const off = offDiagonal(D), low = Math.min(...off), high = Math.max(...off);
    return low > 0 && Number.isFinite(high) ? { value: high / low, limit: 2, exponent: Math.LN2 / (Math.log(high) - Math.log(low)) } : null;
  }
  function closure(C) {
    let D = matrix2(C.length, (i, j) => i === j ? 0 : C[i][j]);
    for (let k = 0; k < D.length; k++) D = matrix2(D.length, (i, j) => Math.min(D[i][j], D[i][k] + D[k][j]));
    return D;
  }
  var shiftOf = (D) => Math.max(0, checkAxioms(D).triangle.worst ?? 0, ...offDiagonal(D).filter(Number.isFinite).map((x) => -x));
  var REPAIRS = {
    "symmetrise": (D) => matrix2(D.length, (i, j) => (D[i][j] + D[j][i]) / 2),
    "zero diagonal": (D) => matrix2(D.length, (i, j) => i === j ? 0 : D[i][j]),
    "shift": (D) => {
      const c = shiftOf(D);
      return matrix2(D.length, (i, j) => i === j ? D[i][j] : D[i][j] + c);
    },
    "closure": (D) => D.some((row, i) => row.some((x, j) => i !== j && x < 0)) ? null : closure(D)
  };
  function repaired(D, names) {
    const steps = [];
    for (const name of names) {
      const after = REPAIRS[name](D);
      steps.push({ name, possible: Boolean(after), shift: name === "shift" ? shiftOf(D) : null, ...damage(D, after ?? D) });
      D = after ?? D;
    }
    return { D, steps };
  }
  function damage(before, after) {
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

  // graph.js
  var HIDDEN2 = 5e-3;
  function createGraph2({ frame: frame2, called, queries, keys, oneSet, onSelect }) {
    const n = queries.length, m = keys.length;
    const back = svg("g", { class: "ag-back" }), front = svg("g", { class: "ag-front" }), nodes = svg("g", {});
    const picture = svg("svg", { class: "ag-picture ag-graph", viewBox: "0 0 320 320", role: "img" }, back, front, nodes);
    const edges = queries.map((_, i) => keys.map((_2, j) => {
      const { d, tip, angle } = oneSet ? circleEdge(i, j, n) : sideEdge(i, j, n, m);
      const shaft = svg("path", { class: "ag-edge", d });
      const head2 = svg("path", { class: "ag-head", d: "M0 0L-6 3.2V-3.2Z" });
      return { group: svg("g", {}, shaft, head2), shaft, head: head2, place: `translate(${tip[0].toFixed(2)} ${tip[1].toFixed(2)}) rotate(${angle.toFixed(1)})` };
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
          const shown = w >= HIDDEN2;
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
    const short3 = visible(name, limit);
    return svg("text", { class: "ag-name", ...attributes }, short3, short3 === name ? null : svg("title", {}, name));
  }
  var direction2 = (i, n) => {
    const angle = -Math.PI / 2 + 2 * Math.PI * i / n;
    return [Math.cos(angle), Math.sin(angle)];
  };
  var onCircle = (i, n) => direction2(i, n).map((x) => 160 + 82 * x);
  function circleNode(i, n, name) {
    const [x, y] = onCircle(i, n), [c, s] = direction2(i, n);
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
    const [x, y] = onCircle(i, n), [c, s] = direction2(i, n);
    if (i === j) {
      const turned = [-0.8, 0.8].map((t) => [Math.cos(t) * c - Math.sin(t) * s, Math.sin(t) * c + Math.cos(t) * s]);
      const [start6, stop2] = [8, 14].map((r, end2) => [x + r * turned[end2][0], y + r * turned[end2][1]]);
      const [g, h] = turned.map(([u3, v3]) => [x + 36 * u3, y + 36 * v3]), [u2, v2] = turned[1];
      return { d: `M${point(start6)}C${point(g)} ${point(h)} ${point(stop2)}`, tip: [x + 8.5 * u2, y + 8.5 * v2], angle: degrees2(-u2, -v2) };
    }
    const [u, v] = onCircle(j, n), bend = 0.16;
    const mid = [(x + u) / 2 - bend * (v - y), (y + v) / 2 + bend * (u - x)];
    const start5 = toward2([x, y], mid, 8), stop = toward2([u, v], mid, 13);
    return { d: `M${point(start5)}Q${point(mid)} ${point(stop)}`, tip: toward2([u, v], mid, 8.5), angle: degrees2(u - mid[0], v - mid[1]) };
  }
  function sideEdge(i, j, n, m) {
    const a = beside(i, n, true), b = beside(j, m, false);
    return {
      d: `M${point(toward2(a, b, 10))}L${point(toward2(b, a, 15))}`,
      tip: toward2(b, a, 10.5),
      angle: degrees2(b[0] - a[0], b[1] - a[1])
    };
  }
  var point = ([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`;
  var degrees2 = (dx, dy) => Math.atan2(dy, dx) * 180 / Math.PI;
  function toward2([x, y], [u, v], distance2) {
    const length = Math.hypot(u - x, v - y) || 1;
    return [x + (u - x) / length * distance2, y + (v - y) / length * distance2];
  }

  // witness.js
  var onCircle2 = (i, n) => {
    const angle = -Math.PI / 2 + 2 * Math.PI * i / n;
    return [160 + 86 * Math.cos(angle), 160 + 86 * Math.sin(angle)];
  };
  function createWitness() {
    const arrows = Array.from({ length: 3 }, () => {
      const shaft = svg("path", {}), head2 = svg("path", { d: "M0 0L-9 4.6V-4.6Z" });
      return { shaft, head: head2, group: svg("g", {}, shaft, head2), name: svg("text", { class: "ag-name ag-strong-text", "text-anchor": "middle" }) };
    });
    const mesh = svg("path", { class: "ag-court-mesh" });
    const under2 = svg("g", { class: "ag-court-witness" }, ...arrows.map((arrow) => arrow.group));
    const over = svg("g", { class: "ag-court-numbers" }, ...arrows.map((arrow) => arrow.name));
    return {
      mesh,
      under: under2,
      over,
      draw({ shown, verdicts, D }, at2) {
        attr(mesh, "d", at2.flatMap((p, i) => at2.slice(0, i).map((q) => `M${point(p)}L${point(q)}`)).join(""));
        const { witness, holds } = verdicts[shown];
        const found = witness ? parts(shown, witness, at2, D) : [];
        arrows.forEach(({ shaft, head: head2, group, name }, a) => {
          const part = found[a];
          attr(group, "display", part ? null : "none");
          attr(name, "display", part ? null : "none");
          if (!part) return;
          attr(group, "class", `ag-court-${part.detour ? "detour" : holds ? "room" : "direct"}`);
          attr(shaft, "d", part.d);
          attr(head2, "transform", `translate(${point(part.tip)}) rotate(${part.angle.toFixed(1)})`);
          const word2 = value(part.value), off = 8 + 4 * word2.length * Math.abs(part.across[0]) + 5 * Math.abs(part.across[1]);
          attr(name, "x", (part.middle[0] + off * part.across[0]).toFixed(1));
          attr(name, "y", (part.middle[1] + off * part.across[1] + 4.5).toFixed(1));
          text(name, word2);
        });
      }
    };
  }
  var value = (x) => x === Infinity ? "\u221E" : short(x);
  function parts(axiom, witness, at2, D) {
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
    const m = control(p, q, bend), length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
    const across3 = [-(q[1] - p[1]) / length, (q[0] - p[0]) / length];
    const near = apart && across3[0] * (apart[0] - m[0]) + across3[1] * (apart[1] - m[1]) > 0;
    const side = apart ? near ? -1 : 1 : bend < 0 ? -1 : 1;
    const start5 = toward2(p, m, 9), stop = toward2(q, m, 14);
    return {
      d: `M${point(start5)}Q${point(m)} ${point(stop)}`,
      tip: toward2(q, m, 9.5),
      angle: degrees2(q[0] - m[0], q[1] - m[1]),
      middle: [0, 1].map((c) => 0.25 * p[c] + 0.5 * m[c] + 0.25 * q[c]),
      across: across3.map((x) => side * x)
    };
  }
  function loop2([x, y]) {
    const length = Math.hypot(x - 160, y - 160), [c, s] = length > 1 ? [(160 - x) / length, (160 - y) / length] : [0, 1];
    const turned = (t) => [Math.cos(t) * c - Math.sin(t) * s, Math.sin(t) * c + Math.cos(t) * s];
    const off = (r, [u, v]) => [x + r * u, y + r * v], [a, b] = [turned(-0.8), turned(0.8)];
    return {
      d: `M${point(off(9, a))}C${point(off(54, a))} ${point(off(54, b))} ${point(off(14, b))}`,
      tip: off(9.5, b),
      angle: degrees2(-b[0], -b[1]),
      middle: off(36, [c, s]),
      across: [c, s]
    };
  }

  // court_matrix.js
  function createMatrix(frame2, names, onRepair) {
    const M = () => frame2.model.get("M");
    const field = (i, j) => {
      const input = html("input", { class: "ag-number", type: "number", step: "any" });
      const take = () => {
        const x = input.valueAsNumber, good = Number.isFinite(x) && Math.abs(x) <= 1e6;
        if (good) frame2.set("M", M().map((row, r) => r === i ? row.map((old, c) => c === j ? x : old) : row));
        return good;
      };
      frame2.on(input, "input", take);
      frame2.on(input, "change", () => take() ? frame2.commit(null, metricCourt.entered(i + 1, j + 1, short(M()[i][j]))) : frame2.schedule());
      return input;
    };
    const hand = createTable2(names, field), judged = createTable2(names);
    const buttons = Object.keys(REPAIRS).map((name) => ({
      name,
      node: frame2.button(metricCourt.repairNames[name], () => onRepair(name), { "aria-pressed": "false", title: metricCourt.repairHints[name] })
    }));
    const list2 = html("ul", { class: "ag-court-damage" });
    return {
      node: html("div", { class: "ag-court-stack" }, hand.node, judged.node, html(
        "div",
        {},
        html("div", { class: "ag-title" }, metricCourt.repairs, about(metricCourt.repairs, metricCourt.repairsHint)),
        html("div", { class: "ag-row", role: "group", "aria-label": metricCourt.repairs }, ...buttons.map((button) => button.node)),
        list2
      )),
      draw({ D, M: typed, source, base, candidate, verdicts, shown, repairs, steps }) {
        const marks = marked(shown, verdicts[shown].witness), same = source === "dissimilarities" && !steps.length;
        hand.node.hidden = source === "points";
        judged.node.hidden = same;
        text(judged.caption, metricCourt.judged(source === "dissimilarities" ? "" : candidate, steps.length));
        judged.cells.forEach((row, i) => row.forEach((cell, j) => {
          const moved = base && base[i][j] !== D[i][j];
          text(cell, value(D[i][j]));
          attr(cell, "title", moved ? metricCourt.was(value(base[i][j])) : null);
          attr(cell, "class", `${marks[`${i} ${j}`] ?? ""}${moved ? " ag-court-moved" : ""}` || null);
        }));
        if (source !== "points") {
          text(hand.caption, metricCourt.entries[source]);
          hand.cells.forEach((row, i) => row.forEach((cell, j) => {
            const input = cell.firstChild;
            attr(cell, "class", same && marks[`${i} ${j}`] || null);
            attr(input, "aria-label", metricCourt.entry(source, i + 1, j + 1));
            if (document.activeElement !== input) input.value = String(Number(typed[i][j].toPrecision(4)));
          }));
        }
        for (const { name, node } of buttons) {
          const order = repairs.indexOf(name);
          attr(node, "aria-pressed", String(order >= 0));
          text(node, order < 0 || repairs.length < 2 ? metricCourt.repairNames[name] : metricCourt.repairOrder(order + 1, metricCourt.repairNames[name]));
        }
        if (list2.children.length !== steps.length) list2.replaceChildren(...steps.map(() => html("li", {}, html("b", {}), html("span", {}))));
        steps.forEach((step, s) => {
          text(list2.children[s].firstChild, `${metricCourt.repairNames[step.name]}: `);
          text(list2.children[s].lastChild, sentence(step, names.length));
        });
      }
    };
  }
  function createTable2(names, field) {
    const cells3 = names.map((_, i) => names.map((__, j) => html("td", {}, field?.(i, j))));
    const head2 = (scope, i) => html("th", { scope }, html("bdi", {}, names[i])), caption = html("caption", {});
    return {
      cells: cells3,
      caption,
      node: html(
        "table",
        { class: "ag-court-matrix" },
        caption,
        html("thead", {}, html("tr", {}, html("td", {}), ...names.map((_, j) => head2("col", j)))),
        html("tbody", {}, ...cells3.map((row, i) => html("tr", {}, head2("row", i), ...row)))
      )
    };
  }
  function sentence({ possible, shift, changed, largest: largest3, comparisons, lost }, n) {
    if (!possible) return metricCourt.impossible;
    return (shift === null ? "" : metricCourt.shifted(value(shift))) + metricCourt.damage(changed, n * n, value(largest3)) + metricCourt.order(lost, comparisons);
  }
  function marked(axiom, witness) {
    if (!witness) return {};
    const [i, j = i, k] = witness, direct = "ag-court-cell", round2 = "ag-court-cell ag-court-round";
    if (axiom === "triangle") return { [`${i} ${k}`]: direct, [`${i} ${j}`]: round2, [`${j} ${k}`]: round2 };
    return { [`${i} ${j}`]: direct, ...axiom === "symmetry" && { [`${j} ${i}`]: direct } };
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
  var GIVEN2 = {
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
  function courtLines({ X, M, source, form, candidate, repairs }, base, tokens) {
    const matrix3 = (name, rows) => `${name} = np.array([
${rows.map((row) => `    [${row.map(number2).join(", ")}],`).join("\n")}
])`;
    const given = { points: () => [matrix3("X", X), matrix3("B", form), "S = X @ B @ X.T"], scores: () => [matrix3("S", M)], dissimilarities: () => [] }[source]();
    const hand = source === "dissimilarities" || !FORMULAS[candidate];
    return [
      "import numpy as np",
      "",
      `n, inf, nan = ${M.length}, np.inf, np.nan`,
      "off = ~np.eye(n, dtype=bool)",
      ...tokens ? [`tokens = [${tokens.map(pythonString).join(", ")}]`] : [],
      HELPERS,
      ...given,
      ...given.length ? GIVEN2[CANDIDATES[candidate][0]] : [],
      hand || !base ? matrix3("D", base ?? M.map((row) => row.map(() => NaN))) : `D = ${FORMULAS[candidate]}`,
      ...repairs.map((name) => REPAIRS2[name]),
      VERDICTS
    ].join("\n");
  }
  var number2 = (x) => x === Infinity ? "inf" : Number.isNaN(x) ? "nan" : Number.isInteger(x) ? `${x}.0` : String(x);

  // court_panels.js
  var SIGNS = { true: ["\u2713", "ag-court-holds"], false: ["\u2717", "ag-court-fails"], null: ["\u2013", "ag-court-open"] };
  function createSign() {
    const node = html("span", { class: "ag-court-sign", "aria-hidden": "true" });
    return { node, draw(holds, sign = SIGNS[holds][0]) {
      text(node, sign);
      attr(node, "class", `ag-court-sign ${SIGNS[holds][1]}`);
    } };
  }
  function margin(axiom, { holds, worst, witness }, D) {
    if (!witness) return holds === null ? metricCourt.nothing : metricCourt.margins.few;
    const [i, j = i, k] = witness, d = (a, b) => metricCourt.d(a + 1, b + 1), x = (a, b) => value(D[a][b]), by = value(Math.abs(worst));
    const say = metricCourt.margins;
    if (axiom === "triangle") return say.triangle(d(i, k), d(i, j), d(j, k), x(i, k), x(i, j), x(j, k), by, holds);
    if (axiom === "symmetry") return holds ? say.symmetric : say.symmetry(d(i, j), d(j, i), x(i, j), x(j, i), by);
    if (axiom === "zero_diagonal") return holds ? say.zero : say.zero_diagonal(d(i, i), x(i, i));
    return say[axiom](d(i, j), x(i, j), holds);
  }
  function named(holds) {
    const [kept, broken] = [true, false].map((wanted) => AXIOMS.filter((_, a) => holds[a] === wanted).map((axiom) => metricCourt.names[axiom]));
    if (!broken.length) return metricCourt.askAll;
    if (!kept.length) return metricCourt.askNone;
    return kept.length < broken.length ? metricCourt.askOnly(kept) : metricCourt.askBut(broken);
  }
  function createVerdicts(frame2, onShow) {
    const rows = AXIOMS.map((axiom) => {
      const sign = createSign(), word2 = html("span", { class: "ag-court-word" }), worst = html("span", { class: "ag-court-margin" });
      const known = html("span", { class: "ag-court-known" });
      const button = frame2.button(sign.node, () => onShow(axiom), { "aria-pressed": "false" });
      button.append(html(
        "span",
        { class: "ag-court-axiom" },
        html("span", {}, html("b", {}, metricCourt.names[axiom]), " ", html("span", { class: "ag-court-formula" }, metricCourt.formulas[axiom])),
        html("span", {}, word2, " ", worst),
        known
      ));
      return { axiom, sign, word: word2, worst, known, button };
    });
    const kind = html("b", {}), kindHint = html("span", {});
    const node = html(
      "div",
      { class: "ag-court-verdicts" },
      html("ul", {}, ...rows.map((row) => html("li", {}, row.button))),
      html("p", { class: "ag-court-kind" }, metricCourt.kind, " ", kind, " ", kindHint)
    );
    return {
      node,
      draw({ verdicts, D, why, kind: name, shown, known: statuses, steps }) {
        rows.forEach(({ axiom, sign, word: word2, worst, known, button }) => {
          const verdict = verdicts[axiom], { holds, violations, cases, left } = verdict;
          sign.draw(holds);
          text(word2, holds === null ? metricCourt.undecided : holds ? metricCourt.holds : metricCourt.fails(violations, cases, metricCourt.units[axiom]));
          text(worst, why ? "" : margin(axiom, verdict, D) + (left ? `; ${metricCourt.left(left)}` : ""));
          text(known, statuses && !steps.length ? metricCourt.known(statuses[AXIOMS.indexOf(axiom)]) : "");
          attr(button, "aria-pressed", String(axiom === shown));
        });
        node.lastChild.hidden = !name;
        text(kind, metricCourt.kinds[name] ?? "");
        text(kindHint, name ? `(${named(AXIOMS.map((axiom) => verdicts[axiom].holds))}${steps.length ? metricCourt.forced : ""})` : "");
      }
    };
  }
  function createFree() {
    const meter = () => {
      const fill2 = html("span", { class: "ag-fill" }), name = html("span", {}), note = html("span", { class: "ag-hint" });
      const node = html("div", { class: "ag-court-meter" }, name, html("span", { class: "ag-track" }, fill2), note);
      return { node, draw(now, label2, limit) {
        node.hidden = !now;
        if (!now) return;
        attr(fill2, "style", `transform:scaleX(${Math.min(1, now.value / now.limit / 2).toFixed(4)})`);
        text(name, label2);
        text(note, limit);
      } };
    };
    const known = meter(), general = meter(), none = html("p", { class: "ag-hint" }, metricCourt.spreadNone);
    return {
      node: html(
        "div",
        { class: "ag-court-free" },
        html("div", { class: "ag-title" }, metricCourt.free, about(metricCourt.free, metricCourt.freeHint)),
        known.node,
        general.node,
        none
      ),
      draw({ threshold: threshold2, spread: spread2, candidate, D, why }) {
        const say = metricCourt.thresholds[candidate];
        known.draw(threshold2, say?.(value(threshold2?.value)), metricCourt.limit(short(threshold2?.limit ?? null), D.length, threshold2?.value <= threshold2?.limit));
        general.draw(
          spread2,
          metricCourt.spread(short(spread2?.value ?? null)),
          metricCourt.spreadLimit(spread2?.value <= 2, short(Math.floor((spread2?.exponent ?? 0) * 1e3) / 1e3))
        );
        none.hidden = Boolean(spread2 || why);
      }
    };
  }
  function createChallenges(challenges) {
    const items = challenges.map(({ text: wish, wanted, repairs }) => {
      const sign = createSign(), word2 = html("b", {}), rest = html("span", { class: "ag-hint" });
      return { wanted, most: repairs, sign, word: word2, rest, node: html("li", {}, sign.node, html("span", {}, wish, " ", word2, " ", rest)) };
    });
    return {
      node: html(
        "section",
        { class: "ag-panel ag-court-challenges" },
        html("p", { class: "ag-title" }, metricCourt.challenges),
        html("ul", {}, ...items.map((item) => item.node))
      ),
      draw({ verdicts, steps, why }) {
        for (const { wanted, most, sign, word: word2, rest } of items) {
          const left = missing(wanted, verdicts).map((axiom) => (wanted[axiom] ? metricCourt.mustHold : metricCourt.mustFail)(metricCourt.names[axiom]));
          if (most !== null && steps.length > most) left.push(metricCourt.fewer(most));
          left.length ? sign.draw(null, "") : sign.draw(true);
          text(word2, left.length ? metricCourt.notMet : metricCourt.met);
          text(rest, why ? metricCourt.nothing : left.length ? metricCourt.still(left) : "");
        }
      }
    };
  }

  // labels.js
  var LETTER = 7.4;
  var ABOVE = 11;
  var BELOW = 4;
  var MARK = 9;
  function places([x, y]) {
    const length = Math.hypot(x - 160, y - 160);
    const [c, s] = length ? [(x - 160) / length, (y - 160) / length] : [0, -1];
    const outwards = [15 * c, 19 * s + 4.5, Math.abs(c) < 0.35 ? "middle" : c > 0 ? "start" : "end"];
    return [outwards, [13, 4.5, "start"], [-13, 4.5, "end"], [0, -14, "middle"], [0, 23, "middle"]];
  }
  function placeNames(items) {
    const taken = items.map(({ at: [x, y] }) => [x - MARK, y - MARK, x + MARK, y + MARK]);
    return items.map(({ at: at2, letters, wanted, last }, own) => {
      if (!wanted) return null;
      const options = places(at2);
      const order = [last, 0, 1, 2, 3, 4].filter((i) => i !== void 0);
      for (const i of order) {
        const box = boxOf(at2, options[i], letters);
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

  // plane.js
  var SIZE = 320;
  var REACH2 = 140;
  var CROWD2 = 12;
  var NEAR = 22;
  function createPlane({ frame: frame2, label: label2, points: points2, initial, vectors, onHold, moved, derived = false, at: at2 = (trait) => frame2.model.get(trait) }) {
    const crowd = points2.length > CROWD2;
    const grid = svg("g", { "aria-hidden": "true" });
    const ticks = svg("g", { "aria-hidden": "true" });
    const under2 = svg("g", { "aria-hidden": "true" });
    const over = svg("g", { "aria-hidden": "true" });
    const handles = svg("g", {});
    const picture = svg(
      "svg",
      { class: "ag-picture ag-plane", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": label2 },
      svg("rect", { class: "ag-floor", width: SIZE, height: SIZE }),
      grid,
      under2,
      ticks,
      handles,
      over
    );
    const place = (p) => [160 + p[0] / reach * REACH2, 160 - p[1] / reach * REACH2];
    let reach = 0, held = null, drag = null, pressed = null;
    const all = points2.map((point3) => createHandle(point3));
    handles.append(...all.map((handle) => handle.group));
    const fields = coordinateFields();
    const where = ({ trait, index }, state = at2(trait)) => index === void 0 ? state : state[index];
    const step = () => 10 ** (Math.floor(Math.log10(reach)) - 2);
    const spoken = (p) => plane.place(fixed(p[0]), fixed(p[1]));
    function createHandle(point3) {
      const name = svg("text", { class: "ag-name" });
      if (point3.full && point3.full !== point3.label) name.append(svg("title", {}, point3.full));
      const caption = document.createTextNode(visible(point3.label, 8));
      name.prepend(caption);
      const group = svg("g", derived ? {
        class: `ag-handle ag-derived ag-handle-${point3.kind}`,
        role: "img",
        "aria-label": point3.name,
        "data-handle": point3.id
      } : {
        class: `ag-handle ag-handle-${point3.kind}`,
        tabindex: 0,
        role: "slider",
        "aria-roledescription": plane.role,
        "aria-label": point3.name,
        "data-handle": point3.id
      }, svg("circle", { class: "ag-ring", r: 14 }), marker(point3.kind), svg("circle", { class: "ag-hit", r: 17 }), name);
      const handle = { ...point3, group, text: name, letters: [...caption.data].length, at: [160, 160] };
      if (derived) {
        frame2.on(group, "click", () => onHold?.(handle, false));
        return handle;
      }
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
    frame2.on(picture, "pointerdown", (event) => {
      pressed = null;
      if (event.button !== 0 || drag || derived) return;
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
    const drop = (event, keep2) => {
      if (event.pointerId !== drag?.id) return;
      const { handle, start: start5 } = drag;
      if (keep2) follow();
      else move2(handle, start5);
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
        const { start: start5 } = drag;
        drag = null;
        picture.classList.remove("ag-dragging");
        move2(handle, start5);
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
          const value2 = input.valueAsNumber, handle = chosen();
          if (!Number.isFinite(value2) || Math.abs(value2) > 1e6) return false;
          hold(handle);
          move2(handle, where(handle).map((x, i) => i === c ? value2 : x));
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
      const parts3 = [], numbers3 = [], unit = tickStep(reach), count = Math.floor(reach / unit + 1e-9);
      for (let i = -count; i <= count; i++) {
        const a = 160 + i * unit / reach * REACH2, kind = i ? "ag-grid" : "ag-axis";
        parts3.push(svg("path", { class: kind, d: `M${a} 8V312M8 ${320 - a}H312` }));
        if (!i) continue;
        const number3 = fixed(i * unit, Math.max(0, -Math.floor(Math.log10(unit) + 1e-9)));
        numbers3.push(
          svg("text", { class: "ag-tick", x: a, y: 175, "text-anchor": "middle" }, number3),
          svg("text", { class: "ag-tick", x: 154, y: 324.5 - a, "text-anchor": "end" }, number3)
        );
      }
      grid.replaceChildren(...parts3);
      ticks.replaceChildren(...numbers3);
      for (const handle of derived ? [] : all) {
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
      under: under2,
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
          if (derived) attr(handle.group, "aria-label", `${handle.name}: ${spoken(p)}`);
          else {
            attr(handle.group, "aria-valuenow", String(Number(p[0].toFixed(4))));
            attr(handle.group, "aria-valuetext", spoken(p));
          }
          handle.group.classList.toggle("ag-strong", handle.id === strong);
        }
        if (moved2) drawNames(strong);
        if (!derived) fields.draw();
      }
    };
  }

  // metric_court.js
  var TRAITS2 = ["X", "M", "source", "form", "candidate", "repairs", "shown"];
  var FIXED = ["tokens", "challenges", "candidates", "tasks"];
  var FORMS = { dot: [[1, 0], [0, 1]], stretch: [[2, 0], [0, 0.5]], minus: [[1, 0], [0, -1]], turn: [[0, 1], [-1, 0]], both: [[1, 1], [-1, 1]] };
  function render2({ model, el, page = null, view = {} }) {
    let dispose = start2(model, el, page, view);
    const restart = () => {
      dispose();
      dispose = start2(model, el, page, view);
    };
    for (const name of FIXED) model.on(`change:${name}`, restart);
    return () => {
      for (const name of FIXED) model.off(`change:${name}`, restart);
      dispose();
    };
  }
  var metric_court_default = { render: render2 };
  function cleanState2(raw, { tokens: n, points: points2 }) {
    const bounded = (rows, height, width) => Array.isArray(rows) && rows.length === height && rows.every((row) => Array.isArray(row) && row.length === width && row.every((x) => Number.isFinite(x) && Math.abs(x) <= 1e6));
    const tests = {
      X: (x) => points2 ? cleanVectors(x, n) : x === null ? void 0 : null,
      M: (x) => bounded(x, n, n) ? x.map((row) => [...row]) : null,
      source: (x) => ["scores", "dissimilarities", points2 && "points"].includes(x) ? x : null,
      form: (x) => bounded(x, 2, 2) ? x.map((row) => [...row]) : null,
      candidate: (x) => Object.hasOwn(CANDIDATES, x) ? x : null,
      repairs: (x) => Array.isArray(x) && new Set(x).size === x.length && x.every((name) => Object.hasOwn(REPAIRS, name)) ? [...x] : null,
      shown: (x) => AXIOMS.includes(x) ? x : null
    };
    const state = {};
    for (const [name, test] of Object.entries(tests)) {
      if (!Object.hasOwn(raw, name)) continue;
      const value2 = test(raw[name]);
      if (value2 === null) return null;
      if (value2 !== void 0) state[name] = value2;
    }
    return state;
  }
  function judge(state) {
    const given = evidence(state), hand = state.source === "dissimilarities";
    const { D: base, why } = hand ? { D: state.M, why: null } : dissimilarity(state.candidate, given);
    const { D, steps } = base ? repaired(base, state.repairs) : { D: state.M.map((row) => row.map(() => NaN)), steps: [] };
    const verdicts = checkAxioms(D);
    if (!base) for (const axiom of AXIOMS) verdicts[axiom].holds = null;
    return {
      ...state,
      given,
      base,
      why,
      steps,
      verdicts,
      kind: kindOf(verdicts),
      D: base ? D : D.map((row) => row.map(() => null)),
      threshold: base && !hand ? threshold(state.candidate, base) : null,
      spread: base && spread(D)
    };
  }
  function start2(model, el, page, view) {
    const get = (name) => model.get(name);
    const n = get("M").length, points2 = Boolean(get("X")), tokens = get("tokens");
    const numbers3 = Array.from({ length: n }, (_, i) => i + 1);
    const short7 = numbers3.map((i) => tokens && tokens[i - 1] !== String(i) ? visible(tokens[i - 1], 7) : null);
    const label2 = numbers3.map((i) => short7[i - 1] ? `${i} ${short7[i - 1]}` : String(i));
    const called = numbers3.map((i) => metricCourt.token(i, short7[i - 1] && visible(tokens[i - 1], 14)));
    const state = () => Object.fromEntries(TRAITS2.map((name) => [name, get(name)]));
    let held = [], last = null;
    const lore = ({ source, candidate }) => {
      const [, question3, domain, known] = source === "dissimilarities" ? [] : get("candidates").find(([name]) => name === candidate);
      return { question: question3, domain, known };
    };
    const compute = () => {
      const now = TRAITS2.map(get);
      if (now.some((x, i) => x !== held[i])) [held, last] = [now, { ...judge(state()), ...lore(state()) }];
      return last;
    };
    const whySentence = ([reason, ...where]) => metricCourt.reasons[reason](...where.slice(0, 2), short(where[2] ?? null));
    const failed = ({ verdicts: verdicts2 }) => AXIOMS.filter((axiom) => verdicts2[axiom].holds === false);
    const frame2 = createFrame({
      model,
      el,
      page,
      label: metricCourt.label,
      traits: TRAITS2,
      compute,
      clean: (raw) => cleanState2(raw, { tokens: n, points: points2 }),
      summary() {
        const now = compute(), broken = failed(now).map((axiom) => metricCourt.names[axiom]);
        return now.why ? metricCourt.summaryNone(whySentence(now.why)) : metricCourt.summary(broken, margin(now.shown, now.verdicts[now.shown], now.D));
      },
      files: [
        { kind: "SVG", name: "metric-court.svg", make: () => svgBlob(composed()) },
        { kind: "PNG", name: "metric-court.png", make: () => pngBlob(composed()) },
        { kind: "CSV", name: "metric-court.csv", make: () => new Blob([table()], { type: "text/csv" }) }
      ],
      code: { kind: "NumPy", name: "metric_court.py", make: () => courtLines(state(), compute().base, tokens) },
      predict: { cover: () => covered, ask: () => question2(compute()) }
    });
    view.apply = (raw) => frame2.apply(raw);
    const set = (name, value2, key2 = null, sentence2 = null) => {
      frame2.set(name, value2);
      frame2.commit(key2, sentence2);
    };
    const witnesses = [];
    const over = (picture) => {
      const witness = createWitness();
      witnesses.push(witness);
      return { witness, picture };
    };
    const plane2 = !points2 ? null : createPlane({
      frame: frame2,
      label: metricCourt.planeLabel,
      initial: get("X"),
      vectors: () => get("X"),
      points: get("X").map((_, index) => ({
        id: `x${index}`,
        kind: "x",
        trait: "X",
        index,
        sign: String(index + 1),
        label: label2[index],
        full: tokens?.[index],
        name: called[index]
      }))
    });
    const onPlane = plane2 && over(plane2.picture).witness;
    if (plane2) {
      plane2.under.append(onPlane.mesh, onPlane.under);
      plane2.over.append(onPlane.over);
      plane2.over.setAttribute("class", "ag-court-over");
    }
    const circle = createCircle(label2, tokens);
    witnesses.push(circle.witness);
    const drawn2 = html("p", { class: "ag-hint ag-court-drawn" });
    const verdicts = createVerdicts(frame2, (axiom) => set("shown", axiom));
    const free = createFree();
    const matrix3 = createMatrix(frame2, label2, (name) => {
      const on = !get("repairs").includes(name);
      set("repairs", on ? [...get("repairs"), name] : get("repairs").filter((other) => other !== name));
    });
    const challenges = createChallenges(get("challenges"));
    plane2?.hold("x0");
    plane2?.hold(null);
    const controls = createControls(frame2, { get, compute, points: points2, whySentence });
    const swatch = (kind) => html(
      "span",
      { class: "ag-key" },
      svg("svg", { class: "ag-court-swatch", viewBox: "0 0 26 12", "aria-hidden": "true" }, svg(
        "g",
        { class: `ag-court-${kind}` },
        svg("path", { d: "M1 6H17" }),
        svg("path", { d: "M0 0L-9 4.6V-4.6Z", transform: "translate(25 6)" })
      )),
      metricCourt.keys[kind]
    );
    const legend2 = ["direct", "room", "detour"].map((kind) => [kind, swatch(kind)]);
    const key = html("span", { class: "ag-row" }, ...legend2.map(([, node]) => node));
    const covered = [verdicts.node, free.node, challenges.node.lastChild, drawn2, key, ...witnesses.flatMap((w) => [w.under, w.over])];
    const panel = (draw, ...parts3) => frame2.region(html("section", { class: "ag-panel" }, ...parts3), draw);
    frame2.body.append(
      frame2.region(controls.node, controls.draw),
      html(
        "div",
        { class: "ag-panels ag-court-panels" },
        panel(
          (now) => {
            const on = now.source === "points", { holds } = now.verdicts[now.shown];
            for (const node of [plane2?.picture, plane2?.fields].filter(Boolean)) attr(node, "hidden", on ? null : "");
            attr(circle.picture, "hidden", on ? "" : null);
            if (on) {
              plane2.draw(null);
              onPlane.draw(now, now.X.map(plane2.place));
            } else circle.witness.draw(now, circle.at);
            for (const [kind, node] of legend2) node.hidden = holds === null || (kind === "detour" ? now.shown !== "triangle" : kind === "direct" === holds);
            text(drawn2, now.why ? metricCourt.undefined(whySentence(now.why)) : metricCourt.drawn(metricCourt.names[now.shown], margin(now.shown, now.verdicts[now.shown], now.D)));
          },
          html("p", { class: "ag-title" }, html("span", { class: "ag-key" }, glyph("x"), metricCourt.tokens), key),
          plane2 ? plane2.picture : "",
          circle.picture,
          drawn2,
          plane2 ? plane2.fields : ""
        ),
        panel(verdicts.draw, html("div", { class: "ag-title" }, metricCourt.verdicts, about(metricCourt.verdicts, metricCourt.verdictsHint)), verdicts.node),
        panel((now) => {
          matrix3.draw(now);
          free.draw(now);
        }, html("p", { class: "ag-title" }, metricCourt.matrix), matrix3.node, free.node)
      ),
      get("challenges").length ? frame2.region(challenges.node, challenges.draw) : "",
      ...points2 ? [html("details", { class: "ag-help" }, html("summary", {}, plane.helpTitle), html("p", { class: "ag-hint" }, plane.help))] : [],
      ...frame2.actions().filter(Boolean)
    );
    function question2({ verdicts: now, why, D, shown }) {
      if (why || AXIOMS.some((axiom) => now[axiom].holds === null)) return null;
      const truth = AXIOMS.map((axiom) => now[axiom].holds);
      const flipped = (...axioms) => truth.map((holds, a) => axioms.includes(a) ? !holds : holds);
      const options = [truth, flipped(4), flipped(3), flipped(1, 4)].sort((a, b) => Number(b.map(Number).join("")) - Number(a.map(Number).join("")));
      const broken = AXIOMS.filter((axiom) => !now[axiom].holds);
      return {
        question: metricCourt.ask,
        options: options.map(named),
        answer: options.indexOf(truth),
        why: (broken.length ? broken : [shown]).map((axiom) => `${metricCourt.names[axiom]}: ${margin(axiom, now[axiom], D)}.`).join(" ")
      };
    }
    const composed = () => composeSvg([{ title: metricCourt.judged(get("source") === "dissimilarities" ? "" : get("candidate"), get("repairs").length), picture: get("source") === "points" ? plane2.picture : circle.picture }], frame2.root);
    const table = () => {
      const { D } = compute();
      return csv([
        ["from", "to", "from_token", "to_token", "d"],
        ...D.flatMap((row, i) => row.map((d, j) => [i, j, tokens?.[i] ?? "", tokens?.[j] ?? "", d === Infinity ? "inf" : d]))
      ]);
    };
    return () => frame2.dispose();
  }
  function createCircle(label2, tokens) {
    const n = label2.length, witness = createWitness(), at2 = label2.map((_, i) => onCircle2(i, n));
    const nodes = at2.map(([x, y], i) => {
      const [c, s] = [(x - 160) / 86, (y - 160) / 86], full = tokens?.[i];
      return svg(
        "g",
        {},
        svg("g", { transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` }, marker("x")),
        svg("text", {
          class: "ag-name",
          x: (160 + 104 * c).toFixed(1),
          y: (164.5 + 110 * s).toFixed(1),
          "text-anchor": Math.abs(c) < 0.35 ? "middle" : c > 0 ? "start" : "end"
        }, label2[i], full && full !== label2[i] ? svg("title", {}, full) : null)
      );
    });
    const picture = svg(
      "svg",
      { class: "ag-picture", viewBox: "0 0 320 320", role: "img", "aria-label": metricCourt.circleLabel },
      witness.mesh,
      witness.under,
      ...nodes,
      witness.over
    );
    return { picture, witness, at: at2 };
  }
  function createControls(frame2, { get, compute, points: points2, whySentence }) {
    const kinds = ["points", "scores", "dissimilarities"].filter((kind) => points2 || kind !== "points");
    const source = select(frame2, metricCourt.source, kinds.map((kind) => [kind, metricCourt.sources[kind]]), (kind) => {
      const { given, D } = compute();
      const M = kind === "scores" ? given.S : kind === "dissimilarities" && D;
      if (M && M.flat().every((x) => x !== null && Math.abs(x) <= 1e6)) frame2.set("M", M.map((row) => row.map((x) => Number(x.toPrecision(10)))));
      if (kind === "dissimilarities") frame2.set("repairs", []);
      frame2.set("source", kind);
      frame2.commit();
    });
    const form = select(frame2, metricCourt.form, [...Object.keys(FORMS), "custom"].map((kind) => [kind, metricCourt.forms[kind]]), (kind) => {
      frame2.set("form", FORMS[kind]);
      frame2.commit();
    });
    const candidate = select(frame2, metricCourt.candidate, [["", metricCourt.byHand], ...Object.keys(CANDIDATES).map((name) => [name, name])], (name) => {
      frame2.set("candidate", name);
      frame2.commit();
    });
    const question2 = html("p", { class: "ag-hint" }), B = html("span", { class: "ag-number-text" });
    const others = html("ul", {}), count = html("summary", {});
    const apart = html("details", { class: "ag-help" }, count, others);
    const hints = [[source, metricCourt.source, metricCourt.sourceHint], [form, metricCourt.form, metricCourt.formHint], [candidate, metricCourt.candidate, metricCourt.candidateHint]];
    const [sourceField, formField, candidateField] = hints.map(([{ field }, name, hint]) => html("div", { class: "ag-row" }, field, about(name, hint)));
    formField.insertBefore(B, formField.lastChild);
    return {
      node: html(
        "div",
        { class: "ag-stack" },
        html("div", { class: "ag-controls", role: "group", "aria-label": metricCourt.controls }, sourceField, points2 ? formField : "", candidateField),
        question2,
        apart
      ),
      draw(now, settled) {
        const hand = now.source === "dissimilarities";
        source.node.value = now.source;
        formField.hidden = now.source !== "points";
        const kind = Object.keys(FORMS).find((name) => String(FORMS[name]) === String(now.form)) ?? "custom";
        form.node.value = kind;
        form.node.lastChild.hidden = form.node.lastChild.disabled = kind !== "custom";
        text(B, `B = (${now.form.map((row) => row.map(short).join(" ")).join("; ")})`);
        candidate.node.value = hand ? "" : now.candidate;
        candidate.node.disabled = hand;
        candidate.node.firstChild.hidden = candidate.node.firstChild.disabled = !hand;
        text(question2, `${metricCourt.lead[now.source]} ${hand ? metricCourt.questionHand : metricCourt.question(now.question, now.domain)}`);
        if (!settled) return;
        const out = Object.keys(CANDIDATES).map((name) => [name, dissimilarity(name, now.given).why]).filter(([, why]) => why);
        for (const option of [...candidate.node.options].slice(1)) option.disabled = out.some(([name]) => name === option.value) && option.value !== now.candidate;
        apart.hidden = hand || !out.length;
        text(count, metricCourt.notHere(out.length));
        others.replaceChildren(...out.map(([name, why]) => html("li", {}, metricCourt.reason(name, whySentence(why)))));
      }
    };
  }

  // hull.js
  var FLAT = 1e-12;
  var ZERO = 1e-13;
  var TINY = 1e-9;
  var STEPS = 120;
  function outputSpan(V, may) {
    const keys = V.map((_, j) => j).filter((j) => may[j]);
    const ones = keys.map(() => keys.length ** -0.5);
    const columns = [0, 1].map((c) => {
      const x = keys.map((j) => V[j][c]), mean = sum3(x) / keys.length, noise = 4 * keys.length * 23e-17 * largest2(x);
      const centred = x.map((v) => v - mean), size = largest2(centred);
      return size > noise ? centred.map((v) => v / size) : centred.map(() => 0);
    }).sort((a, b) => dot(b, b) - dot(a, a));
    const span = keys.length ? [ones] : [];
    for (const column2 of columns) {
      let rest = column2;
      for (let twice = 0; twice < 2; twice++) for (const q of span) rest = subtract(rest, q, dot(q, rest));
      const length = Math.sqrt(dot(rest, rest));
      if (length > FLAT * keys.length) span.push(rest.map((x) => x / length));
    }
    return { keys, span, dimension: keys.length - span.length };
  }
  function equivalentDirection(V, may, j) {
    const { keys, span } = outputSpan(V, may);
    const at2 = keys.indexOf(j);
    if (at2 < 0) return null;
    const unit = keys.map((_, k) => Number(k === at2));
    let rest = unit;
    for (let twice = 0; twice < 2; twice++) for (const q of span) rest = subtract(rest, q, dot(q, rest));
    if (rest[at2] <= 1e-12) return null;
    const z = V.map(() => 0);
    keys.forEach((k, i) => {
      z[k] = rest[i] / rest[at2];
    });
    return z;
  }
  function equivalentLine(V, may, a, j) {
    const [down2, up2] = [-1, 1].map((sign) => walk(V, may, a, j, sign));
    return { rows: [...down2.reverse(), a, ...up2], index: down2.length };
  }
  function equivalentRow({ rows, index }, j, along) {
    const start5 = rows[index][j], end2 = rows.at(along > 0 ? -1 : 0)[j], wanted = start5 + Math.abs(along) * (end2 - start5);
    if (along === 0 || start5 === end2) return rows[index];
    const i = rows.findIndex((row, k) => k && wanted <= row[j]);
    if (i < 0) return rows.at(-1);
    const [low, high] = [rows[i - 1], rows[i]];
    const t = Math.min(Math.max((wanted - low[j]) / (high[j] - low[j]), 0), 1);
    return low.map((w, k) => (1 - t) * w + t * high[k]);
  }
  function walk(V, may, a, j, sign) {
    const corners2 = [];
    for (let row = a; corners2.length < 4 * a.length; ) {
      const z = openDirection(V, may, row, j, sign);
      if (!z) break;
      const t = z.map((d, k) => sign * d < -TINY ? row[k] / (-sign * d) : Infinity), least = Math.min(...t), first = t.indexOf(least);
      row = row.map((w, k) => k !== first && w + sign * least * z[k] > ZERO ? w + sign * least * z[k] : 0);
      corners2.push(row);
    }
    return corners2;
  }
  function openDirection(V, may, row, j, sign) {
    const support = [...may];
    for (; ; ) {
      const z = equivalentDirection(V, support, j);
      if (!z) return null;
      const worse = z.map((d, k) => support[k] && row[k] <= ZERO ? sign * d : 0), least = Math.min(...worse);
      if (least >= -TINY) return z;
      support[worse.findIndex((d) => d <= least + TINY)] = false;
    }
  }
  var totalVariation = (a, b) => sum3(a.map((w, j) => Math.abs(w - b[j]))) / 2;
  function compensatedValues(V, a, j, point3) {
    const others = sum3(a.map((w, k) => k === j ? 0 : w * w));
    if (a[j] > 0 && !(others > 0)) return null;
    const pull = a[j] > 0 ? a[j] / others : 0;
    return V.map((v, k) => k === j ? [...point3] : v.map((x, c) => x - pull * a[k] * (point3[c] - V[j][c])));
  }
  var times = (y, W2) => W2[0].map((_, c) => sum3(y.map((x, r) => x * W2[r][c])));
  function hullMargin(point3, points2) {
    const corners2 = convexHull(points2);
    const sides = corners2.map((a, i) => [a, corners2[(i + 1) % corners2.length]]);
    const away = Math.min(...sides.map(([a, b]) => segmentDistance(point3, a, b)));
    if (corners2.length < 3) return 0 - away;
    const inside = sides.every(([a, b]) => (b[0] - a[0]) * (point3[1] - a[1]) - (b[1] - a[1]) * (point3[0] - a[0]) >= 0);
    return inside ? away : 0 - away;
  }
  function hullVerdict(point3, points2) {
    const margin2 = hullMargin(point3, points2), noise = 1e-9 * largest2([...points2.flat(), ...point3]);
    return margin2 > noise ? "inside" : margin2 >= -noise ? "edge" : "outside";
  }
  function temperaturePath(s, may, V) {
    const top = [...new Set(s.filter((_, j) => may[j]))].sort((a, b) => b - a);
    if (!top.length) return null;
    const at2 = (temperature) => ({ temperature, output: mixture(softmax(s, { may, temperature }), V) });
    if (top.length === 1) return [at2(0), at2(Infinity)];
    const low = (top[0] - top[1]) / 36, high = 60 * (top[0] - top.at(-1));
    const between2 = Array.from({ length: STEPS }, (_, i) => at2(low * (high / low) ** (i / (STEPS - 1))));
    return [at2(0), ...between2, at2(Infinity)];
  }
  function temperatureDrift(s, may, V, T) {
    if (!(T > 0 && T < Infinity)) return null;
    const a = softmax(s, { may, temperature: T });
    if (!a) return null;
    const mean = sum3(a.map((w, k) => may[k] ? w * s[k] : 0));
    return mixture(a.map((w, k) => may[k] ? -w * (s[k] - mean) / (T * T) : 0), V);
  }
  function segmentDistance(p, a, b) {
    const side = [b[0] - a[0], b[1] - a[1]], from = [p[0] - a[0], p[1] - a[1]], square2 = dot(side, side);
    const t = square2 > 0 ? Math.max(0, Math.min(1, dot(from, side) / square2)) : 0;
    return Math.hypot(from[0] - t * side[0], from[1] - t * side[1]);
  }
  var sum3 = (x) => x.reduce((a, b) => a + b, 0);
  var largest2 = (x) => Math.max(...x.map(Math.abs));
  var subtract = (x, q, c) => x.map((v, i) => v - c * q[i]);

  // hull_controls.js
  var R = Math.SQRT1_2;
  var PRESETS = {
    identity: [[1, 0], [0, 1]],
    rotation: [[R, R], [-R, R]],
    stretch: [[2, 0], [0, 0.5]],
    projection: [[0.5, 0.5], [0.5, 0.5]]
  };
  function createTemperature(frame2) {
    const set = (t) => frame2.set("temperature", t === Infinity ? "inf" : t);
    const range = slider(frame2, mixtureHull.temperature, 200, (p) => set(sliderToTemperature(p)));
    const stops = [0, 1, Infinity].map((t) => frame2.button(`T = ${t === Infinity ? "\u221E" : t}`, () => {
      set(t);
      frame2.commit();
    }));
    return {
      node: html(
        "div",
        { class: "ag-controls", role: "group", "aria-label": mixtureHull.controls },
        range.node,
        ...stops,
        about(mixtureHull.temperature, mixtureHull.temperatureHint)
      ),
      draw({ temperature: t }) {
        range.draw(temperatureToSlider(t), `T = ${t === Infinity ? "\u221E" : t}`);
      }
    };
  }
  function createMatrix2(frame2) {
    const preset = select(frame2, "W_O", [...Object.keys(PRESETS), "custom"].map((kind) => [kind, mixtureHull.presets[kind]]), (kind) => {
      frame2.set("W_O", PRESETS[kind]);
      frame2.commit();
    });
    preset.field.firstChild.replaceChildren("W", html("sub", {}, "O"));
    const custom = preset.node.lastChild;
    const inputs = [0, 1].map((r) => [0, 1].map((c) => {
      const input = html("input", { class: "ag-number", type: "number", step: "any", "aria-label": mixtureHull.entry(r + 1, c + 1) });
      const take = () => {
        const value2 = input.valueAsNumber;
        if (!Number.isFinite(value2) || Math.abs(value2) > 1e6) return false;
        frame2.set("W_O", frame2.model.get("W_O").map((row, i) => row.map((w, k) => i === r && k === c ? value2 : w)));
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
          if (document.activeElement !== input) input.value = String(Number(W_O[i >> 1][i & 1].toFixed(3)));
        });
      }
    };
  }

  // hull_numpy.js
  function hullLines({ V, scores: scores2, temperature, mask, W_O, x }, tokens, other) {
    const number3 = (v) => Number.isInteger(v) ? `${v}.0` : String(v);
    const row = (values, one = number3) => `[${values.map(one).join(", ")}]`;
    const matrix3 = (name, rows) => `${name} = np.array([
${rows.map((r) => `    ${row(r)},`).join("\n")}
])`;
    const limit = {
      0: ["best = np.where(allowed, scores, -np.inf).max()  # T = 0: alike on the largest scores, ties included", "weights = (allowed & (scores == best)).astype(float)"],
      inf: ["weights = allowed.astype(float)  # T = infinity: alike on every allowed key"]
    }[temperature] ?? [
      "best = np.where(allowed, scores, -np.inf).max()",
      `weights = np.where(allowed, np.exp(np.minimum(scores - best, 0) / ${temperature}), 0)`
    ];
    return [
      "import numpy as np",
      "",
      ...tokens ? [`tokens = ${row(tokens, pythonString)}`] : [],
      matrix3("V", V),
      `scores = np.array(${row(scores2)})`,
      `allowed = np.array(${row(mask ?? V.map(() => true), (b) => b ? "True" : "False")})`,
      "",
      ...limit,
      "weights = weights / (weights.sum() or 1)  # all 0 if no key is allowed",
      "output = weights @ V if allowed.any() else np.full(2, np.nan)",
      ...other ? ["", `other_weights = np.array(${row(other)})  # a row that gives the same output`, "assert np.allclose(other_weights @ V, output)"] : [],
      ...W_O ? ["", matrix3("W_O", W_O), `x = np.array(${row(x)})`, "projected = output @ W_O", "stream = x + projected"] : [],
      ""
    ].join("\n");
  }

  // hull_pictures.js
  var MASS = 34;
  var pair = (p) => p.map((x) => x.toFixed(2)).join(" ");
  var corners = (plane2, points2) => convexHull(points2).map((p) => pair(plane2.place(p))).join(" ");
  var move = (node, at2) => attr(node, "transform", `translate(${pair(at2)})`);
  var formula = (words) => words.split("W_O").flatMap((part, i) => i ? ["W", html("sub", {}, "O"), part] : [part]);
  var drawn = (words) => words.split("W_O").flatMap((part, i) => i ? ["W", svg("tspan", { dy: 3, "font-size": "75%" }, "O"), ...part ? [svg("tspan", { dy: -3 }, part)] : []] : [part]);
  function drawHull(plane2, count) {
    const hull = svg("polygon", { class: "ag-hull" }), path = svg("path", { class: "ag-hull-path" });
    const stop = (name2) => {
      const label2 = svg("text", { class: "ag-tick" }, name2);
      return { node: svg("circle", { class: "ag-hull-stop", r: 3.5 }), label: label2 };
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
    plane2.over.append(cold.label, hot.label, diamond);
    return {
      course: [course, cold.label, hot.label],
      rings,
      draw({ V, allowed: may, weights: a, other: b, output: y, path: outputs, single, along }, ghosts) {
        attr(hull, "points", corners(plane2, V.filter((_, j) => may[j])));
        keys.forEach(({ ghost, way, disc, ring }, j) => {
          const at3 = plane2.place(V[j]);
          const was = ghosts && (ghosts[j][0] !== V[j][0] || ghosts[j][1] !== V[j][1]) ? plane2.place(ghosts[j]) : null;
          attr(ghost, "display", was ? null : "none");
          attr(way, "display", was ? null : "none");
          if (was) move(ghost, was), attr(way, "d", `M${pair(was)}L${pair(at3)}`);
          for (const [node, row, shown] of [[disc, a, true], [ring, b, !single && along !== 0]]) {
            attr(node, "display", row && shown && row[j] > 0 ? null : "none");
            if (!row) continue;
            move(node, at3);
            attr(node, "r", (MASS * Math.sqrt(row[j])).toFixed(2));
          }
        });
        for (const node of [course, diamond, cold.label, hot.label]) attr(node, "display", y ? null : "none");
        if (!y) return;
        attr(path, "d", `M${outputs.map(({ output }) => pair(plane2.place(output))).join("L")}`);
        const ends = [outputs[0], outputs.at(-1)].map(({ output }) => plane2.place(output));
        [cold, hot].forEach(({ node }, i) => move(node, ends[i]));
        const at2 = plane2.place(y), values = V.map(plane2.place);
        move(diamond, at2);
        const lonely = ends.map((end2) => values.every((v) => Math.hypot(v[0] - end2[0], v[1] - end2[1]) > 12));
        const found = placeNames([
          { at: at2, letters: 2, wanted: true },
          ...ends.map((end2, i) => ({ at: end2, letters: 5, wanted: lonely[i] })),
          ...[...values, ...numbers(plane2.reach)].map((where) => ({ at: where, letters: 0, wanted: false }))
        ]);
        const [dx, dy, anchor] = found[0]?.place ?? places(at2)[0];
        put(name, dx, dy, anchor);
        [cold, hot].forEach(({ label: label2 }, i) => {
          const place = found[i + 1]?.place;
          attr(label2, "display", place ? null : "none");
          if (place) put(label2, ends[i][0] + place[0], ends[i][1] + place[1], place[2]);
        });
      }
    };
  }
  function numbers(reach) {
    const unit = tickStep(reach), count = Math.floor(reach / unit + 1e-9);
    return Array.from({ length: 2 * count + 1 }, (_, i) => 160 + (i - count) * unit / reach * REACH2).filter((a) => Math.abs(a - 160) > 1).flatMap((a) => [[a - 7, 171], [a + 7, 171], [142, 320 - a]]);
  }
  function put(label2, x, y, anchor) {
    attr(label2, "x", x.toFixed(1));
    attr(label2, "y", y.toFixed(1));
    attr(label2, "text-anchor", anchor);
  }
  function drawStream(plane2, count) {
    const hull = svg("polygon", { class: "ag-hull" }), shadow = svg("polygon", { class: "ag-hull-shadow" });
    const small2 = (kind) => Array.from({ length: count }, () => svg("path", { class: kind, d: "M0 -6L5.5 4H-5.5Z" }));
    const values = small2("ag-v"), images = small2("ag-hull-ghost");
    const step = svg("path", { class: "ag-hull-step" }), image = svg("path", { class: "ag-hull-step" });
    const points2 = [["stream", mixtureHull.stream], ["projected", mixtureHull.projected], ["output", "y"]].map(([kind, name]) => {
      const label2 = svg("text", { class: "ag-name" }, ...drawn(name));
      return { kind, label: label2, letters: [...name].length, node: svg("g", { class: `ag-mixture ag-hull-${kind}` }, ...shapes(kind), label2) };
    });
    plane2.under.append(hull, shadow, ...values, ...images, image, step);
    plane2.over.append(...points2.map((p) => p.node).reverse());
    return {
      nodes: [plane2.over, step, image],
      draw({ V, allowed: may, images: W2, x, ...now }) {
        const open = (rows) => rows.filter((_, j) => may[j]);
        attr(hull, "points", corners(plane2, open(V)));
        attr(shadow, "points", corners(plane2, open(W2)));
        [[values, V], [images, W2]].forEach(([nodes, rows]) => nodes.forEach((node, j) => {
          move(node, plane2.place(rows[j]));
          attr(node, "opacity", may[j] ? null : "0.35");
        }));
        const shown = now.output !== null;
        for (const { node } of points2) attr(node, "display", shown ? null : "none");
        for (const node of [step, image]) attr(node, "display", shown ? null : "none");
        if (!shown) return;
        attr(step, "d", `M${pair(plane2.place(x))}L${pair(plane2.place(now.stream))}`);
        attr(image, "d", `M160 160L${pair(plane2.place(now.projected))}`);
        const at2 = points2.map(({ kind }) => plane2.place(now[kind]));
        points2.forEach(({ node }, i) => move(node, at2[i]));
        const taken = [...[x, ...open(V), ...open(W2)].map(plane2.place), ...numbers(plane2.reach)].map((where) => ({ at: where, letters: 0, wanted: false }));
        const found = placeNames([...points2.map(({ letters }, i) => ({ at: at2[i], letters, wanted: true })), ...taken]);
        points2.forEach(({ label: label2 }, i) => {
          const [dx, dy, anchor] = found[i]?.place ?? places(at2[i])[0];
          put(label2, dx, dy, anchor);
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
    return html("span", { class: "ag-key" }, node, html("span", {}, ...formula(name)));
  }
  function createVerdicts2() {
    const rows = [["output", "y"], ["projected", mixtureHull.projected], ["stream", mixtureHull.stream]].map(([kind, name]) => {
      const cells3 = [0, 1, 2].map(() => html("td", {}));
      return { kind, cells: cells3, node: html("tr", {}, html("th", { scope: "row" }, legend(kind === "output" ? "y" : kind, name)), ...cells3) };
    });
    const heads = [mixtureHull.place, mixtureHull.hullOfV, mixtureHull.hullOfVW].map((name) => html("th", { scope: "col" }, ...formula(name)));
    return {
      node: html(
        "table",
        { class: "ag-hull-verdicts" },
        html("caption", { class: "ag-hidden" }, mixtureHull.verdictsCaption),
        html("thead", {}, html("tr", {}, html("td", {}), ...heads)),
        html("tbody", {}, ...rows.map((row) => row.node))
      ),
      draw(now) {
        for (const { kind, cells: cells3 } of rows) {
          const p = now[kind], verdict = now.verdicts?.[kind];
          text(cells3[0], p ? `(${p.map((x) => fixed(x)).join(", ")})` : mixtureHull.masked);
          [1, 2].forEach((c) => {
            text(cells3[c], verdict ? mixtureHull.verdict[verdict[c - 1]] : "\u2013");
            cells3[c].classList.toggle("ag-hull-out", verdict?.[c - 1] === "outside");
          });
        }
      }
    };
  }

  // hull_questions.js
  function questions(now, { asked, named: named2 }) {
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
        question: mixtureHull.askDrift(named2(j), T),
        options: mixtureHull.askDriftOptions,
        answer: change < 0 ? 0 : 1,
        why: mixtureHull.askDriftWhy(named2(j), fixed(change, 3))
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

  // hull_rows.js
  var STEPS2 = 100;
  function createRows({ frame: frame2, count, wide, named: named2, called, forbid }) {
    const reach = Math.max(4, Math.ceil(Math.max(...frame2.initial.scores.map(Math.abs))));
    const put2 = (j, value2) => {
      const clean = Number(Math.max(-1e6, Math.min(1e6, value2)).toPrecision(12));
      frame2.set("scores", frame2.model.get("scores").map((s, k) => k === j ? clean : s));
    };
    const done = (j) => frame2.commit(null, mixtureHull.scored(called(j), short(frame2.model.get("scores")[j])));
    const rows = Array.from({ length: count }, (_, j) => {
      const box = html("input", { type: "checkbox", "aria-label": mixtureHull.mayAttend(called(j)) });
      const range = html("input", { type: "range", min: -reach, max: reach, step: 0.05, "aria-label": mixtureHull.scoreOf(called(j)) });
      const number3 = html("input", { type: "number", class: "ag-number", step: "any", "aria-label": mixtureHull.scoreTyped(called(j)) });
      const bar = (kind) => {
        const fill2 = html("span", { class: kind });
        const track = html("span", { class: "ag-track" }, fill2), value2 = html("span", { class: "ag-number-text" });
        return { track, fill: fill2, value: value2 };
      };
      const first = bar("ag-fill"), second = bar("ag-hull-second");
      const line2 = (letter, { track, value: value2 }) => html("span", { class: "ag-hull-bar" }, html("i", {}, letter), track, value2);
      frame2.on(box, "change", () => forbid(j, box.checked));
      frame2.on(range, "input", () => put2(j, Number(range.value)));
      frame2.on(range, "change", () => {
        put2(j, Number(range.value));
        done(j);
      });
      const take = () => Number.isFinite(number3.valueAsNumber) && (put2(j, number3.valueAsNumber), true);
      frame2.on(number3, "input", take);
      frame2.on(number3, "change", () => take() ? done(j) : frame2.schedule());
      const other = line2("a\u2032", second);
      const node2 = html(
        "div",
        { class: "ag-hull-row", role: "group", "aria-label": called(j) },
        html("label", { class: "ag-box" }, box),
        html("bdi", { class: "ag-hull-name" }, named2(j)),
        range,
        number3,
        html("span", { class: "ag-hull-bars" }, line2("a", first), other)
      );
      return { node: node2, box, range, number: number3, first, second, other };
    });
    const stat = (name) => {
      const value2 = html("b", {}), limit = html("span", {});
      return { node: html("div", { class: "ag-fact" }, value2, html("span", {}, name, limit)), value: value2, limit };
    };
    const H2 = stat(mixtureHull.entropy), N = stat(mixtureHull.effective), none = html("p", {});
    const head2 = html(
      "div",
      { class: "ag-hull-row ag-hull-head", "aria-hidden": "true" },
      html("span", { title: mixtureHull.may }, "\u2713"),
      html("span", {}, mixtureHull.key),
      html("span", {}, mixtureHull.score)
    );
    const draw = (bar, w, may) => {
      attr(bar.fill, "style", `inline-size:${(100 * (w ?? 0)).toFixed(2)}%${w > 0 ? "" : ";visibility:hidden"}`);
      bar.track.classList.toggle("ag-hatched", !may);
      text(bar.value, may ? fixed(w, 3) : mixtureHull.masked);
    };
    const node = html("div", { class: "ag-hull-rows" }, head2, ...rows.map((row) => row.node), html("div", { class: "ag-facts" }, H2.node, N.node, none));
    node.style.setProperty("--ag-name", wide ? "92px" : "28px");
    node.style.setProperty("--ag-bar", `${Math.max(9, Math.min(18, 90 / count))}px`);
    return {
      node,
      draw({ scores: scores2, allowed: may, weights: a, other: b, entropy: entropy2, effective, otherEntropy, otherEffective, single, along }) {
        rows.forEach(({ node: node2, box, range, number: number3, first, second, other }, j) => {
          box.checked = may[j];
          node2.classList.toggle("ag-masked", !may[j]);
          if (Number(range.value) !== scores2[j]) range.value = String(scores2[j]);
          attr(range, "aria-valuetext", mixtureHull.scoreText(short(scores2[j]), may[j] ? fixed(a[j], 3) : null));
          if (document.activeElement !== number3) number3.value = String(Number(scores2[j].toFixed(3)));
          draw(first, a?.[j], may[j]);
          other.hidden = single || !may[j];
          if (!other.hidden) draw(second, b[j], true);
        });
        const room = may.filter(Boolean).length;
        text(none, a ? "" : mixtureHull.allMasked);
        H2.node.hidden = N.node.hidden = !a;
        const same = single || along === 0, both = (p, q) => same || !a ? fixed(p) : `${fixed(p)} \xB7 ${fixed(q)}`;
        text(H2.value, `${both(entropy2, otherEntropy)} ${mixtureHull.nats}`);
        text(H2.limit, mixtureHull.atMost(fixed(room ? Math.log(room) : null)) + (same ? "" : mixtureHull.twoRows));
        text(N.value, both(effective, otherEffective));
        text(N.limit, mixtureHull.outOf(room) + (same ? "" : mixtureHull.twoRows));
      }
    };
  }
  function createOther({ frame: frame2, count, signs, named: named2, called }) {
    const choice = html(
      "select",
      { class: "ag-select", "aria-label": mixtureHull.chosen },
      ...Array.from({ length: count }, (_, j) => html("option", { value: j }, named2(j)))
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
    const slider2 = html(
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
        slider2,
        moved,
        size
      ),
      draw({ allowed: may, weights: a, other: b, direction: j, along, dimension, line: line2, single, settled, distance: distance2 }) {
        const room = may.filter(Boolean).length;
        const why = !a ? mixtureHull.allMasked : dimension === 0 ? mixtureHull.none(room) : !may[j] ? mixtureHull.noneMasked(named2(j)) : !single ? "" : settled ? mixtureHull.noneFixed(named2(j)) : mixtureHull.noneRoom(named2(j));
        text(none, why);
        choice.value = String(j);
        slider2.hidden = !a || dimension === 0;
        range.hidden = reading.hidden = low.parentNode.hidden = Boolean(why);
        text(size, a && dimension ? mixtureHull.dimension(dimension, room) : "");
        text(moved, why ? "" : along === 0 ? mixtureHull.unmoved : mixtureHull.distance(fixed(distance2, 3)));
        if (why) return;
        const position = Math.round(along * STEPS2);
        if (Number(range.value) !== position) range.value = String(position);
        text(reading, mixtureHull.inSecond(fixed(b[j], 3)));
        attr(range, "aria-valuetext", mixtureHull.alongText(called(j), fixed(b[j], 3), fixed(a[j], 3)));
        [[low, "\u2190", line2[0]], [high, "\u2192", line2.at(-1)]].forEach(([node, arrow, row]) => {
          const open = row.map((_, k) => k).filter((k) => may[k]), left = open.filter((k) => row[k] > 0);
          const gone = open.filter((k) => row[k] === 0);
          const list2 = (keys) => keys.map((k) => signs[k]).join(", ");
          text(node, mixtureHull.end(arrow, fixed(row[j], 3), gone.length < left.length ? mixtureHull.gone(list2(gone)) : mixtureHull.left(list2(left))));
        });
      }
    };
  }

  // hull_table.js
  var point2 = (p) => p ? `(${p.map((x) => fixed(x, 3)).join(", ")})` : "\u2013";
  function createTable3({ count, named: named2 }) {
    const heads = ["v", "s", "a", "a v", "a\u2032", "a\u2032 v"].map((name) => html("th", { scope: "col" }, name));
    const rows = Array.from({ length: count }, (_, j) => {
      const cells3 = heads.map(() => html("td", {}));
      return { node: html("tr", {}, html("th", { scope: "row" }, html("bdi", {}, named2(j))), ...cells3), cells: cells3 };
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
    const only = (cells3, same) => cells3.slice(4).forEach((cell) => {
      cell.hidden = same;
    });
    return {
      node: scroll,
      draw({ V, scores: scores2, allowed: may, weights: a, other: b, output: y, otherOutput: z, single: same }, settled) {
        only(heads, same);
        rows.forEach(({ cells: cells3 }, j) => {
          only(cells3, same);
          const shares2 = [a, b].flatMap((row) => row && may[j] ? [fixed(row[j], 3), point2(V[j].map((x) => x * row[j]))] : [mixtureHull.masked, "\u2013"]);
          [`(${V[j].map(stored).join(", ")})`, stored(scores2[j]), ...shares2].forEach((value2, c) => text(cells3[c], value2));
        });
        only(sums, same);
        ["", "", a ? "1" : "\u2013", point2(y), a ? "1" : "\u2013", point2(z)].forEach((value2, c) => text(sums[c], value2));
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

  // mixture_hull.js
  var TRAITS3 = ["V", "scores", "temperature", "mask", "direction", "along", "hold_output", "W_O", "x"];
  function render3({ model, el, page = null, view = {} }) {
    const shape = () => JSON.stringify([model.get("V").length, model.get("W_O") === null, model.get("tokens"), model.get("tasks")]);
    let now = shape();
    let dispose = start3(model, el, page, view);
    const restart = () => {
      if (shape() === now) return;
      now = shape();
      dispose();
      dispose = start3(model, el, page, view);
    };
    const watched = ["V", "W_O", "tokens", "tasks"].map((name) => `change:${name}`);
    for (const event of watched) model.on(event, restart);
    return () => {
      for (const event of watched) model.off(event, restart);
      dispose();
    };
  }
  var mixture_hull_default = { render: render3 };
  function cleanState3(raw, { count, stream }) {
    const list2 = (x, length, good) => Array.isArray(x) && x.length === length && x.every(good);
    const finite = (x) => Number.isFinite(x) && Math.abs(x) <= 1e6;
    const outside = (value2) => (x) => stream ? value2(x) : x === null ? void 0 : null;
    const tests = {
      V: (x) => cleanVectors(x, count),
      scores: (x) => list2(x, count, finite) ? [...x] : null,
      temperature: (x) => x === "inf" || Number.isFinite(x) && x >= 0 ? x : null,
      direction: (x) => Number.isInteger(x) && x >= 0 && x < count ? x : null,
      along: (x) => Number.isFinite(x) && Math.abs(x) <= 1 ? x : null,
      hold_output: (x) => typeof x === "boolean" ? x : null,
      W_O: outside((x) => cleanVectors(x, 2)),
      x: outside((x) => list2(x, 2, finite) ? [...x] : null)
    };
    const state = {};
    for (const [name, test] of Object.entries(tests)) {
      if (!Object.hasOwn(raw, name)) continue;
      const value2 = test(raw[name]);
      if (value2 === null) return null;
      if (value2 !== void 0) state[name] = value2;
    }
    if (Object.hasOwn(raw, "mask")) {
      if (raw.mask !== null && !list2(raw.mask, count, (x) => typeof x === "boolean")) return null;
      state.mask = raw.mask;
    }
    return state;
  }
  function numbers2({ V, scores: scores2, temperature, mask, direction: direction3, along, W_O, x }) {
    const may = mask ?? V.map(() => true);
    const a = softmax(scores2, { may, temperature }), y = mixture(a, V);
    const line2 = a && equivalentLine(V, may, a, direction3), b = line2 && equivalentRow(line2, direction3, along);
    const open = V.filter((_, j) => may[j]), images = W_O && V.map((v) => times(v, W_O));
    const projected = W_O && y && times(y, W_O), stream = projected && projected.map((p, c) => x[c] + p);
    const lies = (p) => [open, W_O && open.map((v) => times(v, W_O))].map((points2) => hullVerdict(p, points2));
    return {
      allowed: may,
      weights: a,
      output: y,
      line: line2?.rows,
      other: b,
      otherOutput: mixture(b, V),
      single: !(line2?.rows.length > 1),
      dimension: a ? outputSpan(V, may).dimension : 0,
      settled: !equivalentDirection(V, may, direction3),
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
  function start3(model, el, page, view) {
    const get = (name) => model.get(name);
    const count = get("V").length, tokens = get("tokens"), withStream = get("W_O") !== null;
    const signs = get("V").map((_, j) => `v${subscript(j + 1)}`);
    const short3 = tokens?.map((t) => visible(t, 14));
    const named2 = (j) => signs[j] + (tokens ? ` \xB7 ${short3[j]}` : "");
    const called = (j) => `${mixtureHull.value} ${j + 1}${tokens ? ` (${short3[j]})` : ""}`;
    const state = () => Object.fromEntries(TRAITS3.map((name) => [name, get(name)]));
    let last = {}, known = null;
    const compute = () => {
      const now = state();
      if (!known || TRAITS3.some((name) => now[name] !== last[name])) {
        const read = { ...now, temperature: now.temperature === "inf" ? Infinity : now.temperature };
        [last, known] = [now, { ...read, ...numbers2(read) }];
      }
      return known;
    };
    let asked = -1, seen = null, question2 = null, ghosts = null;
    const frame2 = createFrame({
      model,
      el,
      page,
      label: mixtureHull.label,
      traits: TRAITS3,
      compute,
      clean: (raw) => cleanState3(raw, { count, stream: withStream }),
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
      code: { kind: "NumPy", name: "mixture_hull.py", make: () => hullLines(state(), tokens, compute().other) },
      predict: {
        cover: () => ({
          stream: [verdicts?.node, ...streamed?.nodes ?? []],
          drift: mixed.course,
          unique: [other.node, mixed.rings, table.node]
        })[question2.kind],
        ask() {
          const now = JSON.stringify(state());
          if (now !== seen) [seen, asked] = [now, asked + 1];
          const open = questions(compute(), { asked, named: named2 });
          return question2 = open.length ? open[asked % open.length] : null;
        }
      }
    });
    view.apply = (raw) => frame2.apply(raw);
    const forbid = (j, may) => {
      const row = (get("mask") ?? get("V").map(() => true)).map((old, k) => k === j ? may : old);
      frame2.set("mask", row.every(Boolean) ? null : row);
      frame2.commit();
    };
    const points2 = get("V").map((_, index) => ({
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
      points: points2,
      moved({ index }, place) {
        const V = get("V"), { weights: a } = compute();
        if (!get("hold_output") || !a) return V.map((v, j) => j === index ? place : v);
        const held = compensatedValues(V, a, index, place);
        if (!held) frame2.say(mixtureHull.cannotHold(called(index)));
        return held?.map((v) => v.map((p) => Number(p.toPrecision(12)))) ?? V;
      }
    });
    const mixed = drawHull(plane2, count);
    const rows = createRows({ frame: frame2, count, wide: Boolean(tokens), named: named2, called, forbid });
    const other = createOther({ frame: frame2, count, signs, named: named2, called });
    const table = createTable3({ count, named: named2 });
    const temperature = createTemperature(frame2);
    const hold = html("input", { type: "checkbox" });
    frame2.on(hold, "change", () => {
      frame2.set("hold_output", hold.checked);
      frame2.commit();
    });
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
    const matrix3 = withStream && createMatrix2(frame2);
    const verdicts = withStream && createVerdicts2();
    const title = (...parts3) => html("p", { class: "ag-title" }, ...parts3);
    const panel = (name, draw, ...parts3) => frame2.region(html("section", { class: `ag-panel ${name}` }, ...parts3), draw);
    const at2 = html("span", { class: "ag-number-text" });
    frame2.body.append(
      html("p", {}, mixtureHull.lead),
      frame2.region(temperature.node, temperature.draw),
      html(
        "div",
        { class: "ag-panels" },
        panel(
          "ag-hull-plane",
          (now) => {
            plane2.draw(null);
            ghosts = now.hold_output ? ghosts ?? now.V : null;
            mixed.draw(now, ghosts);
            plane2.picture.querySelectorAll("[data-handle]").forEach((node, j) => node.classList.toggle("ag-hull-masked", !now.allowed[j]));
            hold.checked = now.hold_output;
            text(at2, now.output ? `y = (${now.output.map((p) => fixed(p)).join(", ")})` : mixtureHull.masked);
            other.draw(now);
          },
          title(legend("v", mixtureHull.values), legend("y", mixtureHull.output), at2),
          plane2.picture,
          html("p", { class: "ag-hint ag-hull-legend" }, mixtureHull.legend),
          plane2.fields,
          html(
            "div",
            { class: "ag-row ag-hull-hold" },
            html("label", { class: "ag-field ag-check" }, hold, html("span", {}, mixtureHull.hold)),
            about(mixtureHull.hold, mixtureHull.holdHint)
          ),
          other.node
        ),
        panel(
          "ag-hull-weights",
          rows.draw,
          html("div", { class: "ag-title" }, mixtureHull.rowsTitle, about(mixtureHull.rowsTitle, mixtureHull.rowsHint)),
          rows.node
        ),
        withStream ? panel(
          "ag-hull-after",
          (now) => {
            streamPlane.draw(null);
            streamed.draw(now);
            matrix3.draw(now);
            verdicts.draw(now);
          },
          html("div", { class: "ag-title" }, html("span", {}, ...formula(mixtureHull.streamTitle)), about(mixtureHull.streamTitle, ...formula(mixtureHull.streamHint))),
          html(
            "div",
            { class: "ag-hull-split" },
            html("div", { class: "ag-hull-part" }, streamPlane.picture, streamPlane.fields),
            html(
              "div",
              { class: "ag-hull-part" },
              title(legend("image", mixtureHull.images), legend("x", mixtureHull.residual)),
              matrix3.node,
              verdicts.node,
              html("p", { class: "ag-hint" }, ...formula(mixtureHull.lemma))
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
      ...streamPlane ? [{ title: mixtureHull.streamTitle.replace("_", ""), picture: streamPlane.picture }] : []
    ], frame2.root);
    return () => frame2.dispose();
  }

  // arrows.js
  var HALF2 = [23, 6];
  var CLEAR = 34;
  function drawArrows(plane2, get) {
    const level = svg("path", { class: "ag-level" });
    const levelName = svg("text", { class: "ag-tick", "text-anchor": "middle" }, queryKeyPlane.zeroLine);
    const arrow = (kind) => svg("path", { class: `ag-shaft ag-${kind}-line${plane2.crowd ? " ag-faint" : ""}` });
    const keys = get("K").map(() => arrow("k")), queries = get("Q").map(() => arrow("q"));
    plane2.under.append(level, ...keys, ...queries, levelName);
    return {
      draw(selected, mode) {
        const shaft = (p) => `M160 160L${plane2.place(p).map((x2) => x2.toFixed(2)).join(" ")}`;
        get("K").forEach((k, j) => attr(keys[j], "d", shaft(k)));
        get("Q").forEach((q2, i) => {
          attr(queries[i], "d", shaft(q2));
          queries[i].classList.toggle("ag-strong", i === selected);
        });
        const q = get("Q")[selected], length = Math.hypot(...q);
        const shown = length && mode !== "distance";
        attr(level, "display", shown ? null : "none");
        attr(levelName, "display", shown ? null : "none");
        if (!shown) return;
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
  function fromArrow([x, y], [a, b]) {
    const along = ((x - 160) * (a - 160) + (y - 160) * (b - 160)) / ((a - 160) ** 2 + (b - 160) ** 2 || 1);
    const t = Math.max(0, Math.min(1, along));
    return Math.hypot(x - 160 - t * (a - 160), y - 160 - t * (b - 160));
  }
  function besideLine([u, v], others) {
    const off = 5 + HALF2[0] * Math.abs(v) + HALF2[1] * Math.abs(u);
    const room = (p) => Math.min(...others.map((tip) => fromArrow(p, tip)));
    const up2 = u > 0 ? -1 : 1;
    const spots = [[1, up2], [-1, up2], [1, -up2], [-1, -up2]].map(([end2, side]) => [160 + 132 * end2 * u - side * off * v, 160 + 132 * end2 * v + side * off * u]);
    return spots.find((spot2) => room(spot2) > CLEAR) ?? spots.reduce((a, b) => room(b) > room(a) ? b : a);
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
        lines.forEach((line2, j) => attr(line2, "display", row && row[j] >= 5e-3 ? null : "none"));
        if (!row) return;
        const at2 = plane2.place(y).map((x) => x.toFixed(2)).join(" ");
        attr(diamond, "transform", `translate(${at2})`);
        text(name, `y${subscript(selected + 1)}`);
        lines.forEach((line2, j) => {
          attr(line2, "d", `M${at2}L${plane2.place(V[j]).map((x) => x.toFixed(2)).join(" ")}`);
          attr(line2, "stroke-width", (0.4 + 6 * row[j]).toFixed(2));
        });
      }
    };
  }

  // bars.js
  function createBars({ frame: frame2, keys, named: named2, called, forbid, wide }) {
    const title = html("p", { class: "ag-title" });
    const rows = Array.from({ length: keys }, (_, j) => {
      const box = html("input", { type: "checkbox" });
      const fill2 = html("span", { class: "ag-fill" });
      const track = html("span", { class: "ag-track" }, fill2);
      const number3 = html("span", { class: "ag-number-text" });
      frame2.on(box, "change", () => forbid(j, box.checked));
      const node = html(
        "tr",
        {},
        html("td", {}, html("label", { class: "ag-box" }, box)),
        html("th", { scope: "row" }, html("bdi", {}, named2("k", j))),
        html("td", { class: "ag-bar" }, track),
        html("td", {}, number3)
      );
      return { node, box, fill: fill2, track, number: number3 };
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
      const value2 = html("b", {}), limit = html("span", {});
      return { node: html("div", { class: "ag-fact" }, value2, html("span", {}, name, limit)), value: value2, limit };
    };
    const H2 = stat(queryKeyPlane.entropy), N = stat(queryKeyPlane.effective), none = html("p", {});
    const facts = html("div", { class: "ag-facts" }, H2.node, N.node, none);
    tableNode.style.setProperty("--ag-name", wide ? "112px" : "40px");
    tableNode.style.setProperty("--ag-row", `${Math.max(28, Math.min(52, 300 / keys))}px`);
    return {
      title,
      node: html("div", { class: "ag-stack" }, tableNode, facts),
      draw({ weights, allowed: may, selected: i }) {
        const row = weights[i];
        text(title, queryKeyPlane.weightsOf(named2("q", i)));
        text(caption, queryKeyPlane.weightsOf(called("q", i)));
        rows.forEach(({ box, fill: fill2, track, number: number3, node }, j) => {
          box.checked = may[i][j];
          attr(box, "aria-label", queryKeyPlane.mayAttend(called("q", i), called("k", j)));
          node.classList.toggle("ag-masked", !may[i][j]);
          track.classList.toggle("ag-hatched", !may[i][j]);
          attr(fill2, "style", `transform:scaleX(${row ? row[j].toFixed(4) : 0})`);
          text(number3, may[i][j] ? fixed(row[j], 3) : queryKeyPlane.masked);
        });
        const room = may[i].filter(Boolean).length;
        text(none, row ? "" : queryKeyPlane.allMasked(named2("q", i)));
        H2.node.hidden = N.node.hidden = !row;
        text(H2.value, `${fixed(entropy(row))} ${queryKeyPlane.nats}`);
        text(H2.limit, queryKeyPlane.atMost(fixed(room ? Math.log(room) : null)));
        text(N.value, fixed(effectiveKeys(row)));
        text(N.limit, queryKeyPlane.outOf(room));
      }
    };
  }

  // forms.js
  var MODES = ["dot", "cosine", "distance"];
  var WIDTHS = Array.from({ length: 11 }, (_, s) => 2 ** s);
  var times2 = (A, B) => A.map((row) => B[0].map((_, c) => dot(row, B.map((b) => b[c]))));
  var transposed = (A) => A[0].map((_, c) => A.map((row) => row[c]));
  var norm2 = (x) => Math.hypot(...x);
  var square = (x) => dot(x, x);
  var round = (x) => Math.round(x * 1e12) / 1e12;
  function heights(K) {
    const longest = Math.max(...K.map(square));
    return K.map((k) => Math.sqrt(longest - square(k)));
  }
  function compare(Q, K, mode = "dot", lift = 0) {
    const h = heights(K);
    const one = {
      dot: (q, k) => dot(q, k),
      cosine: (q, k) => norm2(q) && norm2(k) ? dot(q, k) / (norm2(q) * norm2(k)) : null,
      distance: (q, k, j) => -(square(q.map((x, c) => x - k[c])) + (lift * h[j]) ** 2) / 2
    }[mode];
    return Q.map((q) => K.map((k, j) => {
      const value2 = one(q, k, j);
      return value2 === null ? null : round(value2);
    }));
  }
  function attend(Q, K, V, { mode = "dot", lift = 0, scaled = true, ...rest } = {}) {
    const scale = scaled ? Q[0].length ** -0.5 : 1;
    return attention(Q, K, V, { ...rest, S: compare(Q, K, mode, lift).map((row) => row.map((x) => x === null ? null : scale * x)) });
  }
  function affine(K, mode, lift) {
    const h = heights(K);
    return K.map((k, j) => {
      if (mode === "dot") return [k, 0];
      if (mode === "distance") return [k, -(square(k) + (lift * h[j]) ** 2) / 2];
      return norm2(k) ? [k.map((x) => x / norm2(k)), 0] : null;
    });
  }
  function cells2(K, { mode = "dot", lift = 0, reach = 1, may = K.map(() => true) } = {}) {
    const lines = affine(K, mode, lift).map((line2, j) => may[j] ? line2 : null);
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
    return corners2.reduce((sum4, p, i) => {
      const q = corners2[(i + 1) % corners2.length];
      return sum4 + (p[0] * q[1] - q[0] * p[1]) / 2;
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
    const { size, s } = parts2(times2(W_Q, transposed(W_K)));
    return size > 1e-15 * norm2(W_Q.flat()) * norm2(W_K.flat()) ? square(s.flat()) / size ** 2 : null;
  }
  function parts2(B) {
    const half = (sign) => B.map((row, i) => row.map((x, j) => (x + sign * B[j][i]) / 2));
    return { size: norm2(B.flat()), s: half(1), a: half(-1) };
  }
  var IDENTITY = [[1, 0], [0, 1]];
  var TURN = [[0, 1], [-1, 0]];
  function turnForm(W_Q, W_K, share2, known = {}) {
    const { size, s, a } = parts2(times2(W_Q, transposed(W_K)));
    const unit = (part, name, standard) => {
      const length = norm2(part.flat());
      if (length > 1e-6 * size && length > 0) known[name] = part.map((row) => row.map((x) => x / length));
      return known[name] ??= standard.map((row) => row.map((x) => x * Math.SQRT1_2));
    };
    const [us, ua] = [unit(s, "s", IDENTITY), unit(a, "a", TURN)], full = size || 1;
    const B = us.map((row, i) => row.map((x, j) => full * (Math.sqrt(1 - share2) * x + Math.sqrt(share2) * ua[i][j])));
    const inverse = inverted(W_Q);
    return inverse ? { W_Q, W_K: transposed(times2(inverse, B)) } : { W_Q: B, W_K: IDENTITY };
  }
  function inverted([[a, b], [c, d]]) {
    const det = a * d - b * c;
    if (Math.abs(det) <= 1e-6 * square([a, b, c, d])) return null;
    return [[d / det, -b / det], [-c / det, a / det]];
  }
  function basis(seed) {
    const draw = (i) => word(seed * 4 + i) / 2 ** 32;
    const turn = (t) => [[Math.cos(t), Math.sin(t)], [-Math.sin(t), Math.cos(t)]];
    const stretch = [[1.5 + draw(2) / 2, 0], [0, 1 / (1.5 + draw(3) / 2)]];
    return times2(times2(turn(2 * Math.PI * draw(0)), stretch), turn(2 * Math.PI * draw(1)));
  }
  var inBasis = (Q, K, M) => ({ Q: times2(Q, M), K: times2(K, transposed(inverted(M))) });
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
    return WIDTHS.map((d) => {
      const S = rows.map(({ q, K }) => K.map((k) => d - 2 * differing(q, k, d)));
      const mean = (x) => x.reduce((a, b) => a + b, 0) / x.length;
      return {
        d,
        spread: Math.sqrt(mean(S.flat().map((x) => x * x))),
        unscaled: mean(S.map((s) => entropy(softmax(s)))),
        scaled: mean(S.map((s) => entropy(softmax(s.map((x) => x / Math.sqrt(d))))))
      };
    });
  }
  function differing(a, b, d) {
    let count = 0;
    for (let w = 0; 32 * w < d; w++) {
      let x = a[w] ^ b[w];
      if (d - 32 * w < 32) x &= (1 << d - 32 * w) - 1;
      for (x >>>= 0; x; x &= x - 1) count += 1;
    }
    return count;
  }

  // basis.js
  function createBasis({ frame: frame2, get, vectors, settings }) {
    let seed = 0, before = null;
    const rows = ["coordinate", "angle", ...MODES].map((name) => {
      const value2 = html("td", {});
      return { name, value: value2, node: html("tr", {}, html("th", { scope: "row" }, queryKeyPlane.basisRows[name]), value2) };
    });
    const verdict = html("p", {});
    const table = html("table", { class: "ag-compare" }, html("caption", {}, queryKeyPlane.basisCaption), html("tbody", {}, ...rows.map((row) => row.node)));
    const another = frame2.button(queryKeyPlane.basisAnother, () => {
      before ??= vectors();
      const M = basis(++seed);
      if (get("X")) {
        const W_K = get(get("tied") ? "W_Q" : "W_K");
        frame2.set("W_K", times2(W_K, transposed(inverted(M))));
        frame2.set("W_Q", times2(get("W_Q"), M));
        frame2.set("tied", false);
      } else {
        const { Q, K } = inBasis(get("Q"), get("K"), M);
        frame2.set("Q", Q);
        frame2.set("K", K);
      }
      frame2.commit();
    });
    const here = frame2.button(queryKeyPlane.basisHere, () => {
      before = vectors();
      frame2.schedule();
    });
    return {
      node: html(
        "div",
        { class: "ag-experiment" },
        html("div", { class: "ag-part" }, html("p", {}, queryKeyPlane.basisWhat), html("div", { class: "ag-row" }, another, here, about(queryKeyPlane.basisAnother, queryKeyPlane.basisHint))),
        html("div", { class: "ag-part" }, table, verdict)
      ),
      open() {
        before = vectors();
      },
      draw() {
        const moved = distances(before ??= vectors(), vectors(), settings());
        const values = { coordinate: moved.coordinate, angle: moved.cosine, ...moved.weight };
        rows.forEach(({ name, value: value2 }) => text(value2, fixed(values[name], 3)));
        text(verdict, values.coordinate < 5e-4 ? queryKeyPlane.basisNone : values.dot < 5e-4 ? queryKeyPlane.basisGauge : queryKeyPlane.basisMoved);
      }
    };
  }

  // winners.js
  var SHADES = [0.05, 0.14, 0.23, 0.32];
  function drawWinners(plane2, names) {
    const layer = svg("g", { class: "ag-cells" });
    const patches = names.map((_, j) => svg("polygon", { class: "ag-cell", "fill-opacity": SHADES[j % 4] }));
    const labels = names.map((name) => svg("text", { class: "ag-tick ag-cell-name", "text-anchor": "middle" }, visible(name, 8)));
    layer.append(...patches, ...labels);
    plane2.under.prepend(layer);
    return {
      nodes: [layer],
      /** now: { Q, K, mode, lift, allowed, selected }. */
      draw(now) {
        attr(layer, "display", now ? null : "none");
        if (!now) return;
        const found = cells2(now.K, { mode: now.mode, lift: now.lift, reach: plane2.reach, may: now.allowed[now.selected] });
        const arrows = [...now.K, ...now.Q].map(plane2.place);
        found.forEach((corners2, j) => {
          attr(patches[j], "display", corners2 ? null : "none");
          attr(labels[j], "display", corners2 ? null : "none");
          if (!corners2) return;
          const at2 = corners2.map(plane2.place);
          attr(patches[j], "points", at2.map((p) => p.map((x2) => x2.toFixed(1)).join(",")).join(" "));
          const [x, y] = roomiest(at2, arrows);
          attr(labels[j], "x", x.toFixed(1));
          attr(labels[j], "y", (y + 4).toFixed(1));
        });
      }
    };
  }
  function roomiest(corners2, arrows) {
    const whole = area(corners2);
    const centre = [0, 1].map((c) => corners2.reduce((sum4, p, i) => {
      const q = corners2[(i + 1) % corners2.length];
      return sum4 + (p[c] + q[c]) * (p[0] * q[1] - q[0] * p[1]);
    }, 0) / (6 * whole));
    const room = (p) => Math.min(30, ...arrows.map((tip) => Math.min(fromArrow(p, tip), Math.hypot(p[0] - tip[0], p[1] - tip[1]) - 18)));
    const spots = [centre, ...[0.4, 0.7].flatMap((t) => corners2.map((p) => p.map((x, c) => t * x + (1 - t) * centre[c])))];
    return spots.reduce((a, b) => room(b) > room(a) + 3 ? b : a);
  }
  function createTilt(names, label2) {
    const dome = svg("path", { class: "ag-dome" }), floor = svg("path", { class: "ag-floor-edge" });
    const parts3 = names.map((name) => ({
      stem: svg("path", { class: "ag-stem" }),
      line: svg("path", { class: "ag-level" }),
      mark: svg("path", { class: "ag-k", d: "M-6 -6H6V6H-6Z" }),
      name: svg("text", { class: "ag-name", dx: 10, dy: -6 }, visible(name, 8))
    }));
    const query = svg("circle", { class: "ag-q", r: 7 });
    const picture = svg(
      "svg",
      { class: "ag-picture ag-tilt", viewBox: "0 0 320 220", role: "img", "aria-label": label2 },
      floor,
      dome,
      ...parts3.flatMap(({ stem, line: line2 }) => [stem, line2]),
      query,
      ...parts3.flatMap(({ mark: mark2, name }) => [mark2, name])
    );
    return {
      picture,
      draw({ q, K, heights: heights2, lift, best, reach }) {
        const scale = 120 / reach;
        const at2 = ([x, y], z = 0) => [160 + scale * (x + 0.3 * y), 150 - scale * (0.38 * y + 0.85 * z)];
        const d = (points2) => `M${points2.map((p) => p.map((x) => x.toFixed(1)).join(" ")).join("L")}`;
        attr(floor, "d", `${d([[-1, -1], [1, -1], [1, 1], [-1, 1]].map((p) => at2(p.map((x) => x * reach))))}Z`);
        const R2 = Math.max(...K.map((k) => Math.hypot(...k)));
        attr(dome, "d", d(Array.from({ length: 41 }, (_, i) => Math.PI * i / 40).map((t) => at2([R2 * Math.cos(t), 0], lift * R2 * Math.sin(t)))));
        const foot = at2(q);
        attr(query, "cx", foot[0].toFixed(1));
        attr(query, "cy", foot[1].toFixed(1));
        parts3.forEach(({ stem, line: line2, mark: mark2, name }, j) => {
          const top = at2(K[j], lift * heights2[j]);
          attr(stem, "d", d([at2(K[j]), top]));
          attr(line2, "d", d([foot, top]));
          attr(line2, "stroke-width", best === j ? "3" : "1.2");
          for (const node of [mark2, name]) attr(node, "transform", `translate(${top.map((x) => x.toFixed(1)).join(" ")})`);
          text(name, visible(names[j], 8));
        });
      }
    };
  }

  // compare.js
  function createCompare({ frame: frame2, get, names, named: named2, movable }) {
    const modes = segmented(frame2, queryKeyPlane.compareBy, MODES.map((mode) => [mode, queryKeyPlane.modes[mode]]), (mode) => {
      frame2.set("mode", mode);
      frame2.commit();
    });
    const lift = slider(frame2, queryKeyPlane.lift, 100, (x) => frame2.set("lift", x / 100));
    const length = createLength({ frame: frame2, get, named: named2, shown: movable });
    const tilt = createTilt(names, queryKeyPlane.tiltLabel);
    const caption = html("caption", {});
    const heads = [queryKeyPlane.key, queryKeyPlane.length, ...MODES.map((mode) => queryKeyPlane.formulas[mode])].map((head2) => html("th", { scope: "col" }, head2));
    const rows = names.map((_, j) => {
      const cells3 = Array.from({ length: 4 }, () => html("td", {}));
      return { node: html("tr", {}, html("th", { scope: "row" }, html("bdi", {}, named2("k", j))), ...cells3), cells: cells3 };
    });
    const table = html("table", { class: "ag-compare" }, caption, html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...rows.map((row) => row.node)));
    const scroll = html("div", { class: "ag-scroll", role: "group", "aria-label": queryKeyPlane.compareTable }, table);
    const verdict = html("p", {}), lemma = html("p", { class: "ag-hint" });
    const lifting = html("div", { class: "ag-lifting" }, html("div", { class: "ag-row" }, lift.node, about(queryKeyPlane.lift, queryKeyPlane.liftHint)), tilt.picture, lemma);
    return {
      node: html(
        "div",
        { class: "ag-experiment" },
        html("div", { class: "ag-part" }, html("div", { class: "ag-row" }, modes.node, about(queryKeyPlane.compareBy, queryKeyPlane.compareHint)), scroll, verdict, ...length.nodes),
        lifting
      ),
      constrain: length.constrain,
      draw({ Q, K, mode, lift: share2, selected: i, allowed: allowed2, reach }, settled) {
        if (settled) attr(scroll, "tabindex", scroll.scrollWidth > scroll.clientWidth ? "0" : null);
        modes.draw(mode);
        lift.draw(Math.round(share2 * 100), queryKeyPlane.liftText(fixed(share2)));
        length.draw(K);
        lifting.hidden = mode !== "distance";
        const all = MODES.map((each) => compare([Q[i]], K, each, each === "distance" ? share2 : 0)[0]);
        const best = all.map((row) => winners2(row, allowed2[i]));
        text(caption, queryKeyPlane.compareCaption(named2("q", i)));
        rows.forEach(({ cells: cells3 }, j) => {
          text(cells3[0], fixed(norm2(K[j])));
          all.forEach((row, m) => {
            const wins = best[m].includes(j);
            text(cells3[m + 1], `${wins ? "\u2605 " : ""}${row[j] === null ? queryKeyPlane.noCosine : fixed(row[j], 3)}`);
            cells3[m + 1].classList.toggle("ag-best", wins);
            cells3[m + 1].classList.toggle("ag-now", MODES[m] === mode);
          });
        });
        text(heads[4], queryKeyPlane.formulas[share2 ? "lifted" : "distance"]);
        heads.slice(2).forEach((head2, m) => head2.classList.toggle("ag-now", MODES[m] === mode));
        text(verdict, verdictOn(best.map((js) => js.map((j) => named2("k", j)).join(" = ")), share2 ? [] : K));
        if (mode !== "distance") return;
        const equal = equallyLong(K);
        text(lemma, share2 === 1 || equal ? queryKeyPlane.lifted(fixed(Math.max(...K.map(norm2)))) : queryKeyPlane.liftNot(share2 > 0));
        tilt.draw({ q: Q[i], K, heights: heights(K), lift: share2, best: best[2][0], reach });
      }
    };
  }
  var equallyLong = (K) => K.length > 0 && Math.max(...K.map(norm2)) - Math.min(...K.map(norm2)) < 1e-9;
  var winners2 = (row, may) => {
    const open = row.map((x, j) => may[j] && x !== null ? x : -Infinity), top = Math.max(...open);
    return open.flatMap((x, j) => x === top && top > -Infinity ? [j] : []);
  };
  function verdictOn([dot2, cosine2, near], K) {
    if (!dot2) return queryKeyPlane.verdictNone;
    if (dot2 === cosine2 && cosine2 === near) return queryKeyPlane.verdictAll(dot2, equallyLong(K));
    return queryKeyPlane.verdict(dot2, cosine2, near);
  }
  function createLength({ frame: frame2, get, named: named2, shown }) {
    const choice = select(frame2, queryKeyPlane.lengthOf, get("K")?.map((_, j) => [String(j), named2("k", j)]) ?? [], () => frame2.schedule());
    const chosen = () => Number(choice.node.value);
    const stretch = (j, to) => frame2.set("K", get("K").map((k, i) => i === j && norm2(k) ? k.map((x) => x * to / norm2(k)) : k));
    const range = slider(frame2, queryKeyPlane.length, 300, (x) => stretch(chosen(), x / 100), 1);
    const ray = html("input", { type: "checkbox" });
    const equal = frame2.button(queryKeyPlane.equalise, () => {
      const mean = get("K").reduce((sum4, k) => sum4 + norm2(k), 0) / get("K").length;
      frame2.set("K", get("K").map((k) => norm2(k) ? k.map((x) => x * mean / norm2(k)) : k));
      frame2.commit();
    });
    return {
      nodes: shown ? [html("div", { class: "ag-row" }, choice.field, range.node), html(
        "div",
        { class: "ag-row" },
        html("label", { class: "ag-field ag-check" }, ray, html("span", {}, queryKeyPlane.alongRay)),
        equal,
        about(queryKeyPlane.length, queryKeyPlane.lengthHint)
      )] : [],
      /** With the box ticked a key goes to the point of its own ray that is nearest to the hand. */
      constrain(kind, k, p) {
        if (kind !== "k" || !ray.checked || !norm2(k)) return p;
        const unit = k.map((x) => x / norm2(k)), along = Math.max(0.01, unit[0] * p[0] + unit[1] * p[1]);
        return unit.map((x) => Number((x * along).toPrecision(12)));
      },
      draw(K) {
        if (!shown) return;
        const long = norm2(K[chosen()]);
        range.draw(Math.min(300, Math.round(long * 100)), fixed(long));
      }
    };
  }

  // experiments.js
  function createExperiments({ frame: frame2, panels, choose }) {
    const parts3 = Object.entries(panels).map(([name, panel]) => {
      const button = frame2.button(queryKeyPlane.experiments[name], () => choose(button.getAttribute("aria-expanded") === "true" ? null : name), { "aria-expanded": "false" });
      const node = html("section", { class: "ag-panel", hidden: true, role: "group", "aria-label": queryKeyPlane.experiments[name] }, panel.node);
      return { name, panel, button, node };
    });
    let shown = null;
    return {
      node: html(
        "div",
        { class: "ag-experiments" },
        html(
          "div",
          { class: "ag-row", role: "group", "aria-label": queryKeyPlane.experimentsTitle },
          html("span", { class: "ag-experiments-title" }, queryKeyPlane.experimentsTitle),
          ...parts3.map((part) => part.button)
        ),
        ...parts3.map((part) => part.node)
      ),
      draw(now, settled) {
        if (now.experiment !== shown) panels[now.experiment]?.open?.();
        shown = now.experiment;
        for (const { name, panel, button, node } of parts3) {
          attr(button, "aria-expanded", String(name === shown));
          node.hidden = name !== shown;
          if (name === shown) panel.draw(now, settled);
        }
      }
    };
  }

  // pairs.js
  var LARGE2 = 20;
  function createPairs({ frame: frame2, counts, named: named2, called, label: label2, onSelect }) {
    let what = "weights", open = true, drawn2 = null, placed = -1;
    const caption = html("caption", { class: "ag-hidden" });
    const rows = Array.from({ length: counts.queries }, (_, i) => {
      const button = html("button", { type: "button", class: "ag-opener" }, html("bdi", {}, named2("q", i)));
      frame2.on(button, "click", () => {
        open = drawn2.selected === i ? !open : true;
        onSelect(i);
        frame2.schedule();
      });
      const cells3 = Array.from({ length: counts.keys }, () => html("td", {}));
      cells3.forEach((cell) => frame2.on(cell, "click", () => {
        open = true;
        onSelect(i);
        frame2.schedule();
      }));
      return { node: html("tr", {}, html("th", { scope: "row" }, button), ...cells3), button, cells: cells3, known: cells3.map(() => ({})) };
    });
    const steps = createSteps(counts, named2, called);
    const unfold = html("div", { class: "ag-unfold", role: "group", "aria-label": queryKeyPlane.steps }, steps.node);
    const opened = html("tr", { class: "ag-open" }, html("td", { colspan: counts.keys + 1 }, unfold));
    const body = html("tbody", {}, ...rows.map((row) => row.node));
    const heads = Array.from({ length: counts.keys }, (_, j) => html("th", { scope: "col", title: named2("k", j) }, html("bdi", {}, label2(j))));
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
        drawn2 = now;
        const { scores: scores2, weights, allowed: allowed2, selected } = now;
        const largest3 = what === "weights" ? 1 : Math.max(...scores2.flat().map(Math.abs), 1e-12);
        switches.forEach((s) => attr(s.node, "aria-pressed", String(s.kind === what)));
        text(caption, queryKeyPlane.pairsCaption(what === "weights" ? queryKeyPlane.showWeights : queryKeyPlane.showScores));
        rows.forEach((row, i) => {
          row.node.classList.toggle("ag-selected", i === selected);
          attr(row.button, "aria-expanded", String(i === selected && open));
          row.cells.forEach((cell, j) => {
            const may = allowed2[i][j], value2 = what === "weights" ? weights[i]?.[j] : scores2[i][j];
            const known = row.known[j];
            if (known.value === value2 && known.what === what && known.may === may && known.largest === largest3) return;
            row.known[j] = { value: value2, what, may, largest: largest3 };
            drawCell(cell, { value: value2, what, may, largest: largest3 });
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
  function drawCell(cell, { value: value2, what, may, largest: largest3 }) {
    cell.classList.toggle("ag-hatched", !may);
    cell.classList.toggle("ag-no-weight", !may && what === "weights");
    cell.classList.toggle("ag-negative", what === "scores" && value2 < 0);
    text(cell, what === "weights" && !may ? queryKeyPlane.masked : fixed(value2));
    const shade2 = what === "weights" && !may ? 0 : Math.abs(value2) / largest3;
    cell.style.setProperty("--ag-tint", `${Math.round(40 * shade2)}%`);
  }
  function createSteps(counts, named2, called) {
    const caption = html("caption", {});
    const heads = Array.from({ length: 5 }, () => html("th", { scope: "col" }));
    const lines = Array.from({ length: counts.keys }, (_, j) => {
      const cells3 = Array.from({ length: 5 }, () => html("td", {}));
      return { node: html("tr", {}, html("th", { scope: "row" }, html("bdi", {}, named2("k", j))), ...cells3), cells: cells3 };
    });
    const marks = lines.map(({ cells: cells3 }) => cells3[2].appendChild(html("span", {})));
    const total = html("td", {}), one = html("td", {});
    const sumHead = html("th", { scope: "row" }, queryKeyPlane.sum);
    const node = html(
      "table",
      { class: "ag-steps" },
      caption,
      html("thead", {}, html("tr", {}, html("td", {}), ...heads)),
      html("tbody", {}, ...lines.map((line2) => line2.node)),
      html("tfoot", {}, html("tr", {}, sumHead, total, one))
    );
    return {
      node,
      draw({ Q, K, scores: scores2, weights, allowed: allowed2, scaled, temperature: t, selected: i, mode = "dot", lift = 0 }) {
        const s = scores2[i], may = allowed2[i];
        const top = Math.max(...s.filter((_, j) => may[j]));
        const limit = t === 0 || t === Infinity;
        const large = !limit && Math.max(...s.map((x) => Math.abs(x) / t)) > LARGE2;
        const mass = s.map((x, j) => {
          if (!may[j]) return 0;
          if (t === 0) return x === top ? 1 : 0;
          return t === Infinity ? 1 : Math.exp((large ? x - top : x) / t);
        });
        const sum4 = mass.reduce((a, b) => a + b, 0);
        const exp = t === 0 ? queryKeyPlane.argmax : t === Infinity ? queryKeyPlane.uniform : large ? queryKeyPlane.expShifted(t) : queryKeyPlane.exp(t);
        const h = lift ? heights(K) : [];
        [queryKeyPlane.products[mode], queryKeyPlane.scoreOf(queryKeyPlane.products[mode], scaled), queryKeyPlane.mask.toLowerCase(), exp, queryKeyPlane.share].forEach((head2, c) => text(heads[c], head2));
        text(caption, queryKeyPlane.stepsCaption(called("q", i)));
        const masks = allowed2.some((row) => row.includes(false));
        [heads[2], ...lines.map(({ cells: cells3 }) => cells3[2])].forEach((cell) => attr(cell, "hidden", masks ? null : ""));
        attr(sumHead, "colspan", masks ? 4 : 3);
        lines.forEach(({ cells: cells3 }, j) => {
          text(cells3[0], { dot: product2, cosine, distance }[mode](Q[i], K[j], lift * (h[j] ?? 0)));
          text(cells3[1], fixed(s[j], 3));
          cells3[2].classList.toggle("ag-may", may[j]);
          text(marks[j], may[j] ? queryKeyPlane.allowed : "\u2212\u221E");
          text(cells3[3], four(mass[j]));
          text(cells3[4], weights[i] ? fixed(weights[i][j], 3) : queryKeyPlane.masked);
        });
        text(total, four(sum4));
        text(one, weights[i] ? fixed(1, 3) : queryKeyPlane.masked);
      }
    };
  }
  function cosine(q, k) {
    const [a, b] = [norm2(q), norm2(k)];
    return a && b ? `${stored(dot(q, k))} / (${stored(a)}\xD7${stored(b)})
\u2248\xA0${fixed(dot(q, k) / (a * b), 3)}` : queryKeyPlane.noCosine;
  }
  function distance(q, k, h) {
    const terms = [...q.map((x, c) => `(${stored(x - k[c])})\xB2`), ...h ? [`(${stored(h)})\xB2`] : []];
    return `\u2212\xBD(${terms.join("\n+\xA0")})
\u2248\xA0${fixed(-(dot(q, q) - 2 * dot(q, k) + dot(k, k) + h * h) / 2, 3)}`;
  }
  function product2(q, k) {
    const signed2 = (x) => x < 0 ? `(${stored(x)})` : stored(x);
    const result = q[0] * k[0] + q[1] * k[1];
    const shown = (x, digits) => Number(x.toFixed(digits));
    const [a, b, c, d] = [q[0], k[0], q[1], k[1]].map((x) => shown(x, 4));
    const exact = Math.abs(a * b + c * d - shown(result, 3)) < 1e-9;
    return `${stored(q[0])}\xD7${signed2(k[0])}
+\xA0${signed2(q[1])}\xD7${signed2(k[1])}
${exact ? "=" : "\u2248"}\xA0${fixed(result, 3)}`;
  }

  // plane_controls.js
  function createControls2(frame2, counts, named2, choose) {
    const query = select(frame2, queryKeyPlane.query, Array.from({ length: counts.queries }, (_, i) => [String(i), named2("q", i)]), (value2) => choose(Number(value2)));
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
    const number3 = html("span", { class: "ag-number-text ag-reading" });
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
      html("div", { class: "ag-field ag-temperature" }, html("label", { class: "ag-field" }, html("span", {}, queryKeyPlane.temperature), range), number3)
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
        text(number3, `T = ${shown}`);
        attr(range, "aria-valuetext", queryKeyPlane.temperatureText(shown));
      }
    };
  }

  // tokens.js
  var PARTS = ["popularity", "reciprocal", "circulating"];
  function createTokens({ frame: frame2, get }) {
    const known = {};
    const keyMatrix = () => get(get("tied") ? "W_Q" : "W_K");
    const matrices = { W_Q: createMatrix3(frame2, get, "W_Q"), W_K: createMatrix3(frame2, get, "W_K") };
    const tie = html("input", { type: "checkbox" });
    frame2.on(tie, "change", () => {
      frame2.set("tied", tie.checked);
      frame2.commit();
    });
    const turn = slider(frame2, queryKeyPlane.antisymmetry, 100, (position) => {
      const { W_Q, W_K } = turnForm(get("W_Q"), keyMatrix(), position / 100, known);
      frame2.set("tied", false);
      frame2.set("W_Q", W_Q);
      frame2.set("W_K", W_K);
    });
    const form = html("p", { class: "ag-number-text" });
    const bars = PARTS.map((name) => {
      const fill2 = html("span", { class: "ag-fill" }), value2 = html("td", {});
      return { fill: fill2, value: value2, node: html(
        "tr",
        {},
        html("th", { scope: "row", title: queryKeyPlane.shareHints[name] }, queryKeyPlane.shares[name]),
        html("td", { class: "ag-bar" }, html("span", { class: "ag-track" }, fill2)),
        value2
      ) };
    });
    const said = html("p", { class: "ag-hint" });
    return {
      node: html(
        "section",
        { class: "ag-panel ag-source" },
        html("p", { class: "ag-title" }, queryKeyPlane.sourceTitle),
        html(
          "div",
          { class: "ag-experiment" },
          html(
            "div",
            { class: "ag-part" },
            html("div", { class: "ag-row ag-matrices" }, matrices.W_Q.node, matrices.W_K.node),
            html("div", { class: "ag-row" }, html("label", { class: "ag-field ag-check" }, tie, html("span", {}, queryKeyPlane.tie)), about(queryKeyPlane.tie, queryKeyPlane.tieHint)),
            html("div", { class: "ag-row" }, turn.node, about(queryKeyPlane.antisymmetry, queryKeyPlane.antisymmetryHint)),
            form
          ),
          html(
            "div",
            { class: "ag-part" },
            html("table", { class: "ag-shares" }, html("caption", {}, queryKeyPlane.sharesTitle), html("tbody", {}, ...bars.map((bar) => bar.node))),
            said
          )
        )
      ),
      draw({ scores: scores2, tied, W_Q, W_K }) {
        const used = tied ? W_Q : W_K, share2 = symmetricShare(W_Q, used);
        matrices.W_Q.draw(W_Q);
        matrices.W_K.draw(used, tied);
        tie.checked = tied;
        turn.draw(Math.round(100 * (1 - (share2 ?? 1))), share2 === null ? "\u2013" : queryKeyPlane.antisymmetryText(fixed(1 - share2)));
        text(form, queryKeyPlane.formLine(W_Q.map((row) => used.map((other) => fixed(row[0] * other[0] + row[1] * other[1])))));
        const whole = scores2.flat().every((s) => s !== null), shares2 = whole ? energyShares(scores2) : [null, null, null];
        bars.forEach(({ fill: fill2, value: value2 }, i) => {
          attr(fill2, "style", `transform:scaleX(${(shares2[i] ?? 0).toFixed(4)})`);
          text(value2, fixed(shares2[i], 3));
        });
        text(said, shares2[2] === null ? queryKeyPlane.sharesNone : shares2[2] < 5e-4 ? queryKeyPlane.sharesReversible : queryKeyPlane.sharesCirculate);
      }
    };
  }
  function createMatrix3(frame2, get, name) {
    const inputs = [0, 1].map((r) => [0, 1].map((c) => {
      const input = html("input", { class: "ag-number", type: "number", step: "0.1", "aria-label": queryKeyPlane.entry(name, r + 1, c + 1) });
      const take = () => {
        const x = input.valueAsNumber;
        if (!Number.isFinite(x) || Math.abs(x) > 1e6) return false;
        frame2.set(name, get(name).map((row, i) => i === r ? row.map((y, j) => j === c ? x : y) : row));
        return true;
      };
      frame2.on(input, "input", take);
      frame2.on(input, "change", () => {
        if (take()) frame2.commit();
        else frame2.schedule();
      });
      return input;
    }));
    return {
      node: html(
        "div",
        { class: "ag-matrix", role: "group", "aria-label": queryKeyPlane.matrixNames[name] },
        html("span", { "aria-hidden": "true" }, queryKeyPlane.matrixNames[name]),
        html("div", { class: "ag-entries" }, ...inputs.flat())
      ),
      draw(rows, locked = false) {
        inputs.forEach((line2, r) => line2.forEach((input, c) => {
          if (document.activeElement !== input) input.value = String(Number(rows[r][c].toFixed(4)));
          input.disabled = locked;
        }));
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
  function createWidth({ frame: frame2 }) {
    let found = null;
    const range = slider(frame2, queryKeyPlane.width, WIDTHS.length - 1, (s) => frame2.set("d_k", WIDTHS[s]));
    const rule = svg("path", { class: "ag-rule" });
    const curve3 = (kind) => ({ kind, line: svg("path", { class: `ag-curve ag-curve-${kind}` }), dot: svg("path", { class: `ag-curve-dot ag-curve-${kind}`, d: kind === "scaled" ? "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0Z" : "M-5.5 -5.5H5.5V5.5H-5.5Z" }) });
    const curves = [curve3("scaled"), curve3("unscaled")];
    const ticks = [
      ...[0, 1, 2].map((h) => svg("text", { class: "ag-tick", x: LEFT - 7, y: up(h) + 4, "text-anchor": "end" }, String(h))),
      ...[0, 2, 4, 6, 8, 10].map((s) => svg("text", { class: "ag-tick", x: across2(s), y: BOTTOM + 17, "text-anchor": "middle" }, String(WIDTHS[s])))
    ];
    const names = {
      scaled: svg("text", { class: "ag-name", x: RIGHT, y: up(2.35) + 22, "text-anchor": "end" }, queryKeyPlane.curveScaled),
      unscaled: svg("text", { class: "ag-name", x: RIGHT, y: up(0.62), "text-anchor": "end" }, queryKeyPlane.curveUnscaled)
    };
    const picture = svg(
      "svg",
      { class: "ag-picture ag-chart", viewBox: "0 0 320 216", role: "img" },
      svg("path", { class: "ag-axis", d: `M${LEFT} ${TOP2}V${BOTTOM}H${RIGHT}` }),
      svg("path", { class: "ag-most", d: `M${LEFT} ${TOP2}H${RIGHT}` }),
      svg("text", { class: "ag-tick", x: LEFT + 4, y: TOP2 - 4 }, queryKeyPlane.mostEntropy),
      rule,
      ...curves.flatMap(({ line: line2, dot: dot2 }) => [line2, dot2]),
      ...ticks,
      ...Object.values(names),
      svg("text", { class: "ag-tick", x: (LEFT + RIGHT) / 2, y: BOTTOM + 34, "text-anchor": "middle" }, queryKeyPlane.widthAxis)
    );
    const said = html("p", {});
    const heads = [queryKeyPlane.widthAxis, queryKeyPlane.spread, queryKeyPlane.curveUnscaled, queryKeyPlane.curveScaled].map((head2) => html("th", { scope: "col" }, head2));
    const body = html("tbody", {});
    const table = html(
      "details",
      { class: "ag-help" },
      html("summary", {}, queryKeyPlane.widthTable),
      html("table", { class: "ag-compare" }, html("caption", { class: "ag-hidden" }, queryKeyPlane.widthCaption), html("thead", {}, html("tr", {}, ...heads)), body)
    );
    const compute = () => {
      found = widthExperiment();
      curves.forEach(({ kind, line: line2 }) => attr(line2, "d", `M${found.map((row, s) => `${across2(s).toFixed(1)} ${up(row[kind]).toFixed(1)}`).join("L")}`));
      attr(picture, "aria-label", queryKeyPlane.widthLabel(found.map((row) => queryKeyPlane.widthLine(row.d, fixed(row.unscaled), fixed(row.scaled))).join(" ")));
      body.append(...found.map((row) => html("tr", {}, html("th", { scope: "row" }, String(row.d)), ...[row.spread, row.unscaled, row.scaled].map((x) => html("td", {}, fixed(x))))));
    };
    return {
      node: html(
        "div",
        { class: "ag-experiment" },
        html("div", { class: "ag-part" }, html("p", {}, queryKeyPlane.widthWhat(DRAWS, RIVALS)), html("div", { class: "ag-row" }, range.node, about(queryKeyPlane.width, queryKeyPlane.widthHint)), said, table),
        picture
      ),
      draw({ d_k }) {
        if (!found) compute();
        const s = WIDTHS.indexOf(d_k), row = found[s];
        range.draw(s, `d = ${d_k}`);
        attr(rule, "d", `M${across2(s).toFixed(1)} ${TOP2}V${BOTTOM}`);
        curves.forEach(({ kind, dot: dot2 }) => attr(dot2, "transform", `translate(${across2(s).toFixed(1)} ${up(row[kind]).toFixed(1)})`));
        text(said, queryKeyPlane.widthSaid(d_k, fixed(row.spread), fixed(row.unscaled), fixed(row.scaled)));
      }
    };
  }

  // query_key_plane.js
  var SILENT = { mode: "dot", lift: 0, experiment: null, d_k: 64, X: null, W_Q: null, W_K: null, tied: false };
  var TRAITS4 = ["Q", "K", "V", "temperature", "scaled", "mask", "selected", ...Object.keys(SILENT)];
  var NAMES = ["query_tokens", "key_tokens", "one_set", "tasks"];
  function render4({ model, el, page = null, view = {} }) {
    for (const [name, value2] of Object.entries(SILENT)) if (model.get(name) === void 0) model.set(name, value2);
    const shape = () => JSON.stringify([...["Q", "K", "V", "X"].map((name) => model.get(name)?.length), ...NAMES.map((name) => model.get(name))]);
    let now = shape();
    let dispose = start4(model, el, page, view);
    const restart = () => {
      if (shape() === now) return;
      now = shape();
      dispose();
      dispose = start4(model, el, page, view);
    };
    const watched = ["Q", "K", "V", "X", ...NAMES].map((name) => `change:${name}`);
    for (const event of watched) model.on(event, restart);
    return () => {
      for (const event of watched) model.off(event, restart);
      dispose();
    };
  }
  var query_key_plane_default = { render: render4 };
  function cleanState4(raw, { queries, keys, values, tokens = false }) {
    const points2 = (count, here) => (x) => here ? cleanVectors(x, count) : x === null ? void 0 : null;
    const one = (choices) => (x) => choices.includes(x) ? x : null;
    const tests = {
      Q: points2(queries, !tokens),
      K: points2(keys, !tokens),
      X: points2(queries, tokens),
      W_Q: points2(2, tokens),
      W_K: points2(2, tokens),
      tied: (x) => typeof x === "boolean" && (tokens || !x) ? x : null,
      mode: one(MODES),
      lift: (x) => Number.isFinite(x) && x >= 0 && x <= 1 ? x : null,
      d_k: one(WIDTHS),
      V: (x) => values ? cleanVectors(x, keys) : x === null ? void 0 : null,
      temperature: (x) => x === "inf" || Number.isFinite(x) && x >= 0 ? x : null,
      scaled: (x) => typeof x === "boolean" ? x : null,
      selected: (x) => Number.isInteger(x) && x >= 0 && x < queries ? x : null
    };
    const state = {};
    for (const [name, test] of Object.entries(tests)) {
      if (!Object.hasOwn(raw, name)) continue;
      const value2 = test(raw[name]);
      if (value2 === null) return null;
      if (value2 !== void 0) state[name] = value2;
    }
    if (Object.hasOwn(raw, "experiment")) {
      if (![null, "compare", "width", "basis"].includes(raw.experiment)) return null;
      state.experiment = raw.experiment;
    }
    if (Object.hasOwn(raw, "mask")) {
      const { mask } = raw;
      const rows = Array.isArray(mask) && mask.length === queries && mask.every((row) => Array.isArray(row) && row.length === keys && row.every((x) => typeof x === "boolean"));
      if (!(mask === null || rows || mask === "causal" && queries === keys)) return null;
      state.mask = mask;
    }
    return state;
  }
  function start4(model, el, page, view) {
    const get = (name) => model.get(name);
    const source = get("X") ? "tokens" : "free", values = Boolean(get("V"));
    const vectors = keep(["Q", "K", "X", "W_Q", "W_K", "tied"], get, (Q, K, X, W_Q, W_K, tied) => X ? { Q: times2(X, W_Q), K: times2(X, tied ? W_Q : W_K) } : { Q, K });
    const counts = { queries: vectors().Q.length, keys: vectors().K.length, values, tokens: source === "tokens" };
    const T = () => get("temperature") === "inf" ? Infinity : get("temperature");
    const signs = Object.fromEntries([..."qkvx"].map((kind) => [kind, Array.from({ length: 32 }, (_, i) => `${kind}${subscript(i + 1)}`)]));
    const tokens = { q: get("query_tokens"), k: get("key_tokens"), x: get("query_tokens") };
    const labels = { q: tokens.q ?? signs.q, k: tokens.k ?? signs.k, x: tokens.x ?? signs.x };
    const short3 = (kind, i) => visible(tokens[kind][i], 14);
    const called = (kind, i) => `${queryKeyPlane.spoken[kind]} ${i + 1}${tokens[kind] ? ` (${short3(kind, i)})` : ""}`;
    const named2 = (kind, i) => signs[kind][i] + (tokens[kind] ? ` \xB7 ${short3(kind, i)}` : "");
    const settings = () => ({ scaled: get("scaled"), mask: get("mask"), temperature: T() });
    const compute = () => {
      const now = { ...Object.fromEntries(TRAITS4.map((name) => [name, get(name)])), ...vectors(), ...settings() };
      return { ...now, ...attend(now.Q, now.K, values ? now.V : null, now) };
    };
    const frame2 = createFrame({
      model,
      el,
      page,
      label: queryKeyPlane.label,
      traits: TRAITS4,
      clean: (raw) => cleanState4(raw, counts),
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
        cover: () => [bars.node, graph.picture.parentNode, pairs.node, mixed, ...mixture2?.nodes ?? [], experiments.node, ...winners3.nodes],
        ask() {
          const { weights, scores: scores2, allowed: may, selected: i } = compute(), row = weights[i];
          if (!row) return null;
          const open = row.map((_, j) => j).filter((j) => may[i][j]);
          const best = open.filter((j) => row[j] > Math.max(...row) - 1e-12);
          return {
            question: queryKeyPlane.ask(named2("q", i)),
            options: [...open.map((j) => named2("k", j)), ...open.length > 1 ? [queryKeyPlane.askTie] : []],
            answer: best.length > 1 ? open.length : open.indexOf(best[0]),
            why: queryKeyPlane.askWhy(open.map((j) => `${named2("k", j)} ${fixed(scores2[i][j], 3)}`).join(", "))
          };
        }
      },
      code: { kind: "NumPy", name: "query_key_plane.py", make: () => numpyLines({ ...state(), ...vectors() }, { ...tokens, source: state() }) }
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
      sign: signs[kind][index],
      label: labels[kind]?.[index] ?? signs[kind][index],
      full: tokens[kind]?.[index],
      name: kind === "v" ? `${queryKeyPlane.spoken.v} ${index + 1}` : called(kind, index)
    });
    const pick = (wanted) => ({ kind, index }, dragging) => {
      if (kind !== wanted || index === get("selected")) return;
      frame2.set("selected", index);
      if (!dragging) frame2.commit("select");
    };
    const range = [...vectors().Q, ...vectors().K];
    const pairPlane = createPlane({
      frame: frame2,
      label: queryKeyPlane.planeLabel,
      initial: range,
      vectors: () => [...vectors().Q, ...vectors().K],
      points: [...vectors().K.map(point3("k", "K")), ...vectors().Q.map(point3("q", "Q"))],
      derived: counts.tokens,
      at: (trait) => vectors()[trait],
      moved: ({ kind, trait, index }, place) => get(trait).map((row, i) => i === index ? panels.compare.constrain(kind, row, place) : row),
      onHold: pick("q")
    });
    const tokenPlane = counts.tokens && createPlane({
      frame: frame2,
      label: queryKeyPlane.tokensLabel,
      initial: get("X"),
      vectors: () => get("X"),
      points: get("X").map(point3("x", "X")),
      onHold: pick("x")
    });
    const winners3 = drawWinners(pairPlane, labels.k.slice(0, counts.keys));
    const arrows = drawArrows(pairPlane, (name) => vectors()[name]);
    const valuePlane = values && createPlane({
      frame: frame2,
      label: queryKeyPlane.valuesLabel,
      initial: get("V"),
      vectors: () => get("V"),
      points: get("V").map(point3("v", "V"))
    });
    const mixture2 = valuePlane && drawMixture(valuePlane, get);
    const nodes = (kind, count) => labels[counts.tokens ? "x" : kind].slice(0, count);
    const graph = createGraph2({
      frame: frame2,
      called,
      queries: nodes("q", counts.queries),
      keys: nodes("k", counts.keys),
      oneSet: get("one_set"),
      onSelect: choose
    });
    const bars = createBars({ frame: frame2, keys: counts.keys, named: named2, called, forbid, wide: Boolean(tokens.k) });
    const pairs = createPairs({ frame: frame2, counts, named: named2, called, label: (j) => visible(labels.k[j], 7), onSelect: choose });
    const controls = createControls2(frame2, counts, named2, choose);
    const panels = {
      compare: createCompare({ frame: frame2, get, names: labels.k.slice(0, counts.keys), named: named2, movable: !counts.tokens }),
      width: createWidth({ frame: frame2 }),
      basis: createBasis({ frame: frame2, get, vectors, settings })
    };
    const experiments = createExperiments({
      frame: frame2,
      panels,
      choose(name) {
        frame2.set("experiment", name);
        if (name === null) frame2.set("mode", "dot");
        frame2.commit();
      }
    });
    const origin = counts.tokens && createTokens({ frame: frame2, get });
    const title = (...parts3) => html("p", { class: "ag-title" }, ...parts3);
    const legend2 = (kind, word2) => html("span", { class: "ag-key" }, glyph(kind), word2);
    const panel = (draw, ...parts3) => frame2.region(html("section", { class: "ag-panel" }, ...parts3), draw);
    const compared = html("span", { class: "ag-compared" });
    const mixed = html("span", { class: "ag-number-text" });
    frame2.body.append(
      frame2.region(controls.node, controls.draw),
      html(
        "div",
        { class: "ag-panels" },
        tokenPlane ? panel((now) => tokenPlane.draw(`x${now.selected}`), title(legend2("x", queryKeyPlane.tokens)), tokenPlane.picture, tokenPlane.fields) : "",
        panel(
          (now) => {
            pairPlane.draw(`q${now.selected}`);
            arrows.draw(now.selected, now.mode);
            winners3.draw(now.experiment === "compare" ? now : null);
            text(compared, now.mode === "dot" ? "" : queryKeyPlane.modes[now.mode]);
          },
          title(legend2("q", queryKeyPlane.queries), legend2("k", queryKeyPlane.keys), compared),
          pairPlane.picture,
          counts.tokens ? html("p", { class: "ag-hint" }, queryKeyPlane.derived) : pairPlane.fields
        ),
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
      ...origin ? [frame2.region(origin.node, origin.draw)] : [],
      frame2.region(experiments.node, (now, settled) => experiments.draw({ ...now, reach: pairPlane.reach }, settled)),
      frame2.region(pairs.node, pairs.draw),
      html("details", { class: "ag-help" }, html("summary", {}, plane.helpTitle), html("p", { class: "ag-hint" }, plane.help)),
      ...frame2.actions().filter(Boolean)
    );
    if (!counts.tokens) {
      pairPlane.hold(`q${get("selected")}`);
      pairPlane.hold(null);
    }
    const state = () => Object.fromEntries(TRAITS4.map((name) => [name, get(name)]));
    const composed = () => composeSvg([
      ...tokenPlane ? [{ title: queryKeyPlane.tokens, picture: tokenPlane.picture }] : [],
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
  function keep(names, get, make) {
    let known = [], value2 = null;
    return () => {
      const now = names.map(get);
      if (now.some((x, i) => x !== known[i])) [known, value2] = [now, make(...now)];
      return value2;
    };
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
