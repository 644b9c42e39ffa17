"""A relation stands trial: points or a small matrix, a candidate dissimilarity, and the five axioms of a metric."""

import re
from typing import NamedTuple

import numpy as np
import traitlets

from .. import attention as _attention
from .. import data
from .._inputs import as_matrix, as_square
from .._text import visible
from ..axioms import AXIOMS, CANDIDATES, check_axioms
from . import _still_court
from ._court import REPAIRS, form_keys, form_scores, repaired
from .base import DIGITS, GeometryWidget, script
from .checks import as_names, as_points, whole

__all__ = ["CHALLENGES", "LARGEST", "PRESETS", "Case", "MetricCourt", "preset"]

LARGEST = 6  #: tokens that the court can hear: a matrix that a phone still shows
SOURCES = ("points", "scores", "dissimilarities")
#: Axioms that hold, for each name that a challenge may use; the others have to fail.
KINDS = {
    "metric": (1, 1, 1, 1, 1),
    "pseudometric": (1, 1, 0, 1, 1),
    "quasimetric": (1, 1, 1, 0, 1),
    "semimetric": (1, 1, 1, 1, 0),
    "Lawvere metric": (1, 1, 0, 0, 1),
    "divergence": (1, 1, 1, 0, 0),
    "premetric": (1, 1, 0, 0, 0),
    "nothing": (0, 0, 0, 0, 0),
}
CHALLENGES = (
    ("Make all five axioms hold, with no repair.", "metric", 0),
    ("Break only the triangle.", "semimetric"),
    ("Break only symmetry: a quasimetric.", "quasimetric"),
    ("Break only separation: two tokens at distance 0.", "pseudometric"),
)


class Checked(traitlets.Any):
    """A trait of which every value is validated: traitlets lets None pass unchecked."""

    allow_none = False


def _low(text):
    """The indices of A_ij and B_s set low, for a page that shows plain text."""
    return re.sub(r"_([ijks]+)", lambda found: found[1].translate(str.maketrans("ijks", "ᵢⱼₖₛ")), text)


