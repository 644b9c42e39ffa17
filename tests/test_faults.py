"""One battery of bad and unusual inputs, run over every public function that takes arrays (F1–F20 of the promises).

To put a function under it, add one line to ``TABLE``::

    row(module.function, X="real n d", A="weights n n", options={"threshold": 0.1}),

Each argument is a kind and its axes. An axis name that occurs twice must have the same length in both places, and the
battery checks that a mismatch is refused. Kinds: ``real`` (finite numbers), ``scores`` (−inf means masked),
``weights`` (rows that sum to one), ``sizes`` (numbers that are not negative), ``graph`` (symmetric
strengths without loops), ``covariance`` (symmetric, positive definite), ``mask`` (booleans). ``options`` are
passed as they are. ``batched=False`` says that leading axes are refused; ``view`` picks what is compared of the result;
``sizes`` changes the lengths below; ``skip`` maps a check to the reason why it does not apply.
"""

import dataclasses
import importlib
import inspect
import itertools
import re
import warnings

import numpy as np
import pytest

from attention_geometry import (
    anisotropy,
    attention,
    axioms,
    bilinear,
    curvature,
    explanation,
    graph,
    heads,
    nulls,
    relation,
    spectrum,
    stability,
)
from attention_geometry.models import arrays, toy

CHECKS = {}
SIZES = {"n": 5, "m": 4, "d": 6, "k": 2, "v": 3, "h": 4, "l": 2}


@dataclasses.dataclass(frozen=True)
class Row:
    function: object
    arguments: dict
    options: dict
    view: object
    batched: bool
    sizes: dict
    skip: dict

    def __call__(self, values):
        return leaves(self.view(self.function(**values, **self.options)))

    def values(self, *, batch=(), seed=0, **sizes):
        rng = np.random.default_rng(seed)
        lengths = {**SIZES, **self.sizes, **sizes}
        return {
            name: KINDS[kind](rng, (*batch, *(lengths[axis] for axis in axes)))
            for name, (kind, *axes) in self.arguments.items()
        }


def row(function, *, options=None, view=lambda result: result, batched=True, sizes=None, skip=None, **arguments):
    arguments = {name: tuple(spec.split()) for name, spec in arguments.items()}
    return Row(function, arguments, options or {}, view, batched, sizes or {}, skip or {})


def some_weights(rng, shape):
    raw = rng.uniform(0.2, 1.0, shape)
    return raw / raw.sum(-1, keepdims=True)


def some_mask(rng, shape):
    mask = rng.random(shape) < 0.6
    mask[..., :1] = True
    return mask


def some_graph(rng, shape):
    strength = rng.uniform(0.2, 1.0, shape) * (1 - np.eye(*shape[-2:]))
    return np.maximum(strength, np.swapaxes(strength, -1, -2)) if shape[-1] == shape[-2] else strength


def some_covariance(rng, shape):
    X = rng.standard_normal(shape)
    return np.swapaxes(X, -1, -2) @ X + np.eye(shape[-1]) if shape[-1] == shape[-2] else X


KINDS = {
    "real": lambda rng, shape: rng.standard_normal(shape),
    "scores": lambda rng, shape: rng.standard_normal(shape),
    "weights": some_weights,
    "sizes": lambda rng, shape: rng.uniform(0.2, 1.0, shape),
    "graph": some_graph,
    "covariance": some_covariance,
    "mask": some_mask,
}

FACTORS = {"W_Q": "real d k", "W_K": "real d k"}


def without(*fields):  # a witness is a tuple for one matrix and an array for a batch
    return lambda report: dataclasses.replace(report, **dict.fromkeys(fields, 0.0))


def without_tolerance(report):  # the default tolerance of a numerical rank follows the precision of the input
    return dataclasses.replace(report, tolerance=0.0)


NOT_EVALUABLE = {
    "F1 NaN": "counted as not evaluable",
    "F2 infinity": "+inf is counted as not evaluable",
    "F8 half precision": "the tolerance follows the precision of the input",
}

NOT_LOOKED_AT = {"F1 NaN": "entries at forbidden keys are not looked at", "F2 infinity": "the same"}

LINE = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
LINE_IS_FIXED = {"F4 nothing there": "the metric has five tokens", "F5 a single one": "the metric has five tokens"}

