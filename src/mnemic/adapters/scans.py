"""The last scan of some folders, kept while nothing changes in them."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemic.adapters.watch import Watch
    from mnemic.domain.documents import Stamp


@dataclass(slots=True)
class KeptScan:
    """Answers again what a scan found, for as long as the system says that nothing has changed since.

    Watching begins with the second look: a process that looks once must not pay for it. The same list is given again,
    so that a caller can tell at a glance that it knows it.
    """

    scan: Callable[[], tuple[list[Stamp], Sequence[str] | None]]
    """Gives the stamps and the folders to watch, None when they cannot be watched."""
    _stamps: list[Stamp] | None = None
    _folders: Sequence[str] | None = None
    _watch: Watch | None = None
    _guard: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def stamps(self) -> list[Stamp]:
        """What a scan finds now. Not to be changed by the caller."""
        with self._guard:
            if self._stamps is not None and self._watch is not None and self._watch.quiet():
                return self._stamps
            again = self._stamps is not None
            watching = again and self._begin_to_watch()
            stamps, folders = self.scan()
            if not watching or folders is None or self._folders is None or set(folders) != set(self._folders):
                self._stop_watching()
            self._folders = folders
            self._stamps = self._stamps if self._stamps == stamps else stamps
            assert self._stamps is not None
            return self._stamps

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
