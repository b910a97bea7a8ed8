"""What each event of each client does, through the program itself: with a server, and without one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mnemic.entry.hooks.said import EVENTS

if TYPE_CHECKING:
    from pathlib import Path

    from coding_agent import Agent

    from mnemic.app import App
    from mnemic.entry.hooks.serving import Listening

BASE = {"session_id": "s1", "transcript_path": "/nowhere/s1.jsonl", "cwd": "/", "permission_mode": "default"}
TOLD = {
    "SessionStart": {"source": "startup"},
    "UserPromptSubmit": {"prompt": "what does Anna drink?", "prompt_id": "p1"},
    "Stop": {"stop_hook_active": True, "last_assistant_message": "Tea.", "background_tasks": []},
    "SubagentStop": {"stop_hook_active": False, "last_assistant_message": "Found.", "agent_id": "a1"},
    "PreCompact": {"trigger": "manual", "custom_instructions": ""},
    "SessionEnd": {"reason": "clear"},
    "sessionStart": {"conversation_id": "c1", "is_background_agent": False, "composer_mode": "agent"},
    "beforeSubmitPrompt": {"conversation_id": "c1", "generation_id": "g1", "prompt": "what does Anna drink?"},
}
EVERY = [(client, event) for client, events in EVENTS.items() for event in events]


@pytest.mark.parametrize(("client", "event"), EVERY)
def test_every_event_of_every_client_is_answered_in_its_own_schema(anyhow: Agent, client: str, event: str) -> None:
    told = {**BASE, **TOLD[event], "hook_event_name": event}

    answer = anyhow.says(client, event, **told)

    match client, event:
        case "cursor", "beforeSubmitPrompt":
            assert answer["continue"] is True
            assert "green tea" in str(answer["additional_context"])
        case "cursor", _:
            assert answer.keys() == {"additional_context"}
        case _, "SessionStart" | "UserPromptSubmit":
            inner = answer["hookSpecificOutput"]
            assert isinstance(inner, dict)
            assert inner["hookEventName"] == event
            assert ("memory" if event == "SessionStart" else "green tea") in inner["additionalContext"]
        case _:
            assert answer == {}, "nothing may keep an agent going"


def test_a_prompt_brings_what_is_known_between_the_lines_of_its_language(anyhow: Agent) -> None:
    assert anyhow.context("田中さんは毎朝何茶を飲みますか").splitlines()[:1] == ["[コンテキスト — 覚えていること]"]
    assert "ジャスミン茶" in anyhow.context("田中さんのジャスミン茶")
    assert anyhow.context("какой кофе любит Борис?").splitlines()[-1] == "[/Контекст]"
    assert anyhow.context("zyzzyva quux?") == ""


def test_the_same_fact_has_the_same_line_with_a_server_and_without(
    agent: Agent, request: pytest.FixtureRequest
) -> None:
    alone = agent.context("what is the backup server called?")

    request.getfixturevalue("server")

    assert agent.context("what is the backup server called?").splitlines()[1] == alone.splitlines()[1]


def test_a_memory_that_is_called_by_its_name_comes_whole(anyhow: Agent, bundle: Path) -> None:
    (bundle / "knowledge").mkdir(exist_ok=True)
    text = "---\ntype: knowledge\ntitle: Deploy rules\n---\n\nNever on Mondays.\n\nAsk Boris first.\n"
    (bundle / "knowledge" / "deploy-rules.md").write_text(text, encoding="utf-8")
    anyhow.says("claude-code", "SessionStart", source="startup")  # and the index knows it

    assert "Never on Mondays.\n\nAsk Boris first." in anyhow.context("please follow #deploy-rules")


@pytest.mark.usefixtures("server")
def test_a_prompt_announces_a_turn_of_its_own_conversation(agent: Agent, app: App) -> None:
    agent.context("hello", session_id="one")
    first = app.bundle.turns.current("claude-code:one")
    agent.context("hello", session_id="two")

    second = app.bundle.turns.current("claude-code:two")

    assert first is not None
    assert first.announced
    assert second is not None
    assert second.id != first.id
    assert app.bundle.turns.current("claude-code:one") == first

    agent.context("again", session_id="one")

    assert app.bundle.turns.current("claude-code:one") != first


def test_what_a_session_starts_with_is_given_again_unchanged_after_a_compaction(anyhow: Agent, bundle: Path) -> None:
    before = anyhow.says("claude-code", "SessionStart", source="startup")
    (bundle / "summary.md").write_text("---\ntype: summary\ntitle: All\n---\n\nNew overview.\n", encoding="utf-8")

    assert anyhow.says("claude-code", "SessionStart", source="compact") == before


def test_the_end_of_a_session_ends_its_turn(agent: Agent, app: App, server: Listening) -> None:
    agent.context("hello", session_id="one")

    agent.says("claude-code", "SessionEnd", session_id="one", reason="exit")
    server.hooks.wait()

    assert app.bundle.turns.current("claude-code:one") is None


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
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    for _ in range(2):  # a client may tell an event twice
        agent.context(f"my token is {key}, keep it", client="codex", turn_id="t1")
        agent.says("codex", "Stop", turn_id="t1", last_assistant_message="I do not keep tokens.")
    agent.context("and what else?", client="cursor", generation_id="g1")
    server.hooks.wait()

    sessions = {row.head.conversation: app.bundle.sessions.read(row.head.id) for row in app.session_list()}

    said = [(turn.role.value, turn.text) for turn in sessions["codex:s1"].turns]
    assert [role for role, _ in said] == ["user", "assistant"]
    assert key not in said[0][1]
    assert [turn.text for turn in sessions["cursor:s1"].turns] == ["and what else?"]


def test_a_missing_transcript_costs_nothing_of_what_was_heard(agent: Agent, app: App, server: Listening) -> None:
    agent.context("we chose walrus", transcript_path="/nowhere.jsonl")

    agent.says("claude-code", "Stop", transcript_path="/nowhere.jsonl", last_assistant_message="Noted.")
    server.hooks.wait()

    (row,) = app.session_list()
    assert [turn.text for turn in app.bundle.sessions.read(row.head.id).turns] == ["we chose walrus", "Noted."]


def _record(role: str, text: str, number: int) -> dict[str, object]:
    return {
        "type": role,
        "uuid": f"u{number}",
        "sessionId": "s1",
        "timestamp": f"2026-03-01T10:00:0{number}.000Z",
        "cwd": "/project",
        "message": {"role": role, "content": text},
    }
