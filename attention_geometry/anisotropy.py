"""Anisotropy of a cloud of vectors: the mean direction and the shape of the covariance are two different things.

Rows are vectors. For the residual stream these numbers are properties of the model; for queries or keys they depend
on the head basis, which the model's function does not fix.
"""

import dataclasses

import numpy as np

from attention_geometry._inputs import as_number, as_rows, as_square, epsilon
from attention_geometry._text import Report, plain, settle, undefined
from attention_geometry._threads import one_thread
from attention_geometry.spectrum import centred


@dataclasses.dataclass(frozen=True, repr=False)
class MeanCosine(Report):
    """The mean cosine of the pairs of rows, and what it is made of: see `mean_cosine`."""

    mean: float | np.ndarray | None
    with_diagonal: float | np.ndarray | None
    contributions: np.ndarray
    rows: int | np.ndarray
    excluded: int | np.ndarray
    reasons: dict


def mean_cosine(X, *, zero_rows="raise"):
    """Mean cosine between two different rows, and the share of each coordinate.

    m = Σ_{i≠j} x̂_i · x̂_j / (n(n−1)) = (n ‖ū‖² − 1)/(n − 1), with ū the mean of the unit vectors x̂.

    Parameters
    ----------
    X : array_like, shape (…, n, d)
        Vectors as rows.
    zero_rows : {"raise", "exclude"}
        A zero vector has no direction: refuse, or leave it out and count it in ``excluded``.

    Returns
    -------
    MeanCosine
        ``mean`` leaves the diagonal out; ``with_diagonal`` = ‖ū‖² keeps it, which adds (1 − m)/n. ``contributions``
        (…, d) sum to ``mean``. ``rows`` were used, ``excluded`` were zero. Undefined for fewer than two rows
        (``mean``) or none (``with_diagonal``): None, NaN in a batch.

    Raises
    ------
    ValueError
        If a row is zero (the message names it) and ``zero_rows`` is not ``"exclude"``.

    Notes
    -----
    At least −1/(n − 1). O(n d). It measures the mean direction, not the shape of the cloud: vectors on one line can
    have a negative mean. For independent uniform directions each cosine has mean 0 and variance 1/d. Invariant under
    rescaling of rows and rotations; *not* under centring. ``contributions`` depend on the basis: a few
    coordinates may carry all of it.

    References
    ----------
    Ethayarajh 2019, *How Contextual are Contextualized Word Representations?* Timkey & van Schijndel 2021, *All Bark
    and No Bite*.

    Examples
    --------
    >>> mean_cosine([[10, 1], [10, -1]])
    MeanCosine
      mean           0.9802
      with_diagonal  0.9901
      contributions  [0.9901, -0.009901]
      rows           2
      excluded       0
      reasons        {}
    """
    if zero_rows not in ("raise", "exclude"):
        raise ValueError(f"zero_rows must be 'raise' or 'exclude', got {zero_rows!r}")
    X = as_rows(X, "X")
    largest = np.abs(X).max(-1, keepdims=True)
    zero = largest[..., 0] == 0
    if zero_rows == "raise" and zero.any():
        rows = ", ".join(str(tuple(map(int, i)) if len(i) > 1 else int(i[0])) for i in np.argwhere(zero)[:5])
        raise ValueError(f"zero vectors have no direction: row {rows} of X; pass zero_rows='exclude' to leave them out")
    U = X / np.where(largest > 0, largest, 1.0)
    U = U / np.where(zero, 1.0, np.linalg.norm(U, axis=-1))[..., None]
    n, total, squares = (~zero).sum(-1), U.sum(-2), (U**2).sum(-2)
    with np.errstate(invalid="ignore", divide="ignore"):
        contributions = (total**2 - squares) / (n * (n - 1))[..., None]
        contributions = np.where((n > 1)[..., None], contributions, np.nan)
        diagonal = np.where(n > 0, (total**2).sum(-1) / n**2, np.nan)
    reasons = undefined("mean", (n < 2, "fewer than two rows with a direction: there is no pair"))
    reasons |= undefined("with_diagonal", (n < 1, "no row with a direction"))
    return MeanCosine(
        settle(contributions.sum(-1)), settle(diagonal), contributions, plain(n), plain(zero.sum(-1)), reasons
    )


