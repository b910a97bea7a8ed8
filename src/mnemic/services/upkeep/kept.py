"""What is kept of a memory, read again: its earlier texts and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.versions import from_bytes
from mnemic.errors import MnemicError, VaultLockedError

if TYPE_CHECKING:
    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle

_MOST_VERSIONS = 500
"""So many earlier versions of one memory are read to know what it said."""


class Kept(NamedTuple):
    """What is kept of a memory: how many versions, those that say something, oldest first, and how many are unread."""

    number: int = 0
    memories: tuple[Memory, ...] = ()
    unread: int = 0


def versions_of(bundle: Bundle, uid: str) -> Kept:
    """The kept versions of a memory; without the key they can go all the same, and are not known then."""
    history = bundle.past()
    if history is None:
        return Kept()
    found: list[Memory] = []
    try:
        versions = history.vault.versions(uid)
    except MnemicError:
        return Kept()
    unread = len(versions)
    for version in versions[-_MOST_VERSIONS:]:
        try:
            memory = from_bytes(history.vault.get(uid, version.number))
        except VaultLockedError:
            break
        except (MnemicError, ValueError):  # of this one; others may be read
            continue
        found += () if memory is None else (memory,)
        unread -= 1
    return Kept(len(versions), tuple(found), unread)


def locked(bundle: Bundle) -> str:
    """Why nothing that the vault has can be read now; empty where it can, or where there is none."""
    history = bundle.past()
    try:
        if history is not None:
            history.vault.secret("anchor")  # any purpose: it needs the key
    except MnemicError as error:
        return error.message
    return ""


def former_names(bundle: Bundle, uid: str, name: str) -> tuple[str, ...]:
    """Ids that a memory had before its document was renamed, as far as versions of it can be read; without `name`."""
    return tuple(dict.fromkeys(memory.id for memory in versions_of(bundle, uid).memories if memory.id != name))
