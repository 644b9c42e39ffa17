"""The table of measures: for each its question, unit, conditions, where it is defined, its nulls and its function.

A new measure is one entry. Its function takes a `View` and returns one number per head and draw, NaN where it is
undefined, or a pair of that and the reason. The formulas live in the modules to the left; here they are only named.
"""

import numpy as np

from attention_geometry import anisotropy, axioms, bilinear, curvature, explanation, graph, heads, relation, spectrum
from attention_geometry._measure_entry import Measure, Table, without_count
from attention_geometry._measure_view import BOTH_WAYS, MATRICES, PAIRS, STREAM, THREE, TWO, VALUES, WHOLE
from attention_geometry._orders import cyclic_triples
from attention_geometry.attention import effective_keys, entropy


def _reason(report, field="value"):
    return without_count(report.reasons.get(field, ""))


def _score(report):
    return np.asarray(report.value, dtype=float), _reason(report)


def _over_rows(values, view):
    """Mean over the rows that hold a distribution."""
    total = np.where(view.valid, values, 0.0).sum(-1)
    with np.errstate(invalid="ignore"):
        return total / np.where(view.valid.any(-1), view.valid.sum(-1), np.nan), "no row has an allowed key"


# Weight space.


_NO_FORM = "B = 0 has no energy to share"


def _symmetric_share(v):
    return v.symmetric_share, _NO_FORM


def _symmetry_score(v):
    return 2 * v.symmetric_share - 1, _NO_FORM


def _trace_ratio(v):
    return bilinear.trace_ratio(v.W_Q, v.W_K), "the symmetric part is zero"


def _positive(v):
    return v.signature.positive


def _negative(v):
    return v.signature.negative


def _form_stable_rank(v):
    return spectrum.effective_rank_of(v.form_spectrum, kind="stable"), _NO_FORM


def _form_effective_rank(v):
    return spectrum.effective_rank_of(v.form_spectrum, kind="erank1"), _NO_FORM


# Score space.

_FLAT = "the rows of scores are constant (A is uniform): no energy to share"


def _popularity(v):
    return v.shares.popularity, _FLAT


def _reciprocal(v):
    return v.shares.reciprocal, _FLAT


def _circulating(v):
    return v.shares.circulating, _FLAT


def _cycle_curl(v):
    return relation.cycle_curl(v.pairs).root_mean_square, "no cycle of three tokens"


def _triangle_violations(v):
    return axioms.triangle_report(v.surprisal).fraction, "no three tokens with finite surprisal"


