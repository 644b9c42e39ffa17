"""Attention read as a directed weighted graph and as a Markov chain, with the conditions of each number.

Convention: the edge i → j says "i attends to j" and carries the weight A_ij; information flows from j to i.
Reading A as a chain is a thought experiment: a network multiplies *different* matrices A, with values, residuals
and MLPs in between. Indices count from 0.
"""

import dataclasses
from typing import NamedTuple

import numpy as np

from attention_geometry._inputs import (
    STOCHASTIC_TOLERANCE,
    as_number,
    as_rows,
    as_weights,
    epsilon,
    precision,
    require,
)
from attention_geometry._text import Report, as_tokens, plain, settle, undefined
from attention_geometry._threads import one_thread

SYMMETRISE = ("none", "or", "and", "mean")


def attention_graph(A, *, threshold=None, top_k=None, symmetrise, loops, tokens=None):
    """The graph that a rule induces on one matrix of attention weights.

    Nothing in attention says which weights are edges, so each choice is an argument without a default.
    An arc i → j ("i attends to j"; information flows j → i) is kept if its weight is positive and passes the rule.

    Parameters
    ----------
    A : array_like, shape (n, n)
        Attention weights; rows sum to one.
    threshold : float, exclusive with ``top_k``
        Keep the arcs with A_ij > threshold. 0 keeps every positive weight.
    top_k : int ≥ 1, exclusive with ``threshold``
        Keep the ``top_k`` largest weights of each row; of equal weights the one with the smaller index.
    symmetrise : {"none", "or", "and", "mean"}
        ``"none"``: a directed graph. ``"or"``: the edge {i, j} if at least one of the two arcs is kept, with the
        larger weight. ``"and"``: if both are kept, with the smaller weight. ``"mean"``: the rule reads
        (A + Aᵀ)/2 instead of A; the edge if either row keeps it, with that mean as its weight.
    loops : bool
        Whether i → i may be an edge. If not, the diagonal is set aside before the rule is applied.
    tokens : sequence of n str, optional
        Stored as the node attribute ``token``. Nodes are the positions 0 … n−1, all of them, isolated or not.

    Returns
    -------
    networkx.DiGraph or networkx.Graph
        Edge attribute ``weight``: a strength in (0, 1], not a length.

    Raises
    ------
    ValueError
        If not exactly one of ``threshold`` and ``top_k`` is given, or A is not one square matrix of weights.
    ImportError
        Without networkx (extra ``graphs``).

    Notes
    -----
    Every quantity of the graph depends on these choices: report them beside it and vary them. Row shifts of the scores
    change nothing here; the sequence length does, since weights shrink as keys are added.

    Examples
    --------
    >>> A = [[0.5, 0.5, 0.0], [0.1, 0.2, 0.7], [0.6, 0.2, 0.2]]
    >>> sorted(attention_graph(A, threshold=0.3, symmetrise="none", loops=False).edges)
    [(0, 1), (1, 2), (2, 0)]
    >>> sorted(attention_graph(A, top_k=1, symmetrise="or", loops=False).edges(data="weight"))
    [(0, 1, 0.5), (0, 2, 0.6), (1, 2, 0.7)]
    """
    nx = require("networkx", "graphs")
    A = as_weights(A, square=True)
    if A.ndim != 2:
        raise ValueError(f"A has shape {A.shape}; expected one (n, n) matrix: choose a head, none is taken in silence")
    if symmetrise not in SYMMETRISE:
        raise ValueError(f"symmetrise must be one of {SYMMETRISE}, got {symmetrise!r}")
    if not isinstance(loops, (bool, np.bool_)):
        raise TypeError(f"loops must be True or False, got {loops!r}")
    W = (A + A.T) / 2 if symmetrise == "mean" else A
    kept = _kept(W if loops else W * (1 - np.eye(len(A))), threshold, top_k)
    if symmetrise != "none":
        kept = kept & kept.T if symmetrise == "and" else kept | kept.T
        W = np.minimum(W, W.T) if symmetrise == "and" else np.maximum(W, W.T)
        kept = np.triu(kept)
    graph = nx.DiGraph() if symmetrise == "none" else nx.Graph()
    graph.add_nodes_from((i, {"token": token}) for i, token in enumerate(as_tokens(tokens, len(A))))
    graph.add_weighted_edges_from((int(i), int(j), float(W[i, j])) for i, j in np.argwhere(kept))
    return graph


