"""The book with its JupyterLite, built and served: every notebook runs in Chromium, and nothing leaves this machine.

``make check`` runs this file. Pyodide comes from the folder that tools/pyodide.py fills; where that cannot be had, the
tests fail and say so. Whatever the browser asks of another host goes to a proxy that notes it and refuses.
"""

import contextlib
import json
import re
import socketserver
import subprocess
import sys
import threading
from functools import partial
from http.server import ThreadingHTTPServer
from urllib.parse import urlsplit

import hosts
import pytest
from playwright.sync_api import expect

sys.path.append(str(hosts.ROOT / "tools"))
import lite  # noqa: E402
import pyodide  # noqa: E402
import serve  # noqa: E402

NOTEBOOKS = sorted((hosts.ROOT / "book").glob("*.ipynb"))
CHAPTER = "01_the_comparison"
PATIENCE = 300_000  #: milliseconds; a busy machine needs a minute
OF_THE_BROWSER = "content-autofill.googleapis.com:443"  # Chromium asks it what a form is, whatever the page
FONTS = "Matplotlib is building the font cache; this may take a moment.\n"  # once in every new Python
VERSIONS = """import json, sys, matplotlib, numpy, attention_geometry
heavy = [name for name in ("scipy", "torch", "tokenizers", "transformers") if name in sys.modules]
print(json.dumps([sys.version[:4], numpy.__version__, matplotlib.__version__, heavy, attention_geometry.__file__]))"""
PLANE = """from ipywidgets.widgets.widget import _instances
[plane] = [w for w in _instances.values() if type(w).__name__ == "QueryKeyPlane"]
print(json.dumps([plane.K, plane.weights.tolist()]))"""
CELLS = "() => jupyterapp.shell.currentWidget.content.model.toJSON().cells.filter((cell) => cell.cell_type === 'code')"
NEW_CELL = """async (source) => {
  const { content } = jupyterapp.shell.currentWidget, { commands } = jupyterapp;
  content.activeCellIndex = content.widgets.length - 1;
  await commands.execute("notebook:insert-cell-below");
  content.activeCell.model.sharedModel.setSource(source);
  await commands.execute("notebook:run-cell");
  return content.activeCell.model.toJSON().outputs;
}"""
INTO_VIEW = """async (start) => {
  const { content } = jupyterapp.shell.currentWidget;
  content.activeCellIndex = content.widgets.findIndex((cell) => cell.model.sharedModel.source.startsWith(start));
  await content.scrollToItem(content.activeCellIndex);
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the pages, built with JupyterLite beside them."""
    into = tmp_path_factory.mktemp("lite")
    command = [sys.executable, hosts.ROOT / "tools" / "lite.py", "--into", into, "--pyodide", pyodide.folder()]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return into / "_build" / "html"


@contextlib.contextmanager
def served(site, handler=serve.Handler):
    """The address of the pages, at an origin of its own: nothing is kept from another one."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, site.resolve(), False)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


class Counting(serve.Handler):
    """Remembers what was sent, as it was sent: texts compressed, wheels and wasm as they are."""

    sent = {}

    def answer(self, status, body, headers):
        self.sent[urlsplit(self.path).path] = len(body)
        super().answer(status, body, headers)


class Unreachable(serve.Handler):
    """Does not have Pyodide."""

    def do_GET(self):
        self.path = "/nowhere" if "/static/pyodide/" in self.path else self.path
        super().do_GET()


class Unprepared(Counting):
    """Has a kernel load nothing ahead of what is beside the book, except where the test's Pyodide lacks it."""

    sent = {}

    def answer(self, status, body, headers):
        if urlsplit(self.path).path == "/lite/jupyter-lite.json":
            site = json.loads((self.folder / "lite" / "jupyter-lite.json").read_text("utf-8"))
            options = site["jupyter-config-data"]["litePluginSettings"][lite.KERNEL]["loadPyodideOptions"]
            options["packages"] = [each for each in options["packages"] if "/" not in each or "typing_ext" in each]
            body, headers = json.dumps(site).encode(), {"Content-Type": "application/json"}
        super().answer(status, body, headers)


