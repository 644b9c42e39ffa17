"""Every measure of the package over all heads, each number with its conditions, its interval and its nulls.

``measure(records, rng=0)`` gives a `Measurements`, which prints itself as a table. `MEASURES` lists what can be
measured and `NULLS` what it is held against; either shows all its columns in a notebook. The unit of an interval is
the text.

What can be measured, each with its question:

>>> MEASURES
symmetric_share           How much of the form's energy is symmetric?
symmetry_score            Symmetric minus antisymmetric energy, as a share?
trace_ratio               Do positive or negative eigenvalues of B_s weigh more?
positive_eigenvalues      How many eigenvalues of B_s are positive?
negative_eigenvalues      How many eigenvalues of B_s are negative?
form_stable_rank          How many directions carry the form's energy?
form_effective_rank       How many directions does the form use?
popularity                How much of the scores says that some keys are liked by all?
reciprocal                How much says that two tokens agree on each other?
circulating               How much runs around cycles (irreversible)?
cycle_curl                How far are three tokens from a reversible round?
triangle_violations       How often is a detour less surprising than one hop?
cyclic_triples            How often do three tokens rank each other in a circle?
others_preferred          How often is another token preferred to oneself?
entropy                   How undecided is a row?
effective_keys            Over how many keys does a row spread?
self_weight               How much weight stays on the token itself?
sink_score                How much weight goes to the first token?
previous_token_score      How much weight goes to the token before?
next_token_score          How much weight goes to the token after?
duplicate_token_score     How much weight goes to the same token elsewhere?
induction_score           How much weight goes to what followed this token last time?
spectral_gap              How fast would the chain A forget (asymptotically)?
dobrushin                 How far do the two most different rows differ?
mean_pairwise_tv          How differently do two queries look?
row_curvature             How much closer are two rows than their tokens?
weights_effective_rank    How many directions does A use?
mean_cosine               Do the tokens share a direction?
isoscore                  How evenly does the cloud of tokens fill its space?
contribution_norm         How much does the head add to the residual stream?
first_token_contribution  How much of it comes from the first token?
contribution_correlation  Do large weights mean large contributions?

What each null destroys:

>>> NULLS
haar       how queries and keys are turned to each other
gaussian   all that training did to the spectrum of B
rows       where a row looks
offsets    which tokens: content, columns, sinks
noise      which keys, any relation of rows
uniform    everything but the mask: the baseline of a score
cloud      the mean direction and the axes
isotropic  the shape of the cloud
shuffled   the order of the tokens (the model ran again)
untrained  training
"""

import contextlib
import itertools

import numpy as np

from attention_geometry._inputs import as_number, as_rng
from attention_geometry._measure_files import load
from attention_geometry._measure_nulls import NULLS, Null
from attention_geometry._measure_registry import MEASURES, Measure
from attention_geometry._measure_run import MeasureError, handed_over, results, tasks
from attention_geometry._measure_table import HeadNumber, Measurements, mean_over_known

__all__ = [
    "MEASURES", "NULLS", "HeadNumber", "Measure", "MeasureError", "Measurements", "Null", "load", "measure",
]  # fmt: skip


