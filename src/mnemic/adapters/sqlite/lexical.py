"""BM25 from FTS5: expressions from analyzed terms, and words that are almost right.

Terms come from the analyzer, so they hold no quote; they are quoted all the same: a query is data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.adapters.sqlite import filters
from mnemic.adapters.sqlite.schema import clean
from mnemic.domain.entries import FieldWeights, PassageHit, Where

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

_CHUNK = 500
_LEAST_FOR_ONE_EDIT = 4
_LEAST_FOR_TWO_EDITS = 8
_MOST_TERM = 40
_FIRST_WITHOUT_BLANKS = "\u0e00"
"""Thai; the scripts from here on are cut into n-grams by the analyzer."""
_CANDIDATES = 20_000
_REACH = 2
_REACH_NARROW = 4
"""How many times the limit is looked at, by the usual filter and by others, before every match is."""


def any_of(terms: Sequence[str]) -> str:
    """A passage may hold any of the terms; `term*` stands for all that begin so."""
    return " OR ".join(_quoted(term) for term in terms)


def in_order(terms: Sequence[str]) -> str:
    """A passage must hold all of the terms, next to each other."""
    return " + ".join(_quoted(term) for term in terms)


def passages(db: sqlite3.Connection, expression: str, where: Where, limit: int) -> list[PassageHit]:
    """The best passages for an expression; ties by row."""
    if not expression or limit < 1:
        return []
    # Most filters let most entries through: then the best few are looked at, instead of every match.
    reach = limit * (_REACH_NARROW if filters.narrows(where) else _REACH)
    # By row too: FTS5 then leaves the sorting to SQLite, which keeps only the best and takes a third less time. And in
    # a statement of its own: as a part of another one it takes longer again.
    query = "select rowid, rank from passage_fts where passage_fts match ? order by rank, rowid limit ?"
    best = db.execute(query, (expression, reach)).fetchall()
    found: list[PassageHit] = []
    for start in range(0, len(best), limit):  # the first `limit` are nearly always enough
        some = best[start : start + limit]
        entries = _allowed_entries(db, [row for row, _ in some], where)
        found += [PassageHit(row, entries[row], -rank) for row, rank in some if row in entries]
        if len(found) >= limit:
            return found[:limit]
    return found if len(best) < reach else _filtered(db, expression, where, limit)


def _allowed_entries(db: sqlite3.Connection, rows: Sequence[int], where: Where) -> dict[int, int]:
    """The entries of passages, those that `where` lets through."""
    clause, values = filters.clause(where)
    found: dict[int, int] = {}
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        query = (
            "select p.id, p.entry from passage p cross join entry e on e.id = p.entry "  # noqa: S608 - own text
            f"where p.id in ({', '.join('?' * len(chunk))}) and {clause}"
        )
        found.update(db.execute(query, (*chunk, *values)).fetchall())
    return found


def _filtered(db: sqlite3.Connection, expression: str, where: Where, limit: int) -> list[PassageHit]:
    """The same, with the filter before the limit."""
    clause, values = filters.clause(where)
    query = (
        "select f.rowid, p.entry, f.rank from passage_fts f cross join passage p on p.id = f.rowid "  # noqa: S608 - own text
        "cross join entry e on e.id = p.entry "
        f"where f.passage_fts match ? and {clause} order by f.rank, f.rowid limit ?"
    )
    return [PassageHit(row, entry, -rank) for row, entry, rank in db.execute(query, (expression, *values, limit))]


def groups(
    db: sqlite3.Connection, terms: Sequence[str], limit: int, weights: FieldWeights | None = None,
) -> dict[int, float]:  # fmt: skip
    """BM25 of the best groups that hold any of `terms`."""
    if not terms:
        return {}
    by = weights or FieldWeights()
    found = db.execute(
        "select rowid, bm25(grp_fts, ?, ?, ?, ?, ?, ?) as score from grp_fts where grp_fts match ? "
        "order by score, rowid limit ?",
        (by.path, by.title, by.description, by.tags, by.kind, by.body, any_of(terms), limit),
    )
    return {row: -score for row, score in found}


def frequency(db: sqlite3.Connection, terms: Sequence[str], *, of: str = "passages") -> dict[str, int]:
    """How many passages (or `groups`) hold each term; 0 for an unknown one.

    For `term*` an upper bound: the sum over the terms that begin so.
    """
    found = dict.fromkeys(terms, 0)
    unique = [term for term in found if not term.endswith("*")]
    for term in found.keys() - unique:
        query = f"select coalesce(sum({of}), 0) from vocabulary where term >= ? and term < ?"  # noqa: S608 - own names
        first = clean(term[:-1])
        found[term] = db.execute(query, (first, first + "\U0010ffff")).fetchone()[0]
    for start in range(0, len(unique), _CHUNK):
        chunk = [*map(clean, unique[start : start + _CHUNK])]
        query = f"select term, {of} from vocabulary where term in ({', '.join('?' * len(chunk))})"  # noqa: S608 - own names
        found.update(db.execute(query, chunk).fetchall())
    return found


def close_terms(db: sqlite3.Connection, term: str, limit: int) -> list[str]:
    """Known terms one edit away (two from 8 letters on) with the same first letter, nearest first.

    Words of scripts without blanks between words are n-grams here, for which an edit means another word.
    """
    if not _LEAST_FOR_ONE_EDIT <= len(term) <= _MOST_TERM or not term.isalpha() or term[0] >= _FIRST_WITHOUT_BLANKS:
        return []
    most = 2 if len(term) >= _LEAST_FOR_TWO_EDITS else 1
    found = db.execute(
        "select term from vocabulary where term >= ? and term < ? and length(term) between ? and ? and passages > 0 "
        "limit ?",
        (term[0], chr(ord(term[0]) + 1), len(term) - most, len(term) + most, _CANDIDATES),
    )
    letters = set(term)
    near = sorted(
        (distance, known) for (known,) in found
        # An edit changes the set of letters by two at most; comparing sets is fifty times cheaper than counting edits.
        if len(letters.symmetric_difference(known)) <= 2 * most and (distance := edits(term, known, most)) <= most
    )  # fmt: skip
    return [known for _, known in near[:limit]]


def edits(a: str, b: str, most: int) -> int:
    """Edit distance with neighbours swapped counting one (optimal string alignment), or `most + 1` when beyond it."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    older: list[int] = []
    old = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        new = [i, *([0] * len(b))]
        for j, right in enumerate(b, 1):
            new[j] = min(old[j] + 1, new[j - 1] + 1, old[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                new[j] = min(new[j], older[j - 2] + 1)
        if min(new) > most:
            return most + 1
        older, old = old, new
    return old[-1] if old[-1] <= most else most + 1


def _quoted(term: str) -> str:
    # FTS5 reads a query up to the first NUL, and SQLite takes no lone surrogate.
    plain = clean(term.removesuffix("*")).replace("\0", " ").replace('"', '""')
    return f'"{plain}"*' if term.endswith("*") else f'"{plain}"'
