"""All documents of a change set, or none: temporary files, renames, reading back, taking back, and what a crash left.

The order is what makes it safe. Every new text is on the disk in a temporary file before the first document changes;
the journal names them all; so a change that has begun can always be completed, and one that has not leaves nothing.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.files import (
    digest,
    is_temp,
    make_folders,
    replace_file,
    see_or_none,
    temp_name,
    unlink_if_there,
)
from mnemic.adapters.markdown.journal import Action
from mnemic.adapters.markdown.scan import RECOVERY
from mnemic.errors import StorageError, WriteFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mnemic.adapters.markdown.files import Fs, Seen
    from mnemic.adapters.markdown.journal import Intent, Journal


@dataclass(frozen=True, slots=True)
class Edit:
    """One document's bytes before (None: no such file) and after (None: removed)."""

    path: str
    before: Seen | None
    after: bytes | None


class DocumentMovedError(Exception):
    """Somebody changed a document between our reading and our writing; nothing was written."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Transaction:
    """Carries out edits in a bundle, under its lock.

    `wrong` says in words what is wrong with the bytes that were read back for an edit, or nothing.
    """

    def __init__(self, fs: Fs, root: str, journal: Journal, *, wrong: Callable[[Edit, bytes], str]) -> None:
        self._fs, self._root, self._journal, self._wrong = fs, root, journal, wrong

    def carry_out(self, intent: Intent, edits: Sequence[Edit]) -> Intent:
        """Make all edits durable, or none. The journal entry stays, for the caller to finish what is derived.

        Returns:
            The intent as journaled, with its actions.

        Raises:
            DocumentMovedError: A document is not what it was when read.
            WriteFailedError: The disk did not take it; the old state stands.
            StorageError: It failed half-way and could not be taken back; the next open completes it.
        """
        journaled = replace(intent, actions=tuple(map(_action, edits)))
        written: dict[str, Seen] = {}
        try:
            self._prepare(journaled, edits, written)
        except BaseException as error:
            with suppress(OSError):  # what cannot be cleared away now is at the next open
                self._abandon(journaled)
            if isinstance(error, OSError):
                raise WriteFailedError(_about(error, edits), _why(error)) from error
            raise
        done: list[Edit] = []
        try:
            self._perform(journaled, edits, done)
            self._read_back(edits, written)
        except BaseException as error:
            self._take_back(journaled, done)
            if isinstance(error, OSError):
                raise WriteFailedError(_about(error, edits), _why(error)) from error
            raise
        return journaled

    def _prepare(self, intent: Intent, edits: Sequence[Edit], written: dict[str, Seen]) -> None:
        for edit in edits:
            make_folders(self._fs, self._root, os.path.dirname(edit.path))
        self._journal.write(intent, sync=len(edits) > 1)
        for action, edit in zip(intent.actions, edits, strict=True):
            if edit.after is not None:
                written[edit.path] = self._write_verified(edit, self._full(action.temp))
        if len(edits) > 1:  # the names of the temporary files must be as durable as what is in them
            self._sync_folders(edit.path for edit in edits)
        for edit in edits:
            self._refuse_if_moved(edit)

    def _write_verified(self, edit: Edit, temp: str) -> Seen:
        seen, wrong = self._write_once(edit, temp)
        if wrong:
            unlink_if_there(self._fs, temp)
            seen, wrong = self._write_once(edit, temp)
        if wrong:
            raise WriteFailedError(edit.path, wrong)
        return seen

    def _write_once(self, edit: Edit, temp: str) -> tuple[Seen, str]:
        self._fs.write_new(temp, edit.after or b"", mode=edit.before.mode if edit.before else None)
        seen = self._fs.see(temp)
        return seen, self._wrong(edit, seen.data)

    def _refuse_if_moved(self, edit: Edit) -> None:
        try:
            facts = os.lstat(self._full(edit.path))
        except FileNotFoundError:
            now = None
        else:
            now = (facts.st_size, facts.st_mtime_ns, facts.st_ino)
        was = edit.before and (edit.before.size, edit.before.mtime_ns, edit.before.inode)
        if now != was:
            raise DocumentMovedError(edit.path)

    def _perform(self, intent: Intent, edits: Sequence[Edit], done: list[Edit]) -> None:
        for action, edit in zip(intent.actions, edits, strict=True):
            done.append(edit)  # before the step: if it fails, taking back what did not happen does no harm
            if action.temp:
                self._fs.rename(self._full(action.temp), self._full(action.path))
            else:
                unlink_if_there(self._fs, self._full(action.path))
        self._sync_folders(edit.path for edit in edits)

    def _read_back(self, edits: Sequence[Edit], written: dict[str, Seen]) -> None:
        for edit in edits:
            seen = see_or_none(self._fs, self._full(edit.path))
            if edit.after is None or seen is None or seen.data == edit.after:
                continue
            if not _same_file(seen, written[edit.path]):
                continue  # saved anew by somebody else since: theirs is the later word
            replace_file(self._fs, self._full(edit.path), edit.after, mode=seen.mode)
            wrong = self._wrong(edit, self._fs.see(self._full(edit.path)).data)
            if wrong:
                raise WriteFailedError(edit.path, wrong)

    def _abandon(self, intent: Intent) -> None:
        self._clear_temps(intent)
        self._journal.done(intent.name)

    def _take_back(self, intent: Intent, done: Sequence[Edit]) -> None:
        """The same change backwards, journaled like any other, so that a crash in it is completed too."""
        try:
            back = [Edit(edit.path, see_or_none(self._fs, self._full(edit.path)), _old(edit)) for edit in done]
            undo = replace(intent, actions=tuple(map(_action, back)), bullets=(), forgotten=(), undo=True)
            for action, edit, was in zip(undo.actions, back, done, strict=True):
                if action.temp:
                    mode = was.before.mode if was.before else None
                    self._fs.write_new(self._full(action.temp), edit.after or b"", mode=mode)
            self._sync_folders(edit.path for edit in back)
            self._journal.replace(undo)
            self._perform(undo, back, [])
            self._abandon(intent)
        except OSError as error:
            raise StorageError(
                f"{done[0].path}: the change failed half-way and could not be taken back: {_why(error)}.",
                hint="The next command completes it. Check free space and permissions first.",
            ) from error

    def recover(self, intent: Intent, stamp: str) -> bool:
        """Complete what a dead writer had begun, or clear away what it had not; says whether the change stands.

        A document that somebody edited since is left as they made it; our text goes to `.recovery` under `stamp`.
        """
        now = [digest(_data(see_or_none(self._fs, self._full(action.path)))) for action in intent.actions]
        begun = intent.undo or any(found == action.new for found, action in zip(now, intent.actions, strict=True))
        if begun:
            for found, action in zip(now, intent.actions, strict=True):
                if found != action.new:
                    self._complete(action, stamp, free=found == action.old)
            self._sync_folders(action.path for action in intent.actions)
        self._clear_strays(intent)
        return begun

    def _complete(self, action: Action, stamp: str, *, free: bool) -> None:
        if not action.temp:
            if free:
                unlink_if_there(self._fs, self._full(action.path))
            return
        ready = see_or_none(self._fs, self._full(action.temp))
        if ready is None or ready.sha256 != action.new:
            return
        path = action.path if free else f"{RECOVERY}/{action.path}.{stamp}"
        make_folders(self._fs, self._root, os.path.dirname(path))
        self._fs.rename(self._full(action.temp), self._full(path))

    def _clear_temps(self, intent: Intent) -> None:
        for action in intent.actions:
            if action.temp:
                unlink_if_there(self._fs, self._full(action.temp))

    def _clear_strays(self, intent: Intent) -> None:
        """Temporary files of the dead writer: its documents', and those of the indexes above them and the journal."""
        folders = {self._journal.folder}
        for action in intent.actions:
            folder = os.path.dirname(action.path)
            while folder:
                folders.add(self._full(folder))
                folder = os.path.dirname(folder)
        for folder in sorted(folders | {self._root}):
            for name in os.listdir(folder) if os.path.isdir(folder) else ():
                if is_temp(name):
                    unlink_if_there(self._fs, os.path.join(folder, name))

    def _sync_folders(self, paths: Iterable[str]) -> None:
        for folder in sorted({os.path.dirname(path) for path in paths}):
            if os.path.isdir(self._full(folder)):
                self._fs.sync_folder(self._full(folder))

    def _full(self, path: str) -> str:
        return os.path.join(self._root, path)


def _action(edit: Edit) -> Action:
    folder = os.path.dirname(edit.path)
    temp = "" if edit.after is None else os.path.join(folder, temp_name())
    return Action(path=edit.path, temp=temp, old=digest(_data(edit.before)), new=digest(edit.after))


def _data(seen: Seen | None) -> bytes | None:
    return None if seen is None else seen.data


def _same_file(one: Seen, other: Seen) -> bool:
    return (one.inode, one.mtime_ns, one.size) == (other.inode, other.mtime_ns, other.size)


def _old(edit: Edit) -> bytes | None:
    return _data(edit.before)


def _about(error: OSError, edits: Sequence[Edit]) -> str:
    return edits[0].path if len(edits) == 1 or not error.filename else str(error.filename)


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