TABLE = [
    row(attention.scores, X="real n d", b_Q="real k", b_K="real k", **FACTORS),
    row(attention.softmax, S="scores n m", mask="mask n m"),
    row(attention.log_softmax, S="scores n m", mask="mask n m"),
    row(attention.log_sum_exp, S="scores n m", mask="mask n m"),
    row(attention.entropy, A="weights n m"),
    row(attention.normalised_entropy, A="weights n m"),
    row(attention.effective_keys, A="weights n m"),
    row(attention.attention, Q="real n k", K="real m k", V="real m v", mask="mask n m"),
    row(attention.softmax_jacobian, p="weights n m"),
    row(bilinear.bilinear_form, **FACTORS),
    row(bilinear.symmetric_part, B="real n n"),
    row(bilinear.antisymmetric_part, B="real n n"),
    row(bilinear.symmetric_share, **FACTORS),
    row(bilinear.symmetry_score, **FACTORS),
    row(bilinear.signature, **FACTORS),
    row(bilinear.symmetric_eigenvalues, **FACTORS),
    row(bilinear.trace_ratio, **FACTORS),
    row(bilinear.singular_values, **FACTORS),
    row(bilinear.eigenvalues, **FACTORS),
    row(bilinear.bilinear_summary, **FACTORS),
    row(bilinear.random_gauge, options={"rng": 0}, view=lambda pair: bilinear.bilinear_form(*pair), **FACTORS),
    row(bilinear.balanced_gauge, **FACTORS),
    row(bilinear.circumcentre, K="real n k", sizes={"n": 3}),
    row(bilinear.lift, Q="real n k", K="real m k"),
    row(bilinear.rope_rotation, positions="real n", options={"d_k": 4}),
    row(bilinear.alibi_bias, slopes="real h", options={"n": 3}),
    row(relation.energy_shares, S="real n n"),
    row(relation.cycle_curl, S="real n n", view=without("witness")),
    row(relation.is_reversible, S="real n n"),
    row(relation.detailed_balance_weights, S="real n n"),
    row(relation.squared_interval, S="real n n"),
    row(
        axioms.check_axioms,
        D="real n n",
        batched=False,
        view=without_tolerance,
        skip=NOT_EVALUABLE,
    ),
    row(
        axioms.triangle_report,
        D="real n n",
        view=without("witness", "ratio_witness", "tolerance"),
        skip=NOT_EVALUABLE,
    ),
    row(axioms.metric_closure, D="sizes n n", skip={"F2 infinity": "+inf means no direct way"}),
    row(axioms.power_transform_exponent, D="sizes n n"),
    row(axioms.ordinal_test, S="real n n", view=without("witness")),
    row(
        graph.attention_graph,
        A="weights n n",
        options={"threshold": 0.1, "symmetrise": "none", "loops": False},
        batched=False,
        view=lambda g: [(i, j, d["weight"]) for i, j, d in g.edges(data=True)],
    ),
    row(graph.communicating_classes, A="weights n n"),
    row(graph.stationary_distribution, A="weights n n"),
    row(graph.eigenvalues, A="weights n n"),
    row(graph.spectral_report, A="weights n n"),
    row(graph.dobrushin, A="weights n m"),
    row(graph.mean_pairwise_tv, A="weights n m"),
    row(graph.diversity_ratio, A="weights n n", V="real n v"),
    row(graph.magnetic_laplacian, A="weights n n", options={"q": 0.25}),
    row(graph.hitting_times, A="weights n n"),
    row(graph.commute_times, A="weights n n"),
    row(graph.diffusion_distance, A="weights n n", options={"t": 2}),
    row(stability.oscillation, E="real m", mask="mask m", skip=NOT_LOOKED_AT),
    row(stability.oscillation, E="real m"),
    row(stability.weight_change_bound, E="real m", mask="mask m", skip=NOT_LOOKED_AT),
    row(stability.weight_change_bound, E="real m"),
    row(stability.output_change_bound, E="real n m", V="real m v", mask="mask n m"),
    row(stability.score_change_bound, X="real n d", D="real n d", **FACTORS),
    row(stability.attention_jacobian, X="real n d", W_V="real d v", b_Q="real k", mask="mask n n", **FACTORS),
    row(stability.local_lipschitz_bound, X="real n d", W_V="real d v", mask="mask n n", **FACTORS),
    row(
        stability.perturbation_curve,
        X="real n d",
        b_Q="real k",
        mask="mask n n",
        options={"sizes": [0.1], "rng": 0, "directions": 2, "steps": 3},
        **FACTORS,
    ),
    row(explanation.equivalent_weights, a="weights n", V="real n v", batched=False),
    row(explanation.equivalent_dimension, V="real n v", batched=False),
    row(explanation.leave_one_out, A="weights n m", V="real m v"),
    row(explanation.score_sensitivity, A="weights n m", V="real m v"),
    row(explanation.contribution_norms, A="weights n m", V="real m v", W_O="real v d"),
    row(explanation.rollout, A_stack="weights h n n", batched=False),
    row(explanation.attention_flow, A_stack="weights h n n", options={"query": 0}, batched=False),
    row(heads.previous_token_score, A="weights n n"),
    row(heads.next_token_score, A="weights n n"),
    row(
        heads.duplicate_token_score,
        A="weights n n",
        options={"tokens": list("abcab")},
        skip={"F5 a single one": "needs as many tokens"},
    ),
    row(
        heads.induction_score,
        A="weights n n",
        options={"period": 2},
        sizes={"n": 4},
        skip={"F5 a single one": "needs a second block"},
    ),
    row(heads.sink_score, A="weights n n"),
    row(heads.positional_share, S="real h n n", skip={"F19 batches": "the first axis is the texts"}),
    row(heads.head_distance, A="weights h n m", skip={"F4 nothing there": "no heads have no distances"}),
    row(heads.linear_cka, X="real n d", Y="real n v"),
    row(heads.copying_score, W_V="real d v", W_O="real v d"),
    row(nulls.haar_rotated, options={"rng": 0}, view=lambda pair: bilinear.singular_values(*pair), **FACTORS),
    row(nulls.row_permuted, A="weights n n", options={"rng": 0}, view=lambda A: np.sort(A, -1)),
    row(
        nulls.offset_permuted, M="scores n n", options={"rng": 0}, view=lambda M: np.sort(M.reshape(*M.shape[:-2], -1))
    ),
    row(
        nulls.temperature_matched,
        A="weights n n",
        options={"rng": 0},
        view=lambda noise: attention.entropy(noise.weights).mean(-1),
    ),
    row(nulls.matched_spectrum_cloud, X="real n d", options={"rng": 0}, view=spectrum.singular_values),
    row(
        nulls.bootstrap_texts,
        values="real h n",
        options={"rng": 0, "resamples": 20},
        skip={"F19 batches": "the first axis is the texts"},
    ),
    row(
        nulls.percentile_against,
        value="real h",
        null_values="real m h",
        skip={"F19 batches": "the first axis of the null is the draws"},
    ),
    row(nulls.max_t, observed="real h", null="real m h", batched=False),
    row(nulls.adjusted_p, p="sizes h", options={"method": "bh"}, batched=False),
    row(spectrum.effective_rank, M="real n d"),
    row(spectrum.effective_rank_of, sigma="sizes m"),
    row(spectrum.rank_summary, M="real n d", view=without_tolerance),
    row(spectrum.rank_summary_of, sigma="sizes m", view=without_tolerance),
    row(spectrum.singular_values, M="real n d"),
    row(spectrum.centred, M="real n d", options={"centre": "rows"}),
    row(anisotropy.mean_cosine, X="real n d"),
    row(anisotropy.isoscore, X="real n d", skip={"F5 a single one": "one vector has no covariance"}),
    row(
        anisotropy.isoscore_star,
        X="real n d",
        reference="covariance d d",
        options={"zeta": 0.5},
        skip={"F5 a single one": "one vector has no covariance"},
    ),
    row(anisotropy.partition_isotropy, W="real n d"),
    row(curvature.row_curvature, A="weights n n", options={"distance": "discrete"}),
    row(curvature.row_curvature, A="weights n n", options={"distance": "positions"}),
    row(curvature.row_curvature, A="weights n n", options={"distance": LINE}, sizes={"n": 5}, skip=LINE_IS_FIXED),
    row(curvature.ollivier_ricci, G="graph n n", options={"measure": "weight"}),
    row(curvature.lin_lu_yau, G="graph n n", options={"measure": "weight"}),
    row(curvature.forman, adjacency="graph n n", options={"kind": "weighted"}),
    row(curvature.balanced_forman, adjacency="graph n n"),
    row(
        arrays.record,
        weights="weights l h n n",
        scores="real l h n n",
        view=lambda record: [record.weights, record.scores],
        batched=False,
    ),
    row(toy.hard_choices, S="real n n", skip={"F5 a single one": "one token has no other to choose"}),
]

