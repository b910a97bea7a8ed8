"""The server over HTTP: who is let in."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import httpx2
import pytest
from mcp.types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY
from mcp_places import ERAS, PROGRAM, TOKEN, Connected, Place, over_http

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
JSON_HEADERS = {**HEADERS, "Content-Type": "application/json"}


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


@pytest.mark.parametrize("era", ERAS)
def test_each_client_has_turns_receipts_and_a_budget_of_its_own(url: str, era: str) -> None:
    with Connected(lambda: over_http(url, era)) as one, Connected(lambda: over_http(url, era)) as other:
        receipt = one.data("memory_search", query="tea")["receipt"]
        untouched = one.data("memory_search", query="tea")["left"]
        told = other.refused("memory_write", receipt=receipt, text="With a receipt of somebody else.")
        other.data("memory_context", message="What does Anna drink?")
        other.data("memory_search", query="tea")
        other.data("memory_read", id="notes/tea")
        left = one.data("memory_search", query="tea")["left"]
        done = one.data("memory_write", receipt=receipt, text=f"The kettle is copper, said in {era}.")

    assert "another conversation" in told
    assert left == untouched
    assert done["written"]


@pytest.mark.parametrize("era", ERAS)
def test_clients_that_name_one_conversation_share_it_and_no_others_do(url: str, era: str) -> None:
    def named(conversation: str) -> Connected:
        return Connected(lambda: over_http(url, era, conversation=conversation))

    with named("the desk") as one, named("the  desk") as same, named("sofa") as other:
        receipt = one.data("memory_search", query="tea")["receipt"]
        told = other.refused("memory_write", receipt=receipt, text="With a receipt of somebody else.")
        done = same.data("memory_write", receipt=receipt, text=f"The desk is oak, said in {era}.")

    assert "another conversation" in told
    assert done["written"]


def by_hand(url: str, agent: str, name: str, *, cookie: str = "", **arguments: object) -> str:
    """The text of a call by a client that keeps no cookies and opens a connection for each request."""
    method = "tools/call" if name else "server/discover"
    meta = {
        PROTOCOL_VERSION_META_KEY: ERAS["auto"],
        CLIENT_INFO_META_KEY: {"name": agent, "version": "1"},
        CLIENT_CAPABILITIES_META_KEY: {},
    }
    params = {"_meta": meta} | ({"name": name, "arguments": arguments} if name else {})
    headers = {
        **HEADERS,
        "Authorization": f"Bearer {TOKEN}",
        "MCP-Protocol-Version": ERAS["auto"],
        "Mcp-Method": method,
        **({"Mcp-Name": name} if name else {}),
        **({"Cookie": cookie} if cookie else {}),
    }
    answer = httpx2.post(url, json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, headers=headers)
    assert answer.status_code == 200, answer.text
    if not name:
        return answer.headers.get("set-cookie", "")
    assert "set-cookie" not in answer.headers
    text: str = answer.json()["result"]["content"][0]["text"]
    return text


def receipt_in(text: str) -> str:
    (receipt,) = re.findall(r"\bs-[a-z2-7]{16}\b", text)
    return str(receipt)


def test_programs_that_keep_no_cookies_are_told_apart_by_their_names(url: str) -> None:
    receipt = receipt_in(by_hand(url, "one", "memory_search", query="tea"))

    told = by_hand(url, "other", "memory_write", receipt=receipt, text="With a receipt of somebody else.")
    done = by_hand(url, "one", "memory_write", receipt=receipt, text="The saucer is chipped.")

    assert "another conversation" in told
    assert "kept" in done


def test_a_cookie_is_given_once_and_one_that_was_made_up_counts_for_nothing(url: str) -> None:
    cookie, _, attributes = by_hand(url, "one", "").partition("; ")
    assert attributes == "Path=/mcp; HttpOnly; SameSite=Strict"
    assert by_hand(url, "one", "", cookie=cookie) == ""

    receipt = receipt_in(by_hand(url, "one", "memory_search", cookie=cookie, query="tea"))
    told = by_hand(url, "one", "memory_write", cookie=f"{cookie}x", receipt=receipt, text="Made up.")

    assert "another conversation" in told


def test_what_a_header_calls_the_conversation_is_never_kept(place: Place, url: str) -> None:
    """It may be anything, a password too."""
    with Connected(lambda: over_http(url, "auto", conversation="hunter2hunter2")) as client:
        client.data("memory_search", query="tea")

    kept = [path for path in place.folder.rglob("*") if path.is_file() and b"hunter2" in path.read_bytes()]
    assert kept == []


def test_an_answer_that_opens_no_session_names_none(url: str) -> None:
    answer = httpx2.post(url, content=b"{broken", headers={**JSON_HEADERS, "Authorization": f"Bearer {TOKEN}"})

    assert answer.status_code == 400
    assert "mcp-session-id" not in answer.headers
    assert "mcp-session-id" in ask(url, Authorization=f"Bearer {TOKEN}").headers


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
    assert "--port 0" in done.stderr.decode()


@pytest.mark.parametrize(
    ("host", "said"),
    [("300.1.1.1", "300.1.1.1 is no address"), ("192.0.2.1", "Nothing can listen on 192.0.2.1")],
)
def test_a_host_that_is_not_ours_is_no_matter_of_the_port(place: Place, host: str, said: str) -> None:
    done = subprocess.run(
        [*PROGRAM, "mcp", "--http", "--host", host], env=place.environment, capture_output=True, check=False
    )

    assert done.returncode == 2
    told = done.stderr.decode()
    assert said in told
    assert "--host" in told
    assert "--port" not in told


@pytest.mark.parametrize("option", [("--port", "8377"), ("--host", "127.0.0.1"), ("--allow-host", "memory.test")])
def test_what_is_for_http_alone_is_refused_without_it(place: Place, option: tuple[str, str]) -> None:
    done = subprocess.run(
        [*PROGRAM, "mcp", *option], env=place.environment, capture_output=True, check=False, stdin=subprocess.DEVNULL
    )

    assert done.returncode == 2
    assert f"{option[0]} is for a server over HTTP: add --http" in done.stderr.decode()
