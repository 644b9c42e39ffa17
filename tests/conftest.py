"""One thread for linear algebra (small matrices, shared machine), repeatable property tests, one source of noise."""

import os

for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"  # before NumPy is loaded; child processes inherit it

import hypothesis  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402

hypothesis.settings.register_profile("book", derandomize=True, deadline=None, database=None, max_examples=60)
hypothesis.settings.load_profile("book")


def pytest_collection_modifyitems(items):
    """A test in Chromium that fails is tried once more, and the summary says so: on a busy machine it can be late."""
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture
def rng():
    return np.random.default_rng(20240613)


AXE = (
    "axe-core@4.14.1",
    "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
)


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """The source of axe-core, the accessibility checker, from its package."""
    import sys
    import tarfile
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
    import fetch_assets

    folder = tmp_path_factory.mktemp("axe")
    with tarfile.open(fetch_assets.pack(*AXE, folder)) as archive:
        return archive.extractfile("package/axe.min.js").read().decode()


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


@pytest.fixture
def visit(browser, folder, request):
    """Opens a page of the module's ``folder``, offline, ``WIDTH`` wide; no error, no warning, no request elsewhere."""
    from playwright.sync_api import expect

    contexts, troubles, width = [], [], getattr(request.module, "WIDTH", 900)

    def visit(name, fragment="", **settings):
        context = browser.new_context(**{"viewport": {"width": width, "height": 1000}, "offline": True, **settings})
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda m: troubles.append(m.text) if m.type in ("error", "warning") else None)
        page.on("request", lambda r: None if r.url.startswith(("file:", "data:", "blob:")) else troubles.append(r.url))
        page.goto((folder / f"{name}.html").as_uri() + fragment)
        if settings.get("java_script_enabled", True):
            for node in page.locator(".ag-static").all():
                node.evaluate("node => node.scrollIntoView()")
            expect(page.locator("[data-ag-mounted]")).to_have_count(page.locator(".ag-static").count())
            page.evaluate("scrollTo(0, 0)")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not troubles
