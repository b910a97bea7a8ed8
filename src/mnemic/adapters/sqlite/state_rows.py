"""Rows of the turns' file: what more than one call of it does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from mnemic.adapters.sqlite.schema import clean
from mnemic.domain.ids import SESSION_PREFIX

if TYPE_CHECKING:
    import sqlite3

    from mnemic.domain.access import OpenTurn, Receipt

IDLE = timedelta(days=30)
"""After so long without a turn a conversation is forgotten."""
REMEMBERED = timedelta(days=1)
"""So long a receipt of an ended turn is told from one that was never given."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SECOND = 1_000_000


def number(when: datetime) -> int:
    """Microseconds since 1970, UTC."""
    return (when - _EPOCH) // _MICROSECOND


def moment(stored: int) -> datetime:
    """The moment of such a number."""
    return _EPOCH + stored * _MICROSECOND


def open_turn(db: sqlite3.Connection, name: str) -> OpenTurn | None:
    """The conversation's open turn."""
    from mnemic.domain.access import OpenTurn

    query = "select turn, begun, announced, reads, characters from conversation where name = ? and turn != ''"
    row = db.execute(query, (name,)).fetchone()
    if row is None:
        return None
    turn, begun, announced, reads, characters = row
    return OpenTurn(
        id=turn, conversation=name, begun_at=moment(begun), announced=bool(announced), reads=reads,
        characters=characters,
    )  # fmt: skip


def ordered(db: sqlite3.Connection, at: int, announced: bool) -> int:  # noqa: FBT001 - of one call
    """When a turn begins: later than every one before it, also within one tick of the clock.

    So it can be told which came first, a turn or the announcement of another one. Where the clock was set back, by
    more than a second, it starts over.
    """
    known = dict(db.execute("select what, at from moment"))
    latest = known.get("latest", at - 1)
    begun = latest + 1 if at <= latest <= at + _SECOND else at
    moments = {"latest": begun}
    if announced or known.get("announced", begun) > begun:
        moments["announced"] = begun
    db.executemany("insert into moment values(?, ?) on conflict(what) do update set at = excluded.at", moments.items())
    return begun


def end(db: sqlite3.Connection, name: str) -> None:
    """Nothing of the turn is left but that its receipts were given."""
    for (turn,) in db.execute("select turn from conversation where name = ? and turn != ''", (name,)).fetchall():
        db.execute("delete from found where turn = ?", (turn,))
        db.execute("update receipt set id = '', revision = '' where turn = ?", (turn,))
        db.execute("update conversation set turn = '' where name = ?", (name,))


def prune(db: sqlite3.Connection, at: int) -> None:
    """Take away what is old: idle conversations, receipts of turns that ended long ago."""
    before = at - IDLE // _MICROSECOND
    for (name,) in db.execute("select name from conversation where seen < ?", (before,)).fetchall():
        drop(db, name)
    db.execute(
        "delete from receipt where issued < ? and not exists "
        "(select 1 from conversation where turn = receipt.turn and turn != '')",
        (at - REMEMBERED // _MICROSECOND,),
    )


def drop(db: sqlite3.Connection, name: str) -> None:
    """Take a conversation away with all that is its own."""
    end(db, name)
    db.execute("delete from delivery where conversation = ?", (name,))
    db.execute("delete from frozen_of where conversation = ?", (name,))
    db.execute("delete from conversation where name = ?", (name,))


def see(db: sqlite3.Connection, name: str, at: int) -> None:
    """Make the row of a conversation, or note that it is not idle."""
    db.execute(
        "insert into conversation(name, seen) values(?, ?) on conflict(name) do update set seen = excluded.seen",
        (name, at),
    )


def keep(db: sqlite3.Connection, receipt: Receipt) -> None:
    """Keep a receipt. That its turn has ended meanwhile makes it worthless, not unknown."""
    is_open = db.execute("select 1 from conversation where turn = ? and turn != ''", (receipt.turn,)).fetchone()
    about = (clean(receipt.id), receipt.revision) if is_open else ("", "")
    db.execute(
        "insert or replace into receipt values(?, ?, ?, ?, ?, ?)",
        (receipt.token, receipt.kind.value, receipt.turn, number(receipt.issued_at), *about),
    )


def thaw(db: sqlite3.Connection, memory_id: str) -> None:
    """Drop the frozen texts that were made of a memory, of the whole it is part of, or of parts of it."""
    whole, first, last = memory_id.partition("#")[0], *_parts_of(memory_id)
    frozen = db.execute(
        "select distinct conversation from frozen_of where id in (?, ?) or (id >= ? and id < ?)",
        (memory_id, whole, first, last),
    ).fetchall()
    for (name,) in frozen:
        db.execute("update conversation set frozen = null where name = ?", (name,))
        db.execute("delete from frozen_of where conversation = ?", (name,))


def erase(db: sqlite3.Connection, memory_id: str) -> None:
    """Every row of a memory, or of a session and what is in it; what was made of the whole holds each part."""
    thaw(db, memory_id)
    first, last = _parts_of(memory_id)
    for table in ("receipt", "found", "delivery", "usage"):
        db.execute(f"delete from {table} where id = ? or (id >= ? and id < ?)", (memory_id, first, last))  # noqa: S608
    if memory_id.startswith(SESSION_PREFIX) and "#" not in memory_id:
        drop(db, memory_id.removeprefix(SESSION_PREFIX))


def _parts_of(memory_id: str) -> tuple[str, str]:
    """Between these two texts lie the ids of all its parts: `$` is the character after `#`."""
    return f"{memory_id}#", f"{memory_id}$"
