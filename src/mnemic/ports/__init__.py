"""What the services need from outside, as small protocols. Adapters implement them and never inherit from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from mnemic.ports.history import Ledger, Owed, Vault
from mnemic.ports.search import IndexReader, SearchIndex

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.domain.access import Delivery, OpenTurn, Receipt, Usage, Use
    from mnemic.domain.changes import Applied, ChangeSet
    from mnemic.domain.documents import CheckReport, Document, Located, Problem, Stamp
    from mnemic.domain.erasure import Repository, Swept
    from mnemic.domain.ids import MemoryId, Uid
    from mnemic.domain.proposals import Proposal
    from mnemic.domain.session import Appended, Session, SessionHead, Turn
    from mnemic.domain.spaces import Space


class Clock(Protocol):
    """The time. Injected, so that tests and replays decide it."""

    def now(self) -> datetime:
        """The current moment, with an offset."""
        ...


class Ids(Protocol):
    """Source of new uids."""

    def new(self) -> Uid:
        """A fresh UUIDv7."""
        ...


class Progress(Protocol):
    """Told how far a long work has come; a terminal shows it, others ignore it."""

    def __call__(self, done: int, total: int | None, what: str) -> None:
        """`done` of `total` (None: unknown) of `what`."""
        ...


class MemoryStore(Protocol):
    """Keeps the memories of one bundle, and is their truth."""

    @property
    def location(self) -> str:
        """Where it is, for people."""
        ...

    @property
    def read_only(self) -> bool:
        """Whether `apply` and `repair` are refused."""
        ...

    def stamps(self) -> list[Stamp]:
        """Every document as a scan sees it, by path. Cheap: no file is read."""
        ...

    def stamp(self, path: str) -> Stamp | None:
        """One document as a scan sees it; None when there is none."""
        ...

    def read(self, path: str) -> Document:
        """One document. Malformed content is no error but a problem in it; a file that is gone raises NotFoundError."""
        ...

    def find(self, memory_id: str) -> Located:
        """The memory of this id, in any case or normalization. Raises MemoryNotFoundError, InvalidIdError."""
        ...

    def propose_id(self, kind: str, title: str) -> MemoryId:
        """A free id for a new memory of this kind: readable, in any script, where the layout puts the kind."""
        ...

    def apply(self, change: ChangeSet) -> Applied:
        """Write a change set, all or none, durably.

        Raises MemoryChangedError, IdTakenError, BundleBusyError, WriteFailedError, ReadOnlyBundleError.
        """
        ...

    def check(self, *, repair: bool = False) -> CheckReport:
        """Everything that is wrong with the documents; with `repair`, mended where it can be."""
        ...


class SessionStore(Protocol):
    """Keeps conversations verbatim, beside the memories."""

    def stamps(self) -> list[Stamp]:
        """Every session's file as a scan sees it."""
        ...

    def heads(self) -> Iterator[SessionHead]:
        """Every session, by id."""
        ...

    def read(self, session_id: str) -> Session:
        """One session whole. Raises SessionNotFoundError."""
        ...

    def read_path(self, path: str) -> Session:
        """The session in the file at this stamp's path."""
        ...

    def append(self, head: SessionHead, turns: Iterable[Turn]) -> Appended:
        """Add turns that are not there yet, known by `source_id` or number; durable on return."""
        ...

    def grouped(self) -> AbstractContextManager[None]:
        """Within it new sessions become durable together, at its end: for imports of many."""
        ...

    def check(self) -> list[Problem]:
        """Lines and files that hold no turn or session."""
        ...

    def erase(self, session_id: str, numbers: Sequence[int] | None = None) -> int:
        """Take away a session, or some of its turns (others keep their numbers); says how many turns went."""
        ...


class CitedFiles(Protocol):
    """Text files that the memories of a bundle may cite."""

    def placed(self, given: str) -> str:
        """Where a file that a person names lies, from the bundle's folder.

        Raises SourceNotFoundError, CitationRefusedError.
        """
        ...

    def lines(self, path: str) -> Sequence[str]:
        """The lines of the file at a path from the bundle's folder. Raises as `placed`."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of one space."""

    @property
    def space(self) -> Space:
        """The space its vectors live in; vectors of different spaces never mix."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """`(n, dim)` rows of length 1; a row of zeros for an empty text. Raises EmbedderError."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As `embed_queries`, for texts to be found."""
        ...


class TokenCounter(Protocol):
    """Says what a text costs a language model."""

    def __call__(self, text: str) -> int:
        """Tokens of the text, 0 only for the empty one; never too few where a budget hangs on it."""
        ...


