"""Writing session files so that a crash leaves the old state or the new one."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from mnemic.errors import DocumentUnreadableError, SessionNotFoundError, WriteFailedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

SUFFIX = ".jsonl"
_WRITE_BYTES = 1024 * 1024


def opened(path: Path, *, session_id: str, shown: str, writing: bool = False) -> IO[bytes]:
    """The file, to read, or to read and write; a symbolic link is not followed.

    Raises:
        SessionNotFoundError: It does not exist.
        DocumentUnreadableError, WriteFailedError: The system refused.
    """
    try:
        return open(path, "r+b" if writing else "rb", opener=_carefully)
    except FileNotFoundError:
        raise SessionNotFoundError(session_id) from None
    except OSError as error:
        refused = WriteFailedError if writing else DocumentUnreadableError
        raise refused(shown, reason(error)) from error


@contextmanager
def replacing(path: Path, temporary: Path, *, shown: str) -> Iterator[IO[bytes]]:
    """Write `temporary`, make it durable and give it the name `path`; on any failure it goes and `path` stands.

    The folder is left for the caller to synchronize.
    """
    with _failing_as_write(shown):
        temporary.unlink(missing_ok=True)
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with os.fdopen(descriptor, "wb", buffering=_WRITE_BYTES) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)  # noqa: PTH105 - the one call every reader knows for it
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise


def append_lines(file: IO[bytes], end: int, lines: Iterable[bytes], *, shown: str) -> None:
    """Write lines from `end` on, which cuts what stands there, and make them durable; all or, on failure, none.

    Nothing is touched when there are no lines.
    """
    buffer = bytearray()
    position = end
    with _failing_as_write(shown):
        try:
            for line in lines:
                buffer += line
                if len(buffer) >= _WRITE_BYTES:
                    position = _write_at(file, position, buffer, cut=position == end)
                    buffer.clear()
            if buffer:
                position = _write_at(file, position, buffer, cut=position == end)
            if position > end:
                os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):
                file.truncate(end)
            raise


def _write_at(file: IO[bytes], position: int, data: bytes | bytearray, *, cut: bool) -> int:
    if cut:
        file.truncate(position)
    file.seek(position)
    file.write(data)
    file.flush()
    return position + len(data)


def remove(path: Path, *, shown: str) -> None:
    """Take a file away, if it is there."""
    with _failing_as_write(shown):
        path.unlink(missing_ok=True)


def make_folder(folder: Path, *, shown: str) -> None:
    """Make the folder, for the owner alone, and the one above it; no other, which were a bundle that went away."""
    if not folder.is_dir():
        with _failing_as_write(shown):
            folder.parent.mkdir(exist_ok=True)
            folder.mkdir(exist_ok=True, mode=0o700)
            sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system has a way to say so."""
    if os.name == "nt":
        return  # Windows opens no folders; its journal keeps renames in order
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def reason(error: OSError) -> str:
    """What the system says, as the middle of a sentence."""
    return (error.strerror or str(error)).lower()


@contextmanager
def _failing_as_write(shown: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteFailedError(shown, reason(error)) from error


def _carefully(path: str, flags: int) -> int:
    # A link may lead anywhere, and a named pipe would hold the reader for ever.
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
