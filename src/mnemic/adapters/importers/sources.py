"""Opening what is to be imported, and the lines of a file by session."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from itertools import islice
from typing import IO, TYPE_CHECKING

from mnemic.adapters.jsonlines import Line, lines_of
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STDIN = "-"
MAX_JSON_BYTES = 64 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_ENCODINGS = (
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


class RefusedLineError(Exception):
    """A line that is not taken; `code` is a reason of docs/reference/chat-format.md, `why` a sentence without dot."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code, self.why = code, why


def open_source(path: Path) -> IO[bytes]:
    """The bytes of a file, or of standard input for `-`, after a UTF-8 byte order mark.

    Standard input is held in memory: it is read twice, and must not touch the disk before it was searched for secrets.

    Raises:
        ImportSourceError: It is not there, not a file, not readable, or in UTF-16 or UTF-32.
    """
    if str(path) == STDIN:
        file: IO[bytes] = io.BytesIO(sys.stdin.buffer.read())
    else:
        file = _opened(path)
    start = file.read(4)
    encoding = next((name for mark, name in _ENCODINGS if start.startswith(mark)), "UTF-16" if b"\0" in start else "")
    if encoding:
        file.close()
        raise ImportSourceError(str(path), f"it is {encoding}", hint="Save it as UTF-8.")
    file.seek(len(_BOM) if start.startswith(_BOM) else 0)
    return file


def _opened(path: Path) -> IO[bytes]:
    try:
        if path.is_file():
            return path.open("rb")
    except OSError as error:
        raise ImportSourceError(str(path), f"it cannot be read: {(error.strerror or str(error)).lower()}") from None
    why = "it is no file" if path.exists() else "there is no such file"
    raise ImportSourceError(str(path), why, hint="Name a file of this format.")


def read_json(path: Path) -> object:
    """The whole of a JSON file.

    Raises:
        ImportSourceError: As `open_source`; it is too large to be held, or not JSON (with the line).
    """
    with open_source(path) as file:
        data = file.read(MAX_JSON_BYTES + 1)
    if len(data) > MAX_JSON_BYTES:
        raise ImportSourceError(str(path), f"it is longer than {MAX_JSON_BYTES:,} bytes")
    try:
        value: object = json.loads(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ImportSourceError(str(path), "it is not UTF-8", line=line) from None
    except json.JSONDecodeError as error:
        raise ImportSourceError(str(path), f"it is not JSON: {error.msg.lower()}", line=error.lineno) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, brackets nested without end
        raise ImportSourceError(str(path), "it is not JSON that can be read") from None
    return value


@dataclass(slots=True)
class Run:
    """Lines `first` to `last` of a file, which begin at `offset`: one session's, as long as no other came between."""

    offset: int
    first: int
    last: int


class Runs:
    """Where the lines of each session stand in a file, in the order in which the sessions begin.

    A file is read twice: once to find the runs, once session by session. So a session may be spread over a file of
    any size, and one at a time is held.
    """

    def __init__(self) -> None:
        self._runs: dict[str, list[Run]] = {}
        self._open: tuple[str, Run] | None = None

    def add(self, session: str, line: Line) -> None:
        """The next line, and whose it is."""
        if self._open is not None and self._open[0] == session:
            self._open[1].last = line.number
            return
        run = Run(line.offset, line.number, line.number)
        self._runs.setdefault(session, []).append(run)
        self._open = session, run

    def lines(self, file: IO[bytes], session: str, *, limit: int) -> Iterator[Line]:
        """The lines of a session's runs. Lines that belong to nobody may be among them."""
        for run in self._runs[session]:
            file.seek(run.offset)
            rest = lines_of(file, limit=limit, offset=run.offset, number=run.first)
            yield from islice(rest, run.last - run.first + 1)
