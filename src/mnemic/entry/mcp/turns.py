"""Which turn a call belongs to: one conversation a client, where the protocol tells clients apart."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from mnemic.agent.turn import Turn
    from mnemic.app import App

MOST = 1_000
"""So many conversations are known at once; the one that was silent longest is let go, which costs it a search."""
_SESSION = "mcp-session-id"
_AGENT = 100


class Caller(NamedTuple):
    """Who is calling: a key for its conversation, and what it calls itself, which is recorded with what it writes."""

    conversation: str
    agent: str


class Turns:
    """The turn of each conversation. Nobody announces a turn here, so it ends by itself (`Gate.follows`)."""

    def __init__(self) -> None:
        self._own = f"mcp-{uuid4().hex[:16]}"
        self._turns: OrderedDict[Caller, Turn] = OrderedDict()
        self._guard = Lock()

    def caller(self, ctx: ServerRequestContext[Any, Any]) -> Caller:
        """The client behind a request: by its session over HTTP where it has one, else by this process."""
        headers = getattr(ctx.request, "headers", None)
        session = headers.get(_SESSION, "") if headers is not None else ""
        told = ctx.session.client_params
        agent = f"{told.client_info.name} {told.client_info.version}".strip() if told is not None else ""
        return Caller(f"{self._own}-{session}" if session else self._own, agent[:_AGENT])

    def of(self, app: App, caller: Caller) -> Turn:
        """The caller's turn."""
        from mnemic.agent.turn import Turn

        with self._guard:
            turn = self._turns.get(caller)
            if turn is None:
                gate = app.gate(caller.conversation, follows=True)
                turn = self._turns[caller] = Turn(memory=app, gate=gate, agent=caller.agent, every_tool=True)
                if len(self._turns) > MOST:
                    self._turns.popitem(last=False)
            self._turns.move_to_end(caller)
            return turn