@pytest.fixture(scope="module")
def address(site):
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def abroad():
    """What is asked of any other host, and the address of the proxy that hears it."""
    asked = []

    class Refuse(socketserver.StreamRequestHandler):
        def handle(self):
            line = self.rfile.readline().decode(errors="replace")
            if OF_THE_BROWSER not in line.split():
                asked.append(line)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Refuse) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield asked, f"http://127.0.0.1:{proxy.server_address[1]}"
        proxy.shutdown()


@pytest.fixture(scope="module")
def visitor(browser, abroad):
    """One reader's browser, with the proxy for all that is not on this machine."""
    context = browser.new_context(
        proxy={"server": abroad[1], "bypass": "localhost"}, viewport={"width": 1280, "height": 1000}
    )
    yield context
    context.close()


@pytest.fixture
def page(visitor, abroad):
    page, errors = visitor.new_page(), []
    page.on("pageerror", lambda error: errors.append(f"{error} {error.stack}"))
    abroad[0].clear()
    yield page
    page.close()
    assert not errors and not abroad[0]


def opened(page, address, name):
    """The notebook, opened by its address, once Python has come and the message about it has gone."""
    page.goto(f"{address}lite/notebooks/index.html?path=book/{name}.ipynb")
    line = page.locator("#attention-geometry-loading")
    expect(line).to_contain_text("Python is loading into this browser", timeout=PATIENCE)
    expect(line).to_have_attribute("role", "status")
    page.wait_for_function("document.getElementById('attention-geometry-loading').hidden", timeout=PATIENCE)


def run_all(page):
    """Run every cell, and give the code cells as the notebook then holds them."""
    page.set_default_timeout(PATIENCE)
    page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function(f"({CELLS})().every((cell) => cell.execution_count)", timeout=PATIENCE)
    return page.evaluate(CELLS)


def say(page, source):
    """Run the source in a new cell at the end, and read what it prints."""
    [printed] = page.evaluate(NEW_CELL, source)
    return json.loads("".join(printed["text"]))


def shown(cell):
    """What a cell shows, in the forms that do not depend on how a figure is drawn."""
    kept = []
    for output in cell["outputs"]:
        data = output.get("data", {"text/plain": output.get("text", output.get("evalue"))})
        texts = {kind: "".join(data[kind]) for kind in ("text/plain", "text/html") if kind in data}
        kept.append((output["output_type"], texts, "image/svg+xml" in data))
    return [each for each in kept if each[1] != {"text/plain": FONTS}]


# ------------------------------------------------------------------- the folder


def test_the_folder_is_small_and_holds_the_notebooks_the_wheels_and_no_maps(site):
    folder = site / "lite"
    mine = [path for path in folder.rglob("*") if path.is_file() and "static/pyodide" not in path.as_posix()]
    assert sum(path.stat().st_size for path in mine) < 25e6
    assert not [path for path in mine if path.suffix == ".map"]
    files = sorted(path.relative_to(folder / "files").as_posix() for path in (folder / "files").rglob("*.*"))
    assert files == [f"book/{path.name}" for path in NOTEBOOKS]
    assert {path.parent.name for path in folder.glob("*/index.html")} == {"notebooks", "tree"}
    served = json.loads((folder / "pypi" / "all.json").read_text("utf-8"))
    assert set(served) == {"attention-geometry", *lite.SERVED}


def test_the_settings_are_still_there_after_the_build(site):
    """JupyterLite's own build, repeated in one folder, drops the address of Pyodide."""
    config = json.loads((site / "lite" / "jupyter-lite.json").read_text("utf-8"))["jupyter-config-data"]
    kernel = config["litePluginSettings"][lite.KERNEL]
    assert kernel["pyodideUrl"] == "./static/pyodide/pyodide.js" and kernel["disablePyPIFallback"] is True
    assert kernel["pipliteUrls"][0].partition("?")[0] == "./pypi/all.json"


