"""What was so once is not shown as if it were still so: neither by recall nor in what an agent is given."""

from __future__ import annotations

import runpy
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rooms import NOW, SetClock, an_app, found, keep

from mnemic.domain.entries import Where
from mnemic.domain.memory import Loading, State
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from mnemic.app import App

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "stale.py"
DAY = timedelta(days=1)
QUESTION = "what is the code of the gate?"


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def app(tmp_path: Path, clock: SetClock) -> App:
    """The code of the gate was another one until yesterday; it will be another one tomorrow."""
    app = an_app(tmp_path / "memory", clock=clock, embedders=[FakeEmbedder()])
    keep(app, "old", "The code of the gate is heron.", valid_until=NOW - DAY)
    keep(app, "now", "The code of the gate is plover.", valid_until=NOW + DAY)
    keep(app, "bees", "Runa keeps bees behind the lighthouse.")
    app.reindex()
    return app


def test_of_random_histories_nothing_that_ended_is_shown_and_all_that_is_so_is(tmp_path: Path) -> None:
    """The benchmark, small: superseded, ended, archived, quarantined, fulfilled, rewritten, taken away."""
    figures = runpy.run_path(str(BENCHMARK))["measure"](tmp_path / "stale", 25, 3)

    assert {name: count for name, count in figures.items() if name.startswith("stale") and count} == {}
    assert figures["asked"] > figures["current"] > 10
    assert figures["current_found"] == figures["current"]
    assert figures["past_found"] == figures["past_current"] > 10


@pytest.mark.parametrize("profile", ["default", "fields", "resonance"])
def test_a_statement_whose_time_is_over_is_left_out(app: App, profile: str) -> None:
    question = "gate" if profile == "fields" else QUESTION

    assert "notes/now" in found(app, question, profile=profile)
    assert "notes/old" not in found(app, question, profile=profile)


def test_its_time_ends_while_nobody_writes(app: App, clock: SetClock) -> None:
    assert found(app, QUESTION) == ["notes/now"]

    clock.move(days=2)

    assert found(app, QUESTION) == []


def test_who_asks_for_a_time_or_for_other_states_gets_what_was_so(app: App) -> None:
    assert found(app, QUESTION, where=Where(valid_at=NOW - 2 * DAY)) != []
    assert "notes/old" in found(app, QUESTION, where=Where(valid_at=NOW - 2 * DAY))
    assert "notes/old" in found(app, QUESTION, where=Where(states=(State.ACTIVE, State.SUPERSEDED)))


def test_it_comes_before_an_agent_in_no_part_of_its_context(tmp_path: Path, clock: SetClock) -> None:
    app = an_app(tmp_path / "memory", clock=clock)
    keep(app, "rule", "Say heron at the gate.", loading=Loading.ALWAYS, valid_until=NOW + DAY)
    keep(app, "whole", "At the gate of the harbour heron is said.", loading=Loading.KEYWORD, valid_until=NOW + DAY)
    told = app.context("what is said at the gate of the harbour?").text
    assert "Say heron at the gate.\n" in told
    assert "heron is said.\n" in told

    clock.move(days=2)

    assert "heron" not in app.context("what is said at the gate of the harbour?").text


def test_many_that_are_over_do_not_keep_out_the_one_that_is_so(tmp_path: Path, clock: SetClock) -> None:
    """A price of every day: the index leaves the old ones out before the best are chosen."""
    app = an_app(tmp_path / "memory", clock=clock)
    for day in range(140):
        path = app.root / "notes" / f"day{day}.md"
        path.parent.mkdir(exist_ok=True)
        until = f"valid_until: {NOW - day * DAY:%Y-%m-%d}\n"
        path.write_text(f"---\ntype: note\ntitle: Price\n{until}---\n\nThe price is {day}.\n", encoding="utf-8")
    keep(app, "now", "The price today, all things considered and after long talks, is high.")

    assert found(app, "price") == ["notes/now"]
