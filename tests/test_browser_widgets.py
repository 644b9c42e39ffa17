"""What every widget of the book has to bear, in Chromium, from the file that ``to_html`` writes.

A widget takes part by a row of TABLE. After every action the numbers on the page are those of Python for the state that
the page's own link carries: the link is read, given to a Python widget as a kernel would give it, and compared.
"""

import base64
import dataclasses
import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from attention_geometry import widgets
from attention_geometry.widgets._still_pipeline import cell_text

STATIC = Path(widgets.__file__).parent / "static"
VIEW = "application/vnd.jupyter.widget-view+json"
HOSTILE = "</script><img src=x onerror=alert(1)>"
CHARACTERS = list("日月火水木金土春夏秋冬山川海空風雨雪花鳥犬猫人心手足目口耳頭車道門家本字文学校先")


@dataclasses.dataclass(frozen=True)
class Case:
    """One widget in the battery.

    ``make(**options)`` takes at least ``tasks``. ``shown(widget)`` reads the numbers on the page as a list of texts,
    ``wanted(w)`` says what Python makes of them. ``handle`` is the ``data-handle`` of a point that moves and ``spoken``
    a pattern of what is said when it has moved. ``crowd()`` has as many tokens as the widget takes, one CJK character
    each; ``hostile()`` has one token HOSTILE. ``mask(page)`` forbids one row everything, or the row says why there is
    no mask. ``setting`` is something that a task sets: a name, a value, and how the page shows it. ``numpy(found, w)``
    compares the lines of NumPy, run, with Python.
    """

    name: str
    make: Callable
    handle: str
    spoken: str
    shown: Callable
    wanted: Callable
    crowd: Callable
    hostile: Callable
    setting: dict
    numpy: Callable
    mask: Callable | str
    point: str = "Point"
    dragged: tuple = (-40, 30)
    variant: str = ""  #: what is said after the name, where one widget takes part in more than one form

    def __str__(self):
        return self.name + self.variant


# ------------------------------------------------------------------------------------------------ QueryKeyPlane


def query_key_plane(**options):
    Q, K = [[1.2, 0.6], [-0.5, 1.1], [0.4, -0.9]], [[1, 0.2], [-0.4, 1.2], [-1, -0.8]]
    return widgets.QueryKeyPlane(Q, K, [[1, 0], [0, 1], [-1, -0.5]], **options)


def token_plane(**options):
    X, W_Q, W_K = [[1, 0.2], [-0.3, 1.1], [-0.9, -0.7]], [[1, 0.3], [0, 1]], [[0.2, 1], [-1, 0.4]]
    V = [[1, 0], [0, 1], [-1, -0.5]]
    return widgets.QueryKeyPlane(V=V, X=X, W_Q=W_Q, W_K=W_K, tokens=["the", "cat", "sat"], **options)


def crowded_plane():
    points = [[math.cos(2 * i), math.sin(3 * i)] for i in range(32)]
    return widgets.QueryKeyPlane(points, points[::-1], points, tokens=CHARACTERS[:32])


def plane_with_token(token):
    points = [[1, 0], [0, 1]]
    return widgets.QueryKeyPlane(points, points, points, tokens=[token, "b"])


def plane_weights(w):
    row, allowed = w.weights[w.selected], w.allowed[w.selected]
    output = w.output[w.selected]
    mixture = "masked" if np.isnan(output).any() else f"y{'₁₂₃'[w.selected]} = ({decimals(output)})"
    return [*(f"{a:.3f}" if ok else "masked" for a, ok in zip(row, allowed)), mixture]


def plane_shown(widget):
    return widget.locator(".ag-bars tbody td:last-child").all_inner_texts() + [
        widget.locator(".ag-title .ag-number-text").first.inner_text()
    ]


def plane_numpy(found, w):
    np.testing.assert_allclose(found["weights"], w.weights, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found["output"], w.output, rtol=0, atol=1e-12)


