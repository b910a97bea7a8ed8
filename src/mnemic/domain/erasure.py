"""Forgetting as values: what is wished, what would go, and the receipt of what went and where was looked for more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """How far an erasure is to go.

    Attributes:
        with_session_quotes: Also turns of sessions that it quotes, or that say the same sentences.
        derived: Also memories that were made from it.
        past: The memory stays; what it said earlier goes.
        scan: Look through every byte afterwards.
    """

    with_session_quotes: bool = False
    derived: bool = False
    past: bool = False
    scan: bool = True


class Named(NamedTuple):
    """A memory in a preview: its reference and title."""

    id: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What would go, before anything does.

    Attributes:
        memories: Memories that go.
        deleted: Memories whose documents were deleted by hand, and of which what is kept goes.
        earlier: Memories that stay, and of which only what they said earlier goes.
        turns: How many turns of sessions go in any case, as named or as matches of a subject.
        said: Ids of those turns; of a session that goes whole its own.
        derived: Memories made from these: they go when that is wished.
        quotes: Ids of turns that are quoted or say the same sentences: they go when that is wished.
        versions: Earlier versions that are kept, of all that goes in any case.
        proposals: How many proposals hold it; they go along.
        elsewhere: Ids of memories that say the same words and stay.
        notes: What could not be looked at, and why.
    """

    memories: tuple[Named, ...] = ()
    deleted: tuple[Named, ...] = ()
    earlier: tuple[Named, ...] = ()
    turns: int = 0
    said: tuple[str, ...] = ()
    derived: tuple[Named, ...] = ()
    quotes: tuple[str, ...] = ()
    versions: int = 0
    proposals: int = 0
    elsewhere: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Removed(NamedTuple):
    """So many of one kind of thing went: `documents`, `turns`, `versions`, `proposals`, `vectors` and others."""

    kind: str
    amount: int


class Trace(NamedTuple):
    """Where something of the text was found: a file and the first byte, from 0; never the text itself."""

    path: str
    offset: int


class Repository(NamedTuple):
    """What a search of a git repository's objects saw.

    `hits` counts objects that hold the text, `paths` are files of its history that do, `remotes` the names of other
    repositories it knows. `whole` is False when time ran out before all objects were read.
    """

    root: str
    objects: int
    bytes: int
    hits: int
    paths: tuple[str, ...]
    remotes: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """How much was searched, and with how many pieces of the text. `unread` are files that could not be read."""

    files: int
    bytes: int
    pieces: int
    unread: tuple[str, ...] = ()
    repository: Repository | None = None


class Beyond(NamedTuple):
    """A place that is out of reach, and what its owner can do: commands, a line each, or a sentence."""

    place: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What an erasure did. It holds nothing of the text, and no id.

    Attributes:
        number: 64 hex digits; the one event of the ledger that tells of it has the same.
        at: When.
        removed: What went, by kind.
        searched: Where was looked afterwards; None when that was not asked for.
        found: What is left of it in files of the bundle that should hold nothing of it.
        elsewhere: Documents and sessions that say the same words and stay; their words were not looked for any further.
        unread_versions: How many kept versions could not be read: what they said is not known, and was not looked for.
        left: In words, what could not be finished; the next command tries again.
        beyond: What no program here can reach.
    """

    number: str
    at: datetime
    removed: tuple[Removed, ...] = ()
    searched: Searched | None = None
    found: tuple[Trace, ...] = ()
    elsewhere: tuple[str, ...] = ()
    unread_versions: int = 0
    left: tuple[str, ...] = ()
    beyond: tuple[Beyond, ...] = ()

    @property
    def clean(self) -> bool:
        """Nothing of it is left in the bundle, as far as was searched; history in a repository counts.

        Of what could not be read nobody knows: then this is not said.
        """
        searched = self.searched
        repository = searched.repository if searched else None
        kept = repository is not None and (repository.hits > 0 or not repository.whole)
        unread = self.unread_versions > 0 or (searched is not None and bool(searched.unread))
        return not (self.found or self.left or kept or unread)


class Hit(NamedTuple):
    """One needle in one file."""

    path: str
    offset: int
    needle: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """What a search through files saw; `hits` names the first place of each needle in each file."""

    files: int
    bytes: int
    hits: tuple[Hit, ...] = ()
    unread: tuple[str, ...] = ()
