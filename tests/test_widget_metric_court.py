"""MetricCourt in Python: its numbers, what it accepts, repairs against second formulas, presets, the still page."""

import html
import json
import math
import re
import runpy
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from attention_geometry import attention
from attention_geometry.axioms import AXIOMS, CANDIDATES, check_axioms
from attention_geometry.widgets import MetricCourt
from attention_geometry.widgets._court import REPAIRS, damage, form_keys, form_scores, repaired, shift_of
from attention_geometry.widgets._still_court import arrows, circle, margin
from attention_geometry.widgets.metric_court import CHALLENGES, KINDS, PRESETS, preset

HERE = Path(__file__).parent
FIXTURE = json.loads((HERE / "fixtures" / "axioms.json").read_text("utf-8"))
X = [[1.2, 0.6], [-0.5, 1.1], [-1.0, -0.8], [0.9, -0.7]]
BROKEN = [[0, 2, 5], [2, 0, 1], [5, 1, 0]]


def same(made, stored):
    """Equal to the last bit where it is a choice (a witness, a count, a verdict), to 1e-12 where it is a number."""
    if isinstance(stored, dict):
        return made.keys() == stored.keys() and all(same(made[key], stored[key]) for key in stored)
    if isinstance(stored, list):
        return len(made) == len(stored) and all(map(same, made, stored))
    if isinstance(stored, float) and isinstance(made, (int, float)):
        return math.isclose(made, stored, rel_tol=1e-12, abs_tol=1e-12)
    return made == stored


def test_the_fixture_is_what_its_script_makes():
    made = json.loads(json.dumps(runpy.run_path(str(HERE / "fixtures" / "make_axioms.py"))["make"]()))
    assert same(made, FIXTURE)
    made["matrices"][0]["verdicts"][4]["witness"][0] += 1
    assert not same(made, FIXTURE), "a witness that differs is seen"


# ------------------------------------------------------------------------------------------------ the numbers


@pytest.mark.parametrize("form", [[[1, 0], [0, 1]], [[0, 1], [-1, 0]], [[1, 0.5], [-0.25, 2]]])
def test_scores_of_points_are_queries_times_keys(form):
    points, B = np.array(X), np.array(form)
    np.testing.assert_allclose(form_scores(X, form), points @ B @ points.T, atol=1e-14)
    np.testing.assert_allclose(points @ form_keys(X, form).T, form_scores(X, form), atol=1e-14)
    court = MetricCourt(X, form=form)
    np.testing.assert_allclose(court.weights, attention.softmax(court.scores), atol=1e-15)


def test_a_turning_form_scores_antisymmetrically_to_the_last_bit():
    S = form_scores(X, [[0, 1], [-1, 0]])
    np.testing.assert_array_equal(S, -S.T)


@pytest.mark.parametrize("name", CANDIDATES)
def test_every_candidate_is_the_packages_own(name):
    court = MetricCourt(X, candidate=name)
    rule = CANDIDATES[name]
    given = {"X": X, "Q": X, "K": X, "S": court.scores, "A": court.weights}
    np.testing.assert_array_equal(court.dissimilarity, rule(*(given[one] for one in rule.takes)))
    assert court.why is None and court.report.triangle == check_axioms(court.judged, court.tokens).triangle


def test_with_the_dot_product_D_is_the_squared_distance():
    points = np.array(X)
    squares = ((points[:, None] - points) ** 2).sum(-1)
    np.testing.assert_allclose(MetricCourt(X, candidate="D").dissimilarity, squares, atol=1e-14)
    np.testing.assert_allclose(MetricCourt(X, candidate="√D").judged ** 2, squares, atol=1e-14)


@pytest.mark.parametrize(
    "options, says",
    [
        ({"X": [[0, 0], [1, 0], [0, 1]], "candidate": "arccos"}, "no direction in row 0"),
        ({"X": [[1, 0], [0, 1], [1, 2]], "candidate": "√D", "form": [[1, 0], [0, -1]]}, "negative"),
        ({"M": BROKEN, "source": "scores", "candidate": "chord"}, "scores by hand do not have"),
        ({"X": [[40, 0], [-40, 0], [0, 40]], "candidate": "hitting time"}, "reducible"),
    ],
)
def test_a_candidate_that_is_not_defined_says_why_and_nothing_is_judged(options, says):
    court = MetricCourt(**options, repairs=["closure"])
    assert says in court.why and np.isnan(court.judged).all() and court.damages == []
    assert all(getattr(court.report, axiom).holds is None for axiom in AXIOMS)
    assert says in court.static_html() and not re.search(r"\bnan\b", court.static_html())


