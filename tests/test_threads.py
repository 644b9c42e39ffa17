"""The one-thread context: it must hold in every Python thread, and leave the process as it was."""

import threading

import numpy as np
import pytest

from attention_geometry import _threads
from attention_geometry._threads import one_thread

threadpoolctl = pytest.importorskip("threadpoolctl")


def limits():
    return {lib["filepath"]: lib["num_threads"] for lib in threadpoolctl.threadpool_info() if lib["user_api"] == "blas"}


pytestmark = pytest.mark.skipif(not limits(), reason="threadpoolctl knows no limit for this BLAS")


def test_the_limit_holds_inside_and_is_lifted_outside():
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        before = limits()
        with one_thread(), one_thread():
            assert set(limits().values()) == {1}
        assert limits() == before


def test_overlapping_threads_restore_what_was_there():
    """The first to enter is the first to leave: the other one still has its limit, and lifts it."""
    seen, entered, left = {}, threading.Event(), threading.Event()

    def first():
        with one_thread():
            entered.set()
            second.join_started.wait(10)
        left.set()

    def later():
        entered.wait(10)
        with one_thread():
            second.join_started.set()
            left.wait(10)
            seen["after the first left"] = set(limits().values())

    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        before = limits()
        starter, second = threading.Thread(target=first), threading.Thread(target=later)
        second.join_started = threading.Event()
        starter.start(), second.start()
        starter.join(20), second.join(20)
        assert seen == {"after the first left": {1}}
        assert limits() == before


def test_without_threadpoolctl_nothing_changes(monkeypatch):
    monkeypatch.setattr(_threads, "_controller", lambda *loaded: None)
    before = limits()
    with one_thread():
        assert limits() == before
        assert np.linalg.svd(np.eye(2), compute_uv=False).tolist() == [1, 1]


def test_an_error_inside_lifts_the_limit():
    before = limits()
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert limits() == before and _threads._users == 0


def test_wide_matrices_keep_their_threads():
    with threadpoolctl.threadpool_limits(2, user_api="blas"):
        before = limits()
        with one_thread(width=513):
            assert limits() == before
