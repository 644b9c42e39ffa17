// Queries and keys as arrows in one plane, values and the mixture in another; weights, graph and arithmetic follow.

import { attr, glyph, html, svg, text } from "./dom.js";
import { composeSvg, pngBlob, svgBlob } from "./exports.js";
import { csv, fixed, pythonString, subscript, visible } from "./format.js";
import { allowed, attention, convexHull, effectiveKeys, entropy } from "./geometry.js";
import { createGraph } from "./graph.js";
import { createPairs } from "./pairs.js";
import { createPlane } from "./plane.js";
import { cleanVectors } from "./state.js";
import { plane as planeWords, queryKeyPlane as words } from "./strings.js";
import { createFrame, select, sliderToTemperature, temperatureToSlider } from "./view.js";

const TRAITS = ["Q", "K", "V", "temperature", "scaled", "mask", "selected"];
const CROWD = 12; // with more arrows than this, only the keys and the selected query carry their names
const NAMES = ["query_tokens", "key_tokens", "one_set", "tasks"];

/** Draws the widget and starts it again if Python changes how many vectors there are or what they are called. */
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

export default { render };

/** The parts of a state that came from a link or a task, checked against the vectors at hand; null if any is wrong. */
export function cleanState(raw, { queries, keys, values }) {
  const tests = {
    Q: (x) => cleanVectors(x, queries),
    K: (x) => cleanVectors(x, keys),
    V: (x) => (values ? cleanVectors(x, keys) : x === null ? undefined : null),
    temperature: (x) => (x === "inf" || (Number.isFinite(x) && x >= 0) ? x : null),
    scaled: (x) => (typeof x === "boolean" ? x : null),
    selected: (x) => (Number.isInteger(x) && x >= 0 && x < queries ? x : null),
  };
  const state = {};
  for (const [name, test] of Object.entries(tests)) {
    if (!Object.hasOwn(raw, name)) continue;
    const value = test(raw[name]);
    if (value === null) return null;
    if (value !== undefined) state[name] = value;
  }
  if (Object.hasOwn(raw, "mask")) {
    const { mask } = raw;
    const rows = Array.isArray(mask) && mask.length === queries
      && mask.every((row) => Array.isArray(row) && row.length === keys && row.every((x) => typeof x === "boolean"));
    if (!(mask === null || rows || (mask === "causal" && queries === keys))) return null;
    state.mask = mask;
  }
  return state;
}

