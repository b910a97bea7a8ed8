"""What was known at a moment: the present, less what was different then, and that as it was.

Most memories did not change since, so that the index of the present answers for them. What the others said is taken
from the vault, and searched apart (`revive.py`).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.entries import Source, Where
from mnemic.domain.memory import Privacy, State
from mnemic.domain.versions import from_bytes
from mnemic.errors import NotFoundError, StorageError, VaultError, VaultLockedError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle, History

_ALL = 1_000_000
_MEMORIES = Where(sources=(Source.MEMORY,), states=())


class Then(NamedTuple):
    """How a bundle's memories at a moment differ from those of the present.

    Attributes:
        differing: Uids of those for which the present does not answer.
        earlier: As they were then, by uid; who differs and is not among them was not there.
        unborn: Uids of those whose only text was told later, as the present itself says of them.
        unkept: Uids of those that are told by their oldest text, since what they said before is not kept.
        notes: What else could not be told, in words.
    """

    differing: frozenset[str] = frozenset()
    earlier: Mapping[str, Memory] = MappingProxyType({})
    unborn: frozenset[str] = frozenset()
    unkept: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()

    def told(self) -> tuple[str, ...]:
        """What whoever is answered must know, in words."""
        if not self.unkept:
            return self.notes
        some = "1 memory is" if len(self.unkept) == 1 else f"{len(self.unkept):,} memories are"
        return (*self.notes, f"{some} told by the oldest text that is kept: what was said before is not known")


NOW = Then()
"""Nothing differs: the moment has not passed."""


def then(bundle: Bundle, moment: datetime) -> Then:
    """How a bundle's memories at `moment` differ from now. Its index must be up to date.

    A memory was known from the moment on that it names itself (`recorded_at`), and said what its newest version of
    that time says. Where there is none, since it was brought in later or no history is kept, its oldest text stands
    for it; it was active if whatever superseded it came later.
    """
    if moment >= bundle.clock.now():
        return NOW
    found = _Found(bundle, moment)
    history = bundle.past()
    if history is not None:
        found.compare(history, goes_on=bundle.history() is not None)
    if history is None or found.is_partial:
        found.by_documents()
    return found.then()


class _Found:
    """What is being found out about the memories of one moment."""

    def __init__(self, bundle: Bundle, moment: datetime) -> None:
        self._bundle, self._moment = bundle, moment
        self._differing: set[str] = set()
        self._earlier: dict[str, Memory] = {}
        self._unborn: set[str] = set()
        self._unkept: set[str] = set()
        self._notes: list[str] = []
        self._history: History | None = None
        self.is_partial = False
        """Whether the history does not tell of every memory."""

    def then(self) -> Then:
        return Then(
            differing=frozenset(self._differing),
            earlier=self._earlier,
            unborn=frozenset(self._unborn),
            unkept=frozenset(self._unkept),
            notes=tuple(self._notes),
        )

    def compare(self, history: History, *, goes_on: bool) -> None:
        """By the kept versions; `goes_on`: they are still being kept."""
        if not goes_on:
            self.is_partial = True
        elif history.owed:
            self._lacks("the history does not have the last changes yet")
        try:
            changed = history.vault.changed_since(self._moment)
        except VaultError as error:
            self._lacks(f"what memories said before cannot be read: {error.message}")
            return
        self._history = history
        for uid, (number, newest) in changed.items():
            try:
                self._take(history, uid, number, newest)
            except VaultLockedError as error:
                self._lacks(f"what memories said before cannot be read: {error.message}")
                return
            except VaultError as error:
                self._lacks(f"what some memories said before cannot be read: {error.message}")

    def _lacks(self, note: str) -> None:
        self.is_partial = True
        if note not in self._notes:
            self._notes.append(note)

    def _take(self, history: History, uid: str, number: int | None, newest: int) -> None:
        memory = _version(history, uid, number or 1)
        told = memory is not None and memory.recorded_at <= self._moment
        if memory is not None and number is None and newest == 1 and not (told and self._was_active(memory)):
            # The only text there is: the present answers, as far as it was told by then.
            (self._unkept if told else self._unborn).add(uid)
            return
        hidden = memory is None or not told or _is_secret(history, uid, memory, newest)
        self._differing.add(uid)
        if memory is None or hidden:
            return
        if number is None:
            self._unkept.add(uid)
            memory = self._restored(memory)
        self._earlier[uid] = memory

    def by_documents(self) -> None:
        """By what the documents tell of themselves, for those of which nothing was found out otherwise."""
        told = replace(_MEMORIES, as_of=self._moment, without=frozenset(self._differing))
        with self._bundle.index.reading() as index:
            changed = index.entries(index.by_prior(replace(told, changed_after=self._moment), _ALL))
            superseded = index.entries(index.by_prior(replace(told, states=(State.SUPERSEDED,)), _ALL))
        for entry in changed.values():
            self._take_kept(entry.uid)
        for entry in superseded.values():
            if entry.uid in self._differing:
                continue
            try:
                memory = self._bundle.store.find(entry.id).memory
            except (NotFoundError, StorageError):
                continue
            if self._was_active(memory) and memory.privacy is not Privacy.SENSITIVE:
                self._differing.add(memory.uid)
                self._earlier[memory.uid] = self._restored(memory)

    def _take_kept(self, uid: str) -> None:
        """Of a memory that changed since, and was not kept then: its version of before, where there is one."""
        memory = None
        if self._history is not None:
            with suppress(VaultError):
                numbers = [number for number, at in self._history.vault.versions(uid) if at <= self._moment]
                memory = _version(self._history, uid, numbers[-1]) if numbers else None
        if memory is None:
            self._unkept.add(uid)
            return
        self._differing.add(uid)
        if memory.privacy is not Privacy.SENSITIVE:
            self._earlier[uid] = memory

    def _restored(self, memory: Memory) -> Memory:
        return replace(memory, state=State.ACTIVE, superseded_by=()) if self._was_active(memory) else memory

    def _was_active(self, memory: Memory) -> bool:
        """Whether a memory that is superseded was not yet: all that replaced it was told later."""
        if memory.state is not State.SUPERSEDED or not memory.superseded_by:
            return False
        with self._bundle.index.reading() as index:
            rows = index.find(memory.superseded_by)
            entries = index.entries([*rows.values()])
        later = self._moment.timestamp()
        return len(rows) == len(set(memory.superseded_by)) and all(
            entry.recorded_at > later for entry in entries.values()
        )


def _version(history: History, uid: str, number: int) -> Memory | None:
    try:
        return from_bytes(history.vault.get(uid, number))
    except (NotFoundError, ValueError):  # forgotten a moment ago, or of a form that we do not know
        return None


def _is_secret(history: History, uid: str, memory: Memory, newest: int) -> bool:
    """Whether it was sensitive then, or is now."""
    if memory.privacy is Privacy.SENSITIVE:
        return True
    last = _version(history, uid, newest) or _version(history, uid, max(newest - 1, 1))
    return last is not None and last.privacy is Privacy.SENSITIVE
