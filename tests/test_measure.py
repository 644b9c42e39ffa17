"""Measurements: every number equals its own function on its own head, has its conditions, and no order changes it."""

import _thread
import concurrent.futures
import dataclasses
import inspect
import multiprocessing
import os
import pickle
import signal
import threading

import numpy as np
import pytest

from attention_geometry import (
    _measure_nulls,
    _measure_run,
    _measure_view,
    anisotropy,
    attention,
    axioms,
    bilinear,
    curvature,
    data,
    graph,
    heads,
    measure,
    nulls,
    relation,
    spectrum,
)
from attention_geometry.measure import MEASURES, NULLS, Measure, MeasureError
from attention_geometry.models.record import AttentionRecord

L, H, D, D_K, D_V = 2, 4, 9, 3, 2
READ = [0, 0, 1, 1]


def toy(seed=0, *, n=6, causal=False, tokens=None, model="toy", matrices=0, **changed):
    """A record of all fields; the matrices depend on the seed ``matrices`` alone, as those of one model do."""
    rng, fixed = np.random.default_rng(seed), np.random.default_rng([7, matrices])
    sizes = {"Q": (H, D_K), "K": (2, D_K), "V": (2, D_V)}
    W = {f"W_{k}": fixed.standard_normal((L, heads, D, width)) for k, (heads, width) in sizes.items()}
    W["W_O"] = fixed.standard_normal((L, H, D_V, D))
    hidden = rng.standard_normal((L + 1, n, D))
    X = hidden[:-1, None]
    Q, K, V = (X @ W[f"W_{k}"] for k in "QKV")
    scores = Q @ K[:, READ].swapaxes(-1, -2) / np.sqrt(D_K)
    mask = attention.causal_mask(n) if causal else None
    fields = {
        "scores": scores, "weights": attention.softmax(scores, mask=mask), "mask": mask, "hidden": hidden,
        "values": V, "key_head": READ, "tokens": tokens or list("abacbd")[:n] + ["z"] * max(0, n - 6), "model": model,
        "positions": "none", "folded": False,
    }  # fmt: skip
    return AttentionRecord(**W | fields | changed)


def numbers(found):
    """Every stored byte of a measurement, by name."""
    return {key: x.tobytes() for part in (found.values, found.draws) for key, x in part.items()}


# What each measure is, on one head alone, by the functions of the other modules or by a loop.


def loop_self(h):
    return np.mean([h.weights[i, i] for i in range(len(h.weights))])


def loop_others_preferred(h):
    n, seen = len(h.weights), []
    for i in range(n):
        seen += [h.weights[i, j] > h.weights[i, i] for j in range(n) if j != i and h.mask[i, j]]
    return np.mean(seen)


def loop_curvature(h):
    K = curvature.row_curvature(h.weights, "positions")
    return np.mean([K[i, j] for i in range(len(K)) for j in range(len(K)) if i != j])


def lengths(h):
    return np.array([[np.linalg.norm(a * (v @ h.W_O)) for a, v in zip(row, h.V)] for row in h.weights])


def loop_first(h):
    return np.mean([row[0] / row.sum() for row in lengths(h)])


def loop_correlation(h):
    return np.corrcoef(h.weights[h.mask], lengths(h)[h.mask])[0, 1]


def surprisal(h):
    return -attention.log_softmax(h.scores)


def sigma(h):
    return np.linalg.svd(h.W_Q @ h.W_K.T, compute_uv=False)


def signs(h):
    values = np.linalg.eigvalsh(bilinear.symmetric_part(h.W_Q @ h.W_K.T))
    return (values > 1e-9).sum(), (values < -1e-9).sum()


ORACLES = {
    "symmetric_share": lambda h: np.linalg.norm(bilinear.symmetric_part(h.W_Q @ h.W_K.T)) ** 2 / (sigma(h) ** 2).sum(),
    "symmetry_score": lambda h: np.trace((B := h.W_Q @ h.W_K.T) @ B) / (B**2).sum(),
    "trace_ratio": lambda h: bilinear.trace_ratio(h.W_Q, h.W_K),
    "positive_eigenvalues": lambda h: signs(h)[0],
    "negative_eigenvalues": lambda h: signs(h)[1],
    "form_stable_rank": lambda h: (sigma(h) ** 2).sum() / sigma(h)[0] ** 2,
    "form_effective_rank": lambda h: np.exp(attention.entropy(sigma(h)[:D_K] / sigma(h)[:D_K].sum())),
    "popularity": lambda h: relation.energy_shares(h.scores).popularity,
    "reciprocal": lambda h: relation.energy_shares(h.scores).reciprocal,
    "circulating": lambda h: relation.energy_shares(h.scores).circulating,
    "cycle_curl": lambda h: relation.cycle_curl(h.scores).root_mean_square,
    "triangle_violations": lambda h: axioms.triangle_report(surprisal(h)).fraction,
    "cyclic_triples": lambda h: axioms.ordinal_test(h.scores).cyclic_share,
    "others_preferred": loop_others_preferred,
    "entropy": lambda h: attention.entropy(h.weights).mean(),
    "effective_keys": lambda h: np.exp(attention.entropy(h.weights)).mean(),
    "self_weight": loop_self,
    "sink_score": lambda h: heads.sink_score(h.weights, mask=h.mask).value,
    "previous_token_score": lambda h: np.diagonal(h.weights, -1).mean(),
    "next_token_score": lambda h: heads.next_token_score(h.weights, mask=h.mask).value,
    "duplicate_token_score": lambda h: heads.duplicate_token_score(h.weights, h.tokens, mask=h.mask).value,
    "induction_score": lambda h: None,
    "spectral_gap": lambda h: graph.spectral_report(h.weights).slem_gap if h.mask.all() else None,
    "dobrushin": lambda h: graph.dobrushin(h.weights),
    "mean_pairwise_tv": lambda h: graph.mean_pairwise_tv(h.weights, skip=int(not h.mask.all())),
    "row_curvature": loop_curvature,
    "weights_effective_rank": lambda h: spectrum.effective_rank(h.weights),
    "contribution_norm": lambda h: lengths(h).sum(-1).mean(),
    "first_token_contribution": loop_first,
    "contribution_correlation": loop_correlation,
}
LAYER_ORACLES = {
    "mean_cosine": lambda x: anisotropy.mean_cosine(x).mean,
    "isoscore": anisotropy.isoscore,
}


