"""The file of the turns: how it is opened, kept whole, and rid of what is forgotten.

Its journal is truncated, not a WAL: several processes write a few bytes at a time, and SQLite before 3.51.3 can corrupt
a WAL file when their checkpoints race. Nothing is waited for to reach the disk but an erasure: a killed process loses
nothing, a power cut at worst the file, and nothing in it is truth.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from mnemic.adapters.sqlite.single import Held, within
from mnemic.errors import BundleBusyError, DocumentUnreadableError, MnemicError, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")

SCHEMA_VERSION = 1
APPLICATION = 0x6D6E7475
"""Says that a database is this one (`pragma application_id`)."""
WAIT_SECONDS = 5.0
"""How long a call waits for another process; none holds the file for longer than a few milliseconds."""
ASIDE = ".aside"

# One row a conversation, whose turn is '' while none is open. Moments are microseconds since 1970, UTC.
_DDL = """
create table moment(what text primary key, at integer not null) without rowid;
create table conversation(
    name text primary key, turn text not null default '', begun integer not null default 0,
    announced integer not null default 0, reads integer not null default 0, characters integer not null default 0,
    seen integer not null, frozen text) without rowid;
create index conversation_turn on conversation(turn) where turn != '';
create index conversation_seen on conversation(seen);
create table receipt(
    token text primary key, kind text not null, turn text not null, issued integer not null, id text not null,
    revision text not null) without rowid;
create index receipt_turn on receipt(turn);
create index receipt_issued on receipt(issued);
create index receipt_id on receipt(id) where id != '';
create table found(turn text not null, id text not null, primary key(turn, id)) without rowid;
create index found_id on found(id);
create table delivery(
    number integer primary key autoincrement, conversation text not null, at integer not null, id text not null,
    slot text not null, why text not null, tokens integer not null);
create index delivery_conversation on delivery(conversation, number);
create index delivery_id on delivery(id);
create table usage(
    id text primary key, delivered integer not null, read integer not null, used integer not null,
    last integer not null) without rowid;
