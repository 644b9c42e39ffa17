"""What weights can and cannot explain: equivalent rows, erasure, contributions, rollout and flow.

None of these is an explanation of a model. Each answers one stated question about one head, or about a stack of weights
under assumptions that the result names.
"""

import dataclasses

import numpy as np

from attention_geometry._inputs import as_mask, as_matrix, as_number, as_rows, as_weights, finite, require
from attention_geometry._text import Report, plain


@dataclasses.dataclass(frozen=True, repr=False)
class EquivalentWeights(Report):
    """All rows of weights that mix the values into the same output.

    Attributes
    ----------
    dimension : int
        Dimension of ``{z : zV = 0, z1 = 0}`` over the allowed keys: their number minus rank [V, 1].
    basis : ndarray, shape (dimension, n)
        Orthonormal rows spanning it; 0 at forbidden keys.
    alternative : ndarray, shape (n,), or None
        A row a′ ≥ 0 with sum 1 and the same output, on the boundary of the feasible set. Every row strictly between it
        and a positive a is feasible and positive.
    total_variation : float or None
        TV(a, a′), between 0 and 1: a *lower* bound on how far an equivalent row can be.
    reasons : dict
        Why there is no alternative.
    """

    dimension: int
    basis: np.ndarray
    alternative: np.ndarray
    total_variation: float
    reasons: dict


def equivalent_weights(a, V, *, mask=None, tolerance=None):
    """Rows of weights that give the same output as ``a``, with one of them written out.

    ``{a′ ≥ 0 : a′V = aV, a′1 = 1}``.

    Parameters
    ----------
    a : array_like, shape (n,)
        One row of weights, rounded (no entry below 0, sum 1) where its precision left it off by a little.
    V : array_like, shape (n, d_v)
        Values.
    mask : array_like of bool, shape (n,), optional
        Keys that this query may attend to; for query i (from 0) of a causal head ``causal_mask(n)[i]``.
    tolerance : float, optional
        Singular values at or below it count as 0, of V with each column centred and divided by its largest entry;
        1e-12 · n by default. A column that is constant up to rounding counts as constant.

    Returns
    -------
    EquivalentWeights
        ``alternative`` is None, with the reason, where ``a`` is the only such row.

    Raises
    ------
    ValueError
        If a is no row of weights, or shapes do not fit.
    RuntimeError
        If the solver of the linear programmes gives up; the message is the solver's.

    Notes
    -----
    The dimension is at least n − d_v − 1: with more allowed keys than d_v + 1 a positive row is never identifiable from
    its output. It is 0 exactly if the allowed values are affinely independent. *Output-equivalent*, not *realisable*:
    the same W_Q and W_K need not be able to produce the alternative. Invariant under W_V → W_V M and under
    translating all values. The alternative is found by linear programmes that push away from ``a``; its TV is a local
    maximum.

    References
    ----------
    Brunner et al. 2020, *On Identifiability in Transformers*, count n − rank V, without the sum. Bhardwaj et al. 2021,
    *More Identifiable yet Equally Performant Transformers*.

    Examples
    --------
    >>> equivalent_weights([1/3, 1/3, 1/3], V=[[0.0], [1.0], [2.0]])
    EquivalentWeights
      dimension        1
      basis            [0.4082, -0.8165, 0.4082]
      alternative      [0, 1, 0]
      total_variation  0.6667
      reasons          {}
    """
    a, V = as_weights(a, "a"), as_matrix(V, "V")
    if a.shape != V.shape[:1]:
        raise ValueError(f"a and V have shapes {a.shape} and {V.shape}; expected one row (n,) and its values (n, d_v)")
    keys = np.flatnonzero(as_mask(mask, a.shape))
    if len(keys) == 0 or np.delete(a, keys).any():
        raise ValueError("a puts weight on a key that the mask forbids; is this the mask that made a?")
    a = np.maximum(a, 0.0)
    a = a / a.sum()
    span, free = _output_span(V[keys], tolerance)
    basis, alternative = np.zeros((free.shape[1], len(a))), np.zeros(len(a))
    basis[:, keys] = free.T
    row = _far_row(a[keys], span) if len(basis) else None
    if row is None:
        why = "every other row leaves the simplex" if len(basis) else "the allowed values are affinely independent"
        return EquivalentWeights(len(basis), basis, None, None, dict.fromkeys(("alternative", "total_variation"), why))
    alternative[keys] = row
    return EquivalentWeights(len(basis), basis, alternative, float(np.abs(row - a[keys]).sum() / 2), {})


