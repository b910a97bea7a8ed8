"""Proposals of every opened bundle: `App.proposals`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.services.bundle import named
from mnemic.services.reviewing import proposals as services
from mnemic.services.reviewing.proposals import Offered

if TYPE_CHECKING:
    from mnemic.app import App
    from mnemic.domain.proposals import Proposal
    from mnemic.errors import ProposalDamagedError
    from mnemic.services.bundle import Bundle
    from mnemic.services.reviewing.proposals import Decided


class Proposals:
    """What a person does with proposals; see `services/reviewing/proposals.py`.

    A proposal of another bundle than the first is named like a memory of it: `own:2026-05-03-promote-anna-city`.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    def list(self, *, decided: bool = False) -> tuple[list[Offered], list[ProposalDamagedError]]:
        """Those that wait, in every bundle, or all; and what is wrong with files that are none any more."""
        found: list[Offered] = []
        damaged: list[ProposalDamagedError] = []
        for name, bundle in named((self._app.bundle, *self._app.others)):
            listed = services.proposals(bundle, decided=decided)
            found += [Offered(bundle=name, proposal=each) for each in listed.found]
            damaged += listed.damaged
        return found, damaged

    def show(self, wanted: str) -> Offered:
        """One of them, and whether it still fits. Raises ProposalNotFoundError, ProposalDamagedError."""
        bundle, given = self._app.locate(wanted)
        proposal = services.find(bundle, given)
        return Offered(bundle=self._name(bundle), proposal=proposal, unfit=services.unfit(bundle, proposal))

    def propose(self, proposal: Proposal) -> Proposal:
        """Keep one until a person decides; see `services/writing/propose.py`."""
        return services.propose(self._app.bundle, proposal)

    def approve(self, wanted: str) -> Decided:
        """Apply it, all or nothing; a person decides that."""
        return services.approve(*self._app.locate(wanted))

    def reject(self, wanted: str, *, why: str = "") -> Decided:
        """Say no to it; a person decides that."""
        bundle, given = self._app.locate(wanted)
        return services.reject(bundle, given, why=why)

    def undo(self, wanted: str) -> Decided:
        """Take back an applied one in one step."""
        return services.undo(*self._app.locate(wanted))

    def _name(self, bundle: Bundle) -> str:
        return "" if bundle is self._app.bundle else bundle.name