@pytest.mark.parametrize("causal", [False, True])
def test_every_number_is_its_own_function_on_its_own_head(causal):
    record = toy(causal=causal)
    found = measure.measure(record, nulls=(), rng=0)
    assert set(found) == set(ORACLES) | set(LAYER_ORACLES) == set(MEASURES)
    for name, oracle in ORACLES.items():
        expected = [[oracle(record.head(l, h)) for h in range(H)] for l in range(L)]
        np.testing.assert_allclose(found.mean(name), np.array(expected, dtype=float), rtol=1e-9, err_msg=name)
    for name, oracle in LAYER_ORACLES.items():
        expected = [[oracle(record.hidden[l])] for l in range(L)]
        np.testing.assert_allclose(found.mean(name), expected, rtol=1e-12, err_msg=name)


def test_induction_is_read_on_a_block_that_is_repeated_once():
    record = toy(n=6, tokens=list("abcabc"))
    found = measure.measure(record, "induction_score", nulls=(), rng=0)
    assert found.mean("induction_score")[1, 2] == heads.induction_score(record.weights[1, 2], 3).value
    record = toy(n=7, tokens=list("^abcabc"))
    found = measure.measure(record, "induction_score", nulls="uniform", rng=0)
    expected = heads.induction_score(record.weights[1, 2], 3, start=1)
    assert found.mean("induction_score")[1, 2] == expected.value
    assert np.isclose(found.draws["induction_score", "uniform"][0, 1, 2], expected.baseline)


def test_the_uniform_null_is_the_baseline_of_the_score():
    record = toy(causal=True)
    names = ["previous_token_score", "duplicate_token_score", "sink_score"]
    found = measure.measure(record, names, nulls="uniform", rng=0)
    baselines = [
        heads.previous_token_score(record.weights[0, 0], mask=record.mask[0, 0]).baseline,
        heads.duplicate_token_score(record.weights[0, 0], record.tokens, mask=record.mask[0, 0]).baseline,
        heads.sink_score(record.weights[0, 0], mask=record.mask[0, 0]).baseline,
    ]
    for name, baseline in zip(names, baselines):
        assert np.allclose(found.draws[name, "uniform"], baseline)
        assert np.isnan(found.against(name, "uniform")["percentile"]).all()  # one draw has no spread


# The tables.


def test_every_entry_says_what_it_must():
    for m in MEASURES.values():
        assert m.question.endswith("?") and m.conditions and m.object and m.sum_rule and m.unit
        assert set(m.nulls) <= set(NULLS) and m.per in ("head", "layer") and len(m.label) <= 24
        assert repr(pickle.loads(pickle.dumps(m))) == repr(m)
        assert m.name in repr(MEASURES) and m.question.replace("'", "&#x27;") in MEASURES._repr_html_()
    for null in NULLS.values():
        assert null.destroys and null.keeps
        assert any(null.name in m.nulls for m in MEASURES.values())
    with pytest.raises(KeyError, match="there are: symmetric_share"):
        MEASURES["nonsense"]


def twice_entropy(view):
    return 2 * attention.entropy(view.weights).mean(-1)


def last_weight(view):
    return view.weights[..., -1, 0]


def entry(name, function, nulls=(), domain=(), space="attention"):
    return Measure(
        name=name, label=name, question="?", space=space, unit="nats", object="A", sum_rule="mean", conditions="none",
        domain=domain, nulls=nulls, function=function,
    )  # fmt: skip


def test_a_new_measure_is_one_entry():
    record = toy()
    found = measure.measure(record, [entry("twice", twice_entropy, ("rows", "noise")), "entropy"], rng=0)
    assert np.allclose(found.mean("twice"), 2 * found.mean("entropy"))
    for null in ("rows", "noise"):  # both keep the mean entropy: nothing is left to find
        assert np.abs(found.against("twice", null)["effect"]).max() < 1e-9
    assert "twice" in repr(found) and found["twice"].measures["twice"]["unit"] == "nats"


# Where a measure is not defined it says so.


