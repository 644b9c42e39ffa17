"""The arithmetic of `MixtureHull`, which ``js/hull.js`` mirrors; both are held to one fixture.

Rows of weights are ``(n,)``, values ``(n, 2)``. Undefined is None.
"""

import math

import numpy as np

from .. import attention, explanation
from .svg import convex_hull

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
    row = np.where(allowed, 1.0, 0.0) / np.sum(allowed)
    basis = explanation.equivalent_weights(row, V, mask=allowed).basis
    column = basis.T @ basis[:, key]
    return column / column[key] if column[key] > 1e-12 else None


def room(a, z):
    """Smallest and largest t for which ``a + t z`` has no negative weight, and the keys that reach 0 there."""
    active = np.flatnonzero(np.abs(z) > 1e-9)
    t = -np.asarray(a)[active] / z[active]
    down, up = z[active] > 0, z[active] < 0
    low, high = np.where(down, t, -np.inf).argmax(), np.where(up, t, np.inf).argmin()
    return float(t[low]) + 0.0, float(t[high]) + 0.0, int(active[low]), int(active[high])


def equivalent_row(a, z, along):
    """Row of weights a share ``along`` ∈ [−1, 1] of the way from ``a`` to the end of its line: −1 and 1 are the ends."""
    low, high, _, _ = room(a, z)
    row = np.asarray(a) + (-along * low if along < 0 else along * high) * z
    return np.where(row > 1e-15, row, 0.0)


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
