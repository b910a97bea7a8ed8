"""A `MemoryStore` in memory: the fake for tests of services, and a second reading of the contract."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.domain.changes import Applied
from mnemic.domain.documents import CheckReport, Document, Located, Problem, Stamp
from mnemic.domain.ids import collision_key, id_of_path
from mnemic.domain.ids import memory_id as checked_id
from mnemic.domain.revision import revision
from mnemic.errors import (
    IdTakenError,
    InvalidMemoryError,
    MemoryChangedError,
    MemoryNotFoundError,
    NotFoundError,
    ReadOnlyBundleError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mnemic.domain.changes import ChangeSet
    from mnemic.domain.memory import Memory


@dataclass(frozen=True, slots=True)
class _Kept:
    memory: Memory
    stamp: Stamp


class InMemoryStore:
    """Keeps memories in a dictionary; nothing survives it. One memory a document, at `<id>.md`."""

    def __init__(self, memories: Iterable[Memory] = (), *, read_only: bool = False) -> None:
        self._kept: dict[str, _Kept] = {}
        self._read_only, self._ticks = read_only, 0
        self._lock = threading.Lock()
        for memory in memories:
            self._keep(self._kept, memory)

    @property
    def location(self) -> str:
        """A name that says that there is no place."""
        return "memory"

    @property
    def read_only(self) -> bool:
        """As it was made."""
        return self._read_only

    def stamps(self) -> list[Stamp]:
        """As the port says."""
        return sorted(kept.stamp for kept in self._kept.values())

    def stamp(self, path: str) -> Stamp | None:
        """As the port says."""
        return next((stamp for stamp in self.stamps() if stamp.path == path), None)

    def read(self, path: str) -> Document:
        """As the port says."""
        kept = self._kept.get(collision_key(id_of_path(path)))
        if kept is None or kept.stamp.path != path:
            raise NotFoundError(f"There is no document {path}.")
        located = _located(kept)
        return Document(path=path, sha256=located.revision, memories=(located,))

    def find(self, memory_id: str) -> Located:
        """As the port says."""
        wanted = checked_id(memory_id)
        kept = self._kept.get(collision_key(wanted))
        if kept is None:
            raise MemoryNotFoundError(wanted)
        return _located(kept)

    def apply(self, change: ChangeSet) -> Applied:
        """As the port says."""
        if self._read_only:
            raise ReadOnlyBundleError(self.location)
        with self._lock:
            return self._apply(change)

    def _apply(self, change: ChangeSet) -> Applied:
        kept, written, unchanged = dict(self._kept), [], []
        _refuse_twice([*(put.memory.id for put in change.puts), *(removal.id for removal in change.removals)])
        for put in change.puts:
            found = kept.get(collision_key(put.memory.id))
            if put.expected is None:
                if found is not None:
                    raise IdTakenError(put.memory.id, taken_by=found.stamp.path)
                checked_id(put.memory.id)
            else:
                _expect(put.memory.id, put.expected, found)
                if revision(put.memory) == put.expected and found is not None:
                    unchanged.append(_located(found))
                    continue
            written.append(_located(self._keep(kept, put.memory)))
        for removal in change.removals:
            _expect(removal.id, removal.expected, kept.get(collision_key(removal.id)))
            del kept[collision_key(removal.id)]
        self._kept = kept
        removed = tuple(removal.id for removal in change.removals)
        return Applied(written=tuple(written), unchanged=tuple(unchanged), removed=removed)

    def _keep(self, kept: dict[str, _Kept], memory: Memory) -> _Kept:
        key = collision_key(memory.id)
        self._ticks += 1
        path = kept[key].stamp.path if key in kept else f"{memory.id}.md"
        kept[key] = _Kept(memory, Stamp(path, len(memory.body), self._ticks, self._ticks))
        return kept[key]

    def check(self, *, repair: bool = False) -> CheckReport:
        """As the port says; what can be wrong here is a uid that two memories share. Nothing is repairable."""
        if repair and self._read_only:
            raise ReadOnlyBundleError(self.location)
        owners: dict[str, str] = {}
        problems = []
        for kept in sorted(self._kept.values(), key=lambda kept: kept.stamp):
            path, uid = kept.stamp.path, kept.memory.uid
            if uid in owners:
                message = f"Its uid is also that of {owners[uid]}."
                problems.append(Problem(path=path, line=1, code="duplicate_uid", message=message))
            owners.setdefault(uid, path)
        return CheckReport(documents=len(self._kept), problems=tuple(problems))


def _located(kept: _Kept) -> Located:
    return Located(memory=kept.memory, path=kept.stamp.path, line=1, revision=revision(kept.memory))


def _expect(memory_id: str, expected: str, found: _Kept | None) -> None:
    now = revision(found.memory) if found else None
    if now != expected:
        raise MemoryChangedError(memory_id, expected=expected, found=now)


def _refuse_twice(ids: list[str]) -> None:
    keys = [collision_key(each) for each in ids]
    for position, key in enumerate(keys):
        if key in keys[:position]:
            raise InvalidMemoryError("id", f"{ids[position]} is changed twice in one change set")
