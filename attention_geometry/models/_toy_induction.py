"""Texts in which a random word repeats, and two attention-only layers that continue them, in NumPy."""

import dataclasses

import numpy as np

from .. import heads
from .._text import Report
from ..attention import causal_mask, log_softmax, softmax
from .record import AttentionRecord

VOCABULARY, LENGTH, WIDTH = 32, 24, 32
#: Periods of the repeated word while the period varies, and the one period of the trap.
PERIODS, FIXED = (4, 16), 8
CHECKPOINTS = (0, 50, 100, 150, 200, 300, 500)
EPSILON = 1e-5
_TESTED, _TEST_SEED = 256, 10**6


def shapes(layers):
    """Names and shapes of the parameters, in the order in which they are stored."""
    square = (layers, WIDTH, WIDTH)
    return {
        "E": (VOCABULARY, WIDTH), "P": (LENGTH, WIDTH), "W_Q": square, "W_K": square, "W_V": square, "W_O": square,
        "U": (WIDTH, VOCABULARY), "gain": (layers + 1, WIDTH), "shift": (layers + 1, WIDTH),
    }  # fmt: skip


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class InductionRun(Report):
    """One model of the induction task, read along its training; see `toy.train_induction`.

    Arrays whose first axis is ``checkpoint`` follow ``steps``; the last entry is the trained model. All are rounded to
    thousandths; printed are two digits after the point, of the trained model.

    Attributes
    ----------
    period : str
        ``"varying"`` or ``"fixed"``: the texts it was trained on.
    layers, seed : int
    steps : tuple of int
        Steps of training at which the model was read.
    losses, accuracy : ndarray (checkpoint, 2)
        Cross-entropy (nats) and share of right answers on the tokens that can be known: on texts of the fixed period,
        and on texts whose period varies.
    previous : ndarray (checkpoint, layer)
        `heads.previous_token_score` on the first half of the texts (varying period).
    induction : ndarray (checkpoint, 2, layer)
        `heads.induction_score` where the word stands there twice: on texts of the fixed period, and of varying ones.
    parameters : dict of str to ndarray (checkpoint or 1, …), or None
        Rounded to 8 bits after training; every number above belongs to the rounded model. None where the stored record
        does not hold them.
    """

    period: str
    layers: int
    seed: int
    steps: tuple
    losses: np.ndarray
    accuracy: np.ndarray
    previous: np.ndarray
    induction: np.ndarray
    parameters: dict | None

    def forward(self, tokens, *, checkpoint=-1):
        """Weights (…, layer, query, key) and logits (…, token, 32) for texts (…, token) of numbers below 32."""
        parts = forward(self._parameters(checkpoint), _as_texts(tokens))
        return np.stack(parts["weights"], -3), parts["logits"]

    def record(self, tokens, *, checkpoint=-1):
        """One text of at most 24 tokens, numbers below 32, through both layers, as an `AttentionRecord`."""
        p, tokens = self._parameters(checkpoint), _as_texts(tokens)
        if tokens.ndim != 1:
            raise ValueError(f"tokens has shape {tokens.shape}; a record holds one text")
        parts = forward(p, tokens)
        fields = {name: np.stack(parts[name])[:, None] for name in ("scores", "weights", "queries", "keys", "values")}
        return AttentionRecord(
            **fields, mask=causal_mask(len(tokens)), inputs=np.stack(parts["inputs"]), hidden=np.stack(parts["hidden"]),
            **{name: p[name][:, None] for name in ("W_Q", "W_K", "W_V", "W_O")}, folded=False,
            tokens=[str(t) for t in tokens], positions="learned, added to the embeddings",
            model=f"toy: induction, {self.layers} layers, {self.period} period, seed {self.seed}",
        )  # fmt: skip

    def _parameters(self, checkpoint):
        if self.parameters is None:
            raise ValueError(
                f"the record keeps no parameters of the model with {self.layers} layers, {self.period} period and seed "
                f"{self.seed}. Train it: toy.train_induction with the same arguments"
            )
        return {name: array[checkpoint] for name, array in self.parameters.items()}

    def _rows(self):
        pair = lambda x: f"{x[-1, 0]:.2f} fixed, {x[-1, 1]:.2f} varying"  # noqa: E731
        layers = lambda x: ", ".join(f"{v:.2f}" for v in x)  # noqa: E731
        return [
            ("model", f"{self.layers} layers, trained on texts of {self.period} period, seed {self.seed}"),
            ("steps", str(self.steps[-1])),
            ("losses", f"{pair(self.losses)} (nats)"),
            ("accuracy", pair(self.accuracy)),
            ("previous", f"{layers(self.previous[-1])} by layer"),
            ("induction", f"{layers(self.induction[-1, 0])} fixed, {layers(self.induction[-1, 1])} varying, by layer"),
        ]


