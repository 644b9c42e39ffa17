// One row of weights in the hand: a score for each key, the weight it gives, and beside it a second row with the same output.

import { createFacts } from "./bars.js";
import { attr, html, text } from "./dom.js";
import { fixed, short } from "./format.js";
import * as words from "./strings/mixture_hull.js";
import { about, numberField, showNumber } from "./fields.js";

const STEPS = 100; // positions of the slider on each side of the row itself

/** options: frame, count (keys), wide (do they have tokens?), named(j) for the eye, called(j) for the ear, forbid(j, may). */
export function createRows({ frame, count, wide, named, called, forbid }) {
  const reach = Math.max(4, Math.ceil(Math.max(...frame.initial.scores.map(Math.abs))));
  const put = (j, value) => {
    const clean = Number(Math.max(-1e6, Math.min(1e6, value)).toPrecision(12));
    frame.set("scores", frame.model.get("scores").map((s, k) => (k === j ? clean : s)));
  };
  const done = (j) => frame.commit(null, words.scored(called(j), short(frame.model.get("scores")[j])));
  const rows = Array.from({ length: count }, (_, j) => {
    const box = html("input", { type: "checkbox", "aria-label": words.mayAttend(called(j)) });
    const range = html("input", { type: "range", min: -reach, max: reach, step: 0.05, "aria-label": words.scoreOf(called(j)) });
    const number = numberField(frame, { "aria-label": words.scoreTyped(called(j)) }, (x) => put(j, x), () => done(j));
    const bar = (kind) => {
      const fill = html("span", { class: kind });
      const track = html("span", { class: "ag-track" }, fill), value = html("span", { class: "ag-number-text" });
      return { track, fill, value };
    };
    const first = bar("ag-fill"), second = bar("ag-hull-second");
    const line = (letter, { track, value }) => html("span", { class: "ag-hull-bar" }, html("i", {}, letter), track, value);
    frame.on(box, "change", () => forbid(j, box.checked));
    frame.on(range, "input", () => put(j, Number(range.value)));
    frame.on(range, "change", () => { put(j, Number(range.value)); done(j); });
    const other = line("a′", second);
    const node = html("div", { class: "ag-hull-row", role: "group", "aria-label": called(j) },
      html("label", { class: "ag-box" }, box), html("bdi", { class: "ag-hull-name" }, named(j)), range, number,
      html("span", { class: "ag-hull-bars" }, line("a", first), other));
    return { node, box, range, number, first, second, other };
  });
  const facts = createFacts();
  const head = html("div", { class: "ag-hull-row ag-hull-head", "aria-hidden": "true" },
    html("span", { title: words.may }, "✓"), html("span", {}, words.key), html("span", {}, words.score));
  const draw = (bar, w, may, due) => {
    attr(bar.fill, "style", `inline-size:${(100 * (w ?? 0)).toFixed(2)}%${w > 0 ? "" : ";visibility:hidden"}`);
    bar.track.classList.toggle("ag-hatched", !may);
    if (due) text(bar.value, may ? fixed(w, 3) : words.masked);
  };
  const node = html("div", { class: "ag-hull-rows" }, head, ...rows.map((row) => row.node), facts.node);
  node.style.setProperty("--ag-name", wide ? "92px" : "28px");
  node.style.setProperty("--ag-bar", `${Math.max(9, Math.min(18, 90 / count))}px`);
  return {
    node,
    draw({ scores, allowed: may, weights: a, other: b, single, along }) {
      rows.forEach(({ box, range, number, first, second, other }, j) => {
        box.checked = may[j];
        if (Number(range.value) !== scores[j]) range.value = String(scores[j]);
        attr(range, "aria-valuetext", words.scoreText(short(scores[j]), may[j] ? fixed(a[j], 3) : null));
        showNumber(number, scores[j], 3);
        draw(first, a?.[j], may[j], frame.due(j));
        other.hidden = single || !may[j];
        if (!other.hidden) draw(second, b[j], true, frame.due(j));
      });
      if (frame.due(0)) facts.draw(a, may, words.allMasked, single || along === 0 ? null : b);
    },
  };
}

/** The slider along the rows with one output: it gives weight to the chosen key, the others follow, y stays. */
export function createOther({ frame, count, signs, named, called }) {
  const choice = html("select", { class: "ag-select", "aria-label": words.chosen },
    ...Array.from({ length: count }, (_, j) => html("option", { value: j }, named(j))));
  const range = html("input", { type: "range", min: -STEPS, max: STEPS, step: 1, "aria-label": words.along });
  const reading = html("span", { class: "ag-number-text ag-reading" });
  const low = html("span", {}), high = html("span", {}), none = html("p", {}), size = html("p", { class: "ag-hint" });
  const moved = html("p", {});
  const take = () => frame.set("along", Number(range.value) / STEPS);
  frame.on(choice, "change", () => { frame.set("direction", Number(choice.value)); frame.commit(); });
  frame.on(range, "input", take);
  frame.on(range, "change", () => { take(); frame.commit(); });
  const slider = html("div", { class: "ag-hull-slider" },
    html("label", { class: "ag-field" }, html("span", {}, words.give), choice, reading),
    range, html("div", { class: "ag-hull-ends ag-hint" }, low, high));
  return {
    node: html("div", { class: "ag-hull-other", role: "group", "aria-label": words.otherTitle },
      html("div", { class: "ag-title" }, words.otherTitle, about(words.otherTitle, words.otherHint)), none, slider, moved, size),
    draw({ allowed: may, weights: a, other: b, direction: j, along, dimension, line, single, settled, distance }) {
      const room = may.filter(Boolean).length;
      const why = !a ? words.allMasked : dimension === 0 ? words.none(room) : !may[j] ? words.noneMasked(named(j))
        : !single ? "" : settled ? words.noneFixed(named(j)) : words.noneRoom(named(j));
      text(none, why);
      choice.value = String(j);
      slider.hidden = !a || dimension === 0;
      range.hidden = reading.hidden = low.parentNode.hidden = Boolean(why);
      text(size, a && dimension ? words.dimension(dimension, room) : "");
      text(moved, why ? "" : along === 0 ? words.unmoved : words.distance(fixed(distance, 3)));
      if (why) return;
      const position = Math.round(along * STEPS);
      if (Number(range.value) !== position) range.value = String(position);
      text(reading, words.inSecond(fixed(b[j], 3)));
      attr(range, "aria-valuetext", words.alongText(called(j), fixed(b[j], 3), fixed(a[j], 3)));
      [[low, "←", line[0]], [high, "→", line.at(-1)]].forEach(([node, arrow, row]) => {
        const open = row.map((_, k) => k).filter((k) => may[k]), left = open.filter((k) => row[k] > 0);
        const gone = open.filter((k) => row[k] === 0);
        const list = (keys) => keys.map((k) => signs[k]).join(", ");
        text(node, words.end(arrow, fixed(row[j], 3), gone.length < left.length ? words.gone(list(gone)) : words.left(list(left))));
      });
    },
  };
}
