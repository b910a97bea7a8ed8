"""Speed and size: the made texts, the bare minimum, and every part of the report at a size that takes seconds."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from mnemic.app import App, create_bundle
from mnemic.bench import floors, scale, timing
from mnemic.bench.corpus import Corpus, write_chat, write_memories
from mnemic.bench.timing import Times
from mnemic.entry.cli.main import cli
from mnemic.errors import StorageError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.bench.bundles import Workshop


# The made texts


def test_the_same_seed_makes_the_same_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert len(list(write_memories(tmp_path / name, 30, seed=5))) == 30

    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*.md"))
    assert len(files) == 30
    assert all((tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes() for file in files)


def test_words_are_as_frequent_as_in_real_text_and_of_several_scripts() -> None:
    """A few words are everywhere and most are rare; flat text would make every query cheap."""
    corpus = Corpus(3)
    words = Counter(word for _ in range(400) for word in corpus.body().casefold().replace(".", "").split())
    common = sum(count for _, count in words.most_common(20)) / words.total()
    once = sum(count == 1 for count in words.values()) / len(words)
    scripts = {unicodedata.name(letter).split()[0] for word in words for letter in word if letter.isalpha()}

    assert 0.2 < common < 0.6
    assert once > 0.4
    assert {"LATIN", "CYRILLIC", "CJK", "HIRAGANA"} <= scripts


def test_made_memories_are_documents_without_a_problem(tmp_path: Path) -> None:
    create_bundle(tmp_path / "memory")
    list(write_memories(tmp_path / "memory", 25, seed=1))

    app = App.start(tmp_path / "memory", embedders=())

    assert {problem.code for problem in app.check().problems} == {"stale_index", "missing_index"}
    assert app.check(repair=True).healthy
    status = app.status()[0]
    assert (status.memories, status.by_kind) == (25, {"note": 25})


def test_made_turns_are_imported_without_a_remark(tmp_path: Path) -> None:
    create_bundle(tmp_path / "memory")
    list(write_chat(tmp_path / "chat.jsonl", 50, seed=1))

    done = App.start(tmp_path / "memory", embedders=()).import_sessions(tmp_path / "chat.jsonl")

    assert (done.added, done.report.sessions, done.report.refused, done.report.mended) == (50, 3, (), ())


def test_a_made_question_shares_words_with_its_text() -> None:
    corpus = Corpus(9)
    for text in [corpus.body() for _ in range(40)]:
        asked = set(floors.terms_of(corpus.query(text)))
        assert asked & set(floors.terms_of(text))


# Timing and floors


def test_actions_take_turns_and_each_runs_once_a_round() -> None:
    ran: list[tuple[str, int]] = []
    actions = {name: lambda number, name=name: ran.append((name, number)) for name in "abc"}

    taken = timing.alternated(20, actions, Random(1))

    rounds = [ran[start : start + 3] for start in range(0, 60, 3)]
    assert all({name for name, _ in done} == set("abc") for done in rounds)
    assert [{number for _, number in done} for done in rounds] == [{number} for number in range(20)]
    assert len({tuple(name for name, _ in done) for done in rounds}) > 1
    assert {name: len(times.seconds) for name, times in taken.items()} == {"a": 20, "b": 20, "c": 20}


def test_a_ratio_compares_medians() -> None:
    """One slow run of either side changes nothing."""
    assert timing.ratio(Times((2.0, 2.0, 90.0)), Times((1.0, 1.0, 0.1))) == 2.0
    assert timing.ratio(Times((1.0,)), Times((0.0,))) is None
    assert timing.total([Times((1.0, 2.0)), Times((10.0, 20.0))]) == Times((11.0, 22.0))


def test_the_bare_query_finds_what_the_index_holds(tmp_path: Path) -> None:
    create_bundle(tmp_path / "memory")
    list(write_memories(tmp_path / "memory", 40, seed=1))
    (tmp_path / "memory" / "bees.md").write_text("---\ntype: note\ntitle: Bees\n---\n\nRuna keeps bees.\n")
    App.start(tmp_path / "memory", embedders=()).reindex()
    index = floors.BareIndex(tmp_path / "memory" / ".mnemic" / "index.db")

    db = index.connect()
    rows = floors.full_text(db, floors.terms_of("who keeps bees?"))

    assert len(rows) == 1
    with pytest.raises(sqlite3.OperationalError):
        db.execute("delete from entry")
    db.close()


def test_pruning_keeps_the_rarest_words_and_always_one() -> None:
    frequencies = {"common": 30_000, "medium": 15_000, "rare": 4_000, "unknown": 0}

    assert floors.pruned(frequencies, 50_000) == ["unknown", "rare", "medium"]
    assert floors.pruned(frequencies, 3_000_000) == ["unknown", "rare", "medium", "common"]
    assert floors.pruned({"common": 30_000}, 50_000) == ["common"]
    assert floors.pruned({}, 50_000) == []


def test_a_bare_durable_write_leaves_the_file_alone_in_its_folder(tmp_path: Path) -> None:
    floors.durable_write(tmp_path / "note.md", "Runa")

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("note.md", "Runa")]
    assert floors.scanned(str(tmp_path)) == 1


# The report


@pytest.mark.slow
def test_every_part_is_measured_against_its_floor(workshop: Workshop) -> None:
    plan = scale.Plan(n=40, queries=12, rounds=3, import_turns=60, random_vectors=True)

    report: dict[str, Any] = scale.measure(plan, workshop).as_json()

    assert report["size"] == {"documents": 40, "entries": 40, "passages": report["size"]["passages"], "vectors": 40}
    assert report["recall"]["p50_ms"] <= report["recall"]["p95_ms"]
    assert set(report["recall"]["floor_parts_p50_ms"]) == {"embed", "full_text", "full_text_pruned", "matrix"}
    for part in (report["recall"], report["process"]["lexical"], report["open"], report["write"]):
        assert part["ratio"] > 0
    assert "embedders" not in report["process"]  # the fake one cannot be had in another process
    assert report["rebuild"]["seconds"] > 0
    assert report["import"]["turns"] == 60
    assert 0 <= report["import"]["words_mb"] <= report["import"]["words_and_vectors_mb"]
    assert report["protocol"]["seed"] == 7
    json.dumps(report)


def test_a_bundle_of_turns_can_be_measured_too(workshop: Workshop) -> None:
    plan = scale.Plan(n=60, turns=True, queries=12, rounds=3, parts=("recall", "rebuild"))

    report: dict[str, Any] = scale.measure(plan, workshop).as_json()

    assert (report["size"]["documents"], report["size"]["entries"]) == (3, 60)
    assert set(report) == {"size", "recall", "rebuild", "protocol"}


def test_child_processes_start_as_a_users_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without compiled modules every start would compile everything, and be several times slower."""
    from mnemic.bench import processes

    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")

    shown = processes.run([*processes.nothing()[:1], "-c", "import sys; print(sys.dont_write_bytecode)"])

    assert shown.strip() == "False"
    with pytest.raises(StorageError, match="exit status 3"):
        processes.run([*processes.nothing()[:1], "-c", "raise SystemExit(3)"])


def test_the_command_names_the_parts_there_are() -> None:
    done = CliRunner().invoke(cli, ["bench", "scale", "--only", "speed"])

    assert done.exit_code == 2
    assert "recall, process, open, write, rebuild, import" in done.output
