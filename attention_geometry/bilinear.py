"""The form B = W_Q W_Kᵀ that compares tokens: its parts, its signature, and the gauges that leave it alone.

The functions of a form take the two thin factors ``W_Q, W_K`` of shape (…, d, d_k), so that a form on d = 4096
dimensions is measured without a 4096 × 4096 matrix. A full matrix B is the pair ``(B, numpy.eye(d))``. Fold the gain of
LayerNorm or RMSNorm into the factors first, and say so: ``diag(γ) B diag(γ)`` has another symmetric share than B.
"""

import dataclasses
from typing import NamedTuple

import numpy as np

from attention_geometry._inputs import as_array, as_number, as_rng, as_rows, as_square, finite
from attention_geometry._text import Report, plain, settle, undefined
from attention_geometry._threads import one_thread


def bilinear_form(W_Q, W_K):
    """The matrix of the form, which sends two tokens to a number.

    ``B = W_Q W_Kᵀ``, so that ``s_ij = x_i B x_jᵀ / √d_k``.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)

    Returns
    -------
    ndarray, shape (…, d, d)
        Rank at most d_k.

    Raises
    ------
    ValueError
        If the two shapes do not fit, or an entry is not finite.

    Notes
    -----
    Unchanged by ``W_Q → W_Q M, W_K → W_K M⁻ᵀ`` for every invertible M. Elhage et al. write tokens as columns: their
    W_QK is this B.

    References
    ----------
    Elhage et al. 2021, *A Mathematical Framework for Transformer Circuits*.

    Examples
    --------
    >>> print(bilinear_form([[1], [0]], [[0], [1]]))
    [[0. 1.]
     [0. 0.]]
    """
    return _product(*_factors(W_Q, W_K))


def symmetric_part(B):
    """The part of a square matrix that equals its transpose.

    ``B_s = (B + Bᵀ) / 2``.

    Parameters
    ----------
    B : array_like, shape (…, n, n)

    Returns
    -------
    ndarray, shape (…, n, n)

    Raises
    ------
    ValueError
        If ``B`` is not square.

    Notes
    -----
    ``x B xᵀ = x B_s xᵀ``: what a token makes of itself depends on B_s alone. Orthogonal to `antisymmetric_part`.

    Examples
    --------
    >>> print(symmetric_part([[1, 2], [0, 1]]))
    [[1. 1.]
     [1. 1.]]
    """
    B = as_square(B, "B")
    return B / 2 + np.swapaxes(B, -1, -2) / 2


def antisymmetric_part(B):
    """The part of a square matrix that is minus its transpose.

    ``B_a = (B − Bᵀ) / 2``.

    Parameters
    ----------
    B : array_like, shape (…, n, n)

    Returns
    -------
    ndarray, shape (…, n, n)

    Raises
    ------
    ValueError
        If ``B`` is not square.

    Notes
    -----
    ``x B_a xᵀ = 0``, and ``‖B‖² = ‖B_s‖² + ‖B_a‖²`` in the Frobenius norm.

    Examples
    --------
    >>> print(antisymmetric_part([[1, 2], [0, 1]]))
    [[ 0.  1.]
     [-1.  0.]]
    """
    B = as_square(B, "B")
    return B / 2 - np.swapaxes(B, -1, -2) / 2


def symmetric_share(W_Q, W_K):
    """Share of the energy of the form that lies in its symmetric part.

    ``f = ‖B_s‖² / ‖B‖²`` in the Frobenius norm; 1 for a symmetric form, 0 for an antisymmetric one.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)

    Returns
    -------
    float or ndarray, shape (…)
        In [0, 1]; NaN for B = 0 (up to the rounding error of the product).

    Raises
    ------
    ValueError
        If the two shapes do not fit, or an entry is not finite.

    Notes
    -----
    A form with no relation between queries and keys has about one half, exactly `haar_share_null` on average. Invariant
    under the head basis and under orthogonal changes of the token basis; *not* under general ones, nor under folding a
    normalisation gain. Saponati et al. print `symmetry_score`, the same quantity on the scale [−1, 1].

    References
    ----------
    Saponati et al. 2025, *The underlying structures of self-attention: symmetry, directionality…*

    Examples
    --------
    >>> round(symmetric_share([[1, 2], [0, 1]], [[1, 0], [0, 1]]), 12) == round(2 / 3, 12)
    True
    """
    return plain((1 + _symmetry(*_core(W_Q, W_K))) / 2)


