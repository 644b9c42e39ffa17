"""From scores to weights to the mixture: softmax, its logarithm, its entropy, its Jacobian.

Conventions: tokens are rows, ``S[i, j]`` is the score of query ``i`` against key ``j``, weights are a softmax over the
last axis, logarithms are natural. A boolean mask is True where the query **may** attend, and −inf in ``S`` means the
same as False. Leading axes are batch axes.
"""

from typing import NamedTuple

import numpy as np

from attention_geometry._inputs import as_array, as_mask, as_number, as_rows, as_vector, as_weights, finite
from attention_geometry._text import plain
from attention_geometry._threads import one_thread


class Attention(NamedTuple):
    """What one attention step computes: scores before the mask, weights after it, and the mixture of the values."""

    scores: np.ndarray
    weights: np.ndarray
    output: np.ndarray


def scores(X, W_Q, W_K, *, b_Q=None, b_K=None, scale=None):
    """Score of every token as a query against every token as a key.

    ``s_ij = scale · (x_i W_Q + b_Q)(x_j W_K + b_K)ᵀ``, with ``scale = 1/√d_k`` unless given.

    Parameters
    ----------
    X : array_like, shape (…, n, d)
        Tokens as rows: what the projections read, after any normalisation.
    W_Q, W_K : array_like, shape (…, d, d_k)
        Query and key projections. Leading axes broadcast, so one text and H heads give (H, n, n).
    b_Q, b_K : array_like, shape (…, d_k), optional
        Biases.
    scale : float, optional
        A number in place of 1/√d_k; 1.0 leaves the dot products as they are.

    Returns
    -------
    ndarray, shape (…, n, n)
        Scores before any mask; row = query, column = key.

    Raises
    ------
    ValueError
        If shapes do not fit, a number is not finite, or a score leaves the float64 range.

    Notes
    -----
    Unchanged by ``W_Q → W_Q M, W_K → W_K M⁻ᵀ`` for every invertible M. *Not* determined by the weights: adding a
    number to a row of S changes no weight. A key bias is such a row shift, so it drops out of plain softmax
    attention; a query bias does not.

    References
    ----------
    Vaswani et al. 2017, *Attention Is All You Need*.

    Examples
    --------
    The same two tokens in two orders give two numbers:

    >>> print(scores([[1, 0], [0, 1]], W_Q=[[1], [0]], W_K=[[0], [1]]))
    [[0. 1.]
     [0. 0.]]
    """
    X, W_Q, W_K = as_rows(X, "X"), as_rows(W_Q, "W_Q"), as_rows(W_K, "W_K")
    if W_Q.shape[-2:] != W_K.shape[-2:] or W_Q.shape[-2] != X.shape[-1]:
        raise ValueError(
            f"X, W_Q, W_K have shapes {X.shape}, {W_Q.shape}, {W_K.shape}; expected (…, n, d), (…, d, d_k), (…, d, d_k)"
        )
    Q, K = _project(X, W_Q, b_Q, "Q"), _project(X, W_K, b_K, "K")
    return _dot_scores(Q, K, scale)


def softmax(S, *, mask=None, temperature=1.0, empty_rows="raise"):
    """Weights that sum to one along the last axis.

    ``A_ij = exp(s_ij / T) / Σ_k exp(s_ik / T)``, the sum running over the allowed keys of row i.

    Parameters
    ----------
    S : array_like, shape (…, n_key)
        Scores; −inf means "may not attend".
    mask : array_like of bool, optional
        True where the query may attend. The last two axes match those of ``S``, leading axes broadcast.
    temperature : float in [0, ∞]
        0 gives the limit T → 0, uniform on the *set* of largest scores (ties are kept); ``math.inf`` gives the limit
        T → ∞, uniform on the allowed keys.
    empty_rows : {"raise", "zero"}
        What to do with a row that has no allowed key: name the first one, or return a row of zeros.

    Returns
    -------
    ndarray, shape of ``S``

    Raises
    ------
    ValueError
        On NaN, +inf, a row with no allowed key (unless ``empty_rows="zero"``), no keys at all, or T < 0.

    Notes
    -----
    Invariant under adding a constant to a row of ``S``, and under nothing else: equal weights have scores that differ
    by a row shift. Every allowed weight is positive in exact arithmetic, but ``exp`` underflows to 0 when a score is
    more than about 745 T below the largest of its row; `log_softmax` keeps such entries.

    Examples
    --------
    >>> import math
    >>> print(7 * softmax([0, math.log(2), math.log(4)]))
    [1. 2. 4.]
    >>> print(softmax([1, 3, 3], temperature=0))
    [0.  0.5 0.5]
    >>> print(softmax([[9.0, 1.0], [9.0, 9.0]], mask=causal_mask(2)))
    [[1.  0. ]
     [0.5 0.5]]
    """
    with np.errstate(over="ignore", under="ignore"):
        weights = np.exp(_logits(_allowed_scores(S, mask, empty_rows), temperature))
        return weights / _sum(weights)


