"""Progress on standard error, on a terminal only: a pipe or a log sees none of it."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.ports import Progress

_WIDTH = 24
_PAUSE = 0.1
_CLEAR = "\r\x1b[K"


@contextmanager
def progress_bar(*, quiet: bool = False) -> Iterator[Progress | None]:
    """A `Progress` that draws one line; None where nobody would see it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    last = 0.0

    def draw(done: int, total: int | None, what: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < _PAUSE and done != total:
            return
        last = now
        if total:
            full = _WIDTH * done // total
            text = f"{what}  [{'#' * full}{'.' * (_WIDTH - full)}] {done:,} of {total:,}"
        else:
            text = f"{what}  {done:,}"
        sys.stderr.write(_CLEAR + text[:79])
        sys.stderr.flush()

    try:
        yield draw
    finally:
        sys.stderr.write(_CLEAR)
        sys.stderr.flush()
