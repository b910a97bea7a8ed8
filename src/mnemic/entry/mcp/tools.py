"""Tools over the protocol: listed as they are defined for every host, called on a thread, answered as text and data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp import types
from mcp.shared.exceptions import MCPError

from mnemic.agent.reviewing import decided, matter
from mnemic.agent.tool import ToolResult, failure
from mnemic.agent.tools import TOOLS, call
from mnemic.entry.mcp import forgetting, reviewing
from mnemic.entry.mcp.asking import Asked, ask, can_ask
from mnemic.errors import MnemicError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mcp.server.context import ServerRequestContext

    from mnemic.agent.tool import Tool
    from mnemic.app import App
    from mnemic.entry.mcp.turns import Caller, Turns
    from mnemic.entry.mcp.worker import Worker

    Call = Callable[[App, Caller, str, Mapping[str, object]], ToolResult]
    """Application, caller, tool, arguments."""


def memory_tools(*, reading_only: bool = False) -> tuple[Tool, ...]:
    """The tools of the memory, in the order they are defined."""
    return tuple(tool for tool in TOOLS if tool.read_only or not reading_only)


def calls(turns: Turns) -> Call:
    """Calls a tool of the memory in the turn of its conversation."""
    return lambda app, caller, name, arguments: call(turns.of(app, caller), name, arguments)


class ToolFace:
    """Lists and calls; the handlers that a server registers. The list is fixed when the server starts."""

    def __init__(
        self,
        tools: Sequence[Tool],
        call: Call,
        worker: Worker,
        caller: Callable[[ServerRequestContext[Any, Any]], Caller],
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._shown = types.ListToolsResult(tools=[_shown(tool) for tool in tools])
        self._call = call
        self._worker = worker
        self._caller = caller

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """The schema of a tool's arguments."""
        tool = self._tools.get(name)
        return None if tool is None else tool.input_schema

    async def list(
        self, ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """All of them, always in the same order."""
        del ctx, params
        return self._shown

    async def call(
        self, ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """The outcome of one call; what goes wrong in the tool is a result that says so.

        Raises:
            MCPError: There is no such tool.
        """
        if params.name not in self._tools:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
        arguments = params.arguments or {}
        # A model may say that the person agreed; where they can be asked, they say it themselves.
        first = forgetting.unconfirmed(params.name, arguments) if can_ask(ctx) else arguments
        result = await self._run(ctx, params.name, first)
        if forgetting.needs_approval(params.name, first, result) and can_ask(ctx):
            match await ask(ctx, params, forgetting.asking(result.data)):
                case types.InputRequiredResult() as question:
                    return question
                case Asked.YES:
                    result = await self._run(ctx, params.name, {**arguments, "confirm": arguments["id"]})
                case Asked.NO:
                    result = forgetting.REFUSED
                case Asked.CLOSED:
                    result = forgetting.CLOSED
                case Asked.UNHEARD:  # else the answer says how to confirm in a second call
                    result = result if first == arguments else await self._run(ctx, params.name, arguments)
        elif (action := reviewing.wanted(params.name, result)) and can_ask(ctx):
            reviewed = await self._reviewed(ctx, params, action, result)
            if isinstance(reviewed, types.InputRequiredResult):
                return reviewed
            result = reviewed
        return _reply(result)

    async def _reviewed(
        self, ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams, action: str, told: ToolResult
    ) -> ToolResult | types.InputRequiredResult:
        """What became of it once the person was asked; `told`, where they cannot be, says how they do it themselves."""
        arguments = params.arguments or {}
        why = str(arguments.get("why") or "")
        try:
            one = await self._worker.run(ctx, lambda app: matter(app, str(told.data["id"])))
            question = reviewing.asking(one, action, why)
            said = Asked.UNHEARD if question is None else await ask(ctx, params, question)
            if said is Asked.YES:
                return await self._worker.run(ctx, lambda app: decided(app, action, one, why))
        except MnemicError as error:
            return failure(error)
        if isinstance(said, types.InputRequiredResult):
            return said
        return {Asked.NO: reviewing.REFUSED, Asked.CLOSED: reviewing.CLOSED}.get(said, told)

    async def _run(self, ctx: ServerRequestContext[Any, Any], name: str, arguments: Mapping[str, object]) -> ToolResult:
        caller = self._caller(ctx)
        try:
            return await self._worker.run(ctx, lambda app: self._call(app, caller, name, arguments))
        except MnemicError as error:  # the bundle cannot be opened
            return failure(error)


def _shown(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.input_schema),
        output_schema=dict(tool.output_schema),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=tool.open_world,
        ),
    )


def _reply(result: ToolResult) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=result.text)],
        # Some clients hold whatever stands here against the schema of a success, and show the model nothing else.
        structured_content=None if result.failed else dict(result.data),
        is_error=result.failed,
    )
