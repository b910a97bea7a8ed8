"""Archiving: what nobody has used for long, and nobody keeps on purpose, goes out of sight. It is never deleted."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from mnemic.domain.access import Usage
from mnemic.domain.kinds import kind_key
from mnemic.domain.memory import State
from mnemic.domain.proposals import Aim, Proposal, Step
from mnemic.domain.sources import DERIVED_FROM
from mnemic.services.reviewing.holdings import MADE_BY, evidence_of, may_be_told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Memory
    from mnemic.services.reviewing.holdings import Holdings

MOST_ARCHIVED: Final = 50
"""So many memories are listed in one proposal: as many as a person can look through."""
ARCHIVED_KINDS: Final = frozenset({"note", "observation", "episode", "request"})
"""Kinds that lose their worth with time. All others are kept: docs/explanation/trust-replay.md says why."""
_NEVER: Final = Usage()


def archives(held: Holdings, without: Iterable[str] = ()) -> Iterator[Proposal]:
    """Proposals to archive what is stale, each of at most 50 memories, the oldest first; `without` these uids."""
    refused = frozenset[str]().union(*held.refused_together(Aim.ARCHIVE))
    kept = held.undecided | refused | frozenset(without) | _needed(held)
    since = held.now - timedelta(days=held.bundle.policy.replay.archive_days)
    old = [
        each
        for each in held.located
        if each.memory.uid not in kept and each.memory.id not in kept and _may_go(held, each.memory, since)
    ]
    usage = held.bundle.turns.usage([each.memory.id for each in old])
    stale = [each for each in old if _is_unused(usage.get(each.memory.id, _NEVER), since)]
    stale.sort(key=lambda each: (each.memory.recorded_at, each.memory.id))
    for start in range(0, len(stale), MOST_ARCHIVED):
        yield _proposal(held, stale[start : start + MOST_ARCHIVED])


def _may_go(held: Holdings, memory: Memory, since: datetime) -> bool:
    """Whether time, kind and salience allow it, and nothing says that it is kept for later."""
    old = memory.state is State.ACTIVE and max(memory.recorded_at, memory.changed_at) <= since
    small = kind_key(memory.kind) in ARCHIVED_KINDS and memory.salience <= held.bundle.policy.replay.archive_salience
    asked_for = memory.loading is not None or memory.auto_invoke or memory.user_invocable
    ahead = any(
        moment is not None and moment > held.now
        for moment in (memory.valid_from, memory.valid_until, memory.due, memory.snoozed_until)
    )
    whole = "#" not in memory.id
    return old and small and whole and not asked_for and not ahead and not memory.on_event and may_be_told(memory)


def _needed(held: Holdings) -> frozenset[str]:
    """Ids of memories that active ones stand on: a belief's supports, what an outcome belongs to, what one requires."""
    needed: set[str] = set(held.followed)
    for memory in held.active():
        needed.update(memory.requires)
        supports = memory.extra.get(DERIVED_FROM)
        if isinstance(supports, list):
            needed.update(name for name in supports if isinstance(name, str))
    return frozenset(needed)


def _is_unused(usage: Usage, since: datetime) -> bool:
    """Whether nobody ever asked for it or built on it, and it was not even put before an agent since then."""
    return not usage.read and not usage.used and (usage.last_at is None or usage.last_at <= since)


def _proposal(held: Holdings, stale: Sequence[Located]) -> Proposal:
    days = held.bundle.policy.replay.archive_days
    count = "one memory" if len(stale) == 1 else f"{len(stale)} memories"
    return Proposal(
        id=held.proposal_id(Aim.ARCHIVE, count),
        aim=Aim.ARCHIVE,
        title=f"Archive {count} that nobody has used for {days} days",
        why=f"Written more than {days} days ago, of low salience, and on this machine never read whole and never built "
        "upon. Archived memories are not recalled; they stay in their files, and can be made active again.",
        made_at=held.now,
        made_by=MADE_BY,
        evidence=evidence_of(each.memory for each in stale),
        steps=tuple(
            Step(after=each.memory.changed(held.now, state=State.ARCHIVED), before=each.memory, revision=each.revision)
            for each in stale
        ),
    )
