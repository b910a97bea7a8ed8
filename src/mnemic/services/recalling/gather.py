"""Collecting what speaks for each entry: candidates from every channel, then the evidence of each candidate."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.entries import FieldWeights, Source
from mnemic.ranking.evidence import Evidence, TermWeights, usual, window_coverage
from mnemic.ranking.fuse import cue, fuse, length_channel
from mnemic.ranking.prior import strength
from mnemic.ranking.weights import REACH
from mnemic.services.judging.outcomes import weigh_outcomes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.domain.access import Usage
    from mnemic.domain.entries import IndexedEntry, Named, Where
    from mnemic.domain.spaces import Space
    from mnemic.ports import IndexReader
    from mnemic.ranking.fuse import Scored
    from mnemic.ranking.weights import Weights
    from mnemic.services.recalling.query import Asked

GROUPS = 500
OTHERS = 100
COVERED = 0.8
"""Share of the entries that must have a vector before a space is listened to."""
EXCLUDED = 2_000
AROUND = 100
"""Of so many of the best passages the turns before and after become candidates too."""
LINKED_FROM = 3
POSTINGS_SHARE = 0.02
_BODY = FieldWeights(path=0, title=0, description=0, tags=0, kind=0, body=1)
_CORRECTED = 0.5
"""What a word counts that is one letter off; it may be another word."""


class Breadth(NamedTuple):
    """How far a search looks.

    Attributes:
        lexical: Passages that share the query's rarest words.
        semantic: Entries near it in meaning, a space.
        full: Candidates that are looked at in full: the prior cannot lift one from below.
        postings: Passages that hold one of the words that candidates are looked for by, at most.
        group_postings: Groups that hold one of the words that groups are judged by, at most.
    """

    lexical: int
    semantic: int
    full: int
    postings: int
    group_postings: float = inf


THOROUGH = Breadth(lexical=200, semantic=100, full=120, postings=20_000)
HURRIED = Breadth(lexical=60, semantic=30, full=60, postings=4_000, group_postings=4_000)
"""For a program that waits for milliseconds: less than half of the work. On LoCoMo, each conversation by itself and all
in one bundle, recall@5 and @10 stay within a tenth of a point."""


def unused(_ids: Sequence[str]) -> Mapping[str, Usage]:
    """Nothing has served yet."""
    return {}


class Vector(NamedTuple):
    """The query in one space."""

    space: Space
    row: NDArray[np.float32]


@dataclass(slots=True)
class _Pool:
    """Candidates and what is known of them, by row."""

    rows: dict[int, None] = field(default_factory=dict)
    phrase: dict[int, float] = field(default_factory=dict)
    dated: set[int] = field(default_factory=set)

    excluded: set[int] = field(default_factory=set)

    def add(self, rows: Iterable[int]) -> None:
        self.rows.update(dict.fromkeys(rows))

    def exclude(self, rows: Iterable[int]) -> None:
        self.excluded.update(rows)
        for row in self.excluded & self.rows.keys():
            del self.rows[row]


@dataclass(frozen=True, slots=True)
class Search:
    """One query on one view of the index.

    Attributes:
        index: The view.
        asked: The query.
        where: What may be returned.
        vectors: Gives the query in every space at hand; called when the words are done, so that models and words may
            be at work at the same time.
        now: The moment priors are computed at.
        weights: The table.
        usage: How often memories served, by id.
        breadth: How far to look.
    """

    index: IndexReader
    asked: Asked
    where: Where
    vectors: Callable[[], Sequence[Vector]]
    now: datetime
    weights: Weights
    usage: Callable[[Sequence[str]], Mapping[str, Usage]] = unused
    breadth: Breadth = THOROUGH


class Gathered(NamedTuple):
    """Scored candidates, best first; all candidates' evidence; the vectors that had a say; the number of entries."""

    scored: list[Scored]
    candidates: list[Evidence]
    vectors: Sequence[Vector]
    entries: int


def gather(search: Search, *, wanted: int) -> Gathered:
    """Every candidate with its evidence and score; at least `wanted` in full, if there are as many."""
    index, weights, now = search.index, search.weights, search.now.timestamp()
    candidates, vectors = collect(search)
    spaces = [vector.space.id for vector in vectors]
    best = _most_promising(candidates, spaces, weights, max(search.breadth.full, 2 * wanted))
    full = _completed(index, best, search.asked)
    _strengthen(full, search.usage)
    weigh_outcomes(index, full, search.where)
    scored = fuse(full, spaces, now, weights)
    if _link(index, scored[:LINKED_FROM], full):
        scored = fuse(full, spaces, now, weights)
    return Gathered(scored, list(candidates.values()), vectors, index.statistics().entries)


