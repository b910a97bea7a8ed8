"""What a caller asks to be remembered, before the guards and the clock have had their say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemic.domain.memory import Claim, Loading, Privacy, Scope
from mnemic.domain.provenance import Provenance

if TYPE_CHECKING:
    from datetime import datetime

    from mnemic.domain.contradictions import Statement
    from mnemic.domain.memory import Memory
    from mnemic.domain.outcomes import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A memory to be: everything but what the service decides (uid, moments, state). `id`, `title` may be left out.

    `cites` names turns or lines that it was taken from (`domain/citations.py`). `by_agent`: a model wrote it, so that
    nothing in it counts as verified or as written by a person, and it may cite only what the bundle holds.
    """

    body: str
    title: str = ""
    kind: str = "note"
    id: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    resource: str = ""
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    due: datetime | None = None
    on_event: str = ""
    supersedes: tuple[str, ...] = ()
    outcome_of: str = ""
    result: Result | None = None
    salience: float = 0.5
    confidence: float = 0.5
    privacy: Privacy = Privacy.PRIVATE
    provenance: Provenance = field(default_factory=Provenance)
    claim: Claim | None = None
    scope: Scope = field(default_factory=Scope)
    loading: Loading | None = None
    cites: str = ""
    by_agent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """Something the caller should know although the write went through."""

    code: str
    message: str
    statements: tuple[Statement, ...] = ()
    """What stands against what, the written memory's own words first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """The outcome of a write. `created` is False when the memory was there already and nothing was written."""

    memory: Memory
    revision: str
    path: str
    created: bool
    warnings: tuple[Warned, ...] = ()
