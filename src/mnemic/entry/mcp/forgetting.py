"""Asking the person before something is forgotten, where the client can: an addition to the confirmation in two steps.

Before 2026-07-28 a server asks in the middle of a call. From then on the call ends with a question, and the client
makes it again with the answer.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final

from mcp import types
from mcp.shared.exceptions import MCPError
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from mnemic.text.quoting import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.context import ServerRequestContext

    from mnemic.agent.tool import ToolResult

TOOL = "memory_forget"
_KEY: Final = "forget"
_TITLE: Final = 200
_SCHEMA: Final = {
    "type": "object",
    "properties": {"forget": {"type": "boolean", "title": "Forget it for good", "default": False}},
    "required": ["forget"],
}


class Asked(Enum):
    """What the person said; `CLOSED`: they were asked and did not say; `UNHEARD`: nobody could be asked."""

    YES = auto()
    NO = auto()
    CLOSED = auto()
    UNHEARD = auto()


def needs_approval(name: str, arguments: Mapping[str, object], result: ToolResult) -> bool:
    """Whether this is the first of the two steps, and it went well."""
    return name == TOOL and not result.failed and not arguments.get("confirm")


def can_ask(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client shows forms, and can be asked in the era it speaks."""
    capabilities = ctx.session.client_capabilities
    if capabilities is None or capabilities.elicitation is None:
        return False
    asked = capabilities.elicitation
    forms = asked.form is not None or asked.url is None  # an empty one stands for forms
    return forms and (ctx.protocol_version in MODERN_PROTOCOL_VERSIONS or ctx.session.can_send_request)


async def approval(
    ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams, data: Mapping[str, object]
) -> Asked | types.InputRequiredResult:
    """What the person says to it, or the question that the client takes to them.

    Args:
        ctx: The request that would forget.
        params: Its parameters; with the answer, where the client has taken the question to the person.
        data: What would be removed, as the tool says.
    """
    told = question(data)
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        try:
            return _said(await ctx.session.elicit_form(told, _SCHEMA, ctx.request_id))
        except MCPError:
            return Asked.UNHEARD
    answer = (params.input_responses or {}).get(_KEY)
    if answer is not None:
        return _said(answer)
    form = types.ElicitRequestFormParams(message=told, requested_schema=_SCHEMA)
    return types.InputRequiredResult(input_requests={_KEY: types.ElicitRequest(params=form)})


def question(data: Mapping[str, object]) -> str:
    """What the person reads: what it is, and that it is gone afterwards."""
    title = one_line(str(data["title"]))
    shown = title if len(title) <= _TITLE else f"{title[: _TITLE - 1]}…"
    turns = data["turns"]
    what = f"this conversation of {turns} turns" if isinstance(turns, int) and turns > 1 else "this"
    return f"Forget {what} for good?\n\n{one_line(str(data['id']))}: {shown}\n\nIt cannot be brought back."


def _said(answer: object) -> Asked:
    if not isinstance(answer, types.ElicitResult):
        return Asked.UNHEARD
    match answer.action:
        case "accept":
            return Asked.YES if (answer.content or {}).get("forget") is True else Asked.NO
        case "decline":
            return Asked.NO
        case _:
            return Asked.CLOSED
