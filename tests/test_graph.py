"""Laws, hand values and refusals of the graph and the Markov reading (labels as in the mathematics)."""

import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_geometry import graph
from attention_geometry.attention import causal_mask, softmax
from attention_geometry.graph import (
    attention_graph,
    communicating_classes,
    commute_times,
    diffusion_distance,
    diversity_ratio,
    dobrushin,
    eigenvalues,
    hitting_times,
    magnetic_laplacian,
    mean_pairwise_tv,
    random_gap_null,
    spectral_report,
    stationary_distribution,
)

WITH_LAW = ("fill_gap", "pseudo_gap", "additive_gap", "chatterjee_gap")
CYCLE = np.roll(np.eye(3), 1, axis=1)  # 0 → 1 → 2 → 0
LAZY = (np.eye(3) + CYCLE) / 2
DE_BRUIJN = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1]]) / 2
SYMMETRIC_WEIGHTS = np.array([[1.0, 2, 1], [2, 1, 3], [1, 3, 2]])
T1_8 = SYMMETRIC_WEIGHTS / SYMMETRIC_WEIGHTS.sum(1, keepdims=True)
TWO_BLOCKS = np.kron(np.eye(2), np.full((2, 2), 0.5))
CAUSAL = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]])
TRANSIENT = np.array([[0.5, 0.5, 0, 0], [0.25, 0.75, 0, 0], [0.1, 0, 0.5, 0.4], [0, 0, 1, 0]])
seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(2, 7)


def previous_token(n):
    A = np.eye(n, k=-1)
    A[0, 0] = 1
    return A


def random_weights(seed, *shape, temperature=1.0):
    return softmax(np.random.default_rng(seed).standard_normal(shape) / temperature)


def random_causal(seed, n, temperature=1.0):
    return softmax(np.random.default_rng(seed).standard_normal((n, n)) / temperature, mask=causal_mask(n))


def sparse_weights(rng, n):
    """Mostly zeros: several classes, some of them transient."""
    W = rng.random((n, n)) * (rng.random((n, n)) < 1.3 / n)
    W[W.sum(1) == 0, rng.integers(n)] = 1
    return W / W.sum(1, keepdims=True)


def tv(p, q):
    return sum(abs(a - b) for a, b in zip(p, q)) / 2


# the induced graph

A4 = np.array([[0.1, 0.6, 0.3, 0.0], [0.5, 0.5, 0.0, 0.0], [0.2, 0.2, 0.2, 0.4], [0.0, 0.0, 1.0, 0.0]])


def test_an_arc_points_from_the_query_to_the_key_it_attends_to():
    arcs = attention_graph(A4, threshold=0.3, symmetrise="none", loops=False)
    assert arcs.is_directed()
    assert dict(arcs.edges) == {(0, 1): {"weight": 0.6}, (1, 0): {"weight": 0.5}, (2, 3): {"weight": 0.4}} | {
        (3, 2): {"weight": 1.0}
    }, "the threshold is strict: 0.3 itself is no arc"


@pytest.mark.parametrize("rule", [{"threshold": 0.0}, {"threshold": 0.15}, {"top_k": 1}, {"top_k": 3}])
@pytest.mark.parametrize("loops", [False, True])
def test_or_and_mean_are_what_they_say(rule, loops):
    A = random_weights(3, 6, 6)
    arcs = {(i, j): w for i, j, w in attention_graph(A, symmetrise="none", loops=loops, **rule).edges(data="weight")}
    assert all(w == A[edge] for edge, w in arcs.items())
    pairs = {tuple(sorted(edge)) for edge in arcs}
    either = attention_graph(A, symmetrise="or", loops=loops, **rule)
    assert not either.is_directed()
    assert {tuple(sorted(e)): w for *e, w in either.edges(data="weight")} == {
        (i, j): max(A[i, j], A[j, i]) for i, j in pairs
    }
    both = attention_graph(A, symmetrise="and", loops=loops, **rule)
    assert {tuple(sorted(e)): w for *e, w in both.edges(data="weight")} == {
        (i, j): min(A[i, j], A[j, i]) for i, j in pairs if (i, j) in arcs and (j, i) in arcs
    }
    mean = attention_graph(A, symmetrise="mean", loops=loops, **rule)
    averaged = attention_graph(softmax(np.log(A)), symmetrise="none", loops=loops, **rule)  # same A: no shared state
    assert set(averaged.edges) == set(arcs)
    assert all(w == (A[i, j] + A[j, i]) / 2 for i, j, w in mean.edges(data="weight"))
    if "threshold" in rule:
        M = (A + A.T) / 2
        expected = {(i, j) for i in range(6) for j in range(i, 6) if M[i, j] > rule["threshold"] and (loops or i != j)}
        assert {tuple(sorted(e)) for e in mean.edges} == expected


def test_top_k_counts_per_row_breaks_ties_by_position_and_keeps_no_zero():
    A = np.full((4, 4), 0.25)
    arcs = attention_graph(A, top_k=2, symmetrise="none", loops=False)
    assert set(arcs.edges) == {(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (3, 0), (3, 1)}
    assert set(attention_graph(A, top_k=1, symmetrise="none", loops=True).edges) == {(i, 0) for i in range(4)}
    assert set(attention_graph(np.eye(4), top_k=4, symmetrise="none", loops=False).edges) == set()
    assert set(attention_graph(np.eye(4), top_k=4, symmetrise="none", loops=True).edges) == {(i, i) for i in range(4)}


def test_nodes_are_positions_isolated_ones_too_and_tokens_are_data():
    tokens = ["<b>the</b>", "cat", "cat", "\u202e"]
    g = attention_graph(np.eye(4), threshold=0.5, symmetrise="none", loops=False, tokens=tokens)
    assert list(g.nodes) == [0, 1, 2, 3] and [g.nodes[i]["token"] for i in g] == tokens
    with pytest.raises(ValueError, match="3 entries but there are 4"):
        attention_graph(np.eye(4), threshold=0.5, symmetrise="none", loops=False, tokens=tokens[:3])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"threshold": None}, "exactly one"),
        ({"top_k": 2}, "exactly one"),
        ({"threshold": None, "top_k": 0}, "top_k is 0"),
        ({"threshold": float("nan")}, "threshold"),
        ({"symmetrise": "max"}, "symmetrise must be one of"),
        ({"A": np.stack([A4, A4])}, "choose a head"),
        ({"A": A4[:3]}, "cross-attention"),
        ({"A": A4 * 2}, "sums to"),
    ],
)
def test_the_graph_refuses(change, message):
    choice = {"A": A4, "threshold": 0.3, "symmetrise": "none", "loops": False} | change
    with pytest.raises(ValueError, match=message):
        attention_graph(choice.pop("A"), **choice)


