"""What a measure reads: one layer of one text, its heads side by side, and the conditions a measure may ask of it."""

import dataclasses
import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from attention_geometry import bilinear, relation
from attention_geometry.attention import causal_mask, log_softmax

#: The arrays of a view whose first axis is the heads.
HEADWISE = ("weights", "scores", "mask", "valid", "values", "W_O", "W_Q", "W_K")


@dataclasses.dataclass(frozen=True)
class View:
    """One layer. Arrays of heads are (head, draw, …), with one draw for what was measured and m for a null.

    What the record does not carry is None. ``stream`` (1, draw, token, width) is the residual stream before the layer.
    """

    weights: np.ndarray | None = None
    scores: np.ndarray | None = None
    mask: np.ndarray | None = None
    valid: np.ndarray | None = None
    values: np.ndarray | None = None
    W_O: np.ndarray | None = None
    W_Q: np.ndarray | None = None
    W_K: np.ndarray | None = None
    stream: np.ndarray | None = None
    tokens: tuple = ()

    @functools.cached_property
    def causal(self):
        """Whether every head may look back only."""
        return bool((self.mask == causal_mask(self.mask.shape[-1])).all())

    @functools.cached_property
    def pairs(self):
        """Scores of every pair of tokens, up to a constant in each row: the scores, or else the log weights."""
        return np.log(self.weights) if self.scores is None else self.scores

    @functools.cached_property
    def surprisal(self):
        """−log of the weights that every head would have without its mask."""
        return -log_softmax(self.pairs)

    @functools.cached_property
    def shares(self):
        """The energy shares of the scores of every pair."""
        return relation.energy_shares(self.pairs)

    @functools.cached_property
    def symmetric_share(self):
        """f of every form."""
        return bilinear.symmetric_share(self.W_Q, self.W_K)

    @functools.cached_property
    def signature(self):
        """Signs of the symmetric part of every form."""
        return bilinear.signature(self.W_Q, self.W_K)

    @functools.cached_property
    def form_spectrum(self):
        """Singular values of every form."""
        return bilinear.singular_values(self.W_Q, self.W_K)

    def take(self, heads):
        """The view of some heads."""
        arrays = {name: getattr(self, name) for name in HEADWISE}
        return dataclasses.replace(self, **{name: None if x is None else x[heads] for name, x in arrays.items()})


def view_of(record, layer):
    """What the measures of one text read of a layer; rows without the rounding of the record's precision."""
    mask, valid = record.mask[layer], record.valid[layer]
    A = np.where(mask, np.maximum(record.weights[layer], 0.0), 0.0)
    A = A / np.where(valid, A.sum(-1), 1.0)[..., None]
    shared = list(record.key_head)
    values = None if record.values is None else record.values[layer][shared, None]
    W_O = None if record.W_O is None else record.W_O[layer][:, None]
    scores = None if record.scores is None else record.scores[layer][:, None]
    stream = None if record.hidden is None else record.hidden[layer][None, None]
    return View(A[:, None], scores, mask[:, None], valid[:, None], values, W_O, None, None, stream, record.tokens)


def form_of(record, layer):
    """What the measures of the form read of a layer, the same for every text."""
    if record.W_Q is None or record.W_K is None:
        return View()
    return View(W_Q=record.W_Q[layer][:, None], W_K=record.W_K[layer][list(record.key_head), None])


class Domain(NamedTuple):
    """A condition on a layer: ``holds(view)`` gives one truth value, or one per head; ``reason`` says what is amiss."""

    name: str
    holds: Callable
    reason: str


def _matrices(view):
    return view.W_Q is not None and view.W_K is not None


def _whole(view):
    return view.valid.all((1, 2))


def _pairs(view):
    return view.scores is not None or (view.mask.all((1, 2, 3)) & (view.weights > 0).all((1, 2, 3)))


def _both_ways(view):
    return not view.causal


def _values(view):
    return view.values is not None and view.W_O is not None


def _stream(view):
    return view.stream is not None


def _at_least(view, n):
    return len(view.tokens) >= n


MATRICES = Domain("W_Q and W_K known", _matrices, "the record carries no W_Q and W_K")
WHOLE = Domain("every row a distribution", _whole, "some row holds no distribution: it has no key")
PAIRS = Domain(
    "scores of every pair",
    _pairs,
    "needs the scores before the mask, which the record does not carry: masked or vanished weights say nothing of them",
)
BOTH_WAYS = Domain("not causal", _both_ways, "causal: the eigenvalues are the self-weights, and show nothing else")
VALUES = Domain("values and W_O known", _values, "the record carries no values or no W_O")
STREAM = Domain("residual stream known", _stream, "the record carries no residual stream")
TWO = Domain("2 tokens or more", functools.partial(_at_least, n=2), "fewer than 2 tokens")
THREE = Domain("3 tokens or more", functools.partial(_at_least, n=3), "fewer than 3 tokens")
