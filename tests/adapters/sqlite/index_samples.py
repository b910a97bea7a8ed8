"""Entries and documents to index, as small as a test needs them."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from mnemic.adapters.sqlite.index import SqliteIndex
from mnemic.domain.documents import Stamp
from mnemic.domain.entries import Source
from mnemic.domain.entry import Entry, EntryPassage, IndexedDocument
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from mnemic.domain.spaces import Space
    from mnemic.ports import IndexReader

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)
EMBEDDER = FakeEmbedder()
SPACE = EMBEDDER.space
ALL = 10_000
"""More than any test holds."""


def an_index(folder: Path) -> SqliteIndex:
    """An index whose writers exclude each other within this process, which is all that most tests need."""
    return SqliteIndex(folder / "index.db", threading.RLock)


def an_entry(id_: str, text: str = "", /, **fields: object) -> Entry:
    """A note of one passage that is embedded as it is; `text` may have several lines, a passage each."""
    words = text or f"about {id_}"
    source = fields.get("source", Source.MEMORY)
    defaults: dict[str, object] = {
        "uid": "",
        "source": Source.MEMORY,
        "group": id_,
        "position": 0,
        "kind": "note",
        "title": id_,
        "passages": tuple(EntryPassage(text=line, line=number) for number, line in enumerate(words.split("\n"), 1)),
        "line": 1,
        "recorded_at": NOON,
        "changed_at": NOON,
        "embed": (words,),
        "names": () if source is Source.TURN else (id_,),
    }
    return Entry(id=id_, **{**defaults, **fields})  # type: ignore[arg-type]


def a_document(path: str, *entries: Entry, version: int = 1, **fields: object) -> IndexedDocument:
    """A file with these entries; another `version` is another content."""
    defaults: dict[str, object] = {
        "stamp": Stamp(path, version, version, version),
        "sha256": f"{path}:{version}",
        "source": entries[0].source if entries else Source.MEMORY,
        "entries": entries,
    }
    return IndexedDocument(**{**defaults, **fields})  # type: ignore[arg-type]


def a_session(name: str, *texts: str, version: int = 1) -> IndexedDocument:
    """A conversation: one turn a text."""
    turns = (
        an_entry(f"session:{name}#{number}", text, source=Source.TURN, group=f"session:{name}", position=number - 1)
        for number, text in enumerate(texts, 1)
    )
    return a_document(f".mnemic/sessions/{name}.jsonl", *turns, version=version)


def notes(**texts: str) -> list[IndexedDocument]:
    """One document a text, named by its keyword."""
    return [a_document(f"{name}.md", an_entry(name, text)) for name, text in texts.items()]


def embed_all(index: SqliteIndex, space: Space = SPACE) -> None:
    """Give every text its vector."""
    while waiting := index.pending(space, 100):
        index.put_vectors(space, waiting, EMBEDDER.embed_passages([text.text for text in waiting]))


def query(text: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """The vector of a query."""
    return EMBEDDER.embed_queries([text])[0]


def ids(reader: IndexReader, rows: list[int]) -> list[str]:
    """What rows are, in their order."""
    found = reader.entries(rows)
    return [found[row].id for row in rows]


def day(text: str) -> date:
    """A date."""
    return date.fromisoformat(text)
