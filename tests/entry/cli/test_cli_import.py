"""`mnemic import` as it is called: standard input, and Ctrl-C in the middle."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NoReturn

from mnemic.app import App

if TYPE_CHECKING:
    import pytest
    from command_line import Shell

LINE = json.dumps({"session": "quay", "turn": 1, "at": "2026-05-03T08:14:00Z", "role": "user", "text": "The ferry."})


def test_standard_input_needs_its_format_and_is_told_so(project: Shell) -> None:
    done = project.process("import", "-", stdin=LINE.encode())

    assert done.returncode == 2
    assert b"mnemic import chat -" in done.stderr
    assert project.json("session", "list") == {"sessions": []}


def test_standard_input_is_imported_in_the_format_that_is_named(project: Shell) -> None:
    done = project.process("import", "chat", "-", stdin=LINE.encode())

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"Added 1 turn in 1 session")
    assert "The ferry." in project.ok("session", "show", "quay")


def test_whoever_stops_an_import_learns_what_to_do_next(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(App, "import_sessions", stopped)

    done = project.run("import", "chat", "talk.jsonl")

    assert done.exit_code == 130
    assert done.stderr == "Stopped. What was written is kept; the same command goes on from there.\n"


def test_a_turn_that_a_session_does_not_have_is_told_apart_from_a_session_that_is_not_there(project: Shell) -> None:
    (project.folder / "talk.jsonl").write_text(
        '{"session": "kitchen", "turn": 1, "at": "2026-05-03T08:14:00Z", "role": "user", "text": "Tea is out."}\n',
        encoding="utf-8",
    )
    project.ok("import", "chat", "talk.jsonl")

    for words in (("session", "show", "kitchen#9"), ("remember", "No tea.", "--cites", "session:kitchen#9")):
        done = project.run(*words)
        assert done.exit_code == 1
        assert done.stderr == (
            "Error: There is no turn 'session:kitchen#9'.\n  See those there are: mnemic show session:kitchen\n"
        )
    assert "There is no session 'kitschen'" in project.run("session", "show", "kitschen").stderr
