"""Whatever happens in the middle of a write, the bundle is as before or as after, and says so by itself."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bundles import (
    NOW,
    FailingFs,
    Killed,
    KilledFs,
    LyingFs,
    PowerCutFs,
    a_memory,
    create,
    edit,
    new_bundle,
    opened,
    tree,
)

from mnemic.domain.changes import ChangeSet, Put, Removal
from mnemic.domain.ids import memory_id
from mnemic.domain.memory import State
from mnemic.errors import StorageError, WriteFailedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemic.adapters.markdown.store import MarkdownStore

BROKEN = b"---\ntype: [note\ntitle: Left open\n---\n\nThe body is worth keeping.\n"


def _prepare(root: Path) -> None:
    store = new_bundle(root)
    create(store, a_memory("notes/kept"), a_memory("people/anna", kind="person"), a_memory("people/deep/bob"))
    create(store, a_memory("notes/doomed", "A secret to forget."))
    (root / "log.md").write_bytes(b"# Our log\n\nBy hand: [Doomed](/notes/doomed.md) is old.\n" + _log(root))
    (root / ".recovery" / "notes").mkdir(parents=True)
    (root / ".recovery" / "notes" / "doomed.md.20260101T000000.000000Z").write_bytes(b"A secret to forget.")


def _log(root: Path) -> bytes:
    return (root / "log.md").read_bytes().partition(b"# Log\n\n")[2]


def _creating(store: MarkdownStore) -> None:
    create(store, a_memory("lessons/new/first", kind="lesson"))


def _editing(store: MarkdownStore) -> None:
    edit(store, "notes/kept", body="Another text.", title="Another title")


def _forgetting(store: MarkdownStore) -> None:
    doomed = store.find("notes/doomed")
    store.apply(ChangeSet(removals=(Removal(doomed.memory.id, doomed.revision),)))


def _forgetting_the_last(store: MarkdownStore) -> None:
    bob = store.find("people/deep/bob")
    store.apply(ChangeSet(removals=(Removal(bob.memory.id, bob.revision),)))


def _superseding(store: MarkdownStore) -> None:
    kept, anna, doomed = (store.find(name) for name in ("notes/kept", "people/anna", "notes/doomed"))
    store.apply(
        ChangeSet(
            puts=(
                Put(a_memory("notes/successor", supersedes=(kept.memory.id,))),
                Put(
                    kept.memory.changed(NOW, superseded_by=("notes/successor",), state=State.SUPERSEDED), kept.revision
                ),
                Put(anna.memory.changed(NOW, body="Anna moved."), anna.revision),
            ),
            removals=(Removal(doomed.memory.id, doomed.revision),),
            summary="what changed today",
        )
    )


def _importing(store: MarkdownStore) -> None:
    create(store, *(a_memory(f"{folder}/imported-{n}") for folder in ("notes", "beliefs", "a/b") for n in range(7)))


def _renaming(store: MarkdownStore) -> None:
    anna = store.find("people/anna")
    moved = replace(anna.memory, id=memory_id("people/anna-dahl"))
    store.apply(ChangeSet(puts=(Put(moved),), removals=(Removal(anna.memory.id, anna.revision),)))


CHANGES: dict[str, Callable[[MarkdownStore], None]] = {
    "create": _creating,
    "edit": _editing,
    "forget": _forgetting,
    "forget the last of a folder": _forgetting_the_last,
    "supersede": _superseding,
    "import": _importing,
    "rename": _renaming,
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("prepared") / "memory"
    _prepare(root)
    return root


def _copy(prepared: Path, to: Path) -> Path:
    shutil.copytree(prepared, to)
    return to


def _die_at(root: Path, change: Callable[[MarkdownStore], None], fs: KilledFs) -> None:
    try:
        change(opened(root, fs=fs))
    except Killed:
        return


def _outcome(prepared: Path, root: Path, change: Callable[[MarkdownStore], None]) -> tuple[dict[str, bytes], list[str]]:
    fs = KilledFs()
    change(opened(_copy(prepared, root), fs=fs))
    return tree(root), fs.steps


def _assert_whole(root: Path, old: dict[str, bytes], new: dict[str, bytes], step: str) -> bool:
    """The state is one of the two, to the byte, the check finds nothing, nothing is left over; says which."""
    store = opened(root)
    found = tree(root)
    assert found in (old, new), f"killed at: {step}; differs in {sorted(_differs(found, new))}"
    assert store.check().healthy, step
    assert store.pending() == [], step
    return found == new


def _differs(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


@pytest.mark.parametrize("name", CHANGES)
def test_a_process_killed_at_any_step_leaves_the_old_state_or_the_new_one(
    name: str, prepared: Path, tmp_path: Path
) -> None:
    """Each step of a write in turn is the last; a new process then finds one of the two states, whole."""
    change, old = CHANGES[name], tree(prepared)
    new, steps = _outcome(prepared, tmp_path / "whole", change)

    outcomes = []
    for at, step in enumerate(steps):
        root = _copy(prepared, tmp_path / str(at))
        _die_at(root, change, KilledFs(at=at))
        outcomes.append(_assert_whole(root, old, new, step))
        if not outcomes[-1]:
            change(opened(root))
            assert tree(root) == new, f"repeated after: {step}"

    assert outcomes == sorted(outcomes), "once the change stands, it stands"
    assert set(outcomes) == {False, True}


def test_that_is_more_than_two_hundred_moments_to_die(prepared: Path, tmp_path: Path) -> None:
    total = sum(len(_outcome(prepared, tmp_path / name, change)[1]) for name, change in CHANGES.items())

    assert total >= 200


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("again", [0, 2, 5, 9])
def test_a_process_killed_while_it_recovers_does_no_harm(name: str, again: int, prepared: Path, tmp_path: Path) -> None:
    change, old = CHANGES[name], tree(prepared)
    new, steps = _outcome(prepared, tmp_path / "whole", change)

    for at in range(0, len(steps), 5):
        root = _copy(prepared, tmp_path / str(at))
        _die_at(root, change, KilledFs(at=at))
        _die_at(root, lambda _store: None, KilledFs(at=again))
        _assert_whole(root, old, new, steps[at])


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("names_survive", [True, False])
def test_a_power_cut_at_any_step_leaves_every_document_old_or_every_document_new(
    name: str, *, names_survive: bool, prepared: Path, tmp_path: Path
) -> None:
    """All that was not synced is lost, or all names survive with nothing in them; indexes may need a repair then."""
    change, old = CHANGES[name], _documents(tree(prepared))
    whole, steps = _outcome(prepared, tmp_path / "whole", change)
    new = _documents(whole)

    for at, step in enumerate([*steps, "the end"]):
        root = _copy(prepared, tmp_path / str(at))
        fs = PowerCutFs(at=at)
        _die_at(root, change, fs)
        fs.cut(names_survive=names_survive)

        store = opened(root)
        found = tree(root)
        assert _documents(found) in (old, new), f"power cut at: {step}"
        assert b"# Our log\n\nBy hand: " in found["log.md"], f"human text lost at: {step}"
        if at == len(steps):
            assert _documents(found) == new, "a change that was reported is durable"
        assert store.check(repair=True).healthy, step


def _documents(files: dict[str, bytes]) -> dict[str, bytes]:
    ours = {"index.md", "log.md", "mnemic.toml", ".gitignore"}
    return {
        name: data
        for name, data in files.items()
        if name.rpartition("/")[2] not in ours and name[0] != "." and ".tmp" not in name
    }


@pytest.mark.parametrize("name", ["notes/doomed", "people/deep/bob", "alone/with-a-picture"])
def test_after_a_reported_forgetting_no_power_cut_brings_anything_back(
    name: str, prepared: Path, tmp_path: Path
) -> None:
    root = _copy(prepared, tmp_path / "memory")
    create(opened(root), a_memory("alone/with-a-picture"))
    (root / "alone" / "picture.png").write_bytes(b"png")
    title = opened(root).find(name).memory.title.encode()
    fs = PowerCutFs()
    store = opened(root, fs=fs)
    found = store.find(name)
    store.apply(ChangeSet(removals=(Removal(found.memory.id, found.revision),)))

    fs.cut(names_survive=False)

    word = name.rpartition("/")[2].encode()
    assert not [path for path, data in tree(root).items() if word in data or title in data or word in path.encode()]


@pytest.mark.parametrize("name", ["edit", "supersede"])
def test_a_disk_that_fails_half_way_is_taken_back(name: str, prepared: Path, tmp_path: Path) -> None:
    """The second document cannot be renamed; the first gets its old bytes back, and the caller hears of it."""
    change, old = CHANGES[name], tree(prepared)
    _, steps = _outcome(prepared, tmp_path / "whole", change)
    renames = [step for step in steps if step.startswith("rename to") and "/notes/" in step and "index" not in step]

    for position, _ in enumerate(renames):
        root = _copy(prepared, tmp_path / str(position))
        seen: list[str] = []

        def refuses(step: str, at: int = position, seen: list[str] = seen) -> bool:
            if step.startswith("rename to") and "/notes/" in step and "index" not in step:
                seen.append(step)
                return len(seen) == at + 1
            return False

        with pytest.raises(WriteFailedError, match="old state stands"):
            change(opened(root, fs=FailingFs(refuses=refuses)))

        assert tree(root) == old
        assert opened(root).check().healthy
        change(opened(root))


def test_a_process_killed_while_it_takes_a_change_back_leaves_one_of_the_two_states(
    prepared: Path, tmp_path: Path
) -> None:
    old = tree(prepared)
    new, _ = _outcome(prepared, tmp_path / "whole", _superseding)

    def refuses_once(step: str, told: list[str]) -> bool:
        if step.startswith("rename to") and step.endswith("people/anna.md"):
            told.append(step)
        return bool(told)

    states = set()
    for at in range(200):
        root = _copy(prepared, tmp_path / str(at))
        told: list[str] = []
        fs = FailingFs(at=at, refuses=lambda step, told=told: not told and refuses_once(step, told))
        try:
            _superseding(opened(root, fs=fs))
        except Killed:
            states.add(_assert_whole(root, old, new, fs.steps[-1]))
        except WriteFailedError:
            assert tree(root) == old
            break
    else:
        pytest.fail("the change was never taken back to the end")

    assert states == {False, True}


def test_a_change_that_can_be_neither_made_nor_taken_back_is_completed_by_the_next_command(
    prepared: Path, tmp_path: Path
) -> None:
    new, _ = _outcome(prepared, tmp_path / "whole", _superseding)
    root = _copy(prepared, tmp_path / "memory")
    dead: list[str] = []

    def refuses(step: str) -> bool:
        if step.startswith("rename to") and step.endswith("people/anna.md"):
            dead.append(step)
        return bool(dead)

    with pytest.raises(StorageError, match="half-way"):
        _superseding(opened(root, fs=FailingFs(refuses=refuses)))

    assert opened(root).check().healthy
    assert tree(root) == new


def test_a_full_disk_changes_nothing(prepared: Path, tmp_path: Path) -> None:
    old = tree(prepared)
    for name, change in CHANGES.items():
        root = _copy(prepared, tmp_path / name)
        if "forget" in name:
            continue  # taking away needs no room

        with pytest.raises(WriteFailedError):
            change(opened(root, fs=FailingFs(refuses=lambda step: step.startswith("write"))))

        assert tree(root) == old
        assert opened(root).check().healthy


def test_an_index_that_cannot_be_written_is_made_up_for_by_the_next_command(
    prepared: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The memory is safe; only what people browse by waits."""
    new, _ = _outcome(prepared, tmp_path / "whole", _creating)
    root = _copy(prepared, tmp_path / "memory")

    _creating(opened(root, fs=FailingFs(refuses=lambda step: "rename" in step and "index.md" in step)))

    assert "generated parts" in caplog.text
    assert opened(root).check().healthy
    assert tree(root) == new


