"""What a measurement is held against: nulls that each destroy one thing, intervals over texts, p-values for many heads.

Every null says what it keeps and what it destroys. The unit of a bootstrap is the text: tokens, rows and pairs of one
text are not independent. All randomness comes from ``rng``, a seed or a ``numpy.random.Generator``.
"""

import dataclasses
import math
from typing import NamedTuple

import numpy as np

from attention_geometry._inputs import as_array, as_mask, as_number, as_rng, as_rows, as_square, exponent
from attention_geometry._text import Report, plain, settle, undefined
from attention_geometry.attention import entropy, softmax
from attention_geometry.heads import _weights


def gaussian_factors(d, d_k, rng, *, batch=(), std=None):
    """Two independent Gaussian projections: a form that nothing has shaped.

    Entries of W_Q and W_K are independent N(0, std²).

    Keeps the shapes and the rank. Destroys everything else: spectrum, alignment of queries and keys, scale.

    Parameters
    ----------
    d, d_k : int
        Width of the tokens and of the head.
    rng : numpy.random.Generator or int
    batch : tuple of int
        Leading axes.
    std : float, optional
        Standard deviation of an entry; 1/√d by default, so that tokens with unit variance give unit-variance queries.

    Returns
    -------
    tuple of ndarray, shape (*batch, d, d_k)
        W_Q and W_K.

    Raises
    ------
    ValueError
        If a size is less than 1 or rng is None.

    Notes
    -----
    Not an initialisation: it knows nothing of the architecture, and its scores at unit-variance tokens have standard
    deviation near 1, while those of an initialised network are often flatter.

    Examples
    --------
    >>> W_Q, W_K = gaussian_factors(6, 2, rng=0)
    >>> W_Q.shape, W_K.shape
    ((6, 2), (6, 2))
    """
    d, d_k = as_number(d, "d", low=1, integer=True), as_number(d_k, "d_k", low=1, integer=True)
    std = d**-0.5 if std is None else as_number(std, "std", low=0)
    W_Q, W_K = std * as_rng(rng).standard_normal((2, *batch, d, d_k))
    return W_Q, W_K


def haar_rotated(W_Q, W_K, rng):
    """The form with its key side turned by a uniformly random rotation.

    ``B → B R`` with R Haar distributed on the orthogonal group, carried out as ``W_K → Rᵀ W_K``.

    Keeps W_Q, the inner products ``W_Kᵀ W_K``, hence every singular value, rank and effective rank of B. Destroys the
    alignment of queries and keys: symmetry, trace, eigenvalues, size of the positive and negative parts.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)
        The two factors; in a batch each is turned by a rotation of its own.
    rng : numpy.random.Generator or int

    Returns
    -------
    tuple of ndarray
        W_Q as it was, and the turned W_K.

    Raises
    ------
    ValueError
        If the shapes differ or rng is None.

    Notes
    -----
    The symmetry score tr(B²)/‖B‖² has mean 1/d under this null (`bilinear.haar_share_null`). A statistic of singular
    values alone cannot be tested with it: it does not move. No d × d matrix is formed: R acts on the column space of
    W_K, whose image is a uniformly random frame.

    Examples
    --------
    >>> W_Q, W_K = haar_rotated(np.eye(4)[:, :2], np.eye(4)[:, :2], rng=0)
    >>> print((W_K.T @ W_K).round(12) + 0.0)
    [[1. 0.]
     [0. 1.]]
    """
    W_Q, W_K = as_rows(W_Q, "W_Q"), as_rows(W_K, "W_K")
    if W_Q.shape[-2:] != W_K.shape[-2:]:
        raise ValueError(f"W_Q and W_K have shapes {W_Q.shape} and {W_K.shape}; expected the same (…, d, d_k)")
    frame = _haar_frame(as_rng(rng).standard_normal((*W_K.shape[:-2], W_K.shape[-2], min(W_K.shape[-2:]))))
    return W_Q.copy(), frame @ np.linalg.qr(W_K, mode="r")


