"""One test for each statement of the ledger that is proved or measured, as the book words it."""

from itertools import permutations, product

import numpy as np
import pytest

from attention_geometry import attention, axioms, bilinear, data, facts, relation
from attention_geometry.models import toy

SEEDS = range(20)


def factors(seed, d=7, d_k=3):
    return np.random.default_rng(seed).normal(size=(2, d, d_k))


def says(fact, key, value, low=None, high=None, *, digits=0, per=1):
    """The stored fact, which test_facts measures again, rounds to what a statement of the book says."""
    stored = facts.stored(fact)
    assert round(per * float(stored[key]), digits) == value, stored[key]
    if low is not None:
        assert tuple(round(per * float(end), digits) for end in stored.interval[key]) == (low, high), stored.interval


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
    says("sharpness", "sharper, equal spread", 59, 57, 60)
    says("sharpness", "less sharp, equal spread", 3)
    says("sharpness", "sharper, with popularity", 19, 18, 21)
    says("sharpness", "less sharp, with popularity", 21, 19, 22)


@pytest.mark.guards("L1.4")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_dot_product_is_closeness_plus_a_bonus_for_length(seed):
    rng = np.random.default_rng(seed)
    q, K = rng.normal(size=4), rng.normal(size=(6, 4))
    closeness = -((q - K) ** 2).sum(axis=1) / 2
    bonus = (K**2).sum(axis=1) / 2
    assert np.allclose(K @ q, closeness + bonus + q @ q / 2)
    assert np.allclose(attention.softmax(K @ q), attention.softmax(closeness + bonus))
    assert not np.allclose(attention.softmax(K @ q), attention.softmax(closeness))
    K /= np.linalg.norm(K, axis=1, keepdims=True)
    nearest = ((q - K) ** 2).sum(axis=1)
    assert np.allclose(attention.softmax(K @ q), attention.softmax(-nearest / 2))
    assert (K @ q).argmax() == nearest.argmin()


@pytest.mark.guards("L2.cosine")
@pytest.mark.parametrize("gamma", [1e-3, 0.1, 0.7, 1.0])
def test_a_positive_score_can_have_any_positive_cosine(gamma):
    for seed in SEEDS:
        q, k = np.random.default_rng(seed).normal(size=(2, 3))
        k *= np.sign(q @ k)
        c = q @ k
        wanted = np.array([c, c * np.sqrt(gamma**-2 - 1), 0.0])
        # rows: q and a basis of the complement of k, and where the proof sends them
        complement = np.linalg.svd(k[None])[2][1:]
        image = np.linalg.svd(wanted[None])[2][1:]
        M = np.linalg.solve(np.vstack([q, complement]), np.vstack([np.eye(3)[0], image]))
        q2, k2 = q @ M, k @ np.linalg.inv(M).T
        assert np.isclose(q2 @ k2, c)
        assert np.isclose(q2 @ k2 / np.linalg.norm(q2) / np.linalg.norm(k2), gamma)


@pytest.mark.guards("L2.angle")
def test_the_angle_obeys_the_triangle_inequality_its_cosine_does_not():
    X = np.random.default_rng(0).normal(size=(60, 3))
    assert axioms.check_axioms(axioms.CANDIDATES["arccos"](X)).triangle.holds
    assert axioms.check_axioms(axioms.CANDIDATES["chord"](X)).triangle.holds
    report = axioms.check_axioms(axioms.CANDIDATES["1 − cos"](X))
    assert not report.triangle.holds and report.worst_ratio <= 2 + 1e-12
    for t in (0.01, 0.5, 1.5):
        fan = np.array([[np.cos(a), np.sin(a)] for a in (0, t, 2 * t)])
        D = axioms.CANDIDATES["1 − cos"](fan)
        assert np.isclose(D[0, 2] / (D[0, 1] + D[1, 2]), 1 + np.cos(t))


