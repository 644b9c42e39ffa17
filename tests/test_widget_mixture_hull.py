"""MixtureHull: its arithmetic by second formulas, what it accepts, and what its still page says."""

import html.parser
import json
import math
import re
import runpy
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from attention_geometry import attention, explanation
from attention_geometry.widgets import MixtureHull, _hull

HERE = Path(__file__).parent
WIDGETS = HERE.parent / "attention_geometry" / "widgets"
FIXTURE = json.loads((HERE / "fixtures" / "hull.json").read_text("utf-8"))
V = [[1.0, 0.2], [-0.2, 1.1], [-1.1, 0.3], [-0.6, -0.9], [0.7, -0.8]]
SCORES = [0.4, 1.1, -0.3, 0.0, 0.7]
SQUARE = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
HOSTILE = ["</script><script>alert(1)</script>", '"\'onload=alert(1) x="', "&amp;<b>", "\u202eabc", ""]


def hull(**options):
    return MixtureHull(V, SCORES, **options)


def close(got, wanted):
    """Nested lists of numbers, equal up to rounding; None and words exactly."""
    if isinstance(wanted, dict):
        assert got.keys() == wanted.keys()
        got, wanted = list(got.values()), list(wanted.values())
    if isinstance(wanted, (list, tuple)):
        assert len(got) == len(wanted)
        for a, b in zip(got, wanted):
            close(a, b)
    elif isinstance(wanted, float):
        assert got == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    else:
        assert got == wanted


# ------------------------------------------------------------------------------------------------ the arithmetic


def test_the_fixture_is_what_its_script_makes():
    made = runpy.run_path(str(HERE / "fixtures" / "make_hull.py"))["make"]()
    close(json.loads(json.dumps(made)), FIXTURE)


def test_the_comparison_can_fail():
    with pytest.raises(AssertionError):
        close([1.0, [0.5 + 1e-10]], [1.0, [0.5]])
    with pytest.raises(AssertionError):
        close({"a": None}, {"a": 0.0})


@pytest.mark.parametrize("case", range(len(FIXTURE["mixtures"])))
def test_a_direction_is_in_the_null_space_and_the_shortest_that_moves_its_key(case):
    c = FIXTURE["mixtures"][case]
    row = np.where(c["allowed"], 1.0, 0.0) / sum(c["allowed"])
    found = explanation.equivalent_weights(row, c["V"], mask=c["allowed"])
    for key, z in enumerate(c["directions"]):
        if z is None:
            assert np.abs(found.basis[:, key]).max(initial=0) < 1e-9 or not c["allowed"][key]
            continue
        z = np.array(z)
        assert z[key] == 1 and abs(z.sum()) < 1e-12 and not z[~np.array(c["allowed"])].any()
        np.testing.assert_allclose(z @ np.array(c["V"]), 0, atol=1e-12 * np.abs(c["V"]).max())
        np.testing.assert_allclose(found.basis.T @ (found.basis @ z), z, atol=1e-9)
        other = found.basis.T @ np.linalg.lstsq(found.basis[:, [key]].T, [1.0], rcond=None)[0]
        np.testing.assert_allclose(z, other, atol=1e-9)


def test_L10_1_every_row_on_a_line_gives_the_same_output(rng):
    for _ in range(60):
        n = int(rng.integers(4, 9))
        points, a = rng.normal(size=(n, 2)), rng.dirichlet(np.ones(n))
        for key in range(n):
            line, index = _hull.equivalent_line(points.tolist(), [True] * n, a, key)
            assert line[index] is a or (line[index] == a).all()
            gains = [row[key] for row in line]
            assert gains == sorted(gains) and gains[0] < a[key] < gains[-1]
            for along in (-1, -0.6, 0, 0.3, 1):
                row = _hull.equivalent_row(line, index, key, along)
                assert row.min() >= 0 and abs(row.sum() - 1) < 1e-12
                np.testing.assert_allclose(row @ points, a @ points, atol=1e-12)


