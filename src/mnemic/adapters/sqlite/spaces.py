"""The vectors of each space, kept ready between queries of one process."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from mnemic.adapters.sqlite.vectors import Matrix


@dataclass(slots=True)
class SpaceCache:
    """`Matrix` by space, of the newest generation asked for."""

    _matrices: dict[str, tuple[int, Matrix | None]] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def matrix(self, db: sqlite3.Connection, folder: Path, space: str, generation: int) -> Matrix | None:
        """The live vectors of `space` at `generation`, which `db` is at; None when it has none."""
        with self._guard:
            known = self._matrices.get(space)
            if known is not None and known[0] == generation:
                return known[1]
            matrix = _assembled(db, folder, space)
            self._matrices[space] = (generation, matrix)
            return matrix


def _assembled(db: sqlite3.Connection, folder: Path, space: str) -> Matrix | None:
    from mnemic.adapters.sqlite.vectors import assemble, open_pack

    found = db.execute("select id, dim, file from space where name = ?", (space,)).fetchone()
    if found is None:
        return None
    row, dim, file = found
    # A pack that is missing or was replaced a moment ago costs time, never answers: the BLOBs are the durable copy.
    return assemble(db, row, dim, open_pack(folder / file) if file else None)
