"""Laws of the exercises of chapter 1, the comparison."""

import numpy as np

from .. import bilinear
from .._inputs import as_array
from ..exercises import Witness, check_function, check_value, exercise

FORM = np.array([[1.0, 2.0], [0.0, 1.0]])


@exercise("ch1-order", hint="Write x B yᵀ − y B xᵀ. Only B₁₂ − B₂₁ enters, times x₁y₂ − x₂y₁. Try y = (0, 1).")
def _(answer):
    "The two rows score 1 in the order (x, y) and 0 in the order (y, x) under B = [[1, 2], [0, 1]]."
    return check_value(
        answer,
        {
            "x B yᵀ = 1": lambda v: np.isclose(v[0] @ FORM @ v[1], 1) or f"it is {v[0] @ FORM @ v[1]:.4g}",
            "y B xᵀ = 0": lambda v: np.isclose(v[1] @ FORM @ v[0], 0) or f"it is {v[1] @ FORM @ v[0]:.4g}",
        },
        shape=(2, 2),
    )


@exercise("ch1-symmetric", hint="B = W_Q W_Kᵀ must equal W_K W_Qᵀ. With one column each: when is uvᵀ = vuᵀ?")
def _(answer):
    "Two different 2 × 1 factors whose form equals its transpose and has no entry 0."
    W_Q, W_K = (as_array(W, "a factor", ndim=2) for W in answer)
    return check_value(
        (W_Q, W_K),
        {
            "both factors are 2 × 1": lambda W: W[0].shape == W[1].shape == (2, 1),
            "W_Q and W_K differ": lambda W: not np.allclose(*W),
            "no entry of B is 0": lambda W: np.abs(bilinear.bilinear_form(*W)).min() > 1e-9,
            "B = Bᵀ": lambda W: _antisymmetry(bilinear.bilinear_form(*W)),
        },
    )


@exercise(
    "ch1-share",
    hint="For B = uᵀv the trace of B² is (u · v)², and ‖B‖² is ‖u‖² ‖v‖². Then part 3 of the split.",
)
def _(answer):
    "The symmetric share of B = uᵀv for two unit vectors at 60°, in 2 and in 7 dimensions."

    def share(width):
        u, v = np.eye(width)[0], np.eye(width)[0] / 2 + np.eye(width)[1] * np.sqrt(3) / 2
        return bilinear.symmetric_share(u[:, None], v[:, None])

    return check_value(
        answer,
        {
            "0 ≤ f ≤ 1": lambda f: 0 <= f <= 1,
            "f ‖B‖² = ‖B_s‖² for every such pair": lambda f: (
                bool(np.allclose([share(2), share(7)], f, atol=1e-4)) or ("too small" if f < share(2) else "too large")
            ),
        },
        shape=(),
    )


@exercise(
    "ch1-signature",
    hint="The theorem needs 2·d_k independent columns. Where are four columns never independent?",
)
def _(answer):
    "Two factors with two independent columns each whose signature is not (2, 2)."
    W_Q, W_K = (as_array(W, "a factor", ndim=2) for W in answer)
    return check_value(
        (W_Q, W_K),
        {
            "each factor has two columns": lambda W: W[0].shape[1] == W[1].shape[1] == 2,
            "each factor has rank 2": lambda W: all(np.linalg.matrix_rank(w) == 2 for w in W),
            "the counts of signs are not (2, 2)": lambda W: tuple(bilinear.signature(*W))[:2] != (2, 2),
        },
    )


@exercise(
    "ch1-gauge",
    hint="A diagonal M stretches queries along an axis and shrinks keys along it. Which axis of q = (1, 1)?",
)
def _(answer):
    "q = (1, 1) and k = (1, 0) keep their dot product, and their cosine falls below 0.1."
    M = as_array(answer, "M", ndim=2)
    if M.shape != (2, 2) or not M.any(axis=0).all() or np.linalg.matrix_rank(M / np.abs(M).max(axis=0)) < 2:
        return Witness("M is an invertible 2 × 2 matrix", answer)
    q, k = np.array([1.0, 1.0]) @ M, np.array([1.0, 0.0]) @ np.linalg.inv(M).T
    cosine = q @ k / np.linalg.norm(q) / np.linalg.norm(k)
    return check_value(
        answer, {"the cosine of qM and kM⁻ᵀ is below 0.1": lambda _: cosine < 0.1 or f"it is {cosine:.4g}"}
    )


@exercise(
    "ch1-thin",
    hint="‖B_a‖² = ½(‖B‖² − tr B²). Both are traces of d_k × d_k products.",
)
def _(answer):
    "‖B_a‖² for random factors of several sizes, and for tied ones, where it is 0."
    rng = np.random.default_rng(11)
    cases = [tuple(rng.normal(size=(2, d, k))) for d, k in [(2, 1), (6, 3), (40, 4)]]
    W = rng.normal(size=(8, 2))
    law = "the value is ‖B_a‖²_F"
    return check_function(answer, [*cases, (W, W)], {law: lambda value, q, k: _energy(value, q, k)})


def _antisymmetry(B):
    i, j = np.unravel_index(int(np.abs(B - B.T).argmax()), B.shape)
    return bool(np.allclose(B, B.T)) or f"B[{i}, {j}] is {B[i, j]:.4g} and B[{j}, {i}] is {B[j, i]:.4g}"


def _energy(value, W_Q, W_K):
    return bool(np.isclose(value, (bilinear.antisymmetric_part(W_Q @ W_K.T) ** 2).sum(), atol=1e-9))
