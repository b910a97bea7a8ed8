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

from mnemic.adapters.ledger import vault_file
from mnemic.adapters.sqlite import schema, state_file
from mnemic.domain.ledger import Deed
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
    return killed_at(last, lambda: an_app(root, embedders=EMBEDDERS), lambda app: app.forget(name, confirm=name))


def killed_at(last: int, opens: Callable[[], App], work: Callable[[App], object]) -> bool:
    """Do something in a process of its own, killed at step `last`; says whether it was killed before it had finished.

    What opens the bundle there takes no step yet.
    """
    child = os.fork()
    if child == 0:
        steps = 0

        def step(*_: object) -> None:
            nonlocal steps
            steps += 1
            if steps == last:
                os.kill(os.getpid(), signal.SIGKILL)

        app = opens()
        _count(step)
        work(app)
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
    connect = vault_file.VaultFile._prepare

    def connected(self: vault_file.VaultFile, db: sqlite3.Connection, *, create: bool) -> None:
        connect(self, db, create=create)
        db.set_trace_callback(step)

    vault_file.VaultFile._prepare = connected  # type: ignore[method-assign]
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
            app.settings.list()


def kept(app: App, uid: str) -> tuple[int, int]:
    """Versions in the vault, and erasures in the ledger."""
    history = app.bundle.history()
    assert history is not None
    assert history.ledger.verify().sound
    events = [event for event in history.ledger.events() if event.act.deed is Deed.ERASE]
    return len(history.vault.versions(uid)), len(events)


def main(root: Path, name: str, word: str, stride: int) -> None:
    """For every `stride`-th step a line.

    The step, whether it was killed, whether the thing is still there, files with a trace before and after the next
    command, how many versions of it the vault keeps, how many erasures the ledger tells of.
    """
    number, killed = 1, True
    uid = "" if name.startswith("session:") else an_app(root).bundle.store.find(name).memory.uid
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
        sys.stdout.write(json.dumps([number, killed, there, left, traces(copy, word), *kept(app, uid)]) + "\n")
        shutil.rmtree(copy)
        number += stride


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]))
