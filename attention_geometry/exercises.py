"""Exercises that check themselves: an answer is tested against a law, and a wrong one gets the case where it fails.

In a notebook::

    from attention_geometry.exercises import check
    check("ch1-rank", ...)       # no answer yet: a hint
    check("ch1-rank", my_form)   # "holds" and what was tested, or a witness; never the solution

To add an exercise ``ch1-rows``, write in ``laws/ch1.py``::

    @exercise("ch1-rows", hint="Divide each row by its own sum.")
    def _(answer):
        "Rows sum to one, for three score matrices."          # printed when it holds
        return check_function(answer, CASES, {"each row sums to one": lambda A, S: np.allclose(A.sum(-1), 1)})

Test properties that every right answer has and no wrong one. Where a value must be compared, recompute it by its
definition inside the law; a `Witness` has no field for it, so it cannot be printed.
"""

import copy
import dataclasses
import html
import importlib
import importlib.util
import inspect

import numpy as np

from attention_geometry._inputs import as_array
from attention_geometry._text import show, visible

_EXERCISES = {}


@dataclasses.dataclass(frozen=True)
class Witness:
    """A concrete case in which an answer breaks a law: the law, the input, and what the answer made of it."""

    law: str
    got: object
    case: dict = dataclasses.field(default_factory=dict)
    detail: str = ""


@dataclasses.dataclass(frozen=True, repr=False)
class Verdict:
    """What a check says. Prints itself as text and as escaped HTML, and is true if and only if the law holds."""

    label: str
    holds: bool | None  # None: no answer yet
    tested: str
    witness: Witness | None = None
    hint: str = dataclasses.field(default="", repr=False)

    def __bool__(self):
        return self.holds is True

    def _lines(self):
        if self.holds:
            return f"{self.label}: holds", [("tested", self.tested)]
        if self.holds is None:
            return f"{self.label}: no answer yet", [("hint", self.hint)]
        w = self.witness
        lines = [
            ("law", w.law),
            *((name, _short(value)) for name, value in w.case.items()),
            ("your answer", _short(w.got)),
        ]
        lines += [("there", w.detail)] * bool(w.detail)
        return f"{self.label}: does not hold here", [*lines, ("for a hint", f'check("{self.label}", ...)')]

    def __repr__(self):
        title, lines = self._lines()
        width = max(len(visible(name)) for name, _ in lines)
        return "\n".join([visible(title), *(f"  {visible(name):<{width}}  {visible(text)}" for name, text in lines)])

    def _repr_html_(self):
        title, lines = self._lines()
        cells = [(html.escape(visible(name)), html.escape(visible(text))) for name, text in lines]
        rows = "".join(f"<tr><th scope='row'>{name}</th><td><bdi>{text}</bdi></td></tr>" for name, text in cells)
        return (
            f"<table class='ag-verdict'><caption>{html.escape(visible(title))}</caption><tbody>{rows}</tbody></table>"
        )


def check(label, answer):
    """Test an answer to an exercise of the book.

    Parameters
    ----------
    label : str
        As printed beside the exercise.
    answer : object
        What the exercise asks for: a number, an array, a function. ``...`` or None asks for the hint.

    Returns
    -------
    Verdict
        True in a condition if and only if the law holds, so a grader may ``assert check(label, answer)``.

    Raises
    ------
    KeyError
        If no exercise has this label; the message lists those of the same chapter.
    """
    test, hint = _find(label)
    tested = inspect.getdoc(test)
    try:
        if answer is None or answer is Ellipsis:
            raise _NoAnswer
        witness = test(answer)
    except _NoAnswer as none:
        return Verdict(label, None, tested, hint=hint + "".join(none.args))
    except Exception as error:  # an answer of a kind the law did not foresee is wrong, not a crash
        witness = Witness("the answer has the form the exercise asks for", answer, detail=_error(error))
    return Verdict(label, witness is None, tested, witness, hint)


