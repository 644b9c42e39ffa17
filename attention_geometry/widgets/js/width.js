// The experiment on the width d_k: random queries and keys, entropy of their weights with and without the division by √d_k.

import { attr, headOf, html, line, marker, move, rowOf, svg, table, text } from "./dom.js";
import { fixed } from "./format.js";
import { DRAWS, RIVALS, WIDTHS, widthExperiment } from "./forms.js";
import * as words from "./strings/query_key_plane.js";
import { about, slider } from "./fields.js";

const LEFT = 46, RIGHT = 308, TOP = 16, BOTTOM = 176, MOST = Math.log(RIVALS);
const across = (s) => LEFT + (RIGHT - LEFT) * s / (WIDTHS.length - 1), up = (h) => BOTTOM - (BOTTOM - TOP) * h / MOST;

export function createWidth({ frame }) {
  let found = null;
  const range = slider(frame, words.width, WIDTHS.length - 1, (s) => frame.set("d_k", WIDTHS[s]));
  const rule = svg("path", { class: "ag-rule" });
  const curves = ["scaled", "unscaled"].map((kind, i) => ({
    kind, curve: svg("path", { class: `ag-curve ag-curve-${kind}` }), dot: svg("g", {}, marker("qk"[i], 0.75)),
  }));
  const ticks = [
    ...[0, 1, 2].map((h) => svg("text", { class: "ag-tick", x: LEFT - 7, y: up(h) + 4, "text-anchor": "end" }, String(h))),
    ...[0, 2, 4, 6, 8, 10].map((s) => svg("text", { class: "ag-tick", x: across(s), y: BOTTOM + 17, "text-anchor": "middle" }, String(WIDTHS[s]))),
  ];
  const names = { scaled: svg("text", { class: "ag-name", x: RIGHT, y: up(2.35) + 22, "text-anchor": "end" }, words.curveScaled),
    unscaled: svg("text", { class: "ag-name", x: RIGHT, y: up(0.62), "text-anchor": "end" }, words.curveUnscaled) };
  const picture = svg("svg", { class: "ag-picture ag-chart", viewBox: "0 0 320 216", role: "img" },
    svg("path", { class: "ag-axis", d: `M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}` }),
    svg("path", { class: "ag-most", d: `M${LEFT} ${TOP}H${RIGHT}` }), svg("text", { class: "ag-tick", x: LEFT + 4, y: TOP - 4 }, words.mostEntropy),
    rule, ...curves.flatMap(({ curve, dot }) => [curve, dot]), ...ticks, ...Object.values(names),
    svg("text", { class: "ag-tick", x: (LEFT + RIGHT) / 2, y: BOTTOM + 34, "text-anchor": "middle" }, words.widthAxis));
  const said = html("p", {});
  const heads = [words.widthAxis, words.spread, words.curveUnscaled, words.curveScaled].map((head) => headOf(head));
  const numbers = html("details", { class: "ag-help" }, html("summary", {}, words.widthTable));
  const compute = () => {
    found = widthExperiment();
    curves.forEach(({ kind, curve }) => attr(curve, "d", line(...found.map((row, s) => [across(s), up(row[kind])]))));
    attr(picture, "aria-label", words.widthLabel(found.map((row) => words.widthLine(row.d, fixed(row.unscaled), fixed(row.scaled))).join(" ")));
    numbers.append(table({ class: "ag-compare" }, html("caption", { class: "ag-hidden" }, words.widthCaption), heads,
      found.map((row) => rowOf(String(row.d), [row.spread, row.unscaled, row.scaled].map((x) => html("td", {}, fixed(x)))))));
  };
  return {
    node: html("div", { class: "ag-experiment" },
      html("div", { class: "ag-part" }, html("p", {}, words.widthWhat(DRAWS, RIVALS)), html("div", { class: "ag-row" }, range.node, about(words.width, words.widthHint)), said, numbers), picture),
    draw({ d_k }) {
      if (!found) compute();
      const s = WIDTHS.indexOf(d_k), row = found[s];
      range.draw(s, `d = ${d_k}`);
      attr(rule, "d", line([across(s), TOP], [across(s), BOTTOM]));
      curves.forEach(({ kind, dot }) => move(dot, [across(s), up(row[kind])]));
      text(said, words.widthSaid(d_k, fixed(row.spread), fixed(row.unscaled), fixed(row.scaled)));
    },
  };
}
