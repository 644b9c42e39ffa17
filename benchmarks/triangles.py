"""All ordered triples of 2048 tokens: how many break the triangle inequality, the worst gap, and where it is."""

import tracemalloc

import numpy as np
from bench import Case, Ours, largest, run

from attention_geometry.attention import log_softmax
from attention_geometry.axioms import triangle_report

N = 2048
MEMORY = 64e6


def row_by_row(D, tolerance):
    """NumPy with one n × n table a middle token, in buffers that are used again."""
    n = len(D)
    gap, best, witness, violations = np.empty_like(D), -np.inf, None, 0
    for j in range(n):
        np.add(D[:, j, None], D[j], out=gap)
        np.subtract(D, gap, out=gap)
        gap[j] = gap[:, j] = -np.inf
        np.fill_diagonal(gap, -np.inf)
        violations += np.count_nonzero(gap > tolerance)
        at = int(gap.argmax())
        if gap.flat[at] > best:
            best, witness = gap.flat[at], (at // n, j, at % n)
    return violations, best, witness


def summary(D, violations, gap, witness):
    """Numbers to compare: of several worst triples either side may name another one, but its gap is the same."""
    i, j, k = witness
    return violations, gap, D[i, k] - D[i, j] - D[j, k]


def ours(D, solver, tolerance):
    report = triangle_report(D, solver=solver, tolerance=tolerance)
    return summary(D, report.violations, report.worst_gap, report.witness)


def extra_memory(function):
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def cases():
    D = -log_softmax(np.random.default_rng(0).standard_normal((N, N)))
    tolerance = 1e-12
    peak = extra_memory(lambda: ours(D, "numpy", tolerance))
    memory = f"{peak / 1e6:.0f} MB more than the input, {'within' if peak <= MEMORY else 'above'} {MEMORY / 1e6:.0f} MB"
    yield Case(
        size=f"n = {N}, float64",
        peer="NumPy, row by row",
        theirs=lambda: summary(D, *row_by_row(D, tolerance)),
        ours=[
            Ours("All ordered triples, numpy", 4, lambda: ours(D, "numpy", tolerance), note=memory),
            Ours("All ordered triples, numba", 15, lambda: ours(D, "numba", tolerance)),
        ],
        difference=largest,
        rounds=3,
    )


if __name__ == "__main__":
    run(cases())
