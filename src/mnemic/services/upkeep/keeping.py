"""How what a memory says comes into the vault, and what was done to it into the ledger: step by step, and once."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.ledger import Act, Deed
from mnemic.domain.memory import Memory, State
from mnemic.domain.provenance import Origin
from mnemic.domain.revision import revision
from mnemic.domain.sealing import is_sealed, unsealed
from mnemic.domain.versions import GONE, from_bytes, to_bytes
from mnemic.errors import MnemicError, VaultDamagedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mnemic.domain.vault import Version
    from mnemic.ports import Ledger
    from mnemic.services.bundle import Bundle, History

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_FEW = 8
"""So many memories are looked for in the ledger one by one."""
PROMOTED = "promoted"
"""Front-matter key under which stands who approved a promotion, and when."""
_DEED_OF_STATE = {
    State.SUPERSEDED: Deed.SUPERSEDE,
    State.FULFILLED: Deed.FULFIL,
    State.ARCHIVED: Deed.ARCHIVE,
    State.QUARANTINED: Deed.QUARANTINE,
}


class Noticed(NamedTuple):
    """A memory as its document has it, when that file was written (nanoseconds since 1970), and what it means."""

    memory: Memory
    mtime_ns: int
    revision: str = ""
    """Computed where it is left out."""

    @property
    def meaning(self) -> str:
        """Its revision."""
        return self.revision or revision(self.memory)


class Told:
    """Which versions the ledger tells of. It is read when that is asked about many, and then never again.

    Args:
        every: Asked about is every version of what is looked at; else the newest.
    """

    def __init__(self, *, every: bool = False) -> None:
        self.every = every
        self._known: set[tuple[str, int]] | None = None

    def lacking(self, ledger: Ledger, asked: Sequence[tuple[str, int]]) -> set[tuple[str, int]]:
        """Those of the given uids and numbers that it does not tell of."""
        if self._known is None and len(asked) <= _FEW:
            events = (event for uid, _ in asked for event in ledger.events(uid=uid))
            return set(asked).difference((event.act.uid, event.act.version) for event in events)
        if self._known is None:
            self._known = {(event.act.uid, event.act.version) for event in ledger.events()}
        return set(asked) - self._known

    def add(self, acts: Iterable[Act]) -> None:
        """These are told from now on."""
        if self._known is not None:
            self._known.update((act.uid, act.version) for act in acts)


def keep_all(
    bundle: Bundle, history: History, seen: Sequence[Noticed], gone: Mapping[str, str], told: Told | None
) -> None:
    """Vault first, then ledger; `told` is None where it does not matter whether the ledger lacks what is kept."""
    with history.lock():  # once for both
        _keep_all(bundle, history, seen, gone, told)


def _keep_all(
    bundle: Bundle, history: History, seen: Sequence[Noticed], gone: Mapping[str, str], told: Told | None
) -> None:
    now = bundle.clock.now()
    acts: list[Act] = []
    before: set[tuple[str, int]] = set()
    failed: MnemicError | ValueError | None = None
    history.vault.found()
    steps = [partial(_seen, bundle, history, each, now) for each in seen]
    steps += [partial(_taken, history, uid, name, now) for uid, name in gone.items()]
    with history.vault.grouped():
        for step in steps:
            try:
                act = step(before, every=told is not None and told.every)
                acts += () if act is None else (act,)
            except (VaultDamagedError, ValueError) as error:  # of this one; others are kept all the same
                failed = error
    if before and told is not None:
        # Kept before: by a crash the ledger may not have it yet. When an index is made anew these are all memories.
        lacking = sorted(told.lacking(history.ledger, sorted(before)))
        acts = [_act_of(history, uid, number, now) for uid, number in lacking] + acts
    if history.ledger.head()[0] == 0:
        acts.insert(0, Act(at=now, deed=Deed.FOUND))
    history.ledger.append(acts)
    if told is not None:
        told.add(acts)
    if failed is not None:
        raise failed


def deed_of(before: Memory | None, now: Memory) -> Deed:
    """What was done to a memory, by what it says before and after."""
    if (
        PROMOTED in now.extra
        and now.state is State.ACTIVE
        and (before is None or before.extra.get(PROMOTED) != now.extra[PROMOTED])
    ):
        return Deed.PROMOTE
    if before is None:
        return Deed.QUARANTINE if now.state is State.QUARANTINED else Deed.REMEMBER
    if before.state is not now.state:
        if now.state is State.ACTIVE and before.state is State.QUARANTINED:
            return Deed.RELEASE
        return _DEED_OF_STATE.get(now.state, Deed.CHANGE)
    if before.provenance.origin is Origin.MODEL and now.provenance.verified and not before.provenance.verified:
        return Deed.PROMOTE
    return Deed.CHANGE


def last_content(history: History, uid: str) -> Memory | None:
    """What a memory said last, also when its document was taken away since; None where nothing is kept of it.

    Raises:
        VaultError: It cannot be read.
        ValueError: It is of a form that we do not know.
    """
    for version in reversed(history.vault.versions(uid)):
        if content := history.vault.get(uid, version.number):
            return from_bytes(content)
    return None


def _seen(  # noqa: PLR0913 - a step, with what all steps are given
    bundle: Bundle, history: History, each: Noticed, now: datetime, before: set[tuple[str, int]], *, every: bool
) -> Act | None:
    """Keep what a memory says, and what is to be told of that; None where it was kept before, which is noted."""
    one = _with_content(history, each)
    if one is None:
        return None
    newest = _newest(history, one.memory)
    if newest is not None and every:
        before.update((one.memory.uid, version.number) for version in history.vault.versions(one.memory.uid))
    if newest is not None and newest[1] == to_bytes(one.memory):
        before.add((one.memory.uid, newest[0].number))
        return None
    if newest is not None and _is_copy(bundle, one.memory, newest[1]):
        return None
    old = None if newest is None else from_bytes(newest[1])
    at = _told_at(one, old, None if newest is None else newest[0].at, now)
    number = history.vault.put(one.memory.uid, to_bytes(one.memory), at)
    return _act(history, one, deed_of(old, one.memory), number, now)


def _with_content(history: History, one: Noticed) -> Noticed | None:
    """Where a document holds a stub, the memory it stands for; None where what that says is lost."""
    if not is_sealed(one.memory):
        return one
    content = last_content(history, one.memory.uid)
    return None if content is None else one._replace(memory=unsealed(content, one.memory), revision="")


def _newest(history: History, memory: Memory) -> tuple[Version, bytes] | None:
    """What is kept of it last; nothing we know, where that is damaged: it is told by a check, and kept on after it."""
    try:
        return history.vault.newest(memory.uid)
    except VaultDamagedError:
        versions = history.vault.versions(memory.uid)
        return (versions[-1], GONE) if versions else None


def _is_copy(bundle: Bundle, memory: Memory, before: bytes) -> bool:
    """Whether another document has this memory still: its history is that one's, and a copy's changes are not in it."""
    old = from_bytes(before)
    if old is None or old.id == memory.id:
        return False
    with suppress(MnemicError):
        return bundle.store.find(old.id).memory.uid == memory.uid
    return False


def _act_of(history: History, uid: str, number: int, now: datetime) -> Act:
    """What was done when a version was kept."""
    memory = from_bytes(history.vault.get(uid, number))
    if memory is None:
        return Act(at=now, deed=Deed.REMOVE, uid=uid, version=number)
    earlier = [version.number for version in history.vault.versions(uid) if version.number < number]
    before = history.vault.get(uid, earlier[-1]) if earlier else GONE
    return _act(history, Noticed(memory, 0), deed_of(from_bytes(before), memory), number, now)


def _act(history: History, one: Noticed, deed: Deed, number: int, now: datetime) -> Act:
    commitment = history.vault.commit(one.memory.uid, one.meaning)
    return Act(at=now, deed=deed, uid=one.memory.uid, version=number, commitment=commitment)


def _taken(  # noqa: PLR0913 - a step, with what all steps are given
    history: History, uid: str, name: str, now: datetime, before: set[tuple[str, int]], *, every: bool
) -> Act | None:
    """Keep that a memory's document is there no more, and what is to be told of that.

    None where nothing is known of it, since it was forgotten say, or where it has another name than it went by.
    """
    newest = history.vault.newest(uid)
    memory = None if newest is None else from_bytes(newest[1])
    if newest is not None and every:
        before.update((uid, version.number) for version in history.vault.versions(uid))
    if newest is not None and memory is None:
        before.add((uid, newest[0].number))
    if newest is None or memory is None or (name and memory.id != name):
        return None
    number = history.vault.put(uid, GONE, max(now, newest[0].at + _TICK))
    return Act(at=now, deed=Deed.REMOVE, uid=uid, version=number)


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
