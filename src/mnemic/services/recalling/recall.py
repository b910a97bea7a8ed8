"""The one way memories are found: by the CLI, an agent, or a writer that looks for what is known already."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from math import inf
from threading import Thread
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.instants import moment_of
from mnemic.domain.memory import State
from mnemic.domain.results import Answer, Hit, Place
from mnemic.errors import (
    EmbedderError,
    IndexUnavailableError,
    InvalidMemoryError,
    LimitExceededError,
    ReadOnlyBundleError,
    StorageError,
)
from mnemic.ranking.abstain import Scale, probabilities, surplus
from mnemic.ranking.fuse import touched
from mnemic.ranking.groups import best_of_groups
from mnemic.ranking.pack import snippet
from mnemic.ranking.suppress import without_twins
from mnemic.services.judging.outcomes import newest_outcomes
from mnemic.services.recalling.gather import HURRIED, THOROUGH, Search, Vector, gather
from mnemic.services.recalling.query import possible_names, understand, without_names
from mnemic.services.upkeep.embedding import embed_pending, waiting
from mnemic.services.upkeep.refresh import Refreshed, refresh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from mnemic.domain.access import Usage
    from mnemic.domain.entries import IndexedEntry, PassageRow, Where
    from mnemic.ports import IndexReader
    from mnemic.ranking.fuse import Scored
    from mnemic.ranking.weights import Weights
    from mnemic.services.bundle import Bundle, Engines
    from mnemic.services.recalling.gather import Gathered
    from mnemic.services.recalling.query import Asked

PROFILES = ("default", "fields", "resonance")
UNITS = ("entry", "session")
PATIENCE = 0.1
"""Seconds a space that a query waits for vectors of new texts; they are found by their words meanwhile."""
_MOST_VERIFIED = 8
"""Of the results so many are looked at, whether what they cite still stands: those that are read."""


class RecallRequest(NamedTuple):
    """What is asked.

    Attributes:
        query: Words in any language, "quoted phrases", `#names`, ` -exclusions`, dates.
        k: At most so many results.
        where: What may be returned.
        now: The moment ages and words like "last week" are counted from.
        profile: `default`, `fields` or `resonance`.
        tail: The conversation so far, a weak second query.
        unit: `entry` for memories and turns, `session` for the sessions that hold the best turns.
        embed_newest: So many texts that have no vector yet get one first.
        model_ms: Models that say they take longer than this for a query have no say, and `degraded` tells. With any
            bound fewer candidates are looked at.
    """

    query: str
    k: int
    where: Where
    now: datetime
    profile: str = "default"
    tail: str = ""
    unit: str = "entry"
    embed_newest: int = 8
    model_ms: float = inf


class Found(NamedTuple):
    """What one bundle has to say."""

    hits: tuple[Hit, ...] = ()
    abstained: bool = False
    degraded: tuple[str, ...] = ()
    left_out: Mapping[str, int] = MappingProxyType({})


def recall(bundles: Sequence[Bundle], request: RecallRequest, weights: Weights) -> Answer:
    """Find what deserves attention for a query.

    Args:
        bundles: The first one's results carry no bundle name.
        request: What is asked.
        weights: The table scores are made with.

    Returns:
        Results best first; none, and `abstained`, when no evidence is good enough.

    Raises:
        InvalidMemoryError: There is no such profile or unit.
        LimitExceededError: The query is longer than the policy allows.
        IndexUnavailableError: The index of the first bundle can be neither read nor made anew; or it holds nothing, and
            what is there to be found cannot be put into it.
    """
    started = time.perf_counter()
    _check(request, bundles[0])
    wanted = request._replace(query=_unicode(request.query), tail=_unicode(request.tail), where=_current(request))
    found = [_hurried(bundles[0], wanted, weights), *(_beside(bundle, wanted, weights) for bundle in bundles[1:])]
    named = list(found[0].hits)
    for bundle, one in zip(bundles[1:], found[1:], strict=True):
        named += (replace(hit, bundle=bundle.name) for hit in one.hits)
    hits = tuple(sorted(named, key=lambda hit: (-hit.score, hit.bundle, hit.id))[: request.k])
    return Answer(
        query=request.query,
        hits=hits,
        abstained=not hits and any(one.abstained for one in found),
        took_ms=(time.perf_counter() - started) * 1000,
        degraded=tuple(dict.fromkeys(note for one in found for note in one.degraded)),
        left_out=_summed(one.left_out for one in found),
    )


def _current(request: RecallRequest) -> Where:
    """What is meant, unless other states are asked for: nothing that has come to its end, or what was so at a moment.

    That may have been replaced since.
    """
    where = request.where
    if where.states != (State.ACTIVE,):
        return where
    if where.valid_at is not None:
        return replace(where, states=(State.ACTIVE, State.SUPERSEDED), lapsed=True)
    return replace(where, current_at=request.now if where.as_of is None else min(where.as_of, request.now))


def _hurried(bundle: Bundle, request: RecallRequest, weights: Weights) -> Found:
    with bundle.index.hurried():
        return _one(bundle, request, weights)


def _beside(bundle: Bundle, request: RecallRequest, weights: Weights) -> Found:
    """As `_hurried`; that a bundle searched along cannot be read is a note, and no reason to withhold the others'."""
    try:
        return _hurried(bundle, request, weights)
    except StorageError as error:
        return Found(degraded=(f"the bundle {bundle.name} was not searched: {error.message}",))


