"""`mnemic mcp`."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from mnemic.entry.cli.session import CliSession, failures

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from mnemic.entry.mcp.opened import Opened
    from mnemic.entry.mcp.streams import Wire

_PORT = 8377


@click.command()
@click.option("--http", "over_http", is_flag=True, help="Over HTTP instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=_PORT, show_default=True, help="With --http: 0 for any free one."
)
@click.option("--allow-host", "names", multiple=True, metavar="NAME", help="With --http: one more name of this host.")
@click.option(
    "--profile",
    type=click.Choice(["mnemic", "server-memory"]),
    default="mnemic",
    show_default=True,
    help="Which tools: ours, or those of the official memory server.",
)
@click.option(
    "--tools",
    type=click.Choice(["all", "read"]),
    default="all",
    show_default=True,
    help="read: only tools that change nothing.",
)
@click.pass_obj
def mcp(  # noqa: PLR0913, PLR0917 - one argument an option
    session: CliSession, /, over_http: bool, host: str, port: int, names: tuple[str, ...], profile: str, tools: str
) -> None:
    """Serve the memory to a client of the Model Context Protocol.

    Example: mnemic mcp
    """
    if not over_http:
        _refuse_http_options()
    with failures():
        # Before anything is imported that might print.
        wire = None if over_http else _taken()
        from mnemic.entry.mcp.start import opened, server_for, told_to_standard_error

        told_to_standard_error()
        named = bool(session.bundle or os.environ.get("MNEMIC_BUNDLE"))
        with closing(opened(session.app, named=named)) as behind:
            server = server_for(behind, profile=profile, reading_only=tools == "read")
            if wire is None:
                _serve_http(server, behind, host, port, names)
            else:
                _serve_stdio(server, wire)


def _refuse_http_options() -> None:
    context = click.get_current_context()
    for name, option in (("host", "--host"), ("port", "--port"), ("names", "--allow-host")):
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option} is for a server over HTTP: add --http, or leave {option} out.")


def _taken() -> Wire:
    from mnemic.entry.mcp.streams import take_standard_streams

    return take_standard_streams()


def _serve_stdio(server: Server[Any], wire: Wire) -> None:
    from mnemic.entry.mcp.stdio import serve_stdio

    # A thread waits for the client's next line, and Python would wait for that thread.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    serve_stdio(server, wire)


def _serve_http(server: Server[Any], behind: Opened, host: str, port: int, names: tuple[str, ...]) -> None:
    from mnemic.entry.mcp.http import TOKEN_VARIABLE, announce, checked_token, http_app, listening, serve_http

    token, made_here = checked_token(os.environ.get(TOKEN_VARIABLE))
    waiting = listening(host, port)
    announce(waiting, token, made_here=made_here)
    behind.warm()
    serve_http(http_app(server, token=token, host=host, names=names), waiting)
