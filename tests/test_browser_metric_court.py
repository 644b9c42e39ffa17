"""MetricCourt in Chromium: what the battery does not ask. After each action the page says what Python says."""

import base64
import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from attention_geometry.axioms import AXIOMS, CANDIDATES
from attention_geometry.widgets import MetricCourt
from attention_geometry.widgets._still_court import NAMES, margin
from attention_geometry.widgets.metric_court import PRESETS, preset

pytestmark = pytest.mark.browser
WIDTH = 1100

X = [[1.2, 0.6], [-0.5, 1.1], [-1.0, -0.8], [0.9, -0.7]]
BROKEN = [[0, 2, 5], [2, 0, 1], [5, 1, 0]]
REPAIRS = ["Symmetrise", "Zero the diagonal", "Shift", "Shortest paths"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("court")
    tasks = [preset(name)[:2] for name in PRESETS]
    head = preset("sharp head")
    MetricCourt(X, tasks=tasks).to_html(folder / "points.html")
    MetricCourt(M=BROKEN).to_html(folder / "hand.html")
    MetricCourt(**head.settings, tokens=head.tokens).to_html(folder / "head.html")
    MetricCourt([[0, 0], [1, 0], [0, 1]], candidate="arccos").to_html(folder / "origin.html")
    MetricCourt([[0, 0], [1, 0], [2, 0], [0, 1], [2, 2], [1, 2]], candidate="D").to_html(folder / "six.html")
    return folder


def state_of(page):
    page.get_by_role("button", name="Copy link").click()
    text = page.locator(".ag-widget textarea").input_value().rsplit(":", 1)[1]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def court(page):
    """A court in Python, in the state that the page's link carries."""
    state = state_of(page)
    w = MetricCourt(state["X"], M=state["M"])
    w.set_state(state)
    return w


def numeral(x):
    """A number as the page writes it: four significant digits, few of them in a power of ten."""
    if x == 0 or 1e-3 <= abs(x) < 1e5:
        return f"{x:.4g}".replace("-", "−") if abs(x) < 1e4 or x == 0 else str(int(float(f"{x:.4g}"))).replace("-", "−")
    if np.isinf(x):
        return "∞"
    return re.sub(r"e([+-])0*(\d+)", lambda m: f"e{m[1].strip('+')}{m[2]}", f"{x:.2e}").replace("-", "−")


def said(w):
    """What the page has to say: verdicts, worst cases and the matrix."""
    report, words, worst = w.report, [], []
    for axiom in AXIOMS:
        verdict = getattr(report, axiom)
        holds = None if w.why else verdict.holds
        fails = re.match(r"fails in \d+ of \d+ [a-z ]+", verdict.sentence)
        words.append("undefined" if holds is None else "holds" if holds else fails[0])
        worst.append("" if w.why else margin(axiom, verdict, w.judged))
    return words, worst, [[numeral(x) for x in row] if not w.why else ["–"] * len(row) for row in w.judged]


def shown(page):
    words = page.locator(".ag-court-word").all_text_contents()
    worst = page.locator(".ag-court-margin").all_text_contents()
    rows = page.locator(".ag-court-matrix:visible").last.locator("tbody tr").all()
    numbers = [[number_in(cell) for cell in row.locator("td").all()] for row in rows]
    return words, worst, numbers


def number_in(cell):
    field = cell.locator("input")
    return field.input_value().replace("-", "−") if field.count() else cell.inner_text()


def agree(page, read=lambda told: told):
    w = court(page)
    for _ in range(40):
        if read(shown(page)) == read(said(w)):
            break
        page.wait_for_timeout(50)
    assert read(shown(page)) == read(said(w))
    return w


def without_places(told):
    """Two triangles of a reversible chain tie in exact arithmetic; the last bit of a logarithm decides between them."""
    words, worst, numbers = told
    return words, [sentence.rsplit(", ")[-1] for sentence in worst], numbers


def choose(page, label, value):
    page.get_by_role("combobox", name=label, exact=True).select_option(value)
    page.wait_for_timeout(30)


@pytest.mark.parametrize("name", CANDIDATES)
def test_every_candidate_of_the_points_gives_pythons_verdicts(visit, name):
    page = visit("points")
    choose(page, "d is", name)
    w = agree(page, without_places if name == "hitting time" else lambda told: told)
    assert w.candidate == name and w.why is None
    question, domain, _ = {known: words for known, *words in w.candidates}[name]
    expect(page.locator(".ag-widget")).to_contain_text(f"It answers: {question}.")
    expect(page.locator(".ag-widget")).to_contain_text(f"Defined for: {domain}.")


@pytest.mark.parametrize("form", ["stretch", "minus", "turn", "both", "dot"])
def test_forms(visit, form):
    page = visit("points")
    for candidate in ("ρ", "D", "‖q − k‖"):
        choose(page, "d is", candidate)
        choose(page, "Form B", form)
        agree(page)


@pytest.mark.parametrize("name", ["head", "hand", "six", "origin"])
def test_other_courts_say_what_python_says(visit, name):
    agree(visit(name))


def test_presets_are_tasks(visit):
    page = visit("points")
    for i, name in enumerate(PRESETS):
        page.locator(".ag-widget .ag-tasks li").nth(i).get_by_role("button").click()
        w = agree(page)
        wanted = preset(name).settings
        assert {key: getattr(w, key) for key in wanted} == {
            key: MetricCourt._as_json(w, key, value) for key, value in wanted.items()
        }


def test_the_worst_case_is_drawn_where_it_fails(visit):
    page = visit("hand")
    for axiom, arrows in zip(AXIOMS, (1, 1, 1, 2, 3), strict=True):
        page.locator(".ag-court-verdicts button").nth(list(AXIOMS).index(axiom)).click()
        expect(page.locator(".ag-court-drawn")).to_contain_text(NAMES[axiom])
        page.wait_for_timeout(60)
        drawn = page.locator("svg.ag-picture:visible .ag-court-witness > g:visible")
        assert drawn.count() == arrows
        assert page.locator(".ag-court-matrix:visible td.ag-court-cell").count() == {"symmetry": 2, "triangle": 3}.get(
            axiom, 1
        )
    numbers = page.locator("svg.ag-picture:visible .ag-court-numbers > text:visible").all_text_contents()
    assert numbers == ["2", "1", "5"]
    assert page.locator("svg.ag-picture:visible .ag-court-direct").count() == 1
    assert agree(page).shown == "triangle"


def test_an_entry_typed_by_hand_is_judged(visit):
    page = visit("hand")
    page.get_by_label("entry from token 1 to token 3").fill("3")
    w = agree(page)
    assert w.M[0][2] == 3 and not w.report.symmetry.holds
    page.get_by_label("entry from token 3 to token 1").fill("3")
    page.get_by_label("entry from token 3 to token 1").blur()
    assert agree(page).report.kind == "metric"
    expect(page.locator(".ag-court-kind")).to_contain_text("metric")
    page.get_by_label("entry from token 1 to token 2").fill("")
    page.get_by_label("entry from token 1 to token 2").blur()
    assert agree(page).M[0][1] == 2, "what is no number changes nothing"


def test_repairs_say_what_they_destroyed(visit):
    page = visit("points")
    nothing = "Shortest paths: no entry moved; which of two entries is larger is kept."
    for button, told in zip(REPAIRS, ("moved, by", "4 of 16 entries moved", "added", nothing), strict=True):
        page.get_by_role("button", name=re.compile(button)).click()
        agree(page)
        expect(page.locator(".ag-court-damage li").last).to_contain_text(told)
    w = agree(page)
    assert w.report.kind == "metric" and w.repairs == ["symmetrise", "zero diagonal", "shift", "closure"]
    sentences = page.locator(".ag-court-damage li").all_inner_texts()
    for sentence, step in zip(sentences, w.damages, strict=True):
        assert (f"{step.changed} of 16 entries moved, by {numeral(step.largest)} at most" in sentence) == (
            step.changed > 0
        )
        assert (f"{step.lost} of {step.comparisons} comparisons" in sentence) == (step.lost > 0)
    page.get_by_role("button", name="1. Symmetrise").click()
    assert agree(page).repairs == ["zero diagonal", "shift", "closure"]


def test_an_impossible_repair_says_so(visit):
    page = visit("points")
    choose(page, "d is", "S")
    page.get_by_role("button", name="Shortest paths").click()
    expect(page.locator(".ag-court-damage li")).to_contain_text("not possible: an entry is negative")
    agree(page)


def test_a_matrix_by_hand_starts_where_the_trial_stands(visit):
    page = visit("points")
    page.get_by_role("button", name="Zero the diagonal").click()
    before = agree(page).judged
    choose(page, "From", "dissimilarities")
    w = agree(page)
    np.testing.assert_allclose(w.M, before, rtol=1e-9)
    assert w.repairs == [] and page.get_by_role("combobox", name="d is").is_disabled()
    choose(page, "From", "points")
    assert agree(page).candidate == "−log A"
    choose(page, "From", "scores")
    np.testing.assert_allclose(agree(page).scores, np.array(X) @ np.array(X).T, rtol=1e-9)


def test_what_does_not_apply_is_listed_with_its_reason(visit):
    page = visit("head")
    page.get_by_text("4 candidates do not apply here").click()
    expect(page.get_by_text("arccos: scores by hand have no vectors")).to_be_visible()
    assert page.locator("option[value=arccos]").is_disabled()
    assert not page.locator("option[value='−log A']").is_disabled()


def test_a_candidate_that_is_not_defined_here_says_why(visit):
    page = visit("origin")
    expect(page.locator(".ag-court-drawn")).to_have_text(
        "Not defined here: token 1 is at the origin, so it has no direction."
    )
    assert page.locator(".ag-court-word").all_text_contents() == ["undefined"] * 5
    assert not re.search(r"NaN|null|Infinity", page.locator(".ag-widget").inner_text())
    page.locator("[data-handle=x0]").focus()
    page.keyboard.press("ArrowUp")
    assert agree(page).why is None


def test_challenges_are_checked_as_the_state_moves(visit):
    page = visit("hand")
    items = page.locator(".ag-court-challenges li")
    expect(items.nth(1)).to_contain_text("met")
    expect(items.nth(0)).to_contain_text("not yet still: triangle must hold")
    page.get_by_role("button", name="Shortest paths").click()
    expect(items.nth(0)).to_contain_text("still: without repairs")
    page.get_by_role("button", name="Shortest paths").click()
    for entry in ("from token 1 to token 3", "from token 3 to token 1"):
        page.get_by_label(f"entry {entry}").fill("3")
    expect(items.nth(0)).to_contain_text("met")
    expect(items.nth(0).locator(".ag-court-sign")).to_have_text("✓")
    expect(items.nth(1)).to_contain_text("still: triangle must fail")


def test_thresholds_are_pythons(visit):
    page = visit("points")
    for candidate in ("−log A", "1 − A"):
        choose(page, "d is", candidate)
        w = agree(page)
        meters = page.locator(".ag-court-meter:visible")
        expect(meters.first).to_contain_text(numeral(w.threshold.value))
        expect(meters.first).to_contain_text(numeral(w.threshold.limit))
        off = w.judged[~np.eye(4, dtype=bool)]
        expect(meters.last).to_contain_text(numeral(off.max() / off.min()))
    choose(page, "d is", "S")
    expect(page.get_by_text("No such bound while an entry off the diagonal is 0, negative or ∞.")).to_be_visible()


def test_prediction_hides_verdicts_marks_and_the_way_round(visit):
    page = visit("hand")
    page.get_by_role("button", name="Predict").click()
    assert not page.locator(".ag-court-verdicts, .ag-court-free, .ag-court-drawn").locator("visible=true").count()
    assert not page.locator(".ag-court-witness path").locator("visible=true").count()
    marks = page.locator(".ag-court-matrix:visible td.ag-court-cell")
    assert {mark.evaluate("e => getComputedStyle(e).outlineStyle") for mark in marks.all()} == {"none"}
    page.get_by_label("all but triangle").check()
    page.get_by_role("button", name="Commit").click()
    expect(page.locator(".ag-verdict")).to_have_text("Right. triangle: d(1,3) = 5 > 2 + 1 = d(1,2) + d(2,3), by 2.")


@pytest.mark.parametrize("name", ["points", "head", "hand"])
def test_the_lines_of_numpy_give_the_verdicts(visit, name):
    page = visit(name)
    candidates = (
        [None] if name == "hand" else [c for c in CANDIDATES if not page.locator(f"option[value='{c}']").is_disabled()]
    )
    for candidate in candidates:
        if candidate:
            choose(page, "d is", candidate)
        for button in ("Symmetrise", "Shortest paths", None):
            w, found = court(page), {}
            page.get_by_role("button", name="NumPy").click()
            exec(page.locator(".ag-widget textarea").input_value(), found)
            np.testing.assert_allclose(found["D"], w.judged, atol=1e-9)
            assert {axiom: bool(x) for axiom, x in found["verdicts"].items()} == {
                axiom: getattr(w.report, axiom).holds for axiom in AXIOMS
            }, candidate
            if button:
                page.get_by_role("button", name=re.compile(button)).click()
        page.get_by_role("button", name=re.compile("Symmetrise")).click()
        page.get_by_role("button", name=re.compile("Shortest paths")).click()


def test_many_moves_within_one_frame_are_one_drawing(visit):
    page = visit("six")
    page.wait_for_timeout(400)
    written = page.evaluate(
        """async () => {
        const node = document.querySelector("[data-handle=x0]");
        const cell = document.querySelector(".ag-court-matrix:not([hidden]) tbody td:nth-of-type(2)");
        let written = 0;
        const count = (records) => { written += records.length; };
        new MutationObserver(count).observe(cell, { characterData: true, childList: true, subtree: true });
        node.focus();
        const press = () => node.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
        for (let i = 0; i < 20; i++) press();
        await new Promise((good) => requestAnimationFrame(() => requestAnimationFrame(good)));
        return written;
        }"""
    )
    assert written == 1 and agree(page).X[0][0] < 0
