"""What weights determine and what they do not (labels are those of the mathematics)."""

import itertools
import math
from fractions import Fraction

import networkx
import numpy as np
import pytest
import scipy.optimize
from scipy.optimize import linprog

from attention_geometry.attention import causal_mask, log_softmax, softmax, softmax_jacobian
from attention_geometry.explanation import (
    attention_flow,
    contribution_norms,
    equivalent_dimension,
    equivalent_weights,
    leave_one_out,
    rollout,
    score_sensitivity,
)

UNIFORM_CAUSAL = np.tri(4) / np.arange(1, 5)[:, None]


def tv(p, r):
    return np.abs(p - r).sum(-1) / 2


def some_weights(rng, *shape):
    return softmax(2 * rng.standard_normal(shape))


# equivalent weights


@pytest.mark.parametrize(
    ("n", "d_v", "dimension", "without_the_sum"), [(5, 2, 2, 3), (10, 4, 5, 6), (512, 64, 447, 448)]
)
def test_T10_1_dimensions(rng, n, d_v, dimension, without_the_sum):
    V = rng.standard_normal((n, d_v))
    assert equivalent_dimension(V) == dimension
    assert n - np.linalg.matrix_rank(V) == without_the_sum


def test_L10_1_rows_with_one_output(rng):
    for n, d_v in ((3, 1), (5, 2), (10, 4), (6, 7), (4, 3), (1, 1)):
        a, V = some_weights(rng, n), rng.standard_normal((n, d_v))
        found = equivalent_weights(a, V)
        M = np.column_stack([V, np.ones(n)])
        assert found.dimension == n - np.linalg.matrix_rank(M) == max(0, n - d_v - 1)
        assert found.basis.shape == (found.dimension, n)
        assert np.allclose(found.basis @ found.basis.T, np.eye(found.dimension), atol=1e-12)
        assert np.abs(found.basis @ M).max(initial=0) < 1e-12
        if found.dimension == 0:
            assert found.alternative is None and "affinely independent" in found.reasons["alternative"]
            continue
        other = found.alternative
        assert (other >= 0).all() and (other == 0).any()  # on the boundary
        assert np.abs((other - a) @ M).max() < 1e-12
        assert math.isclose(found.total_variation, tv(a, other)) and found.total_variation > 0.01
        between = a + 0.99 * (other - a)
        assert (between > 0).all() and np.allclose(between @ V, a @ V)
        step = 1e-3 * a.min() * found.basis.sum(0)  # a neighbourhood of a positive row is feasible
        assert ((a + step) > 0).all() and np.allclose((a + step) @ M, a @ M)


def test_L10_1_the_way_in_is_closed_by_zeros():
    extreme = equivalent_weights([1.0, 0.0, 0.0], V=[[0.0], [1.0], [2.0]])
    assert extreme.dimension == 1 and extreme.alternative is None
    assert "leaves the simplex" in extreme.reasons["alternative"]
    middle = equivalent_weights([0.0, 1.0, 0.0], V=[[0.0], [1.0], [2.0]])
    assert np.allclose(middle.alternative, [0.5, 0, 0.5]) and math.isclose(middle.total_variation, 1)
    inner = equivalent_weights([0.0, 0.2, 0.6, 0.2], V=[[-9.0], [0.0], [1.0], [2.0]])  # inside a face
    assert inner.alternative is not None and np.isclose(inner.alternative @ [-9, 0, 1, 2], 1)


def test_T10_2_different_weights_same_output():
    a, other, V = np.full(3, 1 / 3), np.array([1 / 6, 2 / 3, 1 / 6]), np.array([[0.0], [1.0], [2.0]])
    assert np.allclose(softmax([0, math.log(4), 0]), other)
    assert np.allclose([a @ V, other @ V], 1) and math.isclose(tv(a, other), 1 / 3)
    found = equivalent_weights(a, V)
    move = other - a
    assert np.allclose(found.basis.T @ (found.basis @ move), move)  # in the space
    assert found.total_variation >= 1 / 3
    assert np.allclose(found.alternative, [0, 1, 0])


