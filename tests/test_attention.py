"""Laws, hand values and refusals of the softmax and the mixture (labels T… are those of the mathematics)."""

import itertools
import math

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attention_geometry.attention import (
    attention,
    causal_mask,
    effective_keys,
    entropy,
    log_softmax,
    log_sum_exp,
    normalised_entropy,
    scores,
    softmax,
    softmax_jacobian,
)

LN2, LN3, LN4 = math.log(2), math.log(3), math.log(4)
score_arrays = arrays(np.float64, array_shapes(min_dims=1, max_dims=3, max_side=6), elements=st.floats(-50, 50))


# softmax: definition, invariance, limits


def test_softmax_equals_the_definition_row_by_row(rng):
    S = rng.standard_normal((3, 4, 5))
    A = softmax(S)
    for b, i in itertools.product(range(3), range(4)):
        total = sum(math.exp(s) for s in S[b, i])
        for j in range(5):
            assert A[b, i, j] == pytest.approx(math.exp(S[b, i, j]) / total, rel=1e-14)


@given(score_arrays, st.floats(-300, 300))
def test_G1_a_row_shift_changes_no_weight(S, shift):
    assert np.allclose(softmax(S + shift), softmax(S), rtol=0, atol=1e-12)


def test_G1_converse_equal_weights_have_scores_that_differ_by_a_row_shift(rng):
    S = rng.standard_normal((6, 6))
    centred = S - S.mean(-1, keepdims=True)
    L = log_softmax(S + rng.standard_normal((6, 1)))
    assert np.allclose(L - L.mean(-1, keepdims=True), centred, atol=1e-13)
    assert not np.allclose(softmax(S + rng.standard_normal((6, 6))), softmax(S), atol=1e-3)


def test_a_column_shift_does_change_the_weights(rng):
    S = rng.standard_normal((4, 4))
    assert np.abs(softmax(S + np.arange(4.0)) - softmax(S)).max() > 0.1


@given(score_arrays)
def test_rows_sum_to_one(S):
    assert np.allclose(softmax(S).sum(-1), 1, rtol=0, atol=1e-12)


