"""How the ledger ends: what an append goes on from, also after a crash or damage."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import IO, TYPE_CHECKING

from mnemic.adapters.ledger.canonical import link_of
from mnemic.domain.ledger import BEGINNING

if TYPE_CHECKING:
    from pathlib import Path

WINDOW = 64 * 1024
"""So many bytes at the end are looked at: some 180 events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """The end of the file.

    `end`: the offset where the next line goes, whatever stands there. `heal`: the line feed that the last event lacks,
    or nothing. `seq` and `last`: number and hash of the last event. `window`: the last whole lines. `facts` tell
    whether somebody else touched the file since.
    """

    end: int
    heal: bytes
    seq: int
    last: str
    window: bytes
    facts: tuple[int, ...]

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self.facts[1]

    def still_is(self, file: IO[bytes]) -> bool:
        """Whether the file still ends so."""
        return self.facts == _facts(os.fstat(file.fileno()))

    def still_stands(self, path: Path) -> bool:
        """The same of the file at a path, without opening it; False where that cannot be told."""
        try:
            return self.facts == _facts(path.lstat())
        except OSError:
            return False

    def grown(self, file: IO[bytes], seq: int, last: str, data: bytes) -> Tail:
        """The tail after `data` was written at its end."""
        window = (self.window + data)[-WINDOW:]
        facts = _facts(os.fstat(file.fileno()))
        return replace(self, end=self.end + len(data), heal=b"", seq=seq, last=last, window=window, facts=facts)


def tail_of(file: IO[bytes]) -> Tail:
    """Read the end of the file.

    A last line that lacks only its line feed counts; any other without one is torn, and its place is free. Of whole
    lines that are no events each takes a place all the same, and the hash of its bytes stands for its own: the chain
    goes on over the damage, and `verify` tells of it.
    """
    facts = _facts(os.fstat(file.fileno()))
    size = facts[1]
    begin = max(0, size - WINDOW)
    file.seek(begin)
    data = _read(file, size - begin)
    whole = data.rfind(b"\n") + 1
    torn, window = data[whole:], data[:whole]
    heal = b""
    if torn:
        link = link_of(torn)
        if link is not None and link.stated == link.computed:
            whole, window, heal = len(data), data, b"\n"
    seq, last = _last_of(window.splitlines())
    return Tail(end=begin + whole, heal=heal, seq=seq, last=last, window=window, facts=facts)


def _last_of(lines: list[bytes]) -> tuple[int, str]:
    for back, line in enumerate(reversed(lines)):
        link = link_of(line)
        if link is not None:
            return link.seq + back, sha256(lines[-1]).hexdigest() if back else link.stated
    return (len(lines), sha256(lines[-1]).hexdigest()) if lines else (0, BEGINNING)


def _facts(seen: os.stat_result) -> tuple[int, ...]:
    return seen.st_ino, seen.st_size, seen.st_mtime_ns


def _read(file: IO[bytes], size: int) -> bytes:
    parts: list[bytes] = []
    while size > 0 and (data := file.read(size)):
        parts.append(data)
        size -= len(data)
    return b"".join(parts)