def test_the_ends_of_a_line_are_seldom_short_of_the_extremes_and_never_beyond(rng):
    short, ends = 0, 0
    for _ in range(40):
        n = int(rng.integers(4, 9))
        points, a = rng.normal(size=(n, 2)), rng.dirichlet(np.ones(n))
        M = np.column_stack([points, np.ones(n)])
        for key in range(n):
            line, _ = _hull.equivalent_line(points.tolist(), [True] * n, a, key)
            for sign, row in ((-1, line[0]), (1, line[-1])):
                best = linprog(-sign * np.eye(n)[key], A_eq=M.T, b_eq=a @ M, bounds=(0, None)).x[key]
                assert sign * row[key] <= sign * best + 1e-9
                short, ends = short + (abs(row[key] - best) > 1e-7), ends + 1
    assert ends > 300 and short / ends < 0.03


def test_weights_of_zero_may_grow_and_never_fall():
    """At T = 0 the row lies on the edge of what is feasible: the line leaves out what would have to fall."""
    line, index = _hull.equivalent_line([[1, 1], [-1, -1], [1, -1], [-1, 1]], [True] * 4, [0.5, 0.5, 0, 0], 2)
    assert index == 0
    np.testing.assert_allclose(line[-1], [0, 0, 0.5, 0.5], atol=1e-12)
    corner, place = _hull.equivalent_line(SQUARE, [True] * 4, [1.0, 0, 0, 0], 0)
    assert (len(corner), place) == (1, 0), "a corner of the hull has one row only"


@pytest.mark.parametrize("n", [1, 2, 3])
def test_values_in_general_position_fix_the_weights(n):
    w = MixtureHull(V[:n], SCORES[:n], along=1)
    assert w.dimension == 0
    np.testing.assert_array_equal(w.other_weights, w.weights)


def test_T10_2_three_values_on_a_line():
    w = MixtureHull([[0, 0], [1, 0], [2, 0]], direction=1, along=1)
    np.testing.assert_allclose(w.other_weights, [0, 1, 0], atol=1e-12)
    found = explanation.equivalent_weights(w.weights, w.V)
    assert w.dimension == found.dimension == 1 and found.total_variation == pytest.approx(2 / 3)
    w.along = 0.5
    np.testing.assert_allclose(w.other_weights, [1 / 6, 2 / 3, 1 / 6], atol=1e-12)
    np.testing.assert_allclose(w.other_weights @ np.array(w.V), w.output, atol=1e-12)


def test_T10_1_five_planar_values_leave_two_directions():
    assert hull().dimension == 5 - 2 - 1
    assert hull(mask=[True, True, True, False, True]).dimension == 1


def test_values_move_while_the_output_stays(rng):
    """The mirror of L10.1: the smallest move of the others, found a second time by least squares."""
    a = hull().weights
    for key in range(5):
        point = rng.normal(size=2)
        moved = _hull.compensated_values(V, a, key, point)
        np.testing.assert_allclose(a @ moved, a @ np.array(V), atol=1e-12)
        np.testing.assert_array_equal(moved[key], point)
        others = np.delete(np.arange(5), key)
        wanted = np.linalg.lstsq(a[others][None], -a[key] * (point - V[key])[None], rcond=None)[0]
        np.testing.assert_allclose(moved[others], np.array(V)[others] + wanted, atol=1e-12)
    assert _hull.compensated_values(V, [1, 0, 0, 0, 0], 0, [0, 0]) is None
    still = _hull.compensated_values(V, [1, 0, 0, 0, 0], 1, [9, 9])
    np.testing.assert_array_equal(np.delete(still, 1, axis=0), np.delete(V, 1, axis=0))


