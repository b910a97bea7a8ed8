"""Whether there is an answer at all, or the bundle knows nothing about this."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from mnemic.ranking.fuse import channel_of
from mnemic.ranking.weights import BACKGROUNDS, CALIBRATION, COVER, GROWTH, LARGE, REFUSALS, SMALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mnemic.ranking.evidence import Evidence
    from mnemic.ranking.weights import Refusal, Weights

_LEAST_EXPONENT = -700.0
"""Below it `exp` of the opposite leaves the floats."""


def surplus(best: Evidence, candidates: Iterable[Evidence], spaces: Mapping[str, str], found: Scale) -> float:
    """How much more evidence there is than is asked for, in log-odds; below 0 nothing should be said.

    Coverage and cosines against a background that no bundle changes: measured by its own spread, the best of any
    bundle stands out from the rest of it, whatever was asked.

    Args:
        best: The best candidate.
        candidates: All of them.
        spaces: Model by id of each space the query has a vector in.
        found: How many entries there are, and the weights.
    """
    channels = {space: channel_of(space) for space in spaces}
    refusal = REFUSALS.get(frozenset(channels.values()))
    if refusal is None:
        return 0.0
    everything = list(candidates)
    total = refusal.cover * (_cover(best) + max(map(_cover, everything), default=0.0)) / 2
    for space, model in spaces.items():
        nearest = max((one.cosine.get(space, 0.0) for one in everything), default=0.0)
        mean = (best.cosine.get(space, 0.0) + nearest) / 2
        background = BACKGROUNDS[model]
        total += getattr(refusal, channels[space]) * (mean - background.mean) / sqrt(background.variance)
    return float(total - asked_for(refusal, found.entries) - found.weights.caution)


def _cover(evidence: Evidence) -> float:
    return COVER[0] * evidence.words + COVER[1] * evidence.group


class Scale(NamedTuple):
    """What evidence is measured by."""

    entries: int
    weights: Weights


def asked_for(refusal: Refusal, entries: int) -> float:
    """The evidence that a bundle of so many entries asks for."""
    share = (log(max(min(entries, LARGE), SMALL)) - log(SMALL)) / (log(LARGE) - log(SMALL))
    beyond = GROWTH * log(entries / LARGE) if entries > LARGE else 0.0
    return refusal.small + share * (refusal.large - refusal.small) + beyond


def probabilities(scores: Sequence[float], everything: Sequence[float], more: float) -> list[float]:
    """How likely each result answers, 0..1, as fitted (`CALIBRATION`).

    Scores are log-odds of one candidate against the others, so its share of `exp(score)` over all candidates is the
    chance that it is the right one, if one of them is; the surplus says how likely that is.

    Args:
        scores: Of the results.
        everything: Of all candidates, the results among them.
        more: The surplus of evidence.
    """
    top = max(everything, default=0.0)
    total = top + log(sum(exp(score - top) for score in everything) or 1.0)
    return [
        _sigmoid(CALIBRATION.surplus * more + CALIBRATION.share * (score - total) + CALIBRATION.base)
        for score in scores
    ]


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + exp(-value)) if value > _LEAST_EXPONENT else 0.0
