"""Vaults for tests: one in a folder beside the user's keys, and what stands in its files."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mnemic.adapters.ledger.keys import KeyPlace, Keys
from mnemic.adapters.ledger.vault import SqliteVault

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 5, 3, 10, tzinfo=UTC)
ANNA, BELA = "0190a1b2-0000-7000-8000-00000000000a", "0190a1b2-0000-7000-8000-00000000000b"


def a_vault(
    place: Path, *, way: KeyPlace = KeyPlace.FILE, passphrase: str = "seven small boats", durable: bool = False
) -> SqliteVault:
    """The vault in `place/bundle`, with the keys in `place/keys`."""
    lock = threading.RLock()
    keys = Keys(place / "keys", passphrase=lambda: passphrase)
    return SqliteVault(place / "bundle", keys=keys, lock=lambda: lock, way=way, durable=durable)


def filled(place: Path, **options: object) -> SqliteVault:
    """Two memories, three versions of the first."""
    vault = a_vault(place, **options)  # type: ignore[arg-type]
    for content in (b"Anna drinks tea.", b"Anna drinks coffee.", b"Anna drinks both."):
        vault.put(ANNA, content, NOW)
    vault.put(BELA, b"Bela bakes bread.", NOW)
    return vault


def file_of(place: Path) -> Path:
    """Its database."""
    return place / "bundle" / "vault.db"


def run(place: Path, statement: str, *values: object) -> list[tuple[object, ...]]:
    """Do something to the database behind the vault's back."""
    with closing(sqlite3.connect(file_of(place), isolation_level=None)) as db:
        return db.execute(statement, values).fetchall()


def holders(place: Path, *traces: bytes) -> list[str]:
    """Files of bundle and keys that hold any of these bytes."""
    files = sorted(path for path in place.rglob("*") if path.is_file())
    return [path.name for path in files if any(trace in path.read_bytes() for trace in traces)]


def key_files(place: Path) -> list[Path]:
    """The user's keys."""
    return sorted((place / "keys").glob("*.key"))
