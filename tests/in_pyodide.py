"""What `hosts_pyodide.py` has Pyodide do: run tests under its rules, and run cells. The last line is JSON."""

import collections
import json
import os
import re
import sys
import time

CELLS = "/book/book/_ext"
MISSING = re.compile(r"could not import '(\w+)|^(\w+) is needed here|No module named '(\w+)")


def run_tests(files):
    """Run files of tests; say how many passed in each, which failed, and how many were left out for which reason."""
    import pytest

    os.chdir("/book")
    sys.path.append("/book/tests")
    rules, begun = Rules(), time.time()
    options = ["-q", "-p", "no:cacheprovider", "--capture=sys", "--tb=short", "-W", "ignore::pytest.PytestWarning"]
    code = pytest.main([*options, *files], plugins=[rules])
    found = {"passed": rules.passed, "left_out": rules.left_out, "failed": rules.failed, "files_left_out": rules.files}
    print("\n" + json.dumps({**found, "code": int(code), "seconds": round(time.time() - begun)}))


def run_cells(pages):
    """Run the chosen cells of each page, as the page does."""
    sys.path.append(CELLS)
    import ag_cells

    print("\n" + json.dumps([[ag_cells.run(cells, index) for index in chosen] for cells, chosen in pages]))


class Rules:
    """A plugin of pytest that leaves out what cannot be here, and counts."""

    def __init__(self):
        self.passed, self.left_out, self.failed = collections.Counter(), collections.Counter(), []
        self.files, self.has_flags = {}, overflow_is_noticed()

    def pytest_collectreport(self, report):
        if report.skipped:  # a file that asks for a library at its head
            self.files[report.nodeid] = report.longrepr[2]

    def pytest_runtest_logreport(self, report):
        if report.skipped:
            self.left_out[report.longrepr[2]] += 1
        elif report.failed:
            self.failed.append(report.nodeid)
        elif report.when == "call":
            self.passed[report.nodeid.partition("::")[0]] += 1

    def pytest_runtest_makereport(self, item, call):
        report = yield
        if call.excinfo and (reason := self.reason(item, call.excinfo.value)):
            report.outcome, report.longrepr = "skipped", (str(item.path), 0, reason)
        return report

    def reason(self, item, error):
        if missing := MISSING.search(str(error)):
            return f"needs {next(filter(None, missing.groups()))}"
        if "can't start new thread" in str(error):
            return "needs threads"
        if str(error).startswith("bootstrap() got an unexpected keyword argument 'rng'"):  # the oracle, not the package
            return "needs SciPy 1.15"
        if not self.has_flags and "can_fail[F16" in item.nodeid:
            return "needs floating-point flags"
        return str(error) if type(error).__name__ == "Skipped" else None


def overflow_is_noticed():
    import numpy as np

    try:
        with np.errstate(over="raise"):
            np.array([1e308]) * 10
    except FloatingPointError:
        return True
    return False


try:
    import pytest
except ImportError:  # only cells are run
    pass
else:
    Rules.pytest_runtest_makereport = pytest.hookimpl(wrapper=True)(Rules.pytest_runtest_makereport)
