"""The notebooks and the package's installation in the environment that Colab gives, as far as this Python allows.

``make check`` runs this file. Colab itself cannot be run outside of it; its versions of everything the chapters import
can, in the environment that ``tests/hosts.py`` makes and also drives in a browser.
"""

import json
import os
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import hosts
import pytest

sys.path.append(str(hosts.ROOT / "tools"))
import repository  # noqa: E402

[COLAB] = [host for host in hosts.HOSTS if host.name == "colab"]
NOTEBOOKS = sorted((hosts.ROOT / "book").glob("*.ipynb"))
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
SOMEWHERE = repository.Repository("https://github.com/owner/name", "main")
USE = """from attention_geometry import widgets
print(widgets.__file__)
widgets.QueryKeyPlane([[1, 0]], [[0, 1]], [[1, 1]])"""
INSTALL = """import json, sys, nbformat, nbclient
cells = [nbformat.v4.new_code_cell(source) for source in json.loads(sys.argv[1])]
book = nbformat.v4.new_notebook(cells=cells)
nbclient.NotebookClient(book, timeout=600, kernel_name="python3").execute()
printed, shown = cells[-1].outputs
print(printed.text, *shown.data, shown.data["text/html"][:200])"""


@pytest.fixture(scope="module")
def python():
    return hosts.installed(COLAB)


@pytest.fixture
def colab(python, tmp_path):
    """Run a command in Colab's environment, with no settings of this user."""
    folders = {f"JUPYTER_{kind}_DIR": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "RUNTIME")}
    settings = {**os.environ, **ONE_THREAD, **folders, "IPYTHONDIR": str(tmp_path), "JUPYTER_PREFER_ENV_PATH": "1"}
    settings.pop("PYTHONPATH", None)

    def colab(*command, cwd=tmp_path, **more):
        done = subprocess.run([python, *command], cwd=cwd, env=settings | more, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout

    return colab


def versions(colab):
    return {item["name"]: item["version"] for item in json.loads(colab("-m", "pip", "list", "--format=json"))}


def test_the_versions_are_colabs(colab):
    found = versions(colab)
    assert {name: found[name] for name in ("numpy", "ipywidgets", "traitlets", "ipython", "anywidget")} == {
        "numpy": "2.1.3",
        "ipywidgets": "7.7.1",
        "traitlets": "5.7.1",
        "ipython": "7.34.0",
        "anywidget": "0.9.21",
    }
    assert found["matplotlib"].startswith("3.10.") and found["scipy"].startswith("1.16.")
    assert not {"torch", "networkx", "safetensors"} & set(found), "what no extra of the first cell declares"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_B15_a_notebook_runs_from_top_to_bottom_with_colabs_versions(colab, path):
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", hosts.ROOT]
    said = colab(*command, "--nbval-lax", "--nbval-cell-timeout=300", path, cwd=hosts.ROOT, PYTHONPATH=str(hosts.ROOT))
    code = [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert f"{len(code)} passed" in said and "skipped" not in said


def test_B15_an_installation_adds_this_package_and_nothing_else(colab, tmp_path):
    report = tmp_path / "report.json"
    extras = f"{hosts.ROOT}[{repository.EXTRAS}]"
    colab("-m", "pip", "install", "-q", "--dry-run", "--report", report, extras)
    added = [item["metadata"]["name"] for item in json.loads(report.read_text("utf-8"))["install"]]
    assert added == ["attention-geometry"]


@pytest.fixture
def address(tmp_path):
    """This folder's last commit as the branch main of a repository with an address."""
    subprocess.run(["git", "clone", "-q", "--bare", hosts.ROOT, "name.git"], cwd=tmp_path, check=True)
    for command in (["branch", "-f", "main", "HEAD"], ["update-server-info"]):
        subprocess.run(["git", *command], cwd=tmp_path / "name.git", check=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/name.git"
    server.shutdown()
    server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_B17_the_first_cell_installs_the_package_and_the_next_one_imports_it(colab, address):
    """What a reader of Colab does, with this folder's repository in place of the public one."""
    before = versions(colab)
    assert "attention-geometry" not in before
    cell = SOMEWHERE.first_cell().replace(SOMEWHERE.url, address)
    try:
        said = colab("-c", INSTALL, json.dumps([cell, USE]))
        after = versions(colab)
    finally:
        colab("-m", "pip", "uninstall", "-q", "-y", "attention-geometry")
    assert all(part in said for part in ("site-packages", "widget-view", "ag-static"))
    assert after.pop("attention-geometry") and after == before
