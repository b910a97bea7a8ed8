"""Proposals in a dictionary, for tests."""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING

from mnemic.domain.ids import SESSION_PREFIX, memory_id
from mnemic.errors import InvalidIdError, ProposalNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mnemic.domain.proposals import Proposal


class InMemoryProposals:
    """`ProposalStore` of one process."""

    def __init__(self) -> None:
        self._kept: dict[str, Proposal] = {}
        self._lock = RLock()

    def ids(self) -> list[str]:
        """As the port says."""
        return sorted(self._kept)

    def read(self, proposal_id: str) -> Proposal:
        """As the port says."""
        if proposal_id not in self._kept:
            raise ProposalNotFoundError(proposal_id)
        return self._kept[proposal_id]

    def write(self, proposal: Proposal) -> None:
        """As the port says."""
        if memory_id(proposal.id) != proposal.id or {"/", "#"} & set(proposal.id):
            raise InvalidIdError(proposal.id, "it cannot name a proposal")
        with self.locked():
            self._kept[proposal.id] = proposal

    def erase(self, names: Iterable[str]) -> int:
        """As the port says."""
        wanted = frozenset(names)
        turns = tuple(f"{name}#" for name in wanted if name.startswith(SESSION_PREFIX) and "#" not in name)
        with self.locked():
            gone = [
                proposal.id
                for proposal in self._kept.values()
                if not wanted.isdisjoint(proposal.names) or any(name.startswith(turns) for name in proposal.names)
            ]
            for each in gone:
                del self._kept[each]
        return len(gone)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """As the port says."""
        with self._lock:
            yield