def _kept(W, threshold, top_k):
    if (threshold is None) == (top_k is None):
        raise ValueError(f"give exactly one of threshold and top_k, got threshold={threshold!r}, top_k={top_k!r}")
    if top_k is None:
        return (W > 0) & (W > as_number(threshold, "threshold"))
    rank = np.argsort(np.argsort(-W, axis=-1, kind="stable"), axis=-1)
    return (W > 0) & (rank < as_number(top_k, "top_k", low=1, integer=True))


@dataclasses.dataclass(frozen=True, repr=False)
class Classes(Report):
    """Which tokens can reach each other: see `communicating_classes`."""

    label: np.ndarray
    recurrent: np.ndarray
    recurrent_classes: int | np.ndarray

    @property
    def members(self):
        """The classes of one matrix as tuples of positions, ordered by their first member."""
        if self.label.ndim > 1:
            raise ValueError(f"members is for one matrix; this result holds a batch {self.label.shape[:-1]}")
        return tuple(tuple(np.flatnonzero(self.label == i).tolist()) for i in np.unique(self.label))


def communicating_classes(A):
    """The classes of tokens that reach each other along positive weights, and which of them are never left.

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Attention weights. A weight counts as an arc if it is a positive normal float, however small.

    Returns
    -------
    Classes
        ``label`` (…, n): the smallest member of each token's class. ``recurrent`` (…, n): True where no arc leaves
        the class (False: transient). ``recurrent_classes`` (…): how many classes are recurrent, at least one.
        ``members``, for one matrix: the classes as tuples.

    Raises
    ------
    ValueError
        If A is not square (cross-attention), or a row does not sum to one.

    Notes
    -----
    A causal head has n classes of one token; only token 0 is recurrent unless some A_ii = 1. Invariant under row shifts
    of the scores, relabelled by a permutation of the tokens; *not* under a cut that sets small weights to zero.

    References
    ----------
    Seneta 1981, *Non-negative Matrices and Markov Chains*.

    Examples
    --------
    >>> found = communicating_classes([[1, 0, 0], [0.2, 0.3, 0.5], [0.1, 0.8, 0.1]])
    >>> found.members, found.recurrent.tolist()
    (((0,), (1, 2)), [True, False, False])
    """
    A = _chain(A)
    reach = (A > 0) | np.eye(A.shape[-1], dtype=bool)
    while True:  # squaring doubles the length of the paths: at most log₂ n rounds
        step = reach.astype(np.float32)
        longer = step @ step > 0
        if np.array_equal(longer, reach):
            break
        reach = longer
    mutual = reach & np.swapaxes(reach, -1, -2)
    label = mutual.argmax(-1)
    recurrent = ~(reach & ~mutual).any(-1)
    count = (recurrent & (label == np.arange(label.shape[-1]))).sum(-1)
    return Classes(label, recurrent, plain(count))


@dataclasses.dataclass(frozen=True, repr=False)
class StationaryLaw(Report):
    """The stationary law, or why there is none to name: see `stationary_distribution`."""

    pi: np.ndarray | None
    recurrent_classes: int | np.ndarray
    notes: dict
    reasons: dict


def stationary_distribution(A):
    """The law π with πA = π, where there is exactly one.

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Attention weights; rows sum to one.

    Returns
    -------
    StationaryLaw
        ``pi`` (…, n), non-negative, summing to one. With several recurrent classes every mixture of their laws is
        stationary: ``pi`` is then None (NaN in a batch) and ``reasons["pi"]`` lists the classes.
        ``notes["pi"]`` warns where π is a point mass on an absorbing token, as for every causal head (L5.1).

    Raises
    ------
    ValueError
        If A is not square (cross-attention), or a row does not sum to one.

    Notes
    -----
    π is unique if and only if there is one recurrent class; it is zero on all other tokens. It is computed by the
    elimination of Grassmann, Taksar and Heyman, which subtracts nothing, so small entries keep their relative accuracy.
    The column mean of A ("attention received") is one step from the uniform law, not π. A periodic chain has
    a stationary law although its powers do not converge to it. Invariant under row shifts of the scores, permuted with
    the tokens; *not* under column shifts, a temperature or A → Aᵀ.

    References
    ----------
    Seneta 1981; Erel et al. 2025 read π as a rank of tokens.

    Examples
    --------
    >>> stationary_distribution([[0.5, 0.5], [0.25, 0.75]]).pi.round(4).tolist()
    [0.3333, 0.6667]
    >>> stationary_distribution([[1, 0], [0.25, 0.75]]).notes["pi"]
    'all mass on one absorbing token, whatever the other rows say'
    >>> print(stationary_distribution([[1, 0], [0, 1]]).reasons["pi"])
    several recurrent classes, (0,) (1,): every mixture of their laws is stationary
    """
    A = _chain(A)
    found = communicating_classes(A)
    pi = _stationary(A, found)
    several = np.asarray(found.recurrent_classes) > 1
    listed = ""
    if A.ndim == 2 and several:
        closed = [str(c) for c in found.members if found.recurrent[c[0]]]
        listed = ", " + " ".join(closed[:8]) + (" …" if len(closed) > 8 else "")
    sentence = f"several recurrent classes{listed}: every mixture of their laws is stationary"
    point = (pi.max(-1) == 1) & (A.shape[-1] > 1)
    notes = undefined("pi", (point, "all mass on one absorbing token, whatever the other rows say"))
    law = None if A.ndim == 2 and several else pi
    return StationaryLaw(law, found.recurrent_classes, notes, undefined("pi", (several, sentence)))


