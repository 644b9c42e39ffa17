"""What a head does, as numbers with a baseline (previous token, induction, sink, position, …), and how heads differ.

Every score stands beside the value that uniform attention over the allowed keys would have at the same entries.
"""

import dataclasses

import numpy as np

from attention_geometry._candidates import jensen_shannon
from attention_geometry._inputs import as_mask, as_number, as_rows, as_square, as_weights, exponent
from attention_geometry._text import Report, as_tokens, plain, settle, undefined

#: Rounding error of a sum, as a share of the largest term, for each term.
_ROUNDING = np.finfo(np.float64).eps


@dataclasses.dataclass(frozen=True, repr=False)
class HeadScore(Report):
    """A score of one head or of a batch of heads, beside its baseline.

    Attributes
    ----------
    value : float, ndarray of one number per head, or None
        The score; None (NaN in a batch) where no row has an entry to read.
    baseline : float, ndarray or None
        What uniform attention over the allowed keys scores.
    baseline_of : str
        Over which keys it is uniform: every key, the causal ones, or those of another mask.
    count : int or ndarray
        Number of rows averaged; a row with no allowed target is left out. (Of eigenvalues, for `copying_score`.)
    reasons : dict
        Why a field is undefined, or what to mind.
    """

    value: float
    baseline: float
    baseline_of: str
    count: int
    reasons: dict


def previous_token_score(A, *, mask=None):
    """Mean weight on the token before.

    mean over i ≥ 2 of ``A_{i,i−1}``.

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Weights. A row of zeros (a query with no allowed key) is left out.
    mask : array_like of bool, shape (…, n, n), optional
        True where the query may attend; all keys by default. For a causal head pass ``causal_mask(n)``: it sets the
        baseline, ``(H_n − 1)/(n − 1)`` with the harmonic number H_n.

    Returns
    -------
    HeadScore

    Raises
    ------
    ValueError
        If A is not made of rows of weights, or puts weight on a key that the mask forbids.

    Notes
    -----
    1 for a head that always looks one token back. It reads positions only: the same number arises whether the
    head reads positions or the content happens to line up (see `positional_share`). *Not* invariant under permuting
    the tokens; value and baseline drift with n.

    Examples
    --------
    >>> from attention_geometry.attention import causal_mask, softmax
    >>> previous_token_score(softmax(np.zeros((4, 4)), mask=causal_mask(4)), mask=causal_mask(4))
    HeadScore
      value        0.3611
      baseline     0.3611
      baseline_of  uniform over the causal keys
      count        3
      reasons      {}
    """
    return _mass_on(lambda n: np.eye(n, k=-1, dtype=bool), A, mask, "no row may attend to the token before it")


def next_token_score(A, *, mask=None):
    """Mean weight on the token after.

    mean over i ≤ n − 1 of ``A_{i,i+1}``.

    Parameters
    ----------
    A, mask
        As for `previous_token_score`.

    Returns
    -------
    HeadScore
        Undefined under a causal mask, which forbids every next token.

    Raises
    ------
    ValueError
        As for `previous_token_score`.

    Notes
    -----
    *Not* invariant under permuting the tokens; value and baseline drift with n.

    Examples
    --------
    >>> next_token_score([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]).value
    1.0
    """
    return _mass_on(lambda n: np.eye(n, k=1, dtype=bool), A, mask, "no row may attend to the token after it")


def duplicate_token_score(A, tokens, *, mask=None):
    """Mean weight on the other occurrences of the same token.

    mean over the rows i that have one of ``Σ A_ij`` over j ≠ i, token j = token i, j allowed.

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Weights of heads that read the same text.
    tokens : sequence of n tokens
        Strings or ids.
    mask : array_like of bool, optional
        As for `previous_token_score`. A causal mask leaves the earlier occurrences only.

    Returns
    -------
    HeadScore
        Undefined where no token occurs twice.

    Raises
    ------
    ValueError
        As for `previous_token_score`, or if the number of tokens is not n.

    Notes
    -----
    *Not* invariant under permuting the tokens where a mask leaves the earlier occurrences only (without a mask it is,
    if A is permuted along); value and baseline drift with n.

    Examples
    --------
    >>> score = duplicate_token_score([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], tokens=["a", "b", "a"])
    >>> score.value, round(score.baseline, 4), score.count
    (1.0, 0.3333, 2)
    """

    def twins(n):
        names = np.array(as_tokens(tokens, n), dtype=object)  # a NumPy string would lose a NUL at its end
        return (names[:, None] == names) & ~np.eye(n, dtype=bool)

    return _mass_on(twins, A, mask, "no token has another allowed occurrence")


