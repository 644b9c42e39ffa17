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
  var dot = (a, b) => a.reduce((sum2, x, i) => sum2 + x * b[i], 0);
  function scores(Q, K, { scaled = true } = {}) {
    const scale = scaled ? Q[0].length ** -0.5 : 1;
    return Q.map((q) => K.map((k) => scale * (Math.round(dot(q, k) * 1e12) / 1e12)));
  }
  function allowed(mask, queries, keys) {
    return Array.from({ length: queries }, (_, i) => Array.from({ length: keys }, (_2, j) => mask === "causal" ? j <= i : mask ? mask[i][j] : true));
  }
  function logits(s, may, temperature = 1) {
    const largest = Math.max(...s.filter((_, j) => may[j]));
    if (!may.some(Boolean)) return null;
    return s.map((x, j) => {
      if (!may[j]) return -Infinity;
      if (temperature === Infinity) return 0;
      if (temperature === 0) return x === largest ? 0 : -Infinity;
      return (x / 2 - largest / 2) / temperature * 2;
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
      const corners = [];
      for (const p of ordered) {
        while (corners.length > 1 && cross(corners.at(-2), corners.at(-1), p) <= 0) corners.pop();
        corners.push(p);
      }
      return corners.slice(0, -1);
    };
    return [...chain(sorted), ...chain(sorted.reverse())];
  }
  function niceRange(vectors, margin = 1.15) {
    const largest = margin * Math.max(...vectors.flat().map(Math.abs));
    if (!(largest > 0)) return 1;
    const unit = 10 ** (Math.floor(Math.log10(largest)) - 1);
    return Math.ceil(largest / unit - 1e-9) * unit;
  }
  function tickStep(reach) {
    const unit = 10 ** Math.floor(Math.log10(reach / 3));
    return [1, 2, 5, 10].map((f) => f * unit).find((step) => step >= reach / 3 - 1e-12);
  }
  var sum = (x) => x.reduce((a, b) => a + b, 0);
  var cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

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
    const room = ([x, y]) => Math.min(...others.map(([a, b]) => {
      const along = ((x - 160) * (a - 160) + (y - 160) * (b - 160)) / ((a - 160) ** 2 + (b - 160) ** 2 || 1);
      const t = Math.max(0, Math.min(1, along));
      return Math.hypot(x - 160 - t * (a - 160), y - 160 - t * (b - 160));
    }));
    const up = u > 0 ? -1 : 1;
    const spots = [[1, up], [-1, up], [1, -up], [-1, -up]].map(([end, side]) => [160 + 132 * end * u - side * off * v, 160 + 132 * end * v + side * off * u]);
    return spots.find((spot) => room(spot) > CLEAR) ?? spots.reduce((a, b) => room(b) > room(a) ? b : a);
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
        const room = may[i].filter(Boolean).length;
        text(none, row ? "" : queryKeyPlane.allMasked(named("q", i)));
        H.node.hidden = N.node.hidden = !row;
        text(H.value, `${fixed(entropy(row))} ${queryKeyPlane.nats}`);
        text(H.limit, queryKeyPlane.atMost(fixed(room ? Math.log(room) : null)));
        text(N.value, fixed(effectiveKeys(row)));
        text(N.limit, queryKeyPlane.outOf(room));
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
      const [start3, stop2] = [8, 14].map((r, end) => [x + r * turned[end][0], y + r * turned[end][1]]);
      const [g, h] = turned.map(([u3, v3]) => [x + 36 * u3, y + 36 * v3]), [u2, v2] = turned[1];
      return { d: `M${point(start3)}C${point(g)} ${point(h)} ${point(stop2)}`, tip: [x + 8.5 * u2, y + 8.5 * v2], angle: degrees(-u2, -v2) };
    }
    const [u, v] = onCircle(j, n), bend = 0.16;
    const mid = [(x + u) / 2 - bend * (v - y), (y + v) / 2 + bend * (u - x)];
    const start2 = toward([x, y], mid, 8), stop = toward([u, v], mid, 13);
    return { d: `M${point(start2)}Q${point(mid)} ${point(stop)}`, tip: toward([u, v], mid, 8.5), angle: degrees(u - mid[0], v - mid[1]) };
  }
  function sideEdge(i, j, n, m) {
    const a = beside(i, n, true), b = beside(j, m, false);
    return {
      d: `M${point(toward(a, b, 10))}L${point(toward(b, a, 15))}`,
      tip: toward(b, a, 10.5),
      angle: degrees(b[0] - a[0], b[1] - a[1])
    };
  }
  var point = ([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`;
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
        const largest = what === "weights" ? 1 : Math.max(...scores2.flat().map(Math.abs), 1e-12);
        switches.forEach((s) => attr(s.node, "aria-pressed", String(s.kind === what)));
        text(caption, queryKeyPlane.pairsCaption(what === "weights" ? queryKeyPlane.showWeights : queryKeyPlane.showScores));
        rows.forEach((row, i) => {
          row.node.classList.toggle("ag-selected", i === selected);
          attr(row.button, "aria-expanded", String(i === selected && open));
          row.cells.forEach((cell, j) => {
            const may = allowed2[i][j], value = what === "weights" ? weights[i]?.[j] : scores2[i][j];
            const known = row.known[j];
            if (known.value === value && known.what === what && known.may === may && known.largest === largest) return;
            row.known[j] = { value, what, may, largest };
            drawCell(cell, { value, what, may, largest });
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
  function drawCell(cell, { value, what, may, largest }) {
    cell.classList.toggle("ag-hatched", !may);
    cell.classList.toggle("ag-no-weight", !may && what === "weights");
    cell.classList.toggle("ag-negative", what === "scores" && value < 0);
    text(cell, what === "weights" && !may ? queryKeyPlane.masked : fixed(value));
    const shade = what === "weights" && !may ? 0 : Math.abs(value) / largest;
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
        const sum2 = mass.reduce((a, b) => a + b, 0);
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
        text(total, four(sum2));
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
    const all = points.map((point2) => createHandle(point2));
    handles.append(...all.map((handle) => handle.group));
    const fields = coordinateFields();
    const where = ({ trait, index }, state = frame2.model.get(trait)) => index === void 0 ? state : state[index];
    const step = () => 10 ** (Math.floor(Math.log10(reach)) - 2);
    const spoken = (p) => plane.place(fixed(p[0]), fixed(p[1]));
    function createHandle(point2) {
      const name = svg("text", { class: "ag-name" });
      if (point2.full && point2.full !== point2.label) name.append(svg("title", {}, point2.full));
      const caption = document.createTextNode(visible(point2.label, 8));
      name.prepend(caption);
      const group = svg("g", {
        class: `ag-handle ag-handle-${point2.kind}`,
        tabindex: 0,
        role: "slider",
        "aria-roledescription": plane.role,
        "aria-label": point2.name,
        "data-handle": point2.id
      }, svg("circle", { class: "ag-ring", r: 14 }), marker(point2.kind), svg("circle", { class: "ag-hit", r: 17 }), name);
      const handle = { ...point2, group, text: name, letters: [...caption.data].length, at: [160, 160] };
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
    function move(handle, p) {
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
    const follow = () => drag?.moved && move(drag.handle, pointed(drag.x, drag.y, drag.offset));
    frame2.on(picture, "pointermove", (event) => {
      if (event.pointerId !== drag?.id) return;
      if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 2) return;
      Object.assign(drag, { x: event.clientX, y: event.clientY, moved: true });
      frame2.read(follow);
    });
    const drop = (event, keep) => {
      if (event.pointerId !== drag?.id) return;
      const { handle, start: start2 } = drag;
      if (keep) follow();
      else move(handle, start2);
      drag = null;
      picture.classList.remove("ag-dragging");
      commit(handle);
    };
    frame2.on(picture, "pointerup", (event) => drop(event, true));
    frame2.on(picture, "pointercancel", (event) => drop(event, true));
    frame2.on(picture, "click", (event) => {
      if (!pressed || !held || event.target.closest(".ag-handle")) return;
      if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 6) return;
      move(held, pointed(event.clientX, event.clientY));
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
        move(handle, p.map((x, c) => Math.max(-reach, Math.min(reach, x + unit * way[c]))));
        commit(handle, `keys ${handle.id}`);
      } else if (event.key === "Home") {
        move(handle, where(handle, frame2.initial[handle.trait]));
        commit(handle);
      } else if (event.key === "Escape" && drag) {
        const { start: start2 } = drag;
        drag = null;
        picture.classList.remove("ag-dragging");
        move(handle, start2);
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
          move(handle, where(handle).map((x, i) => i === c ? value : x));
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
      const parts = [], numbers = [], unit = tickStep(reach), count = Math.floor(reach / unit + 1e-9);
      for (let i = -count; i <= count; i++) {
        const a = 160 + i * unit / reach * REACH, kind = i ? "ag-grid" : "ag-axis";
        parts.push(svg("path", { class: kind, d: `M${a} 8V312M8 ${320 - a}H312` }));
        if (!i) continue;
        const number = fixed(i * unit, Math.max(0, -Math.floor(Math.log10(unit) + 1e-9)));
        numbers.push(
          svg("text", { class: "ag-tick", x: a, y: 175, "text-anchor": "middle" }, number),
          svg("text", { class: "ag-tick", x: 154, y: 324.5 - a, "text-anchor": "end" }, number)
        );
      }
      grid.replaceChildren(...parts);
      ticks.replaceChildren(...numbers);
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

  // query_key_plane.js
  var TRAITS = ["Q", "K", "V", "temperature", "scaled", "mask", "selected"];
  var NAMES = ["query_tokens", "key_tokens", "one_set", "tasks"];
  function render({ model, el, page = null, view = {} }) {
    const shape = () => JSON.stringify([...["Q", "K", "V"].map((name) => model.get(name)?.length), ...NAMES.map((name) => model.get(name))]);
    let now = shape();
    let dispose = start(model, el, page, view);
    const restart = () => {
      if (shape() === now) return;
      now = shape();
      dispose();
      dispose = start(model, el, page, view);
    };
    const watched = ["Q", "K", "V", ...NAMES].map((name) => `change:${name}`);
    for (const event of watched) model.on(event, restart);
    return () => {
      for (const event of watched) model.off(event, restart);
      dispose();
    };
  }
  var query_key_plane_default = { render };
  function cleanState(raw, { queries, keys, values }) {
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
  function start(model, el, page, view) {
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
      const now = Object.fromEntries(TRAITS.map((name) => [name, get(name)]));
      const options = { scaled: now.scaled, mask: now.mask, temperature: T() };
      return { ...now, temperature: T(), ...attention(now.Q, now.K, counts.values ? now.V : null, options) };
    };
    const frame2 = createFrame({
      model,
      el,
      page,
      label: queryKeyPlane.label,
      traits: TRAITS,
      clean: (raw) => cleanState(raw, counts),
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
    const point2 = (kind, trait) => (_, index) => ({
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
      points: [...get("K").map(point2("k", "K")), ...get("Q").map(point2("q", "Q"))],
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
      points: get("V").map(point2("v", "V"))
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
    const legend = (kind, word) => html("span", { class: "ag-key" }, glyph(kind), word);
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
        }, title(legend("q", queryKeyPlane.queries), legend("k", queryKeyPlane.keys)), pairPlane.picture, pairPlane.fields),
        panel(bars.draw, bars.title, bars.node),
        valuePlane ? panel(({ weights, output, selected: i }) => {
          valuePlane.draw(null);
          mixture2.draw(weights[i], output[i], i);
          text(mixed, output[i] ? `y${subscript(i + 1)} = (${output[i].map((x) => fixed(x)).join(", ")})` : queryKeyPlane.masked);
        }, title(legend("v", queryKeyPlane.values), legend("y", queryKeyPlane.mixture), mixed), valuePlane.picture, valuePlane.fields) : "",
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
    const state = () => Object.fromEntries(TRAITS.map((name) => [name, get(name)]));
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
