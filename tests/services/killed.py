"""A program for tests: forgets something again and again, each time killed one step later than the time before.

A step is every file that is opened, renamed or removed, and every statement that SQLite is given.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rooms import an_app, traces

from mnemic.adapters.sqlite import schema, state_file
from mnemic.errors import MemoryNotFoundError, SessionNotFoundError
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from mnemic.app import App

_FILES = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate"})
EMBEDDERS = [FakeEmbedder(name="one")]


def forget_until(root: Path, name: str, last: int) -> bool:
    """Forget it in a process of its own, killed at step `last`; says whether it was killed before it had finished."""
    child = os.fork()
    if child == 0:
        steps = 0

        def step(*_: object) -> None:
            nonlocal steps
            steps += 1
            if steps == last:
                os.kill(os.getpid(), signal.SIGKILL)

        app = an_app(root, embedders=EMBEDDERS)
        _count(step)
        app.forget(name, confirm=name)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _count(step: Callable[..., None]) -> None:
    opened = schema.open_for_writing

    def traced(path: Path) -> sqlite3.Connection:
        db = opened(path)
        db.set_trace_callback(step)
        return db

    schema.open_for_writing = traced
    prepare = state_file._prepare

    def prepared(db: sqlite3.Connection) -> None:
        prepare(db)
        db.set_trace_callback(step)

    state_file._prepare = prepared
    sys.addaudithook(lambda event, _args: step() if event in _FILES else None)


def later(app: App, number: int) -> None:
    """One of the commands that may come next; opening the bundle is a part of each."""
    match number % 4:
        case 0:
            app.recall("anything")
        case 1:
            app.check()
        case 2:
            app.session_list()
        case _:
            app.settings_rows()


def main(root: Path, name: str, word: str, stride: int) -> None:
    """For every `stride`-th step a line: the step, whether the thing is still there, and the files with a trace."""
    number, killed = 1, True
    while killed:
        copy = root.with_name(f"copy-{number}")
        shutil.copytree(root, copy)
        killed = forget_until(copy, name, number)
        left = traces(copy, word)
        app = an_app(copy, embedders=EMBEDDERS)
        later(app, number // stride)
        try:
            app.show(name)
            there = True
        except (MemoryNotFoundError, SessionNotFoundError):
            there = False
        sys.stdout.write(json.dumps([number, killed, there, left, traces(copy, word)]) + "\n")
        shutil.rmtree(copy)
        number += stride


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]))
