"""What goes into the index: a memory or a turn, cut into passages. Made by `services/upkeep/indexing.py` alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.domain.memory import Loading, State

if TYPE_CHECKING:
    from datetime import date, datetime

    from mnemic.domain.documents import Stamp
    from mnemic.domain.entries import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPassage:
    """One to three sentences of an entry.

    `text` is shown as the snippet; `context` (title, heading, speaker, date, a little of what went before) is searched
    with it but never shown; `line` is where it stands in its file, from 1.
    """

    text: str
    context: str = ""
    line: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A memory or a turn as the index sees it: the unit of a result.

    Attributes:
        id: Memory id or turn reference; unique in a bundle.
        group: What it stands in: the session of a turn; the memory itself otherwise.
        position: Order within its group, from 0; neighbours differ by one.
        names: Words it may be called by: title, aliases, speaker, people in it.
        embed: Texts to turn into vectors; the best of them counts. Empty: words only.
        embed_near: The same with what stands around, for spaces that embed windows; empty: as `embed`.
        links: Ids or titles it links to, as written.
        asks: It ends with a question: such a turn rarely holds the answer.
        tokens: About how many tokens its text costs a language model.
        days: Days it speaks of, as half-open ranges.
        loading: When it goes into an agent's context unasked.
        offered: An agent is shown its description, and may ask for it.
        outcome_of: Id of the memory whose outcome it is, and `result` how that turned out.
        cites: It names turns or lines whose digest it keeps.
    """

    id: str
    uid: str
    source: Source
    group: str
    position: int
    kind: str
    title: str
    passages: tuple[EntryPassage, ...]
    line: int
    recorded_at: datetime
    changed_at: datetime
    description: str = ""
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    embed: tuple[str, ...] = ()
    embed_near: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    days: tuple[tuple[date, date], ...] = ()
    state: State = State.ACTIVE
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    due: datetime | None = None
    salience: float = 0.5
    confidence: float = 0.5
    authority: float = 0.5
    verified: bool = False
    origin: str = ""
    privacy: str = "private"
    scope: str = ""
    speaker: str = ""
    asks: bool = False
    tokens: int = 0
    claim: tuple[str, str] | None = None
    loading: Loading | None = None
    offered: bool = False
    outcome_of: str = ""
    result: str = ""
    cites: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedDocument:
    """Everything the index keeps of one file: put in and taken out as a whole.

    `settled`: the file was old enough when it was read that a later change must have another stamp.
    """

    stamp: Stamp
    sha256: str
    source: Source
    entries: tuple[Entry, ...]
    problems: int = 0
    settled: bool = True