def row_permuted(A, rng, *, mask=None):
    """Weights with each row's allowed weights off the diagonal in a random order.

    Keeps, in every row, the set of weights (entropy, largest weight) and the self-weight, exactly. Destroys *where* the
    row looks: columns, sinks, positions, content.

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Weights.
    rng : numpy.random.Generator or int
    mask : array_like of bool, optional
        True where the query may attend; weights stay within it.

    Returns
    -------
    ndarray, shape (…, n, n)

    Raises
    ------
    ValueError
        If A is not made of rows of weights, puts weight on a forbidden key, or rng is None.

    Examples
    --------
    >>> print(row_permuted(np.eye(3), rng=0))
    [[1. 0. 0.]
     [0. 1. 0.]
     [0. 0. 1.]]
    """
    A, allowed, *_ = _weights(A, mask)
    n = A.shape[-1]
    return _permuted_within(A, np.where(allowed & ~np.eye(n, dtype=bool), np.arange(n)[:, None], -1), as_rng(rng))


def offset_permuted(M, rng, *, mask=None, signed=True):
    """Scores with the allowed entries of each offset i − j in a random order.

    Keeps, for every offset, the set of entries (the position profile), exactly. Destroys which tokens they belong to:
    content, columns, sinks, rows.

    Parameters
    ----------
    M : array_like, shape (…, n, n)
        Scores or row-centred log weights. −inf is a value like any other, unless the mask forbids its place.
    rng : numpy.random.Generator or int
    mask : array_like of bool, optional
        True where the query may attend; entries move within it, and forbidden entries stay.
    signed : bool
        False pools i − j with j − i, which also destroys the difference between looking back and looking ahead.

    Returns
    -------
    ndarray, shape (…, n, n)

    Raises
    ------
    ValueError
        On NaN, if M is not square, or rng is None.

    Notes
    -----
    Permuting *weights* this way would break the sums of the rows, so permute scores and take the softmax after: then
    the profile of the scores is kept exactly and that of the weights only roughly. Scores are known up to a row
    shift; centre each row first, or the shifts travel too.

    Examples
    --------
    >>> print(offset_permuted([[0.0, 1.0, 2.0], [5.0, 0.0, 1.0], [6.0, 5.0, 0.0]], rng=0))
    [[0. 1. 2.]
     [5. 0. 1.]
     [6. 5. 0.]]
    """
    M = as_square(M, "M", minus_inf=True)
    n = M.shape[-1]
    offset = np.arange(n)[:, None] - np.arange(n) + n
    offset = offset if signed else np.abs(offset - n)
    return _permuted_within(M, np.where(as_mask(mask, M.shape), offset, -1), as_rng(rng))


class MatchedNoise(NamedTuple):
    """Noise as flat as a head: its weights, its scores (``softmax(scores)`` gives the weights), its temperature."""

    weights: np.ndarray
    scores: np.ndarray
    temperature: float