# ------------------------------------------------------------------ the chapters


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_prints_what_is_stored(page, address, path):
    opened(page, address, path.stem)
    new = run_all(page)
    old = [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [cell["source"] for cell in new] == ["".join(cell["source"]) for cell in old]
    for before, after in zip(old, new, strict=True):
        assert shown(after) == shown(before), after["source"]
    python, numpy, matplotlib, heavy, package = say(page, VERSIONS)
    assert (python, numpy, matplotlib, heavy) == ("3.12", "2.0.2", "3.8.4", [])
    assert "site-packages" in package


def test_a_handle_moves_and_a_python_cell_sees_the_new_value(page, address):
    opened(page, address, CHAPTER)
    run_all(page)
    say(page, "import json; print(0)")
    handle = page.locator(".ag-widget [data-handle=k1]")
    expect(handle).to_have_count(1, timeout=PATIENCE)
    keys, weights = say(page, PLANE)
    page.evaluate(INTO_VIEW, "QueryKeyPlane(\n")
    expect(handle).to_be_visible()
    handle.evaluate("node => node.scrollIntoView({ block: 'center' })")
    box = handle.locator(".ag-hit").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y - 30, steps=4)
    page.mouse.up()
    handle.focus()
    page.keyboard.press("ArrowUp")
    page.wait_for_timeout(1000)
    moved, other = say(page, PLANE)
    assert moved[0] == keys[0] and moved[1] != keys[1] and other != weights
    place = [float(x) for x in re.findall(r"[−-]?[\d.]+", handle.get_attribute("aria-valuetext").replace("−", "-"))]
    assert place == [round(x, 2) for x in moved[1]]


# -------------------------------------------------------------------- the loading


def test_the_message_says_how_much_is_loaded(page, site):
    with served(site, Counting) as address:
        opened(page, address, CHAPTER)
    python = sum(size for path, size in Counting.sent.items() if re.search("/static/pyodide/|/pypi/|-kernel-", path))
    app = sum(size for path, size in Counting.sent.items() if path.startswith("/lite/")) - python
    assert python / 1e6 == pytest.approx(lite.MEGABYTES, abs=1.5) and app < 8e6, (python, app)


def test_where_pyodide_cannot_be_reached_the_message_says_so(page, site):
    with served(site, Unreachable) as address:
        page.goto(f"{address}lite/notebooks/index.html?path=book/{CHAPTER}.ipynb")
        line = page.locator("#attention-geometry-loading")
        expect(line).to_contain_text("could not be loaded from this site", timeout=PATIENCE)
        expect(line).to_contain_text("Check the network")
        expect(line).to_be_visible()


def test_B17_with_nothing_loaded_ahead_the_first_cell_installs_from_beside_the_book(page, site):
    with served(site, Unprepared) as address:
        opened(page, address, "A_positions_masks_groups")
        assert not [path for path in Unprepared.sent if "attention_geometry-" in path]
        assert not [output for cell in run_all(page) for output in cell["outputs"] if output["output_type"] == "error"]
        assert "site-packages" in say(page, VERSIONS)[-1]
    for name in ("attention_geometry", "anywidget", "ipywidgets", "psygnal", "comm"):
        assert [path for path in Unprepared.sent if path.startswith(f"/lite/pypi/{name}-")], name


# -------------------------------------------------------------------- the button


def test_the_first_button_of_a_chapter_opens_that_chapter(page, visitor, address):
    page.goto(f"{address}book/{CHAPTER}.html")
    button = page.locator(".article-header-buttons > *").first
    expect(button).to_have_text("In this browser")
    with visitor.expect_page() as new:
        button.click()
    with contextlib.closing(new.value) as notebook:
        expect(notebook.locator(".jp-Notebook h1").first).to_contain_text("How does a head", timeout=PATIENCE)


def test_from_disk_there_is_no_button(page, site):
    page.goto((site / "book" / f"{CHAPTER}.html").as_uri())
    expect(page.locator(".ag-lite")).to_have_count(1)
    expect(page.locator(".ag-lite")).to_be_hidden()
