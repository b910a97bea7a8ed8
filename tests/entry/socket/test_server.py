"""The socket beside a bundle: who answers, who comes after, and who is not let near."""

from __future__ import annotations

import os
import socket
import stat
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from mnemic.app import App, create_bundle
from mnemic.entry.socket.server import SocketServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mnemic.entry.socket.protocol import Request

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows listens at a port, see the hooks' tests")

HELLO = b"mnemic 1 hook claude-code Stop\0/somewhere\0\n"


@pytest.fixture
def app(in_memory: Path) -> App:
    create_bundle(in_memory / "memory")
    return App.start(in_memory / "memory", overrides=("embed.engines=",))


@pytest.fixture
def make(app: App) -> Iterator[Callable[..., SocketServer]]:
    made: list[SocketServer] = []

    def one(
        handle: Callable[[Request], bytes] = lambda request: request.body + b"\n",
        lost: Callable[[Request], None] | None = None,
    ) -> SocketServer:
        made.append(SocketServer(app, handle, lost=lost))
        return made[-1]

    yield one
    for server in made:
        server.close()


def ask(app: App, data: bytes) -> bytes:
    """The answer to some bytes, until the server hangs up."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(app.state_folder / "sock"))
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # it has hung up already
        parts = []
        try:
            while part := connection.recv(65_536):
                parts.append(part)
        except ConnectionResetError:
            pass
        return b"".join(parts)


def test_it_answers_what_it_is_asked_and_is_open_to_its_owner_alone(
    app: App, make: Callable[..., SocketServer]
) -> None:
    told: list[Request] = []

    assert make(lambda request: told.append(request) or b"{}\n").start()

    assert ask(app, HELLO + b"the body\nof it") == b"{}\n"
    (request,) = told
    assert (request.verb, request.client, request.event) == ("hook", "claude-code", "Stop")
    assert (request.folder, request.body) == ("/somewhere", b"the body\nof it")
    assert stat.S_IMODE((app.state_folder / "sock").stat().st_mode) == 0o600


def test_the_first_answers_and_another_takes_over_when_it_has_ended(
    app: App, make: Callable[..., SocketServer]
) -> None:
    first, second = make(lambda _: b"first\n"), make(lambda _: b"second\n")
    assert first.start()
    assert not second.start()
    assert ask(app, HELLO) == b"first\n"

    first.close()

    assert second.start()
    assert ask(app, HELLO) == b"second\n"


def test_whoever_waits_looks_again_by_itself(app: App, make: Callable[..., SocketServer]) -> None:
    asked = threading.Event()
    first, second = make(), make(lambda _: asked.set() or b"second\n")
    second.retry_seconds = 0.01
    first.start()
    second.start()

    first.close()

    answer = b""
    while answer != b"second\n":
        try:
            answer = ask(app, HELLO)
        except OSError:
            continue
    assert asked.is_set()


def test_a_socket_that_somebody_left_behind_is_replaced(app: App, make: Callable[..., SocketServer]) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(app.state_folder / "sock"))

    assert make().start()

    assert ask(app, HELLO + b"here") == b"here\n"


def test_a_socket_behind_which_somebody_answers_is_left_alone(app: App, make: Callable[..., SocketServer]) -> None:
    """Of a system where a lock binds nobody."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as living:
        living.bind(str(app.state_folder / "sock"))
        living.listen()

        assert not make().start()

        assert (app.state_folder / "sock").exists()


def test_closing_takes_away_its_own_socket_alone(app: App, make: Callable[..., SocketServer]) -> None:
    first, second = make(), make()
    first.start()
    first.close()
    first.close()
    assert not (app.state_folder / "sock").exists()

    second.start()
    (app.state_folder / "sock").unlink()
    (app.state_folder / "sock").write_text("somebody else's", encoding="utf-8")
    second.close()

    assert (app.state_folder / "sock").read_text(encoding="utf-8") == "somebody else's"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"mnemic 2 hook a b\0\0\n",
        b"mnemic 1 hook a\n",
        b"x" * 100_000,
        HELLO[:-1],
    ],
)
def test_what_is_no_request_gets_no_answer_and_does_no_harm(
    app: App, make: Callable[..., SocketServer], data: bytes
) -> None:
    make().start()

    assert ask(app, data) == b""

    assert ask(app, HELLO + b"still here") == b"still here\n"


def test_a_silent_client_is_hung_up_on(app: App, make: Callable[..., SocketServer]) -> None:
    server = make()
    server.read_seconds = 0.05
    server.start()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as silent:
        silent.connect(str(app.state_folder / "sock"))
        silent.sendall(HELLO)

        assert silent.recv(100) == b""


def test_a_failing_answer_is_none_and_the_next_is_given(app: App, make: Callable[..., SocketServer]) -> None:
    def handle(request: Request) -> bytes:
        return bytes([1 // len(request.body)]) + b"\n"

    make(handle).start()

    assert ask(app, HELLO) == b""
    assert ask(app, HELLO + b"x") == b"\x01\n"


def test_an_answer_that_nobody_waits_for_any_more_is_known_to_be_lost(
    app: App, make: Callable[..., SocketServer]
) -> None:
    gone, known = threading.Event(), threading.Event()
    lost: list[bytes] = []

    def handle(request: Request) -> bytes:
        if request.body == b"impatient":
            gone.wait()
        return b"{}\n"

    make(handle, lambda request: lost.append(request.body) or known.set()).start()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as impatient:
        impatient.connect(str(app.state_folder / "sock"))
        impatient.sendall(HELLO + b"impatient")
        impatient.shutdown(socket.SHUT_WR)
    gone.set()
    known.wait()

    assert ask(app, HELLO + b"patient") == b"{}\n"
    assert lost == [b"impatient"]


def test_a_server_that_was_closed_does_not_begin(app: App, make: Callable[..., SocketServer]) -> None:
    server = make()
    server.close()

    assert not server.start()

    assert not (app.state_folder / "sock").exists()


def test_two_hundred_at_once_and_five_megabytes_are_answered(app: App, make: Callable[..., SocketServer]) -> None:
    make().start()
    body = os.urandom(16)
    answers: list[bytes] = []
    threads = [threading.Thread(target=lambda: answers.append(ask(app, HELLO + body))) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [body + b"\n"] * 200
    assert len(ask(app, HELLO + b"x" * 5_000_000)) == 5_000_001


def test_a_folder_that_takes_no_socket_is_no_error(app: App, make: Callable[..., SocketServer]) -> None:
    (app.state_folder / "sock").mkdir()

    assert not make().start()
