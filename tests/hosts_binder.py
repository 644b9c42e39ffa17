"""What Binder would build of this folder: repo2docker writes its recipe, and pip resolves the requirements.

``make check`` runs this file. No image is built: that needs a container engine and the network of the host.
"""

import json
import re
import subprocess
import sys

import hosts
import pytest

REPO2DOCKER = hosts.Host("repo2docker", ("jupyter-repo2docker==2026.4.0",), "", "")
HEAVY = re.compile(r"torch|nvidia|triton|transformers|tensorflow|jax")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The files of the last commit, as Binder gets them."""
    folder = tmp_path_factory.mktemp("binder") / "source"
    subprocess.run(["git", "clone", "-q", hosts.ROOT, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def recipe(source):
    python = hosts.installed(REPO2DOCKER)
    command = [python, "-m", "repo2docker", "--no-build", "--debug", source]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


def test_the_image_has_the_python_that_runtime_txt_names(recipe):
    assert (hosts.ROOT / "runtime.txt").read_text() == "python-3.12\n"
    [lock] = set(re.findall(r"environment\S*?py-2d(3-2e\d+)-2d", recipe))
    assert lock == "3-2e12"
    assert not [name for name in ("binder", ".binder") if (hosts.ROOT / name).exists()], "it would hide the root files"


def test_the_requirements_are_installed_after_the_files_are_there_and_before_the_package(recipe):
    steps = ["COPY --chown=0:0 src/ ${REPO_DIR}/", 'pip install --no-cache-dir -r "requirements.txt"']
    steps.append("pip install --no-cache-dir .\n")
    places = [recipe.find(step) for step in steps]
    assert -1 not in places and places == sorted(places)
    installed = re.findall(r"pip install [^\n]*", recipe)
    assert len(installed) == 2, "nothing else is installed"


def test_the_requirements_resolve_for_that_python_without_torch(source, tmp_path):
    """Wheels of every pinned package exist for Python 3.12, and no package brings a heavy one."""
    lines = (source / "requirements.txt").read_text("utf-8").splitlines()
    assert lines[0] == "-e ."
    (source / "only.txt").write_text("\n".join(lines[1:]), "utf-8")
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "pip", "install", "-q", "--dry-run", "--ignore-installed", "--report", report]
    command += ["--python-version", "3.12", "--only-binary=:all:", "--target", tmp_path / "nowhere", "-r", "only.txt"]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    names = {item["metadata"]["name"].lower() for item in json.loads(report.read_text("utf-8"))["install"]}
    assert {"numpy", "scipy", "matplotlib", "anywidget", "ipywidgets", "ipykernel"} <= names
    assert not [name for name in names if HEAVY.match(name)]
