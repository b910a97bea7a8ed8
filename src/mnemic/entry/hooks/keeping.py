"""Keeping what was said in a coding agent: its transcript where it writes one that we read, else what the event tells.

Both pass the guards of an import, so a secret never gets to a disk, and both know what is there already.
"""

from __future__ import annotations

import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from mnemic.entry.hooks.said import PROMPT
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from mnemic.app import App
    from mnemic.entry.hooks.said import Said

TRANSCRIPTS = {"claude-code": "claude-code"}
"""The format of each client's transcripts, by the name our importer has for it."""
_SPOKEN = frozenset({"Stop"})
"""Events whose last message is what the assistant said to the user; a subagent's is said to the assistant."""
_HASH_DIGITS = 12


def keep(app: App, one: Said, prompt: str = "") -> None:
    """Keep what belongs to an event.

    Args:
        app: Where.
        one: The event.
        prompt: What the user said before it, where that was told earlier and has not been kept.

    Raises:
        MnemicError: The bundle cannot be written, or the transcript is none.
    """
    if one.client in TRANSCRIPTS and (one.kind == PROMPT or _imported(app, one)):
        return  # a prompt stands in the transcript soon enough
    words = [("user", one.prompt or prompt)] if one.kind == PROMPT or one.event in _SPOKEN else []
    if one.event in _SPOKEN:
        words.append(("assistant", one.reply))
    _log(app, one, [(role, text) for role, text in words if text.strip()])


def _imported(app: App, one: Said) -> bool:
    """Bring the transcript in; whether there is one."""
    path = Path(one.transcript)
    try:
        if not (one.transcript and path.is_absolute() and path.is_file()):
            return False
    except (OSError, ValueError):
        return False
    try:
        app.import_sessions(path, format_=TRANSCRIPTS[one.client], embed=False)
    except ImportSourceError:
        return False
    return True


def _log(app: App, one: Said, words: list[tuple[str, str]]) -> None:
    if not words:
        return
    from mnemic.domain.session import Role
    from mnemic.services.log_turn import Said as Utterance
    from mnemic.services.log_turn import log_turn

    now = app.bundle.clock.now()
    log_turn(
        app.bundle,
        one.conversation,
        [
            Utterance(speaker=role, role=Role(role), text=text, at=now, name=_name(one, role, text))
            for role, text in words
        ],
    )


def _name(one: Said, role: str, text: str) -> str:
    """The same for an event that is told twice; where a client numbers no turns, the moment tells them apart."""
    turn = one.turn or str(time.time_ns())
    return f"{turn}:{role}:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:_HASH_DIGITS]}"