#: Public functions that the battery does not call, each with the reason.
NOT_IN_TABLE = {
    "curvature.edge_values": "takes a result, in which NaN has a meaning",
    "attention.causal_mask": "takes a number",
    "bilinear.haar_share_null": "takes a number",
    "bilinear.alibi_slopes": "takes a number",
    "relation.energy_shares_null": "takes a number",
    "axioms.nearest_metric": "takes a symmetric matrix only; test_axioms.py",
    "graph.random_gap_null": "takes numbers",
    "anisotropy.participation_null": "takes numbers",
    "nulls.gaussian_factors": "takes numbers",
    "nulls.shuffled_tokens": "takes a number",
    "nulls.degree_preserving": "takes a graph",
    "nulls.mean_over_texts": "is handed what bootstrap_texts has checked",
    "nulls.draws_needed": "takes numbers",
    "nulls.design_effect": "takes numbers",
    "measure.measure": "takes records; test_measure.py",
    "models.arrays.load": "takes a path",
    "models.arrays.from_cache": "takes a mapping and hands its arrays to models.arrays.record",
    "models.arrays.with_matching_scores": "takes a record",
    "models.toy.train_relation": "takes names and a seed",
    "models.toy.stored_relation": "takes names and a seed",
    "models.toy.stored_experiment": "takes nothing",
    "models.toy.train_induction": "takes names and numbers",
    "models.toy.stored_induction": "takes names and numbers",
}
MODULES = [
    "attention",
    "bilinear",
    "curvature",
    "relation",
    "axioms",
    "graph",
    "spectrum",
    "anisotropy",
    "stability",
    "explanation",
    "heads",
    "nulls",
    "measure",
    "models.arrays",
    "models.toy",
]


