"""Every turn store keeps the one contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.sqlite.state import SqliteTurns
from mnemic.testing.contracts.turn_store import TurnStoreContract
from mnemic.testing.turn_store import InMemoryTurns

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.ports import TurnStore


class TestSqliteTurns(TurnStoreContract):
    @pytest.fixture
    def store(self, in_memory: Path) -> TurnStore:
        return SqliteTurns(in_memory / ".mnemic" / "state.db")


class TestInMemoryTurns(TurnStoreContract):
    @pytest.fixture
    def store(self) -> TurnStore:
        return InMemoryTurns()
