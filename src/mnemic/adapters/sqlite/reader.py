"""`IndexReader` over one SQLite transaction."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from math import ceil, floor, inf
from typing import TYPE_CHECKING, Any, TypeVar

from mnemic.adapters.sqlite import filters, lexical, places
from mnemic.adapters.sqlite.schema import clean
from mnemic.domain.entries import Census, IndexCounts, IndexedEntry, OutcomeRow, PassageRow, Source, Spread, VectorHit
from mnemic.domain.memory import State

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.adapters.sqlite.memo import Memo
    from mnemic.adapters.sqlite.vectors import Matrix
    from mnemic.domain.entries import FieldWeights, IndexStatistics, Named, Outline, PassageHit, Where, WindowPassage
    from mnemic.domain.spaces import Space

T = TypeVar("T")
_DAY = 86_400
_EPOCH = 719_163
"""Proleptic ordinal of 1970-01-01."""
_CHUNK = 200
"""Row numbers a statement: SQLite's limit on parameters was 999 for long, and some statements name a row four times."""
_ENTRY = (
    "e.id, e.key, e.uid, e.source, e.grp, e.position, e.kind, e.title, e.description, e.tags, d.path, e.line, "
    "e.recorded_at, e.changed_at, e.valid_from, e.valid_until, e.due, e.salience, e.confidence, e.authority, "
    "e.verified, e.origin, e.state, e.speaker, e.asks, e.names, e.days, e.length, e.tokens, e.cites"
)