class MetricCourt(GeometryWidget):
    """Drag points, or edit a small matrix; five verdicts say which axioms of a metric the relation obeys.

    Points x give scores ``s_ij = x_i B x_jᵀ`` and weights ``A = softmax(S)``; a candidate of
    `attention_geometry.axioms.CANDIDATES` reads a dissimilarity D off them; repairs may change D; `check_axioms`
    judges.

    Parameters
    ----------
    X : array_like, shape (n, 2), optional
        Tokens as points, 2 to 6 of them.
    M : array_like, shape (n, n), optional
        A matrix by hand: the scores (``np.log(A)`` serves as well) or the dissimilarities, as ``source`` says. Finite.
        Default: the distances of the points.
    source : {"points", "scores", "dissimilarities"}, optional
        What stands trial. Default: the points where there are some, else the dissimilarities.
    form : array_like, shape (2, 2)
        B, for points. The identity gives the dot product.
    candidate : str
        A key of ``CANDIDATES`` (for points and scores; a matrix of dissimilarities is judged as it stands).
    repairs : sequence of str
        Applied to D in this order, each at most once: ``"symmetrise"``, ``"zero diagonal"``, ``"shift"``,
        ``"closure"``.
    shown : str, optional
        The axiom whose worst case is drawn. Default: the last in the order of ``AXIOMS`` that fails, else the triangle.
    tokens : sequence of str, optional
        Names; 1, 2, … unless given.
    challenges : sequence, optional
        Each ``(text, wanted)`` or ``(text, wanted, most_repairs)``; ``wanted`` is a dict from axiom to bool, or
        ``"metric"``, ``"quasimetric"``, …: those axioms hold and the others fail. Default: ``CHALLENGES``.
    tasks : sequence, optional
        As in `QueryKeyPlane`, with the settings ``X, M, source, form, candidate, repairs, shown``.

    Attributes
    ----------
    X, M, source, form, candidate, repairs, shown
        Where points and controls stand now; settable. The number of tokens is fixed.
    scores, weights : ndarray or None
        Of the points, or by hand; None for a matrix of dissimilarities.
    dissimilarity, why : ndarray, str or None
        The candidate's D; NaN where it is not defined, and why not.
    judged, damages, report : ndarray, list of Damage, AxiomReport
        D after the repairs, what each destroyed, and the verdicts.

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit, a number is not finite, or a setting is out of range.

    Notes
    -----
    Numbers are kept to 10 significant digits, as a stored page keeps them, so that Python and the page judge the same
    matrix: √2 by hand is 1.414213562.

    Examples
    --------
    >>> court = MetricCourt(M=[[0, 2, 5], [2, 0, 1], [5, 1, 0]])
    >>> court
    MetricCourt(n=3, source='dissimilarities', fails=['triangle'], repairs=[])
    >>> court.report.triangle.witness, court.report.triangle.worst
    ((0, 1, 2), 2.0)
    >>> court.repairs = ["closure"]
    >>> court.report.kind, court.judged[0].tolist()
    ('metric', [0.0, 2.0, 3.0])
    >>> print(MetricCourt([[0, 0], [1, 0], [2, 0]], candidate="D").report.triangle.sentence)
    fails in 2 of 6 ordered triples; largest d(i,k) − d(i,j) − d(j,k) 2 at 0 via 1 to 2
    """

    _esm = script("MetricCourt")
    _moving = ("X", "M", "source", "form", "candidate", "repairs", "shown")
    _state = (*_moving, "tokens", "challenges", "candidates", "tasks")

    X = Checked().tag(sync=True)  # arrays are welcome, the validators below make lists of them
    M = Checked().tag(sync=True)
    source = Checked().tag(sync=True)
    form = Checked().tag(sync=True)
    candidate = Checked().tag(sync=True)
    repairs = Checked().tag(sync=True)
    shown = Checked().tag(sync=True)
    tokens = traitlets.List(None, allow_none=True).tag(sync=True)
    challenges = traitlets.List().tag(sync=True)
    candidates = traitlets.List(  # their names, questions, domains and what is known of each axiom, for the page
        [
            [name, _low(one.question), _low(one.domain), list(map(_low, one.axioms.values()))]
            for name, one in CANDIDATES.items()
        ]
    ).tag(sync=True)
    tasks = traitlets.List().tag(sync=True)

    def __init__(
        self,
        X=None,
        *,
        M=None,
        source=None,
        form=((1, 0), (0, 1)),
        candidate="−log A",
        repairs=(),
        shown=None,
        tokens=None,
        challenges=CHALLENGES,
        tasks=None,
    ):
        if X is None and M is None:
            raise ValueError("pass points X, or a matrix M")
        X = None if X is None else as_points(X, "X", largest=LARGEST)
        self._has_points = X is not None
        self._n = len(as_square(M, "M", ndim=2) if X is None else X)
        if not 2 <= self._n <= LARGEST:
            raise ValueError(f"there are {self._n} tokens; the court hears 2 to {LARGEST}")
        super().__init__(
            X=X,
            M=CANDIDATES["‖q − k‖"](X, X) if M is None else M,
            source=source or ("dissimilarities" if X is None else "points"),
            form=form,
            candidate=candidate,
            repairs=repairs,
            shown=shown or "triangle",
            tokens=as_names(tokens, self._n, "tokens"),
            challenges=[_challenge(challenge) for challenge in challenges or ()],
            tasks=self._tasks(tasks),
        )
        if shown is None:
            self.shown = next(
                (axiom for axiom in reversed(AXIOMS) if getattr(self.report, axiom).holds is False), "triangle"
            )

    @property
    def scores(self):
        """Scores S (n, n): x_i B x_jᵀ, or those by hand; None for a matrix of dissimilarities."""
        if self.source != "points":
            return np.array(self.M) if self.source == "scores" else None
        return form_scores(self.X, self.form)

    @property
    def weights(self):
        """A = softmax(S), or None for a matrix of dissimilarities."""
        return None if self.scores is None else _attention.softmax(self.scores)

    @property
    def dissimilarity(self):
        """D (n, n) before the repairs: by hand, or the candidate's; NaN where that is not defined."""
        return self._found[0]

    @property
    def why(self):
        """Why the candidate is not defined here, or None."""
        return self._found[1]

    @property
    def _found(self):
        if self.source == "dissimilarities":
            return np.array(self.M), None
        nothing = np.full((self._n, self._n), np.nan)
        given = {"S": self.scores, "A": self.weights}
        if self.source == "points":
            given |= {"X": self.X, "Q": self.X, "K": form_keys(self.X, self.form)}
        rule = CANDIDATES[self.candidate]
        if not set(rule.takes) <= set(given):
            return nothing, f"{rule.name} takes {' and '.join(rule.takes)}, which scores by hand do not have"
        try:
            return rule(*(given[name] for name in rule.takes)), None
        except ValueError as error:
            return nothing, str(error)

    @property
    def judged(self):
        """D (n, n) after the repairs."""
        return self._repaired[0]

    @property
    def damages(self):
        """What each repair destroyed, in turn."""
        return self._repaired[1]

    @property
    def _repaired(self):
        D = self.dissimilarity
        return (D, []) if self.why else repaired(D, self.repairs)

    @property
    def report(self):
        """The verdicts on `judged`, by `check_axioms`."""
        return check_axioms(self.judged, self.tokens)

    @property
    def threshold(self):
        """The candidate's triviality threshold for `dissimilarity`."""
        return CANDIDATES[self.candidate].threshold(self.dissimilarity)

    def still(self):
        names = [str(i + 1) if self.tokens is None else visible(self.tokens[i]) for i in range(self._n)]
        subject = "d by hand" if self.source == "dissimilarities" else f"d = {self.candidate}"
        subject += f", after {', '.join(self.repairs)}" if self.damages else ""
        points = self.X if self.source == "points" else None
        return _still_court.court(points, self.judged, self.report, names, self.shown, subject, self.why)

    def __repr__(self):
        fails = [axiom for axiom in AXIOMS if getattr(self.report, axiom).holds is False]
        what = f"source={self.source!r}"
        if self.source != "dissimilarities":
            what += f", candidate={self.candidate!r}"
        return f"MetricCourt(n={self._n}, {what}, fails={fails}, repairs={self.repairs})"

    @traitlets.validate(*_moving)
    def _check(self, proposal):
        return getattr(self, f"_check_{proposal['trait'].name}")(proposal["value"])

    def _check_X(self, value):
        if (value is not None) != self._has_points:
            raise ValueError("points can neither come nor go; make a new widget")
        return None if value is None else _kept(as_points(value, "X", count=self._n, largest=LARGEST))

    def _check_M(self, value):
        matrix = as_square(value, "M", ndim=2)
        if len(matrix) != self._n:
            raise ValueError(f"M has shape {matrix.shape}; expected ({self._n}, {self._n}), one row for each token")
        return _kept(matrix.tolist())

    def _check_source(self, value):
        known = SOURCES if self._has_points else SOURCES[1:]
        return _one_of(value, known, "source")

    def _check_form(self, value):
        form = as_matrix(value, "form")
        if form.shape != (2, 2):
            raise ValueError(f"form has shape {form.shape}; expected (2, 2): the points lie in a plane")
        return _kept(form.tolist())

    def _check_candidate(self, value):
        if not isinstance(value, str):
            raise TypeError(f"candidate is of type {type(value).__name__}; expected a name in CANDIDATES")
        return CANDIDATES[value].name

    def _check_repairs(self, value):
        if isinstance(value, str) or len(set(value)) != len(list(value)):
            raise ValueError(f"repairs is {value!r}; expected a sequence of names, each at most once")
        return [_one_of(name, REPAIRS, "a repair") for name in value]

    def _check_shown(self, value):
        return _one_of(value, AXIOMS, "shown")


