"""Measured facts: what is stored follows from what is stored beside it, and is measured again on the models."""

import dataclasses
import datetime
import hashlib
import importlib.util
import json
import pathlib
import re

import networkx as nx
import numpy as np
import pytest

import attention_geometry
from attention_geometry import (
    _facts_axioms,
    _facts_causal,
    _facts_graph,
    _facts_heads,
    _facts_relation,
    _facts_report,
    axioms,
    bilinear,
    data,
    facts,
    graph,
)
from attention_geometry.attention import causal_mask, log_softmax, softmax
from attention_geometry.models import minilm, smollm2

FILE = pathlib.Path(data.__file__).parent / "facts.json"
STORED = {name: facts.stored(name) for name in facts.names()}
needs_minilm = pytest.mark.skipif(importlib.util.find_spec(minilm.PACKAGE) is None, reason="no wheel of MiniLM")
needs_smollm2 = pytest.mark.skipif(importlib.util.find_spec(smollm2.PACKAGE) is None, reason="no wheel of SmolLM2")
#: Facts whose MiniLM part is measured again on one text only, or on two, because all would take too long.
DEAREST = {"contributions", "curvature"}
DEAR = DEAREST | {"anisotropy", "ordinal", "popular_noise", "random_gap", "sharpness"}
#: The text on which SmolLM2's part is measured again.
SUBSET = (3,)
#: Facts on MiniLM alone, and on SmolLM2 alone.
ENCODER_ONLY = {"curvature", "rank_collapse", "random_gap", "score_spread", "nearest_key", "sharpness"}
DECODER_ONLY = {"causal_metric", "causal_gap"}
#: Facts without one number a text in the order of `data.texts`.
NO_TEXTS = {"asymmetry", "duplicate_heads", "named_heads", "sinks", "surviving_measures"}
#: Facts that read no text of `data.texts`, or none as it stands.
WITHOUT = {"asymmetry", "duplicate_heads", "named_heads", "sinks"}


@pytest.fixture(scope="module")
def encoder():
    return facts.Records(models=["MiniLM"])


@pytest.fixture(scope="module")
def pair():
    return facts.Records(data.texts()[:2], models=["MiniLM"])


@pytest.fixture(scope="module")
def decoder():
    return facts.Records([data.texts()[i] for i in SUBSET], models=["SmolLM2"])


def parts(array):
    """The power of ten that an array is stored in."""
    return _facts_report.in_units(array, _facts_report.ARRAY_PARTS)[1]


def step(column):
    """The power of ten that the numbers of the texts are stored in: what rounding may do to their mean."""
    return 10.0 ** _facts_report.in_units(column, _facts_report.COLUMN_PARTS)[1]


def close(a, b, digits=6):
    return np.allclose(a, b, rtol=10.0 ** (2 - digits), atol=1e-9, equal_nan=True)


# What is in the file.


def test_every_fact_is_stored_and_every_stored_fact_has_a_measure():
    assert facts.names() == tuple(facts.MEASURES)
    for name, fact in STORED.items():
        assert fact.name == name and fact.sentence and fact.conditions and fact.note
        assert fact.seed == facts.SEED and min(fact.n.values()) >= 1
        assert ("texts" in fact.n) == (name not in WITHOUT), name
        assert name not in WITHOUT or "texts" not in repr(fact.table(*fact.values)).replace("pairs of texts", "")
        assert not set(fact.values) & set(fact.nulls)
        assert fact.nulls or name == "causal_metric"  # it follows from the mask
        assert set(fact.interval) <= set(fact.values) | set(fact.nulls)