def test_a_matrix_by_hand_is_judged_as_it_stands():
    court = MetricCourt(M=BROKEN, candidate="ρ")
    np.testing.assert_array_equal(court.judged, BROKEN)
    assert court.scores is None and court.weights is None and court.report.kind == "semimetric"


# ------------------------------------------------------------------------------------------------ the repairs


@pytest.fixture
def matrices(rng):
    return [rng.uniform(0, 3, (n, n)) for n in (2, 3, 4, 5, 6) for _ in range(20)]


def test_each_repair_makes_its_axiom_hold(matrices):
    for D in matrices:
        for name, axiom in zip(REPAIRS, ("symmetry", "zero_diagonal", "triangle", "triangle"), strict=True):
            after, (step,) = repaired(D, [name])
            assert getattr(check_axioms(after), axiom).holds, name
            assert (step.changed > 0) == (after != D).any()


def test_the_closure_is_the_shortest_path_of_networkx(matrices):
    for D in matrices:
        graph = nx.from_numpy_array(D, create_using=nx.DiGraph)
        ways = dict(nx.all_pairs_dijkstra_path_length(graph))
        expected = [[ways[i][k] for k in range(len(D))] for i in range(len(D))]
        np.testing.assert_allclose(repaired(D, ["closure"])[0], expected, atol=1e-12)


def test_the_shift_is_the_least_that_does(matrices):
    for D in matrices:
        c, off = shift_of(D), ~np.eye(len(D), dtype=bool)
        assert check_axioms(D + off * c).triangle.holds
        if c:
            assert not check_axioms(D + off * (c * (1 - 1e-6))).triangle.holds
    assert shift_of([[0, -2], [1, 0]]) == 2
    assert shift_of([[0, 1], [1, 0]]) == 0


def test_a_shift_keeps_the_order_and_a_mean_need_not(matrices):
    assert all(repaired(D, ["shift"])[1][0].lost == 0 for D in matrices)
    (step,) = repaired([[0, 1, 3], [2, 0, 2], [1, 2, 0]], ["symmetrise"])[1]
    assert step.lost > 0


def test_damage_by_a_loop(matrices):
    for D in matrices:
        after = (D + D.T) / 2
        off = [(i, j) for i in range(len(D)) for j in range(len(D)) if i != j]
        strict = [(e, f) for e in off for f in off if D[e] < D[f] - 1e-12]
        lost = [(e, f) for e, f in strict if not after[e] < after[f] - 1e-12]
        changed, largest, comparisons, found = damage(D, after)
        assert (changed, comparisons, found) == ((after != D).sum(), len(strict), len(lost))
        assert largest == pytest.approx(np.abs(after - D).max())


def test_a_negative_entry_has_no_closure():
    D, steps = repaired([[0, -1], [2, 0]], ["closure"])
    assert not steps[0].possible and D.tolist() == [[0, -1], [2, 0]] and steps[0].changed == 0
    with pytest.raises(ValueError, match="there are: symmetrise, zero diagonal, shift, closure"):
        repaired([[0]], ["mend"])


def test_repairs_follow_their_order():
    court = MetricCourt(M=BROKEN, repairs=["shift", "closure"])
    assert court.damages[1].changed == 0
    court.repairs = ["closure", "shift"]
    assert court.damages[1].shift == 0 and court.report.kind == "metric"


# ----------------------------------------------------------------------------- what it accepts, presets, challenges


