"""Curvature of all pairs of attention rows in closed form, against one transport problem a pair."""

import numpy as np
import ot
from bench import Case, Ours, largest, run

from attention_geometry.attention import softmax
from attention_geometry.curvature import row_curvature

N = 128
POSITIONS = np.abs(np.subtract.outer(np.arange(N), np.arange(N))).astype(float)


def transported(A, d):
    K = np.full(A.shape, np.nan)
    for i in range(len(A)):
        for j in range(i + 1, len(A)):
            K[i, j] = K[j, i] = 1 - ot.emd2(A[i], A[j], d) / d[i, j]
    return K


def cases():
    A = softmax(np.random.default_rng(0).standard_normal((N, N)))
    for name, d in (("discrete", 1 - np.eye(N)), ("positions", POSITIONS)):
        yield Case(
            size=f"{name}, n = {N}, all {N * (N - 1) // 2} pairs",
            peer="POT, one problem a pair",
            theirs=lambda d=d: transported(A, d),
            ours=[Ours("Row curvature", 500, lambda name=name: row_curvature(A, name), repeat=20)],
            difference=largest,
            rounds=3,
        )


if __name__ == "__main__":
    run(cases())
