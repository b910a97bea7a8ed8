"""The chat importer keeps the promises of docs/reference/chat-format.md."""

from __future__ import annotations

import io
import json
import re
import sys
import tracemalloc
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.adapters.importers.chat import ChatImporter
from mnemic.adapters.sessions.jsonl import JsonlSessions
from mnemic.domain.imports import ImportNotes
from mnemic.domain.session import Role
from mnemic.errors import ImportSourceError
from mnemic.testing.session_store import MemorySessions

if TYPE_CHECKING:
    from datetime import tzinfo

    from mnemic.domain.imports import ImportReport
    from mnemic.domain.session import SessionHead, Turn
    from mnemic.ports import SessionStore

ROOT = Path(__file__).parents[3]
Read = tuple[list[tuple["SessionHead", list["Turn"]]], "ImportReport"]


def a_line(**fields: object) -> str:
    whole = {"session": "s", "turn": 1, "at": "2026-05-03T08:14:00+02:00", "role": "user", "text": "Moin"}
    whole |= fields
    return json.dumps({name: value for name, value in whole.items() if value is not Ellipsis}, ensure_ascii=False)


def read(path: Path, zone: tzinfo = UTC) -> Read:
    notes = ImportNotes()
    sessions = [(found.head, [turn for turn, _, _ in found.turns]) for found in ChatImporter(zone).read(path, notes)]
    return sessions, notes.report()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "chat.jsonl"


def written(file: Path, *lines: str | bytes, end: bytes = b"\n") -> Path:
    file.write_bytes(b"".join((line.encode() if isinstance(line, str) else line) + end for line in lines))
    return file


def test_the_example_of_the_documentation_is_read_as_documented(file: Path) -> None:
    page = (ROOT / "docs" / "reference" / "chat-format.md").read_text(encoding="utf-8")
    example = re.findall(r"```jsonl\n(.*?)```", page, re.DOTALL)[0]

    sessions, report = read(written(file, example.encode()), ZoneInfo("Europe/Copenhagen"))

    (morning, first), (evening, second) = sessions
    assert (morning.id, morning.title, morning.source) == ("2026-05-03-morning", "Ferry to Rømø", "chat")
    assert [(turn.number, turn.speaker, turn.role) for turn in first] == [
        (1, "Mira", Role.USER),
        (2, "Iva", Role.ASSISTANT),
    ]
    assert (evening.title, second[0].speaker) == ("", "user")
    assert second[0].at == datetime(2026, 5, 3, 19, 40, tzinfo=UTC)
    assert report.counts == {"moments without an offset, read in Europe/Copenhagen": 1}
    assert (report.sessions, report.turns, report.refused_count) == (2, 3, 0)


def test_the_demo_month_is_read_without_a_remark() -> None:
    sessions, report = read(ROOT / "examples" / "demo" / "month.jsonl")

    assert report.turns == sum(len(turns) for _, turns in sessions) >= 200
    assert (report.refused, report.mended, dict(report.counts)) == ((), (), {})


