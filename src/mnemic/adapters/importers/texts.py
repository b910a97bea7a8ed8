"""Strings of JSON that are no text: a NUL, half of a surrogate pair."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def is_text(string: str) -> bool:
    """Whether every program can keep it: no NUL, no lone surrogate."""
    return _NO_TEXT.search(string) is None


def as_text(string: str) -> str:
    """The same with U+FFFD for what is no text."""
    return _NO_TEXT.sub(_REPLACEMENT, string)


def strings_in(value: object) -> Iterator[str]:
    """Every string in a JSON value, keys included."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as string:
                yield string
            case list() as items:
                waiting += items
            case dict() as fields:
                waiting += fields.keys()
                waiting += fields.values()
            case _:
                pass
