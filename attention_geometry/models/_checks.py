"""The checks of a record: which axis every array has, and that no two of its parts disagree."""

import operator

import numpy as np

from .._inputs import EPSILON, STOCHASTIC_TOLERANCE, as_array, as_mask, as_weights, precision
from .._text import as_tokens

#: The axes of every array, by name. Equal names have equal lengths; ``stage`` is one more than ``layer``.
AXES = {
    "weights": ("layer", "head", "query", "key"),
    "scores": ("layer", "head", "query", "key"),
    "inputs": ("layer", "token", "width"),
    "hidden": ("stage", "token", "width"),
    "queries": ("layer", "head", "token", "d_k"),
    "keys": ("layer", "key_head", "token", "d_k"),
    "values": ("layer", "key_head", "token", "d_v"),
    "W_Q": ("layer", "head", "width", "d_k"),
    "W_K": ("layer", "key_head", "width", "d_k"),
    "W_V": ("layer", "key_head", "width", "d_v"),
    "W_O": ("layer", "head", "d_v", "width"),
    "b_Q": ("layer", "head", "d_k"),
    "b_K": ("layer", "key_head", "d_k"),
    "b_V": ("layer", "key_head", "d_v"),
}


def checked_fields(record):
    """Every field of the record, converted, checked against the others and read-only; or the first disagreement."""
    _check_labels(record)
    weights = as_array(record.weights, "weights", ndim=4, nan_policy="propagate")
    if weights.shape[-1] != weights.shape[-2] or 0 in weights.shape:
        raise ValueError(
            f"weights has shape {weights.shape}; expected (layer, head, token, token) with at least one of each. "
            "Steps of a generation, or queries and keys from two texts, are no record of one text"
        )
    clean = {"precision": record.precision or precision(record.weights)}
    clean["mask"] = _shared_mask(record.mask, weights.shape)
    clean["valid"] = _valid_rows(record.valid, clean["mask"])
    clean["weights"] = _checked_weights(weights, record.weights, **clean)
    sizes = _sizes(weights.shape)
    for name in AXES:
        if name != "weights" and getattr(record, name) is not None:
            clean[name] = _checked(name, getattr(record, name), sizes)
    clean["key_head"] = _checked_key_head(record.key_head, weights.shape[1], sizes)
    clean["tokens"] = as_tokens(record.tokens, weights.shape[-1])
    return clean


def without_repeats(mask):
    """The mask with length 1 along the leading axes where it repeats."""
    return mask[tuple(slice(0, 1) if step == 0 else slice(None) for step in mask.strides)]


def _check_labels(record):
    for name, kinds in (("model", str), ("positions", str), ("precision", (str, type(None)))):
        if not isinstance(getattr(record, name), kinds):
            raise TypeError(f"{name} is a {type(getattr(record, name)).__name__}; expected its name as a string")
    if record.folded not in (True, False, None):
        raise TypeError(f"folded is {record.folded!r}; expected True, False or None for unknown")


def _sizes(shape):
    """Length of each axis known so far, with the array that fixed it and that array's shape."""
    layers, heads, n, _ = shape
    known = {"layer": layers, "stage": layers + 1, "head": heads, "query": n, "key": n, "token": n}
    return {axis: (size, "weights", shape) for axis, size in known.items()}


def _checked(name, x, sizes):
    array = as_array(x, name, ndim=len(AXES[name]), minus_inf=name == "scores")
    if name == "scores" and np.isneginf(array).any():
        raise ValueError("scores hold −inf, but they are taken before the mask; pass the finite scores and mask=")
    for axis, size in zip(AXES[name], array.shape):
        expected, source, shape = sizes.setdefault(axis, (size, name, array.shape))
        if size != expected or size == 0:
            raise ValueError(
                f"{name} has shape {array.shape}; expected ({', '.join(AXES[name])}) with {axis} = {expected}, "
                f"because {source} has shape {shape}"
            )
    return _frozen(array, x)