@pytest.mark.guards("L2.scale")
@pytest.mark.parametrize("d_k", [1, 2, 4])
def test_a_dot_product_of_independent_coordinates_has_variance_d_k(d_k):
    for values in ([-1, 1], [-np.sqrt(1.5), 0, np.sqrt(1.5)]):  # mean 0 and variance 1, every case counted
        vectors = np.array(list(product(values, repeat=d_k)))
        assert np.isclose((vectors @ vectors.T).var(), d_k)
    signs = np.array(list(product([-1, 1], repeat=d_k)))
    assert (signs * signs).sum(axis=1).var() == 0  # q = k
    same = np.outer([1, 1, -1, -1], np.ones(d_k)) * np.outer([1, -1, 1, -1], np.ones(d_k))
    assert same.sum(axis=1).var() == d_k**2


@pytest.mark.guards("L1.4.lift")
@pytest.mark.parametrize("seed", SEEDS)
def test_attention_is_a_gaussian_kernel_between_lifted_queries_and_keys(seed):
    rng = np.random.default_rng(seed)
    Q, K = rng.normal(size=(5, 4)), 3 * rng.normal(size=(11, 4))
    R = np.linalg.norm(K, axis=1).max() * (1 + seed % 3)
    up = np.sqrt(np.maximum(R**2 - (K**2).sum(axis=1), 0))
    lifted_Q, lifted_K = np.c_[Q, np.zeros(5)], np.c_[K, up]
    squared = ((lifted_Q[:, None] - lifted_K) ** 2).sum(axis=-1)
    A = attention.softmax(Q @ K.T / 2)
    assert np.allclose(attention.softmax(-squared / (2 * 2)), A)
    assert np.array_equal(squared.argsort(axis=1), (-A).argsort(axis=1))
    for ours, theirs in zip(bilinear.lift(Q, K, radius=R), (lifted_Q, lifted_K)):
        assert np.allclose(ours, theirs)


def positive_weights(seed, n=5, spread=1.5):
    return attention.softmax(spread * np.random.default_rng(seed).normal(size=(n, n)))


@pytest.mark.guards("L4.1")
@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_surprisal_of_one_hop_obeys(seed):
    A = positive_weights(seed)
    report = axioms.check_axioms(-np.log(A))
    assert report.non_negative.holds and report.zero_diagonal.violations == len(A)
    hops = [A[i, j] * A[j, k] > A[i, k] for i, j, k in permutations(range(5), 3)]
    assert report.triangle.violations == sum(hops) and any(hops)


@pytest.mark.guards("L4.2")
@pytest.mark.parametrize("n", [3, 4, 9, 30])
def test_flat_heads_pass_the_triangle_test_for_free(n):
    limit = (1 + np.sqrt(4 * n - 3)) / 2
    for seed in SEEDS:
        W = limit ** np.random.default_rng(seed).uniform(size=(n, n))  # ratios up to the limit
        assert axioms.check_axioms(-np.log(W / W.sum(axis=1, keepdims=True))).triangle.holds
    W = np.ones((n, n))
    W[0, 1] = W[1, 2] = limit  # the rows of the proof
    for stretch, holds in [(1 - 1e-9, True), (1 + 1e-6, False)]:
        V = W.copy()
        V[0, 1] = V[1, 2] = limit * stretch
        assert axioms.check_axioms(-np.log(V / V.sum(axis=1, keepdims=True))).triangle.holds is holds
    A = np.array([[1, 2, 1], [1, 1, 2], [2, 1, 1]]) / 4
    assert A[0, 1] * A[1, 2] == A[0, 2]


@pytest.mark.guards("L4.3")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_power_can_buy_the_triangle_inequality(seed):
    D = np.random.default_rng(seed).uniform(0.01, 1, size=(7, 7))
    np.fill_diagonal(D, 0)
    off = D[~np.eye(7, dtype=bool)]
    alpha = np.log(2) / np.log(off.max() / off.min())
    assert not axioms.check_axioms(D).triangle.holds
    assert axioms.check_axioms(D**alpha).triangle.holds
    assert axioms.check_axioms(D ** (alpha / 3)).triangle.holds


