"""All that a bundle holds, read once, with what replay has to know besides: outcomes, and what was proposed before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from mnemic.domain.ids import uuid7
from mnemic.domain.memory import Privacy, State
from mnemic.domain.outcomes import Outcome, Result, deciding
from mnemic.domain.proposals import Aim, Evidence, Verdict
from mnemic.errors import MnemicError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from mnemic.domain.documents import Located
    from mnemic.domain.ids import Uid
    from mnemic.domain.memory import Memory
    from mnemic.domain.proposals import Proposal
    from mnemic.services.bundle import Bundle

MADE_BY: Final = "replay"
MOST_EVIDENCE: Final = 50
"""So many memories are told as evidence of one proposal."""
REFUSED: Final = frozenset({Verdict.REJECTED, Verdict.UNDONE})
UNDECIDED: Final = frozenset({Verdict.WAITING, Verdict.APPLYING, Verdict.UNDOING})
_EXCERPT: Final = 200
_SLUG: Final = 60
_MOST_SUCCESSORS: Final = 100


@dataclass(frozen=True, kw_only=True)
class Holdings:
    """The memories of a bundle at a moment, by id; `located` leaves out what stands in documents that have problems.

    `earlier` are the proposals of before; `passed_over` counts documents and proposals that cannot be used.
    """

    bundle: Bundle
    now: datetime
    located: tuple[Located, ...]
    earlier: tuple[Proposal, ...] = ()
    passed_over: int = 0

    @cached_property
    def by_id(self) -> Mapping[str, Located]:
        """Each memory by its id."""
        return {each.memory.id: each for each in self.located}

    @cached_property
    def failed(self) -> frozenset[str]:
        """Ids of memories whose newest outcome that says how it turned out says that it failed."""
        outcomes: dict[str, list[Outcome]] = {}
        for memory in self.active():
            if memory.outcome_of:
                outcome = Outcome(memory.id, memory.result, memory.recorded_at)
                outcomes.setdefault(memory.outcome_of, []).append(outcome)
        newest = {
            of: deciding(sorted(found, key=lambda each: (each.when, each.id), reverse=True))
            for of, found in outcomes.items()
        }
        return frozenset(of for of, outcome in newest.items() if outcome and outcome.result is Result.FAILED)

    @cached_property
    def followed(self) -> frozenset[str]:
        """Ids of memories that an active outcome belongs to."""
        return frozenset(memory.outcome_of for memory in self.active() if memory.outcome_of)

    @cached_property
    def undecided(self) -> frozenset[str]:
        """Uids of memories that a proposal of before would change, is not decided, and still fits."""
        return frozenset(
            step.before.uid
            for proposal in self.earlier
            if proposal.verdict in UNDECIDED and self.fits(proposal)
            for step in proposal.steps
            if step.before is not None
        )

    def active(self) -> Iterator[Memory]:
        """Those that are active."""
        return (each.memory for each in self.located if each.memory.state is State.ACTIVE)

    def fits(self, proposal: Proposal) -> bool:
        """Whether the memories that a proposal changes are what they were when it was made."""
        return all(
            step.before is None
            or ((found := self.by_id.get(step.before.id)) is not None and found.revision == step.revision)
            for step in proposal.steps
        )

    def refused_together(self, aim: Aim) -> tuple[frozenset[Uid], ...]:
        """For each proposal of this aim that a person refused or took back, the uids of what it would have changed."""
        return tuple(
            frozenset(step.before.uid for step in proposal.steps if step.before is not None)
            for proposal in self.earlier
            if proposal.aim is aim and proposal.verdict in REFUSED
        )

    def successors(self, memory: Memory) -> Iterator[Memory]:
        """The active memories that came in the place of a superseded one, over any number of steps."""
        seen: set[str] = {memory.id}
        ahead: list[str] = list(memory.superseded_by)
        while ahead and len(seen) <= _MOST_SUCCESSORS:
            name = ahead.pop()
            if name in seen or name not in self.by_id:
                continue
            seen.add(name)
            found = self.by_id[name].memory
            if found.state is State.ACTIVE:
                yield found
            ahead += found.superseded_by

    def proposal_id(self, aim: Aim, words: str) -> str:
        """What a proposal is called: `2026-05-03-merge-notes-tea`."""
        from unicodedata import normalize

        day = self.now.astimezone(self.bundle.zone).date().isoformat()
        plain = "".join(char if char.isalnum() else "-" for char in normalize("NFKC", words).lower())
        slug = "-".join(filter(None, plain.split("-")))[:_SLUG].strip("-")
        return normalize("NFC", "-".join(filter(None, (day, str(aim), slug))))

    def new_uid(self, *told: str) -> Uid:
        """A uid for a memory that is proposed: at the same moment, out of the same words, the same."""
        moment = max(0, int(self.now.timestamp() * 1_000))
        return uuid7(moment, sha256("\0".join(told).encode("utf-8", "surrogatepass")).digest())


def look_over(bundle: Bundle) -> Holdings:
    """Read every memory and every proposal of a bundle."""
    located: list[Located] = []
    passed_over = 0
    for stamp in bundle.store.stamps():
        try:
            document = bundle.store.read(stamp.path)
        except MnemicError:
            passed_over += 1  # gone meanwhile, or unreadable
            continue
        if document.problems:
            passed_over += 1  # what is read of it may be half of it
        else:
            located += document.memories
    earlier: list[Proposal] = []
    for name in bundle.proposals.ids():
        try:
            earlier.append(bundle.proposals.read(name))
        except MnemicError:
            passed_over += 1
    return Holdings(
        bundle=bundle,
        now=bundle.clock.now(),
        located=tuple(sorted(located, key=lambda each: each.memory.id)),
        earlier=tuple(earlier),
        passed_over=passed_over,
    )


def may_be_told(memory: Memory) -> bool:
    """Whether its words may stand in a proposal."""
    return memory.privacy is not Privacy.SENSITIVE


def evidence_of(memories: Iterable[Memory]) -> tuple[Evidence, ...]:
    """Each memory with the beginning of what it says."""
    told = []
    for memory in memories:
        told.append(Evidence(id=memory.id, text=cut(memory.body.strip() or memory.title, _EXCERPT)))
        if len(told) == MOST_EVIDENCE:
            break
    return tuple(told)


def cut(text: str, most: int) -> str:
    """A text in one line of at most `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