# The checks. Each takes a row and one of its argument names, and raises where the promise is broken.


def fault(name, *kinds):
    """Register a check; it runs for every argument of one of ``kinds`` (all but masks if none is given)."""

    def register(check):
        CHECKS[name] = (check, kinds or tuple(kind for kind in KINDS if kind != "mask"))
        return check

    return register


@fault("F1 NaN")
def refuses_nan(row, name):
    x = row.values()[name]
    x.flat[-1] = np.nan
    last = tuple(n - 1 for n in x.shape)
    refuses(row, name, x, ValueError, "NaN at index", str(last))


@fault("F2 infinity")
def refuses_infinity(row, name):
    for bad in (np.inf, -np.inf):
        x = row.values()[name]
        x.flat[0] = bad
        if bad < 0 and row.arguments[name][0] == "scores":
            assert not any(np.isnan(leaf).any() for leaf in row(with_(row, name, x)))
        else:
            refuses(row, name, x, ValueError, "inf")


@fault("F4 nothing there")
def refuses_empty(row, name):
    kind, *axes = row.arguments[name]
    for axis in axes if len(axes) > 1 else ():
        with pytest.raises(ValueError, match="at least one"):
            row(row.values(**{axis: 0}))


@fault("F5 a single one")
def accepts_one(row, name):
    for axis in row.arguments[name][1:]:
        row(row.values(**{axis: 1}))


@fault("F6 F14 lengths that do not fit", *KINDS)
def refuses_mismatch(row, name):
    uses = [axis for _, *axes in row.arguments.values() for axis in axes]
    kind, *axes = row.arguments[name]
    for position, axis in enumerate(axes):
        if uses.count(axis) < 2:
            continue
        shape = [{**SIZES, **row.sizes}[a] for a in axes]
        shape[position] += 1
        error = refuses(row, None, with_(row, name, KINDS[kind](np.random.default_rng(1), tuple(shape))), ValueError)
        assert str(shape[position]) in error, f"the length {shape[position]} is not in: {error}"
        if axes.count(axis) > 1 and kind != "mask":
            assert "cross-attention" in error, error


