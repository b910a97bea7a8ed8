"""What each event of a coding agent does, whatever its client calls it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mnemic.domain.capsule import Slot
from mnemic.entry.hooks.replies import reply
from mnemic.entry.hooks.said import PROMPT, START
from mnemic.errors import StorageError

if TYPE_CHECKING:
    from mnemic.app import App
    from mnemic.entry.hooks.said import Said

_OF_A_PROMPT = frozenset({Slot.TURN, Slot.PREFIX})


def answer(app: App, one: Said, *, announce: bool = True, whole: bool = False) -> bytes:
    """What the client's hook prints for an event; nothing of it is kept here (`keeping`).

    A session that starts, also anew after a compaction, gets what stays the same for a conversation. A prompt gets what
    belongs to its turn. Everything else gets an empty answer: a memory never keeps an agent going.

    Args:
        app: The memory.
        one: The event.
        announce: Whether a prompt begins a turn; one that is said into a running answer does not.
        whole: Whether a prompt gets what the conversation starts with too. It does in any case where it must.
    """
    if one.kind == START and not one.forgets:
        return reply(one.client, one.event, app.context("", slots=(Slot.SYSTEM,), conversation=one.conversation).system)
    if one.kind != PROMPT:
        return reply(one.client, one.event, "")
    if announce:
        app.gate(one.conversation).begin()
    capsule = app.context(
        one.prompt,
        slots=frozenset(Slot) if whole or lacks_start(app, one) else _OF_A_PROMPT,
        conversation=one.conversation,
        apart=own_sessions(one),
        quick=True,
    )
    return reply(one.client, one.event, "\n\n".join(filter(None, (capsule.system, capsule.turn, capsule.prefix))))


def lacks_start(app: App, one: Said) -> bool:
    """Whether what a conversation starts with is not before the model: nobody asked for it yet, or it is gone.

    Where that cannot be told it counts as there: else every prompt would get it again.
    """
    try:
        return one.forgets or app.bundle.turns.frozen(one.conversation) is None
    except StorageError:
        return False


def own_sessions(one: Said) -> tuple[str, ...]:
    """The sessions that this conversation is kept in: its model has them before it anyway."""
    from mnemic.app import transcript_session
    from mnemic.services.writing.log_turn import session_of

    named = dict.fromkeys(filter(None, (one.session, Path(one.transcript).stem)))
    return (*map(transcript_session, named), session_of(one.conversation))