function start(model, el, page, view) {
  const get = (name) => model.get(name);
  const counts = { queries: get("Q").length, keys: get("K").length, values: get("V") !== null && get("V") !== undefined };
  const T = () => (get("temperature") === "inf" ? Infinity : get("temperature"));
  const signs = { q: get("Q").map((_, i) => `q${subscript(i + 1)}`), k: get("K").map((_, j) => `k${subscript(j + 1)}`) };
  const tokens = { q: get("query_tokens"), k: get("key_tokens") };
  const labels = { q: tokens.q ?? signs.q, k: tokens.k ?? signs.k };
  const called = (kind, i) => `${words.spoken[kind]} ${i + 1}${tokens[kind] ? ` (${visible(tokens[kind][i], 24)})` : ""}`;
  const named = (kind, i) => signs[kind][i] + (tokens[kind] ? ` · ${visible(tokens[kind][i], 14)}` : "");
  const compute = () => {
    const now = Object.fromEntries(TRAITS.map((name) => [name, get(name)]));
    const options = { scaled: now.scaled, mask: now.mask, temperature: T() };
    return { ...now, temperature: T(), ...attention(now.Q, now.K, counts.values ? now.V : null, options) };
  };

  const frame = createFrame({
    model, el, page, label: words.label, traits: TRAITS,
    clean: (raw) => cleanState(raw, counts),
    compute,
    summary() {
      const i = get("selected"), row = compute().weights[i];
      if (!row) return words.allMasked(called("q", i));
      const j = row.indexOf(Math.max(...row));
      return words.summary(called("q", i), called("k", j), fixed(row[j]));
    },
    files: [
      { kind: "SVG", name: "query-key-plane.svg", make: () => svgBlob(composed()) },
      { kind: "PNG", name: "query-key-plane.png", make: () => pngBlob(composed()) },
      { kind: "CSV", name: "query-key-plane.csv", make: () => new Blob([table()], { type: "text/csv" }) },
    ],
    code: { kind: "NumPy", name: "query_key_plane.py", make: () => numpyLines(state(), tokens) },
  });
  view.apply = (raw) => frame.apply(raw);

  const choose = (i) => {
    if (i === get("selected")) return;
    frame.set("selected", i);
    frame.commit();
  };
  const forbid = (i, j, may) => {
    const rows = allowed(get("mask"), counts.queries, counts.keys);
    rows[i][j] = may;
    frame.set("mask", rows.flat().every(Boolean) ? null : rows);
    frame.commit();
  };

  const point = (kind, trait) => (_, index) => ({
    id: `${kind}${index}`, kind, trait, index, sign: signs[kind]?.[index] ?? `${kind}${subscript(index + 1)}`,
    label: labels[kind]?.[index] ?? `v${subscript(index + 1)}`, full: tokens[kind]?.[index],
    name: kind === "v" ? `${words.spoken.v} ${index + 1}` : called(kind, index),
  });
  const pairPlane = createPlane({
    frame, label: words.planeLabel, initial: [...get("Q"), ...get("K")], vectors: () => [...get("Q"), ...get("K")],
    points: [...get("K").map(point("k", "K")), ...get("Q").map(point("q", "Q"))],
    onHold(handle, dragging) {
      if (handle.kind !== "q" || handle.index === get("selected")) return;
      frame.set("selected", handle.index);
      if (!dragging) frame.commit("select"); // else it is one step with the drag
    },
  });
  const crowd = counts.queries + counts.keys > CROWD;
  pairPlane.picture.classList.toggle("ag-crowd", crowd);
  const arrows = drawArrows(pairPlane, get, crowd);
  const valuePlane = counts.values && createPlane({
    frame, label: words.valuesLabel, initial: get("V"), vectors: () => get("V"), points: get("V").map(point("v", "V")),
  });
  const mixture = valuePlane && drawMixture(valuePlane, get);
  const graph = createGraph({
    frame, called, queries: labels.q, keys: labels.k, oneSet: get("one_set"), onSelect: choose,
  });
  const bars = createBars(frame, counts, named, called, forbid, get);
  const pairs = createPairs({ frame, counts, named, called, label: (j) => visible(labels.k[j], 7), onSelect: choose });
  const controls = createControls(frame, get, counts, named, choose);

  const title = (...parts) => html("p", { class: "ag-title" }, ...parts);
  const legend = (kind, word) => html("span", { class: "ag-key" }, glyph(kind), word);
  const panel = (draw, ...parts) => frame.region(html("section", { class: "ag-panel" }, ...parts), draw);
  const mixed = html("span", { class: "ag-number-text" });
  frame.body.append(
    frame.region(controls.node, controls.draw),
    html("div", { class: "ag-panels" },
      panel((now) => {
        pairPlane.draw(`q${now.selected}`);
        arrows.draw(now.selected);
      }, title(legend("q", words.queries), legend("k", words.keys)), pairPlane.picture, pairPlane.fields),
      panel(bars.draw, bars.title, bars.node),
      valuePlane ? panel(({ weights, output, selected: i }) => {
        valuePlane.draw(null);
        mixture.draw(weights[i], output[i], i);
        text(mixed, output[i] ? `y${subscript(i + 1)} = (${output[i].map((x) => fixed(x)).join(", ")})` : words.masked);
      }, title(legend("v", words.values), legend("y", words.mixture), mixed), valuePlane.picture, valuePlane.fields) : "",
      panel(graph.draw, title(words.graph), graph.picture,
        html("p", { class: "ag-hint" }, get("one_set") ? words.graphCircle : words.graphSides))),
    frame.region(pairs.node, pairs.draw),
    html("details", { class: "ag-help" }, html("summary", {}, planeWords.helpTitle), html("p", { class: "ag-hint" }, planeWords.help)),
    ...frame.actions().filter(Boolean));
  pairPlane.hold(`q${get("selected")}`);
  pairPlane.hold(null);

  const state = () => Object.fromEntries(TRAITS.map((name) => [name, get(name)]));
  const composed = () => composeSvg([
    { title: `${words.queries}, ${words.keys}`, picture: pairPlane.picture },
    ...(valuePlane ? [{ title: `${words.values}, ${words.mixture}`, picture: valuePlane.picture }] : []),
    { title: words.graph, picture: graph.picture },
  ], frame.root);
  const table = () => {
    const { scores, allowed: may, weights } = compute();
    return csv([
      ["query", "key", "query_token", "key_token", "allowed", "score", "weight"],
      ...scores.flatMap((row, i) => row.map((s, j) => [
        i, j, tokens.q?.[i] ?? "", tokens.k?.[j] ?? "", may[i][j] ? 1 : 0, s, weights[i]?.[j] ?? null,
      ])),
    ]);
  };
  return () => frame.dispose();
}

