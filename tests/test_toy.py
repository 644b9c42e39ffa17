"""The toy models: the proof about symmetric scores, the stored record, and training that gives the same again."""

import importlib.util
import itertools
import pathlib
import pickle
import re

import hypothesis
import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest

from attention_geometry import axioms, bilinear, data, relation
from attention_geometry.attention import causal_mask, softmax
from attention_geometry.models import _toy_induction as ind
from attention_geometry.models import _toy_relation as rel
from attention_geometry.models import _toy_store as store
from attention_geometry.models import _toy_train as train
from attention_geometry.models import toy

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
REVERSIBLE = ("tied", "symmetric", "metric")
KEPT = list(itertools.product(("chain", "cycle"), toy.FAMILIES, toy.DIAGONALS))


@pytest.fixture(scope="module")
def experiment():
    return toy.stored_experiment()


def longest_cycle(choice):
    """Length of the longest directed cycle of a map of 0 … n − 1 into itself."""
    longest = 0
    for start in range(len(choice)):
        seen, i = [], start
        while i not in seen:
            seen.append(i)
            i = choice[i]
        longest = max(longest, len(seen) - seen.index(i))
    return longest


# The proof, before any model.


def matrix_and_terms(n):
    terms = st.integers(-500, 500).map(float)
    return st.tuples(*(hnp.arrays(float, shape, elements=terms) for shape in ((n, n), n, n)))


@hypothesis.given(st.integers(3, 9).flatmap(matrix_and_terms))
def test_symmetric_scores_with_row_and_column_terms_have_no_cycle_of_hard_choices(drawn):
    S, u, v = drawn
    S = S + S.T + u[:, None] + v
    off = np.sort(np.where(np.eye(len(S), dtype=bool), -np.inf, S), -1)
    hypothesis.assume((off[:, -1] > off[:, -2]).all())  # one largest entry in each row
    assert longest_cycle(toy.hard_choices(S)) == 2


def test_all_symmetric_rankings_of_four_tokens_and_many_of_five():
    """Only the order of the scores decides the choices: all 720 orders for four tokens, 10,000 for five."""
    rng, pairs = np.random.default_rng(0), {n: np.triu_indices(n, 1) for n in (4, 5)}
    orders = [(4, order) for order in itertools.permutations(range(6))]
    orders += [(5, rng.permutation(10)) for _ in range(10_000)]
    for n, order in orders:
        S = np.zeros((n, n))
        S[pairs[n]] = order
        assert longest_cycle(rel.hard_choices(S + S.T)) == 2


def test_free_scores_do_have_a_cycle_and_ties_are_why_the_condition_stands():
    cyclic = np.roll(np.eye(12), 1, axis=1)
    assert longest_cycle(toy.hard_choices(cyclic)) == 12
    tied = cyclic + cyclic.T  # symmetric, two largest entries in each row: a choice among equals may go round
    assert (np.take_along_axis(tied, (np.arange(12)[:, None] + 1) % 12, 1) == tied.max(1, keepdims=True)).all()


def test_eleven_of_twelve_arrows_are_reached():
    S, i = np.zeros((12, 12)), np.arange(11)
    S[i, i + 1] = S[i + 1, i] = 1 + i
    choice = toy.hard_choices(S)
    assert (choice == (np.arange(12) + 1) % 12).sum() == 11 and longest_cycle(choice) == 2


@pytest.mark.parametrize("n", [4, 6, 12])
def test_no_symmetric_matrix_reaches_all_the_arrows(n):
    rng = np.random.default_rng(n)
    S = rng.normal(size=(20_000, n, n))
    arrows = (toy.hard_choices(S + S.swapaxes(1, 2)) == (np.arange(n) + 1) % n).sum(-1)
    assert arrows.max() <= n - 1 and (n > 4 or arrows.max() == n - 1)


def test_an_involution_and_a_cycle_have_the_rho_that_the_page_says():
    n, complement = 12, np.roll(np.eye(12), 6, axis=1)
    for S, expected in ((complement, 1.0), (np.roll(np.eye(n), 1, axis=1), -1 / 11)):
        shares = relation.energy_shares(S)
        rho = (shares.reciprocal - shares.circulating) / (shares.reciprocal + shares.circulating)
        assert abs(rho - expected) < 1e-12


