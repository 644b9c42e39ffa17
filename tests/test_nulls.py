"""What each null keeps exactly and what it destroys; intervals over texts; p-values for many heads."""

import itertools
import math
from collections import Counter

import networkx as nx
import numpy as np
import pytest
import scipy.stats

from attention_geometry import nulls
from attention_geometry.attention import causal_mask, entropy, softmax
from attention_geometry.bilinear import bilinear_form, singular_values, symmetry_score
from attention_geometry.heads import previous_token_score
from attention_geometry.nulls import (
    adjusted_p,
    bootstrap_texts,
    degree_preserving,
    design_effect,
    draws_needed,
    gaussian_factors,
    haar_rotated,
    matched_spectrum_cloud,
    max_t,
    mean_over_texts,
    offset_permuted,
    percentile_against,
    row_permuted,
    shuffled_tokens,
    temperature_matched,
)


def some_weights(rng, *shape, mask=None):
    return softmax(2 * rng.standard_normal(shape), mask=mask)


def uniform_over(seen, outcomes):
    """Chi-square test that every outcome is equally likely; the seed is fixed, so it passes or fails for good."""
    counts = Counter(seen)
    assert set(counts) <= set(outcomes)
    return scipy.stats.chisquare([counts[o] for o in outcomes]).pvalue > 1e-3


# factors


def test_gaussian_factors_have_the_stated_law(rng):
    W_Q, W_K = gaussian_factors(40, 10, rng, batch=(50,))
    assert W_Q.shape == W_K.shape == (50, 40, 10)
    for W in (W_Q, W_K):
        assert abs(W.mean()) < 0.01 and abs(W.std() - 40**-0.5) < 0.005
        assert scipy.stats.kstest(W.ravel() * math.sqrt(40), "norm").pvalue > 1e-3
    assert abs(np.corrcoef(W_Q.ravel(), W_K.ravel())[0, 1]) < 0.03
    assert np.std(gaussian_factors(30, 30, 0, std=2.0)) == pytest.approx(2, rel=0.05)


def test_haar_rotation_keeps_the_spectrum_and_destroys_alignment(rng):
    for d, d_k in ((12, 3), (4, 4), (3, 5), (1, 1)):
        W = rng.standard_normal((d, d_k))
        W_Q, turned = haar_rotated(W, W, rng)
        assert np.array_equal(W_Q, W) and W_Q is not W
        assert np.allclose(turned.T @ turned, W.T @ W)
        assert np.allclose(singular_values(W, turned), singular_values(W, W))
    tied = rng.standard_normal((40, 12, 3))
    W_Q, turned = haar_rotated(tied, tied, rng)
    assert np.allclose(symmetry_score(tied, tied), 1)
    assert abs(symmetry_score(W_Q, turned)).max() < 0.9
    assert not np.allclose(np.trace(bilinear_form(W_Q, turned), axis1=1, axis2=2), (tied**2).sum((1, 2)))


def test_haar_rotation_is_uniform(rng):
    """ρ has mean 1/d whatever the head, and a turned unit vector has the coordinates of a uniform direction."""
    d, W = 8, np.repeat(rng.standard_normal((1, 8, 2)), 4000, axis=0)
    W_Q, turned = haar_rotated(W, W, rng)
    B = bilinear_form(W_Q, turned)
    ratio = (B * B.swapaxes(1, 2)).sum() / (B**2).sum()
    assert abs(ratio - 1 / d) < 0.01
    one = haar_rotated(W[:, :, :1], np.eye(8)[:, :1] + 0 * W[:, :, :1], rng)[1][..., 0]
    assert scipy.stats.kstest((one[:, 0] + 1) / 2, scipy.stats.beta(3.5, 3.5).cdf).pvalue > 1e-3
    assert scipy.stats.kstest((one[:, 5] + 1) / 2, scipy.stats.beta(3.5, 3.5).cdf).pvalue > 1e-3
    raw = nulls._haar_frame(np.random.default_rng(0).standard_normal((4000, 2, 2)))
    assert abs((raw[:, 0, 0] > 0).mean() - 0.5) < 0.05  # without the signs of R it would lean to one side