def symmetry_score(W_Q, W_K):
    """Symmetric minus antisymmetric energy of the form, as a share of the whole.

    ``ρ = tr(B²) / ‖B‖² = (‖B_s‖² − ‖B_a‖²) / ‖B‖² = 2 f − 1``, with f the `symmetric_share`.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)

    Returns
    -------
    float or ndarray, shape (…)
        In [−1, 1]; NaN for B = 0 (up to the rounding error of the product).

    Raises
    ------
    ValueError
        If the two shapes do not fit, or an entry is not finite.

    Notes
    -----
    Its mean over random rotations of B is 1/d, whatever d_k. Invariances as for `symmetric_share`.

    References
    ----------
    Saponati et al. 2025, *The underlying structures of self-attention: symmetry, directionality…*

    Examples
    --------
    >>> round(symmetry_score([[1, 2], [0, 1]], [[1, 0], [0, 1]]), 4)
    0.3333
    """
    return plain(_symmetry(*_core(W_Q, W_K)))


def haar_share_null(d):
    """Mean symmetric share of a form whose queries and keys are rotated against each other at random.

    ``E f = ½ + 1/(2d)`` for B R with R uniform (Haar) on the orthogonal group, for *every* B ≠ 0.

    Parameters
    ----------
    d : int
        Width of a token.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If d < 1.

    Notes
    -----
    Proof: ``E R_jk R_li = δ_jl δ_ki / d`` gives ``E tr(BRBR) = ‖B‖²/d``, while ``‖BR‖ = ‖B‖``. Independent Gaussian
    factors have the same mean, since ``Rᵀ W_K`` is distributed as W_K. The rotation keeps all singular values of B.

    Examples
    --------
    >>> haar_share_null(2)
    0.75
    """
    return 0.5 + 0.5 / as_number(d, "d", integer=True, low=1)


class Signature(NamedTuple):
    """How many eigenvalues of the symmetric part are positive, negative and zero."""

    positive: int
    negative: int
    zero: int


def signature(W_Q, W_K, *, tolerance=None):
    """Signs of the symmetric part of the form: numbers of positive, negative and zero eigenvalues of B_s.

    With ``[W_Q W_K] = P [R_Q R_K]``, P having orthonormal columns, ``B = P (R_Q R_Kᵀ) Pᵀ``: the signs are those of a
    symmetric matrix of size min(d, 2 d_k), and the remaining d − 2 d_k eigenvalues are zero.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)
        May be rank deficient.
    tolerance : float, optional
        Eigenvalues with ``|λ| ≤ tolerance`` count as zero. Defaults to the rounding error of the product,
        ``max(d, 2 d_k) · 2⁻⁵² · ‖W_Q‖ ‖W_K‖`` in Frobenius norms. Weights that were stored in a lower precision
        deserve a larger one.

    Returns
    -------
    Signature
        Named tuple ``(positive, negative, zero)``, which sums to d; ints for one form, arrays for a batch.

    Raises
    ------
    ValueError
        If the two shapes do not fit, an entry is not finite, or the tolerance is negative.

    Notes
    -----
    If ``[W_Q W_K]`` has full column rank 2 d_k, the answer is ``(d_k, d_k, d − 2 d_k)`` by Sylvester's law of inertia,
    for trained and random heads alike: such a count is linear algebra, not learning. Report `trace_ratio` beside it.
    Invariant under the head basis and under every invertible change of the token basis.

    Examples
    --------
    >>> signature([[1], [0]], [[0], [1]])
    Signature(positive=1, negative=1, zero=0)
    """
    W_Q, W_K = _factors(W_Q, W_K)
    core, bound = _core(W_Q, W_K, tolerance)
    return _signature(_symmetric_eigenvalues(core), bound, W_Q.shape[-2])


