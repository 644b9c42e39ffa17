// The directed graph of the weights: fixed nodes, edges whose width, shade and head follow the weight.
// The positions mirror attention_geometry/widgets/still.py, which draws the still picture.

import { attr, marker, svg } from "./dom.js";
import { fixed, visible } from "./format.js";
import { degrees, direction, toward } from "./geometry.js";
import * as words from "./strings/query_key_plane.js";

const HIDDEN = 0.005; // weights that would be thinner than a hairline

/** options: frame, called(kind, i) (spoken), queries, keys (names), oneSet (tokens on a circle), onSelect(i). */
export function createGraph({ frame, called, queries, keys, oneSet, onSelect }) {
  const n = queries.length, m = keys.length;
  const back = svg("g", { class: "ag-back" }), front = svg("g", { class: "ag-front" }), nodes = svg("g", {});
  const picture = svg("svg", { class: "ag-picture ag-graph", viewBox: "0 0 320 320", role: "img" }, back, front, nodes);

  const edges = queries.map((_, i) => keys.map((_, j) => {
    const { d, tip, angle } = oneSet ? circleEdge(i, j, n) : sideEdge(i, j, n, m);
    const shaft = svg("path", { class: "ag-edge", d });
    const head = svg("path", { class: "ag-head", d: "M0 0L-6 3.2V-3.2Z" });
    return { group: svg("g", {}, shaft, head), shaft, head, place: `translate(${tip[0].toFixed(2)} ${tip[1].toFixed(2)}) rotate(${angle.toFixed(1)})` };
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
      edges.forEach((row, i) => row.forEach((edge, j) => {
        const w = weights[i]?.[j] ?? 0, on = i === selected;
        if (edge.w === w && edge.on === on) return;
        Object.assign(edge, { w, on });
        const shown = w >= HIDDEN;
        attr(edge.group, "display", shown ? null : "none");
        if (!shown) return;
        attr(edge.group, "opacity", (on ? 0.4 + 0.6 * w : 0.12 + 0.5 * w).toFixed(2));
        attr(edge.shaft, "stroke-width", (0.6 + 5.4 * w).toFixed(2));
        attr(edge.head, "transform", `${edge.place} scale(${(1 + w).toFixed(2)})`);
      }));
      if (settled) attr(picture, "aria-label", described(weights, called));
    },
  };
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
      x: 160 + 110 * c, y: 164.5 + 114 * s, "text-anchor": Math.abs(c) < 0.35 ? "middle" : c > 0 ? "start" : "end",
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

/** Curve of the shaft, tip of the head and its angle, for nodes on a circle; i → i is a loop outside. */
function circleEdge(i, j, n) {
  const [x, y] = onCircle(i, n), [c, s] = direction(i, n);
  if (i === j) {
    const turned = [-0.8, 0.8].map((t) => [Math.cos(t) * c - Math.sin(t) * s, Math.sin(t) * c + Math.cos(t) * s]);
    const [start, stop] = [8, 14].map((r, end) => [x + r * turned[end][0], y + r * turned[end][1]]);
    const [g, h] = turned.map(([u, v]) => [x + 36 * u, y + 36 * v]), [u, v] = turned[1];
    return { d: `M${point(start)}C${point(g)} ${point(h)} ${point(stop)}`, tip: [x + 8.5 * u, y + 8.5 * v], angle: degrees(-u, -v) };
  }
  const [u, v] = onCircle(j, n), bend = 0.16;
  const mid = [(x + u) / 2 - bend * (v - y), (y + v) / 2 + bend * (u - x)];
  const start = toward([x, y], mid, 8), stop = toward([u, v], mid, 13);
  return { d: `M${point(start)}Q${point(mid)} ${point(stop)}`, tip: toward([u, v], mid, 8.5), angle: degrees(u - mid[0], v - mid[1]) };
}

function sideEdge(i, j, n, m) {
  const a = beside(i, n, true), b = beside(j, m, false);
  return {
    d: `M${point(toward(a, b, 10))}L${point(toward(b, a, 15))}`, tip: toward(b, a, 10.5), angle: degrees(b[0] - a[0], b[1] - a[1]),
  };
}

export const point = ([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`;
