"""The package in Pyodide, under Node: its tests, and every cell that a page can run.

``make check`` runs this file. Which tests run there is a matter of rules, and what they leave out is counted and told:

- a file of tests runs if what it imports is Python's own library, pytest, Hypothesis, parts of the package that
  NumPy suffices for (`book/_ext/ag_needs.py` tells), and, in a second run, SciPy and NetworkX;
- a test is left out if it ends because a library is missing or older than its oracle needs, or because a thread
  cannot be started;
- that the check of promise F16 can fail is not tried: WebAssembly has no floating-point flags, so NumPy cannot say
  that something was divided by 0.
"""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from test_run import NOTEBOOKS, assert_stored, cells_of, sources

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "book" / "_ext"), str(ROOT / "tools")]

import ag_needs  # noqa: E402
import ag_run  # noqa: E402
import node  # noqa: E402
import pyodide  # noqa: E402

WHEELS = ROOT / ".cache" / "hosts" / "pyodide"
#: Pure Python; the versions are those of constraints.txt, but for Hypothesis, which has a compiled part since.
RUNNER = ("pytest", "pluggy", "iniconfig", "packaging", "pygments", "sortedcontainers", "networkx")
HYPOTHESIS = "hypothesis==6.155.0"
SECOND = {"scipy", "networkx"}


@pytest.fixture(scope="module")
def wheels():
    """The runner of tests, fetched once."""
    if len(list(WHEELS.glob("*.whl"))) <= len(RUNNER):
        pure = ["--no-deps", "--only-binary=:all:", "--platform=any", "--python-version=3.12", "--implementation=py"]
        command = [sys.executable, "-m", "pip", "download", "-q", "--abi=none", *pure, "-d", str(WHEELS)]
        subprocess.run([*command, "-c", str(ROOT / "constraints.txt"), *RUNNER], check=True)
        subprocess.run([*command, HYPOTHESIS], check=True)
    return WHEELS


def in_pyodide(function, given, *, packages="numpy", wheels=""):
    """What a function of `in_pyodide.py` prints last, and all that is said before it."""
    program = f"import sys, json; sys.path.append('/book/tests'); import in_pyodide; in_pyodide.{function}"
    program += f"(json.loads({json.dumps(given)!r})); 0"
    command = [node.program("node"), ROOT / "tests" / "pyodide.mjs", pyodide.folder(), ROOT, packages, wheels]
    done = subprocess.run(list(map(str, command)), input=program, capture_output=True, encoding="utf-8", timeout=1800)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    *said, last = done.stdout.strip().splitlines()
    return json.loads(last), "\n".join(said)


def needs(path):
    """What a file of tests imports beyond what the first run has."""
    package = ag_needs.Package(ROOT / "attention_geometry", "widgets")
    body = ast.parse(path.read_text("utf-8")).body
    imports = [part for part in body if isinstance(part, (ast.Import, ast.ImportFrom))]
    return package.needs(imports) - {"pytest", "hypothesis"}


@pytest.mark.parametrize("packages", ["numpy", "numpy,scipy"])
def test_the_package_does_in_pyodide_what_it_does_here(wheels, packages, capsys):
    asked = {path: needs(path) for path in sorted((ROOT / "tests").glob("test_*.py"))}
    second = "scipy" in packages
    files = [f"tests/{path.name}" for path, more in asked.items() if more <= SECOND and bool(more) == second]
    found, said = in_pyodide("run_tests", files, packages=packages, wheels=wheels)
    with capsys.disabled():
        passed, left_out = (sum(found[kind].values()) for kind in ("passed", "left_out"))
        print(f"\nPyodide with {packages}: {passed} tests of {len(files)} files passed in {found['seconds']} s")
        print(f"{left_out} left out:", *(f"{number} {reason};" for reason, number in found["left_out"].items()))
        print(*(f"{name} left out: {reason}" for name, reason in found["files_left_out"].items()), sep="\n")
        if second:
            rest = {path.stem: sorted(more) for path, more in asked.items() if not more <= SECOND}
            print("files left out:", *(f"{name} ({', '.join(more)});" for name, more in rest.items()))
    assert not found["failed"] and found["code"] == 0, said[-8000:]
    assert {*found["passed"], *found["files_left_out"]} == set(files)


def test_every_cell_with_a_button_gives_its_stored_output_in_pyodide():
    pages = [(sources(cells), ag_run.runnable(cells)) for cells in map(cells_of, NOTEBOOKS)]
    answers, _ = in_pyodide("run_cells", pages)
    assert_stored(pages, answers)
