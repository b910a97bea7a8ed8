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
from click.testing import CliRunner
from rooms import an_app, found, keep

from mnemic.entry.cli.main import cli
from mnemic.entry.hooks.events import answer
from mnemic.entry.hooks.said import Said
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
os.environ["MNEMIC_DATA_DIR"] = tempfile.mkdtemp()
if not {bundle!r}:
    os.chdir({root!r})
for words in {commands!r}:
    done = CliRunner().invoke(cli, (*{bundle!r}, *words), catch_exceptions=False)
    print(done.exit_code, " ".join(done.output.split()))
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that other people may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def as_nobody(root: Path, commands: tuple[tuple[str, ...], ...], *, named: bool = True) -> list[str]:
    """Exit status and output of each command, for a person whom permissions bind; the folder is named, or stood in."""
    bundle = ("--bundle", str(root)) if named else ()
    code = PROGRAM.format(known=(*COMMANDS, *COMMANDS[:1]), commands=commands, root=str(root), bundle=bundle)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={**os.environ, "MNEMIC_EMBED_ENGINES": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def give_away(folder: Path) -> None:
    """Make it the property of the person whom permissions bind."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, 65534, 65534)


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


# -- something else in its place, or written into it -------------------------------------------------------------


DISPOSABLE = "delete it, nothing is lost."


@pytest.mark.parametrize("inside", ["", "something"])
def test_a_directory_in_place_of_the_index_is_named_with_what_helps(app: App, inside: str) -> None:
    place = app.root / ".mnemic/index.db"
    place.mkdir()
    if inside:
        (place / inside).write_text("x", encoding="utf-8")

    for call in (lambda: app.recall("green tea"), app.status, app.reindex):
        with pytest.raises(IndexUnavailableError) as caught:
            call()
        assert caught.value.message == f"The index {place} cannot be read: index.db is a directory; {DISPOSABLE}"

    assert app.reindex(rebuild=True).changed == 1
    assert found(app, "green tea") == ["notes/tea"]


def test_the_command_that_builds_it_anew_clears_the_place(app: App) -> None:
    (app.root / ".mnemic/index.db/deep").mkdir(parents=True)

    done = CliRunner().invoke(cli, ("--bundle", str(app.root), "index", "--rebuild", "--no-embed"))

    assert done.exit_code == 0, done.output
    assert "1 file indexed" in done.output


def test_garbage_in_the_log_of_the_index_is_told_with_what_helps(app: App) -> None:
    assert found(app, "green tea") == ["notes/tea"]
    (app.root / ".mnemic/index.db-wal").write_bytes(b"\xa5" * 50_000)
    keep(app, "cup", "The cup is blue.")
    keep(app, "jar", "The jar is green.")

    notes = [note for note in app.recall("the jar").degraded if note.startswith("the index is not up to date")]

    assert [note for note in notes if not note.endswith(DISPOSABLE)] == []
    for path in (app.root / ".mnemic").glob("index.db*"):
        path.unlink()
    assert found(app, "the jar")[0] == "notes/jar"


# -- what agents did ---------------------------------------------------------------------------------------------


@pytest.fixture
def closed(app: App) -> App:
    """The record of what agents did cannot be read or written."""
    app.recall("green tea")
    app.gate("mira").begin()
    app.bundle.turns.close()  # type: ignore[attr-defined]
    for path in (app.root / ".mnemic").glob("state.db*"):
        path.unlink()
    (app.root / ".mnemic/state.db").mkdir()
    return app


def test_without_the_record_of_what_agents_did_the_context_is_whole_and_says_so(closed: App) -> None:
    asked = "What does Anna drink, green tea?"

    capsule = closed.context(asked, conversation="mira")

    assert "notes/tea" in capsule.text
    assert capsule.text == closed.context(asked).text
    (note,) = [note for note in capsule.degraded if "this conversation was given before is not known" in note]
    assert str(closed.root / ".mnemic/state.db") in note
    assert "[Errno" not in note


def test_nor_does_a_hook_withhold_it(closed: App) -> None:
    told = {"session_id": "mira", "prompt": "What does Anna prefer, green tea or coffee?"}

    assert b"notes/tea" in answer(closed, Said("claude-code", "UserPromptSubmit", told))


# -- a project's bundle ------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="folders have no such permission there")
@pytest.mark.parametrize("name", ["memory", ".memory"])
@pytest.mark.parametrize("mode", [0o000, 0o444], ids=["closed", "listed only"])
@pytest.mark.parametrize("named", [True, False], ids=["named", "found"])
def test_a_projects_bundle_that_is_closed_to_its_owner_is_not_passed_over(
    place: Path, name: str, mode: int, *, named: bool
) -> None:
    root = place / "project" / name
    keep(an_app(root), "tea", "Anna prefers green tea.")
    give_away(place / "project")
    root.chmod(mode)
    commands = (("recall", "tea"), ("remember", "Anna drinks cocoa."), ("status",))
    try:
        told = as_nobody(place / "project", commands, named=named)
    finally:
        root.chmod(0o755)

    for line in told:
        assert line.startswith("3 "), line
        assert f"{root} cannot be read: permission denied" in line
        assert "name another with --bundle" in line


@pytest.mark.skipif(os.name == "nt", reason="folders have no such permission there")
def test_nor_is_one_whose_settings_cannot_be_read(place: Path) -> None:
    root = place / "project/memory"
    keep(an_app(root), "tea", "Anna prefers green tea.")
    give_away(place / "project")
    (root / "mnemic.toml").chmod(0o000)

    (line,) = as_nobody(place / "project", (("remember", "Anna drinks cocoa."),), named=False)

    assert line.startswith("2 "), line
    assert f"{root}/mnemic.toml cannot be read: Permission denied" in line


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can make what is somebody else's")
def test_a_folder_of_somebody_else_that_is_only_called_so_is_no_bundle(place: Path) -> None:
    (place / "memory").mkdir(mode=0o700)  # as the home of a user of that name
    (place / "project").mkdir()
    give_away(place / "project")

    (line,) = as_nobody(place / "project", (("status",),), named=False)

    assert line.startswith("0 "), line
