"""How far weights and outputs move when scores or inputs move: sharp bounds, the Jacobian, the worst direction.

Every bound names its norm and its set: one head is *not* globally Lipschitz in its input, and "the sensitivity of
attention" is no number until both are fixed. A key bias is absent throughout: it is a row shift of the scores and moves
no weight.
"""

import dataclasses

import numpy as np

from attention_geometry._inputs import as_array, as_mask, as_number, as_rng, as_rows, as_vector, finite
from attention_geometry._text import Report, plain, settle, undefined
from attention_geometry.attention import scores, softmax
from attention_geometry.bilinear import singular_values

#: Lets any number pass until the mask is known; what the mask allows is checked then.
_UNSEEN = {"nan_policy": "propagate", "minus_inf": True, "plus_inf": True}


def oscillation(E, *, mask=None):
    """Range of each row, largest entry minus smallest.

    ``osc(e) = max_j e_j − min_j e_j`` over the allowed keys.

    Parameters
    ----------
    E : array_like, shape (…, n_key)
        Rows of finite numbers, such as a change of scores.
    mask : array_like of bool, optional
        True where the query may attend; other entries are not looked at.

    Returns
    -------
    float or ndarray, shape of ``E`` without its last axis
        At least 0; NaN for a row with no allowed key.

    Raises
    ------
    ValueError
        On NaN or an infinite entry at an allowed key: take the difference of two score matrices before the mask, not
        after it.

    Notes
    -----
    Invariant under a row shift ``E + u 1ᵀ``, which is why it, and not the largest absolute entry, measures a change of
    scores; ``osc(e) ≤ 2 max|e_j|``. It is Hilbert's projective distance between the two rows of weights.

    References
    ----------
    Cohen & Fausti 2023, *Hyperbolic contractivity and the Hilbert metric on probability measures*.

    Examples
    --------
    >>> oscillation([5.0, 3.0, 4.0])
    2.0
    """
    E = as_array(E, "E", min_ndim=1, **_UNSEEN)
    if E.shape[-1] == 0:
        raise ValueError(f"E has shape {E.shape}; expected at least one key")
    allowed = as_mask(mask, E.shape)
    E = as_array(np.where(allowed, E, 0.0), "E")
    spread = np.where(allowed, E, -np.inf).max(-1) - np.where(allowed, E, np.inf).min(-1)
    return plain(np.where(np.isneginf(spread), np.nan, spread))


def weight_change_bound(E, *, mask=None):
    """Largest total variation by which a row of weights can move when its scores change by ``E``.

    ``TV(softmax(s), softmax(s + e)) ≤ tanh(osc(e) / 4)``, for every s.

    Parameters
    ----------
    E : array_like, shape (…, n_key)
        Change of the scores.
    mask : array_like of bool, optional
        True where the query may attend, the same before and after.

    Returns
    -------
    float or ndarray, shape of ``E`` without its last axis
        In [0, 1]; NaN for a row with no allowed key.

    Raises
    ------
    ValueError
        As for `oscillation`.

    Notes
    -----
    Sharp: for two keys and ω = osc(e) the row ``p = (σ(−ω/2), σ(ω/2))`` reaches it. The worst row is *not*
    ``(½, ½)``. With ``|e_j| ≤ ε`` it gives ``‖Δp‖₁ ≤ 2 tanh(ε/2) ≤ ε``. It does not see *which* row is moved, so a row
    that is almost one-hot may move far less.

    Proof: the log-odds of every set of keys move by at most ω, and ``σ(x + ω) − σ(x)`` is largest at ``x = −ω/2``.

    References
    ----------
    Cohen & Fausti 2023, *Hyperbolic contractivity and the Hilbert metric on probability measures*.

    Examples
    --------
    >>> import math
    >>> round(weight_change_bound([math.log(3), -math.log(3)]), 12)
    0.5
    """
    return plain(np.tanh(np.asarray(oscillation(E, mask=mask)) / 4))


