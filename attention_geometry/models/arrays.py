"""Records from numbers that were computed elsewhere: arrays, lists, files, what a model returned, activation caches.

What is handed over here was not computed here, so it is checked before it is believed: is it attention at all, one
text, without padding, causal if it should be, with as many tokens as rows?
"""

import collections.abc
import dataclasses
import json
import pathlib
import re
import zipfile

import numpy as np

from .._inputs import STOCHASTIC_TOLERANCE, as_array, as_mask, as_number, as_square, require
from .._inputs import precision as precision_of
from .._text import as_tokens
from ..attention import causal_mask, softmax
from ._checks import AXES, matching_scores
from .record import AttentionRecord

_EAGER = "load the model with attn_implementation='eager' and call it with output_attentions=True"
_STEPS = (
    "weights holds one tuple for each step of a generation: the first is the prompt (square), the others are one row "
    "each. Pass the first one, weights[0], or run the model once on the whole text"
)


def record(
    weights=None, *, scores=None, tokens=None, mask=None, attention_mask=None, causal=None, batch=None,
    empty_rows="raise", precision=None, **fields,
):  # fmt: skip
    r"""Make a record of one text from arrays.

    Parameters
    ----------
    weights : array_like or sequence of array_like, optional
        (layer, head, query, key), or a sequence with one array for each layer, as models return them. Two axes are one
        head, three are the heads of one layer. If None they are computed: :math:`\operatorname{softmax}(S)` of
        ``scores``, or of the scores of ``queries`` and ``keys``.
    scores : array_like or sequence of array_like, optional
        Of the same form; scaled, before the mask.
    tokens : sequence of str or int, optional
        One for each row, padding included.
    mask, precision
        As in `AttentionRecord`.
    attention_mask : array_like (token,) or (text, token), optional
        1 for a token, 0 for padding, on either side. Padding is removed from every array.
    causal : bool, optional
        True: refuse weights on later tokens. None: causal if no weight at all lies above the diagonal.
    batch : int, optional
        Which text, where arrays hold several (an axis after the layers). Needed as soon as there is more than one.
    empty_rows : {"raise", "zero"}
        What to do with a row that is all NaN or all 0, a query without a key: name the first one, or keep it as a
        zero row that is not ``valid``.
    **fields
        The other fields of `AttentionRecord`.

    Returns
    -------
    AttentionRecord

    Raises
    ------
    TypeError
        If weights are no attention weights: None, an empty tuple, logits, a loss, a model.
    ValueError
        If there are several texts and no ``batch``, steps of a generation, rows that are no distribution, weights on
        padding or on later tokens, or a number of tokens other than of rows.

    Notes
    -----
    Whether ``scores`` belong to ``weights`` is not checked. Half precision becomes float64 before anything is computed,
    so queries and keys whose products overflow in float16 give finite rows.

    Examples
    --------
    >>> padded = [[1, 0, 0], [0.25, 0.75, 0], [0, 0, 1]]
    >>> one_head = record(padded, tokens=["a", "dog", "[PAD]"], attention_mask=[1, 1, 0])
    >>> one_head.tokens, one_head.weights[0, 0].tolist()
    (('a', 'dog'), [[1.0, 0.0], [0.25, 0.75]])
    >>> record([[0.4, 0.6], [0.5, 0.5]], causal=True)
    Traceback (most recent call last):
    ...
    ValueError: weights are not causal: 0.6 of row 0 (layer 0, head 0) goes to later tokens; is the mask lost?
    """
    given = {"weights": weights, "scores": scores} | {name: fields.pop(name) for name in AXES if name in fields}
    given = {name: x for name, x in given.items() if x is not None}
    if not {"weights", "scores"} & set(given) and not {"queries", "keys"} <= set(given):
        raise TypeError(f"weights is None; {_EAGER}, or pass scores, or queries and keys")
    source = next(name for name in ("weights", "scores", "queries") if name in given)
    arrays = {name: _one_text(_stacked(x, name), name, batch) for name, x in given.items()}
    shape = (*arrays[source].shape[:3], arrays[source].shape[2])
    precision = precision or _precision(given[source])
    keep = _kept(attention_mask, batch, shape[-1])
    tolerance = STOCHASTIC_TOLERANCE.get(precision, 1e-2)
    if source == "weights":
        _check_no_padding_is_read(arrays[source], keep, tolerance)
    arrays = {name: _without_padding(array, AXES[name], keep) for name, array in arrays.items()}
    mask = None if mask is None else as_mask(mask, shape)[..., keep, :][..., keep]
    if source != "weights":
        arrays |= _computed(arrays, mask, causal, fields.get("key_head"), empty_rows)
    mask = _checked_mask(mask, arrays["weights"], causal, tolerance)
    tokens = None if tokens is None else [t for t, kept in zip(as_tokens(tokens, shape[-1]), keep) if kept]
    empty = _empty_rows(arrays["weights"], empty_rows)
    return AttentionRecord(**arrays, **fields, mask=mask & ~empty[..., None], tokens=tokens, precision=precision)


