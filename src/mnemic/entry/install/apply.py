"""Writes a plan: each file at once or not at all, and all of them or none."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from mnemic.errors import ConflictError, RefusedError, WriteFailedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.entry.install.plan import Change, Plan


def apply(plan: Plan, *, within: Path | None = None) -> None:
    """Write every change.

    A settings file that is a link stays one: its target is written. In a project no link may lead out of it, because
    whoever wrote the project must not choose what of ours is overwritten.

    Args:
        plan: What to do.
        within: The project's folder, when it is one.

    Raises:
        RefusedError: A link leads out of the project.
        WriteFailedError: A file could not be written; those that were are as they were before.
        ConflictError: A file was changed by somebody else since it was read.
    """
    targets = [_target(change, within) for change in plan.changed]
    for target in targets:
        _check_writable(target)
    done: list[tuple[Path, Change]] = []
    try:
        for change, target in zip(plan.changed, targets, strict=True):
            _replace(target, change)
            done.append((target, change))
    except (OSError, ConflictError) as error:
        for target, change in reversed(done):
            _put(target, change.before)
        if isinstance(error, ConflictError):
            raise
        raise WriteFailedError(str(change.path), (error.strerror or str(error)).lower()) from None
    _prune([target.parent for target, change in done if change.after is None], plan.client.folder)


def _target(change: Change, within: Path | None) -> Path:
    """Where the bytes go: the file itself, or what it links to."""
    real = Path(os.path.realpath(change.path))
    if within is not None and not real.is_relative_to(os.path.realpath(within)):
        raise RefusedError(
            f"{change.path} is a link that leads out of the project, to {real}.",
            hint="Replace the link by a file of its own, or install for yourself with --user.",
        )
    return real


def _check_writable(target: Path) -> None:
    """Say before the first write what would fail in the midst."""
    folder = target.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise WriteFailedError(str(target), f"{folder} is no folder")
    if target.exists() and not target.is_file():
        raise WriteFailedError(str(target), "it is no ordinary file")
    if not os.access(folder, os.W_OK | os.X_OK) or (target.exists() and not os.access(target, os.W_OK)):
        raise WriteFailedError(str(target), "permission denied")


def _replace(target: Path, change: Change) -> None:
    if _content(target) != change.before:
        raise ConflictError(f"{change.path} was changed just now.", hint="Run the command again.")
    _put(target, change.after)


def _content(target: Path) -> bytes | None:
    try:
        return target.read_bytes()
    except FileNotFoundError:
        return None


def _put(target: Path, data: bytes | None) -> None:
    """Replace a file by a finished one beside it, of the same permissions."""
    if data is None:
        target.unlink(missing_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mode = None
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """So that the new name survives a power cut; Windows opens no folders."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _prune(folders: Sequence[Path], end: Path) -> None:
    """Remove folders that a removal has left empty, up to the client's own."""
    stop = Path(os.path.realpath(end))
    for start in folders:
        folder = start
        while folder != stop and folder.is_relative_to(stop):
            try:
                folder.rmdir()
            except OSError:
                break
            folder = folder.parent
