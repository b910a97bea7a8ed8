"""Sessions as JSON Lines files, one a session, appended to and never edited, erasure excepted."""

from __future__ import annotations

import os
import stat
from functools import cached_property
from typing import TYPE_CHECKING

from mnemic.adapters.scans import KeptScan
from mnemic.adapters.sessions.files import SUFFIX, reason
from mnemic.domain.documents import Stamp
from mnemic.errors import DocumentUnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from mnemic.adapters.sessions.log import SessionLog
    from mnemic.domain.documents import Problem
    from mnemic.domain.session import Appended, Session, SessionHead, Turn


class JsonlSessions:
    """`SessionStore` in one folder; passes `testing/contracts/`, as every session store does.

    Args:
        folder: Where the files are; made at the first append.
        lock: Gives the bundle's lock, held while a file is written. Readers never take it.
        prefix: The folder as the paths of stamps name it, relative to the bundle.
    """

    def __init__(
        self, folder: Path, *, lock: Callable[[], AbstractContextManager[object]], prefix: str = ".mnemic/sessions"
    ) -> None:
        self._folder = folder
        self._lock = lock
        self._prefix = prefix
        self._scan = KeptScan(self._looked, self._look_at)

    def stamps(self) -> list[Stamp]:
        """Every session's file as a scan sees it, by path; no file is opened."""
        return self._scan.stamps()

    def _looked(self) -> tuple[list[Stamp], list[str] | None]:
        try:
            with os.scandir(self._folder) as entries:
                found = [self._stamp(entry) for entry in entries if _is_session(entry)]
        except FileNotFoundError:
            return [], None
        except OSError as error:
            raise DocumentUnreadableError(self._prefix, reason(error)) from error
        found.sort()
        return found, [str(self._folder)]

    def _look_at(self, folder: str, name: str) -> tuple[str, Stamp | None] | None:
        if not _names_a_session(name):
            return None
        path = f"{self._prefix}/{name}"
        try:
            seen = os.lstat(os.path.join(folder, name))  # noqa: PTH118 - on the way of every recall
        except OSError:
            return path, None
        if not stat.S_ISREG(seen.st_mode):
            return path, None
        return path, Stamp(path, seen.st_size, seen.st_mtime_ns, seen.st_ino)

    def heads(self) -> Iterator[SessionHead]:
        """As `SessionLog.heads`."""
        return self._log.heads()

    def read(self, session_id: str) -> Session:
        """As `SessionLog.read`."""
        return self._log.read(session_id)

    def read_path(self, path: str) -> Session:
        """As `SessionLog.read_path`."""
        return self._log.read_path(path)

    def append(self, head: SessionHead, turns: Iterable[Turn]) -> Appended:
        """As `SessionLog.append`."""
        return self._log.append(head, turns)

    def erase(self, session_id: str, numbers: Sequence[int] | None = None) -> int:
        """As `SessionLog.erase`."""
        return self._log.erase(session_id, numbers)

    def grouped(self) -> AbstractContextManager[None]:
        """As `SessionLog.grouped`."""
        return self._log.grouped()

    def check(self) -> list[Problem]:
        """As `SessionLog.check`."""
        return self._log.check()

    @cached_property
    def _log(self) -> SessionLog:
        from mnemic.adapters.sessions.log import SessionLog

        return SessionLog(self._folder, lock=self._lock, prefix=self._prefix, stamps=self.stamps)

    def _stamp(self, entry: os.DirEntry[str]) -> Stamp:
        seen = entry.stat(follow_symlinks=False)
        return Stamp(f"{self._prefix}/{entry.name}", seen.st_size, seen.st_mtime_ns, seen.st_ino)


def _is_session(entry: os.DirEntry[str]) -> bool:
    return _names_a_session(entry.name) and entry.is_file(follow_symlinks=False)


def _names_a_session(name: str) -> bool:
    if not name.endswith(SUFFIX):
        return False
    from mnemic.domain.session import is_session_id

    return is_session_id(name.removesuffix(SUFFIX))
