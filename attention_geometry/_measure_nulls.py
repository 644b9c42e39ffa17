"""The nulls of a measurement: what each destroys and keeps, and how it is drawn for one head."""

import dataclasses
from collections.abc import Callable

import numpy as np

from attention_geometry import nulls
from attention_geometry._measure_entry import Table
from attention_geometry.attention import softmax
from attention_geometry.nulls import _haar_frame


@dataclasses.dataclass(frozen=True)
class Null:
    """One null.

    Attributes
    ----------
    name : str
        Its key in ``NULLS``.
    destroys, keeps : str
    function : callable or None
        ``function(head, draws, rng)`` takes the view of one head and returns the arrays it replaces, (draw, …).
        None: it needs the model, so the caller hands over its records.
    pooled : bool
        Heads have no identity in it (they are exchangeable within a layer), so a head is held against the draws of
        every head of its layer.
    """

    name: str
    destroys: str
    keeps: str
    function: Callable | None = dataclasses.field(repr=False, default=None)
    pooled: bool = False


def _repeat(array, draws):
    return np.broadcast_to(array, (draws, *array.shape))


def _haar(head, draws, rng):
    """`nulls.haar_rotated` in the 2 d_k dimensions that matter.

    Turn the space so that queries fill the first d_k coordinates. Of the Gaussian matrix whose QR gives the frame,
    only the first d_k rows X and the Gram matrix of the others enter the form; that is a Wishart matrix TᵀT.
    """
    W_Q, W_K = head.W_Q[0, 0], head.W_K[0, 0]
    d, d_k = W_Q.shape
    if d < 2 * d_k:
        W_Q, W_K = nulls.haar_rotated(_repeat(W_Q, draws), _repeat(W_K, draws), rng)
        return {"W_Q": W_Q, "W_K": W_K}
    X = rng.standard_normal((draws, d_k, d_k))
    frame = _haar_frame(np.concatenate([X, _wishart_root(d - d_k, d_k, draws, rng)], 1))
    W_Q = np.pad(np.linalg.qr(W_Q, mode="r"), [(0, d_k), (0, 0)])
    return {"W_Q": _repeat(W_Q, draws), "W_K": frame @ np.linalg.qr(W_K, mode="r")}


def _gaussian(head, draws, rng):
    """Triangular factors of two Gaussian matrices: σ(W_Q W_Kᵀ) = σ(T_Q T_Kᵀ), and the spectrum is all that is asked."""
    d, d_k = head.W_Q.shape[-2:]
    if d < d_k:
        W_Q, W_K = nulls.gaussian_factors(d, d_k, rng, batch=(draws,))
        return {"W_Q": W_Q, "W_K": W_K}
    return {name: _wishart_root(d, d_k, draws, rng) for name in ("W_Q", "W_K")}


def _wishart_root(n, k, draws, rng):
    """Upper triangular T with TᵀT distributed as GᵀG for a Gaussian n × k matrix G (Bartlett)."""
    T = np.triu(rng.standard_normal((draws, k, k)), 1)
    T[:, range(k), range(k)] = np.sqrt(rng.chisquare(n - np.arange(k), (draws, k)))
    return T


def _rows(head, draws, rng):
    A = nulls.row_permuted(_repeat(head.weights[0, 0], draws), rng, mask=head.mask[0, 0])
    return {"weights": A, "scores": None}


def _offsets(head, draws, rng):
    mask, scores = head.mask[0, 0], None if head.scores is None else head.scores[0, 0]
    with np.errstate(divide="ignore"):
        M = np.log(head.weights[0, 0]) if scores is None else scores
    allowed = np.where(mask & np.isfinite(M), M, 0.0).sum(-1) / np.maximum((mask & np.isfinite(M)).sum(-1), 1)
    M = np.where(mask, M - allowed[:, None], 0.0)
    weights = softmax(nulls.offset_permuted(_repeat(M, draws), rng, mask=mask), mask=mask, empty_rows="zero")
    if scores is not None:
        scores = nulls.offset_permuted(_repeat(scores - scores.mean(-1, keepdims=True), draws), rng)
    return {"weights": weights, "scores": scores}


def _noise(head, draws, rng):
    noise = nulls.temperature_matched(_repeat(head.weights[0, 0], draws), rng, mask=head.mask[0, 0])
    return {"weights": noise.weights, "scores": noise.scores}


def _uniform(head, draws, rng):
    mask = head.mask[0, 0] & head.valid[0, 0, :, None]
    return {"weights": (mask / np.maximum(mask.sum(-1, keepdims=True), 1))[None], "scores": None}


def _cloud(head, draws, rng):
    return {"stream": nulls.matched_spectrum_cloud(_repeat(head.stream[0, 0], draws), rng)}


def _isotropic(head, draws, rng):
    return {"stream": rng.standard_normal((draws, *head.stream.shape[-2:]))}


#: Every null by name. `measure` draws those with a function; the others need the model and come from the caller.
NULLS = Table(
    [
        Null("haar", "how queries and keys are turned to each other", "every singular value of B", _haar),
        Null("gaussian", "all that training did to the spectrum of B", "the shape of W_Q and W_K", _gaussian),
        Null("rows", "where a row looks", "each row's set of weights and its self-weight", _rows),
        Null("offsets", "which tokens: content, columns, sinks", "the profile over distances i − j", _offsets),
        Null("noise", "which keys, any relation of rows", "flatness: the head's mean entropy, and its mask", _noise),
        Null("uniform", "everything but the mask: the baseline of a score", "the mask", _uniform),
        Null("cloud", "the mean direction and the axes", "singular values of the centred tokens", _cloud),
        Null("isotropic", "the shape of the cloud", "numbers of tokens and dimensions", _isotropic),
        Null("shuffled", "the order of the tokens (the model ran again)", "the tokens, the model"),
        Null("untrained", "training", "architecture, texts, mask", pooled=True),
    ],
    ("destroys", "keeps"),
)