function createControls(frame, get, counts, named, choose) {
  const query = select(frame, words.query, get("Q").map((_, i) => [String(i), named("q", i)]), (value) => choose(Number(value)));
  const kinds = ["none", ...(counts.queries === counts.keys ? ["causal"] : []), "custom"];
  const mask = select(frame, words.mask, kinds.map((kind) => [kind, words.masks[kind]]), (kind) => {
    frame.set("mask", kind === "none" ? null : kind);
    frame.commit();
  });
  const custom = mask.node.lastChild;
  const box = html("input", { type: "checkbox", title: words.scaledFull });
  frame.on(box, "change", () => { frame.set("scaled", box.checked); frame.commit(); });
  const range = html("input", { type: "range", min: 0, max: 200, step: 1, "aria-label": words.temperature });
  const number = html("span", { class: "ag-number-text ag-reading" });
  const take = () => {
    const t = sliderToTemperature(Number(range.value));
    frame.set("temperature", t === Infinity ? "inf" : t);
  };
  frame.on(range, "input", take);
  frame.on(range, "change", () => { take(); frame.commit(); });
  const node = html("div", { class: "ag-controls", role: "group", "aria-label": words.controls },
    query.field, mask.field,
    html("label", { class: "ag-field ag-check" }, box, html("span", {}, words.scaled, html("sub", {}, "k"))),
    html("div", { class: "ag-field ag-temperature" }, html("label", { class: "ag-field" }, html("span", {}, words.temperature), range), number));
  return {
    node,
    draw({ selected, mask: now, scaled, temperature: t }) {
      query.node.value = String(selected);
      const kind = now === null ? "none" : now === "causal" ? "causal" : "custom";
      custom.hidden = custom.disabled = kind !== "custom";
      mask.node.value = kind;
      box.checked = scaled;
      const shown = t === Infinity ? "∞" : String(t);
      if (temperatureToSlider(t) !== Number(range.value)) range.value = String(temperatureToSlider(t));
      text(number, `T = ${shown}`);
      attr(range, "aria-valuetext", words.temperatureText(shown));
    },
  };
}

