"""Bringing the index up to what stands in the files: by stamp, then by hash, reading only what may have changed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.entries import Source
from mnemic.domain.ids import id_of_path
from mnemic.errors import (
    DocumentMalformedError,
    DocumentUnreadableError,
    MnemicError,
    NotFoundError,
    ReadOnlyBundleError,
    StorageError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mnemic.domain.documents import Document, Stamp
    from mnemic.domain.entry import IndexedDocument
    from mnemic.ports import Progress
    from mnemic.services.bundle import Bundle

COARSE_NS = 2_000_000_000
FINE_NS = 100_000_000
"""A file younger than this when it is read may change again under the same stamp: some file systems count in two
seconds, others in the ticks of their kernel's clock, of at most ten milliseconds."""
_TICK_NS = 10_000_000

_UNREAD = frozenset({"unreadable", "too_large"})
"""Problems that go away without another stamp: by other permissions, by another limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """What a refresh found: files read anew, files gone, and in words what could not be brought up to date.

    `vectors` counts those made on the occasion, where somebody makes them. `unkept` says in words what the history of
    the bundle does not have yet.
    """

    changed: int = 0
    gone: int = 0
    vectors: int = 0
    behind: tuple[str, ...] = ()
    unkept: tuple[str, ...] = ()


def refresh(bundle: Bundle, progress: Progress | None = None) -> Refreshed:
    """Index every file that is new or changed and drop what is gone.

    Edits by hand, other processes and a deleted index are all found here; a call that finds nothing reads no file.
    Another process that is writing the index at the moment, or a disk that takes no index, makes the answer older, not
    impossible: `behind` then says so. An erasure that is owed, since a removal was cut off, is finished here too.
    """
    # First: what was forgotten must not be taken for a document that somebody deleted, whose versions are kept.
    unsettled = _settled(bundle) if bundle.index.erasure_owed() else ()
    done = _brought_up(bundle, progress)
    if unsettled:
        return replace(done, behind=(*done.behind, *unsettled))
    if done.behind or not bundle.index.erasure_owed():
        return done
    try:
        bundle.index.finish_erasure()
    except (ReadOnlyBundleError, StorageError) as error:
        return replace(done, behind=(f"the index may still hold what was forgotten: {error.message}",))
    return done


def finish_erasure(bundle: Bundle) -> bool:
    """Finish what a removal that was cut off has left; says whether there was one, and nothing is left of it now.

    Waits for nobody: what cannot be finished is left to the next call.
    """
    if not bundle.index.erasure_owed():
        return False
    with bundle.index.hurried(), suppress(MnemicError):
        refresh(bundle)
    return not bundle.index.erasure_owed()


def _brought_up(bundle: Bundle, progress: Progress | None) -> Refreshed:
    memory_stamps, session_stamps = bundle.store.stamps(), bundle.sessions.stamps()
    if bundle.index.is_current(memory_stamps, session_stamps):
        return Refreshed(unkept=_caught_up(bundle))
    known = bundle.index.indexed()
    memories = [stamp for stamp in memory_stamps if stamp not in known.settled]
    sessions = [stamp for stamp in session_stamps if stamp not in known.settled]
    gone = sorted(known.paths.difference(stamp.path for stamp in (*memory_stamps, *session_stamps)))
    if gone:  # somebody may have written and indexed one since we looked
        there = {stamp.path for stamp in (*bundle.store.stamps(), *bundle.sessions.stamps())}
        gone = [path for path in gone if path not in there]
    unkept: list[str] = []
    try:
        changed = _update(bundle, memories, sessions, gone, _Told(progress, unkept))
    except (ReadOnlyBundleError, StorageError) as error:
        return Refreshed(behind=(f"the index is not up to date: {error.message}",))
    if not unkept:
        unkept += _caught_up(bundle)
    if gone:
        with suppress(StorageError):  # the text stays for a conversation that has seen it; forgetting is strict
            bundle.turns.thaw([id_of_path(path) for path in gone])
    return Refreshed(changed=changed, gone=len(gone), unkept=tuple(dict.fromkeys(unkept)))


# Most calls find nothing to do, and need not load what does it.


def _settled(bundle: Bundle) -> tuple[str, ...]:
    from mnemic.services.upkeep.erase import settle

    return settle(bundle)


def _caught_up(bundle: Bundle) -> tuple[str, ...]:
    if not bundle.owed:
        return ()
    from mnemic.services.upkeep.record import catch_up

    return catch_up(bundle)


class _Told(NamedTuple):
    """Who is told how far it has come, and what could not be kept."""

    progress: Progress | None
    unkept: list[str]


def _update(
    bundle: Bundle,
    memories: Sequence[Stamp],
    sessions: Sequence[Stamp],
    gone: Sequence[str],
    told: _Told,
) -> int:
    digests = bundle.index.digests([stamp.path for stamp in (*memories, *sessions)])
    leaving = _memories_in(bundle, gone)
    same: list[Stamp] = []
    changed = 0

    def fresh() -> Iterator[IndexedDocument]:
        nonlocal changed
        total = len(memories) + len(sessions)
        for number, document in enumerate(_documents(bundle, memories, sessions, digests, told.unkept), 1):
            if told.progress is not None:
                told.progress(number, total, "indexing")
            if digests.get(document.stamp.path) == document.sha256:
                if document.settled:
                    same.append(document.stamp)
                continue
            changed += 1
            yield document
        from mnemic.services.upkeep.record import record

        # By now it is known what came back under another name. Only then is the rest taken out of the index.
        told.unkept.extend(record(bundle, (), dict(leaving)))

    documents = _first_known(fresh())
    if documents is not None or gone:
        bundle.index.update(documents or (), gone)
    if same:
        with suppress(ReadOnlyBundleError, StorageError):  # then they are read again next time, and nothing is behind
            bundle.index.touch(same)
    return changed


def _first_known(documents: Iterator[IndexedDocument]) -> Iterator[IndexedDocument] | None:
    """The same documents, or None when there is none: so that the index is not opened for writing in vain."""
    first = next(documents, None)
    return None if first is None else _chained(first, documents)


def _chained(first: IndexedDocument, rest: Iterator[IndexedDocument]) -> Iterator[IndexedDocument]:
    yield first
    yield from rest


def _memories_in(bundle: Bundle, gone: Sequence[str]) -> list[tuple[str, str]]:
    """Uid and id of the memories that the index knows in documents that are gone."""
    if not gone:
        return []
    with bundle.index.reading() as index:
        rows = index.find([id_of_path(path) for path in gone])
        entries = index.entries([*rows.values()]).values()
    return [(entry.uid, entry.id) for entry in entries if entry.source is Source.MEMORY]


def index_written(bundle: Bundle, paths: Sequence[str]) -> tuple[str, ...]:
    """Index documents that were just written, without looking at any other; `refresh` finds what else changed.

    What goes wrong here is made up for by the next refresh: the documents are durable already.

    Returns:
        In words, what the history of the bundle does not have yet.
    """
    wanted = set(paths)
    unkept: list[str] = []
    with suppress(ReadOnlyBundleError, StorageError):
        stamps = [stamp for path in sorted(wanted) if (stamp := bundle.store.stamp(path)) is not None]
        written = _documents(bundle, stamps, (), {}, unkept)
        bundle.index.update(written, sorted(wanted.difference(stamp.path for stamp in stamps)))
    return tuple(unkept)


def _documents(
    bundle: Bundle,
    memories: Sequence[Stamp],
    sessions: Sequence[Stamp],
    known: Mapping[str, str],
    unkept: list[str],
) -> Iterator[IndexedDocument]:
    """Files as they are indexed; what memories say is kept first.

    Of a file whose digest is the one that is known nothing else is found out.
    """
    # Here, because most calls find nothing to index, and what cuts texts into passages takes a while to load.
    from mnemic.domain.entry import IndexedDocument
    from mnemic.services.upkeep.indexing import entries_of_document, entries_of_session
    from mnemic.services.upkeep.keeping import Noticed, Told
    from mnemic.services.upkeep.record import TOGETHER, record

    now_ns = int(bundle.clock.now().timestamp() * 1e9)
    told = Told()
    for start in range(0, len(memories), TOGETHER):  # kept before the first of them is indexed
        read = list(_read(bundle, memories[start : start + TOGETHER]))
        unkept += record(
            bundle,
            [
                Noticed(located.memory, stamp.mtime_ns, located.revision)
                for stamp, document in read
                if known.get(stamp.path) != document.sha256
                for located in document.memories
            ],
            told=told,
        )
        for stamp, document in read:
            codes = {problem.code for problem in document.problems}
            same = known.get(stamp.path) == document.sha256
            yield IndexedDocument(
                stamp=stamp,
                sha256=document.sha256,
                source=Source.MEMORY,
                entries=() if same else entries_of_document(document, bundle.zone),
                problems=len(document.problems),
                settled=_old_enough(stamp, now_ns) and _UNREAD.isdisjoint(codes),
            )
    for stamp in sessions:
        try:
            session = bundle.sessions.read_path(stamp.path)
        except NotFoundError:
            continue
        except (DocumentMalformedError, DocumentUnreadableError) as error:
            # One broken file must not keep the others out; `check` says what is wrong with it.
            broken = isinstance(error, DocumentMalformedError)
            yield IndexedDocument(
                stamp=stamp,
                sha256=f"{stamp.size}:{stamp.mtime_ns}:{stamp.inode}:{error.code}",
                source=Source.TURN,
                entries=(),
                problems=1,
                settled=broken and _old_enough(stamp, now_ns),
            )
            continue
        yield IndexedDocument(
            stamp=stamp,
            # A session only grows, or is rewritten when something is erased: its stamp and length say enough.
            sha256=f"{stamp.size}:{stamp.mtime_ns}:{stamp.inode}:{len(session.turns)}",
            source=Source.TURN,
            entries=entries_of_session(session, bundle.zone),
            problems=len(session.problems),
            settled=_old_enough(stamp, now_ns),
        )


def _read(bundle: Bundle, stamps: Sequence[Stamp]) -> Iterator[tuple[Stamp, Document]]:
    for stamp in stamps:
        with suppress(NotFoundError):  # it went away since the scan; the next refresh drops it
            yield stamp, bundle.store.read(stamp.path)


def _old_enough(stamp: Stamp, now_ns: int) -> bool:
    fine = stamp.mtime_ns % _TICK_NS != 0
    return now_ns - stamp.mtime_ns > (FINE_NS if fine else COARSE_NS)