def test_every_choice_is_required():
    for missing in ("symmetrise", "loops"):
        choice = {"threshold": 0.3, "symmetrise": "none", "loops": False}
        del choice[missing]
        with pytest.raises(TypeError, match=missing):
            attention_graph(A4, **choice)
    for wrong in ({"loops": "no"}, {"threshold": True}, {"threshold": None, "top_k": 1.5}):
        with pytest.raises(TypeError):
            attention_graph(A4, **({"threshold": 0.3, "symmetrise": "none", "loops": False} | wrong))


def test_F21_without_networkx_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match=r"attention-geometry\[graphs\]"):
        attention_graph(A4, threshold=0.3, symmetrise="none", loops=False)
    assert dobrushin(A4) == pytest.approx(1.0)


# classes and the stationary law


def test_classes_equal_networkx_on_sparse_chains(rng):
    stack = np.stack([sparse_weights(rng, 9) for _ in range(60)])
    batch = communicating_classes(stack)
    transient_seen = several_seen = 0
    for b, A in enumerate(stack):
        found = communicating_classes(A)
        G = nx.from_numpy_array(A, create_using=nx.DiGraph)
        components = [sorted(c) for c in nx.strongly_connected_components(G)]
        assert sorted(map(list, found.members)) == sorted(components)
        closed = [c for c in components if all(j in c for i in c for j in G[i])]
        assert found.recurrent_classes == len(closed)
        assert sorted(np.flatnonzero(found.recurrent)) == sorted(i for c in closed for i in c)
        assert np.array_equal(batch.label[b], found.label) and np.array_equal(batch.recurrent[b], found.recurrent)
        assert batch.recurrent_classes[b] == found.recurrent_classes
        transient_seen += not found.recurrent.all()
        several_seen += len(closed) > 1
    assert transient_seen > 5 and several_seen > 5, "the sample must contain the cases it is meant to test"
    with pytest.raises(ValueError, match="batch"):
        _ = batch.members


@given(seeds, sizes)
def test_the_stationary_law_is_stationary_and_equals_the_left_eigenvector(seed, n):
    A = random_weights(seed, n, n, temperature=0.5)
    pi = stationary_distribution(A).pi
    assert pi.sum() == pytest.approx(1, abs=1e-14) and pi.min() > 0
    assert np.allclose(pi @ A, pi, rtol=0, atol=1e-14)
    values, vectors = np.linalg.eig(A.T)
    left = np.real(vectors[:, np.argmax(np.real(values))])
    assert np.allclose(pi, left / left.sum(), atol=1e-10)


def test_small_entries_of_the_law_keep_their_relative_accuracy():
    """Birth and death with odds 1e-9: π_i ∝ 1e-9ⁱ, far below what a linear solver resolves."""
    n, odds = 8, 1e-9
    A = np.zeros((n, n))
    for i in range(n - 1):
        A[i, i + 1], A[i + 1, i] = 0.5 * odds, 0.5
    A[np.diag_indices(n)] = 1 - A.sum(1)
    law = odds ** np.arange(n)
    assert np.allclose(stationary_distribution(A).pi, law / law.sum(), rtol=1e-12, atol=0)


def test_T1_8_law_and_reversible_gaps():
    report = spectral_report(T1_8)
    assert np.allclose(stationary_distribution(T1_8).pi, [1 / 4, 3 / 8, 3 / 8], atol=1e-15)
    assert report.is_reversible and report.pi_positive and not report.is_triangular
    assert report.reversible_gap == pytest.approx(11 / 12, abs=1e-14)
    assert report.absolute_gap == pytest.approx(2 / 3, abs=1e-14) == report.slem_gap
    assert report.reasons == {} == report.notes


def test_one_recurrent_class_leaves_the_transient_tokens_without_mass():
    law = stationary_distribution(TRANSIENT)
    assert np.allclose(law.pi, [1 / 3, 2 / 3, 0, 0], atol=1e-15) and law.recurrent_classes == 1
    order = [2, 0, 3, 1]
    shuffled = stationary_distribution(TRANSIENT[np.ix_(order, order)])
    assert np.allclose(shuffled.pi, np.array([1 / 3, 2 / 3, 0, 0])[order], atol=1e-15)
    report = spectral_report(TRANSIENT)
    assert report.slem_gap is not None and not report.pi_positive
    assert all(getattr(report, name) is None and "zero on some tokens" in report.reasons[name] for name in WITH_LAW)


def test_F15_several_recurrent_classes_are_listed_and_no_law_is_chosen():
    law = stationary_distribution(TWO_BLOCKS)
    assert law.pi is None and law.recurrent_classes == 2
    assert "(0, 1) (2, 3)" in law.reasons["pi"]
    batch = stationary_distribution(np.stack([TWO_BLOCKS, DE_BRUIJN, np.eye(4)]))
    assert np.isnan(batch.pi[[0, 2]]).all() and np.allclose(batch.pi[1], 1 / 4)
    assert "2 of 3, first at (0,)" in batch.reasons["pi"]
    assert "…" in stationary_distribution(np.eye(20)).reasons["pi"]
    report = spectral_report(TWO_BLOCKS)
    assert report.slem_gap == pytest.approx(0, abs=1e-14) and report.recurrent_classes == 2
    for name in ("reversible_gap", "absolute_gap", *WITH_LAW):
        assert getattr(report, name) is None and "several recurrent classes" in report.reasons[name]


