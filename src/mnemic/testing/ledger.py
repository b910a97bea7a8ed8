"""A ledger in a list, for tests."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING

from mnemic.adapters.ledger.canonical import event_of, line_of
from mnemic.domain.ledger import BEGINNING, LedgerReport

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mnemic.domain.ledger import Act, Event


class InMemoryLedger:
    """`Ledger` of one process; chained as a real one, so that its hashes are those a file would have."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._lock = RLock()

    def append(self, acts: Sequence[Act], *, durable: bool = False) -> tuple[Event, ...]:  # noqa: ARG002 - no disk
        """As the port says."""
        with self._lock:
            return tuple(self._recorded(act) or self._record(act) for act in acts)

    def events(self, *, uid: str | None = None, after: int = 0) -> Iterator[Event]:
        """As the port says."""
        return iter([event for event in self._events[after:] if uid is None or event.act.uid == uid])

    def lines(self) -> Iterator[tuple[bytes, Event | None]]:
        """As the port says."""
        return iter([(line_of(event.act, event.seq, event.prev)[0].rstrip(b"\n"), event) for event in self._events])

    def head(self) -> tuple[int, str]:
        """As the port says."""
        return (self._events[-1].seq, self._events[-1].hash) if self._events else (0, BEGINNING)

    def verify(self) -> LedgerReport:
        """As the port says; nothing can be wrong."""
        events, head = self.head()
        return LedgerReport(events=events, head=head, vouched=events)

    def _recorded(self, act: Act) -> Event | None:
        for event in reversed(self._events):
            if event.act.is_repeated_by(act):
                return event
            if act.uid and event.act.uid == act.uid:
                return None
        return None

    def _record(self, act: Act) -> Event:
        seq, last = self.head()
        event = event_of(line_of(act, seq + 1, last)[0].rstrip(b"\n"))
        assert event is not None
        self._events.append(event)
        return event
