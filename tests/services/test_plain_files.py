"""A bundle is plain files that people own: one truth, one deterministic writer, nothing that happens unasked."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rooms import SetClock, an_app, chat, documents, files, found, keep

from mnemic.adapters.markdown.files import Fs
from mnemic.app import App, create_bundle
from mnemic.domain.changes import ChangeSet, Put
from mnemic.domain.drafts import Draft
from mnemic.domain.memory import State
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemic.domain.memory import Memory

_UID = re.compile(rb"uid: [0-9a-f-]{36}")


@pytest.fixture
def app(tmp_path: Path) -> App:
    return filled(tmp_path / "memory")


def filled(root: Path, **options: object) -> App:
    """Some of everything: a statement, a person with links, one that replaces another, an edit, one forgotten."""
    app = an_app(root, **options)  # type: ignore[arg-type]
    keep(app, "bees", "Runa keeps bees behind the lighthouse.", title="Bees", tags=("runa", "hobby"))
    keep(app, "cello", "The cello is at the luthier. See [[bees]].", title="Cello", kind="observation")
    keep(app, "cello-2", "The cello is back.", title="Cello, later", supersedes=("notes/cello",))
    keep(app, "boat", "The boat lies in Havneby.", title="Boat")
    app.edit("notes/bees", lambda memory: {"body": f"{memory.body}\n\nTwo hives."})
    app.forget("notes/boat", confirm="notes/boat")
    return app


ASKED = ("who keeps bees behind the lighthouse?", "where is the cello?", "Havneby", "#runa", "two hives")


def answers(app: App) -> list[object]:
    """All that a caller sees of the answers but the time they took."""
    told = (app.recall(query) for query in ASKED)
    return [(one.hits, one.abstained, one.degraded, one.left_out) for one in told]


# -- the only truth ----------------------------------------------------------------------------------------------


def test_of_its_documents_alone_a_bundle_comes_back_whole(app: App, tmp_path: Path) -> None:
    """Not even `mnemic.toml` or the indexes are needed: whatever is derived is derived from the documents."""
    before = answers(app)
    shown = [app.show(name).memory for name in ("notes/bees", "notes/cello", "notes/cello-2")]
    for path in app.root.rglob("*.md"):
        if path.name not in {"index.md", "log.md"}:
            copy = tmp_path / "copy" / path.relative_to(app.root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)

    copied = an_app(tmp_path / "copy")

    assert answers(copied) == before
    assert [copied.show(name).memory for name in ("notes/bees", "notes/cello", "notes/cello-2")] == shown
    assert copied.check(repair=True).healthy


def test_what_a_document_says_counts_whatever_the_index_said(app: App) -> None:
    """The index is believed in nothing: a memory that only it knows is none."""
    assert found(app, "bees behind the lighthouse") == ["notes/bees"]
    (app.root / "notes" / "bees.md").unlink()

    assert found(app, "bees behind the lighthouse") == []


def test_an_index_of_a_folder_is_for_people_and_never_searched(app: App) -> None:
    before = answers(app)
    for path in (app.root / "index.md", app.root / "notes" / "index.md"):
        path.write_text(f"The zanzibarian cloves.\n\n{path.read_text(encoding='utf-8')}", encoding="utf-8")

    assert found(app, "zanzibarian cloves") == []
    for path in app.root.rglob("index.md"):
        path.unlink()
    assert answers(app) == before


def test_the_log_is_no_journal_and_nothing_depends_on_it(app: App) -> None:
    before, said = answers(app), (app.root / "log.md").read_text(encoding="utf-8")
    assert "[Bees](/notes/bees.md)" in said

    (app.root / "log.md").unlink()

    assert answers(an_app(app.root)) == before
    keep(app, "kite", "Build a kite.")
    assert "kite" in (app.root / "log.md").read_text(encoding="utf-8")
    assert app.check().healthy


def test_a_copy_of_the_folder_is_a_backup(app: App, tmp_path: Path) -> None:
    """Without the index, as the guide says: it is made again."""
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": "The ferry to Rømø leaves at ten."}]))
    asked = [*answers(app), found(app, "when does the ferry leave?")]
    shutil.copytree(app.root, tmp_path / "backup", ignore=shutil.ignore_patterns("index.db*", "*.pack"))
    shutil.rmtree(app.root)

    restored = an_app(tmp_path / "backup")

    assert [*answers(restored), found(restored, "when does the ferry leave?")] == asked
    assert restored.check().healthy


# -- one deterministic writer ------------------------------------------------------------------------------------


def test_the_same_calls_at_the_same_time_write_the_same_bytes(tmp_path: Path) -> None:
    """Only the uids are by lot."""
    one, other = (documents(filled(tmp_path / name / "memory").root) for name in ("one", "other"))

    assert {name: _UID.sub(b"uid", data) for name, data in one.items()} == {
        name: _UID.sub(b"uid", data) for name, data in other.items()
    }
    assert len(one) >= 8


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
LINES = st.sampled_from(
    ["---", "...", "type: workflow", "timestamp: 1999-01-01", "<!-- mnemic:begin -->", "<!-- mnemic:end -->",
     "# Memories", "* [x](y.md)", "```", "key: [", "\tx: y", "- - -", "| a | b |", "%YAML 1.2", "﻿---"],
)  # fmt: skip
BODIES = st.lists(LINES | TEXTS, max_size=6).map("\n".join)


@pytest.fixture(scope="module")
def writing(tmp_path_factory: pytest.TempPathFactory) -> App:
    return an_app(tmp_path_factory.mktemp("writing") / "memory")


@given(BODIES, LINES | TEXTS, LINES | TEXTS, st.lists(LINES | TEXTS, max_size=3))
def test_whatever_a_caller_gives_the_form_is_right_and_the_content_comes_back(
    writing: App, body: str, title: str, description: str, tags: list[str]
) -> None:
    """Nobody has to check afterwards: text that looks like front matter, markers or a table stays text."""
    wanted = tuple(dict.fromkeys(tag for tag in tags if tag.strip()))
    draft = Draft(body=f"{body}\nEnd.", title=title if title.strip() else "Title", description=description, tags=wanted)

    done = writing.remember(draft)

    stored = writing.show(done.memory.id).memory
    assert stored is not None
    assert (stored.memory.kind, stored.memory.changed_at) == ("note", writing.bundle.clock.now())
    if done.created:
        assert stored.memory.body.strip() == draft.body.strip().replace("\r\n", "\n").replace("\r", "\n")
        assert len(stored.memory.tags) == len(wanted)
    assert writing.check().healthy


def test_a_caller_gives_content_and_never_form() -> None:
    """There is no field for what the store decides: times, state, uid, path, front matter."""
    assert {field.name for field in fields(Draft)} == {
        "body", "title", "kind", "id", "description", "tags", "resource", "valid_from", "valid_until", "due",
        "on_event", "supersedes", "outcome_of", "result", "salience", "confidence", "privacy", "provenance", "claim",
        "scope", "loading", "cites", "by_agent",
    }  # fmt: skip


def test_content_given_as_fields_gets_its_form_from_the_store(app: App) -> None:
    """The caller knows nothing of Markdown documents; what it is told is where the document lies."""
    done = app.remember(
        Draft(
            body="Takes her tea without sugar.",
            title="Anna Berg: tea",
            kind="preference",
            tags=("anna", "tea"),
            description="How Anna takes tea",
        )
    )

    assert done.path == "preferences/anna-berg-tea.md"
    head, _, body = (app.root / done.path).read_text(encoding="utf-8").removeprefix("---\n").partition("---\n")
    assert [line.partition(":")[0] for line in head.splitlines() if line[0] not in " -"] == [
        "type", "title", "description", "tags", "created", "timestamp", "scope", "uid"
    ]  # fmt: skip
    assert body.strip() == "Takes her tea without sugar."


def test_time_is_told_by_the_clock_and_moves_with_the_meaning_alone(tmp_path: Path) -> None:
    clock = SetClock()
    app = an_app(tmp_path / "memory", clock=clock)
    path = app.root / keep(app, "bees", "Runa keeps bees.\n\nTimestamp: 1999-01-01").path
    first = path.read_bytes()
    assert first.count(b"timestamp: 2026-05-03T06:14:00Z\n") == 1

    clock.move(days=1)
    app.edit("notes/bees", lambda memory: {"body": f"\n{memory.body}  \n\n", "title": memory.title})
    assert path.read_bytes() == first

    app.edit("notes/bees", lambda _: {"body": "Runa keeps bees and a goat."})
    assert b"timestamp: 2026-05-04T06:14:00Z\n" in path.read_bytes()
    assert b"created: 2026-05-03T06:14:00Z\n" in path.read_bytes()


# -- with ordinary tools -----------------------------------------------------------------------------------------


def test_a_bundle_is_read_and_compared_with_ordinary_tools(app: App) -> None:
    """Nothing has to run: every document is text in UTF-8, holds what was said word for word, and changes by lines."""
    path = app.root / "notes" / "bees.md"
    before = path.read_text(encoding="utf-8").splitlines()
    assert "Runa keeps bees behind the lighthouse." in before

    app.edit("notes/bees", lambda memory: {"tags": (*memory.tags, "honey")})

    after = path.read_text(encoding="utf-8").splitlines()
    changed = [line for line in difflib.ndiff(before, after) if line[:2] in {"+ ", "- "}]
    assert changed == ["- tags: [runa, hobby]", "+ tags: [runa, hobby, honey]"]
    assert [name for name, data in documents(app.root).items() if b"\0" in data or not data.decode("utf-8")] == []
    assert not [name for name in files(app.root) if name.endswith((".pid", "sock", ".lock"))]


def test_a_bundle_that_was_moved_is_the_same_bundle(app: App, tmp_path: Path) -> None:
    before = answers(app)
    written = documents(app.root)
    shutil.move(app.root, tmp_path / "elsewhere" / "née élan")

    moved = an_app(tmp_path / "elsewhere" / "née élan")

    assert answers(moved) == before
    assert documents(moved.root) == written


# -- nothing unasked ---------------------------------------------------------------------------------------------


def test_nothing_appears_in_a_bundle_that_nobody_asked_for(tmp_path: Path) -> None:
    """No summary, no note made from a conversation, no file elsewhere: the documents are those that were written."""
    app = filled(tmp_path / "memory", embedders=[FakeEmbedder()])
    app.import_sessions(
        chat(tmp_path / "chat.jsonl", [{"text": "I decided to move to Bergen. Remember that I am allergic to nuts!"}])
    )
    app.reindex()
    for query in ASKED:
        app.recall(query)
    app.status()
    app.check(repair=True)

    assert set(documents(app.root)) == {
        ".gitignore", "index.md", "log.md", "mnemic.toml",
        "notes/bees.md", "notes/cello.md", "notes/cello-2.md", "notes/index.md",
    }  # fmt: skip
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chat.jsonl", "memory"]


def test_no_process_commits_or_asks_git_for_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a repository that tracks the memories, and with a `git` in the way that would tell of being called."""
    git = shutil.which("git")
    assert git is not None
    subprocess.run([git, "init", "-q", tmp_path], check=True)
    called = tmp_path / "called"
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "git").write_text(f"#!/bin/sh\necho called >> '{called}'\n", encoding="utf-8")
    (tools / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    create_bundle(tmp_path / "memory", overrides=("bundle.git=track",))

    filled(tmp_path / "memory")
    program = "from mnemic.entry.cli.main import main; main()"
    for words in (["remember", "Text."], ["recall", "text"], ["check", "--repair"], ["status"]):
        base = [sys.executable, "-c", program, "--bundle", str(tmp_path / "memory"), "--set", "embed.engines="]
        assert subprocess.run([*base, *words], capture_output=True, check=False).returncode == 0

    assert not called.exists()
    state = subprocess.run([git, "-C", tmp_path, "status", "--porcelain", "-uall"], capture_output=True, check=True)
    assert b"?? memory/notes/bees.md\n" in state.stdout
    assert not re.search(rb"^[^?]", state.stdout, re.MULTILINE)
    assert subprocess.run([git, "-C", tmp_path, "rev-parse", "-q", "--verify", "HEAD"], check=False).returncode == 1


@pytest.mark.parametrize(("setting", "seen"), [("ignore", False), ("track", True)])
def test_git_sees_a_bundle_when_its_owner_says_so(tmp_path: Path, setting: str, *, seen: bool) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    create_bundle(tmp_path / "memory", overrides=(f"bundle.git={setting}",))

    keep(App.start(tmp_path / "memory", embedders=()), "bees")

    state = ["git", "-C", str(tmp_path), "status", "--porcelain", "-uall"]
    listed = subprocess.run(state, capture_output=True, check=True, text=True).stdout
    assert ("memory/notes/bees.md" in listed) is seen
    assert ".mnemic" not in listed


# -- whoever calls decides ---------------------------------------------------------------------------------------


def test_search_first_read_decide_write_and_the_rest_follows_by_rule(app: App) -> None:
    """The flow of an agent: four decisions of its own; file, times, index, log and state are none of its business."""
    answer = app.recall("where is the cello now?")
    chosen = answer.hits[0].id
    assert chosen == "notes/cello-2"
    read = app.show(chosen).memory
    assert read is not None
    assert read.memory.body == "The cello is back."

    done = app.remember(Draft(body="The cello was sold to Tobias.", title="Cello sold", supersedes=(chosen,)))

    assert found(app, "where is the cello now?") == [done.memory.id]
    old = app.show(chosen).memory
    assert old is not None
    assert (old.memory.state, old.memory.superseded_by) == (State.SUPERSEDED, (done.memory.id,))
    assert f"]({Path(done.path).name})" in (app.root / "notes" / "index.md").read_text(encoding="utf-8")
    assert f"**Creation**: [Cello sold](/{done.path})" in (app.root / "log.md").read_text(encoding="utf-8")
    assert app.check().healthy


@pytest.mark.parametrize(
    "body", ["ok", "asdf", "?", "The weather is nice.", "Forget everything.", "lorem ipsum " * 600]
)
def test_what_is_worth_keeping_is_not_judged_by_the_store(app: App, body: str) -> None:
    done = app.remember(Draft(body=body, title="As given"))

    assert done.created
    stored = app.show(done.memory.id).memory
    assert stored is not None
    assert stored.memory.body.strip() == body.strip()
    assert stored.memory.salience == 0.5


def test_the_store_changes_no_memory_by_itself(app: App) -> None:
    """However old, unused or overdue: only a caller changes it."""
    keep(app, "promise", "Send the report.", kind="commitment", due=app.bundle.clock.now())
    before = documents(app.root)

    late = SetClock()
    late.move(days=5_000)
    old = an_app(app.root, clock=late)
    answers(old)
    old.status()
    old.check(repair=True)
    old.reindex(rebuild=True)

    assert documents(app.root) == before


# -- repair ------------------------------------------------------------------------------------------------------


def _by_the_store(app: App) -> None:
    app.bundle.store.check(repair=True)


def _by_the_application(app: App) -> None:
    app.check(repair=True)


def _by_the_command(app: App) -> None:
    program = "from mnemic.entry.cli.main import main; main()"
    command = [sys.executable, "-c", program, "--bundle", str(app.root), "check", "--repair"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_every_way_to_a_repair_is_the_same_repair(tmp_path: Path) -> None:
    """Originals carry the moment of the repair in their names; everything else is equal, byte for byte."""
    results = []
    ways: tuple[Callable[[App], None], ...] = (_by_the_store, _by_the_application, _by_the_command)
    for number, way in enumerate(ways):
        root = tmp_path / f"way-{number}" / "memory"
        app = an_app(root)
        for name, text in (
            ("no-type", "---\ntitle: Bees\ntimestamp: 2026-05-01\n---\nBees.\n"),
            ("unclosed", "---\ntype: note\ntimestamp: 2026-05-01\n\nThe cello.\n"),
            ("plain", "Only text.\n"),
        ):
            path = root / "notes" / f"{name}.md"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            os.utime(path, (1_767_225_600, 1_767_225_600))

        way(app)

        kept = {re.sub(r"\.md\.\d.*", ".md", name): data for name, data in documents(root).items()}
        results.append({name: _UID.sub(b"uid", data) for name, data in kept.items() if name != "log.md"})

    assert results[0] == results[1] == results[2]
    assert [name for name in results[0] if name.startswith(".recovery/")] == [
        ".recovery/notes/no-type.md", ".recovery/notes/plain.md", ".recovery/notes/unclosed.md"
    ]  # fmt: skip


# -- opening -----------------------------------------------------------------------------------------------------


def test_a_change_that_was_cut_off_is_complete_after_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The document had its name, then the process ended: index, log and search follow with the next opening."""
    app = an_app(tmp_path / "memory")
    keep(app, "bees", "Runa keeps bees.")
    memory: Memory = app.bundle.store.find("notes/bees").memory.changed(
        app.bundle.clock.now(),
        id="notes/kite",
        title="Kite",
        body="Build a kite from bamboo.",
        uid=app.bundle.ids.new(),
    )
    store = app.bundle.store

    class Disk(Fs):
        def rename(self, old: str, new: str) -> None:
            if new.endswith("index.md"):
                raise KeyboardInterrupt(new)
            super().rename(old, new)

        def unlink(self, path: str) -> None:
            raise KeyboardInterrupt(path)

    monkeypatch.setattr(store, "fs", Disk())
    with pytest.raises(KeyboardInterrupt):
        store.apply(ChangeSet(puts=(Put(memory),)))
    assert "kite" not in (app.root / "notes" / "index.md").read_text(encoding="utf-8")

    opened = an_app(app.root)

    assert "](kite.md)" in (app.root / "notes" / "index.md").read_text(encoding="utf-8")
    assert "[Kite](/notes/kite.md)" in (app.root / "log.md").read_text(encoding="utf-8")
    assert found(opened, "a kite from bamboo") == ["notes/kite"]
    assert opened.check().healthy
