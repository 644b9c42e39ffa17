"""The widgets: what Python says, what the still page says, what the page's script makes of it."""

import html
import html.parser
import json
import math
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from attention_geometry import attention
from attention_geometry._text import visible
from attention_geometry.widgets import QueryKeyPlane, svg

ROOT = Path(__file__).parent.parent
HERE = Path(__file__).parent
WIDGETS = ROOT / "attention_geometry" / "widgets"
FIXTURE = json.loads((HERE / "fixtures" / "geometry.json").read_text("utf-8"))
VIEW = "application/vnd.jupyter.widget-view+json"
Q, K, V = [[1.2, 0.6], [-0.5, 1.1]], [[1, 0.2], [-0.4, 1.2], [-1, -0.8]], [[1, 0], [0, 1], [-1, -0.5]]
HOSTILE = [
    "a<b<c",
    "<!--",
    "<b>x</b>",
    "</script><script>alert(1)</script>",
    '"\'onload=alert(1) x="',
    "&amp;",
    "👩\u200d🔬",
    "\u202eabc",
]


def plane(**options):
    return QueryKeyPlane(Q, K, V, **options)


def infinite(temperature):
    return math.inf if temperature == "inf" else temperature


# ------------------------------------------------------ the numbers, against the fixture shared with JavaScript


def test_the_fixture_is_what_its_script_makes():
    made = runpy.run_path(str(HERE / "fixtures" / "make_geometry.py"))["make"]()
    assert made == FIXTURE


