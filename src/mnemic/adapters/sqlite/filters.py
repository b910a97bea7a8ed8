"""`Where` as SQL and as a mask over rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.domain.entries import Where
from mnemic.domain.memory import State

if TYPE_CHECKING:
    import sqlite3

    import numpy as np
    from numpy.typing import NDArray

_EVERYTHING = Where(states=())


def clause(where: Where) -> tuple[str, list[object]]:
    """A condition over the table `entry` named `e`, and its values."""
    parts: list[str] = []
    values: list[object] = []
    for column, allowed in (("source", where.sources), ("kind", where.kinds), ("state", where.states)):
        if allowed:
            parts.append(f"e.{column} in ({_marks(allowed)})")
            values.extend(allowed)
    if where.tags:
        parts.append(f"e.id in (select entry from tag where tag in ({_marks(where.tags)}))")  # noqa: S608 - only marks
        values.extend(tag.casefold() for tag in where.tags)
    if where.groups:
        parts.append(f"e.grp in (select id from grp where key in ({_marks(where.groups)}))")  # noqa: S608 - only marks
        values.extend(where.groups)
    if where.scope:
        parts.append("e.scope in ('', ?)")
        values.append(where.scope)
    if where.valid_at is not None:
        moment = where.valid_at.timestamp()
        parts.append("(e.valid_from is null or e.valid_from <= ?) and (e.valid_until is null or e.valid_until > ?)")
        values.extend((moment, moment))
    if where.as_of is not None:
        parts.append("e.recorded_at <= ?")
        values.append(where.as_of.timestamp())
    if where.min_authority > 0:
        parts.append("e.authority >= ?")
        values.append(where.min_authority)
    return " and ".join(parts) or "1", values


def narrows(where: Where) -> bool:
    """Whether more than the usual "active only" is asked."""
    return where not in (Where(), _EVERYTHING)


def allowed_rows(db: sqlite3.Connection, where: Where, entry: NDArray[np.int64]) -> NDArray[np.bool_] | None:
    """Which rows of a matrix may be returned; None when all may."""
    import numpy as np

    if where == _EVERYTHING:
        return None
    if not narrows(where):  # few are inactive: list those instead
        found = db.execute("select id from entry where state != ?", (State.ACTIVE,)).fetchall()
        return None if not found else ~np.isin(entry, np.fromiter((row[0] for row in found), np.int64, len(found)))
    condition, values = clause(where)
    found = db.execute(f"select e.id from entry e where {condition}", values).fetchall()  # noqa: S608 - own text
    return np.isin(entry, np.fromiter((row[0] for row in found), np.int64, len(found)))


def _marks(values: tuple[object, ...]) -> str:
    return ", ".join("?" * len(values))
