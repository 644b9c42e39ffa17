"""What a measurement is: numbers by measure, layer and head, with intervals, nulls and conditions."""

import dataclasses
import zlib

import numpy as np

from attention_geometry._inputs import require
from attention_geometry._measure_entry import without_count
from attention_geometry._measure_print import as_html, as_text
from attention_geometry._text import Report, show
from attention_geometry.nulls import adjusted_p, bootstrap_texts, max_t, percentile_against

#: What a result keeps of each measure and of each null, so that it can be read without this version of the tables.
MEASURE_TEXTS = ("label", "question", "space", "unit", "object", "sum_rule", "conditions", "per")
NULL_TEXTS = ("destroys", "keeps", "pooled")


@dataclasses.dataclass(frozen=True, repr=False)
class HeadNumber(Report):
    """One number with everything that must stand beside it: see `Measurements.at`.

    Attributes
    ----------
    measure, value, unit : str, float, str
        None where it is undefined.
    low, high : float or None
        Bootstrap interval over the texts.
    nulls : dict
        For each null the ``effect`` (value minus the null's median, in the unit of the value) and the ``percentile``
        (per cent of the null below the value; ties count half).
    conditions : dict
        Object, model, layer, head, sum rule, mask, positions, precision, tokens, texts, seed, …
    reasons : dict
        Why a field is undefined.
    """

    measure: str
    value: float
    unit: str
    low: float
    high: float
    nulls: dict
    conditions: dict
    reasons: dict

    def _rows(self):
        rows = [row for row in super()._rows() if row[0] not in ("nulls", "conditions", "reasons")]
        for name, found in self.nulls.items():
            rows.append((f"against {name}", f"effect {show(found['effect'])}, percentile {show(found['percentile'])}"))
        return rows + [(k, show(v)) for part in (self.conditions, self.reasons) for k, v in part.items()]


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Measurements(Report):
    """The numbers of many heads; printed, a table of the medians over heads.

    Attributes
    ----------
    values : dict
        For each measure an array (text, layer, head), NaN where undefined. The text axis has length 1 for the measures
        of the form, which no text changes; the head axis has length 1 for measures of a layer.
    draws : dict
        For each (measure, null) an array (draw, layer, head): means over texts, like the measured ones.
    reasons : dict
        For each measure with undefined numbers, why.
    conditions : dict
        What holds for every number: model, mask, positions, precision, tokens of each text, seed, …
    measures, nulls : dict
        For each measure its label, question, space, unit, object, sum rule and conditions; for each null what it
        destroys and keeps.
    layers, heads : tuple of int
        Which ones, from 0.
    """

    values: dict
    draws: dict
    reasons: dict
    conditions: dict
    measures: dict
    nulls: dict
    layers: tuple
    heads: tuple
    _intervals: dict = dataclasses.field(default_factory=dict, init=False, compare=False)

    @classmethod
    def assembled(cls, measures, nulls, values, draws, reasons, conditions):
        """From entries of the tables; intervals are computed at once."""
        found = cls(
            values=values,
            draws=draws,
            reasons=reasons,
            conditions=conditions,
            measures={m.name: {name: getattr(m, name) for name in MEASURE_TEXTS} for m in measures},
            nulls={n.name: {name: getattr(n, name) for name in NULL_TEXTS} for n in nulls},
            layers=tuple(range(conditions["n_layers"])),
            heads=tuple(range(conditions["n_heads"])),
        )
        for name in found.values:
            found.interval(name)
        return found

    def __post_init__(self):
        for array in (*self.values.values(), *self.draws.values()):
            array.flags.writeable = False

    def mean(self, measure):
        """Means over the texts that have a number, (layer, head); (layer, 1) for a measure of a layer."""
        return mean_over_known(self._array(measure))

    def interval(self, measure):
        """Bootstrap interval over texts.

        Returns
        -------
        dict
            ``low``, ``high`` (layer, head) for each head; ``median_low``, ``median_high`` for the median over heads;
            ``reason`` where they are undefined. The draws of texts are the same for every measure.
        """
        if measure not in self._intervals:
            self._intervals[measure] = self._bootstrap(measure)
        return self._intervals[measure]

    def _bootstrap(self, measure):
        values = self._array(measure)
        texts, *shape = values.shape
        flat = values.reshape(texts, -1)
        nan = np.full(shape, np.nan)
        undefined = {"low": nan, "high": nan, "median_low": np.nan, "median_high": np.nan}
        if self.measures[measure]["space"] == "weights":
            return undefined | {"reason": "the form does not depend on the text"}
        if texts == 1:
            return undefined | {"reason": "one text shows no spread over texts"}
        if not np.isfinite(flat).any():
            return undefined | {"reason": "no text has a number"}

        complete = np.isfinite(flat).all()  # then the plain mean and median are the same and faster

        def statistic(which):
            chosen = flat[which.astype(int)]
            mean = chosen.mean(0) if complete else mean_over_known(chosen)
            return np.append(mean, np.median(mean) if complete else median_of_known(mean))

        rng = np.random.default_rng(self._seed("bootstrap"))
        options = {name: self.conditions[name] for name in ("resamples", "confidence")}
        found = bootstrap_texts(np.arange(texts), statistic, rng=rng, **options)
        ends = {"low": found.low[:-1].reshape(shape), "high": found.high[:-1].reshape(shape)}
        return ends | {
            "median_low": float(found.low[-1]), "median_high": float(found.high[-1]),
            "reason": without_count(found.reasons.get("low", "")),
        }  # fmt: skip

    def _seed(self, name):
        return np.random.SeedSequence(self.conditions["seed"], spawn_key=(zlib.crc32(name.encode()),))

    def against(self, measure, null):
        """How the heads stand in a null.

        Returns
        -------
        dict
            ``effect`` (layer, head): value minus the null's median. ``percentile`` (layer, head); NaN for a null of
            one draw. ``median_effect``: of the median over heads. ``median_percentile``: the median over heads of the
            percentiles. ``draws``: how many a head is held against.
        """
        value, null_values = self.mean(measure), self._draws(measure, null)
        head_medians = np.array([median_of_known(draw) for draw in self.draws[measure, null]])
        keep = np.isfinite(value) & np.isfinite(null_values).all(0)
        effect, percentile = np.full((2, *value.shape), np.nan)
        if keep.any():
            effect[keep] = value[keep] - np.median(null_values[:, keep], axis=0)
            if len(null_values) > 1:
                percentile[keep] = percentile_against(value[keep], null_values[:, keep]).percentile
        return {
            "effect": effect, "percentile": percentile, "draws": len(null_values),
            "median_effect": median_of_known(value) - median_of_known(head_medians),
            "median_percentile": median_of_known(percentile),
        }  # fmt: skip

    def _draws(self, measure, null):
        """(draw, layer, head); where heads are exchangeable every head of the layer is a draw."""
        if (measure, null) not in self.draws:
            known = ", ".join(n for m, n in self.draws if m == measure)
            raise KeyError(f"{measure!r} was not held against {null!r}; only against: {known or 'nothing'}")
        draws = self.draws[measure, null]
        if not self.nulls[null]["pooled"]:
            return draws
        pool = np.swapaxes(draws, 1, 2).reshape(-1, len(self.layers), 1)
        return np.broadcast_to(pool, (*pool.shape[:2], draws.shape[2]))

    def corrected_p(self, measure, null, *, method="by"):
        """Two-sided p-values of all heads, corrected for their number. Read the effects first.

        Parameters
        ----------
        measure, null : str
        method : {"by", "bh", "bonferroni", "max_t"}
            See `nulls.adjusted_p`; "max_t" (`nulls.max_t`) uses the draws of all heads together, on standardised
            differences.

        Returns
        -------
        ndarray (layer, head)
            NaN where undefined; none below 1/(1 + draws) of the null, see `nulls.draws_needed`.
        """
        value, null_values = self.mean(measure), self._draws(measure, null)
        keep = np.isfinite(value) & np.isfinite(null_values).all(0)
        p = np.full(value.shape, np.nan)
        if not keep.any():
            return p
        value, null_values = value[keep], null_values[:, keep]
        if method == "max_t":
            spread = null_values.std(0)
            spread = np.where(spread > 0, spread, 1.0)
            centre = null_values.mean(0)
            p[keep] = max_t(np.abs(value - centre) / spread, np.abs(null_values - centre) / spread)
        else:
            p[keep] = adjusted_p(percentile_against(value, null_values).p_two_sided, method=method)
        return p

    def at(self, measure, *, layer, head=None):
        """One number with its interval, its nulls and its conditions, as a `HeadNumber`."""
        self._array(measure)  # refuses what was not measured
        per_layer = self.measures[measure]["per"] == "layer"
        if (head is None) != per_layer:
            hint = "layer: leave head out" if per_layer else "head: give its number"
            raise ValueError(f"{measure!r} is a measure of a {hint}")
        (layer,), (head,) = (
            _chosen(layer, self.layers, "layer"),
            (None,) if per_layer else _chosen(head, self.heads, "head"),
        )
        where = self.layers.index(layer), 0 if per_layer else self.heads.index(head)
        value, ends = float(self.mean(measure)[where]), self.interval(measure)
        nulls = {}
        for name in self._nulls_of(measure):
            found = self.against(measure, name)
            nulls[name] = {key: _none(found[key][where]) for key in ("effect", "percentile")}
        reasons = {} if np.isfinite(value) else {"value": self.reasons.get(measure, "undefined")}
        reasons |= {"interval": ends["reason"]} if np.isnan(ends["low"][where]) and ends["reason"] else {}
        of = self.measures[measure]
        conditions = {"object": of["object"], "layer": layer, "head": head, "sum_rule": of["sum_rule"]}
        conditions |= {"note": of["conditions"]} | self.conditions
        low, high = _none(ends["low"][where]), _none(ends["high"][where])
        return HeadNumber(measure, _none(value), of["unit"], low, high, nulls, conditions, reasons)

    def select(self, measure=None, *, space=None, layer=None, head=None):
        """The part with some measures, layers or heads (each a name or number, or a sequence of them)."""
        names = list(self.values) if measure is None else _listed(measure)
        unknown = [name for name in names if name not in self.values]
        if unknown:
            raise KeyError(f"{unknown[0]!r} was not measured; there are: {', '.join(self.values)}")
        if space is not None:
            names = [name for name in names if self.measures[name]["space"] in _listed(space)]
        layers, heads = _chosen(layer, self.layers, "layer"), _chosen(head, self.heads, "head")
        rows, columns = ([known.index(i) for i in some] for known, some in ((self.layers, layers), (self.heads, heads)))

        draws = {key: x for key, x in self.draws.items() if key[0] in names}

        def part(x):
            return x[:, rows][:, :, columns] if x.shape[2] > 1 or len(self.heads) == 1 else x[:, rows]

        return dataclasses.replace(
            self,
            values={name: part(self.values[name]) for name in names},
            draws={key: part(x) for key, x in draws.items()},
            reasons={name: why for name, why in self.reasons.items() if name in names},
            measures={name: self.measures[name] for name in names},
            nulls={name: null for name, null in self.nulls.items() if any(name == n for _, n in draws)},
            layers=layers,
            heads=heads,
        )

    def __getitem__(self, measure):
        return self.select(measure)

    def __iter__(self):
        return iter(self.values)

    def __len__(self):
        return len(self.values)

    def to_dataframe(self):
        """One row for each measure, layer and head (extra ``pandas``).

        Columns ``value``, ``low``, ``high``, ``texts`` (with a number), ``reason``; for each null ``effect: name`` and
        ``percentile: name``; and the conditions. Measures of a layer have no ``head``.
        """
        pandas = require("pandas", "pandas")
        frame = pandas.DataFrame([row for name in self.values for row in self._records_of(name)])
        return frame.astype({"head": "Int64"}) if len(frame) else frame

    def _records_of(self, measure):
        value, ends, of = self.mean(measure), self.interval(measure), self.measures[measure]
        counts = np.isfinite(self.values[measure]).sum(0)
        against = {name: self.against(measure, name) for name in self._nulls_of(measure)}
        common = {name: of[name] for name in MEASURE_TEXTS if name not in ("label", "question", "per")}
        common |= {name: _plain(x) for name, x in self.conditions.items()}
        common["n_texts"] = common.pop("texts")
        for i, j in np.ndindex(value.shape):
            head = None if of["per"] == "layer" else self.heads[j]
            reason = "" if np.isfinite(value[i, j]) else self.reasons.get(measure, "undefined")
            row = {"measure": measure, "layer": self.layers[i], "head": head, "value": value[i, j]}
            row |= {"low": ends["low"][i, j], "high": ends["high"][i, j], "texts": counts[i, j], "reason": reason}
            for name in self.nulls:
                for key in ("effect", "percentile"):
                    row[f"{key}: {name}"] = against[name][key][i, j] if name in against else np.nan
            yield row | common

    def to_xarray(self):
        """An ``xarray.Dataset`` (extra ``xarray``): each measure (text, layer, head) without the axes it does not have,
        and ``measure against null`` (draw, layer, head)."""
        xarray = require("xarray", "xarray")
        data = {}
        for name, x in self.values.items():
            of = self.measures[name]
            attrs = of | {"reason": self.reasons.get(name, "")}
            data[name] = xarray.DataArray(**_squeezed(x, "text", of), attrs=attrs)
        for (name, null), x in self.draws.items():
            of, axis = self.measures[name], f"draw_{null}"
            data[f"{name} against {null}"] = xarray.DataArray(**_squeezed(x, axis, of), attrs=dict(self.nulls[null]))
        coords = {"layer": list(self.layers), "head": list(self.heads)}
        coords = {axis: x for axis, x in coords.items() if any(axis in array.dims for array in data.values())}
        return xarray.Dataset(data, coords, {name: _plain(x) for name, x in self.conditions.items()})

    def save(self, path):
        """Write everything to ``path`` without loss, see `load` (extra ``models``)."""
        from attention_geometry._measure_files import save

        save(self, path)

    def _array(self, measure):
        if measure not in self.values:
            raise KeyError(f"{measure!r} was not measured; there are: {', '.join(self.values)}")
        return self.values[measure]

    def _nulls_of(self, measure):
        return [null for name, null in self.draws if name == measure]

    def __repr__(self):
        return as_text(self)

    def _repr_html_(self):
        return as_html(self)


