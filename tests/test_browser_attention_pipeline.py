"""AttentionPipeline in Chromium: numbers change by hand, every stage follows, every number opens to its arithmetic."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from attention_geometry.widgets import AttentionPipeline, _still_pipeline
from attention_geometry.widgets._still_pipeline import cell_text

pytestmark = pytest.mark.browser
HOSTILE = ["<b>x</b>", "猫は", "Donaudampfschifffahrt", "\u202eabc"]
WIDE = [[1, 0, 0.5], [0, 1, -0.5], [-1, 0.5, 1], [0.5, -1, 0]]
TALL = [[1, 0], [0.5, 1], [0, -1]]


def pipeline(**options):
    return AttentionPipeline(selected=1, **options)


def four(**options):
    return AttentionPipeline(WIDE, TALL, TALL, TALL, tokens=HOSTILE, selected=3, **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    tasks = ["Look.", ("A weight.", {"opened": ("A", 1, 0), "reading": "flows"})]
    pipeline(tasks=tasks).to_html(folder / "three.html")
    four(mask="causal").to_html(folder / "four.html")
    pipeline(mask=[[True] * 3, [False] * 3, [True, True, False]]).to_html(folder / "masked.html")
    AttentionPipeline([[0, 0], [0, 0]], *[np.eye(2)] * 3, tokens=["a", "b"]).to_html(folder / "tie.html")
    return folder


def cell(page, name, i, j):
    return page.locator(f"[data-cell='{name}.{i}.{j}']")


def numbers(page, name):
    return page.locator(f"[data-matrix={name}] .ag-pipe-cell").all_inner_texts()


def agree(page, w):
    """Every stage on the page is Python's for the widget ``w``."""
    stages = w.stages()
    allowed = np.array(stages["allowed"])
    masked = np.array([row is None for row in stages["A"]])
    A = np.where(allowed, w.weights, np.nan)
    Y = np.where(masked[:, None], np.nan, w.output)
    made = {"Q": w.Q, "K": w.K, "V": w.V, "S": w.scores, "A": A, "Y": Y}
    for name, matrix in made.items():
        wanted = [cell_text(None if np.isnan(x) else float(x)) for x in np.ravel(matrix)]
        expect(page.locator(f"[data-matrix={name}] .ag-pipe-cell")).to_have_text(wanted)


def changed(w, name, i, j, value):
    matrix = [list(row) for row in getattr(w, name)]
    matrix[i][j] = value
    setattr(w, name, matrix)
    return w


# ---------------------------------------------------------------- numbers change


@pytest.mark.parametrize("name, i, j", [("X", 0, 1), ("W_Q", 1, 0), ("W_K", 0, 0), ("W_V", 1, 1)])
def test_keys_change_a_number_and_every_stage_follows(visit, name, i, j):
    page, w = visit("three"), pipeline()
    start = getattr(w, name)[i][j]
    cell(page, name, i, j).focus()
    for key, value in (("ArrowUp", start + 0.1), ("Shift+ArrowDown", start - 0.9), ("Home", start)):
        scrolled = page.evaluate("scrollY")
        page.keyboard.press(key)
        expect(cell(page, name, i, j)).to_have_text(cell_text(value, True))
        expect(cell(page, name, i, j)).to_have_attribute("aria-valuetext", cell_text(value, True))
        agree(page, changed(w, name, i, j, value))
        assert page.evaluate("scrollY") == scrolled


def test_a_number_is_dragged_up_and_down(visit):
    page = visit("three")
    box = cell(page, "W_Q", 0, 0).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3, y - 40, steps=8)
    page.mouse.up()
    agree(page, changed(pipeline(), "W_Q", 0, 0, 1.0))
    page.keyboard.press("Control+z")
    agree(page, pipeline())


