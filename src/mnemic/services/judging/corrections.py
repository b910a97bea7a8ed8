"""What a memory replaces: looked up, and refused before anything is written where it makes no sense."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from mnemic.domain.ids import collision_key
from mnemic.errors import InvalidIdError, InvalidMemoryError, NotFoundError, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle


def check_replaceable(memory_id: str, names: Iterable[str]) -> None:
    """Refuse what needs no look: a memory that replaces itself, or one of another bundle.

    Raises:
        InvalidMemoryError: So it is.
    """
    for name in names:
        if ":" in name.partition("#")[0]:
            raise InvalidMemoryError(
                "supersedes",
                f"{name} is a memory of another bundle, and stays there as it is",
                hint="Write the correction into that bundle: mnemic --bundle FOLDER remember …",
            )
        if collision_key(name.strip().removesuffix(".md")) == collision_key(memory_id):
            raise InvalidMemoryError(
                "supersedes", f"{memory_id} cannot replace itself", hint="To change it: mnemic edit"
            )


def within(bundle: Bundle, names: Iterable[str]) -> tuple[str, ...]:
    """The names as this bundle has them: without its own name before them."""
    return tuple(name.strip().removeprefix(f"{bundle.name}:") for name in names)


def replaced_by(bundle: Bundle, memory: Memory, names: Iterable[str]) -> list[Located]:
    """The memories that `memory` is to replace, each once.

    Raises:
        InvalidMemoryError: It is one of them, one is in another bundle, or replaces it itself, directly or over others.
        MemoryNotFoundError: There is no such memory.
    """
    wanted = within(bundle, names)
    check_replaceable(memory.id, wanted)
    found = list({located.memory.id: located for located in map(bundle.store.find, wanted)}.values())
    check_replaceable(memory.id, (old.memory.id for old in found))
    later = {collision_key(name) for name in _chain(bundle, memory.superseded_by, "superseded_by")}
    for old in found:
        before = {collision_key(name) for name in _chain(bundle, old.memory.supersedes, "supersedes")}
        if collision_key(memory.id) in before or collision_key(old.memory.id) in later:
            raise InvalidMemoryError(
                "supersedes",
                f"{old.memory.id} replaces {memory.id} already, directly or over others",
                hint="Look at both with mnemic show, and let the one that holds today replace the other.",
            )
    return found


def _chain(bundle: Bundle, names: Iterable[str], field: Literal["supersedes", "superseded_by"]) -> Iterator[str]:
    """Every memory that these lead to, and those that they lead to; what is not there leads nowhere."""
    waiting, seen = list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        yield name
        with suppress(NotFoundError, InvalidIdError, StorageError):
            waiting += getattr(bundle.store.find(name).memory, field)
