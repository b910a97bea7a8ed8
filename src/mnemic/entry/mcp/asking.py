"""Asking the person in the middle of a call, where the client can.

Before 2026-07-28 a server asks in the middle of a call. From then on the call ends with a question, and the client
makes it again with the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from mcp import types
from mcp.shared.exceptions import MCPError
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext


class Asked(Enum):
    """What the person said; `CLOSED`: they were asked and did not say; `UNHEARD`: nobody could be asked."""

    YES = auto()
    NO = auto()
    CLOSED = auto()
    UNHEARD = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the person reads, and the one box that they tick. An answer counts for the question of this `key` alone."""

    key: str
    text: str
    field: str
    label: str

    @property
    def schema(self) -> dict[str, Any]:
        """The form."""
        box = {"type": "boolean", "title": self.label, "default": False}
        return {"type": "object", "properties": {self.field: box}, "required": [self.field]}


def can_ask(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client shows forms, and can be asked in the era it speaks."""
    capabilities = ctx.session.client_capabilities
    if capabilities is None or capabilities.elicitation is None:
        return False
    asked = capabilities.elicitation
    forms = asked.form is not None or asked.url is None  # an empty one stands for forms
    return forms and (ctx.protocol_version in MODERN_PROTOCOL_VERSIONS or ctx.session.can_send_request)


async def ask(
    ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams, question: Question
) -> Asked | types.InputRequiredResult:
    """What the person says, or the question that the client takes to them.

    Args:
        ctx: The request that would do it.
        params: Its parameters; with the answer, where the client has taken the question to the person.
        question: What they are asked.
    """
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        try:
            return _said(question, await ctx.session.elicit_form(question.text, question.schema, ctx.request_id))
        except MCPError:
            return Asked.UNHEARD
    answer = (params.input_responses or {}).get(question.key)
    if answer is not None:
        return _said(question, answer)
    form = types.ElicitRequestFormParams(message=question.text, requested_schema=question.schema)
    return types.InputRequiredResult(input_requests={question.key: types.ElicitRequest(params=form)})


def _said(question: Question, answer: object) -> Asked:
    if not isinstance(answer, types.ElicitResult):
        return Asked.UNHEARD
    match answer.action:
        case "accept":
            return Asked.YES if (answer.content or {}).get(question.field) is True else Asked.NO
        case "decline":
            return Asked.NO
        case _:
            return Asked.CLOSED
