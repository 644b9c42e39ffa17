// Points that move: how a pointer holds one, where a click puts it, which keys it knows, and the fields for its coordinates.

import { html, svg } from "./dom.js";
import { numberField, showNumber } from "./fields.js";
import * as words from "./strings/plane.js";

/** Which way an arrow key points, y upwards. */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };

/** The node of a handle: ring and mark, the room that takes presses, its name. Without onKey it cannot be moved. */
export function createHandle(frame, { id, name, kind = "x" }, [ring, mark, hit], text, onKey, onFocus) {
  const how = onKey ? { tabindex: 0, role: "slider", "aria-roledescription": words.role } : { role: "img" };
  const node = svg("g", { class: `ag-handle ag-handle-${kind}${onKey ? "" : " ag-derived"}`, ...how, "aria-label": name, "data-handle": id },
    svg("circle", { class: "ag-ring", r: ring }), mark, svg("circle", { class: "ag-hit", r: hit }), text);
  if (!onKey) return node;
  frame.keys.set(node, onKey);
  frame.on(node, "focus", onFocus);
  frame.on(node, "blur", () => node.classList.remove("ag-by-pointer"));
  frame.on(node, "touchstart", (event) => event.preventDefault(), { passive: false });
  return node;
}

/**
 * A pointer on a surface. hold(event) → what it takes hold of, with the `node` that gets the focus, or null; move(drag, event)
 * as soon as it moves; drop(drag, kept) when it is let go or the browser takes it away; place(event): a click beside everything.
 */
export function followPointer(frame, surface, { hold, move, drop, place }) {
  let drag = null, pressed = null;
  const away = (event, { x, y }) => Math.hypot(event.clientX - x, event.clientY - y);
  const end = (kept) => {
    const done = drag;
    drag = null;
    drop(done, kept);
  };
  frame.on(surface, "pointerdown", (event) => {
    if (event.button !== 0 || drag) return;
    const held = hold(event), at = { id: event.pointerId, x: event.clientX, y: event.clientY };
    pressed = held ? null : at;
    if (!held) return;
    drag = { ...held, ...at, moved: false };
    surface.setPointerCapture(event.pointerId);
    held.node.classList.add("ag-by-pointer"); // no keyboard focus ring for a press
    held.node.focus({ preventScroll: true });
    event.preventDefault();
  });
  frame.on(surface, "pointermove", (event) => {
    if (event.pointerId !== drag?.id) return;
    drag.moved ||= away(event, drag) >= 2;
    if (drag.moved) move(drag, event);
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    frame.on(surface, kind, (event) => event.pointerId === drag?.id && end(kind === "pointerup"));
  }
  // Select, then click: what is held goes where the surface is clicked.
  frame.on(surface, "click", (event) => pressed && !event.target.closest(".ag-handle") && away(event, pressed) <= 6 && place?.(event));
  return { get drag() { return drag; }, cancel: () => end(false) };
}

/** A list of points, [id, name] each, and fields for the coordinates of the chosen one. */
export function coordinateFields(frame, points, { where, move, commit, hold }) {
  const choice = html("select", { class: "ag-select", "aria-label": words.point }, ...points.map(([value, name]) => html("option", { value }, name)));
  const inputs = ["x", "y"].map((axis, c) => numberField(frame, { "aria-label": words.coordinate(axis) }, (value) => {
    hold(choice.value);
    move(choice.value, where(choice.value).map((x, i) => (i === c ? value : x)));
  }, () => commit(choice.value)));
  frame.on(choice, "change", () => hold(choice.value));
  return {
    parts: [choice, ...inputs.map((input, c) => html("label", { class: "ag-coordinate" }, html("span", { "aria-hidden": "true" }, "xy"[c]), input))],
    show(id) { choice.value = id; },
    draw() { inputs.forEach((input, c) => showNumber(input, where(choice.value)[c])); },
  };
}
