"""What a turn finds and reads, as values."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from mnemic.domain.ids import SESSION_PREFIX
from mnemic.domain.instants import format_instant

if TYPE_CHECKING:
    from datetime import datetime

    from mnemic.domain.access import Budget
    from mnemic.domain.citations import Citation
    from mnemic.domain.memory import Memory
    from mnemic.domain.outcomes import Outcome
    from mnemic.domain.results import Answer
    from mnemic.domain.session import Turn as SaidTurn
    from mnemic.services.recalling.show import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The answer to a search, its receipt, and what may still be read in this turn."""

    answer: Answer
    receipt: str
    left: Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One thing as it is now: a memory, or turns of a session (`memory` is None then). `id` names its bundle too."""

    id: str
    kind: str
    title: str
    text: str
    revision: str
    when: datetime
    turns: int = 0
    memory: Memory | None = None
    outcomes: tuple[Outcome, ...] = ()
    citation: Citation | None = None

    @classmethod
    def of(cls, shown: Shown, prefix: str) -> Seen:
        """What was shown; `prefix` stands before the ids of a bundle that is not the first."""
        if shown.memory is not None:
            memory = shown.memory.memory
            return cls(
                id=f"{prefix}{memory.id}",
                kind=memory.kind,
                title=memory.title,
                text=memory.body,
                revision=shown.memory.revision,
                when=memory.recorded_at,
                memory=memory,
                outcomes=shown.outcomes,
                citation=shown.citation,
            )
        assert shown.session is not None, "a memory or a session is shown"
        head, turns = shown.session.head, shown.turns
        asked = [turn for turn in turns if shown.asked in (None, turn.number)]
        name = f"{SESSION_PREFIX}{head.id}"
        return cls(
            id=f"{prefix}{name}" if shown.asked is None else f"{prefix}{name}#{shown.asked}",
            kind="session" if shown.asked is None else "turn",
            title=head.title or head.conversation or head.id,
            text="\n".join(map(_said, turns)),
            revision=_revision(asked),
            when=asked[0].at if asked else shown.session.turns[0].at,
            turns=len(asked),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """What was read: the thing, the part of its text from the character `start`, and what may still be read.

    `receipt` is empty when it was not the whole text: who has seen a part may not replace the whole.
    """

    seen: Seen
    text: str
    start: int
    receipt: str
    left: Budget

    @property
    def id(self) -> str:
        """The reference of what was read."""
        return self.seen.id

    @property
    def revision(self) -> str:
        """The version that was read."""
        return self.seen.revision

    @property
    def whole(self) -> bool:
        """Whether this is all of the text."""
        return len(self.text) == len(self.seen.text)


def _said(turn: SaidTurn) -> str:
    attached = "".join(f" [{each}]" for each in turn.attachments)
    return f"#{turn.number} {format_instant(turn.at)} {turn.speaker}: {turn.text}{attached}"


def _revision(turns: list[SaidTurn]) -> str:
    """Of the words themselves; neighbours that are shown along do not count."""
    return sha256("\n".join(map(_said, turns)).encode("utf-8", "surrogatepass")).hexdigest()
