"""Merging: memories of one kind that say the same, or of which one says what another one says and more.

No model is asked. Candidates are found by whole statements they share, so the time grows with the number of statements
and not with its square; `text/same_statement.py` decides. The best memory of a cluster is kept, with what the others
say besides; those are superseded by it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from mnemic.domain.claims import claim_key
from mnemic.domain.kinds import kind_key, kind_named
from mnemic.domain.memory import Memory, Privacy, State
from mnemic.domain.proposals import Aim, Proposal, Step
from mnemic.domain.provenance import is_ones_own, is_trusted
from mnemic.services.reviewing.holdings import MADE_BY, cut, evidence_of, may_be_told
from mnemic.text.claim_values import claim_value
from mnemic.text.same_statement import at_odds, begins_with, beyond, content_words, shared, taken_apart

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from mnemic.domain.documents import Located
    from mnemic.services.reviewing.holdings import Holdings
    from mnemic.text.same_statement import Said, Text

MOST_MERGED: Final = 50
"""So many memories become one at a time."""
_COMMON: Final = 50
"""A statement of more memories than this is a phrase, not what they are about."""
_LOOKED_AT: Final = 100
_SIEVE: Final = 0.5
_TOLD: Final = 300
# What happened twice happened twice: of these only copies are merged, told on one day.
_HAPPENED: Final = frozenset({"episode", "outcome", "session"})


@dataclass(frozen=True)
class _Piece:
    """A memory that may be merged, and its text taken apart; `like` is equal for those that may be compared."""

    located: Located
    like: Hashable

    @property
    def memory(self) -> Memory:
        return self.located.memory

    @cached_property
    def text(self) -> Text:
        return taken_apart(self.memory.body.strip() or self.memory.title)

    @cached_property
    def title(self) -> frozenset[str]:
        """The words of its title; none where its text says them too."""
        if not self.memory.body.strip() or begins_with(self.text, self.memory.title):
            return frozenset()
        words = content_words(self.memory.title)
        return frozenset() if words <= self.text.vocabulary else words

    @property
    def trust(self) -> tuple[bool, bool]:
        source = self.memory.provenance
        verified = source.verified
        return is_ones_own(source.origin, verified=verified), is_trusted(source.origin, verified=verified)

    @property
    def order(self) -> tuple[bool, float, bool, float, str]:
        """The best first: of most authority, verified, newest."""
        source = self.memory.provenance
        told = self.memory.recorded_at.timestamp()
        return not self.trust[0], -source.authority, not source.verified, -told, self.memory.id


class _Merge(NamedTuple):
    """What is kept, and what becomes part of it with what it says besides."""

    kept: _Piece
    others: tuple[tuple[_Piece, tuple[Said, ...]], ...]


def merges(held: Holdings, without: frozenset[str] = frozenset()) -> Iterator[Proposal]:
    """A proposal for each cluster of active memories that say the same; `without` these uids."""
    pieces = sorted(_pieces(held, without), key=lambda piece: piece.order)
    refused = held.refused_together(Aim.MERGE)
    for cluster in _Clusters(held, pieces, refused).found():
        yield _proposal(held, cluster)


def _pieces(held: Holdings, without: frozenset[str]) -> Iterator[_Piece]:
    busy = held.undecided | without
    for located in held.located:
        memory = located.memory
        whole = "#" not in memory.id and not kind_named(memory.kind).document
        free = memory.uid not in busy and memory.id not in held.followed
        if memory.state is State.ACTIVE and whole and free and may_be_told(memory):
            yield _Piece(located, _like(memory))


def _like(memory: Memory) -> Hashable:
    """Everything but words and sources in which two memories must be alike to be one."""
    happened = kind_key(memory.kind) in _HAPPENED
    return (
        kind_key(memory.kind),
        memory.scope,
        (memory.valid_from, memory.valid_until, memory.due, memory.snoozed_until),
        (memory.on_event, memory.outcome_of, memory.result),
        (memory.loading, memory.auto_invoke, memory.user_invocable, memory.requires),
        memory.recorded_at.date() if happened else None,
    )


class _Clusters:
    """Finds what goes together: the best memory first, then every one that it may take in."""

    def __init__(self, held: Holdings, pieces: Sequence[_Piece], refused: Sequence[frozenset[str]]) -> None:
        self._held = held
        self._pieces = pieces
        self._refused = [set(each) for each in refused]
        self._least = held.bundle.policy.replay.merge_above
        self._taken: set[int] = set()
        self._wholes: dict[Hashable, list[int]] = defaultdict(list)
        self._says: dict[Hashable, list[int]] = defaultdict(list)
        self._contains: dict[Hashable, list[int]] = defaultdict(list)
        for number, piece in enumerate(pieces):
            self._wholes[piece.like, piece.text.whole, piece.title].append(number)
            for said in piece.text.statements:
                own, *shorter = said.contained
                self._says[piece.like, own].append(number)
                for words in shorter:
                    self._contains[piece.like, words].append(number)

    def found(self) -> Iterator[_Merge]:
        for number, piece in enumerate(self._pieces):
            if number not in self._taken and (others := list(self._taken_in(number, piece))):
                yield _Merge(piece, tuple(others))

    def _taken_in(self, number: int, kept: _Piece) -> Iterator[tuple[_Piece, tuple[Said, ...]]]:
        absorbed: list[tuple[_Piece, tuple[Said, ...]]] = []
        room = self._held.bundle.policy.limits.body_characters - len(kept.memory.body)
        for other_number in self._near(number, kept):
            other = self._pieces[other_number]
            if not self._may_join(kept, other):
                continue
            more = beyond(other.text, kept.text)
            length = sum(len(said.text) + 1 for said in more) + 2
            if length > room or any(at_odds(more, told) for _, told in absorbed):
                continue
            if any(self._were_refused(other, each) for each, _ in absorbed):
                continue
            room -= length
            absorbed.append((other, more))
            self._taken |= {number, other_number}
            yield other, more
            if len(absorbed) + 1 == MOST_MERGED:
                return

    def _near(self, number: int, piece: _Piece) -> list[int]:
        """Memories that say all that it says, then those that share most statements; none that is better than it."""
        same = self._wholes[piece.like, piece.text.whole, piece.title]
        copies = list(islice((each for each in same if each > number and each not in self._taken), _LOOKED_AT))
        if kind_key(piece.memory.kind) in _HAPPENED:
            return copies
        near: Counter[int] = Counter()
        for said in piece.text.statements:
            own, *shorter = said.contained
            places = [self._says[piece.like, own], self._contains[piece.like, own]]
            places += [self._says[piece.like, words] for words in shorter]
            for place in places:
                for each in place if len(place) <= _COMMON else ():
                    near[each] += len(said.words)
        # A first sieve: of what one of them says the other one must say a good part.
        least = _SIEVE * self._least
        free = (each for each in near if each > number and each not in self._taken)
        worth = [each for each in free if near[each] >= least * min(piece.text.size, self._pieces[each].text.size)]
        return [*copies, *nsmallest(_LOOKED_AT, set(worth).difference(copies), key=lambda each: (-near[each], each))]

    def _may_join(self, kept: _Piece, other: _Piece) -> bool:
        if shared(kept.text, other.text) < self._least or self._were_refused(kept, other):
            return False
        more, less = beyond(other.text, kept.text), beyond(kept.text, other.text)
        if at_odds(more, less) or not _titles_allow(kept, other) or not _facts_allow(kept.memory, other.memory):
            return False
        # What a stranger says must not come to stand in the name of somebody who is trusted.
        return not more or other.trust >= kept.trust

    def _were_refused(self, one: _Piece, other: _Piece) -> bool:
        return any(one.memory.uid in each and other.memory.uid in each for each in self._refused)


def _titles_allow(one: _Piece, other: _Piece) -> bool:
    """Whether titles do not tell them apart: a text may say nothing about whom it speaks of."""
    if one.title == other.title:
        return True
    return (not one.title and other.title <= one.text.vocabulary) or (
        not other.title and one.title <= other.text.vocabulary
    )


def _facts_allow(one: Memory, other: Memory) -> bool:
    if one.resource and other.resource and one.resource != other.resource:
        return False
    if one.claim is None or other.claim is None:
        return True
    if claim_key(one.claim.key) != claim_key(other.claim.key):
        return False
    mine, theirs = (
        claim_value(each.claim.value, key=each.claim.key, today=each.recorded_at.date())
        for each in (one, other)
        if each.claim is not None
    )
    return mine.agrees(theirs)


# -- proposals ---------------------------------------------------------------------------------------------------


def _proposal(held: Holdings, cluster: _Merge) -> Proposal:
    kept, others = cluster.kept.located, [piece.located for piece, _ in cluster.others]
    said = [each.text for _, more in cluster.others for each in more]
    count = "one memory" if len(others) == 1 else f"{len(others)} memories"
    say = "says" if len(others) == 1 else "say"
    besides = f"What {'it says' if len(others) == 1 else 'they say'} besides is added: “{cut(' '.join(said), _TOLD)}” "
    return Proposal(
        id=held.proposal_id(Aim.MERGE, kept.memory.id),
        aim=Aim.MERGE,
        title=f"Let {kept.memory.id} take the place of {count} that {say} the same",
        why=f"{kept.memory.id} says {'nearly all' if said else 'all'} of what {_names(others)} {say}. "
        f"{besides if said else ''}Kept is the one with most authority, then the newest.",
        made_at=held.now,
        made_by=MADE_BY,
        evidence=evidence_of(each.memory for each in (kept, *others)),
        steps=(
            Step(after=_kept(held, kept.memory, cluster), before=kept.memory, revision=kept.revision),
            *(
                Step(after=_replaced(held, each.memory, kept.memory), before=each.memory, revision=each.revision)
                for each in others
            ),
        ),
    )


def _names(others: Sequence[Located]) -> str:
    first = ", ".join(each.memory.id for each in others[:3])
    return first if len(others) <= 3 else f"{first} and {len(others) - 3} more"  # noqa: PLR2004 - told by name


def _kept(held: Holdings, kept: Memory, cluster: _Merge) -> Memory:
    memories = [kept, *(piece.memory for piece, _ in cluster.others)]
    said = [each.text for each in _each_once(each for _, more in cluster.others for each in more)]
    tags = dict.fromkeys(tag for memory in memories for tag in memory.tags)
    return kept.changed(
        held.now,
        body="\n\n".join(filter(None, (kept.body.rstrip(), "\n".join(said)))) if said else kept.body,
        tags=tuple(tags)[: max(held.bundle.policy.limits.tags, len(kept.tags))],
        resource=_first(memory.resource for memory in memories),
        description=_first(memory.description for memory in memories),
        claim=next((memory.claim for memory in memories if memory.claim is not None), None),
        salience=max(memory.salience for memory in memories),
        privacy=max((memory.privacy for memory in memories), key=list(Privacy).index),
        supersedes=tuple(dict.fromkeys((*kept.supersedes, *(memory.id for memory in memories[1:])))),
    )


def _first(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")


def _each_once(said: Iterable[Said]) -> list[Said]:
    return list({each.words: each for each in said}.values())


def _replaced(held: Holdings, memory: Memory, kept: Memory) -> Memory:
    by = tuple(dict.fromkeys((*memory.superseded_by, kept.id)))
    return memory.changed(held.now, state=State.SUPERSEDED, superseded_by=by)
