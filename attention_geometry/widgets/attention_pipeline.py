"""One attention step in one picture: from words as numbers over queries, keys and values to outputs."""

import numpy as np
import traitlets

from .. import attention as _attention
from .._inputs import as_mask, as_matrix, as_number
from . import _still_pipeline
from .base import GeometryWidget, infinity_from_json, infinity_to_json, script
from .checks import as_names

LARGEST = 60  #: tokens whose names still find a place
WIDEST = 8  #: numbers in a row of X, Q, K or V
GIVEN = ("X", "W_Q", "W_K", "W_V")
WORDS = ("Birds", "sing", "softly")
NUMBERS = {
    "X": [[1.0, 0.5], [-0.5, 1.0], [-1.0, -0.5]],
    "W_Q": [[0.5, 0.5], [1.5, 0.5]],
    "W_K": [[1.0, 0.0], [0.0, -1.5]],
    "W_V": [[1.0, 0.0], [0.5, 1.0]],
}


class AttentionPipeline(GeometryWidget):
    """Change a number of X or of a matrix, and queries, keys, values, scores, weights, graph and outputs follow.

    ``Q = X W_Q``, ``K = X W_K``, ``V = X W_V``, ``S = Q Kᵀ / √d_k``, ``A = softmax(S / T)`` over the allowed keys,
    ``Y = A V``.

    Parameters
    ----------
    X : array_like, shape (n, d), optional
        Tokens as rows, at most 60; three or four read best. With d = 2 they are points that can be dragged. Without
        ``X`` and the matrices the picture shows three words and matrices made for them by hand.
    W_Q, W_K : array_like, shape (d, d_k), optional
        What makes queries and keys of the tokens; widths of at most 8, two reads best.
    W_V : array_like, shape (d, d_v), optional
        What makes values of the tokens.
    tokens : sequence of str, optional
        One name for each row of X.
    temperature : float in [0, ∞]
        0 is uniform on the largest scores, ``math.inf`` uniform on the allowed keys.
    scaled : bool
        Whether scores are divided by √d_k.
    mask : None, "causal" or array_like of bool, shape (n, n)
        True where the query may attend.
    selected : int
        The token whose weights are followed through the picture, counted from 0.
    reading : {"attends", "flows"}
        Whether an arrow of the graph goes from i to j, "i attends to j", or from j to i, "information flows from j to
        i". The weight is the same.
    opened : None or (str, int, int)
        The number whose arithmetic is open: one of X, W_Q, W_K, W_V, Q, K, V, S, A, Y, its row and its column, from 0.
    tasks : sequence, optional
        Short tasks shown under the picture: strings, or pairs ``(text, state)`` with a dict of the arguments above
        that a button sets; ``predict=True`` in it opens the predict mode.

    Attributes
    ----------
    X, W_Q, W_K, W_V, temperature, scaled, mask, selected, reading, opened
        Where numbers and controls stand now; settable. The shapes are fixed.
    Q, K, V, scores, weights, output : ndarray
        Computed from them by `attention_geometry.attention`. A row with no allowed key is zero in ``weights`` and NaN
        in ``output``; the picture says "masked".

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit, a number is not finite, or a setting is out of range.

    Notes
    -----
    Weights and graph are unchanged by ``W_Q → W_Q M, W_K → W_K M⁻ᵀ`` with M invertible; the queries, keys and the
    arithmetic shown are not.

    Examples
    --------
    >>> pipeline = AttentionPipeline(selected=1)
    >>> pipeline
    AttentionPipeline(n=3, d=2, d_k=2, d_v=2, temperature=1, scaled=True, mask=None, selected=1, reading='attends')
    >>> pipeline.weights[1].round(2)
    array([0.69, 0.16, 0.15])
    """

    _esm = script("AttentionPipeline")
    _moving = (*GIVEN, "temperature", "scaled", "mask", "selected", "reading", "opened")
    _state = (*GIVEN, "tokens", "temperature", "scaled", "mask", "selected", "reading", "opened", "tasks")

    X = traitlets.Any().tag(sync=True)  # Any: arrays are welcome, the validators below make lists of them
    W_Q = traitlets.Any().tag(sync=True)
    W_K = traitlets.Any().tag(sync=True)
    W_V = traitlets.Any().tag(sync=True)
    tokens = traitlets.List().tag(sync=True)
    temperature = traitlets.Any(1.0).tag(sync=True, to_json=infinity_to_json, from_json=infinity_from_json)
    scaled = traitlets.Any(True).tag(sync=True)
    mask = traitlets.Any().tag(sync=True)
    selected = traitlets.Any(0).tag(sync=True)
    reading = traitlets.Any("attends").tag(sync=True)
    opened = traitlets.Any().tag(sync=True)
    tasks = traitlets.List().tag(sync=True)

    def __init__(
        self,
        X=None,
        W_Q=None,
        W_K=None,
        W_V=None,
        *,
        tokens=None,
        temperature=1.0,
        scaled=True,
        mask=None,
        selected=0,
        reading="attends",
        opened=None,
        tasks=None,
    ):
        given = dict(zip(GIVEN, (X, W_Q, W_K, W_V)))
        if all(value is None for value in given.values()):
            given, tokens = NUMBERS, WORDS if tokens is None else tokens
        missing = [name for name, value in given.items() if value is None]
        if missing:
            raise ValueError(f"{', '.join(missing)} is missing: pass X, W_Q, W_K and W_V together, or none of them")
        given = {name: as_matrix(value, name) for name, value in given.items()}
        self._shapes = _fitting({name: matrix.shape for name, matrix in given.items()})
        n = self._shapes["X"][0]
        names = [f"token {i + 1}" for i in range(n)] if tokens is None else as_names(tokens, n, "tokens")
        super().__init__(
            **{name: matrix.tolist() for name, matrix in given.items()},
            tokens=names,
            temperature=temperature,
            scaled=scaled,
            mask=mask,
            selected=selected,
            reading=reading,
            opened=opened,
            tasks=self._tasks(tasks),
        )

    @property
    def Q(self):
        """Queries X W_Q, (n, d_k)."""
        return np.array(self.X) @ np.array(self.W_Q)

    @property
    def K(self):
        """Keys X W_K, (n, d_k)."""
        return np.array(self.X) @ np.array(self.W_K)

    @property
    def V(self):
        """Values X W_V, (n, d_v)."""
        return np.array(self.X) @ np.array(self.W_V)

    @property
    def allowed(self):
        """Boolean array (n, n), True where the query may attend."""
        n = len(self.X)
        return _attention.causal_mask(n) if self.mask == "causal" else as_mask(self.mask, (n, n))

    @property
    def scores(self):
        """Scores before the mask, (n, n), from products rounded to 12 decimals: a tie by hand is a tie."""
        products = _attention.scores(self.X, self.W_Q, self.W_K, scale=1.0)
        return np.round(products, 12) * (len(self.W_Q[0]) ** -0.5 if self.scaled else 1.0)

    @property
    def weights(self):
        """Weights at the present temperature and mask, (n, n); zeros in a fully masked row."""
        return _attention.softmax(self.scores, mask=self.allowed, temperature=self.temperature, empty_rows="zero")

    @property
    def output(self):
        """Outputs, (n, d_v): the values mixed by the weights; NaN in a fully masked row."""
        return np.where(self.allowed.any(axis=1)[:, None], self.weights @ self.V, np.nan)

    def stages(self):
        """Every stage by name as lists, with the settings; a row of A and Y with no allowed key is None."""
        rows = self.allowed.any(axis=1)
        made = {"Q": self.Q, "K": self.K, "V": self.V, "S": self.scores, "A": self.weights, "Y": self.output}
        found = {name: getattr(self, name) for name in GIVEN} | {name: made[name].tolist() for name in made}
        for name in ("A", "Y"):
            found[name] = [row if any_ else None for row, any_ in zip(found[name], rows)]
        settings = {name: getattr(self, name) for name in ("temperature", "scaled", "mask", "selected", "reading")}
        return found | settings | {"allowed": self.allowed.tolist()}

    def still(self):
        return _still_pipeline.still(self.stages(), self.tokens)

    def __repr__(self):
        mask = self.mask if self.mask is None or isinstance(self.mask, str) else "custom"
        (n, d), (_, d_k), (_, d_v) = (self._shapes[name] for name in ("X", "W_Q", "W_V"))
        return (
            f"AttentionPipeline(n={n}, d={d}, d_k={d_k}, d_v={d_v}, temperature={self.temperature:g}, "
            f"scaled={self.scaled}, mask={mask!r}, selected={self.selected}, reading={self.reading!r})"
        )

    @traitlets.validate(*_moving)
    def _check(self, proposal):
        return getattr(self, f"_check_{proposal['trait'].name}")(proposal["value"])

    def _check_matrix(self, value, name):
        matrix = as_matrix(value, name)
        if matrix.shape != self._shapes[name]:
            raise ValueError(
                f"{name} has shape {matrix.shape}; expected {self._shapes[name]}. For other shapes make a new widget"
            )
        return matrix.tolist()

    def _check_X(self, value):
        return self._check_matrix(value, "X")

    def _check_W_Q(self, value):
        return self._check_matrix(value, "W_Q")

    def _check_W_K(self, value):
        return self._check_matrix(value, "W_K")

    def _check_W_V(self, value):
        return self._check_matrix(value, "W_V")

    def _check_temperature(self, value):
        return float(as_number(value, "temperature", low=0, infinite=True))

    def _check_scaled(self, value):
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"scaled is {value!r}; expected True or False"[:300])
        return bool(value)

    def _check_mask(self, value):
        n = self._shapes["X"][0]
        if isinstance(value, str):
            if value != "causal":
                raise ValueError(f"mask is {value!r}; expected None, 'causal', or booleans (True = may attend)")
            return value
        allowed = as_mask(value, (n, n))
        return None if allowed.all() else allowed.tolist()

    def _check_selected(self, value):
        return int(as_number(value, "selected", integer=True, low=0, high=self._shapes["X"][0] - 1))

    def _check_reading(self, value):
        if value not in ("attends", "flows"):
            raise ValueError(f"reading is {value!r}; expected 'attends' or 'flows'"[:300])
        return value

    def _check_opened(self, value):
        if value is None:
            return None
        sizes = self._sizes()
        if not isinstance(value, (list, tuple)) or len(value) != 3 or value[0] not in sizes:
            raise ValueError(f"opened is {value!r}; expected None or (name, row, column), name in {list(sizes)}"[:300])
        name, (rows, columns) = value[0], sizes[value[0]]
        place = [as_number(value[1], "row of opened", integer=True, low=0, high=rows - 1)]
        return [name, *place, as_number(value[2], "column of opened", integer=True, low=0, high=columns - 1)]

    def _sizes(self):
        (n, _), (_, d_k), (_, d_v) = (self._shapes[name] for name in ("X", "W_Q", "W_V"))
        return self._shapes | {"Q": (n, d_k), "K": (n, d_k), "V": (n, d_v), "S": (n, n), "A": (n, n), "Y": (n, d_v)}


def _fitting(shapes):
    """The shapes, if the products X W_Q, X W_K, X W_V and Q Kᵀ exist and the numbers can be read in one picture."""
    n, d = shapes["X"]
    if any(shapes[name][0] != d for name in GIVEN[1:]) or shapes["W_Q"] != shapes["W_K"]:
        raise ValueError(
            f"X, W_Q, W_K, W_V have shapes {', '.join(map(str, shapes.values()))}; "
            "expected (n, d), (d, d_k), (d, d_k), (d, d_v)"
        )
    if n > LARGEST:
        raise ValueError(f"X has {n} rows; at most {LARGEST} tokens find a place in one picture. Choose some of them")
    widest = max(shapes, key=lambda name: shapes[name][1])
    if shapes[widest][1] > WIDEST:
        raise ValueError(
            f"{widest} has {shapes[widest][1]} columns; at most {WIDEST} can be read in one picture. Choose some"
        )
    return shapes
