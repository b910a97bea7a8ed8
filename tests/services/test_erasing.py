"""Forgetting for good: kept versions and their key, what was made from it, what says the same, and the receipt."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from rooms import NOW, SetClock, an_app, chat, documents, keep, traces

from mnemic.app.forgetting import receipt_json
from mnemic.bench.erasure import World, measured
from mnemic.bench.erasure import traces as words_left
from mnemic.domain.erasure import Wishes
from mnemic.domain.ledger import Deed
from mnemic.domain.memory import Privacy
from mnemic.domain.proposals import Aim, Evidence, Proposal
from mnemic.domain.provenance import Origin, Provenance
from mnemic.errors import ConfirmationError, MemoryNotFoundError, VaultDamagedError
from mnemic.services.erasing.scan import rewriting
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App
    from mnemic.services.bundle import History

WORD = "zanzibarian"
SAID = f"The {WORD} cloves are in the blue tin."
ALL = Wishes(with_session_quotes=True, derived=True)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def app(tmp_path: Path, clock: SetClock) -> App:
    """A memory to forget among others, edited once, with vectors."""
    app = an_app(tmp_path / "memory", clock=clock, embedders=[FakeEmbedder(name="one")])
    for number in range(3):
        keep(app, f"other-{number}", f"Something about thing{number} that is going to stay.")
    keep(app, "spice", SAID, title=f"{WORD} cloves")
    app.reindex()
    return app


def history(app: App) -> History:
    kept = app.bundle.past()
    assert kept is not None
    return kept


def uid_of(app: App, name: str) -> str:
    return app.bundle.store.find(name).memory.uid


def erasures(app: App) -> int:
    return sum(event.act.deed is Deed.ERASE for event in history(app).ledger.events())


def forgotten(app: App, name: str = "notes/spice", wishes: Wishes | None = None) -> object:
    return app.forget(name, confirm=name, wishes=wishes or Wishes())


# -- ledger and vault --------------------------------------------------------------------------------------------


def test_its_versions_and_its_key_are_destroyed_and_one_event_without_a_name_tells_of_it(app: App) -> None:
    uid = uid_of(app, "notes/spice")
    app.edit("notes/spice", lambda _: {"body": "They moved."})
    assert len(history(app).vault.versions(uid)) == 2

    done = app.forget("notes/spice", confirm="notes/spice")

    assert history(app).vault.versions(uid) == ()
    events = [event for event in history(app).ledger.events() if event.act.deed is Deed.ERASE]
    assert [(event.act.uid, event.act.version) for event in events] == [("", 0)]
    assert events[0].act.commitment == done.receipt.number
    assert history(app).ledger.verify().sound
    assert ("versions", 2) in done.receipt.removed


def test_the_document_of_a_forgotten_memory_is_not_taken_for_one_that_somebody_deleted(app: App) -> None:
    uid = uid_of(app, "notes/spice")

    app.forget("notes/spice", confirm="notes/spice")
    app.recall("anything")

    assert [event.act.deed for event in history(app).ledger.events(uid=uid)] == [Deed.REMEMBER]


def test_several_that_go_at_once_are_one_event(app: App) -> None:
    app.forgetting.subject("thing1", confirm="THING1")
    app.forgetting.subject("Something", confirm="something")

    assert erasures(app) == 2
    assert app.status()[0].memories == 1


def test_a_turn_that_is_forgotten_is_an_event_too(app: App, tmp_path: Path) -> None:
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": "Good morning."}, {"text": SAID}]))

    app.forget("session:kitchen#2", confirm="session:kitchen#2")

    assert erasures(app) == 1


def test_without_its_key_the_vault_forgets_all_the_same(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = uid_of(app, "notes/spice")
    monkeypatch.setenv("MNEMIC_DATA_DIR", str(tmp_path / "nowhere"))
    locked = an_app(app.root)

    done = locked.forget("notes/spice", confirm="notes/spice")

    assert done.left == ()
    assert history(locked).vault.versions(uid) == ()
    assert erasures(locked) == 1


def test_what_was_kept_before_history_was_turned_off_goes_too(app: App) -> None:
    uid = uid_of(app, "notes/spice")
    off = an_app(app.root, "history.keep=false")
    assert off.bundle.history() is None

    off.forget("notes/spice", confirm="notes/spice")

    assert history(app).vault.versions(uid) == ()
    assert erasures(app) == 1


def test_a_vault_that_cannot_be_used_is_told_and_emptied_once_it_can(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    uid = uid_of(app, "notes/spice")

    def broken(_: str) -> int:
        raise VaultDamagedError("vault.db", "it is broken")

    with monkeypatch.context() as patch:
        patch.setattr(history(app).vault, "destroy", broken)
        done = app.forget("notes/spice", confirm="notes/spice")
        assert "it is broken" in done.left[0]
        assert not done.receipt.clean

    app.recall("anything")

    assert history(app).vault.versions(uid) == ()
    assert erasures(app) == 1
    assert not (app.root / ".mnemic/erasure-owed").exists()


# -- gone already, or deleted by hand ----------------------------------------------------------------------------


@pytest.mark.parametrize("by_uid", [True, False])
def test_what_is_kept_of_a_document_that_was_deleted_by_hand_goes(app: App, *, by_uid: bool) -> None:
    uid = uid_of(app, "notes/spice")
    (app.root / "notes/spice.md").unlink()
    app.recall("anything")
    name = uid if by_uid else "Notes/Spice"
    assert app.forgetting.preview(name).versions == 2

    done = app.forget(name, confirm=name, wishes=Wishes())

    assert done.ids == ("notes/spice",)
    assert history(app).vault.versions(uid) == ()
    assert traces(app.root, WORD) == []
    assert done.receipt.clean


def test_what_was_forgotten_before_has_nothing_left_and_that_is_said(app: App) -> None:
    app.forget("notes/spice", confirm="notes/spice")

    with pytest.raises(MemoryNotFoundError) as told:
        app.forget("notes/spice", confirm="notes/spice")

    assert told.value.hint.startswith("Nothing of it is left here: no document, and no version that is kept.")
    assert erasures(app) == 1


@pytest.mark.parametrize("given", ["NOTES/Café", "notes/cafe\u0301", "notes/café.md", "notes\\café"])
def test_an_id_in_another_spelling_is_understood(app: App, given: str) -> None:
    keep(app, "café", "It opens at seven in the morning.")

    assert app.forget(given, confirm=given).ids == ("notes/café",)


def test_one_of_another_bundle_goes_from_there_with_its_key(app: App, tmp_path: Path) -> None:
    other = an_app(tmp_path / "own")
    keep(other, "spice", SAID)
    uid = uid_of(other, "notes/spice")
    app.others = (replace(other.bundle, name="own"),)

    app.forget("own:notes/spice", confirm="own:notes/spice")

    assert history(other).vault.versions(uid) == ()
    assert uid_of(app, "notes/spice")


# -- earlier versions --------------------------------------------------------------------------------------------


def test_what_a_memory_said_earlier_goes_and_the_memory_stays(app: App, clock: SetClock) -> None:
    uid = uid_of(app, "notes/spice")
    path = app.root / "notes/spice.md"
    path.write_text(path.read_text(encoding="utf-8").replace("title:", "title: [", 1), encoding="utf-8")
    app.check(repair=True)
    clock.move(hours=1)
    app.edit("notes/spice", lambda _: {"title": "Cloves", "body": "They are in a jar now."})
    app.reindex()
    assert app.forgetting.preview("notes/spice", Wishes(past=True)).versions >= 1
    assert traces(app.root, WORD)

    done = app.forget("notes/spice", confirm="notes/spice", wishes=Wishes(past=True))

    shown = app.show("notes/spice").memory
    assert shown is not None
    assert shown.memory.body.strip() == "They are in a jar now."
    versions = history(app).vault.versions(uid)
    assert len(versions) == 1
    assert WORD.encode() not in history(app).vault.get(uid, versions[0].number)
    assert [left for left in traces(app.root, WORD) if left != "notes/spice.md"] == []
    assert done.ids == ()
    assert erasures(app) == 1


def test_a_memory_whose_past_is_forgotten_goes_on_having_one(app: App, clock: SetClock) -> None:
    uid = uid_of(app, "notes/spice")
    app.forget("notes/spice", confirm="notes/spice", wishes=Wishes(past=True))
    clock.move(hours=1)

    app.edit("notes/spice", lambda _: {"body": "They are in a jar now."})

    assert len(history(app).vault.versions(uid)) == 2


# -- what was made from it, and what says the same ---------------------------------------------------------------


def related(app: App, tmp_path: Path) -> None:
    """Memories made from it in every way, a conversation that quotes it, and a proposal."""
    app.import_sessions(
        chat(
            tmp_path / "chat.jsonl",
            [{"text": "Good morning."}, {"text": f"You know: {SAID.upper()}"}, {"text": "Yes."}],
        )
    )
    keep(app, "jar", "They moved to the green jar.", supersedes=("notes/spice",))
    keep(app, "result", "Nobody found them.", kind="outcome", outcome_of="notes/spice")
    keep(app, "cited", "So it was told.", provenance=Provenance.of(Origin.MODEL, locator="notes/spice"))
    keep(app, "grandchild", "And so on it went.", provenance=Provenance.of(Origin.MODEL, locator="notes/cited.md"))
    keep(app, "same", f"I heard it too. {SAID}", title="Hearsay")
    app.bundle.proposals.write(
        Proposal(
            id="2026-05-03-change-1", aim=Aim.CHANGE, title="Change it", why="It is old.", made_at=NOW,
            made_by="replay", evidence=(Evidence(id="notes/spice", text=SAID),),
        )
    )  # fmt: skip


DERIVED = ["notes/cited", "notes/grandchild", "notes/jar", "notes/result"]


def test_before_anything_goes_all_of_it_is_shown(app: App, tmp_path: Path) -> None:
    related(app, tmp_path)
    before = documents(app.root)

    shown = app.forgetting.preview("notes/spice")

    assert [one.id for one in shown.memories] == ["notes/spice"]
    assert [one.id for one in shown.derived] == DERIVED
    assert shown.quotes == ("session:kitchen#2",)
    assert shown.elsewhere == ("notes/same",)
    assert (shown.versions >= 1, shown.proposals) == (True, 1)
    assert documents(app.root) == before


def test_what_was_made_from_it_and_what_quotes_it_stays_unless_asked_and_is_named(app: App, tmp_path: Path) -> None:
    related(app, tmp_path)

    done = app.forget("notes/spice", confirm="notes/spice", wishes=Wishes())

    assert [one.id for one in done.offered.derived] == DERIVED
    assert done.offered.quotes == ("session:kitchen#2",)
    assert all((app.root / f"{name}.md").exists() for name in DERIVED)
    assert done.receipt.elsewhere == (".mnemic/sessions/kitchen.jsonl", "notes/same.md")
    assert app.bundle.proposals.ids() == []


def test_with_both_nothing_that_knows_of_it_is_left_but_who_says_it_by_themselves(app: App, tmp_path: Path) -> None:
    related(app, tmp_path)

    done = app.forget("notes/spice", confirm="notes/spice", wishes=ALL)

    assert set(done.ids) == {"notes/spice", *DERIVED}
    assert done.turns == 1
    assert [turn.number for turn in app.show("session:kitchen").turns] == [1, 3]
    assert [name for name in traces(app.root, WORD) if name != "notes/same.md" and ".mnemic" not in name] == []
    app.forget("notes/same", confirm="notes/same")
    assert traces(app.root, WORD) == []
    assert erasures(app) == 2


def test_what_was_made_from_a_turn_is_offered_with_it(app: App, tmp_path: Path) -> None:
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": "Good morning."}, {"text": SAID}]))
    source = Provenance.of(Origin.USER_SAID, session="kitchen", turns=(2,))
    keep(app, "told", "Cloves are somewhere blue.", provenance=source)

    assert [one.id for one in app.forgetting.preview("session:kitchen#2").derived] == ["notes/told"]
    assert app.forgetting.preview("session:kitchen#1").derived == ()
    assert app.forgetting.preview("notes/told").quotes == ("session:kitchen#2",)


def test_a_proposal_that_holds_its_words_without_naming_it_goes(app: App) -> None:
    app.bundle.proposals.write(
        Proposal(id="2026-05-03-x", aim=Aim.CHANGE, title="A", why=f"He said: {SAID}", made_at=NOW, made_by="person")
    )
    app.bundle.proposals.write(
        Proposal(id="2026-05-03-y", aim=Aim.CHANGE, title="A", why="For a reason.", made_at=NOW, made_by="person")
    )

    done = app.forget("notes/spice", confirm="notes/spice")

    assert app.bundle.proposals.ids() == ["2026-05-03-y"]
    assert ("proposals", 1) in done.receipt.removed


@pytest.mark.parametrize("step", ["destroy", "renew", "erase"])
def test_cut_off_between_any_two_places_all_of_it_goes_with_the_next_command(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    related(app, tmp_path)
    app.forget("notes/same", confirm="notes/same")
    uid = uid_of(app, "notes/spice")
    app.edit("notes/spice", lambda _: {"body": f"They moved, the {WORD} ones."})
    past = step == "renew"
    place = app.bundle.proposals if step == "erase" else history(app).vault

    class Killed(BaseException):
        """Nothing catches it."""

    def killed(_: object) -> int:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(place, step, killed)
        with pytest.raises(Killed):
            app.forget("notes/spice", confirm="notes/spice", wishes=replace(ALL, past=past))

    later = an_app(app.root)

    assert len(history(later).vault.versions(uid)) == past
    assert erasures(later) == 2
    assert later.bundle.proposals.ids() == []
    assert [turn.number for turn in later.show("session:kitchen").turns] == [1, 3]
    assert [name for name in traces(app.root, WORD) if not past or name not in STAYING] == []
    assert not (app.root / ".mnemic/erasure-owed").exists()


STAYING = {"notes/spice.md", "notes/index.md", "log.md", ".mnemic/index.db"}
"""Where a memory stands that stays."""


# -- by subject --------------------------------------------------------------------------------------------------


def test_a_subject_is_shown_whole_before_and_gone_whole_after(app: App, tmp_path: Path) -> None:
    keep(app, "tea", "anna drinks green tea.")
    keep(app, "titled", "She came by.", title="ANNA’s visit")
    keep(app, "tagged", "Likes the sea.", tags=("anna",))
    keep(app, "cyrillic", "Susanna is another one.")
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": "Good morning."}, {"text": "Anna called."}]))
    before = documents(app.root)

    shown = app.forgetting.preview_subject("Anna")
    with pytest.raises(ConfirmationError):
        app.forgetting.subject("Anna", confirm="")
    assert documents(app.root) == before

    assert {one.id for one in shown.memories} == {"notes/tea", "notes/titled", "notes/tagged"}
    assert shown.turns == 1
    done = app.forgetting.subject("Anna", confirm="ANNA", wishes=Wishes())
    assert set(done.ids) == {"notes/tea", "notes/titled", "notes/tagged", "session:kitchen#2"}
    assert app.forgetting.preview_subject("Anna").memories == ()
    assert (app.root / "notes/cyrillic.md").exists()


def test_a_sensitive_memory_is_found_by_its_subject_and_goes_from_the_vault(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory", "rules.sensitive=true")
    made = keep(app, "x", f"Anna was told of it on a Monday. {SAID}", privacy=Privacy.SENSITIVE).memory

    done = app.forgetting.subject("anna", confirm="Anna", wishes=Wishes())

    assert done.ids == (made.id,)
    assert done.receipt.clean
    assert history(app).vault.versions(made.uid) == ()


def test_by_subject_a_sensitive_memory_that_was_deleted_by_hand_goes_without_its_title_being_told(
    tmp_path: Path,
) -> None:
    app = an_app(tmp_path / "memory", "rules.sensitive=true")
    made = keep(app, "x", f"Anna was told of it. {SAID}", privacy=Privacy.SENSITIVE).memory
    keep(app, "other", "It is about a cupboard.")
    (app.root / f"{made.id}.md").unlink()

    shown = app.forgetting.preview_subject("Anna")
    done = app.forgetting.subject("Anna", confirm="Anna", wishes=Wishes())

    assert shown.deleted == ((made.id, ""),)
    assert (done.ids, done.receipt.clean) == ((made.id,), True)
    assert history(app).vault.versions(made.uid) == ()


def test_by_subject_the_versions_of_a_document_that_cannot_be_read_stay(app: App) -> None:
    made = keep(app, "broken", "Anna was told of it on a Monday.").memory
    keep(app, "tea", "Anna drinks green tea.")
    (app.root / "notes/broken.md").write_bytes(b"---\ntitle: [\n---\nIt is torn.\n")

    done = app.forgetting.subject("Anna", confirm="Anna", wishes=Wishes())

    assert done.ids == ("notes/tea",)
    assert "kept versions of notes/broken name it, and stay: whether its document is gone is not sure" in done.notes
    assert history(app).vault.versions(made.uid)


def test_by_subject_former_names_go_from_versions_and_the_log(app: App) -> None:
    keep(app, "anna-berg", "It is about a cupboard.", title="Cupboard")
    (app.root / "notes/anna-berg.md").rename(app.root / "notes/plain.md")
    app.reindex()

    done = app.forgetting.subject("Anna Berg", confirm="Anna Berg", wishes=Wishes())

    assert (done.ids, done.earlier) == ((), ("notes/plain",))
    assert traces(app.root, "anna-berg") == []
    assert app.show("notes/plain").memory is not None


def test_by_subject_what_is_made_from_it_and_named_it_earlier_goes_once(app: App) -> None:
    keep(app, "tea", "Anna drinks green tea.")
    (app.root / "notes/made.md").write_text("---\ntype: note\nderived_from: [notes/tea]\n---\nAnna likes it.\n")
    app.reindex()
    app.edit("notes/made", lambda _: {"body": "She likes it."})

    done = app.forgetting.subject("Anna", confirm="Anna", wishes=Wishes(derived=True))

    assert (set(done.ids), done.earlier) == ({"notes/tea", "notes/made"}, ())
    assert done.receipt.clean


# -- the receipt -------------------------------------------------------------------------------------------------


def test_the_receipt_tells_where_was_looked_and_holds_nothing_of_the_text(app: App) -> None:
    done = app.forget("notes/spice", confirm="notes/spice", wishes=Wishes())

    receipt = done.receipt
    assert receipt.clean
    assert receipt.searched is not None
    there = [path for path in app.root.rglob("*") if path.is_file()]
    assert receipt.searched.files == len(there)
    assert receipt.searched.bytes == sum(path.stat().st_size for path in there)
    assert {kind for kind, _ in receipt.removed} == {"documents", "versions", "entries", "vectors"}
    text = json.dumps(receipt_json(receipt))
    assert WORD not in text.lower()
    assert "spice" not in text


@pytest.mark.parametrize("form", ["utf-8", "utf-16-le", "json", "upper"])
def test_what_is_left_anywhere_is_found_and_told_by_place(app: App, form: str) -> None:
    data = {
        "utf-8": SAID.encode(),
        "utf-16-le": SAID.encode("utf-16-le"),
        "json": json.dumps(SAID).encode(),
        "upper": SAID.upper().encode(),
    }[form]
    (app.root / ".mnemic/.left.tmp").write_bytes(b"x" * 100 + data)

    done = app.forget("notes/spice", confirm="notes/spice", wishes=Wishes())

    assert {trace.path for trace in done.receipt.found} == {".mnemic/.left.tmp"}
    assert min(trace.offset for trace in done.receipt.found) >= 100
    assert not done.receipt.clean


def test_words_of_another_memory_are_no_remains(app: App) -> None:
    keep(app, "same", f"I heard it too. {SAID}")
    app.reindex()

    done = app.forget("notes/spice", confirm="notes/spice", wishes=Wishes())

    assert done.receipt.found == ()
    assert done.receipt.elsewhere == ("notes/same.md",)


# -- git ---------------------------------------------------------------------------------------------------------


def git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.email=a@b.example", "-c", "user.name=A", "-C", str(root), *words],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout


@pytest.fixture
def tracked(app: App) -> App:
    git(app.root, "init", "-q", "-b", "main")
    (app.root / ".gitignore").unlink(missing_ok=True)
    git(app.root, "add", "-A", "-f", ".")
    git(app.root, "commit", "-q", "-m", "all")
    return app


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.skipif(os.name == "nt", reason="the commands are for a shell")
def test_what_git_keeps_is_found_and_the_command_of_the_receipt_removes_it(tracked: App, *, packed: bool) -> None:
    git(tracked.root, "checkout", "-q", "-b", "side")
    (tracked.root / "notes.txt").write_text("mine")
    git(tracked.root, "add", "notes.txt")
    git(tracked.root, "commit", "-q", "-m", "side")
    git(tracked.root, "tag", "-a", "v1", "-m", "one")
    if packed:
        git(tracked.root, "gc", "-q")

    done = tracked.forget("notes/spice", confirm="notes/spice", wishes=Wishes())

    assert done.receipt.searched is not None
    repository = done.receipt.searched.repository
    assert repository is not None
    assert repository.whole
    assert "notes/spice.md" in repository.paths
    assert not done.receipt.clean
    assert rewriting(repository) in [place.remedy for place in done.receipt.beyond]
    kept = documents(tracked.root)
    subprocess.run(["sh", "-e", "-c", rewriting(repository)], check=True, capture_output=True)
    objects = subprocess.run(
        ["git", "-C", str(tracked.root), "cat-file", "--batch-all-objects", "--batch"], check=True, capture_output=True
    ).stdout
    assert WORD.encode() not in objects.lower()
    assert {name: data for name, data in documents(tracked.root).items() if not name.startswith(".git/")} == {
        name: data for name, data in kept.items() if not name.startswith(".git/")
    }
    assert "notes.txt" in git(tracked.root, "ls-tree", "-r", "--name-only", "v1").splitlines()
    assert git(tracked.root, "fsck") == ""


def test_what_stands_in_no_repository_has_no_history(app: App) -> None:
    remains = app.bundle.remains()
    assert remains is not None

    assert remains.repository([SAID.encode()], 10) is None


def test_a_repository_that_takes_too_long_is_said_to_be_searched_in_part(tracked: App) -> None:
    remains = tracked.bundle.remains()
    assert remains is not None
    git(tracked.root, "remote", "add", "origin", "https://example.org/memory.git")

    found = remains.repository([SAID.encode()], 0)

    assert found is not None
    assert (found.whole, found.objects, found.remotes) == (False, 1, ("origin",))


# -- by other means ----------------------------------------------------------------------------------------------


def test_random_erasures_leave_no_byte_that_another_search_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMIC_DATA_DIR", str(tmp_path / "data"))
    app = an_app(tmp_path / "memory", embedders=[FakeEmbedder(name="one"), FakeEmbedder(name="two")])
    world = World(app, Random(11))
    world.grow(12)
    alive = [word for planted in world.planted.values() for word in planted.words]
    assert len(words_left([app.root], alive)) > 20  # the search does find what is there

    done = measured(world, 40, refill=12, places=[app.root, tmp_path / "data"])

    assert done.erased == 40
    assert (done.found, done.versions_left, done.unclean) == ({}, 0, 0)
    assert erasures(app) == 40


# -- copies, former names, backups -------------------------------------------------------------------------------------


def audited(app: App) -> tuple[str, ...]:
    done = app.records.verify()
    assert done is not None
    return (*(finding.message for finding in done.ledger.findings), *done.vault, *done.apart, *done.unkept)


def test_a_copy_with_the_same_uid_stays_and_keeps_a_history_of_its_own(app: App) -> None:
    spice = app.root / "notes" / "spice.md"
    (app.root / "notes" / "copy.md").write_bytes(spice.read_bytes())
    app.reindex()

    done = app.forget("notes/spice", confirm="notes/spice", wishes=Wishes())

    assert done.receipt.found == ()
    assert done.receipt.elsewhere == ("notes/copy.md",)
    assert audited(app) == ()
    assert [told.version.number for told in app.past.history("notes/copy").versions] == [1]


def test_what_was_forgotten_and_is_put_back_from_a_backup_begins_anew(app: App) -> None:
    spice = app.root / "notes" / "spice.md"
    app.edit("notes/spice", lambda _: {"body": "The cloves are gone."})
    backup = spice.read_bytes()
    app.forget("notes/spice", confirm="notes/spice")

    spice.write_bytes(backup)
    app.reindex()

    assert audited(app) == ()
    assert audited(app) == ()


def test_a_document_that_was_just_renamed_is_not_taken_for_one_that_is_gone(app: App) -> None:
    (app.root / "notes" / "spice.md").rename(app.root / "notes" / "cloves.md")

    with pytest.raises(MemoryNotFoundError) as told:
        app.forget("notes/spice", confirm="notes/spice")

    assert told.value.hint == "A memory that was called so is notes/cloves now."
    assert [told.version.number for told in app.past.history("notes/cloves").versions] == [1, 2]


def test_that_nothing_is_kept_is_not_said_of_what_was_renamed_before_it_was_deleted(app: App) -> None:
    (app.root / "notes" / "spice.md").rename(app.root / "notes" / "cloves.md")
    app.reindex()
    (app.root / "notes" / "cloves.md").unlink()

    with pytest.raises(MemoryNotFoundError, match="spice") as told:
        app.forget("notes/spice", confirm="notes/spice")
    app.forget("notes/cloves", confirm="notes/cloves")

    assert told.value.hint == "A memory that was called so is notes/cloves now."
    assert words_left([app.root], [WORD]) == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes there")
def test_what_is_no_file_among_the_proposals_does_not_keep_an_erasure_from_its_end(app: App) -> None:
    folder = app.root / "_proposals"
    (folder / "folder.md").mkdir(parents=True)
    os.mkfifo(folder / "pipe.md")

    done = app.forget("notes/spice", confirm="notes/spice")

    assert done.left == ()
    assert not app.bundle.index.erasure_owed()
    assert words_left([app.root], [WORD]) == {}