@pytest.mark.parametrize(
    "arguments, options, error, says",
    [
        ((), {}, ValueError, "points X, or a matrix M"),
        (([[1, 2, 3]],), {}, ValueError, "plane"),
        (([[1, 2]],), {}, ValueError, "1 tokens"),
        ((np.zeros((7, 2)),), {}, ValueError, "at most 6"),
        ((X,), {"M": BROKEN}, ValueError, r"expected \(4, 4\)"),
        ((), {"M": [[0, math.inf], [1, 0]]}, ValueError, "finite"),
        ((), {"M": BROKEN, "source": "points"}, ValueError, "source is 'points'"),
        ((X,), {"source": "weights"}, ValueError, "expected one of points, scores, dissimilarities"),
        ((X,), {"form": [1, 2]}, ValueError, "form has"),
        ((X,), {"candidate": "distance"}, KeyError, "not a candidate"),
        ((X,), {"candidate": 3}, TypeError, "candidate"),
        ((X,), {"repairs": "shift"}, ValueError, "repairs is 'shift'"),
        ((X,), {"repairs": ["shift", "shift"]}, ValueError, "at most once"),
        ((X,), {"repairs": ["mend"]}, ValueError, "a repair is 'mend'"),
        ((X,), {"shown": "positivity"}, ValueError, "shown is 'positivity'"),
        ((X,), {"tokens": ["a"]}, ValueError, "tokens has 1 entries"),
        ((X,), {"challenges": ["win"]}, TypeError, "challenge"),
        ((X,), {"challenges": [("win", "ultrametric")]}, ValueError, "wanted is 'ultrametric'"),
        ((X,), {"challenges": [("win", {"triangle": 1})]}, TypeError, "wanted"),
        ((X,), {"challenges": [("win", "metric", -1)]}, ValueError, "most_repairs"),
        ((X,), {"tasks": [("x", {"colour": 1})]}, ValueError, "colour"),
        ((X,), {"tasks": [("x", {"shown": "all"})]}, ValueError, "shown is 'all'"),
    ],
)
def test_refusals(arguments, options, error, says):
    with pytest.raises(error, match=says):
        MetricCourt(*arguments, **options)


def test_changes_are_checked_like_the_first_state():
    court = MetricCourt(X)
    court.candidate = "-log A"
    assert court.candidate == "−log A", "names typed on a plain keyboard are known"
    for name, value in {"X": X[:3], "M": BROKEN, "source": 1, "form": [[1]], "repairs": ["x"], "shown": "all"}.items():
        with pytest.raises((ValueError, TypeError)):
            setattr(court, name, value)
    for made, points in ((court, None), (MetricCourt(M=BROKEN), X[:3])):
        with pytest.raises(ValueError, match="neither come nor go"):
            made.X = points
    with pytest.raises(ValueError, match="shown is None"):
        court.shown = None


def test_python_and_a_stored_page_judge_the_same_matrix():
    court = MetricCourt(M=np.sqrt([[0, 2, 8], [2, 0, 2], [8, 2, 0]]))
    stored = json.loads(html.unescape(re.search(r'data-ag-state="([^"]*)"', court.static_html())[1]))
    assert stored["M"] == court.M and court.M[0][1] == 1.414213562


def test_what_fails_is_drawn_first():
    assert MetricCourt(M=BROKEN).shown == "triangle" == MetricCourt(M=[[0, 1], [1, 0]]).shown
    assert MetricCourt(M=[[0, 1], [2, 0]]).shown == "symmetry"
    assert MetricCourt(M=[[1, 1], [1, 0]]).shown == "zero_diagonal"


def test_presets_show_what_they_say():
    courts = {name: MetricCourt(**preset(name).settings, tokens=preset(name).tokens) for name in PRESETS}
    one = courts["broken triangle"].report
    assert one.kind == "semimetric" and one.triangle.violations == 2 and one.triangle.worst == 2
    head = courts["sharp head"]
    assert not head.report.triangle.holds and head.tokens == ["dog", "saw", "its", "owner"]
    assert head.threshold.value > 10 * head.threshold.limit, "far from passing for free"
    line = courts["squared distances"].report
    assert line.kind == "semimetric" and line.worst_ratio == 2
    with pytest.raises(ValueError, match="preset is 'x'"):
        preset("x")


def test_presets_are_task_states_of_one_court():
    tasks = [preset(name)[:2] for name in PRESETS]
    court = MetricCourt(X, tasks=[*tasks, ("Guess.", {"predict": True})])
    assert [task["text"] for task in court.tasks[:3]] == [text for text, _ in tasks]
    assert court.tasks[3]["state"] == {"predict": True}


def test_challenges_are_data_and_each_can_be_met():
    """A court that meets each of the challenges, by hand and, where there are any, by points."""
    ways = [
        {"M": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]},
        {"X": [[0, 0], [1, 0], [2, 0]], "candidate": "D"},
        {"X": X, "candidate": "hitting time"},
        {"X": [[1, 0], [2, 0], [0, 1]], "candidate": "arccos"},
    ]
    for way, challenge in zip(ways, MetricCourt(X).challenges, strict=True):
        report = MetricCourt(**way).report
        assert {axiom: getattr(report, axiom).holds for axiom in AXIOMS} == challenge["wanted"]
    assert len(CHALLENGES) == 4 and MetricCourt(X).challenges[0]["repairs"] == 0


