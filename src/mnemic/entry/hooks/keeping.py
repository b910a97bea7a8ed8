"""Keeping what was said in a coding agent: its transcript where it writes one that we read, else what the event tells.

Both pass the guards of an import, so a secret never gets to a disk, and both know what is there already.
"""

from __future__ import annotations

import time
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from mnemic.domain.policy import OnSecret
from mnemic.entry.hooks.log import note, note_failure
from mnemic.entry.hooks.said import PROMPT
from mnemic.entry.hooks.shortening import has_secret, shortened
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.app import App
    from mnemic.entry.hooks.said import Said

TRANSCRIPTS = {"claude-code": "claude-code"}
"""The format of each client's transcripts, by the name our importer has for it."""
_SPOKEN = frozenset({"Stop"})
"""Events whose last message is what the assistant said to the user; a subagent's is said to the assistant."""
_LAST = frozenset({*_SPOKEN, "SessionEnd"})
"""Events that what the user said before is kept with: nothing more will come of that turn."""
_HASH_DIGITS = 12


def keep(app: App, one: Said, prompts: Sequence[str] = ()) -> None:
    """Keep what belongs to an event.

    Args:
        app: Where.
        one: The event.
        prompts: What the user said before it, where that was told earlier and has not been kept.

    Raises:
        MnemicError: The bundle cannot be written, or the transcript is none.
    """
    if one.client in TRANSCRIPTS and one.transcript and _in_transcript(app, one):
        return
    if one.kind == PROMPT:
        prompts = (one.prompt,)
    words = [("user", text) for text in prompts] if one.kind == PROMPT or one.event in _LAST else []
    if one.event in _SPOKEN:
        words.append(("assistant", one.reply))
    words = [(role, text) for role, text in words if text.strip()]
    if words:
        _log(app, one, words)
    elif one.event in _SPOKEN:
        _note(one, "nothing was told that could be kept")


def _in_transcript(app: App, one: Said) -> bool:
    """Whether what was said stands in the transcript. It is brought in, but for a prompt, which is not in it yet."""
    if one.kind == PROMPT:
        return one.has_transcript
    if not one.has_transcript:
        _note(one, "its transcript is not there; only what hooks were told is kept")
        return False
    try:
        done = app.import_sessions(Path(one.transcript), format_=TRANSCRIPTS[one.client], embed=False)
    except ImportSourceError as error:
        note_failure(f"{one.client} {one.event}", error)
        return False
    if done.report.refused:
        codes = Counter(remark.code for remark in done.report.refused)
        _note(one, f"not kept of its transcript: {', '.join(f'{number} {code}' for code, number in codes.items())}")
    return True


def _log(app: App, one: Said, words: list[tuple[str, str]]) -> None:
    from mnemic.domain.session import Role
    from mnemic.services.writing.log_turn import Said as Utterance
    from mnemic.services.writing.log_turn import log_turn

    now, policy = app.bundle.clock.now(), app.bundle.policy
    limit, refuses = policy.limits.turn_characters, policy.rules.secrets_in_sessions is OnSecret.REFUSE
    kept = []
    for role, text in words:
        if refuses and len(text) > limit and has_secret(text, limit):
            continue  # its shorter version has none, and would be kept
        short = shortened(text, limit)
        kept.append(Utterance(speaker=role, role=Role(role), text=short, at=now, name=_name(one, role, short)))
    refused = len(words) - len(kept)
    if kept:
        refused += len(log_turn(app.bundle, one.conversation, kept).refused)
    if refused:
        _note(one, f"{refused} of {len(words)} texts not kept: they hold secrets, or their session cannot be read")


def _note(one: Said, what: str) -> None:
    note(f"{one.client} {one.event}: {what}")


def _name(one: Said, role: str, text: str) -> str:
    """The same for an event that is told twice; where a client numbers no turns, the moment tells them apart."""
    turn = one.turn or str(time.time_ns())
    return f"{turn}:{role}:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:_HASH_DIGITS]}"
