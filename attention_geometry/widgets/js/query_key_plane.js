// Queries and keys as arrows in one plane, values and the mixture in another; weights, graph and arithmetic follow.

import { drawArrows, drawMixture } from "./arrows.js";
import { createBars } from "./bars.js";
import { attr, glyph, html, text } from "./dom.js";
import { composeSvg, pngBlob, svgBlob } from "./exports.js";
import { csv, fixed, subscript, visible } from "./format.js";
import { allowed, attention } from "./geometry.js";
import { createGraph } from "./graph.js";
import { numpyLines } from "./numpy.js";
import { createPairs } from "./pairs.js";
import { createPlane } from "./plane.js";
import { cleanVectors } from "./state.js";
import { plane as planeWords, queryKeyPlane as words } from "./strings.js";
import { createFrame, select, sliderToTemperature, temperatureToSlider } from "./view.js";

const TRAITS = ["Q", "K", "V", "temperature", "scaled", "mask", "selected"];
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
  const short = { q: tokens.q?.map((t) => visible(t, 14)), k: tokens.k?.map((t) => visible(t, 14)) };
  const called = (kind, i) => `${words.spoken[kind]} ${i + 1}${tokens[kind] ? ` (${short[kind][i]})` : ""}`;
  const named = (kind, i) => signs[kind][i] + (tokens[kind] ? ` · ${short[kind][i]}` : "");
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
    predict: {
      cover: () => [bars.node, graph.picture.parentNode, pairs.node, mixed, ...(mixture?.nodes ?? [])],
      ask() {
        const { weights, scores, allowed: may, selected: i } = compute(), row = weights[i];
        if (!row) return null;
        const open = row.map((_, j) => j).filter((j) => may[i][j]);
        const best = open.filter((j) => row[j] > Math.max(...row) - 1e-12);
        return {
          question: words.ask(named("q", i)),
          options: [...open.map((j) => named("k", j)), ...(open.length > 1 ? [words.askTie] : [])],
          answer: best.length > 1 ? open.length : open.indexOf(best[0]),
          why: words.askWhy(open.map((j) => `${named("k", j)} ${fixed(scores[i][j], 3)}`).join(", ")),
        };
      },
    },
    code: { kind: "NumPy", name: "query_key_plane.py", make: () => numpyLines(state(), tokens) },
  });
  view.apply = (raw) => frame.apply(raw);

  const choose = (i) => {
    if (i === get("selected")) return;
    frame.set("selected", i);
    frame.commit();
  };
  const forbid = (j, may) => {
    const rows = allowed(get("mask"), counts.queries, counts.keys);
    rows[get("selected")][j] = may;
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
  const arrows = drawArrows(pairPlane, get);
  const valuePlane = counts.values && createPlane({
    frame, label: words.valuesLabel, initial: get("V"), vectors: () => get("V"), points: get("V").map(point("v", "V")),
  });
  const mixture = valuePlane && drawMixture(valuePlane, get);
  const graph = createGraph({
    frame, called, queries: labels.q, keys: labels.k, oneSet: get("one_set"), onSelect: choose,
  });
  const bars = createBars({ frame, keys: counts.keys, named, called, forbid, wide: Boolean(tokens.k) });
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
      panel(graph.draw, title(words.graph), html("div", { class: "ag-cover" }, graph.picture),
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
