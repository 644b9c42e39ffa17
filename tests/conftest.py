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
