"""A bundle that is moved or deleted under a process that lives on: every call says so, and nothing is made anew."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from rooms import NOW, an_app, chat, found, keep

from mnemic.app import App
from mnemic.domain.access import Use
from mnemic.domain.drafts import Draft
from mnemic.entry.socket.server import SocketServer
from mnemic.errors import DocumentUnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CALLS: dict[str, Callable[[App, Path], object]] = {
    "recall": lambda app, _: app.recall("green tea"),
    "context": lambda app, _: app.context("What does Anna drink?", conversation="mira"),
    "context of a session that starts": lambda app, _: app.context("", conversation="mira"),
    "show": lambda app, _: app.show("notes/tea"),
    "show a session": lambda app, _: app.show("session:kitchen"),
    "remember": lambda app, _: app.remember(Draft(body="Anna drinks cocoa.")),
    "remember under an id": lambda app, _: app.remember(Draft(id="notes/cocoa", body="Anna drinks cocoa.")),
    "edit": lambda app, _: app.edit("notes/tea", lambda _: {"tags": ("x",)}),
    "forget": lambda app, _: app.forget("notes/tea", confirm="notes/tea"),
    "forget a session": lambda app, _: app.forget("session:kitchen", confirm="session:kitchen"),
    "import": lambda app, folder: app.import_sessions(folder / "chat.jsonl"),
    "what an import would do": lambda app, folder: app.import_sessions(folder / "chat.jsonl", dry_run=True),
    "index": lambda app, _: app.reindex(),
    "index anew": lambda app, _: app.reindex(rebuild=True),
    "status": lambda app, _: app.status(),
    "sessions": lambda app, _: app.session_list(),
    "check": lambda app, _: app.check(),
    "repair": lambda app, _: app.check(repair=True),
    "contradictions": lambda app, _: app.contradictions(),
    "set a setting": lambda app, _: app.settings.write("recall.k", "3"),
    "a turn's beginning": lambda app, _: app.bundle.turns.begin("mira", NOW, announced=True),
    "a turn's receipt": lambda app, _: app.bundle.turns.receipt("s-aaaaaaaaaaaaaaaa"),
    "a turn's account": lambda app, _: app.bundle.turns.note_use(["notes/tea"], Use.READ, NOW),
    "a conversation's turn": lambda app, _: app.conversation("mira").begin("What does Anna drink?"),
}


@pytest.fixture
def app(tmp_path: Path) -> App:
    """One that has been at work for a while: everything is open."""
    app = an_app(tmp_path / "memory")
    keep(app, "tea", "Anna prefers green tea.")
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": "Good morning."}]))
    app.gate("mira").begin()
    for _ in range(3):  # from the second look on the folders are watched
        assert found(app, "green tea") == ["notes/tea"]
    return app


@pytest.mark.parametrize("moved", [True, False], ids=["moved", "deleted"])
@pytest.mark.parametrize("call", CALLS)
def test_every_call_says_that_it_is_gone_and_makes_nothing(app: App, tmp_path: Path, call: str, *, moved: bool) -> None:
    if moved:
        app.root.rename(tmp_path / "elsewhere")
    else:
        shutil.rmtree(app.root)

    with pytest.raises(DocumentUnreadableError) as caught:
        CALLS[call](app, tmp_path)

    assert str(app.root) in caught.value.message
    assert caught.value.message.endswith("cannot be read: no such file or directory.")
    assert not app.root.exists()


@pytest.mark.parametrize("gone", ["bundle", "folder above"])
@pytest.mark.parametrize("call", ["recall", "context"])
def test_it_is_said_again_at_every_call_also_when_another_bundle_answers(tmp_path: Path, call: str, gone: str) -> None:
    app, own = an_app(tmp_path / "project" / "memory"), an_app(tmp_path / "own")
    keep(app, "tea", "Anna prefers green tea.")
    keep(own, "cup", "The cup for green tea is blue.")
    app.others = (own.bundle,)
    for _ in range(3):
        assert set(found(app, "green tea")) == {"notes/tea", "own:notes/cup"}
    moved = app.root if gone == "bundle" else app.root.parent
    moved.rename(tmp_path / "elsewhere")

    for _ in range(3):
        with pytest.raises(DocumentUnreadableError, match="no such file or directory"):
            CALLS[call](app, tmp_path)

    (tmp_path / "elsewhere").rename(moved)
    assert set(found(app, "green tea")) == {"notes/tea", "own:notes/cup"}


def test_the_turns_of_an_agent_make_nothing_either(app: App) -> None:
    shutil.rmtree(app.root)
    gate = app.gate("mira")

    gate.begin()
    assert gate.searched(["notes/tea"]) == ""
    assert gate.left() == gate.left()

    assert not app.root.exists()


def test_a_server_makes_no_folder_for_its_socket(app: App) -> None:
    server = SocketServer(app, lambda _: b"")
    shutil.rmtree(app.root)
    try:
        assert not server.start()
    finally:
        server.close()

    assert not app.root.exists()


def test_one_that_comes_back_is_used_again(app: App, tmp_path: Path) -> None:
    app.root.rename(tmp_path / "elsewhere")
    with pytest.raises(DocumentUnreadableError):
        app.recall("green tea")

    (tmp_path / "elsewhere").rename(app.root)

    assert found(app, "green tea") == ["notes/tea"]
    assert keep(app, "cup", "The cup is blue.").created


def test_one_that_is_searched_along_and_goes_withholds_nothing_of_the_first(app: App, tmp_path: Path) -> None:
    other = an_app(tmp_path / "own")
    both = App.start(app.root, overrides=("bundle.zone=UTC",), clock=app.bundle.clock, embedders=())
    both.others = (other.bundle,)
    shutil.rmtree(other.root)

    answer = both.recall("green tea")
    capsule = both.context("", conversation="mira")

    assert [hit.id for hit in answer.hits] == ["notes/tea"]
    assert any("was not searched" in note for note in answer.degraded)
    assert any("was not looked through" in note for note in capsule.degraded)
    assert not other.root.exists()


def test_a_process_that_goes_to_another_folder_makes_nothing_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_app(tmp_path / "memory")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    app = App.start("memory", embedders=())
    monkeypatch.chdir(tmp_path / "elsewhere")

    keep(app, "tea", "Anna prefers green tea.")
    app.gate("mira").begin()
    app.context("What does Anna drink?", conversation="mira")

    assert found(app, "green tea") == ["notes/tea"]
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert (tmp_path / "memory/.mnemic/state.db").is_file()


def test_what_is_derived_of_somebody_elses_folder_is_made_in_the_cache(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/tea.md").write_text("Anna prefers green tea.\n", encoding="utf-8")
    app = App.start(tmp_path / "vault", embedders=())
    shutil.rmtree(app.state_folder, ignore_errors=True)

    app.context("What does Anna drink?", conversation="mira")

    assert found(app, "green tea") == ["tea"]
    assert (app.state_folder / "state.db").is_file()
    assert [path.name for path in (tmp_path / "vault").iterdir()] == ["tea.md"]
