"""Write what follows from the repository's address, and the first cell of every notebook.

    python tools/repository.py            write what is out of date
    python tools/repository.py --check    write nothing, name what is out of date and exit with 1

The address stands in one place, ``repository`` in _config.yml; empty means that the book has no public address yet.
From it follow the buttons of the pages (through ``book/_ext/ag_edition.py``), the first cell of every notebook, the
badge in README.md, and the address in CITATION.cff and pyproject.toml.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from pathlib import Path
from urllib.parse import quote, urlsplit

import nbformat
import yaml

ROOT = Path(__file__).resolve().parent.parent
CELL = "first-cell"
HIDDEN = "remove-cell"
EXTRAS = "plots,widgets"
FIRST_CELL = """\
# Where the package is missing, as in Colab and JupyterLite, this cell installs it. Elsewhere it does nothing.
import sys
from importlib.util import find_spec

if find_spec("attention_geometry") is None:
    if sys.platform == "emscripten":  # in a browser: from the wheel beside the book
        %pip install -q numpy matplotlib anywidget
        %pip install -q --no-deps attention-geometry
    else:
        {elsewhere}"""
INSTALL = '%pip install -q "attention-geometry[{extras}] @ git+{url}@{branch}"'
NO_ADDRESS = """\
raise ModuleNotFoundError("The package is not installed. In a copy of this book's repository, "
                                  "run: pip install '.[{extras}]', then restart the kernel.")"""


@dataclasses.dataclass(frozen=True)
class Repository:
    """Where readers find the sources: an https address and a branch. No address: ``url`` is empty."""

    url: str
    branch: str

    @classmethod
    def of(cls, config: Path):
        setting = yaml.safe_load(config.read_text(encoding="utf-8"))["repository"]
        url = (setting["url"] or "").removesuffix("/").removesuffix(".git")
        if url and not re.fullmatch(r"https://[\w.-]+(/[\w.-]+){2,}", url):
            raise ValueError(f"repository.url in {config.name} must be like https://host/owner/name, not {url!r}")
        return cls(url, setting["branch"])

    @property
    def on_github(self) -> bool:
        return urlsplit(self.url).netloc == "github.com"

    @property
    def path(self) -> str:
        return urlsplit(self.url).path.strip("/")

    def launch(self, notebook: str) -> dict[str, str]:
        """Name of a host → the address that opens a notebook there. Empty without an address."""
        if not self.url:
            return {}
        spec = f"gh/{self.path}" if self.on_github else f"git/{quote(self.url, safe='')}"
        tree = quote(f"lab/tree/{notebook}", safe="")
        hosts = {"Binder": f"https://mybinder.org/v2/{spec}/{quote(self.branch, safe='')}?urlpath={tree}"}
        if self.on_github:
            place = quote(f"{self.path}/blob/{self.branch}/{notebook}")
            hosts["Colab"] = f"https://colab.research.google.com/github/{place}"
        return hosts

    def first_cell(self) -> str:
        line = INSTALL if self.url else NO_ADDRESS
        return FIRST_CELL.format(elsewhere=line.format(extras=EXTRAS, url=self.url, branch=self.branch))

    def texts(self) -> dict[str, list[str]]:
        """File → the lines that stand between its two marks."""
        if not self.url:
            return {"README.md": [], "CITATION.cff": [], "pyproject.toml": []}
        badge = "[![Run it in Binder](https://mybinder.org/badge_logo.svg)]"
        return {
            "README.md": [f"{badge}({self.launch('book/index.ipynb')['Binder']})"],
            "CITATION.cff": [f'repository-code: "{self.url}"'],
            "pyproject.toml": ["[project.urls]", f'Repository = "{self.url}"'],
        }


def main(arguments: list[str]) -> None:
    stale = {path: text for path, text in wanted(ROOT).items() if text != path.read_text(encoding="utf-8")}
    names = ", ".join(path.relative_to(ROOT).as_posix() for path in stale)
    if "--check" in arguments:
        return sys.exit(f"out of date: {names}; run make stamp" if stale else 0)
    for path, text in stale.items():
        path.write_text(text, encoding="utf-8")
    print(f"written: {names}" if stale else "nothing to write")


def wanted(root: Path) -> dict[Path, str]:
    """Every file that the address or the first cell stands in, as it should be."""
    repository = Repository.of(root / "_config.yml")
    files = {}
    for name, lines in repository.texts().items():
        files[root / name] = between((root / name).read_text(encoding="utf-8"), lines)
    for path in sorted((root / "book").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        files[path] = nbformat.writes(stamped(notebook, repository.first_cell())) + "\n"
    return files


def between(text: str, lines: list[str]) -> str:
    """The text with these lines between its marks, which are comments in whatever language the file is written."""
    marks = re.search(r"^.*\baddress: written by tools/repository\.py\b.*\n((?:.*\n)*?).*/address\b", text, re.M)
    if not marks:
        raise ValueError("the two marks between which the address goes are missing")
    return text[: marks.start(1)] + "".join(line + "\n" for line in lines) + text[marks.end(1) :]


def stamped(notebook, source: str):
    """The notebook with the first cell before its other code, counted as run: where the package is, it does nothing."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.get("id") != CELL]
    if not code:
        return notebook
    first = nbformat.v4.new_code_cell(source, id=CELL, metadata={"tags": [HIDDEN]}, execution_count=1)
    notebook.cells = [cell for cell in notebook.cells if cell.get("id") != CELL]
    notebook.cells.insert(notebook.cells.index(code[0]), first)
    if code[0].execution_count == 1:  # it was run before there was a first cell
        for cell in code:
            count(cell, cell.execution_count and cell.execution_count + 1)
    return notebook


def count(cell, number: int | None) -> None:
    cell.execution_count = number
    for output in cell.outputs:
        if output.output_type == "execute_result":
            output.execution_count = number


if __name__ == "__main__":
    main(sys.argv[1:])
