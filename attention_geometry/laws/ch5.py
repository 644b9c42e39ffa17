"""Laws of the exercises of chapter 5, the relation."""

import numpy as np

from .. import attention, relation
from ..exercises import check_function, check_value, exercise


@exercise("ch5-shares", hint="Put one number off the diagonal and compute the three parts by hand.")
def _(answer):
    "A 3 × 3 table whose shares are 1/3, 5/12 and 1/4."
    return check_value(answer, {"the shares are (1/3, 5/12, 1/4)": lambda S: _shares(S, [4, 5, 3])}, shape=(3, 3))


@exercise("ch5-circulating", hint="No popularity and nothing symmetric: antisymmetric, with columns that sum to 0.")
def _(answer):
    "A 3 × 3 table that only circulates."
    return check_value(answer, {"the shares are (0, 0, 1)": lambda S: _shares(S, [0, 0, 12])}, shape=(3, 3))


@exercise("ch5-reversible", hint="u_i A_ij is a symmetric table. What do its rows sum to?")
def _(answer):
    "Weights in detailed balance with u = (1, 2, 3)."

    def balance(A):
        flow = np.array([[1.0], [2], [3]]) * A
        i, j = np.unravel_index(abs(flow - flow.T).argmax(), (3, 3))
        return bool(np.allclose(flow, flow.T)) or f"between {i} and {j}: {flow[i, j]:.4g} against {flow[j, i]:.4g}"

    return check_value(answer, {**_WEIGHTS, "u_i A_ij = u_j A_ji for u = (1, 2, 3)": balance}, shape=(3, 3))


@exercise("ch5-interval", hint="Scores −d²/2 with d symmetric have the interval d². Choose a d that is no metric.")
def _(answer):
    "Weights with positive squared intervals whose roots break the triangle inequality."

    def broken(A):
        D = np.sqrt(relation.squared_interval(np.log(A)))
        a, b, c = sorted([D[0, 1], D[1, 2], D[0, 2]])
        return bool(c > a + b + 1e-9) or f"the three roots are {a:.4g}, {b:.4g}, {c:.4g}"

    laws = {
        **_WEIGHTS,
        "all three intervals are positive": lambda A: (
            relation.squared_interval(np.log(A))[np.triu_indices(3, 1)] > 1e-9
        ).all(),
        "their roots break the triangle inequality": broken,
    }
    return check_value(answer, laws, shape=(3, 3))


@exercise("ch5-ring", hint="Let the scores of the pairs (0, 2), (2, 4), (4, 1), (1, 3) rise.")
def _(answer):
    "A symmetric 5 × 5 table that chooses along the chain 0, 2, 4, 1, 3."

    def choices(S):
        others = S + np.where(np.eye(5, dtype=bool), -np.inf, 0)
        first, second = np.sort(others, axis=1)[:, ::-1][:, :2].T
        if not (first > second + 1e-9).all():
            return f"token {int((first - second).argmin())} has a tie"
        return bool((others.argmax(axis=1) == [2, 3, 4, 1, 1]).all()) or f"the choices are {others.argmax(axis=1)}"

    laws = {"S is symmetric": lambda S: np.allclose(S, S.T), "the choices are 2, 3, 4, 1, 1, without ties": choices}
    return check_value(answer, laws, shape=(5, 5))


@exercise("ch5-cycle", hint="Kolmogorov: compare going around with going back. All triples, or one matrix identity.")
def _(answer):
    "Whether weights could come from symmetric scores, for eight matrices."
    rng = np.random.default_rng(2)
    cases = []
    for n in (2, 3, 6):
        S = rng.normal(size=(n, n))
        popular = rng.normal(size=n)
        cases += [(attention.softmax(S),), (attention.softmax(S + S.T + popular),)]
    for n, pair in ((4, (1, 3)), (6, (0, 3))):  # unbalanced only away from the triple (0, 1, 2) and the ring of all
        S = rng.normal(size=(n, n))
        S = S + S.T
        S[pair] += 1
        cases.append((attention.softmax(S),))

    def right(verdict, A):
        if not isinstance(verdict, (bool, np.bool_)):
            return f"got {type(verdict).__name__}, expected True or False"
        return bool(verdict) == bool(relation.is_reversible(np.log(A)))

    return check_function(answer, cases, {"True exactly for weights of symmetric scores": right})


def _shares(S, twelfths):
    got = relation.energy_shares(S)
    if got.circulating is None:
        return "the shares are undefined: every row is constant"
    shares = np.array([got.popularity, got.reciprocal, got.circulating])
    return bool(np.allclose(shares, np.array(twelfths) / 12, atol=1e-6)) or f"they are {shares.round(4)}"


_WEIGHTS = {
    "all weights are positive": lambda A: (A > 0).all(),
    "every row sums to 1": lambda A: np.allclose(A.sum(axis=1), 1),
}
