"""Everything that is known of one memory's past: its versions, what was done to it, what it replaced, what replaced it.

Of a memory whose document is gone, or had another name, the vault still tells; without history its document alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.differences import changes
from mnemic.domain.ids import collision_key, memory_id
from mnemic.domain.sealing import is_hidden, is_sealed, stub_of, veiled
from mnemic.domain.versions import PastVersion, from_bytes
from mnemic.errors import (
    LedgerError,
    MemoryNotFoundError,
    NotFoundError,
    SealedContentLostError,
    StorageError,
    VaultDamagedError,
    VaultError,
    VersionNotFoundError,
)
from mnemic.services.chronicle.past import NOW, then
from mnemic.services.chronicle.revive import as_it_was
from mnemic.services.upkeep.refresh import refresh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from mnemic.domain.differences import FieldChange
    from mnemic.domain.documents import Located
    from mnemic.domain.ids import MemoryId
    from mnemic.domain.ledger import Deed
    from mnemic.domain.memory import Memory, State
    from mnemic.services.bundle import Bundle, History


class Link(NamedTuple):
    """A memory in a chain of supersession; of one that is not there any more only what it was called is sure."""

    id: str
    title: str = ""
    state: State | None = None
    recorded_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One version, and what was different from the one before it."""

    version: PastVersion
    changes: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A memory's past, oldest first.

    Attributes:
        id: What it is called, or was called last.
        uid: What it is.
        versions: Every one that is kept, the present one last; taken away by hand is one, too.
        supersedes: What it replaced, what that replaced, and so on: nearest first.
        superseded_by: The same in the other direction.
        notes: What cannot be told, in words.
        bundle: Its bundle's name in references; empty for the first.
    """

    id: str
    uid: str
    versions: tuple[Told, ...]
    supersedes: tuple[Link, ...] = ()
    superseded_by: tuple[Link, ...] = ()
    notes: tuple[str, ...] = ()
    bundle: str = ""

    @property
    def last(self) -> Memory:
        """What it says, or said before it was taken away."""
        return next(told.version.memory for told in reversed(self.versions) if told.version.memory is not None)


def history(bundle: Bundle, given: str) -> Story:
    """The past of a memory.

    Args:
        bundle: Where it is or was.
        given: Its id, or one that it once had.

    Raises:
        MemoryNotFoundError: Nothing that is kept was ever called so.
    """
    refresh(bundle)
    archive = _Archive(bundle)
    uid, present = archive.find(given)
    versions = tuple(_with_changes(archive.versions(uid, present)))
    last = next(told.version.memory for told in reversed(versions) if told.version.memory is not None)
    return Story(
        id=last.id,
        uid=uid,
        versions=versions,
        supersedes=tuple(_chain(last, lambda memory: memory.supersedes, archive)),
        superseded_by=tuple(_chain(last, lambda memory: memory.superseded_by, archive)),
        notes=tuple(dict.fromkeys(archive.notes)),
    )


def uid_of(bundle: Bundle, given: str) -> str:
    """What a memory is that is called so, or was.

    Raises:
        MemoryNotFoundError: Nothing that is kept was ever called so.
    """
    return _Archive(bundle).find(given)[0]


def revealed(bundle: Bundle, story: Story, number: int) -> Memory:
    """What one of the versions of a story says, also of a sensitive memory, of which the story itself tells nothing.

    Raises:
        VersionNotFoundError: There is none of this number, or it tells that the memory was taken away.
        VaultLockedError, VaultDamagedError, SealedContentLostError: It cannot be read.
    """
    told = next((told.version.memory for told in story.versions if told.version.number == number), None)
    if told is not None and not is_hidden(told):
        return told
    history = bundle.past()
    if history is None:
        raise SealedContentLostError(story.id)
    try:
        memory = from_bytes(history.vault.get(story.uid, number))
    except ValueError as error:
        raise VaultDamagedError(story.id, str(error)) from error
    if memory is None:
        raise VersionNotFoundError(story.id, number)
    return memory


def as_known(bundle: Bundle, given: str, moment: datetime) -> tuple[Located, tuple[str, ...]]:
    """A memory as it was known at a moment, and what cannot be told of it.

    Args:
        bundle: Where it is or was.
        given: Its id, then or at any other time.
        moment: Where it has not passed, the present answers.

    Raises:
        MemoryNotFoundError: None was known by this name.
    """
    refresh(bundle)
    difference = then(bundle, moment)
    if difference is NOW:
        return bundle.store.find(given), ()
    wanted = collision_key(memory_id(given))
    for memory in difference.earlier.values():
        if collision_key(memory.id) == wanted:
            return as_it_was(memory), _missing(memory, difference.unkept)
    try:
        uid = uid_of(bundle, given)
        if uid in difference.earlier:  # it had another name then
            memory = difference.earlier[uid]
            return as_it_was(memory), _missing(memory, difference.unkept)
        located = bundle.store.find(given)
    except MemoryNotFoundError:
        raise MemoryNotFoundError(given, then=True) from None
    if uid in difference.differing or located.memory.recorded_at > moment:
        raise MemoryNotFoundError(given, then=True)
    return located, _missing(located.memory, difference.unkept)


def _missing(memory: Memory, unkept: frozenset[str]) -> tuple[str, ...]:
    if memory.uid not in unkept:
        return ()
    return ("this is the oldest text that is kept: what was said before is not known",)


def _with_changes(versions: Sequence[PastVersion]) -> Iterator[Told]:
    before: Memory | None = None
    for version in versions:
        now = version.memory
        yield Told(version=version, changes=changes(before, now) if before is not None and now is not None else ())
        before = now or before


def _chain(last: Memory, onward: Callable[[Memory], tuple[MemoryId, ...]], archive: _Archive) -> Iterator[Link]:
    """What is reached by walking on, each once, nearest first: people can write circles."""
    seen = {last.id}
    waiting = [*onward(last)]
    while waiting:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        memory = archive.called(name)
        if memory is None:
            yield Link(name)
            continue
        yield Link(memory.id, memory.title, memory.state, memory.recorded_at)
        waiting += onward(memory)


class _Archive:
    """What documents, vault and ledger of a bundle tell; what cannot be read is noted."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._history: History | None = bundle.past()
        self.notes: list[str] = []
        if self._history is None:
            self.notes.append("no history is kept here: this is what the document tells")
        elif self._history.owed:
            self.notes.append("the history does not have the last changes yet")
        self._names: dict[str, str] | None = None

    def find(self, given: str) -> tuple[str, Memory | None]:
        """What a memory is that is called so, else was called so last; and as it stands in its document, if it does."""
        try:
            memory = self._bundle.store.find(given).memory
        except MemoryNotFoundError:
            uid = self._former().get(collision_key(memory_id(given)))
            if uid is None:
                raise
            return uid, self._renamed(uid)
        return memory.uid, memory

    def versions(self, uid: str, present: Memory | None) -> list[PastVersion]:
        """The kept versions; what the document says where it is not among them."""
        found = list(self._kept(uid, self._deeds(uid)))
        last = found[-1].memory if found else None
        if present is not None and not is_sealed(present) and (last is None or changes(last, present)):
            found.append(PastVersion(number=len(found) + 1, at=present.changed_at, memory=present))
        if not any(version.memory for version in found) and present is not None:
            found.append(PastVersion(number=len(found) + 1, at=present.changed_at, memory=present))
        told = [memory for memory in (present, *(version.memory for version in reversed(found))) if memory is not None]
        if any(map(is_hidden, told)):
            self.notes.append(
                f"what a sensitive memory says is not shown here: mnemic show {told[0].id} --reveal; "
                f"what it said earlier: mnemic history {told[0].id} --version N --reveal"
            )
            found = [replace(one, memory=one.memory and stub_of(one.memory, 0)) for one in found]
        return found

    def called(self, name: str) -> Memory | None:
        """The memory of an id; of one that is gone what it said last."""
        try:
            return self._bundle.store.find(name).memory
        except (NotFoundError, StorageError):
            uid = self._former().get(collision_key(name))
            last = self._last(uid) if uid else None
            return last and veiled(last)

    def _renamed(self, uid: str) -> Memory | None:
        """A memory in its document, by what it was called last."""
        last = self._last(uid)
        try:
            present = self._bundle.store.find(last.id).memory if last else None
        except (NotFoundError, StorageError):
            return None
        return present if present is not None and present.uid == uid else None

    def _last(self, uid: str) -> Memory | None:
        return next((version.memory for version in reversed([*self._kept(uid, {})]) if version.memory), None)

    def _kept(self, uid: str, deeds: Mapping[int, Deed]) -> Iterator[PastVersion]:
        if self._history is None:
            return
        try:
            for number, at in self._history.vault.versions(uid):
                memory = from_bytes(self._history.vault.get(uid, number))
                yield PastVersion(number=number, at=at, memory=memory, deed=deeds.get(number))
        except (VaultError, NotFoundError, ValueError) as error:
            self.notes.append(f"what was said before cannot be read: {error}")

    def _deeds(self, uid: str) -> dict[int, Deed]:
        if self._history is None:
            return {}
        try:
            return {event.act.version: event.act.deed for event in self._history.ledger.events(uid=uid)}
        except LedgerError as error:
            self.notes.append(f"what was done to it cannot be read: {error.message}")
            return {}

    def _former(self) -> dict[str, str]:
        """Whom a name belonged to last, of all names that memories ever had; of a sensitive one its last alone."""
        if self._names is None:
            self._names = {}
            latest: dict[str, datetime] = {}
            for uid in self._history.vault.standing() if self._history is not None else ():
                kept = [version for version in self._kept(uid, {}) if version.memory is not None]
                hidden = bool(kept) and kept[-1].memory is not None and is_hidden(kept[-1].memory)
                for version in kept[-1:] if hidden else kept:
                    name = collision_key(version.memory.id) if version.memory else ""
                    if name and (name not in latest or latest[name] <= version.at):
                        latest[name], self._names[name] = version.at, uid
        return self._names