def mean_over_known(values):
    """Mean along the first axis, over what is not NaN."""
    known = np.isfinite(values)
    return np.where(known, values, 0.0).sum(0) / np.where(known.any(0), known.sum(0), np.nan)


def median_of_known(values):
    """Median over everything that is not NaN; NaN if there is nothing."""
    known = values[np.isfinite(values)]
    return float(np.median(known)) if known.size else np.nan


def _none(x):
    return None if np.isnan(x) else float(x)


def _plain(x):
    return ", ".join(map(str, x)) if isinstance(x, (list, tuple)) else x


def _listed(x):
    return [x] if isinstance(x, str) else list(x)


def _chosen(which, known, name):
    chosen = known if which is None else (which,) if np.ndim(which) == 0 else tuple(which)
    for i in chosen:
        if i not in known:
            raise IndexError(f"{name} {i} was not measured; there are {known[0]} … {known[-1]}")
    return tuple(int(i) for i in chosen)


def _squeezed(x, axis, of):
    """The array without the axes that its measure does not have, and the names of the others."""
    dims = [axis, "layer", "head"]
    if of["per"] == "layer":
        x, dims = x[:, :, 0], dims[:2]
    if of["space"] == "weights" and axis == "text":
        x, dims = x[0], dims[1:]
    return {"data": x, "dims": dims}
