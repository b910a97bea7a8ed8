"""Where passages stand, and what BM25 needs to know of the whole."""

from __future__ import annotations

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
        "select (select count(*) from passage), count(*), coalesce(sum(single), 0) from grp",
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
    found: list[WindowPassage] = []
    query = (
        "select e.grp, e.position, e.id, p.id, p.terms from entry e cross join passage p on p.entry = e.id "
        "where e.grp = ? and e.position between ? and ? order by e.position, e.id, p.ordinal"
    )
    for group in sorted(spans):
        for first, last in _runs(sorted(spans[group]), reach):
            found.extend(map(WindowPassage._make, db.execute(query, (group, first, last))))
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
