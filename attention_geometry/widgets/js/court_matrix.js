// The matrices of MetricCourt: one typed by hand, the one that is judged, and the buttons that repair it.

import { REPAIRS } from "./axioms.js";
import { attr, headOf, html, rowOf, table, text } from "./dom.js";
import { short } from "./format.js";
import * as words from "./strings/metric_court.js";
import { about, entryField } from "./fields.js";
import { value } from "./witness.js";

/** names: of the tokens, as drawn; onRepair(name) puts a repair on or takes it back. */
export function createMatrix(frame, names, onRepair) {
  const field = (i, j) => entryField(frame, "M", i, j, {}, () =>
    frame.commit(null, words.entered(i + 1, j + 1, short(frame.model.get("M")[i][j]))));
  const hand = createTable(names, field), judged = createTable(names);
  const buttons = Object.keys(REPAIRS).map((name) => ({
    name, node: frame.button(words.repairNames[name], () => onRepair(name), { "aria-pressed": "false", title: words.repairHints[name] }),
  }));
  const list = html("ul", { class: "ag-court-damage" });
  return {
    node: html("div", { class: "ag-court-stack" }, hand.node, judged.node, html("div", {},
      html("div", { class: "ag-title" }, words.repairs, about(words.repairs, words.repairsHint)),
      html("div", { class: "ag-row", role: "group", "aria-label": words.repairs }, ...buttons.map((button) => button.node)), list)),
    draw({ D, M: typed, source, base, candidate, verdicts, shown, repairs, steps }) {
      const marks = marked(shown, verdicts[shown].witness), same = source === "dissimilarities" && !steps.length;
      hand.node.hidden = source === "points";
      judged.node.hidden = same; // the matrix by hand is the one that is judged
      text(judged.caption, words.judged(source === "dissimilarities" ? "" : candidate, steps.length));
      judged.cells.forEach((row, i) => frame.due(i) && row.forEach((cell, j) => {
        const moved = base && base[i][j] !== D[i][j];
        text(cell, value(D[i][j]));
        attr(cell, "title", moved ? words.was(value(base[i][j])) : null);
        attr(cell, "class", `${marks[`${i} ${j}`] ?? ""}${moved ? " ag-court-moved" : ""}` || null);
      }));
      if (source !== "points") {
        text(hand.caption, words.entries[source]);
        hand.cells.forEach((row, i) => row.forEach((cell, j) => {
          const input = cell.firstChild;
          attr(cell, "class", (same && marks[`${i} ${j}`]) || null);
          attr(input, "aria-label", words.entry(source, i + 1, j + 1));
          if (document.activeElement !== input) input.value = String(Number(typed[i][j].toPrecision(4)));
        }));
      }
      for (const { name, node } of buttons) {
        const order = repairs.indexOf(name);
        attr(node, "aria-pressed", String(order >= 0));
        text(node, order < 0 || repairs.length < 2 ? words.repairNames[name] : words.repairOrder(order + 1, words.repairNames[name]));
      }
      if (list.children.length !== steps.length) list.replaceChildren(...steps.map(() => html("li", {}, html("b", {}), html("span", {}))));
      steps.forEach((step, s) => {
        text(list.children[s].firstChild, `${words.repairNames[step.name]}: `);
        text(list.children[s].lastChild, sentence(step, names.length));
      });
    },
  };
}

function createTable(names, field) {
  const cells = names.map((_, i) => names.map((__, j) => html("td", {}, field?.(i, j))));
  const name = (i) => html("bdi", {}, names[i]), caption = html("caption", {});
  return {
    cells, caption,
    node: table({ class: "ag-court-matrix" }, caption, [html("td", {}), ...names.map((_, j) => headOf(name(j)))], cells.map((row, i) => rowOf(name(i), row))),
  };
}

/** What a repair destroyed, in one sentence. */
function sentence({ possible, shift, changed, largest, comparisons, lost }, n) {
  if (!possible) return words.impossible;
  return (shift === null ? "" : words.shifted(value(shift))) + words.damage(changed, n * n, value(largest)) + words.order(lost, comparisons);
}

/** Which cells of the matrix a worst case is about. */
function marked(axiom, witness) {
  if (!witness) return {};
  const [i, j = i, k] = witness, direct = "ag-court-cell", round = "ag-court-cell ag-court-round";
  if (axiom === "triangle") return { [`${i} ${k}`]: direct, [`${i} ${j}`]: round, [`${j} ${k}`]: round };
  return { [`${i} ${j}`]: direct, ...(axiom === "symmetry" && { [`${j} ${i}`]: direct }) };
}
