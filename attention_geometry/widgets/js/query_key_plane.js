// Queries and keys as arrows in one plane, values and the mixture in another; weights, graph and arithmetic follow.

import { drawArrows, drawMixture } from "./arrows.js";
import { createBars } from "./bars.js";
import { createBasis } from "./basis.js";
import { createCompare } from "./compare.js";
import { formula, glyph, html, text } from "./dom.js";
import { createExperiments } from "./experiments.js";
import { composeSvg } from "./exports.js";
import { fixed, subscript, visible } from "./format.js";
import { MODES, WIDTHS, attend, times } from "./forms.js";
import { allowed } from "./geometry.js";
import { createGraph } from "./graph.js";
import { numpyLines } from "./numpy.js";
import { createPairs } from "./pairs.js";
import { createPlane } from "./plane.js";
import { createControls } from "./plane_controls.js";
import { whichLargest } from "./predict.js";
import { winners as winnersOf } from "./stages.js";
import { cleaned, isBoolean, isIndex, isMatrix, isTemperature, keep, where } from "./state.js";
import * as planeWords from "./strings/plane.js";
import * as words from "./strings/query_key_plane.js";
import { createTokens } from "./tokens.js";
import { createFrame, widget } from "./view.js";
import { createWidth } from "./width.js";
import { drawWinners } from "./winners.js";

const SILENT = { mode: "dot", lift: 0, experiment: null, d_k: 64, X: null, W_Q: null, W_K: null, tied: false }; // what a stored state leaves out
const TRAITS = ["Q", "K", "V", "temperature", "scaled", "mask", "selected", ...Object.keys(SILENT)];
const NAMES = ["query_tokens", "key_tokens", "one_set", "tasks"];

export default widget(start, ["Q", "K", "V", "X", ...NAMES], (get) => [...["Q", "K", "V", "X"].map((name) => get(name)?.length), ...NAMES.map(get)]);

/** The parts of a state that came from a link or a task, checked against the vectors at hand; null if any is wrong. */
export const cleanState = (raw, { queries, keys, values, tokens = false }) => cleaned(raw, {
  Q: where(!tokens, (x) => isMatrix(x, queries, 2)),
  K: where(!tokens, (x) => isMatrix(x, keys, 2)),
  X: where(tokens, (x) => isMatrix(x, queries, 2)),
  W_Q: where(tokens, (x) => isMatrix(x, 2, 2)),
  W_K: where(tokens, (x) => isMatrix(x, 2, 2)),
  tied: (x) => isBoolean(x) && (tokens || !x),
  mode: (x) => MODES.includes(x),
  lift: (x) => Number.isFinite(x) && x >= 0 && x <= 1,
  d_k: (x) => WIDTHS.includes(x),
  V: where(values, (x) => isMatrix(x, keys, 2)),
  temperature: isTemperature,
  scaled: isBoolean,
  selected: (x) => isIndex(x, queries),
  experiment: (x) => [null, "compare", "width", "basis"].includes(x),
  mask: (x) => x === null || isMatrix(x, queries, keys, isBoolean) || (x === "causal" && queries === keys),
});

