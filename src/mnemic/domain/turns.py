"""Which turns a session knows already, and which number a new one gets: the rules of an idempotent append."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mnemic.domain.instants import pinned
from mnemic.domain.session import MAX_TURN_NUMBER, Appended, Conflict
from mnemic.errors import InvalidSessionError

if TYPE_CHECKING:
    from mnemic.domain.session import Turn


class KnownTurns:
    """The turns of one session during an append. Keeps a hash of each turn, not its text.

    A turn is known by its `source_id`; without one, by its number. A new turn keeps the number it comes with if that
    is free. Otherwise, and when it comes with 0, it gets one more than the highest number the session ever had, erased
    turns included: a number is never given twice. A turn with neither name is always new. A known turn with another
    moment, speaker, role or text is a conflict; an erased one is known and stays erased.
    """

    def __init__(self, session: str) -> None:
        self._session = session
        self._hashes: dict[int, int | None] = {}
        self._numbers: dict[str, int] = {}
        self._last = 0
        self._added = 0
        self._known = 0
        self._conflicts: list[Conflict] = []

    def learn(self, turn: Turn) -> None:
        """Take in a turn that is stored."""
        self._learn(turn.number, turn.source_id, _hash(turn))

    def learn_erased(self, number: int, source_id: str) -> None:
        """Take in the trace of a turn that was erased."""
        self._learn(number, source_id, None)

    def admit(self, turn: Turn) -> Turn | None:
        """The turn to store, with its number; None when it is known.

        Raises:
            InvalidSessionError: It belongs to another session, its moment has no offset, or its number is no number.
        """
        self._check(turn)
        number = self._numbers.get(turn.source_id) if turn.source_id else turn.number
        if number in self._hashes:
            self._recognise(number, turn)
            return None
        free = turn.number > 0 and turn.number not in self._hashes
        new = turn if free else replace(turn, number=self._last + 1)
        self.learn(new)
        self._added += 1
        return new

    def appended(self) -> Appended:
        """What was admitted so far, and what was known."""
        return Appended(session=self._session, added=self._added, known=self._known, conflicts=tuple(self._conflicts))

    def _learn(self, number: int, source_id: str, hashed: int | None) -> None:
        self._hashes[number] = hashed
        if source_id:
            self._numbers[source_id] = number
        self._last = max(self._last, number)

    def _recognise(self, number: int, turn: Turn) -> None:
        stored = self._hashes[number]
        if stored is not None and stored != _hash(turn):
            self._conflicts.append(Conflict(self._added + self._known, number))
        self._known += 1

    def _check(self, turn: Turn) -> None:
        if turn.session != self._session:
            raise InvalidSessionError(f"A turn of the session {turn.session!r} cannot go into {self._session!r}.")
        if turn.at.tzinfo is None:
            raise InvalidSessionError(f"A turn of {self._session!r} has a moment without an offset from UTC.")
        if not 0 <= turn.number <= MAX_TURN_NUMBER:
            raise InvalidSessionError(
                f"{turn.number} is no turn number.", hint=f"Turns are numbered from 1 to {MAX_TURN_NUMBER:,}."
            )


def _hash(turn: Turn) -> int:
    return hash((pinned(turn.at), turn.speaker, turn.role, turn.text))
