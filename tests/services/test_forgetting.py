"""Forgetting: nothing without the id given twice, and afterwards no byte of it in the bundle."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from rooms import NOW, an_app, chat, documents, files, found, keep, traces

from mnemic.agent.turn import Turn
from mnemic.domain.access import Delivery, Use
from mnemic.domain.memory import State
from mnemic.errors import ConfirmationError, MemoryNotFoundError, SessionNotFoundError, WriteFailedError
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


# -- what names it -----------------------------------------------------------------------------------------------


def named(app: App) -> None:
    """A memory that replaced one and was replaced, whose outcome was told, and to which two texts link."""
    keep(app, "old", "Anna prefers green tea.", title="Old tea")
    keep(app, "new", "Anna prefers coffee now.", supersedes=("notes/old",))
    keep(app, "newer", "Anna prefers cocoa now.", supersedes=("notes/new",))
    keep(app, "outcome", "She slept badly.", kind="outcome", outcome_of="notes/new")
    keep(app, "wiki", "See [[new|what she said]].")
    keep(app, "markdown", "See [what she said](/notes/new.md).")
    keep(app, "neither", "See [[newer]] and [[old]], all is new.")


def test_whatever_names_it_in_a_field_loses_the_name_and_the_result_says_what_that_means(app: App) -> None:
    named(app)
    before = documents(app.root)

    done = app.forget("notes/new", confirm="notes/new")

    assert done.notes == (
        "notes/old was replaced by it and stays superseded; to bring it back: mnemic edit notes/old --state active",
        "notes/newer had replaced it and no longer says so",
        (
            "notes/outcome tells what came of it and no longer says so; its kind must name one, so give it another "
            "before it is changed: mnemic edit notes/outcome --kind note"
        ),
        "still linked to in the text of notes/markdown, notes/wiki, which is left as it was",
    )
    old, newer, outcome = (app.show(f"notes/{name}").memory for name in ("old", "newer", "outcome"))
    assert old is not None and newer is not None and outcome is not None  # noqa: PT018
    assert (old.memory.state, old.memory.superseded_by) == (State.SUPERSEDED, ())
    assert (newer.memory.supersedes, outcome.memory.outcome_of) == ((), "")
    after = documents(app.root)
    changed = {name for name in before if before[name] != after.get(name)}
    assert changed == {
        "log.md", "notes/index.md", "notes/new.md", "notes/newer.md", "notes/old.md", "notes/outcome.md",
    }  # fmt: skip
    assert app.check().problems == ()


def test_the_log_says_no_more_what_it_was_called(app: App) -> None:
    named(app)
    mine = "I wrote myself: Remember notes/new\n"
    log = app.root / "log.md"
    log.write_text(mine + log.read_text(encoding="utf-8"), encoding="utf-8")

    app.forget("notes/new", confirm="notes/new")

    text = log.read_text(encoding="utf-8")
    assert text.startswith(mine)
    ours = text.removeprefix(mine).splitlines()
    assert [line for line in ours if line.endswith("notes/new") or "(/notes/new.md)" in line] == []
    assert "* **Deprecation**: [Old tea](/notes/old.md)" in ours
    assert "* **Creation**: [Anna prefers cocoa now](/notes/newer.md) - Remember notes/newer" in ours


@pytest.mark.parametrize("deleted", [False, True], ids=["there", "deleted by hand"])
def test_the_log_does_not_keep_what_it_was_called_before_it_was_renamed(app: App, *, deleted: bool) -> None:
    keep(app, "before", title="Quokkaish drops")
    keep(app, "namesake", "Something else.", title="Its neighbour")
    (app.root / "notes" / "before.md").rename(app.root / "notes" / "now.md")
    app.reindex()
    (app.root / "notes" / "namesake.md").rename(app.root / "notes" / "before.md")
    if deleted:
        (app.root / "notes" / "now.md").unlink()
    app.reindex()

    app.forget("notes/now", confirm="notes/now")

    assert traces(app.root, "quokkaish") == []
    assert (app.root / "log.md").read_text(encoding="utf-8").count("**Forgotten**") == 1
    assert found(app, "neighbour") == ["notes/before"]


def test_what_it_replaced_can_be_brought_back_as_it_is_told(app: App) -> None:
    named(app)
    app.forget("notes/new", confirm="notes/new")
    assert "notes/old" not in found(app, "green tea")

    app.edit("notes/old", lambda _: {"state": State.ACTIVE})
    app.edit("notes/outcome", lambda _: {"kind": "note"})

    assert found(app, "green tea")[0] == "notes/old"


def test_one_that_others_replaced_too_says_which(app: App) -> None:
    named(app)
    app.edit("notes/old", lambda memory: {"superseded_by": (*memory.superseded_by, "notes/newer")})

    done = app.forget("notes/new", confirm="notes/new")

    assert done.notes[0] == "notes/old was replaced by it and by notes/newer, and stays superseded"


def test_a_successor_that_only_the_old_one_names_is_found_too(app: App) -> None:
    named(app)
    app.edit("notes/new", lambda _: {"supersedes": ()})

    app.forget("notes/new", confirm="notes/new")

    assert "notes/new" not in (app.root / "notes/old.md").read_text(encoding="utf-8")
    assert app.check().problems == ()


def test_what_names_it_in_another_bundle_keeps_the_name(app: App) -> None:
    named(app)
    neither = app.root / "notes/neither.md"
    text = neither.read_text(encoding="utf-8").replace("type:", 'supersedes: ["own:notes/new"]\ntype:', 1)
    neither.write_text(text, encoding="utf-8")

    app.forget("notes/new", confirm="notes/new")

    assert "own:notes/new" in neither.read_text(encoding="utf-8")


def test_all_of_it_happens_or_nothing(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    named(app)
    before = documents(app.root)
    disk = app.bundle.store.fs  # type: ignore[attr-defined]
    rename = disk.rename

    def full(old: str, new: str) -> None:
        if new.endswith("notes/newer.md"):
            monkeypatch.setattr(disk, "rename", rename)  # the way back is free
            raise OSError(28, "No space left on device")
        rename(old, new)

    monkeypatch.setattr(disk, "rename", full)

    with pytest.raises(WriteFailedError, match="no space left"):
        app.forget("notes/new", confirm="notes/new")
    assert documents(app.root) == before

    assert app.forget("notes/new", confirm="notes/new").left == ()


def test_one_that_somebody_changes_meanwhile_keeps_their_change(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    named(app)
    apply, path = app.bundle.store.apply, app.root / "notes/old.md"

    def meanwhile(change: ChangeSet) -> Applied:
        monkeypatch.setattr(app.bundle.store, "apply", apply)
        path.write_text(path.read_text(encoding="utf-8") + "\nIt was in a blue tin.\n", encoding="utf-8")
        return apply(change)

    monkeypatch.setattr(app.bundle.store, "apply", meanwhile)

    app.forget("notes/new", confirm="notes/new")

    text = path.read_text(encoding="utf-8")
    assert "blue tin" in text
    assert "notes/new" not in text


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links there")
def test_one_that_cannot_be_written_keeps_nothing_from_being_forgotten(app: App) -> None:
    named(app)
    old = app.root / "notes/old.md"
    old.rename(app.root / "notes/real.md")
    old.symlink_to("real.md")

    done = app.forget("notes/new", confirm="notes/new")

    assert "notes/old still names it: its document cannot be written" in done.notes
    assert "notes/newer had replaced it and no longer says so" in done.notes
    assert not (app.root / "notes/new.md").exists()


def test_ids_of_a_bundle_beside_are_told_as_references(app: App, tmp_path: Path) -> None:
    other = an_app(tmp_path / "own")
    keep(other, "old", "Anna prefers green tea.")
    keep(other, "new", "Anna prefers coffee now.", supersedes=("notes/old",))
    app.others = (replace(other.bundle, name="own"),)

    done = app.forget("own:notes/new", confirm="own:notes/new")

    assert done.notes == (
        (
            "own:notes/old was replaced by it and stays superseded; "
            "to bring it back: mnemic edit own:notes/old --state active"
        ),
    )


def test_an_agent_is_told_the_same(app: App) -> None:
    named(app)
    turn = Turn(app, app.gate("mira"))
    turn.search("Anna prefers coffee now", states=(State.ACTIVE, State.SUPERSEDED))
    receipt = turn.read("notes/new").receipt

    result = turn.call("memory_forget", {"id": "notes/new", "receipt": receipt, "confirm": "notes/new"})

    assert not result.failed, result.text
    assert result.data["notes"][0].startswith("notes/old was replaced by it and stays superseded")  # type: ignore[index]
    assert "notes/old was replaced by it" in result.text
