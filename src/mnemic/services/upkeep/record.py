"""Keeping what happened to memories and what they said before: the one place that feeds ledger and vault.

Whoever changed a document, a command, an agent or a person with an editor: the change is noticed here, when the
document is about to be indexed anew. So a crash between document, ledger and index heals itself: the next refresh finds
the document changed, and comes by here again. What cannot be kept at the moment is owed, and made up for later.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from mnemic.domain.documents import Document
from mnemic.domain.versions import from_bytes
from mnemic.errors import BundleBusyError, MnemicError, NotFoundError, VaultLockedError
from mnemic.services.upkeep.keeping import Noticed, Told, keep_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mnemic.domain.documents import Stamp
    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle

TOGETHER = 200
"""Documents whose history is kept in one go."""
_ANY_PURPOSE = "anchor"


def record(
    bundle: Bundle, seen: Sequence[Noticed], gone: Iterable[str] = (), told: Told | None = None
) -> tuple[str, ...]:
    """Keep what memories say now, and that others are there no more.

    Args:
        bundle: Where they are. Its lock need not be held.
        seen: Memories that may have changed; one that says what was kept last is passed over.
        gone: Uids of memories whose documents were taken away, otherwise than by forgetting. A mapping gives the id of
            each, too: one that is known under another since is not gone.
        told: The same for all calls that belong together.

    Returns:
        In words, what could not be kept. It is owed then.

    Raises:
        BundleBusyError: Another process is writing. The change will be noticed again, if it is not indexed now.
    """
    taken = gone if isinstance(gone, Mapping) else dict.fromkeys(gone, "")
    if not seen and not taken:
        return ()
    history = bundle.history()
    if history is None:
        return ()
    try:
        keep_all(bundle, history, seen, taken, told or Told())
    except BundleBusyError:
        raise
    except (MnemicError, ValueError) as error:
        history.owed.note()
        return (_unkept(error),)
    return ()


def keep(bundle: Bundle, memory: Memory) -> None:
    """Make sure that what a memory says is kept, before it is overwritten; what fails is told by the next `record`."""
    history = bundle.history()
    if history is not None:
        with suppress(MnemicError, ValueError):
            keep_all(bundle, history, [Noticed(memory, 0)], {}, None)


def catch_up(bundle: Bundle) -> tuple[str, ...]:
    """Keep what is owed: every memory is compared with what was kept last. What still cannot be, in words."""
    if not bundle.owed or (history := bundle.history()) is None:
        return ()
    try:
        history.vault.secret(_ANY_PURPOSE)  # whether it opens at all, before every document is read in vain
        with bundle.lock():  # a sensitive content comes into the vault before its document is there
            kept = history.vault.standing().keys()
        told, there, whole = Told(every=True), set[str](), True
        for some in _some(bundle.store.stamps()):
            documents = [(stamp, _document(bundle, stamp.path)) for stamp in some]
            seen = [
                Noticed(one.memory, stamp.mtime_ns, one.revision)
                for stamp, document in documents
                for one in document.memories
            ]
            whole = whole and not any(document.problems for _, document in documents)
            there.update(one.memory.uid for one in seen)
            keep_all(bundle, history, seen, {}, told)
        if whole:  # of what cannot be read nobody knows whether it is there
            lost = sorted(kept - there)
            keep_all(bundle, history, (), dict.fromkeys(lost, ""), told)
    except BundleBusyError:
        return ()
    except (MnemicError, ValueError) as error:
        if not isinstance(error, VaultLockedError):
            bundle.owed.put_off()
        return (_unkept(error),)
    history.owed.strike()
    return ()


def last_id(bundle: Bundle, uid: str) -> str:
    """Under which id a memory was known last; empty where nothing is kept of it."""
    history = bundle.history()
    if history is None:
        return ""
    with suppress(MnemicError, ValueError):
        if newest := history.vault.newest(uid):
            memory = from_bytes(newest[1])
            return memory.id if memory is not None else ""
    return ""


def _unkept(error: MnemicError | ValueError) -> str:
    why = f"{error.message} {error.hint}".strip() if isinstance(error, MnemicError) else f"{error}."
    return f"the history does not have the last changes yet: {why}"


def _some(stamps: Sequence[Stamp]) -> Iterator[Sequence[Stamp]]:
    return (stamps[start : start + TOGETHER] for start in range(0, len(stamps), TOGETHER))


def _document(bundle: Bundle, path: str) -> Document:
    try:
        return bundle.store.read(path)
    except NotFoundError:  # gone since the scan
        return Document(path=path, sha256="")