@pytest.mark.parametrize("row", FIXTURE["rows"])
def test_rows_of_the_shared_fixture(row):
    settings = {"mask": np.array([row["allowed"]]), "empty_rows": "zero"}
    p = attention.softmax([row["scores"]], temperature=infinite(row["temperature"]), **settings)[0]
    lse = attention.log_sum_exp([row["scores"]], **settings)[0]
    if row["weights"] is None:
        assert not p.any() and lse == -math.inf and math.isnan(attention.entropy(p))
        return
    np.testing.assert_allclose(p, row["weights"], rtol=0, atol=1e-12)
    got = [lse, attention.entropy(p), attention.effective_keys(p)]
    np.testing.assert_allclose(got, [row["log_sum_exp"], row["entropy"], row["effective_keys"]], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("step", FIXTURE["steps"])
def test_steps_of_the_shared_fixture(step):
    w = QueryKeyPlane(
        *(step[x] for x in "QKV"), scaled=step["scaled"], mask=step["mask"], temperature=infinite(step["temperature"])
    )
    np.testing.assert_allclose(w.scores, step["scores"], rtol=1e-12, atol=1e-12)
    for weights, output, p, y in zip(w.weights, w.output, step["weights"], step["output"]):
        np.testing.assert_allclose(weights, p or 0 * weights, rtol=0, atol=1e-12)
        np.testing.assert_allclose(output, y or [np.nan, np.nan], rtol=0, atol=1e-12)


@pytest.mark.parametrize("hull", FIXTURE["hulls"])
def test_hulls_of_the_shared_fixture(hull):
    assert [list(p) for p in svg.convex_hull(hull["points"])] == hull["corners"]


@pytest.mark.parametrize("case", FIXTURE["ranges"])
def test_ranges_of_the_shared_fixture(case):
    reach = svg.nice_range([[case["largest"], -case["largest"] / 2]])
    assert reach == pytest.approx(case["reach"], rel=1e-12)
    assert svg.tick_step(reach) == pytest.approx(case["step"], rel=1e-12)


@pytest.mark.parametrize("case", FIXTURE["tokens"])
def test_tokens_of_the_shared_fixture(case):
    assert visible(case["token"], case["limit"]) == case["shown"]


def test_a_tie_made_by_hand_is_a_tie():
    assert 1 * 0.3 != 1 * 0.1 + 2 * 0.1, "in binary it is none"
    w = QueryKeyPlane([[1, 2]], [[0.3, 0], [0.1, 0.1]], temperature=0)
    np.testing.assert_array_equal(w.weights, [[0.5, 0.5]])


def test_unscaled_scores_are_dot_products():
    np.testing.assert_allclose(plane(scaled=False).scores, np.array(Q) @ np.array(K).T, rtol=0, atol=1e-12)
    np.testing.assert_allclose(plane().scores * math.sqrt(2), plane(scaled=False).scores, atol=1e-15)
    step = attention.attention(Q, K, V)
    np.testing.assert_allclose(plane().weights, step.weights, rtol=0, atol=1e-12)
    np.testing.assert_allclose(plane().output, step.output, rtol=0, atol=1e-12)


# ---------------------------------------------------------------- what the Python side accepts and says


@pytest.mark.parametrize(
    "arguments, options, error, says",
    [
        (([[1, 2, 3]], K), {}, ValueError, "plane"),
        ((Q, []), {}, ValueError, "K has shape"),
        ((Q, K, V[:2]), {}, ValueError, "V has 2 rows; expected 3"),
        (([[math.nan, 0]], K), {}, ValueError, "NaN"),
        ((np.zeros((33, 2)), K), {}, ValueError, "at most 32"),
        ((Q, K), {"mask": "causal"}, ValueError, "2 queries and 3 keys"),
        ((Q, K), {"mask": "banded"}, ValueError, "banded"),
        ((Q, K), {"mask": [[1, 0, 1], [1, 1, 1]]}, TypeError, "booleans"),
        ((Q, K), {"mask": [[True, False]]}, ValueError, "mask has shape"),
        ((Q, K), {"temperature": -1}, ValueError, "temperature is -1"),
        ((Q, K), {"temperature": math.nan}, ValueError, "temperature is nan"),
        ((Q, K), {"selected": 2}, ValueError, "selected is 2"),
        ((Q, K), {"tokens": ["a", "b"]}, ValueError, "2 queries and 3 keys"),
        ((Q, Q), {"tokens": ["a", "b"], "key_tokens": ["c", "d"]}, ValueError, "not both"),
        ((Q, K), {"key_tokens": ["a"]}, ValueError, "key_tokens has 1 entries"),
        ((Q, K), {"tasks": [3]}, TypeError, "task"),
        ((Q, K), {"tasks": [("x", {"colour": 1})]}, ValueError, "colour"),
        ((Q, K), {"tasks": [("x", {"temperature": -2})]}, ValueError, "temperature is -2"),
        ((Q, K), {"tasks": [("x", {"K": Q})]}, ValueError, "K has 2 rows; expected 3"),
    ],
)
def test_refusals(arguments, options, error, says):
    with pytest.raises(error, match=says):
        QueryKeyPlane(*arguments, **options)


def test_changes_are_checked_like_the_first_state():
    w = plane()
    w.Q = np.array(Q) * 2
    np.testing.assert_allclose(w.scores, 2 * plane().scores)
    for name, value in {"Q": K, "V": Q, "temperature": -1.0, "mask": "causal", "selected": 5}.items():
        with pytest.raises(ValueError):
            setattr(w, name, value)
    w.mask = [[True] * 3] * 2
    assert w.mask is None, "a mask that forbids nothing is no mask"


def test_infinity_travels_as_a_word_and_nothing_is_nan():
    w = plane(temperature=math.inf, mask=[[False] * 3, [True, True, False]])
    assert w.get_state()["temperature"] == "inf" == w.state()["temperature"]
    w.set_state({"temperature": "inf"})
    assert w.temperature == math.inf
    json.dumps(w.state(), allow_nan=False)
    assert "NaN" not in w.static_html() and "nan" not in w.static_html()
    np.testing.assert_array_equal(w.weights, [[0, 0, 0], [0.5, 0.5, 0]])
    assert np.isnan(w.output[0]).all() and not np.isnan(w.output[1]).any()


def test_without_values_there_is_no_mixture():
    w = QueryKeyPlane(Q, K)
    assert w.output is None and "mixture" not in w.static_html()
    assert w.static_html().count("<svg") == 2 and plane().static_html().count("<svg") == 3


def test_repr_is_short_and_the_same_every_time():
    assert repr(plane()) == repr(plane())
    assert repr(plane(temperature=0, mask=[[True, False, True]] * 2)) == (
        "QueryKeyPlane(n_query=2, n_key=3, values=True, temperature=0, scaled=True, mask='custom', selected=0)"
    )


# ---------------------------------------------------------------- the still page


class Reader(html.parser.HTMLParser):
    """Every tag with its attributes, every text, as a browser would see them."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)


def hostile():
    points = [[math.cos(i), math.sin(i)] for i in range(len(HOSTILE))]
    return QueryKeyPlane(points, points, points, tokens=HOSTILE, tasks=["<img src=x onerror=alert(1)>"])


def test_a_display_carries_the_view_and_the_still_page():
    data, metadata = plane()._repr_mimebundle_()
    assert set(data) == {"text/plain", "text/html", VIEW}
    assert data["text/plain"] == repr(plane()) and data["text/html"] == plane().static_html()
    assert data[VIEW]["version_major"] == 2 and isinstance(metadata, dict)


@pytest.mark.parametrize("make", [plane, hostile])
def test_B7_the_still_page_has_nothing_that_runs_and_nothing_from_elsewhere(make):
    page = Reader(make().static_html())
    assert {tag for tag, _ in page.tags} <= set(
        "div svg g path circle polygon text title table caption thead tbody tr th td bdi strong p ol li".split()
    )
    for _, attributes in page.tags:
        assert not {"id", "style", "href", "src", "xlink:href"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
    assert page.tags[0][1] == {
        "class": "ag-static", "data-ag-widget": "QueryKeyPlane", "data-ag-state": page.tags[0][1]["data-ag-state"],
    }  # fmt: skip


def test_B7_tokens_are_text_and_come_back_whole():
    w = hostile()
    page = Reader(w.static_html())
    state = json.loads(page.tags[0][1]["data-ag-state"])
    assert list(state) == list(w.state()) and state["query_tokens"] == state["key_tokens"] == HOSTILE
    for token in HOSTILE:
        assert visible(token, 12) in page.texts


def test_the_state_is_rounded_so_that_two_machines_store_one_page():
    third = QueryKeyPlane([[1 / 3, 0]], [[1 / 3 + 1e-16, 2 / 3]])
    state = json.loads(Reader(third.static_html()).tags[0][1]["data-ag-state"])
    assert state["Q"] == [[0.3333333333, 0.0]] and third.Q == [[1 / 3, 0.0]]


def test_the_table_holds_the_weights():
    w = plane(mask=[[True, False, True], [False] * 3])
    cells = [text for text in Reader(w.static_html()).texts if re.fullmatch(r"\d\.\d{3}|–|masked", text)]
    assert cells == [f"{w.weights[0, 0]:.3f}", "–", f"{w.weights[0, 2]:.3f}", "masked"]


@pytest.mark.parametrize("n, oneset", [(1, False), (1, True), (12, True), (32, False), (2, True)])
def test_every_coordinate_of_the_still_picture_is_a_number(n, oneset):
    points = [[math.cos(i), math.sin(i)] for i in range(n)]
    w = QueryKeyPlane(points, points, points, tokens=[str(i) for i in range(n)] if oneset else None)
    for _, attributes in Reader(w.static_html()).tags:
        for name in ("d", "points", "transform", "x", "y", "cx", "cy"):
            assert not re.search("nan|inf|None", attributes.get(name, ""))


def test_vectors_of_zero_are_drawn():
    w = QueryKeyPlane([[0, 0]], [[0, 0], [0, 0]], [[0, 0], [0, 0]])
    assert "nan" not in w.static_html()
    np.testing.assert_allclose(w.weights, [[0.5, 0.5]])


def test_one_file_holds_everything(tmp_path):
    path = hostile().to_html(tmp_path / "a b ü.html", title="<Title>")
    page = Reader(path.read_text("utf-8"))
    assert [tag for tag, _ in page.tags].count("script") == 1 and "&lt;Title&gt;" in path.read_text("utf-8")
    assert not re.search(r"""(src|href)=["']?(https?:|//)""", path.read_text("utf-8"))


def test_importing_the_module_loads_no_widget_library():
    code = (
        "import sys; import attention_geometry.widgets as w; print('QueryKeyPlane' in dir(w)); "
        "{}print('anywidget' in sys.modules)"
    )

    def ask(more):
        done = subprocess.run([sys.executable, "-c", code.format(more)], capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert ask("") == ["True", "False"]
    assert ask("w.QueryKeyPlane; ") == ["True", "True"], "so the line above would have seen the import"


def test_a_missing_widget_library_names_the_extra():
    code = "import sys; sys.modules['anywidget'] = None\nfrom attention_geometry.widgets import QueryKeyPlane"
    failed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert failed.returncode and "attention-geometry[widgets]" in failed.stderr


def test_F23_ipywidgets_7_gets_the_same_bundle(monkeypatch):
    """Its base class has no bundle of its own, and shows itself by _ipython_display_ unless that is switched off."""
    monkeypatch.delattr("anywidget.AnyWidget._repr_mimebundle_")
    monkeypatch.delattr("ipywidgets.Widget._repr_mimebundle_")
    w = plane()
    data, metadata = w._repr_mimebundle_()
    assert set(data) == {"text/plain", "text/html", VIEW} and data[VIEW]["model_id"] == w.model_id
    assert w._ipython_display_ is None and metadata == {}


# ---------------------------------------------------------------- the JavaScript


def node(name):
    """Path of node or npm; tools/node.py installs it from PyPI where it is missing."""
    return runpy.run_path(str(ROOT / "tools" / "node.py"))["program"](name)


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """The JavaScript sources with their two tools installed beside them, in a folder of its own."""
    folder = tmp_path_factory.mktemp("js") / "widgets" / "js"
    shutil.copytree(WIDGETS / "js", folder, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(WIDGETS / "static", folder.parent / "static")
    there = WIDGETS / "js" / "node_modules"
    if all((there / tool).is_dir() for tool in ("esbuild", "terser")):
        (folder / "node_modules").symlink_to(there)
    else:
        command = [node("npm"), "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, f"npm could not install esbuild and terser; is there a network?\n{done.stderr}"
    return folder


@pytest.fixture(scope="module")
def built(sources, tmp_path_factory):
    """What the build makes of the sources now."""
    folder = tmp_path_factory.mktemp("static")
    made = subprocess.run([node("node"), "build.js", str(folder)], cwd=sources, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return folder


@pytest.mark.parametrize("name", ["ag-widgets.js", "ag-widgets.min.js", "ag-widgets.min.css"])
def test_the_committed_bundles_are_what_the_sources_make(built, name):
    """One to be read, in a kernel's front end; one of script and one of style to be downloaded by readers."""
    assert (built / name).read_text("utf-8") == (WIDGETS / "static" / name).read_text("utf-8"), (
        f"{name} is stale: run npm ci && npm run build in attention_geometry/widgets/js"
    )


def test_pages_and_files_carry_the_small_bundle(tmp_path):
    page = plane().to_html(tmp_path / "one.html").read_text("utf-8")
    for name, closing in {"ag-widgets.min.js": "script", "ag-widgets.min.css": "style"}.items():
        assert (WIDGETS / "static" / name).read_text("utf-8").replace(f"</{closing}", f"<\\/{closing}") in page


def test_the_tests_of_the_javascript_pass():
    files = sorted(str(path) for path in (HERE / "js").glob("*.test.mjs"))
    ran = subprocess.run([node("node"), "--test", *files], capture_output=True, text=True)
    assert files and ran.returncode == 0, ran.stdout
    assert int(re.search(r"pass (\d+)", ran.stdout)[1]) >= 20 and re.search(r"skipped 0", ran.stdout)


def test_script_and_style_of_all_widgets_stay_below_60_kb():
    """As hosts that speak Brotli send them. Those that only speak gzip send 63 KB, and that must not grow."""
    program = """
        const { brotliCompressSync, gzipSync } = require("zlib"), { readFileSync } = require("fs");
        const sum = (pack) => process.argv.slice(1).reduce((total, file) => total + pack(readFileSync(file)).length, 0);
        console.log(sum(brotliCompressSync), sum(gzipSync));
    """
    files = sorted(map(str, (WIDGETS / "static").glob("ag-widgets.min.*")))
    ran = subprocess.run([node("node"), "-e", program, *files], capture_output=True, text=True, check=True)
    brotli, packed = map(int, ran.stdout.split())
    assert len(files) == 2
    assert brotli <= 60_000
    assert packed <= 63_200


@pytest.mark.parametrize(
    "path",
    sorted(path for folder in ("js", "js/strings", "static") for path in (WIDGETS / folder).glob("*.*s")),
    ids=lambda p: f"{p.parent.name}/{p.name}",
)
def test_no_source_parses_markup_runs_text_or_calls_another_host(path):
    text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|https?:|@import|\bfetch\(", text
    )


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scaled": False, "temperature": 0.25},
        {"temperature": 0},
        {"temperature": 0, "scaled": False},
        {"temperature": math.inf, "mask": [[True, False, True], [False] * 3]},
        {
            "mask": [[False] * 3, [True, True, False]],
            "query_tokens": ["it's", "\\\n\ud83d"],
            "key_tokens": ["</script>", "日本", "👩\u200d🔬"],
        },
    ],
)
def test_the_numpy_lines_rebuild_the_numbers(options):
    w = plane(**options)
    module = (WIDGETS / "js" / "numpy.js").as_uri()
    state = w.state()
    given = json.dumps([state, {"q": state["query_tokens"], "k": state["key_tokens"]}])
    script = f"import {{ numpyLines }} from {json.dumps(module)}; console.log(numpyLines(...{given}))"
    lines = subprocess.run(
        [node("node"), "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    ).stdout
    found = {}
    exec(compile(lines, "lines", "exec"), found)
    np.testing.assert_allclose(found["weights"], w.weights, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found["output"], w.output, rtol=0, atol=1e-12)
    assert found.get("key_tokens") == w.key_tokens and found.get("query_tokens") == w.query_tokens


# ---------------------------------------------------------------- the page, in a browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Pages from file://: one widget, twelve tokens, two widgets side by side, hostile tokens."""
    folder = tmp_path_factory.mktemp("pages")
    plane(tasks=["Drag.", ("At T = 0", {"temperature": 0, "selected": 1})]).to_html(folder / "one.html")
    hostile().to_html(folder / "hostile.html")
    points = [[math.cos(2 * i), math.sin(3 * i)] for i in range(12)]
    QueryKeyPlane(points, points[::-1], points, tokens=[f"t{i}" for i in range(12)], mask="causal").to_html(
        folder / "twelve.html"
    )
    page = (folder / "one.html").read_text("utf-8")
    two = plane().static_html() + QueryKeyPlane(K, Q).static_html()
    (folder / "two.html").write_text(page.replace("<main>", f"<main>{two}"), "utf-8")
    return folder


@pytest.fixture
def visit(browser, folder):
    """Opens a page with every other host blocked; at the end there must have been no error and no request elsewhere."""
    contexts, troubles = [], []

    def visit(name, fragment="", **settings):
        context = browser.new_context(**{"viewport": {"width": 900, "height": 1000}, **settings})
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith(("file:", "data:", "blob:")) else troubles.append(request.url)
            ),
        )
        page.goto((folder / name).as_uri() + fragment)
        page.wait_for_selector("[data-ag-mounted]", state="attached")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not troubles


def numbers(page, index=0):
    """The numbers of the NumPy lines that the widget offers, weights included."""
    widget = page.locator(".ag-widget").nth(index)
    widget.get_by_role("button", name="NumPy").click()
    found = {}
    exec(widget.locator("textarea").input_value(), found)
    widget.get_by_role("button", name="Close").click()
    return found


def agree(page, index=0):
    """The weights on the page are Python's weights of the vectors on the page; gives the vectors."""
    widget = page.locator(".ag-widget").nth(index)
    found = numbers(page, index)
    selected = int(widget.get_by_label("Query", exact=True).input_value())
    temperature = widget.locator(".ag-controls .ag-reading").inner_text().removeprefix("T = ")
    S = found["scores"]
    A = attention.softmax(
        S, mask=found["allowed"], temperature=float(temperature.replace("∞", "inf")), empty_rows="zero"
    )
    np.testing.assert_allclose(found["weights"], A, rtol=0, atol=1e-12)
    wanted = [f"{a:.3f}" if ok else "masked" for a, ok in zip(A[selected], found["allowed"][selected])]
    expect(widget.locator(".ag-bars tbody td:last-child")).to_have_text(wanted)
    cells = [f"{a:.2f}" if ok else "masked" for a, ok in zip(A[selected], found["allowed"][selected])]
    expect(widget.locator(".ag-selected td")).to_have_text(cells)
    return found


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def handle(page, name):
    return page.locator(f"[data-handle={name}]").first


def drag(page, name, dx, dy):
    x, y = centre(handle(page, name).locator(".ag-hit"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=5)
    page.mouse.up()


@pytest.mark.browser
class TestPage:
    def test_first_numbers_are_pythons(self, visit):
        found = agree(visit("one.html"))
        np.testing.assert_allclose(found["weights"], plane().weights, rtol=0, atol=1e-12)

    def test_mouse(self, visit):
        page = visit("one.html")
        drag(page, "k0", -60, 40)
        found = agree(page)
        assert found["K"][0][0] < 1 and found["K"][0][1] < 0.2 and found["K"][1:].tolist() == K[1:]
        drag(page, "v2", 30, -20)
        assert agree(page)["V"][2].tolist() != V[2]

    def test_dragging_a_query_selects_it(self, visit):
        page = visit("one.html")
        drag(page, "q1", 10, 10)
        expect(page.get_by_label("Query", exact=True)).to_have_value("1")
        agree(page)

    def test_touch_moves_the_point_and_not_the_page(self, visit):
        page = visit("one.html", viewport={"width": 400, "height": 700}, has_touch=True, is_mobile=True)
        x, y = centre(handle(page, "q0").locator(".ag-hit"))
        session = page.context.new_cdp_session(page)
        touch = lambda kind, *points: session.send(  # noqa: E731
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]}
        )
        touch("touchStart", (x, y))
        for i in range(1, 6):
            touch("touchMove", (x - 8 * i, y + 12 * i))
        touch("touchEnd")
        assert page.evaluate("scrollY") == 0
        found = agree(page)
        assert found["Q"][0][0] < 1.1 and found["Q"][0][1] < 0.3

    def test_keys(self, visit):
        page = visit("one.html")
        handle(page, "q0").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+ArrowUp")
        np.testing.assert_allclose(agree(page)["Q"][0], [1.225, 0.725])
        handle(page, "q0").focus()
        page.keyboard.press("Home")
        np.testing.assert_allclose(agree(page)["Q"][0], Q[0])

    def test_without_dragging(self, visit):
        """WCAG 2.5.7: type the coordinates, or press the point and then the place."""
        page = visit("one.html")
        page.get_by_label("Point").first.select_option("k2")
        page.get_by_label("x of the point").first.fill("0.5")
        page.get_by_label("y of the point").first.fill("-1.25")
        np.testing.assert_allclose(agree(page)["K"][2], [0.5, -1.25])
        handle(page, "q0").locator(".ag-hit").click()
        x, y = centre(page.locator(".ag-plane").first)
        page.mouse.click(x + 50, y - 80)
        q = agree(page)["Q"][0]
        assert 0 < q[0] < 1 and 0.5 < q[1] < 1.2

    def test_a_typed_value_outside_the_plane_widens_it(self, visit):
        page = visit("one.html")
        page.get_by_label("x of the point").first.fill("40")
        agree(page)
        x, _ = centre(handle(page, "q0").locator(".ag-hit"))
        box = page.locator(".ag-plane").first.bounding_box()
        assert box["x"] < x < box["x"] + box["width"]

    def test_controls_and_limits(self, visit):
        page = visit("one.html")
        for key, T in (("Home", "T = 0"), ("End", "T = ∞")):
            page.get_by_label("Temperature").focus()
            page.keyboard.press(key)
            expect(page.locator(".ag-controls .ag-reading")).to_have_text(T)
            agree(page)
        page.get_by_label("divide by").uncheck()
        found = agree(page)
        np.testing.assert_allclose(found["scores"], np.array(Q) @ np.array(K).T)
        page.get_by_label("Query", exact=True).select_option("1")
        agree(page)

    def test_B18_a_fully_masked_row_says_so(self, visit):
        page = visit("one.html")
        for box in page.locator(".ag-bars input").all():
            box.uncheck()
        found = agree(page)
        assert not found["weights"][0].any() and np.isnan(found["output"][0]).all()
        text = page.locator(".ag-widget").inner_text()
        assert "may attend to no key" in text and "NaN" not in text and "null" not in text
        drag(page, "q0", -20, 20)
        agree(page)
        page.get_by_label("Mask", exact=True).select_option("none")
        agree(page)

    def test_undo_redo_reset(self, visit):
        page = visit("one.html")
        drag(page, "k0", -60, 40)
        moved = agree(page)["K"]
        handle(page, "k0").focus()
        page.keyboard.press("Control+z")
        np.testing.assert_allclose(agree(page)["K"], K)
        page.get_by_role("button", name="Redo").click()
        np.testing.assert_allclose(agree(page)["K"], moved)
        page.get_by_role("button", name="Reset").click()
        np.testing.assert_allclose(agree(page)["K"], K)
        page.get_by_role("button", name="Undo").click()
        np.testing.assert_allclose(agree(page)["K"], moved)

    def test_a_link_opens_the_same_view(self, visit):
        page = visit("two.html")
        second = page.locator(".ag-widget").nth(1)
        second.locator("[data-handle=q0]").focus()
        page.keyboard.press("Shift+ArrowUp")
        moved = agree(page, 1)["Q"]
        second.get_by_role("button", name="Copy link").click()
        link = second.locator("textarea").input_value()
        other = visit("two.html", "#" + link.split("#")[1])
        np.testing.assert_allclose(agree(other, 1)["Q"], moved)
        np.testing.assert_allclose(agree(other, 0)["Q"], Q)
        other.reload()
        np.testing.assert_allclose(agree(other, 1)["Q"], moved)

    def test_a_wrong_link_changes_nothing(self, visit):
        page = visit("one.html", "#ag=1:QueryKeyPlane.0:eyJRIjpbWzEsMl1dfQ")  # one query instead of two
        expect(page.get_by_role("status")).to_contain_text("not applied")
        np.testing.assert_allclose(agree(page)["Q"], Q)

    def test_F33_two_widgets_do_not_touch_each_other(self, visit):
        page = visit("two.html")
        assert page.locator("[id]").count() == 0
        drag(page, "q0", -30, 30)
        assert agree(page, 0)["Q"].tolist() != Q
        np.testing.assert_allclose(agree(page, 1)["Q"], K)
        page.reload()
        np.testing.assert_allclose(agree(page, 0)["Q"], Q)

    def test_a_task_sets_its_view(self, visit):
        page = visit("one.html")
        page.get_by_role("button", name="Set this view").click()
        expect(page.locator(".ag-controls .ag-reading")).to_have_text("T = 0")
        expect(page.get_by_label("Query", exact=True)).to_have_value("1")
        agree(page)

    def test_files(self, visit, tmp_path):
        page = visit("one.html")
        saved = {}
        for kind in ("SVG", "PNG", "CSV"):
            with page.expect_download() as download:
                page.get_by_role("button", name=f"Save as {kind}").click()
            saved[kind] = tmp_path / f"x.{kind.lower()}"
            download.value.save_as(saved[kind])
        picture = saved["SVG"].read_text("utf-8")
        assert picture.startswith("<svg") and "class=" not in picture and "var(" not in picture
        assert saved["PNG"].read_bytes().startswith(b"\x89PNG") and len(saved["PNG"].read_bytes()) > 20_000
        rows = [line.split(",") for line in saved["CSV"].read_text().split()]
        assert rows[0][-2:] == ["score", "weight"]
        np.testing.assert_allclose([float(row[-1]) for row in rows[1:]], plane().weights.ravel(), rtol=0, atol=1e-12)

    def test_B7_hostile_tokens_stay_text(self, visit):
        page = visit("hostile.html")
        assert page.locator(".ag-static :is(script, img, b:not(.ag-fact b), [onload], [onerror])").count() == 0
        shown = page.get_by_label("Query", exact=True).locator("option").all_inner_texts()
        assert [text.split(" · ")[1] for text in shown] == [visible(token, 14) for token in HOSTILE]
        expect(page.locator(".ag-widget .ag-tasks li")).to_have_text("<img src=x onerror=alert(1)>")
        agree(page)

    @pytest.mark.parametrize("width", [320, 360, 700, 1400])
    @pytest.mark.parametrize("name", ["one.html", "twelve.html"])
    def test_nothing_is_wider_than_the_page(self, visit, name, width):
        page = visit(name, viewport={"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        sizes = page.evaluate(
            """() => [...document.querySelectorAll(".ag-widget text, .ag-widget td, .ag-widget th, .ag-widget label")]
            .filter((e) => e.checkVisibility() && e.textContent && !e.closest(".ag-no-weight"))
            .map((e) => parseFloat(getComputedStyle(e).fontSize) * (e.ownerSVGElement
              ? e.ownerSVGElement.getBoundingClientRect().width / 320 : 1))"""
        )
        assert min(sizes) >= 11.9

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_contrast_of_the_shapes(self, visit, scheme):
        page = visit("one.html", color_scheme=scheme)
        colours = page.evaluate(
            """() => { const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
            const rgb = (c) => { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1);
              return [...canvas.getImageData(0, 0, 1, 1).data]; };
            const of = (s, p) => rgb(getComputedStyle(document.querySelector(s))[p]);
            return { paper: of(".ag-panel", "backgroundColor"),
              q: of(".ag-handle .ag-q", "fill"), k: of(".ag-handle .ag-k", "fill"),
              v: of(".ag-handle .ag-v", "fill"), y: of(".ag-mixture .ag-y", "fill"),
              focus: rgb(getComputedStyle(document.querySelector(".ag-widget")).getPropertyValue("--ag-focus")),
              edge: of(".ag-select", "borderTopColor") }; }"""
        )
        paper = luminance(colours.pop("paper"))
        for name, colour in colours.items():
            high, low = sorted((luminance(colour), paper), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 3, name

    def test_every_target_is_large_enough(self, visit):
        page = visit("one.html", viewport={"width": 320, "height": 800})
        for node in page.locator(
            ".ag-widget :is(button, select, input[type=number], .ag-box, .ag-handle .ag-hit)"
        ).all():
            if node.is_visible():
                box = node.bounding_box()
                assert min(box["width"], box["height"]) >= 24, node.evaluate("(e) => e.outerHTML")

    def test_names_values_and_one_live_region(self, visit):
        page = visit("twelve.html")
        assert page.get_by_role("status").count() == 1
        q = handle(page, "q1")
        assert q.get_attribute("role") == "slider" and q.get_attribute("aria-label") == "query 2 (t1)"
        assert re.fullmatch(r"x −?\d\.\d\d, y −?\d\.\d\d", q.get_attribute("aria-valuetext"))
        drag(page, "q1", 20, 20)
        expect(page.get_by_role("status")).to_have_text(re.compile(r"^query 2 \(t1\), x .*, y .*\.$"))
        agree(page)

    def test_F34_print_shows_the_still_picture(self, visit):
        page = visit("one.html")
        expect(page.locator(".ag-still")).to_be_hidden()
        page.emulate_media(media="print")
        expect(page.locator(".ag-still")).to_be_visible()
        expect(page.locator(".ag-widget")).to_be_hidden()

    def test_F32_without_javascript_the_still_picture_stands(self, browser, folder):
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto((folder / "one.html").as_uri())
        expect(page.locator(".ag-still svg")).to_have_count(3)
        expect(page.locator(".ag-still table")).to_be_visible()
        context.close()

    def test_what_the_widget_listens_to_ends_with_it(self, visit):
        """render() gives a cleanup: afterwards the element is empty, the model has no listeners, keys are nobody's."""
        page = visit("one.html")
        module = QueryKeyPlane._esm
        left = page.evaluate(
            """async ([source, state]) => {
            const widget = (await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })))).default;
            const heard = new Set(), saved = [];
            const model = { get: (k) => state[k], set: (k, v) => { state[k] = v; }, save_changes: () => saved.push(1),
              on: (e, f) => heard.add(e + f), off: (e, f) => heard.delete(e + f) };
            const el = document.body.appendChild(document.createElement("div"));
            const added = [], add = window.addEventListener, remove = window.removeEventListener;
            window.addEventListener = (...a) => { added.push(a[2]?.signal); return add.apply(window, a); };
            const cleanup = await widget.render({ model, el });
            const node = el.querySelector("[data-handle=q0]");
            node.focus();
            const during = [heard.size > 0, added.length];
            const before = JSON.stringify(state.Q);
            window.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp" }));
            node.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true }));
            const moved = JSON.stringify(state.Q) !== before, saves = saved.length;
            cleanup();
            const after = JSON.stringify(state.Q);
            document.body.append(node);
            node.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true }));
            window.addEventListener = add;
            return { during, moved, saves, listeners: heard.size, children: el.children.length,
              still: JSON.stringify(state.Q) === after,
              stopped: added.every((s) => s?.aborted) };
            }""",
            [module, plane().state()],
        )
        assert left == {
            "during": [True, 1], "moved": True, "saves": 1,
            "listeners": 0, "children": 0, "still": True, "stopped": True,
        }  # fmt: skip


def luminance(rgb):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.array(rgb[:3]) / 255]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))
