"""The laws behind the exercises: a right answer holds, a wrong one meets a witness, none at all gets a hint."""

import numpy as np
import pytest

from attention_geometry.exercises import check

RNG = np.random.default_rng(0)
COLUMN, HALF, SKEW = np.array([[2.0], [1]]), np.array([[4.0], [2]]), np.array([[0.5], [1]])
SPACE3, SPACE5 = RNG.normal(size=(2, 3, 2)), RNG.normal(size=(2, 5, 2))


def thin(W_Q, W_K):
    core = W_K.T @ W_Q
    return (np.trace((W_Q.T @ W_Q) @ (W_K.T @ W_K)) - np.trace(core @ core)) / 2


def stable(s):
    e = np.exp(s - s.max())
    return e / e.sum()


def lift_to_one(Q, K):
    gap = np.sqrt((K**2).sum(axis=1).max() - (K**2).sum(axis=1))
    return np.c_[Q, np.ones(len(Q))], np.c_[K, 1 + gap]


def lift_to_zero(Q, K):
    return np.c_[Q, np.ones(len(Q))], np.c_[K, np.sqrt((K**2).sum(axis=1).max() - (K**2).sum(axis=1))]


def behind(A, constant=100.0):
    D = np.tril(constant - np.log(np.where(A > 0, A, 1)), -1)
    return D + D.T


def closed(C):
    D = C - np.diag(np.diag(C))
    for _ in D:
        D = np.minimum(D, (D[:, :, None] + D).min(axis=1))
    return D


def one_round(C):
    D = C - np.diag(np.diag(C))
    return np.minimum(D, (D[:, :, None] + D).min(axis=1))


R4 = (1 + np.sqrt(13)) / 2
FLAT = np.array([[1, R4, 1, 1], [1, 1, R4, 1], [1] * 4, [1] * 4])


def reversible(A):
    N = np.log(A) - np.log(A).T
    J = np.eye(len(A)) - 1 / len(A)
    return bool(abs(J @ N @ J).max() < 1e-9)


FLOW = np.array([[0.4, 0.3, 0.3], [0.3, 1.0, 0.7], [0.3, 0.7, 2.0]])
BENT = np.exp(-np.array([[0, 1, 9], [1, 0, 1], [9, 1, 0]]) / 2)
RISING = np.zeros((5, 5))
for rank, pair in enumerate([(0, 2), (2, 4), (4, 1), (1, 3)], start=1):
    RISING[pair] = RISING[pair[::-1]] = rank


def balanced(A, ring):
    """Whether going around one ring equals going back."""
    L = np.log(A)
    back = np.roll(ring, -1)
    return bool(np.isclose(L[ring, back].sum(), L[back, ring].sum()))


def neighbours(A):
    return all(balanced(A, [i, i + 1, i + 2]) for i in range(len(A) - 2))


def two_rounds(C):
    return one_round(one_round(C))


def naive(s):
    with np.errstate(all="ignore"):
        return np.exp(s) / np.exp(s).sum()


