"""What was known at a moment: against a plain list of dated states, and where the history has gaps."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rooms import NOW, SetClock, an_app, chat, found, keep, traces

from mnemic import config
from mnemic.domain.drafts import Draft
from mnemic.domain.entries import Source, Where
from mnemic.domain.memory import Privacy, State
from mnemic.errors import MemoryNotFoundError, SessionNotFoundError
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.app import App
    from mnemic.domain.results import Answer

HOUR = timedelta(hours=1)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def app(tmp_path: Path, clock: SetClock) -> App:
    return an_app(tmp_path / "memory", clock=clock)


def told(app: App, query: str, moment: datetime, **where: Any) -> dict[str, str]:  # noqa: ANN401 - those of `Where`
    """What was known then: snippets by id."""
    answer = app.recall(query, k=50, where=Where(as_of=moment, **where))
    return {hit.id: hit.snippet for hit in answer.hits}


def by_hand(app: App, name: str, clock: SetClock, old: str, new: str) -> None:
    """Somebody writes into a document, now."""
    path = app.root / f"{name}.md"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    _touch(path, clock)


def _touch(path: Path, clock: SetClock) -> None:
    seconds = clock.now().timestamp()
    os.utime(path, (seconds, seconds))


# -- against a model ---------------------------------------------------------------------------------------------


class Room:
    """A bundle that things happen to, and a list of what was so after each of them: by id who it was and its text."""

    def __init__(self, folder: Path) -> None:
        self.clock = SetClock()
        self.app = an_app(folder, clock=self.clock)
        self._numbers = count(1)
        self.known: dict[str, tuple[int, str]] = {}
        self.states: list[tuple[datetime, dict[str, tuple[int, str]]]] = []
        self._note()

    def happen(self, what: str, which: int) -> None:
        if what == "remember" or not self.known:
            self._remember()
        else:
            getattr(self, f"_{what}")([*self.known][which % len(self.known)])
        self._note()

    def expected(self) -> list[dict[str, str]]:
        return [{name: text for name, (_, text) in state.items()} for _, state in self.states]

    def answers(self) -> list[dict[str, str]]:
        return [told(self.app, "report", moment) for moment, _ in self.states]

    def _note(self) -> None:
        self.app.reindex(embed=False)
        self.clock.move(minutes=30)
        self.states.append((self.clock.now(), dict(self.known)))
        self.clock.move(minutes=30)

    def _text(self) -> str:
        number = next(self._numbers)
        return "Report " + " ".join(f"{word}{number}" for word in ("alder", "birch", "cedar", "damson", "elm"))

    def _remember(self, **fields: Any) -> None:  # noqa: ANN401 - a Draft's
        number, text = next(self._numbers), self._text()
        name = f"notes/n{number}"
        self.app.remember(Draft(id=name, title=name, body=text, **fields))
        self.known[name] = (number, text)

    def _edit(self, name: str) -> None:
        text = self._text()
        self.app.edit(name, lambda _: {"body": text})
        self.known[name] = (self.known[name][0], text)

    def _write_by_hand(self, name: str) -> None:
        (number, old), text = self.known[name], self._text()
        by_hand(self.app, name, self.clock, old, text)
        self.known[name] = (number, text)

    def _rename(self, name: str) -> None:
        new = f"notes/n{next(self._numbers)}"
        path = (self.app.root / f"{name}.md").rename(self.app.root / f"{new}.md")
        _touch(path, self.clock)
        self.known[new] = self.known.pop(name)

    def _delete(self, name: str) -> None:
        (self.app.root / f"{name}.md").unlink()
        del self.known[name]

    def _supersede(self, name: str) -> None:
        self._remember(supersedes=(name,))
        del self.known[name]

    def _archive(self, name: str) -> None:
        self.app.edit(name, lambda _: {"state": State.ARCHIVED})
        del self.known[name]

    def _forget(self, name: str) -> None:
        """It was never known then, by whatever name and with whatever text."""
        self.app.forget(name, confirm=name)
        forgotten, _ = self.known.pop(name)
        for _, state in self.states:
            for other in [other for other, (number, _) in state.items() if number == forgotten]:
                del state[other]


DEEDS = ("remember", "remember", "edit", "write_by_hand", "rename", "delete", "supersede", "archive", "forget")


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 5)), min_size=1, max_size=7))
def test_what_was_known_at_any_moment_is_what_was_so_then(
    tmp_path_factory: pytest.TempPathFactory, deeds: list[tuple[str, int]]
) -> None:
    """Commands, edits by hand, renames, deletions, supersession; also after the index was made anew."""
    room = Room(tmp_path_factory.mktemp("room") / "memory")
    for what, which in deeds:
        room.happen(what, which)

    answers = room.answers()

    assert answers == room.expected()
    room.app.reindex(rebuild=True, embed=False)
    assert room.answers() == answers
    assert _facts(room.app.recall("report", k=50, where=Where(as_of=room.clock.now()))) == _facts(
        room.app.recall("report", k=50)
    )


def _facts(answer: Answer) -> list[tuple[str, float, float]]:
    return [(hit.id, hit.score, hit.probability) for hit in answer.hits]


@settings(max_examples=15)
@given(st.lists(st.sampled_from(("remember", "edit", "write_by_hand", "rename")), min_size=2, max_size=6))
def test_what_was_known_once_is_known_later_unless_it_was_taken_away(
    tmp_path_factory: pytest.TempPathFactory, deeds: list[str]
) -> None:
    room = Room(tmp_path_factory.mktemp("room") / "memory")
    for number, what in enumerate(deeds):
        room.happen(what, number)

    many = [len(answer) for answer in room.answers()]

    assert many == sorted(many)
    assert many[-1] == len(room.known)


def test_what_was_forgotten_was_never_known(app: App, clock: SetClock) -> None:
    keep(app, "anna", "Anna lives in Oslo.")
    clock.move(hours=1)
    app.edit("notes/anna", lambda _: {"body": "Anna lives in Bergen."})
    clock.move(hours=1)

    app.forget("notes/anna", confirm="notes/anna")

    assert told(app, "where does Anna live?", NOW + HOUR / 2) == {}


# -- where it is taken from --------------------------------------------------------------------------------------


@pytest.fixture
def moved(app: App, clock: SetClock) -> App:
    """Anna's note was changed in its place after an hour."""
    keep(app, "anna", "Anna lives in Oslo, in Mandalls gate.", title="Anna", valid_until=NOW + 10 * HOUR)
    keep(app, "bees", "Runa keeps bees behind the lighthouse.")
    clock.move(hours=1)
    app.edit("notes/anna", lambda _: {"body": "Anna lives in Bergen.", "valid_until": None})
    clock.move(hours=1)
    return app


