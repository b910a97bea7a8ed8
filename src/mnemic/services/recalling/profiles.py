"""The named profiles that answer in another way than the default one."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never, cast

from mnemic.domain.entries import Source
from mnemic.ranking.evidence import TermWeights
from mnemic.ranking.fields import FIELDS
from mnemic.ranking.resonance import WEIGHTS, Trace, resonate
from mnemic.services.recalling.query import understand
from mnemic.services.recalling.recall import Found, hit_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from mnemic.domain.entries import IndexedEntry, PassageRow
    from mnemic.ports import IndexReader
    from mnemic.services.bundle import Bundle
    from mnemic.services.recalling.recall import RecallRequest

EVERYTHING = 1_000_000


def recall_by_profile(bundle: Bundle, request: RecallRequest) -> Found:
    """Answer by the profile `fields` or `resonance`."""
    profile = cast("Literal['fields', 'resonance']", request.profile)
    with bundle.index.reading() as index:
        match profile:
            case "fields":
                return _by_fields(index, bundle, request)
            case "resonance":
                return _by_resonance(index, request)
            case _:
                assert_never(profile)


def _by_fields(index: IndexReader, bundle: Bundle, request: RecallRequest) -> Found:
    """Weighted words over path, title, description, tags, kind and body of memories; the answer is metadata only."""
    asked = understand(request.query, now=request.now, zone=bundle.zone)
    scores = index.groups(asked.words, EVERYTHING, FIELDS)
    members = index.group_rows([*scores], request.where)
    entries = index.entries([row for rows in members.values() for row in rows])
    memories = [entry for entry in entries.values() if entry.source is Source.MEMORY]
    memories.sort(key=lambda entry: (-round(scores[entry.group], 9), entry.id))
    most = TermWeights.of(index.group_frequency(asked.words), index.statistics().groups).most
    hits = tuple(
        hit_of(
            entry,
            text=entry.description,
            line=entry.line,
            score=scores[entry.group],
            probability=min(scores[entry.group] / most, 1),
            channels={"fields": scores[entry.group]},
        )
        for entry in memories[: request.k]
    )
    return Found(hits=hits, abstained=not hits)


def _by_resonance(index: IndexReader, request: RecallRequest) -> Found:
    """The seven-channel sum over every active memory."""
    rows = index.by_prior(request.where, EVERYTHING)
    entries = {row: entry for row, entry in index.entries(rows).items() if entry.source is Source.MEMORY}
    passages = index.passages([*entries])
    traces = [_trace(entry, passages.get(row, [])) for row, entry in entries.items()]
    tags = request.where.tags or tuple(word[1:] for word in request.query.split() if word.startswith("#"))
    found = resonate(traces, request.query, tags=tags, now=request.now.timestamp(), limit=request.k)
    by_id = {entry.id: entry for entry in entries.values()}
    hits = []
    for one in found:
        entry = by_id[one.trace.key]
        channels = {name: WEIGHTS[name] * value for name, value in one.channels.items()}
        hits.append(
            hit_of(
                entry,
                text=one.trace.content,
                line=entry.line,
                score=one.score,
                probability=min(one.score, 1.0),
                channels=channels,
            )
        )
    return Found(hits=tuple(hits), abstained=not hits)


def _trace(entry: IndexedEntry, rows: Sequence[PassageRow]) -> Trace:
    return Trace(
        key=entry.id,
        content=" ".join(row.text for row in rows),
        kind=entry.kind,
        tags=entry.tags,
        recorded_at=entry.recorded_at,
        due=entry.due,
        salience=entry.salience,
        confidence=entry.confidence,
        authority=entry.authority,
        verified=entry.verified,
    )
