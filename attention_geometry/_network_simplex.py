"""A primal network simplex for small dense transport problems, compiled by numba (the optional fast path).

The transport problem between a surplus and a deficit is solved on a spanning tree of its m + k nodes. The nodes
0 … m−1 are supplies, m … m+k−1 demands, and every tree arc runs from a supply to a demand. The tree is kept as its
preorder: a subtree is then one contiguous block of ``order``, so a pivot is a move of a block.
Only :mod:`attention_geometry._transport` imports this module; inputs were checked there.
"""

import numpy as np

from attention_geometry._transport import CROSSING, NOISE

try:
    from numba import njit
except ImportError:  # the module still loads, and runs as slow Python; the transport asks for numba first

    def njit(function=None, **_):
        return function or (lambda f: f)


#: Rows looked at before the best candidate found so far enters the tree.
BLOCK = 8
_FAST = {"nnan", "ninf", "nsz", "reassoc", "arcp"}


@njit(cache=True, nogil=True)
def solve(P, D, pairs, big, cost):
    """Write W₁(P[i], P[j]) for every pair into ``cost``: ∞ if mass must cross ``big``, NaN if it did not converge."""
    n = len(D)
    c, real, whole = np.empty((n, n)), np.empty((5, n + 1)), np.empty((8, n + 1), np.int32)
    top = 0.0
    for u in range(n):
        for v in range(n):
            top = max(top, D[u, v] if D[u, v] < big else 0.0)
    for e in range(len(pairs)):
        cost[e] = _wasserstein(P[pairs[e, 0]], P[pairs[e, 1]], D, big, -2e-14 * top, c, real, whole)


@njit(cache=True)
def _wasserstein(p, q, D, big, tolerance, c, real, whole):
    flow, pi, left = real[0], real[1], real[2]
    parent, size, place, order, spare, node = whole[0], whole[1], whole[2], whole[3], whole[4], whole[5]
    m = k = 0
    for z in range(len(p)):
        if p[z] - q[z] > NOISE:
            node[m] = z
            m += 1
    for z in range(len(p)):
        if q[z] - p[z] > NOISE:
            node[m + k] = z
            k += 1
    if m == 0 or k == 0:
        return 0.0
    for x in range(m):
        for y in range(k):
            c[x, y] = D[node[x], node[m + y]]
    for z in range(m + k):
        left[z] = abs(p[node[z]] - q[node[z]])
    _matrix_minimum(c, m, k, left, parent, flow, spare, real[3], real[4], whole[6])
    _preorder(c, m, k, parent, spare, size, place, order, whole[7], pi)
    if not _pivot(c, m, k, parent, flow, pi, size, place, order, spare, tolerance):
        return np.nan
    total = crossing = 0.0
    for z in range(m + k):
        if parent[z] >= 0:
            r = _arc(c, m, z, parent[z])
            total += flow[z] * r
            if r >= big:
                crossing += flow[z]
    return np.inf if crossing > CROSSING else total


@njit(inline="always")
def _arc(c, m, z, other):
    return c[z, other - m] if z < m else c[other, z - m]


@njit(fastmath=_FAST)
def _lowest(row, v, k):
    low = 1e300
    for y in range(k):
        low = min(low, row[y] + v[y])
    return low


@njit
def _where(row, v, k, low):
    """The first y with row[y] + v[y] = low, a value that :func:`_lowest` found."""
    for y in range(k):
        if row[y] + v[y] <= low:
            return y
    return 0


@njit(cache=True)
def _matrix_minimum(c, m, k, left, parent, flow, closing, low, shut, arg):
    """A first tree: send as much as possible along the cheapest arc between open nodes, then close one end of it.

    The node that closes becomes a child of the one that stays open. On a tie the demand closes: then every arc
    without flow points to the root, which is what rules out cycling.
    """
    shut[:k] = 0.0
    for x in range(m):
        low[x] = _lowest(c[x], shut, k)
        arg[x] = _where(c[x], shut, k, low[x])
    rows, columns, t, x, floor = m, k, 0, 0, -1.0
    while rows + columns > 1:
        if low[x] > floor:  # the cheapest open arc only gets dearer: the row stays while it has one at the old price
            x = np.argmin(low[:m])
            floor = low[x]
        y = arg[x]
        if shut[y] > 0:
            low[x] = _lowest(c[x], shut, k)
            arg[x] = _where(c[x], shut, k, low[x])
            continue
        f = min(left[x], left[m + y])
        if columns == 1 or (rows > 1 and left[x] < left[m + y]):
            child, other, rows, low[x] = x, m + y, rows - 1, 1e299
        else:
            child, other, columns, shut[y] = m + y, x, columns - 1, 1e299
        left[x] -= f
        left[m + y] -= f
        parent[child], flow[child], closing[t] = other, f, child
        t += 1
    for y in range(k):
        if shut[y] == 0.0:
            closing[t], parent[m + y] = m + y, -1


