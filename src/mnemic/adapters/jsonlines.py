"""Reading files of one JSON object a line, without trusting the length of a line."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_SKIPPED_AT_ONCE = 1024 * 1024


class Line(NamedTuple):
    """A line of a file: where it begins and ends in it, its number from 1, its bytes without LF or CR LF.

    `data` is None when the line is longer than the limit. `ended` is False for a last line without its line feed.
    """

    offset: int
    end: int
    number: int
    data: bytes | None
    ended: bool


def lines_of(file: IO[bytes], *, limit: int, offset: int = 0, number: int = 1) -> Iterator[Line]:
    """The lines from here on; `offset` and `number` are those of the first. No more than `limit` bytes are held."""
    while raw := file.readline(limit + 2):  # room for CR LF
        end = offset + len(raw)
        ended = raw.endswith(b"\n")
        data: bytes | None = raw.removesuffix(b"\n").removesuffix(b"\r") if ended else raw
        if not ended and len(raw) == limit + 2:
            raw, data = b"", None
            more, ended = _rest_of_line(file)
            end += more
        elif data is not None and len(data) > limit:
            data = None
        yield Line(offset, end, number, data, ended)
        offset, number = end, number + 1


def _rest_of_line(file: IO[bytes]) -> tuple[int, bool]:
    """Read to the end of the line: how many bytes that was, and whether it had an end."""
    size = 0
    while raw := file.readline(_SKIPPED_AT_ONCE):
        size += len(raw)
        if raw.endswith(b"\n"):
            return size, True
    return size, False
