"""The book's Sphinx extensions, each on a project of a page or two: what they render, and what they refuse."""

import base64
import itertools
import json
import re
import subprocess
import sys
from html import unescape
from io import StringIO
from pathlib import Path

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

ROOT = Path(__file__).parent.parent
KATEX = ROOT / ".cache" / "assets" / "katex.min.js"
sys.path.insert(0, str(ROOT / "book" / "_ext"))

import ag_glossary  # noqa: E402
import ag_selftest  # noqa: E402
import ag_statements  # noqa: E402
import ag_stored  # noqa: E402


class Built:
    """A built project: its pages, its warnings and the exit code that -W --keep-going gives."""

    def __init__(self, folder: Path, files: dict[str, str], extensions: list[str], settings: dict):
        if not KATEX.exists():
            subprocess.run([sys.executable, ROOT / "tools" / "fetch_assets.py"], check=True)
        if len(files) > 1:  # every page is reached from the first
            files = {**files, "index.md": files["index.md"] + "\n:::{toctree}\n:hidden:\n:glob:\n*\n:::\n"}
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "conf.py").touch()
        self.out, warnings = folder / "out", StringIO()
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                folder, folder, self.out, folder / "doctrees", "html",
                confoverrides={
                    "extensions": ["myst_nb", *extensions],
                    "myst_enable_extensions": ["amsmath", "colon_fence", "dollarmath"],
                    "html_math_renderer": "katex",
                    "katex_js": str(KATEX),
                    "nb_execution_mode": "off",
                    "numfig": True,
                    **settings,
                },
                status=None, warning=warnings, freshenv=True, warningiserror=True, keep_going=True,
            )  # fmt: skip
            app.build()
        self.code = app.statuscode
        self.warnings = re.sub(r"\x1b\[[\d;]*m", "", warnings.getvalue()).strip().splitlines()

    def __getitem__(self, page: str) -> str:
        return (self.out / f"{page}.html").read_text(encoding="utf-8")


@pytest.fixture
def build(tmp_path):
    def build(files, *extensions, **settings):
        return Built(tmp_path, files, ["ag_math", *extensions], settings)

    return build


# ---------------------------------------------------------------- mathematics


def formulas(html):
    return [unescape(tex) for tex in re.findall(r'<annotation encoding="application/x-tex">([^<]*)', html)]


def test_formulas_are_html_and_mathml_when_the_page_arrives(build):
    book = build(
        {"index.md": "# Page\n\nHere $q_i k_j^\\top$ and\n\n$$\\frac{a}{b}$$ (eq-half)\n\nsee {eq}`eq-half`.\n"}
    )
    html = book["index"]
    assert book.code == 0, book.warnings
    assert formulas(html) == [r"q_i k_j^\top", r"\frac{a}{b}"]
    assert html.count('class="katex-html" aria-hidden="true"') == 2
    assert '<span class="eqno">(1)' in html and 'href="#equation-eq-half"' in html
    assert "mathjax" not in "".join(re.findall("<script.*?</script>", html, re.S)).lower()


@pytest.mark.parametrize(
    "tex, complaint", [(r"\frac{a", "expected '}'"), (r"\unknown{x}", r"\unknown"), (r"x^{2}}", "'}'")]
)
def test_a_formula_that_katex_refuses_fails_the_build_with_its_line(build, tex, complaint):
    book = build({"index.md": f"# Page\n\nFine: $a$.\n\nNot fine: ${tex}$.\n"})
    assert book.code == 1
    [warning] = book.warnings
    assert "index.md:5: WARNING: KaTeX:" in warning and complaint in warning
    assert '<span class="math notranslate nohighlight">' in book["index"]  # the reader sees the source


def test_deeply_nested_groups_are_rendered(build):
    book = build({"index.md": "# Page\n\n$" + "{" * 90 + "x" + "}" * 90 + "$\n"})
    assert book.code == 0, book.warnings


def test_bare_lines_are_aligned_and_environments_numbered_once(build):
    text = "# Page\n\n$$\na &= b \\\\ &= c\n$$\n\n\\begin{align}\nx &= y \\\\\n&= z\n\\end{align}\n"
    book = build({"index.md": text})
    assert book.code == 0, book.warnings
    split, align = formulas(book["index"])
    assert split.startswith(r"\begin{split}") and r"\begin{align*}" in align
    assert book["index"].count('class="eqno"') == 1 and 'class="tag"' not in book["index"]


