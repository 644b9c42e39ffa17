"""Bounds on what a change does, the Jacobian, and the worst direction (labels are those of the mathematics)."""

import math

import numpy as np
import pytest

from attention_geometry import stability
from attention_geometry.attention import attention, causal_mask, scores, softmax
from attention_geometry.stability import (
    attention_jacobian,
    local_lipschitz_bound,
    oscillation,
    output_change_bound,
    perturbation_curve,
    score_change_bound,
    weight_change_bound,
)


def tv(p, r):
    return np.abs(p - r).sum(-1) / 2


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def head(rng, n=6, d=4, d_k=3, d_v=2, *batch):
    """Tokens, three projections and a query bias."""
    shapes = (n, d), (*batch, d, d_k), (*batch, d, d_k), (*batch, d, d_v), (*batch, d_k)
    return [rng.standard_normal(shape) for shape in shapes]


def output(X, W_Q, W_K, W_V, b_Q=0.0, mask=None):
    """One head, written so that complex steps pass through it: the row maximum is a real number."""
    S = (X @ W_Q + b_Q) @ (X @ W_K).swapaxes(-1, -2) / math.sqrt(W_Q.shape[-1])
    S = S if mask is None else np.where(mask, S, -np.inf)
    E = np.exp(S - S.real.max(-1, keepdims=True))
    return E / E.sum(-1, keepdims=True) @ X @ W_V


def jacobian_by_complex_step(X, *rest, **kwargs):
    n, d = X.shape
    J = np.empty((n, n, d, rest[2].shape[-1]))
    for m in range(n):
        for k in range(d):
            Z = X.astype(complex)
            Z[m, k] += 1e-30j
            J[:, m, k, :] = output(Z, *rest, **kwargs).imag / 1e-30
    return J


def as_matrix(J):
    """The derivative from the Frobenius norm of the tokens to that of the outputs, as one matrix."""
    i, m, d, v = J.shape
    return J.transpose(1, 2, 0, 3).reshape(m * d, i * v)


# weights


def test_oscillation_by_hand_and_its_invariance(rng):
    assert oscillation([3.0, -1.0, 2.0]) == 4.0
    E = rng.standard_normal((2, 3, 5))
    assert np.allclose(oscillation(E), E.max(-1) - E.min(-1))
    assert np.allclose(oscillation(E + rng.standard_normal((2, 3, 1))), oscillation(E), atol=1e-14)
    assert not np.allclose(oscillation(E + rng.standard_normal((2, 3, 5))), oscillation(E))  # not any shift
    assert (oscillation(E) <= 2 * np.abs(E).max(-1)).all()


def test_masked_keys_are_not_looked_at():
    E, mask = np.array([[0.0, 1.0, 50.0], [0.0, 1.0, 50.0], [7.0, 8.0, 9.0]]), np.ones((3, 3), dtype=bool)
    mask[0, 2], mask[2] = False, False
    np.testing.assert_array_equal(oscillation(E, mask=mask), [1.0, 50.0, np.nan])
    np.testing.assert_allclose(weight_change_bound(E, mask=mask), [math.tanh(1 / 4), math.tanh(50 / 4), np.nan])
    np.testing.assert_array_equal(np.isnan(output_change_bound(E, np.eye(3), mask=mask)), [False, False, True])


@pytest.mark.parametrize("nonsense", [np.nan, -np.inf, np.inf])
def test_nonsense_at_forbidden_keys_is_not_looked_at(nonsense):
    mask, E = causal_mask(3), np.array([[4.0, nonsense, nonsense], [1, 3, nonsense], [0, 2, 5]])
    assert np.array_equal(oscillation(E, mask=mask), [0, 2, 5])
    assert np.array_equal(weight_change_bound(E, mask=mask), np.tanh([0, 0.5, 1.25]))
    assert np.allclose(output_change_bound(E, [[0.0], [1.0], [3.0]], mask=mask), np.tanh([0, 0.5, 1.25]) * [0, 1, 3])
    with pytest.raises(ValueError, match=r"E is .* index \(0, 1\)"):
        oscillation(E, mask=np.ones((3, 3), dtype=bool))


