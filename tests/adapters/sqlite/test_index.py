"""What goes in, what comes out, and what is gone: documents, entries, texts that wait for vectors."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest
from index_samples import (
    ALL,
    EMBEDDER,
    NOON,
    SPACE,
    a_document,
    a_session,
    an_entry,
    an_index,
    day,
    embed_all,
    ids,
    notes,
    query,
)

from mnemic.domain.documents import Stamp
from mnemic.domain.entries import FieldWeights, Source, Where
from mnemic.domain.entry import Entry, EntryPassage
from mnemic.domain.memory import State
from mnemic.testing.embedder import FakeEmbedder
from mnemic.text.analyzer import terms

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.adapters.sqlite.index import SqliteIndex

EVERYTHING = Where(states=())
DAY = 86_400


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    return an_index(tmp_path)


def found(index: SqliteIndex, text: str) -> list[str]:
    """What holds any of these words, by id."""
    with index.reading() as reader:
        return sorted(ids(reader, [hit.entry for hit in reader.lexical(terms(text), EVERYTHING, ALL)]))


def rows_of(index: SqliteIndex) -> dict[str, int]:
    with index.reading() as reader:
        return reader.find([f"session:s#{number}" for number in range(1, 9)] + ["a", "b", "c"])


# -- documents ---------------------------------------------------------------------------------------------------


def test_an_index_that_does_not_exist_yet_answers_with_nothing(index: SqliteIndex) -> None:
    assert index.indexed().paths == frozenset()
    assert index.digests(["a.md"]) == {}
    assert index.pending(SPACE, 5) == []
    assert index.pending_count(SPACE) == 0
    with index.reading() as reader:
        assert reader.generation == 0
        assert reader.counts().entries == 0
        assert reader.census().turns == 0
        assert reader.lexical(["oslo"], Where(), 5) == []
        assert reader.semantic(SPACE, query("oslo"), Where(), 5) == []
        assert reader.similarity(SPACE, query("oslo"), [1]) == {}
        assert reader.spread(SPACE, query("oslo")) is None
        assert reader.by_prior(Where(), 5) == []
    assert not index.path.exists()


def test_what_was_put_in_is_found_with_all_its_fields(index: SqliteIndex) -> None:
    entry = an_entry(
        "people/anna",
        "Anna lives in Oslo\nShe has a cat",
        uid="u-1",
        kind="person",
        title="Anna Berg",
        description="a friend",
        tags=("Family", "Norge"),
        names=("Anna Berg", "Annika"),
        days=((day("2026-05-01"), day("2026-05-03")),),
        state=State.ARCHIVED,
        valid_from=NOON,
        valid_until=NOON + timedelta(days=1),
        due=NOON + timedelta(days=2),
        salience=0.9,
        confidence=0.1,
        authority=0.7,
        verified=True,
        origin="web",
        line=7,
    )

    index.update([a_document("people/anna.md", entry)])

    with index.reading() as reader:
        row = reader.find(["people/anna"])["people/anna"]
        got = reader.entries([row])[row]
        shown = [(passage.text, passage.line, passage.ordinal) for passage in reader.passages([row])[row]]
    assert (got.id, got.uid, got.kind, got.title, got.description) == (
        "people/anna",
        "u-1",
        "person",
        "Anna Berg",
        "a friend",
    )
    assert (got.tags, got.path, got.line, got.source) == (("Family", "Norge"), "people/anna.md", 7, Source.MEMORY)
    assert (got.recorded_at, got.valid_from) == (NOON.timestamp(), NOON.timestamp())
    assert (got.valid_until, got.due) == (NOON.timestamp() + DAY, NOON.timestamp() + 2 * DAY)
    assert (got.salience, got.confidence, got.authority, got.verified, got.origin) == (0.9, 0.1, 0.7, True, "web")
    assert got.state is State.ARCHIVED
    assert {"anna", "berg"} <= got.names
    assert got.days == ((day("2026-05-01").toordinal(), day("2026-05-03").toordinal()),)
    assert shown == [("Anna lives in Oslo", 1, 0), ("She has a cat", 2, 1)]


def test_a_document_replaces_what_stood_at_its_path(index: SqliteIndex) -> None:
    index.update(notes(a="anna lives in oslo"))

    index.update([a_document("a.md", an_entry("a", "anna lives in bergen"), version=2)])

    assert found(index, "oslo") == []
    assert found(index, "bergen") == ["a"]
    assert index.digests(["a.md", "b.md"]) == {"a.md": "a.md:2"}


def test_documents_that_are_gone_take_everything_with_them(index: SqliteIndex) -> None:
    index.update(notes(a="anna lives in oslo", b="bergen has rain"))
    embed_all(index)

    index.update([], ["a.md", "never-there.md"])

    assert found(index, "oslo rain") == ["b"]
    with index.reading() as reader:
        counts = reader.counts()
        assert (counts.documents, counts.entries, counts.passages, counts.vectors) == (1, 1, 1, 1)
        assert reader.document_frequency(["oslo", "rain"]) == {"oslo": 0, "rain": 1}


def test_stamps_are_known_once_they_are_settled(index: SqliteIndex) -> None:
    settled, young = Stamp("a.md", 10, 20, 30), Stamp("b.md", 11, 21, 31)
    index.update(
        [
            a_document("a.md", an_entry("a"), stamp=settled),
            a_document("b.md", an_entry("b"), stamp=young, settled=False),
        ]
    )
    before = index.indexed()

    index.touch([Stamp("b.md", 12, 22, 32)])

    assert (before.settled, before.paths) == (frozenset({settled}), frozenset({"a.md", "b.md"}))
    assert index.indexed().settled == {settled, ("b.md", 12, 22, 32)}


@pytest.mark.parametrize("inode", [0, 2**63 - 1, 2**63, 2**64 - 1])
def test_an_inode_of_64_bits_comes_back_as_it_was(index: SqliteIndex, inode: int) -> None:
    stamp = Stamp("a.md", 1, 2, inode)
    index.update([a_document("a.md", an_entry("a"), stamp=Stamp("a.md", 1, 2, 3))])

    index.touch([stamp])

    assert index.indexed().settled == {stamp}


def test_every_change_makes_a_higher_generation(index: SqliteIndex) -> None:
    seen = []
    steps = (
        lambda: index.update(notes(a="one")),
        lambda: embed_all(index),
        lambda: index.touch([Stamp("a.md", 5, 5, 5)]),
        lambda: index.update([], ["a.md"]),
    )
    for step in steps:
        step()
        with index.reading() as reader:
            seen.append(reader.generation)

    assert seen == sorted(set(seen))


def test_a_new_index_is_always_of_a_later_generation_than_the_one_before(index: SqliteIndex) -> None:
    """Otherwise what a process remembers of the old one would be taken for the new one's."""
    for number in range(30):
        index.update(notes(a=f"text {number}"))
    with index.reading() as reader:
        old = reader.generation
    index.path.unlink()

    index.update(notes(a="again"))

    with index.reading() as reader:
        assert reader.generation > old


