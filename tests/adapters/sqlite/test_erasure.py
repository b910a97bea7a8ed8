"""After compacting, no byte of what was deleted is left in any file of the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_samples import EMBEDDER, a_document, a_session, an_entry, an_index, embed_all, notes

from mnemic.domain.entries import Where
from mnemic.domain.entry import EntryPassage
from mnemic.errors import IndexUnavailableError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.adapters.sqlite.index import SqliteIndex

MARK = "xylophonquark"
"""A word that nothing else holds, and that the analyzer keeps as it is."""


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    return an_index(tmp_path)


def holders(index: SqliteIndex, *traces: bytes) -> list[str]:
    """Files in which any of the traces is found; full-text segments leave out what words have in common."""
    wanted = traces or (MARK.encode(), MARK[1:].encode(), MARK[-8:].encode())
    files = (path for path in index.path.parent.rglob("*") if path.is_file())
    return [path.name for path in files if any(trace in path.read_bytes() for trace in wanted)]


def marked() -> list[object]:
    """A document that holds the word in every field, and in no other place."""
    everywhere = an_entry(
        f"people/{MARK}",
        f"about {MARK}",
        uid=MARK,
        title=MARK,
        description=MARK,
        tags=(MARK,),
        names=(MARK,),
        links=(MARK,),
        speaker=MARK,
        claim=(MARK, MARK),
        scope=MARK,
        origin=MARK,
        kind=MARK,
        privacy=MARK,
        passages=(EntryPassage(text=MARK, context=f"{MARK} and more"),),
    )
    return [a_document(f"people/{MARK}.md", everywhere, sha256=MARK)]


def test_a_deleted_document_leaves_no_byte(index: SqliteIndex) -> None:
    others = notes(**{f"n{number}": f"ordinary text number{number} xylo phon" for number in range(50)})
    index.update([*others[:25], *marked(), *others[25:]])
    embed_all(index)
    index.compact()
    before = holders(index)

    index.update([], [f"people/{MARK}.md"])
    index.compact()

    assert before == ["index.db"]
    assert holders(index) == []
    with index.reading() as reader:
        assert reader.counts().documents == 50
        assert len(reader.lexical(["text"], Where(), 99)) == 50


def test_an_erased_turn_leaves_no_byte_and_its_session_stays(index: SqliteIndex) -> None:
    index.update([a_session("s", "hello", f"the word is {MARK}", "bye")])
    embed_all(index)

    index.update([a_session("s", "hello", "bye", version=2)])
    index.compact()

    assert holders(index) == []
    with index.reading() as reader:
        assert reader.counts().entries == 2


def test_the_old_words_of_a_changed_document_leave_no_byte(index: SqliteIndex) -> None:
    """Changed again and again, so that full-text segments pile up and are merged."""
    for version in range(1, 40):
        index.update(
            [a_document("a.md", an_entry("a", f"version {version} {MARK}{'abc'[version % 3]}"), version=version)]
        )
    index.update([a_document("a.md", an_entry("a", "clean"), version=99)])

    index.compact()

    assert holders(index) == []


def test_the_vector_of_a_deleted_text_is_in_no_file(index: SqliteIndex) -> None:
    index.update(notes(a="one text", b="another text"))
    embed_all(index)
    index.compact()
    vector = EMBEDDER.embed_passages(["one text"])[0]
    traces = (vector.astype(np.float16).tobytes(), vector.astype(np.float16).tobytes()[16:80])
    before = holders(index, *traces)

    index.update([], ["a.md"])
    index.compact()

    assert len(before) == 2  # the database and its pack
    assert holders(index, *traces) == []


def test_packs_of_an_earlier_index_are_swept_away(index: SqliteIndex) -> None:
    index.update(notes(a="one text"))
    embed_all(index)
    index.compact()
    index.path.unlink()
    index.path.with_name("vectors-1-7.pack.4711.tmp").write_bytes(b"left by a killed process")

    index.update(notes(b="two"))
    index.compact()

    assert sorted(path.name for path in index.path.parent.glob("vectors*")) == []


@settings(max_examples=15)
@given(
    texts=st.lists(st.sampled_from([f"{MARK} one", f"two {MARK}", "three", "four five"]), min_size=1, max_size=8),
    steps=st.lists(st.integers(0, 7), max_size=8),
)
def test_whatever_was_done_before(tmp_path_factory: pytest.TempPathFactory, texts: list[str], steps: list[int]) -> None:
    index = an_index(tmp_path_factory.mktemp("any"))
    index.update(a_document(f"{number}.md", an_entry(f"e{number}", text)) for number, text in enumerate(texts))
    for step in steps:
        index.update([a_document(f"{step}.md", an_entry(f"e{step}", f"{MARK} {step}"), version=step + 2)])

    index.update([], [f"{number}.md" for number in range(8)])
    index.compact()
    index.close()

    assert holders(index) == []


def test_a_reader_that_keeps_the_old_state_is_told_of(index: SqliteIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was deleted may then still be in the log, and compacting must not say that all is done."""
    monkeypatch.setattr("mnemic.adapters.sqlite.schema.WAIT_SECONDS", 0.05)
    index.update(marked())  # type: ignore[arg-type]
    other = an_index(index.path.parent)

    with other.reading() as reader:
        assert reader.counts().entries == 1
        index.update([], [f"people/{MARK}.md"])
        with pytest.raises(IndexUnavailableError, match="still read by another"):
            index.compact()

    index.compact()
    assert holders(index) == []