def output_change_bound(E, V, *, mask=None):
    """Largest distance by which an output of one head can move when its scores change by ``E``.

    ``‖y_i' − y_i‖ ≤ tanh(osc(e_i) / 4) · max_{j,k} ‖v_j − v_k‖``, j and k allowed keys of row i.

    Parameters
    ----------
    E : array_like, shape (…, n_query, n_key)
        Change of the scores.
    V : array_like, shape (…, n_key, d_v)
        Values, the same before and after.
    mask : array_like of bool, optional
        True where the query may attend.

    Returns
    -------
    ndarray, shape (…, n_query)
        Euclidean distances, in the units of V, before W_O; NaN for a row with no allowed key.

    Raises
    ------
    ValueError
        As for `oscillation`, or if the keys of E and V differ in number.

    Notes
    -----
    Sharp, with two keys at the ends of the diameter. Unchanged by translating all values; *not* invariant under
    ``W_V → W_V M, W_O → M⁻¹ W_O``: pass ``V @ W_O`` for the change that reaches the residual stream.

    Examples
    --------
    >>> import math
    >>> print(output_change_bound([[math.log(3), -math.log(3)]], V=[[0.0], [4.0]]).round(12))
    [2.]
    """
    E, V = as_rows(E, "E", **_UNSEEN), as_rows(V, "V")
    if E.shape[-1] != V.shape[-2]:
        raise ValueError(f"E and V have shapes {E.shape} and {V.shape}; expected (…, n_query, n_key), (…, n_key, d_v)")
    allowed = as_mask(mask, E.shape)
    with np.errstate(over="ignore", invalid="ignore"):
        distance = np.stack([np.linalg.norm(V - V[..., [j], :], axis=-1) for j in range(V.shape[-2])], axis=-1)
    finite(distance, "a distance of two values")
    diameter = np.stack(
        [(distance * (row[..., None] & row[..., None, :])).max((-2, -1)) for row in np.moveaxis(allowed, -2, 0)], -1
    )
    return weight_change_bound(E, mask=allowed) * diameter


def score_change_bound(X, D, W_Q, W_K, *, scale=None):
    """Largest change of each score when the tokens move from X to X + D.

    ``|Δs_ij| ≤ scale · ‖B‖₂ (‖δ_i‖‖x_j‖ + ‖x_i‖‖δ_j‖ + ‖δ_i‖‖δ_j‖)``, with ``B = W_Q W_Kᵀ`` and δ the rows of D.

    Parameters
    ----------
    X, D : array_like, shape (…, n, d)
        Tokens and their change.
    W_Q, W_K : array_like, shape (…, d, d_k)
        Query and key projections, without biases.
    scale : float, optional
        A number in place of 1/√d_k.

    Returns
    -------
    ndarray, shape (…, n, n)

    Raises
    ------
    ValueError
        If shapes do not fit.

    Notes
    -----
    Invariant under the head basis. The three norms are the worst case of every inner product at once; the measured
    change of the scores is often far smaller. For the weights: ``osc(Δs_i) ≤ 2 max_j |Δs_ij|``, so
    ``TV_i ≤ tanh(max_j bound_ij / 2)``.

    Examples
    --------
    >>> print(score_change_bound([[3.0], [1.0]], [[0.0], [1.0]], W_Q=[[1.0]], W_K=[[1.0]]))
    [[0. 3.]
     [3. 3.]]
    """
    X, D = as_rows(X, "X"), as_rows(D, "D")
    if D.shape[-2:] != X.shape[-2:]:
        raise ValueError(f"X and D have shapes {X.shape} and {D.shape}; expected one change for each token")
    W_Q, W_K, scale = _factors(X, W_Q, W_K, scale)
    with np.errstate(over="ignore", invalid="ignore"):
        x, delta = np.linalg.norm(X, axis=-1), np.linalg.norm(D, axis=-1)
        slope = (abs(scale) * singular_values(W_Q, W_K)[..., 0])[..., None, None]
        bound = slope * (delta[..., :, None] * (x + delta)[..., None, :] + x[..., :, None] * delta[..., None, :])
    return finite(bound, "the bound")


