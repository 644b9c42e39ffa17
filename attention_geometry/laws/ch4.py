"""Laws of the exercises of chapter 4, not a metric."""

import numpy as np

from .. import axioms
from .._inputs import as_array
from ..exercises import check_function, check_value, exercise

OTHERS = ("non_negative", "zero_diagonal", "separation", "symmetry")


@exercise("ch4-only-triangle", hint="Two short sides and one that is longer than both together.")
def _(answer):
    "A 3 × 3 table that breaks the triangle inequality and obeys the four other rules."
    laws = {
        f"{axiom.replace('_', ' ')}: {axioms.AXIOMS[axiom]}": lambda D, axiom=axiom: _verdict(D, axiom, True)
        for axiom in OTHERS
    }
    laws["the triangle inequality is broken"] = lambda D: _verdict(D, "triangle", False)
    return check_value(answer, laws, shape=(3, 3))


@exercise("ch4-weights", hint="Two tokens that both look mostly at a third, and hardly at each other.")
def _(answer):
    "A symmetric 3 × 3 matrix of weights whose −log breaks the triangle inequality."
    laws = {
        "all weights are positive": lambda A: (A > 0).all(),
        "every row sums to 1": lambda A: np.allclose(A.sum(axis=1), 1),
        "A is symmetric": lambda A: np.allclose(A, A.T),
        "−log A breaks the triangle inequality": lambda A: _verdict(-np.log(A), "triangle", False),
    }
    return check_value(answer, laws, shape=(3, 3))


@exercise(
    "ch4-flat", hint="Follow the proof: row i has its largest weight on j and its smallest on k, row j favours k."
)
def _(answer):
    "A matrix of weights of four tokens, at the edge of what passes the triangle test for free."

    def gap(A):
        return axioms.triangle_report(-np.log(A)).worst_gap

    def flat(A):
        ratio = (A.max(axis=1) / A.min(axis=1)).max()
        return bool(2.29 < ratio < 2.35) or f"the largest ratio is {ratio:.4g}"

    laws = {
        "all weights are positive": lambda A: (A > 0).all(),
        "every row sums to 1": lambda A: np.allclose(A.sum(axis=1), 1),
        "the largest ratio of two weights of a row is between 2.29 and 2.35": flat,
        "no triangle is broken by more than 0.000001": lambda A: gap(A) < 1e-6 or f"one is broken by {gap(A):.3g}",
        "some triangle is equality up to 0.000001": lambda A: gap(A) > -1e-6 or f"the nearest misses by {-gap(A):.3g}",
    }
    return check_value(answer, laws, shape=(4, 4))


@exercise("ch4-power", hint="Three points on a line.")
def _(answer):
    "A metric on three tokens whose square breaks the triangle inequality."
    laws = {
        "d is a metric": _metric,
        "its square breaks the triangle inequality": lambda D: _verdict(D**2, "triangle", False),
    }
    return check_value(answer, laws, shape=(3, 3))


@exercise("ch4-causal", hint="−log A below the diagonal, mirrored, plus one constant. How large must the constant be?")
def _(answer):
    "A metric with the ratios of the weights of every row, for four causal matrices."
    rng = np.random.default_rng(0)
    cases = [(np.array([[1, 0, 0], [0.5, 0.5, 0], [0.02, 0.49, 0.49]]),)]
    for n, spread in [(3, 1.0), (5, 3.0), (8, 6.0)]:
        weights = np.tril(np.exp(spread * rng.normal(size=(n, n))))
        cases.append((weights / weights.sum(axis=1, keepdims=True),))

    def ratios(D, A):
        for i in range(2, len(A)):
            off = np.log(A[i, :i]) + np.asarray(D)[i, :i]
            if not np.allclose(off, off[0], atol=1e-8):
                return f"in row {i} the ratios of exp(−d) are not those of the weights"
        return True

    laws = {
        "it is a table of the size of A": lambda D, A: np.shape(D) == A.shape,
        "it is a metric": lambda D, A: _metric(D),
        "every row has the ratios of A": ratios,
    }
    return check_function(answer, cases, laws)


@exercise("ch4-closure", hint="After one round, ways of two steps are allowed. After two rounds, of how many?")
def _(answer):
    "The least cost of every way, for four tables of costs."
    rng = np.random.default_rng(1)
    chains = [np.where(np.eye(n, k=1) == 1, 1.0, 9.0) for n in (4, 6)]  # too long for one round, for two rounds
    cases = [(C,) for C in (rng.exponential(size=(2, 2)), *chains, rng.exponential(size=(7, 7)))]

    def least(D, C):
        best = C.copy()
        np.fill_diagonal(best, 0)
        for k in range(len(C)):
            best = np.minimum(best, best[:, k : k + 1] + best[k])
        wrong = np.argwhere(~np.isclose(as_array(D, "the answer", ndim=2), best))
        return not len(wrong) or f"the entry {tuple(wrong[0].tolist())} is not the least cost"

    laws = {
        "it is a table of the size of C": lambda D, C: np.shape(D) == C.shape,
        "the diagonal is zero": lambda D, C: (np.diag(D) == 0).all(),
        "no entry exceeds the direct cost": lambda D, C: (D <= C + 1e-12).all(),
        "every entry is the least cost of a way": least,
    }
    return check_function(answer, cases, laws)


def _verdict(D, axiom, wanted):
    verdict = getattr(axioms.check_axioms(D), axiom)
    return verdict.holds is wanted or verdict.sentence


def _metric(D):
    report = axioms.check_axioms(as_array(D, "the table", ndim=2))
    broken = [axiom for axiom in axioms.AXIOMS if not getattr(report, axiom).holds]
    return not broken or f"{broken[0].replace('_', ' ')} {getattr(report, broken[0]).sentence}"
