"""An OpenAI-compatible server on this machine, answering what each test has queued."""

from __future__ import annotations

import json
import threading
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mnemic.adapters.embed.endpoint import EndpointEmbedder, EndpointSettings
from mnemic.errors import ConfigError, EmbedderError

if TYPE_CHECKING:
    from collections.abc import Iterator

DIM = 3
KEY = "sk-the-key"


class ScriptedServer(ThreadingHTTPServer):
    """Answers from a queue of (status, headers, body); when it is empty, with a vector for each text."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.queue: list[tuple[int, dict[str, str], bytes]] = []
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedServer

    def do_POST(self) -> None:
        self.server.paths.append(self.path)
        self.server.headers.append(dict(self.headers))
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        status, headers, body = self.server.queue.pop(0) if self.server.queue else (200, {}, vectors(asked["input"]))
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST  # noqa: N815 - the name that http.server looks for

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


def vectors(texts: list[str]) -> bytes:
    """Last text first, as the format allows; the vector of a text is (its length, 1, 0)."""
    items = [{"index": place, "embedding": [float(len(text)), 1.0, 0.0]} for place, text in enumerate(texts)]
    return json.dumps({"object": "list", "data": items[::-1]}).encode()


def answer(*rows: list[float]) -> tuple[int, dict[str, str], bytes]:
    items = [{"index": place, "embedding": row} for place, row in enumerate(rows)]
    return 200, {}, json.dumps({"data": items}).encode()


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def embedder(server: ScriptedServer, waits: list[float] | None = None, **changes: Any) -> EndpointEmbedder:  # noqa: ANN401
    settings: dict[str, Any] = {"url": server.url, "model": "m", "dim": DIM, "api_key": KEY} | changes
    return EndpointEmbedder(EndpointSettings(**settings), sleep=([] if waits is None else waits).append)


def test_rows_are_normalized_and_in_the_order_of_the_texts(server: ScriptedServer) -> None:
    rows = embedder(server).embed_passages(["a", "bbb"])

    expected = np.array([[1, 1, 0], [3, 1, 0]]) / np.sqrt([[2], [10]])
    np.testing.assert_allclose(rows, expected, atol=1e-6)
    assert rows.dtype == np.float32


def test_the_request_is_what_the_format_asks_for(server: ScriptedServer) -> None:
    embedder(server).embed_passages(["a"])

    assert server.paths == ["/v1/embeddings"]
    assert server.asked == [{"model": "m", "input": ["a"], "encoding_format": "float"}]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_questions_and_passages_get_their_prefixes(server: ScriptedServer) -> None:
    asking = embedder(server, query_prefix="query: ", passage_prefix="passage: ")

    asking.embed_queries(["a"])
    asking.embed_passages(["b"])

    assert [asked["input"] for asked in server.asked] == [["query: a"], ["passage: b"]]


def test_many_texts_are_sent_in_batches_and_empty_ones_not_at_all(server: ScriptedServer) -> None:
    rows = embedder(server, batch=2).embed_passages(["a", "", "bb", "\0", "ccc"])

    assert [asked["input"] for asked in server.asked] == [["a", "bb"], ["ccc"]]
    assert rows.any(axis=1).tolist() == [True, False, True, False, True]


def test_only_empty_texts_ask_nobody(server: ScriptedServer) -> None:
    assert embedder(server).embed_queries(["", " "]).shape == (2, DIM)
    assert server.asked == []


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again_after_the_time_it_names(server: ScriptedServer, status: int) -> None:
    waits: list[float] = []
    server.queue = [(status, {"Retry-After": "7"}, b"busy"), (status, {}, b"busy")]

    rows = embedder(server, waits).embed_passages(["a"])

    assert waits == [7.0, 1.0]
    assert rows.any()


def test_a_time_to_wait_may_be_a_date_and_is_never_longer_than_half_a_minute(server: ScriptedServer) -> None:
    waits: list[float] = []
    dates = [time.time() + 10, time.time() - 10, time.time() + 9_999]
    server.queue = [(503, {"Retry-After": formatdate(date, usegmt=True)}, b"") for date in dates]

    embedder(server, waits).embed_passages(["a"])

    assert waits[0] == pytest.approx(9.5, abs=1.5)
    assert waits[1:] == [0.0, 30.0]


@pytest.mark.parametrize("nonsense", ["soon", "nan", "", "-5"])
def test_a_time_to_wait_that_is_none_is_not_believed(server: ScriptedServer, nonsense: str) -> None:
    waits: list[float] = []
    server.queue = [(503, {"Retry-After": nonsense}, b"")]

    embedder(server, waits).embed_passages(["a"])

    assert len(waits) == 1
    assert 0 <= waits[0] <= 1


def test_it_gives_up_after_the_last_attempt_and_says_what_the_server_said(server: ScriptedServer) -> None:
    waits: list[float] = []
    server.queue = [(503, {}, b"model is loading")] * 4

    with pytest.raises(EmbedderError, match="503: model is loading"):
        embedder(server, waits).embed_passages(["a"])

    assert waits == [0.5, 1.0, 2.0]


def test_a_query_is_not_repeated_because_somebody_waits(server: ScriptedServer) -> None:
    server.queue = [(503, {}, b"")] * 2

    with pytest.raises(EmbedderError, match="503"):
        embedder(server).embed_queries(["a"])

    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("status", "hint"), [(401, "API key"), (403, "API key"), (404, "/v1"), (400, "log"), (422, "log")]
)
def test_a_refusal_is_final_and_hints_at_its_cause(server: ScriptedServer, status: int, hint: str) -> None:
    server.queue = [(status, {}, b"no")]

    with pytest.raises(EmbedderError, match=str(status)) as caught:
        embedder(server).embed_passages(["a"])

    assert hint in caught.value.hint
    assert len(server.asked) == 1


def test_the_key_is_never_shown(server: ScriptedServer) -> None:
    server.queue = [(401, {}, f"Incorrect API key {KEY} given".encode())]
    asking = embedder(server)

    with pytest.raises(EmbedderError) as caught:
        asking.embed_passages(["a"])

    assert KEY not in caught.value.message + repr(asking._settings)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(server: ScriptedServer, status: int) -> None:
    server.queue = [(status, {"Location": f"{server.url}/elsewhere"}, b"")]

    with pytest.raises(EmbedderError, match=str(status)) as caught:
        embedder(server).embed_passages(["a"])

    assert "final address" in caught.value.hint
    assert server.paths == ["/v1/embeddings"]


@pytest.mark.parametrize(
    "wrong",
    [
        (200, {}, b"<html>"),
        (200, {}, b"[]"),
        (200, {}, b'{"data": null}'),
        (200, {}, b'{"data": [{"index": 0}]}'),
        (200, {}, b'{"data": [{"index": "x", "embedding": [1, 2, 3]}]}'),
        (200, {}, b'{"data": [{"index": 0, "embedding": "AACAPw=="}]}'),
        (200, {}, b"\xff\xfe"),
        answer(),
        answer([1.0, 2.0]),
        answer([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]),
        answer([0.0, 0.0, 0.0]),
        answer([float("nan"), 1.0, 1.0]),
        answer([float("inf"), 1.0, 1.0]),
    ],
)
def test_an_answer_that_is_something_else_is_an_error(
    server: ScriptedServer, wrong: tuple[int, dict[str, str], bytes]
) -> None:
    server.queue = [wrong]

    with pytest.raises(EmbedderError, match="answered with"):
        embedder(server).embed_passages(["a"])


def test_an_answer_that_breaks_off_is_asked_for_again(server: ScriptedServer) -> None:
    server.queue = [(200, {"Content-Length": "9999"}, b'{"data"')]

    rows = embedder(server).embed_passages(["a"])

    assert rows.any()
    assert len(server.asked) == 2


def test_a_server_that_is_not_there_is_named() -> None:
    with ScriptedServer() as gone:
        url = gone.url
    waits: list[float] = []
    asking = EndpointEmbedder(EndpointSettings(url=url, model="m", dim=DIM, attempts=2), sleep=waits.append)

    with pytest.raises(EmbedderError, match=f"{url} cannot be reached"):
        asking.embed_passages(["a"])

    assert waits == [0.5]


def test_a_server_that_says_nothing_ends_with_the_time_limit() -> None:
    with ScriptedServer() as silent:  # it listens, and nobody accepts
        asking = EndpointEmbedder(EndpointSettings(url=silent.url, model="m", dim=DIM, query_timeout=0.05))

        with pytest.raises(EmbedderError, match="timed out"):
            asking.embed_queries(["a"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "file:///etc/passwd"},
        {"url": "127.0.0.1:8000"},
        {"url": "http://"},
        {"model": ""},
        {"dim": 0},
        {"batch": 0},
        {"attempts": 0},
        {"timeout": 0},
        {"query_timeout": -1},
    ],
)
def test_settings_that_cannot_work_are_refused_before_anything_is_sent(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        EndpointSettings(**{"url": "http://127.0.0.1:1/v1", "model": "m", "dim": DIM, **wrong})


def test_the_space_follows_what_changes_vectors_and_not_the_address() -> None:
    def space_id(**changes: Any) -> str:  # noqa: ANN401
        settings: dict[str, Any] = {"url": "http://127.0.0.1:1/v1", "model": "m", "dim": DIM} | changes
        return EndpointEmbedder(EndpointSettings(**settings)).space.id

    changes: list[dict[str, Any]] = [
        {},
        {"model": "n"},
        {"dim": 4},
        {"query_prefix": "q"},
        {"passage_prefix": "q"},
        {"build": "2"},
    ]
    assert len({space_id(**change) for change in changes}) == len(changes)
    assert space_id(url="http://127.0.0.1:2/v1", api_key="other") == space_id()
