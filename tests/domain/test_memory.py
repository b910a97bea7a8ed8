"""The rules every memory keeps, its kinds, and where it came from."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_samples import NOON, a_memory

from mnemic.domain.claims import contradict, normal_claim, overlap
from mnemic.domain.drafts import Draft
from mnemic.domain.kinds import KINDS, NOTE, Past, kind_named
from mnemic.domain.memory import Claim, Memory, Privacy, Scope, State, check_required
from mnemic.domain.provenance import DEFAULT_AUTHORITY, UNTRUSTED, Origin, Provenance
from mnemic.domain.session import MAX_TURN_NUMBER, Role, SessionHead, Turn, is_session_id
from mnemic.errors import InvalidMemoryError, InvalidSessionError

NAIVE = datetime(2026, 5, 3)  # noqa: DTZ001 - the subject of a test
MOMENTS = ("recorded_at", "changed_at", "valid_from", "valid_until", "due", "snoozed_until")


class Nowhere(tzinfo):
    """A zone that does not know its offset."""

    def utcoffset(self, _when: datetime | None, /) -> None:
        return None


# -- what is refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["salience", "confidence"])
@pytest.mark.parametrize("value", [nan, inf, -inf, -0.001, 1.001, 5])
def test_a_number_outside_of_0_to_1_is_refused(field: str, value: float) -> None:
    with pytest.raises(InvalidMemoryError, match=f"{field}: .* is not between 0 and 1") as caught:
        a_memory(**{field: value})

    assert caught.value.field == field


@pytest.mark.parametrize("value", [nan, -1.0, 2.0])
def test_an_authority_outside_of_0_to_1_is_refused(value: float) -> None:
    with pytest.raises(InvalidMemoryError, match=r"source\.authority"):
        a_memory(provenance=Provenance(authority=value))


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, 0.5])
def test_the_ends_of_the_range_are_in(value: float) -> None:
    assert a_memory(salience=value, confidence=value).salience == value


@pytest.mark.parametrize("field", MOMENTS)
@pytest.mark.parametrize("moment", [NAIVE, NAIVE.replace(tzinfo=Nowhere())])
def test_a_moment_without_an_offset_is_refused(field: str, moment: datetime) -> None:
    with pytest.raises(InvalidMemoryError, match=f"{field}: the moment has no offset"):
        a_memory(**{field: moment})


def test_an_end_before_its_beginning_is_refused_in_any_zone() -> None:
    begin = datetime(2026, 5, 3, 1, tzinfo=timezone(timedelta(hours=2)))  # 23:00 the day before in UTC
    end = datetime(2026, 5, 2, 22, 59, tzinfo=UTC)

    with pytest.raises(InvalidMemoryError, match="ends before it begins"):
        a_memory(valid_from=begin, valid_until=end)
    assert a_memory(valid_from=begin, valid_until=end + timedelta(minutes=1)).valid_until is not None


@pytest.mark.parametrize("kind", ["", " ", "\n\t"])
def test_a_memory_without_a_kind_is_refused(kind: str) -> None:
    with pytest.raises(InvalidMemoryError) as caught:
        a_memory(kind=kind)

    assert caught.value.hint


@pytest.mark.parametrize("claim", [Claim("", "Oslo"), Claim("city", " "), Claim("", "")])
def test_half_a_claim_is_refused(claim: Claim) -> None:
    with pytest.raises(InvalidMemoryError, match="belong together"):
        a_memory(claim=claim)


def test_a_memory_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        a_memory().title = "other"  # type: ignore[misc]


# -- time --------------------------------------------------------------------------------------------------------


@given(st.lists(st.timedeltas(min_value=timedelta(days=-900), max_value=timedelta(days=900)), max_size=6))
def test_the_moment_of_the_last_change_never_goes_backwards(clock: list[timedelta]) -> None:
    memory = a_memory()
    for number, shift in enumerate(clock):
        changed = memory.changed(NOON + shift, title=f"title {number}")
        assert changed.changed_at >= memory.changed_at
        assert changed.title == f"title {number}"
        memory = changed


def test_a_change_is_kept_in_utc_and_leaves_the_rest_alone() -> None:
    later = datetime(2026, 6, 1, 2, tzinfo=timezone(timedelta(hours=2)))

    changed = a_memory(tags=("x",)).changed(later, body="new")

    assert changed == a_memory(tags=("x",), body="new", changed_at=datetime(2026, 6, 1, tzinfo=UTC))
    assert changed.changed_at.tzinfo is UTC


@pytest.mark.parametrize(
    ("begin", "end", "expected"),
    [(None, None, True), (0, None, True), (1, None, False), (None, 1, True), (None, 0, False), (-1, 1, True)],
)
def test_validity_has_its_beginning_in_and_its_end_out(begin: int | None, end: int | None, *, expected: bool) -> None:
    def day(number: int | None) -> datetime | None:
        return None if number is None else NOON + timedelta(days=number)

    assert a_memory(valid_from=day(begin), valid_until=day(end)).is_valid_at(NOON) is expected


# -- claims ------------------------------------------------------------------------------------------------------

ends = st.none() | st.integers(0, 4)
spans = st.tuples(ends, ends).filter(lambda span: None in span or span[0] <= span[1])  # type: ignore[operator]


def valid(span: tuple[int | None, int | None], claim: Claim | None = None) -> Memory:
    begin, end = (None if day is None else NOON + timedelta(days=day) for day in span)
    return a_memory(valid_from=begin, valid_until=end, claim=claim)


@given(spans, spans)
def test_two_spans_overlap_when_some_moment_is_in_both(one: tuple[int, int], other: tuple[int, int]) -> None:
    a, b = valid(one), valid(other)
    halves = [NOON + timedelta(days=half / 2) for half in range(-2, 12)]

    assert overlap(a, b) == any(a.is_valid_at(when) and b.is_valid_at(when) for when in halves)
    assert overlap(a, b) == overlap(b, a)


claims = st.none() | st.builds(
    Claim, st.sampled_from(["city", "CITY ", "town"]), st.sampled_from(["Oslo", " oslo", "Rome"])
)


@given(spans, spans, claims, claims)
def test_contradicting_is_mutual_and_needs_one_key_two_values_and_a_common_time(
    one: tuple[int, int], other: tuple[int, int], first: Claim | None, second: Claim | None
) -> None:
    a, b = valid(one, first), valid(other, second)
    expected = (
        first is not None
        and second is not None
        and first.key.strip().lower() == second.key.strip().lower()
        and first.value.strip().lower() != second.value.strip().lower()
        and overlap(a, b)
    )

    assert contradict(a, b) == contradict(b, a) == expected
    assert not contradict(a, a)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Home  City", "home city"),
        ("ＯＳＬＯ", "oslo"),
        ("Straße", "STRASSE"),
        ("caf\u00e9", "cafe\u0301"),
        ("\ta\nb ", "a b"),
    ],
)
def test_claims_are_compared_whatever_their_case_width_and_blanks(one: str, other: str) -> None:
    assert normal_claim(one) == normal_claim(other)


@given(st.text())
def test_a_normal_claim_is_its_own(text: str) -> None:
    assert normal_claim(normal_claim(text)) == normal_claim(text)


# -- kinds -------------------------------------------------------------------------------------------------------


def test_every_kind_of_the_design_is_registered_with_a_folder_of_its_own() -> None:
    names = (
        "observation episode belief procedure commitment preference constraint outcome correction decision lesson "
        "request knowledge summary workflow skill person theme event note"
    )

    assert set(KINDS) == set(names.split())
    assert len({kind.folder for kind in KINDS.values()}) == len(KINDS)
    assert all(name == kind.name and kind.purpose and kind.analogue for name, kind in KINDS.items())


def test_the_registry_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        KINDS["x"] = NOTE  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "expected"), [("belief", "belief"), (" Belief ", "belief"), ("recipe", "note"), ("", "note")]
)
def test_an_unknown_kind_behaves_as_a_note(name: str, expected: str) -> None:
    assert kind_named(name).name == expected


def test_a_kind_requires_fields_that_a_memory_has() -> None:
    known = {field.name for field in fields(Memory)}

    assert {name for kind in KINDS.values() for name in kind.required} <= known
    assert all(kind.half_life_days is None or kind.half_life_days > 0 for kind in KINDS.values())


@pytest.mark.parametrize(("kind", "field"), [("outcome", "outcome_of"), ("correction", "supersedes")])
def test_a_kind_that_requires_a_field_refuses_a_memory_without(kind: str, field: str) -> None:
    with pytest.raises(InvalidMemoryError, match=f"{field}: a memory of kind {kind} needs it"):
        check_required(a_memory(kind=kind))
    check_required(a_memory(kind=kind, outcome_of="x", supersedes=("x",)))
    check_required(a_memory(kind="recipe"))


def test_workflows_and_skills_are_for_people_to_write() -> None:
    assert {name for name, kind in KINDS.items() if kind.people_only} == {"workflow", "skill"}
    assert all(kind.past is Past.EDIT for kind in KINDS.values() if kind.document)


# -- provenance --------------------------------------------------------------------------------------------------


def test_every_origin_has_an_authority_and_people_more_than_models() -> None:
    assert set(DEFAULT_AUTHORITY) == set(Origin)
    assert all(0 <= value <= 1 for value in DEFAULT_AUTHORITY.values())
    trusted = min(DEFAULT_AUTHORITY[origin] for origin in set(Origin) - UNTRUSTED)
    assert trusted > max(DEFAULT_AUTHORITY[origin] for origin in UNTRUSTED)


def test_a_provenance_has_its_origins_authority_unless_told_otherwise() -> None:
    assert Provenance.of(Origin.WEB, locator="https://x").authority == 0.3
    assert Provenance.of(Origin.WEB, authority=0.9).authority == 0.9
    assert Provenance().origin is None


# -- drafts and sessions -----------------------------------------------------------------------------------------


def test_a_draft_is_a_memory_without_what_the_service_decides() -> None:
    """A field that is added to a memory is either decided by the service or can be asked for."""
    decided = {"uid", "recorded_at", "changed_at", "state", "superseded_by", "extra"}
    by_hand = {"auto_invoke", "user_invocable", "requires", "snoozed_until"}
    memory = {field.name for field in fields(Memory)}

    asked = {"cites", "by_agent"}  # they go into the provenance
    assert {field.name for field in fields(Draft)} - asked == memory - decided - by_hand
    draft = Draft(body="text")
    assert {
        getattr(draft, name) == getattr(a_memory(), name) for name in ("salience", "privacy", "scope", "claim")
    } == {True}
    assert (draft.kind, draft.privacy, draft.scope) == ("note", Privacy.PRIVATE, Scope())


@pytest.mark.parametrize("text", ["a", "2026-05-03-chat", "a.b_c-d", "0", "a" * 120, "con-1", "a..b"])
def test_a_session_id_can_be_a_files_name_everywhere(text: str) -> None:
    assert is_session_id(text)
    assert SessionHead(id=text).id == text


@pytest.mark.parametrize(
    "text",
    ["", "A", "a b", "a/b", "..", ".a", "a.", "-a", "a-", "_a", "a" * 121, "con", "nul.x", "ä", "a\n", "a#1", "com1"],
)
def test_what_is_no_session_id_is_refused(text: str) -> None:
    assert not is_session_id(text)
    with pytest.raises(InvalidSessionError) as caught:
        SessionHead(id=text)
    assert caught.value.hint


def test_a_turn_is_named_by_its_session_and_number() -> None:
    turn = Turn(session="s", number=MAX_TURN_NUMBER, at=NOON, speaker="Anna", role=Role.USER, text="Hi")

    assert turn.id == "session:s#999999999"


def test_states_and_privacies_are_words_that_stay() -> None:
    """They are written into people's files."""
    assert [*State] == ["active", "superseded", "fulfilled", "archived", "quarantined"]
    assert [*Privacy] == ["public", "private", "sensitive"]
