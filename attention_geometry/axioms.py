"""Candidate dissimilarities read off a head, which metric axioms they obey, and witnesses where they do not.

Vocabulary: a *metric* is non-negative, zero on the diagonal, separating (only there), symmetric, and obeys the triangle
inequality. A *pseudometric* need not separate, a *quasimetric* need not be symmetric, a *semimetric* need not obey the
triangle inequality. A *premetric* is non-negative and zero on the diagonal, no more; a *divergence* separates, too; a
*Lawvere metric* is a premetric with the triangle inequality. Other books use some of these words differently.
Indices count from 0; a dissimilarity of ∞ means "no way there".
"""

import dataclasses

import numpy as np

from attention_geometry._candidates import AXIOMS, CANDIDATES, DEFAULTS, Candidate, Threshold
from attention_geometry._inputs import (
    STOCHASTIC_TOLERANCE,
    as_number,
    as_square,
    as_unmasked_scores,
    epsilon,
    finite,
    precision,
)
from attention_geometry._text import Report, as_tokens, number, plain, settle, undefined, visible
from attention_geometry._triangles import min_plus_closure, triangles

__all__ = [
    "AXIOMS", "CANDIDATES", "DEFAULTS", "Candidate", "Threshold", "Verdict", "AxiomReport", "TriangleReport",
    "OrdinalReport", "check_axioms", "triangle_report", "metric_closure", "nearest_metric", "power_transform_exponent",
    "ordinal_test",
]  # fmt: skip


@dataclasses.dataclass(frozen=True, repr=False)
class Verdict(Report):
    """What one axiom came to: see `check_axioms`."""

    axiom: str
    holds: bool | None
    violations: int
    cases: int
    not_evaluable: int
    worst: float | None
    witness: tuple | None
    tokens: tuple | None
    reasons: dict

    @property
    def sentence(self):
        """The verdict in one line, with its witness."""
        word = {True: "holds in all", False: f"fails in {self.violations} of", None: "undefined:"}[self.holds]
        extreme, links, unit = _WORDS[self.axiom]
        parts = [f"{word} {self.cases} {unit}"]
        if self.worst is not None:
            names = [str(i) if t == str(i) else f"{visible(t, 20)} ({i})" for t, i in zip(self.tokens, self.witness)]
            parts.append(f"{extreme} {number(self.worst)} at " + "".join(a + b for a, b in zip(links, names)))
        if self.not_evaluable:
            parts.append(f"{self.not_evaluable} more not evaluable (∞ or NaN)")
        return "; ".join(parts + list(self.reasons.values()))


#: What is extreme in the worst case, how its witness is told, and what the cases are.
_WORDS = {
    "non_negative": ("smallest", ("", " → "), "entries"),
    "zero_diagonal": ("largest |d(i,i)|", ("",), "tokens"),
    "separation": ("smallest |d(i,j)|", ("", " → "), "ordered pairs"),
    "symmetry": ("largest difference", ("", " ↔ "), "pairs"),
    "triangle": ("largest d(i,k) − d(i,j) − d(j,k)", ("", " via ", " to "), "ordered triples"),
}


@dataclasses.dataclass(frozen=True, repr=False)
class AxiomReport(Report):
    """One verdict and one witness for each axiom: see `check_axioms`."""

    non_negative: Verdict
    zero_diagonal: Verdict
    separation: Verdict
    symmetry: Verdict
    triangle: Verdict
    worst_ratio: float | None
    tolerance: float
    threshold: str | None
    reasons: dict

    @property
    def kind(self):
        """The name of what obeys these axioms, as this book uses the words; None if the verdicts do not decide."""
        verdicts = [getattr(self, axiom).holds for axiom in AXIOMS]
        if None in verdicts:
            return None
        fits = (name for axioms, name in _KINDS if all(verdicts[a] for a in axioms))
        return next(fits, "none of the named kinds")

    def _rows(self):
        names = {axiom: axiom.replace("non_", "non-").replace("_", " ") for axiom in AXIOMS}
        rows = [(f"{names[axiom]}: {AXIOMS[axiom]}", getattr(self, axiom).sentence) for axiom in AXIOMS]
        rows += [("… for free?", self.threshold)] if self.threshold else []
        rows += [("… largest d(i,k) / (d(i,j) + d(j,k))", number(self.worst_ratio))]
        return [("kind", self.kind or number(None)), *rows, ("counts as zero", f"up to {number(self.tolerance)}")]