class Case(NamedTuple):
    """A preset: see `preset`."""

    text: str
    settings: dict
    tokens: list


def preset(name):
    """Settings of four tokens that show one fact about the axioms.

    Parameters
    ----------
    name : {"broken triangle", "sharp head", "squared distances"}
        The smallest triangle violation, in whole numbers; −log A of a sharp head of all-MiniLM-L6-v2 (layer 1, head
        11, counted from 0) among four tokens of its sentence; squared distances of points on a line.

    Returns
    -------
    Case
        ``settings`` for `MetricCourt` or for one of its tasks, ``text`` for the task, ``tokens`` as names.

    Raises
    ------
    ValueError
        If there is no such preset.

    Examples
    --------
    >>> case = preset("broken triangle")
    >>> court = MetricCourt(**case.settings, tokens=case.tokens, tasks=[(case.text, case.settings)])
    >>> court.report.triangle.violations, court.report.triangle.worst
    (2, 2.0)
    >>> court = MetricCourt([[0, 0], [1, 0], [2, 0], [0, 1]], tasks=[preset(name)[:2] for name in PRESETS])
    """
    return PRESETS[_one_of(name, PRESETS, "preset")]()


def _broken_triangle():
    M = [[0, 2, 5, 3], [2, 0, 1, 3], [5, 1, 0, 3], [3, 3, 3, 0]]
    settings = {"source": "dissimilarities", "M": M, "repairs": [], "shown": "triangle"}
    return Case("One entry too large: which is it, and how far must it come down?", settings, list("1234"))