def test_a_note_that_was_changed_in_its_place_is_told_as_it_was(moved: App, clock: SetClock) -> None:
    question = "where does Anna live?"

    assert told(moved, question, NOW - HOUR) == {}
    assert told(moved, question, NOW) == {"notes/anna": "Anna lives in Oslo, in Mandalls gate."}
    assert told(moved, question, NOW + HOUR) == {"notes/anna": "Anna lives in Bergen."}
    assert told(moved, question, clock.now()) == {"notes/anna": "Anna lives in Bergen."}


def test_both_times_together_ask_what_was_held_to_be_so_then(moved: App) -> None:
    """We thought that it would be Oslo until four in the afternoon; now we know better."""
    later = NOW + 20 * HOUR

    assert told(moved, "where does Anna live?", NOW, valid_at=NOW + HOUR) != {}
    assert told(moved, "where does Anna live?", NOW, valid_at=later) == {}
    assert told(moved, "where does Anna live?", NOW + HOUR, valid_at=later) == {"notes/anna": "Anna lives in Bergen."}


@pytest.mark.parametrize(
    ("known", "cities"),
    [
        ("2024-03-01", ["oslo", "oslo", "oslo", "oslo"]),
        ("2024-07-01", ["oslo", "bergen", "bergen", "bergen"]),
        ("2025-04-01", ["oslo", "bergen", "bergen", "tromso"]),
        ("2025-06-01", ["oslo", "bergen", "bergen", "tromso"]),
    ],
)
def test_what_was_so_is_asked_by_the_day_in_the_world_and_the_day_of_telling(
    tmp_path: Path, clock: SetClock, known: str, cities: list[str]
) -> None:
    """Where Anna lived, on four days, as four days knew it; also of days for which another one replaced it since."""
    app, before = an_app(tmp_path / "memory", clock=clock), ""
    for heard, since, city in (
        ("2024-02-10", "2020-01-01", "oslo"),
        ("2024-06-03", "2024-05-01", "bergen"),
        ("2025-03-20", "2025-03-01", "tromso"),
    ):
        clock.at = _day(heard)
        old = (before,) if before else ()
        before = keep(app, city, f"Anna lives in {city}.", valid_from=_day(since), supersedes=old).memory.id
    clock.at = _day("2025-06-01")

    days = ("2023-06-01", "2024-05-20", "2025-01-01", "2025-04-01")
    found_at = [told(app, "where does Anna live?", _day(known), valid_at=_day(day)) for day in days]

    assert [list(each) for each in found_at] == [[f"notes/{city}"] for city in cities]