def _cyclic_triples(v):
    S, n = v.pairs, v.pairs.shape[-1]
    counts = [cyclic_triples(S[at])[0] for at in np.ndindex(S.shape[:-2])]
    return np.reshape(counts, S.shape[:-2]) / (n * (n - 1) * (n - 2) // 6)


def _others_preferred(v):
    others = v.mask & ~np.eye(v.weights.shape[-1], dtype=bool)
    above = v.weights > np.diagonal(v.weights, axis1=-2, axis2=-1)[..., None]
    pairs = (others & v.valid[..., None]).sum((-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return (above & others).sum((-2, -1)) / np.where(pairs > 0, pairs, np.nan), "no row may attend to another token"


# Attention space.


def _entropy(v):
    return _over_rows(entropy(v.weights), v)


def _effective_keys(v):
    return _over_rows(effective_keys(v.weights), v)


def _self_weight(v):
    return _over_rows(np.diagonal(v.weights, axis1=-2, axis2=-1), v)


def _sink(v):
    return _score(heads.sink_score(v.weights, mask=v.mask))


def _previous_token(v):
    return _score(heads.previous_token_score(v.weights, mask=v.mask))


def _next_token(v):
    return _score(heads.next_token_score(v.weights, mask=v.mask))


def _duplicate_token(v):
    return _score(heads.duplicate_token_score(v.weights, v.tokens, mask=v.mask))


def _induction(v):
    n = len(v.tokens)
    for start in (0, 1):
        period = (n - start) // 2
        if period > 1 and n == start + 2 * period and v.tokens[start : start + period] == v.tokens[start + period :]:
            return _score(heads.induction_score(v.weights, period, start=start, mask=v.mask))
    return np.full(v.weights.shape[:2], np.nan), "the text is no block of tokens that is repeated once"


def _spectral_gap(v):
    triangular = (graph.communicating_classes(v.weights).label == np.arange(v.weights.shape[-1])).all(-1)
    gap = 1 - np.abs(graph.eigenvalues(v.weights)[..., 1])
    return np.where(triangular, np.nan, gap), "A is triangular in some order: the eigenvalues are the self-weights"


def _dobrushin(v):
    return graph.dobrushin(v.weights)


def _row_difference(v):
    return graph.mean_pairwise_tv(v.weights, skip=int(v.causal)), "fewer than two rows to compare"


def _row_curvature(v):
    n = v.weights.shape[-1]
    return np.nansum(curvature.row_curvature(v.weights, "positions"), (-2, -1)) / (n * (n - 1))


def _weights_effective_rank(v):
    return spectrum.effective_rank(v.weights), "no row has an allowed key"


# Representation space.


def _mean_cosine(v):
    report = anisotropy.mean_cosine(v.stream, zero_rows="exclude")
    return report.mean, _reason(report, "mean")


def _isoscore(v):
    return anisotropy.isoscore(v.stream), "all tokens have one vector"


# Explanation.


def _contributions(v):
    return explanation.contribution_norms(v.weights, v.values, v.W_O)


def _contribution_norm(v):
    return _over_rows(_contributions(v).sum(-1), v)


def _first_token_contribution(v):
    C = _contributions(v)
    total = C.sum(-1)
    value, why = _over_rows(C[..., 0] / np.where(total > 0, total, np.nan), v)
    return value, "the head adds nothing to the residual stream" if np.isnan(value).any() else why


def _contribution_correlation(v):
    allowed = np.broadcast_to(v.mask & v.valid[..., None], v.weights.shape)
    count = np.maximum(allowed.sum((-2, -1), keepdims=True), 1)
    A, C = (np.where(allowed, M, 0.0) for M in (v.weights, _contributions(v)))
    A, C = (np.where(allowed, M - M.sum((-2, -1), keepdims=True) / count, 0.0) for M in (A, C))
    spread = np.sqrt((A**2).sum((-2, -1)) * (C**2).sum((-2, -1)))
    return (A * C).sum((-2, -1)) / np.where(spread > 0, spread, np.nan), "all weights or all contributions agree"


_FORM = "the form B = W_Q W_Kᵀ of a head"
_FORM_NOTE = "positions, biases and scale play no part (rotary: the form at distance 0); folding a gain changes it"
_SCORES = "scores before the mask"
_EVERY_PAIR = "over every pair of tokens; above a causal mask the scores are counterfactual"
_DRIFT = "drifts with the number of tokens: compare at equal n, or with a null"
_FROM_CALLER = ("untrained",)
_RUN_AGAIN = ("shuffled", "untrained")
_TOWARDS = ("noise", "offsets", *_RUN_AGAIN)
_WHERE = ("rows", "noise", *_RUN_AGAIN)


def _entries():
    form = dict(space="weights", object=_FORM, sum_rule="one form per head", domain=(MATRICES,))
    score = dict(space="scores", object=_SCORES, sum_rule=_EVERY_PAIR)
    A = dict(space="attention", object="attention weights A of a head")
    rows = A | dict(sum_rule="mean over the rows that hold a distribution")
    cloud = dict(space="representation", object="residual stream before the layer", domain=(STREAM, TWO), per="layer")
    what = dict(space="explanation", object="contributions A_ij v_j W_O of a head", domain=(VALUES,))
    share, bare = "share", "none"

    def measure(name, label, question, unit, conditions, function, nulls, **rest):
        return Measure(
            name=name, label=label, question=question, unit=unit, conditions=conditions, function=function, nulls=nulls,
            **{"domain": ()} | rest,
        )  # fmt: skip

    return [
        measure("symmetric_share", "symmetric share f", "How much of the form's energy is symmetric?", share,
                f"½ + 1/(2d) for unrelated queries and keys; {_FORM_NOTE}", _symmetric_share,
                ("haar", "untrained"), **form),
        measure("symmetry_score", "symmetry score ρ", "Symmetric minus antisymmetric energy, as a share?", bare,
                f"ρ = 2f − 1, 1/d for unrelated queries and keys; {_FORM_NOTE}", _symmetry_score,
                ("haar", "untrained"), **form),
        measure("trace_ratio", "trace ratio", "Do positive or negative eigenvalues of B_s weigh more?", bare,
                f"1 only for a positive semidefinite B_s; {_FORM_NOTE}", _trace_ratio, ("haar", "untrained"), **form),
        measure("positive_eigenvalues", "positive eigenvalues", "How many eigenvalues of B_s are positive?", "count",
                "d_k of each sign for any factors of full rank: linear algebra, not learning", _positive,
                _FROM_CALLER, **form),
        measure("negative_eigenvalues", "negative eigenvalues", "How many eigenvalues of B_s are negative?", "count",
                "d_k of each sign for any factors of full rank: linear algebra, not learning", _negative,
                _FROM_CALLER, **form),
        measure("form_stable_rank", "stable rank of B", "How many directions carry the form's energy?", "directions",
                f"‖B‖²/σ₁²; unmoved by rotations; {_FORM_NOTE}", _form_stable_rank, ("gaussian", "untrained"), **form),
        measure("form_effective_rank", "effective rank of B", "How many directions does the form use?", "directions",
                f"exp H(σ/Σσ), sensitive to a noise floor; {_FORM_NOTE}", _form_effective_rank,
                ("gaussian", "untrained"), **form),
        measure("popularity", "popularity share", "How much of the scores says that some keys are liked by all?", share,
                "row shifts taken off; 1/n in noise", _popularity, _TOWARDS, domain=(PAIRS, TWO), **score),
        measure("reciprocal", "reciprocal share", "How much says that two tokens agree on each other?", share,
                "row shifts taken off; ½ in noise", _reciprocal, _TOWARDS, domain=(PAIRS, TWO), **score),
        measure("circulating", "circulating share", "How much runs around cycles (irreversible)?", share,
                "row shifts taken off; zero exactly if A is reversible; (n − 2)/(2n) in noise", _circulating, _TOWARDS,
                domain=(PAIRS, TWO), **score),
        measure("cycle_curl", "cycle curl, r.m.s.", "How far are three tokens from a reversible round?", "nats",
                "grows with the spread of the scores: compare at equal temperature", _cycle_curl,
                ("noise", "shuffled", "untrained"), domain=(PAIRS, THREE), **score),
        measure("triangle_violations", "triangles of −log A", "How often is a detour less surprising than one hop?",
                "share", "flat weights break none: compare at equal temperature", _triangle_violations,
                ("noise", "shuffled", "untrained"), domain=(PAIRS, THREE),
                **score | dict(sum_rule="share of ordered triples; under a causal mask the scores are counterfactual")),
        measure("cyclic_triples", "cyclic triples", "How often do three tokens rank each other in a circle?", "share",
                "¼ for independent rankings; no metric has any", _cyclic_triples,
                ("noise", "shuffled", "untrained"), domain=(PAIRS, THREE),
                **score | dict(sum_rule="share of triples; under a causal mask the scores are counterfactual")),
        measure("others_preferred", "s_ij > s_ii", "How often is another token preferred to oneself?", share,
                "above 0 no metric with d(i,i) = 0 ranks these tokens", _others_preferred,
                ("noise", "offsets", *_RUN_AGAIN),
                **score | dict(object="scores of the allowed pairs, read off A", sum_rule="share of allowed pairs")),
        measure("entropy", "entropy", "How undecided is a row?", "nats", _DRIFT, _entropy, _RUN_AGAIN, **rows),
        measure("effective_keys", "effective keys", "Over how many keys does a row spread?", "keys", _DRIFT,
                _effective_keys, _RUN_AGAIN, **rows),
        measure("self_weight", "self-weight", "How much weight stays on the token itself?", share, _DRIFT, _self_weight,
                ("uniform", "noise", *_RUN_AGAIN), **rows),
        measure("sink_score", "sink", "How much weight goes to the first token?", share,
                f"of a causal head the first 64 tokens; {_DRIFT}", _sink, ("uniform", *_WHERE), **rows),
        measure("previous_token_score", "previous token", "How much weight goes to the token before?", share, _DRIFT,
                _previous_token, ("uniform", *_WHERE), **rows),
        measure("next_token_score", "next token", "How much weight goes to the token after?", share, _DRIFT,
                _next_token, ("uniform", *_WHERE), **rows),
        measure("duplicate_token_score", "duplicate token", "How much weight goes to the same token elsewhere?", share,
                _DRIFT, _duplicate_token, ("uniform", "rows", "offsets", *_RUN_AGAIN),
                **A | dict(sum_rule="mean over the rows whose token occurs elsewhere")),
        measure("induction_score", "induction", "How much weight goes to what followed this token last time?", share,
                "on a block of tokens repeated once; prefix matching only", _induction,
                ("uniform", "rows", "offsets", "untrained"),
                **A | dict(sum_rule="mean over the rows of the second block")),
        measure("spectral_gap", "spectral gap", "How fast would the chain A forget (asymptotically)?", bare,
                f"1 − |λ₂|; A is never iterated by a network; {_DRIFT}", _spectral_gap, _WHERE,
                **A | dict(sum_rule="one matrix per head", domain=(TWO, BOTH_WAYS, WHOLE))),
        measure("dobrushin", "Dobrushin coefficient", "How far do the two most different rows differ?", bare,
                "of a causal head it reads the first column only, as its first row is a point mass", _dobrushin, _WHERE,
                **A | dict(sum_rule="largest over pairs of rows", domain=(WHOLE,))),
        measure("mean_pairwise_tv", "difference of rows", "How differently do two queries look?", bare,
                f"total variation; the first row of a causal head left out; {_DRIFT}", _row_difference, _WHERE,
                **A | dict(sum_rule="mean over pairs of rows", domain=(WHOLE,))),
        measure("row_curvature", "row curvature", "How much closer are two rows than their tokens?", bare,
                f"metric: distance of positions |i − j|; {_DRIFT}", _row_curvature, _WHERE,
                **A | dict(sum_rule="mean over pairs of rows", domain=(TWO, WHOLE))),
        measure("weights_effective_rank", "effective rank of A", "How many directions does A use?", "directions",
                f"exp H(σ/Σσ); a causal A has full rank; {_DRIFT}", _weights_effective_rank, _WHERE,
                **A | dict(sum_rule="one matrix per head")),
        measure("mean_cosine", "mean cosine", "Do the tokens share a direction?", bare,
                "zero vectors left out; a few coordinates may carry it all", _mean_cosine,
                ("cloud", *_RUN_AGAIN), **cloud | dict(sum_rule="mean over pairs of different tokens")),
        measure("isoscore", "IsoScore", "How evenly does the cloud of tokens fill its space?", bare,
                f"n tokens span n − 1 dimensions at most; {_DRIFT}", _isoscore,
                ("isotropic", *_RUN_AGAIN), **cloud | dict(sum_rule="covariance of the tokens of a text")),
        measure("contribution_norm", "contribution", "How much does the head add to the residual stream?",
                "residual units", "blind to cancellation; changes if all values are translated", _contribution_norm,
                _RUN_AGAIN, **what | dict(sum_rule="lengths summed over keys, mean over rows")),
        measure("first_token_contribution", "contribution of token 0", "How much of it comes from the first token?",
                share, "compare with the sink; blind to cancellation", _first_token_contribution, ("rows", *_RUN_AGAIN),
                **what | dict(sum_rule="share of the summed lengths, mean over rows")),
        measure("contribution_correlation", "weight ~ contribution", "Do large weights mean large contributions?", bare,
                "Pearson; no effect on the prediction is implied", _contribution_correlation, ("rows", *_RUN_AGAIN),
                **what | dict(sum_rule="over the allowed pairs")),
    ]  # fmt: skip


#: Every measure by name. A new one is one more entry.
MEASURES = Table(_entries(), ("question", "space", "unit", "conditions", "domain", "nulls"))
