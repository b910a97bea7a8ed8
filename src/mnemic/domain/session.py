"""Conversations, kept verbatim beside the memories."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from mnemic.domain.ids import WINDOWS_DEVICES, turn_id
from mnemic.errors import InvalidSessionError

if TYPE_CHECKING:
    from datetime import datetime

    from mnemic.domain.documents import Problem

MAX_TURN_NUMBER = 999_999_999
_SESSION_ID = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,118}[a-z0-9])?\Z")


def is_session_id(text: str) -> bool:
    """Whether it is 1 to 120 lowercase letters, digits, `.`, `-`, `_`, and can be a file's name everywhere."""
    return _SESSION_ID.match(text) is not None and text.partition(".")[0] not in WINDOWS_DEVICES


class Role(StrEnum):
    """Who spoke, for a program."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionHead:
    """What is known of a session as a whole.

    `conversation` joins sessions of one long conversation; `source` says who brought it (`chat`, `claude-code`, …).
    """

    id: str
    title: str = ""
    conversation: str = ""
    source: str = ""
    project: str = ""

    def __post_init__(self) -> None:
        if not is_session_id(self.id):
            raise InvalidSessionError(
                f"{self.id[:80]!r} is no session id.",
                hint="Use 1 to 120 lowercase letters, digits, '.', '-' or '_', and no device name of Windows.",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One utterance. `number` counts from 1 in its session and never changes; `at` carries an offset.

    `attachments` describe in words what else was sent (picture captions, file names). `source_id` is the importer's
    own name of the turn, by which a second import knows it. A turn that is on its way into a store may have the
    number 0: the store gives it the next one (`domain/turns.py`).
    """

    session: str
    number: int
    at: datetime
    speaker: str
    role: Role
    text: str
    attachments: tuple[str, ...] = ()
    source_id: str = ""

    @property
    def id(self) -> str:
        """The reference of this turn: `session:<session>#<number>`."""
        return turn_id(self.session, self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session, read: its head and turns by number, with the file and line of each turn.

    `problems` are lines of the file that hold no turn; erased turns are simply not there.
    """

    head: SessionHead
    turns: tuple[Turn, ...]
    path: str
    lines: tuple[int, ...]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Conflict:
    """A turn that came with other words than those stored under its name; the stored ones stand.

    `position` is its place among the turns that came, from 0; `number` is the stored turn's.
    """

    position: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """What an append did: turns added, and turns that were known already, conflicts included."""

    session: str
    added: int
    known: int
    conflicts: tuple[Conflict, ...] = ()
