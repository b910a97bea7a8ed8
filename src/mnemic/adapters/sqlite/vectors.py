"""Vectors for reading: a mapped file per space, plus what was added or taken away since it was written.

The durable copy of every vector is a float16 BLOB in the index. Reading 100,000 BLOBs takes a second, so the writer
now and then lays them into one *pack*: row numbers, sign bits and float16 rows, ready to be mapped. A reader takes
the pack, adds rows of pieces that came after it, and leaves out those that died since, so its answers depend on the
live vectors alone and not on when the pack was written.

Up to `EXACT_ROWS` rows every cosine is computed. Above, the Hamming distance of sign bits about the mean chooses
`RESCORED` rows for exact cosines (research: recall@10 of 0.98 and better at a fraction of the time).
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

EXACT_ROWS = 50_000
RESCORED = 4_000
_MAGIC = b"mnemic-pack-1\n"
_ALIGN = 64
_BLOCK = 16_384
_SMALLEST_SPREAD = 1e-6
"""A standard deviation below this is rounding noise: such a space (one text, many copies) tells nothing apart."""


@dataclass(frozen=True, slots=True)
class Pack:
    """Rows of one space as a file holds them; `piece`, `entry` are index rows, `last_*` the newest ones covered."""

    piece: NDArray[np.int64]
    entry: NDArray[np.int64]
    rows: NDArray[np.float16]
    bits: NDArray[np.uint64]
    mean: NDArray[np.float64]
    moment: NDArray[np.float64]
    last_piece: int
    last_vector: int


@dataclass(slots=True)
class Matrix:
    """The live vectors of one space at one generation, ready to be asked.

    `mean` and `moment` (dim, dim) are the mean and the second moment of all live rows: with them a cosine is
    standardized without computing the others, `z = (q.v - q.mean) / sqrt(q'Mq - (q.mean)^2)`.
    """

    entry: NDArray[np.int64]
    rows: NDArray[np.float16]
    bits: NDArray[np.uint64]
    alive: NDArray[np.bool_] | None
    count: int
    mean: NDArray[np.float64]
    moment: NDArray[np.float64]
    center: NDArray[np.float32]
    _exact: NDArray[np.float32] | None = None
    _order: NDArray[np.int64] | None = field(default=None, repr=False)

    def spread(self, query: NDArray[np.float32]) -> tuple[float, float]:
        """Mean and standard deviation of the cosine of `query` with all live rows."""
        wide = query.astype(np.float64)
        mean = float(wide @ self.mean)
        variance = float(wide @ self.moment @ wide) - mean * mean
        return mean, float(np.sqrt(max(variance, 0.0)))

    def exact(self) -> NDArray[np.float32]:
        """All rows as float32, converted once."""
        if self._exact is None:
            self._exact = self.rows.astype(np.float32)
        return self._exact

    def best(
        self, query: NDArray[np.float32], limit: int, allowed: NDArray[np.bool_] | None
    ) -> list[tuple[int, float]]:
        """`(entry, cosine)` of the nearest entries, each by its best row; ties by row."""
        mask = _both(self.alive, allowed)
        if len(self.entry) <= EXACT_ROWS:
            chosen = np.arange(len(self.entry)) if mask is None else np.flatnonzero(mask)
            cosines = self.exact() @ query if mask is None else self.exact()[chosen] @ query
        else:
            chosen = self._near(query, mask)
            cosines = self.rows[chosen].astype(np.float32) @ query
        return _best_entries(self.entry[chosen], cosines, limit)

    def of_entries(self, query: NDArray[np.float32], entries: Sequence[int]) -> dict[int, float]:
        """The best cosine of given entries; those without a row are left out."""
        if self._order is None:
            self._order = np.argsort(self.entry, kind="stable")
        sorted_entries = self.entry[self._order]
        wanted = np.asarray(entries, dtype=np.int64)
        first = np.searchsorted(sorted_entries, wanted, side="left")
        past = np.searchsorted(sorted_entries, wanted, side="right")
        counts = past - first
        flat = np.repeat(first - np.concatenate(([0], np.cumsum(counts)[:-1])), counts) + np.arange(counts.sum())
        rows = self._order[flat]
        if self.alive is not None:
            rows = rows[self.alive[rows]]
        block = self._exact[rows] if self._exact is not None else self.rows[rows].astype(np.float32)
        return dict(_best_entries(self.entry[rows], block @ query, len(rows)))

    def _near(self, query: NDArray[np.float32], mask: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        rows = None if mask is None else np.flatnonzero(mask)
        if rows is not None and len(rows) <= EXACT_ROWS:
            return rows
        bits = self.bits if rows is None else self.bits[rows]
        wanted = sign_bits((query - self.center)[np.newaxis])[0]
        distance = np.zeros(len(bits), dtype=np.uint16)
        for start in range(0, len(bits), _BLOCK):  # blocks stay in the processor's cache
            different = np.bitwise_count(bits[start : start + _BLOCK] ^ wanted)
            distance[start : start + _BLOCK] = different.sum(axis=1, dtype=np.uint16)
        nearest = np.argpartition(distance, min(RESCORED, len(distance) - 1))[:RESCORED]
        nearest.sort()
        return nearest if rows is None else rows[nearest]


def _both(a: NDArray[np.bool_] | None, b: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    if a is None or b is None:
        return b if a is None else a
    return a & b


def _best_entries(entry: NDArray[np.int64], cosine: NDArray[np.float32], limit: int) -> list[tuple[int, float]]:
    """Each entry once with its best cosine, highest first, ties by entry."""
    reach = min(len(cosine), limit * 8)  # an entry may have several rows; eight are more than entries have on average
    if reach < len(cosine):
        near = np.argpartition(-cosine, reach - 1)[:reach]
        entry, cosine = entry[near], cosine[near]
    order = np.lexsort((entry, -cosine))
    best: dict[int, float] = {}
    for row, value in zip(entry[order].tolist(), cosine[order].tolist(), strict=True):
        if row not in best:
            best[row] = value
            if len(best) == limit:
                break
    return list(best.items())


def sign_bits(rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    """One bit a component, set where it is positive, packed into 64-bit words: `(n, ceil(dim / 64))`."""
    packed = np.packbits(rows > 0, axis=1)
    width = -(-packed.shape[1] // 8) * 8
    padded = np.zeros((len(rows), width), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)


def moments(rows: NDArray[np.float16]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum and sum of outer products of the rows, `(dim,)` and `(dim, dim)`."""
    total = np.zeros(rows.shape[1])
    outer = np.zeros((rows.shape[1], rows.shape[1]))
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK].astype(np.float32)
        total += block.sum(axis=0, dtype=np.float64)
        outer += block.T @ block
    return total, outer