def undefined(found, name):
    assert np.isnan(found.values[name]).all() and not [key for key in found.draws if key[0] == name]
    number = found.at(name, layer=0, head=None if found.measures[name]["per"] == "layer" else 0)
    assert number.value is None and number.reasons["value"] == found.reasons[name]
    return found.reasons[name]


def test_what_a_causal_mask_takes_away():
    found = measure.measure(toy(causal=True), rng=0, draws=2)
    assert "causal" in undefined(found, "spectral_gap")
    assert undefined(found, "next_token_score") == "no row may attend to the token after it"
    assert "counterfactual" in repr(found) and np.isfinite(found.values["circulating"]).all()


def test_what_an_unknown_part_takes_away():
    bare = toy(causal=True, scores=None, W_Q=None, W_K=None, W_O=None, hidden=None)
    found = measure.measure(bare, rng=0, draws=2)
    assert {name for name in found if np.isnan(found.values[name]).all()} == {
        *(m for m in MEASURES if MEASURES[m].space not in ("attention", "scores")),
        "popularity", "reciprocal", "circulating", "cycle_curl", "triangle_violations", "cyclic_triples",
        "spectral_gap", "next_token_score", "induction_score",
    }  # fmt: skip
    assert "before the mask" in undefined(found, "circulating")
    assert "no W_Q" in undefined(found, "symmetry_score")
    assert "residual stream" in undefined(found, "isoscore")
    assert "W_O" in undefined(found, "contribution_norm")


def test_unmasked_weights_serve_as_scores():
    record, names = toy(), ["popularity", "cycle_curl", "triangle_violations", "cyclic_triples"]
    known, unknown = (measure.measure(r, names, nulls=(), rng=0) for r in (record, toy(scores=None)))
    for name in names:
        np.testing.assert_allclose(known.values[name], unknown.values[name], rtol=1e-9)


def test_B4_a_head_without_any_key_is_flagged_and_the_others_are_measured():
    mask = np.ones((L, H, 6, 6), dtype=bool)
    mask[1, 2] = False
    weights = np.where(mask, toy().weights, 0.0)
    record = toy(mask=mask, weights=weights)
    found, whole = (measure.measure(r, rng=0, draws=2) for r in (record, toy()))
    for name in found:
        if MEASURES[name].space == "attention" and name != "induction_score":
            assert np.argwhere(np.isnan(found.mean(name))).tolist() == [[1, 2]], name
            assert found.reasons[name].endswith("(1 of 8)"), found.reasons[name]
            others = ~np.isnan(found.mean(name))
            np.testing.assert_allclose(found.mean(name)[others], whole.mean(name)[others], rtol=1e-12)


def test_one_token_is_measured_where_it_can_be():
    found = measure.measure(toy(n=1), rng=0, draws=2)
    assert (found.values["self_weight"] == 1).all() and (found.values["entropy"] == 0).all()
    assert "fewer than 2 tokens" in undefined(found, "spectral_gap")
    assert "fewer than 3 tokens" in undefined(found, "cyclic_triples")
    assert undefined(found, "mean_pairwise_tv") == "fewer than two rows to compare"


def test_half_precision_weights_are_measured():
    found = [measure.measure(toy(weights=toy().weights.astype(t), precision=t), nulls=(), rng=0) for t in ("f8", "f2")]
    for name in found[0]:
        if MEASURES[name].space == "attention" and name != "induction_score":
            np.testing.assert_allclose(found[0].values[name], found[1].values[name], atol=2e-2)


# The nulls.


def view(record=None, layer=0):
    record = record or toy()
    form = _measure_view.form_of(record, layer)
    return dataclasses.replace(_measure_view.view_of(record, layer), W_Q=form.W_Q, W_K=form.W_K)


def drawn(null, head, draws, seed=0):
    return NULLS[null].function(head, draws, np.random.default_rng(seed))


@pytest.mark.parametrize("d", [D, 2 * D_K, D_K + 1])
def test_the_haar_null_keeps_the_spectrum_and_has_the_law_of_a_rotation(d):
    from scipy.stats import ks_2samp

    W_Q, W_K = np.random.default_rng(5).standard_normal((2, 1, 1, d, D_K))
    new = drawn("haar", _measure_view.View(W_Q=W_Q, W_K=W_K), 3000)
    np.testing.assert_allclose(
        bilinear.singular_values(new["W_Q"], new["W_K"])[:, :D_K],
        bilinear.singular_values(W_Q[0], W_K[0]).repeat(3000, 0),
    )
    many = (np.broadcast_to(W[0, 0], (3000, d, D_K)) for W in (W_Q, W_K))
    turned = nulls.haar_rotated(*many, rng=1)
    for statistic in (bilinear.symmetry_score, bilinear.trace_ratio):
        ours, theirs = statistic(new["W_Q"], new["W_K"]), statistic(*turned)
        assert ks_2samp(ours, theirs).pvalue > 0.01
    score = bilinear.symmetry_score(new["W_Q"], new["W_K"])
    assert abs(score.mean() - 1 / d) < 4 * score.std() / np.sqrt(3000)


