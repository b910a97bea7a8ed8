"""The settings of the first opened bundle, each with where it came from: `App.settings`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mnemic import config
from mnemic.errors import ReadOnlyBundleError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App


class SettingRow(NamedTuple):
    """One setting: its `section.key`, its value, and where that came from."""

    key: str
    value: object
    origin: str


class Settings:
    """Reads and writes them; docs/reference/settings.md says what each means."""

    def __init__(self, app: App) -> None:
        self._app = app

    def list(self) -> list[SettingRow]:
        """Every setting."""
        loaded = self._app.loaded
        return [
            SettingRow(key, getattr(getattr(loaded.settings, section), name), loaded.origins.get(key, config.DEFAULT))
            for key in config.known_keys()
            for section, _, name in [key.partition(".")]
        ]

    def files(self) -> tuple[Path, Path]:
        """Files that settings are read from, weakest first."""
        return config.user_config_file(), self._app.root / config.BUNDLE_FILE

    def write(self, key: str, value: str, *, user: bool = False) -> Path:
        """Write one, checked, into the bundle's or the user's file; comments there stay.

        Raises:
            ConfigError: The key is unknown, or the value has the wrong type or place.
            ReadOnlyBundleError, DocumentUnreadableError: The bundle cannot be written, or is gone.
        """
        mine, bundles = self.files()
        if not user:
            self._app.check_there()
            if self._app.bundle.store.read_only:
                raise ReadOnlyBundleError(self._app.bundle.store.location)
        path = mine if user else bundles
        config.write(path, key, value)
        return path
