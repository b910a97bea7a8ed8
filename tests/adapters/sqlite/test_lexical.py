"""Search by words: BM25 as SQLite computes it, filters as a plain loop applies them, words that are almost right."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_samples import ALL, EMBEDDER, NOON, SPACE, a_document, an_entry, an_index, embed_all, ids, notes

from mnemic.adapters.sqlite.lexical import edits
from mnemic.domain.entries import Source, Where
from mnemic.domain.memory import State
from mnemic.text.analyzer import terms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mnemic.adapters.sqlite.index import SqliteIndex
    from mnemic.domain.entry import Entry
    from mnemic.ports import IndexReader

EVERYTHING = Where(states=())
TEXTS = {
    "a": "anna has a cat and a dog",
    "b": "the cat sleeps, the cat eats, the cat runs",
    "c": "dogs bark at cats",
    "d": "nobody is here",
    "e": "anna has a cat and a dog",
}


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    return an_index(tmp_path)


@pytest.fixture(scope="module")
def animals(tmp_path_factory: pytest.TempPathFactory) -> SqliteIndex:
    index = an_index(tmp_path_factory.mktemp("animals"))
    index.update(notes(**TEXTS))
    return index


def bm25(texts: dict[str, str], expression: str) -> dict[str, float]:
    """What a plain full-text table of the same terms answers."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("create virtual table plain using fts5(terms)")
        names = dict(enumerate(texts, 1))
        db.executemany(
            "insert into plain(rowid, terms) values(?, ?)", ((r, " ".join(terms(texts[n]))) for r, n in names.items())
        )
        found = db.execute("select rowid, rank from plain where plain match ?", (expression,)).fetchall()
        return {names[row]: -rank for row, rank in found}


def scores(reader: IndexReader, words: list[str], where: Where = EVERYTHING) -> dict[str, float]:
    hits = reader.lexical(words, where, ALL)
    return dict(zip(ids(reader, [hit.entry for hit in hits]), (hit.score for hit in hits), strict=True))


@pytest.mark.parametrize("words", [["cat"], ["cat", "dog"], ["anna", "bark", "nothing"], ["dog", "dog"], ["zebra"]])
def test_scores_are_those_of_a_plain_full_text_table(animals: SqliteIndex, words: list[str]) -> None:
    with animals.reading() as reader:
        assert scores(reader, words) == pytest.approx(bm25(TEXTS, " OR ".join(words)))


def test_scores_do_not_depend_on_what_was_there_before(index: SqliteIndex) -> None:
    index.update(notes(**{name: f"cat {text} extra words" for name, text in TEXTS.items()}, gone="cat dog"))
    index.update([], ["gone.md"])
    index.update(a_document(f"{name}.md", an_entry(name, text), version=2) for name, text in TEXTS.items())

    with index.reading() as reader:
        assert scores(reader, ["cat", "dog"]) == pytest.approx(bm25(TEXTS, "cat OR dog"))


def test_the_best_come_first_and_equal_ones_by_row(animals: SqliteIndex) -> None:
    with animals.reading() as reader:
        hits = reader.lexical(["cat"], Where(), ALL)
        assert [(-hit.score, hit.passage) for hit in hits] == sorted((-hit.score, hit.passage) for hit in hits)
        assert ids(reader, [hit.entry for hit in hits])[0] == "b"


@pytest.mark.parametrize("where", [Where(), EVERYTHING, Where(sources=(Source.MEMORY,)), Where(kinds=("note",))])
def test_a_limit_cuts_the_same_list(index: SqliteIndex, where: Where) -> None:
    """Many passages tie; where the cut falls must not depend on how the search is done."""
    index.update(notes(**{f"n{number}": "cat" if number % 2 else "cat cat dog" for number in range(40)}))

    with index.reading() as reader:
        every = reader.lexical(["cat"], EVERYTHING, ALL)
        for limit in (0, 1, 7, 25, 40):
            assert reader.lexical(["cat"], where, limit) == every[:limit]


