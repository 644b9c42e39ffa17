"""The repository's address: in one place, and everything that follows from it. The first cell of every notebook."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import attention_geometry

ROOT = Path(__file__).parent.parent
SITE = ROOT / "_build" / "html"
sys.path[:0] = [str(ROOT / "book" / "_ext"), str(ROOT / "tools")]

import ag_edition  # noqa: E402
import repository  # noqa: E402

HERE = repository.Repository.of(ROOT / "_config.yml")
NOWHERE = repository.Repository("", "main")
SOMEWHERE = repository.Repository("https://github.com/owner/name", "main")
NOTEBOOKS = sorted((ROOT / "book").glob("*.ipynb"))
CHAPTER = "book/01_the_comparison.ipynb"


def setting(tmp_path, url, branch="main"):
    path = tmp_path / "_config.yml"
    path.write_text(yaml.safe_dump({"repository": {"url": url, "branch": branch}}), "utf-8")
    return path


# ------------------------------------------------------------------ the address


def test_the_address_is_read_in_one_form(tmp_path):
    for url in ("https://github.com/owner/name", "https://github.com/owner/name/", "https://github.com/owner/name.git"):
        assert repository.Repository.of(setting(tmp_path, url)) == SOMEWHERE
    for url in ("", None):
        assert repository.Repository.of(setting(tmp_path, url)) == NOWHERE
    for url in ("github.com/owner/name", "https://github.com/owner", "https://github.com/o/n?x=1", "git@host:o/n"):
        with pytest.raises(ValueError, match="repository.url"):
            repository.Repository.of(setting(tmp_path, url))


def test_B15_a_launch_address_opens_the_right_chapter():
    hosts = SOMEWHERE.launch(CHAPTER)
    assert list(hosts) == ["Binder", "Colab"]
    binder, colab = urlsplit(hosts["Binder"]), urlsplit(hosts["Colab"])
    assert (binder.scheme, binder.netloc, binder.path) == ("https", "mybinder.org", "/v2/gh/owner/name/main")
    assert parse_qs(binder.query) == {"urlpath": [f"lab/tree/{CHAPTER}"]} and "/" not in binder.query
    assert (colab.netloc, colab.path) == ("colab.research.google.com", f"/github/owner/name/blob/main/{CHAPTER}")
    assert not colab.query


def test_other_code_hosts_have_no_colab():
    hosts = repository.Repository("https://codeberg.org/owner/name", "v1/x").launch(CHAPTER)
    assert hosts == {
        "Binder": "https://mybinder.org/v2/git/https%3A%2F%2Fcodeberg.org%2Fowner%2Fname/v1%2Fx"
        "?urlpath=lab%2Ftree%2Fbook%2F01_the_comparison.ipynb"
    }


def test_every_file_that_follows_from_the_address_is_up_to_date():
    done = subprocess.run([sys.executable, "tools/repository.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_else_spells_the_address():
    """A launch address, an installation from git, or the address itself stands only where the tool puts it."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    spelt = r"mybinder\.org/v2|colab\.research\.google\.com/github|git\+https"
    if HERE.url:
        spelt += "|" + re.escape(HERE.url.removeprefix("https://"))
    mine = {"tools/repository.py", "tests/test_repository.py", "_config.yml"}
    for name in sorted(set(listed.stdout.split("\n")) - mine):
        path = ROOT / name
        if not name or not path.is_file() or path.suffix in {".png", ".npz"}:
            continue
        text = path.read_text("utf-8")
        if path.suffix == ".ipynb" and path.parent == ROOT / "book":
            text = json.dumps([cell for cell in json.loads(text)["cells"] if cell["id"] != repository.CELL])
        elif name in HERE.texts():
            text = repository.between(text, [])
        assert not re.search(spelt, text), name
    assert re.search(spelt, SOMEWHERE.launch(CHAPTER)["Binder"])


def test_badge_citation_and_metadata_follow_the_address():
    import tomllib

    for name, lines in SOMEWHERE.texts().items():
        old = (ROOT / name).read_text("utf-8")
        new = repository.between(old, lines)
        assert repository.between(new, HERE.texts()[name]) == old
        for line in lines:
            assert line in new.splitlines()
        if name == "CITATION.cff":
            assert yaml.safe_load(new)["repository-code"] == SOMEWHERE.url
        if name == "pyproject.toml":
            assert tomllib.loads(new)["project"]["urls"] == {"Repository": SOMEWHERE.url}
            assert "dependencies" in tomllib.loads(new)["project"]
    with pytest.raises(ValueError, match="marks"):
        repository.between("no marks", [])


# ------------------------------------------------------------------- the pages


def test_without_an_address_a_built_page_has_no_dead_button():
    """With one, every chapter has the hosts it names, and no other page has any."""
    if not (SITE / "index.html").is_file():
        pytest.fail("the book is not built: run make book first")
    for path in SITE.rglob("*.html"):
        html = path.read_text("utf-8")
        found = re.findall(r'href="(https://(?:mybinder|colab)[^"]+)"', html.replace("&amp;", "&"))
        source = path.relative_to(SITE).with_suffix(".ipynb")
        wanted = HERE.launch(source.as_posix()).values() if (ROOT / source).is_file() else []
        assert found == list(wanted), path
        assert ("launch-buttons" in html) == bool(wanted), path
        assert "executablebooks/jupyter-book" not in html, "the address that the tool brings by default"


