"""Choosing what goes into a limited space: in the order of worth, no kind crowding out the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

T = TypeVar("T")


class Candidate(NamedTuple, Generic[T]):
    """Something that may be chosen: what it is, its kind, and what it costs."""

    item: T
    kind: str
    cost: int


class Chosen(NamedTuple, Generic[T]):
    """What fits, in the given order; what had no room; what stood back for other kinds and then had no place."""

    taken: tuple[Candidate[T], ...]
    too_big: tuple[Candidate[T], ...]
    over_quota: tuple[Candidate[T], ...]

    @property
    def cost(self) -> int:
        """Of everything taken."""
        return sum(candidate.cost for candidate in self.taken)


def choose(
    candidates: Sequence[Candidate[T]], *, room: int, most: int, quotas: Mapping[str, int] | None = None
) -> Chosen[T]:
    """Fill a space.

    A quota is soft: those over it wait, and come in after all others when there is room left. What is too big for the
    room that is left does not keep a smaller one behind it out.

    Args:
        candidates: Best first.
        room: What all together may cost.
        most: How many there may be.
        quotas: How many of a kind come first; kinds that are not named have none.
    """
    allowed = quotas or {}
    counts: dict[str, int] = {}
    first: list[int] = []
    waiting: list[int] = []
    for place, candidate in enumerate(candidates):
        counts[candidate.kind] = counts.get(candidate.kind, 0) + 1
        within = counts[candidate.kind] <= allowed.get(candidate.kind, len(candidates))
        (first if within else waiting).append(place)
    taken: set[int] = set()
    too_big: list[int] = []
    for place in (*first, *waiting):
        if len(taken) == most:
            break
        if candidates[place].cost > room:
            too_big.append(place)
        else:
            taken.add(place)
            room -= candidates[place].cost
    left = [place for place in waiting if place not in taken and place not in too_big]
    return Chosen(
        tuple(candidates[place] for place in sorted(taken)),
        tuple(candidates[place] for place in sorted(too_big)),
        tuple(candidates[place] for place in left),
    )
