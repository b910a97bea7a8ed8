"""Servers of mnemic that a client can be pointed at: one over standard input and output, one over HTTP."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from programs import MNEMIC, serving, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projects import Project

STDIO = (str(MNEMIC), "mcp")
"""The command that a client starts by itself."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server over HTTP, and the token it wants."""

    url: str
    token: str


@contextmanager
def over_http(project: Project) -> Iterator[Endpoint]:
    """The server of a project on a free port, for as long as the block lasts."""
    log = project.folder.parent / "http.log"
    token = "t" * 43
    env = {**project.env, "MNEMIC_MCP_TOKEN": token}
    with serving([MNEMIC, "mcp", "--http", "--port", "0"], cwd=project.folder, env=env, log=log):
        url = until("the server listens", lambda: _address(log.read_text(encoding="utf-8")), log=log)
        yield Endpoint(url, token)


def _address(said: str) -> str:
    return next((word for word in said.split() if word.startswith("http://127.0.0.1:")), "")


@contextmanager
def with_token(project: Project, endpoint: Endpoint) -> Iterator[str]:
    """The address of the same server for a client that cannot send a token."""
    log = project.folder.parent / "bearer.log"
    script = __file__.replace("endpoints.py", "bearer.mjs")
    with serving(["node", script, endpoint.url, endpoint.token], cwd=project.folder, env=project.env, log=log):
        address = until("the forwarder listens", lambda: log.read_text(encoding="utf-8").strip(), log=log)
        yield f"{address}/mcp"
