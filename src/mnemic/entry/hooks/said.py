"""What a client tells a hook: the JSON on its standard input, as far as it concerns us.

Clients change what they send from one version to the next. So nothing is required: what is missing, or of another type
than it should be, is empty.
"""

from __future__ import annotations

import os

LONGEST_NAME = 200
"""Characters of a conversation's name that are kept."""
_LOOKED_PAST = 4_000
"""Characters behind them in which a secret may end that begins before."""
_LONGEST_NUMBER = 40
_NUMBER = "0123456789abcdef-"
_SHORT = 14
_OPENCODE = "ses_"
START, PROMPT, KEEPS = "start", "prompt", "keeps"
"""A session begins or goes on after a compaction; a user said something; a moment to keep what was said."""
_CLAUDE = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "Stop": KEEPS,
    "SubagentStop": KEEPS,
    "PreCompact": KEEPS,
    "SessionEnd": KEEPS,
}
EVENTS = {
    "claude-code": _CLAUDE,
    "codex": _CLAUDE,
    "opencode": _CLAUDE,
    "pi": _CLAUDE,
    "cursor": {"sessionStart": START, "beforeSubmitPrompt": PROMPT},
}
"""What each event of each client means to us."""

_FORGET = frozenset({"opencode", "pi"})


class Said:
    """One event. `kind` is None for an event that is not ours; `broken`: what was told is no JSON object.

    Of `transcript` it is only known that the client named it.
    """

    __slots__ = (
        "broken", "client", "conversation", "event", "kind", "prompt", "reply", "session", "source", "transcript",
        "turn",
    )  # fmt: skip

    def __init__(self, client: str, event: str, told: dict[str, object] | None) -> None:
        self.client, self.event = client, event
        self.kind = EVENTS.get(client, {}).get(event)
        self.broken = told is None
        told = told or {}
        session = _text(told, "session_id", "conversation_id")
        self.session = session[:LONGEST_NAME]
        self.conversation = f"{client}:{keepable_name(session) or 'unnamed'}"
        self.prompt = _text(told, "prompt")
        self.reply = _text(told, "last_assistant_message")
        self.source = _text(told, "source")
        self.transcript = _text(told, "transcript_path")
        self.turn = keepable_name(_text(told, "turn_id", "generation_id", "prompt_id"))

    @property
    def keeps_prompts(self) -> bool:
        """Whether prompts are kept one by one, because the client names no transcript that we read."""
        return self.client != "claude-code" or not self.transcript

    @property
    def has_transcript(self) -> bool:
        """Whether the transcript that was named is there."""
        return os.path.isabs(self.transcript) and os.path.isfile(self.transcript)

    @property
    def forgets(self) -> bool:
        """Whether what a prompt brings is gone with the next one, and the start of a session brings nothing.

        So each prompt brings what other clients are told once.
        """
        return self.client in _FORGET

    @property
    def ends(self) -> bool:
        """Whether nothing more will come of this conversation."""
        return self.event == "SessionEnd"


def keepable_name(name: str) -> str:
    """What a client calls a conversation or a turn, as it may stand in a file: a secret is a hash of itself.

    Numbers as clients give them are not looked at any closer, since that takes longer than all else that a hook does.
    """
    head, tail = name[:-_SHORT], name[-_SHORT:]
    is_number = tail.isascii() and tail.replace("-", "").isalnum() and not head.removeprefix(_OPENCODE).strip(_NUMBER)
    if not name or (is_number and len(name) <= _LONGEST_NUMBER):
        return name
    from mnemic.text.secret_rules import find_secrets

    if not find_secrets(name[: LONGEST_NAME + _LOOKED_PAST]):
        return name[:LONGEST_NAME]
    from hashlib import sha256

    return f"hashed-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def said(client: str, event: str, data: bytes) -> Said:
    """What was told; nothing where it is no JSON object."""
    told = _parsed(data.decode("utf-8", "replace").lstrip("\ufeff \t\r\n"))
    return Said(client, event, told if isinstance(told, dict) else None)


class _Plain:
    """What `json` would ask of its scanner; `json` itself takes as long to load as a bare interpreter."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012 - of the protocol


def _parsed(text: str) -> object:
    try:
        from _json import make_scanner
    except ImportError:  # pragma: no cover - another interpreter
        import json

        scan = json.JSONDecoder(strict=False).raw_decode
    else:
        scan = make_scanner(_Plain)  # type: ignore[arg-type, assignment] # it takes whatever has these names
    try:
        return scan(text, 0)[0]
    except (StopIteration, ValueError, RecursionError, IndexError, SystemError):
        return None  # a SystemError where the scanner looks for the error of `json`, which is not there


def _text(told: dict[str, object], *names: str) -> str:
    for name in names:
        value = told.get(name)
        if isinstance(value, str) and value:
            return value
    return ""
