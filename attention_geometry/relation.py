"""What survives a row shift of the scores: energy shares, cycle curls, reversibility, the squared interval.

Weights A fix the scores S only up to one constant per row. Each function here gives the same answer for ``S``, for
``S + u1ᵀ`` and for ``log A``, up to the rounding of what is passed, so what it says is about the weights. They compare
i → j with j → i and therefore need every pair: −inf is refused.
"""

import dataclasses

import numpy as np

from attention_geometry._inputs import as_number, as_unmasked_scores, epsilon
from attention_geometry._text import Report, plain, settle, undefined
from attention_geometry.attention import log_softmax


@dataclasses.dataclass(frozen=True, repr=False)
class EnergyShares(Report):
    """Three shares that sum to one: see `energy_shares`."""

    popularity: float | np.ndarray | None
    reciprocal: float | np.ndarray | None
    circulating: float | np.ndarray | None
    reasons: dict


def energy_shares(S):
    r"""Split the row-centred scores into key popularity, a reciprocal part and a circulating part.

    .. math:: SJ = \mathbf 1 v^\top + T_s + T_a, \qquad
              \|SJ\|^2 = n\|v\|^2 + \|T_s\|^2 + \|T_a\|^2

    with J = I − 11ᵀ/n, v the column means of SJ, and T = JSJ split into its symmetric and antisymmetric part. The three
    terms are orthogonal; the shares are their parts of the left side.

    Parameters
    ----------
    S : array_like, shape (…, n, n)
        Scores before the mask, or log A.

    Returns
    -------
    EnergyShares
        ``popularity``: some keys are liked by all queries. ``reciprocal``: i and j agree on each other.
        ``circulating``: what runs around cycles; zero exactly if A is reversible.
        Undefined where SJ = 0 (A is uniform): no entry above 2 ε max abs(S), ε of the input's precision.

    Raises
    ------
    ValueError
        If S is not square, not finite, or masked: the shares of a causal map are vacuous.

    Notes
    -----
    Invariant under row shifts, key translations, changes of the head's basis and permutations of the tokens. Symmetric
    scores may have popularity, and adding popularity to symmetric scores leaves A reversible. Compare with
    `energy_shares_null`: half of the energy of noise is reciprocal. A finite stand-in for −inf (such as −1e9) is not
    recognised; pass the scores before the mask.

    References
    ----------
    Derived for this book; the splitting of a flow is that of HodgeRank, Jiang et al. 2011.

    Examples
    --------
    >>> energy_shares([[0, 3, 0], [0, 0, 0], [0, 0, 0]])
    EnergyShares
      popularity   0.3333
      reciprocal   0.4167
      circulating  0.25
      reasons      {}
    >>> energy_shares([[1, 1], [2, 2]]).reasons["popularity"]
    'the rows of S are constant up to the rounding of its precision (A is uniform): no energy to share'
    """
    rounding = 2 * epsilon(S)
    S = as_unmasked_scores(S)
    S = S / np.maximum(np.abs(S).max((-2, -1), keepdims=True), np.finfo(float).tiny)  # no square overflows
    centred = S - S.mean(-1, keepdims=True)
    v = centred.mean(-2, keepdims=True)
    T = centred - v
    symmetric, antisymmetric = (T + _transposed(T)) / 2, (T - _transposed(T)) / 2
    flat = np.abs(centred).max((-2, -1)) <= rounding
    energy = [np.where(flat, np.nan, _energy(part)) for part in (v, symmetric, antisymmetric)]
    energy[0] = energy[0] * S.shape[-1]
    cases = (flat, "the rows of S are constant up to the rounding of its precision (A is uniform): no energy to share")
    reasons = undefined("popularity", cases) | undefined("reciprocal", cases) | undefined("circulating", cases)
    return EnergyShares(*(settle(part / sum(energy)) for part in energy), reasons)


def energy_shares_null(n):
    """The expected shares of noise: scores that are independent Gaussians, n × n.

    (1/n, 1/2, (n − 2)/(2n)), the dimensions n − 1, n(n − 1)/2 and (n − 1)(n − 2)/2 of the three parts over their sum.

    Parameters
    ----------
    n : int ≥ 2
        Number of tokens.

    Returns
    -------
    EnergyShares

    Raises
    ------
    ValueError
        If n < 2: one token has no shares.

    Notes
    -----
    Exact, not a limit: the direction of Gaussian noise is uniform on the sphere. The null drifts with n, so compare
    heads at one length, or each with its own null.

    Examples
    --------
    >>> energy_shares_null(4).circulating
    0.25
    """
    n = as_number(n, "n", low=2, integer=True)
    return EnergyShares(1 / n, 1 / 2, (n - 2) / (2 * n), {})


