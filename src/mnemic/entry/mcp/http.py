"""The server over HTTP: on this machine only unless told otherwise, for those who hold the token.

A web page in the person's browser can reach this machine too. Hence the token, and the check that a request names this
machine as its host and comes from no page of another one (DNS rebinding).
"""

from __future__ import annotations

import errno
import re
import secrets
import socket
import sys
from hmac import compare_digest
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final

import anyio
from mcp.server.transport_security import TransportSecuritySettings

from mnemic.entry.mcp.conversations import Recognized
from mnemic.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp.server.lowlevel import Server

    from mnemic.entry.mcp.conversations import Application, Receive, Scope, Send

PATH: Final = "/mcp"
TOKEN_VARIABLE: Final = "MNEMIC_MCP_TOKEN"  # noqa: S105 - its name, not its value
LEAST_TOKEN: Final = 16
"""Characters; whoever chooses a token of their own may not choose one that can be tried out."""
_PATIENCE: Final = 2
"""Seconds that open connections have to end when the server does; streams would stay open for ever."""
_LOCAL: Final = ("127.0.0.1", "localhost", "[::1]")
_NUMBERS: Final = re.compile(r"[\d.]+")
_ANOTHER_HOST: Final = "Give --host an address of this machine (0.0.0.0 is all of them), or leave it out."


class TokenRequired:
    """An application behind a bearer token; whoever has another one, or none, gets 401."""

    def __init__(self, app: Application, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        if len(given) == 1 and compare_digest(_scheme_as_ours(given[0]), self._wanted):
            await self._app(scope, receive, send)
            return
        challenge = b'Bearer realm="mnemic"' + (b', error="invalid_token"' if given else b"")
        body = b'{"error": "unauthorized", "error_description": "Send the token as: Authorization: Bearer TOKEN"}'
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"www-authenticate", challenge),
        ]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _scheme_as_ours(header: bytes) -> bytes:
    """The name of the scheme may be written in any case."""
    scheme, blank, token = header.partition(b" ")
    return b"Bearer" + blank + token if scheme.lower() == b"bearer" else header


def checked_token(given: str | None) -> tuple[str, bool]:
    """The token to ask for, and whether it was made here.

    Raises:
        ConfigError: The one that was given is too short.
    """
    if given is None:
        return secrets.token_urlsafe(32), True
    if len(given) < LEAST_TOKEN or not given.isascii() or not given.isprintable() or " " in given:
        raise ConfigError(
            f"{TOKEN_VARIABLE} is no token: at least {LEAST_TOKEN} ASCII characters without blanks.",
            hint="Make one with: python -c 'import secrets; print(secrets.token_urlsafe(32))'",
        )
    return given, False


def http_app(server: Server[Any], *, token: str, host: str, names: Iterable[str] = ()) -> Application:
    """The server as an application.

    Args:
        server: What answers.
        token: What every request must carry.
        host: Where it listens.
        names: Further names that this machine is called by.
    """
    known = [*_LOCAL, *_names_of(host), *names]
    allowed = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[form for name in known for form in (name, f"{name}:*")],
        allowed_origins=[form for name in known for form in (f"http://{name}", f"http://{name}:*", f"https://{name}")],
    )
    app = server.streamable_http_app(streamable_http_path=PATH, host=host, transport_security=allowed)
    return TokenRequired(Recognized(app, PATH), token)


def _names_of(host: str) -> list[str]:
    """What a request may call the address that is listened on; nothing for one that stands for all of them."""
    try:
        address = ip_address(host)
    except ValueError:
        return [host]
    if address.is_unspecified:
        return []
    return [f"[{address}]" if address.version == 6 else str(address)]  # noqa: PLR2004


def listening(host: str, port: int) -> socket.socket:
    """A socket that waits for connections there.

    Raises:
        ConfigError: Somebody else listens there, or the address is not ours.
    """
    if _NUMBERS.fullmatch(host) and not _is_address(host):
        # Nobody is asked over the network what that might be.
        raise ConfigError(f"{host} is no address: one has four numbers from 0 to 255.", hint=_ANOTHER_HOST)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        # A name that means nothing has numbers of its own for what went wrong.
        about_port = not isinstance(error, socket.gaierror) and error.errno in {errno.EADDRINUSE, errno.EACCES}
        raise ConfigError(
            f"Nothing can listen on {host} port {port}: {(error.strerror or str(error)).lower()}.",
            hint="Take another --port, or --port 0 for any free one." if about_port else _ANOTHER_HOST,
        ) from error


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def serve_http(app: Application, waiting: socket.socket) -> None:
    """Answer until the process is told to end."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        loop="asyncio",
        http="h11",
        ws="none",
        timeout_graceful_shutdown=_PATIENCE,
    )
    with waiting:
        anyio.run(_serve, uvicorn.Server(config), waiting)


async def _serve(server: Any, waiting: socket.socket) -> None:  # noqa: ANN401 - uvicorn's, imported late
    await server.serve(sockets=[waiting])


def announce(waiting: socket.socket, token: str, *, made_here: bool) -> None:
    """Say where it listens, and a token that nobody else knows yet, once, on standard error."""
    host, port = waiting.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    sys.stderr.write(f"Listening on http://{shown}:{port}{PATH}\n")
    if made_here:
        sys.stderr.write(f"Token for this run: {token}\n  To choose your own, set {TOKEN_VARIABLE}.\n")
    sys.stderr.flush()