def test_what_was_a_mistake_was_never_so(app: App, clock: SetClock) -> None:
    """The newer one does not say since when: the old one is not what was so before."""
    keep(app, "oslo", "Anna lives in Oslo.")
    clock.move(hours=1)
    keep(app, "bergen", "Anna lives in Bergen.", supersedes=("notes/oslo",))

    assert found(app, "where does Anna live?", where=Where(valid_at=NOW)) == ["notes/bergen"]


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_kinds_and_tags_and_states_are_those_of_then(moved: App, clock: SetClock) -> None:
    then = clock.now()
    clock.move(hours=1)
    moved.edit("notes/bees", lambda _: {"tags": ("garden",), "state": State.ARCHIVED})
    clock.move(hours=1)

    assert told(moved, "bees", then) != {}
    assert told(moved, "bees", then, tags=("garden",)) == {}
    assert told(moved, "bees", then, states=(State.ARCHIVED,)) == {}
    assert told(moved, "bees", then, kinds=("note",), sources=(Source.MEMORY,)) != {}
    assert told(moved, "bees", clock.now() - HOUR / 2) == {}


@pytest.mark.parametrize("profile", ["fields", "resonance"])
def test_every_profile_answers_from_then(moved: App, profile: str) -> None:
    answer = moved.recall("Oslo", where=Where(as_of=NOW), profile=profile)

    assert [hit.id for hit in answer.hits][:1] == ["notes/anna"]


def test_no_old_text_touches_the_disk(moved: App) -> None:
    moved.reindex(rebuild=True, embed=False)
    assert traces(moved.root, "Mandalls") == []

    assert told(moved, "where does Anna live?", NOW) != {}

    assert traces(moved.root, "Mandalls") == []


def test_where_nothing_changed_since_no_other_index_is_made(moved: App, clock: SetClock) -> None:
    """The same answer, from the same index, at the same cost."""

    def refused() -> Any:  # noqa: ANN401 - never returns
        raise AssertionError("an index was made")

    clock.move(hours=5)
    moved.bundle = replace(moved.bundle, passing_index=refused)

    then = moved.recall("where does Anna live?", where=Where(as_of=clock.now() - 4 * HOUR))

    assert _facts(then) == _facts(moved.recall("where does Anna live?"))
    with pytest.raises(AssertionError, match="an index was made"):
        told(moved, "Anna", NOW)


