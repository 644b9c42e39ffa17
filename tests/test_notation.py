"""Notation: the table agrees with the code and the chapters, and a letter has one meaning."""

import importlib
import inspect
import pkgutil
import re
import typing
from pathlib import Path

import pytest
from test_book import BOOK, NOTEBOOKS, markdown

PAGE = BOOK / "notation.md"
CHAPTERS = [path for path in NOTEBOOKS if re.match(r"\d\d_", path.stem)]
TEXT = {path.stem: markdown(path) for path in NOTEBOOKS}
STATEMENT = re.compile(r"^:::\{statement\}(.*?)^:::$", re.M | re.S)
LOCAL = {  # a letter of one statement alone, which says there what it is
    r"\gamma": {"L2.cosine"},
    r"\beta": {"B.energy"},
    r"\xi": {"B.energy"},
    r"\mu": {"A.alibi"},
    r"\kappa": {"B.kernel"},
    "E": {"B.energy"},
}
SECOND = {  # a letter that already means something else in another chapter
    r"T=JSJ": "T is the temperature: write JSJ = T_s + T_a",
    r"v\^\\top=": "v is a value: write \\bar s for the mean scores of the keys",
    r"(?<![_\w])R\s*\\ge|(?<![_\w])R\^2": "R is a random orthogonal matrix: write \\ell for the common length",
}


def rows():
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("| ") and not line.startswith("| symbol"):
            symbols, shape, meaning, code, where = (cell.strip() for cell in line.strip("|").split("|"))
            yield re.findall(r"\$([^$]+)\$", symbols), shape, meaning, code, where


ROWS = list(rows())
SYMBOLS = [symbol for symbols, *_ in ROWS for symbol in symbols]


def formulas(text):
    return ["".join(pair) for pair in re.findall(r"\$\$(.+?)\$\$|\$([^$]+)\$", text, flags=re.S)]


def statements():
    """(label, formulas) of each statement of the chapters."""
    for text in TEXT.values():
        for body in STATEMENT.findall(text):
            yield re.search(r"^:label: (\S+)", body, re.M)[1], formulas(body)


def letters(tex):
    """Capital and Greek letters that stand for something: not the names of sets, functions and indices."""
    tex = re.sub(r"\\(?:mathbb|mathbf|operatorname|text)\s*(?:\{[^}]*\}|\S)|_\{?[A-Z]\}?", " ", tex)
    greek = set(re.findall(r"\\(?:alpha|beta|gamma|delta|theta|kappa|lambda|mu|nu|xi|rho|sigma|omega|Sigma)\b", tex))
    return greek | set(re.findall(r"[A-Z]", re.sub(r"\\[A-Za-z]+", " ", tex)))


@pytest.mark.parametrize("code", [code for *_, code, _ in ROWS if code])
def test_the_name_in_the_code_is_there(code):
    names, _, owner = code.partition(" of ")
    found = [resolved(name) for name in re.findall(r"`([^`]+)`", owner or names)]
    assert found and None not in found
    if owner:
        known = set(inspect.signature(found[0]).parameters) | set(getattr(found[0], "_fields", ()))
        assert set(re.findall(r"`([^`]+)`", names)) <= known | set(typing.get_type_hints(found[0]))


def resolved(name):
    module = f"attention_geometry.{name.rpartition('.')[0]}"
    importlib.import_module(module)
    return pkgutil.resolve_name(f"{module}:{name.rpartition('.')[2]}")


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_a_symbol_is_used_in_a_chapter(symbol):
    bare = symbol.replace(r"\lVert", r"\|").replace(r"\rVert", r"\|")
    wanted = {r"\|\cdot\|_F": r"\|_F"}.get(bare, bare)
    assert any(wanted in tex for text in TEXT.values() for tex in formulas(text)), symbol


def test_a_symbol_has_one_row():
    assert len(set(SYMBOLS)) == len(SYMBOLS)


def test_every_row_says_what_it_is_and_where():
    for symbols, shape, meaning, _, where in ROWS:
        assert symbols and shape and len(meaning.split()) >= 2 and re.search(r"\{stmt\}|\]\(", where), symbols


def test_every_letter_of_a_statement_is_in_the_table():
    known = set().union(*map(letters, SYMBOLS)) | {"Q", "K", "V", "O", "I", "W", r"\rho", "Y"}
    missing = {}
    for label, found in statements():
        for letter in set().union(*map(letters, found)) - known:
            if label not in LOCAL.get(letter, ()):
                missing.setdefault(letter, []).append(label)
    assert missing == {}


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_letter_keeps_its_meaning(path):
    found = [(label, why) for body in STATEMENT.findall(markdown(path)) for pattern, why in SECOND.items()
             for tex in formulas(body) if re.search(pattern, tex)
             for label in re.findall(r"^:label: (\S+)", body, re.M)]  # fmt: skip
    assert found == []


def test_the_letters_of_a_formula_are_found():
    assert letters(r"B_s=\tfrac12(B+B^\top)\in\mathbb R^{d\times d},\ \operatorname{KL}W_Q\alpha") == {
        "B",
        "W",
        r"\alpha",
    }


def test_the_page_is_there_to_be_looked_up():
    assert Path(PAGE).is_file() and len(ROWS) > 30
