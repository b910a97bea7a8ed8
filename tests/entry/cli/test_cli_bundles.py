"""Which bundle a command means, and what it never does to a folder that is not ours."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from command_line import Shell


def location(shell: Shell, *options: str) -> str:
    return str(shell.json(*options, "status")["location"])


def snapshot(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and folder with the time of its last change."""
    return {
        path.relative_to(root).as_posix(): (path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in [root, *sorted(root.rglob("*"))]
    }


# -- discovery ---------------------------------------------------------------------------------------------------


def test_without_any_bundle_ones_own_is_made(shell: Shell, tmp_path: Path) -> None:
    shell.ok("remember", "Anna prefers green tea.", "--id", "notes/tea")

    assert (tmp_path / "data/memory/notes/tea.md").is_file()
    assert location(shell) == str(tmp_path / "data" / "memory")
    assert list(shell.folder.iterdir()) == []


@pytest.mark.parametrize("name", ["memory", ".memory"])
def test_a_projects_bundle_is_found_from_any_folder_below(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    shell.ok("init", name)
    below = shell.folder / "src" / "deep"
    below.mkdir(parents=True)

    for folder in (shell.folder, below, shell.folder / name):
        monkeypatch.chdir(folder)
        assert location(shell) == str(shell.folder / name)


def test_the_nearest_of_several_projects_wins(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.ok("init")
    inner = shell.folder / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    shell.ok("init", ".memory")

    assert location(shell) == str(inner / ".memory")


def test_a_variable_wins_over_the_folder_and_an_option_over_the_variable(
    project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        project.ok("init", str(tmp_path / name))
    monkeypatch.setenv("MNEMIC_BUNDLE", str(tmp_path / "one"))

    assert location(project) == str(tmp_path / "one")
    assert location(project, "--bundle", str(tmp_path / "two")) == str(tmp_path / "two")


def test_a_project_folder_may_be_named_in_place_of_its_bundle(project: Shell) -> None:
    assert location(project, "--bundle", str(project.folder)) == str(project.memory)
    assert location(project, "--bundle", ".") in {str(project.memory), "memory"}


def test_a_folder_called_memory_without_settings_is_not_taken(shell: Shell, tmp_path: Path) -> None:
    (shell.folder / "memory").mkdir()
    (shell.folder / "memory" / "diary.md").write_text("Mine.", encoding="utf-8")

    assert location(shell) == str(tmp_path / "data" / "memory")
    assert shell.run("show", "diary").exit_code == 1


def test_an_adopted_folder_keeps_its_documents(shell: Shell) -> None:
    folder = shell.folder / "memory"
    folder.mkdir()
    (folder / "diary.md").write_text("Zebras sleep standing.", encoding="utf-8")

    assert "adopts 1 document" in shell.ok("init")
    assert (folder / "diary.md").read_text(encoding="utf-8") == "Zebras sleep standing."
    assert "diary" in shell.ok("recall", "zebras")


def test_results_of_ones_own_bundle_carry_its_name(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.folder.parent)
    project.ok("remember", "Zebras sleep standing.", "--id", "notes/zebra")
    monkeypatch.chdir(project.folder)

    assert [hit["id"] for hit in project.json("recall", "zebras")["results"]] == ["own:notes/zebra"]
    assert "Zebras" in project.ok("show", "own:notes/zebra")
    project.ok("edit", "own:notes/zebra", "--add-tag", "animal")
    project.ok("forget", "own:notes/zebra", "--confirm", "own:notes/zebra")
    assert project.run("recall", "zebras").exit_code == 1


def test_a_bundle_lives_on_a_path_with_blanks_and_letters_of_any_script(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shell.folder / "Моё проект 日本 é'\"$x"
    folder.mkdir()
    monkeypatch.chdir(folder)
    shell.ok("init")
    shell.ok("remember", "Zebras sleep standing.", "--id", "заметки/зебра")

    assert "заметки/зебра" in shell.ok("recall", "zebras", "--explain")
    assert "healthy" in shell.ok("check")
    assert location(shell) == str(folder / "memory")


# -- somebody else's folder --------------------------------------------------------------------------------------

READING = (
    ("recall", "the"),
    ("recall", "data table", "--explain"),
    ("recall", "notes", "--profile", "fields"),
    ("recall", "notes", "--profile", "resonance"),
    ("status",),
    ("check",),
    ("index", "--rebuild"),
    ("doctor",),
    ("session", "list"),
    ("config", "show"),
)


@pytest.fixture(params=["a few files", "okf", "vault-kepano"])
def foreign(request: pytest.FixtureRequest, shell: Shell) -> Path:
    """A folder of Markdown that is no bundle: a small one of ours, or a public one, copied."""
    folder = shell.folder / "foreign"
    if request.param != "a few files":
        data: Path = request.getfixturevalue("shared_data")
        shutil.copytree(data / request.param, folder, symlinks=True)
        return folder
    (folder / "Deep Folder").mkdir(parents=True)
    (folder / "Deep Folder" / "Ünï.md").write_bytes(b"\xef\xbb\xbf# Data table\r\n\r\nThe notes.\r\n")
    (folder / "broken.md").write_text("---\ntitle: [\n---\nThe data table.\n", encoding="utf-8")
    (folder / "index.md").write_text("* [a](a.md)\n", encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return folder


def test_reading_somebody_elses_folder_changes_no_byte_and_no_time_of_it(shell: Shell, foreign: Path) -> None:
    before = snapshot(foreign)

    for words in READING:
        done = shell.run("--bundle", str(foreign), *words)
        assert done.exit_code in (0, 1), done.output

    assert snapshot(foreign) == before


@pytest.mark.parametrize(
    "words",
    [
        ("remember", "Text."),
        ("edit", "Deep Folder/Ünï", "--title", "x"),
        ("forget", "broken", "--confirm", "broken"),
        ("check", "--repair"),
        ("config", "set", "recall.k", "3"),
    ],
)
def test_writing_to_somebody_elses_folder_is_refused(shell: Shell, words: tuple[str, ...]) -> None:
    folder = shell.folder / "foreign"
    (folder / "Deep Folder").mkdir(parents=True)
    (folder / "Deep Folder" / "Ünï.md").write_text("# Data\n", encoding="utf-8")
    (folder / "broken.md").write_text("---\ntype: note\n---\nx\n", encoding="utf-8")
    before = snapshot(folder)

    done = shell.run("--bundle", str(folder), *words)

    assert done.exit_code == 3, done.output
    assert "read-only" in done.stderr
    assert "mnemic init" in done.stderr
    assert snapshot(folder) == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a folder in which nobody can make another")
def test_without_a_place_for_an_index_the_answer_says_so(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shell.folder / "foreign"
    folder.mkdir()
    (folder / "a.md").write_text("Zebras sleep.", encoding="utf-8")
    monkeypatch.setenv("MNEMIC_CACHE_DIR", "/proc/mnemic")

    done = shell.run("--bundle", str(folder), "recall", "zebras")

    assert done.exit_code in (1, 3), done.output
    assert "index" in done.stderr
    assert "Traceback" not in done.output