def test_verdicts_agree_with_a_linear_programme(rng):
    seen = set()
    for _ in range(80):
        points, point = rng.normal(size=(int(rng.integers(1, 7)), 2)), rng.normal(size=2)
        M = np.column_stack([points, np.ones(len(points))])
        feasible = linprog(np.zeros(len(points)), A_eq=M.T, b_eq=[*point, 1], bounds=(0, None)).status == 0
        verdict = _hull.hull_verdict(point.tolist(), points.tolist())
        assert (verdict != "outside") == feasible
        seen.add(verdict)
    assert {"inside", "outside"} <= seen
    assert _hull.hull_verdict([0.5, 0.5], [[0, 0], [1, 1]]) == _hull.hull_verdict([1, 0], SQUARE) == "edge"


def test_margins_by_hand():
    assert _hull.hull_margin([0, 0], SQUARE) == pytest.approx(math.sqrt(0.5))
    assert _hull.hull_margin([2, 0], SQUARE) == -1 and _hull.hull_margin([1, 1], SQUARE) == pytest.approx(
        -math.sqrt(0.5)
    )
    assert _hull.hull_margin([3, 4], [[0, 0]]) == -5 and _hull.hull_margin([0.5, 1], [[0, 0], [1, 0]]) == -1


def test_the_path_begins_and_ends_at_the_limits_and_stays_in_the_hull():
    temperatures, outputs = _hull.temperature_path(SCORES, [True] * 5, V)
    assert temperatures[0] == 0 and temperatures[-1] == math.inf and temperatures == sorted(temperatures)
    for i in (0, 40, -1):
        np.testing.assert_allclose(outputs[i], hull(temperature=temperatures[i]).output, atol=1e-12)
    np.testing.assert_allclose(outputs[0], V[1])
    np.testing.assert_allclose(outputs[-1], np.mean(V, axis=0), atol=1e-12)
    assert np.abs(np.diff(outputs, axis=0)).max() < 0.05, "fine enough to be drawn as a curve, to both ends"
    assert all(_hull.hull_margin(y.tolist(), V) > -1e-12 for y in outputs)
    assert _hull.temperature_path([2, 2], [True, True], V[:2])[0] == [0.0, math.inf]


@pytest.mark.parametrize("temperature", [0.3, 1.0, 4.0])
def test_the_drift_is_the_derivative_of_the_output(temperature):
    mask, h = [True, True, False, True, True], 1e-5
    up, down = (hull(mask=mask, temperature=temperature + step).output for step in (h, -h))
    drift = _hull.temperature_drift(SCORES, np.array(mask), V, temperature)
    np.testing.assert_allclose(drift, (up - down) / (2 * h), rtol=1e-6, atol=1e-9)
    assert _hull.temperature_drift(SCORES, [True] * 5, V, 0) is _hull.temperature_drift(SCORES, [True] * 5, V, math.inf)


# ------------------------------------------------------------------------------------------------ the widget


def test_ties_are_kept_at_both_ends_of_the_temperature():
    w = MixtureHull(SQUARE, [2.0, 2.0, 1.0, 0.0], temperature=0, mask=[True, True, True, False])
    np.testing.assert_array_equal(w.weights, [0.5, 0.5, 0, 0])
    w.temperature = math.inf
    np.testing.assert_array_equal(w.weights, np.array([1, 1, 1, 0]) / 3)
    assert w.entropy == pytest.approx(math.log(3)) and w.effective_keys == pytest.approx(3)


def test_weights_in_place_of_scores():
    w = MixtureHull(SQUARE, weights=[0.5, 0.25, 0.25, 0.0])
    np.testing.assert_allclose(w.weights, [0.5, 0.25, 0.25, 0], atol=1e-15)
    assert w.mask == [True, True, True, False]
    same = MixtureHull(SQUARE, [0.0, 1.0, -math.inf, 2.0])
    assert same.mask == [True, True, False, True] and same.scores[2] == 0
    np.testing.assert_allclose(same.weights, attention.softmax([0, 1, -math.inf, 2]))


