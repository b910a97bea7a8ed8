"""Every ledger keeps the one contract."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.ledger.chain import JsonlLedger
from mnemic.testing.contracts.ledger import LedgerContract
from mnemic.testing.ledger import InMemoryLedger

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.ports import Ledger


class TestJsonlLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, in_memory: Path) -> Ledger:
        lock = threading.RLock()
        return JsonlLedger(in_memory / ".mnemic", lock=lambda: lock, key=lambda: b"k" * 32)


class TestJsonlLedgerWithoutAKey(LedgerContract):
    """It records all the same; only the end is vouched for by nothing."""

    @pytest.fixture
    def ledger(self, in_memory: Path) -> Ledger:
        lock = threading.RLock()
        return JsonlLedger(in_memory / ".mnemic", lock=lambda: lock, key=lambda: None)


class TestInMemoryLedger(LedgerContract):
    @pytest.fixture
    def ledger(self) -> Ledger:
        return InMemoryLedger()
