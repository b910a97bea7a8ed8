"""When two claims speak of the same thing, and when they cannot both be so."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemic.domain.memory import Memory

_STEP: Final = re.compile(r"\s*(?:::|->|[./:>›»→|\\])\s*")
_BLANK: Final = re.compile(r"[\s_\-‐‑–—]+")


def normal_claim(text: str) -> str:
    """A text as it is compared: compatibility-composed, case-folded, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split())


def claim_key(text: str) -> str:
    """A key as it is compared: `Anna / Home_City`, `anna:home-city` and `ＡＮＮＡ.home city` are one key.

    Its steps are parted by a dot, the words of a step by one blank. Applied twice it changes nothing more.
    """
    plain = normal_claim(text)
    steps = (_BLANK.sub(" ", step).strip() for step in _STEP.split(plain))
    return ".".join(filter(None, steps)) or plain


def same_words(one: Memory, other: Memory) -> bool:
    """Whether the values of two claims are written alike; `text/claim_values.py` knows when they mean the same."""
    if one.claim is None or other.claim is None:
        return False
    return normal_claim(one.claim.value) == normal_claim(other.claim.value)


def contradict(one: Memory, other: Memory, *, agree: Callable[[Memory, Memory], bool] = same_words) -> bool:
    """Whether both claim a value for the same key, at some common time, and the values do not agree."""
    if one.claim is None or other.claim is None:
        return False
    same_key = claim_key(one.claim.key) == claim_key(other.claim.key)
    return same_key and overlap(one, other) and not agree(one, other)


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
