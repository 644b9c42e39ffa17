// Files a reader can keep: the figure as SVG or PNG with its colours written in, tables, lines of Python.

import { svg } from "./dom.js";

const KEPT = ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linejoin",
  "font-size", "font-weight", "text-anchor", "opacity", "paint-order"];
const INITIAL = { "fill-opacity": "1", "stroke-opacity": "1", stroke: "none", "stroke-dasharray": "none", "stroke-linejoin": "miter",
  opacity: "1", "paint-order": "normal", "stroke-width": "1px", "text-anchor": "start", "font-weight": "400" };
const LEFT_OUT = ".ag-hit, .ag-ring, [hidden]";
const GAP = 24, SIDE = 320, HEAD = 34;

/** One SVG from several pictures with their titles: what the style sheet says is written into attributes. */
export function composeSvg(figures, root) {
  const style = getComputedStyle(root);
  const ink = style.color;
  const width = figures.length * (SIDE + GAP) + GAP;
  const height = SIDE + HEAD + 2 * GAP;
  const page = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height,
    "font-family": "system-ui, sans-serif", "font-size": 13,
  }, svg("rect", { width, height, fill: paper(root) }));
  figures.forEach(({ title, picture }, i) => {
    const x = GAP + i * (SIDE + GAP);
    const name = svg("text", { x, y: GAP + 12, fill: ink, "font-weight": 600, "font-size": 14 }, title);
    page.append(name, svg("g", { transform: `translate(${x} ${GAP + HEAD})` }, ...[...picture.children].map(written)));
  });
  return page;
}

function written(node) {
  if (node.matches(LEFT_OUT)) return "";
  const style = getComputedStyle(node);
  if (style.display === "none") return "";
  const copy = node.cloneNode(false);
  for (const name of ["class", "tabindex", "role", "style", ...node.getAttributeNames().filter((a) => a.startsWith("aria-"))]) {
    copy.removeAttribute(name);
  }
  for (const name of KEPT) {
    const value = style.getPropertyValue(name);
    if (value === INITIAL[name]) copy.removeAttribute(name);
    else copy.setAttribute(name, value);
  }
  copy.append(...[...node.childNodes].map((child) => (child.nodeType === 1 ? written(child) : child.cloneNode())));
  return copy;
}

/** The first opaque colour behind the widget. */
function paper(node) {
  for (let at = node; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (!/^(transparent|rgba\(.*, 0\))$/.test(colour)) return colour;
  }
  return "white";
}

export const svgBlob = (page) =>
  new Blob([new XMLSerializer().serializeToString(page)], { type: "image/svg+xml" });

/** The same picture as pixels, twice as fine as on the screen. */
export async function pngBlob(page, scale = 2) {
  const image = new Image();
  const [width, height] = [page.getAttribute("width"), page.getAttribute("height")].map(Number);
  await new Promise((good, bad) => {
    [image.onload, image.onerror] = [good, bad];
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(page))}`;
  });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * scale, height * scale];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((good, bad) => canvas.toBlob((blob) => (blob ? good(blob) : bad()), "image/png"));
}

export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
