"""AttentionPipeline: what Python says, what it refuses, what the still picture shows."""

import html.parser
import json
import math
import runpy
import subprocess
from pathlib import Path

import numpy as np
import pytest

from attention_geometry import attention, bilinear
from attention_geometry._text import visible
from attention_geometry.widgets import AttentionPipeline, _still_pipeline
from attention_geometry.widgets.attention_pipeline import NUMBERS, WORDS

HERE = Path(__file__).parent
ROOT = HERE.parent
FIXTURE = json.loads((HERE / "fixtures" / "stages.json").read_text("utf-8"))
HOSTILE = ["</script><script>alert(1)</script>", '"\'onload=alert(1) x="', "<b>x</b>", "\u202eabc", "日本", ""]
X, W = NUMBERS["X"], NUMBERS["W_Q"]


def given(**changes):
    return {**NUMBERS, "tokens": WORDS, **changes}


def hostile(**options):
    n = len(HOSTILE)
    points = [[math.cos(i), math.sin(i)] for i in range(n)]
    return AttentionPipeline(points, W, W, W, tokens=HOSTILE, tasks=["<img src=x onerror=alert(1)>"], **options)


# ---------------------------------------------------------------- the numbers


def test_the_fixture_is_what_its_script_makes():
    made = runpy.run_path(str(HERE / "fixtures" / "make_stages.py"))["make"]()
    close(json.loads(json.dumps(made)), FIXTURE)


def close(a, b):
    """Equal, numbers to the last bits: two machines add in two orders."""
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for name in a:
            close(a[name], b[name])
    elif isinstance(a, list):
        assert len(a) == len(b)
        for left, right in zip(a, b):
            close(left, right)
    elif isinstance(a, float):
        assert math.isclose(a, b, rel_tol=1e-13, abs_tol=1e-13)
    else:
        assert a == b


@pytest.mark.parametrize("case", FIXTURE)
def test_stages_of_the_shared_fixture(case):
    state = {**case["state"], "tokens": case["tokens"]}
    state["temperature"] = math.inf if state["temperature"] == "inf" else state["temperature"]
    w = AttentionPipeline(**state)
    for name, got in {"Q": w.Q, "K": w.K, "V": w.V, "S": w.scores, "form": w.scores}.items():
        np.testing.assert_allclose(got, case[name], rtol=1e-12, atol=1e-12)
    for A, Y, a, y in zip(w.weights, w.output, case["A"], case["Y"]):
        np.testing.assert_allclose(A, a or 0 * A, rtol=0, atol=1e-12)
        np.testing.assert_allclose(Y, y or np.full(len(Y), np.nan), rtol=1e-12, atol=1e-12)


def test_the_whole_is_the_packages_attention():
    w = AttentionPipeline()
    step = attention.attention(w.Q, w.K, w.V)
    np.testing.assert_allclose(w.weights, step.weights, rtol=0, atol=1e-12)
    np.testing.assert_allclose(w.output, step.output, rtol=0, atol=1e-12)
    assert w.tokens == list(WORDS)


def test_a_gauge_moves_queries_and_keys_and_no_weight():
    W_Q, W_K = bilinear.random_gauge(NUMBERS["W_Q"], NUMBERS["W_K"], 3, condition=5)
    moved = AttentionPipeline(**given(W_Q=W_Q, W_K=W_K))
    assert np.abs(moved.Q - AttentionPipeline().Q).max() > 0.1
    np.testing.assert_allclose(moved.weights, AttentionPipeline().weights, rtol=0, atol=1e-9)


def test_a_tie_made_by_hand_is_a_tie():
    eye = np.eye(2)
    w = AttentionPipeline([[1, 2], [0.3, 0], [0.1, 0.1]], eye, eye, eye, temperature=0)
    np.testing.assert_array_equal(w.weights[0], [1, 0, 0])
    w = AttentionPipeline([[1, 2], [0.3, 0], [0.1, 0.1]], eye, eye, eye, temperature=0, mask=[[False, True, True]] * 3)
    np.testing.assert_array_equal(w.weights[0], [0, 0.5, 0.5])