def test_hard_choices_looks_past_the_diagonal_and_refuses_what_is_no_choice():
    S = np.random.default_rng(0).normal(size=(3, 2, 6, 6))
    again = S + 1e3 * np.eye(6) + np.arange(6.0)[:, None]
    assert np.array_equal(toy.hard_choices(S), toy.hard_choices(again))
    assert (toy.hard_choices(S) != np.arange(6)).all()
    for bad, error in (([[1.0]], "no other to choose"), (np.where(np.eye(3), -np.inf, 0.0), "masked pair")):
        with pytest.raises(ValueError, match=error):
            toy.hard_choices(bad)


# The task and the model, by hand.


def test_partners_are_who_the_task_says():
    ranks, values = rel.contexts(np.random.default_rng(3), (50,))
    for r, partner in zip(ranks, rel.partners(ranks)):
        for i in range(12):
            complement, successor, predecessor, itself = partner[i]
            assert complement == (i + 6) % 12 and itself == i
            assert r[successor] == (r[i] + 1) % 12 and r[predecessor] == (r[i] - 1) % 12
    assert (np.sort(ranks, -1) == np.arange(12)).all() and set(values.ravel()) == set(range(10))
    assert rel.asked("chain", ranks)[..., 1].sum() == 50 * 11 and not rel.asked("involution", ranks)[..., 1].any()


@pytest.mark.parametrize("family, diagonal", itertools.product(toy.FAMILIES, toy.DIAGONALS))
def test_the_forward_pass_is_the_formula_token_by_token(family, diagonal):
    run = toy.stored_relation("cycle", family, diagonal=diagonal)
    ranks, values = (x[:2] for x in rel.tested())
    scores, weights, V, logits = run.forward(ranks, values)
    p, X = {name: x[-1] for name, x in run.parameters.items()}, rel.one_hot(ranks, values)
    assert (X.sum(-1) == 3).all() and X.shape == (2, 12, 34)
    for c, h in itertools.product(range(2), range(2)):
        k = [x @ p["W_K"][h] for x in X[c]]
        q = {"tied": k, "symmetric": [x * rel.SIGNS for x in k]}.get(family) or [x @ p["W_Q"][h] for x in X[c]] \
            if family != "metric" else None  # fmt: skip
        for i, j in itertools.product(range(12), range(12)):
            s = -((k[i] - k[j]) ** 2).sum() / 4 if family == "metric" else q[i] @ k[j] / 4
            assert abs(s - scores[c, h, i, j]) < 1e-9
    allowed = ~np.eye(12, dtype=bool) if diagonal == "masked" else None
    assert np.array_equal(weights, softmax(scores, mask=allowed))
    y = sum(weights[0, h, 5] @ (X[0] @ p["W_V"][h]) for h in range(2)) + X[0, 5] @ p["W_skip"] + p["b"]
    assert np.allclose(logits[0, 5].ravel(), y, atol=1e-9)


@needs_torch
@pytest.mark.parametrize("family, diagonal", itertools.product(toy.FAMILIES, toy.DIAGONALS))
def test_the_forward_pass_equals_torch(family, diagonal):
    import torch

    run = toy.stored_relation("cycle", family, diagonal=diagonal)
    ranks, values = rel.tested()
    p = {name: torch.tensor(x[-1])[None] for name, x in run.parameters.items()}
    theirs = train.relation_logits(p, torch.tensor(rel.one_hot(ranks, values))[None], family, diagonal)[0]
    assert np.abs(run.forward(ranks, values)[-1] - theirs.numpy()).max() <= 1e-5
    assert np.abs(run.forward(ranks, values)[-1] - theirs.numpy()).max() <= 1e-9  # and in fact to rounding


@needs_torch
def test_the_forward_pass_of_the_induction_task_equals_torch():
    import torch

    run = toy.stored_induction()
    tokens, _, _ = ind.texts(np.random.default_rng(0), (7,), ind.PERIODS)
    w = {name: torch.tensor(x[-1])[None] for name, x in run.parameters.items()}
    theirs = train.induction_logits(w, torch.tensor(np.eye(32)[tokens]).flatten(0, 1)[None]).reshape(7, 24, 32)
    weights, logits = run.forward(tokens)
    assert np.abs(logits - theirs.numpy()).max() <= 1e-9
    single = [run.forward(text) for text in tokens]
    assert np.allclose(np.stack([a for a, _ in single]), weights, atol=1e-12)


