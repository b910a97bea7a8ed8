"""One thing worth keeping, as a frozen value, and the rules it must keep."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from mnemic.domain.kinds import kind_named
from mnemic.domain.provenance import Provenance
from mnemic.errors import InvalidMemoryError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mnemic.domain.ids import MemoryId, Uid
    from mnemic.domain.outcomes import Result

Yaml: TypeAlias = "str | list[Yaml] | dict[str, Yaml]"
"""A front-matter value as it is read: every scalar is text."""


class State(StrEnum):
    """Where a memory stands."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    FULFILLED = "fulfilled"
    ARCHIVED = "archived"
    QUARANTINED = "quarantined"


class Privacy(StrEnum):
    """Who may see it."""

    PUBLIC = "public"
    PRIVATE = "private"
    SENSITIVE = "sensitive"


class Loading(StrEnum):
    """When a memory goes into the agent's context without being asked for."""

    ALWAYS = "always"
    RECENT = "recent"
    KEYWORD = "keyword"
    MERGE = "merge"


@dataclass(frozen=True, slots=True)
class Claim:
    """A structured `key = value`, what contradictions are found by."""

    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whom a memory is about or for; empty means the bundle's own."""

    user: str = ""
    agent: str = ""
    project: str = ""
    conversation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One statement, event, rule, profile or promise.

    `recorded_at` says when we were told, `changed_at` when it last changed in meaning; `valid_*` when it was so in
    the world (no end: still so). A commitment is owed at `due`, or when the event `on_event` is told, and keeps still
    until `snoozed_until`. All moments carry an offset. `salience` and `confidence` are in 0..1. `result` is how the
    action turned out that it is the outcome of.

    Raises:
        InvalidMemoryError: A value out of range, a blank kind, an end before its beginning, a moment without offset.
    """

    uid: Uid
    id: MemoryId
    kind: str
    title: str
    body: str
    recorded_at: datetime
    changed_at: datetime
    description: str = ""
    tags: tuple[str, ...] = ()
    resource: str = ""
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    due: datetime | None = None
    on_event: str = ""
    snoozed_until: datetime | None = None
    state: State = State.ACTIVE
    supersedes: tuple[MemoryId, ...] = ()
    superseded_by: tuple[MemoryId, ...] = ()
    salience: float = 0.5
    confidence: float = 0.5
    privacy: Privacy = Privacy.PRIVATE
    provenance: Provenance = field(default_factory=Provenance)
    claim: Claim | None = None
    scope: Scope = field(default_factory=Scope)
    loading: Loading | None = None
    auto_invoke: bool | None = None
    user_invocable: bool | None = None
    requires: tuple[str, ...] = ()
    outcome_of: str = ""
    result: Result | None = None
    extra: Mapping[str, Yaml] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.kind.strip():
            raise InvalidMemoryError("type", "a memory needs a kind", hint="Leave it out to get a note.")
        for name in ("salience", "confidence"):
            _check_unit(name, getattr(self, name))
        _check_unit("source.authority", self.provenance.authority)
        for name in ("recorded_at", "changed_at", "valid_from", "valid_until", "due", "snoozed_until"):
            moment: datetime | None = getattr(self, name)
            if moment is not None and moment.utcoffset() is None:
                raise InvalidMemoryError(name, "the moment has no offset from UTC")
        if self.valid_from and self.valid_until and self.valid_until < self.valid_from:
            raise InvalidMemoryError("valid_until", "it ends before it begins")
        if self.claim is not None and not (self.claim.key.strip() and self.claim.value.strip()):
            raise InvalidMemoryError("claim", "key and value belong together", hint="Write --claim 'city=Oslo'.")

    def changed(self, when: datetime, /, **fields: object) -> Memory:
        """The same memory with other fields, changed at `when`, which never goes backwards."""
        return replace(self, changed_at=max(self.changed_at, when.astimezone(UTC)), **fields)  # type: ignore[arg-type]

    def is_valid_at(self, when: datetime) -> bool:
        """Whether it was so in the world at `when`; the end itself is no longer in."""
        begun = self.valid_from is None or self.valid_from <= when
        return begun and (self.valid_until is None or when < self.valid_until)


def _check_unit(name: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:  # NaN is refused by this form too
        raise InvalidMemoryError(name, f"{value} is not between 0 and 1")


def check_required(memory: Memory) -> None:
    """The fields that its kind demands.

    Raises:
        InvalidMemoryError: One is missing; names the field and the kind.
    """
    for name in kind_named(memory.kind).required:
        if not getattr(memory, name):
            raise InvalidMemoryError(name, f"a memory of kind {memory.kind} needs it", hint=_HOW.get(name, ""))
    if memory.result is not None and not memory.outcome_of:
        raise InvalidMemoryError("result", "it belongs to an outcome", hint=_HOW["outcome_of"])


_HOW = {
    "outcome_of": "Name the memory whose outcome it is: --outcome-of ID",
    "supersedes": "Name the memory that it corrects: --supersedes ID",
}
