"""What is put into an agent's context in one turn, and what was left out and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Slot(StrEnum):
    """A place in the agent's context.

    `system` stays the same for a conversation, so that prompt caches hold; `turn` is gone with the next prompt;
    `prefix` goes before the user's own words.
    """

    SYSTEM = "system"
    TURN = "turn"
    PREFIX = "prefix"


class Why(StrEnum):
    """Why something is in a capsule."""

    INSTRUCTION = "instruction"
    SUMMARY = "summary"
    ALWAYS = "always"
    RECENT = "recent"
    OFFERED = "offered"
    """Its description alone: the agent may ask for it (`auto_invoke`)."""
    HINT = "hint"
    DUE = "due"
    PINNED = "pinned"
    NAMED = "named"
    """The message names it: `#knowledge` or `/workflow`."""
    REQUIRED = "required"
    """Something named requires it."""
    KEYWORD = "keyword"
    FACT = "fact"


class Omitted(StrEnum):
    """Why something is not in a capsule although it was found."""

    BUDGET = "budget"
    QUOTA = "quota"
    NEAR_DUPLICATE = "near-duplicate"
    THERE_ALREADY = "there already"
    NOT_INVOCABLE = "not invocable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class CapsuleItem:
    """One memory or turn in a capsule; `tokens` is what its text there costs."""

    id: str
    slot: Slot
    why: Why
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One that was left out; `tokens` is what it would have cost, 0 where that is not known."""

    id: str
    slot: Slot
    why: Omitted
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Capsule:
    """The text of each slot (empty: nothing), and the account of it.

    `tokens` is an upper estimate of all three together and never more than `budget`. `language` is the ISO 639-1 code
    of the marker lines. `degraded` says in words what was missing when the facts were looked for. `system_parts` is the
    system slot by bundle, in their order: each part is kept, and forgotten, where what it is made of is kept.
    """

    system_parts: tuple[str, ...] = ()
    turn: str = ""
    prefix: str = ""
    items: tuple[CapsuleItem, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    tokens: int = 0
    budget: int = 0
    language: str = "en"
    degraded: tuple[str, ...] = ()

    @property
    def system(self) -> str:
        """The text of the system slot."""
        return "\n\n".join(filter(None, self.system_parts))

    @property
    def text(self) -> str:
        """The three slots as one text, for hosts that have a single place for it."""
        return "\n\n".join(part for part in (self.system, self.turn, self.prefix) if part)
