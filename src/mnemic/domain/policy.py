"""What a bundle allows: limits and rules, as values. `mnemic.toml` may change each one (docs/reference/settings.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class OnSecret(StrEnum):
    """What happens to a text that holds a secret."""

    REFUSE = "refuse"
    REDACT = "redact"


class OnContradiction(StrEnum):
    """What happens to a memory that claims otherwise than an active one; the old one stands in any case."""

    QUARANTINE = "quarantine"
    """It is held back."""
    PROPOSE = "propose"
    """It is held back, and a proposal waits to let it take the place of the old one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes that a bundle keeps within; each counts what its name says."""

    document_bytes: int = 1_048_576
    body_characters: int = 8_000
    description_characters: int = 1_024
    title_characters: int = 300
    summary_characters: int = 20_000
    timeline_lines: int = 2_000
    section_memory_characters: int = 2_200
    section_user_characters: int = 1_375
    tags: int = 50
    turn_characters: int = 200_000
    query_characters: int = 100_000
    hints: int = 2
    prefetch: int = 10
    turn_reads: int = 10
    turn_characters_read: int = 45_000
    recall: int = 8
    working_set: int = 12
    search_milliseconds: int = 100
    concepts_comfortable: int = 5_000
    bundle_bytes_comfortable: int = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How the guards decide where a person could decide either way.

    `sensitive`: such memories may be kept, in the vault alone. `agents_read_sensitive`: agents may read one by its id;
    no search finds it. `minimum_authority`: what is less to be believed is not written.
    """

    secrets_in_memories: OnSecret = OnSecret.REFUSE
    secrets_in_sessions: OnSecret = OnSecret.REDACT
    model_beliefs: bool = False
    minimum_authority: float = 0.0
    contradictions: OnContradiction = OnContradiction.QUARANTINE
    sensitive: bool = False
    agents_read_sensitive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRules:
    """From when on replay proposes something.

    `min_support` memories from `min_independent_sources` make a belief; what one writer told within `same_source_hours`
    without naming a session or a place is one source. Memories are merged when one says `merge_above` of the other
    (0.5..1), and archived when nobody used them for `archive_days` and their salience is at most `archive_salience`.
    """

    min_support: int = 2
    min_independent_sources: int = 2
    same_source_hours: int = 24
    merge_above: float = 0.8
    archive_days: int = 90
    archive_salience: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Everything a bundle allows."""

    limits: Limits = field(default_factory=Limits)
    rules: Rules = field(default_factory=Rules)
    replay: ReplayRules = field(default_factory=ReplayRules)
