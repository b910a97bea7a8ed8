"""What is kept of a conversation, and what the log says where something is not."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.app import App
from mnemic.domain.capsule import Slot
from mnemic.entry.hooks import capture, detached
from mnemic.entry.hooks.alone import answer_alone
from mnemic.entry.hooks.client import Once
from mnemic.entry.hooks.keeping import keep
from mnemic.entry.hooks.said import keepable_name, said
from mnemic.entry.hooks.shortening import LOOKED_PAST, shortened, trimmed
from mnemic.text.secret_rules import find_secrets

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from coding_agent import Agent

    from mnemic.entry.hooks.serving import Listening

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
LIMIT = 200


def test_a_transcript_is_kept_once_however_often_it_is_told(
    agent: Agent, app: App, server: Listening, tmp_path: Path
) -> None:
    transcript = tmp_path / "s1.jsonl"
    records = [_record("user", "Where do we deploy?", 1), _record("assistant", "To walrus, on Fridays.", 2)]
    transcript.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    for event in ("Stop", "PreCompact", "SubagentStop", "SessionEnd"):
        assert agent.says("claude-code", event, transcript_path=str(transcript)) == {}
    server.hooks.wait()

    (row,) = app.session_list()

    assert row.turns == 2


def test_a_client_without_transcripts_is_heard_through_its_events(agent: Agent, app: App, server: Listening) -> None:
    for _ in range(2):  # a client may tell an event twice
        agent.context(f"my token is {KEY}, keep it", client="codex", turn_id="t1")
        agent.says("codex", "Stop", turn_id="t1", last_assistant_message="I do not keep tokens.")
    agent.context("and what else?", client="cursor", generation_id="g1")
    server.hooks.wait()

    sessions = {row.head.conversation: app.bundle.sessions.read(row.head.id) for row in app.session_list()}

    said = [(turn.role.value, turn.text) for turn in sessions["codex:s1"].turns]
    assert [role for role, _ in said] == ["user", "assistant"]
    assert KEY not in said[0][1]
    assert [turn.text for turn in sessions["cursor:s1"].turns] == ["and what else?"]


@pytest.mark.parametrize("told", [{"transcript_path": "/nowhere.jsonl"}, {"transcript_path": ""}])
def test_without_a_transcript_nothing_of_what_was_heard_is_lost(
    agent: Agent, app: App, server: Listening, log_lines: Callable[[], list[str]], told: dict[str, str]
) -> None:
    agent.context("we chose walrus", **told)
    agent.context("the big one", **told)  # into the running answer

    agent.says("claude-code", "Stop", last_assistant_message="Noted.", **told)
    server.hooks.wait()

    (row,) = app.session_list()
    assert _texts(app, row.head.id) == ["we chose walrus", "the big one", "Noted."]
    missing = ["claude-code Stop: its transcript is not there; only what hooks were told is kept"]
    assert [line.partition(" ")[2] for line in log_lines()] == (missing if told["transcript_path"] else [])


def test_a_prompt_that_was_never_answered_is_kept_at_the_end(agent: Agent, app: App, server: Listening) -> None:
    agent.context("we chose walrus", transcript_path="/nowhere.jsonl")

    agent.says("claude-code", "SessionEnd", transcript_path="/nowhere.jsonl")
    server.hooks.wait()

    (row,) = app.session_list()
    assert _texts(app, row.head.id) == ["we chose walrus"]


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_of_what_is_too_long_beginning_and_end_are_kept(agent: Agent, app: App, server: Listening, client: str) -> None:
    long = f"begin {'blah ' * 19_997}{KEY} {'more ' * 40_000}end"  # the key stands where the first half ends
    told = {"turn_id": "t1", "transcript_path": "/nowhere.jsonl"}

    agent.context(long, client, **told)
    agent.says(client, "Stop", last_assistant_message=long, **told)
    server.hooks.wait()

    (row,) = app.session_list()
    for text in _texts(app, row.head.id):
        assert text.startswith("begin blah")
        assert text.endswith("more end")
        assert "\n[…]\n" in text
        assert "ghp_" not in text
        assert 199_000 < len(text) <= 200_000
    assert row.turns == 2


@pytest.mark.parametrize(("words", "kept"), [("more ", 1), (f"my key is {KEY} ", 0)])
def test_where_secrets_leave_a_turn_out_they_leave_out_a_long_one_too_and_the_log_says_so(
    bundle: Path, log_lines: Callable[[], list[str]], words: str, kept: int
) -> None:
    app = App.start(bundle, overrides=("embed.engines=", "rules.secrets_in_sessions=refuse"))

    keep(app, said("codex", "Stop", json.dumps({"last_assistant_message": words * 50_000}).encode()))

    assert len(app.session_list()) == kept
    line = "codex Stop: 1 of 1 texts not kept: they hold secrets, or their session cannot be read"
    assert [line.partition(" ")[2] for line in log_lines()] == [line] * (1 - kept)


def test_what_is_not_kept_of_a_transcript_stands_in_the_log(
    agent: Agent, app: App, server: Listening, log_lines: Callable[[], list[str]], tmp_path: Path
) -> None:
    transcript = tmp_path / "s1.jsonl"
    transcript.write_text(f"{json.dumps(_record('user', 'w ' * 200_000, 1))}\n", encoding="utf-8")
    agent.says("claude-code", "Stop", transcript_path=str(transcript))
    server.hooks.wait()
    transcript.write_bytes(b"\0\xff\xfe")
    agent.says("claude-code", "Stop", transcript_path=str(transcript), last_assistant_message="Noted.")
    server.hooks.wait()

    too_long, unreadable = log_lines()
    assert "claude-code Stop: not kept of its transcript: 1 limit" in too_long
    assert "claude-code Stop: ImportSourceError" in unreadable
    (row,) = app.session_list()
    assert _texts(app, row.head.id) == ["Noted."]


@pytest.mark.parametrize("client", ["claude-code", "codex", "opencode"])
def test_a_conversation_that_is_called_like_a_key_leaves_no_key_in_any_file(
    agent: Agent, app: App, server: Listening, client: str
) -> None:
    told = {"session_id": KEY, "turn_id": KEY}
    start = app.context("", slots=(Slot.SYSTEM,)).system

    first, second = (agent.context("what does Anna drink?", client, **told) for _ in range(2))
    agent.says(client, "Stop", last_assistant_message="Tea.", **told)
    server.hooks.wait()

    assert start in first, "it is a conversation of its own"
    assert (start in second) is (client == "opencode")
    assert len(app.session_list()) == 1
    assert _files_with(KEY, app.root) == []


def test_nor_without_a_server(agent: Agent, app: App) -> None:
    told = {"session_id": KEY, "turn_id": KEY}
    start = app.context("", slots=(Slot.SYSTEM,)).system

    first, second = (agent.context("what does Anna drink?", **told) for _ in range(2))

    assert start in first
    assert start not in second
    assert "green tea" in second
    assert _files_with(KEY, app.root) == []


def test_a_key_that_the_longest_name_would_be_cut_in_is_seen() -> None:
    name = keepable_name("session " * 24 + KEY)

    assert re.fullmatch("hashed-[0-9a-f]{16}", name)


@given(names=st.from_regex(r"(ses_)?[0-9a-f-]{0,26}[A-Za-z0-9-]{0,14}", fullmatch=True))
def test_no_name_that_is_kept_unread_is_a_secret(names: str) -> None:
    assert keepable_name(names) == names
    assert find_secrets(names) == ()


@given(
    before=st.integers(0, 300),
    between=st.integers(0, 300),
    after=st.integers(0, 300),
    far=st.sampled_from([1, LOOKED_PAST]),
)
def test_a_shorter_text_holds_no_secret_and_no_part_of_one(before: int, between: int, after: int, far: int) -> None:
    middle = " far" * far
    text = f"{'a ' * before}{KEY} {'b ' * between}{middle} {KEY} {'c ' * after}"

    short = shortened(text, LIMIT)

    assert shortened(trimmed(text, LIMIT), LIMIT) == short
    if len(text) <= LIMIT:
        assert short == text
    else:
        assert "ghp_" not in short
        assert KEY[-8:] not in short
        assert len(short) <= LIMIT + 2 * len("[redacted: github-token]")


class _Silent(Once):
    """Gives its answers to nobody."""

    def give(self, reply: bytes) -> bool:
        self.given = True
        return bool(reply)


@pytest.mark.parametrize(("named", "handed"), [("", 1), ("gone.jsonl", 1), ("there.jsonl", 0)])
def test_without_a_server_a_prompt_is_handed_over_where_no_transcript_holds_it(
    app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: str, handed: int
) -> None:
    (tmp_path / "there.jsonl").touch()
    taken: list[bytes] = []
    monkeypatch.setattr(detached, "start", lambda _, data: taken.append(data))
    told = {"session_id": "s1", "prompt": "we chose walrus", "transcript_path": named and str(tmp_path / named)}
    data = json.dumps(told).encode()

    answer_alone(_Silent(), "claude-code", "UserPromptSubmit", data, (str(app.root), str(app.state_folder), False))

    assert taken == [data] * handed


def test_what_was_handed_over_is_kept_unless_its_transcript_has_come(
    app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(capture, "PATIENCE", 0.0)
    transcript = tmp_path / "s1.jsonl"
    for number in range(2):
        told = {"session_id": "s1", "transcript_path": str(transcript), "prompt_id": str(number)}
        _captured(app, "UserPromptSubmit", {**told, "prompt": f"prompt {number}"}, tmp_path)
        _captured(app, "Stop", {**told, "last_assistant_message": f"reply {number}"}, tmp_path)
        transcript.write_text(f"{json.dumps(_record('user', 'all of it', 1))}\n", encoding="utf-8")

    assert [_texts(app, row.head.id) for row in reversed(app.session_list())] in (
        [["prompt 0", "reply 0"], ["all of it"]],
        [["all of it"], ["prompt 0", "reply 0"]],
    )


def _captured(app: App, event: str, told: dict[str, str], folder: Path) -> None:
    """What the process of its own does, that the hook hands over to."""
    source = folder / "input"
    source.write_bytes(json.dumps(told).encode())
    before, handle = os.dup(0), os.open(source, os.O_RDONLY)
    os.dup2(handle, 0)
    try:
        capture.main(["claude-code", event, str(app.root)])
    finally:
        os.dup2(before, 0)
        os.close(before)
        os.close(handle)


def _files_with(words: str, folder: Path) -> list[str]:
    wanted = words.lower().encode()
    return [path.name for path in folder.rglob("*") if path.is_file() and wanted in path.read_bytes().lower()]


def _texts(app: App, session: str) -> list[str]:
    return [turn.text for turn in app.bundle.sessions.read(session).turns]


def _record(role: str, text: str, number: int) -> dict[str, object]:
    return {
        "type": role,
        "uuid": f"u{number}",
        "sessionId": "s1",
        "timestamp": f"2026-03-01T10:00:0{number}.000Z",
        "cwd": "/project",
        "message": {"role": role, "content": text},
    }
