"""What a recall answers: results that say why, from where, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.ids import reference
from mnemic.domain.memory import State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from mnemic.domain.citations import Citation
    from mnemic.domain.outcomes import Outcome


class Place(NamedTuple):
    """A file of the bundle and a line in it, from 1."""

    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One result, best evidence first.

    `score` is comparable within one answer only; `probability` (0..1) is how likely a result with this evidence
    answers the query, as fitted. `channels` maps each channel's name to what it added to `score`.
    `tokens` is what the whole text costs an agent. `outcome`: what came of it, by the newest that says so; `citation`:
    whether what it cites still stands, where there was time to look.
    """

    id: str
    kind: str
    title: str
    snippet: str
    score: float
    probability: float
    channels: Mapping[str, float]
    when: datetime
    source: Place
    tokens: int
    state: State = State.ACTIVE
    bundle: str = ""
    origin: str = ""
    authority: float = 0.5
    verified: bool = False
    speaker: str = ""
    valid_until: datetime | None = None
    outcome: Outcome | None = None
    citation: Citation | None = None

    @property
    def reference(self) -> str:
        """Its id, with the bundle's name before it in another one than the first."""
        return reference(self.bundle, self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The outcome of one recall.

    `abstained`: nothing had enough evidence, so `hits` is empty although candidates existed or not. `degraded` says in
    words what was missing (an embedder, vectors still queued). `left_out` counts results suppressed, by reason.
    """

    query: str
    hits: tuple[Hit, ...]
    abstained: bool
    took_ms: float
    degraded: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
