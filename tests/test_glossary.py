"""Glossary: every term that a chapter sets in bold is in it, and every entry leads to where its term is at home."""

import re
import sys

import pytest
from test_book import BOOK, NOTEBOOKS, ROOT, markdown

sys.path.insert(0, str(ROOT / "book" / "_ext"))

import ag_glossary  # noqa: E402

PAGE = (BOOK / "glossary.md").read_text("utf-8")
ENTRIES = re.findall(r"^(\S.*)\n  (\S.*)$", PAGE[PAGE.index(":::{glossary}") :], re.M)
KNOWN = {term.lower() for term, _ in ENTRIES}
STRESS = {  # bold that names nothing: a stress, a part of a contrast
    *("a token is a row", "all", "itself", "exactly", "more", "difference", "ratio", "negative", "one"),
    *("equal spread", "equal spread and popularity", "$i$ attends to $j$", "from $j$ to $i$", "values equal to keys"),
}


def bold(path):
    """What a chapter sets in bold, without lists of goals and numbers of questions."""
    text = re.sub(r"^:::\{admonition\}[^\n]*\n:class: goals\n.*?^:::$", "", markdown(path), flags=re.M | re.S)
    return [
        " ".join(word.split()) for word in re.findall(r"\*\*(.+?)\*\*", text, re.S) if not re.fullmatch(r"\d\.", word)
    ]


# on the index, bold leads a paragraph in
@pytest.mark.parametrize("path", [p for p in NOTEBOOKS if p.stem != "index"], ids=lambda path: path.stem)
def test_every_term_set_in_bold_is_in_the_glossary(path):
    unknown = [word for word in bold(path) if not ag_glossary.entry(word, KNOWN) and word.lower() not in STRESS]
    assert unknown == []


def test_terms_are_distinct_and_in_order():
    terms = [term.lower() for term, _ in ENTRIES]
    assert len(set(terms)) == len(terms) and terms == sorted(terms)
    assert len(terms) == len(re.findall(r"^[^\s:#].*$", PAGE[PAGE.index(":::{glossary}") :], re.M))  # none was missed


@pytest.mark.parametrize(("term", "text"), ENTRIES, ids=[term for term, _ in ENTRIES])
def test_an_entry_is_short_and_says_where_its_term_is_at_home(term, text):
    said, link = re.fullmatch(r"(.*[.)]) See (.+)\.", text).groups()
    assert 5 <= len(said.split()) <= 55
    assert all(re.fullmatch(r"\{stmt\}`[^`]+`|\[[^\]]+\]\([\w.]+\)", part) for part in link.split(" and ")), link


def test_no_term_is_a_stress():
    assert not KNOWN & STRESS


def test_bold_words_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(":::{admonition} Goals\n:class: goals\n- **split** it\n:::\n\n**1.** A **row\nshift**.\n", "utf-8")
    assert bold(page) == ["row shift"]
