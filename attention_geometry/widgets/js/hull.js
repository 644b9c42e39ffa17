// The arithmetic of MixtureHull: other rows with the same output, values that move while the output stays, the path of
// the output over the temperature, and where a point lies with respect to a hull. A mirror of widgets/_hull.py; both
// are held to tests/fixtures/hull.json. Undefined is null.

import { convexHull, dot, mixture, softmax } from "./geometry.js";

const FLAT = 1e-12; // a column of values whose part across the others is below this times their number is flat
const ZERO = 1e-13, TINY = 1e-9; // weights that count as 0; changes of a weight, for each unit of the chosen one, that do
const STEPS = 120; // temperatures between the two limits at which the path is drawn

/** Orthonormal columns that span [V, 1] over the allowed keys, and how many more keys than columns there are. */
export function outputSpan(V, may) {
  const keys = V.map((_, j) => j).filter((j) => may[j]);
  const ones = keys.map(() => keys.length ** -0.5);
  const columns = [0, 1].map((c) => {
    const x = keys.map((j) => V[j][c]), mean = sum(x) / keys.length, noise = 4 * keys.length * 2.3e-16 * largest(x);
    const centred = x.map((v) => v - mean), size = largest(centred);
    return size > noise ? centred.map((v) => v / size) : centred.map(() => 0);
  }).sort((a, b) => dot(b, b) - dot(a, a));
  const span = keys.length ? [ones] : [];
  for (const column of columns) {
    let rest = column;
    for (let twice = 0; twice < 2; twice++) for (const q of span) rest = subtract(rest, q, dot(q, rest));
    const length = Math.sqrt(dot(rest, rest));
    if (length > FLAT * keys.length) span.push(rest.map((x) => x / length));
  }
  return { keys, span, dimension: keys.length - span.length };
}

/**
 * How the other weights change for each unit that key j gains while the output stays: a row z with zV = 0, z1 = 0,
 * z_j = 1, the shortest of those; null if y fixes the weight of key j.
 */
export function equivalentDirection(V, may, j) {
  const { keys, span } = outputSpan(V, may);
  const at = keys.indexOf(j);
  if (at < 0) return null;
  const unit = keys.map((_, k) => Number(k === at));
  let rest = unit;
  for (let twice = 0; twice < 2; twice++) for (const q of span) rest = subtract(rest, q, dot(q, rest));
  if (rest[at] <= 1e-12) return null;
  const z = V.map(() => 0);
  keys.forEach((k, i) => { z[k] = rest[i] / rest[at]; });
  return z;
}

/**
 * Rows with the output of a, from the least to the most weight that key j comes to have, and the place of a among them.
 * From a on, the direction is equivalentDirection; where a weight reaches 0 the direction is taken anew without
 * those keys at 0 that it would make negative. Between two rows of the list every mixture of the two is a row with the same output.
 */
export function equivalentLine(V, may, a, j) {
  const [down, up] = [-1, 1].map((sign) => walk(V, may, a, j, sign));
  return { rows: [...down.reverse(), a, ...up], index: down.length };
}

/** The row at a share `along` ∈ [−1, 1] of the way: 0 is a, −1 and 1 are the ends, measured in the weight of key j. */
export function equivalentRow({ rows, index }, j, along) {
  const start = rows[index][j], end = rows.at(along > 0 ? -1 : 0)[j], wanted = start + Math.abs(along) * (end - start);
  if (along === 0 || start === end) return rows[index];
  const i = rows.findIndex((row, k) => k && wanted <= row[j]);
  if (i < 0) return rows.at(-1);
  const [low, high] = [rows[i - 1], rows[i]];
  const t = Math.min(Math.max((wanted - low[j]) / (high[j] - low[j]), 0), 1);
  return low.map((w, k) => (1 - t) * w + t * high[k]);
}

function walk(V, may, a, j, sign) {
  const corners = [];
  for (let row = a; corners.length < 4 * a.length;) {
    const z = openDirection(V, may, row, j, sign);
    if (!z) break;
    const t = z.map((d, k) => (sign * d < -TINY ? row[k] / (-sign * d) : Infinity)), least = Math.min(...t), first = t.indexOf(least);
    row = row.map((w, k) => (k !== first && w + sign * least * z[k] > ZERO ? w + sign * least * z[k] : 0));
    corners.push(row);
  }
  return corners;
}

