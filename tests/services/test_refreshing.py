"""What changes in the files is found by the next call; what cannot be brought up to date makes no call fail."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rooms import SetClock, an_app, chat, documents, found, keep

from mnemic.domain.drafts import Draft
from mnemic.domain.entries import Where
from mnemic.errors import MnemicError
from mnemic.services.upkeep.refresh import refresh
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from mnemic.app import App


def much_later() -> SetClock:
    """A clock so far ahead that every file is old: its stamp alone is looked at from now on."""
    return SetClock(datetime.now(UTC) + timedelta(days=400))


@pytest.fixture
def app(tmp_path: Path) -> App:
    app = an_app(tmp_path / "memory", clock=much_later())
    keep(app, "bees", "Runa keeps bees behind the lighthouse.")
    keep(app, "cello", "The cello is at the luthier until June.")
    return app


def by_hand(app: App, name: str, body: str) -> Path:
    path = app.root / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"---\ntype: note\ntitle: {name}\ntimestamp: 2026-05-01\n---\n{body}\n", encoding="utf-8")
    return path


# -- seen at the next call ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("year", [1601, 1969, 2261, 2263, 2446])
def test_a_file_may_claim_to_be_from_any_time(app: App, year: int) -> None:
    assert found(app, "lighthouse") == ["notes/bees"]
    seconds = int((datetime(year, 1, 1, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())

    os.utime(app.root / "notes/bees.md", (seconds, seconds))
    os.utime(by_hand(app, "ferry", "The ferry leaves at nine."), (seconds, seconds))

    for again in (app, an_app(app.root, clock=much_later())):
        assert found(again, "lighthouse") == ["notes/bees"]
        assert found(again, "when does the ferry leave?") == ["ferry"]
    by_hand(app, "ferry", "The ferry leaves at noon.")
    assert found(app, "ferry at noon") == ["ferry"]


def test_a_document_written_by_hand_is_found_by_the_next_call(app: App) -> None:
    by_hand(app, "ideas/kite", "Build a kite from bamboo.")

    assert found(app, "bamboo kite") == ["ideas/kite"]


def test_an_edit_by_hand_is_found_and_the_old_text_no_longer(app: App) -> None:
    by_hand(app, "notes/bees", "Runa sold all of it to Tobias.")

    assert found(app, "lighthouse") == []
    assert found(app, "Tobias") == ["notes/bees"]


def test_a_document_removed_by_hand_is_gone(app: App) -> None:
    (app.root / "notes/bees.md").unlink()

    assert found(app, "bees behind the lighthouse") == []


def test_a_renamed_document_is_found_under_its_new_name_alone(app: App) -> None:
    (app.root / "notes/bees.md").rename(app.root / "notes/apiary.md")

    assert found(app, "bees behind the lighthouse") == ["notes/apiary"]


def test_a_conversation_that_another_process_imported_is_found(app: App, tmp_path: Path) -> None:
    other = an_app(app.root, clock=much_later())
    other.import_sessions(chat(tmp_path / "talk.jsonl", [{"text": "The bamboo kite flies."}]))

    assert found(app, "bamboo kite") == ["session:kitchen#1"]


def test_the_index_may_be_deleted_at_any_moment(app: App) -> None:
    before = app.recall("where does Runa keep bees?").hits
    for path in (app.root / ".mnemic").glob("index.db*"):
        path.unlink()

    assert app.recall("where does Runa keep bees?").hits == before
    assert an_app(app.root).recall("where does Runa keep bees?", now=app.bundle.clock.now()).hits == before


def test_an_edit_of_the_same_size_and_time_soon_after_the_first_is_seen(tmp_path: Path) -> None:
    """Some file systems count in two seconds: a file this young is read again although its stamp is the same."""
    app = an_app(tmp_path / "memory", clock=SetClock(datetime.now(UTC)))
    path = by_hand(app, "notes/tea", "Anna prefers green tea.")
    seen = path.stat()
    assert found(app, "green") == ["notes/tea"]

    with path.open("r+", encoding="utf-8") as file:
        text = file.read().replace("green", "black")
        file.seek(0)
        file.write(text)
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns, path.stat().st_ino) == (
        seen.st_size,
        seen.st_mtime_ns,
        seen.st_ino,
    )

    assert found(app, "black") == ["notes/tea"]


def test_a_call_that_finds_nothing_new_reads_no_file(app: App) -> None:
    found(app, "bees")
    for path in app.root.rglob("*.md"):
        os.utime(path, ns=(0, path.stat().st_mtime_ns))

    done = refresh(app.bundle)

    assert (done.changed, done.gone, done.behind) == (0, 0, ())
    assert {path.stat().st_atime_ns for path in (app.root / "notes").glob("*s.md")} == {0}


def test_a_touched_document_is_not_indexed_again(app: App) -> None:
    found(app, "bees")
    os.utime(app.root / "notes/bees.md")

    assert refresh(app.bundle).changed == 0


def test_a_clock_that_goes_backwards_hides_nothing(tmp_path: Path) -> None:
    clock = much_later()
    app = an_app(tmp_path / "memory", clock=clock)
    keep(app, "bees", "Runa keeps bees behind the lighthouse.")
    clock.at -= timedelta(days=2_000)

    by_hand(app, "notes/kite", "Build a kite from bamboo.")
    done = keep(app, "tea", "Anna prefers green tea.")

    assert done.created
    assert found(app, "bamboo kite") == ["notes/kite"]
    assert found(app, "who keeps bees?") == ["notes/bees"]
    assert found(app, "green tea") == ["notes/tea"]


# -- what is broken or busy --------------------------------------------------------------------------------------


def test_a_broken_document_keeps_no_other_out_and_is_counted(app: App) -> None:
    (app.root / "notes/broken.md").write_bytes(b"---\ntitle: [\n---\nwords about zebras\n")
    (app.root / "notes/noise.md").write_bytes(b"\xff\xfe\x00\x01\x02\x80\x81")
    by_hand(app, "notes/kite", "Build a kite from bamboo.")

    assert found(app, "bamboo kite") == ["notes/kite"]
    assert app.status()[0].problems == 2


@pytest.mark.parametrize("content", [b"", b"nonsense\n", b'{"format":"mnemic-session/9","id":"broken"}\n'])
def test_a_broken_conversation_keeps_no_other_file_out_and_is_counted(app: App, tmp_path: Path, content: bytes) -> None:
    app.import_sessions(chat(tmp_path / "talk.jsonl", [{"text": "The bamboo kite flies."}]))
    (app.root / ".mnemic/sessions/broken.jsonl").write_bytes(content)
    by_hand(app, "notes/zebra", "Zebras sleep standing.")

    answer = app.recall("zebras")

    assert ([hit.id for hit in answer.hits], answer.degraded[1:]) == (["notes/zebra"], ())
    assert found(app, "bamboo kite") == ["session:kitchen#1"]
    assert app.status()[0].problems == 1
    assert ".mnemic/sessions/broken.jsonl" in [problem.path for problem in app.check().problems]


def test_a_file_that_may_be_read_again_is_found_although_its_stamp_is_the_same(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory", "limits.document_bytes=40", clock=much_later())
    by_hand(app, "notes/kite", "Build a kite from bamboo.")
    assert found(app, "bamboo kite") == []

    assert found(an_app(app.root, clock=much_later()), "bamboo kite") == ["notes/kite"]


def test_while_the_bundle_is_locked_the_answer_is_older_and_says_so(app: App) -> None:
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with app.bundle.store.locked():  # type: ignore[attr-defined]
            held.set()
            let_go.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(30)
    try:
        by_hand(app, "notes/kite", "Build a kite from bamboo.")
        started = time.monotonic()

        answer = app.recall("who keeps bees behind the lighthouse?")
        taken = time.monotonic() - started
    finally:
        let_go.set()
        holder.join()

    assert [hit.id for hit in answer.hits] == ["notes/bees"]
    assert [note for note in answer.degraded if note.startswith("the index is not up to date")]
    assert taken < 5  # a writer would wait for ten
    assert found(app, "bamboo kite") == ["notes/kite"]


# -- rebuilt and kept up to date: the same -----------------------------------------------------------------------

NAMES = st.sampled_from(["ada", "bees", "cello", "døgn", "дом", "東京"])
WORDS = st.lists(
    st.sampled_from(
        [
            "Ada",
            "bees",
            "ferry",
            "lighthouse",
            "чай",
            "Москва",
            "東京",
            "会議",
            "grün",
            "Straße",
            "2023-05-01",
            "[[bees]]",
        ]
    ),
    min_size=1,
    max_size=8,
).map(" ".join)
STEPS = st.one_of(
    st.tuples(st.just("keep"), NAMES, WORDS),
    st.tuples(st.just("edit"), NAMES, WORDS),
    st.tuples(st.just("by hand"), NAMES, WORDS),
    st.tuples(st.just("supersede"), NAMES, WORDS),
    st.tuples(st.just("forget"), NAMES, st.just("")),
    st.tuples(st.just("remove by hand"), NAMES, st.just("")),
    st.tuples(st.just("say"), NAMES, WORDS),
    st.tuples(st.just("recall"), NAMES, WORDS),
)
QUESTIONS = (
    "Ada and the bees",
    "Москва чай",
    "東京の会議",
    "grüne Straße",
    "ferry in May 2023",
    '"bees ferry" lighthouse',
)


def take(app: App, step: tuple[str, str, str], talk: Path) -> None:
    what, name, text = step
    path = app.root / f"notes/{name}.md"
    match what:
        case "keep":
            app.remember(Draft(id=f"notes/{name}", body=text))
        case "edit":
            app.edit(f"notes/{name}", lambda _: {"body": text})
        case "by hand":
            by_hand(app, f"notes/{name}", text)
        case "supersede":
            app.remember(Draft(body=f"{text} anew", supersedes=(f"notes/{name}",)))
        case "forget":
            app.forget(f"notes/{name}", confirm=f"notes/{name}")
        case "remove by hand":
            path.unlink(missing_ok=True)
        case "say":
            app.import_sessions(chat(talk, [{"text": text}, {"text": f"and {text}"}], session=f"s-{len(text)}"))
        case _:
            app.recall(text)


def answers(app: App) -> tuple[object, list[float]]:
    """What is answered, active or not, and the scores: these are sums in another order, and differ in the 8th digit."""
    hits = [
        app.recall(question, where=where, k=20).hits for question in QUESTIONS for where in (Where(), Where(states=()))
    ]
    return [[(hit.id, hit.snippet, hit.source) for hit in hits_of_one] for hits_of_one in hits], [
        hit.score for hits_of_one in hits for hit in hits_of_one
    ]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(STEPS, min_size=1, max_size=14))
def test_whatever_happens_a_rebuilt_index_answers_as_one_kept_up_to_date(
    tmp_path: Path, steps: list[tuple[str, str, str]]
) -> None:
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    app = an_app(folder / "memory", "weights.caution=-100", embedders=[FakeEmbedder()])
    for step in steps:
        try:
            take(app, step, folder / "talk.jsonl")
        except MnemicError:  # taken, gone, said already: the world stays as it is
            continue
    app.reindex()
    kept, scores = answers(app)

    app.reindex(rebuild=True)

    for reader in (app, an_app(app.root, "weights.caution=-100", embedders=[FakeEmbedder()])):
        rebuilt, numbers = answers(reader)
        assert rebuilt == kept
        assert numbers == pytest.approx(scores, abs=1e-6)


def test_a_rebuild_changes_no_document(app: App) -> None:
    before = documents(app.root)

    done = app.reindex(rebuild=True)

    assert (done.changed, done.gone) == (2, 0)
    assert documents(app.root) == before


def test_a_bundle_that_became_read_only_still_answers_with_what_the_index_holds(tmp_path: Path) -> None:
    """Its own state lies inside, so neither index nor vectors can be written."""
    root = tmp_path / "memory"
    app = an_app(root)
    keep(app, "bees", "Runa keeps bees behind the lighthouse.")
    app = an_app(root, embedders=[FakeEmbedder()])
    app.bundle.store._asked_read_only = True  # type: ignore[attr-defined]  # as on a disk mounted read-only
    by_hand(app, "notes/kite", "Build a kite from bamboo.")

    answer = app.recall("who keeps bees behind the lighthouse?")

    assert answer.hits[0].id == "notes/bees"
    assert [note for note in answer.degraded if "the index is not up to date" in note]
    assert [note for note in answer.degraded if "no vectors yet" in note]
