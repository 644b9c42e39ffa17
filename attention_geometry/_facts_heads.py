"""Measured facts on what heads do and what their weights tell. See :mod:`attention_geometry.facts`."""

import numpy as np

from attention_geometry import bilinear, heads
from attention_geometry._facts_report import Findings, auc, per_head
from attention_geometry.attention import causal_mask

#: Random sequences of each kind, and their token numbers (words, no special tokens).
SEQUENCES, VOCABULARY, BLOCK = 6, (2000, 29000), (16, 29)
#: A head whose weight on earlier equal tokens is above this counts as a duplicate-token head.
DUPLICATE = 0.1


def measure_duplicate_heads(records):
    """How well the symmetry of the weights, with no text, finds the heads that attend to equal tokens.

    Parameters
    ----------
    records : Records
        No text is read; random tokens are, which the seed fixes.

    Returns
    -------
    Fact
    """
    found = Findings(records, texts=False)
    for model in records.models:
        score = np.mean(_behaviour(records, model)["duplicate"], axis=0)
        twin = np.mean(_behaviour(records, model, trained=False)["duplicate"], axis=0)
        positive = score.ravel() > DUPLICATE
        found.n |= {f"{model} heads": positive.size, f"{model} duplicate-token heads": positive.sum()}
        for folded in (False, True):
            rho = bilinear.symmetry_score(*records.module(model).weights(folded=folded).form_factors())
            key = f"{model} AUC of ρ, {'folded' if folded else 'as trained'}"
            found.value(
                key, auc(rho.ravel()[positive], rho.ravel()[~positive]), _over_heads(rho, positive, records.seed)
            )
        found.arrays[f"{model} duplicate score"] = score
        own = _own_score(records, model)
        key = f"{model} AUC of a token's score with itself"
        found.value(key, auc(own.ravel()[positive], own.ravel()[~positive]), _over_heads(own, positive, records.seed))
        found.value(f"{model} largest duplicate score", score.max())
        found.null(f"{model} untrained, largest duplicate score", twin.max())
        rho = bilinear.symmetry_score(*records.module(model).weights().form_factors()).ravel()
        top = np.argsort(-rho)[: positive.sum()]
        found.value(f"{model} duplicate-token heads among as many most symmetric ones", positive[top].sum())
        found.say(
            f"{model}: {{{model} duplicate-token heads:d}} of {{{model} heads:d}} heads put more than a tenth of "
            "their weight "
            "on equal tokens. ρ of the weights ranks them above the others with AUC "
            f"{{{model} AUC of ρ, as trained:.3f}} "
            f"({{low {model} AUC of ρ, as trained:.3f}} to {{high {model} AUC of ρ, as trained:.3f}}), folded "
            f"{{{model} AUC of ρ, folded:.3f}}; the score of a token's embedding with itself does with "
            f"{{{model} AUC of a token's score with itself:.3f}}. Of them, "
            f"{{{model} duplicate-token heads among as many most symmetric ones:d}} are among the "
            f"{{{model} duplicate-token heads:d}} most symmetric heads."
        )
    found.n["sequences"] = SEQUENCES
    return found.fact(
        "duplicate_heads",
        conditions=(
            "duplicate score: mean weight on the other (SmolLM2: earlier) occurrences of the same token, on 16 to 28 "
            "distinct "
            "random tokens followed by the same tokens in another order",
            f"duplicate-token head: score above {DUPLICATE}; uniform attention gives about 0.02 to 0.03",
            "ρ as in the fact “asymmetry”; SmolLM2 at Δ = 0",
            "a token's score with itself: mean diagonal of the folded form on 300 normalised token embeddings, in "
            "standard "
            "deviations of the doubly centred scores",
            "interval: bootstrap of heads within the two classes; it shows how few positives there are",
        ),
        note=(
            "An earlier measurement's AUC above .99 holds for SmolLM2 and not for MiniLM, where three heads pass and "
            "most heads are symmetric for other reasons: a symmetric form need not prefer equal tokens. What finds "
            "them in both models is the form read on the embeddings, which are weights as well."
        ),
    )


