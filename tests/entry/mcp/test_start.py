"""Which bundle a server works on that nobody named one to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic import config
from mnemic.app import App, create_bundle
from mnemic.entry.mcp.start import a_project_appeared

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_only_the_users_own_bundle_is_left_for_that_of_a_project(
    in_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = in_memory / "project" / "src"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    own = App.start(embedders=())
    assert own.root == config.user_data_dir() / "memory"
    assert not a_project_appeared(own)

    create_bundle(in_memory / "project" / "memory")
    assert a_project_appeared(own)

    project = App.start(embedders=())
    create_bundle(here / "memory")
    assert not a_project_appeared(project)


def test_a_server_that_works_within_the_users_own_bundle_stays_there(
    in_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(in_memory)
    own = App.start(embedders=())
    monkeypatch.chdir(own.root)

    assert not a_project_appeared(own)


def test_a_folder_that_is_gone_moves_nothing(in_memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = in_memory / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    own = App.start(embedders=())
    here.rmdir()

    assert not a_project_appeared(own)
