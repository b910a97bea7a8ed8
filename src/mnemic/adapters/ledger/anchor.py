"""The anchor: how far the ledger went, signed, so that a ledger cut short or written anew is noticed.

It also holds gaps: what an append found missing, so that going on does not hide it.

The file has two places of one size, which are written in turn: a power cut in the middle of one leaves the other. Both
must be in order all the same, or whoever cuts off the last events could spoil the newer one.
"""

from __future__ import annotations

import hmac
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.ledger import BEGINNING, Flaw

if TYPE_CHECKING:
    from pathlib import Path

_FORMAT = "mnemic anchor 1"
_PLACE = 2048
_MOST_GAPS = 24


class Gap(NamedTuple):
    """What an append found: where the anchor was, where the ledger ended, and which flaw that is."""

    flaw: Flaw
    vouched: int
    found: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """The last event that is vouched for, and the gaps so far. `turn` counts the anchors of a file, from 0."""

    seq: int = 0
    hash: str = BEGINNING
    gaps: tuple[Gap, ...] = ()
    turn: int = 0


class Signed(NamedTuple):
    """An anchor as read. `good`: whether this key signed it; None without a key. `anchor` is None when unreadable."""

    anchor: Anchor | None
    good: bool | None


class _BadPlaceError(Exception):
    """One of the two places holds no anchor of ours."""


def noted(gaps: tuple[Gap, ...], gap: Gap) -> tuple[Gap, ...]:
    """The gaps with one more; of too many the first are kept."""
    return (*gaps, gap)[:_MOST_GAPS]


class AnchorFile:
    """The file at `path`. What was read or written last is remembered, so that the same bytes are not decoded anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: tuple[bytes, bytes | None, Anchor] | None = None

    def read(self, key: bytes | None) -> Signed | None:
        """The anchor; None where there is none. Raises OSError."""
        with suppress(FileNotFoundError), open(self.path, "rb", buffering=0, opener=_at_once) as file:
            data = file.read(2 * _PLACE + 1)
            if self._known is None or self._known[:2] != (data, key):
                try:
                    self._known = data, key, _newest(data, key)
                except _BadPlaceError:
                    return Signed(None, good=False)
            return Signed(self._known[2], good=None if key is None else True)
        return None

    def write(self, anchor: Anchor, key: bytes, *, durable: bool) -> None:
        """Put it after the one before, which was just read; the first of a file replaces whatever is there.

        Raises OSError.
        """
        known, self._known = self._known, None
        data = _encode(anchor, key)
        if anchor.turn:
            with self.path.open("r+b", buffering=0) as file:
                file.seek(anchor.turn % 2 * _PLACE)
                file.write(data)
                if durable:
                    os.fsync(file.fileno())
            if known is not None:
                both = known[0][:_PLACE], known[0][_PLACE:]
                self._known = (both[0] + data if anchor.turn % 2 else data + both[1]), key, anchor
            return
        fresh = self.path.with_name(self.path.name + ".new")
        with os.fdopen(
            os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600), "wb"
        ) as new:
            new.write(data + _padded(b""))
            new.flush()
            os.fsync(new.fileno())
        fresh.replace(self.path)


def _at_once(path: str, flags: int) -> int:
    """Open it; a named pipe in its place does not hold us."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _newest(data: bytes, key: bytes | None) -> Anchor:
    """The later of the two, which must be the first or follow on the other. Raises _BadPlaceError."""
    if len(data) != 2 * _PLACE:
        raise _BadPlaceError
    both = [_decode(data[:_PLACE], key), _decode(data[_PLACE:], key)]
    anchors = sorted((anchor for anchor in both if anchor is not None), key=lambda anchor: anchor.turn)
    turns = [anchor.turn for anchor in anchors]
    if not turns or turns != ([0] if turns[-1] == 0 else [turns[-1] - 1, turns[-1]]):
        raise _BadPlaceError
    if any(anchor is not both[anchor.turn % 2] for anchor in anchors):
        raise _BadPlaceError
    return anchors[-1]


def _encode(anchor: Anchor, key: bytes) -> bytes:
    body: dict[str, object] = {"format": _FORMAT, "seq": anchor.seq, "hash": anchor.hash}
    body |= {"gaps": anchor.gaps, "turn": anchor.turn}
    return _padded(_bytes({**body, "mac": _mac(body, key)}))


def _padded(data: bytes) -> bytes:
    return data.ljust(_PLACE - 1) + b"\n"


def _decode(data: bytes, key: bytes | None) -> Anchor | None:
    """The anchor in a place; None when that is blank. Raises _BadPlaceError."""
    if data == _padded(b""):
        return None
    try:
        body = json.loads(data)
        mac = str(body.pop("mac"))
        anchor = Anchor(
            seq=int(body["seq"]),
            hash=str(body["hash"]),
            gaps=tuple(Gap(Flaw(flaw), int(vouched), int(found)) for flaw, vouched, found in body["gaps"]),
            turn=int(body["turn"]),
        )
        if body["format"] != _FORMAT or data != _padded(_bytes({**body, "mac": mac})):
            raise _BadPlaceError  # the same said otherwise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise _BadPlaceError from None
    if key is not None and not hmac.compare_digest(mac.encode("utf-8", "replace"), _mac(body, key).encode()):
        raise _BadPlaceError
    return anchor


def _mac(body: dict[str, object], key: bytes) -> str:
    return hmac.digest(key, _bytes(body), "sha256").hex()


def _bytes(body: dict[str, object]) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