/** equivalentDirection without those keys at 0 that it would make negative, the worst left out first. */
function openDirection(V, may, row, j, sign) {
  const support = [...may];
  for (;;) {
    const z = equivalentDirection(V, support, j);
    if (!z) return null;
    const worse = z.map((d, k) => (support[k] && row[k] <= ZERO ? sign * d : 0)), least = Math.min(...worse);
    if (least >= -TINY) return z;
    support[worse.findIndex((d) => d <= least + TINY)] = false;
  }
}

/** Half the sum of the differences: the weight that changed places from one row to the other. */
export const totalVariation = (a, b) => sum(a.map((w, j) => Math.abs(w - b[j]))) / 2;

/**
 * The values after value j went to a point and the others made room so that aV stays, each in proportion to its weight
 * (the smallest such move); null if no other value carries weight.
 */
export function compensatedValues(V, a, j, point) {
  const others = sum(a.map((w, k) => (k === j ? 0 : w * w)));
  if (a[j] > 0 && !(others > 0)) return null;
  const pull = a[j] > 0 ? a[j] / others : 0;
  return V.map((v, k) => (k === j ? [...point] : v.map((x, c) => x - pull * a[k] * (point[c] - V[j][c]))));
}

/** A row vector times a matrix. */
export const times = (y, W) => W[0].map((_, c) => sum(y.map((x, r) => x * W[r][c])));

/** Distance of a point from the edge of the hull of points: positive inside, 0 on the edge, negative outside. */
export function hullMargin(point, points) {
  const corners = convexHull(points);
  const sides = corners.map((a, i) => [a, corners[(i + 1) % corners.length]]);
  const away = Math.min(...sides.map(([a, b]) => segmentDistance(point, a, b)));
  if (corners.length < 3) return 0 - away;
  const inside = sides.every(([a, b]) => (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) >= 0);
  return inside ? away : 0 - away;
}

/** "inside", "edge" or "outside"; the edge is as wide as rounding makes it. */
export function hullVerdict(point, points) {
  const margin = hullMargin(point, points), noise = 1e-9 * largest([...points.flat(), ...point]);
  return margin > noise ? "inside" : margin >= -noise ? "edge" : "outside";
}

/** The outputs from T = 0 to T = ∞: both limits, and between them temperatures in equal ratios. */
export function temperaturePath(s, may, V) {
  const top = [...new Set(s.filter((_, j) => may[j]))].sort((a, b) => b - a);
  if (!top.length) return null;
  const at = (temperature) => ({ temperature, output: mixture(softmax(s, { may, temperature }), V) });
  if (top.length === 1) return [at(0), at(Infinity)];
  const low = (top[0] - top[1]) / 36, high = 60 * (top[0] - top.at(-1));
  const between = Array.from({ length: STEPS }, (_, i) => at(low * (high / low) ** (i / (STEPS - 1))));
  return [at(0), ...between, at(Infinity)];
}

/** dy/dT = −(1/T²) Σ_k a_k (s_k − s̄) v_k with s̄ = Σ a_k s_k: where the output goes when T grows a little; null at the limits. */
export function temperatureDrift(s, may, V, T) {
  if (!(T > 0 && T < Infinity)) return null;
  const a = softmax(s, { may, temperature: T });
  if (!a) return null;
  const mean = sum(a.map((w, k) => (may[k] ? w * s[k] : 0)));
  return mixture(a.map((w, k) => (may[k] ? -w * (s[k] - mean) / (T * T) : 0)), V);
}

function segmentDistance(p, a, b) {
  const side = [b[0] - a[0], b[1] - a[1]], from = [p[0] - a[0], p[1] - a[1]], square = dot(side, side);
  const t = square > 0 ? Math.max(0, Math.min(1, dot(from, side) / square)) : 0;
  return Math.hypot(from[0] - t * side[0], from[1] - t * side[1]);
}

const sum = (x) => x.reduce((a, b) => a + b, 0);
const largest = (x) => Math.max(...x.map(Math.abs));
const subtract = (x, q, c) => x.map((v, i) => v - c * q[i]);
