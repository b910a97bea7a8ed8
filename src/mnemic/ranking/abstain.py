"""Whether the best result answers at all, or the bundle knows nothing about this."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING

from mnemic.ranking.fuse import channel_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.ranking.evidence import Evidence
    from mnemic.ranking.weights import Weights


def log_odds(evidence: Evidence, spaces: Sequence[str], entries: int, weights: Weights) -> float:
    """Log-odds that a result with this evidence answers the query.

    Coverage and plain cosines, not standardized ones: the best of any bundle stands out from the rest of it. The more
    entries there are, the better a chance resemblance can be, hence the term in their number.
    """
    total = weights.refuse_base + weights.refuse_size * log(max(entries, 1))
    total += weights.refuse_words * evidence.words + weights.refuse_group * evidence.group
    for space in spaces:
        total += getattr(weights, f"refuse_{channel_of(space)}") * evidence.cosine.get(space, 0.0)
    return total


def answers(value: float, weights: Weights) -> bool:
    """Whether log-odds are enough to say something."""
    return value >= weights.refuse_below


def probability(value: float) -> float:
    """Log-odds as a probability."""
    return 1.0 / (1.0 + exp(-value)) if value > -700 else 0.0  # noqa: PLR2004 - where exp leaves the floats
