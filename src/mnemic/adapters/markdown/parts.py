"""The generated parts on disk: which `index.md` a change touches, the log, and what they should say.

What is ours alone can be made again, so it is written without waiting for the disk. Where people wrote around it, a
power cut must leave the old file or the new one; and what is forgotten is gone when we say so.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from mnemic.adapters.markdown import generated
from mnemic.adapters.markdown.files import Sync, digest, replace_file, see_or_none
from mnemic.adapters.markdown.scan import holds_documents, list_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mnemic.adapters.markdown.files import Fs, Seen
    from mnemic.adapters.markdown.generated import Framed

INDEX, LOG = "index.md", "log.md"


class Parts:
    """Keeps the generated parts of one bundle.

    `describe` gives title and description of a document, `note` a line about a folder. `forget`: the change takes
    something away for good.
    """

    def __init__(
        self, fs: Fs, root: str, *, describe: Callable[[str], tuple[str, str]], note: Callable[[str], str]
    ) -> None:
        self._fs, self._root, self._describe, self._note = fs, root, describe, note

    def refresh(self, paths: Iterable[str], *, forget: bool) -> None:
        """Bring the indexes up to date that these documents, written or gone, appear in."""
        by_folder: dict[str, list[str]] = {}
        for path in sorted(paths):
            by_folder.setdefault(os.path.dirname(path), []).append(path)
        for folder, inside in by_folder.items():
            entries = [(path, os.path.lexists(self._full(path))) for path in inside]
            # A document that was just written shows that its folders are alive without looking into them.
            written = any(there for _, there in entries)
            alive = not folder or written or holds_documents(self._root, folder)
            self._edit(folder, entries, make=alive, forget=forget)
            self._refresh_parents(folder, written=written, forget=forget)

    def _refresh_parents(self, folder: str, *, written: bool, forget: bool) -> None:
        while folder:
            parent = os.path.dirname(folder)
            alive = written or holds_documents(self._root, folder)
            if not alive:
                self._close(folder)
            self._edit(parent, [(f"{folder}/", alive)], make=alive or not parent, forget=forget)
            folder = parent

    def _edit(self, folder: str, entries: Sequence[tuple[str, bool]], *, make: bool, forget: bool) -> None:
        seen = self._see(folder, INDEX)
        if seen is None:
            if make:
                self._make(_join(folder, INDEX), _empty_index(folder), self.block(folder), forget=forget)
            return
        framed = generated.framed(seen.data)
        if framed is None:
            return
        block: Sequence[bytes] = framed.block
        for path, alive in entries:
            target = path[len(folder) + 1 :] if folder else path
            block = (
                generated.with_entry(block, self._line(path, target))
                if alive
                else generated.without_entry(block, target)
            )
        if tuple(block) != framed.block:
            self._write(_join(folder, INDEX), seen, framed, block, forget=forget)

    def _line(self, path: str, target: str) -> bytes:
        if path.endswith("/"):
            return generated.index_line(target, target[:-1], self._note(path[:-1]))
        return generated.index_line(target, *self._describe(path))

    def block(self, folder: str) -> list[bytes]:
        """What the generated part of a folder's index should be; reads every document in it."""
        documents, folders = list_folder(self._root, folder)
        return generated.index_block(
            [
                self._line(f"{_join(folder, name)}/", f"{name}/")
                for name in folders
                if holds_documents(self._root, _join(folder, name))
            ],
            [self._line(_join(folder, name), name) for name in documents],
        )

    def state(self, folder: str) -> str:
        """What is wrong with a folder's index: a problem code, or nothing."""
        seen = self._see(folder, INDEX)
        if seen is None:
            taken = self._is_taken(_join(folder, INDEX))
            return "missing_index" if self.keeps_indexes() and not taken else ""
        framed = generated.framed(seen.data)
        if framed is None:
            return "index_markers" if generated.has_markers(seen.data) else ""
        return "" if list(framed.block) == self.block(folder) else "stale_index"

    def keeps_indexes(self) -> bool:
        """Whether the bundle wants generated indexes: its root index has our markers."""
        seen = self._see("", INDEX)
        return seen is not None and generated.framed(seen.data) is not None

    def regenerate(self, folder: str) -> None:
        """Write a folder's index anew between its markers; makes it where there is none."""
        seen = self._see(folder, INDEX)
        if seen is None:
            self._make(_join(folder, INDEX), _empty_index(folder), self.block(folder), forget=False)
            return
        framed = generated.framed(seen.data)
        if framed is not None:
            self._write(_join(folder, INDEX), seen, framed, self.block(folder), forget=False)

    def _close(self, folder: str) -> None:
        """Take away the index of an empty folder, if no person wrote in it, and the folder, if nothing is left."""
        seen = self._see(folder, INDEX)
        if seen is not None:
            framed = generated.framed(seen.data)
            if framed is not None and framed.with_block([]) == generated.fresh():
                self._fs.unlink(self._full(_join(folder, INDEX)))
        try:
            self._fs.remove_folder(self._full(folder))
        except OSError:  # something of somebody's is in it, or it is gone
            left = folder
        else:
            left = os.path.dirname(folder)
        if os.path.isdir(self._full(left)):
            self._fs.sync_folder(self._full(left))  # the index named what was in it

    def log_digest(self) -> str:
        """SHA-256 of the log as it is; empty when there is none."""
        seen = self._see("", LOG)
        return "" if seen is None else digest(seen.data)

    def log(self, bullets: Sequence[str], day: str, *, forgotten: Sequence[str] = (), forget: bool) -> None:
        """Put bullets into the log, and take what was said of `forgotten` paths out of it."""
        seen = self._see("", LOG)
        if seen is None:
            if bullets:
                block = generated.with_bullets((), day, bullets)
                self._make(LOG, generated.fresh(generated.LOG_HEAD), block, forget=forget)
            return
        data = seen.data
        for path in forgotten:
            data = generated.redacted(data, path)
        framed = generated.framed(data)
        if framed is not None and bullets:
            data = framed.with_block(generated.with_bullets(framed.block, day, bullets))
        if data != seen.data:
            # What it tells is told nowhere else, so a killed process must not cost it, though it may wait for the disk.
            sync = max(Sync.PROCESS, _sync(framed, forget=forget))
            replace_file(self._fs, self._full(LOG), data, mode=seen.mode, sync=sync)

    def _make(self, path: str, empty: bytes, block: Sequence[bytes], *, forget: bool) -> None:
        framed = generated.framed(empty)
        if framed is not None and not self._is_taken(path):
            sync = Sync.DURABLE if forget else Sync.NOTHING
            replace_file(self._fs, self._full(path), framed.with_block(block), sync=sync)

    def _is_taken(self, path: str) -> bool:
        """Something is there that is not ours to replace. An empty file is what a power cut leaves of one of ours."""
        full = self._full(path)
        return os.path.lexists(full) and (os.path.islink(full) or not os.path.isfile(full) or os.path.getsize(full) > 0)

    def _write(self, path: str, seen: Seen, framed: Framed, block: Sequence[bytes], *, forget: bool) -> None:
        new = framed.with_block(block)
        if new != seen.data:
            replace_file(self._fs, self._full(path), new, mode=seen.mode, sync=_sync(framed, forget=forget))

    def _see(self, folder: str, name: str) -> Seen | None:
        path = self._full(_join(folder, name))
        try:
            facts = os.lstat(path)
        except OSError:
            return None
        # A link is somebody's arrangement; replacing it by a file would break it.
        if not stat.S_ISREG(facts.st_mode) or not facts.st_size:
            return None
        with suppress(PermissionError):
            return see_or_none(self._fs, path)
        return None

    def _full(self, path: str) -> str:
        return os.path.join(self._root, path)


def _sync(framed: Framed | None, *, forget: bool) -> Sync:
    if forget:
        return Sync.DURABLE
    return Sync.EITHER if framed is None or framed.has_human_text else Sync.NOTHING


def _empty_index(folder: str) -> bytes:
    return generated.fresh(b"" if folder else generated.ROOT_HEAD)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
