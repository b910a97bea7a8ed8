"""What an agent may do in a turn, as values: the open turn, its receipts, what was used of its budget.

A turn is one prompt of a user and all that follows until the next. A search gives a receipt and a read another one;
whoever wants to write hands the receipt back. Nobody can know a receipt before the reply that gives it, so calls that
a model makes side by side in one reply never count as done one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime


class ReceiptKind(StrEnum):
    """What a receipt proves."""

    SEARCH = "search"
    READ = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Proof that something was done in a turn; `id` and `revision` only of a read."""

    token: str
    kind: ReceiptKind
    turn: str
    issued_at: datetime
    id: str = ""
    revision: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """A turn that is going on, and how much was read whole in it.

    `announced`: somebody said that it begins (a hook, the host program); else a first call opened it.
    """

    id: str
    conversation: str
    begun_at: datetime
    announced: bool
    reads: int = 0
    characters: int = 0


class Budget(NamedTuple):
    """What may still be read whole in a turn."""

    reads: int
    characters: int


class Use(StrEnum):
    """How a memory served: put before an agent, read whole, or built upon in a write."""

    DELIVERED = "delivered"
    READ = "read"
    USED = "used"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Something that was put into an agent's context: where, why and at what cost in tokens."""

    id: str
    slot: str
    why: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """How often a memory served, and when last (None: never)."""

    delivered: int = 0
    read: int = 0
    used: int = 0
    last_at: datetime | None = None