def test_T9_1_the_worst_row_is_not_one_half():
    move = np.log(3) * np.array([1.0, -1.0])
    worst = np.array([0.25, 0.75])
    moved = softmax(np.log(worst) + move)
    assert np.allclose(moved, [0.75, 0.25])
    assert math.isclose(tv(worst, moved), 0.5) and math.isclose(weight_change_bound(move), 0.5)
    assert math.isclose(weight_change_bound(move), math.tanh(math.log(3) / 2))
    from_half = tv(np.array([0.5, 0.5]), softmax(move))
    assert math.isclose(from_half, 2 / 5) and math.isclose(from_half, math.tanh(2 * math.log(3) / 2) / 2)


def test_L9_1_never_above_and_sharp_on_1e5_rows(rng):
    largest, rows = 0.0, 0
    for n in (2, 3, 8, 50):
        scale = rng.choice([0.01, 0.3, 1.0, 3.0], size=(25_000, 1))
        E = scale * rng.standard_normal((25_000, n))
        S = 3 * rng.standard_normal((25_000, n))
        S[::5] = -E[::5] / 2 - np.log(n)  # rows near the worst one: symmetric about the uniform row
        S[1::5, 2:] = -40
        S[1::5, :2] = -E[1::5, :2] / 2
        moved, bound = tv(softmax(S), softmax(S + E)), weight_change_bound(E)
        assert (moved <= bound + 1e-14).all() and not (moved <= 0.999 * bound + 1e-14).all()
        largest, rows = max(largest, (moved / bound)[bound > 0.1].max()), rows + len(E)
        kept = softmax(S + E) / softmax(S)
        omega = oscillation(E)[:, None]
        assert (np.abs(np.log(kept)) <= omega + 1e-9).all()  # entry by entry: a factor within e^±ω
    assert rows == 100_000 and 1 - 1e-9 < largest <= 1 + 1e-12


def test_L9_1_bound_in_terms_of_the_largest_entry(rng):
    E = rng.uniform(-0.7, 0.7, (1000, 4))
    moved = 2 * tv(softmax(np.zeros((1000, 4))), softmax(E))
    assert (moved <= 2 * math.tanh(0.7 / 2)).all() and 2 * math.tanh(0.7 / 2) <= 0.7


# outputs and scores


def test_output_bound_holds_and_is_reached(rng):
    E = np.log(3) * np.array([[1.0, -1.0]])
    V = np.array([[0.0, 0.0], [3.0, 4.0]])
    before = np.array([[0.25, 0.75]])
    moved = np.linalg.norm((softmax(np.log(before) + E) - before) @ V, axis=-1)
    assert np.allclose(output_change_bound(E, V), 2.5) and np.allclose(moved, 2.5)
    for mask in (None, causal_mask(6)):
        S, E, V = rng.standard_normal((3, 6, 6)), rng.standard_normal((3, 6, 6)), rng.standard_normal((3, 6, 2))
        moved = np.linalg.norm((softmax(S + E, mask=mask) - softmax(S, mask=mask)) @ V, axis=-1)
        bound = output_change_bound(E, V, mask=mask)
        assert bound.shape == (3, 6) and (moved <= bound + 1e-12).all()


def test_output_bound_uses_the_diameter_of_the_allowed_values(rng):
    E, V, mask = rng.standard_normal((4, 5)), rng.standard_normal((5, 3)), rng.random((4, 5)) < 0.5
    mask[:, 0] = True
    for i, bound in enumerate(output_change_bound(E, V, mask=mask)):
        keys = np.flatnonzero(mask[i])
        diameter = max(np.linalg.norm(V[j] - V[k]) for j in keys for k in keys)
        assert math.isclose(bound, weight_change_bound(E[i][keys]) * diameter, abs_tol=1e-14)


def test_score_bound_holds_and_is_an_equality_in_one_dimension(rng):
    X, W_Q, W_K, *_ = head(rng)
    D = rng.standard_normal(X.shape) * 10.0 ** rng.integers(-8, 2, (6, 1))
    moved = np.abs(scores(X + D, W_Q, W_K) - scores(X, W_Q, W_K))
    assert (moved <= score_change_bound(X, D, W_Q, W_K) + 1e-12).all()
    x, delta, w = np.array([[1.0], [2.0]]), np.array([[0.5], [3.0]]), np.array([[2.0]])
    moved = scores(x + delta, w, w) - scores(x, w, w)
    assert np.allclose(score_change_bound(x, delta, w, w), moved)
    assert np.allclose(score_change_bound(x, delta, w, w, scale=-3.0), 3 * moved)


