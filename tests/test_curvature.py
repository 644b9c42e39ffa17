"""Curvature: the table of closed forms, second formulas, directed graphs, and graphs that break other tools.

Labels T8.… are those of the mathematics. Oracles: the full linear program without any cancellation, POT on the full
problem, sets of neighbours counted one by one, and the definition of the limit.
"""

import functools
import itertools
import multiprocessing
import os
import subprocess
import sys
from fractions import Fraction

import networkx as nx
import numpy as np
import ot
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment, linprog
from scipy.sparse.csgraph import shortest_path

from attention_geometry import _transport
from attention_geometry._transport import wasserstein
from attention_geometry.attention import causal_mask, softmax
from attention_geometry.curvature import (
    balanced_forman,
    edge_values,
    forman,
    lin_lu_yau,
    ollivier_ricci,
    row_curvature,
)
from attention_geometry.graph import attention_graph, dobrushin

SOLVERS = ("pot", "scipy", "numba")
EXACT = 1e-12


def linear_program(p, q, D):
    """W₁ as the whole linear program over n × n plans: nothing cancelled, nothing shared with the package."""
    n = len(p)
    equations = np.zeros((2 * n, n * n))
    for u, v in itertools.product(range(n), repeat=2):
        equations[u, u * n + v] = equations[n + v, u * n + v] = 1
    found = linprog(np.ravel(D), A_eq=equations[:-1], b_eq=np.concatenate([p, q])[:-1])
    assert found.status == 0
    return found.fun


def full_curvature(A, D):
    n = len(A)
    pairs = itertools.product(range(n), repeat=2)
    K = [np.nan if i == j else 1 - linear_program(A[i], A[j], D) / D[i, j] for i, j in pairs]
    return np.reshape(K, (n, n))


def rows(rng, *shape, spread=1.5):
    return softmax(spread * rng.standard_normal(shape))


def lazy(W, alpha):
    W = np.asarray(W, dtype=float)
    return alpha * np.eye(len(W)) + (1 - alpha) * W / W.sum(1, keepdims=True)


def random_graph(seed, *, directed=False):
    """A connected graph on 5 to 9 nodes."""
    rng = np.random.default_rng(seed)
    while True:
        n, p = int(rng.integers(5, 10)), rng.uniform(0.3, 0.9)
        G = nx.gnp_random_graph(n, p, seed=int(rng.integers(2**31)), directed=directed)
        if nx.is_strongly_connected(G) if directed else nx.is_connected(G):
            return G


def euclidean(rng, n):
    X = rng.standard_normal((n, 3))
    return np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))


def on_every_edge(G, K):
    return np.array(list(edge_values(K, G).values()))


# T8.1: the closed forms


def case(name, G, edge, *values):
    return pytest.param(G, edge, [float(Fraction(v)) for v in values], id=name)


T8_1 = [  # plain, augmented, κ₀, κ_½, Lin–Lu–Yau, balanced; edge None: every edge
    case("K2", nx.complete_graph(2), None, 2, 2, 0, 1, 2, 0),
    *(
        case(
            f"K{n}", nx.complete_graph(n), None,
            6 - 2 * n, n, Fraction(n - 2, n - 1), Fraction(n, 2 * n - 2), Fraction(n, n - 1), Fraction(n, n - 1),
        )
        for n in range(3, 9)
    ),
    case("C4", nx.cycle_graph(4), None, 0, 0, 0, "1/2", 1, 1),
    case("C5", nx.cycle_graph(5), None, 0, 0, 0, "1/4", "1/2", 0),
    *(case(f"C{n}", nx.cycle_graph(n), None, 0, 0, 0, 0, 0, 0) for n in range(6, 10)),
    case("path interior", nx.path_graph(7), (2, 3), 0, 0, 0, 0, 0, 0),
    case("path end", nx.path_graph(7), (0, 1), 1, 1, 0, "1/2", 1, 0),
    *(
        case(f"star {m}", nx.star_graph(m), None, 3 - m, 3 - m, 0, Fraction(1, m), Fraction(2, m), 0)
        for m in range(2, 7)
    ),
    case("binary tree interior", nx.balanced_tree(2, 4), (1, 3), -2, -2, "-2/3", "-1/3", "-2/3", "-2/3"),
    case("grid interior", nx.grid_2d_graph(7, 7), ((3, 3), (3, 4)), -4, -4, 0, 0, 0, 0),
    case("grid corner", nx.grid_2d_graph(7, 7), ((0, 0), (0, 1)), -1, -1, 0, "1/6", "1/3", "1/3"),
    *(
        case(
            f"Q{d}", nx.hypercube_graph(d), None,
            4 - 2 * d, 4 - 2 * d, 0, Fraction(1, d), Fraction(2, d), Fraction(2, d),
        )
        for d in range(2, 6)
    ),
    *(
        case(
            f"barbell {m}", nx.barbell_graph(m, 0), (m - 1, m),
            4 - 2 * m, 4 - 2 * m, Fraction(4, m) - 2, Fraction(2, m) - 1, Fraction(4, m) - 2, Fraction(4, m) - 2,
        )
        for m in range(3, 7)
    ),
    case("Petersen", nx.petersen_graph(), None, -2, -2, "-1/3", 0, 0, "-2/3"),
]  # fmt: skip


