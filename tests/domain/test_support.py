"""How much a claim is supported: which memories are one source, and what confidence they give."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.domain.ids import MemoryId, derived_uid
from mnemic.domain.memory import Claim, Memory
from mnemic.domain.policy import ReplayRules
from mnemic.domain.provenance import Origin, Provenance
from mnemic.domain.sources import independent_sources, place_of
from mnemic.domain.support import confidence_of, weigh

if TYPE_CHECKING:
    from random import Random

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)
DAY = timedelta(hours=24)
RULES = ReplayRules()


def said(name: str, origin: Origin | None = Origin.USER_SAID, *, hours: float = 0, **facts: object) -> Memory:
    """A memory that claims something, with its origin and place."""
    fields = {key: facts.pop(key) for key in ("body", "confidence") if key in facts}
    when = NOON + timedelta(hours=hours)
    return Memory(
        uid=derived_uid(name),
        id=MemoryId(f"notes/{name}"),
        kind="note",
        title=name,
        recorded_at=when,
        changed_at=when,
        claim=Claim("anna.city", "Oslo"),
        provenance=Provenance(origin=origin, **facts),  # type: ignore[arg-type]
        **{"body": f"Text of {name}.", **fields},  # type: ignore[arg-type]
    )


def sources(*memories: Memory) -> list[list[str]]:
    """The names of each source's memories."""
    return [[each.title for each in group] for group in independent_sources(memories, within=DAY)]


def test_ten_notes_of_one_session_are_one_source() -> None:
    notes = [said(str(number), session="s1", hours=100 * number) for number in range(10)]

    assert len(sources(*notes)) == 1
    assert len(sources(*notes, said("other", session="s2"))) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://www.register.no/anna?page=1", "https://register.no/oslo"),
        ("file:notes/plan.md:10-14", "file:notes/plan.md:90"),
        ("notes/plan.md#cities", "Notes/Plan.md"),
    ],
)
def test_two_pages_of_one_site_and_two_lines_of_one_file_are_one_source(one: str, other: str) -> None:
    first, second = said("a", Origin.WEB, locator=one), said("b", Origin.DOCUMENT, locator=other, hours=99)

    assert sources(first, second) == [["a", "b"]]


def test_two_sites_are_two_sources() -> None:
    first = said("a", Origin.WEB, locator="https://register.no/anna")
    second = said("b", Origin.WEB, locator="https://phonebook.no/anna")

    assert sources(first, second) == [["a"], ["b"]]


def test_a_locator_that_is_no_address_is_a_place_as_it_stands() -> None:
    assert place_of("https://[bad") == "https://[bad"
    assert place_of("  Letter of May ") == "letter of may"
    assert place_of(":12") == ":12"


def test_what_one_writer_told_within_a_day_without_a_place_is_one_source() -> None:
    told = [said("a", actor="person"), said("b", actor="person", hours=24), said("c", actor="person", hours=25)]

    assert sources(*told) == [["a", "b"], ["c"]]
    assert sources(told[0], said("d", actor="agent", hours=1)) == [["a"], ["d"]]


def test_a_session_and_a_note_of_the_same_day_and_writer_are_one_source() -> None:
    assert sources(said("a", session="s1"), said("b", hours=2), said("c", session="s2", hours=300)) == [
        ["a", "b"],
        ["c"],
    ]


def test_a_turn_that_is_named_as_the_place_belongs_to_its_session() -> None:
    assert sources(said("a", session="s1"), said("b", locator="session:s1#4", hours=500)) == [["a", "b"]]


def test_what_was_taken_from_another_memory_or_copied_is_one_source_with_it() -> None:
    origin = said("a", session="s1")
    taken = said("b", Origin.DOCUMENT, locator="notes/a.md", hours=500)
    words = "Anna told me on the ferry that she lives in Oslo now."
    copies = [said("c", session="s2", body=words), said("d", session="s3", body=f"{words}\n", hours=700)]

    assert sources(origin, taken) == [["a", "b"]]
    assert sources(*copies) == [["c", "d"]]
    gist = replace(said("e", session="s4", hours=900), extra={"derived_from": ["notes/a.md"]})
    assert sources(origin, gist) == [["a", "e"]]


def test_what_a_model_repeats_is_no_source_beside_others_and_one_alone() -> None:
    models = [said(f"m{number}", Origin.MODEL, session=f"m{number}", hours=200 * number) for number in range(5)]

    assert sources(said("a", session="s1"), *models) == [["a"]]
    assert len(sources(*models)) == 1
    checked = said("v", Origin.MODEL, session="v", verified=True)
    assert sources(said("a", session="s1"), checked) == [["a"], ["v"]]


def test_confidence_is_seven_tenths_the_mean_and_three_tenths_the_verified_share() -> None:
    memories = [said("a", confidence=0.8, verified=True), said("b", confidence=0.6)]

    assert confidence_of(memories) == pytest.approx(0.7 * 0.7 + 0.3 * 0.5)
    assert confidence_of(memories, [said("c", confidence=1.0, verified=True)]) == pytest.approx(
        (0.7 * 1.4 + 0.3) / 3, abs=1e-4
    )


def test_support_is_enough_with_two_memories_of_two_sources_and_no_other_value() -> None:
    one, other = said("a", session="s1"), said("b", session="s2")

    assert weigh("k", [one, other], rules=RULES).eligible
    assert not weigh("k", [one], rules=RULES).eligible
    assert not weigh("k", [one, said("c", session="s1")], rules=RULES).eligible
    assert not weigh("k", [one, other], conflicting=("Bergen",), rules=RULES).eligible
    assert not weigh("k", [one, other], against=[said("c"), said("d")], rules=RULES).eligible
    assert weigh("k", [one, said("c", session="s1")], rules=replace(RULES, min_independent_sources=1)).eligible


places = st.sampled_from(["", "https://a.no/1", "https://a.no/2", "https://b.no", "session:s1#2", "notes/0"])
provenances = st.tuples(
    st.sampled_from([None, Origin.USER_SAID, Origin.WEB, Origin.MODEL]), st.sampled_from(["", "s1", "s2"]), places
)


@given(st.lists(st.tuples(provenances, st.integers(0, 200)), max_size=8), st.randoms())
def test_no_order_changes_the_number_of_sources_and_each_memory_is_in_one_at_most(
    told: list[tuple[tuple[Origin | None, str, str], int]], random: Random
) -> None:
    memories = [
        said(str(number), origin, session=session, locator=place, hours=hours)
        for number, ((origin, session, place), hours) in enumerate(told)
    ]
    groups = independent_sources(memories, within=DAY)
    ids = [each.id for group in groups for each in group]

    assert len(ids) == len(set(ids))
    assert bool(groups) is bool(memories)
    assert len(independent_sources(random.sample(memories, len(memories)), within=DAY)) == len(groups)
    assert 0 <= confidence_of(memories) <= 1 if memories else True