@pytest.mark.guards("L4.ordinal")
def test_when_rankings_come_from_a_metric():
    points = np.random.default_rng(0).normal(size=(6, 2))
    D = np.linalg.norm(points[:, None] - points, axis=-1)
    assert axioms.ordinal_test(-(D**3)).consistent  # only the order of a row is read
    # the construction of the proof: pairs ordered, lengths m + r
    pairs = [(i, j) for i in range(6) for j in range(i)]
    ordered = sorted(pairs, key=lambda pair: D[pair])
    rebuilt = np.zeros((6, 6))
    for r, (i, j) in enumerate(ordered, start=1):
        rebuilt[i, j] = rebuilt[j, i] = len(pairs) + r
    assert axioms.check_axioms(rebuilt).kind == "metric"
    off = ~np.eye(6, dtype=bool)
    assert all((D[i, off[i]].argsort() == rebuilt[i, off[i]].argsort()).all() for i in range(6))
    ring = np.array([[0, 2, 1], [1, 0, 2], [2, 1, 0]])  # 0 prefers 1, 1 prefers 2, 2 prefers 0
    assert not axioms.ordinal_test(ring).consistent
    # of the eight ways in which three tokens rank the two others, two are circles
    circles = 0
    for choice in product([0, 1], repeat=3):
        S = np.zeros((3, 3))
        for i, first in enumerate(choice):
            S[i, (i + 1 + first) % 3] = 2
        circles += not axioms.ordinal_test(S).consistent
    assert circles / 8 == 1 / 4


@pytest.mark.guards("L4.causal")
@pytest.mark.parametrize("seed", SEEDS)
def test_every_causal_map_has_a_symmetric_metric_behind_it(seed):
    n = 7
    mask = attention.causal_mask(n)
    A = attention.softmax(3 * np.random.default_rng(seed).normal(size=(n, n)), mask=mask)
    low = np.tril_indices(n, -1)
    D = np.zeros((n, n))
    D[low] = -np.log(A[low]) + (-np.log(A[low])).max()
    D += D.T
    assert axioms.check_axioms(D).kind == "metric"
    for i in range(2, n):
        ratio = np.exp(-D[i, :i]) / A[i, :i]
        assert np.allclose(ratio, ratio[0])
    assert abs(np.diag(attention.softmax(-D, mask=mask)) - np.diag(A))[1:].min() > 1e-4


@pytest.mark.guards("L4.5")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_closure_is_a_quasi_metric_always(seed):
    C = np.random.default_rng(seed).exponential(size=(6, 6))
    closure = axioms.metric_closure(C)
    assert axioms.check_axioms(closure).kind == "quasimetric"
    np.fill_diagonal(C, 0)
    assert (closure <= C).all()
    for i, k in permutations(range(6), 2):  # the best way has at most five steps: look at all of them
        rest = [t for t in range(6) if t not in (i, k)]
        ways = [(i, *mid, k) for r in range(5) for mid in permutations(rest, r)]
        assert np.isclose(closure[i, k], min(sum(C[a, b] for a, b in zip(way, way[1:])) for way in ways))


@pytest.mark.guards("L1.5")
@pytest.mark.parametrize("seed", SEEDS)
def test_when_weights_could_come_from_symmetric_scores(seed):
    rng = np.random.default_rng(seed)
    S = rng.normal(size=(5, 5))
    rows, columns = rng.normal(size=(5, 1)), rng.normal(size=(1, 5))
    for scores, expected in [(S + S.T + rows + columns, True), (S, False)]:
        A = attention.softmax(scores)
        around = [A[i, j] * A[j, k] * A[k, i] / (A[i, k] * A[k, j] * A[j, i]) for i, j, k in permutations(range(5), 3)]
        assert np.allclose(around, 1) is expected  # (c)
        u = A[0] / A[:, 0]
        flow = u[:, None] * A
        assert np.allclose(flow, flow.T) is expected  # (b), and log(flow) is the symmetric S of (a)
        assert np.allclose(attention.softmax(np.log(flow)), A)
        assert bool(relation.is_reversible(scores)) is expected
    assert relation.is_reversible(S[:2, :2])  # two tokens


