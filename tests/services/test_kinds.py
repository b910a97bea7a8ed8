"""The kinds of memory behave as docs/reference/kinds.md says."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from rooms import NOW, SetClock, an_app, found, keep

from mnemic.domain.drafts import Draft
from mnemic.domain.entries import Where
from mnemic.domain.kinds import KINDS, Past
from mnemic.domain.memory import Claim, Privacy, Scope, State
from mnemic.domain.outcomes import Result
from mnemic.domain.provenance import Origin, Provenance
from mnemic.errors import InvalidMemoryError, LimitExceededError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App

NEEDS = {"supersedes": {"supersedes": ("notes/first",)}, "outcome_of": {"outcome_of": "notes/first"}}


@pytest.fixture
def app(tmp_path: Path) -> App:
    made = an_app(tmp_path / "memory", clock=SetClock())
    keep(made, "first", "The crane comes on Tuesday.")
    return made


def needed(kind: str) -> dict[str, object]:
    return {key: value for name in KINDS[kind].required for key, value in NEEDS[name].items()}


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_is_kept_in_its_folder_and_found_by_its_name(app: App, tmp_path: Path, kind: str) -> None:
    done = app.remember(Draft(body="Gulls nest upon the roof.", kind=kind, **needed(kind)))  # type: ignore[arg-type]

    assert done.path.startswith(f"{KINDS[kind].folder}/")
    assert f"type: {kind}" in (tmp_path / "memory" / done.path).read_text("utf-8")
    assert found(app, "where do gulls nest?", where=Where(kinds=(kind,))) == [done.memory.id]


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.required])
def test_a_kind_that_needs_something_is_refused_without_it(app: App, kind: str) -> None:
    with pytest.raises(InvalidMemoryError) as refused:
        app.remember(Draft(body="Gulls nest upon the roof.", kind=kind))

    assert KINDS[kind].required[0] in refused.value.message
    assert refused.value.hint
    with pytest.raises(InvalidMemoryError):
        app.edit("notes/first", lambda _: {"kind": kind})


def test_a_promise_needs_no_day_and_may_have_one(app: App) -> None:
    keep(app, "someday", "Paint the boat.", kind="commitment")
    keep(app, "friday", "Call Runa.", kind="commitment", due=NOW + timedelta(days=2))

    assert {promise.memory.id: promise.due for promise in app.promises.list()} == {
        "notes/friday": NOW + timedelta(days=2),
        "notes/someday": None,
    }


def test_an_episode_has_a_beginning_and_an_end(app: App) -> None:
    end = NOW - timedelta(days=3)
    keep(app, "regatta", "The regatta was sailed.", kind="episode", valid_from=end - timedelta(days=1), valid_until=end)

    assert found(app, "regatta", where=Where(valid_at=end - timedelta(hours=1))) == ["notes/regatta"]
    assert found(app, "regatta", where=Where(valid_at=end)) == []


def test_a_preference_is_revised_by_another_one_and_both_stay(app: App) -> None:
    keep(app, "tea", "Tea, please.", kind="preference", scope=Scope(user="mia"))
    keep(app, "juice", "Juice, please.", kind="preference", scope=Scope(user="mia"), supersedes=("notes/tea",))

    assert app.bundle.store.find("notes/tea").memory.state is State.SUPERSEDED
    assert found(app, "juice please") == ["notes/juice"]


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.past is Past.EDIT])
def test_a_living_document_is_as_long_as_it_must_be(app: App, kind: str) -> None:
    long = "A step of it. " * 700
    done = app.remember(Draft(body=long, kind=kind))

    assert len(done.memory.body) > app.bundle.policy.limits.body_characters
    with pytest.raises(LimitExceededError):
        app.remember(Draft(body=long, kind="observation"))


def test_every_field_of_a_trace_stands_in_its_document_and_comes_back(app: App) -> None:
    source = Provenance.of(Origin.WEB, locator="https://example.org/a", authority=0.4, verified=True)
    draft = Draft(
        id="notes/trace",
        body="The crane is forty metres high.",
        kind="belief",
        tags=("crane", "harbour"),
        due=NOW,
        salience=0.8,
        confidence=0.9,
        privacy=Privacy.PUBLIC,
        provenance=source,
        claim=Claim("crane.height", "40 m"),
        supersedes=("notes/first",),
    )
    made = app.remember(draft).memory
    app.reindex(rebuild=True, embed=False)
    read = app.bundle.store.find("notes/trace").memory

    assert read == made
    assert (read.id, read.kind, read.body, read.tags) == ("notes/trace", "belief", draft.body, draft.tags)
    assert (read.recorded_at, read.due, read.salience, read.confidence) == (NOW, NOW, 0.8, 0.9)
    assert (read.privacy, read.provenance, read.claim) == (Privacy.PUBLIC, source, draft.claim)
    assert read.supersedes == ("notes/first",)


def test_a_record_answers_what_why_from_where_when_how_strongly_and_what_changed_it(app: App) -> None:
    keep(app, "crane", "The crane comes on Friday.", supersedes=("notes/first",), confidence=0.7, cites="")
    outcome = Draft(kind="outcome", body="It came.", outcome_of="notes/crane", result=Result.SUCCEEDED)
    app.remember(outcome)
    shown = app.show("notes/crane")
    assert shown.memory is not None
    memory = shown.memory.memory

    assert (memory.body, memory.recorded_at, memory.confidence) == ("The crane comes on Friday.", NOW, 0.7)
    assert (memory.provenance.authority, memory.supersedes) == (0.5, ("notes/first",))
    assert [each.result for each in shown.outcomes] == [Result.SUCCEEDED]


def test_nothing_is_bound_to_a_conversation_unless_it_is_said_to_be(app: App) -> None:
    with app.conversation("c").begin("Tea, please.") as turn:
        receipt = turn.search("tea").receipt
        plain = turn.write(Draft(body="Tea, please.", kind="preference"), receipt=receipt)
        bound = turn.write(
            Draft(body="Be brief today.", kind="preference", scope=Scope(conversation="c")), receipt=receipt
        )

    assert plain.memory.scope.conversation == ""
    assert bound.memory.scope == Scope(conversation="c")