@dataclasses.dataclass(frozen=True, repr=False)
class CycleCurl(Report):
    """How far the scores are from reversible: see `cycle_curl`."""

    largest: float | np.ndarray | None
    witness: tuple | np.ndarray | None
    root_mean_square: float | np.ndarray | None
    reasons: dict


def cycle_curl(S):
    r"""The sum of S − Sᵀ around cycles of three tokens: the logarithm of the ratio of the two ways round.

    .. math:: c_{ijk} = N_{ij} + N_{jk} + N_{ki}
              = \log\frac{A_{ij}A_{jk}A_{ki}}{A_{ik}A_{kj}A_{ji}}, \qquad N = S - S^\top

    Parameters
    ----------
    S : array_like, shape (…, n, n)
        Scores before the mask, or log A. Nats.

    Returns
    -------
    CycleCurl
        ``largest``: max over the cycles, taken in the direction that makes it positive. ``witness``: its (i, j, k), in
        an array (…, 3) for a batch. ``root_mean_square`` over all cycles, √(3‖JNJ‖² / ((n−1)(n−2))).
        Undefined for n < 3, where there is no cycle and every A is reversible.

    Raises
    ------
    ValueError
        If S is not square, not finite, or masked: for masked pairs the criterion is vacuous, both products are 0.

    Notes
    -----
    Kolmogorov's criterion: all curls are zero exactly if A is reversible (every A_ij > 0). Invariant like
    `energy_shares`; also under column shifts. Memory O(n²), time O(n³).

    References
    ----------
    Kelly 1979, *Reversibility and Stochastic Networks*. Jiang et al. 2011, *Statistical ranking and combinatorial
    Hodge theory*.

    Examples
    --------
    >>> A = np.array([[3, 2, 1], [1, 3, 2], [2, 1, 3]]) / 6
    >>> curl = cycle_curl(np.log(A))
    >>> bool(np.isclose(curl.largest, 3 * np.log(2))), curl.witness
    (True, (0, 1, 2))
    """
    S = as_unmasked_scores(S)
    n = S.shape[-1]
    N = S - _transposed(S)
    largest = np.full(S.shape[:-2], np.nan)
    witness = np.full((*S.shape[:-2], 3), -1)
    for i in range(n - 2):  # c changes sign with the direction, so i < j, k and the maximum over j, k see every cycle
        out = N[..., i, i + 1 :]
        c = out[..., :, None] + N[..., i + 1 :, i + 1 :] - out[..., None, :]
        m = n - 1 - i
        c[..., np.arange(m), np.arange(m)] = -np.inf  # j = k is no cycle
        best, at = c.max((-2, -1)), c.reshape(*c.shape[:-2], m * m).argmax(-1)
        better = ~(best <= largest)
        largest = np.where(better, best, largest)
        j, k = np.divmod(at, m)
        found = np.stack([np.full_like(j, i), j + i + 1, k + i + 1], -1)
        witness = np.where(better[..., None], found, witness)
    largest = np.maximum(largest, 0.0)  # rounding may leave both directions below zero
    JNJ = N - N.mean(-1, keepdims=True) - N.mean(-2, keepdims=True)
    scale = np.maximum(np.abs(JNJ).max((-2, -1), keepdims=True), np.finfo(float).tiny)
    mean_square = 3 * _energy(JNJ / scale) / max((n - 1) * (n - 2), 1)
    typical = np.where(n < 3, np.nan, np.sqrt(mean_square) * scale[..., 0, 0])
    short = (np.isnan(largest), f"no cycle of three tokens among n = {n}; every such A is reversible")
    reasons = undefined("largest", short) | undefined("witness", short) | undefined("root_mean_square", short)
    if S.ndim == 2:
        witness = None if n < 3 else tuple(witness.tolist())
    return CycleCurl(settle(largest), witness, settle(typical), reasons)