# permutations of one matrix


def test_row_permutation_keeps_each_row_and_destroys_where(rng):
    for mask in (None, causal_mask(7)):
        A = some_weights(rng, 3, 7, 7, mask=mask)
        moved = row_permuted(A, rng, mask=mask)
        assert np.array_equal(np.sort(moved, -1), np.sort(A, -1)) and np.allclose(entropy(moved), entropy(A))
        assert np.array_equal(np.diagonal(moved, axis1=1, axis2=2), np.diagonal(A, axis1=1, axis2=2))
        assert mask is None or not moved[:, ~mask].any()
        assert not np.allclose(moved.sum(1), A.sum(1))
    previous = np.eye(50, k=-1) + np.eye(50)[:, :1] * np.eye(50)[:1]
    assert previous_token_score(previous).value == 1
    assert previous_token_score(row_permuted(previous, rng)).value < 0.2


def test_row_permutation_is_uniform(rng):
    A = np.array([[0.4, 0.1, 0.2, 0.3], *np.full((3, 4), 0.25)])
    seen = [tuple(row_permuted(A, rng)[0, 1:]) for _ in range(1200)]
    assert uniform_over(seen, list(itertools.permutations([0.1, 0.2, 0.3])))


def test_offset_permutation_keeps_each_offset_and_destroys_rows(rng):
    S = rng.standard_normal((3, 6, 6))
    moved = offset_permuted(S, rng)
    for k in range(-5, 6):
        before, after = (np.sort(np.diagonal(M, k, axis1=1, axis2=2)) for M in (S, moved))
        assert np.array_equal(before, after)
    assert not np.allclose(moved.sum(-1), S.sum(-1)) and not np.allclose(moved.sum(-2), S.sum(-2))
    pooled = offset_permuted(S, rng, signed=False)
    distance = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    for k in range(6):
        assert np.array_equal(np.sort(pooled[:, distance == k]), np.sort(S[:, distance == k]))
    back = np.diagonal(pooled, -1, axis1=1, axis2=2)
    assert not np.array_equal(np.sort(back), np.sort(np.diagonal(S, -1, axis1=1, axis2=2)))


def test_offset_permutation_keeps_to_the_mask(rng):
    mask = causal_mask(6) & (np.arange(6) != 2)
    S = np.where(mask, rng.standard_normal((6, 6)), -np.inf)
    moved = offset_permuted(S, rng, mask=mask)
    assert np.array_equal(np.isneginf(moved), ~mask) and np.isfinite(softmax(moved, mask=mask)).all()
    profile = np.subtract.outer(np.arange(6), np.arange(6))
    S = profile * 1.5  # scores that are a function of the offset do not move
    assert np.array_equal(offset_permuted(S, rng), S)


def test_offset_permutation_is_uniform(rng):
    S = np.diag([1.0, 2.0, 3.0])
    seen = [tuple(np.diag(offset_permuted(S, rng))) for _ in range(1200)]
    assert uniform_over(seen, list(itertools.permutations([1.0, 2.0, 3.0])))


@pytest.mark.parametrize("null", [row_permuted, offset_permuted, lambda A, rng: temperature_matched(A, rng).weights])
def test_a_batch_is_the_loop_with_one_generator(rng, null):
    A = some_weights(rng, 2, 3, 5, 5)
    batch, loop = null(A, np.random.default_rng(7)), np.random.default_rng(7)
    assert all(np.allclose(batch[i, j], null(A[i, j], loop), atol=1e-12) for i, j in np.ndindex(2, 3))
    assert np.array_equal(batch, null(A, 7)) and not np.array_equal(batch, null(A, 8))
    assert not np.array_equal(batch[0, 0] - A[0, 0], batch[0, 1] - A[0, 1])


