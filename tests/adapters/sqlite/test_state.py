"""The file of the turns: made late, mended by itself, shared by processes, and without a trace of what is erased."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.adapters.sqlite import state_file
from mnemic.adapters.sqlite.state import MOST_DELIVERIES, SqliteTurns
from mnemic.domain.access import Delivery, OpenTurn, Receipt, ReceiptKind, Use
from mnemic.errors import BundleBusyError, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = datetime(2026, 5, 3, 12, tzinfo=UTC)
WORD = "zanzibarian"
ID = f"notes/{WORD}"
_numbers = count()


@pytest.fixture
def path(in_memory: Path) -> Path:
    return in_memory / ".mnemic" / "state.db"


@pytest.fixture
def turns(path: Path) -> SqliteTurns:
    return SqliteTurns(path)


def a_receipt(turn: OpenTurn, memory_id: str = "") -> Receipt:
    kind = ReceiptKind.READ if memory_id else ReceiptKind.SEARCH
    return Receipt(
        token=f"{kind[0]}-{next(_numbers):016}", kind=kind, turn=turn.id, issued_at=NOW, id=memory_id, revision="1"
    )


def use_everything(turns: SqliteTurns, memory_id: str, conversation: str = "mira", *, size: int = 1) -> None:
    """Leave this id, and texts with it, in every table, `size` times."""
    turn = turns.begin(conversation, NOW, announced=True)
    for _ in range(size):
        turns.note_search(a_receipt(turn), [memory_id, *(f"{memory_id}-{n}" for n in range(3))])
        turns.note_read(a_receipt(turn, memory_id), 1, most_reads=9_999, most_characters=9_999)
        delivery = Delivery(id=memory_id, slot="user", why=f"{memory_id} was near", tokens=3)
        turns.note_delivery(conversation, NOW, [delivery, Delivery(id="notes/other", slot="", why="", tokens=1)])
    turns.note_use([memory_id, "notes/other"], Use.DELIVERED, NOW)
    turns.freeze(conversation, f"# Text\n{memory_id}: cloves. " * 40 * size, [memory_id, "notes/other"], NOW)


def works(turns: SqliteTurns) -> bool:
    turn = turns.begin("works", NOW, announced=True)
    turns.note_search(a_receipt(turn), ["a"])
    return turns.was_found(turn.id, "a") and turns.current("works") == turn


def holding(path: Path, word: str = WORD) -> list[str]:
    """Files beside it whose bytes hold a word."""
    return [each.name for each in sorted(path.parent.iterdir()) if word.encode() in each.read_bytes()]


# -- late --------------------------------------------------------------------------------------------------------


def test_nothing_is_made_before_something_is_to_be_kept(turns: SqliteTurns, path: Path) -> None:
    turns.current("mira")
    turns.usage(["a"])
    turns.end("mira")
    turns.note_use([], Use.READ, NOW)
    turns.note_delivery("mira", NOW, [])
    turns.erase(["a"])
    turns.close()

    assert not path.parent.exists()


def test_a_store_that_nobody_asks_loads_nothing(path: Path) -> None:
    program = (
        "import sys; from mnemic.adapters.sqlite.state import SqliteTurns; SqliteTurns(sys.argv[1]);"
        "print([name for name in sys.modules if name.endswith(('.state_file', '.access'))])"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_after_it_was_closed_or_its_file_was_deleted_it_goes_on(turns: SqliteTurns, path: Path) -> None:
    turn = turns.begin("mira", NOW, announced=True)
    turns.close()
    assert turns.current("mira") == turn

    path.unlink()

    assert turns.current("mira") is None
    assert works(turns)


# -- broken ------------------------------------------------------------------------------------------------------


def of_another_version(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version=99")
    db.close()


def of_something_else(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("create table note(text)")
    db.close()


def without_a_table(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("drop table found")
    db.close()


def with_values_of_another_type(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("update conversation set begun = 'soon'")
        db.execute("update moment set at = x'ff00'")
    db.close()


DAMAGES = {
    "garbage": lambda path: path.write_bytes(b"no database " * 1000),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    "hole": lambda path: path.write_bytes(path.read_bytes()[:100] + bytes(len(path.read_bytes()) - 100)),
    "version": of_another_version,
    "foreign": of_something_else,
    "table": without_a_table,
    "values": with_values_of_another_type,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
@pytest.mark.parametrize("is_open", [True, False])
def test_a_broken_file_is_set_aside_and_made_anew(
    turns: SqliteTurns,
    path: Path,
    damage: Callable[[Path], object],
    is_open: bool,  # noqa: FBT001
) -> None:
    use_everything(turns, "notes/a")
    if not is_open:
        turns.close()

    damage(path)

    turns.current("mira")
    use_everything(turns, "notes/a")  # what is met on the way costs at most what it interrupts
    assert works(turns)
    assert works(SqliteTurns(path))
    if not is_open:  # an open one may still hold in memory what is gone from the file, and write it back
        assert (path.parent / "state.db.aside").is_file()


def test_an_empty_file_is_a_new_one(turns: SqliteTurns, path: Path) -> None:
    path.parent.mkdir()
    path.touch()

    assert works(turns)
    assert sorted(each.name for each in path.parent.iterdir()) == ["state.db", "state.db-journal"]


@given(st.lists(st.tuples(st.integers(0, 200_000), st.integers(1, 255)), min_size=1, max_size=40))
def test_whatever_bytes_are_wrong_an_agent_meets_no_other_error(changes: list[tuple[int, int]]) -> None:
    path = _used()
    data = bytearray(path.read_bytes())
    for at, by in changes:
        data[at % len(data)] ^= by
    path.write_bytes(data)
    turns = SqliteTurns(path)
    try:
        for call in (
            lambda: turns.current("mira"),
            lambda: turns.receipt("r-0000000000000001"),
            lambda: turns.deliveries("mira", 10),
            lambda: turns.usage([ID]),
            lambda: turns.frozen("mira"),
            lambda: use_everything(turns, "notes/other"),
            lambda: turns.erase([ID]),
        ):
            with suppress(StorageError):
                call()
    finally:
        turns.close()
        shutil.rmtree(path.parent)


def _used() -> Path:
    shm = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="mnemic-test-", dir=shm if shm.is_dir() else None))
    turns = SqliteTurns(folder / "state.db")
    use_everything(turns, ID, size=5)
    turns.close()
    return folder / "state.db"


def test_a_full_disk_is_told_and_what_was_kept_stays(turns: SqliteTurns, path: Path) -> None:
    use_everything(turns, "notes/a")
    db = turns._file._known.db  # type: ignore[union-attr]
    db.execute(f"pragma max_page_count={db.execute('pragma page_count').fetchone()[0]}")

    with pytest.raises(StorageError, match="cannot be kept") as told:
        turns.freeze("mira", "x" * 100_000, [], NOW)

    assert "free space" in told.value.hint
    assert turns.current("mira")
    assert turns.frozen("mira")
    assert not (path.parent / "state.db.aside").exists()


def test_where_no_file_can_be_made_it_says_so_and_there_is_nothing_to_read(in_memory: Path) -> None:
    (in_memory / "file").touch()
    turns = SqliteTurns(in_memory / "file" / "state.db")

    assert turns.current("mira") is None
    turns.erase(["a"])
    with pytest.raises(StorageError, match="cannot be kept"):
        turns.begin("mira", NOW, announced=True)


def test_who_waits_for_another_process_in_vain_is_told(
    turns: SqliteTurns, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_everything(turns, "notes/a")
    turns.close()
    monkeypatch.setattr(state_file, "WAIT_SECONDS", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin exclusive")
    try:
        for call in (lambda: turns.begin("mira", NOW, announced=True), lambda: turns.erase(["a"])):
            with pytest.raises(BundleBusyError):
                call()
    finally:
        other.close()

    assert works(turns)
    assert turns.frozen("mira")


# -- processes ---------------------------------------------------------------------------------------------------

PROGRAM = """
import sys
from pathlib import Path
from concurrent.futures import ThreadPoolExecutor
from mnemic.adapters.system import SystemClock
from mnemic.adapters.sqlite.state import SqliteTurns
from mnemic.domain.policy import Limits
from mnemic.errors import BudgetSpentError
from mnemic.services.context.gate import Gate
turns = SqliteTurns(Path(sys.argv[1]))
def work(number):
    gate = Gate(turns=turns, clock=SystemClock(), limits=Limits(), conversation="mira")
    search = gate.searched([f"{sys.argv[2]}/{number}"])
    try:
        return search, gate.read("a", "1", 10)
    except BudgetSpentError:
        return search, ""
