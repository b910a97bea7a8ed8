"""Reading one thing whole: a memory, a session, or one turn with its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.domain.ids import parse_turn_id
from mnemic.errors import SessionNotFoundError

if TYPE_CHECKING:
    from mnemic.domain.documents import Located
    from mnemic.domain.session import Session, Turn
    from mnemic.services.bundle import Bundle


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Either a memory, or turns of a session (`asked` is the one that was named, if one was)."""

    memory: Located | None = None
    session: Session | None = None
    turns: tuple[Turn, ...] = ()
    asked: int | None = None


def show(bundle: Bundle, given: str, *, around: int = 0) -> Shown:
    """What an id names: `people/anna`, `session:2026-05-03`, `session:2026-05-03#4`.

    Args:
        bundle: Where to look.
        given: The id, in any case or normalization.
        around: For a turn: how many turns before and after it to show too.

    Raises:
        MemoryNotFoundError, SessionNotFoundError, InvalidIdError: There is no such thing.
    """
    turn = parse_turn_id(given)
    if turn is None:
        return Shown(memory=bundle.store.find(given))
    session_id, number = turn
    session = bundle.sessions.read(session_id)
    if number is None:
        return Shown(session=session, turns=session.turns)
    if not any(known.number == number for known in session.turns):
        raise SessionNotFoundError(given)
    near = tuple(known for known in session.turns if abs(known.number - number) <= around)
    return Shown(session=session, turns=near, asked=number)