def test_texts_repeat_a_word_from_a_random_place_on():
    tokens, start, p = ind.texts(np.random.default_rng(1), (300,), ind.PERIODS)
    assert set(p) == set(range(4, 17)) and len(set(start)) > 10
    for text, r, period in zip(tokens, start, p):
        assert len(set(text[: r + period])) == r + period  # fresh until the word ends
        assert (text[r + period :] == text[r:-period]).all() and r + period <= 22


# The record.


def test_the_record_is_small_and_says_where_it_comes_from():
    folder = pathlib.Path(data.__file__).parent
    assert sum((folder / f"{name}.npz").stat().st_size for name in store.FILES) <= 130_000
    for name, (_, what, meanings) in store.FILES.items():
        stored = data.load(name)
        assert stored.provenance["what"] == what and set(stored) == set(meanings)
        assert stored.provenance["script"] == "python -m attention_geometry.models.toy"


def test_the_free_family_learns_everything_with_one_directed_and_one_symmetric_head(experiment):
    free = experiment.families.index("free")
    assert np.nanmin(experiment.accuracy[:, free]) > 0.99
    cycle = experiment.tasks.index("cycle")
    assert (experiment.most_arrows[cycle, free].max(-1) == 12).all()
    for rho in (experiment.rho_scores, experiment.rho_form):
        high, low = rho[cycle, free].max(-1), rho[cycle, free].min(-1)
        assert (high - low > 0.5).all() and (high > 0.7).all() and (abs(low) < 0.5).all()


def test_every_family_learns_the_involution(experiment):
    assert experiment.accuracy[..., 0].min() > 0.95
    assert experiment.accuracy[0, ..., 0].min() > 0.99 and np.isnan(experiment.accuracy[0, ..., 1]).all()


def test_no_symmetric_head_gets_all_arrows_of_the_cycle(experiment):
    cycle = experiment.tasks.index("cycle")
    for family in REVERSIBLE:
        f = experiment.families.index(family)
        assert experiment.most_arrows[cycle, f].max() <= 11
        assert experiment.accuracy[cycle, f, ..., 1].mean() < 0.95
        assert np.allclose(experiment.rho_scores[:, f], 1) and np.allclose(experiment.rho_form[:, f], 1)


def test_the_chain_is_no_obstacle_and_the_diagonal_tells_identity_from_the_cycle(experiment):
    chain, metric = experiment.tasks.index("chain"), experiment.families.index("metric")
    allowed, masked = (experiment.accuracy[chain, metric, d, :, 1] for d in range(2))
    assert allowed.max() < 0.9 and masked.mean() > 0.9 and masked.max() > 0.99
    assert (experiment.most_arrows[chain, :, 1].max((1, 2)) == 11).all()  # all of them, for every family
    own = experiment.mass[..., 3]
    assert (own[:, :, 1] == 0).all()
    for family in ("tied", "metric"):
        assert own[1:, experiment.families.index(family), 0].mean() > 0.3, family
    assert own[1:, experiment.families.index("free"), 0].mean() < 0.1


@pytest.mark.parametrize("task, family, diagonal", KEPT)
def test_the_stored_numbers_are_those_of_the_stored_weights(task, family, diagonal):
    run = toy.stored_relation(task, family, diagonal=diagonal)
    found = rel.read({name: x[-1] for name, x in run.parameters.items()}, task, family, diagonal)
    for name in store.RELATION_READINGS:
        stored, again = getattr(run, name)[-1], found[name]
        assert np.allclose(stored, again, atol=6e-4, equal_nan=True), name
    assert np.array_equal(run.choices, found["choices"])
    scores = run.forward(*rel.tested())[0]
    cycles = [longest_cycle(choice) for choice in rel.hard_choices(scores).reshape(-1, 12)]
    assert max(cycles) == 2 if family in REVERSIBLE else max(cycles) >= 3


