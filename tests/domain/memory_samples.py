"""A memory to begin with."""

from __future__ import annotations

from datetime import UTC, datetime

from mnemic.domain.ids import MemoryId, Uid
from mnemic.domain.memory import Memory

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)


def a_memory(**fields: object) -> Memory:
    """A note, changed in these fields."""
    defaults: dict[str, object] = {
        "uid": Uid("0190a1b2-0000-7000-8000-000000000001"),
        "id": MemoryId("notes/a"),
        "kind": "note",
        "title": "A title",
        "body": "A body.",
        "recorded_at": NOON,
        "changed_at": NOON,
    }
    return Memory(**{**defaults, **fields})  # type: ignore[arg-type]