def _unicode(text: str) -> str:
    """The text with a replacement character for each half of a surrogate pair, which neither index nor model takes."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _check(request: RecallRequest, bundle: Bundle) -> None:
    if request.profile not in PROFILES:
        raise InvalidMemoryError(
            "profile", f"there is no profile {request.profile!r}", hint=f"One of: {', '.join(PROFILES)}"
        )
    if request.unit not in UNITS:
        raise InvalidMemoryError("unit", f"there is no unit {request.unit!r}", hint=f"One of: {', '.join(UNITS)}")
    limit = bundle.policy.limits.query_characters
    if len(request.query) > limit:
        raise LimitExceededError("The query", size=len(request.query), limit=limit)


def _one(bundle: Bundle, request: RecallRequest, weights: Weights) -> Found:
    where = request.where
    if where.as_of is None:
        return _asked(bundle, request, weights)
    from mnemic.services.chronicle.past import NOW, then
    from mnemic.services.chronicle.revive import revived

    _brought_up(bundle)
    difference = then(bundle, where.as_of)
    if difference is NOW:
        return _asked(bundle, request._replace(where=replace(where, as_of=None)), weights)
    present = request._replace(where=replace(where, without=difference.differing))
    found = _asked(bundle, present, weights)
    missing = difference.told()
    if difference.earlier:
        with revived(bundle, difference.earlier.values(), vectors=request.model_ms == inf) as (past, notes):
            earlier = _asked(past, request._replace(where=replace(where, as_of=None), embed_newest=0), weights)
        # What came of them may have been told in texts that are as they were.
        earlier = _judged_by_what_came(bundle, earlier, present._replace(model_ms=0))
        found = _joined(found, earlier, request.k)
        missing += notes
    return found._replace(degraded=(*found.degraded, *missing))


def _joined(found: Found, earlier: Found, wanted: int) -> Found:
    """What the present answers for, and what was otherwise."""
    hits = sorted((*found.hits, *earlier.hits), key=lambda hit: (-hit.score, hit.id))[:wanted]
    left_out = _summed((found.left_out, earlier.left_out))
    return found._replace(hits=tuple(hits), abstained=found.abstained and earlier.abstained, left_out=left_out)


def _asked(bundle: Bundle, request: RecallRequest, weights: Weights) -> Found:
    if request.profile != "default":
        from mnemic.services.recalling.profiles import recall_by_profile

        behind = _brought_up(bundle).behind
        return _judged_by_what_came(bundle, recall_by_profile(bundle, request), request)._replace(degraded=behind)
    thinking = _Thinking(bundle, request.query, request.model_ms)
    refreshed = _brought_up(bundle)
    asked = understand(request.query, now=request.now, zone=bundle.zone, tail=request.tail)
    notes = _embed_newest(bundle, request.embed_newest)
    with bundle.index.reading() as index:
        search = Search(
            index=index,
            asked=asked,
            where=request.where,
            vectors=thinking.vectors(changed=refreshed.changed > 0),
            now=request.now,
            weights=weights,
            usage=partial(_usage, bundle),
            breadth=THOROUGH if request.model_ms == inf else HURRIED,
        )
        gathered = gather(search, wanted=request.k)
        found = _judged(search, gathered, request)
    found = _judged_by_what_came(bundle, found, request)
    return found._replace(degraded=(*refreshed.behind, *refreshed.unkept, *thinking.notes, *notes))


def _judged_by_what_came(bundle: Bundle, found: Found, request: RecallRequest) -> Found:
    """The results with what came of each and, where there is time, whether what the first of them cite stands."""
    if not found.hits:
        return found
    with bundle.index.reading() as index:
        came = newest_outcomes(index, [hit.id for hit in found.hits], request.where)
        cites = request.model_ms == inf and _citing(index, [hit.id for hit in found.hits[:_MOST_VERIFIED]])
    hits = tuple(replace(hit, outcome=came[hit.id]) if hit.id in came else hit for hit in found.hits)
    if cites:
        from mnemic.services.judging.citations import verified_hits  # few memories cite anything

        hits = verified_hits(bundle, hits, cites)
    return found._replace(hits=hits)


def _citing(index: IndexReader, ids: Sequence[str]) -> frozenset[str]:
    """Those of these memories that cite something."""
    entries = index.entries([*index.find(ids).values()]).values()
    return frozenset(entry.id for entry in entries if entry.cites)


def _usage(bundle: Bundle, ids: Sequence[str]) -> Mapping[str, Usage]:
    """How often memories served; where that cannot be told, it does not count."""
    try:
        return bundle.turns.usage(ids)
    except StorageError:
        return {}


def _brought_up(bundle: Bundle) -> Refreshed:
    """As `refresh`; an index that knows of nothing is no reason to say that there is nothing."""
    refreshed = refresh(bundle)
    if refreshed.behind and _knows_nothing(bundle) and (bundle.store.stamps() or bundle.sessions.stamps()):
        raise IndexUnavailableError(
            f"Nothing in {bundle.store.location} can be searched yet: {refreshed.behind[0]}",
            hint="Try again when no other process writes; check free space and the permissions of its folder.",
        )
    return refreshed


def _knows_nothing(bundle: Bundle) -> bool:
    return not bundle.index.indexed().paths


class _Thinking:
    """Turns the query into vectors while the files are looked through: the models' own code runs beside Python's.

    A model that embeds turns alone reads what was said without who said it, so the names of speakers are taken out of
    its query too; whose words they are is a channel of its own.
    """

    def __init__(self, bundle: Bundle, query: str, model_ms: float = inf) -> None:
        self._bundle, self._query, self._model_ms = bundle, query, model_ms
        self._speakers = self._named()
        self._begin()

    def _named(self) -> tuple[str, ...]:
        with self._bundle.index.reading() as index:
            return index.named(possible_names(self._query)).speakers

    def _begin(self) -> None:
        self.found: list[Vector] = []
        self.notes: list[str] = []
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            engines = self._bundle.engines()
            self.notes += _missing(engines)
            nameless = without_names(self._query, self._speakers)
            for embedder in engines.embedders:
                if embedder.space.query_ms > self._model_ms:
                    self.notes.append(f"{embedder.space.model} was not asked: there was no time for it")
                    continue
                try:
                    row = embedder.embed_queries([self._query if embedder.space.window else nameless])[0]
                except EmbedderError as error:
                    self.notes.append(f"{embedder.space.id} gave no vector: {error.message}")
                    continue
                if row.any():
                    self.found.append(Vector(embedder.space, row))
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            self._error = error

    def vectors(self, *, changed: bool) -> Callable[[], Sequence[Vector]]:
        """Gives the query's vectors when they are asked for; `changed`: the index has grown since this began."""
        if changed and self._named() != self._speakers:
            self._thread.join()
            self._speakers = self._named()
            self._begin()
        return self._result

    def _result(self) -> Sequence[Vector]:
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self.found


