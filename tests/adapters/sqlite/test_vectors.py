"""Search by vectors: the answers of a plain matrix product, whatever happened to the rows before."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from index_samples import ALL, EMBEDDER, SPACE, a_document, an_entry, an_index, embed_all, ids, notes, query

from mnemic.adapters.sqlite import care
from mnemic.domain.entries import Source, Where
from mnemic.domain.memory import State
from mnemic.domain.spaces import Space

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.adapters.sqlite.index import SqliteIndex
    from mnemic.domain.entry import IndexedDocument
    from mnemic.ports import IndexReader

EVERYTHING = Where(states=())
SMALL = Space(model="small", version="1", build="x", dim=70)
"""A dimension that fills no whole number of words, nor of bytes."""


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    return an_index(tmp_path)


def clustered(rows_: int, dim: int, seed: int = 1) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Rows of length 1 around a few centers, as the vectors of texts lie."""
    rng = np.random.default_rng(seed)
    centers = rng.standard_normal((20, dim))
    rows = centers[rng.integers(0, len(centers), rows_)] + 0.7 * rng.standard_normal((rows_, dim))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def put(index: SqliteIndex, vectors: np.ndarray[tuple[int, int], np.dtype[np.float32]], space: Space = SMALL) -> None:
    """One entry a row, named by its number."""
    index.update([a_document("all.md", *(an_entry(f"e{n}", f"text {n}") for n in range(len(vectors))))])
    waiting = index.pending(space, ALL)
    order = [int(text.text.removeprefix("text ")) for text in waiting]
    index.put_vectors(space, waiting, vectors[order])


def nearest(
    index: SqliteIndex, vector: np.ndarray[tuple[int], np.dtype[np.float32]], limit: int = ALL
) -> dict[str, tuple[float, float]]:
    with index.reading() as reader:
        hits = reader.semantic(SMALL, vector, EVERYTHING, limit)
        names = ids(reader, [hit.entry for hit in hits])
    return {name: (hit.cosine, hit.z) for name, hit in zip(names, hits, strict=True)}


@pytest.mark.parametrize("packed", [False, True])
def test_cosines_and_z_are_those_of_the_plain_product(index: SqliteIndex, packed: bool) -> None:  # noqa: FBT001
    vectors = clustered(300, SMALL.dim)
    put(index, vectors)
    if packed:
        index.compact()
    kept = vectors.astype(np.float16).astype(np.float64)

    for asked in clustered(5, SMALL.dim, seed=2):
        cosines = kept @ asked
        order = np.argsort(-cosines, kind="stable")
        found = nearest(index, asked)

        assert list(found) == [f"e{number}" for number in order]
        assert [cosine for cosine, _ in found.values()] == pytest.approx(cosines[order], abs=1e-9)
        expected = (cosines[order] - cosines.mean()) / cosines.std()
        assert [z for _, z in found.values()] == pytest.approx(expected, abs=2e-4)


def test_z_is_right_where_all_cosines_are_alike(index: SqliteIndex) -> None:
    """Some models put every text near every other: the spread is a hundredth of the mean."""
    vectors = clustered(500, SMALL.dim) * np.float32(0.05) + np.float32(1 / np.sqrt(SMALL.dim))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    put(index, vectors)
    index.compact()
    asked = vectors[3]
    cosines = vectors.astype(np.float16).astype(np.float64) @ asked

    found = nearest(index, asked)

    assert cosines.std() < 0.02 * cosines.mean()
    assert found["e3"][1] == pytest.approx((cosines[3] - cosines.mean()) / cosines.std(), rel=1e-3)


def test_a_space_of_equal_texts_tells_nothing_apart(index: SqliteIndex) -> None:
    index.update(notes(a="same words", b="same words"))
    embed_all(index)

    with index.reading() as reader:
        hits = reader.semantic(SPACE, query("other words"), Where(), 9)

    assert [hit.z for hit in hits] == [0.0, 0.0]


