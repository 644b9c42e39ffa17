// The parts around the tables: the graph, the bar of shares, the settings.

import { attr, html, svg, text } from "./dom.js";
import { fixed, visible } from "./format.js";
import { graphBox, graphEdges, graphNodes } from "./pipeline_picture.js";
import * as words from "./strings/attention_pipeline.js";
import { about, check, maskKind, segmented, select, temperatureSlider } from "./fields.js";

/** What pipeline_picture.js describes, as an element of the page. */
export const element = ([tag, attributes, ...children]) =>
  svg(tag, attributes, ...children.map((child) => (typeof child === "string" ? child : element(child))));

/** Makes the children of a node what the list describes, and touches only what differs. */
function patch(parent, list) {
  list.forEach((described, c) => {
    const node = parent.childNodes[c];
    if (typeof described === "string") return node?.nodeType === 3 ? void (node.data === described || (node.data = described)) : parent.replaceChildren(described);
    const [tag, attributes, ...children] = described;
    if (node?.tagName !== tag || node.childNodes.length !== children.length) {
      const fresh = element(described);
      return node ? node.replaceWith(fresh) : parent.append(fresh);
    }
    for (const [name, value] of Object.entries(attributes)) attr(node, name, value);
    patch(node, children);
  });
  while (parent.childNodes.length > list.length) parent.lastChild.remove();
}

/** The directed graph of the weights; its arrows turn with the reading. */
export function createGraph({ frame, tokens, called, follow }) {
  const edges = svg("g", {}), nodes = svg("g", {});
  const picture = svg("svg", { class: "ag-pipe-graph", viewBox: graphBox(tokens.length).join(" "), role: "img" }, edges, nodes);
  const hint = html("p", { class: "ag-hint" });
  let selected = -1;
  return {
    node: html("div", { class: "ag-pipe-body" }, picture), picture, hint,
    draw(now, settled) {
      if (!frame.due(0, 2)) return;
      patch(edges, graphEdges({ ...now, A: now.A.map((row) => row?.map(frame.rough)) }));
      if (now.selected !== selected) {
        selected = now.selected;
        nodes.replaceChildren(...graphNodes(tokens, selected).map(element));
        [...nodes.children].forEach((node, i) => {
          const { cx, cy } = node.firstChild;
          node.prepend(svg("circle", { class: "ag-hit", cx: cx.baseVal.value, cy: cy.baseVal.value, r: 18 }));
          node.addEventListener("click", () => follow(i));
        });
      }
      picture.classList.toggle("ag-pipe-flowing", now.reading === "flows");
      text(hint, words.arrow[now.reading]);
      if (settled) attr(picture, "aria-label", words.graphLabel(words.arrow[now.reading], called.map((name, i) => words.sentence[now.reading](name, shares(now, called, i))).join(" ")));
    },
  };
}

/** [name, weight] of every token that row i may attend to, or null in a masked row. */
export const shares = ({ A, allowed }, called, i) =>
  A[i] && A[i].flatMap((w, j) => (allowed[i][j] ? [[called[j], fixed(w)]] : []));

/** The token that is followed, and its shares as one bar cut into pieces. */
export function createMix({ frame, tokens, called, follow }) {
  const choice = select(frame, words.follow, called.map((name, i) => [String(i), name]), (value) => follow(Number(value)));
  const pieces = tokens.map((token) => {
    const number = html("b", {});
    return { node: html("span", { class: "ag-pipe-piece" }, number, html("bdi", {}, visible(token, 10))), number };
  });
  const bar = html("div", { class: "ag-pipe-bar", "aria-hidden": "true" }, ...pieces.map((piece) => piece.node));
  const sentence = html("p", { class: "ag-pipe-sentence" });
  const answer = html("div", { class: "ag-pipe-answer" }, bar, sentence);
  return {
    node: html("div", { class: "ag-pipe-mix" }, choice.field, answer), answer,
    draw(now) {
      const i = now.selected, row = now.A[i];
      choice.draw(String(i));
      if (!frame.due(2)) return;
      pieces.forEach(({ node, number }, j) => {
        const w = row?.[j] ?? 0;
        attr(node, "style", `flex-grow:${w.toFixed(4)};--ag-tint:${Math.round(12 + 60 * w)}%`);
        node.classList.toggle("ag-pipe-small", w < 0.06);
        text(number, fixed(w));
      });
      bar.classList.toggle("ag-pipe-green", now.reading === "flows");
      text(sentence, words.sentence[now.reading](called[i], shares(now, called, i)));
    },
  };
}

/** How the arrows are read, mask, scale, temperature, and the coordinates of a point where there are points. */
export function createSettings({ frame, point }) {
  const set = (name, value) => { frame.set(name, value); frame.commit(); };
  const reading = segmented(frame, words.reading, Object.entries(words.readings), (value) => set("reading", value));
  const mask = select(frame, words.mask, Object.entries(words.masks), (kind) => set("mask", kind === "none" ? null : kind), "custom");
  const scale = check(frame, (on) => frame.set("scaled", on), words.scaled, html("sub", {}, "k"));
  const range = temperatureSlider(frame, words.temperature);
  const row = (hint, name, ...parts) => html("div", { class: "ag-row" }, ...parts, about(name, hint));
  return {
    node: html("div", { class: "ag-controls ag-pipe-settings", role: "group", "aria-label": words.settings },
      row(words.readingHint, words.reading, html("span", {}, words.reading), reading.node),
      row(words.maskHint, words.mask, mask.field),
      row(words.scaledHint, words.scaled, scale.field),
      point, row(words.temperatureHint, words.temperature, range.node)),
    draw(now) {
      reading.draw(now.reading);
      mask.draw(maskKind(now.mask));
      scale.box.checked = now.scaled;
      range.draw(now.temperature);
    },
  };
}
