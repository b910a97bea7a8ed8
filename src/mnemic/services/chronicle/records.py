"""Reading the ledger as people and programs need it: what was done to which memory, and the lines themselves."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.entries import Source, Where
from mnemic.domain.ledger import Act, Deed
from mnemic.errors import MnemicError, VaultError
from mnemic.services.upkeep.keeping import last_content
from mnemic.services.upkeep.record import last_id
from mnemic.services.upkeep.refresh import refresh

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from mnemic.domain.ledger import Event
    from mnemic.domain.vault import KeyPlace, VaultFacts
    from mnemic.services.bundle import Bundle, History

_ALL = 1_000_000
_KEEP = "To keep one from now on: mnemic config set history.keep true"
_MEMORIES = Where(sources=(Source.MEMORY,), states=())


class LogRow(NamedTuple):
    """An event, and the memory it was about.

    `id` is that of now, or the last one of a memory whose document was taken away (`gone`); empty of what was
    forgotten, and of what concerns the vault.
    """

    event: Event
    id: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryFacts:
    """What a bundle keeps of its past.

    Attributes:
        kept: Whether what changes is kept.
        why: In words, why not, or what is wrong with it.
        hint: What helps.
        events: In the ledger.
        memories: In the vault.
        versions: Of all memories together.
        place: Where the vault's key comes from; None before there is one.
        key: Where that is, in words.
    """

    kept: bool
    why: str = ""
    hint: str = ""
    events: int = 0
    memories: int = 0
    versions: int = 0
    place: KeyPlace | None = None
    key: str = ""


def log(bundle: Bundle, *, uid: str = "", since: datetime | None = None, limit: int | None = None) -> list[LogRow]:
    """Events, the newest first.

    Args:
        bundle: Where they were recorded. What changed meanwhile is recorded first.
        uid: Only those of this memory.
        since: Only those from then on.
        limit: At most so many.
    """
    refresh(bundle)
    history = bundle.past()
    if history is None:
        return []
    events = history.ledger.events(uid=uid or None)
    wanted = [event for event in events if since is None or event.act.at >= since][::-1][:limit]
    named = _ids(bundle)
    past = {event.act.uid for event in wanted if event.act.uid and event.act.uid not in named}
    unlisted = dict(_ids_kept(history, past))
    gone = {uid for uid, name in unlisted.items() if not _is_there(bundle, name, uid)}
    return [
        LogRow(event, named.get(event.act.uid) or unlisted.get(event.act.uid, ""), event.act.uid in gone)
        for event in wanted
    ]


def exported(bundle: Bundle, since: datetime | None = None) -> Iterator[bytes]:
    """The lines of the ledger as they stand, damaged ones too; `since`: from the first event of then on."""
    refresh(bundle)
    history = bundle.past()
    begun = since is None
    for line, event in history.ledger.lines() if history is not None else ():
        begun = begun or (since is not None and event is not None and event.act.at >= since)
        if begun:
            yield line


def rotate(bundle: Bundle, place: KeyPlace | None = None) -> HistoryFacts:
    """Give the vault a new key, take the old one away, and record it.

    Raises:
        VaultError: Nothing is kept here, the old key cannot be had, or a new one not be kept.
    """
    history = bundle.past()
    if history is None:
        raise VaultError("This bundle keeps no history, so that there is no key to change.", hint=_KEEP)
    if history.vault.found():
        history.ledger.append([Act(at=bundle.clock.now(), deed=Deed.FOUND)])
    history.vault.rotate(place)
    history.ledger.append([Act(at=bundle.clock.now(), deed=Deed.ROTATE)], durable=True)
    return history_facts(bundle)


def history_facts(bundle: Bundle) -> HistoryFacts:
    """How much is kept, where the key is, and what is wrong with it; costs a look at the files, and opens no key."""
    if bundle.store.read_only:
        return HistoryFacts(kept=False, why="this folder is only read")
    history, kept = bundle.past(), bundle.history() is not None
    off = "" if kept else "the setting history.keep says so"
    if history is None:
        return HistoryFacts(kept=False, why=off, hint="" if kept else _KEEP)
    try:
        events, _ = history.ledger.head()
        facts = history.vault.facts()
    except MnemicError as error:
        return HistoryFacts(kept=kept, why=error.message, hint=error.hint)
    return _told(kept, off, events, facts)


def _told(kept: bool, off: str, events: int, facts: VaultFacts | None) -> HistoryFacts:  # noqa: FBT001 - of a row
    if facts is None:
        return HistoryFacts(kept=kept, why=off, events=events)
    return HistoryFacts(
        kept=kept,
        why=off,
        events=events,
        memories=facts.memories,
        versions=facts.versions,
        place=facts.place,
        key=facts.where,
    )


def _ids(bundle: Bundle) -> Mapping[str, str]:
    """The id of each memory that there is, by uid."""
    named: dict[str, str] = {}
    with bundle.index.reading() as index:
        for entry in index.entries(index.by_prior(_MEMORIES, _ALL)).values():
            # Of a document and its copy, the history is that of the one that had it last.
            if entry.uid not in named or last_id(bundle, entry.uid) == entry.id:
                named[entry.uid] = entry.id
    return named


def _ids_kept(history: History, uids: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The last id of each that the index does not have: its document was taken away, or it is a sensitive one's."""
    for uid in uids:
        with suppress(MnemicError, ValueError):
            if memory := last_content(history, uid):
                yield uid, memory.id


def _is_there(bundle: Bundle, name: str, uid: str) -> bool:
    with suppress(MnemicError):
        return bundle.store.find(name).memory.uid == uid
    return False
