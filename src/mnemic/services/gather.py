"""Collecting what speaks for each entry: candidates from every channel, then the evidence of each candidate."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mnemic.domain.entries import FieldWeights, Source
from mnemic.ranking.evidence import Evidence, TermWeights, standardized, window_coverage
from mnemic.ranking.fuse import cue, fuse, length_channel
from mnemic.ranking.weights import REACH

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.domain.entries import IndexedEntry, Named, Outline, Where
    from mnemic.domain.spaces import Space
    from mnemic.ports import IndexReader
    from mnemic.ranking.fuse import Scored
    from mnemic.ranking.weights import Weights
    from mnemic.services.query import Asked

LEXICAL = 400
"""Passages that share the query's rarest words."""
SEMANTIC = 200
"""Entries near it in meaning, a space."""
GROUPS = 500
OTHERS = 100
AROUND = 150
"""Of so many of the best passages the turns before and after become candidates too."""
FULL = 120
"""Candidates that are looked at in full: the prior cannot lift one from below."""
LINKED_FROM = 3
POSTINGS = 20_000
POSTINGS_SHARE = 0.02
_BODY = FieldWeights(path=0, title=0, description=0, tags=0, kind=0, body=1)
_CORRECTED = 0.5
"""What a word counts that is one letter off; it may be another word."""


@dataclass(frozen=True, slots=True)
class Vector:
    """The query in one space."""

    space: Space
    row: NDArray[np.float32]


@dataclass(slots=True)
class _Pool:
    """Candidates and what is known of them, by row."""

    rows: dict[int, None] = field(default_factory=dict)
    phrase: dict[int, float] = field(default_factory=dict)
    dated: set[int] = field(default_factory=set)

    def add(self, rows: Iterable[int]) -> None:
        self.rows.update(dict.fromkeys(rows))


@dataclass(frozen=True, slots=True)
class _Search:
    """One query on one view. `words` says what each word counts, `frequencies` how many passages hold it."""

    index: IndexReader
    asked: Asked
    vectors: Sequence[Vector]
    where: Where
    words: Mapping[str, float]
    frequencies: Mapping[str, int]
    named: Named


@dataclass(frozen=True, slots=True)
class Gathered:
    """Scored candidates, best first; every candidate's evidence; and how many entries there are in all."""

    scored: list[Scored]
    candidates: list[Evidence]
    entries: int


def gather(
    index: IndexReader,
    asked: Asked,
    vectors: Sequence[Vector],
    where: Where,
    *,
    now: datetime,
    weights: Weights,
    wanted: int,
) -> Gathered:
    """Every candidate with its evidence and score.

    Args:
        index: One view of the index.
        asked: The query.
        vectors: The query in every space at hand.
        where: What may be returned.
        now: The moment priors are computed at.
        weights: The table.
        wanted: At least so many are looked at in full, if there are as many.
    """
    candidates = collect(index, asked, vectors, where)
    spaces = [vector.space.id for vector in vectors]
    best = _most_promising(candidates, spaces, weights, max(FULL, 2 * wanted))
    full = _completed(index, best, asked)
    scored = fuse(full, spaces, now.timestamp(), weights)
    if _link(index, scored[:LINKED_FROM], full):
        scored = fuse(full, spaces, now.timestamp(), weights)
    return Gathered(scored, list(candidates.values()), index.statistics().entries)


def collect(index: IndexReader, asked: Asked, vectors: Sequence[Vector], where: Where) -> dict[int, Evidence]:
    """Every candidate, by row, with those channels that can be had for hundreds at once."""
    words = _corrected(index, asked.words)
    frequencies = index.document_frequency([*words])
    search = _Search(index, asked, vectors, where, words, frequencies, index.named(asked.names))
    pool = _find(search)
    return _evidence(search, index.outlines([*pool.rows], where), pool)


# -- candidates --------------------------------------------------------------------------------------------------


def _corrected(index: IndexReader, words: Sequence[str]) -> dict[str, float]:
    """Each word of the query, and what it counts; words nobody wrote bring those that are a letter away."""
    known = index.document_frequency(words)
    found = dict.fromkeys(words, 1.0)
    for word, count in known.items():
        if count == 0:
            for near in index.close_terms(word, 2):
                found.setdefault(near, _CORRECTED)
    return found


def _pruned(frequencies: Mapping[str, int], passages: int) -> list[str]:
    """The rarest words whose passages together stay within the budget; always one.

    FTS5 scores every passage that holds a word, so a sentence of common words would cost a walk through everything.
    """
    budget = max(POSTINGS, POSTINGS_SHARE * passages)
    chosen: list[str] = []
    spent = 0
    for word in sorted((word for word, count in frequencies.items() if count), key=lambda w: (frequencies[w], w)):
        spent += frequencies[word]
        if chosen and spent > budget:
            break
        chosen.append(word)
    return chosen