def log_softmax(S, *, mask=None, temperature=1.0, empty_rows="raise"):
    """Logarithm of the weights, exact where the weights themselves underflow.

    ``log A_ij = s_ij / T − log Σ_k exp(s_ik / T)``, never ``log(softmax(S))``.

    Parameters
    ----------
    S, mask, temperature, empty_rows
        As for `softmax`.

    Returns
    -------
    ndarray, shape of ``S``
        Nats, ≤ 0; −inf where the query may not attend (a whole row of −inf for ``empty_rows="zero"``), at T = 0 off
        the argmax set, and where the true value lies below the float64 range.

    Raises
    ------
    ValueError
        As for `softmax`.

    Examples
    --------
    >>> print(log_softmax([0.0, -1000.0]))
    [    0. -1000.]
    """
    with np.errstate(over="ignore", under="ignore"):
        logits = _logits(_allowed_scores(S, mask, empty_rows), temperature)
        return logits - np.log(_sum(np.exp(logits)))


def log_sum_exp(S, *, mask=None, empty_rows="raise"):
    """Smooth maximum of a row of scores, the logarithm of the softmax normaliser.

    ``lse(s) = log Σ_j exp(s_j)``, the sum running over the allowed keys.

    Parameters
    ----------
    S, mask, empty_rows
        As for `softmax`.

    Returns
    -------
    float or ndarray, shape of ``S`` without its last axis
        Nats; −inf for a row with no allowed key under ``empty_rows="zero"`` (the sum is empty).

    Raises
    ------
    ValueError
        As for `softmax`.

    Notes
    -----
    ``max s ≤ lse(s) ≤ max s + log n``. Free energy: ``lse(s) = ⟨p, s⟩ + H(p) + KL(p ‖ softmax(s))`` for every
    distribution p, so softmax is the one maximiser of ``⟨p, s⟩ + H(p)``. *Not* invariant under a row shift: it moves
    with it.

    Examples
    --------
    >>> import math
    >>> math.isclose(log_sum_exp([0, math.log(2), math.log(4)]), math.log(7))
    True
    """
    S = _allowed_scores(S, mask, empty_rows)
    with np.errstate(over="ignore", under="ignore"):
        total = np.log(_sum(np.exp(_logits(S, 1.0))))
    largest = S.max(-1)  # −inf for an empty row, as the logarithm of an empty sum
    return plain(largest + total[..., 0])


def entropy(A):
    """Shannon entropy of each row of weights, in nats.

    ``H = −Σ_j A_j log A_j`` with ``0 log 0 = 0``.

    Parameters
    ----------
    A : array_like, shape (…, n_key)
        Weights: non-negative rows that sum to one. A row of exact zeros (no allowed key) has no entropy: NaN.

    Returns
    -------
    float or ndarray, shape of ``A`` without its last axis

    Raises
    ------
    ValueError
        If a row is negative somewhere or does not sum to one, with the deviation and the tolerance of its precision.

    Notes
    -----
    ``0 ≤ H ≤ log n``, with ``log n`` for uniform rows only. Causal rows have different maxima: compare them with
    `normalised_entropy`. Invariant under reordering the keys, so it cannot say *where* a head looks.

    Examples
    --------
    >>> import math
    >>> round(entropy([0.5, 0.25, 0.25]) / math.log(2), 12)  # in bits
    1.5
    >>> print(entropy([[1, 0, 0], [0.5, 0.5, 0]]).round(4))
    [0.     0.6931]
    """
    A = as_weights(A, empty_rows="keep")
    with np.errstate(under="ignore"):
        values = -(A * np.log(np.where(A > 0, A, 1.0))).sum(-1)
    return plain(np.where((A == 0).all(-1), np.nan, np.abs(values)))  # abs: no −0.0, no −1e−17