# -- entries keep their rows --------------------------------------------------------------------------------------


def test_a_turn_that_is_added_leaves_the_others_their_rows_and_vectors(index: SqliteIndex) -> None:
    index.update([a_session("s", "one apple", "two pears")])
    embed_all(index)
    before = rows_of(index)

    index.update([a_session("s", "one apple", "two pears", "three plums", version=2)])

    after = rows_of(index)
    assert {key: after[key] for key in before} == before
    assert [text.text for text in index.pending(SPACE, 9)] == ["three plums"]
    assert found(index, "plum pear") == ["session:s#2", "session:s#3"]


@pytest.mark.parametrize(
    "change",
    [
        {"title": "other"},
        {"tags": ("x",)},
        {"salience": 0.6},
        {"state": State.ARCHIVED},
        {"links": ("b",)},
        {"claim": ("city", "oslo")},
        {"days": ((day("2026-01-01"), day("2026-01-02")),)},
        {"passages": (EntryPassage(text="about a", line=3),)},
        {"valid_until": NOON},
    ],
)
def test_an_entry_that_changed_in_anything_is_written_anew_and_keeps_its_vector(
    index: SqliteIndex, change: dict[str, object]
) -> None:
    entry = an_entry("a")
    index.update([a_document("a.md", entry, an_entry("b"))])
    embed_all(index)
    before = rows_of(index)

    index.update([a_document("a.md", replace(entry, **change), an_entry("b"), version=2)])  # type: ignore[arg-type]

    after = rows_of(index)
    assert after["a"] != before["a"]
    assert after["b"] == before["b"]
    assert index.pending_count(SPACE) == 0


