// What lies under the handles: arrows from the origin, the line of score zero, the hull of the values and the mixture.

import { attr, svg, text } from "./dom.js";
import { subscript } from "./format.js";
import { convexHull } from "./geometry.js";
import { queryKeyPlane as words } from "./strings.js";

/** Arrows from the origin, and the line of keys whose score with the selected query is zero. */
export function drawArrows(plane, get) {
  const level = svg("path", { class: "ag-level" });
  const levelName = svg("text", { class: "ag-tick" }, words.zeroLine);
  const arrow = (kind) => svg("path", { class: `ag-shaft ag-${kind}-line${plane.crowd ? " ag-faint" : ""}` });
  const keys = get("K").map(() => arrow("k")), queries = get("Q").map(() => arrow("q"));
  plane.under.append(level, ...keys, ...queries, levelName);
  return {
    draw(selected) {
      const shaft = (p) => `M160 160L${plane.place(p).map((x) => x.toFixed(2)).join(" ")}`;
      get("K").forEach((k, j) => attr(keys[j], "d", shaft(k)));
      get("Q").forEach((q, i) => {
        attr(queries[i], "d", shaft(q));
        queries[i].classList.toggle("ag-strong", i === selected);
      });
      const q = get("Q")[selected], length = Math.hypot(...q);
      attr(level, "display", length ? null : "none");
      attr(levelName, "display", length ? null : "none");
      if (!length) return;
      const c = -q[1] / length, s = q[0] / length;
      const [a, b] = [-152, 152].map((t) => [160 + t * c, 160 - t * s]);
      attr(level, "d", `M${a.map((x) => x.toFixed(2)).join(" ")}L${b.map((x) => x.toFixed(2)).join(" ")}`);
      const clear = ([x, y]) => Math.min(...[...get("Q"), ...get("K")].map(plane.place).map(([u, v]) => Math.hypot(u - x, v - y)));
      const [x, y] = clear(a) > clear(b) + 1 ? a : b; // the name stands at the emptier end
      attr(levelName, "text-anchor", x > 230 ? "end" : x < 90 ? "start" : "middle");
      attr(levelName, "x", (160 + (x - 160) * (Math.abs(x - 160) > 70 ? 1 : 1.25)).toFixed(1));
      attr(levelName, "y", (y > 160 ? Math.min(y + 18, 316) : Math.max(y - 8, 12)).toFixed(1));
    },
  };
}

/** The hull of the values, a line from the mixture to each value, and the mixture itself. */
export function drawMixture(plane, get) {
  const hull = svg("polygon", { class: "ag-hull" });
  const lines = get("V").map(() => svg("path", { class: "ag-mix" }));
  const name = svg("text", { class: "ag-name ag-strong-text", x: 13, y: -10 });
  const diamond = svg("g", { class: "ag-mixture" }, svg("path", { class: "ag-y", d: "M0 -9.5L9.5 0L0 9.5L-9.5 0Z" }), name);
  plane.under.append(hull, ...lines);
  plane.over.append(diamond);
  return {
    draw(row, y, selected) {
      const V = get("V");
      attr(hull, "points", convexHull(V).map((p) => plane.place(p).map((x) => x.toFixed(2)).join(",")).join(" "));
      attr(diamond, "display", row ? null : "none");
      lines.forEach((line, j) => attr(line, "display", row && row[j] >= 0.005 ? null : "none"));
      if (!row) return;
      const at = plane.place(y).map((x) => x.toFixed(2)).join(" ");
      attr(diamond, "transform", `translate(${at})`);
      text(name, `y${subscript(selected + 1)}`);
      lines.forEach((line, j) => {
        attr(line, "d", `M${at}L${plane.place(V[j]).map((x) => x.toFixed(2)).join(" ")}`);
        attr(line, "stroke-width", (0.4 + 6 * row[j]).toFixed(2));
      });
    },
  };
}
