"""The Wasserstein distance W₁ between many pairs of distributions on one finite metric space, exactly.

Mass that both distributions have in a point stays there: with a metric this costs nothing and is optimal, and it leaves
a smaller problem. No solver ever sees an empty problem, a NaN or an infinity.
"""

import importlib.util

import numpy as np

from attention_geometry._inputs import require

SOLVERS = ("auto", "pot", "numba", "scipy")
#: Masses below this are rounding noise of two equal weights.
NOISE = 1e-15
#: Mass that must cross an infinite distance before the transport is called impossible.
CROSSING = 1e-12


def wasserstein(P, D, pairs, *, solver="auto"):
    """W₁(P[i], P[j]) for every pair (i, j).

    Parameters
    ----------
    P : ndarray (n, n)
        Rows are distributions over the n points; they sum to one.
    D : ndarray (n, n)
        D[u, v] is the cost of moving a unit from u to v: non-negative, zero on the diagonal, obeying the triangle
        inequality; ∞ where v cannot be reached. It need not be symmetric.
    pairs : ndarray of int (e, 2)
    solver : {"auto", "pot", "numba", "scipy"}
        ``"auto"`` takes POT where it is installed, else the linear programs of scipy. ``"numba"`` is the fastest on
        many pairs, after a compilation that is stored beside the package.

    Returns
    -------
    ndarray (e,)
        ∞ where some mass cannot arrive.
    """
    if solver not in SOLVERS:
        raise ValueError(f"solver must be one of {SOLVERS}, got {solver!r}")
    if solver == "auto":
        solver = "pot" if importlib.util.find_spec("ot") else "scipy"
    # An unreachable pair gets a cost that no detour over reachable pairs exceeds: mass crosses it only if it must.
    reached = np.isfinite(D)
    big = (2 * len(D) + 2) * max(D[reached].max(), 1e-300)
    D = np.ascontiguousarray(np.where(reached, D, big))
    pairs = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    cost = np.zeros(len(pairs))
    if len(pairs):
        {"pot": _by_pot, "numba": _by_numba, "scipy": _by_scipy}[solver](P, D, pairs, big, cost)
    for e in np.flatnonzero(np.isnan(cost)):  # a solver that stopped early: the linear program decides
        _by_scipy(P, D, pairs[e : e + 1], big, cost[e : e + 1])
    return cost


def _moves(P, D, pairs):
    """For every pair that differs: its number, surplus, deficit, and the costs between their points."""
    for e, (i, j) in enumerate(pairs.tolist()):
        difference = P[i] - P[j]
        give, take = (difference > NOISE).nonzero()[0], (difference < -NOISE).nonzero()[0]
        if give.size and take.size:
            surplus, deficit = difference[give], -difference[take]
            yield e, surplus, deficit * (surplus.sum() / deficit.sum()), D.take(give, 0).take(take, 1)


def _by_pot(P, D, pairs, big, cost):
    emd = require("ot.lp.emd_wrap", "transport").emd_c  # the solver itself, without the checks done here once
    for e, surplus, deficit, c in _moves(P, D, pairs):
        plan, cost[e], _, _, status = emd(surplus, deficit, c, 1_000_000, 1)
        if status != 1:
            cost[e] = np.nan
        elif c.max() >= big and plan[c >= big].sum() > CROSSING:
            cost[e] = np.inf


def _by_numba(P, D, pairs, big, cost):
    require("numba", "fast")
    from attention_geometry import _network_simplex

    _network_simplex.solve(np.ascontiguousarray(P), D, pairs, big, cost)


def _by_scipy(P, D, pairs, big, cost):
    from scipy.optimize import linprog
    from scipy.sparse import identity, kron, vstack

    for e, surplus, deficit, c in _moves(P, D, pairs):
        m, k = c.shape
        leaves = kron(identity(m), np.ones((1, k)))
        arrives = kron(np.ones((1, m)), identity(k))
        # one of the m + k equations follows from the others, and rounding may contradict it: it is left out
        found = linprog(
            c.ravel(),
            A_eq=vstack([leaves, arrives]).tocsr()[:-1],
            b_eq=np.concatenate([surplus, deficit])[:-1],
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if found.status != 0:
            raise RuntimeError(f"the transport problem of pair {tuple(pairs[e])} was not solved: {found.message}")
        cost[e] = np.inf if found.x[c.ravel() >= big].sum() > CROSSING else found.fun