def normalised_entropy(A, *, mask=None):
    """Entropy of each row as a share of the largest it can have.

    ``H / log m``, where m is the number of keys the row may attend to.

    Parameters
    ----------
    A : array_like, shape (…, n_key)
        Weights, as for `entropy`.
    mask : array_like of bool, optional
        True where the query may attend, as for `softmax`. For a causal head pass ``causal_mask(n)``: row i (counted
        from 1) is then divided by log i.

    Returns
    -------
    float or ndarray, shape of ``A`` without its last axis
        In [0, 1]; NaN where at most one key is allowed (row 1 of a causal head), since log 1 = 0.

    Raises
    ------
    ValueError
        As for `entropy`, and if a forbidden key carries weight: then the mask is not the one that made ``A``.

    Examples
    --------
    >>> print(normalised_entropy([[1, 0, 0], [0.5, 0.5, 0], [1, 0, 0]], mask=causal_mask(3)))
    [nan  1.  0.]
    """
    H = np.asarray(entropy(A))
    A = as_weights(A, empty_rows="keep")
    mask = as_mask(mask, A.shape)
    leak = np.where(mask, 0.0, A)
    if leak.any():
        where = tuple(int(i) for i in np.unravel_index(int(leak.argmax()), leak.shape))
        raise ValueError(
            f"A puts weight {leak.max():.4g} on index {where}, which the mask forbids; is this the mask that made A?"
        )
    allowed = mask.sum(-1)
    return plain(np.where(allowed > 1, H / np.log(np.maximum(allowed, 2)), np.nan))


def effective_keys(A):
    """Effective number of keys a row attends to, the size of a uniform row with the same entropy.

    ``exp(H)``.

    Parameters
    ----------
    A : array_like, shape (…, n_key)
        Weights, as for `entropy`.

    Returns
    -------
    float or ndarray, shape of ``A`` without its last axis
        Between 1 and n; NaN for a row of zeros.

    Raises
    ------
    ValueError
        As for `entropy`.

    Examples
    --------
    >>> effective_keys([0.25, 0.25, 0.25, 0.25])
    4.0
    """
    return plain(np.exp(entropy(A)))


def attention(Q, K, V, *, mask=None, scale=None, empty_rows="raise"):
    """Scaled dot-product attention: scores, weights and the mixture of the values.

    ``S = scale · Q Kᵀ``, ``A = softmax(S)`` row by row, ``Y = A V``.

    Parameters
    ----------
    Q : array_like, shape (…, n_query, d_k)
        Queries. Leading axes of Q, K and V broadcast; token and feature axes never do.
    K : array_like, shape (…, n_key, d_k)
        Keys.
    V : array_like, shape (…, n_key, d_v)
        Values.
    mask : array_like of bool, shape (…, n_query, n_key), optional
        True where the query may attend.
    scale : float, optional
        A number in place of 1/√d_k.
    empty_rows : {"raise", "zero"}
        As for `softmax`; a zero row of weights gives a zero output.

    Returns
    -------
    Attention
        Named tuple ``(scores, weights, output)``; the scores are those *before* the mask.

    Raises
    ------
    ValueError
        If shapes do not fit (with all three shapes), on NaN or inf, or as `softmax` does.

    Notes
    -----
    Each output row lies in the convex hull of the values: before W_O, for one head.

    References
    ----------
    Vaswani et al. 2017, *Attention Is All You Need*.

    Examples
    --------
    >>> step = attention([[1.0, 0.0]], K=[[1.0, 0.0], [1.0, 0.0]], V=[[0.0], [4.0]])
    >>> print(step.weights, step.output)
    [[0.5 0.5]] [[2.]]
    """
    Q, K, V = as_rows(Q, "Q"), as_rows(K, "K"), as_rows(V, "V")
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError(
            f"Q, K, V have shapes {Q.shape}, {K.shape}, {V.shape}; "
            "expected (…, n_query, d_k), (…, n_key, d_k), (…, n_key, d_v)"
        )
    S = _dot_scores(Q, K, scale)
    A = softmax(S, mask=mask, empty_rows=empty_rows)
    return Attention(S, A, finite(_matmul(A, V, "weights", "V"), "the output A V"))


def causal_mask(n):
    """Mask of a decoder, True where the key is not later than the query.

    Parameters
    ----------
    n : int
        Number of tokens, at least 1.

    Returns
    -------
    ndarray of bool, shape (n, n)

    Raises
    ------
    ValueError
        If n < 1.

    Examples
    --------
    >>> print(causal_mask(3).astype(int))
    [[1 0 0]
     [1 1 0]
     [1 1 1]]
    """
    return np.tri(as_number(n, "n", integer=True, low=1), dtype=bool)


