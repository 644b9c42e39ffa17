// Links, history, the model without a kernel, files, and what a state from outside may say.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

import { csv, fixed, four, pythonString, short } from "../../attention_geometry/widgets/js/format.js";
import { numpyLines } from "../../attention_geometry/widgets/js/numpy.js";
import { cleanState } from "../../attention_geometry/widgets/js/query_key_plane.js";
import { createHistory, decodeLink, encodeLink, miniModel } from "../../attention_geometry/widgets/js/state.js";
import { sliderToTemperature, temperatureToSlider } from "../../attention_geometry/widgets/js/fields.js";

test("a link carries a state there and back", () => {
  const state = { Q: [[1.25, -0.1]], K: [[1, 2]], V: null, temperature: "inf", mask: [[true]], selected: 0 };
  const link = encodeLink("QueryKeyPlane", 3, state);
  assert.match(link, /^ag=1:QueryKeyPlane\.3:[\w-]+$/);
  assert.deepEqual(decodeLink(`#${link}`), { name: "QueryKeyPlane", ordinal: 3, state });
});

test("other fragments are left alone", () => {
  for (const hash of ["", "#section-2", "#ag=2:QueryKeyPlane.0:e30", "#ag=1:QueryKeyPlane.0:%3Cb%3E", "#ag=1:QueryKeyPlane.0:bm8",
    "#ag=1:QueryKeyPlane.x:e30", "#ag=1:QueryKeyPlane.0:bnVsbA"]) assert.equal(decodeLink(hash), null, hash);
});

test("a state from outside is checked piece by piece", () => {
  const counts = { queries: 1, keys: 2, values: true };
  const good = { Q: [[1, 2]], K: [[0, 1], [1, 0]], V: [[0, 0], [1, 1]], temperature: 0, scaled: false, mask: [[true, false]], selected: 0 };
  assert.deepEqual(cleanState({ ...good, tokens: ["<b>"], extra: 1 }, counts), good);
  const bad = {
    Q: [[[1, 2], [3, 4]], [[1, null]], [["1", 2]], [[1, 2, 3]], [[1e9, 0]], "Q", null], temperature: [-1, "hot", null, NaN],
    scaled: [1, "yes"], mask: ["causal", [[1, 0]], [[true]], "none"], selected: [1, -1, 0.5, "0"], V: [null, [[1, 1]]],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values) assert.equal(cleanState({ [name]: value }, counts), null, `${name} = ${JSON.stringify(value)}`);
  }
  assert.deepEqual(cleanState({ mask: "causal" }, { queries: 2, keys: 2, values: false }), { mask: "causal" });
  assert.deepEqual(cleanState({ V: null }, { queries: 2, keys: 2, values: false }), {});
  assert.deepEqual(cleanState(JSON.parse('{"__proto__": {"selected": 5}}'), counts), {});
});

test("undo, redo, and steps that belong together", () => {
  let x = 0;
  const history = createHistory(() => JSON.stringify({ x }));
  const move = (to, key) => { x = to; return history.commit(key); };
  assert.ok(move(1));
  assert.ok(!move(1), "no change, no step");
  move(2, "keys");
  move(3, "keys");
  move(4, "other");
  assert.deepEqual([history.undo(), history.undo(), history.undo()], [{ x: 3 }, { x: 1 }, { x: 0 }]);
  assert.equal(history.undo(), null);
  assert.deepEqual([history.redo(), history.canRedo], [{ x: 1 }, true]);
  x = 1;
  move(7);
  assert.equal(history.canRedo, false, "a new step closes the way forward");
});

test("a change from elsewhere is not a step of its own", () => {
  let x = 0;
  const history = createHistory(() => JSON.stringify({ x }));
  x = 5;
  history.follow();
  assert.equal(history.canUndo, false);
  x = 6;
  history.commit();
  assert.deepEqual(history.undo(), { x: 5 });
});

test("the model without a kernel tells its listeners, until they leave", () => {
  const model = miniModel({ a: 1 });
  const heard = [];
  const listener = () => heard.push(model.get("a"));
  model.on("change:a", listener);
  model.set("a", 2);
  model.set("a", 2);
  model.off("change:a", listener);
  model.set("a", 3);
  model.save_changes();
  assert.deepEqual(heard, [2]);
});

test("the temperature slider has end stops at 0 and infinity and 1 in the middle", () => {
  assert.deepEqual([0, 100, 200].map(sliderToTemperature), [0, 1, Infinity]);
  for (let p = 0; p <= 200; p++) assert.equal(temperatureToSlider(sliderToTemperature(p)), p);
  assert.deepEqual([1e-9, 1e9].map(temperatureToSlider), [1, 199], "finite temperatures never reach an end stop");
});

test("numbers as text", () => {
  assert.deepEqual([fixed(-0.001), fixed(-1.005, 1), fixed(null), fixed(123456.7)], ["0.00", "−1.0", "–", "1.23e5"]);
  assert.deepEqual([four(21), four(0.5), four(0), short(1e-7)], ["21.00", "0.5000", "0", "1.00e−7"]);
});

test("CSV quotes, and does not hand a spreadsheet a formula", () => {
  assert.equal(csv([["a", 'b"c', "d,e", "=1+1", -1, null]]), 'a,"b""c","d,e",\'=1+1,-1,\r\n');
});

test("tokens as Python literals are ASCII on one line", () => {
  const tokens = ["it's", "a\\b", "\n\0", "é", "日", "👩", "\ud800", "</script>"];
  const wanted = ["'it\\'s'", "'a\\\\b'", "'\\n\\x00'", "'\\xe9'", "'\\u65e5'", "'\\U0001f469'", "'\\ud800'", "'</script>'"];
  assert.deepEqual(tokens.map(pythonString), wanted);
});

test("the lines of NumPy name nothing but numpy", () => {
  const lines = numpyLines({ Q: [[1, 0]], K: [[1, 0]], V: null, temperature: 1, scaled: true, mask: null });
  assert.ok(!lines.includes("output") && !lines.includes("tokens"));
  assert.deepEqual(lines.match(/^import .*$/gm), ["import numpy as np"]);
});

test("every word is a text or makes one", async () => {
  const folder = new URL("../../attention_geometry/widgets/js/strings/", import.meta.url);
  const check = (value, path) => {
    if (value === null) return; // a place in a list where nothing is said
    if (typeof value === "object") for (const [name, inner] of Object.entries(value)) check(inner, `${path}.${name}`);
    else assert.ok(["string", "function"].includes(typeof value) && value !== "", path);
  };
  const files = readdirSync(folder);
  assert.ok(files.length >= 6);
  for (const file of files) check({ ...(await import(new URL(file, folder))) }, file);
});
