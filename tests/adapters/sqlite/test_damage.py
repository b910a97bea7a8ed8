"""Whatever happens to the files: an answer or a clear error, and nothing that a refresh would not bring back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

import pytest
from index_samples import SPACE, a_document, an_entry, an_index, embed_all, ids, notes, query

from mnemic.adapters.sqlite.index import SqliteIndex
from mnemic.domain.entries import Where
from mnemic.errors import BundleBusyError, IndexUnavailableError

TEXTS = {f"n{number}": f"text number {number} of many words" for number in range(60)}


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    index = an_index(tmp_path)
    index.update(notes(**TEXTS))
    embed_all(index)
    index.compact()
    index.close()
    return index


def refreshed(index: SqliteIndex) -> None:
    """What a refresh does: put in what the index does not know."""
    known = index.indexed().paths
    index.update([document for document in notes(**TEXTS) if document.stamp.path not in known])
    embed_all(index)


def nearest(index: SqliteIndex) -> list[str]:
    with index.reading() as reader:
        return ids(reader, [hit.entry for hit in reader.semantic(SPACE, query("number 7"), Where(), 3)])


def answers(index: SqliteIndex) -> tuple[int, list[str]]:
    with index.reading() as reader:
        return len(reader.lexical(["text"], Where(), 99)), nearest(index)


FOREIGN = {
    "empty": b"",
    "text": b"no database at all\n" * 500,
    "zeros": b"\0" * 20_000,
    "header only": b"SQLite format 3\0" + b"\0" * 84,
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_a_file_that_is_no_index_is_an_empty_one_until_it_is_written(index: SqliteIndex, content: bytes) -> None:
    expected = answers(index)
    index.close()
    index.path.unlink()
    index.path.write_bytes(content)

    assert index.indexed().paths == frozenset()
    assert answers(index) == (0, [])
    refreshed(index)

    assert answers(index) == expected


@pytest.mark.parametrize(
    "statement",
    [
        "update meta set value = 'schema 0' where key = 'stamp'",
        "delete from meta",
        "drop table meta",
    ],
)
def test_an_index_of_another_version_is_made_anew(index: SqliteIndex, statement: str) -> None:
    expected = answers(index)
    index.close()
    with closing(sqlite3.connect(index.path, isolation_level=None)) as db:
        db.execute(statement)

    assert index.indexed().paths == frozenset()
    refreshed(index)

    assert answers(index) == expected


@pytest.mark.parametrize("keep", [0.02, 0.3, 0.6, 0.95])
def test_a_truncated_file_heals(index: SqliteIndex, keep: float) -> None:
    expected = answers(index)
    index.close()
    data = index.path.read_bytes()
    index.path.unlink()
    index.path.write_bytes(data[: int(len(data) * keep)])

    assert healed(index) == expected


@pytest.mark.parametrize("page", range(1, 40, 3))
def test_a_page_full_of_rubbish_heals(index: SqliteIndex, page: int) -> None:
    expected = answers(index)
    index.close()
    data = bytearray(index.path.read_bytes())
    start = min(page * 4_096, len(data) - 4_096)
    data[start : start + 4_096] = os.urandom(16) * 256
    index.path.unlink()
    index.path.write_bytes(data)

    found = healed(index)

    # A page that no question of this test needs, or whose rubbish SQLite takes for text, goes unnoticed.
    assert found == expected or len(found[1]) == len(expected[1])


def healed(index: SqliteIndex) -> tuple[int, list[str]]:
    """The answers after errors that say what to do, if any: each call is an answer or such an error."""
    for _ in range(4):
        try:
            refreshed(index)
            return answers(index)
        except IndexUnavailableError as error:
            assert "call builds it anew" in error.hint  # noqa: PT017 - the error is allowed, not expected
    pytest.fail("it does not heal")


def test_an_index_that_is_deleted_under_a_reader_answers_on_and_then_is_empty(index: SqliteIndex) -> None:
    with index.reading() as reader:
        before = reader.counts()
        for path in index.path.parent.iterdir():
            path.unlink()
        assert reader.counts() == before
        assert len(reader.lexical(["text"], Where(), 99)) == 60
        assert len(reader.semantic(SPACE, query("number 7"), Where(), 99)) == 60

    assert index.indexed().paths == frozenset()
    assert answers(index) == (0, [])


def test_an_index_that_was_deleted_and_made_anew_is_not_taken_for_the_old_one(index: SqliteIndex) -> None:
    """Its rows have the same numbers and other meanings; the vectors remembered of the old one would be wrong."""
    nearest(index)
    index.path.unlink()
    turned = {name: TEXTS[other] for name, other in zip(TEXTS, reversed(TEXTS), strict=True)}
    index.update(notes(**turned))
    embed_all(index)

    assert nearest(index) == nearest(an_index(index.path.parent))


def packs(index: SqliteIndex) -> list[Path]:
    return list(index.path.parent.glob("vectors-*.pack"))


def replaced(path: Path, data: bytes) -> None:
    path.unlink()
    path.write_bytes(data)


BROKEN = {
    "empty": lambda _: b"",
    "half": lambda data: data[: len(data) // 2],
    "one byte short": lambda data: data[:-1],
    "no header": lambda data: b"\0" * 4_096 + data[4_096:],
    "not JSON": lambda data: data.replace(b"{", b"[", 1),
    "a list": lambda data: b"mnemic-pack-2\n[]".ljust(4_096) + data[4_096:],
    "another version": lambda data: data.replace(b"pack-2", b"pack-9", 1),
    "negative offset": lambda data: data.replace(b'"offset": 4096', b'"offset": -409', 1),
    "odd type": lambda data: data.replace(b'"<f2"', b'"<x9"', 1),
    "other shape": lambda data: data.replace(b"[60, 64]", b"[64, 60]", 1),
}


@pytest.mark.parametrize("breaks", BROKEN.values(), ids=BROKEN)
def test_a_broken_pack_costs_time_and_no_answers(index: SqliteIndex, breaks: object) -> None:
    expected = answers(index)
    (pack,) = packs(index)
    data = pack.read_bytes()
    assert breaks(data) != data  # type: ignore[operator]
    replaced(pack, breaks(data))  # type: ignore[operator]

    assert answers(an_index(index.path.parent)) == expected


def test_a_missing_pack_costs_time_and_no_answers(index: SqliteIndex) -> None:
    expected = answers(index)
    packs(index)[0].unlink()
    again = an_index(index.path.parent)

    assert answers(again) == expected
    again.update([], ["n7.md"])
    again.update(notes(new="number seven"))
    embed_all(again)

    assert answers(again)[0] == 59
    assert packs(again) == []
    again.compact()
    assert len(packs(again)) == 1


def test_a_killed_update_leaves_what_was_there(index: SqliteIndex) -> None:
    expected = answers(index)

    def documents() -> object:
        yield a_document("new.md", an_entry("new", "text text"))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.update(documents())  # type: ignore[arg-type]

    assert answers(index) == expected
    assert "new.md" not in index.indexed().paths


def test_a_mistake_of_the_caller_is_not_blamed_on_the_index(index: SqliteIndex) -> None:
    """Documents are read while they go in; what fails there has its own name."""

    def documents() -> object:
        raise PermissionError(13, "not yours")
        yield

    with pytest.raises(PermissionError):
        index.update(documents())  # type: ignore[arg-type]


def test_a_busy_lock_is_said_and_does_not_stop_readers(index: SqliteIndex) -> None:
    def never() -> object:
        raise BundleBusyError("here", seconds=1)

    busy = SqliteIndex(index.path, never)  # type: ignore[arg-type]

    with pytest.raises(BundleBusyError):
        busy.update([])
    assert answers(busy)[0] == 60


def test_a_folder_in_place_of_the_file_is_a_clear_error(tmp_path: Path) -> None:
    index = an_index(tmp_path)
    index.path.mkdir()

    for call in (index.indexed, lambda: index.update(notes(a="b")), lambda: index.reading().__enter__()):
        with pytest.raises(IndexUnavailableError, match=r"index\.db cannot be"):
            call()


def test_a_full_disk_is_a_clear_error_and_the_old_answers_stand(
    index: SqliteIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answers(index)
    from mnemic.adapters.sqlite import schema

    prepare = schema._prepare

    def small(db: sqlite3.Connection) -> None:
        prepare(db)
        pages = db.execute("pragma page_count").fetchone()[0]
        db.execute(f"pragma max_page_count={pages + 2}")

    monkeypatch.setattr(schema, "_prepare", small)
    with pytest.raises(IndexUnavailableError, match="full") as caught:
        index.update(notes(big=" ".join(f"word{number}" for number in range(20_000))))

    assert "free space" in caught.value.hint
    assert answers(index) == expected


READ = """
    import os, sys, threading
    sys.path.insert(0, {tests!r})
    folder = {folder!r}
    from pathlib import Path
    import mmap, mnemic.adapters.sqlite.vectors
    from index_samples import an_index
    from test_damage import answers
    from mnemic.errors import IndexUnavailableError
    if os.getuid() == 0:  # root may write everywhere; another user may not even import from root's folders
        os.setgid(65534); os.setuid(65534)
    index = an_index(Path(folder))
    print(answers(index))
    try:
        index.compact()
    except IndexUnavailableError as error:
        print(error.code)
    print(answers(index) == answers(an_index(Path(folder))))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such permission there")
def test_a_folder_that_may_only_be_read_answers_all_the_same(index: SqliteIndex) -> None:
    expected = answers(index)
    index.close()
    folder = Path(f"/tmp/mnemic-read-only-{os.getpid()}")  # pytest's own folders are closed to other users
    shutil.copytree(index.path.parent, folder)
    for suffix in ("-wal", "-shm"):
        (folder / f"index.db{suffix}").unlink(missing_ok=True)
    folder.chmod(0o555)
    try:
        code = textwrap.dedent(READ).format(tests=str(Path(__file__).parent), folder=str(folder))
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)

    assert done.stdout.splitlines() == [str(expected), "index_unavailable", "True"], done.stderr
