// The arithmetic of the widgets, and nothing else: a mirror of attention_geometry.attention.
// Both are held to tests/fixtures/geometry.json. Undefined is null (NumPy: NaN, or a row of zeros), never NaN.

export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/**
 * Scores q·k, times 1/√d_k when scaled; row = query, column = key. The products are rounded to 12 decimals, so that
 * a tie made by hand (0.9 + 0.36 and 1.2 + 0.06) is a tie and not a matter of the last bit.
 */
export function scores(Q, K, { scaled = true } = {}) {
  const scale = scaled ? Q[0].length ** -0.5 : 1;
  return Q.map((q) => K.map((k) => scale * (Math.round(dot(q, k) * 1e12) / 1e12)));
}

/** Where the query may attend: null is everywhere, "causal" is no later key, else rows of booleans. */
export function allowed(mask, queries, keys) {
  return Array.from({ length: queries }, (_, i) =>
    Array.from({ length: keys }, (_, j) => (mask === "causal" ? j <= i : mask ? mask[i][j] : true)));
}

/** (s − largest)/T over the allowed keys, −∞ elsewhere, with both limits of T; null if no key is allowed. */
export function logits(s, may, temperature = 1) {
  const largest = Math.max(...s.filter((_, j) => may[j]));
  if (!may.some(Boolean)) return null;
  return s.map((x, j) => {
    if (!may[j]) return -Infinity;
    if (temperature === Infinity) return 0;
    if (temperature === 0) return x === largest ? 0 : -Infinity; // ties are kept
    return ((x / 2 - largest / 2) / temperature) * 2;
  });
}

/** Weights of one row, or null if it has no allowed key. */
export function softmax(s, { may = s.map(() => true), temperature = 1 } = {}) {
  const e = logits(s, may, temperature)?.map(Math.exp);
  if (!e) return null;
  const total = sum(e);
  return e.map((x) => x / total);
}

/** log Σ exp s_j over the allowed keys; null if there is none. */
export function logSumExp(s, { may = s.map(() => true) } = {}) {
  const z = logits(s, may);
  return z && Math.max(...s.filter((_, j) => may[j])) + Math.log(sum(z.map(Math.exp)));
}

/** −Σ p log p in nats, with 0 log 0 = 0. */
export const entropy = (p) => p && Math.abs(sum(p.map((x) => (x > 0 ? -x * Math.log(x) : 0))));

/** exp of the entropy: the size of a uniform row that is as undecided as this one. */
export const effectiveKeys = (p) => p && Math.exp(entropy(p));

/** Σ_j p_j v_j. */
export const mixture = (p, V) => p && V && V[0].map((_, c) => sum(p.map((w, j) => w * V[j][c])));

/** Everything one attention step makes of Q, K and V; S, if given, are other scores, null where a pair has none. */
export function attention(Q, K, V, { scaled = true, mask = null, temperature = 1, S = scores(Q, K, { scaled }) } = {}) {
  const may = allowed(mask, Q.length, K.length).map((row, i) => row.map((ok, j) => ok && S[i][j] !== null));
  const weights = S.map((s, i) => softmax(s, { may: may[i], temperature }));
  return { scores: S, allowed: may, weights, output: weights.map((p) => mixture(p, V)) };
}

/** Corners of the convex hull in order (Andrew's monotone chain). */
export function convexHull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .filter((p, i, all) => !i || p[0] !== all[i - 1][0] || p[1] !== all[i - 1][1]);
  if (sorted.length < 3) return sorted;
  const chain = (ordered) => {
    const corners = [];
    for (const p of ordered) {
      while (corners.length > 1 && cross(corners.at(-2), corners.at(-1), p) <= 0) corners.pop();
      corners.push(p);
    }
    return corners.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/** A little more than the largest coordinate, rounded up to two significant digits; 1 for zero vectors. */
export function niceRange(vectors, margin = 1.15) {
  const largest = margin * Math.max(...vectors.flat().map(Math.abs));
  if (!(largest > 0)) return 1;
  const unit = 10 ** (Math.floor(Math.log10(largest)) - 1);
  return Math.ceil(largest / unit - 1e-9) * unit;
}

/** The smallest of 1, 2, 5 × 10ᵏ that puts at most three ticks on a half axis. */
export function tickStep(reach) {
  const unit = 10 ** Math.floor(Math.log10(reach / 3));
  return [1, 2, 5, 10].map((f) => f * unit).find((step) => step >= reach / 3 - 1e-12);
}

export const degrees = (dx, dy) => (Math.atan2(dy, dx) * 180) / Math.PI;

/** The point at a distance from the first point on the way to the second. */
export function toward([x, y], [u, v], distance) {
  const length = Math.hypot(u - x, v - y) || 1;
  return [x + ((u - x) / length) * distance, y + ((v - y) / length) * distance];
}

/** The direction of token i of n that stand on a circle, the first at the top. */
export function direction(i, n) {
  const angle = (2 * Math.PI * i) / n - Math.PI / 2;
  return [Math.cos(angle), Math.sin(angle)];
}

/** How a name is anchored that stands off in a direction with this cosine. */
export const anchorOf = (c) => (Math.abs(c) < 0.35 ? "middle" : c > 0 ? "start" : "end");

/** The two directions in which a loop leaves a point and comes back, on both sides of [c, s]. */
export const sides = ([c, s]) => [-0.8, 0.8].map((t) => [Math.cos(t) * c - Math.sin(t) * s, Math.sin(t) * c + Math.cos(t) * s]);

const sum = (x) => x.reduce((a, b) => a + b, 0);
const cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