def symmetric_eigenvalues(W_Q, W_K):
    """Eigenvalues of the symmetric part of the form, largest first.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)

    Returns
    -------
    ndarray, shape (…, min(d, 2 d_k))
        All eigenvalues of B_s but d − 2 d_k zeros when d > 2 d_k.

    Raises
    ------
    ValueError
        If the two shapes do not fit, or an entry is not finite.

    Notes
    -----
    Unlike their signs, the values change under a non-orthogonal change of the token basis.

    Examples
    --------
    >>> print(symmetric_eigenvalues([[1], [0]], [[0], [1]]))
    [ 0.5 -0.5]
    """
    return _symmetric_eigenvalues(_core(W_Q, W_K)[0])


def trace_ratio(W_Q, W_K):
    """Balance of positive against negative eigenvalues of the symmetric part, by size rather than by count.

    ``tr B / Σ_i |λ_i(B_s)|``; 1 if and only if B_s is positive semidefinite and not zero.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)

    Returns
    -------
    float or ndarray, shape (…)
        In [−1, 1]; NaN where B_s = 0 up to rounding (the tolerance of `signature`).

    Raises
    ------
    ValueError
        If the two shapes do not fit, or an entry is not finite.

    Notes
    -----
    Invariant under the head basis and orthogonal changes of the token basis, *not* under general ones.

    Examples
    --------
    >>> trace_ratio([[2, 0], [0, 1]], [[1, 0], [0, -1]])  # B_s has eigenvalues 2 and -1
    0.3333333333333333
    """
    core, bound = _core(W_Q, W_K)
    return plain(_trace_ratio(_symmetric_eigenvalues(core), bound))


def singular_values(W_Q, W_K):
    """Singular values of the form, largest first, without forming it.

    They are those of the small core ``R_Q R_Kᵀ`` (see `signature`), never the roots of eigenvalues of a Gram matrix,
    which would square the condition number.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)

    Returns
    -------
    ndarray, shape (…, min(d, d_k))
        The other d − d_k singular values of B are zero.

    Raises
    ------
    ValueError
        If the two shapes do not fit, or an entry is not finite.

    Notes
    -----
    Invariant under the head basis and orthogonal changes of the token basis, *not* under general ones.

    Examples
    --------
    >>> print(singular_values([[3, 0], [0, 1], [0, 0]], [[0, 0], [2, 0], [0, 2]]))
    [6. 2.]
    """
    W_Q, W_K = _factors(W_Q, W_K)
    return _singular_values(_core(W_Q, W_K)[0], *W_Q.shape[-2:])


def eigenvalues(W_Q, W_K):
    """Eigenvalues of the form that are not zero by its rank.

    They are the eigenvalues of the small matrix ``W_Kᵀ W_Q``, padded by zeros.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)

    Returns
    -------
    ndarray of complex, shape (…, min(d, d_k))
        Largest modulus first.

    Raises
    ------
    ValueError
        If the two shapes do not fit, or an entry is not finite.

    Notes
    -----
    B need not be diagonalisable, and the eigenvalues of a defective matrix move by ε^(1/m) under a change of size ε.

    Examples
    --------
    >>> print(eigenvalues([[1], [0]], [[0], [1]]))  # nilpotent
    [0.+0.j]
    """
    W_Q, W_K = _factors(W_Q, W_K)
    d, d_k = W_Q.shape[-2:]
    small = _product(W_Q, W_K) if d < d_k else _product(np.swapaxes(W_K, -1, -2), np.swapaxes(W_Q, -1, -2))
    with one_thread(small.shape[-1]):
        values = np.linalg.eigvals(small).astype(np.complex128)
    return np.take_along_axis(values, np.argsort(-np.abs(values), axis=-1, kind="stable"), -1)


@dataclasses.dataclass(frozen=True, repr=False)
class BilinearSummary(Report):
    """Numbers of one form (or a batch of forms) that no choice of the head basis can change."""

    width: int
    head_width: int
    rank: int
    symmetric_share: float | None
    share_null: float
    signature: Signature
    trace_ratio: float | None
    singular_values: np.ndarray
    reasons: dict


