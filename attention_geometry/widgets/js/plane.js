// One plane: grid, axes, and handles that move by mouse, touch, keys, a click on the target, or typed coordinates.

import { SHAPES, attr, html, marker, move as moveTo, put, svg } from "./dom.js";
import { fixed, visible } from "./format.js";
import { niceRange, tickStep } from "./geometry.js";
import { ARROWS, coordinateFields, createHandle, followPointer } from "./handles.js";
import { around, placeNames } from "./labels.js";
import * as words from "./strings/plane.js";

export const SIZE = 320, REACH = 140;
export const CROWD = 12; // with more points than this, not every name finds a place
const ON = 9; // units of the picture within which a key lies on a query
const NEAR = 22; // CSS pixels within which a press takes hold of the nearest handle

/**
 * options: frame, label, points [{ id, kind, name (spoken), label (drawn), trait, index (none: the trait is the point) }],
 * initial (the vectors that set the range at first), vectors() → those shown now, onHold(point, dragging),
 * moved(point, place) → what its trait then holds, where a point does not move alone,
 * derived (points that follow from others: they are chosen, not moved), at(trait) → the places it holds.
 */
export function createPlane({ frame, label, points, initial, vectors, onHold, moved, derived = false, at = (trait) => frame.model.get(trait) }) {
  const crowd = points.length > CROWD;
  const grid = svg("g", { "aria-hidden": "true" });
  const ticks = svg("g", { "aria-hidden": "true" }); // over the arrows, so that none strikes out a number
  const under = svg("g", { "aria-hidden": "true" });
  const over = svg("g", { "aria-hidden": "true" });
  const handles = svg("g", {});
  const picture = svg("svg", { class: "ag-picture ag-plane", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": label },
    svg("rect", { class: "ag-floor", width: SIZE, height: SIZE }), grid, under, ticks, handles, over);
  const place = (p) => [160 + p[0] / reach * REACH, 160 - p[1] / reach * REACH];
  let reach = 0, held = null, stressed = null, look = "", numbers = [], clear = [];
  const pen = html("canvas").getContext("2d"), wide = (name) => pen.measureText(name).width;
  new ResizeObserver(() => frame.read(() => { // what is narrow has larger letters
    const { fontSize, fontFamily } = getComputedStyle(picture);
    pen.font = `700 ${fontSize} ${fontFamily}`;
  })).observe(picture);

  const all = points.map(handleOf);
  handles.append(...all.map((handle) => handle.group));
  const byId = (id) => all.find((h) => h.id === id);
  const fields = coordinateFields(frame, all.map((h) => [h.id, h.full ? `${h.sign} · ${visible(h.full, 14)}` : h.sign]), {
    where: (id) => where(byId(id)), move: (id, p) => move(byId(id), p), commit: (id) => commit(byId(id)), hold: (id) => hold(byId(id)),
  });

  const where = ({ trait, index }, state = at(trait)) => (index === undefined ? state : state[index]);
  const step = () => 10 ** (Math.floor(Math.log10(reach)) - 2);
  const spoken = (p) => words.place(fixed(p[0]), fixed(p[1]));

  function handleOf(point) {
    const name = svg("text", { class: "ag-name" });
    if (point.full && point.full !== point.label) name.append(svg("title", {}, point.full));
    const caption = document.createTextNode(visible(point.label, 8));
    name.prepend(caption);
    const handle = { ...point, text: name, caption, short: caption.data, at: [160, 160] };
    handle.group = createHandle(frame, point, [14, marker(point.kind), 17], name, derived ? null : (event) => onKey(handle, event), () => hold(handle));
    if (derived) frame.on(handle.group, "click", () => onHold?.(handle, false));
    return handle;
  }

  /** A key that lies on a query is a hollow square around its circle, and both have one name. */
  function join() {
    const apart = (a, b) => Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]);
    for (const h of all) h.on = h.kind === "k" && all.find((q) => q.kind === "q" && apart(q, h) < ON);
    for (const h of all) {
      h.joint = all.filter((k) => k.on === h);
      const names = new Set([h, ...h.joint].map(({ short }) => short));
      const caption = h.on ? "" : [...names].join(h.joint.every((k) => apart(k, h) < 0.5) ? " = " : ", ");
      if (h.caption.data !== caption) h.caption.data = caption;
      attr(h.group.children[1], "d", SHAPES[h.on ? "on" : h.kind]);
    }
  }

  function hold(handle) {
    if (held === handle) return;
    held?.group.classList.remove("ag-held");
    held = handle;
    handle?.group.classList.add("ag-held");
    if (handle) {
      fields.show(handle.id);
      onHold?.(handle, Boolean(pointer.drag));
    }
    frame.schedule();
  }

  function move(handle, p) {
    const clean = p.map((x) => Number(x.toPrecision(12)));
    const alone = () => (handle.index === undefined ? clean
      : frame.model.get(handle.trait).map((row, i) => (i === handle.index ? clean : row)));
    frame.set(handle.trait, moved ? moved(handle, clean) : alone());
  }

  const commit = (handle, key = null) => {
    const p = where(handle);
    frame.commit(key, words.moved(handle.name, spoken(p)));
  };

  /** The point of the plane under a point of the screen, inside the range and on the fine grid. */
  function pointed(x, y, offset = [0, 0]) {
    const box = picture.getBoundingClientRect();
    const scale = SIZE / box.width;
    const p = [((x - box.left) * scale - 160 + offset[0]) / REACH * reach, (160 - (y - box.top) * scale - offset[1]) / REACH * reach];
    const fine = step();
    return p.map((v) => Math.round(Math.max(-reach, Math.min(reach, v)) / fine) * fine);
  }

  function nearest(x, y) {
    const box = picture.getBoundingClientRect();
    const scale = box.width / SIZE;
    const gap = (h) => Math.hypot(box.left + h.at[0] * scale - x, box.top + h.at[1] * scale - y);
    const best = all.reduce((a, b) => (gap(b) <= gap(a) ? b : a)); // the last drawn lies on top
    return gap(best) <= Math.max(NEAR, 17 * scale) ? best : null;
  }

  const follow = () => pointer.drag?.to && move(pointer.drag.handle, pointed(...pointer.drag.to, pointer.drag.offset));
  const pointer = followPointer(frame, picture, {
    hold(event) {
      const target = !derived && event.target.closest(".ag-handle");
      if (!target) return null;
      const handle = nearest(event.clientX, event.clientY) ?? all.find((h) => h.group === target);
      const box = picture.getBoundingClientRect(), scale = SIZE / box.width;
      picture.classList.add("ag-dragging");
      return {
        handle, node: handle.group, start: where(handle),
        offset: [handle.at[0] - (event.clientX - box.left) * scale, handle.at[1] - (event.clientY - box.top) * scale],
      };
    },
    move(drag, event) {
      drag.to = [event.clientX, event.clientY];
      frame.read(follow);
    },
    drop({ handle, start, to, offset }, kept) {
      if (to) move(handle, kept ? pointed(...to, offset) : start);
      picture.classList.remove("ag-dragging");
      commit(handle);
    },
    place(event) {
      if (!held) return;
      move(held, pointed(event.clientX, event.clientY));
      commit(held);
    },
  });

  function onKey(handle, event) {
    handle.group.classList.remove("ag-by-pointer");
    const unit = tickStep(reach) / (event.shiftKey ? 4 : 20);
    const way = ARROWS[event.key];
    if (way) {
      const p = where(handle);
      move(handle, p.map((x, c) => Math.max(-reach, Math.min(reach, x + unit * way[c]))));
      commit(handle, `keys ${handle.id}`);
    } else if (event.key === "Home") {
      move(handle, where(handle, frame.initial[handle.trait]));
      commit(handle);
    } else if (event.key === "Escape" && pointer.drag) pointer.cancel();
    else if (event.key === "Escape") {
      hold(null);
      handle.group.blur();
    } else return false;
    return true;
  }

  function drawGrid() {
    const parts = [], written = [], unit = tickStep(reach), count = Math.floor(reach / unit + 1e-9);
    for (let i = -count; i <= count; i++) {
      const a = 160 + i * unit / reach * REACH, kind = i ? "ag-grid" : "ag-axis";
      parts.push(svg("path", { class: kind, d: `M${a} 8V312M8 ${320 - a}H312` }));
      if (!i) continue;
      const number = fixed(i * unit, Math.max(0, -Math.floor(Math.log10(unit) + 1e-9)));
      const half = wide(number) / 2;
      numbers.push(around([a, 171], half, 6), around([154 - half, 320 - a], half, 6));
      written.push(svg("text", { class: "ag-tick", x: a, y: 175, "text-anchor": "middle" }, number),
        svg("text", { class: "ag-tick", x: 154, y: 324.5 - a, "text-anchor": "end" }, number));
    }
    grid.replaceChildren(...parts);
    ticks.replaceChildren(...written);
    for (const handle of derived ? [] : all) {
      attr(handle.group, "aria-valuemin", String(-reach));
      attr(handle.group, "aria-valuemax", String(reach));
    }
  }

  /** Names side by side without overlap; in a crowd the queries other than the selected one keep theirs to themselves. */
  function drawNames() {
    const rank = (h) => (h === held ? 0 : h.id === stressed ? 1 : 2);
    const order = [...all].sort((a, b) => rank(a) - rank(b));
    const found = placeNames(order.map((h) => ({
      at: h.at, width: crowd && h.kind === "q" && rank(h) === 2 && !h.joint.length ? 0 : wide(h.caption.data), last: h.place, mark: h.joint.length ? 14 : 9,
    })), [...numbers, ...clear]);
    order.forEach((handle, i) => {
      const { place: [dx, dy, anchor] = [15, 4.5, "start"], index, box, free } = found[i] ?? {};
      [handle.place, handle.box] = [index, box];
      handle.group.classList.toggle("ag-unnamed", crowd && !free);
      put(handle.text, dx, dy, anchor);
    });
  }

  return {
    /** The picture in a box: as a part of a flexible panel it would be laid out with the whole page. */
    node: html("div", {}, picture),
    picture, fields: html("div", { class: "ag-row ag-coordinates" }, ...fields.parts), under, over, place, crowd,
    wide,
    get reach() { return reach; },
    /** Where the numbers of the axes and the names stand. */
    get taken() { return [...numbers, ...all.map(({ box }) => box).filter(Boolean)]; },
    /** Names keep clear of these boxes as well. */
    avoid(boxes) { clear = boxes; drawNames(); },
    get held() { return held; },
    hold: (id) => hold(byId(id) ?? null),
    /** Draws range, handles and their names; `strong` is the id of the one to stress. */
    draw(strong) {
      const wanted = Math.max(niceRange(initial), niceRange(vectors(), 1));
      if (look !== (look = wanted + pen.font)) {
        [reach, numbers] = [wanted, []];
        drawGrid();
      }
      stressed = strong;
      let moved = false;
      for (const handle of all) {
        const p = where(handle), now = `${look} ${handle.id === strong} ${handle === held}`;
        if (handle.drawn?.p === p && handle.drawn.now === now) continue;
        handle.drawn = { p, now };
        moved = true;
        moveTo(handle.group, (handle.at = place(p)));
        if (derived) attr(handle.group, "aria-label", `${handle.name}: ${spoken(p)}`);
        else {
          attr(handle.group, "aria-valuenow", String(Number(p[0].toFixed(4))));
          attr(handle.group, "aria-valuetext", spoken(p));
        }
        handle.group.classList.toggle("ag-strong", handle.id === strong);
      }
      if (moved) {
        join();
        drawNames();
      }
      if (!derived && frame.due(2)) fields.draw();
    },
  };
}
