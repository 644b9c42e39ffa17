"""Laws, hand values and invariances of the form B = W_Q W_Kᵀ (labels L… and T… are those of the mathematics)."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from attention_geometry.attention import attention, causal_mask, log_softmax, log_sum_exp, scores, softmax
from attention_geometry.bilinear import (
    Signature,
    alibi_bias,
    alibi_slopes,
    antisymmetric_part,
    balanced_gauge,
    bilinear_form,
    bilinear_summary,
    circumcentre,
    eigenvalues,
    haar_share_null,
    lift,
    random_gauge,
    rope_rotation,
    signature,
    singular_values,
    symmetric_eigenvalues,
    symmetric_part,
    symmetric_share,
    symmetry_score,
    trace_ratio,
)

SIZES = [(6, 3), (5, 3), (3, 3), (2, 3), (9, 2), (1, 1)]  # d ≥ 2 d_k, between, d = d_k, d < d_k


def pair(rng, d, d_k, *batch):
    return rng.standard_normal((*batch, d, d_k)), rng.standard_normal((*batch, d, d_k))


def form(B):
    """A full matrix as two factors."""
    return B, np.eye(len(B))


def haar(rng, d):
    return scipy.stats.ortho_group.rvs(d, random_state=rng) if d > 1 else np.eye(1)


def share_by_definition(B):
    return (((B + B.T) / 2) ** 2).sum() / (B**2).sum()


# the form and its rank


def test_the_form_gives_the_scores(rng):
    W_Q, W_K = pair(rng, 5, 2)
    X = rng.standard_normal((4, 5))
    assert np.allclose(X @ bilinear_form(W_Q, W_K) @ X.T / math.sqrt(2), scores(X, W_Q, W_K), atol=1e-13)


def test_T1_1_rank_bottleneck(rng):
    W_Q, W_K = pair(rng, 12, 3)
    S = scores(rng.standard_normal((9, 12)), W_Q, W_K)
    L = log_softmax(S)
    rank = np.linalg.matrix_rank
    assert rank(bilinear_form(W_Q, W_K)) == rank(S) == 3
    assert rank(L, tol=1e-9) == 4
    assert rank(L - L.mean(-1, keepdims=True), tol=1e-9) == 3
    assert rank(softmax(S), tol=1e-9) > 4  # the softmax itself is not low rank


def test_T1_18_heads_that_share_their_keys_share_a_row_space(rng):
    W_Q, W_K = pair(rng, 8, 2, 4)
    grouped = bilinear_form(W_Q, W_K[:1]).reshape(-1, 8)
    apart = bilinear_form(W_Q, W_K).reshape(-1, 8)
    assert (np.linalg.matrix_rank(grouped), np.linalg.matrix_rank(apart)) == (2, 8)


# L1.1 the split


def test_T1_3_split_by_hand():
    B = np.array([[1.0, 2.0], [0.0, 1.0]])
    assert symmetric_part(B).tolist() == [[1, 1], [1, 1]]
    assert antisymmetric_part(B).tolist() == [[0, 1], [-1, 0]]
    assert [(M**2).sum() for M in (B, symmetric_part(B), antisymmetric_part(B))] == [6, 4, 2]
    assert symmetric_share(*form(B)) == pytest.approx(2 / 3, rel=1e-15)
    assert symmetry_score(*form(B)) == pytest.approx(1 / 3, rel=1e-15)
    assert symmetric_eigenvalues(*form(B)) == pytest.approx([2, 0], abs=1e-15)
    assert signature(*form(B)) == (1, 0, 1)


@pytest.mark.parametrize(("d", "d_k"), SIZES)
def test_L1_1_split_is_orthogonal_and_the_diagonal_sees_the_symmetric_part(rng, d, d_k):
    B = bilinear_form(*pair(rng, d, d_k))
    B_s, B_a, X = symmetric_part(B), antisymmetric_part(B), rng.standard_normal((7, d))
    assert np.allclose(B_s + B_a, B, atol=1e-15)
    assert (B**2).sum() == pytest.approx((B_s**2).sum() + (B_a**2).sum(), rel=1e-14)
    assert np.allclose(np.diag(X @ B_a @ X.T), 0, atol=1e-12)
    assert np.allclose(np.diag(X @ B @ X.T), np.diag(X @ B_s @ X.T), atol=1e-12)


@pytest.mark.parametrize(("d", "d_k"), SIZES)
def test_share_from_thin_factors_equals_the_definition(rng, d, d_k):
    W_Q, W_K = pair(rng, d, d_k)
    B = bilinear_form(W_Q, W_K)
    assert symmetric_share(W_Q, W_K) == pytest.approx(share_by_definition(B), rel=1e-12)
    rho = np.trace(B @ B) / (B**2).sum()
    assert symmetry_score(W_Q, W_K) == pytest.approx(rho, rel=1e-12)
    assert symmetric_share(W_Q, W_K) == pytest.approx((1 + rho) / 2, rel=1e-12)


def test_share_of_symmetric_antisymmetric_and_zero_forms(rng):
    W = rng.standard_normal((7, 2))
    assert symmetric_share(W, W) == pytest.approx(1, abs=1e-14)
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    assert symmetric_share(W @ turn, W) == pytest.approx(0, abs=1e-14)
    assert symmetric_share(*form(np.eye(3))) == 1 and symmetric_share(*form(turn)) == 0
    assert math.isnan(symmetric_share(np.zeros((5, 2)), np.ones((5, 2))))


def test_share_does_not_depend_on_the_size_of_the_form(rng):
    W_Q, W_K = pair(rng, 6, 2)
    for size in (1e-140, 1e140):
        assert symmetric_share(W_Q * size, W_K) == pytest.approx(symmetric_share(W_Q, W_K), rel=1e-12)
        assert trace_ratio(W_Q * size, W_K) == pytest.approx(trace_ratio(W_Q, W_K), rel=1e-12)


@pytest.mark.parametrize(("d", "d_k", "kind"), itertools.product([2, 8, 32], [1, 4], ["haar", "gaussian"]))
def test_L1_1_null_the_mean_symmetry_score_is_one_over_d(rng, d, d_k, kind):
    draws = 4000 if d < 32 else 1000
    if kind == "gaussian":
        rho = symmetry_score(*pair(rng, d, d_k, draws))
    else:  # a fixed form, lopsided on purpose, rotated
        W_Q, W_K = pair(rng, d, d_k)
        W_Q[:, 0] *= 5
        Q, R = np.linalg.qr(rng.standard_normal((draws, d, d)))
        Q *= np.sign(np.diagonal(R, axis1=-2, axis2=-1))[:, None, :]
        rho = symmetry_score(W_Q, np.swapaxes(Q, -1, -2) @ W_K)
    error = rho.std() / math.sqrt(draws)
    assert abs(rho.mean() - 1 / d) < 4 * error
    assert 4 * error < 0.06  # the interval is narrow enough to mean something
    assert haar_share_null(d) == (1 + 1 / d) / 2


def test_the_haar_null_is_exact_for_every_form():
    """E tr(BRBR) over all rotations and reflections of the plane by averaging over a fine grid of angles."""
    B = np.array([[3.0, -1.0], [0.5, 2.0]])
    t = np.arange(64) * 2 * np.pi / 64
    turn = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]).transpose(2, 0, 1)
    group = np.concatenate([turn, turn @ np.diag([1.0, -1.0])])
    assert np.mean(symmetric_share(B @ group, np.eye(2))) == pytest.approx(haar_share_null(2), abs=1e-14)
    assert np.mean(symmetric_share(B @ turn, np.eye(2))) != pytest.approx(
        0.75, abs=1e-3
    )  # proper rotations alone are not enough


# L1.2 the signature


def test_T1_4_signature_by_hand():
    assert signature([[1], [0]], [[0], [1]]) == Signature(1, 1, 0)
    assert symmetric_eigenvalues([[1], [0]], [[0], [1]]).tolist() == [0.5, -0.5]


@pytest.mark.parametrize(("d", "d_k"), [(2, 1), (6, 3), (7, 3), (40, 8)])
def test_L1_2_generic_signature_is_d_k_plus_and_d_k_minus(rng, d, d_k):
    counts = signature(*pair(rng, d, d_k, 20))
    assert (counts.positive == d_k).all() and (counts.negative == d_k).all() and (counts.zero == d - 2 * d_k).all()


def test_T1_4_signature_between_d_k_and_2_d_k(rng):
    counts = signature(*pair(rng, 5, 3, 300))
    seen = set(zip(counts.positive.tolist(), counts.negative.tolist()))
    assert seen == {(3, 2), (2, 3)}
    assert (counts.zero == 0).all()


def test_L1_2_each_sign_occurs_at_least_d_minus_d_k_times(rng):
    for d, d_k in [(7, 4), (7, 5), (7, 6)]:
        counts = signature(*pair(rng, d, d_k, 200))
        assert min(counts.positive.min(), counts.negative.min()) >= d - d_k
        W, change = pair(rng, d, d_k)
        assert signature(W, W + 1e-4 * change) == (d_k, d - d_k, 0)  # attained beside a tied pair


@pytest.mark.parametrize(("d", "d_k"), SIZES)
def test_signature_counts_the_eigenvalues_of_the_full_matrix(rng, d, d_k):
    W_Q, W_K = pair(rng, d, d_k)
    values = np.linalg.eigvalsh(symmetric_part(bilinear_form(W_Q, W_K)))
    expected = tuple(int(c) for c in ((values > 1e-10).sum(), (values < -1e-10).sum(), (np.abs(values) <= 1e-10).sum()))
    assert signature(W_Q, W_K) == expected
    padded = np.sort(np.concatenate([symmetric_eigenvalues(W_Q, W_K), np.zeros(max(0, d - 2 * d_k))]))
    assert np.allclose(padded, values, atol=1e-13)


def test_signature_of_rank_deficient_factors(rng):
    W_Q, W_K = pair(rng, 9, 3)
    W_Q[:, 2] = W_Q[:, 0] + W_Q[:, 1]  # rank 2 against rank 3: B has rank 2
    assert signature(W_Q, W_K) == (2, 2, 5)
    W = rng.standard_normal((9, 3))
    assert signature(W, W) == (3, 0, 6)  # tied: positive semidefinite
    assert signature(W, -W) == (0, 3, 6)
    W[:, 2] = W[:, 0]
    assert signature(W, W) == (2, 0, 7)
    assert signature(np.zeros((4, 2)), np.zeros((4, 2))) == (0, 0, 4)


def test_signature_tolerance_is_in_the_units_of_the_eigenvalues():
    D = np.diag([1.0, 1e-3, -1e-6])
    assert signature(D, np.eye(3)) == (2, 1, 0)
    assert signature(D, np.eye(3), tolerance=1e-5) == (2, 0, 1)
    assert signature(D, np.eye(3), tolerance=1e-2) == (1, 0, 2)
    with pytest.raises(ValueError, match="tolerance is -1"):
        signature(D, np.eye(3), tolerance=-1)


def test_trace_ratio_measures_sizes_where_the_signature_only_counts(rng):
    W_Q, W_K = pair(rng, 20, 4)
    values = np.linalg.eigvalsh(symmetric_part(bilinear_form(W_Q, W_K)))
    assert trace_ratio(W_Q, W_K) == pytest.approx(values.sum() / np.abs(values).sum(), abs=1e-13)
    nearly = (W_Q, W_Q + 1e-3 * W_K)
    assert signature(*nearly) == signature(W_Q, W_K) == (4, 4, 12)
    assert trace_ratio(*nearly) > 0.99 > abs(trace_ratio(W_Q, W_K)) + 0.5
    assert trace_ratio(W_Q, W_Q) == pytest.approx(1)
    turn = np.kron(np.eye(2), [[0.0, 1.0], [-1.0, 0.0]])
    assert math.isnan(trace_ratio(W_Q @ turn, W_Q))  # antisymmetric up to rounding


# L1.3 when the form is an inner product


def test_T1_5_different_projections_may_give_a_symmetric_form():
    W_Q, W_K = np.array([[2.0], [0.0]]), np.array([[0.5], [0.0]])
    assert bilinear_form(W_Q, W_K).tolist() == [[1, 0], [0, 0]]
    assert symmetric_share(W_Q, W_K) == 1 and signature(W_Q, W_K) == (1, 0, 1)


def test_L1_3_a_semidefinite_form_is_a_euclidean_length_after_projection_and_a_pseudometric(rng):
    L = rng.standard_normal((4, 2))
    B = bilinear_form(L, L)
    X = rng.standard_normal((6, 4))
    null = np.linalg.svd(L.T)[2][-1]
    for x, y, z in itertools.permutations(X, 3):
        d = [math.sqrt((u - v) @ B @ (u - v)) for u, v in ((x, y), (y, z), (x, z))]
        assert d[0] == pytest.approx(np.linalg.norm(x @ L - y @ L), rel=1e-12)
        assert d[2] <= d[0] + d[1] + 1e-12
    assert abs(null @ B @ null) < 1e-14  # x and x + null are different tokens at distance 0


def test_L1_3_semidefinite_needs_equal_column_spaces(rng):
    W_Q = rng.standard_normal((8, 3))
    root = rng.standard_normal((3, 3))
    C = root @ root.T  # symmetric and positive definite: W_K = W_Q C
    assert signature(W_Q, W_Q @ C) == (3, 0, 5)
    for size in (1e-6, 1e-3, 1.0):  # leaving the column space brings negative eigenvalues at once
        assert signature(W_Q, W_Q @ C + size * rng.standard_normal((8, 3))).negative == 3


def test_L1_3_an_inner_product_on_all_tokens_needs_d_k_at_least_d(rng):
    for d, d_k in [(4, 3), (5, 1)]:
        W = rng.standard_normal((d, d_k))
        assert signature(W, W).zero == d - d_k
    assert signature(*[rng.standard_normal((3, 5))] * 2) == (3, 0, 0)


# singular values and eigenvalues


@pytest.mark.parametrize(("d", "d_k"), SIZES)
def test_singular_values_and_eigenvalues_equal_those_of_the_full_matrix(rng, d, d_k):
    W_Q, W_K = pair(rng, d, d_k)
    B, r = bilinear_form(W_Q, W_K), min(d, d_k)
    assert np.allclose(singular_values(W_Q, W_K), np.linalg.svd(B, compute_uv=False)[:r], rtol=1e-12)
    full = np.linalg.eigvals(B)
    full = full[np.argsort(-np.abs(full))][:r]
    assert np.allclose(np.sort_complex(eigenvalues(W_Q, W_K)), np.sort_complex(full), atol=1e-10)
    assert (np.diff(np.abs(eigenvalues(W_Q, W_K))) < 1e-10).all()  # largest modulus first
    assert (singular_values(W_Q, W_K) ** 2).sum() == pytest.approx(np.trace((W_Q.T @ W_Q) @ (W_K.T @ W_K)), rel=1e-12)
    assert (eigenvalues(W_Q, W_K) ** 2).sum().real == pytest.approx(np.trace(B @ B), rel=1e-9, abs=1e-9)


def test_singular_values_keep_the_digits_that_a_gram_matrix_loses(rng):
    true = np.array([1.0, 1e-5, 1e-10])
    U, V = (np.linalg.qr(rng.standard_normal((9, 3)))[0] for _ in range(2))
    W_Q, W_K = U * true, V
    assert np.allclose(singular_values(W_Q, W_K), true, rtol=1e-5)
    B = W_Q @ W_K.T
    by_gram = np.sqrt(np.abs(np.sort(np.linalg.eigvalsh(B.T @ B))[::-1][:3]))
    assert abs(by_gram[2] / true[2] - 1) > 0.1


# gauges (the table of invariances)

INVARIANT = {
    "form": bilinear_form,
    "symmetric share": symmetric_share,
    "symmetry score": symmetry_score,
    "signature": lambda W_Q, W_K: np.array(signature(W_Q, W_K)),
    "trace ratio": trace_ratio,
    "singular values": singular_values,
    "eigenvalues of B_s": symmetric_eigenvalues,
    "rank": lambda W_Q, W_K: bilinear_summary(W_Q, W_K).rank,
    "scores": lambda W_Q, W_K: scores(np.eye(len(W_Q)) + 1, W_Q, W_K),
}
NOT_INVARIANT = {  # single coordinates, norms and cosines of queries and keys
    "query norms": lambda W_Q, W_K: np.linalg.norm(W_Q, axis=-1),
    "key norms": lambda W_Q, W_K: np.linalg.norm(W_K, axis=-1),
    "distances from queries to keys": lambda W_Q, W_K: np.linalg.norm(W_Q[:, None] - W_K, axis=-1),
    "cosines of queries and keys": lambda W_Q, W_K: cosines(W_Q, W_K),
    "singular values of W_Q alone": lambda W_Q, W_K: np.linalg.svd(W_Q, compute_uv=False),
    "first coordinate of the keys": lambda W_Q, W_K: W_K[:, 0],
}


def cosines(Q, K):
    return Q @ K.T / np.outer(np.linalg.norm(Q, axis=1), np.linalg.norm(K, axis=1))


@given(st.sampled_from(SIZES), st.sampled_from(sorted(INVARIANT)), st.integers(0, 2**32 - 1), st.floats(1, 999))
def test_G2_nothing_about_the_form_depends_on_the_head_basis(size, name, seed, condition):
    W_Q, W_K = pair(np.random.default_rng(seed), *size)
    before = INVARIANT[name](W_Q, W_K)
    after = INVARIANT[name](*random_gauge(W_Q, W_K, seed, condition=condition))
    assert np.allclose(after, before, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("name", NOT_INVARIANT)
def test_G2_coordinates_of_queries_and_keys_do_depend_on_the_head_basis(rng, name):
    W_Q, W_K = pair(rng, 6, 3)
    assert np.abs(NOT_INVARIANT[name](*random_gauge(W_Q, W_K, rng)) - NOT_INVARIANT[name](W_Q, W_K)).max() > 0.05


def test_T1_2_a_change_of_basis_keeps_the_dot_product_and_moves_the_cosine():
    q, k, M = np.array([[1.0, 1.0]]), np.array([[1.0, 0.0]]), np.diag([2.0, 1.0])
    q2, k2 = q @ M, k @ np.linalg.inv(M).T
    assert q @ k.T == q2 @ k2.T == 1
    assert cosines(q, k) == pytest.approx(1 / math.sqrt(2))
    assert cosines(q2, k2) == pytest.approx(2 / math.sqrt(5))


def test_G2_converse_the_change_of_basis_between_two_full_rank_pairs_is_unique(rng):
    W_Q, W_K = pair(rng, 6, 3)
    V_Q, V_K = random_gauge(W_Q, W_K, rng)
    M = np.linalg.pinv(W_Q) @ V_Q
    assert np.allclose(W_Q @ M, V_Q, atol=1e-12)
    assert np.allclose(W_K @ np.linalg.inv(M).T, V_K, atol=1e-11)


def test_random_gauge_is_seeded_guarded_and_shared_by_a_group(rng):
    W_Q, W_K = pair(rng, 5, 2, 4)
    assert np.array_equal(random_gauge(W_Q, W_K, 7)[0], random_gauge(W_Q, W_K, 7)[0])
    assert not np.array_equal(random_gauge(W_Q, W_K, 7)[0], random_gauge(W_Q, W_K, 8)[0])
    M = np.linalg.pinv(W_Q) @ random_gauge(W_Q, W_K, 7, condition=30)[0]
    assert (np.linalg.cond(M) <= 30).all() and not np.allclose(M[0], M[1])
    shared = np.linalg.pinv(W_Q) @ random_gauge(W_Q, W_K[0], 7)[0]
    assert np.allclose(shared, shared[0])
    orthogonal = random_gauge(W_Q, W_K, 7, condition=1)
    assert np.allclose(np.linalg.norm(orthogonal[0], axis=-1), np.linalg.norm(W_Q, axis=-1))
    for bad in (0.5, 1000):
        with pytest.raises(ValueError, match="condition is"):
            random_gauge(W_Q, W_K, 7, condition=bad)
    with pytest.raises(ValueError, match="rng is None"):
        random_gauge(W_Q, W_K, None)


@pytest.mark.parametrize(("d", "d_k"), SIZES)
def test_balanced_gauge_treats_queries_and_keys_alike_and_depends_on_the_form_alone(rng, d, d_k):
    W_Q, W_K = pair(rng, d, d_k)
    V_Q, V_K = balanced_gauge(W_Q, W_K)
    assert V_Q.shape == V_K.shape == (d, d_k)
    assert np.allclose(bilinear_form(V_Q, V_K), bilinear_form(W_Q, W_K), atol=1e-13)
    assert np.allclose(V_Q.T @ V_Q, V_K.T @ V_K, atol=1e-13)  # Σ, twice
    again = balanced_gauge(*random_gauge(W_Q, W_K, rng))
    assert np.allclose(again[0], V_Q, atol=1e-9) and np.allclose(again[1], V_K, atol=1e-9)


def test_cosines_in_the_balanced_gauge_survive_a_change_of_basis_but_not_a_key_translation(rng):
    W_Q, W_K = pair(rng, 6, 3)
    X = rng.standard_normal((5, 6))
    Q, K = (X @ W for W in balanced_gauge(W_Q, W_K))
    Q2, K2 = (X @ W for W in balanced_gauge(*random_gauge(W_Q, W_K, rng)))
    assert np.allclose(cosines(Q, K), cosines(Q2, K2), atol=1e-10)
    c = rng.standard_normal(3)
    assert np.allclose(attention(Q, K + c, K).weights, attention(Q, K, K).weights, atol=1e-13)
    assert np.abs(cosines(Q, K + c) - cosines(Q, K)).max() > 0.05


def test_G5_orthogonal_token_basis_keeps_the_measures_and_a_general_one_keeps_rank_and_signs(rng):
    W_Q, W_K = pair(rng, 7, 3)
    R, T = haar(rng, 7), rng.standard_normal((7, 7))
    for name in set(INVARIANT) - {"form", "scores"}:  # B and S themselves move along: congruence
        f = INVARIANT[name]
        assert np.allclose(f(R @ W_Q, R @ W_K), f(W_Q, W_K), atol=1e-11), name
    for name, kept in [
        ("signature", True),
        ("rank", True),
        ("symmetric share", False),
        ("trace ratio", False),
        ("singular values", False),
    ]:
        f = INVARIANT[name]
        assert np.allclose(f(T @ W_Q, T @ W_K), f(W_Q, W_K), atol=1e-3) == kept, name
    W = rng.standard_normal((7, 3))
    assert symmetric_share(T @ W, T @ W) == pytest.approx(1)  # "B is symmetric" survives every change of basis
    assert signature(T @ W, T @ W) == (3, 0, 4)


def test_G5_tokens_and_form_moved_together_keep_the_scores(rng):
    W_Q, W_K = pair(rng, 4, 2)
    X, T = rng.standard_normal((5, 4)), rng.standard_normal((4, 4))
    inverse = np.linalg.inv(T)
    assert np.allclose(scores(X @ T, inverse @ W_Q, inverse @ W_K), scores(X, W_Q, W_K), atol=1e-11)
    assert np.allclose(
        bilinear_form(inverse @ W_Q, inverse @ W_K), inverse @ bilinear_form(W_Q, W_K) @ inverse.T, atol=1e-11
    )


def test_folding_a_normalisation_gain_changes_the_share(rng):
    W_Q, W_K = pair(rng, 6, 2)
    gain = rng.uniform(0.2, 3, (6, 1))
    assert abs(symmetric_share(gain * W_Q, gain * W_K) - symmetric_share(W_Q, W_K)) > 1e-3
    assert signature(gain * W_Q, gain * W_K) == signature(W_Q, W_K)


def test_G3_key_translation_is_a_row_shift_of_the_scores_and_moves_the_symmetry_of_S(rng):
    Q, K, V = rng.standard_normal((3, 5, 3))
    before, after = attention(Q, K, V), attention(Q, K + [1.0, -2.0, 0.5], V)
    shift = after.scores - before.scores
    assert np.allclose(shift, shift[:, :1], atol=1e-13) and np.abs(shift).max() > 0.1
    assert np.allclose(after.weights, before.weights, atol=1e-14)
    S = symmetric_part(rng.standard_normal((5, 5)))
    assert np.allclose(softmax(S + np.arange(5.0)[:, None]), softmax(S))
    assert (
        np.abs(antisymmetric_part(S + np.arange(5.0)[:, None])).max() > 1
    )  # symmetry of S is no property of the weights


def test_G3_a_key_bias_does_not_drop_out_with_rotary_positions(rng):
    Q, K, b = rng.standard_normal((6, 4)), rng.standard_normal((6, 4)), rng.standard_normal(4)
    R = rope_rotation(np.arange(6), 4, base=10)
    turned = lambda M: np.einsum("nd,nde->ne", M, R)  # noqa: E731
    difference = attention(turned(Q), turned(K + b), K).weights - attention(turned(Q), turned(K), K).weights
    assert np.abs(difference).max() > 0.05
    assert np.allclose(
        attention(turned(Q), turned(K) + b, K).weights, attention(turned(Q), turned(K), K).weights, atol=1e-14
    )


# L1.4 dot products and distances


def gaussian(Q, K):
    """Gaussian kernel of the distances from queries to keys, row by row."""
    return softmax([[-((q - k) @ (q - k)) / 2 for k in K] for q in Q])


def test_T1_6_the_nearest_key_loses():
    q, K = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [3.0, 4.0]])
    assert (q @ K.T).tolist() == [[1, 3]]
    assert [-((q[0] - k) @ (q[0] - k)) / 2 for k in K] == [0, -10]
    A = attention(q, K, K, scale=1.0).weights
    assert np.allclose(A, np.array([[1, math.e**2]]) / (1 + math.e**2), rtol=1e-14)
    assert np.allclose(gaussian(q, K), np.array([[1, math.exp(-10)]]) / (1 + math.exp(-10)), rtol=1e-14)


def test_L1_4_dot_attention_is_a_gaussian_kernel_with_a_prior_on_the_key_norm(rng):
    Q, K = rng.standard_normal((4, 3)), rng.standard_normal((6, 3))
    A = attention(Q, K, K, scale=1.0).weights
    prior = np.exp((K**2).sum(1) / 2)
    weighted = gaussian(Q, K) * prior
    assert np.allclose(A, weighted / weighted.sum(1, keepdims=True), atol=1e-13)
    assert np.abs(A - gaussian(Q, K)).max() > 0.05  # unequal key norms
    K = K / np.linalg.norm(K, axis=1, keepdims=True)
    assert np.allclose(attention(Q, K, K, scale=1.0).weights, gaussian(Q, K), atol=1e-14)  # equal norms


def test_T1_7_circumcentre_of_two_keys_on_a_line():
    q, K = np.array([[1.0]]), np.array([[0.0], [2.0]])
    c = circumcentre(K)
    assert c == 1
    expected = np.array([[1, math.e**2]]) / (1 + math.e**2)
    assert np.allclose(attention(q, K, K, scale=1.0).weights, expected, rtol=1e-15)
    assert np.allclose(gaussian(q, K - c), expected, rtol=1e-15)


@pytest.mark.parametrize(("n", "d_k"), [(1, 2), (2, 5), (4, 3), (3, 3), (9, 8)])
def test_L1_4a_keys_moved_to_their_circumcentre_make_attention_a_distance_kernel(rng, n, d_k):
    Q, K = rng.standard_normal((4, d_k)), rng.standard_normal((n, d_k))
    moved = K - circumcentre(K)
    norms = np.linalg.norm(moved, axis=1)
    assert np.allclose(norms, norms[0], rtol=1e-9)
    A = attention(Q, K, K, scale=1.0).weights
    assert np.allclose(attention(Q, moved, K, scale=1.0).weights, A, atol=1e-11)
    assert np.allclose(gaussian(Q, moved), A, atol=1e-10)


def test_circumcentre_exists_only_on_a_common_sphere(rng):
    square = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]]) + 5
    assert np.allclose(circumcentre(square), 5)  # affinely dependent, and yet on a circle
    assert np.isnan(circumcentre(rng.standard_normal((6, 3)))).all()
    assert np.isnan(circumcentre([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]])).all()
    batch = circumcentre(np.stack([square, rng.standard_normal((4, 2))]))
    assert np.isnan(batch).any(-1).tolist() == [False, True]


@given(st.integers(1, 30), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_L1_4b_lifted_attention_is_always_a_distance_kernel(n, d_k, seed):
    rng = np.random.default_rng(seed)
    Q, K = rng.standard_normal((3, d_k)), rng.standard_normal((n, d_k)) * 2
    for radius in (None, 20.0):
        lifted_Q, lifted_K = lift(Q, K, radius=radius)
        assert np.allclose(lifted_Q @ lifted_K.T, Q @ K.T, atol=1e-13)
        assert np.allclose(gaussian(lifted_Q, lifted_K), attention(Q, K, K, scale=1.0).weights, atol=1e-12)


def test_L1_4b_needs_the_lift_and_a_radius_that_reaches_the_longest_key(rng):
    Q, K = rng.standard_normal((3, 2)), rng.standard_normal((9, 2))
    assert np.abs(gaussian(Q, K) - attention(Q, K, K, scale=1.0).weights).max() > 0.05
    with pytest.raises(ValueError, match="radius is 0.1; expected at least the largest key norm"):
        lift(Q, K, radius=0.1)
    with pytest.raises(ValueError, match=r"\(3, 2\) and \(9, 3\)"):
        lift(Q, np.ones((9, 3)))


# positions


def test_T1_16_rope_by_hand():
    q = np.array([1.0, 0.0])
    R = rope_rotation(np.arange(4) * np.pi / 2, 2)
    assert np.allclose([q @ R[m] @ q for m in range(4)], [1, 0, -1, 0], atol=1e-15)


@pytest.mark.parametrize("pairs", ["adjacent", "halves"])
def test_rotary_scores_depend_on_the_offset_alone_and_there_is_one_form_per_offset(rng, pairs):
    W_Q, W_K = pair(rng, 5, 6)
    X = rng.standard_normal((4, 5))
    R = rope_rotation(np.arange(12), 6, base=100, pairs=pairs)
    assert np.allclose(R @ np.swapaxes(R, -1, -2), np.eye(6), atol=1e-14)
    assert np.allclose(R[9] @ R[7].T, R[2], atol=1e-14)
    assert np.allclose(R[7] @ R[9].T, rope_rotation(-2, 6, base=100, pairs=pairs), atol=1e-14)
    direct = (X[1] @ W_Q @ R[9]) @ (X[2] @ W_K @ R[7])
    assert direct == pytest.approx(X[1] @ bilinear_form(W_Q @ R[2], W_K) @ X[2], rel=1e-12)


def test_rope_pairings_are_one_reordering_apart_and_turn_at_the_published_frequencies(rng):
    order = [0, 2, 4, 1, 3, 5]  # evens first: halves
    adjacent, halves = (rope_rotation(3.0, 6, pairs=pairs) for pairs in ("adjacent", "halves"))
    assert np.array_equal(adjacent[np.ix_(order, order)], halves)
    theta = [math.acos(rope_rotation(1.0, 6)[2 * r, 2 * r]) for r in range(3)]
    assert theta == pytest.approx([10000 ** (-2 * (i - 1) / 6) for i in (1, 2, 3)], rel=1e-6)


def test_rope_agrees_with_the_complex_definition(rng):
    q = rng.standard_normal(6)
    turned = (q[0::2] + 1j * q[1::2]) * np.exp(1j * 5 * 10000.0 ** (-np.arange(3) / 3))
    assert np.allclose(q @ rope_rotation(5, 6), np.stack([turned.real, turned.imag], -1).ravel(), atol=1e-14)


def test_rope_shrinks_the_gauge_to_the_plane_blocks(rng):
    W_Q, W_K = pair(rng, 5, 4)
    R = rope_rotation(3, 4)
    blocks = np.zeros((4, 4))
    for r, (a, b) in enumerate([(0.7, -1.1), (2.0, 0.3)]):
        blocks[2 * r : 2 * r + 2, 2 * r : 2 * r + 2] = [[a, b], [-b, a]]
    kept = bilinear_form(W_Q @ blocks @ R, W_K @ np.linalg.inv(blocks).T)
    assert np.allclose(kept, bilinear_form(W_Q @ R, W_K), atol=1e-12)
    V_Q, V_K = random_gauge(W_Q, W_K, rng)
    assert np.abs(bilinear_form(V_Q @ R, V_K) - bilinear_form(W_Q @ R, W_K)).max() > 0.05


def test_tied_rotary_scores_are_symmetric_and_semidefinite(rng):
    Q = np.einsum("nd,nde->ne", rng.standard_normal((6, 4)), rope_rotation(np.arange(6), 4))
    S = attention(Q, Q, Q).scores
    assert np.allclose(S, S.T) and np.linalg.eigvalsh(S).min() > -1e-12


def test_rope_refuses_an_odd_width_and_an_unknown_pairing():
    with pytest.raises(ValueError, match="must be even"):
        rope_rotation(1, 3)
    with pytest.raises(ValueError, match="'adjacent' or 'halves'"):
        rope_rotation(1, 4, pairs="neox")


def test_T1_17_causal_alibi_is_a_column_bias_and_the_bidirectional_one_is_not(rng):
    S, m = rng.standard_normal((6, 6)), 0.3
    bias, column = alibi_bias(6, m), m * np.arange(6)
    assert np.allclose(np.tril(bias), np.tril(-m * (np.arange(6)[:, None] - np.arange(6))))
    mask = causal_mask(6)
    assert np.abs(softmax(S + bias, mask=mask) - softmax(S + column, mask=mask)).max() < 1e-15
    assert np.abs(softmax(S + bias) - softmax(S + column)).max() > 0.05
    assert np.allclose(alibi_slopes(8), [2.0**-h for h in range(1, 9)])
    assert alibi_bias(5, alibi_slopes(8)).shape == (8, 5, 5)


# kernel and retrieval readings


def test_T1_19_the_kernel_of_an_indefinite_form_is_indefinite():
    gram = np.exp(scores(np.eye(2), [[0, 1], [1, 0]], np.eye(2), scale=1.0))
    assert np.allclose(np.linalg.eigvalsh(gram), [1 - math.e, 1 + math.e])


def test_the_kernel_of_a_semidefinite_form_is_positive_definite(rng):
    W = rng.standard_normal((4, 2))
    assert np.linalg.eigvalsh(np.exp(scores(rng.standard_normal((5, 4)), W, W))).min() > 0


def energy(x, K, beta):
    n, reach = len(K), (K**2).sum(1).max()
    return -log_sum_exp(beta * K @ x) / beta + x @ x / 2 + math.log(n) / beta + reach / 2


def test_T1_20_one_retrieval_step_is_attention_with_values_equal_to_keys():
    K, x, beta = np.eye(2), np.array([1.0, 0.0]), math.log(3)
    step = attention(x[None], K, K, scale=beta).output[0]
    assert np.allclose(step, [3 / 4, 1 / 4], rtol=1e-15)
    assert energy(x, K, beta) == pytest.approx(1 - math.log(2, 3), rel=1e-14)
    assert [round(energy(z, K, beta), 5) for z in (x, step)] == [0.36907, 0.27859]


def test_the_retrieval_energy_never_rises_with_values_equal_to_keys_and_may_with_others(rng):
    rises = 0
    for _ in range(200):
        K, x, beta = rng.standard_normal((5, 3)), rng.standard_normal(3), rng.uniform(0.2, 4)
        step = attention(x[None], K, K, scale=beta).output[0]
        assert energy(step, K, beta) <= energy(x, K, beta) + 1e-12
        other = attention(x[None], K, rng.standard_normal((5, 3)), scale=beta).output[0]
        rises += energy(other, K, beta) > energy(x, K, beta)
    assert rises > 0


# reports and refusals


def test_summary_collects_the_single_functions(rng):
    W_Q, W_K = pair(rng, 9, 2, 3)
    report = bilinear_summary(W_Q, W_K)
    assert (report.width, report.head_width, report.share_null) == (9, 2, haar_share_null(9))
    assert np.array_equal(report.symmetric_share, symmetric_share(W_Q, W_K))
    assert np.array_equal(report.trace_ratio, trace_ratio(W_Q, W_K))
    assert np.array_equal(report.singular_values, singular_values(W_Q, W_K))
    assert np.array_equal(report.signature, signature(W_Q, W_K))
    assert report.rank.tolist() == [2, 2, 2] and report.reasons == {}


def test_summary_says_why_a_number_is_missing():
    zero = bilinear_summary(np.zeros((3, 1)), np.ones((3, 1)))
    assert zero.symmetric_share is None and zero.trace_ratio is None and zero.rank == 0
    assert set(zero.reasons) == {"symmetric_share", "trace_ratio"}
    assert "symmetric_share  –" in repr(zero)
    some = bilinear_summary(np.stack([np.eye(2), np.zeros((2, 2)), np.array([[0.0, 1.0], [-1.0, 0.0]])]), np.eye(2))
    assert np.isnan(some.symmetric_share).tolist() == [False, True, False]
    assert np.isnan(some.trace_ratio).tolist() == [False, True, True]
    assert "(1 of 3, first at (1,))" in some.reasons["symmetric_share"]
    assert "(2 of 3, first at (1,))" in some.reasons["trace_ratio"]


def test_single_forms_give_python_numbers(rng):
    W_Q, W_K = pair(rng, 4, 2)
    assert [type(f(W_Q, W_K)) for f in (symmetric_share, symmetry_score, trace_ratio)] == [float] * 3
    assert [type(c) for c in signature(W_Q, W_K)] == [int] * 3


def test_shapes_that_do_not_fit_are_named():
    for f in (
        bilinear_form,
        symmetric_share,
        signature,
        singular_values,
        balanced_gauge,
        eigenvalues,
        bilinear_summary,
    ):
        with pytest.raises(ValueError, match=r"shapes \(3, 2\) and \(2, 3\)"):
            f(np.ones((3, 2)), np.ones((2, 3)))
        with pytest.raises(ValueError, match=r"shapes \(2, 3, 2\) and \(5, 3, 2\)"):
            f(np.ones((2, 3, 2)), np.ones((5, 3, 2)))
    with pytest.raises(ValueError, match="leaves the float64 range"):
        bilinear_form([[1e200]], [[1e200]])
