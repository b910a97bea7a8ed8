"""What changed in what is believed between two moments."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.differences import Difference, Happened, changes, happened
from mnemic.domain.memory import Privacy
from mnemic.domain.versions import from_bytes
from mnemic.errors import InvalidMemoryError, NotFoundError, StorageError, VaultError
from mnemic.services.chronicle.history import uid_of
from mnemic.services.chronicle.past import NOW, then
from mnemic.services.upkeep.refresh import refresh

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle
    from mnemic.services.chronicle.past import Then


class Believed(NamedTuple):
    """What is different, and in words what could not be told."""

    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()


def diff(bundle: Bundle, since: datetime, until: datetime, *, name: str = "", given: str = "") -> Believed:
    """What changed between two moments, by id.

    Args:
        bundle: Whose memories.
        since: The earlier moment.
        until: The later one.
        name: The bundle's in references; empty for the first.
        given: The id of the one memory that is meant; all when left out.

    Raises:
        InvalidMemoryError: `since` is later than `until`.
        MemoryNotFoundError: Nothing was ever called as `given`.
    """
    if since > until:
        raise InvalidMemoryError("from", "it is later than the end", hint="Give the earlier moment first.")
    refresh(bundle)
    present = _Present(bundle)
    before, after = then(bundle, since), then(bundle, until)
    uids = {uid_of(bundle, given)} if given else present.uids(before, after)
    found = [
        difference
        for uid in uids
        if (
            difference := _difference(
                name,
                _known(uid, before, since, present),
                _known(uid, after, until, present),
                unkept=uid in before.unkept,
                until=until,
                since=since,
            )
        )
    ]
    found.sort(key=lambda one: (one.memory.id, one.memory.uid))
    return Believed(tuple(found), tuple(dict.fromkeys((*before.told(), *after.told()))))


def _known(uid: str, difference: Then, moment: datetime, present: _Present) -> Memory | None:
    if uid in difference.differing:
        return difference.earlier.get(uid)
    if uid in difference.unborn:
        return None
    memory = present.of(uid)
    return memory if memory is not None and (difference is NOW or memory.recorded_at <= moment) else None


def _difference(  # noqa: PLR0913 - two states, and what is known of them
    name: str, before: Memory | None, after: Memory | None, *, unkept: bool, since: datetime, until: datetime
) -> Difference | None:
    if any(memory is not None and memory.privacy is Privacy.SENSITIVE for memory in (before, after)):
        return None
    what = happened(before, after)
    # Its own word that it changed is all there is where no earlier text is kept.
    if what is None and after is not None and unkept and since < after.changed_at <= until:
        what = Happened.CHANGED
    told = after or before
    if what is None or told is None:
        return None
    fields = changes(before, after) if before is not None and after is not None else ()
    return Difference(bundle=name, memory=told, happened=what, changes=fields)


class _Present:
    """The memories as they are, by uid: from the vault, which need not be looked through; else from all documents."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._history = bundle.past()
        self._documents: dict[str, Memory] | None = None
        self._standing: dict[str, int] = {}
        if self._history is not None and bundle.history() is not None and not self._history.owed:
            try:
                self._standing = self._history.vault.standing()
            except VaultError:
                self._history = None

    def uids(self, *differences: Then) -> set[str]:
        """Of all that may be different at one moment from what it is at another."""
        found = {uid for one in differences for uid in (*one.differing, *one.unborn, *one.unkept)}
        return found if self._standing else found | set(self._read())

    def of(self, uid: str) -> Memory | None:
        if uid in self._standing and self._history is not None:
            try:
                return from_bytes(self._history.vault.get(uid, self._standing[uid]))
            except (VaultError, NotFoundError, ValueError):
                pass
        return self._read().get(uid)

    def _read(self) -> dict[str, Memory]:
        if self._documents is None:
            self._documents = {memory.uid: memory for memory in self._every()}
        return self._documents

    def _every(self) -> Iterator[Memory]:
        for stamp in self._bundle.store.stamps():
            try:
                for located in self._bundle.store.read(stamp.path).memories:
                    yield located.memory
            except (NotFoundError, StorageError):
                continue
