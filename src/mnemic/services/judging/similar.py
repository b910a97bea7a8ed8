"""Memories that say the same, or nearly: looked for before a new one is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.domain.entries import Source, Where
from mnemic.domain.memory import Scope
from mnemic.domain.revision import normal_body
from mnemic.errors import MemoryNotFoundError
from mnemic.text.analyzer import terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Memory
    from mnemic.ports import IndexReader
    from mnemic.services.bundle import Bundle

NEAR = 0.8
"""Share of common terms (Jaccard) from which two texts say nearly the same."""
_RAREST = 6
_LOOKED_AT = 8


def similar_memories(bundle: Bundle, memory: Memory) -> tuple[Located | None, tuple[str, ...]]:
    """The memory that says exactly this (same kind and text), if any, and ids of those that say nearly this."""
    words = set(terms(f"{memory.title} {memory.body}"))
    if not words:
        return None, ()
    with bundle.index.reading() as index:
        candidates = _candidates(index, words)
    near: list[str] = []
    for candidate in candidates:
        try:
            other = bundle.store.find(candidate)
        except MemoryNotFoundError:
            continue
        if _same(other.memory, memory):
            return other, ()
        theirs = set(terms(f"{other.memory.title} {other.memory.body}"))
        if len(words & theirs) >= NEAR * len(words | theirs):
            near.append(other.memory.id)
    return None, tuple(near)


def _same(one: Memory, other: Memory) -> bool:
    """Whether they are of one kind and say the same; of memories without a text the title is what they say."""
    text = normal_body(one.body)
    if one.kind != other.kind or text != normal_body(other.body) or not _is_about_the_same(one, other):
        return False
    return bool(text) or one.title == other.title


def _is_about_the_same(one: Memory, other: Memory) -> bool:
    """Whether equal texts can be the same statement: "it failed" of two plans is not, nor "tea" of two people."""
    nobody = Scope()
    same_scope = one.scope == other.scope or nobody in {one.scope, other.scope}
    return same_scope and (one.outcome_of, one.result) == (other.outcome_of, other.result)


def _candidates(index: IndexReader, words: Iterable[str]) -> list[str]:
    """Ids of active memories that share the rarest words of the text."""
    known = {word: count for word, count in index.document_frequency(sorted(words)).items() if count}
    rarest = sorted(known, key=lambda word: (known[word], word))[:_RAREST]
    hits = index.lexical(rarest, Where(sources=(Source.MEMORY,)), _LOOKED_AT)
    rows = list(dict.fromkeys(hit.entry for hit in hits))
    found = index.entries(rows)
    return [found[row].id for row in rows]