def measure(
    records, measures=None, *, nulls=None, rng, draws=20, resamples=2000, confidence=0.95, executor=None, progress=False
):
    """Measure all heads of a model on one text or on many.

    Parameters
    ----------
    records : AttentionRecord or sequence of AttentionRecord
        What a model handed over, one record for each text, all of one model.
    measures : str or sequence of str, optional
        Names in `MEASURES`; all of them by default. An object of type `Measure` serves as well.
    nulls : str, sequence of str or mapping, optional
        Names in `NULLS`. By default every null that can be drawn here, for the measures it makes sense for; ``()`` for
        none. A mapping adds to these the nulls that need the model, ``{"untrained": draws}`` or
        ``{"shuffled": draws}``: a list of draws, each like ``records`` (for one text a list of records, for one draw
        the records alone); a value of False leaves a null out.
    rng : int or numpy.random.Generator
        Seed. Every text, head and null has a seed of its own, made from this one.
    draws : int
        Draws of each null.
    resamples, confidence
        Of the bootstrap over texts (`nulls.bootstrap_texts`, percentile).
    executor : concurrent.futures.Executor, optional
        Threads, processes or a cluster to share the layers among. The numbers are the same, to the last bit.
    progress : bool
        Show a bar on the error stream (extra ``progress``).

    Returns
    -------
    Measurements

    Raises
    ------
    TypeError
        If records are no records, or the executor none.
    ValueError
        If there is no record, they are of different models, rng is None, or a name is unknown.
    MeasureError
        If a measure fails, with the text, layer and head.

    Notes
    -----
    A measure that is not defined for a record gives NaN and a sentence in ``reasons``. Weight-space measures do not
    depend on the text and are taken once. A null statistic is, like the measured one, a mean over texts, so that a
    percentile compares like with like; with the default 20 draws percentiles come in steps of 5, and a p-value cannot
    fall below 1/21. Nothing here is a causal claim: that takes an intervention.

    Examples
    --------
    >>> from attention_geometry.data import sentence_record
    >>> found = measure(sentence_record(), ["previous_token_score", "self_weight"], nulls="uniform", rng=0)
    >>> previous = found.at("previous_token_score", layer=0, head=0)
    >>> sorted(previous.nulls)
    ['uniform']
    """
    records = _records(records)
    if executor is not None and not hasattr(executor, "submit"):
        raise TypeError(f"executor is a {type(executor).__name__}; expected a concurrent.futures.Executor or None")
    chosen = _measures(measures)
    drawn, given = _nulls(nulls, records)
    draws, seed = as_number(draws, "draws", low=1, integer=True), _seed(rng)
    parts = [(chosen, records, drawn, None)]
    for name, twins in given.items():
        some = tuple(m for m in chosen if name in m.nulls)
        parts += [(some, twin, (), (name, k)) for k, twin in enumerate(twins)]
    jobs = itertools.chain.from_iterable(tasks(part, draws, seed) for part in parts)
    total = sum(_count(twin, some) for some, twin, *_ in parts)
    found = _Found(records, chosen, {name: len(twins) for name, twins in given.items()})
    with contextlib.closing(results(jobs, executor, progress, total)) as stream:
        for task, result in stream:
            found.take(task, result)
    names = [NULLS[n] for n in NULLS if any(null == n for _, null in found.draws)]
    conditions = _conditions(records) | {
        "seed": seed, "draws": draws, "resamples": as_number(resamples, "resamples", low=1, integer=True),
        "confidence": as_number(confidence, "confidence", low=1e-9, high=1 - 1e-9),
    }  # fmt: skip
    return Measurements.assembled(chosen, names, found.values, found.mean_draws(), found.reasons(), conditions)


class _Found:
    """Numbers as they come in, put where they belong."""

    def __init__(self, records, measures, given):
        self.texts, self.shape = len(records), (records[0].n_layers, records[0].n_heads)
        self.per = {m.name: m for m in measures}
        self.values = {m.name: np.full(self._shape(m), np.nan) for m in measures}
        self.draws, self.given, self.why = {}, given, {m.name: {} for m in measures}

    def _shape(self, m):
        return (1 if m.space == "weights" else self.texts, self.shape[0], 1 if m.per == "layer" else self.shape[1])

    def take(self, task, result):
        text, (name, k) = task.text or 0, task.twin or (None, None)
        for key, value in result.items():
            if isinstance(key, tuple):
                self._draw(key, value.shape[1])[text, :, task.layer] = value.T
            elif name is not None:
                self._draw((key, name), self.given[name])[text, k, task.layer] = value[0]
            else:
                self.values[key][text, task.layer] = value[0]
                if value[1] and np.isnan(value[0]).any():
                    count = self.why[key]
                    count[value[1]] = count.get(value[1], 0) + int(np.isnan(value[0]).sum())

    def _draw(self, key, draws):
        texts, *heads = self._shape(self.per[key[0]])
        return self.draws.setdefault(key, np.full((texts, draws, *heads), np.nan))

    def mean_draws(self):
        """Means over the texts that have a number, in the order of the registry whatever came first."""
        order = [(m, n) for m in self.values for n in NULLS if (m, n) in self.draws]
        return {key: mean_over_known(self.draws[key]) for key in order}

    def reasons(self):
        found = {}
        for name, why in self.why.items():
            size = self.values[name].size
            parts = [text if count == size else f"{text} ({count} of {size})" for text, count in sorted(why.items())]
            found |= {name: "; ".join(parts)} if parts else {}
        return found


