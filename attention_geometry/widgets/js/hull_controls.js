// The temperature with its two limits, and W_O as four fields and a list of maps to choose from.

import { html } from "./dom.js";
import * as words from "./strings/mixture_hull.js";
import { about, select, slider, sliderToTemperature, temperatureToSlider } from "./view.js";

const R = Math.SQRT1_2;
export const PRESETS = {
  identity: [[1, 0], [0, 1]], rotation: [[R, R], [-R, R]], stretch: [[2, 0], [0, 0.5]], projection: [[0.5, 0.5], [0.5, 0.5]],
};

export function createTemperature(frame) {
  const set = (t) => frame.set("temperature", t === Infinity ? "inf" : t);
  const range = slider(frame, words.temperature, 200, (p) => set(sliderToTemperature(p)));
  const stops = [0, 1, Infinity].map((t) => frame.button(`T = ${t === Infinity ? "∞" : t}`, () => { set(t); frame.commit(); }));
  return {
    node: html("div", { class: "ag-controls", role: "group", "aria-label": words.controls },
      range.node, ...stops, about(words.temperature, words.temperatureHint)),
    draw({ temperature: t }) { range.draw(temperatureToSlider(t), `T = ${t === Infinity ? "∞" : t}`); },
  };
}

export function createMatrix(frame) {
  const preset = select(frame, "W_O", [...Object.keys(PRESETS), "custom"].map((kind) => [kind, words.presets[kind]]), (kind) => {
    frame.set("W_O", PRESETS[kind]);
    frame.commit();
  });
  preset.field.firstChild.replaceChildren("W", html("sub", {}, "O"));
  const custom = preset.node.lastChild;
  const inputs = [0, 1].map((r) => [0, 1].map((c) => {
    const input = html("input", { class: "ag-number", type: "number", step: "any", "aria-label": words.entry(r + 1, c + 1) });
    const take = () => {
      const value = input.valueAsNumber;
      if (!Number.isFinite(value) || Math.abs(value) > 1e6) return false;
      frame.set("W_O", frame.model.get("W_O").map((row, i) => row.map((w, k) => (i === r && k === c ? value : w))));
      return true;
    };
    frame.on(input, "input", take);
    frame.on(input, "change", () => (take() ? frame.commit() : frame.schedule()));
    return input;
  }));
  return {
    node: html("div", { class: "ag-row ag-hull-matrix" }, preset.field, html("div", { class: "ag-hull-entries", role: "group", "aria-label": words.matrix }, ...inputs.flat())),
    draw({ W_O }) {
      const same = (M) => M.every((row, r) => row.every((w, c) => Math.abs(w - W_O[r][c]) < 1e-9));
      const kind = Object.keys(PRESETS).find((name) => same(PRESETS[name])) ?? "custom";
      custom.hidden = custom.disabled = kind !== "custom";
      preset.node.value = kind;
      inputs.flat().forEach((input, i) => {
        if (document.activeElement !== input) input.value = String(Number(W_O[i >> 1][i & 1].toFixed(3)));
      });
    },
  };
}