def test_weights_and_rho_develop_along_the_stored_training():
    run = toy.stored_relation("cycle", "free")
    assert len(run.parameters["W_Q"]) == len(run.steps) == len(run.losses)
    head = int(run.rho_scores[-1].argmin())
    by_rank = [run.mean_weights("rank", checkpoint=c)[head] for c in range(len(run.steps))]
    successor = [np.trace(np.roll(weights, -1, axis=1)) / 12 for weights in by_rank]
    assert np.allclose(successor, run.mass[:, head, 1], atol=6e-4)
    assert successor[0] < 0.15 and successor[-1] > 0.9
    complement = run.mean_weights("colour")[1 - head]
    assert np.allclose(np.diagonal(np.roll(complement, 6, 1)).mean(), run.mass[-1, 1 - head, 0], atol=6e-4)


def test_reading_the_record_needs_no_torch(monkeypatch):
    def refuse(module, extra):
        raise ImportError(f"{module} is needed here; install it with: pip install 'attention-geometry[{extra}]'")

    monkeypatch.setattr(train, "require", refuse)
    assert "free scores" in repr(toy.stored_relation("cycle", "free"))
    toy.stored_relation("cycle", "free").record()
    assert "2 layers" in repr(toy.stored_induction())
    for call in (lambda: toy.train_relation("cycle", "free"), toy.train_induction):
        with pytest.raises(ImportError, match=re.escape("attention-geometry[torch]")):
            call()


def test_the_induction_head_the_trap_and_one_layer_too_few():
    runs = [toy.stored_induction(seed=seed) for seed in store.SEEDS]
    assert sum(r.induction[-1, 1, 1] > 0.9 and r.previous[-1, 0] > 0.9 for r in runs) >= 4
    assert all(r.accuracy[-1].min() > 0.97 for r in runs)
    for seed in store.SEEDS:
        trap, short = toy.stored_induction(seed=seed, period="fixed"), toy.stored_induction(seed=seed, layers=1)
        assert trap.induction[-1, 0].max() > 0.9 and trap.accuracy[-1, 0] > 0.97  # looks fine on its own texts
        assert trap.accuracy[-1, 1] < 0.3 and trap.induction[-1, 1].max() < 0.3
        assert short.accuracy[-1].max() < 0.4 and short.induction.shape == (len(short.steps), 2, 1)


def test_stored_readings_of_the_induction_task_are_those_of_the_weights():
    for period in ("varying", "fixed"):
        run = toy.stored_induction(period=period)
        found = ind.read({name: x[-1] for name, x in run.parameters.items()})
        for name in store.INDUCTION_READINGS:
            assert np.allclose(getattr(run, name)[-1], found[name], atol=6e-4), name


def test_writing_keeps_a_file_whose_numbers_did_not_change(tmp_path, monkeypatch, capsys):
    import hashlib
    import json

    built = {name: {key: np.array(array) for key, array in data.load(name).items()} for name in store.FILES}
    files = {name: (lambda name=name: built[name], what, meanings) for name, (_, what, meanings) in store.FILES.items()}
    monkeypatch.setattr(store, "FILES", files)
    store.write(tmp_path)
    first = {name: (tmp_path / f"{name}.npz").read_bytes() for name in files}
    built["toy_induction"]["losses"] = built["toy_induction"]["losses"] + 1
    capsys.readouterr()
    store.write(tmp_path)
    out = capsys.readouterr().out
    assert "toy_relations: unchanged" in out and "toy_induction: written" in out
    sources = json.loads((tmp_path / "sources.json").read_text(encoding="utf-8"))
    for name in files:
        raw = (tmp_path / f"{name}.npz").read_bytes()
        assert (raw == first[name]) == (name == "toy_relations")
        assert sources[name]["sha256"] == hashlib.sha256(raw).hexdigest()
        assert sources[name]["licence"] and set(sources[name]["arrays"]) == set(built[name])


# Records that the rest of the package takes.


@pytest.mark.parametrize("family, diagonal", itertools.product(toy.FAMILIES, toy.DIAGONALS))
def test_a_run_becomes_a_record(family, diagonal):
    run = toy.stored_relation("cycle", family, diagonal=diagonal)
    record = run.record(4)
    assert (record.n_layers, record.n_heads, record.n_tokens) == (1, 2, 12)
    assert record.tokens[3].startswith("c3 r") and family in record.model
    assert all(relation.is_reversible(record.scores[0])) == (family in REVERSIBLE)
    assert record.mask[0, 0].diagonal().all() == (diagonal == "allowed")
    if family == "metric":
        assert record.W_Q is None and np.allclose(np.diagonal(record.scores[0, 1]), 0)
        distance = np.sqrt(np.maximum(-record.scores[0, 1], 0))
        assert axioms.triangle_report(distance).violations == 0
    else:
        assert np.allclose(record.queries @ record.keys.swapaxes(-1, -2) / 4, record.scores, atol=1e-9)
        assert np.allclose(bilinear.symmetry_score(*record.form_factors())[0], run.rho_form[-1], atol=6e-4)


