"""The server over standard input and output, for a client that started this process."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Final, Self, cast

import anyio
from mcp import types
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator
    from types import TracebackType

    from mcp.server.lowlevel import Server
    from mcp.shared._stream_protocols import ReadStream, WriteStream

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
            await server.run(Heard(read, write), write, server.create_initialization_options())
    except* (BrokenPipeError, ConnectionResetError):
        # The client reads no more. What Python still wants to write as it ends must go somewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), wire.outgoing.fileno())


class Heard:
    """What the client says. A line that is no message is answered with what is wrong with it, and passed over."""

    def __init__(self, read: ReadStream[SessionMessage | Exception], write: WriteStream[SessionMessage]) -> None:
        self._read = read
        self._write = write

    @property
    def last_context(self) -> object:
        """The context that the last message was sent in; the package asks for it."""
        return getattr(self._read, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        while isinstance(said := await self._read.receive(), Exception):
            await self._write.send(SessionMessage(complaint(said)))
        return said

    async def aclose(self) -> None:
        """Hear nothing more."""
        await self._read.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def complaint(error: Exception) -> types.JSONRPCError:
    """The answer to a line that could not be read: it was no JSON, or JSON that is no message."""
    broken = not isinstance(error, ValidationError) or any(
        each["type"] == "json_invalid" for each in error.errors(include_input=False)
    )
    wrong = (
        types.ErrorData(code=types.PARSE_ERROR, message="Parse error: each line must be one message as JSON.")
        if broken
        else types.ErrorData(code=types.INVALID_REQUEST, message="Invalid request: this is no JSON-RPC 2.0 message.")
    )
    return types.JSONRPCError(jsonrpc="2.0", id=None, error=wrong)


async def _mended(lines: AsyncIterable[str]) -> AsyncIterator[str]:
    async for line in lines:
        if line.isspace():
            continue
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
