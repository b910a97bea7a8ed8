"""Every memory store keeps the one contract."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.markdown.layouts.okf import OkfLayout, init_bundle
from mnemic.adapters.markdown.store import MarkdownStore
from mnemic.testing.contracts.memory_store import MemoryStoreContract
from mnemic.testing.memory_store import InMemoryStore

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.ports import MemoryStore


class _Clock:
    def now(self) -> datetime:
        return datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


class TestMarkdownStore(MemoryStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> MemoryStore:
        init_bundle(tmp_path / "memory")
        return MarkdownStore(tmp_path / "memory", layout=OkfLayout(), clock=_Clock())


class TestMarkdownStoreInAForeignFolder(MemoryStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> MemoryStore:
        folder = tmp_path / "Ein Ordner für Ünïcode, 記憶"
        folder.mkdir()
        return MarkdownStore(folder, layout=OkfLayout(), clock=_Clock(), state_dir=tmp_path / "state of mnemic")


class TestInMemoryStore(MemoryStoreContract):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return InMemoryStore()