def test_a_comma_stays_beside_its_formula(build):
    html = build({"index.md": "# Page\n\nAs $t\\le1$, and $x$ (or $y$) too.\n"})["index"]
    whole = re.findall(r'<span class="ag-whole">.*?</span>([,)]+)</span>', html)
    assert whole == [",", ")"]
    assert "</span> and <span" in html  # the text itself keeps none of the two


# ----------------------------------------------------------------- statements

TEST = """import pytest

@pytest.mark.guards("L3.rows")
def test_rows_sum_to_one():
    pass
"""
BIB = "@book{key, author = {A. Writer}, title = {T}, year = {2001}, publisher = {P}}\n"


def statement(label="L3.rows", kind="proved", conditions="some key is allowed", guard="", title="Rows are shares"):
    options = {"label": label, "kind": kind, "conditions": conditions, "guard": guard}
    lines = "\n".join(f":{name}: {value}" for name, value in options.items() if value)
    return f":::{{statement}} {title}\n{lines}\n\nEach row of $A$ sums to 1.\n:::\n\n"


@pytest.fixture
def ledger(build, tmp_path):
    """Build a chapter with these statements, a ledger and a page that refers to them."""

    def ledger(*statements, tests=TEST, other="", page="03_the_mixture"):
        files = {
            "index.md": f"# Book\n\n{other}\n",
            f"{page}.md": "# Chapter\n\n" + "".join(statements),
            "statements.md": "# Statements\n\n:::{ledger}\n:::\n",
            "references.md": "# References\n\n:::{bibliography}\n:all:\n:::\n",
            "refs.bib": BIB,
            "tests/test_rows.py": tests,
        }
        return build(files, "sphinxcontrib.bibtex", "ag_statements", bibtex_bibfiles=["refs.bib"])

    return ledger


def text(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html.replace("<wbr>", "")).split())


def test_a_statement_shows_number_kind_title_conditions_and_guard(ledger):
    book = ledger(statement(conditions="$n\\ge2$"))
    assert book.code == 0, book.warnings
    html = book["03_the_mixture"]
    [box] = re.findall(r'<div class="ag-statement ag-proved" id="([^"]+)', html)
    for part in (
        "Statement 3.1",
        "proved here",
        "Rows are shares",
        "Conditions",
        "tests/test_rows.py::test_rows_sum_to_one",
    ):
        assert part in text(html)
    assert (
        "tests/test_<wbr>rows.<wbr>py::<wbr>test_<wbr>rows_<wbr>sum_<wbr>to_<wbr>one" in html
    )  # no break inside a word
    assert f'<a class="headerlink" href="#{box}"' in html
    assert r"n\ge2" in html  # mathematics in a condition is typeset


def test_a_reference_gives_the_number_from_any_page_or_the_text_it_is_told(ledger):
    book = ledger(statement(), other="See {stmt}`L3.rows` and {stmt}`that rows are shares <L3.rows>`.")
    assert book.code == 0, book.warnings
    links = re.findall(
        r'<a class="reference internal" href="03_the_mixture.html#statement[^"]*"[^>]*>(.*?)</a>', book["index"]
    )
    assert [text(link) for link in links] == ["Statement 3.1", "that rows are shares"]


def test_the_ledger_lists_every_statement_in_order_with_working_links(ledger):
    book = ledger(
        statement(),
        statement(label="def-shares", kind="definition", guard="attention.softmax", title="Shares"),
        statement(label="cited", kind="cited", guard="key, section 2", title="Somebody said so"),
        statement(label="reading", kind="interpretation", guard="L3.rows, def-shares", title="A way to see it"),
    )
    assert book.code == 0, book.warnings
    html = book["statements"]
    shown = text(html)
    assert "4 statements: 1 definition, 1 proved here, 1 cited, 1 interpretation." in shown
    titles = ["Rows are shares", "Shares", "Somebody said so", "A way to see it"]
    assert sorted(titles, key=lambda title: shown.rindex(title)) == titles
    for link in re.findall(r'href="(03_the_mixture.html|)#(statement-[^"]*)"', html):
        assert f'id="{link[1]}"' in book["03_the_mixture"]
    assert "Writer" in shown and "section 2" in shown