@dataclass(slots=True)
class SqliteReader:
    """One consistent view; lives as long as the transaction it was made in."""

    _db: sqlite3.Connection
    _memo: Memo
    _folder: Path
    _generation: int | None = None
    _terms: dict[int, list[str]] = field(default_factory=dict)
    """Terms of the passages that `windows` read, by entry."""
    _spread: tuple[Matrix, NDArray[np.float32], tuple[float, float]] | None = None
    """What was asked for last: each query asks for it several times."""

    @property
    def generation(self) -> int:
        """Grows with every change."""
        if self._generation is None:
            self._generation = int(self._db.execute("select value from meta where key = 'generation'").fetchone()[0])
        return self._generation

    def counts(self) -> IndexCounts:
        """Sizes, before any filter."""
        return self._memo.counts.get(self.generation, self._counted)

    def census(self) -> Census:
        """Entries by what they are."""
        memories = "from entry where source = 'memory' group by 1 order by 2 desc, 1"
        numbers = self._db.execute(
            "select (select count(distinct grp) from entry where source = 'turn'), "
            "(select count(*) from entry where source = 'turn'), (select count(*) from document where problems > 0)",
        ).fetchone()
        return Census(
            by_kind=dict(self._db.execute(f"select kind, count(*) {memories}")),
            by_state=dict(self._db.execute(f"select state, count(*) {memories}")),
            sessions=numbers[0],
            turns=numbers[1],
            problems=numbers[2],
        )

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        """How many passages hold each term; 0 for an unknown one."""
        return lexical.frequency(self._db, terms)

    def close_terms(self, term: str, limit: int = 4) -> list[str]:
        """Known terms within a small edit distance of an unknown one, nearest first."""
        return lexical.close_terms(self._db, term, limit)

    def lexical(self, terms: Sequence[str], where: Where, limit: int) -> list[PassageHit]:
        """The best passages that hold any of `terms`, highest BM25 first."""
        return lexical.passages(self._db, lexical.any_of(terms), where, limit)

    def phrase(self, terms: Sequence[str], where: Where, limit: int) -> list[PassageHit]:
        """The best passages that hold all of `terms` in this order, next to each other."""
        return lexical.passages(self._db, lexical.in_order(terms), where, limit)

    def groups(self, terms: Sequence[str], limit: int, weights: FieldWeights | None = None) -> dict[int, float]:
        """BM25 of the best groups that hold any of `terms`, by group row."""
        return lexical.groups(self._db, terms, limit, weights)

    def semantic(self, space: Space, query: NDArray[np.float32], where: Where, limit: int) -> list[VectorHit]:
        """The entries nearest to `query`, nearest first."""
        matrix = self._matrix(space)
        if matrix is None:
            return []
        allowed = self._memo.filters.allowed(self._db, where, self.generation)
        return self._hits(matrix, query, matrix.best(query, limit, allowed))

    def similarity(self, space: Space, query: NDArray[np.float32], entries: Sequence[int]) -> dict[int, VectorHit]:
        """Nearness of given entries; those without a vector are left out."""
        matrix = self._matrix(space)
        if matrix is None or not entries:
            return {}
        return {hit.entry: hit for hit in self._hits(matrix, query, list(matrix.of_entries(query, entries).items()))}

    def spread(self, space: Space, query: NDArray[np.float32]) -> Spread | None:
        """How the cosines of `query` are spread over the space; None when it holds no vector."""
        matrix = self._matrix(space)
        if matrix is None:
            return None
        mean, deviation = self._spread_of(matrix, query)
        return Spread(matrix.count, mean, deviation * deviation)

    def statistics(self) -> IndexStatistics:
        """What BM25 needs to know of the whole."""
        return self._memo.statistics.get(self.generation, lambda: places.statistics(self._db))

    def group_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        """How many groups hold each term; 0 for an unknown one."""
        return lexical.frequency(self._db, terms, of="groups")

    def named(self, names: Sequence[str]) -> Named:
        """Which of these casefolded names are a speaker's or a memory's."""
        return places.named(self._db, names)

    def outlines(self, rows: Sequence[int], where: Where) -> list[Outline]:
        """Those of these entries that `where` lets through, by row; `speaker` is casefolded."""
        return places.outlines(self._db, rows, where)

    def windows(self, rows: Sequence[int], reach: int) -> list[WindowPassage]:
        """The passages of entries and of those around them in their group, by group and place."""
        found = places.windows(self._db, rows, reach)
        terms: dict[int, list[str]] = {}
        for passage in found:
            terms.setdefault(passage.entry, []).append(passage.terms)
        self._terms |= terms
        return found

    def entries(self, rows: Sequence[int]) -> dict[int, IndexedEntry]:
        """Entries by row."""
        found: dict[int, IndexedEntry] = {}
        for chunk in _chunks(rows):
            query = f"select {_ENTRY} from entry e join document d on d.id = e.document where e.id in ({_marks(chunk)})"  # noqa: S608
            for row in self._db.execute(query, chunk):
                found[row[0]] = _entry(row)
        return found

    def find(self, ids: Sequence[str]) -> dict[str, int]:
        """Rows of entries by id."""
        found: dict[str, int] = {}
        for chunk in _chunks([*map(clean, ids)]):
            query = f"select key, id from entry where key in ({_marks(chunk)})"  # noqa: S608 - only marks
            found.update(self._db.execute(query, chunk).fetchall())
        return found

    def neighbours(self, rows: Sequence[int], reach: int = 1) -> dict[int, dict[int, int]]:
        """For each entry the rows in its group at distance `-reach..reach`, by distance."""
        found: dict[int, dict[int, int]] = {}
        for chunk in _chunks(rows):
            query = (
                "select a.id, b.position - a.position, b.id from entry a join entry b on b.grp = a.grp "  # noqa: S608
                f"and b.position between a.position - ? and a.position + ? where a.id in ({_marks(chunk)})"
            )
            for row, distance, other in self._db.execute(query, (reach, reach, *chunk)):
                if distance:
                    found.setdefault(row, {})[distance] = other
        return found

    def said_between(self, start: float, end: float, where: Where, limit: int) -> list[int]:
        """Entries recorded in `[start, end)`, or speaking of a day in it, newest first."""
        if end <= start:
            return []
        clause, values = filters.clause(where)
        first, past = floor(start / _DAY) + _EPOCH, ceil(end / _DAY) + _EPOCH
        query = (
            "select e.id from entry e where e.id in (select id from entry where recorded_at >= ? and recorded_at < ? "  # noqa: S608
            f"union select entry from day where first < ? and past > ?) and {clause} "
            "order by e.recorded_at desc, e.key limit ?"
        )
        return [row for (row,) in self._db.execute(query, (start, end, past, first, *values, limit))]

    def linked(self, rows: Sequence[int]) -> dict[int, list[int]]:
        """For each entry those that it links to or that link to it."""
        found: dict[int, list[int]] = {}
        for chunk in _chunks(rows):
            marks = _marks(chunk)
            # A target is an id or, in a wiki link, a name; what it leads to may be written later than the link.
            query = (
                "select l.entry, t.id from link l join entry t on t.key = l.target "  # noqa: S608 - only marks
                f"where l.entry in ({marks}) union "
                "select l.entry, n.entry from link l join name n on n.name = l.target "
                f"where l.entry in ({marks}) union "
                "select t.id, l.entry from entry t join link l on l.target = t.key "
                f"where t.id in ({marks}) union "
                "select n.entry, l.entry from name n join link l on l.target = n.name "
                f"where n.entry in ({marks}) order by 1, 2"
            )
            for row, other in self._db.execute(query, (*chunk, *chunk, *chunk, *chunk)):
                if row != other:
                    found.setdefault(row, []).append(other)
        return found

    def passages(self, rows: Sequence[int]) -> dict[int, list[PassageRow]]:
        """Passages of entries, in order."""
        found: dict[int, list[PassageRow]] = {}
        for chunk in _chunks(rows):
            query = (
                f"select id, entry, ordinal, line, text from passage where entry in ({_marks(chunk)}) "  # noqa: S608
                "order by entry, ordinal"
            )
            for row in self._db.execute(query, chunk):
                found.setdefault(row[1], []).append(PassageRow(*row))
        return found

    def entry_terms(self, rows: Sequence[int]) -> dict[int, frozenset[str]]:
        """The terms of entries, each once."""
        found: dict[int, list[str]] = {row: self._terms[row] for row in rows if row in self._terms}
        for chunk in _chunks([row for row in rows if row not in found]):
            query = f"select entry, terms from passage where entry in ({_marks(chunk)})"  # noqa: S608 - only marks
            for row, terms in self._db.execute(query, chunk):
                found.setdefault(row, []).append(terms)
        return {row: frozenset(" ".join(texts).split()) for row, texts in found.items()}

    def claims(self, key: str) -> list[tuple[int, str]]:
        """`(entry, value)` of the active entries that claim something for `key`."""
        query = "select id, claim_value from entry where claim_key = ? and state = 'active' order by recorded_at, key"
        return self._db.execute(query, (clean(key),)).fetchall()

    def claimed_twice(self) -> list[tuple[int, str, str]]:
        """`(entry, key, value)` of active entries whose key more than one of them claims, by key and time."""
        query = (
            "select id, claim_key, claim_value from entry where state = 'active' and claim_key in (select claim_key "
            "from entry where state = 'active' and claim_key is not null group by claim_key having count(*) > 1) "
            "order by claim_key, recorded_at, key"
        )
        return self._db.execute(query).fetchall()

    def outcomes(self, ids: Sequence[str], where: Where) -> dict[str, list[OutcomeRow]]:
        """Active outcomes by the memory's id, newest first: as trusted, and told by then, as `where` asks."""
        found: dict[str, list[OutcomeRow]] = {}
        told_by = inf if where.as_of is None else where.as_of.timestamp()
        for chunk in _chunks([*map(clean, ids)]):
            query = (
                "select outcome_of, key, result, recorded_at from entry "  # noqa: S608 - only marks
                f"where outcome_of in ({_marks(chunk)}) and state = 'active' and authority >= ? and recorded_at <= ? "
                "order by recorded_at desc, key"
            )
            for of, key, result, recorded_at in self._db.execute(query, (*chunk, where.min_authority, told_by)):
                found.setdefault(of, []).append(OutcomeRow(key, result or "", recorded_at))
        return found

    def group_rows(self, groups: Sequence[int], where: Where) -> dict[int, list[int]]:
        """Entries of groups that `where` lets through, in order."""
        clause, values = filters.clause(where)
        found: dict[int, list[int]] = {}
        for chunk in _chunks(groups):
            query = (
                "select e.grp, e.id from entry e indexed by entry_place "  # noqa: S608 - only marks and own text
                f"where e.grp in ({_marks(chunk)}) and {clause} order by 1, e.position"
            )
            for group, row in self._db.execute(query, (*chunk, *values)):
                found.setdefault(group, []).append(row)
        return found

    def by_prior(self, where: Where, limit: int) -> list[int]:
        """Entries that `where` lets through, most salient then newest first."""
        clause, values = filters.clause(where)
        query = f"select e.id from entry e where {clause} order by e.salience desc, e.recorded_at desc, e.key limit ?"  # noqa: S608
        return [row for (row,) in self._db.execute(query, (*values, limit))]

    def _counted(self) -> IndexCounts:
        row = self._db.execute(
            "select (select count(*) from document), (select count(*) from entry), (select count(*) from passage), "
            "(select count(*) from vector)",
        ).fetchone()
        return IndexCounts(documents=row[0], entries=row[1], passages=row[2], vectors=row[3])

    def _matrix(self, space: Space) -> Matrix | None:
        return self._memo.spaces.matrix(self._db, self._folder, space.id, self.generation)

    def _spread_of(self, matrix: Matrix, query: NDArray[np.float32]) -> tuple[float, float]:
        known = self._spread
        if known is None or known[0] is not matrix or known[1] is not query:
            known = self._spread = (matrix, query, matrix.spread(query))
        return known[2]

    def _hits(self, matrix: Matrix, query: NDArray[np.float32], found: list[tuple[int, float]]) -> list[VectorHit]:
        from mnemic.adapters.sqlite.vectors import standard

        mean, spread = self._spread_of(matrix, query)
        return [VectorHit(row, cosine, standard(cosine, mean, spread)) for row, cosine in found]


