"""Recall: the right thing in any language, filters, time, silence, and whatever people type."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rooms import NOW, SetClock, an_app, chat, documents, files, found, keep

from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft
from mnemic.domain.entries import Source, Where
from mnemic.domain.memory import Claim, State
from mnemic.domain.provenance import Origin, Provenance
from mnemic.errors import EmbedderError, InvalidMemoryError, LimitExceededError
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

NOTES = {
    "tea": "Anna prefers green tea in the morning.",
    "чай": "Бабушка пьёт чёрный чай с лимоном.",
    "会議": "来週の会議は東京駅の近くで行います。",
    "茶": "我奶奶喜欢喝绿茶，不喜欢咖啡。",
    "bahn": "Die Straßenbahn hält vor dem grünen Haus.",
    "cello": "The cello is at the luthier until June.",
    "ferry": "The ferry to Rømø leaves Havneby at ten.",
    "deploy": "Deploys happen on Tuesdays, right after the stand-up.",
    "קפה": "הקפה נמצא במטבח.",
    "party": "The 🎉 channel is for releases.",
}


def noted(root: Path, *settings: str, **options: object) -> App:
    app = an_app(root, *settings, **options)  # type: ignore[arg-type]
    for name, text in NOTES.items():
        keep(app, name, text, title=name)
    return app


@pytest.fixture
def app(tmp_path: Path) -> App:
    return noted(tmp_path / "memory")


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> App:
    """The same notes, for tests that only ask."""
    return noted(tmp_path_factory.mktemp("reading") / "memory")


# -- languages ---------------------------------------------------------------------------------------------------

QUESTIONS = {
    "what tea does Anna prefer?": "tea",
    "where does the cello stay?": "cello",
    "on which tuesday do they deploy?": "deploy",
    "кто пьёт чай с лимонами?": "чай",
    "ЧЕРНЫЙ ЧАЙ бабушки": "чай",
    "会議はどこで行いますか": "会議",
    "東京駅": "会議",
    "奶奶喜欢喝什么": "茶",
    "谁喜欢绿茶?": "茶",
    "Wo hält die STRASSENBAHN?": "bahn",
    "grüne Häuser": "bahn",
    "romo": "ferry",
    "הקפה במטבח": "קפה",
    "🎉": "party",
}


@pytest.mark.parametrize(("question", "name"), QUESTIONS.items(), ids=QUESTIONS)
@pytest.mark.parametrize("vectors", [False, True], ids=["words alone", "with vectors"])
def test_a_question_finds_its_note_in_any_language(tmp_path: Path, question: str, name: str, *, vectors: bool) -> None:
    app = noted(tmp_path / "memory", embedders=[FakeEmbedder()] if vectors else ())

    assert found(app, question)[0] == f"notes/{name}"


def test_a_result_says_what_where_when_why_and_what_it_costs(reading: App) -> None:
    hit = reading.recall("what tea does Anna prefer?").hits[0]

    assert (hit.id, hit.kind, hit.title, hit.snippet) == ("notes/tea", "note", "tea", NOTES["tea"])
    lines = (reading.root / hit.source.path).read_text(encoding="utf-8").splitlines()
    assert lines[hit.source.line - 1] == NOTES["tea"]
    assert hit.when == NOW
    assert hit.score == pytest.approx(sum(hit.channels.values()), abs=1e-6)
    assert 0.5 < hit.probability <= 1
    assert 5 <= hit.tokens <= 15
    assert (hit.state, hit.origin, hit.bundle) == (State.ACTIVE, "", "")


def test_the_passage_that_answers_is_the_snippet(app: App) -> None:
    paragraphs = [f"Paragraph {number} speaks of thing{number} and nothing else." for number in range(12)]
    keep(app, "long", "\n\n".join(paragraphs), title="Things")

    hit = app.recall("thing7").hits[0]

    assert (hit.id, hit.snippet) == ("notes/long", paragraphs[7])
    assert (app.root / hit.source.path).read_text(encoding="utf-8").splitlines()[hit.source.line - 1] == paragraphs[7]


def test_the_same_question_twice_has_the_same_answer(tmp_path: Path) -> None:
    app = noted(tmp_path / "memory", embedders=[FakeEmbedder(name="one"), FakeEmbedder(name="two")])
    app.reindex()
    again = an_app(tmp_path / "memory", embedders=[FakeEmbedder(name="one"), FakeEmbedder(name="two")])

    for question in QUESTIONS:
        assert app.recall(question).hits == app.recall(question).hits == again.recall(question).hits


def test_at_most_as_many_results_as_were_asked_for(app: App) -> None:
    for number in range(12):
        keep(app, f"boat-{number}", f"Boat number{number} is painted colour{number} and named name{number}.")

    everything = found(app, "boat painted colour", k=50)

    assert len(everything) == 12
    assert found(app, "boat painted colour", k=5) == everything[:5]
    assert len(found(app, "boat painted colour")) == 8


# -- the query's own signs ---------------------------------------------------------------------------------------


def test_quoted_words_that_stand_together_come_first(app: App) -> None:
    keep(app, "apart", "Bread is black here, and rye grows tall. Rye and bread, bread and rye.")
    keep(app, "together", "We bought rye bread.")

    assert found(app, '"rye bread"')[0] == "notes/together"


def test_what_holds_an_excluded_word_is_left_out(app: App) -> None:
    keep(app, "tea-2", "Bertil prefers black tea in the evening.")

    assert found(app, "who prefers tea -morning") == ["notes/tea-2"]
    assert found(app, "tea -prefers") == []


def test_a_name_with_a_hash_finds_tag_and_title(app: App) -> None:
    keep(app, "rust", "Ownership rules are checked by the compiler.", tags=("Borrow-Checker",))

    assert found(app, "#borrow-checker")[0] == "notes/rust"
    assert found(app, "#cello")[0] == "notes/cello"


@pytest.mark.parametrize(
    "typo", ["when does the fery leave Havneby?", "Anna prefers gren tea", "the cello at the luthir"]
)
def test_a_letter_amiss_does_not_matter(reading: App, typo: str) -> None:
    assert found(reading, typo)[0] == f"notes/{next(name for name in NOTES if name in typo or name == 'ferry')}"


# -- silence -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "quantum chromodynamics",
        "who won the world cup in 1998?",
        "кто изобрёл паровоз?",
        "量子力学",
        "wie heißt der Kanzler?",
        "",
        "  \n\t ",
        '"',
        '""',
        "-",
        "#",
        "*",
        "the of and to",
        "и в на с",
        "der die das",
        "\0",
        "?!.",
    ],
)
def test_what_the_bundle_knows_nothing_about_is_answered_with_silence(reading: App, question: str) -> None:
    answer = reading.recall(question)

    assert (answer.hits, answer.abstained, answer.query) == ((), True, question)


def test_an_empty_bundle_is_silent(tmp_path: Path) -> None:
    answer = an_app(tmp_path / "memory", embedders=[FakeEmbedder()]).recall("anything at all")

    assert (answer.hits, answer.abstained) == ((), True)


@pytest.mark.parametrize(
    "hostile",
    [
        "tea) OR (1=1",
        "tea AND NOT green NEAR(5)",
        'tea "unclosed',
        "tea * ^ : { } \\",
        "tea'; drop table entry; --",
        "\ud800 tea \udfff",
        "tea\u202e\u200f green",
        "𝕥𝕖𝕒",
        "ＴＥＡ",
        "t\u0301e\u0301a\u0301 Anna",
    ],
)
def test_signs_of_search_languages_are_only_signs(reading: App, hostile: str) -> None:
    answer = reading.recall(hostile)

    assert answer.hits[0].id == "notes/tea"
    assert answer.query == hostile


@given(st.text(max_size=80))
def test_whatever_is_typed_there_is_an_answer(reading: App, question: str) -> None:
    for profile in ("default", "fields", "resonance"):
        answer = reading.recall(question, profile=profile)

        assert answer.query == question
        assert answer.abstained == (not answer.hits)


def test_a_query_as_long_as_a_book_is_answered(reading: App) -> None:
    words = " ".join(f"word{number}" for number in range(20_000))[:99_970]

    assert found(reading, f"cello luthier {words}", profile="fields") == ["notes/cello"]
    assert reading.recall("a" * 100_000).abstained
    with pytest.raises(LimitExceededError, match="The query"):
        reading.recall("a" * 100_001)


# -- filters -----------------------------------------------------------------------------------------------------


def test_what_is_no_longer_active_is_found_only_when_asked_for(app: App) -> None:
    keep(app, "old", "Ada lives in Oslo.", claim=Claim("ada.city", "Oslo"))
    keep(app, "new", "Ada lives in Bergen.", claim=Claim("ada.city", "Bergen"), supersedes=("notes/old",))
    keep(app, "doubt", "Ada lives in Tromsø.", claim=Claim("ada.city", "Tromsø"))
    app.remember(Draft(id="notes/once", body="Ada lived in Paris as a child."))
    app.edit("notes/once", lambda _: {"state": State.ARCHIVED})

    def of(*states: State) -> list[str]:
        return sorted(found(app, "where does Ada live?", where=Where(states=states)))

    for profile in ("default", "fields"):
        assert found(app, "where does Ada live?", profile=profile) == ["notes/new"]
    assert not {"notes/old", "notes/doubt", "notes/once"} & set(found(app, "Ada lives", profile="resonance"))
    assert of(State.SUPERSEDED) == ["notes/old"]
    assert of(State.QUARANTINED) == ["notes/doubt"]
    assert of(State.ARCHIVED) == ["notes/once"]
    assert len(of(*State)) == 4


def test_kinds_tags_and_sources_narrow(app: App, tmp_path: Path) -> None:
    app.remember(Draft(id="preferences/tea", body="Bertil prefers black tea.", kind="preference", tags=("Bertil",)))
    app.import_sessions(chat(tmp_path / "talk.jsonl", [{"text": "I never drink tea."}]))

    assert found(app, "tea", where=Where(kinds=("preference",))) == ["preferences/tea"]
    assert found(app, "tea", where=Where(tags=("bertil",))) == ["preferences/tea"]
    assert found(app, "tea", where=Where(sources=(Source.TURN,))) == ["session:kitchen#1"]
    assert set(found(app, "tea", where=Where(sources=(Source.MEMORY,)))) == {"preferences/tea", "notes/tea"}


def test_the_two_times_are_two_questions(tmp_path: Path) -> None:
    """Told in May that Ada lived in Oslo until February: so then, and not known to us in April."""
    clock = SetClock()
    app = an_app(tmp_path / "memory", clock=clock)
    keep(app, "bees", "Runa keeps bees behind the lighthouse.")
    moved = datetime(2026, 2, 1, tzinfo=UTC)
    keep(app, "oslo", "Ada lives in Oslo.", valid_until=moved)
    keep(app, "bergen", "Ada lives in Bergen.", valid_from=moved)

    def ask(**where: object) -> list[str]:
        return sorted(found(app, "where does Ada live?", where=Where(**where)))  # type: ignore[arg-type]

    assert ask(valid_at=moved - timedelta(days=1)) == ["notes/oslo"]
    assert ask(valid_at=moved) == ["notes/bergen"]
    assert ask(as_of=NOW - timedelta(days=30)) == []
    assert ask(as_of=NOW) == ["notes/bergen"]
    assert ask(as_of=NOW, valid_at=moved - timedelta(days=1)) == ["notes/oslo"]


def test_a_trust_that_a_setting_asks_for_keeps_the_rest_out(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory", "recall.minimum_authority=0.5")
    keep(app, "web", "Bees sleep in winter, says a page.", provenance=Provenance.of(Origin.WEB))
    keep(app, "user", "Bees fly in summer, says Runa.", provenance=Provenance.of(Origin.USER_SAID))

    assert found(app, "what do bees do?") == ["notes/user"]


def test_near_duplicates_are_shown_once_and_counted(app: App) -> None:
    for number in range(3):
        text = "The meeting about the harbour budget moved from Monday morning to Thursday afternoon"
        keep(app, f"moved-{number}", f"{text}{'!' * number}.", kind=("note", "decision", "episode")[number])

    answer = app.recall("when is the meeting about the harbour budget?")

    assert len([hit for hit in answer.hits if "moved" in hit.id]) == 1
    assert answer.left_out == {"near-duplicates": 2}


# -- dates -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "what did we decide last March?",
        "what did we decide in March 2026?",
        "решения в прошлом марте: what did we decide?",
        "昨年の3月 what did we decide?",
        "2026-03 what did we decide?",
    ],
)
def test_a_date_in_the_question_brings_up_what_was_said_then(tmp_path: Path, question: str) -> None:
    """`昨年` is last year, seen from 2027; the others are asked in May 2026. How sure one must be is another matter."""
    clock = SetClock()
    app = an_app(tmp_path / "memory", "weights.caution=-100", clock=clock)
    for month in (1, 2, 3, 4):
        clock.at = datetime(2026, month, 10, tzinfo=UTC)
        keep(app, f"month-{month}", f"We decide to paint room{month}.", kind="decision")

    now = datetime(2027 if "昨年" in question else 2026, 5, 3, tzinfo=UTC)

    assert found(app, question, now=now)[0] == "notes/month-3"


def test_a_date_in_a_note_counts_like_the_day_it_was_told(app: App) -> None:
    keep(app, "party-1", "Tobias gives a party on 2023-05-14.")
    keep(app, "party-2", "Tobias gives a party on 2024-05-14.")

    assert found(app, "party of Tobias in 2023-05")[0] == "notes/party-1"
    assert found(app, "party of Tobias in May 2024")[0] == "notes/party-2"


def test_what_happened_on_a_day_is_found_without_a_common_word(tmp_path: Path) -> None:
    clock = SetClock()
    app = an_app(tmp_path / "memory", "weights.caution=-100", clock=clock)
    keep(app, "bees", "Runa keeps bees.")
    clock.move(days=-60)
    keep(app, "cello", "The cello is at the luthier.")

    assert found(app, "last March", now=NOW) == ["notes/cello"]


# -- conversations -----------------------------------------------------------------------------------------------


def talks(app: App, folder: Path) -> None:
    bees: list[dict[str, object]] = [
        {"text": "How are the bees behind the lighthouse?", "speaker": "Mira"},
        {"text": "Two hives made it through the winter.", "speaker": "Runa", "role": "assistant"},
    ]
    boats: list[dict[str, object]] = [{"text": "The boat needs paint.", "speaker": "Mira"}]
    app.import_sessions(chat(folder / "bees.jsonl", bees, session="bees"))
    app.import_sessions(chat(folder / "boats.jsonl", boats, session="boats"))


def test_a_turn_is_found_by_what_was_asked_before_it(app: App, tmp_path: Path) -> None:
    talks(app, tmp_path)

    assert set(found(app, "bees behind the lighthouse")) == {"session:bees#1", "session:bees#2"}


def test_whole_conversations_can_be_asked_for(app: App, tmp_path: Path) -> None:
    talks(app, tmp_path)

    hits = app.recall("bees in winter, hives", unit="session").hits

    assert [(hit.id, hit.kind, hit.tokens) for hit in hits] == [("session:bees", "session", 0)]


def test_a_conversation_so_far_is_a_weak_second_question(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    keep(app, "a", "Anna drinks tea at noon.")
    keep(app, "b", "Bertil drinks tea at noon.")

    assert found(app, "who drinks tea at noon?", tail="We spoke of Bertil.")[0] == "notes/b"
    assert found(app, "who drinks tea at noon?", tail="We spoke of Anna.")[0] == "notes/a"
    assert found(app, "zebras?", tail="Anna drinks tea at noon.") == []


# -- two bundles -------------------------------------------------------------------------------------------------


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> App:
    """A project with a bundle, and the person's own beside it."""
    monkeypatch.setenv("MNEMIC_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    own = App.start(embedders=(), clock=SetClock())
    keep(own, "tea", "Anna prefers green tea.")
    (tmp_path / "project").mkdir()
    create_bundle(tmp_path / "project" / "memory")
    monkeypatch.chdir(tmp_path / "project")
    app = App.start(embedders=(), clock=SetClock())
    keep(app, "deploy", "Anna deploys on Tuesdays.")
    return app


def test_a_projects_bundle_and_ones_own_are_searched_together(both: App) -> None:
    assert sorted(found(both, "what does Anna do?")) == ["notes/deploy", "own:notes/tea"]
    assert found(both, "green tea") == ["own:notes/tea"]


def test_ones_own_bundle_that_went_away_is_a_note_on_the_projects_answer(both: App, tmp_path: Path) -> None:
    (tmp_path / "data" / "memory").rename(tmp_path / "elsewhere")

    answer = both.recall("what does Anna do?")

    assert [hit.id for hit in answer.hits] == ["notes/deploy"]
    assert any(note.startswith("the bundle own was not searched: ") for note in answer.degraded)


def test_a_reference_with_a_bundles_name_leads_there(both: App, tmp_path: Path) -> None:
    shown = both.show("own:notes/tea").memory
    assert shown is not None
    assert shown.memory.body.strip() == "Anna prefers green tea."

    both.edit("own:notes/tea", lambda _: {"body": "Anna prefers white tea."})
    assert "white" in (tmp_path / "data/memory/notes/tea.md").read_text(encoding="utf-8")

    both.forget("own:notes/tea", confirm="own:notes/tea")
    assert not (tmp_path / "data/memory/notes/tea.md").exists()


def test_new_memories_go_into_the_project(both: App, tmp_path: Path) -> None:
    before = documents(tmp_path / "data" / "memory")

    both.remember(Draft(body="Tobias deploys on Mondays."))

    assert documents(tmp_path / "data" / "memory") == before


# -- profiles ----------------------------------------------------------------------------------------------------


def test_the_profile_fields_finds_words_in_titles_tags_and_descriptions_and_gives_no_bodies(app: App) -> None:
    keep(app, "hive", "Nothing to see in the body.", title="Hive inspection", tags=("apiary",), description="Of May.")
    keep(app, "body", "An inspection of the hive in May, in the body.", title="Other")

    hits = app.recall("hive inspection", profile="fields").hits

    assert [hit.id for hit in hits] == ["notes/hive", "notes/body"]
    assert [hit.snippet for hit in hits] == ["Of May.", ""]
    assert found(app, "apiary", profile="fields") == ["notes/hive"]
    assert list(hits[0].channels) == ["fields"]


def test_the_profile_fields_never_answers_with_conversations(app: App, tmp_path: Path) -> None:
    talks(app, tmp_path)

    assert found(app, "bees behind the lighthouse", profile="fields") == []


def test_the_profile_resonance_weighs_seven_channels(app: App) -> None:
    hits = app.recall("what tea does Anna prefer", profile="resonance").hits

    assert hits[0].id == "notes/tea"
    assert len(hits) <= 8
    channels = {"lexical", "tag", "recency", "salience", "confidence", "provenance", "prospective"}
    assert set(hits[0].channels) == channels


@pytest.mark.parametrize(("option", "field"), [({"profile": "magic"}, "profile"), ({"unit": "page"}, "unit")])
def test_an_unknown_profile_or_unit_is_refused_with_the_known_ones(
    reading: App, option: dict[str, str], field: str
) -> None:
    with pytest.raises(InvalidMemoryError, match=field) as refused:
        reading.recall("tea", **option)  # type: ignore[arg-type]

    assert refused.value.hint.startswith("One of: ")


# -- vectors -----------------------------------------------------------------------------------------------------


class BrokenEmbedder(FakeEmbedder):
    """A model that fails as models do."""

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbedderError(f"out of memory for {len(texts)} texts")


def test_what_is_missing_is_said_and_words_still_answer(tmp_path: Path) -> None:
    app = noted(tmp_path / "memory", embedders=[BrokenEmbedder()])

    answer = app.recall("what tea does Anna prefer?")

    assert answer.hits[0].id == "notes/tea"
    assert any("out of memory" in note for note in answer.degraded)


def test_without_an_embedder_the_answer_says_that_words_were_matched(reading: App) -> None:
    assert reading.recall("tea").degraded == ("no embedder is in use: words were matched, not meanings",)


def test_a_few_vectors_are_made_with_every_recall_and_the_rest_waits(tmp_path: Path) -> None:
    app = noted(tmp_path / "memory", "embed.newest=4", embedders=[FakeEmbedder()])

    first = app.recall("tea")
    assert first.degraded == ("6 texts have no vectors yet; all of them now: mnemic index",)
    app.recall("tea")
    assert app.recall("tea").degraded == ()
    assert app.status()[0].vectors_waiting == 0


def test_meaning_is_found_without_a_common_word(tmp_path: Path) -> None:
    """The fake embedder is near where parts of words are alike: the query shares no word with any note."""
    app = noted(tmp_path / "memory", embedders=[FakeEmbedder()])
    keep(app, "pottery", "Mira turned potteries and teapots.")
    app.reindex()

    hit = app.recall("potteriesandteapots", where=replace(Where(), sources=(Source.MEMORY,))).hits[0]

    assert (hit.id, "words" in hit.channels) == ("notes/pottery", False)
    assert hit.channels["other"] > 0


# -- nothing is left behind --------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["default", "fields", "resonance"])
def test_a_question_leaves_nothing_behind(tmp_path: Path, profile: str) -> None:
    """Each question makes its own way through the memories; none is easier to reach for having been reached."""
    app = noted(tmp_path / "memory", embedders=[FakeEmbedder()])
    app.reindex()
    app.recall("anything")
    before = {name: data for name, data in files(app.root).items() if not name.endswith(("-shm", "-wal"))}
    with app.bundle.index.reading() as index:
        generation = index.generation

    for question in QUESTIONS:
        app.recall(question, profile=profile)

    assert {name: data for name, data in files(app.root).items() if not name.endswith(("-shm", "-wal"))} == before
    with app.bundle.index.reading() as index:
        assert index.generation == generation


def test_memories_are_joined_by_the_links_people_wrote_and_by_nothing_else(app: App) -> None:
    """Two that say nearly the same are neighbours for one question at a time, and stored as strangers."""
    keep(app, "tea-2", "Anna prefers green tea in the evening.", title="Tea in the evening")
    keep(app, "list", "See [[cello]].", title="List")
    app.recall("what tea does Anna prefer?")

    with app.bundle.index.reading() as index:
        rows = index.find(["notes/tea", "notes/tea-2", "notes/list", "notes/cello"])
        linked = index.linked(list(rows.values()))

    assert {row for row in rows.values() if linked.get(row)} == {rows["notes/list"], rows["notes/cello"]}


def test_vectors_replace_neither_provenance_nor_contradictions(tmp_path: Path) -> None:
    """With them and without them the same is quarantined, and provenance weighs the same."""
    seen = []
    for name, embedders in (("without", ()), ("with", (FakeEmbedder(),))):
        app = an_app(tmp_path / name, embedders=embedders)
        keep(app, "oslo", "Ada lives in Oslo.", claim=Claim("city", "Oslo"), provenance=Provenance.of(Origin.USER_SAID))
        done = keep(app, "bergen", "Ada lives in Bergen.", claim=Claim("city", "Bergen"))
        hit = app.recall("where does Ada live?").hits[0]
        seen.append((done.memory.state, hit.id, hit.channels["provenance"], hit.origin, hit.authority))

    assert seen[0] == seen[1]
    assert seen[0][0] is State.QUARANTINED


def test_a_claim_is_found_by_its_key(tmp_path: Path) -> None:
    app = noted(tmp_path / "memory")
    keep(app, "anna", "Anna prefers the green one.", claim=Claim("anna.drink", "tea"))

    assert found(app, "what does Anna drink?")[0] == "notes/anna"


def test_one_sign_that_begins_many_words_of_one_note_finds_it(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    keep(app, "tea", "茶叶茶杯茶壶茶几茶馆茶楼茶具茶园", title="tea")

    assert found(app, "茶") == ["notes/tea"]
