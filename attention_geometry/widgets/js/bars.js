// The weights of the selected query as bars with their numbers, and a box for each key that it may attend to.

import { attr, html, text } from "./dom.js";
import { fixed } from "./format.js";
import { effectiveKeys, entropy } from "./geometry.js";
import * as words from "./strings/query_key_plane.js";

/**
 * options: frame, keys (how many), named(kind, i) for the eye, called(kind, i) for the ear,
 * forbid(j, may), wide (do the keys have tokens?).
 */
export function createBars({ frame, keys, named, called, forbid, wide }) {
  let said = -1;
  const title = html("p", { class: "ag-title" });
  const rows = Array.from({ length: keys }, (_, j) => {
    const box = html("input", { type: "checkbox" });
    const fill = html("span", { class: "ag-fill" });
    const track = html("span", { class: "ag-track" }, fill);
    const number = html("span", { class: "ag-number-text" });
    frame.on(box, "change", () => forbid(j, box.checked));
    const node = html("tr", {},
      html("td", {}, html("label", { class: "ag-box" }, box)),
      html("th", { scope: "row" }, html("bdi", {}, named("k", j))),
      html("td", { class: "ag-bar" }, track), html("td", {}, number));
    return { node, box, fill, track, number };
  });
  const caption = html("caption", { class: "ag-hidden" });
  const tableNode = html("table", { class: "ag-bars" }, caption,
    html("thead", {}, html("tr", {}, html("th", { scope: "col", title: words.may }, html("span", { class: "ag-hidden" }, words.may), html("span", { "aria-hidden": "true" }, "✓")),
      html("th", { scope: "col" }, words.key), html("th", { scope: "col" }, words.weight), html("td", {}))),
    html("tbody", {}, ...rows.map((row) => row.node)));
  const facts = createFacts();
  tableNode.style.setProperty("--ag-name", wide ? "112px" : "40px");
  tableNode.style.setProperty("--ag-row", `${Math.max(28, Math.min(52, 300 / keys))}px`);
  return {
    title, node: html("div", { class: "ag-stack" }, tableNode, facts.node),
    draw({ weights, allowed: may, selected: i }) {
      const row = weights[i];
      text(title, words.weightsOf(named("q", i)));
      text(caption, words.weightsOf(called("q", i)));
      rows.forEach(({ box, fill, track, number }, j) => {
        box.checked = may[i][j];
        if (i !== said) attr(box, "aria-label", words.mayAttend(called("q", i), called("k", j)));
        track.classList.toggle("ag-hatched", !may[i][j]);
        if (frame.due(j, 2)) attr(fill, "style", `transform:scaleX(${row ? row[j].toFixed(4) : 0})`);
        if (frame.due(2)) text(number, may[i][j] ? fixed(row[j], 3) : words.masked);
      });
      said = i;
      if (frame.due(2)) facts.draw(row, may[i], words.allMasked(named("q", i)));
    },
  };
}

/** Entropy and effective keys of a row, and of a second one where it is another; instead of them, why there are none. */
export function createFacts() {
  const fact = (name) => {
    const value = html("b", {}), limit = html("span", {});
    return { node: html("div", { class: "ag-fact" }, value, html("span", {}, name, limit)), value, limit };
  };
  const H = fact(words.entropy), N = fact(words.effective), none = html("p", {});
  return {
    node: html("div", { class: "ag-facts" }, H.node, N.node, none),
    draw(row, may, why, second = null) {
      const room = may.filter(Boolean).length, rows = [row, second].filter(Boolean), of = rows[1] ? words.twoRows : "";
      text(none, row ? "" : why);
      H.node.hidden = N.node.hidden = !row;
      text(H.value, `${rows.map((a) => fixed(entropy(a))).join(" · ")} ${words.nats}`);
      text(H.limit, words.atMost(fixed(room ? Math.log(room) : null)) + of);
      text(N.value, rows.map((a) => fixed(effectiveKeys(a))).join(" · "));
      text(N.limit, words.outOf(room) + of);
    },
  };
}
