// The arithmetic of MixtureHull against tests/fixtures/hull.json, which the Python functions wrote.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { mixture, softmax } from "../../attention_geometry/widgets/js/geometry.js";
import * as hull from "../../attention_geometry/widgets/js/hull.js";

const fixture = JSON.parse(readFileSync(new URL("../fixtures/hull.json", import.meta.url), "utf8"));
const number = (t) => (t === "inf" ? Infinity : t);

function close(got, wanted, what) {
  if (wanted === null) return assert.equal(got, null, what);
  if (Array.isArray(wanted)) {
    assert.equal(got?.length, wanted.length, what);
    return wanted.forEach((w, i) => close(got[i], w, `${what}[${i}]`));
  }
  const allowed = 1e-12 * Math.max(1, Math.abs(wanted));
  assert.ok(Math.abs(got - wanted) <= allowed, `${what}: got ${got}, expected ${wanted}`);
}

const each = (run) => fixture.mixtures.forEach((c, i) => run({ ...c, T: number(c.temperature) }, `mixture ${i}`));

test("weights and the dimension of the rows with one output", () => {
  each(({ V, scores, allowed, T, weights, dimension }, name) => {
    close(softmax(scores, { may: allowed, temperature: T }), weights, `${name} weights`);
    assert.equal(hull.outputSpan(V, allowed).dimension, dimension, `${name} dimension`);
  });
});

test("directions, lines, and the rows on them", () => {
  each(({ V, allowed, weights, directions, lines }, name) => {
    directions.forEach((wanted, j) => close(hull.equivalentDirection(V, allowed, j), wanted, `${name} direction ${j}`));
    lines.forEach(({ length, index, rows }, j) => {
      const line = hull.equivalentLine(V, allowed, weights, j);
      assert.deepEqual([line.rows.length, line.index], [length, index], `${name} line ${j}`);
      close(fixture.along.map((t) => hull.equivalentRow(line, j, t)), rows, `${name} rows ${j}`);
    });
  });
});

test("every row on a line is a row of weights with the same output, and its ends have a weight of 0", () => {
  each(({ V, weights, lines }, name) => lines.forEach(({ length, rows }, j) => rows.forEach((a, i) => {
    const y = mixture(weights, V), scale = Math.max(1, ...V.flat().map(Math.abs));
    close(a.reduce((x, w) => x + w, 0), 1, `${name} sum ${j} ${i}`);
    close(mixture(a, V).map((x) => x / scale), y.map((x) => x / scale), `${name} output ${j} ${i}`);
    assert.ok(Math.min(...a) >= 0, `${name} ${j} ${i}`);
    if (length > 1 && Math.abs(fixture.along[i]) === 1) assert.equal(Math.min(...a), 0, `${name} end ${j} ${i}`);
  })));
});

test("values that move while the output stays", () => {
  each(({ V, weights, compensated }, name) => compensated.forEach((wanted, j) => {
    close(hull.compensatedValues(V, weights, j, [0.4, -0.25]), wanted, `${name} value ${j}`);
  }));
});

test("the path over the temperature and its direction", () => {
  each(({ V, scores, allowed, T, path, path_length, drift }, name) => {
    const got = hull.temperaturePath(scores, allowed, V);
    assert.equal(got.length, path_length, name);
    for (const [i, temperature, output] of path) {
      assert.equal(number(temperature) === Infinity, got[i].temperature === Infinity);
      if (temperature !== "inf") close(got[i].temperature, temperature, `${name} T ${i}`);
      close(got[i].output, output, `${name} output ${i}`);
    }
    close(hull.temperatureDrift(scores, allowed, V, T), drift, `${name} drift`);
  });
});

test("margins and verdicts of points", () => {
  fixture.points.forEach(({ point, points, margin, verdict }, i) => {
    close(hull.hullMargin(point, points), margin, `point ${i}`);
    assert.equal(hull.hullVerdict(point, points), verdict, `point ${i}`);
  });
});

test("a row with no allowed key has no path, no direction and no drift, and nothing is NaN", () => {
  const V = [[0, 0], [1, 0]], may = [false, false];
  assert.equal(hull.temperaturePath([1, 2], may, V), null);
  assert.equal(hull.equivalentDirection(V, may, 0), null);
  assert.equal(hull.temperatureDrift([1, 2], may, V, 1), null);
  assert.equal(hull.outputSpan(V, may).dimension, 0);
});

test("a vector times a matrix, and the weight that changed places", () => {
  assert.deepEqual(hull.times([1, 2], [[1, 10], [100, 1000]]), [201, 2010]);
  close(hull.totalVariation([1 / 3, 1 / 3, 1 / 3], [1 / 6, 2 / 3, 1 / 6]), 1 / 3, "T10.2");
});

test("a comparison that is off by 1e-9 fails", () => {
  assert.throws(() => close([0.5 + 1e-9], [0.5], "x"));
  assert.throws(() => close(null, 0.5, "x"));
});
