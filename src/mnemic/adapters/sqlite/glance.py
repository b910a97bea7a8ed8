"""A lean look at the index by words alone, for a hook that finds no server.

The one exception to "every reader goes through recall": a whole process has twenty milliseconds here, and recall with
its imports takes three times as long. What is given up is stated: no meanings, no fusion, no refresh, so what was
written since the last index update is not found. What is not given up: nothing is quoted that does not stand in the
files any more. Every file a result comes from must be as the index saw it; an erasure that is owed stops everything.
It only reads, takes no lock, and imports neither `typing`, `dataclasses` nor numpy.
"""

from __future__ import annotations

import os
import stat
from math import log

from mnemic.adapters.sqlite.version import stamp as current_stamp
from mnemic.text.terms import asked_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from typing import Final

_MOST_TERMS: Final = 24
"""The rarest words of a prompt that are looked for; the others would find everything."""
_LOOKED_AT: Final = 60
"""Passages that are read for a handful of facts."""
_TELLING: Final = 4
"""So many of the rarest words decide whether a passage speaks of what was asked."""
_ENOUGH: Final = 0.5
"""The share of their weight that a passage must hold."""
_BUSY_SECONDS: Final = 0.05
_TURN: Final = "turn"
_OWED: Final = "erasure-owed"
_STATE: Final = ".mnemic/"
"""How paths of sessions begin, wherever the state is."""


class Glimpse:
    """One thing found: its reference, what stands there, and where it comes from."""

    __slots__ = ("id", "origin", "outcome", "recorded_at", "source", "speaker", "text", "title")

    def __init__(self, row: tuple[str, str, str, str, str, float, str, str | None]) -> None:
        self.id, self.source, self.title, self.speaker, self.origin, self.recorded_at, self.text, self.outcome = row


def glance(  # noqa: PLR0913 - where, what, and how much of it
    root: str, state: str, prompt: str, *, now: float, most: int, most_turns: int, apart: tuple[str, ...] = ()
) -> list[Glimpse]:
    """The best that the index holds for a prompt; nothing where it cannot be read at once, or holds nothing near it.

    Args:
        root: The bundle's folder, that paths of memories and sessions start from.
        state: The folder of `index.db`.
        prompt: The user's words.
        now: Seconds since 1970; what is not true at this moment is left out.
        most: At most so many.
        most_turns: At most so many of them turns of conversations.
        apart: How references of sessions end whose turns are left out: the conversation that is going on.
    """
    if most < 1 or os.path.exists(f"{state}/{_OWED}"):
        return []
    import _sqlite3

    try:
        db = _opened(f"{state}/index.db")
    except _sqlite3.Error:
        return []
    try:
        kept = _standing(root, state, _found(db, prompt, now, apart), most, most_turns) if _fits(db) else []
        for one in kept:
            _complete(db, one)
    except _sqlite3.Error:
        return []
    finally:
        db.close()
    return [one.glimpse for one in kept]


def knows_name(state: str, names: list[str]) -> bool:
    """Whether one of these casefolded names is a memory's; then the prompt may call it."""
    import _sqlite3

    try:
        db = _opened(f"{state}/index.db")
    except _sqlite3.Error:
        return False
    try:
        marks = ", ".join("?" * len(names))
        query = f"select 1 from name where name in ({marks}) limit 1"  # noqa: S608 - only marks
        return _fits(db) and db.execute(query, names).fetchone() is not None
    except _sqlite3.Error:
        return False
    finally:
        db.close()


def frozen(state: str, conversation: str) -> str | None:
    """The text that was put into a conversation's system slot; None before the first, or where it cannot be told."""
    import _sqlite3

    if not os.path.exists(f"{state}/state.db"):
        return None
    try:
        db = _opened(f"{state}/state.db")
    except _sqlite3.Error:
        return None
    try:
        row = db.execute("select frozen from conversation where name = ?", (conversation,)).fetchone()
    except (_sqlite3.Error, UnicodeError):
        return None
    finally:
        db.close()
    return row[0] if row and isinstance(row[0], str) else None


def _opened(path: str) -> Connection:
    import _sqlite3

    plain = os.path.abspath(path).replace("\\", "/").replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    address = f"file://{'' if plain.startswith('/') else '/'}{plain}?mode=ro"
    return _sqlite3.connect(address, timeout=_BUSY_SECONDS, isolation_level=None, uri=True)


def _fits(db: Connection) -> bool:
    row = db.execute("select value from meta where key = 'stamp'").fetchone()
    return row is not None and row[0] == current_stamp()


class _Row:
    """A passage that matches, and the file it was read from."""

    __slots__ = ("description", "facts", "glimpse", "row")

    def __init__(
        self, row: int, description: str, glimpse: Glimpse, facts: tuple[str, int, int, int, int, str]
    ) -> None:
        self.row, self.description, self.glimpse, self.facts = row, description, glimpse, facts