def test_L3_hull_the_output_and_its_image_lie_in_their_hulls(rng):
    for _ in range(20):
        w = MixtureHull(rng.normal(size=(6, 2)), rng.normal(size=6), W_O=rng.normal(size=(2, 2)), x=rng.normal(size=2))
        assert w.verdicts["output"][0] != "outside" and w.verdicts["projected"][1] != "outside"
        np.testing.assert_allclose(w.stream, np.array(w.x) + w.weights @ (np.array(w.V) @ np.array(w.W_O)), atol=1e-12)


def test_the_residual_takes_the_output_out_of_the_hull():
    w = hull(W_O=np.eye(2), x=[3, 0])
    assert w.verdicts == {"output": ("inside",) * 2, "projected": ("inside",) * 2, "stream": ("outside",) * 2}
    w.x, w.W_O = [0, 0], [[5, 0], [0, 5]]
    assert w.verdicts["projected"] == w.verdicts["stream"] and w.verdicts["projected"][1] == "inside"


def test_without_W_O_there_is_no_stream():
    w = hull()
    assert w.projected is w.stream is w.verdicts is None and w.static_html().count("<svg") == 1
    assert hull(x=[1, 0]).W_O == [[1, 0], [0, 1]] and hull(W_O=np.eye(2)).x == [0, 0]
    assert hull(x=[1, 0]).static_html().count("<svg") == 2


@pytest.mark.parametrize(
    "arguments, options, error, says",
    [
        (([[1, 2, 3]],), {}, ValueError, "plane"),
        (([],), {}, ValueError, "V has shape"),
        ((np.zeros((13, 2)),), {}, ValueError, "at most 12"),
        ((V, [1.0]), {}, ValueError, r"scores has shape \(1,\)"),
        ((V, [math.nan] * 5), {}, ValueError, "NaN"),
        ((V, SCORES), {"weights": [0.2] * 5}, ValueError, "not both"),
        ((V,), {"weights": [0.5] * 5}, ValueError, "sum"),
        ((V,), {"mask": [True]}, ValueError, "mask has shape"),
        ((V,), {"temperature": -1}, ValueError, "temperature is -1"),
        ((V,), {"direction": 5}, ValueError, "direction is 5"),
        ((V,), {"direction": 0.5}, TypeError, "integer"),
        ((V,), {"along": 1.5}, ValueError, "along is 1.5"),
        ((V,), {"W_O": [[1, 0]]}, ValueError, "W_O has 1 rows"),
        ((V,), {"x": [1, 2, 3]}, ValueError, r"x has shape \(3,\)"),
        ((V,), {"tokens": ["a"]}, ValueError, "tokens has 1 entries"),
        ((V,), {"tasks": [("t", {"weights": [1]})]}, ValueError, "weights"),
        ((V,), {"tasks": [("t", {"x": [1, 2]})]}, ValueError, "made without W_O and x"),
    ],
)
def test_refusals(arguments, options, error, says):
    with pytest.raises(error, match=says):
        MixtureHull(*arguments, **options)


def test_changes_are_checked_like_the_first_state():
    w = hull(W_O=np.eye(2))
    w.V = np.array(V) * 2
    np.testing.assert_allclose(w.output, 2 * hull().output)
    for name, value in {"V": V[:2], "scores": [1.0], "W_O": None, "x": [1.0], "along": -2, "mask": [False]}.items():
        with pytest.raises(ValueError):
            setattr(w, name, value)
    w.mask = [True] * 5
    assert w.mask is None, "a mask that forbids nothing is no mask"


def test_B18_no_allowed_key_has_no_output_and_nothing_is_nan_in_the_state():
    w = hull(mask=[False] * 5, W_O=np.eye(2), along=0.5, temperature=math.inf)
    assert not w.weights.any() and np.isnan(w.output).all() and np.isnan(w.stream).all() and np.isnan(w.entropy)
    assert w.verdicts is None and w.dimension == 0
    assert w.state()["temperature"] == "inf"
    assert not re.search("nan|NaN", w.static_html()) and "no output" in w.static_html()


