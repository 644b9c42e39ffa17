"""The arithmetic of `MixtureHull`, which ``js/hull.js`` mirrors; both are held to one fixture.

Rows of weights are ``(n,)``, values ``(n, 2)``. Undefined is None.
"""

import math

import numpy as np

from .. import attention, explanation
from .svg import convex_hull

ZERO, TINY = 1e-13, 1e-9  #: weights that count as 0; changes of a weight, for each unit of the chosen one, that do
STEPS = 120  #: temperatures between the two limits at which the path of the output is drawn


def equivalent_direction(V, allowed, key):
    """Change of all weights for each unit that one key gains while the output stays.

    The shortest ``z`` with ``zV = 0``, ``z1 = 0``, ``z_key = 1`` and 0 at forbidden keys: the column of the projection
    on the null space of `explanation.equivalent_weights`, divided by its own entry.

    Returns
    -------
    ndarray, shape (n,), or None
        None where the output fixes the weight of this key (and for a forbidden key).
    """
    if not allowed[key]:
        return None
    allowed = np.asarray(allowed)
    _, free = explanation._output_span(np.array(V, dtype=float)[allowed], None)
    column = np.zeros(len(V))
    column[allowed] = free @ free[np.flatnonzero(allowed) == key][0]
    return column / column[key] if column[key] > 1e-12 else None


def equivalent_line(V, allowed, a, key):
    """Rows with the output of ``a``, from the least to the most weight that ``key`` can have, and the place of ``a``.

    From ``a`` on, the direction is `equivalent_direction`; where a weight reaches 0 it is taken anew without those keys
    at 0 that it would make negative. The ends are seldom short of the extremes of the weight, never beyond them.
    Between two rows of the list every mixture of the two is a row with the same output.

    Returns
    -------
    rows : list of ndarray, shape (n,)
    index : int
        ``rows[index]`` is ``a``; the only row if the output fixes the weight.
    """
    down, up = (_walk(V, allowed, np.asarray(a, dtype=float), key, sign) for sign in (-1, 1))
    return [*down[::-1], np.asarray(a, dtype=float), *up], len(down)


def equivalent_row(line, index, key, along):
    """Row at a share ``along`` ∈ [−1, 1] of the way, in the weight of ``key``: 0 is ``line[index]``, ±1 the ends."""
    start, end = line[index][key], line[-1 if along > 0 else 0][key]
    wanted = start + abs(along) * (end - start)
    if along == 0 or start == end:
        return line[index]
    for low, high in zip(line, line[1:]):
        if wanted <= high[key]:
            t = min(max((wanted - low[key]) / (high[key] - low[key]), 0.0), 1.0)
            return (1 - t) * low + t * high
    return line[-1]


def _walk(V, allowed, row, key, sign):
    """The corners of the line on one side of ``row``."""
    corners = []
    while len(corners) < 4 * len(row):
        z = _open_direction(V, allowed, row, key, sign)
        if z is None:
            break
        t = np.where(sign * z < -TINY, row / np.maximum(-sign * z, TINY), np.inf)
        moved = row + sign * t.min() * z
        row = np.where(moved > ZERO, moved, 0.0)
        row[t.argmin()] = 0.0
        corners.append(row)
    return corners


def _open_direction(V, allowed, row, key, sign):
    """`equivalent_direction` without those keys at 0 that it would make negative, the worst left out first."""
    support = np.array(allowed)
    while True:
        z = equivalent_direction(V, support, key) if support.any() else None
        if z is None:
            return None
        worse = np.where(support & (row <= ZERO), sign * z, 0.0)
        if worse.min() >= -TINY:
            return z
        support[np.flatnonzero(worse <= worse.min() + TINY)[0]] = False


def compensated_values(V, a, key, point):
    """Values after one of them went to ``point`` and the others made room so that ``aV`` stays.

    Each of the others moves in proportion to its weight, which is the smallest such move. None if no other carries
    weight: then the output goes where this value goes.
    """
    V, a = np.array(V, dtype=float), np.asarray(a, dtype=float)
    move, others = np.asarray(point, dtype=float) - V[key], np.delete(a, key) @ np.delete(a, key)
    if a[key] > 0 and not others > 0:
        return None
    moved = V - np.outer(a, move) * (a[key] / others if a[key] > 0 else 0.0)
    moved[key] = point
    return moved


def hull_margin(point, points):
    """Distance of a point of the plane from the edge of the hull: positive inside, negative outside.

    A hull that is a segment or a point has no inside: 0 on it, negative off it.
    """
    corners = np.array(convex_hull(points))
    start, side = corners, np.roll(corners, -1, axis=0) - corners
    offset = np.asarray(point, dtype=float) - start
    square = (side**2).sum(1)
    t = np.clip((offset * side).sum(1) / np.where(square > 0, square, 1.0), 0, 1)
    away = float(np.hypot(*(offset - t[:, None] * side).T).min())
    inside = len(corners) > 2 and (side[:, 0] * offset[:, 1] >= side[:, 1] * offset[:, 0]).all()
    return away if inside else 0.0 - away


def hull_verdict(point, points):
    """``"inside"``, ``"edge"`` or ``"outside"``; the edge is as wide as rounding makes it."""
    margin, noise = hull_margin(point, points), 1e-9 * np.abs([*points, point]).max()
    return "inside" if margin > noise else "edge" if margin >= -noise else "outside"


def temperature_path(scores, allowed, V):
    """Temperatures from 0 to ∞ and the outputs at them: both limits, and between them temperatures in equal ratios."""
    top = np.unique(np.asarray(scores, dtype=float)[np.asarray(allowed)])[::-1]
    temperatures = [0.0, math.inf]
    if len(top) > 1:
        low, high = (top[0] - top[1]) / 36, 60 * (top[0] - top[-1])
        temperatures[1:1] = (low * (high / low) ** (np.arange(STEPS) / (STEPS - 1))).tolist()
    rows = [attention.softmax(scores, mask=allowed, temperature=T) for T in temperatures]
    return temperatures, np.array(rows) @ np.array(V, dtype=float)


def temperature_drift(scores, allowed, V, temperature):
    """Derivative of the output by the temperature, ``−Σ_k a_k (s_k − s̄) v_k / T²``; None at the limits."""
    if not 0 < temperature < math.inf:
        return None
    a = attention.softmax(scores, mask=allowed, temperature=temperature)
    s = np.where(allowed, scores, 0.0)
    return -(a * (s - a @ s) / temperature**2) @ np.array(V, dtype=float)