# ---------------------------------------------------------------- what it accepts and says


@pytest.mark.parametrize(
    "changes, error, says",
    [
        ({"W_V": None}, ValueError, "W_V is missing"),
        ({"X": [[1, 2, 3]] * 3}, ValueError, r"shapes \(3, 3\), \(2, 2\)"),
        ({"W_K": [[1], [2]]}, ValueError, r"\(d, d_k\), \(d, d_k\)"),
        ({"X": np.zeros((61, 2)), "tokens": None}, ValueError, "at most 60"),
        ({"W_V": np.zeros((2, 9))}, ValueError, "W_V has 9 columns; at most 8"),
        ({"X": [[math.nan, 0]] * 3}, ValueError, "X is NaN"),
        ({"X": []}, ValueError, "X has shape"),
        ({"tokens": ["a", "b"]}, ValueError, "tokens has 2 entries"),
        ({"tokens": "abc"}, TypeError, "tokens is one string"),
        ({"mask": "banded"}, ValueError, "banded"),
        ({"mask": [[True]]}, ValueError, "mask has shape"),
        ({"mask": [[1, 1, 1]] * 3}, TypeError, "booleans"),
        ({"temperature": -1}, ValueError, "temperature is -1"),
        ({"scaled": 2}, TypeError, "scaled is 2"),
        ({"selected": 3}, ValueError, "selected is 3"),
        ({"reading": "up"}, ValueError, "'attends' or 'flows'"),
        ({"opened": ("B", 0, 0)}, ValueError, "opened is"),
        ({"opened": "A"}, ValueError, "opened is"),
        ({"opened": ("A", 0, 3)}, ValueError, "column of opened is 3"),
        ({"tasks": [3]}, TypeError, "task"),
        ({"tasks": [("x", {"colour": 1})]}, ValueError, "colour"),
        ({"tasks": [("x", {"X": [[1, 2]]})]}, ValueError, "X has shape"),
    ],
)
def test_refusals(changes, error, says):
    with pytest.raises(error, match=says):
        AttentionPipeline(**given(**changes))


def test_changes_are_checked_like_the_first_state():
    w = AttentionPipeline()
    w.W_V = 2 * np.array(w.W_V)
    np.testing.assert_allclose(w.output, 2 * AttentionPipeline().output)
    changes = {"X": [[1, 2]], "W_Q": [[1]], "temperature": -1.0, "mask": "x", "selected": 5, "reading": 1, "opened": 1}
    for name, value in changes.items():
        with pytest.raises((ValueError, TypeError)):
            setattr(w, name, value)
    w.mask, w.opened = [[True] * 3] * 3, ("Y", np.int64(2), 1)
    assert w.mask is None and w.opened == ["Y", 2, 1]


def test_infinity_travels_as_a_word_and_nothing_is_nan():
    w = AttentionPipeline(temperature=math.inf, mask=[[False] * 3, [True, True, False], [True] * 3])
    assert w.get_state()["temperature"] == "inf" == w.state()["temperature"]
    w.set_state({"temperature": "inf"})
    assert w.temperature == math.inf
    json.dumps(w.state(), allow_nan=False)
    assert "nan" not in w.static_html().lower()
    np.testing.assert_array_equal(w.weights[:2], [[0, 0, 0], [0.5, 0.5, 0]])
    assert np.isnan(w.output[0]).all() and not np.isnan(w.output[1]).any()
    assert "masked</td>" in w.static_html()


def test_repr_is_short_and_the_same_every_time():
    assert repr(AttentionPipeline(mask="causal", temperature=0, reading="flows")) == (
        "AttentionPipeline(n=3, d=2, d_k=2, d_v=2, temperature=0, scaled=True, "
        "mask='causal', selected=0, reading='flows')"
    )


# ---------------------------------------------------------------- the still picture