def test_score_bound_is_gauge_invariant(rng):
    X, W_Q, W_K, *_ = head(rng)
    M = rng.standard_normal((3, 3))
    turned = score_change_bound(X, X, W_Q @ M, W_K @ np.linalg.inv(M).T)
    assert np.allclose(turned, score_change_bound(X, X, W_Q, W_K))
    assert not np.allclose(score_change_bound(X, X, W_Q @ M, W_K @ M), turned)


# the Jacobian


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("sizes", [(6, 4, 3, 2), (3, 5, 1, 4), (1, 2, 2, 2), (8, 2, 4, 1)])
def test_L9_2_jacobian_equals_the_complex_step(rng, sizes, masked):
    X, W_Q, W_K, W_V, b_Q = head(rng, *sizes)
    mask = causal_mask(len(X)) if masked else None
    J = attention_jacobian(X, W_Q, W_K, W_V, b_Q=b_Q, mask=mask)
    expected = jacobian_by_complex_step(X, W_Q, W_K, W_V, b_Q=b_Q, mask=mask)
    assert J.shape == expected.shape
    assert np.abs(J - expected).max() <= 1e-12 * max(1, np.abs(expected).max())
    assert np.abs(1.001 * J - expected).max() > 1e-4  # the check can fail


def test_L9_2_equals_the_formula_with_token_covariances(rng):
    X, W_Q, W_K, W_V, _ = head(rng)
    B, a = W_Q @ W_K.T, 3**-0.5
    A = softmax(scores(X, W_Q, W_K))
    J = attention_jacobian(X, W_Q, W_K, W_V)
    for i in range(6):
        mean = A[i] @ X
        C = sum(A[i, j] * np.outer(X[j] - mean, X[j] - mean) for j in range(6))
        for m in range(6):
            block = A[i, m] * (W_V + a * np.outer(B.T @ X[i], (X[m] - mean) @ W_V))
            block += (i == m) * a * B @ C @ W_V
            assert np.allclose(J[i, m], block, atol=1e-13)


def test_jacobian_influence_needs_weight(rng):
    X, W_Q, W_K, W_V, _ = head(rng)
    J = attention_jacobian(X, W_Q, W_K, W_V, mask=causal_mask(6))
    assert all(not J[i, m].any() for i in range(6) for m in range(i + 1, 6))


def test_jacobian_rows_batches_and_scale(rng):
    X, W_Q, W_K, W_V, b_Q = head(rng, 6, 4, 3, 2, 5)
    J = attention_jacobian(X, W_Q, W_K, W_V, b_Q=b_Q)
    assert J.shape == (5, 6, 6, 4, 2)
    for h in range(5):
        one = attention_jacobian(X, W_Q[h], W_K[h], W_V[h], b_Q=b_Q[h])
        assert np.allclose(J[h], one, atol=1e-14)
    assert np.array_equal(attention_jacobian(X, W_Q, W_K, W_V, b_Q=b_Q, queries=[4, -6]), J[:, [4, 0]])
    assert np.array_equal(attention_jacobian(X, W_Q, W_K, W_V, b_Q=b_Q, queries=2), J[:, [2]])
    values = rng.standard_normal((3, *W_V.shape[-2:]))
    own = attention_jacobian(X, W_Q[0], W_K[0], values, b_Q=b_Q[0])  # one row of weights, three sets of values
    assert np.allclose(own, [attention_jacobian(X, W_Q[0], W_K[0], w, b_Q=b_Q[0]) for w in values])
    for wrong in ([0, X.shape[-2]], -X.shape[-2] - 1, [0.0], [[0]]):
        with pytest.raises(ValueError, match="queries is"):
            attention_jacobian(X, W_Q, W_K, W_V, queries=wrong)
    doubled = attention_jacobian(X, 2 * W_Q, W_K, W_V, scale=0.5 * 3**-0.5, b_Q=2 * b_Q)
    assert np.allclose(doubled, J)