_KINDS = [
    ((0, 1, 2, 3, 4), "metric"),
    ((0, 1, 3, 4), "pseudometric"),
    ((0, 1, 2, 4), "quasimetric"),
    ((0, 1, 2, 3), "semimetric"),
    ((0, 1, 4), "Lawvere metric"),
    ((0, 1, 2), "divergence"),
    ((0, 1), "premetric"),
]


def check_axioms(D, tokens=None, *, tolerance=None, candidate=None):
    """Test the five axioms on every case, and hand back the worst case of each.

    Parameters
    ----------
    D : array_like, shape (n, n)
        One dissimilarity matrix, d(i,j) in row i and column j. ∞ and NaN are allowed; what they take part in is counted
        as not evaluable.
    tokens : sequence of n str, optional
        Names for the witnesses. A token's identity is its position, so doubles are fine.
    tolerance : float ≥ 0, optional
        How far from zero counts as zero. Default: 8 ε max abs(D), ε of the precision of the input. That is the rounding
        of D, not of what D was computed from: √D of tokens far from the origin is the root of a small difference of
        large scores, and needs a larger one.
    candidate : str or Candidate, optional
        Where D came from, so that the report can say which relations pass the triangle test for free.

    Returns
    -------
    AxiomReport
        For each axiom a `Verdict`: ``holds`` (None if nothing was evaluable), ``violations`` of ``cases``, the
        ``worst`` case (smallest entry, largest abs(d(i,i)), smallest abs(d(i,j)), largest difference, largest
        d(i,k) − d(i,j) − d(j,k)) and its ``witness`` by index and by token. ``kind`` names what D is.

    Raises
    ------
    ValueError
        If D is not one square matrix, holds −∞, or its finite entries are too large to be added.

    Notes
    -----
    One witness refutes an axiom. No number of passed cases is evidence of a geometry by itself: flat relations pass the
    triangle test for free (L4.2) and a power of any positive D passes it (`power_transform_exponent`). Choose D before
    seeing the data and report its rates beside a null. Invariant under permutations of the tokens and, with the default
    tolerance, under a positive factor on D; *not* under a constant or a power, which can buy the triangle.

    Examples
    --------
    >>> A = np.array([[1, 6, 1], [1, 1, 6], [6, 1, 1]]) / 8
    >>> report = check_axioms(-np.log(A), tokens=["the", "cat", "sat"], candidate="−log A")
    >>> report.triangle.witness, bool(np.isclose(report.triangle.worst, np.log(9 / 2)))
    ((0, 1, 2), True)
    >>> print(report.triangle.sentence)
    fails in 3 of 6 ordered triples; largest d(i,k) − d(i,j) − d(j,k) 1.504 at the (0) via cat (1) to sat (2)
    >>> print(report.threshold)
    the weights of a row differ by a factor of 6 at most; up to 2 (n = 3) any relation passes
    """
    rounding = 8 * epsilon(D)
    D = _dissimilarity(D)
    if D.ndim != 2:
        raise ValueError(f"D has shape {D.shape}; expected one (n, n) matrix: none of a batch is taken in silence")
    n = len(D)
    tokens = as_tokens(tokens, n)
    size = np.abs(D).max(where=np.isfinite(D), initial=0.0)
    tolerance = float(rounding * size) if tolerance is None else as_number(tolerance, "tolerance", low=0)
    diagonal, upper = np.eye(n, dtype=bool), np.triu(np.ones((n, n), dtype=bool), 1)
    with np.errstate(invalid="ignore"):
        skew = np.abs(D - D.T)
    pairs = {
        "non_negative": _verdict("non_negative", D, -D, -D > tolerance, diagonal | ~diagonal, tokens),
        "zero_diagonal": _verdict("zero_diagonal", abs(D), abs(D), abs(D) > tolerance, diagonal, tokens),
        "separation": _verdict("separation", abs(D), -abs(D), abs(D) <= tolerance, ~diagonal, tokens),
        "symmetry": _verdict("symmetry", skew, skew, skew > tolerance, upper, tokens),
    }
    found = triangle_report(D, tolerance=tolerance)
    holds = None if found.not_evaluable and not found.triples else found.violations == 0
    named = None if found.witness is None else tuple(tokens[i] for i in found.witness)
    reasons = {k: text for k, text in found.reasons.items() if k == "worst_gap"}
    counts = (found.violations, found.triples, found.not_evaluable)
    triple = Verdict("triangle", holds, *counts, found.worst_gap, found.witness, named, reasons)
    if isinstance(candidate, str):
        candidate = CANDIDATES[candidate]
    threshold = None if candidate is None else candidate.threshold(D).sentence
    reasons = {k: text for k, text in found.reasons.items() if k == "worst_ratio"}
    return AxiomReport(*pairs.values(), triple, found.worst_ratio, tolerance, threshold, reasons)


