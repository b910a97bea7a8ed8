"""How accessibility fades: by age, kind and salience, as docs/explanation/decay.md says and shows."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft
from mnemic.domain.kinds import KINDS, Past
from mnemic.ranking.prior import lost

if TYPE_CHECKING:
    from datetime import datetime

ROOT = Path(__file__).resolve().parents[2]
ages = st.floats(0, 1e5)
half_lives = st.floats(1, 1e4)
saliences = st.floats(0, 1)


class Day:
    """A clock that a test sets."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at


@given(ages, ages, half_lives, saliences)
def test_the_older_the_more_and_never_all_of_what_matters(one: float, other: float, half: float, s: float) -> None:
    younger, older = sorted((one, other))

    assert 0 <= lost(younger, half, s) <= lost(older, half, s) <= 1 - s


@given(ages, half_lives, half_lives, saliences, saliences)
def test_short_lived_kinds_and_low_salience_fade_faster(
    age: float, one: float, other: float, s: float, t: float
) -> None:
    short, long = sorted((one, other))
    little, much = sorted((s, t))

    assert lost(age, short, s) >= lost(age, long, s)
    assert lost(age, short, little) >= lost(age, short, much) - 1e-12


@given(half_lives)
def test_at_its_half_life_an_ordinary_memory_has_lost_half_of_what_it_can_lose(half: float) -> None:
    assert lost(half, half, 0.5) == pytest.approx(0.5 / 2)
    assert lost(0.0, half, 0.0) == 0


def test_of_two_equal_memories_the_one_that_fades_faster_comes_second(tmp_path: Path) -> None:
    """The same words a year ago: the episode is behind the belief, and the one that matters before both."""
    from datetime import UTC, datetime

    clock = Day(datetime(2025, 5, 3, tzinfo=UTC))
    create_bundle(tmp_path / "memory")
    app = App.start(tmp_path / "memory", clock=clock, embedders=())
    for name, kind, salience in (("a", "observation", 0.2), ("b", "belief", 0.2), ("c", "belief", 0.9)):
        body = f"The lighthouse keeper of {name}{name}{name} is called Runa."
        app.remember(Draft(id=f"notes/{name}", body=body, kind=kind, salience=salience))
    fresh = {hit.id: hit.channels.get("recency", 0.0) for hit in app.recall("lighthouse keeper Runa").hits}
    clock.at += timedelta(days=365)
    old = {hit.id: hit.channels.get("recency", 0.0) for hit in app.recall("lighthouse keeper Runa").hits}

    assert set(fresh.values()) == {0.0}
    assert old["notes/a"] < old["notes/b"] < old["notes/c"] < 0
    assert app.bundle.store.find("notes/a").memory.body.endswith("Runa.")


def test_the_page_of_kinds_says_what_the_registry_says() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", page("reference/kinds.md"), re.MULTILINE
    )
    told = [
        (
            kind.name,
            kind.analogue,
            kind.purpose,
            ", ".join(f"`{name}`" for name in kind.required) or ("`scope`" if kind.scoped else "nothing"),
            f"{kind.half_life_days:g} days" if kind.half_life_days else "no",
            "a new memory supersedes it"
            if kind.past is Past.SUPERSEDE
            else "edited in place, its history keeps the old text",
        )
        for kind in KINDS.values()
    ]

    assert rows == told


def test_the_page_of_decay_lists_every_half_life() -> None:
    rows = dict(re.findall(r"^\| (\d+) days \| (.+) \|$", page("explanation/decay.md"), re.MULTILINE))
    known: dict[str, set[str]] = {}
    for kind in KINDS.values():
        if kind.half_life_days:
            known.setdefault(f"{kind.half_life_days:g}", set()).add(kind.name)

    assert {days: set(re.findall(r"`(\w+)`", names)) for days, names in rows.items()} == known


def test_the_picture_is_drawn_with_the_real_function(tmp_path: Path) -> None:
    made = tmp_path / "decay.svg"
    subprocess.run([sys.executable, str(ROOT / "tools" / "decay_picture.py"), str(made)], check=True)

    assert made.read_text("utf-8") == (ROOT / "docs" / "pictures" / "decay.svg").read_text("utf-8")


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")
