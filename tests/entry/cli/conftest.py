"""The command line as a person or a script meets it: a folder of their own, and the program in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from command_line import Shell

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tmp_path(in_memory: Path) -> Path:
    """As pytest's own, in memory."""
    return in_memory


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A project folder to stand in, without any bundle yet; words alone, and UTC."""
    monkeypatch.setenv("MNEMIC_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("MNEMIC_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("MNEMIC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("MNEMIC_EMBED_ENGINES", "")
    monkeypatch.setenv("MNEMIC_BUNDLE_ZONE", "UTC")
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Shell(folder)


@pytest.fixture
def project(shell: Shell) -> Shell:
    """The same with a bundle in `memory/` and three memories."""
    shell.ok("init")
    shell.ok("remember", "Anna prefers green tea.", "--kind", "preference", "--tag", "anna", "--id", "notes/tea")
    shell.ok("remember", "The cello is at the luthier until June.", "--id", "notes/cello")
    shell.ok("remember", "Runa keeps bees behind the lighthouse.", "--id", "notes/bees")
    return shell
