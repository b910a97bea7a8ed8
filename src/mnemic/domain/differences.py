"""What is different between two states of a memory: by field, and as lines of its text."""

from __future__ import annotations

import json
from dataclasses import MISSING, dataclass, fields
from difflib import unified_diff
from enum import StrEnum
from typing import NamedTuple

from mnemic.domain.memory import Memory, State
from mnemic.domain.versions import to_bytes

_APART = frozenset({"uid", "changed_at"})
"""Fields that say nothing of the content."""
_USUAL = {field.name: field.default for field in fields(Memory) if field.default and field.default is not MISSING}
"""What is not written down, since it is usually so."""
_CONTEXT = 1
"""Unchanged lines around those that changed."""


class FieldChange(NamedTuple):
    """A field that says something else: its values as JSON has them, None where it said nothing."""

    field: str
    before: object
    after: object


class Happened(StrEnum):
    """What became of a memory between two moments."""

    NEW = "new"
    CHANGED = "changed"
    SUPERSEDED = "superseded"
    FULFILLED = "fulfilled"
    ARCHIVED = "archived"
    QUARANTINED = "quarantined"
    RELEASED = "released"
    RESTORED = "restored"
    """It is active again."""
    REMOVED = "removed"
    """Its document was taken away by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A memory that is not believed as before; `memory` is its later state or, when it was removed, its last one.

    `bundle` is empty for the first one.
    """

    bundle: str
    memory: Memory
    happened: Happened
    changes: tuple[FieldChange, ...] = ()


def changes(before: Memory, after: Memory) -> tuple[FieldChange, ...]:
    """The fields that differ, by name."""
    old, new = _told(before), _told(after)
    names = sorted(old.keys() | new.keys())
    return tuple(
        FieldChange(name, old.get(name), new.get(name))
        for name in names
        if name not in _APART and old.get(name) != new.get(name)
    )


def _told(memory: Memory) -> dict[str, object]:
    return {**_USUAL, **json.loads(to_bytes(memory))}


def text_lines(change: FieldChange) -> list[str]:
    """A text as it changed, each line after its sign (`+`, `-` or a blank); ` …` stands for lines that are left out."""
    before, after = (str(value or "").splitlines() for value in (change.before, change.after))
    lines = list(unified_diff(before, after, n=_CONTEXT, lineterm=""))[3:]
    return [" …" if line.startswith("@@") else line for line in lines]


def happened(before: Memory | None, after: Memory | None) -> Happened | None:
    """What became of a memory; None where it is as it was, or was never there."""
    if after is None:
        return None if before is None else Happened.REMOVED
    if before is None:
        return Happened.QUARANTINED if after.state is State.QUARANTINED else Happened.NEW
    if before.state is after.state:
        return Happened.CHANGED if changes(before, after) else None
    if after.state is State.ACTIVE:
        return Happened.RELEASED if before.state is State.QUARANTINED else Happened.RESTORED
    return Happened(after.state.value)
