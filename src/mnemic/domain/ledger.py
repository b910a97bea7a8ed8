"""What happened to which memory: acts as they are recorded, events as they stand in the ledger, what a check found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

BEGINNING = "0" * 64
"""What the first event names as the hash before it."""
_COMMITMENT = re.compile(r"(?:[0-9a-f]{64})?")
_LONGEST_UID = 200


class Deed(StrEnum):
    """What was done to a memory, or (found, rotate) to the vault."""

    REMEMBER = "remember"
    CHANGE = "change"
    SUPERSEDE = "supersede"
    FULFIL = "fulfil"
    ARCHIVE = "archive"
    QUARANTINE = "quarantine"
    RELEASE = "release"
    PROMOTE = "promote"
    REMOVE = "remove"
    """Its document was taken away by hand; what it said is still kept."""
    ERASE = "erase"
    FOUND = "found"
    ROTATE = "rotate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that was done, to be recorded.

    An erasure names no memory: `uid` is empty, `version` 0. So that a crash cannot record it twice, its `commitment`
    may be a random number of 64 hex digits that whoever completes it knows too; of every other act the commitment is
    the vault's, to the content (`Vault.commit`), or empty. `at` has an offset.

    Raises:
        ValueError: One of these is not so, or `uid` cannot stand in a line of text.
    """

    at: datetime
    deed: Deed
    uid: str = ""
    version: int = 0
    commitment: str = ""

    def __post_init__(self) -> None:
        if self.at.utcoffset() is None:
            raise ValueError("at: the moment has no offset from UTC")
        if len(self.uid) > _LONGEST_UID or not self.uid.isprintable():
            raise ValueError(f"uid: not one printable line of at most {_LONGEST_UID} characters")
        if self.version < 0:
            raise ValueError("version: it counts from 0")
        if not _COMMITMENT.fullmatch(self.commitment):
            raise ValueError("commitment: not 64 hex digits")
        if self.deed is Deed.ERASE and (self.uid or self.version):
            raise ValueError("an erasure names no memory")

    def is_repeated_by(self, other: Act) -> bool:
        """Whether `other` tells of the same thing once more; two erasures without a number are two.

        Nor is it the same where both are about a content, and it is another: a power cut may take a version from the
        vault, whose number is then given again.
        """
        same = (self.deed, self.uid, self.version) == (other.deed, other.uid, other.version)
        if self.uid:
            return same and (self.commitment == other.commitment or not (self.commitment and other.commitment))
        return same and self.commitment == other.commitment != ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An act in its place: `seq` counts from 1, `prev` is the hash of the event before, `hash` that of this one."""

    act: Act
    seq: int
    prev: str
    hash: str


class Flaw(StrEnum):
    """What can be wrong with a ledger, or worth knowing about it."""

    ALTERED = "altered"
    """An event's bytes do not match its hash."""
    MALFORMED = "malformed"
    """A line is no event."""
    REMOVED = "removed"
    """Events are missing between two others."""
    REPEATED = "repeated"
    """An event stands there once more."""
    FORKED = "forked"
    """Two events claim the same place: two writers without a lock."""
    MISPLACED = "misplaced"
    """An event stands where it does not belong."""
    REWRITTEN = "rewritten"
    """An event does not follow on the one before it, or not on what the anchor vouches for."""
    CUT = "cut"
    """Events at the end that the anchor vouches for are missing."""
    LOST_BEFORE = "lost_before"
    """Between two appends something happened to the ledger, noted at the second."""
    ANCHOR_MISSING = "anchor_missing"
    ANCHOR_FORGED = "anchor_forged"
    """The anchor was not signed with this bundle's key, or cannot be read."""
    UNFINISHED = "unfinished"
    """The last line is half written: a crash. The next append heals it."""
    ANCHOR_BEHIND = "anchor_behind"
    """The last events are not vouched for yet: a crash. The next append heals it."""
    UNSIGNED = "unsigned"
    """Without the bundle's key the anchor's signature could not be checked."""


_HARMLESS = frozenset({Flaw.UNFINISHED, Flaw.ANCHOR_BEHIND, Flaw.UNSIGNED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One flaw, in a sentence. `line` counts from 1; 0 when it concerns no line."""

    flaw: Flaw
    message: str
    line: int = 0

    @property
    def harmless(self) -> bool:
        """Whether a crash explains it, or nothing could be checked; nothing that was recorded is in doubt then."""
        return self.flaw in _HARMLESS


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerReport:
    """What a verification found, reading everything from the disk.

    `events` and `head` are the number and the hash of the last event. `vouched`: up to which event the signed anchor
    stands for them. `more` counts findings beyond those that are told.
    """

    events: int
    head: str
    vouched: int = 0
    findings: tuple[Finding, ...] = ()
    more: int = 0

    @property
    def sound(self) -> bool:
        """Nothing that was recorded is in doubt."""
        return not self.more and all(finding.harmless for finding in self.findings)