def induction_score(A, period, *, start=0, mask=None):
    """Mean weight on the token after the previous occurrence, on a block of tokens that is repeated once.

    mean over the rows i of the second block of ``A_{i,i−L+1}``, L the period.

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Weights on the text: ``start`` tokens such as a begin-of-text sign, a block of L tokens, the block again.
    period : int
        Length L of the block, at least 1.
    start : int
        Number of tokens before the first block.
    mask : array_like of bool, optional
        As for `previous_token_score`. With a causal mask and ``start=0`` the baseline is ``(H_2L − H_L)/L``.

    Returns
    -------
    HeadScore

    Raises
    ------
    ValueError
        As for `previous_token_score`, or if n leaves no second block or reaches into a third one.

    Notes
    -----
    Prefix matching only. An *induction head* also copies (`copying_score`), and the claim that it drives a prediction
    needs an ablation. The block should hold distinct random tokens, drawn anew for each text, and the period
    should vary: a head that looks back a fixed number of tokens has score 1 on one period. *Not* invariant under
    permuting the tokens; value and baseline drift with n.

    Two copies, not four: Olsson et al. repeat 25 tokens four times after a begin-of-text sign, where the mass of a row
    splits over one to three targets, so that the mean over their entries cannot reach 1. Its baseline is 0.0154, and
    0.0307 for the sum over the targets of a row.

    References
    ----------
    Olsson et al. 2022, *In-context Learning and Induction Heads*.

    Examples
    --------
    >>> A = np.tri(4) / np.arange(1, 5)[:, None]
    >>> score = induction_score(A, period=2, mask=np.tri(4, dtype=bool))
    >>> print(round(24 * score.value, 12), round(24 * score.baseline, 12))
    7.0 7.0
    """
    L = as_number(period, "period", low=1, integer=True)
    start = as_number(start, "start", low=0, integer=True)

    def follower(n):
        if not start + L < n <= start + 2 * L:
            raise ValueError(
                f"{n} tokens with start={start} and period={L}; expected more than {start + L} (a second block) and at "
                f"most {start + 2 * L} (a third copy splits the mass)"
            )
        rows = np.arange(n)[:, None]
        return (np.arange(n) == rows - L + 1) & (rows >= start + L)

    return _mass_on(follower, A, mask, "no row may attend to the token after the previous occurrence")


@dataclasses.dataclass(frozen=True, repr=False)
class SinkScore(Report):
    """How much weight the first token receives, and how many heads are sinks.

    Attributes
    ----------
    value : float or ndarray
        Mean weight on the first token, one per head.
    baseline : float or ndarray
        The same for uniform attention over the allowed keys; H_T/T for a causal mask.
    share : float or None
        Share of the heads with value > ``threshold``; None where uniform attention would pass it.
    threshold : float
        The threshold ε.
    length : int
        The number T of tokens the mean runs over.
    baseline_of : str
        Over which keys it is uniform.
    reasons : dict
        Why a field is undefined, or what to mind.
    """

    value: float
    baseline: float
    share: float
    threshold: float
    length: int
    baseline_of: str
    reasons: dict


def sink_score(A, *, threshold=0.3, length=64, mask=None):
    """Mean weight on the first token, and the share of heads where it exceeds a threshold.

    ``(1/T) Σ_i A_i1 > ε`` with T = 64 and ε = 0.3 by convention.

    Parameters
    ----------
    A : array_like, shape (…, n, n)
        Weights; the leading axes are the heads (and texts) over which the share is taken.
    threshold : float in [0, 1]
        ε.
    length : int
        T. A causal head is read on its first T tokens; otherwise, or for n < T, all n tokens are used and ``reasons``
        says so.
    mask : array_like of bool, optional
        As for `previous_token_score`.

    Returns
    -------
    SinkScore

    Raises
    ------
    ValueError
        As for `previous_token_score`.

    Notes
    -----
    The length matters: the baseline of a causal head is 0.074 at T = 64 and 0.340, above the usual threshold, at
    T = 8. *Not* invariant under permuting the tokens. A sink need not be idle: what it adds is measured by
    `explanation.contribution_norms`.

    References
    ----------
    Xiao et al. 2024, *Efficient Streaming Language Models with Attention Sinks*. Gu et al. 2025, *When Attention Sink
    Emerges in Language Models*.

    Examples
    --------
    >>> uniform, first = np.tri(64) / np.arange(1, 65)[:, None], np.eye(1, 64).repeat(64, axis=0)
    >>> score = sink_score([uniform, first], mask=np.tri(64, dtype=bool))
    >>> print(score.value.round(4), score.share)
    [0.0741 1.    ] 0.5
    """
    A, allowed, over, reasons = _weights(A, mask)
    threshold = as_number(threshold, "threshold", low=0, high=1)
    T, n = as_number(length, "length", low=1, integer=True), A.shape[-1]
    if over == "uniform over the causal keys" and n > T:
        A, allowed = A[..., :T, :T], allowed[..., :T, :T]
    elif n != T:
        reasons["length"] = f"{n} tokens, not {T}: compare with the baseline, not with published shares"
    first = np.arange(A.shape[-1]) == 0
    value, baseline, rows = _row_mean(A, allowed, allowed.any(-1, keepdims=True) & first)
    none = (rows == 0, "no row has an allowed key")
    passed = (np.any(baseline > threshold), f"uniform attention itself passes the threshold {threshold:g}")
    undefined_share = undefined("share", (np.any(none[0]), none[1]), passed)
    reasons |= undefined("value", none) | undefined("baseline", none) | undefined_share
    share = None if undefined_share else float((value > threshold).mean())
    return SinkScore(settle(value), settle(baseline), share, threshold, A.shape[-1], over, reasons)