def _sharp_head():
    record, chosen = data.sentence_record(), slice(2, 6)
    A = _attention.softmax(record.scores[1, 11, chosen, chosen])
    settings = {"source": "scores", "M": np.round(np.log(A), 3).tolist(), "candidate": "−log A", "repairs": []}
    text = "A real head, among four tokens: two likely steps lead where one step hardly does."
    return Case(text, settings | {"shown": "triangle"}, list(record.tokens[chosen]))


def _squared_distances():
    settings = {"source": "points", "X": [[-1.5, 0], [-0.5, 0], [0.5, 0], [1.5, 0]], "form": [[1, 0], [0, 1]]}
    settings |= {"candidate": "D", "repairs": [], "shown": "triangle"}
    return Case(
        "Squared distances on a line: can you drag the points until every triangle holds?", settings, list("1234")
    )


#: How each preset is made.
PRESETS = {"broken triangle": _broken_triangle, "sharp head": _sharp_head, "squared distances": _squared_distances}


def _challenge(challenge):
    if not isinstance(challenge, (tuple, list)) or len(challenge) not in (2, 3) or not isinstance(challenge[0], str):
        raise TypeError(f"a challenge is (text, wanted) or (text, wanted, most_repairs), got {challenge!r}")
    text, wanted, most = (*challenge, None)[:3]
    if isinstance(wanted, str):
        wanted = dict(zip(AXIOMS, map(bool, KINDS[_one_of(wanted, KINDS, "wanted")])))
    if not isinstance(wanted, dict) or not wanted or not all(isinstance(holds, bool) for holds in wanted.values()):
        raise TypeError(f"wanted is {wanted!r}; expected a kind, or a dict from axiom to bool")
    wanted = {_one_of(axiom, AXIOMS, "wanted"): holds for axiom, holds in wanted.items()}
    if most is not None and (not isinstance(most, int) or most < 0):
        raise ValueError(f"most_repairs is {most!r}; expected a whole number ≥ 0")
    return {"text": whole(text), "wanted": wanted, "repairs": most}


def _one_of(value, known, name):
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(known)}")
    return value


def _kept(rows):
    """Numbers as a stored page keeps them, so that a tie here is a tie there."""
    return [[float(f"{x:.{DIGITS}g}") for x in row] for row in rows]