@pytest.mark.parametrize("d", [D, D_K - 1])
def test_the_gaussian_null_has_the_spectrum_of_two_gaussian_factors(d):
    from scipy.stats import ks_2samp

    W_Q, W_K = np.ones((2, 1, 1, d, D_K))
    new = drawn("gaussian", _measure_view.View(W_Q=W_Q, W_K=W_K), 3000)
    both = (new["W_Q"], new["W_K"]), nulls.gaussian_factors(d, D_K, 1, batch=(3000,))
    stable, effective = ([spectrum.effective_rank_of(bilinear.singular_values(*pair), kind=k) for pair in both]
                         for k in ("stable", "erank1"))  # fmt: skip
    assert ks_2samp(*stable).pvalue > 0.01 and ks_2samp(*effective).pvalue > 0.01


@pytest.mark.parametrize("causal", [False, True])
def test_each_null_keeps_what_it_says(causal):
    head = view(toy(causal=causal)).take([1])
    A, mask = head.weights[0, 0], head.mask[0, 0]
    rows = drawn("rows", head, 5)["weights"]
    assert np.array_equal(np.sort(rows, -1), np.sort(np.broadcast_to(A, rows.shape), -1))
    assert np.array_equal(rows.diagonal(0, -2, -1), np.broadcast_to(A.diagonal(), (5, 6)))
    noise = drawn("noise", head, 5)
    assert np.allclose(attention.entropy(noise["weights"]).mean(-1), attention.entropy(A).mean())
    assert np.allclose(attention.softmax(noise["scores"], mask=mask), noise["weights"])
    offsets = drawn("offsets", head, 5)
    S = head.scores[0, 0] - head.scores[0, 0].mean(-1, keepdims=True)
    for k in range(-5, 6):
        assert np.allclose(np.sort(np.diagonal(offsets["scores"], k, -2, -1)), np.sort(np.diagonal(S, k)))
    assert (offsets["weights"][:, ~mask] == 0).all() and not np.allclose(offsets["weights"][0], A)
    uniform = drawn("uniform", head, 5)["weights"]
    assert np.allclose(uniform[0], mask / mask.sum(-1, keepdims=True))
    cloud = drawn("cloud", head, 5)["stream"]
    centred = head.stream[0, 0] - head.stream[0, 0].mean(0)
    assert np.allclose(spectrum.singular_values(cloud), spectrum.singular_values(centred)) and np.allclose(
        cloud.mean(1), 0
    )
    assert drawn("isotropic", head, 5)["stream"].shape == (5, 6, D)


def test_the_offsets_of_a_causal_head_are_those_of_its_weights():
    known, unknown = (view(toy(causal=True, **kw)).take([1]) for kw in ({}, {"scores": None}))
    assert np.allclose(drawn("offsets", known, 5)["weights"], drawn("offsets", unknown, 5)["weights"])


def test_effect_and_percentile_by_hand():
    found = measure.measure(toy(), "sink_score", nulls="rows", rng=3, draws=9)
    value, null = found.mean("sink_score"), found.draws["sink_score", "rows"]
    against = found.against("sink_score", "rows")
    assert np.allclose(against["effect"], value - np.median(null, axis=0))
    below = (null < value).mean(0) + (null == value).mean(0) / 2
    assert np.allclose(against["percentile"], 100 * below)
    middle = np.median(value) - np.median([np.median(draw) for draw in null])
    assert np.isclose(against["median_effect"], middle)
    assert np.isclose(against["median_percentile"], np.median(100 * below))


def test_a_null_that_needs_the_model_is_handed_over():
    records = [toy(s) for s in (0, 1)]
    twins = [[toy(s, matrices=k + 1, model="twin") for s in (0, 1)] for k in range(3)]
    names = ["entropy", "symmetry_score", "isoscore"]
    found = measure.measure(records, names, nulls={"untrained": twins}, rng=0)
    for k, twin in enumerate(twins):
        alone = measure.measure(twin, names, nulls=(), rng=0)
        for name in names:
            assert np.array_equal(found.draws[name, "untrained"][k], alone.mean(name))
    pool = found.draws["entropy", "untrained"]
    expected = nulls.percentile_against(found.mean("entropy")[1, 2], pool[:, 1].ravel())
    against = found.against("entropy", "untrained")  # heads have no identity across trainings
    assert against["draws"] == 3 * H and np.isclose(against["percentile"][1, 2], expected.percentile)
    middle = np.median(pool.swapaxes(0, 1).reshape(L, -1), axis=1)  # of the heads of the same layer
    assert np.allclose(against["effect"], found.mean("entropy") - middle[:, None]) and abs(np.diff(middle)) > 1e-3
    assert "haar" in found.nulls and "untrained (3 draws)" in repr(found)


def test_how_draws_are_handed_over():
    one, two = [toy(0)], [toy(0), toy(1)]

    def count(records, draws):
        found = measure.measure(records, "entropy", nulls={"shuffled": draws, "rows": False}, rng=0)
        return len(found.draws["entropy", "shuffled"])

    assert count(toy(0), toy(1)) == count(one, [toy(1)]) == 1
    assert count(one, [toy(1), toy(2)]) == count(one, [[toy(1)], [toy(2)]]) == 2
    assert count(two, [toy(1), toy(2)]) == 1 and count(two, [[toy(1), toy(2)]] * 2) == 2
    for bad, message in (
        ([], "is empty"),
        ([toy(1)] * 3, "holds 3 records; expected one for each of the 2 texts"),
        ([[toy(1)]], "holds 1 records"),
    ):
        with pytest.raises(ValueError, match=message):
            count(two, bad)
    with pytest.raises(ValueError, match="'rows' is drawn here and takes no records; these do: shuffled, untrained"):
        measure.measure(one, "entropy", nulls={"rows": [toy(1)]}, rng=0)
    with pytest.raises(ValueError, match="needs the model"):
        measure.measure(one, "entropy", nulls=["untrained"], rng=0)


