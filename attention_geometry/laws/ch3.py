"""Laws of the exercises of chapter 3, the mixture."""

import numpy as np

from .. import attention
from .._inputs import as_array
from ..exercises import Witness, check_function, check_value, exercise

ROW = np.array([0.0, np.log(2), np.log(4)])


@exercise("ch3-scores", hint="Shares are proportional to exponentials. Which numbers have exponentials 1, 2, 4, 8?")
def _(answer):
    "Four scores whose softmax is (1, 2, 4, 8)/15."
    goal = np.array([1, 2, 4, 8]) / 15
    return check_value(
        answer, {"ratios of shares are 1 : 2 : 4 : 8": lambda s: _close(attention.softmax(s), goal)}, shape=(4,)
    )


@exercise(
    "ch3-temperature",
    hint="Neighbours have the ratio 2 at T = 1. What does 1/T do to a difference of scores?",
)
def _(answer):
    "At this temperature the scores (0, ln 2, ln 4) give weights in the ratio 1 : √2 : 2."
    goal = np.array([1, np.sqrt(2), 2]) / (3 + np.sqrt(2))
    laws = {
        "T is positive": lambda T: T > 0,
        "each share is √2 times the one before": lambda T: _close(attention.softmax(ROW, temperature=float(T)), goal),
    }
    return check_value(answer, laws, shape=())


@exercise("ch3-shift", hint="One constant for the whole matrix is too little to ask: each row may have its own.")
def _(answer):
    "Two score matrices, one symmetric and one not, with the same weights and a difference that is not one constant."
    S, T = (as_array(M, "a score matrix", ndim=2) for M in answer)
    return check_value(
        (S, T),
        {
            "both are square and of the same size": lambda M: M[0].shape == M[1].shape == M[0].shape[::-1],
            "the weights agree": lambda M: _close(attention.softmax(M[0]), attention.softmax(M[1])),
            "the difference is not one constant": lambda M: np.ptp(M[1] - M[0]) > 1e-9,
            "exactly one of them is symmetric": lambda M: sum(bool(np.allclose(m, m.T)) for m in M) == 1,
        },
    )


@exercise(
    "ch3-keys",
    hint="The largest weight does not fix the count. Spread the rest thinly, or put it on one key.",
)
def _(answer):
    "Two rows over eight keys with the same largest weight, one using fewer than 2.1 keys and one more than 4."
    rows = as_array(answer, "the answer", ndim=2)
    if rows.shape != (2, 8):
        return Witness("two rows over eight keys", answer, detail=f"the shape is {rows.shape}")
    few, many = np.sort(attention.effective_keys(rows))
    return check_value(
        rows,
        {
            "the largest weights agree": lambda r: np.isclose(*r.max(axis=1)) or f"they are {r.max(axis=1).round(4)}",
            "one row uses fewer than 2.1 keys": lambda r: few < 2.1 or f"the smaller number is {few:.4g}",
            "the other uses more than 4": lambda r: many > 4 or f"the larger number is {many:.4g}",
        },
    )


@exercise("ch3-residual", hint="The hull of one value is a point. Of two values it is a segment.")
def _(answer):
    "Values V, weights a and a row x of V such that x + aV lies outside the hull of V."
    V, a, i = answer
    V, a = as_array(V, "V", ndim=2), as_array(a, "a", ndim=1)
    if V.shape[1] != 2 or i not in range(len(V)):
        law = "V has rows of two numbers, and i is 0 or one of the following row numbers"
        return Witness(law, answer, detail=f"V has the shape {V.shape}, and i is {i!r}")
    return check_value(
        answer,
        {
            "a has one share for each value, and they sum to 1": lambda _: (
                len(a) == len(V) and (a >= 0).all() and np.isclose(a.sum(), 1)
            ),
            "x + aV leaves the hull": lambda _: _outside(V[int(i)] + a @ V, V) or "it is inside",
        },
    )


@exercise(
    "ch3-softmax",
    hint="Before exponentiating, subtract from the row what changes no weight and makes every exponent ≤ 0.",
)
def _(answer):
    "Weights of ordinary rows, of a row with scores near 1000, and of a row shifted by a constant."
    cases = [(np.array(s, dtype=float),) for s in ([0, 1, 2], [1000, 1001, 999], [-1e5, 0.0], [3.0])]
    return check_function(
        answer,
        cases,
        {
            "all weights are finite": lambda w, s: bool(np.isfinite(w).all()) or f"they are {np.asarray(w)}",
            "they sum to 1": lambda w, s: np.isclose(np.sum(w), 1),
            "log ratios are differences of scores, down to the smallest number": lambda w, s: _ratios(w, s),
        },
    )


def _close(got, wanted):
    return bool(np.allclose(got, wanted, atol=1e-4)) or f"the weights are {np.round(got, 4)}"


def _ratios(w, s):
    keep = np.asarray(w) > 1e-300
    return bool(np.allclose(np.log(np.asarray(w)[keep]), (s - attention.log_sum_exp(s))[keep], atol=1e-9))


def _outside(point, V):
    """Whether a line separates the point from the hull: if any does, then one along or across a pair of values."""
    sides = (V[:, None] - V[None, :]).reshape(-1, 2)
    directions = np.vstack([sides, sides[:, ::-1] * [1, -1], sides[:, ::-1] * [-1, 1], point - V[:1]])
    return bool((directions @ point > (directions @ V.T).max(axis=1) + 1e-9).any())