def is_reversible(S, *, tolerance=None):
    """Whether softmax(S) is a reversible chain, by Kolmogorov's criterion on the cycles of three.

    Parameters
    ----------
    S : array_like, shape (…, n, n)
        Scores before the mask, or log A.
    tolerance : float ≥ 0, optional
        The largest `cycle_curl` (nats) that counts as zero. Default: 8 ε (1 + max abs(S)), ε of the input's precision.

    Returns
    -------
    bool, or ndarray of bool (…)

    Raises
    ------
    ValueError
        If S is not square, not finite, or masked.

    Notes
    -----
    Exactly then A = softmax(S′) for some symmetric S′, detailed balance holds, S − Sᵀ is a gradient u_i − u_j, and the
    Sinkhorn limit of e^S is symmetric (L1.5). Symmetric scores plus any row and column terms are reversible; A = Aᵀ
    is not needed. Invariant under row shifts, column shifts, a temperature and permutations of the tokens, up to the
    tolerance; *not* under a mask. A log A made from scores with row terms in the tens or more carries their rounding:
    pass those scores, or a ``tolerance``.

    References
    ----------
    Kelly 1979, *Reversibility and Stochastic Networks*.

    Examples
    --------
    >>> w = np.array([[1, 2, 1], [2, 1, 3], [1, 3, 2]])
    >>> is_reversible(np.log(w / w.sum(1, keepdims=True)))  # though A ≠ Aᵀ
    True
    """
    rounding = 8 * epsilon(S)
    S = as_unmasked_scores(S)
    allowed = rounding * (1 + np.abs(S).max((-2, -1)))
    if tolerance is not None:
        allowed = as_number(tolerance, "tolerance", low=0)
    return plain(~(np.asarray(cycle_curl(S).largest, dtype=float) > allowed))


def detailed_balance_weights(S, *, tolerance=None):
    """The positive weights u with u_i A_ij = u_j A_ji, where A = softmax(S) is reversible.

    Parameters
    ----------
    S : array_like, shape (…, n, n)
        Scores before the mask, or log A.
    tolerance : float ≥ 0, optional
        As for `is_reversible`.

    Returns
    -------
    ndarray, shape (…, n)
        u, summing to one: it is the stationary law of A. All NaN where A is not reversible, so that no such u exists.

    Raises
    ------
    ValueError
        If S is not square, not finite, or masked.

    Notes
    -----
    log u_i is minus the mean of N_ij = log A_ij − log A_ji over j, up to a constant: the potential of the gradient N.
    Invariant under row shifts, permuted with the tokens; *not* under column shifts, which move mass.

    References
    ----------
    Kelly 1979, *Reversibility and Stochastic Networks*.

    Examples
    --------
    >>> w = np.array([[1, 2, 1], [2, 1, 3], [1, 3, 2]])
    >>> detailed_balance_weights(np.log(w)).round(4).tolist()
    [0.25, 0.375, 0.375]
    """
    reversible = np.asarray(is_reversible(S, tolerance=tolerance))
    log_A = log_softmax(as_unmasked_scores(S))
    potential = (_transposed(log_A) - log_A).mean(-1)
    u = np.exp(potential - potential.max(-1, keepdims=True))
    return np.where(reversible[..., None], u / u.sum(-1, keepdims=True), np.nan)


def squared_interval(S):
    r"""The squared interval between tokens that the symmetric part of the form induces. It may be negative.

    .. math:: D_{ij} = s_{ii} + s_{jj} - s_{ij} - s_{ji} = \log\frac{A_{ii}A_{jj}}{A_{ij}A_{ji}}

    Without positions, D_ij = (x_i − x_j) B_s (x_i − x_j)ᵀ / √d_k: biases, row and column terms cancel.

    Parameters
    ----------
    S : array_like, shape (…, n, n)
        Scores before the mask, or log A. Nats.

    Returns
    -------
    ndarray, shape (…, n, n)
        Symmetric with zero diagonal, exactly. Neither clipped at 0 nor rooted.

    Raises
    ------
    ValueError
        If S is not square, not finite, or masked: a causal map has no A_ji.

    Notes
    -----
    √D is a Euclidean pseudometric if and only if J S_s J ⪰ 0, as when B_s ⪰ 0; a random head has a form of both signs,
    and about half of its D_ij are negative. A squared length breaks the triangle inequality even on a line.
    Invariant like `energy_shares`, and under column shifts. With rotary positions it is not a function of x_i − x_j.

    References
    ----------
    Derived for this book. Schoenberg 1935, Ann. Math. 36.

    Examples
    --------
    >>> x = np.array([0, 1, 3])
    >>> squared_interval(np.outer(x, x)).tolist()
    [[0.0, 1.0, 9.0], [1.0, 0.0, 4.0], [9.0, 4.0, 0.0]]
    >>> squared_interval([[0, 1], [1, 0]])[0, 1].item()
    -2.0
    """
    S = as_unmasked_scores(S)
    cost = np.diagonal(S, axis1=-2, axis2=-1)[..., :, None] - S  # log A_ii / A_ij
    return cost + _transposed(cost)


def _energy(M):
    return (M**2).sum((-2, -1))


def _transposed(M):
    return np.swapaxes(M, -1, -2)
