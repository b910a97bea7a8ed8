"""The few operations that change a disk, behind one thin seam.

Everything the store writes goes through `Fs`, one method a system call or two, so that a test can stop the world
between any two of them and look at what a crash leaves behind.
"""

from __future__ import annotations

import os
import stat
from enum import IntEnum
from typing import NamedTuple

TEMP_PREFIX = ".mnemic-"
TEMP_SUFFIX = ".tmp"
_BINARY = getattr(os, "O_BINARY", 0)  # Windows translates line ends without it
_NO_BLOCK = getattr(os, "O_NONBLOCK", 0)  # a named pipe called x.md must not hold the reader for ever
_MODE_BITS = 0o7777


class Seen(NamedTuple):
    """One file as it was when read: bytes and the facts that tell whether it has been touched since."""

    data: bytes
    size: int
    mtime_ns: int
    inode: int
    mode: int

    @property
    def sha256(self) -> str:
        """Hex digest of the bytes."""
        return digest(self.data)


def digest(data: bytes | None) -> str:
    """SHA-256 in hex; empty for a file that is not there."""
    from hashlib import sha256  # takes 2 ms to load, for which a call that reads nothing need not pay

    return "" if data is None else sha256(data).hexdigest()


def temp_name() -> str:
    """A fresh name for a temporary file; hidden, not ending in `.md`, telling who wrote it."""
    return f"{TEMP_PREFIX}{os.getpid()}-{os.urandom(8).hex()}{TEMP_SUFFIX}"


def is_temp(name: str) -> bool:
    """Whether a file name is one of ours for temporary files."""
    return name.startswith(TEMP_PREFIX) and name.endswith(TEMP_SUFFIX)


class Fs:
    """A disk. Paths are absolute; every method raises `OSError` as the operating system does."""

    def see(self, path: str) -> Seen:
        """The bytes of a regular file and its facts, from one open file."""
        fd = os.open(path, os.O_RDONLY | _BINARY | _NO_BLOCK)
        try:
            facts = os.fstat(fd)
            if not stat.S_ISREG(facts.st_mode):
                raise OSError(f"not a regular file: {path}")
            data = _read_all(fd, facts.st_size)
        finally:
            os.close(fd)
        return Seen(data, facts.st_size, facts.st_mtime_ns, facts.st_ino, facts.st_mode & _MODE_BITS)

    def write_new(self, path: str, data: bytes, *, mode: int | None = None, sync: bool = True) -> None:
        """Make a file that must not exist; `mode` is kept exactly, without one it is 0644 under the umask."""
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o644)
        try:
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(fd, mode)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(fd, rest) :]
            if sync:
                os.fsync(fd)
        finally:
            os.close(fd)

    def rename(self, old: str, new: str) -> None:
        """Give `old` the name `new`, replacing what was there, in one step."""
        os.replace(old, new)

    def unlink(self, path: str) -> None:
        """Take a file away."""
        os.unlink(path)

    def make_folder(self, path: str) -> None:
        """Make one folder."""
        os.mkdir(path)

    def remove_folder(self, path: str) -> None:
        """Take an empty folder away."""
        os.rmdir(path)

    def sync_folder(self, path: str) -> None:
        """Make the names in a folder durable. Windows does so by itself and cannot be asked."""
        if os.name == "nt":
            return
        fd = os.open(path, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def _read_all(fd: int, size: int) -> bytes:
    data = os.read(fd, size + 1)
    parts = [data]
    while len(data) and (sum(map(len, parts)) < size or len(data) > size):
        data = os.read(fd, 1 << 20)
        parts.append(data)
    return b"".join(parts)


def see_or_none(fs: Fs, path: str) -> Seen | None:
    """`Fs.see`, or None where there is no such file."""
    try:
        return fs.see(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def make_folders(fs: Fs, root: str, relative: str) -> None:
    """Make the folders of a bundle-relative path that are missing, each one durably."""
    current = root
    for segment in filter(None, relative.split("/")):
        parent, current = current, os.path.join(current, segment)
        if not os.path.isdir(current):
            fs.make_folder(current)
            fs.sync_folder(parent)


class Sync(IntEnum):
    """What a replaced file survives."""

    NOTHING = 0
    """A crash may leave it missing or empty; only for what can be made again whole."""
    PROCESS = 1
    """A killed process leaves the old bytes or the new ones; a power cut may leave an empty file on some systems."""
    EITHER = 2
    """A power cut leaves the old bytes or the new ones."""
    DURABLE = 3
    """The new bytes are there from now on."""


def replace_file(fs: Fs, path: str, data: bytes, *, mode: int | None = None, sync: Sync = Sync.DURABLE) -> None:
    """Put `data` at `path` in one step: readers see the old bytes or the new ones."""
    folder = os.path.dirname(path)
    temp = os.path.join(folder, temp_name())
    try:
        fs.write_new(temp, data, mode=mode, sync=sync >= Sync.EITHER)
        if sync is Sync.NOTHING:
            # ext4 writes out what replaces a file at once, which costs half an fsync; not where the name is free.
            unlink_if_there(fs, path)
        fs.rename(temp, path)
    except OSError:
        unlink_if_there(fs, temp)
        raise
    if sync is Sync.DURABLE:
        fs.sync_folder(folder)


def unlink_if_there(fs: Fs, path: str) -> bool:
    """Take a file away; says whether there was one."""
    try:
        fs.unlink(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