@dataclasses.dataclass(frozen=True, repr=False)
class PositionalShare(Report):
    """How much of the variance of the scores is a function of the two positions alone.

    Attributes
    ----------
    value : float, ndarray or None
        ``(raw − 1/T)/(1 − 1/T)``: 0 on average without a positional signal, 1 for scores that every text shares. It may
        come out negative and is not clipped.
    raw : float, ndarray or None
        Variance of the mean over texts, over the mean variance.
    baseline : float
        1/T, what ``raw`` is on average without a positional signal.
    texts : int
        T.
    reasons : dict
        Why a field is undefined.
    """

    value: float
    raw: float
    baseline: float
    texts: int
    reasons: dict


def positional_share(S, *, mask=None):
    """Share of the row-centred scores that is the same in every text.

    ``R² = ‖mean_t Z_t‖² / mean_t ‖Z_t‖²``, Z the scores minus their mean over the allowed keys of the row; corrected
    for the 1/T that T texts without any positional signal give.

    Parameters
    ----------
    S : array_like, shape (T, …, n, n)
        Scores of T texts of equal length, first axis texts; further axes are heads.
    mask : array_like of bool, shape (n, n), optional
        True where the query may attend, the same in every text.

    Returns
    -------
    PositionalShare

    Raises
    ------
    ValueError
        On NaN or infinite scores: pass those before the mask, and the mask apart.

    Notes
    -----
    Row-centring makes it invariant under a row shift, so it can be computed from log weights too. The texts
    must be independent: what they share in *content* at fixed positions (a common first word, one layout) counts as
    position. Random-token texts isolate position.

    Examples
    --------
    >>> same = [[0.0, 1.0], [2.0, 0.0]]
    >>> positional_share([same, same]).value
    1.0
    """
    S = as_square(S, "S")
    if S.ndim < 3 or len(S) == 0:
        raise ValueError(f"S has shape {S.shape}; expected (texts, …, n, n), at least one text on the first axis")
    allowed = as_mask(mask, S.shape[-2:])
    S = np.ldexp(S, -exponent(S, (0, -2, -1)))  # the share does not mind, and squares stay in range
    Z = np.where(allowed, S - _ratio((S * allowed).sum(-1), allowed.sum(-1))[..., None], 0.0)
    T = len(Z)
    largest = np.where(allowed, np.abs(S), 0.0).max((-2, -1)).max(0)  # of each head
    total, noise = (Z**2).sum((-2, -1)).mean(0), (_ROUNDING * allowed.sum() * largest) ** 2
    raw = _ratio((Z.mean(0) ** 2).sum((-2, -1)), np.where(total > noise, total, 0.0))
    value = (raw - 1 / T) / (1 - 1 / T) if T > 1 else np.full_like(raw, np.nan)
    flat, one = np.isnan(raw), np.full(raw.shape, T == 1)
    cases = (flat, "every row of scores is flat"), (one, "one text cannot tell position from content")
    reasons = undefined("raw", cases[0]) | undefined("value", *cases)
    return PositionalShare(settle(value), settle(raw), 1 / T, T, reasons)


