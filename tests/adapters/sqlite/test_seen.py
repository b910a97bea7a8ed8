"""Whether a look at the files agrees with the index, and the note that spares the next process the comparison."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index_samples import a_document, an_entry, an_index

from mnemic.adapters.sqlite.seen import SUFFIX, fingerprint
from mnemic.domain.documents import Stamp

if TYPE_CHECKING:
    from mnemic.adapters.sqlite.index import SqliteIndex

NOTES = [Stamp("a.md", 10, 20, 30), Stamp("b.md", 11, 21, 2**64 - 1)]
TALKS = [Stamp(".mnemic/sessions/s.jsonl", 12, -22, 32)]

numbers = st.integers(0, 3)
scans = st.lists(
    st.builds(
        Stamp, st.sampled_from(["a", "b", "a\udcff", "ab"]), numbers, st.integers(-2, 2) | st.just(2**64), numbers
    ),
    max_size=3,
    unique_by=lambda stamp: stamp.path,
)


def held(index: SqliteIndex, *stamps: Stamp, settled: bool = True) -> None:
    index.update([a_document(stamp.path, an_entry(stamp.path), stamp=stamp, settled=settled) for stamp in stamps])


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    index = an_index(tmp_path)
    held(index, *NOTES, *TALKS)
    return index


def note(index: SqliteIndex) -> Path:
    return index.path.with_name(index.path.name + SUFFIX)


def asked(index: SqliteIndex, *given: list[Stamp]) -> list[bool]:
    """The answer here, here again, in another process, and in one that finds no note."""
    other, third = an_index(index.path.parent), an_index(index.path.parent)
    answers = [index.is_current(*given), index.is_current(*given), other.is_current(*given)]
    note(index).unlink(missing_ok=True)
    return [*answers, third.is_current(*given)]


def test_an_index_that_is_not_there_is_not_current(tmp_path: Path) -> None:
    assert asked(an_index(tmp_path), []) == [False] * 4


def test_it_is_current_when_it_knows_just_these_files_at_these_stamps(index: SqliteIndex) -> None:
    assert asked(index, NOTES, TALKS) == [True] * 4
    assert asked(index, list(NOTES), list(TALKS)) == [True] * 4


@pytest.mark.parametrize(
    "notes",
    [
        NOTES[:1],
        [*NOTES, Stamp("c.md", 1, 1, 1)],
        [NOTES[0], NOTES[1]._replace(size=12)],
        [NOTES[0], NOTES[1]._replace(mtime_ns=22)],
        [NOTES[0], NOTES[1]._replace(inode=2**63)],
        [NOTES[0], NOTES[1]._replace(path="B.md")],
    ],
    ids=["one is gone", "one is new", "size", "time", "inode", "name"],
)
def test_it_is_not_when_anything_differs_whatever_was_noted_before(index: SqliteIndex, notes: list[Stamp]) -> None:
    assert index.is_current(NOTES, TALKS)

    assert asked(index, notes, TALKS) == [False] * 4
    assert index.is_current(NOTES, TALKS)


def test_a_file_that_may_change_under_its_stamp_keeps_it_from_being_current(index: SqliteIndex) -> None:
    young = Stamp("c.md", 1, 2, 3)
    held(index, young, settled=False)
    assert asked(index, [*NOTES, young], TALKS) == [False] * 4

    index.touch([young])

    assert asked(index, [*NOTES, young], TALKS) == [True] * 4


def test_a_note_is_worth_nothing_for_another_state_of_the_index_or_for_one_made_anew(index: SqliteIndex) -> None:
    assert index.is_current(NOTES, TALKS)
    kept = note(index).read_bytes()

    index.update([], [NOTES[1].path])
    note(index).write_bytes(kept)
    assert asked(index, NOTES, TALKS) == [False] * 4
    assert asked(index, NOTES[:1], TALKS) == [True] * 4

    index.discard()
    assert not note(index).exists()
    held(index, NOTES[0])
    note(index).write_bytes(kept)
    assert asked(index, NOTES, TALKS) == [False] * 4


@pytest.mark.parametrize("content", [b"", b"0" * 32, b"\xff" * 100_000], ids=["empty", "another", "big"])
def test_a_note_that_says_something_else_only_costs_the_comparison(index: SqliteIndex, content: bytes) -> None:
    note(index).write_bytes(content)

    assert an_index(index.path.parent).is_current(NOTES, TALKS)
    assert len(note(index).read_bytes()) == 32


def test_where_nothing_can_be_noted_it_is_current_all_the_same(index: SqliteIndex) -> None:
    note(index).mkdir()

    assert index.is_current(NOTES, TALKS)


@given(one=scans, two=scans, other=scans, another=scans)
def test_fingerprints_are_equal_for_equal_scans_alone(
    one: list[Stamp], two: list[Stamp], other: list[Stamp], another: list[Stamp]
) -> None:
    assert (fingerprint(7, (one, two)) == fingerprint(7, (other, another))) == ((one, two) == (other, another))
    assert fingerprint(7, (one, two)) != fingerprint(8, (one, two))


@given(known=scans.map(lambda scan: [stamp for stamp in scan if stamp.mtime_ns < 2**63]), given_=scans)
def test_what_is_current_is_what_a_comparison_finds(known: list[Stamp], given_: list[Stamp]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        index = an_index(Path(folder))
        held(index, *(stamp._replace(path=f"{stamp.path!a}.md") for stamp in known))
        wanted = [stamp._replace(path=f"{stamp.path!a}.md") for stamp in given_]
        same = {stamp.path: stamp[1:] for stamp in known} == {stamp.path: stamp[1:] for stamp in given_}

        assert index.is_current(wanted) == same
        assert an_index(Path(folder)).is_current(wanted) == same