def load(path, *, names=None, **options):
    """Make a record of one text from a file of arrays, ``.npz`` or ``.safetensors``.

    Parameters
    ----------
    path : path-like
    names : dict of str to str, optional
        Which array of the file is which field, as in ``{"weights": "attn"}``; only these are read. By default the
        arrays bear the names of the fields: weights, scores, tokens, mask, attention_mask, queries, …
    **options
        Further arguments of `record`; they win over what the file holds.

    Returns
    -------
    AttentionRecord

    Raises
    ------
    ValueError
        If the file is not whole, of another kind, or holds a name that is no field.

    Notes
    -----
    Nothing in the file is run: ``.npz`` is read without pickle. Tokens in ``.safetensors`` stand in its metadata under
    "tokens", as a JSON list. A file that `AttentionRecord.save` wrote is read too.
    """
    stored = _read(path)
    if names is None and "text" in stored:
        return AttentionRecord.load(path)
    if names is None:
        names = {name: name for name in stored}
    missing = sorted(set(names.values()) - set(stored))
    unknown = sorted(set(names) - set(AttentionRecord.__dataclass_fields__) - {"attention_mask"})
    if missing or unknown:
        what = f"no array {missing[0]!r}" if missing else f"{unknown[0]!r}, which is no field of a record"
        raise ValueError(f"{path} holds {what}; it holds {', '.join(sorted(stored))}. Say which is which with names=")
    return record(**{field: stored[name] for field, name in names.items()} | options)


def from_cache(cache, *, tokens=None, batch=None, attention_mask=None, causal=None, **fields):
    """Make a record of one text from an activation cache with TransformerLens's names.

    Parameters
    ----------
    cache : mapping of str to array_like
        With ``blocks.{l}.attn.hook_pattern`` of every layer; ``hook_q``, ``hook_k``, ``hook_v`` (or ``hook_rot_q``,
        ``hook_rot_k``) and ``hook_resid_pre``, ``hook_resid_post`` are used where they are there.
    tokens, batch, attention_mask, causal
        As in `record`.
    **fields
        Further fields of the record, as in ``model="gpt2-small"``.

    Returns
    -------
    AttentionRecord

    Raises
    ------
    TypeError
        If ``cache`` is no mapping.
    ValueError
        If it holds no pattern, or not that of every layer.

    Notes
    -----
    ``hook_attn_scores`` is not read: it is taken after the mask. Scores, queries and keys are carried only if the
    pattern is the softmax of their products over √d_k, see `AttentionRecord`.
    """
    if not (hasattr(cache, "keys") and hasattr(cache, "__getitem__")):
        raise TypeError(f"cache is of type {type(cache).__name__}; expected a mapping from names of hooks to arrays")
    found = [re.fullmatch(r"blocks\.(\d+)\.attn\.hook_pattern", str(name)) for name in cache.keys()]
    layers = sorted(int(match[1]) for match in found if match)
    if not layers or layers != list(range(len(layers))):
        raise ValueError(
            f"cache holds attn.hook_pattern of the layers {layers}; expected every layer, from 0 on without a gap"
        )
    parts = {"weights": [cache[f"blocks.{l}.attn.hook_pattern"] for l in layers]}
    for field, hooks in (
        ("queries", ("hook_rot_q", "hook_q")),
        ("keys", ("hook_rot_k", "hook_k")),
        ("values", ("hook_v",)),
    ):
        heads = next(filter(None, (_hooked(cache, f"attn.{hook}", layers) for hook in hooks)), None)
        parts[field] = heads and [np.swapaxes(as_array(one, field, min_ndim=3), -2, -3) for one in heads]
    before, after = (_hooked(cache, hook, layers) for hook in ("hook_resid_pre", "hook_resid_post"))
    parts["hidden"] = [*before, after[-1]] if before and after else None
    plain = record(**parts, tokens=tokens, batch=batch, attention_mask=attention_mask, causal=causal, **fields)
    return with_matching_scores(plain)


