"""Many threads and processes at one index: readers never wait or see half a change, writers lose nothing."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from index_samples import EMBEDDER, SPACE, a_document, an_entry, embed_all, query

from mnemic.adapters.markdown.lock import lock_at
from mnemic.adapters.sqlite.index import SqliteIndex
from mnemic.domain.entries import Where

WRITERS = 20


def locked_index(folder: Path) -> SqliteIndex:
    lock = lock_at(str(folder / "lock"), where=str(folder))
    return SqliteIndex(folder / "index.db", lambda: lock.held(60))


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    return locked_index(tmp_path)


def pair(number: int) -> list[object]:
    """Two documents that go in together: a reader sees both at the same version, or the change is seen in halves."""
    return [
        a_document(f"{side}.md", an_entry(side, f"version{number} {side}"), version=number)
        for side in ("left", "right")
    ]


def versions(index: SqliteIndex) -> tuple[set[str], int, int]:
    """What one view shows: the texts by words, by rows and by vectors, asked one after the other."""
    with index.reading() as reader:
        first = reader.generation
        rows = list(reader.find(["left", "right"]).values())
        texts = {passage.text.split()[0] for passages in reader.passages(rows).values() for passage in passages}
        by_words = {hit.entry for text in texts for hit in reader.lexical([text], Where(), 9)}
        near = {hit.entry for hit in reader.semantic(SPACE, query("version"), Where(), 9)}
        assert by_words == set(rows)
        assert near <= set(rows)
        assert reader.generation == first
        return texts, len(rows), first


def test_threads_that_read_see_whole_changes_in_order(index: SqliteIndex) -> None:
    index.update(pair(0))  # type: ignore[arg-type]
    done = threading.Event()

    def watch() -> int:
        seen, looks = 0, 0
        while not done.is_set() or not looks:
            texts, rows, generation = versions(index)
            assert (len(texts), rows) == (1, 2)
            assert generation >= seen
            seen, looks = generation, looks + 1
        index.close()
        return looks

    with ThreadPoolExecutor(3) as pool:
        watchers = [pool.submit(watch) for _ in range(3)]
        try:
            for number in range(1, 40):
                index.update(pair(number))  # type: ignore[arg-type]
                embed_all(index)
                if number % 10 == 0:
                    index.compact()
        finally:
            done.set()
        assert all(watcher.result() for watcher in watchers)


WATCH = """
    import sys
    sys.path.insert(0, {tests!r})
    from pathlib import Path
    from test_processes import locked_index, versions
    index = locked_index(Path({folder!r}))
    print("ready", flush=True)
    seen, looks = 0, 0
    while True:
        texts, rows, generation = versions(index)
        assert (len(texts), rows) == (1, 2), (texts, rows)
        assert generation >= seen
        seen, looks = generation, looks + 1
        if texts == {{"version30"}}:
            break
    print(looks)
"""


def program(code: str, **facts: object) -> subprocess.Popen[str]:
    text = textwrap.dedent(code).format(tests=str(Path(__file__).parent), **facts)
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_process_that_reads_sees_whole_changes_while_another_writes(index: SqliteIndex) -> None:
    index.update(pair(0))  # type: ignore[arg-type]
    reader = program(WATCH, folder=str(index.path.parent))
    assert reader.stdout is not None
    assert reader.stdout.readline() == "ready\n"

    for number in range(1, 31):
        index.update(pair(number))  # type: ignore[arg-type]
        embed_all(index)
        if number % 10 == 0:
            index.compact()
    out, err = reader.communicate(timeout=60)

    assert reader.returncode == 0, err
    assert int(out) >= 1


def write(index: SqliteIndex, writer: int) -> None:
    """Five documents with their vectors, one call after the other."""
    for number in range(5):
        name = f"w{writer}n{number}"
        index.update([a_document(f"{name}.md", an_entry(name, f"common {name}"))])
        waiting = index.pending(SPACE, 3)
        index.put_vectors(SPACE, waiting, EMBEDDER.embed_passages([text.text for text in waiting]))
    index.close()


WRITE = """
    import sys
    sys.path.insert(0, {tests!r})
    from pathlib import Path
    from test_processes import locked_index, write
    write(locked_index(Path({folder!r})), {writer})
"""


def test_twenty_interleaved_writers_lose_nothing(index: SqliteIndex) -> None:
    """Sixteen threads and four processes, through the lock that a bundle uses."""
    others = [program(WRITE, folder=str(index.path.parent), writer=writer) for writer in range(4)]
    with ThreadPoolExecutor(WRITERS - 4) as pool:
        for done in [pool.submit(write, index, writer) for writer in range(4, WRITERS)]:
            done.result()
    for process in others:
        _out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    embed_all(index)

    with index.reading() as reader:
        counts = reader.counts()
        assert (counts.documents, counts.entries, counts.vectors) == (5 * WRITERS, 5 * WRITERS, 5 * WRITERS)
        assert len(reader.lexical(["common"], Where(), 999)) == 5 * WRITERS
        assert len(reader.semantic(SPACE, query("common"), Where(), 999)) == 5 * WRITERS
    assert len(index.indexed().paths) == 5 * WRITERS


def test_a_thread_that_ends_leaves_no_connection_open(index: SqliteIndex) -> None:
    index.update(pair(0))  # type: ignore[arg-type]
    connections = []

    def look() -> None:
        versions(index)
        connections.append(index._local.open.db)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()

    with pytest.raises(Exception, match="closed database"):
        connections[0].execute("select 1")
