"""Run in this page: what a cell needs of the cells above, which cells get a button, and the buttons in Chromium."""

import ast
import base64
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect

ROOT = Path(__file__).parent.parent
SITE = ROOT / "_build" / "html"
sys.path[:0] = [str(ROOT / "book" / "_ext"), str(ROOT / "tools")]

import ag_cells  # noqa: E402
import ag_needs  # noqa: E402
import ag_run  # noqa: E402
import pyodide  # noqa: E402
import serve  # noqa: E402

NOTEBOOKS = sorted((ROOT / "book").glob("*.ipynb"))
PAGE = "book/01_the_comparison"


def cells_of(path):
    """The code cells that the page of a notebook shows."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [c for c in cells if c["cell_type"] == "code" and "remove-cell" not in c["metadata"].get("tags", [])]


def sources(cells):
    return ["".join(cell["source"]) for cell in cells]


def stored_text(cell):
    """What a cell shows, as text."""
    texts = [output.get("text") or [*output["data"]["text/plain"], "\n"] for output in cell["outputs"]]
    return "".join("".join(text) for text in texts).rstrip("\n")


def needed(*cells):
    """The statements that the last of these cells needs of the others, as text."""
    return [ast.unparse(node) for node in ag_cells.needed(list(cells), len(cells) - 1)]


# ------------------------------------------------------- what a cell needs


NEEDED = {  # the cells; the statements that the last of them needs of the others
    "the last binding counts": (["a = 1", "a = 2", "b = 3", "a"], ["a = 2"]),
    "with what it reads": (["a = 1; b = 2", "c = a + 1", "c"], ["a = 1", "c = a + 1"]),
    "a name bound from itself": (["d = 1", "d = d + 1", "d"], ["d = 1", "d = d + 1"]),
    "the cell's own bindings come first": (["x = 1", "x = 2\nprint(x)"], []),
    "imports one by one": (["import os, json as j\nfrom math import pi, e", "j, e"],
                           ["import json as j", "from math import e"]),
    "a change in place": (["a = [1]", "a[0] = 2", "a"], ["a = [1]", "a[0] = 2"]),
    "a method called for its effect": (["a = []", "a.append(1)", "len(a)", "a"], ["a = []", "a.append(1)"]),
    "a change by NumPy": (["import numpy as np", "S = np.ones(2)", "np.fill_diagonal(S, 0)", "S"],
                          ["import numpy as np", "S = np.ones(2)", "np.fill_diagonal(S, 0)"]),
    "an addition in place": (["a = 1", "a += 1", "a"], ["a = 1", "a += 1"]),
    "a generator, by every use": (["rng = default_rng(0)", "x = rng.normal()\ny = 2", "z = rng.normal()"],
                                  ["rng = default_rng(0)", "x = rng.normal()"]),
    "a generator inside a function": (["rng = default_rng(0)", "f = lambda: rng.normal()", "u = f()", "rng.normal()"],
                                      ["rng = default_rng(0)", "f = lambda: rng.normal()", "u = f()"]),
    "what a function reads when called": (["K = 1", "f = lambda x: K * x", "K = 2", "f(1)"],
                                          ["f = lambda x: K * x", "K = 2"]),
    "not its own names": (["x = 1", "f = lambda x: x", "f(2)"], ["f = lambda x: x"]),
    "a loop may not run": (["a = 0", "for i in range(3):\n    a = i", "a"],
                           ["a = 0", "for i in range(3):\n    a = i"]),
    "counters of loops": (["i = 1", "for i in [2]:\n    print(i)"], []),
    "what a loop binds before it reads it": (["d = 1", "for i in [2]:\n    d = i\n    print(d)"], []),
    "counters of comprehensions": (["x = 1", "[x for x in range(3)]"], []),
    "what stands under with": (["f = g = 1", "with f as h:\n    g, h"], ["f = g = 1"]),
    "what stands under try": (["e = 1; g = 2", "try:\n    g\nexcept Exception as e:\n    e"], ["g = 2"]),
    "a function called at once": (["w = [1]", "x = max([0], key=lambda i: w[i])", "w = 2", "x"],
                                  ["w = [1]", "x = max([0], key=lambda i: w[i])", "w = 2"]),
    "no printing, no figures": (["a = 1", "print(a)", "fig = plot(a)", "a"], ["a = 1"]),
    "nothing of what cannot be read": (["a = 1", "a = = 2", "a"], ["a = 1"]),
}  # fmt: skip


@pytest.mark.parametrize("case", NEEDED)
def test_a_cell_needs(case):
    cells, wanted = NEEDED[case]
    assert needed(*cells) == wanted


def run(*cells):
    return json.loads(ag_cells.run(list(cells), len(cells) - 1))


def test_a_run_shows_what_is_printed_and_the_last_value():
    assert run("a = 1", "print('x')\na + 1") == {"output": "x\n2\n", "error": ""}
    assert run("a = [3]", "a.sort()")["output"] == ""  # None is not shown
    assert run("a = 1", "a;")["output"] == ""
    assert run("print('above')\na = 1", "a")["output"] == "1\n"
    assert run("a = 2", "import sys\nprint('careful', file=sys.stderr)\na")["output"] == "careful\n2\n"


def test_every_run_starts_afresh():
    cells = ["a = [1]", "a.append(2)\na", "a"]
    for _ in range(2):
        assert json.loads(ag_cells.run(cells, 1))["output"] == "[1, 2]\n"
        assert json.loads(ag_cells.run(cells, 0))["output"] == ""
    assert json.loads(ag_cells.run(["a = [5]", *cells[1:]], 2))["output"] == "[5, 2]\n"  # the reader changed a cell


@pytest.mark.parametrize(
    "cells, said",
    [
        (["1\n1 / 0"], "ZeroDivisionError: division by zero\n  line 2: 1 / 0"),
        (["def f(x):\n    return 1 / x", "f(0)"], "ZeroDivisionError: division by zero\n  raised in a cell above"),
        (["a = = 1"], "SyntaxError: invalid syntax\n  line 1: a = = 1"),
        (["a = = 1", "a"], "Left out, for it cannot be read as Python, is the cell above that begins: a = = 1"),
        (["import matplotlib_of_another_world"], "This page's Python has NumPy"),
        (["raise SystemExit(3)"], "SystemExit: 3\n  line 1"),
        (["from attention_geometry import attention\nattention.softmax([[float('nan')]])"], "\n  line 2: attention."),
    ],
)
def test_an_error_says_what_and_where(cells, said):
    answer = run(*cells)
    assert said in answer["error"] and len(answer["error"].splitlines()) <= 3


def test_output_is_kept_up_to_a_limit():
    answer = run(f"print('x' * {ag_cells.LIMIT + 5})\nprint('y')")
    assert answer["output"] == "x" * ag_cells.LIMIT + "… 8 more characters"


# ------------------------------------------------ what needs more than NumPy


@pytest.fixture(scope="module")
def package():
    return ag_needs.Package(ROOT / "attention_geometry", "widgets")


@pytest.mark.parametrize(
    "source, more",
    [
        ("import numpy as np, textwrap, math", set()),
        ("import scipy.stats", {"scipy"}),
        ("import urllib.request", {"urllib"}),
        ("from attention_geometry import attention\nattention.softmax([[1.0]])", set()),
        ("from attention_geometry import plots\nplots.BLUE", set()),
        ("from attention_geometry import plots\nplots.style()", {"matplotlib"}),
        ("from attention_geometry import axioms\naxioms.check_axioms(D)", set()),
        ("from attention_geometry import axioms\naxioms.ordinal_test(S)", {"scipy"}),
        ("from attention_geometry.axioms import ordinal_test as f\nf(S)", {"scipy"}),
        ("from attention_geometry import explanation\nexplanation.attention_flow(A)", {"networkx"}),
        ("from attention_geometry import data\ndata.sentence_record()", set()),
        ("from attention_geometry import data\ndata.sentence_record().to_xarray()", {"xarray"}),
        ("from attention_geometry import facts\nfacts.stored('triangles')", set()),
        ("from attention_geometry import measure", {"scipy"}),
        ("from attention_geometry import widgets", {"attention_geometry.widgets"}),
        ("from attention_geometry.widgets import MixtureHull", {"attention_geometry.widgets"}),
    ],
)
def test_code_needs_beyond_numpy(package, source, more):
    found = package.needs(ast.parse(source).body)
    assert found == more if not more else more <= found


BLOCKED = """
import importlib, json, sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in {*sys.stdlib_module_names, "numpy", "attention_geometry", *FROM_HERE}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Block())
"""


def without_libraries(program, *given):
    """What a program prints where nothing but NumPy and this folder can be imported."""
    path = f"import sys; sys.path[:0] = {[str(ROOT), str(ROOT / 'book' / '_ext')]}; FROM_HERE = ['ag_cells']"
    done = subprocess.run([sys.executable, "-c", path + BLOCKED + program], input=json.dumps(given), text=True,
                          capture_output=True, encoding="utf-8")  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_a_module_needs_what_its_import_asks_for(package):
    program = """
