"""A bundle's files as bytes: every one is searched, and what is found is told by file and place."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.erasure import files
from mnemic.adapters.erasure.files import FolderRemains
from mnemic.adapters.markdown.layouts.okf import OkfLayout
from mnemic.adapters.markdown.store import MarkdownStore
from mnemic.domain.erasure import Hit

if TYPE_CHECKING:
    from pathlib import Path

NEEDLE = b"zanzibarian cloves"


class Clock:
    """One moment."""

    def now(self) -> datetime:
        return datetime(2026, 5, 3, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    return folder


@pytest.fixture
def remains(root: Path) -> FolderRemains:
    return FolderRemains(MarkdownStore(root, layout=OkfLayout(), clock=Clock()))


def test_every_file_is_searched_and_each_needle_told_once_a_file(remains: FolderRemains, root: Path) -> None:
    (root / "deep/er").mkdir(parents=True)
    (root / "a.md").write_bytes(b"x" * 7 + NEEDLE.upper() + NEEDLE)
    (root / "deep/er/.hidden").write_bytes(NEEDLE)
    (root / "none").write_bytes(b"nothing")
    (root / "empty").touch()

    swept = remains.search([b"not there", NEEDLE])

    assert swept.hits == (Hit("a.md", 7, 1), Hit("deep/er/.hidden", 0, 1))
    assert (swept.files, swept.bytes) == (4, 7 + 3 * len(NEEDLE) + 7)


def test_what_lies_over_the_edge_of_two_files_is_in_neither(remains: FolderRemains, root: Path) -> None:
    (root / "a").write_bytes(NEEDLE[:9])
    (root / "b").write_bytes(NEEDLE[9:])

    assert remains.search([NEEDLE]).hits == ()


@pytest.mark.parametrize("start", [0, 1, 990, 999, 1000, 1001, 2995])
def test_what_lies_over_the_edge_of_two_chunks_is_found(
    remains: FolderRemains, root: Path, monkeypatch: pytest.MonkeyPatch, start: int
) -> None:
    monkeypatch.setattr(files, "_CHUNK", 1000)
    monkeypatch.setattr(files, "_SMALL", 500)
    (root / "long").write_bytes(b"-" * start + NEEDLE + b"-" * 3000)

    assert remains.search([b"cloves", NEEDLE]).hits == (Hit("long", start + 12, 0), Hit("long", start, 1))


def test_files_that_are_searched_together_are_told_apart(
    remains: FolderRemains, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_TOGETHER", 64)
    for number in range(30):
        (root / f"f{number:02}").write_bytes(b"." * number + (NEEDLE if number % 3 else b""))

    hits = remains.search([NEEDLE]).hits

    assert hits == tuple(Hit(f"f{number:02}", number, 0) for number in range(30) if number % 3)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes there")
def test_links_and_pipes_hold_nobody_up(remains: FolderRemains, root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(NEEDLE)
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "pipe")

    swept = remains.search([NEEDLE])

    assert (swept.files, swept.hits) == (0, ())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything may be read")
def test_a_file_that_cannot_be_read_is_told(remains: FolderRemains, root: Path) -> None:
    (root / "closed").write_bytes(NEEDLE)
    (root / "closed").chmod(0)

    assert remains.search([NEEDLE]).unread == ("closed",)


def test_only_what_is_named_is_searched_and_what_is_gone_is_passed_over(remains: FolderRemains, root: Path) -> None:
    (root / "a.md").write_bytes(NEEDLE)
    (root / "b.md").write_bytes(NEEDLE)

    swept = remains.search([NEEDLE], ["b.md", "gone.md"])

    assert (swept.files, swept.hits) == (1, (Hit("b.md", 0, 0),))


def test_files_are_removed_once(remains: FolderRemains, root: Path) -> None:
    (root / "_proposals").mkdir()
    (root / "_proposals/x.md").write_bytes(NEEDLE)
    assert remains.paths("_proposals") == ("_proposals/x.md",)

    assert remains.remove(["_proposals/x.md"]) == 1
    assert remains.remove(["_proposals/x.md"]) == 0
    assert remains.paths("_proposals") == ()
    assert remains.paths("_staging") == ()