def attention_jacobian(X, W_Q, W_K, W_V, *, b_Q=None, mask=None, scale=None, queries=None):
    """Derivative of every output of one head with respect to every token.

    ``dy_i = Σ_m dx_m J_im`` with
    ``J_im = A_im [W_V + a W_K q_iᵀ (v_m − y_i)] + δ_im a W_Q Cov_i(k, v)``, where a is the scale and
    ``Cov_i(k, v) = Σ_j A_ij k_jᵀ (v_j − y_i)``.

    Parameters
    ----------
    X : array_like, shape (…, n, d)
        Tokens as the projections read them.
    W_Q, W_K, W_V : array_like, shape (…, d, d_k), (…, d, d_k), (…, d, d_v)
        Projections.
    b_Q : array_like, shape (…, d_k), optional
        Query bias. Biases of keys and values do not enter.
    mask : array_like of bool, optional
        True where the query may attend; it is held fixed.
    scale : float, optional
        A number in place of 1/√d_k.
    queries : array_like of int, optional
        The outputs i wanted, from −n to n − 1, all by default. The result holds ``len(queries) · n · d · d_v`` numbers
        of 8 bytes.

    Returns
    -------
    ndarray, shape (…, n, n, d, d_v)
        ``J[i, m]`` maps a change of token m to a change of output i; the first n is ``len(queries)`` where given.

    Raises
    ------
    ValueError
        If shapes do not fit, a row of the mask is empty or ``queries`` names no output.

    Notes
    -----
    The influence of another token m ≠ i is proportional to A_im times a matrix that depends on m: a large weight with
    a small matrix is a small influence. The self block carries the covariance of the keys and can be large when A_ii
    is small. It equals ``a B C_i W_V`` with ``B = W_Q W_Kᵀ`` and the token covariance C_i; no d × d matrix is formed.
    Not the derivative of the whole layer: normalisation, W_O, the residual stream and other heads come after.

    Examples
    --------
    The derivative of y_1 at t = 0 for tokens (t, 1, −1) is (1 + 2·1²)/3:

    >>> J = attention_jacobian([[0.0], [1.0], [-1.0]], [[1.0]], [[1.0]], [[1.0]], scale=1.0)
    >>> print(J[0, 0])
    [[1.]]
    """
    X, W_V = as_rows(X, "X"), as_rows(W_V, "W_V")
    W_Q, W_K, scale = _factors(X, W_Q, W_K, scale)
    if W_V.shape[-2] != X.shape[-1]:
        raise ValueError(f"X and W_V have shapes {X.shape} and {W_V.shape}; expected (…, n, d), (…, d, d_v)")
    A = softmax(scores(X, W_Q, W_K, b_Q=b_Q, scale=scale), mask=mask)
    K, V = X @ W_K, X @ W_V
    pull, Y = scale * _queries(X, W_Q, b_Q) @ _T(W_K), A @ V
    wanted = _wanted(queries, X.shape[-2])
    J = np.empty((*np.broadcast_shapes(A.shape[:-2], V.shape[:-2]), len(wanted), *X.shape[-2:], V.shape[-1]))
    for row, i in enumerate(wanted):  # one query at a time: the temporary is 1/n of the result
        weights, offset = A[..., i, :, None, None], V - Y[..., [i], :]
        J[..., row, :, :, :] = weights * (W_V[..., None, :, :] + pull[..., i, None, :, None] * offset[..., None, :])
        covariance = _T(K - A[..., [i], :] @ K) @ (A[..., i, :, None] * offset)
        J[..., row, i, :, :] += scale * W_Q @ covariance
    return finite(J, "the Jacobian")


