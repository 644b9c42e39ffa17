// The whole pipeline as one picture for paper, and the graph that the live view shares with it. Nothing here touches a page:
// a picture is nested lists [tag, attributes, …children]. _still_pipeline.py makes the same lists, and
// tests/fixtures/stages.json holds the two together.

import { fixed, visible } from "./format.js";
import { anchorOf, degrees, direction, niceRange, sides, toward } from "./geometry.js";
import { GIVEN } from "./stages.js";
import * as words from "./strings/attention_pipeline.js";

export const KINDS = { Q: "q", K: "k", V: "v", Y: "y" };
const COLOURS = { Q: "#0072B2", K: "#D55E00", V: "#009E73", A: "#0072B2" };
const SHAPES = { Q: "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z", K: "M-5 -5H5V5H-5Z", V: "M0 -6.3L6 4.3H-6Z" };
const W = 44, H = 26, NAME = 58, GAP = 44, SIDE = 16, TOP = 66; // cell, names, space between stages, margins
const FONT = "Segoe UI, Roboto, Helvetica, Arial, Liberation Sans, sans-serif"; // narrow enough for the cells
const HIDDEN = 0.005; // weights without an edge
export const CROWD = 12; // tokens from which names, edges and numbers get scarce

/** A number short enough for a cell: what is given with at least one decimal, what is made with two. */
export function cellText(x, given = false) {
  if (x === null) return "–";
  if (Math.abs(x) >= 999.5) return x.toExponential(0).replace("e+", "e").replaceAll("-", "−");
  if (Math.abs(x) >= 99.95) return fixed(x, 0);
  return given ? fixed(x, 2).replace(/0$/, "") : fixed(x);
}

/** How deep the shade of a number is, 0 … 1: weights by themselves, others against the largest of their matrix. */
export const shade = (name, x, largest) => (x === null ? 0 : Math.min(1, Math.abs(x) / (name === "A" ? 1 : largest || 1)));

export const largestOf = (M) => Math.max(0, ...M.flatMap((row) => row ?? []).map(Math.abs));

const colour = (name) => COLOURS[name.at(-1)] ?? "currentColor";
const short = (x, digits = 1) => String(Number(x.toFixed(digits)) || 0);
const at = (...numbers) => numbers.map((x) => short(x)).join(" ");
const bold = { "font-weight": "600" }, middle = { "text-anchor": "middle" }, end = { "text-anchor": "end" }, small = { "font-size": "12" };
const text = (x, y, body, more = {}) => ["text", { x: short(x), y: short(y), ...more }, body];

