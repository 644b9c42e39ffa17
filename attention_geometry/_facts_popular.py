"""What is left of three findings beside noise with popular keys. See :mod:`attention_geometry.facts`."""

import numpy as np

from attention_geometry import relation
from attention_geometry._facts_axioms import broken_share, cyclic_share
from attention_geometry._facts_report import Findings, per_head
from attention_geometry.attention import log_softmax

MEASURED = ("broken triangles", "circulating share", "cyclic triples")


def measure_popular_noise(records):
    """Broken triangles, circulating share and cyclic triples, trained and in noise that keeps popular keys.

    Popular keys sharpen every row in the same way, and a table with equal rows breaks no triangle, has no circulation
    and no circles. So noise that is to be compared with heads in these has to keep the popularity, and then also the
    preference for neighbours, which comes of the places of the tokens.

    Parameters
    ----------
    records : Records

    Returns
    -------
    Fact
    """
    found = Findings(records)
    for model in records.models:
        trained = records.of(model)
        drawn = [_noises(record.scores, records.rng(record, 5)) for record in trained]
        kinds = {"trained": [record.scores for record in trained]}
        kinds |= {kind: [draws[kind] for draws in drawn] for kind in drawn[0]}
        for kind, scores in kinds.items():
            columns = [_measured(S) for S in scores]
            found.over_texts(
                {f"{model} {kind}, {what}": [one[i].mean() for one in columns] for i, what in enumerate(MEASURED)}
            )
            if kind == "popular noise":
                found.arrays[f"{model} {kind}, {MEASURED[0]}"] = per_head([one[0] for one in columns])
                found.arrays[f"{model} {kind}, {MEASURED[1]}"] = per_head([one[1] for one in columns])
        found.n[f"{model} heads"] = columns[0][0].size
        found.say(
            f"{model}, trained against noise that keeps the popularity of keys, and against noise that also keeps the "
            f"means of equal offsets: broken triangles {{{model} trained, broken triangles:.2%}}, "
            f"{{{model} popular noise, broken triangles:.2%}}, "
            f"{{{model} popular and placed noise, broken triangles:.2%}}; "
            f"circulating {{{model} trained, circulating share:.1%}}, "
            f"{{{model} popular noise, circulating share:.1%}}, "
            f"{{{model} popular and placed noise, circulating share:.1%}}; cyclic triples "
            f"{{{model} trained, cyclic triples:.1%}}, {{{model} popular noise, cyclic triples:.1%}}, "
            f"{{{model} popular and placed noise, cyclic triples:.1%}}."
        )
    return found.fact(
        "popular_noise",
        conditions=(
            "a number a text is the mean over all heads; SmolLM2: scores before the mask, all keys",
            "popular noise: the mean of each column of the row-centred scores, plus Gaussian noise, centred in rows "
            "and columns, with the standard deviation of the rest; one draw for each head and text",
            "popular and placed: the means over equal offsets i − j of the rest are kept as well",
            "spread is matched and entropy is not",
        ),
        note="Noise without popular keys (`triangles`, `energy_shares`) breaks three to four times as many "
        "triangles: most of that distance to trained heads is popularity.",
    )


def _noises(S, rng):
    S = np.asarray(S, dtype=float)
    S = S - S.mean(axis=-1, keepdims=True)
    popular = np.broadcast_to(S.mean(axis=-2, keepdims=True), S.shape)
    placed = popular + _offset_means(S - popular)
    return {
        "popular noise": popular + _like(S - popular, rng),
        "popular and placed noise": placed + _like(S - placed, rng),
    }


def _like(rest, rng):
    N = rng.normal(size=rest.shape)
    N = N - N.mean(axis=-1, keepdims=True)
    N = N - N.mean(axis=-2, keepdims=True)
    return N / N.std(axis=(-2, -1), keepdims=True) * rest.std(axis=(-2, -1), keepdims=True)


def _offset_means(M):
    """Each entry replaced by the mean of those with the same i − j."""
    n = M.shape[-1]
    means = np.zeros_like(M)
    i, j = np.indices((n, n))
    for offset in range(1 - n, n):
        here = i - j == offset
        means[..., here] = M[..., here].mean(axis=-1, keepdims=True)
    return means


def _measured(S):
    return broken_share(-log_softmax(S)), relation.energy_shares(S).circulating, cyclic_share(S)
