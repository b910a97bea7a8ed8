"""What the services need from outside, as small protocols. Adapters implement them and never inherit from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from mnemic.domain.access import Delivery, OpenTurn, Receipt, Usage, Use
    from mnemic.domain.changes import Applied, ChangeSet
    from mnemic.domain.documents import CheckReport, Document, Located, Problem, Stamp
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
    from mnemic.domain.erasure import Repository, Swept
    from mnemic.domain.ids import MemoryId, Uid
    from mnemic.domain.ledger import Act, Event, LedgerReport
    from mnemic.domain.proposals import Proposal
    from mnemic.domain.session import Appended, Session, SessionHead, Turn
    from mnemic.domain.spaces import Space
    from mnemic.domain.vault import KeyPlace, VaultFacts, Version


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


class Ledger(Protocol):
    """What happened to which memory, in order and without its content; appended to, never edited."""

    def append(self, acts: Sequence[Act], *, durable: bool = False) -> tuple[Event, ...]:
        """Record acts in order; the event of each.

        What the last events tell already is not recorded again: the call may be repeated after a crash. `durable`
        waits for the disk. Raises WriteFailedError, LedgerError; nothing was recorded then.
        """
        ...

    def events(self, *, uid: str | None = None, after: int = 0) -> Iterator[Event]:
        """Events in order: all, those of one memory, those after a number."""
        ...

    def lines(self) -> Iterator[tuple[bytes, Event | None]]:
        """Every line as it stands, without its line feed, and the event it is; None for what is none."""
        ...

    def head(self) -> tuple[int, str]:
        """Number and hash of the last event; 0 and zeros before the first."""
        ...

    def verify(self) -> LedgerReport:
        """Everything that is wrong with what is on the disk, read anew. Raises LedgerError."""
        ...


class Vault(Protocol):
    """Contents of memories, encrypted, each memory's under a key of its own.

    Every call may raise VaultLockedError (no key), VaultDamagedError, VaultError, BundleBusyError.
    """

    def found(self) -> bool:
        """Make the vault and its key, if there is none; whether there was none."""
        ...

    def put(self, uid: str, content: bytes, at: datetime) -> int:
        """Keep a version, and its number, from 1; when the newest is the same content, nothing is written."""
        ...

    def settle(self) -> None:
        """Wait until the disk has what was put: before that a power cut may take the last versions."""
        ...

    def grouped(self) -> AbstractContextManager[None]:
        """Within it what this thread puts is kept together, all or nothing, at its end."""
        ...

    def get(self, uid: str, number: int) -> bytes:
        """A version's content. Raises VersionNotFoundError."""
        ...

    def newest(self, uid: str) -> tuple[Version, bytes] | None:
        """The newest version with its content; None where there is none."""
        ...

    def versions(self, uid: str) -> tuple[Version, ...]:
        """The kept versions, oldest first."""
        ...

    def standing(self, at: datetime | None = None) -> dict[str, int]:
        """The number of each memory's newest version that was kept at or before `at` (None: ever), by uid."""
        ...

    def changed_since(self, at: datetime) -> dict[str, tuple[int | None, int]]:
        """By uid the number that was standing at `at` (None: none was) and the newest, where these are two.

        Costs what was kept since, and not the whole vault.
        """
        ...

    def destroy(self, uid: str) -> int:
        """Destroy a memory's key and its versions; how many those were. May be repeated; needs no key."""
        ...

    def renew(self, uid: str) -> int:
        """Destroy all its versions but the newest, which gets a new key and keeps number and moment; how many went."""
        ...

    def commit(self, uid: str, fingerprint: str) -> str:
        """A commitment for the ledger, 64 hex digits; nobody can test a guess of the fingerprint without the key."""
        ...

    def secret(self, purpose: str) -> bytes | None:
        """A key of the bundle for another purpose; rotation keeps it. None before there is a vault."""
        ...

    def rotate(self, place: KeyPlace | None = None) -> None:
        """A new key for the bundle in the place of the old one, which is taken away; where `place` says, or it was."""
        ...

    def facts(self) -> VaultFacts | None:
        """How much is in it, and where its key is; None before there is a vault. Needs no key."""
        ...

    def check(self) -> tuple[str, ...]:
        """What is wrong with anything in it, in sentences; everything is read and decrypted."""
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


class Owed(Protocol):
    """A durable note that something must still be done; made before it may fail, and struck when it is done."""

    def __bool__(self) -> bool:
        """Whether it is noted. Cheap."""
        ...

    def note(self) -> None:
        """Note it; where that is impossible, nothing happens."""
        ...

    def put_off(self) -> None:
        """It cannot be done now: for a while it counts as not noted, to this process."""
        ...

    def strike(self) -> None:
        """It is done."""
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