def equivalent_dimension(V, *, mask=None, tolerance=None):
    """Dimension of the rows of weights with one output, for each row of a mask.

    ``m − rank [V, 1]`` over the m allowed keys.

    Parameters
    ----------
    V : array_like, shape (n, d_v)
        Values.
    mask : array_like of bool, shape (n,) or (n_query, n), optional
        Keys each query may attend to; all by default. ``causal_mask(n)`` gives every row of a causal head.
    tolerance : float, optional
        As for `equivalent_weights`.

    Returns
    -------
    int or ndarray of int, shape (n_query,)
        At least 0.

    Raises
    ------
    ValueError
        If a query has no allowed key.

    Notes
    -----
    Invariant under W_V → W_V M with invertible M, under translating all values and under permuting the allowed keys;
    *not* under a map of the values that is not affine, nor under another mask.

    Examples
    --------
    The first rows of a causal head are identifiable, the later ones are not:

    >>> from attention_geometry.attention import causal_mask
    >>> print(equivalent_dimension([[0.0], [1.0], [3.0], [4.0]], mask=causal_mask(4)))
    [0 0 1 2]
    """
    V = as_matrix(V, "V")
    rows = np.ones(len(V), dtype=bool) if mask is None else np.asarray(mask)
    rows = as_mask(rows, (*rows.shape[:-1], len(V)))
    if not rows.any(-1).all():
        raise ValueError("a row of the mask allows no key, so no row of weights exists for it")
    sizes = [_output_span(V[row], tolerance)[1].shape[1] for row in rows.reshape(-1, len(V))]
    return plain(np.array(sizes).reshape(rows.shape[:-1]))


def leave_one_out(A, V):
    """Change of each output when one key is removed and the other weights are rescaled.

    ``y^(−j) − y = A_j / (1 − A_j) · (y − v_j)``.

    Parameters
    ----------
    A : array_like, shape (n_key,) or (…, n_query, n_key)
        Weights.
    V : array_like, shape (…, n_key, d_v)
        Values.

    Returns
    -------
    ndarray, shape (n_key, d_v) or (…, n_query, n_key, d_v)
        Changes of the output, before W_O. NaN where a key carries the whole row (nothing is left to attend to) and for
        a row of zeros.

    Raises
    ------
    ValueError
        If A is not made of rows of weights, or the keys of A and V differ in number.

    Notes
    -----
    The most attended key can have effect 0: it has whenever its value equals the output. Translating all values changes
    nothing; *not* invariant under ``W_V → W_V M, W_O → M⁻¹ W_O``: pass ``V @ W_O`` for the change that reaches the
    residual stream. The remaining weights keep their proportions, as the softmax does when one score becomes −∞;
    zeroing a weight *without* rescaling is another intervention.

    References
    ----------
    Serrano & Smith 2019, *Is Attention Interpretable?*

    Examples
    --------
    >>> print(leave_one_out([0.5, 0.25, 0.25], V=[[1.0], [0.0], [2.0]]).ravel().round(4))
    [ 0.      0.3333 -0.3333]
    """
    A, V = _weights_and_values(A, V)
    top = np.arange(A.shape[-1]) == A.argmax(-1)[..., None]
    others = np.where(top, 0.0, A).sum(-1, keepdims=True)  # 1 − A_j has no digits left where A_j is nearly 1
    rest = np.where(top, others, A.sum(-1, keepdims=True) - A)
    odds = np.where(rest > 0, A / np.where(rest > 0, rest, 1.0), np.nan)
    return -odds[..., None] * _offsets(A, V) + 0.0  # no −0.0


def score_sensitivity(A, V):
    """Derivative of each output with respect to the score of each key.

    ``∂y/∂s_j = A_j (v_j − y)``.

    Parameters
    ----------
    A, V
        As for `leave_one_out`.

    Returns
    -------
    ndarray, shape (n_key, d_v) or (…, n_query, n_key, d_v)
        The n_key derivatives of one output sum to 0.

    Raises
    ------
    ValueError
        As for `leave_one_out`.

    Notes
    -----
    Translating all values changes nothing; *not* invariant under ``W_V → W_V M, W_O → M⁻¹ W_O``, unless ``V @ W_O`` is
    passed for V.

    Examples
    --------
    >>> print(score_sensitivity([0.5, 0.25, 0.25], V=[[1.0], [0.0], [2.0]]).ravel())
    [ 0.   -0.25  0.25]
    """
    A, V = _weights_and_values(A, V)
    return A[..., None] * _offsets(A, V)