def test_alternative_against_all_vertices(rng):
    """The feasible rows form a polytope; its vertices can be listed when it is small."""
    reached = []
    for _ in range(25):
        a, V = some_weights(rng, 6), rng.standard_normal((6, 2))
        M, best = np.column_stack([V, np.ones(6)]), 0.0
        for keys in map(list, itertools.combinations(range(6), 3)):
            row = np.zeros(6)
            row[keys] = np.linalg.solve(M[keys].T, a @ M)
            if row.min() > -1e-12:
                best = max(best, tv(a, row))
        found = equivalent_weights(a, V).total_variation
        assert found <= best + 1e-9
        reached.append(found / best)
    assert min(reached) > 0.6 and np.median(reached) > 0.95


def test_the_search_goes_on_from_the_first_vertex():
    """A case where no first goal leads to the vertex that lies farthest."""
    a, V = np.array([1, 2, 2, 4, 4, 1, 2]) / 16, np.array([4, 4, 6, 4, 5, 5, 1.0])[:, None]
    found = equivalent_weights(a, V)
    assert np.isclose(found.alternative @ V, a @ V) and found.total_variation > 0.84  # 0.75 after one step


def test_equivalent_weights_keep_to_the_mask(rng):
    V, mask = rng.standard_normal((8, 2)), causal_mask(8)[5]
    a = softmax(rng.standard_normal(8), mask=mask)
    found = equivalent_weights(a, V, mask=mask)
    assert found.dimension == 6 - 3 and not found.alternative[6:].any() and not found.basis[:, 6:].any()
    with pytest.raises(ValueError, match="forbids"):
        equivalent_weights(some_weights(rng, 8), V, mask=mask)


def test_causal_rows_are_identifiable_first(rng):
    V, mask = rng.standard_normal((9, 3)), causal_mask(9)
    expected = [i - np.linalg.matrix_rank(np.column_stack([V[:i], np.ones(i)])) for i in range(1, 10)]
    assert equivalent_dimension(V, mask=mask).tolist() == expected == [0, 0, 0, 0, 1, 2, 3, 4, 5]
    assert [equivalent_dimension(V, mask=row) for row in mask] == expected
    line = np.outer(np.arange(9.0), [1, 2, 3]) + 5  # values on a line off the origin: rank [V, 1] is 2
    assert equivalent_dimension(line) == 7 and equivalent_dimension(np.ones((9, 3))) == 8


def test_equivalent_weights_do_not_depend_on_the_value_basis(rng):
    a, V, M = some_weights(rng, 7), rng.standard_normal((7, 3)), rng.standard_normal((3, 3))
    first, turned = equivalent_weights(a, V), equivalent_weights(a, V @ M + [3.0, 1.0, -2.0])
    assert np.allclose(first.basis.T @ first.basis, turned.basis.T @ turned.basis)
    assert np.allclose(turned.alternative @ V, a @ V)
    bent = equivalent_weights(a, V**3)
    assert not np.allclose(first.basis.T @ first.basis, bent.basis.T @ bent.basis)


def test_tolerance_decides_what_counts_as_rank():
    V = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0 + 1e-7], [3.0, 3.0]]
    assert equivalent_dimension(V) == 1 and equivalent_dimension(V, tolerance=1e-6) == 2
    assert equivalent_weights(np.full(4, 0.25), V, tolerance=1e-6).dimension == 2
    assert equivalent_dimension(1e9 * np.array(V)) == 1 and equivalent_dimension(1e-9 * np.array(V)) == 1


def test_each_column_of_values_has_a_unit_of_its_own():
    a, V = np.full(5, 0.2), np.column_stack([1e14 * np.arange(5.0), [0, 1, 0, 2, 5]])
    found = equivalent_weights(a, V)
    assert found.dimension == equivalent_dimension(V) == 2
    assert np.allclose(found.alternative @ V, a @ V, rtol=1e-9) and found.total_variation > 0.1
    assert equivalent_dimension(1e9 + np.array([[0.0], [1e-4], [3e-4]])) == 1  # small against its offset, still exact
    assert equivalent_dimension(np.full((3, 2), 0.1)) == 2  # the mean of equal numbers is off by rounding
    assert equivalent_dimension([[0.1 + 0.2, 1], [0.3, 2], [0.3, 4]]) == 1


