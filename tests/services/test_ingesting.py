"""Importing conversations: everything once, secrets never, and a word about each line that was not taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rooms import KEY, an_app, chat, documents, files, found, traces

from mnemic.app import App
from mnemic.domain.session import Role
from mnemic.errors import DocumentMalformedError, ImportSourceError, ReadOnlyBundleError
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

TALK: list[dict[str, object]] = [
    {"text": "The ferry leaves Havneby at ten.", "speaker": "Mira"},
    {"text": "I will book the ferry.", "role": "assistant", "speaker": "Iva"},
    {"text": "Забронируй каюту у окна.", "speaker": "Mira"},
]


@pytest.fixture
def app(tmp_path: Path) -> App:
    return an_app(tmp_path / "memory")


def test_what_was_said_is_found_with_its_place(app: App, tmp_path: Path) -> None:
    done = app.import_sessions(chat(tmp_path / "talk.jsonl", TALK))

    assert (done.added, done.known, done.report.sessions) == (3, 0, 1)
    hit = app.recall("when does the ferry leave Havneby?").hits[0]
    assert (hit.id, hit.kind, hit.speaker) == ("session:kitchen#1", "turn", "Mira")
    assert (app.root / hit.source.path).read_text(encoding="utf-8").splitlines()[hit.source.line - 1].count("Havneby")
    assert found(app, "каюта у окна")[0] == "session:kitchen#3"


def test_the_same_source_again_adds_nothing_and_writes_nothing(app: App, tmp_path: Path) -> None:
    source = chat(tmp_path / "talk.jsonl", TALK)
    app.import_sessions(source)
    before = files(app.root / ".mnemic" / "sessions")

    again = app.import_sessions(source)

    assert (again.added, again.known, again.conflicts) == (0, 3, 0)
    assert files(app.root / ".mnemic" / "sessions") == before


def test_a_longer_source_adds_what_is_new(app: App, tmp_path: Path) -> None:
    app.import_sessions(chat(tmp_path / "talk.jsonl", TALK[:2]))

    done = app.import_sessions(chat(tmp_path / "talk.jsonl", TALK))

    assert (done.added, done.known) == (1, 2)


def test_a_dry_run_counts_and_writes_nothing(app: App, tmp_path: Path) -> None:
    before = files(app.root)

    done = app.import_sessions(chat(tmp_path / "talk.jsonl", [*TALK, {"text": f"key {KEY}"}]), dry_run=True)

    assert (done.added, done.dry_run) == (4, True)
    assert sum(done.redacted.values()) == 1
    assert files(app.root) == before


def test_secrets_are_taken_out_of_every_text_and_counted(app: App, tmp_path: Path) -> None:
    turns: list[dict[str, object]] = [
        {"text": f"use {KEY} for the build", "title": f"about {KEY}", "conversation": f"c {KEY}"},
        {"text": "look", "attachments": [f"a screenshot that says {KEY}"], "speaker": f"bot {KEY}"},
    ]

    done = app.import_sessions(chat(tmp_path / "talk.jsonl", turns))

    assert sum(done.redacted.values()) == 5
    assert traces(app.root, KEY[4:]) == []
    assert "for the build" in app.show("session:kitchen#1").turns[0].text


def test_a_policy_may_refuse_turns_with_secrets(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory", "rules.secrets_in_sessions=refuse")

    done = app.import_sessions(chat(tmp_path / "talk.jsonl", [*TALK, {"text": f"key {KEY}"}]))

    assert done.added == 3
    assert [(remark.line, remark.code) for remark in done.report.refused] == [(4, "secret")]
    assert traces(app.root, KEY) == []


def test_a_turn_beyond_the_limit_is_refused_with_its_line(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory", "limits.turn_characters=50")
    turns: list[dict[str, object]] = [*TALK, {"text": "x" * 51}, {"text": "x" * 40, "attachments": ["y" * 11]}]

    done = app.import_sessions(chat(tmp_path / "talk.jsonl", turns))

    assert done.added == 3
    assert [(remark.line, remark.code) for remark in done.report.refused] == [(4, "limit"), (5, "limit")]


def test_a_turn_with_other_words_than_the_stored_ones_is_told_and_the_stored_ones_stand(
    app: App, tmp_path: Path
) -> None:
    app.import_sessions(chat(tmp_path / "talk.jsonl", TALK))
    changed = [TALK[0], {**TALK[1], "text": "I booked a plane."}, TALK[2]]

    done = app.import_sessions(chat(tmp_path / "talk.jsonl", changed))

    assert (done.added, done.known, done.conflicts) == (0, 3, 1)
    assert [(remark.line, remark.code) for remark in done.report.refused] == [(2, "conflict")]
    assert app.show("session:kitchen#2").turns[0].text == "I will book the ferry."


def test_what_the_system_said_is_kept_and_not_recalled(app: App, tmp_path: Path) -> None:
    turns: list[dict[str, object]] = [{"text": "You are a pirate captain.", "role": "system"}, *TALK]

    app.import_sessions(chat(tmp_path / "talk.jsonl", turns))

    assert app.show("session:kitchen#1").turns[0].role is Role.SYSTEM
    assert "session:kitchen#1" not in found(app, "pirate captain")


def test_vectors_are_made_with_the_import_or_later(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory", embedders=[FakeEmbedder()])

    app.import_sessions(chat(tmp_path / "talk.jsonl", TALK), embed=False)
    assert (app.status()[0].vectors, app.status()[0].vectors_waiting) == (0, 3)

    app.reindex()
    assert (app.status()[0].vectors, app.status()[0].vectors_waiting) == (3, 0)


class Interrupted(FakeEmbedder):
    """Somebody presses Ctrl-C at its first batch."""

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:  # noqa: ARG002 - the port's
        raise KeyboardInterrupt


def test_an_import_that_was_stopped_while_embedding_is_completed_by_the_same_call(tmp_path: Path) -> None:
    source = chat(tmp_path / "talk.jsonl", TALK)
    with pytest.raises(KeyboardInterrupt):
        an_app(tmp_path / "memory", embedders=[Interrupted()]).import_sessions(source)
    app = an_app(tmp_path / "memory", embedders=[FakeEmbedder()])
    assert app.status()[0].vectors_waiting == 3

    done = app.import_sessions(source)

    assert (done.added, done.known) == (0, 3)
    assert (app.status()[0].vectors, app.status()[0].vectors_waiting) == (3, 0)


@pytest.mark.parametrize("options", [{}, {"dry_run": True}], ids=["import", "dry run"])
def test_a_broken_session_file_is_told_and_the_other_sessions_come_in(
    app: App, tmp_path: Path, options: dict[str, bool]
) -> None:
    app.import_sessions(chat(tmp_path / "talk.jsonl", TALK))
    broken = app.root / ".mnemic" / "sessions" / "kitchen.jsonl"
    broken.write_bytes(b"not a head\n")
    source = chat(tmp_path / "talk.jsonl", TALK)
    lines = source.read_text(encoding="utf-8")
    source.write_text(lines + lines.replace("kitchen", "quay"), encoding="utf-8")

    done = app.import_sessions(source, dry_run=options.get("dry_run", False))

    assert done.added == 3
    (told,) = done.report.refused
    assert (told.path, told.line, told.code) == (".mnemic/sessions/kitchen.jsonl", 1, "file")
    assert broken.read_bytes() == b"not a head\n"


def test_what_is_said_of_a_broken_session_is_what_mends_it(app: App, tmp_path: Path) -> None:
    source = chat(tmp_path / "talk.jsonl", TALK)
    app.import_sessions(source)
    broken = app.root / ".mnemic" / "sessions" / "kitchen.jsonl"
    broken.write_bytes(b"not a head\n")
    with pytest.raises(DocumentMalformedError) as refused:
        app.show("session:kitchen")
    assert "--repair" not in refused.value.hint
    assert "move the file out of the folder and import its source again" in refused.value.hint

    broken.rename(tmp_path / "kitchen.jsonl")
    app.import_sessions(source)

    assert app.show("session:kitchen#1").turns[0].text == TALK[0]["text"]


def test_a_dry_run_tells_known_turns_and_conflicts_as_the_import_would(app: App, tmp_path: Path) -> None:
    app.import_sessions(chat(tmp_path / "talk.jsonl", TALK))
    source = chat(
        tmp_path / "talk.jsonl", [TALK[0], {**TALK[1], "text": "I booked a plane."}, *TALK[2:], {"text": "New."}]
    )

    would, did = app.import_sessions(source, dry_run=True), app.import_sessions(source)

    assert (would.added, would.known, would.conflicts) == (did.added, did.known, did.conflicts) == (1, 3, 1)
    assert would.report.refused == did.report.refused


def test_a_folder_of_notes_is_pointed_at_instead_of_imported(app: App, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "bees.md").write_text("Bees sleep in winter.", encoding="utf-8")

    with pytest.raises(ImportSourceError) as refused:
        app.import_sessions(vault)

    assert f"--bundle {vault}" in refused.value.hint


@pytest.mark.parametrize("name", ["nothing.jsonl", "noise.bin"])
def test_what_is_no_conversation_is_named(app: App, tmp_path: Path, name: str) -> None:
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)))
    before = documents(app.root)

    with pytest.raises(ImportSourceError, match=name):
        app.import_sessions(tmp_path / name)

    assert documents(app.root) == before


def test_a_folder_that_is_no_bundle_takes_no_conversations_but_can_be_tried(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "a.md").write_text("Bees.", encoding="utf-8")
    app = App.start(tmp_path / "vault", embedders=())
    source = chat(tmp_path / "talk.jsonl", TALK)

    with pytest.raises(ReadOnlyBundleError):
        app.import_sessions(source)

    assert app.import_sessions(source, dry_run=True).added == 3
    assert list(documents(tmp_path / "vault")) == ["a.md"]
