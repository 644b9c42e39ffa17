"""Twelve tokens, two relations, one layer with two heads, in NumPy: what the model of `toy` computes and what is read.

A token is a colour, a rank and a value, each as a one-hot vector, so the form of a head is a table one can read. No
token has a position: the colours 0 to 11 are listed in their order, and ranks and values are drawn.
"""

import dataclasses

import numpy as np

from .. import bilinear, relation
from .._inputs import as_number
from .._text import Report
from ..attention import log_softmax, softmax
from .record import AttentionRecord

N, VALUES, D_K = 12, 10, 16
WIDTH = 2 * N + VALUES
FAMILIES = ("free", "tied", "symmetric", "metric")
TASKS = ("involution", "chain", "cycle")
DIAGONALS = ("allowed", "masked")
RELATIONS = ("complement", "successor", "predecessor", "self")
#: Steps of training after which a model is read.
CHECKPOINTS = (0, 25, 50, 100, 150, 250, 600)
SHAPES = {
    "W_Q": (2, WIDTH, D_K),
    "W_K": (2, WIDTH, D_K),
    "W_V": (2, WIDTH, 2 * VALUES),
    "W_skip": (WIDTH, 2 * VALUES),
    "b": (2 * VALUES,),
}
#: Signs that make q·k symmetric and indefinite when q = k ∘ SIGNS.
SIGNS = np.repeat([1.0, -1.0], D_K // 2)
_TESTED, _TEST_SEED = 256, 10**6


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class RelationRun(Report):
    """One model of the central experiment, read along its training; see `toy.train_relation`.

    Arrays whose first axis is ``checkpoint`` follow ``steps``; the last entry is the trained model. All of them are
    means over the same 256 test contexts and rounded to thousandths. Printed are two digits after the point, of the
    trained model.

    Attributes
    ----------
    task, family, diagonal : str
    seed : int
    steps : tuple of int
        Steps of training at which the model was read.
    losses, accuracy : ndarray (checkpoint, 2)
        Cross-entropy (nats) and share of right answers, for the complement's and the successor's value. NaN where the
        task does not ask.
    rho_scores : ndarray (checkpoint, head)
        ρ of the doubly centred scores T = JSJ before the mask, tr(T²)/‖T‖² = (reciprocal − circulating) /
        (reciprocal + circulating) of `relation.energy_shares`: 1 for a symmetric relation, −1/11 for a 12-cycle.
    rho_form : ndarray (checkpoint, head)
        `bilinear.symmetry_score` of the head's form on one-hot tokens. For the metric family, of its part 2 k·k′.
    mass : ndarray (checkpoint, head, 4)
        Mean weight on the complement, the successor, the predecessor, and on the token itself.
    arrows, most_arrows : ndarray (checkpoint, head)
        How many arrows rank r → r + 1 the hard choice argmax_{j≠i} s_ij gets right: mean over the contexts, and most.
    choices : ndarray (head, 12) of int
        The hard choices of the trained model in the first test context: entry r is the rank that rank r chooses.
    parameters : dict of str to ndarray (checkpoint or 1, …), or None
        ``W_Q``, ``W_K``, ``W_V``, ``W_skip``, ``b``, rounded to 8 bits after training; every number above belongs to
        the rounded model. None where the stored record does not hold them.
    """

    task: str
    family: str
    diagonal: str
    seed: int
    steps: tuple
    losses: np.ndarray
    accuracy: np.ndarray
    rho_scores: np.ndarray
    rho_form: np.ndarray
    mass: np.ndarray
    arrows: np.ndarray
    most_arrows: np.ndarray
    choices: np.ndarray
    parameters: dict | None

    def forward(self, ranks, values, *, checkpoint=-1):
        """The model on contexts of your own.

        Parameters
        ----------
        ranks, values : array_like of int (…, 12)
            Rank and value of the tokens of colour 0, 1, …, 11; the ranks of a context are a permutation of 0 … 11.
        checkpoint : int
            Which entry of ``parameters``; the trained model by default.

        Returns
        -------
        scores, weights : ndarray (…, head, 12, 12)
        values : ndarray (…, head, 12, 20)
        logits : ndarray (…, 12, 2, 10)
        """
        X = one_hot(*_as_contexts(ranks, values))
        return forward(self._parameters(checkpoint), X, self.family, self.diagonal)

    def mean_weights(self, order="rank", *, checkpoint=-1):
        """Weights of each head with the tokens put in order, averaged over the test contexts.

        Parameters
        ----------
        order : {"rank", "colour"}
            In the order of ranks the successor stands right of the diagonal; in the order of colours the complement
            stands six places off it.
        checkpoint : int
            Which entry of ``parameters``; the trained model by default.

        Returns
        -------
        ndarray (head, 12, 12)
        """
        if order not in ("rank", "colour"):
            raise ValueError(f"order is {order!r}; expected 'rank' or 'colour'")
        ranks, values = tested()
        _, weights, _, _ = forward(self._parameters(checkpoint), one_hot(ranks, values), self.family, self.diagonal)
        if order == "rank":
            place = np.argsort(ranks, -1)[:, None]
            weights = np.take_along_axis(weights, place[..., None], -2)
            weights = np.take_along_axis(weights, place[..., None, :], -1)
        return weights.mean(0)

    def record(self, context=0, *, checkpoint=-1):
        """The two heads on one test context, as `measure` and the axioms take them.

        Parameters
        ----------
        context : int
            Which of the 256 test contexts.
        checkpoint : int
            Which entry of ``parameters``; the trained model by default.

        Returns
        -------
        AttentionRecord
            One layer, two heads, 12 tokens named by colour, rank and value. ``scores`` are taken before the mask: with
            a masked diagonal its entries there are counterfactual. ``values`` are what a token adds to the 20 logits.
            The metric family has no ``W_Q``, ``queries``, ``keys``: its score is no product of two projections.
        """
        context = as_number(context, "context", integer=True, low=0, high=_TESTED - 1)
        ranks, values = (part[context] for part in tested())
        p, X = self._parameters(checkpoint), one_hot(ranks, values)
        scores, weights, V, _ = forward(p, X, self.family, self.diagonal)
        bilinear_parts = {} if self.family == "metric" else {
            "queries": (X @ p["W_Q"])[None], "keys": (X @ p["W_K"])[None], "W_Q": p["W_Q"][None], "W_K": p["W_K"][None]
        }  # fmt: skip
        mask = None if self.diagonal == "allowed" else ~np.eye(N, dtype=bool)
        return AttentionRecord(
            scores=scores[None], weights=weights[None], mask=mask, inputs=X[None], values=V[None],
            W_V=p["W_V"][None], **bilinear_parts, folded=True,  # there is no normalisation to fold
            tokens=[f"c{c} r{r} v{v}" for c, (r, v) in enumerate(zip(ranks, values))],
            model=f"toy: {self.family} scores, {self.task}, diagonal {self.diagonal}, seed {self.seed}",
            positions="none",
        )  # fmt: skip

    def _parameters(self, checkpoint):
        if self.parameters is None:
            raise ValueError(
                f"the record keeps no parameters of ({self.task}, {self.family}, seed {self.seed}); it keeps those of "
                "seed 0. Train them: toy.train_relation with the same arguments"
            )
        p = {name: array[checkpoint] for name, array in self.parameters.items()}
        return p | {"W_Q": query_matrix(p, self.family)}

    def _rows(self):
        two = lambda x: "–" if np.isnan(x) else f"{x + 0.0:.2f}"  # noqa: E731
        pair = lambda x: ", ".join(two(v) for v in x)  # noqa: E731
        last, mass = (lambda x: pair(x[-1])), self.mass[-1]
        return [
            ("task", f"{self.task}, {self.family} scores, diagonal {self.diagonal}, seed {self.seed}"),
            ("steps", str(self.steps[-1])),
            ("losses", f"{last(self.losses)} nats (complement, successor)"),
            ("accuracy", f"{last(self.accuracy)} (complement, successor)"),
            ("rho_scores", f"{last(self.rho_scores)} (heads 0, 1)"),
            ("rho_form", f"{last(self.rho_form)} (heads 0, 1)"),
            *((f"mass, head {h}", ", ".join(f"{n} {two(m)}" for n, m in zip(RELATIONS, mass[h]))) for h in (0, 1)),
            ("arrows", ", ".join(f"{a:.1f}" for a in self.arrows[-1]) + f" of {arrows_of(self.task)} (heads 0, 1)"),
            ("most_arrows", f"{self.most_arrows[-1, 0]:.0f}, {self.most_arrows[-1, 1]:.0f} in one context"),
        ]  # fmt: skip


def arrows_of(task):
    """How many ranks have a successor."""
    return N if task == "cycle" else N - 1


def contexts(rng, shape):
    """Ranks and values of the twelve tokens of each context: a permutation and independent digits."""
    return np.argsort(rng.random((*shape, N)), -1), rng.integers(0, VALUES, (*shape, N))


def tested():
    """The contexts on which every model is read."""
    return contexts(np.random.default_rng(_TEST_SEED), (_TESTED,))


def _as_contexts(ranks, values):
    for name, part in (("ranks", ranks), ("values", values)):
        if np.asarray(part).dtype.kind not in "iu":
            raise TypeError(f"{name} holds {np.asarray(part).dtype}; expected whole numbers")
    ranks, values = np.asarray(ranks), np.asarray(values)
    if ranks.shape != values.shape or ranks.shape[-1:] != (N,):
        raise ValueError(f"ranks and values have shapes {ranks.shape} and {values.shape}; expected the same (…, {N})")
    if (np.sort(ranks, -1) != np.arange(N)).any():
        raise ValueError(f"ranks must hold each of 0 to {N - 1} once in every context")
    if values.min() < 0 or values.max() >= VALUES:
        raise ValueError(f"values holds {values.min()} to {values.max()}; expected 0 to {VALUES - 1}")
    return ranks, values


def one_hot(ranks, values):
    """Tokens as rows (…, 12, 34): one-hot colour, rank and value side by side."""
    parts = np.broadcast_to(np.eye(N), (*ranks.shape, N)), np.eye(N)[ranks], np.eye(VALUES)[values]
    return np.concatenate(parts, -1)


def partners(ranks):
    """Index of each token's complement, successor, predecessor and itself, (…, 12, 4), in the order of `RELATIONS`."""
    place, here = np.argsort(ranks, -1), np.arange(N)
    at = lambda r: np.take_along_axis(place, r % N, -1)  # noqa: E731
    complement, itself = (np.broadcast_to(j, ranks.shape) for j in ((here + N // 2) % N, here))
    return np.stack([complement, at(ranks + 1), at(ranks - 1), itself], -1)


def asked(task, ranks):
    """Which of the two questions each token is asked, (…, 12, 2)."""
    successor = np.ones(ranks.shape, bool) if task == "cycle" else (ranks < N - 1) & (task == "chain")
    return np.stack([np.ones(ranks.shape, bool), successor], -1)


def query_matrix(parameters, family):
    """W_Q of a family: free, or made from W_K."""
    W_K = parameters["W_K"]
    return {"tied": W_K, "symmetric": W_K * SIGNS, "metric": 2 * W_K}.get(family, parameters.get("W_Q"))


def forward(parameters, X, family, diagonal):
    r"""The model: two heads and a direct path, added up to 20 logits.

    :math:`s_{ij} = q_i\cdot k_j/\sqrt{16}`, or :math:`-\|k_i - k_j\|^2/\sqrt{16}` for the metric family;
    :math:`Y = \sum_h A^h X W_V^h + X W_{skip} + b`.

    Parameters
    ----------
    parameters : dict
        One parameter set with the shapes of `SHAPES`.
    X : ndarray (…, 12, 34)

    Returns
    -------
    scores, weights : ndarray (…, head, 12, 12)
    values : ndarray (…, head, 12, 20)
    logits : ndarray (…, 12, 2, 10)
    """
    heads = X[..., None, :, :]
    K, V = heads @ parameters["W_K"], heads @ parameters["W_V"]
    scores = heads @ query_matrix(parameters, family) @ K.swapaxes(-1, -2)
    if family == "metric":
        norms = (K**2).sum(-1)
        scores = scores - norms[..., :, None] - norms[..., None, :]
    scores = scores / np.sqrt(D_K)
    weights = softmax(scores, mask=~np.eye(N, dtype=bool) if diagonal == "masked" else None)
    logits = (weights @ V).sum(-3) + X @ parameters["W_skip"] + parameters["b"]
    return scores, weights, V, logits.reshape(*logits.shape[:-1], 2, VALUES)


def hard_choices(scores):
    """Index of the largest score of each row, the diagonal left out."""
    return np.where(np.eye(scores.shape[-1], dtype=bool), -np.inf, scores).argmax(-1)


def read(parameters, task, family, diagonal):
    """Everything a `RelationRun` reports of one parameter set, by name."""
    ranks, values = tested()
    scores, weights, _, logits = forward(parameters, one_hot(ranks, values), family, diagonal)
    partner, mask = partners(ranks), asked(task, ranks)
    right = np.take_along_axis(values[..., None], partner[..., :2], -2)
    mean = lambda x: np.where(mask, x, 0).sum((0, 1)) / np.where(mask.any((0, 1)), mask.sum((0, 1)), np.nan)  # noqa: E731
    nats = -np.take_along_axis(log_softmax(logits), right[..., None], -1)[..., 0]
    energy = relation.energy_shares(scores)
    chosen = hard_choices(scores)
    hits = (chosen == partner[:, None, :, 1]) & (ranks < arrows_of(task))[:, None]
    return {
        "losses": mean(nats),
        "accuracy": mean(logits.argmax(-1) == right),
        "rho_scores": ((energy.reciprocal - energy.circulating) / (energy.reciprocal + energy.circulating)).mean(0),
        "rho_form": bilinear.symmetry_score(query_matrix(parameters, family), parameters["W_K"]),
        "mass": np.take_along_axis(weights, partner[:, None], -1).mean((0, 2)),
        "arrows": hits.sum(-1).mean(0),
        "most_arrows": hits.sum(-1).max(0),
        "choices": np.take_along_axis(ranks[0][chosen[0]], np.argsort(ranks[0])[None], -1),
    }
