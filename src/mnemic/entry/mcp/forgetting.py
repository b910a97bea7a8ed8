"""Asking the person before something is forgotten: an addition to the confirmation in two steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mnemic.agent.tool import ToolResult
from mnemic.entry.mcp.asking import Question
from mnemic.text.quoting import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

TOOL = "memory_forget"
_TITLE: Final = 200
REFUSED: Final = ToolResult(text="The person was asked and said no: nothing was removed.", data={}, failed=True)
CLOSED: Final = ToolResult(
    text="Nothing was removed: the person closed the question without an answer. Go on without it; call memory_forget "
    "again only when they say that they want it.",
    data={},
    failed=True,
)


def needs_approval(name: str, arguments: Mapping[str, object], result: ToolResult) -> bool:
    """Whether this is the first of the two steps, and it went well."""
    return name == TOOL and not result.failed and not arguments.get("confirm")


def unconfirmed(name: str, arguments: Mapping[str, object]) -> Mapping[str, object]:
    """The arguments of a call as the first of the two steps."""
    if name != TOOL:
        return arguments
    return {name: value for name, value in arguments.items() if name != "confirm"}


def asking(data: Mapping[str, object]) -> Question:
    """The question about what would be removed, as the tool says."""
    return Question(key="forget", text=question(data), field="forget", label="Forget it for good")


def question(data: Mapping[str, object]) -> str:
    """What the person reads: what it is, and that it is gone afterwards."""
    title = one_line(str(data["title"]))
    shown = title if len(title) <= _TITLE else f"{title[: _TITLE - 1]}…"
    turns = data["turns"]
    what = f"this conversation of {turns} turns" if isinstance(turns, int) and turns > 1 else "this"
    return f"Forget {what} for good?\n\n{one_line(str(data['id']))}: {shown}\n\nIt cannot be brought back."