def collect(search: Search) -> tuple[dict[int, Evidence], Sequence[Vector]]:
    """Every candidate, by row, with those channels that can be had for hundreds at once; and the query's vectors."""
    index = search.index
    words = _Words.of(search)
    pool = _by_words(search, words)
    found = _evidence(search, words, pool, [*pool.rows])
    vectors = [vector for vector in search.vectors() if _covers(index, vector)]
    most = search.breadth.semantic
    near = [hit.entry for vector in vectors for hit in index.semantic(vector.space, vector.row, search.where, most)]
    if search.asked.days_alone:
        near = []  # what merely sounds like "yesterday" would push out what was said then
    others = [row for row in dict.fromkeys(near) if row not in found and row not in pool.excluded]
    found |= _evidence(search, words, pool, others)
    for vector in vectors:
        _add_meaning(index, vector, found)
    return found, vectors


# -- candidates --------------------------------------------------------------------------------------------------


class _Words(NamedTuple):
    """The query's words: how many passages hold each, what they weigh, whose names are among them, their groups."""

    frequencies: Mapping[str, int]
    weights: TermWeights
    tail: TermWeights
    named: Named
    groups: Mapping[int, float]

    @classmethod
    def of(cls, search: Search) -> _Words:
        index, asked = search.index, search.asked
        statistics = index.statistics()
        words = _corrected(index, asked.words)
        frequencies = index.document_frequency([*words])
        return cls(
            frequencies=frequencies,
            weights=_term_weights(frequencies, words, statistics.passages),
            tail=TermWeights.of(index.document_frequency(asked.tail), statistics.passages),
            named=index.named(asked.names),
            groups=_group_coverage(index, asked.words, statistics.groups, search.breadth.group_postings),
        )


def _corrected(index: IndexReader, words: Sequence[str]) -> dict[str, float]:
    """Each word of the query, and what it counts; words nobody wrote bring those that are a letter away."""
    known = index.document_frequency(words)
    found = dict.fromkeys(words, 1.0)
    for word, count in known.items():
        if count == 0:
            for near in index.close_terms(word, 2):
                found.setdefault(near, _CORRECTED)
    return found


def _pruned(frequencies: Mapping[str, int], budget: float) -> list[str]:
    """The rarest words whose passages together stay within the budget; always one.

    FTS5 scores every passage that holds a word, so a sentence of common words would cost a walk through everything.
    """
    chosen: list[str] = []
    spent = 0
    for word in sorted((word for word, count in frequencies.items() if count), key=lambda w: (frequencies[w], w)):
        spent += frequencies[word]
        if chosen and spent > budget:
            break
        chosen.append(word)
    return chosen


def _by_words(search: Search, words: _Words) -> _Pool:
    """Candidates by words, phrases, days and names, with what stands around the best of them."""
    index, asked, where = search.index, search.asked, search.where
    pool, breadth = _Pool(), search.breadth
    budget = max(breadth.postings, POSTINGS_SHARE * index.statistics().passages)
    hits = index.lexical(_pruned(words.frequencies, budget), where, breadth.lexical)
    pool.add(hit.entry for hit in hits)
    around = index.neighbours(list(dict.fromkeys(hit.entry for hit in hits[:AROUND])), REACH)
    pool.add(row for near in around.values() for row in near.values())
    for phrase in asked.terms.phrases:
        found = {hit.entry for hit in index.phrase(phrase, where, OTHERS)}
        pool.add(sorted(found))
        for row in found:
            pool.phrase[row] = pool.phrase.get(row, 0.0) + 1.0 / len(asked.terms.phrases)
    for first, past in asked.days:
        dated = index.said_between(_seconds(first), _seconds(past), where, OTHERS)
        pool.add(dated)
        pool.dated.update(dated)
    for rows in words.named.memories.values():
        pool.add(rows[:OTHERS])
    for phrase in asked.terms.excluded:
        pool.exclude(hit.entry for hit in index.phrase(phrase, where, EXCLUDED))
    return pool


