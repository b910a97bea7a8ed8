"""Timing things against each other: by turns in one run, so that a busy machine slows all of them alike."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.bench.metrics import quantile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of repeated runs of one thing."""

    seconds: tuple[float, ...]

    @property
    def p50(self) -> float:
        """The median."""
        return quantile(self.seconds, 0.5) or 0.0

    @property
    def p95(self) -> float:
        """What 95 % of the runs do not exceed."""
        return quantile(self.seconds, 0.95) or 0.0

    def __add__(self, other: Times) -> Times:
        """Run by run: what one and then the other takes."""
        return Times(tuple(a + b for a, b in zip(self.seconds, other.seconds, strict=True)))


def alternated(rounds: int, actions: Mapping[str, Callable[[int], object]], lot: Random) -> dict[str, Times]:
    """Run every action once a round, in an order drawn anew each round; each gets the number of the round, from 0."""
    taken: dict[str, list[float]] = {name: [] for name in actions}
    for number in range(rounds):
        for name in lot.sample(list(actions), len(actions)):
            start = time.perf_counter()
            actions[name](number)
            taken[name].append(time.perf_counter() - start)
    return {name: Times(tuple(seconds)) for name, seconds in taken.items()}


def milliseconds(seconds: float) -> float:
    """As a report shows them."""
    return round(1_000 * seconds, 3)


def ratio(of: Times, to: Times) -> float | None:
    """Median by median, with two decimals; None where the floor took no time that can be measured."""
    return round(of.p50 / to.p50, 2) if to.p50 else None


def total(parts: Sequence[Times]) -> Times:
    """Run by run, the sum of all parts."""
    first, *rest = parts
    for part in rest:
        first += part
    return first
