"""What an entry of the tables of measures holds, and how such a table lists itself."""

import dataclasses
import html
import re
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Measure:
    """One measure of a head (or of a layer).

    Attributes
    ----------
    name, label : str
        Its key in ``MEASURES``, and how a table calls it.
    question : str
        What it answers.
    space : str
        Where it lives: ``"weights"`` (the form, no text), ``"scores"``, ``"attention"``, ``"representation"`` or
        ``"explanation"``.
    unit, object : str
        Unit of the number, and what it is a number of.
    sum_rule : str
        What is summed or averaged within a text. Over texts the mean is taken.
    conditions : str
        What must be borne in mind with every such number.
    domain : tuple of Domain
        Where it is defined. Elsewhere it is NaN, with the reason.
    nulls : tuple of str
        The nulls, by their names in ``NULLS``, that destroy what it measures and keep the rest.
    function : callable
        From a view of a layer to one number per head and draw.
    per : {"head", "layer"}
        What has a number of its own.
    """

    name: str
    label: str
    question: str
    space: str
    unit: str
    object: str
    sum_rule: str
    conditions: str
    domain: tuple = dataclasses.field(repr=False)
    nulls: tuple
    function: Callable = dataclasses.field(repr=False)
    per: str = "head"


class Table(dict):
    """A dict of entries by name that lists itself, and lists its keys when it misses one."""

    def __init__(self, entries, columns):
        super().__init__((entry.name, entry) for entry in entries)
        self.columns = columns

    def __missing__(self, key):
        raise KeyError(f"{key!r} is not here; there are: {', '.join(self)}")

    def __repr__(self):
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {getattr(entry, self.columns[0])}" for name, entry in self.items())

    def _repr_html_(self):
        head = "".join(f"<th scope='col'>{html.escape(text)}</th>" for text in ("", *self.columns))
        rows = "".join(
            f"<tr><th scope='row'>{html.escape(name)}</th>"
            + "".join(f"<td>{html.escape(_text(getattr(entry, c)))}</td>" for c in self.columns)
            + "</tr>"
            for name, entry in self.items()
        )
        return f"<table class='ag-report'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def without_count(reason):
    """Why a field is undefined, without the count and the index that a batch adds."""
    return re.sub(r" \(\d+ of \d+, first at \([\d, ]*\)\)", "", reason)


def _text(field):
    return field if isinstance(field, str) else ", ".join(getattr(part, "name", part) for part in field)
