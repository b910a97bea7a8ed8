"""Keeps what was said, in a process of its own: `python capture.py CLIENT EVENT BUNDLE`, the event on its input."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemic.entry.hooks.said import Said

PATIENCE = 3.0
"""Seconds that a transcript has to appear: a client begins it with the first prompt, but after its hooks."""
_PAUSE = 0.1


def main(arguments: list[str]) -> None:
    """Read the event, keep what belongs to it, say in the log what went wrong."""
    # Before anything is loaded: whoever started us waits until we have it.
    with os.fdopen(0, "rb", closefd=False) as pipe:
        data = pipe.read()
    client, event, root = arguments
    from mnemic.entry.hooks.said import said

    one = said(client, event, data)
    if not one.keeps_prompts:
        _wait_for_transcript(one)
    from mnemic.app import App
    from mnemic.entry.hooks.keeping import keep
    from mnemic.entry.hooks.log import note_failure

    try:
        keep(App.start(root, overrides=("embed.engines=",)), one)
    except Exception as error:  # noqa: BLE001 - nobody is there to see it
        note_failure(f"{client} {event}", error)


def _wait_for_transcript(one: Said) -> None:
    """Answers wait as prompts do, so that one does not overtake the other."""
    end = time.monotonic() + PATIENCE
    while not one.has_transcript and time.monotonic() < end:
        time.sleep(_PAUSE)


if __name__ == "__main__":
    sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))]
    main(sys.argv[1:])