def temperature_matched(A, rng, *, mask=None):
    """Weights of Gaussian noise scores at the temperature where their mean row entropy is that of the head.

    ``softmax(G / T)`` with independent standard normal G and T solved from mean H(softmax(G / T)) = mean H(A).

    Keeps the mean entropy over the rows and the mask. Destroys everything else: which keys, any relation between rows,
    the spread of entropy over rows.

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Weights; each matrix of a batch gets noise and a temperature of its own.
    rng : numpy.random.Generator or int
    mask : array_like of bool, optional
        True where the query may attend.

    Returns
    -------
    MatchedNoise
        Named tuple ``(weights, scores, temperature)``.

    Raises
    ------
    ValueError
        As for `row_permuted`.

    Notes
    -----
    The entropy rises with T from 0 to the mean of log m over the rows (m allowed keys), so a solution exists; it is
    found by Newton's steps, kept between bounds, for T between e⁻⁴⁰ and e⁴⁰. Rates of violated axioms drift with
    flatness: untrained heads, trained heads and noise can be compared at one flatness only.

    Examples
    --------
    >>> noise = temperature_matched([[0.9, 0.1], [0.2, 0.8]], rng=0)
    >>> H = [float(entropy(W).mean()) for W in (noise.weights, [[0.9, 0.1], [0.2, 0.8]])]
    >>> print(round(H[0], 12) == round(H[1], 12))
    True
    """
    A, allowed, *_ = _weights(A, mask)
    G = as_rng(rng).standard_normal(A.shape)

    def weights(log_T):
        return softmax(G * np.exp(-log_T)[..., None, None], mask=allowed, empty_rows="zero")

    def flatness(W):
        total = W.sum(-1, keepdims=True)  # not quite 1 in half precision, 0 where no key is allowed
        return np.nan_to_num(entropy(W / np.where(total > 0, total, 1.0))).sum(-1)

    def slope(W, log_T):  # dH/dlog T = Var(G)/T² of each row
        mean = (W * G).sum(-1, keepdims=True)
        return ((W * (G - mean) ** 2).sum((-2, -1))) * np.exp(-2 * log_T)

    target = flatness(A)
    low, high = np.full(target.shape, -40.0), np.full(target.shape, 40.0)
    log_T = np.zeros(target.shape)
    for _ in range(128):
        W = weights(log_T)
        gap = flatness(W) - target
        low, high = np.where(gap > 0, low, log_T), np.where(gap > 0, log_T, high)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            newton = log_T - gap / slope(W, log_T)
        step = np.where((newton > low) & (newton < high), newton, (low + high) / 2) - log_T
        going = (np.abs(gap) > 1e-14 * target) & (np.abs(step) > 1e-14 * np.maximum(1.0, np.abs(log_T)))
        if not going.any():
            break
        log_T = np.where(going, log_T + step, log_T)
    return MatchedNoise(weights(log_T), G * np.exp(-log_T)[..., None, None], plain(np.exp(log_T)))


def shuffled_tokens(n, rng, *, fixed=()):
    """A random order of the tokens of a text.

    Keeps the tokens and how often each occurs, and the fixed positions. Destroys order: syntax, neighbours, and
    whatever a head knows of positions *through content*.

    Parameters
    ----------
    n : int
        Number of tokens.
    rng : numpy.random.Generator or int
    fixed : sequence of int
        Positions that stay, from 0; −1 is the last (special tokens such as a begin-of-text sign).

    Returns
    -------
    ndarray of int, shape (n,)
        A permutation: the new text is ``[tokens[i] for i in order]``. Run the model on it again.

    Raises
    ------
    ValueError
        If n < 1 or rng is None.

    Examples
    --------
    >>> order = shuffled_tokens(5, rng=0, fixed=[0, -1])
    >>> int(order[0]), int(order[-1]), sorted(order.tolist())
    (0, 4, [0, 1, 2, 3, 4])
    """
    order = np.arange(as_number(n, "n", low=1, integer=True))
    free = np.delete(order, list(fixed))
    order[free] = as_rng(rng).permutation(free)
    return order


