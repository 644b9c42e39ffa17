// Controls and how they are read: lists, sliders, boxes, fields for numbers, and the sentence about each.

import { attr, html, text } from "./dom.js";
import * as words from "./strings/frame.js";

/** A question mark that opens one sentence about the control beside it; both stand in the row of that control. */
export function about(name, ...sentence) {
  const hint = html("p", { class: "ag-hint", hidden: true }, ...sentence);
  const button = html("button", { type: "button", class: "ag-ask", "aria-expanded": "false", "aria-label": words.about(name) }, "?");
  button.addEventListener("click", () => {
    hint.hidden = !hint.hidden;
    attr(button, "aria-expanded", String(!hint.hidden));
  });
  return html("span", { class: "ag-about" }, button, hint);
}

/** A labelled drop-down list; options are [value, label] pairs. The `rare` one stands on it only while it is chosen. */
export function select(frame, label, options, run, rare) {
  const node = html("select", { class: "ag-select", "aria-label": label }, ...options.map(([value, name]) => html("option", { value }, name)));
  frame.on(node, "change", () => run(node.value));
  const guest = [...node.options].find((option) => option.value === rare);
  return {
    node, field: html("label", { class: "ag-field" }, html("span", {}, label), node),
    draw(value) {
      if (node.value !== value) node.value = value;
      for (const name of guest ? ["hidden", "disabled"] : []) attr(guest, name, value === rare ? null : "");
    },
  };
}

/** The name of a mask on the list of masks. */
export const maskKind = (mask) => (Array.isArray(mask) ? "custom" : mask ?? "none");

/** Buttons of which one is pressed; options are [value, label] pairs. */
export function segmented(frame, label, options, run) {
  const buttons = options.map(([value, name]) => [value, frame.button(name, () => run(value), { "aria-pressed": "false" })]);
  return {
    node: html("div", { class: "ag-switch", role: "group", "aria-label": label }, ...buttons.map(([, button]) => button)),
    draw(now) { for (const [value, button] of buttons) attr(button, "aria-pressed", String(value === now)); },
  };
}

/** A field for one number: take(x) when it is typed, done() when it stands. */
export function numberField(frame, attributes, take, done = frame.commit) {
  const input = html("input", { class: "ag-number", type: "number", step: "any", ...attributes });
  const read = () => {
    const x = input.valueAsNumber, good = Number.isFinite(x) && Math.abs(x) <= 1e6;
    if (good) take(x);
    return good;
  };
  frame.on(input, "input", read);
  frame.on(input, "change", () => (read() ? done() : frame.schedule()));
  return input;
}

/** Shows a number in its field, unless the reader is typing there. */
export function showNumber(input, x, digits = 4) {
  const shown = String(Number(x.toFixed(digits)));
  if (document.activeElement !== input && input.value !== shown) input.value = shown;
}

/** The entry in row r and column c of a matrix that is a trait, as a field. */
export const entryField = (frame, trait, r, c, attributes, done) => numberField(frame, attributes, (x) =>
  frame.set(trait, frame.model.get(trait).map((row, i) => (i === r ? row.map((old, k) => (k === c ? x : old)) : row))), done);

/** A box to tick with its name behind it; `take` gets whether it is. */
export function check(frame, take, ...name) {
  const box = html("input", { type: "checkbox" });
  frame.on(box, "change", () => { take(box.checked); frame.commit(); });
  return { box, field: html("label", { class: "ag-field ag-check" }, box, html("span", {}, ...name)) };
}

/** A slider with its name before and its value behind; `take` gets its position. */
export function slider(frame, label, max, take, min = 0) {
  const input = html("input", { type: "range", min, max, step: 1, "aria-label": label });
  const number = html("span", { class: "ag-number-text ag-reading" });
  frame.on(input, "input", () => take(Number(input.value)));
  frame.on(input, "change", () => { take(Number(input.value)); frame.commit(); });
  const field = html("label", { class: "ag-field" }, html("span", {}, label), input);
  return {
    node: html("div", { class: "ag-field ag-slider" }, field, number), input,
    draw(position, value, spoken = value) {
      if (Number(input.value) !== position) input.value = String(position);
      text(number, value);
      attr(input, "aria-valuetext", spoken);
    },
  };
}

/** The slider of the temperature. */
export function temperatureSlider(frame, label) {
  const range = slider(frame, label, 200, (p) => frame.set("temperature", p < 200 ? sliderToTemperature(p) : "inf"));
  return { node: range.node, input: range.input, draw: (t, spoken) => range.draw(temperatureToSlider(t), `T = ${t === Infinity ? "∞" : t}`, spoken) };
}

const LOWEST = -1.3, HIGHEST = 1.3; // log10 of the temperatures at the ends of the slider's middle part

/** Slider position 0…200 of a temperature: 0 and ∞ are the end stops, 100 is T = 1. */
export function temperatureToSlider(t) {
  if (t === 0) return 0;
  if (t === Infinity) return 200;
  return Math.max(1, Math.min(199, Math.round(1 + 198 * (Math.log10(t) - LOWEST) / (HIGHEST - LOWEST))));
}

export function sliderToTemperature(p) {
  if (p <= 0) return 0;
  if (p >= 200) return Infinity;
  return p === 100 ? 1 : Number((10 ** (LOWEST + (p - 1) / 198 * (HIGHEST - LOWEST))).toPrecision(3));
}
