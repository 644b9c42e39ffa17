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
class Ours:
    """One way in which the package does the job, and how many times faster than the peer it should be."""

    job: str
    target: float
    call: Callable
    repeat: int = 1  # calls in a round, for jobs too short for one reading of the clock
    note: str = ""


@dataclasses.dataclass
class Case:
    """A peer, and ours that must give the same values: one row of the table for each of ours."""

    size: str
    peer: str
    theirs: Callable
    ours: list
    difference: Callable  # of two results
    tolerance: float = 1e-12
    rounds: int = 5
    clock: str = "CPU"  # which ratio is held against the target: "CPU" or "wall"


def seconds():
    """Wall and CPU seconds so far, the CPU time of finished child processes included."""
    used = os.times()
    return np.array([time.perf_counter(), time.process_time() + used.children_user + used.children_system])


def timed(function, repeat=1):
    """Wall and CPU seconds of one call."""
    start = seconds()
    for _ in range(repeat):
        function()
    return (seconds() - start) / repeat


def measure(case):
    """The rows as dicts. One whose values differ is not timed."""
    expected = case.theirs()  # first calls: caches, imports, compilation
    rows = []
    for ours in case.ours:
        difference = float(case.difference(ours.call(), expected))
        row = {"job": ours.job, "size": case.size, "peer": case.peer, "target": ours.target, "note": ours.note}
        rows.append({**row, "clock": case.clock, "difference": difference})
    same = [ours for ours, row in zip(case.ours, rows) if row["difference"] <= case.tolerance]
    laps = [
        [timed(case.theirs), *(timed(ours.call, ours.repeat) for ours in same)]
        for _ in range(case.rounds if same else 0)
    ]
    for ours, row in zip(case.ours, rows):
        if ours not in same:
            row["error"] = f"values differ by {row['difference']:.2g}"
            continue
        for column, clock in enumerate(("wall", "CPU")):
            a, b = (statistics.median(lap[side][column] for lap in laps) for side in (0, 1 + same.index(ours)))
            row[clock] = {"theirs": a, "ours": b, "ratio": a / b if b else math.inf}
    return rows


def run(cases):
    """Print one JSON line for every case of an iterable; what cannot be measured says why."""
    for case in cases:
        for row in [case] if isinstance(case, dict) else measure(case):
            print(json.dumps(row), flush=True)


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