def degree_preserving(G, rng, *, attempts=20):
    """A random graph with the same degrees, by switching the ends of pairs of edges.

    ``a → b, c → d`` become ``a → d, c → b`` unless that makes a loop or a double edge; a directed triangle may also
    turn round.

    Keeps every degree (in- and out-degree), self-loops, node data, the set of edge weights and, if directed, the
    weights that leave each node. Destroys triangles, clusters, distances, curvature beyond the degrees.

    Parameters
    ----------
    G : networkx.Graph or networkx.DiGraph
        Not changed.
    rng : numpy.random.Generator or int
    attempts : int
        Attempted switches for each edge. Refused switches count, so that every reachable graph is equally likely in the
        long run.

    Returns
    -------
    networkx.Graph or networkx.DiGraph
        A new graph of the same kind.

    Raises
    ------
    TypeError
        If G is no simple networkx graph.

    Notes
    -----
    A graph fixed by its degrees, such as a complete one, comes back as it was: then there is nothing to test.
    Plain Forman curvature is a function of the degrees, so its distribution over edges hardly moves.

    Examples
    --------
    >>> import networkx as nx
    >>> G = nx.cycle_graph(8)
    >>> H = degree_preserving(G, rng=0)
    >>> sorted(dict(H.degree).values()) == [2] * 8, H.number_of_edges()
    (True, 8)
    """
    if not hasattr(G, "is_multigraph") or G.is_multigraph():
        raise TypeError(f"G is a {type(G).__name__}; expected a networkx Graph or DiGraph")
    rng, directed = as_rng(rng), G.is_directed()
    ends = [(a, b) for a, b in G.edges if a != b]
    data = [G.edges[e] for e in ends]

    def name(a, b):
        return (a, b) if directed else frozenset((a, b))

    at = {name(*e): i for i, e in enumerate(ends)}
    attempts = as_number(attempts, "attempts", low=0, integer=True) * len(ends)
    picks = rng.integers(max(len(ends), 1), size=(attempts, 2)).tolist()
    for (i, j), flip in zip(picks, rng.integers(2, size=attempts).tolist()):
        (a, b), (c, d) = ends[i], ends[j]
        c, d = (d, c) if flip and not directed else (c, d)
        new = {i: (a, d), j: (c, b)}
        if directed and b == c and (d, a) in at:  # a → b → d → a: no switch, it would make a loop; turn it round
            new = {i: (a, d), j: (b, a), at[d, a]: (d, b)}
        if all(u != v and name(u, v) not in at for u, v in new.values()):
            for k in new:
                del at[name(*ends[k])]
            for k, e in new.items():
                ends[k], at[name(*e)] = e, k
    H = G.__class__()
    H.graph.update(G.graph)
    H.add_nodes_from(G.nodes(data=True))
    H.add_edges_from((a, b, G.edges[a, b]) for a, b in G.edges if a == b)
    H.add_edges_from((a, b, w) for (a, b), w in zip(ends, data))
    return H


def matched_spectrum_cloud(X, rng):
    """A Gaussian cloud with the spectrum of X, centred at 0, along random axes.

    ``Z = U Σ Vᵀ`` with Σ the singular values of the centred X and U, V uniformly random frames, U orthogonal to 1.

    Keeps n, d and, exactly, the singular values of the centred cloud, hence its participation ratio, IsoScore and
    effective ranks. Destroys the mean, the axes (single large coordinates), clusters and order.

    Parameters
    ----------
    X : array_like, shape (…, n, d)
        Points as rows.
    rng : numpy.random.Generator or int

    Returns
    -------
    ndarray, shape (…, n, d)

    Raises
    ------
    ValueError
        If X is empty, not finite, or rng is None.

    Notes
    -----
    This is the law of a Gaussian sample, in a randomly turned basis, given its singular values. It serves statistics of
    the mean and of single coordinates (mean cosine); for the spectrum itself, which it does not move, compare with
    isotropic Gaussian points of equal n and d.

    Examples
    --------
    >>> Z = matched_spectrum_cloud([[3.0, 0.0], [5.0, 0.0], [4.0, 1.0]], rng=0)
    >>> print(np.linalg.svd(Z, compute_uv=False).round(4), bool(np.allclose(Z.mean(0), 0)))
    [1.4142 0.8165] True
    """
    X = as_rows(X, "X")
    n, d = X.shape[-2:]
    r = min(n - 1, d)
    sizes = np.linalg.svd(X - X.mean(-2, keepdims=True), compute_uv=False)[..., None, :r]
    noise = as_rng(rng).standard_normal((*X.shape[:-2], n + d, r))
    left = _haar_frame(noise[..., :n, :] - noise[..., :n, :].mean(-2, keepdims=True))
    return left * sizes @ np.swapaxes(_haar_frame(noise[..., n:, :]), -1, -2)


