"""The index that is in memory alone: it answers as the one on disk does, and leaves nothing there."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index_samples import ALL, EMBEDDER, SPACE, a_document, an_entry, an_index, ids, notes

from mnemic.adapters.sqlite.passing import PassingIndex
from mnemic.domain.entries import Where
from mnemic.domain.memory import State

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.ports import SearchIndex

EVERYTHING = Where(states=())
texts = st.dictionaries(
    st.sampled_from("abcdef"),
    st.lists(st.sampled_from(("cat", "dog", "owl", "heron")), min_size=1, max_size=5).map(" ".join),
    min_size=1,
)


def answers(index: SearchIndex) -> list[object]:
    """What it finds, by words and by meaning, with the scores."""
    for text in (pending := index.pending(SPACE, ALL)):
        index.put_vectors(SPACE, [text], EMBEDDER.embed_passages([text.text]))
    assert index.pending_count(SPACE) == 0
    assert len(pending) > 0
    query = EMBEDDER.embed_queries(["cat"])[0]
    with index.reading() as reader:
        words = reader.lexical(["cat", "heron"], EVERYTHING, ALL)
        near = reader.semantic(SPACE, query, EVERYTHING, ALL)
        return [
            reader.statistics(),
            reader.counts(),
            sorted((*ids(reader, [hit.entry]), hit.score) for hit in words),
            sorted((*ids(reader, [hit.entry]), hit.cosine) for hit in near),
        ]


@given(texts)
def test_it_answers_as_the_index_on_disk_does(tmp_path_factory: pytest.TempPathFactory, told: dict[str, str]) -> None:
    on_disk, passing = an_index(tmp_path_factory.mktemp("index")), PassingIndex()
    for index in (on_disk, passing):
        index.update(notes(**told, gone="cat"))
        index.update([], ["gone.md"])

    assert answers(passing) == answers(on_disk)
    assert passing.indexed().paths == on_disk.indexed().paths
    assert passing.digests(["a.md", "z.md"]) == on_disk.digests(["a.md", "z.md"])
    passing.discard()


def test_it_is_current_whatever_is_in_files_and_gone_when_it_is_discarded(tmp_path: Path) -> None:
    index = PassingIndex()
    index.update([a_document("a.md", an_entry("a", "cat", state=State.ACTIVE))])

    assert index.is_current([], [])
    assert not index.erasure_owed()
    with index.hurried(), index.erasing(), index.settling() as noted:
        assert noted == ()
    index.touch([])
    index.finish_erasure()
    assert list(tmp_path.iterdir()) == []
    index.discard()
    with pytest.raises(sqlite3.ProgrammingError), index.reading() as reader:
        reader.counts()
