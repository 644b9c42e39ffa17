"""Values in the plane, their weights and the mixture: what the output says, and what it does not."""

import numpy as np
import traitlets

from .. import attention as _attention
from .. import explanation as _explanation
from .._inputs import as_array, as_mask, as_number, as_weights
from .._text import visible
from . import _hull, _still_mixture_hull
from .base import Checked, GeometryWidget, infinity_from_json, infinity_to_json, script
from .checks import as_names, as_points
from .svg import subscript

LARGEST = 12  #: keys whose weights still find room side by side


class MixtureHull(GeometryWidget):
    """Drag values and scores in the plane; the weights, the output, its path and its hull follow.

    ``a = softmax(s / T)`` over the allowed keys, ``y = a V``; a second row ``a′`` with ``a′ V = y``; and, where W_O is
    given, ``y W_O`` and ``x + y W_O``.

    Parameters
    ----------
    V : array_like, shape (n, 2)
        Values, at most 12.
    scores : array_like, shape (n,), optional
        Scores of one query, before the temperature; all 0 by default. −inf masks a key.
    weights : array_like, shape (n,), optional
        In place of scores: a row of weights at T = 1, whose logarithms become the scores. A weight 0 masks its key.
    tokens : sequence of str, optional
        Names of the keys.
    temperature : float in [0, ∞]
        0 is uniform on the largest scores, ``math.inf`` uniform on the allowed keys.
    mask : array_like of bool, shape (n,), optional
        True where the query may attend.
    direction : int
        Key that gains or loses weight in the second row, counted from 0.
    along : float in [−1, 1]
        How far the second row is from the first: towards 1 the key ``direction`` gains weight, towards −1 it loses it,
        and the others make up for it so that y stays. Where a weight reaches 0 the others go on without it; ±1 is as
        far as they can. 0 is the row itself.
    hold_output : bool
        Whether y stays when a value is moved: the weights stay, and the other values make room.
    W_O : array_like, shape (2, 2), optional
        Output projection. Without ``W_O`` and ``x`` the plane of the residual stream is left out.
    x : array_like, shape (2,), optional
        Residual that the head's output is added to; (0, 0) unless given.
    tasks : sequence, optional
        Short tasks shown under the picture, as plain text. Each is a string, or a pair ``(text, state)`` where
        ``state`` is a dict of the arguments above (without ``tokens`` and ``weights``) that a button then sets.

    Attributes
    ----------
    V, scores, temperature, mask, direction, along, hold_output, W_O, x
        Where everything stands now, after any drag; settable. The number of values is fixed.
    allowed, weights, other_weights, output, projected, stream, dimension, verdicts, entropy, effective_keys
        Computed from them by the package; see each.

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit, a number is not finite, or a setting is out of range.

    Examples
    --------
    >>> square = MixtureHull([[1, 0], [0, 1], [-1, 0], [0, -1]], along=1)
    >>> square
    MixtureHull(n=4, temperature=1, mask=None, direction=0, along=1, hold_output=False, W_O=False)
    >>> square.weights, square.other_weights
    (array([0.25, 0.25, 0.25, 0.25]), array([0.5, 0. , 0.5, 0. ]))
    >>> square.dimension
    1
    """

    _esm = script("MixtureHull")
    _moving = ("V", "scores", "temperature", "mask", "direction", "along", "hold_output", "W_O", "x")
    _state = ("tokens", *_moving, "tasks")

    tokens = traitlets.List(None, allow_none=True).tag(sync=True)
    V = Checked().tag(sync=True)  # arrays are welcome, the validators below make lists of them
    scores = Checked().tag(sync=True)
    temperature = Checked(1.0).tag(sync=True, to_json=infinity_to_json, from_json=infinity_from_json)
    mask = traitlets.Any().tag(sync=True)
    direction = Checked(0).tag(sync=True)
    along = Checked(0.0).tag(sync=True)
    hold_output = traitlets.Bool(False).tag(sync=True)
    W_O = Checked().tag(sync=True)
    x = Checked().tag(sync=True)
    tasks = traitlets.List().tag(sync=True)

    def __init__(
        self,
        V,
        scores=None,
        *,
        weights=None,
        tokens=None,
        temperature=1.0,
        mask=None,
        direction=0,
        along=0.0,
        hold_output=False,
        W_O=None,
        x=None,
        tasks=None,
    ):
        V = as_points(V, "V", largest=LARGEST)
        self._count, self._with_stream = len(V), W_O is not None or x is not None
        scores, mask = _scores_and_mask(scores, weights, mask, len(V))
        super().__init__(
            tokens=as_names(tokens, len(V), "tokens"),
            V=V,
            scores=scores,
            temperature=temperature,
            mask=mask,
            direction=direction,
            along=along,
            hold_output=hold_output,
            W_O=np.eye(2) if self._with_stream and W_O is None else W_O,
            x=[0.0, 0.0] if self._with_stream and x is None else x,
            tasks=self._tasks(tasks),
        )

    @property
    def allowed(self):
        """Boolean array (n,), True where the query may attend."""
        return as_mask(self.mask, (self._count,))

    @property
    def weights(self):
        """The row of weights, (n,); zeros if no key is allowed."""
        return _attention.softmax(self.scores, mask=self.allowed, temperature=self.temperature, empty_rows="zero")

    @property
    def other_weights(self):
        """The second row, (n,): the same output, ``along`` towards more or less weight on the key ``direction``.

        Equal to `weights` where ``along`` is 0 or the output fixes the weight of that key.
        """
        if not self.allowed.any():
            return self.weights
        line, index = _hull.equivalent_line(self.V, self.allowed, self.weights, self.direction)
        return _hull.equivalent_row(line, index, self.direction, self.along)

    @property
    def dimension(self):
        """Dimension of the rows with this output, `explanation.equivalent_dimension`; 0 if no key is allowed."""
        allowed = self.allowed
        return _explanation.equivalent_dimension(self.V, mask=allowed) if allowed.any() else 0

    @property
    def output(self):
        """The mixture of the values, (2,); NaN if no key is allowed."""
        return self.weights @ np.array(self.V) if self.allowed.any() else np.full(2, np.nan)

    @property
    def projected(self):
        """``y W_O``, (2,), or None without W_O."""
        return None if self.W_O is None else self.output @ np.array(self.W_O)

    @property
    def stream(self):
        """``x + y W_O``, (2,), or None without W_O."""
        return None if self.W_O is None else np.array(self.x) + self.projected

    @property
    def verdicts(self):
        """Where y, y W_O and x + y W_O lie: ``"inside"``, ``"edge"`` or ``"outside"`` the two hulls.

        For each of ``"output"``, ``"projected"``, ``"stream"`` a pair: with respect to the hull of the allowed values,
        and of the allowed rows of V W_O. None without W_O or if no key is allowed.
        """
        if self.W_O is None or not self.allowed.any():
            return None
        V = np.array(self.V)[self.allowed]
        hulls = [V.tolist(), (V @ np.array(self.W_O)).tolist()]
        points = {"output": self.output, "projected": self.projected, "stream": self.stream}
        return {name: tuple(_hull.hull_verdict(point, hull) for hull in hulls) for name, point in points.items()}

    @property
    def entropy(self):
        """Entropy of the row of weights in nats; NaN if no key is allowed."""
        return _attention.entropy(self.weights)

    @property
    def effective_keys(self):
        """Effective number of keys, exp of the entropy; NaN if no key is allowed."""
        return _attention.effective_keys(self.weights)

    def still(self):
        names = self.tokens or [f"v{subscript(j + 1)}" for j in range(self._count)]
        return _still_mixture_hull.draw(self, [visible(name) for name in names])

    def __repr__(self):
        return (
            f"MixtureHull(n={self._count}, temperature={self.temperature:g}, "
            f"mask={self.mask if self.mask is None else 'custom'!r}, direction={self.direction}, along={self.along:g}, "
            f"hold_output={self.hold_output}, W_O={self.W_O is not None})"
        )

    @traitlets.validate(*_moving)
    def _check(self, proposal):
        return getattr(self, f"_check_{proposal['trait'].name}")(proposal["value"])

    def _check_V(self, value):
        return as_points(value, "V", count=self._count)

    def _check_scores(self, value):
        return _one_each(as_array(value, "scores"), "scores", self._count).tolist()

    def _check_temperature(self, value):
        return float(as_number(value, "temperature", low=0, infinite=True))

    def _check_mask(self, value):
        allowed = as_mask(value, (self._count,))
        return None if allowed.all() else allowed.tolist()

    def _check_direction(self, value):
        return int(as_number(value, "direction", integer=True, low=0, high=self._count - 1))

    def _check_along(self, value):
        return float(as_number(value, "along", low=-1, high=1))

    def _check_hold_output(self, value):
        return bool(value)

    def _check_W_O(self, value):
        return self._of_the_stream(value, "W_O") and as_points(value, "W_O", count=2)

    def _check_x(self, value):
        return self._of_the_stream(value, "x") and _one_each(as_array(value, "x"), "x", 2).tolist()

    def _of_the_stream(self, value, name):
        """Whether there is a value to check: W_O and x are given both or not at all, and stay so."""
        if (value is not None) != self._with_stream:
            wanted = "expected a value" if self._with_stream else "this widget was made without W_O and x"
            raise ValueError(f"{name} is {'None' if value is None else 'given'}; {wanted}. Make a new widget")
        return self._with_stream or None


def _scores_and_mask(scores, weights, mask, n):
    """Finite scores and a mask, from scores that may be −inf or from weights that may be 0."""
    if scores is not None and weights is not None:
        raise ValueError("pass scores= or weights=, not both")
    if weights is not None:
        with np.errstate(divide="ignore"):
            scores = np.log(_one_each(as_weights(weights, "weights"), "weights", n))
    scores = np.zeros(n) if scores is None else _one_each(as_array(scores, "scores", minus_inf=True), "scores", n)
    masked = np.isneginf(scores)
    return np.where(masked, 0.0, scores), as_mask(mask, (n,)) & ~masked


def _one_each(row, name, n):
    if row.shape != (n,):
        raise ValueError(f"{name} has shape {row.shape}; expected ({n},)")
    return row