def head_distance(A):
    """Distance between every two heads that read the same text.

    mean over the rows i of ``√JSD(A_i, A′_i)``, with the Jensen–Shannon divergence in nats.

    Parameters
    ----------
    A : array_like, shape (…, H, n_query, n_key)
        Weights of H heads. Rows of zeros (no allowed key) must be the same in all heads and are left out.

    Returns
    -------
    ndarray, shape (…, H, H)
        Symmetric, zero on the diagonal, at most √ln 2; NaN if there is no row.

    Raises
    ------
    ValueError
        If A is not made of rows of weights, or a row is empty in one head only.

    Notes
    -----
    A pseudometric on heads, since √JSD is a metric on rows and a mean of metrics is one; so is the mean over texts. The
    sum of JSD without the root violates the triangle inequality. Never compare W_Q of two heads: each may change its
    basis alone.

    References
    ----------
    Endres & Schindelin 2003, *A new metric for probability distributions*. Clark et al. 2019, *What Does BERT Look At?*

    Examples
    --------
    >>> D = head_distance([[[1.0, 0.0]], [[0.0, 1.0]]])
    >>> bool(np.isclose(D[0, 1] ** 2, np.log(2)))
    True
    """
    A = as_weights(A, empty_rows="keep")
    if A.ndim < 3:
        raise ValueError(f"A has shape {A.shape}; expected (…, heads, n_query, n_key)")
    live = A.any(-1)
    if (live != live[..., :1, :]).any():
        raise ValueError("a row is empty in one head and not in another; compare heads under one mask")
    D = np.zeros((*A.shape[:-2], A.shape[-3]))
    for h in range(A.shape[-3]):
        D[..., h, h:] = D[..., h:, h] = np.sqrt(jensen_shannon(A[..., [h], :, :], A[..., h:, :, :])).sum(-1)
    return _ratio(D, live.sum(-1)[..., None])


def linear_cka(X, Y, *, debiased=False):
    """Similarity of two sets of outputs for the same tokens, blind to rotations and scale.

    ``‖YᵀX‖² / (‖XᵀX‖ ‖YᵀY‖)`` with centred columns and Frobenius norms.

    Parameters
    ----------
    X, Y : array_like, shapes (…, n, d) and (…, n, d′)
        Outputs as rows, for the same n tokens.
    debiased : bool
        Use the unbiased estimate of each of the three terms, which needs n ≥ 4.

    Returns
    -------
    float or ndarray
        In [0, 1]; the debiased value may be negative. NaN where X or Y is constant.

    Raises
    ------
    ValueError
        If X and Y have different numbers of tokens, or fewer than 4 with ``debiased``.

    Notes
    -----
    Invariant under orthogonal maps and scale of either side, *not* under general linear ones. For one column each it
    is r². The plain value is biased upwards when n is not much larger than d: independent Gaussian
    clouds of one width d have about d / (n − 1 + d), ½ at n = d and near 1 for n ≪ d. Debias, or compare with
    independent clouds of equal shape.

    References
    ----------
    Kornblith et al. 2019, *Similarity of Neural Network Representations Revisited*.

    Examples
    --------
    >>> round(28 * linear_cka([[1.0], [2.0], [3.0]], [[1.0], [2.0], [4.0]]), 12)
    27.0
    """
    X, Y = as_rows(X, "X"), as_rows(Y, "Y")
    n = X.shape[-2]
    if Y.shape[-2] != n or (debiased and n < 4):
        raise ValueError(f"X and Y have shapes {X.shape} and {Y.shape}; expected the same tokens, 4 or more to debias")
    K, L = (Z @ np.swapaxes(Z, -1, -2) for Z in (_unit_scale(X), _unit_scale(Y)))
    K, L = (G * ~np.eye(n, dtype=bool) for G in (K, L)) if debiased else (K, L)

    def product(K, L):
        if not debiased:
            return (K * L).sum((-2, -1))
        mean = K.sum((-2, -1)) * L.sum((-2, -1)) / ((n - 1) * (n - 2))
        return (K * L).sum((-2, -1)) + mean - 2 / (n - 2) * (K.sum(-1) * L.sum(-1)).sum(-1)

    own = product(K, K) * product(L, L)
    return plain(_ratio(product(K, L), np.sqrt(np.where(own > 0, own, 0.0))))


