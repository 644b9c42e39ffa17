"""Measured facts on weights, contributions and what cutting an edge does. See :mod:`attention_geometry.facts`."""

import numpy as np

from attention_geometry import explanation
from attention_geometry._facts_report import Findings
from attention_geometry.attention import log_softmax, softmax

#: Edges cut in each text, and on how many texts.
EDGES, CUT_TEXTS = 40, 6


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
        even = [r.mask[0, 0, skip:] / r.mask[0, 0, skip:].sum(-1, keepdims=True) for r in full]
        rows[f"{model} chance, share of weight on the first token"] = [one[:, 0].mean() for one in even]
        cut = {"MiniLM": _cut_encoder, "SmolLM2": _cut_decoder}[model]
        tables = []
        for record, norm in zip(full, norms):
            rng = records.rng(record, 8)
            edges = _edges(record, rng)
            effect = cut(records, record, edges)
            tables.append((record.weights[edges], norm[edges], effect, edges[-1] == 0))
        rows[f"{model} weight, rank correlation with effect"] = [_spearman(A, effect) for A, _, effect, _ in tables]
        rows[f"{model} contribution, rank correlation with effect"] = [
            _spearman(c, effect) for _, c, effect, _ in tables
        ]
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
            f"{{{model} first token, share of contribution:.0%}} of the contribution norm. Over {{{model} edges:d}} "
            "cut edges the "
            f"rank correlation with the effect is {{{model} weight, rank correlation with effect:.2f}} for the "
            "weight and "
            f"{{{model} contribution, rank correlation with effect:.2f}} for the contribution. Of the edges above ½, "
            f"{{{model} edges above ½, share on the first token:.0%}} go to the first token, and they carry "
            f"{{{model} edges above ½, share of effect on the first token:.0%}} of the effect"
            + (f"; {{{model} edges above ½, share with KL below 0.001:.0%}} have a KL below 0.001." if skip else ".")
        )
    return found.fact(
        "contributions",
        conditions=(
            f"the first {CUT_TEXTS} texts; {EDGES} edges a text at random among all allowed ones, and {EDGES} among "
            "those above ½",
            "cut: the weight is set to 0, the other weights of the row stay; one edge at a time",
            "effect: MiniLM ‖change of the last hidden vectors‖; SmolLM2 KL(p, p′) at the query, nats",
            "first token: [CLS] in MiniLM; SmolLM2 has no begin sign, so it is the first word, rows from the second on",
            "rank correlation: Spearman, per text, then the mean",
        ),
        note=(
            "Cutting an edge without renormalising changes the row's sum: an edge to a sink with a small value vector "
            "can still matter. The sample of edges decides the correlations: half of it is above ½ here. An earlier "
            "measurement on five texts had .71 and .90 in MiniLM, .83 and .81 in SmolLM2; its 39 % and 7 % for [CLS] "
            "are means over rows, on texts of 25 to 33 tokens."
        ),
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
    queries, keys, values = (
        module._split(module._linear(x, parts[p]), network.n_heads) for p in ("query", "key", "value")
    )
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
        queries, own_keys = (
            module._turn(inputs @ W, rows, network) for W in (network.heads.W_Q[l], network.heads.W_K[l])
        )
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
