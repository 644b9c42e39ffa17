// Values and their mixture in the plane: weights in the hand, the path over the temperature, other rows with the same
// output, and where W_O and the residual take it.

import { formula, html, text } from "./dom.js";
import { composeSvg } from "./exports.js";
import { fixed, subscript, visible } from "./format.js";
import { effectiveKeys, mixture, softmax } from "./geometry.js";
import * as hull from "./hull.js";
import { createMatrix, createTemperature } from "./hull_controls.js";
import { hullLines } from "./hull_numpy.js";
import { createVerdicts, drawHull, drawStream, legend } from "./hull_pictures.js";
import { questions } from "./hull_questions.js";
import { createOther, createRows } from "./hull_rows.js";
import { createTable, tableRows } from "./hull_table.js";
import { createPlane } from "./plane.js";
import { cleaned, isBoolean, isIndex, isMatrix, isRow, isTemperature, keep, where } from "./state.js";
import * as words from "./strings/mixture_hull.js";
import * as planeWords from "./strings/plane.js";
import { about, check } from "./fields.js";
import { createFrame, widget } from "./view.js";

const TRAITS = ["V", "scores", "temperature", "mask", "direction", "along", "hold_output", "W_O", "x"];

export default widget(start, ["V", "W_O", "tokens", "tasks"], (get) => [get("V").length, get("W_O") === null, get("tokens"), get("tasks")]);

/** The parts of a state that came from a link or a task, checked against the values at hand; null if any is wrong. */
export const cleanState = (raw, { count, stream }) => cleaned(raw, {
  V: (x) => isMatrix(x, count, 2),
  scores: (x) => isRow(x, count),
  temperature: isTemperature,
  direction: (x) => isIndex(x, count),
  along: (x) => Number.isFinite(x) && Math.abs(x) <= 1,
  hold_output: isBoolean,
  W_O: where(stream, (x) => isMatrix(x, 2, 2)),
  x: where(stream, (x) => isRow(x, 2)),
  mask: (x) => x === null || isRow(x, count, isBoolean),
});

/** Every number of the page from the traits; what is undefined is null. */
export function numbers({ V, scores, temperature, mask, direction, along, W_O, x }) {
  const may = mask ?? V.map(() => true);
  const a = softmax(scores, { may, temperature }), y = mixture(a, V);
  const line = a && hull.equivalentLine(V, may, a, direction), b = line && hull.equivalentRow(line, direction, along);
  const open = V.filter((_, j) => may[j]), images = W_O && V.map((v) => hull.times(v, W_O));
  const projected = W_O && y && hull.times(y, W_O), stream = projected && projected.map((p, c) => x[c] + p);
  const lies = (p) => [open, W_O && open.map((v) => hull.times(v, W_O))].map((points) => hull.hullVerdict(p, points));
  return {
    allowed: may, weights: a, output: y, line: line?.rows, other: b, otherOutput: mixture(b, V), single: !(line?.rows.length > 1),
    dimension: a ? hull.outputSpan(V, may).dimension : 0, settled: !hull.equivalentDirection(V, may, direction),
    distance: a && hull.totalVariation(a, b),
    path: hull.temperaturePath(scores, may, V), images, projected, stream,
    verdicts: projected && { output: lies(y), projected: lies(projected), stream: lies(stream) },
  };
}

