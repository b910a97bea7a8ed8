"""Finding everything that names a subject, for somebody who wants all of it forgotten."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemic.domain.sealing import is_hidden, is_sealed
from mnemic.domain.versions import GONE
from mnemic.errors import MnemicError
from mnemic.services.erasing.footprint import texts_of
from mnemic.services.erasing.trace import gathered
from mnemic.services.judging.sealed import opened
from mnemic.services.upkeep.kept import locked, versions_of
from mnemic.text.remains import names

if TYPE_CHECKING:
    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle
    from mnemic.services.erasing.footprint import Footprint
    from mnemic.services.upkeep.kept import Kept


@dataclass(slots=True)
class _There:
    """What documents say.

    Attributes:
        naming: Memories that name the subject.
        others: Those that do not, by uid.
        sealed: Ids of sensitive ones that could not be read.
        whole: Every document could be read.
    """

    naming: list[Located] = field(default_factory=list)
    others: dict[str, list[Located]] = field(default_factory=dict)
    sealed: list[str] = field(default_factory=list)
    whole: bool = True


@dataclass(slots=True)
class _Past:
    """What kept versions of other memories say; attributes as of `gathered`, and in words what is not sure."""

    lost: list[str] = field(default_factory=list)
    staying: list[Located] = field(default_factory=list)
    unread: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def about(bundle: Bundle, subject: str) -> Footprint:
    """Everything that names a subject as whole words: memories, kept versions, and turns that say it or are said by it.

    Memories whose documents were deleted by hand go, where a version names it. Of those that name it no longer the
    earlier versions go.
    """
    kept = _standing(bundle)  # before the documents are read: what is written meanwhile is not taken for gone
    there = _in_documents(bundle, subject)
    past = _in_versions(bundle, subject, kept, there)
    turns = _in_sessions(bundle, subject)
    found = gathered(bundle, there.naming, turns=turns, lost=past.lost, staying=past.staying, unread=past.unread)
    found.notes += tuple(past.notes)
    if there.sealed:
        which = ", ".join(there.sealed)
        found.notes += (
            f"whether these sensitive memories name it is not known, and they stay: {which}. {locked(bundle)}",
        )
    return found


def _standing(bundle: Bundle) -> dict[str, int]:
    history = bundle.past()
    with suppress(MnemicError):
        return history.vault.standing() if history is not None else {}
    return {}


def _in_documents(bundle: Bundle, subject: str) -> _There:
    there, shut = _There(), bool(locked(bundle))
    for stamp in bundle.store.stamps():
        try:
            document = bundle.store.read(stamp.path)
        except MnemicError:  # gone since, or it cannot be read
            there.whole = False
            continue
        there.whole = there.whole and not document.problems
        for one in document.memories:
            if _names(_with_content(bundle, one), subject):
                there.naming.append(one)
                continue
            there.others.setdefault(one.memory.uid, []).append(one)
            if shut and is_sealed(one.memory):
                there.sealed.append(one.memory.id)
    return there


def _in_versions(bundle: Bundle, subject: str, standing: dict[str, int], there: _There) -> _Past:
    found = _Past()
    for uid in sorted(standing.keys() - {one.memory.uid for one in there.naming}):
        kept = versions_of(bundle, uid)
        if kept.unread:
            found.unread[uid] = kept.unread
        if not any(_names(memory, subject) for memory in kept.memories):
            continue
        last = kept.memories[-1]
        if copies := there.others.get(uid):
            found.staying.append(next((one for one in copies if one.memory.id == last.id), copies[0]))
        elif _is_gone(bundle, uid, standing[uid], kept, whole=there.whole):
            found.lost.append(uid)
        else:
            found.notes.append(
                f"kept versions of {last.id} name it, and stay: whether its document is gone is not sure"
            )
    return found


def _is_gone(bundle: Bundle, uid: str, number: int, kept: Kept, *, whole: bool) -> bool:
    """Whether a memory without a document was deleted by hand.

    A sensitive content comes into the vault first: until the ledger knows it, its document may be about to be written.
    """
    history = bundle.past()
    with suppress(MnemicError):
        if history is None or history.vault.get(uid, number) == GONE:
            return history is not None
        return whole and (not is_hidden(kept.memories[-1]) or any(history.ledger.events(uid=uid)))
    return False


def _in_sessions(bundle: Bundle, subject: str) -> dict[str, tuple[int, ...] | None]:
    """Numbers of the turns that name it, by session; None where that is all of them."""
    turns: dict[str, tuple[int, ...] | None] = {}
    for stamp in bundle.sessions.stamps():
        with suppress(MnemicError):
            session = bundle.sessions.read_path(stamp.path)
            said = tuple(
                turn.number
                for turn in session.turns
                if any(names(text, subject) for text in (turn.text, turn.speaker, *turn.attachments))
            )
            if said:
                turns[session.head.id] = None if len(said) == len(session.turns) else said
    return turns


def _with_content(bundle: Bundle, one: Located) -> Memory:
    """A memory; a sensitive one as it is in the vault, where that can be read."""
    with suppress(MnemicError):
        return opened(bundle, one)
    return one.memory


def _names(memory: Memory, subject: str) -> bool:
    """Whether a memory or something about it names a subject."""
    about_it = (memory.scope.user, memory.scope.agent, memory.id.rpartition("/")[2].replace("-", " "))
    return any(names(text, subject) for text in (*texts_of(memory), *about_it))
