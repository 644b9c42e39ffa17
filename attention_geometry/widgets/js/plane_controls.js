// The settings over the plane of queries and keys: query, mask, scale, temperature.

import { attr, html, text } from "./dom.js";
import * as words from "./strings/query_key_plane.js";
import { select, sliderToTemperature, temperatureToSlider } from "./view.js";

export function createControls(frame, counts, named, choose) {
  const query = select(frame, words.query, Array.from({ length: counts.queries }, (_, i) => [String(i), named("q", i)]), (value) => choose(Number(value)));
  const kinds = ["none", ...(counts.queries === counts.keys ? ["causal"] : []), "custom"];
  const mask = select(frame, words.mask, kinds.map((kind) => [kind, words.masks[kind]]), (kind) => {
    frame.set("mask", kind === "none" ? null : kind);
    frame.commit();
  });
  const custom = mask.node.lastChild;
  const box = html("input", { type: "checkbox", title: words.scaledFull });
  frame.on(box, "change", () => { frame.set("scaled", box.checked); frame.commit(); });
  const range = html("input", { type: "range", min: 0, max: 200, step: 1, "aria-label": words.temperature });
  const number = html("span", { class: "ag-number-text ag-reading" });
  const take = () => {
    const t = sliderToTemperature(Number(range.value));
    frame.set("temperature", t === Infinity ? "inf" : t);
  };
  frame.on(range, "input", take);
  frame.on(range, "change", () => { take(); frame.commit(); });
  const node = html("div", { class: "ag-controls", role: "group", "aria-label": words.controls },
    query.field, mask.field,
    html("label", { class: "ag-field ag-check" }, box, html("span", {}, words.scaled, html("sub", {}, "k"))),
    html("div", { class: "ag-field ag-temperature" }, html("label", { class: "ag-field" }, html("span", {}, words.temperature), range), number));
  return {
    node,
    draw({ selected, mask: now, scaled, temperature: t }) {
      query.node.value = String(selected);
      const kind = now === null ? "none" : now === "causal" ? "causal" : "custom";
      custom.hidden = custom.disabled = kind !== "custom";
      mask.node.value = kind;
      box.checked = scaled;
      const shown = t === Infinity ? "∞" : String(t);
      if (temperatureToSlider(t) !== Number(range.value)) range.value = String(temperatureToSlider(t));
      text(number, `T = ${shown}`);
      attr(range, "aria-valuetext", words.temperatureText(shown));
    },
  };
}
