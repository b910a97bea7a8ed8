"""Commitments whose time has come, or nearly."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.entries import Source, Where

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from mnemic.domain.entries import IndexedEntry
    from mnemic.services.bundle import Bundle

_ALL = 100_000
_COMMITMENTS = Where(sources=(Source.MEMORY,), kinds=("commitment",))


class DuePromise(NamedTuple):
    """A commitment with its moment; `bundle` is empty for the first one."""

    bundle: str
    entry: IndexedEntry
    due: datetime
    overdue: bool


def due_promises(bundles: Sequence[Bundle], *, now: datetime, within: timedelta) -> list[DuePromise]:
    """Active commitments that are overdue or due within this time, the most urgent first.

    Those without a date are never due by themselves; they are found as any memory is.
    """
    found: list[DuePromise] = []
    for number, bundle in enumerate(bundles):
        with bundle.index.reading() as index:
            entries = index.entries(index.by_prior(_COMMITMENTS, _ALL))
        name = bundle.name if number else ""
        for entry in entries.values():
            if entry.due is None or entry.due > (now + within).timestamp():
                continue
            if entry.valid_until is not None and entry.valid_until <= now.timestamp():
                continue
            moment = datetime.fromtimestamp(entry.due, UTC)
            found.append(DuePromise(name, entry, moment, overdue=moment < now))
    return sorted(found, key=lambda promise: (promise.due, promise.bundle, promise.entry.id))
