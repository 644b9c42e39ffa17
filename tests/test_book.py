"""The rules of style that matter, held over every page of the book, and the tools that build it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BOOK = ROOT / "book"
sys.path[:0] = [str(ROOT / "book" / "_ext"), str(ROOT / "tools")]

import ag_stored  # noqa: E402
import execute  # noqa: E402
import repository  # noqa: E402
import serve  # noqa: E402

NOTEBOOKS = sorted(BOOK.glob("*.ipynb"))
CHAPTERS = [path for path in NOTEBOOKS if re.match(r"(?!00)\d\d_", path.stem)]
PAGES = sorted([*BOOK.glob("*.md"), *NOTEBOOKS])
HIDDEN = {"hide-input", "remove-input", "hide-cell", "remove-cell"}
FORBIDDEN = r"clearly|simply|just|obviously|trivially|of course|delve|crucial|powerful|fascinating|utili[sz]e|leverage"
UNFINISHED = "TODO|FIXME|XXX|coming soon|lorem ipsum"


def named(paths):
    return {"argvalues": paths, "ids": [path.stem for path in paths]}


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def source(cell):
    return "".join(cell["source"])


def cells(path, kind):
    return [(place, cell) for place, cell in enumerate(load(path)["cells"], 1) if cell["cell_type"] == kind]


def without_the_first_cell(path):
    """The cells of a notebook but the one that installs the package; tests/test_repository.py holds that one."""
    return [cell for cell in load(path)["cells"] if cell.get("id") != repository.CELL]


def markdown(path):
    """The text of a page as its author wrote it."""
    return (
        path.read_text("utf-8") if path.suffix == ".md" else "\n\n".join(source(c) for _, c in cells(path, "markdown"))
    )


def prose(path):
    """The text without code, mathematics, options of directives and addresses."""
    text = re.sub(r"```.*?```|~~~.*?~~~", "", markdown(path), flags=re.S)
    text = re.sub(r"^:[a-z-]+:.*$|^:{3,}.*$", "", text, flags=re.M)
    return re.sub(r"\$\$.*?\$\$|\$[^$]+\$|`[^`]+`|\]\([^)]*\)", " ", text, flags=re.S)


def formulas(path):
    text = re.sub(r"`[^`\n]+`", "", markdown(path))
    return re.findall(r"\$\$(.+?)\$\$|(?<!\\)\$([^$\n]+)\$", text, flags=re.S)


# ------------------------------------------------------------ stored outputs


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_every_cell_was_run_and_none_failed(path):
    assert ag_stored.faults(load(path)) == []


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_cells_were_run_once_each_from_top_to_bottom(path):
    counts = [cell["execution_count"] for _, cell in cells(path, "code")]
    assert counts == list(range(1, len(counts) + 1))


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_a_notebook_is_stored_in_its_normal_form(path):
    """What make execute writes: a second run would leave the file as it is, as far as form goes."""
    nbformat = pytest.importorskip("nbformat")
    assert nbformat.writes(execute.normal(nbformat.read(path, as_version=4))) + "\n" == path.read_text("utf-8")


@pytest.mark.parametrize("path", **named(PAGES))
def test_no_page_holds_a_path_of_a_machine_or_unfinished_work(path):
    text = path.read_text("utf-8")
    assert not re.search(r"/(?:home|Users|root|private|tmp|var)/\w|[A-Z]:\\\\", text)
    assert not re.search(rf"\b({UNFINISHED})\b", text)


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_stored_text_shows_no_address_in_memory(path):
    outputs = [output for _, cell in cells(path, "code") for output in cell["outputs"]]
    shown = json.dumps([output.get("text", output.get("data", {}).get("text/plain")) for output in outputs])
    assert not re.search(r"0x[0-9a-f]{6,}", shown)


# --------------------------------------------------------------------- shape


@pytest.mark.parametrize("path", **named(PAGES))
def test_a_page_has_one_title(path):
    assert len(re.findall(r"^# \S", markdown(path), flags=re.M)) == 1


@pytest.mark.parametrize("path", **named(CHAPTERS))
def test_a_chapter_has_its_parts_in_their_order(path):
    text = markdown(path)
    parts = ["You will be able to", "## Exercises", "## Test yourself", "## Summary", "## Further reading"]
    places = [text.find(part) for part in parts]
    assert -1 not in places and places == sorted(places), dict(zip(parts, places))
    assert re.search(r"does not claim|makes no claim|not claim", text[: places[0]]), (
        "say what the chapter does not claim"
    )
    assert "minutes" in text[: places[1]]
    assert re.search(r"class: predict", text), "the reader predicts before a cell runs"
    assert len(re.findall(r"\{admonition\} Exercise \d", text)) >= 6
    levels = set(re.findall(r"\{admonition\} Exercise [\d.]+ · (\w+)", text))
    assert {"compute", "prove", "break"} <= levels, levels
    assert f"{{selftest}} {path.stem[:2]}" in text[places[2] : places[3]]
    assert "{stmt}" in text[places[3] : places[4]], "the summary points to statements"
    assert "{cite" in text[places[4] :]


@pytest.mark.parametrize("path", **named(CHAPTERS))
def test_a_chapter_says_six_things_or_more_and_measures_one(path):
    kinds = re.findall(r"^:kind: (\w+)", markdown(path), flags=re.M)
    assert len(kinds) >= 6 and {"definition", "proved", "measured"} <= set(kinds)


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_a_chapter_is_read_in_one_sitting(path):
    assert len(without_the_first_cell(path)) <= 48  # an exercise is two of them
    assert len(prose(path).split()) < 3500


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_imports_stand_in_one_cell_at_the_top(path):
    importing = [
        place
        for place, cell in enumerate(without_the_first_cell(path), 1)
        if cell["cell_type"] == "code" and re.search(r"^(import|from) ", source(cell), re.M)
    ]
    assert len(importing) == 1 and importing[0] <= 4


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_code_of_the_argument_fits_in_the_eye(path):
    for place, cell in cells(path, "code"):
        lines = source(cell).splitlines()
        hidden = HIDDEN & set(cell["metadata"].get("tags", []))
        assert len(lines) <= (30 if hidden else 12), f"cell {place}"
        assert all(len(line) <= (110 if hidden else 84) for line in lines), f"cell {place} is wider than the column"


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_randomness_has_a_seed(path):
    code = "\n".join(source(cell) for _, cell in cells(path, "code"))
    assert not re.search(r"np\.random\.(?!default_rng)|default_rng\(\)|^import random", code, re.M)


# ------------------------------------------------------------------- figures


def figures(path):
    for place, cell in cells(path, "code"):
        pictures = [o for o in cell["outputs"] if {"image/png", "image/svg+xml"} & set(o.get("data", {}))]
        if pictures:
            yield place, cell, pictures


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_a_figure_has_a_caption_that_opens_with_its_claim_and_a_text_for_who_cannot_see_it(path):
    for place, cell, _ in figures(path):
        shown = cell["metadata"].get("mystnb", {})
        caption, name = (shown.get("figure", {}).get(key, "") for key in ("caption", "name"))
        alt = shown.get("image", {}).get("alt", "")
        claim = re.match(r"\*\*(.+?[.?])\*\* \S", caption)
        assert claim, f"cell {place}: {caption!r}"
        assert len(claim[1].split()) <= 12 and name.startswith("fig-"), f"cell {place}"
        assert len(alt.split()) >= 8 and alt != caption, f"cell {place}: {alt!r}"


@pytest.mark.parametrize("path", **named(NOTEBOOKS))
def test_a_figure_is_one_light_picture_without_a_title(path):
    for place, cell, pictures in figures(path):
        assert len(pictures) == 1, f"cell {place}"
        assert not re.search(r"set_title|suptitle|plt\.title|title=", source(cell)), f"cell {place}"
        data = pictures[0]["data"]
        size = len("".join(data.get("image/svg+xml", ""))) or len(data["image/png"]) * 3 // 4
        assert size < 150_000, f"cell {place}: {size} bytes"


@pytest.mark.parametrize("path", **named(PAGES))
def test_no_picture_comes_from_another_host(path):
    assert not re.search(r"!\[[^\]]*\]\(https?:|<img[^>]+https?:|\{(?:image|figure)\} https?:", markdown(path))


# ---------------------------------------------------------- words and formulas


@pytest.mark.parametrize("path", **named(PAGES))
def test_no_word_that_hides_a_step_or_sells(path):
    found = re.findall(rf"\b(?:{FORBIDDEN})\b", prose(path), flags=re.I)
    assert found == []


@pytest.mark.parametrize("path", **named(PAGES))
def test_a_paragraph_is_short(path):
    for paragraph in re.split(r"\n\s*\n", prose(path)):
        if paragraph.lstrip().startswith(("-", "|", "1.", "#")):
            continue
        sentences = re.findall(r"[^.!?]+[.!?](?=\s|$)", paragraph)
        assert len(sentences) <= 7 and len(paragraph.split()) <= 130, paragraph


@pytest.mark.parametrize("path", **named(PAGES))
def test_every_host_can_read_the_mathematics(path):
    """No macro of the book's own and no numbering inside a formula, so that Jupyter and Colab show the same."""
    for pair in formulas(path):
        tex = "".join(pair)
        bad = r"\\(?:label|eqref|ref|newcommand|def|require|DeclareMathOperator|color|tag)\b|\{multline"
        assert not re.search(bad, tex), tex