def test_a_number_is_dragged_with_a_finger_once_it_is_selected(visit):
    page = visit("three", viewport={"width": 400, "height": 700}, has_touch=True, is_mobile=True)
    cell(page, "X", 2, 0).tap()
    box = cell(page, "X", 2, 0).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    scrolled, session = page.evaluate("scrollY"), page.context.new_cdp_session(page)
    for step in range(9):
        kind = {0: "touchStart", 8: "touchEnd"}.get(step, "touchMove")
        points = [] if kind == "touchEnd" else [{"x": x, "y": y - 4 * step}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    agree(page, changed(pipeline(), "X", 2, 0, -1 + 7 * 0.05))
    assert page.evaluate("scrollY") == scrolled


def test_without_dragging_a_number_is_typed_or_stepped(visit):
    page, w = visit("three"), pipeline()
    cell(page, "W_V", 0, 1).click()
    page.get_by_role("button", name="More by 0.1").click()
    agree(page, changed(w, "W_V", 0, 1, 0.1))
    page.get_by_role("button", name="Less by 0.1").click()
    field = page.get_by_role("spinbutton", name="W_V, row 1, column 2").locator("visible=true").last
    field.fill("-2.25")
    field.blur()
    agree(page, changed(w, "W_V", 0, 1, -2.25))
    cell(page, "W_V", 0, 1).focus()
    page.keyboard.type("1.5")
    page.keyboard.press("Enter")
    agree(page, changed(w, "W_V", 0, 1, 1.5))


def test_what_changed_is_marked_for_a_moment(visit):
    page = visit("three")
    assert page.locator(".ag-pipe-changed").count() == 0
    cell(page, "W_V", 0, 0).focus()
    page.evaluate(
        """() => {  // a moment can be over before one looks
            window.marked = new Set();
            const see = ({ target: { classList, dataset } }) =>
                classList.contains("ag-pipe-changed") && marked.add(dataset.cell.split(".")[0]);
            const options = { subtree: true, attributeFilter: ["class"] };
            new MutationObserver((changes) => changes.forEach(see)).observe(document.body, options);
        }"""
    )
    page.keyboard.press("Shift+ArrowUp")
    page.wait_for_function("marked.size && !document.querySelector('.ag-pipe-changed')")
    assert {"W_V", "V", "Y"} == set(page.evaluate("[...marked]")), "values change no weight"


def test_settings(visit):
    page, w = visit("three"), pipeline()
    page.get_by_label("Mask", exact=True).select_option("causal")
    w.mask = "causal"
    agree(page, w)
    page.locator(".ag-check input").uncheck()
    w.scaled = False
    agree(page, w)
    page.get_by_label("Temperature", exact=True).fill("0")
    w.temperature = 0
    agree(page, w)


# ---------------------------------------------------------------- every number opens


@pytest.mark.parametrize(
    "place, title, line",
    [
        (("X", 0, 1), "Number 2 of Birds", None),
        (("Q", 1, 0), "Query of sing, number 1", "−0.50 × 0.50 + 1.00 × 1.50 = 1.250"),
        (("S", 1, 0), "Score of sing with Birds", "(1.25 × 1.00 + 0.25 × (−0.75)) / √2 = 1.0625 / 1.4142 ≈ 0.751"),
        (
            ("A", 1, 0),
            "Weight of sing on Birds",
            "exp(0.75) / (exp(0.75) + exp(−0.71) + exp(−0.75)) = 2.12 / (2.12 + 0.49 + 0.47) = 2.12 / 3.08 ≈ 0.687",
        ),
        (("Y", 1, 0), "Output of sing, number 1", "0.6872 × 1.25 + 0.1598 × 0.00 + 0.1529 × (−1.25) ≈ 0.668"),
    ],
)
def test_a_number_opens_its_arithmetic(visit, place, title, line):
    page = visit("three")
    cell(page, *place).click()
    panel = page.get_by_label("How the selected number was made")
    expect(panel.locator(".ag-title")).to_have_text(title)
    if line:
        expect(panel.locator(".ag-pipe-sum")).to_have_text(line)
    expect(page.get_by_role("status")).to_contain_text(title)
    expect(page.locator(".ag-pipe-opened")).to_have_count(1)
    sources = {"X": 0, "Q": 4, "S": 4, "A": 3, "Y": 6}[place[0]]
    expect(page.locator(".ag-pipe-source")).to_have_count(sources)
    page.keyboard.press("Escape")
    expect(page.locator(".ag-pipe-opened")).to_have_count(0)


def test_arrows_walk_through_a_matrix_and_open_each_number(visit):
    page = visit("three")
    cell(page, "A", 0, 0).focus()
    for key, place in (("ArrowRight", "A.0.1"), ("ArrowDown", "A.1.1"), ("ArrowDown", "A.2.1"), ("ArrowDown", "A.2.1")):
        page.keyboard.press(key)
        expect(page.locator(".ag-pipe-opened")).to_have_attribute("data-cell", place)
    assert page.locator("[data-matrix=A] [tabindex='0']").count() == 1, "one stop for a table"


def test_opening_is_no_step_of_the_history(visit):
    page = visit("three")
    cell(page, "Q", 0, 0).click()
    expect(page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")


def test_a_task_opens_a_number_and_turns_the_arrows(visit):
    page = visit("three")
    page.get_by_role("button", name="Set this view").click()
    expect(page.locator(".ag-pipe-opened")).to_have_attribute("data-cell", "A.1.0")
    expect(page.get_by_role("button", name="information flows")).to_have_attribute("aria-pressed", "true")


# ---------------------------------------------------------------- the graph and its two readings


def test_the_switch_turns_the_arrows_and_the_sentence(visit):
    page = visit("three")
    heads = "nodes => nodes.map((n) => n.getAttribute('transform'))"
    edges = page.locator(".ag-pipe-graph .ag-pipe-edge path:nth-child(2)")
    before, sentence = edges.evaluate_all(heads), page.locator(".ag-pipe-sentence")
    expect(sentence).to_have_text("sing attends 0.69 to Birds, 0.16 to sing and 0.15 to softly.")
    page.get_by_role("button", name="information flows from j to i").click()
    expect(sentence).to_have_text("Into sing flow 0.69 of Birds, 0.16 of sing and 0.15 of softly.")
    after = edges.evaluate_all(heads)
    assert len(after) == 9 and sum(a != b for a, b in zip(before, after)) >= 6
    wanted = [edge[3][1]["transform"] for edge in _still_pipeline.graph_edges(pipeline(reading="flows").stages())]
    assert after == wanted, "as in the still picture"
    expect(page.get_by_role("img", name=re.compile("information flows from j to i.*Into Birds flow"))).to_have_count(1)


def test_a_token_is_followed_from_its_name_its_node_or_the_list(visit):
    page = visit("three")
    follow = page.get_by_label("Follow", exact=True)
    page.locator("[data-matrix=A] th[scope=row]").nth(2).click()
    expect(follow).to_have_value("2")
    page.locator(".ag-pipe-graph .ag-pipe-node").first.click()
    expect(follow).to_have_value("0")
    follow.select_option("1")
    expect(page.locator(".ag-pipe-sentence")).to_contain_text("sing attends")


# ---------------------------------------------------------------- predict, masks, layout, paper


def test_predict_covers_the_later_stages(visit):
    page = visit("three")
    cell(page, "A", 1, 0).click()
    page.get_by_role("button", name="Predict").click()
    expect(page.locator(".ag-predict legend")).to_have_text("Which word gives most to the output of sing?")
    for hidden in ("[data-matrix=A]", "[data-matrix=Y]", ".ag-pipe-graph", ".ag-pipe-sentence", ".ag-pipe-sum"):
        expect(page.locator(hidden)).to_be_hidden()
    for seen in ("[data-matrix=X]", "[data-matrix=Q]", "[data-matrix=S]"):
        expect(page.locator(seen)).to_be_visible()
    page.get_by_role("radio", name="sing", exact=True).check()
    page.get_by_role("button", name="Commit").click()
    verdict = page.locator(".ag-verdict")
    expect(verdict).to_contain_text("Not so: Birds. The scores in its row are Birds 0.75, sing −0.71, softly −0.75")
    cell(page, "A", 1, 1).click()
    expect(verdict).to_contain_text("Not so"), "looking is no new state"


def test_a_tie_is_an_answer(visit):
    page = visit("tie")
    page.get_by_role("button", name="Predict").click()
    page.get_by_role("radio", name="no single one").check()
    page.get_by_role("button", name="Commit").click()
    expect(page.locator(".ag-verdict")).to_contain_text("Right.")


def test_B18_a_masked_row_says_so(visit):
    page = visit("masked")
    w = pipeline(mask=[[True] * 3, [False] * 3, [True, True, False]])
    agree(page, w)
    expect(page.locator(".ag-pipe-sentence")).to_have_text("sing is masked: it may attend to nothing.")
    cell(page, "A", 1, 0).click()
    expect(page.locator(".ag-pipe-sum")).to_have_text("masked")
    page.get_by_role("button", name="Predict").click()
    expect(page.locator(".ag-predict")).to_contain_text("nothing to predict")
    assert not re.search(r"NaN|null|undefined|Infinity", page.locator(".ag-widget").inner_text())


@pytest.mark.parametrize("name", ["three", "four"])
@pytest.mark.parametrize("width", [320, 360, 520, 600, 664, 700, 860, 1200])
def test_the_stages_stand_in_order_and_nothing_lies_on_anything(visit, name, width):
    page = visit(name, viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    boxes = page.locator(".ag-pipe-table, .ag-pipe-graph, .ag-pipe-points").evaluate_all(
        "nodes => nodes.map((n) => n.getBoundingClientRect()).map((b) => [b.left, b.top, b.right, b.bottom])"
    )
    for a, one in enumerate(boxes):
        for other in boxes[a + 1 :]:
            apart = one[2] <= other[0] + 1 or other[2] <= one[0] + 1 or one[3] <= other[1] + 1 or other[3] <= one[1] + 1
            assert apart, (one, other)
    stages = page.locator(".ag-pipe-stage").evaluate_all(
        "nodes => nodes.map((n) => n.getBoundingClientRect()).map((b) => [b.left, b.top])"
    )
    wide = page.locator(".ag-pipe-wide").count()
    assert wide == (width >= (664 if name == "four" else 600))
    order = [(round(x), round(y)) if wide else (0, round(y)) for x, y in stages]
    assert order == sorted(order), "left to right, or top to bottom"


def test_stages_are_an_ordered_list_of_real_tables(visit):
    page = visit("four")
    assert page.locator("ol.ag-pipe-stages > li").count() == 6
    tables = page.locator("ol.ag-pipe-stages table")
    assert tables.count() == 10
    for table in tables.all():
        assert table.locator("caption").count() == 1 and table.locator("th[scope=row]").count() >= 3
    assert page.get_by_role("spinbutton").count() == 12 + 18
    names = page.locator("[data-matrix=A] thead th").evaluate_all("nodes => nodes.map((n) => n.title)")
    assert names == HOSTILE, "what is cut can be read in full"
    assert page.locator(".ag-widget b:not(.ag-pipe-kind b, .ag-pipe-piece b)").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_file_for_paper_is_one_picture_of_all_stages(visit, scheme, tmp_path):
    page = visit("three", color_scheme=scheme)
    cell(page, "X", 0, 0).focus()
    page.keyboard.press("Shift+ArrowUp")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").click()
    download.value.save_as(tmp_path / "x.svg")
    made = (tmp_path / "x.svg").read_text("utf-8")
    w = changed(pipeline(), "X", 0, 0, 2.0)
    drawing = _still_pipeline.picture(w.stages(), w.tokens, _still_pipeline.settings_line(w.stages()))
    wanted = re.findall(r">([^<>]+)</text>", _still_pipeline.markup(drawing))
    assert re.findall(r">([^<>]+)</text>", made) == wanted and len(wanted) > 80
    assert 'fill="white"' in made and "class=" not in made
    page.goto((tmp_path / "x.svg").as_uri())
    assert len(page.pdf(format="A4", landscape=True)) > 5_000
