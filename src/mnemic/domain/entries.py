"""What the index holds of a memory or a turn, and the filters a search takes.

All of it is derived: from documents and session logs alone, by `services/upkeep/indexing.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.memory import Loading, State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


class Source(StrEnum):
    """What a result is."""

    MEMORY = "memory"
    TURN = "turn"


class IndexedStamps(NamedTuple):
    """What the index knows of files: settled stamps, and every path."""

    settled: frozenset[tuple[str, int, int, int]]
    paths: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Which entries a search may return; an empty tuple or None does not restrict.

    `valid_at` and `as_of` are the two times: so in the world then, known to us then. The index knows of the present
    alone, so that `as_of` only keeps out what was recorded later; what else was known then is found by
    `services/chronicle/past.py`.

    Attributes:
        offered: Memories whose description an agent is shown, so that it may ask for them.
        cites: Memories whose source can be looked up.
        current_at: Not what had ended by then.
        changed_after: Only what changed in meaning later.
        lapsed: Of what was superseded only that which was so until a day that is told; the rest was a mistake.
        without: Uids of memories that are not meant.
    """

    sources: tuple[Source, ...] = ()
    kinds: tuple[str, ...] = ()
    states: tuple[State, ...] = (State.ACTIVE,)
    tags: tuple[str, ...] = ()
    scope: str = ""
    groups: tuple[str, ...] = ()
    valid_at: datetime | None = None
    as_of: datetime | None = None
    min_authority: float = 0.0
    loadings: tuple[Loading, ...] = ()
    offered: bool | None = None
    cites: bool | None = None
    current_at: datetime | None = None
    changed_after: datetime | None = None
    lapsed: bool = False
    without: frozenset[str] = frozenset()


class IndexedEntry(NamedTuple):
    """An entry as the index gives it back: everything judgement needs, without its passages.

    `row`, `group` are row numbers, valid within one view. Moments are seconds since 1970, UTC. `names` are the
    analyzed terms it may be called by; `days` half-open ranges of proleptic ordinals.
    """

    row: int
    id: str
    uid: str
    source: Source
    group: int
    position: int
    kind: str
    title: str
    description: str
    tags: tuple[str, ...]
    path: str
    line: int
    recorded_at: float
    changed_at: float
    valid_from: float | None
    valid_until: float | None
    due: float | None
    salience: float
    confidence: float
    authority: float
    verified: bool
    origin: str
    state: State
    speaker: str
    asks: bool
    names: frozenset[str]
    days: tuple[tuple[int, int], ...]
    length: int
    tokens: int
    cites: bool = False


class OutcomeRow(NamedTuple):
    """An outcome of a memory: its id, the result it reports (empty: none), when it was recorded."""

    id: str
    result: str
    recorded_at: float


class PassageHit(NamedTuple):
    """A passage that shares words with the query: its row, its entry's row, and its BM25 (k1 1.2, b 0.75)."""

    passage: int
    entry: int
    score: float


class VectorHit(NamedTuple):
    """An entry near the query in one space.

    `cosine` is the best of its vectors; `z` the same, standardized over all live vectors of the space.
    """

    entry: int
    cosine: float
    z: float


class PassageRow(NamedTuple):
    """A passage as it is shown."""

    row: int
    entry: int
    ordinal: int
    line: int
    text: str


class PendingText(NamedTuple):
    """A text that waits for its vector; `key` is the first 16 bytes of its SHA-256."""

    key: bytes
    text: str


class IndexCounts(NamedTuple):
    """Sizes of an index."""

    documents: int
    entries: int
    passages: int
    vectors: int


class FieldWeights(NamedTuple):
    """How much a word counts by the field of a group that it stands in; all at least 0."""

    path: float = 1.0
    title: float = 1.0
    description: float = 1.0
    tags: float = 1.0
    kind: float = 1.0
    body: float = 1.0


class Census(NamedTuple):
    """Entries by what they are: memories by kind and state, most first; sessions, turns, files with problems."""

    by_kind: Mapping[str, int]
    by_state: Mapping[str, int]
    sessions: int
    turns: int
    problems: int


class IndexStatistics(NamedTuple):
    """What BM25 needs to know of the whole: passages, their mean length in terms, groups, groups of one passage."""

    entries: int
    passages: int
    mean_length: float
    groups: int
    single_groups: int


@dataclass(frozen=True, slots=True)
class Spread:
    """How the cosines of one query with all live vectors of a space are spread: their number, mean and variance."""

    count: int
    mean: float
    variance: float


class WindowPassage(NamedTuple):
    """A passage with its terms, in its place: rows of group and entry, position of the entry, row of the passage."""

    group: int
    position: int
    entry: int
    row: int
    terms: str


class Outline(NamedTuple):
    """Just enough of an entry to judge hundreds of candidates: rows of entry and group, and a few facts."""

    row: int
    group: int
    source: str
    length: int
    asks: int
    speaker: str | None


class Named(NamedTuple):
    """Which of some names the index knows: as speakers, and as names of memories with their rows."""

    speakers: tuple[str, ...] = ()
    memories: Mapping[str, tuple[int, ...]] = MappingProxyType({})