def test_a_forgetting_that_leaves_a_trace_says_so_and_is_finished_by_the_next_command(
    prepared: Path, tmp_path: Path
) -> None:
    new, _ = _outcome(prepared, tmp_path / "whole", _forgetting)
    root = _copy(prepared, tmp_path / "memory")

    with pytest.raises(StorageError, match="a trace of it is left"):
        _forgetting(opened(root, fs=FailingFs(refuses=lambda step: "rename" in step and "log.md" in step)))

    assert opened(root).check().healthy
    assert tree(root) == new


@pytest.mark.parametrize(("lies", "works"), [(1, True), (2, False)])
def test_what_is_read_back_otherwise_is_written_once_more_and_then_refused(
    lies: int, *, works: bool, prepared: Path, tmp_path: Path
) -> None:
    old, root = tree(prepared), _copy(prepared, tmp_path / "memory")
    store = opened(root, fs=LyingFs(about=lambda path: path.endswith(".tmp"), lies=lies))

    if works:
        create(store, a_memory("notes/new"))
        assert opened(root).find("notes/new").memory.body == "Text."
    else:
        with pytest.raises(WriteFailedError, match="read back"):
            create(store, a_memory("notes/new"))
        assert tree(root) == old
    assert opened(root).check().healthy


@pytest.mark.parametrize(("lies", "works"), [(1, True), (2, False)])
def test_a_document_that_reads_otherwise_in_its_place_is_written_once_more_and_then_taken_back(
    lies: int, *, works: bool, prepared: Path, tmp_path: Path
) -> None:
    old, root = tree(prepared), _copy(prepared, tmp_path / "memory")
    store = opened(root, fs=LyingFs(about=lambda path: path.endswith("notes/new.md"), lies=lies))

    if works:
        create(store, a_memory("notes/new"))
        assert opened(root).find("notes/new").memory.body == "Text."
    else:
        with pytest.raises(WriteFailedError):
            create(store, a_memory("notes/new"))
        assert tree(root) == old
    assert opened(root).check().healthy


