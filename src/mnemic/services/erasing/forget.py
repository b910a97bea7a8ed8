"""Taking something out of existence: documents, backups, kept versions, turns, and everything derived from them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.erasure import Preview, Receipt, Removed, Wishes
from mnemic.errors import (
    ConfirmationError,
    MemoryChangedError,
    MnemicError,
    NotFoundError,
    ReadOnlyBundleError,
    StorageError,
)
from mnemic.services.erasing.receipt import searched, sizes, words
from mnemic.services.erasing.scan import beyond
from mnemic.services.erasing.subject import about
from mnemic.services.erasing.trace import target, traced, with_derived
from mnemic.services.erasing.withdraw import Withdrawal, withdrawn
from mnemic.services.upkeep.erase import Done, Intent, finish
from mnemic.services.upkeep.kept import former_names
from mnemic.services.upkeep.record import keep
from mnemic.services.upkeep.refresh import refresh
from mnemic.text.remains import normal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mnemic.domain.documents import Located
    from mnemic.services.bundle import Bundle
    from mnemic.services.erasing.footprint import Footprint

_TRIES = 5
"""So often it is tried when a memory that names it changes at the same moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What was taken away: ids, and how many turns of sessions.

    `left` says in words where a trace may still be, and why; the next command of any kind tries to clear it again.
    `notes` says what became of memories that named it. `offered` tells what was made from it, or says the same, and
    has stayed. `earlier` are memories that have stayed, and of which only what they said earlier is gone. `receipt`
    tells of all of it without any of its words.
    """

    ids: tuple[str, ...]
    earlier: tuple[str, ...] = ()
    turns: int = 0
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    offered: Preview = field(default_factory=Preview)
    receipt: Receipt


def forget(bundle: Bundle, given: str, *, confirm: str, prefix: str = "", wishes: Wishes | None = None) -> Forgotten:
    """Remove a memory, a session (`session:ID`) or one turn of it (`session:ID#N`) for good.

    That an erasure is owed is noted before anything is removed: killed at any point, the next call finishes it. What
    agents did with it goes first: as long as its document is there, all of this can be done again. Memories that name
    it in a field lose the name in the same change; links in texts stay, and are told.

    Args:
        bundle: Where it is.
        given: Its id, in any case or normalization; its uid or last id, where its document was deleted by hand.
        confirm: The same id again, in any case or normalization; nothing happens without.
        prefix: What ids of this bundle begin with in references.
        wishes: How far it is to go; without looking through everything afterwards when left out.

    Raises:
        ConfirmationError: `confirm` is another text.
        MemoryNotFoundError, SessionNotFoundError: There is no such thing, and nothing is kept of it.
    """
    wanted, wish = target(bundle, given), wishes or Wishes(scan=False)
    if wanted.uid:  # its document is not gone if it was only renamed, a moment ago
        refresh(bundle)
        wanted = target(bundle, given)
    if not wanted.is_confirmed_by(confirm):
        raise _unconfirmed(f"{prefix}{wanted.name}")
    return _erased_in_peace(bundle, lambda: traced(bundle, wanted, wish), prefix, wish)


def preview(bundle: Bundle, given: str, *, prefix: str = "", wishes: Wishes | None = None) -> Preview:
    """What `forget` would remove, and what it would offer to remove. Raises as it does."""
    refresh(bundle)
    return traced(bundle, target(bundle, given), wishes or Wishes()).preview(prefix)


def forget_subject(bundle: Bundle, subject: str, *, confirm: str, wishes: Wishes | None = None) -> Forgotten:
    """Remove all that names a subject as whole words: memories, kept versions, and turns of sessions.

    Raises:
        ConfirmationError: `confirm` is another text.
        NotFoundError: Nothing names it.
    """
    if not normal(subject) or normal(confirm) != normal(subject):
        raise ConfirmationError(
            "Forgetting everything about a subject cannot be undone, and was not confirmed. Nothing was removed.",
            hint="Look at the list, then repeat the subject: mnemic forget --subject TEXT --confirm TEXT",
        )

    def footprint() -> Footprint:
        found = about(bundle, subject)
        if not (found.uids or found.turns or found.staying):
            raise NotFoundError("Nothing names it as a whole word.", hint=" ".join(found.notes))
        return found

    return _erased_in_peace(bundle, footprint, "", wishes or Wishes(scan=False))


def preview_subject(bundle: Bundle, subject: str) -> Preview:
    """Everything that `forget_subject` would remove."""
    refresh(bundle)
    return about(bundle, subject).preview("")


class _Going(NamedTuple):
    """What goes, decided: documents, versions of what stays, turns, the note of it, and ids (with uid) of before."""

    documents: tuple[Located, ...]
    staying: tuple[Located, ...]
    turns: dict[str, tuple[int, ...]]
    intent: Intent
    names: tuple[str, ...]
    former: tuple[tuple[str, str], ...]


def _erased_in_peace(bundle: Bundle, footprint: Callable[[], Footprint], prefix: str, wishes: Wishes) -> Forgotten:
    """Erase it; anew when something that is not itself to go changes meanwhile."""
    if bundle.store.read_only:
        raise ReadOnlyBundleError(bundle.store.location)
    refresh(bundle)
    for left in reversed(range(_TRIES)):
        found = footprint()
        if wishes.derived and found.derived:
            with_derived(bundle, found)
        try:
            return _erased(bundle, found, prefix, wishes)
        except MemoryChangedError as error:
            # Another one that names it may have changed meanwhile; of itself nobody saw what it is now.
            if error.memory_id in {one.memory.id for one in found.memories} or not left:
                raise
    raise AssertionError("the last try returns or raises")


def _erased(bundle: Bundle, found: Footprint, prefix: str, wishes: Wishes) -> Forgotten:
    going = _decided(bundle, found, wishes)
    texts, keys = words(bundle, found.texts, going.documents, going.turns) if wishes.scan else ((), ())
    before = sizes(bundle)
    for one in going.staying:
        keep(bundle, one.memory)
    with bundle.index.erasing(going.intent.line()):
        bundle.turns.erase(going.names)
        notes = withdrawn(bundle, _withdrawal(going), prefix)
        done, left = _followed(bundle, going)
        left += _cleared(bundle, going.names)
    after = sizes(bundle)
    removed = [
        Removed("documents", len(going.documents)),
        Removed("versions", done.versions),
        Removed("proposals", done.proposals),
        Removed("turns", done.turns),
        *(Removed(kind, max(0, before[kind] - after[kind])) for kind in before if kind in after),
    ]
    receipt = Receipt(
        number=going.intent.number,
        at=bundle.clock.now(),
        removed=tuple(each for each in removed if each.amount),
        unread_versions=sum(found.unread.values()),
        left=tuple(left),
        beyond=beyond(None),
    )
    offered = found.preview(prefix)
    return Forgotten(
        ids=_ids(found, going),
        earlier=tuple(f"{prefix}{one.memory.id}" for one in going.staying),
        turns=done.turns,
        left=tuple(left),
        notes=(*notes, *found.notes),
        offered=Preview(
            derived=() if wishes.derived else offered.derived,
            quotes=() if wishes.with_session_quotes else offered.quotes,
            elsewhere=offered.elsewhere,
        ),
        receipt=searched(bundle, receipt, texts, keys) if wishes.scan else receipt,
    )


def _decided(bundle: Bundle, found: Footprint, wishes: Wishes) -> _Going:
    documents = (*found.memories, *(found.derived if wishes.derived else ()))
    turns = dict(found.turns)
    for session, numbers in found.quotes.items() if wishes.with_session_quotes else ():
        turns[session] = tuple(sorted({*turns.get(session, ()), *numbers}))
    known: list[str] = [name for one in documents for name in (one.memory.id, one.memory.uid)]
    whole = {one.memory.uid for one in documents}
    staying = tuple(one for one in found.staying if one.memory.uid not in whole)
    around = (*((one.path, one.memory.uid) for one in staying), *found.lost)
    known += [name for path, uid in around for name in (path.removesuffix(".md"), uid)]
    was = _called_before(bundle, ((one.memory.id, one.memory.uid) for one in documents), around)
    around = (*around, *((f"{name}.md", uid) for name, uid in was))
    known += [name for name, _ in was if not _stands(bundle, name)]
    said = [*found.called(turns)]
    intent = Intent.new(
        bundle.clock.now(),
        documents=tuple((one.memory.id, one.memory.uid) for one in documents),
        uids=tuple(dict.fromkeys((*found.uids, *(one.memory.uid for one in documents)))),
        past=tuple(one.memory.uid for one in staying),
        around=around,
        turns=tuple((session, None if session in found.whole else numbers) for session, numbers in turns.items()),
        names=(*known, *said),
        files=found.files,
    )
    return _Going(documents, staying, turns, intent, intent.names, tuple(was))


def _withdrawal(going: _Going) -> Withdrawal:
    former: dict[str, list[str]] = {}
    for name, uid in going.former:
        former.setdefault(uid, []).append(name)
    return Withdrawal(documents=going.documents, former=former, turns=dict(going.intent.turns), staying=going.staying)


def _called_before(
    bundle: Bundle, documents: Iterable[tuple[str, str]], around: Iterable[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Each id that one of these had before it was renamed by hand, with its uid: the log still calls it so."""
    now = [*documents, *((path.removesuffix(".md"), uid) for path, uid in around)]
    return [(name, uid) for last, uid in now for name in former_names(bundle, uid, last)]


