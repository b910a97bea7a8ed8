"""Writing a memory: what is kept, what is told, what is refused with nothing on the disk."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from rooms import KEY, NOW, SetClock, an_app, documents, files, found, keep, traces

from mnemic.domain.drafts import Draft
from mnemic.domain.memory import Claim, Privacy, Scope, State
from mnemic.domain.provenance import Origin, Provenance
from mnemic.errors import (
    IdTakenError,
    InvalidIdError,
    InvalidMemoryError,
    LimitExceededError,
    MemoryChangedError,
    MemoryNotFoundError,
    MnemicError,
    OriginRefusedError,
    PrivacyRefusedError,
    ReadOnlyBundleError,
    SecretRefusedError,
)

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App

MODEL = Provenance.of(Origin.MODEL)


@pytest.fixture
def app(tmp_path: Path) -> App:
    return an_app(tmp_path / "memory")


def codes(done: object) -> list[str]:
    return [warning.code for warning in done.warnings]  # type: ignore[attr-defined]


# -- what is kept ------------------------------------------------------------------------------------------------


def test_a_memory_is_a_document_with_title_kind_and_both_times(app: App) -> None:
    done = app.remember(Draft(body="Anna prefers green tea.\n\nSince March.", kind="preference", tags=("anna",)))

    text = (app.root / done.path).read_text(encoding="utf-8")
    assert done.created
    assert (done.memory.id, done.memory.title) == ("preferences/anna-prefers-green-tea", "Anna prefers green tea")
    assert "type: preference" in text
    assert text.count("2026-05-03T06:14:00Z") == 2
    assert text.endswith("Anna prefers green tea.\n\nSince March.\n")
    assert found(app, "what tea does Anna prefer?") == [done.memory.id]


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("# Heading\n\nText", "Heading"),
        ("\n\n- first item\n- second", "first item"),
        ("> quoted.", "quoted"),
        ("---\n***\nwords", "words"),
        ("word " * 30, ("word " * 14).strip() + "…"),
        ("字" * 100, "字" * 71 + "…"),
    ],
)
def test_a_title_is_taken_from_the_first_line_that_says_something(app: App, body: str, title: str) -> None:
    assert app.remember(Draft(body=body)).memory.title == title


def test_a_title_is_one_line(app: App) -> None:
    assert app.remember(Draft(body="Text.", title=" one\n two\t three ")).memory.title == "one two three"


def test_the_same_title_gets_another_id(app: App) -> None:
    one = app.remember(Draft(body="The ferry leaves at ten.", title="Ferry"))
    two = app.remember(Draft(body="Tickets are cheaper on Mondays.", title="Ferry"))

    assert (one.memory.id, two.memory.id) == ("notes/ferry", "notes/ferry-2")


def test_a_kind_that_nobody_registered_is_kept_among_the_notes(app: App) -> None:
    done = app.remember(Draft(body="Sourdough needs a day.", kind="Recipe"))

    assert done.memory.kind == "Recipe"
    assert done.memory.id == "notes/sourdough-needs-a-day"


# -- duplicates --------------------------------------------------------------------------------------------------


def test_what_is_known_word_for_word_is_not_written_again(app: App) -> None:
    first = keep(app, "tea", "Anna prefers green tea.")
    before = documents(app.root)

    again = app.remember(Draft(body="Anna prefers green tea.\n", title="Another title"))

    assert (again.created, again.memory.id, again.revision) == (False, "notes/tea", first.revision)
    assert codes(again) == ["duplicate"]
    assert documents(app.root) == before


def test_a_memory_of_a_title_alone_is_known_by_its_title(app: App) -> None:
    first = app.remember(Draft(body="", title="Green tea for Anna"))

    assert app.remember(Draft(body="", title="Green tea for Anna")).created is False
    assert app.remember(Draft(body="", title="Black tea for Bertil")).created
    assert first.created


def test_the_same_words_of_another_kind_say_something_else(app: App) -> None:
    app.remember(Draft(body="Ship on Friday."))

    assert app.remember(Draft(body="Ship on Friday.", kind="commitment")).created


def test_nearly_the_same_is_written_and_told(app: App) -> None:
    keep(app, "ferry", "The ferry to the island of Rømø leaves Havneby harbour at ten in the morning every day.")

    done = keep(app, "boat", "The ferry to the island of Rømø leaves Havneby harbour at ten in the morning each day.")

    assert done.created
    assert [warning.message for warning in done.warnings] == ["notes/ferry says nearly the same"]


def test_a_duplicate_is_found_although_it_was_written_by_hand_just_now(app: App) -> None:
    (app.root / "notes").mkdir(exist_ok=True)
    (app.root / "notes" / "by-hand.md").write_text("---\ntype: note\n---\nBees sleep in winter.\n", encoding="utf-8")

    assert app.remember(Draft(body="Bees sleep in winter.")).memory.id == "notes/by-hand"


# -- contradictions and supersession -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("was", "begins", "until"),
    [
        ((None, None), datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 5, 1, tzinfo=UTC)),
        ((None, datetime(2024, 3, 1, tzinfo=UTC)), datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 3, 1, tzinfo=UTC)),
        ((datetime(2024, 6, 1, tzinfo=UTC), None), datetime(2024, 5, 1, tzinfo=UTC), None),
        ((None, None), None, None),
    ],
)
def test_what_is_replaced_was_so_until_the_new_begins_where_that_says_when(
    tmp_path: Path, was: tuple[datetime | None, datetime | None], begins: datetime | None, until: datetime | None
) -> None:
    app = an_app(tmp_path / "memory")
    keep(app, "oslo", "Anna lives in Oslo.", valid_from=was[0], valid_until=was[1])

    keep(app, "bergen", "Anna lives in Bergen.", valid_from=begins, supersedes=("notes/oslo",))

    old = app.show("notes/oslo").memory
    assert old is not None
    assert (old.memory.state, old.memory.valid_from, old.memory.valid_until) == (State.SUPERSEDED, was[0], until)


def test_of_two_contradicting_claims_the_newcomer_is_quarantined_and_the_old_one_stands(app: App) -> None:
    keep(app, "oslo", "Ada lives in Oslo.", claim=Claim("ada.city", "Oslo"))
    before = (app.root / "notes/oslo.md").read_bytes()

    done = keep(app, "bergen", "Ada lives in Bergen.", claim=Claim("Ada.City", "Bergen"))

    assert done.memory.state is State.QUARANTINED
    assert codes(done) == ["contradiction"]
    assert "--supersedes notes/oslo" in done.warnings[0].message
    assert (app.root / "notes/oslo.md").read_bytes() == before
    assert found(app, "where does Ada live?") == ["notes/oslo"]


@pytest.mark.parametrize(
    "fields",
    [
        {"claim": Claim("ada.city", " OSLO ")},
        {"claim": Claim("ada.street", "Bergen")},
        {"claim": Claim("ada.city", "Bergen"), "valid_until": NOW - timedelta(days=400)},
    ],
    ids=["the same value", "another key", "another time"],
)
def test_claims_that_do_not_contradict_stand_side_by_side(app: App, fields: dict[str, object]) -> None:
    keep(app, "oslo", "Ada lives in Oslo.", claim=Claim("ada.city", "Oslo"), valid_from=NOW - timedelta(days=365))

    assert keep(app, "other", "Ada lived somewhere once.", **fields).memory.state is State.ACTIVE


def test_a_successor_and_its_predecessor_name_each_other_after_one_change(app: App) -> None:
    keep(app, "oslo", "Ada lives in Oslo.", claim=Claim("ada.city", "Oslo"))

    done = keep(
        app,
        "bergen",
        "Ada lives in Bergen.",
        claim=Claim("ada.city", "Bergen"),
        supersedes=("NOTES/Oslo", "notes/oslo"),
    )

    old = app.bundle.store.find("notes/oslo").memory
    assert (done.memory.state, done.memory.supersedes) == (State.ACTIVE, ("notes/oslo",))
    assert (old.state, old.superseded_by) == (State.SUPERSEDED, ("notes/bergen",))
    assert found(app, "where does Ada live?") == ["notes/bergen"]


@pytest.mark.parametrize("fields", [{"supersedes": ("notes/nowhere",)}, {"outcome_of": "notes/nowhere"}])
def test_a_reference_to_nothing_is_refused_before_anything_is_written(app: App, fields: dict[str, object]) -> None:
    keep(app, "one")
    before = files(app.root)

    with pytest.raises(MemoryNotFoundError):
        keep(app, "new", "Something else entirely.", **fields)

    assert documents(app.root) == {name: data for name, data in before.items() if not name.startswith(".mnemic/")}


def test_a_memory_cannot_supersede_itself(app: App) -> None:
    with pytest.raises(InvalidMemoryError, match="cannot replace itself"):
        keep(app, "self", supersedes=("notes/self",))

    located = app.bundle.store.find(keep(app, "self").memory.id)
    with pytest.raises(InvalidMemoryError, match="cannot replace itself"):
        app.edit("notes/self", lambda _: {"supersedes": ("Notes/Self.md",)})
    assert app.bundle.store.find("notes/self").revision == located.revision


# -- guards ------------------------------------------------------------------------------------------------------

SECRETS: dict[str, dict[str, object]] = {
    "body": {"body": f"The key is {KEY}."},
    "title": {"title": KEY},
    "description": {"description": KEY},
    "resource": {"resource": "https://ada:hunter2Zq9x@example.org/"},
    "tag": {"tags": ("fine", KEY)},
    "value of a claim": {"claim": Claim("ci.key", KEY)},
    "key of a claim": {"claim": Claim(KEY, "ours")},
    "pair of a claim": {"claim": Claim("wifi.password", "hunter2Zq9x!")},
    "locator": {"provenance": Provenance(locator=f"https://example.org/?key={KEY}")},
    "actor": {"provenance": Provenance(actor=KEY)},
    "scope": {"scope": Scope(project=KEY)},
    "kind": {"kind": KEY},
    "id": {"id": f"notes/{KEY.lower()}"},
}


@pytest.mark.parametrize("fields", SECRETS.values(), ids=SECRETS)
def test_a_secret_in_any_field_is_refused_before_it_touches_the_disk(app: App, fields: dict[str, object]) -> None:
    draft = Draft(body="An ordinary text.")

    with pytest.raises(SecretRefusedError) as refused:
        app.remember(replace(draft, **fields))  # type: ignore[arg-type]

    assert KEY not in str(refused.value)
    assert traces(app.root, KEY) == traces(app.root, "hunter2Zq9x") == traces(app.root, "ordinary") == []


@pytest.mark.parametrize("field", ["body", "title", "description"])
def test_a_secret_can_be_taken_out_of_a_text_and_its_id_has_none_either(app: App, field: str) -> None:
    draft = Draft(body="An ordinary text.")

    done = app.remember(replace(draft, **{field: f"deploy with {KEY} please"}), redact=True)  # type: ignore[arg-type]

    assert codes(done) == ["redacted"]
    assert getattr(done.memory, field).startswith("deploy with [redacted: ")
    assert traces(app.root, KEY[4:]) == []


@pytest.mark.parametrize("at", [10, 20, 30])
@pytest.mark.parametrize("before", ["", "deploy with ", "so we said that day " * 3])
def test_a_title_taken_from_a_text_holds_no_half_of_a_secret_that_goes_over_its_line(
    app: App, before: str, at: int
) -> None:
    token = "_".join(["ghp", "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"])

    done = app.remember(Draft(body=f"{before}{token[:at]}\n{token[at:]}\nand more"), redact=True)

    assert codes(done) == ["redacted"]
    assert [piece for place in range(len(token) - 7) for piece in traces(app.root, token[place : place + 8])] == []


@pytest.mark.parametrize("name", ["tag", "value of a claim", "key of a claim", "locator", "scope", "kind", "id"])
def test_where_a_mark_would_make_no_sense_a_secret_is_refused_even_then(app: App, name: str) -> None:
    with pytest.raises(SecretRefusedError):
        app.remember(replace(Draft(body="An ordinary text."), **SECRETS[name]), redact=True)  # type: ignore[arg-type]

    assert traces(app.root, KEY) == []


@pytest.mark.parametrize("char", ["\0", "\ud800"], ids=["NUL", "half of a pair"])
@pytest.mark.parametrize(
    "field", ["body", "title", "description", "resource", "kind", "tag", "claim", "locator", "scope", "id"]
)
def test_what_is_no_text_is_refused_with_the_fields_name(app: App, field: str, char: str) -> None:
    text = f"a{char}b"
    fields: dict[str, dict[str, object]] = {
        "tag": {"tags": (text,)},
        "claim": {"claim": Claim("key", text)},
        "locator": {"provenance": Provenance(locator=text)},
        "scope": {"scope": Scope(user=text)},
        "id": {"id": f"notes/{text}"},
    }
    draft = replace(Draft(body="Plain.", title="Plain"), **fields.get(field, {field: text}))  # type: ignore[arg-type]

    with pytest.raises((InvalidMemoryError, InvalidIdError)) as refused:
        app.remember(draft)

    names = {"tag": "tags", "kind": "type", "locator": "source", "id": "is no valid id"}
    assert names.get(field, field) in str(refused.value)
    assert not list((app.root / "notes").glob("*"))


SIZES = {
    "limits.body_characters": ({"body": "b" * 21}, {"body": "b" * 20}),
    "limits.title_characters": ({"title": "t" * 21}, {"title": "t" * 20}),
    "limits.description_characters": ({"description": "d" * 21}, {"description": "d" * 20}),
    "limits.summary_characters": ({"body": "s" * 21, "kind": "summary"}, {"body": "s" * 20, "kind": "summary"}),
    "limits.timeline_lines": ({"body": "l\n" * 20 + "l", "kind": "event"}, {"body": "l\n" * 5 + "l", "kind": "event"}),
    "limits.document_bytes": ({"body": "ö" * 11, "kind": "knowledge"}, None),
    "limits.tags": (
        {"tags": tuple(f"t{number}" for number in range(21))},
        {"tags": tuple(f"t{number}" for number in range(20))},
    ),
}


@pytest.mark.parametrize("setting", SIZES)
def test_a_limit_lets_through_what_reaches_it_and_nothing_beyond(tmp_path: Path, setting: str) -> None:
    app = an_app(tmp_path / "memory", f"{setting}=20")
    too_much, just_right = SIZES[setting]
    draft = Draft(body="Text.", title="Name")

    with pytest.raises(LimitExceededError) as refused:
        app.remember(replace(draft, **too_much))  # type: ignore[arg-type]

    assert refused.value.limit == 20
    assert not list((app.root).glob("*/name*.md"))
    if just_right is not None:
        assert app.remember(replace(draft, **just_right)).created


def test_a_kind_that_is_a_document_may_be_longer_than_a_statement(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory", "limits.body_characters=20")

    assert app.remember(Draft(body="A long page. " * 50, kind="knowledge")).created


@pytest.mark.parametrize("kind", ["workflow", "skill", "belief"])
def test_a_model_may_not_write_what_people_answer_for(app: App, kind: str) -> None:
    with pytest.raises(OriginRefusedError):
        app.remember(Draft(body="Deploy on Fridays.", kind=kind, provenance=MODEL))

    assert traces(app.root, "Fridays") == []
    assert app.remember(Draft(body="Deploy on Fridays.", kind=kind)).created


def test_a_policy_may_let_a_model_believe(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory", "rules.model_beliefs=true")

    assert app.remember(Draft(body="Deploys work.", kind="belief", provenance=MODEL)).created
    with pytest.raises(OriginRefusedError):
        app.remember(Draft(body="Deploy on Fridays.", kind="workflow", provenance=MODEL))


def test_sensitive_content_is_refused_where_there_is_no_vault(app: App) -> None:
    with pytest.raises(PrivacyRefusedError):
        app.remember(Draft(body="A diagnosis.", privacy=Privacy.SENSITIVE))

    assert traces(app.root, "diagnosis") == []


@pytest.mark.parametrize(
    "draft",
    [
        Draft(body="  \n"),
        Draft(body="It worked.", kind="outcome"),
        Draft(body="Not so.", kind="correction"),
        Draft(body="x", tags=("a", " ")),
        Draft(body="x", salience=1.5),
        Draft(body="x", valid_from=NOW, valid_until=NOW - timedelta(days=1)),
    ],
    ids=["no text", "outcome of nothing", "correction of nothing", "blank tag", "salience", "end before beginning"],
)
def test_a_draft_that_breaks_a_rule_is_refused(app: App, draft: Draft) -> None:
    before = documents(app.root)

    with pytest.raises(InvalidMemoryError):
        app.remember(draft)

    assert documents(app.root) == before


@pytest.mark.parametrize("wanted", ["../outside", "/etc/passwd", "notes/index", "con", "a//b", "C:\\x", "x" * 300])
def test_an_id_that_could_do_harm_is_refused(app: App, wanted: str) -> None:
    with pytest.raises(InvalidIdError):
        app.remember(Draft(body="Text.", id=wanted))


def test_an_id_that_is_taken_in_another_case_or_normalization_is_refused(app: App) -> None:
    keep(app, "café")

    for other in ("Café", "cafe\u0301", "CAFÉ"):
        with pytest.raises(IdTakenError):
            keep(app, other, f"Something else: {other}.")


def test_a_folder_that_is_no_bundle_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "a.md").write_text("Bees.", encoding="utf-8")
    from mnemic.app import App

    app = App.start(tmp_path / "vault", embedders=())
    with pytest.raises(ReadOnlyBundleError):
        app.remember(Draft(body="Text."))

    assert list(documents(tmp_path / "vault")) == ["a.md"]


# -- changing ----------------------------------------------------------------------------------------------------


def test_a_change_keeps_the_time_it_was_told_and_moves_the_time_of_change(tmp_path: Path) -> None:
    clock = SetClock()
    app = an_app(tmp_path / "memory", clock=clock)
    keep(app, "tea", "Anna prefers green tea.", title="Anna")
    clock.move(days=3)

    done = app.edit("Notes/TEA", lambda memory: {"body": memory.body.replace("green", "black")})

    assert done.created
    assert (done.memory.recorded_at, done.memory.changed_at) == (NOW, NOW + timedelta(days=3))
    assert found(app, "black tea") == ["notes/tea"]
    assert found(app, "green") == []


def test_a_change_that_means_nothing_writes_nothing(tmp_path: Path) -> None:
    clock = SetClock()
    app = an_app(tmp_path / "memory", clock=clock)
    keep(app, "tea", "Anna prefers green tea.", tags=("anna",))
    before = {name: data for name, data in documents(app.root).items() if name != "log.md"}
    stamp = (app.root / "notes/tea.md").stat().st_mtime_ns
    clock.move(days=3)

    done = app.edit("notes/tea", lambda memory: {"body": f"\n{memory.body}\n\n", "tags": ("anna",)})

    assert done.created is False
    assert {name: data for name, data in documents(app.root).items() if name != "log.md"} == before
    assert (app.root / "notes/tea.md").stat().st_mtime_ns == stamp


def test_an_expectation_that_is_no_longer_true_stops_a_change(app: App) -> None:
    first = keep(app, "tea", "Anna prefers green tea.")
    app.edit("notes/tea", lambda _: {"body": "Anna prefers black tea."})
    before = documents(app.root)

    with pytest.raises(MemoryChangedError):
        app.edit("notes/tea", lambda _: {"body": "Anna prefers coffee."}, expect=first.revision[:12])

    assert documents(app.root) == before


def test_an_edit_by_hand_while_somebody_thinks_is_a_conflict_and_survives(app: App) -> None:
    first = keep(app, "tea", "Anna prefers green tea.")
    path = app.root / "notes/tea.md"

    def thinking(_memory: object) -> dict[str, object]:
        path.write_text(path.read_text(encoding="utf-8").replace("green", "white"), encoding="utf-8")
        return {"body": "Anna prefers coffee."}

    with pytest.raises(MemoryChangedError):
        app.edit("notes/tea", thinking, expect=first.revision)

    assert "white tea" in path.read_text(encoding="utf-8")


def test_a_change_passes_the_same_guards(app: App) -> None:
    keep(app, "tea", "Anna prefers green tea.")
    before = documents(app.root)
    refused: list[tuple[dict[str, object], type[MnemicError]]] = [
        ({"body": KEY}, SecretRefusedError),
        ({"title": "a\0b"}, InvalidMemoryError),
        ({"body": "x" * 8_001}, LimitExceededError),
        ({"privacy": Privacy.SENSITIVE}, PrivacyRefusedError),
        ({"kind": "workflow", "provenance": MODEL}, OriginRefusedError),
        ({"confidence": 2.0}, InvalidMemoryError),
    ]

    for fields, error in refused:
        with pytest.raises(error):
            app.edit("notes/tea", lambda _, fields=fields: fields)  # type: ignore[misc]

    assert documents(app.root) == before


def test_a_claim_that_is_edited_into_a_contradiction_is_quarantined(app: App) -> None:
    """Also when the other one was written by hand a moment ago."""
    keep(app, "bergen", "Ada lives by the sea.", claim=Claim("ada.city", "Oslo"))
    by_hand = "---\ntype: note\nclaim: {key: ada.city, value: Oslo}\n---\nAda lives in Oslo.\n"
    (app.root / "notes/by-hand.md").write_text(by_hand, encoding="utf-8")

    done = app.edit("notes/bergen", lambda _: {"claim": Claim("ada.city", "Bergen")})

    assert done.memory.state is State.QUARANTINED
    assert codes(done) == ["contradiction"]
