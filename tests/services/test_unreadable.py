"""Where nothing could be read, nobody is told that there is nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rooms import an_app, found, keep

from mnemic.errors import BundleNotFoundError, DocumentUnreadableError, IndexUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.app import App

COMMANDS = (
    ("recall", "tea"),
    ("show", "notes/tea"),
    ("remember", "Anna drinks tea."),
    ("edit", "notes/tea", "--add-tag", "x"),
    ("forget", "notes/tea", "--confirm", "notes/tea"),
    ("session", "list"),
    ("index",),
    ("status",),
    ("check",),
    ("check", "--repair"),
)
PROGRAM = """
import os, sys, tempfile
from click.testing import CliRunner
from mnemic.entry.cli.main import cli
# Permissions bind only people other than root, and these may not read the modules: so load them first.
with tempfile.TemporaryDirectory() as warm:
    CliRunner().invoke(cli, ("init", warm + "/memory"))
    for words in {known!r}:
        CliRunner().invoke(cli, ("--bundle", warm + "/memory", *words))
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
os.environ["MNEMIC_CACHE_DIR"] = tempfile.mkdtemp()
for words in {commands!r}:
    done = CliRunner().invoke(cli, ("--bundle", {root!r}, *words), catch_exceptions=False)
    print(done.exit_code, " ".join(done.output.split()))
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that other people may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def as_nobody(root: Path, commands: tuple[tuple[str, ...], ...]) -> list[str]:
    """Exit status and output of each command, for a person whom permissions bind."""
    code = PROGRAM.format(known=(*COMMANDS, *COMMANDS[:1]), commands=commands, root=str(root))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={**os.environ, "MNEMIC_EMBED_ENGINES": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


# -- the folder --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="folders have no such permission there")
@pytest.mark.parametrize("mode", [0o000, 0o444, 0o311], ids=["closed", "listed only", "entered only"])
def test_a_bundle_that_may_not_be_read_is_an_error_for_every_command(place: Path, mode: int) -> None:
    root = place / "memory"
    keep(an_app(root), "tea", "Anna prefers green tea.")
    root.chmod(mode)
    try:
        told = as_nobody(root, COMMANDS)
    finally:
        root.chmod(0o755)

    assert len(told) == len(COMMANDS)
    for line in told:
        assert line.startswith("3 "), line
        assert f"{root} cannot be read: permission denied" in line


@pytest.mark.skipif(os.name == "nt", reason="folders have no such permission there")
def test_so_is_one_behind_a_folder_that_may_not_be_entered(place: Path) -> None:
    root = place / "mine/memory"
    keep(an_app(root), "tea", "Anna prefers green tea.")
    (place / "mine").chmod(0o700)
    if os.geteuid() != 0:
        (place / "mine").chmod(0o000)
    try:
        told = as_nobody(root, (("recall", "tea"), ("status",)))
    finally:
        (place / "mine").chmod(0o755)

    for line in told:
        assert line.startswith("3 "), line
        assert f"{root} cannot be read: permission denied" in line


def test_a_bundle_that_went_away_under_a_process_that_lives_on_is_an_error(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    keep(app, "tea", "Anna prefers green tea.")
    assert found(app, "green tea")

    app.root.rename(tmp_path / "elsewhere")

    with pytest.raises((DocumentUnreadableError, BundleNotFoundError)):
        app.recall("green tea")


# -- the index ---------------------------------------------------------------------------------------------------


@pytest.fixture
def app(tmp_path: Path) -> App:
    """A bundle with a memory and without an index."""
    app = an_app(tmp_path / "memory")
    keep(app, "tea", "Anna prefers green tea.")
    for path in (app.root / ".mnemic").glob("index.db*"):
        path.unlink()
    return an_app(app.root)


@pytest.mark.parametrize("profile", ["default", "fields", "resonance"])
def test_without_an_index_that_can_be_made_there_is_no_answer(app: App, profile: str) -> None:
    app.bundle.store._asked_read_only = True  # type: ignore[attr-defined]  # as on a disk mounted read-only

    with pytest.raises(IndexUnavailableError, match="read-only"):
        app.recall("green tea", profile=profile)


def test_while_another_process_makes_the_index_there_is_no_answer_yet(app: App) -> None:
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with app.bundle.store.locked():  # type: ignore[attr-defined]
            held.set()
            let_go.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(30)
    try:
        with pytest.raises(IndexUnavailableError, match="locked by another process"):
            app.recall("green tea")
    finally:
        let_go.set()
        holder.join()

    assert found(app, "green tea") == ["notes/tea"]


def test_of_a_bundle_with_nothing_in_it_it_is_true_that_there_is_nothing(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    app.bundle.store._asked_read_only = True  # type: ignore[attr-defined]

    assert app.recall("green tea").hits == ()


@pytest.mark.skipif(os.name == "nt", reason="folders have no such permission there")
def test_the_command_says_so_with_its_exit_status(place: Path) -> None:
    root = place / "memory"
    keep(an_app(root), "tea", "Anna prefers green tea.")
    for path in (root / ".mnemic").glob("index.db*"):
        path.unlink()

    (line,) = as_nobody(root, (("recall", "green tea"),))

    assert line.startswith("3 "), line
    assert "Nothing in" in line
