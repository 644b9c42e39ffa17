"""From trained weights to reports, and from reports to the stored record and back."""

import datetime
import hashlib
import itertools
import json
import pathlib

import numpy as np

from .. import __version__, data
from . import _toy_induction as ind
from . import _toy_relation as rel
from . import _toy_train as train

SEEDS = (0, 1, 2, 3, 4)
AXES = {"task": rel.TASKS, "family": rel.FAMILIES, "diagonal": rel.DIAGONALS, "seed": SEEDS}
#: The (layers, period) of the stored models of the induction task: the head, the trap, and one layer too few.
INDUCTIONS = ((2, "varying"), (2, "fixed"), (1, "varying"))
RELATION_READINGS = ("losses", "accuracy", "rho_scores", "rho_form", "mass", "arrows", "most_arrows")
INDUCTION_READINGS = ("losses", "accuracy", "previous", "induction")
_UNDEFINED = np.iinfo(np.int16).min


def relation_runs(task, family, diagonal, seeds):
    """Train the seeds together and read each of them."""
    trained = train.relations(task, family, diagonal, seeds)
    for i, seed in enumerate(seeds):
        parameters = {name: eight_bit(array[:, i]) for name, array in trained.items()}
        found = _along(parameters, lambda p: rel.read(p, task, family, diagonal))
        choices = found.pop("choices")[-1]
        yield rel.RelationRun(
            task=task, family=family, diagonal=diagonal, seed=seed, steps=rel.CHECKPOINTS,
            **{name: thousandths(array) for name, array in found.items()}, choices=choices, parameters=parameters,
        )  # fmt: skip


def induction_runs(layers, period, seeds):
    """Train the seeds together and read each of them."""
    trained = train.induction(layers, period, seeds)
    for i, seed in enumerate(seeds):
        parameters = {name: eight_bit(array[:, i]) for name, array in trained.items()}
        found = _along(parameters, ind.read)
        yield ind.InductionRun(
            period=period, layers=layers, seed=seed, steps=ind.CHECKPOINTS,
            **{name: thousandths(array) for name, array in found.items()}, parameters=parameters,
        )  # fmt: skip


def stored_relation(task, family, diagonal, seed):
    """One run of the record."""
    stored, at = data.load("toy_relations"), (rel.TASKS.index(task), rel.FAMILIES.index(family))
    at = (*at, rel.DIAGONALS.index(diagonal), SEEDS.index(seed))
    places = [i for i, kept in enumerate(stored["kept"].tolist()) if tuple(kept) == at]
    shapes = {name: shape for name, shape in rel.SHAPES.items() if name != "W_Q" or family == "free"}
    return rel.RelationRun(
        task=task, family=family, diagonal=diagonal, seed=seed, steps=rel.CHECKPOINTS,
        **{name: from_thousandths(stored[name][at]) for name in RELATION_READINGS},
        choices=stored["choices"][at].astype(int), parameters=_unpacked(stored, places, shapes),
    )  # fmt: skip


def stored_induction(layers, period, seed):
    """One run of the record."""
    stored, at = data.load("toy_induction"), (INDUCTIONS.index((layers, period)), SEEDS.index(seed))
    places = [i for i, kept in enumerate(stored["kept"].tolist()) if tuple(kept) == at]
    found = {name: from_thousandths(stored[name][at]) for name in INDUCTION_READINGS}
    found |= {name: found[name][..., :layers] for name in ("previous", "induction")}
    parameters = _unpacked(stored, places, ind.shapes(layers))
    return ind.InductionRun(
        period=period, layers=layers, seed=seed, steps=ind.CHECKPOINTS, **found, parameters=parameters
    )


def eight_bit(array):
    """The nearest multiples of a power of two, at most 127 of them: (checkpoint, …), a power for each checkpoint."""
    step = _step(array)
    return np.round(array / step) * step


def thousandths(array):
    """Rounded to three digits after the point, as the record keeps them."""
    return from_thousandths(_as_thousandths(array))


def from_thousandths(array):
    """Numbers of the record: thousandths in 16 bits, the smallest one for "undefined"."""
    return np.where(array == _UNDEFINED, np.nan, array / 1000)


