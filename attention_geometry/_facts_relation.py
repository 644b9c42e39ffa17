"""Measured facts on the form and on what a row shift leaves of the scores. See :mod:`attention_geometry.facts`."""

import numpy as np

from attention_geometry import bilinear, graph, nulls, relation, spectrum
from attention_geometry._facts_report import Findings, auc, median_head, per_head, transposed
from attention_geometry.attention import softmax

#: Draws of each null of the form.
DRAWS = 5


def measure_asymmetry(records):
    """Asymmetry is the default: how symmetric the forms are, beside rotated and untrained ones.

    The symmetry score ρ = tr(B²)/‖B‖² of every head's form B = W_Q W_Kᵀ, and of the sum of the forms of a layer.

    Parameters
    ----------
    records : Records
        No text is read; only which models, and the seed.

    Returns
    -------
    Fact
    """
    found = Findings(records, texts=False)
    for model in records.models:
        rng = np.random.default_rng(records.seed)
        for folded in (False, True):
            heads = records.module(model).weights(folded=folded)
            factors = heads.form_factors()
            for unit, pair in (("head", factors), ("layer", _layer_sums(*factors))):
                key = f"{model} {'folded' if folded else 'as trained'}, per {unit}"
                rho = np.asarray(bilinear.symmetry_score(*pair))
                found.value(key, np.median(rho), _over_layers(rho, records.seed))
                if not folded:
                    found.arrays[key] = rho
                    turned = np.array([_rho(*nulls.haar_rotated(*pair, rng)) for _ in range(DRAWS)])
                    found.null(f"{model} rotated, per {unit}", np.median(turned.reshape(DRAWS, -1), axis=1).mean())
                    found.value(f"{key}, share above 97.5 % of the rotated", np.mean(rho > np.quantile(turned, 0.975)))
        drawn = [_untrained_factors(heads, rng) for _ in range(DRAWS)]
        found.null(f"{model} untrained, per head", np.mean([np.median(_rho(*pair)) for pair in drawn]))
        found.null(f"{model} untrained, per layer", np.mean([np.median(_rho(*_layer_sums(*pair))) for pair in drawn]))
        found.n |= {f"{model} heads": factors[0].shape[0] * factors[0].shape[1], f"{model} layers": len(factors[0])}
        one = f"{model} as trained, per head"
        found.value(f"{one}, f", (1 + found.values[one]) / 2)
        found.say(
            f"{model}: the median ρ of {{{model} heads:d}} heads is {{{one}:.3f}} ({{{model} folded, per head:.3f}} "
            "with "
            f"the norms folded in), untrained {{{model} untrained, per head:.3f}}, rotated "
            f"{{{model} rotated, per head:.3f}}; "
            f"{{{one}, share above 97.5 % of the rotated:.0%}} of the heads are above 97.5 % of the rotated ones. "
            "With the "
            f"heads of a layer summed, {{{model} as trained, per layer:.3f}} ({{{model} folded, per layer:.3f}} "
            "folded), "
            f"untrained {{{model} untrained, per layer:.3f}}. On the scale f = (1 + ρ)/2, where the null is ½, the "
            "median "
            f"head has {{{one}, f:.3f}}."
        )
    found.n["draws"] = DRAWS
    return found.fact(
        "asymmetry",
        conditions=(
            "weights only, no text",
            "ρ = tr(B²)/‖B‖² in [−1, 1]; its mean over rotations B → BR is 1/d (MiniLM 1/384, SmolLM2 1/576)",
            "SmolLM2: the form at distance Δ = 0; three query heads share a key head; 4-bit weights",
            "per layer: the forms of all heads added",
            "interval: bootstrap of layers, the unit; MiniLM has six, so its intervals are too short",
            "null: mean of the draws",
            "untrained: independent Gaussian factors of the same shapes",
        ),
        note=(
            "Summing a layer's heads raises ρ where heads share a symmetric part. Published tables of ρ add the "
            "heads of a layer, so compare those with the sums."
        ),
    )


