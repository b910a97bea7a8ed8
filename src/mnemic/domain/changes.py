"""Change sets: the unit of writing. All of one is applied, or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemic.domain.documents import Located
    from mnemic.domain.ids import MemoryId
    from mnemic.domain.memory import Memory


@dataclass(frozen=True, slots=True)
class Put:
    """Write this memory; `expected` is the revision that was read, None for one that must be new."""

    memory: Memory
    expected: str | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """Take this memory away, and its backups with it; `expected` is the revision that was read."""

    id: MemoryId
    expected: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """Puts and removals that belong together. `summary` is one line for the log, without content of a removal."""

    puts: tuple[Put, ...] = ()
    removals: tuple[Removal, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What a change set did. `unchanged` names puts that were already so and wrote nothing."""

    written: tuple[Located, ...] = ()
    unchanged: tuple[Located, ...] = ()
    removed: tuple[str, ...] = ()