@pytest.mark.parametrize(
    ("line", "code", "why"),
    [
        ("nonsense", "json", "not JSON"),
        ('{"session": "s", "turn"', "json", "not JSON"),
        ("[1, 2]", "json", "no JSON object"),
        ("[" * 100_000, "json", "not JSON"),
        ('{"turn": ' + "9" * 5000 + "}", "json", "not JSON"),
        ('{"session": "a", "session": "b"}', "json", "twice"),
        (b'{"session": "\xff"}', "encoding", "not UTF-8"),
        (b'{"session": "\xed\xa0\x80"}', "encoding", "not UTF-8"),
        (b'{"session": "\0"}', "encoding", "NUL"),
        (a_line(text="x").replace('"x"', r'"\u0000"'), "encoding", "NUL"),
        (a_line(text="x").replace('"x"', r'"\ud83d"'), "encoding", "surrogate"),
        (a_line(more=[{"x": "y"}]).replace('"y"', r'"\udc00"'), "encoding", "surrogate"),
        (a_line(session=...), "missing", "session"),
        (a_line(turn=...), "missing", "turn"),
        (a_line(at=...), "missing", "at"),
        (a_line(role=...), "missing", "role"),
        (a_line(text=...), "missing", "text"),
        (a_line(session=None), "type", "session"),
        (a_line(session=1), "type", "session"),
        (a_line(turn="3"), "type", "turn"),
        (a_line(turn=3.0), "type", "turn"),
        (a_line(turn=True), "type", "turn"),
        (a_line(turn=0), "type", "from 1"),
        (a_line(turn=10**12), "limit", "turn"),
        (a_line(at=1_777_788_840), "type", "at"),
        (a_line(text=["x"]), "type", "text"),
        (a_line(title=1), "type", "title"),
        (a_line(lang=1), "type", "lang"),
        (a_line(speaker=["x"]), "type", "speaker"),
        (a_line(attachments="x"), "type", "attachments"),
        (a_line(attachments=[1]), "type", "attachments"),
        (a_line(session="Upper"), "session", "'Upper'"),
        (a_line(session="../x"), "session", "no session id"),
        (a_line(session="nul"), "session", "no session id"),
        (a_line(at="yesterday"), "time", "yesterday"),
        (a_line(at="0000-01-01"), "time", "0000"),
        (a_line(at="9999-12-31T23:59:59-02:00"), "time", "9999"),
        (a_line(at="2026-02-30"), "time", "2026-02-30"),
        (a_line(role="boss"), "role", "'boss'"),
        (a_line(text="x" * 5_000_000), "limit", "longer than 4,194,304 bytes"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named_and_the_others_are_taken(file: Path, line: str | bytes, code: str, why: str) -> None:
    sessions, report = read(written(file, a_line(turn=1), line, a_line(turn=2)))

    (refused,) = report.refused
    assert (refused.path, refused.line, refused.code) == (str(file), 2, code)
    assert why in refused.why
    assert str(refused).startswith(f"{file}:2: ")
    assert [turn.number for _, turns in sessions for turn in turns] == [1, 2]


def test_sessions_may_be_interleaved_and_lines_come_in_any_order(file: Path) -> None:
    lines = [
        a_line(session="b", turn=2, text="b2"),
        a_line(session="a", turn=1, text="a1", title="first title"),
        "",
        a_line(session="b", turn=1, text="b1", title="late title", conversation="c"),
        a_line(session="a", turn=2, text="a2", title="second title"),
    ]
    store = MemorySessions()

    notes = ImportNotes()
    for found in ChatImporter().read(written(file, *lines), notes):
        store.append(found.head, (turn for turn, _, _ in found.turns))

    a, b = store.read("a"), store.read("b")
    assert [turn.text for turn in a.turns + b.turns] == ["a1", "a2", "b1", "b2"]
    assert (a.head.title, b.head.title, b.head.conversation) == ("first title", "late title", "c")


def test_each_turn_says_where_it_stands(file: Path) -> None:
    written(file, a_line(turn=1), "", a_line(session="t"), a_line(turn=2))

    places = [
        (turn.id, path, line) for found in ChatImporter().read(file, ImportNotes()) for turn, path, line in found.turns
    ]
    assert places == [("session:s#1", str(file), 1), ("session:s#2", str(file), 4), ("session:t#1", str(file), 3)]


def test_windows_files_and_a_last_line_without_its_end_are_read(file: Path) -> None:
    content = "\r\n".join((a_line(turn=1, text="one\r\n two"), "  ", a_line(turn=2)))
    file.write_bytes(b"\xef\xbb\xbf" + content.encode())

    ((_, turns),), report = read(file)
    assert [turn.text for turn in turns] == ["one\r\n two", "Moin"]
    assert report.refused == ()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_refused_as_a_whole(file: Path, encoding: str) -> None:
    file.write_bytes(a_line().encode(encoding))

    with pytest.raises(ImportSourceError, match="UTF"):
        read(file)


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImportSourceError, match=r"nothing\.jsonl: there is no such file"):
        read(tmp_path / "nothing.jsonl")
    with pytest.raises(ImportSourceError, match="it is no file"):
        read(tmp_path)


def test_an_empty_file_holds_nothing(file: Path) -> None:
    sessions, report = read(written(file))

    assert (sessions, report.turns, report.refused) == ([], 0, ())


def test_oddities_are_reported_and_taken(file: Path) -> None:
    lines = [
        a_line(turn=1, at="2026-05-03T10:00:00Z", mood="glad"),
        a_line(turn=2, at="2026-05-03T09:00:00Z", mood="sad", city="Riga"),
        a_line(turn=3, text=" \n"),
        a_line(turn=4, text="", attachments=["a cat"]),
        a_line(turn=5, speaker=None, attachments=None, title=None, lang="ru"),
        a_line(turn=6, at="2026-05-03"),
        a_line(turn=7, at="2026-10-25 02:30"),
    ]
    ((_, turns),), report = read(written(file, *lines), ZoneInfo("Europe/Berlin"))

    assert [turn.number for turn in turns] == [1, 2, 4, 5, 6, 7]
    assert [(remark.line, remark.code) for remark in report.mended] == [(2, "order"), (4, "order"), (6, "order")]
    assert report.counts == {
        "turns without words": 1,
        "unknown field city": 1,
        "unknown field mood": 2,
        "moments without an offset, read in Europe/Berlin": 2,
    }
    assert turns[-2].at == datetime(2026, 5, 2, 22, tzinfo=UTC)
    assert turns[-1].at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)  # the first of two half past two


def test_only_the_first_fifty_bad_lines_are_shown_and_all_are_counted(file: Path) -> None:
    _, report = read(written(file, *["nonsense"] * 120, a_line()))

    assert (report.refused_count, [remark.line for remark in report.refused]) == (120, list(range(1, 51)))


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(a_line(text="по трубе").encode())

    monkeypatch.setattr(sys, "stdin", Stdin)
    ((_, turns),), _ = read(Path("-"))

    assert [turn.text for turn in turns] == ["по трубе"]


def test_importing_a_longer_version_adds_what_is_new_and_tells_conflicts(file: Path, tmp_path: Path) -> None:
    store: SessionStore = JsonlSessions(tmp_path / "sessions", lock=nullcontext)

    def import_it() -> list[tuple[int, int, int]]:
        return [
            (appended.added, appended.known, len(appended.conflicts))
            for found in ChatImporter().read(file, ImportNotes())
            for appended in [store.append(found.head, (turn for turn, _, _ in found.turns))]
        ]

    written(file, a_line(turn=1), a_line(turn=2))
    assert import_it() == [(2, 0, 0)]
    written(file, a_line(turn=1), a_line(turn=2, speaker="Iva"), a_line(turn=3), a_line(turn=3, text="again"))
    assert import_it() == [(1, 3, 2)]
    assert import_it() == [(0, 4, 2)]


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), texts.filter(str.strip), st.booleans()), max_size=12))
def test_any_texts_come_through_verbatim(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, str, bool]]
) -> None:
    file = tmp_path_factory.mktemp("c") / "chat.jsonl"
    lines = [
        json.dumps(json.loads(a_line(session=session, turn=number, text=text)), ensure_ascii=ascii_only)
        for number, (session, text, ascii_only) in enumerate(said, start=1)
    ]
    sessions, report = read(written(file, *lines))

    assert report.refused == ()
    assert {(head.id, turn.number, turn.text) for head, turns in sessions for turn in turns} == {
        (session, number, text) for number, (session, text, _) in enumerate(said, start=1)
    }


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused_by_line_or_as_a_whole(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.mktemp("c") / "chat.jsonl"
    file.write_bytes(a_line().encode() + b"\n" + content)

    sessions, report = read(file)
    assert sum(len(turns) for _, turns in sessions) >= 1
    blank = [line for line in content.split(b"\n") if not line.strip()]
    assert report.refused_count + len(blank) <= content.count(b"\n") + 1


def test_a_large_file_is_never_in_memory(file: Path) -> None:
    with file.open("w", encoding="utf-8") as out:
        for number in range(1, 20_001):
            out.write(a_line(session=f"s{number % 7}", turn=number, text=f"{number} " + "слово " * 20) + "\n")
    counted: dict[str, Any] = {"turns": 0}

    tracemalloc.start()
    for found in ChatImporter().read(file, ImportNotes()):
        for _ in found.turns:
            counted["turns"] += 1
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert counted["turns"] == 20_000
    assert file.stat().st_size > 5_000_000
    assert peak < 5_000_000
