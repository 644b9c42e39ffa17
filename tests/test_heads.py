"""Scores of heads beside their baselines, and distances between heads (labels are those of the mathematics)."""

import itertools
import math

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import ortho_group

from attention_geometry.attention import causal_mask, log_softmax, softmax
from attention_geometry.heads import (
    copying_score,
    duplicate_token_score,
    head_distance,
    induction_score,
    linear_cka,
    next_token_score,
    positional_share,
    previous_token_score,
    sink_score,
)


def uniform_causal(n):
    return softmax(np.zeros((n, n)), mask=causal_mask(n))


def harmonic(n):
    return sum(1 / k for k in range(1, n + 1))


def some_weights(rng, *shape, mask=None):
    return softmax(2 * rng.standard_normal(shape), mask=mask)


def looking(n, key):
    """A head in which row i looks at key(i) only."""
    return np.eye(n)[[key(i) for i in range(n)]]


SCORES = {
    "previous": lambda A, mask=None: previous_token_score(A, mask=mask),
    "next": lambda A, mask=None: next_token_score(A, mask=mask),
    "duplicate": lambda A, mask=None: duplicate_token_score(A, list("ababca"), mask=mask),
    "induction": lambda A, mask=None: induction_score(A, 3, mask=mask),
    "sink": lambda A, mask=None: sink_score(A, mask=mask),
}


# baselines


def test_T11_1_previous_token_baseline():
    score = previous_token_score(uniform_causal(4), mask=causal_mask(4))
    assert math.isclose(score.value, 13 / 36) and math.isclose(score.baseline, 13 / 36)
    assert score.baseline_of == "uniform over the causal keys" and score.count == 3 and score.reasons == {}
    for n in (2, 7, 50):
        baseline = previous_token_score(uniform_causal(n), mask=causal_mask(n)).baseline
        assert math.isclose(baseline, (harmonic(n) - 1) / (n - 1))
    assert math.isclose(previous_token_score(np.full((5, 5), 0.2)).baseline, 1 / 5)


def test_T11_2_induction_baseline():
    for L, expected in ((2, 7 / 24), (50, None), (1, 0.5)):
        score = induction_score(uniform_causal(2 * L), L, mask=causal_mask(2 * L))
        exact = (harmonic(2 * L) - harmonic(L)) / L
        assert math.isclose(score.baseline, exact) and math.isclose(score.value, exact)
        assert expected is None or math.isclose(exact, expected)
    assert round(induction_score(uniform_causal(100), 50, mask=causal_mask(100)).baseline, 5) == 0.01376


def test_T10_7_sink_baseline_and_its_length():
    score = sink_score(uniform_causal(64), mask=causal_mask(64))
    assert round(score.baseline, 4) == 0.0741 and math.isclose(score.baseline, harmonic(64) / 64)
    assert score.share == 0 and score.length == 64 and score.reasons == {}
    short = sink_score(uniform_causal(8), mask=causal_mask(8))
    assert math.isclose(short.baseline, 761 / 2240) and round(short.baseline, 3) == 0.340
    assert short.share is None and "uniform attention itself passes" in short.reasons["share"]
    assert "8 tokens, not 64" in short.reasons["length"]


@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("masked", [False, True])
def test_the_baseline_is_the_score_of_uniform_attention(rng, kind, masked):
    mask = rng.random((6, 6)) < 0.6 if masked else None
    if masked:
        mask[:, 0] = mask[np.arange(1, 6), np.arange(5)] = mask[np.arange(5), np.arange(1, 6)] = True
    flat = SCORES[kind](softmax(np.zeros((6, 6)), mask=mask), mask=mask)
    other = SCORES[kind](some_weights(rng, 6, 6, mask=mask), mask=mask)
    assert math.isclose(flat.value, flat.baseline) and math.isclose(flat.baseline, other.baseline)
    assert not math.isclose(other.value, other.baseline)


@pytest.mark.parametrize("kind", SCORES)
def test_a_batch_equals_the_loop(rng, kind):
    for mask in (None, causal_mask(6)):
        A = some_weights(rng, 2, 3, 6, 6, mask=mask)
        batch = SCORES[kind](A, mask)
        assert np.shape(batch.value) == np.shape(batch.baseline) == (2, 3)
        for i, j in np.ndindex(2, 3):
            one = SCORES[kind](A[i, j], mask)
            if one.value is None:
                assert np.isnan(batch.value[i, j]) and "first at (0, 0)" in batch.reasons["value"]
            else:
                assert math.isclose(one.value, batch.value[i, j]) and math.isclose(one.baseline, batch.baseline[i, j])


