"""Cycles among the comparisons that row rankings make. Only :mod:`attention_geometry.axioms` imports this module."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components


def cyclic_triples(S):
    """How many triples are cyclic, and the pairs of the first: {i, j} nearer than {i, k} than {j, k} than {i, j}."""
    count, first = 0, None
    for i in range(len(S)):  # i prefers j to k, j prefers k to i, k prefers i to j; seen from each of the three
        cyclic = (S[i, :, None] > S[i]) & (S > S[:, i, None]) & (S[:, i] > S.T)
        count += np.count_nonzero(cyclic)
        if first is None and cyclic.any():
            j, k = (int(x) for x in np.argwhere(cyclic)[0])
            first = tuple(tuple(sorted(pair)) for pair in ((i, j), (i, k), (j, k)))
    return count // 3, first


def cycle_of_pairs(S):
    """A cycle of "nearer than" (at least one) and "as near as" among pairs of tokens, or None.

    The pairs are the nodes of a digraph. Neighbours in the order of a row suffice: n(n − 2) arcs reach what all reach.
    """
    n = len(S)
    if n < 3:
        return None
    row = np.arange(n)[:, None]
    order = np.argsort(-np.where(np.eye(n, dtype=bool), np.inf, S), axis=-1, kind="stable")[:, 1:]
    node = np.minimum(row, order) * n + np.maximum(row, order)
    node = node.astype(np.int32)  # the only width that every SciPy walks
    near, far = node[:, :-1].ravel(), node[:, 1:].ravel()
    values = np.take_along_axis(S, order, -1)
    tied = (values[:, :-1] == values[:, 1:]).ravel()
    arcs = np.concatenate([near, far[tied]]), np.concatenate([far, near[tied]])
    digraph = csr_array((np.ones(len(arcs[0])), arcs), shape=(n * n, n * n))
    _, component = connected_components(digraph, directed=True, connection="strong")
    closed = np.flatnonzero(~tied & (component[near] == component[far]))
    if not closed.size:
        return None
    start, end = near[closed[0]], far[closed[0]]  # start is nearer than end; some way leads back from end to start
    _, before = breadth_first_order(digraph, end)
    path = [start]
    while path[-1] != end:
        path.append(before[path[-1]])
    pairs = [tuple(int(x) for x in divmod(p, n)) for p in reversed(path)]
    return _without_detours([pairs[-1], *pairs[:-1]])


def _without_detours(cycle):
    """Three pairs in a row that share a token are compared in one row of S; the middle one can go."""
    at = 0
    while at < len(cycle) and len(cycle) > 3:
        before, here, after = cycle[at - 1], cycle[at], cycle[(at + 1) % len(cycle)]
        if set(before) & set(here) & set(after):
            del cycle[at]
            at = max(at - 2, 0)
        else:
            at += 1
    return tuple(cycle)
