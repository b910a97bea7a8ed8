"""Running the synchronous core for an asynchronous server: on threads, with progress for those who asked."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread
from mcp import types
from mcp.shared.exceptions import MCPError

from mnemic.errors import MnemicError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.context import ServerRequestContext

    from mnemic.app import App
    from mnemic.entry.mcp.opened import Opened, Stage

_logger = logging.getLogger(__name__)
_Result = TypeVar("_Result")
THREADS = 16
"""Calls worked on at once; more wait in line. They share one interpreter lock, so more threads would only cost."""
_PAUSE = 0.2
"""Seconds between two notes of progress."""


class Worker:
    """Calls on the application, each on a thread of its own."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self._limiter = anyio.CapacityLimiter(THREADS)

    async def run(self, ctx: ServerRequestContext[Any, Any], work: Callable[[App], _Result]) -> _Result:
        """The result of `work`.

        A call that was begun is finished even when the client has gone: nothing is left half done.

        Raises:
            MnemicError: As the work raises it, or because the bundle cannot be opened.
            MCPError: A fault of ours. The log has it, and the client, who could make nothing of it, does not.
        """
        try:
            app = self.opened.ready or await self._open(ctx)
            return await anyio.to_thread.run_sync(work, app, limiter=self._limiter)
        except MnemicError:
            raise
        except Exception as error:
            _logger.exception("%s failed", ctx.method)
            raise MCPError(types.INTERNAL_ERROR, "Internal error; the server's log says more.") from error

    async def _open(self, ctx: ServerRequestContext[Any, Any]) -> App:
        outcome: App | Exception
        async with anyio.create_task_group() as group:
            group.start_soon(self._tell, ctx)
            try:
                outcome = await anyio.to_thread.run_sync(self.opened.app, limiter=self._limiter)
            except Exception as error:  # noqa: BLE001 - kept and raised below: a task group wraps what leaves it
                outcome = error
            group.cancel_scope.cancel()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def _tell(self, ctx: ServerRequestContext[Any, Any]) -> None:
        """Notes of progress while a large bundle is indexed; nobody gets one who did not ask for it."""
        told: Stage | None = None
        while True:
            await anyio.sleep(_PAUSE)
            stage = self.opened.stage
            # Progress must grow.
            if stage is not None and (told is None or stage.done > told.done):
                await ctx.session.report_progress(stage.done, stage.total, stage.what)
                told = stage