class Reader(html.parser.HTMLParser):
    def __init__(self, source):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.parametrize(
    "options", [{}, {"tokens": HOSTILE, "tasks": HOSTILE[:2], "W_O": [[0, 1], [1, 0]], "along": 1}]
)
def test_B7_the_still_page_has_nothing_that_runs_and_nothing_from_elsewhere(options):
    page = Reader(hull(**options).static_html())
    allowed = "div svg g path circle polygon text title table caption thead tbody tr th td bdi p ol li".split()
    assert {tag for tag, _ in page.tags} <= set(allowed)
    for _, attributes in page.tags:
        assert not {"id", "style", "href", "src"} & set(attributes) and not any(name[:2] == "on" for name in attributes)
        for name in ("d", "points", "transform", "x", "y", "cx", "cy", "r"):
            assert not re.search("nan|inf|None", attributes.get(name, ""))
    state = json.loads(page.tags[0][1]["data-ag-state"])
    assert list(state) == list(hull().state()) and state["tokens"] == options.get("tokens")


def test_the_still_table_holds_both_rows_of_weights():
    w = hull(mask=[True, True, False, True, True], direction=0, along=1)
    cells = [text for text in Reader(w.static_html()).texts if re.fullmatch(r"\d\.\d{3}|masked", text)]
    rows = zip(w.weights, w.other_weights, w.allowed)
    assert cells == [text for a, b, ok in rows for text in ((f"{a:.3f}", f"{b:.3f}") if ok else ("masked",) * 2)]
    assert "both rows of weights give it" in "".join(Reader(w.static_html()).texts)


def test_the_name_of_the_output_stands_off_its_path():
    V = [[-1.0, -0.7], [1.1, -0.9], [1.4, 0.8], [0.1, 1.3], [-1.2, 0.6]]
    page = MixtureHull(V, scores=[0.2, 1.0, 2.0, 0.6, -0.5]).still().split("</svg>")[0]
    x, y, anchor = re.search(
        r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)" font-weight="700"[^>]*>y<', page
    ).groups()
    left = float(x) - {"start": 0, "middle": 3.5, "end": 7}[anchor]
    path = re.search(r'class="ag-hull-path" d="M([^"]+)"', page)[1]
    pixels = [tuple(map(float, pair.split())) for pair in path.split("L")]
    assert not any(left < a < left + 7 and float(y) - 8 < b < float(y) + 2 for a, b in pixels)


def test_repr_is_short_and_the_same_every_time():
    assert repr(hull(mask=[True] * 4 + [False], along=0.5, temperature=0, W_O=np.eye(2))) == (
        "MixtureHull(n=5, temperature=0, mask='custom', direction=0, along=0.5, hold_output=False, W_O=True)"
    )


# ------------------------------------------------------------------------------------------------ the JavaScript


def ask(script):
    """What a few lines of JavaScript print, with the widget's modules at hand."""
    node = runpy.run_path(str(HERE.parent / "tools" / "node.py"))["program"]("node")
    lines = "".join(
        f"import * as {name} from {json.dumps((WIDGETS / 'js' / f'{file}.js').as_uri())};\n"
        for name, file in (("widget", "mixture_hull"), ("lines", "hull_numpy"), ("asks", "hull_questions"))
    )
    ran = subprocess.run(
        [node, "--input-type=module", "-e", lines + script], capture_output=True, text=True, check=True
    )
    return ran.stdout


STATES = [
    {},
    {"temperature": 0, "direction": 2, "along": -0.4},
    {"temperature": math.inf, "mask": [True, False, True, True, True], "along": 1},
    {"temperature": 0.3, "W_O": [[0, -1], [1, 0.5]], "x": [1.5, -0.25], "along": 0.7, "direction": 3},
    {"mask": [False] * 5, "W_O": np.eye(2)},
    {"tokens": ["it's", "\\\n\ud83d", "</script>", "日本", "👩\u200d🔬"]},
]


