"""Weighing claims: grouped by key and by what their values mean, with what speaks for each value and against it.

`domain/support.py` has the numbers; docs/explanation/trust-replay.md says what counts and why.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from mnemic.domain.claims import claim_key, normal_claim, overlap
from mnemic.domain.instants import local
from mnemic.domain.kinds import kind_key
from mnemic.domain.memory import Memory, State
from mnemic.domain.support import best_witness, value_of, weigh
from mnemic.services.judging.contradict import SENSITIVE
from mnemic.services.reviewing.holdings import may_be_told
from mnemic.text.claim_values import claim_value
from mnemic.text.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from mnemic.domain.documents import Located
    from mnemic.domain.proposals import Support
    from mnemic.services.reviewing.holdings import Holdings
    from mnemic.text.claim_values import ClaimValue

MOST_VALUES: Final = 50
"""So many differently written values of one key are compared by what they mean; further ones by their words."""
MOST_CONFLICTS: Final = 20
"""So many other values are told."""
_COUNTS: Final = frozenset({State.ACTIVE, State.QUARANTINED, State.SUPERSEDED})


class Whose(NamedTuple):
    """Whom a claim is about; empty stands for anybody."""

    user: str
    agent: str
    project: str

    def meets(self, other: Whose) -> bool:
        """Whether both may be about the same somebody."""
        return all(mine == theirs or not mine or not theirs for mine, theirs in zip(self, other, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A claim and what speaks for it: the memories that claim it, oldest first; those that proved wrong.

    `written` are the ways in which its value is written, `witness` the memory whose words stand for all, `standing` the
    belief that says it already.
    """

    support: Support
    whose: Whose
    written: frozenset[str]
    memories: tuple[Memory, ...]
    against: tuple[Memory, ...]
    witness: Memory
    standing: Located | None


def weighed_claims(held: Holdings) -> Iterator[Weighed]:
    """Every claim whose key more than one memory has a value for, weighed. Sensitive ones only conflict."""
    by_key: dict[str, list[Located]] = defaultdict(list)
    for each in held.located:
        if each.memory.claim is not None and each.memory.state in _COUNTS:
            by_key[claim_key(each.memory.claim.key)].append(each)
    for key, members in sorted(by_key.items()):
        if sum(each.memory.state is not State.SUPERSEDED for each in members) > 1:
            yield from _Key(held, key, members).weighed()