@njit(cache=True)
def _preorder(c, m, k, parent, closing, size, place, order, free, pi):
    """Sizes, preorder and potentials of the first tree: parents close after their children."""
    N = m + k
    size[:N] = 1
    for t in range(N - 1):
        size[parent[closing[t]]] += size[closing[t]]
    root = closing[N - 1]
    order[0], place[root], free[root], pi[root] = root, 0, 1, 0.0
    for t in range(N - 2, -1, -1):
        z = closing[t]
        o = parent[z]
        place[z] = free[o]
        order[place[z]] = z
        free[o] += size[z]
        free[z] = place[z] + 1
        pi[z] = pi[o] + c[z, o - m] if z < m else pi[o] - c[o, z - m]


@njit(cache=True)
def _pivot(c, m, k, parent, flow, pi, size, place, order, spare, tolerance):
    """Pivot until no arc has a reduced cost c_xy − π_x + π_y below the tolerance; False if it takes absurdly long."""
    row = idle = 0
    v = pi[m:]
    for _ in range(100 * (m + k) + 1000):
        best, x, seen, lowest = tolerance, -1, 0, 0.0
        while idle < m and seen < m and (x < 0 or seen < BLOCK):
            low = _lowest(c[row], v, k)
            if low - pi[row] < best:
                best, x, lowest = low - pi[row], row, low
            row = row + 1 if row + 1 < m else 0
            seen += 1
            if x < 0:
                idle += 1
        if x < 0:
            return True
        idle = 0
        y = m + _where(c[x], v, k, lowest)
        out, on_x, apex, step = _leaving(m, x, y, parent, flow, size, place)
        if on_x:
            _hang(m, x, y, out, apex, step, best, parent, flow, pi, size, place, order, spare)
        else:
            _hang(m, y, x, out, apex, step, -best, parent, flow, pi, size, place, order, spare)
    return False


@njit(inline="always")
def _leaving(m, x, y, parent, flow, size, place):
    """The arc that empties first on the cycle closed by x → y, the last such one from the apex, and the step it allows.

    On the way up from x the supplies lose flow to the node above them, on the way up from y the demands.
    """
    step, out, on_x, z = 1e300, x, True, x
    while not place[z] <= place[y] < place[z] + size[z]:
        if z < m and flow[z] < step:
            step, out = flow[z], z
        z = parent[z]
    apex, z = z, y
    while z != apex:
        if z >= m and flow[z] <= step:
            step, out, on_x = flow[z], z, False
        z = parent[z]
    return out, on_x, apex, step


@njit(cache=True)
def _hang(m, inner, outer, out, apex, step, shift, parent, flow, pi, size, place, order, spare):
    """Send the step around the cycle, cut the tree above ``out``, hang the part from its ``inner`` on ``outer``."""
    count, start = size[out], place[out]
    gain = step if inner < m else -step  # what a demand gains on the side of inner, and a supply on the other side
    z = parent[out]
    while z != apex:
        size[z] -= count
        flow[z] += -gain if z < m else gain
        z = parent[z]
    z = outer
    while z != apex:
        size[z] += count
        flow[z] += gain if z < m else -gain
        z = parent[z]
    t = begin = end = inside = 0
    z, up, f = inner, outer, step
    while True:  # up the stem: the block of each node without the block of the one before it
        first, last = place[z], place[z] + size[z]
        if inside == 0:
            begin = end = last
        for i in range(first, begin):
            spare[t] = order[i]
            t += 1
        for i in range(end, last):
            spare[t] = order[i]
            t += 1
        begin, end = first, last
        size[z], inside = count - inside, size[z]
        above, g = parent[z], flow[z] + (-gain if z < m else gain)
        parent[z], flow[z] = up, f
        if z == out:
            break
        z, up, f = above, z, g
    target = place[outer] + 1
    if target <= start:
        for i in range(start - 1, target - 1, -1):
            order[i + count] = order[i]
            place[order[i]] = i + count
    else:
        for i in range(start + count, target):
            order[i - count] = order[i]
            place[order[i]] = i - count
        target -= count
    for i in range(count):
        z = spare[i]
        order[target + i] = z
        place[z] = target + i
        pi[z] += shift