def _as_thousandths(array):
    return np.where(np.isnan(array), _UNDEFINED, np.round(np.nan_to_num(array) * 1000)).astype(np.int16)


def _step(array):
    largest = np.abs(array).max(tuple(range(1, array.ndim)), keepdims=True)
    return 2.0 ** np.ceil(np.log2(np.where(largest > 0, largest, 1.0) / 127))


def _along(parameters, read):
    """Readings of every checkpoint, stacked."""
    steps = range(len(next(iter(parameters.values()))))
    found = [read({name: array[c] for name, array in parameters.items()}) for c in steps]
    return {name: np.stack([one[name] for one in found]) for name in found[0]}


def _packed(parameters):
    """Two arrays of bytes: whole numbers (checkpoint, entry), and the exponents of their powers of two."""
    steps = {name: _step(array) for name, array in parameters.items()}
    numbers = [np.round(array / steps[name]).reshape(len(array), -1) for name, array in parameters.items()]
    exponents = [np.log2(step).reshape(len(step)) for step in steps.values()]
    return np.concatenate(numbers, 1).astype(np.int8), np.stack(exponents, 1).astype(np.int8)


def _unpacked(stored, places, shapes):
    if not places:
        return None
    parameters, start = {}, 0
    for i, (name, shape) in enumerate(shapes.items()):
        size = int(np.prod(shape))
        numbers = stored["parameters"][places, start : start + size].reshape(-1, *shape)
        step = 2.0 ** stored["exponents"][places, i].astype(float)
        parameters[name], start = numbers * step.reshape(-1, *[1] * len(shape)), start + size
    return parameters


def build_relations(progress=print):
    """The arrays of the central experiment; trains 120 models."""
    runs = {}
    for task, family, diagonal in itertools.product(rel.TASKS, rel.FAMILIES, rel.DIAGONALS):
        for run in relation_runs(task, family, diagonal, SEEDS):
            runs[task, family, diagonal, run.seed] = run
        progress(f"{task}, {family}, {diagonal}: accuracy {np.round(np.mean(run.accuracy[-1]), 2)} (seed {run.seed})")
    keys = list(itertools.product(*AXES.values()))
    arrays = _readings([runs[key] for key in keys], RELATION_READINGS, tuple(map(len, AXES.values())))
    choices = np.stack([runs[key].choices for key in keys]).astype(np.int8)
    arrays["choices"] = choices.reshape(*map(len, AXES.values()), *choices.shape[1:])
    kept = {}
    for i, key in enumerate(keys):
        if key[0] != "involution" and key[-1] == 0:
            whole = key[:3] == ("cycle", "free", "allowed")
            kept[tuple(np.unravel_index(i, tuple(map(len, AXES.values()))))] = _last(runs[key], whole)
    return arrays | _bytes(kept)


def build_induction(progress=print):
    """The arrays of the induction task; trains 15 models."""
    runs = []
    for layers, period in INDUCTIONS:
        runs += induction_runs(layers, period, SEEDS)
        progress(f"induction, {layers} layers, {period}: accuracy {runs[-1].accuracy[-1]} (seed {runs[-1].seed})")
    arrays = _readings(runs, INDUCTION_READINGS, (len(INDUCTIONS), len(SEEDS)))
    return arrays | _bytes({(i, 0): _last(runs[i * len(SEEDS)], False) for i in range(2)})


