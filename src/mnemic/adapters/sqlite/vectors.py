"""The live vectors of one space at one moment, ready to be asked: a pack, and what changed since it was written.

A search takes the pack, adds rows of pieces that came after it, and leaves out those that died since, so its answers
depend on the live vectors alone and not on when the pack was written.

Up to `EXACT_ROWS` rows every cosine is computed. Above, the Hamming distance of sign bits about the mean chooses
`RESCORED` rows for exact cosines. Either way the cosines that are given back are computed once more in double
precision, so that they do not depend on the place of a row in a matrix or on the processor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mnemic.adapters.sqlite.packs import sign_bits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mnemic.adapters.sqlite.filters import Allowed
    from mnemic.adapters.sqlite.packs import Pack

EXACT_ROWS = 50_000
RESCORED = 4_000
_BLOCK = 16_384
_MOST_GATHERED = 0.25
"""Up to this share of rows, gathering them is cheaper than computing all."""
_ROUNDING = 1e-5
"""More than single precision can be wrong about a cosine."""
_SMALLEST_SPREAD = 1e-6
"""A standard deviation below this is rounding noise: such a space (one text, many copies) tells nothing apart."""


@dataclass(frozen=True, slots=True)
class Tail:
    """Rows that are in no pack yet, in the order they came; `alive` is None when all are."""

    entry: NDArray[np.int64]
    rows: NDArray[np.float32]
    alive: NDArray[np.bool_] | None


@dataclass(frozen=True, slots=True)
class Matrix:
    """The live vectors of one space at one generation.

    `alive` tells which rows of the pack still live (None: all). `count`, `total` and `outer` are of all live rows,
    about the pack's center: with them a cosine is standardized without computing the others.
    """

    pack: Pack
    alive: NDArray[np.bool_] | None
    tail: Tail
    count: int
    total: NDArray[np.float64]
    outer: NDArray[np.float64]
    exact_rows: int = EXACT_ROWS

    def spread(self, query: NDArray[np.float32]) -> tuple[float, float]:
        """Mean and standard deviation of the cosine of `query` with all live rows."""
        wide = query.astype(np.float64)
        shift = float(wide @ self.total) / self.count
        variance = float(wide @ self.outer @ wide) / self.count - shift * shift
        return float(wide @ self.pack.center) + shift, float(np.sqrt(max(variance, 0.0)))

    def best(self, query: NDArray[np.float32], limit: int, allowed: Allowed | None) -> list[tuple[int, float]]:
        """`(entry, cosine)` of the nearest entries, each by its best row; ties by entry."""
        if limit < 1:
            return []
        near, cosines = self._packed(
            query, _both(self.alive, None if allowed is None else allowed.mask(self.pack.entry))
        )
        late = _both(self.tail.alive, None if allowed is None else allowed.mask(self.tail.entry))
        chosen = np.arange(len(self.tail.entry)) if late is None else np.flatnonzero(late)
        # Places from the length of the pack on are those of the tail.
        places = np.concatenate((near, chosen + len(self.pack.piece)))
        rough = np.concatenate(
            (cosines, self.tail.rows[chosen] @ query if late is not None else self.tail.rows @ query)
        )
        entries = np.concatenate((self.pack.entry[near], self.tail.entry[chosen]))
        return self._ranked(query, places, entries, rough, limit)

    def of_entries(self, query: NDArray[np.float32], entries: Sequence[int]) -> dict[int, float]:
        """The best cosine of given entries; those without a live row are left out."""
        wanted = np.unique(np.asarray(entries, dtype=np.int64))
        first = np.searchsorted(self.pack.entry, wanted, side="left")
        counts = np.searchsorted(self.pack.entry, wanted, side="right") - first
        packed = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        if self.alive is not None:
            packed = packed[self.alive[packed]]
        named = np.isin(self.tail.entry, wanted)
        late = np.flatnonzero(named if self.tail.alive is None else named & self.tail.alive)
        places = np.concatenate((packed, late + len(self.pack.piece)))
        found = np.concatenate((self.pack.entry[packed], self.tail.entry[late]))
        return dict(_best(found, self._cosines(query, places), len(wanted)))

    def _packed(
        self, query: NDArray[np.float32], mask: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Rows of the pack worth a closer look, and their cosines in single precision."""
        rows = len(self.pack.piece)
        wanted = rows if mask is None else int(np.count_nonzero(mask))
        if rows > self.exact_rows:
            near = self._near(query, mask, wanted)
            return near, self.pack.rows[near].astype(np.float32) @ query
        if mask is not None and wanted <= _MOST_GATHERED * rows:
            near = np.flatnonzero(mask)
            return near, self.pack.wide()[near] @ query
        cosines = self.pack.wide() @ query
        near = np.arange(rows) if mask is None else np.flatnonzero(mask)
        return near, cosines if mask is None else cosines[near]

    def _near(self, query: NDArray[np.float32], mask: NDArray[np.bool_] | None, wanted: int) -> NDArray[np.intp]:
        if mask is not None and wanted <= RESCORED:
            return np.flatnonzero(mask)
        bits, signs = self.pack.bits, sign_bits((query - self.pack.center)[np.newaxis])[:, 0]
        distance = np.zeros(bits.shape[1], dtype=np.uint16)
        for start in range(0, len(distance), _BLOCK):  # blocks stay in the processor's cache
            block = distance[start : start + _BLOCK]
            for word, sign in zip(bits, signs, strict=True):
                block += np.bitwise_count(word[start : start + _BLOCK] ^ sign)
        if mask is not None:
            distance[~mask] = np.iinfo(np.uint16).max
        nearer = np.cumsum(np.bincount(distance, minlength=1))
        reach = int(np.searchsorted(nearer, min(RESCORED, wanted)))
        return np.flatnonzero(distance <= reach)

    def _ranked(
        self,
        query: NDArray[np.float32],
        places: NDArray[np.intp],
        entries: NDArray[np.int64],
        rough: NDArray[np.float32],
        limit: int,
    ) -> list[tuple[int, float]]:
        """The best entries. An entry may have many rows: look further down until there are enough, or no more rows."""
        reach = limit * 2
        while True:
            near = _highest(rough, reach)
            best = _best(entries[near], self._cosines(query, places[near]), limit)
            if len(best) >= limit or len(near) == len(rough):
                return best
            reach *= 4

    def _cosines(self, query: NDArray[np.float32], places: NDArray[np.intp]) -> NDArray[np.float64]:
        packed = places < len(self.pack.piece)
        rows = np.empty((len(places), self.pack.rows.shape[1]))
        rows[packed] = self.pack.rows[places[packed]]
        rows[~packed] = self.tail.rows[places[~packed] - len(self.pack.piece)]
        return rows @ query.astype(np.float64)


def standard(cosine: float, mean: float, spread: float) -> float:
    """A cosine in standard deviations above the mean of its space; 0 where all are alike."""
    return (cosine - mean) / spread if spread > _SMALLEST_SPREAD else 0.0


def _both(a: NDArray[np.bool_] | None, b: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    if a is None or b is None:
        return b if a is None else a
    return a & b


def _highest(values: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """Places of the highest values, all that may tie with the last of them included."""
    if count >= len(values):
        return np.arange(len(values))
    last = np.partition(values, len(values) - count)[len(values) - count]
    return np.flatnonzero(values >= last - _ROUNDING)


def _best(entry: NDArray[np.int64], cosine: NDArray[np.float64], limit: int) -> list[tuple[int, float]]:
    """Each entry once with its best cosine, highest first, ties by entry."""
    # To 12 digits: sums of the same numbers in another order differ beyond them.
    rounded = np.round(cosine, 12)
    order = np.lexsort((entry, -rounded))
    best: dict[int, float] = {}
    for row, value in zip(entry[order].tolist(), rounded[order].tolist(), strict=True):
        if row not in best:
            best[row] = value
            if len(best) == limit:
                break
    return list(best.items())