def _chain(A):
    """Weights with the rounding of their precision removed: nothing below zero, rows that sum to one."""
    A = as_weights(A, square=True)
    A = np.where(A < np.finfo(float).tiny, 0.0, A)  # denormal weights would overflow when divided by
    return A / A.sum(-1, keepdims=True)


def _stationary(A, found):
    """π of every matrix of the batch with one recurrent class, NaN for the others (GTH elimination)."""
    pi = np.full(A.shape[:-1], np.nan)
    unique = np.asarray(found.recurrent_classes) == 1
    # Recurrent tokens first: a transient token is eliminated while it still has somewhere to go.
    order = np.argsort(~found.recurrent[unique], axis=-1, kind="stable")
    P = np.take_along_axis(np.take_along_axis(A[unique], order[..., :, None], -2), order[..., None, :], -1)
    n = A.shape[-1]
    for k in range(n - 1, 0, -1):
        P[..., :k, k] /= P[..., k, :k].sum(-1, keepdims=True)
        P[..., :k, :k] += P[..., :k, k, None] * P[..., k, None, :k]
    law = np.zeros(P.shape[:-1])
    law[..., 0] = 1.0
    for k in range(1, n):
        law[..., k] = (law[..., :k] * P[..., :k, k]).sum(-1)
        law /= law.sum(-1, keepdims=True)  # rescaled at once, so that nothing overflows
    np.put_along_axis(law, order, law.copy(), -1)
    pi[unique] = law
    return pi


def eigenvalues(A):
    """The n eigenvalues of A, sorted by falling modulus.

    Entries between different communicating classes do not touch the spectrum and are left out first. A triangular
    matrix is thereby read off its diagonal; in general, m classes with a common eigenvalue that feed one another make
    a defective matrix, in which a solver sees rounding ε as ε^(1/m).

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Attention weights.

    Returns
    -------
    ndarray of complex, shape (…, n)

    Raises
    ------
    ValueError
        If A is not square (cross-attention), or a row does not sum to one.

    Notes
    -----
    Invariant under a permutation of the tokens. Eigenvalues say nothing about the transient of a non-normal A.

    Examples
    --------
    >>> np.abs(eigenvalues([[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]])).tolist()
    [1.0, 0.5, 0.5]
    """
    A = _chain(A)
    return _eigenvalues(A, communicating_classes(A).label)


def _eigenvalues(A, label):
    with one_thread(A.shape[-1]):
        values = np.linalg.eigvals(A * (label[..., :, None] == label[..., None, :])).astype(complex)
    return np.take_along_axis(values, np.argsort(-np.abs(values), axis=-1, kind="stable"), -1)


_GAPS = ("reversible_gap", "absolute_gap", "fill_gap", "pseudo_gap", "additive_gap", "chatterjee_gap")


@dataclasses.dataclass(frozen=True, repr=False)
class SpectralReport(Report):
    """Inequivalent spectral gaps of one head or a batch: see `spectral_report`."""

    reversible_gap: float | np.ndarray | None
    absolute_gap: float | np.ndarray | None
    slem_gap: float | np.ndarray | None
    fill_gap: float | np.ndarray | None
    pseudo_gap: float | np.ndarray | None
    additive_gap: float | np.ndarray | None
    chatterjee_gap: float | np.ndarray | None
    dobrushin: float | np.ndarray
    is_triangular: bool | np.ndarray
    is_reversible: bool | np.ndarray
    pi_positive: bool | np.ndarray
    recurrent_classes: int | np.ndarray
    notes: dict
    reasons: dict


