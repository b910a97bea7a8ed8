"""A model that says what a script tells it to, so that the loops run without one.

A real one is asked in the same place: it gets the context, the messages and the tools, and answers with text or with
tool calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemic.agent.tool import Tool


@dataclass(frozen=True)
class ToolCall:
    """A tool that the model wants called."""

    name: str
    arguments: dict[str, Any]


@dataclass
class ScriptedModel:
    """Answers with each step of its script in turn; a step may look at the last tool result."""

    script: list[str | Callable[[dict[str, Any]], ToolCall]]
    last: dict[str, Any] = field(default_factory=dict)

    def reply(self, system: str, messages: Sequence[str], tools: Sequence[Tool]) -> str | ToolCall:
        """The next step: a text ends the turn."""
        print(f"    model sees {len(system)} characters of system text, {len(messages)} messages, "
              f"tools: {', '.join(tool.name for tool in tools)}")  # fmt: skip
        step = self.script.pop(0)
        return step if isinstance(step, str) else step(self.last)


def script() -> list[str | Callable[[dict[str, Any]], ToolCall]]:
    """Two turns: the user tells something, and asks for it later."""
    return [
        lambda _: ToolCall("memory_search", {"query": "what Anna drinks in the morning"}),
        lambda found: ToolCall(
            "memory_write",
            {
                "receipt": found["receipt"],
                "text": "Anna drinks green tea in the morning.",
                "kind": "preference",
                "source": "user",
            },
        ),
        "I will remember that you drink green tea in the morning.",
        "You drink green tea in the morning.",
    ]
