"""What a process remembers of an index between two queries; each thing is of one generation."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import is_
from typing import TYPE_CHECKING, Generic, TypeVar

from mnemic.adapters.sqlite.filters import FilterCache
from mnemic.adapters.sqlite.spaces import SpaceCache

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemic.domain.documents import Stamp
    from mnemic.domain.entries import IndexCounts, IndexedStamps, IndexStatistics

T = TypeVar("T")


@dataclass(slots=True)
class Latest(Generic[T]):
    """A value of one generation, computed when another one is asked for."""

    _known: tuple[int, T] | None = None

    def get(self, generation: int, compute: Callable[[], T]) -> T:
        """The value at `generation`."""
        known = self._known  # one read: another thread may replace it
        if known is not None and known[0] == generation:
            return known[1]
        value = compute()
        self._known = (generation, value)
        return value

    def move(self, before: int, after: int, change: Callable[[T], T]) -> None:
        """Where the value of generation `before` is known, make the one of `after` from it."""
        known = self._known
        if known is not None and known[0] == before:
            self._known = (after, change(known[1]))


@dataclass(slots=True)
class Memo:
    """Vectors, filters, sizes and stamps."""

    spaces: SpaceCache = field(default_factory=SpaceCache)
    filters: FilterCache = field(default_factory=FilterCache)
    counts: Latest[IndexCounts] = field(default_factory=Latest)
    statistics: Latest[IndexStatistics] = field(default_factory=Latest)
    stamps: Latest[IndexedStamps] = field(default_factory=Latest)
    current: tuple[int, Sequence[Sequence[Stamp]]] | None = None
    """The scans, as the very objects they were, that this generation agreed with."""

    def is_current(self, generation: int, scans: Sequence[Sequence[Stamp]]) -> bool:
        """Whether these are the same objects again, at the same generation."""
        known = self.current
        return known is not None and known[0] == generation and all(map(is_, known[1], scans))