def bilinear_summary(W_Q, W_K, *, tolerance=None):
    """Rank, symmetric share with its null, signature, trace ratio and singular values of the form, in one report.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)
    tolerance : float, optional
        Singular values and eigenvalues up to this size count as zero; the default is that of `signature`.

    Returns
    -------
    BilinearSummary
        One number per field for one form, an array of shape (…) for a batch. Undefined (B = 0, or B_s = 0 for the
        trace ratio) is None for one form and NaN in a batch, with a sentence in ``reasons``.

    Raises
    ------
    ValueError
        As for `signature`.

    Notes
    -----
    Every field is invariant under the head basis and under orthogonal changes of the token basis; rank and signature
    also under general ones. A key bias and a query bias are not part of B.

    Examples
    --------
    >>> bilinear_summary([[1, 2], [0, 1]], [[1, 0], [0, 1]])
    BilinearSummary
      width            2
      head_width       2
      rank             2
      symmetric_share  0.6667
      share_null       0.75
      signature        (1, 0, 1)
      trace_ratio      1
      singular_values  [2.414, 0.4142]
      reasons          {}
    """
    W_Q, W_K = _factors(W_Q, W_K)
    core, bound = _core(W_Q, W_K, tolerance)
    sigma, values = _singular_values(core, *W_Q.shape[-2:]), _symmetric_eigenvalues(core)
    share, ratio = (1 + _symmetry(core, bound)) / 2, _trace_ratio(values, bound)
    reasons = undefined("symmetric_share", (np.isnan(share), "B = 0 has no energy to share"))
    reasons |= undefined(
        "trace_ratio", (np.isnan(ratio), "the symmetric part is zero, so there is no trace to compare")
    )
    return BilinearSummary(
        width=W_Q.shape[-2],
        head_width=W_Q.shape[-1],
        rank=plain((sigma > bound[..., None]).sum(-1)),
        symmetric_share=settle(share),
        share_null=haar_share_null(W_Q.shape[-2]),
        signature=_signature(values, bound, W_Q.shape[-2]),
        trace_ratio=settle(ratio),
        singular_values=sigma,
        reasons=reasons,
    )


def random_gauge(W_Q, W_K, rng, *, condition=100.0):
    """The same form in another head basis, drawn at random.

    ``W_Q M, W_K M⁻ᵀ`` with ``M = U diag(m) V``, U and V uniform orthogonal, log m uniform.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)
        Where the keys are shared by a group of heads (fewer leading axes), so is M.
    rng : Generator or int
        Source of randomness, or its seed.
    condition : float in [1, 1000)
        Largest condition number of M; 1 gives orthogonal maps. The limit keeps rounding errors small.

    Returns
    -------
    W_Q, W_K : ndarray
        A pair with the same ``W_Q W_Kᵀ`` up to rounding.

    Raises
    ------
    ValueError
        If the shapes do not fit, ``rng`` is None or ``condition`` is outside its range.

    Notes
    -----
    Whatever changes under this map says something about the coordinates of a head and nothing about the head: norms
    of queries and keys, their cosines, single coordinates. A query bias moves along as ``b_Q M``. With rotary
    positions only maps that commute with all rotations are gauges.

    Examples
    --------
    >>> W_Q, W_K = random_gauge([[1.0], [0.0]], [[0.0], [1.0]], rng=1)
    >>> print(bilinear_form(W_Q, W_K).round(12))
    [[0. 1.]
     [0. 0.]]
    """
    W_Q, W_K = _factors(W_Q, W_K)
    rng, condition = as_rng(rng), as_number(condition, "condition", low=1)
    if condition >= 1e3:
        raise ValueError(f"condition is {condition:g}; expected a number in [1, 1000)")
    shape = (*W_K.shape[:-2], W_K.shape[-1])
    with one_thread(shape[-1]):
        left, right = (np.linalg.qr(rng.standard_normal((*shape, shape[-1])))[0] for _ in range(2))
        m = np.exp(np.log(condition) * (rng.random(shape) - 0.5))[..., None, :]
        return W_Q @ ((left * m) @ right), W_K @ ((left / m) @ right)


