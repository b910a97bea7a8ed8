"""Where passages stand, and what BM25 needs to know of the whole."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from mnemic.adapters.sqlite import filters
from mnemic.domain.entries import IndexStatistics, Named, Outline, WindowPassage

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from mnemic.domain.entries import Where

_CHUNK = 500


def statistics(db: sqlite3.Connection) -> IndexStatistics:
    """Sizes and the mean length of a passage in terms."""
    entries, terms = db.execute("select count(*), coalesce(sum(length), 0) from entry").fetchone()
    passages, groups, single = db.execute(
        "select (select count(*) from passage), (select count(*) from grp), (select count(*) from grp where single)",
    ).fetchone()
    return IndexStatistics(
        entries=entries,
        passages=passages,
        mean_length=terms / max(passages, 1),
        groups=groups,
        single_groups=single,
    )


def windows(db: sqlite3.Connection, rows: Sequence[int], reach: int) -> list[WindowPassage]:
    """Passages of the entries and of their neighbours, each once, by group, position and order in the entry."""
    spans: dict[int, set[int]] = {}
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        marks = ", ".join("?" * len(chunk))
        for group, position in db.execute(f"select grp, position from entry where id in ({marks})", chunk):  # noqa: S608
            spans.setdefault(group, set()).add(position)
    runs = [(group, *run) for group in sorted(spans) for run in _runs(sorted(spans[group]), reach)]
    found: list[WindowPassage] = []
    for start in range(0, len(runs), _CHUNK // 3):
        some = runs[start : start + _CHUNK // 3]
        marks = ", ".join(f"({number}, ?, ?, ?)" for number in range(len(some)))
        query = (
            f"with run(number, grp, first, last) as (values {marks}) "  # noqa: S608 - only marks and numbers
            "select run.number, e.position, e.id, p.ordinal, e.grp, p.id, p.terms from run "
            "cross join entry e on e.grp = run.grp and e.position between run.first and run.last "
            "cross join passage p on p.entry = e.id"
        )
        # Sorted here: they come nearly so, and SQLite would move every text to sort them.
        ordered = sorted(db.execute(query, [*chain.from_iterable(some)]).fetchall())
        found += [WindowPassage(group, place, entry, row, terms) for _, place, entry, _, group, row, terms in ordered]
    return found


def outlines(db: sqlite3.Connection, rows: Sequence[int], where: Where) -> list[Outline]:
    """Those of the entries that the filter lets through, by row."""
    clause, values = filters.clause(where)
    found: list[Outline] = []
    ordered = sorted(set(rows))
    for start in range(0, len(ordered), _CHUNK):
        chunk = ordered[start : start + _CHUNK]
        query = (
            "select e.id, e.grp, e.source, e.length, e.asks, e.speaker_key from entry e "  # noqa: S608 - our own text
            f"where e.id in ({', '.join('?' * len(chunk))}) and {clause} order by e.id"
        )
        found.extend(map(Outline._make, db.execute(query, (*chunk, *values))))
    return found


def _runs(positions: Sequence[int], reach: int) -> list[tuple[int, int]]:
    """Positions widened by `reach` and joined where they touch: `(first, last)`, both in."""
    runs: list[tuple[int, int]] = []
    for position in positions:
        first, last = position - reach, position + reach
        if runs and first <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], last)
        else:
            runs.append((first, last))
    return runs


def named(db: sqlite3.Connection, names: Sequence[str]) -> Named:
    """Which casefolded names belong to a speaker, which to memories."""
    speakers: list[str] = []
    memories: dict[str, tuple[int, ...]] = {}
    for name in dict.fromkeys(names):
        if db.execute("select 1 from entry where speaker_key = ? limit 1", (name,)).fetchone():
            speakers.append(name)
        rows = db.execute("select entry from name where name = ? order by entry", (name,)).fetchall()
        if rows:
            memories[name] = tuple(row for (row,) in rows)
    return Named(tuple(speakers), memories)
