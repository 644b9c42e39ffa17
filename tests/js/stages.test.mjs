// The stages of the pipeline and its picture against tests/fixtures/stages.json, which also holds the Python functions.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { cellText, pipelinePicture, settingsLine } from "../../attention_geometry/widgets/js/pipeline_picture.js";
import { arithmetic, entry, GIVEN, MADE, stages, winners } from "../../attention_geometry/widgets/js/stages.js";
import { cleanState } from "../../attention_geometry/widgets/js/attention_pipeline.js";
import { written } from "../../attention_geometry/widgets/js/pipe_arithmetic.js";

const fixture = JSON.parse(readFileSync(new URL("../fixtures/stages.json", import.meta.url), "utf8"));
const run = ({ state }) => stages({ ...state, temperature: state.temperature === "inf" ? Infinity : state.temperature });
const places = (now) => [...GIVEN, ...MADE].flatMap((name) =>
  now[name].flatMap((row, i) => (row ?? now.X).map((_, j) => [name, i, j])).filter(([, i, j]) => j < (now[name][i]?.length ?? 1)));

function close(got, wanted, what) {
  if (wanted === null) return assert.equal(got, null, what);
  if (Array.isArray(wanted)) {
    assert.equal(got.length, wanted.length, what);
    return wanted.forEach((w, i) => close(got[i], w, `${what}[${i}]`));
  }
  assert.ok(Math.abs(got - wanted) <= 1e-12 * Math.max(1, Math.abs(wanted)), `${what}: got ${got}, expected ${wanted}`);
}

test("every stage is Python's", () => {
  fixture.forEach((one, c) => {
    const now = run(one);
    for (const name of MADE) close(now[name], one[name], `case ${c} ${name}`);
    close(now.S, one.form, `case ${c}: x B xᵀ`);
  });
});

test("a comparison that is off by 1e-9 fails", () => {
  assert.throws(() => close([0.5 + 1e-9], [0.5], "x"));
  assert.throws(() => close(null, 0.5, "x"));
});

test("the terms of a number add up to it, and come from the numbers that are outlined", () => {
  for (const one of fixture) {
    const now = run(one);
    for (const place of places(now)) {
      const made = arithmetic(now, place), value = entry(now, place);
      assert.equal(made.value, value);
      if (made.kind === "product" || made.kind === "mix" || made.kind === "score") {
        close(made.terms.reduce((sum, [a, b]) => sum + a * b, 0) / made.divisor, value, String(place));
        const used = made.sources.map((source) => entry(now, source));
        assert.deepEqual(used, made.terms.flat());
      }
      if (made.kind === "share") {
        close(made.exps[place[2]] / made.total, value, String(place));
        close(made.exps.reduce((sum, e) => sum + (e ?? 0), 0), made.total, "total");
        assert.ok(made.sources.every(([name, i]) => name === "S" && i === place[1]));
      }
      if (value === null) assert.equal(made.kind, "masked");
      assert.doesNotMatch(written(made, now, place), /NaN|Infinity|undefined|null/);
    }
  }
});

test("what follows when one number changes", () => {
  const { state } = fixture[0], before = run({ state });
  const changed = (name) => {
    const now = run({ state: { ...state, [name]: state[name].map((row, i) => (i ? row : [row[0] + 0.3, ...row.slice(1)])) } });
    return MADE.filter((other) => JSON.stringify(now[other]) !== JSON.stringify(before[other])).join("");
  };
  assert.equal(changed("W_V"), "VY", "values change no weight");
  assert.equal(changed("W_Q"), "QSAY");
  assert.equal(changed("W_K"), "KSAY");
  assert.equal(changed("X"), "QKVSAY");
});

test("the largest weights of a row, ties kept, none where the row is masked", () => {
  assert.deepEqual(winners(run(fixture[0]), 1), [0]);
  assert.deepEqual(winners(run(fixture[2]), 0), []);
  assert.deepEqual(winners(run(fixture[4]), 2), [0, 1, 2]);
});

test("the picture for paper is the still picture", () => {
  fixture.forEach((one, c) => {
    if (!one.picture) return;
    const now = run(one);
    assert.deepEqual(pipelinePicture(now, one.tokens, settingsLine(now)), one.picture, `case ${c}`);
  });
});

test("numbers fit their cells", () => {
  const shown = [[0.125, "0.13"], [-0.5, "−0.50"], [-0.001, "0.00"], [123.4, "123"], [-1234.5, "−1e3"], [99.96, "100"], [null, "–"]];
  for (const [x, text] of shown) assert.equal(cellText(x), text);
  assert.deepEqual([cellText(1, true), cellText(0.25, true), cellText(-0.5, true)], ["1.0", "0.25", "−0.5"]);
});

test("a state from a link is checked whole", () => {
  const { state } = fixture[0];
  const sizes = { X: [3, 2], W_Q: [2, 2], W_K: [2, 2], W_V: [2, 2], Q: [3, 2], K: [3, 2], V: [3, 2], S: [3, 3], A: [3, 3], Y: [3, 2] };
  assert.deepEqual(cleanState(state, sizes), state);
  assert.deepEqual(cleanState({ opened: ["A", 1, 0], predict: true, other: 1 }, sizes), { opened: ["A", 1, 0] });
  const bad = [{ X: [[1, 2]] }, { X: state.X.map(() => [1, NaN]) }, { W_Q: [[1, 2], [3, 1e9]] }, { temperature: -1 }, { temperature: "1" }, { scaled: 1 },
    { mask: "banded" }, { mask: [[true]] }, { selected: 3 }, { reading: "up" }, { opened: ["B", 0, 0] }, { opened: ["A", 0, 3] }, { opened: ["toString", 0, 0] }];
  for (const raw of bad) assert.equal(cleanState({ ...state, ...raw }, sizes), null, JSON.stringify(raw));
});
