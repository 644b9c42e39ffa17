// The worst case of an axiom as arrows over a picture of the tokens. The shapes mirror ../_still_court.py.

import { attr, line, point, put, show, svg, text } from "./dom.js";
import { short } from "./format.js";
import { degrees, direction, sides, toward } from "./geometry.js";
import { along, around } from "./labels.js";

/** Where token i of n stands if the tokens are no points. */
export const onCircle = (i, n) => direction(i, n).map((x) => 160 + 86 * x);

/** Arrows under the tokens, numbers over them: append `under` and `over`, then draw; it gives the boxes that they fill. */
export function createWitness() {
  const arrows = Array.from({ length: 3 }, () => {
    const shaft = svg("path", {}), head = svg("path", { d: "M0 0L-9 4.6V-4.6Z" });
    return { shaft, head, group: svg("g", {}, shaft, head), name: svg("text", { class: "ag-name ag-strong-text", "text-anchor": "middle" }) };
  });
  const mesh = svg("path", { class: "ag-court-mesh" });
  const under = svg("g", { class: "ag-court-witness" }, ...arrows.map((arrow) => arrow.group));
  const over = svg("g", { class: "ag-court-numbers" }, ...arrows.map((arrow) => arrow.name));
  return {
    mesh, under, over,
    draw({ shown, verdicts, D }, at) {
      attr(mesh, "d", at.flatMap((p, i) => at.slice(0, i).map((q) => line(p, q))).join(""));
      const { witness, holds } = verdicts[shown];
      const found = witness ? parts(shown, witness, at, D) : [], boxes = found.flatMap(({ ends, middle }) => ends.flatMap((end) => along(end, middle)));
      arrows.forEach(({ shaft, head, group, name }, a) => {
        const part = found[a];
        show(group, part);
        show(name, part);
        if (!part) return;
        attr(group, "class", `ag-court-${part.detour ? "detour" : holds ? "room" : "direct"}`);
        attr(shaft, "d", part.d);
        attr(head, "transform", `translate(${point(part.tip)}) rotate(${part.angle.toFixed(1)})`);
        const word = value(part.value), off = 8 + 4 * word.length * Math.abs(part.across[0]) + 5 * Math.abs(part.across[1]);
        const [x, y] = part.middle.map((m, c) => m + off * part.across[c]);
        put(name, x, y + 4.5);
        text(name, word);
        boxes.push(around([x, y], 4 * word.length + 2, 8));
      });
      return boxes;
    },
  };
}

export const value = (x) => (x === Infinity ? "∞" : short(x));

function parts(axiom, witness, at, D) {
  if (axiom === "triangle") {
    const [i, j, k] = witness, [[x, y], [a, b], [u, v]] = witness.map((t) => at[t]);
    const bend = (u - x) * (b - y) - (v - y) * (a - x) > 0 ? -0.2 : 0.2; // away from j
    const apart = control(at[i], at[k], bend);
    return [
      { ...curve(at[i], at[j], 0, apart), value: D[i][j], detour: true },
      { ...curve(at[j], at[k], 0, apart), value: D[j][k], detour: true },
      { ...curve(at[i], at[k], bend), value: D[i][k] },
    ];
  }
  const [i, j = i] = witness;
  if (i === j) return [{ ...loop(at[i]), value: D[i][i] }];
  const way = (from, to, bend) => ({ ...curve(at[from], at[to], bend), value: D[from][to] });
  return axiom === "symmetry" ? [way(i, j, 0.16), way(j, i, 0.16)] : [way(i, j, 0)];
}

const control = ([x, y], [u, v], bend) => [(x + u) / 2 - bend * (v - y), (y + v) / 2 + bend * (u - x)];

/** A curve from p to q, and which way its number stands off: to the side of the bend, or away from `apart`. */
function curve(p, q, bend, apart = null) {
  const m = control(p, q, bend), length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
  const across = [-(q[1] - p[1]) / length, (q[0] - p[0]) / length];
  const near = apart && across[0] * (apart[0] - m[0]) + across[1] * (apart[1] - m[1]) > 0;
  const side = apart ? (near ? -1 : 1) : bend < 0 ? -1 : 1;
  const start = toward(p, m, 9), stop = toward(q, m, 14);
  return {
    d: `M${point(start)}Q${point(m)} ${point(stop)}`, tip: toward(q, m, 9.5), angle: degrees(q[0] - m[0], q[1] - m[1]),
    ends: [p, q], middle: [0, 1].map((c) => 0.25 * p[c] + 0.5 * m[c] + 0.25 * q[c]), across: across.map((x) => side * x),
  };
}

/** A loop at p, towards the middle of the picture: the name stands on the other side. */
function loop([x, y]) {
  const length = Math.hypot(x - 160, y - 160), [c, s] = length > 1 ? [(160 - x) / length, (160 - y) / length] : [0, 1];
  const off = (r, [u, v]) => [x + r * u, y + r * v], [a, b] = sides([c, s]);
  return {
    d: `M${point(off(9, a))}C${point(off(54, a))} ${point(off(54, b))} ${point(off(14, b))}`,
    tip: off(9.5, b), angle: degrees(-b[0], -b[1]), ends: [off(54, a), off(54, b)], middle: off(36, [c, s]), across: [c, s],
  };
}
