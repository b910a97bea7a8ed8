"""Which turn a call belongs to: one conversation a client, as far as clients can be told apart."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from mnemic.entry.mcp.conversations import conversation_of

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from mnemic.agent.turn import Turn
    from mnemic.app import App

MOST = 1_000
"""So many conversations are known at once; the one that was silent longest is let go, which costs it a search."""
_AGENT = 100


class Caller(NamedTuple):
    """Who is calling: a key for its conversation, and what it calls itself, which is recorded with what it writes."""

    conversation: str
    agent: str


class Turns:
    """The turn of each conversation. Nobody announces a turn here, so it ends by itself (`Gate.follows`)."""

    def __init__(self) -> None:
        self._own = f"mcp-{uuid4().hex[:16]}"
        self._app: App | None = None
        self._turns: OrderedDict[Caller, Turn] = OrderedDict()
        self._guard = Lock()

    def caller(self, ctx: ServerRequestContext[Any, Any]) -> Caller:
        """The client behind a request: over standard input and output whoever has started this process."""
        told = ctx.session.client_params
        agent = f"{told.client_info.name} {told.client_info.version}".strip() if told is not None else ""
        key = conversation_of(ctx.request, agent, salt=self._own)
        return Caller(f"{self._own}-{key}" if key else self._own, agent[:_AGENT])

    def of(self, app: App, caller: Caller) -> Turn:
        """The caller's turn."""
        from mnemic.agent.turn import Turn

        with self._guard:
            if self._app is not app:  # another bundle was opened since
                self._turns.clear()
                self._app = app
            turn = self._turns.get(caller)
            if turn is None:
                gate = app.gate(caller.conversation, follows=True)
                turn = self._turns[caller] = Turn(memory=app, gate=gate, agent=caller.agent, every_tool=True)
                if len(self._turns) > MOST:
                    self._turns.popitem(last=False)
            self._turns.move_to_end(caller)
            return turn
