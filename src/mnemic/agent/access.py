"""What a conversation needs of the application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from mnemic.domain.capsule import Capsule
    from mnemic.domain.drafts import Draft, Remembered
    from mnemic.domain.entries import Where
    from mnemic.domain.memory import Memory
    from mnemic.domain.results import Answer
    from mnemic.services.bundle import Bundle
    from mnemic.services.forget import Forgotten
    from mnemic.services.gate import Gate
    from mnemic.services.show import Shown


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

    def show(self, wanted: str, *, around: int = 0) -> Shown:
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

    def locate(self, wanted: str) -> tuple[Bundle, str]:
        """The bundle and the id within it that a reference names."""
        ...
