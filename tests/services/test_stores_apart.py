"""What is kept apart: memories and the conversations they come from, texts and the vectors made of them."""

from __future__ import annotations

import sqlite3
import time
import uuid
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from rooms import an_app, chat, documents, files, found, keep

from mnemic.domain.entries import Source, Where
from mnemic.domain.provenance import Origin, Provenance
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from pathlib import Path


def test_a_new_memory_has_a_uid_that_tells_when_it_was_made_and_sorts_by_it(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    uids = []
    for number in range(20):
        before = time.time_ns() // 1_000_000
        made = uuid.UUID(keep(app, f"note-{number}", f"The number is {number}.").memory.uid)
        after = time.time_ns() // 1_000_000
        assert made.version == 7
        assert before <= made.int >> 80 <= after
        uids.append(made)
        while time.time_ns() // 1_000_000 == after:
            pass  # uids of one millisecond are in no order

    assert [str(one) for one in uids] == sorted(map(str, uids))
    assert len(set(uids)) == 20


def test_a_uid_stays_when_its_document_moves(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    done = keep(app, "bees")

    (app.root / done.path).rename(app.root / "notes" / "hives.md")

    moved = app.show("notes/hives").memory
    assert moved is not None
    assert moved.memory.uid == done.memory.uid


def test_conversations_lie_in_a_store_of_their_own_and_memories_refer_to_them(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    turns: list[dict[str, object]] = [{"text": "Good morning."}, {"text": "I moved to Bergen in April."}]
    before = documents(app.root)
    app.import_sessions(chat(tmp_path / "chat.jsonl", turns))
    assert documents(app.root) == before
    assert [name for name, data in files(app.root).items() if b"moved to Bergen" in data and "sessions/" in name] == [
        ".mnemic/sessions/kitchen.jsonl"
    ]

    source = Provenance.of(Origin.USER_SAID, session="kitchen", turns=(2,))
    done = keep(app, "home", "Lives in Bergen.", provenance=source)

    text = (app.root / done.path).read_text(encoding="utf-8")
    assert "I moved" not in text
    stored = app.show("notes/home").memory
    assert stored is not None
    cited = stored.memory.provenance
    shown = app.show(f"session:{cited.session}#{cited.turns[0]}")
    assert [turn.text for turn in shown.turns] == ["I moved to Bergen in April."]
    app.forget("session:kitchen", confirm="session:kitchen")
    assert app.show("notes/home").memory == stored


def test_a_session_is_never_a_memory_and_a_memory_never_a_turn(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    keep(app, "home", "Lives in Bergen.")
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": "She lives in Bergen."}]))

    (numbers,) = app.status()

    assert (numbers.memories, numbers.turns, numbers.sessions) == (1, 1, 1)
    assert found(app, "lives in Bergen", where=Where(sources=(Source.MEMORY,))) == ["notes/home"]
    assert found(app, "lives in Bergen", where=Where(sources=(Source.TURN,))) == ["session:kitchen#1"]


# -- vectors -----------------------------------------------------------------------------------------------------


class NewerEmbedder(FakeEmbedder):
    """The same model in its next version."""

    def __init__(self) -> None:
        super().__init__()
        self.space = replace(self.space, version="2")


def test_vectors_lie_outside_of_the_documents_and_carry_model_and_version(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    keep(app, "bees", "Runa keeps bees.")
    before = documents(app.root)

    embedded = an_app(app.root, embedders=[FakeEmbedder()])
    embedded.reindex()

    assert embedded.status()[0].vectors == 1
    assert documents(app.root) == before
    with closing(sqlite3.connect(f"file:{app.root}/.mnemic/index.db?mode=ro", uri=True)) as db:
        spaces = db.execute(
            "select space.name, space.dim, length(vector.data) from vector join space on space.id = vector.space"
        ).fetchall()
    assert spaces == [("fake/1/ngrams/64", 64, 128)]


def test_vectors_of_another_version_are_no_vectors_of_this_one(tmp_path: Path) -> None:
    """They are made anew and never mixed."""
    app = an_app(tmp_path / "memory", embedders=[FakeEmbedder()])
    keep(app, "bees", "Runa keeps bees.")
    app.reindex()
    assert app.status()[0].vectors_waiting == 0

    newer = an_app(app.root, embedders=[NewerEmbedder()])

    assert newer.status()[0].vectors_waiting == 1
    newer.reindex()
    assert newer.status()[0].vectors_waiting == 0
