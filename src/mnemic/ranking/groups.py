"""From turns to the sessions that hold them."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING

from mnemic.domain.entries import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.ranking.fuse import Scored


def best_of_groups(scored: Sequence[Scored]) -> list[Scored]:
    """The best turn of each session, ordered by the chance that any turn of the session is the right one.

    Scores are log-odds up to a constant, so a session's is the logarithm of the sum of `exp(score)` over its turns.

    Args:
        scored: Best first, memories and turns.

    Returns:
        One turn a session, with the session's score; ties by id. Memories have no session and are left out.
    """
    members: dict[int, list[Scored]] = {}
    for one in scored:
        if one.entry.source is Source.TURN:
            members.setdefault(one.entry.group, []).append(one)
    groups = [turns[0]._replace(score=_summed([turn.score for turn in turns])) for turns in members.values()]
    return sorted(groups, key=lambda one: (-one.score, one.entry.id))


def _summed(scores: Sequence[float]) -> float:
    top = max(scores)
    return top + log(sum(exp(score - top) for score in scores))
