"""The table of candidate dissimilarities: the formulas, and what is known of each before any data is seen.

:mod:`attention_geometry.axioms` hands the table on as ``CANDIDATES``; tests run every counterexample in it.
"""

import dataclasses
import html
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from attention_geometry._inputs import as_rows, as_unmasked_scores, as_weights
from attention_geometry._triangles import min_plus_closure
from attention_geometry.relation import squared_interval

#: The axioms, in the order of every table and report.
AXIOMS = {
    "non_negative": "d(i,j) ≥ 0",
    "zero_diagonal": "d(i,i) = 0",
    "separation": "d(i,j) ≠ 0 for i ≠ j",
    "symmetry": "d(i,j) = d(j,i)",
    "triangle": "d(i,k) ≤ d(i,j) + d(j,k)",
}


class Threshold(NamedTuple):
    """Whether a relation is so flat that it passes the triangle test for free: ``value`` ≤ ``limit``."""

    value: float
    limit: float
    sentence: str

    @property
    def flat(self):
        """True if it passes for free; False where no threshold is known."""
        return self.value <= self.limit


@dataclasses.dataclass(frozen=True)
class Candidate:
    """One way to read a dissimilarity off a head.

    Calling it with what it ``takes`` gives D, shape (…, n, n).

    Attributes
    ----------
    name, question : str
        Its key in ``CANDIDATES``, and the question that D answers.
    domain : str
        Where it is defined.
    takes : tuple of str
        The arguments: weights ``A``, scores or log-weights ``S``, inputs ``X``, or queries ``Q`` and keys ``K``.
    axioms : Mapping
        For each axiom ``"always"``, ``"if …"`` with the condition, ``"never: …"`` with the reason, or ``"not in
        general"`` where no condition simpler than the axiom is known, on the domain.
    counterexamples : Mapping
        For each axiom that is not ``"always"``, arguments of at most four tokens that break it.
    """

    name: str
    question: str
    domain: str
    takes: tuple
    function: Callable = dataclasses.field(repr=False)
    axioms: Mapping = dataclasses.field(repr=False)
    counterexamples: Mapping = dataclasses.field(repr=False)
    flatness: Callable | None = dataclasses.field(repr=False, default=None)

    def __call__(self, *arguments, **options):
        if len(arguments) != len(self.takes):
            raise TypeError(f"{self.name} takes {' and '.join(self.takes)}; got {len(arguments)} arguments")
        return self.function(*(_WAYS_IN[name](x, name) for name, x in zip(self.takes, arguments)), **options)

    def threshold(self, D):
        """How flat D is, beside what passes the triangle test for free; NaN where that is not known."""
        D = np.asarray(D, dtype=float)
        why = None
        if self.flatness is None:
            why = f"no triviality threshold is known for {self.name}"
        elif D.shape[-1] < 2:
            why = "undefined: one token has no weight on another"
        elif np.isnan(D).any():
            why = "undefined: some entries are NaN"
        return Threshold(np.nan, np.nan, why) if why else self.flatness(D)


class _Candidates(dict):
    """A dict that also knows keys typed on a plain keyboard, and lists its keys when it misses one."""

    def __missing__(self, key):
        plain = {_typed(name): name for name in self}
        if isinstance(key, str) and _typed(key) in plain:
            return self[plain[_typed(key)]]
        raise KeyError(f"{key!r} is not a candidate; there are: {', '.join(self)}")

    def __repr__(self):
        return "\n".join(f"{name:<{max(map(len, self))}}  {one.question}" for name, one in self.items())

    def _repr_html_(self):
        head = "".join(f"<th scope='col'>{html.escape(text)}</th>" for text in ("question", *AXIOMS.values()))
        rows = ((one.question, *one.axioms.values()) for one in self.values())
        cells = ["".join(f"<td>{_lowered(_MARKS.get(x.split(':')[0], x))}</td>" for x in row) for row in rows]
        body = "".join(f"<tr><th scope='row'>{html.escape(name)}</th>{row}</tr>" for name, row in zip(self, cells))
        return f"<table class='ag-report'><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"


def _lowered(text):
    """As HTML, with the indices of A_ij and s_ii set low."""
    return re.sub(r"_(\w+)", r"<sub>\1</sub>", html.escape(text))


#: How a table shows the statuses without a condition.
_MARKS = {"always": "✓", "never": "✗ never"}


def _typed(name):
    for sign, letters in {"−": "-", "√": "sqrt ", "ρ": "rho", "‖": "|", " ": ""}.items():
        name = name.replace(sign, letters)
    return name.replace(" ", "").lower()


