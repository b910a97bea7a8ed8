"""Every session store keeps the one contract."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.sessions.jsonl import JsonlSessions
from mnemic.testing.contracts.session_store import SessionStoreContract
from mnemic.testing.session_store import MemorySessions

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.ports import SessionStore


class TestJsonlSessions(SessionStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> SessionStore:
        return JsonlSessions(tmp_path / ".mnemic" / "sessions", lock=nullcontext)


class TestMemorySessions(SessionStoreContract):
    @pytest.fixture
    def store(self) -> SessionStore:
        return MemorySessions()
