"""Keeping what happened to memories and what they said before: the one place that feeds ledger and vault.

Whoever changed a document, a command, an agent or a person with an editor: the change is noticed here, when the
document is about to be indexed anew. So a crash between document, ledger and index heals itself: the next refresh finds
the document changed, and comes by here again. What cannot be kept at the moment is owed, and made up for later.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.ledger import Act, Deed
from mnemic.domain.memory import Memory, State
from mnemic.domain.provenance import Origin
from mnemic.domain.revision import revision
from mnemic.domain.versions import GONE, from_bytes, to_bytes
from mnemic.errors import BundleBusyError, MnemicError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mnemic.domain.documents import Located
    from mnemic.services.bundle import Bundle, History

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_DEED_OF_STATE = {
    State.SUPERSEDED: Deed.SUPERSEDE,
    State.FULFILLED: Deed.FULFIL,
    State.ARCHIVED: Deed.ARCHIVE,
    State.QUARANTINED: Deed.QUARANTINE,
}


class Noticed(NamedTuple):
    """A memory as its document has it, and when that file was written (nanoseconds since 1970)."""

    memory: Memory
    mtime_ns: int


def record(bundle: Bundle, seen: Sequence[Noticed], gone: Iterable[str] = ()) -> tuple[str, ...]:
    """Keep what memories say now, and that others are there no more.

    Args:
        bundle: Where they are. Its lock need not be held.
        seen: Memories that may have changed; one that says what was kept last is passed over.
        gone: Uids of memories whose documents were taken away, otherwise than by forgetting.

    Returns:
        In words, what could not be kept. It is owed then.

    Raises:
        BundleBusyError: Another process is writing. The change will be noticed again, if it is not indexed now.
    """
    taken = tuple(gone)
    if not seen and not taken:
        return ()
    history = bundle.history()
    if history is None:
        return ()
    try:
        _record(bundle, history, seen, taken)
    except BundleBusyError:
        raise
    except (MnemicError, ValueError) as error:
        history.owed.note()
        why = error.message if isinstance(error, MnemicError) else str(error)
        return (f"the history does not have the last changes yet: {why}",)
    return ()


def keep(bundle: Bundle, memory: Memory) -> None:
    """Make sure that what a memory says is kept, before it is overwritten; what fails is told by the next `record`."""
    history = bundle.history()
    if history is not None:
        with suppress(MnemicError, ValueError):
            _record(bundle, history, [Noticed(memory, 0)], ())


def catch_up(bundle: Bundle) -> tuple[str, ...]:
    """Keep what is owed: every memory is compared with what was kept last. What still cannot be, in words."""
    history = bundle.history()
    if history is None or not history.owed:
        return ()
    seen = [
        Noticed(located.memory, stamp.mtime_ns)
        for stamp in bundle.store.stamps()
        for located in _memories(bundle, stamp.path)
    ]
    if notes := record(bundle, seen):
        return notes
    history.owed.strike()
    return ()


def last_id(bundle: Bundle, uid: str) -> str:
    """Under which id a memory was known last; empty where nothing is kept of it."""
    history = bundle.history()
    if history is None:
        return ""
    with suppress(MnemicError, ValueError):
        if versions := history.vault.versions(uid):
            memory = from_bytes(history.vault.get(uid, versions[-1].number))
            return memory.id if memory is not None else ""
    return ""


def deed_of(before: Memory | None, now: Memory) -> Deed:
    """What was done to a memory, by what it says before and after."""
    if before is None:
        return Deed.QUARANTINE if now.state is State.QUARANTINED else Deed.REMEMBER
    if before.state is not now.state:
        if now.state is State.ACTIVE and before.state is State.QUARANTINED:
            return Deed.RELEASE
        return _DEED_OF_STATE.get(now.state, Deed.CHANGE)
    if before.provenance.origin is Origin.MODEL and now.provenance.verified and not before.provenance.verified:
        return Deed.PROMOTE
    return Deed.CHANGE


def _memories(bundle: Bundle, path: str) -> tuple[Located, ...]:
    with suppress(MnemicError):  # gone since the scan, or broken: there is nothing to keep
        return bundle.store.read(path).memories
    return ()


def _record(bundle: Bundle, history: History, seen: Sequence[Noticed], gone: Sequence[str]) -> None:
    vault, now = history.vault, bundle.clock.now()
    acts: list[Act] = []
    doubtful: list[Act] = []
    if vault.found():
        acts.append(Act(at=now, deed=Deed.FOUND))
    with vault.grouped():
        for one in seen:
            act, is_new = _kept(history, one, now)
            (acts if is_new else doubtful).append(act)
        acts += filter(None, (_taken(history, uid, now) for uid in gone))
    if doubtful:
        # Kept before: by a crash the ledger may not have it yet. When an index is made anew these are all memories.
        acts += _untold(history, doubtful)
    history.ledger.append(acts)


def _kept(history: History, one: Noticed, now: datetime) -> tuple[Act, bool]:
    """What is to be recorded of a memory, and whether it says something new."""
    vault, memory = history.vault, one.memory
    content = to_bytes(memory)
    versions = vault.versions(memory.uid)
    before = vault.get(memory.uid, versions[-1].number) if versions else None
    if before == content:
        last = versions[-1]
        older = vault.get(memory.uid, versions[-2].number) if len(versions) > 1 else GONE
        return _act(history, memory, deed_of(from_bytes(older), memory), last.number, now), False
    old = None if before is None else from_bytes(before)
    at = _told_at(one, old, versions[-1].at if versions else None, now)
    number = vault.put(memory.uid, content, at)
    return _act(history, memory, deed_of(old, memory), number, now), True


def _act(history: History, memory: Memory, deed: Deed, number: int, now: datetime) -> Act:
    commitment = history.vault.commit(memory.uid, revision(memory))
    return Act(at=now, deed=deed, uid=memory.uid, version=number, commitment=commitment)


def _taken(history: History, uid: str, now: datetime) -> Act | None:
    """That a memory's document is there no more; None where nothing is known of it, since it was forgotten say."""
    versions = history.vault.versions(uid)
    if not versions or history.vault.get(uid, versions[-1].number) == GONE:
        return None
    number = history.vault.put(uid, GONE, max(now, versions[-1].at + _TICK))
    return Act(at=now, deed=Deed.REMOVE, uid=uid, version=number)


def _untold(history: History, acts: Sequence[Act]) -> list[Act]:
    wanted = {(act.uid, act.version): act for act in acts}
    for event in history.ledger.events():
        wanted.pop((event.act.uid, event.act.version), None)
    return list(wanted.values())


def _told_at(one: Noticed, old: Memory | None, before: datetime | None, now: datetime) -> datetime:
    """Since when a memory says what it says: by its own word, else since its file was written; never before the last.

    The moment that a document names is the best there is. Whoever edits by hand seldom changes it; then the file's
    time tells when. Nothing is told in the future.
    """
    if before is None:
        return min(one.memory.changed_at, now)
    moment = one.memory.changed_at
    if old is not None and moment <= old.changed_at:
        moment = _EPOCH + timedelta(microseconds=one.mtime_ns // 1_000)
    return max(min(moment, now), before + _TICK)