sys.stdin.readline()
with ThreadPoolExecutor(10) as pool:
    for search, read in pool.map(work, range(100)):
        print(search, read)
"""


def test_two_processes_share_a_turn_lose_nothing_and_keep_its_budget(turns: SqliteTurns, path: Path) -> None:
    """Neither has begun one, so one of them does."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(path), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for name in ("one", "two")
    ]
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    lines = [line.split() for process in processes for line in process.communicate(timeout=120)[0].splitlines()]

    turn = turns.current("mira")
    assert turn is not None
    assert len(lines) == 200
    assert (turn.reads, turn.characters) == (10, 100)
    assert sum(len(line) == 2 for line in lines) == 10
    assert all(turns.receipt(token) for line in lines for token in line)
    assert all(turns.was_found(turn.id, f"{name}/{number}") for name in ("one", "two") for number in range(100))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_opens_the_file_for_itself(turns: SqliteTurns) -> None:
    turns.begin("mira", NOW, announced=True)
    child = os.fork()
    if child == 0:
        turns.note_use(["a"], Use.READ, NOW)
        os._exit(0)

    assert os.waitpid(child, 0)[1] == 0
    turns.note_use(["a"], Use.READ, NOW)
    assert turns.usage(["a"])["a"].read == 2


# -- old ---------------------------------------------------------------------------------------------------------


