"""What is published: wheel and source archive, each built anew, the wheel installed alone into a clean environment.

``make check`` runs this file.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import hosts
import pytest
from playwright.sync_api import expect

import attention_geometry

NOTEBOOKS = sorted((hosts.ROOT / "book").glob("*.ipynb"))
JUNK = re.compile(r"node_modules|__pycache__|\.venv|_build|\.cache|_cache|\.hypothesis|_checkpoints|\.git/|\.egg-info")
#: Torch is left to requirements-torch.txt: to resolve the extra may bring several GB.
EXTRAS = tomllib.loads((hosts.ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
OFFLINE = """
import socket
def refuse(*_): raise OSError("no network here")
socket.socket.connect = socket.getaddrinfo = refuse
from attention_geometry import __version__, data, widgets
widgets.QueryKeyPlane([[1.2, 0.6]], [[1.0, 0.2], [-0.4, 1.2]], [[1, 0], [0, 1]]).to_html("plane.html")
print(__version__, len(data.texts()), data.load("minilm_forms")["symmetric_share"].shape, widgets.__file__)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, hosts.ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built):
    [path] = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def clean(wheel, tmp_path_factory):
    """The Python of an environment that holds the wheel, its extras for the book, and a runner of notebooks."""
    folder = tmp_path_factory.mktemp("clean")
    run(sys.executable, "-m", "venv", folder / "env", cwd=folder)
    python = folder / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", f"{wheel}[plots,widgets]", "ipykernel", "nbval", cwd=folder)
    return python


def run(*command, cwd, **settings):
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "JUPYTER_PREFER_ENV_PATH": "1", **settings}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    info = f"attention_geometry-{attention_geometry.__version__}.dist-info/"
    assert {name.split("/")[0] + "/" for name in names} == {"attention_geometry/", info}
    assert not [name for name in names if JUNK.search(name) or "/js/" in name or name.endswith(".ipynb")]
    here = {path.relative_to(hosts.ROOT).as_posix() for path in (hosts.ROOT / "attention_geometry").rglob("*.py")}
    static = (hosts.ROOT / "attention_geometry" / "widgets" / "static").iterdir()
    assert here | {path.relative_to(hosts.ROOT).as_posix() for path in static} <= set(names)
    assert {f"attention_geometry/data/{name}" for name in ("sources.json", "facts.json", "texts.json")} <= set(names)
    assert {"LICENSE", "LICENSE-text"} <= {Path(name).name for name in names}
    assert wheel.stat().st_size < 2_000_000


def test_the_source_archive_holds_the_book_and_no_litter(built):
    [path] = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert not [name for name in names if JUNK.search(name)]
    for name in ("book/index.ipynb", "Makefile", "attention_geometry/widgets/js/plane.js", "tests/conftest.py"):
        assert name in names
    assert path.stat().st_size < 6_000_000


def test_the_extras_resolve(wheel, clean, tmp_path):
    extras = ",".join(name for name in EXTRAS if name != "torch")
    report = tmp_path / "report.json"
    run(clean, "-m", "pip", "install", "-q", "--dry-run", "--report", report, f"{wheel}[{extras}]", cwd=tmp_path)
    names = {item["metadata"]["name"].lower() for item in json.loads(report.read_text("utf-8"))["install"]}
    assert {"safetensors", "xarray", "pandas", "tqdm", "networkx", "pot", "numba"} <= names
    assert not [name for name in names if name.startswith(("torch", "nvidia"))]


def test_the_wheel_alone_gives_a_living_widget_without_a_network(clean, browser, tmp_path):
    said = run(clean, "-c", OFFLINE, cwd=tmp_path)
    assert said.startswith(attention_geometry.__version__) and "site-packages" in said
    context = browser.new_context(offline=True)
    page, asked, errors = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(error))
    page.goto((tmp_path / "plane.html").as_uri())
    handle = page.locator("[data-handle=q0]")
    before = handle.get_attribute("aria-valuetext", timeout=60_000)
    handle.focus()
    page.keyboard.press("ArrowUp")
    expect(handle).not_to_have_attribute("aria-valuetext", before)
    assert not errors and all(url.startswith(("file:", "data:", "blob:")) for url in asked)
    context.close()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_B15_a_notebook_runs_with_the_declared_extras_and_the_newest_versions(clean, path, tmp_path):
    """F27: the other end of what `tests/hosts_colab.py` tries. Nothing of this folder but the notebook is there."""
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    command = [clean, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", tmp_path]
    said = run(*command, "--nbval-lax", "--nbval-cell-timeout=300", copy, cwd=tmp_path)
    assert " passed" in said and "skipped" not in said and "failed" not in said
