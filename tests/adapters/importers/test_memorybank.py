"""MemoryBank's shape: users, days, exchanges."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.importers.memorybank import MemoryBankImporter
from mnemic.domain.imports import ImportNotes
from mnemic.domain.session import Role
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.domain.imports import ImportReport
    from mnemic.domain.session import SessionHead, Turn


def read(path: Path) -> tuple[list[tuple[SessionHead, list[Turn]]], ImportReport]:
    notes = ImportNotes()
    found = [(f.head, [turn for turn, _, _ in f.turns]) for f in MemoryBankImporter().read(path, notes)]
    return found, notes.report()


def test_a_session_is_a_users_day(tmp_path: Path) -> None:
    file = tmp_path / "bank.json"
    history = {
        "2023-04-27": [{"query": "Hi", "response": "Hello"}, {"query": "Bye", "response": ""}, "nonsense"],
        "tomorrow": [{"query": "Hi", "response": "Hello"}],
    }
    file.write_text(json.dumps({" Jo Ann ": {"name": "Jo", "summary": {"x": "no"}, "history": history}, "x": 1}))

    ((head, turns),), report = read(file)

    assert (head.id, head.conversation, head.source) == ("jo-ann-2023-04-27", "Jo Ann", "memorybank")
    assert [(turn.number, turn.speaker, turn.role, turn.text) for turn in turns] == [
        (1, "Jo Ann", Role.USER, "Hi"),
        (2, "assistant", Role.ASSISTANT, "Hello"),
        (3, "Jo Ann", Role.USER, "Bye"),
    ]
    assert turns[2].at == datetime(2023, 4, 27, 0, 0, 2, tzinfo=UTC)
    assert [remark.code for remark in report.refused] == ["time", "type", "type"]
    assert report.counts == {"turns without words": 1}


@pytest.mark.parametrize("content", ["[]", "{}", '{"a": 1}', '{"a": {"history": []}}', "null"])
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "bank.json").write_text(content)

    with pytest.raises(ImportSourceError, match="shape of MemoryBank"):
        read(tmp_path / "bank.json")


@pytest.mark.parametrize("language", ["en", "cn"])
def test_the_real_bank_comes_in_whole(shared_data: Path, language: str) -> None:
    folder = shared_data / "memorybank" / "eval_data" / language

    sessions, report = read(folder / f"memory_bank_{language}.json")

    assert (len({head.id for head, _ in sessions}), report.turns) == (150, 2 * 566)
    assert (report.refused, report.mended, dict(report.counts)) == ((), (), {})