def _verdict(axiom, shown, badness, broken, cases, tokens):
    """A verdict on pairs; the worst case is the evaluable one of the largest badness."""
    evaluable = cases & np.isfinite(badness)
    count, left_out = int(evaluable.sum()), int((cases & ~evaluable).sum())
    if not count:
        why = "nothing to compare is finite" if left_out else "one token has no pairs, so nothing can break it"
        return Verdict(axiom, None if left_out else True, 0, 0, left_out, None, None, None, {"worst": why})
    at = np.unravel_index(np.where(evaluable, badness, -np.inf).argmax(), badness.shape)
    witness = tuple(int(i) for i in at)[: len(_WORDS[axiom][1])]
    violations = int((evaluable & broken).sum())
    named = tuple(tokens[i] for i in witness)
    return Verdict(axiom, violations == 0, violations, count, left_out, float(shown[at]), witness, named, {})


@dataclasses.dataclass(frozen=True, repr=False)
class TriangleReport(Report):
    """Counts and extremes over all ordered triples: see `triangle_report`."""

    triples: int | np.ndarray
    not_evaluable: int | np.ndarray
    violations: int | np.ndarray
    fraction: float | np.ndarray | None
    worst_gap: float | np.ndarray | None
    witness: tuple | np.ndarray | None
    worst_ratio: float | np.ndarray | None
    ratio_witness: tuple | np.ndarray | None
    tolerance: float | np.ndarray
    reasons: dict


def triangle_report(D, *, tolerance=None, solver="numpy"):
    """Every ordered triple of three different tokens: D_ik ≤ D_ij + D_jk?

    Parameters
    ----------
    D : array_like, shape (…, n, n)
        Dissimilarities; ∞ and NaN are allowed. The diagonal plays no part.
    tolerance : float ≥ 0, optional
        A triple is violated if D_ik − D_ij − D_jk exceeds this. Default: 8 ε max abs(D) of each matrix, ε of the
        precision of the input.
    solver : {"numpy", "numba"}
        ``"numba"`` (extra ``fast``) gives the same numbers, faster on hundreds of tokens, after a compilation that is
        stored beside the package.

    Returns
    -------
    TriangleReport
        ``triples`` with three finite sides, and how many are ``not_evaluable``; ``violations`` and their ``fraction``.
        ``worst_gap``, the largest D_ik − D_ij − D_jk (negative if all hold with room), in the units of D, and its
        ``witness`` (i, j, k): from i, through j, to k. ``worst_ratio``, the largest D_ik / (D_ij + D_jk), free of
        units: D is a b-metric with that constant; ∞ if both short sides are 0. Arrays for a batch, witnesses (…, 3).

    Raises
    ------
    ValueError
        If D is not square, holds −∞, or its finite entries are too large to be added.
    ImportError
        With ``solver="numba"`` and no numba.

    Notes
    -----
    Exact, in O(n²) memory and O(n³) time: rounded whole numbers decide most triples, float64 the rest. The fraction
    and the gap depend on any transform of D and drift with n: report them beside a null. Ratios need distances, so they
    are undefined where D has a negative entry off the diagonal.

    References
    ----------
    Brickell et al. 2008, *The Metric Nearness Problem*.

    Examples
    --------
    >>> report = triangle_report([[0, 1, 4], [1, 0, 1], [4, 1, 0]])
    >>> report.violations, report.triples, report.worst_gap, report.worst_ratio
    (2, 6, 2.0, 2.0)
    >>> print(triangle_report([[0, 1], [2, 0]]).reasons["worst_gap"])
    no three different tokens with finite dissimilarities
    """
    rounding = 8 * epsilon(D)
    D = _dissimilarity(D)
    batch, n = D.shape[:-2], D.shape[-1]
    allowed = rounding * np.abs(D).max((-2, -1), where=np.isfinite(D), initial=0.0)
    if tolerance is not None:
        allowed = np.full(batch, as_number(tolerance, "tolerance", low=0))
    found = [triangles(D[at], float(allowed[at]), solver) for at in np.ndindex(batch)]
    count, violations, gap, gap_at, ratio, ratio_at = zip(*found) if found else ((),) * 6
    count, violations, gap, ratio = (np.array(x).reshape(batch) for x in (count, violations, gap, ratio))
    with np.errstate(invalid="ignore"):
        fraction = violations / np.where(count, count, np.nan)
    nothing = (count == 0, "no three different tokens with finite dissimilarities")
    reasons = {key: text for f in ("fraction", "worst_gap", "witness") for key, text in undefined(f, nothing).items()}
    signed = (np.isnan(ratio), "a negative entry, or only zeros: sides without a ratio")
    for field in ("worst_ratio", "ratio_witness"):
        reasons |= undefined(field, nothing, signed)
    places = [_places(at, batch) for at in (gap_at, ratio_at)]
    left_out = n * (n - 1) * max(n - 2, 0) - count
    return TriangleReport(
        plain(count), plain(left_out), plain(violations), settle(fraction), settle(gap), places[0], settle(ratio),
        places[1], plain(allowed), reasons,
    )  # fmt: skip


