"""The server on a bundle's socket: plain threads beside whatever else the process does, none of them waited for.

One process of those that hold a bundle open answers; the others look once a minute whether it still does. Connections
are read on threads of their own, since a client may be slow or silent. Requests are answered by a few threads that
stay: what they have opened of the index is warm then.
"""

from __future__ import annotations

import atexit
import logging
import os
import socket
import threading
import time
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from mnemic.entry.socket.address import Address, address_of
from mnemic.entry.socket.claim import Claim
from mnemic.entry.socket.protocol import MOST_BODY, MOST_HEADER, Request, parsed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mnemic.app import App

_logger = logging.getLogger(__name__)

ANSWERING = 2
"""Threads that answer. More would only take turns in Python."""
MOST_OPEN = 256
READ_SECONDS = 2.0
"""How long a client may take to say what it wants."""
STALE_SECONDS = 5.0
"""A request that waited so long is dropped: whoever asked has gone on."""
RETRY_SECONDS = 60.0
_CHUNK = 1 << 16


class _Waiting(NamedTuple):
    """A request that was read, its connection, and when it came."""

    request: Request
    connection: socket.socket
    since: float


class SocketServer:
    """Answers on the socket of an opened bundle.

    Attributes:
        retry_seconds: How often a server that another process stood before looks again.
        read_seconds: How long a client may take to say what it wants.
    """

    def __init__(
        self, app: App, handle: Callable[[Request], bytes], *, lost: Callable[[Request], None] | None = None
    ) -> None:
        """A server that is not running yet.

        Args:
            app: The bundle.
            handle: Gives the answer to a request.
            lost: Is told of a request whose client had gone when it was answered.
        """
        self.retry_seconds = RETRY_SECONDS
        self.read_seconds = READ_SECONDS
        self._handle = handle
        self._lost = lost
        self._folder: Path = app.state_folder
        self._home: Path = app.root
        self._guard = threading.Lock()
        self._closed = threading.Event()
        self._claim: Claim | None = None
        self._listening: socket.socket | None = None
        self._address: Address | None = None
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._open = threading.BoundedSemaphore(MOST_OPEN)
        self._watching = False
        self._answering = False

    @property
    def serving(self) -> bool:
        """Whether it is this one that answers."""
        return self._listening is not None

    def start(self) -> bool:
        """Begin to answer; False where another process does: then it is tried again every minute.

        A folder in which no socket can be made is no error: hooks help themselves.
        """
        if self._closed.is_set():
            return False
        began = self._begin()
        if not self._watching:
            self._watching = True
            atexit.register(self.close)
            threading.Thread(target=self._watch, name="mnemic-socket-watch", daemon=True).start()
        return began

    def close(self) -> None:
        """Answer no more, and take away what is ours of the folder; may be called twice."""
        self._closed.set()
        self._end()
        for _ in range(ANSWERING):
            self._queue.put(None)
        atexit.unregister(self.close)

    # -- coming and going ----------------------------------------------------------------------------------------

    def _begin(self) -> bool:
        with self._guard:
            if self._closed.is_set() or self._listening is not None:
                return self._listening is not None
            if not os.path.isdir(self._home):
                return False  # the bundle went away; it must not come back empty
            address = address_of(self._folder)
            try:
                claim = Claim.of(self._folder)
                if claim is None:
                    return False
                if address.answers():  # of a system where a claim binds nobody
                    claim.release()
                    return False
                try:
                    self._listening = address.listening()
                except BaseException:
                    claim.release()
                    raise
            except OSError as error:
                _logger.warning("no socket in %s: %s", self._folder, error.strerror or type(error).__name__)
                return False
            self._claim, self._address = claim, address
            if not self._answering:
                self._answering = True
                for number in range(ANSWERING):
                    threading.Thread(target=self._answer, name=f"mnemic-socket-{number}", daemon=True).start()
            arguments = (self._listening, address)
            threading.Thread(target=self._accept, args=arguments, name="mnemic-socket", daemon=True).start()
            return True

    def _end(self) -> None:
        with self._guard:
            listening, self._listening = self._listening, None
            claim, self._claim = self._claim, None
            address, self._address = self._address, None
        if address is not None:
            address.remove()
        if listening is not None:
            _shut(listening)
        if claim is not None:
            claim.release()

    def _watch(self) -> None:
        while not self._closed.wait(self.retry_seconds):
            address = self._address
            if address is not None and not address.is_ours():
                self._end()  # somebody took the socket away; a new one is made, if no other process has
            self._begin()

    # -- requests ------------------------------------------------------------------------------------------------

    def _accept(self, listening: socket.socket, address: Address) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                if self._listening is not listening:
                    return
                time.sleep(0.05)  # out of file handles, for a moment
                continue
            if not self._open.acquire(blocking=False):
                connection.close()
                continue
            try:
                threading.Thread(target=self._read, args=(connection, address), daemon=True).start()
            except RuntimeError:  # the interpreter is ending
                self._drop(connection)

    def _read(self, connection: socket.socket, address: Address) -> None:
        since = time.monotonic()
        try:
            request = _received(connection, since + self.read_seconds)
        except (OSError, ValueError):
            request = None
        if request is None or not address.admits(request.token):
            self._drop(connection)
            return
        self._queue.put(_Waiting(request, connection, since))

    def _answer(self) -> None:
        while (waiting := self._queue.get()) is not None:
            try:
                if time.monotonic() - waiting.since < STALE_SECONDS:
                    self._send(waiting, self._handle(waiting.request))
            except Exception:
                _logger.exception("a request of %s could not be answered", waiting.request.client)
            finally:
                self._drop(waiting.connection)

    def _send(self, waiting: _Waiting, reply: bytes) -> None:
        try:
            waiting.connection.settimeout(self.read_seconds)
            waiting.connection.sendall(reply)
        except OSError:  # it has gone
            if self._lost is not None:
                self._lost(waiting.request)

    def _drop(self, connection: socket.socket) -> None:
        connection.close()
        self._open.release()


def _received(connection: socket.socket, until: float) -> Request | None:
    """What the client says until it closes its side; None when it says too much or takes too long."""
    parts: list[bytes] = []
    size = 0
    while True:
        left = until - time.monotonic()
        if left <= 0:
            return None
        connection.settimeout(left)
        part = connection.recv(_CHUNK)
        if not part:
            break
        parts.append(part)
        size += len(part)
        if size > MOST_HEADER + MOST_BODY:
            return None
    header, newline, body = b"".join(parts).partition(b"\n")
    return parsed(header, body) if newline and len(header) <= MOST_HEADER else None


def _shut(listening: socket.socket) -> None:
    # Closing alone does not wake a thread that waits in `accept`.
    try:
        listening.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    listening.close()