@dataclasses.dataclass(frozen=True, repr=False)
class LipschitzBound(Report):
    """Two upper bounds on the derivative of a head, and what they can be used for.

    Attributes
    ----------
    at_input : float or ndarray
        Bound on ‖Df‖ at this X (Frobenius norm of the tokens to Frobenius norm of the outputs).
    on_ball : float or ndarray
        Bound on ‖Df‖ for every input whose tokens have norm at most ``radius``: a Lipschitz constant on that ball.
    radius, largest_column : float or ndarray
        The largest token norm R, and the largest column sum of the weights (between 1 and n; a sink drives it to n).
    score_share : float or ndarray
        Part of ``at_input``² that comes from the moving scores, the ``b²R⁴`` terms.
    useful_below : float or ndarray
        Relative size ‖D‖/(R√n) of a perturbation above which ``on_ball`` says less than "every output has norm at most
        R‖W_V‖", which holds without any derivative. A number far below the sizes of interest means: vacuous.
    reasons : dict
        Why a field is undefined.
    """

    at_input: float
    on_ball: float
    radius: float
    largest_column: float
    score_share: float
    useful_below: float
    reasons: dict


def local_lipschitz_bound(X, W_Q, W_K, W_V, *, mask=None, scale=None):
    """Upper bounds on the derivative of one head, at an input and on the ball around zero that holds it.

    ``‖Df‖ ≤ √3 ‖W_V‖₂ √(c_max (1 + b²R⁴) + b²R⁴) ≤ √3 ‖W_V‖₂ √(n + b²R⁴ (n + 1))``,
    ``b = scale · ‖W_Q W_Kᵀ‖₂``, R the largest token norm, c_max the largest column sum of the weights.

    Parameters
    ----------
    X : array_like, shape (…, n, d)
        Tokens.
    W_Q, W_K, W_V : array_like, shape (…, d, d_k), (…, d, d_k), (…, d, d_v)
        Projections, without biases.
    mask : array_like of bool, optional
        True where the query may attend.
    scale : float, optional
        A number in place of 1/√d_k.

    Returns
    -------
    LipschitzBound
        The first form is ``at_input``, the second ``on_ball``.

    Raises
    ------
    ValueError
        If shapes do not fit, a row of the mask is empty, or a bound is larger than any float64 number.

    Notes
    -----
    Invariant under the head basis, under permuting the tokens (with the mask) and under an orthogonal change of the
    residual basis; *not* under another one, and not under translating or scaling the tokens.
    There is no global constant: the derivative grows with the square of the token norms. √n appears only through
    c_max ~ n, that is through sinks. After a layer norm R = √d, so R⁴ = d² and the bound is vacuous: measure the
    derivative (`attention_jacobian`) or the movement (`perturbation_curve`) instead. Proof: three terms of the
    Jacobian, ``(a + b + c)² ≤ 3(a² + b² + c²)``, the trace of a covariance of tokens is at most R², Cauchy–Schwarz.

    References
    ----------
    Kim et al. 2021, *The Lipschitz Constant of Self-Attention*. Castin et al. 2024, *How Smooth Is Attention?*

    Examples
    --------
    >>> local_lipschitz_bound([[0.6, 0.8], [0.0, 1.0]], W_Q=[[1], [0]], W_K=[[0], [1]], W_V=[[1], [0]])
    LipschitzBound
      at_input        3.03
      on_ball         3.873
      radius          1
      largest_column  1.03
      score_share     0.6634
      useful_below    0.5164
      reasons         {}
    """
    X, W_V = as_rows(X, "X"), as_rows(W_V, "W_V")
    W_Q, W_K, scale = _factors(X, W_Q, W_K, scale)
    if W_V.shape[-2] != X.shape[-1]:
        raise ValueError(f"X and W_V have shapes {X.shape} and {W_V.shape}; expected (…, n, d), (…, d, d_v)")
    column = softmax(scores(X, W_Q, W_K, scale=scale), mask=mask).sum(-2).max(-1)
    n, value = X.shape[-2], np.linalg.norm(W_V, 2, axis=(-2, -1))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        R = np.linalg.norm(X, axis=-1).max(-1)
        bend = abs(scale) * singular_values(W_Q, W_K)[..., 0] * R**2  # never squared: b²R⁴ may leave the float64 range
        moving, ball = bend * np.sqrt(column + 1), np.sqrt(3) * value * np.hypot(np.sqrt(n), bend * np.sqrt(n + 1))
        total = np.hypot(np.sqrt(column), moving)
        useful = np.where((value > 0) & (R > 0), 2 * value / finite(ball, "the bound"), np.nan)
    fields = np.sqrt(3) * value * total, ball, R, column, (moving / total) ** 2, useful
    *fields, useful = np.broadcast_arrays(*fields)
    reasons = undefined("useful_below", (np.isnan(useful), "W_V or every token is 0, so that the outputs do not move"))
    return LipschitzBound(*map(settle, (*fields, useful)), reasons)


