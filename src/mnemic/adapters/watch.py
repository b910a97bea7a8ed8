"""Knowing that nothing changed under some folders without looking at every file: for processes that live on.

Linux tells it: `inotify` queues an event at the moment of a change, so an empty queue means that nothing happened
since the folders were watched. That holds for local file systems only, so others are not watched, and neither is
anything where the system has no `inotify`: `Watch.changes` is then always None and the caller looks for itself. What a
program writes through a memory mapping makes no event; editors do not write so.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NONBLOCK, _CLOEXEC = 0o4000, 0o2000000
_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _ONLYDIR = 0x400, 0x800, 0x1000000
_MASK = (
    _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
    | _ONLYDIR
)  # fmt: skip
_BY_FOLDER = 0x40000000 | 0x2000 | 0x4000 | 0x8000 | _DELETE_SELF | _MOVE_SELF
"""Events about a folder (ISDIR), an unmounting, a lost event (Q_OVERFLOW) or a watch that ended (IGNORED)."""
_BUFFER = 65_536
_LOCAL = frozenset({"ext2", "ext3", "ext4", "xfs", "btrfs", "tmpfs", "overlay", "f2fs", "zfs", "bcachefs", "ramfs"})
"""File systems whose changes all come through this machine's kernel."""


class Watch:
    """Watches folders, not what is below them. Not thread-safe: its owner guards it."""

    def __init__(self) -> None:
        self._fd = -1
        self._finish: weakref.finalize[[int], Watch] | None = None
        self._folders: set[str] = set()
        self._names: dict[int, str] = {}
        self._top = ""
        self._identity: tuple[int, int] | None = None

    def watch(self, folders: Iterable[str]) -> bool:
        """Watch these folders from now on, and no others; says whether it can.

        To be called before they are looked at: what changes in between is then an event, and never missed.
        """
        wanted = set(folders)
        # What was queued is what the caller is going to see.
        if self._fd >= 0 and wanted == self._folders and self.changes() is not None:
            return True
        self.close()
        if not wanted or not _is_local(min(wanted, key=len)):
            return False
        libc = _libc()
        if libc is None:
            return False
        self._fd = libc.inotify_init1(_NONBLOCK | _CLOEXEC)
        if self._fd < 0:
            return False
        self._finish = weakref.finalize(self, os.close, self._fd)
        top = min(wanted, key=len)
        identity = _identity(top)  # before it is watched: never that of a folder which is put there meanwhile
        for folder in wanted:
            number = libc.inotify_add_watch(self._fd, os.fsencode(folder), _MASK)
            if number < 0:
                self.close()  # gone meanwhile, or more folders than the system lets one user watch
                return False
            self._names[number] = folder
        self._folders = wanted
        self._top, self._identity = top, identity
        return True

    def changes(self) -> set[tuple[str, str]] | None:
        """`(folder, name)` of what changed since `watch` or the last call; None when that cannot be told by name.

        A folder that came, went or moved is such a case, and so are more events than the system keeps. The watch then
        ends: it is on the folders that were there, whatever stands in their places now.
        """
        found = self._queued()
        # Of a folder further up that moves, nothing is told.
        if found is None or _identity(self._top) != self._identity:
            self.close()
            return None
        return found

    def _queued(self) -> set[tuple[str, str]] | None:
        if self._fd < 0:
            return None
        found: set[tuple[str, str]] = set()
        known = True
        while True:
            try:
                data = os.read(self._fd, _BUFFER)
            except OSError as error:
                told = known and error.errno in {errno.EAGAIN, errno.EWOULDBLOCK}
                return found if told else None
            for number, mask, name in _events(data):
                folder = self._names.get(number)
                if folder is None or not name or mask & _BY_FOLDER:
                    known = known and name.startswith(".")  # what is hidden is nobody's document
                else:
                    found.add((folder, name))

    def close(self) -> None:
        """Watch nothing any more."""
        if self._finish is not None:
            self._finish()
        self._fd, self._finish = -1, None
        self._folders = set()
        self._names = {}


def _identity(folder: str) -> tuple[int, int] | None:
    """What tells a folder from another one that is put in its place; None where there is none."""
    try:
        facts = Path(folder).stat()
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def _events(data: bytes) -> Iterator[tuple[int, int, str]]:
    """`(watch, mask, name)` of each event: four 32-bit numbers, the last one the length of the name after them."""
    place = 0
    while place < len(data):
        number, mask, _, length = struct.unpack_from("iIII", data, place)
        place += 16
        yield number, mask, os.fsdecode(data[place : place + length].rstrip(b"\0"))
        place += length


def _libc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.inotify_init1.restype = libc.inotify_add_watch.restype = ctypes.c_int
        libc.inotify_init1.argtypes = [ctypes.c_int]
        libc.inotify_add_watch.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32]
    except (OSError, AttributeError):
        return None
    return libc


def _is_local(folder: str) -> bool:
    """Whether the folder's file system, and every one mounted below it, is one that only this kernel changes."""
    root = os.path.realpath(folder)
    try:
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return False
    own, kind = "", ""
    for line in lines:
        before, _, after = line.partition(" - ")
        point, found = _unescaped(before.split(" ")[4]), after.split(" ")[0]
        if point.startswith(root.rstrip("/") + "/") and found not in _LOCAL:
            return False
        if (root + "/").startswith(point.rstrip("/") + "/") and len(point) >= len(own):
            own, kind = point, found
    return kind in _LOCAL


def _unescaped(point: str) -> str:
    """A mount point as the kernel writes it: blanks and the like as three octal digits after a backslash."""
    head, *rest = point.split("\\")
    return head + "".join(chr(int(part[:3], 8)) + part[3:] for part in rest)
