r"""Curvature-like quantities: of the rows of attention weights, and of the edges of a graph induced from them.

Attention graphs are complete. A softmax without a mask gives every pair an edge, so every curvature that reads only
which edges exist comes from the threshold that made the graph, and its sign may change with it: state the rule
(:func:`attention_geometry.graph.attention_graph`), vary it, and compare only at equal n, rule, idleness and metric.
None of these numbers is a Riemannian curvature of a space of meanings.

One rule for every result: an array (…, n, n) whose entry (i, j) belongs to the edge i → j, NaN where there is no edge.
:func:`edge_values` turns one such matrix into a dict.
"""

import numpy as np

from attention_geometry._inputs import _first, as_number, as_square, as_vector, as_weights, epsilon, require
from attention_geometry._threads import one_thread
from attention_geometry._transport import wasserstein
from attention_geometry.graph import _pairwise

MEASURES = ("uniform", "weight")
KINDS = ("plain", "weighted", "augmented")


def row_curvature(A, distance, *, solver="auto"):
    r"""How much closer two rows of attention are than the two tokens that own them.

    .. math:: \kappa(i, j) = 1 - \frac{W_1(A_i, A_j)}{d(i, j)}

    Parameters
    ----------
    A : array_like (…, n, n)
        Attention weights; rows sum to one. No idleness is needed: the rows are the measures.
    distance : {"discrete", "positions"} or array_like (…, n, n)
        The metric d on the tokens, which is a choice. ``"discrete"``: 1 between any two tokens, W₁ is the total
        variation. ``"positions"``: abs(i − j), W₁ is the sum of the differences of the cumulated rows. An array: any
        metric, symmetric or not; the transport problems are solved exactly, one a pair: n(n − 1)/2 of them, or twice as
        many where it is not symmetric.
    solver : {"auto", "pot", "numba", "scipy"}
        For an array only. ``"auto"``: POT if it is installed, else linear programs.

    Returns
    -------
    ndarray (…, n, n)
        At most 1; 1 where the two rows are equal. NaN on the diagonal, and where d(i, j) = 0.

    Raises
    ------
    ValueError
        If an array ``distance`` is negative, not zero on its diagonal, not finite, or breaks the triangle inequality:
        W₁ is then no distance (:func:`attention_geometry.axioms.metric_closure` repairs the last).

    Notes
    -----
    Discrete: min κ = 1 − δ(A), with Dobrushin's δ. Positions: neighbours suffice for the minimum, as every d(i, j) is
    a sum of steps. If κ ≥ κ₀ everywhere, then W₁(μA, νA) ≤ (1 − κ₀) W₁(μ, ν) for all distributions μ, ν.
    Invariant under row shifts of the scores; not comparable between metrics nor between lengths n.

    References
    ----------
    Ollivier 2009, *Ricci curvature of Markov chains on metric spaces*.

    Examples
    --------
    >>> A = [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]
    >>> row_curvature(A, "discrete")
    array([[ nan, 0.5 , 0.25],
           [0.5 ,  nan, 0.5 ],
           [0.25, 0.5 ,  nan]])
    >>> row_curvature(A, "positions")[0]
    array([  nan, 0.5  , 0.375])
    """
    A = as_weights(A, square=True)
    A = A / A.sum(axis=-1, keepdims=True)  # rows of a half-precision type differ in mass; transport needs equal ones
    n = A.shape[-1]
    named = isinstance(distance, str)
    if named and distance not in ("discrete", "positions"):
        raise ValueError(f"distance must be 'discrete', 'positions' or an array (…, {n}, {n}), got {distance!r}")
    if named and solver != "auto":
        raise ValueError(f"distance={distance!r} has a closed form: solver={solver!r} would not be used")
    if not named:
        d = _metric(distance, "distance", n)
        return _curvature(A, d, ~np.eye(n, dtype=bool), solver)
    if distance == "discrete":
        rows, d = A / 2, 1.0 - np.eye(n)
    else:
        rows, d = np.cumsum(A, axis=-1)[..., :-1], np.abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(float)
    W = _pairwise(rows, lambda difference: np.abs(difference).sum(-1))
    return 1.0 - np.divide(W, d, out=np.full(W.shape, np.nan), where=d > 0)