def spectral_report(A, *, powers=32, tolerance=None):
    r"""Five definitions of the spectral gap that disagree off the reversible case, and Dobrushin's coefficient.

    With Â = Π^{1/2} A Π^{-1/2} and singular values σ:

    ==================  =====================================  =================================
    field               formula                                defined if n ≥ 2 and
    ==================  =====================================  =================================
    ``reversible_gap``  1 − λ₂                                 π > 0, π_i A_ij = π_j A_ji
    ``absolute_gap``    1 − max_{i≥2} abs(λ_i)                 π > 0, π_i A_ij = π_j A_ji
    ``slem_gap``        1 − max_{i≥2} abs(λ_i)                 always
    ``fill_gap``        1 − σ₂(Â)²                             π unique and > 0
    ``pseudo_gap``      max_k (1 − σ₂(Âᵏ)²)/k                  π unique and > 0
    ``additive_gap``    1 − λ₂((Â + Âᵀ)/2)                     π unique and > 0
    ``chatterjee_gap``  second-smallest σ of I − Â             π unique and > 0
    ==================  =====================================  =================================

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Attention weights; rows sum to one.
    powers : int ≥ 1
        The pseudo-gap looks at k = 1 … ``powers``, and stops earlier where (1 − abs(λ₂)^{2k})/k shows that no larger k
        can win. If it runs out, the value is a lower bound and ``notes`` says so.
    tolerance : float, optional
        A counts as reversible if the flows π_i A_ij and π_j A_ji of every pair differ by at most this share of the
        larger of the two. Default: the larger of the tolerance of the input's precision (1e-6 for float64) and 8 ε.

    Returns
    -------
    SpectralReport
        Numbers for one matrix, arrays (…) for a batch. Undefined is None (NaN in a batch) with a sentence in
        ``reasons``; ``notes`` holds the warnings on numbers that are defined.

    Raises
    ------
    ValueError
        If A is not square (cross-attention), a row does not sum to one, or ``powers`` < 1.

    Notes
    -----
    * Causal A (L5.1): the eigenvalues are the diagonal, π = δ₀; ``slem_gap`` is 1 − max_{i≥1} A_ii and reads only the
      self-weights, all gaps that need π > 0 are undefined.
    * ``is_triangular``: triangular in *some* order of the tokens. ``is_reversible`` is False where π is not
      unique and positive: with π = δ₀ detailed balance would hold emptily.
    * ``dobrushin`` is always defined and bounds every abs(λ) with λ ≠ 1 (L5.2).
    * Gaps of a random matrix grow with n (`random_gap_null`): compare at equal n or against a null.
      A large gap is not a fast head.
    * Invariant under row shifts of the scores and permutations of the tokens; *not* under column shifts, a temperature
      or a similarity A → T⁻¹AT, which keeps the eigenvalues alone.

    References
    ----------
    Fill 1991; Chung 2005; Paulin 2015; Chatterjee 2023; Dobrushin 1956.

    Examples
    --------
    >>> report = spectral_report([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    >>> report.slem_gap < 1e-12, round(report.additive_gap, 4), round(report.chatterjee_gap, 4), report.reversible_gap
    (True, 1.5, 1.7321, None)
    >>> causal = spectral_report([[1, 0], [0.5, 0.5]])
    >>> causal.slem_gap, causal.notes["slem_gap"]
    (0.5, 'reads only the diagonal: A is triangular')
    >>> causal.fill_gap, causal.reasons["fill_gap"]
    (None, 'π is zero on some tokens')
    """
    powers = as_number(powers, "powers", low=1, integer=True)
    rounding = max(STOCHASTIC_TOLERANCE.get(precision(A), 1e-2), 8 * epsilon(A))
    tolerance = rounding if tolerance is None else as_number(tolerance, "tolerance", low=0)
    delta, A = dobrushin(A), _chain(A)
    batch, n = A.shape[:-2], A.shape[-1]
    found = communicating_classes(A)
    pi = _stationary(A, found)
    positive = (np.nan_to_num(pi) > 0).all(-1)
    flow = pi[..., None] * A
    back = np.swapaxes(flow, -1, -2)  # pair by pair: beside the flow into a sink every other difference looks small
    reversible = positive & (np.abs(flow - back) <= tolerance * np.maximum(flow, back)).all((-1, -2))
    triangular, usable = (found.label == np.arange(n)).all(-1), positive & (n > 1)
    gaps, cut = {name: np.full(batch, np.nan) for name in _GAPS}, np.zeros(batch, dtype=bool)
    slem = np.abs(_eigenvalues(A, found.label)[..., 1]) if n > 1 else np.full(batch, np.nan)
    with one_thread(n):
        values, cut[usable] = _gaps_with_law(A[usable], pi[usable], slem[usable], powers)
    for name, value in values.items():
        gaps[name][usable] = value
    gaps["slem_gap"] = 1 - slem

    one = (np.full(batch, n == 1), "one token: there is no second eigenvalue")
    several = (np.asarray(found.recurrent_classes) > 1, "several recurrent classes, so the law π is not unique")
    zeros, skewed = (~positive, "π is zero on some tokens"), (~reversible, "A is not reversible")
    reasons = undefined("slem_gap", one)
    for name in values:
        reasons |= undefined(name, one, several, zeros)
    for name in ("reversible_gap", "absolute_gap"):
        gaps[name] = np.where(reversible, gaps[name], np.nan)
        reasons |= undefined(name, one, several, zeros, skewed)
    notes = undefined("slem_gap", (triangular & (n > 1), "reads only the diagonal: A is triangular"))
    notes |= undefined("pseudo_gap", (cut, f"a lower bound: the largest over powers up to {powers}"))
    notes |= undefined("dobrushin", ((A.max((-1, -2)) == 1) & (n > 1), "reads only one column: a row is a point mass"))
    return SpectralReport(
        **{name: settle(np.maximum(gap, 0.0)) for name, gap in gaps.items()},
        dobrushin=delta,
        is_triangular=plain(triangular),
        is_reversible=plain(reversible),
        pi_positive=plain(positive),
        recurrent_classes=found.recurrent_classes,
        notes=notes,
        reasons=reasons,
    )


