"""Run in this page: a button under each short cell that needs NumPy alone.

A cell gets one if its stored output is text, and if neither it nor the statements it needs of the cells above
(`ag_cells.needed`) ask for more than NumPy, Python's own library and the parts of the package that these suffice for
(`ag_needs`). The page itself only carries the script of the buttons. What runs, the package and the addresses, is one
script more, fetched when a button is pressed: a page opened from disk can load a script, but no other file.

Pyodide comes from its own CDN, or from where ``ag_run_source`` says: an address, or a folder of the built pages.
"""

from __future__ import annotations

import ast
import base64
import io
import json
import sys
import zipfile
import zlib
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import ag_cells
import ag_needs
from docutils import nodes
from sphinx.util import logging

log = logging.getLogger(__name__)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "tools"))

import pyodide  # noqa: E402

SCRIPT, PYTHON = "ag-run.js", "ag-python.js"
LINES = 20  # a longer cell is not one to play with
NOTHING_ELSE = "This page loads nothing from any other host."
UNTIL_RUN = "This page loads nothing from any other host, until you press Run: then Python comes from {}."
NOT_HERE = {"open", "input", "breakpoint", "__import__", "display", "get_ipython"}  # files, a keyboard, a notebook
WITHOUT = "widgets"  # the part of the package that a page's Python has not got: its widgets have no kernel anyway


def setup(app):
    app.add_config_value("ag_run_source", pyodide.CDN, "html", [str])
    app.connect("doctree-resolved", mark)
    app.connect("html-page-context", equip)
    app.connect("build-finished", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


# ------------------------------------------------------------ which cells


def mark(app, doctree, docname):
    """Give each cell that can run in the page a class, by which the script finds it."""
    path = Path(app.env.doc2path(docname))
    if app.builder.name != "html" or path.suffix != ".ipynb":
        return
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    shown = [
        node
        for node in doctree.findall(nodes.container)
        if node.get("nb_element") == "cell_code"
        and any(part.get("nb_element") == "cell_code_source" for part in node.findall(nodes.container))
    ]
    chosen = runnable([cells[node["cell_index"]] for node in shown])
    for index in chosen:
        shown[index]["classes"].append("ag-run")


def runnable(cells: list[dict]) -> list[int]:
    """Which of the code cells of a page can run in it."""
    sources = ["".join(cell["source"]) for cell in cells]
    return [index for index, cell in enumerate(cells) if fits(cell) and not needs(sources, index)]


def fits(cell: dict) -> bool:
    """Is a cell short, and is all that it shows text?"""
    kinds = [set(output.get("data", {"text/plain": ""})) for output in cell["outputs"]]
    short = len("".join(cell["source"]).splitlines()) <= LINES
    text = all("text/plain" in kind and not any(name.startswith("image/") for name in kind) for kind in kinds)
    return bool(kinds) and short and text


def needs(sources: list[str], index: int) -> set[str]:
    """What a cell and the statements above that it depends on ask for beyond what a page has."""
    if not (own := ag_cells.read(sources[index])):
        return {"a cell of Python"}
    trees = [*ag_cells.needed(sources, index), *(one.node for one in own)]
    names = {part.id for tree in trees for part in ast.walk(tree) if isinstance(part, ast.Name)}
    return package().needs(trees) | (names & NOT_HERE)


@cache
def package() -> ag_needs.Package:
    return ag_needs.Package(ROOT / ag_needs.PACKAGE, WITHOUT)


# ------------------------------------------------------------ what pages get


def equip(app, pagename, templatename, context, doctree):
    if app.builder.name != "html" or doctree is None:
        return
    if any("ag-run" in node["classes"] for node in doctree.findall(nodes.container)):
        source = app.config.ag_run_source
        told = {
            "python": f"{PYTHON}?v={zlib.crc32(python(source).encode()):08x}",
            "host": host(source),
            "megabytes": str(pyodide.MEGABYTES),
        }
        app.add_js_file(SCRIPT, loading_method="defer", **{f"data-{name}": value for name, value in told.items()})
        footer = context.get("theme_extra_footer", "")
        if NOTHING_ELSE not in footer:
            log.warning("the footer does not say %r, which this page makes untrue", NOTHING_ELSE, location=pagename)
        context["theme_extra_footer"] = footer.replace(NOTHING_ELSE, UNTIL_RUN.format(host(source)))


def write(app, error):
    if error is None and app.builder.name == "html":
        path = Path(app.outdir, "_static", PYTHON)
        path.write_text(python(app.config.ag_run_source), encoding="utf-8")


@cache
def python(source: str) -> str:
    """The script that a button fetches: where Pyodide is, what its files must be, the worker's code, the package."""
    settings = {
        "source": source.rstrip("/") + "/",
        "integrity": pyodide.INTEGRITY,
        "worker": (HERE / "ag_run_worker.js").read_text(encoding="utf-8"),
        "archive": base64.b64encode(archive()).decode(),
    }
    return f"globalThis.agPython = {json.dumps(settings, ensure_ascii=False)};\n"


def host(source: str) -> str:
    return urlsplit(source).netloc or "this site"


def archive() -> bytes:
    """The package without its widgets, and the file that runs cells, as a zip that is the same for the same files."""
    folder = ROOT / ag_needs.PACKAGE
    files = {HERE / "ag_cells.py": "ag_cells.py"}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith(f"{WITHOUT}/") and "__pycache__" not in name:
            files[path] = f"{ag_needs.PACKAGE}/{name}"
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        for path, name in files.items():
            packed.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return held.getvalue()
