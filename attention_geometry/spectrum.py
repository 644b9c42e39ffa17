"""Effective ranks: how many directions a matrix uses, under five definitions that must not be confused.

For the form of a head take ``rank_summary_of(bilinear.singular_values(W_Q, W_K))``: W_Q alone is gauge noise.
"""

import dataclasses

import numpy as np

from attention_geometry._inputs import as_array, as_number, as_rows, epsilon
from attention_geometry._text import Report, plain, settle, undefined
from attention_geometry._threads import one_thread
from attention_geometry.attention import effective_keys

KINDS = ("stable", "participation", "erank2", "erank1")


def effective_rank(M, *, kind="erank1", centre=None):
    """How many singular directions of a matrix carry its weight, as a real number.

    With singular values σ:

    * ``"erank1"``: exp H(σ/Σσ), the definition of Roy & Vetterli;
    * ``"erank2"``: exp H(σ²/Σσ²), in many codes under the same name;
    * ``"participation"``: (Σσ²)²/Σσ⁴;
    * ``"stable"``: Σσ²/σ₁².

    Parameters
    ----------
    M : array_like, shape (…, m, n)
        Any real matrix.
    kind : {"erank1", "erank2", "participation", "stable"}
        The definition, to be named with every number.
    centre : {None, "rows", "columns", "both"}
        Subtract means first, see `centred`. For scores S use ``"rows"``: S itself is defined only up to row constants.

    Returns
    -------
    float or ndarray, shape (…)
        At least 1; NaN where the (centred) matrix is zero.

    Raises
    ------
    ValueError
        For an unknown ``kind`` or ``centre``, an empty matrix, or entries that are not finite.

    Notes
    -----
    1 ≤ stable ≤ participation ≤ erank2 ≤ erank1 ≤ rank (L6.1). Invariant under scale, transpose and orthogonal maps on
    either side; *not* under centring, a head basis (G2) or a general residual basis. Softmax may raise or lower
    it, and a causal A always has full rank. erank1 is hypersensitive to a noise floor: no singular value is cut off,
    0 log 0 = 0. Compare with random weights at equal size: a Haar rotation leaves it unchanged.

    References
    ----------
    Roy & Vetterli 2007, *The effective rank*. Rudelson & Vershynin 2007 (stable rank).

    Examples
    --------
    >>> [round(effective_rank(np.diag([2, 1, 1]), kind=kind), 4) for kind in KINDS]
    [1.5, 2.0, 2.3811, 2.8284]
    >>> S = np.eye(3) + 100
    >>> round(effective_rank(S), 2), round(effective_rank(S, centre="rows"), 6)
    (1.05, 2.0)
    """
    return effective_rank_of(singular_values(M, centre=centre), kind=kind)