def test_F15_a_periodic_chain_has_a_law_and_a_gap_of_zero():
    assert np.allclose(stationary_distribution(CYCLE).pi, 1 / 3)
    assert spectral_report(CYCLE).slem_gap == pytest.approx(0, abs=1e-14)


# the closed-form oracles of the failure list


@pytest.mark.parametrize(
    ("A", "modulus"),
    [
        (np.eye(3), [1, 1, 1]),
        (np.full((3, 3), 1 / 3), [1, 0, 0]),
        (CYCLE, [1, 1, 1]),
        (CAUSAL, [1, 0.5, 0.5]),
        (TWO_BLOCKS, [1, 1, 0, 0]),
    ],
    ids=["identity", "uniform", "cyclic shift", "causal", "two blocks"],
)
@pytest.mark.parametrize("form", ["numpy", "torch", "list"])
def test_closed_form_eigenvalues_and_gaps(A, modulus, form):
    if form == "torch":
        given_A = pytest.importorskip("torch").tensor(A, requires_grad=True)
    else:
        given_A = A.tolist() if form == "list" else A
    assert np.allclose(np.abs(eigenvalues(given_A)), modulus, atol=1e-12)
    assert spectral_report(given_A).slem_gap == pytest.approx(1 - modulus[1], abs=1e-12)
    assert np.allclose(np.abs(eigenvalues(np.stack([A, A]))), [modulus, modulus], atol=1e-12)


# five gaps


@pytest.mark.parametrize(
    ("A", "slem", "fill", "pseudo", "additive", "chatterjee"),
    [
        (CYCLE, 0, 0, 0, 3 / 2, np.sqrt(3)),
        (LAZY, 1 / 2, 3 / 4, 3 / 4, 3 / 4, np.sqrt(3) / 2),
        (DE_BRUIJN, 1, 0, 1 / 2, 1 / 2, (np.sqrt(5) - 1) / 2),
    ],
    ids=["3-cycle", "lazy 3-cycle", "de Bruijn"],
)
def test_T5_1_five_gaps_disagree(A, slem, fill, pseudo, additive, chatterjee):
    report = spectral_report(A)
    # The zero eigenvalue of the de Bruijn chain is defective: a solver sees it only to the root of the rounding error.
    assert report.slem_gap == pytest.approx(slem, abs=1e-7)
    assert report.fill_gap == pytest.approx(fill, abs=1e-13)
    assert report.pseudo_gap == pytest.approx(pseudo, abs=1e-13)
    assert report.additive_gap == pytest.approx(additive, abs=1e-13)
    assert report.chatterjee_gap == pytest.approx(chatterjee, abs=1e-13)
    assert report.reversible_gap is None and report.reasons["reversible_gap"] == "A is not reversible"
    assert not report.is_reversible and "pseudo_gap" not in report.notes


def test_T5_1_de_bruijn_contracts_in_two_steps_only():
    assert np.allclose(DE_BRUIJN @ DE_BRUIJN, 1 / 4)
    assert dobrushin(DE_BRUIJN) == 1 and dobrushin(DE_BRUIJN @ DE_BRUIJN) == 0


@given(seeds, sizes)
def test_gaps_equal_their_second_formulas(seed, n):
    A = random_weights(seed, n, n, temperature=0.7)
    report, pi = spectral_report(A), stationary_distribution(A).pi
    reversal = A.T * pi / pi[:, None]
    multiplicative = np.sort(np.real(np.linalg.eigvals(A @ reversal)))
    assert report.fill_gap == pytest.approx(1 - multiplicative[-2], abs=1e-10)
    if n > 3:  # networkx finds π by ARPACK, which wants room
        L = nx.directed_laplacian_matrix(nx.from_numpy_array(A, create_using=nx.DiGraph), walk_type="random")
        assert report.additive_gap == pytest.approx(np.linalg.eigvalsh(L)[1], abs=1e-8)
    D = np.diag(np.sqrt(pi))
    hat = D @ A @ np.linalg.inv(D)
    assert report.chatterjee_gap == pytest.approx(np.sort(np.linalg.svd(np.eye(n) - hat)[1])[1], abs=1e-10)
    powers = [np.linalg.matrix_power(hat, k) for k in range(1, 60)]
    brute = max((1 - np.linalg.svd(P)[1][1] ** 2) / k for k, P in enumerate(powers, 1))
    assert report.pseudo_gap == pytest.approx(brute, abs=1e-10), "the early stop may not miss a later power"


@given(seeds, sizes)
def test_on_a_reversible_chain_the_definitions_meet(seed, n):
    W = np.exp(np.random.default_rng(seed).standard_normal((n, n)))
    W = W + W.T
    report = spectral_report(W / W.sum(1, keepdims=True))
    assert report.is_reversible
    assert report.slem_gap == pytest.approx(report.absolute_gap, abs=1e-9)
    assert report.additive_gap == report.reversible_gap
    assert report.fill_gap == pytest.approx(1 - (1 - report.absolute_gap) ** 2, abs=1e-10)
    assert report.pseudo_gap == pytest.approx(report.fill_gap, abs=1e-10)
    assert report.chatterjee_gap == pytest.approx(report.reversible_gap, abs=1e-10)


def test_a_pseudo_gap_that_runs_out_of_powers_says_that_it_is_a_lower_bound():
    short, long = spectral_report(DE_BRUIJN, powers=1), spectral_report(DE_BRUIJN, powers=2)
    assert short.notes["pseudo_gap"] == "a lower bound: the largest over powers up to 1" and short.pseudo_gap < 1e-12
    assert "pseudo_gap" not in long.notes and long.pseudo_gap == pytest.approx(1 / 2, abs=1e-13)


def test_teleportation_forces_the_gap():
    for damping in (0.1, 0.15):
        A = (1 - damping) * TWO_BLOCKS + damping / 4
        assert spectral_report(A).slem_gap == pytest.approx(damping, abs=1e-12)