@pytest.mark.guards("L1.5.shares")
def test_the_three_shares_add_up_and_reversible_means_no_circulation():
    rng = np.random.default_rng(0)
    n = 5
    J = np.eye(n) - 1 / n
    for _ in range(20):
        S = rng.normal(size=(n, n))
        T = J @ S @ J
        parts = np.array(
            [n * ((S @ J).mean(axis=0) ** 2).sum(), ((T + T.T) ** 2).sum() / 4, ((T - T.T) ** 2).sum() / 4]
        )
        shares = parts / ((S @ J) ** 2).sum()
        assert np.isclose(shares.sum(), 1)
        got = relation.energy_shares(np.log(attention.softmax(S)))
        assert np.allclose([got.popularity, got.reciprocal, got.circulating], shares)
        assert np.isclose(relation.energy_shares(S + S.T).circulating, 0)
    # the expected energy of a part is its dimension: traces of the three projections of an n × n table
    basis = np.eye(n * n).reshape(n * n, n, n)
    T = J @ basis @ J
    flip = T.swapaxes(1, 2)
    trace = [(((basis @ J).mean(axis=1) ** 2).sum() * n), ((T + flip) ** 2).sum() / 4, ((T - flip) ** 2).sum() / 4]
    assert np.allclose(np.array(trace) / sum(trace), [1 / n, 1 / 2, (n - 2) / (2 * n)])


@pytest.mark.guards("L1.6")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_squared_interval_read_off_the_weights(seed):
    rng = np.random.default_rng(seed)
    W_Q, W_K = factors(seed)
    X, b = rng.normal(size=(5, 7)), rng.normal(size=(2, 3))
    A = attention.softmax(attention.scores(X, W_Q, W_K, b_Q=b[0], b_K=b[1]))
    read = np.log(np.diag(A)[:, None] * np.diag(A) / (A * A.T))
    step = X[:, None] - X
    B_s = (W_Q @ W_K.T + W_K @ W_Q.T) / 2
    assert np.allclose(read, np.einsum("ijr,rc,ijc->ij", step, B_s, step) / np.sqrt(3))
    assert np.allclose(read, relation.squared_interval(np.log(A)))
    tied = relation.squared_interval(attention.scores(X, W_Q, W_Q))
    assert axioms.check_axioms(np.sqrt(np.maximum(tied, 0)), tolerance=1e-6).triangle.holds
    assert np.isclose(relation.squared_interval([[0, 1], [1, 0]])[0, 1], -2)


@pytest.mark.guards("L5.ring")
def test_a_symmetric_head_cannot_choose_around_a_ring():
    rng = np.random.default_rng(0)
    for n in (3, 4, 7):
        for _ in range(300):
            S = rng.normal(size=(n, n))
            S = S + S.T + rng.normal(size=(n, 1)) + 3 * rng.normal(size=(1, n))
            np.fill_diagonal(S, -np.inf)
            choice = S.argmax(axis=1)
            for start in range(n):  # follow the choices: they end in a pair that choose each other
                token = start
                for _ in range(n):
                    token = choice[token]
                assert choice[choice[token]] == token
        best = np.full((n, n), -1.0)
        for i in range(n - 1):
            best[i, i + 1] = best[i + 1, i] = i
        np.fill_diagonal(best, -np.inf)
        assert (best.argmax(axis=1)[:-1] == np.arange(1, n)).all()  # all arrows of the ring but one