PLANE = Case(
    name="QueryKeyPlane",
    make=query_key_plane,
    handle="k0",
    spoken=r"key 1, x .*, y .*\.",
    shown=plane_shown,
    wanted=plane_weights,
    crowd=crowded_plane,
    hostile=lambda: plane_with_token(HOSTILE),
    setting={"temperature": 0},
    numpy=plane_numpy,
    mask=lambda page: forbid_the_row(page),
)
TOKENS = dataclasses.replace(
    PLANE,
    variant="-tokens",
    make=token_plane,
    handle="x0",
    spoken=r"token 1 \(the\), x .*, y .*\.",
    crowd=lambda: widgets.QueryKeyPlane(X=[[math.cos(i), math.sin(i)] for i in range(20)], tokens=CHARACTERS[:20]),
    hostile=lambda: widgets.QueryKeyPlane(X=[[1, 0], [0, 1]], tokens=[HOSTILE, "b"]),
    setting={"tied": True, "W_Q": [[1, 2], [0, 1]]},
)
COMPARED = dataclasses.replace(
    PLANE,
    variant="-compared",
    make=lambda **options: query_key_plane(mode="distance", lift=0.5, **options),
    setting={"mode": "cosine", "experiment": "compare"},
)


def forbid_the_row(page):
    for box in page.locator(".ag-bars input").all():
        box.uncheck()


def decimals(row):
    return ", ".join(f"{x:.2f}".replace("-0.00", "0.00").replace("-", "−") for x in row)


# -------------------------------------------------------------------------------------------------- MetricCourt


def metric_court(**options):
    return widgets.MetricCourt([[1.2, 0.6], [-1.1, 0.9], [-1, -0.8], [0.9, -0.7]], **options)


def court_shown(widget):
    margins = [widget.locator(".ag-court-margin").nth(i).text_content() for i in range(5)]
    return margins + widget.locator(".ag-court-matrix:visible td:not(:empty)").all_inner_texts()


def court_wanted(w):
    from attention_geometry.axioms import AXIOMS
    from attention_geometry.widgets._still_court import margin

    said = [margin(axiom, getattr(w.report, axiom), w.judged) for axiom in AXIOMS]
    return said + [f"{x:.4g}" for x in w.judged.ravel()]


def court_numpy(found, w):
    np.testing.assert_allclose(found["D"], w.judged, rtol=0, atol=1e-12)
    assert {axiom: getattr(w.report, axiom).holds for axiom in found["verdicts"]} == found["verdicts"]


# -------------------------------------------------------------------------------------------------- MixtureHull


def mixture_hull(**options):
    V = [[1.0, 0.2], [-0.2, 1.1], [-1.1, 0.3], [-0.6, -0.9], [0.7, -0.8]]
    settings = {"direction": 2, "along": 0.75, "W_O": [[1.5, -0.5], [0.25, 0.75]], "x": [0.9, 0.6], **options}
    return widgets.MixtureHull(V, [0.4, 1.1, -0.3, 0.0, 0.7], **settings)


def hull_shown(widget):
    bars = widget.locator(".ag-hull-bar:visible .ag-number-text").all_inner_texts()
    output = widget.locator(".ag-hull-plane .ag-title .ag-number-text").first.inner_text()
    return [*bars, output, *widget.locator(".ag-hull-verdicts td").all_inner_texts()[1:]]


def hull_wanted(w):
    if not w.allowed.any():
        return ["masked"] * 5 + ["masked"] + ["masked", "–", "–"] * 3
    from attention_geometry.widgets import _hull

    line, _ = _hull.equivalent_line(w.V, w.allowed, w.weights, w.direction)
    both = (lambda a, b: [f"{a:.3f}", f"{b:.3f}"]) if len(line) > 1 else (lambda a, b: [f"{a:.3f}"])
    rows = zip(w.weights, w.other_weights, w.allowed)
    words = {"inside": "inside", "edge": "on its edge", "outside": "outside"}
    points = {"output": w.output, "projected": w.projected, "stream": w.stream}
    places = [[f"({decimals(p)})", *(words[verdict] for verdict in w.verdicts[name])] for name, p in points.items()]
    return [
        *(text for a, b, ok in rows for text in (both(a, b) if ok else ["masked"])),
        f"y = ({decimals(w.output)})",
        *(text for row in places for text in row),
    ]


def hull_numpy(found, w):
    for name in ("weights", "other_weights", "output", "projected", "stream"):
        np.testing.assert_allclose(found[name], getattr(w, name), rtol=0, atol=1e-12)


def forbid_every_key(page):
    for box in page.locator(".ag-hull-rows input[type=checkbox]").all():
        box.uncheck()


# -------------------------------------------------------------------------------------------- AttentionPipeline


def attention_pipeline(**options):
    return widgets.AttentionPipeline(selected=1, **options)


