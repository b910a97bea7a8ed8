"""Codex's settings: one table in, one table out, everything else byte for byte."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.entry.install.marks import Programs
from mnemic.entry.install.pieces import TomlServer
from mnemic.errors import ConfigError

_LINES = st.sampled_from(
    [
        "", "  ", "# a comment [mcp_servers.mnemic]", "[profiles.work]", "[[rules]]", "[mcp_servers.other]",
        'text = """\n[mcp_servers.mnemic]\n"""', "list = [\n  1, # one\n]", "model = 'x'", "[mcp_servers]",
    ]
)  # fmt: skip


def _server(where: str = "/opt/mnemic") -> TomlServer:
    return TomlServer(
        path=Path("config.toml"), programs=Programs(python="python", hook="hook.py", mnemic=(f"{where}/mnemic",))
    )


def _valid(text: str) -> bool:
    try:
        tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError:
        return False
    return True


_TEXTS = st.tuples(st.lists(_LINES, max_size=7), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda made: made[1].join(made[0]).replace("\n", made[1]).replace("\r\r\n", "\r\n") + (made[1] if made[2] else "")
)


@given(_TEXTS.filter(_valid))
def test_whatever_was_there_is_there_again_when_ours_is_taken_out(text: str) -> None:
    before = text.encode()

    after = _server().installed(before)

    told = tomllib.loads(after.decode().replace("\r\n", "\n"))
    assert told["mcp_servers"].pop("mnemic") == {"command": "/opt/mnemic/mnemic", "args": ["mcp"]}
    assert {"mcp_servers": {}, **tomllib.loads(text.replace("\r\n", "\n"))} == told
    assert _server().installed(after) == after
    assert _server().removed(after) == before


def test_a_file_that_we_made_is_removed_with_us_and_an_empty_one_is_not() -> None:
    assert _server().removed(_server().installed(None)) is None
    assert _server().removed(_server().installed(b"")) == b""


def test_a_new_path_replaces_the_old_one_and_what_a_person_added_stays() -> None:
    before = _server("/opt/old").installed(b"# mine\n") + b"startup_timeout_sec = 30 # slow disk\n\n[next]\na = 1\n"

    after = _server().installed(before)

    assert after == before.replace(b"/opt/old", b"/opt/mnemic")
    assert _server().removed(after) == b"# mine\n\n[next]\na = 1\n"


def test_servers_written_in_one_line_are_understood() -> None:
    before = b'mcp_servers = { other = { command = "npx" } }\n'

    after = _server().installed(before)

    assert set(tomllib.loads(after.decode())["mcp_servers"]) == {"other", "mnemic"}
    assert tomllib.loads((_server().removed(after) or b"").decode()) == tomllib.loads(before.decode())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb = \n", 2),
        ("[x]\na = 1\na = 2\n", 3),
        ("mcp_servers = 3\n", 1),
        ("x = 1\n\n[mcp_servers.mnemic]\ncommand = 'npx'\n", 3),
    ],
)
def test_what_cannot_be_edited_is_refused_with_file_and_line(text: str, line: int) -> None:
    with pytest.raises(ConfigError, match=rf"^config\.toml:{line}: "):
        _server().installed(text.encode())


def test_a_server_of_somebody_else_with_our_name_is_not_taken_out() -> None:
    before = b"[mcp_servers.mnemic]\ncommand = 'npx'\n"

    assert _server().removed(before) == before
