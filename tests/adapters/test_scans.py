"""A kept scan says at any moment what a fresh one would say."""

from __future__ import annotations

import os
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.markdown.scan import look, look_at
from mnemic.adapters.scans import KeptScan
from mnemic.adapters.watch import Watch
from mnemic.errors import DocumentUnreadableError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells what has changed")


def kept_scan_of(root: Path) -> tuple[KeptScan, list[int]]:
    """A kept scan of a folder, and how often it looked at everything."""
    looks: list[int] = []

    def looked() -> tuple[list[object], list[str] | None]:
        looks.append(1)
        found = look(str(root))
        return found.stamps, None if found.shared else found.folders  # type: ignore[return-value]

    return KeptScan(looked, lambda folder, name: look_at(str(root), folder, name)), looks  # type: ignore[arg-type]


def watched(root: Path) -> tuple[KeptScan, list[int]]:
    scan, looks = kept_scan_of(root)
    scan.stamps()
    scan.stamps()  # watching begins with the second look
    return scan, looks


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    for name in ("a", "b", "c"):
        (tmp_path / "notes" / f"{name}.md").write_text(name)
    return tmp_path


def test_without_a_change_the_same_list_is_given_and_nothing_is_looked_at(bundle: Path) -> None:
    scan, looks = watched(bundle)
    before = scan.stamps()

    assert scan.stamps() is before
    assert len(looks) == 2


def test_a_change_in_place_of_the_same_length_is_seen_without_looking_at_everything(bundle: Path) -> None:
    scan, looks = watched(bundle)

    with (bundle / "notes" / "b.md").open("r+") as file:
        file.write("B")

    assert scan.stamps() == look(str(bundle)).stamps
    assert len(looks) == 2


@pytest.mark.parametrize("hidden", [".b.md.swp", ".mnemic", "index.md", "picture.png"])
def test_what_is_no_document_changes_nothing(bundle: Path, hidden: str) -> None:
    scan, _ = watched(bundle)
    before = scan.stamps()

    (bundle / "notes" / hidden).write_text("x")

    assert scan.stamps() is before


def test_a_new_folder_with_a_document_is_found(bundle: Path) -> None:
    scan, _ = watched(bundle)

    (bundle / "people" / "near").mkdir(parents=True)
    (bundle / "people" / "near" / "anna.md").write_text("Anna")
    assert scan.stamps() == look(str(bundle)).stamps
    scan.stamps()
    (bundle / "people" / "near" / "anna.md").write_text("Anna Berg")

    assert scan.stamps() == look(str(bundle)).stamps


def test_a_link_and_a_file_of_two_names_make_it_look_at_everything(bundle: Path) -> None:
    scan, looks = watched(bundle)

    (bundle / "notes" / "link.md").symlink_to(bundle / "notes" / "a.md")
    os.link(bundle / "notes" / "a.md", bundle / "notes" / "twin.md")

    assert scan.stamps() == look(str(bundle)).stamps
    assert len(looks) == 3


@pytest.mark.parametrize("moved", ["", "bundle"])
def test_a_folder_that_is_put_in_the_place_of_another_is_the_one_looked_at(tmp_path: Path, moved: str) -> None:
    root = tmp_path / "project" / "bundle"
    root.mkdir(parents=True)
    (root / "tea.md").write_text("green")
    scan, _ = watched(root)

    (tmp_path / "project" / moved).rename(tmp_path / "old")
    root.mkdir(parents=True)
    (root / "tea.md").write_text("black tea")
    assert scan.stamps() == look(str(root)).stamps
    (root / "cup.md").write_text("blue")
    assert scan.stamps() == look(str(root)).stamps
    (root / "cup.md").write_text("blue and white")

    assert scan.stamps() == look(str(root)).stamps


def test_a_folder_that_is_gone_is_an_error_at_every_look_until_it_is_back(bundle: Path) -> None:
    scan, _ = watched(bundle)
    before = scan.stamps()
    bundle.rename(bundle.with_name("elsewhere"))

    for _ in range(3):
        with pytest.raises(DocumentUnreadableError):
            scan.stamps()

    bundle.with_name("elsewhere").rename(bundle)
    assert scan.stamps() == before


@pytest.mark.parametrize("seed", range(12))
def test_after_any_changes_it_says_what_a_fresh_scan_says(bundle: Path, seed: int) -> None:
    lot = Random(seed)
    scan, _ = watched(bundle)
    folders = ["notes", "people", "people/near", ".hidden", "_staging"]

    for step in range(60):
        folder = bundle / lot.choice(folders)
        file = folder / f"{lot.choice('abcdé')}{lot.choice(['.md', '.md', '.txt'])}"
        match lot.randrange(6):
            case 0 | 1:
                folder.mkdir(parents=True, exist_ok=True)
                file.write_text("x" * lot.randrange(5))
            case 2 if file.exists():
                file.unlink()
            case 3 if file.exists():
                file.rename(file.with_name(f"moved-{step}.md"))
            case 4 if file.exists():
                temporary = file.with_name(f".{file.name}.tmp")
                temporary.write_text("y")
                temporary.replace(file)
            case 5 if folder.exists() and lot.random() < 0.3:
                folder.rename(bundle / f"gone-{step}")
        if lot.random() < 0.6:
            assert scan.stamps() == look(str(bundle)).stamps

    assert scan.stamps() == look(str(bundle)).stamps


def test_a_file_system_that_others_change_too_is_not_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemic.adapters.watch._LOCAL", frozenset())

    assert not Watch().watch([str(tmp_path)])
