"""What is in a bundle, in numbers, and what its owner should know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.services.chronicle.records import history_facts
from mnemic.services.upkeep.embedding import waiting
from mnemic.services.upkeep.refresh import refresh

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from mnemic.domain.session import SessionHead
    from mnemic.services.bundle import Bundle
    from mnemic.services.chronicle.records import HistoryFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Numbers of one bundle. `bytes` counts documents and session logs, not what is derived."""

    name: str
    location: str
    read_only: bool
    memories: int
    by_kind: Mapping[str, int]
    by_state: Mapping[str, int]
    sessions: int
    turns: int
    documents: int
    bytes: int
    problems: int
    vectors: int
    vectors_waiting: int
    history: HistoryFacts
    advice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One session in a list."""

    head: SessionHead
    turns: int
    first: datetime | None
    last: datetime | None


def status(bundle: Bundle) -> Status:
    """Count everything, after bringing the index up to date."""
    done = refresh(bundle)
    stamps = [*bundle.store.stamps(), *bundle.sessions.stamps()]
    with bundle.index.reading() as index:
        counts = index.counts()
        census = index.census()
    size = sum(stamp.size for stamp in stamps)
    memories = sum(census.by_kind.values())
    return Status(
        name=bundle.name,
        location=bundle.store.location,
        read_only=bundle.store.read_only,
        memories=memories,
        by_kind=census.by_kind,
        by_state=census.by_state,
        sessions=census.sessions,
        turns=census.turns,
        documents=counts.documents,
        bytes=size,
        problems=census.problems,
        vectors=counts.vectors,
        vectors_waiting=waiting(bundle),
        history=history_facts(bundle),
        advice=(*done.behind, *done.unkept, *_advice(bundle, memories, size)),
    )


def _advice(bundle: Bundle, memories: int, size: int) -> Iterator[str]:
    """The thresholds at which a folder of Markdown should be thought over (limits in the policy)."""
    limits = bundle.policy.limits
    if memories > limits.concepts_comfortable:
        yield f"{memories:,} memories are more than the {limits.concepts_comfortable:,} a person can keep in order."
    if size > limits.bundle_bytes_comfortable:
        yield f"{size / 1e6:,.0f} MB are more than the {limits.bundle_bytes_comfortable / 1e6:,.0f} MB that read fast."


def session_list(bundle: Bundle) -> list[SessionRow]:
    """Every session with its turns and days, oldest first."""
    rows = []
    for head in bundle.sessions.heads():
        turns = bundle.sessions.read(head.id).turns
        moments = [turn.at for turn in turns]
        rows.append(
            SessionRow(head=head, turns=len(turns), first=min(moments, default=None), last=max(moments, default=None))
        )
    return sorted(rows, key=lambda row: (row.first is None, row.first, row.head.id))
