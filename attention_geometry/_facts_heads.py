"""Measured facts on what heads do and what their weights tell. See :mod:`attention_geometry.facts`."""

import numpy as np

from attention_geometry import bilinear, explanation, heads, nulls, relation, spectrum
from attention_geometry._facts_report import Findings, auc, bootstrap, per_head
from attention_geometry.attention import causal_mask, log_softmax, softmax

#: Random sequences of each kind, and their token numbers (words, no special tokens).
SEQUENCES, VOCABULARY, BLOCK = 8, (2000, 29000), (16, 29)
#: A head whose weight on earlier equal tokens is above this counts as a duplicate-token head.
DUPLICATE = 0.1
#: Edges cut in each text, and on how many texts.
EDGES, CUT_TEXTS = 40, 8


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
    found = Findings(records)
    for model in records.models:
        score = np.mean(_behaviour(records, model)["duplicate"], axis=0)
        twin = np.mean(_behaviour(records, model, trained=False)["duplicate"], axis=0)
        positive = score.ravel() > DUPLICATE
        found.n |= {f"{model} heads": positive.size, f"{model} duplicate-token heads": positive.sum()}
        for folded in (False, True):
            rho = bilinear.symmetry_score(*records.module(model).weights(folded=folded).form_factors())
            key = f"{model} AUC of ρ, {'folded' if folded else 'as trained'}"
            found.value(key, auc(rho.ravel()[positive], rho.ravel()[~positive]), _over_heads(rho, positive, records.seed))
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
            f"{model}: {{{model} duplicate-token heads:d}} of {{{model} heads:d}} heads put more than a tenth of their weight "
            f"on equal tokens. ρ of the weights ranks them above the others with AUC {{{model} AUC of ρ, as trained:.3f}} "
            f"({{low {model} AUC of ρ, as trained:.3f}} to {{high {model} AUC of ρ, as trained:.3f}}), folded "
            f"{{{model} AUC of ρ, folded:.3f}}; the score of a token's embedding with itself does with "
            f"{{{model} AUC of a token's score with itself:.3f}}. Among as many most symmetric heads, "
            f"{{{model} duplicate-token heads among as many most symmetric ones:d}} are duplicate-token heads."
        )
    found.n["sequences"] = SEQUENCES
    return found.fact(
        "duplicate_heads",
        conditions=(
            "duplicate score: mean weight on the other (SmolLM2: earlier) occurrences of the same token, on 16 to 28 distinct "
            "random tokens followed by the same tokens in another order",
            f"duplicate-token head: score above {DUPLICATE}; uniform attention gives about 0.02 to 0.03",
            "ρ as in the fact “asymmetry”; SmolLM2 at Δ = 0",
            "a token's score with itself: mean diagonal of the folded form on 300 normalised token embeddings, in standard "
            "deviations of the doubly centred scores",
            "interval: bootstrap of heads within the two classes; it shows how few positives there are",
        ),
        note="The first look's AUC > .99 holds on SmolLM2 and not on MiniLM, whose heads are symmetric for other reasons too "
        "and where three heads pass: a symmetric form need not prefer equal tokens. What finds them on both is the form "
        "read on the embeddings, which are weights as well.",
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
    found = Findings(records)
    for model in records.models:
        trained, twin = (_behaviour(records, model, trained=kind) for kind in (True, False))
        rows, best = {}, {}
        for kind in ("previous", "duplicate", "induction"):
            chosen = np.mean(trained[kind][::2], axis=0).argmax()
            layer, head = divmod(int(chosen), trained[kind][0].shape[1])
            found.n |= {f"{model} {kind} layer": layer, f"{model} {kind} head": head}
            found.arrays[f"{model} {kind}"] = np.mean(trained[kind], axis=0)
            rows[f"{model} {kind}"] = [one[layer, head] for one in trained[kind][1::2]]
            rows[f"{model} {kind}, chance"] = trained[f"{kind} chance"][1::2]
            rows[f"{model} {kind}, largest untrained"] = [one.max() for one in twin[kind][1::2]]
            best[kind] = (
                f"{kind} layer {{{model} {kind} layer:d}} head {{{model} {kind} head:d}}, {{{model} {kind}:.3f}} (chance "
                f"{{{model} {kind}, chance:.3f}}, largest untrained {{{model} {kind}, largest untrained:.3f}})"
            )
        found.over_texts(rows)
        found.say(f"{model}, best heads: " + "; ".join(best.values()) + ".")
    found.n |= {"sequences": SEQUENCES // 2}
    return found.fact(
        "named_heads",
        conditions=(
            "random tokens: 16 to 28 distinct ones, then the same in the same order (induction) or another (previous, duplicate)",
            "the head is chosen on every second sequence and measured on the others, so its value is not a maximum of noise",
            "mean weight on the target; chance is uniform attention over the allowed keys; layers and heads count from 0",
            "MiniLM: [CLS] and [SEP] stand around the tokens; [SEP] is left out, and rows are normalised, for induction",
        ),
        note="MiniLM has no induction head: its best is at chance. Means over random tokens, where no word order helps.",
    )


def measure_sinks(records):
    """Share of heads that put more than 0.3 of their weight on the first of 64 tokens.

    Parameters
    ----------
    records : Records
        Pairs of texts are joined, so that each has 64 tokens or more.

    Returns
    -------
    Fact
    """
    found = Findings(records)
    joined = [" ".join(pair) for pair in zip(records.texts[::2], records.texts[1::2])]
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
        rows[f"{model} chance, weight on the first token"] = [np.mean(one.baseline) for one in scores]
        found.arrays[f"{model} untrained, weight on the first token"] = per_head([one.value for one in scores])
        found.over_texts(rows)
        found.n[f"{model} heads"] = scores[0].value.size
        found.say(
            f"{model}, 64 tokens: {{{model} trained, share of sinks:.1%}} of the heads are sinks, untrained "
            f"{{{model} untrained, share of sinks:.1%}}; the first token gets {{{model} trained, weight on the first token:.1%}} "
            f"of the weight, untrained {{{model} untrained, weight on the first token:.1%}}, by chance "
            f"{{{model} chance, weight on the first token:.1%}}."
        )
    found.texts, found.n["tokens"] = len(joined), 64
    return found.fact(
        "sinks",
        conditions=(
            "12 joined pairs of texts, read on their first 64 tokens; sink: mean weight on token 0 above 0.3",
            "MiniLM is no causal model: it reads the whole text, and its first 64 rows and keys are kept and normalised",
            "a number a text is the share or mean over heads",
        ),
        note="T = 64 is kept because uniform attention passes the threshold on short texts (0.340 at T = 8).",
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
            if model == "SmolLM2":
                A = softmax(noise)  # all keys; the sinks of causal weights have a causal null of their own
                A = nulls.temperature_matched(record.weights, records.rng(record, 3), mask=record.mask).weights
            else:
                A = softmax(noise)
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
        found.value(f"{model} stable rank of B, AUC against Gaussian factors",
                    auc(np.ravel(rank.stable), np.ravel(null.stable)))
        found.value(f"{model} stable rank of B, median head", np.median(rank.stable))
        found.null(f"{model} stable rank of B, median head of Gaussian factors", np.median(null.stable))
        found.n[f"{model} heads"] = stacked["trained"].shape[1]
        found.say(
            f"{model}, AUC of trained heads against noise of the same temperature: "
            + ", ".join(f"{measure} {{{model} {measure}, AUC against noise:.2f}}" for measure in kinds["trained"][0])
            + f"; stable rank of B against Gaussian factors {{{model} stable rank of B, AUC against Gaussian factors:.2f}}. "
            "Against untrained heads: "
            + ", ".join(f"{measure} {{{model} {measure}, AUC against untrained:.2f}}" for measure in kinds["trained"][0])
            + "."
        )
    return found.fact(
        "surviving_measures",
        conditions=(
            "AUC over heads: 1 if every trained head lies above every null head, 0 if below, ½ if they do not differ",
            "sink mass: mean weight on the first token (SmolLM2: causal weights, causal noise); the others on the scores "
            "(SmolLM2: before the mask); self share: share of i ≠ j with s_ij > s_ii",
            "noise: Gaussian scores, mean row entropy of each head; interval over texts",
        ),
        note="Entropy itself is matched by construction. Against untrained heads nearly everything separates, because their "
        "scores are flat; against matched noise what is left is structure.",
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


def measure_contributions(records):
    """Weights, contribution norms, and what cutting one edge does.

    An edge of one head is cut by setting its weight to 0 without changing the others. SmolLM2: the effect is the KL
    divergence of the next-token distribution at the query. MiniLM: the length of the change of all final vectors.

    Parameters
    ----------
    records : Records

    Returns
    -------
    Fact
    """
    found = Findings(records)
    for model in records.models:
        texts = records.texts[:CUT_TEXTS]
        full = [records.module(model).record(text) for text in texts]
        norms = [explanation.contribution_norms(r.weights, _values(r), r.W_O) for r in full]
        skip = 0 if model == "MiniLM" else 1  # the first token of a decoder can attend to nothing else
        rows = {
            f"{model} first token, share of weight": [r.weights[..., skip:, 0].mean() for r in full],
            f"{model} first token, share of contribution": [_share_of_first(c[..., skip:, :]) for c in norms],
        }
        cut = {"MiniLM": _cut_encoder, "SmolLM2": _cut_decoder}[model]
        tables = []
        for record, norm in zip(full, norms):
            rng = records.rng(record, 8)
            edges = _edges(record, rng)
            effect = cut(records, record, edges)
            tables.append((record.weights[edges], norm[edges], effect, edges[-1] == 0))
        rows[f"{model} weight, rank correlation with effect"] = [_spearman(A, effect) for A, _, effect, _ in tables]
        rows[f"{model} contribution, rank correlation with effect"] = [_spearman(c, effect) for _, c, effect, _ in tables]
        strong = [(effect[A > 0.5], first[A > 0.5]) for A, _, effect, first in tables]
        rows[f"{model} edges above ½, share of effect on the first token"] = [e[f].sum() / e.sum() for e, f in strong]
        rows[f"{model} edges above ½, share on the first token"] = [f.mean() for _, f in strong]
        if model == "SmolLM2":
            rows[f"{model} edges above ½, share with KL below 0.001"] = [np.mean(e < 1e-3) for e, _ in strong]
        found.over_texts(rows)
        found.texts = len(texts)
        found.n[f"{model} edges"] = sum(len(table[0]) for table in tables)
        found.say(
            f"{model}: the first token gets {{{model} first token, share of weight:.0%}} of the weight and "
            f"{{{model} first token, share of contribution:.0%}} of the contribution norm. Over {{{model} edges:d}} cut edges the "
            f"rank correlation with the effect is {{{model} weight, rank correlation with effect:.2f}} for the weight and "
            f"{{{model} contribution, rank correlation with effect:.2f}} for the contribution. Of the edges above ½, "
            f"{{{model} edges above ½, share on the first token:.0%}} go to the first token, and they carry "
            f"{{{model} edges above ½, share of effect on the first token:.0%}} of the effect"
            + (f"; {{{model} edges above ½, share with KL below 0.001:.0%}} have a KL below 0.001." if skip else ".")
        )
    return found.fact(
        "contributions",
        conditions=(
            f"the first {CUT_TEXTS} texts; {EDGES} edges a text at random among all allowed ones, and {EDGES} among those above ½",
            "cut: the weight is set to 0, the other weights of the row stay; one edge at a time",
            "effect: MiniLM ‖change of the last hidden vectors‖; SmolLM2 KL(p, p′) at the query, nats",
            "first token: [CLS] in MiniLM; SmolLM2 has no begin sign, so it is the first word, rows from the second on",
            "rank correlation: Spearman, per text, then the mean",
        ),
        note="Cutting an edge without renormalising changes the row's sum: an edge to a sink with a small value vector can "
        "still matter. The sample of edges decides the correlations: half of it is above ½ here.",
    )


def _values(record):
    return record.values[:, list(record.key_head)]


def _share_of_first(norms):
    return norms[..., 0].sum() / norms.sum()


def _spearman(a, b):
    from scipy.stats import spearmanr

    return spearmanr(a, b).statistic


def _edges(record, rng):
    """(layers, heads, queries, keys): at random among all allowed edges, and among those with weight above ½."""
    allowed = np.broadcast_to(record.mask, record.weights.shape).copy()
    allowed[..., 0, :] = allowed[..., 0, :] & (record.mask[..., 0, :].sum() > 1)  # a lone key has nothing to lose to
    lots = [np.flatnonzero(allowed), np.flatnonzero(allowed & (record.weights > 0.5))]
    chosen = np.concatenate([rng.choice(lot, EDGES, replace=False) for lot in lots])
    return np.unravel_index(chosen, record.weights.shape)


def _cut_encoder(records, record, edges):
    """Run the layers from the cut on, once for each edge."""
    module = records.module("MiniLM")
    network, effects = module._model(), []
    for layer, head, i, j in zip(*edges):
        x = record.hidden[layer]
        before = record.weights[layer, head, i, j] * record.values[layer, head, j] @ record.W_O[layer, head]
        x = _encoder_block(module, network, x, layer, i, before)
        for later in network.layers[layer + 1 :]:
            x = module._block(x, later, network)[0]
        effects.append(np.linalg.norm(x - record.hidden[-1]))
    return np.array(effects)


def _encoder_block(module, network, x, layer, i, lost):
    """One layer of MiniLM whose attention output at token i lacks ``lost``."""
    from scipy.special import erf

    parts = network.layers[layer]
    queries, keys, values = (module._split(module._linear(x, parts[p]), network.n_heads) for p in ("query", "key", "value"))
    A = softmax(queries @ np.swapaxes(keys, -1, -2) / np.sqrt(queries.shape[-1]))
    mixed = module._linear((A @ values).swapaxes(0, 1).reshape(x.shape), parts["out"])
    mixed[i] -= lost
    x = module._layer_norm(x + mixed, parts["norm"], network)
    wide = module._linear(x, parts["up"])
    wide = wide * (1 + erf(wide / np.sqrt(2))) / 2
    return module._layer_norm(x + module._linear(wide, parts["down"]), parts["last_norm"], network)


def _cut_decoder(records, record, edges):
    """All edges at once: each is its own copy of the query token, over the uncut keys and values of those before it."""
    module = records.module("SmolLM2")
    network = module._model()
    layers, cut_heads, rows, cut_keys = edges
    x = record.hidden[0][rows]
    earlier = np.arange(record.n_tokens) < rows[:, None]
    read = list(network.heads.key_head)
    for l, layer in enumerate(network.layers):
        inputs = module._rms_norm(x, network) * layer["attn_norm"]
        queries, own_keys = (module._turn(inputs @ W, rows, network) for W in (network.heads.W_Q[l], network.heads.W_K[l]))
        own_values = (inputs @ network.heads.W_V[l])[read]
        own = (queries * own_keys[read]).sum(-1)[..., None]
        past = np.where(earlier, queries @ np.swapaxes(record.keys[l][read], -1, -2), -np.inf)
        A = softmax(np.concatenate([past, own], axis=-1) / np.sqrt(queries.shape[-1]))
        for e in np.flatnonzero(layers == l):
            A[cut_heads[e], e, cut_keys[e] if cut_keys[e] < rows[e] else -1] = 0.0
        mixed = A[..., :-1] @ record.values[l][read] + A[..., -1:] * own_values
        x = x + (mixed @ network.heads.W_O[l]).sum(0)
        wide = module._rms_norm(x, network) * layer["ffn_norm"]
        gate = wide @ layer["ffn_gate"].T
        x = x + (gate * (1 + np.tanh(gate / 2)) / 2 * (wide @ layer["ffn_up"].T)) @ layer["ffn_down"].T
    before = log_softmax(module._unembed(record.hidden[-1][rows], network))
    after = log_softmax(module._unembed(x, network))
    return (np.exp(before) * (before - after)).sum(-1)