@pytest.mark.parametrize("path", **named(PAGES))
def test_a_formula_in_a_table_holds_no_bar(path):
    """`\\|` in a table row is a bar, not a norm: write \\lVert."""
    for line in markdown(path).splitlines():
        if line.startswith("|"):
            assert not any(r"\|" in tex for tex in re.findall(r"\$[^$]+\$", line)), line


@pytest.mark.parametrize("path", **named(PAGES))
def test_boxes_read_well_where_directives_are_not_rendered(path):
    """A code host shows the source: colon fences, and options set apart from the text by an empty line."""
    text = markdown(path)
    assert "```{" not in text
    for options in re.findall(r"^:{3,}\{statement\}[^\n]*\n((?::[a-z]+:.*\n)+)(.*)$", text, flags=re.M):
        assert options[1] == "", options[0]


@pytest.mark.parametrize("path", **named(PAGES))
def test_what_a_page_cites_is_in_the_bibliography(path):
    keys = set(re.findall(r"^@\w+\{([^,]+),", (BOOK / "references.bib").read_text("utf-8"), flags=re.M))
    used = [key.strip() for group in re.findall(r"\{cite[^}]*\}`([^`]+)`", markdown(path)) for key in group.split(",")]
    assert set(used) <= keys


def test_every_work_in_the_bibliography_is_cited():
    text = "".join(markdown(path) for path in PAGES)
    keys = re.findall(r"^@\w+\{([^,]+),", (BOOK / "references.bib").read_text("utf-8"), flags=re.M)
    assert [key for key in keys if key not in text] == []


