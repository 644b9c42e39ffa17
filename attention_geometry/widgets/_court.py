"""The arithmetic of `MetricCourt` beside `axioms`: ways to force an axiom on a dissimilarity, and what each destroys.

Mirrored in ``js/axioms.js``; both are held to ``tests/fixtures/axioms.json``. No widget library is needed here.
"""

import dataclasses

import numpy as np

from .._inputs import as_square
from .._text import Report
from ..axioms import metric_closure, triangle_report

__all__ = ["REPAIRS", "Damage", "damage", "form_keys", "form_scores", "repaired", "shift_of"]


@dataclasses.dataclass(frozen=True, repr=False)
class Damage(Report):
    """What one repair destroyed: see `repaired`."""

    repair: str
    possible: bool
    changed: int
    largest: float
    comparisons: int
    lost: int
    shift: float | None


def repaired(D, names):
    """The matrix after some repairs in turn, and what each destroyed.

    Parameters
    ----------
    D : array_like, shape (n, n)
        Finite, or ∞ for "no way there".
    names : sequence of str
        Keys of ``REPAIRS``: ``"symmetrise"`` (the mean of both directions), ``"zero diagonal"``, ``"shift"`` (the least
        constant off the diagonal that leaves nothing negative and no triangle broken), ``"closure"`` (shortest paths).

    Returns
    -------
    ndarray, shape (n, n)
    list of Damage
        For each repair whether it was ``possible`` (a closure needs entries ≥ 0), how many entries it ``changed`` and
        by how much at most, and how many of the strict ``comparisons`` between two entries off the diagonal are
        ``lost``: they became ties or turned round. A difference counts beyond 8 ε max abs(D).

    Raises
    ------
    ValueError
        If D is not one square matrix, or a name is not a repair.

    Notes
    -----
    A repaired matrix obeys an axiom because it was made to: that it does so is no finding. What can be found is how
    far it had to be moved.

    Examples
    --------
    >>> D, steps = repaired([[0, 2, 5], [2, 0, 1], [5, 1, 0]], ["closure"])
    >>> D.tolist()
    [[0.0, 2.0, 3.0], [2.0, 0.0, 1.0], [3.0, 1.0, 0.0]]
    >>> steps[0].changed, steps[0].largest, steps[0].lost, steps[0].comparisons
    (2, 2.0, 0, 12)
    """
    D, steps = as_square(D, "D", ndim=2, plus_inf=True), []
    for name in names:
        if name not in REPAIRS:
            raise ValueError(f"{name!r} is not a repair; there are: {', '.join(REPAIRS)}")
        after = REPAIRS[name](D)
        shift = shift_of(D) if name == "shift" else None
        steps.append(Damage(name, after is not None, *damage(D, D if after is None else after), shift))
        D = D if after is None else after
    return D, steps


def form_scores(X, B):
    """Scores x_i B x_jᵀ of points, entry by entry in the order of the page: a tie there is a tie here."""
    X, B = np.asarray(X, dtype=float), np.asarray(B, dtype=float)
    Q = X[:, :1] * B[0] + X[:, 1:] * B[1]
    return Q[:, :1] * X[:, 0] + Q[:, 1:] * X[:, 1]


def form_keys(X, B):
    """Keys x_j Bᵀ, whose product with the query x_i is the score x_i B x_jᵀ."""
    X, B = np.asarray(X, dtype=float), np.asarray(B, dtype=float)
    return X[:, :1] * B[:, 0] + X[:, 1:] * B[:, 1]


def damage(before, after):
    """How many entries changed, by how much at most, and how many comparisons there were and are lost."""
    same = before == after
    with np.errstate(invalid="ignore"):
        change = np.where(same, 0.0, np.abs(after - before))
    (old, t), (now, u) = ((D[_off(D)], 8 * np.finfo(float).eps * _largest(D)) for D in (before, after))
    with np.errstate(invalid="ignore"):
        strict, kept = old[:, None] < old - t, now[:, None] < now - u
    return int((change > 0).sum()), float(change.max()), int(strict.sum()), int((strict & ~kept).sum())


def shift_of(D):
    """The least constant that leaves no entry off the diagonal negative and no triangle broken."""
    D = as_square(D, "D", ndim=2, plus_inf=True)
    worst, off = triangle_report(D).worst_gap, D[_off(D)]
    return float(max(0.0, 0.0 if worst is None else worst, *(-off[np.isfinite(off)])))


def _closure(D):
    return None if (D[_off(D)] < 0).any() else metric_closure(np.where(_off(D), D, 0.0))


def _off(D):
    return ~np.eye(len(D), dtype=bool)


def _largest(D):
    return np.abs(D).max(where=np.isfinite(D), initial=0.0)


#: How each repair makes its matrix; None where it is not possible.
REPAIRS = {
    "symmetrise": lambda D: (D + D.T) / 2,
    "zero diagonal": lambda D: np.where(_off(D), D, 0.0),
    "shift": lambda D: np.where(_off(D), D + shift_of(D), D),
    "closure": _closure,
}