class EmptyReader(SqliteReader):
    """The view of an index that does not exist yet: nothing in it. `close` it."""

    def __init__(self) -> None:
        import sqlite3
        from pathlib import Path

        from mnemic.adapters.sqlite.memo import Memo
        from mnemic.adapters.sqlite.schema import create

        db = sqlite3.connect(":memory:", isolation_level=None)
        create(db)
        super().__init__(db, Memo(), Path(), 0)

    def close(self) -> None:
        """Let go of its memory."""
        self._db.close()


def _entry(row: tuple[Any, ...]) -> IndexedEntry:
    values = list(row)
    values[3] = _SOURCES[row[3]]
    values[9] = () if row[9] == "[]" else tuple(json.loads(row[9]))
    values[20] = bool(row[20])
    values[22] = _STATES[row[22]]
    values[24] = bool(row[24])
    values[29] = bool(row[29])
    values[25] = frozenset(row[25].split())
    values[26] = () if row[26] == "[]" else tuple((first, past) for first, past in json.loads(row[26]))
    return IndexedEntry._make(values)


_SOURCES = {source.value: source for source in Source}
_STATES = {state.value: state for state in State}


def _chunks(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(rows), _CHUNK):
        yield rows[start : start + _CHUNK]


def _marks(chunk: Sequence[object]) -> str:
    return ", ".join("?" * len(chunk))