/** Arrows from the origin, and the line of keys whose score with the selected query is zero. */
function drawArrows(plane, get, crowd) {
  const level = svg("path", { class: "ag-level" });
  const levelName = svg("text", { class: "ag-tick" }, words.zeroLine);
  const arrow = (kind) => svg("path", { class: `ag-shaft ag-${kind}-line${crowd ? " ag-faint" : ""}` });
  const keys = get("K").map(() => arrow("k")), queries = get("Q").map(() => arrow("q"));
  plane.under.append(level, ...keys, ...queries, levelName);
  return {
    draw(selected) {
      const shaft = (p) => `M160 160L${plane.place(p).map((x) => x.toFixed(2)).join(" ")}`;
      get("K").forEach((k, j) => attr(keys[j], "d", shaft(k)));
      get("Q").forEach((q, i) => {
        attr(queries[i], "d", shaft(q));
        queries[i].classList.toggle("ag-strong", i === selected);
      });
      const q = get("Q")[selected], length = Math.hypot(...q);
      attr(level, "display", length ? null : "none");
      attr(levelName, "display", length ? null : "none");
      if (!length) return;
      const c = -q[1] / length, s = q[0] / length;
      const [a, b] = [-152, 152].map((t) => [160 + t * c, 160 - t * s]);
      attr(level, "d", `M${a.map((x) => x.toFixed(2)).join(" ")}L${b.map((x) => x.toFixed(2)).join(" ")}`);
      const clear = ([x, y]) => Math.min(...[...get("Q"), ...get("K")].map(plane.place).map(([u, v]) => Math.hypot(u - x, v - y)));
      const [x, y] = clear(a) > clear(b) + 1 ? a : b; // the name stands at the emptier end
      attr(levelName, "text-anchor", x > 230 ? "end" : x < 90 ? "start" : "middle");
      attr(levelName, "x", (160 + (x - 160) * (Math.abs(x - 160) > 70 ? 1 : 1.25)).toFixed(1));
      attr(levelName, "y", (y > 160 ? Math.min(y + 18, 316) : Math.max(y - 8, 12)).toFixed(1));
    },
  };
}

/** The hull of the values, a line from the mixture to each value, and the mixture itself. */
function drawMixture(plane, get) {
  const hull = svg("polygon", { class: "ag-hull" });
  const lines = get("V").map(() => svg("path", { class: "ag-mix" }));
  const name = svg("text", { class: "ag-name ag-strong-text", x: 13, y: -10 });
  const diamond = svg("g", { class: "ag-mixture" }, svg("path", { class: "ag-y", d: "M0 -9.5L9.5 0L0 9.5L-9.5 0Z" }), name);
  plane.under.append(hull, ...lines);
  plane.over.append(diamond);
  return {
    draw(row, y, selected) {
      const V = get("V");
      attr(hull, "points", convexHull(V).map((p) => plane.place(p).map((x) => x.toFixed(2)).join(",")).join(" "));
      attr(diamond, "display", row ? null : "none");
      lines.forEach((line, j) => attr(line, "display", row && row[j] >= 0.005 ? null : "none"));
      if (!row) return;
      const at = plane.place(y).map((x) => x.toFixed(2)).join(" ");
      attr(diamond, "transform", `translate(${at})`);
      text(name, `y${subscript(selected + 1)}`);
      lines.forEach((line, j) => {
        attr(line, "d", `M${at}L${plane.place(V[j]).map((x) => x.toFixed(2)).join(" ")}`);
        attr(line, "stroke-width", (0.4 + 6 * row[j]).toFixed(2));
      });
    },
  };
}