@given(seeds, sizes)
def test_spectral_numbers_ignore_the_order_of_the_tokens(seed, n):
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    for A in (random_weights(seed, n, n), random_causal(seed, n), sparse_weights(rng, n)):
        one, other = spectral_report(A), spectral_report(A[np.ix_(order, order)])
        for name in (*graph._GAPS, "slem_gap", "dobrushin"):
            a, b = getattr(one, name), getattr(other, name)
            # 1e-5: repeated eigenvalues inside a class of a sparse chain may be defective
            assert (a is None and b is None) or a == pytest.approx(b, abs=1e-5)
        assert (one.is_triangular, one.pi_positive) == (other.is_triangular, other.pi_positive)
        assert one.recurrent_classes == other.recurrent_classes and one.reasons == other.reasons


# L5.1: causal heads


@given(seeds, st.integers(2, 12))
def test_L5_1_the_causal_gap_reads_only_the_diagonal(seed, n):
    A = random_causal(seed, n)
    report = spectral_report(A)
    assert np.allclose(np.sort(eigenvalues(A).real), np.sort(np.diag(A)), rtol=0, atol=1e-15)
    assert (eigenvalues(A).imag == 0).all()
    assert report.slem_gap == pytest.approx(1 - np.diag(A)[1:].max(), abs=1e-15)
    assert report.notes["slem_gap"].startswith("reads only the diagonal")
    assert np.array_equal(stationary_distribution(A).pi, np.eye(n)[0])
    assert "absorbing" in stationary_distribution(A).notes["pi"]
    assert report.is_triangular and not report.pi_positive and not report.is_reversible
    for name in ("reversible_gap", "absolute_gap", *WITH_LAW):
        assert getattr(report, name) is None and report.reasons[name]
    sign, logdet = np.linalg.slogdet(A)
    assert sign == 1 and logdet == pytest.approx(np.log(np.diag(A)).sum(), abs=1e-9), "full rank, always"
    other = random_causal(seed + 1, n)
    other = other * (1 - np.eye(n)) / np.maximum((other * (1 - np.eye(n))).sum(1, keepdims=True), 1e-300)
    other = np.diag(np.diag(A)) + other * (1 - np.diag(A))[:, None]  # other weights, same self-weights
    assert spectral_report(other).slem_gap == pytest.approx(report.slem_gap, abs=1e-15)


@pytest.mark.parametrize("n", [2, 5, 30])
def test_T5_2_uniform_causal(n):
    A = np.tril(np.ones((n, n))) / np.arange(1, n + 1)[:, None]
    assert np.allclose(eigenvalues(A), 1 / np.arange(1, n + 1), rtol=0, atol=1e-15)
    assert spectral_report(A).slem_gap == 0.5


def test_T5_3_previous_token_head_has_gap_one_and_needs_all_its_steps():
    n = 8
    A = previous_token(n)
    assert np.array_equal(eigenvalues(A), np.eye(n)[0])
    assert spectral_report(A).slem_gap == 1
    first = np.zeros((n, n))
    first[:, 0] = 1
    assert np.array_equal(np.linalg.matrix_power(A, n - 1), first)
    assert not np.array_equal(np.linalg.matrix_power(A, n - 2), first)


def test_T5_3_a_tiny_leak_moves_the_computed_eigenvalues_a_lot():
    """Why the diagonal is read instead: ε^(1/(n−1)) with ε = 1e-12, n = 8 is 0.02."""
    n, leak = 8, 1e-12
    A = previous_token(n)
    A[1, n - 1] = leak
    second = np.sort(np.abs(np.linalg.eigvals(A)))[-2]
    assert second == pytest.approx(leak ** (1 / (n - 1)), rel=0.05)


def test_classes_that_feed_one_another_do_not_blur_the_spectrum():
    """Ten pairs, each swapping or leaving for the pair before: eigenvalues ±½, nine times each, in Jordan blocks."""
    swap = np.array([[0.0, 0.5], [0.5, 0]])
    A = np.kron(np.eye(10), swap) + np.kron(np.eye(10, k=-1), np.eye(2) / 2)
    A[:2, :2] *= 2
    assert spectral_report(A).slem_gap == pytest.approx(0, abs=1e-15), "the last pair is periodic"
    assert np.allclose(np.abs(eigenvalues(A)), [1] * 2 + [0.5] * 18, atol=1e-14)
    assert np.abs(np.abs(np.linalg.eigvals(A)) - 0.5)[np.abs(np.linalg.eigvals(A)) < 0.9].max() > 1e-4


# L5.2: Dobrushin


def test_T5_4_dobrushin_by_hand():
    A = np.array([[2, 1], [1, 2]]) / 3
    assert dobrushin(A) == pytest.approx(1 / 3, abs=1e-15)
    assert np.abs(eigenvalues(A))[1] == pytest.approx(1 / 3, abs=1e-15)
    assert np.allclose(A @ [0, 3], [1, 2]), "osc 3 becomes 1: the bound is attained"


@given(seeds, st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))
def test_L5_2_dobrushin_contracts_and_is_submultiplicative(seed, m, n, k):
    rng = np.random.default_rng(seed)
    A, B = random_weights(seed, m, n, temperature=0.5), random_weights(seed + 1, n, k, temperature=0.5)
    delta = dobrushin(A)
    assert 0 <= delta <= 1
    assert delta == pytest.approx(max(tv(p, q) for p in A for q in A), abs=1e-14)
    v = rng.standard_normal(n)
    assert np.ptp(A @ v) <= delta * np.ptp(v) + 1e-13
    assert dobrushin(A @ B) <= dobrushin(A) * dobrushin(B) + 1e-13


@given(seeds, sizes)
def test_L5_2_dobrushin_bounds_every_other_eigenvalue(seed, n):
    A = random_weights(seed, n, n, temperature=0.3)
    values = eigenvalues(A)
    others = np.delete(values, np.abs(values - 1).argmin())
    assert np.abs(others).max() <= dobrushin(A) + 1e-10
    assert spectral_report(A).slem_gap >= 1 - dobrushin(A) - 1e-10


