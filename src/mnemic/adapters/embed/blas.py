"""One thread for matrix products, without touching anybody's environment.

The matrices here are small: a second thread gains little, and on a busy machine threads that spin for
each other turn a query of 1.4 ms into hundreds of milliseconds.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# The names under which OpenBLAS builds export the same two functions.
_PREFIXES = ("scipy_openblas", "openblas")
_SUFFIXES = ("64_", "")


class _Threads(NamedTuple):
    """The two calls by which a BLAS library tells and changes its number of threads."""

    get: Callable[[], int]
    set: Callable[[int], object]


class _State:
    """What is shared by all users of the library in this process."""

    lock = threading.Lock()
    users = 0
    before = 1
    looked = False
    threads: _Threads | None = None


def limit_this_process() -> None:
    """Let OpenBLAS start with one thread: for a program's entry point only, before numpy is imported.

    Starting the threads makes up half of the time `import numpy` takes (60 of 120 ms, 2 cores). A value
    that the user has set stands; once numpy is loaded the call has no effect.
    """
    if "numpy" not in sys.modules:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold numpy's own OpenBLAS to one thread for the block; the number before comes back after it.

    Where numpy uses another BLAS (Accelerate, MKL, a system's build) nothing is changed.
    """
    threads = _threads()
    if threads is None:
        yield
        return
    with _State.lock:
        if _State.users == 0:
            _State.before = threads.get()
            if _State.before != 1:
                threads.set(1)
        _State.users += 1
    try:
        yield
    finally:
        with _State.lock:
            _State.users -= 1
            if _State.users == 0 and _State.before != 1:
                threads.set(_State.before)


def _threads() -> _Threads | None:
    with _State.lock:
        if not _State.looked:
            _State.threads = _find()
            _State.looked = True
        return _State.threads


def _find() -> _Threads | None:
    import ctypes

    import numpy as np

    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        for path in sorted(folder.glob("*openblas*")):
            try:
                library = ctypes.CDLL(str(path))  # already loaded by numpy: the same copy
            except OSError:
                continue
            for prefix, suffix in ((p, s) for p in _PREFIXES for s in _SUFFIXES):
                get = getattr(library, f"{prefix}_get_num_threads{suffix}", None)
                put = getattr(library, f"{prefix}_set_num_threads{suffix}", None)
                if get is not None and put is not None:
                    return _Threads(get, put)
    return None
