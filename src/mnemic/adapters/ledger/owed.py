"""A durable note that something must still be done: a file that is there or not."""

from __future__ import annotations

import os
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_WHILE = 60.0
"""Seconds."""


class FileOwed:
    """`Owed` as an empty file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._not_before = 0.0

    def __bool__(self) -> bool:
        """Whether it is noted."""
        return os.path.exists(self._path) and monotonic() >= self._not_before  # noqa: PTH110 - False where none may look

    def note(self) -> None:
        """Note it; where that is impossible, nothing happens."""
        with suppress(OSError):
            self._path.touch(mode=0o600)

    def put_off(self) -> None:
        """Do not speak of it for a minute."""
        self._not_before = monotonic() + _WHILE

    def strike(self) -> None:
        """It is done."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
