"""A hook tells of a plan that failed that it failed, with a server and without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.domain.drafts import Draft
from mnemic.domain.outcomes import Result

if TYPE_CHECKING:
    from coding_agent import Agent

    from mnemic.app import App

ASKED = "how shall we mend the harbour wall?"


def test_a_plan_that_failed_is_told_as_failed(anyhow: Agent, app: App) -> None:
    app.remember(Draft(id="notes/wall", body="Mend the harbour wall with concrete.", kind="procedure"))
    app.reindex(embed=False)
    before = anyhow.context(ASKED)
    outcome = Draft(id="notes/fell", body="It fell off.", kind="outcome", outcome_of="notes/wall", result=Result.FAILED)
    app.remember(outcome)
    app.reindex(embed=False)

    line = next(row for row in anyhow.context(ASKED).splitlines() if "with concrete" in row)

    assert "failed" not in before
    assert "failed: notes/fell" in line


def test_an_outcome_that_was_taken_back_is_not_told(anyhow: Agent, app: App) -> None:
    app.remember(Draft(id="notes/wall", body="Mend the harbour wall with concrete.", kind="procedure"))
    outcome = Draft(id="notes/fell", body="It fell off.", kind="outcome", outcome_of="notes/wall", result=Result.FAILED)
    app.remember(outcome)
    app.forget("notes/fell", confirm="notes/fell")

    assert "failed" not in anyhow.context(ASKED)
