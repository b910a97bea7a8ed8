"""Every store of proposals keeps the one contract."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.markdown.layouts.okf import OkfLayout
from mnemic.adapters.markdown.proposals import MarkdownProposals
from mnemic.adapters.markdown.store import MarkdownStore
from mnemic.testing.contracts.proposal_store import ProposalStoreContract
from mnemic.testing.proposal_store import InMemoryProposals

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.ports import ProposalStore


class _Clock:
    def now(self) -> datetime:
        return datetime(2026, 5, 3, 6, 14, tzinfo=UTC)


class TestMarkdownProposals(ProposalStoreContract):
    @pytest.fixture
    def proposals(self, tmp_path: Path) -> ProposalStore:
        return MarkdownProposals(MarkdownStore(tmp_path, layout=OkfLayout(), clock=_Clock()))


class TestInMemoryProposals(ProposalStoreContract):
    @pytest.fixture
    def proposals(self) -> ProposalStore:
        return InMemoryProposals()