def _missing(engines: Engines) -> Iterator[str]:
    if not engines.embedders and not engines.missing:
        yield "no embedder is in use: words were matched, not meanings"
    yield from engines.missing


def _embed_newest(bundle: Bundle, limit: int) -> tuple[str, ...]:
    """Vectors for the newest texts without one; what is left waits for `mnemic index`."""
    if not waiting(bundle):
        return ()
    try:
        embed_pending(bundle, limit=limit, seconds=PATIENCE)
    except (EmbedderError, ReadOnlyBundleError, StorageError) as error:
        return (f"new texts have no vectors yet: {error.message}",)
    left = waiting(bundle)
    return (f"{left:,} texts have no vectors yet; all of them now: mnemic index",) if left else ()


def _judged(search: Search, gathered: Gathered, request: RecallRequest) -> Found:
    index, weights = search.index, search.weights
    scored = [one for one in gathered.scored if touched(one.evidence)]
    if search.asked.days_alone:
        scored = [one for one in scored if one.evidence.day > 0]  # a day is all that was asked for
    if not scored:
        return Found(abstained=True, left_out={"untouched": len(gathered.scored)} if gathered.scored else {})
    spaces = {vector.space.id: vector.space.model for vector in gathered.vectors}
    more = surplus(scored[0].evidence, gathered.candidates, spaces, Scale(gathered.entries, weights))
    # Words that every text holds say nothing; a model may still know what "who am I?" means.
    empty = search.asked.terms.only_stop_words and not spaces
    if (more < 0 or empty) and not _certain(scored[0], search.asked):
        return Found(abstained=True, left_out={"too weak": len(scored)})
    if request.unit == "session":
        return Found(hits=_session_hits(index, best_of_groups(scored)[: request.k], Sure(scored, more)))
    chosen, twins = _unlike(search, scored, request.k)
    return Found(hits=_hits(index, chosen, Sure(scored, more)), left_out={"near-duplicates": twins} if twins else {})