def measure_energy_shares(records):
    """What the scores' antisymmetric energy is made of, and how irreversible the heads are beside noise.

    Shares of popularity, reciprocal and circulating energy (`relation.energy_shares`), the share of the energy of
    S − Sᵀ that is a gradient u_i − u_j, and the net flow ½ Σ abs(π_i A_ij − π_j A_ji) of the chain A.

    Parameters
    ----------
    records : Records

    Returns
    -------
    Fact
    """
    found = Findings(records)
    for model in records.models:
        trained, noise = records.of(model), records.noise(model)
        measured = {
            "trained": [_shares(record.scores) for record in trained],
            "untrained": [_shares(record.scores) for record in records.of(model, trained=False)],
            "noise": [_shares(scores) for scores in noise],
        }
        flow = {
            "trained": [_net_flow(softmax(record.scores)) for record in trained],
            "noise": [_net_flow(softmax(scores)) for scores in noise],
        }
        rows = {}
        for kind, texts in measured.items():
            for part in texts[0]:
                rows[f"{model} {kind}, {part}"] = [shares[part].mean() for shares in texts]
        for kind, texts in flow.items():
            rows[f"{model} {kind}, net flow"] = [np.mean(heads) for heads in texts]
        found.over_texts(rows)
        for part in ("popularity", "reciprocal", "circulating"):
            found.arrays[f"{model} trained, {part}"] = per_head([shares[part] for shares in measured["trained"]])
        heads = {kind: np.array([text.ravel() for text in texts]) for kind, texts in flow.items()}
        pairs = np.stack([heads["noise"], heads["trained"]], axis=1)
        found.arrays[f"{model} trained, net flow"] = per_head(flow["trained"])
        found.statistic(f"{model} noise over trained, net flow", pairs, _median_ratio)
        gradient = np.array([shares["gradient of S"].ravel() for shares in measured["trained"]])
        found.statistic(f"{model} trained, gradient of S, median head", gradient, median_head)
        found.n[f"{model} heads"] = gradient.shape[1]
        found.say(
            f"{model}: of the antisymmetric energy of S a gradient u_i − u_j is "
            f"{{{model} trained, gradient of S:.1%}} on "
            f"average and {{{model} trained, gradient of S, median head:.1%}} in the median head (noise "
            f"{{{model} noise, gradient of S:.1%}}); of the energy of SJ {{{model} trained, popularity:.1%}} is "
            f"popularity, {{{model} trained, reciprocal:.1%}} reciprocal and {{{model} trained, circulating:.1%}} "
            f"circulating, against {{{model} noise, popularity:.1%}}, {{{model} noise, reciprocal:.1%}} and "
            f"{{{model} noise, circulating:.1%}} in noise and {{{model} untrained, circulating:.1%}} circulating "
            f"untrained. The net flow of the chain is {{{model} trained, net flow:.3f}}, that of noise of the same "
            f"temperature {{{model} noise, net flow:.3f}}; in the median head noise flows "
            f"{{{model} noise over trained, net flow:.2g}} times as much."
        )
    return found.fact(
        "energy_shares",
        conditions=(
            "a number a text is the mean over all heads; arrays hold each head's median over texts",
            "MiniLM: its scores, all keys; SmolLM2: the scores before the mask, counterfactual above the diagonal",
            "shares are of SJ, the same for S and log A; the gradient share of S depends on the model's row constants",
            "noise: Gaussian scores, all keys allowed, mean row entropy of the head's softmax over all keys",
            "net flow is 0 for a reversible chain and at most 1",
        ),
        note=(
            "For any Gaussian noise the circulating share is (n − 2)/(2n) on average. It is the net flow that is "
            "about eight times as large in noise (MiniLM, median head); circulating shares by a factor of three. "
            "The gradient share is no evidence of direction: a row shift turns a gradient into a symmetric part plus "
            "popularity."
        ),
    )