def _places(triples, batch):
    """The triple of one matrix as a tuple (None if there is none), of a batch as an array with −1 for none."""
    if not batch:
        return triples[0] or None
    return np.array([at or (-1, -1, -1) for at in triples], dtype=int).reshape(*batch, 3)


def _dissimilarity(D):
    D = as_square(D, "D", nan_policy="propagate", plus_inf=True)
    known = np.isfinite(D)
    size = max(D.max(where=known, initial=0.0), -D.min(where=known, initial=0.0))
    if size > np.finfo(float).max / 4:  # asked first, because the next line makes tables of the size of D
        with np.errstate(over="ignore"):
            finite(np.where(known, 4 * D, 0.0), "a sum of entries of D")
    return D


def metric_closure(D):
    r"""The largest Lawvere metric below D: the least sum of D along any path from i to k.

    .. math:: \bar D_{ik} = \min_{i = j_0, j_1, \dots, j_m = k}\ \sum_l D_{j_{l-1} j_l}, \qquad \bar D_{ii} = 0

    Parameters
    ----------
    D : array_like, shape (…, n, n)
        Not negative; ∞ where there is no direct way. The diagonal is set to zero first.

    Returns
    -------
    ndarray, shape (…, n, n)
        D̄ ≤ D off the diagonal, with every triangle; symmetric if D is.

    Raises
    ------
    ValueError
        If D is not square, or has a NaN or a negative entry.

    Notes
    -----
    It always obeys the triangle inequality, so what can be found is D − D̄, never "it is a metric". For D = −log A it is
    the surprisal of the most probable path. It is the nearest metric if entries may only be decreased. A positive
    factor on D passes through; *not* invariant under a constant added to D or a power of it.

    References
    ----------
    Gilbert & Jain 2017, *If it ain't broke, don't fix it: Sparse metric repair*. Lawvere 1973, *Metric spaces,
    generalized logic, and closed categories*.

    Examples
    --------
    >>> metric_closure([[0, 1, 4], [1, 0, 1], [4, 1, 0]]).tolist()
    [[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]]
    """
    D = as_square(D, "D", plus_inf=True)
    if (D < 0).any():
        where = tuple(int(i) for i in np.argwhere(D < 0)[0])
        raise ValueError(f"D is {D[where]:.4g} at index {where}; a path could be shortened for ever")
    return min_plus_closure(D)


