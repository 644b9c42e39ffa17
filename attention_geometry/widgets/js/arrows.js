// What lies under the handles: arrows from the origin, the line of score zero, the hull of the values and the mixture.

import { attr, line, move, point, put, show, svg, text } from "./dom.js";
import { subscript } from "./format.js";
import { convexHull } from "./geometry.js";
import { along, around, isFree, placeNames } from "./labels.js";
import * as words from "./strings/query_key_plane.js";

const HALF = [23, 6]; // half the width and height of the name of the line of score zero, in units of the picture

/** Arrows from the origin, and the line of keys whose score with the selected query is zero. */
export function drawArrows(plane, get) {
  const level = svg("path", { class: "ag-level" });
  const levelName = svg("text", { class: "ag-tick", "text-anchor": "middle" }, words.zeroLine);
  const arrow = (kind) => svg("path", { class: `ag-shaft ag-${kind}-line${plane.crowd ? " ag-faint" : ""}` });
  const shafts = ["K", "Q"].map((name) => ({ name, nodes: get(name).map(() => arrow(name.toLowerCase())), drawn: [] }));
  plane.under.append(level, ...shafts.flatMap(({ nodes }) => nodes), levelName);
  let reach = 0;
  return {
    draw(selected, mode) {
      for (const shaft of shafts) {
        const now = get(shaft.name);
        now.forEach((p, i) => (p !== shaft.drawn[i] || reach !== plane.reach) && attr(shaft.nodes[i], "d", line([160, 160], plane.place(p))));
        shaft.drawn = now;
      }
      reach = plane.reach;
      shafts[1].nodes.forEach((node, i) => node.classList.toggle("ag-strong", i === selected));
      const q = get("Q")[selected], length = Math.hypot(...q);
      const shown = length && mode !== "distance"; // no distance is 0 along a line
      show(level, shown);
      show(levelName, shown);
      if (!shown) return;
      const c = -q[1] / length, s = q[0] / length;
      attr(level, "d", line(...[-152, 152].map((t) => [160 + t * c, 160 - t * s])));
      const [x, y] = besideLine([c, -s], [...plane.taken, ...arrowBoxes(plane, [...get("Q"), ...get("K")])]);
      put(levelName, x, y + 4);
    },
  };
}

/** The boxes that arrows from the origin fill, with their marks. */
export const arrowBoxes = (plane, vectors) => vectors.map(plane.place).flatMap((tip) => [around(tip), ...along([160, 160], tip)]);

/** Where the middle of the line's name stands: near an end, off the line by its own extent, where nothing else stands. */
function besideLine([u, v], boxes) {
  const off = 5 + HALF[0] * Math.abs(v) + HALF[1] * Math.abs(u);
  const up = u > 0 ? -1 : 1; // above the line first: the numbers of the axis stand below it
  const spots = [[1, up], [-1, up], [1, -up], [-1, -up]]
    .map(([end, side]) => [160 + 132 * end * u - side * off * v, 160 + 132 * end * v + side * off * u]);
  return spots.find((spot) => isFree(around(spot, ...HALF), boxes)) ?? spots[0];
}

/** The hull of the values, a line from the mixture to each value, and the mixture itself. */
export function drawMixture(plane, get) {
  const hull = svg("polygon", { class: "ag-hull" });
  const lines = get("V").map(() => svg("polyline", { class: "ag-mix" }));
  const name = svg("text", { class: "ag-name ag-strong-text" });
  const diamond = svg("g", { class: "ag-mixture" }, svg("path", { class: "ag-y", d: "M0 -9.5L9.5 0L0 9.5L-9.5 0Z" }), name);
  plane.under.append(hull, ...lines);
  plane.over.append(diamond);
  return {
    nodes: [diamond, ...lines],
    draw(row, y, selected) {
      const V = get("V");
      attr(hull, "points", convexHull(V).map((p) => point(plane.place(p))).join(" "));
      show(diamond, row);
      lines.forEach((line, j) => show(line, row && row[j] >= 0.005));
      if (!row) return;
      const at = plane.place(y);
      move(diamond, at);
      text(name, `y${subscript(selected + 1)}`);
      const [{ place }] = placeNames([{ at, width: plane.wide(name.textContent) }], [...plane.taken, ...V.map((v) => around(plane.place(v)))]);
      put(name, ...place);
      lines.forEach((line, j) => {
        attr(line, "points", point([...at, ...plane.place(V[j])])); // a new d is a new style, points are not
        attr(line, "stroke-width", (0.4 + 6 * row[j]).toFixed(2));
      });
    },
  };
}
