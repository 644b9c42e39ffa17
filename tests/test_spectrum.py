"""Laws, hand values and refusals of the effective ranks (labels as in the mathematics)."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention_geometry import bilinear
from attention_geometry.attention import causal_mask, softmax
from attention_geometry.spectrum import (
    KINDS,
    centred,
    effective_rank,
    effective_rank_of,
    rank_summary,
    rank_summary_of,
    singular_values,
)

seeds = st.integers(0, 2**32 - 1)
spectra = arrays(np.float64, st.integers(1, 8), elements=st.floats(0, 1e3)).filter(lambda s: s.max() > 0)


def by_definition(sigma, kind):
    """Plain sums over the positive singular values."""
    s = [float(x) / float(max(sigma)) for x in sigma if x > 0]
    q = [x * x / sum(y * y for y in s) for x in s]
    p = [x / sum(s) for x in s]
    return {
        "stable": 1 / max(q),
        "participation": 1 / sum(x * x for x in q),
        "erank2": np.exp(-sum(x * np.log(x) for x in q if x > 0)),
        "erank1": np.exp(-sum(x * np.log(x) for x in p if x > 0)),
    }[kind]


# hand values


@pytest.mark.parametrize(
    ("sigma", "stable", "participation", "erank2", "erank1", "rank"),
    [
        ((2, 1, 1), 3 / 2, 2, 6 / 2 ** (4 / 3), 2 * np.sqrt(2), 3),
        ((3, 1), 10 / 9, 50 / 41, 10 / 9 ** (9 / 10), 4 / 3 ** (3 / 4), 2),
        ((4, 2, 1, 1), 1.375, 22**2 / 274, None, None, 4),
    ],
)
def test_T6_1_hand_values(sigma, stable, participation, erank2, erank1, rank):
    for report in (rank_summary(np.diag(np.array(sigma, dtype=float))), rank_summary_of(sigma)):
        assert report.stable == pytest.approx(stable, abs=1e-14)
        assert report.participation == pytest.approx(participation, abs=1e-14)
        if erank2 is not None:
            assert report.erank2 == pytest.approx(erank2, abs=1e-14)
            assert report.erank1 == pytest.approx(erank1, abs=1e-14)
        assert report.rank == rank and report.reasons == {}


def test_T6_1_printed_digits():
    digits = {(2, 1, 1): (1.5, 2, 2.3811, 2.8284), (3, 1): (1.1111, 1.2195, 1.3841, 1.7548)}
    digits[4, 2, 1, 1] = (1.375, 1.7664, 2.2763, 3.3636)
    for sigma, values in digits.items():
        assert [round(effective_rank_of(sigma, kind=kind), 4) for kind in KINDS] == list(values)


def test_T6_2_a_row_shift_swamps_the_rank_of_S_but_not_of_SJ():
    S, shifted = np.eye(3), np.eye(3) + 100
    assert effective_rank(S) == pytest.approx(3, abs=1e-14)
    assert effective_rank(shifted) == pytest.approx(1.045, abs=5e-4)
    for M in (S, shifted):
        assert effective_rank(M, centre="rows") == pytest.approx(2, abs=1e-12)
        assert rank_summary(M, centre="rows").rank == 2


def test_T6_3_softmax_raises_the_rank():
    S = np.log(2) * np.outer([0, 1, 2], [0, 1, 2])
    A = softmax(S)
    assert np.allclose(A, np.array([[1, 1, 1], [1, 2, 4], [1, 4, 16]]) / np.array([[3], [7], [21]]), atol=1e-15)
    assert np.linalg.det(A) == pytest.approx(2 / 147, abs=1e-15)
    assert (rank_summary(S).rank, rank_summary(A).rank) == (1, 3)


def test_T6_4_softmax_lowers_the_rank():
    S = np.array([[1.0, 0], [2, 1]])
    assert (rank_summary(S).rank, rank_summary(softmax(S)).rank) == (2, 1)
    assert effective_rank(softmax(S)) == pytest.approx(1, abs=1e-7)
    assert rank_summary(softmax(S), centre="columns").stable is None, "JA = 0: the rows are equal"


def test_T6_5_the_noise_floor():
    sigma = [1.0] + [1e-3] * 1000
    assert effective_rank_of(sigma) == pytest.approx(np.sqrt(4000), rel=1e-12)
    assert effective_rank_of(sigma, kind="erank2") == pytest.approx(1.015, abs=5e-4)
    assert effective_rank_of(sigma, kind="participation") == pytest.approx(1.002, abs=5e-4)


@pytest.mark.parametrize(
    ("A", "expected"),
    [
        (np.eye(3), 3),
        (np.full((3, 3), 1 / 3), 1),
        (np.roll(np.eye(3), 1, axis=1), 3),
        (np.array([[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]]), 2.6686),
        (np.kron(np.eye(2), np.full((2, 2), 0.5)), 2),
    ],
    ids=["identity", "uniform", "cyclic shift", "causal", "two blocks"],
)
@pytest.mark.parametrize("form", ["numpy", "torch", "list"])
def test_closed_form_oracles(A, expected, form):
    if form == "torch":
        value = effective_rank(pytest.importorskip("torch").tensor(A, requires_grad=True))
    else:
        value = effective_rank(A.tolist() if form == "list" else A)
    assert value == pytest.approx(expected, abs=5e-5)
    assert np.allclose(effective_rank(np.stack([A, A])), expected, atol=5e-5)


def test_closed_form_causal_singular_values():
    A = [[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]]
    assert np.allclose(singular_values(A), [1.1828, 0.5959, 0.3547], atol=5e-5)


# laws


@given(spectra)
def test_L6_1_the_chain(sigma):
    report = rank_summary_of(sigma, tolerance=0)
    chain = [1, *(getattr(report, kind) for kind in KINDS), report.rank]
    assert all(a <= b * (1 + 1e-12) for a, b in zip(chain, chain[1:])), chain
    for kind in KINDS:
        assert getattr(report, kind) == pytest.approx(by_definition(sigma, kind), rel=1e-10)
    assert report.rank == (sigma > 0).sum()


@given(seeds, st.integers(1, 6), st.integers(1, 6))
def test_L6_1_the_chain_on_matrices_and_what_it_is_invariant_under(seed, m, n):
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((m, n)) * 10.0 ** rng.integers(-3, 3, n)
    report = rank_summary(M, tolerance=0)
    values = [getattr(report, kind) for kind in KINDS]
    assert np.all(np.diff([1, *values, report.rank]) >= -1e-9)
    U, V = (np.linalg.qr(rng.standard_normal((k, k)))[0] for k in (m, n))
    for same in (1e-5 * M, -3e7 * M, M.T, U @ M @ V):
        assert np.allclose([effective_rank(same, kind=kind) for kind in KINDS], values, rtol=1e-8)


def test_what_it_is_not_invariant_under(rng):
    W_Q, W_K = rng.standard_normal((2, 8, 3))
    gauged_Q, gauged_K = bilinear.random_gauge(W_Q, W_K, rng=1)
    assert abs(effective_rank(gauged_Q) - effective_rank(W_Q)) > 0.1, "G2: W_Q alone is gauge noise"
    one, other = (bilinear.singular_values(*pair) for pair in ((W_Q, W_K), (gauged_Q, gauged_K)))
    assert effective_rank_of(one) == pytest.approx(effective_rank_of(other), rel=1e-9)
    assert effective_rank_of(one) == pytest.approx(effective_rank(W_Q @ W_K.T), rel=1e-9)
    T = rng.standard_normal((8, 8))
    assert abs(effective_rank(T @ W_Q @ W_K.T @ T.T) - effective_rank_of(one)) > 0.01, "G5 in general"
    assert abs(effective_rank(W_Q, centre="columns") - effective_rank(W_Q)) > 0.001


@given(seeds, st.integers(2, 9))
def test_L5_1_a_causal_softmax_has_full_rank(seed, n):
    A = softmax(np.random.default_rng(seed).standard_normal((n, n)), mask=causal_mask(n))
    assert rank_summary(A).rank == n


def test_row_shifts_leave_the_centred_scores_alone(rng):
    S = rng.standard_normal((6, 6))
    shifted = S + 10 * rng.standard_normal((6, 1))
    for centre in ("rows", "both"):
        assert effective_rank(shifted, centre=centre) == pytest.approx(effective_rank(S, centre=centre), rel=1e-10)


# centring


def test_centring_is_multiplication_by_J(rng):
    M = rng.standard_normal((3, 4, 5))
    J = [np.eye(n) - 1 / n for n in (4, 5)]
    for centre, expected in {None: M, "rows": M @ J[1], "columns": J[0] @ M, "both": J[0] @ M @ J[1]}.items():
        assert np.allclose(centred(M, centre), expected, atol=1e-14)
        assert np.allclose(singular_values(M, centre=centre), np.linalg.svd(expected)[1], atol=1e-13)


@pytest.mark.parametrize("centre", ["rows", "columns", "both"])
def test_what_centring_leaves_of_a_constant_matrix_is_zero_and_not_dust(centre):
    M = np.full((7, 3), 0.1)
    assert (centred(M, centre) == 0).all()
    report = rank_summary(M, centre=centre)
    assert report.erank1 is None and report.rank == 0


@pytest.mark.parametrize("centre", ["rows", "columns", "both"])
def test_dust_follows_the_precision_of_the_input_and_a_small_signal_is_none(centre):
    z = (np.random.default_rng(0).standard_normal((6, 6)) * 1e-7).astype(np.float32) + np.float32(1)
    assert np.isnan(effective_rank(z, centre=centre)) and rank_summary(z, centre=centre).erank1 is None
    assert effective_rank(z.astype(np.float64), centre=centre) > 1, "said to be exact, so it is taken as such"
    signal = np.random.default_rng(0).standard_normal((6, 6))
    faint = effective_rank(1 + 1e-10 * signal, centre=centre)
    assert faint == pytest.approx(effective_rank(signal, centre=centre), rel=1e-4)


def test_half_precision_of_many_tokens_is_no_dust():
    torch = pytest.importorskip("torch")
    M = torch.tensor(np.random.default_rng(0).standard_normal((200, 200))).bfloat16()
    for centre in (None, "rows", "both"):
        assert effective_rank(M, centre=centre) == pytest.approx(effective_rank(M.double(), centre=centre))
    M = np.eye(3)
    assert not np.shares_memory(centred(M, None), M)


# undefined, batches, precision, refusals


def test_F16_a_zero_matrix_has_rank_zero_and_no_effective_rank():
    report = rank_summary(np.zeros((3, 2)))
    assert all(getattr(report, kind) is None and "zero" in report.reasons[kind] for kind in KINDS)
    assert report.rank == 0 and np.isnan(effective_rank(np.zeros((3, 2)))) and np.isnan(effective_rank_of([0, 0]))
    batch = rank_summary(np.stack([np.eye(2), np.zeros((2, 2))]))
    assert np.array_equal(batch.erank1, [2, np.nan], equal_nan=True) and batch.rank.tolist() == [2, 0]
    assert batch.reasons["erank1"].endswith("(1 of 2, first at (1,))")


def test_F5_one_token_has_effective_rank_one():
    assert effective_rank([[1.0]]) == 1 and rank_summary([[1.0]]).rank == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("centre", [None, "rows", "columns", "both"])
def test_a_batch_equals_its_loop(rng, kind, centre):
    M = rng.standard_normal((2, 3, 5, 4))
    batch, report = effective_rank(M, kind=kind, centre=centre), rank_summary(M, centre=centre)
    assert np.allclose(getattr(report, kind), batch, rtol=1e-13)
    for index in np.ndindex(2, 3):
        assert batch[index] == pytest.approx(effective_rank(M[index], kind=kind, centre=centre), rel=1e-12)
        assert report.rank[index] == rank_summary(M[index], centre=centre).rank
    assert effective_rank(M[:0], kind=kind).shape == (0, 3)


def test_the_numerical_rank_knows_the_precision_of_its_input(rng):
    low = (rng.standard_normal((30, 4)) @ rng.standard_normal((4, 30))).astype(np.float32)
    assert rank_summary(low).rank == 4 and rank_summary(low).tolerance == 30 * 2.0**-23
    assert rank_summary(low.astype(np.float64)).rank == 30, "the rounding of float32 is rank, once it is called float64"
    assert rank_summary(low.astype(np.float64), tolerance=1e-5).rank == 4
    exact = rng.standard_normal((30, 4)) @ rng.standard_normal((4, 30))
    assert rank_summary(exact).rank == 4 == np.linalg.matrix_rank(exact)
    assert rank_summary(exact + 1e6, centre="both").rank == 4, "dust of the mean that was taken off is no rank"


@pytest.mark.parametrize("size", [1e-250, 1e250])
def test_no_square_overflows(size):
    assert effective_rank_of([2 * size, size, size], kind="participation") == pytest.approx(2, rel=1e-12)
    assert effective_rank(np.diag([2, 1, 1]) * size, kind="erank2") == pytest.approx(2.3811, abs=5e-5)
    assert rank_summary(np.diag([2, 1, 1, 0]) * size).rank == 3


def test_lower_precision_agrees_and_the_input_is_unchanged(rng):
    M = rng.standard_normal((4, 5, 5))
    low = M.astype(np.float32)
    low.setflags(write=False)
    before = low.tobytes()
    for kind in KINDS:
        assert np.allclose(
            effective_rank(low, kind=kind, centre="both"), effective_rank(M, kind=kind, centre="both"), atol=1e-5
        )
    assert low.tobytes() == before


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: effective_rank(np.eye(2), kind="erank"), "kind must be one of"),
        (lambda: effective_rank(np.eye(2), centre="row"), "centre must be"),
        (lambda: effective_rank([[1, np.nan]]), "NaN at index"),
        (lambda: effective_rank([[1, np.inf]]), "inf at index"),
        (lambda: effective_rank(np.empty((0, 3))), "at least one"),
        (lambda: effective_rank([1.0, 2.0]), "at least 2 dimensions"),
        (lambda: effective_rank_of([1, -1]), "not negative"),
        (lambda: effective_rank_of([]), "at least one"),
        (lambda: rank_summary_of([]), "at least one"),
        (lambda: rank_summary(np.eye(2), tolerance=-1), "tolerance"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_python_threads_give_the_same_numbers(rng):
    M = rng.standard_normal((8, 40, 40))
    serial, parallel = effective_rank(M), np.empty(8)
    workers = [
        threading.Thread(target=lambda i=i: parallel.__setitem__(slice(i, None, 2), effective_rank(M[i::2])))
        for i in (0, 1)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert np.array_equal(serial, parallel)