def test_a_row_is_rounded_to_weights_and_a_solver_that_gives_up_is_heard(monkeypatch):
    V = [[0.0], [1.0], [2.0], [3.0]]
    found = equivalent_weights([1 + 5e-7, -5e-7, 0, 0], V)
    assert found.dimension == 2 and found.alternative is None and "leaves the simplex" in found.reasons["alternative"]
    inner = equivalent_weights([0.5 + 5e-7, -5e-7, 0.5, 5e-7], V)
    assert math.isclose(inner.alternative.sum(), 1, abs_tol=1e-12)
    gave_up = scipy.optimize.OptimizeResult(x=None, message="it gave up")
    monkeypatch.setattr("scipy.optimize.linprog", lambda *_, **__: gave_up)
    with pytest.raises(RuntimeError, match="it gave up"):
        equivalent_weights(np.full(4, 0.25), V)


def test_output_equivalent_is_not_realisable(rng):
    """With d_k = 1 the centred log weights have rank 1; replacing one row breaks that."""
    q, k, V = rng.standard_normal((5, 1)), rng.standard_normal((5, 1)), rng.standard_normal((5, 2))
    L = log_softmax(q @ k.T)
    found = equivalent_weights(np.exp(L[0]), V)
    changed = L.copy()
    changed[0] = np.log(np.exp(L[0]) + 0.5 * (found.alternative - np.exp(L[0])))
    centred = [M - M.mean(-1, keepdims=True) for M in (L, changed)]
    assert [np.linalg.matrix_rank(M, tol=1e-9) for M in centred] == [1, 2]


# single keys


def test_T10_4_the_most_attended_token_has_no_effect():
    a, V = [0.5, 0.25, 0.25], [[1.0], [0.0], [2.0]]
    assert np.allclose(leave_one_out(a, V).ravel(), [0, 1 / 3, -1 / 3], atol=1e-16)
    assert np.allclose(score_sensitivity(a, V).ravel(), [0, -1 / 4, 1 / 4], atol=1e-16)


def test_leave_one_out_is_the_softmax_without_that_key(rng):
    S, V = rng.standard_normal((3, 4, 5)), rng.standard_normal((3, 5, 2))
    A = softmax(S)
    change = leave_one_out(A, V)
    assert change.shape == (3, 4, 5, 2)
    for j in range(5):
        without = S.copy()
        without[..., j] = -np.inf
        assert np.allclose(change[..., j, :], softmax(without) @ V - A @ V, atol=1e-13)
    assert np.allclose(leave_one_out(A[1, 2], V[1]), change[1, 2])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("nats", [14.0, 30.0])
def test_leave_one_out_keeps_its_digits_under_a_sink(rng, nats, dtype):
    """Against the sum over the other keys in rational numbers, for values far from the origin too."""
    s = rng.standard_normal((2, 3, 6)).astype(dtype)
    s[..., 0] = nats
    A = np.exp(s - s.max(-1, keepdims=True))
    A = A / A.sum(-1, keepdims=True)  # in dtype: a row of float32 sums to 1 ± 1e-7
    V = np.round(2**20 * rng.standard_normal((2, 6, 3))) / 2**20  # exact after a translation by 128
    exact = np.vectorize(Fraction, otypes=[object])
    expected, slope = np.empty((2, 2, 3, 6, 3))
    for h, i, j in np.ndindex(2, 3, 6):
        a, v, others = exact(A[h, i].astype(float)), exact(V[h]), np.arange(6) != j
        y = a @ v / a.sum()
        expected[h, i, j] = a[others] @ v[others] / a[others].sum() - y
        slope[h, i, j] = a[j] * (v[j] - y)
    for moved in (V, V + 128):
        change = leave_one_out(A, moved)
        assert change.shape == (2, 3, 6, 3)
        assert (np.abs(change - expected) <= 1e-12 * np.abs(expected).max(-1, keepdims=True)).all()
        assert np.array_equal(leave_one_out(A[1, 2], moved[1]), change[1, 2])
        assert np.abs(score_sensitivity(A, moved) / slope - 1).max() < 1e-9
    assert np.array_equal(leave_one_out(A[0], V), leave_one_out(A[:1], V))  # more values than rows of weights


def test_leave_one_out_is_undefined_where_nothing_is_left():
    change = leave_one_out([[0.0, 1.0], [0.0, 0.0], [0.5, 0.5]], V=[[3.0], [4.0]])
    np.testing.assert_array_equal(change[..., 0], [[0.0, np.nan], [np.nan, np.nan], [0.5, -0.5]])


