"""Queries, keys and values as arrows in the plane, and everything attention makes of them."""

import numpy as np
import traitlets

from .. import attention as _attention
from .. import bilinear, relation
from .._inputs import as_mask, as_number
from .._text import visible
from . import _comparison, still
from .base import GeometryWidget, infinity_from_json, infinity_to_json, script
from .checks import as_names, as_points

EXPERIMENTS = (None, "compare", "width", "basis")


class QueryKeyPlane(GeometryWidget):
    """Drag queries, keys and values in the plane; scores, weights, mixture and graph follow.

    ``s_ij = q_i k_jᵀ / √2``, ``A = softmax(S / T)`` over the allowed keys, ``Y = A V``.

    Parameters
    ----------
    Q : array_like, shape (n_query, 2)
        Queries, at most 32. None where they come from tokens.
    K : array_like, shape (n_key, 2)
        Keys, at most 32. None where they come from tokens.
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
    X : array_like, shape (n, 2), optional
        Tokens, in place of ``Q`` and ``K``: the reader drags these, and ``q = x W_Q``, ``k = x W_K``.
    W_Q, W_K : array_like, shape (2, 2), optional
        The two matrices; the identity unless given. The page lets the reader edit them, tie them, and turn the form
        ``B = W_Q W_Kᵀ`` from symmetric to antisymmetric.
    tied : bool
        Whether keys use W_Q too.
    mode : {"dot", "cosine", "distance"}
        What a score is made of: ``q·k``, ``cos(q, k)`` or ``−‖q − k‖² / 2``. Other modes than the first stand in the
        experiment "compare".
    lift : float in [0, 1]
        In the mode "distance": how much of the coordinate √(R² − ‖k‖²) the keys are given, R the longest key. At 1 all
        keys have one length and the weights are those of the dot product (`attention_geometry.bilinear.lift`).
    experiment : None, "compare", "width" or "basis"
        Which experiment is open at first: three comparisons with a map of the winners, the width d_k, another basis.
    d_k : int
        Width marked in the experiment on widths, a power of 2 up to 1024.
    tasks : sequence, optional
        Short tasks shown under the picture, as plain text. Each is a string, or a pair ``(text, state)`` where
        ``state`` is a dict of the arguments above that a button then sets.

    Attributes
    ----------
    Q, K, V, X, W_Q, W_K, tied, temperature, scaled, mask, selected, mode, lift, experiment, d_k
        Where the vectors and controls stand now, after any drag; settable. The number of vectors is fixed.
    query_vectors, key_vectors : ndarray, shape (n, 2)
        The queries and keys of the picture, wherever they come from.
    scores, weights, output : ndarray
        Computed from them by `attention_geometry.attention`. A row with no allowed key is zero in ``weights`` and
        NaN in ``output``; the picture says "masked". In the mode "cosine" a vector of length 0 has no scores (NaN).
    shares : EnergyShares
        What of the scores survives a row shift (`attention_geometry.relation.energy_shares`); needs as many queries
        as keys.
    symmetric_share : float
        ``‖B_s‖² / ‖B‖²`` (`attention_geometry.bilinear.symmetric_share`); None without tokens.

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
    >>> QueryKeyPlane(X=[[1, 0], [0, 1]], W_K=[[0, 1], [-1, 0]]).symmetric_share  # antisymmetric
    0.0
    """

    _esm = script("QueryKeyPlane")
    _moving = (
        *("Q", "K", "V", "temperature", "scaled", "mask", "selected"),
        *("mode", "lift", "experiment", "d_k", "X", "W_Q", "W_K", "tied"),
    )
    _silent = {  # left out of a stored page where they stand like this
        "mode": "dot", "lift": 0.0, "experiment": None, "d_k": 64, "X": None, "W_Q": None, "W_K": None, "tied": False,
    }  # fmt: skip
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
        *_silent,
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
    mode = traitlets.Any("dot").tag(sync=True)
    lift = traitlets.Any(0.0).tag(sync=True)
    experiment = traitlets.Any().tag(sync=True)
    d_k = traitlets.Any(64).tag(sync=True)
    X = traitlets.Any().tag(sync=True)
    W_Q = traitlets.Any().tag(sync=True)
    W_K = traitlets.Any().tag(sync=True)
    tied = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        Q=None,
        K=None,
        V=None,
        *,
        X=None,
        W_Q=None,
        W_K=None,
        tied=False,
        tokens=None,
        query_tokens=None,
        key_tokens=None,
        temperature=1.0,
        scaled=True,
        mask=None,
        selected=0,
        mode="dot",
        lift=0.0,
        experiment=None,
        d_k=64,
        tasks=None,
    ):
        if X is None:
            if W_Q is not None or W_K is not None or tied:
                raise ValueError("W_Q, W_K and tied belong to tokens: pass X= with them, or Q and K alone")
            Q, K = as_points(Q, "Q"), as_points(K, "K")
            n_query, n_key = len(Q), len(K)
        else:
            if Q is not None or K is not None:
                raise ValueError("pass Q and K, or X=, W_Q= and W_K= that make them, not both")
            X = as_points(X, "X")
            n_query = n_key = len(X)
            W_Q, W_K = (np.eye(2).tolist() if W is None else W for W in (W_Q, W_K))
        V = None if V is None else as_points(V, "V")
        self._counts = {"Q": n_query, "K": n_key, "V": n_key, "X": n_query}
        self._from_tokens = X is not None
        if tokens is not None:
            if query_tokens is not None or key_tokens is not None:
                raise ValueError(
                    "pass tokens= (one name for query i and key i), or query_tokens= and key_tokens=, not both"
                )
            if n_query != n_key:
                raise ValueError(
                    f"tokens= names query i and key i alike, but there are {n_query} queries and {n_key} keys"
                )
            query_tokens = key_tokens = tokens
        super().__init__(
            Q=Q,
            K=K,
            V=V,
            query_tokens=as_names(query_tokens, n_query, "query_tokens"),
            key_tokens=as_names(key_tokens, n_key, "key_tokens"),
            one_set=tokens is not None or self._from_tokens,
            temperature=temperature,
            scaled=scaled,
            mask=mask,
            selected=selected,
            mode=mode,
            lift=lift,
            experiment="compare" if experiment is None and mode != "dot" else experiment,
            d_k=d_k,
            X=X,
            W_Q=W_Q,
            W_K=W_K,
            tied=tied,
            tasks=self._tasks(tasks),
        )

    def state(self):
        everything = super().state()
        return {name: value for name, value in everything.items() if self._silent.get(name, ...) != value}

    @property
    def query_vectors(self):
        return np.array(self.Q) if self.X is None else np.array(self.X) @ np.array(self.W_Q)

    @property
    def key_vectors(self):
        return np.array(self.K) if self.X is None else np.array(self.X) @ np.array(self._key_matrix)

    @property
    def _key_matrix(self):
        return self.W_Q if self.tied else self.W_K

    @property
    def allowed(self):
        """Boolean array (n_query, n_key), True where the query may attend and the pair has a score."""
        shape = (self._counts["Q"], self._counts["K"])
        allowed = _attention.causal_mask(shape[0]) if self.mask == "causal" else as_mask(self.mask, shape)
        return allowed & ~np.isnan(self.scores)

    @property
    def scores(self):
        """Scores before the mask, (n_query, n_key), from products rounded to 12 decimals: a tie by hand is a tie."""
        values = _comparison.comparison(self.query_vectors, self.key_vectors, self.mode, self.lift)
        return values * (2**-0.5 if self.scaled else 1.0)

    @property
    def weights(self):
        """Weights at the present temperature and mask, (n_query, n_key); zeros in a fully masked row."""
        scores = np.nan_to_num(self.scores)  # a pair without a score is not allowed
        return _attention.softmax(scores, mask=self.allowed, temperature=self.temperature, empty_rows="zero")

    @property
    def shares(self):
        return relation.energy_shares(self.scores)

    @property
    def symmetric_share(self):
        return None if self.X is None else bilinear.symmetric_share(self.W_Q, self._key_matrix)

    @property
    def output(self):
        """Mixtures of the values, (n_query, 2), NaN in a fully masked row; None without values."""
        if self.V is None:
            return None
        return np.where(self.allowed.any(axis=1)[:, None], self.weights @ np.array(self.V), np.nan)

    def still(self):
        weights = [list(row) if any(ok) else None for row, ok in zip(self.weights, self.allowed)]
        names = [self._labels(letter) for letter in "qk"]
        Q, K = self.query_vectors.tolist(), self.key_vectors.tolist()
        pictures = [] if self.X is None else [still.token_plane(self.X, self._labels("x"))]
        pictures.append(still.query_key_plane(Q, K, *names, self.selected, winners=self._winners(Q, K), mode=self.mode))
        if self.V is not None:
            row = weights[self.selected]
            pictures.append(still.value_plane(self.V, row, self.output[self.selected], self.selected))
        nodes = [self._labels("x" if self.X is not None else letter) for letter in "qk"]
        pictures.append(still.graph(weights, *nodes, self.selected, one_set=self.one_set))
        return "".join(pictures) + still.weight_table(weights, self.allowed, *names, self.selected)

    def _winners(self, Q, K):
        if self.experiment != "compare":
            return None
        reach = still.nice_range(Q + K)
        return _comparison.cells(K, self.mode, self.lift, reach=reach, allowed=self.allowed[self.selected])

    def __repr__(self):
        mask = self.mask if self.mask is None or isinstance(self.mask, str) else "custom"
        return (
            f"QueryKeyPlane(n_query={self._counts['Q']}, n_key={self._counts['K']}, values={self.V is not None}, "
            f"temperature={self.temperature:g}, scaled={self.scaled}, mask={mask!r}, selected={self.selected}"
            + "".join(f", {name}={value!r}" for name, value in self._said().items())
            + ")"
        )

    def _said(self):
        """What of the newer settings is worth saying: what is not as in a plain plane."""
        said = {"source": "tokens"} if self.X is not None else {}
        names = ("tied", "mode", "lift", "experiment")
        return said | {name: getattr(self, name) for name in names if getattr(self, name) != self._silent[name]}

    def _labels(self, letter):
        count, tokens = {"q": (self._counts["Q"], self.query_tokens), "k": (self._counts["K"], self.key_tokens)}.get(
            letter, (self._counts["X"], self.query_tokens)
        )
        signs = [f"{letter}{still.subscript(i + 1)}" for i in range(count)]
        return signs if tokens is None else [visible(token) for token in tokens]

    @traitlets.validate(*_moving)
    def _check(self, proposal):
        return getattr(self, f"_check_{proposal['trait'].name}")(proposal["value"])

    def _check_Q(self, value):
        return self._points(value, "Q", from_tokens=False)

    def _check_K(self, value):
        return self._points(value, "K", from_tokens=False)

    def _check_X(self, value):
        return self._points(value, "X", from_tokens=True)

    def _check_W_Q(self, value):
        return self._points(value, "W_Q", from_tokens=True, count=2)

    def _check_W_K(self, value):
        return self._points(value, "W_K", from_tokens=True, count=2)

    def _points(self, value, name, *, from_tokens, count=None):
        if from_tokens != self._from_tokens:
            if value is None:
                return None
            source = "tokens: set X, W_Q or W_K" if self._from_tokens else "Q and K: set these"
            raise ValueError(f"{name} cannot be set: the queries and keys of this widget come from {source}")
        return as_points(value, name, count=count or self._counts[name])

    def _check_V(self, value):
        return None if value is None else as_points(value, "V", count=self._counts["V"])

    def _check_scaled(self, value):
        return bool(value)

    def _check_tied(self, value):
        if value and not self._from_tokens:
            raise ValueError("tied cannot be set: the queries and keys of this widget do not come from tokens")
        return bool(value)

    def _check_mode(self, value):
        return _one_of(value, _comparison.MODES, "mode")

    def _check_lift(self, value):
        return float(as_number(value, "lift", low=0, high=1))

    def _check_experiment(self, value):
        return _one_of(value, EXPERIMENTS, "experiment")

    def _check_d_k(self, value):
        return _one_of(value, _comparison.WIDTHS, "d_k")

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


def _one_of(value, choices, name):
    if isinstance(value, bool) or value not in choices:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(map(repr, choices))}")
    return value
