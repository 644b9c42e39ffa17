"""Axioms: the table of candidates and its counterexamples, exact triangle counts, closure, orders.

Labels are those of the mathematics. Oracles: plain loops, scipy's shortest paths, the full digraph of comparisons.
"""

import html
import itertools
import math
import tracemalloc

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import floyd_warshall
from scipy.spatial.distance import jensenshannon
from scipy.special import rel_entr

from attention_geometry import _triangles
from attention_geometry.attention import causal_mask, softmax
from attention_geometry.axioms import (
    AXIOMS,
    CANDIDATES,
    DEFAULTS,
    check_axioms,
    metric_closure,
    nearest_metric,
    ordinal_test,
    power_transform_exponent,
    triangle_report,
)
from attention_geometry.relation import squared_interval

EPS = np.finfo(float).eps
SOLVERS = ("numpy", "numba")
TURN = np.array([[1, 6, 1], [1, 1, 6], [6, 1, 1]]) / 8  # T4.1

seeds = st.integers(0, 10_000)
sizes = st.integers(3, 6)


def noise(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


def some_weights(seed, n, sharpness=2.0):
    return softmax(sharpness * noise(seed, n, n))


def line(*points):
    x = np.array(points, dtype=float)
    return np.abs(x[:, None] - x)


def triples(n):
    return itertools.permutations(range(n), 3)


def by_loop(D, tolerance):
    """The definition, one triple at a time."""
    cases = broken = left_out = 0
    gap = ratio = -np.inf
    for i, j, k in triples(len(D)):
        if not np.isfinite([D[i, k], D[i, j], D[j, k]]).all():
            left_out += 1
            continue
        cases += 1
        broken += D[i, k] - D[i, j] - D[j, k] > tolerance
        gap = max(gap, D[i, k] - D[i, j] - D[j, k])
        if D[i, j] + D[j, k] > 0:
            ratio = max(ratio, D[i, k] / (D[i, j] + D[j, k]))
        elif D[i, k] > 0:
            ratio = np.inf
    return cases, left_out, broken, gap, ratio


# The table.


@pytest.mark.parametrize(("name", "axiom"), [(name, axiom) for name in CANDIDATES for axiom in AXIOMS])
def test_every_status_has_its_counterexample_or_needs_none(name, axiom):
    candidate = CANDIDATES[name]
    status = candidate.axioms[axiom]
    assert status == "always" or status.startswith(("if ", "never: ", "not in general"))
    assert (axiom in candidate.counterexamples) == (status != "always")
    if status != "always":
        arguments = candidate.counterexamples[axiom]
        assert all(np.shape(x)[0] <= 4 for x in arguments)
        verdict = getattr(check_axioms(candidate(*arguments)), axiom)
        assert verdict.holds is False and verdict.violations > 0


def arguments_for(candidate, seed, n):
    """Random arguments in the domain of the candidate."""
    X = noise(seed, n, 3)
    drawn = {
        "A": some_weights(seed, n),
        "S": X @ X.T + noise(seed + 1, n, 1) if candidate.name == "√D" else 3 * noise(seed, n, n),
        "X": X,
        "Q": X,
        "K": noise(seed + 2, n, 3),
    }
    return [drawn[kind] for kind in candidate.takes]


@pytest.mark.parametrize("name", CANDIDATES)
@given(seed=seeds, n=sizes)
def test_what_holds_always_holds_on_random_heads(name, seed, n):
    candidate = CANDIDATES[name]
    D = candidate(*arguments_for(candidate, seed, n))
    report = check_axioms(D, tolerance=64 * EPS * np.abs(D).max())
    for axiom, status in candidate.axioms.items():
        verdict = getattr(report, axiom)
        assert verdict.not_evaluable == 0
        if status == "always":
            assert verdict.holds, verdict
        if status.startswith("never"):
            assert not verdict.holds, verdict


@pytest.mark.parametrize("name", CANDIDATES)
def test_candidates_of_a_batch_equal_the_loop(name):
    candidate = CANDIDATES[name]
    drawn = [arguments_for(candidate, seed, 5) for seed in range(6)]
    batch = [np.stack(parts).reshape(2, 3, *parts[0].shape) for parts in zip(*drawn)]
    singles = np.stack([candidate(*one) for one in drawn])
    assert np.allclose(candidate(*batch).reshape(singles.shape), singles, atol=1e-12)


def test_the_table_is_whole():
    assert len(CANDIDATES) == 21 and all(c.name == name for name, c in CANDIDATES.items())
    assert all(c.question and c.domain and set(c.axioms) == set(AXIOMS) for c in CANDIDATES.values())
    assert set(DEFAULTS) < set(CANDIDATES)
    unknown = {name for name, c in CANDIDATES.items() if "no triviality threshold" in c.threshold(1 - TURN).sentence}
    assert set(CANDIDATES) - unknown == {"1 − A", "−log A"}
    assert not CANDIDATES["D"].threshold(np.zeros((3, 3))).flat


@pytest.mark.parametrize("name", [name for name, c in CANDIDATES.items() if c.takes == ("A",)])
def test_what_holds_always_holds_for_weights_that_are_off_by_their_tolerance(name):
    candidate = CANDIDATES[name]
    for A in ([[0, 1 + 5e-7], [1 + 5e-7, 0]], [[-5e-7, 1], [1 + 5e-7, 0]], [[0.5, 0.5 + 5e-7], [0.4, 0.6]]):
        report = check_axioms(candidate(A), tolerance=1e-12)
        for axiom in AXIOMS:
            if candidate.axioms[axiom] == "always" and (axiom != "separation" or np.min(A) > 0):  # the domain is A > 0
                assert getattr(report, axiom).holds is not False, getattr(report, axiom)


def test_coding_loss_of_a_denormal_weight_is_finite():
    loss = CANDIDATES["KL of rows"]([[0.5, 0.5], [5e-324, 1.0]])
    assert loss[0, 1] == pytest.approx(0.5 * (math.log(0.5) - math.log(5e-324)) + 0.5 * math.log(0.5))


def test_a_threshold_of_nothing_is_undefined():
    for name, D in itertools.product(("1 − A", "−log A"), ([[0.0]], [[np.nan] * 2] * 2, [[0, 1], [np.nan, 0]])):
        found = CANDIDATES[name].threshold(D)
        assert np.isnan(found.value) and np.isnan(found.limit) and not found.flat
        assert found.sentence.startswith("undefined: ")


def test_candidates_are_found_by_names_that_a_keyboard_has():
    for typed, name in {"-log A": "−log A", "1-A": "1 − A", "rho": "ρ", "sqrt D": "√D", "|q - k|": "‖q − k‖"}.items():
        assert CANDIDATES[typed] is CANDIDATES[name]
    assert CANDIDATES["sqrt JSD of rows"].name == "√JSD of rows"
    for wrong in ("log A", 3):
        with pytest.raises(KeyError, match="is not a candidate; there are: S, −S"):
            CANDIDATES[wrong]


def test_the_table_shows_itself():
    line_of_surprisal = repr(CANDIDATES).splitlines()[4]
    assert line_of_surprisal.startswith("−log A ") and line_of_surprisal.endswith(" surprisal of one hop, in nats")
    page = CANDIDATES._repr_html_()
    assert (
        page.count("<tr>") == 22
        and "<td>✗ never</td>" in page
        and "<td>if A<sub>ij</sub> A<sub>jk</sub> ≤ A<sub>ik</sub></td>" in page
    )


@given(seeds, sizes)
def test_conditions_that_are_exact_are_exact(seed, n):
    S = 2 * noise(seed, n, n)
    A = softmax(S)
    i, j, k = np.array(list(triples(n))).T
    held = {
        "1 − A": A[i, j] + A[j, k] <= 1 + A[i, k],
        "−log A": A[i, j] * A[j, k] <= A[i, k],
        "ρ": A[i, j] * A[j, k] <= A[i, k] * A[j, j],
        "max S − S": S[i, j] + S[j, k] <= S[i, k] + S.max(),
    }
    for name, conditions in held.items():
        D = CANDIDATES[name](S if CANDIDATES[name].takes == ("S",) else A)
        assert triangle_report(D).violations == np.count_nonzero(~conditions)
    own = A.diagonal()
    assert check_axioms(CANDIDATES["ρ"](S)).non_negative.holds == (A <= own[:, None]).all()
    assert check_axioms(CANDIDATES["D"](S)).non_negative.holds == (A * A.T <= np.outer(own, own) * (1 + 1e-12)).all()


# The candidates, one by one.


def test_T4_1_one_hop_and_two_hops():
    A = TURN
    assert A[0, 1] * A[1, 2] == 9 / 16 > A[0, 2]
    surprisal = check_axioms(CANDIDATES["−log A"](A), candidate="−log A")
    assert np.isclose(surprisal.triangle.worst, math.log(9 / 2)) and surprisal.triangle.witness == (0, 1, 2)
    assert surprisal.zero_diagonal.violations == 3  # not even a Lawvere metric before the diagonal is reset
    missed = check_axioms(CANDIDATES["1 − A"](A), candidate="1 − A")
    assert np.isclose(missed.triangle.worst, 3 / 8)
    closure = CANDIDATES["closure of −log A"](A)
    assert np.isclose(closure[0, 2], 2 * math.log(4 / 3)) and np.isclose(closure[0, 2], 0.5754, atol=1e-4)


@given(seeds, sizes)
def test_L4_1_the_triangle_of_surprisals_in_words_and_in_scores(seed, n):
    S = 2 * noise(seed, n, n)
    A, c = softmax(S), CANDIDATES["−log A"](softmax(S))
    lse = np.log(np.exp(S).sum(1))
    for i, j, k in triples(n):
        direct = A[i, j] * A[j, k] <= A[i, k]
        assert direct == (c[i, k] <= c[i, j] + c[j, k]) == (S[i, j] + S[j, k] - S[i, k] <= lse[j])
    assert (np.diagonal(c) > 0).all()


@pytest.mark.parametrize(("n", "ratio"), [(3, 2), (7, 3), (13, 4)])
def test_T4_2_L4_2_the_triviality_threshold_is_sharp(n, ratio):
    assert np.isclose((1 + math.sqrt(4 * n - 3)) / 2, ratio)

    def turned(factor):  # every row has one weight that much larger, on the next token
        return softmax(np.log(factor) * np.roll(np.eye(n), 1, axis=1))

    at, above, below = (triangle_report(CANDIDATES["−log A"](turned(x))) for x in (ratio, ratio + 1e-6, ratio - 1e-6))
    assert np.isclose(at.worst_gap, 0, atol=1e-14) and at.violations == 0
    assert above.violations == n and below.violations == 0
    assert CANDIDATES["−log A"].threshold(CANDIDATES["−log A"](turned(ratio - 1e-6))).flat
    assert not CANDIDATES["−log A"].threshold(CANDIDATES["−log A"](turned(ratio + 1e-6))).flat


@given(seeds, st.integers(3, 30), st.floats(0, 1))
def test_L4_2_whatever_is_that_flat_passes(seed, n, share):
    limit = math.log((1 + math.sqrt(4 * n - 3)) / 2)
    S = np.random.default_rng(seed).uniform(0, share * limit, (n, n)) + noise(seed, n, 1)
    report = check_axioms(CANDIDATES["−log A"](softmax(S)), candidate="−log A")
    assert report.triangle.holds and "any relation so flat passes" in report.threshold
    assert "so flat" in repr(report)


@given(seeds, st.integers(3, 12))
def test_L4_2_small_weights_pass_the_miss_probability_for_free(seed, n):
    A = some_weights(seed, n)
    report = check_axioms(CANDIDATES["1 − A"](A), candidate="1 − A")
    largest = A[~np.eye(n, dtype=bool)].max()
    assert ("any relation so flat passes" in report.threshold) == (largest <= 0.5)
    assert largest > 0.5 or report.triangle.holds


def test_L4_2_a_large_constant_buys_the_triangle():
    D = np.random.default_rng(0).uniform(size=(9, 9))
    found = triangle_report(D)
    assert found.worst_gap > 0
    assert triangle_report(D + found.worst_gap).violations == 0 < triangle_report(D + 0.99 * found.worst_gap).violations


def test_T4_3_a_power_can_buy_the_triangle():
    D = [[0, 1, 4], [1, 0, 1], [4, 1, 0]]
    assert power_transform_exponent(D) == 0.5
    assert triangle_report(np.sqrt(D)).worst_gap == 0
    assert triangle_report(D).violations == 2


@given(seeds, sizes)
def test_L4_3_any_positive_D_becomes_a_metric_by_a_power(seed, n):
    D = np.exp(2 * noise(seed, n, n))
    alpha = power_transform_exponent(D)
    for share in (1.0, 0.5):
        assert triangle_report(D ** (share * alpha)).violations == 0
    assert np.isclose(power_transform_exponent(7 * D), alpha)


def test_L4_3_powers_that_are_not_numbers():
    assert power_transform_exponent(np.ones((3, 3))) == np.inf
    assert np.isnan(power_transform_exponent([[5]]))
    assert np.allclose(power_transform_exponent([line(0, 1, 5), line(0, 1, 2)]), [math.log(2) / math.log(5), 1])
    with pytest.raises(ValueError, match=r"0 at index \(0, 1\)"):
        power_transform_exponent(np.zeros((2, 2)))


def test_L4_3_one_sixth_of_the_triples_of_noise_are_violated():
    upper = np.triu(np.random.default_rng(1).uniform(size=(60, 40, 40)), 1)
    fraction = triangle_report(upper + np.swapaxes(upper, -1, -2)).fraction
    assert abs(fraction.mean() - 1 / 6) < 4 * fraction.std() / np.sqrt(60) < 0.01


@given(seeds, sizes)
def test_T4_4_L4_4_cost_relative_to_staying_recovers_a_distance(seed, n):
    x = noise(seed, n, 2)
    d = np.sqrt(((x[:, None] - x) ** 2).sum(-1))
    rho = CANDIDATES["ρ"](-d + noise(seed + 1, n, 1))
    assert np.allclose(rho, d, atol=1e-12)
    assert np.allclose(CANDIDATES["ρ"](np.log(softmax(-d))), d, atol=1e-12)
    gram = CANDIDATES["ρ"](x @ x.T)
    for i, j, k in triples(n):
        obtuse = (x[i] - x[j]) @ (x[j] - x[k])
        assert abs(obtuse) < 1e-9 or (gram[i, k] > gram[i, j] + gram[j, k]) == (obtuse > 0)


@given(seeds, sizes)
def test_L1_6_the_root_is_a_pseudometric_under_schoenbergs_condition(seed, n):
    x = noise(seed, n, 2)
    report = check_axioms(CANDIDATES["√D"](x @ x.T + noise(seed + 1, n)))
    assert report.kind == "metric"
    doubled = np.concatenate([x, x[:1]])
    assert check_axioms(CANDIDATES["√D"](doubled @ doubled.T), tolerance=1e-6).kind == "pseudometric"


@given(seeds, sizes)
def test_queries_and_keys_obey_the_inequality_of_two_clouds(seed, n):
    D = CANDIDATES["‖q − k‖"](noise(seed, n, 3), noise(seed + 1, n, 3))
    i, j, m, l = np.ogrid[:n, :n, :n, :n]
    assert (D[i, l] <= D[i, j] + D[m, j] + D[m, l] + 1e-12).all()
    K = noise(seed + 1, n, 3)
    assert check_axioms(CANDIDATES["‖q − k‖"](K, K)).kind == "metric"


def test_T2_1_cosines_angles_and_chords():
    X = [[1, 0], [1, 1], [0, 1]]
    squared = triangle_report(CANDIDATES["1 − cos"](X))
    assert np.isclose(squared.worst_gap, math.sqrt(2) - 1) and squared.witness == (0, 1, 2)
    assert np.isclose(triangle_report(CANDIDATES["arccos"](X)).worst_gap, 0, atol=1e-15)
    chord = CANDIDATES["chord"](X)
    assert np.isclose(chord[0, 2], math.sqrt(2)) and np.isclose(chord[0, 1] + chord[1, 2], 1.5307, atol=1e-4)


def test_T2_1_random_directions():
    X = noise(0, 200, 3)
    share = triangle_report(CANDIDATES["1 − cos"](X)).fraction
    assert 0.15 < share < 0.18
    cosine = 1 - CANDIDATES["1 − cos"](X)
    rounding = 1e-7  # acos of a cosine near 1
    on_lines = np.arccos(np.clip(np.abs(cosine), 0, 1)), np.sqrt(np.clip(1 - cosine**2, 0, 1))
    root = np.sqrt(CANDIDATES["1 − cos"](X))
    for D in (CANDIDATES["arccos"](X), CANDIDATES["chord"](X), root, *on_lines):
        assert triangle_report(D, tolerance=rounding).violations == 0


@given(seeds)
def test_one_minus_cosine_obeys_the_triangle_up_to_the_factor_two(seed):
    assert triangle_report(CANDIDATES["1 − cos"](noise(seed, 6, 3))).worst_ratio <= 2 + 1e-9
    t = np.array([0, 1e-3, 2e-3])
    assert triangle_report(CANDIDATES["1 − cos"](np.stack([np.cos(t), np.sin(t)], 1))).worst_ratio > 2 - 1e-5  # sharp


def test_T2_2_normalised_queries_and_keys_cannot_look_away():
    g, n = math.log(2), 5
    row = softmax([-g, g, g, g, g])
    assert np.isclose(row[0], 1 / 17) and np.isclose(row[0], 1 / (1 + (n - 1) * math.exp(2 * g)))


def test_T2_3_the_angle_keeps_its_digits():
    D = CANDIDATES["arccos"]([[1, 0], [1, 1e-9], [-1, 1e-9]])
    assert np.isclose(D[0, 1], 1e-9, rtol=1e-12, atol=0) and np.isclose(np.pi - D[0, 2], 1e-9, rtol=1e-6, atol=0)
    assert math.acos(1 / math.hypot(1, 1e-9)) == 0  # the textbook formula does not
    assert np.allclose(CANDIDATES["chord"]([[1e200, 0], [0, 1e-200]]), math.sqrt(2) * (1 - np.eye(2)))


def test_T4_6_coding_losses():
    D = CANDIDATES["KL of rows"](CANDIDATES["KL of rows"].counterexamples["triangle"][0])
    assert np.isclose(D[0, 1], math.log(4 / 3) / 2) and np.isclose(D[1, 0], 0.75 * math.log(3) - math.log(2))
    assert np.isclose(D[0, 1], 0.14384, atol=1e-5) and np.isclose(D[1, 0], 0.13081, atol=1e-5)
    assert np.isclose(D[0, 2], 0.51083, atol=1e-5) and np.isclose(D[0, 1] + D[1, 2], 0.23617, atol=1e-5)
    assert CANDIDATES["KL of rows"]([[1, 0], [0.5, 0.5]])[1, 0] == np.inf


def test_T4_7_the_root_of_jsd_is_needed():
    rows = CANDIDATES["JSD of rows"].counterexamples["triangle"][0]
    D, root = CANDIDATES["JSD of rows"](rows), CANDIDATES["√JSD of rows"](rows)
    assert np.isclose(D[0, 2], math.log(2)) and np.isclose(D[0, 1] + D[1, 2], 3 * math.log(2) - 1.5 * math.log(3))
    assert np.isclose(D[0, 1] + D[1, 2], 0.4315, atol=1e-4)
    assert np.isclose(root[0, 2], 0.8326, atol=1e-4) and np.isclose(root[0, 1] + root[1, 2], 0.9290, atol=1e-4)


@given(seeds, sizes)
def test_distances_of_rows_by_second_formulas(seed, n):
    A = some_weights(seed, n)
    A[0] = np.eye(n)[0]  # zeros
    A[-1] = A[1] + 1e-13 * (np.arange(n) == 1) - 1e-13 * (np.arange(n) == 2)  # rows that nearly agree
    for i, k in itertools.product(range(n), repeat=2):
        with np.errstate(invalid="ignore"):  # scipy subtracts, and may root a negative number
            assert np.isclose(CANDIDATES["√JSD of rows"](A)[i, k], np.nan_to_num(jensenshannon(A[i], A[k])), atol=1e-7)
        assert np.isclose(CANDIDATES["TV of rows"](A)[i, k], np.maximum(A[i] - A[k], 0).sum(), atol=1e-14)
        affinity = np.sqrt(A[i] * A[k]).sum()
        assert np.isclose(CANDIDATES["Hellinger of rows"](A)[i, k] ** 2, max(1 - affinity, 0), atol=1e-14)
        if k:
            assert np.isclose(CANDIDATES["KL of rows"](A)[i, k], rel_entr(A[i], A[k]).sum(), atol=1e-12)
    near = np.sqrt(((A[1] - A[-1]) ** 2 / A[1]).sum() / 8)  # about 1e-13: scipy's formula loses it
    assert np.isclose(CANDIDATES["√JSD of rows"](A)[1, n - 1], near, rtol=1e-3, atol=0)


def test_T4_8_hitting_times_of_the_directed_cycle():
    cycle = np.roll(np.eye(3), 1, axis=1)
    assert np.allclose(CANDIDATES["hitting time"](cycle), [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
    assert check_axioms(CANDIDATES["hitting time"](cycle)).kind == "quasimetric"
    assert check_axioms(CANDIDATES["commute time"](cycle)).kind == "metric"


def test_diffusion_distance_takes_its_scale():
    A = some_weights(0, 4)
    one, two = (CANDIDATES["diffusion distance"](A, t=t) for t in (1, 2))
    assert np.allclose(CANDIDATES["diffusion distance"](A), one) and not np.allclose(one, two)


def test_what_is_outside_the_domain_is_refused():
    causal = softmax(noise(0, 3, 3), mask=causal_mask(3))
    with pytest.raises(ValueError, match="negative squared interval has no length"):
        CANDIDATES["√D"]([[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="no direction in row 1: it is zero"):
        CANDIDATES["arccos"]([[1, 0], [0, 0]])
    with pytest.raises(ValueError, match="one query and one key for each token"):
        CANDIDATES["‖q − k‖"](np.ones((3, 2)), np.ones((4, 2)))
    for name in ("hitting time", "commute time", "diffusion distance"):
        with pytest.raises(ValueError, match="reducible"):
            CANDIDATES[name](causal)
    with np.errstate(divide="ignore"), pytest.raises(ValueError, match="vacuous for masked pairs"):
        CANDIDATES["ρ"](np.log(causal))
    with pytest.raises(ValueError, match="sums to"):
        CANDIDATES["−log A"](noise(0, 3, 3) ** 2)
    with pytest.raises(TypeError, match="takes Q and K; got 1"):
        CANDIDATES["‖q − k‖"](np.ones((3, 2)))
    masked = CANDIDATES["−log A"](causal)  # a Lawvere reading of a causal head: ∞ where there is no way
    assert masked[0, 1] == np.inf and (masked[0, 0] == 0 and not np.signbit(masked[0, 0]))
    assert CANDIDATES["closure of −log A"](causal)[0, 2] == np.inf


# Reports.


def test_every_axiom_hands_back_its_witness():
    D = [[0, 2, 9], [2, 1, 3], [8, 0, -4]]
    report = check_axioms(D, tokens=["a", "b", "c"])
    found = {axiom: getattr(report, axiom) for axiom in AXIOMS}
    assert {a: v.holds for a, v in found.items()} == dict.fromkeys(AXIOMS, False)
    assert (found["non_negative"].worst, found["non_negative"].witness, found["non_negative"].cases) == (-4, (2, 2), 9)
    assert (found["zero_diagonal"].worst, found["zero_diagonal"].witness) == (4, (2,))
    assert (found["zero_diagonal"].violations, found["zero_diagonal"].cases) == (2, 3)
    assert (found["separation"].worst, found["separation"].tokens) == (0, ("c", "b"))
    assert (found["separation"].violations, found["separation"].cases) == (1, 6)
    assert (found["symmetry"].worst, found["symmetry"].witness, found["symmetry"].cases) == (3, (1, 2), 3)
    assert (found["symmetry"].violations, found["triangle"].worst, found["triangle"].witness) == (2, 6, (2, 1, 0))
    assert found["triangle"].cases == 6 and report.kind == "none of the named kinds"
    assert "a (0)" not in found["symmetry"].sentence and "b (1) ↔ c (2)" in found["symmetry"].sentence


@pytest.mark.parametrize(
    ("D", "kind"),
    [
        (line(0, 1, 3), "metric"),
        (line(0, 0, 3), "pseudometric"),
        ([[0, 1, 2], [2, 0, 1], [1, 2, 0]], "quasimetric"),
        (line(0, 1, 3) ** 2, "semimetric"),
        ([[0, 0, 1], [1, 0, 1], [1, 1, 0]], "Lawvere metric"),
        ([[0, 1, 9], [2, 0, 1], [1, 1, 0]], "divergence"),
        ([[0, 0, 9], [2, 0, 1], [1, 1, 0]], "premetric"),
        ([[1, 1], [1, 1]], "none of the named kinds"),
        (np.zeros((3, 3)), "pseudometric"),
        ([[0]], "metric"),
        ([[0, 2], [2, 0]], "metric"),
    ],
)
def test_kinds(D, kind):
    assert check_axioms(D).kind == kind


def test_what_is_masked_is_counted_apart():
    D = CANDIDATES["−log A"](softmax(noise(0, 4, 4), mask=causal_mask(4)))
    report = check_axioms(D)
    assert (report.non_negative.cases, report.non_negative.not_evaluable) == (10, 6)
    assert (report.symmetry.cases, report.symmetry.not_evaluable, report.symmetry.holds) == (0, 6, None)
    assert (report.triangle.cases, report.triangle.not_evaluable) == (4, 20)
    assert report.kind is None and "∞ or NaN" in repr(report)
    nothing = check_axioms(np.full((3, 3), np.nan))
    assert [getattr(nothing, axiom).holds for axiom in AXIOMS] == [None] * 5
    assert nothing.triangle.reasons["worst_gap"] and nothing.symmetry.reasons["worst"]


def test_the_tolerance_follows_the_precision():
    D = line(*np.random.default_rng(0).uniform(0, 7, 12))
    assert check_axioms(D).kind == check_axioms(D.astype(np.float32)).kind == "metric"
    exact = check_axioms(D.astype(np.float32).astype(np.float64))
    assert exact.triangle.violations > 0  # said to be float64, the rounding of float32 is a violation
    assert check_axioms(D.astype(np.float32)).tolerance == pytest.approx(8 * 2.0**-23 * D.max())
    assert check_axioms(line(0, 1, 3) ** 2, tolerance=4).triangle.holds


def test_tokens_are_data():
    tokens = ["<script>alert(1)</script>", "a\x00b\u202e", "x" * 10_000]
    report = check_axioms(line(0, 1, 3) ** 2, tokens=tokens)
    page = report._repr_html_()
    assert "<script" not in page and html.escape("<script>alert(1)")[:10] in page
    assert "\x00" not in repr(report) and "\u202e" not in repr(report) and len(repr(report)) < 2000
    with pytest.raises(ValueError, match="2 entries but there are 3 tokens"):
        check_axioms(line(0, 1, 3), tokens=["a", "b"])


def test_the_threshold_stands_beside_the_rate():
    D = CANDIDATES["−log A"](TURN)
    with_threshold = repr(check_axioms(D, candidate="-log A")).splitlines()
    triangle = next(i for i, text in enumerate(with_threshold) if "triangle" in text)
    assert "factor of 6 at most; up to 2 (n = 3) any relation passes" in with_threshold[triangle + 1]
    unknown = check_axioms(squared_interval(np.log(TURN)), candidate=CANDIDATES["D"])
    assert unknown.threshold == "no triviality threshold is known for D"
    assert check_axioms(D).threshold is None and "free" not in repr(check_axioms(D))


def test_reports_refuse_what_they_cannot_read():
    for function in (check_axioms, triangle_report):
        with pytest.raises(ValueError, match="cross-attention"):
            function(np.zeros((3, 4)))
        with pytest.raises(ValueError, match="-inf at index"):
            function([[0, -np.inf], [1, 0]])
        with pytest.raises(ValueError, match="float64 range"):
            function([[0, 1e308], [1e308, 0]])
        with pytest.raises(ValueError, match="tolerance is -1"):
            function(line(0, 1), tolerance=-1)
    with pytest.raises(ValueError, match="none of a batch is taken in silence"):
        check_axioms(np.zeros((2, 3, 3)))
    with pytest.raises(ValueError, match="solver must be one of"):
        triangle_report(line(0, 1, 2), solver="cuda")


# Triangles.


def some_dissimilarities(kind, rng, n):
    x = rng.standard_normal((n, 2))
    draws = {
        "uniform": lambda: rng.random((n, n)),
        "whole numbers, many ties": lambda: rng.integers(0, 4, (n, n)).astype(float),
        "both signs": lambda: rng.standard_normal((n, n)),
        "heavy tails": lambda: np.exp(6 * rng.standard_normal((n, n))),
        "metric": lambda: np.sqrt(((x[:, None] - x) ** 2).sum(-1)),
        "on a line": lambda: line(*rng.integers(0, 50, n)),
        "constant": lambda: np.full((n, n), 0.3),
        "nearly zero": lambda: 1e-310 * rng.random((n, n)),
        "huge": lambda: 1e307 * rng.random((n, n)),
    }
    return draws[kind]() if kind else list(draws)


@pytest.mark.parametrize("block", [16, 2**19])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", some_dissimilarities(None, np.random.default_rng(0), 1))
def test_triangles_by_loop(kind, solver, block, monkeypatch):
    monkeypatch.setattr(_triangles, "BLOCK", block)  # small blocks, so that their borders are crossed
    for seed in range(25):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 14))
        D = some_dissimilarities(kind, rng, n)
        D[rng.random((n, n)) < (0, 0, 0.2)[seed % 3]] = (np.inf, np.nan)[seed % 2]
        size = np.abs(D[np.isfinite(D)]).max(initial=0.0)
        tolerance = (None, 0, 0.2 * size, 4 * size)[seed % 4]
        found = triangle_report(D, tolerance=tolerance, solver=solver)
        cases, left_out, broken, gap, ratio = by_loop(D, 8 * EPS * size if tolerance is None else tolerance)
        assert (found.triples, found.not_evaluable, found.violations) == (cases, left_out, broken)
        assert found.triples + found.not_evaluable == n * (n - 1) * (n - 2)
        if not cases:
            assert found.worst_gap is found.fraction is found.witness is found.worst_ratio is None
            continue
        i, j, k = found.witness
        assert len({i, j, k}) == 3 and np.isclose(found.worst_gap, gap, rtol=1e-12, atol=4 * EPS * size)
        assert np.isclose(D[i, k] - D[i, j] - D[j, k], found.worst_gap, rtol=1e-12, atol=4 * EPS * size)
        finite = D[np.isfinite(D) & ~np.eye(n, dtype=bool)]
        if (finite < 0).any() or ratio == -np.inf:
            assert found.worst_ratio is None and found.reasons["worst_ratio"]
        else:
            i, j, k = found.ratio_witness
            with np.errstate(divide="ignore"):
                assert np.isclose(found.worst_ratio, ratio) and np.isclose(D[i, k] / (D[i, j] + D[j, k]), ratio)


def test_the_only_triple_is_found_among_masked_pairs():
    D = np.full((4, 4), np.inf)
    D[0, 1] = D[1, 2] = D[0, 3] = 1
    D[0, 2] = 0
    for solver in SOLVERS:
        found = triangle_report(D, solver=solver)
        assert (found.triples, found.worst_gap, found.witness, found.worst_ratio) == (1, -2, (0, 1, 2), 0)


def test_triangles_in_doubt_are_decided_by_the_float():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((90, 2))
    x[45:] = x[:45] + 1e-6 * rng.standard_normal((45, 2))  # thousands of gaps within the rounding of the whole numbers
    D = np.sqrt(((x[:, None] - x) ** 2).sum(-1)) * (1 + 1e-7 * rng.standard_normal((90, 90)))
    usable = ~np.eye(90, dtype=bool)
    gap = np.where(usable[:, None, :] & usable[:, :, None] & usable, D[:, None, :] - D[:, :, None] - D, -np.inf)
    for solver in SOLVERS:
        found = triangle_report(D, solver=solver)
        assert found.violations == np.count_nonzero(gap > found.tolerance) > 1000
        assert np.isclose(found.worst_gap, gap.max(), rtol=1e-9)


@pytest.mark.parametrize("n", [200, 333])
def test_large_triangles_by_blocks_of_the_definition(n):
    D = np.random.default_rng(n).random((n, n))
    D[5, 7] = np.nan
    usable = np.isfinite(D) & ~np.eye(n, dtype=bool)
    count, worst = 0, -np.inf
    for i in range(n):
        gap = np.where(usable[i] & usable[i, :, None] & usable, D[i] - D[i, :, None] - D, -np.inf)
        count += np.count_nonzero(gap > 8 * EPS * np.nanmax(D))
        worst = max(worst, gap.max())
    reports = [triangle_report(D, solver=solver) for solver in SOLVERS]
    assert repr(reports[0]) == repr(reports[1])
    assert reports[0].violations == count and np.isclose(reports[0].worst_gap, worst)
    assert reports[0].not_evaluable == 3 * (n - 2)


def test_the_compiled_loops_are_plain_loops():
    D = np.random.default_rng(0).random((11, 11))
    compiled = triangle_report(D, solver="numba")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_triangles, "_compiled", lambda: _triangles._tally_loops)
        assert repr(triangle_report(D, solver="numba")) == repr(compiled)


def test_memory_grows_with_the_pairs_not_with_the_triples():
    D = np.random.default_rng(0).random((700, 700))
    tracemalloc.start()
    triangle_report(D)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 32 * D.size  # four matrices of float64, whatever n


def test_a_batch_of_triangles_equals_the_loop():
    D = np.random.default_rng(0).random((2, 3, 6, 6))
    D[0, 0, 0, 1] = np.inf
    D[1, 1] = np.nan
    batch = triangle_report(D)
    for at in np.ndindex(2, 3):
        single = triangle_report(D[at])
        for field in ("triples", "not_evaluable", "violations", "fraction", "worst_gap", "worst_ratio", "tolerance"):
            expected = getattr(single, field)
            assert np.array_equal(getattr(batch, field)[at], np.nan if expected is None else expected, equal_nan=True)
        assert tuple(batch.witness[at]) == (single.witness or (-1, -1, -1))
        assert tuple(batch.ratio_witness[at]) == (single.ratio_witness or (-1, -1, -1))
    assert "1 of 6, first at (1, 1)" in batch.reasons["worst_gap"]
    assert triangle_report(np.zeros((0, 3, 3))).witness.shape == (0, 3)


def test_without_numba_the_extra_is_named(monkeypatch):
    def missing(module, extra):
        raise ImportError(f"{module} is needed here; install it with: pip install 'attention-geometry[{extra}]'")

    _triangles._compiled.cache_clear()
    monkeypatch.setattr(_triangles, "require", missing)
    with pytest.raises(ImportError, match=r"attention-geometry\[fast\]"):
        triangle_report(line(0, 1, 2), solver="numba")


# Closure and nearness.


@given(seeds, sizes)
def test_L4_5_closure_is_the_largest_lawvere_metric_below(seed, n):
    x, extra = noise(seed, n, 2), np.abs(noise(seed + 1, n, n))
    below = np.sqrt(((x[:, None] - x) ** 2).sum(-1)) * (1 + 0.1 * (x[:, :1] > 0))  # a quasimetric, or nearly
    below = metric_closure(below)
    D = below + extra
    closed = metric_closure(D)
    report = check_axioms(closed, tolerance=1e-12)
    assert report.non_negative.holds and report.zero_diagonal.holds and report.triangle.holds
    off = ~np.eye(n, dtype=bool)
    assert (closed[off] <= D[off]).all() and (below <= closed + 1e-12).all()
    assert np.allclose(metric_closure(closed), closed)
    assert np.allclose(closed, floyd_warshall(D))


def test_L4_5_closure_of_surprisal_is_the_most_probable_path():
    A = some_weights(4, 5)
    best = {
        (i, k): max(
            np.prod([A[a, b] for a, b in itertools.pairwise((i, *way, k))])
            for r in range(4)
            for way in itertools.permutations(set(range(5)) - {i, k}, r)
        )
        for i, k in itertools.permutations(range(5), 2)
    }
    closed = CANDIDATES["closure of −log A"](A)
    assert all(np.isclose(closed[pair], -math.log(p)) for pair, p in best.items())


def test_closure_knows_that_zero_is_short_and_infinity_is_far():
    D = np.array([[5, 0, np.inf], [np.inf, 5, 2], [np.inf, np.inf, 5]])
    assert metric_closure(D).tolist() == [[0, 0, 2], [np.inf, 0, 2], [np.inf, np.inf, 0]]
    assert floyd_warshall(D)[0, 2] == np.inf  # scipy reads a zero as "no edge"
    assert metric_closure(np.stack([D, D]))[1].tolist() == metric_closure(D).tolist()
    assert D[0, 0] == 5
    for bad, text in (([[0, -1], [1, 0]], r"-1 at index \(0, 1\)"), ([[0, np.nan], [1, 0]], "NaN")):
        with pytest.raises(ValueError, match=text):
            metric_closure(bad)


def test_T4_5_a_lone_broken_triangle_shares_its_gap():
    M = nearest_metric([[0, 1, 3], [1, 0, 1], [3, 1, 0]])
    assert np.allclose(M, [[0, 4 / 3, 8 / 3], [4 / 3, 0, 4 / 3], [8 / 3, 4 / 3, 0]])
    D = np.array([[0, 1, 3], [1, 0, 1], [3, 1, 0]])
    assert np.isclose(np.linalg.norm((M - D)[np.triu_indices(3, 1)]), 1 / math.sqrt(3))  # g/√3 with g = 1


@given(seeds, st.integers(3, 7))
def test_nearest_metric_is_the_projection_on_the_cone_of_metrics(seed, n):
    D = [noise(seed, n, n) ** 2, np.random.default_rng(seed).integers(0, 4, (n, n)).astype(float)][seed % 2]
    D = np.triu(D, 1) + np.triu(D, 1).T
    M, pair = nearest_metric(D), np.triu_indices(n, 1)
    assert triangle_report(M, tolerance=1e-9).violations == 0 and (M >= -1e-9).all()
    left = (D - M)[pair]
    assert np.isclose(left @ M[pair], 0, atol=1e-9)  # Moreau: the remainder is orthogonal to the projection …
    for other in range(20):
        x = noise(other, n, 3)
        assert left @ np.sqrt(((x[:, None] - x) ** 2).sum(-1))[pair] <= 1e-9  # … and points away from every metric
    assert np.allclose(nearest_metric(M), M, atol=1e-9) and np.allclose(nearest_metric(3 * D), 3 * M, atol=1e-8)
    closed = metric_closure(D)
    assert np.linalg.norm(left) <= np.linalg.norm((D - closed)[pair]) + 1e-12


@pytest.mark.parametrize("seed", range(30))
def test_a_metric_is_its_own_nearest_metric_where_many_triangles_are_flat(seed):
    D = np.triu(noise(seed, 5, 5) ** 2, 1)
    M = nearest_metric(D + D.T)
    assert np.allclose(nearest_metric(M), M, atol=1e-9)
    on_a_line = line(*noise(seed, 6))
    assert np.allclose(nearest_metric(on_a_line), on_a_line, atol=1e-9)


def test_nearest_metric_refuses_what_it_does_not_solve():
    for D, text in (
        (np.ones((21, 21)) - np.eye(21), "at most 20"),
        ([[0, 1], [2, 0]], "not symmetric"),
        ([[1, 1], [1, 1]], "not symmetric with a zero diagonal"),
    ):
        with pytest.raises(ValueError, match=text):
            nearest_metric(D)
    assert nearest_metric([[0, -2], [-2, 0]]).tolist() == [[0, 0], [0, 0]]
    assert nearest_metric(np.zeros((4, 4))).tolist() == np.zeros((4, 4)).tolist()


# Orders.


def comparisons(S):
    """Every comparison of two pairs in a row, as a digraph; ``strict`` where the two are not tied."""
    graph = nx.DiGraph()
    graph.add_nodes_from(itertools.combinations(range(len(S)), 2))
    for i, j, k in triples(len(S)):
        if S[i, j] >= S[i, k]:
            near, far = tuple(sorted((i, j))), tuple(sorted((i, k)))
            graph.add_edge(near, far, strict=bool(S[i, j] > S[i, k]))
    return graph


@given(seeds, st.integers(2, 6), st.sampled_from([1, 3, 1000]))
def test_the_ordinal_test_against_the_full_digraph_and_a_metric(seed, n, levels):
    rng = np.random.default_rng(seed)
    S = rng.integers(3, levels + 4, (n, n)).astype(float)
    if seed % 2:
        S = S + S.T  # consistent
    found = ordinal_test(S)
    graph = comparisons(S)
    components = list(nx.strongly_connected_components(graph))
    inside = {pair: number for number, members in enumerate(components) for pair in members}
    closed = any(data["strict"] and inside[a] == inside[b] for a, b, data in graph.edges(data=True))
    assert found.consistent is not closed
    cyclic = sum(
        (S[i, j] > S[i, k] and S[j, k] > S[j, i] and S[k, i] > S[k, j])
        or (S[i, j] < S[i, k] and S[j, k] < S[j, i] and S[k, i] < S[k, j])
        for i, j, k in itertools.combinations(range(n), 3)
    )
    assert found.cyclic_triples == cyclic and found.triples == math.comb(n, 3)
    assert not (cyclic and found.consistent)
    if found.consistent:  # the proof: ranks in any order that respects the comparisons, raised by the largest
        order = list(nx.topological_sort(nx.condensation(graph, components)))
        D = np.zeros((n, n))
        for (i, j), number in inside.items():
            D[i, j] = D[j, i] = order.index(number) + len(order)
        assert n < 2 or check_axioms(D).kind == "metric"
        assert all((S[i, j] > S[i, k]) == (D[i, j] < D[i, k]) for i, j, k in triples(n))
    else:
        steps = list(zip(found.witness, [*found.witness[1:], found.witness[0]]))
        assert all(graph.has_edge(*step) for step in steps) and any(graph.edges[step]["strict"] for step in steps)


@given(seeds, sizes)
def test_metrics_and_reversible_heads_pass_the_ordinal_test(seed, n):
    x, M = noise(seed, n, 2), noise(seed + 1, n, n)
    d = np.sqrt(((x[:, None] - x) ** 2).sum(-1))
    assert ordinal_test(-d).consistent and ordinal_test(-d).self_first == 1
    reversible = M + M.T + noise(seed + 2, n, 1) + noise(seed + 3, n)
    for S in (reversible, softmax(reversible), 0.1 * reversible):
        assert ordinal_test(S).consistent and ordinal_test(S).witness is None


def test_the_ordinal_test_is_weaker_than_reversibility():
    S = np.array([[0, 3, 1], [2, 0, 1], [5, 4, 0]])  # rankings of a metric, and yet a curl
    found = ordinal_test(S)
    assert found.consistent and (S[0, 1] + S[1, 2] + S[2, 0]) != (S[0, 2] + S[2, 1] + S[1, 0])


def test_a_cycle_of_four_without_a_cyclic_triple():
    S = np.zeros((4, 4))
    for i in range(4):  # before me, after me, opposite
        S[i, [(i - 1) % 4, (i + 1) % 4, (i + 2) % 4]] = 3, 2, 1
    found = ordinal_test(S)
    assert found.cyclic_triples == 0 and not found.consistent
    assert sorted(found.witness) == [(0, 1), (0, 3), (1, 2), (2, 3)]


def test_one_quarter_of_the_triples_of_noise_is_cyclic():
    found = ordinal_test(noise(0, 40, 12, 12))
    assert abs(found.cyclic_share.mean() - found.chance) < 4 * found.cyclic_share.std() / np.sqrt(40) < 0.03
    assert not found.consistent.any() and abs(found.self_first.mean() - 1 / 12) < 0.05
    assert found.witness is None and "one matrix" in found.reasons["witness"]
    assert found.cyclic_share[3] == ordinal_test(noise(0, 40, 12, 12)[3]).cyclic_share


def test_causal_rankings_are_refused_because_they_refute_nothing():
    A = softmax(noise(0, 4, 4), mask=causal_mask(4))
    for S in (A, np.where(causal_mask(4), noise(0, 4, 4), -np.inf)):
        with pytest.raises(ValueError, match="vacuous"):
            ordinal_test(S)
    for dtype in (np.float32, np.float16):  # rows that sum to one within the rounding of their type
        with pytest.raises(ValueError, match="vacuous"):
            ordinal_test(softmax(noise(1, 20, 9, 9), mask=causal_mask(9)).astype(dtype))
    D = np.zeros((4, 4))  # each pair is ranked in one row only, so a symmetric D reproduces the row, and a metric does
    i, j = np.tril_indices(4, -1)
    D[i, j] = D[j, i] = 9 - np.log(A[i, j])
    assert check_axioms(D).kind == "metric"
    rows = softmax(np.where(np.tril(np.ones((4, 4)), -1) > 0, -D, -np.inf)[1:])
    expected = A[1:] * np.tril(np.ones((4, 4)), -1)[1:]
    assert np.allclose(rows, expected / expected.sum(1, keepdims=True))


def test_small_and_tied_rankings():
    assert ordinal_test([[0.5, 0.5], [0.5, 0.5]]).consistent and ordinal_test([[1]]).cyclic_share is None
    uniform = ordinal_test(np.zeros((5, 5)))
    assert uniform.consistent and uniform.cyclic_triples == 0 and uniform.self_first == 0
    tie = [[0, 1, 1], [1, 0, 2], [2, 1, 0]]  # 01 as near as 02, 12 nearer than 01, 02 nearer than 12
    found = ordinal_test(tie)
    assert not found.consistent and found.cyclic_triples == 0 and set(found.witness) == {(0, 1), (0, 2), (1, 2)}
