"""What a writer was about to do, so that a crash leaves the old state or the new one and never a mixture.

An entry is one JSON file naming, for each document, the temporary file with its new bytes and the hashes of old and
new; it never holds text of a memory, and it is removed when the change is complete, so nothing forgotten stays in it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.files import replace_file, unlink_if_there

if TYPE_CHECKING:
    from mnemic.adapters.markdown.files import Fs

_SUFFIX = ".json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One document's step, paths relative to the bundle. Hashes are SHA-256; empty: no such file.

    `temp` holds the new bytes until they are renamed to `path`; empty when the document is removed.
    """

    path: str
    temp: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """A change set as the journal keeps it.

    `bullets` go to the log, whose hash before the change is `log_before`, so that they are not written twice.
    `forgotten` are the ids and uids whose backups go with them. `undo`: it takes a failed change back.
    """

    name: str
    actions: tuple[Action, ...]
    bullets: tuple[str, ...] = ()
    day: str = ""
    log_before: str = ""
    forgotten: tuple[tuple[str, str], ...] = ()
    undo: bool = False


class Journal:
    """The folder of entries; the store lists them. Used only under the bundle's lock."""

    def __init__(self, fs: Fs, folder: str) -> None:
        self._fs, self.folder = fs, folder

    def write(self, intent: Intent, *, sync: bool) -> None:
        """Make the entry; `sync` when it must survive a power cut, as it must if several documents change.

        A single document changes in one step of its own, so its entry need only outlive the process.
        """
        self._fs.write_new(self._path(intent.name), _encode(intent), sync=sync)
        if sync:
            self._fs.sync_folder(self.folder)

    def replace(self, intent: Intent) -> None:
        """Put another intent in the place of the one of this name, durably and in one step."""
        replace_file(self._fs, self._path(intent.name), _encode(intent))

    def load(self, name: str) -> Intent | None:
        """The entry, or None when it never reached the disk whole: then no document was changed under it."""
        try:
            return _decode(name, self._fs.see(self._path(name)).data)
        except (ValueError, KeyError, TypeError):
            return None

    def done(self, name: str) -> None:
        """Take the entry away."""
        unlink_if_there(self._fs, self._path(name))

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)


def entry_name(now_ms: int) -> str:
    """A fresh name; entries sort by the time they were made."""
    return f"{now_ms:013d}-{os.getpid()}-{os.urandom(4).hex()}{_SUFFIX}"


def _encode(intent: Intent) -> bytes:
    import json

    # Named field by field: `asdict` copies everything twice, and this is on the way of every write.
    raw = {
        "actions": [{"path": a.path, "temp": a.temp, "old": a.old, "new": a.new} for a in intent.actions],
        "bullets": intent.bullets,
        "day": intent.day,
        "log_before": intent.log_before,
        "forgotten": intent.forgotten,
        "undo": intent.undo,
    }
    return json.dumps(raw).encode("ascii")


def _decode(name: str, data: bytes) -> Intent:
    import json

    raw = json.loads(data)
    return Intent(
        name=name,
        actions=tuple(
            Action(path=str(item["path"]), temp=str(item["temp"]), old=str(item["old"]), new=str(item["new"]))
            for item in raw["actions"]
        ),
        bullets=tuple(map(str, raw["bullets"])),
        day=str(raw["day"]),
        log_before=str(raw["log_before"]),
        forgotten=tuple((str(memory_id), str(uid)) for memory_id, uid in raw["forgotten"]),
        undo=bool(raw["undo"]),
    )