def contribution_norms(A, V, W_O):
    """Length of what each key adds to each output in the residual stream.

    ``‖A_ij v_j W_O‖``.

    Parameters
    ----------
    A : array_like, shape (n_key,) or (…, n_query, n_key)
        Weights.
    V : array_like, shape (…, n_key, d_v)
        Values, with the bias of the values where the model has one.
    W_O : array_like, shape (…, d_v, d)
        The head's slice of the output projection.

    Returns
    -------
    ndarray, shape of ``A`` (leading axes broadcast)
        Euclidean lengths in the units of the residual stream.

    Raises
    ------
    ValueError
        As for `leave_one_out`.

    Notes
    -----
    Invariant under ``W_V → W_V M, W_O → M⁻¹ W_O``, which ‖v_j‖ and A_ij‖v_j‖ are not. *Not* invariant under translating
    all values, and blind to cancellation: two large contributions may sum to nothing.

    References
    ----------
    Kobayashi et al. 2020, *Attention is Not Only a Weight*.

    Examples
    --------
    The whole output comes from a key with weight 1/10:

    >>> print(contribution_norms([0.8, 0.1, 0.1], V=[[0.0], [10.0], [0.0]], W_O=[[1.0]]))
    [0. 1. 0.]
    """
    (A, V), W_O = _weights_and_values(A, V), as_rows(W_O, "W_O")
    if V.shape[-1] != W_O.shape[-2]:
        raise ValueError(f"V and W_O have shapes {V.shape} and {W_O.shape}; expected (…, n_key, d_v), (…, d_v, d)")
    with np.errstate(over="ignore", invalid="ignore"):
        length = finite(np.linalg.norm(V @ W_O, axis=-1), "the length of a value")
    return A * (length if A.ndim == 1 else length[..., None, :])


@dataclasses.dataclass(frozen=True, repr=False)
class Rollout(Report):
    """Product of the weights of a stack of layers, with what it takes for granted.

    Attributes
    ----------
    weights : ndarray, shape (n, n)
        Row i: shares of the inputs in token i after the last layer, under the assumptions.
    residual : float
        Weight of the residual stream in every layer.
    assumptions : tuple of str
        What must hold for the product to describe the network.
    """

    weights: np.ndarray
    residual: float
    assumptions: tuple


def rollout(A_stack, *, residual=0.5):
    """Weights of a whole stack, multiplied as if attention and the residual stream were all there is.

    ``R = Â^(L) ⋯ Â^(1)``, ``Â = residual · I + (1 − residual) · A``.

    Parameters
    ----------
    A_stack : array_like, shape (layers, n, n) or (layers, heads, n, n)
        Weights, first layer first; heads are averaged.
    residual : float in [0, 1]
        Share of the residual stream.

    Returns
    -------
    Rollout

    Raises
    ------
    ValueError
        If the stack has another number of axes or its rows are no weights.

    Notes
    -----
    Rows sum to 1. In a causal stack every product moves towards its first column (the first row is e₁ in every layer),
    so with depth rollout points at token 1 whatever the text says. Invariant under permuting the heads of a layer and
    blind to values and W_O; *not* invariant under exchanging layers or under another share of the residual stream.

    References
    ----------
    Abnar & Zuidema 2020, *Quantifying Attention Flow in Transformers*.

    Examples
    --------
    >>> two_layers = [[[1.0, 0.0], [0.5, 0.5]]] * 2
    >>> print(rollout(two_layers).weights)
    [[1.     0.    ]
     [0.4375 0.5625]]
    """
    layers, assumptions = _residual_layers(A_stack, residual)
    weights = layers[0]
    for layer in layers[1:]:
        weights = layer @ weights
    return Rollout(weights, float(residual), assumptions)


def attention_flow(A_stack, *, query, residual=0.5, largest=50_000):
    """Largest flow from one token after the last layer to each input token.

    Maximum flow in the layered graph whose edge from token i of layer l to token j of layer l − 1 has capacity
    ``Â^(l)_ij``, as in `rollout`.

    Parameters
    ----------
    A_stack, residual
        As for `rollout`.
    query : int
        The token whose inputs are asked for, from 0.
    largest : int
        Refuse graphs with more edges: one maximum flow is solved for each of the n inputs.

    Returns
    -------
    ndarray, shape (n,)
        Each in [0, 1]. They are *not* shares: each input is solved alone, and the flows add up to 1 or more.

    Raises
    ------
    ValueError
        As for `rollout`, or if the graph is too large.
    ImportError
        If networkx (extra "graphs") is missing.

    Notes
    -----
    Invariant under permuting the heads of a layer and blind to values and W_O; *not* invariant under exchanging layers
    or under another share of the residual stream.

    References
    ----------
    Abnar & Zuidema 2020, *Quantifying Attention Flow in Transformers*.

    Examples
    --------
    >>> two_layers = [[[1.0, 0.0], [0.5, 0.5]]] * 2
    >>> print(attention_flow(two_layers, query=1))
    [0.5  0.75]
    """
    layers, _ = _residual_layers(A_stack, residual)
    n, edges = layers.shape[-1], np.argwhere(layers > 0)
    query = as_number(query, "query", low=0, high=n - 1, integer=True)
    if len(edges) > largest:
        raise ValueError(f"the layered graph has {len(edges)} edges, more than largest={largest}; take fewer tokens")
    networkx = require("networkx", "graphs")
    G = networkx.DiGraph()
    G.add_nodes_from((layer, i) for layer in range(len(layers) + 1) for i in range(n))
    G.add_edges_from(((l + 1, i), (l, j), {"capacity": float(layers[l, i, j])}) for l, i, j in edges.tolist())
    return np.array([networkx.maximum_flow_value(G, (len(layers), query), (0, j)) for j in range(n)], dtype=float)


