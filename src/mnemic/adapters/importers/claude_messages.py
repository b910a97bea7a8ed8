"""What is said in one record of a Claude Code transcript, without what programs put around it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mnemic.adapters.importers.shortening import LOOKED_PAST, first_line, label, shortened
from mnemic.adapters.importers.sources import RefusedLineError
from mnemic.adapters.importers.texts import as_text
from mnemic.domain.session import Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_RESULT = 200
MAX_NAME = 80
MAX_ATTACHMENTS = 20
_WRAPPERS = (
    "system-reminder",
    "command-name",
    "command-message",
    "command-contents",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-stdout",
    "bash-stderr",
    "user-prompt-submit-hook",
    "task-notification",
    "ide_opened_file",
    "ide_selection",
)
_WRAPPED = re.compile(rf"<({'|'.join(_WRAPPERS)})\b[^>]*>.*?</\1>", re.DOTALL)
# What a user typed behind a slash command or an exclamation mark are the user's words.
_TYPED = re.compile(r"<(command-args|bash-input)>(.*?)</\1>", re.DOTALL)
_INTERRUPTED = re.compile(r"\[Request interrupted by user[^\]\n]*\]\s*\Z")
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")
WRAPPERS_LEFT_OUT = "texts that a program put around the user's words"


class Tool(NamedTuple):
    """A use of a tool (`word` is its name) or, with the beginning of the text it gave back, a result of one."""

    word: str
    gave: str | None = None

    def in_words(self) -> str:
        """`[name]`, or `[result]` with the first line of it. Searches for secrets, which takes a millisecond."""
        if self.gave is None:
            return f"[{shortened(as_text(self.word), MAX_NAME) or 'tool'}]"
        return f"[{self.word}] {first_line(as_text(self.gave), MAX_RESULT)}".rstrip()


@dataclass(frozen=True, slots=True)
class Message:
    """What one record says. `tools` are uses and results, `sent` pictures and documents, in words."""

    role: Role
    text: str
    tools: tuple[Tool, ...]
    sent: tuple[str, ...]
    left_out: Mapping[str, int]

    @property
    def is_said(self) -> bool:
        """Whether there is more in it than tools."""
        return bool(self.text or self.sent)


def message_of(record: Mapping[str, object], role: Role) -> Message:
    """The message of a record of type `user` or `assistant`.

    Raises:
        RefusedLineError: It has none, or its content is neither a text nor a list of blocks.
    """
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    reader = _Reader(role)
    if isinstance(content, str):
        reader.take_text(content)
    elif isinstance(content, list):
        for block in content:
            reader.take_block(block)
    else:
        raise RefusedLineError("type", "its message has no content")
    return reader.message()


def attachments_of(tools: Sequence[Tool], message: Message) -> tuple[str, ...]:
    """What goes with the words of a message: the tools used since the words before, its own, and what was sent.

    At most 20; a last one counts the rest.
    """
    everything: list[Tool | str] = [*tools, *message.tools, *message.sent]
    first = everything[:MAX_ATTACHMENTS]
    kept = [item.in_words() if isinstance(item, Tool) else item for item in first]
    if len(everything) > MAX_ATTACHMENTS:
        kept.append(f"[{len(everything) - MAX_ATTACHMENTS} more]")
    return tuple(kept)


class _Reader:
    def __init__(self, role: Role) -> None:
        self._role = role
        self._texts: list[str] = []
        self._tools: list[Tool] = []
        self._sent: list[str] = []
        self._left_out: Counter[str] = Counter()

    def message(self) -> Message:
        text = "\n\n".join(self._texts)
        return Message(self._role, text, tuple(self._tools), tuple(self._sent), self._left_out)

    def take_text(self, text: str) -> None:
        words = self._own_words(text) if self._role is Role.USER else text
        if words.strip():
            self._texts.append(words)

    def take_block(self, block: object) -> None:
        fields = block if isinstance(block, dict) else {}
        match fields.get("type"):
            case "text":
                self.take_text(_string(fields, "text"))
            case "tool_use" | "server_tool_use" | "mcp_tool_use":
                self._tools.append(Tool(_string(fields, "name")))
            case "tool_result" | "mcp_tool_result":
                self._tools.append(_result(fields))
            case "image":
                self._sent.append("[image]")
            case "document":
                title = shortened(as_text(_string(fields, "title")), MAX_RESULT)
                self._sent.append(f"[document: {title}]" if title else "[document]")
            case kind:
                self._left_out[f"blocks of type {label(str(kind), 60)}"] += 1

    def _own_words(self, text: str) -> str:
        if "<" not in text and "[" not in text:
            return text
        bare, wrapped = _WRAPPED.subn("", text)
        bare, typed = _TYPED.subn(lambda match: match[2], bare)
        bare, interrupted = _INTERRUPTED.subn("", bare)
        if not (wrapped or typed or interrupted):
            return text  # verbatim, blank lines and all
        if wrapped or interrupted:
            self._left_out[WRAPPERS_LEFT_OUT] += wrapped + interrupted
        return _BLANK_LINES.sub("\n\n", bare).strip()


def _result(block: Mapping[str, object]) -> Tool:
    """What a tool gave back: the first of its texts that is not blank, as much as its first line can need."""
    content = block.get("content")
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts = (_string(part, "text") for part in parts if isinstance(part, dict))
    gave = next((begun for text in texts if (begun := text.lstrip()[: MAX_RESULT + LOOKED_PAST])), "")
    return Tool("error" if block.get("is_error") is True else "result", gave)


def _string(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""
