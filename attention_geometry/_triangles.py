"""All ordered triples of a dissimilarity: how many break the triangle inequality, and the two worst, exactly.

There are n³ of them, so most are decided in whole numbers of 16 bits: D is rounded to q = round(D / unit), and then

    gap / unit lies within 1.5 of g = q_ik − q_ij − q_jk.

Only where that leaves open whether gap > tolerance does float64 decide. The largest gap and the largest ratio lie among
the few pairs (i, k) whose bounds reach the best lower bound; these are computed in float64 over all j.
Beside D the arrays have n² small integers. Only :mod:`attention_geometry.axioms` imports this module.
"""

import functools
from typing import NamedTuple

import numpy as np

from attention_geometry._inputs import require

SOLVERS = ("numpy", "numba")
#: What rounding three numbers can do to g, and a little more.
SLACK = 1.6
#: In place of a number that is not one: above every sum, also after adding any other; twice it still has 16 bits.
NO_NUMBER = 16383
#: Below every sum: nothing is a violation of it.
NO_SIDE = -32000
#: Sums held in the cache at a time.
BLOCK = 2**19
#: Length of the inner loop of the compiled count.
CHUNK = 256


class Triangles(NamedTuple):
    """Counts and extremes; the gap and the ratio are NaN and their triple is empty where nothing can be compared."""

    evaluable: int
    violations: int
    gap: float
    gap_at: tuple
    ratio: float
    ratio_at: tuple


def triangles(D, tolerance, solver="numpy"):
    """Of all (i, j, k), distinct and with three finite sides: D_ik > D_ij + D_jk + tolerance, and the extremes."""
    if solver not in SOLVERS:
        raise ValueError(f"solver must be one of {SOLVERS}, got {solver!r}")
    n = len(D)
    usable = np.isfinite(D) & ~np.eye(n, dtype=bool)
    evaluable = _evaluable(usable)
    if not evaluable:
        return Triangles(0, 0, np.nan, (), np.nan, ())
    high, low = D.max(where=usable, initial=0.0), D.min(where=usable, initial=0.0)
    levels = 8000 if low >= 0 else 5400
    unit = max(max(high, -low) / levels, np.finfo(float).tiny)
    q = np.stack([np.rint(np.where(usable[i], D[i], 0.0) / unit).astype(np.int16) for i in range(n)])
    side = _padded(np.where(usable, q, np.int16(NO_NUMBER)), NO_NUMBER)
    # violated only if the sum of the other two sides is at most `reach`; surely if it is `doubt` below that
    limit = min(tolerance / unit, 3 * 8000)
    near, far = int(np.floor(SLACK - limit)), int(np.ceil(SLACK + limit))
    reach = _padded(np.where(usable, q + np.int16(near), np.int16(NO_SIDE)), NO_SIDE)
    doubt = np.int16(near + far)
    shortest = np.full(side.shape, np.int16(32000))
    count = _tally_rows if solver == "numpy" else _compiled()
    violations = int(count(D, side, reach, doubt, tolerance, shortest))
    shortest = shortest[:, :n]
    compared = usable & (shortest <= 2 * levels)  # i and k have some j between them
    promising = _promising(q, shortest, compared, ratios=low >= 0)
    del q, side, reach, shortest  # D is copied next
    return Triangles(evaluable, violations, *_extremes(D, usable, compared, promising, ratios=low >= 0))


def _evaluable(usable):
    """How many triples have three usable sides."""
    n = len(usable)
    if usable.sum() == n * (n - 1):
        return n * (n - 1) * max(n - 2, 0)
    through = usable.astype(np.float32)
    return int(((through @ through) * usable).sum(dtype=np.float64))


def _padded(M, value):
    """Columns up to a multiple of eight, so that eight truth values can be compared as one word."""
    return np.pad(M, ((0, 0), (0, -len(M) % 8)), constant_values=value)