def isoscore(X):
    """How evenly the covariance spreads over all dimensions: 0 on a line, 1 if all variances are equal.

    IsoScore = (PR(Σ) − 1)/(d − 1), PR = (tr Σ)²/tr Σ², Σ the covariance of the rows.

    Parameters
    ----------
    X : array_like, shape (…, n, d)
        Vectors as rows. (The published ``IsoScore.py`` takes them as columns.)

    Returns
    -------
    float or ndarray, shape (…)
        In [0, 1]; NaN for d = 1, and where all rows are equal.

    Raises
    ------
    ValueError
        For an empty or ragged cloud, or entries that are not finite.

    Notes
    -----
    The published recipe takes the variances λ of the principal components, λ̂ = √d λ/‖λ‖, δ² = ‖λ̂ − 1‖²/(2(d − √d)),
    φ = (d − δ²(d − √d))²/d² and scores (dφ − 1)/(d − 1). Since δ²(d − √d) = d − √d ‖λ‖₁/‖λ‖₂, dφ = PR: no eigenvalues
    are needed. Invariant under translation, scale and rotation. n points span at most n − 1 dimensions: an isotropic
    cloud of few points scores well below 1, see `participation_null`. Compare clouds at equal n.

    References
    ----------
    Rudman et al. 2022, *IsoScore*.

    Examples
    --------
    >>> round(isoscore([[1, 0], [-1, 0], [0, 2], [0, -2]]) * 17, 12)
    8.0
    """
    C = centred(as_rows(X, "X"), "columns")
    n, d = C.shape[-2:]
    size = np.abs(C).max((-2, -1), keepdims=True)
    C = C / np.where(size > 0, size, 1.0)
    transpose = np.swapaxes(C, -1, -2)
    return _isoscore(C @ transpose if n < d else transpose @ C, d)  # both Gram matrices have the same two traces


def isoscore_star(X, reference, *, zeta):
    """IsoScore* : the score of the covariance shrunk towards a reference, stable for small samples.

    Σ_ζ = (1 − ζ) Σ + ζ Σ₀, then (PR(Σ_ζ) − 1)/(d − 1).

    Parameters
    ----------
    X : array_like, shape (…, n, d)
        Vectors as rows, n ≥ 2.
    reference : array_like, shape (…, d, d)
        Σ₀, a covariance estimated from many more vectors.
    zeta : float in [0, 1]
        0 gives `isoscore`, 1 ignores X.

    Returns
    -------
    float or ndarray, shape (…)
        NaN for d = 1 and where Σ_ζ = 0.

    Raises
    ------
    ValueError
        If the shapes do not fit, n < 2, ``zeta`` is outside [0, 1], or the reference is no covariance: not symmetric,
        or with a negative eigenvalue, each beyond its rounding.

    Notes
    -----
    Σ divides by n − 1. Not scale-invariant unless Σ₀ is rescaled with X; rotation-invariant if Σ₀ is rotated with it.

    References
    ----------
    Rudman & Eickhoff 2024, *Stable Anisotropic Regularization*.

    Examples
    --------
    >>> isoscore_star([[1, 0], [-1, 0]], np.eye(2), zeta=1)
    1.0
    """
    C, reference = centred(as_rows(X, "X"), "columns"), _as_covariance(reference, "reference")
    zeta = as_number(zeta, "zeta", low=0, high=1)
    if C.shape[-2] < 2 or reference.shape[-1] != C.shape[-1]:
        raise ValueError(f"X has shape {C.shape} and reference {reference.shape}; expected (…, n ≥ 2, d) and (…, d, d)")
    size = np.maximum(*(np.abs(M).max((-2, -1), keepdims=True) ** power for M, power in ((C, 1), (reference, 0.5))))
    size = np.where(size > 0, size, 1.0)
    C, reference = C / size, reference / size / size  # one unit for both; no square overflows
    return _isoscore((1 - zeta) * np.swapaxes(C, -1, -2) @ C / (C.shape[-2] - 1) + zeta * reference, C.shape[-1])


def _as_covariance(M, name):
    """Symmetric matrices ``(…, d, d)`` without a negative eigenvalue, both up to the rounding of their precision."""
    S = as_square(M, name)
    largest = np.abs(S).max((-2, -1), keepdims=True)
    unit, slack = S / np.where(largest > 0, largest, 1.0), max(1e-9, 100 * S.shape[-1] * epsilon(M))
    if np.abs(unit - np.swapaxes(unit, -1, -2)).max() > slack:
        raise ValueError(f"{name} is not symmetric; expected a covariance")
    with one_thread(S.shape[-1]):
        smallest = np.linalg.eigvalsh(unit).min()
    if smallest < -slack:
        raise ValueError(f"{name} has a negative eigenvalue ({smallest:.3g} of its largest entry); no covariance has")
    return S


