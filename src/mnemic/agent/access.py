"""What a conversation needs of the application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from mnemic.domain.capsule import Capsule
    from mnemic.domain.contradictions import Contradiction
    from mnemic.domain.drafts import Draft, Remembered
    from mnemic.domain.entries import Where
    from mnemic.domain.memory import Memory
    from mnemic.domain.results import Answer
    from mnemic.errors import ProposalDamagedError
    from mnemic.services.bundle import Bundle
    from mnemic.services.chronicle.history import Story
    from mnemic.services.context.gate import Gate
    from mnemic.services.context.promises import Promise
    from mnemic.services.erasing.forget import Forgotten
    from mnemic.services.recalling.show import Shown
    from mnemic.services.reviewing.proposals import Decided, Offered
    from mnemic.services.reviewing.release import Suspect


class ProposalAccess(Protocol):
    """Proposals of opened bundles, as `App.proposals` is."""

    def list(self, *, decided: bool = False) -> tuple[Sequence[Offered], Sequence[ProposalDamagedError]]:
        """Those that wait, or all; and what is wrong with files that are none any more."""
        ...

    def show(self, wanted: str) -> Offered:
        """One of them, and whether it still fits."""
        ...

    def approve(self, wanted: str) -> Decided:
        """Apply it; a person decides that."""
        ...

    def reject(self, wanted: str, *, why: str = "") -> Decided:
        """Say no to it; a person decides that."""
        ...


class PromiseAccess(Protocol):
    """Commitments of opened bundles, as `App.promises` is."""

    def list(self, *, within_days: int | None = None, settled: bool = False) -> Sequence[Promise]:
        """Those of every bundle, the most urgent first."""
        ...


class QuarantineAccess(Protocol):
    """Memories in quarantine of opened bundles, as `App.quarantine` is."""

    def list(self) -> Sequence[Suspect]:
        """What is held back."""
        ...

    def show(self, wanted: str) -> Suspect:
        """One of them, and why it is there."""
        ...

    def release(self, wanted: str) -> Remembered:
        """Let it out; a person decides that."""
        ...

    def reject(self, wanted: str) -> Remembered:
        """Archive it; a person decides that."""
        ...


class PastAccess(Protocol):
    """The past of opened bundles, as `App.past` is."""

    def history(self, wanted: str) -> Story:
        """Every version of a memory, and the chain of what it replaced."""
        ...


class MemoryAccess(Protocol):
    """Opened bundles, as `mnemic.App` is: the first is written to, all are searched."""

    @property
    def bundle(self) -> Bundle:
        """The first bundle."""
        ...

    def gate(self, conversation: str, *, follows: bool = False) -> Gate:
        """The rules of access for one conversation."""
        ...

    def context(  # noqa: PLR0913 - one keyword an option
        self,
        message: str,
        *,
        budget: int | None = None,
        conversation: str = "",
        tail: str = "",
        apart: Sequence[str] = (),
        pins: Sequence[str] = (),
    ) -> Capsule:
        """What belongs into the agent's context for a message."""
        ...

    def recall(
        self, query: str, *, k: int | None = None, where: Where | None = None, now: datetime | None = None
    ) -> Answer:
        """What matters for a question, in every bundle."""
        ...

    def show(self, wanted: str, *, around: int = 0, reveal: bool = False) -> Shown:
        """One thing whole."""
        ...

    def remember(self, draft: Draft) -> Remembered:
        """A new memory."""
        ...

    def edit(self, wanted: str, change: Callable[[Memory], dict[str, object]], *, expect: str = "") -> Remembered:
        """Other fields for a memory that still is at the revision `expect`."""
        ...

    def forget(self, wanted: str, *, confirm: str) -> Forgotten:
        """Remove a memory, a session or a turn for good."""
        ...

    @property
    def past(self) -> PastAccess:
        """What was known before."""
        ...

    @property
    def proposals(self) -> ProposalAccess:
        """Change sets that wait for a person."""
        ...

    @property
    def promises(self) -> PromiseAccess:
        """What is owed."""
        ...

    @property
    def quarantine(self) -> QuarantineAccess:
        """What is held back."""
        ...

    def contradictions(self) -> tuple[Contradiction, ...]:
        """Every pair of memories that contradict each other, or may."""
        ...

    def locate(self, wanted: str) -> tuple[Bundle, str]:
        """The bundle and the id within it that a reference names."""
        ...
