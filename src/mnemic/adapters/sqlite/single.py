"""What the small databases that are no index share: one connection a process, and all or nothing."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Held:
    """A connection, the file it is to, and the process it belongs to; closed when nobody has it any more."""

    db: sqlite3.Connection
    inode: int
    process: int

    def __del__(self) -> None:
        if self.process == os.getpid():
            self.db.close()


def within(db: sqlite3.Connection, work: Callable[[sqlite3.Connection], T], begin: str = "begin immediate") -> T:
    """Do it in one transaction, all or nothing."""
    db.execute(begin)
    try:
        done = work(db)
        db.execute("commit")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("rollback")
        raise
    return done