def balanced_gauge(W_Q, W_K):
    """The same form in the head basis that treats queries and keys alike.

    ``W_Q = U Σ^½, W_K = V Σ^½`` from the singular value decomposition ``B = U Σ Vᵀ``.

    Parameters
    ----------
    W_Q, W_K : array_like, shape (…, d, d_k)

    Returns
    -------
    W_Q, W_K : ndarray, shape (…, d, d_k)
        Columns ordered by singular value; the entry of largest size in each column of U is positive. If d < d_k the
        last d_k − d columns are zero.

    Raises
    ------
    ValueError
        If the two shapes do not fit, or an entry is not finite.

    Notes
    -----
    Depends on B alone, up to rotations among equal singular values, so cosines between queries and keys taken in this
    gauge are well defined, *except* that translating all keys, which no weight can see, still changes them.

    Examples
    --------
    >>> for W in balanced_gauge([[8.0], [0.0]], [[0.0], [0.5]]):
    ...     print(W.ravel())
    [2. 0.]
    [0. 2.]
    """
    W_Q, W_K = _factors(W_Q, W_K)
    with one_thread(W_Q.shape[-1]):
        (P, R), (Z, T) = np.linalg.qr(W_Q), np.linalg.qr(W_K)
        U, sigma, Vt = np.linalg.svd(_product(R, T))
        U, V = P @ U, Z @ np.swapaxes(Vt, -1, -2)
    root = np.sqrt(sigma)[..., None, :]
    sign = np.sign(np.take_along_axis(U, np.abs(U).argmax(-2)[..., None, :], -2))
    pad = [(0, 0)] * (U.ndim - 1) + [(0, W_Q.shape[-1] - U.shape[-1])]
    return np.pad(U * sign * root, pad) + 0.0, np.pad(V * sign * root, pad) + 0.0  # + 0.0: no −0.0


def circumcentre(K):
    """The point at equal distance from all keys, within their affine hull.

    Translating the keys by minus this point changes no attention weight and makes all their norms equal; dot-product
    attention is then exactly attention by a Gaussian kernel of ``‖q_i − k_j‖``.

    Parameters
    ----------
    K : array_like, shape (…, n, d_k)

    Returns
    -------
    ndarray, shape (…, d_k)
        NaN where the keys lie on no common sphere.

    Raises
    ------
    ValueError
        If there is no key, or an entry is not finite.

    Notes
    -----
    Exists if the keys are affinely independent, for which n ≤ d_k + 1 is necessary and almost always enough. For any
    number of keys use `lift`. Masked keys do not count: leave them out.

    Examples
    --------
    >>> print(circumcentre([[0.0], [2.0]]), circumcentre([[0.0], [1.0], [3.0]]))
    [1.] [nan]
    """
    K = as_rows(K, "K")
    edges = K - K[..., :1, :]
    squares = _squares(edges, "a key difference")
    centre = np.einsum("...dn,...n->...d", np.linalg.pinv(2 * edges, rcond=1e-12), squares)
    miss = np.abs(2 * np.einsum("...nd,...d->...n", edges, centre) - squares).max(-1)
    found = miss <= 1e-9 * squares.max(-1)
    return np.where(found[..., None], K[..., 0, :] + centre, np.nan)


def lift(Q, K, *, radius=None):
    """Queries and keys in one more dimension, where all keys have the same norm.

    ``q̃ = (q, 0)``, ``k̃ = (k, √(R² − ‖k‖²))``: dot products are unchanged and ``A_ij ∝ exp(−‖q̃_i − k̃_j‖²/2)``.

    Parameters
    ----------
    Q : array_like, shape (…, n_query, d_k)
        With a scale in the score, pass ``scale · Q``.
    K : array_like, shape (…, n_key, d_k)
    radius : float, optional
        R, at least the largest ‖k_j‖; by default equal to it.

    Returns
    -------
    Q, K : ndarray, shape (…, n, d_k + 1)

    Raises
    ------
    ValueError
        If the widths differ or the radius is smaller than a key.

    Notes
    -----
    Attention is thus always a distance kernel between two point clouds, queries and keys. It is not thereby a metric
    on one set of tokens: a token's own query and key are different points.

    Examples
    --------
    >>> Q, K = lift([[1.0, 0.0]], [[1.0, 0.0], [3.0, 4.0]])
    >>> print(K @ K.T)
    [[25.  3.]
     [ 3. 25.]]
    """
    Q, K = as_rows(Q, "Q"), as_rows(K, "K")
    if Q.shape[-1] != K.shape[-1] or not _broadcast(Q, K):
        raise ValueError(f"Q and K have shapes {Q.shape} and {K.shape}; expected (…, n_query, d_k) and (…, n_key, d_k)")
    squares = _squares(K, "a key norm")[..., None]
    top = squares.max(-2, keepdims=True)
    if radius is not None:
        radius = as_number(radius, "radius", low=0)
        if radius**2 < top.max() * (1 - 1e-12):
            raise ValueError(f"radius is {radius:g}; expected at least the largest key norm, {np.sqrt(top.max()):g}")
        top = np.maximum(radius**2, top)
    return np.pad(Q, [(0, 0)] * (Q.ndim - 1) + [(0, 1)]), np.concatenate([K, np.sqrt(top - squares)], -1)


