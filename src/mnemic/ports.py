"""What the services need from outside, as small protocols. Adapters implement them and never inherit from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.domain.changes import Applied, ChangeSet
    from mnemic.domain.documents import CheckReport, Document, Located, Stamp
    from mnemic.domain.entries import IndexedDocument, Where
    from mnemic.domain.ids import Uid
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

    def read(self, path: str) -> Document:
        """One document. Malformed content is no error but a problem in it; a file that is gone raises NotFoundError."""
        ...

    def find(self, memory_id: str) -> Located:
        """The memory of this id, in any case or normalization. Raises MemoryNotFoundError, InvalidIdError."""
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

    def erase(self, session_id: str, numbers: Sequence[int] | None = None) -> int:
        """Take away a session, or some of its turns (others keep their numbers); says how many turns went."""
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


class SearchIndex(Protocol):
    """Everything derived for search. Deleting it loses nothing."""

    def indexed(self) -> Mapping[str, tuple[Stamp, str]]:
        """Stamp and SHA-256 of every document in the index, by path."""
        ...

    def update(self, documents: Iterable[IndexedDocument], gone: Sequence[str] = ()) -> None:
        """Put documents in, each replacing what was at its path, and take `gone` out; one transaction a batch."""
        ...

    def pending(self, space: Space, limit: int) -> list[tuple[int, str]]:
        """Texts that have no vector in `space` yet, newest first, each with its key."""
        ...

    def put_vectors(self, space: Space, keys: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Store the vectors of texts from `pending`; those deleted meanwhile are left out."""
        ...

    def reading(self) -> AbstractContextManager[IndexReader]:
        """One consistent view, for one query."""
        ...


class IndexReader(Protocol):
    """One consistent view of the index. Entries and passages are named by row numbers valid within the view."""

    @property
    def generation(self) -> int:
        """Grows with every change."""
        ...

    @property
    def passage_count(self) -> int:
        """Passages in the index, before any filter."""
        ...

    def document_frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """How many passages hold each term; 0 for an unknown one."""
        ...

    def lexical(self, terms: Sequence[str], where: Where, limit: int) -> list[tuple[int, int, float]]:
        """`(entry, passage, BM25)` of the best passages, highest first; k1 1.2, b 0.75."""
        ...
