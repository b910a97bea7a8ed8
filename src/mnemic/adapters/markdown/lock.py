"""The bundle's lock: one writer at a time, over threads and processes.

The operating system holds it (`flock`, on Windows a locked byte), so a lock of a dead process is free at once and one
of a living process is never broken, however long it works. Own code instead of the `filelock` package, because every
`mnemic remember` would pay 35 ms for importing that one.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mnemic.errors import BundleBusyError, WriteFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _try(fd: int) -> None:
        os.lseek(fd, 0, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


_FIRST_PAUSE = 0.001
_LONGEST_PAUSE = 0.02


class BundleLock:
    """A lock named by its file. Entered again by the thread that holds it, it only counts.

    The file is made when first needed and never deleted: others may be waiting on it.
    """

    def __init__(self, path: str, *, where: str) -> None:
        self.path, self.where = path, where
        self._thread = threading.RLock()
        self._depth = 0
        self._owner = 0
        self._fd = -1
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def is_ours(self) -> bool:
        """Whether this thread holds it."""
        return self._owner == threading.get_ident()

    @contextmanager
    def held(self, timeout: float) -> Iterator[None]:
        """Hold the lock for the length of a `with` block.

        Raises:
            BundleBusyError: Somebody else held it for all of `timeout` seconds.
            WriteFailedError: The lock file cannot be made.
        """
        deadline = time.monotonic() + timeout
        if not self._thread.acquire(timeout=max(timeout, 0)):
            raise BundleBusyError(self.where, seconds=timeout)
        try:
            if self._depth == 0:
                self._fd = self._acquire(deadline, timeout)
                self._owner = threading.get_ident()
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._owner = 0
                    os.close(self._fd)  # closing the file gives the lock back
                    self._fd = -1
        finally:
            self._thread.release()

    def _acquire(self, deadline: float, timeout: float) -> int:
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise WriteFailedError(self.path, (error.strerror or str(error)).lower()) from error
        pause = _FIRST_PAUSE
        while True:
            try:
                _try(fd)
            except OSError:
                left = deadline - time.monotonic()
                if left <= 0:
                    os.close(fd)
                    raise BundleBusyError(self.where, seconds=timeout) from None
                # Uneven pauses, so that waiting processes do not come back in step.
                time.sleep(min(left, pause * (0.5 + os.urandom(1)[0] / 255)))
                pause = min(pause * 2, _LONGEST_PAUSE)
            except BaseException:
                os.close(fd)
                raise
            else:
                return fd

    def _forget(self) -> None:
        """In a forked child: its copy of the open file would keep the lock after the parent's death."""
        if self._fd >= 0:
            os.close(self._fd)
        self._thread = threading.RLock()
        self._depth, self._owner, self._fd = 0, 0, -1


_locks: dict[str, BundleLock] = {}
_registry = threading.Lock()


def lock_at(path: str, *, where: str) -> BundleLock:
    """The one lock of this process for a lock file, so that every store on a bundle excludes and re-enters alike."""
    key = os.path.realpath(path)
    with _registry:
        if key not in _locks:
            _locks[key] = BundleLock(path, where=where)
        return _locks[key]
