"""One BLAS thread where the matrices are small: on a busy machine two threads are many times slower than one."""

import contextlib
import functools
import sys
import threading

_lock = threading.Lock()
_users, _restore = 0, None


@contextlib.contextmanager
def one_thread(width=0):
    """A context in which NumPy's linear algebra uses one thread; without ``threadpoolctl`` it changes nothing.

    Nor does it for matrices of a ``width`` above 512, where more threads may pay. The limit belongs to the process, so
    the first of several Python threads sets it, and the last one to leave restores what was there before.
    """
    global _users, _restore
    if width > 512:
        yield
        return
    with _lock:
        _users += 1
        if _users == 1:
            _restore = _limit_blas()
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                _restore()


def _limit_blas():
    """Set the limit, and return the function that lifts it."""
    controller = _controller("scipy.linalg" in sys.modules, "torch" in sys.modules)
    if controller is None:
        return lambda: None
    _take_over(controller)
    limit = controller.limit(limits=1).__enter__()

    def restore():
        _take_over(controller)
        limit.__exit__(None, None, None)

    return restore


def _take_over(controller):
    """Let this thread set the limit: ``threadpoolctl`` ≥ 3.8 ignores every thread but the first that ever did."""
    for library in controller.lib_controllers:
        getattr(library, "clear_controlling_thread", lambda force: None)(force=True)


@functools.cache
def _controller(*_loaded):  # each of the named modules may bring a BLAS of its own: look again once it is there
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController().select(user_api="blas")
