"""Queries, keys and values as arrows in the plane, and everything attention makes of them."""

import numpy as np
import traitlets

from .. import attention as _attention
from .._inputs import as_mask, as_number
from .._text import visible
from . import still
from .base import GeometryWidget, infinity_from_json, infinity_to_json, script
from .checks import as_names, as_points


class QueryKeyPlane(GeometryWidget):
    """Drag queries, keys and values in the plane; scores, weights, mixture and graph follow.

    ``s_ij = q_i k_jᵀ / √2``, ``A = softmax(S / T)`` over the allowed keys, ``Y = A V``.

    Parameters
    ----------
    Q : array_like, shape (n_query, 2)
        Queries, at most 32.
    K : array_like, shape (n_key, 2)
        Keys, at most 32.
    V : array_like, shape (n_key, 2), optional
        Values. Without them the panel of the mixture is left out and `output` is None.
    tokens : sequence of str, optional
        One name for query i and key i alike (self-attention; needs n_query = n_key). The graph then has one node for
        each token, on a circle; without ``tokens`` it has queries on the left and keys on the right.
    query_tokens, key_tokens : sequence of str, optional
        Names of the two sides when they are different tokens.
    temperature : float in [0, ∞]
        0 is uniform on the largest scores, ``math.inf`` uniform on the allowed keys.
    scaled : bool
        Whether scores are divided by √d_k = √2.
    mask : None, "causal" or array_like of bool, shape (n_query, n_key)
        True where the query may attend.
    selected : int
        The query whose weights and mixture are shown, counted from 0.
    tasks : sequence, optional
        Short tasks shown under the picture, as plain text. Each is a string, or a pair ``(text, state)`` where
        ``state`` is a dict of the arguments above that a button then sets.

    Attributes
    ----------
    Q, K, V, temperature, scaled, mask, selected
        Where the vectors and controls stand now, after any drag; settable. The number of vectors is fixed.
    scores, weights, output : ndarray
        Computed from them by `attention_geometry.attention`. A row with no allowed key is zero in ``weights`` and
        NaN in ``output``; the picture says "masked".

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit, a number is not finite, or a setting is out of range.

    Examples
    --------
    >>> plane = QueryKeyPlane([[1, 0]], [[2, 0], [0, 2]], scaled=False)
    >>> plane
    QueryKeyPlane(n_query=1, n_key=2, values=False, temperature=1, scaled=False, mask=None, selected=0)
    >>> plane.weights.round(4)
    array([[0.8808, 0.1192]])
    """

    _esm = script("QueryKeyPlane")
    _moving = ("Q", "K", "V", "temperature", "scaled", "mask", "selected")
    _state = (
        "Q",
        "K",
        "V",
        "query_tokens",
        "key_tokens",
        "one_set",
        "temperature",
        "scaled",
        "mask",
        "selected",
        "tasks",
    )

    Q = traitlets.Any().tag(sync=True)  # Any: arrays are welcome, the validators below make lists of them
    K = traitlets.Any().tag(sync=True)
    V = traitlets.Any().tag(sync=True)
    query_tokens = traitlets.List(None, allow_none=True).tag(sync=True)
    key_tokens = traitlets.List(None, allow_none=True).tag(sync=True)
    one_set = traitlets.Bool(False).tag(sync=True)
    temperature = traitlets.Any(1.0).tag(sync=True, to_json=infinity_to_json, from_json=infinity_from_json)
    scaled = traitlets.Bool(True).tag(sync=True)
    mask = traitlets.Any().tag(sync=True)
    selected = traitlets.Any(0).tag(sync=True)
    tasks = traitlets.List().tag(sync=True)

    def __init__(
        self,
        Q,
        K,
        V=None,
        *,
        tokens=None,
        query_tokens=None,
        key_tokens=None,
        temperature=1.0,
        scaled=True,
        mask=None,
        selected=0,
        tasks=None,
    ):
        Q, K, V = as_points(Q, "Q"), as_points(K, "K"), None if V is None else as_points(V, "V")
        self._counts = {"Q": len(Q), "K": len(K), "V": len(K)}
        if tokens is not None:
            if query_tokens is not None or key_tokens is not None:
                raise ValueError(
                    "pass tokens= (one name for query i and key i), or query_tokens= and key_tokens=, not both"
                )
            if len(Q) != len(K):
                raise ValueError(
                    f"tokens= names query i and key i alike, but there are {len(Q)} queries and {len(K)} keys"
                )
            query_tokens = key_tokens = tokens
        super().__init__(
            Q=Q,
            K=K,
            V=V,
            query_tokens=as_names(query_tokens, len(Q), "query_tokens"),
            key_tokens=as_names(key_tokens, len(K), "key_tokens"),
            one_set=tokens is not None,
            temperature=temperature,
            scaled=scaled,
            mask=mask,
            selected=selected,
            tasks=self._tasks(tasks),
        )

    @property
    def allowed(self):
        """Boolean array (n_query, n_key), True where the query may attend."""
        if self.mask == "causal":
            return _attention.causal_mask(len(self.Q))
        return as_mask(self.mask, (len(self.Q), len(self.K)))

    @property
    def scores(self):
        """Scores before the mask, (n_query, n_key), from products rounded to 12 decimals: a tie by hand is a tie."""
        products = _attention.attention(self.Q, self.K, self.K, scale=1.0).scores
        return np.round(products, 12) * (2**-0.5 if self.scaled else 1.0)

    @property
    def weights(self):
        """Weights at the present temperature and mask, (n_query, n_key); zeros in a fully masked row."""
        return _attention.softmax(self.scores, mask=self.allowed, temperature=self.temperature, empty_rows="zero")

    @property
    def output(self):
        """Mixtures of the values, (n_query, 2), NaN in a fully masked row; None without values."""
        if self.V is None:
            return None
        return np.where(self.allowed.any(axis=1)[:, None], self.weights @ np.array(self.V), np.nan)

    def still(self):
        weights = [list(row) if any(ok) else None for row, ok in zip(self.weights, self.allowed)]
        query_names, key_names = self._labels("q", self.query_tokens), self._labels("k", self.key_tokens)
        pictures = [still.query_key_plane(self.Q, self.K, query_names, key_names, self.selected)]
        if self.V is not None:
            row = weights[self.selected]
            pictures.append(still.value_plane(self.V, row, self.output[self.selected], self.selected))
        pictures.append(still.graph(weights, query_names, key_names, self.selected, one_set=self.one_set))
        return "".join(pictures) + still.weight_table(weights, self.allowed, query_names, key_names, self.selected)

    def __repr__(self):
        mask = self.mask if self.mask is None or isinstance(self.mask, str) else "custom"
        return (
            f"QueryKeyPlane(n_query={len(self.Q)}, n_key={len(self.K)}, values={self.V is not None}, "
            f"temperature={self.temperature:g}, scaled={self.scaled}, mask={mask!r}, selected={self.selected})"
        )

    def _labels(self, letter, tokens):
        count = len(self.Q) if letter == "q" else len(self.K)
        signs = [f"{letter}{still.subscript(i + 1)}" for i in range(count)]
        return signs if tokens is None else [visible(token) for token in tokens]

    @traitlets.validate(*_moving)
    def _check(self, proposal):
        return getattr(self, f"_check_{proposal['trait'].name}")(proposal["value"])

    def _check_Q(self, value):
        return as_points(value, "Q", count=self._counts["Q"])

    def _check_K(self, value):
        return as_points(value, "K", count=self._counts["K"])

    def _check_V(self, value):
        return None if value is None else as_points(value, "V", count=self._counts["V"])

    def _check_scaled(self, value):
        return bool(value)

    def _check_temperature(self, value):
        return float(as_number(value, "temperature", low=0, infinite=True))

    def _check_mask(self, value):
        shape = (self._counts["Q"], self._counts["K"])
        if isinstance(value, str):
            if value != "causal":
                raise ValueError(f"mask is {value!r}; expected None, 'causal', or booleans (True = may attend)")
            if shape[0] != shape[1]:
                raise ValueError(
                    f"a causal mask needs as many keys as queries, got {shape[0]} queries and {shape[1]} keys"
                )
            return value
        allowed = as_mask(value, shape)
        return None if allowed.all() else allowed.tolist()

    def _check_selected(self, value):
        return int(as_number(value, "selected", integer=True, low=0, high=self._counts["Q"] - 1))