def _records(records):
    records = [records] if hasattr(records, "weights") else records
    if isinstance(records, (str, bytes, dict)) or not hasattr(records, "__iter__"):
        raise TypeError(f"records is a {type(records).__name__}; {_EXPECTED}")
    records = list(records)
    for i, record in enumerate(records):
        if not all(hasattr(record, name) for name in ("weights", "form_factors", "key_head", "tokens")):
            raise TypeError(f"records[{i}] is a {type(record).__name__}; {_EXPECTED}")
    if not records:
        raise ValueError("records is empty; expected at least one text")
    for i, record in enumerate(records[1:], 1):
        for field in ("model", "n_layers", "n_heads", "positions", "precision", "folded", "key_head"):
            one, other = getattr(records[0], field), getattr(record, field)
            if one != other:
                raise ValueError(
                    f"records 0 and {i} differ in {field}: {one!r} and {other!r}; measure each model apart"
                )
        if not (_same(records[0].W_Q, record.W_Q) and _same(records[0].W_K, record.W_K)):
            raise ValueError(f"records 0 and {i} hold different matrices under one name; measure each model apart")
    return records


_EXPECTED = (
    "expected an AttentionRecord or a list of them, one for each text; models.arrays.record makes one from bare arrays"
)


def _same(a, b):
    return a is b or (a is not None and b is not None and np.array_equal(a, b))


def _measures(names):
    names = list(MEASURES) if names is None else [names] if isinstance(names, (str, Measure)) else list(names)
    chosen = tuple(m if isinstance(m, Measure) else _known(MEASURES, m, "measure") for m in names)
    if not chosen:
        raise ValueError("measures is empty; name at least one, or None for all")
    if len({m.name for m in chosen}) < len(chosen):
        raise ValueError("a measure is named twice")
    return chosen


def _nulls(nulls, records):
    """The nulls to draw, and the draws that the caller hands over."""
    drawn = [name for name, null in NULLS.items() if null.function is not None]
    given = {}
    if isinstance(nulls, dict):
        left_out = [_known(NULLS, name, "null").name for name, twins in nulls.items() if twins is False]
        drawn = [name for name in drawn if name not in left_out]
        given = {n: handed_over(_known(NULLS, n, "null").name, d, records) for n, d in nulls.items() if d is not False}
    elif nulls is not None:
        drawn = [_known(NULLS, n, "null").name for n in ([nulls] if isinstance(nulls, str) else nulls)]
        needs = [name for name in drawn if NULLS[name].function is None]
        if needs:
            raise ValueError(f"null {needs[0]!r} needs the model: pass nulls={{{needs[0]!r}: records of it}}")
    return tuple(NULLS[name] for name in drawn), given


def _known(table, name, what):
    if name not in table:
        raise ValueError(f"{name!r} is no {what}; there are: {', '.join(table)}")
    return table[name]


def _seed(rng):
    if isinstance(rng, (int, np.integer)):
        return as_number(rng, "rng", low=0, integer=True)
    return int(as_rng(rng).integers(2**63))


def _count(records, measures):
    layers = records[0].n_layers
    form = any(m.space == "weights" for m in measures)
    return layers * (form + len(records) * any(m.space != "weights" for m in measures))


def _conditions(records):
    first = records[0]
    masks = {_mask_name(record.mask) for record in records}
    return {
        "model": first.model, "n_layers": first.n_layers, "n_heads": first.n_heads, "texts": len(records),
        "tokens": [record.n_tokens for record in records], "mask": masks.pop() if len(masks) == 1 else "several",
        "scores": "known" if all(r.scores is not None for r in records) else "unknown",
        "positions": first.positions, "precision": first.precision,
        "folded": {True: "yes", False: "no", None: "unknown"}[first.folded],
    }  # fmt: skip


def _mask_name(mask):
    if mask.all():
        return "none: every token attends to every token"
    causal = np.tri(mask.shape[-1], dtype=bool)
    return "causal" if (mask == causal).all() else "of the record"
