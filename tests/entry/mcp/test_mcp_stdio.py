"""The server as a process of its own: its streams, its neighbours, and a client that goes away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import Client
from mcp_places import ERAS, PROGRAM, Connected, Place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOISY = """
import os, subprocess, sys
from mnemic import app
start = app.App.start
def loud(*given, **named):
    print("a print of a library")
    sys.stdout.write("half a line")
    sys.__stdout__.write("through the back door\\n"); sys.__stdout__.flush()
    os.write(1, b"straight into the descriptor\\n")
    subprocess.run(["sh", "-c", "echo from a child; cat"])
    return start(*given, **named)
app.App.start = loud
from mnemic.entry.cli.main import main; main()
"""
SLOW = """
import os, sys
from mnemic import app
remember = app.App.remember
def slow(*given, **named):
    sys.stderr.write("writing\\n"); sys.stderr.flush()
    open(os.environ["GATE"]).read()  # waits for the test
    return remember(*given, **named)
app.App.remember = slow
from mnemic.entry.cli.main import main; main()
"""


class Lines:
    """A client that speaks the old era line by line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._number = 0

    def send(self, method: str, **params: object) -> int:
        self._number += 1
        self.raw(json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}).encode())
        return self._number

    def raw(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def answer(self, number: int | None) -> Any:  # noqa: ANN401 - what JSON holds
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id", 0) == number:
                return message
        raise AssertionError("the server ended")

    def ask(self, method: str, **params: object) -> Any:  # noqa: ANN401 - what JSON holds
        return self.answer(self.send(method, **params))

    def greet(self) -> Any:  # noqa: ANN401 - what JSON holds
        client = {"name": "lines", "version": "1"}
        told = self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        self.raw(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        return told

    def call(self, name: str, **arguments: object) -> Any:  # noqa: ANN401 - what JSON holds
        return self.ask("tools/call", name=name, arguments=arguments)["result"]


@pytest.fixture
def lines(place: Place) -> Iterator[Lines]:
    with started(place, PROGRAM) as process:
        yield Lines(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0


def started(place: Place, program: list[str], *words: str, **variables: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    environment = {**place.environment, **variables}
    return subprocess.Popen(
        [*program, *words, "mcp"], env=environment, stdin=pipe, stdout=pipe, stderr=pipe, cwd=place.folder
    )


@pytest.mark.parametrize("era", ERAS)
def test_nothing_that_is_printed_gets_into_the_protocol(place: Place, era: str) -> None:
    parameters = place.parameters(program=[sys.executable, "-u", "-c", NOISY])

    with Connected(lambda: Client(parameters, mode=era)) as client:
        found = client.data("memory_search", query="tea")

    assert found["results"][0]["id"] == "notes/tea"


def test_every_byte_of_the_output_is_of_the_protocol(place: Place) -> None:
    program = [sys.executable, "-c", NOISY]
    with started(place, program) as process:
        lines = Lines(process)
        lines.greet()
        lines.call("memory_search", query="tea")
        rest, errors = process.communicate()

    assert rest == b""
    told = errors.decode()
    for text in ("a print of a library", "through the back door", "straight into the descriptor", "from a child"):
        assert text in told


def test_text_of_any_script_passes_through_another_code_page(place: Place) -> None:
    with started(place, PROGRAM, PYTHONIOENCODING="cp1252:strict", PYTHONUTF8="0") as process:
        lines = Lines(process)
        lines.greet()
        found = lines.call("memory_search", query="Руна за маяком")
        process.communicate()

    assert "Руна держит пчёл" in found["content"][0]["text"]


def test_a_line_that_is_no_message_is_answered_and_ends_nothing(lines: Lines) -> None:
    lines.raw(b"{broken")
    codes = [lines.answer(None)["error"]["code"]]
    lines.greet()
    for line in (b"\xff\xfe\x00", b"not JSON", b"[]", b'{"jsonrpc": "2.0", "id": 77}'):
        lines.raw(line)
        codes.append(lines.answer(None)["error"]["code"])
    lines.raw(b"   ")

    assert codes == [-32700, -32700, -32700, -32600, -32600]
    assert len(lines.ask("tools/list")["result"]["tools"]) == 8


def test_a_project_that_gets_a_bundle_is_served_from_then_on(in_memory: Path) -> None:
    """Nobody named a bundle, so the server began with the user's own; it writes there no more."""
    place = Place(in_memory / "home", {"MNEMIC_BUNDLE": ""})
    project = in_memory / "project"
    for folder in (place.folder, project):
        folder.mkdir()
    inside = Place(project, place.environment)
    own = place.folder / "data" / "memory"
    with Connected(lambda: Client(inside.parameters(), mode="auto")) as client:
        receipt = client.data("memory_search", query="boats")["receipt"]
        client.data("memory_write", receipt=receipt, text="Ove mends nets.", id="notes/ove")
        assert (own / "notes" / "ove.md").is_file()
        inside.run("init")

        told = client.refused("memory_write", receipt=receipt, text="The red boat leaks.", id="notes/boat")
        receipt = client.data("memory_search", query="boats")["receipt"]
        client.data("memory_write", receipt=receipt, text="The red boat leaks.", id="notes/boat")
        found = client.data("memory_search", query="Ove mends nets")["results"]

    assert "memory_search" in told
    assert [path.name for path in own.rglob("boat.md")] == []
    assert len(list(project.rglob("boat.md"))) == 1
    assert found[0]["id"] == "own:notes/ove"


def test_half_a_character_in_an_argument_is_answered(lines: Lines) -> None:
    """As when a text was cut in the middle of an emoji; a whole one passes."""
    lines.greet()
    lines.raw(
        b'{"jsonrpc": "2.0", "id": 500, "method": "tools/call", "params": {"name": "memory_search", '
        b'"arguments": {"query": "tea \\ud83d\\ude00 \\ud83d"}}}'
    )

    assert "notes/tea" in lines.answer(500)["result"]["content"][0]["text"]


def test_a_client_that_leaves_in_mid_call_harms_nothing(place: Place, in_memory: Path) -> None:
    """What it had begun to write is finished, and the process ends by itself."""
    gate = in_memory / "gate"
    os.mkfifo(gate)
    with started(place, [sys.executable, "-c", SLOW], GATE=str(gate)) as process:
        lines = Lines(process)
        lines.greet()
        receipt = lines.call("memory_search", query="lighthouse keeper")["structuredContent"]["receipt"]
        arguments = {"receipt": receipt, "text": "The keeper's lamp is green.", "id": "notes/lamp"}
        lines.send("tools/call", name="memory_write", arguments=arguments)
        assert process.stderr is not None
        assert b"writing" in process.stderr.readline()
        assert process.stdin is not None
        process.stdin.close()
        gate.write_text("go on", encoding="ascii")
        assert process.wait(30) == 0

    assert "lamp is green" in place.run("show", "notes/lamp")


def test_a_client_that_reads_no_more_is_left_without_a_word(place: Place) -> None:
    with started(place, PROGRAM) as process:
        lines = Lines(process)
        lines.greet()
        assert process.stdout is not None
        process.stdout.close()
        lines.send("tools/list")
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_a_cancelled_call_leaves_the_server_as_it_was(place: Place) -> None:
    async def leave_and_come_back() -> bool:
        async with Client(place.parameters(), mode="legacy") as client:
            for _ in range(20):
                with anyio.move_on_after(0):
                    await client.call_tool("memory_search", {"query": "tea"})
            return not (await client.call_tool("memory_search", {"query": "tea"})).is_error

    assert anyio.run(leave_and_come_back)


def test_two_servers_and_a_command_share_a_bundle(place: Place) -> None:
    with (
        Connected(lambda: Client(place.parameters(), mode="auto")) as one,
        Connected(lambda: Client(place.parameters(), mode="legacy")) as other,
    ):
        for number, client in enumerate([one, other] * 3):
            receipt = client.data("memory_search", query=f"ship {number}")["receipt"]
            client.data("memory_write", receipt=receipt, text=f"Ship number {number} is called Vessel{number}.")
            place.run("remember", f"Harbour {number} has pier{number}.")
        seen = [
            {hit["id"] for hit in client.data("memory_search", query=query, k=20)["results"]}
            for client in (one, other)
            for query in ("ship vessel0 vessel1 vessel2 vessel3 vessel4 vessel5", "pier0 pier1 pier2 pier3 pier4 pier5")
        ]
        receipt = one.data("memory_search", query="ship 9")["receipt"]
        refused = other.refused("memory_write", receipt=receipt, text="A receipt of somebody else.")

    assert [len(ids) >= 6 for ids in seen] == [True] * 4
    assert seen[:2] == seen[2:]
    assert "memory_search" in refused


def test_a_server_can_be_told_to_change_nothing(place: Place) -> None:
    with Connected(lambda: Client(place.parameters("--tools", "read"), mode="auto")) as client:
        names = [tool.name for tool in client.do(client.client.list_tools).tools]

    assert names == ["memory_context", "memory_search", "memory_read", "memory_history"]


def test_a_missing_bundle_is_told_to_the_model_and_found_once_it_is_there(place: Place) -> None:
    late = Place(place.folder, {"MNEMIC_BUNDLE": str(place.folder / "late")})
    with Connected(lambda: Client(late.parameters(), mode="auto")) as client:
        told = client.refused("memory_search", query="tea")
        late.run("init", str(place.folder / "late"))
        found = client.data("memory_search", query="tea")

    assert "There is no bundle" in told
    assert found["abstained"]