# scores


def test_perfect_heads_score_one(rng):
    assert previous_token_score(looking(6, lambda i: max(i - 1, 0))).value == 1
    assert next_token_score(looking(6, lambda i: min(i + 1, 5))).value == 1
    assert induction_score(looking(9, lambda i: max(i - 3, 0)), 4, start=1).value == 1
    assert duplicate_token_score(looking(6, lambda i: (i + 3) % 6), list("abcabc")).value == 1
    assert sink_score(looking(64, lambda i: 0), mask=causal_mask(64)).value == 1


def test_scores_against_loops(rng):
    n, tokens = 8, [3, 1, 3, 2, 1, 3, 9, 2]
    for mask in (None, causal_mask(n)):
        allowed = np.ones((n, n), dtype=bool) if mask is None else mask
        A = some_weights(rng, n, n, mask=mask)
        assert math.isclose(previous_token_score(A, mask=mask).value, np.mean([A[i, i - 1] for i in range(1, n)]))
        assert math.isclose(induction_score(A, 4, mask=mask).value, np.mean([A[i, i - 3] for i in range(4, 8)]))
        assert math.isclose(sink_score(A, mask=mask).value, A[:, 0].mean())
        rows = []
        for i in range(n):
            twins = [j for j in range(n) if j != i and tokens[j] == tokens[i] and allowed[i, j]]
            rows += [A[i, twins].sum()] if twins else []
        score = duplicate_token_score(A, tokens, mask=mask)
        assert math.isclose(score.value, np.mean(rows)) and score.count == len(rows) == (4 if mask is not None else 7)


def test_induction_counts_the_follower_not_the_occurrence():
    """Attention to the earlier copy itself is a duplicate-token head, not an induction head."""
    copy, follower = looking(6, lambda i: max(i - 3, 0)), looking(6, lambda i: max(i - 2, 0))
    assert [induction_score(A, 3).value for A in (copy, follower)] == [0, 1]
    assert [duplicate_token_score(A, list("abcabc"), mask=causal_mask(6)).value for A in (copy, follower)] == [1, 0]


def test_induction_takes_two_copies(rng):
    A = some_weights(rng, 12, 12)
    for period, start in ((3, 0), (12, 0), (6, 6), (5, 1)):
        with pytest.raises(ValueError, match="second block.*third copy"):
            induction_score(A, period, start=start)
    cut = induction_score(A, 7, start=2)  # the second block may be cut short
    assert cut.count == 3 and math.isclose(cut.value, np.mean([A[i, i - 6] for i in (9, 10, 11)]))


def test_duplicate_needs_tokens_that_match(rng):
    A = some_weights(rng, 3, 3)
    with pytest.raises(ValueError, match="2 entries but there are 3 tokens"):
        duplicate_token_score(A, ["a", "b"])
    with pytest.raises(TypeError, match="one string"):
        duplicate_token_score(A, "aba")
    distinct = duplicate_token_score(A, ["a", "b", "c"])
    assert distinct.value is None and distinct.baseline is None and distinct.count == 0
    assert "no token has another" in distinct.reasons["value"]
    assert duplicate_token_score(A, np.array([7, 8, 7])).count == 2


def test_duplicates_are_equal_to_the_last_character():
    swap = [[0.0, 1.0], [1.0, 0.0]]
    assert duplicate_token_score(swap, ["a", "a"]).value == 1
    different = duplicate_token_score(swap, ["a", "a\x00"])
    assert different.value is None and "no token has another" in different.reasons["value"]


def test_induction_baselines_of_four_copies():
    """The numbers in the notes: 25 tokens four times after a begin-of-text sign, uniform causal attention."""
    entries, sums = [], []
    for i in range(26, 101):
        targets = [j + 1 for j in range(1, i) if (i - j) % 25 == 0]
        entries += [1 / (i + 1)] * len(targets)
        sums.append(len(targets) / (i + 1))
    assert (round(np.mean(entries), 4), round(np.mean(sums), 4)) == (0.0154, 0.0307)


def test_next_token_is_undefined_under_a_causal_mask():
    score = next_token_score(uniform_causal(4), mask=causal_mask(4))
    assert score.value is None and "token after" in score.reasons["value"]


