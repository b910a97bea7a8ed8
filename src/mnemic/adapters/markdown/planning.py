"""From a change set to bytes: what each document must become, and whether that is allowed now.

Runs under the bundle's lock and reads every document it is about to change, so that a change made by somebody else
since the caller read it is found here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.generated import bullet
from mnemic.adapters.markdown.scan import existing_folder, full_path
from mnemic.adapters.markdown.transaction import Edit
from mnemic.domain.ids import collision_key
from mnemic.domain.kinds import kind_named
from mnemic.domain.memory import State
from mnemic.domain.revision import revision
from mnemic.errors import (
    IdTakenError,
    InvalidMemoryError,
    LimitExceededError,
    MemoryChangedError,
    WriteFailedError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemic.adapters.markdown.files import Seen
    from mnemic.adapters.markdown.layouts import Layout
    from mnemic.domain.changes import ChangeSet, Put, Removal
    from mnemic.domain.documents import Located
    from mnemic.domain.policy import Limits

MANY = 20
"""Changes of one kind in one change set above which the log counts them instead of naming each."""

_PAST = (State.SUPERSEDED, State.ARCHIVED)


@dataclass(slots=True)
class Plan:
    """What a change set comes to. `revisions` says what each written document must mean, by path."""

    edits: list[Edit] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    unchanged: list[Located] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    revisions: dict[str, str] = field(default_factory=dict)
    ids: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    forgotten: list[tuple[str, str]] = field(default_factory=list)
    news: list[tuple[str, str, str]] = field(default_factory=list)

    def bullets(self, summary: str) -> tuple[str, ...]:
        """What the log says of it; of a removal only that there was one."""
        lines = []
        for verb in ("Creation", "Update", "Deprecation"):
            news = [(path, title) for done, path, title in self.news if done == verb]
            if len(news) > MANY:
                lines.append(f"* **{verb}**: {len(news)} memories")
            else:
                lines += [bullet(verb, path, title, summary) for path, title in news]
        if self.removed:
            lines.append(
                "* **Forgotten**: " + ("one memory" if len(self.removed) == 1 else f"{len(self.removed)} memories")
            )
        return tuple(lines)


class Planner:
    """Plans change sets for one bundle. `locate` finds a memory with its document's bytes, or None."""

    def __init__(
        self,
        root: str,
        layout: Layout,
        limits: Limits,
        locate: Callable[[str], tuple[Located, Seen] | None],
    ) -> None:
        self._root, self._layout, self._limits, self._locate = root, layout, limits, locate

    def plan(self, change: ChangeSet) -> Plan:
        """The edits of a change set.

        Raises:
            MemoryChangedError: A memory is not what the caller read.
            IdTakenError: A new memory's id is in use, or used twice in the set.
            InvalidIdError: A new memory's id has no place in the bundle.
            InvalidMemoryError: One memory is both put and removed.
            LimitExceededError: A document would be too long.
            WriteFailedError: A document is a link.
        """
        plan = Plan()
        named: dict[str, str] = {}
        for put in change.puts:
            key = collision_key(put.memory.id)
            if key in named:
                raise IdTakenError(put.memory.id, taken_by=f"{named[key]} in the same change")
            named[key] = put.memory.id
            self._plan_put(put, plan)
        for removal in change.removals:
            key = collision_key(removal.id)
            if key in named:
                raise InvalidMemoryError("id", f"{removal.id} is changed twice in one change set")
            named[key] = removal.id
            self._plan_removal(removal, plan)
        return plan

    def _plan_put(self, put: Put, plan: Plan) -> None:
        memory, found = put.memory, self._locate(put.memory.id)
        meaning = revision(self._layout.as_written(memory))
        if put.expected is None:
            if found is not None:
                raise IdTakenError(memory.id, taken_by=found[0].path)
            path, before = existing_folder(self._root, self._layout.path_for(memory)), None
            full_path(self._root, path)
        else:
            located, before = self._current(memory.id, put.expected, found)
            path = located.path
            if located.revision == meaning:
                plan.unchanged.append(located)
                return
        after = self._layout.write(memory, before.data if before else None)
        if len(after) > self._limits.document_bytes:
            raise LimitExceededError(path, size=len(after), limit=self._limits.document_bytes, unit="bytes")
        if kind_named(memory.kind).name == "event" and (lines := after.count(b"\n")) > self._limits.timeline_lines:
            raise LimitExceededError(path, size=lines, limit=self._limits.timeline_lines, unit="lines")
        plan.edits.append(Edit(path, before, after))
        plan.written.append(path)
        plan.revisions[path] = meaning
        plan.ids[path] = memory.id, put.expected
        past = memory.state in _PAST and (found is None or found[0].memory.state not in _PAST)
        verb = "Creation" if before is None else "Deprecation" if past else "Update"
        plan.news.append((verb, path, memory.title or memory.id.rpartition("/")[2]))

    def _plan_removal(self, removal: Removal, plan: Plan) -> None:
        located, before = self._current(removal.id, removal.expected, self._locate(removal.id))
        plan.edits.append(Edit(located.path, before, None))
        plan.ids[located.path] = removal.id, removal.expected
        plan.removed.append(removal.id)
        plan.forgotten.append((located.path, located.memory.uid))

    def _current(self, memory_id: str, expected: str, found: tuple[Located, Seen] | None) -> tuple[Located, Seen]:
        if found is None:
            raise MemoryChangedError(memory_id, expected=expected, found=None)
        located, seen = found
        if located.revision != expected:
            raise MemoryChangedError(memory_id, expected=expected, found=located.revision)
        if os.path.islink(os.path.join(self._root, located.path)):
            raise WriteFailedError(located.path, "it is a symbolic link; change the file it points to")
        return located, seen