def test_the_last_thousand_deliveries_of_a_conversation_are_kept(turns: SqliteTurns) -> None:
    for number in range(3):
        several = [Delivery(id=f"{number}/{n}", slot="", why="", tokens=n) for n in range(500)]
        turns.note_delivery("mira", NOW, several)
        turns.note_delivery("jonas", NOW, several[:1])

    kept = turns.deliveries("mira", 9_999)

    assert len(kept) == MOST_DELIVERIES
    assert kept[-1][1].id == "1/0"
    assert len(turns.deliveries("jonas", 9_999)) == 3


def test_a_conversation_that_was_idle_for_a_month_is_forgotten(turns: SqliteTurns, path: Path) -> None:
    use_everything(turns, "notes/a")
    turns.begin("jonas", NOW + timedelta(days=29), announced=True)
    assert turns.frozen("mira")

    turns.begin("jonas", NOW + timedelta(days=31), announced=True)

    assert turns.frozen("mira") is None
    assert turns.current("mira") is None
    assert turns.deliveries("mira", 10) == []
    assert turns.usage(["notes/a"])["notes/a"].delivered == 1
    with sqlite3.connect(path) as db:
        left = {name: db.execute(f"select count(*) from {name}").fetchone()[0] for name in ("found", "receipt")}
    db.close()
    assert left == {"found": 0, "receipt": 0}


# -- erased ------------------------------------------------------------------------------------------------------


def test_no_byte_of_what_is_erased_is_left(turns: SqliteTurns, path: Path) -> None:
    for number in range(20):
        use_everything(turns, f"notes/{number}", f"conversation {number}", size=3)
    use_everything(turns, ID, size=60)
    use_everything(turns, ID, "conversation 3", size=5)
    assert holding(path)

    turns.erase([ID, *(f"{ID}-{number}" for number in range(3))])

    assert holding(path) == []
    assert turns.frozen("mira") is None
    assert turns.frozen("conversation 4")
    assert turns.usage(["notes/other"])["notes/other"].delivered == 22


def test_no_byte_is_left_of_what_was_pruned_or_replaced_before(turns: SqliteTurns, path: Path) -> None:
    use_everything(turns, ID, size=50)
    turns.freeze("mira", "short", [], NOW)
    turns.begin("mira", NOW + timedelta(days=2), announced=True)

    turns.erase([ID, *(f"{ID}-{number}" for number in range(3))])

    assert holding(path) == []


def test_no_byte_is_left_in_a_file_that_was_set_aside(turns: SqliteTurns, path: Path) -> None:
    use_everything(turns, ID)
    turns.close()
    of_another_version(path)
    assert works(turns)
    assert holding(path) == ["state.db.aside"]

    turns.erase([ID])

    assert holding(path) == []


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_a_file_that_cannot_be_cleaned_goes_whole(
    turns: SqliteTurns, path: Path, damage: Callable[[Path], object]
) -> None:
    use_everything(turns, ID, size=20)
    turns.close()
    damage(path)

    turns.erase([ID, *(f"{ID}-{number}" for number in range(3))])

    assert holding(path) == []
    assert works(turns)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process to kill")
def test_no_byte_is_left_of_what_a_killed_process_was_writing(turns: SqliteTurns, path: Path) -> None:
    use_everything(turns, ID, size=20)
    turns.close()
    child = os.fork()
    if child == 0:
        own = SqliteTurns(path)
        own.current("mira")
        db = own._file._known.db  # type: ignore[union-attr]
        db.execute("pragma cache_size=1")
        db.execute("begin immediate")
        db.execute("update delivery set why = why || ?", (WORD * 500,))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert "state.db-journal" in holding(path)

    turns.erase([ID, *(f"{ID}-{number}" for number in range(3))])

    assert holding(path) == []
    assert turns.usage(["notes/other"])["notes/other"].delivered == 1


def test_what_an_open_store_of_another_process_holds_is_gone_too(turns: SqliteTurns, path: Path) -> None:
    other = SqliteTurns(path)
    use_everything(other, ID)

    turns.erase([ID, *(f"{ID}-{number}" for number in range(3))])
    use_everything(other, "notes/b")

    assert holding(path) == []
    assert other.usage([ID]) == {}
