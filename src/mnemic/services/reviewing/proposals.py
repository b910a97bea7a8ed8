"""What a person does with proposals: look at them, approve, reject, and take back what was applied.

A decision is made under the bundle's lock, so of two at once one is told that the other was first. Before memories are
written the proposal says that this has begun: a command that was cut off leaves either all of them written or none,
and the next one sees which by their revisions.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.drafts import Warned
from mnemic.domain.ids import reference
from mnemic.domain.instants import format_instant
from mnemic.domain.memory import State
from mnemic.domain.proposals import Aim, Verdict
from mnemic.domain.revision import revision
from mnemic.errors import (
    IdTakenError,
    MemoryChangedError,
    MnemicError,
    ProposalDamagedError,
    ProposalDecidedError,
    ProposalNotFoundError,
    ProposalStaleError,
    StorageError,
)
from mnemic.services.judging.quarantine import PERSON
from mnemic.services.upkeep.keeping import PROMOTED
from mnemic.services.upkeep.refresh import refresh
from mnemic.services.writing.apply_steps import Change, apply_steps, approved, claims_against
from mnemic.services.writing.propose import only_put_away, propose
from mnemic.services.writing.standing import check_fits, current, gaps, moved, settled
from mnemic.text.secret_rules import find_secrets, redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Memory, Yaml
    from mnemic.domain.proposals import Proposal, Step
    from mnemic.services.bundle import Bundle

_NEAR = 5


class Listed(NamedTuple):
    """Proposals by id, and what is wrong with files that are none any more."""

    found: tuple[Proposal, ...]
    damaged: tuple[ProposalDamagedError, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A proposal after a decision, and the memories that were written, as they are now."""

    proposal: Proposal
    memories: tuple[Located, ...] = ()
    warnings: tuple[Warned, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A proposal; `bundle` is empty for the first one. `unfit` says in words why it cannot be applied as it is."""

    bundle: str
    proposal: Proposal
    unfit: tuple[str, ...] = ()

    @property
    def reference(self) -> str:
        """Its id, with the bundle's name before it in another one than the first."""
        return reference(self.bundle, self.proposal.id)


def proposals(bundle: Bundle, *, decided: bool = False) -> Listed:
    """Those that wait; with `decided`, the others too."""
    found: list[Proposal] = []
    damaged: list[ProposalDamagedError] = []
    for each in bundle.proposals.ids():
        try:
            proposal = settled(bundle, bundle.proposals.read(each))
        except ProposalDamagedError as error:
            damaged.append(error)
        except ProposalNotFoundError:
            continue  # taken away since
        else:
            if decided or proposal.verdict is Verdict.WAITING:
                found.append(proposal)
    return Listed(tuple(found), tuple(damaged))


def find(bundle: Bundle, given: str) -> Proposal:
    """The proposal of this id, or the only one whose id begins or ends so.

    Raises:
        ProposalNotFoundError: There is none, or more than one.
        ProposalDamagedError: Its file was changed by hand, or is damaged.
    """
    wanted, ids = given.strip().removesuffix(".md"), bundle.proposals.ids()
    if wanted not in ids:
        near = [each for each in ids if each.startswith(wanted)] or [each for each in ids if each.endswith(wanted)]
        if not wanted or len(near) != 1:
            raise ProposalNotFoundError(given, near=tuple(near[:_NEAR]) if wanted else ())
        wanted = near[0]
    return settled(bundle, bundle.proposals.read(wanted))


def unfit(bundle: Bundle, proposal: Proposal) -> tuple[str, ...]:
    """In words, why a proposal cannot be applied as it is; empty when it can."""
    try:
        return tuple(gaps(proposal, current(bundle, proposal)))
    except StorageError as error:
        return (error.message.rstrip("."),)


def approve(bundle: Bundle, given: str, *, by: str = PERSON) -> Decided:
    """Apply a proposal, all of it. Only a person decides that.

    The memories must be what they were when it was proposed. They are written as it shows them; added is only when,
    and by whom that was approved. What was rejected or undone before can be approved too.

    Raises:
        ProposalStaleError: One is not, or another memory claims otherwise since; nothing is written.
        ProposalDecidedError: It is applied already.
        ProposalNotFoundError, ProposalDamagedError: As `find`.
        MnemicError: A guard refused it, or it cannot be written; nothing is.
    """
    with bundle.proposals.locked():
        proposal = find(bundle, given)
        if proposal.verdict is Verdict.APPLIED:
            hint = f"To take it back: mnemic proposals undo {proposal.id}"
            raise ProposalDecidedError(proposal.id, "applied already", hint=hint)
        refresh(bundle)
        read_now = current(bundle, proposal)
        check_fits(proposal, gaps(proposal, read_now))
        now = bundle.clock.now()
        guarded = [
            _guarded(bundle, step, _as_approved(proposal, step, read, by, now), by)
            for step, read in zip(proposal.steps, read_now, strict=True)
        ]
        memories = [memory for memory, _ in guarded]
        check_fits(proposal, claims_against(bundle, memories))
        begun = replace(
            proposal,
            verdict=Verdict.APPLYING,
            decided_at=now,
            decided_by=by,
            decision="",
            steps=tuple(
                replace(step, applied=revision(memory)) for step, memory in zip(proposal.steps, memories, strict=True)
            ),
        )
        changes = [Change(memory, read) for memory, read in zip(memories, read_now, strict=True)]
        done = _carried_out(bundle, begun, changes, Verdict.APPLIED, proposal)
        return replace(done, warnings=(*(warned for _, warnings in guarded for warned in warnings), *done.warnings))


def reject(bundle: Bundle, given: str, *, why: str = "", by: str = PERSON) -> Decided:
    """Say no to a proposal: it is kept, and not made again unless something new speaks for it.

    Raises:
        ProposalDecidedError: It is applied, or rejected already.
        ProposalNotFoundError, ProposalDamagedError: As `find`.
    """
    with bundle.proposals.locked():
        proposal = find(bundle, given)
        if proposal.verdict is Verdict.APPLIED:
            hint = f"Take it back first: mnemic proposals undo {proposal.id}"
            raise ProposalDecidedError(proposal.id, "applied", hint=hint)
        if proposal.verdict is Verdict.REJECTED:
            raise ProposalDecidedError(proposal.id, "rejected already")
        told = " ".join(why.split())[: bundle.policy.limits.description_characters]
        rejected = replace(
            proposal,
            verdict=Verdict.REJECTED,
            decided_at=bundle.clock.now(),
            decided_by=by,
            decision=redact(told, find_secrets(told)),
        )
        bundle.proposals.write(rejected)
        return Decided(proposal=rejected)


def undo(bundle: Bundle, given: str, *, by: str = PERSON) -> Decided:
    """Take back an applied proposal in one step: every memory is what it was; one that it made is archived.

    Raises:
        ProposalDecidedError: It is not applied.
        ProposalStaleError: A memory changed since; nothing is taken back.
        ProposalNotFoundError, ProposalDamagedError: As `find`.
    """
    with bundle.proposals.locked():
        proposal = find(bundle, given)
        if proposal.verdict is not Verdict.APPLIED:
            raise ProposalDecidedError(proposal.id, f"{proposal.verdict}, not applied")
        refresh(bundle)
        read_now = current(bundle, proposal)
        changed = [
            moved(step, read)
            for step, read in zip(proposal.steps, read_now, strict=True)
            if read is None or read.revision != step.applied
        ]
        if changed:
            raise ProposalStaleError(
                proposal.id,
                tuple(changed),
                hint="What came later would be lost. Change those memories by hand instead.",
            )
        now = bundle.clock.now()
        changes = [
            Change(_as_before(proposal, step, read.memory, now), read)
            for step, read in zip(proposal.steps, read_now, strict=True)
            if read is not None
        ]
        begun = replace(proposal, verdict=Verdict.UNDOING, decided_at=now, decided_by=by)
        return _carried_out(bundle, begun, changes, Verdict.UNDONE, proposal)


def _guarded(bundle: Bundle, step: Step, memory: Memory, by: str) -> tuple[Memory, tuple[Warned, ...]]:
    return (memory, ()) if only_put_away(step) else approved(bundle, memory, by=by)


def _carried_out(
    bundle: Bundle, begun: Proposal, changes: Sequence[Change], verdict: Verdict, before: Proposal
) -> Decided:
    """Note that it has begun, write, note that it is done. What could not be written leaves it as it was `before`."""
    bundle.proposals.write(begun)
    try:
        done = apply_steps(bundle, changes, summary=f"{begun.aim.value.title()} as approved")
    except MnemicError as error:
        with suppress(StorageError):
            bundle.proposals.write(before)
        if isinstance(error, MemoryChangedError | IdTakenError):
            check_fits(before, [error.message.rstrip(".")])
        raise
    if verdict is Verdict.APPLIED:
        steps = tuple(
            replace(step, applied=located.revision) for step, located in zip(begun.steps, done.located, strict=True)
        )
        begun = replace(begun, steps=steps)
    decided = replace(begun, verdict=verdict)
    warnings = done.warnings
    try:
        bundle.proposals.write(decided)
    except StorageError as error:
        # The next command finds it out by the revisions.
        told = f"it is done, but the proposal does not say so yet: {error.message}"
        warnings = (*warnings, Warned(code="proposal", message=told))
    return Decided(proposal=decided, memories=done.located, warnings=warnings)


def _as_approved(proposal: Proposal, step: Step, read: Located | None, by: str, now: datetime) -> Memory:
    """The memory as the proposal has it, told now; of a promotion, that it was one."""
    after = step.after.changed(now)
    if step.before is None:
        told = now if read is None else read.memory.recorded_at
        after = replace(after, recorded_at=told, changed_at=now)
    if proposal.aim is Aim.PROMOTE and (step.before is None or step.before.kind != after.kind):
        mark: dict[str, Yaml] = {"proposal": proposal.id, "by": by, "at": format_instant(now)}
        after = replace(after, extra={**after.extra, PROMOTED: mark})
    return after


def _as_before(proposal: Proposal, step: Step, now: Memory, when: datetime) -> Memory:
    """What it was; a memory that was made goes out of sight, and out of the chain with those that are put back."""
    if step.before is not None:
        return replace(step.before, changed_at=max(when, now.changed_at))
    others = {each.after.id for each in proposal.steps}
    return now.changed(
        when,
        state=State.ARCHIVED,
        supersedes=tuple(name for name in now.supersedes if name not in others),
        superseded_by=tuple(name for name in now.superseded_by if name not in others),
    )


__all__ = ["Decided", "Listed", "Offered", "approve", "find", "proposals", "propose", "reject", "undo", "unfit"]