@pytest.mark.parametrize("order", ["both at once", "new first", "old first"])
def test_an_entry_may_move_to_another_document(index: SqliteIndex, order: str) -> None:
    stays, moves = an_entry("a", "anna stays"), an_entry("b", "bert moves")
    index.update([a_document("old.md", stays, moves)])
    embed_all(index)
    old, new = a_document("old.md", stays, version=2), a_document("new.md", moves)

    for step in {"both at once": [[new, old]], "new first": [[new], [old]], "old first": [[old], [new]]}[order]:
        index.update(step)

    assert found(index, "anna bert") == ["a", "b"]
    with index.reading() as reader:
        row = reader.find(["b"])["b"]
        assert reader.entries([row])[row].path == "new.md"
        assert len(reader.groups(["bert"], 9)) == 1


def test_a_file_that_was_renamed_keeps_its_vectors(index: SqliteIndex) -> None:
    index.update([a_session("s", "one apple", "two pears")])
    embed_all(index)
    moved = replace(a_session("s", "one apple", "two pears"), stamp=Stamp("elsewhere/s.jsonl", 1, 1, 1))

    index.update([moved], [a_session("s").stamp.path])

    assert index.pending_count(SPACE) == 0
    assert index.indexed().paths == {"elsewhere/s.jsonl"}
    assert found(index, "apple") == ["session:s#1"]


def test_of_two_entries_with_one_id_the_last_one_counts(index: SqliteIndex) -> None:
    index.update([a_document("a.md", an_entry("a", "first words"), an_entry("a", "last words"))])

    assert found(index, "first") == []
    assert found(index, "last") == ["a"]


def test_a_thousand_documents_go_in_as_well_as_one(index: SqliteIndex) -> None:
    """More than one transaction holds."""
    index.update(a_document(f"{number}.md", an_entry(str(number), f"text{number} same")) for number in range(1_001))

    assert len(found(index, "same")) == 1_001
    with index.reading() as reader:
        assert reader.document_frequency(terms("same")) == {terms("same")[0]: 1_001}


def test_text_that_is_no_unicode_is_taken_with_replacements(index: SqliteIndex) -> None:
    bad = "a\ud800b\x00c"
    entry = an_entry(
        bad,
        f"oslo {bad}",
        title=bad,
        tags=(bad,),
        names=(bad,),
        links=(bad,),
        speaker=bad,
        claim=(bad, bad),
        description=bad,
    )

    index.update([a_document("a.md", entry)])
    embed_all(index)

    with index.reading() as reader:
        assert len(reader.lexical(["oslo", "\ud800", 'x"\x00y'], Where(tags=(bad,), groups=(bad,)), 9)) == 1
        assert len(reader.find([bad])) == 1
        assert len(reader.claims(bad)) == 1
        assert reader.document_frequency(["\ud800"]) == {"\ud800": 0}


# -- waiting for vectors -----------------------------------------------------------------------------------------


