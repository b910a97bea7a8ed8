"""What a ranking is worth: pure arithmetic, without any bundle.

`found` is a ranking, best first; `wanted` what should be in it. An id that a ranking repeats counts at its first place.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

_PERCENT_DIGITS = 1
_SHARE_DIGITS = 3


def recall_at(found: Sequence[str], wanted: Collection[str], k: int) -> float:
    """The share of `wanted` among the first `k` found, 0 to 1.

    Raises:
        ValueError: Nothing is wanted: there is no such share.
    """
    targets = _targets(wanted)
    return len(targets & set(_first(found, k))) / len(targets)


def any_at(found: Sequence[str], wanted: Collection[str], k: int) -> float:
    """1 when at least one of `wanted` is among the first `k` found, else 0."""
    return float(not _targets(wanted).isdisjoint(_first(found, k)))


def all_at(found: Sequence[str], wanted: Collection[str], k: int) -> float:
    """1 when all of `wanted` are among the first `k` found, else 0."""
    return float(_targets(wanted) <= set(_first(found, k)))


def verbatim_recall_at(found: Sequence[str], wanted: Sequence[str], k: int) -> float:
    """As LoCoMo's own scorer counts: each name as it is written, repeated ones again, and 1 when none is given."""
    if not wanted:
        return 1.0
    first = set(_first(found, k))
    return sum(name in first for name in wanted) / len(wanted)


def reciprocal_rank(found: Sequence[str], wanted: Collection[str]) -> float:
    """1 / the place of the first one of `wanted`, from 1; 0 when there is none."""
    targets = _targets(wanted)
    places = (place for place, name in enumerate(dict.fromkeys(found), 1) if name in targets)
    return 1 / next(places, float("inf"))


def mean(values: Iterable[float]) -> float | None:
    """The mean, or None of nothing: an empty average is no zero."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else None


def quantile(values: Iterable[float], share: float) -> float | None:
    """The smallest value that at least `share` (0 to 1) of all do not exceed; None of nothing."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else None


def percent(share: float | None) -> float | None:
    """A share from 0 to 1 as percent with one decimal."""
    return None if share is None else round(100 * share, _PERCENT_DIGITS)


def three_digits(value: float | None) -> float | None:
    """A figure from 0 to 1 with three decimals."""
    return None if value is None else round(value, _SHARE_DIGITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The answer to one question beside what it should hold.

    `units` is how many things could have been found. Recall at a k of `units` or more says nothing: everything is
    found then, in any order.
    """

    found: tuple[str, ...]
    wanted: frozenset[str]
    units: int
    abstained: bool = False


def scores(rankings: Sequence[Ranking], ks: Iterable[int]) -> dict[str, float | None]:
    """Mean `recall@k`, `any@k` and `all@k` in percent, for each k over the questions with more than k units."""
    figures: dict[str, float | None] = {}
    for name, measure in (("recall", recall_at), ("any", any_at), ("all", all_at)):
        for k in ks:
            values = (measure(ranking.found, ranking.wanted, k) for ranking in rankings if ranking.units > k)
            figures[f"{name}@{k}"] = percent(mean(values))
    return figures


def saturated(rankings: Iterable[Ranking], ks: Sequence[int]) -> dict[int, int]:
    """For each k how many questions it leaves out, because k things or fewer could be found; only where there are."""
    listed = list(rankings)
    counts = {k: sum(ranking.units <= k for ranking in listed) for k in ks}
    return {k: count for k, count in counts.items() if count}


def _first(found: Sequence[str], k: int) -> list[str]:
    return list(dict.fromkeys(found))[:k]


def _targets(wanted: Collection[str]) -> set[str]:
    if not wanted:
        raise ValueError("a question without anything wanted has no score")
    return set(wanted)
