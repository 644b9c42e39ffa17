"""What the measured facts share: the result object, the records they are measured on, intervals over texts.

Only :mod:`attention_geometry.facts` and its neighbours import this module.
"""

import dataclasses
import html
import string
import textwrap
import zlib

import numpy as np

from attention_geometry import nulls
from attention_geometry._text import Report, number, show, visible
from attention_geometry.attention import softmax
from attention_geometry.data import texts as the_texts

MODELS = ("MiniLM", "SmolLM2")
SEED = 20260801
#: Significant digits of a number; parts into which the largest number of a column of texts, or of an array, is cut.
DIGITS, COLUMN_PARTS, ARRAY_PARTS = 5, 9999, 999


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Fact(Report):
    """One measured fact: a sentence, and every number in it with its interval, its nulls and its conditions.

    Attributes
    ----------
    name : str
        By which `stored` knows it.
    sentence : str
        What was found; its numbers are those of ``values``, ``nulls``, ``interval`` and ``n``.
    values : dict of str to number
        The measured numbers. A mean over texts, where ``per_text`` has the same key.
    interval : dict of str to (low, high)
        95 % percentile intervals of ``values`` and ``nulls``, where there is one.
    nulls : dict of str to number
        The same measures on what the values are held against.
    n : dict of str to int
        Numbers of texts, heads, tokens, draws. No ``texts`` where none is read.
    conditions : tuple of str
        On what, how and under which choices it was measured.
    note : str
        What a reader who compares with other numbers should know.
    seed : int
        Seed of every random draw.
    per_text : dict of str to ndarray (texts,)
        One number a text, in the order of `data.texts`; where none is read, a random sequence.
    arrays : dict of str to ndarray
        Small arrays for figures, such as one number a head (layer, head).
    """

    name: str
    sentence: str
    values: dict
    interval: dict
    nulls: dict
    n: dict
    conditions: tuple
    note: str
    seed: int
    per_text: dict
    arrays: dict

    def __getitem__(self, key):
        """The value, null or array of that name."""
        for held in (self.values, self.nulls, self.arrays):
            if key in held:
                return held[key]
        held = ", ".join([*self.values, *self.nulls, *self.arrays])
        raise KeyError(f"{key!r} is not in {self.name}; it holds {held}")

    def table(self, *keys, percent=False, digits=None):
        """Some of the numbers, each with its interval: for a page that has no room for all of them.

        Parameters
        ----------
        *keys : str
            Keys of ``values`` or ``nulls``.
        percent : bool
            Shares as per cent.
        digits : int, optional
            Decimals; four significant digits unless given.

        Returns
        -------
        Excerpt
            Prints itself as text and as escaped HTML.

        Raises
        ------
        KeyError
            If a key is not held; the message lists those that are.
        """
        return Excerpt(self, keys, percent, digits)

    def __repr__(self):
        """Sentences are wrapped; the numbers stand in one column."""
        numbers, prose = self._numbers(), dict(self._prose())
        width = max(len(name) for name, _ in numbers)
        lines = [f"Fact {prose.pop('fact')}", *_wrapped(prose.pop("found"), "  ")]
        lines += [f"  {name:<{width}}  {text}" for name, text in numbers]
        return "\n".join(lines + [line for name, text in prose.items() for line in _wrapped(f"{name}: {text}", "  ")])

    def _rows(self):
        prose = self._prose()
        return prose[:2] + self._numbers() + prose[2:]

    def _numbers(self):
        rows = []
        for word, held in (("", self.values), ("null: ", self.nulls)):
            for key, value in held.items():
                ends = self.interval.get(key)
                rows.append((word + key, number(value) + (f"  [{number(ends[0])}, {number(ends[1])}]" if ends else "")))
        return rows

    def _prose(self):
        rows = [("fact", self.name), ("found", visible(self.sentence))]
        rows += [("n", ", ".join(f"{value} {key}" for key, value in self.n.items()))]
        rows += [("conditions", "; ".join(self.conditions)), ("note", self.note), ("seed", str(self.seed))]
        arrays = ", ".join(f"{key} {show(array.shape)}" for key, array in self.arrays.items())
        return rows + [("arrays", arrays)] * bool(arrays)


def _wrapped(text, indent):
    return textwrap.wrap(text, 100, initial_indent=indent, subsequent_indent=2 * indent)