def test_the_rules_can_fail(tmp_path):
    """Each check above is only as good as the text it is given."""
    page = tmp_path / "page.md"
    page.write_text("# One\n\nThis is simply so. $\\label{x}$ `just code` [a](just.md)\n\n:class: just\n", "utf-8")
    assert re.findall(FORBIDDEN, prose(page)) == ["simply"]
    assert formulas(page) == [("", "\\label{x}")]


# --------------------------------------------------------------------- tools


def test_execute_leaves_nothing_of_the_run(tmp_path):
    import nbformat
    from nbformat.v4 import new_code_cell, new_notebook

    path = tmp_path / "page.ipynb"
    cell = new_code_cell(
        "print(1)\nprint(2)\n1 + 1", metadata={"tags": ["keep"], "execution": {"iopub.execute": "12:00"}}
    )
    nbformat.write(new_notebook(cells=[cell], metadata={"widgets": {"x": {}}, "mystnb": {"a": 1}}), path)
    assert execute.renew(path)
    first = path.read_text("utf-8")
    notebook = load(path)
    assert set(notebook["metadata"]) == {"kernelspec", "language_info", "mystnb"}
    assert notebook["cells"][0]["metadata"] == {"tags": ["keep"]}
    assert [output["output_type"] for output in notebook["cells"][0]["outputs"]] == ["stream", "execute_result"]
    assert execute.renew(path) and path.read_text("utf-8") == first


def test_execute_leaves_a_notebook_that_raises_as_it_was(tmp_path, capsys):
    import nbformat
    from nbformat.v4 import new_code_cell, new_notebook

    path = tmp_path / "page.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("1 / 0")]), path)
    before = path.read_text("utf-8")
    assert not execute.renew(path)
    assert path.read_text("utf-8") == before and "ZeroDivisionError" in capsys.readouterr().err


def test_execute_drops_views_and_joins_streams():
    from nbformat.v4 import new_output

    view = new_output("display_data", data={execute.WIDGET_VIEW: {}, "text/html": "<b>1</b>"})
    only_view = new_output("display_data", data={execute.WIDGET_VIEW: {}})
    streams = [
        new_output("stream", name=name, text=text) for name, text in (("stdout", "a"), ("stdout", "b"), ("stderr", "c"))
    ]
    joined = execute.joined([*streams, view])
    assert [output.get("text") for output in joined] == ["ab", "c", None]
    cell = {"cell_type": "code", "metadata": {}, "outputs": [view, only_view], "source": "", "execution_count": 1}
    notebook = execute.normal(
        execute.nbformat.from_dict({"metadata": {}, "cells": [cell], "nbformat": 4, "nbformat_minor": 5})
    )
    assert [list(output["data"]) for output in notebook.cells[0].outputs] == [["text/html"]]