def crowded_pipeline():
    eye, points = np.eye(2), [[math.cos(2 * i), math.sin(3 * i)] for i in range(60)]
    return widgets.AttentionPipeline(points, eye, eye, eye, tokens=(CHARACTERS + CHARACTERS)[:60])


def pipeline_with_token(token):
    eye = np.eye(2)
    return widgets.AttentionPipeline(eye, eye, eye, eye, tokens=[token, "b"])


def pipeline_shown(widget):
    return widget.locator(".ag-pipe-cell:not([role])").all_inner_texts()


def pipeline_wanted(w):
    made = [w.Q, w.K, w.V, w.scores, w.weights, w.output]
    return [cell_text(float(x)) for matrix in made for x in np.ravel(matrix)]


def pipeline_numpy(found, w):
    np.testing.assert_allclose(found["weights"], w.weights, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found["output"], w.output, rtol=0, atol=1e-12)


TABLE = [
    Case(
        name="AttentionPipeline",
        make=attention_pipeline,
        handle="x0",
        spoken=r"Point of Birds, x .*, y .*\. .* attends .*\.",
        shown=pipeline_shown,
        wanted=pipeline_wanted,
        crowd=crowded_pipeline,
        hostile=lambda: pipeline_with_token(HOSTILE),
        setting={"temperature": 0, "reading": "flows"},
        numpy=pipeline_numpy,
        mask="the page offers no mask or the causal one, and both leave every row a key",
    ),
    PLANE,
    TOKENS,
    COMPARED,
    Case(
        name="MetricCourt",
        make=metric_court,
        handle="x0",
        spoken=r"token 1, x .*, y .*\.",
        shown=court_shown,
        wanted=court_wanted,
        crowd=lambda: widgets.MetricCourt([[math.cos(i), math.sin(i)] for i in range(6)], tokens=CHARACTERS[:6]),
        hostile=lambda: widgets.MetricCourt([[1, 0], [0, 1]], tokens=[HOSTILE, "b"]),
        setting={"candidate": "ρ", "repairs": ["closure"]},
        numpy=court_numpy,
        mask="the court has no mask: a masked pair has no score, so it cannot stand trial",
    ),
    Case(
        name="MixtureHull",
        make=mixture_hull,
        handle="v0",
        spoken=r"value 1, x .*, y .*\.",
        shown=hull_shown,
        wanted=hull_wanted,
        crowd=lambda: widgets.MixtureHull(
            [[math.cos(2 * i), math.sin(3 * i)] for i in range(12)], tokens=CHARACTERS[:12], along=1
        ),
        hostile=lambda: widgets.MixtureHull([[1, 0], [0, 1]], tokens=[HOSTILE, "b"]),
        setting={"temperature": 0, "along": -1},
        numpy=hull_numpy,
        mask=forbid_every_key,
    ),
]

# ------------------------------------------------------------------------------------------------- the battery

pytestmark = pytest.mark.browser
every = pytest.mark.parametrize("case", TABLE, ids=str)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """For every widget: one on a page with tasks, two of a kind, a crowd, hostile tokens; and a page with all."""
    folder = tmp_path_factory.mktemp("pages")
    every_one = ""
    for case in TABLE:
        tasks = ["Look at it.", ("Set it.", case.setting), ("Guess first.", {"predict": True})]
        case.make(tasks=tasks).to_html(folder / f"{case}.html")
        case.crowd().to_html(folder / f"{case}-crowd.html")
        case.hostile().to_html(folder / f"{case}-hostile.html")
        every_one += case.make().static_html()
        page = (folder / f"{case}.html").read_text("utf-8")
        (folder / f"{case}-two.html").write_text(page.replace("<main>", f"<main>{case.make().static_html()}"), "utf-8")
        (folder / "all.html").write_text(page.replace("<main>", f"<main>{every_one}"), "utf-8")
    return folder


def widget(page, index=0):
    return page.locator(".ag-widget").nth(index)


def state_of(page, index=0):
    """What the link of a widget carries."""
    widget(page, index).get_by_role("button", name="Copy link").click()
    text = widget(page, index).locator("textarea").input_value().rsplit(":", 1)[1]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def agree(page, case, index=0):
    """The numbers on the page are Python's for the state on the page; gives the state."""
    state = state_of(page, index)
    w = case.make()
    w.set_state(state)
    for _ in range(60):
        shown, wanted = case.shown(widget(page, index)), case.wanted(w)
        if shown == wanted:
            break
        page.wait_for_timeout(50)
    assert shown == wanted
    json.dumps(state, allow_nan=False)
    return state