@pytest.mark.parametrize(
    "fault, said",
    [
        (statement(kind="theorem"), "not one of definition, proved"),
        (statement(conditions=""), "has no conditions"),
        (statement() + statement(), "used twice"),
        (statement(label="L3.hull") + statement(), 'no test is marked @pytest.mark.guards("L3.hull")'),
        (statement(label="M", kind="measured") + statement(), 'no test is marked @pytest.mark.guards("M")'),
        ("", "tests/test_rows.py::test_rows_sum_to_one guards L3.rows, and no page has a statement"),
        (statement(guard="tests/test_rows.py"), "its guard is found by the mark of its test"),
        (statement(kind="definition", guard="attention.softmax"), "is of kind definition, yet a test guards it"),
        (statement("d", "definition", guard="attention.no_such") + statement(), "no attribute 'no_such'"),
        (statement("d", "definition") + statement(), "has no guard"),
        (statement("c", "cited", guard="key") + statement(), "say where in the source"),
        (statement("c", "cited", guard="nobody, page 1") + statement(), "could not find bibtex key"),
        (statement("i", "interpretation", guard="L9.9") + statement(), "no statement is labelled L9.9"),
        (statement() + "{stmt}`L9.8`", "no statement is labelled L9.8"),
    ],
)
def test_a_statement_without_its_guard_and_a_guard_without_its_statement_fail_the_build(ledger, fault, said):
    book = ledger(fault)
    assert book.code == 1
    assert any(said in warning for warning in book.warnings), book.warnings


def test_a_statement_stands_in_a_numbered_chapter(ledger):
    book = ledger(statement(), page="essay")
    assert book.code == 1 and "opens with no number" in book.warnings[0]


@pytest.mark.parametrize("mark", ["skip", "xfail(reason='later')"])
def test_a_test_that_cannot_fail_guards_nothing(ledger, mark):
    book = ledger(statement(), tests=TEST.replace("def ", f"@pytest.mark.{mark}\ndef "))
    assert book.code == 1 and "no test is marked" in book.warnings[0]


def test_the_place_of_a_fault_is_told(ledger):
    book = ledger("\n\n", statement(kind="theorem"))
    assert "03_the_mixture.md:5: WARNING" in book.warnings[0]


def test_a_chapters_number_is_in_its_file_name():
    assert ag_statements.chapter("book/03_the_mixture") == 3
    assert ag_statements.chapter("book/12_the_end") == 12
    assert ag_statements.chapter("book/A_masks") == "A"
    assert ag_statements.chapter("book/index") is None


def test_the_statements_of_an_appendix_have_its_letter_and_come_last(ledger):
    book = ledger(statement(), page="A_masks")
    assert book.code == 0, book.warnings
    assert "Statement A.1" in text(book["A_masks"]) and "Statement A.1" in text(book["statements"])
    assert sorted(["B.1", "10.1", "A.2", "2.10", "A.10", "2.9"], key=ag_statements.order) == [
        "2.9", "2.10", "10.1", "A.2", "A.10", "B.1",
    ]  # fmt: skip


def test_figures_and_equations_are_numbered_within_their_chapter(build):
    figure = ":::{figure} dot.png\n:name: fig-dot\n\nA dot.\n:::\n\n"
    chapter = f"# Chapter\n\n{figure}$$x$$ (eq-x)\n\n{{numref}}`fig-dot`, {{eq}}`eq-x`\n"
    files = {"index.md": "# Book\n", "01_one.md": chapter}
    files["03_three.md"] = chapter.replace("fig-dot", "fig-other").replace("eq-x", "eq-y")
    book = build(files, "ag_statements", suppress_warnings=["image.not_readable"])
    for page, number in (("01_one", "1.1"), ("03_three", "3.1")):
        assert f"Fig. {number}" in text(book[page]) and text(book[page]).count(f"({number})") == 2


# ------------------------------------------------------------- stored outputs


IDS = itertools.count()


def notebook(*cells, **metadata):
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def code(*outputs, source="1 + 1", count=1, **metadata):
    cell = {"cell_type": "code", "id": f"cell-{next(IDS)}", "source": source, "execution_count": count}
    return {**cell, "outputs": list(outputs), "metadata": metadata}


