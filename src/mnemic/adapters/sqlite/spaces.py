"""The vectors of each space, kept ready between queries of one process and brought up to date by what changed."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.adapters.sqlite.packs import Pack
    from mnemic.adapters.sqlite.vectors import Matrix


@dataclass(slots=True)
class SpaceCache:
    """`Matrix` by space, of the newest generation asked for. `exact_rows` as in `vectors`."""

    exact_rows: int | None = None
    _live: dict[str, _Live] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def matrix(self, db: sqlite3.Connection, folder: Path, space: str, generation: int) -> Matrix | None:
        """The live vectors of `space` at `generation`, which `db` is at; None when it has none."""
        with self._guard:
            known = self._live.get(space)
            if known is not None and known.generation == generation:
                return known.matrix
            found = db.execute(_SPACE, (space,)).fetchone()
            if found is None:
                return None
            if known is None or known.space != found or known.generation > generation:
                known = _opened(db, folder, found)
            known.advance(db, generation, self.exact_rows)
            newest = self._live.get(space)
            # A reader that began before the newest change must not push out what everybody else is going to need.
            if newest is None or newest.generation <= generation:
                self._live[space] = known
            return known.matrix


_SPACE = "select id, dim, file, (select value from meta where key = 'born') from space where name = ?"


class _Live:
    """A pack, and everything that happened since it was written, up to a generation. Guarded by its cache."""

    def __init__(self, space: tuple[int, int, str | None, int], pack: Pack) -> None:
        import numpy as np

        self.space, self.pack = space, pack
        self.generation = 0
        self.matrix: Matrix | None = None
        self._last_piece, self._last_vector, self._last_dead = pack.last_piece, pack.last_vector, 0
        self._count, self._total, self._outer = len(pack.piece), pack.total, pack.outer
        self._alive: NDArray[np.bool_] | None = None
        self._tail_alive: NDArray[np.bool_] | None = None
        self._piece, self._entry = _Growing(np.int64), _Growing(np.int64)
        self._rows = _Growing(np.float32, len(pack.center))

    def advance(self, db: sqlite3.Connection, generation: int, exact_rows: int | None) -> None:
        """Take in what came and what died. Matrices given out before stay as they are."""
        from mnemic.adapters.sqlite.vectors import EXACT_ROWS, Matrix, Tail

        self._add(db)
        self._remove(db)
        self.generation = generation
        self.matrix = None if not self._count else Matrix(
            pack=self.pack, alive=self._alive, tail=Tail(self._entry.all(), self._rows.all(), self._tail_alive),
            count=self._count, total=self._total, outer=self._outer,
            exact_rows=EXACT_ROWS if exact_rows is None else exact_rows,
        )  # fmt: skip

    def _add(self, db: sqlite3.Connection) -> None:
        import numpy as np

        from mnemic.adapters.sqlite.packs import moments, newest, read_pieces

        number, dim, _file, _born = self.space
        piece, entry, rows = read_pieces(db, number, dim, after_piece=self._last_piece, after_vector=self._last_vector)
        last_piece, last_vector = newest(db)
        self._last_piece, self._last_vector = max(self._last_piece, last_piece), max(self._last_vector, last_vector)
        if not len(piece):
            return
        self._piece.append(piece)
        self._entry.append(entry)
        self._rows.append(rows)
        if self._tail_alive is not None:
            self._tail_alive = np.concatenate((self._tail_alive, np.ones(len(piece), np.bool_)))
        self._count_in(moments(rows, self.pack.center), len(piece))

    def _remove(self, db: sqlite3.Connection) -> None:
        import numpy as np

        from mnemic.adapters.sqlite.packs import moments

        found = db.execute("select id, piece from dead_piece where id > ?", (self._last_dead,)).fetchall()
        if not found:
            return
        self._last_dead = max(number for number, _ in found)
        dead = np.fromiter((piece for _, piece in found), np.int64, len(found))
        packed = np.isin(self.pack.piece, dead)
        if packed.any():
            self._alive = ~packed if self._alive is None else self._alive & ~packed
            total, outer = moments(self.pack.rows[packed], self.pack.center)
            self._count_in((-total, -outer), -int(packed.sum()))
        late = np.isin(self._piece.all(), dead)
        if late.any():
            self._tail_alive = ~late if self._tail_alive is None else self._tail_alive & ~late
            total, outer = moments(self._rows.all()[late], self.pack.center)
            self._count_in((-total, -outer), -int(late.sum()))

    def _count_in(self, sums: tuple[NDArray[np.float64], NDArray[np.float64]], count: int) -> None:
        self._total, self._outer = self._total + sums[0], self._outer + sums[1]
        self._count += count


class _Growing:
    """An array that grows at its end. What `all` gave stays as it was: rows are only ever added behind it."""

    def __init__(self, dtype: type[np.generic], dim: int | None = None) -> None:
        import numpy as np

        self._data: NDArray[Any] = np.zeros((0,) if dim is None else (0, dim), dtype)
        self._length = 0

    def append(self, rows: NDArray[Any]) -> None:
        """Add rows, converted to the array's type."""
        import numpy as np

        length = self._length + len(rows)
        if length > len(self._data):
            larger = np.zeros((max(length, 2 * len(self._data)), *self._data.shape[1:]), self._data.dtype)
            larger[: self._length] = self._data[: self._length]
            self._data = larger
        self._data[self._length : length] = rows
        self._length = length

    def all(self) -> NDArray[Any]:
        """Everything so far."""
        return self._data[: self._length]


def _opened(db: sqlite3.Connection, folder: Path, space: tuple[int, int, str | None, int]) -> _Live:
    from mnemic.adapters.sqlite.packs import empty_pack, open_pack, pack_of, read_pieces

    number, dim, file, _born = space
    if file is None:
        _piece, _entry, rows = read_pieces(db, number, dim, after_piece=0, after_vector=0)
        # Any point near the mean will do; the first vectors are as good as all.
        import numpy as np

        center = rows.mean(axis=0, dtype=np.float64) if len(rows) else np.zeros(dim)
        return _Live(space, empty_pack(center.astype(np.float32)))
    # A pack that is missing or was replaced a moment ago costs time, never answers: the BLOBs are the durable copy.
    return _Live(space, open_pack(folder / file, dim) or pack_of(db, number, dim))