@fault("F7 memory layout", *KINDS)
def same_numbers_for_every_layout(row, name):
    values = row.values()
    x, expected = values[name], row(values)
    wide = np.repeat(x, 2, axis=-1)
    read_only = x.copy()
    read_only.flags.writeable = False
    layouts = [
        np.asfortranarray(x),
        wide[..., ::2],
        x[..., ::-1].copy()[..., ::-1],
        read_only,
        x.tolist(),
        tuple(x.tolist()),
    ]
    layouts += [] if x.dtype == bool else [x.astype(x.dtype.newbyteorder(">"))]
    for layout in [*layouts, ArrayOnly(x), DLPackOnly(x)]:
        before = layout.tobytes() if isinstance(layout, np.ndarray) else None
        same(row({**values, name: layout}), expected, exact=True)
        assert before is None or layout.tobytes() == before, "the input was written to"


@fault("F7 inputs stay the caller's", *KINDS)
def inputs_unchanged_and_not_returned(row, name):
    values = row.values()
    before = values[name].tobytes()
    result = row(values)
    assert values[name].tobytes() == before, "the input was written to"
    assert not any(np.shares_memory(leaf, values[name]) for leaf in result), "the result is a view of the input"


@fault("F8 half precision")
def half_precision_is_converted_first(row, name):
    torch = pytest.importorskip("torch")
    values = row.values()
    for half, tolerance in [
        (values[name].astype(np.float16), 0.02),
        (torch.tensor(values[name]).to(torch.bfloat16), 0.1),
    ]:
        exact = half.astype(np.float64) if isinstance(half, np.ndarray) else half.double().numpy()
        result = row({**values, name: half})
        if row.arguments[name][0] == "weights":  # rows of exact halves sum to one only roughly
            same(result, row(values), tolerance=tolerance)
        else:
            same(result, row({**values, name: exact}), exact=True)


@fault("F8 float32")
def float32_agrees(row, name):
    values = row.values()
    same(row({**values, name: values[name].astype(np.float32)}), row(values), tolerance=1e-5)


@fault("F9 integers")
def integers_are_converted_first(row, name):
    values = row.values()
    if row.arguments[name][0] == "weights":
        whole = (values[name] == values[name].max(-1, keepdims=True)).astype(np.int8)
    else:
        whole = np.rint(values[name] * 40).astype(np.int8)  # products overflow int8
    assert outcome(row, {**values, name: whole}) == outcome(row, {**values, name: whole.astype(np.float64)})


@fault("F10 huge numbers", "real", "scores")
def huge_numbers_stay_finite_or_the_overflow_is_said(row, name):
    for size in (1e100, 1e155, 1e300):
        values = row.values()
        try:
            result = row({**values, name: values[name] * size})
        except ValueError as error:
            assert "float64 range" in str(error), error
        else:
            for leaf, usual in zip(result, row(values)):  # −inf and NaN only where the ordinary call has them
                assert (np.isfinite(leaf) | ~np.isfinite(usual)).all(), leaf


@fault("F11 F20 not numbers", *KINDS)
def refuses_what_is_not_a_number(row, name):
    x = row.values()[name]
    strange = [x.astype(complex), x.astype(object), x.astype(str), np.full(x.shape, None)]
    strange += [x.astype(int)] if x.dtype == bool else [x > 0]
    for y in [*strange, object(), {}, *([] if optional(row, name) else [None])]:
        refuses(row, name, y, TypeError)


@fault("F12 masked arrays and matrices", *KINDS)
def refuses_masked_arrays_and_matrices(row, name):
    x = row.values()[name]
    refuses(row, name, np.ma.masked_array(x), TypeError, "masked array")
    if x.dtype != bool and x.ndim == 2:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            matrix = np.matrix(x)
        refuses(row, name, matrix, TypeError, "numpy.matrix")