def with_matching_scores(record):
    """The record with the scores of its queries and keys, or without these two if they do not explain its weights."""
    scores = None
    if record.queries is not None and record.keys is not None:
        vectors = {"precision": record.precision, "key_head": record.key_head}
        scores = matching_scores(record.queries, record.keys, record.weights, record.mask, **vectors)
    if scores is None:
        return dataclasses.replace(record, queries=None, keys=None)
    return dataclasses.replace(record, scores=scores)


def _hooked(cache, hook, layers):
    names = [f"blocks.{l}.{hook}" for l in layers]
    return [cache[name] for name in names] if set(names) <= set(cache.keys()) else None


def _stacked(x, name):
    """One array with the layers in front, whatever the layers came in."""
    if hasattr(x, "attentions") or isinstance(x, collections.abc.Mapping):
        raise TypeError(f"{name} is a {type(x).__name__}; pass the arrays in it, as in outputs.attentions")
    if isinstance(x, (list, tuple)):
        if not x or any(layer is None for layer in x):
            raise TypeError(f"{name} holds {'a None' if x else 'no layer'}; {_EAGER}")
        layers = [as_array(layer, f"{name}[{l}]", nan_policy="propagate") for l, layer in enumerate(x)]
        if layers[0].ndim > len(AXES[name]):
            raise ValueError(_STEPS)
        if len({layer.shape for layer in layers}) > 1:
            shapes = " and ".join(str(shape) for shape in dict.fromkeys(layer.shape for layer in layers))
            raise ValueError(f"{name} is not a rectangular array: its layers have the shapes {shapes}")
        x = np.stack(layers)
    array = as_array(x, name, nan_policy="propagate")
    if AXES[name] == AXES["weights"]:
        _check_is_attention(array, name)
        as_square(array, name, nan_policy="propagate")
        array = array.reshape((1,) * (4 - array.ndim) + array.shape)
    return array


def _check_is_attention(array, name):
    if array.ndim < 2:
        what = f"has shape {array.shape}" if array.ndim else "is one number, a loss"
        raise TypeError(f"{name} {what}; expected (layer, head, query, key). {_EAGER[0].upper()}{_EAGER[1:]}")
    if name == "weights" and array.ndim == 3 and array.shape[0] == 1 and array.shape[1] != array.shape[2]:
        raise TypeError(f"weights has shape {array.shape}, no attention weights (logits?); expected outputs.attentions")


def _one_text(array, name, batch):
    """Drop the axis of the texts, the second one, where there is one more axis than a record has."""
    axes = AXES[name]
    if array.ndim == len(axes):
        return array
    if array.ndim != len(axes) + 1 or name.startswith(("W_", "b_")):
        raise ValueError(f"{name} has shape {array.shape}; expected ({', '.join(axes)})")
    if batch is None and array.shape[1] != 1:
        raise ValueError(f"{name} has shape {array.shape} with {array.shape[1]} texts; say which with batch=")
    return array[:, 0 if batch is None else as_number(batch, "batch", integer=True, low=0, high=array.shape[1] - 1)]


def _precision(x):
    while isinstance(x, (list, tuple)):
        x = x[0]
    return precision_of(x)


def _kept(attention_mask, batch, n):
    """Which tokens are no padding."""
    if attention_mask is None:
        return np.ones(n, dtype=bool)
    marks = np.asarray(attention_mask.tolist() if hasattr(attention_mask, "tolist") else attention_mask)
    if marks.ndim == 2:
        marks = marks[0 if batch is None and len(marks) == 1 else as_number(batch, "batch", integer=True, low=0)]
    if marks.shape != (n,) or not np.isin(marks, (0, 1)).all():
        raise ValueError(f"attention_mask has shape {marks.shape}; expected a 1 (token) or 0 (padding) for each of {n}")
    if not marks.any():
        raise ValueError("attention_mask is 0 throughout; expected at least one token")
    return marks.astype(bool)