def _gaps_with_law(A, pi, slem, powers):
    """The gaps that are read off Â = Π^½ A Π^−½, for a stack of chains with π > 0; and is the pseudo-gap cut short?"""
    root = np.sqrt(pi)
    hat = root[:, :, None] * A / root[:, None, :]
    values = np.linalg.eigvalsh((hat + np.swapaxes(hat, -1, -2)) / 2)
    lowest, second = values[:, 0], values[:, -2:][:, 0]
    chatterjee = np.linalg.svd(np.eye(A.shape[-1]) - hat, compute_uv=False)[:, -2:][:, 0]
    # √π is a left and a right singular vector of Â with value 1; without it, σ₂(Âᵏ) is the norm of a power.
    fill, pseudo, cut = _pseudo_gap(hat - root[:, :, None] * root[:, None, :], slem, powers)
    absolute = 1 - np.maximum(second, -lowest)
    return dict(zip(_GAPS, (1 - second, absolute, fill, pseudo, 1 - second, chatterjee))), cut


def _pseudo_gap(rest, slem, powers):
    fill = 1 - np.linalg.norm(rest, 2, axis=(-2, -1)) ** 2
    best, power, active = fill.copy(), rest, np.arange(len(rest))
    for k in range(2, powers + 2):
        # σ₂(Âᵏ) ≥ |λ₂|ᵏ, and the bound falls with k: once it is reached, no later power can win.
        alive = (1 - slem[active] ** (2 * k)) / k > best[active] + 1e-12
        active, power = active[alive], power[alive]
        if k > powers or not active.size:
            break
        power = power @ rest[active]
        best[active] = np.maximum(best[active], (1 - np.linalg.norm(power, 2, axis=(-2, -1)) ** 2) / k)
    return fill, best, np.isin(np.arange(len(rest)), active)


