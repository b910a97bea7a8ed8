"""The written form of a citation, and the canonical form of what is cited."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.domain.citations import (
    Citation,
    LinesCited,
    Standing,
    TurnsCited,
    canonical_lines,
    canonical_turns,
    citation_in,
    digest_of,
    lines_of,
    parse_citation,
)
from mnemic.domain.provenance import Provenance
from mnemic.domain.session import Role, Turn
from mnemic.errors import InvalidCitationError

numbers = st.integers(1, 999_999_000)
lengths = st.integers(0, 49)
words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)


@given(words.filter(lambda w: w == w.strip() and "\\" not in w and not w.startswith("session:")), numbers, lengths)
def test_lines_are_read_as_they_are_told(path: str, first: int, more: int) -> None:
    cited = LinesCited(path, first, first + more)

    assert parse_citation(cited.told) == cited
    assert citation_in(Provenance(locator=f"file:{cited.told}", sha256="x")) == cited


@given(words.filter(lambda w: w == w.strip()), numbers, lengths)
def test_turns_are_read_as_they_are_told(session: str, first: int, more: int) -> None:
    cited = TurnsCited(session, first, first + more)

    assert parse_citation(cited.told) == cited
    turns = tuple(range(first, first + more + 1))
    assert citation_in(Provenance(session=session, turns=turns, sha256="x")) == cited


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    try:
        cited = parse_citation(text)
    except InvalidCitationError as error:
        told = error.hint
    else:
        told = cited.told
        assert parse_citation(told) == cited
    assert told


@given(st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])), min_size=1))
def test_line_ends_and_blanks_before_them_do_not_count(lines: list[str]) -> None:
    plain = canonical_lines(lines)

    for end in ("\n", "\r\n", "\r", " \n", "\t\r\n"):
        assert canonical_lines(lines_of("".join(f"{line}{end}" for line in lines))) == plain
    assert canonical_lines(lines_of("\ufeff" + "\n".join(lines))) in {plain, canonical_lines(lines[:-1])}


def test_a_letter_counts_and_its_way_of_being_written_does_not() -> None:
    assert digest_of(canonical_lines(["café"])) == digest_of(canonical_lines(["cafe\u0301"]))
    assert digest_of(canonical_lines(["cafe"])) != digest_of(canonical_lines(["café"]))


def test_who_said_what_and_what_was_shown_counts() -> None:
    turn = Turn(
        session="s", number=1, at=datetime(2026, 5, 3, tzinfo=UTC), speaker="Anna", role=Role.USER, text="Look.",
        attachments=("a boat",),
    )  # fmt: skip

    assert canonical_turns([turn]) == "Anna: Look.\n[a boat]"
    others = [replace(turn, **{name: value}) for name, value in  # type: ignore[arg-type]
              (("speaker", "Bo"), ("text", "Look!"), ("attachments", ()))]  # fmt: skip
    assert len({canonical_turns([each]) for each in (turn, *others)}) == 4
    assert canonical_turns([turn]) == canonical_turns([replace(turn, at=datetime(2027, 1, 1, tzinfo=UTC), number=9)])


@pytest.mark.parametrize(
    "source",
    [
        Provenance(),
        Provenance(locator="file:notes/a.md:3"),
        Provenance(locator="https://example.org:3", sha256="x"),
        Provenance(locator="file:notes/a.md", sha256="x"),
        Provenance(locator="file:session:a#3", sha256="x"),
        Provenance(session="s", sha256="x"),
    ],
)
def test_what_cannot_be_looked_up_is_no_citation(source: Provenance) -> None:
    assert citation_in(source) is None


@pytest.mark.parametrize("standing", list(Standing))
def test_only_what_changed_or_is_gone_is_stale(standing: Standing) -> None:
    assert Citation(LinesCited("a", 1, 2), standing).stale is (standing in {Standing.CHANGED, Standing.MISSING})