def test_p_values_are_corrected_when_asked_for():
    found = measure.measure([toy(s) for s in range(3)], "sink_score", nulls="rows", rng=0, draws=19)
    value, null = found.mean("sink_score").ravel(), found.draws["sink_score", "rows"].reshape(19, -1)
    plain = nulls.percentile_against(value, null).p_two_sided
    for method in ("by", "bh", "bonferroni"):
        ours = found.corrected_p("sink_score", "rows", method=method)
        assert np.array_equal(ours.ravel(), nulls.adjusted_p(plain, method=method))
    z = np.abs(value - null.mean(0)) / null.std(0), np.abs(null - null.mean(0)) / null.std(0)
    assert np.allclose(found.corrected_p("sink_score", "rows", method="max_t").ravel(), nulls.max_t(*z))
    with pytest.raises(KeyError, match="only against: rows"):
        found.against("sink_score", "haar")


# The interval.


def test_the_interval_is_a_bootstrap_over_texts():
    records = [toy(s) for s in range(7)]
    found = measure.measure(records, ["entropy", "symmetry_score"], nulls=(), rng=4)
    x = found.values["entropy"]
    seed = np.random.SeedSequence(4, spawn_key=(_measure_run.zlib.crc32(b"bootstrap"),))
    expected = nulls.bootstrap_texts(x, rng=np.random.default_rng(seed))
    ends = found.interval("entropy")
    assert np.allclose(ends["low"], expected.low) and np.allclose(ends["high"], expected.high)
    median = nulls.bootstrap_texts(x, lambda v: np.median(v.mean(0)), rng=np.random.default_rng(seed))
    assert np.allclose((ends["median_low"], ends["median_high"]), (median.low, median.high))
    assert found.interval("symmetry_score")["reason"] == "the form does not depend on the text"
    assert found.at("symmetry_score", layer=0, head=0).low is None


def test_one_text_has_no_interval():
    found = measure.measure(toy(), "entropy", nulls=(), rng=0)
    assert found.interval("entropy")["reason"] == "one text shows no spread over texts"
    assert np.isnan(found.interval("entropy")["low"]).all() and "one text shows no spread" in repr(found)


def test_texts_without_a_number_are_left_out():
    records = [toy(0), toy(1, tokens=list("abcdef")), toy(2)]
    found = measure.measure(records, "duplicate_token_score", nulls="rows", rng=0, draws=3)
    x = found.values["duplicate_token_score"]
    assert np.isnan(x[1]).all() and np.array_equal(found.mean("duplicate_token_score"), (x[0] + x[2]) / 2)
    assert "(8 of 24)" in found.reasons["duplicate_token_score"]
    assert (found.to_dataframe()["texts"] == 2).all()
    assert "undefined for a draw of texts" in found.interval("duplicate_token_score")["reason"]


# Executors, seeds, errors, interrupts.


@pytest.fixture(scope="module")
def workers():
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        yield executor


def test_F28_the_numbers_do_not_depend_on_who_computes_them(workers):
    records = [toy(s, causal=True) for s in range(3)]
    options = dict(
        rng=11, draws=3, resamples=50, nulls={"untrained": [[toy(s, causal=True, matrices=1) for s in range(3)]]}
    )
    alone = measure.measure(records, **options)
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        for executor in (threads, workers):
            found = measure.measure(records, executor=executor, **options)
            assert numbers(found) == numbers(alone) and list(found.draws) == list(alone.draws)
            assert repr(found) == repr(alone) and found.reasons == alone.reasons


def test_a_draw_does_not_depend_on_what_else_is_measured(monkeypatch):
    records = [toy(s) for s in range(2)]
    whole = measure.measure(records, rng=5, draws=4, resamples=9)
    part = measure.measure(records, ["sink_score", "dobrushin"], nulls=["rows"], rng=5, draws=4, resamples=9)
    first = measure.measure(records[0], "sink_score", nulls="rows", rng=5, draws=4, resamples=9)
    monkeypatch.setattr(_measure_run, "BLOCK", 1)  # one head at a time
    narrow = measure.measure(records, ["sink_score", "dobrushin"], nulls=["rows"], rng=5, draws=4, resamples=9)
    for name in part:
        assert part.draws[name, "rows"].tobytes() == whole.draws[name, "rows"].tobytes()
        assert narrow.draws[name, "rows"].tobytes() == part.draws[name, "rows"].tobytes()
    twice = measure.measure([records[0]] * 2, "sink_score", nulls="rows", rng=5, draws=4, resamples=9)
    assert not np.allclose(twice.draws["sink_score", "rows"], first.draws["sink_score", "rows"])  # another text
    other = measure.measure(records, "sink_score", nulls="rows", rng=6, draws=4, resamples=9)
    assert not np.allclose(other.draws["sink_score", "rows"], part.draws["sink_score", "rows"])
    alike = toy(scores=None, weights=np.broadcast_to(toy().weights[0, 0], (L, H, 6, 6)))
    draws = measure.measure(alike, "sink_score", nulls="rows", rng=5, draws=4).draws["sink_score", "rows"]
    assert len({tuple(x) for x in draws.reshape(4, -1).T.round(12)}) == L * H  # every head has its own