create table frozen_of(conversation text not null, id text not null, primary key(conversation, id)) without rowid;
create index frozen_of_id on frozen_of(id)
"""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_OUTSIDE = frozenset(
    {
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_AUTH,
    }
)  # fmt: skip
"""The disk's or the system's fault: the file may be whole."""
_PRIMARY = 0xFF
_ERRORS = (sqlite3.Error, OSError, ValueError, TypeError, OverflowError)
"""What a damaged file can lead to; values of another type are met where they are used."""


class _ForeignError(Exception):
    """A database of something else, or of another version."""


class StateFile:
    """The database at `path`, made when something is first written; nothing of it is touched before.

    One connection a process: calls of many threads take turns, each for a fraction of a millisecond. A file that is
    damaged, or of another version, is set aside and made anew. Where `home` is named, the folder whose state this is,
    nothing is made or answered once that is gone: DocumentUnreadableError then.
    """

    def __init__(self, path: Path, home: Path | None = None) -> None:
        self.path, self.home = path, home
        self._lock = threading.Lock()
        self._known: Held | None = None

    def read(self, question: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        """The answer, or `nothing` where there is no file. Raises StorageError, BundleBusyError."""

        def ask() -> T:
            db = self._db(create=False)
            return nothing if db is None else question(db)

        with self._lock:
            return self._mended(ask)

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do it in one transaction, all or nothing. Raises StorageError, BundleBusyError."""

        def do() -> T:
            db = self._db(create=True)
            assert db is not None
            return within(db, work)

        with self._lock:
            return self._mended(do)

    def erase(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do it durably, and write the file anew, so that no free page keeps what was deleted.

        A file that cannot be cleaned is deleted whole. Where there is none, none is made.

        Raises:
            StorageError, BundleBusyError: Something may be left.
        """
        with self._lock:
            try:
                self.path.with_name(self.path.name + ASIDE).unlink(missing_ok=True)
                try:
                    self._clean(work)
                except (*_ERRORS, _ForeignError) as error:
                    if _is_busy(error):
                        raise
                    self._remove()
            except (FileNotFoundError, NotADirectoryError):
                return  # no folder, no file
            except _ERRORS as error:
                raise self._failure(error) from error

    def close(self) -> None:
        """Let go of the connection; the next call opens another one."""
        with self._lock:
            self._known = None

    def _clean(self, work: Callable[[sqlite3.Connection], None]) -> None:
        db = self._db(create=False)
        if db is None:
            self._remove()  # a journal without its file
            return
        db.execute("pragma synchronous=extra")
        try:
            within(db, work)
            # Cells that moved from page to page may have left copies behind.
            db.execute("vacuum")
        finally:
            db.execute("pragma synchronous=off")

    def _mended(self, attempt: Callable[[], T]) -> T:
        """What it gives; where the file turns out to be broken or foreign, with a new one. The lock is held."""
        try:
            return attempt()
        except (*_ERRORS, _ForeignError) as error:
            if _is_outside(error):
                raise self._failure(error) from error
        try:
            self._set_aside()
            return attempt()
        except (*_ERRORS, _ForeignError) as error:
            raise self._failure(error) from error

    def _db(self, *, create: bool) -> sqlite3.Connection | None:
        known = self._known
        try:
            inode = os.stat(self.path).st_ino  # noqa: PTH116 - on the path of every call
        except (FileNotFoundError, NotADirectoryError):
            inode = None
        if known is not None and known.inode == inode and known.process == os.getpid():
            return known.db
        self._known = None
        if inode is None:
            self._check_home()
            if not create:
                return None
            # A bundle that goes away at this moment must not come back empty.
            self.path.parent.mkdir(parents=self.path.parent.parent != self.home, exist_ok=True)
        db = sqlite3.connect(self.path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            _prepare(db)
            self._known = Held(db, self.path.stat().st_ino, os.getpid())
        except BaseException:
            db.close()
            raise
        return db

    def _check_home(self) -> None:
        if self.home is not None and not os.path.isdir(self.home):  # noqa: PTH112 - False where we may not look
            raise DocumentUnreadableError(str(self.home), "no such file or directory")

    def _set_aside(self) -> None:
        """Out of the way, unless another process has done so already."""
        known, self._known = self._known, None
        with suppress(FileNotFoundError):
            if known is None or known.inode == self.path.stat().st_ino:
                self.path.replace(self.path.with_name(self.path.name + ASIDE))
                self._remove()

    def _remove(self) -> None:
        self._known = None
        for suffix in ("", "-journal", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _failure(self, error: Exception) -> MnemicError:
        if _is_busy(error):
            return BundleBusyError(str(self.path), seconds=WAIT_SECONDS)
        why = (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
        return StorageError(
            f"What is done in a turn cannot be kept in {self.path}: {why}.",
            hint="Check free space and the permissions of its folder; until then no agent may write.",
        )


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("pragma secure_delete=on")
    db.execute("pragma synchronous=off")
    db.execute("pragma temp_store=memory")
    if not _fits(db):
        within(db, _create)
    db.execute("pragma journal_mode=truncate")


def _fits(db: sqlite3.Connection) -> bool:
    """Whether it is such a database; False when it is empty.

    Raises:
        _ForeignError: It is another one.
    """
    application = db.execute("pragma application_id").fetchone()[0]
    version = db.execute("pragma user_version").fetchone()[0]
    if (application, version) == (APPLICATION, SCHEMA_VERSION):
        return True
    if application or version or db.execute("select count(*) from sqlite_master").fetchone()[0]:
        raise _ForeignError(f"it is another database, or of another version ({version})")
    return False


def _create(db: sqlite3.Connection) -> None:
    if _fits(db):
        return  # another process was faster
    for statement in _DDL.split(";\n"):
        db.execute(statement)
    db.execute(f"pragma application_id={APPLICATION}")
    db.execute(f"pragma user_version={SCHEMA_VERSION}")


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY


def _is_busy(error: Exception) -> bool:
    return _code(error) in _BUSY


def _is_outside(error: Exception) -> bool:
    return isinstance(error, OSError) or _is_busy(error) or _code(error) in _OUTSIDE