/** The weights of the selected query as bars with their numbers, and a box for each key that it may attend to. */
function createBars(frame, counts, named, called, forbid, get) {
  const title = html("p", { class: "ag-title" });
  const rows = Array.from({ length: counts.keys }, (_, j) => {
    const box = html("input", { type: "checkbox" });
    const fill = html("span", { class: "ag-fill" });
    const track = html("span", { class: "ag-track" }, fill);
    const number = html("span", { class: "ag-number-text" });
    frame.on(box, "change", () => forbid(get("selected"), j, box.checked));
    const node = html("tr", {},
      html("td", {}, html("label", { class: "ag-box" }, box)),
      html("th", { scope: "row" }, html("bdi", {}, named("k", j))),
      html("td", { class: "ag-bar" }, track), html("td", {}, number));
    return { node, box, fill, track, number };
  });
  const caption = html("caption", { class: "ag-hidden" });
  const tableNode = html("table", { class: "ag-bars" }, caption,
    html("thead", {}, html("tr", {}, html("th", { scope: "col", title: words.may }, html("span", { class: "ag-hidden" }, words.may), html("span", { "aria-hidden": "true" }, "✓")),
      html("th", { scope: "col" }, words.key), html("th", { scope: "col" }, words.weight), html("td", {}))),
    html("tbody", {}, ...rows.map((row) => row.node)));
  const stat = (name) => {
    const value = html("b", {}), limit = html("span", {});
    return { node: html("div", { class: "ag-fact" }, value, html("span", {}, name, limit)), value, limit };
  };
  const H = stat(words.entropy), N = stat(words.effective), none = html("p", {});
  const facts = html("div", { class: "ag-facts" }, H.node, N.node, none);
  tableNode.style.setProperty("--ag-name", get("key_tokens") ? "112px" : "40px");
  tableNode.style.setProperty("--ag-row", `${Math.max(28, Math.min(52, 300 / counts.keys))}px`);
  return {
    title, node: html("div", { class: "ag-stack" }, tableNode, facts),
    draw({ weights, allowed: may, selected: i }) {
      const row = weights[i];
      text(title, words.weightsOf(named("q", i)));
      text(caption, words.weightsOf(called("q", i)));
      rows.forEach(({ box, fill, track, number, node }, j) => {
        box.checked = may[i][j];
        attr(box, "aria-label", words.mayAttend(called("q", i), called("k", j)));
        node.classList.toggle("ag-masked", !may[i][j]);
        track.classList.toggle("ag-hatched", !may[i][j]);
        attr(fill, "style", `transform:scaleX(${row ? row[j].toFixed(4) : 0})`);
        text(number, may[i][j] ? fixed(row[j], 3) : words.masked);
      });
      const room = may[i].filter(Boolean).length;
      text(none, row ? "" : words.allMasked(named("q", i)));
      H.node.hidden = N.node.hidden = !row;
      text(H.value, `${fixed(entropy(row))} ${words.nats}`);
      text(H.limit, words.atMost(fixed(room ? Math.log(room) : null)));
      text(N.value, fixed(effectiveKeys(row)));
      text(N.limit, words.outOf(room));
    },
  };
}

/** Lines of Python that rebuild every number with NumPy alone. */
export function numpyLines({ Q, K, V, temperature, scaled, mask }, tokens = {}) {
  const number = (x) => (Number.isInteger(x) ? `${x}.0` : String(x));
  const matrix = (name, rows, one) => `${name} = np.array([\n${rows.map((row) => `    [${row.map(one).join(", ")}],`).join("\n")}\n])`;
  const names = (side, list) => (list ? [`${side}_tokens = [${list.map(pythonString).join(", ")}]`] : []);
  const may = allowed(mask, Q.length, K.length);
  const T = temperature === "inf" ? "inf" : temperature;
  const limit = {
    0: ["best = np.where(allowed, scores, -np.inf).max(axis=1, keepdims=True)  # T = 0: alike on the largest scores", "weights = (allowed & (scores == best)).astype(float)"],
    inf: ["weights = allowed.astype(float)  # T = infinity: alike on every allowed key"],
  }[T] ?? [
    "best = np.where(allowed, scores, -np.inf).max(axis=1, keepdims=True)",
    `weights = np.where(allowed, np.exp(np.minimum(scores - best, 0) / ${T}), 0)`,
  ];
  return [
    "import numpy as np", "",
    ...names("query", tokens.q), ...names("key", tokens.k),
    matrix("Q", Q, number), matrix("K", K, number), ...(V ? [matrix("V", V, number)] : []),
    matrix("allowed", may, (x) => (x ? "True" : "False")), "",
    `scores = Q @ K.T${scaled ? " / np.sqrt(Q.shape[1])" : ""}`, ...limit,
    "total = weights.sum(axis=1, keepdims=True)  # 0 in a row with no allowed key",
    "weights = weights / np.where(total > 0, total, 1)",
    ...(V ? ["output = np.where(total > 0, weights @ V, np.nan)"] : []), "",
  ].join("\n");
}
