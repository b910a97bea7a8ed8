"""How far a claim is supported: the weighing that decides whether it may become a belief."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from mnemic.domain.proposals import Support
from mnemic.domain.sources import independent_sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.domain.memory import Memory
    from mnemic.domain.policy import ReplayRules

MEAN_CONFIDENCE: Final = 0.7
VERIFIED_SHARE: Final = 0.3
"""Weights of the two parts of a confidence; those of TraceWeave's consolidation (MIT)."""
_DIGITS: Final = 4


def weigh(  # noqa: PLR0913 - everything that weighs
    key: str,
    supports: Sequence[Memory],
    *,
    against: Sequence[Memory] = (),
    conflicting: Sequence[str] = (),
    wording: Sequence[Memory] | None = None,
    rules: ReplayRules,
) -> Support:
    """How a claim is supported.

    Args:
        key: The claim's key, normalized.
        supports: Memories that claim the value now; at least one.
        against: Memories that claimed it and proved wrong: corrected, or followed by a failure. They weigh as witnesses
            without any confidence, and as many of them as supports make the claim ineligible.
        conflicting: Other values that are claimed for the same key and time.
        wording: The supports whose words mean the same on any day, all when left out. Where there is none, the claim
            is not eligible: whoever reads `tomorrow` later reads another day.
        rules: From how much support on.
    """
    sources = independent_sources(supports, within=timedelta(hours=rules.same_source_hours))
    enough = len(supports) >= rules.min_support and len(sources) >= rules.min_independent_sources
    return Support(
        claim_key=key,
        claim_value=value_of(best_witness(wording or supports)),
        support=tuple(memory.id for memory in sorted(supports, key=lambda each: (each.recorded_at, each.id))),
        independent_sources=len(sources),
        conflicting_values=tuple(conflicting),
        confidence=confidence_of(supports, against),
        eligible=enough and not conflicting and len(against) < len(supports) and (wording is None or bool(wording)),
    )


def confidence_of(supports: Sequence[Memory], against: Sequence[Memory] = ()) -> float:
    """0.7 times the mean confidence and 0.3 times the share that is verified, of those for and against together."""
    witnesses = len(supports) + len(against)
    mean = sum(memory.confidence for memory in supports) / witnesses
    verified = sum(memory.provenance.verified for memory in supports) / witnesses
    return round(min(1.0, max(0.0, MEAN_CONFIDENCE * mean + VERIFIED_SHARE * verified)), _DIGITS)


def best_witness(memories: Sequence[Memory]) -> Memory:
    """The one whose words stand for all: verified, then of most authority, surest, newest."""
    return max(
        memories,
        key=lambda memory: (
            memory.provenance.verified,
            memory.provenance.authority,
            memory.confidence,
            memory.recorded_at,
            memory.id,
        ),
    )


def value_of(memory: Memory) -> str:
    """The value it claims, as it is written."""
    return memory.claim.value.strip() if memory.claim is not None else ""


def in_order(support: Support) -> tuple[bool, float, str, str]:
    """Sorts eligible ones first, then by confidence, then by name."""
    return not support.eligible, -support.confidence, support.claim_key, support.claim_value
