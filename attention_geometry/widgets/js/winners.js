// Under the handles: which key wins a query, wherever it stands. Patches are told apart by border, shade and name.

import { arrowBoxes } from "./arrows.js";
import { attr, line, move, point, put, show, svg, text } from "./dom.js";
import { visible } from "./format.js";
import { cells } from "./forms.js";
import { around, isFree } from "./labels.js";
import * as words from "./strings/query_key_plane.js";

const SHADES = [0.05, 0.14, 0.23, 0.32];

/** Draws the patches of `keys` names into the plane; draw(null) takes them away. */
export function drawWinners(plane, names) {
  const layer = svg("g", {});
  const patches = names.map((_, j) => svg("polygon", { class: "ag-cell", "fill-opacity": SHADES[j % 4] }));
  const labels = names.map(() => svg("text", { class: "ag-tick", "text-anchor": "middle" }));
  layer.append(...patches, ...labels);
  plane.under.prepend(layer);
  return {
    nodes: [layer],
    /** now: { Q, K, mode, lift, allowed, selected }. */
    draw(now) {
      show(layer, now);
      if (!now) return;
      const found = cells(now.K, { mode: now.mode, lift: now.lift, reach: plane.reach, may: now.allowed[now.selected] });
      const taken = [...plane.taken, ...arrowBoxes(plane, [...now.K, ...now.Q])];
      found.forEach((corners, j) => {
        show(patches[j], corners);
        show(labels[j], corners);
        if (!corners) return;
        const at = corners.map(plane.place);
        attr(patches[j], "points", at.map(point).join(" "));
        const short = visible(names[j], 8), spots = inside(at);
        const [word, [x, y]] = [words.wins(short), short].flatMap((name) => spots.map((spot) => [name, spot]))
          .find(([name, spot]) => isFree(around(spot, plane.wide(name) / 2, 8), taken)) ?? [short, spots[0]];
        put(labels[j], x, y + 4);
        text(labels[j], word);
      });
    },
  };
}

/** Points on the way from the centre of a patch to its corners and sides, as places for its name: the axes run through many centres. */
function inside(corners) {
  const mix = (p, q, t) => p.map((x, c) => t * x + (1 - t) * q[c]);
  const centre = [0, 1].map((c) => corners.reduce((sum, p) => sum + p[c], 0) / corners.length);
  const ends = corners.flatMap((p, i) => [p, mix(p, corners[(i + 1) % corners.length], 0.5)]);
  return [0.3, 0.6].flatMap((t) => ends.map((p) => mix(p, centre, t)));
}

/**
 * The lifting lemma from the side: the plane tilted, every key on a stem as high as its lifted coordinate, the selected query
 * below in the plane with a line to each lifted key.
 */
export function createTilt(names, label) {
  const dome = svg("path", { class: "ag-dome" }), floor = svg("path", { class: "ag-floor-edge" });
  const parts = names.map((name) => ({
    stem: svg("path", { class: "ag-stem" }), way: svg("path", { class: "ag-level" }),
    mark: svg("path", { class: "ag-k", d: "M-6 -6H6V6H-6Z" }), name: svg("text", { class: "ag-name", dx: 10, dy: -6 }, visible(name, 8)),
  }));
  const query = svg("circle", { class: "ag-q", r: 7 });
  const picture = svg("svg", { class: "ag-picture ag-tilt", viewBox: "0 0 320 220", role: "img", "aria-label": label }, floor, dome,
    ...parts.flatMap(({ stem, way }) => [stem, way]), query, ...parts.flatMap(({ mark, name }) => [mark, name]));
  return {
    picture,
    draw({ q, K, heights, lift, best, reach }) {
      const scale = 120 / reach;
      const at = ([x, y], z = 0) => [160 + scale * (x + 0.3 * y), 150 - scale * (0.38 * y + 0.85 * z)];
      attr(floor, "d", `${line(...[[-1, -1], [1, -1], [1, 1], [-1, 1]].map((p) => at(p.map((x) => x * reach))))}Z`);
      const R = Math.max(...K.map((k) => Math.hypot(...k)));
      attr(dome, "d", line(...Array.from({ length: 41 }, (_, i) => (Math.PI * i) / 40).map((t) => at([R * Math.cos(t), 0], lift * R * Math.sin(t)))));
      const foot = at(q);
      move(query, foot);
      parts.forEach(({ stem, way, mark, name }, j) => {
        const top = at(K[j], lift * heights[j]);
        attr(stem, "d", line(at(K[j]), top));
        attr(way, "d", line(foot, top));
        attr(way, "stroke-width", best === j ? "3" : "1.2");
        for (const node of [mark, name]) move(node, top);
      });
    },
  };
}