def test_a_document_that_somebody_edited_after_the_crash_keeps_their_edit(prepared: Path, tmp_path: Path) -> None:
    """The rest of the change is completed; our text of that document lies in .recovery."""
    _, steps = _outcome(prepared, tmp_path / "whole", _superseding)
    first = steps.index(f"rename to {tmp_path}/whole/notes/kept.md") + 1
    root = _copy(prepared, tmp_path / "memory")
    _die_at(root, _superseding, KilledFs(at=first))
    theirs = (root / "people" / "anna.md").read_bytes().replace(b"Text.", b"Edited in Obsidian.")
    (root / "people" / "anna.md").write_bytes(theirs)

    store = opened(root)

    assert (root / "people" / "anna.md").read_bytes() == theirs
    assert store.find("notes/kept").memory.state == "superseded"
    (copy,) = (root / ".recovery" / "people").iterdir()
    assert b"Anna moved." in copy.read_bytes()
    assert store.pending() == []


def test_a_torn_journal_entry_means_that_nothing_had_begun(prepared: Path, tmp_path: Path) -> None:
    root = _copy(prepared, tmp_path / "memory")
    entry = root / ".mnemic" / "journal" / "0000000000001-1-00000000.json"
    entry.write_bytes(b'{"actions": [{"pa')

    assert opened(root).pending() == []
    assert tree(root) == tree(prepared)


