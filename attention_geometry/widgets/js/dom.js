// Elements with text nodes and attributes only; nothing is ever parsed from a string.

const SVG = "http://www.w3.org/2000/svg";

export const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

function fill(node, attributes = {}, children = []) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** A table of heads over rows, a row with its name, the head of a column. */
export const table = (attributes, caption, heads, rows, foot) => html("table", attributes, caption,
  html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...rows), foot);
export const rowOf = (name, cells) => html("tr", {}, html("th", { scope: "row" }, name), ...cells);
export const headOf = (...name) => html("th", { scope: "col" }, ...name);

const written = new WeakMap();

/** Sets an attribute only if it changed, so that a frame touches what moved and nothing else. */
export function attr(node, name, value) {
  let known = written.get(node);
  if (!known) written.set(node, (known = {}));
  if (known[name] === value) return;
  known[name] = value;
  if (value === null || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value);
}

/** Draws a part of a picture, or leaves it out. */
export const show = (node, on) => attr(node, "display", on ? null : "none");

/** Points of a picture as they are written in a path or a list of corners. */
export const point = (p) => p.map((x) => x.toFixed(2)).join(" ");
export const line = (...points) => `M${points.map(point).join("L")}`;

/** Moves a part of a picture to a point; puts a text there. */
export const move = (node, p) => attr(node, "transform", `translate(${point(p)})`);
export function put(label, x, y, anchor) {
  attr(label, "x", x.toFixed(1));
  attr(label, "y", y.toFixed(1));
  if (anchor) attr(label, "text-anchor", anchor);
}

/** Text with W_Q, W_K, W_V and W_O set as they are in mathematics. */
export const formula = (words) => words.split(/W_([QKVO])/).flatMap((part, i) => (i % 2 ? ["W", html("sub", {}, part)] : part));

/** Sets the text of a node only if it changed. */
export function text(node, value) {
  let known = written.get(node);
  if (!known) written.set(node, (known = {}));
  if (known["#"] === value) return;
  known["#"] = value;
  if (node.firstChild?.nodeType === 3 && !node.firstChild.nextSibling) node.firstChild.data = value;
  else node.textContent = value;
}

/** The shapes, centred on the origin, the same in every figure: q circle, k square, v triangle, y diamond, x cross; on: a key on a query. */
export const SHAPES = {
  q: "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0Z", k: "M-7.5 -7.5H7.5V7.5H-7.5Z", v: "M0 -9.5L9 6.5H-9Z", on: "M-14 -14V14H14V-14ZM-10 -10H10V10H-10Z",
  y: "M0 -9.5L9.5 0L0 9.5L-9.5 0Z", x: "M-3 -9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z",
};
export const marker = (kind, scale = 1) =>
  svg("path", { class: `ag-${kind}`, d: SHAPES[kind], transform: scale === 1 ? null : `scale(${scale})` });

/** A marker small enough to stand in a line of text. */
export function glyph(kind) {
  return svg("svg", { class: "ag-glyph", viewBox: "-11 -11 22 22", "aria-hidden": "true" }, marker(kind));
}
