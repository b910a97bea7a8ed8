"""What every transport needs at the start: the application behind the server, its profile, a place for its log."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any

from mnemic.entry.mcp.opened import Opened
from mnemic.errors import MnemicError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.lowlevel import Server

    from mnemic.app import App
    from mnemic.entry.mcp.opened import Closable

GRAPH_PROFILE = "server-memory"


def opened(start: Callable[[], App], *, named: bool = False) -> Opened:
    """The application, opened when it is first needed; from then on the hooks of coding agents are answered too.

    Args:
        start: Opens it.
        named: Whether somebody said which bundle it is to be; otherwise it is looked for, again at each call as long
            as only the user's own was found.
    """
    return Opened(start, begin=_listen, moved=None if named else a_project_appeared)


def a_project_appeared(app: App) -> bool:
    """Whether the user's own bundle was opened for want of another, and by now the project has one."""
    from mnemic import config
    from mnemic.app import find_places

    if app.root != config.user_data_dir() / "memory":
        return False
    try:
        return find_places(None)[0].root != app.root
    except (OSError, MnemicError):  # the folder we were started in is gone
        return False


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