def effective_rank_of(sigma, *, kind="erank1"):
    """`effective_rank` of a matrix that is known by its singular values.

    Parameters
    ----------
    sigma : array_like, shape (…, k)
        Singular values, at least 0, in any order; zeros may be left out.
    kind : {"erank1", "erank2", "participation", "stable"}

    Returns
    -------
    float or ndarray, shape (…)
        NaN where all are zero.

    Raises
    ------
    ValueError
        For an unknown ``kind`` or a negative value.

    Examples
    --------
    >>> noisy = [1] + 1000 * [0.001]
    >>> round(effective_rank_of(noisy), 1), round(effective_rank_of(noisy, kind="erank2"), 3)
    (63.2, 1.015)
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {KINDS}, got {kind!r}")
    sigma = _spectrum(sigma)
    zero = sigma.max(-1) == 0
    p = np.where(zero[..., None], 1.0, sigma / np.where(zero, 1.0, sigma.max(-1))[..., None])  # no square overflows
    if kind == "erank1":
        value = effective_keys(p / p.sum(-1, keepdims=True))
    elif kind == "erank2":
        value = effective_keys(p**2 / (p**2).sum(-1, keepdims=True))
    elif kind == "participation":
        value = (p**2).sum(-1) ** 2 / (p**4).sum(-1)
    else:
        value = (p**2).sum(-1)
    return plain(np.where(zero, np.nan, value))


@dataclasses.dataclass(frozen=True, repr=False)
class RankSummary(Report):
    """Five ranks of one matrix or a batch, in the order of L6.1: see `rank_summary`."""

    stable: float | np.ndarray | None
    participation: float | np.ndarray | None
    erank2: float | np.ndarray | None
    erank1: float | np.ndarray | None
    rank: int | np.ndarray
    tolerance: float
    reasons: dict


def rank_summary(M, *, centre=None, tolerance=None):
    """All effective ranks and the numerical rank of a matrix, from one singular value decomposition.

    Parameters
    ----------
    M : array_like, shape (…, m, n)
    centre : {None, "rows", "columns", "both"}
        Subtract means first, see `centred`.
    tolerance : float, optional
        The numerical rank counts the singular values above ``tolerance · ‖M‖_F``, with M *before* centring, because
        that is the size of its rounding error. Default: max(m, n) times the spacing of the input's precision.

    Returns
    -------
    RankSummary
        Fields ``stable``, ``participation``, ``erank2``, ``erank1``, ``rank``, ``tolerance``. The effective ranks of
        a zero matrix are undefined: None, NaN in a batch, with a sentence in ``reasons``. Its rank is 0.

    Raises
    ------
    ValueError
        As for `effective_rank`.

    Notes
    -----
    Invariant and *not* invariant as `effective_rank`. Weights that were *stored* in a lower precision deserve a larger
    tolerance.

    Examples
    --------
    >>> rank_summary([[3, 0], [0, 1], [0, 0]])
    RankSummary
      stable         1.111
      participation  1.22
      erank2         1.384
      erank1         1.755
      rank           2
      tolerance      6.661e-16
      reasons        {}
    """
    spacing, sigma = epsilon(M), singular_values(M, centre=centre)
    M = as_rows(M, "M")
    tolerance = max(M.shape[-2:]) * spacing if tolerance is None else tolerance
    return _summary(sigma, M.reshape(*M.shape[:-2], -1), tolerance)


def rank_summary_of(sigma, *, tolerance=None):
    """`rank_summary` of a matrix that is known by its singular values.

    Parameters
    ----------
    sigma : array_like, shape (…, k)
        Singular values, at least 0, in any order; zeros may be left out.
    tolerance : float, optional
        Count those above ``tolerance · ‖σ‖``. Default: k times the spacing of the input's precision.

    Returns
    -------
    RankSummary

    Raises
    ------
    ValueError
        For a negative value.

    Examples
    --------
    >>> rank_summary_of([4, 2, 1, 1, 0]).rank
    4
    """
    spacing, sigma = epsilon(sigma), _spectrum(sigma)
    tolerance = sigma.shape[-1] * spacing if tolerance is None else tolerance
    return _summary(sigma, sigma, tolerance)


def _summary(sigma, entries, tolerance):
    """``entries``: numbers whose sum of squares is the squared Frobenius norm before centring."""
    tolerance = as_number(tolerance, "tolerance", low=0)
    largest = np.abs(entries).max(-1, keepdims=True)  # taken out of the norm, so that no square overflows
    size = largest * np.linalg.norm(entries / np.where(largest > 0, largest, 1.0), axis=-1, keepdims=True)
    ranks = {kind: settle(effective_rank_of(sigma, kind=kind)) for kind in KINDS}
    zero = (sigma.max(-1) == 0, "the matrix is zero, up to rounding after centring")
    reasons = {name: why for kind in KINDS for name, why in undefined(kind, zero).items()}
    return RankSummary(**ranks, rank=plain((sigma > tolerance * size).sum(-1)), tolerance=tolerance, reasons=reasons)


def singular_values(M, *, centre=None):
    """Singular values of a matrix, largest first, on one BLAS thread where it is small.

    Parameters
    ----------
    M : array_like, shape (…, m, n)
    centre : {None, "rows", "columns", "both"}
        Subtract means first, see `centred`.

    Returns
    -------
    ndarray, shape (…, min(m, n))

    Raises
    ------
    ValueError
        For an unknown ``centre``, an empty matrix, or entries that are not finite.

    Notes
    -----
    Invariant under transpose and orthogonal maps on either side; *not* under row shifts of scores, unless ``centre``
    takes them off, nor under a change of a head's basis (G2) if M is one of its two factors.

    Examples
    --------
    >>> singular_values([[3, 0], [0, 4]]).tolist()
    [4.0, 3.0]
    """
    M = centred(M, centre)
    with one_thread(max(M.shape[-2:])):
        return np.linalg.svd(M, compute_uv=False)


def centred(M, centre):
    """A matrix with the means of its rows, its columns or both taken off.

    With J = I − 11ᵀ/n: ``"rows"`` gives MJ (each row then sums to zero), ``"columns"`` JM, ``"both"`` JMJ.

    Parameters
    ----------
    M : array_like, shape (…, m, n)
    centre : {None, "rows", "columns", "both"}
        None returns M as it is.

    Returns
    -------
    ndarray, shape (…, m, n)
        Exactly zero where nothing but rounding error is left: no entry above 2 ε max abs(M), ε of the input's
        precision, or above what sums of max(m, n) terms leave in float64.

    Raises
    ------
    ValueError
        For an unknown ``centre``, an empty matrix, or entries that are not finite.

    Notes
    -----
    ``"rows"`` does not see a constant added to a row, ``"columns"`` one added to a column, ``"both"`` either; none is
    invariant under a factor on a row or column.

    Examples
    --------
    >>> centred([[1, 3], [0.1, 0.1]], "rows").tolist()
    [[-1.0, 1.0], [0.0, 0.0]]
    """
    if centre not in (None, "rows", "columns", "both"):
        raise ValueError(f"centre must be None, 'rows', 'columns' or 'both', got {centre!r}")
    spacing, M = epsilon(M), as_rows(M, "M")
    if centre is None:
        return M.copy()
    C = M - M.mean(-1, keepdims=True) if centre in ("rows", "both") else M
    C = C - C.mean(-2, keepdims=True) if centre in ("columns", "both") else C
    # An entry and a mean are each off by ε/2 at most, whatever n is; the sums are taken in float64.
    size, dust = np.abs(M).max((-2, -1), keepdims=True), max(2 * spacing, max(M.shape[-2:]) * 2.0**-52)
    return np.where(np.abs(C).max((-2, -1), keepdims=True) <= dust * size, 0.0, C)


def _spectrum(sigma):
    sigma = as_array(sigma, "sigma", min_ndim=1)
    if sigma.shape[-1] == 0:
        raise ValueError(f"sigma has shape {sigma.shape}; expected (…, k) with at least one singular value")
    if sigma.size and sigma.min() < 0:
        raise ValueError(f"sigma holds {sigma.min():.4g}; singular values are not negative")
    return sigma
