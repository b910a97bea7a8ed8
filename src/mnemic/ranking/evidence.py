"""What speaks for an entry: channels, each in its own unit, before any weight."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import log, sqrt
from typing import TYPE_CHECKING

from mnemic.ranking.weights import BACKGROUND_VECTORS, BACKGROUNDS, K1, WINDOW, B

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence

    from mnemic.domain.entries import IndexStatistics, Spread, WindowPassage

LEAST_IDF = 1e-6
"""FTS5's floor: a word in more than half of the passages tells next to nothing."""
_STEPS = tuple(WINDOW.items())
_FARTHEST = max(map(abs, WINDOW))


@dataclass(slots=True)
class Evidence:
    """The channels of one candidate, by its row.

    `meaning` holds standardized cosines and `cosine` the plain ones, by space id.
    """

    row: int
    words: float = 0.0
    group: float = 0.0
    name: float = 0.0
    length: float = 1.0
    asks: float = 0.0
    day: float = 0.0
    phrase: float = 0.0
    tag: float = 0.0
    link: float = 0.0
    tail: float = 0.0
    strength: float = 0.0
    best_passage: int | None = None
    meaning: dict[str, float] = field(default_factory=dict)
    cosine: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TermWeights:
    """Inverse document frequency of the query's terms among passages, and what they sum up to at most."""

    idf: Mapping[str, float]
    most: float

    @classmethod
    def of(cls, frequencies: Mapping[str, int], total: int) -> TermWeights:
        """From how many of `total` documents hold each term; a term that none holds weighs most.

        A frequency over `total` counts as `total`: that of a prefix is the sum over all its words.
        """
        bounded = {term: min(df, total) for term, df in frequencies.items()}
        idf = {term: max(log((total - df + 0.5) / (df + 0.5)), LEAST_IDF) for term, df in bounded.items()}
        return cls(idf, sum(idf.values()) * (K1 + 1))


def window_coverage(
    passages: Sequence[WindowPassage], entries: Container[int], weights: TermWeights, statistics: IndexStatistics
) -> Iterator[tuple[int, int, float]]:
    """`(entry, passage, coverage 0..1)` of passages, by BM25 over terms counted in a window around each.

    A term counts fully in the passage itself and less in those around it in the same group (`WINDOW`), since what a
    turn answers was often asked in the turn before. Coverage is the score over the most that the query could score.

    Args:
        passages: In order, groups together, as `IndexReader.windows` gives them.
        entries: Rows of the entries whose passages are asked for; the others only stand around them.
        weights: Of the query's terms.
        statistics: Of the whole index.
    """
    if not weights.idf or weights.most <= 0:
        return
    counted = _counter(weights.idf)
    counts = [counted(passage.terms) for passage in passages]
    lengths = [passage.terms.count(" ") + 1 for passage in passages]
    usual = max(mean_window_length(statistics), 1e-9)
    most_of = {term: idf * (K1 + 1) for term, idf in weights.idf.items()}
    for place, passage in enumerate(passages):
        if passage.entry not in entries:
            continue
        if not any(counts[max(place - _FARTHEST, 0) : place + _FARTHEST + 1]):
            yield passage.entry, passage.row, 0.0  # most of what was found by its meaning shares no word
            continue
        length = 0.0
        found: dict[str, float] = {}
        for other, share in _around(passages, place):
            length += lengths[other] * share
            for term, number in counts[other].items():
                found[term] = found.get(term, 0.0) + number * share
        damping = K1 * (1 - B + B * length / usual)
        score = sum(most_of[term] * frequency / (frequency + damping) for term, frequency in found.items())
        yield passage.entry, passage.row, score / weights.most


def _around(passages: Sequence[WindowPassage], place: int) -> Iterator[tuple[int, float]]:
    """Places in the window around this one, and their shares; what stands in another group, or behind a gap, is not."""
    group, position = passages[place].group, passages[place].position
    last = len(passages) - 1
    for step, share in _STEPS:
        other = place + step
        if not 0 <= other <= last:
            continue
        passage = passages[other]
        if passage.group == group and abs(passage.position - position) <= abs(step):
            yield other, share


def _counter(wanted: Mapping[str, float]) -> Callable[[str], dict[str, int]]:
    """Counts the wanted terms in a string of terms; one pass of a pattern is much faster than splitting it."""
    # A longer term first, so that a prefix does not hide it.
    terms = sorted(wanted, key=len, reverse=True)
    pattern = "|".join(f"{re.escape(term[:-1])}\\S*" if term.endswith("*") else re.escape(term) for term in terms)
    found = re.compile(f"(?<!\\S)(?:{pattern})(?!\\S)").findall
    prefixes = tuple(term for term in terms if term.endswith("*"))

    def counted(text: str) -> dict[str, int]:
        counts: dict[str, int] = {}
        for word in found(text):
            if word in wanted:
                counts[word] = counts.get(word, 0) + 1
            for prefix in prefixes:
                if word.startswith(prefix[:-1]):
                    counts[prefix] = counts.get(prefix, 0) + 1
        return counts

    return counted


def mean_window_length(statistics: IndexStatistics) -> float:
    """The usual length of a passage with its window, in terms.

    Of `n` passages in groups, one in each group has nothing at distance 1; a group of one passage has none at
    distance 2 either, a longer one two.
    """
    count = max(statistics.passages, 1)
    with_next = max(count - statistics.groups, 0) / count
    with_second = max(count - 2 * statistics.groups + statistics.single_groups, 0) / count
    share = {0: 1.0, 1: with_next, 2: with_second}
    return statistics.mean_length * sum(weight * share[abs(step)] for step, weight in WINDOW.items())


def standardized(cosine: float, spread: Spread | None, model: str) -> float:
    """A cosine in standard deviations above what is usual for this query in this space.

    The usual is a mixture of the bundle's own vectors and a background fitted beforehand, so that five notes that all
    have nothing to do with the question do not make the least unlike of them look near.
    """
    background = BACKGROUNDS.get(model)
    own = spread.count if spread is not None else 0
    prior = BACKGROUND_VECTORS if background is not None else 0
    if own + prior == 0 or spread is None:
        return 0.0
    mean = spread.mean
    if background is not None:
        mean = (own * spread.mean + prior * background.mean) / (own + prior)
    variance = own * (spread.variance + (spread.mean - mean) ** 2)
    if background is not None:
        variance += prior * (background.variance + (background.mean - mean) ** 2)
    deviation = sqrt(max(variance / (own + prior), 0.0))
    return (cosine - mean) / deviation if deviation > LEAST_IDF else 0.0
