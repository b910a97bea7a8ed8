"""The server over standard input and output, for a client that started this process."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Final, cast

import anyio
from mcp.server.stdio import stdio_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator

    from mcp.server.lowlevel import Server

    from mnemic.entry.mcp.streams import Wire

_HALVES: Final = re.compile("[\ud800-\udfff]")


def serve_stdio(server: Server[Any], wire: Wire) -> None:
    """Answer until the client closes its end; what it has asked for is finished."""
    anyio.run(_serve, server, wire)


async def _serve(server: Server[Any], wire: Wire) -> None:
    # The package only goes through the lines of what it calls a file.
    incoming = cast("anyio.AsyncFile[str]", _mended(anyio.wrap_file(wire.incoming)))
    try:
        async with stdio_server(incoming, anyio.wrap_file(wire.outgoing)) as (read, write):
            await server.run(read, write, server.create_initialization_options())
    except* (BrokenPipeError, ConnectionResetError):
        # The client reads no more. What Python still wants to write as it ends must go somewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), wire.outgoing.fileno())


async def _mended(lines: AsyncIterable[str]) -> AsyncIterator[str]:
    async for line in lines:
        yield with_whole_characters(line) if "\\ud" in line or "\\uD" in line else line


def with_whole_characters(line: str) -> str:
    r"""The same JSON without halves of surrogate pairs (`\ud83d` alone), which the package would pass over in silence.

    They come from texts that were cut in the middle of an emoji; the client would wait for an answer in vain.
    """
    try:
        told = json.dumps(json.loads(line), ensure_ascii=False)
    except ValueError:
        return line
    return _HALVES.sub("\ufffd", told)