def _weights(A, name):
    """Weights without the rounding that `as_weights` tolerates, so that what always holds does hold."""
    A = np.maximum(as_weights(A, name, square=True), 0.0)
    return A / A.sum(-1, keepdims=True)


_WAYS_IN = {
    "A": _weights,
    "S": as_unmasked_scores,
    "X": as_rows,
    "Q": as_rows,
    "K": as_rows,
}


# The formulas.


def _surprisal(A):
    with np.errstate(divide="ignore"):
        return -np.log(np.maximum(A, 0.0)) + 0.0  # the sum turns −0 into 0


def _cost_relative_to_staying(S):
    return np.diagonal(S, axis1=-2, axis2=-1)[..., :, None] - S


def _root_of_interval(S):
    D = squared_interval(S)
    if (D < 0).any():
        where = tuple(int(i) for i in np.argwhere(D < 0)[0])
        raise ValueError(f"D is {D[where]:.4g} at index {where}: a negative squared interval has no length")
    return np.sqrt(D)


def _between(P, R, length):
    """``length`` of every pair of rows, one row of P at a time."""
    return np.stack([length(P[..., i, None, :], R) for i in range(P.shape[-2])], -2)


def _euclidean(p, r):
    difference = p - r
    size = np.maximum(np.abs(difference).max((-2, -1), keepdims=True), np.finfo(float).tiny)
    return np.sqrt(((difference / size) ** 2).sum(-1)) * size[..., 0]


def _query_to_key(Q, K):
    if Q.shape != K.shape:
        raise ValueError(f"Q has shape {Q.shape} and K {K.shape}; expected one query and one key for each token")
    return _between(Q, K, _euclidean)


def _directions(X):
    size = np.abs(X).max(-1, keepdims=True)
    if (size == 0).any():
        rows = ", ".join(str(at.tolist() if at.size > 1 else at[0]) for at in np.argwhere(size[..., 0] == 0)[:8])
        raise ValueError(f"X has no direction in row {rows}: it is zero")
    X = X / size
    return X / np.linalg.norm(X, axis=-1, keepdims=True)


def _angle(u, w):  # keeps its digits near 0 and π, where the arccosine of the cosine loses half of them
    return 2 * np.arctan2(np.linalg.norm(u - w, axis=-1), np.linalg.norm(u + w, axis=-1))


def _divergence(p, r):
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * (np.log(p) - np.log(r)), 0.0) - p + r  # p/r overflows; none < 0, except by rounding
    return np.maximum(terms, 0.0).sum(-1)


def jensen_shannon(p, r):
    """JSD of matching rows, in nats. ``2 t artanh t + log(1 − t²)`` keeps the digits of rows that nearly agree."""
    total = p + r
    t = (p - r) / np.where(total > 0, total, 1.0)
    inside = np.where(np.abs(t) < 1, t, 0.0)
    gain = np.where(np.abs(t) < 1, 2 * inside * np.arctanh(inside) + np.log1p(-(inside**2)), 2 * np.log(2))
    return np.maximum((total * gain).sum(-1) / 4, 0.0)


def _pairwise(length, prepare=lambda rows: rows):
    return lambda rows: _between(*[prepare(rows)] * 2, length)


def _chain(name):  # the chain distances live with the other readings of A as a Markov chain
    def distance(A, **options):
        from attention_geometry import graph

        D = getattr(graph, name)(A, **options)
        if np.isnan(D).any():
            raise ValueError("A is reducible (causal or masked): some token is never reached again")
        return D

    return distance


# Triviality thresholds.


def _flat_surprisals(D):
    n = D.shape[-1]
    with np.errstate(invalid="ignore", over="ignore"):
        ratio = float(np.exp((D.max(-1) - D.min(-1)).max()))
    limit = (1 + np.sqrt(4 * n - 3)) / 2
    free = "; any relation so flat passes" if ratio <= limit else f"; up to {limit:.4g} (n = {n}) any relation passes"
    return Threshold(ratio, limit, f"the weights of a row differ by a factor of {ratio:.4g} at most{free}")


def _small_weights(D):
    largest = float((1 - D + np.where(np.eye(D.shape[-1], dtype=bool), -np.inf, 0.0)).max())
    free = "; any relation so flat passes" if largest <= 0.5 else "; up to 0.5 any relation passes"
    return Threshold(largest, 0.5, f"the largest weight on another token is {largest:.4g}{free}")


# Small matrices that break axioms.

