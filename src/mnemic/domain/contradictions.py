"""Two memories that cannot both be so, or may not be: what is told about them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Doubt(StrEnum):
    """How sure it is that two memories contradict each other."""

    CONTRADICTION = "contradiction"
    """Two claims give one key two values at one time."""
    MAY_CONTRADICT = "may_contradict"
    """Two sentences are worded so that one of them is probably out of date or wrong."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What one memory says: its id, and the sentence or `key = value` itself."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two statements against each other; `how` names in what: value, negation, antonym, number, other, change."""

    doubt: Doubt
    how: str
    one: Statement
    other: Statement
