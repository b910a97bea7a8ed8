"""A removal that is cut off at any point is completed by whatever comes next, or has not begun."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rooms import NOW, an_app, chat, found, keep, traces

from mnemic.adapters.sqlite import care, schema
from mnemic.adapters.sqlite.index import SqliteIndex
from mnemic.errors import ConfirmationError, MemoryNotFoundError, SessionNotFoundError
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from mnemic.app import App

WORD = "zanzibarian"
OWED = ".mnemic/erasure-owed"


@pytest.fixture
def app(tmp_path: Path) -> App:
    """Something to forget among others, as a memory and as a turn."""
    app = an_app(tmp_path / "memory", embedders=[FakeEmbedder(name="one")])
    for number in range(3):
        keep(app, f"other-{number}", f"Something about thing{number} to stay.")
    app.reindex()
    return app


def with_memory(app: App) -> str:
    keep(app, "spice", f"The {WORD} cloves are in the blue tin.", title=f"{WORD} cloves", tags=("spice",))
    app.reindex()
    return "notes/spice"


def with_turn(app: App) -> str:
    turns = ["Good morning.", f"I put the {WORD} cloves away.", "Thank you!"]
    app.import_sessions(chat(app.root.parent / "chat.jsonl", [{"text": text} for text in turns]))
    return "session:kitchen#2"


# -- killed ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs cheap processes")
@pytest.mark.parametrize("kind", [with_memory, with_turn])
def test_killed_at_any_point_it_is_whole_or_gone_without_a_trace_after_the_next_command(app: App, kind: object) -> None:
    name = kind(app)  # type: ignore[operator]
    app.bundle.turns.freeze("mira", f"The {WORD} cloves are in the blue tin.", [name], NOW)
    app.bundle.index.close()  # type: ignore[attr-defined]

    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("killed.py")), str(app.root), name, WORD, "3"],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    runs = [json.loads(line) for line in done.stdout.splitlines()]

    assert [run for run in runs if not run[2] and run[4]] == []
    there, gone = [run[5:] for run in runs if run[2]], [run[5:] for run in runs if not run[2]]
    versions = 1 if name == "notes/spice" else 0
    assert {*map(tuple, there)} == {(versions, 0)}  # its past is whole as well
    assert {*map(tuple, gone)} == {(0, 1)}  # and it is told of once
    assert {run[2] for run in runs if run[1]} == {True, False}  # killed before and after it was gone
    assert [run for run in runs if run[1] and not run[2] and ".mnemic/index.db-wal" in run[3]]


class Stopped(BaseException):
    """As a kill: nothing catches it."""


def stop(*_: object, **__: object) -> None:
    raise Stopped


def cut_off(app: App, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(care, "compact", stop)
        with pytest.raises(Stopped):
            app.forget(name, confirm=name)
    assert traces(app.root, WORD)


def test_a_process_that_lives_on_finishes_what_another_one_left(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    name = with_memory(app)
    other = an_app(app.root)
    found(other, "thing1")
    cut_off(app, name, monkeypatch)

    found(other, "thing1")

    assert traces(app.root, WORD) == []
    assert not (app.root / OWED).exists()


def test_who_forgets_it_again_is_told_that_it_has_been_completed(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    name = with_memory(app)
    cut_off(app, name, monkeypatch)

    with pytest.raises(MemoryNotFoundError) as told:
        app.forget(name, confirm=name)

    assert "completed" in told.value.hint
    assert traces(app.root, WORD) == []
    with pytest.raises(MemoryNotFoundError) as told:
        app.forget("notes/nothing", confirm="notes/nothing")
    assert "completed" not in told.value.hint


def test_also_when_it_was_completed_on_opening(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    name = with_memory(app)
    cut_off(app, name, monkeypatch)

    with pytest.raises(MemoryNotFoundError) as told:
        an_app(app.root).forget(name, confirm=name)

    assert "completed" in told.value.hint


def test_what_removed_nothing_owes_nothing(app: App) -> None:
    name = with_memory(app)
    tries: list[tuple[str, str, type[Exception]]] = [
        (name, "no", ConfirmationError),
        ("notes/nothing", "notes/nothing", MemoryNotFoundError),
        ("session:nothing", "session:nothing", SessionNotFoundError),
    ]
    for wanted, confirm, error in tries:
        with pytest.raises(error):
            app.forget(wanted, confirm=confirm)
        assert not (app.root / OWED).exists()


# -- somebody reads or writes ------------------------------------------------------------------------------------


def test_while_somebody_reads_the_index_it_is_removed_and_the_rest_is_owed(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "WAIT_SECONDS", 0.05)
    name = with_memory(app)
    other = SqliteIndex(app.root / ".mnemic/index.db", threading.RLock)

    with other.reading() as reader:
        reader.counts()
        done = app.forget(name, confirm=name)

    assert done.ids == (name,)
    assert "still read by another process" in done.left[0]
    assert not (app.root / "notes/spice.md").exists()
    assert found(app, "thing1")  # the next command
    assert traces(app.root, WORD) == []
    assert not (app.root / OWED).exists()


def test_while_somebody_writes_a_question_is_answered_and_the_erasure_stays_owed(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = with_memory(app)
    cut_off(app, name, monkeypatch)
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with app.bundle.store.locked():  # type: ignore[attr-defined]
            held.set()
            let_go.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(30)
    try:
        answer = app.recall("thing1")
    finally:
        let_go.set()
        holder.join()

    assert answer.hits[0].id == "notes/other-1"
    assert [note for note in answer.degraded if "may still hold what was forgotten" in note]
    assert (app.root / OWED).exists()
    assert found(app, "thing1")
    assert traces(app.root, WORD) == []


def test_nobody_finishes_what_has_only_begun(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a process killed after that would owe what nobody knows of."""
    name = with_memory(app)
    other = an_app(app.root)
    apply = app.bundle.store.apply

    def meanwhile(change: object) -> object:
        asking = threading.Thread(target=other.recall, args=("thing1",))
        asking.start()
        asking.join()
        assert (app.root / OWED).exists()
        return apply(change)  # type: ignore[arg-type]

    monkeypatch.setattr(app.bundle.store, "apply", meanwhile)

    app.forget(name, confirm=name)

    assert not (app.root / OWED).exists()
    assert traces(app.root, WORD) == []


# -- deleted by hand ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["forget", "rebuild"])
def test_a_file_deleted_by_hand_leaves_only_its_line_in_the_log_after_a_repair_and_the_next_removal(
    app: App, way: str
) -> None:
    with_memory(app)
    (app.root / "notes/spice.md").unlink()
    app.check(repair=True)

    if way == "forget":
        app.forget("notes/other-0", confirm="notes/other-0")
    else:
        app.reindex(rebuild=True)

    assert traces(app.root, WORD) == ["log.md"]