def dobrushin(A):
    r"""Dobrushin's coefficient, the largest total variation between two rows.

    .. math:: \delta(A) = \max_{i,k} \tfrac12 \sum_j |A_{ij} - A_{kj}|

    Parameters
    ----------
    A : array_like, shape (…, n_query, n_key)
        Attention weights; rows sum to one. A product of layers may be passed, and need not be square.

    Returns
    -------
    float or ndarray, shape (…)
        In [0, 1]; 0 if and only if all rows are equal.

    Raises
    ------
    ValueError
        If A has no row or no key, or a row does not sum to one.

    Notes
    -----
    osc(Av) ≤ δ(A) osc(v) for every v; δ(AB) ≤ δ(A) δ(B); abs(λ) ≤ δ(A) for every eigenvalue λ ≠ 1 (L5.2).
    Where some row is a point mass on token j, δ(A) = 1 − min_k A_kj exactly: for causal A the coefficient is always
    valid, yet reads only the first column. Report `mean_pairwise_tv` and `diversity_ratio` beside it.
    Invariant under row shifts of the scores and permutations of the tokens.

    References
    ----------
    Dobrushin 1956; Seneta 1981, *Non-negative Matrices and Markov Chains*.

    Examples
    --------
    >>> dobrushin([[0.5, 0.5], [0.25, 0.75]])
    0.25
    """
    return plain(_row_tv(A).max((-1, -2)))


def mean_pairwise_tv(A, *, skip=0):
    """The mean total variation over the pairs of different rows: how differently the queries look.

    Parameters
    ----------
    A : array_like, shape (…, n_query, n_key)
        Attention weights; rows sum to one.
    skip : int
        Leave out the first rows. Use 1 for causal heads: their first row is a point mass whatever the head does.

    Returns
    -------
    float or ndarray, shape (…)
        In [0, 1]; NaN where fewer than two rows are left.

    Raises
    ------
    ValueError
        If a row does not sum to one, or ``skip`` is negative.

    Notes
    -----
    At most `dobrushin`, which is the largest of the same numbers. Invariant under row shifts of the scores.

    Examples
    --------
    >>> mean_pairwise_tv([[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]], skip=1)
    0.5
    """
    skip = as_number(skip, "skip", low=0, integer=True)
    D = _row_tv(A)[..., skip:, skip:]
    n = D.shape[-1]
    return plain(D.sum((-1, -2)) / (n * (n - 1)) if n > 1 else np.full(D.shape[:-2], np.nan))


def _row_tv(A):
    """Total variations of all pairs of rows; rows of half precision weigh unequally until they are normalised."""
    A = as_weights(A)
    if A.ndim < 2:
        raise ValueError(f"A has shape {A.shape}; expected (…, n_query, n_key): one row has nothing to differ from")
    A = np.maximum(A, 0.0)
    A = A / A.sum(-1, keepdims=True)
    return np.minimum(_pairwise(A, lambda difference: np.abs(difference).sum(-1) / 2), 1.0)  # 1 + 2⁻⁵² is rounding


def _pairwise(rows, length):
    """Lengths of the differences of all pairs of rows, (…, n, n), without the (…, n, n, m) differences at once."""
    D = np.zeros((*rows.shape[:-1], rows.shape[-2]))
    for i in range(rows.shape[-2] - 1):
        D[..., i, i + 1 :] = D[..., i + 1 :, i] = length(rows[..., i + 1 :, :] - rows[..., i : i + 1, :])
    return D