def test_T9_2_L9_3_the_derivative_grows_without_bound():
    one = [[1.0]]
    for a, expected in ((1.0, 1.0), (10.0, 67.0), (1000.0, (1 + 2e6) / 3)):
        J = attention_jacobian([[0.0], [a], [-a]], one, one, one, scale=1.0)
        assert math.isclose(J[0, 0, 0, 0], expected, rel_tol=1e-12)


# the local Lipschitz bound


def test_L9_4_bounds_the_derivative(rng):
    ratios = []
    for trial in range(60):
        X, W_Q, W_K, W_V, _ = head(rng, *(int(k) for k in rng.integers(1, 7, 4)))
        if trial % 3 == 0:
            X[0] *= 5  # a token that draws attention
        mask = causal_mask(len(X)) if trial % 2 else None
        bound = local_lipschitz_bound(X, W_Q, W_K, W_V, mask=mask)
        slope = np.linalg.norm(as_matrix(attention_jacobian(X, W_Q, W_K, W_V, mask=mask)), 2)
        assert bound.at_input <= bound.on_ball * (1 + 1e-12)
        ratios.append(slope / bound.at_input)
    assert max(ratios) <= 1 and max(ratios) > 0.3


def test_L9_4_second_form_is_a_lipschitz_constant_on_the_ball(rng):
    X, W_Q, W_K, W_V, _ = head(rng)
    bound = local_lipschitz_bound(X, W_Q, W_K, W_V)
    for _ in range(200):
        Y, Z = rng.standard_normal((2, 6, 4))
        Y, Z = (bound.radius * P / np.linalg.norm(P, axis=-1, keepdims=True) * rng.random((6, 1)) for P in (Y, Z))
        moved = np.linalg.norm(output(Y, W_Q, W_K, W_V) - output(Z, W_Q, W_K, W_V))
        assert moved <= bound.on_ball * np.linalg.norm(Y - Z)


def test_L9_4_by_hand():
    bound = local_lipschitz_bound([[2.0], [0.0]], [[1.0]], [[1.0]], [[3.0]], scale=0.5)
    A = softmax([[2.0, 0.0], [0.0, 0.0]])
    c, bend = A.sum(0).max(), 0.25 * 16
    assert bound.radius == 2 and math.isclose(bound.largest_column, c)
    assert math.isclose(bound.at_input, math.sqrt(3) * 3 * math.sqrt(c * (1 + bend) + bend))
    assert math.isclose(bound.on_ball, math.sqrt(3) * 3 * math.sqrt(2 + bend * 3))
    assert math.isclose(bound.score_share, (bend * c + bend) / (c * (1 + bend) + bend))
    assert math.isclose(bound.useful_below, 2 * 3 / bound.on_ball)


def test_L9_4_is_vacuous_after_a_layer_norm(rng):
    X, W_Q, W_K, W_V, _ = head(rng, 16, 64, 16, 16)
    X = (X - X.mean(-1, keepdims=True)) / X.std(-1, keepdims=True)
    bound = local_lipschitz_bound(X, W_Q / 8, W_K / 8, W_V / 8)
    slope = np.linalg.norm(as_matrix(attention_jacobian(X, W_Q / 8, W_K / 8, W_V / 8)), 2)
    assert math.isclose(bound.radius, 8) and bound.score_share > 0.99
    assert bound.on_ball > 50 * slope and bound.useful_below < 0.02


def test_lipschitz_bound_in_batches_and_where_undefined(rng):
    X, W_Q, W_K, W_V, _ = head(rng, 6, 4, 3, 2, 5)
    W_V[3] = 0
    bound = local_lipschitz_bound(X, W_Q, W_K, W_V)
    for h in (0, 4):
        one = local_lipschitz_bound(X, W_Q[h], W_K[h], W_V[h])
        assert all(
            math.isclose(getattr(bound, f)[h], getattr(one, f))
            for f in ("at_input", "on_ball", "radius", "largest_column", "score_share", "useful_below")
        )
    assert np.isnan(bound.useful_below[3]) and "1 of 5, first at (3,)" in bound.reasons["useful_below"]
    zero = local_lipschitz_bound(X, W_Q[0], W_K[0], np.zeros((4, 2)))
    assert zero.useful_below is None and zero.reasons


