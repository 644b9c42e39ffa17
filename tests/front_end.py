"""A Jupyter front end with a real kernel, started for a test with no settings of this user."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

PATIENCE = 240_000  #: milliseconds for a kernel to start on a busy machine


def write(path, *sources):
    """A notebook with these code cells."""
    cells = [
        {"cell_type": "code", "id": f"c{i}", "source": s, "metadata": {}, "outputs": [], "execution_count": None}
        for i, s in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    book = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(book), encoding="utf-8")


@contextlib.contextmanager
def serving(home, python, program, *options, **variables):
    """Address of a server of the notebooks in ``home``, run by this Python; it ends with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folders = {f"JUPYTER_{kind}_DIR": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
    environment = {**os.environ, **folders, "IPYTHONDIR": str(home / "ipython"), "JUPYTER_PREFER_ENV_PATH": "1"}
    command = [python, "-m", program, "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1"]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={home}", *options]
    with open(home / "log", "w") as log:
        server = subprocess.Popen(command, env=environment | variables, stdout=log, stderr=log, start_new_session=True)
    try:
        wait_for(f"http://127.0.0.1:{port}/api", server, home / "log")
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGTERM)  # the server and its kernel, nobody else
        server.wait(20)


def wait_for(url, server, log):
    for _ in range(600):
        try:
            return urllib.request.urlopen(url, timeout=5).close()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if server.poll() is not None:
                break
            time.sleep(0.2)
    pytest.fail("the server did not start:\n" + log.read_text()[-3000:])


def run(page, index):
    """Run one cell and give what it put out."""
    cell = page.locator(".jp-CodeCell").nth(index)
    prompt = cell.locator(".jp-InputPrompt").first
    before = prompt.inner_text()
    for _ in range(PATIENCE // 5000):  # a front end that is still starting lets a key go unheard
        cell.locator(".jp-InputArea-editor").click()
        page.keyboard.press("Control+Enter")
        with contextlib.suppress(AssertionError):
            expect(prompt).not_to_have_text(before, timeout=5000)
            break
    expect(prompt).to_have_text(re.compile(r"\[\d+\]:"), timeout=PATIENCE)
    output = cell.locator(".jp-OutputArea-output")
    assert "Traceback" not in "".join(output.all_inner_texts())
    return output