@given(seeds, st.integers(2, 9))
def test_L5_2_causal_dobrushin_is_the_sink(seed, n):
    A, B = random_causal(seed, n, temperature=0.5), random_causal(seed + 1, n)
    for C in (A, A @ B):
        assert dobrushin(C) == pytest.approx(1 - C[:, 0].min(), abs=1e-14)
    assert "one column" in spectral_report(A).notes["dobrushin"]
    A[n // 2] = np.eye(n)[n // 2]  # any point mass, not only the first row, has this effect
    j = n // 2
    free = random_weights(seed + 2, n, n)
    free[0] = np.eye(n)[j]
    assert dobrushin(free) == pytest.approx(1 - free[:, j].min(), abs=1e-14)


def test_L5_2_dobrushin_is_zero_exactly_for_equal_rows(rng):
    row = softmax(rng.standard_normal(5))
    assert dobrushin(np.tile(row, (4, 1))) == 0
    assert dobrushin(np.vstack([row, softmax(rng.standard_normal(5))])) > 0
    assert dobrushin([[1.0]]) == 0


@given(seeds, st.integers(2, 6), st.integers(1, 5))
def test_rank_collapse_when_every_weight_is_at_least_alpha(seed, n, layers):
    """osc(A_L … A_1 v) ≤ (1 − nα)^L osc(v)."""
    stack = random_weights(seed, layers, n, n)
    v = np.random.default_rng(seed).standard_normal(n)
    alpha, out = stack.min(), v
    for A in stack:
        out = A @ out
    assert np.ptp(out) <= (1 - n * alpha) ** layers * np.ptp(v) + 1e-13


def test_mean_pairwise_tv_is_the_mean_of_the_pairs(rng):
    A = random_weights(5, 3, 7, 4)
    for skip in (0, 1, 5):
        expected = [np.mean([tv(p, q) for i, p in enumerate(M[skip:]) for q in M[skip:][:i]]) for M in A]
        assert np.allclose(mean_pairwise_tv(A, skip=skip), expected, atol=1e-14)
    assert (mean_pairwise_tv(A) <= dobrushin(A)).all()
    assert np.isnan(mean_pairwise_tv(A, skip=6)).all() and np.isnan(mean_pairwise_tv(A[0], skip=9))
    causal = random_causal(1, 6)
    other = causal.copy()
    other[3, 1:4] = other[3, [2, 3, 1]]
    assert dobrushin(causal) == pytest.approx(dobrushin(other), abs=1e-14), "blind beyond the first column"
    assert mean_pairwise_tv(causal, skip=1) != pytest.approx(mean_pairwise_tv(other, skip=1), abs=1e-6)


def test_rows_of_half_precision_are_normalised_before_they_are_compared():
    torch = pytest.importorskip("torch")
    low = torch.tensor(np.tri(128) / np.arange(1, 129)[:, None]).bfloat16()
    rows = low.double().numpy()
    rows = rows / rows.sum(1, keepdims=True)
    assert dobrushin(low) == pytest.approx(1 - rows[:, 0].min(), abs=1e-14), "L5.2: the first row is a point mass"
    assert mean_pairwise_tv(low) == pytest.approx(np.mean([tv(rows[i], rows[k]) for i in range(128) for k in range(i)]))
    uniform = torch.tensor([[1.0] * 3, [1.004] * 3]).div(3).bfloat16()  # the same law, stored twice
    uniform[1] = uniform[1] * (1 + 2.0**-7)
    assert uniform[0, 0] != uniform[1, 0]
    assert dobrushin(uniform) < 1e-15 and mean_pairwise_tv(uniform) < 1e-15


# L5.3: what averaging does to the spread


@given(seeds, sizes)
def test_L5_3_the_spectral_norm_is_bounded_by_the_largest_column(seed, n):
    A = random_weights(seed, n, n, temperature=0.4)
    assert np.linalg.norm(A, 2) <= np.sqrt(A.sum(0).max()) + 1e-12
    V = np.random.default_rng(seed).standard_normal((n, 3))
    assert np.abs(A @ V).max() <= np.abs(V).max() + 1e-12
    assert diversity_ratio(A, V) <= np.linalg.norm(A, 2) + 1e-12


def test_T5_5_averaging_can_double_the_spread():
    A = np.zeros((8, 8))
    A[:4, 0] = A[4:, 1] = 1
    v = np.array([1, -1, 0, 0, 0, 0, 0, 0])[:, None] / np.sqrt(2)
    assert np.linalg.norm(A @ v) == pytest.approx(2, abs=1e-15)
    assert diversity_ratio(A, v) == pytest.approx(2, abs=1e-14)
    assert np.linalg.norm(A, 2) == pytest.approx(2, abs=1e-14) == np.sqrt(A.sum(0).max())
    assert np.ptp(A @ v) <= np.ptp(v), "the oscillation does not grow"


@given(seeds, sizes)
def test_L5_3_doubly_stochastic_weights_do_not_expand(seed, n):
    rng = np.random.default_rng(seed)
    mix = softmax(rng.standard_normal(4))
    A = sum(w * np.eye(n)[rng.permutation(n)] for w in mix)
    assert diversity_ratio(A, rng.standard_normal((n, 2))) <= 1 + 1e-12


def test_diversity_ratio_by_the_definition_and_where_it_is_undefined(rng):
    A, V = random_weights(2, 3, 5, 5), rng.standard_normal((3, 5, 2))
    J = np.eye(5) - 1 / 5
    expected = [np.linalg.norm(J @ a @ v) / np.linalg.norm(J @ v) for a, v in zip(A, V)]
    assert np.allclose(diversity_ratio(A, V), expected, atol=1e-13)
    assert np.allclose(diversity_ratio(A, V[0])[1], diversity_ratio(A[1], V[0]), atol=1e-13)
    assert np.allclose(diversity_ratio(A, 1e200 * V), expected, atol=1e-13), "no square overflows"
    assert np.isnan(diversity_ratio(A[0], np.tile(rng.random(50), (5, 1)))), "equal values, whatever rounding leaves"
    assert np.isnan(diversity_ratio([[1.0]], [[3.0]]))
    with pytest.raises(ValueError, match="one row of V for each key"):
        diversity_ratio(A, V[:, :4])


# the random null


def test_T5_6_the_gap_of_random_scores(rng):
    null = random_gap_null(400, 0.5)
    assert null.sigma_2 == pytest.approx(0.0533, abs=5e-5) and null.lambda_2 == pytest.approx(0.0266, abs=5e-5)
    A = softmax(0.5 * rng.standard_normal((400, 400)))
    assert np.linalg.svd(A, compute_uv=False)[1] == pytest.approx(null.sigma_2, rel=0.03)
    assert np.abs(eigenvalues(A))[1] == pytest.approx(null.lambda_2, rel=0.06)
    assert spectral_report(A).slem_gap == pytest.approx(null.slem_gap, abs=0.003)


def test_the_random_null_says_nothing_where_the_scores_spread_too_much():
    assert random_gap_null(400, 0).slem_gap == 1
    assert np.isnan(random_gap_null(100, 3)).all() and np.isnan(random_gap_null(4, 1e3)).all()
    for wrong in ((1, 1.0), (10, -1.0), (10, np.nan)):
        with pytest.raises(ValueError):
            random_gap_null(*wrong)


# magnetic Laplacian


@pytest.mark.parametrize(
    ("q", "spectrum"),
    [(0, [0, 1.5, 1.5]), (1 / 3, [0, 1.5, 1.5]), (1 / 4, [1 - np.sqrt(3) / 2, 1, 1 + np.sqrt(3) / 2])],
)
def test_T5_7_magnetic_spectrum_of_the_three_cycle(q, spectrum):
    assert np.allclose(np.linalg.eigvalsh(magnetic_laplacian(CYCLE, q)), spectrum, atol=1e-14)


def test_the_phase_of_an_arc_i_to_j_is_positive_in_row_i():
    L = magnetic_laplacian(CYCLE, 0.25)  # A_s = 1/2, phase e^{2πi/4} = i
    assert L[0, 1] == pytest.approx(-0.5j, abs=1e-15) and L[1, 0] == pytest.approx(0.5j, abs=1e-15)


@given(seeds, sizes, st.floats(-2, 2))
def test_the_magnetic_laplacian_is_hermitian_and_positive(seed, n, q):
    A = random_weights(seed, n, n)
    L = magnetic_laplacian(A, q)
    assert np.allclose(L, L.conj().T, atol=1e-14)
    values = np.linalg.eigvalsh(L)
    assert values.min() > -1e-12 and values.max() < 2 + 1e-12
    assert np.allclose(magnetic_laplacian(A.T / A.T.sum(1, keepdims=True), 0).imag, 0)
    order = np.random.default_rng(seed).permutation(n)
    assert np.allclose(np.linalg.eigvalsh(magnetic_laplacian(A[np.ix_(order, order)], q)), values, atol=1e-12)


def test_without_charge_it_is_the_normalised_laplacian_of_networkx():
    A = random_weights(1, 6, 6) * (1 - np.eye(6))
    A = A / A.sum(1, keepdims=True)
    expected = nx.normalized_laplacian_matrix(nx.from_numpy_array((A + A.T) / 2)).toarray()
    assert np.allclose(magnetic_laplacian(A, 0), expected, atol=1e-13)
    assert np.abs(magnetic_laplacian(A, 0.2) - expected).max() > 0.01


# hitting times, round trips, diffusion


def test_T4_8_hitting_times_of_the_directed_cycle():
    assert np.allclose(hitting_times(CYCLE), [[0, 1, 2], [2, 0, 1], [1, 2, 0]], atol=1e-13)
    assert np.allclose(commute_times(CYCLE), 3 * (1 - np.eye(3)), atol=1e-13)


def first_steps(A, k):
    """h_i = 1 + Σ_{j≠k} A_ij h_j, target by target."""
    rest = [i for i in range(len(A)) if i != k]
    h = np.zeros(len(A))
    h[rest] = np.linalg.solve(np.eye(len(A) - 1) - A[np.ix_(rest, rest)], np.ones(len(A) - 1))
    return h


@given(seeds, sizes)
def test_hitting_times_equal_the_first_step_equations_and_obey_the_triangle(seed, n):
    A = random_weights(seed, n, n, temperature=0.4)
    H = hitting_times(A)
    assert np.allclose(H, np.stack([first_steps(A, k) for k in range(n)], axis=1), rtol=1e-8)
    assert (np.diag(H) == 0).all() and (H + np.eye(n) > 0).all()
    through = H[:, :, None] + H[None]  # H(i→j) + H(j→k)
    assert (H[:, None, :] <= through * (1 + 1e-9)).all()
    pi = stationary_distribution(A).pi
    assert np.allclose(H @ pi, (H @ pi)[0], rtol=1e-8), "Kemeny's constant does not depend on the start"


@pytest.mark.parametrize("leak", [1e-3, 1e-12, 1e-30, 1e-200])
def test_hitting_times_of_almost_reducible_chains_stay_accurate(leak):
    """Two pairs of tokens joined by a leak, solved by hand."""
    A = np.kron(np.eye(2), np.full((2, 2), 0.5))
    A[1, 2] = A[2, 1] = leak
    H = hitting_times(A / A.sum(1, keepdims=True))
    # From 1: the share leak/(1 + leak) of the visits goes across, the others cost 1 + 1/(1 + leak) steps on average.
    across = (1 + leak) / leak * (1 + 1 / (1 + leak))
    assert H[1, 2] == pytest.approx(across, rel=1e-13) and H[0, 2] == pytest.approx(across + 2, rel=1e-13)
    assert H[0, 1] == pytest.approx(2, rel=1e-13)


def test_infinite_hitting_times_are_undefined():
    H = hitting_times(TRANSIENT)
    assert np.isnan(H[:2, 2:]).all() and np.isnan(H[2, 3]) and H[3, 2] == 1, "3 always steps to 2, 2 may leave for good"
    assert np.allclose(H[:, 0], first_steps(TRANSIENT, 0)) and np.allclose(H[:, 1], first_steps(TRANSIENT, 1))
    steps = np.arange(6)[:, None] - np.arange(6)
    assert np.array_equal(hitting_times(previous_token(6)), np.where(steps >= 0, steps, np.nan), equal_nan=True)
    assert hitting_times(previous_token(6))[5, 0] == 5, "n − 1 steps to the sink (T5.3)"
    assert np.array_equal(np.isnan(hitting_times(TWO_BLOCKS)), TWO_BLOCKS == 0)
    assert hitting_times([[1.0]]).tolist() == [[0.0]]


def test_for_a_causal_head_only_the_way_to_the_first_token_is_defined():
    A, off = random_causal(3, 6), ~np.eye(6, dtype=bool)
    H = hitting_times(A)
    assert np.allclose(H[:, 0], first_steps(A, 0)) and np.isnan(H[:, 1:][off[:, 1:]]).all()
    assert np.isnan(commute_times(A)[off]).all()


@given(seeds, sizes)
def test_a_finite_hitting_time_is_one_that_no_path_can_spoil(seed, n):
    """Second formula on sparse chains: finite where every token that i reaches before k still reaches k."""
    A = sparse_weights(np.random.default_rng(seed), n)
    H = hitting_times(A)
    for k in range(n):
        G = nx.from_numpy_array(A, create_using=nx.DiGraph)
        G.remove_edges_from(list(G.out_edges(k)))
        sure = {i for i in G if all(nx.has_path(G, j, k) for j in nx.descendants(G, i) | {i})}
        assert set(np.flatnonzero(np.isfinite(H[:, k]))) == sure
        some = sorted(sure)
        expected = first_steps(A[np.ix_(some, some)], some.index(k))
        assert np.allclose(H[some, k], expected, rtol=1e-9)


def test_commute_time_of_a_reversible_chain_is_volume_times_resistance(rng):
    W = rng.random((6, 6)) + 0.1
    W = np.triu(W, 1) + np.triu(W, 1).T
    G = nx.from_numpy_array(W)
    resistance = nx.resistance_distance(G, weight="weight", invert_weight=False)
    expected = W.sum() * np.array([[resistance[i][j] for j in range(6)] for i in range(6)])
    assert np.allclose(commute_times(W / W.sum(1, keepdims=True)), expected, rtol=1e-9, atol=1e-9)


@given(seeds, sizes, st.integers(0, 5))
def test_diffusion_distance_equals_the_definition(seed, n, t):
    A = random_weights(seed, n, n)
    pi, P = stationary_distribution(A).pi, np.linalg.matrix_power(A, t)
    D = diffusion_distance(A, t)
    for i in range(n):
        for k in range(n):
            assert D[i, k] == pytest.approx(np.sqrt(sum((P[i] - P[k]) ** 2 / pi)), rel=1e-9, abs=1e-13)
    assert (D[:, None, :] <= D[:, :, None] + D[None] + 1e-12).all()


def test_diffusion_coordinates_of_a_reversible_chain():
    pi = stationary_distribution(T1_8).pi
    root = np.sqrt(pi)
    values, vectors = np.linalg.eigh(root[:, None] * T1_8 / root)
    for t in (1, 3):
        x = vectors / root[:, None] * values**t  # the constant eigenvector drops out of every difference
        expected = np.linalg.norm(x[:, None] - x[None], axis=-1)
        assert np.allclose(diffusion_distance(T1_8, t), expected, atol=1e-13)


def test_diffusion_distance_is_undefined_for_causal_heads_and_needs_whole_steps():
    assert np.isnan(diffusion_distance(CAUSAL, 2)).all()
    with pytest.raises(TypeError):
        diffusion_distance(T1_8, 1.5)
    with pytest.raises(ValueError):
        diffusion_distance(T1_8, -1)
    twins = np.array([[0.2, 0.3, 0.5], [0.2, 0.3, 0.5], [0.6, 0.2, 0.2]])
    assert diffusion_distance(twins, 1)[0, 1] == 0, "only a pseudometric"


# batches, precision, refusals

FUNCTIONS = {
    "eigenvalues": eigenvalues,
    "pi": lambda A: stationary_distribution(A).pi,
    "dobrushin": dobrushin,
    "mean_pairwise_tv": mean_pairwise_tv,
    "diversity_ratio": lambda A: diversity_ratio(A, np.arange(12.0).reshape(4, 3) ** 2),
    "magnetic_laplacian": lambda A: magnetic_laplacian(A, 0.2),
    "hitting_times": hitting_times,
    "commute_times": commute_times,
    "diffusion_distance": lambda A: diffusion_distance(A, 2),
}
MIXED = np.stack(
    [random_weights(0, 4, 4), random_causal(1, 4), TWO_BLOCKS, DE_BRUIJN, TRANSIENT, np.full((4, 4), 0.25)]
).reshape(2, 3, 4, 4)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_batch_equals_its_loop(name):
    batch = FUNCTIONS[name](MIXED)
    for index in np.ndindex(2, 3):
        single = FUNCTIONS[name](MIXED[index])
        single = np.full(4, np.nan) if single is None else single
        assert np.allclose(batch[index], single, rtol=1e-12, atol=1e-12, equal_nan=True)


def test_a_batch_of_reports_equals_its_loop():
    batch = spectral_report(MIXED)
    for index in np.ndindex(2, 3):
        single = spectral_report(MIXED[index])
        for name in (*graph._GAPS, "slem_gap", "dobrushin"):
            value = getattr(single, name)
            assert np.allclose(
                getattr(batch, name)[index], np.nan if value is None else value, atol=1e-12, equal_nan=True
            )
            assert (value is None) == (name in single.reasons)
        for name in ("is_triangular", "is_reversible", "pi_positive", "recurrent_classes"):
            assert getattr(batch, name)[index] == getattr(single, name)
        assert type(single.is_triangular) is bool and type(single.recurrent_classes) is int
    assert batch.reasons["fill_gap"] == (
        "several recurrent classes, so the law π is not unique (1 of 6, first at (0, 2)); "
        "π is zero on some tokens (2 of 6, first at (0, 1))"
    )
    assert batch.reasons["reversible_gap"].count("A is not reversible") == 1
    assert batch.notes["slem_gap"] == "reads only the diagonal: A is triangular (1 of 6, first at (0, 1))"


def test_an_empty_batch_stays_empty():
    empty = np.empty((0, 3, 3))
    assert spectral_report(empty).fill_gap.shape == (0,) and dobrushin(empty).shape == (0,)
    assert hitting_times(empty).shape == (0, 3, 3) and stationary_distribution(empty).pi.shape == (0, 3)


def test_F5_one_token_has_no_gap():
    report = spectral_report([[1.0]])
    for name in (*graph._GAPS, "slem_gap"):
        assert getattr(report, name) is None and "one token" in report.reasons[name]
    assert report.dobrushin == 0 and report.pi_positive and report.notes == {}
    assert np.isnan(spectral_report(np.ones((3, 1, 1))).slem_gap).all()
    assert stationary_distribution([[1.0]]).pi.tolist() == [1.0]
    assert np.isnan(mean_pairwise_tv([[1.0]]))


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_lower_precision_agrees_and_the_input_is_unchanged(dtype):
    A = random_weights(4, 5, 6, 6)
    low = A.astype(dtype)
    low.setflags(write=False)
    before, tolerance = low.tobytes(), 1e-5 if dtype == "float32" else 2e-2
    one, other = spectral_report(A), spectral_report(low)
    for name in ("slem_gap", *WITH_LAW, "dobrushin"):
        assert np.allclose(getattr(one, name), getattr(other, name), atol=tolerance)
    for name in ("eigenvalues", "pi", "mean_pairwise_tv"):
        assert np.allclose(
            np.abs(FUNCTIONS[name](A[:, :4, :4] / A[:, :4, :4].sum(-1, keepdims=True))),
            np.abs(FUNCTIONS[name]((A[:, :4, :4] / A[:, :4, :4].sum(-1, keepdims=True)).astype(dtype))),
            atol=tolerance,
        )
    assert low.tobytes() == before


def test_reversibility_is_judged_at_the_precision_of_the_input():
    W = np.exp(np.random.default_rng(0).standard_normal((6, 6)))
    low = ((W + W.T) / (W + W.T).sum(1, keepdims=True)).astype(np.float32)
    assert spectral_report(low).is_reversible
    assert not spectral_report(low, tolerance=1e-12).is_reversible
    bent = T1_8 + np.array([[0, 1e-3, -1e-3], [0, 0, 0], [0, 0, 0]])
    assert not spectral_report(bent).is_reversible and spectral_report(bent, tolerance=0.01).is_reversible


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_a_sink_does_not_hide_that_the_rest_turns(dtype):
    S = np.random.default_rng(0).standard_normal((20, 32, 32))
    S[..., 0] += 9
    assert not spectral_report(softmax(S).astype(dtype)).is_reversible.any()
    lazy = (1 - 1e-7) * np.eye(3) + 1e-7 * CYCLE + 1e-9
    assert not spectral_report((lazy / lazy.sum(1, keepdims=True)).astype(dtype)).is_reversible


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_reversible_weights_stay_reversible_when_they_are_rounded(dtype):
    torch = pytest.importorskip("torch")
    S = np.random.default_rng(1).standard_normal((50, 6, 6))
    A = torch.tensor(softmax(S + np.swapaxes(S, -1, -2))).to(getattr(torch, dtype))
    assert spectral_report(A).is_reversible.all()


@pytest.mark.parametrize("scale", [1.0, 40.0, 700.0])
def test_weights_of_peaked_heads_give_finite_numbers(scale):
    """Softmax of huge scores holds weights down to the denormal range and exact zeros."""
    for seed in range(20):
        A = softmax(scale * np.random.default_rng(seed).standard_normal((6, 6)))
        report, law = spectral_report(A), stationary_distribution(A)
        assert 0 <= report.slem_gap <= 1 and 0 <= report.dobrushin <= 1
        assert law.pi is None or (np.isfinite(law.pi).all() and law.pi.sum() == pytest.approx(1))
        for name in WITH_LAW:
            value = getattr(report, name)
            assert (value is None and report.reasons[name]) or 0 <= value <= 2 + 1e-9


@pytest.mark.parametrize("name", FUNCTIONS)
def test_refusals(name):
    function = FUNCTIONS[name]
    good = random_weights(0, 4, 4)
    bad = good.copy()
    bad[2, 1] = np.nan
    cases = [
        (bad, "NaN at index"),
        (good * 1.1, "sums to"),
        (good - 1.0, "not negative"),
        (np.empty((0, 0)), "at least"),
    ]
    if name not in ("dobrushin", "mean_pairwise_tv"):
        cases.append((random_weights(0, 3, 4), "cross-attention"))
    for wrong, message in cases:
        with pytest.raises(ValueError, match=message):
            function(wrong)
    with pytest.raises(TypeError):
        function(good + 0j)
    with pytest.raises(TypeError, match="mask"):
        function(np.ma.masked_less(good, 0.2))
    with pytest.raises(ValueError):
        function(good[0])


def test_the_report_refuses_meaningless_options():
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="powers"):
            spectral_report(T1_8, powers=wrong)
    with pytest.raises(TypeError, match="powers"):
        spectral_report(T1_8, powers=1.5)
    with pytest.raises(ValueError, match="skip"):
        mean_pairwise_tv(T1_8, skip=-1)


def test_the_report_prints_an_undefined_gap_as_a_dash():
    text = repr(spectral_report(CAUSAL))
    assert "fill_gap           –" in text and "slem_gap           0.5" in text and "is_triangular      yes" in text
    assert "<table" in spectral_report(CAUSAL)._repr_html_()
