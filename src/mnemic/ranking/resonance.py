"""The profile `resonance`: seven channels in one weighted sum, without an index, a model or a cue floor.

    score = 0.42 lexical + 0.10 tag + 0.10 recency + 0.11 salience + 0.10 confidence + 0.10 provenance
            + 0.07 prospective, clamped to 0..1

Every active memory is a candidate; those under 0.12 are dropped, and near-duplicates of better ones pay 35 % of their
likeness. Since an ordinary fresh memory scores 0.2375 without sharing a word with the query, the floor alone keeps
little out: the `default` profile asks for a cue instead.

Source: TraceWeave 3.0 (Hikmah Stack), the recall of its kernel.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from mnemic.ranking.prior import UNVERIFIED, urgency

WEIGHTS = MappingProxyType(
    {
        "lexical": 0.42,
        "tag": 0.10,
        "recency": 0.10,
        "salience": 0.11,
        "confidence": 0.10,
        "provenance": 0.10,
        "prospective": 0.07,
    },
)
FLOOR = 0.12
SUPPRESSION = 0.35
MOST_RESULTS = 8
RECENCY_DAYS = 30.0
_DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What the formula looks at. Moments are seconds since 1970; `key` breaks ties last."""

    key: str
    content: str
    kind: str
    tags: tuple[str, ...]
    recorded_at: float
    due: float | None
    salience: float
    confidence: float
    authority: float
    verified: bool


@dataclass(frozen=True, slots=True)
class Resonance:
    """A trace, its score after suppression, and its channels before the weights."""

    trace: Trace
    score: float
    channels: dict[str, float]


def tokens(text: str) -> frozenset[str]:
    """Lowercase runs of letters, digits and `_` that are longer than one byte in UTF-8."""
    found, word = set(), ""
    for char in text.lower() + " ":
        if char.isalnum() or char == "_":
            word += char
        elif word:
            found.add(word)
            word = ""
    return frozenset(word for word in found if len(word.encode("utf-8", "surrogatepass")) > 1)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of common members, 0 when either set is empty."""
    return len(one & other) / len(one | other) if one and other else 0.0


def channels(trace: Trace, words: frozenset[str], tags: frozenset[str], now: float) -> dict[str, float]:
    """The seven channels, each 0..1."""
    age = max(now - trace.recorded_at, 0.0) / _DAY
    return {
        "lexical": jaccard(words, tokens(trace.content)),
        "tag": jaccard(tags, normal_tags(trace.tags)),
        "recency": 1.0 / (1.0 + age / RECENCY_DAYS),
        "salience": trace.salience,
        "confidence": trace.confidence,
        "provenance": _clamped(trace.authority * (1.0 if trace.verified else UNVERIFIED)),
        "prospective": urgency(trace.kind, trace.due, now),
    }


def normal_tags(tags: tuple[str, ...]) -> frozenset[str]:
    """Tags as they are compared: trimmed, lowercase, without empty ones."""
    return frozenset(tag.strip().lower() for tag in tags) - {""}


def resonate(
    traces: list[Trace], query: str, *, tags: tuple[str, ...] = (), now: float, limit: int = MOST_RESULTS
) -> list[Resonance]:
    """The working set for a query: the best traces, unlike one another.

    Args:
        traces: All active ones of the kinds wanted.
        query: Its words are the lexical cue.
        tags: The tag cue.
        now: Seconds since 1970.
        limit: At most so many, and never more than 8 or fewer than 1.

    Returns:
        Highest score first; of equal ones the newest.
    """
    words, wanted = tokens(query), normal_tags(tags)
    scored = [
        Resonance(trace, _clamped(sum(WEIGHTS[name] * value for name, value in found.items())), found)
        for trace in traces
        for found in (channels(trace, words, wanted, now),)
    ]
    kept = sorted(
        (one for one in scored if one.score >= FLOOR),
        key=lambda one: (-one.score, -one.trace.recorded_at, one.trace.key),
    )
    return _diverse(kept, max(1, min(limit, MOST_RESULTS)))


def _diverse(ordered: list[Resonance], limit: int) -> list[Resonance]:
    chosen: list[tuple[Resonance, frozenset[str]]] = []
    for one in ordered:
        words = tokens(one.trace.content)
        likeness = max((jaccard(words, others) for _, others in chosen), default=0.0)
        chosen.append((Resonance(one.trace, one.score * (1.0 - SUPPRESSION * likeness), one.channels), words))
        chosen.sort(key=lambda pair: -pair[0].score)  # stable: earlier ones stay before their equals
        del chosen[limit:]
    return [one for one, _ in chosen]


def _clamped(value: float) -> float:
    return min(max(value, 0.0), 1.0)
