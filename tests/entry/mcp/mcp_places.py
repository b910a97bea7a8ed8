"""Bundles, server processes and clients of the protocol, for plain tests: the client lives in a thread of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import httpx2
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from pathlib import Path
    from types import TracebackType

    from mcp.types import CallToolResult

PROGRAM = [sys.executable, "-c", "from mnemic.entry.cli.main import main; main()"]
TOKEN = "a-token-for-these-tests"
ERAS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


@dataclass(frozen=True)
class Place:
    """A bundle in a home of its own, without models."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def bundle(self) -> Path:
        return self.folder / "memory"

    @property
    def environment(self) -> dict[str, str]:
        given = {name: value for name, value in os.environ.items() if not name.startswith(("MNEMIC_", "XDG_"))}
        ours = {
            "HOME": self.folder,
            "MNEMIC_BUNDLE": self.bundle,
            "MNEMIC_DATA_DIR": self.folder / "data",
            "MNEMIC_CONFIG_DIR": self.folder / "config",
            "MNEMIC_CACHE_DIR": self.folder / "cache",
            "MNEMIC_EMBED_ENGINES": "",
            "MNEMIC_BUNDLE_ZONE": "UTC",
        }
        return given | {name: str(value) for name, value in ours.items()} | self.variables

    def run(self, *words: str) -> str:
        """A command of the program that must succeed; its output."""
        done = subprocess.run(
            [*PROGRAM, *words], env=self.environment, capture_output=True, check=False, cwd=self.folder
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def parameters(self, *words: str, program: list[str] | None = None) -> StdioServerParameters:
        """How a client starts a server of its own."""
        command, *rest = program or PROGRAM
        return StdioServerParameters(
            command=command, args=[*rest, "mcp", *words], env=self.environment, cwd=str(self.folder)
        )

    @contextmanager
    def serving(self, *words: str) -> Iterator[str]:
        """A server over HTTP; gives its address."""
        environment = {**self.environment, "MNEMIC_MCP_TOKEN": TOKEN}
        command = [*PROGRAM, "mcp", "--http", "--port", "0", *words]
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, cwd=self.folder) as process:
            assert process.stderr is not None
            try:
                yield process.stderr.readline().decode().split()[-1]
            finally:
                process.terminate()


class Connected:
    """A client, called from where nothing is asynchronous."""

    def __init__(self, client: Callable[[], Any]) -> None:
        self._make = client
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._portal = self._stack.enter_context(start_blocking_portal())
        self.client: Client = self._stack.enter_context(self._portal.wrap_async_context_manager(self._make()))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def do(self, work: Callable[..., Awaitable[Any]], *given: Any, **named: Any) -> Any:  # noqa: ANN401 - what JSON holds
        """The outcome of something asynchronous."""

        async def call() -> Any:  # noqa: ANN401 - what JSON holds
            return await work(*given, **named)

        return self._portal.call(call)

    def call(self, name: str, **arguments: object) -> CallToolResult:
        """One tool call."""
        result: CallToolResult = self.do(self.client.call_tool, name, arguments)
        return result

    def data(self, name: str, **arguments: object) -> Any:  # noqa: ANN401 - what JSON holds
        """The data of a call that must go well."""
        result = self.call(name, **arguments)
        assert not result.is_error, text_of(result)
        return result.structured_content

    def refused(self, name: str, **arguments: object) -> str:
        """What is said of a call that must not go well."""
        result = self.call(name, **arguments)
        assert result.is_error, text_of(result)
        assert result.structured_content is None
        return text_of(result)

    def resource(self, uri: str) -> str:
        """The text of a resource."""
        text: str = self.do(self.client.read_resource, uri, cache_mode="bypass").contents[0].text
        return text


def text_of(result: CallToolResult) -> str:
    """What a model reads of it."""
    (content,) = result.content
    assert content.type == "text"
    return content.text


@asynccontextmanager
async def over_http(url: str, mode: str, *, token: str = TOKEN, conversation: str = "") -> AsyncIterator[Client]:
    """A client of a server that runs already."""
    headers = {"Authorization": f"Bearer {token}"} | ({"X-Mnemic-Conversation": conversation} if conversation else {})
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client
