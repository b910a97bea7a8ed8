"""Taking a memory out of existence: its document, its backups, and everything derived from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.domain.changes import ChangeSet, Removal
from mnemic.domain.ids import memory_id, parse_turn_id
from mnemic.errors import ConfirmationError, InvalidIdError, SessionNotFoundError
from mnemic.services.refresh import refresh

if TYPE_CHECKING:
    from mnemic.services.bundle import Bundle


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What was taken away: ids, and how many turns of sessions."""

    ids: tuple[str, ...]
    turns: int = 0


def forget(bundle: Bundle, given: str, *, confirm: str) -> Forgotten:
    """Remove a memory, a session (`session:ID`) or one turn of it (`session:ID#N`) for good.

    Args:
        bundle: Where it is.
        given: Its id, in any case or normalization.
        confirm: The same id again, in any case or normalization; nothing happens without.

    Raises:
        ConfirmationError: `confirm` is another text.
        MemoryNotFoundError, SessionNotFoundError: There is no such thing.
    """
    turn = parse_turn_id(given)
    done = _forget_memory(bundle, given, confirm) if turn is None else _forget_turns(bundle, given, confirm, turn)
    refresh(bundle)
    # Rows are gone with the refresh; the files that hold them are written anew, so that no free page keeps the text.
    bundle.index.compact()
    return done


def _forget_memory(bundle: Bundle, given: str, confirm: str) -> Forgotten:
    located = bundle.store.find(given)
    exact = located.memory.id
    if not _same_id(confirm, exact):
        raise _unconfirmed(exact)
    bundle.store.apply(ChangeSet(removals=(Removal(exact, located.revision),)))
    return Forgotten(ids=(exact,))


def _forget_turns(bundle: Bundle, given: str, confirm: str, turn: tuple[str, int | None]) -> Forgotten:
    session, number = turn
    if confirm != given:
        raise _unconfirmed(given)
    erased = bundle.sessions.erase(session, None if number is None else (number,))
    if erased == 0 and number is not None:
        raise SessionNotFoundError(given)
    return Forgotten(ids=(given,), turns=erased)


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
