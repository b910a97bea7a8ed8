"""Sensitive memories: what they say is in the vault alone, and comes back whole for whoever may ask."""

from __future__ import annotations

import json
import os
import tempfile
import unicodedata
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from killed import killed_at
from rooms import KEY, NOW, SetClock, an_app, chat, documents, files, found, keep, traces

from mnemic.agent.tools import call
from mnemic.app import App
from mnemic.domain.drafts import Draft
from mnemic.domain.entries import Where
from mnemic.domain.memory import Claim, Privacy, State
from mnemic.domain.provenance import Origin, Provenance
from mnemic.domain.versions import from_bytes, to_bytes
from mnemic.entry.mcp.graph.graph import KnowledgeGraph
from mnemic.entry.mcp.listing import document, rows
from mnemic.errors import (
    AccessRefusedError,
    MemoryChangedError,
    MemoryNotFoundError,
    PrivacyRefusedError,
    ReadOnlyBundleError,
    SealedContentLostError,
    SecretRefusedError,
    VaultLockedError,
    WriteFailedError,
)
from mnemic.services.chronicle.diff import diff
from mnemic.services.judging.contradict import contradictions
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from mnemic.agent.turn import Turn
    from mnemic.domain.drafts import Remembered
    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import History

WORD = "zanzibarian"
ALLOWED = "rules.sensitive=true"


@pytest.fixture
def app(tmp_path: Path) -> App:
    """A bundle whose policy allows sensitive memories, with something ordinary in it."""
    app = open_(tmp_path / "memory")
    keep(app, "tea", "Anna prefers green tea.")
    return app


def open_(root: Path, *settings: str, clock: SetClock | None = None) -> App:
    return an_app(root, ALLOWED, *settings, clock=clock, embedders=[FakeEmbedder(name="one")])


def sealed(app: App, body: str = f"Anna takes {WORD} drops.", **fields: object) -> Remembered:
    return app.remember(Draft(body=body, privacy=Privacy.SENSITIVE, **fields))  # type: ignore[arg-type]


def revealed(app: App, wanted: str) -> Memory:
    shown = app.show(wanted, reveal=True).memory
    assert shown is not None
    return shown.memory


def history(app: App) -> History:
    kept = app.bundle.history()
    assert kept is not None
    return kept


def codes(app: App) -> list[str]:
    return [problem.code for problem in app.check().problems]


def bytes_with(text: str, *folders: Path) -> list[str]:
    """Files that hold a text in any form it may be written in, or are named by it."""
    plain = {text, text.lower(), text.casefold(), *(unicodedata.normalize(form, text) for form in ("NFD", "NFKC"))}
    escaped = {json.dumps(form)[1:-1] for form in plain}
    forms = {form.encode(name) for form in plain | escaped for name in ("utf-8", "utf-16-le")}
    return [
        f"{folder.name}/{name}"
        for folder in folders
        for name, data in files(folder).items()
        if any(form in data or form in name.encode() for form in forms)
    ]


# -- writing ---------------------------------------------------------------------------------------------------------


