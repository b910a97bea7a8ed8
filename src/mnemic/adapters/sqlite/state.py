"""`TurnStore` in a small SQLite file of its own."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from mnemic.adapters.sqlite import state_rows as rows
from mnemic.adapters.sqlite.schema import clean

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from mnemic.adapters.sqlite.state_file import StateFile
    from mnemic.domain.access import Delivery, OpenTurn, Receipt, Usage, Use

MOST_DELIVERIES = 1_000
"""So many a conversation are remembered, the last ones."""


class SqliteTurns:
    """`TurnStore` in the file `path`; made on the first write, and nothing is loaded before the first call.

    Safe to use from any number of threads and processes at once: each call is one transaction. A damaged file is set
    aside and made anew. Every method raises StorageError (BundleBusyError) where the file cannot be used.
    """

    def __init__(self, path: Path, home: Path | None = None) -> None:
        self.path, self.home = path, home

    @cached_property
    def _file(self) -> StateFile:
        from mnemic.adapters.sqlite.state_file import StateFile

        return StateFile(self.path, self.home)

    def close(self) -> None:
        """Let go of the file; the next call opens it again."""
        self._file.close()

    # -- turns ---------------------------------------------------------------------------------------------------

    def begin(self, conversation: str, now: datetime, *, announced: bool, instead_of: str | None = None) -> OpenTurn:
        """As the port says. Conversations that were idle for long go on this occasion."""
        from mnemic.domain.access import OpenTurn

        name, at = clean(conversation), rows.number(now)

        def work(db: sqlite3.Connection) -> OpenTurn:
            if instead_of is not None:
                open_now = rows.open_turn(db, name)
                if (open_now.id if open_now else "") != instead_of and open_now is not None:
                    return open_now
            rows.end(db, name)
            rows.prune(db, at)
            begun_at = rows.moment(rows.ordered(db, at, announced))
            turn = OpenTurn(id=os.urandom(10).hex(), conversation=conversation, begun_at=begun_at, announced=announced)
            db.execute(
                "insert into conversation(name, turn, begun, announced, seen) values(?1, ?2, ?3, ?4, ?5) "
                "on conflict(name) do update set turn = ?2, begun = ?3, announced = ?4, seen = ?5, reads = 0, "
                "characters = 0",
                (name, turn.id, rows.number(turn.begun_at), announced, at),
            )
            return turn

        return self._file.write(work)

    def current(self, conversation: str) -> OpenTurn | None:
        """As the port says."""
        return self._file.read(lambda db: rows.open_turn(db, clean(conversation)), None)

    def end(self, conversation: str) -> None:
        """As the port says."""
        if self.current(conversation) is not None:
            self._file.write(lambda db: rows.end(db, clean(conversation)))

    def last_announced(self) -> datetime | None:
        """As the port says."""

        def ask(db: sqlite3.Connection) -> datetime | None:
            row = db.execute("select at from moment where what = 'announced'").fetchone()
            return rows.moment(row[0]) if row else None

        return self._file.read(ask, None)

    # -- receipts ------------------------------------------------------------------------------------------------

    def note_search(self, receipt: Receipt, ids: Sequence[str]) -> None:
        """As the port says. What an ended turn finds is not kept."""

        def work(db: sqlite3.Connection) -> None:
            rows.keep(db, receipt)
            db.executemany(
                "insert or ignore into found select ?1, ?2 where exists (select 1 from conversation where turn = ?1)",
                [(receipt.turn, clean(memory_id)) for memory_id in ids],
            )

        self._file.write(work)

    def was_found(self, turn: str, memory_id: str) -> bool:
        """As the port says."""
        query = "select 1 from found where turn = ? and id = ?"
        values = (turn, clean(memory_id))
        return self._file.read(lambda db: db.execute(query, values).fetchone() is not None, nothing=False)

    def note_read(self, receipt: Receipt, characters: int, *, most_reads: int, most_characters: int) -> bool:
        """As the port says; an ended turn has no budget."""

        def work(db: sqlite3.Connection) -> bool:
            taken = db.execute(
                "update conversation set reads = reads + 1, characters = characters + ?1 "
                "where turn = ?2 and turn != '' and reads < ?3 and characters + ?1 <= ?4",
                (characters, receipt.turn, most_reads, most_characters),
            )
            if taken.rowcount == 1:
                rows.keep(db, receipt)
            return taken.rowcount == 1

        return self._file.write(work)

    def receipt(self, token: str) -> Receipt | None:
        """As the port says."""
        from mnemic.domain.access import Receipt, ReceiptKind

        def ask(db: sqlite3.Connection) -> Receipt | None:
            row = db.execute(
                "select kind, turn, issued, id, revision from receipt r where token = ? "
                "and turn != '' and exists (select 1 from conversation where turn = r.turn)",
                (clean(token),),
            ).fetchone()
            if row is None:
                return None
            kind, turn, issued, memory_id, revision = row
            return Receipt(
                token=token, kind=ReceiptKind(kind), turn=turn, issued_at=rows.moment(issued), id=memory_id,
                revision=revision,
            )  # fmt: skip

        return self._file.read(ask, None)

    def was_given(self, token: str) -> bool:
        """As the port says; for a day, and as long as its turn is open."""
        query = "select 1 from receipt where token = ?"
        return self._file.read(lambda db: db.execute(query, (clean(token),)).fetchone() is not None, nothing=False)

    # -- what was delivered, and what served ---------------------------------------------------------------------

    def note_delivery(self, conversation: str, now: datetime, deliveries: Sequence[Delivery]) -> None:
        """As the port says; the last thousand of a conversation are kept."""
        if not deliveries:
            return
        name, at = clean(conversation), rows.number(now)

        def work(db: sqlite3.Connection) -> None:
            rows.see(db, name, at)
            db.executemany(
                "insert into delivery(conversation, at, id, slot, why, tokens) values(?, ?, ?, ?, ?, ?)",
                [(name, at, clean(each.id), clean(each.slot), clean(each.why), each.tokens) for each in deliveries],
            )
            db.execute(
                "delete from delivery where conversation = ?1 and number <= (select number from delivery "
                "where conversation = ?1 order by number desc limit 1 offset ?2)",
                (name, MOST_DELIVERIES),
            )

        self._file.write(work)

    def deliveries(self, conversation: str, limit: int) -> list[tuple[datetime, Delivery]]:
        """As the port says."""
        from mnemic.domain.access import Delivery

        query = "select at, id, slot, why, tokens from delivery where conversation = ? order by number desc limit ?"

        def ask(db: sqlite3.Connection) -> list[tuple[datetime, Delivery]]:
            found = db.execute(query, (clean(conversation), limit))
            return [
                (rows.moment(at), Delivery(id=i, slot=slot, why=why, tokens=tokens))
                for at, i, slot, why, tokens in found
            ]

        return self._file.read(ask, [])

    def note_use(self, ids: Sequence[str], use: Use, now: datetime) -> None:
        """As the port says; an id that is given twice counts once."""
        if not ids:
            return
        at = rows.number(now)
        counts = (use.value == "delivered", use.value == "read", use.value == "used")
        values = [(memory_id, *map(int, counts), at) for memory_id in dict.fromkeys(map(clean, ids))]
        query = (
            "insert into usage values(?, ?, ?, ?, ?) on conflict(id) do update set delivered = delivered + "
            "excluded.delivered, read = read + excluded.read, used = used + excluded.used, last = excluded.last"
        )
        self._file.write(lambda db: db.executemany(query, values))

    def usage(self, ids: Sequence[str]) -> dict[str, Usage]:
        """As the port says."""
        if not ids or not self.path.exists():
            return {}
        from mnemic.domain.access import Usage

        query = "select delivered, read, used, last from usage where id = ?"

        def ask(db: sqlite3.Connection) -> dict[str, Usage]:
            found = ((memory_id, db.execute(query, (clean(memory_id),)).fetchone()) for memory_id in ids)
            return {
                memory_id: Usage(delivered=row[0], read=row[1], used=row[2], last_at=rows.moment(row[3]))
                for memory_id, row in found
                if row is not None
            }

        return self._file.read(ask, {})

    # -- the system slot -----------------------------------------------------------------------------------------

    def frozen(self, conversation: str) -> str | None:
        """As the port says."""

        def ask(db: sqlite3.Connection) -> str | None:
            row = db.execute("select frozen from conversation where name = ?", (clean(conversation),)).fetchone()
            return row[0] if row else None

        return self._file.read(ask, None)

    def freeze(self, conversation: str, text: str, ids: Sequence[str], now: datetime) -> None:
        """As the port says."""
        name, at = clean(conversation), rows.number(now)

        def work(db: sqlite3.Connection) -> None:
            rows.see(db, name, at)
            db.execute("update conversation set frozen = ? where name = ?", (clean(text), name))
            db.execute("delete from frozen_of where conversation = ?", (name,))
            db.executemany("insert or ignore into frozen_of values(?, ?)", [(name, clean(each)) for each in ids])

        self._file.write(work)

    def thaw(self, ids: Sequence[str]) -> None:
        """As the port says."""

        def work(db: sqlite3.Connection) -> None:
            for memory_id in map(clean, ids):
                rows.thaw(db, memory_id)

        if self.path.exists():
            self._file.write(work)

    # -- forgetting ----------------------------------------------------------------------------------------------

    def erase(self, ids: Sequence[str]) -> None:
        """As the port says, durably; a file that cannot be cleaned is deleted whole."""

        def work(db: sqlite3.Connection) -> None:
            for memory_id in map(clean, ids):
                rows.erase(db, memory_id)

        self._file.erase(work)
