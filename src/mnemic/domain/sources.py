"""Which memories have one source: what was told on one occasion, at one place, or by a model that repeats, counts once.

Two statements support each other only where neither was made from the other. That cannot be known; what can be seen is
whether they come from the same session, the same place or the same words, or from one writer within a day. What a model
wrote down may always be something it was told, or had read in this very memory: beside other sources it is none.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from mnemic.domain.ids import SESSION_PREFIX, parse_turn_id
from mnemic.domain.provenance import Origin
from mnemic.domain.revision import normal_body

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import timedelta

    from mnemic.domain.memory import Memory

DERIVED_FROM: Final = "derived_from"
"""Front-matter key under which the memories stand that this one was made from."""
_TELLING: Final = 40
"""Characters from which the very same words are a copy, not a coincidence."""


def independent_sources(memories: Sequence[Memory], *, within: timedelta) -> tuple[tuple[Memory, ...], ...]:
    """The memories, those of one source together; each group is one source.

    Args:
        memories: What they say is not looked at, only where they come from.
        within: What one writer (actor and origin) told within so long is one source, where no session and no place
            tells two occasions apart.

    Returns:
        Groups in the order of their first memory. Memories of models that share nothing with another source are left
        out where there is any; where there is none, they are one group.
    """
    joined = _Joined(len(memories))
    told: dict[tuple[str, str], int] = {}
    for number, memory in enumerate(memories):
        for mark in _marks(memory):
            joined.join(told.setdefault(mark, number), number)
    for one, other in _told_together(memories, within):
        joined.join(one, other)
    groups: dict[int, list[Memory]] = defaultdict(list)
    for number, memory in enumerate(memories):
        groups[joined.first(number)].append(memory)
    own = [tuple(group) for group in groups.values() if any(not is_repeated(memory) for memory in group)]
    repeated = tuple(memory for memory in memories if is_repeated(memory))
    return tuple(own) or ((repeated,) if repeated else ())


def is_repeated(memory: Memory) -> bool:
    """Whether it is a model's word that nobody has checked: it may repeat what the model was told."""
    source = memory.provenance
    return source.origin is Origin.MODEL and not source.verified


def place_of(locator: str) -> str:
    """The place that a locator stands for: of a web address its host, of a file or a message the name without a part.

    Two pages of one site, and two lines of one file, have one author more often than not.
    """
    text = locator.strip()
    if "://" in text:
        try:
            host = urlsplit(text).hostname
        except ValueError:
            host = None
        if host:
            return host.removeprefix("www.")
    name = text.partition("#")[0]
    while True:  # `file:notes/plan.md:10-14`
        head, colon, tail = name.rpartition(":")
        if not (colon and head and tail and set(tail) <= set("0123456789-")):
            return name.casefold()
        name = head


def _marks(memory: Memory) -> Iterator[tuple[str, str]]:
    """What tells a source: memories that share one of these have the same."""
    source = memory.provenance
    yield "memory", memory.uid
    yield "memory", memory.id
    if source.session:
        yield "session", source.session
    if reference := parse_turn_id(source.locator.strip()):
        yield "session", reference[0]
    elif source.locator.strip():
        place = place_of(source.locator)
        yield "place", place
        yield "memory", place.removesuffix(".md")  # what was taken from another memory of these
    derived = memory.extra.get(DERIVED_FROM)
    for name in derived if isinstance(derived, list) else (derived,):
        if isinstance(name, str):
            yield "memory", name.removesuffix(".md")
    if source.sha256:
        yield "text", source.sha256
    if len(body := normal_body(memory.body)) >= _TELLING:
        yield "words", body


def _told_together(memories: Sequence[Memory], within: timedelta) -> Iterator[tuple[int, int]]:
    """Pairs that one writer told within so long, of which one at least names neither session nor place."""
    writers: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, memory in enumerate(memories):
        writers[(memory.provenance.origin or "", memory.provenance.actor)].append(number)
    for numbers in writers.values():
        for span in _spans(memories, numbers, within):
            placeless = [number for number in span if not _names_occasion(memories[number])]
            if placeless:
                yield from ((placeless[0], number) for number in span)


def _spans(memories: Sequence[Memory], numbers: Iterable[int], within: timedelta) -> Iterator[list[int]]:
    """The numbers by time, cut where one was told longer than `within` after the first of its span."""
    span: list[int] = []
    for number in sorted(numbers, key=lambda each: (memories[each].recorded_at, memories[each].id)):
        if span and memories[number].recorded_at - memories[span[0]].recorded_at > within:
            yield span
            span = []
        span.append(number)
    if span:
        yield span


def _names_occasion(memory: Memory) -> bool:
    source = memory.provenance
    return bool(source.session or source.locator.strip().removeprefix(SESSION_PREFIX))


class _Joined:
    """Numbers that belong together (union by the smallest, with path halving)."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def first(self, number: int) -> int:
        """The smallest number that it belongs together with."""
        while self._parent[number] != number:
            self._parent[number] = self._parent[self._parent[number]]
            number = self._parent[number]
        return number

    def join(self, one: int, other: int) -> None:
        """They belong together."""
        small, great = sorted((self.first(one), self.first(other)))
        self._parent[great] = small
