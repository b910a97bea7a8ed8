"""`Where` as SQL and as a mask over rows."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mnemic.adapters.sqlite.schema import clean
from mnemic.domain.entries import Where

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

_EVERYTHING = Where(states=())
_KEPT = 8
_NOT_ENDED = "(e.valid_until is null or e.valid_until > ?)"


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
        if where.current_at is None:
            return self._lasting(db, where, generation)
        # The moment is another one at every question; all but a few entries have no end.
        return _but(
            self._lasting(db, replace(where, current_at=None), generation),
            _numbers(
                db,
                "select group_concat(id) from entry indexed by entry_end where valid_until <= ?",
                [where.current_at.timestamp()],
            ),
        )

    def _lasting(self, db: sqlite3.Connection, where: Where, generation: int) -> Allowed | None:
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
    for part, allowed in (
        ("e.source in ({})", tuple(map(clean, where.sources))),
        ("e.kind in ({})", tuple(map(clean, where.kinds))),
        ("e.state in ({})", tuple(map(clean, where.states))),
        ("e.loading in ({})", tuple(map(clean, where.loadings))),
        ("e.id in (select entry from tag where tag in ({}))", tuple(clean(tag).casefold() for tag in where.tags)),
        ("e.grp in (select id from grp where key in ({}))", tuple(map(clean, where.groups))),
    ):
        if allowed:
            parts.append(part.format(_marks(allowed)))
            values.extend(allowed)
    if where.scope:
        parts.append("e.scope in ('', ?)")
        values.append(clean(where.scope))
    if where.lapsed:
        parts.append("(e.state != 'superseded' or e.valid_until is not null)")
    for condition, moment in _moments(where):
        parts.append(condition)
        values.append(moment.timestamp())
    if where.without:
        parts.append("e.uid not in (select value from json_each(?))")
        values.append(json.dumps(sorted(where.without)))
    if where.offered is not None:
        parts.append("e.offered" if where.offered else "not e.offered")
    if where.cites is not None:
        parts.append("e.cites" if where.cites else "not e.cites")
    if where.min_authority > 0:
        parts.append("e.authority >= ?")
        values.append(where.min_authority)
    return " and ".join(parts) or "1", values


def _moments(where: Where) -> Iterator[tuple[str, datetime]]:
    for condition, moment in (
        ("(e.valid_from is null or e.valid_from <= ?)", where.valid_at),
        (_NOT_ENDED, where.valid_at),
        (_NOT_ENDED, where.current_at),
        ("e.recorded_at <= ?", where.as_of),
        ("e.changed_at > ?", where.changed_after),
    ):
        if moment is not None:
            yield condition, moment


def narrows(where: Where) -> bool:
    """Whether more than the usual "active and not at an end" is asked."""
    plain = where if where.current_at is None else replace(where, current_at=None)
    return plain not in (Where(), _EVERYTHING)


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


def _but(allowed: Allowed | None, rows: NDArray[np.int64]) -> Allowed | None:
    """The same without some rows."""
    import numpy as np

    if not len(rows):
        return allowed
    if allowed is None:
        return Allowed(rows, others=True)
    joined = np.union1d(allowed.rows, rows) if allowed.others else np.setdiff1d(allowed.rows, rows)
    return Allowed(joined, others=allowed.others)


def _numbers(db: sqlite3.Connection, query: str, values: list[object] | tuple[()]) -> NDArray[np.int64]:
    """Row numbers as one text: a Python object each would cost four times as much."""
    import numpy as np

    text = db.execute(query, values).fetchone()[0]
    return np.zeros(0, np.int64) if text is None else np.fromstring(str(text), np.int64, sep=",")


def _marks(values: tuple[object, ...]) -> str:
    return ", ".join("?" * len(values))
