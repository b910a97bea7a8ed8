"""What is owed in opened bundles, and what becomes of it: `App.promises`."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from mnemic.services.context.promises import fulfilled, promises, put_off, waiting_for
from mnemic.services.upkeep.refresh import refresh

if TYPE_CHECKING:
    from datetime import datetime

    from mnemic.app import App
    from mnemic.domain.drafts import Remembered
    from mnemic.services.context.promises import Promise


class Promises:
    """Commitments; see `services/context/promises.py`."""

    def __init__(self, app: App) -> None:
        self._app = app

    def list(self, *, within_days: int | None = None, settled: bool = False) -> list[Promise]:
        """Those of every opened bundle, the most urgent first.

        Args:
            within_days: Those due within so many days are due soon; the setting `context.due_days` when left out.
            settled: Also those that are fulfilled or expired.
        """
        bundles = (self._app.bundle, *self._app.others)
        for bundle in bundles:
            refresh(bundle)
        days = self._app.loaded.settings.context.due_days if within_days is None else within_days
        return promises(bundles, now=self._app.bundle.clock.now(), within=timedelta(days=days), settled=settled)

    def settle(self, wanted: str) -> Remembered:
        """It was kept.

        Raises:
            InvalidMemoryError: It is no commitment.
        """
        return self._app.edit(wanted, fulfilled)

    def snooze(self, wanted: str, until: datetime) -> Remembered:
        """Do not speak of it before `until`.

        Raises:
            InvalidMemoryError: It is no commitment, or `until` has passed.
        """
        now = self._app.bundle.clock.now()
        return self._app.edit(wanted, lambda memory: put_off(memory, until, now=now))

    def fire(self, event: str) -> tuple[Remembered, ...]:
        """An event has happened: those that wait for it are due now.

        Raises:
            InvalidMemoryError: The event has no name.
        """
        bundle = self._app.bundle
        refresh(bundle)
        due: dict[str, object] = {"due": bundle.clock.now(), "snoozed_until": None}
        return tuple(self._app.edit(memory.id, lambda _memory: due) for memory in waiting_for(bundle, event))
