"""Build the book with JupyterLite in it: the first button of every chapter runs it in the reader's browser.

    python tools/lite.py                          into _build/html, Python from Pyodide's CDN
    python tools/lite.py --into X --pyodide Y     into X/_build/html, Python from the folder Y, which is copied

Everything but Pyodide comes from the book's own folder ``lite``: the notebooks with their stored outputs, the package's
wheel, the widget libraries. Nothing is asked of PyPI. JupyterLite needs a server; from disk the button is not shown.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pyodide import CDN

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".cache" / "lite"
PINS = ROOT / "requirements-lite.txt"
SERVED = ("jupyterlab-widgets", "ipywidgets", "anywidget", "psygnal", "comm", "typing-extensions")
#: What the kernel and the chapters need, asked for at once and not one after the other: from Pyodide by name, and from
#: beside the book as wheels, seen from the script that runs the kernel. The first cell then finds nothing to do.
AHEAD = ["micropip", "packaging", "ssl", "sqlite3", "jedi", "ipython", "numpy", "matplotlib"]
BESIDE = ("attention_geometry", "anywidget", "ipywidgets", "psygnal", "comm", "typing_extensions")
FROM_KERNEL = "../../../../pypi/"
MEGABYTES = 28  #: of Pyodide and the wheels, compressed as hosts send them; tests/hosts_lite.py measures it
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
PLAIN = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none", "--python-version=3.12"]
SETTINGS = {"@jupyterlab/apputils-extension:themes": {"adaptive-theme": True}}
OLD_FONTS = (".eot", ".svg", ".ttf", ".woff")  # of the icons; every browser that runs Pyodide takes the woff2


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--into", type=Path, default=ROOT, help="the folder that gets _build/html")
    ask.add_argument("--pyodide", type=Path, help="a folder with Pyodide to copy; otherwise its CDN is named")
    given = ask.parse_args()
    build_pages(given.into)
    target = given.into / "_build" / "html" / "lite"
    with tempfile.TemporaryDirectory(dir=environment().parent) as place:
        build_lite(Path(place), target, given.pyodide)
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"{target}: {size / 1e6:.1f} MB")


def build_pages(into: Path) -> None:
    """The pages with the button: ``book/_ext/ag_edition.py`` reads the variable."""
    program = Path(sys.executable).with_name("jupyter-book")
    command = [program, "build", ROOT, "--all", "-W", "--keep-going", "--path-output", into]
    subprocess.run(command, check=True, env={**os.environ, "AG_LITE": "1"})


def environment() -> Path:
    """The Python of JupyterLite's own environment, made again when the pins change."""
    python, done, pins = FOLDER / "env" / "bin" / "python", FOLDER / "installed.txt", PINS.read_text(encoding="utf-8")
    if not done.is_file() or done.read_text(encoding="utf-8") != pins:
        shutil.rmtree(FOLDER, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", FOLDER / "env"], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", PINS], check=True)
        done.write_text(pins, encoding="utf-8")
    return python


def build_lite(place: Path, target: Path, pyodide: Path | None) -> None:
    """Build in an empty place each time: a second build into the same folder loses settings."""
    stage(place / "files")
    wheels(place / "wheels")
    for name, content in settings(pyodide, [path.name for path in (place / "wheels").iterdir()]).items():
        (place / name).write_text(json.dumps(content, indent=1), encoding="utf-8")
    log = subprocess.run([environment(), "-m", "jupyterlite_core", "build"], cwd=place, capture_output=True, text=True)
    if log.returncode:
        sys.exit(f"{log.stdout}\n{log.stderr}\nJupyterLite could not be built.")
    for path in (place / "out" / "build").glob("fa-*"):
        if path.suffix in OLD_FONTS:
            path.unlink()
    if pyodide:
        shutil.copytree(pyodide, place / "out" / "static" / "pyodide")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(place / "out", target)


def stage(files: Path) -> None:
    """The notebooks under their own paths, as stored; trusted, so that their widgets are drawn before a run."""
    for path in sorted((ROOT / "book").glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["metadata"]["trusted"] = True
        copy = files / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def wheels(folder: Path) -> None:
    """This checkout's wheel, and the widget libraries in the versions that are pinned."""
    pip = [environment(), "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", folder, ROOT], check=True)
    subprocess.run([*pip, "download", "-q", "--no-deps", *PLAIN, "-d", folder, *pinned()], check=True)


def pinned() -> list[str]:
    lines = [line.partition("#")[0].strip() for line in PINS.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line.partition("==")[0] in SERVED]


def settings(pyodide: Path | None, served: list[str]) -> dict[str, dict]:
    """JupyterLite's files: how it is built, what the site says to its apps, and their defaults."""
    beside = [FROM_KERNEL + name for name in sorted(served) if name.partition("-")[0] in BESIDE]
    url = "./static/pyodide/" if pyodide else CDN
    kernel = {
        "pyodideUrl": f"{url}pyodide.js",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": AHEAD + beside},
    }
    message = {"megabytes": MEGABYTES, "from": "this site" if pyodide else CDN.split("/")[2]}
    build = {
        "contents": ["files"],
        "output_dir": "out",
        "cache_dir": "cache",
        "apps": ["notebooks", "tree"],
        "federated_extensions": [str(ROOT / "book" / "lite")],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
    }
    site = {
        "appName": "Attention as a learned geometry",
        "appUrl": "./tree",
        "exposeAppInBrowser": True,  # tests read a notebook's outputs through it
        "litePluginSettings": {KERNEL: kernel, "attention-geometry-loading": message},
    }
    return {
        "jupyter_lite_config.json": {"LiteBuildConfig": build, "PipliteAddon": {"piplite_urls": ["wheels"]}},
        "jupyter-lite.json": {"jupyter-lite-schema-version": 0, "jupyter-config-data": site},
        "overrides.json": SETTINGS,
    }


if __name__ == "__main__":
    main()
