// The experiment on the basis of the head: q M and k M⁻ᵀ have the dot products of q and k, and hardly anything else of them.

import { html, rowOf, text } from "./dom.js";
import { fixed } from "./format.js";
import { MODES, basis, distances, inBasis, inverted, times, transposed } from "./forms.js";
import * as words from "./strings/query_key_plane.js";
import { about } from "./fields.js";

/** options: frame, get, vectors() → { Q, K } now, settings() → { scaled, mask, temperature }. */
export function createBasis({ frame, get, vectors, settings }) {
  let seed = 0, before = null;
  const rows = ["coordinate", "angle", ...MODES].map((name) => {
    const value = html("td", {});
    return { name, value, node: rowOf(words.basisRows[name], [value]) };
  });
  const verdict = html("p", {});
  const table = html("table", { class: "ag-compare" }, html("caption", {}, words.basisCaption), html("tbody", {}, ...rows.map((row) => row.node)));
  const another = frame.button(words.basisAnother, () => {
    before ??= vectors();
    const M = basis(++seed);
    if (get("X")) {
      const W_K = get(get("tied") ? "W_Q" : "W_K");
      frame.set("W_K", times(W_K, transposed(inverted(M))));
      frame.set("W_Q", times(get("W_Q"), M));
      frame.set("tied", false);
    } else {
      const { Q, K } = inBasis(get("Q"), get("K"), M);
      frame.set("Q", Q);
      frame.set("K", K);
    }
    frame.commit();
  });
  const here = frame.button(words.basisHere, () => {
    before = vectors();
    frame.schedule();
  });
  return {
    node: html("div", { class: "ag-experiment" },
      html("div", { class: "ag-part" }, html("p", {}, words.basisWhat), html("div", { class: "ag-row" }, another, here, about(words.basisAnother, words.basisHint))),
      html("div", { class: "ag-part" }, table, verdict)),
    open() { before = vectors(); },
    draw() {
      const moved = distances(before ??= vectors(), vectors(), settings());
      const values = { coordinate: moved.coordinate, angle: moved.cosine, ...moved.weight };
      rows.forEach(({ name, value }) => text(value, fixed(values[name], 3)));
      text(verdict, values.coordinate < 5e-4 ? words.basisNone : values.dot < 5e-4 ? words.basisGauge : words.basisMoved);
    },
  };
}
