"""When two claims speak of the same thing, and when they say the same."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemic.domain.memory import Memory


def normal_claim(text: str) -> str:
    """A key or value as it is compared: compatibility-composed, case-folded, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split())


def contradict(one: Memory, other: Memory) -> bool:
    """Whether both claim a value for the same key, at some common time, and the values differ."""
    if one.claim is None or other.claim is None:
        return False
    same_key = normal_claim(one.claim.key) == normal_claim(other.claim.key)
    same_value = normal_claim(one.claim.value) == normal_claim(other.claim.value)
    return same_key and not same_value and overlap(one, other)


def overlap(one: Memory, other: Memory) -> bool:
    """Whether there is a moment at which both were so; an open end reaches for ever."""
    if _never(one) or _never(other):
        return False
    starts_before = one.valid_from is None or other.valid_until is None or one.valid_from < other.valid_until
    ends_after = other.valid_from is None or one.valid_until is None or other.valid_from < one.valid_until
    return starts_before and ends_after


def _never(memory: Memory) -> bool:
    """It ends where it begins: there is no moment at which it was so."""
    return memory.valid_from is not None and memory.valid_from == memory.valid_until