def measure_surviving_measures(records):
    """Which measures tell trained heads from nulls of the same flatness, and which only from flat ones.

    For each measure the AUC over heads, trained against null, of each head's median over texts.

    Parameters
    ----------
    records : Records

    Returns
    -------
    Fact
    """
    found = Findings(records)
    for model in records.models:
        kinds = {"trained": [], "noise": [], "untrained": []}
        trio = zip(records.of(model), records.noise(model), records.of(model, trained=False))
        for record, noise, twin in trio:
            kinds["trained"].append(_measures(record.scores, record.weights))
            A = softmax(noise)
            if model == "SmolLM2":  # causal weights have a causal null of their own
                A = nulls.temperature_matched(record.weights, records.rng(record, 3), mask=record.mask).weights
            kinds["noise"].append(_measures(noise, A))
            kinds["untrained"].append(_measures(twin.scores, twin.weights))
        for measure in kinds["trained"][0]:
            stacked = {k: np.array([one[measure].ravel() for one in texts]) for k, texts in kinds.items()}
            for against in ("noise", "untrained"):
                pair = np.stack([stacked["trained"], stacked[against]], axis=1)
                found.statistic(f"{model} {measure}, AUC against {against}", pair, _auc_of_medians)
            found.value(f"{model} {measure}, median head", np.median(np.median(stacked["trained"], axis=0)))
            found.null(f"{model} {measure}, median head of noise", np.median(np.median(stacked["noise"], axis=0)))
        rank = spectrum.rank_summary_of(bilinear.singular_values(*records.module(model).weights().form_factors()))
        W_Q, W_K = records.twin(model).heads.form_factors()
        null = spectrum.rank_summary_of(bilinear.singular_values(W_Q, W_K))
        found.value(
            f"{model} stable rank of B, AUC against Gaussian factors", auc(np.ravel(rank.stable), np.ravel(null.stable))
        )
        found.value(f"{model} stable rank of B, median head", np.median(rank.stable))
        found.null(f"{model} stable rank of B, median head of Gaussian factors", np.median(null.stable))
        found.n[f"{model} heads"] = stacked["trained"].shape[1]
        found.say(
            f"{model}, AUC of trained heads against noise of the same temperature: "
            + ", ".join(f"{measure} {{{model} {measure}, AUC against noise:.2f}}" for measure in kinds["trained"][0])
            + "; stable rank of B against Gaussian factors "
            f"{{{model} stable rank of B, AUC against Gaussian factors:.2f}}. Against untrained heads: "
            + ", ".join(
                f"{measure} {{{model} {measure}, AUC against untrained:.2f}}" for measure in kinds["trained"][0]
            )
            + "."
        )
    return found.fact(
        "surviving_measures",
        conditions=(
            "AUC over heads: 1 if every trained head lies above every null head, 0 if below, ½ if they do not differ",
            "sink mass: mean weight on the first token (SmolLM2: causal weights, causal noise); the others on the "
            "scores "
            "(SmolLM2: before the mask); self share: share of i ≠ j with s_ij > s_ii",
            "noise: Gaussian scores, mean row entropy of each head; interval over texts",
        ),
        note=(
            "Entropy is matched by construction. Against untrained heads nearly everything separates, because their "
            "scores are flat; against noise of the same temperature what is left is structure."
        ),
    )


def _measures(S, A):
    shares = relation.energy_shares(S)
    off = ~np.eye(S.shape[-1], dtype=bool)
    above = S > np.diagonal(S, axis1=-2, axis2=-1)[..., None]
    return {
        "sink mass": A[..., 0].mean(-1),
        "popularity": np.asarray(shares.popularity),
        "reciprocal": np.asarray(shares.reciprocal),
        "circulating": np.asarray(shares.circulating),
        "self share": above[..., off].mean(-1),
    }


def _auc_of_medians(pair):
    return auc(*np.median(pair, axis=0))


def _layer_sums(W_Q, W_K):
    """Factors of the sum of a layer's forms: the heads side by side."""
    return tuple(np.concatenate(list(np.moveaxis(W, 1, 0)), axis=-1) for W in (W_Q, W_K))


def _untrained_factors(heads, rng):
    W_Q, W_K = (rng.standard_normal(W.shape) for W in (heads.W_Q, heads.W_K))
    return W_Q, W_K if heads.key_head is None else W_K[:, list(heads.key_head)]


def _over_layers(rho, seed):
    ends = nulls.bootstrap_texts(rho.reshape(len(rho), -1), lambda layers: np.median(layers), rng=seed)
    return ends.low, ends.high


def _rho(W_Q, W_K):
    """`bilinear.symmetry_score` from the small products alone, which is enough where no digit cancels."""
    cross, grams = transposed(W_K) @ W_Q, (transposed(W_Q) @ W_Q) * (transposed(W_K) @ W_K)
    return (cross * transposed(cross)).sum((-2, -1)) / grams.sum((-2, -1))


def _shares(S):
    shares = relation.energy_shares(S)
    named = {part: np.asarray(getattr(shares, part)) for part in ("popularity", "reciprocal", "circulating")}
    return named | {"gradient of S": gradient_share(S)}


def gradient_share(S):
    """Share of ‖S − Sᵀ‖² in the nearest u_i − u_j: what JNJ leaves of N."""
    N = S - transposed(S)
    curl = N - N.mean(-1, keepdims=True) - N.mean(-2, keepdims=True)
    return 1 - (curl**2).sum((-2, -1)) / (N**2).sum((-2, -1))


def _net_flow(A):
    """Half the sum of abs(π_i A_ij − π_j A_ji). Weights that underflowed to 0 are lifted, so that the law is unique."""
    A = np.maximum(A, 1e-300)
    flow = graph.stationary_distribution(A / A.sum(-1, keepdims=True)).pi[..., None] * A
    return np.abs(flow - transposed(flow)).sum((-2, -1)) / 2


def _median_ratio(pairs):
    """Median over heads of the ratio of the two means over texts."""
    above, below = np.mean(pairs, axis=0)
    return np.median(above / below)