def test_a_read_only_store_does_not_recover(prepared: Path, tmp_path: Path) -> None:
    root = _copy(prepared, tmp_path / "memory")
    _die_at(root, _editing, KilledFs(at=4))
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}

    store = opened(root, read_only=True)

    assert [problem.code for problem in store.check().problems if problem.code == "pending_change"]
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before


CHILD = """
import os, sys
sys.path.insert(0, sys.argv[2])
from bundles import *
from pathlib import Path
store = opened(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(10_000):
    create(store, a_memory(f"notes/first-{number}"), a_memory(f"people/second-{number}"))
    edit(store, f"notes/first-{number}", body="edited")
"""


@pytest.mark.parametrize("after", [3, 11, 24, 47])
def test_a_process_killed_for_real_leaves_pairs_whole(after: int, tmp_path: Path) -> None:
    """SIGKILL while it writes two documents at a time; both are there or neither, and the lock is free at once."""
    root = tmp_path / "memory"
    new_bundle(root)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(root), str(Path(__file__).parent)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    while len(list((root / "notes").glob("first-*"))) < after if (root / "notes").is_dir() else True:
        os.sched_yield()
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()

    store = opened(root, lock_timeout=0)

    create(store, a_memory("notes/after"))
    numbers = {
        prefix: {path.stem.rpartition("-")[2] for path in root.glob(f"*/{prefix}-*.md")}
        for prefix in ("first", "second")
    }
    assert numbers["first"] == numbers["second"]
    assert len(numbers["first"]) >= after
    assert store.check().healthy
    assert not list(root.rglob("*.tmp"))