def test_unless_the_policy_allows_it_nothing_sensitive_is_kept(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    before = files(app.root)

    with pytest.raises(PrivacyRefusedError) as refused:
        sealed(app)

    assert "rules.sensitive" in refused.value.hint
    assert files(app.root) == before


def test_the_document_of_a_sensitive_memory_says_nothing_of_it(app: App) -> None:
    done = sealed(
        app,
        title=f"The {WORD} cure",
        description=f"About {WORD} drops",
        tags=(WORD,),
        claim=Claim("anna.cure", WORD),
        provenance=Provenance.of(Origin.USER_EXPLICIT, locator=f"https://example.org/{WORD}", actor=WORD),
    )

    text = (app.root / done.path).read_text(encoding="utf-8")
    assert done.memory.id.startswith("notes/sensitive-")
    assert "title: Sensitive memory\n" in text
    assert "privacy: sensitive\n" in text
    assert "sealed: true\n" in text
    assert f"mnemic show {done.memory.id} --reveal" in text
    assert traces(app.root, WORD) == []
    assert app.check().healthy


def test_what_was_sealed_comes_back_whole(app: App) -> None:
    draft = Draft(
        body=f"Anna takes {WORD} drops.\n\n- at eight\n- at noon\n",
        title="The cure",
        kind="preference",
        description="What she takes",
        tags=("anna", "cure"),
        claim=Claim("anna.cure", WORD),
        salience=0.9,
        privacy=Privacy.SENSITIVE,
        provenance=Provenance.of(Origin.USER_SAID, locator="letter 4", actor="person"),
    )

    memory = revealed(app, app.remember(draft).memory.id)

    for name in ("body", "title", "kind", "description", "tags", "claim", "salience", "privacy", "provenance"):
        assert getattr(memory, name) == getattr(draft, name), name


def test_an_id_that_was_asked_for_is_kept(app: App) -> None:
    assert sealed(app, id="health/one").memory.id == "health/one"


def test_where_there_is_no_vault_nothing_is_kept(tmp_path: Path) -> None:
    app = open_(tmp_path / "memory", "history.keep=false")

    with pytest.raises(PrivacyRefusedError) as refused:
        sealed(app)

    assert "history.keep" in refused.value.hint
    assert traces(app.root, "sensitive-") == []


def test_a_folder_of_somebody_elses_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign/a.md").write_text("A note.\n", encoding="utf-8")
    app = App.start(tmp_path / "foreign", overrides=(ALLOWED,), embedders=[])

    with pytest.raises(ReadOnlyBundleError):
        sealed(app)


def test_with_a_locked_key_nothing_is_written(app: App) -> None:
    sealed(app)
    for key in (Path(os.environ["HOME"])).rglob("keys/*.key"):
        key.unlink()
    locked = open_(app.root)
    before = documents(app.root)

    with pytest.raises(VaultLockedError):
        sealed(locked, "Another thing.")

    assert documents(app.root) == before


def test_a_credential_is_refused_in_a_sensitive_memory_too(app: App) -> None:
    with pytest.raises(SecretRefusedError):
        sealed(app, f"The token is {KEY}")


def test_personal_data_could_be_kept_sealed_and_the_warning_says_so(app: App, tmp_path: Path) -> None:
    text = "Write to anna.berg@example.org"
    (plain,) = keep(app, "mail", text).warnings
    (elsewhere,) = keep(an_app(tmp_path / "other"), "mail", text).warnings

    assert "--privacy sensitive" in plain.message
    assert "--privacy" not in elsewhere.message
    assert sealed(app, "Or to anna@example.org").warnings == ()


def test_what_is_there_in_plain_text_is_not_sealed_beside_it(app: App) -> None:
    done = sealed(app, "Anna prefers green tea.")

    assert not done.created
    assert "mnemic edit notes/tea --privacy sensitive" in done.warnings[0].message


def test_a_disk_that_takes_no_document_leaves_nothing_in_the_vault(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_change: object) -> None:
        raise WriteFailedError("notes", "no space left on device")

    before = history(app).vault.standing()
    monkeypatch.setattr(app.bundle.store, "apply", full)
    with pytest.raises(WriteFailedError):
        sealed(app)

    assert history(app).vault.standing() == before


# -- nobody is told --------------------------------------------------------------------------------------------------


def test_no_search_no_context_and_no_list_holds_a_sensitive_memory(app: App) -> None:
    done = sealed(app, title=f"{WORD} cure", claim=Claim("anna.cure", WORD), loading=None)
    by_hand = app.root / "notes/by-hand.md"
    by_hand.write_text(f"---\ntype: note\nprivacy: sensitive\n---\nAnna also takes {WORD} pills.\n", encoding="utf-8")
    ids = {done.memory.id, "notes/by-hand"}

    for query in (f"Anna {WORD} drops", "sensitive memory", "what was said on 3 May 2026"):
        assert not ids & set(found(app, query, k=50))
    capsule = app.context(f"{WORD} drops of Anna", pins=[done.memory.id, "notes/by-hand"])
    assert WORD not in capsule.text
    assert WORD not in str(contradictions(app.bundle))
    assert not ids & {row.id for row in rows(app)}
    assert WORD not in "".join(document(app, each) for each in ids)
    assert WORD not in str(KnowledgeGraph(app).whole())
    assert "sensitive_in_plain" in codes(app)


def test_a_sensitive_claim_is_not_told_to_who_claims_otherwise(app: App) -> None:
    sealed(app, claim=Claim("anna.cure", WORD))

    done = keep(app, "other", "Tea cures her.", claim=Claim("anna.cure", "tea"))

    assert done.memory.state is State.ACTIVE
    assert WORD not in str(done.warnings)


def test_without_being_asked_to_reveal_the_stub_is_shown(app: App) -> None:
    wanted = sealed(app).memory.id

    shown = app.show(wanted).memory

    assert shown is not None
    assert WORD not in str(shown)
    assert "--reveal" in shown.memory.body


def test_an_earlier_moment_is_told_without_what_is_sensitive_now(tmp_path: Path) -> None:
    clock = SetClock()
    app = open_(tmp_path / "memory", clock=clock)
    keep(app, "cure", f"Anna takes {WORD} drops.")
    clock.move(days=2)
    app.edit("notes/cure", lambda _: {"privacy": Privacy.SENSITIVE})
    clock.move(days=2)

    then = NOW + timedelta(days=1)
    assert WORD not in str(app.recall(f"{WORD} drops", where=Where(as_of=then)).hits)
    assert WORD not in str(diff(app.bundle, then, clock.at))


# -- agents ----------------------------------------------------------------------------------------------------------


@dataclass
class Agent:
    """One that has searched, so that it may do what is allowed at all."""

    turn: Turn

    def read(self, wanted: str) -> str:
        return call(self.turn, "memory_read", {"id": wanted}).text


def an_agent(app: App) -> Agent:
    turn = app.conversation("talk", log=False).begin("anything about tea?")
    turn.search("tea")
    return Agent(turn)


def test_an_agent_does_not_read_what_is_sensitive(app: App) -> None:
    wanted = sealed(app).memory.id

    assert WORD not in an_agent(app).read(wanted)


def test_where_the_policy_says_so_an_agent_reads_it_by_its_id_and_finds_it_by_no_search(app: App) -> None:
    wanted = sealed(app).memory.id
    agent = an_agent(open_(app.root, "rules.agents_read_sensitive=true"))

    assert wanted not in {hit.id for hit in agent.turn.search(f"{WORD} drops", k=50).answer.hits}
    assert f"{WORD} drops" in agent.read(wanted)


def test_an_agent_may_not_change_what_it_may_not_read(app: App) -> None:
    wanted = sealed(app).memory.id
    turn = an_agent(app).turn

    with pytest.raises(AccessRefusedError):
        turn.change(wanted, receipt=turn.read(wanted).receipt, body="Something else.")

    assert WORD in revealed(app, wanted).body


def test_what_an_agent_marks_sensitive_is_sealed_too(app: App) -> None:
    turn = app.conversation("talk", log=False).begin("anything about tea?")

    draft = Draft(body=f"Anna takes {WORD} drops.", privacy=Privacy.SENSITIVE)
    done = turn.write(draft, receipt=turn.search("tea").receipt)

    assert WORD not in str(done)
    assert traces(app.root, WORD) == []


# -- changing --------------------------------------------------------------------------------------------------------


def test_an_edit_changes_what_is_sealed_and_seals_it_anew(app: App) -> None:
    first = sealed(app)

    done = app.edit(first.memory.id, lambda memory: {"body": f"{memory.body} And {WORD}-two.", "tags": (WORD,)})

    assert done.memory.id == first.memory.id
    assert done.revision != first.revision
    assert revealed(app, first.memory.id).body == f"Anna takes {WORD} drops. And {WORD}-two."
    assert revealed(app, first.memory.id).tags == (WORD,)
    assert traces(app.root, WORD) == []
    assert [version.number for version in history(app).vault.versions(done.memory.uid)] == [1, 2]
    assert [event.act.version for event in history(app).ledger.events() if event.act.uid == done.memory.uid] == [1, 2]


def test_an_edit_that_means_nothing_writes_nothing(app: App) -> None:
    wanted = sealed(app).memory.id
    before = documents(app.root)

    assert not app.edit(wanted, lambda memory: {"body": memory.body}).created
    assert documents(app.root) == before


def test_who_comes_second_changes_nothing(app: App) -> None:
    first = sealed(app)
    app.edit(first.memory.id, lambda _: {"body": "The first."})

    with pytest.raises(MemoryChangedError):
        app.edit(first.memory.id, lambda _: {"body": "The second."}, expect=first.revision)

    assert revealed(app, first.memory.id).body == "The first."


def test_a_refused_document_leaves_the_content_as_it_was(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = sealed(app).memory.id

    def full(_change: object) -> None:
        raise WriteFailedError("notes", "no space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(app.bundle.store, "apply", full)
        with pytest.raises(WriteFailedError):
            app.edit(wanted, lambda _: {"body": "Another."})

    assert WORD in revealed(app, wanted).body


def test_sealing_takes_the_old_text_from_everywhere(app: App, tmp_path: Path) -> None:
    keep(app, f"{WORD}-cure", f"Anna takes {WORD} drops.", title=f"The {WORD} cure", tags=(WORD,))
    keep(app, "after", "A correction.", supersedes=(f"notes/{WORD}-cure",))
    keep(app, "link", "See [it](/notes/tea.md).")
    app.edit(f"notes/{WORD}-cure", lambda _: {"state": State.ACTIVE})
    path = app.root / f"notes/{WORD}-cure.md"
    path.write_text(path.read_text(encoding="utf-8").replace("title:", "title: [", 1), encoding="utf-8")
    assert app.check(repair=True).recovered_copies
    app.reindex()
    app.context(f"{WORD} drops", conversation="talk")
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": "Good morning."}]))
    assert traces(app.root, WORD)

    done = app.edit(f"notes/{WORD}-cure", lambda _: {"privacy": Privacy.SENSITIVE})

    assert traces(app.root, WORD) == []
    assert revealed(app, done.memory.id).body == f"Anna takes {WORD} drops."
    shown = app.show("notes/after").memory
    assert shown is not None
    assert shown.memory.supersedes == (done.memory.id,)
    assert app.check().healthy
    assert [warning.code for warning in done.warnings] == ["sealed", "sealed"]


def test_sealing_tells_which_conversations_still_have_the_words(app: App, tmp_path: Path) -> None:
    keep(app, "cure", f"Anna takes {WORD} drops.")
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": f"You know, Anna takes {WORD} drops."}]))

    done = app.edit("notes/cure", lambda _: {"privacy": Privacy.SENSITIVE})

    assert any("session:kitchen" in warning.message for warning in done.warnings)


def test_unsealing_gives_the_document_its_text_back_and_says_so(app: App) -> None:
    wanted = sealed(app, title="The cure").memory.id

    done = app.edit(wanted, lambda _: {"privacy": Privacy.PRIVATE})

    text = (app.root / done.path).read_text(encoding="utf-8")
    assert f"Anna takes {WORD} drops." in text
    assert "title: The cure\n" in text
    assert "sealed" not in text.replace(wanted, "")
    assert [warning.code for warning in done.warnings] == ["unsealed"]
    assert found(app, f"{WORD} drops")[0] == wanted


def test_a_sealed_memory_is_superseded_like_any_other(app: App) -> None:
    wanted = sealed(app).memory.id

    keep(app, "later", "Anna takes nothing.", supersedes=(wanted,))

    old = revealed(app, wanted)
    assert (old.state, old.superseded_by) == (State.SUPERSEDED, ("notes/later",))
    assert old.body == f"Anna takes {WORD} drops."


# -- by hand ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("What this memory says is kept", "Somebody typed this in. It is kept"),
        ("sealed: true\n", ""),
        ("title: Sensitive memory", "title: A title of my own"),
        ("status:", "status:"),
        ("privacy: sensitive\n", ""),
    ],
)
def test_an_edit_of_the_stub_by_hand_destroys_nothing(app: App, old: str, new: str) -> None:
    done = sealed(app)
    path = app.root / done.path
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")

    app.reindex(rebuild=True)

    assert revealed(app, done.memory.id).body == f"Anna takes {WORD} drops."
    assert traces(app.root, WORD) == []


def test_what_somebody_wrote_into_a_stub_is_told_and_stays(app: App) -> None:
    done = sealed(app)
    path = app.root / done.path
    path.write_text(path.read_text(encoding="utf-8") + "\nAsk Dr. Berg.\n", encoding="utf-8")
    assert codes(app) == ["sealed_edited"]

    app.edit(done.memory.id, lambda _: {"title": "The cure"})
    assert "Ask Dr. Berg." in path.read_text(encoding="utf-8")
    app.edit(done.memory.id, lambda _: {"privacy": Privacy.PRIVATE})

    assert "Ask Dr. Berg." in path.read_text(encoding="utf-8")
    assert f"Anna takes {WORD} drops." in path.read_text(encoding="utf-8")


def test_a_stub_that_was_renamed_by_hand_still_opens(app: App) -> None:
    done = sealed(app)
    (app.root / done.path).rename(app.root / "notes/renamed.md")
    app.reindex()

    assert revealed(app, "notes/renamed").body == f"Anna takes {WORD} drops."
    assert revealed(app, "notes/renamed").id == "notes/renamed"


def test_a_stub_without_a_content_is_told_by_check(app: App) -> None:
    done = sealed(app)
    history(app).vault.destroy(done.memory.uid)

    assert codes(app) == ["sealed_lost"]
    with pytest.raises(SealedContentLostError):
        revealed(app, done.memory.id)


def test_a_stub_that_was_deleted_by_hand_is_gone_and_comes_back_with_its_content(app: App) -> None:
    done = sealed(app)
    path = app.root / done.path
    text = path.read_bytes()
    path.unlink()

    app.check(repair=True)
    last = history(app).vault.versions(done.memory.uid)[-1]
    assert from_bytes(history(app).vault.get(done.memory.uid, last.number)) is None
    path.write_bytes(text)
    app.reindex()

    assert revealed(app, done.memory.id).body == f"Anna takes {WORD} drops."


def test_forgetting_a_sealed_memory_takes_its_content_out_of_the_vault(app: App) -> None:
    done = sealed(app)

    app.forget(done.memory.id, confirm=done.memory.id)

    assert done.memory.uid not in history(app).vault.standing()
    with pytest.raises(MemoryNotFoundError):
        app.show(done.memory.id, reveal=True)


# -- crashes ---------------------------------------------------------------------------------------------------------


def test_a_content_that_no_document_speaks_of_is_told_and_taken_away(app: App) -> None:
    memory = replace(revealed(app, "notes/tea"), uid=app.bundle.ids.new(), privacy=Privacy.SENSITIVE)
    history(app).vault.put(memory.uid, to_bytes(memory), memory.changed_at)
    assert codes(app) == ["sealed_orphan"]

    sealed(app)

    assert memory.uid not in history(app).vault.standing()
    assert app.check().healthy


def test_check_takes_such_a_content_away_where_it_is_asked_to(app: App) -> None:
    memory = replace(revealed(app, "notes/tea"), uid=app.bundle.ids.new(), privacy=Privacy.SENSITIVE)
    history(app).vault.put(memory.uid, to_bytes(memory), memory.changed_at)

    report = app.check(repair=True)

    assert [problem.code for problem in report.repaired] == ["sealed_orphan"]
    assert app.check().healthy


def test_where_the_ledger_was_lost_nothing_counts_as_such_a_content(app: App) -> None:
    """What was taken away by hand is known to the ledger alone; without it nobody can tell it from a dead writer's."""
    done = sealed(app)
    (app.root / done.path).unlink()
    (app.root / "notes" / "tea.md").unlink()
    app.check(repair=True)
    past = set(history(app).vault.standing())
    (app.root / ".mnemic" / "ledger.jsonl").unlink()

    sealed(app, "Something else.")
    app.check(repair=True)

    assert len(past) == 2
    assert past <= set(history(app).vault.standing())


def test_an_audit_does_not_make_a_memory_of_what_a_dead_writer_left(app: App) -> None:
    memory = replace(revealed(app, "notes/tea"), uid=app.bundle.ids.new(), privacy=Privacy.SENSITIVE)
    history(app).vault.put(memory.uid, to_bytes(memory), memory.changed_at)

    audited = app.records.verify()

    assert audited is not None
    assert [memory.uid in told for told in audited.apart] == [True]
    assert "check --repair" in audited.apart[0]
    assert not audited.made_up_for
    found(app, "tea")
    assert codes(app) == ["sealed_orphan"]


def test_a_memory_that_is_sealed_leaves_the_log_under_its_earlier_name_too(app: App) -> None:
    keep(app, "old", f"Anna takes {WORD} drops.", title=f"The {WORD} drops")
    (app.root / "notes" / "old.md").rename(app.root / "notes" / "new.md")
    app.reindex()

    app.edit("notes/new", lambda _: {"privacy": Privacy.SENSITIVE})

    assert traces(app.root, WORD) == []


def test_the_log_of_events_does_not_call_a_sealed_memory_gone(app: App) -> None:
    there, gone = sealed(app), sealed(app, "Something else.")
    (app.root / gone.path).unlink()

    rows = app.records.log()

    assert {row.id: row.gone for row in rows if row.id} == {
        "notes/tea": False, there.memory.id: False, gone.memory.id: True
    }  # fmt: skip


def test_a_writer_that_is_killed_anywhere_leaves_nothing_or_the_whole(tmp_path: Path) -> None:
    """Every third step; what is left is whole, or nothing once the next one has written."""
    outcomes = set()
    number, killed = 1, True
    while killed:
        root = tmp_path / f"copy-{number}"
        keep(open_(root), "tea", "Anna prefers green tea.")
        killed = killed_at(number, lambda root=root: open_(root), lambda app: sealed(app, id="notes/one"))  # type: ignore[misc]
        assert traces(root, WORD) == [], number

        app = open_(root)
        sealed(app, "Something else.")
        assert app.check(repair=True).healthy, number
        try:
            assert revealed(app, "notes/one").body == f"Anna takes {WORD} drops.", number
            outcomes.add("whole")
            expected = 3
        except MemoryNotFoundError:
            outcomes.add("nothing")
            expected = 2
        assert len(history(app).vault.standing()) == expected, number
        assert len({event.act.uid for event in history(app).ledger.events() if event.act.uid}) == expected, number
        assert history(app).ledger.verify().sound, number
        number += 3
    assert outcomes == {"nothing", "whole"}


def test_a_sealing_that_is_killed_anywhere_leaves_the_memory_as_it_was_or_sealed(tmp_path: Path) -> None:
    """Every ninth step; once it is sealed, the next command clears what is left of the old text."""
    states = set()
    number, killed = 1, True
    while killed:
        root = tmp_path / f"copy-{number}"
        app = open_(root)
        keep(app, "tea", "Anna prefers green tea.")
        keep(app, "cure", f"Anna takes {WORD} drops.")
        app.reindex()
        killed = killed_at(
            number,
            lambda root=root: open_(root),  # type: ignore[misc]
            lambda app: app.edit("notes/cure", lambda _: {"privacy": Privacy.SENSITIVE}),
        )

        app = open_(root)
        app.recall("anything")
        if app.root.joinpath("notes/cure.md").exists():
            states.add("plain")
            assert found(app, f"{WORD} drops")[0] == "notes/cure", number
            assert app.check().healthy, number
            app.edit("notes/cure", lambda _: {"privacy": Privacy.SENSITIVE})
        else:
            states.add("sealed")
        assert traces(root, WORD) == [], number
        (path,) = root.glob("notes/sensitive-*.md")
        assert revealed(app, f"notes/{path.stem}").body == f"Anna takes {WORD} drops.", number
        assert app.check(repair=True).healthy, number
        number += 9
    assert states == {"plain", "sealed"}


# -- every byte ------------------------------------------------------------------------------------------------------

_words = st.lists(
    st.text(st.sampled_from("abcdefghijжзийклмнопрстуфхцшéüßあいうえお記憶私的ñ"), min_size=9, max_size=14),
    min_size=9,
    max_size=9,
    unique_by=str.casefold,
)


@given(_words, st.sampled_from(["{}", 'He said "{}" \\ and left.', "# {}\n\n- one\n", "{}\r\n\ttwo"]))
@settings(max_examples=12)
def test_no_byte_of_what_is_sensitive_is_in_any_file_and_all_of_it_comes_back(words: list[str], form: str) -> None:
    title, body, description, tag, key, value, locator, actor, later = words
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "memory"
        app = open_(root)
        keep(app, "tea", "Anna prefers green tea.")
        done = sealed(
            app,
            form.format(body),
            title=title,
            description=description,
            tags=(tag,),
            claim=Claim(key, value),
            provenance=Provenance.of(Origin.USER_SAID, locator=locator, actor=actor),
        )

        app.recall("Anna tea sensitive")
        app.context("What does Anna prefer?", conversation="talk", pins=[done.memory.id])
        app.reindex(rebuild=True)
        app.edit(done.memory.id, lambda memory: {"body": f"{memory.body}\n{later}", "salience": 0.9})
        app.edit(done.memory.id, lambda _: {"state": State.ARCHIVED})
        app.check(repair=True)
        app.reindex()

        places = (root, Path(os.environ["HOME"]), Path(os.environ["MNEMIC_CACHE_DIR"]))
        for word in words:
            assert bytes_with(word, *places) == []
        memory = revealed(open_(root), done.memory.id)
        assert memory.body == f"{form.format(body)}\n{later}"
        assert (memory.title, memory.description, memory.tags) == (title, description, (tag,))
        assert memory.claim == Claim(key, value)
        assert (memory.provenance.locator, memory.provenance.actor) == (locator, actor)
        assert memory.state is State.ARCHIVED


# -- the past of others ------------------------------------------------------------------------------------------


def test_the_history_of_another_memory_does_not_tell_what_one_was_that_is_gone(app: App) -> None:
    secret = sealed(app, title=f"The {WORD} drops").memory
    keep(app, "newer", "Anna takes nothing any more.", supersedes=(secret.id,))
    (app.root / f"{secret.id}.md").unlink()

    (link,) = app.past.history("notes/newer").supersedes

    assert (link.id, link.title) == (secret.id, "Sensitive memory")
    assert WORD not in str(app.past.history(secret.id))


def test_the_name_of_before_it_was_sealed_leads_to_it_no_more(app: App) -> None:
    keep(app, "drops", f"Anna takes {WORD} drops.")
    secret = app.edit("notes/drops", lambda _: {"privacy": Privacy.SENSITIVE}).memory

    with pytest.raises(MemoryNotFoundError):
        app.past.history("notes/drops")

    assert app.past.history(secret.id).id == secret.id