def test_a_generator_leaves_a_seed_that_repeats_it():
    found = measure.measure(toy(), "sink_score", nulls="rows", rng=np.random.default_rng(1))
    again = measure.measure(toy(), "sink_score", nulls="rows", rng=found.conditions["seed"])
    assert numbers(found) == numbers(again)


def fails_on_one_head(view):
    if np.isclose(view.weights[:, 0, 0, 0], BAD).any():
        raise ZeroDivisionError("as it was told to")
    return view.weights[..., 0, 0]


BAD = float(toy(1).weights[1, 2, 0, 0])


@pytest.mark.parametrize("kind", ["none", "threads", "processes"])
def test_F28_an_error_names_text_layer_and_head(kind, workers):
    message = "text 1, layer 1, head 2, measure 'bad': ZeroDivisionError: as it was told to"
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        executor = {"none": None, "threads": threads, "processes": workers}[kind]
        with pytest.raises(MeasureError, match=message):
            measure.measure([toy(0), toy(1)], entry("bad", fails_on_one_head), rng=0, executor=executor)


def broken_null(head, draws, rng):
    raise ValueError("no draw")


def test_F28_an_error_of_a_null_names_its_head(monkeypatch):
    monkeypatch.setitem(NULLS, "rows", _measure_nulls.Null("rows", "x", "y", broken_null))
    with pytest.raises(MeasureError, match="text 0, layer 0, head 0, null 'rows': ValueError: no draw"):
        measure.measure(toy(), "sink_score", nulls="rows", rng=0)


def test_F28_a_measure_that_cannot_be_sent_is_named(workers):
    with pytest.raises(MeasureError, match=r"text 0, layer [01]: .*[Pp]ickl"):
        measure.measure(toy(), entry("local", lambda v: v.weights[..., 0, 0]), rng=0, executor=workers)


class Remembering(concurrent.futures.ThreadPoolExecutor):
    """An executor that remembers what was asked of it."""

    def submit(self, *arguments):
        self.asked = [*getattr(self, "asked", []), super().submit(*arguments)]
        return self.asked[-1]


