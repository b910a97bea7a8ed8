"""The one way memories are found: by the CLI, an agent, or a writer that looks for what is known already."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from threading import Thread
from typing import TYPE_CHECKING

from mnemic.domain.entries import Source, Where
from mnemic.domain.results import Answer, Hit, Place
from mnemic.errors import EmbedderError, InvalidMemoryError, LimitExceededError, StorageError
from mnemic.ranking.abstain import answers, log_odds, probability
from mnemic.ranking.fuse import touched
from mnemic.ranking.pack import snippet
from mnemic.ranking.suppress import without_twins
from mnemic.services.embedding import embed_pending, waiting
from mnemic.services.gather import Gathered, Vector, gather
from mnemic.services.query import understand
from mnemic.services.refresh import refresh
from mnemic.text.tokens import count_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from mnemic.domain.entries import PassageRow
    from mnemic.ports import IndexReader
    from mnemic.ranking.fuse import Scored
    from mnemic.ranking.weights import Weights
    from mnemic.services.bundle import Bundle, Engines
    from mnemic.services.query import Asked

PROFILES = ("default", "fields", "resonance")
UNITS = ("entry", "session")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
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
    """

    query: str
    k: int
    where: Where
    now: datetime
    profile: str = "default"
    tail: str = ""
    unit: str = "entry"
    embed_newest: int = 8


@dataclass(frozen=True, slots=True)
class Found:
    """What one bundle has to say."""

    hits: tuple[Hit, ...] = ()
    abstained: bool = False
    degraded: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)


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
        IndexUnavailableError: The index can be neither read nor made anew.
    """
    started = time.perf_counter()
    _check(request, bundles[0])
    found = [_one(bundle, request, weights) for bundle in bundles]
    named = [
        replace(hit, bundle="" if number == 0 else bundle.name)
        for number, (bundle, one) in enumerate(zip(bundles, found, strict=True))
        for hit in one.hits
    ]
    hits = tuple(sorted(named, key=lambda hit: (-hit.score, hit.bundle, hit.id))[: request.k])
    return Answer(
        query=request.query,
        hits=hits,
        abstained=not hits and any(one.abstained for one in found),
        took_ms=(time.perf_counter() - started) * 1000,
        degraded=tuple(dict.fromkeys(note for one in found for note in one.degraded)),
        left_out=_summed(one.left_out for one in found),
    )


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
    if request.profile != "default":
        from mnemic.services.profiles import recall_by_profile

        behind = refresh(bundle).behind
        return replace(recall_by_profile(bundle, request), degraded=behind)
    thinking = _Thinking(bundle, request.query)
    behind = refresh(bundle).behind
    asked = understand(request.query, now=request.now, zone=bundle.zone, tail=request.tail)
    vectors, notes = thinking.result()
    notes += _embed_newest(bundle, request.embed_newest, vectors)
    with bundle.index.reading() as index:
        gathered = gather(index, asked, vectors, request.where, now=request.now, weights=weights, wanted=request.k)
        found = _judged(index, gathered, request, [vector.space.id for vector in vectors], weights, asked)
    return replace(found, degraded=(*behind, *notes))


class _Thinking:
    """Turns the query into vectors while the files are looked through: the models' own code runs beside Python's."""

    def __init__(self, bundle: Bundle, query: str) -> None:
        self._bundle, self._query = bundle, query
        self._vectors: list[Vector] = []
        self._notes: list[str] = []
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            engines = self._bundle.engines()
            self._notes += _missing(engines)
            for embedder in engines.embedders:
                try:
                    row = embedder.embed_queries([self._query])[0]
                except EmbedderError as error:
                    self._notes.append(f"{embedder.space.id} gave no vector: {error.message}")
                    continue
                if row.any():
                    self._vectors.append(Vector(embedder.space, row))
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            self._error = error

    def result(self) -> tuple[list[Vector], tuple[str, ...]]:
        """The query's vectors, and in words what is missing."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._vectors, tuple(self._notes)


def _missing(engines: Engines) -> Iterator[str]:
    if not engines.embedders and not engines.missing:
        yield "no embedder is in use: words were matched, not meanings"
    yield from engines.missing


