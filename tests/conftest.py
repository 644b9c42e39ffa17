"""One thread for linear algebra (small matrices, shared machine), repeatable property tests, one source of noise."""

import os

for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"  # before NumPy is loaded; child processes inherit it

import hypothesis  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402

hypothesis.settings.register_profile("book", derandomize=True, deadline=None, database=None, max_examples=60)
hypothesis.settings.load_profile("book")


@pytest.fixture
def rng():
    return np.random.default_rng(20240613)


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests that need one; it is found or installed by tools/chromium.py, never skipped."""
    import subprocess
    import sys
    from pathlib import Path

    from playwright.sync_api import sync_playwright

    tool = Path(__file__).parent.parent / "tools" / "chromium.py"
    found = subprocess.run([sys.executable, str(tool)], stdout=subprocess.PIPE, text=True)
    if found.returncode:
        pytest.fail("no Chromium: run the tests with make test CHROMIUM=path")
    quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-sync", *quiet]
        chromium = playwright.chromium.launch(executable_path=found.stdout.strip(), args=options)
        yield chromium
        chromium.close()
