"""Every example in a docstring is true, and importing the package loads only what it says it loads."""

import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys

import numpy as np
import pytest

import attention_geometry

HEAVY = ["torch", "matplotlib", "scipy", "ipywidgets", "anywidget", "networkx", "xarray", "dask", "transformers"]
NUMPY_ONLY = ["", ".attention", ".bilinear", ".exercises", "._inputs", "._text"]
MODULES = sorted(m.name for m in pkgutil.walk_packages(attention_geometry.__path__, "attention_geometry."))


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    with np.printoptions():  # examples may not change how later ones print
        failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_a_wrong_example_fails():
    def wrong():
        """
        >>> 1 + 1
        3
        """

    runner = doctest.DocTestRunner(verbose=False)
    (test,) = doctest.DocTestFinder().find(wrong, "wrong", globs={})
    assert runner.run(test, out=lambda text: None).failed == 1


@pytest.mark.parametrize("name", ["attention_geometry.attention", "attention_geometry.bilinear"])
def test_public_functions_are_documented_in_full(name):
    module = importlib.import_module(name)
    for f in vars(module).values():
        if inspect.isfunction(f) and f.__module__ == name and not f.__name__.startswith("_"):
            text = inspect.getdoc(f)
            sections = [line for line, rule in zip(text.splitlines(), text.splitlines()[1:]) if set(rule) == {"-"}]
            assert {"Parameters", "Returns", "Raises", "Examples"} <= set(sections), f.__name__
            assert text.splitlines()[0].endswith("."), f.__name__
            for parameter in inspect.signature(f).parameters:
                assert parameter in text, (f.__name__, parameter)


def loaded_by(code):
    """Which heavy modules a fresh interpreter holds after running ``code``."""
    probe = f"{code}\nimport sys\nprint(*[m for m in {HEAVY} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=120, check=True)
    return run.stdout.split()


@pytest.mark.parametrize("name", NUMPY_ONLY)
def test_F21_numpy_only_modules_load_numpy_only(name):
    assert loaded_by(f"import attention_geometry{name}") == []


def test_the_check_of_what_is_loaded_can_fail():
    assert loaded_by("import attention_geometry, scipy") == ["scipy"]


def test_importing_the_package_loads_none_of_its_modules():
    probe = "import attention_geometry, sys; print(*[m for m in sys.modules if m.startswith('attention_geometry.')])"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.split() == []


@pytest.mark.parametrize("name", [m for m in MODULES if ".widgets" not in m])
def test_F21_no_module_needs_an_extra_to_be_imported(name):
    assert set(loaded_by(f"import {name}")) <= {"scipy"}


def test_F21_the_numpy_only_modules_work_where_nothing_else_is_installed():
    code = f"""
import doctest, importlib, sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {HEAVY}:
            raise ImportError(name)
sys.meta_path.insert(0, Nothing())
for name in {[n for n in NUMPY_ONLY if n]}:
    assert doctest.testmod(importlib.import_module("attention_geometry" + name)).failed == 0
try:
    import scipy
except ImportError:
    print("alone")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.stdout.split() == ["alone"], run.stderr
