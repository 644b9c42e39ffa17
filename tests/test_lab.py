"""A real JupyterLab with a real kernel: the widget is alive there, and Python reads the values that were moved."""

import json
import re
import sys

import numpy as np
import pytest
from front_end import PATIENCE, run, serving, write
from playwright.sync_api import expect

from attention_geometry.attention import attention

pytestmark = pytest.mark.browser

MAKE = """from attention_geometry.widgets import QueryKeyPlane
w = QueryKeyPlane([[1.2, 0.6], [-0.5, 1.1]], [[1, 0.2], [-0.4, 1.2]], [[1, 0], [0, 1]], tokens=["a<b", "</script>"])
w"""
READ = """import json
print(json.dumps({"Q": w.Q, "K": w.K, "T": str(w.temperature), "mask": w.mask, "weights": w.weights.tolist()}))"""
SET = "w.K = [[1.0, 0.0], [0.0, 1.0]]; w.temperature = 0"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Address of a notebook with three cells in a JupyterLab of its own."""
    home = tmp_path_factory.mktemp("lab")
    write(home / "try.ipynb", MAKE, READ, SET)
    options = ["--IdentityProvider.token=", "--LabApp.extension_manager=readonly", "--LabApp.news_url=None"]
    options += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with serving(home, sys.executable, "jupyterlab", *options) as address:
        yield f"{address}/lab/tree/try.ipynb?reset"


def read(page):
    return json.loads(run(page, 1).inner_text())


def test_the_widget_is_alive_in_jupyterlab(browser, lab):
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    errors = []
    page.on("pageerror", lambda error: errors.append(error))
    page.goto(lab)
    expect(page.locator(".jp-CodeCell")).to_have_count(3, timeout=PATIENCE)
    expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_have_count(1, timeout=PATIENCE)
    run(page, 0)
    widget = page.locator(".ag-widget")
    expect(widget).to_have_count(1, timeout=PATIENCE)
    handle = widget.locator("[data-handle=q0]")
    expect(handle).to_have_attribute("aria-label", "query 1 (a<b)")

    # by mouse
    handle.scroll_into_view_if_needed()
    box = handle.locator(".ag-hit").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y + 30, steps=4)
    page.mouse.up()
    # by keys, which the notebook must not take for its own
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator(".jp-CodeCell")).to_have_count(3)
    # and the controls
    widget.get_by_label("query 1 (a<b) may attend to key 2 (</script>)").uncheck()
    widget.get_by_label("Temperature").focus()
    page.keyboard.press("End")

    state = read(page)
    shown = re.findall(r"[\d.]+", handle.get_attribute("aria-valuetext").replace("−", "-"))
    assert state["Q"][0] != [1.2, 0.6] and [f"{abs(v):.2f}" for v in state["Q"][0]] == shown
    assert state["Q"][1] == [-0.5, 1.1] and state["T"] == "inf" and state["mask"] == [[True, False], [True, True]]
    assert state["weights"] == [[1.0, 0.0], [0.5, 0.5]]

    # the other way: what Python sets is drawn
    run(page, 2)
    expect(widget.locator("[data-handle=k1]")).to_have_attribute("aria-valuetext", "x 0.00, y 1.00")
    expect(widget.locator(".ag-controls .ag-reading")).to_have_text("T = 0")
    widget.get_by_label("Mask", exact=True).select_option("none")
    state = read(page)
    S = attention(state["Q"], state["K"], state["K"]).scores
    np.testing.assert_allclose(state["weights"], S == S.max(axis=1, keepdims=True))
    assert state["mask"] is None and not errors
    page.close()
