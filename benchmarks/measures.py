"""All measures of many heads, each job in a fresh interpreter, held against the seconds and the memory it may take."""

import json
import subprocess
import sys

from bench import run

MEMORY = 2e9
FORM, REST = 'm.space == "weights"', 'm.space != "weights"'
JOBS = [  # what, the model's record, which measures, seconds
    ("Measures of the form, 72 heads", "minilm", FORM, 2),
    ("Measures of the form, 270 heads", "smollm2", FORM, 10),
    ("All other measures, 270 heads, 64 tokens", "smollm2", REST, 60),
]
CHILD = """
import json, os, resource, sys, time
from bench import PASSAGE
from attention_geometry import measure
from attention_geometry.models import {model}
words = PASSAGE.split()[:58]
while True:  # a beginning of at most 64 tokens
    record = {model}.record(" ".join(words))
    if record.n_tokens <= 64:
        break
    words.pop()
names = [m.name for m in measure.MEASURES.values() if {which}]
wall, cpu = time.perf_counter(), time.process_time()
measure.measure(record, names, nulls=(), rng=0)
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
unit = 1 if sys.platform == "darwin" else 1024
peak = unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps(dict(wall=wall, cpu=cpu, peak=peak, tokens=record.n_tokens, measures=len(names))))
"""


def cases():
    for job, model, which, seconds in JOBS:
        code = CHILD.format(model=model, which=which)
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=sys.path[0])
        found = json.loads(out.stdout.splitlines()[-1])
        within = "within" if found["peak"] <= MEMORY else "above"
        row = {clock: {"theirs": seconds, "ours": t, "ratio": seconds / t}
               for clock, t in (("wall", found["wall"]), ("CPU", found["cpu"]))}  # fmt: skip
        note = f"peak memory {found['peak'] / 1e9:.2f} GB, {within} {MEMORY / 1e9:.0f} GB"
        yield row | {
            "job": job, "size": f"{found['measures']} measures, {found['tokens']} tokens", "peer": "the time allowed",
            "target": 1, "clock": "CPU", "difference": None, "note": note,
        }  # fmt: skip


if __name__ == "__main__":
    run(cases())
