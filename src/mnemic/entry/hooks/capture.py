"""Keeps what was said, in a process of its own: `python capture.py CLIENT EVENT BUNDLE`, the event on its input."""

from __future__ import annotations

import os
import sys


def main(arguments: list[str]) -> None:
    """Read the event, keep what belongs to it, say in the log what went wrong."""
    # Before anything is loaded: whoever started us waits until we have it.
    with os.fdopen(0, "rb", closefd=False) as pipe:
        data = pipe.read()
    client, event, root = arguments
    from mnemic.app import App
    from mnemic.entry.hooks.keeping import keep
    from mnemic.entry.hooks.log import note_failure
    from mnemic.entry.hooks.said import said

    try:
        keep(App.start(root, overrides=("embed.engines=",)), said(client, event, data))
    except Exception as error:  # noqa: BLE001 - nobody is there to see it
        note_failure(f"{client} {event}", error)


if __name__ == "__main__":
    sys.path[:0] = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))]
    main(sys.argv[1:])
