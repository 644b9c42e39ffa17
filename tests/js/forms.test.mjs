// Comparisons, patches, shares, bases and widths against tests/fixtures/forms.json, which Python's functions made.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as forms from "../../attention_geometry/widgets/js/forms.js";

const fixture = JSON.parse(readFileSync(new URL("../fixtures/forms.json", import.meta.url), "utf8"));

function close(got, wanted, what, slack = 1e-12) {
  if (wanted === null) return assert.equal(got, null, what);
  if (Array.isArray(wanted)) {
    assert.equal(got?.length, wanted.length, what);
    return wanted.forEach((w, i) => close(got[i], w, `${what}[${i}]`, slack));
  }
  assert.ok(Math.abs(got - wanted) <= slack * Math.max(1, Math.abs(wanted)), `${what}: got ${got}, expected ${wanted}`);
}

test("three comparisons and their weights", () => {
  fixture.compared.forEach(({ Q, K, lift, heights, ...wanted }, i) => {
    close(forms.heights(K), heights, `case ${i} heights`);
    for (const mode of forms.MODES) {
      const share = mode === "distance" ? lift : 0;
      close(forms.compare(Q, K, mode, share), wanted[mode].comparison, `case ${i} ${mode}`);
      close(forms.attend(Q, K, null, { mode, lift: share }).weights, wanted[mode].weights, `case ${i} ${mode} weights`);
    }
  });
});

test("L1.4: lifted to one length, distances give the weights of the dot product", () => {
  for (const { Q, K } of fixture.compared) {
    const [lifted, dot] = ["distance", "dot"].map((mode) => forms.attend(Q, K, null, { mode, lift: 1 }).weights);
    close(lifted, dot, "weights");
  }
  const { Q, K } = fixture.compared[0];
  const [plain, dot] = ["distance", "dot"].map((mode) => forms.attend(Q, K, null, { mode }).weights[0]);
  assert.ok(plain[0] > plain[1] && dot[0] < dot[1], "in the plane the nearest key loses");
});

test("patches", () => {
  fixture.cells.forEach(({ K, lift, reach, allowed, ...wanted }, i) => {
    for (const mode of forms.MODES) close(forms.cells(K, { mode, lift, reach, may: allowed }), wanted[mode], `case ${i} ${mode}`);
  });
});

test("whoever stands in a patch is won by its key, and the patches fill the square", () => {
  const { K, reach } = fixture.cells[2];
  for (const mode of forms.MODES) {
    const cells = forms.cells(K, { mode, reach });
    cells.forEach((corners, j) => {
      if (!corners) return;
      const middle = [0, 1].map((c) => corners.reduce((sum, p) => sum + p[c], 0) / corners.length);
      const row = forms.compare([middle], K, mode)[0];
      assert.equal(row.indexOf(Math.max(...row)), j, mode);
    });
    const whole = cells.reduce((sum, corners) => sum + (corners ? forms.area(corners) : 0), 0);
    close(whole, 4 * reach * reach, mode);
  }
  assert.equal(forms.cells(K, { reach })[2], null, "a short key inside the others wins nowhere by dot product");
  assert.ok(forms.cells(K, { mode: "distance", reach })[2], "but it is near to something");
});

test("equally long keys: the three maps are one", () => {
  const K = [0.3, 1.4, 2.9, 4.6].map((t) => [Math.cos(t), Math.sin(t)]);
  const [dot, cosine, distance] = forms.MODES.map((mode) => forms.cells(K, { mode, reach: 1.5 }));
  close(cosine, dot, "cosine", 1e-9);
  close(distance, dot, "distance", 1e-9);
});

test("energy shares and symmetric shares", () => {
  fixture.shares.forEach(({ S, shares }, i) => close(forms.energyShares(S), shares, `scores ${i}`));
  fixture.forms.forEach(({ W_Q, W_K, share }, i) => close(forms.symmetricShare(W_Q, W_K), share, `form ${i}`));
});

test("the slider sets the antisymmetric share, keeps the size, and finds its way back from the ends", () => {
  for (const { W_Q, W_K, share: first } of fixture.forms.slice(0, 2)) {
    const B = (M) => forms.times(M.W_Q, forms.transposed(M.W_K)), size = forms.norm(B({ W_Q, W_K }).flat());
    const known = {};
    let M = { W_Q, W_K };
    for (const share of [0, 0.25, 1, 0.5, 1 - first]) {
      M = forms.turnForm(M.W_Q, M.W_K, share, known);
      close(1 - forms.symmetricShare(M.W_Q, M.W_K), share, `share ${share}`);
      close(forms.norm(B(M).flat()), size, "size");
    }
    close(B(M), B({ W_Q, W_K }), "the form it began with");
  }
  const { W_Q, W_K } = forms.turnForm([[1, 1], [1, 1]], [[1, 0], [0, 1]], 0.5);
  close(forms.symmetricShare(W_Q, W_K), 0.5, "a W_Q without an inverse");
});

test("T1.2: another basis moves queries, keys and cosines, and no dot product", () => {
  const { Q, K } = fixture.compared[2];
  for (let seed = 1; seed < 40; seed++) {
    const M = forms.basis(seed), after = forms.inBasis(Q, K, M), moved = forms.distances({ Q, K }, after, {});
    close(forms.times(after.Q, forms.transposed(after.K)), forms.times(Q, forms.transposed(K)), "q·k");
    assert.ok(moved.weight.dot < 1e-12 && moved.coordinate > 0.05 && moved.cosine > 0.01, `seed ${seed}`);
    assert.ok(moved.weight.cosine > 1e-3 && moved.weight.distance > 1e-3, `seed ${seed}`);
    assert.deepEqual(forms.basis(seed), M, "the same seed, the same basis");
  }
});

test("widths", () => {
  const found = forms.widthExperiment();
  fixture.width.forEach((row, s) => {
    for (const name of ["d", "spread", "unscaled", "scaled"]) close(found[s][name], row[name], `${name} at ${row.d}`);
  });
});