def _as_texts(tokens):
    array = np.asarray(tokens)
    if array.dtype.kind not in "iu" or array.ndim < 1:
        raise TypeError(f"tokens is {tokens!r}; expected a sequence of whole numbers"[:300])
    n = array.shape[-1]
    if not 1 <= n <= LENGTH or array.min() < 0 or array.max() >= VOCABULARY:
        raise ValueError(f"tokens holds texts of {n} numbers; expected 1 to {LENGTH}, each from 0 to {VOCABULARY - 1}")
    return array


def texts(rng, shape, periods):
    """Texts of 24 tokens with the start and the period of the repeated word, (…, 24), (…,), (…,).

    Tokens are distinct until, from a random place on, a word of p of them repeats to the end.
    """
    fresh = np.argsort(rng.random((*shape, VOCABULARY)), -1)
    p = rng.integers(periods[0], periods[1] + 1, shape)
    start = (rng.random(shape) * (LENGTH - 2 - p)).astype(int)
    i, first, word = np.arange(LENGTH), start[..., None], p[..., None]
    at = np.where(i < first + word, i, first + (i - first) % word)
    return np.take_along_axis(fresh, at, -1), start, p


def forward(parameters, tokens):
    """The model on texts (…, token): lists over the layers of what each computes, and the logits."""
    p, n = parameters, tokens.shape[-1]
    x = p["E"][tokens] + p["P"][:n]
    seen = {name: [] for name in ("inputs", "queries", "keys", "values", "scores", "weights")} | {"hidden": [x]}
    for l in range(len(p["W_Q"])):
        z = _layer_norm(x, p["gain"][l], p["shift"][l])
        Q, K, V = (z @ p[name][l] for name in ("W_Q", "W_K", "W_V"))
        S = Q @ K.swapaxes(-1, -2) / np.sqrt(WIDTH)
        A = softmax(S, mask=causal_mask(n))
        x = x + A @ V @ p["W_O"][l]
        for name, part in (("inputs", z), ("queries", Q), ("keys", K), ("values", V), ("scores", S), ("weights", A)):
            seen[name].append(part)
        seen["hidden"].append(x)
    return seen | {"logits": _layer_norm(x, p["gain"][-1], p["shift"][-1]) @ p["U"]}


def read(parameters):
    """Everything an `InductionRun` reports of one parameter set, by name."""
    found = {"losses": [], "accuracy": [], "induction": []}
    for periods in ((FIXED, FIXED), PERIODS):
        tokens, start, p = texts(np.random.default_rng(_TEST_SEED), (_TESTED,), periods)
        parts = forward(parameters, tokens)
        known = np.arange(LENGTH - 1) >= (start + p)[:, None]
        logits, answers = parts["logits"][:, :-1], tokens[:, 1:]
        nats = -np.take_along_axis(log_softmax(logits), answers[..., None], -1)[..., 0]
        found["losses"].append(nats[known].mean())
        found["accuracy"].append((logits.argmax(-1) == answers)[known].mean())
        found["induction"].append([_induction(A, start, p) for A in parts["weights"]])
    half, mask = LENGTH // 2, causal_mask(LENGTH // 2)
    previous = [heads.previous_token_score(A[:, :half, :half], mask=mask).value.mean() for A in parts["weights"]]
    return {name: np.array(values) for name, values in (found | {"previous": previous}).items()}


def _induction(A, start, p):
    """Mean induction score of a layer over the texts in which two copies of the word fit."""
    scores = []
    for a, r, period in zip(A, start, p):
        n = r + 2 * period
        if n <= LENGTH:
            scores.append(heads.induction_score(a[:n, :n], int(period), start=int(r), mask=causal_mask(n)).value)
    return np.mean(scores)


def _layer_norm(x, gain, shift):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON) * gain + shift
