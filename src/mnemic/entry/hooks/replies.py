"""What a hook prints for each client: one line of JSON in ASCII, so that no code page and no terminal can spoil it."""

from __future__ import annotations

try:
    from _json import encode_basestring_ascii  # `json` itself takes as long to load as a bare interpreter
except ImportError:  # pragma: no cover - another interpreter
    from json.encoder import encode_basestring_ascii

from mnemic.entry.hooks.client import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

CURSOR: Final = "cursor"
CURSOR_CHARACTERS: Final = 10_000
"""Cursor shows a model so much of what a hook adds, and names a file for the rest."""
_ESCAPE: Final = "\x1b"
_CONTROLS: Final = {
    **dict.fromkeys((*range(32), *range(127, 160)), None),
    ord("\n"): "\n",
    ord("\t"): "\t",
    # What reverses or hides text on a screen hides from people what a model reads.
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF), None),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}


def reply(client: str, event: str, context: str) -> bytes:
    """The output that puts this text into the context of the client's model; an empty text gives an empty answer."""
    plain = clean(context).strip("\n")
    if client == CURSOR:
        going_on = '"continue": true' if event == "beforeSubmitPrompt" else ""
        added = f'"additional_context": {_quoted(_bounded(plain))}' if plain else ""
        return f"{{{', '.join(filter(None, (going_on, added)))}}}\n".encode()
    if not plain:
        return NOTHING
    inner = f'{{"hookEventName": {_quoted(event)}, "additionalContext": {_quoted(plain)}}}'
    return f'{{"hookSpecificOutput": {inner}}}\n'.encode()


def clean(text: str) -> str:
    """The text without control characters, direction marks and terminal commands; a half of a pair becomes `\ufffd`."""
    if _ESCAPE in text or "\x9b" in text:
        import re

        text = re.sub(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-_]?", "", text)
    if text.isascii() and text.isprintable():
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)


def _quoted(text: str) -> str:
    return str(encode_basestring_ascii(text))


def _bounded(text: str) -> str:
    if len(text) <= CURSOR_CHARACTERS:
        return text
    kept = text[: CURSOR_CHARACTERS - 2]
    return f"{kept[: kept.rfind(chr(10))] if chr(10) in kept else kept}\n…"