def copying_score(W_V, W_O, *, W_E=None, W_U=None):
    """How far a head's value and output matrices write back what they read.

    ``Σ λ / Σ |λ|`` over the eigenvalues of ``W_E W_V W_O W_U``, or of ``W_V W_O`` without embeddings.

    Parameters
    ----------
    W_V, W_O : array_like, shapes (…, d, d_v) and (…, d_v, d)
        The head's value and output matrices.
    W_E, W_U : array_like, shapes (vocabulary, d) and (d, vocabulary), optional
        Embedding and unembedding, both or neither: with them the score is in token space.

    Returns
    -------
    HeadScore
        Between −1 and 1; the baseline 0 is the mean for random matrices (changing the sign of W_O changes the sign).

    Raises
    ------
    ValueError
        If shapes do not fit, or only one of W_E and W_U is given.

    Notes
    -----
    The eigenvalues other than 0 are those of the d_v × d_v matrix ``W_O W_U W_E W_V``; no larger one is formed.
    Invariant under ``W_V → W_V M, W_O → M⁻¹ W_O`` and, without embeddings, under every change of the residual basis.
    Layer normalisation is left out: fold its gain in first.

    References
    ----------
    Elhage et al. 2021, *A Mathematical Framework for Transformer Circuits*.

    Examples
    --------
    >>> copying_score([[1.0], [0.0]], [[2.0, 5.0]]).value, copying_score([[1.0], [0.0]], [[-2.0, 5.0]]).value
    (1.0, -1.0)
    """
    W_V, W_O = as_rows(W_V, "W_V"), as_rows(W_O, "W_O")
    if W_V.shape[-2:] != W_O.shape[:-3:-1] or (W_E is None) != (W_U is None):
        raise ValueError(
            f"W_V and W_O have shapes {W_V.shape} and {W_O.shape}; expected (…, d, d_v), (…, d_v, d), and W_E with W_U"
        )
    factors = [W_O, W_V] if W_E is None else [W_O, as_rows(W_U, "W_U"), as_rows(W_E, "W_E"), W_V]
    factors = [np.ldexp(M, -exponent(M, (-2, -1))) for M in factors]  # the score does not mind
    left, right = factors if W_E is None else (factors[0] @ factors[1], factors[2] @ factors[3])
    values = np.linalg.eigvals(left @ right)
    total = np.abs(values).sum(-1)
    noise = _ROUNDING * W_V.shape[-1] * np.linalg.norm(left, axis=(-2, -1)) * np.linalg.norm(right, axis=(-2, -1))
    score = _ratio(values.sum(-1).real, np.where(total > noise, total, 0.0))
    reasons = undefined("value", (np.isnan(score), "every eigenvalue is 0"))
    return HeadScore(settle(score), 0.0, "random matrices", W_V.shape[-1], reasons)


def _weights(A, mask):
    """Weights, what is allowed in the rows that have anything, the name of the mask, and what to mind about it."""
    A = as_weights(A, square=True, empty_rows="keep")
    allowed, causal = as_mask(mask, A.shape), np.tri(A.shape[-1], dtype=bool)
    leak = np.where(allowed, 0.0, A)
    if leak.any():
        where = tuple(int(i) for i in np.unravel_index(int(leak.argmax()), leak.shape))
        raise ValueError(
            f"A puts weight {leak.max():.4g} on index {where}, which the mask forbids; is this the mask that made A?"
        )
    keys = "every key" if allowed.all() else "the causal keys" if (allowed == causal).all() else "the keys of the mask"
    hint = mask is None and A.shape[-1] > 1 and not np.where(causal, 0.0, A).any()
    reasons = {"baseline": "all weights after the diagonal are 0; if the head is causal, pass its mask"} if hint else {}
    return A, allowed & A.any(-1, keepdims=True), f"uniform over {keys}", reasons


def _row_mean(A, allowed, targets):
    """Mean mass on the targets, over the rows that have one, of A and of uniform weights; and the number of rows."""
    rows = targets.any(-1).sum(-1)
    uniform = allowed / np.maximum(allowed.sum(-1, keepdims=True), 1)
    return *(_ratio((M * targets).sum((-2, -1)), rows) for M in (A, uniform)), rows


def _mass_on(targets, A, mask, nothing):
    A, allowed, over, reasons = _weights(A, mask)
    value, baseline, rows = _row_mean(A, allowed, allowed & targets(A.shape[-1]))
    reasons |= undefined("value", (rows == 0, nothing)) | undefined("baseline", (rows == 0, nothing))
    return HeadScore(settle(value), settle(baseline), over, plain(rows), reasons)


def _ratio(a, b):
    """a / b, NaN where b is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(b == 0, np.nan, a / b)


def _unit_scale(X):
    """Centred columns, scaled so that the Gram matrix neither overflows nor underflows; rounding error counts as 0."""
    noise = _ROUNDING * X.shape[-2] * np.abs(X).max((-2, -1), keepdims=True)
    X = X - X.mean(-2, keepdims=True)
    largest = np.abs(X).max((-2, -1), keepdims=True)
    return np.where(largest > noise, X, 0.0) / np.where(largest > noise, largest, 1.0)
