"""The profile `server-memory`: the tools and the resource of the official memory server, over a bundle."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError

from mnemic.entry.mcp.conversations import session_of
from mnemic.entry.mcp.graph.tools import TOOLS, GraphCalls, as_json, view_data
from mnemic.entry.mcp.server import steady_lists, warming
from mnemic.entry.mcp.tools import ToolFace
from mnemic.entry.mcp.turns import MOST, Turns
from mnemic.entry.mcp.worker import Worker
from mnemic.errors import MnemicError

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession

    from mnemic.entry.mcp.opened import Opened

NAME: Final = "memory-server"
GRAPH: Final = "memory://knowledge-graph"
_READING: Final = frozenset(tool.name for tool in TOOLS if tool.read_only)
_RESOURCE: Final = types.Resource(
    uri=GRAPH,
    name="knowledge-graph",
    title="Knowledge Graph",
    description="All entities with their observations, and all relations.",
    mime_type="application/json",
)


class _Graph:
    """The handlers."""

    def __init__(self, opened: Opened, *, reading_only: bool) -> None:
        self._worker = Worker(opened)
        self._calls = GraphCalls()
        self._turns = Turns()
        self._watching: dict[str, ServerSession] = {}
        self.bus = InMemorySubscriptionBus()
        tools = tuple(tool for tool in TOOLS if tool.read_only or not reading_only)
        self.tools = ToolFace(tools, self._calls, self._worker, self._turns.caller)

    async def call(
        self, ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """One call; who watches the graph hears of a change."""
        result = await self.tools.call(ctx, params)
        if params.name not in _READING and isinstance(result, types.CallToolResult) and not result.is_error:
            await self.bus.publish(ResourceUpdated(uri=GRAPH))
            for session in list(self._watching.values()):
                await session.send_resource_updated(GRAPH)
        return result

    async def list(
        self, ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """The one resource."""
        del ctx, params
        return types.ListResourcesResult(resources=[_RESOURCE])

    async def read(
        self, ctx: ServerRequestContext[Any, Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """The graph as JSON.

        Raises:
            MCPError: Another resource was asked for, or the bundle cannot be opened.
        """
        if params.uri != GRAPH:
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {params.uri}", {"uri": params.uri})
        try:
            view = await self._worker.run(ctx, lambda app: self._calls.graph(app).whole())
        except MnemicError as error:
            raise MCPError(types.INTERNAL_ERROR, f"{error.message} {error.hint}".strip()) from error
        text = as_json(view_data(view))
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=GRAPH, mime_type="application/json", text=text)]
        )

    async def watch(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """Tell this client of changes, as clients before 2026-07-28 ask for it."""
        if params.uri == GRAPH:
            self._watching[session_of(ctx.request)] = ctx.session
            if len(self._watching) > MOST:
                del self._watching[next(iter(self._watching))]
        return types.EmptyResult()

    async def unwatch(
        self, ctx: ServerRequestContext[Any, Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """No longer."""
        if params.uri == GRAPH:
            self._watching.pop(session_of(ctx.request), None)
        return types.EmptyResult()


def graph_server(opened: Opened, *, reading_only: bool = False) -> Server[Any]:
    """The bundle as a graph, under the name that clients of the official server expect."""
    graph = _Graph(opened, reading_only=reading_only)
    server: Server[Any] = Server(
        NAME,
        version=version("mnemic"),
        cache_hints=steady_lists(),
        get_tool_input_schema=graph.tools.input_schema,
        on_list_tools=graph.tools.list,
        on_call_tool=graph.call,
        on_list_resources=graph.list,
        on_read_resource=graph.read,
        on_subscribe_resource=graph.watch,
        on_unsubscribe_resource=graph.unwatch,
        on_subscriptions_listen=ListenHandler(graph.bus),
    )
    server.middleware.append(warming(opened))
    return server
