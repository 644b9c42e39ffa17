// The directed graph of the weights: fixed nodes, edges whose width, shade and head follow the weight.
// The positions mirror attention_geometry/widgets/still.py, which draws the still picture.

import { attr, marker, point, show, svg } from "./dom.js";
import { fixed, visible } from "./format.js";
import { anchorOf, direction, sides, toward } from "./geometry.js";
import * as words from "./strings/query_key_plane.js";

const HIDDEN = 0.005; // weights that would be thinner than a hairline

/** options: frame, called(kind, i) (spoken), queries, keys (names), oneSet (tokens on a circle), onSelect(i). */
export function createGraph({ frame, called, queries, keys, oneSet, onSelect }) {
  const n = queries.length, m = keys.length, half = oneSet ? 160 : Math.min(160, 30 + 27.5 * Math.max(n, m)); // as high as its rows
  const back = svg("g", { class: "ag-back" }), front = svg("g", { class: "ag-front" }), nodes = svg("g", {});
  const picture = svg("svg", { class: "ag-picture ag-graph", viewBox: `0 ${160 - half} 320 ${2 * half}`, role: "img" }, back, front, nodes);

  const edges = queries.map((_, i) => keys.map((_, j) => {
    const shaft = svg("path", { class: "ag-edge" }), head = svg("polygon", { class: "ag-head" });
    return { group: svg("g", {}, shaft, head), shaft, head, ...(oneSet ? circleEdge(i, j, n) : sideEdge(i, j, n, m)) };
  }));
  for (const edge of edges.flat()) back.append(edge.group);

  const rows = oneSet ? queries.map((name, i) => circleNode(i, n, name)) : queries.map((name, i) => sideNode(i, n, name, "q"));
  nodes.append(...rows, ...(oneSet ? [] : keys.map((name, j) => sideNode(j, m, name, "k"))));
  rows.forEach((node, i) => frame.on(node, "click", () => onSelect(i)));

  let strong = -1;
  return {
    picture,
    draw({ weights, selected }, settled) {
      if (selected !== strong) {
        edges[strong]?.forEach((edge) => back.append(edge.group));
        edges[selected].forEach((edge) => front.append(edge.group));
        rows[strong]?.classList.remove("ag-on");
        rows[selected].classList.add("ag-on");
        strong = selected;
      }
      edges.forEach((row, i) => (i === selected || frame.due(i)) && row.forEach((edge, j) => drawEdge(edge, frame.rough(weights[i]?.[j] ?? 0), i === selected)));
      if (settled) attr(picture, "aria-label", described(weights, called));
    },
  };
}

/** The shaft ends where the head begins: two parts that do not overlap need no group with an opacity, which is dear to paint. */
function drawEdge(edge, w, on) {
  if (edge.w === w && edge.on === on) return;
  Object.assign(edge, { w, on });
  show(edge.group, w >= HIDDEN);
  if (w < HIDDEN) return;
  const { shaft, head, start, tip: [x, y], back: [u, v] } = edge, long = 6 * (1 + w), wide = 3.2 * (1 + w);
  const opacity = (on ? 0.4 + 0.6 * w : 0.12 + 0.5 * w).toFixed(2), [a, b] = [x + long * u, y + long * v];
  attr(shaft, "d", start + point([a, b]));
  attr(shaft, "stroke-width", (0.6 + 5.4 * w).toFixed(2));
  attr(shaft, "stroke-opacity", opacity);
  attr(head, "points", [[x, y], [a - wide * v, b + wide * u], [a + wide * v, b - wide * u]].map(point).join(" "));
  attr(head, "fill-opacity", opacity);
}

function described(weights, called) {
  return words.graphLabel(weights.map((row, i) => {
    if (!row) return words.graphMasked(called("q", i));
    const best = Math.max(...row);
    return words.graphLine(called("q", i), called("k", row.indexOf(best)), fixed(best));
  }).join(" "));
}

function label(name, limit, attributes) {
  const short = visible(name, limit);
  return svg("text", { class: "ag-name", ...attributes }, short, short === name ? null : svg("title", {}, name));
}

const onCircle = (i, n) => direction(i, n).map((x) => 160 + 82 * x);

function circleNode(i, n, name) {
  const [x, y] = onCircle(i, n), [c, s] = direction(i, n);
  return svg("g", { class: "ag-node" },
    svg("circle", { class: "ag-hit", cx: x, cy: y, r: 15 }), svg("circle", { class: "ag-dot", cx: x, cy: y, r: 7 }),
    label(name, 6, {
      x: 160 + 110 * c, y: 164.5 + 114 * s, "text-anchor": anchorOf(c),
    }));
}

const beside = (i, n, left) => [left ? 92 : 228, 160 + (i - (n - 1) / 2) * Math.min(76, 272 / Math.max(1, n - 1))];

function sideNode(i, n, name, kind) {
  const left = kind === "q";
  const [x, y] = beside(i, n, left);
  return svg("g", { class: "ag-node" },
    left ? svg("rect", { class: "ag-hit", x: x - 88, y: y - 11, width: 104, height: 22 }) : null,
    svg("g", { transform: `translate(${x} ${y})` }, marker(kind)),
    label(name, 9, { x: x + (left ? -15 : 15), y: y + 4.5, "text-anchor": left ? "end" : "start" }));
}

/** The shaft without its end, the tip of the head and the way back from there, for nodes on a circle; i → i is a loop outside. */
function circleEdge(i, j, n) {
  const [x, y] = onCircle(i, n), [c, s] = direction(i, n);
  if (i === j) {
    const along = (r, [u, v]) => [x + r * u, y + r * v], [from, to] = sides([c, s]);
    return { start: `M${point(along(8, from))}C${point(along(36, from))} ${point(along(36, to))} `, tip: along(8.5, to), back: to };
  }
  const [u, v] = onCircle(j, n), bend = 0.16;
  const mid = [(x + u) / 2 - bend * (v - y), (y + v) / 2 + bend * (u - x)];
  return { start: `M${point(toward([x, y], mid, 8))}Q${point(mid)} `, tip: toward([u, v], mid, 8.5), back: toward([0, 0], [mid[0] - u, mid[1] - v], 1) };
}

function sideEdge(i, j, n, m) {
  const a = beside(i, n, true), b = beside(j, m, false);
  return { start: `M${point(toward(a, b, 10))}L`, tip: toward(b, a, 10.5), back: toward([0, 0], [a[0] - b[0], a[1] - b[1]], 1) };
}