def nearest_metric(D):
    r"""The (pseudo)metric nearest to a symmetric D in the least-squares sense.

    .. math:: \min_M \sum_{i<j} (M_{ij} - D_{ij})^2 \quad\text{subject to}\quad M_{ik} \le M_{ij} + M_{jk}

    Parameters
    ----------
    D : array_like, shape (n, n)
        Symmetric, zero on the diagonal, n ≤ 20.

    Returns
    -------
    ndarray, shape (n, n)
        Accurate to about 1e-11 max abs(D).

    Raises
    ------
    ValueError
        If D is not finite and symmetric with zero diagonal, or n > 20 (the problem has n³/2 constraints).

    Notes
    -----
    The projection on a convex cone, so it is unique and continuous in D: the residual of a non-negative least-squares
    problem in the multipliers of the triangles. It moves entries both ways, unlike `metric_closure`; a lone broken
    triangle with gap g has each side moved by g/3. The triangles of n ≥ 3 tokens force M ≥ 0 by themselves. A positive
    factor on D passes through; *not* invariant under a constant added to D or a power of it.

    References
    ----------
    Brickell et al. 2008, *The Metric Nearness Problem*.

    Examples
    --------
    >>> nearest_metric([[0, 1, 3], [1, 0, 1], [3, 1, 0]]).round(4).tolist()
    [[0.0, 1.3333, 2.6667], [1.3333, 0.0, 1.3333], [2.6667, 1.3333, 0.0]]
    """
    from scipy.optimize import nnls

    D = as_square(D, "D", ndim=2)
    n = len(D)
    if n > 20:
        raise ValueError(f"D has {n} tokens; this exact solver takes at most 20. See metric_closure")
    if (D != D.T).any() or np.diagonal(D).any():
        raise ValueError("D is not symmetric with a zero diagonal; symmetrise it by a rule that you state")
    if n < 3:
        return np.maximum(D, 0.0)
    place = np.zeros((n, n), dtype=int)
    i, k = np.triu_indices(n, 1)
    place[i, k] = place[k, i] = np.arange(len(i))
    side, via = np.nonzero((np.arange(n) != i[:, None]) & (np.arange(n) != k[:, None]))
    broken = np.zeros((len(side), len(i)))  # one row for each M_ik − M_ij − M_jk ≤ 0
    rows = np.arange(len(side))
    broken[rows, side] = 1.0
    broken[rows, place[i[side], via]] = broken[rows, place[via, k[side]]] = -1.0
    size = np.abs(D).max() or 1.0
    # The last row asks for a gain of 1e-12 before a triangle counts: in a tie, nnls goes astray on gains of 1e-16.
    system, target = np.vstack([broken.T, np.full(len(side), 1e-6)]), np.append(D[i, k] / size, -1e-6)
    multipliers, _ = nnls(system, target)
    M = np.zeros((n, n))
    M[i, k] = M[k, i] = D[i, k] - size * (multipliers @ broken)
    return M


def power_transform_exponent(D):
    """The power that makes any positive D obey the triangle inequality: D^α does for every α up to it.

    α = ln 2 / ln(max D / min D), over i ≠ j.

    Parameters
    ----------
    D : array_like, shape (…, n, n)
        Positive off the diagonal, which plays no part.

    Returns
    -------
    float, or ndarray (…)
        ∞ if all entries agree; NaN for one token.

    Raises
    ------
    ValueError
        If D is not square, or not positive off the diagonal.

    Notes
    -----
    All entries of D^α lie within a factor of 2, so the largest is at most the sum of any two. That is why a transform
    must be fixed before seeing data. Larger powers may do as well. Free of the units of D.

    Examples
    --------
    >>> power_transform_exponent([[0, 1, 4], [1, 0, 1], [4, 1, 0]])
    0.5
    """
    D = as_square(D, "D")
    off = ~np.eye(D.shape[-1], dtype=bool)
    if (off & (D <= 0)).any():
        where = tuple(int(i) for i in np.argwhere(off & (D <= 0))[0])
        raise ValueError(f"D is {D[where]:.4g} at index {where}; expected positive numbers off the diagonal")
    if D.shape[-1] == 1:
        return plain(np.full(D.shape[:-2], np.nan))
    off = np.broadcast_to(off, D.shape)
    spread = np.log(D.max((-2, -1), where=off, initial=0.0)) - np.log(D.min((-2, -1), where=off, initial=np.inf))
    with np.errstate(divide="ignore"):
        return plain(np.log(2) / spread)