def ollivier_ricci(G, *, alpha=0.5, measure=None, lengths=None, metric=None, solver="auto"):
    r"""Ollivier's curvature of every edge: do the neighbourhoods of its ends lie closer together than the ends?

    .. math::
        \kappa_\alpha(x, y) = 1 - \frac{W_1(m_x, m_y)}{d(x, y)}, \qquad m_x = \alpha \delta_x + (1 - \alpha) p_x

    Parameters
    ----------
    G : array_like (…, n, n) or networkx graph
        Non-negative weights without loops; i → j is an edge where G_ij > 0. Of a networkx graph the edge attribute
        ``weight`` is read (1 where it is missing), in the order of its nodes. A weight is a strength, never a length.
    alpha : float in [0, 1)
        Idleness: the mass that stays on its own node.
    measure : {"uniform", "weight"} or array_like (…, n, n)
        The law p_x of a step: equal over the edges out of x, or in proportion to their weights, or row x of the array
        (its support may leave the edges). May be left out where all weights are equal, for then the first two agree.
    lengths : array_like (…, n, n), optional
        Length of each edge, read on the edges only; d is the length of the shortest path. Without it, every edge has
        length 1 and d counts hops.
    metric : array_like (…, n, n), exclusive with ``lengths``
        The metric d itself.
    solver : {"auto", "pot", "numba", "scipy"}
        All are exact. ``"auto"``: POT if it is installed (extra ``transport``), else linear programs; ``"numba"``
        (extra ``fast``) is the fastest on large dense graphs.

    Returns
    -------
    ndarray (…, n, n)
        NaN where there is no edge, or d = 0; symmetric for an undirected graph. −∞ where mass would have to reach a
        node that cannot be reached, which takes a directed graph. A graph without edges gives NaN only.

    Raises
    ------
    ValueError
        For loops, negative or undefined weights, lengths that are not positive, a ``metric`` that is none (see
        :func:`row_curvature`), or a missing ``measure`` where it matters.

    Notes
    -----
    Directed graphs: p_x lives on the nodes that x points to, for both ends, and d follows the arcs. A node that points
    nowhere keeps all its mass. The unit of weights and of lengths plays no part.
    Rankings of graphs depend on α: on complete graphs κ₀ rises and κ_½ falls with n. Libraries that give a neighbour
    the mass exp(−weight²) read the weight as a length; on attention weights that inverts the order.

    References
    ----------
    Ollivier 2009, *Ricci curvature of Markov chains on metric spaces*.

    Examples
    --------
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> edge_values(ollivier_ricci(path))
    {(0, 1): 0.5, (1, 2): 0.0, (2, 3): 0.5}
    """
    W = _adjacency(G, "G")
    n = W.shape[-1]
    alpha = as_number(alpha, "alpha", low=0)
    if alpha >= 1:
        raise ValueError(f"alpha is {alpha:g}; expected a number in [0, 1): at 1 nothing moves (see lin_lu_yau)")
    if lengths is not None and metric is not None:
        raise ValueError("give at most one of lengths (of the edges) and metric (between all nodes)")
    P = alpha * np.eye(n) + (1 - alpha) * _step_law(W, measure)
    d = _path_lengths(W, lengths) if metric is None else _metric(metric, "metric", n)
    return _curvature(P, d, W > 0, solver)


def lin_lu_yau(G, *, measure=None, lengths=None, metric=None, solver="auto"):
    r"""The curvature of Lin, Lu and Yau: Ollivier's, freed of the idleness.

    .. math:: \kappa(x, y) = \lim_{\alpha \to 1} \frac{\kappa_\alpha(x, y)}{1 - \alpha} = 2 \kappa_{1/2}(x, y)

    Parameters
    ----------
    G, measure, lengths, metric, solver
        As in :func:`ollivier_ricci`.

    Returns
    -------
    ndarray (…, n, n)
        NaN where there is no edge; −∞ as in :func:`ollivier_ricci`.

    Raises
    ------
    ValueError
        As in :func:`ollivier_ricci`.

    Notes
    -----
    The second equality is exact for every step law and every metric. For α > ½ the mass α on x is more than what m_y
    asks for outside y, so every plan moves mass from x to y, and an optimal potential f has f(x) − f(y) = d(x, y).
    Among such f, W₁ = αd + (1 − α) max (p_x f − p_y f): κ_α / (1 − α) does not depend on α, and continuity adds ½.
    For combinatorial graphs this is Bourne et al. 2018.
    On a tree 2/d_x + 2/d_y − 2 for the edge between nodes of degrees d_x, d_y.

    References
    ----------
    Lin, Lu & Yau 2011, Tohoku Math. J. 63; Bourne et al. 2018, *Ollivier–Ricci idleness functions of graphs*.

    Examples
    --------
    >>> lin_lu_yau([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    array([[nan, 1.5, 1.5],
           [1.5, nan, 1.5],
           [1.5, 1.5, nan]])
    """
    return 2 * ollivier_ricci(G, alpha=0.5, measure=measure, lengths=lengths, metric=metric, solver=solver)


