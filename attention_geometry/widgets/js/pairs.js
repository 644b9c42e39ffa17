// The table of all pairs. The row of the selected query opens to its arithmetic: q·k, the scale, the mask, exp, the share.

import { attr, headOf, html, rowOf, table, text } from "./dom.js";
import { segmented } from "./fields.js";
import { fixed, four, stored } from "./format.js";
import { heights, norm } from "./forms.js";
import { dot } from "./geometry.js";
import * as words from "./strings/query_key_plane.js";

const LARGE = 20; // beyond this, exp is shown relative to the largest score, as it is computed

/** options: frame, counts, named(kind, i) and label(j) for the eye, called(kind, i) for the ear, onSelect(i). */
export function createPairs({ frame, counts, named, called, label, onSelect }) {
  let what = "weights", open = true, drawn = null, placed = -1, turn = 0;
  const caption = html("caption", { class: "ag-hidden" });
  const rows = Array.from({ length: counts.queries }, (_, i) => {
    const button = html("button", { type: "button", class: "ag-opener" }, html("bdi", {}, named("q", i)));
    frame.on(button, "click", () => {
      open = drawn.selected === i ? !open : true;
      onSelect(i);
      frame.schedule();
    });
    const cells = Array.from({ length: counts.keys }, () => html("td", {}));
    cells.forEach((cell) => frame.on(cell, "click", () => { open = true; onSelect(i); frame.schedule(); }));
    return { node: rowOf(button, cells), button, cells, known: cells.map(() => ({})) };
  });
  const steps = createSteps(counts, named, called);
  const unfold = html("div", { class: "ag-unfold", role: "group", "aria-label": words.steps }, steps.node);
  const opened = html("tr", { class: "ag-open" }, html("td", { colspan: counts.keys + 1 }, unfold));
  const heads = Array.from({ length: counts.keys }, (_, j) => 
    html("th", { scope: "col", title: named("k", j) }, html("bdi", {}, label(j))));
  const names = { weights: words.showWeights, scores: words.showScores };
  const switches = segmented(frame, words.show, Object.entries(names), (kind) => { what = kind; frame.schedule(); });
  const scroll = html("div", { class: "ag-scroll", role: "group", "aria-label": words.pairs }, table(
    { class: "ag-pairs", style: `--ag-columns:${counts.keys}` }, caption, [html("td", {}), ...heads], rows.map((row) => row.node)));
  const node = html("section", { class: "ag-panel" },
    html("div", { class: "ag-heading" }, html("p", { class: "ag-title" }, words.pairs), switches.node),
    scroll);

  return {
    node,
    draw(now, settled) {
      drawn = now;
      if (!frame.due(0)) return;
      turn += 1; // of the rows beside the selected one, one is drawn at a time
      const { scores, weights, allowed, selected } = now;
      const largest = what === "weights" ? 1 : Math.max(...scores.flat().map(Math.abs), 1e-12);
      switches.draw(what);
      text(caption, words.pairsCaption(names[what]));
      rows.forEach((row, i) => {
        if (i !== selected && !frame.due(i, rows.length, turn)) return;
        row.node.classList.toggle("ag-selected", i === selected);
        attr(row.button, "aria-expanded", String(i === selected && open));
        row.cells.forEach((cell, j) => {
          const may = allowed[i][j], value = what === "weights" ? weights[i]?.[j] : scores[i][j];
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
    },
  };
}

/** Number and shade of one pair; a forbidden pair is hatched and, as a weight, says so. */
function drawCell(cell, { value, what, may, largest }) {
  cell.classList.toggle("ag-hatched", !may);
  cell.classList.toggle("ag-no-weight", !may && what === "weights");
  cell.classList.toggle("ag-negative", what === "scores" && value < 0);
  text(cell, what === "weights" && !may ? words.masked : fixed(value));
  const shade = what === "weights" && !may ? 0 : Math.abs(value) / largest;
  attr(cell, "style", `--ag-tint:${Math.round(40 * shade)}%`);
}

function createSteps(counts, named, called) {
  const caption = html("caption", {});
  const heads = Array.from({ length: 5 }, () => headOf());
  const lines = Array.from({ length: counts.keys }, (_, j) => {
    const cells = Array.from({ length: 5 }, () => html("td", {}));
    return { node: rowOf(html("bdi", {}, named("k", j)), cells), cells };
  });
  const marks = lines.map(({ cells }) => cells[2].appendChild(html("span", {})));
  const total = html("td", {}), one = html("td", {}), sums = rowOf(words.sum, [total, one]);
  const node = table({ class: "ag-steps" }, caption, [html("td", {}), ...heads], lines.map((line) => line.node), html("tfoot", {}, sums));
  return {
    node,
    draw({ Q, K, scores, weights, allowed, scaled, temperature: t, selected: i, mode = "dot", lift = 0 }) {
      const s = scores[i], may = allowed[i];
      const top = Math.max(...s.filter((_, j) => may[j]));
      const limit = t === 0 || t === Infinity;
      const large = !limit && Math.max(...s.map((x) => Math.abs(x) / t)) > LARGE;
      const mass = s.map((x, j) => {
        if (!may[j]) return 0;
        if (t === 0) return x === top ? 1 : 0;
        return t === Infinity ? 1 : Math.exp((large ? x - top : x) / t);
      });
      const sum = mass.reduce((a, b) => a + b, 0);
      const exp = t === 0 ? words.argmax : t === Infinity ? words.uniform : large ? words.expShifted(t) : words.exp(t);
      const h = lift ? heights(K) : [];
      [words.products[mode], words.scoreOf(words.products[mode], scaled), words.mask.toLowerCase(), exp, words.share]
        .forEach((head, c) => text(heads[c], head));
      text(caption, words.stepsCaption(called("q", i)));
      const masks = allowed.some((row) => row.includes(false)); // without one, the column of the mask says nothing
      [heads[2], ...lines.map(({ cells }) => cells[2])].forEach((cell) => attr(cell, "hidden", masks ? null : ""));
      attr(sums.firstChild, "colspan", masks ? 4 : 3);
      lines.forEach(({ cells }, j) => {
        text(cells[0], { dot: product, cosine, distance }[mode](Q[i], K[j], lift * (h[j] ?? 0)));
        text(cells[1], fixed(s[j], 3));
        cells[2].classList.toggle("ag-may", may[j]);
        text(marks[j], may[j] ? words.allowed : "−∞");
        text(cells[3], four(mass[j]));
        text(cells[4], weights[i] ? fixed(weights[i][j], 3) : words.masked);
      });
      text(total, four(sum));
      text(one, weights[i] ? fixed(1, 3) : words.masked);
    },
  };
}

/** The cosine written out. */
function cosine(q, k) {
  const [a, b] = [norm(q), norm(k)];
  return a && b ? `${stored(dot(q, k))} / (${stored(a)}×${stored(b)})\n≈\u00a0${fixed(dot(q, k) / (a * b), 3)}` : words.noCosine;
}

/** Half of the squared distance, to a key lifted by h, with its minus. */
function distance(q, k, h) {
  const terms = [...q.map((x, c) => `(${stored(x - k[c])})²`), ...(h ? [`(${stored(h)})²`] : [])];
  return `−½(${terms.join("\n+\u00a0")})\n≈\u00a0${fixed(-(dot(q, q) - 2 * dot(q, k) + dot(k, k) + h * h) / 2, 3)}`;
}

/** q·k written out; the line breaks are seen where the table is narrow. ≈ says that the figures shown are rounded. */
function product(q, k) {
  const signed = (x) => (x < 0 ? `(${stored(x)})` : stored(x));
  const result = q[0] * k[0] + q[1] * k[1];
  const shown = (x, digits) => Number(x.toFixed(digits));
  const [a, b, c, d] = [q[0], k[0], q[1], k[1]].map((x) => shown(x, 4));
  const exact = Math.abs(a * b + c * d - shown(result, 3)) < 1e-9;
  return `${stored(q[0])}×${signed(k[0])}\n+\u00a0${signed(q[1])}×${signed(k[1])}\n${exact ? "=" : "≈"}\u00a0${fixed(result, 3)}`;
}
