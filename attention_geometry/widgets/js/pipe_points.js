// The tokens as points of a small plane, where they have two numbers each: drag one, move it with the arrow keys,
// select it and click where it should go, or type its coordinates.

import { attr, html, move as moveTo, svg } from "./dom.js";
import { fixed, visible } from "./format.js";
import { niceRange } from "./geometry.js";
import { ARROWS, coordinateFields, createHandle, followPointer } from "./handles.js";
import { CROWD } from "./pipeline_picture.js";
import * as words from "./strings/attention_pipeline.js";
import * as planeWords from "./strings/plane.js";

const HALF = 64, ROOM = [6, 14], FINE = 0.05;

/** options: frame, tokens, called (their names for the ear), initial, move(i, point), commit(i, key), follow(i, dragging). */
export function createPoints({ frame, tokens, called, initial, move, commit, follow }) {
  let reach = niceRange(initial), X = initial, held = null;
  const picture = svg("svg", {
    class: "ag-plane ag-pipe-points", viewBox: `${-HALF - ROOM[0]} ${-HALF - ROOM[1]} ${2 * (HALF + ROOM[0])} ${2 * (HALF + ROOM[1])}`, role: "group", "aria-label": words.points,
  }, svg("rect", { class: "ag-floor", x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF }), svg("path", { class: "ag-axis", d: `M${-HALF} 0H${HALF}M0 ${-HALF}V${HALF}` }));
  const index = (id) => Number(id.slice(1));
  const handles = tokens.map((token, i) => createHandle(frame, { id: `x${i}`, name: words.pointOf(called[i], i + 1) },
    [11, svg("circle", { class: "ag-dot", r: 5.5 }), 15], svg("text", { class: "ag-name", y: -9, "text-anchor": "middle" }, visible(token, 7), svg("title", {}, token)),
    (event) => onKey(i, event), () => hold(i)));
  picture.append(...handles);
  const fields = coordinateFields(frame, called.map((name, i) => [`x${i}`, name]), {
    where: (id) => X[index(id)], move: (id, p) => move(index(id), p), commit: (id) => commit(index(id)), hold: (id) => hold(index(id)),
  });

  const snap = (x) => Math.round(Math.max(-reach, Math.min(reach, x)) / FINE) * FINE;
  const scale = () => ((2 * (HALF + ROOM[0])) / picture.getBoundingClientRect().width / HALF) * reach;
  function hold(i) {
    held = i;
    fields.show(`x${i}`);
    follow(i, Boolean(pointer.drag));
    frame.schedule();
  }

  const pointer = followPointer(frame, picture, {
    hold(event) {
      const node = event.target.closest(".ag-handle"), i = handles.indexOf(node);
      return node && { node, i, start: X[i] };
    },
    move({ i, start, x, y }, event) {
      const by = [event.clientX - x, y - event.clientY], unit = scale();
      move(i, start.map((old, c) => snap(old + by[c] * unit)));
    },
    drop({ i, start, moved }, kept) {
      if (moved && !kept) move(i, start);
      commit(i);
    },
    place(event) {
      if (held === null) return;
      const box = picture.getBoundingClientRect(), unit = scale();
      move(held, [event.clientX - box.left - box.width / 2, box.top + box.height / 2 - event.clientY].map((x) => snap(x * unit)));
      commit(held);
    },
  });

  function onKey(i, event) {
    const unit = event.shiftKey ? 0.5 : 0.1, way = ARROWS[event.key];
    if (!way && event.key !== "Home") return false;
    handles[i].classList.remove("ag-by-pointer");
    move(i, way ? X[i].map((x, c) => x + unit * way[c]) : frame.initial.X[i]);
    commit(i, way ? `keys x${i}` : null);
    return true;
  }

  return {
    node: html("figure", { class: "ag-pipe-plane" }, picture), picture,
    fields: html("div", { class: "ag-field ag-coordinates" }, html("span", { "aria-hidden": "true" }, planeWords.point), ...fields.parts),
    draw(now) {
      X = now.X;
      if (!pointer.drag) reach = Math.max(niceRange(initial), niceRange(X, 1));
      handles.forEach((node, i) => {
        const [x, y] = X[i];
        moveTo(node, [(x / reach) * HALF, (-y / reach) * HALF]);
        attr(node, "aria-valuenow", String(x));
        attr(node, "aria-valuetext", planeWords.place(fixed(x), fixed(y)));
        node.classList.toggle("ag-on", i === now.selected);
        node.classList.toggle("ag-held", i === held);
        node.classList.toggle("ag-unnamed", tokens.length > CROWD && i !== now.selected);
      });
      fields.draw();
    },
  };
}
