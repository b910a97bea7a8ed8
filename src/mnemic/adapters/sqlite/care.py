"""What a writer does for those who read, now and then: new packs, full-text segments in one, no traces of the dead."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from mnemic.adapters.sqlite.schema import transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

_TAIL_ROWS = 2_000
"""Vectors outside a pack, or dead in it, after which it is written anew if they are also a share of all."""
_TAIL_SHARE = 0.05


class _Space(NamedTuple):
    row: int
    dim: int
    file: str | None
    packed: int


def pack_if_due(db: sqlite3.Connection, folder: Path) -> None:
    """New packs where many vectors are in none, or many in them are dead."""
    dead = db.execute("select count(*) from dead_piece").fetchone()[0]
    spaces = _spaces(db)
    everywhere = _is_much(db, dead)
    due = spaces if everywhere else [space for space in spaces if _is_late(db, space)]
    if due or everywhere:
        # Without a pack reading is slower and as right: a full disk is no reason to fail what was asked for.
        with suppress(OSError):
            _write_packs(db, folder, due, clears_dead=everywhere)


def compact(db: sqlite3.Connection, folder: Path) -> bool:
    """Write everything anew; tells whether a reader kept some of the old pages alive.

    Raises:
        OSError: A pack could not be written.
    """
    for name in ("passage_fts", "grp_fts"):
        db.execute(f"insert into {name}({name}) values('optimize')")
    _write_packs(db, folder, _spaces(db), clears_dead=True)
    db.execute("pragma temp_store=file")  # in memory the whole index would have to fit
    db.execute("vacuum")
    return not db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]


def note(path: Path, lines: Sequence[str] = ()) -> None:
    """Make a file of these lines that is there after a power cut too; what it held before is replaced as a whole."""
    if not path.exists() or notes(path) != tuple(lines):
        path.parent.mkdir(exist_ok=True)
        fresh = path.with_name(f"{path.name}.new")
        with fresh.open("wb") as file:
            file.write("".join(f"{line}\n" for line in lines).encode())
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    _sync_folder(path.parent)


def notes(path: Path) -> tuple[str, ...]:
    """The lines of such a file; none where there is no file."""
    try:
        return tuple(path.read_text("utf-8", "replace").splitlines())
    except OSError:
        return ()


def strike(path: Path) -> None:
    """Take a note away, after what was deleted before it is gone durably."""
    _sync_folder(path.parent)
    path.with_name(f"{path.name}.new").unlink(missing_ok=True)
    path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return  # Windows opens no folders; its journal keeps names in order
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _write_packs(db: sqlite3.Connection, folder: Path, spaces: Sequence[_Space], *, clears_dead: bool) -> None:
    """Packs of `spaces` anew. `clears_dead` only with all spaces: no pack then knows any of the dead."""
    from mnemic.adapters.sqlite.packs import write_pack

    generation = db.execute("select value from meta where key = 'generation'").fetchone()[0]
    newest = db.execute("select coalesce(max(id), 0) from vector").fetchone()[0]
    names = {space.row: f"vectors-{space.row}-{generation + 1}.pack" for space in spaces}
    for space in spaces:
        write_pack(folder / names[space.row], db, space.row, space.dim)
    with transaction(db):
        db.executemany(
            "update space set file = ?, packed = ? where id = ?", ((name, newest, row) for row, name in names.items())
        )
        if clears_dead:
            db.execute("delete from dead_piece")
    _sweep(db, folder)


def _sweep(db: sqlite3.Connection, folder: Path) -> None:
    """Delete packs that belong to no space, those of an index before this one and of a killed writer included.

    A reader that mapped one keeps it until it lets go; where that keeps the file, a later sweep takes it.
    """
    kept = {space.file for space in _spaces(db)}
    for path in folder.glob("vectors-*.pack*"):
        if path.name not in kept:
            with suppress(OSError):
                path.unlink()


def _spaces(db: sqlite3.Connection) -> list[_Space]:
    return [_Space(*row) for row in db.execute("select id, dim, file, packed from space order by id")]


def _is_late(db: sqlite3.Connection, space: _Space) -> bool:
    """Whether a space has many vectors that its pack does not."""
    newest = db.execute("select coalesce(max(id), 0) from vector").fetchone()[0]
    if not _is_much(db, newest - space.packed):  # at most so many; to count them takes longer
        return False
    query = "select count(*) from vector where id > ? and +space = ?"
    return _is_much(db, db.execute(query, (space.packed, space.row)).fetchone()[0])


def _is_much(db: sqlite3.Connection, rows: int) -> bool:
    if rows <= _TAIL_ROWS:
        return False
    total = db.execute("select count(*) from piece").fetchone()[0]
    return rows > _TAIL_SHARE * float(total)
