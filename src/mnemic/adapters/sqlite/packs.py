"""The vectors of one space in a file that is mapped, not read.

The durable copy of every vector is a float16 BLOB in the index. Reading 100,000 of them takes a second, so the writer
now and then lays them into one *pack*. Layout: a header of 4,096 bytes (the format's name, JSON, blanks), then the
float16 rows, then the other arrays, each at a multiple of 64 bytes. A pack that is missing or damaged costs time,
never answers: the same arrays are then made of the BLOBs.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Numbers = tuple[NDArray[np.int64], NDArray[np.int64]]
    Block = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float16]]

BLOCK = 4_096
"""Rows handled at a time: a few megabytes, whatever the size of the whole."""
_MAGIC = "mnemic-pack-2"
_HEADER = 4_096
_ALIGN = 64
_WORD = 64


@dataclass(frozen=True, slots=True)
class Pack:
    """The vectors of a space at one moment.

    Attributes:
        piece: Row numbers of the pieces, `(n,)`, ascending.
        entry: Row numbers of their entries, `(n,)`, ascending too: an entry's pieces are numbered when it is.
        rows: `(n, dim)`.
        bits: Signs of the rows about `center`, a column a row: `(ceil(dim / 64), n)`.
        center: Mean of the rows, `(dim,)`.
        total: Sum of the rows less `center`, `(dim,)`: rounding of `center`, nearly zero.
        outer: Sum of the outer products of the rows less `center`, `(dim, dim)`.
        last_piece: No piece up to this number came later.
        last_vector: No vector up to this number came later.
    """

    piece: NDArray[np.int64]
    entry: NDArray[np.int64]
    rows: NDArray[np.float16]
    bits: NDArray[np.uint64]
    center: NDArray[np.float32]
    total: NDArray[np.float64]
    outer: NDArray[np.float64]
    last_piece: int
    last_vector: int
    _wide: list[NDArray[np.float32]] = field(default_factory=list, repr=False)

    def wide(self) -> NDArray[np.float32]:
        """All rows as float32, converted once."""
        if not self._wide:
            self._wide.append(self.rows.astype(np.float32))
        return self._wide[0]


def empty_pack(center: NDArray[np.float32]) -> Pack:
    """A pack without rows, to start from where there is no file."""
    dim = len(center)
    return Pack(
        piece=np.zeros(0, np.int64), entry=np.zeros(0, np.int64), rows=np.zeros((0, dim), np.float16),
        bits=np.zeros((-(-dim // _WORD), 0), np.uint64), center=center, total=np.zeros(dim), outer=np.zeros((dim, dim)),
        last_piece=0, last_vector=0,
    )  # fmt: skip


def pack_of(db: sqlite3.Connection, space: int, dim: int) -> Pack:
    """The pack of all live vectors of a space, in memory."""
    last_piece, last_vector = newest(db)
    found = list(_blocks(db, space, dim))
    rows = np.concatenate([block[2] for block in found] or [np.zeros((0, dim), np.float16)])
    center = (rows.sum(axis=0, dtype=np.float64) / max(len(rows), 1)).astype(np.float32)
    return _packed([block[:2] for block in found], rows, center, last_piece=last_piece, last_vector=last_vector)


def write_pack(path: Path, db: sqlite3.Connection, space: int, dim: int) -> None:
    """Lay all live vectors of a space into a file at `path`, in blocks: memory does not grow with their number."""
    last_piece, last_vector = newest(db)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w+b") as file:
            file.seek(_HEADER)
            numbers: list[Numbers] = []
            total = np.zeros(dim)
            for piece, entry, rows in _blocks(db, space, dim):
                file.write(rows.tobytes())
                total += rows.sum(axis=0, dtype=np.float64)
                numbers.append((piece, entry))
            file.flush()
            count = sum(len(block[0]) for block in numbers)
            center = (total / max(count, 1)).astype(np.float32)
            written = _mapped_rows(temporary, count, dim)
            _finish(file, _packed(numbers, written, center, last_piece=last_piece, last_vector=last_vector))
            del written  # a file that is mapped cannot be renamed on Windows
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def open_pack(path: Path, dim: int) -> Pack | None:
    """The pack at `path`, mapped; None when it is missing, damaged or of another dimension."""
    try:
        with path.open("rb") as file:
            name, _, facts = file.read(_HEADER).decode("ascii").partition("\n")
        if name != _MAGIC:
            return None
        header = json.loads(facts)
        data = np.memmap(path, np.uint8, mode="r").view(
            np.ndarray
        )  # a plain array: each slice of the other costs 10 µs
        arrays: dict[str, Any] = {
            place["name"]: _array(data, place["dtype"], place["shape"], place["offset"]) for place in header["arrays"]
        }
        pack = Pack(**arrays, last_piece=int(header["last_piece"]), last_vector=int(header["last_vector"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return pack if _agrees(pack, dim) else None


def read_pieces(db: sqlite3.Connection, space: int, dim: int, *, after_piece: int, after_vector: int) -> Block:
    """`(piece, entry, rows)` of the pieces that came after a pack, or whose vector did, by piece."""
    # Cross joins and the plus keep SQLite from beginning with all vectors of the space.
    found = db.execute(
        "select p.id, p.entry, v.data from piece p cross join vector v on v.space = :space and v.key = p.key "
        "where p.id > :piece union all "
        "select p.id, p.entry, v.data from vector v cross join piece p on p.key = v.key "
        "where v.id > :vector and +v.space = :space and p.id <= :piece",
        {"space": space, "piece": after_piece, "vector": after_vector},
    ).fetchall()
    found.sort()
    return _block(found, dim)


def newest(db: sqlite3.Connection) -> tuple[int, int]:
    """The highest numbers that a piece and a vector have; later ones have higher numbers, whatever is deleted."""
    row = db.execute("select (select max(id) from piece), (select max(id) from vector)").fetchone()
    return row[0] or 0, row[1] or 0


def sign_bits(rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    """One bit a component, set where it is positive, in words of 64: `(ceil(dim / 64), n)`."""
    packed = np.packbits(rows > 0, axis=1)
    padded = np.zeros((len(rows), -(-rows.shape[1] // _WORD) * _WORD // 8), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(padded.view(np.uint64).T)


def moments(rows: NDArray[Any], center: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum, and sum of outer products, of the rows less `center`.

    About a point near their mean: cosines of some models all lie close together, and their spread would drown in the
    rounding of sums about zero.
    """
    total = np.zeros(len(center))
    outer = np.zeros((len(center), len(center)))
    for start in range(0, len(rows), BLOCK):
        block = rows[start : start + BLOCK].astype(np.float32) - center
        total += block.sum(axis=0, dtype=np.float64)
        outer += block.T @ block
    return total, outer


