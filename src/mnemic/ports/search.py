"""What recall needs of an index: everything derived for search, and one consistent view of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.domain.documents import Stamp
    from mnemic.domain.entries import (
        Census,
        FieldWeights,
        IndexCounts,
        IndexedEntry,
        IndexedStamps,
        IndexStatistics,
        Named,
        OutcomeRow,
        Outline,
        PassageHit,
        PassageRow,
        PendingText,
        Spread,
        VectorHit,
        Where,
        WindowPassage,
    )
    from mnemic.domain.entry import IndexedDocument
    from mnemic.domain.spaces import Space


class SearchIndex(Protocol):
    """Everything derived for search. Deleting it loses nothing; writes happen under the bundle's lock."""

    def indexed(self) -> IndexedStamps:
        """What is known of every file in the index; empty when there is no usable index."""
        ...

    def is_current(self, *scans: Sequence[Stamp]) -> bool:
        """Whether these are all the files in the index, each settled at this stamp; at once when asked again.

        Lists that were given before must not have been changed since.
        """
        ...

    def digests(self, paths: Sequence[str]) -> dict[str, str]:
        """SHA-256 of files in the index, by path."""
        ...

    def update(self, documents: Iterable[IndexedDocument], gone: Sequence[str] = ()) -> None:
        """Put documents in, each replacing what was at its path, and take `gone` out."""
        ...

    def touch(self, stamps: Sequence[Stamp]) -> None:
        """Note new stamps of documents whose bytes are as they were."""
        ...

    def pending(self, space: Space, limit: int) -> list[PendingText]:
        """Texts that have no vector in `space` yet, newest first."""
        ...

    def pending_count(self, space: Space) -> int:
        """How many texts have no vector in `space` yet."""
        ...

    def put_vectors(self, space: Space, texts: Sequence[PendingText], vectors: NDArray[np.float32]) -> None:
        """Store vectors, row by row for `texts`; those whose text is gone meanwhile are left out."""
        ...

    def discard(self) -> None:
        """Delete everything; the next update builds it anew."""
        ...

    def erasing(self, note: str = "") -> AbstractContextManager[None]:
        """Around a removal that must leave no trace: keeps other writers out, and notes durably what is owed.

        That something is owed stays noted, over any crash, until `finish_erasure` has done its work; `note`, one line,
        until it is settled. A NotFoundError, ConflictError or RefusedError out of the block means that nothing was
        removed, and then nothing is owed.
        """
        ...

    def settling(self) -> AbstractContextManager[tuple[str, ...]]:
        """The lines that removals have noted, with other writers kept out; dropped when the block ends well."""
        ...

    def erasure_owed(self) -> bool:
        """Whether a removal was begun whose traces may still be in the index's files. Cheap."""
        ...

    def finish_erasure(self) -> None:
        """If it is owed: write all files anew, without anything that was deleted. Call it with an index up to date.

        Raises IndexUnavailableError, BundleBusyError, ReadOnlyBundleError; it is still owed then.
        """
        ...

    def hurried(self) -> AbstractContextManager[None]:
        """Within it this thread's writes give up soon where another process is writing; BundleBusyError then."""
        ...

    def reading(self) -> AbstractContextManager[IndexReader]:
        """One consistent view, for one query; never waits for a writer."""
        ...


class IndexReader(Protocol):
    """One consistent view of the index. Rows are numbers valid within the view; unknown rows are left out."""

    @property
    def generation(self) -> int:
        """Grows with every change."""
        ...

    def counts(self) -> IndexCounts:
        """Sizes, before any filter."""
        ...

    def census(self) -> Census:
        """Entries by what they are."""
        ...

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        """How many passages hold each term; 0 for an unknown one."""
        ...

    def close_terms(self, term: str, limit: int = 4) -> list[str]:
        """Known terms within a small edit distance of an unknown one, nearest first."""
        ...

    def lexical(self, terms: Sequence[str], where: Where, limit: int) -> list[PassageHit]:
        """The best passages that hold any of `terms`, highest BM25 first; `term*` stands for all that begin so."""
        ...

    def phrase(self, terms: Sequence[str], where: Where, limit: int) -> list[PassageHit]:
        """The best passages that hold all of `terms` in this order, next to each other."""
        ...

    def groups(self, terms: Sequence[str], limit: int, weights: FieldWeights | None = None) -> dict[int, float]:
        """BM25 of the best groups (a session whole, a memory whole) that hold any of `terms`, by group row."""
        ...

    def semantic(self, space: Space, query: NDArray[np.float32], where: Where, limit: int) -> list[VectorHit]:
        """The entries nearest to `query`, nearest first; nothing when the space holds no vector."""
        ...

    def similarity(self, space: Space, query: NDArray[np.float32], entries: Sequence[int]) -> dict[int, VectorHit]:
        """Nearness of given entries; those without a vector are left out."""
        ...

    def spread(self, space: Space, query: NDArray[np.float32]) -> Spread | None:
        """How the cosines of `query` are spread over the space; None when it holds no vector."""
        ...

    def statistics(self) -> IndexStatistics:
        """What BM25 needs to know of the whole."""
        ...

    def group_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        """How many groups hold each term; 0 for an unknown one."""
        ...

    def named(self, names: Sequence[str]) -> Named:
        """Which of these casefolded names are a speaker's or a memory's (title, alias, file name)."""
        ...

    def outlines(self, rows: Sequence[int], where: Where) -> list[Outline]:
        """Those of these entries that `where` lets through, by row; `speaker` is casefolded."""
        ...

    def windows(self, rows: Sequence[int], reach: int) -> list[WindowPassage]:
        """The passages of entries and of those up to `reach` before and after in their group, by group and place."""
        ...

    def entries(self, rows: Sequence[int]) -> dict[int, IndexedEntry]:
        """Entries by row."""
        ...

    def find(self, ids: Sequence[str]) -> dict[str, int]:
        """Rows of entries by id."""
        ...

    def neighbours(self, rows: Sequence[int], reach: int = 1) -> dict[int, dict[int, int]]:
        """For each entry the rows in its group at distance `-reach..reach` (without 0), by distance."""
        ...

    def said_between(self, start: float, end: float, where: Where, limit: int) -> list[int]:
        """Entries recorded, or speaking of a day, in `[start, end)` seconds since 1970, newest first."""
        ...

    def linked(self, rows: Sequence[int]) -> dict[int, list[int]]:
        """For each entry those that it links to or that link to it."""
        ...

    def passages(self, rows: Sequence[int]) -> dict[int, list[PassageRow]]:
        """Passages of entries, in order."""
        ...

    def claims(self, key: str) -> list[tuple[int, str]]:
        """`(entry, value)` of the active entries that claim something for `key`."""
        ...

    def claimed_twice(self) -> list[tuple[int, str, str]]:
        """`(entry, key, value)` of active entries whose key more than one of them claims, by key and time."""
        ...

    def entry_terms(self, rows: Sequence[int]) -> dict[int, frozenset[str]]:
        """The terms of entries, each once."""
        ...

    def outcomes(self, ids: Sequence[str], where: Where) -> dict[str, list[OutcomeRow]]:
        """Active outcomes by the memory's id, newest first: as trusted, and told by then, as `where` asks."""
        ...

    def group_rows(self, groups: Sequence[int], where: Where) -> dict[int, list[int]]:
        """Entries of groups that `where` lets through, in order."""
        ...

    def by_prior(self, where: Where, limit: int) -> list[int]:
        """Entries that `where` lets through, most salient then newest first."""
        ...