def _embed_newest(bundle: Bundle, limit: int, vectors: Sequence[Vector]) -> tuple[str, ...]:
    """Vectors for the newest texts without one; what is left waits for `mnemic index`."""
    if not vectors or not waiting(bundle):
        return ()
    try:
        embed_pending(bundle, limit=limit)
    except (EmbedderError, StorageError) as error:
        return (f"new texts have no vectors yet: {error.message}",)
    left = waiting(bundle)
    return (f"{left:,} texts have no vectors yet; all of them now: mnemic index",) if left else ()


def _judged(
    index: IndexReader,
    gathered: Gathered,
    request: RecallRequest,
    spaces: Sequence[str],
    weights: Weights,
    asked: Asked,
) -> Found:
    scored = [one for one in gathered.scored if touched(one.evidence)]
    if not scored:
        return Found(abstained=True, left_out={"untouched": len(gathered.scored)} if gathered.scored else {})
    odds = {one.entry.row: log_odds(one.evidence, spaces, gathered.entries, weights) for one in scored[: request.k * 2]}
    if not _certain(scored[0], asked) and not answers(max(odds[one.entry.row] for one in scored[:1]), weights):
        return Found(abstained=True, left_out={"too weak": len(scored)})
    if request.unit == "session":
        scored = list(_best_of_groups(scored))
    chosen, twins = _unlike(index, scored, request.k, weights)
    hits = _hits(index, chosen, spaces, gathered.entries, weights, whole_session=request.unit == "session")
    return Found(hits=hits, left_out={"near-duplicates": twins} if twins else {})


def _certain(one: Scored, asked: Asked) -> bool:
    """Whether the query names the result outright: by a quoted phrase, its `#name`, or the words of its title."""
    evidence = one.evidence
    return evidence.phrase > 0 or evidence.tag > 0 or bool(asked.words and evidence.words >= _WHOLE)


_WHOLE = 0.95


def _best_of_groups(scored: Iterable[Scored]) -> Iterator[Scored]:
    seen: set[int] = set()
    for one in scored:
        if one.entry.group not in seen and one.entry.source is Source.TURN:
            seen.add(one.entry.group)
            yield one


def _unlike(index: IndexReader, scored: Sequence[Scored], wanted: int, weights: Weights) -> tuple[list[Scored], int]:
    """The first `wanted` that say different things, and how many said the same as a better one."""
    head = scored[: wanted + _SPARE]
    terms = index.entry_terms([one.entry.row for one in head])
    kept = list(without_twins([(one, terms.get(one.entry.row, frozenset())) for one in head], weights.suppress_above))
    return kept[:wanted], len(head) - len(kept)


_SPARE = 10


def _hits(
    index: IndexReader,
    chosen: Sequence[Scored],
    spaces: Sequence[str],
    entries: int,
    weights: Weights,
    *,
    whole_session: bool,
) -> tuple[Hit, ...]:
    passages = index.passages([one.entry.row for one in chosen])
    hits = []
    for one in chosen:
        entry = one.entry
        rows = passages.get(entry.row, [])
        best = _best_passage(one, rows)
        hits.append(
            Hit(
                id=entry.id.partition("#")[0] if whole_session else entry.id,
                kind="session" if whole_session else entry.kind,
                title=entry.title,
                snippet=snippet(best.text if best else entry.title),
                score=one.score,
                probability=probability(log_odds(one.evidence, spaces, entries, weights)),
                channels={name: value for name, value in one.channels.items() if value},
                when=_moment(entry.recorded_at),
                source=Place(entry.path, best.line if best else entry.line),
                tokens=sum(count_tokens(row.text) for row in rows),
                state=entry.state,
                origin=entry.origin,
                authority=entry.authority,
                verified=entry.verified,
                speaker=entry.speaker,
            )
        )
    return tuple(hits)


def _best_passage(one: Scored, rows: Sequence[PassageRow]) -> PassageRow | None:
    wanted = one.evidence.best_passage if one.evidence.words > 0 else None
    return next((row for row in rows if row.row == wanted), rows[0] if rows else None)


def _moment(seconds: float) -> datetime:
    from datetime import UTC, datetime, timedelta

    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for one in counts:
        for name, count in one.items():
            total[name] = total.get(name, 0) + count
    return total
