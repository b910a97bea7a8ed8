"""Seals: SHA-256 of whole stretches of the ledger, signed, each taken when every line of its stretch had been checked.

A stretch with its digest needs no second look at its lines, which makes checking a long ledger as fast as hashing it.
Nothing depends on them: without a seal, or with one that is not in order, lines are checked one by one.
"""

from __future__ import annotations

import hmac
import json
import os
from contextlib import suppress
from typing import IO, TYPE_CHECKING, NamedTuple

from mnemic.domain.ledger import BEGINNING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STRETCH = 512 * 1024
"""Bytes of a stretch at least; and a part of the whole, so that there are never many."""
_SHARE = 64
_LONGEST = 1024


class Seal(NamedTuple):
    """A stretch from `begin` to `end`: lines up to there, hash before it, its last event, SHA-256 of its bytes."""

    begin: int
    end: int
    lines: int
    prev: str
    seq: int
    hash: str
    digest: str


NO_SEAL = Seal(begin=0, end=0, lines=0, prev="", seq=0, hash=BEGINNING, digest="")


def is_due(end: int, last: Seal) -> bool:
    """Whether there is enough in a ledger of `end` bytes after its last seal for another one."""
    return end - last.end >= max(STRETCH, end // _SHARE)


def may_be_due(before: int, end: int) -> bool:
    """Whether it is time to ask that: now and then only, since damage may keep a stretch from being sealed."""
    step = STRETCH // 8
    return before // step != end // step


def seals_at(path: Path, key: bytes | None) -> Iterator[Seal]:
    """The seals in order, as far as each is signed and follows on the one before. Raises OSError."""
    last = NO_SEAL
    with suppress(FileNotFoundError), path.open("rb") as file:
        while key is not None and (line := file.readline(_LONGEST)):
            seal = _decode(line, key)
            if seal is None or (seal.begin, seal.prev) != (last.end, last.hash) or seal.end <= seal.begin:
                return
            yield seal
            last = seal


def last_seal(path: Path, key: bytes) -> Seal | None:
    """The last one; NO_SEAL where there is none; None when it is not in order. Raises OSError."""
    try:
        with path.open("rb", buffering=0) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _LONGEST))
            data = file.read()
    except FileNotFoundError:
        return NO_SEAL
    return _decode(data[data.rfind(b"\n", 0, -1) + 1 :], key) if data else NO_SEAL


def add_seal(path: Path, seal: Seal, key: bytes) -> None:
    """One more. Raises OSError."""
    with _for_owner(path) as file:
        file.write(_encode(seal, key))


def _for_owner(path: Path) -> IO[bytes]:
    return open(path, "ab", opener=lambda name, flags: os.open(name, flags, 0o600))


def _encode(seal: Seal, key: bytes) -> bytes:
    return json.dumps([*seal, _mac(seal, key)]).encode() + b"\n"


def _decode(line: bytes, key: bytes) -> Seal | None:
    try:
        begin, end, lines, prev, seq, digest, stretch, mac = json.loads(line)
        seal = Seal(int(begin), int(end), int(lines), str(prev), int(seq), str(digest), str(stretch))
    except (ValueError, TypeError, RecursionError):
        return None
    good = hmac.compare_digest(str(mac).encode("utf-8", "replace"), _mac(seal, key).encode())
    return seal if good else None


def _mac(seal: Seal, key: bytes) -> str:
    return hmac.digest(key, json.dumps(["mnemic seal 1", *seal]).encode(), "sha256").hex()
