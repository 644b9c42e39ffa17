// What lies under the handles of MixtureHull: hull, path over the temperature, masses of the two rows, and the second
// plane, where W_O and the residual take the output elsewhere.

import { attr, formula, glyph, headOf, html, line, marker, move, point, put, rowOf, show, svg, table, text } from "./dom.js";
import { fixed } from "./format.js";
import { convexHull } from "./geometry.js";
import { around, placeNames } from "./labels.js";
import * as words from "./strings/mixture_hull.js";

const MASS = 34; // radius of the disc of weight 1; its area is the weight

const corners = (plane, points) => convexHull(points).map((p) => point(plane.place(p))).join(" ");

/** Values with their hull, the discs and rings of the two rows, the path of the output and the output itself. */
export function drawHull(plane, count) {
  const hull = svg("polygon", { class: "ag-hull" }), path = svg("path", { class: "ag-hull-path" });
  const stop = (name) => {
    const label = svg("text", { class: "ag-tick" }, name);
    return { node: svg("circle", { class: "ag-hull-stop", r: 3.5 }), label };
  };
  const cold = stop("T = 0"), hot = stop("T = ∞");
  const keys = Array.from({ length: count }, () => ({
    ghost: svg("path", { class: "ag-hull-ghost", d: "M0 -9.5L9 6.5H-9Z" }), way: svg("path", { class: "ag-hull-way" }),
    disc: svg("circle", { class: "ag-hull-disc" }), ring: svg("circle", { class: "ag-hull-ring" }),
  }));
  const name = svg("text", { class: "ag-name ag-strong-text" }, "y");
  const diamond = svg("g", { class: "ag-mixture" }, marker("y"), name);
  const course = svg("g", {}, path, cold.node, hot.node), rings = svg("g", {}, ...keys.map((k) => k.ring));
  plane.under.append(hull, ...keys.flatMap((k) => [k.way, k.ghost, k.disc]), rings, course);
  plane.over.append(cold.label, hot.label, diamond);
  return {
    course: [course, cold.label, hot.label], rings,
    draw({ V, allowed: may, weights: a, other: b, output: y, path: outputs, single, along }, ghosts) {
      attr(hull, "points", corners(plane, V.filter((_, j) => may[j])));
      keys.forEach(({ ghost, way, disc, ring }, j) => {
        const at = plane.place(V[j]);
        const was = ghosts && (ghosts[j][0] !== V[j][0] || ghosts[j][1] !== V[j][1]) ? plane.place(ghosts[j]) : null;
        show(ghost, was);
        show(way, was);
        if (was) move(ghost, was), attr(way, "d", line(was, at));
        for (const [node, row, shown] of [[disc, a, true], [ring, b, !single && along !== 0]]) {
          show(node, row && shown && row[j] > 0);
          if (!row) continue;
          move(node, at);
          attr(node, "r", (MASS * Math.sqrt(row[j])).toFixed(2));
        }
      });
      for (const node of [course, diamond, cold.label, hot.label]) show(node, y);
      if (!y) return;
      attr(path, "d", line(...outputs.map(({ output }) => plane.place(output))));
      const ends = [outputs[0], outputs.at(-1)].map(({ output }) => plane.place(output));
      [cold, hot].forEach(({ node }, i) => move(node, ends[i]));
      const at = plane.place(y), values = V.map(plane.place);
      move(diamond, at);
      const lonely = ends.map((end) => values.every((v) => Math.hypot(v[0] - end[0], v[1] - end[1]) > 12));
      const found = placeNames([
        { at, width: plane.wide("y") },
        ...ends.map((end, i) => ({ at: end, width: lonely[i] && plane.wide("T = 0") })),
      ], [...plane.taken, ...values.map((v) => around(v))]);
      put(name, ...found[0].place);
      [cold, hot].forEach(({ label }, i) => {
        const { place, free } = found[i + 1] ?? {};
        show(label, free);
        if (free) put(label, ends[i][0] + place[0], ends[i][1] + place[1], place[2]);
      });
    },
  };
}