def test_score_sensitivity_is_the_softmax_jacobian(rng):
    A, V = some_weights(rng, 3, 4, 5), rng.standard_normal((3, 5, 2))
    assert np.allclose(score_sensitivity(A, V), softmax_jacobian(A) @ V[:, None], atol=1e-14)
    assert np.allclose(score_sensitivity(A, V).sum(-2), 0, atol=1e-14)


def test_T10_3_same_weights_different_output():
    a, V = np.array([0.8, 0.1, 0.1]), np.array([[0.0], [10.0], [0.0]])
    assert np.allclose(a @ V, 1)
    assert np.allclose(contribution_norms(a, V, W_O=[[1.0]]), [0, 1, 0])
    assert not np.allclose(a @ V, a @ V[[1, 0, 2]])


def test_G4_contribution_norms_loop_gauge_and_cancellation(rng):
    A, V, W_O = some_weights(rng, 3, 4, 5), rng.standard_normal((3, 5, 2)), rng.standard_normal((3, 2, 6))
    norms = contribution_norms(A, V, W_O)
    for h, i, j in np.ndindex(3, 4, 5):
        assert math.isclose(norms[h, i, j], np.linalg.norm(A[h, i, j] * V[h, j] @ W_O[h]))
    M = rng.standard_normal((2, 2))
    turned = V @ M, np.linalg.inv(M) @ W_O
    assert np.allclose(contribution_norms(A, *turned), norms)
    assert not np.allclose(np.linalg.norm(turned[0], axis=-1), np.linalg.norm(V, axis=-1))  # what ‖v‖ does
    assert (np.linalg.norm(A @ V @ W_O, axis=-1) <= norms.sum(-1) + 1e-12).all()
    assert not np.allclose(contribution_norms(A, V + 1, W_O), norms)
    opposite = contribution_norms([0.5, 0.5], [[1.0], [-1.0]], [[1.0]])
    assert np.allclose(opposite, 0.5)  # two contributions, no output


def test_T10_5_same_weights_and_values_different_block_output():
    def layer_norm(x):
        return (x - x.mean()) / x.std()

    y = np.array([1.0, 0.0, -1.0])
    alone = math.sqrt(3 / 2) * y
    assert np.allclose(layer_norm(y + np.zeros(3)), alone)
    against = np.array([-2.0, 0.0, 2.0])
    assert np.allclose(layer_norm(y + against), -alone) and np.allclose(layer_norm(against), -alone)
    for x in (np.array([1.0, 0.0, -1.0]), np.array([100.0, 0.0, -100.0])):
        assert np.allclose(layer_norm(x + y), layer_norm(x))
    assert [max(x + 1 - 2, 0) for x in (0, 2)] == [0, 1]  # ReLU: one head output, two block outputs


# stacks


def test_T10_6_rollout_of_uniform_causal_heads():
    for L in (1, 2, 5):
        R = rollout([UNIFORM_CAUSAL[:2, :2]] * L).weights
        assert math.isclose(R[1, 1], (3 / 4) ** L)
    assert math.isclose(rollout([UNIFORM_CAUSAL[:2, :2]] * 2).weights[1, 1], 9 / 16)
    assert round(rollout([UNIFORM_CAUSAL] * 12).weights[-1, 0], 4) == 0.9245


def test_rollout_multiplies_later_layers_on_the_left(rng):
    A = some_weights(rng, 3, 4, 4)
    hat = [0.3 * np.eye(4) + 0.7 * layer for layer in A]
    R = rollout(A, residual=0.3).weights
    assert np.allclose(R, hat[2] @ hat[1] @ hat[0]) and not np.allclose(R, hat[0] @ hat[1] @ hat[2])
    assert np.allclose(R.sum(-1), 1)
    assert np.array_equal(rollout(A, residual=1).weights, np.eye(4))
    assert np.allclose(rollout(A, residual=0).weights, A[2] @ A[1] @ A[0])


def test_rollout_averages_heads_and_names_its_assumptions(rng):
    A = some_weights(rng, 2, 3, 4, 4)
    found = rollout(A)
    assert np.allclose(found.weights, rollout(A.mean(1)).weights)
    text = " ".join(found.assumptions)
    assert "3 heads" in text and "0.5" in text and "norm" in text and "MLP" in text
    assert "one matrix" in rollout(A[:, 0]).assumptions[0]


