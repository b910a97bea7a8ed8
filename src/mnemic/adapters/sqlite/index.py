"""`SearchIndex` in one SQLite file and one pack a vector space."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from mnemic.adapters.sqlite import schema, seen, waiting
from mnemic.adapters.sqlite.memo import Memo
from mnemic.adapters.sqlite.reader import EmptyReader, SqliteReader
from mnemic.adapters.sqlite.schema import transaction
from mnemic.domain.entries import IndexedStamps
from mnemic.errors import (
    ConflictError,
    IndexUnavailableError,
    MnemicError,
    NotFoundError,
    RefusedError,
    WriteFailedError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.domain.documents import Stamp
    from mnemic.domain.entries import PendingText
    from mnemic.domain.entry import IndexedDocument
    from mnemic.domain.spaces import Space
    from mnemic.ports import IndexReader

T = TypeVar("T")
_NOTHING = IndexedStamps(frozenset(), frozenset())
_BATCH = 500
"""Documents a transaction: large enough to be fast, small enough that a killed rebuild keeps most of its work."""
_UNSIGNED = (1 << 64) - 1
_OWED = "erasure-owed"
_HURRIED_MS = 200
"""How long a hurried caller waits for readers of an older state."""


@dataclass(slots=True)
class SqliteIndex:
    """`SearchIndex` at `path`; `lock` gives the bundle's lock, held around every write and checkpoint.

    `short_lock` gives the same lock and waits for it only as long as a reader may.
    Safe to use from any number of threads and processes at once. A damaged file is deleted when the damage is met, and
    is an empty index from then on.
    """

    path: Path
    lock: Callable[[], AbstractContextManager[object]]
    short_lock: Callable[[], AbstractContextManager[object]] | None = None
    _local: threading.local = field(default_factory=threading.local, repr=False)
    _memo: Memo = field(default_factory=Memo, repr=False)

    def indexed(self) -> IndexedStamps:
        """What is known of every file in the index; empty when there is no usable index."""
        return self._ask(self._stamps, _NOTHING)

    def is_current(self, *scans: Sequence[Stamp]) -> bool:
        """Whether these are all the files in the index, each settled at this stamp; at once when asked again."""

        def compared(db: sqlite3.Connection) -> bool:
            generation = _generation(db)
            if self._memo.is_current(generation, scans):
                return True
            if db.execute("select exists (select 1 from document where settled = 0)").fetchone()[0]:
                return False
            found = seen.fingerprint(generation, scans)
            if not seen.is_noted(self.path, found):
                known = self._memo.stamps.get(generation, lambda: _stamps_of(db))
                if len(known.paths) != sum(map(len, scans)) or not all(map(known.settled.issuperset, scans)):
                    return False
                seen.note(self.path, found)
            self._memo.current = (generation, scans)
            return True

        return self._ask(compared, nothing=False)

    def digests(self, paths: Sequence[str]) -> dict[str, str]:
        """SHA-256 of files in the index, by path."""

        def found(db: sqlite3.Connection) -> dict[str, str]:
            rows = (
                db.execute("select path, sha256 from document where path = ?", (path,)).fetchone() for path in paths
            )
            return dict(row for row in rows if row is not None)

        return self._ask(found, {})

    def update(self, documents: Iterable[IndexedDocument], gone: Sequence[str] = ()) -> None:
        """Put documents in, each replacing what was at its path, and take `gone` out."""
        from mnemic.adapters.sqlite import care
        from mnemic.adapters.sqlite.writer import Batch

        with self._writing() as db:
            before = _generation(db)
            stamps: list[tuple[Stamp, bool]] = []
            for batch in _batches(documents, _BATCH):
                with transaction(db):
                    changes = Batch(db)
                    for document in batch:
                        changes.put(document)
                    changes.finish()
                stamps += ((document.stamp, document.settled) for document in batch)
            # Last, so that what moved to another file keeps its vectors.
            if gone:
                with transaction(db):
                    changes = Batch(db)
                    changes.drop(gone)
                    changes.finish()
            self._memo.stamps.move(before, _generation(db), lambda known: _advanced(known, stamps, gone))
            care.pack_if_due(db, self.path.parent)

    def touch(self, stamps: Sequence[Stamp]) -> None:
        """Note settled stamps of documents whose bytes are as they were."""
        rows = [
            (stamp.size, schema.storable(stamp.mtime_ns), schema.signed(stamp.inode), stamp.path) for stamp in stamps
        ]
        with self._writing() as db:
            before = _generation(db)
            with transaction(db):
                db.executemany(
                    "update document set size = ?, mtime_ns = ?, inode = ?, settled = 1 where path = ?", rows
                )
            settled = [(stamp, True) for stamp in stamps]
            self._memo.stamps.move(before, _generation(db), lambda known: _advanced(known, settled, ()))

    def pending(self, space: Space, limit: int) -> list[PendingText]:
        """Texts that have no vector in `space` yet, newest first; equal texts once, by the newest of them."""
        return self._ask(lambda db: waiting.newest(db, space, limit), [])

    def pending_count(self, space: Space) -> int:
        """How many texts have no vector in `space` yet."""
        return self._ask(lambda db: waiting.count(db, space), 0)

    def put_vectors(self, space: Space, texts: Sequence[PendingText], vectors: NDArray[np.float32]) -> None:
        """Store vectors as float16, row by row for `texts`; those whose text is gone meanwhile are left out.

        A text that has a vector already keeps it: two processes may have embedded it at the same time.

        Raises:
            ValueError: The vectors have another shape than the space and the texts, or are not finite.
        """
        import numpy as np

        from mnemic.adapters.sqlite import care

        if vectors.shape != (len(texts), space.dim):
            raise ValueError(f"vectors of shape {vectors.shape} for {len(texts)} texts in {space.id} ({space.dim})")
        if not (np.abs(vectors) <= np.finfo(np.float16).max).all():
            raise ValueError(f"vectors in {space.id} that are not finite, or too long")
        rows = vectors.astype(np.float16)
        with self._writing() as db:
            with transaction(db):
                waiting.store(db, space, ((text.key, row.tobytes()) for text, row in zip(texts, rows, strict=True)))
            care.pack_if_due(db, self.path.parent)

    def discard(self) -> None:
        """Delete the index and its packs, and what else stands in its place; the next update builds it anew.

        Raises:
            IndexUnavailableError: The system does not let us.
        """
        self.close()
        with self.lock():
            try:
                schema.remove(self.path, folders=True)
            except OSError as error:
                raise IndexUnavailableError(
                    f"The index {self.path} cannot be deleted: {(error.strerror or str(error)).lower()}.",
                    hint="Check the permissions of its folder, or delete it by hand: nothing is lost.",
                ) from error
            for pack in self.path.parent.glob("vectors-*.pack*"):
                with suppress(OSError):
                    pack.unlink()

    @contextmanager
    def erasing(self, note: str = "") -> Iterator[None]:
        """Around a removal that must leave no trace; holds the lock, so that nobody finishes what has only begun.

        Raises:
            WriteFailedError: What is owed could not be noted.
        """
        from mnemic.adapters.sqlite import care

        path = self.path.with_name(_OWED)
        with self.lock():
            before = care.notes(path) if self.erasure_owed() else None
            try:
                care.note(path, (*(before or ()), *([note] if note else [])))
            except OSError as error:
                raise WriteFailedError(str(path), error.strerror or str(error)) from error
            try:
                yield
            except (NotFoundError, ConflictError, RefusedError):
                if before is None:
                    care.strike(path)
                else:
                    care.note(path, before)
                raise

    @contextmanager
    def settling(self) -> Iterator[tuple[str, ...]]:
        """The notes of removals; they are dropped when the block ends well, and what remains owed is ours alone.

        Raises:
            BundleBusyError: Somebody else is at it.
            WriteFailedError: They could not be dropped.
        """
        from mnemic.adapters.sqlite import care

        path = self.path.with_name(_OWED)
        if not care.notes(path):
            yield ()
            return
        with self.lock_now():
            yield care.notes(path)
            try:
                if self.erasure_owed():
                    care.note(path, ())
            except OSError as error:
                raise WriteFailedError(str(path), error.strerror or str(error)) from error

    def erasure_owed(self) -> bool:
        """Whether a removal was begun whose traces may still be in the files."""
        return os.path.exists(self.path.with_name(_OWED))  # noqa: PTH110 - False where we may not look

    def finish_erasure(self) -> None:
        """Compact, if it is owed. Raises as `compact`."""
        with self.lock_now():
            if self.erasure_owed():  # another process may have done it while we waited
                self.compact()

    def compact(self) -> None:
        """Write packs and pages anew, so that no file holds anything that was deleted; no erasure is owed then.

        Raises:
            IndexUnavailableError: The disk is full, or somebody read an older state for longer than we wait.
        """
        from mnemic.adapters.sqlite import care

        with self._writing() as db:
            if self._is_hurried():
                db.execute(f"pragma busy_timeout={_HURRIED_MS}")
            try:
                done = care.compact(db, self.path.parent)
                if done and not care.notes(self.path.with_name(_OWED)):
                    care.strike(self.path.with_name(_OWED))
            except OSError as error:
                raise self._unwritable(error) from error
        if not done:
            raise IndexUnavailableError(
                f"The index {self.path} is still read by another process; its log may hold what was deleted.",
                hint="End that process, or try again when it has finished.",
            )

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """Within it this thread's writes give up soon where another process is writing."""
        before = self._is_hurried()
        self._local.hurried = True
        try:
            yield
        finally:
            self._local.hurried = before

    @contextmanager
    def reading(self) -> Iterator[IndexReader]:
        """One consistent view, for one query; never waits for a writer. Within another one it is the same view.

        Raises:
            IndexUnavailableError: The file cannot be read, or its damage was met on the way.
        """
        try:
            db = self._reading_db()
        except sqlite3.Error as error:
            raise self._broken(error) from error
        if db is None:
            with closing(EmptyReader()) as nothing:
                yield nothing
            return
        within = db.in_transaction
        if not within:
            db.execute("begin")
        try:
            yield SqliteReader(db, self._memo, self.path.parent)
        except sqlite3.DatabaseError as error:
            raise self._broken(error) from error
        finally:
            if not within:
                with suppress(sqlite3.Error):
                    db.execute("commit")

    def close(self) -> None:
        """Let go of this thread's connection."""
        self._local.open = None

    def _stamps(self, db: sqlite3.Connection) -> IndexedStamps:
        return self._memo.stamps.get(_generation(db), lambda: _stamps_of(db))

    def _ask(self, question: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        """The index's answer; `nothing` where there is none, or it turns out to be damaged."""
        try:
            db = self._reading_db()
            return nothing if db is None else question(db)
        except sqlite3.Error as error:
            failure = self._broken(error)
            if schema.is_damage(error):
                return nothing
            raise failure from error

    def _reading_db(self) -> sqlite3.Connection | None:
        # A SQLite connection belongs to its thread; the file may be deleted and made anew under us at any time.
        known: _Open | None = getattr(self._local, "open", None)
        if known is not None and known.db.in_transaction:
            return known.db
        try:
            state = self.path.stat()
        except OSError:
            self._local.open = None
            return None
        if known is not None and known.is_of(state.st_ino, state.st_mtime_ns):
            return known.db
        self._local.open = None
        opened = schema.open_for_reading(self.path)
        if opened is None:
            return None
        db, fixed = opened
        self._local.open = _Open(db, state.st_ino, state.st_mtime_ns if fixed else None)
        return db

    def _broken(self, error: sqlite3.Error) -> IndexUnavailableError:
        """What to raise for an error met while reading; a damaged file is deleted first."""
        known: _Open | None = getattr(self._local, "open", None)
        self._local.open = None
        if not schema.is_damage(error):
            why = schema.explained(self.path, error)
            hint = "" if why.endswith(schema.DISPOSABLE) else "Check that no other program holds the file."
            return IndexUnavailableError(f"The index {self.path} cannot be read: {why}.", hint=hint)
        # Not when it was replaced since: what is there now is another index.
        with suppress(OSError, MnemicError), self.lock():
            if known is None or known.inode == self.path.stat().st_ino:
                schema.remove(self.path)
        return IndexUnavailableError(
            f"The index {self.path} was damaged: {error}.",
            hint="It is disposable: try again, the next call builds it anew. If it does not, delete the file.",
        )

    def _is_hurried(self) -> bool:
        return bool(getattr(self._local, "hurried", False))

    def lock_now(self) -> AbstractContextManager[object]:
        """The bundle's lock, waited for as long as this thread's writes may; for what is written together with this."""
        return self.short_lock() if self._is_hurried() and self.short_lock is not None else self.lock()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self.lock_now():
            try:
                db = schema.open_for_writing(self.path)
            except (sqlite3.Error, OSError) as error:
                raise self._unwritable(error) from error
            try:
                yield db
            except sqlite3.DatabaseError as error:
                db.close()
                raise self._unwritable(error) from error
            finally:
                db.close()

    def _unwritable(self, error: sqlite3.Error | OSError) -> IndexUnavailableError:
        """What to raise for an error met while writing; a damaged file is deleted first. The lock is held."""
        hint = "Check free space and the permissions of its folder."
        if isinstance(error, sqlite3.Error) and schema.is_damage(error):
            schema.remove(self.path)
            hint = "It was damaged and has been deleted; the next call builds it anew."
        why = schema.explained(self.path, error)
        hint = "" if why.endswith(schema.DISPOSABLE) else hint
        return IndexUnavailableError(f"The index {self.path} cannot be written: {why}.", hint=hint)


@dataclass(frozen=True, slots=True)
class _Open:
    """A thread's connection and the file it is to; closed when the thread, or the index, is gone."""

    db: sqlite3.Connection
    inode: int
    mtime_ns: int | None

    def is_of(self, inode: int, mtime_ns: int) -> bool:
        return inode == self.inode and self.mtime_ns in {None, mtime_ns}

    def __del__(self) -> None:
        self.db.close()


def _generation(db: sqlite3.Connection) -> int:
    return int(db.execute("select value from meta where key = 'generation'").fetchone()[0])


def _advanced(known: IndexedStamps, stamps: Sequence[tuple[Stamp, bool]], gone: Sequence[str]) -> IndexedStamps:
    """What is known after an update, without reading it all from the file again."""
    settled: dict[str, tuple[str, int, int, int]] = {row[0]: row for row in known.settled}
    paths = set(known.paths)
    for path in gone:
        settled.pop(path, None)
        paths.discard(path)
    for stamp, is_settled in stamps:
        settled.pop(stamp.path, None)
        paths.add(stamp.path)
        if is_settled:
            settled[stamp.path] = stamp
    return IndexedStamps(frozenset(settled.values()), frozenset(paths))


def _stamps_of(db: sqlite3.Connection) -> IndexedStamps:
    settled = frozenset(db.execute("select path, size, mtime_ns, inode from document where settled"))
    young = [path for (path,) in db.execute("select path from document where settled = 0")]
    if db.execute("select exists (select 1 from document where inode < 0)").fetchone()[0]:
        settled = frozenset((path, size, mtime_ns, inode & _UNSIGNED) for path, size, mtime_ns, inode in settled)
    return IndexedStamps(settled, frozenset([*map(itemgetter(0), settled), *young]))


def _batches(documents: Iterable[IndexedDocument], size: int) -> Iterator[list[IndexedDocument]]:
    batch: list[IndexedDocument] = []
    for document in documents:
        batch.append(document)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