function start(model, el, page, view) {
  const get = (name) => model.get(name);
  const count = get("V").length, tokens = get("tokens"), withStream = get("W_O") !== null;
  const signs = get("V").map((_, j) => `v${subscript(j + 1)}`);
  const short = tokens?.map((t) => visible(t, 14));
  const named = (j) => signs[j] + (tokens ? ` · ${short[j]}` : "");
  const called = (j) => `${words.value} ${j + 1}${tokens ? ` (${short[j]})` : ""}`;
  const state = () => Object.fromEntries(TRAITS.map((name) => [name, get(name)]));
  const compute = keep(TRAITS, get, () => {
    const now = state(), read = { ...now, temperature: now.temperature === "inf" ? Infinity : now.temperature };
    return { ...read, ...numbers(read) };
  });
  let asked = -1, seen = null, question = null, ghosts = null;

  const frame = createFrame({
    model, el, page, label: words.label, traits: TRAITS, compute,
    clean: (raw) => cleanState(raw, { count, stream: withStream }),
    summary() {
      const { weights: a, output: y, verdicts } = compute();
      if (!y) return words.allMasked;
      return words.summary(...y.map((p) => fixed(p)), fixed(effectiveKeys(a)), verdicts && words.verdict[verdicts.stream[0]]);
    },
    file: "mixture_hull", picture: () => composed(), rows: () => tableRows(compute(), tokens),
    code: () => hullLines(state(), tokens, compute().other),
    predict: {
      cover: () => ({ stream: [verdicts?.node, ...(streamed?.nodes ?? [])], drift: mixed.course,
        unique: [other.node, mixed.rings, table.node] })[question.kind],
      ask() {
        const now = JSON.stringify(state());
        if (now !== seen) [seen, asked] = [now, asked + 1]; // another state is asked another question
        const open = questions(compute(), { asked, named });
        return (question = open.length ? open[asked % open.length] : null);
      },
    },
  });
  view.apply = (raw) => frame.apply(raw);

  const forbid = (j, may) => {
    const row = (get("mask") ?? get("V").map(() => true)).map((old, k) => (k === j ? may : old));
    frame.set("mask", row.every(Boolean) ? null : row);
    frame.commit();
  };
  const points = get("V").map((_, index) => ({
    id: `v${index}`, kind: "v", trait: "V", index, sign: signs[index], label: tokens?.[index] ?? signs[index],
    full: tokens?.[index], name: called(index),
  }));
  const plane = createPlane({
    frame, label: words.planeLabel, initial: get("V"), vectors: () => get("V"), points,
    moved({ index }, place) {
      const V = get("V"), { weights: a } = compute();
      if (!get("hold_output") || !a) return V.map((v, j) => (j === index ? place : v));
      const held = hull.compensatedValues(V, a, index, place);
      if (!held) frame.say(words.cannotHold(called(index)));
      return held?.map((v) => v.map((p) => Number(p.toPrecision(12)))) ?? V;
    },
  });
  const mixed = drawHull(plane, count);
  const rows = createRows({ frame, count, wide: Boolean(tokens), named, called, forbid });
  const other = createOther({ frame, count, signs, named, called });
  const table = createTable({ frame, count, named });
  const temperature = createTemperature(frame);
  const hold = check(frame, (on) => frame.set("hold_output", on), words.hold);

  const streamPlane = withStream && createPlane({
    frame, label: words.streamLabel, initial: [...get("V"), get("x"), ...(compute().images ?? [])],
    vectors() {
      const { V, images, x, stream } = compute();
      return [...V, ...images, x, ...(stream ? [stream] : [])];
    },
    points: [{ id: "x", kind: "x", trait: "x", sign: "x", label: "x", name: words.residual }],
  });
  const streamed = streamPlane && drawStream(streamPlane, count);
  const matrix = withStream && createMatrix(frame);
  const verdicts = withStream && createVerdicts();

  const title = (...parts) => html("p", { class: "ag-title" }, ...parts);
  const panel = (name, draw, ...parts) => frame.region(html("section", { class: `ag-panel ${name}` }, ...parts), draw);
  const at = html("span", { class: "ag-number-text" });
  frame.body.append(
    html("p", {}, words.lead),
    frame.region(temperature.node, temperature.draw),
    html("div", { class: "ag-panels" },
      panel("ag-hull-plane", (now) => {
        plane.draw(null);
        ghosts = now.hold_output ? ghosts ?? now.V : null; // where the values were when y was first held
        mixed.draw(now, ghosts);
        plane.picture.querySelectorAll("[data-handle]").forEach((node, j) => node.classList.toggle("ag-hull-masked", !now.allowed[j]));
        hold.box.checked = now.hold_output;
        text(at, now.output ? `y = (${now.output.map((p) => fixed(p)).join(", ")})` : words.masked);
        other.draw(now);
      }, title(legend("v", words.values), legend("y", words.output), at), plane.node,
      html("p", { class: "ag-hint ag-hull-legend" }, words.legend), plane.fields,
      html("div", { class: "ag-row" }, hold.field,
        about(words.hold, words.holdHint)),
      other.node),
      panel("", rows.draw,
        html("div", { class: "ag-title" }, words.rowsTitle, about(words.rowsTitle, words.rowsHint)), rows.node),
      withStream ? panel("ag-hull-after", (now) => {
        streamPlane.draw(null);
        streamed.draw(now);
        matrix.draw(now);
        verdicts.draw(now);
      }, html("div", { class: "ag-title" }, html("span", {}, ...formula(words.streamTitle)), about(words.streamTitle, ...formula(words.streamHint))),
      html("div", { class: "ag-hull-split" },
        html("div", { class: "ag-hull-part" }, streamPlane.node, streamPlane.fields),
        html("div", { class: "ag-hull-part" }, title(legend("image", words.images), legend("x", words.residual)), matrix.node, verdicts.node,
          html("p", { class: "ag-hint" }, ...formula(words.lemma))))) : ""),
    html("details", { class: "ag-panel ag-help ag-hull-numbers", open: true }, html("summary", {}, words.table), frame.region(table.node, table.draw)));
  frame.close(planeWords.helpTitle, planeWords.help);

  const composed = () => composeSvg([
    { title: `${words.values}, ${words.output}`, picture: plane.picture },
    ...(streamPlane ? [{ title: words.streamTitle.replace("_", ""), picture: streamPlane.picture }] : []),
  ], frame.root);
  return () => frame.dispose();
}