def write(folder=None):
    """Write both files and their entries in ``sources.json``; files whose arrays did not change stay as they are."""
    folder = pathlib.Path(data.__file__).parent if folder is None else pathlib.Path(folder)
    built = {name: build() for name, (build, _, _) in FILES.items()}
    listing = folder / "sources.json"
    sources = json.loads(listing.read_text(encoding="utf-8")) if listing.exists() else {}
    for name, (_, what, meanings) in FILES.items():
        path, old = folder / f"{name}.npz", sources.get(name, {})
        date, version = old.get("date"), old.get("version")
        if date and path.exists() and _equal(path, built[name]):
            print(f"{name}: unchanged")
        else:
            date, version = datetime.date.today().isoformat(), __version__
            with open(path, "wb") as file:
                np.savez_compressed(file, **built[name])
            print(f"{name}: written, {path.stat().st_size / 1000:.0f} kB")
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        made = {"date": date, "version": version, "sha256": sha256}
        sources[name] = {"what": what, **ORIGIN, **made, "arrays": meanings}
    listing.write_text(json.dumps(sources, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _readings(runs, names, shape):
    """Thousandths of every reading, runs on the leading axes; what a model with one layer lacks is undefined."""
    arrays = {}
    for name in names:
        parts = [getattr(run, name) for run in runs]
        width = max(part.shape[-1] for part in parts)
        pads = [[(0, 0)] * (part.ndim - 1) + [(0, width - part.shape[-1])] for part in parts]
        whole = np.stack([np.pad(part, pad, constant_values=np.nan) for part, pad in zip(parts, pads)])
        arrays[name] = _as_thousandths(whole.reshape(*shape, *whole.shape[1:]))
    return arrays


def _last(run, whole):
    return run.parameters if whole else {name: array[-1:] for name, array in run.parameters.items()}


def _bytes(kept):
    """The kept parameter sets one below the other, filled up with zeros to one length, and whose they are."""
    packed = {key: _packed(parameters) for key, parameters in kept.items()}
    width, parts = max(numbers.shape[1] for numbers, _ in packed.values()), max(e.shape[1] for _, e in packed.values())
    fill = lambda x, n: np.pad(x, ((0, 0), (0, n - x.shape[1])))  # noqa: E731
    return {
        "kept": np.array([key for key, (numbers, _) in packed.items() for _ in numbers], dtype=np.int8),
        "parameters": np.concatenate([fill(numbers, width) for numbers, _ in packed.values()]),
        "exponents": np.concatenate([fill(exponents, parts) for _, exponents in packed.values()]),
    }


def _equal(path, arrays):
    with np.load(path, allow_pickle=False) as stored:
        return set(stored) == set(arrays) and all(np.array_equal(stored[name], arrays[name]) for name in arrays)


ORIGIN = {
    "model": "toy models, trained here from random weights",
    "authors": "the authors of this book",
    "licence": "CC BY 4.0",
    "licence_source": "LICENSE-text of this project",
    "source": "attention_geometry.models.toy, seeds 0 to 4",
    "script": "python -m attention_geometry.models.toy",
}
_ALONG = "checkpoint follows the steps of the run; thousandths, −32768 where undefined"
_KEPT = {
    "kept": "of which run each row of parameters is: its place on the leading axes; checkpoints in order, or the last",
    "parameters": "whole numbers in 8 bits, (row, entry): W_Q, W_K, … one after the other, then zeros",
    "exponents": "(row, matrix): the power of two that a matrix's whole numbers are multiples of",
}
_RUN = "(task, family, diagonal, seed, checkpoint, "
FILES = {
    "toy_relations": (
        build_relations,
        "the central experiment: 4 score families × 3 tasks × 2 diagonals × 5 seeds",
        {
            "losses": f"{_RUN}complement or successor): nats; {_ALONG}",
            "accuracy": f"{_RUN}complement or successor): share of right answers",
            "rho_scores": f"{_RUN}head): ρ of the doubly centred scores",
            "rho_form": f"{_RUN}head): ρ of the form",
            "mass": f"{_RUN}head, 4): mean weight on complement, successor, predecessor, itself",
            "arrows": f"{_RUN}head): right hard choices, mean over the contexts",
            "most_arrows": f"{_RUN}head): the most in one context",
            "choices": "(task, family, diagonal, seed, head, 12): rank that each rank chooses in the first context",
        }
        | _KEPT,
    ),
    "toy_induction": (
        build_induction,
        "the induction task: two layers, two layers on one period, one layer; 5 seeds each",
        {
            "losses": f"(model, seed, checkpoint, fixed or varying texts): nats; {_ALONG}",
            "accuracy": "(model, seed, checkpoint, fixed or varying texts): share of right answers",
            "previous": "(model, seed, checkpoint, layer): previous-token score",
            "induction": "(model, seed, checkpoint, fixed or varying texts, layer): induction score",
        }
        | _KEPT,
    ),
}
