// Where queries and keys come from: the two matrices, their tie, the form between them, and what of it survives a row shift.

import { attr, formula, html, text } from "./dom.js";
import { fixed } from "./format.js";
import { energyShares, symmetricShare, turnForm } from "./forms.js";
import * as words from "./strings/query_key_plane.js";
import { about, check, entryField, showNumber, slider } from "./fields.js";

const PARTS = ["popularity", "reciprocal", "circulating"];

export function createTokens({ frame, get }) {
  const known = {}; // the directions of the parts of B while the slider stands at one of its ends
  const keyMatrix = () => get(get("tied") ? "W_Q" : "W_K");
  const matrices = { W_Q: createMatrix(frame, "W_Q"), W_K: createMatrix(frame, "W_K") };
  const tie = check(frame, (on) => frame.set("tied", on), ...formula(words.tie));
  const turn = slider(frame, words.antisymmetry, 100, (position) => {
    const { W_Q, W_K } = turnForm(get("W_Q"), keyMatrix(), position / 100, known);
    frame.set("tied", false);
    frame.set("W_Q", W_Q);
    frame.set("W_K", W_K);
  });
  const form = html("span", {});
  const bars = PARTS.map((name) => {
    const fill = html("span", { class: "ag-fill" }), value = html("td", {});
    return { fill, value, node: html("tr", {}, html("th", { scope: "row", title: words.shareHints[name] }, words.shares[name]),
      html("td", { class: "ag-bar" }, html("span", { class: "ag-track" }, fill)), value) };
  });
  const said = html("p", { class: "ag-hint" });
  return {
    node: html("section", { class: "ag-panel" }, html("p", { class: "ag-title" }, words.sourceTitle),
      html("div", { class: "ag-experiment" },
        html("div", { class: "ag-part" }, html("div", { class: "ag-row ag-matrices" }, matrices.W_Q.node, matrices.W_K.node),
          html("div", { class: "ag-row" }, tie.field, about(words.tie, ...formula(words.tieHint))),
          html("div", { class: "ag-row" }, turn.node, about(words.antisymmetry, ...formula(words.antisymmetryHint))), html("p", { class: "ag-number-text" }, ...formula(words.formName), form)),
        html("div", { class: "ag-part" },
          html("table", { class: "ag-shares" }, html("caption", {}, words.sharesTitle), html("tbody", {}, ...bars.map((bar) => bar.node))), said))),
    draw({ scores, tied, W_Q, W_K }) {
      const used = tied ? W_Q : W_K, share = symmetricShare(W_Q, used);
      matrices.W_Q.draw(W_Q);
      matrices.W_K.draw(used, tied);
      tie.box.checked = tied;
      turn.draw(Math.round(100 * (1 - (share ?? 1))), share === null ? "–" : words.antisymmetryText(fixed(1 - share)));
      text(form, words.formLine(W_Q.map((row) => used.map((other) => fixed(row[0] * other[0] + row[1] * other[1])))));
      const whole = scores.flat().every((s) => s !== null), shares = whole ? energyShares(scores) : [null, null, null];
      bars.forEach(({ fill, value }, i) => {
        attr(fill, "style", `transform:scaleX(${(shares[i] ?? 0).toFixed(4)})`);
        text(value, fixed(shares[i], 3));
      });
      text(said, shares[2] === null ? words.sharesNone : shares[2] < 5e-4 ? words.sharesReversible : words.sharesCirculate);
    },
  };
}

function createMatrix(frame, name) {
  const inputs = [0, 1].map((r) => [0, 1].map((c) => entryField(frame, name, r, c, { step: "0.1", "aria-label": words.entry(name, r + 1, c + 1) })));
  return {
    node: html("div", { class: "ag-matrix", role: "group", "aria-label": name },
      html("span", { "aria-hidden": "true" }, ...formula(name)), html("div", { class: "ag-entries" }, ...inputs.flat())),
    draw(rows, locked = false) {
      inputs.forEach((line, r) => line.forEach((input, c) => {
        showNumber(input, rows[r][c]);
        input.disabled = locked;
      }));
    },
  };
}
