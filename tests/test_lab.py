"""A real JupyterLab with a real kernel: the widget is alive there, and Python reads the values that were moved."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import numpy as np
import pytest
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
    """Address of a notebook with three cells in a JupyterLab of its own, with no settings of this user."""
    home = tmp_path_factory.mktemp("lab")
    (home / "try.ipynb").write_text(json.dumps(notebook(MAKE, READ, SET)), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folders = {f"JUPYTER_{kind}_DIR": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
    environment = {**os.environ, **folders, "IPYTHONDIR": str(home / "ipython"), "JUPYTER_PREFER_ENV_PATH": "1"}
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={port}",
        "--ServerApp.ip=127.0.0.1", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={home}",
        "--IdentityProvider.token=", "--LabApp.extension_manager=readonly",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--LabApp.news_url=None",
    ]  # fmt: skip
    with open(home / "log", "w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
    try:
        wait_for(f"http://127.0.0.1:{port}/api", server, home / "log")
        yield f"http://127.0.0.1:{port}/lab/tree/try.ipynb?reset"
    finally:
        os.killpg(server.pid, signal.SIGTERM)  # the server and its kernel, nobody else
        server.wait(20)


def notebook(*sources):
    cells = [
        {"cell_type": "code", "id": f"c{i}", "source": s, "metadata": {}, "outputs": [], "execution_count": None}
        for i, s in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def wait_for(url, server, log):
    for _ in range(300):
        try:
            return urllib.request.urlopen(url, timeout=5).close()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if server.poll() is not None:
                break
            time.sleep(0.2)
    pytest.fail("JupyterLab did not start:\n" + log.read_text()[-3000:])


def run(page, index):
    """Run one cell and give the text it printed."""
    cell = page.locator(".jp-CodeCell").nth(index)
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"), timeout=180_000)
    return cell.locator(".jp-OutputArea-output")


def read(page):
    return json.loads(run(page, 1).inner_text())


def test_the_widget_is_alive_in_jupyterlab(browser, lab):
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    errors = []
    page.on("pageerror", lambda error: errors.append(error))
    page.goto(lab)
    expect(page.locator(".jp-CodeCell")).to_have_count(3, timeout=180_000)
    expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_have_count(1, timeout=180_000)
    run(page, 0)
    widget = page.locator(".ag-widget")
    expect(widget).to_have_count(1, timeout=180_000)
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
