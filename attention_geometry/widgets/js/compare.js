// The experiment on three comparisons: dot product, cosine and distance side by side, the lengths of the keys, and the lift.

import { headOf, html, rowOf, table, text } from "./dom.js";
import { fixed } from "./format.js";
import { MODES, compare, heights, norm } from "./forms.js";
import * as words from "./strings/query_key_plane.js";
import { about, segmented, select, slider } from "./fields.js";
import { createTilt } from "./winners.js";

/** options: frame, get, names (of the keys), named(kind, i), movable (can the keys be moved?). */
export function createCompare({ frame, get, names, named, movable }) {
  const modes = segmented(frame, words.compareBy, MODES.map((mode) => [mode, words.modes[mode]]), (mode) => {
    frame.set("mode", mode);
    frame.commit();
  });
  const lift = slider(frame, words.lift, 100, (x) => frame.set("lift", x / 100));
  const length = createLength({ frame, get, named, shown: movable });
  const tilt = createTilt(names, words.tiltLabel);
  const caption = html("caption", {});
  const heads = [words.key, words.length, ...MODES.map((mode) => words.formulas[mode])].map((head) => headOf(head));
  const rows = names.map((_, j) => {
    const cells = Array.from({ length: 4 }, () => html("td", {}));
    return { node: rowOf(html("bdi", {}, named("k", j)), cells), cells };
  });
  const scroll = html("div", { class: "ag-scroll", role: "group", tabindex: 0, "aria-label": words.compareTable },
    table({ class: "ag-compare" }, caption, heads, rows.map((row) => row.node)));
  const verdict = html("p", {}), lemma = html("p", { class: "ag-hint" });
  const lifting = html("div", { class: "ag-lifting" }, html("div", { class: "ag-row" }, lift.node, about(words.lift, words.liftHint)), tilt.picture, lemma);
  return {
    node: html("div", { class: "ag-experiment" },
      html("div", { class: "ag-part" }, html("div", { class: "ag-row" }, modes.node, about(words.compareBy, words.compareHint)), scroll, verdict, ...length.nodes), lifting),
    constrain: length.constrain,
    draw({ Q, K, mode, lift: share, selected: i, allowed, reach }, settled) {
      modes.draw(mode);
      lift.draw(Math.round(share * 100), words.liftText(fixed(share)));
      length.draw(K);
      lifting.hidden = mode !== "distance";
      const all = MODES.map((each) => compare([Q[i]], K, each, each === "distance" ? share : 0)[0]);
      const best = all.map((row) => winners(row, allowed[i]));
      text(caption, words.compareCaption(named("q", i)));
      rows.forEach(({ cells }, j) => {
        text(cells[0], fixed(norm(K[j])));
        all.forEach((row, m) => {
          const wins = best[m].includes(j);
          text(cells[m + 1], `${wins ? "★ " : ""}${row[j] === null ? words.noCosine : fixed(row[j], 3)}`);
          cells[m + 1].classList.toggle("ag-best", wins);
          cells[m + 1].classList.toggle("ag-now", MODES[m] === mode);
        });
      });
      text(heads[4], words.formulas[share ? "lifted" : "distance"]);
      heads.slice(2).forEach((head, m) => head.classList.toggle("ag-now", MODES[m] === mode));
      text(verdict, verdictOn(best.map((js) => js.map((j) => named("k", j)).join(" = ")), share ? [] : K));
      if (mode !== "distance") return;
      const equal = equallyLong(K);
      text(lemma, share === 1 || equal ? words.lifted(fixed(Math.max(...K.map(norm)))) : words.liftNot(share > 0));
      tilt.draw({ q: Q[i], K, heights: heights(K), lift: share, best: best[2][0], reach });
    },
  };
}

const equallyLong = (K) => K.length > 0 && Math.max(...K.map(norm)) - Math.min(...K.map(norm)) < 1e-9;
const winners = (row, may) => {
  const open = row.map((x, j) => (may[j] && x !== null ? x : -Infinity)), top = Math.max(...open);
  return open.flatMap((x, j) => (x === top && top > -Infinity ? [j] : []));
};

function verdictOn([dot, cosine, near], K) {
  if (!dot) return words.verdictNone;
  if (dot === cosine && cosine === near) return words.verdictAll(dot, equallyLong(K));
  return words.verdict(dot, cosine, near);
}

/** The length of one key along its ray, by a slider, and keys that keep their direction when dragged. */
function createLength({ frame, get, named, shown }) {
  const choice = select(frame, words.lengthOf, get("K")?.map((_, j) => [String(j), named("k", j)]) ?? [], () => frame.schedule());
  const chosen = () => Number(choice.node.value);
  const stretch = (j, to) => frame.set("K", get("K").map((k, i) => (i === j && norm(k) ? k.map((x) => (x * to) / norm(k)) : k)));
  const most = Math.max(300, ...(get("K") ?? []).map((k) => Math.ceil(100 * norm(k))));
  const range = slider(frame, words.length, most, (x) => stretch(chosen(), x / 100), 1);
  const ray = html("input", { type: "checkbox" });
  const equal = frame.button(words.equalise, () => {
    const mean = get("K").reduce((sum, k) => sum + norm(k), 0) / get("K").length;
    frame.set("K", get("K").map((k) => (norm(k) ? k.map((x) => (x * mean) / norm(k)) : k)));
    frame.commit();
  });
  return {
    nodes: shown ? [html("div", { class: "ag-row" }, choice.field, range.node), html("div", { class: "ag-row" },
      html("label", { class: "ag-field ag-check" }, ray, html("span", {}, words.alongRay)), equal, about(words.length, words.lengthHint))] : [],
    /** With the box ticked a key goes to the point of its own ray that is nearest to the hand. */
    constrain(kind, k, p) {
      if (kind !== "k" || !ray.checked || !norm(k)) return p;
      const unit = k.map((x) => x / norm(k)), along = Math.max(0.01, unit[0] * p[0] + unit[1] * p[1]);
      return unit.map((x) => Number((x * along).toPrecision(12)));
    },
    draw(K) {
      if (!shown) return;
      const long = norm(K[chosen()]);
      range.draw(Math.min(most, Math.round(long * 100)), fixed(long));
    },
  };
}
