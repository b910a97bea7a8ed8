"""What a receipt of an erasure is made of: how much there was, in which words, and what is left of them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemic.errors import MnemicError, StorageError
from mnemic.services.erasing.footprint import texts_of
from mnemic.services.erasing.scan import beyond, look_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mnemic.domain.documents import Located
    from mnemic.domain.erasure import Receipt
    from mnemic.services.bundle import Bundle


def sizes(bundle: Bundle) -> dict[str, int]:
    """How much there is of what is counted by how much less there is of it afterwards."""
    remains = bundle.remains()
    found = {} if remains is None else {"copies": len(remains.paths(".recovery"))}
    with suppress(StorageError), bundle.index.reading() as index:
        counts = index.counts()
        return {**found, "entries": counts.entries, "vectors": counts.vectors}
    return found


def words(
    bundle: Bundle, said: Iterable[str], documents: Iterable[Located], turns: Mapping[str, Sequence[int]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """All that goes, in words: what is looked for afterwards, and the texts that have vectors."""
    from mnemic.services.upkeep.indexing import entries_of_document

    texts, keys = list(said), list[str]()
    for one in documents:
        texts += texts_of(one.memory)
        with suppress(MnemicError):
            for entry in entries_of_document(bundle.store.read(one.path), bundle.zone):
                keys += (*entry.embed, *entry.embed_near)
    for session, numbers in turns.items():
        with suppress(MnemicError):
            texts += [turn.text for turn in bundle.sessions.read(session).turns if turn.number in numbers]
    return tuple(dict.fromkeys(texts)), tuple(dict.fromkeys(keys))


def searched(bundle: Bundle, receipt: Receipt, texts: Sequence[str], keys: Sequence[str]) -> Receipt:
    """The receipt with what a search through everything has found."""
    found = look_for(bundle, texts, keys=keys)
    if found is None:
        return receipt
    return replace(
        receipt,
        searched=found.searched,
        found=found.traces,
        elsewhere=found.elsewhere,
        beyond=beyond(found.searched.repository),
    )
