"""A check names every problem and changes nothing; a repair keeps every original and has nothing to do twice."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bundles import Killed, KilledFs, SetClock, a_memory, create, new_bundle, opened, times, tree

from mnemic.domain.ids import MemoryId
from mnemic.domain.memory import State

if TYPE_CHECKING:
    from mnemic.domain.documents import CheckReport

DOCS = Path(__file__).parents[3] / "docs" / "reference"
GOOD = b"---\ntype: note\ntitle: Good\ntimestamp: 2026-05-03T06:14:00Z\n---\n\nText.\n"
UNTYPED = b"---\ntitle: No type, no time\n---\n\nText that stays.\n"
BROKEN = b"---\ntitle: [open\nmood: calm\n---\n\nThe body is worth keeping.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "memory"


def _write(root: Path, path: str, data: bytes = GOOD) -> Path:
    full = root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_bytes(data)
    return full


def _codes(report: CheckReport) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for problem in report.problems:
        found.setdefault(problem.code, []).append(problem.path)
    return found


def test_every_kind_of_problem_is_named_with_its_path(root: Path, tmp_path: Path) -> None:
    store = new_bundle(root)
    _write(root, "notes/untyped.md", UNTYPED)
    _write(root, "notes/broken.md", BROKEN)
    _write(root, "notes/binary.md", b"\x00\xff" * 9)
    _write(root, "notes/huge.md", b"x" * 2_000_000)
    _write(root, "notes/Twin.md")
    _write(root, "notes/twin.md")
    _write(root, "notes/con.md")
    _write(root, "notes/a:b.md")
    _write(root, "notes/.mnemic-1-ff.tmp", b"half")
    _write(tmp_path, "out.md")
    (root / "notes" / "far.md").symlink_to(tmp_path / "out.md")
    (root / "notes" / "gone.md").symlink_to("nowhere.md")
    (root / "linked").symlink_to(tmp_path)
    (root / "notes" / b"bad-\xff.md".decode("utf-8", "surrogateescape")).write_bytes(GOOD)
    (root / "log.md").write_bytes(b"<!-- mnemic:begin -->\nnever closed\n")
    before = times(root)

    found = _codes(store.check())

    assert found["missing_type"] == found["missing_timestamp"] == ["notes/untyped.md"]
    assert "notes/broken.md" in {path for paths in found.values() for path in paths}
    assert "notes/binary.md" in {path for paths in found.values() for path in paths}
    assert found["too_large"] == ["notes/huge.md"]
    assert found["id_collision"] == ["notes/Twin.md"]
    assert found["invalid_name"] == ["notes/a:b.md", "notes/bad-\\udcff.md", "notes/con.md"]
    assert found["leftover_temp"] == ["notes/.mnemic-1-ff.tmp"]
    assert found["link_outside"] == ["notes/far.md"]
    assert found["broken_link"] == ["notes/gone.md"]
    assert found["link_to_folder"] == ["linked"]
    assert found["stale_index"] == ["index.md"]
    assert found["missing_index"] == ["notes/index.md"]
    assert found["log_markers"] == ["log.md"]
    assert times(root) == before
    docs = "".join((DOCS / name).read_text("utf-8") for name in ("bundle.md", "okf.md"))
    assert [code for code in found if f"`{code}`" not in docs] == []


def test_references_are_followed_both_ways(root: Path) -> None:
    store = new_bundle(root)
    create(
        store,
        a_memory("notes/old", superseded_by=(MemoryId("notes/new"),), state=State.SUPERSEDED),
        a_memory("notes/new", supersedes=(MemoryId("notes/old"),)),
        a_memory("notes/half", supersedes=(MemoryId("notes/new"), MemoryId("notes/lost"), MemoryId("work:notes/x"))),
    )

    problems = store.check().problems

    assert [(problem.path, problem.code) for problem in problems] == [
        ("notes/half.md", "one_sided_reference"),
        ("notes/half.md", "unknown_reference"),
    ]
    lines = (root / "notes" / "half.md").read_bytes().split(b"\n")
    assert lines[problems[0].line - 1].startswith(b"supersedes:")


def test_a_repair_keeps_originals_saves_bodies_and_flags_them_for_review(root: Path) -> None:
    store = new_bundle(root)
    _write(root, "notes/untyped.md", UNTYPED)
    _write(root, "notes/broken.md", BROKEN)
    binary = _write(root, "notes/binary.md", b"\x00\xff" * 9)
    temp = _write(root, "notes/.mnemic-1-ff.tmp", b"half")

    report = store.check(repair=True)

    assert {problem.path for problem in report.problems} == {"notes/binary.md"}
    assert binary.read_bytes() == b"\x00\xff" * 9
    assert not temp.exists()
    originals = {
        path.partition("/")[2].rsplit(".md.", 1)[0]: (root / path).read_bytes() for path in report.recovered_copies
    }
    assert originals == {"notes/untyped": UNTYPED, "notes/broken": BROKEN}
    untyped, broken = store.find("notes/untyped").memory, store.find("notes/broken").memory
    assert (untyped.body, broken.body) == ("Text that stays.", "The body is worth keeping.")
    assert untyped.kind == broken.kind == "Recovered Concept"
    assert "needs_review" in untyped.extra
    assert "needs_review" in broken.extra
    assert {"missing_type", "missing_timestamp", "leftover_temp", "missing_index", "stale_index"} <= {
        problem.code for problem in report.repaired
    }


def test_a_second_repair_changes_nothing(root: Path) -> None:
    clock = SetClock()
    new_bundle(root)
    store = opened(root, clock=clock)
    for path, data in (
        ("notes/untyped.md", UNTYPED),
        ("notes/broken.md", BROKEN),
        ("notes/binary.md", b"\x00\xff" * 9),
    ):
        _write(root, path, data)
    first = store.check(repair=True)
    before = times(root)
    clock.move(days=1)

    second = store.check(repair=True)

    assert second.problems == first.problems
    assert (second.repaired, second.recovered_copies) == ((), ())
    assert times(root) == before


def test_a_repair_killed_at_any_step_loses_nothing_and_can_be_repeated(root: Path, tmp_path: Path) -> None:
    new_bundle(root)
    _write(root, "notes/untyped.md", UNTYPED)
    _write(root, "notes/broken.md", BROKEN)
    fs = KilledFs()
    shutil.copytree(root, tmp_path / "whole")
    opened(tmp_path / "whole", fs=fs).check(repair=True)
    whole = {name: data for name, data in tree(tmp_path / "whole").items() if not name.startswith(".recovery")}

    for at, step in enumerate(fs.steps):
        again = tmp_path / str(at)
        shutil.copytree(root, again, copy_function=shutil.copy2)
        with pytest.raises(Killed):
            opened(again, fs=KilledFs(at=at)).check(repair=True)

        assert opened(again).check(repair=True).healthy, step
        found = tree(again)
        assert {name: data for name, data in found.items() if not name.startswith(".recovery")} == whole, step
        kept = {data for name, data in found.items() if name.startswith(".recovery")}
        assert {UNTYPED, BROKEN} <= kept, step


def test_a_foreign_folder_without_types_and_times_is_well(root: Path) -> None:
    """An Obsidian vault has neither; only a bundle of our own promises them."""
    _write(root, "Daily/2026-05-03.md", b"Just a note.\n")
    _write(root, "Clippings/Untyped.md", UNTYPED)
    before = tree(root)
    store = opened(root)

    assert store.check().healthy
    store.check(repair=True)
    assert tree(root) == before


def test_an_index_of_somebody_else_is_left_alone(root: Path) -> None:
    _write(root, "notes/a.md")
    _write(root, "index.md", b"# Mine\n")
    _write(root, "notes/index.md", b"# Mine too\n")
    _write(root, "log.md", b"# My log\n")
    store = opened(root)

    create(store, a_memory("notes/b"))
    store.check(repair=True)

    for path, data in (("index.md", b"# Mine\n"), ("notes/index.md", b"# Mine too\n"), ("log.md", b"# My log\n")):
        assert (root / path).read_bytes() == data


def test_edits_by_hand_make_the_index_stale_and_a_repair_makes_it_true(root: Path) -> None:
    store = new_bundle(root)
    create(store, a_memory("notes/a"), a_memory("notes/b"))
    index = root / "notes" / "index.md"
    index.write_bytes(b"Above.\r\n" + index.read_bytes() + b"Below, no newline")
    (root / "notes" / "a.md").unlink()
    _write(root, "notes/c.md")

    assert _codes(store.check()) == {"stale_index": ["notes/index.md"]}
    report = store.check(repair=True)

    assert report.healthy
    data = index.read_bytes()
    assert data.startswith(b"Above.\r\n<!-- mnemic:begin -->\n")
    assert data.endswith(b"<!-- mnemic:end -->\nBelow, no newline")
    assert b"a.md" not in data
    assert b"* [Good](c.md)" in data


def test_an_index_whose_last_document_was_deleted_by_hand_is_stale(root: Path) -> None:
    store = new_bundle(root)
    create(store, a_memory("notes/a"))
    (root / "notes" / "a.md").unlink()

    assert _codes(store.check()) == {"stale_index": ["index.md", "notes/index.md"]}
    assert store.check(repair=True).healthy
    assert b"a.md" not in (root / "notes" / "index.md").read_bytes()


def test_a_healthy_bundle_is_not_touched_by_a_repair(root: Path) -> None:
    store = new_bundle(root)
    create(store, a_memory("notes/a"), a_memory("people/anna/deep"))
    before = times(root)

    assert store.check(repair=True).healthy
    assert times(root) == before


@pytest.mark.parametrize(
    "data",
    [b"\x00\x01\xff" * 99, b"---\n\t- x: [\n", "\ufeff---\ntype: note\n---\n".encode("utf-16"), b"", b"---\n---\n"],
)
def test_whatever_stands_in_a_file_a_check_and_a_repair_come_back(root: Path, data: bytes) -> None:
    store = new_bundle(root)
    _write(root, "notes/odd.md", data)

    store.check(repair=True)
    first = tree(root)
    store.check(repair=True)

    assert tree(root) == first
