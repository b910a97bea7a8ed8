"""Session files: what stands in them, what a crash leaves, what erasure leaves, what large ones cost."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tracemalloc
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.adapters.sessions.jsonl import JsonlSessions
from mnemic.domain.session import Role, SessionHead, Turn
from mnemic.errors import (
    DocumentMalformedError,
    DocumentUnreadableError,
    InvalidSessionError,
    SessionNotFoundError,
    WriteFailedError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = SessionHead(id="kitchen", title="Печь")
NOON = datetime(2026, 5, 9, 12, tzinfo=UTC)


def turn(number: int, text: str = "Hallo", **fields: object) -> Turn:
    at = NOON + timedelta(seconds=number)
    return Turn(session=HEAD.id, number=number, at=at, speaker="Mira", role=Role.USER, text=text, **fields)  # type: ignore[arg-type]


@pytest.fixture
def sessions(tmp_path: Path) -> JsonlSessions:
    return JsonlSessions(tmp_path / "sessions", lock=nullcontext)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sessions" / "kitchen.jsonl"


def texts(sessions: JsonlSessions) -> list[str]:
    return [turn.text for turn in sessions.read(HEAD.id).turns]


def test_the_file_is_the_documented_format(sessions: JsonlSessions, file: Path) -> None:
    sessions.append(HEAD, [turn(1, "Тесто", attachments=("a bowl",), source_id="D1:1")])
    sessions.append(HEAD, [turn(2, "a\nb")])

    assert (
        file.read_bytes()
        == (
            '{"format":"mnemic-session/1","id":"kitchen","title":"Печь","conversation":"","source":"","project":""}\n'
            '{"n":1,"at":"2026-05-09T12:00:01Z","speaker":"Mira","role":"user","text":"Тесто",'
            '"attachments":["a bowl"],"source_id":"D1:1"}\n'
            '{"n":2,"at":"2026-05-09T12:00:02Z","speaker":"Mira","role":"user","text":"a\\nb"}\n'
        ).encode()
    )
    assert sessions.read(HEAD.id).lines == (2, 3)


def test_the_example_of_the_documentation_is_read_and_written_as_it_stands(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "session-format.md").read_text(encoding="utf-8")
    example = re.findall(r"```jsonl\n(.*?)```", page, re.DOTALL)[0].encode()
    (tmp_path / "kitchen.jsonl").write_bytes(example)
    session = JsonlSessions(tmp_path, lock=nullcontext).read("kitchen")
    assert session.problems == ()

    copy = JsonlSessions(tmp_path / "copy", lock=nullcontext)
    gone = turn(3)
    copy.append(session.head, [*session.turns, gone])
    copy.erase("kitchen", [3])

    assert (tmp_path / "copy" / "kitchen.jsonl").read_bytes() == example


def test_a_session_is_for_its_owner_alone(sessions: JsonlSessions, file: Path) -> None:
    sessions.append(HEAD, [turn(1)])

    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
stored_turns = st.builds(
    Turn,
    session=st.just(HEAD.id),
    number=st.integers(0, 40),
    at=st.datetimes(
        datetime(2, 1, 1),  # noqa: DTZ001 - Hypothesis wants naive bounds
        datetime(9998, 1, 1),  # noqa: DTZ001
        timezones=st.timezones(),
    ),
    speaker=words,
    role=st.sampled_from(Role),
    text=words,
    attachments=st.lists(words, max_size=3).map(tuple),
    source_id=st.sampled_from(["", "", "a", "b", "c"]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(stored_turns, max_size=6), min_size=1, max_size=4))
def test_any_turns_in_any_portions_are_read_back_and_known_again(
    tmp_path_factory: pytest.TempPathFactory, portions: list[list[Turn]]
) -> None:
    sessions = JsonlSessions(tmp_path_factory.mktemp("s"), lock=nullcontext)
    added = sum(sessions.append(HEAD, portion).added for portion in portions)
    stored = sessions.read(HEAD.id).turns if added else ()
    named = [turn for portion in portions for turn in portion if turn.source_id or turn.number]

    assert len(stored) == added
    given_turns = [(t.at, t.speaker, t.role, t.text, t.attachments) for portion in portions for t in portion]
    assert all((t.at, t.speaker, t.role, t.text, t.attachments) in given_turns for t in stored)
    assert sessions.append(HEAD, named).added == 0
    assert sessions.append(HEAD, stored).conflicts == ()


@pytest.mark.parametrize("ending", [b"", b"\0" * 40], ids=["cut", "padded with zeros"])
def test_a_write_torn_at_any_byte_loses_no_acknowledged_turn_and_is_completed_by_the_next(
    sessions: JsonlSessions, file: Path, ending: bytes
) -> None:
    sessions.append(HEAD, [turn(1, "acknowledged")])
    acknowledged = file.stat().st_size
    everything = [turn(1, "acknowledged"), turn(2, "über"), turn(3, "третий", source_id="c")]
    sessions.append(HEAD, everything)
    whole = file.read_bytes()

    for cut in range(acknowledged, len(whole)):
        file.write_bytes(whole[:cut] + ending)
        before = texts(sessions)
        assert before == [t.text for t in everything][: len(before)]
        assert "acknowledged" in before
        assert sessions.check() == []
        sessions.append(HEAD, everything)
        assert sessions.read(HEAD.id).turns == tuple(everything)
        assert ending == b"" or ending not in file.read_bytes()


def test_a_last_line_that_an_editor_left_without_its_end_is_kept(sessions: JsonlSessions, file: Path) -> None:
    sessions.append(HEAD, [turn(1, "one"), turn(2, "two")])
    file.write_bytes(file.read_bytes().removesuffix(b"\n"))

    assert texts(sessions) == ["one", "two"]
    sessions.append(HEAD, [turn(3, "three")])
    assert texts(sessions) == ["one", "two", "three"]


def test_a_file_of_a_head_alone_takes_turns(sessions: JsonlSessions, file: Path) -> None:
    file.parent.mkdir()
    file.write_text('{"format":"mnemic-session/1","id":"kitchen"}')

    sessions.append(HEAD, [turn(1, "one")])

    assert texts(sessions) == ["one"]


def test_an_editor_of_windows_may_have_saved_it(sessions: JsonlSessions, file: Path) -> None:
    sessions.append(HEAD, [turn(1, "one"), turn(2, "two")])
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))

    sessions.append(HEAD, [turn(3, "three")])

    assert texts(sessions) == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("nonsense", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1]", "no JSON object"),
        ('{"n":0,"at":"2026-05-09T12:00:01Z","role":"user","text":""}', "no turn number"),
        ('{"n":true,"at":"2026-05-09T12:00:01Z","role":"user","text":""}', "no turn number"),
        ('{"n":9,"at":"yesterday","role":"user","text":""}', "at is no moment"),
        ('{"n":9,"at":"0000-05-09T12:00:01Z","role":"user","text":""}', "at is no moment"),
        ('{"n":9,"at":17,"role":"user","text":""}', "at is no moment"),
        ('{"n":9,"at":"2026-05-09T12:00:01","role":"user","text":""}', "no offset"),
        ('{"n":9,"at":"2026-05-09T12:00:01Z","role":"boss","text":""}', "role is none of"),
        ('{"n":9,"at":"2026-05-09T12:00:01Z","role":["user"],"text":""}', "role is none of"),
        ('{"n":9,"at":"2026-05-09T12:00:01Z","role":"user"}', "text is no text"),
        ('{"n":9,"at":"2026-05-09T12:00:01Z","role":"user","text":"","attachments":"x"}', "attachments"),
        ("\udcff", "not UTF-8"),
    ],
)
def test_a_spoiled_line_is_named_and_costs_no_other_turn(
    sessions: JsonlSessions, file: Path, line: str, why: str
) -> None:
    sessions.append(HEAD, [turn(1, "one"), turn(2, "two")])
    head, one, two = file.read_bytes().splitlines()
    file.write_bytes(b"\n".join((head, one, line.encode(errors="surrogateescape"), two, b"")))

    (problem,) = sessions.check()
    assert (problem.path, problem.line) == (".mnemic/sessions/kitchen.jsonl", 3)
    assert why in problem.message
    assert texts(sessions) == ["one", "two"]
    assert sessions.read(HEAD.id).lines == (2, 4)
    assert sessions.append(HEAD, [turn(3, "three")]).added == 1
    assert texts(sessions) == ["one", "two", "three"]


def test_a_line_of_a_hundred_megabytes_is_named_and_never_loaded(sessions: JsonlSessions, file: Path) -> None:
    sessions.append(HEAD, [turn(1, "one")])
    with file.open("ab") as out:
        for _ in range(100):
            out.write(b"x" * 1_000_000)
        out.write(b"\n")
    sessions.append(HEAD, [turn(2, "two")])

    tracemalloc.start()
    session = sessions.read(HEAD.id)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert [(problem.line, problem.message) for problem in session.problems] == [
        (3, "it is longer than 8,388,608 bytes")
    ]
    assert [turn.text for turn in session.turns] == ["one", "two"]
    assert peak < 30_000_000
    assert sessions.erase(HEAD.id, [1]) == 1
    assert file.stat().st_size > 100_000_000


@pytest.mark.parametrize(
    "content",
    [b"", b"nonsense\n", b"{}\n", b'{"format":"mnemic-session/1","id":"other"}\n', b'{"format":"mnemic-session/2"}\n'],
)
def test_a_file_that_is_no_session_is_named_and_never_written_to(
    sessions: JsonlSessions, file: Path, content: bytes
) -> None:
    file.parent.mkdir()
    file.write_bytes(content)

    with pytest.raises(DocumentMalformedError, match=r"kitchen\.jsonl:1: the first line|kitchen\.jsonl:1: it is not"):
        sessions.read(HEAD.id)
    with pytest.raises(DocumentMalformedError):
        sessions.append(HEAD, [turn(1)])
    assert file.read_bytes() == content
    assert list(sessions.heads()) == []
    assert [problem.line for problem in sessions.check()] == [1]


def test_other_files_in_the_folder_are_left_alone(sessions: JsonlSessions, file: Path, tmp_path: Path) -> None:
    sessions.append(HEAD, [turn(1)])
    (file.parent / "notes.txt").write_text("mine")
    (file.parent / "Upper.jsonl").write_text("mine")
    (file.parent / ".kitchen.jsonl.tmp").write_text("left by a crash")
    (file.parent / "folder.jsonl").mkdir()
    (tmp_path / "outside").write_bytes(file.read_bytes().replace(b"kitchen", b"link"))
    (file.parent / "link.jsonl").symlink_to(tmp_path / "outside")

    assert [stamp.path for stamp in sessions.stamps()] == [".mnemic/sessions/kitchen.jsonl"]
    with pytest.raises(DocumentUnreadableError):
        sessions.read("link")
    with pytest.raises(WriteFailedError):
        sessions.append(SessionHead(id="link"), [])


@pytest.mark.parametrize("path", ["kitchen.jsonl", "../kitchen.jsonl", ".mnemic/sessions/../x.jsonl", ".mnemic/a.md"])
def test_only_paths_of_stamps_are_read(sessions: JsonlSessions, path: str) -> None:
    sessions.append(HEAD, [turn(1)])

    with pytest.raises(SessionNotFoundError):
        sessions.read_path(path)


def test_erased_words_are_nowhere_in_the_folder(sessions: JsonlSessions, file: Path) -> None:
    sessions.append(HEAD, [turn(1, "kept"), turn(2, "geheim", attachments=("geheim",)), turn(3, "kept too")])
    with file.open("ab") as out:
        out.write(b'{"n":4,"text":"geheim, torn')
    (file.parent / ".kitchen.jsonl.tmp").write_text("geheim, left by a crash")
    others = file.read_bytes().splitlines()[1], file.read_bytes().splitlines()[3]

    assert sessions.erase(HEAD.id, [2]) == 1

    everything = b"".join(path.read_bytes() for path in file.parent.iterdir())
    assert b"geheim" not in everything
    assert [path.name for path in file.parent.iterdir()] == ["kitchen.jsonl"]
    assert file.read_bytes().splitlines()[1:] == [others[0], b'{"n":2,"erased":true}', others[1]]


def test_erasing_a_whole_session_takes_its_unfinished_copy_too(sessions: JsonlSessions, file: Path) -> None:
    sessions.append(HEAD, [turn(1)])
    (file.parent / ".kitchen.jsonl.tmp").write_text("left by a crash")

    sessions.erase(HEAD.id)

    assert list(file.parent.iterdir()) == []


def test_a_broken_session_can_be_erased(sessions: JsonlSessions, file: Path) -> None:
    sessions.append(HEAD, [turn(1), turn(2)])
    file.write_bytes(b"x" + file.read_bytes())

    assert sessions.erase(HEAD.id) == 2
    assert not file.exists()


def test_what_is_no_text_is_refused_before_anything_is_written(sessions: JsonlSessions, file: Path) -> None:
    for bad in (turn(1, "half \ud83d"), turn(1, "x" * 9_000_000)):
        with pytest.raises(InvalidSessionError):
            sessions.append(HEAD, [bad])
    with pytest.raises(InvalidSessionError):
        sessions.append(SessionHead(id="kitchen", title="x" * 70_000), [turn(1)])
    assert sessions.stamps() == []
    sessions.append(HEAD, [turn(1)])
    before = file.read_bytes()
    with pytest.raises(InvalidSessionError):
        sessions.append(HEAD, [turn(2), turn(3, "\ud83d")])
    assert file.read_bytes() == before


def test_every_write_happens_under_the_lock_and_no_read_does(tmp_path: Path) -> None:
    taken: list[str] = []

    @contextmanager
    def lock() -> Iterator[None]:
        taken.append("taken")
        yield
        taken.append("given back")

    sessions = JsonlSessions(tmp_path, lock=lock)
    sessions.append(HEAD, [turn(1)])
    sessions.append(HEAD, [turn(2)])
    sessions.erase(HEAD.id, [1])
    assert taken == ["taken", "given back"] * 3
    sessions.stamps(), sessions.read(HEAD.id), list(sessions.heads()), sessions.check()
    assert len(taken) == 6


def test_a_group_of_new_sessions_is_all_there_at_its_end(sessions: JsonlSessions) -> None:
    with sessions.grouped():
        for number in range(5):
            name = f"s{number}"
            sessions.append(
                SessionHead(id=name),
                [Turn(session=name, number=1, at=NOON, speaker="", role=Role.USER, text="x")],
            )

    assert len(list(sessions.heads())) == 5


_FULL_DISK = """
import resource, sys
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from mnemic.adapters.sessions.jsonl import JsonlSessions
from mnemic.domain.session import Role, SessionHead, Turn
from mnemic.errors import WriteFailedError