@pytest.mark.guards("A.rope")
@pytest.mark.parametrize("seed", range(5))
def test_with_rotary_positions_the_form_depends_on_the_distance(seed):
    rng = np.random.default_rng(seed)
    W_Q, W_K = factors(seed, d=5, d_k=4)
    X, positions = rng.normal(size=(6, 5)), rng.integers(0, 50, size=6)
    R = bilinear.rope_rotation(positions, 4)
    Q, K = np.einsum("nd,nde->ne", X @ W_Q, R), np.einsum("nd,nde->ne", X @ W_K, R)
    for m, n in product(range(6), repeat=2):
        form = W_Q @ bilinear.rope_rotation(positions[m] - positions[n], 4) @ W_K.T
        assert np.isclose(Q[m] @ K[n], X[m] @ form @ X[n])
    tied = K @ K.T
    assert np.allclose(tied, tied.T) and np.linalg.eigvalsh(tied).min() > -1e-9
    turned_bias = np.einsum("d,nde->ne", rng.normal(size=4), R)
    assert not np.allclose(attention.softmax(Q @ (K + turned_bias).T), attention.softmax(Q @ K.T))


@pytest.mark.guards("A.alibi")
@pytest.mark.parametrize("n", [2, 6])
def test_a_causal_linear_bias_is_a_popularity_of_late_keys(n):
    S, mask = np.random.default_rng(n).normal(size=(n, n)), attention.causal_mask(n)
    i, j = np.indices((n, n))
    late = attention.softmax(S + 0.7 * j, mask=mask)
    assert np.allclose(attention.softmax(S - 0.7 * (i - j), mask=mask), late)
    assert np.allclose(attention.softmax(S + bilinear.alibi_bias(n, [0.7])[0], mask=mask), late)
    both = bilinear.alibi_bias(n, [0.7])[0]
    assert np.isclose(both[0, 0] - both[0, 1] - both[1, 0] + both[1, 1], 2 * 0.7)
    assert not np.allclose(attention.softmax(S + both), attention.softmax(S + 0.7 * j))


@pytest.mark.guards("A.groups")
def test_heads_with_one_key_matrix_share_d_k_features():
    rng = np.random.default_rng(0)
    queries, W_K = rng.normal(size=(4, 9, 2)), rng.normal(size=(9, 2))
    assert np.linalg.matrix_rank(np.vstack([q @ W_K.T for q in queries])) == 2
    assert np.linalg.matrix_rank(np.vstack([q @ k.T for q, k in zip(queries, rng.normal(size=(4, 9, 2)))])) == 8


@pytest.mark.guards("B.kernel")
@pytest.mark.parametrize("seed", range(5))
def test_when_the_attention_kernel_is_a_kernel_in_the_strict_sense(seed):
    rng = np.random.default_rng(seed)
    L, X = rng.normal(size=(3, 2)), rng.normal(size=(8, 3)) / 2
    table = np.exp(X @ L @ L.T @ X.T)
    assert np.allclose(table, table.T) and np.linalg.eigvalsh(table).min() > -1e-9 * table.max()
    B = L @ rng.normal(size=(2, 3))
    table = np.exp(X @ B @ X.T)
    assert not np.allclose(table, table.T)
    dip = np.exp(np.array([[-0.5, 0], [0, 0]]))  # a token x with xBxᵀ < 0, and the token 0
    assert np.linalg.eigvalsh(dip).min() < 0
    swap = np.exp(np.array([[0.0, 1], [1, 0]]))
    assert np.allclose(np.linalg.eigvalsh(swap), [1 - np.e, 1 + np.e])


@pytest.mark.guards("B.energy")
@pytest.mark.parametrize("beta", [0.3, np.log(3), 20.0])
def test_one_step_of_retrieval_never_raises_the_energy(beta):
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        K, xi = rng.normal(size=(6, 3)), 2 * rng.normal(size=3)
        step = attention.softmax(beta * xi @ K.T) @ K
        before, after = (-attention.log_sum_exp(beta * z @ K.T) / beta + z @ z / 2 for z in (xi, step))
        assert after <= before - ((step - xi) ** 2).sum() / 2 + 1e-12
        head = attention.attention(beta * xi[None], K, K, scale=1.0)
        assert np.allclose(head.output[0], step)