@pytest.mark.parametrize("options", STATES)
def test_the_numpy_lines_rebuild_the_numbers(options):
    w = hull(**options)
    script = f"""const s = {json.dumps(w.state())}, T = s.temperature === "inf" ? Infinity : s.temperature;
    const now = {{ ...s, temperature: T }};
    console.log(lines.hullLines(s, s.tokens, widget.numbers(now).other))"""
    found = {}
    exec(compile(ask(script), "lines", "exec"), found)
    for name, value in {"weights": w.weights, "output": w.output, "projected": w.projected, "stream": w.stream}.items():
        if value is not None:
            np.testing.assert_allclose(found[name], value, rtol=0, atol=1e-12)
    if w.allowed.any():
        np.testing.assert_allclose(found["other_weights"], w.other_weights, rtol=0, atol=1e-12)
    assert found.get("tokens") == w.tokens


def test_a_state_from_outside_is_checked_piece_by_piece():
    good = {
        "V": SQUARE, "scores": [0, 1, 2, 3], "temperature": "inf", "mask": [True, False, True, True], "direction": 3,
        "along": -1, "hold_output": True, "W_O": [[1, 0], [0, 1]], "x": [1, 2],
    }  # fmt: skip
    bad = {
        "V": [SQUARE[:3], "V"], "scores": [[1], [0, 1, 2, None]], "temperature": [-1, "hot"],
        "mask": [[True], [1, 1, 1, 1], "causal"], "direction": [4, -1, 0.5], "along": [1.5, "1"], "hold_output": [1],
        "W_O": [None, [[1, 0]]], "x": [None, [1], [1e9, 0]],
    }  # fmt: skip
    cases = [good, *({**good, name: value} for name, values in bad.items() for value in values)]
    counts = [{"count": 4, "stream": True}] * len(cases) + [{"count": 4, "stream": False}] * 2
    cases += [{"W_O": None, "x": None}, {"W_O": [[1, 0], [0, 1]]}]
    given = f"const counts = {json.dumps(counts)}, cases = {json.dumps(cases)};"
    tell = "console.log(JSON.stringify(cases.map((c, i) => widget.cleanState(c, counts[i]))))"
    answers = json.loads(ask(given + tell))
    assert answers[0] == good and not any(answers[1:-2]) and answers[-2:] == [{}, None]


def questions_of(w, count=1):
    """What JavaScript asks about a state, one list of questions for each state that was asked about before."""
    script = f"""const s = {json.dumps(w.state())}, now = {{ ...s, ...widget.numbers(s) }}, named = (j) => "v" + j;
    const found = Array.from({{ length: {count} }}, (_, asked) => asks.questions(now, {{ asked, named }}));
    console.log(JSON.stringify(found))"""
    return [{q["kind"]: q for q in questions} for questions in json.loads(ask(script))]


def test_questions_have_their_right_answers():
    """Asked of JavaScript, answered by Python."""
    w = hull(W_O=[[1.0, 0], [0, 1]], x=[2, 0])
    drift = _hull.temperature_drift(SCORES, [True] * 5, V, 1.0)
    for key, found in enumerate(questions_of(w, 5)):
        assert found["stream"]["options"][found["stream"]["answer"]] == w.verdicts["stream"][0] == "outside"
        assert found["unique"]["answer"] == 0
        nearer = (w.output - V[key]) @ drift < 0
        assert (found["drift"]["answer"] == 0) == nearer and f"v{key}" in found["drift"]["question"]
    (found,) = questions_of(MixtureHull(V[:3], SCORES[:3]))
    assert found["unique"]["answer"] == 1 and "stream" not in found
    assert questions_of(hull(mask=[False] * 5)) == [{}]