def _certain(one: Scored, asked: Asked) -> bool:
    """Whether the query names the result outright: by a quoted phrase, its `#name`, or by all of its words."""
    evidence = one.evidence
    # "What happened on 15 May?" asks for a day and nothing else.
    if evidence.day > 0 and asked.besides_days <= _FEW:
        return True
    return evidence.phrase > 0 or evidence.tag > 0 or bool(asked.words and evidence.words >= _WHOLE)


_WHOLE = 0.95
_FEW = 1


def _unlike(search: Search, scored: Sequence[Scored], wanted: int) -> tuple[list[Scored], int]:
    """The first `wanted` that say different things and no excluded word; and how many said the same as a better one."""
    head = scored[: wanted + _SPARE]
    terms = search.index.entry_terms([one.entry.row for one in head])
    excluded = {phrase[0] for phrase in search.asked.terms.excluded if len(phrase) == 1}
    told = [(one, terms.get(one.entry.row, frozenset())) for one in head]
    allowed = [(one, words) for one, words in told if not excluded & words]
    kept = list(without_twins(allowed, search.weights.suppress_above))
    return kept[:wanted], len(allowed) - len(kept)


_SPARE = 10


class Sure(NamedTuple):
    """What the chance of a result is judged by: all candidates, and the surplus of evidence."""

    scored: Sequence[Scored]
    more: float

    def of(self, chosen: Sequence[Scored]) -> list[float]:
        """How likely each of them answers."""
        return probabilities([one.score for one in chosen], [one.score for one in self.scored], self.more)


def _session_hits(index: IndexReader, chosen: Sequence[Scored], sure: Sure) -> tuple[Hit, ...]:
    """The sessions of the turns, each shown by its best turn."""
    return tuple(
        replace(hit, id=hit.id.partition("#")[0], kind="session", tokens=0) for hit in _hits(index, chosen, sure)
    )


def _hits(index: IndexReader, chosen: Sequence[Scored], sure: Sure) -> tuple[Hit, ...]:
    passages = index.passages([one.entry.row for one in chosen])
    chances = sure.of(chosen)
    hits = []
    for one, chance in zip(chosen, chances, strict=True):
        entry = one.entry
        rows = passages.get(entry.row, [])
        best = _best_passage(one, rows)
        hits.append(
            hit_of(
                entry,
                text=_told(entry, best, rows) if best else entry.title,
                line=best.line if best else entry.line,
                score=one.score,
                probability=chance,
                channels={name: value for name, value in one.channels.items() if value},
            )
        )
    return tuple(hits)


def hit_of(  # noqa: PLR0913 - what a profile finds out about an entry, each by name
    entry: IndexedEntry, *, text: str, line: int, score: float, probability: float, channels: Mapping[str, float]
) -> Hit:
    """An entry as a result: what the index knows of it, and what a profile has to say."""
    return Hit(
        id=entry.id,
        kind=entry.kind,
        title=entry.title,
        snippet=snippet(text),
        score=score,
        probability=probability,
        channels=channels,
        when=moment_of(entry.recorded_at),
        source=Place(entry.path, line),
        tokens=entry.tokens,
        state=entry.state,
        origin=entry.origin,
        authority=entry.authority,
        verified=entry.verified,
        speaker=entry.speaker,
        valid_until=None if entry.valid_until is None else moment_of(entry.valid_until),
    )


def _best_passage(one: Scored, rows: Sequence[PassageRow]) -> PassageRow | None:
    """The passage that shares most with the query; a title alone is followed by the text it stands over."""
    wanted = one.evidence.best_passage if one.evidence.words > 0 else None
    best = next((row for row in rows if row.row == wanted), rows[0] if rows else None)
    if best is not None and best.text == one.entry.title:
        heads = {one.entry.title, one.entry.description}
        return next((row for row in rows if row.text not in heads), best)
    return best


def _told(entry: IndexedEntry, best: PassageRow, rows: Sequence[PassageRow]) -> str:
    """The passage; a description is followed by the beginning of the text that it is of."""
    if best.text != entry.description:
        return best.text
    body = next((row.text for row in rows if row.text not in {entry.title, entry.description}), "")
    return f"{best.text} {body}".rstrip()


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for one in counts:
        for name, count in one.items():
            total[name] = total.get(name, 0) + count
    return total