def rope_rotation(positions, d_k, *, base=10000.0, pairs="adjacent"):
    """Rotation by which rotary positions act on a query or a key, for row vectors.

    ``q_m R_m (k_n R_n)ᵀ = q_m R_{m−n} k_nᵀ``; plane r = 0, 1, … turns by the angle ``m · base^(−2r/d_k)``.

    Parameters
    ----------
    positions : array_like, shape (…)
        Positions, or differences of positions.
    d_k : int
        Width of a head, even.
    base : float
        Larger values make the slow planes slower.
    pairs : {"adjacent", "halves"}
        Which coordinates form a plane: (0, 1), (2, 3), … as in the paper, or (0, d_k/2), (1, d_k/2 + 1), … as in many
        released checkpoints.

    Returns
    -------
    ndarray, shape (…, d_k, d_k)

    Raises
    ------
    ValueError
        If d_k is odd or ``pairs`` is unknown.

    Notes
    -----
    There is one form for each offset, ``bilinear_form(W_Q @ rope_rotation(m − n, d_k), W_K)``. The head basis may then
    change only by matrices ``a I + b J`` in each plane (for distinct frequencies), and a key bias no longer drops out.

    References
    ----------
    Su et al. 2021, *RoFormer*.

    Examples
    --------
    >>> print(rope_rotation(np.pi / 2, 2).round(12))
    [[ 0.  1.]
     [-1.  0.]]
    """
    positions, d_k = as_array(positions, "positions"), as_number(d_k, "d_k", integer=True, low=1)
    if d_k % 2:
        raise ValueError(f"d_k is {d_k}; rotary positions turn pairs of coordinates, so it must be even")
    if pairs not in ("adjacent", "halves"):
        raise ValueError(f"pairs must be 'adjacent' or 'halves', got {pairs!r}")
    angle = positions[..., None] * as_number(base, "base", low=1) ** (-np.arange(0, d_k, 2) / d_k)
    order = np.arange(d_k).reshape((-1, 2) if pairs == "adjacent" else (2, -1))
    first, second = order.T if pairs == "adjacent" else order
    R = np.zeros((*positions.shape, d_k, d_k))
    R[..., first, first] = R[..., second, second] = np.cos(angle)
    R[..., first, second] = np.sin(angle)
    R[..., second, first] = -np.sin(angle)
    return R


def alibi_slopes(n_heads):
    """Slopes of the linear position biases, one for each head.

    ``m_h = 2^(−8h/H)`` for h = 1, …, H.

    Parameters
    ----------
    n_heads : int

    Returns
    -------
    ndarray, shape (n_heads,)

    Raises
    ------
    ValueError
        If ``n_heads`` < 1.

    References
    ----------
    Press et al. 2022, *Train Short, Test Long*.

    Examples
    --------
    >>> print(alibi_slopes(4))
    [0.25       0.0625     0.015625   0.00390625]
    """
    n_heads = as_number(n_heads, "n_heads", integer=True, low=1)
    return 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)


