"""What a hook tells when no server runs: never what is not so any more, and never what was forgotten."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft
from mnemic.entry.hooks import capture, detached

if TYPE_CHECKING:
    from coding_agent import Agent


TEA = "what tea does Anna drink?"


def test_a_text_that_was_forgotten_never_comes_back(agent: Agent, app: App) -> None:
    (hit,) = [hit for hit in app.recall(TEA).hits if "jasmine" in hit.snippet]
    assert "jasmine" in agent.context(TEA)

    app.forget(hit.id, confirm=hit.id)

    assert "jasmine" not in agent.context(TEA)


def test_nothing_is_told_while_a_removal_is_unfinished(agent: Agent, bundle: Path) -> None:
    (bundle / ".mnemic" / "erasure-owed").touch()

    assert agent.context(TEA) == ""


def test_a_file_that_was_deleted_edited_or_replaced_is_not_quoted(agent: Agent, bundle: Path) -> None:
    (file,) = (bundle / "notes").glob("anna-*.md")
    text = file.read_bytes()
    changes = (
        lambda: file.write_bytes(text.replace(b"green", b"black")),
        lambda: file.write_bytes(text + b"\nNot any more.\n"),
        lambda: _replaced_by_a_link(file, text),
        file.unlink,
    )
    for change in changes:
        change()

        assert "jasmine" not in agent.context(TEA)

    file.write_bytes(text)
    os.utime(file, (0, 0))  # it has been there for a while
    App.start(bundle, overrides=("embed.engines=",)).reindex(embed=False)

    assert "jasmine" in agent.context(TEA)


def test_an_edit_that_keeps_size_and_time_is_noticed_while_the_file_is_young(agent: Agent, bundle: Path) -> None:
    """The index notes which files it read so soon that they may have changed since under the same stamp."""
    file = bundle / "notes" / "young.md"
    file.write_text("---\ntype: note\ntitle: Young\n---\n\nThe heron lives in Oslo\n", encoding="utf-8")
    App.start(bundle, overrides=("embed.engines=",)).reindex(embed=False)
    seen = file.stat()

    file.write_bytes(file.read_bytes().replace(b"Oslo", b"Rome"))
    os.utime(file, ns=(seen.st_atime_ns, seen.st_mtime_ns))

    assert "Oslo" not in agent.context("where does the heron live?")


def test_only_what_is_active_and_valid_now_is_told(agent: Agent, app: App) -> None:
    now = datetime.now(UTC)
    app.remember(Draft(body="The heron lives in Oslo", valid_until=now - timedelta(days=1)))
    app.remember(Draft(body="The heron lives in Rome", valid_from=now + timedelta(days=1)))
    old = app.remember(Draft(body="The heron nests on the roof of the old mill")).memory
    app.remember(Draft(body="The heron nests in the reeds by the lake", supersedes=(old.id,)))
    app.reindex(embed=False)

    told = agent.context("where does the heron live, where does the heron nest?")

    assert "reeds" in told
    assert not any(word in told for word in ("Oslo", "Rome", "mill"))


def test_a_text_cannot_command_a_terminal_or_hide(anyhow: Agent, app: App) -> None:
    app.remember(Draft(body="The heron \u202eis \x1b[31mred\x1b[0m\x07 and \x9b2Jblue \x1b]0;title\x07today"))
    app.reindex(embed=False)

    told = anyhow.context("which heron is red and blue today?")

    assert "heron" in told
    assert all(char.isprintable() or char == "\n" for char in told)


def test_the_users_own_bundle_is_looked_through_too(agent: Agent) -> None:
    own = Path(os.environ["HOME"]) / ".local" / "share" / "mnemic" / "memory"
    create_bundle(own, name="mine")
    app = App.start(own, overrides=("embed.engines=",))
    app.remember(Draft(body="My bicycle is a red Batavus"))
    app.reindex(embed=False)

    assert "[mine:notes/my-bicycle-is-a-red-batavus" in agent.context("which bicycle is mine, the red one?")


def test_settings_about_facts_hold_without_a_server_too(agent: Agent, bundle: Path) -> None:
    with (bundle / "mnemic.toml").open("a", encoding="utf-8") as file:
        file.write("\n[recall]\nminimum_authority = 1.0\n")

    assert agent.context(TEA) == ""


def test_what_a_conversation_itself_said_is_not_told_to_it(
    agent: Agent, app: App, bundle: Path, tmp_path: Path
) -> None:
    transcript = tmp_path / "s1.jsonl"
    record = {
        "type": "user", "uuid": "u1", "sessionId": "s1", "timestamp": "2026-03-01T10:00:00.000Z",
        "message": {"role": "user", "content": "The password hint is about herons"},
    }  # fmt: skip
    transcript.write_text(json.dumps(record) + "\n", encoding="utf-8")
    app.import_sessions(transcript, format_="claude-code", embed=False)
    (file,) = (bundle / ".mnemic" / "sessions").glob("*.jsonl")
    os.utime(file, (0, 0))  # it has been there for a while
    app.reindex(embed=False)

    assert agent.context("what about herons?", session_id="s1") == ""
    assert "herons" in agent.context("what about herons?", session_id="s2")


def test_what_is_to_be_kept_is_kept_by_a_process_of_its_own(app: App, tmp_path: Path) -> None:
    """The hook hands over; what it hands over, this does."""
    told = {"session_id": "s1", "turn_id": "t1", "last_assistant_message": "The heron is called Otto."}
    source = tmp_path / "input"
    source.write_bytes(json.dumps(told).encode())
    before = os.dup(0)
    handle = os.open(source, os.O_RDONLY)
    os.dup2(handle, 0)
    try:
        capture.main(["codex", "Stop", str(app.root)])
    finally:
        os.dup2(before, 0)
        os.close(before)
        os.close(handle)

    (row,) = app.session_list()
    assert [turn.text for turn in app.bundle.sessions.read(row.head.id).turns] == ["The heron is called Otto."]


@pytest.mark.parametrize(("event", "fact"), [("SessionStart", ""), ("UserPromptSubmit", "jasmine")])
def test_when_opening_the_application_takes_too_long_the_least_is_told(
    agent: Agent, bundle: Path, event: str, fact: str
) -> None:
    """That there is a memory, and what a lean look finds; here the application waits for a file in use."""
    agent.variables["MNEMIC_HOOK_MS"] = "2000"
    with closing(sqlite3.connect(bundle / ".mnemic" / "state.db", isolation_level=None)) as other:
        other.execute("begin exclusive")

        told = agent.says("claude-code", event, session_id="new", prompt=TEA)

    assert "You have a long-term memory" in str(told)
    assert fact in str(told)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="waits at a pipe with a name")
def test_a_process_of_its_own_gets_everything_and_outlives_the_hook(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    script = (
        "import os, sys; data = sys.stdin.buffer.read(); open(sys.argv[1], 'w').write(f'{len(data)} {os.getsid(0)}')"
    )

    detached.start(["-c", script, str(pipe)], b"x" * 5_000_000)

    with pipe.open(encoding="ascii") as file:
        size, session = file.read().split()
    assert int(size) == 5_000_000
    assert int(session) != os.getsid(0)


def _replaced_by_a_link(file: Path, text: bytes) -> None:
    target = file.parent.parent.parent / "elsewhere.md"
    target.write_bytes(text)
    file.unlink()
    try:
        file.symlink_to(target)
    except OSError:  # Windows lets few do that
        assert sys.platform == "win32"
