"""`SearchIndex` that is nowhere but in memory: for texts that must not touch the disk, and are searched once."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from mnemic.adapters.sqlite import schema, waiting
from mnemic.adapters.sqlite.memo import Memo
from mnemic.adapters.sqlite.reader import SqliteReader
from mnemic.adapters.sqlite.schema import transaction
from mnemic.domain.entries import IndexedStamps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.domain.documents import Stamp
    from mnemic.domain.entries import PendingText
    from mnemic.domain.entry import IndexedDocument
    from mnemic.domain.spaces import Space
    from mnemic.ports import IndexReader


class PassingIndex:
    """`SearchIndex` of one thread. It is of no files, so that it is current whatever stands in them."""

    def __init__(self) -> None:
        self._memo = Memo()
        self._db = sqlite3.connect(":memory:", isolation_level=None)
        self._db.execute("pragma temp_store=memory")  # what SQLite sorts must not touch the disk either
        schema.create(self._db)

    def indexed(self) -> IndexedStamps:
        """As the port says."""
        paths = frozenset(path for (path,) in self._db.execute("select path from document"))
        return IndexedStamps(frozenset(), paths)

    def is_current(self, *scans: Sequence[Stamp]) -> bool:  # noqa: ARG002 - the port's signature
        """Always: nothing outside of it says what should be in it."""
        return True

    def digests(self, paths: Sequence[str]) -> dict[str, str]:
        """As the port says."""
        known = dict(self._db.execute("select path, sha256 from document"))
        return {path: known[path] for path in paths if path in known}

    def update(self, documents: Iterable[IndexedDocument], gone: Sequence[str] = ()) -> None:
        """As the port says."""
        from mnemic.adapters.sqlite.writer import Batch

        with transaction(self._db):
            changes = Batch(self._db)
            for document in documents:
                changes.put(document)
            changes.drop(gone)
            changes.finish()

    def touch(self, stamps: Sequence[Stamp]) -> None:
        """There are no files that could have other stamps."""

    def pending(self, space: Space, limit: int) -> list[PendingText]:
        """As the port says."""
        return waiting.newest(self._db, space, limit)

    def pending_count(self, space: Space) -> int:
        """As the port says."""
        return waiting.count(self._db, space)

    def put_vectors(self, space: Space, texts: Sequence[PendingText], vectors: NDArray[np.float32]) -> None:
        """As the port says."""
        import numpy as np

        rows = vectors.astype(np.float16)
        with transaction(self._db):
            waiting.store(self._db, space, ((text.key, row.tobytes()) for text, row in zip(texts, rows, strict=True)))

    def discard(self) -> None:
        """Nothing is left of it; it cannot be used any more."""
        self._db.close()

    def erasing(self, note: str = "") -> AbstractContextManager[None]:  # noqa: ARG002 - the port's signature
        """Nothing of it is on a disk."""
        return nullcontext()

    def settling(self) -> AbstractContextManager[tuple[str, ...]]:
        """Nothing was noted."""
        return nullcontext(())

    def erasure_owed(self) -> bool:
        """Never."""
        return False

    def finish_erasure(self) -> None:
        """Nothing of it is on a disk."""

    def hurried(self) -> AbstractContextManager[None]:
        """Nobody else writes."""
        return nullcontext()

    @contextmanager
    def reading(self) -> Iterator[IndexReader]:
        """As the port says."""
        from pathlib import Path

        yield SqliteReader(self._db, self._memo, Path())
