"""The self-tests of the chapters: what their files hold, and how a page answers in Chromium."""

import re
import shutil
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from test_ext import Built, questions

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "book" / "_ext"))

import ag_selftest  # noqa: E402

FILES = sorted((ROOT / "book" / "selftest").glob("*.toml"))
BOOK = [*(ROOT / "book").glob("*.ipynb"), *(ROOT / "book").glob("*.md")]


def load(path):
    return tomllib.loads(path.read_text("utf-8"))["question"]


def test_every_chapter_has_a_self_test():
    chapters = {path.name[:2] for path in (ROOT / "book").glob("[0-9]*.ipynb")} - {"00"}
    assert chapters <= {path.stem for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_of_questions_is_sound(path):
    assert ag_selftest.faults({"question": load(path)}) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_answers_are_distinct_and_every_reason_says_something(path):
    for item in load(path):
        texts = [option["text"] for option in item["option"]]
        assert len(set(texts)) == len(texts)
        for option in item["option"]:
            assert 8 <= len(option["reason"].split()) <= 60, option["reason"]


def test_neither_place_nor_length_gives_the_right_answer_away():
    items = [item["option"] for path in FILES for item in load(path)]
    right = [next(i for i, option in enumerate(options) if option.get("right")) for options in items]
    longest = [max(range(len(options)), key=lambda i: len(options[i]["text"])) for options in items]
    assert max(Counter(right).values()) <= 0.5 * len(items)
    assert sum(a == b for a, b in zip(right, longest)) <= 0.5 * len(items)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_words_are_those_of_the_book(path):
    from test_book import FORBIDDEN, UNFINISHED

    assert not re.search(rf"\b(?:{FORBIDDEN}|{UNFINISHED})\b", path.read_text("utf-8"), re.I)


# ------------------------------------------------------------------- in a page


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A built page with three questions; the right answer is the second of each."""
    folder = tmp_path_factory.mktemp("selftest")
    files = {"index.md": "# Page\n\n:::{selftest} 01\nOn the built page.\n:::\n", "selftest/01.toml": questions()}
    shutil.copytree(ROOT / "book" / "assets", folder / "assets")
    settings = {"html_static_path": ["assets"], "html_css_files": ["ag-book.css"]}
    book = Built(folder, files, ["ag_math", "ag_selftest"], settings)
    assert book.code == 0, book.warnings
    return (book.out / "index.html").as_uri()


@pytest.fixture
def opened(browser, page):
    """Open the page from disk, with no network; at the end the console has no error."""
    contexts, errors = [], []

    def opened(**settings):
        context = browser.new_context(offline=True, **settings)
        contexts.append(context)
        tab = context.new_page()
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.goto(page)
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert not errors


@pytest.mark.browser
def test_a_page_answers_with_the_reason_and_lets_one_try_again(opened):
    group = opened().locator(".ag-question").nth(1)
    reply, button = group.get_by_role("status"), group.get_by_role("button", name="Check")
    assert reply.inner_text() == ""
    button.click()
    assert reply.inner_text() == "Choose an answer first."
    group.get_by_label("The second").check()
    button.click()
    assert "✗ Not this one. This would need ‖k‖ = 1." in reply.inner_text() and "again" in reply.inner_text()
    group.get_by_label("The first").check()
    assert reply.inner_text() == ""
    button.click()
    assert reply.inner_text() == "✓ Right. As it must be."


@pytest.mark.browser
def test_a_question_is_answered_by_keyboard_alone(opened):
    tab = opened()
    assert not tab.get_by_text("needs JavaScript").count()
    first = tab.locator(".ag-question").first
    first.locator("input").first.focus()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    assert "✓ Right" in first.get_by_role("status").inner_text()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Space")
    assert "✗ Not this one. Nobody said so." in first.get_by_role("status").inner_text()
    assert tab.locator(".ag-question").nth(1).get_by_role("status").inner_text() == ""


@pytest.mark.browser
def test_questions_have_names_and_room(opened, axe):
    tab = opened(viewport={"width": 320, "height": 700})
    assert tab.get_by_role("group", name="Question 1 of 3. Which of").count() == 1
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    tab.evaluate(axe)
    found = tab.evaluate("axe.run('.ag-selftest', {resultTypes: ['violations']})")["violations"]
    assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in found] == []


@pytest.mark.browser
def test_without_javascript_the_questions_stand_and_say_what_is_missing(opened):
    tab = opened(java_script_enabled=False)
    assert tab.get_by_role("radio").count() == 9 and tab.get_by_role("button", name="Check").count() == 0
    assert tab.get_by_text("Checking an answer needs JavaScript").is_visible()


@pytest.mark.browser
def test_paper_has_the_questions_and_no_answers(opened):
    tab = opened()
    group = tab.locator(".ag-question").first
    group.locator("input").nth(1).check()
    group.get_by_role("button", name="Check").click()
    tab.emulate_media(media="print")
    assert group.get_by_text("Which of").is_visible() and group.get_by_text("The third").is_visible()
    assert not group.get_by_role("status").is_visible() and not group.locator("button").is_visible()


@pytest.mark.browser
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_answer_in_the_built_chapter_gets_its_verdict(browser, path):
    [chapter] = (ROOT / "_build" / "html" / "book").glob(f"{path.stem}_*.html")
    context = browser.new_context(offline=True)
    tab = context.new_page()
    tab.goto(chapter.as_uri())
    groups = tab.locator(".ag-question")
    said = [
        [answer(groups.nth(place), number) for number in range(len(item["option"]))]
        for place, item in enumerate(load(path))
    ]
    context.close()
    assert said == [[bool(option.get("right")) for option in item["option"]] for item in load(path)]


def answer(group, number):
    """Whether the page calls the option right; it says more than the verdict either way."""
    group.locator("input").nth(number).check()
    group.get_by_role("button", name="Check").click()
    text = group.get_by_role("status").inner_text()
    assert len(text.split()) > 8
    return {"✓ Right.": True, "✗ Not this one.": False}[re.match(r"[✓✗][^.]+\.", text)[0]]


def test_the_script_is_small_and_runs_in_old_browsers():
    import gzip

    script = (ROOT / "book" / "assets" / "ag-selftest.js").read_text("utf-8")
    assert len(gzip.compress(script.encode())) < 2000
    code = re.sub(r"//.*", "", script)
    assert not re.search(r"=>|`|\b(?:const|let|class|async|import|export)\b|\?\.|\?\?", code)
