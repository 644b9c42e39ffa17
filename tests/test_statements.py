"""One test for each statement of the ledger that is proved or measured, as the book words it."""

from itertools import permutations, product

import numpy as np
import pytest

from attention_geometry import attention, bilinear, data

SEEDS = range(20)


def factors(seed, d=7, d_k=3):
    return np.random.default_rng(seed).normal(size=(2, d, d_k))


def row(seed, n=6):
    return np.random.default_rng(seed).normal(size=n) * 3


@pytest.mark.guards("L1.rank")
@pytest.mark.parametrize("d_k", [1, 2, 5])
def test_a_head_compares_in_few_dimensions(d_k):
    W_Q, W_K = factors(0, d=9, d_k=d_k)
    X = np.random.default_rng(1).normal(size=(20, 9))
    assert np.linalg.matrix_rank(bilinear.bilinear_form(W_Q, W_K)) == d_k
    assert np.linalg.matrix_rank(attention.scores(X, W_Q, W_K)) == d_k
    assert np.linalg.matrix_rank(attention.scores(X[:1], W_Q, W_K)) == 1


@pytest.mark.guards("L1.order")
@pytest.mark.parametrize("seed", SEEDS)
def test_order_never_matters_exactly_if_B_is_symmetric(seed):
    W_Q, W_K = factors(seed)
    x, y = np.random.default_rng(seed + 100).normal(size=(2, 7))
    C = np.random.default_rng(seed + 200).normal(size=(3, 3))
    symmetric = bilinear.bilinear_form(W_Q, W_Q @ (C + C.T))  # untied, and yet B = Bᵀ
    assert np.isclose(x @ symmetric @ y, y @ symmetric @ x)
    B = bilinear.bilinear_form(W_Q, W_K)
    r, c = np.unravel_index(np.abs(B - B.T).argmax(), B.shape)
    basis = np.eye(7)
    assert not np.isclose(basis[r] @ B @ basis[c], basis[c] @ B @ basis[r])


@pytest.mark.guards("L1.1")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_split_of_a_form(seed):
    W_Q, W_K = factors(seed)
    B = W_Q @ W_K.T
    B_s, B_a = bilinear.symmetric_part(B), bilinear.antisymmetric_part(B)
    x = np.random.default_rng(seed + 100).normal(size=7)
    energy = (B**2).sum()
    assert np.isclose(energy, (B_s**2).sum() + (B_a**2).sum())
    assert np.isclose(x @ B_a @ x, 0, atol=1e-12)
    rho = np.trace(B @ B) / energy
    assert np.isclose((B_s**2).sum() / energy, (1 + rho) / 2)
    assert np.isclose(bilinear.symmetric_share(W_Q, W_K), (1 + rho) / 2)


@pytest.mark.guards("L1.null")
def test_half_is_what_chance_gives():
    # The 48 signed permutation matrices have the same second moments as the uniform law: an exact mean.
    group = [np.diag(s) @ np.eye(3)[list(p)] for p in permutations(range(3)) for s in product([1, -1], repeat=3)]
    for seed, rank in [(0, 1), (1, 2), (2, 3)]:
        left, right = np.random.default_rng(seed).normal(size=(2, 3, rank))
        share = np.mean([bilinear.symmetric_share(left, R.T @ right) for R in group])
        assert np.isclose(share, 1 / 2 + 1 / 6)
        assert np.isclose(share, bilinear.haar_share_null(3))


@pytest.mark.guards("L1.2")
@pytest.mark.parametrize(("d", "d_k"), [(2, 1), (6, 3), (11, 3)])
def test_the_signature_of_a_head(d, d_k):
    for seed in SEEDS:
        W_Q, W_K = factors(seed, d, d_k)
        values = np.linalg.eigvalsh((W_Q @ W_K.T + W_K @ W_Q.T) / 2)
        size = np.abs(values).max()
        assert ((values > 1e-9 * size).sum(), (values < -1e-9 * size).sum()) == (d_k, d_k)
        assert tuple(bilinear.signature(W_Q, W_K)) == (d_k, d_k, d - 2 * d_k)


@pytest.mark.guards("G2")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_basis_of_a_head_is_a_choice(seed):
    W_Q, W_K = factors(seed)
    M = np.random.default_rng(seed + 300).normal(size=(3, 3))
    X = np.random.default_rng(seed + 400).normal(size=(5, 7))
    S, T = attention.scores(X, W_Q, W_K), attention.scores(X, W_Q @ M, W_K @ np.linalg.inv(M).T)
    assert np.allclose(S, T, atol=1e-9 * np.abs(S).max())
    assert np.allclose(attention.softmax(S), attention.softmax(T))
    assert not np.allclose(np.linalg.norm(X @ W_Q, axis=1), np.linalg.norm(X @ W_Q @ M, axis=1))  # what does change


@pytest.mark.guards("M1.share")
def test_minilm_is_more_symmetric_than_random_forms():
    forms = data.load("minilm_forms")
    share, plain = forms["folded_symmetric_share"], forms["symmetric_share"]
    rng = np.random.default_rng(2026)  # other draws than the chapter's
    null = [bilinear.symmetric_share(*rng.normal(size=(2, 384, 32))) for _ in range(500)]
    assert share.shape == (6, 12)
    assert (share > max(null)).sum() == 71
    assert (share < min(null)).sum() == 1
    assert (plain > max(null)).sum() == 70
    assert (plain < min(null)).sum() == 1