def test_noise_has_the_flatness_of_the_head(rng):
    for mask in (None, causal_mask(9)):
        A = softmax(np.array([0.1, 1.0, 8.0])[:, None, None] * rng.standard_normal((3, 9, 9)), mask=mask)
        noise = temperature_matched(A, rng, mask=mask)
        assert np.allclose(entropy(noise.weights).mean(-1), entropy(A).mean(-1), atol=1e-12)
        assert np.allclose(softmax(noise.scores, mask=mask), noise.weights)
        assert noise.temperature.shape == (3,) and (np.diff(noise.temperature) < 0).all()
        assert not np.allclose(entropy(noise.weights), entropy(A)) and not np.allclose(noise.weights, A)


def test_noise_at_the_two_ends(rng):
    flat, sharp = temperature_matched(np.full((5, 5), 0.2), rng), temperature_matched(np.eye(5), rng)
    assert np.allclose(flat.weights, 0.2) and np.array_equal(np.sort(sharp.weights, -1)[:, -1], np.ones(5))
    assert isinstance(flat.temperature, float) and flat.temperature > 1e6 > 1e-3 > sharp.temperature
    padded = np.zeros((5, 5))
    padded[2:, 2:] = some_weights(rng, 3, 3)
    noise = temperature_matched(padded, rng, mask=np.outer(np.arange(5) > 1, np.arange(5) > 1)).weights
    assert not noise[:2].any() and not noise[:, :2].any()
    assert math.isclose(entropy(noise[2:]).mean(), entropy(padded[2:]).mean(), abs_tol=1e-12)


def test_shuffled_tokens(rng):
    seen = [tuple(shuffled_tokens(5, rng, fixed=[0, -1])) for _ in range(1200)]
    assert uniform_over(seen, [(0, *p, 4) for p in itertools.permutations([1, 2, 3])])
    assert shuffled_tokens(1, 0).tolist() == [0] and shuffled_tokens(3, 0, fixed=range(3)).tolist() == [0, 1, 2]


# graphs


def test_rewiring_keeps_degrees_loops_and_data_and_destroys_triangles():
    caveman = nx.connected_caveman_graph(8, 5)
    caveman.add_edge(0, 0, weight=7.0)
    caveman.nodes[3]["token"] = "x"
    caveman.graph["text"] = "y"
    before = nx.to_edgelist(caveman)
    H = degree_preserving(caveman, rng=0)
    assert dict(H.degree) == dict(caveman.degree) and list(H) == list(caveman)
    assert H.nodes[3] == {"token": "x"} and H.edges[0, 0] == {"weight": 7.0} and H.graph == {"text": "y"}
    assert sum(nx.triangles(H).values()) < 0.5 * sum(nx.triangles(caveman).values())
    assert list(nx.to_edgelist(caveman)) == list(before) and nx.number_of_selfloops(H) == 1


def test_directed_rewiring_keeps_both_degrees_and_the_weights_that_leave(rng):
    A = some_weights(rng, 12, 12)
    G = nx.from_numpy_array(np.where(A > 0.08, A, 0), create_using=nx.DiGraph)
    H = degree_preserving(G, rng)
    assert type(H) is nx.DiGraph and set(H.edges) != set(G.edges)
    assert dict(H.in_degree) == dict(G.in_degree) and dict(H.out_degree) == dict(G.out_degree)
    for node in G:
        leaving = [sorted(d["weight"] for *_, d in graph.out_edges(node, data=True)) for graph in (G, H)]
        assert leaving[0] == leaving[1]
    strength = [dict(graph.in_degree(weight="weight")) for graph in (G, H)]
    assert any(not math.isclose(strength[0][node], strength[1][node]) for node in G)


