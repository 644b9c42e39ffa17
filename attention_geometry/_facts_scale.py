"""Measured facts on the size of scores and on the nearest key. See :mod:`attention_geometry.facts`."""

import numpy as np

from attention_geometry import bilinear, nulls
from attention_geometry._facts_report import Findings, per_head, transposed
from attention_geometry.attention import effective_keys, softmax

#: Draws of rotated forms, and of random bases.
ROTATIONS, BASES = 8, 8


def measure_score_spread(records):
    """How widely MiniLM's scores spread, beside the 1 that the factor 1/√d_k promises for independent coordinates.

    The spread of a head on a text is the standard deviation of its scores, each row centred.

    Parameters
    ----------
    records : Records
        MiniLM is read, whichever models they name.

    Returns
    -------
    Fact
    """
    found, trained = Findings(records), records.of("MiniLM")
    twin = records.of("MiniLM", trained=False)
    rng = np.random.default_rng(records.seed)
    turned = [nulls.haar_rotated(trained[0].W_Q, trained[0].W_K, rng)[1] for _ in range(ROTATIONS)]
    spread = np.array([_spread(record.scores) for record in trained])
    each = np.array([_rotated_spreads(record, turned) for record in trained])  # (texts, rotations, layers, heads)
    rotated = each.mean(axis=1)
    untrained = np.array([_spread(record.scores) for record in twin])
    for key, values in {"trained": spread, "rotated": rotated, "untrained": untrained}.items():
        heads = values.reshape(len(values), -1)
        found.statistic(f"{key}, median head", heads, _median_of_means, null=key != "trained")
        found.arrays[key] = per_head(values)
    found.value("smallest head", found.arrays["trained"].min())
    found.value("largest head", found.arrays["trained"].max())
    found.value("heads above their rotated form", (found.arrays["trained"] > found.arrays["rotated"]).sum())
    highest = np.max([per_head(values) for values in np.moveaxis(each, 1, 0)], axis=0)
    found.value("heads above every rotation", (found.arrays["trained"] > highest).sum())
    found.n |= {"heads": spread[0].size, "rotations": ROTATIONS}
    found.say(
        "Within a row, the scores of the median head spread by {trained, median head:.2f}; of single heads by "
        "{smallest head:.2f} to {largest head:.1f}. With the forms rotated at random it is {rotated, median head:.2f}; "
        "{heads above their rotated form:.0f} of {heads:d} heads spread more than the mean of their rotated forms, "
        "{heads above every rotation:.0f} more than each of the {rotations:d}. "
        "Untrained: {untrained, median head:.3f}."
    )
    return found.fact(
        "score_spread",
        conditions=(
            "all-MiniLM-L6-v2, all heads, all keys; scores q·k/√d_k with biases",
            "spread: standard deviation of the scores of a text, each row centred",
            "median head: the median over heads of the mean over texts; of a single head: the median over texts",
            "rotated: B → BR with a random rotation R, which keeps the singular values of the form",
        ),
        note="The untrained twin's spread follows from the size of its random weights, which is a choice.",
    )


def measure_nearest_key(records):
    """In how many rows the best key is also the nearest, in three descriptions of the same heads.

    As stored; with the mean of the keys of a text taken away; and with queries and keys in a random basis. None of
    these changes a weight of any head.

    Parameters
    ----------
    records : Records
        MiniLM is read, whichever models they name.

    Returns
    -------
    Fact
    """
    found, trained = Findings(records), records.of("MiniLM")
    rng = np.random.default_rng(records.seed)
    bases = [_basis(trained[0], rng) for _ in range(BASES)]
    measured = {
        "as stored": [_nearest(r, r.queries, r.keys) for r in trained],
        "keys centred": [_nearest(r, r.queries, r.keys - r.keys.mean(axis=-2, keepdims=True)) for r in trained],
        "random basis": [
            np.mean([_nearest(r, r.queries @ M, r.keys @ inverse) for M, inverse in bases], axis=0) for r in trained
        ],
        "cosine, as stored": [_largest_cosine(r) for r in trained],
    }
    found.over_texts({key: [heads.mean() for heads in texts] for key, texts in measured.items()})
    found.over_texts({"chance": [1 / record.n_tokens for record in trained]})
    for key, texts in measured.items():
        found.arrays[key] = per_head(texts)
    found.n |= {"heads": measured["as stored"][0].size, "bases": BASES}
    found.say(
        "The best key of a row is also the nearest in {as stored:.0%} of the rows if queries and keys are taken as "
        "stored, in {keys centred:.0%} if the mean key is taken away, and in {random basis:.1%} in a random basis; by "
        "chance in {chance:.1%}. The weights are the same each time. The key of the largest cosine is the best, as "
        "stored, in {cosine, as stored:.0%}."
    )
    return found.fact(
        "nearest_key",
        conditions=(
            "all-MiniLM-L6-v2, all heads, all keys, every row; a number a text is the mean over heads and rows",
            "best: largest score; nearest: smallest ‖q − k‖; queries and keys with biases",
            "random basis: q → qM, k → kM⁻ᵀ with random singular vectors and a condition number of at most 100",
        ),
        note="A share near 1 in one basis and near chance in another says that the question has no answer for a head.",
    )