def exercise(label, *, hint):
    """Register the decorated function ``answer → Witness or None`` as the law of an exercise.

    Parameters
    ----------
    label : str
        Chapter and name joined by a hyphen, such as ``"ch1-rank"``.
    hint : str
        Shown as long as there is no answer. A way to start, not the result.

    Raises
    ------
    ValueError
        If the label is taken, or has no hyphen, or the function has no docstring to say what it tests.
    """

    def register(test):
        if "-" not in label or label in _EXERCISES or not inspect.getdoc(test):
            raise ValueError(
                f"exercise {label!r} needs a new label with a hyphen, and a docstring that says what is tested"
            )
        _EXERCISES[label] = (test, hint)
        return test

    return register


def check_value(answer, laws, *, shape=None):
    """First law that a number, an array or any other object breaks.

    Parameters
    ----------
    answer : object
    laws : dict of str to callable
        Sentence → predicate of the answer. A predicate returns True, or False, or a text saying where it fails.
    shape : tuple, optional
        If given, the answer is first converted to a float64 array of this shape; ``None`` inside it fits any length,
        ``()`` is a number.

    Returns
    -------
    Witness or None
    """
    value = answer
    if shape is not None:
        value = as_array(answer, "the answer")
        if value.ndim != len(shape) or any(want not in (None, have) for want, have in zip(shape, value.shape)):
            wanted = "one number" if shape == () else "an array of shape " + str(shape).replace("None", "any")
            return Witness(f"the answer is {wanted}", answer, detail=f"its shape is {value.shape}")
    return _first_broken(laws, (value,), answer, {})


def check_function(function, cases, laws):
    """First case and law at which a function fails.

    Parameters
    ----------
    function : callable
        The learner's. It gets a copy of each case, so that it cannot spoil them.
    cases : sequence of tuple
        Arguments to call it with.
    laws : dict of str to callable
        Sentence → predicate of ``(value, *case)``, as in `check_value`.

    Returns
    -------
    Witness or None
        A function that raises is its own witness. One that returns nothing counts as no answer yet.
    """
    if not callable(function):
        return Witness("the answer is a function", function)
    for case in cases:
        inputs = dict(zip(_names(function, len(case)), case))
        try:
            value = function(*copy.deepcopy(case))
        except Exception as error:
            return Witness("the function returns a value for this input", _error(error), inputs)
        if value is None or value is Ellipsis:
            raise _NoAnswer(" (So far the function returns nothing.)")
        witness = _first_broken(laws, (value, *case), value, inputs)
        if witness is not None:
            return witness
    return None


class _NoAnswer(Exception):
    pass


def _first_broken(laws, arguments, got, inputs):
    for law, predicate in laws.items():
        try:
            verdict = predicate(*arguments)
        except Exception as error:  # a value of the wrong shape or type breaks the law it cannot be tested for
            verdict = _error(error)
        if isinstance(verdict, str) or not np.all(verdict):
            return Witness(law, got, inputs, verdict if isinstance(verdict, str) else "")
    return None


def _find(label):
    chapter = str(label).partition("-")[0]
    if label not in _EXERCISES and chapter.isidentifier():
        module = f"attention_geometry.laws.{chapter}"
        if importlib.util.find_spec(module):
            importlib.import_module(module)
    if label not in _EXERCISES:
        known = sorted(name for name in _EXERCISES if name.startswith(chapter + "-")) or sorted(_EXERCISES)
        raise KeyError(f"no exercise {label!r}; known here: {', '.join(known) or 'none'}")
    return _EXERCISES[label]


def _names(function, count):
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # some built-in functions have no signature
        names = []
    return [*names, *(f"input {i + 1}" for i in range(len(names), count))][:count]


def _error(error):
    return f"{type(error).__name__}: {error}"


def _short(value):
    if callable(value):  # its repr holds an address, which changes with every run
        return f"the function {getattr(value, '__name__', type(value).__name__)}"
    return visible(value if isinstance(value, str) else show(value), 300)
