r"""The revision of a memory: a fingerprint of what it means, not of its bytes.

Two documents have the same revision when every field of `Memory` but `id` and `changed_at` is equal, whatever the
order, quoting or comments of their front matter: moments are compared in UTC, text in NFC, the body with `\\n` line
ends and without white space around it, unknown keys as read. docs/reference/revision.md is the contract.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from mnemic.domain.instants import format_instant
from mnemic.domain.memory import Claim, Scope
from mnemic.domain.provenance import Provenance

if TYPE_CHECKING:
    from mnemic.domain.memory import Memory

_NOT_MEANING = ("id", "changed_at")


_ADDED = ("on_event", "snoozed_until", "result")
"""Fields of a later release count only where they say something: revisions of before stay what they were."""


def revision(memory: Memory) -> str:
    """The semantic fingerprint, 64 hex digits (SHA-256 of canonical JSON)."""
    meaning = {name: _plain(getattr(memory, name)) for name in memory.__slots__ if name not in _NOT_MEANING}
    for name in _ADDED:
        if not meaning[name]:
            del meaning[name]
    meaning["body"] = _plain(normal_body(memory.body))
    text = json.dumps(meaning, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).hexdigest()


def normal_body(body: str) -> str:
    r"""A body as it is compared: `\\n` line ends, no white space around it."""
    return body.replace("\r\n", "\n").replace("\r", "\n").strip()


def _plain(value: object) -> object:  # noqa: PLR0911 - one return a kind of value
    # Most fields are one of these, and a match takes its time.
    if type(value) is str:
        return unicodedata.normalize("NFC", value)
    if value is None or value is True or value is False:
        return value
    match value:
        case datetime():
            return format_instant(value)
        case str():
            return unicodedata.normalize("NFC", str(value))
        case float() if value.is_integer():
            return int(value)  # 1.0 says the same as 1
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case Claim() | Provenance() | Scope():
            return {name: _plain(getattr(value, name)) for name in value.__slots__}
        case _:
            return value