def test_one_token_has_no_neighbour():
    for score in (previous_token_score([[1.0]]), next_token_score([[1.0]])):
        assert score.value is None and score.count == 0 and score.reasons
    assert sink_score([[1.0]]).value == 1


def test_a_mask_that_did_not_make_the_weights_is_refused(rng):
    A = some_weights(rng, 4, 4)
    for kind in ("previous", "next", "sink"):
        with pytest.raises(ValueError, match="which the mask forbids"):
            SCORES[kind](A, causal_mask(4))


def test_a_causal_head_without_its_mask_is_pointed_out():
    assert "causal" in previous_token_score(uniform_causal(4)).reasons["baseline"]
    assert math.isclose(previous_token_score(uniform_causal(4)).baseline, 1 / 4)
    assert previous_token_score(np.full((4, 4), 0.25)).reasons == {}


def test_rows_without_keys_are_left_out(rng):
    """Left padding: the first two tokens are no queries and no keys."""
    mask = causal_mask(6) & (np.arange(6) >= 2) & (np.arange(6) >= 2)[:, None]
    A = softmax(rng.standard_normal((6, 6)), mask=mask, empty_rows="zero")
    for given in (mask, causal_mask(6)):
        score = previous_token_score(A, mask=given)
        assert score.count == (3 if given is mask else 4)
    trimmed = previous_token_score(A[2:, 2:], mask=causal_mask(4))
    assert math.isclose(previous_token_score(A, mask=mask).value, trimmed.value)
    assert math.isclose(previous_token_score(A, mask=mask).baseline, trimmed.baseline)
    assert previous_token_score(np.zeros((3, 3))).value is None
    assert sink_score(np.zeros((3, 3))).share is None


def test_sink_share_and_threshold(rng):
    first, flat = looking(64, lambda i: 0), uniform_causal(64)
    half = 0.5 * first + 0.5 * flat
    score = sink_score([[first, flat], [half, flat]], mask=causal_mask(64))
    assert score.value.shape == (2, 2) and score.share == 0.5
    assert sink_score([first, half], threshold=0.6, mask=causal_mask(64)).share == 0.5
    assert math.isclose(sink_score(half, mask=causal_mask(64)).value, 0.5 + 0.5 * harmonic(64) / 64)


def test_sink_share_counts_what_lies_strictly_above():
    half = np.eye(4)[[0, 0, 1, 2]]  # mean weight 1/2 on the first token, where uniform attention has 1/4
    assert sink_score([half, half], threshold=0.5).share == 0.0
    assert sink_score([half, half], threshold=0.49).share == 1.0
    assert sink_score(np.full((4, 4), 0.25), threshold=0.25).share == 0.0  # the baseline does not pass its own value


def test_sink_reads_the_first_64_tokens_of_a_causal_head(rng):
    A = some_weights(rng, 100, 100, mask=causal_mask(100))
    score = sink_score(A, mask=causal_mask(100))
    assert math.isclose(score.value, A[:64, 0].mean()) and score.length == 64 and score.reasons == {}
    full = sink_score(some_weights(rng, 100, 100))
    assert full.length == 100 and "100 tokens, not 64" in full.reasons["length"]


# position


def test_positional_share_without_and_with_a_signal(rng):
    raw = [positional_share(rng.standard_normal((5, 8, 8))) for _ in range(200)]
    assert abs(np.mean([s.raw for s in raw]) - 1 / 5) < 0.01 and abs(np.mean([s.value for s in raw])) < 0.01
    assert min(s.value for s in raw) < 0 and raw[0].baseline == 1 / 5
    signal = rng.standard_normal((40, 40))
    shares = [positional_share(signal + sd * rng.standard_normal((6, 40, 40))).value for sd in (0, 1, 3)]
    assert math.isclose(shares[0], 1) and abs(shares[1] - 1 / 2) < 0.03 and abs(shares[2] - 1 / 10) < 0.03


def test_positional_share_ignores_row_shifts_and_forbidden_keys(rng):
    S, mask = rng.standard_normal((4, 3, 6, 6)), causal_mask(6)
    share = positional_share(S, mask=mask).value
    assert share.shape == (3,)
    shifted = S + rng.standard_normal((4, 3, 6, 1))
    assert np.allclose(positional_share(shifted, mask=mask).value, share)
    spoiled = np.where(mask, S, 1e6 * rng.standard_normal(S.shape))
    assert np.allclose(positional_share(spoiled, mask=mask).value, share)
    assert not np.allclose(positional_share(S).value, share)
    logs = np.where(mask, log_softmax(S, mask=mask), 0.0)
    assert np.allclose(positional_share(logs, mask=mask).value, share)
    assert np.allclose([positional_share(S[:, h], mask=mask).value for h in range(3)], share)
    column = rng.standard_normal((4, 1, 6)) * np.ones((6, 1))  # content that sits in columns is no position
    assert positional_share(column).value < 0.6