def test_rewiring_reaches_every_graph_equally_often(rng):
    """All graphs with the degrees of a small one, listed by hand: a hexagon or two triangles; a directed triangle."""
    hexagon = nx.cycle_graph(6)
    labelled = [
        frozenset(map(frozenset, edges))
        for edges in itertools.combinations(itertools.combinations(range(6), 2), 6)
        if all(sum(v in e for e in edges) == 2 for v in range(6))
    ]
    assert len(labelled) == 70  # 60 hexagons and 10 pairs of triangles
    seen = [frozenset(map(frozenset, degree_preserving(hexagon, rng).edges)) for _ in range(3500)]
    assert uniform_over(seen, labelled)
    triangle = nx.DiGraph([(0, 1), (1, 2), (2, 0)])
    seen = [tuple(sorted(degree_preserving(triangle, rng).edges)) for _ in range(600)]
    assert uniform_over(seen, [((0, 1), (1, 2), (2, 0)), ((0, 2), (1, 0), (2, 1))])


def test_directed_rewiring_reaches_every_graph_equally_often(rng):
    G = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 1)])
    degrees = [dict(G.in_degree), dict(G.out_degree)]
    pairs = list(itertools.permutations(range(4), 2))
    outcomes = []
    for edges in itertools.combinations(pairs, 5):
        H = nx.DiGraph(edges)
        if len(H) == 4 and [dict(H.in_degree), dict(H.out_degree)] == degrees:
            outcomes.append(tuple(sorted(edges)))
    assert len(outcomes) > 3
    assert uniform_over([tuple(sorted(degree_preserving(G, rng).edges)) for _ in range(2000)], outcomes)


def test_graphs_that_their_degrees_fix_come_back(rng):
    for G in (nx.complete_graph(5), nx.star_graph(4), nx.empty_graph(3), nx.path_graph(2), nx.DiGraph()):
        assert set(degree_preserving(G, rng).edges) == set(G.edges)
    for wrong in (nx.MultiGraph([(0, 1)]), np.eye(3), None):
        with pytest.raises(TypeError, match="networkx"):
            degree_preserving(wrong, rng)


# clouds


@pytest.mark.parametrize("shape", [(30, 4), (5, 8), (6, 6), (2, 3), (1, 3), (3, 10, 4)])
def test_matched_cloud_keeps_the_spectrum_and_destroys_mean_and_axes(rng, shape):
    X = rng.standard_normal(shape) * 10.0 ** np.arange(shape[-1]) + 50
    Z = matched_spectrum_cloud(X, rng)
    centred = X - X.mean(-2, keepdims=True)
    sizes = np.linalg.svd(centred, compute_uv=False)
    assert Z.shape == X.shape
    assert np.allclose(np.linalg.svd(Z, compute_uv=False), sizes, atol=1e-12 * max(1, sizes.max()))
    assert np.abs(Z.mean(-2)).max() < 1e-12 * max(1, sizes.max())
    if shape == (30, 4):
        assert centred.std(0)[3] > 100 * centred.std(0)[0] and Z.std(0)[3] < 100 * Z.std(0)[0]


def test_matched_cloud_is_isotropic_in_both_senses(rng):
    """Axes: each coordinate carries the same expected variance. Points: exchangeable, apart from the centring."""
    X = rng.standard_normal((6, 3)) * [10, 1, 0.1]
    Z = np.stack([matched_spectrum_cloud(X, rng) for _ in range(3000)])
    total = ((X - X.mean(0)) ** 2).sum()
    assert np.allclose((Z**2).mean(0), total / 18, rtol=0.12)
    assert np.allclose((Z[:, 0] * Z[:, 1]).mean(0), -total / 18 / 5, rtol=0.25)


# the bootstrap


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize(
    "statistic", [mean_over_texts, lambda v: np.std(v, axis=0, ddof=1), lambda v: np.median(v, axis=0)]
)
def test_bootstrap_against_scipy(rng, method, statistic):
    values = rng.exponential(size=(25, 2))
    found = bootstrap_texts(values, statistic, rng=1, method=method)
    for h in range(2):
        peer = scipy.stats.bootstrap(
            (values[:, h],), statistic, n_resamples=2000, method=method, rng=np.random.default_rng(1), vectorized=False
        )
        ends = peer.confidence_interval  # the same draws: both take integers(25, size=(2000, 25)) from the seed
        assert math.isclose(found.low[h], ends.low) and math.isclose(found.high[h], ends.high)
        assert math.isclose(found.standard_error[h], peer.standard_error)