def test_texts_wait_newest_first_and_equal_ones_once(index: SqliteIndex) -> None:
    index.update(notes(a="same", b="other"))
    index.update(notes(c="same", d="newest"))

    assert [text.text for text in index.pending(SPACE, 9)] == ["newest", "same", "other"]
    assert [text.text for text in index.pending(SPACE, 2)] == ["newest", "same"]
    assert index.pending_count(SPACE) == 3


def test_a_text_that_has_its_vector_waits_no_more(index: SqliteIndex) -> None:
    index.update(notes(a="one", b="two", c="three"))
    newest = index.pending(SPACE, 1)

    index.put_vectors(SPACE, newest, EMBEDDER.embed_passages([newest[0].text]))

    assert [text.text for text in index.pending(SPACE, 9)] == ["two", "one"]
    assert index.pending_count(SPACE) == 2


def test_spaces_wait_each_for_themselves(index: SqliteIndex) -> None:
    other = FakeEmbedder(name="other")
    index.update(notes(a="one", b="two"))
    embed_all(index)

    assert index.pending_count(SPACE) == 0
    assert index.pending_count(other.space) == 2
    with index.reading() as reader:
        assert reader.semantic(other.space, query("one"), Where(), 9) == []


def test_what_is_new_waits_again_after_all_was_done(index: SqliteIndex) -> None:
    index.update(notes(a="one"))
    embed_all(index)
    index.update([], ["a.md"])

    index.update(notes(b="two"))

    assert [text.text for text in index.pending(SPACE, 9)] == ["two"]


def test_equal_texts_share_a_vector_until_the_last_of_them_is_gone(index: SqliteIndex) -> None:
    index.update(notes(a="same words", b="same words"))
    embed_all(index)

    index.update([], ["a.md"])
    with index.reading() as reader:
        after_one = (
            reader.counts().vectors,
            ids(reader, [h.entry for h in reader.semantic(SPACE, query("same"), Where(), 9)]),
        )
    index.update([], ["b.md"])

    assert after_one == (1, ["b"])
    with index.reading() as reader:
        assert reader.counts().vectors == 0


def test_a_vector_whose_text_went_away_meanwhile_is_left_out(index: SqliteIndex) -> None:
    index.update(notes(a="one", b="two"))
    waiting = index.pending(SPACE, 9)
    index.update([], ["a.md"])

    index.put_vectors(SPACE, waiting, EMBEDDER.embed_passages([text.text for text in waiting]))

    with index.reading() as reader:
        assert reader.counts().vectors == 1


def test_a_vector_that_comes_twice_counts_once(index: SqliteIndex) -> None:
    """Two processes may have taken the same text from the queue."""
    index.update(notes(a="one apple", b="two pears"))
    waiting = index.pending(SPACE, 9)
    vectors = EMBEDDER.embed_passages([text.text for text in waiting])
    index.put_vectors(SPACE, waiting, vectors)
    index.compact()

    index.put_vectors(SPACE, waiting, vectors)

    with index.reading() as reader:
        spread = reader.spread(SPACE, query("apple"))
        assert spread is not None
        assert spread.count == 2


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e6])
def test_a_vector_that_is_not_finite_is_refused(index: SqliteIndex, bad: float) -> None:
    index.update(notes(a="one"))
    vectors = np.full((1, SPACE.dim), bad, np.float32)

    with pytest.raises(ValueError, match="not finite"):
        index.put_vectors(SPACE, index.pending(SPACE, 1), vectors)


def test_vectors_of_another_shape_are_refused(index: SqliteIndex) -> None:
    index.update(notes(a="one"))

    with pytest.raises(ValueError, match="shape"):
        index.put_vectors(SPACE, index.pending(SPACE, 1), np.zeros((1, SPACE.dim + 1), np.float32))


# -- around an entry ----------------------------------------------------------------------------------------------