def test_kinds_are_those_of_check_axioms():
    for kind, wanted in KINDS.items():
        if kind == "nothing":
            continue
        D = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0.0]])
        D[0, 0] += 0 if wanted[1] else 1
        if not wanted[2]:
            D[0, 1] = 0 if not wanted[3] else D[0, 1]
            D[[0, 1], [1, 0]] = 0
        if not wanted[3]:
            D[2, 0] = D[2, 1] = 2
        if not wanted[4]:
            D[0, 2], D[2, 0] = 5, 5 if wanted[3] else 6
        report = check_axioms(D)
        assert [getattr(report, axiom).holds for axiom in AXIOMS] == list(map(bool, wanted)), kind
        assert report.kind == kind


def test_the_page_has_the_words_of_every_candidate():
    told = {name: rest for name, *rest in MetricCourt(X).state()["candidates"]}
    assert list(told) == list(CANDIDATES)
    for name, (question, domain, known) in told.items():
        one = CANDIDATES[name]
        plain = [text.translate(str.maketrans("ᵢⱼₖₛ", "ijks")) for text in (question, domain, *known)]
        assert plain == [text.replace("_", "") for text in (one.question, one.domain, *one.axioms.values())]
    assert told["−log A"][2][1] == "never: Aᵢᵢ < 1" and told["ρ"][0].endswith("log Aᵢᵢ/Aᵢⱼ, in nats")


# ------------------------------------------------------------------------------------------------ the still page


def test_the_margin_in_numbers():
    court = MetricCourt(M=BROKEN)
    said = {axiom: margin(axiom, getattr(court.report, axiom), court.judged) for axiom in AXIOMS}
    assert said["triangle"] == "d(1,3) = 5 > 2 + 1 = d(1,2) + d(2,3), by 2"
    assert said["symmetry"] == "the same both ways, for every pair" and said["non_negative"] == "smallest: d(1,1) = 0"
    D = [[1, 0, 4], [1, 1, 1], [-1, 1, 1]]
    report = check_axioms(D)
    assert margin("symmetry", report.symmetry, D) == "d(1,3) = 4 ≠ −1 = d(3,1), by 5"
    assert margin("separation", report.separation, D) == "d(1,2) = 0"
    assert margin("non_negative", report.non_negative, D) == "d(3,1) = −1 < 0"
    assert margin("zero_diagonal", report.zero_diagonal, D) == "d(1,1) = 1 ≠ 0"


@pytest.mark.parametrize("n", [2, 3, 6])
@pytest.mark.parametrize("shown", AXIOMS)
def test_every_coordinate_of_the_still_picture_is_a_number(n, shown):
    for points in ([[math.cos(i), math.sin(i)] for i in range(n)], [[0, 0]] * n):
        for candidate in ("−log A", "D", "arccos", "S"):
            page = MetricCourt(points, candidate=candidate, shown=shown).static_html()
            assert not re.search(r'="[^"]*\b(nan|inf|None)\b', page)


def test_arrows_lead_from_token_to_token_and_numbers_stand_off():
    at = [circle(i, 3) for i in range(3)]
    found = arrows("triangle", (0, 1, 2), at, BROKEN)
    assert [value for *_, value, _ in found] == [2, 1, 5]
    assert [part for *_, part in found] == ["detour", "detour", "direct"]
    for (_, tip, *_), goal in zip(found, (1, 2, 2)):
        assert math.dist(tip, at[goal]) == pytest.approx(9.5, abs=0.01)


def test_the_page_counts_tokens_from_one_and_names_them():
    page = MetricCourt(M=BROKEN, tokens=["<b>the</b>", "cat", "sat"]).static_html()
    assert "1 &lt;b&gt;the&lt;/b&gt;" in page and "<b>the" not in page and "d(1,3) = 5 &gt; 2 + 1" in page


def test_the_page_says_that_a_matrix_was_repaired():
    court = MetricCourt(M=BROKEN, repairs=["closure"])
    assert "d by hand, after closure" in court.static_html() and "after" not in MetricCourt(M=BROKEN).static_html()


def test_repr_is_short_and_the_same_every_time():
    court = MetricCourt(X, candidate="D", repairs=["closure"])
    assert repr(court) == "MetricCourt(n=4, source='points', candidate='D', fails=[], repairs=['closure'])"