@dataclasses.dataclass(frozen=True, repr=False)
class Interval(Report):
    """A statistic over texts, with its bootstrap interval.

    Attributes
    ----------
    estimate : float or ndarray
        The statistic of the texts at hand.
    low, high : float, ndarray or None
        Ends of the interval.
    standard_error : float, ndarray or None
        Standard deviation over the resamples.
    confidence : float
        Nominal coverage.
    texts, resamples : int
        Number of texts, and of resamples.
    method : str
        "percentile" or "bca".
    reasons : dict
        Why an end is undefined.
    """

    estimate: float
    low: float
    high: float
    standard_error: float
    confidence: float
    texts: int
    resamples: int
    method: str
    reasons: dict


def mean_over_texts(values):
    """Mean along the first axis, the statistic that `bootstrap_texts` uses unless told otherwise.

    Parameters
    ----------
    values : ndarray, shape (texts, …)

    Returns
    -------
    ndarray, shape (…)

    Examples
    --------
    >>> print(mean_over_texts(np.array([[1.0, 2.0], [3.0, 2.0]])))
    [2. 2.]
    """
    return values.mean(axis=0)


def bootstrap_texts(values, statistic=mean_over_texts, *, rng, resamples=2000, confidence=0.95, method="percentile"):
    """Interval for a statistic when the texts are a sample.

    Whole texts are drawn with replacement, and the statistic is computed anew from each draw.

    Parameters
    ----------
    values : array_like, shape (texts, …)
        One entry for each text; further axes (heads) share every draw, which keeps their dependence.
    statistic : callable
        Maps an array (texts, …) to a number or an array. Whatever is fitted must be fitted inside. For records that are
        no arrays pass ``numpy.arange(len(records))`` and look them up inside, with ``v.astype(int)``.
    rng : numpy.random.Generator or int
    resamples : int
        At least 1; 2000 for a 95 % interval.
    confidence : float in (0, 1)
        Nominal coverage.
    method : {"percentile", "bca"}
        "bca" corrects for bias and skewness (acceleration from the jackknife).

    Returns
    -------
    Interval
        Ends are None (NaN in a batch) for one text, or where the correction or the statistic is undefined.

    Raises
    ------
    ValueError
        On NaN: leave out texts without a value, and say how many. If an option is outside its range.

    Notes
    -----
    The unit is the text. Tokens, rows or pairs as units understate the error by the root of `design_effect`. With fewer
    than about ten texts either interval is too short. It says nothing about other models or seeds.

    Examples
    --------
    >>> bootstrap_texts([1.0, 2.0, 3.0, 6.0], rng=0, method="bca")
    Interval
      estimate        3
      low             1.5
      high            5.25
      standard_error  0.9174
      confidence      0.95
      texts           4
      resamples       2000
      method          bca
      reasons         {}
    """
    values, rng = as_array(values, "values", min_ndim=1), as_rng(rng)
    T, R = len(values), as_number(resamples, "resamples", low=1, integer=True)
    confidence = as_number(confidence, "confidence", low=0, high=1)
    if confidence in (0, 1):
        raise ValueError(f"confidence is {confidence:g}; expected a number strictly between 0 and 1")
    if values.size == 0 or method not in ("percentile", "bca"):
        raise ValueError(f"expected at least one text and method 'percentile' or 'bca', got {values.shape}, {method!r}")
    estimate = np.asarray(statistic(values), dtype=np.float64)
    boot = np.stack([np.asarray(statistic(values[draw]), dtype=np.float64) for draw in rng.integers(T, size=(R, T))])
    power = exponent(np.stack([estimate, *boot]), 0)[0]
    boot, unit = np.ldexp(boot, -power), np.ldexp(estimate, -power)  # exact, and squares stay in range
    levels = np.array([(1 - confidence) / 2, (1 + confidence) / 2]).reshape(2, *[1] * estimate.ndim)
    jackknife = unit[None]
    if method == "bca" and T > 1:
        jackknife = np.stack([np.asarray(statistic(np.delete(values, t, axis=0))) for t in range(T)])
        jackknife = np.ldexp(jackknife.astype(np.float64), -power)
        levels = _bca_levels(levels, boot, unit, jackknife)
    low, high = _quantiles(boot, levels) if T > 1 else np.full((2, *estimate.shape), np.nan)
    spread = boot.std(axis=0, ddof=1) if min(T, R) > 1 else np.full(estimate.shape, np.nan)
    low, high, spread = (np.ldexp(x, power) for x in (low, high, spread))
    one = (np.full(estimate.shape, T == 1), "one text shows no spread over texts")
    lost = (np.isnan(boot).any(0) | np.isnan(estimate), "the statistic is undefined for a draw of texts")
    left_out = (np.isnan(jackknife).any(0), "the statistic is undefined with one text left out, as 'bca' needs it")
    side = (np.isnan(low), "every draw lies on one side of the estimate")
    ends = one, lost, left_out, side
    reasons = undefined("estimate", (np.isnan(estimate), "the statistic is undefined for these texts"))
    for field, spec in (("low", ends), ("high", ends), ("standard_error", (one, lost))):
        reasons |= undefined(field, *spec)
    return Interval(*map(settle, (estimate, low, high, spread)), confidence, T, R, method, reasons)


