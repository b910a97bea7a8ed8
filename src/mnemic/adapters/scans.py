"""The last scan of some folders, kept up to date by what the system says has changed."""

from __future__ import annotations

import threading
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemic.adapters.watch import Watch
    from mnemic.domain.documents import Stamp

_FEW = 500
"""More changes than this are cheaper to find by looking at everything."""


class LookAtAllError(Exception):
    """A change whose effect cannot be told from one name."""


@dataclass(slots=True)
class KeptScan:
    """Answers again what a scan found, with what the system says has changed since.

    Watching begins with the second look: a process that looks once must not pay for it. Where nothing changed the same
    list is given again, so that a caller can tell at a glance that it knows it.

    Attributes:
        scan: Gives the stamps by path, and the folders to watch; None when they cannot be watched.
        one: What one name in a folder is now: its path and stamp (None: gone), or None when it is nothing that a scan
            lists; raises `LookAtAllError`.
    """

    scan: Callable[[], tuple[list[Stamp], Sequence[str] | None]]
    one: Callable[[str, str], tuple[str, Stamp | None] | None]
    _stamps: list[Stamp] | None = None
    _folders: Sequence[str] | None = None
    _watch: Watch | None = None
    _guard: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def stamps(self) -> list[Stamp]:
        """What a scan finds now. Not to be changed by the caller."""
        with self._guard:
            if self._stamps is None or not self._brought_up_to_date():
                self._look_at_all()
            assert self._stamps is not None
            return self._stamps

    def _brought_up_to_date(self) -> bool:
        changes = None if self._watch is None else self._watch.changes()
        if changes is None or len(changes) > _FEW:
            return False
        try:
            found = [self.one(folder, name) for folder, name in sorted(changes)]
        except LookAtAllError:
            return False
        told = [change for change in found if change is not None]
        if told:
            self._stamps = _with(self._stamps or [], told)
        return True

    def _look_at_all(self) -> None:
        watching = self._stamps is not None and self._begin_to_watch()
        stamps, folders = self.scan()
        if not watching or folders is None or self._folders is None or set(folders) != set(self._folders):
            self._stop_watching()
        self._folders = folders
        self._stamps = self._stamps if self._stamps == stamps else stamps

    def _begin_to_watch(self) -> bool:
        if self._folders is None:
            return False
        if self._watch is None:
            from mnemic.adapters.watch import Watch

            self._watch = Watch()
        return self._watch.watch(self._folders)

    def _stop_watching(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None


def _with(stamps: list[Stamp], changes: list[tuple[str, Stamp | None]]) -> list[Stamp]:
    """The same stamps, by path, with some replaced, added or taken out; the same list when nothing differs."""
    new = stamps
    for path, stamp in changes:
        place = bisect_left(new, (path,))
        there = place < len(new) and new[place].path == path
        if (new[place] if there else None) == stamp:
            continue
        if new is stamps:
            new = stamps.copy()
        new[place : place + there] = [] if stamp is None else [stamp]
    return new