def _without_padding(array, axes, keep):
    for position, axis in enumerate(axes):
        if axis in ("query", "key", "token") and array.ndim == len(axes) and array.shape[position] == len(keep):
            array = array.compress(keep, axis=position)
    return array


def _check_no_padding_is_read(weights, keep, tolerance):
    lost = np.where(keep, weights[..., ~keep].sum(-1), 0.0)
    if (lost > tolerance).any():
        *head, i = np.unravel_index(np.nanargmax(lost), lost.shape)
        raise ValueError(
            f"padding gets {lost[*head, i]:.3g} of row {i} {_named(head)}; is attention_mask that of this text?"
        )


def _computed(arrays, mask, causal, key_head, empty_rows):
    """Scores from queries and keys where there are none, and their softmax over the allowed keys."""
    scores = arrays.get("scores")
    if scores is None:
        keys = arrays["keys"] if key_head is None else arrays["keys"][:, list(key_head)]
        scores = arrays["queries"] @ keys.swapaxes(-1, -2) / np.sqrt(arrays["queries"].shape[-1])
    allowed = causal_mask(scores.shape[-1]) if causal else True
    allowed = np.broadcast_to(allowed if mask is None else mask & allowed, scores.shape)
    return {"scores": scores, "weights": softmax(scores, mask=allowed, empty_rows=empty_rows)}


def _checked_mask(mask, weights, causal, tolerance):
    """The mask that was given, or the one that ``causal`` says or the weights show."""
    n = weights.shape[-1]
    later = np.triu(np.nan_to_num(weights), 1).sum(-1)
    if causal and later.max() > tolerance:
        *head, i = np.unravel_index(later.argmax(), later.shape)
        raise ValueError(
            f"weights are not causal: {later[*head, i]:.3g} of row {i} {_named(head)} goes to later tokens; "
            "is the mask lost?"
        )
    if causal or (causal is None and mask is None and n > 1 and not later.any()):
        mask = causal_mask(n) if mask is None else mask & causal_mask(n)
    return np.ones(weights.shape, dtype=bool) if mask is None else np.broadcast_to(mask, weights.shape)


def _empty_rows(weights, empty_rows):
    """Where a row holds no distribution at all."""
    if empty_rows not in ("raise", "zero"):
        raise ValueError(f"empty_rows must be 'raise' or 'zero', got {empty_rows!r}")
    empty = (np.isnan(weights) | (weights == 0)).all(-1)
    if empty.any() and empty_rows == "raise":
        *head, i = np.argwhere(empty)[0]
        raise ValueError(
            f"weights: row {i} {_named(head)} is NaN or 0 throughout, a query without a key or an overflow in half "
            "precision; keep such rows as not valid with empty_rows='zero', or compute in float32"
        )
    return empty


def _named(head):
    return f"(layer {head[0]}, head {head[1]})" if len(head) == 2 else f"at index {tuple(map(int, head))}"


def _read(path):
    """All arrays of a file by name."""
    path = pathlib.Path(path)
    if path.suffix == ".safetensors":
        return _read_safetensors(path)
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
            return dict(stored)
    except (zipfile.BadZipFile, EOFError, AttributeError, TypeError) as error:
        raise ValueError(f"{path} is no whole .npz or .safetensors file ({error})") from error


def _read_safetensors(path, framework="numpy"):
    safetensors = require("safetensors", "models")
    try:
        with safetensors.safe_open(path, framework) as file:
            tokens = (file.metadata() or {}).get("tokens")
            stored = {name: file.get_tensor(name) for name in file.keys()}
    except (TypeError, AttributeError):  # bfloat16, which NumPy does not have; AttributeError: older releases
        require("torch", "torch")
        return _read_safetensors(path, "pt")
    except safetensors.SafetensorError as error:
        raise ValueError(f"{path} is no whole .safetensors file ({error})") from error
    return stored | ({} if tokens is None else {"tokens": json.loads(tokens)})
