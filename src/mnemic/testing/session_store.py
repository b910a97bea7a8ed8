"""Sessions in memory: a `SessionStore` for tests that need no disk."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemic.domain.documents import Stamp
from mnemic.domain.session import Session, SessionHead, Turn
from mnemic.domain.turns import KnownTurns
from mnemic.errors import SessionNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mnemic.domain.documents import Problem
    from mnemic.domain.session import Appended

PREFIX = ".mnemic/sessions/"
SUFFIX = ".jsonl"


@dataclass(slots=True)
class _Kept:
    head: SessionHead
    turns: list[Turn] = field(default_factory=list)
    erased: list[tuple[int, str]] = field(default_factory=list)
    changes: int = 0


class MemorySessions:
    """`SessionStore` that forgets everything with the process."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._changes = 0

    def stamps(self) -> list[Stamp]:
        """One a session, by path; the time grows with every change."""
        stamps = (
            Stamp(f"{PREFIX}{session_id}{SUFFIX}", len(kept.turns), kept.changes, 0)
            for session_id, kept in self._kept.items()
        )
        return sorted(stamps, key=lambda stamp: stamp.path)

    def heads(self) -> Iterator[SessionHead]:
        """Every session, by id."""
        for _, kept in sorted(self._kept.items()):
            yield kept.head

    def read(self, session_id: str) -> Session:
        """One session whole. Raises SessionNotFoundError."""
        kept = self._of(session_id)
        places = {turn.number: line for line, turn in enumerate(kept.turns, start=2)}
        turns = tuple(sorted(kept.turns, key=lambda turn: turn.number))
        return Session(
            head=kept.head,
            turns=turns,
            path=f"{PREFIX}{session_id}{SUFFIX}",
            lines=tuple(places[turn.number] for turn in turns),
        )

    def read_path(self, path: str) -> Session:
        """The session at a stamp's path. Raises SessionNotFoundError."""
        if not (path.startswith(PREFIX) and path.endswith(SUFFIX)):
            raise SessionNotFoundError(path)
        return self.read(path.removeprefix(PREFIX).removesuffix(SUFFIX))

    def append(self, head: SessionHead, turns: Iterable[Turn]) -> Appended:
        """Add turns that are not there yet; all or none."""
        kept = self._kept.get(head.id) or _Kept(head)
        known = KnownTurns(head.id)
        for turn in kept.turns:
            known.learn(turn)
        for number, source_id in kept.erased:
            known.learn_erased(number, source_id)
        new = [turn for turn in map(known.admit, turns) if turn is not None]
        if new:
            kept.turns += new
            self._kept[head.id] = kept
            self._changed(kept)
        return known.appended()

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Nothing to do: memory is as durable as it gets."""
        yield

    def check(self) -> list[Problem]:
        """Never anything wrong."""
        return []

    def erase(self, session_id: str, numbers: Sequence[int] | None = None) -> int:
        """Take away a session, or some of its turns. Raises SessionNotFoundError."""
        kept = self._of(session_id)
        gone = [turn for turn in kept.turns if numbers is None or turn.number in numbers]
        if numbers is None:
            del self._kept[session_id]
        elif gone:
            kept.turns = [turn for turn in kept.turns if turn not in gone]
            kept.erased += [(turn.number, turn.source_id) for turn in gone]
            self._changed(kept)
        return len(gone)

    def _of(self, session_id: str) -> _Kept:
        if session_id not in self._kept:
            raise SessionNotFoundError(session_id)
        return self._kept[session_id]

    def _changed(self, kept: _Kept) -> None:
        self._changes += 1
        kept.changes = self._changes
