"""Offering a person that a memory held back for its claim takes the place of the ones it contradicts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mnemic.domain.contradictions import Doubt
from mnemic.domain.drafts import Warned
from mnemic.domain.memory import State
from mnemic.domain.policy import OnContradiction
from mnemic.domain.proposals import Aim, Evidence, Proposal, Step
from mnemic.errors import MemoryNotFoundError, MnemicError
from mnemic.services.judging.contradict import claim_told, claimed_otherwise
from mnemic.services.writing.propose import propose

if TYPE_CHECKING:
    from datetime import datetime

    from mnemic.domain.documents import Located
    from mnemic.domain.drafts import Remembered
    from mnemic.domain.ids import MemoryId
    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle

PROPOSED: Final = "proposed"
"""Code of the warning that a proposal waits."""


def offered(bundle: Bundle, done: Remembered) -> Remembered:
    """What was written, with a proposal about it where the policy wants one; that never undoes the write."""
    held = done.memory.state is State.QUARANTINED and any(each.code == Doubt.CONTRADICTION for each in done.warnings)
    if not held or bundle.policy.rules.contradictions is not OnContradiction.PROPOSE:
        return done
    try:
        proposal = _proposed(bundle, done)
    except MnemicError as error:
        told = Warned(code="proposal", message=f"no proposal was made of it: {error.message}")
    else:
        told = Warned(
            code=PROPOSED,
            message=f"a proposal to replace the other is {proposal.verdict}: mnemic proposals show {proposal.id}",
        )
    return replace(done, warnings=(*done.warnings, told))


def _proposed(bundle: Bundle, done: Remembered) -> Proposal:
    now, memory = bundle.clock.now(), done.memory
    active = replace(memory, state=State.ACTIVE)
    against = claimed_otherwise(bundle, active, memory.supersedes)
    meant = [old for name in memory.supersedes if (old := still_active(bundle, name)) is not None]
    olds = [*against, *meant]
    ids = tuple(dict.fromkeys((*memory.supersedes, *(old.memory.id for old in against))))
    newcomer = Step(before=memory, after=replace(active, supersedes=ids), revision=done.revision)
    claims = [f"{old.memory.id} claims {claim_told(old.memory)}" for old in against]
    return propose(
        bundle,
        Proposal(
            id="",
            aim=Aim.SUPERSEDE,
            title=f"{memory.id} takes the place of {', '.join(old.memory.id for old in olds)}",
            why=f"{memory.id} claims {claim_told(memory)}. {'; '.join(claims)}. They cannot be so together.",
            made_at=now,
            made_by=memory.provenance.actor or "mnemic",
            evidence=tuple(Evidence(id=each.id, text=each.title) for each in (memory, *(old.memory for old in olds))),
            steps=(newcomer, *(_ended(old, memory) for old in olds)),
        ),
    )


def _was_so_until(old: Memory, new: Memory) -> datetime | None:
    """Where the new one says since when it is so, the old one was so until then; else it was a mistake all along."""
    begun = new.valid_from
    if begun is None or (old.valid_from is not None and old.valid_from >= begun):
        return old.valid_until
    return begun if old.valid_until is None else min(begun, old.valid_until)


def still_active(bundle: Bundle, name: MemoryId) -> Located | None:
    """The memory of this id, if there is one and it is active."""
    try:
        located = bundle.store.find(name)
    except MemoryNotFoundError:
        return None
    return located if located.memory.state is State.ACTIVE else None


def superseded(old: Memory, by: Memory) -> Memory:
    """The old one as it is when the new one has taken its place."""
    return replace(
        old,
        state=State.SUPERSEDED,
        superseded_by=tuple(dict.fromkeys((*old.superseded_by, by.id))),
        valid_until=_was_so_until(old, by),
    )


def _ended(old: Located, by: Memory) -> Step:
    return Step(before=old.memory, after=superseded(old.memory, by), revision=old.revision)