@pytest.mark.parametrize(("G", "edge", "expected"), T8_1)
def test_T8_1_closed_forms(G, edge, expected):
    results = [
        forman(G),
        forman(G, "augmented"),
        ollivier_ricci(G, alpha=0),
        ollivier_ricci(G, alpha=0.5),
        lin_lu_yau(G),
        balanced_forman(G),
    ]
    for K, value in zip(results, expected, strict=True):
        found = edge_values(K, G)
        found = list(found.values()) if edge is None else found[edge]
        np.testing.assert_allclose(found, value, atol=EXACT)


@pytest.mark.parametrize("solver", ["scipy", "numba"])
@pytest.mark.parametrize(("G", "edge", "expected"), T8_1)
def test_T8_1_the_other_solvers(G, edge, expected, solver):
    for alpha, value in ((0, expected[2]), (0.5, expected[3])):
        found = edge_values(ollivier_ricci(G, alpha=alpha, solver=solver), G)
        np.testing.assert_allclose(list(found.values()) if edge is None else found[edge], value, atol=EXACT)


def test_T8_1_rankings_depend_on_the_idleness_and_signs_on_the_definition():
    complete = [nx.complete_graph(n) for n in range(4, 9)]
    still = [ollivier_ricci(G, alpha=0)[0, 1] for G in complete]
    lazy_walk = [ollivier_ricci(G, alpha=0.5)[0, 1] for G in complete]
    assert (np.diff(still) > 0).all() and (np.diff(lazy_walk) < 0).all()
    assert all(forman(G)[0, 1] < 0 for G in complete)


@pytest.mark.parametrize("seed", range(10))
def test_trees_have_the_curvature_of_jost_and_liu(seed):
    G = nx.random_labeled_tree(12, seed=seed)
    degree = dict(G.degree)
    for (x, y), k0 in edge_values(ollivier_ricci(G, alpha=0), G).items():
        assert k0 == pytest.approx(-2 * max(0.0, 1 - 1 / degree[x] - 1 / degree[y]), abs=EXACT)
    for (x, y), k in edge_values(lin_lu_yau(G), G).items():
        assert k == pytest.approx(2 / degree[x] + 2 / degree[y] - 2, abs=EXACT)


# T8.2, T8.3: rows of attention, and the threshold that flips a sign


def neighbours(K):
    return np.diagonal(K, 1)


def test_T8_2_rows_against_positions():
    n = 7
    causal = np.tril(np.ones((n, n))) / np.arange(1, n + 1)[:, None]
    sink = np.zeros((n, n))
    sink[:, 0] = 1
    previous = np.eye(n, k=-1)
    previous[0, 0] = 1
    for A, expected in (
        (causal, np.full(n - 1, 0.5)),
        (sink, np.ones(n - 1)),
        (np.eye(n), np.zeros(n - 1)),
        (previous, [1, *np.zeros(n - 2)]),
    ):
        np.testing.assert_allclose(neighbours(row_curvature(A, "positions")), expected, atol=EXACT)


def six_tokens():
    A = np.full((6, 6), 0.01)
    A[:3, :3] = A[3:, 3:] = 0.30
    A[2, 3] = A[3, 2] = 0.08
    A[np.diag_indices(6)] = [0.37, 0.37, 0.30, 0.30, 0.37, 0.37]
    return A


def test_T8_3_the_threshold_flips_the_sign_of_the_bridge():
    A = six_tokens()
    np.testing.assert_allclose([A.sum(0), A.sum(1)], 1)
    for threshold, expected in ((0.005, 6 / 5), (0.05, -2 / 3), (0.1, np.nan)):
        G = attention_graph(A, threshold=threshold, symmetrise="and", loops=False)
        np.testing.assert_allclose(lin_lu_yau(G, measure="uniform")[2, 3], expected, atol=EXACT)
    assert nx.is_isomorphic(attention_graph(A, threshold=0.05, symmetrise="and", loops=False), nx.barbell_graph(3, 0))
    K = row_curvature(A, "discrete")
    np.testing.assert_allclose([K[2, 3], K[0, 1], K[0, 5]], [0.20, 0.93, 0.06], atol=EXACT)


