"""Near-duplicates of better results are left out, and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

T = TypeVar("T")


def without_twins(ordered: Sequence[tuple[T, frozenset[str]]], above: float) -> Iterator[T]:
    """Those of `ordered` (best first, each with its set of terms) that are unlike all before them.

    Two are twins when they share more than `above` of their terms (Jaccard); very short ones only when all of them.
    """
    kept: list[frozenset[str]] = []
    for item, terms in ordered:
        size = len(terms)
        # Of another size they cannot share so much, whatever they hold.
        similar = [one for one in kept if len(one) == size or (above * size < len(one) and above * len(one) < size)]
        if not any(_twins(terms, other, above) for other in similar):
            kept.append(terms)
            yield item


def _twins(one: frozenset[str], other: frozenset[str], above: float) -> bool:
    if not one or not other:
        return False
    if min(len(one), len(other)) < _SHORT:
        return one == other
    common = len(one & other)
    return common > above * (len(one) + len(other) - common)


_SHORT = 6