def _spread(S):
    return (S - S.mean(axis=-1, keepdims=True)).std(axis=(-2, -1))


def _rotated_spreads(record, turned):
    """One for each rotation; a turned form x B R yᵀ keeps the queries and has other keys."""
    X = np.asarray(record.inputs)[:, None]
    root = np.sqrt(record.queries.shape[-1])
    return [_spread(record.queries @ transposed(X @ W_K) / root) for W_K in turned]


def _basis(record, rng):
    """M and M⁻ᵀ of every head, from a gauge that keeps its form."""
    changed = bilinear.random_gauge(record.W_Q, record.W_K, rng)[0]
    M = np.linalg.pinv(np.asarray(record.W_Q, dtype=float)) @ changed
    return M, transposed(np.linalg.inv(M))


def _nearest(record, queries, keys):
    # ‖q − k‖² less ‖q‖², the same for the whole row
    distance = (keys**2).sum(axis=-1)[..., None, :] - 2 * queries @ transposed(keys)
    return (distance.argmin(axis=-1) == record.scores.argmax(axis=-1)).mean(axis=-1)


def _largest_cosine(record):
    keys = record.keys / np.linalg.norm(record.keys, axis=-1, keepdims=True)
    return ((record.queries @ transposed(keys)).argmax(axis=-1) == record.scores.argmax(axis=-1)).mean(axis=-1)


def _median_of_means(values):
    return np.median(np.mean(values, axis=0))


def measure_sharpness(records):
    """How many of MiniLM's heads are sharper than noise of equal spread, without and with the popularity of keys.

    Parameters
    ----------
    records : Records
        MiniLM is read, whichever models they name.

    Returns
    -------
    Fact
    """
    found, trained = Findings(records), records.of("MiniLM")
    counts, heads = {}, []
    for record in trained:
        S = np.asarray(record.scores, dtype=float)
        S = S - S.mean(axis=-1, keepdims=True)
        keys, rng = _keys(S), records.rng(record, 2)
        popular = S.mean(axis=-2, keepdims=True)
        noise = {"equal spread": _draws(S, 0, [-1], rng), "with popularity": _draws(S, popular, [-1, -2], rng)}
        for name, draws in noise.items():
            counts.setdefault(f"sharper, {name}", []).append((keys < draws.min(axis=0)).sum())
            counts.setdefault(f"less sharp, {name}", []).append((keys > draws.max(axis=0)).sum())
        heads.append([keys / record.n_tokens] + [draws.mean(axis=0) / record.n_tokens for draws in noise.values()])
    found.over_texts({"share of [CLS]": [record.weights[..., 0].mean() for record in trained]})
    found.over_texts({"even share, chance": [1 / record.n_tokens for record in trained]})
    found.over_texts(counts)
    found.over_texts({"keys used": [np.median(one[0]) for one in heads]})
    for i, name in enumerate(("trained", "equal spread", "with popularity")):
        found.arrays[name] = per_head([one[i] for one in heads])
    found.n |= {"heads": heads[0][0].size, "draws": SHARPNESS_DRAWS}
    found.say(
        "On a text, {sharper, equal spread:.0f} of {heads:d} heads are sharper than all {draws:d} draws of noise of "
        "equal spread, and {less sharp, equal spread:.0f} less sharp than all; by chance about 2 each. With the "
        "popularity of the keys kept, it is {sharper, with popularity:.0f} and {less sharp, with popularity:.0f}. The "
        "first token, [CLS], takes {share of [CLS]:.0%} of all weight; an even share would be {even share, chance:.1%}."
    )
    return found.fact(
        "sharpness",
        conditions=(
            "all-MiniLM-L6-v2, all heads, all keys with [CLS] and [SEP]",
            "sharp: few effective keys, exp of the entropy of a row, mean over the rows of a text",
            "equal spread: Gaussian scores, rows centred, of the standard deviation of the head's centred scores",
            "with popularity: the mean score of each key kept, the rest replaced by noise of the rest's spread",
            "a head beyond all 39 draws: chance 1/40 on each side",
        ),
        note="Heads of one text are not independent; the interval is over texts. Arrays: effective keys over n tokens.",
    )


#: So that a head of pure noise lies beyond all draws, on one side, in one case of forty.
SHARPNESS_DRAWS = 39


def _draws(S, kept, axes, rng):
    """Effective keys of noise as large as S − kept and centred over the same axes, (draws, layer, head)."""
    rest = S - kept
    size = rest.std(axis=(-2, -1), keepdims=True)
    drawn = []
    for _ in range(SHARPNESS_DRAWS):
        N = rng.normal(size=S.shape)
        for axis in axes:
            N = N - N.mean(axis=axis, keepdims=True)
        drawn.append(_keys(kept + N / N.std(axis=(-2, -1), keepdims=True) * size))
    return np.array(drawn)


def _keys(S):
    return effective_keys(softmax(S)).mean(axis=-1)