def test_positional_share_of_a_head_does_not_depend_on_the_others(rng):
    mask = causal_mask(4)
    S = rng.standard_normal((5, 2, 4, 4)) * np.array([1e-9, 1e9])[:, None, None]
    S[:, 0] = np.where(mask, S[:, 0], 1e9)  # nor on what is masked
    found = positional_share(S, mask=mask)
    for h in range(2):
        one = positional_share(np.where(mask, S[:, h], 0.0), mask=mask)
        assert math.isclose(found.value[h], one.value) and math.isclose(found.raw[h], one.raw)


def test_positional_share_where_undefined():
    one = positional_share(np.eye(3)[None])
    assert one.value is None and one.raw == 1 and "one text" in one.reasons["value"]
    flat = positional_share(np.full((3, 2, 2), 0.1))
    assert flat.value is None and flat.raw is None and "flat" in flat.reasons["raw"]
    with pytest.raises(ValueError, match="text on the first axis"):
        positional_share(np.eye(3))


# distances between heads


def test_head_distance_against_scipy(rng):
    A = some_weights(rng, 4, 5, 6)
    A[1, 0], A[2, 0] = np.eye(6)[0], np.eye(6)[1]
    D = head_distance(A)
    for g, h in np.ndindex(4, 4):
        assert math.isclose(D[g, h], jensenshannon(A[g], A[h], axis=-1).mean(), abs_tol=1e-8)
    assert np.array_equal(D, D.T) and not np.diagonal(D).any() and D.max() <= math.sqrt(math.log(2))
    assert np.array_equal(head_distance(A[None])[0], D)


def test_head_distance_keeps_digits_for_nearly_equal_rows():
    h = 1e-9
    D = head_distance([[[0.5 + h, 0.5 - h]], [[0.5, 0.5]]])
    assert math.isclose(D[0, 1], h / math.sqrt(2), rel_tol=1e-6)


def test_head_distance_is_a_pseudometric_and_the_sum_of_jsd_is_not(rng):
    D = head_distance(softmax(4 * rng.standard_normal((8, 5, 4))))
    assert all(D[a, c] <= D[a, b] + D[b, c] + 1e-12 for a, b, c in itertools.permutations(range(8), 3))
    line = head_distance([[[1.0, 0.0]], [[0.5, 0.5]], [[0.0, 1.0]]])
    assert line[0, 2] <= line[0, 1] + line[1, 2]
    assert line[0, 2] ** 2 > line[0, 1] ** 2 + line[1, 2] ** 2
    assert head_distance([[[1.0, 0.0]], [[1.0, 0.0]]])[0, 1] == 0


def test_head_distance_leaves_out_empty_rows(rng):
    A = some_weights(rng, 3, 4, 4)
    padded = np.concatenate([A, np.zeros((3, 2, 4))], axis=1)
    assert np.allclose(head_distance(padded), head_distance(A))
    padded[0, 5, 0] = 1
    with pytest.raises(ValueError, match="one mask"):
        head_distance(padded)
    with pytest.raises(ValueError, match="heads"):
        head_distance(A[0])
    assert np.isnan(head_distance(np.zeros((2, 3, 3)))).all()


# similarity of outputs


def test_T11_3_one_column_is_r_squared(rng):
    assert math.isclose(linear_cka([[1.0], [2.0], [3.0]], [[1.0], [2.0], [4.0]]), 27 / 28)
    x, y = rng.standard_normal((2, 9))
    assert math.isclose(linear_cka(x[:, None], y[:, None]), np.corrcoef(x, y)[0, 1] ** 2)


