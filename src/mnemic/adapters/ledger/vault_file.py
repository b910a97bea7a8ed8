"""The database of the vault: opened, written in whole transactions, and rid of every byte of what was deleted.

It is kept with a log of writes (WAL), so that keeping a version waits for no disk: a killed process loses nothing, a
power cut may take the last versions and never harms the file. SQLite before 3.51.3 can corrupt such a log when
checkpoints of several processes race; so all writes, and with them all checkpoints, are made under the bundle's lock,
which the caller holds. The one at the closing of a connection is no danger: only the last one makes it, alone.

Where a log cannot be had, on some network drives say, every write waits for the disk. Unlike the index this file is
truth: what is wrong with it is told, and never mended by beginning anew.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from mnemic.adapters.sessions.files import reason, sync_folder
from mnemic.adapters.sqlite.single import Held, within
from mnemic.errors import BundleBusyError, MnemicError, VaultDamagedError, VaultError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

T = TypeVar("T")

SCHEMA_VERSION = 1
APPLICATION = 0x6D6E7661
"""Says that a database is this one (`pragma application_id`)."""
WAIT_SECONDS = 5.0
_DDL = """
create table meta(key text primary key, value text not null) without rowid;
create table memory(uid text primary key, key blob not null) without rowid;
create table version(
    uid text not null, number integer not null, at integer not null, nonce blob not null, data blob not null,
    primary key(uid, number));
create index version_at on version(at, uid)
"""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_BROKEN = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR})
_PRIMARY = 0xFF
_ERRORS = (sqlite3.Error, OSError, ValueError, TypeError, OverflowError)
"""What a damaged file can lead to; the last three are Python's, about values that nobody put there."""
_ZEROS = b"\0" * 65536
_LOGGED = "wal"