def test_causal_rollout_moves_to_the_first_token(rng):
    A = softmax(rng.standard_normal((30, 5, 5)), mask=causal_mask(5))
    first = [rollout(A[:layers]).weights[:, 0] for layers in range(1, 31)]
    assert (np.diff(first, axis=0) >= -1e-15).all() and first[-1].min() > 0.9
    mixing = softmax(rng.standard_normal((30, 5, 5)))
    assert rollout(mixing).weights[:, 0].max() < 0.9  # it is the mask, not the depth


def maximum_flow_by_linear_programme(layers, query, key):
    """The same problem written with one variable an edge and conservation at each inner node."""
    L, n = len(layers), layers.shape[-1]
    variables = [(layer, i, j) for layer in range(L) for i in range(n) for j in range(n)]
    inner = [(layer, i) for layer in range(1, L) for i in range(n)]
    A_eq = np.zeros((len(inner), len(variables)))
    for column, (layer, i, j) in enumerate(variables):
        if layer + 1 < L:
            A_eq[inner.index((layer + 1, i)), column] -= 1
        if layer > 0:
            A_eq[inner.index((layer, j)), column] += 1
    out = np.array([-1.0 * (layer == 0 and j == key) for layer, i, j in variables])
    limit = [(0, layers[v] if v[0] < L - 1 or v[1] == query else 0) for v in variables]
    return -linprog(out, A_eq=A_eq if inner else None, b_eq=np.zeros(len(inner)) if inner else None, bounds=limit).fun


def test_attention_flow_against_a_linear_programme(rng):
    for A in (some_weights(rng, 3, 4, 4), softmax(rng.standard_normal((2, 4, 4)), mask=causal_mask(4))):
        hat = 0.5 * np.eye(4) + 0.5 * A
        for query in (0, 3):
            expected = [maximum_flow_by_linear_programme(hat, query, key) for key in range(4)]
            assert np.allclose(attention_flow(A, query=query), expected, atol=1e-9)


def test_flow_is_not_additive_and_one_layer_is_the_weights(rng):
    A = some_weights(rng, 3, 4, 4)
    assert np.allclose(attention_flow(A[:1], query=2), 0.5 * np.eye(4)[2] + 0.5 * A[0, 2])
    flow = attention_flow(A, query=1)
    assert flow.sum() > 1.1 and (flow <= 1 + 1e-12).all()
    assert (flow >= rollout(A).weights[1] - 1e-12).all()  # rollout is one feasible flow
    assert np.allclose(attention_flow(np.stack([A, A], 1), query=1), flow)


def test_flow_without_networkx_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "networkx", None)
    with pytest.raises(ImportError, match=r"attention-geometry\[graphs\]"):
        attention_flow([np.eye(2)], query=0)
    assert networkx is not None


# refusals


def test_refusals(rng):
    A, V = some_weights(rng, 2, 3, 3), rng.standard_normal((3, 2))
    with pytest.raises(ValueError, match=r"\(3, 3\).*\(3, 2\)"):
        equivalent_weights(A[0], V)
    with pytest.raises(ValueError, match="sums to"):
        equivalent_weights([0.5, 0.4], [[1.0], [2.0]])
    with pytest.raises(ValueError, match="no key"):
        equivalent_dimension(V, mask=np.zeros(3, dtype=bool))
    with pytest.raises(ValueError, match=r"\(2, 3, 3\) and \(2, 2\)"):
        leave_one_out(A, V[:2])
    with pytest.raises(ValueError, match="W_O"):
        contribution_norms(A, V, rng.standard_normal((3, 2)))
    for stack in (A[0], A[None, None]):
        with pytest.raises(ValueError, match="one text"):
            rollout(stack)
    with pytest.raises(ValueError, match="at least one layer"):
        rollout(np.zeros((0, 3, 3)))
    with pytest.raises(ValueError, match="cross-attention"):
        rollout(some_weights(rng, 2, 3, 4))
    with pytest.raises(ValueError, match="residual"):
        rollout(A, residual=1.5)
    with pytest.raises(ValueError, match="query"):
        attention_flow(A, query=3)
    with pytest.raises(ValueError, match="18 edges"):
        attention_flow(A, query=0, largest=17)
