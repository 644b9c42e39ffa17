// What MetricCourt says of a matrix: five verdicts, whether the triangle comes for free, which challenges are met.

import { AXIOMS, missing } from "./axioms.js";
import { attr, html, text } from "./dom.js";
import { short } from "./format.js";
import * as words from "./strings/metric_court.js";
import { about } from "./fields.js";
import { value } from "./witness.js";

const SIGNS = { true: ["✓", "ag-court-holds"], false: ["✗", "ag-court-fails"], null: ["–", ""] };

/** ✓ in a circle, ✗ in a square, – in a dashed circle. */
function createSign() {
  const node = html("span", { class: "ag-court-sign", "aria-hidden": "true" });
  return { node, draw(holds, sign = SIGNS[holds][0]) { text(node, sign); attr(node, "class", `ag-court-sign ${SIGNS[holds][1]}`); } };
}

/** The worst case of an axiom in numbers, tokens counted from 1. */
export function margin(axiom, { holds, worst, witness }, D) {
  if (!witness) return holds === null ? words.nothing : words.margins.few;
  const [i, j = i, k] = witness, d = (a, b) => words.d(a + 1, b + 1), x = (a, b) => value(D[a][b]), by = value(Math.abs(worst));
  const say = words.margins;
  if (axiom === "triangle") return say.triangle(d(i, k), d(i, j), d(j, k), x(i, k), x(i, j), x(j, k), by, holds);
  if (axiom === "symmetry") return holds ? say.symmetric : say.symmetry(d(i, j), d(j, i), x(i, j), x(j, i), by);
  if (axiom === "zero_diagonal") return holds ? say.zero : say.zero_diagonal(d(i, i), x(i, i));
  return say[axiom](d(i, j), x(i, j), holds);
}

/** A set of axioms in words, by whichever list is shorter: those that hold or those that do not. */
export function named(holds) {
  const [kept, broken] = [true, false].map((wanted) => AXIOMS.filter((_, a) => holds[a] === wanted).map((axiom) => words.names[axiom]));
  if (!broken.length) return words.askAll;
  if (!kept.length) return words.askNone;
  return kept.length < broken.length ? words.askOnly(kept) : words.askBut(broken);
}

/** One button for each axiom: its sign, its verdict, its worst case. onShow(axiom). */
export function createVerdicts(frame, onShow) {
  const rows = AXIOMS.map((axiom) => {
    const sign = createSign(), word = html("span", { class: "ag-court-word" }), worst = html("span", { class: "ag-court-margin" });
    const known = html("span", { class: "ag-court-known" });
    const button = frame.button(sign.node, () => onShow(axiom), { "aria-pressed": "false" });
    button.append(html("span", { class: "ag-court-axiom" },
      html("span", {}, html("b", {}, words.names[axiom]), " ", html("span", { class: "ag-court-formula" }, words.formulas[axiom])),
      html("span", {}, word, " ", worst), known));
    return { axiom, sign, word, worst, known, button };
  });
  const kind = html("b", {}), kindHint = html("span", {});
  const node = html("div", { class: "ag-court-verdicts" },
    html("ul", {}, ...rows.map((row) => html("li", {}, row.button))),
    html("p", { class: "ag-court-kind" }, words.kind, " ", kind, " ", kindHint));
  return {
    node,
    draw({ verdicts, D, why, kind: name, shown, known: statuses, steps }) {
      rows.forEach(({ axiom, sign, word, worst, known, button }) => {
        const verdict = verdicts[axiom], { holds, violations, cases, left } = verdict;
        sign.draw(holds);
        text(word, holds === null ? words.undecided : holds ? words.holds : words.fails(violations, cases, words.units[axiom]));
        text(worst, why ? "" : margin(axiom, verdict, D) + (left ? `; ${words.left(left)}` : ""));
        text(known, statuses && !steps.length ? words.known(statuses[AXIOMS.indexOf(axiom)]) : "");
        attr(button, "aria-pressed", String(axiom === shown));
      });
      node.lastChild.hidden = !name;
      text(kind, words.kinds[name] ?? "");
      text(kindHint, name ? `(${named(AXIOMS.map((axiom) => verdicts[axiom].holds))}${steps.length ? words.forced : ""})` : "");
    },
  };
}

/** How far the matrix is from obeying the triangle for free: value ≤ limit, from a hundredth to a hundred times of it. */
export function createFree() {
  const meter = () => {
    const fill = html("span", { class: "ag-fill" }), name = html("span", {}), note = html("span", { class: "ag-hint" });
    const node = html("div", { class: "ag-court-meter" }, name, html("span", { class: "ag-track" }, fill), note);
    return { node, draw(now, label, limit) {
      node.hidden = !now;
      if (!now) return;
      attr(fill, "style", `transform:scaleX(${Math.max(0, Math.min(1, 0.5 + Math.log10(now.value / now.limit) / 4)).toFixed(4)})`);
      text(name, label);
      text(note, limit);
    } };
  };
  const known = meter(), general = meter(), none = html("p", { class: "ag-hint" }, words.spreadNone);
  return {
    node: html("div", { class: "ag-court-free" },
      html("div", { class: "ag-title" }, words.free, about(words.free, words.freeHint)), known.node, general.node, none),
    draw({ threshold, spread, candidate, D, why }) {
      const say = words.thresholds[candidate];
      known.draw(threshold, say?.(value(threshold?.value)), words.limit(short(threshold?.limit ?? null), D.length, threshold?.value <= threshold?.limit));
      general.draw(spread, words.spread(short(spread?.value ?? null)),
        words.spreadLimit(spread?.value <= 2, short(Math.floor((spread?.exponent ?? 0) * 1000) / 1000)));
      none.hidden = Boolean(spread || why);
    },
  };
}

/** Wishes for verdicts, each with a mark that says whether it is met now. */
export function createChallenges(challenges) {
  const items = challenges.map(({ text: wish, wanted, repairs }) => {
    const sign = createSign(), word = html("b", {}), rest = html("span", { class: "ag-hint" });
    return { wanted, most: repairs, sign, word, rest, node: html("li", {}, sign.node, html("span", {}, wish, " ", word, " ", rest)) };
  });
  return {
    node: html("section", { class: "ag-panel ag-court-challenges" }, html("p", { class: "ag-title" }, words.challenges),
      html("ul", {}, ...items.map((item) => item.node))),
    draw({ verdicts, steps, why }) {
      for (const { wanted, most, sign, word, rest } of items) {
        const left = missing(wanted, verdicts).map((axiom) => (wanted[axiom] ? words.mustHold : words.mustFail)(words.names[axiom]));
        if (most !== null && steps.length > most) left.push(words.fewer(most));
        left.length ? sign.draw(null, "") : sign.draw(true);
        text(word, left.length ? words.notMet : words.met);
        text(rest, why ? words.nothing : left.length ? words.still(left) : "");
      }
    },
  };
}