def diversity_ratio(A, V):
    """How much of the spread of the values survives the mixture: ‖JAV‖_F / ‖JV‖_F with J = I − 11ᵀ/n.

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Attention weights; rows sum to one.
    V : array_like, shape (…, n, d)
        Values. Leading axes of A and V broadcast.

    Returns
    -------
    float or ndarray, shape (…)
        0 if all outputs are equal; NaN where the values are all equal (0/0).

    Raises
    ------
    ValueError
        If A is not square (cross-attention), a row does not sum to one, or V has another number of rows.

    Notes
    -----
    It may exceed 1: averaging does not expand the oscillation, but may expand the Frobenius spread, by at most
    ‖A‖₂ ≤ √(max column sum) (L5.3). At most 1 if A is doubly stochastic. It depends on V: not invariant under
    V → VM unless M is orthogonal up to a factor.

    Examples
    --------
    >>> diversity_ratio([[0.75, 0.25], [0.25, 0.75]], [[1.0, 0.0], [0.0, 1.0]])
    0.5
    """
    A, V = as_weights(A, square=True), as_rows(V, "V")
    if V.shape[-2] != A.shape[-1]:
        raise ValueError(f"A has shape {A.shape} and V has shape {V.shape}; expected one row of V for each key")
    V = V / np.maximum(np.abs(V).max((-2, -1), keepdims=True), np.finfo(float).tiny)  # no square overflows
    before, rounding = _spread(V), V.shape[-2] * np.finfo(float).eps * np.linalg.norm(V, axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return plain(np.where(before > rounding, _spread(A @ V) / before, np.nan))


def _spread(V):
    return np.linalg.norm(V - V.mean(-2, keepdims=True), axis=(-2, -1))


class RandomGap(NamedTuple):
    """Second singular value, second eigenvalue modulus and gap that independent scores lead one to expect."""

    sigma_2: float
    lambda_2: float
    slem_gap: float


def random_gap_null(n, s):
    """The gap that a head without any content has: rows softmaxed from independent N(0, s²) scores, no mask.

    With κ² = exp(s²) − 1, as n grows: σ₁ → 1, σ₂ ≈ 2κ/√n, abs(λ₂) ≈ κ/√n.

    Parameters
    ----------
    n : int ≥ 2
        Number of tokens.
    s : float ≥ 0
        Standard deviation of the scores (after the scale 1/√d_k).

    Returns
    -------
    RandomGap
        ``sigma_2``, ``lambda_2``, ``slem_gap`` = 1 − κ/√n; all NaN where 2κ/√n ≥ 1: the scores then spread too much
        for this n and the formula says nothing.

    Raises
    ------
    ValueError
        If n < 2 or s < 0.

    Notes
    -----
    Asymptotic in n at fixed s, Gaussian scores, no mask: for other cases simulate the null. A large gap at large n is
    what chance gives.

    References
    ----------
    Nait Saada, Naderi & Tanner 2025, *Mind the Gap*.

    Examples
    --------
    >>> [round(x, 4) for x in random_gap_null(400, 0.5)]
    [0.0533, 0.0266, 0.9734]
    """
    n, s = as_number(n, "n", low=2, integer=True), as_number(s, "s", low=0)
    radius = float(np.sqrt(np.expm1(min(s * s, 700.0)) / n))
    return RandomGap(2 * radius, radius, 1 - radius) if 2 * radius < 1 else RandomGap(np.nan, np.nan, np.nan)


def magnetic_laplacian(A, q):
    r"""The magnetic Laplacian, Hermitian and positive semidefinite, that keeps direction as a phase.

    .. math:: L = I - D_s^{-1/2} \big(A_s \odot e^{2\pi i q (A - A^\top)}\big) D_s^{-1/2},
              \qquad A_s = \tfrac12 (A + A^\top)

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Attention weights.
    q : float
        Charge. 0 forgets direction; any other value is a *choice* that must be reported.

    Returns
    -------
    ndarray of complex, shape (…, n, n)
        Eigenvalues in [0, 2].

    Raises
    ------
    ValueError
        If A is not square (cross-attention), or a row does not sum to one.

    Notes
    -----
    For weights the phase is 2πq(A_ij − A_ji): it mixes the strength of an edge with its direction. Invariant under
    row shifts of the scores and, as a spectrum, under permutations of the tokens.

    References
    ----------
    Zhang et al. 2021, *MagNet*.

    Examples
    --------
    >>> cycle = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    >>> np.linalg.eigvalsh(magnetic_laplacian(cycle, 0.25)).round(4).tolist()
    [0.134, 1.0, 1.866]
    """
    A = as_weights(A, square=True)
    transpose = np.swapaxes(A, -1, -2)
    A_s, phase = (A + transpose) / 2, np.exp(2j * np.pi * as_number(q, "q") * (A - transpose))
    root = np.sqrt(A_s.sum(-1))  # at least √½: every row of A sums to one
    return np.eye(A.shape[-1]) - A_s * phase / (root[..., :, None] * root[..., None, :])


def hitting_times(A):
    """Expected number of steps from i until the chain first stands on k.

    H(k→k) = 0 and H(i→k) = 1 + Σ_j A_ij H(j→k) for i ≠ k.

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Attention weights; rows sum to one.

    Returns
    -------
    ndarray, shape (…, n, n)
        H(i→k) in row i, column k; zero on the diagonal. NaN where the expectation is infinite, since the chain may
        end up where it never reaches k.

    Raises
    ------
    ValueError
        If A is not square (cross-attention), or a row does not sum to one.

    Notes
    -----
    On an irreducible chain: non-negative, zero only on the diagonal, H(i→k) ≤ H(i→j) + H(j→k), not symmetric: a
    quasimetric. For a causal head with positive weights only the column of token 0 is defined. Subtracts nothing, so
    that chains which are almost reducible keep their relative accuracy. Invariant under row shifts of the scores.

    Examples
    --------
    >>> hitting_times([[0, 1, 0], [0, 0, 1], [1, 0, 0]]).round(6).tolist()
    [[0.0, 1.0, 2.0], [2.0, 0.0, 1.0], [1.0, 2.0, 0.0]]
    """
    A = _chain(A)
    H = _hitting(A, np.ones(A.shape[:-1]))
    return np.where(np.isfinite(H), H, np.nan)


def _hitting(P, wait):
    """Hitting times of the chain P whose visits to i last ``wait[i]``; +∞ where the target may be missed.

    Half of the tokens are targets at a time. The others are taken out one by one, which leaves a chain on the targets
    with longer waits, and are put back by their first-step equations. Nothing is subtracted.
    """
    n = P.shape[-1]
    H = np.zeros(P.shape)
    for targets in (np.arange(n // 2), np.arange(n // 2, n)) if n > 1 else ():
        order, m = np.concatenate([targets, np.setdiff1d(np.arange(n), targets)]), len(targets)
        Q, w = P[..., order[:, None], order], wait[..., order]
        for e in range(n - 1, m - 1, -1):
            leave = Q[..., e, :e].sum(-1, keepdims=True)
            Q[..., e, :e] /= np.where(leave > 0, leave, 1.0)
            with np.errstate(divide="ignore", over="ignore"):
                w[..., e] /= leave[..., 0]
            w[..., :e] += _times(Q[..., :e, e], w[..., e, None])
            Q[..., :e, :e] += Q[..., :e, e, None] * Q[..., e, None, :e]
        h = np.empty((*P.shape[:-1], m))
        h[..., :m, :] = _hitting(Q[..., :m, :m], w[..., :m])
        for e in range(m, n):
            h[..., e, :] = w[..., e, None] + _times(Q[..., e, :e, None], h[..., :e, :]).sum(-2)
        H[..., order[:, None], targets] = h
    return H


def _times(weight, value):
    """The product, with 0 · ∞ = 0: what never happens costs nothing."""
    return np.multiply(weight, value, out=np.zeros(np.broadcast_shapes(weight.shape, value.shape)), where=weight > 0)


def commute_times(A):
    """Expected number of steps of the round trip, H(i→k) + H(k→i).

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Attention weights; rows sum to one.

    Returns
    -------
    ndarray, shape (…, n, n)
        Symmetric; NaN where one of the two hitting times is undefined (so for every pair of a causal head).

    Raises
    ------
    ValueError
        If A is not square (cross-attention), or a row does not sum to one.

    Notes
    -----
    A metric on the tokens of an irreducible chain, reversible or not. Invariant under row shifts of the scores; *not*
    under column shifts or under laziness: (I + A)/2 doubles it.

    Examples
    --------
    >>> commute_times([[0.5, 0.5], [0.25, 0.75]]).round(6).tolist()
    [[0.0, 6.0], [6.0, 0.0]]
    """
    H = hitting_times(A)
    return H + np.swapaxes(H, -1, -2)


def diffusion_distance(A, t):
    r"""Distance of the ``t``-step profiles of two tokens, weighted by the stationary law.

    .. math:: D_t(i, k)^2 = \sum_j \frac{\big((A^t)_{ij} - (A^t)_{kj}\big)^2}{\pi_j}

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Attention weights; rows sum to one.
    t : int ≥ 0
        Number of steps: a scale that the caller chooses and reports.

    Returns
    -------
    ndarray, shape (…, n, n)
        Symmetric, zero on the diagonal; all NaN where π is not unique and positive (so for every causal head).

    Raises
    ------
    ValueError
        If A is not square (cross-attention), a row does not sum to one, or t < 0.

    Notes
    -----
    A pseudometric: two tokens with equal rows of Aᵗ are at distance zero. On a reversible chain it is the Euclidean
    distance of diffusion coordinates. Invariant under row shifts of the scores; *not* under column shifts or a change
    of t.

    Examples
    --------
    >>> diffusion_distance([[0.75, 0.25], [0.25, 0.75]], 1).round(6).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    t = as_number(t, "t", low=0, integer=True)
    A = _chain(A)
    pi = _stationary(A, communicating_classes(A))
    D = np.full(A.shape, np.nan)
    positive = (np.nan_to_num(pi) > 0).all(-1)
    with one_thread(A.shape[-1]):
        profiles = np.linalg.matrix_power(A[positive], t) / np.sqrt(pi[positive])[:, None, :]
    D[positive] = _pairwise(profiles, lambda difference: np.sqrt((difference**2).sum(-1)))
    return D
