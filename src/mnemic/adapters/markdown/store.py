"""A folder of Markdown as a store of memories: the `MemoryStore` port.

docs/reference/bundle.md says what lies where. Reading takes no lock and makes no file. Writing follows one path:
lock, recover, plan, journal, temporary files, renames, read back, generated parts, journal entry away.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.files import Fs, Seen
from mnemic.adapters.markdown.scan import full_path, look, look_at, same_id
from mnemic.adapters.scans import KeptScan
from mnemic.domain.documents import Document, Problem, Stamp
from mnemic.domain.ids import id_of_path
from mnemic.domain.ids import memory_id as checked_id
from mnemic.domain.policy import Limits
from mnemic.errors import (
    BundleBusyError,
    BundleNotFoundError,
    DocumentMalformedError,
    DocumentUnreadableError,
    InvalidIdError,
    MemoryNotFoundError,
    NotFoundError,
    ReadOnlyBundleError,
    StorageError,
    WriteFailedError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo
    from pathlib import Path

    from mnemic.adapters.markdown.layouts import Layout
    from mnemic.adapters.markdown.lock import BundleLock
    from mnemic.domain.changes import Applied, ChangeSet
    from mnemic.domain.documents import CheckReport, Located
    from mnemic.domain.ids import MemoryId
    from mnemic.ports import Clock

STATE_FOLDER = ".mnemic"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NEAR = 3
# Elsewhere a file answers to other spellings of its name, and only the folder's listing tells the true one.
_TELLS_CASES_APART = sys.platform == "linux"


class MarkdownStore:
    """`MemoryStore` over a folder; safe for several threads and processes.

    Args:
        root: The bundle's folder, which must exist.
        layout: How memories lie in documents.
        clock: Dates the log and the names of recovered copies.
        zone: What times without an offset are meant in; also the zone of the log's days.
        limits: `document_bytes` counts here: longer files are reported, not read.
        read_only: Refuse `apply` and repairs, and make no file anywhere.
        lock_timeout: Seconds that a writer waits for another one.
        state_dir: Where lock and journal lie; `.mnemic` in the bundle when left out.
        fs: The disk; tests put a recording one here.

    Raises:
        BundleNotFoundError: `root` is no folder.
        DocumentUnreadableError: It may not be read or entered.
    """

    def __init__(  # noqa: PLR0913 - what a bundle depends on, each by name
        self,
        root: Path | str,
        *,
        layout: Layout,
        clock: Clock,
        zone: tzinfo = UTC,
        limits: Limits | None = None,
        read_only: bool = False,
        lock_timeout: float = 10.0,
        state_dir: Path | str | None = None,
        fs: Fs | None = None,
    ) -> None:
        self.root = os.path.abspath(root)
        if not os.path.isdir(self.root):
            raise BundleNotFoundError(self.root)
        if not os.access(self.root, os.R_OK | os.X_OK):
            raise DocumentUnreadableError(self.root, "permission denied")
        self.layout, self.clock, self.zone, self.limits = layout, clock, zone, limits or Limits()
        self.state_dir = os.path.abspath(state_dir or os.path.join(self.root, STATE_FOLDER))
        self.fs = fs or Fs()
        self._state_inside = state_dir is None
        self._asked_read_only, self._lock_timeout = read_only, lock_timeout
        self._lock: BundleLock | None = None
        self._scan = KeptScan(self._looked, lambda folder, name: look_at(self.root, folder, name))
        self.journal_folder = os.path.join(self.state_dir, "journal")
        self.recover()

    @property
    def location(self) -> str:
        """The absolute path of the folder."""
        return self.root

    def propose_id(self, kind: str, title: str) -> MemoryId:
        """As the port says; whether it is still free is decided by `apply`."""
        return self.layout.propose_id(
            kind, title, taken=lambda proposed: os.path.lexists(os.path.join(self.root, f"{proposed}.md"))
        )

    @property
    def read_only(self) -> bool:
        """Asked for, or because the folder cannot be written."""
        return self._asked_read_only or not os.access(self.root, os.W_OK)

    def stamps(self) -> list[Stamp]:
        """As the port says; see `scan` for what is passed over."""
        return self._scan.stamps()

    def stamp(self, path: str) -> Stamp | None:
        """As the port says."""
        try:
            facts = os.stat(full_path(self.root, path))
        except (OSError, InvalidIdError):
            return None
        return Stamp(path, facts.st_size, facts.st_mtime_ns, facts.st_ino)

    def _looked(self) -> tuple[list[Stamp], list[str] | None]:
        found = look(self.root)
        return found.stamps, None if found.shared else found.folders

    def read(self, path: str) -> Document:
        """As the port says. A file that is too long or may not be read is a problem too, and is not opened or loaded.

        Raises:
            NotFoundError: It is gone.
            InvalidIdError: `path` is none of this bundle's.
        """
        return self.counted(self.see(path)[1])

    def counted(self, document: Document) -> Document:
        """The same without the problems that are none in a folder nobody made a bundle: it need not be one."""
        if not document.problems or os.path.exists(os.path.join(self.root, "mnemic.toml")):
            return document
        excused = self.layout.profile_codes
        return replace(document, problems=tuple(p for p in document.problems if p.code not in excused))

    def see(self, path: str) -> tuple[Seen | None, Document]:
        """A document with its bytes; None with a document of problems when there are none to be had."""
        full = full_path(self.root, path)
        try:
            size = os.stat(full).st_size
            if size > self.limits.document_bytes:
                message = f"It has {size:,} bytes; the limit is {self.limits.document_bytes:,}. It is not read."
                return None, _unread(path, "too_large", message)
            seen = self.fs.see(full)
        except (FileNotFoundError, NotADirectoryError):
            raise NotFoundError(f"There is no document {path} in {self.root}.") from None
        except OSError as error:
            return None, _unread(path, "unreadable", f"It cannot be read: {(error.strerror or str(error)).lower()}.")
        return seen, self.parse(path, seen.data, seen.mtime_ns)

    def parse(self, path: str, data: bytes, mtime_ns: int) -> Document:
        """What bytes mean at a path; the file's time stands in where they tell none."""
        return self.layout.read(path, data, stamp_time(mtime_ns), zone=self.zone)

    def find(self, memory_id: str) -> Located:
        """As the port says. Of two documents whose ids are alike, the exact one wins, then the first by path.

        Raises:
            DocumentMalformedError: It is there and holds no memory that can be read.
            DocumentUnreadableError: The operating system does not let us read it, or the bundle is gone.
        """
        found = self.locate(memory_id)
        if found is None:
            self._check_there()
            normal = checked_id(memory_id)
            raise MemoryNotFoundError(normal, near=self._near(normal))
        return found[0]

    def locate(self, memory_id: str) -> tuple[Located, Seen] | None:
        """As `find`, with the document's bytes; None where there is no such memory."""
        path = f"{id_of_path(memory_id.strip().replace(chr(92), '/'))}.md"
        full = full_path(self.root, path)
        paths = [path] if _TELLS_CASES_APART and os.path.isfile(full) else same_id(self.root, path)
        if not paths:
            return None
        first = path if path in paths else paths[0]
        seen, document = self.see(first)
        if seen is None:
            raise DocumentUnreadableError(first, document.problems[0].message.rstrip("."))
        if not document.memories:
            problem = document.problems[0]
            raise DocumentMalformedError(first, problem.message.rstrip("."), line=problem.line or None)
        return document.memories[0], seen

    def _near(self, wanted: str) -> tuple[str, ...]:
        name = wanted.rpartition("/")[2]
        ids = (id_of_path(stamp.path) for stamp in self.stamps())
        return tuple(found for found in ids if found.rpartition("/")[2] == name)[:_NEAR]

    @contextmanager
    def locked(self, timeout: float | None = None) -> Iterator[None]:
        """Hold the bundle's lock; everything that writes beside the memories takes this one too.

        Raises:
            BundleBusyError: A living process held it all the time we were ready to wait.
            DocumentUnreadableError: The bundle was moved or deleted; nothing is made in its place.
            ReadOnlyBundleError: The lock's place is a bundle that may not be written.
            WriteFailedError: The folder for the lock cannot be made.
        """
        if self._lock is not None and self._lock.is_ours():
            yield
            return
        from mnemic.adapters.markdown.lock import lock_at

        self._check_there()
        if self._state_inside and self.read_only:
            raise ReadOnlyBundleError(self.root)
        try:
            self._make_state_folder()
        except OSError as error:
            raise WriteFailedError(self.state_dir, (error.strerror or str(error)).lower()) from error
        if self._lock is None:
            self._lock = lock_at(os.path.join(self.state_dir, "lock"), where=self.root)
        with self._lock.held(self._lock_timeout if timeout is None else timeout):
            self._check_there()  # it may have gone while we waited
            yield

    def _check_there(self) -> None:
        if not os.path.isdir(self.root):
            raise DocumentUnreadableError(self.root, "no such file or directory")

    def _make_state_folder(self) -> None:
        if os.path.isdir(self.journal_folder):
            return
        if self._state_inside:
            with suppress(FileExistsError):  # not with its parents: a bundle that went away must not come back empty
                os.mkdir(self.state_dir)
        os.makedirs(self.journal_folder, exist_ok=True)
        self.fs.sync_folder(self.state_dir)
        self.fs.sync_folder(os.path.dirname(self.state_dir))
        ignore = os.path.join(self.state_dir, ".gitignore")
        if not os.path.exists(ignore):
            with suppress(FileExistsError):
                self.fs.write_new(ignore, b"*\n", sync=False)

    def apply(self, change: ChangeSet) -> Applied:
        """As the port says.

        Raises:
            InvalidIdError: A new memory's id has no place in this bundle.
            LimitExceededError: A document would exceed `document_bytes`.
            DocumentMalformedError: A document cannot be edited before it is repaired.
            StorageError: The change stands, but what was forgotten still has a trace; the next command clears it.
        """
        from mnemic.adapters.markdown.writing import Writer

        self._check_there()
        if self.read_only:
            raise ReadOnlyBundleError(self.root)
        with self.locked():
            return Writer(self).apply(change)

    def pending(self) -> list[str]:
        """Names of the journal's entries, oldest first: changes that are not complete. Cheap."""
        try:
            names = os.listdir(self.journal_folder)
        except OSError:
            return []
        return sorted(name for name in names if name.endswith(".json") and name[0] != ".")

    def recover(self) -> None:
        """Complete or take back what a dead writer left; nothing while a living one is at work, or in read-only."""
        if self.pending() and not self.read_only:
            from mnemic.adapters.markdown.writing import Writer

            with suppress(BundleBusyError, StorageError), self.locked(timeout=0):
                Writer(self).recover()

    def check(self, *, repair: bool = False) -> CheckReport:
        """As the port says; see docs/reference/bundle.md for the codes."""
        from mnemic.adapters.markdown.check import examined, repaired
        from mnemic.adapters.markdown.writing import Writer

        writer = Writer(self)
        if not repair:
            return examined(self, writer)
        self._check_there()
        if self.read_only:
            raise ReadOnlyBundleError(self.root)
        with self.locked():
            writer.recover()
            return repaired(self, writer)


def stamp_time(mtime_ns: int) -> datetime:
    """A file's time as a moment, UTC; the epoch for one that no calendar holds."""
    try:
        return _EPOCH + timedelta(microseconds=mtime_ns // 1000)
    except OverflowError:
        return _EPOCH


def _unread(path: str, code: str, message: str) -> Document:
    return Document(path=path, sha256="", problems=(Problem(path=path, line=0, code=code, message=message),))