def fails(name):
    try:
        importlib.import_module(name)
    except ImportError:
        return True
print(json.dumps([name for name in json.load(sys.stdin)[0] if fails(name)]))"""
    modules = sorted(name for name in package.trees if "__main__" not in name)
    assert without_libraries(program, modules) == [name for name in modules if package.module_needs(name)]


def test_with_numpy_alone_every_cell_with_a_button_gives_its_stored_output():
    """What the text of the package cannot tell, running tells; `hosts_pyodide.py` does the same in Pyodide."""
    program = """
import ag_cells
print(json.dumps([[ag_cells.run(cells, index) for index in chosen] for cells, chosen in json.load(sys.stdin)]))"""
    pages = [(sources(cells), ag_run.runnable(cells)) for cells in map(cells_of, NOTEBOOKS)]
    assert sum(len(chosen) for _, chosen in pages) > 80
    assert_stored(pages, without_libraries(program, *pages))


def assert_stored(pages, answers):
    """Each of the chosen cells of each page answered with its stored output."""
    for path, (texts, chosen), given in zip(NOTEBOOKS, pages, answers, strict=True):
        for index, answer in zip(chosen, given, strict=True):
            wanted = {"output": stored_text(cells_of(path)[index]) + "\n", "error": ""}
            assert json.loads(answer) == wanted, f"{path.stem}, the cell that begins {texts[index][:60]!r}"


# ------------------------------------------------------- what pages carry


def cell(source, *outputs):
    return {"source": source, "outputs": [{"data": {kind: ""}} if kind else {"text": ""} for kind in outputs]}


@pytest.mark.parametrize(
    "made, has_button",
    [
        (cell("1 + 1", "text/plain"), True),
        (cell("print(1)", None), True),
        (cell("a = 1"), False),  # shows nothing
        ({"source": "plot()", "outputs": [{"data": {"image/svg+xml": "", "text/plain": ""}}]}, False),
        (cell("import matplotlib\n1", "text/plain"), False),
        (cell("open('x').read()", "text/plain"), False),
        (cell("%time 1", "text/plain"), False),
        (cell("\n".join(["1"] * (ag_run.LINES + 1)), "text/plain"), False),
    ],
)
def test_a_short_cell_that_shows_text_and_needs_numpy_gets_a_button(made, has_button):
    assert ag_run.runnable([made]) == [0] * has_button
    above = {"source": "import matplotlib.pyplot as plt; a = 1; b = plt", "outputs": []}
    assert ag_run.runnable([above, cell("a", "text/plain")]) == [1]
    assert ag_run.runnable([above, cell("b", "text/plain")]) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_page_marks_the_cells_that_can_run(path):
    cells, page = cells_of(path), BeautifulSoup((SITE / "book" / f"{path.stem}.html").read_text("utf-8"), "html.parser")
    shown = [block for block in page.select("div.cell") if block.select_one(".cell_input pre")]
    assert [block.select_one(".cell_input pre").text.rstrip("\n") for block in shown] == sources(cells)
    marked = [index for index, block in enumerate(shown) if "ag-run" in block["class"]]
    assert marked == ag_run.runnable(cells)
    assert {index for index, text in enumerate(sources(cells)) if text.startswith("answer = ...")} <= set(marked)
    assert not page.select(".ag-run button:not(.copybtn)")  # without a script no button
    scripts = [script.get("src", "").partition("?")[0] for script in page.select("script")]
    assert any(name.endswith("ag-run.js") for name in scripts) == bool(marked)
    assert not any(ag_run.PYTHON in name for name in scripts)
    footer = " ".join(page.select_one(".extra_footer").text.split())
    assert (ag_run.UNTIL_RUN.format("cdn.jsdelivr.net") if marked else ag_run.NOTHING_ELSE) in footer


def test_what_a_button_fetches():
    content = (SITE / "_static" / ag_run.PYTHON).read_text("utf-8")
    settings = json.loads(content.removeprefix("globalThis.agPython = ").rstrip(";\n"))
    assert settings["source"] == pyodide.CDN and settings["integrity"] == pyodide.INTEGRITY
    assert len(gzip.compress(content.encode())) < 1_300_000
    archive = base64.b64decode(settings["archive"])
    assert archive == ag_run.archive()
    names = zipfile.ZipFile(io.BytesIO(archive)).namelist()
    assert {"ag_cells.py", "attention_geometry/laws/ch1.py", "attention_geometry/data/facts.json"} <= set(names)
    assert not [name for name in names if "widgets" in name or "__pycache__" in name]
    assert len(gzip.compress((SITE / "_static" / ag_run.SCRIPT).read_bytes())) < 4_000


def test_another_folder_can_take_the_place_of_the_cdn():
    settings = json.loads(ag_run.python("_static/pyodide").removeprefix("globalThis.agPython = ").rstrip(";\n"))
    assert settings["source"] == "_static/pyodide/" and ag_run.host("_static/pyodide") == "this site"
    assert ag_run.host("https://example.org/x/") == "example.org"


@pytest.fixture(scope="module")
def folder():
    return pyodide.folder()


def test_pages_know_the_digests_of_pyodide(folder):
    def digest(name):
        return "sha384-" + base64.b64encode(hashlib.sha384((folder / name).read_bytes()).digest()).decode()

    assert pyodide.INTEGRITY == {name: digest(name) for name in pyodide.INTEGRITY}
    assert set(pyodide.INTEGRITY) == {*pyodide.CORE_FILES, pyodide.LOCK} - {"pyodide.mjs"}
    names = [*pyodide.INTEGRITY, *(path.name for path in folder.glob("numpy-*.whl"))]
    sent = sum(len(gzip.compress((folder / name).read_bytes(), 6)) for name in names)
    assert round(sent / 1e6) == pyodide.MEGABYTES


# ------------------------------------------------------------- in Chromium


@pytest.fixture(scope="module")
def site():
    if not (SITE / "index.html").is_file():
        pytest.fail("the book is not built: run make book first")
    server = serve.server(SITE, verbose=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class Visit:
    """A page of the book; what it asks of the CDN comes from the local folder, and all else outside is refused."""

    def __init__(self, browser, folder, base, name=PAGE, **settings):
        self.context = browser.new_context(**{"viewport": {"width": 1000, "height": 900}, **settings})
        self.asked, self.troubles, self.spoil = [], [], {}
        home = base if base.startswith("http") else SITE.as_uri()

        def answer(route):
            url = route.request.url
            if url.startswith((home, "data:", "blob:")):
                return route.continue_()
            self.asked.append(url)
            file = folder / url.removeprefix(pyodide.CDN)
            if not url.startswith(pyodide.CDN) or self.spoil.get(file.name) == "lost":
                return route.abort()
            body = file.read_bytes() + b" " * (self.spoil.get(file.name) == "changed")
            route.fulfill(body=body, headers={"access-control-allow-origin": "*"})

        self.context.route("**/*", answer)
        self.page = self.context.new_page()
        self.page.set_default_timeout(120_000)  # a busy machine is no failure
        expect.set_options(timeout=120_000)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.goto(f"{base}/{name}.html")
        # All is laid out at once, so that nothing moves between the two halves of a click.
        self.page.add_style_tag(content="* { content-visibility: visible !important }")

    def cell(self, source):
        """The cell whose stored code holds this text."""
        return self.page.locator(".cell.ag-run").filter(has=self.page.locator("pre", has_text=source)).first

    def run(self, cell):
        """Press the button by its key, which cannot miss it, and give what came."""
        cell.get_by_role("button", name="Run this code").press("Enter")
        expect(cell.get_by_role("status")).to_have_text(re.compile(r"^(Done|Error)"))
        return cell.locator(".ag-run-result").inner_text()

    def edit(self, cell, text):
        if cell.locator("textarea").count() == 0:
            cell.get_by_role("button", name="Edit this code").click()
        cell.locator("textarea").fill(text)

    def reset(self):
        for button in self.page.locator(".ag-run-bar button:text-is('Reset')").all():
            if button.is_visible():
                button.click()


@pytest.fixture(scope="module")
def shared(browser, folder, site):
    """One page for all tests that only need Python to run: it is loaded once."""
    visit = Visit(browser, folder, site)
    yield visit
    visit.context.close()
    assert not visit.troubles
    assert all(url.startswith(pyodide.CDN) for url in visit.asked)


@pytest.fixture
def living(shared):
    yield shared
    shared.reset()


def test_nothing_is_fetched_before_a_button_is_pressed(browser, folder, site):
    visit = Visit(browser, folder, site)
    expect(visit.page.get_by_role("button", name="Run this code")).to_have_count(
        len(ag_run.runnable(cells_of(ROOT / f"{PAGE}.ipynb")))
    )
    visit.edit(visit.cell("B = bilinear"), "1")
    requests = visit.page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert not visit.asked and not [name for name in requests if ag_run.PYTHON in name]
    visit.context.close()


def test_a_cell_gives_its_stored_output(living):
    for text in ("Q @ K.T ", "B = bilinear", "f   ="):
        cell = living.cell(text)
        wanted = cell.locator(".cell_output").text_content().partition("Copy to")[0].strip()
        assert living.run(cell).strip() == wanted
        expect(cell.locator(".cell_output")).to_be_hidden()
    assert sorted(url.removeprefix(pyodide.CDN) for url in living.asked)[0].startswith("numpy-")
    assert len(living.asked) == len(set(living.asked)) == 6


def test_cells_share_what_stands_on_the_page_and_reset_brings_it_back(living):
    above, below = living.cell("S = attention.scores"), living.cell("B = bilinear")
    first = living.run(below)
    code = above.locator("pre").first.text_content()
    living.edit(above, code.replace("[[1.0, 1], [0, 1]]", "[[5.0, 1], [0, 1]]"))
    assert living.run(below) != first  # whether or not the cell above was run
    above.get_by_role("button", name="Reset").click()
    expect(above.locator("textarea")).to_have_count(0)
    expect(above.locator(".cell_output")).to_be_visible()
    expect(above.get_by_role("button", name="Run this code")).to_be_focused()
    assert living.run(below) == first


def test_an_exercise_answers_with_a_witness(living):
    cell = living.cell("ch1-order")
    assert "no answer yet" in living.run(cell) and "hint" in cell.locator(".ag-run-output").inner_text()
    cell.get_by_role("button", name="Edit this code").click()
    assert living.page.evaluate("document.getSelection().toString()") == "..."  # typing goes where the answer goes
    living.edit(cell, 'exercises.check("ch1-order", ([1.0, 0], [1.0, 0]))')
    assert "does not hold here" in living.run(cell)


def test_an_error_is_one_clear_tail_and_output_is_text(living):
    cell = living.cell("B = bilinear")
    living.edit(cell, "print('<img src=x onerror=alert(1)>')\nB = undefined_name")
    living.run(cell)
    assert cell.locator(".ag-run-output").inner_text() == "<img src=x onerror=alert(1)>"
    assert cell.locator(".ag-run-result img").count() == 0
    said = cell.locator(".ag-run-error").inner_text()
    assert said == "NameError: name 'undefined_name' is not defined\n  line 2: B = undefined_name"
    expect(cell.get_by_role("status")).to_have_text("Error.")


def test_a_cell_is_run_edited_and_left_by_keys_alone(living):
    page, cell = living.page, living.cell("Q @ K.T ")
    cell.locator("xpath=preceding::a[1]").focus()
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.ariaLabel") == "Run this code":
            break
    page.keyboard.press("Enter")
    expect(cell.get_by_role("status")).to_have_text(re.compile("^Done"))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    area = cell.locator("textarea")
    expect(area).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("for i in range(2):\nprint(i)")  # the line under a colon is indented
    page.keyboard.press("Control+Enter")
    expect(cell.locator(".ag-run-output")).to_have_text("0\n1")
    expect(area).to_be_focused()
    page.keyboard.press("Tab")  # no trap
    expect(cell.get_by_role("button", name="Run this code")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(area).to_be_focused()
    page.keyboard.press("Escape")
    expect(cell.get_by_role("button", name="Run this code")).to_be_focused()


def test_an_endless_loop_can_be_stopped(living):
    cell, other = living.cell("Q @ K.T "), living.cell("B = bilinear")
    living.run(other)
    living.edit(cell, "while True: pass")
    cell.get_by_role("button", name="Run this code").click()
    expect(cell.get_by_role("status")).to_have_text("Running …")
    other.get_by_role("button", name="Run this code").click()  # waits behind it
    cell.get_by_role("button", name="Stop this run").click()
    for each in (cell, other):
        expect(each.get_by_role("status")).to_have_text("Stopped.")
        expect(each.get_by_role("button", name="Run this code")).to_be_visible()
    living.edit(cell, "6 * 7")
    assert living.run(cell) == "42"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_open_cell_is_accessible_and_fits_a_small_screen(living, axe, theme):
    page = living.page
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    cell = living.cell("B = bilinear")
    living.edit(cell, "print('x' * 500)\n1 / 0  # " + "long " * 60)
    living.run(cell)
    page.evaluate(axe)
    assert not page.evaluate("async () => (await axe.run('.cell.ag-run')).violations.map(each => each.id)")
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    sizes = [button.bounding_box() for button in cell.locator(".ag-run-bar button:visible").all()]
    assert len(sizes) == 2 and all(box["height"] >= 24 and box["width"] >= 24 for box in sizes)
    expect(cell.locator(".ag-run-output")).to_have_attribute("tabindex", "0")  # it scrolls
    page.set_viewport_size({"width": 1000, "height": 900})
    page.evaluate("document.documentElement.dataset.theme = 'light'")


def test_paper_shows_the_stored_code_and_output(living):
    cell = living.cell("B = bilinear")
    living.edit(cell, "1")
    living.run(cell)
    living.page.emulate_media(media="print")
    for part in (".ag-run-bar", ".ag-run-result", "textarea", ".ag-run-note"):
        expect(cell.locator(part)).to_be_hidden()
    for part in (".cell_input pre", ".cell_output pre"):
        expect(cell.locator(part).first).to_be_visible()
    living.page.emulate_media(media="screen")


def test_from_disk_and_a_network_that_fails_or_lies(browser, folder):
    """F22: one line and Retry. A file that is not the one this book was tried with is not run."""
    visit = Visit(browser, folder, SITE.as_uri(), "book/A_positions_masks_groups")
    cell = visit.cell("rope_rotation")
    for spoilt in (dict.fromkeys([*pyodide.CORE_FILES, pyodide.LOCK], "lost"), {"pyodide.js": "changed"}):
        visit.spoil = spoilt
        cell.get_by_role("button", name=re.compile("Run this code|Retry")).click()
        expect(cell.get_by_role("button", name="Retry to load Python")).to_be_visible()
        line = "Python could not be loaded from cdn.jsdelivr.net. Is there a network?"
        expect(cell.get_by_role("status")).to_have_text(line)
    visit.spoil = {}
    cell.get_by_role("button", name="Retry to load Python").click()
    expect(cell.locator(".ag-run-output")).to_contain_text("one score, two ways: True")
    assert not visit.troubles
    visit.context.close()
