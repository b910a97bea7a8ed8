"""What a program asks of ledger and vault: whether they are whole, what they tell, and a new key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.domain.ledger import BEGINNING
from mnemic.services.chronicle.audit import audit
from mnemic.services.chronicle.history import uid_of
from mnemic.services.chronicle.records import exported, history_facts, log, rotate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from mnemic.app import App
    from mnemic.domain.vault import KeyPlace
    from mnemic.ports import Progress
    from mnemic.services.chronicle.audit import Audited
    from mnemic.services.chronicle.records import HistoryFacts, LogRow


class Records:
    """The records of the first bundle of an application."""

    def __init__(self, app: App) -> None:
        self._app = app

    def verify(self, progress: Progress | None = None) -> Audited | None:
        """Read everything from the disk and compare it; None where nothing is kept: `services/chronicle/audit.py`."""
        return audit(self._app.bundle, progress)

    def log(self, wanted: str = "", *, since: datetime | None = None, limit: int | None = None) -> list[LogRow]:
        """What was done, the newest first; to one memory, where it is named.

        Raises:
            MemoryNotFoundError: There is no such memory, and nothing is known of one.
        """
        bundle, name = self._app.locate(wanted) if wanted else (self._app.bundle, "")
        return log(bundle, uid=uid_of(bundle, name) if name else "", since=since, limit=limit)

    def export(self, since: datetime | None = None) -> Iterator[bytes]:
        """The lines of the ledger as they stand, without line feeds."""
        return exported(self._app.bundle, since)

    def head(self) -> tuple[int, str]:
        """Number and hash of the last event, to be noted somewhere else."""
        past = self._app.bundle.past()
        return (0, BEGINNING) if past is None else past.ledger.head()

    def rotate(self, place: KeyPlace | None = None) -> HistoryFacts:
        """A new key in the place of the old one, which is taken away; see `services/chronicle/records.py`."""
        return rotate(self._app.bundle, place)

    def facts(self) -> HistoryFacts:
        """How much is kept, and where the key is."""
        return history_facts(self._app.bundle)
