"""A program for tests: does something to a memory again and again, each time killed one step later than before.

A step is every file that is opened, renamed or removed, and every statement that the index or the vault is given. What
is looked at afterwards is what the next command finds.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from killed import _FILES
from recorded import flaws, past, told
from rooms import an_app, keep

from mnemic.adapters.ledger.vault_file import VaultFile
from mnemic.adapters.sqlite import schema
from mnemic.domain.versions import from_bytes
from mnemic.errors import MemoryNotFoundError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from mnemic.app import App

NAME = "notes/anna"


def remember(app: App) -> None:
    keep(app, "anna", "Anna drinks cocoa.")


def edit(app: App) -> None:
    app.edit(NAME, lambda _: {"body": "Anna drinks cocoa."})


def by_hand(app: App) -> None:
    """The command only notices."""
    app.recall("cocoa")


def remove(app: App) -> None:
    """The same, of a document that is gone."""
    app.recall("cocoa")


def rotate(app: App) -> None:
    app.records.rotate()


DEEDS: dict[str, Callable[[App], None]] = {
    each.__name__: each for each in (remember, edit, by_hand, remove, rotate)
}  # fmt: skip


def killed(root: Path, deed: Callable[[App], None], last: int) -> bool:
    """Do it in a process of its own, killed at step `last`; says whether it was killed before it had finished."""
    child = os.fork()
    if child == 0:
        steps = 0

        def step(*_: object) -> None:
            nonlocal steps
            steps += 1
            if steps == last:
                os.kill(os.getpid(), signal.SIGKILL)

        app = an_app(root)
        count(step)
        deed(app)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def count(step: Callable[..., None]) -> None:
    """Have `step` called at each."""
    opened, prepare = schema.open_for_writing, VaultFile._prepare

    def traced(path: Path) -> sqlite3.Connection:
        db = opened(path)
        db.set_trace_callback(step)
        return db

    def prepared(self: VaultFile, db: sqlite3.Connection, *, create: bool) -> None:
        db.set_trace_callback(step)
        prepare(self, db, create=create)

    schema.open_for_writing = traced
    VaultFile._prepare = prepared  # type: ignore[method-assign]
    sys.addaudithook(lambda event, _args: step() if event in _FILES else None)


def look(root: Path) -> dict[str, object]:
    """What the next command finds, and an audit after it."""
    app = an_app(root)
    app.recall("anything")
    wrong = flaws(app)
    try:
        says = app.show(NAME).memory.memory.body.strip()  # type: ignore[union-attr]
    except MemoryNotFoundError:
        says = "-"
    vault = past(app).vault
    kept = []
    for uid in vault.standing():
        memories = [from_bytes(vault.get(uid, version.number)) for version in vault.versions(uid)]
        if memories[0] is not None and memories[0].id == NAME:
            kept = ["-" if memory is None else memory.body.strip() for memory in memories]
    keys = len(list((Path(os.environ["MNEMIC_DATA_DIR"]) / "keys").glob("*.key")))
    return {"wrong": wrong, "says": says, "kept": kept, "told": told(app), "keys": keys}


def main(place: Path, verb: str, stride: int) -> None:
    """A line for every kill."""
    data = place / "data"
    os.environ["MNEMIC_DATA_DIR"] = str(data)
    app = an_app(place / "memory")
    if verb != "remember":
        keep(app, "bela", "Bela bakes bread.")
        keep(app, "anna", "Anna drinks tea.")
        past(app).vault.close()  # type: ignore[attr-defined]
    document = place / "memory/notes/anna.md"
    if verb == "by_hand":
        document.write_text(document.read_text(encoding="utf-8").replace("tea", "cocoa"), encoding="utf-8")
    if verb == "remove":
        document.unlink()
    app.bundle.index.close()  # type: ignore[attr-defined]
    del app
    number, in_time = 1, True
    while in_time:
        copy = place / f"copy-{number}"
        shutil.copytree(place / "memory", copy / "memory")
        if data.exists():
            shutil.copytree(data, copy / "data")
        os.environ["MNEMIC_DATA_DIR"] = str(copy / "data")
        in_time = killed(copy / "memory", DEEDS[verb], number)
        sys.stdout.write(json.dumps([in_time, look(copy / "memory")]) + "\n")
        shutil.rmtree(copy)
        number += stride


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
