"""How far a proposal has come, and whether it still fits the memories it was made for."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemic.domain.memory import State
from mnemic.domain.proposals import Verdict
from mnemic.domain.revision import revision
from mnemic.errors import MemoryNotFoundError, ProposalStaleError, RefusedError, StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.domain.documents import Located
    from mnemic.domain.proposals import Proposal, Step
    from mnemic.services.bundle import Bundle

_UNFINISHED = frozenset({Verdict.APPLYING, Verdict.UNDOING})


def settled(bundle: Bundle, proposal: Proposal) -> Proposal:
    """The proposal with its true verdict, when a command was cut off in the middle of carrying it out."""
    if proposal.verdict not in _UNFINISHED:
        return proposal
    with suppress(StorageError, RefusedError), bundle.proposals.locked():
        proposal = bundle.proposals.read(proposal.id)  # whoever was at work has finished now
        if proposal.verdict in _UNFINISHED:
            proposal = _found_out(bundle, proposal)
            bundle.proposals.write(proposal)
    return proposal


def _found_out(bundle: Bundle, proposal: Proposal) -> Proposal:
    pairs = list(zip(proposal.steps, current(bundle, proposal), strict=True))
    if proposal.verdict is Verdict.UNDOING:
        undone = all(_is_undone(step, read) for step, read in pairs)
        return replace(proposal, verdict=Verdict.UNDONE if undone else Verdict.APPLIED)
    if all(read is not None and read.revision == step.applied for step, read in pairs):
        return replace(proposal, verdict=Verdict.APPLIED)
    steps = tuple(replace(step, applied="") for step in proposal.steps)
    return replace(proposal, verdict=Verdict.WAITING, decided_at=None, decided_by="", steps=steps)


def current(bundle: Bundle, proposal: Proposal) -> list[Located | None]:
    """The memory of each step as it is now; None: it is not there."""
    found: list[Located | None] = []
    for step in proposal.steps:
        try:
            found.append(bundle.store.find(step.after.id))
        except MemoryNotFoundError:
            found.append(None)
    return found


def gaps(proposal: Proposal, current: Sequence[Located | None]) -> list[str]:
    """In words, which memories are not what the proposal was made for."""
    found = []
    for step, read in zip(proposal.steps, current, strict=True):
        if step.before is None:
            if read is not None and not _is_put_away(step, read):
                found.append(f"{step.after.id} is there already")
        elif read is None or read.revision != step.revision:
            found.append(moved(step, read))
    return found


def moved(step: Step, read: Located | None) -> str:
    """In words, what became of a memory."""
    if read is None:
        return f"{step.after.id} is not there any more"
    return f"{step.after.id} changed since it was {'applied' if step.applied else 'proposed'}"


def check_fits(proposal: Proposal, reasons: Sequence[str]) -> None:
    """Refuse a proposal that there are reasons against. Raises ProposalStaleError."""
    if reasons:
        raise ProposalStaleError(
            proposal.id,
            tuple(reasons),
            hint=f"Make the change by hand if it is still right, and: mnemic proposals reject {proposal.id}",
        )


def _is_put_away(step: Step, read: Located) -> bool:
    """Whether this is what an undo left of a memory that the proposal had made."""
    now = read.memory
    return now.uid == step.after.uid and now.state is State.ARCHIVED and bool(step.applied) and _is_undone(step, read)


def _is_undone(step: Step, read: Located | None) -> bool:
    if read is None:
        return False
    if step.before is not None:
        return read.revision == step.revision
    after = step.after
    back = replace(read.memory, state=after.state, supersedes=after.supersedes, superseded_by=after.superseded_by)
    return revision(back) == step.applied