/** The picture of all stages: now = stages(state), tokens as given, settings: the line at its foot. */
export function pipelinePicture(now, tokens, settings) {
  const n = now.X.length, d = now.X[0].length, wide = Math.max(now.Q[0].length, now.V[0].length);
  const lane = Math.max(n, d) * H + 46, rows = [0, 1, 2].map((l) => TOP + 24 + l * lane);
  const B = SIDE + NAME + Math.max(d * W, 100) + GAP, M = B + wide * W + 30, C = M + wide * W + GAP, D = C + NAME + n * W + GAP;
  const width = D + Math.max(220, NAME + now.V[0].length * W) + SIDE, foot = rows[2] + Math.max(n, d) * H + 26;
  const place = {
    X: [SIDE + NAME, rows[0]], S: [C + NAME, rows[0]], A: [C + NAME, rows[2]], Y: [D + NAME, rows[2]],
    ...Object.fromEntries(["Q", "K", "V"].flatMap((name, l) => [[`W_${name}`, [B, rows[l]]], [name, [M, rows[l]]]])),
  };
  const box = Object.fromEntries(Object.entries(place).map(([name, [x, y]]) => {
    const [high, long] = [now[name].length, now[name].find(Boolean)?.length ?? (name === "A" ? n : now.V[0].length)];
    return [name, { x, y, r: x + long * W, b: y + high * H, cx: x + (long * W) / 2, cy: y + (high * H) / 2, long }];
  }));
  const lanes = ["Q", "K", "V"];
  return ["svg", {
    viewBox: `0 0 ${at(width, foot + 26)}`, width: short(width), height: short(foot + 26), "font-family": FONT, "font-size": "14", fill: "currentColor",
  },
  ...lanes.map((name) => across("X", box.X.r + 4, box.X.cy, B - 5, box[`W_${name}`].cy)),
  ...lanes.map((name) => across(name, box[`W_${name}`].r + 4, box[`W_${name}`].cy, M - 4, box[`W_${name}`].cy)),
  ...["Q", "K"].map((name) => across(name, box[name].r + 4, box[name].cy, C + 4, box.S.cy)),
  down("A", box.S.cx, box.S.b + 4, box.A.y - 62),
  across("A", box.A.r + 4, box.A.cy - 6, D + 24, rows[0] + 112), across("A", box.A.r + 4, box.A.cy, D + 4, box.Y.cy),
  under("V", box.V.cx, box.V.b + 4, box.Y.cx, box.Y.b + 4, foot),
  ...[[SIDE, 28], [B, 28], [C, 28], [C, rows[2] - 46], [D, 28], [D, rows[2] - 46]].flatMap(([x, y], k) => head(k, x, y, now)),
  ...lanes.flatMap((name, l) => laneHead(name, B, M, rows[l])),
  ...["X", "S", "A", "Y"].flatMap((name) => tokens.map((token, i) =>
    text(box[name].x - 6, box[name].y + i * H + 17.5, visible(token, 7), { ...end, ...(i === now.selected ? bold : {}) }))),
  ...["S", "A"].flatMap((name) => tokens.map((token, j) => text(box[name].x + (j + 0.5) * W, box[name].y - 6, visible(token, 6), { ...middle, ...small }))),
  ...Object.keys(place).flatMap((name) => cells(name, box[name], now)),
  ...(d === 2 ? points(now.X, tokens, SIDE + NAME - 20, rows[1] + 8, 120) : []),
  ["g", { transform: `translate(${at(D, TOP - 22)})` }, ...graphEdges(now), ...graphNodes(tokens, now.selected)],
  text(SIDE, foot + 14, settings, small)];
}

/** The line at the foot: what the picture was made with. */
export const settingsLine = ({ scaled, mask, temperature, Q }) => words.madeWith(
  scaled ? `√${Q[0].length}` : "1", temperature === Infinity ? "∞" : String(temperature), mask === null ? "none" : mask === "causal" ? "causal" : "custom");

function head(k, x, y, now) {
  const hint = k === 4 ? words.arrow[now.reading] : k === 2 ? words.match(now.scaled ? now.Q[0].length : 1) : words.hints[k];
  return [
    ["circle", { cx: short(x + 9), cy: short(y - 4.5), r: "9", fill: "none", stroke: "currentColor" }],
    text(x + 9, y, String(k + 1), { ...middle, "font-size": "12", ...bold }),
    text(x + 24, y, words.stages[k], { "font-size": "14", ...bold }),
    ...(hint ? [text(x, y + 20, hint, small)] : []),
  ];
}

function laneHead(name, x, m, y) {
  return [
    ["text", { x: short(x), y: short(y - 7), "font-style": "italic" }, "W", ["tspan", { dy: "3", "font-size": "9" }, name]],
    ["path", { class: `ag-${KINDS[name]}`, d: SHAPES[name], fill: COLOURS[name], transform: `translate(${at(m + 6, y - 11)})` }],
    text(m + 17, y - 7, words.matrices[name]),
    text(x, y - 24, words.means[name], small),
  ];
}

