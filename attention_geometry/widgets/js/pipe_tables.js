// A matrix as a real table of numbers that can be selected; the numbers that are given can be changed by keys or by dragging.

import { attr, html, text } from "./dom.js";
import { visible } from "./format.js";
import { ARROWS, followPointer } from "./handles.js";
import { cellText, KINDS, largestOf, shade } from "./pipeline_picture.js";
import { entry, GIVEN } from "./stages.js";
import * as words from "./strings/attention_pipeline.js";

const STEP = 0.1, COARSE = 1, PIXELS = 4, FINE = 0.05; // a drag of PIXELS changes a number by FINE
const SHOWN = 1200; // milliseconds for which a changed number stays marked

/**
 * options: frame, name, rows and columns (their names; null where the table shows none), size [rows, columns],
 * called(i, j) for the ear, editor { open(place), change(place, value), commit(place, key), reset(place), type(sign) },
 * follow(i), set where the names of the rows can be chosen.
 */
export function createTable({ frame, name, rows, columns, size: [n, m], called, editor, follow }) {
  const given = GIVEN.includes(name);
  let current = [0, 0];
  const head = (names, j) => html("th", { scope: "col", title: names[j] }, html("bdi", { class: "ag-pipe-name" }, visible(names[j], 14)));
  const cells = Array.from({ length: n }, (_, i) => Array.from({ length: m }, (_, j) => createCell(i, j)));
  const lines = cells.map((row, i) => {
    const th = html("th", { scope: "row", title: rows.names[i], class: rows.hidden ? "ag-hidden" : follow ? "ag-pipe-follow" : null },
      html("bdi", { class: "ag-pipe-name" }, visible(rows.names[i], 14)));
    if (follow) frame.on(th, "click", () => follow(i));
    return { node: html("tr", {}, th, ...row.map((cell) => html("td", {}, cell.node))), th };
  });
  const node = html("table", { class: `ag-pipe-table ag-pipe-${KINDS[name.at(-1)] ?? "x"}${given ? " ag-pipe-given" : ""}`, "data-matrix": name },
    html("caption", { class: "ag-hidden" }, words.captions[name]),
    html("thead", { class: columns.hidden ? "ag-hidden" : null }, html("tr", {}, html("td", { class: rows.hidden ? "ag-hidden" : null }), ...columns.names.map((_, j) => head(columns.names, j)))),
    html("tbody", {}, ...lines.map((line) => line.node)));

  function createCell(i, j) {
    const number = html("span", {}), place = [name, i, j], data = { class: "ag-pipe-cell", tabindex: -1, "data-cell": place.join(".") };
    const node = given ? html("div", { ...data, role: "spinbutton" }, number) : html("button", { ...data, type: "button" }, number);
    frame.keys.set(node, (event) => onKey(place, event));
    return { node, number, place, timer: 0 };
  }

  const cellOf = (event) => {
    const node = event.target.closest(".ag-pipe-cell"), [, i, j] = node?.dataset.cell.split(".") ?? [];
    return node && cells[i][j];
  };
  frame.on(node, "focusin", (event) => {
    const { place } = cellOf(event) ?? {};
    if (!place) return;
    rove(place[1], place[2]);
    editor.open(place);
  });
  frame.on(node, "click", (event) => cellOf(event)?.node.focus({ preventScroll: true })); // Safari does not focus a button by itself

  function rove(i, j) {
    attr(cells[current[0]][current[1]].node, "tabindex", "-1");
    current = [i, j];
    attr(cells[i][j].node, "tabindex", "0");
  }

  function onKey(place, event) {
    const [, i, j] = place, way = ARROWS[event.key];
    if (given && way?.[1]) {
      editor.change(place, frame.model.get(name)[i][j] + way[1] * (event.shiftKey ? COARSE : STEP));
      editor.commit(place, `keys ${place}`);
    } else if (way) {
      const flat = Math.max(0, Math.min(n * m - 1, i * m + j + way[0]));
      const [a, b] = way[1] ? [Math.max(0, Math.min(n - 1, i - way[1])), j] : [Math.floor(flat / m), flat % m];
      cells[a][b].node.focus();
    } else if (event.key === "Home" && given) editor.reset(place);
    else if (given && (event.key === "Enter" || /^[\d.-]$/.test(event.key))) editor.type(event.key === "Enter" ? "" : event.key);
    else if (event.key === "Escape") editor.open(null);
    else return false;
    return true;
  }

  if (given) {
    followPointer(frame, node, {
      hold(event) {
        const cell = cellOf(event);
        return cell && { ...cell, start: frame.model.get(name)[cell.place[1]][cell.place[2]] };
      },
      move(drag, event) {
        const steps = Math.round((drag.y - event.clientY) / PIXELS);
        drag.changed ||= steps !== 0;
        if (drag.changed) editor.change(drag.place, drag.start + steps * FINE);
      },
      drop({ changed, place, start }, kept) {
        if (!changed) return;
        if (!kept) editor.change(place, start, true);
        editor.commit(place);
      },
    });
  }

  rove(0, 0);
  let first = true;
  return {
    node, cells,
    /** marks: a set of the places [name, i, j] joined by commas from which the opened number came. */
    draw(now, { opened, marks }, settled) {
      const largest = largestOf(now[name]);
      cells.forEach((row, i) => (i === now.selected || frame.due(i, n)) && row.forEach((cell, j) => {
        const value = entry(now, cell.place), key = String(cell.place), shown = cellText(value, given);
        const tint = 6 + 2 * Math.round(17 * shade(name, value, largest)); // in steps, so that a small change repaints nothing
        const look = `${shown} ${tint} ${opened === key} ${marks.has(key)}`;
        if (cell.look === look && !settled) return;
        if (cell.shown !== shown && !first) mark(cell);
        Object.assign(cell, { shown, look });
        text(cell.number, shown);
        attr(cell.node, "style", `--ag-tint:${tint}%`);
        cell.node.classList.toggle("ag-pipe-negative", value !== null && value < 0);
        cell.node.classList.toggle("ag-pipe-masked", value === null);
        cell.node.classList.toggle("ag-pipe-opened", opened === key);
        cell.node.classList.toggle("ag-pipe-source", marks.has(key));
        if (given) {
          attr(cell.node, "aria-valuenow", String(value));
          attr(cell.node, "aria-valuetext", shown);
        }
        if (settled) attr(cell.node, "aria-label", given ? called(i, j) : `${called(i, j)}: ${value === null ? words.masked : shown}`);
      }));
      if (follow) lines.forEach((line, i) => line.node.classList.toggle("ag-pipe-on", i === now.selected));
      first = false;
    },
  };
}

/** A changed number is marked until it has stood still for a moment. */
function mark(cell) {
  clearTimeout(cell.timer);
  cell.node.classList.add("ag-pipe-changed");
  cell.timer = setTimeout(() => cell.node.classList.remove("ag-pipe-changed"), SHOWN);
}
