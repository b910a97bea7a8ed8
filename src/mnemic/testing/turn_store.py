"""A `TurnStore` in memory: for tests of what agents may do, without a disk."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING

from mnemic.domain.access import OpenTurn, Usage, Use
from mnemic.domain.ids import SESSION_PREFIX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.domain.access import Delivery, Receipt

_MICROSECOND = timedelta(microseconds=1)
_SECOND = timedelta(seconds=1)


@dataclass(slots=True)
class _Conversation:
    turn: OpenTurn | None = None
    found: set[str] = field(default_factory=set)
    deliveries: list[tuple[datetime, Delivery]] = field(default_factory=list)
    frozen: str | None = None
    frozen_of: frozenset[str] = frozenset()


class InMemoryTurns:
    """Keeps everything in dictionaries, for as long as the process lives."""

    def __init__(self) -> None:
        self._conversations: dict[str, _Conversation] = {}
        self._receipts: dict[str, Receipt] = {}
        self._usage: dict[str, Usage] = {}
        self._latest: datetime | None = None
        self._announced: datetime | None = None
        self._numbers = count(1)
        self._lock = threading.RLock()

    def begin(self, conversation: str, now: datetime, *, announced: bool, instead_of: str | None = None) -> OpenTurn:
        """As the port says."""
        with self._lock:
            kept = self._of(conversation)
            if instead_of is not None and kept.turn is not None and kept.turn.id != instead_of:
                return kept.turn
            latest = self._latest
            if latest is not None and now <= latest <= now + _SECOND:
                now = latest + _MICROSECOND
            self._latest = now
            if announced or (self._announced is not None and self._announced > now):
                self._announced = now
            turn = f"turn-{next(self._numbers)}"
            kept.turn = OpenTurn(id=turn, conversation=conversation, begun_at=now, announced=announced)
            kept.found = set()
            return kept.turn

    def current(self, conversation: str) -> OpenTurn | None:
        """As the port says."""
        kept = self._conversations.get(conversation)
        return kept.turn if kept else None

    def end(self, conversation: str) -> None:
        """As the port says."""
        with self._lock:
            kept = self._of(conversation)
            kept.turn, kept.found = None, set()

    def last_announced(self) -> datetime | None:
        """As the port says."""
        return self._announced

    def note_search(self, receipt: Receipt, ids: Sequence[str]) -> None:
        """As the port says."""
        with self._lock:
            self._receipts[receipt.token] = receipt
            kept = self._holding(receipt.turn)
            if kept is not None:
                kept.found.update(ids)

    def was_found(self, turn: str, memory_id: str) -> bool:
        """As the port says."""
        with self._lock:
            kept = self._holding(turn)
            return kept is not None and memory_id in kept.found

    def note_read(self, receipt: Receipt, characters: int, *, most_reads: int, most_characters: int) -> bool:
        """As the port says."""
        with self._lock:
            kept = self._holding(receipt.turn)
            if kept is None or kept.turn is None:
                return False
            turn = replace(kept.turn, reads=kept.turn.reads + 1, characters=kept.turn.characters + characters)
            if turn.reads > most_reads or turn.characters > most_characters:
                return False
            kept.turn = turn
            self._receipts[receipt.token] = receipt
            return True

    def receipt(self, token: str) -> Receipt | None:
        """As the port says."""
        with self._lock:
            found = self._receipts.get(token)
            return found if found is not None and self._holding(found.turn) is not None else None

    def was_given(self, token: str) -> bool:
        """As the port says."""
        return token in self._receipts

    def note_delivery(self, conversation: str, now: datetime, deliveries: Sequence[Delivery]) -> None:
        """As the port says."""
        with self._lock:
            self._of(conversation).deliveries.extend((now, delivery) for delivery in deliveries)

    def deliveries(self, conversation: str, limit: int) -> list[tuple[datetime, Delivery]]:
        """As the port says."""
        kept = self._conversations.get(conversation)
        return kept.deliveries[::-1][:limit] if kept else []

    def note_use(self, ids: Sequence[str], use: Use, now: datetime) -> None:
        """As the port says."""
        with self._lock:
            for memory_id in dict.fromkeys(ids):
                known = self._usage.get(memory_id, Usage())
                self._usage[memory_id] = Usage(
                    delivered=known.delivered + (use is Use.DELIVERED),
                    read=known.read + (use is Use.READ),
                    used=known.used + (use is Use.USED),
                    last_at=now,
                )

    def usage(self, ids: Sequence[str]) -> dict[str, Usage]:
        """As the port says."""
        return {memory_id: self._usage[memory_id] for memory_id in ids if memory_id in self._usage}

    def frozen(self, conversation: str) -> str | None:
        """As the port says."""
        kept = self._conversations.get(conversation)
        return kept.frozen if kept else None

    def freeze(self, conversation: str, text: str, ids: Sequence[str], now: datetime) -> None:  # noqa: ARG002 - nothing grows old here
        """As the port says."""
        with self._lock:
            kept = self._of(conversation)
            kept.frozen, kept.frozen_of = text, frozenset(ids)

    def thaw(self, ids: Sequence[str]) -> None:
        """As the port says."""
        with self._lock:
            for memory_id in ids:
                self._thaw(memory_id)

    def _thaw(self, gone: str) -> None:
        for kept in self._conversations.values():
            if any(each == gone.partition("#")[0] or _is_of(each, gone) for each in kept.frozen_of):
                kept.frozen, kept.frozen_of = None, frozenset()

    def erase(self, ids: Sequence[str]) -> None:
        """As the port says."""
        with self._lock:
            for memory_id in ids:
                self._erase(memory_id)

    def _erase(self, erased: str) -> None:
        def is_of(memory_id: str) -> bool:
            return _is_of(memory_id, erased)

        self._thaw(erased)
        if "#" not in erased and erased.startswith(SESSION_PREFIX):
            self._conversations.pop(erased.removeprefix(SESSION_PREFIX), None)
        for kept in self._conversations.values():
            kept.found = {each for each in kept.found if not is_of(each)}
            kept.deliveries = [each for each in kept.deliveries if not is_of(each[1].id)]
        self._receipts = {token: each for token, each in self._receipts.items() if not is_of(each.id)}
        self._usage = {each: usage for each, usage in self._usage.items() if not is_of(each)}

    def _of(self, conversation: str) -> _Conversation:
        return self._conversations.setdefault(conversation, _Conversation())

    def _holding(self, turn: str) -> _Conversation | None:
        """The conversation whose open turn this is."""
        kept = self._conversations.values()
        return next((each for each in kept if each.turn is not None and each.turn.id == turn), None)


def _is_of(memory_id: str, whole: str) -> bool:
    """Whether it is this memory or a part of it."""
    return memory_id == whole or memory_id.startswith(f"{whole}#")
