"""What is taken from Claude Code's transcripts, and what is left out and counted."""

from __future__ import annotations

import json
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.adapters.importers.claude_code import ClaudeCodeImporter
from mnemic.adapters.sessions.jsonl import JsonlSessions
from mnemic.domain.imports import ImportNotes
from mnemic.domain.session import Role

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.domain.imports import ImportReport
    from mnemic.domain.session import SessionHead, Turn

SESSION = "5f0c1d2e-8a4b-4c3d-9e1f-0a1b2c3d4e5f"
Block = dict[str, object]


class Transcript:
    """Writes records as the program does: every one knows the one before it, a second later."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, kind: str, content: str | list[Block] | None = None, **fields: object) -> Transcript:
        number = len(self.lines) + 1
        record: dict[str, object] = {
            "parentUuid": f"u{number - 1}" if number > 1 else None,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/mira/harbour",
            "sessionId": SESSION,
            "version": "2.1.0",
            "gitBranch": "main",
            "type": kind,
            "uuid": f"u{number}",
            "timestamp": f"2026-05-03T08:14:{number:02}.250Z",
        }
        if content is not None:
            record["message"] = {"role": kind, "content": content}
        self.lines.append(json.dumps({**record, **fields}))
        return self

    def write(self, path: Path) -> Path:
        path.write_text("".join(f"{line}\n" for line in self.lines), encoding="utf-8")
        return path


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def tool(name: str) -> Block:
    return {"type": "tool_use", "id": "t1", "name": name, "input": {"command": "SECRET=1 run"}}


def result(content: object, **fields: object) -> Block:
    return {"type": "tool_result", "tool_use_id": "t1", "content": content, **fields}


def read(
    path: Path, importer: ClaudeCodeImporter | None = None
) -> tuple[list[tuple[SessionHead, list[Turn]]], ImportReport]:
    notes = ImportNotes()
    found = [
        (part.head, [turn for turn, _, _ in part.turns])
        for part in (importer or ClaudeCodeImporter()).read(path, notes)
    ]
    return found, notes.report()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / f"{SESSION}.jsonl"


def test_a_conversation_is_what_was_said_with_the_tools_in_a_word(file: Path) -> None:
    transcript = (
        Transcript()
        .add("summary", summary="Flood gauges", leafUuid="u9")
        .add("user", "Why does the gauge test fail?\nIt passed on Friday.")
        .add("assistant", [{"type": "thinking", "thinking": "hm", "signature": "x"}])
        .add("assistant", [text("I'll look at the log.")])
        .add("assistant", [tool("Bash")])
        .add("user", [result("\n  1 failed, 40 passed\nlong trace", is_error=True)])
        .add("assistant", [tool("Read")])
        .add("user", [result([text("x" * 500), {"type": "image"}])])
        .add("file-history-snapshot", snapshot={})
        .add("assistant", [text("The clock is off by an hour.")])
        .add("user", [text("Thanks!"), {"type": "image", "source": {"data": "AAAA"}}])
    )

    ((head, turns),), report = read(transcript.write(file))

    assert (head.id, head.source, head.project) == (SESSION, "claude-code", "/home/mira/harbour")
    assert head.title == "Why does the gauge test fail?"
    assert [(turn.role, turn.text, turn.source_id, turn.number) for turn in turns] == [
        (Role.USER, "Why does the gauge test fail?\nIt passed on Friday.", "u2", 0),
        (Role.ASSISTANT, "I'll look at the log.", "u4", 0),
        (Role.ASSISTANT, "The clock is off by an hour.", "u10", 0),
        (Role.USER, "Thanks!", "u11", 0),
    ]
    assert turns[0].at == datetime(2026, 5, 3, 8, 14, 2, 250_000, tzinfo=UTC)
    assert turns[2].attachments == (
        "[Bash]", "[error] 1 failed, 40 passed", "[Read]", f"[result] {'x' * 200}…",
    )  # fmt: skip
    assert turns[3].attachments == ("[image]",)
    assert report.counts == {
        "blocks of type thinking": 1,
        "records of type file-history-snapshot": 1,
        "records of type summary": 1,
    }
    assert (report.sessions, report.turns, report.refused) == (1, 4, ())


@pytest.mark.parametrize(
    ("given_text", "kept"),
    [
        ("<system-reminder>\nToday is Sunday.\n</system-reminder>", None),
        ("Hello <system-reminder>a</system-reminder>there", "Hello there"),
        ("<command-name>/clear</command-name>\n<command-message>clear</command-message>", None),
        ("<command-name>/review</command-name>\n<command-args>the parser</command-args>", "the parser"),
        ("<local-command-stdout>Bye!</local-command-stdout>", None),
        ("<bash-input>git status</bash-input>", "git status"),
        ("<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>", None),
        ("[Request interrupted by user for tool use]", None),
        ("What does <system-reminder> mean?", "What does <system-reminder> mean?"),
        ("a < b\n\n\n\nand <b>bold</b> ", "a < b\n\n\n\nand <b>bold</b> "),
    ],
)  # fmt: skip
def test_what_programs_put_around_the_users_words_is_left_out(file: Path, given_text: str, kept: str | None) -> None:
    sessions, report = read(Transcript().add("user", given_text).add("user", "Next.").write(file))

    said = [turn.text for _, turns in sessions for turn in turns]
    assert said == ([kept, "Next."] if kept is not None else ["Next."])
    untouched = kept == given_text or given_text.startswith("<bash-input>")
    assert ("texts that a program put around the user's words" in report.counts) is not untouched


def test_what_nobody_said_is_counted(file: Path) -> None:
    transcript = (
        Transcript()
        .add("user", "Caveat: …", isMeta=True)
        .add("user", "This session is being continued …", isCompactSummary=True)
        .add("assistant", [text("API Error: 529")], isApiErrorMessage=True)
        .add("user", "look into it", isSidechain=True)
        .add("assistant", [text("done")], isSidechain=True)
        .add("queue-operation")
        .add("user", "Real words.")
        .add("assistant", [tool("Bash")])
        .add("user", "Stop.")
    )

    ((_, turns),), report = read(transcript.write(file))

    assert [(turn.text, turn.attachments) for turn in turns] == [("Real words.", ()), ("Stop.", ())]
    assert report.counts == {
        "failures of the model's service": 1,
        "records of the program about itself": 1,
        "records of type queue-operation": 1,
        "summaries of a compacted conversation": 1,
        "turns of sub-agents": 2,
        "uses of tools that no words followed": 1,
    }
    ((_, with_sidechains),), _ = read(file, ClaudeCodeImporter(sidechains=True))
    assert [turn.text for turn in with_sidechains] == ["look into it", "done", "Real words.", "Stop."]


def test_many_tools_are_counted_not_listed(file: Path) -> None:
    transcript = Transcript().add("assistant", [tool(f"T{number}") for number in range(30)])

    ((_, turns),), _ = read(transcript.add("assistant", "Done.").write(file))

    assert turns[0].attachments[:2] == ("[T0]", "[T1]")
    assert turns[0].attachments[20:] == ("[10 more]",)


def test_a_growing_transcript_is_imported_again_and_again(file: Path, tmp_path: Path) -> None:
    transcript = Transcript()
    sessions = JsonlSessions(tmp_path / "sessions", lock=nullcontext)
    steps: list[tuple[str, list[Block]]] = [
        ("user", [text("one")]),
        ("assistant", [tool("Bash")]),
        ("user", [result("ok")]),
        ("assistant", [text("two")]),
        ("user", [text("three")]),
    ]
    for kind, blocks in steps:
        transcript.add(kind, blocks).write(file)
        for found in ClaudeCodeImporter().read(file, ImportNotes()):
            appended = sessions.append(found.head, (turn for turn, _, _ in found.turns))
            assert appended.conflicts == ()

    turns = sessions.read(SESSION).turns
    assert [(turn.number, turn.text) for turn in turns] == [(1, "one"), (2, "two"), (3, "three")]
    assert turns[1].attachments == ("[Bash]", "[result] ok")


def test_a_folder_of_projects_is_read_and_a_bad_file_costs_no_other(tmp_path: Path) -> None:
    for project in ("-home-a", "-home-b"):
        (tmp_path / project).mkdir()
        Transcript().add("user", project, sessionId=f"in{project}").write(tmp_path / project / "x.jsonl")
    (tmp_path / "-home-a" / "wide.jsonl").write_bytes("{}".encode("utf-16"))
    (tmp_path / "-home-a" / "notes.md").write_text("mine")

    sessions, report = read(tmp_path)

    assert [head.id for head, _ in sessions] == ["in-home-a", "in-home-b"]
    assert [(remark.path, remark.line, remark.code) for remark in report.refused] == [
        (str(tmp_path / "-home-a" / "wide.jsonl"), 0, "file")
    ]


def test_a_file_may_hold_several_sessions_and_records_without_one(file: Path) -> None:
    transcript = (
        Transcript()
        .add("user", "first", sessionId="Session A")
        .add("user", "second", sessionId=None)
        .add("user", "third", sessionId="Session A", uuid=None)
    )

    sessions, _ = read(transcript.write(file))

    assert [(head.id, [turn.source_id for turn in turns]) for head, turns in sessions] == [
        ("session-a", ["u1", f"{SESSION}:3"]),
        (SESSION, ["u2"]),
    ]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"type": "user", "message": {"content": "cut of', "json"),
        ("17", "json"),
        ("{}", "type"),
        ('{"type": ["user"]}', "type"),
        ('{"type": "user"}', "type"),
        ('{"type": "user", "message": "words"}', "type"),
        ('{"type": "user", "message": {"content": 7}}', "type"),
        ('{"type": "user", "uuid": "x", "message": {"content": "words"}}', "time"),
        ('{"type": "user", "timestamp": "0000-00-00", "message": {"content": "words"}}', "time"),
        ('{"type": "user", "x": "\udcff"}', "encoding"),
        ('{"type": "user", "x": "' + "y" * 17_000_000 + '"}', "limit"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_taken(file: Path, line: str, code: str) -> None:
    good = Transcript().add("user", "words", sessionId="other").lines[0]
    file.write_bytes(b"\n".join((good.encode(), line.encode(errors="surrogateescape"), good.encode())))

    sessions, report = read(file)

    assert [(remark.line, remark.code) for remark in report.refused] == [(2, code)]
    assert [turn.text for _, turns in sessions for turn in turns] == ["words", "words"]


def test_what_can_be_mended_is_and_is_told(file: Path) -> None:
    transcript = (
        Transcript()
        .add("user", "half \ud83d of a pair, a NUL \0")
        .add("assistant", [text("no date"), {"type": "odd\ud800"}, "no block"], timestamp="soon")  # type: ignore[list-item]
    )

    ((head, turns),), report = read(transcript.write(file))

    assert head.title == "half \ufffd of a pair, a NUL \ufffd"
    assert [turn.text for turn in turns] == ["half \ufffd of a pair, a NUL \ufffd", "no date"]
    assert turns[1].at == turns[0].at
    assert [(remark.line, remark.code) for remark in report.mended] == [(1, "encoding"), (2, "time")]
    assert report.counts == {"blocks of type None": 1, "blocks of type odd\ufffd": 1}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["user", "assistant", "text", "tool_result", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "content", "message", "name", "uuid", "sessionId", "cwd"]), inner
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["message", "uuid", "sessionId", "cwd", "timestamp", "isSidechain"]), json_values
    ).flatmap(lambda fields: st.sampled_from(["user", "assistant"]).map(lambda kind: {**fields, "type": kind}))
)
def test_any_record_is_read_or_named(tmp_path_factory: pytest.TempPathFactory, record: dict[str, object]) -> None:
    file = tmp_path_factory.mktemp("t") / "t.jsonl"
    file.write_text(json.dumps(record) + "\n" + Transcript().add("user", "words").lines[0], encoding="utf-8")

    sessions, _ = read(file)

    assert "words" in [turn.text for _, turns in sessions for turn in turns]
