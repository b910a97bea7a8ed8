"""Ledgers for tests: one in a folder, filled, and what is wrong with it by name."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mnemic.adapters.ledger.chain import JsonlLedger
from mnemic.domain.ledger import Act, Deed

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 5, 3, 10, tzinfo=UTC)
KEY = b"k" * 32


def a_ledger(folder: Path, *, key: bytes | None = KEY) -> JsonlLedger:
    """The ledger in a folder."""
    lock = threading.RLock()
    return JsonlLedger(folder, lock=lambda: lock, key=lambda: key)


def an_act(number: int) -> Act:
    """The n-th thing that happens: to one of seven memories, each time another version."""
    return Act(at=NOW, deed=Deed.CHANGE, uid=f"memory-{number % 7}", version=number, commitment=f"{number:064x}")


def filled(folder: Path, events: int, *, batch: int = 1, key: bytes | None = KEY) -> JsonlLedger:
    """A ledger with so many events, from 1."""
    ledger = a_ledger(folder, key=key)
    for first in range(1, events + 1, batch):
        ledger.append([an_act(number) for number in range(first, min(first + batch, events + 1))])
    return ledger


def flaws(folder: Path, *, key: bytes | None = KEY) -> list[str]:
    """What a fresh look finds, by name."""
    return [str(finding.flaw) for finding in a_ledger(folder, key=key).verify().findings]


def lines(ledger: JsonlLedger) -> list[bytes]:
    """The file, line by line, with line feeds."""
    return ledger.path.read_bytes().splitlines(keepends=True)


def put(ledger: JsonlLedger, *changed: bytes) -> None:
    """Write the file anew, behind the ledger's back."""
    ledger.path.write_bytes(b"".join(changed))