def _isoscore(gram, d):
    trace = np.trace(gram, axis1=-2, axis2=-1)
    if d == 1:
        return plain(np.full(trace.shape, np.nan))
    with np.errstate(invalid="ignore", divide="ignore"):
        return plain((trace**2 / (gram**2).sum((-2, -1)) - 1) / (d - 1))


@dataclasses.dataclass(frozen=True, repr=False)
class PartitionIsotropy(Report):
    """Smallest over largest partition function among the directions tried: see `partition_isotropy`."""

    ratio: float | np.ndarray
    log_smallest: float | np.ndarray
    log_largest: float | np.ndarray
    notes: dict


def partition_isotropy(W):
    """How little the partition function Z(c) = Σ_w exp(c · w) depends on the direction c, by the eigenvectors of WᵀW.

    I = min_c Z(c) / max_c Z(c) over the unit vectors c = ±v, v an eigenvector. Both signs are tried: Z(v) ≠ Z(−v).

    Parameters
    ----------
    W : array_like, shape (…, n, d)
        Vectors as rows.

    Returns
    -------
    PartitionIsotropy
        ``ratio`` in (0, 1], and the logarithms of the two Z. ``notes["ratio"]`` warns where two non-zero eigenvalues
        coincide: the eigenvectors, and with them the ratio, are then a matter of choice.

    Raises
    ------
    ValueError
        For an empty or ragged cloud, or entries that are not finite.

    Notes
    -----
    The exact I minimises and maximises over *all* unit vectors, so this ratio is an upper bound on it, sometimes 1
    where the exact one is smaller. *Not* invariant under scale (say how the vectors were scaled) or translation.

    References
    ----------
    Mu & Viswanath 2018, *All-but-the-Top*.

    Examples
    --------
    >>> round(partition_isotropy([[2, 0]]).ratio, 6)  # exp(−4)
    0.018316
    >>> partition_isotropy([[1, 0], [-1, 0], [0, 1], [0, -1]]).notes
    {'ratio': 'an eigenvalue is repeated, so the eigenvectors are not unique'}
    """
    W = as_rows(W, "W")
    with one_thread(W.shape[-1]):
        scaled = W / np.maximum(np.abs(W).max((-2, -1), keepdims=True), np.finfo(float).tiny)  # no square overflows
        eigenvalue, V = np.linalg.eigh(np.swapaxes(scaled, -1, -2) @ scaled)
    along = W @ V
    log_Z = np.concatenate([np.logaddexp.reduce(sign * along, axis=-2) for sign in (1, -1)], axis=-1)
    smallest, largest = log_Z.min(-1), log_Z.max(-1)
    dust = 1e-10 * eigenvalue[..., -1:]
    repeated = ((np.diff(eigenvalue) <= dust) & (eigenvalue[..., :-1] > dust)).any(-1)
    notes = undefined("ratio", (repeated, "an eigenvalue is repeated, so the eigenvectors are not unique"))
    return PartitionIsotropy(plain(np.exp(smallest - largest)), plain(smallest), plain(largest), notes)


def participation_null(n, d):
    """The participation ratio that n independent isotropic Gaussian vectors in d dimensions are expected to have.

    E PR ≈ (N d + 2)/(N + d + 1), N = n − 1: the ratio of the expectations of (tr Σ)² and tr Σ².

    Parameters
    ----------
    n : int ≥ 2
        Number of vectors.
    d : int ≥ 1
        Number of dimensions.

    Returns
    -------
    float
        The matching IsoScore is (PR − 1)/(d − 1).

    Raises
    ------
    ValueError
        If n < 2 or d < 1.

    Notes
    -----
    Far below d unless n ≫ d: 300 isotropic points in 300 dimensions score about ½. Tokens of one text are not
    independent, so their effective n is smaller still.

    Examples
    --------
    >>> round(participation_null(11, 10), 3), round(participation_null(300, 300), 3)
    (4.857, 149.503)
    """
    N, d = as_number(n, "n", low=2, integer=True) - 1, as_number(d, "d", low=1, integer=True)
    return (N * d + 2) / (N + d + 1)