@pytest.mark.parametrize("n", [2, 3, 8])
def test_the_least_discrete_curvature_is_one_minus_dobrushin(rng, n):
    A = rows(rng, 5, n, n)
    least = np.nanmin(row_curvature(A, "discrete"), axis=(-1, -2))
    np.testing.assert_allclose(least, 1 - dobrushin(A), atol=EXACT)


def test_closed_forms_equal_the_linear_program(rng):
    n = 5
    A = rows(rng, n, n)
    A[1] = A[0]
    discrete, positions = 1 - np.eye(n), np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    np.testing.assert_allclose(row_curvature(A, "discrete"), full_curvature(A, discrete), atol=1e-10)
    np.testing.assert_allclose(row_curvature(A, "positions"), full_curvature(A, positions), atol=1e-10)
    for solver in SOLVERS:
        for name, d in (("discrete", discrete), ("positions", positions)):
            np.testing.assert_allclose(row_curvature(A, d, solver=solver), row_curvature(A, name), atol=EXACT)
    d = euclidean(rng, n)
    np.testing.assert_allclose(row_curvature(A, d), full_curvature(A, d), atol=1e-10)


def test_neighbours_suffice_for_the_least_curvature_of_positions(rng):
    A = rows(rng, 20, 9, 9)
    K = row_curvature(A, "positions")
    np.testing.assert_allclose(np.nanmin(K, axis=(-1, -2)), np.diagonal(K, 1, -2, -1).min(-1), atol=EXACT)
    far = row_curvature(A, "discrete")  # the discrete metric is no sum of steps: there they do not
    assert (np.nanmin(far, axis=(-1, -2)) < np.diagonal(far, 1, -2, -1).min(-1) - 1e-3).any()


def test_positive_curvature_contracts_transport(rng):
    n = 6
    d = np.abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(float)
    A = 0.6 * rows(rng, n, n) + 0.4 / n
    least = np.nanmin(row_curvature(A, "positions"))
    assert 0 < least < 1
    for _ in range(50):
        mu, nu = rng.dirichlet(np.full(n, 0.5), size=2)
        before, after = (ot.emd2(a, b, d) for a, b in ((mu, nu), (mu @ A, nu @ A)))
        assert after <= (1 - least) * before + EXACT
    i = int(np.nanargmin(neighbours(row_curvature(A, "positions"))))  # two point masses attain the rate
    assert ot.emd2(A[i], A[i + 1], d) == pytest.approx(1 - least, abs=EXACT)


def test_a_metric_that_is_not_symmetric_is_read_from_row_to_column(rng):
    d = np.array([[0, 1, 3], [2, 0, 2], [1, 2, 0.0]])
    A = rows(rng, 3, 3)
    K = row_curvature(A, d)
    np.testing.assert_allclose(K, full_curvature(A, d), atol=1e-10)
    assert abs(K - K.T)[0, 2] > 1e-3


def test_tokens_at_distance_zero_have_no_curvature():
    A = [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]
    K = row_curvature(A, [[0, 0, 1], [0, 0, 1], [1, 1, 0]])
    assert np.isnan(K[0, 1]) and np.isnan(K[1, 0]) and np.isfinite(K[0, 2])


def test_an_empty_batch_gives_an_empty_batch():
    none = np.zeros((0, 3, 3))
    for f in (ollivier_ricci, forman, balanced_forman, functools.partial(ollivier_ricci, lengths=1 - np.eye(3))):
        assert f(none).shape == (0, 3, 3)
    assert row_curvature(none, "discrete").shape == row_curvature(none, 1 - np.eye(3)).shape == (0, 3, 3)


def test_one_token_has_no_curvature():
    for distance in ("discrete", "positions", [[0.0]]):
        assert np.isnan(row_curvature([[1.0]], distance)).all()


# Ollivier: hand values, second formulas


def test_hand_values_of_K3_and_the_path():
    assert on_every_edge(nx.complete_graph(3), ollivier_ricci(nx.complete_graph(3))).tolist() == [0.75] * 3
    path = nx.path_graph(4)
    np.testing.assert_allclose(on_every_edge(path, ollivier_ricci(path)), [0.5, 0, 0.5], atol=EXACT)
    lengths = nx.to_numpy_array(path)
    lengths[1, 2] = lengths[2, 1] = 0.1
    K = ollivier_ricci(path, lengths=lengths)
    np.testing.assert_allclose(on_every_edge(path, K), [0.725, -4.5, 0.725], atol=EXACT)


