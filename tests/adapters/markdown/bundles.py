"""What the tests of the Markdown store share: a clock, memories, a whole folder as a value, and disks that fail."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.files import Fs
from mnemic.adapters.markdown.layouts.okf import OkfLayout, init_bundle
from mnemic.adapters.markdown.store import MarkdownStore
from mnemic.domain.changes import ChangeSet, Put
from mnemic.domain.ids import Uid, memory_id
from mnemic.domain.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemic.adapters.markdown.files import Seen
    from mnemic.domain.documents import Located

NOW = datetime(2026, 5, 3, 6, 14, tzinfo=UTC)


@dataclass
class SetClock:
    """A clock that a test sets."""

    at: datetime = NOW

    def now(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


def a_memory(name: str, body: str = "Text.", **fields: object) -> Memory:
    """A memory whose uid follows from its name, so that two runs write the same bytes."""
    uid = Uid(f"01890a5d-ac96-774b-bcce-{abs(sum(ord(c) * 31**i for i, c in enumerate(name))) % 10**12:012d}")
    title = name.rpartition("/")[2].replace("-", " ").title()
    wanted: dict[str, object] = {"uid": uid, "kind": "note", "title": title, "recorded_at": NOW, "changed_at": NOW}
    return Memory(id=memory_id(name), body=body, **{**wanted, **fields})  # type: ignore[arg-type]


def new_bundle(root: Path) -> MarkdownStore:
    """A native bundle, just made."""
    init_bundle(root)
    return opened(root)


def opened(root: Path, *, fs: Fs | None = None, clock: SetClock | None = None, **options: object) -> MarkdownStore:
    """The store on a folder."""
    return MarkdownStore(root, layout=OkfLayout(), clock=clock or SetClock(), fs=fs, **options)  # type: ignore[arg-type]


def create(store: MarkdownStore, *memories: Memory, summary: str = "") -> tuple[Located, ...]:
    """New memories, in one change set."""
    return store.apply(ChangeSet(puts=tuple(map(Put, memories)), summary=summary)).written


def edit(store: MarkdownStore, name: str, **fields: object) -> Located:
    """Change fields of a memory that is there."""
    found = store.find(name)
    changed = found.memory.changed(NOW + timedelta(hours=1), **fields)
    return store.apply(ChangeSet(puts=(Put(changed, found.revision),))).written[0]


def tree(root: Path) -> dict[str, bytes]:
    """Every file of a bundle but what mnemic keeps for itself in `.mnemic`."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink())
    relative = ((path.relative_to(root).as_posix(), path) for path in files)
    return {name: path.read_bytes() for name, path in relative if not name.startswith(".mnemic/")}


def times(root: Path) -> dict[str, int]:
    """When each file and folder last changed, to see that nobody touched them."""
    return {str(path.relative_to(root)): path.lstat().st_mtime_ns for path in [root, *root.rglob("*")]}


class Killed(BaseException):
    """The process ended here; no handler of the store may mend anything."""


@dataclass
class KilledFs(Fs):
    """A disk whose process is killed at step `at`, counted from 0; a write counts twice: half-written, then whole."""

    at: int | None = None
    steps: list[str] = field(default_factory=list)

    def _step(self, what: str) -> bool:
        """Count a step; True when it is the one to die in. Whoever goes on after that is dead already."""
        if self.at is not None and len(self.steps) > self.at:
            raise Killed
        self.steps.append(what)
        return self.at is not None and len(self.steps) > self.at

    def see(self, path: str) -> Seen:
        if self.at is not None and len(self.steps) > self.at:
            raise Killed
        return super().see(path)

    def write_new(self, path: str, data: bytes, *, mode: int | None = None, sync: bool = True) -> None:
        # Nobody pulls the plug of the machine under the test itself, so nothing is synced for real.
        if self._step(f"half of {path}"):
            super().write_new(path, data[: len(data) // 2], mode=mode, sync=False)
            raise Killed
        if self._step(f"write {path}, {'' if sync else 'not '}synced"):
            raise Killed
        super().write_new(path, data, mode=mode, sync=False)

    def rename(self, old: str, new: str) -> None:
        if self._step(f"rename to {new}"):
            raise Killed
        super().rename(old, new)

    def unlink(self, path: str) -> None:
        if self._step(f"unlink {path}"):
            raise Killed
        super().unlink(path)

    def make_folder(self, path: str) -> None:
        if self._step(f"mkdir {path}"):
            raise Killed
        super().make_folder(path)

    def remove_folder(self, path: str) -> None:
        if self._step(f"rmdir {path}"):
            raise Killed
        super().remove_folder(path)

    def sync_folder(self, path: str) -> None:
        if self._step(f"sync {path}"):
            raise Killed


@dataclass
class PowerCutFs(KilledFs):
    """A killed process on a disk that loses all it may: what was not synced is undone, or left as an empty file."""

    _undo: list[tuple[str, Callable[[], None]]] = field(default_factory=list)
    _torn: set[str] = field(default_factory=set)

    def write_new(self, path: str, data: bytes, *, mode: int | None = None, sync: bool = True) -> None:
        super().write_new(path, data, mode=mode, sync=sync)
        self._later(path, lambda: _gone(path))
        if not sync:
            self._torn.add(path)

    def rename(self, old: str, new: str) -> None:
        before = Path(new).read_bytes() if Path(new).exists() else None
        moved = Path(old).read_bytes()
        super().rename(old, new)
        if old in self._torn:
            self._torn.discard(old)
            self._torn.add(new)
        else:
            self._torn.discard(new)

        def back() -> None:
            _gone(new)
            if Path(old).parent.is_dir():
                Path(old).write_bytes(moved)
            if before is not None:
                Path(new).write_bytes(before)

        self._later(new, back)

    def unlink(self, path: str) -> None:
        before = Path(path).read_bytes() if Path(path).exists() else None
        super().unlink(path)
        if before is not None:
            self._later(path, lambda: _restored(path, before))

    def sync_folder(self, path: str) -> None:
        super().sync_folder(path)
        self._undo = [(folder, undo) for folder, undo in self._undo if folder != path]

    def _later(self, path: str, undo: Callable[[], None]) -> None:
        self._undo.append((str(Path(path).parent), undo))

    def cut(self, *, names_survive: bool) -> None:
        """The power goes. With `names_survive` the folders made it to the disk and the bytes in the files did not."""
        if names_survive:
            for path in self._torn:
                if Path(path).exists():
                    Path(path).write_bytes(b"")
        else:
            for _, undo in reversed(self._undo):
                undo()


def _gone(path: str) -> None:
    Path(path).unlink(missing_ok=True)


def _restored(path: str, data: bytes) -> None:
    if Path(path).parent.is_dir():
        Path(path).write_bytes(data)


@dataclass
class FailingFs(KilledFs):
    """A disk that refuses each step for which `refuses` says so, as often as it says so."""

    refuses: Callable[[str], bool] = lambda _step: False

    def _step(self, what: str) -> bool:
        if super()._step(what):
            return True
        if self.refuses(what):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return False


@dataclass
class LyingFs(Fs):
    """A disk that gives back other bytes than were written, for the first `lies` readings of paths in `about`."""

    about: Callable[[str], bool]
    lies: int

    def see(self, path: str) -> Seen:
        seen = super().see(path)
        if self.lies > 0 and self.about(path):
            self.lies -= 1
            return type(seen)(seen.data[:-3] + b"???", seen.size, seen.mtime_ns, seen.inode, seen.mode)
        return seen