def _found(db: Connection, prompt: str, now: float, apart: tuple[str, ...]) -> list[_Row]:
    terms, phrases, _, excluded, prefixes, only_stop_words, _ = asked_for(prompt)
    if not terms or only_stop_words:
        return []
    weights = _weights(db, terms, frozenset(prefixes))
    wanted = sorted(weights, key=lambda term: (-weights[term], term))[:_MOST_TERMS]
    if not wanted:
        return []
    # As in a recall: FTS5 leaves the sorting to SQLite, which keeps only the best.
    query = "select rowid from passage_fts where passage_fts match ? order by rank, rowid limit ?"
    quoted = " OR ".join(f'"{term}"*' if term in prefixes else f'"{term}"' for term in wanted)
    best = [row for (row,) in db.execute(query, (quoted, _LOOKED_AT))]
    told = _rows(db, best, now)
    whole = sum(weights[term] for term in wanted[:_TELLING])
    unwanted = {phrase[0] for phrase in excluded if len(phrase) == 1}
    enough = []
    for row in best:
        if row not in told:
            continue
        held, key, one = told[row]
        words = frozenset(held.split())
        share = sum(weight for term, weight in weights.items() if _holds(words, term, term in prefixes)) / whole
        said = any(f" {' '.join(phrase)} " in f" {held} " for phrase in phrases)
        if (share >= _ENOUGH or said) and unwanted.isdisjoint(words) and not key.endswith(apart):
            enough.append(one)
    return enough


def _holds(words: frozenset[str], term: str, is_prefix: bool) -> bool:  # noqa: FBT001
    return any(word.startswith(term) for word in words) if is_prefix else term in words


def _weights(db: Connection, terms: tuple[str, ...], prefixes: frozenset[str]) -> dict[str, float]:
    """What each known word says: the rarer, the more."""
    marks = ", ".join("?" * len(terms))
    known = dict(db.execute(f"select term, passages from vocabulary where term in ({marks})", terms))  # noqa: S608
    for term in prefixes:
        query = "select coalesce(sum(passages), 0) from vocabulary where term >= ? and term < ?"
        known[term] = db.execute(query, (term, term + "\U0010ffff")).fetchone()[0]
    # The highest number given is close to how many there are, and at hand.
    total = db.execute("select coalesce(max(id), 0) from passage").fetchone()[0]
    return {
        term: log(1 + (max(total - many, 0) + 0.5) / (many + 0.5)) for term in terms if (many := known.get(term, 0)) > 0
    }


def _rows(db: Connection, rows: list[int], now: float) -> dict[int, tuple[str, str, _Row]]:
    query = (
        "select p.id, p.terms, g.key, e.id, e.description, "  # noqa: S608 - only marks
        "e.key, e.source, e.title, e.speaker, e.origin, e.recorded_at, p.text, "
        "(select o.result || ': ' || o.key from entry o where o.outcome_of = e.key and o.result is not null "
        "and o.state = 'active' order by o.recorded_at desc, o.key limit 1), "
        "d.path, d.size, d.mtime_ns, d.inode, d.settled, d.sha256 from passage p "
        "cross join entry e on e.id = p.entry cross join grp g on g.id = e.grp "
        "cross join document d on d.id = e.document "
        f"where p.id in ({', '.join('?' * len(rows))}) and e.state = 'active' "
        "and (e.valid_from is null or e.valid_from <= ?) and (e.valid_until is null or e.valid_until > ?)"
    )
    return {
        row[0]: (row[1], row[2], _Row(row[3], row[4], Glimpse(row[5:13]), row[13:]))
        for row in db.execute(query, (*rows, now, now))
    }


def _complete(db: Connection, one: _Row) -> None:
    """Let what a text is about be followed by the text: a title alone tells nothing."""
    glimpse = one.glimpse
    if glimpse.source == _TURN or glimpse.text not in {glimpse.title, one.description}:
        return
    query = "select text from passage where entry = ? and text not in (?, ?) order by ordinal limit 1"
    body = db.execute(query, (one.row, glimpse.title, one.description)).fetchone()
    if body is not None:
        glimpse.text = body[0] if glimpse.text == glimpse.title else f"{glimpse.text} {body[0]}"


def _standing(root: str, state: str, found: list[_Row], most: int, most_turns: int) -> list[_Row]:
    """The first of each entry, as long as its file is what the index saw."""
    kept: list[_Row] = []
    seen: set[int] = set()
    files: dict[str, bool] = {}
    turns = 0
    for one in found:
        is_turn = one.glimpse.source == _TURN
        if one.row in seen or (is_turn and turns >= most_turns):
            continue
        seen.add(one.row)
        path = one.facts[0]
        if path not in files:
            files[path] = _is_unchanged(root, state, one.facts, is_turn=is_turn)
        if files[path]:
            kept.append(one)
            turns += is_turn
            if len(kept) == most:
                break
    return kept


def _is_unchanged(root: str, state: str, facts: tuple[str, int, int, int, int, str], *, is_turn: bool) -> bool:
    path, size, mtime_ns, inode, settled, digest = facts
    place = f"{state}/{path.removeprefix(_STATE)}" if is_turn else f"{root}/{path}"
    try:
        seen = os.lstat(place)
        if not stat.S_ISREG(seen.st_mode) or seen.st_nlink > 1:
            return False
        number = seen.st_ino if seen.st_ino < 1 << 63 else seen.st_ino - (1 << 64)
        if (seen.st_size, seen.st_mtime_ns, number) != (size, mtime_ns, inode):
            return False
        # Read so soon after it was written, that it may have changed since under the same stamp.
        return bool(settled) or (not is_turn and _sha256(place) == digest)
    except OSError:
        return False


def _sha256(path: str) -> str:
    from hashlib import sha256

    with open(path, "rb") as file:
        return sha256(file.read()).hexdigest()
