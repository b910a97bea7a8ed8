"""Names of memories, sessions and turns.

A memory's *id* is where it is found: its document's path without `.md`, plus `#anchor` for a part of a document.
A memory's *uid* is what it is: it survives renames, and is the only name the ledger knows.
"""

from __future__ import annotations

import os
import time
import unicodedata
from typing import NewType

from mnemic.errors import InvalidIdError

MemoryId = NewType("MemoryId", str)
"""`people/anna-berg`, `notes/day#anchor`; normalized by `memory_id`."""

Uid = NewType("Uid", str)
"""A UUID in its canonical 36-character form; ours are version 7 (RFC 9562)."""

MAX_ID_CHARS = 240
MAX_SEGMENT_BYTES = 200  # 255 is the limit of common file systems; room for ".md" and a temporary suffix
SESSION_PREFIX = "session:"
RESERVED_NAMES = frozenset({"index", "log"})
RESERVED_FOLDERS = frozenset({"_staging", "_proposals"})
WINDOWS_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³")},
)
_PUNCTUATION = frozenset("-_.+@ ")
_MOST_DIGITS = 9


def memory_id(text: str) -> MemoryId:
    """The id that `text` names: NFC, lowercase, `/` between folders, without `.md`.

    Raises:
        InvalidIdError: Absolute, climbing (`..`), reserved, too long, or with characters that no id has.
    """
    given = text
    path, _, anchor = unicodedata.normalize("NFC", text).replace("\\", "/").partition("#")
    path = path.lower().removesuffix(".md")
    if not path:
        raise InvalidIdError(given, "it is empty")
    if path.startswith("/") or (len(path) > 1 and path[1] == ":"):
        raise InvalidIdError(given, "it is an absolute path")
    if len(path) > MAX_ID_CHARS:
        raise InvalidIdError(given, f"it has {len(path)} characters, the limit is {MAX_ID_CHARS}")
    segments = path.split("/")
    for segment in segments:
        _check_segment(segment, given)
    if segments[-1] in RESERVED_NAMES:
        raise InvalidIdError(given, f"the name {segments[-1]} is reserved in every folder")
    if segments[0] in RESERVED_FOLDERS:
        raise InvalidIdError(given, f"the folder {segments[0]} is reserved")
    if len(anchor) > MAX_ID_CHARS or not anchor.isprintable():
        raise InvalidIdError(given, f"what follows # has signs that cannot be shown, or more than {MAX_ID_CHARS}")
    # Lowercasing can take a text out of NFC (for example İ), so it is composed once more.
    normal = unicodedata.normalize("NFC", path)
    return MemoryId(f"{normal}#{anchor}" if anchor else normal)


def _check_segment(segment: str, given: str) -> None:
    if not segment:
        raise InvalidIdError(given, "a folder or file name in it is empty")
    if segment.startswith("."):
        raise InvalidIdError(given, "a name in it begins with a dot")
    if segment != segment.strip(" .") or segment.endswith("."):
        raise InvalidIdError(given, "a name in it begins or ends with a blank or a dot")
    if segment.split(".", 1)[0].rstrip() in WINDOWS_DEVICES:
        raise InvalidIdError(given, f"{segment} is a device name on Windows")
    if len(segment.encode("utf-8", "surrogatepass")) > MAX_SEGMENT_BYTES:
        raise InvalidIdError(given, f"a name in it is longer than {MAX_SEGMENT_BYTES} bytes")
    for char in segment:
        # Letters, marks and digits of any script; a few signs that every file system takes.
        if unicodedata.category(char)[0] not in "LMN" and char not in _PUNCTUATION:
            raise InvalidIdError(given, f"the character U+{ord(char):04X} cannot be part of one")


def id_of_path(path: str) -> MemoryId:
    """The id of a document that exists, whatever its name: NFC, lowercase, without `.md`; never refused."""
    return MemoryId(unicodedata.normalize("NFC", unicodedata.normalize("NFC", path.removesuffix(".md")).lower()))


def reference(bundle: str, memory_id: str) -> str:
    """How a memory or a turn is named beside those of other bundles: `own:people/anna`; as it is in the first one."""
    return f"{bundle}:{memory_id}" if bundle else memory_id


def collision_key(memory_id: str) -> str:
    """Equal for ids that some file system cannot keep apart: case-folded, compatibility-composed."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", memory_id).casefold())


def turn_id(session_id: str, number: int) -> str:
    """The reference of one turn: `session:<session id>#<number from 1>`."""
    return f"{SESSION_PREFIX}{session_id}#{number}"


def parse_turn_id(text: str) -> tuple[str, int | None] | None:
    """`(session id, turn number or None)` of a session reference, or None when `text` is none.

    Numbers run from 1 to 999,999,999.
    """
    if not text.startswith(SESSION_PREFIX):
        return None
    session, _, number = text.removeprefix(SESSION_PREFIX).partition("#")
    if not number:
        return session, None
    if not (number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS and int(number)):
        return None
    return session, int(number)


def uuid7(now_ms: int | None = None, random: bytes | None = None) -> Uid:
    """A UUID of version 7: 48 bits of Unix milliseconds, 74 random bits.

    Args:
        now_ms: Milliseconds since 1970, UTC; the system clock when left out.
        random: At least 10 bytes; from the operating system when left out.

    Source:
        RFC 9562, section 5.7. In the standard library from Python 3.14 on.
    """
    moment = time.time_ns() // 1_000_000 if now_ms is None else now_ms
    noise = int.from_bytes((random or os.urandom(10))[:10], "big")
    value = (moment & 0xFFFF_FFFF_FFFF) << 80 | 0x7 << 76 | (noise >> 64 & 0xFFF) << 64
    value |= 0b10 << 62 | noise & 0x3FFF_FFFF_FFFF_FFFF
    return uid_of_int(value)


def uid_of_int(value: int) -> Uid:
    """The canonical text of a 128-bit UUID."""
    digits = f"{value:032x}"
    return Uid("-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])))


def derived_uid(text: str) -> Uid:
    """A stable uid for a memory that has none of its own yet, from its id.

    A version 8 UUID (RFC 9562: custom), so that it is never taken for one that was given.
    """
    from hashlib import sha256

    value = int.from_bytes(sha256(b"mnemic uid\0" + text.encode("utf-8", "surrogatepass")).digest()[:16], "big")
    value = value & ~(0xF << 76) | 0x8 << 76
    return uid_of_int(value & ~(0b11 << 62) | 0b10 << 62)
