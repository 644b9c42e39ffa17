// How the selected number was made: its terms written out, in words too, and for a given number the ways to change it.

import { attr, html, text } from "./dom.js";
import { fixed, short, stored } from "./format.js";
import { numberField, showNumber } from "./fields.js";
import { arithmetic } from "./stages.js";
import * as words from "./strings/attention_pipeline.js";

/** options: frame, title(place), story(place), editor (see pipe_tables.js). */
export function createArithmetic({ frame, title, story, editor }) {
  let place = null;
  const name = html("p", { class: "ag-title" }), sum = html("p", { class: "ag-pipe-sum" }), told = html("p", { class: "ag-hint" });
  const field = numberField(frame, {}, (x) => editor.change(place, x, true), () => editor.commit(place));
  const by = (step, sign, label) => frame.button(sign, () => {
    editor.change(place, frame.model.get(place[0])[place[1]][place[2]] + step);
    editor.commit(place, `step ${place}`);
  }, { "aria-label": label });
  const change = html("div", { class: "ag-row ag-pipe-change" }, by(-0.1, "−", words.less), field, by(0.1, "+", words.more),
    html("span", { class: "ag-hint" }, words.howToChange));
  const close = frame.button("×", () => editor.open(null), { class: "ag-pipe-close", "aria-label": words.closeNumber });
  const node = html("section", { class: "ag-panel ag-pipe-arithmetic", "aria-label": words.arithmetic }, name, close, sum, change, told);
  return {
    node,
    /** Writes a sign typed over a cell into the field and moves there. */
    type(sign) {
      field.focus({ preventScroll: true });
      if (sign) field.value = /\d/.test(sign) ? sign : "";
      else field.select();
    },
    draw(now) {
      place = now.opened;
      node.classList.toggle("ag-pipe-empty", !place);
      for (const part of [close, sum]) part.hidden = !place;
      const made = place && arithmetic(now, place);
      change.hidden = made?.kind !== "given";
      text(name, place ? title(place) : words.nothingOpen);
      text(told, place ? story(place, made) : words.open);
      text(sum, made ? written(made, now, place) : "");
      sum.hidden ||= made?.kind === "given";
      if (made?.kind !== "given") return;
      attr(field, "aria-label", title(place));
      showNumber(field, made.value);
    },
  };
}

const signed = (x) => (x < 0 ? `(${stored(x)})` : stored(x));

/** The line of the arithmetic; ≈ says that the figures shown are rounded. */
export function written(made, { temperature: t, S, selected }, [, i, j]) {
  if (made.kind === "given") return stored(made.value);
  if (made.kind === "masked") return words.masked;
  if (made.kind === "share") {
    const { exps, shifted, largest, total } = made;
    const limit = t === 0 || t === Infinity;
    const term = (m) => (limit ? short(exps[m]) : `exp(${shifted ? `(${fixed(S[i][m])} − ${signed(Number(largest.toFixed(2)))})` : fixed(S[i][m])}${t === 1 ? "" : ` / ${t}`})`);
    const all = exps.flatMap((e, m) => (e === null ? [] : [m]));
    const number = (e) => (e >= 1e4 || (e > 0 && e < 0.01) ? short(e) : fixed(e));
    const sums = limit ? "" : ` = ${number(exps[j])} / (${all.map((m) => number(exps[m])).join(" + ")})`;
    return `${term(j)} / (${all.map(term).join(" + ")})${sums} = ${number(exps[j])} / ${number(total)} ≈ ${fixed(made.value, 3)}`;
  }
  const products = made.terms.map(([a, b], m) => `${m ? signed(a) : stored(a)} × ${signed(b)}`).join(" + ");
  const divided = made.divisor !== 1;
  const rounded = (x, digits) => Number(x.toFixed(digits));
  const exact = Math.abs(made.terms.reduce((s, [a, b]) => s + rounded(a, 4) * rounded(b, 4), 0) - rounded(made.sum, 3)) < 1e-9;
  const result = `${exact ? "=" : "≈"} ${fixed(made.sum, 3)}`;
  return divided ? `(${products}) / √2 = ${stored(made.sum)} / ${stored(made.divisor)} ≈ ${fixed(made.value, 3)}`.replace("√2", `√${rounded(made.divisor ** 2, 6)}`)
    : `${products} ${result}`;
}
