// A row of experiments, closed at first: each opens a panel of its own under the plane.

import { attr, html } from "./dom.js";
import * as words from "./strings/query_key_plane.js";

/** panels: { name: { node, draw(now), open() } }; open(name or null) is called by the buttons. */
export function createExperiments({ frame, panels, choose }) {
  const parts = Object.entries(panels).map(([name, panel]) => {
    const button = frame.button(words.experiments[name], () => choose(button.getAttribute("aria-expanded") === "true" ? null : name), { "aria-expanded": "false" });
    const node = html("section", { class: "ag-panel", hidden: true, role: "group", "aria-label": words.experiments[name] }, panel.node);
    return { name, panel, button, node };
  });
  let shown = null;
  return {
    node: html("div", { class: "ag-experiments" },
      html("div", { class: "ag-row", role: "group", "aria-label": words.experimentsTitle },
        html("span", { class: "ag-experiments-title" }, words.experimentsTitle), ...parts.map((part) => part.button)),
      ...parts.map((part) => part.node)),
    draw(now, settled) {
      if (now.experiment !== shown) panels[now.experiment]?.open?.();
      shown = now.experiment;
      for (const { name, panel, button, node } of parts) {
        attr(button, "aria-expanded", String(name === shown));
        attr(node, "hidden", name === shown ? null : "");
        if (name === shown) panel.draw(now, settled);
      }
    },
  };
}