/** Cells with number, shade, hatching below zero or where masked, and a frame around what the reader may change. */
function cells(name, { x, y, long }, now) {
  const largest = largestOf(now[name]), given = GIVEN.includes(name);
  return now[name].flatMap((row, i) => Array.from({ length: long }, (_, j) => {
    const value = name === "A" && !now.allowed[i][j] ? null : row?.[j] ?? null, [left, top] = [x + j * W, y + i * H];
    return ["g", {},
      ["rect", {
        x: short(left + 1), y: short(top + 1), width: String(W - 2), height: String(H - 2), rx: "3", fill: colour(name),
        "fill-opacity": short(0.05 + (colour(name) === "currentColor" ? 0.2 : 0.3) * shade(name, value, largest), 2), ...(given ? { stroke: "currentColor", "stroke-opacity": "0.55" } : {}),
      }],
      ...(value === null || value < 0 ? [["path", { d: hatch(left + 1, top + 1, W - 2, H - 2), stroke: "currentColor", "stroke-opacity": "0.25", "stroke-width": "0.7" }]] : []),
      text(left + W / 2, top + 17.5, cellText(value, given), middle)];
  }));
}

/** Slanted lines across a box. */
function hatch(x, y, w, h) {
  const lines = [];
  for (let s = 7; s < w + h; s += 7) lines.push(`M${at(x + Math.min(s, w), y + Math.max(0, s - w))}L${at(x + Math.max(0, s - h), y + Math.min(s, h))}`);
  return lines.join("");
}

function points(X, tokens, x, y, side) {
  const half = side / 2, reach = niceRange(X);
  return [
    ["path", { d: `M${at(x, y + half)}h${side}M${at(x + half, y)}v${side}`, stroke: "currentColor", "stroke-opacity": "0.35" }],
    ...X.flatMap((p, i) => {
      const [a, b] = [x + half + (p[0] / reach) * half, y + half - (p[1] / reach) * half];
      return [["circle", { cx: short(a), cy: short(b), r: "4.5" }], text(a, b - 8, visible(tokens[i], 7), { ...middle, ...small })];
    }),
  ];
}

// ------------------------------------------------------------------ lines between the stages

const line = (name, d, x, y, turn) => ["g", {}, ["path", { d, fill: "none", stroke: colour(name), "stroke-width": "1.5" }],
  ["path", { d: "M0 0L-7 3.6V-3.6Z", fill: colour(name), transform: `translate(${at(x, y)}) rotate(${turn})` }]];

function across(name, x1, y1, x2, y2) {
  const half = (x2 - x1) / 2;
  return line(name, `M${at(x1, y1)}C${at(x1 + half, y1, x2 - half, y2, x2 - 5, y2)}`, x2, y2, 0);
}

const down = (name, x, y1, y2) => line(name, `M${at(x, y1)}V${short(y2 - 5)}`, x, y2, 90);

const under = (name, x1, y1, x2, y2, low) => line(name,
  `M${at(x1, y1)}V${short(low - 8)}q0 8 8 8H${short(x2 - 8)}q8 0 8 -8V${short(y2 + 5)}`, x2, y2, -90);

// ------------------------------------------------------------------ the graph, in a square of 220, for the page and for paper

/** The part of the square that the graph of n tokens fills: left, top, width, height. */
export const graphBox = (n) => (n > 4 ? [0, -2, 220, 204] : [26, -6, 168, { 3: 184, 4: 216 }[n] ?? 204]);

export function graphNodes(tokens, selected) {
  const n = tokens.length, crowd = n > CROWD;
  return tokens.map((token, i) => {
    const [x, y] = spot(i, n), { label, anchor } = nameAt(i, n), on = i === selected;
    return ["g", { class: on ? "ag-pipe-node ag-on" : "ag-pipe-node" },
      ["circle", { class: "ag-dot", cx: short(x), cy: short(y), r: crowd ? "3" : "6.5" }],
      text(label[0], label[1] + 4, visible(token, crowd ? 1 : 7), { class: "ag-name", "text-anchor": anchor, ...(on ? bold : {}), ...(crowd ? { "font-size": "9" } : {}) })];
  });
}

