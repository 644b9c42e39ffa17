"""What is published, as far as it can be told without building it: workflow, types, print, zip."""

import ast
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup

import attention_geometry

ROOT = Path(__file__).parent.parent
SITE = ROOT / "_build" / "html"
sys.path.append(str(ROOT / "tools"))

import pack  # noqa: E402
import print_book  # noqa: E402

TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))


# -------------------------------------------------------------- the workflow


@pytest.fixture(scope="module")
def workflow():
    return yaml.safe_load((ROOT / ".github" / "workflows" / "book.yml").read_text("utf-8"))


def test_every_step_is_an_action_with_a_version_or_a_target_of_the_makefile(workflow):
    for job in workflow["jobs"].values():
        assert job["runs-on"] and job["timeout-minutes"] <= 120
        assert job["steps"][0]["uses"].startswith("actions/checkout@v")
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            if "uses" in step:
                assert re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"])
            elif step["run"].startswith("make "):
                assert step["run"].split()[1] in TARGETS
            else:
                assert step["run"].startswith("gh release create ")


def test_a_push_is_tested_and_a_tag_is_published_after_every_check(workflow):
    on = workflow[True]  # YAML 1.1 reads the key "on" so
    assert on["push"] == {"branches": ["**"], "tags": ["v*"]} and "pull_request" in on
    jobs = workflow["jobs"]
    ran = {name: [s["run"].split()[1] for s in job["steps"] if "run" in s] for name, job in jobs.items()}
    assert ran["test"] == ["test"] and ran["check"] == ["check"] and ran["publish"][0] == "dist"
    assert "if" not in jobs["test"]
    assert jobs["publish"]["if"] == jobs["check"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert set(jobs["publish"]["needs"]) == {"test", "check"}
    assert workflow["permissions"] == {"contents": "read"} and jobs["publish"]["permissions"]["contents"] == "write"
    lowest = re.search(r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text("utf-8"))[1]
    binder = (ROOT / "runtime.txt").read_text("utf-8").strip().removeprefix("python-")
    assert {lowest, binder} <= set(jobs["test"]["strategy"]["matrix"]["python"])


# ------------------------------------------------------------------ the types


def test_the_package_claims_types_only_if_every_public_function_has_them():
    """Types stand in the docstrings. A py.typed without annotations would switch off what checkers infer."""
    bare = []
    for path in (ROOT / "attention_geometry").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.returns is None:
                bare.append(f"{path.stem}.{node.name}")
    assert (ROOT / "attention_geometry" / "py.typed").exists() == (not bare)


# ----------------------------------------------------------- the zip, on paper


@pytest.fixture(scope="module")
def site():
    if not (SITE / "index.html").is_file():
        pytest.fail("the book is not built: run make book first")
    return SITE


def test_the_zip_is_one_folder_and_the_same_every_time(site, tmp_path):
    first, second = tmp_path / "a" / "book.zip", tmp_path / "b" / "book.zip"
    for target in (first, second):
        target.parent.mkdir()
        pack.pack(site, target)
    assert first.read_bytes() == second.read_bytes()
    names = zipfile.ZipFile(first).namelist()
    assert {name.split("/")[0] for name in names} == {"book"} and "book/index.html" in names
    assert not [name for name in names if ".doctrees" in name or name.endswith(".pickle")]


def test_a_tag_that_is_not_the_version_is_refused(tmp_path):
    command = [sys.executable, ROOT / "tools" / "pack.py", tmp_path, "--tag", f"v{attention_geometry.__version__}.1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "one of them is wrong" in done.stderr and not list(tmp_path.iterdir())


def test_F34_the_printed_part_holds_every_chapter_and_its_links_lead_inside(site):
    names = print_book.part_one()
    assert len(names) == len(list((ROOT / "book").glob("[0-9]*.ipynb")))
    page = BeautifulSoup(print_book.edition(site, names), "html.parser")
    assert len(page.select("article")) == len(names) and not page.select("script")
    ids = [node["id"] for node in page.select("[id]")]
    inside = [link["href"][1:] for link in page.select("a[href^='#']")]
    assert len(ids) == len(set(ids)) and inside and set(inside) <= set(ids)
    still = page.select(".ag-static")
    assert still and all(widget.select("svg") and widget.select("table") for widget in still)
    for picture in page.select("img"):
        assert (site / "print" / picture["src"]).resolve().is_file()


def test_a_page_of_paper_can_be_made(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<title>x</title><h1>One</h1><p style='break-before: page'>Two", "utf-8")
    program = "import sys, pathlib, print_book; print_book.print_page(*map(pathlib.Path, sys.argv[1:]))"
    command = [sys.executable, "-c", program, page, tmp_path / "page.pdf"]
    subprocess.run(command, cwd=ROOT / "tools", check=True)  # one Playwright a process
    data = (tmp_path / "page.pdf").read_bytes()
    assert data.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", data)) == 2