def test_a_text_of_the_induction_task_becomes_a_record():
    record = toy.stored_induction().record([5, 6, 7, 8, 9, 5, 6, 7])
    assert (record.n_layers, record.n_heads, record.n_tokens) == (2, 1, 8) and record.tokens[0] == "5"
    assert np.array_equal(record.mask[1, 0], causal_mask(8))
    assert record.weights[1, 0, 5:, 1:4].diagonal().min() > 0.5  # 5 looks at 6, and so on


# Training.


@pytest.fixture(scope="module")
def retrained():
    """Seed 0 of the record and seed 5, which is not in it, of two families."""
    pytest.importorskip("torch")
    return {family: tuple(store.relation_runs("cycle", family, "allowed", [0, 5])) for family in ("free", "metric")}


@pytest.mark.parametrize("family", ["free", "metric"])
def test_a_stored_seed_is_trained_again_and_prints_the_same(retrained, family):
    run, stored = retrained[family][0], toy.stored_relation("cycle", family)
    assert repr(run) == repr(stored)
    for name in store.RELATION_READINGS:  # 0 on the machine that wrote the record
        assert np.nanmax(np.abs(getattr(run, name) - getattr(stored, name))) <= 0.01, name
    last = {name: x[-len(stored.parameters[name]) :] for name, x in run.parameters.items()}
    for name, array in stored.parameters.items():
        assert np.abs(last[name] - array).max() <= 0.05 * np.abs(array).max(), name


@pytest.mark.parametrize("family", ["free", "metric"])
def test_a_further_seed_falls_into_the_stored_range(retrained, experiment, family):
    run, f = retrained[family][1], experiment.families.index(family)
    assert run.seed == 5
    stored = experiment.accuracy[2, f, 0]
    assert (run.accuracy[-1] >= stored.min(0) - 0.02).all() and (run.accuracy[-1] <= stored.max(0) + 0.02).all()
    own = experiment.mass[2, f, 0, :, :, 3].mean(-1)
    assert own.min() - 0.03 <= run.mass[-1, :, 3].mean() <= own.max() + 0.03
    assert run.most_arrows[-1].max() == 12 if family == "free" else run.most_arrows[-1].max() <= 11
    if family == "free":
        assert np.ptp(run.rho_scores[-1]) > 0.5 and np.ptp(run.rho_form[-1]) > 0.5


@needs_torch
@pytest.mark.parametrize("family", toy.FAMILIES)
def test_a_seed_learns_the_same_whoever_is_trained_beside_it(monkeypatch, family):
    monkeypatch.setattr(rel, "CHECKPOINTS", (0, 15))
    alone = train.relations("chain", family, "masked", [3])
    beside = train.relations("chain", family, "masked", [1, 3, 8])
    for name, array in alone.items():
        assert np.abs(array[:, 0] - beside[name][:, 1]).max() <= 1e-12, name  # 0 on most machines
        assert name in ("b", "W_skip") or np.abs(array[:, 0] - beside[name][:, 0]).max() > 0.01


@needs_torch
def test_a_seed_of_the_induction_task_learns_the_same_whoever_is_trained_beside_it(monkeypatch):
    monkeypatch.setattr(ind, "CHECKPOINTS", (0, 10))
    alone, beside = (train.induction(2, "varying", seeds) for seeds in ([2], [0, 2]))
    for name, array in alone.items():
        assert np.abs(array[:, 0] - beside[name][:, 1]).max() <= 1e-12, name


@needs_torch
def test_families_start_from_the_same_matrices_and_threads_are_given_back(monkeypatch):
    import torch

    monkeypatch.setattr(rel, "CHECKPOINTS", (0, 1))
    before = torch.get_num_threads()
    first = [train.relations("cycle", family, "allowed", [0]) for family in toy.FAMILIES]
    assert all(np.array_equal(p["W_K"][0], first[0]["W_K"][0]) for p in first)
    assert torch.get_num_threads() == before


