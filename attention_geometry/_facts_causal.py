"""Measured facts on what a causal mask forces. See :mod:`attention_geometry.facts`."""

import numpy as np

from attention_geometry import axioms, graph
from attention_geometry._facts_axioms import broken_share
from attention_geometry._facts_report import Findings, per_head, transposed
from attention_geometry.attention import log_softmax, softmax


def measure_causal_metric(records):
    """One causal map never refutes a metric: build one that reproduces it, and see the self-weights come out wrong.

    For j < i put D_ij = D_ji = c − log A_ij with c = max(0, max − 2 min of −log A): all sides lie within a factor
    of two, so every triangle holds, and exp(−D) has the ratios of each row's off-diagonal weights.

    Parameters
    ----------
    records : Records
        Only SmolLM2 is read: MiniLM is not causal.

    Returns
    -------
    Fact
    """
    found = Findings(records)
    if "SmolLM2" in records.models:
        rows = {
            key: []
            for key in (
                "broken triangles",
                "largest error of a ratio",
                "self weight of the metric",
                "self weight of the model",
                "heads that pass with exact self weights",
            )
        }
        for record in records.of("SmolLM2"):
            cost = -log_softmax(record.scores, mask=record.mask)
            D = metric_of_causal(cost)
            rows["broken triangles"].append(broken_share(D).sum())
            built = softmax(-D, mask=record.mask)
            rows["largest error of a ratio"].append(np.abs(_off_diagonal(built) - _off_diagonal(record.weights)).max())
            rows["self weight of the metric"].append(_self_weight(built).mean())
            rows["self weight of the model"].append(_self_weight(record.weights).mean())
            rows["heads that pass with exact self weights"].append(_passes_with_self(cost).mean())
        found.over_texts({f"SmolLM2 {key}": column for key, column in rows.items()})
        found.n |= {"SmolLM2 heads": cost.shape[0] * cost.shape[1]}
        found.n["SmolLM2 matrices"] = found.n["SmolLM2 heads"] * found.texts
        found.say(
            "SmolLM2: for each of {SmolLM2 matrices:d} causal maps a symmetric D with {SmolLM2 broken triangles:.0f} "
            "broken "
            "triangles reproduces the weights on other tokens, up to the self-weight, to "
            "{SmolLM2 largest error of a ratio:.1g}; "
            "its self-weights are {SmolLM2 self weight of the metric:.3f} on average where the model has "
            "{SmolLM2 self weight of the model:.3f}. If the self-weights must come out right too, "
            "{SmolLM2 heads that pass with exact self weights:.2%} of the heads still pass."
        )
    return found.fact(
        "causal_metric",
        conditions=(
            "causal weights of SmolLM2; D symmetric, zero on the diagonal, built from one map",
            "weights on other tokens: row i without its diagonal, normalised; error is the largest over all entries",
            "exact self-weights force D_ij = log A_ii − log A_ij; it passes if that is positive and breaks no triangle",
            "rows from the second token on",
        ),
        note=(
            "Each pair appears in one row only, so nothing can contradict a symmetric D, and a constant added to D "
            "buys every triangle. Only the identity axiom can object. A second context, or the form itself, can "
            "refute."
        ),
    )


def measure_causal_gap(records):
    """The stationary law of every causal matrix is the first token, trained or not; its gap reads only the diagonal.

    Parameters
    ----------
    records : Records
        Only SmolLM2 is read: MiniLM is not causal.

    Returns
    -------
    Fact
    """
    found = Findings(records)
    if "SmolLM2" in records.models:
        rows = {}
        for kind, trained in (("trained", True), ("untrained", False)):
            texts = [_causal(record.weights) for record in records.of("SmolLM2", trained=trained)]
            for key in texts[0]:
                rows[f"SmolLM2 {kind}, {key}"] = [one[key].mean() for one in texts]
            if trained:
                found.arrays["SmolLM2 trained, gap"] = per_head([one["gap"] for one in texts])
        found.over_texts(rows)
        found.n |= {"SmolLM2 heads": texts[0]["gap"].size, "matrices": texts[0]["gap"].size * found.texts}
        found.say(
            "SmolLM2: the stationary law is the first token in {SmolLM2 trained, law on the first token:.0%} of "
            "{matrices:d} "
            "matrices, and in {SmolLM2 untrained, law on the first token:.0%} untrained. The eigenvalue gap, which "
            "reads only "
            "self-weights, is {SmolLM2 trained, gap:.3f} trained and {SmolLM2 untrained, gap:.3f} untrained; "
            "Dobrushin's "
            "coefficient, which reads only the first column, is {SmolLM2 trained, dobrushin:.3f} and "
            "{SmolLM2 untrained, dobrushin:.3f}."
        )
    return found.fact(
        "causal_gap",
        conditions=(
            "causal weights of every head; the law is computed (graph.stationary_distribution), not assumed",
            "gap 1 − max A_ii over i ≥ 2; Dobrushin's coefficient 1 − min A_k1 (L5.1, L5.2)",
            "a number a text is the mean over heads",
        ),
        note=("No property of the text or of training enters the law: it follows from the mask."),
    )


def metric_of_causal(cost):
    """The metric of `measure_causal_metric` from −log A, ∞ above the diagonal."""
    n = cost.shape[-1]
    below = np.tri(n, k=-1, dtype=bool)
    largest = cost.max((-2, -1), where=below, initial=-np.inf)
    smallest = cost.min((-2, -1), where=below, initial=np.inf)
    shift = np.maximum(0.0, largest - 2 * smallest)[..., None, None]
    D = np.where(below, cost + shift, 0.0)
    return D + transposed(D)


def _causal(A):
    first = graph.stationary_distribution(A).pi[..., 0] == 1
    diagonal, least = np.diagonal(A, axis1=-2, axis2=-1)[..., 1:], A[..., 0].min(-1)
    return {
        "law on the first token": first,
        "gap": 1 - diagonal.max(-1),
        "dobrushin": 1 - least,
    }


def _off_diagonal(A):
    """Weights on other tokens, normalised, from the second row on."""
    A = A[..., 1:, :] * ~np.eye(A.shape[-1], dtype=bool)[1:]
    return A / A.sum(-1, keepdims=True)


def _self_weight(A):
    return np.diagonal(A, axis1=-2, axis2=-1)[..., 1:]


def _passes_with_self(cost):
    """Whether D_ij = log A_ii − log A_ij below the diagonal, mirrored, is positive and breaks no triangle."""
    below = np.tri(cost.shape[-1], k=-1, dtype=bool)
    D = np.where(below, cost - np.diagonal(cost, axis1=-2, axis2=-1)[..., None], 0.0)
    positive = (D > 0).sum((-2, -1)) == below.sum()
    D = D + transposed(D)
    passed = np.zeros(positive.shape, dtype=bool)
    for at in np.argwhere(positive):
        passed[tuple(at)] = axioms.triangle_report(D[tuple(at)]).violations == 0
    return passed
