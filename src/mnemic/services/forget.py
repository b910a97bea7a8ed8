"""Taking a memory out of existence: its document, its backups, and everything derived from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mnemic.domain.changes import ChangeSet, Put, Removal
from mnemic.domain.ids import memory_id, parse_turn_id
from mnemic.errors import (
    ConfirmationError,
    DocumentMalformedError,
    InvalidIdError,
    LimitExceededError,
    MemoryChangedError,
    ReadOnlyBundleError,
    SessionNotFoundError,
    StorageError,
    WriteFailedError,
)
from mnemic.services.references import references_to, told, told_of_texts, without
from mnemic.services.refresh import refresh

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.domain.documents import Located
    from mnemic.services.bundle import Bundle

_TRIES = 5
"""So often it is tried when a memory that names it changes at the same moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What was taken away: ids, and how many turns of sessions.

    `left` says in words where a trace may still be, and why; the next command of any kind tries to clear it again.
    `notes` says what became of memories that named it.
    """

    ids: tuple[str, ...]
    turns: int = 0
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def forget(bundle: Bundle, given: str, *, confirm: str, prefix: str = "") -> Forgotten:
    """Remove a memory, a session (`session:ID`) or one turn of it (`session:ID#N`) for good.

    That an erasure is owed is noted before anything is removed: killed at any point, the next call finishes it. What
    agents did with it goes first: as long as its document is there, all of this can be done again. Memories that name
    it in a field lose the name in the same change; links in texts stay, and are told.

    Args:
        bundle: Where it is.
        given: Its id, in any case or normalization.
        confirm: The same id again, in any case or normalization; nothing happens without.
        prefix: What ids of this bundle begin with in references.

    Raises:
        ConfirmationError: `confirm` is another text.
        MemoryNotFoundError, SessionNotFoundError: There is no such thing.
    """
    turn = parse_turn_id(given)
    if turn is None:
        return _forget_memory(bundle, given, confirm, prefix)
    return _forget_turns(bundle, given, confirm, turn)


def _forget_memory(bundle: Bundle, given: str, confirm: str, prefix: str) -> Forgotten:
    located = bundle.store.find(given)
    exact = located.memory.id
    if not _same_id(confirm, exact):
        raise _unconfirmed(exact)
    if bundle.store.read_only:
        raise ReadOnlyBundleError(bundle.store.location)
    refresh(bundle)
    for left in reversed(range(_TRIES)):
        references = references_to(bundle, located)
        try:
            with bundle.index.erasing():
                bundle.turns.erase((exact,))
                notes = _removed(bundle, located, references.fields, prefix)
                notes += told_of_texts(references.texts, prefix)
                return _cleared(bundle, Forgotten(ids=(exact,), notes=tuple(notes)))
        except MemoryChangedError as error:
            # Another one that names it may have changed meanwhile; of itself nobody saw what it is now.
            if error.memory_id == exact or not left:
                raise
    raise AssertionError("the last try returns or raises")


def _removed(bundle: Bundle, located: Located, naming: Sequence[Located], prefix: str) -> list[str]:
    """Take it away, and its name out of others, all in one; what there is to say of these.

    One that cannot be written as it is does not keep what is to be forgotten.
    """
    gone, now = located.memory.id, bundle.clock.now()
    writable = list(naming)
    while True:
        puts = tuple(Put(without(one.memory, gone, now), one.revision) for one in writable)
        try:
            bundle.store.apply(ChangeSet(puts=puts, removals=(Removal(gone, located.revision),)))
            break
        except (DocumentMalformedError, LimitExceededError, WriteFailedError) as error:
            if not writable or error.__cause__ is not None:  # the disk's fault, which another try may find mended
                raise
            refused = error.what if isinstance(error, LimitExceededError) else error.path
            fewer = [one for one in writable if one.path != refused]
            writable = fewer if len(fewer) < len(writable) else []
    notes = [note for one in writable for note in told(one.memory, gone, prefix)]
    still = [f"{prefix}{one.memory.id}" for one in naming if one not in writable]
    return notes + [f"{each} still names it: its document cannot be written" for each in still]


def _forget_turns(bundle: Bundle, given: str, confirm: str, turn: tuple[str, int | None]) -> Forgotten:
    session, number = turn
    if confirm != given:
        raise _unconfirmed(given)
    with bundle.index.erasing():
        bundle.turns.erase((given,))
        erased = bundle.sessions.erase(session, None if number is None else (number,))
        if erased == 0 and number is not None:
            raise SessionNotFoundError(given)
        return _cleared(bundle, Forgotten(ids=(given,), turns=erased))


def _cleared(bundle: Bundle, done: Forgotten) -> Forgotten:
    """Take it out of the index, whose files are written anew, so that no free page keeps the text."""
    behind = refresh(bundle).behind
    left = behind if bundle.index.erasure_owed() else ()
    try:
        bundle.turns.erase(done.ids)  # what an agent did with it since the first time, while it was still there
    except StorageError as error:
        left = (*left, f"the record of what agents did may still name it: {error.message}")
    return replace(done, left=left)


def _same_id(given: str, exact: str) -> bool:
    try:
        return given == exact or memory_id(given) == exact
    except InvalidIdError:
        return False


def _unconfirmed(exact: str) -> ConfirmationError:
    return ConfirmationError(
        f"Forgetting {exact} cannot be undone, and was not confirmed. Nothing was removed.",
        hint=f"Repeat the id: mnemic forget {exact} --confirm {exact}",
    )