def softmax_jacobian(p):
    """Derivative of the weights with respect to the scores.

    ``J = diag(p) − pᵀ p``, that is ``∂p_i/∂s_j = p_i (δ_ij − p_j)``.

    Parameters
    ----------
    p : array_like, shape (…, n)
        Weights (not scores): at temperature 1 the Jacobian depends on them alone.

    Returns
    -------
    ndarray, shape (…, n, n)
        Symmetric, positive semidefinite, rows sum to 0; ``z J zᵀ`` is the variance of z under p.

    Raises
    ------
    ValueError
        As for `entropy`, and on a row of zeros.

    Notes
    -----
    ``‖J‖ ≤ ½`` from ℓ_p to ℓ_p for every p, ``≤ 1`` from ℓ_∞ to ℓ_1, ``≤ ¼`` from ℓ_1 to ℓ_∞: a Lipschitz constant of
    softmax means nothing until the pair of norms is named.

    References
    ----------
    Nair 2025, *Softmax is 1/2-Lipschitz*. Gao & Pavel 2017, *On the Properties of the Softmax Function*.

    Examples
    --------
    >>> print(softmax_jacobian([0.5, 0.5]))
    [[ 0.25 -0.25]
     [-0.25  0.25]]
    """
    p = as_weights(p, "p")
    with np.errstate(under="ignore"):
        return p[..., None] * (np.eye(p.shape[-1]) - p[..., None, :])


def _project(X, W, b, name):
    rows = _matmul(X, W, "X", f"W_{name}")
    if b is None:
        return rows
    b = as_vector(b, f"b_{name}", W.shape[-1])
    try:
        return rows + b[..., None, :]
    except ValueError:
        raise ValueError(f"b_{name} has shape {b.shape}, which does not fit W_{name} of shape {W.shape}") from None


def _dot_scores(Q, K, scale):
    scale = Q.shape[-1] ** -0.5 if scale is None else as_number(scale, "scale")
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        return finite(scale * _matmul(Q, np.swapaxes(K, -1, -2), "queries", "keys"), "a score")


def _matmul(a, b, name_a, name_b):
    try:
        with np.errstate(over="ignore", invalid="ignore", under="ignore"), one_thread(max(*a.shape[-2:], b.shape[-1])):
            return a @ b
    except ValueError:
        raise ValueError(
            f"the leading axes of {name_a} {a.shape[:-2]} and {name_b} {b.shape[:-2]} do not broadcast; "
            "grouped queries? repeat the keys, one copy for each query head"
        ) from None


def _allowed_scores(S, mask, empty_rows):
    """Scores with −inf wherever the query may not attend, every row checked to have an allowed key."""
    if empty_rows not in ("raise", "zero"):
        raise ValueError(f"empty_rows must be 'raise' or 'zero', got {empty_rows!r}")
    S = as_array(S, "S", min_ndim=1, minus_inf=True)
    if 0 in S.shape[-2:]:
        raise ValueError(f"S has shape {S.shape}; expected at least one token and one key")
    S = np.where(as_mask(mask, S.shape), S, -np.inf)
    empty = np.isneginf(S).all(-1)
    if empty_rows == "raise" and empty.any():
        where = tuple(int(i) for i in np.argwhere(empty)[0])
        row = "S" if not where else f"row {where[0] if len(where) == 1 else where} of S"
        raise ValueError(f"{row} has no allowed key; unmask one, or pass empty_rows='zero' for a row of zeros")
    return S


def _logits(S, temperature):
    """``(S − row maximum) / T``, at most 0, with both limits; −inf stays −inf."""
    T = as_number(temperature, "temperature", low=0, infinite=True)
    largest = S.max(-1, keepdims=True)
    largest = np.where(np.isneginf(largest), 0.0, largest)
    if T == 0:
        return np.where(S == largest, 0.0, -np.inf)
    if T == np.inf:
        return np.where(np.isneginf(S), -np.inf, 0.0)
    return (S / 2 - largest / 2) / T * 2  # halves: the difference of two float64 may be twice the largest float64


def _sum(weights):
    """Row sums, with 1 for an empty row so that dividing by it leaves zeros."""
    total = weights.sum(-1, keepdims=True)
    return np.where(total > 0, total, 1.0)