def handle(page, case, index=0):
    return widget(page, index).locator(f"[data-handle={case.handle}]")


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, case, dx, dy, index=0):
    handle(page, case, index).evaluate("node => node.scrollIntoView({ block: 'center' })")
    x, y = centre(handle(page, case, index).locator(".ag-hit"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=5)
    page.mouse.up()


def place(page, case, index=0):
    return handle(page, case, index).get_attribute("aria-valuetext")


@every
def test_first_numbers_are_pythons(visit, case):
    page = visit(str(case))
    agree(page, case)
    assert case.shown(widget(page)) == case.wanted(case.make())


@every
def test_numbers_follow_a_pointer_that_is_held(visit, case):
    """Parts that take turns under a moving pointer come to their turn, and once it rests all of them are up to date."""
    page = visit(str(case))
    before = case.shown(widget(page))
    handle(page, case).evaluate("node => node.scrollIntoView({ block: 'center' })")
    x, y = centre(handle(page, case).locator(".ag-hit"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + case.dragged[0], y + case.dragged[1], steps=40)
    assert case.shown(widget(page)) != before
    page.wait_for_timeout(600)
    resting = case.shown(widget(page))
    page.mouse.up()
    agree(page, case)
    assert case.shown(widget(page)) == resting


@every
def test_mouse(visit, case):
    page = visit(str(case))
    before, at = agree(page, case), place(page, case)
    drag(page, case, *case.dragged)
    assert agree(page, case) != before and place(page, case) != at


@every
def test_touch_moves_the_point_and_not_the_page(visit, case):
    page = visit(str(case), viewport={"width": 400, "height": 700}, has_touch=True, is_mobile=True)
    handle(page, case).evaluate("node => node.scrollIntoView({ block: 'center' })")
    scrolled, at = page.evaluate("scrollY"), place(page, case)
    x, y = centre(handle(page, case).locator(".ag-hit"))
    session = page.context.new_cdp_session(page)
    for step in range(7):
        kind = {0: "touchStart", 6: "touchEnd"}.get(step, "touchMove")
        points = [] if kind == "touchEnd" else [{"x": x - 6 * step, "y": y + 9 * step}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert page.evaluate("scrollY") == scrolled and place(page, case) != at
    agree(page, case)


@every
def test_keys(visit, case):
    page = visit(str(case))
    start = place(page, case)
    seen = [start]
    for key in ("ArrowRight", "Shift+ArrowUp", "Home"):
        handle(page, case).focus()
        scrolled = page.evaluate("scrollY")
        page.keyboard.press(key)
        page.wait_for_timeout(60)
        seen.append(place(page, case))
        assert page.evaluate("scrollY") == scrolled
        agree(page, case)
    assert len({*seen}) == 3 and seen[-1] == start


@every
def test_without_dragging(visit, case):
    """WCAG 2.5.7: type the coordinates, or press the point and then the place."""
    page = visit(str(case))
    row = widget(page).locator(".ag-coordinates").filter(has=page.locator(f"option[value={case.handle}]")).first
    row.get_by_label(case.point, exact=True).select_option(case.handle)
    row.get_by_label("x of the point").fill("0.25")
    row.get_by_label("y of the point").fill("-0.5")
    row.get_by_label("y of the point").blur()
    assert agree(page, case) and place(page, case) == "x 0.25, y −0.50"
    handle(page, case).locator(".ag-hit").click()
    plane = widget(page).locator(".ag-plane").filter(has=page.locator(f"[data-handle={case.handle}]"))
    plane.evaluate("node => node.scrollIntoView({ block: 'center' })")
    x, y = centre(plane)
    page.mouse.click(x - 30, y - 80)
    page.wait_for_timeout(60)
    assert place(page, case) != "x 0.25, y −0.50"
    agree(page, case)


@every
def test_names_values_and_one_live_region(visit, case):
    page = visit(str(case))
    assert page.get_by_role("status").count() == 1
    node = handle(page, case)
    assert node.get_attribute("role") == "slider" and node.get_attribute("aria-label")
    assert re.fullmatch(r"x −?\d+\.\d\d, y −?\d+\.\d\d", node.get_attribute("aria-valuetext"))
    drag(page, case, *case.dragged)
    expect(page.get_by_role("status")).to_have_text(re.compile(rf"^{case.spoken}$"))
    for control in page.locator(".ag-widget :is(button, select, input, textarea, summary):visible").all():
        assert control.evaluate(
            "e => (e.ariaLabel || e.labels?.[0]?.textContent || e.textContent || e.title || '').trim()"
        ), control.evaluate("e => e.outerHTML")


@every
def test_a_table_says_what_the_picture_shows(visit, case):
    page = visit(str(case))
    tables = page.locator(".ag-widget table:visible")
    assert tables.count() >= 1
    assert all(table.locator("caption").count() for table in tables.all())
    assert page.locator(".ag-still table").count() >= 1 and page.locator(".ag-still table caption").count() >= 1


@every
def test_undo_redo_reset_and_link(visit, case):
    page = visit(f"{case}-two")
    start = agree(page, case, 1)
    drag(page, case, *case.dragged, index=1)
    moved = agree(page, case, 1)
    handle(page, case, 1).focus()
    page.keyboard.press("Control+z")
    assert agree(page, case, 1) == start
    widget(page, 1).get_by_role("button", name="Redo").click()
    assert agree(page, case, 1) == moved
    widget(page, 1).get_by_role("button", name="Reset", exact=True).click()
    assert agree(page, case, 1) == start
    widget(page, 1).get_by_role("button", name="Undo").click()
    assert agree(page, case, 1) == moved
    widget(page, 1).get_by_role("button", name="Copy link").click()
    link = widget(page, 1).locator("textarea").input_value()
    other = visit(f"{case}-two", "#" + link.split("#")[1])
    assert agree(other, case, 1) == moved and agree(other, case, 0) != moved


@every
def test_F33_two_of_a_kind_do_not_touch_each_other(visit, case):
    page = visit(f"{case}-two")
    assert page.locator("[id]").count() == 0
    start = agree(page, case, 1)
    drag(page, case, *case.dragged)
    assert agree(page, case) != agree(page, case, 1) == start
    page.reload()
    for node in page.locator(".ag-static").all():
        node.evaluate("node => node.scrollIntoView()")
    assert agree(page, case) == start


@every
def test_tasks_set_their_view_and_stand_in_the_still_picture(visit, case):
    page = visit(str(case))
    tasks = widget(page).locator(".ag-tasks li")
    expect(tasks).to_have_count(3)
    tasks.nth(1).get_by_role("button", name="Set this view").click()
    state = agree(page, case)
    assert {name: state[name] for name in case.setting} == case.setting
    assert page.locator(".ag-still .ag-tasks li").all_text_contents() == ["Look at it.", "Set it.", "Guess first."]


@every
def test_predict_covers_asks_and_explains(visit, case):
    page = visit(str(case))
    form, button = page.locator(".ag-predict"), page.get_by_role("button", name="Predict")
    expect(form).to_be_hidden()
    widget(page).locator(".ag-tasks li").nth(2).get_by_role("button", name="Set this view").click()
    expect(form).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "true")
    covered = page.locator(".ag-covered")
    assert covered.count() and all(node.get_attribute("aria-hidden") == "true" for node in covered.all())
    assert all(node.evaluate("e => getComputedStyle(e).visibility") == "hidden" for node in covered.all())
    form.get_by_role("button", name="Commit").click()
    expect(form.locator(".ag-verdict")).to_have_text("Choose an answer first.")
    options = form.get_by_role("radio")
    assert options.count() >= 2
    verdicts = []
    for i in range(options.count()):
        options.nth(i).check()
        form.get_by_role("button", name="Commit").click()
        assert covered.count() == 0
        verdicts.append(form.locator(".ag-verdict").inner_text())
        expect(page.get_by_role("status")).to_have_text(verdicts[-1])
        form.get_by_role("button", name="Ask again").click()
        assert covered.count()
    assert [text.startswith("Right.") for text in verdicts].count(True) == 1 and all(len(v) > 25 for v in verdicts)
    options.first.check()
    form.get_by_role("button", name="Commit").click()
    drag(page, case, *case.dragged)
    page.wait_for_timeout(400)
    assert covered.count(), "another state is another question"
    assert page.get_by_role("status").inner_text() not in verdicts
    button.click()
    expect(form).to_be_hidden()
    assert covered.count() == 0
    agree(page, case)


@every
def test_B18_a_row_of_nothing_says_so(visit, case):
    if isinstance(case.mask, str):
        assert len(case.mask) > 20, "say why there is no mask"
        return
    page = visit(str(case))
    case.mask(page)
    agree(page, case)
    text = widget(page).inner_text()
    assert "masked" in text and not re.search(r"NaN|null|undefined|Infinity", text)
    drag(page, case, -20, 20)
    agree(page, case)


@every
def test_B19_a_crowd_of_one_character_tokens_fits(visit, case):
    """B19 asks for 60 tokens in 900 px of the displays that have no upper limit; a plane takes what a hand can part."""
    page = visit(f"{case}-crowd", viewport={"width": 900, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") <= 900
    handles = page.locator(".ag-handle[tabindex]")
    names = handles.evaluate_all("nodes => nodes.map(node => node.getAttribute('aria-label'))")
    assert len({*names}) == len(names)
    handles.last.focus()
    page.wait_for_timeout(60)
    assert handles.last.locator(".ag-name").is_visible(), "what has the focus shows its name"


@every
def test_B7_hostile_tokens_stay_text(visit, case):
    page = visit(f"{case}-hostile")
    assert page.locator(".ag-static :is(script, img, [onload], [onerror])").count() == 0
    names = page.locator(".ag-widget *").evaluate_all("nodes => nodes.map((n) => n.ariaLabel ?? '').join()")
    assert "</script>" in names + page.locator(".ag-widget").inner_text()


@every
def test_files_and_the_lines_of_numpy(visit, case, tmp_path):
    page = visit(str(case))
    drag(page, case, *case.dragged)
    w = case.make()
    w.set_state(agree(page, case))
    saved = {}
    for kind in ("SVG", "PNG", "CSV"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save as {kind}").click()
        saved[kind] = tmp_path / f"x.{kind.lower()}"
        download.value.save_as(saved[kind])
    picture = saved["SVG"].read_text("utf-8")
    assert picture.startswith("<svg") and "class=" not in picture and "var(" not in picture
    assert saved["PNG"].read_bytes().startswith(b"\x89PNG") and len(saved["PNG"].read_bytes()) > 10_000
    rows = saved["CSV"].read_text("utf-8").splitlines()
    assert len(rows) > 2 and len({row.count(",") for row in rows}) == 1
    page.get_by_role("button", name="NumPy").click()
    found = {}
    exec(page.locator("textarea").input_value(), found)
    case.numpy(found, w)


@every
@pytest.mark.parametrize("width", [320, 360, 700, 1200])
def test_nothing_is_wider_than_the_page_or_too_small(visit, case, width):
    page = visit(str(case), viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """() => { const zoom = (svg) => (svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1);
        return [...document.querySelectorAll(".ag-widget :is(text, td, th, label, p, li, button, legend, summary)")]
        .filter((e) => e.checkVisibility() && e.textContent.trim() && !e.closest(".ag-no-weight, .ag-may"))
        .map((e) => [parseFloat(getComputedStyle(e).fontSize) * zoom(e.ownerSVGElement), e.outerHTML])
        .filter(([size]) => size < 11.9).map(([size, text]) => `${size}: ${text.slice(0, 150)}`); }"""
    )
    assert not small[:3]
    targets = page.locator(".ag-widget :is(button, select, input[type=number], .ag-box, .ag-handle .ag-hit):visible")
    for node in targets.all():
        box = node.bounding_box()
        assert min(box["width"], box["height"]) >= 24, node.evaluate("e => e.outerHTML.slice(0, 200)")


@every
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_what_carries_meaning(visit, case, scheme):
    page = visit(str(case), color_scheme=scheme)
    colours = page.evaluate(
        """() => { const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const rgb = (c) => { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data]; };
        const page = getComputedStyle(document.documentElement).backgroundColor;
        const kinds = [".ag-handle path", ".ag-name", ".ag-fill", ".ag-dot"];
        return { page: rgb(page), shapes: kinds.flatMap((kind) => [...document.querySelectorAll(`.ag-widget ${kind}`)]
          .map((node) => [kind, rgb(getComputedStyle(node)[kind === ".ag-fill" ? "backgroundColor" : "fill"])])) }; }"""
    )
    paper = luminance(colours["page"])
    assert (paper > 0.5) == (scheme == "light") and colours["shapes"]
    for kind, rgb in colours["shapes"]:
        low, high = sorted([paper, luminance(rgb)])
        assert (high + 0.05) / (low + 0.05) >= 3, (kind, rgb)


@every
def test_nothing_moves_by_itself_where_motion_is_unwanted(visit, case):
    page = visit(str(case), reduced_motion="reduce")
    drag(page, case, *case.dragged)
    for button in page.locator(".ag-widget button[aria-pressed=false]:visible").element_handles():
        button.click()
        assert page.evaluate("document.getAnimations().length") == 0


@every
@pytest.mark.parametrize("scheme, width", [("light", 1200), ("dark", 1200), ("light", 320)])
def test_the_accessibility_checker_finds_nothing(visit, axe, case, scheme, width):
    page = visit(str(case), color_scheme=scheme, viewport={"width": width, "height": 900})
    page.evaluate(axe)
    for predicting in (False, True):
        if predicting:
            page.get_by_role("button", name="Predict").click()
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert not [(v["id"], [n["html"][:160] for n in v["nodes"]][:3]) for v in found]


@every
def test_F34_print_shows_the_still_picture(visit, case):
    page = visit(str(case))
    expect(page.locator(".ag-still")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator(".ag-still")).to_be_visible()
    expect(page.locator(".ag-widget")).to_be_hidden()


@every
def test_F32_without_javascript_the_still_picture_stands(visit, case):
    page = visit(str(case), java_script_enabled=False)
    expect(page.locator(".ag-still svg").first).to_be_visible()
    expect(page.locator(".ag-still table").first).to_be_visible()
    expect(page.locator(".ag-still .ag-tasks li")).to_have_count(3)


@every
def test_F23_a_front_end_without_widgets_gets_the_still_picture(case):
    w = case.make()
    data, _ = w._repr_mimebundle_()
    assert set(data) == {"text/plain", "text/html", VIEW} and data["text/plain"] == repr(w)
    assert data["text/html"] == w.static_html() and "<svg" in data["text/html"] and "<table" in data["text/html"]
    assert not re.search(r"<script|<style|\sid=|\sonload|nan\b", data["text/html"])
    assert w._esm.endswith(f"export default AttentionGeometry.widgets.{case.name};\n")


@every
def test_what_the_widget_listens_to_ends_with_it(visit, case):
    """render() gives a cleanup: afterwards the element is empty, the model has no listeners, keys are nobody's."""
    page = visit(str(case))
    left = page.evaluate(
        """async ([source, state, id]) => {
        const widget = (await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })))).default;
        const heard = new Set(), saved = [];
        const model = { get: (k) => state[k], set: (k, v) => { state[k] = v; }, save_changes: () => saved.push(1),
          on: (e, f) => heard.add([e, f]), off: (e, f) => [...heard].filter(([a, b]) => a === e && b === f)
            .forEach((pair) => heard.delete(pair)) };
        const el = document.body.appendChild(document.createElement("div"));
        const added = [], add = window.addEventListener;
        window.addEventListener = (...a) => { added.push(a[2]?.signal); return add.apply(window, a); };
        const cleanup = await widget.render({ model, el });
        const node = el.querySelector(`[data-handle=${id}]`);
        node.focus();
        const heardFirst = heard.size > 0, before = JSON.stringify(state);
        window.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp" }));
        node.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true }));
        const moved = JSON.stringify(state) !== before, saves = saved.length > 0;
        cleanup();
        const after = JSON.stringify(state);
        document.body.append(node);
        node.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true }));
        window.addEventListener = add;
        return { heardFirst, moved, saves, listeners: heard.size, children: el.children.length,
          still: JSON.stringify(state) === after, stopped: added.every((s) => s?.aborted) };
        }""",
        [case.make()._esm, case.make().state(), case.handle],
    )
    assert left == {
        "heardFirst": True, "moved": True, "saves": True, "listeners": 0, "children": 0, "still": True, "stopped": True,
    }  # fmt: skip


def test_a_page_with_every_widget(visit):
    page = visit("all", viewport={"width": 1200, "height": 900})
    expect(page.locator(".ag-widget")).to_have_count(len(TABLE) + 1)


def test_every_widget_is_in_the_table():
    assert {case.name for case in TABLE} == set(widgets.__all__)


def luminance(rgb):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.array(rgb[:3]) / 255]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))