def test_a_library_that_reads_weights_as_lengths_gives_another_number():
    """−1.98 on the shortened edge comes from neighbour masses ∝ exp(−length²), here stated as a step law."""
    path = nx.path_graph(4)
    lengths = nx.to_numpy_array(path)
    lengths[1, 2] = lengths[2, 1] = 0.1
    law = np.where(lengths > 0, np.exp(-(lengths**2)), 0)
    law /= law.sum(1, keepdims=True)
    assert ollivier_ricci(path, measure=law, lengths=lengths)[1, 2] == pytest.approx(-1.98, abs=0.005)
    A = np.array([[0, 0.9, 0.1], [0.9, 0, 0.1], [0.1, 0.1, 0]])
    inverted = np.exp(-(A[0, 1:] ** 2))
    np.testing.assert_allclose(inverted / inverted.sum(), [0.31, 0.69], atol=0.005)
    K, by_hand = ollivier_ricci(A, alpha=0, measure="weight"), ollivier_ricci(A, alpha=0, measure=lazy(A, 0))
    np.testing.assert_allclose(K, by_hand, atol=EXACT)
    assert K[0, 1] == pytest.approx(0.1)  # the two send 0.9 to each other: W₁ = 0.9


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(6))
def test_every_solver_equals_the_whole_linear_program(seed, solver):
    rng = np.random.default_rng(seed)
    G = random_graph(seed)
    E = nx.to_numpy_array(G)
    W = np.triu(rng.uniform(0.1, 1, E.shape), 1)
    W, L = (W + W.T) * E, np.exp(W + W.T) * E
    d = shortest_path(L)
    for alpha, measure in ((0, "uniform"), (0.3, "weight"), (0.5, rows(rng, *E.shape))):
        P = {"uniform": lazy(E, alpha), "weight": lazy(W, alpha)}.get(str(measure), None)
        P = alpha * np.eye(len(E)) + (1 - alpha) * measure if P is None else P
        K = ollivier_ricci(W, alpha=alpha, measure=measure, lengths=L, solver=solver)
        for (x, y), value in edge_values(K).items():
            assert value == pytest.approx(1 - linear_program(P[x], P[y], d) / d[x, y], abs=1e-10)
            assert K[y, x] == value


@pytest.mark.parametrize("seed", range(4))
def test_directed_graphs_equal_the_whole_linear_program(seed):
    G = random_graph(seed, directed=True)
    E = nx.to_numpy_array(G)
    d, P = shortest_path(E), lazy(E, 0.4)
    for solver in SOLVERS:
        K = ollivier_ricci(G, alpha=0.4, solver=solver)
        assert np.array_equal(np.isfinite(K), E > 0)
        for x, y in np.argwhere(E):
            assert K[x, y] == pytest.approx(1 - linear_program(P[x], P[y], d) / d[x, y], abs=1e-10)


def test_out_measures_on_directed_graphs():
    cycle = nx.DiGraph([(0, 1), (1, 2), (2, 0)])
    assert edge_values(ollivier_ricci(cycle, alpha=0)) == {(0, 1): 0, (1, 2): 0, (2, 0): 0}
    causal = np.tril(np.ones((3, 3)), -1)  # 2 → 1, 2 → 0, 1 → 0; the node 0 points nowhere and keeps its mass
    assert edge_values(ollivier_ricci(causal, alpha=0)) == {(1, 0): 1.0, (2, 0): 0.5, (2, 1): 0.5}


@pytest.mark.parametrize("solver", SOLVERS)
def test_mass_that_cannot_arrive_gives_minus_infinity(solver):
    G = nx.DiGraph([(0, 1), (1, 0), (0, 2), (2, 3)])
    K = ollivier_ricci(G, alpha=0.3, solver=solver)
    assert K[0, 1] == -np.inf  # half of the walk from 0 is lost to 2, from where nothing leads to 0 or 1
    np.testing.assert_allclose([K[1, 0], K[0, 2], K[2, 3]], [0.6, -0.7, 0.7], atol=EXACT)
    assert np.isnan(K).sum() == 16 - 4
    assert lin_lu_yau(G)[0, 1] == -np.inf and edge_values(K)[0, 1] == -np.inf


