"""Laws of the exercises of chapter 2, scale and angle."""

import numpy as np

from .. import attention
from .._inputs import as_array
from ..exercises import Witness, check_function, check_value, exercise


@exercise("ch2-variance", hint="First the variance of one product of coordinates: mean 0, so it is a mean of squares.")
def _(answer):
    "The variance of q · k, counted over all values of one coordinate pair and added up."
    values = np.array([-2.0, 0.0, 2.0])
    goal = 9 * np.var(np.outer(values, values))

    def nine_times(v):
        return bool(np.isclose(v, goal)) or ("too small" if v < goal else "too large")

    return check_value(answer, {"Var(q · k) is nine times the variance of one product": nine_times}, shape=())


@exercise("ch2-scale", hint="The theorem asks for uncorrelated products. Make them as correlated as they can be.")
def _(answer):
    "Vectors of signs with column means 0, whose dot products have variance 9."
    Q, K = (as_array(M, "a matrix of the pair", ndim=2) for M in answer)
    return check_value(
        (Q, K),
        {
            "both have the shape (m, 3) with one m": lambda M: M[0].shape == M[1].shape and M[0].shape[1] == 3,
            "all entries are 1 or −1": lambda M: all((abs(m) == 1).all() for m in M),
            "every column has mean 0": lambda M: all((m.mean(axis=0) == 0).all() for m in M),
            "q · k has variance 9": lambda M: _is(np.var((M[0] * M[1]).sum(axis=1)), 9, "the variance"),
        },
    )


@exercise(
    "ch2-three",
    hint="One key near the query, a little off its ray. Make a second long; let a third point exactly along q.",
)
def _(answer):
    "Dot product, cosine and distance each choose another key, without ties."
    q, K = as_array(answer[0], "q", ndim=1), as_array(answer[1], "K", ndim=2)
    if q.shape != (2,) or K.shape != (3, 2):
        return Witness("a query in the plane and three keys", answer, detail=f"the shapes are {q.shape} and {K.shape}")
    if not (q.any() and K.any(axis=1).all()):
        return Witness("no vector is zero, or a cosine would not exist", answer)
    dot = K @ q
    choices = {
        "the dot product chooses key 0": (dot, 0),
        "the cosine chooses key 1": (dot / np.linalg.norm(K, axis=1), 1),
        "the distance chooses key 2": (-np.linalg.norm(K - q, axis=1), 2),
    }
    return check_value(answer, {law: lambda _, v=v, j=j: _wins(v, j) for law, (v, j) in choices.items()})


@exercise(
    "ch2-gauge", hint="Try a diagonal M. What does it do to the second coordinate of k₂, and to the first of all?"
)
def _(answer):
    "An invertible M after which the longer key is the nearer one."
    q, K = np.array([1.0, 0.0]), np.array([[1.0, 0.0], [3.0, 4.0]])

    def nearer(M):
        far = np.linalg.norm(K @ np.linalg.inv(M).T - q @ M, axis=1)
        return bool(far[1] < far[0] - 1e-9) or f"the distances are {far[0]:.4g} to k₁ and {far[1]:.4g} to k₂"

    laws = {"M is invertible": lambda M: np.linalg.matrix_rank(M) == 2, "k₂ is nearer than k₁": nearer}
    return check_value(answer, laws, shape=(2, 2))


@exercise("ch2-angle", hint="Let both steps have the same angle t. The gap is 2 cos t (1 − cos t).")
def _(answer):
    "Three directions for which 1 − cos makes the direct way longer than the detour by 0.49."

    def gap(X):
        U = X / np.linalg.norm(X, axis=1, keepdims=True)
        D = 1 - U @ U.T
        excess = D[0, 2] - D[0, 1] - D[1, 2]
        return bool(excess >= 0.49) or f"the direct way exceeds the detour by {excess:.4g}"

    laws = {"no vector is zero": lambda X: X.any(axis=1).all(), "the gap is at least 0.49": gap}
    return check_value(answer, laws, shape=(3, 2))


@exercise("ch2-lift", hint="Only the difference of the two new coordinates enters the distance.")
def _(answer):
    "Lifted queries end in 1, one coordinate is added, and distances give the weights, for three heads."
    rng = np.random.default_rng(0)
    cases = [tuple(rng.normal(size=(2, n, d))) for n, d in [(3, 1), (5, 2), (9, 4)]]

    def shapes(lifted, Q, K):
        q, k = (np.asarray(part, dtype=float) for part in lifted)
        wanted = (len(Q), Q.shape[1] + 1)
        return (q.shape == k.shape == wanted) or f"the shapes are {q.shape} and {k.shape}, expected {wanted}"

    def weights(lifted, Q, K):
        q, k = (np.asarray(part, dtype=float) for part in lifted)
        squared = ((q[:, None] - k) ** 2).sum(axis=-1)
        return np.allclose(attention.softmax(-squared / 2), attention.softmax(Q @ K.T), atol=1e-9)

    return check_function(
        answer,
        cases,
        {
            "one coordinate is added to each": shapes,
            "the old coordinates stay": lambda m, Q, K: np.allclose(m[0][:, :-1], Q) and np.allclose(m[1][:, :-1], K),
            "the query's new coordinate is 1": lambda m, Q, K: np.allclose(np.asarray(m[0])[:, -1], 1),
            "half squared distances give the same weights": weights,
        },
    )


def _is(value, wanted, name):
    return bool(np.isclose(value, wanted, atol=1e-6)) or f"{name} is {value:.4g}"


def _wins(values, j):
    others = np.delete(values, j)
    return bool(values[j] > others.max() + 1e-9) or f"the three values are {np.round(values, 4)}"