sessions = JsonlSessions(Path(sys.argv[1]), lock=nullcontext)
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))
try:
    sessions.append(SessionHead(id="kitchen"), (
        Turn(session="kitchen", number=n, at=datetime.now(UTC), speaker="", role=Role.USER, text="x" * 1000)
        for n in range(10, 10_000)
    ))
except WriteFailedError as error:
    print(error.message)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are a Unix thing")
@pytest.mark.parametrize("existing", ["new session", "known session"])
def test_a_disk_that_fills_up_in_the_middle_leaves_the_old_state(
    sessions: JsonlSessions, file: Path, existing: str
) -> None:
    if existing == "known session":
        sessions.append(HEAD, [turn(1)])
    before = file.read_bytes() if file.exists() else None

    told = subprocess.run(
        [sys.executable, "-c", _FULL_DISK, str(file.parent)], capture_output=True, text=True, check=True
    ).stdout

    assert told == ".mnemic/sessions/kitchen.jsonl was not written: file too large. The old state stands.\n"
    assert (file.read_bytes() if file.exists() else None) == before
    assert {path.name for path in file.parent.iterdir()} <= {"kitchen.jsonl"}


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user whom permissions bind")
def test_a_file_without_permission_is_named(sessions: JsonlSessions, file: Path) -> None:
    sessions.append(HEAD, [turn(1)])
    file.chmod(0)

    with pytest.raises(DocumentUnreadableError, match="permission denied"):
        sessions.read(HEAD.id)
    assert [problem.line for problem in sessions.check()] == [0]


def test_a_long_session_is_never_in_memory_while_it_is_appended(sessions: JsonlSessions, file: Path) -> None:
    tracemalloc.start()
    appended = sessions.append(HEAD, (turn(n, f"{n} " + "слово " * 20) for n in range(1, 20_001)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert appended.added == 20_000
    assert file.stat().st_size > 5_000_000
    assert peak < 8_000_000  # 100,000 turns: five times that at most


def test_lines_that_a_later_version_wrote_survive_an_erasure(sessions: JsonlSessions, file: Path) -> None:
    sessions.append(HEAD, [turn(1), turn(2)])
    head, one, two = file.read_text().splitlines()
    later = json.dumps({**json.loads(one), "mood": "glad"}, separators=(",", ":"))
    file.write_text("\n".join([head.replace("}", ',"zone":"Europe/Berlin"}'), later, two, ""]))

    sessions.erase(HEAD.id, [2])

    assert file.read_text().splitlines()[:2] == [head.replace("}", ',"zone":"Europe/Berlin"}'), later]
