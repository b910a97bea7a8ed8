"""From channels to one explained score: the log-odds of cue times prior, a sum of what each channel adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mnemic.ranking.prior import prior
from mnemic.ranking.weights import LONG_TURN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.domain.entries import IndexedEntry
    from mnemic.ranking.evidence import Evidence
    from mnemic.ranking.weights import Weights

_MODELS = {"e5-small-q4": "e5", "use-m3": "use"}
_TOUCHED_MEANING = 1.0
"""Standard deviations above the usual from which a text without a common word counts as touched by the query."""
_DECIMALS = 9


class Scored(NamedTuple):
    """A candidate with its score and what each channel added to it."""

    entry: IndexedEntry
    evidence: Evidence
    score: float
    channels: dict[str, float]


def channel_of(space: str) -> str:
    """The name of a space's channel: `e5`, `use`, or `other` for models we have no weights for."""
    return _MODELS.get(space.partition("/")[0], "other")


def fuse(
    candidates: Sequence[tuple[IndexedEntry, Evidence]], spaces: Sequence[str], now: float, weights: Weights
) -> list[Scored]:
    """Score candidates, best first; ties by id, so that the same bundle always gives the same answer.

    Args:
        candidates: Each once.
        spaces: Ids of the spaces the query has a vector in.
        now: Seconds since 1970.
        weights: The table.
    """
    scored = [_score(entry, evidence, spaces, now, weights) for entry, evidence in candidates]
    return sorted(scored, key=lambda one: (-one.score, one.entry.id))


def touched(evidence: Evidence) -> bool:
    """Whether the query has anything to do with it; no prior makes up for a query that does not."""
    named = evidence.words > 0 or evidence.name > 0 or evidence.phrase > 0 or evidence.tag > 0 or evidence.day > 0
    return named or any(value >= _TOUCHED_MEANING for value in evidence.meaning.values())


def cue(evidence: Evidence, spaces: Sequence[str], weights: Weights) -> dict[str, float]:
    """What each channel of the cue adds."""
    words = weights.words if spaces else weights.words_alone
    found = {
        "words": words * evidence.words,
        "group": weights.group * evidence.group,
        "name": weights.name * evidence.name,
        "length": weights.length * (evidence.length - 1.0),
        "asks": weights.asks * evidence.asks,
        "day": weights.day * evidence.day,
        "phrase": weights.phrase * evidence.phrase,
        "tag": weights.tag * evidence.tag,
        "link": weights.link * evidence.link,
        "tail": weights.tail * evidence.tail,
    }
    for space in spaces:
        channel = channel_of(space)
        weight = getattr(weights, channel if len(spaces) > 1 else f"{channel}_alone")
        found[channel] = found.get(channel, 0.0) + weight * evidence.meaning.get(space, 0.0)
    return found


def _score(entry: IndexedEntry, evidence: Evidence, spaces: Sequence[str], now: float, weights: Weights) -> Scored:
    channels = {
        **cue(evidence, spaces, weights),
        **prior(entry, now, weights),
        "strength": weights.strength * evidence.strength,
        "outcome": weights.outcome * evidence.outcome,
    }
    return Scored(entry, evidence, round(sum(channels.values()), _DECIMALS), channels)


def length_channel(terms: int, *, turn: bool) -> float:
    """1 for a note; for a turn the share of a long one."""
    return min(terms, LONG_TURN) / LONG_TURN if turn else 1.0
