"""What lies outside the machine: a proxy on loopback that refuses everything, and remembers who was asked for."""

from __future__ import annotations

from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Outside:
    """An address for `HTTPS_PROXY`. Refusing at once spares a test the minutes of a client that tries again."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_port}"
        self.asked_for: set[str] = set()
        """Hosts, in no order."""


@contextmanager
def nothing_outside() -> Iterator[Outside]:
    """The proxy, for as long as the block lasts."""

    class Refusal(BaseHTTPRequestHandler):
        def refuse(self) -> None:
            outside.asked_for.add(self.path.removeprefix("http://").partition("/")[0].partition(":")[0])
            self.send_error(403, "Nothing outside this machine is reached by a test")

        do_CONNECT = do_GET = do_POST = do_PUT = do_HEAD = refuse  # noqa: N815 - the names that the class looks for

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as it is declared
            """Nothing: it would end up between pytest's lines."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Refusal) as server:
        outside = Outside(server)
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield outside
        server.shutdown()
        thread.join()
