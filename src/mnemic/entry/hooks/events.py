"""What each event of a coding agent does, whatever its client calls it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.domain.capsule import Slot
from mnemic.entry.hooks.replies import reply
from mnemic.entry.hooks.said import PROMPT, START

if TYPE_CHECKING:
    from mnemic.app import App
    from mnemic.entry.hooks.said import Said


def answer(app: App, one: Said) -> bytes:
    """What the client's hook prints for an event; nothing of it is kept here (`keeping`).

    A session that starts, also anew after a compaction, gets what stays the same for a conversation. A prompt announces
    a turn, and gets what belongs to it. Everything else gets an empty answer: a memory never keeps an agent going.
    """
    if one.kind == START:
        return reply(one.client, one.event, app.context("", slots=(Slot.SYSTEM,), conversation=one.conversation).system)
    if one.kind == PROMPT:
        app.gate(one.conversation).begin()
        capsule = app.context(
            one.prompt[: app.bundle.policy.limits.query_characters],
            slots=(Slot.TURN, Slot.PREFIX),
            conversation=one.conversation,
            quick=True,
        )
        return reply(one.client, one.event, "\n\n".join(filter(None, (capsule.turn, capsule.prefix))))
    return reply(one.client, one.event, "")
