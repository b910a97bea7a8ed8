"""What is held back in opened bundles, and what a person does with it: `App.quarantine`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.services.bundle import named
from mnemic.services.reviewing.release import quarantine, reject, release, suspect
from mnemic.services.upkeep.refresh import refresh

if TYPE_CHECKING:
    from mnemic.app import App
    from mnemic.domain.drafts import Remembered
    from mnemic.services.reviewing.release import Suspect


class Quarantine:
    """Memories in quarantine; see `services/reviewing/release.py`."""

    def __init__(self, app: App) -> None:
        self._app = app

    def list(self) -> list[Suspect]:
        """What is held back in every opened bundle."""
        found: list[Suspect] = []
        for name, bundle in named((self._app.bundle, *self._app.others)):
            refresh(bundle)
            found += quarantine(bundle, name)
        return found

    def show(self, wanted: str) -> Suspect:
        """One of them, and why it is there. Raises NotFoundError."""
        bundle, name = self._app.locate(wanted)
        return suspect(bundle, name, "" if bundle is self._app.bundle else bundle.name)

    def release(self, wanted: str) -> Remembered:
        """Let it out; a person decides that."""
        return release(*self._app.locate(wanted))

    def reject(self, wanted: str) -> Remembered:
        """Archive it; a person decides that."""
        return reject(*self._app.locate(wanted))