@dataclasses.dataclass(frozen=True, repr=False)
class OrdinalReport(Report):
    """Whether row rankings come from some metric: see `ordinal_test`."""

    consistent: bool | np.ndarray
    witness: tuple | None
    cyclic_triples: int | np.ndarray
    triples: int
    cyclic_share: float | np.ndarray | None
    chance: float
    self_first: float | np.ndarray
    reasons: dict


def ordinal_test(S):
    """Do the rankings of the rows come from *some* metric, whatever its values?

    Row i ranks the other tokens, nearest first. Each comparison s_ij > s_ik says that the pair {i, j} is nearer than
    the pair {i, k}. A metric with these rankings exists if and only if no chain of such comparisons is closed.

    Parameters
    ----------
    S : array_like, shape (…, n, n)
        Scores before the mask, log A, or positive weights A: only the order within each row matters. Equal entries
        of a row say that two pairs are equally near.

    Returns
    -------
    OrdinalReport
        ``consistent``: such a metric exists. ``witness``, for one matrix: a cycle of pairs, each nearer than (or
        once as near as) the next, the last nearer than the first. ``cyclic_triples`` of ``triples``: i prefers j to k,
        j prefers k to i, and k prefers i to j. ``chance``: the share for independent rankings, 1/4. ``self_first``: the
        share of rows whose own entry is the strict maximum, as a metric with d(i,i) = 0 would also need; by chance 1/n.

    Raises
    ------
    ValueError
        If S is not square or not finite, or is masked or causal (weights with a zero): there each pair of tokens is
        compared in one row only, and the test is vacuous.

    Notes
    -----
    Exact comparisons: rounding can break a tie. If the pairs can be ordered at all, then their ranks, raised by the
    largest rank, are a metric. The diagonal is left out. Every reversible A passes. Cycles of four pairs and more can
    exist without a cyclic triple. Invariant under row shifts and temperature, unlike any test of values.

    Examples
    --------
    >>> report = ordinal_test([[0, 2, 1], [1, 0, 2], [2, 1, 0]])
    >>> report.consistent, report.witness, report.cyclic_share
    (False, ((0, 1), (0, 2), (1, 2)), 1.0)
    """
    from attention_geometry._orders import cycle_of_pairs, cyclic_triples

    rounding = STOCHASTIC_TOLERANCE.get(precision(S), 1e-2)
    S = as_unmasked_scores(S)
    batch, n = S.shape[:-2], S.shape[-1]
    off = ~np.eye(n, dtype=bool)
    weights = ((S >= 0) & (S <= 1)).all((-2, -1)) & (np.abs(np.clip(S, 0, 1).sum(-1) - 1) <= rounding).all(-1)
    if (weights & ((S == 0) & off).any((-2, -1))).any():
        raise ValueError("S holds weights with zeros: masked pairs, for which the test is vacuous. Pass the scores")
    found = [(cyclic_triples(S[at]), cycle_of_pairs(S[at])) for at in np.ndindex(batch)]
    cyclic = np.array([count for (count, _), _ in found], dtype=int).reshape(batch)
    cycles = [triple or cycle for (_, triple), cycle in found]  # a cyclic triple is the shorter witness
    consistent = np.array([cycle is None for _, cycle in found], dtype=bool).reshape(batch)
    triples = n * (n - 1) * (n - 2) // 6
    share = cyclic / triples if triples else np.full(batch, np.nan)
    first = (np.diagonal(S, axis1=-2, axis2=-1) > S.max(-1, where=off, initial=-np.inf)).mean(-1)
    short = (np.full(batch, not triples), f"n = {n} tokens have no triple; every ranking comes from a metric")
    reasons = undefined("cyclic_share", short)
    if batch or cycles[0] is None:
        reasons["witness"] = "ask for one matrix" if batch else "there is no cycle"
    witness = None if batch else cycles[0]
    return OrdinalReport(
        plain(consistent), witness, plain(cyclic), triples, settle(share), 0.25, plain(first), reasons
    )  # fmt: skip
