"""Copies of documents as they were before a repair: `.recovery/<path>.<moment>`."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.files import is_temp, make_folders, see_or_none, unlink_if_there
from mnemic.adapters.markdown.scan import RECOVERY
from mnemic.domain.ids import collision_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mnemic.adapters.markdown.files import Fs

_MOMENT = re.compile(r"\.\d{8}T\d{6}\.\d{6}Z(?:-\d+)?\Z")


def back_up(fs: Fs, root: str, path: str, data: bytes, moment: str) -> str:
    """Keep these bytes of a document, durably; returns the copy's path in the bundle."""
    copy, number = f"{RECOVERY}/{path}.{moment}", 1
    while os.path.lexists(os.path.join(root, copy)):
        number += 1
        copy = f"{RECOVERY}/{path}.{moment}-{number}"
    make_folders(fs, root, os.path.dirname(copy))
    fs.write_new(os.path.join(root, copy), data)
    fs.sync_folder(os.path.dirname(os.path.join(root, copy)))
    return copy


def forget_backups(fs: Fs, root: str, forgotten: Iterable[tuple[str, str]]) -> None:
    """Take away every copy of these documents: known by path, in any spelling, or by the uid in their bytes.

    Temporary files in their folders go too: under the lock they are a dead writer's.
    """
    gone = tuple(forgotten)
    keys = {collision_key(path) for path, _ in gone}
    uids = tuple(uid.encode() for _, uid in gone if uid)
    for copy in list(_copies(root)):
        full = os.path.join(root, copy)
        of = collision_key(_MOMENT.sub("", copy.removeprefix(f"{RECOVERY}/")))
        if of in keys or _holds(fs, full, uids):
            unlink_if_there(fs, full)
            _prune(fs, root, os.path.dirname(copy))
    for path, _ in gone:
        folder = os.path.join(root, os.path.dirname(path))
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            if is_temp(name):
                unlink_if_there(fs, os.path.join(folder, name))


def _copies(root: str) -> Iterator[str]:
    for folder, _, names in os.walk(os.path.join(root, RECOVERY)):
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def _holds(fs: Fs, full: str, uids: tuple[bytes, ...]) -> bool:
    seen = see_or_none(fs, full)
    return seen is not None and any(uid in seen.data for uid in uids)


def _prune(fs: Fs, root: str, folder: str) -> None:
    """Folders left empty say a name too."""
    while folder.startswith(RECOVERY) and not os.listdir(os.path.join(root, folder)):
        fs.remove_folder(os.path.join(root, folder))
        folder = os.path.dirname(folder)
    if os.path.isdir(os.path.join(root, folder)):
        fs.sync_folder(os.path.join(root, folder))
