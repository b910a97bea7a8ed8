"""The server over HTTP: who is let in."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import httpx2
import pytest
from mcp_places import PROGRAM, TOKEN, Connected, Place, over_http

if TYPE_CHECKING:
    from collections.abc import Iterator

BODY = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "by hand", "version": "1"},
    },
}
HEADERS = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def url(place: Place) -> Iterator[str]:
    with place.serving("--allow-host", "memory.test") as address:
        yield address


def ask(url: str, **headers: str) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.post(url, json=BODY, headers={**HEADERS, **named})


def test_with_the_token_one_is_let_in(url: str) -> None:
    assert url.startswith("http://127.0.0.1:")
    for scheme in ("Bearer", "bearer"):
        assert ask(url, Authorization=f"{scheme} {TOKEN}").status_code == 200


@pytest.mark.parametrize(
    ("given", "challenge"),
    [
        (None, 'Bearer realm="mnemic"'),
        ("Bearer wrong", 'Bearer realm="mnemic", error="invalid_token"'),
        ("Bearer", 'Bearer realm="mnemic", error="invalid_token"'),
        (f"Bearer {TOKEN}x", 'Bearer realm="mnemic", error="invalid_token"'),
        (f"Basic {TOKEN}", 'Bearer realm="mnemic", error="invalid_token"'),
        (TOKEN, 'Bearer realm="mnemic", error="invalid_token"'),
        ("Bearer é", 'Bearer realm="mnemic", error="invalid_token"'),
    ],
)
def test_without_the_token_nobody_is_let_in(url: str, given: str | None, challenge: str) -> None:
    headers = [*HEADERS.items(), *([] if given is None else [("Authorization", given.encode("latin-1"))])]
    answer = httpx2.post(url, json=BODY, headers=headers)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == challenge
    assert TOKEN not in answer.text


def test_no_path_and_no_method_goes_around_the_token(url: str) -> None:
    for method in ("GET", "POST", "DELETE", "OPTIONS", "PUT"):
        for address in (url, url.removesuffix("/mcp"), f"{url}/x"):
            assert httpx2.request(method, address).status_code == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:5173"}, 200),
        ({"Host": "memory.test"}, 200),
        ({"Host": "localhost:1"}, 200),
    ],
)
def test_a_page_of_another_host_is_turned_away_even_with_the_token(
    url: str, headers: dict[str, str], status: int
) -> None:
    assert ask(url, Authorization=f"Bearer {TOKEN}", **headers).status_code == status


def test_each_session_has_turns_of_its_own(url: str) -> None:
    with Connected(lambda: over_http(url, "legacy")) as one, Connected(lambda: over_http(url, "legacy")) as other:
        receipt = one.data("memory_search", query="tea")["receipt"]
        told = other.refused("memory_write", receipt=receipt, text="With a receipt of somebody else.")
        done = one.data("memory_write", receipt=receipt, text="The kettle is copper.")

    assert "memory_search" in told
    assert done["written"]


def test_a_token_is_made_and_told_once_where_none_is_given(place: Place) -> None:
    command = [*PROGRAM, "mcp", "--http", "--port", "0"]
    with subprocess.Popen(command, env=place.environment, stderr=subprocess.PIPE, cwd=place.folder) as process:
        assert process.stderr is not None
        url = process.stderr.readline().decode().split()[-1]
        token = process.stderr.readline().decode().split()[-1]
        statuses = [ask(url, Authorization=f"Bearer {given}").status_code for given in (token, "x" * len(token))]
        process.terminate()
        rest = process.stderr.read().decode()

    assert len(token) > 40
    assert statuses == [200, 401]
    assert token not in rest


@pytest.mark.parametrize("token", ["", "short", "with a blank in between"])
def test_a_token_that_could_be_guessed_is_refused(place: Place, token: str) -> None:
    done = subprocess.run(
        [*PROGRAM, "mcp", "--http", "--port", "0"],
        env={**place.environment, "MNEMIC_MCP_TOKEN": token},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 2
    assert b"MNEMIC_MCP_TOKEN" in done.stderr


def test_a_port_that_is_taken_is_said_in_one_sentence(place: Place, url: str) -> None:
    port = url.rpartition(":")[2].removesuffix("/mcp")
    done = subprocess.run(
        [*PROGRAM, "mcp", "--http", "--port", port], env=place.environment, capture_output=True, check=False
    )

    assert done.returncode == 2
    assert f"Nothing can listen on 127.0.0.1 port {port}" in done.stderr.decode()
