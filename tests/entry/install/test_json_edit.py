"""Ours goes into anybody's settings and comes out again, and every character of theirs stays."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from settings_texts import settings_texts

from mnemic.entry.install.jsonc import MistakeError, parse
from mnemic.entry.install.marks import Programs
from mnemic.entry.install.pieces import Hooks, Server

_FILE = Path("settings.json")
_EVENTS = ("SessionStart", "UserPromptSubmit", "Stop")


def _programs(where: str = "/opt/mnemic") -> Programs:
    return Programs(python=f"{where}/python", hook=f"{where}/mnemic/entry/hooks/hook.py", mnemic=(f"{where}/mnemic",))


def _hooks(where: str = "/opt/mnemic", *, flat: bool = False) -> Hooks:
    commands = {event: _programs(where).hook_command("claude-code", event) for event in _EVENTS}
    return Hooks(path=_FILE, commands=commands, flat=flat)


def _server(where: str = "/opt/mnemic") -> Server:
    return Server(path=_FILE, programs=_programs(where), extra={})


def _plain(data: bytes | None) -> Any:  # noqa: ANN401 - what JSON holds
    assert data is not None
    node = parse(data.removeprefix(codecs.BOM_UTF8).decode())
    return None if node is None else node.plain()


def _both(data: bytes | None, where: str = "/opt/mnemic", *, flat: bool = False) -> bytes:
    done = _server(where).installed(_hooks(where, flat=flat).installed(data))
    assert done is not None
    return done


def _without(data: bytes | None, *, flat: bool = False) -> bytes | None:
    return _hooks(flat=flat).removed(_server().removed(data))


_BLANKS = ["", "\n", "\r\n", " ", "// only a comment", "// only a comment\n", "/* a */ "]
_ODD = ['{"hooks": {}}', "{ }", "{\n}", "{\r\n}\r\n", '{"a": 1,}', "{ // c\n}", '{"a": 1 // c\n}', '{"a": 1, /* // */}']
_ODD += ['{"hooks": {"Stop": [ ]}, "mcpServers": {\n}}', '{"version": 1}', '{"hooks": {}, "version": 1}\n']


@pytest.mark.parametrize("text", [*_BLANKS, *_ODD])
@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_odd_files_come_back_byte_for_byte(text: str, mark: bytes, flat: bool) -> None:  # noqa: FBT001
    before = mark + text.encode()

    after = _both(before, flat=flat)

    assert set(_plain(after)["hooks"]) >= set(_EVENTS)
    assert _without(after, flat=flat) == before


@given(settings_texts(), st.booleans())
def test_whatever_was_there_is_there_again_when_ours_is_taken_out(given_text: tuple[str, Any], flat: bool) -> None:  # noqa: FBT001
    """Comments, order, indentation, trailing commas, line ends: byte for byte."""
    before = given_text[0].encode()
    if flat and any(isinstance(e, dict) and "hooks" in e for v in given_text[1].get("hooks", {}).values() for e in v):
        return  # that is no file of a client with flat hooks

    assert _without(_both(before, flat=flat), flat=flat) == before


@given(settings_texts())
def test_what_others_say_is_still_said(given_text: tuple[str, dict[str, Any]]) -> None:
    text, value = given_text

    after = _plain(_both(text.encode()))

    assert after["mcpServers"].pop("mnemic") == {"command": "/opt/mnemic/mnemic", "args": ["mcp"]}
    assert after["mcpServers"] == value.get("mcpServers", {})
    for event in _EVENTS:
        ours = after["hooks"][event].pop()
        assert [hook["command"].split()[-1] for hook in ours["hooks"]] == [event]
        assert after["hooks"][event] == value.get("hooks", {}).get(event, [])
    others = {event: groups for event, groups in value.get("hooks", {}).items() if event not in _EVENTS}
    assert {event: groups for event, groups in after["hooks"].items() if event not in _EVENTS} == others
    parts = {"hooks", "mcpServers"}
    assert {key: after[key] for key in after if key not in parts} == {k: v for k, v in value.items() if k not in parts}


@given(settings_texts())
def test_a_second_time_changes_nothing(given_text: tuple[str, Any]) -> None:
    once = _both(given_text[0].encode())

    assert _both(once) == once


@given(settings_texts())
def test_a_new_path_replaces_the_old_one_in_its_place(given_text: tuple[str, Any]) -> None:
    before = given_text[0].encode()

    assert _both(_both(before, "/opt/older place"), "/opt/mnemic") == _both(before, "/opt/mnemic")


@given(settings_texts())
def test_taking_out_what_is_not_there_changes_nothing(given_text: tuple[str, Any]) -> None:
    before = given_text[0].encode()

    assert _without(before) == before


@given(settings_texts())
def test_the_reader_reads_what_was_written(given_text: tuple[str, Any]) -> None:
    assert _plain(given_text[0].encode()) == given_text[1]


@given(st.text(alphabet='{}[]",:/*\\\n\r\t 01-eE.atrufnl\ufeff', max_size=40))
def test_any_text_is_read_or_refused_with_its_line(text: str) -> None:
    mistake = None
    try:
        parse(text)
    except MistakeError as error:
        mistake = error

    assert mistake is None or 1 <= mistake.line <= text.count("\n") + 1


def test_a_file_that_we_made_is_removed_with_us() -> None:
    made = _both(None)

    assert made.endswith(b"}\n")
    assert _without(made) is None


def test_a_file_that_we_made_and_the_client_wrote_anew_is_removed_with_us() -> None:
    """Claude Code writes its settings without a line end."""
    assert _without(_both(None).rstrip(b"\n")) is None


def test_a_hook_of_ours_in_a_group_of_somebody_else_is_taken_out_alone() -> None:
    command = _hooks().commands["Stop"]
    theirs = '{"type": "command", "command": "say done"}'
    before = f'{{"hooks": {{"Stop": [{{"hooks": [{theirs}, {{"type": "command", "command": "{command}"}}]}}]}}}}'

    after = _hooks().removed(before.encode())

    assert after == f'{{"hooks": {{"Stop": [{{"hooks": [{theirs}]}}]}}}}'.encode()


def test_what_a_person_changed_about_ours_stays() -> None:
    """A longer timeout, a variable for the server: only the command is ours to correct."""
    before = _both(None, "/opt/old").replace(b'"timeout": 5', b'"timeout": 30')
    before = before.replace(b'"args": [', b'"env": {"MNEMIC_BUNDLE": "/b"},\n      "args": [')

    after = _plain(_both(before))

    assert after["hooks"]["Stop"][0]["hooks"][0]["timeout"] == 30
    assert after["mcpServers"]["mnemic"]["env"] == {"MNEMIC_BUNDLE": "/b"}
    assert after["mcpServers"]["mnemic"]["command"] == "/opt/mnemic/mnemic"


def test_an_event_that_we_no_longer_use_is_given_up_and_doubles_are_thinned() -> None:
    command = _hooks("/opt/old").commands["Stop"]
    group = f'{{"hooks": [{{"type": "command", "command": "{command}"}}]}}'
    before = f'{{"hooks": {{"Notification": [\n{group}], "Stop": [{group}, {group}]}}}}'

    after = _plain(_hooks().installed(before.encode()))

    assert set(after["hooks"]) == set(_EVENTS)
    assert len(after["hooks"]["Stop"]) == 1
