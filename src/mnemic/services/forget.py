"""Taking a memory out of existence: its document, its backups, and everything derived from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mnemic.domain.changes import ChangeSet, Removal
from mnemic.domain.ids import memory_id, parse_turn_id
from mnemic.errors import ConfirmationError, InvalidIdError, ReadOnlyBundleError, SessionNotFoundError, StorageError
from mnemic.services.refresh import refresh

if TYPE_CHECKING:
    from mnemic.services.bundle import Bundle


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What was taken away: ids, and how many turns of sessions.

    `left` says in words where a trace may still be, and why; the next command of any kind tries to clear it again.
    """

    ids: tuple[str, ...]
    turns: int = 0
    left: tuple[str, ...] = ()


def forget(bundle: Bundle, given: str, *, confirm: str) -> Forgotten:
    """Remove a memory, a session (`session:ID`) or one turn of it (`session:ID#N`) for good.

    That an erasure is owed is noted before anything is removed: killed at any point, the next call finishes it. What
    agents did with it goes first: as long as its document is there, all of this can be done again.

    Args:
        bundle: Where it is.
        given: Its id, in any case or normalization.
        confirm: The same id again, in any case or normalization; nothing happens without.

    Raises:
        ConfirmationError: `confirm` is another text.
        MemoryNotFoundError, SessionNotFoundError: There is no such thing.
    """
    turn = parse_turn_id(given)
    if turn is None:
        return _forget_memory(bundle, given, confirm)
    return _forget_turns(bundle, given, confirm, turn)


def _forget_memory(bundle: Bundle, given: str, confirm: str) -> Forgotten:
    located = bundle.store.find(given)
    exact = located.memory.id
    if not _same_id(confirm, exact):
        raise _unconfirmed(exact)
    if bundle.store.read_only:
        raise ReadOnlyBundleError(bundle.store.location)
    with bundle.index.erasing():
        bundle.turns.erase((exact,))
        bundle.store.apply(ChangeSet(removals=(Removal(exact, located.revision),)))
        return _cleared(bundle, Forgotten(ids=(exact,)))


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