@pytest.fixture
def interrupts():
    """A job in the background is started with interrupts ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("threads", [0, 2])
def test_F26_an_interrupt_ends_it_and_leaves_nothing_waiting(threads, interrupts):
    calls, going = [], threading.Event()

    def interrupting(view):
        calls.append(1)
        if len(calls) == 3:
            _thread.interrupt_main()
        if len(calls) >= 3 and threads:
            going.wait(20)  # tasks that are still running when the caller is interrupted
        return view.weights[..., 0, 0]

    records = [toy(s) for s in range(40)]
    executor = Remembering(threads) if threads else None
    with pytest.raises(KeyboardInterrupt):
        measure.measure(records, entry("slow", interrupting), rng=0, executor=executor)
    if executor is not None:
        left = [future for future in executor.asked if not (future.done() or future.running())]
        assert len(left) <= 1  # at most the one that was being handed over at that moment
        going.set()
        executor.shutdown(wait=True)
    assert len(calls) < 40  # of 80 tasks


def test_F26_a_running_task_stops_at_its_next_step():
    task = next(iter(_measure_run.tasks(((MEASURES["entropy"],), [toy()], (), None), 1, 0)))
    _measure_run._stopped.add(task.run)
    with pytest.raises(_measure_run._Stopped):
        _measure_run.run(task)


def test_progress_goes_to_the_error_stream(capsys, monkeypatch):
    pytest.importorskip("tqdm")
    measure.measure(toy(), ["entropy", "symmetry_score"], nulls=(), rng=0, progress=True)
    out, err = capsys.readouterr()
    assert out == "" and "4/4" in err
    monkeypatch.setitem(__import__("sys").modules, "tqdm", None)
    with pytest.raises(ImportError, match=r"attention-geometry\[progress\]"):
        measure.measure(toy(), "entropy", nulls=(), rng=0, progress=True)


# What is printed and handed on.


@pytest.fixture(scope="module")
def several():
    return measure.measure([toy(s, n=6 + s) for s in range(3)], rng=2, draws=5, resamples=100)


def test_the_table_fits_and_says_its_conditions(several):
    text = repr(several)
    assert max(map(len, text.splitlines())) <= 84
    for word in ("toy: 2 × 4 heads", "3 texts of 6 to 8 tokens", "effect", "pct", "null rows (5 draws)", "seed 2",
                 "precision float64", "mask none", "positions none", "95% bootstrap interval"):  # fmt: skip
        assert word in text, word
    for name in several:
        assert MEASURES[name].label in text
    row = next(line for line in text.splitlines() if line.startswith("entropy"))
    assert f"{np.median(several.mean('entropy')):.3g}" in row


def test_the_notes_give_units_and_name_only_reasons_that_concern_a_number(several):
    text = " ".join(repr(several).split())
    assert "units: count (positive eigenvalues" in text and "nats (cycle curl, r.m.s., entropy)" in text
    assert "(– : the form does not depend on the text)" in text and "first at" not in text
    assert "(– : a null of one draw)" in text
    bare = " ".join(repr(measure.measure(toy(W_Q=None, W_K=None), nulls=(), rng=0)).split())
    assert bare.count("the record carries no W_Q and W_K") == 1 and "count (" not in bare
    assert several.interval("induction_score")["reason"] == "no text has a number"
    assert "units" not in repr(several["sink_score"])


def test_B7_the_html_is_escaped():
    found = measure.measure(toy(model="<script>x</script>", positions='"><b>'), "entropy", nulls=(), rng=0)
    page = found._repr_html_()
    assert "<script" not in page and "<b>" not in page and "&lt;script&gt;" in page
    texts = dict(name="<b>n", label="<b>l", unit="<b>u", question="'><b>q", object="<b>o", conditions="<b>c")
    mine = dataclasses.replace(MEASURES["entropy"], **texts)
    found = measure.measure(toy(), mine, nulls=(), rng=0)
    pages = (
        found._repr_html_(),
        found.at("<b>n", layer=0, head=0)._repr_html_(),
        type(MEASURES)([mine], ("unit", "conditions")),
    )
    for page in (*pages[:2], pages[2]._repr_html_()):
        assert "<b>" not in page and "&lt;b&gt;" in page
    assert "title='&#x27;&gt;" in pages[0]


def test_one_number_carries_everything():
    found = measure.measure([toy(s) for s in range(3)], ["sink_score", "isoscore"], nulls="rows", rng=0)
    number = found.at("sink_score", layer=1, head=3)
    assert number.value == found.mean("sink_score")[1, 3] and number.low < number.value < number.high
    assert {"object", "model", "layer", "head", "sum_rule", "mask", "positions", "precision", "tokens", "texts",
            "seed", "folded", "note"} <= set(number.conditions)  # fmt: skip
    assert number.nulls["rows"]["percentile"] == found.against("sink_score", "rows")["percentile"][1, 3]
    assert "against rows" in repr(number) and "sum_rule" in number._repr_html_()
    assert found.at("isoscore", layer=1).conditions["head"] is None
    for wrong in (dict(layer=0), dict(layer=0, head=0)):
        with pytest.raises(ValueError, match="is a measure of a"):
            found.at("sink_score" if "head" not in wrong else "isoscore", **wrong)


def test_a_part_is_selected(several):
    part = several.select(["sink_score", "isoscore"], layer=1, head=[3, 0])
    assert list(part) == ["sink_score", "isoscore"] and part.heads == (3, 0)
    assert np.array_equal(part.mean("sink_score"), several.mean("sink_score")[1:, [3, 0]])
    assert np.array_equal(part.mean("isoscore"), several.mean("isoscore")[1:])
    assert np.array_equal(part.draws["sink_score", "rows"], several.draws["sink_score", "rows"][:, 1:, [3, 0]])
    number = part.at("sink_score", layer=1, head=3)
    assert number.value == several.at("sink_score", layer=1, head=3).value and "1 × 2 heads" in repr(part)
    assert set(several.select(space="weights")) == {m for m in MEASURES if MEASURES[m].space == "weights"}
    assert list(several["entropy"]) == ["entropy"]
    with pytest.raises(KeyError, match="was not measured; there are: symmetric_share"):
        several["nonsense"]
    with pytest.raises(IndexError, match="layer 7 was not measured; there are 0 … 1"):
        several.select(layer=7)


def test_the_data_frame_has_a_row_for_every_number(several, monkeypatch):
    pandas = pytest.importorskip("pandas")
    frame = several.to_dataframe()
    assert len(frame) == sum(x[0].size for x in several.values.values())
    row = frame[(frame.measure == "sink_score") & (frame.layer == 1) & (frame["head"] == 2)].iloc[0]
    assert row["value"] == several.mean("sink_score")[1, 2] and row["tokens"] == "6, 7, 8" and row["seed"] == 2
    assert row["effect: rows"] == several.against("sink_score", "rows")["effect"][1, 2]
    assert np.isnan(row["effect: haar"]) and row["unit"] == "share" and row["texts"] == 3
    assert frame[frame.measure == "isoscore"]["head"].isna().all()
    assert (frame[frame.measure == "induction_score"].reason != "").all()
    assert isinstance(frame, pandas.DataFrame)
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match=r"attention-geometry\[pandas\]"):
        several.to_dataframe()


def test_the_dataset_has_the_axes_each_measure_has(several):
    pytest.importorskip("xarray")
    labelled = several.to_xarray()
    assert labelled["sink_score"].dims == ("text", "layer", "head")
    assert labelled["symmetry_score"].dims == ("layer", "head") and labelled["isoscore"].dims == ("text", "layer")
    assert labelled["sink_score against rows"].dims == ("draw_rows", "layer", "head")
    assert float(labelled["sink_score"].sel(text=1, layer=1, head=2)) == several.values["sink_score"][1, 1, 2]
    assert labelled["entropy"].attrs["unit"] == "nats" and labelled.attrs["seed"] == 2


# On disk.


def test_saved_and_loaded_without_loss(several, tmp_path):
    path = tmp_path / "mesures é.safetensors"
    several.save(path)
    again = measure.load(str(path))
    assert numbers(again) == numbers(several) and list(again.values) == list(several.values)
    assert list(again.draws) == list(several.draws)
    for field in dataclasses.fields(several):
        if field.name not in ("values", "draws", "_intervals"):
            assert getattr(again, field.name) == getattr(several, field.name), field.name
    assert repr(again) == repr(several) and again._repr_html_() == several._repr_html_()
    assert os.listdir(tmp_path) == [path.name]
    again.save(path)  # over itself
    assert numbers(measure.load(path)) == numbers(several)


def test_what_is_no_such_file_is_refused_in_one_line(several, tmp_path):
    whole = tmp_path / "whole"
    several.save(whole)
    raw = whole.read_bytes()
    files = {
        "empty": b"",
        "half": raw[: len(raw) // 2],
        "start": raw[:5],
        "text": b"once upon a time",
        "tail": raw[:-1],
    }
    from safetensors.numpy import save

    files["foreign"] = save({"x": np.zeros(2)})
    files["other json"] = save({"x": np.zeros(2)}, {"json": '{"format": "attention-geometry measurements 1"}'})
    files["a list"] = save({"x": np.zeros(2)}, {"json": "[]"})
    for name, content in files.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(ValueError, match="is no complete file of measurements") as error:
            measure.load(path)
        assert str(path) in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(FileNotFoundError, match="missing"):
        measure.load(tmp_path / "missing")
    with pytest.raises(OSError, match="nowhere"):
        several.save(tmp_path / "nowhere" / "file")


def test_a_failed_save_leaves_the_old_file(several, tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def full(*_):
        assert len(os.listdir(tmp_path)) == 2  # written beside it: a rename does not cross disks
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        several.save(path)
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["file"]


# Refusals.


@pytest.mark.parametrize("wrong", [None, 3.0, "text", {"weights": 1}, np.eye(3), [np.eye(3)], [toy(), None]])
def test_F20_what_is_no_record_is_named(wrong):
    with pytest.raises(TypeError, match=r"records(\[\d\])? is a \w+; expected an AttentionRecord"):
        measure.measure(wrong, rng=0)


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(records=[]), "at least one text"),
        (dict(rng=None), "rng is None; pass a seed"),
        (dict(records=[toy(), toy(1, model="other")]), "records 0 and 1 differ in model: 'toy' and 'other'"),
        (dict(records=[toy(), toy(1, matrices=1)]), "different matrices under one name"),
        (dict(measures="nonsense"), "'nonsense' is no measure; there are: symmetric_share"),
        (dict(measures=[]), "measures is empty"),
        (dict(measures=["entropy", "entropy"]), "named twice"),
        (dict(nulls="nonsense"), "'nonsense' is no null; there are: haar"),
        (dict(nulls={"nonsense": []}), "'nonsense' is no null"),
        (dict(draws=0), "draws is 0"),
        (dict(confidence=1), "confidence is 1"),
        (dict(resamples=0), "resamples is 0"),
    ],
)
def test_refusals_are_one_clear_line(options, message):
    with pytest.raises(ValueError, match=message) as error:
        measure.measure(**dict(records=toy(), measures="entropy", rng=0) | options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(executor="threads"), "executor is a str; expected a concurrent.futures.Executor"),
        (dict(rng=True), "rng is"),
        (dict(draws=2.5), "draws is 2.5; expected an integer"),
        (dict(nulls={"untrained": np.eye(3)}), "nulls\\['untrained'\\] holds a .*; expected records"),
        (dict(nulls={"untrained": [[np.eye(3)]]}), "nulls\\['untrained'\\] holds a ndarray; expected records"),
    ],
)
def test_what_is_of_a_wrong_kind_is_named(options, message):
    with pytest.raises(TypeError, match=message) as error:
        measure.measure(**dict(records=toy(), measures="entropy", rng=0) | options)
    assert "\n" not in str(error.value)


def test_a_head_that_is_not_there_is_named(several):
    for place, message in ((dict(layer=7, head=0), "layer 7 was not measured; there are 0 … 1"),
                           (dict(layer=0, head=4), "head 4 was not measured; there are 0 … 3")):  # fmt: skip
        with pytest.raises(IndexError, match=message):
            several.at("entropy", **place)
    with pytest.raises(FileNotFoundError, match="no such folder.*nowhere'"):
        several.save("nowhere/file")


def test_every_argument_is_documented():
    text = inspect.getdoc(measure.measure)
    assert all(name in text for name in inspect.signature(measure.measure).parameters)


# Real heads.


def test_the_stored_sentence_is_measured_like_its_forms():
    forms = data.load("minilm_forms")
    minilm = pytest.importorskip("attention_geometry.models.minilm")
    record = minilm.record("the dog saw its owner drop the saw.")
    found = measure.measure(record, ["symmetric_share", "sink_score"], rng=0)
    assert np.allclose(found.mean("symmetric_share"), forms["symmetric_share"], atol=1e-6)
    haar = found.against("symmetric_share", "haar")
    assert haar["median_effect"] > 0 and haar["median_percentile"] > 95  # trained forms are more symmetric than turned
    assert found.against("sink_score", "rows")["median_effect"] > 0
