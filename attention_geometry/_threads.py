"""One BLAS thread where the matrices are small: on a busy machine two threads are many times slower than one."""

import contextlib
import functools


def one_thread():
    """A context in which NumPy's linear algebra uses one thread; without ``threadpoolctl`` it changes nothing."""
    controller = _controller()
    return contextlib.nullcontext() if controller is None else controller.limit(limits=1, user_api="blas")


@functools.cache
def _controller():
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
