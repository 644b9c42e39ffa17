"""What a model hands over for one text: every head's scores, weights, vectors and matrices, checked and read-only.

A record guesses nothing. What is not known is None; which key head a query head reads stands in ``key_head``; a row
with no distribution is a zero row whose ``valid`` is False.
"""

import dataclasses
import json
import operator
import warnings

import numpy as np

from .._inputs import as_array, require
from .._text import Report, visible
from ._checks import AXES, checked_fields, without_repeats

#: A record whose scores and weights take more than this many megabytes says so.
LARGE_MB = 256
_FORMAT = "attention-geometry record 1"
_TEXTS = ("folded", "key_head", "tokens", "model", "positions", "precision")


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class AttentionRecord(Report):
    r"""One text seen by every head of a model.

    Per head, with :math:`X` the inputs, :math:`Q = XW_Q + b_Q`, :math:`K = XW_K + b_K`, :math:`V = XW_V + b_V`,
    :math:`S = QK^{\top}/\sqrt{d_k}`, :math:`A = \operatorname{softmax}(S)` over the allowed keys. (A rotary model
    turns Q and K afterwards; ``queries`` and ``keys`` are the turned ones.)

    Parameters
    ----------
    scores : array_like (layer, head, query, key), optional
        Scaled by :math:`1/\sqrt{d_k}`, before the mask. None if unknown.
    mask : array_like of bool, optional
        True where the query may attend; broadcast to (layer, head, query, key). None allows every key.
    valid : array_like of bool, optional
        Which rows hold a distribution; broadcast to (layer, head, query). By default the rows with an allowed key.
        Say False for padding. Rows that are not valid are stored as zeros.
    weights : array_like (layer, head, query, key)
        Attention weights, stochastic on every valid row and zero on forbidden keys.
    inputs : array_like (layer, token, width), optional
        What the projections read, after normalisation.
    hidden : array_like (layer + 1, token, width), optional
        The residual stream: before the first layer, then after each.
    queries, keys, values : array_like (layer, head or key head, token, d_k or d_v), optional
        After rotary positions, where the model has them.
    W_Q, W_K, W_V, W_O, b_Q, b_K, b_V : array_like, optional
        One matrix (width, d_k) or (width, d_v) per head, rows in, columns out; W_O is (d_v, width).
    folded : bool, optional
        Whether gain, shift and centring of the normalisation before the projections are inside the matrices and
        biases, see `fold`. ``inputs`` are then the normalised vectors without gain. None if unknown.
    key_head : sequence of int, optional
        Which key head each query head reads. Needed when there are fewer key heads than heads.
    tokens : sequence of str, optional
        One text per token; ids become text. A token's identity is its position.
    model, positions : str
        Which model; how it knows where a token stands.
    precision : str, optional
        Floating type the numbers were computed in. It sets how far a row of weights may be from summing to one;
        by default that of ``weights``.

    Raises
    ------
    ValueError
        If two shapes disagree, a valid row is no distribution, or a forbidden key has weight.

    Warns
    -----
    UserWarning
        If scores and weights together take more than `LARGE_MB` megabytes.

    Notes
    -----
    Arrays are float64 and read-only. An array that is read-only already is shared, any other is copied, so records
    of many texts can hold one copy of the model's matrices.

    Examples
    --------
    >>> record = AttentionRecord(weights=[[[[0.5, 0.5], [0.2, 0.8]]]], tokens=["a", "b"], model="by hand")
    >>> record.n_layers, record.n_heads, record.n_tokens
    (1, 1, 2)
    >>> print(record.head(0, 0).weights[1])
    [0.2 0.8]
    """

    scores: np.ndarray | None = None
    mask: np.ndarray | None = None
    valid: np.ndarray | None = None
    weights: np.ndarray
    inputs: np.ndarray | None = None
    hidden: np.ndarray | None = None
    queries: np.ndarray | None = None
    keys: np.ndarray | None = None
    values: np.ndarray | None = None
    W_Q: np.ndarray | None = None
    W_K: np.ndarray | None = None
    W_V: np.ndarray | None = None
    W_O: np.ndarray | None = None
    b_Q: np.ndarray | None = None
    b_K: np.ndarray | None = None
    b_V: np.ndarray | None = None
    folded: bool | None = None
    key_head: tuple | None = None
    tokens: tuple | None = None
    model: str = "unknown"
    positions: str = "unknown"
    precision: str | None = None

    def __post_init__(self):
        for name, value in checked_fields(self).items():
            object.__setattr__(self, name, value)
        warn_if_large(self.n_layers, self.n_heads, self.n_tokens)

    @property
    def n_layers(self):
        """Number of layers."""
        return self.weights.shape[0]

    @property
    def n_heads(self):
        """Number of (query) heads in a layer."""
        return self.weights.shape[1]

    @property
    def n_tokens(self):
        """Number of tokens."""
        return self.weights.shape[2]

    def head(self, layer, head):
        """The view of one head: its matrices under the letters of the book.

        Parameters
        ----------
        layer, head : int
            Counted from 0; negative numbers count from the end.

        Returns
        -------
        Head
        """
        layer, head = _index(layer, self.n_layers, "layer"), _index(head, self.n_heads, "head")
        parts = {name: getattr(self, name) for name in AXES} | {"mask": self.mask, "valid": self.valid}
        of = {"head": head, "key_head": self.key_head[head]}
        view = {}
        for name, array in parts.items():
            second = AXES.get(name, AXES["weights"])[1]
            view[name] = None if array is None else array[layer, of[second]] if second in of else array[layer]
        letters = {"inputs": "X", "queries": "Q", "keys": "K", "values": "V"}
        view.pop("hidden")
        common = {name: getattr(self, name) for name in ("tokens", "folded", "model", "positions", "precision")}
        return Head(layer=layer, head=head, **{letters.get(k, k): v for k, v in view.items()}, **common)

    def form_factors(self):
        """The two factors of every head's form B = W_Q W_Kᵀ, grouped key heads repeated for their query heads.

        Returns
        -------
        W_Q, W_K : ndarray (layer, head, width, d_k)
        """
        if self.W_Q is None or self.W_K is None:
            raise ValueError("this record carries no W_Q and W_K; make it with a model whose matrices are at hand")
        return self.W_Q, self.W_K if self.key_head == tuple(range(self.n_heads)) else self.W_K[:, list(self.key_head)]

    def to_xarray(self):
        """The arrays as an ``xarray.Dataset`` with named axes, sharing memory (extra ``xarray``).

        Tokens are labelled by position; their text stands in the coordinates ``query_text``, ``key_text`` and
        ``token_text``, because a text may hold the same token twice.
        """
        xarray = require("xarray", "xarray")
        axes = AXES | {"mask": AXES["weights"], "valid": AXES["weights"][:3]}
        data = {name: (axes[name], getattr(self, name)) for name in axes if getattr(self, name) is not None}
        sizes = {axis: n for dims, array in data.values() for axis, n in zip(dims, array.shape)}
        coords = {axis: np.arange(n) for axis, n in sizes.items() if axis not in ("width", "d_k", "d_v")}
        texts = np.array(self.tokens, dtype=object)
        coords |= {f"{a}_text": (a, texts) for a in ("query", "key", "token") if a in sizes}
        attrs = {name: getattr(self, name) for name in ("model", "positions", "precision", "folded", "key_head")}
        return xarray.Dataset(data, coords, attrs)

    def save(self, path):
        """Write the record to ``path`` as .npz, without loss and without pickle.

        Arrays whose numbers all fit float32 are stored so, at half the size.
        """
        arrays = {name: _narrow(getattr(self, name)) for name in AXES if getattr(self, name) is not None}
        arrays |= {"mask": without_repeats(self.mask), "valid": self.valid}
        text = json.dumps({"format": _FORMAT} | {name: getattr(self, name) for name in _TEXTS})
        with open(path, "wb") as file:
            np.savez_compressed(file, text=np.frombuffer(text.encode("ascii"), dtype=np.uint8), **arrays)

    @classmethod
    def load(cls, path):
        """Read a record that `save` wrote; it is checked again like any other."""
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        text = json.loads(arrays.pop("text").tobytes()) if "text" in arrays else {}
        if text.pop("format", None) != _FORMAT or set(text) != set(_TEXTS) or set(arrays) - {*AXES, "mask", "valid"}:
            raise ValueError(f"{path} is not a saved AttentionRecord ({_FORMAT})")
        return cls(**{name: array if array.dtype == bool else _wide(array) for name, array in arrays.items()}, **text)

    def __setstate__(self, state):
        for value in state.values():  # a copy that crossed a process boundary is read-only again
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        self.__dict__.update(state)

    def _rows(self):
        carried = [name for name in AXES if name != "weights" and getattr(self, name) is not None]
        left_out = int((~self.valid).sum())
        return [
            ("model", visible(self.model, 60)),
            ("tokens", _line(self.tokens)),
            ("heads", f"{self.n_layers} × {self.n_heads} (layers × heads)"),
            ("carries", ", ".join(["weights", *carried])),
            ("rows", f"{left_out} of {self.valid.size} not valid" if left_out else "all valid"),
            ("folded", {True: "yes", False: "no", None: "unknown"}[self.folded]),
            ("positions", visible(self.positions, 60)),
            ("precision", visible(self.precision, 60)),
        ]


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Head(Report):
    """One head of a record, under the letters of the book; what the record does not carry is None.

    ``X`` (token, width) are the inputs; ``Q``, ``K`` (token, d_k) and ``V`` (token, d_v) the projected vectors;
    ``scores``, ``weights``, ``mask`` are (query, key), ``valid`` is (query,); ``W_Q``, ``W_K`` (width, d_k),
    ``W_V`` (width, d_v), ``W_O`` (d_v, width) are the matrices and ``b_Q``, ``b_K``, ``b_V`` the biases.
    """

    layer: int
    head: int
    tokens: tuple
    weights: np.ndarray
    scores: np.ndarray | None = None
    mask: np.ndarray | None = None
    valid: np.ndarray | None = None
    X: np.ndarray | None = None
    Q: np.ndarray | None = None
    K: np.ndarray | None = None
    V: np.ndarray | None = None
    W_Q: np.ndarray | None = None
    W_K: np.ndarray | None = None
    W_V: np.ndarray | None = None
    W_O: np.ndarray | None = None
    b_Q: np.ndarray | None = None
    b_K: np.ndarray | None = None
    b_V: np.ndarray | None = None
    folded: bool | None = None
    model: str = "unknown"
    positions: str = "unknown"
    precision: str = "float64"

    def _rows(self):
        arrays = [(f.name, getattr(self, f.name)) for f in dataclasses.fields(self)]
        return [
            ("head", f"layer {self.layer}, head {self.head} of {visible(self.model, 60)}"),
            ("tokens", _line(self.tokens)),
            *((name, " × ".join(map(str, a.shape))) for name, a in arrays if isinstance(a, np.ndarray)),
            ("folded", {True: "yes", False: "no", None: "unknown"}[self.folded]),
        ]


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class HeadWeights(Report):
    """The matrices and biases of every head, rows in and columns out, float64 and read-only.

    ``W_Q`` is (layer, head, width, d_k), ``W_K`` and ``W_V`` are (layer, key head, width, d_k), ``W_O`` is (layer,
    head, d_v, width), the biases ``b_Q``, ``b_K``, ``b_V`` are (layer, head or key head, d_k), or None where the model
    has none. ``folded`` says whether the normalisation is inside them; ``key_head`` is the key head a head reads.
    """

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray
    b_Q: np.ndarray | None = None
    b_K: np.ndarray | None = None
    b_V: np.ndarray | None = None
    folded: bool
    key_head: tuple | None = None

    def parts(self):
        """The fields by name, as a record takes them."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}

    def form_factors(self):
        """The two factors of every head's form B = W_Q W_Kᵀ, grouped key heads repeated for their query heads.

        Returns
        -------
        W_Q, W_K : ndarray (layer, head, width, d_k)
        """
        return self.W_Q, self.W_K if self.key_head is None else self.W_K[:, list(self.key_head)]


def fold(W, gain, *, b=None, shift=None, centre=True):
    r"""Move a normalisation's gain, shift and centring into the projection that reads it.

    LayerNorm hands over :math:`x = z\operatorname{diag}(\gamma) + \beta` with :math:`z\mathbf 1^{\top} = 0`, so
    :math:`xW + b = zW' + b'` with :math:`W' = C\operatorname{diag}(\gamma)W`, :math:`b' = b + \beta W` and
    :math:`C = I - \tfrac1d\mathbf 1^{\top}\mathbf 1`.

    Parameters
    ----------
    W : array_like (…, d, m)
        Projection, rows in.
    gain : array_like (…, d)
        The normalisation's gain γ; leading axes broadcast against those of ``W``.
    b : array_like (…, m), optional
        Bias of the projection; None means zeros.
    shift : array_like (…, d), optional
        The normalisation's shift β; None means zeros.
    centre : bool
        Whether the normalisation centres (LayerNorm does, RMSNorm does not).

    Returns
    -------
    W, b : ndarray (…, d, m) and (…, m)

    Notes
    -----
    Scores, weights and mixtures are unchanged. The form B becomes C diag(γ) B diag(γ) C, which no longer sees the
    direction that LayerNorm removes; its symmetric share, singular values and eigenvalues differ from those of B, so
    say which of the two a weight-space measure was read off. Folding the gain alone would not do: without the
    centring, parts of B that no token can reach would be measured.

    Examples
    --------
    >>> W, b = fold([[1.0], [0.0]], [2.0, 1.0], shift=[3.0, 0.0])
    >>> W.tolist(), b.tolist()
    ([[1.0], [-1.0]], [3.0])
    """
    W = as_array(W, "W", min_ndim=2)
    gain = as_array(gain, "gain", min_ndim=1)
    b = np.zeros(W.shape[-1]) if b is None else as_array(b, "b", min_ndim=1)
    shift = np.zeros(W.shape[-2]) if shift is None else as_array(shift, "shift", min_ndim=1)
    for name, array, size in (("gain", gain, W.shape[-2]), ("shift", shift, W.shape[-2]), ("b", b, W.shape[-1])):
        if array.shape[-1] != size:
            raise ValueError(f"{name} has shape {array.shape} but W has shape {W.shape}; expected (…, {size})")
    scaled = gain[..., :, None] * W
    return (
        scaled - scaled.mean(axis=-2, keepdims=True) if centre else scaled,
        b + np.squeeze(shift[..., None, :] @ W, axis=-2),
    )


def warn_if_large(n_layers, n_heads, n_tokens):
    """Warn with an estimate in megabytes if scores and weights of such a record take more than `LARGE_MB`."""
    megabytes = 2 * 8 * n_layers * n_heads * n_tokens**2 / 1e6
    if megabytes > LARGE_MB:
        warnings.warn(
            f"{n_layers} × {n_heads} heads on {n_tokens} tokens: scores and weights take about {megabytes:.0f} MB. "
            "Use a shorter text, or keep the heads you need",
            UserWarning,
            stacklevel=2,
        )


def _line(tokens):
    return f"{len(tokens)}: {visible(' '.join(token[:60] for token in tokens[:60]), 60)}"


def _index(i, n, name):
    i = operator.index(i)
    if not -n <= i < n:
        raise IndexError(f"{name} {i} is outside 0 … {n - 1}")
    return i % n


def _narrow(array):
    with np.errstate(over="ignore"):
        narrow = array.astype(np.float32)
    return narrow if (narrow == array).all() else array


def _wide(array):
    array = array.astype(np.float64)
    array.flags.writeable = False  # so that the record shares it
    return array