@pytest.mark.guards("M4.triangles")
def test_fewer_broken_triangles_than_in_noise_without_popular_keys():
    says("popular_noise", "MiniLM popular noise, broken triangles", 1.9, 1.9, 2.0, digits=1, per=100)
    says("popular_noise", "SmolLM2 popular noise, broken triangles", 2.2, 2.1, 2.4, digits=1, per=100)
    says("triangles", "MiniLM trained", 1.2, 1.1, 1.2, digits=1, per=100)
    says("triangles", "MiniLM noise", 5.1, 4.9, 5.4, digits=1, per=100)
    says("triangles", "SmolLM2 trained", 2.2, 2.1, 2.3, digits=1, per=100)
    says("triangles", "SmolLM2 noise", 6.5, 6.2, 6.8, digits=1, per=100)
    for model in ("MiniLM", "SmolLM2"):
        says("triangles", f"{model} untrained", 0, 0, 0, digits=6)


@pytest.mark.guards("M4.asymmetry")
def test_trained_forms_are_more_symmetric_than_chance():
    says("asymmetry", "MiniLM as trained, per head", 0.13, 0.12, 0.16, digits=2)
    says("asymmetry", "MiniLM rotated, per head", 0.002, digits=3)
    says("asymmetry", "SmolLM2 as trained, per head", 0.020, 0.013, 0.027, digits=3)
    says("asymmetry", "SmolLM2 rotated, per head", 0.002, digits=3)
    says("asymmetry", "MiniLM as trained, per layer", 0.49, digits=2)
    says("asymmetry", "SmolLM2 as trained, per layer", 0.09, digits=2)
    says("query_key_distances", "MiniLM trained, self not largest", 95.9, 95.6, 96.1, digits=1, per=100)
    says("query_key_distances", "MiniLM chance, self not largest", 97.7, digits=1, per=100)


@pytest.mark.guards("M4.ordinal")
def test_no_heads_rankings_come_from_a_metric_yet_circles_are_rare():
    stored = facts.stored("ordinal")
    assert (stored.n["MiniLM matrices"], stored.n["SmolLM2 matrices"]) == (72 * 24, 270 * 24)
    says("ordinal", "MiniLM matrices that pass", 0)
    says("ordinal", "SmolLM2 matrices that pass", 0)
    says("ordinal", "MiniLM trained", 8.2, 8.1, 8.4, digits=1, per=100)
    says("ordinal", "SmolLM2 trained", 8.5, 8.3, 8.6, digits=1, per=100)
    says("ordinal", "MiniLM keys shuffled", 14.6, digits=1, per=100)
    says("ordinal", "SmolLM2 keys shuffled", 13.5, digits=1, per=100)
    says("ordinal", "MiniLM untrained", 15.2, digits=1, per=100)
    says("ordinal", "SmolLM2 untrained", 17.8, digits=1, per=100)


@pytest.mark.guards("M5.shares")
def test_trained_heads_circulate_less_than_noise_popular_keys_or_not():
    says("popular_noise", "MiniLM popular noise, circulating share", 26, per=100)
    says("popular_noise", "SmolLM2 popular noise, circulating share", 23, per=100)
    says("energy_shares", "MiniLM trained, circulating", 14.9, 14.8, 15.1, digits=1, per=100)
    says("energy_shares", "SmolLM2 trained, circulating", 14.5, 14.2, 14.8, digits=1, per=100)
    says("energy_shares", "MiniLM noise, circulating", 47.6, digits=1, per=100)
    says("energy_shares", "MiniLM untrained, circulating", 28.7, digits=1, per=100)
    says("energy_shares", "SmolLM2 untrained, circulating", 33.0, digits=1, per=100)
    says("energy_shares", "MiniLM trained, popularity", 46, per=100)
    says("energy_shares", "SmolLM2 trained, popularity", 52, per=100)
    says("energy_shares", "MiniLM noise, popularity", 2, per=100)


@pytest.mark.guards("M2.nearest")
def test_which_key_is_nearest_depends_on_the_description():
    says("nearest_key", "as stored", 56, 55, 57, per=100)
    says("nearest_key", "keys centred", 24, 24, 25, per=100)
    says("nearest_key", "random basis", 9, 9, 9, per=100)
    says("nearest_key", "chance", 2, per=100)


