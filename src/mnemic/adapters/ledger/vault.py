"""The vault: contents of memories, each memory's under a key of its own. Destroying the key is forgetting them."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from threading import get_ident
from typing import TYPE_CHECKING, NamedTuple

from mnemic.adapters.ledger import cipher
from mnemic.adapters.ledger.cipher import TamperedError, about
from mnemic.adapters.ledger.key_rows import RESTORE, KeyRows
from mnemic.adapters.ledger.vault_file import VaultFile
from mnemic.adapters.sessions.files import reason, sync_folder
from mnemic.domain.vault import KeyPlace, VaultFacts, Version
from mnemic.errors import BundleBusyError, VaultDamagedError, VaultError, VersionNotFoundError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from mnemic.adapters.ledger.keys import KeyNote, Keys

NAME = "vault.db"
NOTE = "key.json"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_ROW = "select number, at, nonce, data from version where uid = ?"
_CHANGED = """
select uid, (select max(number) from version where uid = one.uid and at <= ?), (
    select max(number) from version where uid = one.uid)
from (select distinct +uid as uid from version where at > ?) one
"""
"""The plus keeps SQLite from going through all uids, in whose order they would come."""


class _Row(NamedTuple):
    """A version as it stands in the file, which may have been tampered with."""

    number: object
    at: object
    nonce: object
    data: object


class SqliteVault:
    """`Vault` in one SQLite file; passes `testing/contracts/`, as every vault does.

    The file holds the note about its key, so that a rotation is one transaction; `key.json` beside it is a copy, for
    people, and to notice that the file is lost.

    Args:
        folder: Where `vault.db` and `key.json` are; made at the first write.
        keys: Where the bundle's key is kept.
        lock: Gives the bundle's lock, held while something is written. Readers never take it.
        way: Where a new vault's key goes.
        durable: A power cut takes the last versions at most. Without, it can damage the whole file.
    """

    def __init__(
        self,
        folder: Path,
        *,
        keys: Keys,
        lock: Callable[[], AbstractContextManager[object]],
        way: KeyPlace = KeyPlace.FILE,
        durable: bool = True,
    ) -> None:
        self._file = VaultFile(folder / NAME, durable=durable)
        self._note = folder / NOTE
        self._rows = KeyRows(str(folder / NAME), keys)
        self._lock, self._way = lock, way
        self._swept = self._founded = False
        self._group = 0
        """The thread that puts several versions together, if one does."""

    def found(self) -> bool:
        """Make the vault and its key, if there is none; whether there was none."""
        if self._is_founded():
            return False
        with self._lock():
            if self._is_founded():
                return False
            note, key = self._new_key(self._rows.keys, self._way)
            self._file.write(lambda db: self._rows.begin(db, note, key))
            with suppress(BundleBusyError):
                self._file.settle()  # from now on the file alone tells of its key
            self._tell(note)
            return True

    def put(self, uid: str, content: bytes, at: datetime) -> int:
        """Keep a version, and its number; when the newest is the same content, nothing is written."""
        self.found()

        def work(db: sqlite3.Connection) -> int:
            key = self._rows.made(db, uid)
            newest = db.execute(f"{_ROW} order by number desc limit 1", (uid,)).fetchone()
            with suppress(VaultDamagedError):  # after a damaged one it goes on; a check tells of it
                if newest is not None and self._opened(key, uid, _Row(*newest)) == content:
                    return int(newest[0])
            number = int(newest[0]) + 1 if newest is not None else 1
            moment = (at - _EPOCH) // _MICROSECOND
            nonce, data = cipher.encrypted(key, content, about("version", uid, number, moment))
            db.execute("insert into version values(?, ?, ?, ?, ?)", (uid, number, moment, nonce, data))
            return number

        if self._group == get_ident():
            return self._file.write(work)
        with self._lock():
            self._sweep()
            return self._file.write(work)

    def settle(self) -> None:
        """Wait until the disk has everything that was kept."""
        if self._is_founded():
            self._file.sync()

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Within it what this thread puts is kept together, all or nothing, at its end."""
        self.found()
        with self._lock():
            self._sweep()
            with self._file.grouped(), self._rows.at_hand():
                before, self._group = self._group, get_ident()
                try:
                    yield
                finally:
                    self._group = before

    def get(self, uid: str, number: int) -> bytes:
        """A version's content.

        Raises:
            VersionNotFoundError: There is none, or its key was destroyed.
            VaultDamagedError: It, or another row in its place, is not what was put there.
        """

        def ask(db: sqlite3.Connection) -> bytes:
            row = db.execute(f"{_ROW} and number = ?", (uid, number)).fetchone()
            key = None if row is None else self._rows.find(db, uid)
            if key is None:
                raise VersionNotFoundError(uid, number)
            # The number that was asked for: a damaged index of SQLite's may lead to the row of another.
            return self._opened(key, uid, _Row(*row)._replace(number=number))

        if not self._is_founded():
            raise VersionNotFoundError(uid, number)
        return self._file.read(ask)

    def newest(self, uid: str) -> tuple[Version, bytes] | None:
        """The newest version and its content; None where there is none. Raises VaultDamagedError."""

        def ask(db: sqlite3.Connection) -> tuple[Version, bytes] | None:
            row = db.execute(f"{_ROW} order by number desc limit 1", (uid,)).fetchone()
            key = None if row is None else self._rows.find(db, uid)
            if key is None:
                return None
            return Version(row[0], _EPOCH + row[1] * _MICROSECOND), self._opened(key, uid, _Row(*row))

        return self._file.read(ask) if self._is_founded() else None

    def versions(self, uid: str) -> tuple[Version, ...]:
        """The kept versions, oldest first; needs no key."""
        if not self._is_founded():
            return ()

        def ask(db: sqlite3.Connection) -> tuple[Version, ...]:
            rows = db.execute("select number, at from version where uid = ? order by number", (uid,))
            return tuple(Version(number, _EPOCH + at * _MICROSECOND) for number, at in rows)

        return self._file.read(ask)

    def standing(self, at: datetime | None = None) -> dict[str, int]:
        """The number of each memory's newest version kept at or before `at` (None: ever), by uid; needs no key."""
        if not self._is_founded():
            return {}
        limit = (1 << 63) - 1 if at is None else (at - _EPOCH) // _MICROSECOND

        def ask(db: sqlite3.Connection) -> dict[str, int]:
            return dict(db.execute("select uid, max(number) from version where at <= ? group by uid", (limit,)))

        return self._file.read(ask)

    def changed_since(self, at: datetime) -> dict[str, tuple[int | None, int]]:
        """By uid the number that was standing at `at` (None: none was) and the newest, where these are two."""
        if not self._is_founded():
            return {}
        limit = (at - _EPOCH) // _MICROSECOND

        def ask(db: sqlite3.Connection) -> dict[str, tuple[int | None, int]]:
            rows = db.execute(_CHANGED, (limit, limit))
            return {uid: (then, newest) for uid, then, newest in rows if then != newest}

        return self._file.read(ask)

    def destroy(self, uid: str) -> int:
        """Overwrite and delete a memory's key and its versions; how many those were. Needs no key, may be repeated.

        The file is written anew, so that no free page keeps them, and its journal is overwritten.
        """
        if not self._is_founded():
            return 0

        def work(db: sqlite3.Connection) -> int:
            db.execute("update memory set key = zeroblob(length(key)) where uid = ?", (uid,))
            db.execute("delete from memory where uid = ?", (uid,))
            return db.execute("delete from version where uid = ?", (uid,)).rowcount

        with self._lock():
            return self._file.erase(work)

    def renew(self, uid: str) -> int:
        """Destroy all versions of a memory but the newest, which is kept under a new key; how many went.

        The newest keeps its number and moment. As `destroy`, and with the key; may be repeated.
        """
        if not self._is_founded():
            return 0

        def work(db: sqlite3.Connection) -> int:
            newest = db.execute(f"{_ROW} order by number desc limit 1", (uid,)).fetchone()
            key = None if newest is None else self._rows.find(db, uid)
            if newest is None or key is None:
                return 0
            row = _Row(*newest)
            content = self._opened(key, uid, row)
            db.execute("update memory set key = zeroblob(length(key)) where uid = ?", (uid,))
            db.execute("delete from memory where uid = ?", (uid,))
            gone = db.execute("delete from version where uid = ?", (uid,)).rowcount
            nonce, data = cipher.encrypted(self._rows.made(db, uid), content, about("version", uid, row.number, row.at))
            db.execute("insert into version values(?, ?, ?, ?, ?)", (uid, row.number, row.at, nonce, data))
            return gone - 1

        with self._lock():
            return self._file.erase(work)

    def commit(self, uid: str, fingerprint: str) -> str:
        """64 hex digits for the ledger, bound to a fingerprint under the memory's key, which is made where missing."""
        self.found()
        key = self._file.read(lambda db: self._rows.find(db, uid))
        if key is None:
            with self._lock():
                key = self._file.write(lambda db: self._rows.made(db, uid))
        return cipher.commitment(key, fingerprint)

    def secret(self, purpose: str) -> bytes | None:
        """A key of the bundle for another purpose, such as signing; rotation keeps it. None before there is a vault."""
        if not self._is_founded():
            return None
        return cipher.derived(self._file.read(self._rows.root), f"secret|{purpose}")

    def facts(self) -> VaultFacts | None:
        """How much is in it, and where its key is; None before there is a vault. Needs no key."""
        if not self._is_founded():
            return None

        def ask(db: sqlite3.Connection) -> VaultFacts:
            note = self._rows.noted(db)
            memories, versions = db.execute("select count(distinct uid), count(*) from version").fetchone()
            return VaultFacts(memories, versions, note.way, self._rows.keys.where(note))

        return self._file.read(ask)

    def rotate(self, place: KeyPlace | None = None, *, keys: Keys | None = None) -> None:
        """A new key for the bundle: all keys of memories are wrapped anew, then the old one is taken away.

        Cut off at any point, the old key or the new one opens everything, and the other is taken away later.

        Args:
            place: Where the new key goes; where the old one is, when left out.
            keys: What gives the new passphrase, where it is another one; used from then on.
        """
        if self.found():
            return
        makes = keys or self._rows.keys.renewed()
        with self._lock():
            self._file.read(self._rows.wrapping)  # it must open before another is made
            self._swept = False
            self._sweep(strictly=True)
            note, key = self._new_key(makes, place or self._file.read(self._rows.noted).way)
            self._file.erase(lambda db: self._rows.rewrap(db, note, key))
            self._rows.keys = makes
            self._swept = False
            self._sweep(strictly=True)

    def check(self) -> tuple[str, ...]:
        """What is wrong with the file or any row of it, in sentences; everything is read and decrypted."""
        if not self._is_founded():
            return ()
        if found := self._file.damage():
            return (f"SQLite says: {found}",)
        return self._file.read(self._wrong_rows)

    def close(self) -> None:
        """Let go of the file and the key; the next call opens both again."""
        self._rows.forget()
        self._file.close()

    def _is_founded(self) -> bool:
        """Whether there is a vault with a key; a note without its vault means that it was lost."""
        if self._founded and self._file.is_open():
            return True
        # Asked first: the note comes after the vault, maybe at this moment.
        was_noted = os.path.exists(self._note)  # noqa: PTH110 - False where we may not look
        if self._file.exists() and self._file.read(self._rows.is_founded):
            self._founded = True
            return True
        if was_noted:
            raise VaultDamagedError(
                self._rows.path,
                "it is missing or empty, though there was one",
                hint=f"{RESTORE} To begin a new one, remove {self._note}.",
            )
        return False

    def _opened(self, key: bytes, uid: str, row: _Row) -> bytes:
        try:
            if isinstance(row.nonce, bytes) and isinstance(row.data, bytes):
                return cipher.decrypted(key, row.nonce, row.data, about("version", uid, row.number, row.at))
        except TamperedError:
            pass
        what = f"version {row.number} of {uid} was altered, or is in another's place"
        raise VaultDamagedError(self._rows.path, what, hint=RESTORE)

    def _wrong_rows(self, db: sqlite3.Connection) -> tuple[str, ...]:
        wrapping = self._rows.wrapping(db)
        wrong: list[str] = []
        known: dict[str, bytes] = {}
        for uid, blob in db.execute("select uid, key from memory"):
            with suppress(VaultDamagedError):
                known[uid] = self._rows.unwrapped(wrapping, blob, uid)
            if uid not in known:
                wrong.append(f"the key of {uid} was altered, or is in another's place")
        for uid, *row in db.execute("select uid, number, at, nonce, data from version order by uid, number"):
            try:
                if uid in known:
                    self._opened(known[uid], uid, _Row(*row))
                    continue
            except VaultDamagedError:
                pass
            wrong.append(f"version {row[0]} of {uid} cannot be decrypted")
        return tuple(wrong)

    def _new_key(self, keys: Keys, way: KeyPlace) -> tuple[KeyNote, bytes]:
        """A key of another name; where none can be made, nothing is left of the attempt."""
        key_id = os.urandom(16).hex()
        self._file.write(lambda db: self._promise(db, key_id, way))
        try:
            return keys.make(key_id, way)
        except VaultError:
            self._file.write(self._rows.withdraw)
            raise

    def _promise(self, db: sqlite3.Connection, key_id: str, way: KeyPlace) -> None:
        """Note a key before it is made, so that it is taken away if it never comes to use."""
        self._rows.clear(db)
        self._rows.leave(db, key_id, way)

    def _sweep(self, *, strictly: bool = False) -> None:
        """Once a process: finish what a rotation that was cut off has left.

        Args:
            strictly: Fail where a key cannot be taken away; else it is left, and nothing is kept from being kept.
        """
        if self._swept:
            return
        self._swept = True
        try:
            self._file.write(self._rows.clear)
        except VaultDamagedError:
            raise
        except VaultError:
            if strictly:
                raise
        note = self._file.read(self._rows.noted)
        if self._told() != note.text():
            self._tell(note)

    def _told(self) -> str:
        """The copy of the note; empty where there is none, or something else in its place."""
        with suppress(OSError):
            if self._note.is_file():
                return self._note.read_text("utf-8", "replace")
        return ""

    def _tell(self, note: KeyNote) -> None:
        """The copy of the note, beside the file."""
        fresh = self._note.with_name(NOTE + ".new")
        try:
            with fresh.open("w", encoding="ascii") as file:
                file.write(note.text())
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._note)
            sync_folder(self._note.parent)
        except OSError as error:
            raise VaultError(
                f"{self._note} cannot be written: {reason(error)}.",
                hint="Check free space and permissions; the vault itself is complete.",
            ) from error