class Excerpt:
    """A few numbers of a fact in a table, with their intervals and what they were measured on."""

    def __init__(self, fact, keys, percent, digits):
        self.fact, self.percent, self.digits = fact, percent, digits
        self.rows = [(key, key in fact.nulls, fact[key], fact.interval.get(key)) for key in keys]

    def _cells(self):
        for key, null, value, ends in self.rows:
            span = f"{self._text(ends[0])} to {self._text(ends[1])}" if ends else ""
            yield ("null: " * null + key, self._text(value) + " %" * self.percent, span)

    def _text(self, value):
        value = 100 * value if self.percent else value
        return number(value) if self.digits is None else f"{value:.{self.digits}f}".replace("-", "−")

    def _measured_on(self):
        return ", ".join(f"{value} {key}" for key, value in self.fact.n.items())

    def __repr__(self):
        rows = [("", "value", "95 % interval"), *self._cells()]
        wide = [max(len(row[i]) for row in rows) for i in range(2)]
        lines = [f"{name:<{wide[0]}}  {value:>{wide[1]}}  {span}".rstrip() for name, value, span in rows]
        return "\n".join([*lines, f"n: {self._measured_on()}"])

    def _repr_html_(self):
        body = "".join(
            f"<tr><th scope='row'>{name}</th><td>{value}</td><td>{span}</td></tr>"
            for name, value, span in (map(html.escape, cells) for cells in self._cells())
        )
        head = "<tr><td></td><th scope='col'>value</th><th scope='col'>95 % interval</th></tr>"
        note = f"n: {html.escape(self._measured_on())}"
        table = f"<thead>{head}</thead><tbody>{body}</tbody>"
        return f"<table class='ag-report'><caption>{note}</caption>{table}</table>"


class Records:
    """The texts as the two models and their untrained twins see them; each is run when first asked for.

    Parameters
    ----------
    texts : sequence of str, optional
        The 24 texts of `data.texts` by default.
    models : sequence of str
        Which of "MiniLM" and "SmolLM2" to measure on.
    seed : int
        Seed of the twins and of all nulls. Draws depend on it and on a text's tokens, not on the other texts.
    """

    def __init__(self, texts=None, *, models=MODELS, seed=SEED):
        self.texts = tuple(the_texts() if texts is None else texts)
        self.models, self.seed, self._kept = tuple(models), seed, {}
        unknown = set(self.models) - set(MODELS)
        if unknown or not self.texts or not self.models:
            raise ValueError(f"expected at least one text and models among {MODELS}, got {len(self.texts)}, {models}")

    def module(self, model):
        """The module that reads this model."""
        from attention_geometry.models import minilm, smollm2

        return {"MiniLM": minilm, "SmolLM2": smollm2}[model]

    def twin(self, model):
        """The untrained twin."""
        return self._once(("twin", model), lambda: self.module(model).untrained(self.seed))

    def wider(self, model):
        """The residual streams of a twin whose matrices have standard deviation 1/√d instead of 0.02."""
        module, width = self.module(model), {"MiniLM": 384, "SmolLM2": 576}[model]
        twin = module.untrained(self.seed, std=width**-0.5)
        return [module.record(text, model=twin).hidden for text in self.texts]

    def of(self, model, *, trained=True):
        """One record a text; of what is large, only what the facts read."""
        return self._once((model, trained), lambda: [self._run(model, text, trained) for text in self.texts])

    def noise(self, model):
        """For each text scores of Gaussian noise, all keys allowed, as flat as each head of the trained model."""
        return self._once(("noise", model), lambda: [self._noise(record) for record in self.of(model)])

    def rng(self, record, salt=0):
        """A generator for one text: the same whichever other texts are measured."""
        return np.random.default_rng([self.seed, salt, zlib.crc32(repr((record.model, record.tokens)).encode())])

    def _run(self, model, text, trained):
        record = self.module(model).record(text, model=None if trained else self.twin(model))
        drop = ("inputs", "values") + (() if trained else ("queries", "keys"))
        return record if model == "MiniLM" else dataclasses.replace(record, **dict.fromkeys(drop))

    def _noise(self, record):
        return nulls.temperature_matched(softmax(record.scores), self.rng(record, 1)).scores

    def _once(self, key, make):
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]


