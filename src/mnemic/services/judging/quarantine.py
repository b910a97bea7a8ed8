"""Keeping texts that want to be obeyed away from agents, until a person has looked at them.

A memory from an untrusted origin that shows a sign of that (`text/injection_signs.py`) is kept in state `quarantined`:
nothing recalls it and no capsule holds it. Only a person releases or rejects it, and that is written into it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from mnemic.domain.drafts import Warned
from mnemic.domain.entries import Source, Where
from mnemic.domain.memory import State
from mnemic.domain.provenance import is_ones_own, is_trusted
from mnemic.errors import MemoryNotFoundError
from mnemic.text.injection_signs import MILD, injection_signs, split_sign
from mnemic.text.personal_data import NAMES, labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.domain.memory import Memory, Yaml
    from mnemic.services.bundle import Bundle
    from mnemic.text.injection_signs import Sign

SUSPICIOUS: Final = "suspicious"
PERSONAL: Final = "personal_data"
"""Codes of the warnings."""
REVIEWED: Final = "reviewed"
"""Front-matter key under which a person's verdict stands, with the digest of the text it was given on."""
PERSON: Final = "person"
SPLIT_MINUTES: Final = 60
SPLIT_MEMORIES: Final = 5
"""An order may be divided over so many memories, written within so many minutes."""
_CANDIDATES: Final = 50
_ON_GUARD: Final = frozenset({State.ACTIVE, State.FULFILLED})
_DIGITS: Final = 32
_BLANKS: Final = str.maketrans("/-_", "   ")
"""An id is read as the words it is made of."""


def signs_of(memory: Memory) -> tuple[Sign, ...]:
    """What makes the memory suspicious: nothing where its owner wrote it, or has released these very words.

    What an agent reports the user to have said may be a wish about its answers, but nothing worse.
    """
    source = memory.provenance
    if is_ones_own(source.origin, verified=source.verified):
        return ()
    trusted = is_trusted(source.origin, verified=source.verified)
    if trusted and source.actor == PERSON:
        return ()
    looked_at = _labels_of(memory) if _released(memory) else (text_of(memory), memory.id.translate(_BLANKS))
    found = injection_signs("\n\n".join(looked_at))
    return tuple(sign for sign in found if sign.name not in MILD) if trusted else found


def examined(memory: Memory) -> tuple[Memory, tuple[Warned, ...]]:
    """The memory, quarantined when it is suspicious, and what its writer should know about it."""
    told = _labelled(memory)
    if memory.state not in _ON_GUARD or not (signs := signs_of(memory)):
        return memory, told
    return _quarantined(memory, signs, ""), (_warning(memory, signs), *told)


def examined_with_others(bundle: Bundle, memory: Memory) -> tuple[Memory, tuple[Warned, ...]]:
    """The memory, quarantined when it completes an order that memories written shortly before it begin.

    Args:
        bundle: Its index must be up to date.
        memory: As it is to be written.
    """
    source = memory.provenance
    if memory.state not in _ON_GUARD or is_trusted(source.origin, verified=source.verified) or _released(memory):
        return memory, ()
    others = _written_before(bundle, memory)
    sign = split_sign([text_of(other) for other in others], text_of(memory)) if others else None
    if sign is None:
        return memory, ()
    names = ", ".join(other.id for other in others)
    return _quarantined(memory, (sign,), names), (_warning(memory, (sign,), names),)


def reasons(signs: Sequence[Sign]) -> tuple[str, ...]:
    """What the signs say, each once."""
    return tuple(dict.fromkeys(f"it {sign.why}" for sign in signs))


def _released(memory: Memory) -> bool:
    match memory.extra.get(REVIEWED):
        case {"verdict": "released", "text": digest}:
            return digest == digest_of(memory)
        case _:
            return False


def digest_of(memory: Memory) -> str:
    """What tells these words from any other: title, description and body."""
    words = "\n\n".join(_words_of(memory))
    return sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def text_of(memory: Memory) -> str:
    """Everything of a memory that an agent may be shown."""
    return "\n\n".join((*_words_of(memory), *_labels_of(memory)))


def _words_of(memory: Memory) -> tuple[str, ...]:
    title = "" if memory.body.lstrip("#>*-+ \t\n").startswith(memory.title.rstrip("….")) else memory.title
    return tuple(filter(None, (title, memory.description, memory.body.strip())))


def _labels_of(memory: Memory) -> tuple[str, ...]:
    claim = f"{memory.claim.key} = {memory.claim.value}" if memory.claim else ""
    return tuple(filter(None, (", ".join(memory.tags), claim, memory.resource, memory.on_event)))


def _written_before(bundle: Bundle, memory: Memory) -> list[Memory]:
    """Memories of untrusted origins written shortly before, oldest first."""
    since = (memory.recorded_at - timedelta(minutes=SPLIT_MINUTES)).timestamp()
    now = memory.recorded_at.timestamp()
    with bundle.index.reading() as index:
        rows = index.said_between(since, now + 1, Where(sources=(Source.MEMORY,)), _CANDIDATES)
        entries = [entry for entry in index.entries(rows).values() if since <= entry.recorded_at <= now + 1]
    strangers = [
        each for each in entries if each.id != memory.id and not is_trusted(each.origin, verified=each.verified)
    ]
    newest = sorted(strangers, key=lambda entry: (-entry.recorded_at, entry.uid))[:SPLIT_MEMORIES]
    found = []
    for entry in reversed(newest):
        try:
            found.append(bundle.store.find(entry.id).memory)
        except MemoryNotFoundError:
            continue
    return sorted(found, key=lambda each: (each.recorded_at, each.uid))


def _quarantined(memory: Memory, signs: Sequence[Sign], others: str) -> Memory:
    names: list[Yaml] = list(dict.fromkeys(sign.name for sign in signs))
    told: dict[str, Yaml] = {"signs": names, "with": others} if others else {"signs": names}
    return replace(memory, state=State.QUARANTINED, extra={**memory.extra, "suspicious": told})


def _warning(memory: Memory, signs: Sequence[Sign], others: str = "") -> Warned:
    origin = memory.provenance.origin
    whence = f" and comes from {origin}" if origin else ""
    read = f" (read after {others})" if others else ""
    why = "; ".join(reasons(signs)[:3])
    return Warned(
        code=SUSPICIOUS,
        message=f"this looks like an order to an assistant{whence}: {why}{read}. "
        "It is quarantined: kept, and never recalled. "
        f"A person can look at it (mnemic quarantine show {memory.id}), then release or reject it",
    )


def _labelled(memory: Memory) -> tuple[Warned, ...]:
    found = personal(memory)
    return (Warned(code=PERSONAL, message=f"it holds personal data: {', '.join(found)}"),) if found else ()


def personal(memory: Memory) -> tuple[str, ...]:
    """Which kinds of personal data a memory holds, in words."""
    return tuple(NAMES[label] for label in labels(text_of(memory)))