def _tally_rows(D, side, reach, doubt, tolerance, shortest):
    """Count the violations; ``shortest`` takes the smallest sums of two sides."""
    n, width = side.shape
    block = max(1, BLOCK // width)
    buffers = [np.empty((block, width), kind) for kind in (np.int16, bool, bool)]
    least, count = np.empty(width, np.int16), 0
    for start in range(0, n, block):
        second = side[start : start + block]
        first = np.ascontiguousarray(side[:, start : start + len(second)])[:, :, None]
        sums, maybe, surely = (buffer[: len(second)] for buffer in buffers)
        for i in range(n):
            np.add(first[i], second, out=sums)
            np.minimum(shortest[i], np.minimum.reduce(sums, axis=0, out=least), out=shortest[i])
            if (least > reach[i]).all():
                continue
            np.less_equal(sums, reach[i], out=maybe)
            np.less_equal(sums, reach[i] - doubt, out=surely)
            count += np.count_nonzero(surely)
            words = np.flatnonzero(maybe.view(np.uint64) != surely.view(np.uint64))
            if 8 * words.size > sums.size // 8:  # too many to list, as with ties: all of the block in float64
                rows = slice(start, start + block)
                with np.errstate(invalid="ignore"):
                    broken = D[i] - D[i, rows, None] - D[rows] > tolerance
                count += np.count_nonzero(broken & (maybe & ~surely)[:, :n])
            elif words.size:
                open_ = (8 * words[:, None] + np.arange(8)).ravel()
                j, k = np.divmod(open_[maybe.ravel()[open_] & ~surely.ravel()[open_]], width)
                count += np.count_nonzero(D[i, k] - D[i, start + j] - D[start + j, k] > tolerance)
    return count


def _tally_loops(D, side, reach, doubt, tolerance, shortest):
    """The same count as plain loops, to be compiled: a chunk of k that leaves a doubt is gone through again."""
    n, width = side.shape
    count = 0
    for i in range(n):
        for j in range(n):
            first = side[i, j]
            for start in range(0, width, CHUNK):  # slices, so that the inner loop starts at 0 and becomes vector code
                second, limit = side[j, start : start + CHUNK], reach[i, start : start + CHUNK]
                least = shortest[i, start : start + CHUNK]
                maybe = surely = np.int16(0)
                for k in range(len(second)):
                    total, known = np.int16(first + second[k]), least[k]
                    least[k] = total if total < known else known
                    maybe = np.int16(maybe + np.int16(total <= limit[k]))
                    surely = np.int16(surely + np.int16(total <= np.int16(limit[k] - doubt)))
                if maybe == surely:
                    count += surely
                else:
                    direct, rest = D[i, start : start + CHUNK], D[j, start : start + CHUNK]
                    for k in range(len(direct)):
                        total = np.int16(first + second[k])
                        count += (total <= limit[k]) & (direct[k] - D[i, j] - rest[k] > tolerance)
    return count


def min_plus_closure(C):
    """Shortest paths: C̄_ik is the least sum of C along any way from i to k; zero on the diagonal (Floyd–Warshall)."""
    C = np.where(np.eye(C.shape[-1], dtype=bool), 0.0, C)
    for k in range(C.shape[-1]):
        np.minimum(C, C[..., :, k, None] + C[..., k, None, :], out=C)
    return C


@functools.cache
def _compiled():
    return require("numba", "fast").njit(cache=True, nogil=True)(_tally_loops)


def _promising(q, shortest, compared, *, ratios):
    """The pairs (i, k) that, within rounding, can have the largest gap or the largest ratio."""
    g = np.where(compared, q - shortest, np.int16(NO_SIDE))
    found = g >= g.max() - 2 * SLACK
    if ratios:
        rows = range(len(q))  # row by row to keep memory low
        with np.errstate(divide="ignore"):
            least = [((q[i] - 0.6) / (shortest[i] + 1.1)).max(where=compared[i], initial=-np.inf) for i in rows]
            best = max(least)
            for i in rows:
                found[i] |= compared[i] & ((q[i] + 0.6) / np.maximum(shortest[i] - 1.1, 0.0) >= best)
    return found


def _extremes(D, usable, compared, promising, *, ratios):
    """The largest D_ik − D_ij − D_jk and, of distances, the largest D_ik / (D_ij + D_jk), each with its triple."""
    D = np.where(usable, D, np.inf)
    gap, ratio, gap_at, ratio_at = -np.inf, -np.inf, None, None
    for i in np.flatnonzero(promising.any(1)).tolist():
        for k in _chunks(np.flatnonzero(promising[i]), len(D)):
            detour, direct = (D[i, :, None] + D[:, k]).min(0), D[i, k]
            with np.errstate(divide="ignore", invalid="ignore"):
                gaps = np.where(compared[i, k], direct - detour, -np.inf)
                quotients = np.where(compared[i, k] & ((detour > 0) | (direct > 0)), direct / detour, -np.inf)
            if gaps.max() > gap:
                gap, gap_at = gaps.max(), (i, k, gaps.argmax())
            if ratios and quotients.max() > ratio:
                ratio, ratio_at = quotients.max(), (i, k, quotients.argmax())
    return _triple(D, gap, gap_at) + _triple(D, ratio, ratio_at)


def _chunks(columns, n):
    """The columns in parts of about ``BLOCK`` numbers; if they are most of all columns, all, without copying them."""
    size = max(1, BLOCK // 4 // n)
    if 2 * len(columns) > n:
        return [slice(start, start + size) for start in range(0, n, size)]
    return np.split(columns, range(size, len(columns), size))


def _triple(D, value, at):
    if at is None:
        return np.nan, ()
    i, k = at[0], int(np.arange(len(D))[at[1]][at[2]])
    return float(value), (i, int((D[i] + D[:, k]).argmin()), k)
