"""72 spectra of 128 × 128 matrices on a machine that is not idle: default BLAS threads against one pinned thread."""

import concurrent.futures
import contextlib
import subprocess
import sys

import numpy as np
from bench import Case, Ours, largest, run

from attention_geometry.attention import softmax
from attention_geometry.spectrum import singular_values

JOB = "72 SVDs of 128 × 128"
NOTE = "needs a second core that is free"


@contextlib.contextmanager
def busy_core():
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        other.kill()
        other.wait()


def cases():
    A = softmax(np.random.default_rng(0).standard_normal((72, 128, 128)))
    with busy_core():  # it is measured before the block ends
        yield Case(
            size="one other core busy",
            peer="NumPy, default BLAS threads",
            theirs=lambda: np.linalg.svd(A, compute_uv=False),
            ours=[Ours(JOB, 1, lambda: singular_values(A))],
            difference=largest,
            rounds=9,
            clock="wall",
        )
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        halves = [A[:36], A[36:]]
        in_two = Ours(JOB, 1.8, lambda: np.concatenate(list(pool.map(singular_values, halves))), note=NOTE)
        yield Case(
            size="two Python threads",
            peer="the same in one thread",
            theirs=lambda: singular_values(A),
            ours=[in_two],
            difference=largest,
            rounds=9,
            clock="wall",
        )


if __name__ == "__main__":
    run(cases())