@fault("F13 not weights", "weights")
def refuses_what_does_not_sum_to_one(row, name):
    x = row.values()[name]
    refuses(row, name, x * 0.9, ValueError, "sums to 0.9", "tolerance 1e-06")
    refuses(row, name, (x * 0.9999).astype(np.float32), ValueError, "tolerance 1e-05")
    refuses(row, name, np.zeros_like(x) - 1, ValueError, "not negative")
    x[..., 0], x[..., 1] = -0.1, x[..., 0] + x[..., 1] + 0.1
    refuses(row, name, x, ValueError, "not negative")


@fault("F16 zeros", "real", "scores")
def zeros_are_a_number_or_a_reason(row, name):
    values = row.values()
    outcome(row, {**values, name: np.zeros_like(values[name])})  # a warning would be an error here


@fault("F19 rows of different lengths", *KINDS)
def refuses_ragged_lists(row, name):
    x = row.values()[name]
    if x.ndim > 1:
        refuses(row, name, [*x.tolist()[:-1], x.tolist()[-1][:-1]], ValueError, "not a rectangular array")


@fault("F19 batches", *KINDS)
def batch_equals_loop(row, name):
    batch = row.values(batch=(2, 3))
    if not row.batched:
        refuses(row, name, batch[name], ValueError, "shape")
        return
    result = row(batch)
    loop = [row({key: x[i, j] for key, x in batch.items()}) for i, j in itertools.product(range(2), range(3))]
    for leaf, singles in zip(result, zip(*loop), strict=True):
        stacked = np.stack(singles).reshape(2, 3, *np.shape(singles[0]))
        same([np.broadcast_to(leaf, stacked.shape)], [stacked], tolerance=1e-10)
    if len(row.arguments) > 1:  # a batch of 2 against a batch of 3
        refuses(row, None, {**row.values(batch=(3,)), name: row.values(batch=(2,))[name]}, ValueError)


@fault("B5 tensors", *KINDS)
def tensors_with_gradients_are_accepted(row, name):
    torch = pytest.importorskip("torch")
    values = row.values()
    tensor = torch.tensor(values[name], requires_grad=values[name].dtype != bool)
    expected = row(values)
    same(row({**values, name: tensor}), expected, exact=True)
    same(row({**values, name: list(tensor)}), expected, exact=True)  # models hand over tuples of tensors
    if tensor.dtype != torch.bool:
        assert tensor.grad is None and tensor.requires_grad


@fault("the same call gives the same bytes", *KINDS)
def repeats_exactly(row, name):
    same(row(row.values()), row(row.values()), exact=True)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("entry", TABLE, ids=lambda r: f"{r.function.__module__.split('.')[-1]}.{r.function.__name__}")
def test_promise(entry, check):
    function, kinds = CHECKS[check]
    for name, (kind, *_) in entry.arguments.items():
        if kind in kinds and check not in entry.skip:
            function(entry, name)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_function_is_in_the_table_or_excused(module):
    members = vars(importlib.import_module(f"attention_geometry.{module}"))
    public = {
        f"{module}.{name}"
        for name, f in members.items()
        if inspect.isfunction(f) and not name.startswith("_") and f.__module__ == f"attention_geometry.{module}"
    }
    tested = {f"{r.function.__module__.removeprefix('attention_geometry.')}.{r.function.__name__}" for r in TABLE}
    assert public - tested - set(NOT_IN_TABLE) == set()
    assert all(set(r.skip) <= set(CHECKS) and all(r.skip.values()) for r in TABLE)
    assert tested & set(NOT_IN_TABLE) == set()


# Each check is shown to fail on a function that breaks its promise.


def sloppy(S):
    e = np.exp(S)
    return e / e.sum(-1, keepdims=True)


def sloppy_product(Q, K):
    Q, K = np.asarray(Q), np.asarray(K)
    width = min(Q.shape[-1], K.shape[-1])
    return Q[..., :width] @ np.swapaxes(K[..., :width], -1, -2)


def sloppy_centring(X):
    X -= X.mean(-1, keepdims=True)
    return X


def sloppy_bytes(X):
    return np.frombuffer(np.asarray(X).tobytes("A"), float).reshape(np.shape(X))


def sloppy_batch(X):
    X = np.asarray(X, float)
    return X[0].sum() if X.ndim == 3 else X.sum()


def sloppy_variance(X):
    return np.asarray(X).var(-1, ddof=1)


def sloppy_norm(X):
    X = np.asarray(X)
    return X / np.linalg.norm(X, axis=-1, keepdims=True)