@pytest.fixture
def served(tmp_path):
    import threading

    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<p>" + "text " * 500, "utf-8")
    (site / "a b.png").write_bytes(b"\x89PNG")
    (site / "book").mkdir()
    (site / "book" / "index.html").write_text("in the folder", "utf-8")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    (site / "out").symlink_to(tmp_path)
    with serve.server(site, verbose=False) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def ask(port, address, **headers):
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", address, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), body


def test_pages_are_served_compressed_and_cached(served):
    import gzip

    status, headers, body = ask(served, "/", **{"Accept-Encoding": "gzip"})
    assert status == 200 and headers["Content-Encoding"] == "gzip" and gzip.decompress(body).startswith(b"<p>text")
    assert headers["Content-Type"] == "text/html; charset=utf-8" and headers["Cache-Control"] == "no-cache"
    assert ask(served, "/", **{"If-None-Match": headers["ETag"]})[0] == 304
    status, headers, body = ask(served, "/a%20b.png", **{"Accept-Encoding": "gzip"})
    assert (status, body) == (200, b"\x89PNG") and "max-age" in headers["Cache-Control"]
    assert ask(served, "/book")[:2][0] == 301 and ask(served, "/book/?q=1")[2] == b"in the folder"
    assert ask(served, "/none.html")[0] == 404


@pytest.mark.parametrize(
    "address", ["/../secret.txt", "/%2e%2e/secret.txt", "/book/..%2f../secret.txt", "/..\\secret.txt"]
)
def test_nothing_outside_the_folder_is_served(served, address):
    status, _, body = ask(served, address)
    assert status == 404 and b"secret" not in body
    assert ask(served, "/out/secret.txt")[0] == 404  # not even by a link inside it


def test_F31_the_wrong_jupyter_book_is_refused():
    """jupyter-book 2 ignores the configuration, writes no page and exits 0: the pin and a check stand in its way."""
    assert "jupyter-book==1.0.4.post1" in (ROOT / "requirements.txt").read_text("utf-8")
    program = (
        "import importlib.metadata as m, runpy; m.version = lambda name: '2.0.1'; runpy.run_path('tools/one_book.py')"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "2.0.1 cannot build this book" in done.stderr
    assert subprocess.run([sys.executable, "tools/one_book.py"], cwd=ROOT).returncode == 0


def test_F31_no_stray_notebook_becomes_a_page():
    import fnmatch

    import yaml

    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    assert config["only_build_toc_files"] and config["execute"]["execute_notebooks"] == "off"
    for stray in (".venv", ".cache", "venv", "node_modules", "_build", "tests", "README.md"):
        assert any(fnmatch.fnmatch(stray, pattern.removeprefix("**/")) for pattern in config["exclude_patterns"]), stray


def test_every_target_of_the_makefile_has_a_line_of_help():
    text = (ROOT / "Makefile").read_text("utf-8")
    [phony] = re.findall(r"^\.PHONY: (.*)$", text, flags=re.M)
    for target in phony.split():
        assert re.search(rf"^{target}:.*## \S", text, flags=re.M), target
    assert {"book", "serve", "execute", "test", "check", "bench"} <= set(phony.split())


def test_the_readme_starts_with_two_commands():
    text = (ROOT / "README.md").read_text("utf-8")
    first = re.search(r"```(?:sh|bash|console)?\n(.*?)```", text, flags=re.S)[1]
    commands = [line.split("#")[0].strip() for line in first.splitlines() if line.strip()]
    assert commands == ["make book", "make test"]
    for name in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / name).exists(), name


def test_every_package_is_pinned():
    """constraints.txt holds an exact version of each package that the requirement files name."""
    pinned = re.findall(r"^([\w.-]+)==\S+$", (ROOT / "constraints.txt").read_text("utf-8"), flags=re.M)
    pinned = {name.lower().replace("_", "-") for name in pinned}
    for path in ROOT.glob("requirements*.txt"):
        lines = [line.split("#")[0].strip() for line in path.read_text("utf-8").splitlines()]
        for line in filter(None, lines):
            if not line.startswith("-"):
                name, _, version = line.partition("==")
                assert version or name.lower().replace("_", "-") in pinned, f"{path.name}: {line}"