def test_the_file_is_small_and_carries_its_source_and_checksum():
    content = json.loads(FILE.read_text(encoding="utf-8"))
    assert FILE.stat().st_size <= 90_000
    about = facts.provenance()
    assert about["sha256"] == facts.checksum(content["facts"])
    assert about["weights_sha256"] == [minilm.SHA256["model.safetensors"], smollm2.SHA256[smollm2.FILE]]
    assert about["texts_sha256"] == hashlib.sha256("\n".join(data.texts()).encode()).hexdigest()
    assert about["licence"] == "Apache-2.0" and about["seed"] == facts.SEED
    assert datetime.date.fromisoformat(about["date"]) and re.fullmatch(r"\d+\.\d+\.\d+", about["version"])
    content["facts"]["triangles"]["values"]["MiniLM trained"][0] += 1e-5
    assert about["sha256"] != facts.checksum(content["facts"])  # the checksum can say no


@pytest.mark.parametrize("name", STORED)
def test_means_and_intervals_follow_from_the_numbers_of_the_texts(name):
    fact = STORED[name]
    for key, column in fact.per_text.items():
        assert np.isclose(fact[key], column.mean(), rtol=2e-5, atol=step(column)), key
        low, high = fact.interval[key]
        assert low - step(column) <= fact[key] <= high + step(column)
        found = _facts_report.bootstrap(column, fact.seed)
        assert np.allclose((low, high), (found.low, found.high), rtol=2e-5, atol=step(column)), key


@pytest.mark.parametrize("name", STORED)
def test_every_number_of_a_sentence_is_stored(name):
    """Each number printed is a stored one, rounded as it is printed; a few constants are no measurements."""
    fact = STORED[name]
    held = [*fact.values.values(), *fact.nulls.values(), *fact.n.values(), *np.ravel(list(fact.interval.values()))]
    text = re.sub(r"MiniLM|SmolLM2|k = \d|κ/√n|λ₂|(?<=[A-Za-z_])\d+", "", fact.sentence)
    printed = re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?%?", text)
    assert {number for number in printed if not is_held(number, held)} <= CONSTANTS.get(name, set())


#: Numbers that a sentence names without measuring them.
CONSTANTS = {
    "contributions": {"0.001"},
    "asymmetry": {"2", "1", "97.5"},
    "anisotropy": {"0.02", "1"},
    "sharpness": {"2"},
}


def is_held(printed, held):
    scale = 100 if printed.endswith("%") else 1
    digits = printed.rstrip("%")
    value = float(digits)
    if "e" in digits:
        return any(f"{x:.0e}" == f"{value:.0e}" for x in held)
    places = len(digits.partition(".")[2])
    step = 0.5 * 10.0**-places * (1 + 1e-9)
    return any(abs(scale * x - value) <= step or f"{x:.2g}" == digits for x in held)


def test_is_held_can_say_no():
    assert is_held("12.3%", [0.1234]) and is_held("0.127", [0.1272]) and is_held("8.6", [8.649])
    assert not is_held("12.4%", [0.1234]) and not is_held("0.128", [0.1272])


