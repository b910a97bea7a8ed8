"""What a bundle allows: limits and rules, as values. `mnemic.toml` may change each one (docs/reference/settings.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class OnSecret(StrEnum):
    """What happens to a text that holds a secret."""

    REFUSE = "refuse"
    REDACT = "redact"


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
    """How the guards decide where a person could decide either way."""

    secrets_in_memories: OnSecret = OnSecret.REFUSE
    secrets_in_sessions: OnSecret = OnSecret.REDACT
    model_beliefs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Everything a bundle allows."""

    limits: Limits = field(default_factory=Limits)
    rules: Rules = field(default_factory=Rules)
