"""One bundle, opened: the ports that every service works through."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.memory import Scope
from mnemic.domain.policy import Policy
from mnemic.errors import CitationRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import tzinfo

    from mnemic.ports import (
        CitedFiles,
        Clock,
        Embedder,
        Ids,
        Ledger,
        MemoryStore,
        Owed,
        ProposalStore,
        Remains,
        SearchIndex,
        SessionStore,
        TurnStore,
        Vault,
    )


@dataclass(frozen=True, slots=True)
class Engines:
    """The embedders at hand, and in words what is missing and why."""

    embedders: Sequence[Embedder] = ()
    missing: tuple[str, ...] = ()


def no_engines() -> Engines:
    """Words only."""
    return Engines()


def no_lock() -> AbstractContextManager[object]:
    """Nobody else writes."""
    return nullcontext()


class History(NamedTuple):
    """What happened to memories, and what they said before.

    `owed` notes that something is not in it yet. Under `lock` both are written one after the other, by nobody else.
    """

    ledger: Ledger
    vault: Vault
    owed: Owed
    lock: Callable[[], AbstractContextManager[object]] = no_lock


class NothingOwed:
    """`Owed` that never is."""

    def __bool__(self) -> bool:
        """As the port says."""
        return False

    def note(self) -> None:
        """As the port says."""

    def put_off(self) -> None:
        """As the port says."""

    def strike(self) -> None:
        """As the port says."""


def no_history() -> None:
    """None is kept: of a folder that is only read, or where the settings say so."""


def no_remains() -> None:
    """Nobody can look: a bundle that is no folder."""


class NoFiles:
    """No file may be cited."""

    def placed(self, given: str) -> str:
        """Refused."""
        raise CitationRefusedError(given, "this bundle cites no files")

    def lines(self, path: str) -> Sequence[str]:
        """Refused."""
        raise CitationRefusedError(path, "this bundle cites no files")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # each made takes its time at every start
class Bundle:
    """Everything a service needs of one bundle.

    `engines` loads models on its first call only; `history` loads what encrypts, and is None where none is kept.
    `owed` notes that something is not in the history yet, and is asked without loading that.
    `past` is the history that there is, also where nothing is added to it any more: what is forgotten must go from it.
    `scope` is whom it is about where a memory that must say so does not.
    """

    name: str
    store: MemoryStore
    sessions: SessionStore
    index: SearchIndex
    turns: TurnStore
    proposals: ProposalStore
    clock: Clock
    ids: Ids
    zone: tzinfo
    policy: Policy = field(default_factory=Policy)
    engines: Callable[[], Engines] = no_engines
    history: Callable[[], History | None] = no_history
    owed: Owed = field(default_factory=NothingOwed)
    past: Callable[[], History | None] = no_history
    remains: Callable[[], Remains | None] = no_remains
    lock: Callable[[], AbstractContextManager[object]] = no_lock
    """Keeps other writers out, of documents too, for what takes more than one of them; may be entered again."""
    files: CitedFiles = field(default_factory=NoFiles)
    scope: Scope = field(default_factory=Scope)
    passing_index: Callable[[], SearchIndex]
    """A new, empty index in memory alone; `discard` ends it."""


def named(bundles: Sequence[Bundle]) -> Iterator[tuple[str, Bundle]]:
    """Each bundle with the name that references give it: the first one, which is the usual place, has none."""
    return ((bundle.name if number else "", bundle) for number, bundle in enumerate(bundles))
