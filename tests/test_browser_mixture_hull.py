"""MixtureHull in Chromium: what no other widget has. What all share is in test_browser_widgets.py."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from attention_geometry import attention
from attention_geometry.widgets import MixtureHull, _hull

V = [[1.0, 0.2], [-0.2, 1.1], [-1.1, 0.3], [-0.6, -0.9], [0.7, -0.8]]
SCORES = [0.4, 1.1, -0.3, 0.0, 0.7]
TWELVE = [[float(np.cos(2 * i)), float(np.sin(3 * i))] for i in range(12)]

pytestmark = pytest.mark.browser
WIDTH = 1200


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Pages from file://: the whole widget, three values, and twelve."""
    folder = tmp_path_factory.mktemp("pages")
    MixtureHull(V, SCORES, W_O=np.eye(2), x=[0.3, 0.2]).to_html(folder / "all.html")
    MixtureHull(V[:3], SCORES[:3]).to_html(folder / "three.html")
    MixtureHull(TWELVE, np.zeros(12), W_O=np.eye(2), along=0.5).to_html(folder / "twelve.html")
    return folder


def found(page):
    """The numbers of the lines of NumPy, run; the page shows the same weights and the same output."""
    page.get_by_role("button", name="NumPy").click()
    numbers = {}
    exec(page.locator("textarea").input_value(), numbers)
    page.get_by_role("button", name="Close").click()
    if not numbers["allowed"].any():
        return numbers
    shown = page.locator(".ag-hull-bar:has(> .ag-track > .ag-fill) .ag-number-text")
    wanted = [f"{a:.3f}" if ok else "masked" for a, ok in zip(numbers["weights"], numbers["allowed"])]
    expect(shown).to_have_text(wanted)
    y = ", ".join(f"{c:.2f}".replace("-0.00", "0.00").replace("-", "−") for c in numbers["output"])
    expect(page.locator(".ag-hull-plane .ag-title .ag-number-text").first).to_have_text(f"y = ({y})")
    return numbers


def drag(page, name, dx, dy):
    target = page.locator(f"[data-handle={name}] .ag-hit")
    target.evaluate("node => node.scrollIntoView({ block: 'center' })")
    box = target.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=6)
    page.mouse.up()


def test_a_score_moves_by_keys_by_pointer_and_typed(visit):
    page = visit("all")
    slider = page.get_by_label("score of value 2", exact=True)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert found(page)["scores"][1] == pytest.approx(1.05)
    box = slider.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    moved = found(page)
    assert moved["scores"][1] > 2.5
    page.get_by_label("score of value 2, typed").fill("7.125")
    page.keyboard.press("Enter")
    np.testing.assert_allclose(found(page)["weights"], attention.softmax([0.4, 7.125, -0.3, 0.0, 0.7]), atol=1e-12)
    assert re.fullmatch(r"7\.125, weight 0\.99\d", slider.get_attribute("aria-valuetext"))
    page.get_by_role("button", name="Undo").click()
    assert found(page)["scores"].tolist() == moved["scores"].tolist()


def test_raising_a_score_moves_the_output_straight_towards_its_value(visit):
    page = visit("all")
    before = found(page)["output"]
    page.get_by_label("score of value 5, typed").fill("1.5")
    page.keyboard.press("Enter")
    step, way = found(page)["output"] - before, np.array(V[4]) - before
    assert step @ way > 0 and abs(step[0] * way[1] - step[1] * way[0]) < 1e-12


def test_both_limits_of_the_temperature_keep_ties(visit):
    page = visit("all")
    page.get_by_label("score of value 1, typed").fill("1.1")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="T = 0").click()
    np.testing.assert_array_equal(found(page)["weights"], [0.5, 0.5, 0, 0, 0])
    page.get_by_role("button", name="T = ∞").click()
    np.testing.assert_allclose(found(page)["weights"], 0.2)
    page.get_by_role("button", name="T = 1").click()
    np.testing.assert_allclose(found(page)["weights"], attention.softmax([1.1, 1.1, -0.3, 0.0, 0.7]), atol=1e-12)


def test_L10_1_the_slider_changes_the_row_and_not_the_output(visit):
    page = visit("all")
    start = found(page)
    page.get_by_label("key that gains or loses weight").select_option("2")
    slider = page.get_by_label("second row, from the least to the most")
    line, _ = _hull.equivalent_line(V, [True] * 5, start["weights"], 2)
    for key, end in (("End", line[-1]), ("Home", line[0])):
        slider.focus()
        page.keyboard.press(key)
        now = found(page)
        np.testing.assert_allclose(now["other_weights"], end, atol=1e-12)
        np.testing.assert_allclose(now["other_weights"] @ now["V"], start["output"], atol=1e-12)
        np.testing.assert_array_equal(now["weights"], start["weights"])
        second = page.locator(".ag-hull-bar:has(.ag-hull-second) .ag-number-text")
        expect(second).to_have_text([f"{b:.3f}" for b in end])
    sums = page.locator(".ag-hull-table tfoot td").all_inner_texts()
    assert sums[3] == sums[5], "both sums of the arithmetic are y"


def test_three_values_fix_the_weights_and_there_is_no_dead_slider(visit):
    page = visit("three")
    expect(page.locator(".ag-hull-other")).to_contain_text("none: 3 values in general position fix the weights")
    expect(page.locator(".ag-hull-slider")).to_be_hidden()
    assert page.locator(".ag-hull-after").count() == 0
    page.get_by_role("checkbox", name="the query may attend to value 1").uncheck()
    expect(page.locator(".ag-hull-other")).to_contain_text("none: 2 values in general position fix the weights")


