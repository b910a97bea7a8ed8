"""What makes a memory worth having before anything is asked: it scales what the cue says, it never stands for it."""

from __future__ import annotations

from math import log1p
from typing import TYPE_CHECKING

from mnemic.domain.kinds import kind_named

if TYPE_CHECKING:
    from mnemic.domain.access import Usage
    from mnemic.domain.entries import IndexedEntry
    from mnemic.ranking.weights import Weights

UNVERIFIED = 0.65
"""What an origin counts that nobody has confirmed."""
URGENCY_DAYS = 7.0
WITHOUT_DEADLINE = 0.35
_DAY = 86_400.0
_USUAL = 0.5
_WELL_USED = 20
"""So many reads make a memory as strong as it gets; a write that builds on it counts as two."""


def prior(entry: IndexedEntry, now: float, weights: Weights) -> dict[str, float]:
    """What each prior channel adds to the log-odds of an entry, at `now` in seconds since 1970.

    Salience, confidence and authority are centred on 0.5, and stay within one weight of nothing. Recency takes away
    from old memories of kinds that decay, the less the more salient they are: at `half_life_days` of its kind a
    memory of ordinary salience has lost half of what it can lose. Urgency lifts commitments as their day comes near.
    """
    provenance = entry.authority * (1.0 if entry.verified else UNVERIFIED) / UNVERIFIED
    return {
        "salience": weights.salience * (entry.salience - _USUAL) * 2,
        "confidence": weights.confidence * (entry.confidence - _USUAL) * 2,
        "provenance": weights.provenance * (min(provenance, 1.5) - _USUAL),
        "recency": -weights.recency * faded(entry, now),
        "urgency": weights.urgency * urgency(entry.kind, entry.due, now) if entry.due is not None else 0.0,
    }


def faded(entry: IndexedEntry, now: float) -> float:
    """How much of its accessibility a memory has lost, 0..1: hyperbolic in age, slower for the salient."""
    half_life = kind_named(entry.kind).half_life_days
    if half_life is None or entry.source == "turn":
        return 0.0
    return lost(max(now - entry.changed_at, 0.0) / _DAY, half_life, entry.salience)


def lost(age: float, half_life: float, salience: float) -> float:
    """What is lost at an age in days, 0..1: `(1 - s) a / (a + h (0.5 + s))`, half of it at `a = h` for `s = 0.5`.

    Source:
        docs/explanation/decay.md. The shape after Rubin and Wenzel, Psychological Review 103 (1996), who fitted 105
        functions to 210 measured courses of forgetting: the best fall fast at first and ever slower later, as the
        hyperbola does. The half-lives and the part that salience plays are ours, set by judgement.
    """
    return (1.0 - salience) * age / (age + half_life * (0.5 + salience))


def strength(usage: Usage) -> float:
    """How established a memory is by its use, 0..1: logarithmic, so that the first uses count most.

    That it was put before an agent does not count: what is delivered would be delivered ever more.
    """
    return min(log1p(usage.read + 2 * usage.used) / log1p(_WELL_USED), 1.0)


def urgency(kind: str, due: float | None, now: float) -> float:
    """How near a commitment's deadline is: 1 when overdue, 0.35 without one, 0 for other kinds."""
    if kind != "commitment":
        return 0.0
    if due is None:
        return WITHOUT_DEADLINE
    return 1.0 if due <= now else 1.0 / (1.0 + (due - now) / _DAY / URGENCY_DAYS)
