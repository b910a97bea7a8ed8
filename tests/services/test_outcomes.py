"""What came of a plan is told beside it wherever it comes up, and a failure stands behind its like."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from rooms import NOW, SetClock, an_app, found, keep

from mnemic.domain.drafts import Draft
from mnemic.domain.entries import Where
from mnemic.domain.memory import State
from mnemic.domain.outcomes import Result
from mnemic.domain.provenance import Origin, Provenance
from mnemic.errors import InvalidMemoryError, MemoryNotFoundError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App
    from mnemic.domain.drafts import Remembered
    from mnemic.domain.results import Hit

ASKED = "how do we mend the harbour wall?"


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def app(tmp_path: Path, clock: SetClock) -> App:
    made = an_app(tmp_path / "memory", clock=clock)
    keep(made, "concrete", "Mend the harbour wall with concrete.", kind="procedure")
    keep(made, "granite", "Mend the harbour wall with granite.", kind="procedure")
    return made


def came(app: App, of: str, result: Result | None, text: str = "", **fields: object) -> Remembered:
    body = text or f"It turned out as {result} there."
    return app.remember(Draft(kind="outcome", body=body, outcome_of=of, result=result, **fields))  # type: ignore[arg-type]


def hits(app: App, **options: object) -> dict[str, Hit]:
    return {hit.id: hit for hit in app.recall(ASKED, **options).hits}  # type: ignore[arg-type]


def test_a_plan_that_failed_is_recalled_as_failed_and_behind_its_like(app: App) -> None:
    before = hits(app)
    done = came(app, "notes/concrete", Result.FAILED)
    after = hits(app)

    failed = after["notes/concrete"]
    assert failed.outcome is not None
    assert (failed.outcome.result, failed.outcome.id) == (Result.FAILED, done.memory.id)
    assert failed.channels["outcome"] < 0
    assert before["notes/concrete"].score - failed.score == pytest.approx(-failed.channels["outcome"], abs=0.9)
    assert list(after).index("notes/granite") < list(after).index("notes/concrete")
    assert after["notes/granite"].outcome is None
    assert "outcome" not in after["notes/granite"].channels


def test_without_outcomes_no_score_is_another(app: App) -> None:
    keep(app, "told", "It is said that walls fall.", kind="outcome", outcome_of="notes/granite")

    assert all(hit.outcome is None and "outcome" not in hit.channels for hit in hits(app).values())


def test_the_newest_outcome_decides_and_all_are_listed(app: App, clock: SetClock) -> None:
    first = came(app, "notes/concrete", Result.FAILED)
    clock.move(days=1)
    second = came(app, "notes/concrete", Result.SUCCEEDED)
    clock.move(days=1)
    third = came(app, "notes/concrete", None, "Somebody looked at it again.")

    assert hits(app)["notes/concrete"].outcome is not None
    assert hits(app)["notes/concrete"].outcome.result is Result.SUCCEEDED  # type: ignore[union-attr]
    assert [(each.id, each.result) for each in app.show("notes/concrete").outcomes] == [
        (third.memory.id, None),
        (second.memory.id, Result.SUCCEEDED),
        (first.memory.id, Result.FAILED),
    ]


@pytest.mark.parametrize("state", [State.SUPERSEDED, State.ARCHIVED, State.QUARANTINED])
def test_an_outcome_that_no_longer_holds_says_nothing(app: App, state: State) -> None:
    done = came(app, "notes/concrete", Result.FAILED)
    app.edit(done.memory.id, lambda _: {"state": state})

    assert hits(app)["notes/concrete"].outcome is None
    assert app.show("notes/concrete").outcomes == ()


def test_equal_words_about_two_plans_are_two_outcomes(app: App) -> None:
    one = came(app, "notes/concrete", Result.FAILED, "It did not hold.")
    other = came(app, "notes/granite", Result.FAILED, "It did not hold.")
    again = came(app, "notes/granite", Result.FAILED, "It did not hold.")

    assert (one.created, other.created, again.created) == (True, True, False)


def test_an_outcome_that_nobody_must_believe_counts_for_nothing(app: App) -> None:
    came(app, "notes/concrete", Result.FAILED, provenance=Provenance.of(Origin.WEB))

    assert hits(app, where=Where(min_authority=0.5))["notes/concrete"].outcome is None
    assert hits(app)["notes/concrete"].outcome is not None


def test_what_was_not_told_by_then_is_not_known_then(app: App, clock: SetClock) -> None:
    clock.move(days=3)
    came(app, "notes/concrete", Result.FAILED)

    then = hits(app, where=Where(as_of=NOW + timedelta(days=1)))
    now = hits(app, where=Where(as_of=clock.now()))

    assert then["notes/concrete"].outcome is None
    assert now["notes/concrete"].outcome is not None


@pytest.mark.parametrize("profile", ["fields", "resonance"])
def test_every_profile_tells_what_came_of_it(app: App, profile: str) -> None:
    came(app, "notes/concrete", Result.MIXED)
    told = {hit.id: hit.outcome for hit in app.recall("harbour concrete", profile=profile).hits}

    assert told["notes/concrete"] is not None
    assert told["notes/concrete"].result is Result.MIXED


def test_a_capsule_and_the_tools_of_an_agent_say_failed(app: App) -> None:
    done = came(app, "notes/concrete", Result.FAILED)
    line = next(row for row in app.context(ASKED).text.splitlines() if "with concrete" in row)
    with app.conversation("c").begin(ASKED) as turn:
        searched = turn.call("memory_search", {"query": ASKED})
        read = turn.call("memory_read", {"id": "notes/concrete"})

    assert f"failed: {done.memory.id}" in line
    result = next(one for one in searched.data["results"] if one["id"] == "notes/concrete")
    assert (result["outcome"]["result"], result["outcome"]["id"]) == ("failed", done.memory.id)
    assert f"failed: {done.memory.id}" in searched.text
    assert f"failed: {done.memory.id}" in read.text
    assert read.data["outcomes"] == [result["outcome"]]


def test_an_agent_writes_an_outcome_with_its_result(app: App) -> None:
    with app.conversation("c").begin("It failed.") as turn:
        receipt = turn.search(ASKED).receipt
        turn.call(
            "memory_write",
            {"receipt": receipt, "text": "The concrete fell off.", "kind": "outcome", "outcome_of": "notes/concrete",
             "result": "failed"},
        )  # fmt: skip

    assert hits(app)["notes/concrete"].outcome.result is Result.FAILED  # type: ignore[union-attr]


def test_an_outcome_needs_its_action_and_a_result_its_outcome(app: App) -> None:
    with pytest.raises(InvalidMemoryError, match="outcome_of"):
        app.remember(Draft(kind="outcome", body="It failed.", result=Result.FAILED))
    with pytest.raises(MemoryNotFoundError):
        came(app, "notes/none", Result.FAILED)
    with pytest.raises(InvalidMemoryError, match="result"):
        app.remember(Draft(body="It failed.", result=Result.FAILED))


def test_an_outcome_written_by_hand_is_found_in_whatever_case_its_action_is_named(app: App, tmp_path: Path) -> None:
    path = tmp_path / "memory" / "outcomes"
    path.mkdir()
    text = "---\ntype: outcome\noutcome_of: Notes/Concrete\nresult: Failed\n---\nIt fell.\n"
    (path / "fell.md").write_text(text, encoding="utf-8")

    assert hits(app)["notes/concrete"].outcome.id == "outcomes/fell"  # type: ignore[union-attr]
    assert found(app, "what fell?") == ["outcomes/fell"]


def test_a_result_is_kept_in_the_document_and_may_be_changed(app: App, tmp_path: Path) -> None:
    done = came(app, "notes/concrete", Result.FAILED)
    assert "result: failed" in (tmp_path / "memory" / done.path).read_text("utf-8")

    changed = app.edit(done.memory.id, lambda _: {"result": Result.MIXED})

    assert changed.revision != done.revision
    assert app.bundle.store.find(done.memory.id).memory.result is Result.MIXED
