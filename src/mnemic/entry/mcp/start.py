"""What every transport needs at the start: the application behind the server, its profile, a place for its log."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any

from mnemic.entry.mcp.opened import Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.lowlevel import Server

    from mnemic.app import App
    from mnemic.entry.mcp.opened import Closable

GRAPH_PROFILE = "server-memory"


def opened(start: Callable[[], App]) -> Opened:
    """The application, opened when it is first needed; from then on the hooks of coding agents are answered too."""
    return Opened(start, begin=_listen)


def _listen(app: App) -> Closable:
    from mnemic.entry.hooks.serving import listen

    return listen(app)


def server_for(opened: Opened, *, profile: str, reading_only: bool) -> Server[Any]:
    """The server of a profile."""
    if profile == GRAPH_PROFILE:
        from mnemic.entry.mcp.graph.server import graph_server

        return graph_server(opened, reading_only=reading_only)
    from mnemic.entry.mcp.server import memory_server

    return memory_server(opened, reading_only=reading_only)


def told_to_standard_error() -> None:
    """What libraries have to say of trouble goes there, and nowhere else."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="mnemic mcp: %(levelname)s: %(message)s")