def test_a_query_of_zeros_is_no_error(index: SqliteIndex) -> None:
    put(index, clustered(10, SMALL.dim))

    assert {cosine for cosine, _ in nearest(index, np.zeros(SMALL.dim, np.float32)).values()} == {0.0}


def test_an_entry_is_as_near_as_the_nearest_of_its_texts(index: SqliteIndex) -> None:
    index.update([a_document("a.md", an_entry("a", "x", embed=("apples and pears", "bicycles"))), *notes(b="cars")])
    embed_all(index)

    with index.reading() as reader:
        hits = reader.semantic(SPACE, query("bicycles"), Where(), 9)
        assert ids(reader, [hit.entry for hit in hits]) == ["a", "b"]
    assert hits[0].cosine == pytest.approx(1.0, abs=1e-3)


def test_an_entry_of_many_near_texts_leaves_room_for_others(index: SqliteIndex) -> None:
    """Its hundred rows are nearer than any other: two entries asked for are two entries given."""
    many = an_entry("a", "x", embed=tuple(f"bicycle bicycle bicycle {number}" for number in range(100)))
    index.update([a_document("a.md", many), *notes(b="bicycle pump", c="car")])
    embed_all(index)
    index.compact()

    with index.reading() as reader:
        hits = reader.semantic(SPACE, query("bicycle"), Where(), 2)
        assert ids(reader, [hit.entry for hit in hits]) == ["a", "b"]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("limit", [0, 1, 3, 7])
def test_equally_near_entries_come_by_row_wherever_the_limit_falls(
    index: SqliteIndex,
    limit: int,
    packed: bool,  # noqa: FBT001
) -> None:
    index.update(a_document(f"{number}.md", an_entry(f"e{number}", "same words")) for number in range(40))
    embed_all(index)
    if packed:
        index.compact()

    with index.reading() as reader:
        hits = reader.semantic(SPACE, query("same"), Where(), limit)
        assert ids(reader, [hit.entry for hit in hits]) == [f"e{number}" for number in range(limit)]


def test_similarity_is_the_same_measure_for_given_entries(index: SqliteIndex) -> None:
    index.update([*notes(a="apples", b="bicycles", c="cars"), a_document("n.md", an_entry("n", "no vector", embed=()))])
    embed_all(index)
    index.compact()
    index.update(notes(d="dogs and cars"))
    embed_all(index)

    with index.reading() as reader:
        row = reader.find(["a", "b", "c", "d", "n"])
        near = {hit.entry: hit for hit in reader.semantic(SPACE, query("cars"), Where(), 9)}
        given = reader.similarity(SPACE, query("cars"), [row["d"], row["a"], row["n"], row["a"], 12345])
        assert given == {row["a"]: near[row["a"]], row["d"]: near[row["d"]]}
        assert reader.similarity(SPACE, query("cars"), []) == {}


def test_what_died_in_a_pack_is_left_out(index: SqliteIndex) -> None:
    index.update(notes(a="apples", b="bicycles", c="cars"))
    embed_all(index)
    index.compact()

    index.update([], ["b.md"])

    with index.reading() as reader:
        row = reader.find(["a", "c"])
        spread = reader.spread(SPACE, query("bicycles"))
        assert {hit.entry for hit in reader.semantic(SPACE, query("bicycles"), EVERYTHING, 9)} == set(row.values())
        assert set(reader.similarity(SPACE, query("x"), [1, 2, 3])) == set(row.values())
    assert spread is not None
    assert spread.count == 2


