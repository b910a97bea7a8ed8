"""The rows of the vault that hold keys: each memory's, wrapped by the bundle's, and the note about that one."""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from mnemic.adapters.ledger import cipher
from mnemic.adapters.ledger.cipher import TamperedError, about
from mnemic.adapters.ledger.keys import KeyNote, Keys, is_key_id
from mnemic.domain.vault import KeyPlace
from mnemic.errors import VaultDamagedError, VaultError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

RESTORE = "Restore .mnemic/vault.db from a backup; old versions that are only in it are lost otherwise."


class KeyRows:
    """Reads and writes them within the caller's transaction; the bundle's key is opened once and kept in memory."""

    def __init__(self, path: str, keys: Keys) -> None:
        self.path, self.keys = path, keys
        self._opened: tuple[str, bytes] | None = None
        """The note of the key that was opened, as text, and what wraps others."""
        self._at_hand: dict[str, bytes] | None = None
        """The memory's key that was used last, within a group of writes: its version is kept, then committed to."""

    @contextmanager
    def at_hand(self) -> Iterator[None]:
        """Within one transaction: the key that was used last need not be unwrapped again."""
        self._at_hand = {}
        try:
            yield
        finally:
            self._at_hand = None

    def is_founded(self, db: sqlite3.Connection) -> bool:
        """Whether there is a key."""
        return bool(_find(db, "note"))

    def noted(self, db: sqlite3.Connection) -> KeyNote:
        """The note about the bundle's key. Raises VaultDamagedError."""
        try:
            return KeyNote.of(_find(db, "note"))
        except ValueError:
            raise VaultDamagedError(self.path, "the note about its key is damaged", hint=RESTORE) from None

    def wrapping(self, db: sqlite3.Connection) -> bytes:
        """What wraps the keys. Raises VaultLockedError, VaultDamagedError."""
        text = _find(db, "note")
        opened = self._opened
        if opened is None or opened[0] != text:
            opened = self._opened = text, cipher.derived(self.keys.open(self.noted(db)), "wrap")
        return opened[1]

    def find(self, db: sqlite3.Connection, uid: str) -> bytes | None:
        """A memory's key; None where it has none."""
        if self._at_hand and uid in self._at_hand:
            return self._at_hand[uid]
        row = db.execute("select key from memory where uid = ?", (uid,)).fetchone()
        return None if row is None else self._used(uid, self.unwrapped(self.wrapping(db), row[0], uid))

    def made(self, db: sqlite3.Connection, uid: str) -> bytes:
        """A memory's key, a new one where it has none."""
        key = self.find(db, uid)
        if key is None:
            key = cipher.new_key()
            db.execute("insert into memory values(?, ?)", (uid, cipher.wrapped(self.wrapping(db), key, _of(uid))))
            self._used(uid, key)
        return key

    def unwrapped(self, wrapping: bytes, blob: object, uid: str) -> bytes:
        """A memory's key from its row; that of the bundle's own secrets for an empty uid."""
        try:
            if isinstance(blob, bytes):
                return cipher.unwrapped(wrapping, blob, _of(uid))
        except TamperedError:
            pass
        what = f"the key of {uid}" if uid else "its own secret"
        raise VaultDamagedError(self.path, f"{what} was altered, or is in another's place", hint=RESTORE)

    def root(self, db: sqlite3.Connection) -> bytes:
        """The secret that the bundle's other keys are derived from; the same over rotations."""
        return self.unwrapped(self.wrapping(db), _bytes(_find(db, "root")), "")

    def begin(self, db: sqlite3.Connection, note: KeyNote, key: bytes) -> None:
        """The first key of a bundle, and its root secret."""
        self._put(db, note, cipher.derived(key, "wrap"), cipher.new_key())
        _set(db, "leftover", "")

    def rewrap(self, db: sqlite3.Connection, note: KeyNote, key: bytes) -> KeyNote:
        """All keys from under the old one to under the new one; the note of the old one, which is left over then."""
        old, wrapping, fresh = self.noted(db), self.wrapping(db), cipher.derived(key, "wrap")
        root = self.root(db)
        for uid, blob in db.execute("select uid, key from memory").fetchall():
            anew = cipher.wrapped(fresh, self.unwrapped(wrapping, blob, uid), _of(uid))
            db.execute("update memory set key = ? where uid = ?", (anew, uid))
        self._put(db, note, fresh, root)
        self.leave(db, old.id, old.way)
        return old

    def leave(self, db: sqlite3.Connection, key_id: str, way: KeyPlace) -> None:
        """Note a key that is to be taken away unless it is the one in use: so none is forgotten in a crash."""
        _set(db, "leftover", json.dumps([key_id, way]))

    def clear(self, db: sqlite3.Connection) -> None:
        """Take away the key that was left, if any."""
        text = _find(db, "leftover")
        if not text:
            return
        try:
            key_id, way = json.loads(text)
            known = is_key_id(key_id) and KeyPlace(way)
        except (ValueError, TypeError):
            known = False
        if known and not (self.is_founded(db) and self.noted(db).id == key_id):
            self.keys.discard(key_id, known)
        _set(db, "leftover", "")

    def withdraw(self, db: sqlite3.Connection) -> None:
        """Of a key that could not be made: nothing is locked by it, so what cannot be taken away may stay."""
        with suppress(VaultError):
            self.clear(db)
        _set(db, "leftover", "")

    def forget(self) -> None:
        """Let go of the opened key."""
        self._opened = None

    def _used(self, uid: str, key: bytes) -> bytes:
        if self._at_hand is not None:
            self._at_hand.clear()
            self._at_hand[uid] = key
        return key

    def _put(self, db: sqlite3.Connection, note: KeyNote, wrapping: bytes, root: bytes) -> None:
        _set(db, "root", cipher.wrapped(wrapping, root, _of("")).hex())
        _set(db, "note", note.text())


def _of(uid: str) -> bytes:
    return about("key", uid)


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def _find(db: sqlite3.Connection, name: str) -> str:
    row = db.execute("select value from meta where key = ?", (name,)).fetchone()
    return "" if row is None else str(row[0])


def _set(db: sqlite3.Connection, name: str, value: str) -> None:
    db.execute("insert or replace into meta values(?, ?)", (name, value))
