"""Run notebooks again, in place, and store their outputs in one normal form.

    python tools/execute.py book/01_the_comparison.ipynb …

The stored file holds what a page or a code host can show and nothing of the run itself: no times, no
widget views, no state. A second run therefore leaves the file as it is.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ENVIRONMENT = {
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "PYTHONHASHSEED": "0",
    "HF_HUB_OFFLINE": "1",
}
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
OF_THE_RUN = ("execution", "collapsed", "scrolled", "ExecuteTime")
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def main(names: list[str]) -> None:
    os.environ.update(ENVIRONMENT)
    failed = [name for name in names if not renew(Path(name))]
    if failed:
        sys.exit(f"{len(failed)} of {len(names)} notebooks raised and were left as they were: {', '.join(failed)}")


def renew(path: Path) -> bool:
    """Run one notebook in its own folder; write it only where every cell ran."""
    start = time.perf_counter()
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": path.parent}})
    try:
        client.execute()
    except CellExecutionError as error:
        print(f"{path}: {error}", file=sys.stderr)
        return False
    text = nbformat.writes(normal(notebook)) + "\n"
    same = text == path.read_text(encoding="utf-8")
    if not same:
        path.write_text(text, encoding="utf-8")
    print(f"{path}: {'unchanged' if same else 'renewed'} in {time.perf_counter() - start:.1f} s")
    return True


def normal(notebook):
    """The notebook without what differs from run to run or that no page can show."""
    kept = {name: value for name, value in notebook.metadata.items() if name not in ("widgets", *METADATA)}
    notebook.metadata = nbformat.from_dict({**kept, **METADATA})
    for cell in notebook.cells:
        for name in OF_THE_RUN:
            cell.metadata.pop(name, None)
        if cell.cell_type == "code":
            for output in cell.outputs:
                output.get("data", {}).pop(WIDGET_VIEW, None)
            cell.outputs = joined([output for output in cell.outputs if output.get("data", True)])
    return notebook


def joined(outputs):
    """Neighbouring pieces of one stream as one: how they were cut depends on timing."""
    kept = []
    for output in outputs:
        if kept and output.output_type == "stream" == kept[-1].output_type and output.name == kept[-1].name:
            kept[-1].text += output.text
        else:
            kept.append(output)
    return kept


if __name__ == "__main__":
    main(sys.argv[1:])