def test_inactive_entries_make_room_for_active_ones(index: SqliteIndex) -> None:
    """The best three are archived: an answer of two still has two."""
    archived = (a_document(f"x{n}.md", an_entry(f"x{n}", "cat", state=State.ARCHIVED)) for n in range(3))
    index.update([*archived, *notes(a="cat and more words", b="cat and many more words here")])

    with index.reading() as reader:
        assert ids(reader, [hit.entry for hit in reader.lexical(["cat"], Where(), 2)]) == ["a", "b"]


def test_a_star_stands_for_all_terms_that_begin_so(animals: SqliteIndex) -> None:
    with animals.reading() as reader:
        assert scores(reader, ["do*"]) == pytest.approx(bm25(TEXTS, "do*"))
        assert reader.document_frequency(["do*", "dog", "zz*"]) == {"do*": 3, "dog": 3, "zz*": 0}


def test_a_phrase_is_all_of_its_terms_in_this_order_next_to_each_other(animals: SqliteIndex) -> None:
    def found(text: str) -> list[str]:
        with animals.reading() as reader:
            return sorted(ids(reader, [hit.entry for hit in reader.phrase(terms(text), Where(), ALL)]))

    assert found("a cat and a dog") == ["a", "e"]
    assert found("the cat") == ["b"]
    assert found("cat the") == []  # "cat sleeps, the cat": never next to each other
    assert found("dog cat") == []
    assert found("") == []


@pytest.mark.parametrize(
    "words", [[], [""], ['"'], ['" OR x'], ["*"], ["NOT"], ["a AND b"], ["terms:cat"], ["^cat"], ["\x00"]]
)
def test_a_query_is_data_and_never_an_expression(animals: SqliteIndex, words: list[str]) -> None:
    with animals.reading() as reader:
        assert set(scores(reader, words)) <= {"c", "a", "b", "e"}
        assert set(scores(reader, [*words, "bark"])) >= {"c"}
        assert isinstance(reader.document_frequency(words), dict)


def test_thousands_of_terms_are_no_error(animals: SqliteIndex) -> None:
    with animals.reading() as reader:
        assert "c" in scores(reader, [*(f"w{number}" for number in range(5_000)), "bark"])


def test_frequencies_count_passages(index: SqliteIndex) -> None:
    index.update([a_document("a.md", an_entry("a", "cat cat\ncat dog\nbird")), *notes(b="dog")])

    with index.reading() as reader:
        assert reader.document_frequency(["cat", "dog", "bird", "fish"]) == {"cat": 2, "dog": 2, "bird": 1, "fish": 0}


def test_statistics_are_the_sums_of_what_is_there(index: SqliteIndex) -> None:
    index.update([a_document("a.md", an_entry("a", "one two three\nfour")), *notes(b="five six", c="gone")])
    index.update([], ["c.md"])

    with index.reading() as reader:
        sizes = reader.statistics()

    assert (sizes.entries, sizes.passages, sizes.groups, sizes.single_groups) == (2, 3, 2, 1)
    assert sizes.mean_length == pytest.approx(2.0)


# -- filters -----------------------------------------------------------------------------------------------------

KINDS = ("note", "belief")
TAGS = ("home", "Work")
GROUPS = ("g1", "g2")
SCOPES = ("", "anna", "bert")
MOMENTS = [NOON + timedelta(days=n) for n in (-2, 0, 2)]
maybe_moment = st.none() | st.sampled_from(MOMENTS)

entry_facts = st.fixed_dictionaries(
    {
        "source": st.sampled_from(Source),
        "kind": st.sampled_from(KINDS),
        "state": st.sampled_from(State),
        "tags": st.sets(st.sampled_from(TAGS)).map(lambda tags: tuple(sorted(tags))),
        "group": st.sampled_from(GROUPS),
        "scope": st.sampled_from(SCOPES),
        "valid_from": maybe_moment,
        "valid_until": maybe_moment,
        "recorded_at": st.sampled_from(MOMENTS),
        "authority": st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    }
)
wheres = st.builds(
    Where,
    sources=st.just(()) | st.lists(st.sampled_from(Source), unique=True).map(tuple),
    kinds=st.just(()) | st.lists(st.sampled_from([*KINDS, "other"]), unique=True).map(tuple),
    states=st.just((State.ACTIVE,)) | st.lists(st.sampled_from(State), unique=True).map(tuple),
    tags=st.just(()) | st.lists(st.sampled_from(["HOME", "work", "x"]), unique=True).map(tuple),
    scope=st.sampled_from(SCOPES),
    groups=st.just(()) | st.lists(st.sampled_from([*GROUPS, "g3"]), unique=True).map(tuple),
    valid_at=maybe_moment,
    as_of=maybe_moment,
    current_at=maybe_moment,
    changed_after=maybe_moment,
    lapsed=st.booleans(),
    without=st.frozensets(st.sampled_from(["u0", "u1", "u2", "u9"])),
    min_authority=st.sampled_from([0.0, 0.3, 0.4, 1.0]),
)