def test_bootstrap_exact_for_two_texts():
    """Two texts: the mean of a draw is 0, ½ or 1 with probabilities ¼, ½, ¼."""
    found = bootstrap_texts([0.0, 1.0], rng=0, resamples=20_000, confidence=0.4)
    assert (found.estimate, found.low, found.high) == (0.5, 0.5, 0.5)
    wide = bootstrap_texts([0.0, 1.0], rng=0, resamples=20_000, confidence=0.6)
    assert (wide.low, wide.high) == (0.0, 1.0)
    assert abs(wide.standard_error - math.sqrt(1 / 8)) < 0.005


def test_bootstrap_shares_draws_between_heads_and_takes_records(rng):
    values = rng.standard_normal((12, 4))
    both = bootstrap_texts(np.concatenate([values, values], 1), rng=0)
    assert np.array_equal(both.low[:4], both.low[4:]) and both.texts == 12
    records = [{"score": v} for v in values[:, 0]]
    looked_up = bootstrap_texts(np.arange(12), lambda v: np.mean([records[i]["score"] for i in v.astype(int)]), rng=0)
    assert math.isclose(looked_up.low, both.low[0])


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bootstrap_covers(rng, method):
    hits = 0
    for _ in range(300):
        found = bootstrap_texts(rng.standard_normal(20), rng=rng, resamples=400, method=method)
        hits += found.low <= 0 <= found.high
    assert 0.87 < hits / 300 < 0.97  # a little short of 95 % with 20 texts, as the docstring warns


def test_bca_says_when_the_jackknife_is_undefined():
    def mean_of_four(v):
        return v.mean(0) if len(v) > 3 else np.full(v.shape[1:], np.nan)[()]

    found = bootstrap_texts([1.0, 2.0, 3.0, 6.0], mean_of_four, rng=0, method="bca")
    assert found.low is None and found.high is None and found.standard_error > 0
    assert "one text left out" in found.reasons["low"] and found.reasons["low"] == found.reasons["high"]
    assert bootstrap_texts([1.0, 2.0, 3.0, 6.0], mean_of_four, rng=0).reasons == {}
    flat = bootstrap_texts([1.0, 1.0, 1.0], rng=0, method="bca").reasons
    assert "one text left out" not in str(flat)


@pytest.mark.parametrize("confidence", [0, 1.0])
def test_confidence_lies_strictly_between_0_and_1(confidence):
    with pytest.raises(ValueError, match="confidence is"):
        bootstrap_texts([1.0, 2.0], rng=0, confidence=confidence)


def test_bootstrap_where_undefined():
    one = bootstrap_texts([3.0], rng=0)
    assert one.estimate == 3 and one.low is None and one.high is None and one.standard_error is None
    assert all("one text" in one.reasons[f] for f in ("low", "high", "standard_error"))
    same = bootstrap_texts(np.full(5, 2.0), rng=0, method="bca")
    assert (same.low, same.high, same.standard_error) == (2, 2, 0)
    lost = bootstrap_texts([1.0, 2.0, 3.0], lambda v: np.nan if v.std() == 0 else v.mean(), rng=0)
    assert lost.estimate == 2 and lost.low is None and "undefined for a draw" in lost.reasons["low"]
    side = bootstrap_texts(np.arange(9.0), lambda v: 1.0 * len(set(v.tolist())), rng=0, resamples=50, method="bca")
    assert side.low is None and "one side" in side.reasons["low"]
    batch = bootstrap_texts([[1.0, 2.0]], rng=0)
    assert np.isnan(batch.low).all() and "2 of 2" in batch.reasons["low"]
    with pytest.raises(ValueError, match="NaN"):
        bootstrap_texts([1.0, np.nan], rng=0)
    with pytest.raises(ValueError, match="at least one text"):
        bootstrap_texts([], rng=0)
    with pytest.raises(ValueError, match="'bca'"):
        bootstrap_texts([1.0, 2.0], rng=0, method="basic")