@pytest.mark.parametrize("seed", range(30))
def test_lin_lu_yau_is_twice_the_half_lazy_curvature(seed):
    G = random_graph(seed)
    twice = lin_lu_yau(G)
    np.testing.assert_allclose(twice, 2 * ollivier_ricci(G, alpha=0.5), atol=EXACT)
    for alpha in (0.6, 0.9, 0.99):
        np.testing.assert_allclose(ollivier_ricci(G, alpha=alpha) / (1 - alpha), twice, atol=1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_lin_lu_yau_is_the_limit_for_every_step_law_and_metric(seed):
    rng = np.random.default_rng(seed)
    G = nx.to_numpy_array(random_graph(seed, directed=True))
    law, lengths = rows(rng, *G.shape), np.exp(rng.standard_normal(G.shape))
    for options in ({"lengths": lengths}, {"metric": euclidean(rng, len(G))}):
        limit = lin_lu_yau(G, measure=law, **options)
        for alpha in (0.5, 0.7, 0.99):
            near = ollivier_ricci(G, alpha=alpha, measure=law, **options) / (1 - alpha)
            np.testing.assert_allclose(near, limit, atol=1e-10)
    early = ollivier_ricci(G, alpha=0.1, measure=law, lengths=lengths) / 0.9  # below ½ the line may bend
    assert np.nanmax(np.abs(early - lin_lu_yau(G, measure=law, lengths=lengths))) > 1e-3


def test_attention_rows_are_one_step_law_among_others(rng):
    n = 5
    A = rows(rng, n, n)
    complete = 1 - np.eye(n)
    d = euclidean(rng, n)
    np.testing.assert_allclose(ollivier_ricci(complete, alpha=0, measure=A, metric=d), row_curvature(A, d), atol=EXACT)


def test_networkx_graphs_and_matrices_agree(rng):
    A = softmax(rng.standard_normal((6, 6)), mask=causal_mask(6))
    G = attention_graph(A, threshold=0.1, symmetrise="or", loops=False)
    W = nx.to_numpy_array(G)
    for f in (
        functools.partial(ollivier_ricci, measure="weight"),
        functools.partial(forman, kind="weighted"),
        balanced_forman,
    ):
        np.testing.assert_array_equal(f(G), f(W))
    named = nx.relabel_nodes(G, dict(enumerate("abcdef")))
    assert set(edge_values(forman(named), named)) == {tuple("abcdef"[i] for i in e) for e in edge_values(forman(W))}


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_units_of_lengths_and_weights_play_no_part(rng, solver):
    n = 6
    A, d = rows(rng, n, n), euclidean(rng, n)
    W, L = (A + A.T) * (1 - np.eye(n)), d + np.eye(n)
    for unit in (1e-300, 1e-9, 1e9, 1e307):
        np.testing.assert_allclose(row_curvature(A, unit * d, solver=solver), row_curvature(A, d), atol=EXACT)
        K = ollivier_ricci(unit * W, measure="weight", lengths=unit * L, solver=solver)
        np.testing.assert_allclose(K, ollivier_ricci(W, measure="weight", lengths=L), atol=EXACT)
    np.testing.assert_allclose(forman(1e300 * W, "weighted"), forman(W, "weighted"), atol=1e-10)


@given(seed=st.integers(0, 10**6))
def test_renaming_the_nodes_renames_the_curvatures(seed):
    rng = np.random.default_rng(seed)
    W = nx.to_numpy_array(random_graph(seed))
    order = rng.permutation(len(W))
    at = np.ix_(order, order)
    for f in (forman, balanced_forman, functools.partial(forman, kind="augmented"), ollivier_ricci, lin_lu_yau):
        np.testing.assert_allclose(f(W[at]), f(W)[at], atol=EXACT)


def test_batches_equal_the_loop(rng):
    A = rows(rng, 2, 3, 5, 5)
    W = (A + np.swapaxes(A, -1, -2)) * (1 - np.eye(5)) * (A > 0.12) * (np.swapaxes(A, -1, -2) > 0.12)
    d, length = euclidean(rng, 5), euclidean(rng, 5) + np.eye(5)
    for f, X in (
        (lambda X: row_curvature(X, "discrete"), A),
        (lambda X: row_curvature(X, "positions"), A),
        (lambda X: row_curvature(X, d), A),
        (lambda X: ollivier_ricci(X, measure="weight", lengths=length), W),
        (lambda X: lin_lu_yau(X, measure="uniform"), W),
        (lambda X: forman(X, "weighted"), W),
        (lambda X: forman(X, "augmented"), W),
        (balanced_forman, W),
    ):
        loop = [[f(X[i, j]) for j in range(3)] for i in range(2)]
        np.testing.assert_allclose(f(X), loop, atol=EXACT)
    metrics = np.stack([d, 2 * d])
    for K, one, metric in zip(row_curvature(A[0, :2], metrics), A[0], metrics, strict=False):
        np.testing.assert_allclose(K, row_curvature(one, metric), atol=EXACT)


# Forman


def forman_by_loops(W, w):
    F = np.full(W.shape, np.nan)
    for u, v in np.argwhere(W):
        e = W[u, v]
        others = [w[u] / np.sqrt(e * W[u, x]) for x in np.flatnonzero(W[u]) if x != v]
        others += [w[v] / np.sqrt(e * W[v, x]) for x in np.flatnonzero(W[v]) if x != u]
        F[u, v] = e * (w[u] / e + w[v] / e - sum(others))
    return F


def balanced_by_sets(G):
    """Topping et al., Definition 1, with sets."""
    B = {}
    for i, j in G.edges:
        N = {x: set(G[x]) for x in G}
        di, dj = len(N[i]), len(N[j])
        if min(di, dj) == 1:
            B[i, j] = 0.0
            continue
        triangles = len(N[i] & N[j])
        cycles_i = {k: len((N[k] & N[j]) - N[i] - {i}) for k in N[i] - N[j] - {j}}
        cycles_j = {k: len((N[k] & N[i]) - N[j] - {j}) for k in N[j] - N[i] - {i}}
        squares = sum(c > 0 for c in [*cycles_i.values(), *cycles_j.values()])
        gamma = max([1, *cycles_i.values(), *cycles_j.values()])
        B[i, j] = 2 / di + 2 / dj - 2 + 2 * triangles / max(di, dj) + triangles / min(di, dj)
        B[i, j] += squares / (gamma * max(di, dj))
    return B


@pytest.mark.parametrize("seed", range(10))
def test_forman_equals_the_loops(seed):
    rng = np.random.default_rng(seed)
    G = random_graph(seed)
    E = nx.to_numpy_array(G)
    W = np.triu(rng.uniform(0.1, 2, E.shape), 1) * E
    W, w = W + W.T, rng.uniform(0.5, 2, len(E))
    np.testing.assert_allclose(forman(W, "weighted", node_weights=w), forman_by_loops(W, w), atol=EXACT)
    np.testing.assert_allclose(forman(W, "weighted"), forman_by_loops(W, np.ones(len(E))), atol=EXACT)
    np.testing.assert_allclose(forman(7 * W, "weighted"), forman(W, "weighted"), atol=1e-10)
    np.testing.assert_allclose(forman(E, "weighted"), forman(E), atol=EXACT)
    np.testing.assert_array_equal(forman(W), forman(E))
    triangles = {e: len(list(nx.common_neighbors(G, *e))) for e in G.edges}
    assert edge_values(forman(W, "augmented") - forman(W)) == {e: 3 * t for e, t in triangles.items()}


@pytest.mark.parametrize("seed", range(30))
def test_balanced_forman_equals_the_sets_and_stays_below_lin_lu_yau(seed):
    G = random_graph(seed)
    K = balanced_forman(G)
    assert edge_values(K, G) == pytest.approx(balanced_by_sets(G), abs=EXACT)
    assert (on_every_edge(G, K) <= on_every_edge(G, lin_lu_yau(G)) + EXACT).all()


def test_the_mean_of_plain_forman_is_the_degree_sequence():
    G = nx.gnp_random_graph(20, 0.3, seed=1)
    H = nx.double_edge_swap(G.copy(), nswap=40, max_tries=4000, seed=2)
    assert set(G.edges) != set(H.edges) and dict(G.degree) == dict(H.degree)
    total = sum(d * (2 - d) for _, d in G.degree)
    for graph in (G, H):
        assert np.nansum(forman(graph)) / 2 == pytest.approx(total)


# The transport itself


@pytest.mark.parametrize("n", [2, 5, 20, 60])
def test_transport_of_equal_masses_is_an_assignment(rng, n):
    """n unit masses to n others: the Hungarian method solves the same problem."""
    D = euclidean(rng, 2 * n)
    P = np.repeat(np.eye(2), n, axis=1) / n
    P = np.vstack([P, np.zeros((2 * n - 2, 2 * n))])
    best = D[:n, n:][linear_sum_assignment(D[:n, n:])].mean()
    for solver in SOLVERS:
        np.testing.assert_allclose(wasserstein(P, D, [[0, 1], [1, 0]], solver=solver), best, rtol=EXACT)


@pytest.mark.parametrize("kind", ["random", "grid", "ties"])
def test_network_simplex_equals_pot_on_larger_problems(rng, kind, monkeypatch):
    monkeypatch.setattr(_transport, "_by_scipy", None)  # it must not need to hand over
    n = 48
    if kind == "ties":  # equal masses and integer costs: every pivot may be degenerate
        W = nx.to_numpy_array(nx.gnp_random_graph(n, 0.2, seed=3))
    elif kind == "grid":
        W = nx.to_numpy_array(nx.grid_2d_graph(6, 8))
    else:
        W = rng.uniform(0.01, 1, (n, n)) * (1 - np.eye(n))
    W = np.maximum(W, W.T)
    d = shortest_path(W, unweighted=kind != "random")
    d = np.where(np.isfinite(d), d, 9.0)
    P, pairs = lazy(W + 1e-300 * np.eye(n), 0.2), np.argwhere(np.triu(np.ones((n, n)), 1))
    found, expected = wasserstein(P, d, pairs, solver="numba"), [ot.emd2(P[i], P[j], d) for i, j in pairs]
    np.testing.assert_allclose(found, expected, atol=EXACT)


def test_the_compiled_solver_is_the_python_that_is_written(rng):
    """The functions without their compilation: indices are checked there, and negative ones would be seen."""
    P, D = rows(rng, 9, 9), euclidean(rng, 9)
    pairs = np.argwhere(np.triu(np.ones((9, 9))))
    code = f"""
import numpy as np
from attention_geometry import _network_simplex
P, D, pairs = (np.array(x) for x in ({P.tolist()}, {D.tolist()}, {pairs.tolist()}))
cost = np.empty(len(pairs))
_network_simplex.solve(P, D, pairs, 1e9, cost)
print(*cost.tolist(), hasattr(_network_simplex.solve, "py_func"))
"""
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=env, check=True)
    *cost, compiled = run.stdout.split()
    assert compiled == "False"
    np.testing.assert_allclose(np.array(cost, float), wasserstein(P, D, pairs, solver="scipy"), atol=1e-10)
    np.testing.assert_allclose(np.array(cost, float), wasserstein(P, D, pairs, solver="numba"), atol=EXACT)