def lets_through(where: Where, entry: Entry) -> bool:
    """What a filter means, said once more."""
    tags = {tag.casefold() for tag in entry.tags}
    return all(
        (
            not where.sources or entry.source in where.sources,
            not where.kinds or entry.kind in where.kinds,
            not where.states or entry.state in where.states,
            not where.tags or any(tag.casefold() in tags for tag in where.tags),
            not where.scope or entry.scope in {"", where.scope},
            not where.groups or entry.group in where.groups,
            where.valid_at is None or entry.valid_from is None or entry.valid_from <= where.valid_at,
            where.valid_at is None or entry.valid_until is None or where.valid_at < entry.valid_until,
            where.as_of is None or entry.recorded_at <= where.as_of,
            where.current_at is None or entry.valid_until is None or where.current_at < entry.valid_until,
            where.changed_after is None or entry.changed_at > where.changed_after,
            entry.uid not in where.without,
            not where.lapsed or entry.state is not State.SUPERSEDED or entry.valid_until is not None,
            entry.authority >= where.min_authority,
        )
    )


@pytest.fixture(scope="module")
def varied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SqliteIndex, list[Entry]]]:
    """Entries that differ in every field a filter looks at, half of them in a pack."""
    index = an_index(tmp_path_factory.mktemp("varied"))
    spans = [(None, None), (MOMENTS[0], MOMENTS[1]), (MOMENTS[1], None), (None, MOMENTS[1])]
    fields = product(Source, KINDS, list(State)[:3], ((), TAGS[:1], TAGS), spans)
    entries = [
        an_entry(
            f"e{number}",
            f"cat{number} cat",
            source=source,
            kind=kind,
            state=state,
            tags=tags,
            valid_from=since,
            valid_until=until,
            group=GROUPS[number % 2],
            position=number,
            scope=SCOPES[number % 3],
            recorded_at=MOMENTS[number // 2 % 3],
            changed_at=MOMENTS[number // 3 % 3],
            uid=f"u{number % 5}",
            authority=(0.0, 0.3, 0.5, 1.0)[number % 4],
        )
        for number, (source, kind, state, tags, (since, until)) in enumerate(fields)
    ]
    for number, half in enumerate((entries[::2], entries[1::2])):
        grouped = [a_document(f"{number}{g}", *(e for e in half if e.group == g)) for g in GROUPS]
        index.update(document for document in grouped if document.entries)
        embed_all(index)
        if not number:
            index.compact()
    yield index, entries
    index.close()


@given(where=wheres)
def test_a_filter_lets_through_what_its_fields_say(varied: tuple[SqliteIndex, list[Entry]], where: Where) -> None:
    index, entries = varied
    expected = {entry.id for entry in entries if lets_through(where, entry)}

    with index.reading() as reader:
        by_way = {
            "lexical": [hit.entry for hit in reader.lexical(["cat"], where, ALL)],
            "phrase": [hit.entry for hit in reader.phrase(["cat"], where, ALL)],
            "semantic": [hit.entry for hit in reader.semantic(SPACE, EMBEDDER.embed_queries(["cat"])[0], where, ALL)],
            "prior": reader.by_prior(where, ALL),
            "said": reader.said_between(MOMENTS[0].timestamp(), MOMENTS[2].timestamp() + 1, where, ALL),
        }
        found = {way: sorted(ids(reader, rows)) for way, rows in by_way.items()}

    assert found == dict.fromkeys(by_way, sorted(expected))


@pytest.mark.parametrize(
    "where",
    [
        Where(states=(), sources=(Source.TURN,)),
        Where(states=(), kinds=("belief",)),
        Where(states=(State.SUPERSEDED,)),
        Where(states=(), tags=("WORK",)),
        Where(states=(), scope="anna"),
        Where(states=(), groups=("g2",)),
        Where(states=(), valid_at=NOON),
        Where(states=(), as_of=NOON),
        Where(states=(), current_at=NOON),
        Where(states=(), changed_after=NOON),
        Where(states=(), without=frozenset({"u0"})),
        Where(states=(), lapsed=True),
        Where(states=(), min_authority=0.4),
    ],
)
def test_each_field_of_a_filter_alone_leaves_some_out(varied: tuple[SqliteIndex, list[Entry]], where: Where) -> None:
    """Otherwise the property above could hold of a filter that does nothing."""
    index, entries = varied
    expected = {entry.id for entry in entries if lets_through(where, entry)}

    with index.reading() as reader:
        found = set(ids(reader, reader.by_prior(where, ALL)))

    assert found == expected
    assert 0 < len(found) < len(entries)


def test_a_filter_is_asked_anew_after_a_change(index: SqliteIndex) -> None:
    """What a filter lets through is remembered between queries, but not beyond a change."""
    note = an_entry("a", "cat")
    where = Where(kinds=("belief",))
    index.update([a_document("a.md", note)])
    embed_all(index)
    with index.reading() as reader:
        assert reader.semantic(SPACE, EMBEDDER.embed_queries(["cat"])[0], where, 9) == []

    index.update([a_document("a.md", replace(note, kind="belief"), version=2)])

    with index.reading() as reader:
        assert len(reader.semantic(SPACE, EMBEDDER.embed_queries(["cat"])[0], where, 9)) == 1


# -- words that are almost right ------------------------------------------------------------------------------------


def distance(one: str, other: str) -> int:
    """Optimal string alignment, by its definition."""
    table = {(i, -1): i + 1 for i in range(-1, len(one))} | {(-1, j): j + 1 for j in range(-1, len(other))}
    for i, j in product(range(len(one)), range(len(other))):
        table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (one[i] != other[j]))
        if i and j and one[i] == other[j - 1] and one[i - 1] == other[j]:
            table[i, j] = min(table[i, j], table[i - 2, j - 2] + 1)
    return table[len(one) - 1, len(other) - 1]


words = st.text("abcd", max_size=8)


@given(one=words, other=words, most=st.integers(1, 3))
def test_edits_are_optimal_string_alignment_up_to_a_limit(one: str, other: str, most: int) -> None:
    assert edits(one, other, most) == min(distance(one, other), most + 1)


known_words = st.lists(st.text("abcde", min_size=3, max_size=9), min_size=1, max_size=12, unique=True)


@settings(max_examples=30)
@given(known=known_words, asked=st.text("abcde", min_size=1, max_size=9))
def test_close_terms_are_all_within_the_distance_nearest_first(
    tmp_path_factory: pytest.TempPathFactory, known: list[str], asked: str
) -> None:
    index = an_index(tmp_path_factory.mktemp("words"))
    index.update(notes(a=" ".join(known)))
    vocabulary = set(terms(" ".join(known)))
    most = 2 if len(asked) >= 8 else 1
    near = sorted((distance(asked, word), word) for word in vocabulary if word[0] == asked[0] and len(asked) >= 4)

    with index.reading() as reader:
        found = reader.close_terms(asked, 100)
    index.close()

    assert found == [word for far, word in near if far <= most]


def test_a_word_that_left_the_last_passage_is_offered_no_more(index: SqliteIndex) -> None:
    index.update(notes(a="zanzibar", b="zanzibar"))

    index.update([], ["a.md"])
    with index.reading() as reader:
        still = reader.close_terms("zanzibra")
    index.update([], ["b.md"])

    assert still == terms("zanzibar")
    with index.reading() as reader:
        assert reader.close_terms("zanzibra") == []
        assert reader.document_frequency(["z*"]) == {"z*": 0}


@pytest.mark.parametrize("term", ["", "cat", "12345", "日本語本", "x" * 41, "cat*", "\ud800abcd", "a'b\"c"])
def test_short_numeric_and_odd_terms_have_no_close_ones(animals: SqliteIndex, term: str) -> None:
    with animals.reading() as reader:
        assert reader.close_terms(term) == []
