"""Sensitive memories: what their documents hold in the place of what they say, and how the two belong together."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemic.domain.memory import Memory, Privacy
from mnemic.domain.provenance import Provenance

SEALED: Final = "sealed"
VERSION: Final = "sealed_version"
"""Front-matter keys of a stub: that it is one, and a number that is another after each change of what is sealed."""
TITLE: Final = "Sensitive memory"
_SAID: Final = "What this memory says is kept in the vault, encrypted."
_YES: Final = frozenset({"true", "yes", "on"})
_TOLD: Final = ("id", "state", "supersedes", "superseded_by")
"""What a stub tells of the memory it stands for, and what its word is good for."""


def is_sealed(memory: Memory) -> bool:
    """Whether this is a stub: by its mark or, where somebody took that away, by its text."""
    return str(memory.extra.get(SEALED, "")).strip().lower() in _YES or memory.body.strip().startswith(_SAID)


def is_hidden(memory: Memory) -> bool:
    """Whether nobody may be told what it says who does not ask for it expressly."""
    return memory.privacy is Privacy.SENSITIVE or is_sealed(memory)


def stub_body(memory_id: str) -> str:
    """All that a stub says."""
    return f"{_SAID} To read it: `mnemic show {memory_id} --reveal`"


def stub_of(memory: Memory, version: int) -> Memory:
    """What the document of a sensitive memory holds: nothing of what was written, so a field is named here or left out.

    Args:
        memory: With its content.
        version: Its number in the vault.
    """
    source = memory.provenance
    return Memory(
        uid=memory.uid,
        id=memory.id,
        kind=memory.kind,
        title=TITLE,
        body=stub_body(memory.id),
        recorded_at=memory.recorded_at,
        changed_at=memory.changed_at,
        state=memory.state,
        supersedes=memory.supersedes,
        superseded_by=memory.superseded_by,
        privacy=Privacy.SENSITIVE,
        provenance=Provenance(origin=source.origin, authority=source.authority, verified=source.verified),
        extra={SEALED: "true", VERSION: str(version)},
    )


def resealed(stub: Memory, memory: Memory, version: int) -> Memory:
    """A stub for another content; what somebody wrote into the document stays there."""
    fresh = stub_of(memory, version)
    told = {name: getattr(fresh, name) for name in ("kind", "changed_at", "privacy", *_TOLD)}
    return replace(stub, **told, extra={**stub.extra, **fresh.extra})


def unsealed(content: Memory, stub: Memory) -> Memory:
    """A sensitive memory as it stands: its content, and what its document tells of it."""
    told = {name: getattr(stub, name) for name in _TOLD}
    if all(getattr(content, name) == value for name, value in told.items()):
        return content
    return replace(content, **told, changed_at=max(content.changed_at, stub.changed_at))


def veiled(memory: Memory) -> Memory:
    """The memory as it may be told to whoever did not ask for what is hidden: a sensitive one without what it says.

    Also for past versions, which say it in full.
    """
    if memory.privacy is not Privacy.SENSITIVE or is_sealed(memory):
        return memory
    return stub_of(memory, 0)


def written_into(stub: Memory) -> str:
    """What somebody wrote into a stub's text; empty where it is as it was made."""
    text = stub.body.strip()
    if not text.startswith(_SAID):
        return text
    rest = text.removeprefix(_SAID).strip()
    first, _, more = rest.partition("\n")
    return more.strip() if first.startswith("To read it: `mnemic show ") and first.endswith("--reveal`") else rest


def says_too_much(stub: Memory) -> bool:
    """Whether a stub's document holds texts that belong into the vault."""
    told = (stub.description, stub.tags, stub.resource, stub.claim, stub.provenance.locator)
    return any(told) or stub.title != TITLE or bool(written_into(stub))
