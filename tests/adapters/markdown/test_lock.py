"""One writer at a time, over threads and processes; a dead one holds nobody up, a living one is never broken."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bundles import KilledFs, a_memory, create, edit, new_bundle, opened, tree

from mnemic.adapters.markdown.lock import BundleLock, lock_at
from mnemic.domain.changes import ChangeSet, Put
from mnemic.errors import BundleBusyError, MemoryChangedError

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = str(Path(__file__).parent)


def _child(code: str, *arguments: object) -> subprocess.Popen[str]:
    program = f"import sys\nsys.path.insert(0, {HERE!r})\nfrom bundles import *\nfrom pathlib import Path\n{code}"
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock of `memory` until it is told otherwise."""
    new_bundle(tmp_path / "memory")
    child = _child(
        "with opened(Path(sys.argv[1])).locked():\n print('held', flush=True)\n sys.stdin.readline()",
        tmp_path / "memory",
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        yield child
        child.kill()


def test_a_living_owner_is_waited_for_and_never_broken(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    store = opened(tmp_path / "memory", lock_timeout=0.05)
    old = tmp_path / "memory" / ".mnemic" / "lock"
    os.utime(old, (0, 0))  # however old the file is

    with pytest.raises(BundleBusyError) as busy:
        create(store, a_memory("notes/a"))

    assert busy.value.where == str(tmp_path / "memory")
    assert store.stamps() == []
    assert holder.poll() is None


def test_a_reader_never_waits(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    store = opened(tmp_path / "memory", lock_timeout=1_000)

    assert store.stamps() == []
    assert store.check().healthy
    assert holder.poll() is None


def test_a_lock_of_a_killed_process_is_free_at_once(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()

    create(opened(tmp_path / "memory", lock_timeout=0), a_memory("notes/a"))


def test_a_lock_that_is_given_back_is_taken_by_who_waits(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    assert holder.stdin is not None
    store = opened(tmp_path / "memory", lock_timeout=30)
    waiting = threading.Thread(target=lambda: create(store, a_memory("notes/a")))
    waiting.start()

    holder.stdin.write("\n")
    holder.stdin.flush()
    waiting.join()

    assert [stamp.path for stamp in store.stamps()] == ["notes/a.md"]


def test_a_thread_enters_its_own_lock_again_and_keeps_others_out(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    store, other = new_bundle(root), opened(root, lock_timeout=0.01)
    outcome: list[object] = []

    def from_another_thread() -> None:
        try:
            with other.locked():
                outcome.append("entered")
        except BundleBusyError as error:
            outcome.append(error)

    with store.locked():
        create(other, a_memory("notes/a"))  # the same thread, another store on the same bundle
        thread = threading.Thread(target=from_another_thread)
        thread.start()
        thread.join()
    with other.locked():
        pass

    assert [type(each) for each in outcome] == [BundleBusyError]


def test_an_error_inside_gives_the_lock_back(tmp_path: Path) -> None:
    store = new_bundle(tmp_path / "memory")

    with pytest.raises(ZeroDivisionError), store.locked():
        _ = 1 / 0

    thread = threading.Thread(target=lambda: create(store, a_memory("notes/a")))
    thread.start()
    thread.join()
    assert len(store.stamps()) == 1


def test_one_lock_file_has_one_lock_however_it_is_spelled(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)

    assert lock_at(f"{tmp_path}/lock", where="x") is lock_at(f"{tmp_path}/link/lock", where="x")
    assert isinstance(lock_at(f"{tmp_path}/lock", where="x"), BundleLock)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_does_not_inherit_the_lock(tmp_path: Path) -> None:
    """Its copy of the open file would keep the lock after its parent's death, and it is no owner itself."""
    child = _child(
        """
import os
store = new_bundle(Path(sys.argv[1]))
with store.locked():
    pid = os.fork()
    if pid == 0:
        os.write(1, b"child\\n")
        sys.stdin.readline()
        os._exit(0)
    os.write(1, b"parent\\n")
    os.kill(os.getpid(), 9)
""",
        tmp_path / "memory",
    )
    with child:
        assert child.stdout is not None
        assert sorted([child.stdout.readline(), child.stdout.readline()]) == ["child\n", "parent\n"]
        child.wait()

        create(opened(tmp_path / "memory", lock_timeout=0), a_memory("notes/a"))


RACER = """
store = opened(Path(sys.argv[1]))
found = store.find("notes/a")
print("read", flush=True)
sys.stdin.readline()
from mnemic.errors import MemoryChangedError
try:
    edited = found.memory.changed(NOW, body="By " + sys.argv[2])
    store.apply(ChangeSet(puts=(Put(edited, found.revision),)))
    print("wrote")
except MemoryChangedError:
    print("conflict")
"""


def test_of_two_processes_writing_one_memory_one_wins_and_the_other_hears_of_it(tmp_path: Path) -> None:
    store = new_bundle(tmp_path / "memory")
    create(store, a_memory("notes/a"))
    racers = [_child(RACER, tmp_path / "memory", number) for number in (1, 2)]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "read\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("\n")
        racer.stdin.flush()
    answers = [racer.communicate()[0].strip() for racer in racers]

    assert sorted(answers) == ["conflict", "wrote"]
    assert store.find("notes/a").memory.body == f"By {answers.index('wrote') + 1}"
    assert store.check().healthy


WRITER = """
store = opened(Path(sys.argv[1]), lock_timeout=120)
for number in range(int(sys.argv[3])):
    create(store, a_memory(f"notes/{sys.argv[2]}-{number}", uid=uuid7()))
"""


def _write_together(root: Path, *, processes: int, each: int) -> None:
    store = new_bundle(root)
    children = [
        _child("from mnemic.domain.ids import uuid7\n" + WRITER, root, number, each) for number in range(processes)
    ]
    for child in children:
        child.communicate()
        assert child.returncode == 0

    assert len(store.stamps()) == processes * each
    assert store.check().healthy
    assert (root / "notes" / "index.md").read_bytes().count(b"\n* [") == processes * each


def test_of_what_several_processes_write_at_once_nothing_is_lost(tmp_path: Path) -> None:
    _write_together(tmp_path / "memory", processes=3, each=15)


@pytest.mark.slow
def test_of_eight_processes_writing_five_hundred_memories_each_none_is_lost(tmp_path: Path) -> None:
    _write_together(tmp_path / "memory", processes=8, each=500)


def test_a_writer_that_is_interrupted_leaves_nothing_half_done(tmp_path: Path) -> None:
    """Control-C is an exception, not a crash: the change is taken back before it goes on."""

    class Interrupted(KilledFs):
        def rename(self, old: str, new: str) -> None:
            if new.endswith("people/b.md") and not told:
                told.append(new)
                raise KeyboardInterrupt
            super().rename(old, new)

    told: list[str] = []
    root = tmp_path / "memory"
    store = new_bundle(root)
    create(store, a_memory("notes/a"), a_memory("people/b"))
    before = tree(root)

    slow = opened(root, fs=Interrupted())
    both = [slow.find(name) for name in ("notes/a", "people/b")]
    with pytest.raises(KeyboardInterrupt):
        slow.apply(
            ChangeSet(
                puts=tuple(
                    Put(found.memory.changed(found.memory.changed_at, body="New."), found.revision) for found in both
                )
            )
        )

    assert tree(root) == before
    assert store.check().healthy
    edit(store, "notes/a", body="Free again.")
    with pytest.raises(MemoryChangedError):
        store.apply(
            ChangeSet(puts=(Put(both[0].memory.changed(both[0].memory.changed_at, body="x"), both[0].revision),))
        )