def _frozen(array, x):
    """A read-only array: the caller's own where that is read-only already, else a copy."""
    if not (isinstance(x, np.ndarray) and not x.flags.writeable):
        array = np.array(array)
    array.flags.writeable = False
    return array


def _shared_mask(mask, shape):
    mask = as_mask(np.ones(shape[-2:], dtype=bool) if mask is None else mask, shape)
    return np.broadcast_to(without_repeats(mask).copy(), shape)


def _valid_rows(valid, mask):
    allowed = mask.any(-1)
    if valid is not None:
        array = np.asarray(valid)
        if array.dtype != bool:
            raise TypeError(f"valid has dtype {array.dtype}; expected booleans, True where a row holds a distribution")
        try:
            array = np.broadcast_to(array, allowed.shape)
        except ValueError:
            raise ValueError(f"valid has shape {array.shape}, which does not broadcast to {allowed.shape}") from None
        if (array & ~allowed).any():
            where = tuple(map(int, np.argwhere(array & ~allowed)[0]))
            raise ValueError(f"valid is True at index {where}, but the mask allows no key there")
        allowed = array.copy()
    allowed.flags.writeable = False
    return allowed


def _checked_weights(weights, x, *, mask, valid, precision):
    tolerance = STOCHASTIC_TOLERANCE.get(precision, 1e-2)
    if not valid.all():
        weights = np.where(valid[..., None], weights, 1 / weights.shape[-1])  # so that the check sees every index
    as_weights(weights, "weights", square=True, tolerance=tolerance)
    weights = _frozen(np.where(valid[..., None], weights, 0.0) if not valid.all() else weights, x)
    forbidden = ~mask & (weights > tolerance) if not mask.all() else np.False_
    if forbidden.any():
        where = tuple(map(int, np.argwhere(forbidden)[0]))
        raise ValueError(
            f"weights give {weights[where]:.4g} to a key the mask forbids, at index {where} (mask: True = may attend)"
        )
    return weights


def _checked_key_head(key_head, n_heads, sizes):
    n_key_heads, source, shape = sizes.get("key_head", (n_heads, "weights", None))
    if key_head is None:
        if n_key_heads != n_heads:
            raise ValueError(
                f"{source} has shape {shape} with {n_key_heads} key heads for {n_heads} heads; "
                "pass key_head, the key head that each head reads"
            )
        return tuple(range(n_heads))
    key_head = tuple(operator.index(i) for i in key_head)
    if len(key_head) != n_heads or min(key_head) < 0 or max(key_head) >= n_key_heads:
        raise ValueError(f"key_head is {key_head}; expected {n_heads} numbers from 0 to {n_key_heads - 1}")
    return key_head


#: How closely scores computed again must match the weights, of 1 + the largest score, by precision.
SCORE_TOLERANCE = {"float64": 1e-9, "float32": 1e-5, "float16": 1e-2, "bfloat16": 5e-2}


def matching_scores(queries, keys, weights, mask, *, precision, key_head=None):
    """Scores Q Kᵀ/√d_k of all heads if the weights are their softmax over the allowed keys, else None.

    log a_ij − s_ij has one value in each row, whatever it is; entries that the precision cannot tell from 0 are left
    out. So a model with other scores (a bias of positions, a cap, another scale) is found out, also where its weights
    are nearly uniform.
    """
    scores = queries @ (keys if key_head is None else keys[:, list(key_head)]).swapaxes(-1, -2)
    scores = scores / np.sqrt(queries.shape[-1])
    seen = mask & (weights > EPSILON.get(precision, 1e-2))
    gap = np.log(np.where(seen, weights, 1.0)) - scores
    gap -= np.take_along_axis(gap, weights.argmax(-1)[..., None], -1)
    error = np.abs(np.where(seen, gap, 0.0)).max()
    return scores if error <= SCORE_TOLERANCE.get(precision, 5e-2) * (1 + np.abs(scores).max()) else None
