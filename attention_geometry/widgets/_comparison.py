"""Three ways to compare a query with a key, who wins where, and random vectors of every width, for QueryKeyPlane.

``js/forms.js`` mirrors this module; both are held to ``tests/fixtures/forms.json``.
"""

import numpy as np

from .. import attention

MODES = ("dot", "cosine", "distance")
WIDTHS = tuple(2**s for s in range(11))
DRAWS, RIVALS = 64, 16  #: queries of the experiment on widths, and keys of each


def comparison(Q, K, mode="dot", lift=0.0):
    """Compare every query with every key.

    ``q·k``, ``q·k / (‖q‖ ‖k‖)`` or ``−‖q − k̃‖² / 2`` where ``k̃ = (k, lift · √(R² − ‖k‖²))`` and R is the longest key.

    Parameters
    ----------
    Q, K : array_like, shapes (n_query, d_k), (n_key, d_k)
    mode : {"dot", "cosine", "distance"}
    lift : float in [0, 1]
        For distances only: 0 compares with the keys as they are, 1 with keys lifted to one length, whose distances
        order as the dot products do (`attention_geometry.bilinear.lift`).

    Returns
    -------
    ndarray, shape (n_query, n_key)
        Rounded to 12 decimals, so that a tie made by hand is a tie. NaN where a vector of length 0 has no cosine.

    Examples
    --------
    >>> print(comparison([[1, 0]], [[1, 0], [3, 4]]))
    [[1. 3.]]
    >>> print(comparison([[1, 0]], [[1, 0], [3, 4]], "distance"))
    [[  0. -10.]]
    """
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    products = attention.attention(Q, K, K, scale=1.0).scores
    if mode == "cosine":
        lengths = np.linalg.norm(Q, axis=1)[:, None] * np.linalg.norm(K, axis=1)
        products = np.divide(products, lengths, out=np.full(lengths.shape, np.nan), where=lengths > 0)
    elif mode == "distance":
        squares = ((Q[:, None] - K) ** 2).sum(-1)
        products = -(squares + (lift * heights(K)) ** 2) / 2
    return np.round(products, 12) + 0.0  # no −0


def heights(K):
    """``√(R² − ‖k‖²)`` for every key, R the longest: the coordinate that gives all keys one length."""
    squares = (np.asarray(K, dtype=float) ** 2).sum(-1)
    return np.sqrt(squares.max() - squares)


def cells(K, mode="dot", lift=0.0, *, reach=1.0, allowed=None):
    """For each key the polygon of the square |x|, |y| ≤ reach where it wins the query; None if it wins nowhere.

    All three comparisons are largest where an affine function ``a·q + b`` of the query is, so every cell is convex:
    ``(k, 0)``, ``(k / ‖k‖, 0)``, ``(k, −‖k̃‖² / 2)``.
    """
    K = np.asarray(K, dtype=float)
    lengths = np.linalg.norm(K, axis=1)
    has = np.ones(len(K), bool) if allowed is None else np.array(allowed, bool)
    slopes, offsets = K, np.zeros(len(K))
    if mode == "distance":
        offsets = -((K**2).sum(1) + (lift * heights(K)) ** 2) / 2
    elif mode == "cosine":
        has &= lengths > 0
        slopes = K / np.where(lengths > 0, lengths, 1)[:, None]
    return [
        _cell([(slopes[j] - slopes[i], offsets[j] - offsets[i]) for i in np.flatnonzero(has) if i != j], reach)
        if has[j]
        else None
        for j in range(len(K))
    ]


def _cell(half_planes, reach):
    corners = [(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)]
    for a, b in half_planes:
        corners = _clip(corners, a, b)
    return corners if abs(area(corners)) > 1e-9 * reach * reach else None


def _clip(corners, a, b):
    """The part of a convex polygon where ``a·q + b ≥ 0``."""
    kept = []
    for p, q in zip(corners, corners[1:] + corners[:1]):
        s, t = (float(a[0] * x + a[1] * y + b) for x, y in (p, q))
        if s >= 0:
            kept.append(p)
        if s * t < 0:
            r = s / (s - t)
            kept.append((p[0] + r * (q[0] - p[0]), p[1] + r * (q[1] - p[1])))
    return kept


def area(corners):
    """Signed area of a polygon, positive if its corners run counterclockwise."""
    return sum((p[0] * q[1] - q[0] * p[1]) / 2 for p, q in zip(corners, corners[1:] + corners[:1]))


def width_experiment():
    """Spread of ``q·k`` and mean entropy of the weights over random vectors, for every width of `WIDTHS`.

    `DRAWS` queries with `RIVALS` keys each; components are +1 or −1 by the toss of a coin (mean 0, variance 1), from
    a fixed seed. Narrow vectors are the first components of the wide ones.

    Returns
    -------
    list of dict
        ``d``, ``spread`` (root mean square of q·k, about √d), ``unscaled`` and ``scaled`` (mean entropy in nats of
        softmax(q·k) and of softmax(q·k / √d); at most log 16).
    """
    words = _words(np.arange(32 * DRAWS * (1 + RIVALS)))
    signs = 1.0 - 2.0 * ((words[:, None] >> np.arange(32)) & 1)
    vectors = signs.reshape(-1, 1024)
    Q, K = vectors[:DRAWS, None], vectors[DRAWS:].reshape(DRAWS, RIVALS, 1024)
    found = []
    for d in WIDTHS:
        S = (Q[..., :d] * K[..., :d]).sum(-1)
        unscaled, scaled = (attention.entropy(attention.softmax(x)).mean() for x in (S, S / np.sqrt(d)))
        spread = np.sqrt((S**2).mean())
        found.append({"d": d, "spread": float(spread), "unscaled": float(unscaled), "scaled": float(scaled)})
    return found


def _words(i):
    """The i-th words of 32 random bits: one step of the generator mulberry32 from a state counted by i."""
    cut, a = np.uint64(0xFFFFFFFF), (i.astype(np.uint64) + 1) * np.uint64(0x6D2B79F5) & np.uint64(0xFFFFFFFF)
    t = (a ^ (a >> 15)) * (a | 1) & cut
    t = ((t + ((t ^ (t >> 7)) * (t | 61) & cut)) & cut) ^ t
    return (t ^ (t >> 14)).astype(np.int64)