class TurnStore(Protocol):
    """What agents did in their turns: receipts, reads, deliveries. No memory: losing it costs a repeated search."""

    def begin(self, conversation: str, now: datetime, *, announced: bool, instead_of: str | None = None) -> OpenTurn:
        """End the conversation's turn, if one is open, and begin another one, with nothing found, read or spent.

        `instead_of` is the id of the turn that is to end ("": none): when another one is open, it is left and given
        back. No two turns of a bundle begin at the same moment.
        """
        ...

    def current(self, conversation: str) -> OpenTurn | None:
        """The conversation's open turn."""
        ...

    def end(self, conversation: str) -> None:
        """End its turn: every receipt of it is worthless from now on."""
        ...

    def last_announced(self) -> datetime | None:
        """When a turn of any conversation was last announced."""
        ...

    def note_search(self, receipt: Receipt, ids: Sequence[str]) -> None:
        """Keep a search's receipt, and that it found `ids`."""
        ...

    def was_found(self, turn: str, memory_id: str) -> bool:
        """Whether a search of this turn found it."""
        ...

    def note_read(self, receipt: Receipt, characters: int, *, most_reads: int, most_characters: int) -> bool:
        """Keep a read's receipt and take it from the turn's budget; False, and nothing kept, when that is spent."""
        ...

    def receipt(self, token: str) -> Receipt | None:
        """The receipt of this token, if its turn is still open."""
        ...

    def was_given(self, token: str) -> bool:
        """Whether there is or was a receipt of this token; those of turns that ended long ago are unknown."""
        ...

    def note_delivery(self, conversation: str, now: datetime, deliveries: Sequence[Delivery]) -> None:
        """Keep what was put into an agent's context."""
        ...

    def deliveries(self, conversation: str, limit: int) -> list[tuple[datetime, Delivery]]:
        """What was put there last, newest first."""
        ...

    def note_use(self, ids: Sequence[str], use: Use, now: datetime) -> None:
        """Count how memories served."""
        ...

    def usage(self, ids: Sequence[str]) -> dict[str, Usage]:
        """How often each served; unknown ones are left out."""
        ...

    def frozen(self, conversation: str) -> str | None:
        """The text that was put into the conversation's system slot; None before the first."""
        ...

    def freeze(self, conversation: str, text: str, ids: Sequence[str], now: datetime) -> None:
        """Keep the system slot's text, and which memories it was made of."""
        ...

    def thaw(self, ids: Sequence[str]) -> None:
        """Drop the frozen texts that were made of these memories: they are not there any more."""
        ...

    def erase(self, ids: Sequence[str]) -> None:
        """Take every trace of these memories or turns away, frozen texts that were made of them included."""
        ...


class Remains(Protocol):
    """Everything that lies in a bundle's place, as bytes, whatever wrote it. Paths are relative, with `/`."""

    def search(self, needles: Sequence[bytes], only: Collection[str] | None = None) -> Swept:
        """Where any of these byte strings stands, in ASCII letters of either case; in files of `only`, or in all."""
        ...

    def paths(self, folder: str) -> tuple[str, ...]:
        """Files in a folder and below it."""
        ...

    def read(self, path: str) -> bytes:
        """A file's bytes; none where there is no such file."""
        ...

    def remove(self, paths: Sequence[str]) -> int:
        """Delete files durably; how many were there. Raises WriteFailedError."""
        ...

    def clear(self, gone: Sequence[tuple[str, str]], *, told: bool) -> None:
        """Take away what lies around documents: copies that a repair kept, what the log says of them.

        Args:
            gone: Path and uid of each. A document that is still there stays.
            told: The log is to say that something was forgotten.

        Raises:
            WriteFailedError: The disk refused.
        """
        ...

    def complete(self) -> None:
        """Complete, or take back, a change that a dead writer left. Raises WriteFailedError, BundleBusyError."""
        ...

    def repository(self, needles: Sequence[bytes], seconds: float) -> Repository | None:
        """What the version history around the bundle holds, as far as can be searched in this time; None: none."""
        ...


class ProposalStore(Protocol):
    """Keeps the proposals of one bundle, one file each, for people to read."""

    def ids(self) -> list[str]:
        """The ids of all, sorted; of damaged ones too. Cheap."""
        ...

    def read(self, proposal_id: str) -> Proposal:
        """One of them, exactly as it was written. Raises ProposalNotFoundError, ProposalDamagedError."""
        ...

    def write(self, proposal: Proposal) -> None:
        """Put it in, or in the place of the one with its id, durably and in one step.

        Raises InvalidIdError, LimitExceededError, ReadOnlyBundleError, BundleBusyError, WriteFailedError.
        """
        ...

    def erase(self, names: Iterable[str]) -> int:
        """Take away every proposal that holds words of these: ids and uids of memories, ids of sessions and turns.

        Of a damaged one it counts whether its bytes hold the name. Says how many went; none where there is nothing.
        """
        ...

    def locked(self) -> AbstractContextManager[None]:
        """Within it nobody else writes to the bundle; for decisions, which look before they write."""
        ...


__all__ = [
    "CitedFiles",
    "Clock",
    "Embedder",
    "Ids",
    "IndexReader",
    "Ledger",
    "MemoryStore",
    "Owed",
    "Progress",
    "ProposalStore",
    "Remains",
    "SearchIndex",
    "SessionStore",
    "TokenCounter",
    "TurnStore",
    "Vault",
]
