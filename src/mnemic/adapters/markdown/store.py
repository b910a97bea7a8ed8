"""A folder of Markdown as a store of memories: the `MemoryStore` port.

docs/reference/bundle.md says what lies where. Reading takes no lock and makes no file. Writing follows one path:
lock, recover, plan, journal, temporary files, renames, read back, generated parts, journal entry away.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.files import Fs, Seen
from mnemic.adapters.markdown.journal import Intent, Journal, entry_name
from mnemic.adapters.markdown.lock import lock_at
from mnemic.adapters.markdown.parts import Parts
from mnemic.adapters.markdown.planning import Plan, Planner
from mnemic.adapters.markdown.scan import full_path, same_id, scan
from mnemic.adapters.markdown.transaction import DocumentMovedError, Edit, Transaction
from mnemic.domain.changes import Applied
from mnemic.domain.documents import Document, Problem
from mnemic.domain.ids import id_of_path
from mnemic.domain.ids import memory_id as checked_id
from mnemic.domain.memory import State
from mnemic.domain.policy import Limits
from mnemic.errors import (
    BundleBusyError,
    BundleNotFoundError,
    DocumentMalformedError,
    DocumentUnreadableError,
    IdTakenError,
    MemoryChangedError,
    MemoryNotFoundError,
    NotFoundError,
    ReadOnlyBundleError,
    StorageError,
    WriteFailedError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import tzinfo
    from pathlib import Path

    from mnemic.adapters.markdown.layouts import Layout
    from mnemic.domain.changes import ChangeSet
    from mnemic.domain.documents import CheckReport, Located, Stamp
    from mnemic.domain.memory import Memory
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
        self.layout, self.clock, self.zone, self.limits = layout, clock, zone, limits or Limits()
        self.state_dir = os.path.abspath(state_dir or os.path.join(self.root, STATE_FOLDER))
        self.fs = fs or Fs()
        self._state_inside = state_dir is None
        self._asked_read_only, self._lock_timeout = read_only, lock_timeout
        self.journal = Journal(self.fs, os.path.join(self.state_dir, "journal"))
        self.parts = self.parts_knowing({})
        self.recover()

    def parts_knowing(self, known: Mapping[str, Located]) -> Parts:
        """The generated parts, where memories that are `known` by path need not be read again."""
        return Parts(self.fs, self.root, describe=lambda path: self._describe(path, known), note=self.layout.note)

    @property
    def location(self) -> str:
        """The absolute path of the folder."""
        return self.root

    @property
    def read_only(self) -> bool:
        """Asked for, or because the folder cannot be written."""
        return self._asked_read_only or not os.access(self.root, os.W_OK)

    def stamps(self) -> list[Stamp]:
        """As the port says; see `scan` for what is passed over."""
        return scan(self.root)

    def read(self, path: str) -> Document:
        """As the port says. A file that is too long or may not be read is a problem too, and is not opened or loaded.

        Raises:
            NotFoundError: It is gone.
            InvalidIdError: `path` is none of this bundle's.
        """
        return self.see(path)[1]

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
            DocumentUnreadableError: The operating system does not let us read it.
        """
        found = self._locate(memory_id)
        if found is None:
            normal = checked_id(memory_id)
            raise MemoryNotFoundError(normal, near=self._near(normal))
        return found[0]

    def _locate(self, memory_id: str) -> tuple[Located, Seen] | None:
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
            ReadOnlyBundleError: The lock's place is a bundle that may not be written.
        """
        if self._state_inside and self.read_only:
            raise ReadOnlyBundleError(self.root)
        self._make_state_folder()
        lock = lock_at(os.path.join(self.state_dir, "lock"), where=self.root)
        with lock.held(self._lock_timeout if timeout is None else timeout):
            yield

    def _make_state_folder(self) -> None:
        if os.path.isdir(self.journal.folder):
            return
        os.makedirs(self.journal.folder, exist_ok=True)
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
        if self.read_only:
            raise ReadOnlyBundleError(self.root)
        with self.locked():
            self._recover_pending()
            plan = Planner(self.root, self.layout, self.limits, self._locate).plan(change)
            verified = self._carry_out(plan, change.summary) if plan.edits else {}
            written = tuple(verified[path] for path in plan.written)
            return Applied(written=written, unchanged=tuple(plan.unchanged), removed=tuple(plan.removed))

    def _carry_out(self, plan: Plan, summary: str) -> Mapping[str, Located]:
        now = self.clock.now()
        intent = Intent(
            name=entry_name(int(now.timestamp() * 1000)),
            actions=(),
            bullets=plan.bullets(summary),
            day=now.astimezone(self.zone).date().isoformat(),
            log_before=self.parts.log_digest(),
            forgotten=tuple(plan.forgotten),
        )
        return self.write(intent, plan.edits, plan.revisions, plan.ids)

    def write(
        self,
        intent: Intent,
        edits: Sequence[Edit],
        revisions: Mapping[str, str],
        ids: Mapping[str, tuple[str, str | None]],
    ) -> Mapping[str, Located]:
        """Carry out edits and what follows from them. Under the lock.

        `revisions` says what each document must mean, by path; without one its bytes are compared. `ids` names the
        memory and the revision that was expected, for the report of a conflict. Returns what was read back, by path.
        """
        verified: dict[str, Located] = {}

        def wrong(edit: Edit, data: bytes) -> str:
            return self._wrong(edit, data, revisions, verified)

        try:
            intent = Transaction(self.fs, self.root, self.journal, wrong=wrong).carry_out(intent, edits)
        except DocumentMovedError as moved:
            raise self._conflict(moved.path, *ids.get(moved.path, (moved.path, ""))) from None
        self._finish(intent, self.parts_knowing(verified), fresh=True)
        return verified

    def _conflict(self, path: str, memory_id: str, expected: str | None) -> MemoryChangedError | IdTakenError:
        if expected is None:
            return IdTakenError(memory_id, taken_by=path)
        try:
            memories = self.read(path).memories
        except NotFoundError:
            memories = ()
        return MemoryChangedError(memory_id, expected=expected, found=memories[0].revision if memories else None)

    def _wrong(self, edit: Edit, data: bytes, revisions: Mapping[str, str], verified: dict[str, Located]) -> str:
        if edit.path not in revisions:
            return "" if data == edit.after else "what was read back is not what was written"
        for located in self.parse(edit.path, data, int(self.clock.now().timestamp() * 1e9)).memories:
            if located.revision == revisions[edit.path]:
                verified[edit.path] = located
                return ""
        return "what was read back does not mean what was written"

    def _finish(self, intent: Intent, parts: Parts, *, fresh: bool) -> None:
        """Everything that follows from a change that stands; may be repeated."""
        try:
            self._forget(intent)
            parts.refresh((action.path for action in intent.actions), forget=bool(intent.forgotten))
            told = not fresh and parts.log_digest() != intent.log_before
            parts.log(
                () if told else intent.bullets,
                intent.day,
                forgotten=[path for path, _ in intent.forgotten],
                forget=bool(intent.forgotten),
            )
        except OSError as error:
            # The entry stays in the journal, so the next command tries again.
            if intent.forgotten:
                raise StorageError(
                    f"The memory is gone from {intent.forgotten[0][0]}, but a trace of it is left: "
                    f"{(error.strerror or str(error)).lower()}.",
                    hint="The next command that writes clears it away. Check free space and permissions.",
                ) from error
            _warn("the generated parts of %s wait for the next write: %s", self.root, error)
        else:
            with suppress(OSError):  # an entry that stays is found complete by the next command
                self.journal.done(intent.name)

    def _forget(self, intent: Intent) -> None:
        if intent.forgotten:
            from mnemic.adapters.markdown.recovery import forget_backups

            forget_backups(self.fs, self.root, intent.forgotten)

    def recover(self) -> None:
        """Complete or take back what a dead writer left; nothing while a living one is at work, or in read-only."""
        if self.journal.pending() and not self.read_only:
            with suppress(BundleBusyError, StorageError), self.locked(timeout=0):
                self._recover_pending()

    def _recover_pending(self) -> None:
        # Nothing is verified here: what a dead writer meant is known by hash alone.
        transaction = Transaction(self.fs, self.root, self.journal, wrong=lambda _edit, _data: "")
        for name in self.journal.pending():
            intent = self.journal.load(name)
            try:
                stands = intent is not None and transaction.recover(intent, self.now_stamp())
            except OSError as error:
                raise WriteFailedError(self.root, f"an earlier change cannot be completed: {error}") from error
            if intent is not None and stands:
                self._finish(intent, self.parts, fresh=False)
            else:
                self.journal.done(name)

    def now_stamp(self) -> str:
        """The moment, as part of a file name: `20260503T061400.123456Z`."""
        return self.clock.now().astimezone(UTC).strftime("%Y%m%dT%H%M%S.%fZ")

    def _describe(self, path: str, known: Mapping[str, Located]) -> tuple[str, str]:
        located = known.get(path)
        memory = located.memory if located else self._memory_in(path)
        if memory is None:
            return path.rpartition("/")[2].removesuffix(".md"), ""
        state = "" if memory.state is State.ACTIVE else f"({memory.state}) "
        return memory.title or path.rpartition("/")[2].removesuffix(".md"), f"{state}{memory.description}"

    def _memory_in(self, path: str) -> Memory | None:
        with suppress(NotFoundError):
            memories = self.read(path).memories
            return memories[0].memory if memories else None
        return None

    def check(self, *, repair: bool = False) -> CheckReport:
        """As the port says; see docs/reference/bundle.md for the codes."""
        from mnemic.adapters.markdown.check import examined, repaired

        if not repair:
            return examined(self)
        if self.read_only:
            raise ReadOnlyBundleError(self.root)
        with self.locked():
            self._recover_pending()
            return repaired(self)


def stamp_time(mtime_ns: int) -> datetime:
    """A file's time as a moment, UTC; the epoch for one that no calendar holds."""
    try:
        return _EPOCH + timedelta(microseconds=mtime_ns // 1000)
    except OverflowError:
        return _EPOCH


def _unread(path: str, code: str, message: str) -> Document:
    return Document(path=path, sha256="", problems=(Problem(path=path, line=0, code=code, message=message),))


def _warn(message: str, *facts: object) -> None:
    import logging

    logging.getLogger(__name__).warning(message, *facts)