def _find(search: _Search) -> _Pool:
    index, asked, where = search.index, search.asked, search.where
    pool = _Pool()
    hits = index.lexical(_pruned(search.frequencies, index.statistics().passages), where, LEXICAL)
    pool.add(hit.entry for hit in hits)
    around = index.neighbours(list(dict.fromkeys(hit.entry for hit in hits[:AROUND])))
    pool.add(row for near in around.values() for row in near.values())
    for vector in search.vectors:
        pool.add(hit.entry for hit in index.semantic(vector.space, vector.row, where, SEMANTIC))
    for phrase in asked.terms.phrases:
        found = {hit.entry for hit in index.phrase(phrase, where, OTHERS)}
        pool.add(sorted(found))
        for row in found:
            pool.phrase[row] = pool.phrase.get(row, 0.0) + 1.0 / len(asked.terms.phrases)
    for first, past in asked.days:
        start, end = _seconds(first), _seconds(past)
        found_days = index.said_between(start, end, where, OTHERS)
        pool.add(found_days)
        pool.dated.update(found_days)
    for rows in search.named.memories.values():
        pool.add(rows[:OTHERS])
    for excluded in asked.terms.excluded:
        for hit in index.phrase(excluded, where, 10 * LEXICAL):
            pool.rows.pop(hit.entry, None)
    return pool


def _seconds(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


# -- evidence ----------------------------------------------------------------------------------------------------


def _evidence(search: _Search, outlines: Sequence[Outline], pool: _Pool) -> dict[int, Evidence]:
    index, named = search.index, search.named
    found = {outline.row: Evidence(outline.row) for outline in outlines}
    _add_words(search, found)
    groups = _group_coverage(index, search.asked.words, index.statistics().groups)
    share = 1.0 / max(len({*named.speakers, *named.memories}), 1)
    of_memories = {row for rows in named.memories.values() for row in rows}
    for outline in outlines:
        evidence = found[outline.row]
        evidence.group = groups.get(outline.group, 0.0)
        evidence.length = length_channel(outline.length, turn=outline.source == Source.TURN)
        evidence.asks = float(outline.asks)
        evidence.day = float(outline.row in pool.dated)
        evidence.phrase = pool.phrase.get(outline.row, 0.0)
        evidence.name = share * (outline.speaker in named.speakers or outline.row in of_memories)
    for vector in search.vectors:
        _add_meaning(index, vector, found)
    return found


def _add_words(search: _Search, found: dict[int, Evidence]) -> None:
    index, statistics = search.index, search.index.statistics()
    passages = index.windows([*found], REACH)
    weights = _term_weights(search.frequencies, search.words, statistics.passages)
    for row, passage, coverage in window_coverage(passages, weights, statistics):
        if row in found and (coverage > found[row].words or found[row].best_passage is None):
            found[row].words, found[row].best_passage = coverage, passage
    if search.asked.tail:
        tail = TermWeights.of(index.document_frequency(search.asked.tail), statistics.passages)
        for row, _, coverage in window_coverage(passages, tail, statistics):
            if row in found:
                found[row].tail = max(found[row].tail, coverage)


def _term_weights(frequencies: Mapping[str, int], words: Mapping[str, float], total: int) -> TermWeights:
    """As `TermWeights.of`, where a corrected word counts less and adds nothing to what the query could score."""
    plain = TermWeights.of(frequencies, total)
    own = TermWeights.of({word: frequencies[word] for word, counts in words.items() if counts == 1.0}, total)
    return TermWeights({word: idf * words[word] for word, idf in plain.idf.items()}, own.most)


def _group_coverage(index: IndexReader, words: Sequence[str], groups: int) -> dict[int, float]:
    weights = TermWeights.of(index.group_frequency(words), groups)
    if weights.most <= 0:
        return {}
    return {row: score / weights.most for row, score in index.groups(words, GROUPS, _BODY).items()}


def _add_meaning(index: IndexReader, vector: Vector, found: dict[int, Evidence]) -> None:
    space = vector.space
    spread = index.spread(space, vector.row)
    for row, hit in index.similarity(space, vector.row, [*found]).items():
        found[row].cosine[space.id] = hit.cosine
        found[row].meaning[space.id] = standardized(hit.cosine, spread, space.model)


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
        if wanted:
            tags = {tag.casefold() for tag in entry.tags} | {entry.title.casefold(), entry.id.rpartition("/")[2]}
            evidence.tag = float(bool(wanted & tags))
        full.append((entry, evidence))
    return full


def _link(index: IndexReader, strongest: Sequence[Scored], full: Sequence[tuple[IndexedEntry, Evidence]]) -> bool:
    """Let what is linked with the strongest memories share in it; says whether anything was."""
    sources = [one.entry.row for one in strongest if one.entry.source is Source.MEMORY]
    near = {row for rows in index.linked(sources).values() for row in rows} if sources else set()
    linked = [evidence for entry, evidence in full if entry.row in near and entry.source is Source.MEMORY]
    for evidence in linked:
        evidence.link = 1.0
    return bool(linked)
