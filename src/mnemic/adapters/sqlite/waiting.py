"""Texts that wait for their vector in a space, and the vectors put in.

`space.complete` is a piece up to which every one has its vector, so that only the newest are looked through.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from mnemic.domain.entries import PendingText

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from mnemic.domain.spaces import Space


class PieceKind(IntEnum):
    """Which spaces a piece is for. The key of a piece depends on it, so no vector is used for the other kind."""

    ANY = 0
    ALONE = 1
    WINDOW = 2


_FOR_WINDOWS = {False: PieceKind.ALONE, True: PieceKind.WINDOW}
_WAITS = "id > ?1 and kind in (0, ?3) and not exists (select 1 from vector v where v.space = ?2 and v.key = piece.key)"


def newest(db: sqlite3.Connection, space: Space, limit: int) -> list[PendingText]:
    """The newest texts without a vector; equal texts once, at the place of the newest of them."""
    found: dict[bytes, str] = {}
    rows = db.execute(f"select key, text from piece where {_WAITS} order by id desc", _bounds(db, space))  # noqa: S608 - own text
    for key, text in rows:
        if len(found) >= limit:
            break
        found.setdefault(key, text)
    return [PendingText(key, text) for key, text in found.items()]


def count(db: sqlite3.Connection, space: Space) -> int:
    """How many different texts have no vector."""
    query = f"select count(distinct key) from piece where {_WAITS}"  # noqa: S608 - own text
    return int(db.execute(query, _bounds(db, space)).fetchone()[0])


def store(db: sqlite3.Connection, space: Space, vectors: Iterable[tuple[bytes, bytes]]) -> None:
    """Put in vectors by the key of their text; not where the text is gone, nor where there is a vector already."""
    db.execute("insert or ignore into space(name, dim) values(?, ?)", (space.id, space.dim))
    complete, number, kind = _bounds(db, space)
    db.executemany(
        "insert or ignore into vector(space, key, data) select ?1, ?2, ?3 "
        "where exists (select 1 from piece where key = ?2)",
        ((number, key, data) for key, data in vectors),
    )
    query = f"select id from piece where {_WAITS} order by id limit 1"  # noqa: S608 - own text
    first = db.execute(query, (complete, number, kind)).fetchone()
    if first is None:
        first = db.execute("select coalesce(max(id), 0) + 1 from piece").fetchone()
    # Where the newest pieces were deleted meanwhile, the highest number is lower than before.
    db.execute("update space set complete = max(complete, ?) where id = ?", (first[0] - 1, number))


def _bounds(db: sqlite3.Connection, space: Space) -> tuple[int, int, int]:
    """The values of `_WAITS`; for a space without any vector those that let every piece wait."""
    found: tuple[int, int] | None = db.execute("select complete, id from space where name = ?", (space.id,)).fetchone()
    return *(found or (0, 0)), _FOR_WINDOWS[space.window]
