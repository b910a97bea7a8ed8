"""The format of a path is told by its content."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.importers import NAMES, importer_named
from mnemic.adapters.importers.detect import detect
from mnemic.adapters.importers.names import session_name
from mnemic.domain.session import is_session_id
from mnemic.errors import ImportSourceError, InputError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "content", "format_name"),
    [
        ("a.jsonl", '{"session": "s", "turn": 1, "text": "x"}', "chat"),
        ("a.txt", 'nonsense\n{"session": "s", "turn": 1, "text": "x"}', "chat"),
        ("a.jsonl", '{"type": "summary", "summary": "x"}\n{"type": "user", "message": {}}', "claude-code"),
        ("a.jsonl", '{"type": "mode", "sessionId": "x"}', "claude-code"),
        ("a.json", '[{"conversation": {"session_1": []}}]', "locomo"),
        ("a.json", '{"Jo": {"history": {"2023-04-27": []}}}', "memorybank"),
        ("a.json", '{"session": "s", "turn": 1, "text": "x"}\n{}', "chat"),
        ("a.json", '{"x": 1}', None),
        ("a.jsonl", "", None),
        ("a.md", "# Words", None),
    ],
)
def test_a_file_is_known_by_its_content(tmp_path: Path, name: str, content: str, format_name: str | None) -> None:
    (tmp_path / name).write_text(content)

    assert detect(tmp_path / name) == format_name


def test_a_folder_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    for folder in ("vault/.obsidian", "notes/deep", "projects/a", "empty"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "notes" / "deep" / "a.md").write_text("x")
    (tmp_path / "projects" / "a" / "x.jsonl").write_text('{"type": "mode", "sessionId": "x"}')

    assert {name: detect(tmp_path / name) for name in ("vault", "notes", "projects", "empty")} == {
        "vault": "vault",
        "notes": "vault",
        "projects": "claude-code",
        "empty": None,
    }


def test_nothing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImportSourceError, match="no such file"):
        detect(tmp_path / "nothing")


def test_every_importer_has_its_name() -> None:
    assert tuple(importer_named(name).name for name in NAMES) == NAMES
    with pytest.raises(InputError, match="no importer 'whatsapp'"):
        importer_named("whatsapp")


def test_any_name_becomes_a_session_id_and_different_names_different_ones() -> None:
    names = [
        "Jo Ann",
        "Jo-Anna",
        "张曼婷",
        "張曼婷",
        "Ö",
        "O",
        "...",
        "",
        "con",
        "a/b",
        "a:b",
        "x" * 300,
        "x" * 301,
        "\ud800",
    ]

    ids = [session_name(name) for name in names]

    assert all(map(is_session_id, ids))
    assert len(set(ids)) == len(names)
    assert (ids[0], session_name(" jo  ann ")) == ("jo-ann", "jo-ann")