def test_B14_rows_sum_to_one_and_columns_do_not():
    A = attention([[1.0, 2.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], np.zeros((3, 1))).weights
    assert A.shape == (2, 3)
    assert np.allclose(A.sum(1), 1, atol=1e-15)
    assert not np.allclose(A.sum(0), 1, atol=1e-2)


def test_T3_2_temperature_by_hand():
    s = [0, LN2, LN4]
    assert np.allclose(softmax(s), np.array([1, 2, 4]) / 7, rtol=1e-15)
    assert np.allclose(softmax(s, temperature=0.5), np.array([1, 4, 16]) / 21, rtol=1e-15)


def test_temperature_limits_keep_ties_and_masks():
    S, mask = np.array([[3.0, 3.0, 1.0, 3.0]]), np.array([[True, True, True, False]])
    assert softmax(S, temperature=0).tolist() == [[1 / 3, 1 / 3, 0, 1 / 3]]
    assert softmax(S, mask=mask, temperature=0).tolist() == [[0.5, 0.5, 0, 0]]
    assert softmax(S, mask=mask, temperature=math.inf).tolist() == [[1 / 3, 1 / 3, 1 / 3, 0]]
    assert softmax([[0.0, -np.inf, 5.0]], temperature=math.inf).tolist() == [[0.5, 0, 0.5]]
    assert log_softmax([[0.0, -np.inf, 5.0]], temperature=0).tolist() == [[-np.inf, -np.inf, 0]]


def test_temperature_limits_are_limits(rng):
    S = rng.standard_normal((5, 7))
    S[0, :3] = S[0].max() + 1  # a tie at the top
    assert np.abs(softmax(S, temperature=1e-3) - softmax(S, temperature=0)).max() < 1e-9
    assert np.abs(softmax(S, temperature=1e9) - softmax(S, temperature=math.inf)).max() < 1e-8


def test_mass_off_the_argmax_is_bounded(rng):
    for _ in range(50):
        n, ties, T = int(rng.integers(3, 9)), int(rng.integers(1, 3)), rng.uniform(0.05, 3)
        s = -rng.uniform(0.3, 4, n)
        s[:ties] = 0.0
        gap = -s[ties:].max()
        assert softmax(s, temperature=T)[ties:].sum() <= (n - ties) / ties * math.exp(-gap / T) + 1e-15


@pytest.mark.parametrize("temperature", [5e-324, 1e-300, 1e-3, 1.0, 1.5, 1e3, 1e308])
@pytest.mark.parametrize("size", [1e5, 1e16, 1e300, 1.7e308])
def test_F10_huge_scores_stay_finite(size, temperature):
    A = softmax([[size, -size, 0.0], [size, size, size], [-size, -size, -size]], temperature=temperature)
    assert np.isfinite(A).all() and np.allclose(A.sum(-1), 1, atol=1e-15)
    assert np.allclose(A[1:], 1 / 3)
    assert not np.isnan(log_softmax([size, -size], temperature=temperature)).any()


def test_the_difference_of_two_huge_scores_over_a_huge_temperature_is_exact():
    assert np.allclose(
        log_softmax([1.7e308, -1.7e308], temperature=1.7e308), [-math.log1p(math.exp(-2)), -2.1269280110429727]
    )


# log_softmax and log_sum_exp


def test_log_softmax_is_exact_where_the_weight_underflows():
    L = log_softmax([[0.0, -2000.0]])
    assert softmax([[0.0, -2000.0]])[0, 1] == 0
    assert L.tolist() == [[0.0, -2000.0]]


def test_log_softmax_agrees_with_scipy(rng):
    S = rng.standard_normal((4, 5, 6)) * 30
    assert np.allclose(log_softmax(S), scipy.special.log_softmax(S, axis=-1), rtol=1e-14, atol=1e-13)
    assert np.allclose(log_sum_exp(S), scipy.special.logsumexp(S, axis=-1), rtol=1e-14)


def test_T3_4_log_sum_exp_by_hand_and_its_bounds(rng):
    assert log_sum_exp([0, LN2, LN4]) == pytest.approx(math.log(7), rel=1e-15)
    S = rng.standard_normal((100, 6)) * 3
    excess = log_sum_exp(S) - S.max(-1)
    assert (excess >= 0).all() and (excess <= math.log(6) + 1e-15).all()
    E = rng.uniform(-1, 1, S.shape)
    assert (np.abs(log_sum_exp(S + E) - log_sum_exp(S)) <= np.abs(E).max(-1) + 1e-14).all()
    assert (log_sum_exp((S + E) / 2) <= (log_sum_exp(S) + log_sum_exp(E)) / 2 + 1e-12).all()


def test_T3_4_free_energy_identity(rng):
    s = rng.standard_normal(6)
    best = softmax(s)
    for _ in range(20):
        p = rng.dirichlet(np.ones(6))
        divergence = float(np.sum(p * (np.log(p) - log_softmax(s))))
        assert divergence > 0
        assert p @ s + entropy(p) == pytest.approx(log_sum_exp(s) - divergence, abs=1e-12)
    assert best @ s + entropy(best) == pytest.approx(log_sum_exp(s), abs=1e-14)


def test_log_sum_exp_moves_with_a_row_shift_and_leaves_out_masked_keys():
    assert log_sum_exp([1001.0, 1001.0]) == pytest.approx(1001 + LN2)
    assert log_sum_exp([[0.0, 9.0]], mask=[[True, False]]).tolist() == [0.0]


# masks and empty rows


def test_minus_infinity_and_mask_mean_the_same(rng):
    S, mask = rng.standard_normal((5, 5)), causal_mask(5)
    for f in (softmax, log_softmax, log_sum_exp):
        assert np.array_equal(f(S, mask=mask), f(np.where(mask, S, -np.inf)))
    assert (softmax(S, mask=mask)[~mask] == 0).all()


@pytest.mark.parametrize("f", [softmax, log_softmax, log_sum_exp])
def test_F3_a_row_with_no_allowed_key(f):
    S, mask = np.zeros((2, 3, 2)), np.ones((2, 3, 2), bool)
    mask[1, 2] = False
    with pytest.raises(ValueError, match=r"row \(1, 2\) of S has no allowed key.*empty_rows='zero'"):
        f(S, mask=mask)
    with pytest.raises(ValueError, match="row 1 of S"):
        f([[0.0, 1.0], [-np.inf, -np.inf]])
    with pytest.raises(ValueError, match="'raise' or 'zero'"):
        f(S, empty_rows="nan")
    value = f(S, mask=mask, empty_rows="zero")
    assert np.array_equal(
        value[1, 2], {softmax: np.zeros(2), log_softmax: np.full(2, -np.inf), log_sum_exp: -np.inf}[f]
    )
    for temperature in (0, math.inf):
        if f is not log_sum_exp:
            assert np.array_equal(f(S, mask=mask, empty_rows="zero", temperature=temperature)[1, 2], value[1, 2])


def test_an_empty_row_has_zero_weight_zero_output_and_no_entropy():
    step = attention(
        np.ones((2, 1)), np.ones((2, 1)), np.ones((2, 3)), mask=[[True, True], [False, False]], empty_rows="zero"
    )
    assert step.weights.tolist() == [[0.5, 0.5], [0, 0]]
    assert step.output.tolist() == [[1, 1, 1], [0, 0, 0]]
    assert step.scores.tolist() == [[1, 1], [1, 1]]  # before the mask
    assert np.isnan(entropy(step.weights)).tolist() == [False, True]
    assert np.isnan(effective_keys(step.weights)).tolist() == [False, True]


def test_causal_mask_shows_no_later_key():
    mask = causal_mask(4)
    assert mask.dtype == bool
    assert all(mask[i, j] == (j <= i) for i in range(4) for j in range(4))


@pytest.mark.parametrize("n", [0, -1])
def test_causal_mask_refuses_no_tokens(n):
    with pytest.raises(ValueError, match="n is"):
        causal_mask(n)
    with pytest.raises(TypeError, match="expected an integer"):
        causal_mask(2.0)


# entropy


def test_T3_3_entropy_by_hand():
    assert entropy([0.5, 0.25, 0.25]) / LN2 == pytest.approx(1.5, rel=1e-15)
    assert effective_keys([0.5, 0.25, 0.25]) == pytest.approx(2 * math.sqrt(2), rel=1e-15)
    assert entropy(np.array([3, 2, 1]) / 6) == pytest.approx(math.log(6) - (3 * LN3 + 2 * LN2) / 6, rel=1e-15)
    assert round(entropy(np.array([3, 2, 1]) / 6), 4) == 1.0114


def test_B12_entropy_at_zero_weights_and_from_what_are_no_weights():
    assert entropy([1, 0, 0]) == 0
    assert math.copysign(1, entropy([1, 0, 0])) == 1  # not −0
    assert entropy([0.5, 0.5, 0]) == pytest.approx(0.6931, abs=5e-5)
    with pytest.raises(ValueError, match=r"-0\.5 at index \(1,\)"):
        entropy([1.5, -0.5])


def test_entropy_agrees_with_scipy_and_is_largest_when_uniform(rng):
    A = rng.dirichlet(np.ones(7), size=(3, 4))
    assert np.allclose(entropy(A), scipy.special.entr(A).sum(-1), rtol=1e-14)
    assert (entropy(A) < math.log(7)).all()
    assert entropy(np.full(7, 1 / 7)) == pytest.approx(math.log(7), rel=1e-15)
    assert np.allclose(entropy(A[..., ::-1]), entropy(A), rtol=1e-14)  # it cannot say where a head looks


def test_entropy_rises_with_temperature_at_the_rate_variance_over_T_cubed(rng):
    s, step = rng.standard_normal(5), 1e-5
    for T in (0.3, 1.0, 4.0):
        p = softmax(s, temperature=T)
        slope = (entropy(softmax(s, temperature=T + step)) - entropy(softmax(s, temperature=T - step))) / (2 * step)
        assert slope == pytest.approx((p @ s**2 - (p @ s) ** 2) / T**3, rel=1e-6)
        assert slope > 0


def test_normalised_entropy_divides_each_causal_row_by_its_own_maximum():
    mask = causal_mask(5)
    H = normalised_entropy(softmax(np.zeros((5, 5)), mask=mask), mask=mask)
    assert np.isnan(H[0]) and np.allclose(H[1:], 1, atol=1e-15)
    assert np.allclose(normalised_entropy(np.full((2, 4), 0.25)), 1)
    without = normalised_entropy(softmax(np.zeros((5, 5)), mask=mask))
    assert without[0] == 0 and without[1] == pytest.approx(LN2 / math.log(5))  # what the mask is for


def test_normalised_entropy_refuses_a_mask_that_did_not_make_the_weights():
    with pytest.raises(ValueError, match=r"weight 0.5 on index \(0, 1\), which the mask forbids"):
        normalised_entropy([[0.5, 0.5], [0.5, 0.5]], mask=causal_mask(2))


# the Jacobian


def test_T3_1_jacobian_eigenvalues():
    for p, expected in [
        ([1 / 2, 1 / 4, 1 / 4], [0, 1 / 4, 3 / 8]),
        ([1 / 2, 1 / 2], [0, 1 / 2]),
        ([1 / 4] * 4, [0] + [1 / 4] * 3),
    ]:
        assert np.allclose(np.linalg.eigvalsh(softmax_jacobian(p)), expected, atol=1e-15)


def test_the_jacobian_is_the_derivative(rng):
    s, step = rng.standard_normal(5), 1e-20
    for j in range(5):  # complex step: exact to rounding
        z = s.astype(complex)
        z[j] += 1j * step
        e = np.exp(z - s.max())
        assert np.allclose(softmax_jacobian(softmax(s))[:, j], (e / e.sum()).imag / step, rtol=1e-13, atol=1e-16)


def test_T3_1_jacobian_norms_and_their_bounds(rng):
    signs = np.array(list(itertools.product([-1, 1], repeat=5)))
    subsets = (signs + 1) / 2
    for p in rng.dirichlet(np.full(5, 0.5), size=40):
        J = softmax_jacobian(p)
        z = rng.standard_normal(5)
        assert np.allclose(J @ np.ones(5), 0, atol=1e-15)
        assert z @ J @ z == pytest.approx(p @ z**2 - (p @ z) ** 2, abs=1e-14)
        assert np.linalg.norm(J, 2) <= 0.5 + 1e-15
        for order in (1, np.inf):
            assert np.linalg.norm(J, order) == pytest.approx((2 * p * (1 - p)).max(), abs=1e-15)
        inf_to_one = max(np.abs(J @ z).sum() for z in signs)
        mass = subsets @ p
        assert inf_to_one == pytest.approx((4 * mass * (1 - mass)).max(), abs=1e-14)
        assert inf_to_one <= 1 + 1e-15
        assert np.abs(J).max() <= 0.25 + 1e-15  # ℓ1 → ℓ∞
    assert np.linalg.norm(softmax_jacobian([0.5, 0.5]), 2) == pytest.approx(0.5)  # attained


# scores and attention


def test_scores_equal_the_definition_entry_by_entry(rng):
    X, W_Q, W_K = rng.standard_normal((4, 3)), rng.standard_normal((3, 2)), rng.standard_normal((3, 2))
    b_Q, b_K = rng.standard_normal(2), rng.standard_normal(2)
    S = scores(X, W_Q, W_K, b_Q=b_Q, b_K=b_K)
    for i, j in itertools.product(range(4), repeat=2):
        q = [sum(X[i, a] * W_Q[a, r] for a in range(3)) + b_Q[r] for r in range(2)]
        k = [sum(X[j, a] * W_K[a, r] for a in range(3)) + b_K[r] for r in range(2)]
        assert S[i, j] == pytest.approx(sum(u * v for u, v in zip(q, k)) / math.sqrt(2), abs=1e-13)
    assert np.allclose(scores(X, W_Q, W_K, scale=1.0), (X @ W_Q) @ (X @ W_K).T)


def test_T0_1_a_key_bias_drops_out_and_a_query_bias_does_not(rng):
    X, W_Q, W_K = rng.standard_normal((6, 5)), rng.standard_normal((5, 3)), rng.standard_normal((5, 3))
    b = rng.standard_normal(3)
    plain = softmax(scores(X, W_Q, W_K))
    assert np.abs(softmax(scores(X, W_Q, W_K, b_K=b)) - plain).max() < 1e-14
    assert (
        np.abs(
            softmax(scores(X, W_Q, W_K, b_K=b), mask=causal_mask(6)) - softmax(scores(X, W_Q, W_K), mask=causal_mask(6))
        ).max()
        < 1e-14
    )
    assert np.abs(softmax(scores(X, W_Q, W_K, b_Q=b)) - plain).max() > 0.01
    column = scores(X, W_Q, W_K, b_Q=b) - scores(X, W_Q, W_K)
    assert np.allclose(column, column[0], atol=1e-14)  # a term that depends on the key alone


def test_T1_15_the_scale_keeps_the_variance_at_one_under_its_assumptions_only():
    cube = np.array(list(itertools.product([-1, 1], repeat=4)))
    S = scores(cube, np.eye(4), np.eye(4), scale=1.0)  # every pair of Rademacher vectors
    values, counts = np.unique(S, return_counts=True)
    assert values.tolist() == [-4, -2, 0, 2, 4]
    assert (counts / counts.sum() * 16).tolist() == [1, 4, 6, 4, 1]
    assert S.var() == 4
    assert scores(cube, np.eye(4), np.eye(4)).var() == 1
    assert (np.diag(S) == 4).all()  # q = k: constant
    lines = np.array([[1.0] * 4, [-1.0] * 4])
    assert scores(lines, np.eye(4), np.eye(4), scale=1.0).var() == 16  # one common sign: d_k²


@pytest.mark.parametrize("batch", [(), (3,), (2, 3)])
def test_attention_agrees_with_torch(rng, batch):
    torch = pytest.importorskip("torch")
    sdpa = torch.nn.functional.scaled_dot_product_attention
    Q, K, V = (rng.standard_normal((*batch, n, d)) for n, d in [(5, 4), (7, 4), (7, 6)])
    mask = rng.random((*batch, 5, 7)) < 0.5
    mask[..., 0] = True
    tensors = [torch.tensor(x) for x in (Q, K, V)]
    for options, same in [
        ({}, {}),
        ({"mask": mask}, {"attn_mask": torch.tensor(mask)}),
        ({"scale": 0.3}, {"scale": 0.3}),
    ]:
        step = attention(Q, K, V, **options)
        assert np.abs(step.output - sdpa(*tensors, **same).numpy()).max() <= 1e-12
        assert step.weights.shape == step.scores.shape == (*batch, 5, 7)
    shared = mask.reshape(-1, 5, 7)[0]  # one mask for the whole batch
    assert (
        np.abs(attention(Q, K, V, mask=shared).output - sdpa(*tensors, attn_mask=torch.tensor(shared)).numpy()).max()
        <= 1e-12
    )
    causal = attention(Q[..., :5, :], K[..., :5, :], V[..., :5, :], mask=causal_mask(5)).output
    short = [torch.tensor(x[..., :5, :]) for x in (Q, K, V)]
    assert np.abs(causal - sdpa(*short, is_causal=True).numpy()).max() <= 1e-12
    assert np.abs(step.output - sdpa(*tensors).numpy()).max() > 1e-3  # the comparison can fail


def test_leading_axes_broadcast_and_grouped_queries_must_be_spelt_out(rng):
    X, W = rng.standard_normal((5, 4)), rng.standard_normal((3, 4, 2))
    S = scores(X, W, W[:1])
    assert S.shape == (3, 5, 5)
    assert np.allclose(S[2], scores(X, W[2], W[0]))
    with pytest.raises(ValueError, match="grouped queries"):
        attention(rng.standard_normal((9, 5, 2)), rng.standard_normal((3, 5, 2)), rng.standard_normal((3, 5, 2)))


def test_the_output_lies_in_the_hull_of_the_values(rng):
    V = rng.standard_normal((6, 3))
    step = attention(rng.standard_normal((4, 2)), rng.standard_normal((6, 2)), V)
    directions = rng.standard_normal((3, 200))
    assert ((step.output @ directions) <= (V @ directions).max(0) + 1e-13).all()
    for order in (1, 2, np.inf):
        assert np.linalg.norm(step.output, order, axis=-1).max() <= np.linalg.norm(V, order, axis=-1).max()


def test_reordering_the_tokens_reorders_rows_and_columns(rng):
    X, W_Q, W_K = rng.standard_normal((6, 5)), rng.standard_normal((5, 3)), rng.standard_normal((5, 3))
    order = rng.permutation(6)
    assert np.allclose(scores(X[order], W_Q, W_K), scores(X, W_Q, W_K)[np.ix_(order, order)], atol=1e-14)
    assert np.allclose(
        softmax(scores(X[order], W_Q, W_K)), softmax(scores(X, W_Q, W_K))[np.ix_(order, order)], atol=1e-14
    )


def test_a_joint_rotation_of_queries_and_keys_changes_nothing_and_a_rotation_of_one_does(rng):
    Q, K, V = rng.standard_normal((3, 5, 4))
    R = np.linalg.qr(rng.standard_normal((4, 4)))[0]
    step = attention(Q, K, V)
    assert np.allclose(attention(Q @ R, K @ R, V).weights, step.weights, atol=1e-14)
    assert np.abs(attention(Q @ R, K, V).weights - step.weights).max() > 0.01


def test_identical_keys_get_equal_weight(rng):
    K = rng.standard_normal((5, 3))
    K[3] = K[1]
    A = attention(rng.standard_normal((4, 3)), K, K).weights
    assert np.array_equal(A[:, 3], A[:, 1])


# sizes, precisions, refusals


def test_F5_one_token():
    step = attention([[2.0]], [[3.0]], [[5.0]])
    assert step.scores == 6 and step.weights == 1 and step.output == 5
    assert entropy(step.weights).tolist() == [0] and effective_keys(step.weights).tolist() == [1]
    assert softmax_jacobian([1.0]).tolist() == [[0]]
    assert math.isnan(normalised_entropy([1.0]))


def test_single_rows_give_python_numbers():
    for value in (
        entropy([0.5, 0.5]),
        effective_keys([0.5, 0.5]),
        log_sum_exp([0.0, 1.0]),
        normalised_entropy([0.5, 0.5]),
    ):
        assert type(value) is float


def test_B5_bfloat16_tensors_with_gradient_give_the_float32_numbers():
    torch = pytest.importorskip("torch")
    S = torch.randn(2, 2, 3, 3, generator=torch.Generator().manual_seed(0))
    reference = softmax(S)
    assert np.allclose(softmax(S.to(torch.bfloat16).requires_grad_()), reference, atol=1e-2)
    half = torch.softmax(S, -1).to(torch.bfloat16)
    for f in (entropy, effective_keys, softmax_jacobian):
        assert np.allclose(f(half.requires_grad_()), f(reference), atol=2e-2)


def test_B6_half_precision_products_do_not_overflow():
    ones = np.full((2, 64), 40, np.float16)
    for Q in (ones, pytest.importorskip("torch").tensor(ones)):
        step = attention(Q, Q, Q)
        assert step.scores.tolist() == [[12800, 12800], [12800, 12800]]
        assert step.weights.tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_F6_mismatched_shapes_are_named():
    with pytest.raises(ValueError, match=r"\(2, 3\), \(2, 4\), \(2, 1\)"):
        attention(np.ones((2, 3)), np.ones((2, 4)), np.ones((2, 1)))
    with pytest.raises(ValueError, match=r"\(2, 3\), \(4, 3\), \(5, 1\)"):
        attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((5, 1)))
    with pytest.raises(ValueError, match=r"X, W_Q, W_K have shapes \(2, 3\), \(4, 1\), \(4, 1\)"):
        scores(np.ones((2, 3)), np.ones((4, 1)), np.ones((4, 1)))
    with pytest.raises(ValueError, match=r"b_K has shape \(2,\)"):
        scores(np.ones((2, 3)), np.ones((3, 1)), np.ones((3, 1)), b_K=[1, 2])
    with pytest.raises(ValueError, match=r"mask has shape \(1, 2\); expected \(…, 2, 2\)"):
        softmax(np.ones((2, 2)), mask=[[True, True]])  # no broadcasting over queries


def test_scores_that_leave_the_float64_range_are_refused():
    with pytest.raises(ValueError, match="a score leaves the float64 range"):
        attention([[1e200]], [[1e200]], [[1.0]])
    with pytest.raises(ValueError, match="a score leaves the float64 range"):
        scores([[1e200]], [[1.0]], [[1e200]])


@pytest.mark.parametrize("bad", [-1, math.nan, -math.inf])
def test_temperature_outside_its_range_is_refused(bad):
    with pytest.raises(ValueError, match="temperature is"):
        softmax([0.0], temperature=bad)


def test_switches_in_place_of_numbers_are_refused():
    with pytest.raises(TypeError, match="temperature is True"):
        softmax([0.0], temperature=True)
    with pytest.raises(TypeError, match="scale is True"):
        attention([[1.0]], [[1.0]], [[1.0]], scale=True)
    with pytest.raises(ValueError, match="scale is inf"):
        attention([[1.0]], [[1.0]], [[1.0]], scale=math.inf)
