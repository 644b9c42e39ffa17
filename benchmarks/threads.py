"""72 spectra of 128 × 128 matrices on a machine that is not idle: default BLAS threads against one pinned thread."""

import concurrent.futures
import contextlib
import subprocess
import sys

import numpy as np
from bench import Case, largest, run

from attention_geometry.attention import softmax
from attention_geometry.spectrum import singular_values


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
    with busy_core():
        yield Case(
            job="72 SVDs of 128 × 128",
            size="one other core busy",
            peer="NumPy, default BLAS threads",
            target=1,
            ours=lambda: singular_values(A),
            theirs=lambda: np.linalg.svd(A, compute_uv=False),
            difference=largest,
            rounds=9,
            clock="wall",
        )
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        yield Case(
            job="72 SVDs of 128 × 128",
            size="two Python threads",
            peer="the same in one thread",
            target=1.8,
            ours=lambda: np.concatenate(list(pool.map(singular_values, np.split(A, 2)))),
            theirs=lambda: singular_values(A),
            difference=largest,
            rounds=9,
            clock="wall",
            note="needs a second core that is free",
        )


if __name__ == "__main__":
    run(cases())
