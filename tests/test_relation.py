"""What survives a row shift: hand values T1.8 – T1.14, the six faces of reversibility (L1.5), the interval (L1.6)."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_geometry import bilinear
from attention_geometry.attention import causal_mask, log_softmax, scores, softmax
from attention_geometry.relation import (
    cycle_curl,
    detailed_balance_weights,
    energy_shares,
    energy_shares_null,
    is_reversible,
    squared_interval,
)

W = np.array([[1, 2, 1], [2, 1, 3], [1, 3, 2]])
FLOW = W / W.sum(1, keepdims=True)  # T1.8: symmetric before its rows were normalised
TURN = np.array([[3, 2, 1], [1, 3, 2], [2, 1, 3]]) / 6  # T1.9
FUNCTIONS = [energy_shares, cycle_curl, is_reversible, detailed_balance_weights, squared_interval]

seeds = st.integers(0, 10_000)
sizes = st.integers(3, 7)


def shares(S):
    found = energy_shares(S)
    return np.array([found.popularity, found.reciprocal, found.circulating])


def centring(n):
    return np.eye(n) - 1 / n


def noise(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


def reversible_scores(seed, n):
    """Symmetric scores with a row and a column term."""
    M, u, v = noise(seed, n, n), noise(seed + 1, n), noise(seed + 2, n)
    return M + M.T + u[:, None] + v


def sinkhorn(K, rounds=3000):
    """Alternate row and column normalisation."""
    for _ in range(rounds):
        K = K / K.sum(1, keepdims=True)
        K = K / K.sum(0)
    return K


def cycles(n):
    return itertools.permutations(range(n), 3)


# Energy shares.


@pytest.mark.parametrize(
    ("S", "expected"),
    [
        ([[2, 1, 0], [0, 2, 1], [1, 0, 2]], (0, 3 / 4, 1 / 4)),
        ([[0, 3, 0], [0, 0, 0], [0, 0, 0]], (1 / 3, 5 / 12, 1 / 4)),
        ([[0, 1, 0], [0, 0, 1], [1, 0, 0]], (0, 1 / 4, 3 / 4)),
        ([[0, 5], [0, 5]], (1, 0, 0)),
        ([[1, 0], [0, 1]], (0, 1, 0)),
    ],
)
def test_T1_11_shares_by_hand(S, expected):
    assert np.allclose(shares(S), expected, atol=1e-15)


@given(seeds, sizes)
def test_L1_5_shares_are_the_parts_of_an_orthogonal_sum(seed, n):
    S = noise(seed, n, n)
    J = centring(n)
    v, T = S.mean(0) @ J, J @ S @ J
    popular, mutual, around = np.ones((n, 1)) * v, (T + T.T) / 2, (T - T.T) / 2
    assert np.allclose(popular + mutual + around, S @ J)
    for a, b in itertools.combinations([popular, mutual, around], 2):
        assert np.isclose((a * b).sum(), 0, atol=1e-12)
    energy = np.array([(part**2).sum() for part in (popular, mutual, around)])
    assert np.isclose(energy.sum(), ((S @ J) ** 2).sum())
    assert np.allclose(shares(S), energy / energy.sum(), atol=1e-14)
    assert np.isclose(shares(S).sum(), 1)


@given(seeds, sizes)
def test_L1_5_shares_do_not_see_row_shifts_order_or_scale(seed, n):
    S, u = noise(seed, n, n), 5 * noise(seed + 1, n, 1)
    order = np.random.default_rng(seed).permutation(n)
    for same in (S + u, log_softmax(S), np.log(softmax(S)), S[np.ix_(order, order)], -3 * S, 1e200 * S):
        assert np.allclose(shares(same), shares(S), atol=1e-12)
    assert not np.allclose(shares(S + u.T), shares(S), atol=1e-6)  # a column term is popularity


@given(seeds)
def test_shares_do_not_see_the_gauge_of_the_head(seed):
    rng = np.random.default_rng(seed)
    X, W_Q, W_K = noise(seed, 6, 5), noise(seed + 1, 5, 3), noise(seed + 2, 5, 3)
    b_Q, b_K = noise(seed + 3, 3), noise(seed + 4, 3)
    S = scores(X, W_Q, W_K, b_Q=b_Q)
    other_basis = scores(X, *bilinear.random_gauge(W_Q, W_K, rng))
    assert np.allclose(shares(scores(X, W_Q, W_K)), shares(other_basis), atol=1e-8)
    assert np.allclose(shares(S), shares(scores(X, W_Q, W_K, b_Q=b_Q, b_K=b_K)), atol=1e-10)
    assert np.allclose(squared_interval(S), squared_interval(scores(X, W_Q, W_K, b_K=b_K)), atol=1e-10)  # nor biases
    assert not np.allclose(shares(S), shares(scores(X, W_Q, W_K)), atol=1e-6)  # a query bias makes popularity


def test_shares_of_uniform_weights_are_undefined():
    for S in (np.zeros((4, 4)), [[0.1] * 3, [0.7] * 3, [-2e5] * 3], np.log(np.full((3, 3), 1 / 3)), [[7]]):
        found = energy_shares(S)
        assert (found.popularity, found.reciprocal, found.circulating) == (None, None, None)
        assert "uniform" in found.reasons["circulating"]
    batch = energy_shares(np.stack([np.zeros((3, 3)), np.eye(3)]))
    assert np.isnan(batch.reciprocal[0]) and batch.reciprocal[1] == 1
    assert "1 of 2, first at (0,)" in batch.reasons["reciprocal"]


def test_rounding_noise_is_no_energy():
    S = np.full((5, 5), 0.1) + np.array([[0.0], [1e9], [3.0], [-1e9], [7.0]])
    assert energy_shares(S + 1e-9 * noise(0, 5, 5)).popularity is None  # below the spacing of numbers near 1e9
    single = np.float32(1.0) + np.float32(5e-8) * noise(1, 5, 5).astype(np.float32)
    assert energy_shares(single).popularity is None
    assert energy_shares(single.astype(np.float64)).popularity is not None  # said to be exact, so it is taken as such


def test_scores_that_vary_by_some_spacings_of_bfloat16_have_shares():
    torch = pytest.importorskip("torch")
    S = torch.tensor(100 + 4 * noise(0, 5, 5).clip(-1, 1)).bfloat16()
    found = energy_shares(S)
    assert found.reasons == {} and np.allclose(shares(S), shares(S.double()), atol=1e-14)
    assert found.popularity + found.reciprocal + found.circulating == pytest.approx(1)
    flat = energy_shares(torch.tensor(100 + 0.2 * noise(0, 5, 5).clip(-1, 1)).bfloat16())
    assert flat.popularity is None and "up to the rounding of its precision" in flat.reasons["popularity"]


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_the_null_of_the_shares_is_the_share_of_dimensions(n):
    null = energy_shares_null(n)
    expected = np.array([null.popularity, null.reciprocal, null.circulating])
    assert np.isclose(expected.sum(), 1)
    dimensions = np.array([n - 1, n * (n - 1) / 2, (n - 1) * (n - 2) / 2])
    assert np.allclose(expected, dimensions / (n * (n - 1)))
    found = energy_shares(noise(n, 4000, n, n))
    draws = np.stack([found.popularity, found.reciprocal, found.circulating])
    error = draws.std(1) / np.sqrt(4000) + 1e-12
    assert (np.abs(draws.mean(1) - expected) < 4 * error).all()
    assert (np.abs(draws.mean(1) - expected) < 0.02).all()


def test_the_null_needs_two_tokens():
    with pytest.raises(ValueError, match="n is 1"):
        energy_shares_null(1)


# Reversibility.


def test_T1_8_rows_of_symmetric_counts_are_reversible_though_A_is_not_symmetric():
    assert not np.allclose(FLOW, FLOW.T)
    assert np.isclose(FLOW[0, 1] * FLOW[1, 2] * FLOW[2, 0], 1 / 24)
    assert np.isclose(FLOW[0, 2] * FLOW[2, 1] * FLOW[1, 0], 1 / 24)
    S = np.log(FLOW)
    assert cycle_curl(S).largest < 1e-14 and is_reversible(S)
    u = detailed_balance_weights(S)
    assert np.allclose(u, [1 / 4, 3 / 8, 3 / 8]) and np.allclose(u @ FLOW, u)
    assert np.allclose(np.sort(np.linalg.eigvals(FLOW).real), [-1 / 3, 1 / 12, 1])


def test_T1_9_a_turn_is_not_reversible():
    assert np.isclose(TURN[0, 1] * TURN[1, 2] * TURN[2, 0], 1 / 27)
    assert np.isclose(TURN[0, 2] * TURN[2, 1] * TURN[1, 0], 1 / 216)
    found = cycle_curl(np.log(TURN))
    assert np.isclose(found.largest, 3 * np.log(2))
    assert found.witness == (0, 1, 2)
    assert np.isclose(found.root_mean_square, 3 * np.log(2))  # all six ordered cycles are this one
    assert is_reversible(np.log(TURN)) is False
    assert np.isnan(detailed_balance_weights(np.log(TURN))).all()


def test_T1_10_row_terms_hide_the_symmetry_of_scores():
    S = np.log(W) + np.array([[0], [5], [-1]])
    assert np.isclose(np.abs(S - S.T).max(), 6)
    assert np.allclose(softmax(S), FLOW)
    assert is_reversible(S)


@given(seeds, sizes)
def test_L1_5_the_six_faces_of_a_reversible_head(seed, n):
    S = reversible_scores(seed, n)
    A = softmax(S)
    u = detailed_balance_weights(S)
    assert is_reversible(S) and energy_shares(S).circulating < 1e-25
    flow = u[:, None] * A
    assert np.allclose(flow, flow.T)  # (b) detailed balance …
    assert np.allclose(softmax(np.log((flow + flow.T) / 2)), A)  # … (a) so A is the softmax of symmetric scores
    assert all(np.isclose(A[i, j] * A[j, k] * A[k, i], A[i, k] * A[k, j] * A[j, i]) for i, j, k in cycles(n))  # (c)
    N = S - S.T
    gradient = N.mean(1)
    assert np.allclose(N, gradient[:, None] - gradient)  # (d)
    assert np.allclose(centring(n) @ N @ centring(n), 0, atol=1e-12)  # (e)
    limit = sinkhorn(np.exp(S / 4))  # the quarter keeps the iteration short and changes no symmetry
    assert np.allclose(limit, limit.T, atol=1e-9)  # (f)


@given(seeds, sizes)
def test_L1_5_and_none_of_the_six_without_it(seed, n):
    S = reversible_scores(seed, n) + np.roll(np.eye(n), 1, axis=1)  # a cycle of a definite size
    A = softmax(S)
    assert not is_reversible(S) and energy_shares(S).circulating > 1e-6
    assert np.isnan(detailed_balance_weights(S)).all()
    pi = np.linalg.matrix_power(A, 4096)[0]
    assert not np.allclose(pi[:, None] * A, (pi[:, None] * A).T, atol=1e-9)  # the only candidate for u is stationary
    assert any(
        not np.isclose(A[i, j] * A[j, k] * A[k, i], A[i, k] * A[k, j] * A[j, i], atol=0) for i, j, k in cycles(n)
    )
    N = S - S.T
    assert not np.allclose(N, N.mean(1)[:, None] - N.mean(1), atol=1e-6)
    assert not np.allclose(centring(n) @ N @ centring(n), 0, atol=1e-6)
    limit = sinkhorn(np.exp(S / 4))
    assert not np.allclose(limit, limit.T, atol=1e-7)


@given(seeds, sizes)
def test_L1_5_curls_by_loop(seed, n):
    S = noise(seed, n, n)
    N = S - S.T
    c = {(i, j, k): N[i, j] + N[j, k] + N[k, i] for i, j, k in cycles(n)}
    found = cycle_curl(S)
    assert np.isclose(found.largest, max(c.values()))
    assert np.isclose(found.largest, c[found.witness])
    assert np.isclose(found.root_mean_square, np.sqrt(np.mean([x**2 for x in c.values()])))
    T_a = centring(n) @ N @ centring(n) / 2
    assert np.isclose(sum(x**2 for x in c.values()), 12 * n * (T_a**2).sum())  # the curls carry the circulating energy


@given(seeds, sizes)
def test_a_witness_of_a_reversible_head_is_still_a_cycle(seed, n):
    for S in (np.zeros((n, n)), reversible_scores(seed, n), np.ones((n, 1)) * noise(seed, n)):
        found = cycle_curl(S)
        assert len(set(found.witness)) == 3 and 0 <= found.largest < 1e-13
    assert cycle_curl(np.zeros((n, n))).witness == (0, 1, 2)


def test_an_empty_batch_has_no_curls():
    found = cycle_curl(np.zeros((0, 3, 3)))
    assert found.largest.shape == found.root_mean_square.shape == (0,) and found.witness.shape == (0, 3)
    assert is_reversible(np.zeros((0, 3, 3))).shape == (0,)


@given(seeds)
def test_L1_5_an_antisymmetric_part_of_B_breaks_reversibility_for_some_tokens(seed):
    X, W_Q, C = noise(seed, 4, 5), noise(seed + 1, 5, 3), noise(seed + 2, 3, 3)
    assert is_reversible(scores(X, W_Q, W_Q @ (C + C.T)), tolerance=1e-9)  # B symmetric: reversible for every X
    assert not is_reversible(scores(X, W_Q, W_Q @ (C - C.T)), tolerance=1e-6)


@given(seeds, st.integers(1, 5))
def test_T3_5_sinkhorn_limit_of_two_tokens(seed, size):
    assert np.allclose(sinkhorn(np.array([[4, 1], [1, 1]])), np.array([[2, 1], [1, 2]]) / 3, atol=1e-12)
    (a, b), (c, d) = K = np.exp(noise(seed, 2, 2) * size / 2)
    limit = sinkhorn(K)
    assert np.allclose(limit, limit.T, atol=1e-9) and np.allclose(limit.sum(0), 1)
    assert np.allclose(limit[0, 1] / limit[0, 0], np.sqrt(b * c / (a * d)), rtol=1e-6)


@given(seeds)
def test_two_tokens_are_always_reversible(seed):
    S = 3 * noise(seed, 2, 2)
    u, A = detailed_balance_weights(S), softmax(S)
    assert is_reversible(S) and np.isclose(u[0] * A[0, 1], u[1] * A[1, 0])
    assert cycle_curl(S).largest is None and "every such A is reversible" in cycle_curl(S).reasons["largest"]
    assert energy_shares(S).circulating < 1e-25


def test_one_token():
    assert is_reversible([[3.0]]) and detailed_balance_weights([[3.0]]).tolist() == [1.0]
    assert cycle_curl([[3.0]]).witness is None
    assert squared_interval([[3.0]]).tolist() == [[0.0]]


@pytest.mark.parametrize("precision", [np.float16, np.float32])
def test_weights_of_lower_precision_stay_reversible_within_their_rounding(precision):
    log_A = log_softmax(reversible_scores(3, 6)).astype(precision)
    assert is_reversible(log_A) and not is_reversible(log_A.astype(np.float64))
    assert not is_reversible(np.log(TURN).astype(precision))
    assert is_reversible(np.log(TURN), tolerance=3)


def test_reversible_scores_in_bfloat16_are_kept_and_a_small_turn_is_seen():
    torch = pytest.importorskip("torch")
    kept = [is_reversible(torch.tensor(reversible_scores(seed, 6)).bfloat16()) for seed in range(100)]
    assert all(kept)
    turn = torch.tensor(np.roll(np.eye(3), 1, axis=1) * 0.05).bfloat16()  # curl 0.15, above 8 ε = 1/16, below 32 ε
    assert not is_reversible(turn) and is_reversible(turn, tolerance=0.5)
    assert not is_reversible(turn.half())


# The squared interval.


def test_T1_12_the_interval_is_read_off_the_weights():
    x = np.array([[0.0], [1.0], [3.0]])
    expected = [[0, 1, 9], [1, 0, 4], [9, 4, 0]]
    assert squared_interval(x @ x.T).tolist() == expected
    assert np.allclose(squared_interval(np.log(softmax(x @ x.T))), expected)


def test_T1_13_the_interval_may_be_negative():
    assert squared_interval([[0, 1], [1, 0]]).tolist() == [[0, -2], [-2, 0]]


def test_T1_14_reversible_but_no_metric():
    S = -np.array([[0, 1, 9], [1, 0, 1], [9, 1, 0]]) / 2
    assert is_reversible(S)
    sides = np.sqrt(squared_interval(S))
    assert sides.tolist() == [[0, 1, 3], [1, 0, 1], [3, 1, 0]]
    assert sides[0, 2] > sides[0, 1] + sides[1, 2]
    assert np.linalg.eigvalsh(centring(3) @ S @ centring(3)).min() < -0.1  # Schoenberg's condition fails too


@given(seeds, sizes)
def test_L1_6_interval_of_the_symmetric_part(seed, n):
    X, W_Q, W_K = noise(seed, n, 6), noise(seed + 1, 6, 2), noise(seed + 2, 6, 2)
    S = scores(X, W_Q, W_K, b_Q=noise(seed + 3, 2), b_K=noise(seed + 4, 2))
    B_s = bilinear.symmetric_part(bilinear.bilinear_form(W_Q, W_K))
    difference = X[:, None] - X
    expected = np.einsum("ijd,de,ije->ij", difference, B_s, difference) / np.sqrt(2)
    D, A = squared_interval(S), softmax(S)
    assert np.allclose(D, expected, atol=1e-11)
    assert np.array_equal(D, D.T) and not np.diagonal(D).any()
    assert np.allclose(D, np.log(A.diagonal()[:, None] * A.diagonal() / (A * A.T)), atol=1e-11)
    shifted = S + noise(seed + 5, n, 1) + noise(seed + 6, n)
    assert np.allclose(squared_interval(shifted), D, atol=1e-11)


@given(seeds, sizes)
def test_L1_6_the_root_is_euclidean_exactly_if_the_centred_symmetric_part_is_psd(seed, n):
    Z, J = noise(seed, n, 2), centring(n)
    S = Z @ Z.T + noise(seed + 1, n, 1)
    assert np.allclose(-J @ squared_interval(S) @ J / 2, J @ (S + S.T) @ J / 2, atol=1e-12)
    assert np.allclose(squared_interval(S), ((Z[:, None] - Z) ** 2).sum(-1), atol=1e-11)


def test_L1_6_half_of_the_intervals_of_random_heads_are_negative():
    D = squared_interval(scores(noise(0, 200, 12, 32), noise(1, 200, 32, 4), noise(2, 200, 32, 4)))
    negative = (D < 0)[:, ~np.eye(12, dtype=bool)].mean()
    assert 0.45 < negative < 0.55


# Batches and refusals.


def test_batches_equal_the_loop():
    S = noise(0, 2, 3, 5, 5)
    S[0, 1] = reversible_scores(1, 5)
    S[1, 2] = 0.3
    places = list(np.ndindex(2, 3))
    assert np.array_equal(is_reversible(S), [[is_reversible(one) for one in row] for row in S])
    assert is_reversible(S).tolist() == [[False, True, False], [False, False, True]]
    for name in ("popularity", "reciprocal", "circulating"):
        for at in places:
            single = np.array(getattr(energy_shares(S[at]), name), dtype=float)  # None becomes NaN
            assert np.allclose(getattr(energy_shares(S), name)[at], single, equal_nan=True)
    curls = cycle_curl(S)
    for at in places:
        single = cycle_curl(S[at])
        assert curls.largest[at] == single.largest and tuple(curls.witness[at]) == single.witness
        assert np.isclose(curls.root_mean_square[at], single.root_mean_square, atol=1e-300)
        assert np.allclose(detailed_balance_weights(S)[at], detailed_balance_weights(S[at]), equal_nan=True)
        assert np.array_equal(squared_interval(S)[at], squared_interval(S[at]))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_L1_5_causal_and_masked_scores_are_refused_with_the_reason(function):
    S = np.where(causal_mask(4), noise(0, 4, 4), -np.inf)
    with pytest.raises(ValueError, match=r"\(0, 1\).*vacuous for masked pairs.*before the mask.*counterfactual"):
        function(S)
    with np.errstate(divide="ignore"), pytest.raises(ValueError, match="vacuous for masked pairs"):
        function(np.log(softmax(S)))
    with pytest.raises(ValueError, match="cross-attention"):
        function(np.zeros((3, 4)))


def test_causal_products_are_zero_whatever_the_weights():
    A = softmax(noise(0, 4, 4), mask=causal_mask(4))
    assert all(A[i, j] * A[j, k] * A[k, i] == 0 == A[i, k] * A[k, j] * A[j, i] for i, j, k in cycles(4))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_scores_beyond_the_float_range_are_refused(function):
    with pytest.raises(ValueError, match="float64 range"):
        function([[1e308, 0], [0, 1]])
