"""One BLAS thread where the matrices are small: on a busy machine two threads are many times slower than one."""

import contextlib
import functools
import sys
import threading

_lock = threading.Lock()
_users, _limit = 0, None


@contextlib.contextmanager
def one_thread():
    """A context in which NumPy's linear algebra uses one thread; without ``threadpoolctl`` it changes nothing.

    The limit belongs to the process, so the first of several Python threads sets it and the last one to leave
    restores what was there before.
    """
    global _users, _limit
    controller = _controller("scipy.linalg" in sys.modules, "torch" in sys.modules)
    with _lock:
        _users += 1
        if _users == 1 and controller is not None:
            _limit = controller.limit(limits=1, user_api="blas")
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0 and _limit is not None:
                _limit.restore_original_limits()
                _limit = None


@functools.cache
def _controller(*_loaded):  # each of the named modules may bring a BLAS of its own: look again once it is there
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