def alibi_bias(n, slopes):
    """Linear position bias, added to the scores after their scaling.

    ``−m |i − j|``; under a causal mask this is ``−m (i − j)``.

    Parameters
    ----------
    n : int
        Number of tokens.
    slopes : array_like, shape (…)
        One m for each head, see `alibi_slopes`.

    Returns
    -------
    ndarray, shape (…, n, n)

    Raises
    ------
    ValueError
        If n < 1 or a slope is not finite.

    Notes
    -----
    Under a causal mask it gives the same weights as ``+m j``, a column term: dropping ``−m i`` is a row shift. So it
    says "late keys are popular" and nothing about distance. Without the mask that is false.

    References
    ----------
    Press et al. 2022, *Train Short, Test Long*.

    Examples
    --------
    >>> print(alibi_bias(3, 0.5))
    [[ 0.  -0.5 -1. ]
     [-0.5  0.  -0.5]
     [-1.  -0.5  0. ]]
    """
    positions = np.arange(as_number(n, "n", integer=True, low=1))
    return -as_array(slopes, "slopes")[..., None, None] * np.abs(positions[:, None] - positions) + 0.0  # no −0.0


def _factors(W_Q, W_K):
    W_Q, W_K = as_rows(W_Q, "W_Q"), as_rows(W_K, "W_K")
    if W_Q.shape[-2:] != W_K.shape[-2:] or not _broadcast(W_Q, W_K):
        raise ValueError(f"W_Q and W_K have shapes {W_Q.shape} and {W_K.shape}; expected the same (…, d, d_k)")
    return W_Q, W_K


def _broadcast(a, b):
    """Whether the leading axes of two stacks of matrices fit together."""
    return all(m == n or 1 in (m, n) for m, n in zip(a.shape[-3::-1], b.shape[-3::-1]))


def _product(left, right):
    with np.errstate(over="ignore", invalid="ignore", under="ignore"), one_thread(max(left.shape[-2:])):
        return finite(left @ np.swapaxes(right, -1, -2), "the product of the factors")


def _squares(K, what):
    with np.errstate(over="ignore", under="ignore"):
        return finite((K**2).sum(-1), f"the square of {what}")


def _core(W_Q, W_K, tolerance=None):
    """D with B = P D Pᵀ, P having min(d, 2 d_k) orthonormal columns, and the size below which D is rounding error."""
    W_Q, W_K = _factors(W_Q, W_K)
    d, d_k = W_Q.shape[-2:]
    if tolerance is None:
        bound = max(d, 2 * d_k) * np.finfo(np.float64).eps * _norm(W_Q) * _norm(W_K)
    else:
        bound = np.asarray(as_number(tolerance, "tolerance", low=0))
    if d <= 2 * d_k:  # nothing to gain: P = I
        return _product(W_Q, W_K), bound
    with one_thread(2 * d_k):
        R = np.linalg.qr(np.concatenate(np.broadcast_arrays(W_Q, W_K), -1), mode="r")
    return _product(R[..., :d_k], R[..., d_k:]), bound


def _norm(W):
    """Frobenius norm, whose squares neither overflow nor vanish."""
    size = np.abs(W).max((-1, -2))
    return size * np.linalg.norm(W / np.where(size > 0, size, 1.0)[..., None, None], axis=(-1, -2))


def _symmetry(D, bound):
    size = _norm(D)
    D = D / np.where(size > bound, size, np.nan)[..., None, None]
    return np.clip((D * np.swapaxes(D, -1, -2)).sum((-1, -2)) / (D**2).sum((-1, -2)), -1.0, 1.0)


def _symmetric_eigenvalues(D):
    with one_thread(D.shape[-1]):
        return np.linalg.eigvalsh(symmetric_part(D))[..., ::-1]


def _singular_values(D, d, d_k):
    if d > 2 * d_k:
        D = D[..., :d_k, :]  # the other rows are zero, because R_Q is triangular
    with one_thread(D.shape[-1]):
        return np.linalg.svd(D, compute_uv=False)[..., : min(d, d_k)]


def _signature(values, bound, d):
    positive, negative = (values > bound[..., None]).sum(-1), (values < -bound[..., None]).sum(-1)
    return Signature(plain(positive), plain(negative), plain(d - positive - negative))


def _trace_ratio(values, bound):
    defined = np.abs(values).max(-1) > bound
    total = np.where(defined, np.abs(values).sum(-1), np.nan)
    return np.clip(values.sum(-1) / total, -1.0, 1.0)
