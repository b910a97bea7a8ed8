"""Writing the change set that a person approved: all of it or nothing, through the guards, as one change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.changes import ChangeSet, Put
from mnemic.domain.drafts import Warned
from mnemic.domain.instants import format_instant
from mnemic.domain.memory import State
from mnemic.errors import RefusedError
from mnemic.services.judging.contradict import claim_told, claimed_otherwise
from mnemic.services.judging.guards import guarded
from mnemic.services.judging.quarantine import REVIEWED, digest_of
from mnemic.services.upkeep.record import keep
from mnemic.services.upkeep.refresh import index_written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Memory, Yaml
    from mnemic.services.bundle import Bundle


class Change(NamedTuple):
    """A memory as it is to be, and as it was read; None: it is new."""

    memory: Memory
    read: Located | None


class Written(NamedTuple):
    """The memories as they stand now, in the order of the changes, and what is worth knowing."""

    located: tuple[Located, ...]
    warnings: tuple[Warned, ...] = ()


def approved(bundle: Bundle, memory: Memory, *, by: str) -> tuple[Memory, tuple[Warned, ...]]:
    """The memory after the guards, with the authority of a person who has read it.

    Signs of injection in its words do not hold it back; that they were looked at is written into it.

    Raises:
        RefusedError: A guard refuses it whoever approves: a secret, a size, a sign in its tags, claim or link.
    """
    clean, warnings = guarded(memory, bundle.policy)
    if clean.state is memory.state:
        return clean, warnings
    told: dict[str, Yaml] = {
        "verdict": "released",
        "by": by,
        "at": format_instant(bundle.clock.now()),
        "text": digest_of(memory),
    }
    clean, warnings = guarded(replace(memory, extra={**memory.extra, REVIEWED: told}), bundle.policy)
    if clean.state is not memory.state:
        raise RefusedError(
            f"{memory.id} would be quarantined: its tags, claim or link read like an order to an assistant.",
            hint="Reject the proposal, or write the memory yourself without them.",
        )
    return clean, warnings


def claims_against(bundle: Bundle, memories: Iterable[Memory]) -> list[str]:
    """In words, which active memories outside of these claim otherwise than the active ones among them.

    The index must be up to date.
    """
    found = list(memories)
    settled = {memory.id for memory in found}
    return [
        f"{other.memory.id} claims {claim_told(other.memory)}, and {memory.id} {claim_told(memory)}"
        for memory in found
        if memory.state is State.ACTIVE
        for other in claimed_otherwise(bundle, memory, settled)
    ]


def apply_steps(bundle: Bundle, changes: Sequence[Change], *, summary: str) -> Written:
    """Write memories that went through the guards, as one change set.

    Raises:
        MemoryChangedError, IdTakenError: One is not what was read; none is written.
        DocumentMalformedError, LimitExceededError, ReadOnlyBundleError, BundleBusyError, WriteFailedError: None is.
    """
    for change in changes:
        if change.read is not None:
            keep(bundle, change.read.memory)
    puts = tuple(Put(each.memory, None if each.read is None else each.read.revision) for each in changes)
    applied = bundle.store.apply(ChangeSet(puts=puts, summary=summary))
    unkept = index_written(bundle, [located.path for located in applied.written])
    done = {located.memory.id: located for located in (*applied.written, *applied.unchanged)}
    return Written(
        tuple(done[each.memory.id] for each in changes),
        tuple(Warned(code="history", message=note) for note in unkept),
    )
