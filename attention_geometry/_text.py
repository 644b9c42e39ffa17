"""Text that is safe to show: numbers with four significant digits, tokens as data and never as markup."""

import dataclasses
import html
import unicodedata

import numpy as np

_NAMED = {"\n": "↵", "\t": "⇥", "\r": "␍", " ": "␣", "\x7f": "␡", "\u200b": "·ZWSP·", "\ufeff": "·BOM·"}
_INVISIBLE = set("\u00ad\u2028\u2029")
_BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(token, limit=None):
    """The token as it can be printed: control signs shown, direction marks named, halves of surrogates replaced.

    Emoji joined by U+200D stay whole. With ``limit`` the text is cut, never inside a joined
    sign, and ends in an ellipsis.
    """
    text = token if isinstance(token, str) else repr(token) if isinstance(token, bytes) else str(token)
    if text == "":
        text = "∅"
    out = []
    for i, c in enumerate(text):
        if c in _NAMED and not (c == " " and 0 < i < len(text) - 1):
            out.append(_NAMED[c])
        elif ord(c) < 32:
            out.append(chr(0x2400 + ord(c)))
        elif c in _BIDI or c in _INVISIBLE or 0x80 <= ord(c) < 0xA0:
            out.append(f"·U+{ord(c):04X}·")
        elif unicodedata.category(c) == "Cs":
            out.append("\ufffd")
        else:
            out.append(c)
    text = "".join(out)
    return text if limit is None or len(text) <= limit else text[: _cut(text, max(1, limit - 1))] + "…"


def _cut(text, end):
    """Where to cut so that no joined emoji, accent or skin tone is torn off its base; at ``end`` if all is one sign."""
    start = end
    while start > 1 and (_joins(text[start]) or text[start - 1] == "\u200d"):
        start -= 1
    return start if start > 1 or not _joins(text[1]) else end


def _joins(c):
    return c == "\u200d" or unicodedata.category(c) in ("Mn", "Me") or 0x1F3FB <= ord(c) <= 0x1F3FF


def as_tokens(tokens, n, name="tokens"):
    """A tuple of ``n`` strings. Ids and bytes become text; a token's identity is its position, so doubles are fine."""
    if tokens is None:
        return tuple(str(i) for i in range(n))
    if isinstance(tokens, (str, bytes)):
        raise TypeError(f"{name} is one string; expected a sequence of {n} tokens")
    tokens = tuple(t if isinstance(t, str) else repr(t) if isinstance(t, bytes) else str(_scalar(t)) for t in tokens)
    if len(tokens) != n:
        raise ValueError(
            f"{name} has {len(tokens)} entries but there are {n} tokens; padding, or special tokens left out?"
        )
    return tokens


def _scalar(t):
    return t.item() if hasattr(t, "item") and getattr(t, "ndim", 1) == 0 else t  # "5", not "tensor(5)"


def number(x):
    """A number with at most four significant digits, an en dash where it is undefined; anything else as text."""
    if x is None or (isinstance(x, (float, np.floating)) and np.isnan(x)):
        return "–"
    if isinstance(x, (bool, np.bool_)):
        return "yes" if x else "no"
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    if isinstance(x, (complex, np.complexfloating)):
        return f"{x:.4g}"
    if not isinstance(x, (float, np.floating)):
        return visible(x)
    x = float(x)
    if x == 0:
        return "0"
    return f"{x:.4g}"


def show(value):
    """One field of a result as short text."""
    if isinstance(value, np.ndarray):
        if value.size > 25 or value.ndim > 2:
            return f"array{value.shape}"
        rows = np.atleast_1d(value)
        if rows.ndim == 1:
            return "[" + ", ".join(number(v) for v in rows) + "]"
        return "[" + "; ".join(", ".join(number(v) for v in row) for row in rows) + "]"
    if value is None or isinstance(value, (bool, int, float, complex, np.number, np.bool_)):
        return number(value)
    if isinstance(value, str):
        return visible(value, 500)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{visible(str(k))}: {show(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(show(v) for v in value) + ")"
    return visible(repr(value), 500)


@dataclasses.dataclass(frozen=True, repr=False)
class Report:
    """A result with named fields that prints itself: one line a field, four significant digits, nothing unescaped.

    Subclasses are frozen dataclasses declared with ``repr=False``. An undefined field is None (an en dash in print)
    and its reason stands in ``reasons``, a dict from field name to sentence.
    """

    def _rows(self):
        """What is printed: pairs of a name and a short text. A subclass with large fields may say something shorter."""
        return [(f.name, show(getattr(self, f.name))) for f in dataclasses.fields(self) if f.repr]

    def __repr__(self):
        rows = self._rows()
        width = max((len(name) for name, _ in rows), default=0)
        return "\n".join([type(self).__name__, *(f"  {name:<{width}}  {text}" for name, text in rows)])

    def _repr_html_(self):
        rows = "".join(
            f"<tr><th scope='row'>{html.escape(name)}</th><td><bdi>{html.escape(text)}</bdi></td></tr>"
            for name, text in self._rows()
        )
        name = html.escape(type(self).__name__)
        return f"<table class='ag-report'><caption>{name}</caption><tbody>{rows}</tbody></table>"


def settle(values):
    """One number per matrix, as results give it: float (None where undefined) for one, the array for a batch."""
    values = np.asarray(values, dtype=np.float64)
    if values.ndim:
        return values
    return None if np.isnan(values) else float(values)


def plain(values):
    """One number per matrix, as functions give it: a Python number (NaN stays NaN) for one, the array for a batch."""
    values = np.asarray(values)
    return values if values.ndim else values.item()


def undefined(field, *cases):
    """``{field: why}`` for a number that is undefined where one of the cases ``(where, sentence)`` holds, else ``{}``.

    ``where`` is one boolean per matrix; a matrix takes the first case that is true of it. For a batch the sentence says
    how many matrices it is true of and the index of the first.
    """
    parts, taken = [], False
    for where, sentence in cases:
        where = np.asarray(where) & ~np.asarray(taken)
        taken = taken | where
        if where.any():
            first = tuple(int(i) for i in np.argwhere(where)[0])
            parts.append(
                sentence if where.ndim == 0 else f"{sentence} ({where.sum()} of {where.size}, first at {first})"
            )
    return {field: "; ".join(parts)} if parts else {}
