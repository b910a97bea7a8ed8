"""Proposals: change sets that wait for a person. Applied, refused and undone as one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from mnemic.domain.memory import Memory


class Aim(StrEnum):
    """What a proposal is for."""

    PROMOTE = "promote"
    """Statements that support each other become a belief."""
    SUPERSEDE = "supersede"
    """A newer statement takes the place of an older one that it contradicts."""
    MERGE = "merge"
    """Memories that say nearly the same become one."""
    ARCHIVE = "archive"
    """What nobody has used for long goes out of sight."""
    CHANGE = "change"
    """Anything else."""


class Verdict(StrEnum):
    """Where a proposal stands."""

    WAITING = "waiting"
    APPLIED = "applied"
    REJECTED = "rejected"
    UNDONE = "undone"
    APPLYING = "applying"
    """It was being applied when the command was cut off: the next one finds out how far that came."""
    UNDOING = "undoing"
    """As `APPLYING`, of an undo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What speaks for a proposal: a memory or a turn, by its id, and the words that matter."""

    id: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One memory of a change set: as it was read (None: it is new) and as it is to be.

    `revision` is that of `before`; empty for a new one. `applied` is the revision that stood when it was applied, empty
    before. Nothing is ever taken away by a proposal: what is to go out of sight is archived or superseded.
    """

    after: Memory
    before: Memory | None = None
    revision: str = ""
    applied: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """How a structured claim is supported.

    `confidence` (0..1) is 0.7 times the mean confidence of what supports it and 0.3 times the share of it that is
    verified. `eligible`: enough support from enough independent sources, and nothing claims otherwise.
    """

    claim_key: str
    claim_value: str
    support: tuple[str, ...]
    independent_sources: int
    conflicting_values: tuple[str, ...]
    confidence: float
    eligible: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A change set that somebody or something proposes, with its reasons.

    Attributes:
        id: Its file's name without `.md`: `2026-05-03-promote-anna-city`. Whoever proposes may leave it empty.
        aim: What it is for.
        title: In one line what would happen.
        why: The reasons, in sentences for a person.
        made_at: When it was proposed.
        made_by: Who proposed it: `replay`, an agent's name, `person`.
        evidence: What speaks for it.
        steps: The change set.
        support: Of a claim, how it is supported.
        verdict: Where it stands.
        decided_at: When a person decided; None while it waits.
        decided_by: Who did: `person`.
        decision: Why it was rejected, where that was told.
    """

    id: str
    aim: Aim
    title: str
    why: str
    made_at: datetime
    made_by: str
    evidence: tuple[Evidence, ...] = ()
    steps: tuple[Step, ...] = ()
    support: Support | None = None
    verdict: Verdict = Verdict.WAITING
    decided_at: datetime | None = None
    decided_by: str = ""
    decision: str = ""

    @property
    def names(self) -> frozenset[str]:
        """Ids and uids of everything that it holds words of: of its memories, and of what speaks for it."""
        found = {each.id for each in self.evidence}
        if self.support is not None:
            found.update(self.support.support)
        for step in self.steps:
            for memory in (step.before, step.after):
                if memory is not None:
                    found |= {memory.id, memory.uid, *memory.supersedes, *memory.superseded_by}
        return frozenset(found)