@dataclasses.dataclass(frozen=True, repr=False)
class NullComparison(Report):
    """Where a value stands among the values of a null.

    Attributes
    ----------
    value, null_mean, null_sd : float or ndarray
        The value, and mean and standard deviation of the null.
    difference : float or ndarray
        value − null_mean, in native units: read this first.
    percentile : float or ndarray
        Per cent of the null below the value; ties count half.
    p_upper, p_lower, p_two_sided : float or ndarray
        ``(1 + #{null ≥ value})/(1 + m)``, the same with ≤, and twice the smaller (at most 1).
    draws : int
        m.
    reasons : dict
        Why a field is undefined.
    """

    value: float
    null_mean: float
    null_sd: float
    difference: float
    percentile: float
    p_upper: float
    p_lower: float
    p_two_sided: float
    draws: int
    reasons: dict


def percentile_against(value, null_values):
    """Place of a value among draws from a null, with p-values that are never 0.

    ``p = (1 + #{null ≥ value}) / (1 + m)``.

    Parameters
    ----------
    value : array_like, shape (…)
        The measured value, or one for each head.
    null_values : array_like, shape (m, …)
        The same statistic of m draws from the null.

    Returns
    -------
    NullComparison

    Raises
    ------
    ValueError
        If there is no draw or shapes do not fit.

    Notes
    -----
    The value counts as one of the draws, so p ≥ 1/(1 + m): a test at level α over k heads needs `draws_needed`. Draws
    that differ from the value by rounding count as ties: by 1e-12 of the largest of them all, or by 2e-16, the rounding
    of numbers near 1. Do not pass statistics in so small a unit.

    Examples
    --------
    >>> found = percentile_against(3.0, [0.0, 1.0, 2.0, 3.0])
    >>> found.percentile, found.p_upper, found.difference
    (87.5, 0.4, 1.5)
    """
    value, null = as_array(value, "value").copy(), as_array(null_values, "null_values", min_ndim=1)
    if null.size == 0 or null.shape[1:] != value.shape:
        raise ValueError(
            f"value and null_values have shapes {value.shape} and {null.shape}; expected (…), (m, …), at least one draw"
        )
    m, above, below = len(null), _reaches(null, value), _reaches(-null, -value)
    upper, lower = (1 + above.sum(0)) / (1 + m), (1 + below.sum(0)) / (1 + m)
    percentile = 100 * (below.mean(0) - (above & below).mean(0) / 2)
    power = exponent(null, 0)
    unit = np.ldexp(null, -power)  # exact, and squares stay in range
    sd = np.ldexp(unit.std(0, ddof=1), power[0]) if m > 1 else np.full(value.shape, np.nan)
    mean = np.ldexp(unit.mean(0), power[0])
    two_sided = np.minimum(1, 2 * np.minimum(upper, lower))
    reasons = undefined("null_sd", (np.isnan(sd), "one draw shows no spread"))
    return NullComparison(
        *map(settle, (value, mean, sd, value - mean, percentile, upper, lower, two_sided)), m, reasons
    )