def test_a_pack_is_written_once_many_vectors_are_in_none(index: SqliteIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(care, "_TAIL_ROWS", 50)
    vectors = clustered(120, SMALL.dim)

    put(index, vectors)

    assert len(list(index.path.parent.glob("vectors-*.pack"))) == 1
    assert len(nearest(index, vectors[0])) == 120


def test_a_pack_is_written_anew_once_much_of_it_is_dead(index: SqliteIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(care, "_TAIL_ROWS", 50)
    put(index, clustered(120, SMALL.dim))
    before = {path.name for path in index.path.parent.glob("vectors-*.pack")}

    index.update([a_document("all.md", *(an_entry(f"e{number}", f"text {number}") for number in range(9)), version=2)])

    after = {path.name for path in index.path.parent.glob("vectors-*.pack")}
    assert len(before) == len(after) == 1
    assert before != after
    assert set(nearest(index, clustered(1, SMALL.dim)[0])) == {f"e{number}" for number in range(9)}


def test_sign_bits_find_nearly_what_the_exact_search_finds(tmp_path: Path) -> None:
    exact, quick = an_index(tmp_path), an_index(tmp_path)
    quick._memo.spaces.exact_rows = 1_000
    vectors = clustered(6_000, 384)
    space = Space(model="m", version="1", build="b", dim=384)
    put(exact, vectors, space)
    exact.compact()
    shared = total = 0

    for asked in clustered(20, 384, seed=5):
        found = []
        for index in (exact, quick):
            with index.reading() as reader:
                found.append({hit.entry: hit for hit in reader.semantic(space, asked, EVERYTHING, 10)})
        shared += len(found[0].keys() & found[1].keys())
        total += 10
        for entry in found[0].keys() & found[1].keys():
            assert found[0][entry] == found[1][entry]

    assert shared / total >= 0.95


def test_sign_bits_look_only_at_what_the_filter_lets_through(index: SqliteIndex) -> None:
    """Also where that is a small part of all, far from the query."""
    index._memo.spaces.exact_rows = 100
    vectors = clustered(6_000, SMALL.dim)
    entries = (
        an_entry(
            f"e{n}",
            f"text {n}",
            kind="rare" if n % 1_000 == 7 else "note",
            state=State.ARCHIVED if n % 5 else State.ACTIVE,
        )
        for n in range(6_000)
    )
    index.update([a_document("all.md", *entries)])
    waiting = index.pending(SMALL, ALL)
    index.put_vectors(SMALL, waiting, vectors[[int(text.text.removeprefix("text ")) for text in waiting]])
    index.compact()

    with index.reading() as reader:
        rare = ids(reader, [h.entry for h in reader.semantic(SMALL, vectors[0], Where(states=(), kinds=("rare",)), 9)])
        many = reader.semantic(SMALL, vectors[0], Where(states=(State.ARCHIVED,)), 5)
        active = reader.semantic(SMALL, vectors[0], Where(), 5)
        assert set(rare) == {f"e{n}" for n in range(7, 6_000, 1_000)}
        assert {entry.state for entry in reader.entries([hit.entry for hit in many]).values()} == {State.ARCHIVED}
        assert ids(reader, [hit.entry for hit in active])[0] == "e0"


# -- any order of events ----------------------------------------------------------------------------------------


class Interleaved(RuleBasedStateMachine):
    """An index that lives through anything answers as one that is built of the end alone."""

    names = st.sampled_from("abcdef")
    texts = st.lists(
        st.sampled_from(["red apple", "green apple", "blue car", "old car", "cat"]), min_size=1, max_size=3
    )

    folder: Path
    numbers = count()

    def __init__(self) -> None:
        super().__init__()
        self.documents: dict[str, list[str]] = {}
        self.embedded: set[str] = set()
        self.version = 0

    @initialize(exact_rows=st.sampled_from([None, 0]))
    def begin(self, exact_rows: int | None) -> None:
        """By every cosine, or by sign bits first."""
        self.exact_rows = exact_rows
        self.index = self._opened(f"i{next(self.numbers)}")

    @rule(name=names, texts=texts)
    def update(self, name: str, texts: list[str]) -> None:
        self.version += 1
        self.documents[name] = texts
        self.index.update([self._document(name, self.version)])
        self._forget()

    @rule(name=names)
    def delete(self, name: str) -> None:
        self.documents.pop(name, None)
        self.index.update([], [f"{name}.md"])
        self._forget()

    @rule(limit=st.integers(1, 4))
    def embed(self, limit: int) -> None:
        waiting = self.index.pending(SPACE, limit)
        if waiting:
            self.index.put_vectors(SPACE, waiting, EMBEDDER.embed_passages([text.text for text in waiting]))
            self.embedded |= {text.text for text in waiting}

    @precondition(lambda self: bool(self.documents))
    @rule()
    def compact(self) -> None:
        self.index.compact()

    @rule()
    def start_anew(self) -> None:
        """Another process: nothing remembered."""
        self.index.close()
        self.index = self._opened(self.index.path.parent.name)

    @invariant()
    def the_queue_holds_what_is_not_embedded(self) -> None:
        texts = {text for texts in self.documents.values() for text in texts}
        assert {text.text for text in self.index.pending(SPACE, ALL)} == texts - self.embedded
        assert self.index.pending_count(SPACE) == len(texts - self.embedded)

    @rule()
    def compare_with_a_rebuild(self) -> None:
        rebuilt = self._opened(f"r{next(self.numbers)}")
        rebuilt.update([self._document(name, 1) for name in sorted(self.documents)])
        while waiting := [text for text in rebuilt.pending(SPACE, ALL) if text.text in self.embedded]:
            rebuilt.put_vectors(SPACE, waiting, EMBEDDER.embed_passages([text.text for text in waiting]))
        with self.index.reading() as reader, rebuilt.reading() as other:
            found, expected = scored(reader), scored(other)
            assert plain(reader) == plain(other)
        rebuilt.close()
        for way, scores in expected.items():
            assert found[way] == pytest.approx(scores, abs=1e-3), way

    def teardown(self) -> None:
        self.compare_with_a_rebuild()
        self.index.close()

    def _opened(self, name: str) -> SqliteIndex:
        index = an_index(self.folder / name)
        index._memo.spaces.exact_rows = self.exact_rows
        return index

    def _document(self, name: str, version: int) -> IndexedDocument:
        entries = (
            an_entry(f"{name}#{number}", text, source=Source.TURN, group=name, position=number)
            for number, text in enumerate(self.documents[name])
        )
        return a_document(f"{name}.md", *entries, version=version)

    def _forget(self) -> None:
        """A text that is nowhere any more loses its vector."""
        self.embedded &= {text for texts in self.documents.values() for text in texts}


WORDS = ["red", "appl", "car", "cat", "blue", "old", "green"]


def scored(reader: IndexReader) -> dict[str, dict[str, float]]:
    """Every answer that has numbers, by name instead of row."""

    def named(scores: dict[int, float]) -> dict[str, float]:
        entries = reader.entries(list(scores))
        return {entries[row].id: score for row, score in scores.items()}

    near = reader.semantic(SPACE, query("apple"), Where(), ALL)
    similar = reader.similarity(SPACE, query("car"), [hit.entry for hit in near])
    return {
        "near": named({hit.entry: hit.cosine for hit in near}),
        "near, standardized": named({hit.entry: hit.z for hit in near}),
        "similar": named({row: hit.cosine for row, hit in similar.items()}),
        "similar, standardized": named({row: hit.z for row, hit in similar.items()}),
        "words": named({hit.entry: hit.score for hit in reader.lexical(WORDS, Where(), ALL)}),
        "groups": {f"{place}": s for place, s in enumerate(sorted(reader.groups(WORDS, ALL).values()))},
    }


def plain(reader: IndexReader) -> list[object]:
    """Every answer without numbers that could be rounded."""
    return [
        reader.document_frequency(WORDS),
        reader.group_frequency(WORDS),
        [reader.close_terms(word) for word in ("aplp", "gree", "carr")],
        reader.counts(),
        reader.statistics(),
        reader.census(),
    ]


def test_any_interleaving_gives_the_answers_of_a_rebuild(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(care, "_TAIL_ROWS", 2)  # packs are written, and dead rows counted, at every turn
    Interleaved.folder = tmp_path
    machine = Interleaved.TestCase()
    # Without looking for fewer steps to the same failure: that takes minutes, and the steps are printed anyway.
    machine.settings = settings(
        phases=[Phase.generate],
        max_examples=20,
        stateful_step_count=14,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    machine.runTest()