class VaultFile:
    """The database at `path`. One connection a process; calls of many threads take turns."""

    def __init__(self, path: Path, *, durable: bool) -> None:
        self.path = path
        self._durable = durable
        self._lock = threading.RLock()
        self._known: Held | None = None
        self._grouped = False

    def exists(self) -> bool:
        """Whether there is a file with something in it."""
        try:
            return self.path.stat().st_size > 0
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise self._failure(error) from error

    def is_open(self) -> bool:
        """Whether the file that was opened last is still the one in its place."""
        known = self._known
        if known is None or known.process != os.getpid():
            return False
        return self._grouped or known.inode == self._inode()

    def read(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """The answer, from one state of the file, which must exist."""
        with self._lock, self._telling():
            db = self._db(create=False)
            return question(db) if self._grouped else within(db, question, "begin")

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do it in one transaction, all or nothing; the file is made where there is none."""
        with self._lock, self._telling():
            db = self._db(create=True)
            return work(db) if self._grouped else within(db, work)

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Within it all writes of this thread are one transaction; others wait."""
        with self._lock:
            if self._grouped:
                yield
                return
            with self._telling():
                db = self._db(create=True)
                db.execute("begin immediate")
            self._grouped = True
            try:
                yield
                with self._telling():
                    db.execute("commit")
            except BaseException:
                with suppress(sqlite3.Error):
                    db.execute("rollback")
                raise
            finally:
                self._grouped = False

    def sync(self) -> None:
        """Wait until the disk has all that was written."""
        log = self.path.with_name(self.path.name + "-wal")
        with self._lock, self._telling(), suppress(FileNotFoundError), log.open("r+b") as file:
            os.fsync(file.fileno())
            sync_folder(self.path.parent)

    def settle(self) -> None:
        """Bring what is in the log into the file itself, durably."""
        with self._lock, self._telling():
            db = self._db(create=False)
            if _mode(db) == _LOGGED:
                self._checkpoint(db, "truncate")

    def erase(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do it durably, write the file anew without what was deleted, and overwrite the journal that held it."""
        with self._lock, self._telling():
            if self._grouped:
                raise VaultError("Nothing can be erased within a group of writes.")
            db = self._db(create=False)
            db.execute("pragma synchronous=extra")
            try:
                return self._erased_with_log(db, work) if _mode(db) == _LOGGED else self._erased(db, work)
            finally:
                self._set_synchronous(db)

    def _erased_with_log(self, db: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
        done = within(db, work)
        self._empty_log(db)  # what was deleted is overwritten in the file itself, before its end is cut off
        db.execute("vacuum")
        self._empty_log(db)
        return done

    def _empty_log(self, db: sqlite3.Connection) -> None:
        """Bring the log into the file, and overwrite it.

        After the first checkpoint nobody reads in the log any more, and none but us writes. Cut off in between, a log
        of zeros is an empty one.
        """
        self._checkpoint(db, "restart")
        self._overwrite("-wal")
        self._checkpoint(db, "truncate")

    def _checkpoint(self, db: sqlite3.Connection, how: str) -> None:
        if db.execute(f"pragma wal_checkpoint({how})").fetchone()[0]:  # somebody reads in the log for too long
            raise BundleBusyError(str(self.path), seconds=WAIT_SECONDS)

    def _erased(self, db: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
        # Kept, so that its bytes can be overwritten: a truncated file only gives its blocks back.
        db.execute("pragma journal_mode=persist")
        try:
            done = within(db, work)
            db.execute("vacuum")
            # No other process writes now, and none takes a journal without a header for one to roll back.
            self._overwrite("-journal", cut=True)
        finally:
            db.execute("pragma journal_mode=truncate")
        return done

    def damage(self) -> str:
        """What SQLite finds wrong with the file; empty when nothing."""

        def ask(db: sqlite3.Connection) -> str:
            found = [str(row[0]) for row in db.execute("pragma integrity_check(3)")]
            return "" if found == ["ok"] else "; ".join(found)

        return self.read(ask)

    def close(self) -> None:
        """Let go of the connection; the next call opens another one."""
        with self._lock:
            self._known = None

    def _overwrite(self, suffix: str, *, cut: bool = False) -> None:
        with suppress(FileNotFoundError), self.path.with_name(self.path.name + suffix).open("r+b") as file:
            left = os.fstat(file.fileno()).st_size
            while left > 0:
                left -= file.write(_ZEROS[:left])
            file.flush()
            os.fsync(file.fileno())
            if cut:
                file.truncate(0)

    def _db(self, *, create: bool) -> sqlite3.Connection:
        if self._known is not None and self.is_open():
            return self._known.db
        inode = self._inode()
        self._known = None
        if inode is None:
            if not create:
                raise VaultDamagedError(str(self.path), "it is missing")
            self.path.parent.mkdir(exist_ok=True, mode=0o700)  # a bundle that went away stays away
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600))
        elif self.path.is_symlink():
            raise VaultDamagedError(str(self.path), "it is a symbolic link", hint="Put the file itself in its place.")
        db = sqlite3.connect(self.path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(db, create=create)
            self._known = Held(db, self.path.stat().st_ino, os.getpid())
        except BaseException:
            db.close()
            raise
        return db

    def _inode(self) -> int | None:
        try:
            return self.path.stat().st_ino
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _prepare(self, db: sqlite3.Connection, *, create: bool) -> None:
        db.execute("pragma secure_delete=on")
        db.execute("pragma temp_store=memory")
        if not self._fits(db):
            if not create:
                raise VaultDamagedError(str(self.path), "it is empty")
            within(db, self._create, "begin immediate")
        if create and _mode(db) != _LOGGED:  # after the tables: until then an empty file has no byte
            db.execute(f"pragma journal_mode={_LOGGED}")
        self._set_synchronous(db)

    def _set_synchronous(self, db: sqlite3.Connection) -> None:
        """With a log only its checkpoints wait for the disk."""
        waits = "normal" if _mode(db) == _LOGGED else "full"
        db.execute(f"pragma synchronous={waits if self._durable else 'off'}")

    def _create(self, db: sqlite3.Connection) -> None:
        if self._fits(db):
            return  # another process was faster
        for statement in _DDL.split(";\n"):
            db.execute(statement)
        db.execute(f"pragma application_id={APPLICATION}")
        db.execute(f"pragma user_version={SCHEMA_VERSION}")

    def _fits(self, db: sqlite3.Connection) -> bool:
        """Whether it is such a database; False when it is empty."""
        with closing(db.execute("pragma application_id")) as rows:
            application = rows.fetchone()[0]
        version = db.execute("pragma user_version").fetchone()[0]
        if application == APPLICATION and version == SCHEMA_VERSION:
            return True
        if application == APPLICATION:
            raise VaultDamagedError(
                str(self.path), f"it is of version {version}, which this mnemic does not know",
                hint="A newer mnemic wrote it: update mnemic. Nothing was changed.",
            )  # fmt: skip
        if application or version or db.execute("select count(*) from sqlite_master").fetchone()[0]:
            raise VaultDamagedError(
                str(self.path), "it is a database of another program", hint="Move it away. Nothing was changed."
            )
        return False

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except _ERRORS as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> MnemicError:
        code = int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY
        if code in _BUSY:
            return BundleBusyError(str(self.path), seconds=WAIT_SECONDS)
        if code in _BROKEN or not isinstance(error, (sqlite3.Error, OSError)):
            return VaultDamagedError(str(self.path), str(error))
        return VaultError(
            f"The vault {self.path} cannot be used: {reason(error) if isinstance(error, OSError) else error}.",
            hint="Check free space and the permissions of its folder. The documents are not concerned.",
        )


def _mode(db: sqlite3.Connection) -> str:
    return str(db.execute("pragma journal_mode").fetchone()[0])