def _blocks(db: sqlite3.Connection, space: int, dim: int) -> Iterator[Block]:
    cursor = db.execute(
        "select p.id, p.entry, v.data from piece p cross join vector v on v.space = ? and v.key = p.key order by p.id",
        (space,),
    )
    while found := cursor.fetchmany(BLOCK):
        yield _block(found, dim)


def _block(found: list[tuple[int, int, bytes]], dim: int) -> Block:
    pieces = np.fromiter((row[0] for row in found), np.int64, len(found))
    entries = np.fromiter((row[1] for row in found), np.int64, len(found))
    rows = np.frombuffer(b"".join(row[2] for row in found), np.float16).reshape(len(found), dim)
    return pieces, entries, rows


def _packed(
    numbers: list[Numbers],
    rows: NDArray[np.float16],
    center: NDArray[np.float32],
    *,
    last_piece: int,
    last_vector: int,
) -> Pack:
    none = np.zeros(0, np.int64)
    total, outer = moments(rows, center)
    bits = [
        sign_bits(rows[start : start + BLOCK].astype(np.float32) - center) for start in range(0, len(rows), BLOCK)
    ]  # fmt: skip
    return Pack(
        piece=np.concatenate([none, *(piece for piece, _ in numbers)]),
        entry=np.concatenate([none, *(entry for _, entry in numbers)]),
        rows=rows,
        bits=np.concatenate([np.zeros((-(-len(center) // _WORD), 0), np.uint64), *bits], axis=1),
        center=center,
        total=total,
        outer=outer,
        last_piece=last_piece,
        last_vector=last_vector,
    )


def _finish(file: Any, pack: Pack) -> None:  # noqa: ANN401 - a binary file open for reading and writing
    """Write what follows the rows, and the header."""
    places = [{"name": "rows", "dtype": pack.rows.dtype.str, "shape": pack.rows.shape, "offset": _HEADER}]
    file.seek(_HEADER + pack.rows.nbytes)
    for name in ("piece", "entry", "bits", "center", "total", "outer"):
        array = np.ascontiguousarray(getattr(pack, name))
        file.write(b"\0" * (-file.tell() % _ALIGN))
        places.append({"name": name, "dtype": array.dtype.str, "shape": array.shape, "offset": file.tell()})
        file.write(array.tobytes())
    facts = {"arrays": places, "last_piece": pack.last_piece, "last_vector": pack.last_vector}
    file.seek(0)
    file.write(f"{_MAGIC}\n{json.dumps(facts)}".encode("ascii").ljust(_HEADER))


def _mapped_rows(path: Path, count: int, dim: int) -> NDArray[np.float16]:
    if not count:
        return np.zeros((0, dim), np.float16)
    return np.memmap(path, np.float16, mode="r", offset=_HEADER, shape=(count, dim)).view(np.ndarray)


def _array(data: NDArray[np.uint8], dtype: str, shape: list[int], offset: int) -> NDArray[np.generic]:
    kind = np.dtype(dtype)
    size = int(np.prod(shape)) * kind.itemsize
    return data[offset : offset + size].view(kind).reshape(shape)  # a file that is too short fails here


def _agrees(pack: Pack, dim: int) -> bool:
    count, words = len(pack.piece), -(-dim // _WORD)
    shapes = (pack.rows.shape, pack.entry.shape, pack.bits.shape, pack.center.shape, pack.total.shape, pack.outer.shape)
    return shapes == ((count, dim), (count,), (words, count), (dim,), (dim,), (dim, dim))
