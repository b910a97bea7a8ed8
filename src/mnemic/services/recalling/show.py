"""Reading one thing whole: a memory, a session, or one turn with its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.domain.ids import parse_turn_id
from mnemic.domain.sealing import is_hidden
from mnemic.errors import SessionNotFoundError, StorageError
from mnemic.services.judging.citations import verified
from mnemic.services.judging.outcomes import outcomes_of

if TYPE_CHECKING:
    from mnemic.domain.citations import Citation
    from mnemic.domain.documents import Located
    from mnemic.domain.outcomes import Outcome
    from mnemic.domain.session import Session, Turn
    from mnemic.services.bundle import Bundle


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Either a memory, or turns of a session (`asked` is the one that was named, if one was).

    Of a memory also what came of it, newest first, and whether what it cites still stands.
    """

    memory: Located | None = None
    outcomes: tuple[Outcome, ...] = ()
    citation: Citation | None = None
    session: Session | None = None
    turns: tuple[Turn, ...] = ()
    asked: int | None = None


def show(bundle: Bundle, given: str, *, around: int = 0, reveal: bool = False) -> Shown:
    """What an id names: `people/anna`, `session:2026-05-03`, `session:2026-05-03#4`.

    Args:
        bundle: Where to look.
        given: The id, in any case or normalization.
        around: For a turn: how many turns before and after it to show too.
        reveal: Of a sensitive memory what it says, out of the vault; else nothing of that is shown.

    Raises:
        VaultLockedError, VaultDamagedError, SealedContentLostError: What is to be revealed cannot be read.
        MemoryNotFoundError, SessionNotFoundError, InvalidIdError: There is no such thing.
    """
    turn = parse_turn_id(given)
    if turn is None:
        from mnemic.services.judging.sealed import shown

        located = bundle.store.find(given)
        return Shown(
            memory=shown(bundle, located, reveal=reveal) if is_hidden(located.memory) else located,
            outcomes=_outcomes(bundle, located.memory.id),
            citation=verified(bundle, located.memory.provenance),
        )
    session_id, number = turn
    session = bundle.sessions.read(session_id)
    if number is None:
        return Shown(session=session, turns=session.turns)
    if not any(known.number == number for known in session.turns):
        raise SessionNotFoundError(given)
    near = tuple(known for known in session.turns if abs(known.number - number) <= around)
    return Shown(session=session, turns=near, asked=number)


def _outcomes(bundle: Bundle, memory_id: str) -> tuple[Outcome, ...]:
    """What came of it as far as the index knows; that it cannot be read is no reason not to show the memory."""
    try:
        return outcomes_of(bundle, memory_id)
    except StorageError:
        return ()
