"""QueryKeyPlane beyond the battery: its experiments, its tokens, and the arithmetic of the opened row, in Chromium."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

# the battery's ways of reading a page
from test_browser_widgets import COMPARED, PLANE, TOKENS, agree, drag, handle, state_of, token_plane

from attention_geometry import bilinear, relation
from attention_geometry.widgets import QueryKeyPlane, _comparison

pytestmark = pytest.mark.browser
Q, K = [[0.8, 0.1], [-0.3, 0.7]], [[0.9, 0.2], [1.1, 1.6], [-0.9, 0.5], [-0.4, -1.2]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    QueryKeyPlane(Q, K).to_html(folder / "plain.html")
    for case in (PLANE, TOKENS, COMPARED):
        case.make().to_html(folder / f"{case}.html")
    QueryKeyPlane([[1 / 3, 0.5]], [[0.1234567, 2], [1, 1]]).to_html(folder / "thirds.html")
    return folder


def open_experiment(page, name):
    page.get_by_role("group", name="Experiments").get_by_role("button", name=name).click()
    panel = page.locator(f".ag-experiments > section[aria-label='{name}']")
    expect(panel).to_be_visible()
    return panel


def state_now(page):
    """The widget of Python in the state of the page."""
    state = state_of(page)
    w = token_plane() if state["X"] else QueryKeyPlane(state["Q"], state["K"], state["V"])
    w.set_state(state)
    return w


def vectors(w):
    return w.query_vectors, w.key_vectors


def numbers(cells):
    return [float(text.replace("★ ", "").replace("−", "-")) for text in cells.all_inner_texts()]


def test_at_first_the_plane_is_plain(visit):
    page = visit("plain")
    assert page.locator(".ag-experiments > section:visible").count() == 0
    assert page.locator(".ag-cell:visible").count() == 0
    assert page.get_by_role("group", name="Experiments").get_by_role("button").count() == 3


def test_three_comparisons_side_by_side(visit):
    page = visit("plain")
    panel = open_experiment(page, "Three comparisons")
    expect(page.locator(".ag-cell:visible")).to_have_count(4)
    for name, mode in (("cosine", "cosine"), ("distance", "distance"), ("dot product", "dot")):
        panel.get_by_role("button", name=name, exact=True).click()
        page.wait_for_timeout(100)
        w = state_now(page)
        assert w.mode == mode
        columns = [_comparison.comparison(w.Q, w.K, each)[w.selected] for each in _comparison.MODES]
        for c, column in enumerate(columns):
            cells = panel.locator(f".ag-compare tbody td:nth-of-type({c + 2})")
            assert numbers(cells) == [float(f"{x:.3f}") for x in column]
            assert ["★" in text for text in cells.all_inner_texts()] == list(column == column.max())
        wins = _comparison.cells(w.K, mode, reach=2)
        expect(page.locator(".ag-cell:visible")).to_have_count(sum(cell is not None for cell in wins))
        assert numbers(page.locator(".ag-bars tbody td:last-child")) == [float(f"{a:.3f}") for a in w.weights[0]]
    expect(panel).to_contain_text("The dot product chooses k₂, the cosine k₁, and nearest is k₁")
    page.get_by_role("button", name="Three comparisons").click()
    assert state_now(page).mode == "dot" and page.locator(".ag-cell:visible").count() == 0


def test_L1_4_equally_long_keys_end_the_quarrel(visit):
    page = visit("plain")
    panel = open_experiment(page, "Three comparisons")
    panel.get_by_label("Key", exact=True).select_option("1")
    slider = panel.get_by_label("length", exact=True)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(100)
    w = state_now(page)
    before, after = np.array(K[1]), np.array(w.K[1])
    assert 0 < np.linalg.norm(after) < np.linalg.norm(before)
    np.testing.assert_allclose(after / np.linalg.norm(after), before / np.linalg.norm(before), atol=1e-12)
    panel.get_by_role("button", name="Make all keys equally long").click()
    expect(panel).to_contain_text("All three choose k₁. The keys are equally long")
    lengths = np.linalg.norm(state_now(page).K, axis=1)
    np.testing.assert_allclose(lengths, lengths[0])


def test_a_key_slides_along_its_ray(visit):
    page = visit("plain")
    panel = open_experiment(page, "Three comparisons")
    panel.get_by_label("keys slide along their rays").check()
    drag(page, PLANE, 40, -20)
    moved, start = np.array(state_now(page).K[0]), np.array(K[0])
    assert np.linalg.norm(moved) > np.linalg.norm(start)
    np.testing.assert_allclose(moved / np.linalg.norm(moved), start / np.linalg.norm(start), atol=1e-9)


def test_L1_4_lifted_keys_give_the_weights_of_the_dot_product(visit):
    page = visit("plain")
    dot = numbers(page.locator(".ag-bars tbody td:last-child"))
    panel = open_experiment(page, "Three comparisons")
    expect(panel.locator(".ag-tilt")).to_be_hidden()
    panel.get_by_role("button", name="distance", exact=True).click()
    expect(panel.locator(".ag-tilt")).to_be_visible()
    page.wait_for_timeout(100)
    assert numbers(page.locator(".ag-bars tbody td:last-child")) != dot
    panel.get_by_label("Lift the keys", exact=True).focus()
    page.keyboard.press("End")
    expect(panel).to_contain_text("whoever is nearest has the largest dot product")
    assert numbers(page.locator(".ag-bars tbody td:last-child")) == dot
    assert state_now(page).lift == 1


def test_widths_and_their_table(visit):
    page = visit("plain")
    panel = open_experiment(page, "Width d")
    rows = _comparison.width_experiment()
    panel.get_by_text("The numbers of all widths").click()
    for c, name in enumerate(("spread", "unscaled", "scaled")):
        cells = panel.locator(f".ag-compare tbody td:nth-of-type({c + 1})")
        assert numbers(cells) == [float(f"{row[name]:.2f}") for row in rows]
    panel.get_by_label("Width", exact=True).focus()
    page.keyboard.press("End")
    expect(panel).to_contain_text(f"At d = 1024 the products spread by {rows[-1]['spread']:.2f}.")
    assert state_now(page).d_k == 1024


@pytest.mark.parametrize("name", ["plain", "QueryKeyPlane-tokens"])
def test_T1_2_another_basis_moves_everything_but_the_weights(visit, name):
    page = visit(name)
    first = state_now(page)
    panel = open_experiment(page, "Another basis")
    expect(panel).to_contain_text("Nothing has moved yet")
    panel.get_by_role("button", name="Draw a basis", exact=True).click()
    expect(panel).to_contain_text("every weight of the dot product is where it was")
    now = state_now(page)
    np.testing.assert_allclose(now.weights, first.weights, atol=1e-12)
    change = {
        "coordinate": max(
            abs(now.query_vectors - first.query_vectors).max(), abs(now.key_vectors - first.key_vectors).max()
        )
    }
    cosines = [_comparison.comparison(w.query_vectors, w.key_vectors, "cosine") for w in (first, now)]
    change["cosine"] = abs(cosines[1] - cosines[0]).max()
    for mode in _comparison.MODES:
        first.mode = now.mode = mode
        change[mode + " weight"] = abs(now.weights - first.weights).max()
    assert numbers(panel.locator(".ag-compare td")) == [float(f"{x:.3f}") for x in change.values()]
    assert change["dot weight"] < 1e-12 < 0.05 < min(change["coordinate"], change["cosine"])
    page.get_by_role("button", name="Undo").click()
    expect(panel).to_contain_text("Nothing has moved yet")


def test_tokens_matrices_tie_and_the_form(visit):
    page = visit("QueryKeyPlane-tokens")

    def shown():
        page.wait_for_timeout(120)
        w = state_now(page)
        agree(page, TOKENS)
        shares = relation.energy_shares(w.scores)
        wanted = [shares.popularity, shares.reciprocal, shares.circulating]
        assert numbers(page.locator(".ag-shares td:last-child")) == [abs(float(f"{x:.3f}")) for x in wanted]
        return w

    shown()
    page.get_by_label("W_Q, row 1, column 2").fill("-0.8")
    assert shown().W_Q[0] == [1, -0.8]
    slider = page.get_by_label("Antisymmetric share", exact=True)
    for key, share in (("End", 1), ("Home", 0)):
        slider.focus()
        page.keyboard.press(key)
        w = shown()
        assert 1 - bilinear.symmetric_share(w.W_Q, w.W_K) == pytest.approx(share, abs=1e-12)
        assert (w.shares.reciprocal if share else w.shares.circulating) == pytest.approx(0, abs=1e-12)
    page.get_by_label("tie: WK = WQ", exact=True).check()
    w = shown()
    assert w.tied and page.get_by_label("W_K, row 1, column 1").is_disabled()
    np.testing.assert_allclose(w.query_vectors, w.key_vectors)
    handle(page, TOKENS).focus()
    page.keyboard.press("ArrowUp")
    shown()


@pytest.mark.parametrize("width", [320, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_open_experiment_fits_and_passes_the_checker(visit, axe, scheme, width):
    page = visit("plain", color_scheme=scheme, viewport={"width": width, "height": 900})
    page.evaluate(axe)
    for name in ("Three comparisons", "Width d", "Another basis"):
        panel = open_experiment(page, name)
        if name == "Three comparisons":
            panel.get_by_role("button", name="distance", exact=True).click()
        for ask in panel.get_by_role("button", name="About").all():
            ask.click()
        page.wait_for_timeout(400)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert not [(v["id"], [n["html"][:160] for n in v["nodes"]][:3]) for v in found]


def test_the_opened_row_says_equal_only_where_the_figures_shown_are_exact(visit):
    page = visit("plain")
    terms = page.locator(".ag-steps tbody td:nth-of-type(1)")
    assert all("=" in text and "≈" not in text for text in terms.all_inner_texts())
    page = visit("thirds")
    first, second = page.locator(".ag-steps tbody td:nth-of-type(1)").all_inner_texts()
    assert "≈" in first and "=" not in first and "0.3333" in first and "0.1235" in first
    assert "≈" in second, "1/3 is shown as 0.3333"
    for text in (first, second):
        a, b, c, d, total = (float(x.replace("−", "-")) for x in re.findall(r"−?\d+\.\d+", text))
        assert a * b + c * d == pytest.approx(total, abs=2e-3)


def test_B18_a_masked_row_on_a_phone(visit):
    page = visit("QueryKeyPlane", viewport={"width": 360, "height": 800})
    for box in page.locator(".ag-bars input").all():
        box.uncheck()
    agree(page, PLANE)
    steps = page.locator(".ag-steps")
    expect(steps.locator("tbody td:last-child")).to_have_text(["masked"] * 3)
    expect(steps.locator("tfoot td").last).to_have_text("masked")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    row = page.locator(".ag-selected")
    assert row.locator(".ag-no-weight").count() == 3
    drawn = row.locator("td").evaluate_all("cells => cells.map((c) => getComputedStyle(c, '::before').content)")
    assert all("–" in text for text in drawn)