CASES = {
    "ch1-order": ([[0.5, 0], [0, 1]], [[1, 0], [0, 1]]),
    "ch1-symmetric": ((COLUMN, HALF), (COLUMN, SKEW)),
    "ch1-share": (5 / 8, 0.5),
    "ch1-signature": (tuple(SPACE3), tuple(SPACE5)),
    "ch1-gauge": (np.diag([0.05, 1]), np.diag([2, 1])),
    "ch1-thin": (thin, lambda q, k: 1.0),
    "ch2-variance": (64, 24),
    "ch2-scale": (([[1] * 3, [1] * 3, [-1] * 3, [-1] * 3], [[1] * 3, [-1] * 3] * 2), ([[1] * 3, [-1] * 3],) * 2),
    "ch2-three": (([1.0, 0.5], [[6, 0], [0.2, 0.1], [1, 0.4]]), ([1.0, 0], [[1, 0], [3, 4], [0, 1]])),
    "ch2-gauge": (np.diag([np.sqrt(3), 100]), np.eye(2)),
    "ch2-angle": ([[1, 0], [0.5, np.sqrt(3) / 2], [-0.5, np.sqrt(3) / 2]], [[1, 0], [1, 1], [0, 1]]),
    "ch2-lift": (lift_to_one, lift_to_zero),
    "ch4-only-triangle": ([[0, 1, 3], [1, 0, 1], [3, 1, 0]], [[0, 1, 2], [1, 0, 1], [2, 1, 0]]),
    "ch4-weights": (np.array([[0.5, 0.45, 0.05], [0.45, 0.1, 0.45], [0.05, 0.45, 0.5]]), np.ones((3, 3)) / 3),
    "ch4-flat": (FLAT / FLAT.sum(axis=1, keepdims=True), np.ones((4, 4)) / 4),
    "ch4-power": ([[0, 1, 2], [1, 0, 1], [2, 1, 0]], 1 - np.eye(3)),
    "ch4-causal": (behind, lambda A: behind(A, 0.0)),
    "ch4-closure": (closed, one_round),
    "ch5-shares": ([[0, 3, 0], [0] * 3, [0] * 3], np.eye(3)),
    "ch5-circulating": ([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    "ch5-reversible": (FLOW / FLOW.sum(axis=1, keepdims=True), np.ones((3, 3)) / 3),
    "ch5-interval": (BENT / BENT.sum(axis=1, keepdims=True), np.ones((3, 3)) / 3),
    "ch5-ring": (RISING, RISING[::-1, ::-1]),
    "ch5-cycle": (reversible, lambda A: bool(np.allclose(A, A.T))),
    "ch3-scores": (np.log([1, 2, 4, 8]) + 5, [0, 1, 2, 3]),
    "ch3-temperature": (2, 0.5),
    "ch3-shift": ((np.eye(2), np.eye(2) + [[1], [2]]), (np.eye(2), np.eye(2) + 1)),
    "ch3-keys": ([[0.5, 0.5] + [0] * 6, [0.5] + [0.5 / 7] * 7], [[1 / 8] * 8] * 2),
    "ch3-residual": ((np.eye(2), [0.5, 0.5], 0), ([[1, 0], [0, 1], [-1, -1]], [1, 1, 1], 0)),
    "ch3-softmax": (stable, naive),
}


@pytest.mark.parametrize("label", CASES)
def test_right_wrong_and_missing_answers(label):
    right, wrong = CASES[label]
    assert check(label, right), check(label, right)
    verdict = check(label, wrong)
    assert not verdict and verdict.witness is not None
    assert check(label, ...).holds is None and check(label, ...).hint


@pytest.mark.parametrize("label", CASES)
def test_nonsense_is_refused_and_never_crashes(label):
    for nonsense in ("text", np.nan, [], [[np.nan]], lambda *_: "text", {}):
        assert not check(label, nonsense)


def test_the_sum_inside_the_hull_is_found_inside():
    assert not check("ch3-residual", ([[1, 0], [-1, 0], [0, 2], [0.0, 0.1]], [0.25] * 4, 3))


@pytest.mark.parametrize(
    ("label", "answer"),
    [
        ("ch1-symmetric", ([[1, 2]], [[2, 1]])),  # 1 × 2: the form is a number
        ("ch1-symmetric", ([[2], [0]], [[0.5], [0]])),  # the example of the text
        ("ch3-residual", (np.eye(2), [0.5, 0.5], -1)),
        ("ch3-residual", (np.eye(2), [0.5, 0.5], 0.9)),
        ("ch4-closure", two_rounds),
        ("ch5-cycle", neighbours),
        ("ch5-cycle", lambda A: balanced(A, list(range(min(3, len(A)))))),
        ("ch5-cycle", lambda A: balanced(A, list(range(len(A))))),
    ],
)
def test_answers_that_only_look_right(label, answer):
    assert not check(label, answer)


@pytest.mark.parametrize(
    ("label", "answer"),
    [
        ("ch1-gauge", np.diag([1, 1e13])),
        ("ch3-shift", (np.eye(2) + [[1], [2]], np.eye(2))),  # the symmetric one may stand second
        ("ch3-scores", [0, 0.6931, 1.3863, 2.0794]),
        ("ch3-residual", ([[3.0, 4.0]], [1], 0)),
    ],
)
def test_right_answers_of_another_form(label, answer):
    assert check(label, answer)


@pytest.mark.parametrize(
    ("label", "answer", "said"),
    [
        ("ch1-gauge", np.diag([0.0, 1]), "M is an invertible 2 × 2 matrix"),
        ("ch2-three", ([1.0, 0], [[1, 0], [3, 4]]), "the shapes are (2,) and (2, 2)"),
        ("ch2-variance", 24, "too small"),
        ("ch3-softmax", naive, "they are [nan nan nan]"),
        ("ch4-power", [[0, 1, 3], [1, 0, 1], [3, 1, 0]], "triangle "),
        ("ch4-causal", lambda A: behind(A, 2.0), "triangle "),
    ],
)
def test_a_wrong_answer_is_told_what_is_wrong(label, answer, said):
    assert said in repr(check(label, answer))


def test_outside_is_found_exactly(rng):
    from scipy.spatial import Delaunay

    from attention_geometry.laws.ch3 import _outside

    for _ in range(300):
        V, point = rng.normal(size=(6, 2)), rng.normal(size=2)
        assert _outside(point, V) == (Delaunay(V).find_simplex(point) < 0)
