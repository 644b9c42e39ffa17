"""How a measurement is run: one task a layer and text, seeds that know no order, errors that name their head."""

import concurrent.futures
import dataclasses
import itertools
import zlib

import numpy as np

from attention_geometry._inputs import require
from attention_geometry._measure_nulls import NULLS
from attention_geometry._measure_view import View, form_of, view_of
from attention_geometry._threads import one_thread

#: Numbers in the largest array of draws that is held at a time.
BLOCK = 2**21
#: Tasks that an executor holds at a time, so that not all texts are copied at once.
IN_FLIGHT = 32
_stopped = set()
_runs = itertools.count()


@dataclasses.dataclass(frozen=True)
class Task:
    """One layer of one text (None: the form, the same for every text), with what is to be measured on it."""

    view: View
    heads: int
    measures: tuple
    nulls: tuple
    draws: int
    seed: int
    text: int | None
    layer: int
    twin: tuple | None
    run: int

    @property
    def place(self):
        text = "" if self.text is None else f"text {self.text}, "
        twin = f"null {self.twin[0]!r}, draw {self.twin[1]}, " if self.twin else ""
        return f"{twin}{text}layer {self.layer}"


def tasks(part, draws, seed):
    """The tasks of (measures, records, nulls to draw, twin), made one at a time."""
    measures, records, nulls, twin = part
    form = tuple(m for m in measures if m.space == "weights")
    others = tuple(m for m in measures if m.space != "weights")
    common = dict(heads=records[0].n_heads, nulls=nulls, draws=draws, seed=seed, twin=twin, run=next(_runs))
    for layer in range(records[0].n_layers) if form else ():
        yield Task(form_of(records[0], layer), measures=form, text=None, layer=layer, **common)
    for text, record in enumerate(records) if others else ():
        for layer in range(record.n_layers):
            yield Task(view_of(record, layer), measures=others, text=text, layer=layer, **common)


def results(jobs, executor, progress, total):
    """Pairs of a task and its result as they come; whatever happens, no task is left running or waiting."""
    bar = require("tqdm", "progress").tqdm(total=total, unit="layer") if progress else None
    try:
        for done in map(_alone, jobs) if executor is None else _spread(jobs, executor):
            yield done
            if bar is not None:
                bar.update()
    finally:
        if bar is not None:
            bar.close()


def _alone(task):
    return task, run(task)


