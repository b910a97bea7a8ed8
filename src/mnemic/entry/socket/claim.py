"""Which of the processes that hold a bundle open answers on its socket: the one that holds the lock of a file.

The operating system gives the lock back when a process ends in whatever way, so nobody has to guess who is alive.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

NAME = "sock.lock"

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _try(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Claim:
    """The right to answer, until it is released or the process ends. The file stays: others may be waiting for it."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    @classmethod
    def of(cls, folder: Path) -> Claim | None:
        """The claim on a folder's socket; None while another server has it.

        Raises:
            OSError: The file cannot be made.
        """
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _try(handle)
        except OSError:
            os.close(handle)
            return None
        return cls(handle)

    def release(self) -> None:
        """Give it back; may be called twice."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)