_TURN = np.array([[1, 6, 1], [1, 1, 6], [6, 1, 1]]) / 8
_ALL_WRONG = np.array([[1, 0, 4], [1, 1, 1], [-1, 1, 1]])
_ON_A_LINE = np.outer([2, 1, 0], [2, 1, 0])
_EQUAL = np.full((2, 2), 0.5)
_THREE_ROWS = np.array([[1 / 2, 1 / 2, 0], [3 / 4, 1 / 4, 0], [9 / 10, 1 / 10, 0]])
_ENDS_AND_MIDDLE = np.array([[1, 0, 0], [1 / 2, 1 / 2, 0], [0, 1, 0]])
_CYCLE = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])


def _breaks(**arguments):
    """``{axiom: arguments}`` from arguments named by the axioms they break, joined by ``__``."""
    return {axiom: x if isinstance(x, tuple) else (x,) for names, x in arguments.items() for axiom in names.split("__")}


def _table(*rows):
    entries = {}
    for name, question, domain, takes, function, statuses, breaks, *flatness in rows:
        statuses = statuses if isinstance(statuses, tuple) else (statuses,) * len(AXIOMS)
        axioms = dict(zip(AXIOMS, statuses, strict=True))
        entries[name] = Candidate(name, question, domain, tuple(takes.split()), function, axioms, breaks, *flatness)
    return _Candidates(entries)


_FINITE = "finite scores, before the mask; log A serves as well"
_POSITIVE = "A > 0, n ≥ 2 (a zero weight becomes ∞)"
_SAME_ROWS = "if no two rows are equal"

