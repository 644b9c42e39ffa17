"""The widgets in front ends that need an environment of their own: Notebook 7, and the versions that Colab has.

``make check`` runs this file, ``make test`` does not. Each host is installed once into ``.cache/hosts``, and started
with no settings of this user. A host that cannot be installed or started fails; nothing is skipped.
"""

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from front_end import PATIENCE, run, serving, write
from playwright.sync_api import expect

ROOT = Path(__file__).parent.parent
NUMPY = "numpy==2.1.3"


@dataclasses.dataclass(frozen=True)
class Host:
    name: str
    packages: tuple
    program: str
    address: str

    def __str__(self):
        return self.name


HOSTS = [
    Host(
        "notebook7",
        ("notebook==7.6.5", "anywidget==0.11.0", "ipywidgets==8.1.9", NUMPY),
        "notebook",
        "notebooks/try.ipynb",
    ),
    Host(  # Colab's own front end cannot be run here; its versions of everything that the widgets touch can
        "colab",
        (
            *("ipywidgets==7.7.1", "anywidget==0.9.21", "ipython==7.34.0", "ipykernel==6.17.1", NUMPY),
            *("traitlets==5.7.1", "matplotlib==3.10.0", "scipy==1.16.3"),
            *("jupyterlab==3.6.8", "jupyterlab_widgets==1.1.11", "nbval==0.11.0"),
        ),
        "jupyterlab",
        "lab/tree/try.ipynb?reset",
    ),
]
CELLS = [
    """from attention_geometry.widgets import QueryKeyPlane
w = QueryKeyPlane([[1.2, 0.6], [-0.5, 1.1]], [[1, 0.2], [-0.4, 1.2]], [[1, 0], [0, 1]], tokens=["a<b", "</script>"])
w""",
    """import json
heard = sum(len(each) for kinds in w._trait_notifiers.values() for each in kinds.values())
print(json.dumps({"Q": w.Q, "K": w.K, "T": str(w.temperature), "mask": w.mask, "weights": w.weights.tolist(),
                  "experiment": w.experiment, "heard": heard}))""",
    "w.K = [[1.0, 0.0], [0.0, 1.0]]; w.temperature = 0; print('set')",
]
COUNT = """() => { const Known = window.IntersectionObserver; window.agWatching = 0;
window.IntersectionObserver = class extends Known {
  constructor(run, options) { super(run, options); this.ours = options?.rootMargin === "80px";
    window.agWatching += this.ours; }
  disconnect() { window.agWatching -= this.ours; this.ours = false; super.disconnect(); } }; }"""


@pytest.fixture(scope="module", params=HOSTS, ids=str)
def host(request, tmp_path_factory):
    """Address of a notebook in the host, and its package versions as its own Python says them."""
    home, python = tmp_path_factory.mktemp(request.param.name), installed(request.param)
    write(home / "try.ipynb", *CELLS)
    paths = {"PYTHONPATH": str(ROOT), "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
    options = ["--ServerApp.token=", "--ServerApp.password="]
    with serving(home, python, request.param.program, *options, **paths) as address:
        yield f"{address}/{request.param.address}"


def installed(host):
    """The Python of the host's environment, made the first time."""
    folder = ROOT / ".cache" / "hosts" / host.name
    python, done = folder / "bin" / "python", folder / "installed"
    if not done.is_file() or done.read_text() != "\n".join(host.packages):
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *host.packages], check=True)
        done.write_text("\n".join(host.packages))
    return python


def read(page):
    output = run(page, 1)
    expect(output.first).to_contain_text("heard")
    return json.loads(output.first.inner_text())


def test_the_widget_is_alive_and_in_step_with_python(browser, host):
    page = browser.new_page(viewport={"width": 1280, "height": 1200})
    page.add_init_script(f"({COUNT})()")
    errors = []
    page.on("pageerror", lambda error: errors.append(f"{error} {error.stack}"))
    page.goto(host)
    expect(page.locator(".jp-CodeCell")).to_have_count(3, timeout=PATIENCE)
    run(page, 0)
    widget = page.locator(".ag-widget")
    expect(widget).to_have_count(1, timeout=PATIENCE)
    errors.clear()  # what the host complains of while it starts is not ours
    handle = widget.locator("[data-handle=q0]")
    expect(handle).to_have_attribute("aria-label", "query 1 (a<b)")
    first = read(page)

    # from the page to Python: mouse, keys, which the notebook must not take for its own, and the controls
    handle.evaluate("node => node.scrollIntoView({ block: 'center' })")
    box = handle.locator(".ag-hit").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y + 30, steps=4)
    page.mouse.up()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("d")
    page.keyboard.press("d")  # deletes a cell where the notebook hears it
    expect(page.locator(".jp-CodeCell")).to_have_count(3)
    widget.get_by_label("query 1 (a<b) may attend to key 2 (</script>)").uncheck()
    widget.get_by_label("Temperature").focus()
    page.keyboard.press("End")
    widget.get_by_role("button", name="Another basis", exact=True).click()
    state = read(page)
    shown = re.findall(r"[\d.]+", handle.get_attribute("aria-valuetext"))
    assert state["Q"][0] != [1.2, 0.6] and [f"{abs(v):.2f}" for v in state["Q"][0]] == shown
    assert state["Q"][1] == [-0.5, 1.1] and state["T"] == "inf" and state["mask"] == [[True, False], [True, True]]
    assert state["weights"] == [[1.0, 0.0], [0.5, 0.5]] and state["experiment"] == "basis"

    # from Python to the page
    run(page, 2)
    expect(widget.locator("[data-handle=k1]")).to_have_attribute("aria-valuetext", "x 0.00, y 1.00")
    expect(widget.locator(".ag-reading").first).to_have_text("T = 0")
    widget.get_by_label("Mask", exact=True).select_option("none")
    state = read(page)
    S = np.array(state["Q"]) @ np.array(state["K"]).T
    np.testing.assert_allclose(state["weights"], S == S.max(axis=1, keepdims=True))
    assert state["mask"] is None

    # running a cell again leaves one widget, one observer of the page, and nobody more who listens to the traits
    for _ in range(3):
        run(page, 0)
        expect(widget).to_have_count(1, timeout=PATIENCE)
    page.wait_for_function("window.agWatching === 1")
    assert read(page)["heard"] == first["heard"]
    expect(handle).to_have_attribute("aria-valuetext", "x 1.20, y 0.60")
    assert not errors
    page.close()
