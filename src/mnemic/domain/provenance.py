"""Where a memory came from, kept apart from how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Origin(StrEnum):
    """Who or what said it first."""

    USER_SAID = "user_said"
    USER_EXPLICIT = "user_explicit"
    VERIFIED_EXTERNAL = "verified_external"
    TOOL = "tool"
    WEB = "web"
    DOCUMENT = "document"
    MODEL = "model"
    IMPORT = "import"


DEFAULT_AUTHORITY = MappingProxyType(
    {
        Origin.VERIFIED_EXTERNAL: 0.9,
        Origin.USER_EXPLICIT: 0.8,
        Origin.USER_SAID: 0.7,
        Origin.TOOL: 0.6,
        Origin.DOCUMENT: 0.6,
        Origin.IMPORT: 0.5,
        Origin.WEB: 0.3,
        Origin.MODEL: 0.3,
    },
)
"""Authority of an origin when nobody says otherwise, 0..1."""

UNTRUSTED = frozenset({Origin.WEB, Origin.TOOL, Origin.MODEL, Origin.IMPORT, Origin.DOCUMENT})
"""Origins whose text was not typed by the person the bundle belongs to."""


AGENT_ORIGINS = frozenset({Origin.USER_SAID, Origin.MODEL, Origin.TOOL, Origin.WEB, Origin.DOCUMENT})
"""Whose words an agent may hand on; it neither writes in a person's place nor verifies anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Origin and place of a statement.

    Attributes:
        origin: Who or what said it; None for a document that does not tell.
        locator: Where: a URL, a file, a message id.
        authority: How far the source is to be believed, 0..1, whatever it says.
        verified: Somebody or something checked the statement against the world.
        actor: Who wrote it down: `person`, a program's name and version, a model's name.
        session: Session the statement was made in.
        turns: Turn numbers in that session.
        sha256: Hex digest of the quoted source text, to find out whether it still says so.
    """

    origin: Origin | None = None
    locator: str = ""
    authority: float = 0.5
    verified: bool = False
    actor: str = ""
    session: str = ""
    turns: tuple[int, ...] = ()
    sha256: str = ""

    @classmethod
    def of(cls, origin: Origin, **facts: object) -> Provenance:
        """A provenance with the origin's usual authority."""
        return cls(origin=origin, **{"authority": DEFAULT_AUTHORITY[origin], **facts})  # type: ignore[arg-type]


def is_trusted(origin: Origin | str | None, *, verified: bool) -> bool:
    """Whether its origin is not one that strangers write through."""
    return verified or origin not in UNTRUSTED


def is_ones_own(origin: Origin | str | None, *, verified: bool) -> bool:
    """Whether the owner of the bundle wrote it: by hand, by a command of their own, or vouching for it.

    What an agent reports the user to have said is not enough: the agent may have been talked into it.
    """
    return verified or origin in {None, "", Origin.USER_EXPLICIT}
