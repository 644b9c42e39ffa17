// The arithmetic of the widgets against tests/fixtures/geometry.json, which also holds the Python functions.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as geometry from "../../attention_geometry/widgets/js/geometry.js";
import { visible } from "../../attention_geometry/widgets/js/format.js";

const fixture = JSON.parse(readFileSync(new URL("../fixtures/geometry.json", import.meta.url), "utf8"));
const number = (t) => (t === "inf" ? Infinity : t);

function close(got, wanted, what) {
  if (wanted === null) return assert.equal(got, null, what);
  if (Array.isArray(wanted)) {
    assert.equal(got.length, wanted.length, what);
    return wanted.forEach((w, i) => close(got[i], w, `${what}[${i}]`));
  }
  const allowed = 1e-12 * Math.max(1, Math.abs(wanted));
  assert.ok(Math.abs(got - wanted) <= allowed, `${what}: got ${got}, expected ${wanted}`);
}

test("rows: weights, entropy, effective keys, log-sum-exp", () => {
  fixture.rows.forEach((row, i) => {
    const p = geometry.softmax(row.scores, { may: row.allowed, temperature: number(row.temperature) });
    close(p, row.weights, `row ${i} weights`);
    close(geometry.entropy(p), row.entropy, `row ${i} entropy`);
    close(geometry.effectiveKeys(p), row.effective_keys, `row ${i} effective keys`);
    close(geometry.logSumExp(row.scores, { may: row.allowed }), row.log_sum_exp, `row ${i} log-sum-exp`);
  });
});

test("steps: scores, weights, output", () => {
  fixture.steps.forEach((step, i) => {
    const options = { scaled: step.scaled, mask: step.mask, temperature: number(step.temperature) };
    const got = geometry.attention(step.Q, step.K, step.V, options);
    for (const name of ["scores", "weights", "output"]) close(got[name], step[name], `step ${i} ${name}`);
  });
});

test("a comparison that is off by 1e-9 fails", () => {
  assert.throws(() => close(0.5 + 1e-9, 0.5, "x"));
  assert.throws(() => close(null, 0.5, "x"));
  assert.throws(() => close(NaN, 0.5, "x"));
});

test("hull corners", () => {
  for (const { points, corners } of fixture.hulls) assert.deepEqual(geometry.convexHull(points), corners);
});

test("the mixture lies in the hull of the values", () => {
  const { V, output } = fixture.steps[0];
  const hull = geometry.convexHull(V);
  const side = (a, b, p) => (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
  for (const y of output) hull.forEach((a, i) => assert.ok(side(a, hull[(i + 1) % hull.length], y) > 0));
});

test("range and tick step of a plane", () => {
  for (const { largest, reach, step } of fixture.ranges) {
    close(geometry.niceRange([[largest, 0], [0, -largest / 2]]), reach, `range of ${largest}`);
    close(geometry.tickStep(geometry.niceRange([[largest, 0]])), step, `step of ${largest}`);
  }
});

test("a row with no allowed key is null, and nothing is NaN", () => {
  const { weights, output } = geometry.attention([[1, 0]], [[1, 0]], [[1, 1]], { mask: [[false]] });
  assert.deepEqual([weights, output], [[null], [null]]);
  assert.equal(JSON.stringify({ weights, output }), '{"weights":[null],"output":[null]}');
});

test("tokens are shown as Python shows them", () => {
  for (const { token, limit, shown } of fixture.tokens) assert.equal(visible(token, limit ?? Infinity), shown);
});