@dataclasses.dataclass(frozen=True, repr=False)
class PerturbationCurve(Report):
    """Mean total variation of the rows of weights against the size of a change of the tokens.

    Attributes
    ----------
    sizes : ndarray, shape (sizes,)
        ‖D‖_F / ‖X‖_F.
    random_mean, random_max : ndarray, shape (…, sizes)
        Over the random directions (isotropic Gaussian).
    worst : ndarray, shape (…, sizes)
        At the worst direction found: a *lower* bound on the worst there is.
    direction : ndarray, shape (…, n, d)
        The worst direction found at the last size, of unit Frobenius norm.
    directions : int
        Number of random directions.
    """

    sizes: np.ndarray
    random_mean: np.ndarray
    random_max: np.ndarray
    worst: np.ndarray
    direction: np.ndarray
    directions: int


def perturbation_curve(X, W_Q, W_K, *, sizes, rng, b_Q=None, mask=None, scale=None, directions=32, steps=40):
    """Movement of the weights under finite changes of the tokens: random directions against the worst one found.

    ``mean_i TV(A_i(X + D), A_i(X))`` at ``‖D‖_F = size · ‖X‖_F``.

    Parameters
    ----------
    X : array_like, shape (…, n, d)
        Tokens as the projections read them.
    W_Q, W_K : array_like, shape (…, d, d_k)
        Projections; leading axes are heads, each with a worst direction of its own and the same random ones.
    sizes : array_like, shape (sizes,)
        Relative sizes, none negative, in rising order; each starts from the direction found at the one before it.
    rng : numpy.random.Generator or int
        Source of the random directions.
    b_Q, mask, scale
        As for `attention_jacobian`.
    directions, steps : int
        Number of random directions; steps of the power iteration and of the ascent at each size.

    Returns
    -------
    PerturbationCurve

    Raises
    ------
    ValueError
        If shapes do not fit, X is zero, or a size is negative.

    Notes
    -----
    The search starts from the leading singular direction of the derivative of the weights (power iteration, both
    signs), from the best random direction and from the previous size, and climbs the mean TV on the sphere. It may stop
    at a local maximum: ``worst`` is a lower bound on the true worst case, never an upper one. D moves all tokens
    at once; neither curve is invariant under a general change of the residual basis (an orthogonal one is harmless).

    Examples
    --------
    >>> curve = perturbation_curve([[1.0, 0.0], [0.0, 1.0]], np.eye(2), np.eye(2), sizes=[0.0, 0.1, 1.0], rng=0)
    >>> bool((curve.worst >= curve.random_max).all()), float(curve.worst[0])
    (True, 0.0)
    """
    sizes, rng = as_array(sizes, "sizes", ndim=1), as_rng(rng)
    directions, steps = (as_number(x, "directions and steps", low=1, integer=True) for x in (directions, steps))
    head = _Weights(X, W_Q, W_K, b_Q, mask, scale)
    norm = np.linalg.norm(head.X, axis=(-2, -1), keepdims=True)
    if len(sizes) == 0 or (sizes < 0).any() or (norm == 0).any():
        raise ValueError("expected at least one size, none negative, relative to the norm of X, which may not be zero")
    top, *draws = _unit(rng.standard_normal((1 + directions, *head.X.shape[-2:])))
    for _ in range(steps):
        top = _unit(head.adjoint(0.0, head.derivative(top)))
    best, curves = top, []
    for radius in (size * norm for size in sizes):
        moved = np.stack([head.movement(radius * u) for u in draws])
        lucky = np.stack(draws)[moved.argmax(0)[..., 0, 0]]
        best, worst = _climb(head, radius, np.stack([top, -top, best, lucky]), steps)
        curves.append([moved.mean(0), moved.max(0), worst])
    mean, largest, worst = (np.stack(c, -1)[..., 0, 0, :] for c in zip(*curves))
    return PerturbationCurve(sizes.copy(), mean, largest, worst, best, directions)


