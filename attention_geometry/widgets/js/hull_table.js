// The table twin of MixtureHull: every product and both sums, y = Σ a v = Σ a′ v; and the same as a file.

import { attr, headOf, html, rowOf, table, text } from "./dom.js";
import { fixed, stored } from "./format.js";
import * as words from "./strings/mixture_hull.js";

const point = (p) => (p ? `(${p.map((x) => fixed(x, 3)).join(", ")})` : "–");

/** options: frame, count (keys), named(j). */
export function createTable({ frame, count, named }) {
  const heads = ["v", "s", "a", "a v", "a′", "a′ v"].map((name) => headOf(name));
  const rows = Array.from({ length: count }, (_, j) => {
    const cells = heads.map(() => html("td", {}));
    return { node: rowOf(html("bdi", {}, named(j)), cells), cells };
  });
  const sums = heads.map(() => html("td", {}));
  const scroll = html("div", { class: "ag-scroll", role: "group", "aria-label": words.table }, table(
    { class: "ag-hull-table" }, html("caption", { class: "ag-hidden" }, words.tableCaption),
    [html("td", {}), ...heads], rows.map((row) => row.node), html("tfoot", {}, rowOf(words.sum, sums))));
  const only = (cells, same) => cells.slice(4).forEach((cell) => { cell.hidden = same; });
  return {
    node: scroll,
    draw({ V, scores, allowed: may, weights: a, other: b, output: y, otherOutput: z, single: same }, settled) {
      only(heads, same);
      rows.forEach(({ cells }, j) => {
        if (!frame.due(j)) return;
        only(cells, same);
        const shares = [a, b].flatMap((row) => (row && may[j] ? [fixed(row[j], 3), point(V[j].map((x) => x * row[j]))] : [words.masked, "–"]));
        [`(${V[j].map(stored).join(", ")})`, stored(scores[j]), ...shares].forEach((value, c) => text(cells[c], value));
      });
      only(sums, same);
      ["", "", a ? "1" : "–", point(y), a ? "1" : "–", point(z)].forEach((value, c) => text(sums[c], value));
      if (settled) attr(scroll, "tabindex", scroll.scrollWidth > scroll.clientWidth ? "0" : null);
    },
  };
}

/** One line for each key; nothing is rounded. */
export function tableRows({ V, scores, allowed: may, weights: a, other: b }, tokens) {
  return [
    ["key", "token", "allowed", "v_x", "v_y", "score", "weight", "other_weight"],
    ...V.map((v, j) => [j, tokens?.[j] ?? "", may[j] ? 1 : 0, ...v, scores[j], a?.[j] ?? null, b?.[j] ?? null]),
  ];
}
