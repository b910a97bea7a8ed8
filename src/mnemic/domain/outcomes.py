"""What really followed an action: the result that an outcome reports of the memory it belongs to."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


class Result(StrEnum):
    """How an action turned out."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    MIXED = "mixed"


class Outcome(NamedTuple):
    """A memory that says what came of another one; `result` is None where it does not say how it turned out."""

    id: str
    result: Result | None
    when: datetime

    @property
    def told(self) -> str:
        """`failed: outcomes/x, 2026-05-03`."""
        return f"{self.result or 'outcome'}: {self.id}, {self.when:%Y-%m-%d}"


def deciding(outcomes: Sequence[Outcome]) -> Outcome | None:
    """The newest of them that says how it turned out; `outcomes` are newest first."""
    return next((each for each in outcomes if each.result is not None), None)