class Listening(FakeEmbedder):
    """Notes what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return super().embed_passages(texts)


def test_old_texts_get_vectors_for_one_question_unless_they_are_too_many(
    tmp_path: Path, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    listening = Listening()
    app = an_app(tmp_path / "memory", clock=clock, embedders=[listening])
    for name in ("anna", "runa"):
        keep(app, name, f"{name} prefers lighthouses.")
    app.reindex()
    clock.move(hours=1)
    for name in ("anna", "runa"):
        app.edit(f"notes/{name}", lambda _: {"body": "Harbours, mostly."})
    app.reindex()
    clock.move(hours=1)
    listening.texts.clear()

    def ask(**options: Any) -> Answer:  # noqa: ANN401 - those of `App.recall`
        return app.recall("who prefers a lighthouse?", where=Where(as_of=NOW), **options)

    assert ask().degraded == ()
    assert sum("prefers lighthouses" in text for text in listening.texts) == 2
    ask(quick=True)
    assert len(listening.texts) == 2
    monkeypatch.setattr("mnemic.services.chronicle.revive.MOST_EMBEDDED", 1)
    answer = ask()
    assert {hit.id for hit in answer.hits} == {"notes/anna", "notes/runa"}
    assert answer.degraded == (
        "2 earlier texts are too many to be embedded for one question: they were found by their words",
    )


def test_turns_of_conversations_count_from_the_moment_they_were_said(app: App, tmp_path: Path) -> None:
    turns: list[dict[str, object]] = [
        {"text": "The ferry is late.", "at": "2026-05-01T08:00:00Z"},
        {"text": "The ferry is gone.", "at": "2026-05-02T08:00:00Z"},
    ]
    app.import_sessions(chat(tmp_path / "talk.jsonl", turns))
    between = datetime(2026, 5, 1, 12, tzinfo=UTC)

    assert told(app, "ferry", between) == {"session:kitchen#1": "The ferry is late."}
    assert [turn.number for turn in app.past.show("session:kitchen", between).shown.turns] == [1]
    with pytest.raises(SessionNotFoundError):
        app.past.show("session:kitchen#2", between)


def test_sensitive_memories_are_not_told_of_the_past_either(tmp_path: Path, clock: SetClock) -> None:
    app = an_app(tmp_path / "memory", "rules.sensitive=true", clock=clock)
    keep(app, "anna", "Anna was ill in winter.", privacy=Privacy.SENSITIVE)
    keep(app, "runa", "Runa was ill in spring.")
    clock.move(hours=1)
    app.edit("notes/runa", lambda _: {"privacy": Privacy.SENSITIVE})
    clock.move(hours=1)

    assert told(app, "who was ill in winter or spring?", NOW) == {}


# -- where the history has gaps ----------------------------------------------------------------------------------

ADOPTED = """---
type: note
title: Ada
created: 2026-01-05T10:00:00Z
timestamp: 2026-03-05T10:00:00Z
---