CANDIDATES = _table(
    (
        "S", "none: a row shift changes it", _FINITE, "S", lambda S: S + 0.0,
        ("if every score is ≥ 0", "if every s_ii = 0", "if no other score is 0", "if S = Sᵀ", "if s_ik ≤ s_ij + s_jk"),
        _breaks(non_negative__zero_diagonal__separation__symmetry__triangle=_ALL_WRONG),
    ),
    (
        "−S", "none: a row shift changes it", _FINITE, "S", lambda S: 0.0 - S,
        ("if every score is ≤ 0", "if every s_ii = 0", "if no other score is 0", "if S = Sᵀ", "if s_ij + s_jk ≤ s_ik"),
        _breaks(non_negative__zero_diagonal__separation__symmetry__triangle=_ALL_WRONG),
    ),
    (
        "max S − S", "none: a row shift changes it", _FINITE, "S", lambda S: S.max((-2, -1), keepdims=True) - S,
        ("always", "if every s_ii is the largest score", "if no other score is the largest", "if S = Sᵀ",
         "if s_ij + s_jk ≤ s_ik + max S"),
        _breaks(zero_diagonal__separation__symmetry__triangle=_ALL_WRONG),
    ),
    (
        "1 − A", "probability to miss", "A > 0, n ≥ 2", "A", lambda A: 1.0 - A,
        ("always", "never: A_ii < 1", "always", "if A = Aᵀ", "if A_ij + A_jk ≤ 1 + A_ik"),
        _breaks(zero_diagonal__symmetry__triangle=_TURN), _small_weights,
    ),
    (
        "−log A", "surprisal of one hop, in nats", _POSITIVE, "A", _surprisal,
        ("always", "never: A_ii < 1", "always", "if A = Aᵀ", "if A_ij A_jk ≤ A_ik"),
        _breaks(zero_diagonal__symmetry__triangle=_TURN), _flat_surprisals,
    ),
    (
        "closure of −log A", "surprisal of the most probable path, in nats", _POSITIVE, "A",
        lambda A: min_plus_closure(_surprisal(A)),
        ("always", "always", "always", "if the closure is symmetric; A = Aᵀ suffices", "always"),
        _breaks(symmetry=_TURN),
    ),
    (
        "ρ", "cost relative to staying, log A_ii/A_ij, in nats", _FINITE, "S", _cost_relative_to_staying,
        ("if A_ij ≤ A_ii", "always", "if A_ij ≠ A_ii for i ≠ j", "if A_ii A_ji = A_jj A_ij",
         "if A_ij A_jk ≤ A_ik A_jj"),
        _breaks(non_negative__separation__symmetry__triangle=_ON_A_LINE),
    ),
    (
        "D", "squared interval of the symmetric part, in nats", _FINITE, "S", squared_interval,
        ("if A_ij A_ji ≤ A_ii A_jj", "always", "if A_ij A_ji ≠ A_ii A_jj for i ≠ j", "always",
         "if (x_i − x_j) B_s (x_j − x_k)ᵀ ≤ 0: no corner is obtuse"),
        _breaks(non_negative=[[0, 1], [1, 0]], separation=np.zeros((2, 2)), triangle=_ON_A_LINE),
    ),
    (
        "√D", "Mahalanobis length of the symmetric part", "D ≥ 0", "S", _root_of_interval,
        ("always", "always", "if D_ij > 0 for i ≠ j", "always", "if J S_s J ⪰ 0 (sufficient)"),
        _breaks(separation=np.zeros((2, 2)), triangle=-np.array([[0, 1, 9], [1, 0, 1], [9, 1, 0]]) / 2),
    ),
    (
        "‖q − k‖", "distance from a query to a key, in one gauge", "queries and keys of one width", "Q K",
        _query_to_key,
        ("always", "if q_i = k_i", "if q_i ≠ k_j for i ≠ j", "if ‖q_i − k_j‖ = ‖q_j − k_i‖",
         "if q_j = k_j; always between the two clouds: d(i,l) ≤ d(i,j) + d(m,j) + d(m,l)"),
        _breaks(zero_diagonal__separation__symmetry__triangle=([[0], [10], [0]], [[5], [0], [10]])),
    ),
    (
        "1 − cos", "half the squared chord", "no zero vector", "X",
        _pairwise(lambda u, w: ((u - w) ** 2).sum(-1) / 2, _directions),
        ("always", "always", "if no two vectors point the same way", "always",
         "if (x̂_i − x̂_j)·(x̂_j − x̂_k) ≤ 0; always within the factor 2"),
        _breaks(separation=[[1, 0], [2, 0]], triangle=[[1, 0], [1, 1], [0, 1]]),
    ),
    (
        "arccos", "angle of two representations, in radians", "no zero vector", "X",
        _pairwise(_angle, _directions),
        ("always", "always", "if no two vectors point the same way", "always", "always"),
        _breaks(separation=[[1, 0], [2, 0]]),
    ),
    (
        "chord", "distance of two representations on the unit sphere", "no zero vector", "X",
        _pairwise(_euclidean, _directions),
        ("always", "always", "if no two vectors point the same way", "always", "always"),
        _breaks(separation=[[1, 0], [2, 0]]),
    ),
    (
        "TV of rows", "do i and k look at the same places?", "all A", "A",
        _pairwise(lambda p, r: np.abs(p - r).sum(-1) / 2),
        ("always", "always", _SAME_ROWS, "always", "always"), _breaks(separation=_EQUAL),
    ),
    (
        "Hellinger of rows", "do i and k look at the same places?", "all A", "A",
        _pairwise(_euclidean, lambda A: np.sqrt(np.maximum(A, 0.0) / 2)),
        ("always", "always", _SAME_ROWS, "always", "always"), _breaks(separation=_EQUAL),
    ),
    (
        "√JSD of rows", "do i and k look at the same places?", "all A", "A",
        _pairwise(lambda p, r: np.sqrt(jensen_shannon(p, r))),
        ("always", "always", _SAME_ROWS, "always", "always"), _breaks(separation=_EQUAL),
    ),
    (
        "KL of rows", "coding loss, in nats", "all A; ∞ where A_ij > 0 = A_kj", "A", _pairwise(_divergence),
        ("always", "always", _SAME_ROWS, "if the two losses agree", "not in general"),
        _breaks(separation=_EQUAL, symmetry__triangle=_THREE_ROWS),
    ),
    (
        "JSD of rows", "mean coding loss against the average of the two rows, in nats", "all A", "A",
        _pairwise(jensen_shannon),
        ("always", "always", _SAME_ROWS, "always", "not in general; its root always does"),
        _breaks(separation=_EQUAL, triangle=_ENDS_AND_MIDDLE),
    ),
    (
        "hitting time", "expected steps from i to k", "A irreducible (never causal)", "A", _chain("hitting_times"),
        ("always", "always", "always", "if H(i→k) = H(k→i)", "always"), _breaks(symmetry=_CYCLE),
    ),
    (
        "commute time", "expected steps of the round trip", "A irreducible (never causal)", "A",
        _chain("commute_times"), "always", {},
    ),
    (
        "diffusion distance", "how far apart are the t-step profiles?", "A irreducible (never causal)", "A",
        lambda A, t=1: _chain("diffusion_distance")(A, t=t),
        ("always", "always", "if no two rows of Aᵗ are equal", "always", "always"), _breaks(separation=_EQUAL),
    ),
)  # fmt: skip

#: One candidate for each question, fixed before any data is seen; every other choice needs a stated reason.
DEFAULTS = ("ρ", "D", "closure of −log A", "√JSD of rows", "arccos")