@pytest.mark.filterwarnings("error")
def test_lipschitz_bound_of_huge_tokens(rng):
    X, W_Q, W_K, W_V, _ = head(rng)
    small, huge = (local_lipschitz_bound(c * X, W_Q, W_K, W_V) for c in (1.0, 1e100))
    assert math.isclose(huge.score_share, 1) and huge.reasons == {} and 0 < huge.useful_below < 1e-190
    b = np.linalg.norm(W_Q @ W_K.T, 2) / math.sqrt(W_Q.shape[-1])
    expected = math.sqrt(3) * np.linalg.norm(W_V, 2) * b * huge.radius**2 * math.sqrt(len(X) + 1)
    assert math.isclose(huge.on_ball, expected) and math.isclose(huge.radius, 1e100 * small.radius)
    with pytest.raises(ValueError, match="leaves the float64 range"):
        local_lipschitz_bound(1e100 * X, W_Q, W_K, 1e150 * W_V)


# finite perturbations


def test_worst_direction_is_found_where_it_can_be_searched(rng):
    """Two tokens in one dimension: the sphere is a circle, so a grid finds the worst direction."""
    angle = np.linspace(0, 2 * np.pi, 40_001)
    for seed in range(4):
        X, W_Q, W_K, *_ = head(np.random.default_rng(seed), 2, 1, 1, 1)
        curve = perturbation_curve(X, W_Q, W_K, sizes=[0.01, 0.1, 0.5], rng=seed)
        for size, worst in zip(curve.sizes, curve.worst):
            D = size * np.linalg.norm(X) * np.stack([np.cos(angle), np.sin(angle)], -1)[..., None]
            moved = tv(softmax(scores(X + D, W_Q, W_K)), softmax(scores(X, W_Q, W_K))).mean(-1)
            assert worst <= moved.max() * (1 + 1e-6) and worst >= 0.98 * moved.max()


@pytest.mark.parametrize(("X", "W_Q", "W_K"), [([[3.0], [1.0]], 1.0, 2.0), ([[1.0], [-2.0]], 2.0, 2.0)])
def test_the_power_iteration_finds_what_a_random_start_misses(X, W_Q, W_K):
    """Saturated rows: the climb from the one random direction is stuck, in the second case from +v too."""
    X, W_Q, W_K = np.array(X), [[W_Q]], [[W_K]]
    curve = perturbation_curve(X, W_Q, W_K, sizes=[0.3], rng=0, directions=1, steps=8)
    angle = np.linspace(0, 2 * np.pi, 40_001)
    D = 0.3 * np.linalg.norm(X) * np.stack([np.cos(angle), np.sin(angle)], -1)[..., None]
    moved = tv(softmax(scores(X + D, W_Q, W_K)), softmax(scores(X, W_Q, W_K))).mean(-1)
    assert curve.worst[0] >= 0.98 * moved.max()
    maps, radius = stability._Weights(X, W_Q, W_K, None, None, None), 0.3 * np.linalg.norm(X)
    draw = stability._unit(np.random.default_rng(0).standard_normal((2, 2, 1)))[1:]
    assert stability._climb(maps, radius, draw, 8)[1].item() < 0.05 * curve.worst[0]


def test_worst_is_reached_and_above_every_random_direction(rng):
    X, W_Q, W_K, _, b_Q = head(rng, 10, 8, 4)
    for mask in (None, causal_mask(10)):
        curve = perturbation_curve(X, W_Q, W_K, sizes=[0.0, 0.05, 0.3, 1.0], rng=1, b_Q=b_Q, mask=mask)
        assert (curve.worst >= curve.random_max).all() and (curve.random_max >= curve.random_mean).all()
        assert curve.worst[0] == curve.random_max[0] == 0
        assert curve.worst[1] > 2 * curve.random_mean[1]
        assert math.isclose(np.linalg.norm(curve.direction), 1)
        D = np.linalg.norm(X) * curve.direction
        S, moved = scores(X, W_Q, W_K, b_Q=b_Q), scores(X + D, W_Q, W_K, b_Q=b_Q)
        rows = tv(softmax(S, mask=mask), softmax(moved, mask=mask))
        assert math.isclose(rows.mean(), curve.worst[-1])
        assert (rows <= weight_change_bound(moved - S, mask=mask) + 1e-12).all()


