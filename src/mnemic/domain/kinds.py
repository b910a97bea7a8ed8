"""The kinds of memory: one registry, an open vocabulary.

An unknown kind is kept as it is and behaves like `note`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Past(StrEnum):
    """How a kind keeps what it said before."""

    SUPERSEDE = "supersede"
    """A correction is a new memory that names the old one."""
    EDIT = "edit"
    """A living document is edited in place; its history keeps the old text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a kind of memory is for and how it behaves.

    `half_life_days` says how long a memory of low salience stays easy to reach (None: it does not decay).
    `required` names fields that it cannot be written without; a `scoped` kind belongs to somebody or something, and
    gets the bundle's own scope where none is given. `people_only`: written by people or an approved proposal only.
    `document` kinds may be longer than a statement: their limit is the document's, not the body's.
    """

    name: str
    folder: str
    analogue: str
    purpose: str
    required: tuple[str, ...] = ()
    half_life_days: float | None = None
    past: Past = Past.SUPERSEDE
    document: bool = False
    people_only: bool = False
    scoped: bool = False


_ALL = (
    Kind(
        name="observation",
        folder="observations",
        analogue="what the senses report",
        purpose="direct, current evidence",
        half_life_days=30,
    ),
    Kind(
        name="episode",
        folder="episodes",
        analogue="episodic memory",
        purpose="a bounded event or session",
        half_life_days=90,
    ),
    Kind(
        name="belief",
        folder="beliefs",
        analogue="semantic memory",
        purpose="a proposition with provenance and confidence",
        half_life_days=365,
    ),
    Kind(
        name="procedure",
        folder="procedures",
        analogue="skill",
        purpose="a reusable way of doing something",
        past=Past.EDIT,
        document=True,
    ),
    Kind(
        name="commitment",
        folder="commitments",
        analogue="prospective memory",
        purpose="something owed in the future, with or without a date",
    ),
    Kind(
        name="preference",
        folder="preferences",
        analogue="taste and habit",
        purpose="how somebody wants things, revisable",
        half_life_days=365,
        scoped=True,
    ),
    Kind(
        name="constraint",
        folder="constraints",
        analogue="a rule kept in mind",
        purpose="a condition that must stay true",
    ),
    Kind(
        name="outcome",
        folder="outcomes",
        analogue="learning from consequences",
        purpose="what really followed an action",
        required=("outcome_of",),
        half_life_days=180,
    ),
    Kind(
        name="correction",
        folder="corrections",
        analogue="reconsolidation",
        purpose="evidence that updates another memory",
        required=("supersedes",),
    ),
    Kind(name="decision", folder="decisions", analogue="a resolve", purpose="what was decided, and why"),
    Kind(
        name="lesson",
        folder="lessons",
        analogue="hindsight",
        purpose="what experience taught",
        half_life_days=365,
    ),
    Kind(
        name="request",
        folder="requests",
        analogue="an errand",
        purpose="what somebody asked for",
        half_life_days=90,
    ),
    Kind(
        name="knowledge",
        folder="knowledge",
        analogue="reference knowledge",
        purpose="a document to look things up in",
        past=Past.EDIT,
        document=True,
    ),
    Kind(
        name="summary",
        folder="summaries",
        analogue="gist",
        purpose="the always-on overview",
        past=Past.EDIT,
        document=True,
    ),
    Kind(
        name="workflow",
        folder="workflow",
        analogue="a routine",
        purpose="steps a person wrote or approved",
        past=Past.EDIT,
        document=True,
        people_only=True,
    ),
    Kind(
        name="skill",
        folder="skills",
        analogue="expertise",
        purpose="an ability a person wrote or approved",
        past=Past.EDIT,
        document=True,
        people_only=True,
    ),
    Kind(
        name="person",
        folder="people",
        analogue="knowing somebody",
        purpose="a profile of one person",
        past=Past.EDIT,
        document=True,
    ),
    Kind(
        name="theme",
        folder="themes",
        analogue="a long-running concern",
        purpose="a topic followed over time",
        past=Past.EDIT,
        document=True,
    ),
    Kind(
        name="event",
        folder="timeline",
        analogue="autobiographical time line",
        purpose="what happened, month by month",
        past=Past.EDIT,
        document=True,
    ),
    Kind(name="note", folder="notes", analogue="a jotting", purpose="anything worth keeping", half_life_days=180),
)

KINDS = MappingProxyType({kind.name: kind for kind in _ALL})
"""Every registered kind by name."""

NOTE = KINDS["note"]


def kind_key(name: str) -> str:
    """How a kind is searched by: a registered one by its registered name, in whatever case it is written."""
    plain = name.strip()
    return plain.lower() if plain.lower() in KINDS else plain


def kind_named(name: str) -> Kind:
    """The registered kind, or `note`'s behaviour for an unknown name."""
    return KINDS.get(name.strip().lower(), NOTE)
