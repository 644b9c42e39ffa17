"""Worked solutions: one for each exercise, accepted by its check, and kept out of the public book."""

import fnmatch
import importlib
import json
import re
import sys
from pathlib import Path

import pytest

from attention_geometry import exercises

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "book" / "teach" / "solutions"
sys.path[:0] = [str(ROOT / "book" / "_ext"), str(ROOT / "tools")]

import ag_stored  # noqa: E402
import execute  # noqa: E402

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def labels(chapter):
    """The exercises of a chapter, in the order of its laws."""
    importlib.import_module(f"attention_geometry.laws.ch{chapter}")
    return [label for label in exercises._EXERCISES if label.startswith(f"ch{chapter}-")]


def named(paths):
    return {"argvalues": paths, "ids": [path.stem for path in paths]}


def cells(path):
    return json.loads(path.read_text("utf-8"))["cells"]


def source(cell):
    return "".join(cell["source"])


def solutions(path):
    """(label, the text before its check, the code of its check) for each check of a notebook."""
    found = cells(path)
    for before, cell in zip(found, found[1:]):
        for label in re.findall(r'exercises\.check\("([^"]+)"', source(cell)):
            yield label, source(before), source(cell)


def test_every_chapter_with_exercises_has_its_solutions():
    laws = (ROOT / "attention_geometry" / "laws").glob("ch*.py")
    assert {f"{int(path.stem[2:]):02}" for path in laws} == {path.stem for path in NOTEBOOKS}


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_each_exercise_is_solved_once_in_order(path):
    assert [label for label, _, _ in solutions(path)] == labels(int(path.stem))


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_each_solution_holds(path, monkeypatch):
    verdicts = []
    check = exercises.check
    monkeypatch.setattr(exercises, "check", lambda *answer: verdicts.append(check(*answer)))
    space = {}
    for cell in cells(path):
        if cell["cell_type"] == "code":
            exec(source(cell), space)
    assert len(verdicts) == len(labels(int(path.stem)))
    assert all(verdicts), [verdict for verdict in verdicts if not verdict]


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_each_solution_explains_itself(path):
    for label, text, _ in solutions(path):
        assert re.match(r"## \d\.\d · (compute|break|prove, then (code|compute))\n", text), label
        assert "**Idea.**" in text or "**Proof" in text, label
        assert ("**Proof" in text) == ("prove" in text.splitlines()[0]), label
        assert len(text.split()) >= 50, label


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_the_level_is_that_of_the_chapter(path):
    for chapter in (ROOT / "book").glob(f"{path.stem}_*.ipynb"):
        asked = re.findall(r"Exercise (\d\.\d · [\w, ]+)", "\n".join(map(source, cells(chapter))))
        told = [re.match(r"## (.+)", text)[1] for _, text, _ in solutions(path)]
        assert told == [line.strip() for line in asked]


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_solutions_are_stored_as_they_ran(path):
    nbformat = pytest.importorskip("nbformat")
    assert ag_stored.faults(json.loads(path.read_text("utf-8"))) == []
    assert nbformat.writes(execute.normal(nbformat.read(path, as_version=4))) + "\n" == path.read_text("utf-8")


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_words_are_those_of_the_book(path):
    from test_book import FORBIDDEN, UNFINISHED

    text = "\n".join(source(cell) for cell in cells(path) if cell["cell_type"] == "markdown")
    assert not re.search(rf"\b(?:{FORBIDDEN}|{UNFINISHED})\b", text, re.I)


WRONG_TURNS = {
    "ch1-order": ([1, 0], [0, 1]),
    "ch1-share": 0.75,
    "ch2-variance": 24,
    "ch2-angle": [[1, 0], [1, 1], [0, 1]],
    "ch3-scores": [0, 1, 2, 3],
    "ch3-temperature": 0.5,
    "ch3-shift": ([[1, 0], [0, 1]], [[2, 1], [1, 2]]),
    "ch4-only-triangle": [[0, 1, 2], [1, 0, 1], [2, 1, 0]],
    "ch4-power": [[0, 1, 1], [1, 0, 1], [1, 1, 0]],
    "ch5-shares": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "ch5-circulating": [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
    "ch5-cycle": lambda A: bool((abs(A - A.T) < 1e-9).all()),
}


@pytest.mark.parametrize("label", WRONG_TURNS)
def test_a_wrong_turn_meets_a_witness(label):
    assert exercises.check(label, WRONG_TURNS[label]).witness is not None


# ---------------------------------------------------------------- not for readers


def test_solutions_are_no_page_of_the_book():
    import yaml

    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    assert any(fnmatch.fnmatch("book/teach/solutions", pattern) for pattern in config["exclude_patterns"])
    assert "solutions" not in (ROOT / "_toc.yml").read_text("utf-8")


@pytest.mark.browser
def test_the_built_book_gives_no_solution_away():
    """Neither as a page nor as a source to download, in the search index or in the text of another page."""
    site = ROOT / "_build" / "html"
    if not (site / "index.html").is_file():
        pytest.fail("the book is not built: run make book first")
    assert [path for path in site.rglob("*") if "solutions" in path.parts] == []
    telling = ("Solutions to chapter", "from_symmetric_scores", "order_energy")
    for path in [*site.rglob("*.html"), *site.rglob("*.ipynb"), *site.rglob("*.txt"), site / "searchindex.js"]:
        text = path.read_text("utf-8")
        assert not any(word in text or word.lower() in text for word in telling), path
