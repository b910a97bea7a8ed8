"""Old texts, searchable for one question, in an index that is in memory alone."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from mnemic.domain.documents import Document, Located, Stamp
from mnemic.domain.entries import Source
from mnemic.domain.entry import IndexedDocument
from mnemic.domain.revision import revision
from mnemic.errors import EmbedderError
from mnemic.services.bundle import no_history
from mnemic.services.upkeep.embedding import embed_pending, waiting
from mnemic.services.upkeep.indexing import entries_of_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle

MOST_EMBEDDED = 200
"""Old texts that get vectors for one question; where there are more, they are found by their words."""


@contextmanager
def revived(bundle: Bundle, memories: Iterable[Memory], *, vectors: bool) -> Iterator[tuple[Bundle, tuple[str, ...]]]:
    """A bundle that holds these memories and nothing else, while it is asked; and in words what is missing in it.

    Args:
        bundle: Whose they are.
        memories: As they were.
        vectors: Give their texts vectors, where embedders are at hand.
    """
    index = bundle.passing_index()
    try:
        index.update(_documents(bundle, memories))
        past = replace(bundle, index=index, history=no_history)
        yield past, _embedded(past) if vectors else ()
    finally:
        index.discard()


def as_it_was(memory: Memory) -> Located:
    """A memory of then in the place where it stood."""
    return Located(memory=memory, path=f"{memory.id.partition('#')[0]}.md", line=1, revision=revision(memory))


def _documents(bundle: Bundle, memories: Iterable[Memory]) -> Iterator[IndexedDocument]:
    by_path: dict[str, dict[str, Located]] = {}
    for located in map(as_it_was, memories):
        by_path.setdefault(located.path, {})[located.memory.id] = located
    for path, there in by_path.items():
        digest = sha256(path.encode("utf-8", "surrogatepass")).hexdigest()
        document = Document(path=path, sha256=digest, memories=tuple(there.values()))
        yield IndexedDocument(
            stamp=Stamp(path, 0, 0, 0),
            sha256=digest,
            source=Source.MEMORY,
            entries=entries_of_document(document, bundle.zone),
        )


def _embedded(past: Bundle) -> tuple[str, ...]:
    try:
        if not (left := waiting(past)):
            return ()
        if left <= MOST_EMBEDDED * len(past.engines().embedders):
            embed_pending(past)
            return ()
    except EmbedderError as error:
        return (f"earlier texts have no vectors: {error.message}",)
    return (f"{left:,} earlier texts are too many to be embedded for one question: they were found by their words",)
