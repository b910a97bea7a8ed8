"""Which conversation a request belongs to, over HTTP, where many clients ask one server.

Clients of the protocol before 2026-07-28 have a session. Later ones have none: such a client says with each request
only what program it is. So it may name its conversation in a header, and it is given a cookie as it discovers the
server, by which those that keep cookies differ. The port it calls from says nothing: clients open several connections
for calls made at once, and close those that are idle for seconds, which is less than a model takes to think.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from mnemic.text.quoting import one_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
    Application = Callable[[Scope, Receive, Send], Awaitable[None]]
    """As ASGI has it."""

HEADER: Final = "x-mnemic-conversation"
SESSION: Final = "mcp-session-id"
COOKIE: Final = "mnemic-conversation"
_METHOD: Final = b"mcp-method"
_DISCOVER: Final = b"server/discover"
_GIVEN: Final = re.compile("[0-9a-f]{32}")
_DIGITS: Final = 32
_FAILURE: Final = 400


def session_of(request: Any) -> str:  # noqa: ANN401 - whatever a transport attaches
    """The session of a client that has one; empty over standard input and output, where the process is the session."""
    headers = getattr(request, "headers", None)
    return "" if headers is None else headers.get(SESSION, "")


def conversation_of(request: Any, agent: str, *, salt: str) -> str:  # noqa: ANN401 - whatever a transport attaches
    """A key for the conversation that a request belongs to; empty where there is no HTTP request.

    Only a digest of what names it: a header may hold anything, also what must not be kept.

    Args:
        request: What the transport attached to the message.
        agent: Name and version of the client, as it says.
        salt: Makes the keys of a process its own.
    """
    headers = getattr(request, "headers", None)
    if headers is None:
        return ""
    if named := one_line(headers.get(HEADER, "")):
        told = ("named", named)
    elif session := session_of(request):
        told = ("session", session)
    elif _GIVEN.fullmatch(cookie := request.cookies.get(COOKIE, "")):
        told = ("cookie", cookie)
    else:
        told = ("client", f"{request.client.host if request.client else ''} {agent}")
    text = "\0".join((salt, *told))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


class Recognized:
    """An application whose clients can be told apart: it gives a cookie to those that discover it.

    Not to others: a client that begins with a call, and gets its cookie with the answer, would lose its receipt.
    """

    def __init__(self, app: Application, path: str) -> None:
        self._app = app
        self._attributes = f"Path={path}; HttpOnly; SameSite=Strict"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = scope["headers"]
        discovers = any(name == _METHOD and value == _DISCOVER for name, value in headers)
        has_one = any(name == b"cookie" and f"{COOKIE}=".encode() in value for name, value in headers)

        async def send_on(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                if message["status"] >= _FAILURE:
                    # The package names a session here that ends with this very answer.
                    kept = [each for each in message["headers"] if each[0].lower() != SESSION.encode()]
                    message = {**message, "headers": kept}
                elif discovers and not has_one:
                    cookie = f"{COOKIE}={uuid4().hex}; {self._attributes}"
                    message = {**message, "headers": [*message["headers"], (b"set-cookie", cookie.encode())]}
            await send(message)

        await self._app(scope, receive, send_on)
