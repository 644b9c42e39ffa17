"""How a job is measured: same values first, then interleaved rounds, medians of CPU seconds and of wall time."""

import dataclasses
import json
import math
import os
import statistics
import time
from collections.abc import Callable

import numpy as np


@dataclasses.dataclass
class Case:
    """One row of the table: two functions that must give the same values, and how many times faster ours should be."""

    job: str
    size: str
    peer: str
    target: float
    ours: Callable
    theirs: Callable
    difference: Callable | None = None  # of the two results; None where there is nothing to compare
    tolerance: float = 1e-12
    rounds: int = 5
    repeat: int = 1  # calls of ours in a round, for jobs too short for one clock reading
    clock: str = "CPU"  # which ratio is held against the target: "CPU" or "wall"
    note: str = ""


def seconds():
    """Wall and CPU seconds so far, the CPU time of finished child processes included."""
    used = os.times()
    return np.array([time.perf_counter(), time.process_time() + used.children_user + used.children_system])


def timed(function, repeat=1):
    start = seconds()
    for _ in range(repeat):
        result = function()
    wall, cpu = (seconds() - start) / repeat
    return result, (wall, cpu)


def measure(case):
    """The row as a dict. A case whose values differ is not timed."""
    row = {key: getattr(case, key) for key in ("job", "size", "peer", "target", "clock", "note", "tolerance")}
    ours, theirs = case.ours(), case.theirs()  # first calls: caches, imports, compilation
    row["difference"] = None if case.difference is None else float(case.difference(ours, theirs))
    if row["difference"] is not None and not row["difference"] <= case.tolerance:
        return {**row, "error": f"values differ by {row['difference']:.2g}"}
    laps = [(timed(case.theirs)[1], timed(case.ours, case.repeat)[1]) for _ in range(case.rounds)]
    for column, clock in enumerate(("wall", "CPU")):
        theirs, ours = (statistics.median(lap[side][column] for lap in laps) for side in (0, 1))
        row[clock] = {"theirs": theirs, "ours": ours, "ratio": theirs / ours if ours else math.inf}
    return row


def run(cases):
    """Print one JSON line for every case of an iterable; what cannot be measured says why."""
    for case in cases:
        print(json.dumps(case if isinstance(case, dict) else measure(case)), flush=True)


def largest(a, b):
    """The largest absolute difference; infinite where one is NaN and the other is not."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    if not np.array_equal(np.isnan(a), np.isnan(b)):
        return math.inf
    return np.nanmax(np.abs(a - b), initial=0.0)


def relative(a, b):
    return largest(a, b) / max(np.nanmax(np.abs(np.asarray(b, float)), initial=0.0), 1e-300)


def heads(layer, some):
    """Attention of some MiniLM heads on one passage of about 128 tokens."""
    from attention_geometry.models import minilm

    record = minilm.record(PASSAGE)
    return np.asarray(record.weights, dtype=float)[layer, some]


PASSAGE = (
    "The river had risen in the night. At first light the miller walked along the bank and counted the posts of the "
    "old fence, because the water hid some of them and the rest leaned toward the field. His daughter followed with a "
    "lamp she did not need, and asked whether the bridge would hold. He said that it had held when his father was a "
    "boy, and that a bridge does not change its mind. They found the boat still tied, half full of leaves. When the "
    "sun came over the hill the fog lifted from the lower meadow, and they saw the sheep standing on the only dry "
    "ground, all of them, looking back."
)