function start(model, el, page, view) {
  for (const [name, value] of Object.entries(SILENT)) if ((model.get(name) ?? null) === null) model.set(name, value);
  const get = (name) => model.get(name);
  const source = get("X") ? "tokens" : "free", values = Boolean(get("V"));
  let last = {}; // what did not move stays the same vector, so that it is not drawn again
  const unmoved = (rows, before) => rows.map((row, i) => (row.every((x, c) => x === before?.[i][c]) ? before[i] : row));
  const vectors = keep(["Q", "K", "X", "W_Q", "W_K", "tied"], get, (Q, K, X, W_Q, W_K, tied) =>
    (X ? (last = { Q: unmoved(times(X, W_Q), last.Q), K: unmoved(times(X, tied ? W_Q : W_K), last.K) }) : { Q, K }));
  const counts = { queries: vectors().Q.length, keys: vectors().K.length, values, tokens: source === "tokens" };
  const T = () => (get("temperature") === "inf" ? Infinity : get("temperature"));
  const signs = Object.fromEntries([..."qkvx"].map((kind) => [kind, Array.from({ length: 32 }, (_, i) => `${kind}${subscript(i + 1)}`)]));
  const tokens = { q: get("query_tokens"), k: get("key_tokens"), x: get("query_tokens") };
  const labels = { q: tokens.q ?? signs.q, k: tokens.k ?? signs.k, x: tokens.x ?? signs.x };
  const shortened = Object.fromEntries([..."qkx"].map((kind) => [kind, tokens[kind]?.map((token) => visible(token, 14))]));
  const short = (kind, i) => shortened[kind][i];
  const called = (kind, i) => `${words.spoken[kind]} ${i + 1}${tokens[kind] ? ` (${short(kind, i)})` : ""}`;
  const named = (kind, i) => signs[kind][i] + (tokens[kind] ? ` · ${short(kind, i)}` : "");
  const settings = () => ({ scaled: get("scaled"), mask: get("mask"), temperature: T() });
  const state = () => Object.fromEntries(TRAITS.map((name) => [name, get(name)]));
  const compute = keep(TRAITS, get, () => {
    const now = { ...state(), ...vectors(), ...settings() };
    return { ...now, ...attend(now.Q, now.K, values ? now.V : null, now) };
  });

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
    file: "query_key_plane", picture: () => composed(), rows: () => table(),
    code: () => numpyLines({ ...state(), ...vectors() }, { ...tokens, source: state() }),
    predict: {
      cover: () => [bars.node, graph.picture.parentNode, pairs.node, mixed, ...(mixture?.nodes ?? []), experiments.node, ...(winners.nodes)],
      ask() {
        const { weights, scores, allowed: may, selected: i } = compute(), row = weights[i];
        if (!row) return null;
        const names = row.map((_, j) => named("k", j));
        const { open, ...answers } = whichLargest(winnersOf({ A: weights, allowed: may }, i), may[i], names, words.askTie);
        return {
          question: words.ask(named("q", i)), ...answers,
          why: words.askWhy(open.map((j) => `${names[j]} ${fixed(scores[i][j], 3)}`).join(", ")),
        };
      },
    },
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
    id: `${kind}${index}`, kind, trait, index, sign: signs[kind][index], label: labels[kind]?.[index] ?? signs[kind][index],
    full: tokens[kind]?.[index], name: kind === "v" ? `${words.spoken.v} ${index + 1}` : called(kind, index),
  });
  const pick = (wanted) => ({ kind, index }, dragging) => {
    if (kind !== wanted || index === get("selected")) return;
    frame.set("selected", index);
    if (!dragging) frame.commit("select"); // else it is one step with the drag
  };
  const range = [...vectors().Q, ...vectors().K];
  const pairPlane = createPlane({
    frame, label: words.planeLabel, initial: range, vectors: () => [...vectors().Q, ...vectors().K],
    points: [...vectors().K.map(point("k", "K")), ...vectors().Q.map(point("q", "Q"))],
    derived: counts.tokens, at: (trait) => vectors()[trait],
    moved: ({ kind, trait, index }, place) => get(trait).map((row, i) => (i === index ? panels.compare.constrain(kind, row, place) : row)),
    onHold: pick("q"),
  });
  const tokenPlane = counts.tokens && createPlane({
    frame, label: words.tokensLabel, initial: get("X"), vectors: () => get("X"), points: get("X").map(point("x", "X")),
    onHold: pick("x"),
  });
  const winners = drawWinners(pairPlane, labels.k.slice(0, counts.keys));
  const arrows = drawArrows(pairPlane, (name) => vectors()[name]);
  const valuePlane = values && createPlane({
    frame, label: words.valuesLabel, initial: get("V"), vectors: () => get("V"), points: get("V").map(point("v", "V")),
  });
  const mixture = valuePlane && drawMixture(valuePlane, get);
  const nodes = (kind, count) => labels[counts.tokens ? "x" : kind].slice(0, count);
  const graph = createGraph({
    frame, called, queries: nodes("q", counts.queries), keys: nodes("k", counts.keys), oneSet: get("one_set"), onSelect: choose,
  });
  const bars = createBars({ frame, keys: counts.keys, named, called, forbid, wide: Boolean(tokens.k) });
  const pairs = createPairs({ frame, counts, named, called, label: (j) => visible(labels.k[j], 7), onSelect: choose });
  const controls = createControls(frame, counts, named, choose);
  const panels = {
    compare: createCompare({ frame, get, names: labels.k.slice(0, counts.keys), named, movable: !counts.tokens }),
    width: createWidth({ frame }),
    basis: createBasis({ frame, get, vectors, settings }),
  };
  const experiments = createExperiments({
    frame, panels, choose(name) {
      frame.set("experiment", name);
      if (name === null) frame.set("mode", "dot"); // closed, the plane is the plain one again
      frame.commit();
    },
  });
  const origin = counts.tokens && createTokens({ frame, get });

  const title = (...parts) => html("p", { class: "ag-title" }, ...parts);
  const legend = (kind, word) => html("span", { class: "ag-key" }, glyph(kind), word);
  const panel = (draw, ...parts) => frame.region(html("section", { class: "ag-panel" }, ...parts), draw);
  const compared = html("span", { class: "ag-compared" });
  const mixed = html("span", { class: "ag-number-text" });
  frame.body.append(
    frame.region(controls.node, controls.draw),
    html("div", { class: "ag-panels" },
      tokenPlane ? panel((now) => tokenPlane.draw(`x${now.selected}`), title(legend("x", words.tokens)), tokenPlane.node, tokenPlane.fields) : "",
      panel((now) => {
        pairPlane.draw(`q${now.selected}`);
        arrows.draw(now.selected, now.mode);
        winners.draw(now.experiment === "compare" ? now : null);
        text(compared, now.mode === "dot" ? "" : words.modes[now.mode]);
      }, title(legend("q", words.queries), legend("k", words.keys), compared), pairPlane.node,
      counts.tokens ? html("p", { class: "ag-hint" }, ...formula(words.derived)) : pairPlane.fields),
      panel(bars.draw, bars.title, bars.node),
      valuePlane ? panel(({ weights, output, selected: i }) => {
        valuePlane.draw(null);
        mixture.draw(weights[i]?.map(frame.rough), output[i], i);
        if (frame.due(2)) text(mixed, output[i] ? `y${subscript(i + 1)} = (${output[i].map((x) => fixed(x)).join(", ")})` : words.masked);
      }, title(legend("v", words.values), legend("y", words.mixture), mixed), valuePlane.node, valuePlane.fields) : "",
      panel(graph.draw, title(words.graph), html("div", { class: "ag-cover" }, graph.picture),
        html("p", { class: "ag-hint" }, words.graphHint(...(get("one_set") ? ["i", "j"] : ["q", "k"]))))),
    ...(origin ? [frame.region(origin.node, origin.draw)] : []),
    frame.region(experiments.node, (now, settled) => experiments.draw({ ...now, reach: pairPlane.reach }, settled)),
    frame.region(pairs.node, pairs.draw));
  frame.close(planeWords.helpTitle, planeWords.help);
  if (!counts.tokens) {
    pairPlane.hold(`q${get("selected")}`);
    pairPlane.hold(null);
  }

  const composed = () => composeSvg([
    ...(tokenPlane ? [{ title: words.tokens, picture: tokenPlane.picture }] : []),
    { title: `${words.queries}, ${words.keys}`, picture: pairPlane.picture },
    ...(valuePlane ? [{ title: `${words.values}, ${words.mixture}`, picture: valuePlane.picture }] : []),
    { title: words.graph, picture: graph.picture },
  ], frame.root);
  const table = () => {
    const { scores, allowed: may, weights } = compute();
    return [
      ["query", "key", "query_token", "key_token", "allowed", "score", "weight"],
      ...scores.flatMap((row, i) => row.map((s, j) => [
        i, j, tokens.q?.[i] ?? "", tokens.k?.[j] ?? "", may[i][j] ? 1 : 0, s, weights[i]?.[j] ?? null,
      ])),
    ];
  };
  return () => frame.dispose();
}