# p-values


def test_percentile_and_p_by_hand():
    found = percentile_against(3.0, [0.0, 1.0, 2.0, 3.0, 5.0])
    assert (found.p_upper, found.p_lower, found.p_two_sided) == (3 / 6, 5 / 6, 1)
    assert found.percentile == 70 and math.isclose(found.difference, 3 - 2.2) and found.draws == 5
    beyond = percentile_against(99.0, np.arange(99.0))
    assert beyond.percentile == 100 and beyond.p_upper == 1 / 100 != 0 and beyond.p_two_sided == 0.02
    batch = percentile_against([3.0, 9.0], np.array([[0, 1, 2, 3, 5.0], [0, 1, 2, 3, 5.0]]).T)
    assert batch.p_upper.tolist() == [3 / 6, 1 / 6] and batch.percentile.tolist() == [70, 100]


def test_p_values_are_uniform_under_the_null(rng):
    p = [
        percentile_against(x, null).p_upper
        for x, null in zip(rng.standard_normal(2000), rng.standard_normal((2000, 19)))
    ]
    assert uniform_over([round(20 * v) for v in p], list(range(1, 21)))


def test_ties_by_rounding_count():
    assert percentile_against(0.1 + 0.2, [0.3, 0.3, 0.3]).p_upper == 1
    assert percentile_against(0.3, [0.1 + 0.2] * 3).p_lower == 1
    assert percentile_against(0.3 + 1e-9, [0.3] * 3).p_upper == 1 / 4


def test_ties_around_zero_are_as_wide_as_the_rounding():
    assert percentile_against(0.0, [1e-17, -1e-17, 0.0]).p_upper == 1
    found = percentile_against(0.0, [1.0, -1.0, -1e-13])  # 1e-12 of the largest
    assert (found.p_upper, found.p_lower) == (0.75, 0.75)
    assert percentile_against(0.0, [1.0, -1.0, -1e-11]).p_upper == 0.5
    value, null = np.array([0.0, 0.0]), np.array([[1.0, 1e-5], [-1e-13, -1e-13]])
    assert percentile_against(value, null).p_upper.tolist() == [1.0, 2 / 3]  # each head at its own scale


def test_percentile_refuses_and_says_undefined():
    single = percentile_against(1.0, [0.0])
    assert single.null_sd is None and "one draw" in single.reasons["null_sd"]
    for value, null in ((1.0, []), ([1.0, 2.0], [1.0, 2.0]), (1.0, [[1.0], [2.0]])):
        with pytest.raises(ValueError, match="shapes"):
            percentile_against(value, null)