/** Edges of the weights, those of the selected token last and strong: from i to j, or from j to i where `reading` is "flows". */
export function graphEdges({ A, selected, reading }) {
  const n = A.length, flows = reading === "flows", paint = flows ? COLOURS.V : COLOURS.Q;
  const found = A.flatMap((row, i) => (row ?? []).flatMap((w, j) => (w < HIDDEN || (n > CROWD && i !== selected) ? [] : [[i, j, w]])));
  return found.sort((a, b) => (a[0] === selected) - (b[0] === selected)).map(([i, j, w]) => {
    const on = i === selected, { d, tip, turn, label, anchor } = i === j ? loop(i, n) : curve(i, j, n, flows);
    const ink = on ? paint : "currentColor";
    return ["g", { class: `ag-pipe-edge${on ? (flows ? " ag-pipe-v" : " ag-pipe-q") : ""}`, opacity: short(on ? 0.55 + 0.45 * w : 0.1 + 0.35 * w, 2) },
      ["path", { d, fill: "none", stroke: ink, "stroke-width": short(0.8 + 6.2 * w, 2) }],
      ["path", { d: "M0 0L-8 4.2V-4.2Z", fill: ink, transform: `translate(${at(...tip)}) rotate(${short(turn)}) scale(${short(1 + 0.8 * w, 2)})` }],
      ...(on && n <= 4 ? [text(label[0], label[1] + 4, fixed(w), { class: "ag-name", "text-anchor": anchor, "font-size": "12", ...bold })] : [])];
  });
}

const spot = (i, n) => direction(i, n).map((x, c) => [110, 104][c] + 56 * x);

/** Where the name of token i stands: below it, above it at the top, outwards where there are many; `on`: how much farther. */
function nameAt(i, n, on = 0) {
  const [x, y] = spot(i, n), [c, s] = direction(i, n), away = n > CROWD ? 12 : 26;
  if (n <= 4) return { label: [x, y + (s < -0.5 ? -30 - on : s > 0.9 ? 32 + on : 22 + on)], anchor: "middle" };
  return { label: [x + away * c, y + (away + 4) * s + (s < -0.5 ? -on : on)], anchor: anchorOf(c) };
}

function curve(i, j, n, flows) {
  const a = spot(i, n), b = spot(j, n), bend = 0.2, near = n > CROWD ? 5 : 12;
  const [u, v] = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(u, v) || 1;
  const mid = [(a[0] + b[0]) / 2 - bend * v, (a[1] + b[1]) / 2 + bend * u], [from, to] = flows ? [b, a] : [a, b];
  return {
    d: `M${at(...toward(from, mid, near - 3))}Q${at(...mid, ...toward(to, mid, near + 5))}`, tip: toward(to, mid, near - 3),
    turn: degrees(to[0] - mid[0], to[1] - mid[1]), anchor: "middle",
    label: [(a[0] + b[0]) / 4 + mid[0] / 2 - (10 * v) / length, (a[1] + b[1]) / 4 + mid[1] / 2 + (10 * u) / length],
  };
}

/** From i to itself: a loop outwards. Its number stands beyond the name, or above a loop to the side. */
function loop(i, n) {
  const [x, y] = spot(i, n), [e, f] = direction(i, n);
  const aside = n <= 4 && Math.abs(e) > 0.5, [c, s] = aside ? [Math.sign(e), 0] : [e, f]; // the name stands below
  const [[a, b], [u, v]] = sides([c, s]);
  return {
    d: `M${at(x + 9 * a, y + 9 * b)}C${at(x + 36 * a, y + 36 * b, x + 36 * u, y + 36 * v, x + 17 * u, y + 17 * v)}`, tip: [x + 9 * u, y + 9 * v],
    turn: degrees(-u, -v), ...(aside ? { label: [x + 17 * c, y - 26], anchor: "middle" } : nameAt(i, n, 15)),
  };
}