@pytest.mark.guards("G1")
@pytest.mark.parametrize("seed", SEEDS)
def test_weights_see_scores_up_to_one_constant_per_row(seed):
    rng = np.random.default_rng(seed)
    S, u = rng.normal(size=(5, 5)), rng.normal(size=(5, 1)) * 10
    assert np.allclose(attention.softmax(S), attention.softmax(S + u))
    difference = attention.log_softmax(S) - S  # equal weights: logarithms differ from scores by a row constant
    assert np.allclose(difference, difference[:, :1])
    assert not np.allclose(attention.softmax(S), attention.softmax(S + u.T))  # a column shift is seen


@pytest.mark.guards("L3.limits")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_two_limits_of_temperature(seed):
    s = np.round(row(seed, n=9))  # rounding makes ties
    best = s == s.max()
    n, k = len(s), best.sum()
    gap = s.max() - s[~best].max()
    assert np.allclose(attention.softmax(s, temperature=np.inf), 1 / n)
    assert np.allclose(attention.softmax(s, temperature=1e9), 1 / n, atol=1e-6)
    assert np.array_equal(attention.softmax(s, temperature=0), best / k)
    assert np.allclose(attention.softmax(s, temperature=1e-3), best / k, atol=1e-12)
    for T in (0.1, 0.5, 2.0, 20.0):
        assert attention.softmax(s, temperature=T)[~best].sum() <= (n - k) / k * np.exp(-gap / T) + 1e-15


@pytest.mark.guards("L3.entropy")
@pytest.mark.parametrize("n", [2, 3, 50])
def test_bounds_of_the_entropy(n):
    assert np.isclose(attention.effective_keys(attention.softmax(np.full(n, 7.0))), n)
    for seed in SEEDS:
        keys = attention.effective_keys(attention.softmax(row(seed, n)))
        assert 1 < keys < n


@pytest.mark.guards("L3.heat")
@pytest.mark.parametrize("seed", SEEDS)
def test_entropy_rises_with_temperature(seed):
    s, h = row(seed), 1e-5
    for T in (0.5, 1.0, 4.0):
        up, down = (attention.entropy(attention.softmax(s, temperature=T + e)) for e in (h, -h))
        p = attention.softmax(s, temperature=T)
        slope = (p @ s**2 - (p @ s) ** 2) / T**3
        assert slope > 0 and np.isclose((up - down) / (2 * h), slope, rtol=1e-5, atol=1e-8)


@pytest.mark.guards("L3.hull")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_heads_output_is_a_mixture(seed):
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(3, 6, 4))
    output = attention.attention(Q, K, V).output
    directions = rng.normal(size=(200, 4))
    reach = (directions @ V.T).max(axis=1)
    assert (directions @ output.T < reach[:, None]).all()  # strictly: the relative interior
    for order in (1, 2, np.inf):
        assert np.linalg.norm(output, order, axis=1).max() <= np.linalg.norm(V, order, axis=1).max()


@pytest.mark.guards("L3.free-energy")
@pytest.mark.parametrize("seed", SEEDS)
def test_softmax_is_the_best_compromise(seed):
    s = row(seed)
    a = attention.softmax(s)
    p = np.vstack([np.random.default_rng(seed + 100).dirichlet(np.ones(6), size=50), np.eye(6)])
    gain = p @ s + attention.entropy(p)
    divergence = (p * np.log(np.where(p > 0, p, 1) / a)).sum(axis=1)  # 0 log 0 = 0
    assert np.allclose(gain, attention.log_sum_exp(s) - divergence)
    assert (
        np.isclose(a @ s + attention.entropy(a), attention.log_sum_exp(s)) and (gain < attention.log_sum_exp(s)).all()
    )


@pytest.mark.guards("M3.sharp")
def test_popular_keys_account_for_most_of_the_sharpness_of_minilm():
    record = data.sentence_record()
    assert len(record.tokens) == 11
    S = record.scores - record.scores.mean(-1, keepdims=True)
    popular = S.mean(-2, keepdims=True)
    rng = np.random.default_rng(2026)  # other draws than the chapter's, which may move a head or two across the line

    def counts(kept, columns):
        N = rng.normal(size=(1000, *S.shape))
        N -= N.mean(-1, keepdims=True)
        if columns:
            N -= N.mean(-2, keepdims=True)
        N *= (S - kept).std((-2, -1), keepdims=True) / N.std((-2, -1), keepdims=True)
        draws = attention.effective_keys(attention.softmax(kept + N)).mean(-1)
        keys = attention.effective_keys(record.weights).mean(-1)
        return [(keys < np.quantile(draws, 0.025, axis=0)).sum(), (keys > np.quantile(draws, 0.975, axis=0)).sum()]

    np.testing.assert_allclose(counts(0, columns=False), [52, 2], atol=2)
    np.testing.assert_allclose(counts(popular, columns=True), [5, 22], atol=2)
