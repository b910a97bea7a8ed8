"""What the index holds of a memory or a turn, and the filters a search takes.

All of it is derived: from documents and session logs alone, by `services/indexing.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.memory import State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from mnemic.domain.documents import Stamp


class Source(StrEnum):
    """What a result is."""

    MEMORY = "memory"
    TURN = "turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPassage:
    """One to three sentences of an entry.

    `text` is shown as the snippet; `context` (title, heading, speaker, date, a little of what went before) is searched
    with it but never shown; `line` is where it stands in its file, from 1.
    """

    text: str
    context: str = ""
    line: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A memory or a turn as the index sees it: the unit of a result.

    Attributes:
        id: Memory id or turn reference; unique in a bundle.
        group: What it stands in: the session of a turn; the memory itself otherwise.
        position: Order within its group, from 0; neighbours differ by one.
        names: Words it may be called by: title, aliases, speaker, people in it.
        embed: Texts to turn into vectors; the best of them counts. Empty: words only.
        embed_near: The same with what stands around, for spaces that embed windows; empty: as `embed`.
        links: Ids or titles it links to, as written.
        asks: It ends with a question: such a turn rarely holds the answer.
        days: Days it speaks of, as half-open ranges.
    """

    id: str
    uid: str
    source: Source
    group: str
    position: int
    kind: str
    title: str
    passages: tuple[EntryPassage, ...]
    line: int
    recorded_at: datetime
    changed_at: datetime
    description: str = ""
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    embed: tuple[str, ...] = ()
    embed_near: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    days: tuple[tuple[date, date], ...] = ()
    state: State = State.ACTIVE
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    due: datetime | None = None
    salience: float = 0.5
    confidence: float = 0.5
    authority: float = 0.5
    verified: bool = False
    origin: str = ""
    privacy: str = "private"
    scope: str = ""
    speaker: str = ""
    asks: bool = False
    claim: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedDocument:
    """Everything the index keeps of one file: put in and taken out as a whole.

    `settled`: the file was old enough when it was read that a later change must have another stamp.
    """

    stamp: Stamp
    sha256: str
    source: Source
    entries: tuple[Entry, ...]
    problems: int = 0
    settled: bool = True


@dataclass(frozen=True, slots=True)
class IndexedStamps:
    """What the index knows of files: settled stamps, and every path."""

    settled: frozenset[tuple[str, int, int, int]]
    paths: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Which entries a search may return; an empty tuple or None does not restrict.

    `valid_at` and `as_of` are the two times: so in the world then, known to us then.
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


@dataclass(frozen=True, slots=True)
class IndexedEntry:
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


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage that shares words with the query: its row, its entry's row, and its BM25 (k1 1.2, b 0.75)."""

    passage: int
    entry: int
    score: float


@dataclass(frozen=True, slots=True)
class VectorHit:
    """An entry near the query in one space.

    `cosine` is the best of its vectors; `z` the same, standardized over all live vectors of the space.
    """

    entry: int
    cosine: float
    z: float


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A passage as it is shown."""

    row: int
    entry: int
    ordinal: int
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class PendingText:
    """A text that waits for its vector; `key` is the first 16 bytes of its SHA-256."""

    key: bytes
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexCounts:
    """Sizes of an index."""

    documents: int
    entries: int
    passages: int
    vectors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldWeights:
    """How much a word counts by the field of a group that it stands in; all at least 0."""

    path: float = 1.0
    title: float = 1.0
    description: float = 1.0
    tags: float = 1.0
    kind: float = 1.0
    body: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """Entries by what they are: memories by kind and state, most first; sessions, turns, files with problems."""

    by_kind: Mapping[str, int]
    by_state: Mapping[str, int]
    sessions: int
    turns: int
    problems: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStatistics:
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


@dataclass(frozen=True, slots=True)
class Named:
    """Which of some names the index knows: as speakers, and as names of memories with their rows."""

    speakers: tuple[str, ...] = ()
    memories: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