def _seconds(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


# -- evidence ----------------------------------------------------------------------------------------------------


def _evidence(search: Search, words: _Words, pool: _Pool, rows: Sequence[int]) -> dict[int, Evidence]:
    """Evidence of those rows that may be returned, but for meaning."""
    outlines = search.index.outlines(rows, search.where)
    found = {outline.row: Evidence(outline.row) for outline in outlines}
    _add_words(search, words, found)
    named = words.named
    share = 1.0 / max(len({*named.speakers, *named.memories}), 1)
    of_memories = {row for found_rows in named.memories.values() for row in found_rows}
    for outline in outlines:
        evidence = found[outline.row]
        evidence.group = words.groups.get(outline.group, 0.0)
        evidence.length = length_channel(outline.length, turn=outline.source == Source.TURN)
        evidence.asks = float(outline.asks)
        evidence.day = float(outline.row in pool.dated)
        evidence.phrase = pool.phrase.get(outline.row, 0.0)
        evidence.name = share * (outline.speaker in named.speakers or outline.row in of_memories)
    return found


def _add_words(search: Search, words: _Words, found: dict[int, Evidence]) -> None:
    statistics = search.index.statistics()
    passages = search.index.windows([*found], REACH)
    for row, passage, coverage in window_coverage(passages, found.keys(), words.weights, statistics):
        if coverage > found[row].words or found[row].best_passage is None:
            found[row].words, found[row].best_passage = coverage, passage
    for row, _, coverage in window_coverage(passages, found.keys(), words.tail, statistics):
        found[row].tail = max(found[row].tail, coverage)


def _term_weights(frequencies: Mapping[str, int], words: Mapping[str, float], total: int) -> TermWeights:
    """As `TermWeights.of`, where a corrected word counts less and adds nothing to what the query could score."""
    plain = TermWeights.of(frequencies, total)
    own = TermWeights.of({word: frequencies[word] for word, counts in words.items() if counts == 1.0}, total)
    return TermWeights({word: idf * words[word] for word, idf in plain.idf.items()}, own.most)


def _group_coverage(index: IndexReader, words: Sequence[str], groups: int, budget: float) -> dict[int, float]:
    frequencies = index.group_frequency(words)
    weights = TermWeights.of(frequencies, groups)
    if weights.most <= 0:
        return {}
    looked_for = words if budget == inf else _pruned(frequencies, budget)
    return {row: score / weights.most for row, score in index.groups(looked_for, GROUPS, _BODY).items()}


def _covers(index: IndexReader, vector: Vector) -> bool:
    """Whether nearly every entry has its vector; else those that have one would win by that alone."""
    spread = index.spread(vector.space, vector.row)
    return spread is not None and spread.count >= COVERED * index.statistics().entries


def _add_meaning(index: IndexReader, vector: Vector, found: dict[int, Evidence]) -> None:
    space = vector.space
    unremarkable = usual(index.spread(space, vector.row), space.model)
    for row, hit in index.similarity(space, vector.row, [*found]).items():
        found[row].cosine[space.id] = hit.cosine
        found[row].meaning[space.id] = unremarkable.standardized(hit.cosine)


def _most_promising(
    found: Mapping[int, Evidence], spaces: Sequence[str], weights: Weights, wanted: int
) -> list[Evidence]:
    promise = {row: sum(cue(evidence, spaces, weights).values()) for row, evidence in found.items()}
    return [found[row] for row in sorted(found, key=lambda row: (-promise[row], row))[:wanted]]


def _completed(index: IndexReader, best: Sequence[Evidence], asked: Asked) -> list[tuple[IndexedEntry, Evidence]]:
    entries = index.entries([evidence.row for evidence in best])
    wanted = {name.casefold() for name in asked.terms.names}
    full = []
    for evidence in best:
        entry = entries[evidence.row]
        if evidence.day > 0:
            evidence.day = _day_share(entry, asked)
        if wanted:
            tags = {tag.casefold() for tag in entry.tags} | {entry.title.casefold(), entry.id.rpartition("/")[2]}
            evidence.tag = float(bool(wanted & tags))
        full.append((entry, evidence))
    return full


def _strengthen(
    full: Sequence[tuple[IndexedEntry, Evidence]], usage: Callable[[Sequence[str]], Mapping[str, Usage]]
) -> None:
    memories = {entry.id: evidence for entry, evidence in full if entry.source is Source.MEMORY}
    for memory_id, used in usage([*memories]).items():
        memories[memory_id].strength = strength(used)


def _day_share(entry: IndexedEntry, asked: Asked) -> float:
    """How much of the days an entry speaks of are those asked for: a day alone says more than a week around it."""
    shares = [
        max(min(past, asked_past.toordinal()) - max(first, asked_first.toordinal()), 0) / max(past - first, 1)
        for first, past in entry.days
        for asked_first, asked_past in asked.days
    ]
    return max(shares, default=1.0) or 1.0


def _link(index: IndexReader, strongest: Sequence[Scored], full: Sequence[tuple[IndexedEntry, Evidence]]) -> bool:
    """Let what is linked with the strongest memories share in it; says whether anything was."""
    sources = [one.entry.row for one in strongest if one.entry.source is Source.MEMORY]
    near = {row for rows in index.linked(sources).values() for row in rows} if sources else set()
    linked = [evidence for entry, evidence in full if entry.row in near and entry.source is Source.MEMORY]
    for evidence in linked:
        evidence.link = 1.0
    return bool(linked)