def _stands(bundle: Bundle, name: str) -> bool:
    """Whether some memory has this id now."""
    with suppress(MnemicError):
        return bool(bundle.store.find(name))
    return False


def _ids(found: Footprint, going: _Going) -> tuple[str, ...]:
    """What is gone, by name; turns that were merely quoted are counted only."""
    asked = [name for name in going.names if name.startswith("session:")] if found.turns else []
    lost = [path.removesuffix(".md") for path, _ in found.lost]
    if not (going.documents or asked or lost):
        lost = list(found.uids)
    return (*(one.memory.id for one in going.documents), *lost, *asked)


def _followed(bundle: Bundle, going: _Going) -> tuple[Done, list[str]]:
    """What the note owes, done; in words, what cannot be done yet."""
    done = Done()
    try:
        with bundle.index.settling() as lines:
            for line in lines:
                if (intent := Intent.of(line)) is None:
                    continue
                one = finish(bundle, intent)
                if intent.number == going.intent.number:
                    done = one
    except MnemicError as error:
        if not going.documents:  # nothing has gone for sure
            raise
        return done, [f"something may still hold it: {error.message}"]
    return done, []


def _cleared(bundle: Bundle, names: Sequence[str]) -> list[str]:
    """Take it out of the index, whose files are written anew, so that no free page keeps the text."""
    behind = refresh(bundle).behind
    left = [*behind] if bundle.index.erasure_owed() else []
    try:
        bundle.turns.erase(names)  # what an agent did with it since the first time, while it was still there
    except StorageError as error:
        left.append(f"the record of what agents did may still name it: {error.message}")
    return left


def _unconfirmed(exact: str) -> ConfirmationError:
    return ConfirmationError(
        f"Forgetting {exact} cannot be undone, and was not confirmed. Nothing was removed.",
        hint=f"Repeat the id: mnemic forget {exact} --confirm {exact}",
    )