def read_pieces(
    db: sqlite3.Connection, space: int, dim: int, *, after_piece: int = 0, after_vector: int | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float16], int]:  # fmt: skip
    """Pieces that came after a pack, or whose vector did: `(piece, entry, rows, newest vector)`, by piece."""
    query = (
        "select p.id, p.entry, v.data, v.id from piece p join vector v on v.key = p.key and v.space = :space "
        "where p.id > :piece"
    )
    if after_vector is not None:
        query += (
            " union select p.id, p.entry, v.data, v.id from vector v join piece p on p.key = v.key "
            "where v.id > :vector and v.space = :space"
        )
    found = db.execute(query, {"space": space, "piece": after_piece, "vector": after_vector}).fetchall()
    found.sort()
    pieces = np.fromiter((row[0] for row in found), np.int64, len(found))
    entries = np.fromiter((row[1] for row in found), np.int64, len(found))
    rows = np.frombuffer(b"".join(row[2] for row in found), np.float16).reshape(len(found), dim)
    return pieces, entries, rows, max((row[3] for row in found), default=0)


def write_pack(path: Path, db: sqlite3.Connection, space: int, dim: int) -> None:
    """Lay all live vectors of a space into a file at `path`."""
    pieces, entries, rows, last_vector = read_pieces(db, space, dim)
    total, outer = moments(rows)
    center = (total / max(len(rows), 1)).astype(np.float32)
    bits = np.concatenate(
        [sign_bits(rows[start : start + _BLOCK].astype(np.float32) - center) for start in range(0, len(rows), _BLOCK)]
        or [np.zeros((0, -(-dim // 64)), np.uint64)],
    )
    last_piece = int(pieces[-1]) if len(pieces) else 0
    arrays: dict[str, NDArray[Any]] = {
        "piece": pieces,
        "entry": entries,
        "rows": rows,
        "bits": bits,
        "mean": total,
        "moment": outer,
    }
    _write_arrays(path, arrays, {"last_piece": last_piece, "last_vector": last_vector})


def _write_arrays(path: Path, arrays: dict[str, NDArray[Any]], facts: dict[str, int]) -> None:
    layout, offset = {}, 0
    for name, array in arrays.items():
        layout[name] = {"dtype": array.dtype.str, "shape": array.shape, "offset": offset}
        offset += -(-array.nbytes // _ALIGN) * _ALIGN
    header = json.dumps({"arrays": layout, **facts}).encode("ascii") + b"\n"
    start = -(-(len(_MAGIC) + len(header)) // _ALIGN) * _ALIGN
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write((_MAGIC + header).ljust(start, b"\0"))
        for array in arrays.values():
            data = np.ascontiguousarray(array)
            file.write(data.data if data.nbytes else b"")
            file.write(b"\0" * (-data.nbytes % _ALIGN))
    temporary.replace(path)


def open_pack(path: Path) -> Pack | None:
    """The pack at `path`, mapped; None when it is missing or damaged."""
    try:
        with path.open("rb") as file:
            if file.readline() != _MAGIC:
                return None
            line = file.readline()
        header = json.loads(line)
        start = -(-(len(_MAGIC) + len(line)) // _ALIGN) * _ALIGN
        data = np.memmap(path, np.uint8, mode="r")
        arrays: dict[str, NDArray[np.generic]] = {}
        for name, place in header["arrays"].items():
            dtype = np.dtype(place["dtype"])
            size = int(np.prod(place["shape"])) * dtype.itemsize
            first = start + place["offset"]
            arrays[name] = data[first : first + size].view(dtype).reshape(place["shape"])
    except (OSError, ValueError, KeyError):
        return None
    facts = {name: int(header[name]) for name in ("last_piece", "last_vector")}
    return Pack(**cast("dict[str, NDArray[np.float64]]", arrays), **facts)  # type: ignore[arg-type]


def assemble(db: sqlite3.Connection, space: int, dim: int, pack: Pack | None) -> Matrix | None:
    """The live vectors of a space: the pack, plus newer rows, less dead ones. None when there is none."""
    newer = read_pieces(
        db, space, dim,
        after_piece=pack.last_piece if pack else 0,
        after_vector=pack.last_vector if pack else None,
    )  # fmt: skip
    _pieces, entries, rows, _ = newer
    total, outer = moments(rows)
    if pack is None:
        alive, count = None, len(rows)
        all_rows, bits, center = rows, None, (total / max(count, 1)).astype(np.float32)
    else:
        dead = np.isin(pack.piece, _dead(db), assume_unique=True)
        gone_total, gone_outer = moments(pack.rows[dead])
        total += pack.mean - gone_total
        outer += pack.moment - gone_outer
        alive = np.concatenate((~dead, np.ones(len(rows), np.bool_))) if dead.any() else None
        center = (pack.mean / max(len(pack.piece), 1)).astype(np.float32)
        bits = np.concatenate((pack.bits, sign_bits(rows.astype(np.float32) - center))) if len(rows) else pack.bits
        entries = np.concatenate((pack.entry, entries)) if len(rows) else pack.entry
        all_rows = np.concatenate((pack.rows, rows)) if len(rows) else pack.rows
        count = len(entries) - int(dead.sum())
    if count == 0:
        return None
    if bits is None:
        bits = (
            sign_bits(all_rows.astype(np.float32) - center)
            if len(all_rows) > EXACT_ROWS
            else np.zeros((0, 0), np.uint64)
        )
    return Matrix(
        entry=entries, rows=all_rows, bits=bits, alive=alive, count=count,
        mean=total / count, moment=outer / count, center=center,
    )  # fmt: skip


def _dead(db: sqlite3.Connection) -> NDArray[np.int64]:
    found = db.execute("select id from dead_piece order by id").fetchall()
    return np.fromiter((row[0] for row in found), np.int64, len(found))


def standard(cosine: float, mean: float, spread: float) -> float:
    """A cosine in standard deviations above the mean of its space; 0 where all are alike."""
    return (cosine - mean) / spread if spread > _SMALLEST_SPREAD else 0.0
