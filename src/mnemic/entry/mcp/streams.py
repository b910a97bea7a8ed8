"""The two streams of a stdio server, taken before anything else may write into them.

The protocol owns descriptors 0 and 1 of the process. A `print`, a library's banner or a child process that wrote there
would break it, so both are moved away first: afterwards 0 reads nothing and 1 goes to standard error.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import NamedTuple


class Wire(NamedTuple):
    """What the client writes and what it reads, as UTF-8 whatever the machine's code page is."""

    incoming: TextIOWrapper
    outgoing: TextIOWrapper


def take_standard_streams() -> Wire:
    """Move the protocol to descriptors of its own; whatever else is printed goes to standard error from now on."""
    sys.stdout.flush()
    incoming, outgoing = _moved(0), _moved(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if sys.platform == "win32":
        # Child processes ask for handles there, not for descriptors.
        from mcp.os.win32.utilities import rebind_std_handle_to_fd

        rebind_std_handle_to_fd(0)
        rebind_std_handle_to_fd(1)
    sys.stdout = sys.stderr
    return Wire(
        TextIOWrapper(os.fdopen(incoming, "rb"), encoding="utf-8", errors="replace"),
        # Half a surrogate pair in a reply must not end the connection.
        TextIOWrapper(os.fdopen(outgoing, "wb"), encoding="utf-8", errors="backslashreplace", newline="\n"),
    )


def _moved(descriptor: int) -> int:
    """A copy beyond the standard three that no child process inherits."""
    copy = os.dup(descriptor)
    if copy > 2:  # noqa: PLR2004 - standard error is 2
        return copy
    return _moved_on(copy)


def _moved_on(copy: int) -> int:
    """One of the three was closed when we started: what falls into its place is not ours to use."""
    higher = _moved(copy)
    os.close(copy)
    return higher
