"""The pages show stored outputs, so a notebook must store all of them: no error, no cell that never ran.

Each fault is a Sphinx warning with notebook and cell, and ``-W`` fails the build. Warnings of every other
extension, too, name the cell: myst-nb counts line 3 of cell 6 as line 60004.
"""

from __future__ import annotations

import json
import re
from logging import Filter, getLogger
from pathlib import Path

from sphinx.util import logging

log = logging.getLogger(__name__)

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def setup(app):
    for handler in getLogger("sphinx").handlers:
        handler.addFilter(CellAndLine())
    app.connect("env-before-read-docs", check_notebooks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class CellAndLine(Filter):
    def filter(self, record):
        found = re.fullmatch(r"(.+\.ipynb):(\d+)(\d{4})", getattr(record, "location", None) or "")
        if found:
            record.location = f"{found[1]}: cell {found[2]}, line {int(found[3]) - 1}"
        return True


def check_notebooks(app, env, docnames):
    for docname in sorted(docnames):
        path = Path(env.doc2path(docname))
        if path.suffix == ".ipynb":
            for fault in faults(json.loads(path.read_text(encoding="utf-8"))):
                log.warning("%s", fault, location=docname, type="ag", subtype="stored")


def faults(notebook: dict) -> list[str]:
    """What keeps the stored outputs of a notebook from being the outputs of a run. Cells count from 1."""
    code = [
        (place, cell)
        for place, cell in enumerate(notebook["cells"], 1)
        if cell["cell_type"] == "code" and "".join(cell["source"]).strip()
    ]
    found = ["widget state is stored in the metadata"] if "widgets" in notebook["metadata"] else []
    if skipped := [place for place, cell in code if cell.get("execution_count") is None]:
        found.append(f"never executed: cell {', '.join(map(str, skipped))}; run make execute")
    for place, cell in code:
        expected = "raises-exception" in cell["metadata"].get("tags", [])
        for output in cell["outputs"]:
            if output["output_type"] == "error" and not expected:
                found.append(f"cell {place} stores an error: {output['ename']}: {output['evalue']}")
            if WIDGET_VIEW in output.get("data", {}):
                found.append(f"cell {place} stores a widget view, which no page can show")
    return found
