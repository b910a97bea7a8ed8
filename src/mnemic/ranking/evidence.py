"""What speaks for an entry: channels, each in its own unit, before any weight."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from math import log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from mnemic.ranking.weights import BACKGROUND_VECTORS, BACKGROUNDS, K1, WINDOW, B

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from mnemic.domain.entries import IndexStatistics, Spread, WindowPassage

LEAST_IDF = 1e-6
"""FTS5's floor: a word in more than half of the passages tells next to nothing."""
_STEPS = tuple((step, abs(step), share) for step, share in WINDOW.items())
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
    outcome: float = 0.0
    best_passage: int | None = None
    meaning: dict[str, float] = field(default_factory=dict)
    cosine: dict[str, float] = field(default_factory=dict)


class TermWeights(NamedTuple):
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
    Passages that cover nothing are left out.

    Args:
        passages: In order, groups together, as `IndexReader.windows` gives them.
        entries: Rows of the entries whose passages are asked for; the others only stand around them.
        weights: Of the query's terms.
        statistics: Of the whole index.
    """
    if not weights.idf or weights.most <= 0:
        return
    counts = _counts(passages, weights.idf)
    lengths = [passage.terms.count(" ") + 1 for passage in passages]
    mean_length = max(mean_window_length(statistics), 1e-9)
    most_of = {term: idf * (K1 + 1) for term, idf in weights.idf.items()}
    for place in _near(counts, len(passages)):
        group, position, entry, row, _ = passages[place]
        if entry not in entries:
            continue
        length = 0.0
        found: dict[str, float] = {}
        for step, apart, share in _STEPS:
            other = place + step
            if not 0 <= other < len(passages):
                continue
            beside = passages[other]
            if beside.group != group or not -apart <= beside.position - position <= apart:
                continue  # another group, or behind a gap
            length += lengths[other] * share
            if other in counts:
                for term, number in counts[other].items():
                    found[term] = found.get(term, 0.0) + number * share
        if found:
            damping = K1 * (1 - B + B * length / mean_length)
            score = sum([most_of[term] * frequency / (frequency + damping) for term, frequency in found.items()])
            yield entry, row, score / weights.most


def _near(counts: Iterable[int], places: int) -> list[int]:
    """The places whose windows reach one of `counts`, in order."""
    reached = {place + step for place in counts for step in range(-_FARTHEST, _FARTHEST + 1)}
    return sorted(place for place in reached if 0 <= place < places)


def _counts(passages: Sequence[WindowPassage], wanted: Mapping[str, float]) -> dict[int, dict[str, int]]:
    """How often each passage holds each wanted term, by place; places that hold none are left out."""
    prefixes = [term[:-1] for term in wanted if term.endswith("*")]
    if len(wanted) > _FOR_A_PATTERN and not prefixes:
        found = _picked(passages, frozenset(wanted))
    else:
        found = _matched(passages, wanted)
    counts: dict[int, dict[str, int]] = {}
    for place, word in found:
        here = counts.setdefault(place, {})
        if word in wanted:
            here[word] = here.get(word, 0) + 1
        for prefix in prefixes:
            if word.startswith(prefix):
                here[f"{prefix}*"] = here.get(f"{prefix}*", 0) + 1
    return counts


_FOR_A_PATTERN = 24
"""A pattern of more terms takes longer than a look at every word."""


def _matched(passages: Sequence[WindowPassage], wanted: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Wanted words with their places. One pass of a pattern over all texts is twice as fast as one over each."""
    text = f" {' '.join([passage.terms for passage in passages])} "
    starts = list(accumulate([len(passage.terms) + 1 for passage in passages], initial=0))
    # A longer term first, so that a prefix does not hide it.
    terms = sorted(wanted, key=len, reverse=True)
    pattern = "|".join(f"{re.escape(term[:-1])}\\S*" if term.endswith("*") else re.escape(term) for term in terms)
    for match in re.compile(f" ({pattern})(?= )").finditer(text):
        yield bisect_right(starts, match.start()) - 1, match[1]


def _picked(passages: Sequence[WindowPassage], wanted: frozenset[str]) -> Iterator[tuple[int, str]]:
    for place, passage in enumerate(passages):
        words = passage.terms.split(" ")
        if not wanted.isdisjoint(words):
            yield from ((place, word) for word in words if word in wanted)


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


class Usual(NamedTuple):
    """What is usual in a space for one query: mean and standard deviation of its cosines; 0 where all are alike."""

    mean: float
    deviation: float

    def standardized(self, cosine: float) -> float:
        """A cosine in standard deviations above the mean."""
        return (cosine - self.mean) / self.deviation if self.deviation > LEAST_IDF else 0.0


def usual(spread: Spread | None, model: str) -> Usual:
    """A mixture of the bundle's own vectors and a background fitted beforehand.

    So five notes that all have nothing to do with the question do not make the least unlike of them look near.
    """
    background = BACKGROUNDS.get(model)
    own = spread.count if spread is not None else 0
    prior = BACKGROUND_VECTORS if background is not None else 0
    if own + prior == 0 or spread is None:
        return Usual(0.0, 0.0)
    mean = spread.mean
    if background is not None:
        mean = (own * spread.mean + prior * background.mean) / (own + prior)
    variance = own * (spread.variance + (spread.mean - mean) ** 2)
    if background is not None:
        variance += prior * (background.variance + (background.mean - mean) ** 2)
    return Usual(mean, sqrt(max(variance / (own + prior), 0.0)))


def standardized(cosine: float, spread: Spread | None, model: str) -> float:
    """A cosine in standard deviations above what is usual for this query in this space."""
    return usual(spread, model).standardized(cosine)
