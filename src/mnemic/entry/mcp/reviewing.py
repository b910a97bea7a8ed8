"""Asking the person about what an agent put before them: nothing else approves or rejects over this protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mnemic.agent.reviewing import ACTIONS, TOOL
from mnemic.agent.tool import ToolResult
from mnemic.entry.mcp.asking import Question
from mnemic.text.quoting import one_line, visible

if TYPE_CHECKING:
    from mnemic.agent.reviewing import Matter

_MOST: Final = 4_000
"""Characters of a change that a form can show; a longer one is looked at in a terminal."""
_MARK: Final = 16
REFUSED: Final = ToolResult(text="The person was asked and said no: nothing was decided.", data={}, failed=True)
CLOSED: Final = ToolResult(
    text="Nothing was decided: the person closed the question without an answer. Go on without it.",
    data={},
    failed=True,
)


def wanted(name: str, result: ToolResult) -> str:
    """The action that the person is to be asked about; empty where it is none."""
    asked = result.data.get("ask") if name == TOOL and not result.failed else None
    action = asked.get("action") if isinstance(asked, dict) else None
    return action if isinstance(action, str) and action in ACTIONS else ""


def asking(one: Matter, action: str, why: str) -> Question | None:
    """The question, with all that would change; None where that is more than a form can show."""
    text = visible(one.text)
    if len(text) > _MOST:
        return None
    reason = f"\n\nReason: {one_line(why)}" if action == "reject" and why.strip() else ""
    what = one.what if one.what == "proposal" else "memory in quarantine"
    told = f"{action.title()} this {what}?\n\n{one_line(one.id)}\n{one_line(one.title)}\n\n{text}{reason}"
    # An answer to another version of it must not count for this one.
    key = f"review-{action}-{one.mark[:_MARK]}"
    return Question(key=key, text=told, field="agree", label=action.title())