def sloppy_entropy(A):
    return -(np.asarray(A) * np.log(A)).sum(-1)


def sloppy_noise(X):
    return np.asarray(X) + np.random.default_rng().standard_normal()


def sloppy_gram(X):
    X = np.asarray(X)
    return (X @ np.swapaxes(X, -1, -2)).astype(float)


def sloppy_precision(X):
    return np.asarray(X).astype(np.float32) * 1.0001 if X.dtype == np.float32 else np.asarray(X)


def sloppy_half(X):
    X = np.asarray(X)
    return (X @ np.swapaxes(X, -1, -2)).astype(np.float16)


BROKEN = {
    "F1 NaN": row(sloppy, S="scores n m"),
    "F2 infinity": row(sloppy, S="scores n m"),
    "F4 nothing there": row(sloppy, S="scores n m"),
    "F5 a single one": row(sloppy_variance, X="real n d"),
    "F6 F14 lengths that do not fit": row(sloppy_product, Q="real n k", K="real m k"),
    "F7 memory layout": row(sloppy_bytes, X="real n d"),
    "F7 inputs stay the caller's": row(sloppy_centring, X="real n d"),
    "F8 half precision": row(sloppy_half, X="real n d"),
    "F8 float32": row(sloppy_precision, X="real n d"),
    "F9 integers": row(sloppy_gram, X="real n d"),
    "F10 huge numbers": row(sloppy, S="scores n m"),
    "F11 F20 not numbers": row(sloppy, S="scores n m"),
    "F12 masked arrays and matrices": row(sloppy, S="scores n m"),
    "F13 not weights": row(sloppy_entropy, A="weights n m"),
    "F16 zeros": row(sloppy_norm, X="real n d"),
    "F19 rows of different lengths": row(sloppy, S="scores n m"),
    "F19 batches": row(sloppy_batch, X="real n d"),
    "B5 tensors": row(sloppy, S="scores n m"),
    "the same call gives the same bytes": row(sloppy_noise, X="real n d"),
}


@pytest.mark.parametrize("check", CHECKS)
def test_the_check_can_fail(check):
    entry = BROKEN[check]
    with pytest.raises((Exception, pytest.fail.Exception)):
        for name in entry.arguments:
            CHECKS[check][0](entry, name)


# Helpers.


class ArrayOnly:
    """Something that only knows how to become an array."""

    def __init__(self, x):
        self.x = x

    def __array__(self, dtype=None, copy=None):
        return self.x.astype(dtype or self.x.dtype)


class DLPackOnly:
    """Something that only knows the exchange protocol of array libraries."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


def with_(row, name, x):
    return {**row.values(), name: x}


def refuses(row, name, x, kind, *texts):
    """The call raises ``kind`` with every text in its message, and names the argument; gives the message back."""
    with pytest.raises(kind) as caught:
        row(with_(row, name, x) if name else x)
    message = str(caught.value)
    assert name is None or re.search(rf"\b{name}\b", message), f"{name!r} is not in: {message}"
    for text in texts:
        assert text in message, f"{text!r} is not in: {message}"
    return message


def outcome(row, values):
    """What a call gives, result or refusal, in a form that can be compared."""
    try:
        return [leaf.tobytes() for leaf in row(values)]
    except ValueError as error:
        return str(error)


def optional(row, name):
    return inspect.signature(row.function).parameters[name].default is None


def leaves(result):
    """All numbers in a result, as a list of arrays; None is NaN, sentences are left out."""
    if dataclasses.is_dataclass(result):
        result = [getattr(result, f.name) for f in dataclasses.fields(result) if f.name != "reasons"]
    if isinstance(result, dict):
        result = [result[key] for key in sorted(result)]
    if isinstance(result, (tuple, list)):
        return [leaf for item in result for leaf in leaves(item)]
    if isinstance(result, str):
        return []
    return [np.asarray(np.nan if result is None else result)]


def same(result, expected, *, exact=False, tolerance=1e-12):
    assert len(result) == len(expected)
    for a, b in zip(result, expected):
        assert a.shape == b.shape
        if exact:
            assert np.array_equal(a, b, equal_nan=True), np.abs(a - b).max()
        else:
            assert np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True), np.abs(a - b).max()