def test_neighbours_are_those_in_the_same_group_by_distance(index: SqliteIndex) -> None:
    index.update([a_session("s", *"abcde"), a_session("t", *"xyz")])
    row = rows_of(index)

    with index.reading() as reader:
        one = reader.neighbours([row["session:s#1"], row["session:s#3"]])
        two = reader.neighbours([row["session:s#3"]], reach=2)

    assert one == {
        row["session:s#1"]: {1: row["session:s#2"]},
        row["session:s#3"]: {-1: row["session:s#2"], 1: row["session:s#4"]},
    }
    assert two[row["session:s#3"]] == {n: row[f"session:s#{3 + n}"] for n in (-2, -1, 1, 2)}


def test_links_lead_both_ways_by_id_and_by_name(index: SqliteIndex) -> None:
    index.update(
        [
            a_document("a.md", an_entry("a", links=("b", "see charlie", "nowhere", "a"))),
            a_document("b.md", an_entry("b")),
            a_document("c.md", an_entry("c", names=("See Charlie",))),
        ]
    )
    row = rows_of(index)

    with index.reading() as reader:
        linked = reader.linked([row["a"], row["b"], row["c"]])

    assert linked == {row["a"]: [row["b"], row["c"]], row["b"]: [row["a"]], row["c"]: [row["a"]]}


def test_a_link_to_a_person_does_not_lead_to_each_of_their_turns(index: SqliteIndex) -> None:
    turn = an_entry("session:s#1", source=Source.TURN, group="session:s", names=("anna",), speaker="anna")
    index.update([a_document("s.jsonl", turn), a_document("a.md", an_entry("a", links=("anna",)))])

    with index.reading() as reader:
        assert reader.linked([rows_of(index)["a"]]) == {}


def test_claims_are_those_of_active_entries_oldest_first(index: SqliteIndex) -> None:
    def claims(name: str, value: str, **fields: object) -> Entry:
        return an_entry(name, claim=("city", value), **fields)

    index.update(
        [
            a_document("a.md", claims("a", "bergen", recorded_at=NOON + timedelta(days=1))),
            a_document("b.md", claims("b", "oslo")),
            a_document("c.md", claims("c", "rome", state=State.SUPERSEDED)),
        ]
    )
    row = rows_of(index)

    with index.reading() as reader:
        assert reader.claims("city") == [(row["b"], "oslo"), (row["a"], "bergen")]
        assert reader.claims("town") == []


def at(text: str) -> float:
    return day(text).toordinal() * DAY - day("1970-01-01").toordinal() * DAY


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (at("2026-05-01"), at("2026-05-02"), ["speaks"]),
        (at("2026-05-02") - 0.5, at("2026-05-02"), ["speaks"]),
        (at("2026-05-02"), at("2026-05-02") + 0.5, ["speaks"]),
        (at("2026-05-03"), at("2026-05-04"), ["recorded"]),
        (at("2026-05-01"), at("2026-05-04"), ["recorded", "speaks"]),
        (at("2026-04-30"), at("2026-05-01"), []),
        (NOON.timestamp(), NOON.timestamp() + 1, ["recorded"]),
        (NOON.timestamp() - 1, NOON.timestamp(), []),
        (at("2026-05-02"), at("2026-05-02"), []),
        (at("2026-05-04"), at("2026-05-01"), []),
        (-1e11, 1e11, ["recorded", "speaks"]),
        (-1e15, 1e15, ["recorded", "speaks"]),
    ],
)
def test_said_between_holds_what_was_recorded_then_or_speaks_of_then(
    index: SqliteIndex, start: float, end: float, expected: list[str]
) -> None:
    index.update(
        [
            a_document("r.md", an_entry("recorded")),
            a_document(
                "s.md",
                an_entry(
                    "speaks",
                    days=((day("2026-05-01"), day("2026-05-03")),),
                    recorded_at=NOON - timedelta(days=5000),
                ),
            ),
        ]
    )

    with index.reading() as reader:
        assert ids(reader, reader.said_between(start, end, Where(), ALL)) == expected