def _output_span(V, tolerance):
    """Orthonormal bases, as columns, of the column space of [V, 1] and of its complement."""
    tolerance = 1e-12 * len(V) if tolerance is None else as_number(tolerance, "tolerance", low=0)
    centred = V - V.mean(0)
    size, noise = np.abs(centred).max(0), 4 * len(V) * np.finfo(float).eps * np.abs(V).max(0)
    moving = size > noise  # each column in its own unit: a large one must not hide a small one
    columns = centred[:, moving] / size[moving]
    left, values, _ = np.linalg.svd(np.column_stack([np.full(len(V), len(V) ** -0.5), columns]))
    rank = int((values > tolerance).sum())
    return left[:, :rank], left[:, rank:]


def _far_row(a, span):
    """A vertex of ``{r ≥ 0 : r span = a span}`` far from a in total variation, or None if a is the only point.

    The TV from a is convex, so maximising its linear part at the last vertex never goes back. One of the first goals
    moves off a if anything does: mass on keys that a leaves out, or a direction inside the face of a.
    """
    from scipy.linalg import null_space
    from scipy.optimize import linprog

    inside = np.zeros((2, len(a)))
    face = null_space(span[a > 0].T)
    if face.size:
        inside[:, a > 0] = face[:, 0], -face[:, 0]
    best, reach = None, 1e-9
    for goal in (-1.0 * (np.arange(len(a)) == a.argmax()), 1.0 * (a == 0), *inside):
        for _ in range(20):
            found = linprog(-goal, A_eq=span.T, b_eq=a @ span, bounds=(0, None), method="highs-ds")  # gives a vertex
            if found.x is None:
                raise RuntimeError(f"no alternative row was found: {found.message}")
            row = np.maximum(found.x, 0.0)
            distance = np.abs(row - a).sum() / 2
            if distance <= reach + 1e-9:
                break
            best, reach, goal = row, distance, np.sign(row - a)
    return best


def _weights_and_values(A, V):
    A, V = as_weights(A, empty_rows="keep"), as_rows(V, "V")
    if A.shape[-1] != V.shape[-2] or (A.ndim == 1 and V.ndim > 2):
        raise ValueError(f"A and V have shapes {A.shape} and {V.shape}; expected (…, n_query, n_key), (…, n_key, d_v)")
    return A, V


def _offsets(A, V):
    """``v_j − y_i`` for every query and key, measured from the value of the most attended key.

    Under a sink y almost equals that value, and their difference would be all rounding error.
    """
    if A.ndim == 1:
        return _offsets(A[None], V)[0]
    batch = np.broadcast_shapes(A.shape[:-2], V.shape[:-2])
    V = np.broadcast_to(V, (*batch, *V.shape[-2:]))
    top = np.broadcast_to(A.argmax(-1)[..., None], (*batch, A.shape[-2], 1))
    from_top = V[..., None, :, :] - np.take_along_axis(V, top, -2)[..., :, None, :]
    total = A.sum(-1)[..., None, None]  # 1 up to the precision of A; 0 in an empty row
    return from_top - (A[..., None] * from_top).sum(-2, keepdims=True) / np.where(total > 0, total, 1.0)


def _residual_layers(A_stack, residual):
    """One matrix a layer, heads averaged and the residual stream mixed in, with the assumptions this makes."""
    A, residual = as_weights(A_stack, "A_stack", square=True), as_number(residual, "residual", low=0, high=1)
    if 0 in A.shape[:-2]:
        raise ValueError(f"A_stack has shape {A.shape}; expected at least one layer and one head")
    if A.ndim not in (3, 4):
        raise ValueError(f"A_stack has shape {A.shape}; expected (layers, n, n) or (layers, heads, n, n), one text")
    heads = f"{A.shape[1]} heads count equally and are averaged" if A.ndim == 4 else "one matrix of weights a layer"
    assumptions = (
        heads,
        f"the residual stream carries a share of {residual:g} in every layer and for every token",
        "values and W_O act as the identity, and all values have equal norm",
        "no MLP and no normalisation",
    )
    return residual * np.eye(A.shape[-1]) + (1 - residual) * (A.mean(1) if A.ndim == 4 else A), assumptions