def test_random_mean_is_what_it_says(rng):
    X, W_Q, W_K, *_ = head(rng)
    curve = perturbation_curve(X, W_Q, W_K, sizes=[0.2], rng=5, directions=3)
    noise = np.random.default_rng(5).standard_normal((4, 6, 4))[1:]  # the first draw starts the power iteration
    moved = []
    for D in noise:
        step = 0.2 * np.linalg.norm(X) * D / np.linalg.norm(D)
        moved.append(tv(softmax(scores(X + step, W_Q, W_K)), softmax(scores(X, W_Q, W_K))).mean())
    assert np.allclose([curve.random_mean[0], curve.random_max[0]], [np.mean(moved), np.max(moved)])


def test_derivative_and_adjoint_agree_with_differences(rng):
    X, W_Q, W_K, _, b_Q = head(rng)
    maps = stability._Weights(X, W_Q, W_K, b_Q, causal_mask(6), None)
    D, U = rng.standard_normal((2, 6, 4))
    G = rng.standard_normal((6, 6))
    h = 1e-6
    assert np.allclose(maps.derivative(U), (maps(h * U) - maps(-h * U)) / (2 * h), atol=1e-8)
    slope = (G * (maps(D + h * U) - maps(D - h * U))).sum() / (2 * h)
    assert math.isclose((maps.adjoint(D, G) * U).sum(), slope, rel_tol=1e-6)


def test_heads_of_a_batch_have_their_own_worst_direction(rng):
    X, W_Q, W_K, *_ = head(rng, 6, 4, 3, 2, 3)
    curve = perturbation_curve(X, W_Q, W_K, sizes=[0.1, 0.4], rng=2)
    assert curve.worst.shape == (3, 2) and curve.direction.shape == (3, 6, 4)
    for h in range(3):
        one = perturbation_curve(X, W_Q[h], W_K[h], sizes=[0.1, 0.4], rng=2)
        assert np.allclose(one.worst, curve.worst[h]) and np.allclose(one.random_mean, curve.random_mean[h])


def test_curves_repeat_with_the_seed(rng):
    X, W_Q, W_K, *_ = head(rng)
    first, again, other = (perturbation_curve(X, W_Q, W_K, sizes=[0.1], rng=seed) for seed in (0, 0, 1))
    assert np.array_equal(first.random_mean, again.random_mean) and np.array_equal(first.worst, again.worst)
    assert not np.array_equal(first.random_mean, other.random_mean)


# refusals


def test_refusals(rng):
    X, W_Q, W_K, W_V, _ = head(rng)
    with pytest.raises(ValueError, match="E is -inf"):
        oscillation([0.0, -np.inf])
    with pytest.raises(ValueError, match="at least one key"):
        oscillation(np.zeros((2, 0)))
    with pytest.raises(ValueError, match=r"\(2, 3\) and \(2, 1\)"):
        output_change_bound(np.zeros((2, 3)), [[0.0], [1.0]])
    with pytest.raises(ValueError, match="one change for each token"):
        score_change_bound(X, X[:-1], W_Q, W_K)
    with pytest.raises(ValueError, match="W_V"):
        attention_jacobian(X, W_Q, W_K, W_V[:-1])
    with pytest.raises(ValueError, match=r"\(5, 3\)"):
        local_lipschitz_bound(X, rng.standard_normal((5, 3)), W_K, W_V)
    with pytest.raises(ValueError, match="no allowed key"):
        attention_jacobian(X, W_Q, W_K, W_V, mask=np.zeros((6, 6), dtype=bool))
    for sizes in ([-0.1], []):
        with pytest.raises(ValueError, match="at least one size, none negative"):
            perturbation_curve(X, W_Q, W_K, sizes=sizes, rng=0)
    with pytest.raises(ValueError, match="may not be zero"):
        perturbation_curve(0 * X, W_Q, W_K, sizes=[0.1], rng=0)
    with pytest.raises(ValueError, match="rng is None"):
        perturbation_curve(X, W_Q, W_K, sizes=[0.1], rng=None)


def test_biases_of_keys_and_values_do_not_enter(rng):
    X, W_Q, W_K, W_V, b_Q = head(rng)
    Q, K, V = X @ W_Q + b_Q, X @ W_K, X @ W_V
    plain, shifted = attention(Q, K, V), attention(Q, K + 3.0, V)
    assert np.allclose(plain.weights, shifted.weights) and not np.allclose(plain.scores, shifted.scores)