/** The plane of the residual stream: both hulls, y, y W_O, x + y W_O. */
export function drawStream(plane, count) {
  const hull = svg("polygon", { class: "ag-hull" }), shadow = svg("polygon", { class: "ag-hull-shadow" });
  const small = (kind) => Array.from({ length: count }, () => svg("path", { class: kind, d: "M0 -6L5.5 4H-5.5Z" }));
  const values = small("ag-v"), images = small("ag-hull-ghost");
  const step = svg("path", { class: "ag-hull-step" }), image = svg("path", { class: "ag-hull-step" });
  const points = [["stream", words.stream], ["projected", words.projected], ["output", "y"]].map(([kind, name]) => {
    const label = svg("text", { class: "ag-name" }, name.replace("_O", "ₒ"));
    return { kind, label, node: svg("g", { class: `ag-mixture ag-hull-${kind}` }, ...shapes(kind), label) };
  });
  plane.under.append(hull, shadow, ...values, ...images, image, step);
  plane.over.append(...points.map((p) => p.node).reverse());
  return {
    nodes: [plane.over, step, image],
    draw({ V, allowed: may, images: W, x, ...now }) {
      const open = (rows) => rows.filter((_, j) => may[j]);
      attr(hull, "points", corners(plane, open(V)));
      attr(shadow, "points", corners(plane, open(W)));
      [[values, V], [images, W]].forEach(([nodes, rows]) => nodes.forEach((node, j) => {
        move(node, plane.place(rows[j]));
        attr(node, "opacity", may[j] ? null : "0.35");
      }));
      const shown = now.output !== null;
      for (const { node } of points) show(node, shown);
      for (const node of [step, image]) show(node, shown);
      if (!shown) return;
      attr(step, "d", line(plane.place(x), plane.place(now.stream)));
      attr(image, "d", line([160, 160], plane.place(now.projected)));
      const at = points.map(({ kind }) => plane.place(now[kind]));
      points.forEach(({ node }, i) => move(node, at[i]));
      const found = placeNames(points.map(({ label }, i) => ({ at: at[i], width: plane.wide(label.textContent) })),
        [...plane.taken, ...[x, ...open(V), ...open(W)].map((v) => around(plane.place(v)))]);
      points.forEach(({ label }, i) => put(label, ...found[i].place));
    },
  };
}

/** y filled, y W_O hollow, x + y W_O filled in a ring: three diamonds told apart by shape. */
export function shapes(kind) {
  const diamond = marker("y", kind === "stream" ? 0.75 : 1);
  return kind === "stream" ? [svg("circle", { class: "ag-hull-circle", r: 11 }), diamond] : [diamond];
}

/** A shape of the legend with its name. */
export function legend(kind, name) {
  const node = ["v", "y", "x"].includes(kind) ? glyph(kind)
    : svg("svg", { class: `ag-glyph ag-hull-${kind}`, viewBox: "-13 -13 26 26", "aria-hidden": "true" },
      ...(kind === "image" ? [svg("path", { class: "ag-hull-ghost", d: "M0 -9.5L9 6.5H-9Z" })] : shapes(kind)));
  return html("span", { class: "ag-key" }, node, html("span", {}, ...formula(name)));
}

/** Where y, y W_O and x + y W_O lie, in words: a table of three points and two hulls. */
export function createVerdicts() {
  const rows = [["output", "y"], ["projected", words.projected], ["stream", words.stream]].map(([kind, name]) => {
    const cells = [0, 1, 2].map(() => html("td", {}));
    return { kind, cells, node: rowOf(legend(kind === "output" ? "y" : kind, name), cells) };
  });
  const heads = [words.place, words.hullOfV, words.hullOfVW].map((name) => headOf(...formula(name)));
  return {
    node: table({ class: "ag-hull-verdicts" }, html("caption", { class: "ag-hidden" }, words.verdictsCaption),
      [html("td", {}), ...heads], rows.map((row) => row.node)),
    draw(now) {
      for (const { kind, cells } of rows) {
        const p = now[kind], verdict = now.verdicts?.[kind];
        text(cells[0], p ? `(${p.map((x) => fixed(x)).join(", ")})` : words.masked);
        [1, 2].forEach((c) => {
          text(cells[c], verdict ? words.verdict[verdict[c - 1]] : "–");
          cells[c].classList.toggle("ag-hull-out", verdict?.[c - 1] === "outside");
        });
      }
    },
  };
}