ERROR = {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": []}
VIEW = {"output_type": "display_data", "data": {ag_stored.WIDGET_VIEW: {}}, "metadata": {}}


@pytest.mark.parametrize(
    "cells, fault",
    [
        ([code(), code(count=None), code(count=None)], "never executed: cell 2, 3"),
        ([code(ERROR)], "cell 1 stores an error: ValueError: no"),
        ([code(VIEW)], "cell 1 stores a widget view"),
    ],
)
def test_a_notebook_must_store_the_outputs_of_a_run(build, cells, fault):
    title = {"cell_type": "markdown", "id": "t", "source": "# Page", "metadata": {}}
    assert [found for found in ag_stored.faults(notebook(*cells)) if fault in found]
    page = json.dumps(notebook(*cells, title))
    book = build({"index.md": "# Book\n", "page.ipynb": page}, "ag_stored")
    assert book.code == 1
    assert any("page.ipynb: WARNING" in warning and fault in warning for warning in book.warnings), book.warnings


def test_a_notebook_that_ran_is_accepted():
    stated = code(ERROR, tags=["raises-exception"])
    assert ag_stored.faults(notebook(code(), code(source=" \n", count=None), stated)) == []
    assert ag_stored.faults(notebook(code(), widgets={})) == ["widget state is stored in the metadata"]


def test_a_warning_in_a_notebook_names_cell_and_line(build):
    cells = [
        {"cell_type": "markdown", "id": name, "source": name, "metadata": {}} for name in ("# Page", "one\n\n$}$\n")
    ]
    book = build({"index.md": "# Book\n", "page.ipynb": json.dumps(notebook(*cells))}, "ag_stored")
    assert book.warnings[0].split("page.ipynb")[1].startswith(": cell 2, line 3: WARNING: KaTeX")


# -------------------------------------------------------------------- widgets


def test_only_a_page_with_a_widget_loads_the_bundle(build, tmp_path):
    static = tmp_path / "attention_geometry" / "widgets" / "static"
    static.mkdir(parents=True)
    for name in ("ag-widgets.min.js", "ag-widgets.min.css"):
        (static / name).write_text("/* bundle */", encoding="utf-8")
    files = {
        "index.md": '# With\n\n<div class="ag-static">1</div>\n',
        "without.md": "# Without\n\nNo `ag-static` here.\n",
    }
    book = build(files, "ag_widgets")
    assert book.code == 0, book.warnings
    assert 'src="_static/ag-near.js' in book["index"] and "_static/ag-widgets.min.css" in book["index"]
    assert "ag-widgets" not in book["without"]
    assert (book.out / "_static" / "ag-widgets.min.js").read_text() == "/* bundle */"


# ------------------------------------------------------------------ self-tests

RIGHT = ("The first.", "As it **must** be.", True)
WRONG = ("The *second*, $x$.", "This would need ‖k‖ = 1.", None)
OTHER = ("The third.", "Nobody said so.", None)


def questions(*options, ask="Which of $n$?", count=3):
    one = [f'[[question]]\nask = "{ask}"\n']
    for text, reason, right in options or (WRONG, RIGHT, OTHER):
        lines = [f'text = "{text}"', f"right = {str(right).lower()}" if right is not None else ""]
        one.append("\n".join(["[[question.option]]", *lines, f'reason = "{reason}"' if reason else "", ""]))
    return "\n".join(one * count)


@pytest.fixture
def selftest(build):
    def selftest(toml, name="03"):
        page = "# Chapter\n\n:::{selftest} 03\nQuestions stand on the built page.\n:::\n"
        return build({"index.md": "# Book\n", "03_a.md": page, f"selftest/{name}.toml": toml}, "ag_selftest")

    return selftest


def test_a_self_test_asks_and_keeps_its_reasons_to_itself(selftest):
    book = selftest(questions())
    assert book.code == 0, book.warnings
    html = book["03_a"]
    assert "Question 2 of 3. Which of" in text(html) and html.count("<fieldset") == 3
    assert html.count('type="radio"') == 9 and len(set(re.findall(r'name="(ag-03-\d)"', html))) == 3
    assert formulas(html) == ["n", "x"] * 3  # mathematics is typeset as everywhere
    assert "Questions stand" not in html and "needs JavaScript" in html
    hidden = re.findall(r'data-ag-why="([^"]+)"', html)
    assert len(hidden) == len(set(hidden)) == 9  # equal reasons do not look alike
    index = (book.out / "searchindex.js").read_text("utf-8")
    for word in ("must", "nobody", "would", "This would need", "right"):
        assert word not in re.sub("<head.*?</head>", "", html, flags=re.S) and f'"{word}"' not in index


def test_a_reason_is_found_again_by_the_key_of_its_option(selftest):
    book = selftest(questions())
    hidden = re.findall(r'data-ag-why="([^"]+)"', book["03_a"])
    plain = [decoded(code, ag_selftest.key(place // 3, place % 3)) for place, code in enumerate(hidden)]
    assert plain[:3] == ["0This would need ‖k‖ = 1.", "1As it <strong>must</strong> be.", "0Nobody said so."]
    assert plain[3:6] == plain[:3] == plain[6:]
    assert decoded(hidden[0], ag_selftest.key(0, 1)) != plain[0]


def decoded(code, key):
    data = bytearray(base64.b64decode(code))
    for place, byte in enumerate(data):
        key = (73 * key + 41) % 256
        data[place] = byte ^ key
    return data.decode(errors="replace")


@pytest.mark.parametrize(
    "toml, fault",
    [
        (questions(count=2), "2 questions, not 3 to 5"),
        (questions(RIGHT, WRONG), "question 1 has 2 options, not 3 or 4"),
        (questions(RIGHT, WRONG, RIGHT), "question 1 has 2 right answers, not one"),
        (questions(WRONG, OTHER, WRONG), "question 1 has 0 right answers, not one"),
        (questions(RIGHT, WRONG, ("The third.", "", None)), "question 1 has an option without a reason"),
        (questions(RIGHT, WRONG, (" ", "Why.", None)), "question 1 has an option without a text"),
        (questions(RIGHT, WRONG, ("The third.", "As $x$.", None)), "question 1 has a formula in a reason"),
        (questions(ask=" "), "question 3 asks nothing"),
        (questions().replace("right =", "rigth ="), "question 1 has an option with an unknown entry"),
        ("[[question]\n", "Expected ']]'"),
    ],
)
def test_a_faulty_self_test_fails_the_build_and_says_where(selftest, toml, fault):
    book = selftest(toml)
    assert book.code == 1
    assert any("03_a.md:3: WARNING: self-test 03.toml: " in w and fault in w for w in book.warnings), book.warnings


def test_a_self_test_without_its_file_fails_the_build(selftest):
    book = selftest(questions(), name="04")
    assert book.code == 1 and "self-test 03.toml: No such file" in book.warnings[0]


def test_only_a_page_with_questions_loads_their_script(selftest):
    book = selftest(questions())
    assert "ag-selftest.js" in book["03_a"] and "ag-selftest.js" not in book["index"]


# -------------------------------------------------------------------- glossary

GLOSSARY = """# Glossary

:::{glossary}
query
  What a token looks for.

row shift
  A number added to a row.
:::
"""


def test_the_first_bold_use_of_a_term_in_a_chapter_leads_to_the_glossary(build):
    goals = ":::{admonition} You will be able to\n:class: goals\n\n- **query** it\n:::\n\n"
    chapter = f"# **Query**\n\n{goals}A **query** and **row shifts**; a **Query** again, and **much** more.\n"
    files = {"index.md": "# Book\n\nA **query**.\n", "01_a.md": chapter, "02_b.md": chapter, "glossary.md": GLOSSARY}
    book = build(files, "ag_statements", "ag_glossary")
    assert book.code == 0, book.warnings
    for page in ("01_a", "02_b"):
        links = re.findall(r'<a class="ag-term[^"]*" href="([^"]+)">(.*?)</a>', book[page])
        assert [(link, text(word)) for link, word in links] == [
            ("glossary.html#term-query", "query"), ("glossary.html#term-row-shift", "row shifts"),
        ]  # fmt: skip
        assert "<strong>Query</strong> again" in book[page] and "<strong>much</strong>" in book[page]
    assert "ag-term" not in book["index"]  # not a chapter


def test_a_plural_names_its_term():
    known = {"query", "loss", "mass"}
    assert [ag_glossary.entry(word, known) for word in ("Query", "losses", "mass", "row  shift", "")] == [
        "query", "loss", "mass", None, None,
    ]  # fmt: skip
