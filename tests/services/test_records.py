"""Records that are replaced stay: a correction writes beside the old one, and nothing goes by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rooms import SetClock, an_app, documents, found

from mnemic.domain.drafts import Draft
from mnemic.domain.memory import State
from mnemic.errors import ConfirmationError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App

DEBATE = """---
type: decision
title: Which database
status: {status}
created: 2026-05-01T10:00:00Z
---

SQLite or PostgreSQL for the ledger of the harbour?
"""


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def app(tmp_path: Path, clock: SetClock) -> App:
    return an_app(tmp_path / "memory", clock=clock)


@pytest.mark.parametrize("status", ["open", "resolved"])
def test_a_decision_is_kept_whether_it_was_made_or_not(app: App, status: str) -> None:
    """A debate without an end is a record too: it is recalled, and an edit leaves its status."""
    (app.root / "decisions").mkdir(exist_ok=True)
    path = app.root / "decisions" / "database.md"
    path.write_text(DEBATE.format(status=status), encoding="utf-8")

    app.edit("decisions/database", lambda _: {"tags": ("harbour",)})

    assert found(app, "which database for the ledger of the harbour?") == ["decisions/database"]
    assert f"\nstatus: {status}\n" in path.read_text(encoding="utf-8")


def test_a_decision_that_is_replaced_says_by_which_and_stays(app: App, clock: SetClock) -> None:
    old = app.remember(Draft(title="Which database", body="We take PostgreSQL.", kind="decision")).memory
    clock.move(days=1)
    new = app.remember(Draft(title="Database", body="We take SQLite.", kind="decision", supersedes=(old.id,))).memory

    assert (old.id, new.id) == ("decisions/which-database", "decisions/database")
    text = (app.root / f"{old.id}.md").read_text(encoding="utf-8")
    assert "\nstatus: superseded\n" in text
    assert f"superseded_by:\n  - {new.id}\n" in text or f"superseded_by: [{new.id}]\n" in text
    assert "We take PostgreSQL." in text
    assert found(app, "which database do we take?") == [new.id]


def test_a_correction_takes_no_document_away_and_changes_no_word_of_what_it_corrects(app: App, clock: SetClock) -> None:
    app.remember(Draft(id="notes/tide", body="High tide is at noon.\n\nSays the harbour master.", tags=("sea",)))
    before = documents(app.root)
    clock.move(days=1)

    app.remember(Draft(id="notes/tide-2", body="High tide is at one.", kind="correction", supersedes=("notes/tide",)))

    after = documents(app.root)
    assert before.keys() < after.keys()
    old, now = (each["notes/tide.md"].decode().splitlines() for each in (before, after))
    assert [line for line in old if line not in now] == [line for line in old if line.startswith("timestamp:")]
    assert app.show("notes/tide").memory.memory.state is State.SUPERSEDED  # type: ignore[union-attr]


def test_only_who_asks_for_it_and_confirms_takes_a_record_away(app: App, clock: SetClock) -> None:
    app.remember(Draft(id="notes/tide", body="High tide is at noon."))
    app.remember(Draft(id="notes/tide-2", body="High tide is at one.", supersedes=("notes/tide",)))
    clock.move(days=4_000)
    app.reindex(rebuild=True)
    app.check(repair=True)

    with pytest.raises(ConfirmationError):
        app.forget("notes/tide", confirm="")
    assert {"notes/tide.md", "notes/tide-2.md"} <= documents(app.root).keys()
