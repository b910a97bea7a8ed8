"""A turn over several bundles, and over one that cannot be written to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from loops import SetClock, an_app, done, refused, searched, was_read

from mnemic import config
from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft
from mnemic.errors import MemoryNotFoundError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> App:
    """A project's bundle, and the user's own beside it, which knows where Anna lives."""
    own = config.user_data_dir() / "memory"
    create_bundle(own, name="own")
    an_app(own).remember(Draft(id="people/anna", body="Anna lives in Oslo.", kind="person"))
    create_bundle(tmp_path / "project" / "memory")
    monkeypatch.chdir(tmp_path / "project")
    return App.start(clock=SetClock(), embedders=())


def test_a_memory_of_another_bundle_is_found_read_changed_and_forgotten_by_its_reference(both: App) -> None:
    turn = both.conversation("x").begin("Where does Anna live?")
    read = was_read(turn, "Anna Oslo", "own:people/anna")

    done(turn, "memory_write", id="own:people/anna", receipt=read, text="Anna lives in Bergen.", source="user")
    assert "Bergen" in both.show("own:people/anna").memory.memory.body  # type: ignore[union-attr]
    read = was_read(turn, "Anna Bergen", "own:people/anna")
    refused(turn, "memory_forget", "memory_not_found", id="people/anna", receipt=read, confirm="people/anna")
    done(turn, "memory_forget", id="own:people/anna", receipt=read, confirm="own:people/anna")

    with pytest.raises(MemoryNotFoundError):
        both.show("own:people/anna")


def test_a_memory_of_another_bundle_is_not_superseded_from_here(both: App) -> None:
    turn = both.conversation("x").begin("Where does Anna live?")
    read = was_read(turn, "Anna Oslo", "own:people/anna")
    supersedes = [{"id": "own:people/anna", "receipt": read}]

    line = refused(
        turn, "memory_write", "invalid_memory", receipt=searched(turn, "Anna"), text="In Bergen.", supersedes=supersedes
    )

    assert "tell the user that the other one stands" in line


def test_a_folder_of_somebody_elses_markdown_is_searched_and_read_and_never_written(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "boat.md").write_text("# Boat\n\nThe boat is called Wanda.\n", encoding="utf-8")
    app = App.start(vault, clock=SetClock(), embedders=())
    with app.conversation("x") as conversation:
        turn = conversation.begin("What is the boat called?")
        read = was_read(turn, "boat Wanda", "boat")

        for name, given in (("memory_write", {"text": "No.", "id": "boat"}), ("memory_forget", {"id": "boat"})):
            more = {"confirm": "boat"} if name == "memory_forget" else {}
            assert "tell the user" in refused(turn, name, "read_only_bundle", receipt=read, **given, **more)
        refused(turn, "memory_write", "read_only_bundle", receipt=searched(turn, "x"), text="New.")
        turn.end("Wanda.")

    assert [path.name for path in vault.rglob("*")] == ["boat.md"]
