"""The bare minimum that a recall or a write stands on, done as plainly as it can be done."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.text.analyzer import query_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.domain.spaces import Space

_ROWS = 100
_BUDGET_POSTINGS = 20_000
_BUDGET_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class BareIndex:
    """The index file and nothing else: one FTS5 statement, one matrix product a space."""

    path: Path

    def connect(self) -> sqlite3.Connection:
        """A new read-only connection."""
        db = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True)
        db.execute("pragma mmap_size=268435456")
        return db

    def matrix(self, space: Space) -> NDArray[np.float32]:
        """All vectors of a space, (n, dim), in single precision."""
        import numpy as np

        with closing(self.connect()) as db:
            query = "select v.data from vector v join space s on s.id = v.space where s.name = ? order by v.id"
            rows = [row for (row,) in db.execute(query, (space.id,))]
        return np.frombuffer(b"".join(rows), dtype="<f2").reshape(-1, space.dim).astype(np.float32)


def pruned(frequencies: Mapping[str, int], passages: int) -> list[str]:
    """The rarest terms whose passages together stay within 20,000 or 2 % of all, whichever is more; at least one.

    So much a search engine may leave out without harm, and the product does.

    Args:
        frequencies: How many passages hold each term.
        passages: How many there are.
    """
    budget = max(_BUDGET_POSTINGS, _BUDGET_SHARE * passages)
    kept: list[str] = []
    for term in sorted(frequencies, key=lambda term: (frequencies[term], term)):
        budget -= frequencies[term]
        if budget < 0 and kept:
            break
        kept.append(term)
    return kept


def terms_of(query: str) -> list[str]:
    """The words of a query as the index knows them, without stop words."""
    return [term for term in query_terms(query).terms if not term.endswith("*")]


def full_text(db: sqlite3.Connection, terms: Sequence[str]) -> list[tuple[int, float]]:
    """The best passages that hold any of the terms."""
    expression = " OR ".join(f'"{term}"' for term in terms)
    query = "select rowid, rank from passage_fts where passage_fts match ? order by rank limit ?"
    return db.execute(query, (expression, _ROWS)).fetchall() if terms else []


def scanned(folder: str) -> int:
    """Look at every file below a folder: `os.scandir` and a `stat` each; says how many there are."""
    count = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                count += scanned(entry.path)
            else:
                entry.stat(follow_symlinks=False)
                count += 1
    return count


def durable_write(path: Path, text: str) -> None:
    """A file that survives a power cut: temporary file, fsync, rename, fsync of the folder."""
    temporary = path.with_name(f"{path.name}.tmp")
    with temporary.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    if os.name == "nt":
        return  # Windows flushes a folder by itself, and offers no way to ask for it
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
