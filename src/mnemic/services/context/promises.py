"""Commitments and their time: what is owed now, soon, later, on an event; and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from mnemic.domain.entries import Source, Where
from mnemic.domain.ids import reference
from mnemic.domain.kinds import kind_key
from mnemic.domain.memory import State
from mnemic.errors import InvalidMemoryError, NotFoundError, StorageError
from mnemic.services.bundle import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mnemic.domain.entries import IndexedEntry
    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle

_ALL = 100_000
_KIND = ("commitment",)
_OPEN = (State.ACTIVE,)


class When(StrEnum):
    """Where a promise stands; in the order in which one wants to hear of them."""

    OVERDUE = "overdue"
    SOON = "due soon"
    WAITING = "waiting for an event"
    SNOOZED = "snoozed"
    LATER = "later"
    OPEN = "no date"
    FULFILLED = "fulfilled"
    EXPIRED = "expired"


OPEN_ONES = frozenset({When.OVERDUE, When.SOON, When.WAITING, When.SNOOZED, When.LATER, When.OPEN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """A commitment and where it stands; `bundle` is empty for the first one."""

    bundle: str
    memory: Memory
    when: When

    @property
    def due(self) -> datetime | None:
        """The day it was promised for."""
        return self.memory.due

    @property
    def reference(self) -> str:
        """Its id, with the bundle's name before it in another one than the first."""
        return reference(self.bundle, self.memory.id)


def when_of(memory: Memory, *, now: datetime, within: timedelta) -> When:
    """Where a commitment stands at a moment.

    One that is snoozed keeps still until then, whatever its date; one that waits for an event has no time before the
    event is told. What has stopped to hold (`valid_until`) is expired, not overdue.
    """
    if memory.state is State.FULFILLED:
        return When.FULFILLED
    if memory.valid_until is not None and memory.valid_until <= now:
        return When.EXPIRED
    if memory.snoozed_until is not None and memory.snoozed_until > now:
        return When.SNOOZED
    if memory.due is None:
        return When.WAITING if memory.on_event else When.OPEN
    if memory.due < now:
        return When.OVERDUE
    return When.SOON if memory.due <= now + within else When.LATER


def promises(bundles: Sequence[Bundle], *, now: datetime, within: timedelta, settled: bool = False) -> list[Promise]:
    """Every promise, the most urgent first; with `settled` also those that are fulfilled or expired."""
    states = (*_OPEN, State.FULFILLED) if settled else _OPEN
    found = [
        promise
        for name, bundle in named(bundles)
        for promise in _read(bundle, name, states=states, now=now, within=within)
        if settled or promise.when in OPEN_ONES
    ]
    return _ordered(found)


def due_promises(bundles: Sequence[Bundle], *, now: datetime, within: timedelta) -> list[Promise]:
    """Those that are overdue or due soon, the most urgent first: what an agent is told unasked.

    Before every prompt, so only documents are read whose day, as the index has it, has come near.
    """
    latest = (now + within).timestamp()
    found = [
        promise
        for name, bundle in named(bundles)
        for promise in _read(bundle, name, states=_OPEN, now=now, within=within, latest=latest)
        if promise.when in {When.OVERDUE, When.SOON}
    ]
    return _ordered(found)


def waiting_for(bundle: Bundle, event: str) -> list[Memory]:
    """Active commitments that wait for an event of this name, in any case and spacing.

    Raises:
        InvalidMemoryError: The name is empty.
    """
    wanted = event_key(event)
    if not wanted:
        hint = "Name it as the promise does: mnemic promises fire release"
        raise InvalidMemoryError("event", "it has no name", hint=hint)
    now = bundle.clock.now()
    found = _read(bundle, "", states=_OPEN, now=now, within=timedelta())
    return [one.memory for one in found if one.when in OPEN_ONES and event_key(one.memory.on_event) == wanted]


def fulfilled(memory: Memory) -> dict[str, object]:
    """The fields of a promise that was kept.

    Raises:
        InvalidMemoryError: It is no commitment.
    """
    _check_commitment(memory)
    return {"state": State.FULFILLED, "snoozed_until": None}


def put_off(memory: Memory, until: datetime, *, now: datetime) -> dict[str, object]:
    """The fields of a promise that is not spoken of before `until`.

    Raises:
        InvalidMemoryError: It is no commitment, nothing is owed any more, or `until` has passed.
    """
    _check_commitment(memory)
    if memory.state is not State.ACTIVE:
        raise InvalidMemoryError("status", f"{memory.id} is {memory.state}", hint="Only what is still owed can wait.")
    if until <= now:
        raise InvalidMemoryError("snoozed_until", "this moment has passed", hint="Name a later day.")
    return {"snoozed_until": until}


def event_key(name: str) -> str:
    """How names of events are compared."""
    return " ".join(name.casefold().split())


def _check_commitment(memory: Memory) -> None:
    if kind_key(memory.kind) not in _KIND:
        hint = "Promises are the memories of kind commitment: mnemic promises"
        raise InvalidMemoryError("type", f"{memory.id} is a {memory.kind} and no commitment", hint=hint)


def _ordered(found: Iterable[Promise]) -> list[Promise]:
    order = list(When)
    far = datetime.max.replace(tzinfo=UTC)
    return sorted(found, key=lambda one: (order.index(one.when), one.due or far, one.bundle, one.memory.id))


def _read(  # noqa: PLR0913 - which, and how they are judged
    bundle: Bundle,
    name: str,
    *,
    states: tuple[State, ...],
    now: datetime,
    within: timedelta,
    latest: float | None = None,
) -> Iterator[Promise]:
    with bundle.index.reading() as index:
        entries = index.entries(index.by_prior(Where(sources=(Source.MEMORY,), kinds=_KIND, states=states), _ALL))
    for entry in entries.values():
        if latest is not None and (entry.due is None or entry.due > latest):
            continue
        memory = _memory(bundle, entry)
        if memory is not None:
            yield Promise(bundle=name, memory=memory, when=when_of(memory, now=now, within=within))


def _memory(bundle: Bundle, entry: IndexedEntry) -> Memory | None:
    try:
        return bundle.store.find(entry.id).memory
    except (NotFoundError, StorageError):
        return None  # gone or unreadable since it was indexed: `check` tells
