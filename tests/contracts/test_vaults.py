"""Every vault keeps the one contract."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.ledger.keys import KeyPlace, Keys
from mnemic.adapters.ledger.vault import SqliteVault
from mnemic.testing.contracts.vault import VaultContract
from mnemic.testing.vault import InMemoryVault

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.ports import Vault


class TestSqliteVault(VaultContract):
    @pytest.fixture(params=["file", "passphrase"])
    def vault(self, request: pytest.FixtureRequest, in_memory: Path) -> Vault:
        lock = threading.RLock()
        keys = Keys(in_memory / "keys", passphrase=lambda: "seven small boats")
        return SqliteVault(in_memory / ".mnemic", keys=keys, lock=lambda: lock, way=KeyPlace(request.param))


class TestInMemoryVault(VaultContract):
    @pytest.fixture
    def vault(self) -> Vault:
        return InMemoryVault()
