"""Texts that an importer cuts: whatever the cut goes through, no stump of a secret reaches the disk."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.adapters.importers.claude_code import MAX_TITLE
from mnemic.adapters.importers.claude_messages import MAX_NAME, MAX_RESULT
from mnemic.adapters.importers.names import session_name
from mnemic.adapters.importers.shortening import first_line, label, shortened
from mnemic.app import App, create_bundle
from mnemic.text.secret_rules import find_secrets, redact

if TYPE_CHECKING:
    from pathlib import Path

TOKEN = "_".join(["ghp", "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"])
"""The form of a token of GitHub, put together here; nobody's."""
WRAPPED = f"{TOKEN[:20]}\n{TOKEN[20:]}\nand more of it"
PIECE = 8
SAID = "user"


def pieces(secret: str) -> list[str]:
    return [secret[at : at + PIECE] for at in range(len(secret) - PIECE + 1)]


def ahead(offset: int, text: str) -> str:
    """`text` behind so many characters of words."""
    return ("so we said " * (offset // 11 + 1))[: offset - 1] + " " + text


def session(number: int, records: list[tuple[str, list[dict[str, object]]]]) -> list[str]:
    return [
        json.dumps(
            {
                "type": kind,
                "sessionId": f"talk-{number:04}",
                "uuid": f"u{number}-{place}",
                "timestamp": f"2026-05-03T08:14:{place:02}Z",
                "message": {"role": kind, "content": content},
            }
        )
        for place, (kind, content) in enumerate(records)
    ]


def with_secret_at(offset: int, secret: str, number: int) -> list[str]:
    """One session whose title, tool, result and document have the secret this far before or behind their cuts."""
    words, result = ahead(MAX_TITLE + offset, secret), ahead(MAX_RESULT + offset, secret)
    return session(
        number,
        [
            (SAID, [{"type": "text", "text": words}]),
            ("assistant", [{"type": "tool_use", "name": ahead(MAX_NAME + offset, secret), "input": {}}]),
            (SAID, [{"type": "tool_result", "content": f"\n{result}"}]),
            ("assistant", [{"type": "text", "text": "There."}, {"type": "document", "title": result}]),
        ],
    )


@pytest.mark.parametrize("rule", ["redact", "refuse"])
@pytest.mark.parametrize("secret", [f"{TOKEN} and more of it", WRAPPED], ids=["whole", "wrapped"])
def test_no_piece_of_a_token_reaches_the_disk_wherever_the_cut_goes_through_it(
    tmp_path: Path, secret: str, rule: str
) -> None:
    create_bundle(tmp_path / "memory")
    app = App.start(tmp_path / "memory", overrides=(f"rules.secrets_in_sessions={rule}",), embedders=())
    offsets = range(-len(TOKEN) - 3, 4)
    lines = [line for number, offset in enumerate(offsets) for line in with_secret_at(offset, secret, number)]
    source = tmp_path / "transcript.jsonl"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")

    app.import_sessions(source, format_="claude-code")

    sessions = list((app.root / ".mnemic" / "sessions").iterdir())
    assert len(sessions) == len(offsets) if rule == "redact" else sessions
    stored = b"\n".join(path.read_bytes() for path in app.root.rglob("*") if path.is_file())
    with sqlite3.connect(app.root / ".mnemic" / "index.db") as index:
        stored += "\n".join(index.iterdump()).encode()
    index.close()
    assert b"so we said" in stored
    assert [piece for piece in pieces(TOKEN) if piece.encode() in stored] == []


def test_a_secret_at_the_cut_is_counted_like_any_other(tmp_path: Path) -> None:
    create_bundle(tmp_path / "memory")
    app = App.start(tmp_path / "memory", embedders=())
    source = tmp_path / "transcript.jsonl"
    source.write_text("\n".join(with_secret_at(-10, TOKEN, 1)) + "\n", encoding="utf-8")

    done = app.import_sessions(source, dry_run=True)

    assert sum(done.redacted.values()) == 5  # the words, and the four texts that are cut


def test_a_key_of_many_lines_is_one_secret_and_no_first_line() -> None:
    edge = "-----{} PRIVATE KEY-----"
    block = "\n".join(
        [edge.format("BEGIN"), *["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB"] * 20, edge.format("END")]
    )

    line = first_line(f"{block}\nand more", 200)

    assert redact(line, find_secrets(line)) == "[redacted: private-key]"


def test_texts_without_secrets_are_cut_where_they_always_were() -> None:
    assert shortened("a" * 80, 80) == "a" * 80
    assert shortened("a" * 81, 80) == "a" * 80 + "…"
    assert first_line("\n  one  \ntwo", 80) == "one"
    assert first_line("one two three\nfour", 8) == "one two…"
    assert first_line(" \n ", 80) == ""


@given(st.text(max_size=60), st.integers(0, 130), st.text(max_size=60))
def test_a_report_never_shows_a_stump(before: str, limit: int, after: str) -> None:
    shown = label(f"{before} {TOKEN} {after}", limit)

    assert [piece for piece in pieces(TOKEN) if piece in shown] == []


def test_a_session_that_another_program_named_with_a_secret_gets_another_name() -> None:
    name = session_name(ahead(70, TOKEN))

    assert [piece for piece in pieces(TOKEN.lower()) if piece in name] == []
    assert name != session_name(ahead(70, TOKEN[::-1]))
