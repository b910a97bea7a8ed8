"""`Where` as SQL and as a mask over rows."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemic.adapters.sqlite.schema import clean
from mnemic.domain.entries import Where

if TYPE_CHECKING:
    import sqlite3

    import numpy as np
    from numpy.typing import NDArray

_EVERYTHING = Where(states=())
_KEPT = 8


@dataclass(frozen=True, slots=True)
class Allowed:
    """Which entries may be returned: those in `rows`, or with `others` all but those."""

    rows: NDArray[np.int64]
    others: bool

    def mask(self, entry: NDArray[np.int64]) -> NDArray[np.bool_]:
        """For each place of `entry` whether its entry may be returned."""
        import numpy as np

        top = int(max(entry.max(initial=0), self.rows.max(initial=0)))
        table = np.full(top + 1, self.others)
        table[self.rows] = not self.others
        return table[entry]


@dataclass(slots=True)
class FilterCache:
    """`Allowed` of the filters asked for last: most questions of a process come with the same few."""

    _known: OrderedDict[Where, tuple[int, Allowed | None]] = field(default_factory=OrderedDict)

    def allowed(self, db: sqlite3.Connection, where: Where, generation: int) -> Allowed | None:
        """Which entries `where` lets through at `generation`, which `db` is at; None when it lets all."""
        known = self._known.get(where)
        if known is not None and known[0] == generation:
            return known[1]
        found = _allowed(db, where)
        self._known[where] = (generation, found)
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return found


def clause(where: Where) -> tuple[str, list[object]]:
    """A condition over the table `entry` named `e`, and its values."""
    parts: list[str] = []
    values: list[object] = []
    for column, allowed in (
        ("source", where.sources),
        ("kind", where.kinds),
        ("state", where.states),
        ("loading", where.loadings),
    ):
        if allowed:
            parts.append(f"e.{column} in ({_marks(allowed)})")
            values.extend(map(clean, allowed))
    if where.tags:
        parts.append(f"e.id in (select entry from tag where tag in ({_marks(where.tags)}))")  # noqa: S608 - only marks
        values.extend(clean(tag).casefold() for tag in where.tags)
    if where.groups:
        parts.append(f"e.grp in (select id from grp where key in ({_marks(where.groups)}))")  # noqa: S608 - only marks
        values.extend(map(clean, where.groups))
    if where.scope:
        parts.append("e.scope in ('', ?)")
        values.append(clean(where.scope))
    if where.valid_at is not None:
        moment = where.valid_at.timestamp()
        parts.append("(e.valid_from is null or e.valid_from <= ?) and (e.valid_until is null or e.valid_until > ?)")
        values.extend((moment, moment))
    if where.as_of is not None:
        parts.append("e.recorded_at <= ?")
        values.append(where.as_of.timestamp())
    if where.offered is not None:
        parts.append("e.offered" if where.offered else "not e.offered")
    if where.min_authority > 0:
        parts.append("e.authority >= ?")
        values.append(where.min_authority)
    return " and ".join(parts) or "1", values


def narrows(where: Where) -> bool:
    """Whether more than the usual "active only" is asked."""
    return where not in (Where(), _EVERYTHING)


def _allowed(db: sqlite3.Connection, where: Where) -> Allowed | None:
    if where == _EVERYTHING:
        return None
    if not narrows(where):  # few are inactive, and they have an index of their own: list those instead
        inactive = _numbers(
            db, "select group_concat(id) from entry indexed by entry_inactive where state != 'active'", ()
        )
        return Allowed(inactive, others=True) if len(inactive) else None
    condition, values = clause(where)
    query = f"select group_concat(e.id) from entry e where {condition}"  # noqa: S608 - own text
    return Allowed(_numbers(db, query, values), others=False)


def _numbers(db: sqlite3.Connection, query: str, values: list[object] | tuple[()]) -> NDArray[np.int64]:
    """Row numbers as one text: a Python object each would cost four times as much."""
    import numpy as np

    text = db.execute(query, values).fetchone()[0]
    return np.zeros(0, np.int64) if text is None else np.fromstring(str(text), np.int64, sep=",")


def _marks(values: tuple[object, ...]) -> str:
    return ", ".join("?" * len(values))
