"""Forgetting: nothing without the id given twice, and afterwards no byte of it in the bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rooms import NOW, an_app, chat, documents, files, found, keep, traces

from mnemic.domain.access import Delivery, Use
from mnemic.errors import ConfirmationError, MemoryNotFoundError, SessionNotFoundError
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App
    from mnemic.domain.changes import Applied, ChangeSet

WORD = "zanzibarian"


@pytest.fixture
def app(tmp_path: Path) -> App:
    """A memory to forget among others, its repaired original, and a conversation; all with vectors."""
    app = an_app(tmp_path / "memory", embedders=[FakeEmbedder(name="one"), FakeEmbedder(name="two")])
    for number in range(5):
        keep(app, f"other-{number}", f"Something about thing{number} to stay.")
    keep(app, "spice", f"The {WORD} cloves are in the blue tin.", title=f"{WORD} cloves", tags=("spice",))
    turns = ["Good morning.", f"I put the {WORD} cloves away.", "Thank you!"]
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": text} for text in turns]))
    app.reindex()
    return app


def test_a_forgotten_memory_is_in_no_file_of_the_bundle(app: App) -> None:
    app.forget("session:kitchen", confirm="session:kitchen")
    assert traces(app.root, WORD)

    done = app.forget("Notes/Spice", confirm="notes/spice")

    assert done.ids == ("notes/spice",)
    assert traces(app.root, WORD) == []
    assert "notes/spice" not in found(app, f"{WORD} cloves blue tin", k=50)
    assert found(app, "thing3 to stay")[0] == "notes/other-3"


def test_copies_that_a_repair_kept_go_too(app: App) -> None:
    app.forget("session:kitchen", confirm="session:kitchen")
    path = app.root / "notes/spice.md"
    path.write_text(path.read_text(encoding="utf-8").replace("title:", "title: [", 1), encoding="utf-8")
    assert app.check(repair=True).recovered_copies

    app.forget("notes/spice", confirm="notes/spice")

    assert traces(app.root, WORD) == []


def test_the_vectors_of_a_forgotten_memory_are_gone(app: App) -> None:
    before = app.status()[0]

    app.forget("notes/spice", confirm="notes/spice")

    after = app.status()[0]
    assert (before.memories - after.memories, before.vectors - after.vectors) == (1, 2)


def test_a_forgotten_turn_leaves_the_others_their_numbers(app: App) -> None:
    app.forget("notes/spice", confirm="notes/spice")
    assert found(app, f"{WORD} cloves")[0] == "session:kitchen#2"

    done = app.forget("session:kitchen#2", confirm="session:kitchen#2")

    assert (done.ids, done.turns) == (("session:kitchen#2",), 1)
    assert traces(app.root, WORD) == []
    assert [turn.number for turn in app.show("session:kitchen").turns] == [1, 3]


def test_a_forgotten_turn_does_not_come_back_with_the_next_import(app: App, tmp_path: Path) -> None:
    app.forget("notes/spice", confirm="notes/spice")
    app.forget("session:kitchen#2", confirm="session:kitchen#2")

    done = app.import_sessions(tmp_path / "chat.jsonl")

    assert done.added == 0
    assert traces(app.root, WORD) == []


def test_a_forgotten_session_is_gone_whole(app: App) -> None:
    app.forget("notes/spice", confirm="notes/spice")

    done = app.forget("session:kitchen", confirm="session:kitchen")

    assert done.turns == 3
    assert traces(app.root, WORD) == []
    assert app.session_list() == []
    with pytest.raises(SessionNotFoundError):
        app.show("session:kitchen")


@pytest.mark.parametrize("name", ["notes/spice", "session:kitchen", "session:kitchen#2"])
@pytest.mark.parametrize("confirm", ["", "yes", "notes/spic", "session:other", "session:kitchen#1"])
def test_without_the_same_id_again_nothing_happens(app: App, name: str, confirm: str) -> None:
    before = documents(app.root)

    with pytest.raises(ConfirmationError, match="Nothing was removed"):
        app.forget(name, confirm=confirm)

    assert documents(app.root) == before
    assert "session:kitchen#2" in found(app, f"{WORD} cloves")


@pytest.mark.parametrize("name", ["notes/nothing", "session:nothing", "session:kitchen#9"])
def test_what_is_not_there_cannot_be_forgotten(app: App, name: str) -> None:
    before = files(app.root / ".mnemic" / "sessions")

    with pytest.raises((MemoryNotFoundError, SessionNotFoundError)):
        app.forget(name, confirm=name)

    assert files(app.root / ".mnemic" / "sessions") == before


def test_what_replaced_it_stays_and_no_longer_needs_it(app: App) -> None:
    keep(app, "jar", "They moved to the green jar.", supersedes=("notes/spice",))

    app.forget("notes/spice", confirm="notes/spice")

    assert found(app, "moved to the green jar")[0] == "notes/jar"
    assert app.edit("notes/jar", lambda _: {"tags": ("spice",)}).created


# -- what agents did with it -------------------------------------------------------------------------------------


def used(app: App, *ids: str) -> None:
    """An agent was given these, searched, read and built upon them, and has a text of them in its system slot."""
    turns, gate = app.bundle.turns, app.gate("mira")
    gate.begin()
    gate.searched(ids)
    for each in ids:
        gate.read(each, "abc123", 10)
    turns.note_delivery("mira", NOW, [Delivery(id=each, slot="user", why=f"near {each}", tokens=3) for each in ids])
    turns.note_use(ids, Use.USED, NOW)
    turns.freeze("mira", f"The {WORD} cloves are in the blue tin ({', '.join(ids)}).", ids, NOW)


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("notes/spice", ["notes/spice"]),
        ("session:kitchen", ["session:kitchen", "session:kitchen#2", "session:kitchen#3"]),
        ("session:kitchen#2", ["session:kitchen#2"]),
    ],
)
def test_what_agents_did_with_it_is_forgotten_too(app: App, name: str, ids: list[str]) -> None:
    other = "session:kitchen#2" if name == "notes/spice" else "notes/spice"
    app.forget(other, confirm=other)
    used(app, *ids, "notes/other-1")
    assert ".mnemic/state.db" in traces(app.root, WORD)

    done = app.forget(name, confirm=name)

    assert done.left == ()
    assert traces(app.root, WORD) == []
    for each in ids:
        assert [left for left in traces(app.root, each) if "state.db" in left] == []
    turns = app.bundle.turns
    assert turns.frozen("mira") is None
    assert list(turns.usage([*ids, "notes/other-1"])) == ["notes/other-1"]
    assert [delivery.id for _, delivery in turns.deliveries("mira", 10)] == ["notes/other-1"]


def test_what_an_agent_does_with_it_while_it_is_forgotten_is_forgotten_too(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.forget("session:kitchen", confirm="session:kitchen")
    apply = app.bundle.store.apply

    def meanwhile(change: ChangeSet) -> Applied:
        used(app, "notes/spice")
        return apply(change)

    monkeypatch.setattr(app.bundle.store, "apply", meanwhile)

    app.forget("notes/spice", confirm="notes/spice")

    assert traces(app.root, WORD) == []


def test_a_bundle_whose_agents_did_nothing_gets_no_record_of_them(app: App) -> None:
    app.forget("notes/spice", confirm="notes/spice")

    assert not (app.root / ".mnemic/state.db").exists()