def _spread(jobs, executor):
    waiting, ran = {}, set()
    try:
        while True:
            for task in itertools.islice(jobs, IN_FLIGHT - len(waiting)):
                ran.add(task.run)
                waiting[executor.submit(run, task)] = task
            if not waiting:
                return
            # A short wait again and again: on some systems a wait without end cannot be interrupted.
            done, _ = concurrent.futures.wait(waiting, timeout=0.2, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                task = waiting.pop(future)
                yield task, _result(future, task)
    except BaseException:  # an error, an interrupt, or a caller who asks for no more
        _stopped.update(ran)
        for future in waiting:
            future.cancel()
        raise


def _result(future, task):
    try:
        return future.result()
    except MeasureError:
        raise
    except Exception as error:  # the worker died, or the task could not be sent
        raise MeasureError(f"{task.place}: {type(error).__name__}: {error}") from error


class MeasureError(RuntimeError):
    """A measure or a null failed; the message says on which text, layer and head."""


class _Stopped(Exception):
    """The caller was interrupted; what a worker thread would still do is of no use."""


def run(task):
    """``{measure: (values (head,), reason)}`` and ``{(measure, null): values (head, draw)}`` of one task."""
    with one_thread():
        found = {}
        for measure in task.measures:
            _go_on(task)
            n = 1 if measure.per == "layer" else task.heads
            values, reason = evaluated(measure, task.view, (n, 1), task)
            found[measure.name] = values[:, 0], reason
        for null in task.nulls:
            wanted = [m for m in task.measures if null.name in m.nulls and np.isfinite(found[m.name][0]).any()]
            for per in ("head", "layer"):
                some = [m for m in wanted if m.per == per]
                found |= _against(task, null, some, task.heads if per == "head" else 1) if some else {}
    return found


def _go_on(task):
    if task.run in _stopped:
        raise _Stopped(task.place)


def _against(task, null, measures, n):
    """The measures on draws of a null, a block of heads at a time."""
    parts = {(m.name, null.name): [] for m in measures}
    width = next((x.shape[-1] * x.shape[-2] for x in (task.view.weights, task.view.W_Q) if x is not None), 1)
    block = max(1, BLOCK // (task.draws * width))
    for start in range(0, n, block):
        heads = range(start, min(start + block, n))
        view = _drawn(task, null, heads)
        for m in measures:
            _go_on(task)
            draws = _draws(view, m)
            parts[m.name, null.name].append(evaluated(m, view, (len(heads), draws), task, start, null)[0])
    return {key: np.concatenate(blocks) for key, blocks in parts.items()}


def _draws(view, measure):
    array = view.stream if measure.per == "layer" else view.W_K if measure.space == "weights" else view.weights
    return array.shape[1]


def _drawn(task, null, heads):
    """The view of some heads under a null; each head has a seed of its own, whatever else is measured."""
    drawn = []
    for head in heads:
        _go_on(task)
        text = 0 if task.text is None else task.text
        key = (zlib.crc32(null.name.encode()), text, task.layer, head)
        rng = np.random.default_rng(np.random.SeedSequence(task.seed, spawn_key=key))
        with _named(f"{task.place}, head {head}, null {null.name!r}"):
            drawn.append(null.function(task.view.take([head]), task.draws, rng))
    new = {name: None if x is None else np.stack([d[name] for d in drawn]) for name, x in drawn[0].items()}
    return dataclasses.replace(task.view.take(list(heads)), **new)


def evaluated(measure, view, shape, task, start=0, null=None):
    """Values (head, draw), NaN with a reason on the heads outside the measure's domain."""
    values, keep, reason = np.full(shape, np.nan), np.ones(shape[0], dtype=bool), ""
    for domain in measure.domain:
        holds = keep & (domain.holds(view) if keep.any() else False)
        reason = domain.reason if (keep & ~holds).any() and not reason else reason
        keep = holds
    if keep.any():
        under = f", null {null.name!r}" if null else ""
        inside = view if keep.all() else view.take(keep)
        try:
            answer = measure.function(inside)
        except Exception as error:
            head = start + np.flatnonzero(keep)[_first_failure(measure, inside, keep.sum())]
            name = f"{task.place}, head {head}{under}, measure {measure.name!r}: {type(error).__name__}: {error}"
            raise MeasureError(name) from error
        answer, why = answer if isinstance(answer, tuple) else (answer, "")
        values[keep] = np.asarray(answer, dtype=float)
        reason = reason or (why if np.isnan(values[keep]).any() else "")
    return values, reason


def _first_failure(measure, view, n):
    """Which head, taken alone, makes the measure fail; the first where none does."""
    for head in range(n):
        try:
            measure.function(view.take([head]))
        except Exception:
            return head
    return 0


class _named:
    """A context in which an error is told with its place."""

    def __init__(self, place):
        self.place = place

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, Exception):
            raise MeasureError(f"{self.place}: {kind.__name__}: {error}") from error


def handed_over(name, draws, records):
    """The draws of a null that the caller ran: a list of draws, each one record for each text."""
    if NULLS[name].function is not None:
        given = ", ".join(n for n, null in NULLS.items() if null.function is None)
        raise ValueError(f"null {name!r} is drawn here and takes no records; these do: {given}")
    draws = [draws] if hasattr(draws, "weights") else list(draws)
    if draws and all(hasattr(d, "weights") for d in draws):
        draws = [[d] for d in draws] if len(records) == 1 else [draws]
    draws = [[d] if hasattr(d, "weights") else list(d) for d in draws]
    shape = (records[0].n_layers, records[0].n_heads)
    wrong = [r for draw in draws for r in draw if not hasattr(r, "weights")]
    if wrong:
        raise TypeError(f"nulls[{name!r}] holds a {type(wrong[0]).__name__}; expected records of the null")
    for k, draw in enumerate(draws):
        if len(draw) != len(records) or any((r.n_layers, r.n_heads) != shape for r in draw):
            raise ValueError(
                f"nulls[{name!r}][{k}] holds {len(draw)} records; expected one for each of the {len(records)} texts, "
                f"with {shape[0]} × {shape[1]} heads"
            )
    if not draws:
        raise ValueError(f"nulls[{name!r}] is empty; expected records, or a list of such draws")
    return draws