@pytest.mark.guards("M2.spread")
def test_trained_scores_spread_more_than_their_rotated_forms_would():
    says("score_spread", "trained, median head", 1.39, 1.35, 1.42, digits=2)
    says("score_spread", "rotated, median head", 0.93, 0.92, 0.95, digits=2)
    says("score_spread", "smallest head", 0.5, digits=1)
    says("score_spread", "largest head", 12)
    says("score_spread", "heads above their rotated form", 72)


@pytest.mark.guards("M5.experiment")
def test_free_heads_learn_a_ring_symmetric_heads_a_chain():
    """The stored record, a seed of which test_toy trains again."""
    found = toy.stored_experiment()

    def accuracy(task, family, diagonal):
        a = found.accuracy[found.tasks.index(task), found.families.index(family), found.diagonals.index(diagonal), :, 1]
        return tuple(round(float(x), 2) for x in (a.mean(), a.min(), a.max()))

    assert accuracy("chain", "free", "masked") == accuracy("cycle", "free", "masked") == (1, 1, 1)
    assert accuracy("chain", "metric", "masked") == (0.95, 0.84, 1)
    assert accuracy("cycle", "metric", "masked") == (0.69, 0.55, 0.93)
    assert accuracy("chain", "metric", "allowed") == (0.72, 0.71, 0.74)
    assert accuracy("cycle", "metric", "allowed") == (0.55, 0.54, 0.56)
    assert accuracy("cycle", "tied", "masked") == (0.82, 0.57, 0.93)
    assert accuracy("cycle", "symmetric", "masked") == (0.69, 0.55, 0.93)
    symmetric = [found.families.index(name) for name in ("tied", "symmetric", "metric")]
    assert found.most_arrows[found.tasks.index("cycle"), symmetric].max() == 11


@pytest.mark.guards("L1.3")
@pytest.mark.parametrize("seed", SEEDS)
def test_when_a_form_gives_lengths(seed):
    rng = np.random.default_rng(seed)
    W_Q, X = rng.normal(size=(7, 3)), rng.normal(size=(6, 7))
    L = W_Q @ np.linalg.cholesky(np.cov(rng.normal(size=(3, 9))))
    step = X[:, None] - X
    squared = np.einsum("ijr,rc,ijc->ij", step, L @ L.T, step)
    assert np.allclose(squared, (((X @ L)[:, None] - X @ L) ** 2).sum(axis=-1))
    x = np.linalg.svd(W_Q.T)[2][-1]  # a direction the head does not see
    assert np.isclose(x @ L @ L.T @ x, 0)
    # general factors have negative eigenvalues; W_K = W_Q C with C positive has none, and shares the columns
    C = rng.normal(size=(3, 3))
    aligned = W_Q @ C @ C.T
    assert bilinear.signature(W_Q, aligned).negative == 0
    assert np.linalg.matrix_rank(np.hstack([W_Q, aligned])) == 3
    assert bilinear.signature(W_Q, rng.normal(size=(7, 3))).negative == 3


@pytest.mark.guards("L4.4")
@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_cost_relative_to_staying_obeys(seed):
    rng = np.random.default_rng(seed)
    S = rng.normal(size=(5, 5))
    A = attention.softmax(S)
    rho = np.diag(S)[:, None] - S
    assert np.allclose(rho, np.log(np.diag(A)[:, None] / A)) and (np.diag(rho) == 0).all()
    assert (rho >= 0).all() == (S.argmax(axis=1) == np.arange(5)).all()
    for i, j, k in permutations(range(5), 3):
        assert (rho[i, k] <= rho[i, j] + rho[j, k]) == (A[i, j] * A[j, k] <= A[i, k] * A[j, j])
    points = rng.normal(size=(5, 2))
    D = np.linalg.norm(points[:, None] - points, axis=-1)
    weights = attention.softmax(rng.normal(size=(5, 1)) - D)
    assert np.allclose(np.log(np.diag(weights)[:, None] / weights), D)
    assert np.allclose(axioms.CANDIDATES["ρ"](S), rho)