def test_with_an_address_a_chapter_has_one_menu_and_other_pages_none(tmp_path):
    setting(tmp_path, SOMEWHERE.url)
    found = {name: name + suffix for name, suffix in (("book/01_x", ".ipynb"), ("book/notation", ".md"))}
    env = SimpleNamespace(found_docs=set(found), doc2path=lambda name, base: found[name])
    app = SimpleNamespace(env=env, confdir=tmp_path)
    contexts = {name: {"header_buttons": ["download"]} for name in (*found, "search")}
    for name, context in contexts.items():
        ag_edition.add_buttons(app, name, "page.html", context, None)
    menu, *others = contexts["book/01_x"]["header_buttons"]
    assert {b["text"]: b["url"] for b in menu["buttons"]} == SOMEWHERE.launch("book/01_x.ipynb")
    assert others == contexts["book/notation"]["header_buttons"] == contexts["search"]["header_buttons"] == ["download"]
    setting(tmp_path, "")
    context = {"header_buttons": []}
    ag_edition.add_buttons(app, "book/01_x", "page.html", context, None)
    assert context["header_buttons"] == []


def test_the_version_is_one_and_stands_on_every_page():
    version = attention_geometry.__version__
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["version"] == version
    for path in (SITE / "book").glob("*.html"):
        assert f"Version {version}." in path.read_text("utf-8"), path


# -------------------------------------------------------------- the first cell


def run(source, *, present, platform, monkeypatch):
    """What a cell asks pip for, in a shell of its own."""
    import importlib.util

    from IPython.core.interactiveshell import InteractiveShell

    real = importlib.util.find_spec
    found = {"attention_geometry": present}
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: found[name] if name in found else real(name))
    monkeypatch.setattr(sys, "platform", platform)
    shell, asked = InteractiveShell(), []
    shell.register_magic_function(asked.append, magic_name="pip")
    done = shell.run_cell(source, store_history=False)
    shell.history_manager.end_session()
    monkeypatch.undo()
    return asked, done.error_in_exec


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_B17_every_notebook_has_the_one_first_cell_before_its_other_code(path):
    first, *others = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert first.id == repository.CELL and first.source == HERE.first_cell(), "run make stamp"
    assert first.metadata.tags == [repository.HIDDEN] and not first.outputs
    assert all(cell.id != repository.CELL for cell in others)


def test_the_first_cell_does_nothing_where_the_package_is(monkeypatch):
    for place in (SOMEWHERE, NOWHERE):
        for platform in ("linux", "emscripten"):
            asked, error = run(place.first_cell(), present=True, platform=platform, monkeypatch=monkeypatch)
            assert (asked, error) == ([], None)


def test_the_first_cell_installs_from_the_repository(monkeypatch):
    asked, error = run(SOMEWHERE.first_cell(), present=None, platform="linux", monkeypatch=monkeypatch)
    wanted = 'install -q "attention-geometry[plots,widgets] @ git+https://github.com/owner/name@main"'
    assert (asked, error) == ([wanted], None)
    extras = (ROOT / "pyproject.toml").read_text("utf-8")
    assert all(re.search(rf"^{extra} = ", extras, re.M) for extra in repository.EXTRAS.split(","))


def test_the_first_cell_installs_from_the_wheel_beside_the_book(monkeypatch):
    for place in (SOMEWHERE, NOWHERE):
        asked, error = run(place.first_cell(), present=None, platform="emscripten", monkeypatch=monkeypatch)
        assert (asked, error) == (
            ["install -q numpy matplotlib anywidget", "install -q --no-deps attention-geometry"],
            None,
        )


def test_without_an_address_the_first_cell_says_what_to_do(monkeypatch, capsys):
    asked, error = run(NOWHERE.first_cell(), present=None, platform="linux", monkeypatch=monkeypatch)
    assert asked == [] and isinstance(error, ModuleNotFoundError)
    assert "pip install '.[plots,widgets]'" in str(error)
    capsys.readouterr()


def test_the_first_cell_is_short():
    for place in (SOMEWHERE, NOWHERE):
        lines = place.first_cell().splitlines()
        assert len(lines) <= 12 and max(map(len, lines)) <= 110
        ast.parse(re.sub(r"%pip .*", "pass", place.first_cell()))


def notebook():
    result = new_output("execute_result", data={"text/plain": "2"}, execution_count=2)
    return new_notebook(
        cells=[
            new_markdown_cell("# Title", id="a"),
            new_code_cell("import numpy", id="b", execution_count=1),
            new_code_cell("1 + 1", id="c", execution_count=2, outputs=[result]),
        ]
    )


def test_a_stamp_keeps_the_counts_and_a_second_one_changes_nothing():
    once = repository.stamped(notebook(), "first")
    assert [cell.id for cell in once.cells] == ["a", repository.CELL, "b", "c"]
    assert [cell.execution_count for cell in once.cells[1:]] == [1, 2, 3]
    assert once.cells[3].outputs[0].execution_count == 3
    text = nbformat.writes(once)
    assert nbformat.writes(repository.stamped(once, "first")) == text
    again = repository.stamped(once, "another address")
    assert again.cells[1].source == "another address" and nbformat.writes(again) == text.replace(
        '"first"', '"another address"'
    )


def test_a_stamp_leaves_what_never_ran_as_it_was():
    fresh = notebook()
    for cell in fresh.cells[1:]:
        repository.count(cell, None)
    counts = [cell.execution_count for cell in repository.stamped(fresh, "first").cells[1:]]
    assert counts == [1, None, None]
    assert repository.stamped(new_notebook(cells=[new_markdown_cell("text")]), "first").cells[0].source == "text"
