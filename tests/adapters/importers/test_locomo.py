"""LoCoMo's shape: sessions by number, captions, dates in words, evidence repaired."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from mnemic.adapters.importers.locomo import LocomoImporter, questions
from mnemic.domain.imports import ImportNotes
from mnemic.domain.session import Role
from mnemic.errors import ImportSourceError
from mnemic.testing.session_store import MemorySessions

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.domain.imports import ImportReport
    from mnemic.domain.session import SessionHead, Turn


def a_turn(name: str, text: object = "Hi", **fields: object) -> dict[str, object]:
    return {"speaker": "Jo", "dia_id": name, "text": text, **fields}


def a_sample(**conversation: object) -> dict[str, object]:
    return {
        "sample_id": "conv-1",
        "conversation": {"speaker_a": "Jo", "speaker_b": "Al", **conversation},
        "observation": {"session_1": "never read"},
        "event_summary": {"session_1": "never read"},
        "session_summary": {"session_1": "never read"},
    }


SAMPLE = a_sample(
    session_10_date_time="12:05 am on 1 January, 2024",
    session_10=[a_turn("D10:1")],
    session_2_date_time="1:56 pm on 8 May, 2023",
    session_2=[
        a_turn("D2:1", "Look!", blip_caption="a dog on a boat", query="never read", img_url=["https://never.read"]),
        a_turn("D2:2", "", speaker="Al"),
    ],
    session_3_date_time="noon",
    session_3=[],
    session_4_date_time="3:00 pm on 9 May, 2023",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "locomo.json"


def read(path: Path, zone: ZoneInfo | None = None) -> tuple[list[tuple[SessionHead, list[Turn]]], ImportReport]:
    notes = ImportNotes()
    importer = LocomoImporter(zone or UTC)
    return [(f.head, [turn for turn, _, _ in f.turns]) for f in importer.read(path, notes)], notes.report()


def test_sessions_come_by_number_with_captions_and_dates(file: Path) -> None:
    file.write_text(json.dumps([SAMPLE]))

    sessions, report = read(file, ZoneInfo("Europe/Berlin"))

    (second, (look, silent)), (tenth, _) = sessions
    assert (second.id, second.conversation, second.source) == ("conv-1-s02", "conv-1", "locomo")
    assert (look.number, look.source_id, look.speaker, look.role) == (1, "D2:1", "Jo", Role.USER)
    assert (look.text, look.attachments) == ("Look!", ("a dog on a boat",))
    assert look.at == datetime(2023, 5, 8, 11, 56, 0, tzinfo=UTC)
    assert (silent.number, silent.at) == (2, datetime(2023, 5, 8, 11, 56, 1, tzinfo=UTC))
    assert tenth.id == "conv-1-s10"
    assert sessions[1][1][0].at == datetime(2023, 12, 31, 23, 5, tzinfo=UTC)
    assert (report.sessions, report.turns, report.refused) == (2, 3, ())
    assert "never read" not in repr(sessions)


@pytest.mark.parametrize(
    "date", ["noon", "25:00 pm on 31 February, 2023", "1:00 pm on 8 Mai, 2023", 7, None, "1:00 pm on 1 January, 9999"]
)
def test_a_session_without_a_date_is_named_and_the_others_are_taken(file: Path, date: object) -> None:
    sample = a_sample(session_1=[a_turn("D1:1")], session_1_date_time=date)
    file.write_text(json.dumps([sample, SAMPLE]))

    sessions, report = read(file)

    assert [remark.why for remark in report.refused] == ["session_1 has no date that can be read"]
    assert [head.id for head, _ in sessions] == ["conv-1-s02", "conv-1-s10"]


def test_a_turn_that_is_none_does_not_change_the_numbers_of_the_others(file: Path) -> None:
    turns = ["nonsense", a_turn("D1:2", None), a_turn("D1:3", "half \ud83d")]
    file.write_text(json.dumps(a_sample(session_1=turns, session_1_date_time="1:00 am on 1 May, 2023")))

    ((_, (turn,)),), report = read(file)

    assert (turn.number, turn.text, turn.source_id) == (3, "half \ufffd", "D1:3")
    assert (report.refused_count, report.mended_count) == (2, 1)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "not JSON"),
        ('[\n{"a"', r":2: it is not JSON"),
        ("{}", "shape of LoCoMo"),
        ("[]", "shape of LoCoMo"),
        ("[1]", "shape of LoCoMo"),
        ("[" * 200_000, "not JSON"),
    ],
)
def test_another_file_is_refused(file: Path, content: str, why: str) -> None:
    file.write_text(content)

    with pytest.raises(ImportSourceError, match=why):
        read(file)


def test_evidence_is_repaired_where_its_meaning_is_plain(file: Path) -> None:
    asked = [
        {"question": "a", "answer": 2022, "category": 2, "evidence": ["D2:1", "D2:1"]},
        {"question": "b", "category": 5, "adversarial_answer": "x", "evidence": ["D2:1; D10:1", "D:2:2"]},
        {"question": "c", "answer": "x", "category": 1, "evidence": ["D02:02 D10:01", "D", "D2:77"]},
        {"question": "d", "answer": "x", "category": 3, "evidence": []},
        {"question": "e", "answer": "x", "category": 4, "evidence": ["D", 7]},
        {"question": " ", "answer": "x", "category": 4, "evidence": ["D2:1"]},
        "nonsense",
    ]
    file.write_text(json.dumps([{**SAMPLE, "qa": asked}]))

    found = questions(file)

    assert [(q.number, q.text, q.answer, q.category, q.evidence) for q in found.questions] == [
        (0, "a", "2022", 2, ("D2:1",)),
        (1, "b", "", 5, ("D2:1", "D10:1", "D2:2")),
        (2, "c", "x", 1, ("D2:2", "D10:1")),
    ]
    assert found.questions[1].turns == ("session:conv-1-s02#1", "session:conv-1-s10#1", "session:conv-1-s02#2")
    assert [(out.number, out.category, out.why) for out in found.left_out] == [
        (3, 3, "it names no evidence"),
        (4, 4, "its evidence names no turn"),
        (5, 4, "it asks nothing"),
        (6, 0, "it asks nothing"),
    ]
    assert found.dropped == ("D", "D2:77", "D", "7")
    assert len(found.repaired) == 5


def test_the_real_conversations_come_in_whole(shared_data: Path) -> None:
    file = shared_data / "locomo-dev" / "locomo-dev.json"
    store, notes = MemorySessions(), ImportNotes()
    for found in LocomoImporter().read(file, notes):
        store.append(found.head, (turn for turn, _, _ in found.turns))
    asked = questions(file)

    assert notes.report().turns == 419 + 369 + 663 + 629 + 680
    assert (notes.report().refused, notes.report().mended) == ((), ())
    assert len(asked.questions) + len(asked.left_out) == 199 + 105 + 193 + 260 + 242
    assert [out.category for out in asked.left_out] == [3, 3]
    stored = {turn.id: turn.source_id for head in store.heads() for turn in store.read(head.id).turns}
    assert all(tuple(stored[turn] for turn in q.turns) == q.evidence for q in asked.questions)
