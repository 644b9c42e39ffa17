// The whole of one attention step, from words as numbers to outputs: change a number and every stage follows.

import { glyph, html, svg, text } from "./dom.js";
import { fixed, visible } from "./format.js";
import { pipelineLines } from "./numpy.js";
import { createArithmetic } from "./pipe_arithmetic.js";
import { createFlows } from "./pipe_flows.js";
import { createGraph, createMix, createSettings, element, shares } from "./pipe_parts.js";
import { createPoints } from "./pipe_points.js";
import { createTable } from "./pipe_tables.js";
import { CROWD, KINDS, pipelinePicture, settingsLine } from "./pipeline_picture.js";
import { arithmetic as arithmeticOf, entry, GIVEN, MADE, stages, winners } from "./stages.js";
import * as words from "./strings/attention_pipeline.js";
import * as planeWords from "./strings/plane.js";
import { whichLargest } from "./predict.js";
import { cleaned, isBoolean, isIndex, isMatrix, isTemperature, keep } from "./state.js";
import { createFrame, widget } from "./view.js";

const TRAITS = [...GIVEN, "temperature", "scaled", "mask", "selected", "reading"];
const REACH = 1e6;

export default widget(start, [...GIVEN, "tokens", "tasks"], (get) => [...GIVEN.map((name) => sizeOf(get(name))), get("tokens"), get("tasks")]);

const sizeOf = (M) => [M.length, M[0].length];

/** The parts of a state that came from a link or a task, checked against the sizes { X: [n, d], … }; null if any is wrong. */
export function cleanState(raw, sizes) {
  const n = sizes.X[0];
  return cleaned(raw, {
    ...Object.fromEntries(GIVEN.map((name) => [name, (x) => isMatrix(x, ...sizes[name])])),
    temperature: isTemperature,
    scaled: isBoolean,
    mask: (x) => x === null || x === "causal" || isMatrix(x, n, n, isBoolean),
    selected: (x) => isIndex(x, n),
    reading: (x) => x === "attends" || x === "flows",
    opened: (x) => x === null || (Array.isArray(x) && x.length === 3 && Object.hasOwn(sizes, x[0])
      && isIndex(x[1], sizes[x[0]][0]) && isIndex(x[2], sizes[x[0]][1])),
  });
}

function start(model, el, page, view) {
  const get = (name) => model.get(name);
  const tokens = get("tokens"), called = tokens.map((token) => visible(token, 14));
  const compute = keep([...TRAITS, "opened"], get, () => {
    const state = Object.fromEntries([...TRAITS, "opened"].map((name) => [name, get(name)]));
    return stages({ ...state, temperature: state.temperature === "inf" ? Infinity : state.temperature });
  });
  const sizes = sizesOf(compute());
  const told = () => words.sentence[get("reading")](called[get("selected")], shares(compute(), called, get("selected")));
  const title = ([name, i, j]) => words.titles[name](called[i], name === "S" || name === "A" ? called[j] : j + 1, i + 1);
  const story = (place) => words.stories[entry(compute(), place) === null ? "masked" : place[0]](called[place[1]], called[place[2]], place[2] + 1);
  const spoken = (place) => `${title(place)}: ${fixed(entry(compute(), place))}.`;

  const frame = createFrame({
    model, el, page, label: words.label, traits: TRAITS, compute, summary: told,
    clean: (raw) => cleanState(raw, sizes),
    file: "attention_pipeline", picture: () => paper(), rows: () => numbersOf(compute(), sizes, tokens),
    code: () => pipelineLines(Object.fromEntries(TRAITS.map((name) => [name, get(name)])), tokens),
    predict: {
      cover: () => [mix.answer, weights, graph.node, outputs, ...(["A", "Y"].includes(get("opened")?.[0]) ? [arithmetic.node] : [])],
      ask: () => question(compute(), called),
    },
  });
  view.apply = (raw) => frame.apply(raw);
  model.on("change:opened", frame.schedule);
  const covered = () => frame.root.querySelector(".ag-covered") !== null;

  const follow = (i, dragging = false) => {
    if (i === get("selected")) return;
    frame.set("selected", i);
    if (!dragging) frame.commit("select"); // else it is one step with the drag
  };
  const commit = (key, sentence) => frame.commit(key, covered() ? null : `${sentence} ${told()}`);
  const editor = {
    open(place) {
      if (String(place) === String(get("opened"))) return;
      frame.set("opened", place);
      model.save_changes();
      if (place) frame.say(`${spoken(place)} ${story(place)}`);
    },
    change([name, i, j], value, exact = false) {
      const x = exact ? value : tidy(value);
      frame.set(name, get(name).map((row, r) => (r === i ? row.map((old, c) => (c === j ? x : old)) : row)));
    },
    commit: (place, key = null) => commit(key, spoken(place)),
    reset(place) {
      editor.change(place, frame.initial[place[0]][place[1]][place[2]], true);
      editor.commit(place);
    },
    type: (sign) => arithmetic.type(sign),
  };

  const tables = createTables({ frame, tokens, sizes, title, editor, follow });
  const points = sizes.X[1] !== 2 ? null : createPoints({
    frame, tokens, called, initial: get("X"), follow,
    move: (i, p) => frame.set("X", get("X").map((row, r) => (r === i ? p.map(tidy) : row))),
    commit: (i, key = null) => commit(key, planeWords.moved(words.pointOf(called[i]), planeWords.place(...get("X")[i].map((x) => fixed(x))))),
  });
  const graph = createGraph({ frame, tokens, called, follow });
  const mix = createMix({ frame, tokens, called, follow });
  const arithmetic = createArithmetic({ frame, title, story, editor });
  const settings = createSettings({ frame, point: points?.fields });

  const body = (...parts) => html("div", { class: "ag-pipe-body" }, ...parts);
  const weights = body(tables.A.node), outputs = body(tables.Y.node), match = html("p", { class: "ag-hint" });
  const hint = (k) => html("p", { class: "ag-hint" }, words.hints[k - 1]);
  const items = [
    [hint(1), html("div", { class: "ag-pipe-pair" }, tables.X.node, points?.node)],
    ["Q", "K", "V"].map((name) => lane(name, tables)),
    [match, body(tables.S.node)], [hint(4), weights], [graph.hint, graph.node], [hint(6), outputs],
  ].map((parts, k) => html("li", { class: `ag-pipe-stage ag-pipe-stage-${k + 1}` }, heading(k + 1), ...parts));
  const picture = html("div", { class: `ag-pipe-picture${tokens.length > CROWD ? " ag-pipe-dense" : ""}` }, html("ol", { class: "ag-pipe-stages", role: "list" }, ...items));
  const flows = createFlows({ frame, picture, list: items, tables, graph: graph.picture, plane: points?.picture, sizes });

  frame.body.append(
    html("p", { class: "ag-pipe-lead" }, words.lead, " ", html("span", { class: "ag-hint" }, words.todo)),
    frame.region(mix.node, mix.draw),
    frame.region(picture, (now, settled) => {
      const sources = now.opened ? arithmeticOf(now, now.opened).sources : [];
      const look = { opened: now.opened && String(now.opened), marks: new Set(sources.map(String)) };
      for (const one of Object.values(tables)) one.draw(now, look, settled);
      points?.draw(now);
      graph.draw(now, settled);
      text(match, words.match(now.scaled ? sizes.Q[1] : 1));
    }),
    frame.region(arithmetic.node, arithmetic.draw),
    frame.region(settings.node, settings.draw));
  frame.close(words.helpTitle, words.help);

  const paper = () => {
    const now = compute(), sheet = element(pipelinePicture(now, tokens, settingsLine(now)));
    sheet.prepend(svg("rect", { width: "100%", height: "100%", fill: "white" })); // black on white, whatever the theme
    for (const node of sheet.querySelectorAll("[class]")) node.removeAttribute("class");
    return sheet;
  };
  return () => {
    model.off("change:opened", frame.schedule);
    flows.dispose();
    frame.dispose();
  };
}