class Findings:
    """Collects what one fact measures, and makes the `Fact`; ``texts`` is None where no text is read."""

    def __init__(self, records, *, texts=True):
        self.seed, self.texts = records.seed, len(records.texts) if texts else None
        self.values, self.interval, self.nulls, self.n = {}, {}, {}, {}
        self.per_text, self.arrays, self.sentences = {}, {}, []

    def over_texts(self, rows, *, null=("untrained", "noise", "shuffled", "chance")):
        """Take columns of one number a text: the mean, with its interval over texts. Keys with a word of ``null`` in
        them are nulls."""
        columns = np.array([np.asarray(column, dtype=float) for column in rows.values()]).T
        found = bootstrap(columns, self.seed)
        for i, key in enumerate(rows):
            target = self.nulls if any(word in key for word in null) else self.values
            self.put(target, key, found.estimate[i], (found.low[i], found.high[i]))
            self.per_text[key] = columns[:, i]

    def put(self, target, key, value, ends=None):
        """One number, with the ends of its interval if it has one."""
        target[key] = value
        if ends is not None and np.isfinite(np.array(ends, dtype=float)).all():  # one text has none
            self.interval[key] = tuple(ends)

    def value(self, key, value, ends=None):
        self.put(self.values, key, value, ends)

    def null(self, key, value, ends=None):
        self.put(self.nulls, key, value, ends)

    def statistic(self, key, values, statistic, *, null=False):
        """A statistic of an array (texts, …), with its interval over texts."""
        found = bootstrap(values, self.seed, statistic)
        self.put(self.nulls if null else self.values, key, found.estimate, (found.low, found.high))

    def say(self, template):
        """Add a sentence; ``{key:format}`` becomes the rounded number of the key, ``{low key:format}`` its interval."""
        ends = {f"{word} {key}": end for key, pair in self.interval.items() for word, end in zip(("low", "high"), pair)}
        self.sentences.append(_Filled().vformat(template, (), self.n | ends | self.values | self.nulls))

    def fact(self, name, *, conditions, note):
        return Fact(
            name=name,
            sentence=" ".join(self.sentences),
            values=_rounded(self.values),
            interval={key: tuple(_round(end) for end in pair) for key, pair in self.interval.items()},
            nulls=_rounded(self.nulls),
            n=({} if self.texts is None else {"texts": self.texts}) | {key: int(x) for key, x in self.n.items()},
            conditions=tuple(conditions),
            note=note,
            seed=self.seed,
            per_text={key: from_units(*in_units(column, COLUMN_PARTS)) for key, column in self.per_text.items()},
            arrays={key: from_units(*in_units(array, ARRAY_PARTS)) for key, array in self.arrays.items()},
        )


def bootstrap(values, seed, statistic=nulls.mean_over_texts):
    """95 % percentile interval over texts, 2000 resamples."""
    return nulls.bootstrap_texts(values, statistic, rng=seed)


def auc(high, low):
    """Probability that a number of the first lot is above one of the second, ties counted half; over the last axis."""
    high, low = np.asarray(high)[..., :, None], np.asarray(low)[..., None, :]
    return ((high > low).mean((-2, -1)) + (high >= low).mean((-2, -1))) / 2


def per_head(rows):
    """Median over texts, one number a head."""
    return np.nanmedian(np.array(rows), axis=0)


def median_head(values):
    """Median over heads of each head's median over texts, for an array (texts, heads)."""
    return np.median(np.median(values, axis=0))


def transposed(M):
    return np.swapaxes(M, -1, -2)


class _Filled(string.Formatter):
    """Fields are whole keys, which may hold spaces; they are rounded as they will be stored before being shown."""

    def get_field(self, field_name, args, kwargs):
        value = kwargs[field_name]
        return (value if isinstance(value, (int, np.integer)) else _round(value)), field_name


def _round(x):
    if isinstance(x, (bool, np.bool_, int, np.integer)):
        return int(x)
    return float(f"{float(x):.{DIGITS}g}")


def _rounded(numbers):
    return {key: _round(value) for key, value in numbers.items()}


def in_units(array, parts):
    """Whole numbers and the power of ten they count, at most ``parts`` of it, as the file holds them."""
    array = np.asarray(array, dtype=float)
    largest = np.abs(array).max()
    power = int(np.ceil(np.log10(largest / parts))) if largest > 0 else 0
    return np.rint(array / 10.0**power).astype(int), power


def from_units(whole, power):
    """The array that `in_units` cut."""
    return np.asarray(whole, dtype=float) / 10.0**-power if power < 0 else np.asarray(whole) * 10.0**power
