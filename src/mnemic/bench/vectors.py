"""Vectors kept between runs of a benchmark: embedding takes minutes, everything else seconds.

A vector depends on its space and its text alone, so nothing that changes in the program makes one stale, unlike a kept
bundle. Kept are hashes and numbers, no text.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.domain.spaces import Space
    from mnemic.ports import Embedder

_TABLE = "create table if not exists vector(space text, side text, key blob, data blob, primary key(space, side, key))"
_BATCH = 32

Side = Literal["query", "passage"]


@dataclass(frozen=True, slots=True)
class KeptVectors:
    """`Embedder` that asks `inner` only for texts it has never seen; the others come from the file at `path`.

    Vectors come back bit for bit as they were made. Several processes may share the file.
    """

    inner: Embedder
    path: Path

    @property
    def space(self) -> Space:
        """The space of the inner embedder."""
        return self.inner.space

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the inner embedder."""
        return self._embedded("query", texts, self.inner.embed_queries)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the inner embedder."""
        return self._embedded("passage", texts, self.inner.embed_passages)

    def _embedded(
        self, side: Side, texts: Sequence[str], make: Callable[[Sequence[str]], NDArray[np.float32]]
    ) -> NDArray[np.float32]:
        import numpy as np

        keys = [sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        rows = np.zeros((len(texts), self.space.dim), dtype=np.float32)
        with closing(self._open()) as db:
            query = "select data from vector where space = ? and side = ? and key = ?"
            found = [db.execute(query, (self.space.id, side, key)).fetchone() for key in keys]
            new = [place for place, row in enumerate(found) if row is None]
            for place, row in enumerate(found):
                if row is not None:
                    rows[place] = np.frombuffer(row[0], dtype="<f4")
            for start in range(0, len(new), _BATCH):
                places = new[start : start + _BATCH]
                rows[places] = make([texts[place] for place in places])
                made = [(self.space.id, side, keys[place], rows[place].astype("<f4").tobytes()) for place in places]
                with db:
                    db.executemany("insert or ignore into vector values(?, ?, ?, ?)", made)
        return rows

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self.path, timeout=60)
        db.execute("pragma synchronous=off")  # a lost vector is made again
        db.execute(_TABLE)
        return db