def test_the_census_counts_memories_by_what_they_are_and_turns_apart(index: SqliteIndex) -> None:
    index.update(
        [
            a_document("a.md", an_entry("a", kind="note"), problems=2),
            a_document("b.md", an_entry("b", kind="belief", state=State.ARCHIVED)),
            a_document("c.md", an_entry("c", kind="note")),
            a_session("s", "one", "two"),
            a_session("t", "three"),
        ]
    )

    with index.reading() as reader:
        census = reader.census()

    assert list(census.by_kind.items()) == [("note", 2), ("belief", 1)]
    assert list(census.by_state.items()) == [("active", 2), ("archived", 1)]
    assert (census.sessions, census.turns, census.problems) == (2, 3, 1)


def test_prior_order_is_most_salient_then_newest(index: SqliteIndex) -> None:
    index.update(
        [
            a_document("a.md", an_entry("a", salience=0.5)),
            a_document("b.md", an_entry("b", salience=0.9)),
            a_document("c.md", an_entry("c", salience=0.5, recorded_at=NOON + timedelta(days=1))),
        ]
    )

    with index.reading() as reader:
        assert ids(reader, reader.by_prior(Where(), 9)) == ["b", "c", "a"]
        assert ids(reader, reader.by_prior(Where(), 1)) == ["b"]


def test_group_rows_are_in_order_and_filtered(index: SqliteIndex) -> None:
    index.update([a_session("s", "one", "two", "three")])

    with index.reading() as reader:
        row = reader.find(["session:s#2"])["session:s#2"]
        group = reader.entries([row])[row].group
        rows = reader.group_rows([group, 999], Where())
        nothing = reader.group_rows([group], Where(sources=(Source.MEMORY,)))

    with index.reading() as reader:
        assert ids(reader, rows[group]) == ["session:s#1", "session:s#2", "session:s#3"]
    assert nothing == {}


def test_a_session_whole_is_found_by_words_of_different_turns(index: SqliteIndex) -> None:
    index.update([a_session("s", "apples", "pears"), a_session("t", "apples", "plums")])

    with index.reading() as reader:
        scores = reader.groups(["appl", "pear"], 9)
        first = max(scores, key=lambda group: scores[group])
        assert ids(reader, reader.group_rows([first], Where())[first]) == ["session:s#1", "session:s#2"]
        assert reader.groups([], 9) == {}
        assert reader.group_frequency(["appl", "pear", "kiwi"]) == {"appl": 2, "pear": 1, "kiwi": 0}


@pytest.mark.parametrize("field", ["path", "title", "description", "tags", "kind", "body"])
def test_a_word_counts_by_the_field_it_stands_in(index: SqliteIndex, field: str) -> None:
    holds: dict[str, object] = {"names": (), "title": "", "kind": ""}
    holds |= {"tags": ("oslo",)} if field == "tags" else {field: "oslo"} if field not in {"path", "body"} else {}
    words = "oslo" if field == "body" else "other"
    index.update([a_document("oslo.md" if field == "path" else "a.md", an_entry("a", words, **holds))])
    nothing = dict.fromkeys(("path", "title", "description", "tags", "kind", "body"), 0.0)

    with index.reading() as reader:
        alone = reader.groups(["oslo"], 9, FieldWeights(**{**nothing, field: 2.0}))
        without = reader.groups(["oslo"], 9, FieldWeights(**{field: 0.0}))

    assert min(alone.values()) > 0
    assert max(without.values()) == 0


def test_groups_follow_what_their_entries_say(index: SqliteIndex) -> None:
    index.update([a_session("s", "apples", "pears")])

    index.update([a_session("s", "apples", version=2)])

    with index.reading() as reader:
        assert reader.groups(["pear"], 9) == {}
        assert len(reader.groups(["appl"], 9)) == 1


