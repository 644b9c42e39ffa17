// The tokens as points of a small plane, where they have two numbers each: drag one, move it with the arrow keys,
// select it and click where it should go, or type its coordinates.

import { attr, html, svg } from "./dom.js";
import { numberField, showNumber } from "./fields.js";
import { fixed, visible } from "./format.js";
import { niceRange } from "./geometry.js";
import { CROWD } from "./pipeline_picture.js";
import * as words from "./strings/attention_pipeline.js";
import * as planeWords from "./strings/plane.js";

const HALF = 64, ROOM = [6, 14], FINE = 0.05;

/** options: frame, tokens, called (their names for the ear), initial, move(i, point), commit(i, key), follow(i, dragging). */
export function createPoints({ frame, tokens, called, initial, move, commit, follow }) {
  let reach = niceRange(initial), X = initial, drag = null, held = null, pressed = null;
  const picture = svg("svg", {
    class: "ag-plane ag-pipe-points", viewBox: `${-HALF - ROOM[0]} ${-HALF - ROOM[1]} ${2 * (HALF + ROOM[0])} ${2 * (HALF + ROOM[1])}`, role: "group", "aria-label": words.points,
  }, svg("rect", { class: "ag-floor", x: -HALF, y: -HALF, width: 2 * HALF, height: 2 * HALF }), svg("path", { class: "ag-axis", d: `M${-HALF} 0H${HALF}M0 ${-HALF}V${HALF}` }));
  const handles = tokens.map((token, i) => {
    const node = svg("g", { class: "ag-handle", tabindex: 0, role: "slider", "aria-roledescription": planeWords.role, "aria-label": words.pointOf(called[i], i + 1), "data-handle": `x${i}` },
      svg("circle", { class: "ag-ring", r: 11 }), svg("circle", { class: "ag-dot", r: 5.5 }), svg("circle", { class: "ag-hit", r: 15 }),
      svg("text", { class: "ag-name", y: -9, "text-anchor": "middle" }, visible(token, 7), svg("title", {}, token)));
    frame.keys.set(node, (event) => onKey(i, event));
    frame.on(node, "focus", () => hold(i));
    frame.on(node, "blur", () => node.classList.remove("ag-by-pointer"));
    frame.on(node, "touchstart", (event) => event.preventDefault(), { passive: false });
    frame.on(node, "pointerdown", (event) => {
      if (event.button !== 0 || drag) return;
      drag = { i, id: event.pointerId, x: event.clientX, y: event.clientY, start: X[i], moved: false };
      picture.setPointerCapture(event.pointerId);
      node.classList.add("ag-by-pointer");
      node.focus({ preventScroll: true });
      event.preventDefault();
    });
    return node;
  });
  picture.append(...handles);
  const fields = coordinates();

  const snap = (x) => Math.round(Math.max(-reach, Math.min(reach, x)) / FINE) * FINE;
  const scale = () => ((2 * (HALF + ROOM[0])) / picture.getBoundingClientRect().width / HALF) * reach;
  function hold(i) {
    held = i;
    fields.choice.value = `x${i}`;
    follow(i, drag !== null);
    frame.schedule();
  }

  frame.on(picture, "pointerdown", (event) => { pressed = event.target.closest(".ag-handle") ? null : [event.clientX, event.clientY]; });
  frame.on(picture, "pointermove", (event) => {
    if (event.pointerId !== drag?.id) return;
    const by = [event.clientX - drag.x, drag.y - event.clientY];
    if (!drag.moved && Math.hypot(...by) < 2) return;
    drag.moved = true;
    move(drag.i, drag.start.map((x, c) => snap(x + by[c] * scale())));
  });
  const drop = (event) => {
    if (event.pointerId !== drag?.id) return;
    const { i } = drag;
    drag = null;
    commit(i);
  };
  frame.on(picture, "pointerup", drop);
  frame.on(picture, "pointercancel", drop);
  frame.on(picture, "click", (event) => {
    if (!pressed || held === null || event.target.closest(".ag-handle")) return;
    if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 6) return;
    const box = picture.getBoundingClientRect();
    move(held, [event.clientX - box.left - box.width / 2, box.top + box.height / 2 - event.clientY].map((x) => snap(x * scale())));
    commit(held);
  });

  function onKey(i, event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const unit = event.shiftKey ? 0.5 : 0.1;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
    if (!way && event.key !== "Home") return false;
    handles[i].classList.remove("ag-by-pointer");
    move(i, way ? X[i].map((x, c) => x + unit * way[c]) : frame.initial.X[i]);
    commit(i, way ? `keys x${i}` : null);
    return true;
  }

  function coordinates() {
    const choice = html("select", { class: "ag-select", "aria-label": planeWords.point }, ...called.map((name, i) => html("option", { value: `x${i}` }, name)));
    const chosen = () => Number(choice.value.slice(1));
    frame.on(choice, "change", () => hold(chosen()));
    const inputs = ["x", "y"].map((axis, c) => numberField(frame, { "aria-label": planeWords.coordinate(axis) },
      (x) => move(chosen(), X[chosen()].map((old, k) => (k === c ? x : old))), () => commit(chosen())));
    const node = html("div", { class: "ag-field ag-coordinates" }, html("span", { "aria-hidden": "true" }, planeWords.point), choice,
      ...inputs.map((input, c) => html("label", { class: "ag-coordinate" }, html("span", { "aria-hidden": "true" }, "xy"[c]), input)));
    return { node, choice, inputs, chosen };
  }

  return {
    node: html("figure", { class: "ag-pipe-plane" }, picture), picture, fields: fields.node,
    draw(now) {
      X = now.X;
      if (!drag) reach = Math.max(niceRange(initial), niceRange(X, 1));
      handles.forEach((node, i) => {
        const [x, y] = X[i];
        attr(node, "transform", `translate(${((x / reach) * HALF).toFixed(1)} ${((-y / reach) * HALF).toFixed(1)})`);
        attr(node, "aria-valuenow", String(x));
        attr(node, "aria-valuetext", planeWords.place(fixed(x), fixed(y)));
        node.classList.toggle("ag-on", i === now.selected);
        node.classList.toggle("ag-held", i === held);
        node.classList.toggle("ag-unnamed", tokens.length > CROWD && i !== now.selected);
      });
      fields.inputs.forEach((input, c) => showNumber(input, X[fields.chosen()][c]));
    },
  };
}
