"""Everything that lies in a bundle's folder, as bytes: searched, and cleared of what went with a document."""

from __future__ import annotations

import io
import os
from bisect import bisect_right
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING

from mnemic.adapters.erasure.needles import Needles
from mnemic.domain.erasure import Hit, Swept
from mnemic.errors import WriteFailedError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from mnemic.adapters.markdown.store import MarkdownStore
    from mnemic.domain.erasure import Repository

_CHUNK = 1 << 24
_SMALL = 1 << 18
_TOGETHER = 1 << 22
"""Bytes: files below the first are searched together, until they have the second."""


class FolderRemains:
    """`Remains` of a bundle that a `MarkdownStore` keeps.

    Args:
        store: Of the bundle.
        apart: Where what is derived of the bundle lies, when that is outside of it.
    """

    def __init__(self, store: MarkdownStore, *, apart: str = "") -> None:
        self._store, self._root = store, store.root
        self._places = (self._root, apart) if apart else (self._root,)

    def search(self, needles: Sequence[bytes], only: Collection[str] | None = None) -> Swept:
        """As the port says."""
        batch = _Batch(Needles(needles))
        files, size, unread = 0, 0, []
        for path, full in self._files() if only is None else ((path, self._full(path)) for path in only):
            try:
                length = batch.add(path, full)
            except FileNotFoundError:
                continue
            except OSError:
                unread.append(path)
                continue
            files, size = files + 1, size + length
        batch.search()
        return Swept(files=files, bytes=size, hits=tuple(batch.hits), unread=tuple(unread))

    def paths(self, folder: str) -> tuple[str, ...]:
        """As the port says."""
        return tuple(sorted(path for path, _ in _walk(self._full(folder), f"{folder}/")))

    def read(self, path: str) -> bytes:
        """As the port says."""
        try:
            return Path(self._full(path)).read_bytes()
        except OSError:
            return b""

    def remove(self, paths: Sequence[str]) -> int:
        """As the port says."""
        gone = 0
        with self._store.locked():
            for path in paths:
                full = self._full(path)
                try:
                    self._store.fs.unlink(full)
                    gone += 1
                except FileNotFoundError:
                    continue
                except OSError as error:
                    raise WriteFailedError(path, (error.strerror or str(error)).lower()) from error
                self._store.fs.sync_folder(str(Path(full).parent))
        return gone

    def clear(self, gone: Sequence[tuple[str, str]], *, told: bool) -> None:
        """As the port says."""
        from mnemic.adapters.markdown.recovery import forget_backups
        from mnemic.adapters.markdown.writing import Writer

        store = self._store
        with store.locked():
            writer = Writer(store)
            writer.recover()
            many = f"{len(gone)} memories" if len(gone) > 1 else "one memory"
            bullets = (f"* **Forgotten**: {many}",) if told else ()
            day = store.clock.now().astimezone(store.zone).date().isoformat()
            try:
                forget_backups(store.fs, self._root, gone)
                writer.parts.refresh([path for path, _ in gone], forget=True)
                writer.parts.log(bullets, day, forgotten=[path for path, _ in gone], forget=True)
            except OSError as error:
                raise WriteFailedError(self._root, (error.strerror or str(error)).lower()) from error

    def complete(self) -> None:
        """As the port says."""
        from mnemic.adapters.markdown.writing import Writer

        if self._store.pending():
            with self._store.locked():
                Writer(self._store).recover()

    def repository(self, needles: Sequence[bytes], seconds: float) -> Repository | None:
        """As the port says."""
        from mnemic.adapters.erasure.objects import search

        return search(self._root, Needles(needles), seconds)

    def _full(self, path: str) -> str:
        return f"{self._root}{os.sep}{path}"  # of thousands of files, one after the other

    def _files(self) -> Iterator[tuple[str, str]]:
        for number, place in enumerate(self._places):
            yield from _walk(place, f"{place}/" if number else "")


def _walk(folder: str, prefix: str) -> Iterator[tuple[str, str]]:
    """Regular files below a folder, with the path that they are shown by; links are not followed."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        with suppress(OSError):
            if entry.is_dir(follow_symlinks=False):
                if not (entry.name == "objects" and folder.endswith(".git")):  # compressed: git itself reads them
                    yield from _walk(entry.path, f"{prefix}{entry.name}/")
            elif S_ISREG(entry.stat(follow_symlinks=False).st_mode):
                yield f"{prefix}{entry.name}", entry.path


class _Batch:
    """Files searched many at a time: a search of a small one costs more than its bytes."""

    def __init__(self, needles: Needles) -> None:
        self.hits: list[Hit] = []
        self._needles = needles
        self._paths: list[str] = []
        self._parts: list[bytes] = []
        self._starts: list[int] = []
        self._size = 0

    def add(self, path: str, full: str) -> int:
        """Search a file, now or with the next ones; its length."""
        with io.FileIO(full) as file:
            data = file.read(_CHUNK)
            if len(data) >= _SMALL:
                return self._large(path, data, file)
        self._paths.append(path)
        self._parts.append(data)
        self._starts.append(self._size)
        self._size += len(data)
        if self._size >= _TOGETHER:
            self.search()
        return len(data)

    def search(self) -> None:
        """Search what waits."""
        found: dict[tuple[int, int], int] = {}
        for at, needle in self._needles.within(b"".join(self._parts)):
            file = bisect_right(self._starts, at) - 1
            place = at - self._starts[file]
            whole = place + self._needles.length(needle) <= len(self._parts[file])  # else it is of two files
            if whole and place < found.get((file, needle), place + 1):
                found[file, needle] = place
        self.hits += [Hit(self._paths[file], at, needle) for (file, needle), at in sorted(found.items())]
        self._paths, self._parts, self._starts, self._size = [], [], [], 0

    def _large(self, path: str, chunk: bytes, file: io.FileIO) -> int:
        found: dict[int, int] = {}
        size, kept = 0, b""
        while chunk:
            data, start = kept + chunk, size - len(kept)
            for at, needle in self._needles.within(data):
                place = start + at
                if place < found.get(needle, place + 1):
                    found[needle] = place
            size += len(chunk)
            over = max(0, self._needles.longest - 1)
            kept = data[max(0, len(data) - over) :] if over else b""
            chunk = file.read(_CHUNK)
        self.hits += [Hit(path, at, needle) for needle, at in sorted(found.items())]
        return size
