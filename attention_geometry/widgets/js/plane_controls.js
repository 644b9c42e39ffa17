// The settings over the plane of queries and keys: query, mask, scale, temperature.

import { html } from "./dom.js";
import * as words from "./strings/query_key_plane.js";
import { check, maskKind, select, temperatureSlider } from "./fields.js";

export function createControls(frame, counts, named, choose) {
  const query = select(frame, words.query, Array.from({ length: counts.queries }, (_, i) => [String(i), named("q", i)]), (value) => choose(Number(value)));
  const kinds = ["none", ...(counts.queries === counts.keys ? ["causal"] : []), "custom"];
  const mask = select(frame, words.mask, kinds.map((kind) => [kind, words.masks[kind]]), (kind) => {
    frame.set("mask", kind === "none" ? null : kind);
    frame.commit();
  }, "custom");
  const scale = check(frame, (on) => frame.set("scaled", on), words.scaled, html("sub", {}, "k"));
  scale.box.title = words.scaledFull;
  const range = temperatureSlider(frame, words.temperature);
  const node = html("div", { class: "ag-controls", role: "group", "aria-label": words.controls },
    query.field, mask.field,
    scale.field, range.node);
  return {
    node,
    draw({ selected, mask: now, scaled, temperature: t }) {
      query.draw(String(selected));
      mask.draw(maskKind(now));
      scale.box.checked = scaled;
      range.draw(t, words.temperatureText(t === Infinity ? "∞" : String(t)));
    },
  };
}