Ada lives in Tromsø.
"""
FEBRUARY = datetime(2026, 2, 1, tzinfo=UTC)


def test_a_note_that_was_brought_in_later_is_told_by_its_oldest_text_and_that_is_said(
    app: App, clock: SetClock
) -> None:
    (app.root / "notes").mkdir(exist_ok=True)
    (app.root / "notes" / "ada.md").write_text(ADOPTED, encoding="utf-8")
    app.reindex(embed=False)
    clock.move(hours=1)
    app.edit("notes/ada", lambda _: {"body": "Ada lives in Bodø."})
    clock.move(hours=1)

    answer = app.recall("where does Ada live?", where=Where(as_of=FEBRUARY))

    assert [hit.snippet for hit in answer.hits] == ["Ada lives in Tromsø."]
    assert any(note.startswith("1 memory is told by the oldest text that is kept") for note in answer.degraded)
    assert told(app, "where does Ada live?", FEBRUARY - timedelta(days=60)) == {}


def test_without_a_history_a_memory_counts_as_active_until_its_successor_came(tmp_path: Path, clock: SetClock) -> None:
    app = an_app(tmp_path / "memory", "history.keep=false", clock=clock)
    keep(app, "oslo", "Ada lives in Oslo.")
    clock.move(hours=1)
    keep(app, "bergen", "Ada lives in Bergen.", supersedes=("notes/oslo",))
    clock.move(hours=1)
    answer = app.recall("where does Ada live?", where=Where(as_of=NOW))

    assert [(hit.id, hit.state) for hit in answer.hits] == [("notes/oslo", State.ACTIVE)]
    assert any("what was said before is not known" in note for note in answer.degraded)
    assert list(told(app, "where does Ada live?", NOW + HOUR)) == ["notes/bergen"]


def test_what_was_kept_before_the_history_was_switched_off_still_answers(moved: App, clock: SetClock) -> None:
    app = an_app(moved.root, "history.keep=false", clock=clock)
    app.edit("notes/bees", lambda _: {"body": "Runa keeps goats."})
    clock.move(hours=1)

    assert told(app, "what does Runa keep?", NOW) == {"notes/bees": "Runa keeps bees behind the lighthouse."}
    assert told(app, "where does Anna live?", NOW) == {"notes/anna": "Anna lives in Oslo, in Mandalls gate."}
    answer = app.recall("what does Runa keep?", where=Where(as_of=clock.now() - HOUR / 2))
    assert [hit.snippet for hit in answer.hits] == ["Runa keeps goats."]


def test_without_its_key_the_vault_is_no_reason_to_know_nothing(moved: App, clock: SetClock) -> None:
    for key in (config.user_data_dir() / "keys").iterdir():
        key.unlink()
    app = an_app(moved.root, clock=clock)

    answer = app.recall("where does Anna live?", where=Where(as_of=NOW))

    assert [hit.snippet for hit in answer.hits] == ["Anna lives in Bergen."]
    assert any("what memories said before cannot be read" in note for note in answer.degraded)
    assert any(note.startswith("1 memory is told by the oldest text") for note in answer.degraded)


def test_years_at_the_ends_of_the_calendar_are_moments_like_others(moved: App) -> None:
    for year, known in ((1, []), (9999, ["notes/anna"])):
        moment = datetime(year, 1, 1, tzinfo=UTC)
        assert list(told(moved, "where does Anna live?", moment)) == known


# -- reading one thing -------------------------------------------------------------------------------------------


def test_one_memory_is_read_as_it_was_known_under_the_name_of_then_or_now(moved: App, clock: SetClock) -> None:
    (moved.root / "notes" / "anna.md").rename(moved.root / "notes" / "berg.md")
    moved.reindex(embed=False)
    clock.move(hours=1)

    seen = [moved.past.show(name, NOW).shown.memory for name in ("notes/anna", "notes/berg", "Notes/Anna.md")]

    assert {located.memory.body for located in seen if located} == {"Anna lives in Oslo, in Mandalls gate."}
    assert {located.memory.id for located in seen if located} == {"notes/anna"}
    with pytest.raises(MemoryNotFoundError, match="There was no memory") as caught:
        moved.past.show("notes/berg", NOW - HOUR)
    assert caught.value.hint == "When it was told and changed: mnemic history notes/berg"


def test_a_memory_is_read_as_it_was_known_by_any_name_that_it_had_since_also_when_it_is_gone(
    moved: App, clock: SetClock
) -> None:
    notes = moved.root / "notes"
    for before, after in (("anna.md", "berg.md"), ("berg.md", "last.md")):
        (notes / before).rename(notes / after)
        moved.reindex(embed=False)
    clock.move(hours=1)

    def seen() -> set[tuple[str, str]]:
        shown = (moved.past.show(f"notes/{name}", NOW).shown.memory for name in ("anna", "berg", "last"))
        return {(one.memory.id, one.memory.body) for one in shown if one}

    assert seen() == {("notes/anna", "Anna lives in Oslo, in Mandalls gate.")}
    (notes / "last.md").unlink()
    assert seen() == {("notes/anna", "Anna lives in Oslo, in Mandalls gate.")}


def test_a_memory_whose_document_was_taken_away_can_still_be_read_as_it_was(moved: App, clock: SetClock) -> None:
    (moved.root / "notes" / "bees.md").unlink()
    assert found(moved, "bees") == []
    clock.move(hours=1)

    shown = moved.past.show("notes/bees", NOW).shown.memory

    assert shown is not None
    assert shown.memory.body == "Runa keeps bees behind the lighthouse."
