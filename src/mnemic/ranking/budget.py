"""Choosing what goes into a limited space: in the order of worth, no kind crowding out the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Priced(Protocol):
    """Something that may be chosen: its kind, and what it costs, which is asked only of what may have a place."""

    @property
    def kind(self) -> str:
        """What quotas go by."""
        ...

    @property
    def cost(self) -> int:
        """What it takes of the room."""
        ...


T = TypeVar("T", bound=Priced)


class Chosen(NamedTuple, Generic[T]):
    """What fits, in the given order; what had no room; what stood back for other kinds and then had no place."""

    taken: tuple[T, ...]
    too_big: tuple[T, ...]
    over_quota: tuple[T, ...]

    @property
    def cost(self) -> int:
        """Of everything taken."""
        return sum(candidate.cost for candidate in self.taken)


def choose(candidates: Sequence[T], *, room: int, most: int, quotas: Mapping[str, int] | None = None) -> Chosen[T]:
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
