// The arithmetic of MetricCourt against tests/fixtures/axioms.json, which the Python functions write.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as axioms from "../../attention_geometry/widgets/js/axioms.js";

const fixture = JSON.parse(readFileSync(new URL("../fixtures/axioms.json", import.meta.url), "utf8"),
  (_, value) => (value === "inf" ? Infinity : value));

function close(got, wanted, what) {
  if (wanted === null || typeof wanted === "boolean" || wanted === Infinity) return assert.equal(got, wanted, what);
  if (Array.isArray(wanted)) {
    assert.equal(got?.length, wanted.length, what);
    return wanted.forEach((w, i) => close(got[i], w, `${what}[${i}]`));
  }
  if (typeof wanted === "object") return Object.keys(wanted).forEach((key) => close(got[key], wanted[key], `${what}.${key}`));
  const allowed = 1e-12 * Math.max(1, Math.abs(wanted));
  assert.ok(Math.abs(got - wanted) <= allowed, `${what}: got ${got}, expected ${wanted}`);
}

test("verdicts, witnesses, margins, tolerance and kind", () => {
  fixture.matrices.forEach(({ D, verdicts, tolerance, kind }, m) => {
    const got = axioms.checkAxioms(D);
    assert.equal(axioms.toleranceOf(D), tolerance, `matrix ${m} tolerance`);
    axioms.AXIOMS.forEach((axiom, a) => {
      const { witness, ...numbers } = verdicts[a];
      assert.deepEqual(got[axiom].witness, witness, `matrix ${m} witness of ${axiom}`);
      close(got[axiom], numbers, `matrix ${m} ${axiom}`);
    });
    assert.equal(axioms.kindOf(got), kind, `matrix ${m} kind`);
  });
});

test("repairs, alone and in turn, and what each destroyed", () => {
  fixture.matrices.forEach(({ D, repairs }, m) => repairs.forEach(({ names, D: after, steps }) => {
    const got = axioms.repaired(D, names);
    close(got.D, after, `matrix ${m} after ${names}`);
    close(got.steps, steps, `matrix ${m} ${names}`);
  }));
});

test("the spread that passes the triangle test for free", () => {
  fixture.matrices.forEach(({ D, spread }, m) => close(axioms.spread(D), spread, `matrix ${m} spread`));
});

test("scores, weights, candidates and thresholds of points", () => {
  const names = Object.keys(axioms.CANDIDATES);
  fixture.points.forEach(({ X, form, scores, weights, candidates }, p) => {
    const given = axioms.evidence({ source: "points", X, form });
    close(given.S, scores, `points ${p} scores`);
    close(given.A, weights, `points ${p} weights`);
    assert.deepEqual(names, Object.keys(candidates));
    for (const [name, { D, threshold }] of Object.entries(candidates)) {
      const got = axioms.dissimilarity(name, given);
      close(got.D, D, `points ${p} ${name}`);
      assert.equal(got.why === null, D !== null, `points ${p} ${name} has a reason if and only if it is not defined`);
      if (D) close(axioms.threshold(name, D), threshold, `points ${p} ${name} threshold`);
    }
  });
});

test("scores by hand have no vectors, a matrix by hand has no head", () => {
  const M = [[0, 1], [1, 0]];
  const scores = axioms.evidence({ source: "scores", M }), hand = axioms.evidence({ source: "dissimilarities", M });
  assert.deepEqual(axioms.dissimilarity("arccos", scores).why, ["vectors"]);
  assert.deepEqual(axioms.dissimilarity("√D", scores).why, ["negative", 0, 1, -2]);
  assert.deepEqual(axioms.dissimilarity("S", scores).D, M);
  assert.deepEqual(axioms.dissimilarity("S", hand).why, ["hand"]);
});

test("what a wish misses", () => {
  const verdicts = axioms.checkAxioms([[0, 2, 5], [2, 0, 1], [5, 1, 0]]);
  assert.deepEqual(axioms.missing({ triangle: false, symmetry: true }, verdicts), []);
  assert.deepEqual(axioms.missing({ triangle: true, symmetry: false }, verdicts), ["symmetry", "triangle"]);
});

test("a comparison that is off by 1e-9, or of another kind, fails", () => {
  for (const [got, wanted] of [[1 + 1e-9, 1], [null, 1], [NaN, 1], [1, Infinity], [[1], [1, 2]], [0, false]]) {
    assert.throws(() => close(got, wanted, "x"));
  }
});

test("a state from outside is checked piece by piece", async () => {
  const { cleanState } = await import("../../attention_geometry/widgets/js/metric_court.js");
  const court = { tokens: 2, points: true };
  const good = {
    X: [[1, 2], [0, 1]], M: [[0, 1], [1, 0]], source: "scores", form: [[1, 0], [0, 1]], candidate: "−log A", repairs: ["shift"], shown: "symmetry",
  };
  assert.deepEqual(cleanState({ ...good, tokens: ["<b>"], challenges: [], extra: 1 }, court), good);
  const bad = {
    X: [[[1, 2]], null, "X", [[1, "2"], [0, 1]]], M: [[[0, 1]], [[0, 1], [1, null]], [[0, 1], [1, 1e9]], null], source: ["weights", null, 1],
    form: [[[1]], null], candidate: ["distance", "toString", null], repairs: ["shift", ["shift", "shift"], ["mend"], [null]], shown: ["all", null],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) assert.equal(cleanState({ [name]: value }, court), null, `${name} = ${JSON.stringify(value)}`);
  }
  const hand = { tokens: 2, points: false };
  assert.deepEqual(cleanState({ X: null, source: "scores" }, hand), { source: "scores" });
  assert.equal(cleanState({ source: "points" }, hand), null);
  assert.equal(cleanState({ X: [[1, 2], [0, 1]] }, hand), null);
});

test("lines of NumPy name nothing but numpy", async () => {
  const { courtLines } = await import("../../attention_geometry/widgets/js/court_numpy.js");
  const state = { X: null, M: [[0, Infinity], [1, 0]], source: "dissimilarities", form: [[1, 0], [0, 1]], candidate: "D", repairs: [] };
  const lines = courtLines(state, state.M, ["</script>"]);
  assert.deepEqual(lines.match(/^import .*$/gm), ["import numpy as np"]);
  assert.match(lines, /\[0\.0, inf\],/);
  assert.match(courtLines(state, null, null), /\[nan, nan\],/);
});