class _Key:
    """All memories that claim something for one key."""

    def __init__(self, held: Holdings, key: str, members: Sequence[Located]) -> None:
        self._held = held
        self._key = key
        self._by_text: dict[str, list[Located]] = defaultdict(list)
        for each in members:
            self._by_text[normal_claim(value_of(each.memory))].append(each)
        # The most frequent ones are the ones that may be promoted.
        frequent = sorted(self._by_text, key=lambda text: (-len(self._by_text[text]), text))[:MOST_VALUES]
        self._read = {text: self._reading(self._by_text[text][0].memory) for text in frequent}
        self._standing = {text: _standing(self._by_text[text]) for text in sorted(self._by_text)}

    def weighed(self) -> Iterator[Weighed]:
        for texts in self._values():
            by_scope: dict[Whose, list[Located]] = defaultdict(list)
            for text in texts:
                for each in self._by_text[text]:
                    by_scope[whose_of(each.memory)].append(each)
            for whose in sorted(by_scope):
                if (found := self._weighed(texts, whose, by_scope[whose])) is not None:
                    yield found

    def _weighed(self, texts: frozenset[str], whose: Whose, members: Sequence[Located]) -> Weighed | None:
        claiming = [each for each in members if self._claims_now(each.memory)]
        ordered = sorted((each.memory for each in claiming), key=lambda memory: (memory.recorded_at, memory.id))
        supports = [memory for memory in ordered if kind_key(memory.kind) != "belief" and may_be_told(memory)]
        failed = [memory for memory in supports if memory.id in self._held.failed]
        counted = [memory for memory in supports if memory.id not in self._held.failed]
        if not counted:
            return None
        corrected = [each.memory for each in members if self._was_corrected(each.memory, texts)]
        against = (*failed, *corrected)
        lasting = [memory for memory in counted if self._means_the_same_later(memory)]
        support = weigh(
            self._key,
            counted,
            against=against,
            conflicting=tuple(islice(self._conflicting(texts, whose, counted), MOST_CONFLICTS)),
            wording=lasting,
            rules=self._held.bundle.policy.replay,
        )
        return Weighed(
            support=support,
            whose=whose,
            written=texts,
            memories=tuple(counted),
            against=against,
            witness=best_witness(lasting or counted),
            standing=next((each for each in claiming if kind_key(each.memory.kind) == "belief"), None),
        )

    def _claims_now(self, memory: Memory) -> bool:
        return memory.state is State.ACTIVE and memory.is_valid_at(self._held.now)

    def _values(self) -> list[frozenset[str]]:
        """The texts, those together that mean the same, each with each; of texts that were not read, each by itself."""
        groups: list[list[str]] = []
        for text in self._read:
            home = next((group for group in groups if all(self._agree(text, other) for other in group)), None)
            if home is None:
                groups.append([text])
            else:
                home.append(text)
        unread = ([text] for text in sorted(self._by_text) if text not in self._read)
        return [frozenset(group) for group in (*groups, *unread)]

    def _conflicting(self, texts: frozenset[str], whose: Whose, supports: Sequence[Memory]) -> Iterator[str]:
        """Other values, active or held back, that somebody gives for a time at which a support holds."""
        begins, ends = [each.valid_from for each in supports], [each.valid_until for each in supports]
        # All of them hold now, so together they hold for one span of time.
        span = replace(
            supports[0],
            valid_from=None if None in begins else min(filter(None, begins)),
            valid_until=None if None in ends else max(filter(None, ends)),
        )
        for text, others in self._standing.items():
            if text in texts or all(self._agree(text, own) for own in texts):
                continue
            against = (other for other in others if whose.meets(whose_of(other)) and overlap(span, other))
            if (other := next(against, None)) is not None:
                yield value_of(other) if may_be_told(other) else SENSITIVE

    def _was_corrected(self, memory: Memory, texts: frozenset[str]) -> bool:
        """Whether what stands in its place now says otherwise, or is a correction without a value of its own."""
        if memory.state is not State.SUPERSEDED:
            return False
        return any(self._corrects(each, texts) for each in self._held.successors(memory))

    def _corrects(self, successor: Memory, texts: frozenset[str]) -> bool:
        if successor.claim is None or claim_key(successor.claim.key) != self._key:
            return kind_key(successor.kind) == "correction"
        return normal_claim(value_of(successor)) not in texts

    def _agree(self, one: str, other: str) -> bool:
        if one not in self._read or other not in self._read:
            return one == other
        return self._read[one].agrees(self._read[other])

    def _means_the_same_later(self, memory: Memory) -> bool:
        """Whether its value, read today, is what it was on the day it was told: `tomorrow` is not."""
        then = self._read.get(normal_claim(value_of(memory)))
        if then is None or not (then.days or then.moments):
            return True
        now = self._reading(memory, self._held.now)
        then = self._reading(memory)
        return (now.days, now.moments) == (then.days, then.moments)

    def _reading(self, memory: Memory, told_at: datetime | None = None) -> ClaimValue:
        claim = memory.claim
        assert claim is not None, "grouped by it"
        moment = told_at or memory.recorded_at
        today = local(moment, self._held.bundle.zone).date()
        language = language_of(f"{memory.body} {claim.key}")
        return claim_value(claim.value, key=claim.key, language=language, today=today)


def _standing(members: Sequence[Located]) -> tuple[Memory, ...]:
    """Of those that stand against other values, one for each time and each somebody that it is about."""
    standing = (each.memory for each in members if each.memory.state is not State.SUPERSEDED)
    return tuple({(whose_of(each), each.valid_from, each.valid_until): each for each in standing}.values())


def whose_of(memory: Memory) -> Whose:
    """Whom a memory is about."""
    return Whose(memory.scope.user, memory.scope.agent, memory.scope.project)