@pytest.mark.parametrize("debiased", [False, True])
def test_cka_invariance_and_its_limit(rng, debiased):
    X, Y = rng.standard_normal((2, 12, 4))
    value = linear_cka(X, Y, debiased=debiased)
    turn = ortho_group.rvs(4, random_state=rng)
    assert math.isclose(linear_cka(3e200 * X @ turn + 1e200, Y, debiased=debiased), value, abs_tol=1e-10)
    assert math.isclose(linear_cka(X, X @ turn, debiased=debiased), 1)
    assert not math.isclose(linear_cka(X @ np.diag([9, 1, 1, 1.0]), Y, debiased=debiased), value, abs_tol=1e-3)
    batch = linear_cka(np.stack([X, Y]), Y, debiased=debiased)
    assert np.allclose(batch, [value, 1])


def test_cka_formula_with_covariances(rng):
    X, Y = rng.standard_normal((10, 3)), rng.standard_normal((10, 5))
    X0, Y0 = X - X.mean(0), Y - Y.mean(0)
    norm = np.linalg.norm
    assert math.isclose(linear_cka(X, Y), norm(Y0.T @ X0) ** 2 / norm(X0.T @ X0) / norm(Y0.T @ Y0))


def test_debiased_cka_is_a_mean_over_distinct_quadruples(rng):
    """The unbiased estimate of HSIC is an average over ordered quadruples of different tokens."""
    X, Y = rng.standard_normal((6, 2)), rng.standard_normal((6, 3))

    def hsic(K, L):
        terms = [K[i, j] * (L[i, j] + L[q, r] - 2 * L[i, q]) for i, j, q, r in itertools.permutations(range(6), 4)]
        return np.mean(terms)

    K, L = X @ X.T, Y @ Y.T
    expected = hsic(K, L) / math.sqrt(hsic(K, K) * hsic(L, L))
    assert math.isclose(linear_cka(X, Y, debiased=True), expected)


def test_cka_bias_with_few_tokens(rng):
    clouds = rng.standard_normal((300, 2, 20, 200))
    plain = [linear_cka(X, Y) for X, Y in clouds]
    debiased = [linear_cka(X, Y, debiased=True) for X, Y in clouds]
    assert min(plain) > 0.8 and abs(np.mean(debiased)) < 3.5 * np.std(debiased) / math.sqrt(300) < 0.02


def test_cka_where_undefined_or_refused(rng):
    X = rng.standard_normal((5, 2))
    for constant in (np.full((5, 2), 0.1), np.full((5, 1), 1 / 3)):
        assert math.isnan(linear_cka(X, constant)) and math.isnan(linear_cka(X, constant, debiased=True))
    with pytest.raises(ValueError, match="same tokens"):
        linear_cka(X, X[:4])
    with pytest.raises(ValueError, match="4 or more"):
        linear_cka(X[:3], X[:3], debiased=True)


# copying


def test_copying_score_by_hand():
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    for W_O, expected in ((np.eye(2), 1), (-np.eye(2), -1), (turn, 0), (np.diag([3.0, -1.0]), 0.5)):
        score = copying_score(np.eye(2), W_O)
        assert math.isclose(score.value, expected, abs_tol=1e-15) and score.baseline == 0
    nothing = copying_score([[1.0], [0.0]], [[0.0, 1.0]])  # reads one direction, writes another
    assert nothing.value is None and "eigenvalue" in nothing.reasons["value"]


def test_copying_score_in_token_space(rng):
    W_E, W_V, W_O, W_U = (rng.standard_normal(shape) for shape in ((9, 5), (3, 5, 2), (3, 2, 5), (5, 9)))
    score = copying_score(W_V, W_O, W_E=W_E, W_U=W_U)
    for h in range(3):
        values = np.linalg.eigvals(W_E @ W_V[h] @ W_O[h] @ W_U)
        assert math.isclose(score.value[h], values.sum().real / np.abs(values).sum(), rel_tol=1e-9)
    M, T = rng.standard_normal((2, 2)), rng.standard_normal((5, 5))
    turned = copying_score(W_V @ M, np.linalg.inv(M) @ W_O, W_E=W_E, W_U=W_U)
    assert np.allclose(turned.value, score.value)
    assert np.allclose(copying_score(np.linalg.inv(T) @ W_V, W_O @ T).value, copying_score(W_V, W_O).value)
    assert np.allclose(copying_score(W_V, -W_O, W_E=W_E, W_U=W_U).value, -score.value)
    for wrong in ({"W_E": W_E}, {"W_U": W_U}):
        with pytest.raises(ValueError, match="W_E with W_U"):
            copying_score(W_V, W_O, **wrong)
    with pytest.raises(ValueError, match=r"\(3, 2, 4\)"):
        copying_score(W_V, W_O[..., :4])
