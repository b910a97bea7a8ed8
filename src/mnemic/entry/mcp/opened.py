"""The application behind a server: opened when it is first needed, once, and ready when its index is up to date."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from threading import Lock, Timer
from typing import TYPE_CHECKING, NamedTuple, Protocol

from mnemic.errors import MnemicError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemic.app import App
    from mnemic.ports import Progress

_logger = logging.getLogger(__name__)


class Closable(Protocol):
    """Something that goes on until it is closed."""

    def close(self) -> None:
        """End it."""
        ...


class Stage(NamedTuple):
    """How far the opening has come: `done` of `total` (None: unknown) of `what`."""

    done: int
    total: int | None
    what: str


def bring_up_to_date(app: App, progress: Progress) -> None:
    """Index what is new in the bundle that is written to; nothing is embedded."""
    app.reindex(embed=False, progress=progress)


@dataclass(slots=True)
class Opened:
    """Opens the application on a thread that asks for it, so that the protocol answers before.

    Attributes:
        start: Opens it; called again after it failed, so that a bundle made meanwhile is found.
        prepare: Long work that the first call waits for; it tells how far it has come.
        begin: Called when it is ready; starts what else this process does for the bundle until it is closed.
        moved: Whether another bundle is meant by now. It is asked at each call, and then that one is opened instead.
        stage: How far `prepare` has come; None before and after.
    """

    start: Callable[[], App]
    prepare: Callable[[App, Progress], None] = bring_up_to_date
    begin: Callable[[App], Closable] | None = None
    moved: Callable[[App], bool] | None = None
    stage: Stage | None = None
    _app: App | None = None
    _begun: Closable | None = None
    _warmed: bool = False
    _guard: Lock = field(default_factory=Lock, repr=False)

    @property
    def ready(self) -> App | None:
        """The application, if it has been opened and is still the right one."""
        app = self._app
        return None if app is None or self._has_moved(app) else app

    def app(self) -> App:
        """The application; waits for whoever is opening it.

        Raises:
            MnemicError: There is no bundle, or its settings are wrong; the next call tries again.
        """
        with self._guard:
            if self._app is not None and self._has_moved(self._app):
                # Calls that are at work on the old one finish there.
                self._app = None
                self.close()
            if self._app is None:
                app = self.start()
                try:
                    self.prepare(app, self._tell)
                finally:
                    self.stage = None
                self._app = app
                if self.begin is not None:
                    self._begun = self.begin(app)
            return self._app

    def close(self) -> None:
        """End what was begun."""
        begun, self._begun = self._begun, None
        if begun is not None:
            begun.close()

    def _has_moved(self, app: App) -> bool:
        return self.moved is not None and self.moved(app)

    def _tell(self, done: int, total: int | None, what: str) -> None:
        self.stage = Stage(done, total, what)

    def warm(self, after: float = 0) -> None:
        """Open it in the background and ask it something, so that models and matrices are loaded by the first call.

        Args:
            after: Begin so many seconds from now. Only the first call of this begins anything.
        """
        if not self._warmed:
            self._warmed = True
            timer = Timer(after, self._warm)
            timer.daemon = True
            timer.start()

    def _warm(self) -> None:
        try:
            self.app().recall("warm")
        except MnemicError as error:
            # The first call tells it to whoever asks.
            _logger.info("not ready yet: %s", error.message)
        except Exception:
            _logger.exception("the bundle could not be opened in the background")
