// The temperature with its two limits, and W_O as four fields and a list of maps to choose from.

import { html } from "./dom.js";
import * as words from "./strings/mixture_hull.js";
import { about, entryField, select, showNumber, temperatureSlider } from "./fields.js";

const R = Math.SQRT1_2;
export const PRESETS = {
  identity: [[1, 0], [0, 1]], rotation: [[R, R], [-R, R]], stretch: [[2, 0], [0, 0.5]], projection: [[0.5, 0.5], [0.5, 0.5]],
};

export function createTemperature(frame) {
  const set = (t) => frame.set("temperature", t === Infinity ? "inf" : t);
  const range = temperatureSlider(frame, words.temperature);
  const stops = [0, 1, Infinity].map((t) => frame.button(`T = ${t === Infinity ? "∞" : t}`, () => { set(t); frame.commit(); }));
  return {
    node: html("div", { class: "ag-controls", role: "group", "aria-label": words.controls },
      range.node, ...stops, about(words.temperature, words.temperatureHint)),
    draw({ temperature: t }) { range.draw(t); },
  };
}

export function createMatrix(frame) {
  const preset = select(frame, "W_O", [...Object.keys(PRESETS), "custom"].map((kind) => [kind, words.presets[kind]]), (kind) => {
    frame.set("W_O", PRESETS[kind]);
    frame.commit();
  }, "custom");
  preset.field.firstChild.replaceChildren("W", html("sub", {}, "O"));
  const inputs = [0, 1, 2, 3].map((i) => entryField(frame, "W_O", i >> 1, i & 1, { "aria-label": words.entry((i >> 1) + 1, (i & 1) + 1) }));
  return {
    node: html("div", { class: "ag-row" }, preset.field, html("div", { class: "ag-entries", role: "group", "aria-label": words.matrix }, ...inputs)),
    draw({ W_O }) {
      const same = (M) => M.every((row, r) => row.every((w, c) => Math.abs(w - W_O[r][c]) < 1e-9));
      preset.draw(Object.keys(PRESETS).find((name) => same(PRESETS[name])) ?? "custom");
      inputs.forEach((input, i) => showNumber(input, W_O[i >> 1][i & 1], 3));
    },
  };
}