def test_max_t_by_hand_and_by_definition(rng):
    p = max_t([1.0, 3.0], null=[[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    assert p.tolist() == [2 / 4, 1 / 4]
    wild = max_t([3.0, 2.9], null=[[5.0, 0.0], [5.0, 0.0], [0.0, 0.0]])  # a lower rank cannot be more significant
    assert wild.tolist() == [3 / 4, 3 / 4]
    observed, null = rng.standard_normal(6) + 1, rng.standard_normal((200, 6))
    expected, running = np.empty(6), 0.0
    order = sorted(range(6), key=lambda h: -observed[h])
    for rank, h in enumerate(order):
        largest = null[:, order[rank:]].max(1)
        running = max(running, (1 + (largest >= observed[h]).sum()) / 201)
        expected[h] = running
    assert np.allclose(max_t(observed, null), expected)


def test_max_t_controls_any_false_finding_and_uses_dependence(rng):
    false = [max_t(rng.standard_normal(10), rng.standard_normal((99, 10))).min() <= 0.05 for _ in range(1000)]
    assert 0.03 < np.mean(false) < 0.07
    null = rng.standard_normal((999, 1))
    copies = max_t(np.full(10, 2.5), np.repeat(null, 10, axis=1))
    single = percentile_against(2.5, null[:, 0]).p_upper
    assert np.allclose(copies, single) and adjusted_p(np.full(10, single), method="bonferroni")[0] > 5 * single


def test_max_t_refuses():
    for observed, null in (([1.0], [[1.0, 2.0]]), ([], np.zeros((3, 0))), ([1.0], np.zeros((0, 1)))):
        with pytest.raises(ValueError, match="shapes"):
            max_t(observed, null)


@pytest.mark.parametrize("method", ["bh", "by"])
def test_false_discovery_against_scipy(rng, method):
    for k in (1, 2, 30):
        p = rng.random(k) ** 3
        p[: k // 3] = 0.01  # ties
        assert np.allclose(adjusted_p(p, method=method), scipy.stats.false_discovery_control(p, method=method))


def test_adjusted_p_by_hand_and_refusals():
    p = [0.01, 0.04, 0.03, 0.9]
    assert np.allclose(adjusted_p(p, method="bh"), [0.04, 0.16 / 3, 0.16 / 3, 0.9])
    assert np.allclose(adjusted_p(p, method="bonferroni"), [0.04, 0.16, 0.12, 1])
    assert np.allclose(adjusted_p(p, method="by")[0], 0.04 * (1 + 1 / 2 + 1 / 3 + 1 / 4))
    assert adjusted_p([], method="bh").shape == (0,)
    for wrong, method in (([1.2], "bh"), ([-0.1], "bh"), ([0.5], "holm")):
        with pytest.raises(ValueError, match="method"):
            adjusted_p(wrong, method=method)


def test_draws_needed_for_144_heads():
    assert draws_needed(144) == 2879
    for tests, level in ((144, 0.05), (1, 0.05), (216, 0.01), (3, 1 / 3), (7, 0.1)):
        m = draws_needed(tests, level=level)
        assert 1 / (1 + m) <= level / tests * (1 + 1e-12) and (m == 0 or 1 / m > level / tests)


def test_design_effect_by_hand_and_by_simulation(rng):
    assert math.isclose(design_effect(100, 0.1), 10.9) and round(2000 / design_effect(100, 0.1)) == 183
    assert design_effect(1, 0.7) == 1 and design_effect(50, 0.0) == 1 and design_effect(9, 1.0) == 9
    shared = math.sqrt(0.3) * rng.standard_normal((4000, 1)) + math.sqrt(0.7) * rng.standard_normal((4000, 20))
    assert math.isclose(shared.mean(1).var() * 20, design_effect(20, 0.3), rel_tol=0.1)
    with pytest.raises(ValueError, match="rho"):
        design_effect(3, -0.6)


# seeds


DRAWS = {
    "gaussian_factors": lambda rng: gaussian_factors(3, 2, rng),
    "haar_rotated": lambda rng: haar_rotated(np.eye(3), np.eye(3), rng),
    "row_permuted": lambda rng: row_permuted(softmax(np.arange(16.0).reshape(4, 4) ** 2 / 50), rng),
    "offset_permuted": lambda rng: offset_permuted(np.arange(9.0).reshape(3, 3), rng),
    "temperature_matched": lambda rng: temperature_matched([[0.6, 0.4], [0.6, 0.4]], rng).weights,
    "shuffled_tokens": lambda rng: shuffled_tokens(9, rng),
    "degree_preserving": lambda rng: sorted(degree_preserving(nx.cycle_graph(9), rng).edges),
    "matched_spectrum_cloud": lambda rng: matched_spectrum_cloud(np.eye(3), rng),
    "bootstrap_texts": lambda rng: bootstrap_texts([1.0, 2.0, 4.0], rng=rng, resamples=20).standard_error,
}


@pytest.mark.parametrize("name", DRAWS)
def test_the_seed_is_asked_for_and_decides(name):
    with pytest.raises(ValueError, match="rng is None"):
        DRAWS[name](None)
    before = np.random.get_state()[1].copy()
    first, again = (DRAWS[name](3) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(np.atleast_1d(first), np.atleast_1d(again)))
    assert np.array_equal(np.random.get_state()[1], before)  # the global generator is not touched