def max_t(observed, null):
    """P-values for many heads at once that control the chance of any false finding.

    Step-down: the head with the k-th largest statistic is held against the largest of the heads ranked k or lower,
    ``p = (1 + #{max ≥ observed}) / (1 + m)``, made non-decreasing.

    Parameters
    ----------
    observed : array_like, shape (heads,)
        Statistics on one scale (standardised), large = extreme; absolute values for two-sided tests.
    null : array_like, shape (m, heads)
        The same for m draws in which all heads are drawn *together*.

    Returns
    -------
    ndarray, shape (heads,)
        Adjusted p-values.

    Raises
    ------
    ValueError
        If shapes do not fit or there is no draw.

    Notes
    -----
    Uses the dependence between heads instead of assuming the worst, as Bonferroni does: ten copies of one head count
    once. The smallest p-value answers "does any head …?".

    References
    ----------
    Westfall & Young 1993.

    Examples
    --------
    >>> print(max_t([3.0, 1.0], null=[[0.0, 2.0], [1.0, 0.0], [0.0, 0.0]]))
    [0.25 0.5 ]
    """
    observed, null = as_array(observed, "observed", ndim=1), as_array(null, "null", ndim=2)
    if null.shape[1] != len(observed) or 0 in null.shape:
        raise ValueError(
            f"observed and null have shapes {observed.shape} and {null.shape}; expected (k,), (m, k), at least one each"
        )
    order = np.argsort(-observed, kind="stable")
    rest = np.maximum.accumulate(null[:, order[::-1]], axis=1)[:, ::-1]  # largest of this head and those ranked lower
    p = (1 + _reaches(rest, observed[order]).sum(0)) / (1 + len(null))
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(p)
    return adjusted


def adjusted_p(p, *, method):
    """P-values adjusted for their number, to be compared with the level directly.

    "bh" and "by": ``min over ranks r ≥ rank of p_(r) · k · c / r``, c = 1 or H_k; "bonferroni": ``k p``; at most 1.

    Parameters
    ----------
    p : array_like, shape (k,)
        P-values of k tests.
    method : {"bh", "by", "bonferroni"}
        False discovery rate under independence or positive dependence ("bh") or any dependence ("by"), or the
        chance of any false finding.

    Returns
    -------
    ndarray, shape (k,)

    Raises
    ------
    ValueError
        If p lies outside [0, 1] or the method is unknown.

    Notes
    -----
    Heads of one layer are dependent: "by" or a permutation (`max_t`).

    References
    ----------
    Benjamini & Hochberg 1995.

    Examples
    --------
    >>> print(adjusted_p([0.01, 0.04, 0.03], method="bh"))
    [0.03 0.04 0.04]
    """
    p = as_array(p, "p", ndim=1)
    if method not in ("bh", "by", "bonferroni") or p.min(initial=0) < 0 or p.max(initial=0) > 1:
        raise ValueError(f"expected p in [0, 1] and method 'bh', 'by' or 'bonferroni', got {method!r}")
    k, order = len(p), np.argsort(-p)
    ranks = np.arange(k, 0, -1) if method != "bonferroni" else 1.0
    factor = (1 / np.arange(1, k + 1)).sum() if method == "by" else 1.0
    steps = p[order] * k * factor / ranks
    adjusted = np.empty(k)
    adjusted[order] = np.minimum(1, steps if method == "bonferroni" else np.minimum.accumulate(steps))
    return adjusted