def test_a_window_is_the_passages_of_entries_and_those_around_them_once_each(index: SqliteIndex) -> None:
    index.update([a_session("s", "one", "two", "three\nmore", "four", "five"), a_session("t", "other")])
    row = rows_of(index)

    with index.reading() as reader:
        asked = [row["session:s#4"], row["session:s#3"], 999]
        seen = [(place.position, place.terms) for place in reader.windows(asked, 1)]
        alone = [(place.position, place.entry) for place in reader.windows(asked[:1], 0)]

    words = [" ".join(terms(text)) for text in ("two", "three", "more", "four", "five")]
    assert seen == list(zip([1, 2, 2, 3, 4], words, strict=True))
    assert alone == [(3, row["session:s#4"])]


def test_the_terms_of_entries_are_the_same_whether_a_window_has_read_them_or_not(index: SqliteIndex) -> None:
    index.update([a_session("s", "one", "two", "three\nmore", "four", "five"), a_session("t", "other")])
    rows = [*rows_of(index).values(), 999]

    with index.reading() as reader:
        fresh = reader.entry_terms(rows)
    with index.reading() as reader:
        reader.windows(rows[:2], 1)
        reader.windows(rows[1:3], 2)
        known = reader.entry_terms(rows)

    assert known == fresh
    assert fresh[rows[2]] == {*terms("three"), *terms("more")}


def test_names_are_those_of_speakers_and_of_memories(index: SqliteIndex) -> None:
    turn = an_entry("session:s#1", source=Source.TURN, group="session:s", speaker="Anna", names=("Anna",))
    index.update([a_document("s.jsonl", turn), a_document("a.md", an_entry("a", names=("Oslo", "Anna")))])
    row = rows_of(index)

    with index.reading() as reader:
        named = reader.named(["anna", "oslo", "nobody"])

    assert named.speakers == ("anna",)
    assert named.memories == {"anna": (row["a"],), "oslo": (row["a"],)}


def test_a_turn_that_asks_is_told_from_one_that_does_not(index: SqliteIndex) -> None:
    index.update([a_document("a.md", an_entry("a", asks=True), an_entry("b"))])
    row = rows_of(index)

    with index.reading() as reader:
        assert {entry.id: entry.asks for entry in reader.entries([row["a"], row["b"]]).values()} == {
            "a": True,
            "b": False,
        }


def test_texts_with_what_stands_around_them_are_for_spaces_that_embed_windows(index: SqliteIndex) -> None:
    """A vector of the one kind is never used for the other, even where both texts are the same."""
    windows = replace(SPACE, model="windows", window=True)
    index.update([a_document("a.md", an_entry("a", embed=("same",), embed_near=("same", "with more")), an_entry("b"))])

    alone = [text.text for text in index.pending(SPACE, 9)]
    near = [text.text for text in index.pending(windows, 9)]
    embed_all(index)

    assert sorted(alone) == ["about b", "same"]
    assert sorted(near) == ["about b", "same", "with more"]
    assert (index.pending_count(SPACE), index.pending_count(windows)) == (0, 3)


def test_a_view_within_a_view_is_the_same_one(index: SqliteIndex) -> None:
    index.update(notes(a="one"))

    with index.reading() as outer:
        before = outer.generation
        index.update(notes(b="two"))
        with index.reading() as inner:
            assert inner.generation == before
        assert outer.generation == before
    with index.reading() as reader:
        assert reader.generation > before


def test_more_rows_than_a_statement_takes_parameters(index: SqliteIndex) -> None:
    index.update([a_session("s", *(f"text {number}" for number in range(1_200)))])

    with index.reading() as reader:
        rows = [hit.entry for hit in reader.lexical(["text"], Where(), ALL)]
        assert len(reader.entries(rows)) == 1_200
        assert len(reader.passages(rows)) == 1_200
        assert len(reader.neighbours(rows)) == 1_200
        assert reader.linked(rows) == {}
        assert len(reader.find([f"session:s#{number}" for number in range(1, 1_201)])) == 1_200
        assert len(reader.document_frequency([f"{number}" for number in range(1_200)])) == 1_200