def test_a_value_that_is_held_moves_the_others_and_not_the_output(visit):
    page = visit("all")
    start = found(page)
    page.get_by_role("checkbox", name="hold y").check()
    drag(page, "v0", -90, 50)
    now = found(page)
    np.testing.assert_array_equal(now["weights"], start["weights"])
    np.testing.assert_allclose(now["output"], start["output"], atol=1e-10)
    assert (np.abs(now["V"] - V).max(axis=1) > 0.01).all()
    assert page.locator(".ag-widget .ag-hull-plane .ag-hull-ghost:visible").count() == 5, "where they were"
    wanted = _hull.compensated_values(V, start["weights"], 0, now["V"][0])
    np.testing.assert_allclose(now["V"], wanted, atol=1e-9)
    page.locator("[data-handle=v0]").focus()
    page.keyboard.press("Home")
    np.testing.assert_allclose(found(page)["V"], V, atol=1e-9)
    page.get_by_role("button", name="T = 0").click()
    drag(page, "v1", 40, 40)
    expect(page.get_by_role("status")).to_contain_text("cannot move while y stays")
    np.testing.assert_allclose(found(page)["V"], V, atol=1e-9)


def test_W_O_and_the_residual_take_the_output_out_of_the_hull(visit):
    page = visit("all")
    cells = page.locator(".ag-hull-verdicts tbody tr")
    expect(cells.nth(2)).to_contain_text("inside")
    drag(page, "x", 60, -60)
    now = found(page)
    np.testing.assert_allclose(now["stream"], now["x"] + now["output"], atol=1e-12)
    assert now["x"].tolist() != [0.3, 0.2] and now["V"].tolist() == V
    page.get_by_label("x of the point").last.fill("3")
    page.keyboard.press("Enter")
    expect(cells.nth(2).locator("td")).to_have_text([re.compile(r"\(3\.11, .*\)"), "outside", "outside"])
    page.get_by_label("W_O", exact=True).select_option("stretch")
    assert found(page)["W_O"].tolist() == [[2, 0], [0, 0.5]]
    page.get_by_label("W_O, row 1, column 2").fill("-12")
    page.keyboard.press("Enter")
    w = MixtureHull(V, SCORES, W_O=[[2, -12], [0, 0.5]], x=[3, found(page)["x"][1]])
    np.testing.assert_allclose(found(page)["projected"], w.projected, atol=1e-12)
    words = {"inside": "inside", "edge": "on its edge", "outside": "outside"}
    for row, name in enumerate(("output", "projected", "stream")):
        expect(cells.nth(row).locator("td:nth-child(n + 3)")).to_have_text([words[v] for v in w.verdicts[name]])
    assert w.verdicts["projected"] == ("outside", "inside")


def test_every_hint_opens_and_closes(visit):
    page = visit("all")
    buttons = page.locator(".ag-ask")
    assert buttons.count() == 5
    for button in buttons.all():
        hint = button.locator("xpath=following-sibling::p")
        expect(hint).to_be_hidden()
        button.click()
        expect(hint).to_be_visible()
        assert button.get_attribute("aria-expanded") == "true" and len(hint.inner_text()) > 60
        button.click()
        expect(hint).to_be_hidden()


def test_each_kind_of_question_covers_its_own_answer(visit):
    page = visit("all")
    form = page.locator(".ag-predict")
    page.get_by_role("button", name="Predict").click()
    seen = {}
    for step in range(3):
        page.get_by_label("score of value 1, typed").fill(str(0.5 + step))
        page.keyboard.press("Enter")
        page.wait_for_timeout(400)
        hidden = page.locator(".ag-covered").evaluate_all("nodes => nodes.map((node) => node.getAttribute('class'))")
        seen[form.locator("legend").inner_text()] = " ".join(name or "" for name in hidden)
    covers = {"another row": "ag-hull-other", "lie with respect": "ag-hull-verdicts", "come nearer": ""}
    for words, cover in covers.items():
        (question,) = [question for question in seen if words in question]
        assert cover in seen[question] and seen[question]


def test_dragging_with_twelve_keys_keeps_up(visit):
    """No timed assertion: the drawing of one frame is counted, once for many moves of the pointer."""
    page = visit("twelve")
    page.evaluate(
        """() => { window.drawn = 0; const path = document.querySelector(".ag-widget .ag-hull-path");
        new MutationObserver(() => { window.drawn += 1; }).observe(path, { attributes: true }); }"""
    )
    drawn = page.evaluate(
        """async () => { const node = document.querySelector("[data-handle=v0] .ag-hit");
        const box = node.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2], plane = node.closest("svg");
        const send = (type, i) => (type === "pointerdown" ? node : plane).dispatchEvent(new PointerEvent(type, {
          bubbles: true, pointerId: 1, button: 0, isPrimary: true, clientX: x + i, clientY: y + i }));
        plane.setPointerCapture = () => {};
        send("pointerdown", 0);
        const frame = () => new Promise((go) => requestAnimationFrame(go));
        for (let i = 1; i <= 40; i++) { send("pointermove", i); if (i % 10 === 0) { await frame(); await frame(); } }
        send("pointerup", 40); await frame(); await frame();
        return window.drawn; }"""
    )
    assert 4 <= drawn <= 8


def test_the_state_is_json_after_everything(visit):
    page = visit("all")
    for box in page.locator(".ag-hull-rows input[type=checkbox]").all():
        box.uncheck()
    page.get_by_role("button", name="T = ∞").click()
    numbers = found(page)
    assert np.isnan(numbers["output"]).all() and not numbers["weights"].any()
    text = page.locator(".ag-widget").inner_text()
    assert "masked" in text and not re.search("NaN|null|undefined", text)
    json.dumps(page.locator(".ag-static").get_attribute("data-ag-state"))