class Reader(html.parser.HTMLParser):
    def __init__(self, source):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.parametrize("make", [AttentionPipeline, hostile])
def test_B7_the_still_page_has_nothing_that_runs_and_nothing_from_elsewhere(make):
    page = Reader(make().static_html())
    allowed = "div svg g path rect circle text tspan table caption thead tbody tr th td bdi strong p ol li"
    assert {tag for tag, _ in page.tags} <= set(allowed.split())
    for _, attributes in page.tags:
        assert not {"id", "style", "href", "src"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)


def test_B7_tokens_are_text_and_come_back_whole():
    page = Reader(hostile(selected=2).static_html())
    assert json.loads(page.tags[0][1]["data-ag-state"])["tokens"] == HOSTILE
    for token in HOSTILE:
        assert visible(token, 12) in page.texts and visible(token, 7) in page.texts


def test_the_picture_and_the_tables_hold_every_number():
    w = AttentionPipeline(mask="causal")
    svg, tables = w.still().split("</svg>")
    for part in (Reader(svg).texts, Reader(tables).texts):
        for name in "QKVY":
            for x in np.ravel(w.stages()[name]):
                assert _still_pipeline.cell_text(float(x)) in part
        for x in np.ravel(w.X):
            assert _still_pipeline.cell_text(float(x), True) in part
        assert part.count("–") == 3, "three masked weights"


def test_the_arrows_of_the_still_picture_turn():
    attends, flows = (_still_pipeline.graph_edges(AttentionPipeline(reading=r).stages()) for r in ("attends", "flows"))
    assert len(attends) == len(flows) == 9
    for one, other in zip(attends, flows):
        width, turned = one[2][1]["stroke-width"], other[2][1]["stroke-width"]
        assert width == turned, "the same weights"
    assert sum(one[3] != other[3] for one, other in zip(attends, flows)) >= 6
    assert (
        "attends to j" in AttentionPipeline().still() and "flows from j" in AttentionPipeline(reading="flows").still()
    )


@pytest.mark.parametrize("n, d, d_k, d_v", [(1, 1, 1, 1), (2, 2, 1, 3), (13, 2, 2, 2), (5, 8, 8, 8)])
def test_every_size_is_drawn(n, d, d_k, d_v):
    rng = np.random.default_rng(n)
    w = AttentionPipeline(*(rng.normal(size=s) for s in ((n, d), (d, d_k), (d, d_k), (d, d_v))))
    for _, attributes in Reader(w.static_html()).tags:
        for name in ("d", "transform", "x", "y", "cx", "cy"):
            assert not any(bad in attributes.get(name, "") for bad in ("nan", "inf", "None", "e+"))
    assert w.tokens[0] == "token 1"


def test_zeros_are_drawn():
    w = AttentionPipeline(np.zeros((2, 2)), W, W, W)
    assert "nan" not in w.static_html()
    np.testing.assert_allclose(w.weights, 0.5)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scaled": False, "temperature": 0.25, "mask": "causal"},
        {"temperature": 0},
        {"temperature": math.inf, "mask": [[True, False, True], [False] * 3, [True] * 3]},
        {"tokens": ["it's", "\\\n</script>", "日本"]},
    ],
)
def test_the_numpy_lines_rebuild_the_numbers(options):
    w = AttentionPipeline(**given(**options))
    module = (ROOT / "attention_geometry" / "widgets" / "js" / "numpy.js").as_uri()
    script = (
        f"import {{ pipelineLines }} from {json.dumps(module)};"
        f" console.log(pipelineLines({json.dumps(w.state())}, {json.dumps(w.tokens)}))"
    )
    node = runpy.run_path(str(ROOT / "tools" / "node.py"))["program"]("node")
    lines = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    found = {}
    exec(compile(lines.stdout, "lines", "exec"), found)
    np.testing.assert_allclose(found["weights"], w.weights, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found["output"], w.output, rtol=0, atol=1e-12)
    assert found["tokens"] == w.tokens
