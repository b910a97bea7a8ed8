"""What stands in an agent's context for a whole conversation: the summary, what is always loaded, what is offered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.capsule import Why
from mnemic.domain.entries import Source, Where
from mnemic.domain.ids import reference
from mnemic.domain.loading import loaded_text
from mnemic.domain.memory import Loading
from mnemic.domain.provenance import is_ones_own
from mnemic.errors import NotFoundError, StorageError
from mnemic.text.quoting import as_fact, block

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.domain.documents import Located
    from mnemic.domain.entries import IndexedEntry
    from mnemic.services.bundle import Bundle

RECENT = 2
"""So many of the documents that are loaded while they are recent (a month's time line each) count as recent."""
_MOST = 500
_MEMORIES = (Source.MEMORY,)


class Resident(NamedTuple):
    """One text of the system slot; `id` is a reference, `text` ready to be shown."""

    id: str
    why: Why
    text: str


def summaries(bundle: Bundle, name: str, trusted: float = 0.0) -> Iterator[Resident]:
    """The overviews of a bundle, each whole; `name` is the bundle's in references, empty for the first.

    `trusted`, here and below: those whose sources are believed at least so much.
    """
    where = Where(sources=_MEMORIES, kinds=("summary",), min_authority=trusted)
    return _whole(bundle, name, where, Why.SUMMARY, None)


def always(bundle: Bundle, name: str, trusted: float = 0.0) -> Iterator[Resident]:
    """Memories, or parts of them, that are always loaded; the most salient first."""
    where = Where(sources=_MEMORIES, loadings=(Loading.ALWAYS,), min_authority=trusted)
    return _whole(bundle, name, where, Why.ALWAYS, Loading.ALWAYS)


def recent(bundle: Bundle, name: str, trusted: float = 0.0) -> Iterator[Resident]:
    """The newest of those that are loaded while they are recent."""
    where = Where(sources=_MEMORIES, loadings=(Loading.RECENT,), min_authority=trusted)
    return _whole(bundle, name, where, Why.RECENT, Loading.RECENT, newest=RECENT)


def offered(bundle: Bundle, name: str, trusted: float = 0.0) -> Iterator[Resident]:
    """A line for each knowledge or workflow that an agent may ask for by name (`auto_invoke`): name and description."""
    for entry in _entries(bundle, Where(sources=_MEMORIES, offered=True, min_authority=trusted)):
        called = entry.id.rpartition("/")[2]
        sign = "/" if entry.kind == "workflow" else "#"
        told = as_fact(entry.description or entry.title)
        named = reference(name, entry.id)
        yield Resident(named, Why.OFFERED, f"- {sign}{called}: {told} [{named}]")


def quoted(bundle: str, located: Located, text: str) -> str:
    """A memory's text as data: in a block with its id, kind, origin and day."""
    memory = located.memory
    return block(
        text,
        id=reference(bundle, memory.id),
        kind=memory.kind,
        title=memory.title,
        origin=memory.provenance.origin or "",
        changed=f"{memory.changed_at:%Y-%m-%d}",
    )


def _whole(  # noqa: PLR0913 - which memories, and what of them
    bundle: Bundle, name: str, where: Where, why: Why, loading: Loading | None, *, newest: int | None = None
) -> Iterator[Resident]:
    chosen = _entries(bundle, where)
    if newest is not None:
        chosen = sorted(chosen, key=lambda entry: (-entry.changed_at, entry.id))[:newest]
    for entry in chosen:
        if not is_ones_own(entry.origin, verified=entry.verified) and why is Why.SUMMARY:
            continue  # what an agent sums up stands before every conversation only when somebody vouches for it
        try:
            located = bundle.store.find(entry.id)
        except (NotFoundError, StorageError):
            continue  # gone or unreadable since it was indexed: `check` tells
        text = located.memory.body if loading is None else loaded_text(located.memory, loading)
        if text.strip():
            yield Resident(reference(name, entry.id), why, quoted(name, located, text))


def _entries(bundle: Bundle, where: Where) -> list[IndexedEntry]:
    current = replace(where, current_at=bundle.clock.now())  # what was so once is no fact any more
    with bundle.index.reading() as index:
        rows = index.by_prior(current, _MOST)
        entries = index.entries(rows)
    return [entries[row] for row in rows if row in entries]