const tidy = (x) => Number(Math.max(-REACH, Math.min(REACH, x)).toFixed(4)) || 0;

function sizesOf(now) {
  const n = now.X.length;
  const made = { A: [n, n], Y: [n, now.V[0].length] };
  return Object.fromEntries([...GIVEN, ...MADE].map((name) => [name, made[name] ?? sizeOf(now[name])]));
}

function createTables({ frame, tokens, sizes, title, editor, follow }) {
  const axis = (count) => ({ names: Array.from({ length: count }, (_, c) => String(c + 1)), hidden: true });
  const make = (name, rows, columns, more) => createTable({
    frame, name, rows, columns, size: sizes[name], called: (i, j) => title([name, i, j]), editor, ...more,
  });
  const named = { names: tokens }, unnamed = { names: tokens, hidden: true };
  const projections = ["Q", "K", "V"].flatMap((name) => [
    [`W_${name}`, make(`W_${name}`, axis(sizes.X[1]), axis(sizes[name][1]))],
    [name, make(name, unnamed, axis(sizes[name][1]))],
  ]);
  return {
    X: make("X", named, axis(sizes.X[1]), { follow }),
    ...Object.fromEntries(projections),
    S: make("S", named, named, { follow }),
    A: make("A", named, named, { follow }),
    Y: make("Y", named, axis(sizes.Y[1]), { follow }),
  };
}

const heading = (k) => html("p", { class: "ag-pipe-head" },
  html("span", { class: "ag-pipe-step", "aria-hidden": "true" }, k),
  html("span", {}, words.stages[k - 1], "\u00a0", symbol({ 1: "X", 3: "S", 4: "A", 6: "Y" }[k] ?? "")));

const symbol = (letter, low) => html("span", { class: "ag-pipe-symbol", "aria-hidden": "true" }, letter, low && html("sub", {}, low));

const lane = (name, tables) => html("div", { class: "ag-pipe-lane" },
  html("p", { class: "ag-pipe-kind" }, glyph(KINDS[name]), html("b", {}, words.matrices[name]), symbol(name), html("span", { class: "ag-hint" }, words.means[name])),
  html("div", { class: "ag-pipe-times" },
    html("div", {}, symbol("W", name), tables[`W_${name}`].node), tables[name].node));

/** Which token gives most to the output of the one that is followed? */
function question(now, called) {
  const i = now.selected, best = winners(now, i);
  if (!best.length) return null;
  const { open, ...answers } = whichLargest(best, now.allowed[i], called, words.askTie);
  const listed = (row) => open.map((j) => `${called[j]} ${fixed(row[j])}`).join(", ");
  return { question: words.ask(called[i]), ...answers, why: words.askWhy(listed(now.S[i]), listed(now.A[i])) };
}

/** Every number of every stage, one a line. */
function numbersOf(now, sizes, tokens) {
  const lines = Object.entries(sizes).flatMap(([name, [rows, columns]]) => Array.from({ length: rows * columns }, (_, c) => {
    const [i, j] = [Math.floor(c / columns), c % columns];
    const row = name.startsWith("W_") ? "" : tokens[i];
    return [name, i, j, row, name === "S" || name === "A" ? tokens[j] : "", entry(now, [name, i, j])];
  }));
  return [["matrix", "row", "column", "token", "to_token", "value"], ...lines];
}
