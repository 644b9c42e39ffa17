// The lines between the stages, drawn behind them from where they stand, and the choice between side by side and one below the other.

import { svg } from "./dom.js";

const GRAPH = 140, BESIDE = 3.02; // the graph in pixels; names and arrows in widths of a number
const SMALLEST = 30, MIDDLE = 40, LARGEST = 50; // width of a number in pixels
const TIP = "M0 0L-7 3.6V-3.6Z";

/** options: frame, picture, list (its items), tables, graph, plane (the drawings), sizes (of the matrices). */
export function createFlows({ frame, picture, list, tables, graph, plane, sizes }) {
  const layer = svg("svg", { class: "ag-pipe-flows", "aria-hidden": "true" });
  picture.prepend(layer);
  const boxes = Object.fromEntries(Object.entries(tables).map(([name, { node }]) => [name, node.tBodies[0]]));

  function draw() {
    const columns = sizes.X[1] + 2 * Math.max(sizes.Q[1], sizes.V[1]) + sizes.X[0];
    const gap = 14 + Math.max(0, picture.clientWidth - 660) / 12, room = picture.clientWidth - 3 * gap - 4;
    const fitting = (last) => Math.floor((room - last - 2 * columns) / (columns + BESIDE));
    const cell = fitting(Math.max(GRAPH, 1.25 * fitting(GRAPH) + sizes.V[1] * (fitting(GRAPH) + 2)));
    const wide = cell >= SMALLEST, size = wide ? Math.min(LARGEST, cell) : MIDDLE;
    picture.classList.toggle("ag-pipe-wide", wide);
    const set = (name, value) => picture.style.setProperty(`--ag-pipe-${name}`, `${value.toFixed(1)}px`);
    set("gap", gap);
    set("cell", size);
    set("name", Math.max(40, Math.min(62, 1.25 * size)));
    set("font", Math.max(12, Math.min(14.5, 0.34 * size)));
    for (const [name, node] of [["graph", graph], ["plane", plane]]) if (node) set(name, (13 * node.viewBox.baseVal.width) / node.clientWidth);
    const { left, top } = picture.getBoundingClientRect();
    const at = (node) => {
      const { left: x, top: y, width, height } = node.getBoundingClientRect(), [l, t] = [x - left, y - top];
      return { l, t, r: l + width, b: t + height, x: l + width / 2, y: t + height / 2 };
    };
    const box = Object.fromEntries(Object.entries(boxes).map(([name, node]) => [name, at(node)]));
    const lines = wide ? side(at, box) : down(at, box);
    layer.replaceChildren(...lines.map(([kind, d, x, y, turn]) => svg("g", { class: `ag-pipe-flow-${kind}` },
      svg("path", { class: "ag-pipe-line", d }), svg("path", { class: "ag-pipe-tip", d: TIP, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn})` }))));
  }

  function side(at, box) {
    const names = ["Q", "K", "V"];
    const across = (kind, from, to, dy = 0) => bent(kind, from.r + 3, from.y + dy, to.l - 3, to.y);
    const score = at(tables.S.node), weight = at(tables.A.node), out = at(tables.Y.node);
    const low = Math.max(box.V.b, weight.b, out.b) + 14;
    return [
      ...names.map((name) => across("x", box.X, box[`W_${name}`])),
      ...made(box),
      ...["Q", "K"].map((name) => bent(name.toLowerCase(), box[name].r + 3, box[name].y, score.l - 2, box.S.y + (name === "Q" ? -4 : 4))),
      falling("q", box.S.x, box.S.b + 3, box.A.x, at(list[3]).t - 2),
      bent("q", box.A.r + 3, box.A.y - 8, at(graph.parentNode).l, at(graph.lastChild).b - 8, at(graph.lastChild).l - 3),
      across("q", box.A, { ...box.Y, l: out.l }),
      ["v", `M${box.V.x} ${box.V.b + 3}V${low - 8}q0 8 8 8H${box.Y.x - 8}q8 0 8 -8V${box.Y.b + 8}`, box.Y.x, box.Y.b + 3, -90],
    ];
  }

  const made = (box) => ["Q", "K", "V"].map((name) =>
    bent(name.toLowerCase(), box[`W_${name}`].r + 2, box[`W_${name}`].y, box[name].l - 2, box[`W_${name}`].y));

  const down = (at, box) => [...made(box), ...list.slice(1).map((node) => {
    const { l, t } = at(node);
    return falling("x", l + 10, t - 21, l + 10, t - 3);
  })];

  let last = "";
  const watch = new ResizeObserver(() => {
    const size = `${picture.clientWidth} ${picture.clientHeight}`;
    if (size === last) return;
    last = size;
    frame.read(draw);
  });
  watch.observe(picture);
  return { node: layer, draw, dispose: () => watch.disconnect() };
}

function bent(kind, x1, y1, x2, y2, end = x2) {
  const half = (x2 - x1) / 2;
  return [kind, `M${x1} ${y1}C${x1 + half} ${y1} ${x2 - half} ${y2} ${x2 - 5} ${y2}H${end - 5}`, end, y2, 0];
}

function falling(kind, x1, y1, x2, y2) {
  const half = (y2 - y1) / 2;
  return [kind, `M${x1} ${y1}C${x1} ${y1 + half} ${x2} ${y2 - half} ${x2} ${y2 - 5}`, x2, y2, 90];
}