def measure_named_heads(records):
    """The best previous-token, duplicate-token and induction heads, chosen on one half and reported on the other.

    Parameters
    ----------
    records : Records
        No text is read; random tokens are, which the seed fixes.

    Returns
    -------
    Fact
    """
    found = Findings(records, texts=False)
    for model in records.models:
        trained, twin = (_behaviour(records, model, trained=kind) for kind in (True, False))
        rows, best = {}, {}
        for kind in ("previous", "duplicate", "induction"):
            chosen = np.mean(trained[kind][::2], axis=0).argmax()
            layer, head = divmod(int(chosen), trained[kind][0].shape[1])
            found.value(f"{model} {kind} layer", layer)
            found.value(f"{model} {kind} head", head)
            if kind != "duplicate":  # that array stands in the fact on duplicate-token heads
                found.arrays[f"{model} {kind}"] = np.mean(trained[kind], axis=0)
            rows[f"{model} {kind}"] = [one[layer, head] for one in trained[kind][1::2]]
            rows[f"{model} {kind}, chance"] = trained[f"{kind} chance"][1::2]
            rows[f"{model} {kind}, largest untrained"] = [one.max() for one in twin[kind][1::2]]
            best[kind] = (
                f"{kind} layer {{{model} {kind} layer:d}} head {{{model} {kind} head:d}}, {{{model} {kind}:.3f}} "
                "(chance "
                f"{{{model} {kind}, chance:.3f}}, largest untrained {{{model} {kind}, largest untrained:.3f}})"
            )
        found.over_texts(rows)
        found.say(f"{model}, best heads: " + "; ".join(best.values()) + ".")
    found.n |= {"sequences": SEQUENCES // 2}
    return found.fact(
        "named_heads",
        conditions=(
            "random tokens: 16 to 28 distinct ones, then the same in the same order (induction) or another "
            "(previous, duplicate)",
            "the head is chosen on every second sequence and measured on the others, so its value is not a maximum "
            "of noise",
            "mean weight on the target; chance is uniform attention over the allowed keys; layers and heads count "
            "from 0",
            "MiniLM: [CLS] and [SEP] stand around the tokens; [SEP] is left out, and rows are normalised, for "
            "induction",
        ),
        note=("MiniLM has no induction head: its best is near chance. Random tokens, so no word order helps."),
    )


def measure_sinks(records):
    """Share of heads that put more than 0.3 of their weight on the first of 64 tokens.

    Parameters
    ----------
    records : Records
        Pairs of the first 12 texts are joined, so that each has 64 tokens or more.

    Returns
    -------
    Fact
    """
    found = Findings(records)
    joined = [" ".join(pair) for pair in zip(records.texts[:12:2], records.texts[1:12:2])]
    for model in records.models:
        rows = {}
        for kind, twin in (("trained", None), ("untrained", records.twin(model))):
            scores = []
            for text in joined:
                record = records.module(model).record(text, model=twin)
                A = record.weights if model == "SmolLM2" else _first_keys(record.weights)
                scores.append(heads.sink_score(A, mask=causal_mask(A.shape[-1]) if model == "SmolLM2" else None))
            rows[f"{model} {kind}, share of sinks"] = [one.share for one in scores]
            rows[f"{model} {kind}, weight on the first token"] = [one.value.mean() for one in scores]
            if kind == "trained":
                found.arrays[f"{model} trained, weight on the first token"] = per_head([one.value for one in scores])
        rows[f"{model} chance, weight on the first token"] = [np.mean(one.baseline) for one in scores]
        found.over_texts(rows)
        found.n[f"{model} heads"] = scores[0].value.size
        found.say(
            f"{model}, 64 tokens: {{{model} trained, share of sinks:.1%}} of the heads are sinks, untrained "
            f"{{{model} untrained, share of sinks:.1%}}; the first token gets "
            f"{{{model} trained, weight on the first token:.1%}} "
            f"of the weight, untrained {{{model} untrained, weight on the first token:.1%}}, by chance "
            f"{{{model} chance, weight on the first token:.1%}}."
        )
    found.texts = None
    found.n |= {"pairs of texts": len(joined), "tokens": 64}
    return found.fact(
        "sinks",
        conditions=(
            "the first 12 texts, joined in pairs, read on their first 64 tokens; sink: mean weight on token 0 above "
            "0.3",
            "MiniLM is no causal model: it reads the whole text, and its first 64 rows and keys are kept and "
            "normalised",
            "a number a text is the share or mean over heads",
        ),
        note=("T = 64 is kept because uniform attention passes the threshold on short texts (0.340 at T = 8)."),
    )


def _first_keys(A, n=64):
    A = A[..., :n, :n]
    return A / A.sum(-1, keepdims=True)


def _behaviour(records, model, *, trained=True):
    """Scores of all heads on random tokens, one array a sequence, with the chance value of each."""
    return records._once(("behaviour", model, trained), lambda: _measure_behaviour(records, model, trained))


def _measure_behaviour(records, model, trained):
    out = {key: [] for kind in ("previous", "duplicate", "induction") for key in (kind, f"{kind} chance")}
    for number in range(SEQUENCES):
        rng = np.random.default_rng([records.seed, 7, number])
        block = rng.choice(np.arange(*VOCABULARY), rng.integers(*BLOCK), replace=False)
        for kind, second in (("mixed", rng.permutation(block)), ("repeated", block)):
            A, ids, start = _run(records, model, [*block, *second], trained)
            mask = causal_mask(A.shape[-1]) if model == "SmolLM2" else None
            if kind == "mixed":
                found = {"previous": heads.previous_token_score(A, mask=mask)}
                found["duplicate"] = heads.duplicate_token_score(A, ids, mask=mask)
            else:
                A = A if model == "SmolLM2" else _first_keys(A, A.shape[-1] - 1)
                found = {"induction": heads.induction_score(A, len(block), start=start, mask=mask)}
            for name, score in found.items():
                out[name].append(score.value)
                out[f"{name} chance"].append(np.mean(score.baseline))
    return out


def _run(records, model, ids, trained):
    """Weights of all heads on these tokens, the tokens with the special ones, and how many of those stand in front."""
    module = records.module(model)
    network = module._model() if trained else records.twin(model)
    ids = [int(i) for i in ids]
    if model == "SmolLM2":
        return np.stack([part[1] for part in module._run(ids, network)[1]]), ids, 0
    ids, weights = [101, *ids, 102], []  # [CLS] and [SEP]
    x = module._embed(ids, network)
    for layer in network.layers:
        x, _, A, *_ = module._block(x, layer, network)
        weights.append(A)
    return np.stack(weights), ids, 1


def _own_score(records, model):
    """How much higher a token's embedding scores with itself than with others, in standard deviations."""
    module = records.module(model)
    table = module._model().words if model == "MiniLM" else module._model().embedding
    X = table[np.random.default_rng(records.seed).choice(np.arange(*VOCABULARY), 300, replace=False)].astype(float)
    X = X - X.mean(-1, keepdims=True) * (model == "MiniLM")
    X = X / np.sqrt((X**2).mean(-1, keepdims=True))
    W_Q, W_K = module.weights(folded=True).form_factors()
    S = (X @ W_Q) @ np.swapaxes(X @ W_K, -1, -2)
    S = S - S.mean(-1, keepdims=True) - S.mean(-2, keepdims=True) + S.mean((-2, -1), keepdims=True)
    return np.diagonal(S, axis1=-2, axis2=-1).mean(-1) / S.std((-2, -1))


def _over_heads(values, positive, seed):
    """Interval of the AUC over draws of heads with replacement within each class."""
    rng, values = np.random.default_rng(seed), values.ravel()
    classes = values[positive], values[~positive]
    draws = [auc(*(one[rng.integers(len(one), size=len(one))] for one in classes)) for _ in range(2000)]
    return tuple(np.quantile(draws, (0.025, 0.975)))