def test_a_fact_prints_itself_and_hands_out_its_numbers():
    fact = STORED["triangles"]
    assert fact.sentence[:60] in repr(fact) and "null: MiniLM noise" in repr(fact)
    assert max(map(len, repr(fact).splitlines())) <= 100 and all(
        condition in flat(fact) for condition in fact.conditions
    )
    assert "<table" in fact._repr_html_()
    assert fact["MiniLM trained"] == fact.values["MiniLM trained"]
    with pytest.raises(KeyError, match="MiniLM trained"):
        fact["MiniLM"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        fact.sentence = "another"
    with pytest.raises(ValueError, match="asymmetry, triangles"):
        facts.stored("triangle")
    with pytest.raises(ValueError, match="MiniLM"):
        facts.Records(models=["GPT"])
    with pytest.raises(ValueError, match="at least one text"):
        facts.Records([])


def flat(fact):
    """What a fact prints, on one line."""
    return " ".join(repr(fact).split())


def test_B7_what_a_fact_says_is_escaped():
    fact = dataclasses.replace(STORED["sinks"], sentence="<b>x</b>", values={"<i>": 1.0}, interval={})
    for page in (fact._repr_html_(), fact.table("<i>")._repr_html_()):
        assert "<b>" not in page and "<i>" not in page and "&lt;i&gt;" in page


# What must hold whatever the models do.


def test_the_nulls_obey_their_laws():
    n = np.array([_tokens(text) for text in data.texts()]) if importlib.util.find_spec(minilm.PACKAGE) else None
    if n is not None:
        chance = STORED["query_key_distances"].per_text["MiniLM chance, self not largest"]
        assert np.allclose(chance, 1 - 1 / n, atol=1e-4)
        noise = STORED["energy_shares"].per_text["MiniLM noise, circulating"]
        assert np.abs(noise - (n - 2) / (2 * n)).max() < 0.02
        gradient = STORED["energy_shares"].per_text["MiniLM noise, gradient of S"]
        assert np.abs(gradient - 2 / n).max() < 0.01  # the dimensions n − 1 of n(n − 1)/2
    assert STORED["ordinal"].nulls["chance"] == 0.25
    for model in facts.MODELS:
        assert abs(STORED["ordinal"].nulls[f"{model} rows shuffled"] - 0.25) < 0.002
        assert STORED["triangles"].nulls[f"{model} untrained"] == 0  # flat: L4.2
        null = STORED["asymmetry"].nulls[f"{model} rotated, per head"]
        assert abs(null - 1 / {"MiniLM": 384, "SmolLM2": 576}[model]) < 1e-3


def _tokens(text):
    return len(minilm._encode(text, minilm._model())[0])


def test_cyclic_triples_by_chance_are_a_quarter(rng):
    assert abs(_facts_axioms.cyclic_share(rng.standard_normal((40, 12, 12))).mean() - 0.25) < 0.01


@pytest.mark.parametrize("kind", ["trained", "untrained", "noise"])
def test_energy_shares_sum_to_one(kind):
    fact = STORED["energy_shares"]
    for model in facts.MODELS:
        parts = [fact.per_text[f"{model} {kind}, {part}"] for part in ("popularity", "reciprocal", "circulating")]
        assert np.allclose(sum(parts), 1, atol=3e-4)


def test_what_the_mask_forces_is_in_the_file():
    gap, metric = STORED["causal_gap"], STORED["causal_metric"]
    assert gap.values["SmolLM2 trained, law on the first token"] == 1
    assert gap.nulls["SmolLM2 untrained, law on the first token"] == 1
    assert metric.values["SmolLM2 broken triangles"] == 0
    assert metric.values["SmolLM2 largest error of a ratio"] < 1e-9
    assert metric.values["SmolLM2 self weight of the metric"] > metric.values["SmolLM2 self weight of the model"]
    for k in _facts_graph.TOP_K:
        assert STORED["curvature"].nulls[f"k = {k}, Forman trained less rewired"] < 1e-9


def test_medians_are_those_of_the_arrays():
    fact = STORED["asymmetry"]
    for key, rho in fact.arrays.items():
        assert abs(fact[key] - np.median(rho)) <= 10.0 ** parts(rho)
    for model in facts.MODELS:
        assert close(fact[f"{model} as trained, per head, f"], (1 + fact[f"{model} as trained, per head"]) / 2)
        triangles = STORED["triangles"]
        assert abs(triangles[f"{model} trained, median head"] - np.median(triangles.arrays[f"{model} trained"])) <= 1e-3
        assert STORED["duplicate_heads"].n[f"{model} duplicate-token heads"] == np.sum(
            STORED["duplicate_heads"].arrays[f"{model} duplicate score"] > _facts_heads.DUPLICATE
        )


def test_areas_follow_from_the_stored_heads():
    """Over heads: which are duplicate-token heads, and how ρ ranks them."""
    fact, rho = STORED["duplicate_heads"], STORED["asymmetry"].arrays
    for model in facts.MODELS:
        positive = fact.arrays[f"{model} duplicate score"].ravel() > _facts_heads.DUPLICATE
        values = rho[f"{model} as trained, per head"].ravel()
        ours = np.mean(values[positive][:, None] > values[~positive])
        assert abs(fact[f"{model} AUC of ρ, as trained"] - ours) < 0.005
        top = np.argsort(-values)[: positive.sum()]
        assert fact[f"{model} duplicate-token heads among as many most symmetric ones"] == positive[top].sum()


# The pieces, against a second formula.


def test_broken_share_is_that_of_the_triangle_report(rng):
    D = rng.exponential(size=(2, 3, 7, 7))
    D[0, 0] = np.rint(4 * D[0, 0])  # ties
    D[1, :, 2, 5] = np.inf
    assert np.array_equal(_facts_axioms.broken_share(D), axioms.triangle_report(D).fraction)
    mask = causal_mask(7)
    assert np.array_equal(
        _facts_axioms._broken(-D[0], mask), axioms.triangle_report(-log_softmax(-D[0], mask=mask)).fraction
    )


def test_cyclic_share_is_that_of_the_ordinal_test(rng):
    S = np.concatenate([rng.standard_normal((4, 8, 8)), rng.integers(3, size=(4, 8, 8))])
    assert np.allclose(_facts_axioms.cyclic_share(S), axioms.ordinal_test(S).cyclic_share, rtol=1e-12)


def test_T4_one_causal_map_is_reproduced_by_a_metric(rng):
    A = softmax(3 * rng.standard_normal((5, 6, 6)), mask=causal_mask(6))
    with np.errstate(divide="ignore"):
        D = _facts_causal.metric_of_causal(-np.log(A))
    for one in D:
        assert axioms.check_axioms(one).kind == "metric"
    built = softmax(-D, mask=causal_mask(6))
    assert np.allclose(built[:, 2:, 0] / built[:, 2:, 1], A[:, 2:, 0] / A[:, 2:, 1], rtol=1e-9)


def test_exact_self_weights_pass_only_for_a_metric():
    x = np.array([0.0, 1.0, 3.0])
    good = -np.abs(x[:, None] - x)
    bad = good.copy()
    bad[2, 0] = -9.0
    cost = -log_softmax(np.stack([good, bad]), mask=causal_mask(3))
    assert _facts_causal._passes_with_self(cost).tolist() == [True, False]


def test_a_gradient_is_all_gradient_and_a_cycle_is_none(rng):
    u, symmetric = rng.standard_normal(5), rng.standard_normal((5, 5))
    assert np.isclose(_facts_relation.gradient_share(u[:, None] + symmetric + symmetric.T), 1)
    assert np.isclose(_facts_relation.gradient_share(np.roll(np.eye(3), 1, axis=1)), 0)


def test_net_flow_of_a_cycle_and_of_a_reversible_chain():
    cycle = np.roll(np.eye(3), 1, axis=1)
    assert np.isclose(_facts_relation._net_flow(cycle), 1)
    w = np.array([[1, 2, 1], [2, 1, 3], [1, 3, 2]])
    assert np.isclose(_facts_relation._net_flow(w / w.sum(1, keepdims=True)), 0)


def test_rho_from_small_products_is_the_symmetry_score(rng):
    W = rng.standard_normal((2, 3, 12, 4))
    assert np.allclose(_facts_relation._rho(*W), bilinear.symmetry_score(*W), atol=1e-12)


def test_auc_by_hand():
    assert _facts_report.auc([3, 2], [1, 2]) == 0.875
    assert _facts_report.auc([[1, 1]], [[2, 2]]).tolist() == [0]


def test_top_k_graph_is_that_of_the_graph_module(rng):
    A = softmax(rng.standard_normal((9, 9)))
    G = nx.to_numpy_array(graph.attention_graph(A, top_k=3, symmetrise="or", loops=False), weight=None)
    assert np.array_equal(_facts_graph._top_k(A, 3), G)


# Measured again.


@needs_minilm
@pytest.mark.parametrize("name", [name for name in facts.MEASURES if name not in DEAR | DECODER_ONLY])
def test_minilm_is_measured_again(name, encoder):
    stored, found = STORED[name], facts.MEASURES[name](encoder)
    assert found.sentence in stored.sentence
    assert (found.conditions, found.note) == (stored.conditions, stored.note)
    for part in ("values", "nulls", "interval"):
        for key, value in getattr(found, part).items():
            assert close(getattr(stored, part)[key], value, digits=6), (part, key)
    for key, array in found.arrays.items():
        assert np.abs(stored.arrays[key] - array).max() <= 1.01 * 10.0 ** parts(array), key


@needs_minilm
def test_facts_are_written_one_by_one_and_a_second_run_changes_nothing(tmp_path, pair, capsys):
    for chosen, words in ((["nearest_key"], "written"), (["score_spread", "nearest_key"], "unchanged")):
        facts.main(tmp_path, chosen, pair)
        assert f"nearest_key: {words}" in capsys.readouterr().out
    content = json.loads((tmp_path / "facts.json").read_text(encoding="utf-8"))
    assert list(content["facts"]) == ["score_spread", "nearest_key"]  # in the order of MEASURES
    about = content["provenance"]
    assert about["sha256"] == facts.checksum(content["facts"]) and about["version"] == attention_geometry.__version__
    assert facts.names() == tuple(STORED)  # the file of the package is not touched


@needs_minilm
@pytest.mark.parametrize("name", sorted(DEAR))
def test_dear_facts_are_measured_again_on_one_text_or_two(name, pair):
    same_texts(
        name, *((facts.Records(data.texts()[:1], models=["MiniLM"]), (0,)) if name in DEAREST else (pair, (0, 1)))
    )


@needs_smollm2
@pytest.mark.parametrize(
    "name", [name for name in facts.MEASURES if name not in NO_TEXTS | ENCODER_ONLY | {"contributions"}]
)
def test_smollm2_is_measured_again_on_a_subset(name, decoder):
    same_texts(name, decoder, SUBSET)


@needs_smollm2
def test_smollm2_cuts_are_measured_again_on_one_text(decoder):
    same_texts("contributions", decoder, SUBSET)


@needs_smollm2
def test_the_sinks_of_smollm2_are_measured_again_on_one_pair(decoder):
    records = facts.Records(data.texts()[:2], models=["SmolLM2"])
    records._kept["twin", "SmolLM2"] = decoder.twin("SmolLM2")
    same_texts("sinks", records, (0,))


@needs_smollm2
def test_the_symmetry_of_smollm2_is_measured_again():
    rho = bilinear.symmetry_score(*smollm2.weights().form_factors())
    assert np.abs(STORED["asymmetry"].arrays["SmolLM2 as trained, per head"] - rho).max() <= 10.0 ** parts(rho)


@needs_smollm2
def test_the_best_heads_of_smollm2_are_measured_again(decoder, monkeypatch):
    """Two of the random sequences: the first chooses the heads, the second is the first number of the stored ones."""
    monkeypatch.setattr(_facts_heads, "SEQUENCES", 2)
    found = facts.MEASURES["named_heads"](decoder)
    stored = STORED["named_heads"]
    for kind in ("previous", "duplicate", "induction"):
        places = [f"SmolLM2 {kind} layer", f"SmolLM2 {kind} head"]
        if [found[key] for key in places] == [stored[key] for key in places]:
            assert close(stored.per_text[f"SmolLM2 {kind}"][0], found.per_text[f"SmolLM2 {kind}"][0], digits=5)
        assert close(
            stored.per_text[f"SmolLM2 {kind}, chance"][0], found.per_text[f"SmolLM2 {kind}, chance"][0], digits=5
        )
    assert found["SmolLM2 induction layer"] == stored["SmolLM2 induction layer"]


def same_texts(name, records, at):
    found, stored = facts.MEASURES[name](records), STORED[name]
    assert found.per_text and (found.conditions, found.note) == (stored.conditions, stored.note)
    for key, column in found.per_text.items():
        assert np.allclose(stored.per_text[key][list(at)], column, rtol=1e-3, atol=step(stored.per_text[key])), key
