"""Keeping account of what was put into an agent's context: what, where, why, and that it was of use."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mnemic.domain.access import Delivery, Use
from mnemic.domain.capsule import Slot, Why
from mnemic.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from mnemic.domain.capsule import Capsule
    from mnemic.ports import TurnStore
    from mnemic.services.bundle import Bundle

_NO_USE = frozenset({Why.HINT, Why.OFFERED, Why.INSTRUCTION})
"""A title or a description alone is not the memory."""


def deliver(bundles: Sequence[Bundle], conversation: str, capsule: Capsule, *, now: datetime, kept: bool) -> None:
    """Note a delivery, and keep the system slot for the rest of the conversation, unless all of it was `kept` before.

    Each bundle keeps what concerns its own memories, so that forgetting one reaches it. An account that cannot be kept
    is no reason to withhold the context.
    """
    others = tuple(f"{other.name}:" for other in bundles[1:])
    for number, bundle in enumerate(bundles):
        prefix = f"{bundle.name}:" if number else ""
        own = [
            replace(item, id=item.id.removeprefix(prefix))
            for item in capsule.items
            if item.id and (item.id.startswith(prefix) if prefix else not item.id.startswith(others))
        ]
        try:
            if conversation and capsule.system_parts and not kept:
                ids = [item.id for item in own if item.slot is Slot.SYSTEM]
                _keep(bundle.turns, conversation, capsule.system_parts[number], ids, now)
            if conversation:
                rows = [Delivery(id=item.id, slot=item.slot, why=item.why, tokens=item.tokens) for item in own]
                bundle.turns.note_delivery(conversation, now, rows)
            bundle.turns.note_use([item.id for item in own if item.why not in _NO_USE], Use.DELIVERED, now)
        except StorageError:
            continue


def _keep(turns: TurnStore, conversation: str, part: str, ids: Sequence[str], now: datetime) -> None:
    if turns.frozen(conversation) is None:
        turns.freeze(conversation, part, ids, now)