def test_a_solver_that_gives_up_hands_over_to_the_linear_program(monkeypatch, rng):
    def gives_up(P, D, pairs, big, cost):
        cost[:] = np.nan

    P, D, pairs = rows(rng, 5, 5), euclidean(rng, 5), [[0, 1], [1, 2]]
    expected = wasserstein(P, D, pairs, solver="scipy")
    monkeypatch.setattr(_transport, "_by_numba", gives_up)
    np.testing.assert_array_equal(wasserstein(P, D, pairs, solver="numba"), expected)


def test_without_pot_the_linear_programs_of_scipy_are_used(monkeypatch):
    monkeypatch.setattr(_transport.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(_transport, "_by_pot", None)
    np.testing.assert_allclose(ollivier_ricci(nx.complete_graph(3))[0, 1], 0.75, atol=EXACT)


@pytest.mark.parametrize(("solver", "module", "extra"), [("pot", "ot", "transport"), ("numba", "numba", "fast")])
def test_F21_a_missing_solver_names_its_extra(solver, module, extra):
    code = f"""
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("ot", "numba"):
            raise ImportError(name, name=name)
sys.meta_path.insert(0, Nothing())
from attention_geometry.curvature import ollivier_ricci
assert abs(ollivier_ricci([[0, 1], [1, 0]], solver="scipy")[0, 1] - 1) < 1e-12
try:
    ollivier_ricci([[0, 1], [1, 0]], solver={solver!r})
except ImportError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert f"{module} is needed here" in run.stdout or f"{module}." in run.stdout, run.stdout + run.stderr
    assert f"[{extra}]" in run.stdout


# Graphs and costs that break other tools


@pytest.mark.parametrize("solver", ["auto", *SOLVERS])
def test_B10_graphs_without_edges_with_isolated_nodes_or_in_pieces(solver):
    for n in (1, 2, 5):
        empty = nx.empty_graph(n)
        for f in (functools.partial(ollivier_ricci, solver=solver), lin_lu_yau, forman, balanced_forman):
            assert f(empty).shape == (n, n) and np.isnan(f(empty)).all()
        assert edge_values(ollivier_ricci(empty)) == {}
    pieces = nx.disjoint_union_all([nx.complete_graph(3), nx.path_graph(4), nx.empty_graph(2)])
    K = ollivier_ricci(pieces, solver=solver)
    np.testing.assert_allclose(on_every_edge(pieces, K), [0.75, 0.75, 0.75, 0.5, 0, 0.5], atol=EXACT)
    np.testing.assert_allclose(on_every_edge(pieces, balanced_forman(pieces)), [1.5, 1.5, 1.5, 0, 0, 0], atol=EXACT)


def test_B10_spawned_processes_give_the_same_numbers():
    graphs = [nx.to_numpy_array(G) for G in (nx.complete_graph(3), nx.path_graph(4), nx.empty_graph(2))]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for W, K in zip(graphs, pool.map(ollivier_ricci, graphs), strict=True):
            np.testing.assert_array_equal(K, ollivier_ricci(W))


@pytest.mark.parametrize("solver", SOLVERS)
def test_B11_no_nodes_and_undefined_costs_are_refused_and_the_process_lives(solver):
    code = f"""
import numpy as np
from attention_geometry.curvature import forman, ollivier_ricci, row_curvature
A, K3 = np.full((3, 3), 1 / 3), 1 - np.eye(3)
nan, inf = K3.copy(), np.full((3, 3), np.inf)
nan[0, 1] = np.nan
for call in (
    lambda: ollivier_ricci(np.zeros((0, 0)), solver={solver!r}),
    lambda: row_curvature(np.zeros((0, 0)), "discrete"),
    lambda: row_curvature(A, np.zeros((0, 0)), solver={solver!r}),
    lambda: forman(np.zeros((0, 0))),
    lambda: row_curvature(A, nan, solver={solver!r}),
    lambda: row_curvature(A, inf, solver={solver!r}),
    lambda: ollivier_ricci(K3, metric=nan, solver={solver!r}),
    lambda: ollivier_ricci(K3, metric=inf, solver={solver!r}),
    lambda: ollivier_ricci(K3, lengths=nan, solver={solver!r}),
    lambda: ollivier_ricci(K3, lengths=inf, solver={solver!r}),
    lambda: ollivier_ricci(nan, solver={solver!r}),
):
    try:
        call()
    except ValueError:
        print("refused")
print("alive")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["refused"] * 11 + ["alive"]


K3 = 1 - np.eye(3)
LOOP, NEGATIVE, DIRECTED = np.ones((3, 3)), K3.copy(), np.tril(np.ones((3, 3)), -1)
NEGATIVE[1, 0] = -0.5
WEIGHTED = np.array([[0, 0.5, 0.2], [0.5, 0, 0.3], [0.2, 0.3, 0]])
DETOUR = np.array([[0, 1, 3], [1, 0, 1], [3, 1, 0]])
A3 = np.full((3, 3), 1 / 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ollivier_ricci(LOOP), r"loop at index \(0, 0\)"),
        (lambda: forman(LOOP), r"loop at index \(0, 0\)"),
        (lambda: ollivier_ricci(NEGATIVE), r"negative weight at index \(1, 0\) \(-0.5\)"),
        (lambda: forman(DIRECTED), r"directed: entry \(0, 1\)"),
        (lambda: balanced_forman(nx.DiGraph([(0, 1)])), "directed"),
        (lambda: forman(np.triu(WEIGHTED, 1) + np.tril(K3), "weighted"), "directed"),
        (lambda: forman(K3, "ricci"), "kind must be one of"),
        (lambda: forman(K3, node_weights=[1, 1, 1]), "kind='weighted' only"),
        (lambda: forman(K3, "weighted", node_weights=[1, 0, 1]), "positive"),
        (lambda: forman(K3, "weighted", node_weights=[1, 1]), r"expected \(…, 3\)"),
        (lambda: ollivier_ricci(nx.Graph()), "no nodes"),
        (lambda: ollivier_ricci(WEIGHTED), "the weights differ"),
        (lambda: ollivier_ricci(K3, measure="length"), "measure must be one of"),
        (lambda: ollivier_ricci(K3, measure=K3), "sums to 2"),
        (lambda: ollivier_ricci(K3, measure=np.eye(2)), r"expected \(…, 3, 3\)"),
        (lambda: ollivier_ricci(K3, alpha=1), "alpha"),
        (lambda: ollivier_ricci(K3, alpha=-0.1), "alpha"),
        (lambda: ollivier_ricci(K3, lengths=np.eye(3)), "lengths must be positive on every edge"),
        (lambda: ollivier_ricci(K3, lengths=1 - np.eye(2)), r"expected \(…, 3, 3\)"),
        (lambda: ollivier_ricci(K3, lengths=K3, metric=K3), "at most one"),
        (lambda: ollivier_ricci(K3, metric=DETOUR), r"3 at index \(0, 2\), but 1 \+ 1 through 1"),
        (lambda: ollivier_ricci(K3, solver="sinkhorn"), "solver must be one of"),
        (lambda: row_curvature(A3, DETOUR), "triangle inequality"),
        (lambda: row_curvature(A3, np.ones((3, 3))), r"index \(0, 0\)"),
        (lambda: row_curvature(A3, NEGATIVE), r"-0.5 at index \(1, 0\)"),
        (lambda: row_curvature(A3, 1 - np.eye(2)), r"expected \(…, 3, 3\)"),
        (lambda: row_curvature(A3, "euclidean"), "distance must be"),
        (lambda: row_curvature(A3, "discrete", solver="pot"), "closed form"),
        (lambda: row_curvature(K3, "discrete"), "sums to 2"),
        (lambda: edge_values(np.zeros((2, 3, 3))), "choose one matrix"),
        (lambda: edge_values(K3, nodes="ab"), "2 entries"),
    ],
)
def test_refusals_say_what_and_where(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_multigraphs_are_refused():
    with pytest.raises(TypeError, match="multigraph"):
        ollivier_ricci(nx.MultiGraph([(0, 1), (0, 1)]))


@pytest.mark.parametrize("distance", ["discrete", "positions"])
@pytest.mark.parametrize("kind", ["bfloat16", "float16"])
def test_rows_of_half_precision_have_equal_mass(distance, kind):
    import torch

    half = torch.tensor(np.tri(128) / np.arange(1, 129)[:, None]).to(getattr(torch, kind))
    exact = half.double().numpy()
    exact /= exact.sum(1, keepdims=True)
    np.testing.assert_allclose(row_curvature(half, distance), row_curvature(exact, distance), atol=1e-12)


def test_an_exact_metric_in_single_precision_is_one():
    z = np.float32([0, 0.1, 0.3, 0.7])
    assert np.nanmin(row_curvature(np.full((4, 4), 0.25), np.abs(z[:, None] - z))) == 1