def forman(adjacency, kind="plain", *, node_weights=None):
    r"""Forman's curvature of every edge of an undirected graph.

    Plain: :math:`F = 4 - d_u - d_v`. Augmented: :math:`F + 3 \triangle`, with △ the triangles on the edge. Weighted:

    .. math:: F(e) = w_u \Big(2 - \sum_{e' \ni u} \sqrt{\tfrac{w_e}{w_{e'}}}\Big)
                   + w_v \Big(2 - \sum_{e' \ni v} \sqrt{\tfrac{w_e}{w_{e'}}}\Big)

    Parameters
    ----------
    adjacency : array_like (…, n, n) or networkx graph
        Symmetric, non-negative, without loops. ``"plain"`` and ``"augmented"`` read only which entries are positive.
    kind : {"plain", "weighted", "augmented"}
    node_weights : array_like (…, n), optional
        Positive weights w_u, for ``"weighted"`` only; 1 each without it.

    Returns
    -------
    ndarray (…, n, n)
        Symmetric; NaN where there is no edge.

    Raises
    ------
    ValueError
        For directed graphs: nothing is made symmetric in silence.

    Notes
    -----
    The plain kind knows only degrees, so its mean over a graph is a function of the degree sequence. With all weights
    1 the weighted kind is the plain one; it does not change when all edge weights are scaled together.
    Signs may disagree with Ollivier's: on complete graphs with n ≥ 4, F < 0 < κ.

    References
    ----------
    Forman 2003, DCG 29; Sreejith et al. 2016, *Forman curvature for complex networks*; Samal et al. 2018,
    Sci. Rep. 8:8650.

    Examples
    --------
    >>> K3 = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> edge_values(forman(K3)), edge_values(forman(K3, "augmented"))
    ({(0, 1): 0.0, (0, 2): 0.0, (1, 2): 0.0}, {(0, 1): 3.0, (0, 2): 3.0, (1, 2): 3.0})
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {KINDS}, got {kind!r}")
    if node_weights is not None and kind != "weighted":
        raise ValueError(f"node_weights are read by kind='weighted' only, got kind={kind!r}")
    W, E = _undirected(adjacency, weighted=kind == "weighted")
    if kind == "weighted":
        root = np.sqrt(W)
        rest = np.divide(1.0, root, out=np.zeros_like(W), where=E).sum(-1)
        w = np.ones(W.shape[-1]) if node_weights is None else as_vector(node_weights, "node_weights", W.shape[-1])
        if w.min() <= 0:
            raise ValueError(f"node_weights has the entry {w.min():g}; expected positive numbers")
        half = w[..., None] * (2 - root * rest[..., None])
    else:
        half = (2 - E.sum(-1, dtype=float))[..., None]
    F = half + np.swapaxes(half, -1, -2)
    if kind == "augmented":
        F = F + 3 * _common(E)
    return np.where(E, F, np.nan)


def balanced_forman(adjacency):
    r"""The balanced Forman curvature of Topping et al., which also counts the 4-cycles on an edge.

    .. math::
        \frac2{d_i} + \frac2{d_j} - 2 + \frac{2\triangle}{\max(d_i, d_j)} + \frac{\triangle}{\min(d_i, d_j)}
        + \frac{\square^i + \square^j}{\gamma \max(d_i, d_j)}

    and 0 where one end has degree 1. □ⁱ counts the neighbours k of i on a 4-cycle i–k–w–j without diagonals; γ is the
    largest number of such w for one k, or of such k for one w.

    Parameters
    ----------
    adjacency : array_like (…, n, n) or networkx graph
        Symmetric, non-negative, without loops; only which entries are positive is read.

    Returns
    -------
    ndarray (…, n, n)
        Symmetric; NaN where there is no edge. Never above :func:`lin_lu_yau`, and 0 on cycles of five or more nodes.

    Raises
    ------
    ValueError
        For directed graphs.

    References
    ----------
    Topping et al. 2022, *Understanding over-squashing and bottlenecks on graphs via curvature*.

    Examples
    --------
    >>> square = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
    >>> edge_values(balanced_forman(square))
    {(0, 1): 1.0, (0, 3): 1.0, (1, 2): 1.0, (2, 3): 1.0}
    """
    _, E = _undirected(adjacency)
    degree = E.sum(-1, dtype=float)
    low, high = (f(degree[..., :, None], degree[..., None, :]) for f in (np.minimum, np.maximum))
    low, high = np.maximum(low, 1), np.maximum(high, 1)  # read at edges only, where degrees are at least 1
    triangles = _common(E)
    squares, gamma = _squares(E, triangles)
    value = 2 / low + 2 / high - 2 + (2 / high + 1 / low) * triangles + squares / (np.maximum(gamma, 1) * high)
    return np.where(E, np.where(low == 1, 0.0, value), np.nan)


def edge_values(curvature, nodes=None):
    """One matrix of curvatures as a dict from edge to value.

    Parameters
    ----------
    curvature : array_like (n, n)
        A result of this module.
    nodes : iterable of n names, optional
        What to call the nodes, for example the networkx graph itself; positions 0 … n−1 without it.

    Returns
    -------
    dict
        An undirected edge occurs once, as it stands above the diagonal.

    Raises
    ------
    ValueError
        If ``curvature`` is not one square matrix, or ``nodes`` has another length.

    Examples
    --------
    >>> edge_values(forman([[0, 1], [1, 0]]), nodes="ab")
    {('a', 'b'): 2.0}
    """
    K = as_square(curvature, "curvature", nan_policy="propagate", minus_inf=True)
    if K.ndim != 2:
        raise ValueError(f"curvature has shape {K.shape}; expected (n, n): choose one matrix, none is taken in silence")
    names = list(range(len(K)) if nodes is None else nodes)
    if len(names) != len(K):
        raise ValueError(f"nodes has {len(names)} entries but curvature has {len(K)} rows")
    twice = np.array_equal(K, K.T, equal_nan=True)
    edges = np.argwhere(~np.isnan(np.triu(K) + np.where(np.tri(len(K), k=-1) > 0, np.nan, 0) if twice else K))
    return {(names[i], names[j]): float(K[i, j]) for i, j in edges}


def _adjacency(G, name):
    """The weights of a graph, (…, n, n): non-negative, without loops."""
    if hasattr(G, "is_multigraph"):
        if G.is_multigraph():
            raise TypeError(f"{name} is a multigraph; curvature is defined on graphs with one edge a pair")
        if len(G) == 0:
            raise ValueError(f"{name} has no nodes; expected at least one")
        G = require("networkx", "graphs").to_numpy_array(G)
    W = as_square(G, name)
    for bad, what in ((W < 0, "a negative weight"), (np.eye(W.shape[-1], dtype=bool) & (W != 0), "a loop")):
        if bad.any():
            where = _first(bad)
            raise ValueError(f"{name} has {what} at index {where} ({W[where]:.4g}); curvature reads graphs without")
    return W


def _undirected(G, *, weighted=False):
    W = _adjacency(G, "adjacency")
    E = W > 0
    skew = (W != np.swapaxes(W, -1, -2)) if weighted else E != np.swapaxes(E, -1, -2)
    if skew.any():
        raise ValueError(f"adjacency is directed: entry {_first(skew)} differs from the reverse one; symmetrise it")
    return W, E


def _step_law(W, measure):
    """p_x as rows. A node without outgoing edges stays where it is."""
    if measure is None:
        strengths = W[W > 0]
        if strengths.size and strengths.min() != strengths.max():
            raise ValueError("the weights differ: say measure='uniform' or measure='weight', or pass the law itself")
        measure = "uniform"
    if not isinstance(measure, str):
        P = as_weights(measure, "measure", square=True)
        if P.shape[-1] != W.shape[-1]:
            raise ValueError(f"measure has shape {P.shape}; expected (…, {W.shape[-1]}, {W.shape[-1]})")
        return P / P.sum(-1, keepdims=True)
    if measure not in MEASURES:
        raise ValueError(f"measure must be one of {MEASURES} or an array (…, n, n), got {measure!r}")
    P = _scaled(W, axis=-1) if measure == "weight" else (W > 0).astype(float)
    total = P.sum(-1, keepdims=True)
    return np.where(total > 0, np.divide(P, total, out=np.zeros_like(P), where=total > 0), np.eye(W.shape[-1]))


def _path_lengths(W, lengths):
    """Shortest paths along the edges, (…, n, n), ∞ where there is none."""
    from scipy.sparse.csgraph import shortest_path

    E = W > 0
    L = np.ones_like(W) if lengths is None else as_square(lengths, "lengths")
    if L.shape[-1] != W.shape[-1]:
        raise ValueError(f"lengths has shape {L.shape}; expected (…, {W.shape[-1]}, {W.shape[-1]})")
    L = _scaled(np.where(E, L, 0.0))
    if (E & (L <= 0)).any():
        where = _first(E & (L <= 0))
        raise ValueError(f"lengths must be positive on every edge, got {L[where]:.4g} of the largest at {where}")
    d = np.empty(L.shape)
    for at in np.ndindex(L.shape[:-2]):
        d[at] = shortest_path(L[at])
    # the two directions of an undirected path may be summed in different orders
    return np.minimum(d, np.swapaxes(d, -1, -2)) if np.array_equal(L, np.swapaxes(L, -1, -2)) else d


def _scaled(d, axis=(-1, -2)):
    """In units of a power of two, which rounds nothing, so that the largest is near 1 and no sum overflows."""
    _, exponent = np.frexp(d.max(axis, keepdims=True))
    return np.ldexp(d, -exponent)


def _metric(d, name, n):
    """A metric that need not be symmetric, or the axiom that fails, with its witness."""
    slack = max(1e-12, 8 * epsilon(d))  # an exact metric in single precision misses by its rounding
    d = as_square(d, name)
    if d.shape[-1] != n:
        raise ValueError(f"{name} has shape {d.shape}; expected (…, {n}, {n})")
    bad = (d < 0) | (np.eye(n, dtype=bool) & (d != 0))
    if bad.any():
        where = _first(bad)
        raise ValueError(f"{name} is {d[where]:.4g} at index {where}; a metric is not negative and 0 on its diagonal")
    small = _scaled(d)
    for k in range(n):
        bad = small > small[..., :, k, None] + small[..., k, None, :] + slack
        if bad.any():
            *batch, i, j = where = _first(bad)
            raise ValueError(
                f"{name} breaks the triangle inequality: {d[where]:.12g} at index {where}, but "
                f"{d[*batch, i, k]:.12g} + {d[*batch, k, j]:.12g} through {k}. Transport needs a metric; "
                "axioms.metric_closure gives one"
            )
    return small


def _curvature(P, d, E, solver):
    """1 − W₁(P_i, P_j) / d_ij where E holds and d_ij > 0, for stacks of matrices."""
    P, d, E = np.broadcast_arrays(P, d, E)
    W = np.full(P.shape, np.nan)
    for at in np.ndindex(P.shape[:-2]):
        symmetric = np.array_equal(d[at], d[at].T)
        pairs = np.argwhere(np.triu(E[at] | E[at].T, 1) if symmetric else E[at])
        i, j = pairs.T
        W[at][i, j] = wasserstein(P[at], d[at], pairs, solver=solver)
        if symmetric:
            W[at][j, i] = W[at][i, j]
    return 1.0 - np.divide(W, d, out=np.full(W.shape, np.nan), where=E & (d > 0))


def _common(E):
    """|N(u) ∩ N(v)| for all pairs. Small integers in float32: the products are exact below 2²⁴ nodes."""
    with one_thread(E.shape[-1]):
        return _square(E)


def _squares(E, common):
    """□ⁱ + □ʲ and γ for all pairs (i, j).

    Let k, j be neighbours of i. Their common neighbours w, without i and without the neighbours of i, close 4-cycles
    i–k–w–j; such a cycle has no diagonal if k is not itself a neighbour of j.
    """
    count, most = np.zeros(E.shape), np.zeros(E.shape)
    with one_thread(E.shape[-1]):
        for at in np.ndindex(E.shape[:-2]):
            for i, near in enumerate(E[at]):
                near = near.nonzero()[0]
                inner = E[at].take(near, 0).take(near, 1)
                w = common[at].take(near, 0).take(near, 1) - 1 - _square(inner)
                w[inner | np.eye(len(near), dtype=bool)] = 0
                count[at][i, near], most[at][i, near] = (w > 0).sum(0), w.max(0, initial=0)
    return count + np.swapaxes(count, -1, -2), np.maximum(most, np.swapaxes(most, -1, -2))


def _square(E):
    E = E.astype(np.float32)
    return E @ E
