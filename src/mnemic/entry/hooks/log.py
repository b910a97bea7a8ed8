"""Where a hook says what went wrong: an agent shows nothing of it, and must not. No text of a prompt stands here."""

from __future__ import annotations

import os
import time

from mnemic.entry.hooks.client import user_folder

NAME = "hook.log"
MOST_BYTES = 200_000
_LONGEST = 500
_FRAMES = 3


def log_file() -> str:
    """The file; the one before it has `.1` at its end."""
    return f"{user_folder('cache')}/{NAME}"


def note(what: str) -> None:
    """Add a line; where that cannot be done, nothing happens."""
    try:
        path = log_file()
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        if os.path.exists(path) and os.stat(path).st_size > MOST_BYTES:
            os.replace(path, f"{path}.1")
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        plain = "".join(char if char.isprintable() else " " for char in what)[:_LONGEST]
        # One write of one line: two hooks at once do not mix theirs.
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, f"{moment} {plain}\n".encode("utf-8", "replace"))
        finally:
            os.close(handle)
    except OSError:
        pass


def note_failure(event: str, error: BaseException) -> None:
    """Add what was raised and where; not its message, which may quote what somebody said."""
    places = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{os.path.basename(code.co_filename)}:{trace.tb_lineno}")
        trace = trace.tb_next
    code_of = getattr(error, "code", "")
    name = f"{type(error).__name__}{f' ({code_of})' if isinstance(code_of, str) and code_of else ''}"
    note(f"{event}: {name} at {' < '.join(reversed(places[-_FRAMES:]))}")
