"""A file beside the index that says which look at the files it agreed with.

Comparing thousands of stamps with those in the index takes a process longer than everything else it does to find out
that nothing has changed. So the one that has compared them leaves a hash of the stamps behind, with the generation of
the index that they belong to. A generation never comes again, not even in an index made anew, and at one generation
the comparison has one result. The file is a help alone: without it, or with a wrong one, the comparison is made.
"""

from __future__ import annotations

from array import array
from contextlib import suppress
from typing import TYPE_CHECKING

try:
    from _blake2 import blake2b  # hashlib would load OpenSSL first, which takes ten times as long
except ImportError:  # pragma: no cover - another interpreter
    from hashlib import blake2b

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mnemic.domain.documents import Stamp

SUFFIX = "-seen"


def fingerprint(generation: int, scans: Sequence[Sequence[Stamp]]) -> bytes:
    """Of all that these stamps say, in their order, at this generation."""
    found = blake2b(f"{generation} {[len(scan) for scan in scans]}".encode(), digest_size=16)
    for scan in filter(None, scans):
        paths, sizes, times, inodes = zip(*scan, strict=True)
        # A path has no NUL, and as many as there are stamps: no two scans give the same bytes.
        found.update("\0".join(paths).encode("utf-8", "surrogatepass"))
        for code, numbers in (("Q", sizes), ("q", times), ("Q", inodes)):
            found.update(_packed(code, numbers))
    return found.hexdigest().encode()


def _packed(code: str, numbers: tuple[int, ...]) -> bytes:
    try:
        return array(code, numbers).tobytes()
    except OverflowError:  # a file from 1600 or 2400, by its own account
        return repr(numbers).encode()


def is_noted(index: Path, seen: bytes) -> bool:
    """Whether this is what was noted last."""
    try:
        with open(f"{index}{SUFFIX}", "rb") as file:  # noqa: PTH123 - the dearest millisecond of a call
            return file.read(len(seen) + 1) == seen
    except OSError:
        return False


def note(index: Path, seen: bytes) -> None:
    """Leave this for the processes after us, where that can be done; of two at once, either's will do."""
    with suppress(OSError), open(f"{index}{SUFFIX}", "wb") as file:  # noqa: PTH123 - as above
        file.write(seen)
