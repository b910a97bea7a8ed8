"""`SearchIndex` in one SQLite file and one pack a vector space."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemic.adapters.sqlite import schema
from mnemic.adapters.sqlite.reader import EmptyReader, SqliteReader
from mnemic.adapters.sqlite.spaces import SpaceCache
from mnemic.domain.entries import IndexedStamps, PendingText
from mnemic.errors import IndexUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.domain.documents import Stamp
    from mnemic.domain.entries import IndexedDocument
    from mnemic.domain.spaces import Space
    from mnemic.ports import IndexReader

_BATCH = 500
"""Documents a transaction: large enough to be fast, small enough that a killed rebuild keeps most of its work."""
_TAIL_ROWS = 2_000
"""Vectors outside the pack after which it is written anew; reading that many rows takes a few milliseconds."""
_TAIL_SHARE = 0.05


@dataclass(slots=True)
class SqliteIndex:
    """`SearchIndex` at `path`; `lock` gives the bundle's lock, held around every write and checkpoint."""

    path: Path
    lock: Callable[[], AbstractContextManager[object]]
    _local: threading.local = field(default_factory=threading.local, repr=False)
    _spaces: SpaceCache = field(default_factory=SpaceCache, repr=False)

    def indexed(self) -> IndexedStamps:
        """What is known of every file in the index; empty when there is no usable index."""
        db = self._reading_db()
        if db is None:
            return IndexedStamps(frozenset(), frozenset())
        settled = frozenset(db.execute("select path, size, mtime_ns, inode from document where settled"))
        others = (path for (path,) in db.execute("select path from document where not settled"))
        return IndexedStamps(settled, frozenset((*(row[0] for row in settled), *others)))

    def digests(self, paths: Sequence[str]) -> dict[str, str]:
        """SHA-256 of files in the index, by path."""
        db = self._reading_db()
        if db is None:
            return {}
        found = (db.execute("select path, sha256 from document where path = ?", (path,)).fetchone() for path in paths)
        return dict(row for row in found if row is not None)

    def update(self, documents: Iterable[IndexedDocument], gone: Sequence[str] = ()) -> None:
        """Put documents in, each replacing what was at its path, and take `gone` out."""
        from mnemic.adapters.sqlite.writer import drop_documents, put_document

        with self._writing() as db:
            if gone:
                with _transaction(db):
                    drop_documents(db, gone)
            for batch in _batches(documents, _BATCH):
                seen: set[str] = set()
                with _transaction(db):
                    for document in batch:
                        put_document(db, document, seen)

    def touch(self, stamps: Sequence[Stamp]) -> None:
        """Note settled stamps of documents whose bytes are as they were."""
        rows = [(stamp.size, stamp.mtime_ns, stamp.inode, stamp.path) for stamp in stamps]
        with self._writing() as db, _transaction(db):
            db.executemany("update document set size = ?, mtime_ns = ?, inode = ?, settled = 1 where path = ?", rows)

    def pending(self, space: Space, limit: int) -> list[PendingText]:
        """Texts that have no vector in `space` yet, newest first."""
        db = self._reading_db()
        if db is None:
            return []
        # The newest copy decides the place; equal texts wait once.
        rows = db.execute(
            f"select key, text, max(id) from piece where {_WITHOUT_VECTOR} group by key order by 3 desc limit ?",  # noqa: S608
            (space.id, limit),
        )
        return [PendingText(key, text) for key, text, _ in rows]

    def pending_count(self, space: Space) -> int:
        """How many texts have no vector in `space` yet."""
        db = self._reading_db()
        if db is None:
            return 0
        query = f"select count(distinct key) from piece where {_WITHOUT_VECTOR}"  # noqa: S608 - own text
        return int(db.execute(query, (space.id,)).fetchone()[0])

    def put_vectors(self, space: Space, texts: Sequence[PendingText], vectors: NDArray[np.float32]) -> None:
        """Store vectors as float16, row by row for `texts`; those whose text is gone meanwhile are left out."""
        if vectors.shape != (len(texts), space.dim):
            message = f"vectors of shape {vectors.shape} for {len(texts)} texts in {space.id} ({space.dim})"
            raise ValueError(message)
        rows = vectors.astype("float16")
        with self._writing() as db, _transaction(db):
            number = _space_row(db, space)
            db.executemany(
                "insert or replace into vector(space, key, data) select ?1, ?2, ?3 "
                "where exists (select 1 from piece where key = ?2)",
                ((number, text.key, row.tobytes()) for text, row in zip(texts, rows, strict=True)),
            )
        self._pack_if_due(space)

    def compact(self) -> None:
        """Write packs and free pages anew, so that no file holds anything that was deleted."""
        with self._writing() as db:
            for name in ("passage_fts", "grp_fts"):
                db.execute(f"insert into {name}({name}) values('optimize')")
            for row, dim, file in db.execute("select id, dim, file from space").fetchall():
                self._write_pack(db, row, dim, file)
            with _transaction(db):
                db.execute("delete from dead_piece")
            db.execute("vacuum")
            db.execute("pragma wal_checkpoint(truncate)")

    @contextmanager
    def reading(self) -> Iterator[IndexReader]:
        """One consistent view, for one query; never waits for a writer."""
        db = self._reading_db()
        if db is None:
            yield EmptyReader()
            return
        db.execute("begin")
        try:
            yield SqliteReader(db, self._spaces, self.path.parent)
        except sqlite3.DatabaseError as error:
            self._forget_connection()
            raise IndexUnavailableError(
                f"The index {self.path} cannot be read: {error}.",
                hint="It is disposable: delete it, the next call builds it anew.",
            ) from error
        finally:
            with suppress(sqlite3.Error):
                db.execute("commit")

    def close(self) -> None:
        """Let go of this thread's connection."""
        self._forget_connection()

    def _reading_db(self) -> sqlite3.Connection | None:
        # A SQLite connection belongs to its thread; the file may be deleted and made anew under us at any time.
        known: tuple[sqlite3.Connection, int] | None = getattr(self._local, "db", None)
        try:
            inode = self.path.stat().st_ino
        except OSError:
            self._forget_connection()
            return None
        if known is not None and known[1] == inode:
            return known[0]
        self._forget_connection()
        db = schema.open_for_reading(self.path)
        if db is not None:
            self._local.db = (db, inode)
        return db

    def _forget_connection(self) -> None:
        known: tuple[sqlite3.Connection, int] | None = getattr(self._local, "db", None)
        if known is not None:
            known[0].close()
            self._local.db = None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self.lock():
            try:
                db = schema.open_for_writing(self.path)
            except (sqlite3.Error, OSError) as error:
                raise IndexUnavailableError(
                    f"The index {self.path} cannot be written: {error}.",
                    hint="Check free space and permissions of its folder.",
                ) from error
            try:
                yield db
            except sqlite3.DatabaseError as error:
                raise IndexUnavailableError(
                    f"The index {self.path} cannot be written: {error}.",
                    hint="It is disposable: delete it, the next call builds it anew.",
                ) from error
            finally:
                db.close()

    def _pack_if_due(self, space: Space) -> None:
        with self._writing() as db:
            row, dim, file = db.execute("select id, dim, file from space where name = ?", (space.id,)).fetchone()
            covered = int(file.rsplit("-", 1)[1].removesuffix(".pack")) if file else 0
            newest, total = db.execute("select max(id), count(*) from vector where space = ?", (row,)).fetchone()
            if (newest or 0) - covered > max(_TAIL_ROWS, _TAIL_SHARE * total):
                self._write_pack(db, row, dim, file)

    def _write_pack(self, db: sqlite3.Connection, space: int, dim: int, old: str | None) -> None:
        from mnemic.adapters.sqlite.vectors import write_pack

        newest = db.execute("select coalesce(max(id), 0) from vector where space = ?", (space,)).fetchone()[0]
        generation = db.execute("select value from meta where key = 'generation'").fetchone()[0]
        name = f"vectors-{space}-g{generation}-{newest}.pack"
        write_pack(self.path.with_name(name), db, space, dim)
        with _transaction(db):
            db.execute("update space set file = ? where id = ?", (name, space))
        if old is not None and old != name:
            # A reader that mapped the old pack keeps it until it lets go; on Windows the file stays until compact.
            with suppress(OSError):
                self.path.with_name(old).unlink(missing_ok=True)


_WITHOUT_VECTOR = (
    "not exists (select 1 from vector v join space s on s.id = v.space where s.name = ?1 and v.key = piece.key)"
)


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, and a new generation."""
    db.execute("begin immediate")
    try:
        yield
        db.execute("update meta set value = value + 1 where key = 'generation'")
        db.execute("commit")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("rollback")
        raise


def _space_row(db: sqlite3.Connection, space: Space) -> int:
    db.execute("insert or ignore into space(name, dim) values(?, ?)", (space.id, space.dim))
    return int(db.execute("select id from space where name = ?", (space.id,)).fetchone()[0])


def _batches(documents: Iterable[IndexedDocument], size: int) -> Iterator[list[IndexedDocument]]:
    batch: list[IndexedDocument] = []
    for document in documents:
        batch.append(document)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