@needs_torch
def test_an_induction_head_is_trained_again():
    run, stored = toy.train_induction(), toy.stored_induction()
    assert repr(run) == repr(stored)
    for name in store.INDUCTION_READINGS:
        assert np.abs(getattr(run, name) - getattr(stored, name)).max() <= 0.01, name


# Eight bits and thousandths.


def test_eight_bits_are_enough_once_and_change_nothing_twice(rng):
    array = rng.normal(size=(3, 40, 16)) * np.array([0.01, 1.0, 30.0])[:, None, None]
    once = store.eight_bit(array)
    largest = np.abs(array).max((1, 2))
    assert (np.abs(once - array).max((1, 2)) <= largest / 127).all()
    assert np.array_equal(store.eight_bit(once), once)
    assert np.array_equal(store.eight_bit(np.zeros((2, 3))), np.zeros((2, 3)))
    stored = store._bytes({(0, 0, 0, 0): {"W": once}})
    back = store._unpacked(stored, [0, 1, 2], {"W": (40, 16)})
    assert stored["parameters"].dtype == np.int8 and np.array_equal(back["W"], once)


def test_thousandths_keep_three_digits_and_what_is_undefined():
    x = np.array([0.1234, 11.9999, -0.0909, np.nan])
    assert np.array_equal(store.thousandths(x), [0.123, 12.0, -0.091, np.nan], equal_nan=True)


# Refusals.


def test_unknown_names_and_missing_runs_say_what_there_is():
    for call, error in (
        (lambda: toy.train_relation("ring", "free"), "task is 'ring'; expected one of involution, chain, cycle"),
        (lambda: toy.stored_relation("cycle", None), "family is None; expected one of free, tied"),
        (lambda: toy.stored_relation("cycle", "free", diagonal=True), "diagonal is True; expected one of allowed"),
        (lambda: toy.stored_relation("cycle", "free", seed=5), "seed 5 is not stored; stored are 0 to 4"),
        (lambda: toy.train_relation("cycle", "free", seed=-1), "seed is -1"),
        (lambda: toy.stored_induction(layers=1, period="fixed"), "no stored model with 1 layers, fixed period"),
        (lambda: toy.train_induction(period=8), "period is 8; expected one of varying, fixed"),
        (lambda: toy.train_induction(layers=3), "layers is 3"),
        (lambda: toy.stored_relation("cycle", "free", seed=1).record(), "keeps no parameters of .*seed 1"),
        (lambda: toy.stored_induction(seed=2).record([1]), "keeps no parameters of the model"),
        (lambda: toy.stored_relation("cycle", "free").record(256), "context is 256"),
        (lambda: toy.stored_relation("cycle", "free").mean_weights("value"), "expected 'rank' or 'colour'"),
        (lambda: toy.stored_relation("cycle", "free").forward([0] * 12, [0] * 12), "each of 0 to 11 once"),
        (lambda: toy.stored_relation("cycle", "free").forward(range(12), [10] * 12), "expected 0 to 9"),
        (lambda: toy.stored_relation("cycle", "free").forward(range(12), [1]), "shapes"),
        (lambda: toy.stored_induction().record([32]), "each from 0 to 31"),
        (lambda: toy.stored_induction().forward(np.zeros((2, 25), int)), "texts of 25 numbers; expected 1 to 24"),
        (lambda: toy.stored_induction().record(np.zeros((2, 3), int)), "a record holds one text"),
    ):
        with pytest.raises(ValueError, match=error):
            call()
    for call in (
        lambda: toy.train_relation("cycle", "free", seed=1.5),
        lambda: toy.stored_induction().forward("abc"),
        lambda: toy.stored_relation("cycle", "free").forward(np.arange(12.0), range(12)),
    ):
        with pytest.raises(TypeError):
            call()


def test_reports_print_and_cross_a_process():
    run = toy.stored_relation("cycle", "tied", seed=3, diagonal="masked")
    assert "cycle, tied scores, diagonal masked, seed 3" in repr(run) and "of 12 (heads 0, 1)" in repr(run)
    assert repr(pickle.loads(pickle.dumps(run))) == repr(run)
    assert "cycle, masked, metric" in repr(toy.stored_experiment())
    assert "–" in repr(toy.stored_relation("involution", "free"))
