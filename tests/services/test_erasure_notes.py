"""The note of an erasure: what is owed comes back from it as it was, and nothing else can be made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rooms import NOW, an_app, keep

from mnemic.services.upkeep.erase import Intent

if TYPE_CHECKING:
    from pathlib import Path

NAME = st.text(min_size=1, max_size=20)
PAIRS = st.lists(st.tuples(NAME, NAME), max_size=3).map(tuple)
NUMBERS = st.none() | st.lists(st.integers(1, 99), max_size=3).map(tuple)
INTENTS = st.builds(
    lambda **what: Intent.new(NOW, **what),
    documents=PAIRS,
    uids=st.lists(NAME, max_size=3).map(tuple),
    past=st.lists(NAME, max_size=3).map(tuple),
    around=PAIRS,
    turns=st.lists(st.tuples(NAME, NUMBERS), max_size=3).map(tuple),
    names=st.lists(NAME, max_size=3).map(tuple),
)


@given(INTENTS)
def test_what_is_owed_is_one_line_and_comes_back_from_it(intent: Intent) -> None:
    line = intent.line()

    assert len(line.splitlines()) == 1
    assert Intent.of(line) == intent


def test_every_erasure_has_a_number_of_its_own() -> None:
    assert Intent.new(NOW).number != Intent.new(NOW).number


@pytest.mark.parametrize("line", ["", "{", "[]", "7", "null", '{"at":"yesterday","number":"1"}', '{"at":1}', '"x"'])
def test_a_line_that_says_nothing_owes_nothing(line: str) -> None:
    assert Intent.of(line) is None


def test_a_note_leads_to_no_file_of_another_place() -> None:
    intent = Intent.new(NOW, files=("_proposals/a.md", "notes/a.md", "_proposals/../mnemic.toml", "/etc/passwd"))

    read = Intent.of(intent.line())

    assert read is not None
    assert read.files == ("_proposals/a.md",)


def test_a_note_that_nobody_can_read_is_dropped_and_the_index_written_anew(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    keep(app, "tea", "Anna drinks tea.")
    owed = app.root / ".mnemic/erasure-owed"
    owed.write_bytes(b"\xff\xfe nonsense\n{\n")

    app.recall("tea")

    assert not owed.exists()
    assert app.show("notes/tea")
