"""When words of a message point at one memory rather than at any: by how few hold them, and how much of it they name.

A hint costs the agent's attention before it has asked for anything, so a wrong one is worse than none. A message names
a memory when it holds nearly all that the memory is called, weighed by rarity, and at least one word of that is held by
few. Less of a name is enough where other rare words of the memory stand in the message too.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

FEW = 3
FEW_SHARE = 0.02
"""A word is rare when no more than `FEW` memories and sessions hold it, or no more than this share of them."""
WHOLE = 0.95
"""A name is there whole from this coverage on; one word is enough then."""
MOST_OF_IT = 0.6
"""Of a name of several words so much must be there, in at least two words."""
PART = 0.4
"""So much of a name is enough when rare words besides it are there."""
LEAST_LETTERS = 3
"""A name of one shorter ASCII word ("Go", "R2") is a word of too many sentences."""
BESIDES = 0.5
"""What a word of the description or the tags counts, against 1 in the name."""


@dataclass(frozen=True, slots=True)
class Rarity:
    """How much the words of a message tell apart, each in `0..log(2 * total + 2)`, and which of them are rare."""

    weights: Mapping[str, float]
    rare: frozenset[str]
    unknown: float

    @classmethod
    def of(cls, frequencies: Mapping[str, int], total: int) -> Rarity:
        """From how many of `total` memories and sessions hold each word."""
        few = max(FEW, FEW_SHARE * total)
        return cls(
            {word: _weight(df, total) for word, df in frequencies.items()},
            frozenset(word for word, df in frequencies.items() if 0 < df <= few),
            _weight(1, total),
        )

    def weight(self, word: str) -> float:
        """Of a word that the message does not hold: that of a word which only one memory has."""
        return self.weights.get(word, self.unknown)


@dataclass(frozen=True, slots=True)
class Called:
    """What a memory can be known by: the words of each of its names, and those of its description and tags."""

    key: str
    names: Sequence[Sequence[str]]
    besides: Collection[str]


@dataclass(frozen=True, slots=True)
class Distinct:
    """A memory that a message points at; `matched` are the words, those of its name first."""

    key: str
    matched: tuple[str, ...]
    score: float


def distinct(called: Iterable[Called], rarity: Rarity, *, most_alike: int) -> list[Distinct]:
    """The memories that the message points at, best first; ties by key.

    Those that share the same words with the message are told apart by none of them: when they are more than
    `most_alike`, none of them is pointed at.
    """
    found = [one for one in (_matched(memory, rarity) for memory in called) if one is not None]
    alike: dict[frozenset[str], int] = {}
    for one in found:
        words = frozenset(one.matched)
        alike[words] = alike.get(words, 0) + 1
    apart = [one for one in found if alike[frozenset(one.matched)] <= most_alike]
    return sorted(apart, key=lambda one: (-round(one.score, 9), one.key))


def _matched(memory: Called, rarity: Rarity) -> Distinct | None:
    asked = rarity.weights
    besides = [word for word in memory.besides if word in asked]
    best: Distinct | None = None
    for name in memory.names:
        there = [word for word in name if word in asked]
        other = [word for word in besides if word not in there]
        score = sum(map(rarity.weight, there)) + BESIDES * sum(map(rarity.weight, other))
        if _points(name, there, other, rarity) and (best is None or score > best.score):
            best = Distinct(memory.key, (*there, *other), score)
    return best


def _points(name: Sequence[str], there: Sequence[str], other: Sequence[str], rarity: Rarity) -> bool:
    if not any(word in rarity.rare for word in there):
        return False
    whole = sum(map(rarity.weight, name))
    coverage = sum(map(rarity.weight, there)) / whole
    if coverage >= WHOLE:
        return len(there) > 1 or len(there[0]) >= LEAST_LETTERS or not there[0].isascii()
    if coverage >= MOST_OF_IT:
        return len(there) > 1
    return coverage >= PART and any(word in rarity.rare for word in other)


def _weight(frequency: int, total: int) -> float:
    return log((total + 1) / (min(frequency, total) + 0.5))
