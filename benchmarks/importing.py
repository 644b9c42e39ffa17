"""What an import costs: seconds inside a fresh interpreter, which has read the same files before."""

import subprocess
import sys

from bench import run

ROUNDS = 7
OURS = "attention_geometry"
ROWS = [  # ours, peer, how many times faster
    (OURS, "numpy", 1 / 1.5),
    (f"{OURS}.attention", "numpy", 1 / 1.5),
    (f"{OURS}.attention", "GraphRicciCurvature.OllivierRicci", 4),
    (f"{OURS}.attention", "bertviz", 8),
]
CLOCK = """
import os, time
wall, cpu = time.perf_counter(), time.process_time()
import {module}
print(time.perf_counter() - wall, time.process_time() - cpu)
"""


def seconds(module):
    code = CLOCK.format(module=module)
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return [float(x) for x in out.split()[-2:]]


def median(values):
    return sorted(values)[len(values) // 2]


def cases():
    modules = sorted({module for row in ROWS for module in row[:2]})
    laps = [{module: seconds(module) for module in modules} for _ in range(ROUNDS + 1)][1:]  # the first fills caches
    for ours, peer, target in ROWS:
        row = {"job": f"import {ours}", "size": "fresh interpreter", "peer": f"import {peer}", "target": target}
        for column, clock in enumerate(("wall", "CPU")):
            a, b = (median([lap[module][column] for lap in laps]) for module in (peer, ours))
            row[clock] = {"theirs": a, "ours": b, "ratio": a / b}
        yield {**row, "clock": "CPU", "difference": None, "note": ""}


if __name__ == "__main__":
    run(cases())
