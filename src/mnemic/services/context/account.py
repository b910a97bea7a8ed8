"""What a capsule is made of so far: texts taken into slots as long as there is room, and what was left out and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.capsule import Capsule, CapsuleItem, LeftOut, Omitted, Slot, Why

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mnemic.ports import TokenCounter

_JOIN = 1
"""A line break between two texts costs at most one token more than both."""
_SEPARATORS = {Slot.SYSTEM: "\n\n", Slot.TURN: "\n", Slot.PREFIX: "\n\n"}
_TEXTLESS = frozenset({Why.OFFERED, Why.HINT, Why.DUE})
"""Of these a capsule shows a title or a description, not the memory."""


class Piece(NamedTuple):
    """A text that may go into a slot; `id` is a reference, or empty for our own words."""

    id: str
    slot: Slot
    why: Why
    text: str


@dataclass(slots=True)
class Account:
    """Takes texts in the order in which they are offered.

    `given` is the system slot as the conversation has it already: what stands there is not shown twice.
    """

    budget: int
    count: TokenCounter
    given: str = ""
    system_parts: list[str] = field(default_factory=list)
    spent: int = 0
    items: list[CapsuleItem] = field(default_factory=list)
    left: list[LeftOut] = field(default_factory=list)
    texts: dict[Slot, list[str]] = field(default_factory=lambda: {slot: [] for slot in Slot})

    def cost(self, text: str) -> int:
        """What a text costs together with what joins it to others."""
        return self.count(text) + _JOIN

    def room(self, limit: int | None = None) -> int:
        """What may still be spent, of the budget or up to a lower limit."""
        return (self.budget if limit is None else min(limit, self.budget)) - self.spent

    def give_again(self, part: str) -> None:
        """Use a part of the system slot that was made before, if it fits into this budget."""
        cost = self.cost(part)
        if cost > self.room():
            self.omit("", Slot.SYSTEM, Omitted.BUDGET, cost)
            part, cost = "", 0
        self.system_parts.append(part)
        self.spent += cost

    def close_part(self) -> None:
        """What was taken into the system slot since the last part is one of its own."""
        self.system_parts.append(_SEPARATORS[Slot.SYSTEM].join(self.texts[Slot.SYSTEM]))
        self.texts[Slot.SYSTEM].clear()

    def take(self, pieces: Iterable[Piece], limit: int | None = None) -> None:
        """Take what fits; what does not is left out, and does not keep out what comes after it."""
        for piece in pieces:
            cost = self.cost(piece.text)
            if cost <= self.room(limit):
                self.keep(piece, cost)
            else:
                self.omit(piece.id, piece.slot, Omitted.BUDGET, cost)

    def keep(self, piece: Piece, cost: int) -> None:
        """Take one text that is known to fit."""
        self.texts[piece.slot].append(piece.text)
        self.items.append(CapsuleItem(id=piece.id, slot=piece.slot, why=piece.why, tokens=cost))
        self.spent += cost

    def omit(self, named: str, slot: Slot, why: Omitted, tokens: int = 0) -> None:
        """Note what is not in it."""
        self.left.append(LeftOut(id=named, slot=slot, why=why, tokens=tokens))

    def shows(self, named: str) -> bool:
        """Whether the text of a memory is in it already."""
        if f'<memory id="{named}"' in self.given:
            return True
        return any(item.id == named and item.why not in _TEXTLESS for item in self.items)

    def size(self, slot: Slot) -> int:
        """How many texts a slot has."""
        return sum(item.slot is slot for item in self.items)

    def closed(self, language: str, degraded: Iterable[str]) -> Capsule:
        """The capsule."""
        joined = {slot: _SEPARATORS[slot].join(texts) for slot, texts in self.texts.items()}
        return Capsule(
            system_parts=tuple(self.system_parts),
            turn=joined[Slot.TURN],
            prefix=joined[Slot.PREFIX],
            items=tuple(self.items),
            left_out=tuple(self.left),
            tokens=self.spent,
            budget=self.budget,
            language=language,
            degraded=tuple(degraded),
        )