class _Weights:
    """The map from a change D of the tokens to the weights, with its derivative at 0 and its adjoint at any D."""

    def __init__(self, X, W_Q, W_K, b_Q, mask, scale):
        self.X, self.b_Q, self.mask = as_rows(X, "X"), b_Q, mask
        self.W_Q, self.W_K, self.scale = _factors(self.X, W_Q, W_K, scale)
        self.A = self(0.0)

    def __call__(self, D):
        return softmax(scores(self.X + D, self.W_Q, self.W_K, b_Q=self.b_Q, scale=self.scale), mask=self.mask)

    def movement(self, D):
        """Mean row total variation, with two axes of length 1 so that it multiplies directions."""
        return np.abs(self(D) - self.A).sum(-1).mean(-1)[..., None, None] / 2

    def derivative(self, D):
        queries, keys = _queries(self.X, self.W_Q, self.b_Q), self.X @ self.W_K
        E = self.scale * ((D @ self.W_Q) @ _T(keys) + queries @ _T(D @ self.W_K))
        return self.A * (E - (self.A * E).sum(-1, keepdims=True))

    def adjoint(self, D, G):
        """Gradient with respect to D of the sum of ``G ⊙ weights``."""
        P, Z = self(D), self.X + D
        H = self.scale * P * (G - (P * G).sum(-1, keepdims=True))
        return H @ (Z @ self.W_K) @ _T(self.W_Q) + _T(H) @ _queries(Z, self.W_Q, self.b_Q) @ _T(self.W_K)


def _climb(head, radius, starts, steps):
    """Best unit direction, and its movement, after an ascent on the sphere that only keeps what moves more."""
    values = np.stack([head.movement(radius * u) for u in starts])
    best = np.take_along_axis(starts, values.argmax(0)[None], 0)[0]
    value, step = values.max(0), np.ones_like(values[0])
    for _ in range(steps):
        uphill = _unit(head.adjoint(radius * best, np.sign(head(radius * best) - head.A)))
        trial = _unit(best + step * uphill)
        moved = head.movement(radius * trial)
        best, step = np.where(moved > value, trial, best), np.where(moved > value, 2 * step, step / 2)
        value = np.maximum(value, moved)
    return best, value


def _unit(D):
    norm = np.linalg.norm(D, axis=(-2, -1), keepdims=True)
    return D / np.where(norm > 0, norm, 1.0)


def _wanted(queries, n):
    """The queries asked for, as indices from 0; all of the n by default."""
    queries = np.atleast_1d(np.arange(n) if queries is None else queries)
    if queries.ndim > 1 or queries.dtype.kind not in "iu" or queries.min(initial=0) < -n or queries.max(initial=0) >= n:
        raise ValueError(f"queries is {queries.tolist()!r}; expected integers from −{n} to {n - 1}"[:300])
    return np.arange(n)[queries]


def _T(M):
    return np.swapaxes(M, -1, -2)


def _queries(X, W_Q, b_Q):
    return X @ W_Q if b_Q is None else X @ W_Q + as_vector(b_Q, "b_Q", W_Q.shape[-1])[..., None, :]


def _factors(X, W_Q, W_K, scale):
    """The two projections, checked against X, and the scale as a number."""
    W_Q, W_K = as_rows(W_Q, "W_Q"), as_rows(W_K, "W_K")
    if W_Q.shape[-2:] != W_K.shape[-2:] or W_Q.shape[-2] != X.shape[-1]:
        raise ValueError(
            f"X, W_Q, W_K have shapes {X.shape}, {W_Q.shape}, {W_K.shape}; expected (…, n, d), (…, d, d_k), (…, d, d_k)"
        )
    return W_Q, W_K, W_Q.shape[-1] ** -0.5 if scale is None else as_number(scale, "scale")