def draws_needed(tests, *, level=0.05):
    """Smallest number of null draws whose p-values can pass a Bonferroni threshold.

    ``m = ⌈tests / level⌉ − 1``, from ``1/(1 + m) ≤ level/tests``.

    Parameters
    ----------
    tests : int
        Number of heads tested.
    level : float in (0, 1]
        Chance of any false finding.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If tests < 1 or the level is not in (0, 1].

    Examples
    --------
    >>> draws_needed(144)
    2879
    """
    level = as_number(level, "level", low=1e-300, high=1)
    return math.ceil(as_number(tests, "tests", low=1, integer=True) / level - 1e-9) - 1


def design_effect(m, rho):
    """Factor by which dependence within texts inflates the variance of a mean.

    ``1 + (m − 1) ρ`` for m tokens a text with correlation ρ between tokens of one text.

    Parameters
    ----------
    m : int
        Tokens (rows, pairs) in a text.
    rho : float in [−1, 1]
        Intraclass correlation.

    Returns
    -------
    float
        Divide the number of tokens by it for the number of independent ones that would be worth as much.

    Raises
    ------
    ValueError
        If m < 1, or rho < −1/(m − 1), which no m variables can have.

    References
    ----------
    Hurlbert 1984.

    Examples
    --------
    >>> round(2000 / design_effect(100, 0.1))  # 2000 tokens from 20 texts
    183
    """
    m = as_number(m, "m", low=1, integer=True)
    return 1 + (m - 1) * as_number(rho, "rho", low=-1 / max(m - 1, 1), high=1)


def _permuted_within(M, labels, rng):
    """Entries of each matrix in a random order within equal labels; those labelled −1 stay."""
    flat = M.reshape(*M.shape[:-2], -1)
    labels = np.broadcast_to(labels, M.shape).reshape(flat.shape)
    labels = np.where(labels < 0, -1 - np.arange(flat.shape[-1]), labels)
    moved = np.take_along_axis(flat, np.lexsort((rng.random(flat.shape), labels), axis=-1), -1)
    out = np.empty_like(flat)
    np.put_along_axis(out, np.argsort(labels, axis=-1, kind="stable"), moved, -1)
    return out.reshape(M.shape)


def _haar_frame(noise):
    """Uniformly distributed orthonormal columns from Gaussian ones: QR with the diagonal of R made positive."""
    Q, R = np.linalg.qr(noise)
    return Q * np.where(np.diagonal(R, axis1=-2, axis2=-1) < 0, -1.0, 1.0)[..., None, :]


def _reaches(null, value):
    """Null draws at or above the value, up to rounding: of the numbers themselves, or of terms near 1 that cancel."""
    largest = np.maximum(np.abs(value), np.abs(null).max(0))
    return null >= value - np.maximum(1e-12 * largest, np.finfo(float).eps)


def _bca_levels(levels, boot, estimate, jackknife):
    """Quantile levels corrected for the bias z₀ and the acceleration a."""
    from scipy.special import ndtr, ndtri

    bias = ndtri(((boot < estimate).mean(0) + (boot <= estimate).mean(0)) / 2)
    bias = np.where(np.isinf(bias), np.nan, bias)
    gap = jackknife.mean(0) - jackknife
    spread = (gap**2).sum(0) ** 1.5
    acceleration = (gap**3).sum(0) / np.where(spread > 0, 6 * spread, 1.0)
    with np.errstate(invalid="ignore"):
        shifted = bias + ndtri(levels)
        return ndtr(bias + shifted / (1 - acceleration * shifted))


def _quantiles(boot, levels):
    """Linear-interpolated quantiles along the first axis, each entry at levels of its own; NaN where either is NaN."""
    ordered, place = np.sort(boot, axis=0), np.broadcast_to(levels, (2, *boot.shape[1:])) * (len(boot) - 1)
    low = np.floor(np.nan_to_num(place)).astype(int)
    a, b = (np.take_along_axis(ordered, np.minimum(k, len(boot) - 1), 0) for k in (low, low + 1))
    return np.where(np.isnan(boot).any(0), np.nan, a + (place - low) * (b - a))
