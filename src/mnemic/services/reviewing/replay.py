"""Replay: look over everything that is remembered, and propose what should become of it. Nothing is applied.

Three things are proposed: beliefs that several sources support (`promote.py`), one memory in the place of several that
say the same (`merge.py`), and the archive for what nobody uses (`archive.py`). The same bundle at the same moment gives
the same proposals, ids and all; what was proposed is not proposed again, and what a person refused does not come back.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mnemic.domain.proposals import Aim, Verdict
from mnemic.domain.support import in_order
from mnemic.errors import (
    InvalidMemoryError,
    LimitExceededError,
    OriginRefusedError,
    PrivacyRefusedError,
    SecretRefusedError,
    StorageError,
)
from mnemic.services.reviewing.archive import archives
from mnemic.services.reviewing.holdings import UNDECIDED, look_over
from mnemic.services.reviewing.merge import merges
from mnemic.services.reviewing.promote import promotions
from mnemic.services.reviewing.weigh_claims import weighed_claims
from mnemic.services.upkeep.refresh import refresh
from mnemic.services.writing.propose import propose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mnemic.domain.proposals import Proposal, Support
    from mnemic.services.bundle import Bundle
    from mnemic.services.reviewing.holdings import Holdings
    from mnemic.services.reviewing.weigh_claims import Weighed

MOST_WAITING: Final = 50
"""So many proposals of one aim wait for a person at a time; one to archive, which lists many memories."""
_BY_GUARDS = (SecretRefusedError, LimitExceededError, OriginRefusedError, PrivacyRefusedError, InvalidMemoryError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What a replay found.

    `supports`: every claim for whose key more than one memory has a value, eligible ones first. `proposals`: those that
    were made, or with `dry_run` would be. `waiting`: how many were made before and wait for a person. `passed_over`:
    documents and proposals that cannot be used. `notes`: in words, what was not proposed and why.
    """

    supports: tuple[Support, ...]
    proposals: tuple[Proposal, ...]
    memories: int
    waiting: int = 0
    passed_over: int = 0
    notes: tuple[str, ...] = ()
    dry_run: bool = False


def replay(bundle: Bundle, *, dry_run: bool = False) -> Replayed:
    """Look over a bundle, and keep what is worth proposing for a person to decide.

    Args:
        bundle: Its documents are read and stay as they are.
        dry_run: Keep nothing.

    Raises:
        ReadOnlyBundleError, BundleBusyError, WriteFailedError: Proposals cannot be written.
    """
    refresh(bundle)
    held = look_over(bundle)
    weighed = list(weighed_claims(held))
    notes: list[str] = []
    wanted = list(_wanted(held, weighed, notes))
    made = wanted if dry_run else [kept for each in wanted if (kept := _made(held, each, notes)) is not None]
    return Replayed(
        supports=tuple(sorted((each.support for each in weighed), key=in_order)),
        proposals=tuple(made),
        memories=len(held.located),
        waiting=sum(each.verdict is Verdict.WAITING for each in held.earlier),
        passed_over=held.passed_over,
        notes=tuple(notes),
        dry_run=dry_run,
    )


def _wanted(held: Holdings, weighed: Sequence[Weighed], notes: list[str]) -> Iterator[Proposal]:
    # A memory is in one change set at a time: what supports a belief stays as it is, what is merged is not archived.
    eligible = sorted((one for one in weighed if one.support.eligible), key=lambda one: in_order(one.support))
    taken = {memory.uid for one in eligible for memory in one.memories}
    yield from _few(held, promotions(held, eligible), MOST_WAITING, notes)
    merging = list(merges(held, frozenset(taken)))
    taken |= {step.after.uid for proposal in merging for step in proposal.steps}
    yield from _few(held, merging, MOST_WAITING, notes)
    try:
        yield from _few(held, archives(held, taken), 1, notes)
    except StorageError as error:
        notes.append(f"nothing is proposed for the archive, since it is not known what was used: {error.message}")


def _few(held: Holdings, wanted: Iterable[Proposal], most: int, notes: list[str]) -> Iterator[Proposal]:
    """So many of an aim that, with those that wait already, a person can look through them; the rest comes later."""
    room = {aim: most - sum(each.aim is aim and each.verdict in UNDECIDED for each in held.earlier) for aim in Aim}
    later: Counter[Aim] = Counter()
    for proposal in wanted:
        if room[proposal.aim] > 0:
            room[proposal.aim] -= 1
            yield proposal
        else:
            later[proposal.aim] += 1
    notes += (f"{count:,} more to {aim} will be proposed when what waits is decided" for aim, count in later.items())


def _made(held: Holdings, proposal: Proposal, notes: list[str]) -> Proposal | None:
    """The proposal as it is kept; None where a guard refused it, or it was decided before."""
    try:
        kept = propose(held.bundle, proposal)
    except _BY_GUARDS as error:
        notes.append(f"{proposal.title}: not proposed, for {error.message}")
        return None
    return kept if kept.verdict is Verdict.WAITING and kept.made_at == proposal.made_at else None
