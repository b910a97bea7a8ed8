"""Whatever is wrong with ledger, vault or key: memories are written and found, it is said, and made up for later."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

import pytest
from recorded import anew, flaws, key_file, past, said, state, told
from rooms import an_app, found, keep

from mnemic.adapters.ledger.vault_file import VaultFile
from mnemic.errors import VaultError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mnemic.app import App
    from mnemic.domain.drafts import Remembered

PASSPHRASE = "MNEMIC_PASSPHRASE"


@pytest.fixture
def app(tmp_path: Path) -> App:
    app = an_app(tmp_path / "memory")
    keep(app, "anna", "Anna drinks tea.")
    return app


def warned(done: Remembered) -> str:
    """The one warning about the history."""
    (text,) = [warning.message for warning in done.warnings if warning.code == "history"]
    return text


def lacking(app: App) -> list[str]:
    """What a question says of the history, since that is owed something."""
    return [text for text in app.recall("anything").degraded if "history" in text]


def written_all_the_same(app: App) -> str:
    """A change, a new memory and an edit by hand, all found; what was said about the history."""
    done = app.edit("notes/anna", lambda _: {"body": "Anna drinks coffee."})
    keep(app, "bela", "Bela bakes bread.")
    path = app.root / "notes/bela.md"
    path.write_text(path.read_text(encoding="utf-8").replace("bread", "rolls"), encoding="utf-8")
    answer = app.recall("who bakes rolls?")
    assert [hit.id for hit in answer.hits][:1] == ["notes/bela"]
    assert found(app, "coffee")[:1] == ["notes/anna"]
    text = warned(done)
    assert text in answer.degraded
    assert state(app, "history-owed").exists()
    return text


def caught_up(app: App) -> None:
    """The next command of a new process keeps what is owed, if only it looks."""
    fresh = anew(app)
    assert lacking(fresh) == []
    assert not state(app, "history-owed").exists()
    assert said(fresh, "notes/anna")[-1] == "Anna drinks coffee."
    assert said(fresh, "notes/bela")[-1] == "Bela bakes rolls."
    assert {"remember notes/anna 1", "change notes/anna 2", "remember notes/bela 1"} <= set(told(fresh))
    assert flaws(fresh) == []


# -- the key ---------------------------------------------------------------------------------------------------------


def test_without_its_key_file(app: App) -> None:
    path = key_file()
    key = path.read_bytes()
    path.unlink()
    locked = anew(app)

    text = written_all_the_same(locked)

    assert f"its key file {path} is missing" in text
    assert "Put it back from a backup" in text
    path.write_bytes(key)
    caught_up(app)
    assert said(anew(app), "notes/anna") == ["Anna drinks tea.", "Anna drinks coffee."]


@pytest.mark.parametrize("spoilt", [b"", b"nothing of the kind\n", b"00" * 32 + b"\n"])
def test_with_another_key_in_its_file(app: App, spoilt: bytes) -> None:
    path = key_file()
    key = path.read_bytes()
    path.write_bytes(spoilt)

    assert "backup" in written_all_the_same(anew(app))

    path.write_bytes(key)
    caught_up(app)


@pytest.mark.parametrize(("given", "said_so"), [("", "was not given"), ("nine large boats", "is wrong")])
def test_without_the_passphrase_or_with_a_wrong_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, said_so: str
) -> None:
    monkeypatch.setenv(PASSPHRASE, "seven small boats")
    app = an_app(tmp_path / "memory", "history.key=passphrase")
    keep(app, "anna", "Anna drinks tea.")
    monkeypatch.setenv(PASSPHRASE, given)

    assert said_so in written_all_the_same(anew(app))

    monkeypatch.setenv(PASSPHRASE, "seven small boats")
    caught_up(app)


def test_a_bundle_that_never_had_a_key_gets_one_when_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PASSPHRASE, raising=False)
    app = an_app(tmp_path / "memory", "history.key=passphrase")

    assert "Set MNEMIC_PASSPHRASE" in warned(keep(app, "anna", "Anna drinks tea."))

    monkeypatch.setenv(PASSPHRASE, "seven small boats")
    again = an_app(app.root, "history.key=passphrase")
    assert lacking(again) == []
    assert said(again, "notes/anna") == ["Anna drinks tea."]


def test_what_was_taken_away_while_the_vault_was_locked_is_told_when_it_opens(app: App) -> None:
    path = key_file()
    key = path.read_bytes()
    path.unlink()
    (app.root / "notes/anna.md").unlink()
    assert anew(app).recall("tea").hits == ()
    path.write_bytes(key)

    anew(app).reindex()

    assert told(anew(app))[1:] == ["remember notes/anna 1", "remove notes/anna 2"]


# -- the vault -------------------------------------------------------------------------------------------------------


def _garbage(path: Path) -> None:
    path.write_bytes(b"nothing of the kind " * 300)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5_000])


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("spoil", [_garbage, _cut, _emptied, os.unlink])
def test_with_a_vault_that_is_damaged_until_a_backup_is_put_back(app: App, spoil: Callable[[Path], None]) -> None:
    app.bundle.history().vault.close()  # type: ignore[union-attr]
    path = state(app, "vault.db")
    backup = path.read_bytes()
    spoil(path)

    assert "backup" in written_all_the_same(anew(app))
    assert flaws(anew(app)) != []

    for name in ("vault.db-wal", "vault.db-shm"):
        state(app, name).unlink(missing_ok=True)
    path.write_bytes(backup)
    caught_up(app)


def test_one_damaged_row_stops_neither_its_own_history_nor_that_of_others(app: App) -> None:
    past(app).vault.close()  # type: ignore[attr-defined]
    with sqlite3.connect(state(app, "vault.db")) as db:
        db.execute("update version set data = zeroblob(length(data))")
    db.close()
    fresh = anew(app)

    done = fresh.edit("notes/anna", lambda _: {"body": "Anna drinks coffee."})
    keep(fresh, "bela", "Bela bakes bread.")

    assert [warning.code for warning in done.warnings] == []
    assert told(fresh)[-2:] == ["change notes/anna 3", "remember notes/bela 1"]  # 2: what it said before that
    (wrong,) = fresh.records.verify().vault  # type: ignore[union-attr]
    assert "version 1" in wrong


def test_a_damaged_key_of_one_memory_is_told_and_others_are_kept(app: App) -> None:
    past(app).vault.close()  # type: ignore[attr-defined]
    with sqlite3.connect(state(app, "vault.db")) as db:
        db.execute("update memory set key = zeroblob(length(key))")
    db.close()
    fresh = anew(app)

    done = fresh.edit("notes/anna", lambda _: {"body": "Anna drinks coffee."})
    keep(fresh, "bela", "Bela bakes bread.")

    assert "the key of" in warned(done)
    assert said(fresh, "notes/bela") == ["Bela bakes bread."]
    assert found(fresh, "coffee")[:1] == ["notes/anna"]


# -- the disk --------------------------------------------------------------------------------------------------------


def test_on_a_full_disk(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    past(app).vault.close()  # type: ignore[attr-defined]
    prepare = VaultFile._prepare

    def full(self: VaultFile, db: sqlite3.Connection, *, create: bool) -> None:
        prepare(self, db, create=create)
        db.execute("pragma max_page_count=1")  # SQLite's own words for a disk that is full

    with monkeypatch.context() as patch:
        patch.setattr(VaultFile, "_prepare", full)
        fresh = anew(app)
        long = "Anna drinks coffee. " * 390
        done = fresh.edit("notes/anna", lambda _: {"body": long})
        assert "database or disk is full. Check free space" in warned(done)
        assert found(fresh, "coffee") == ["notes/anna"]

    assert lacking(anew(app)) == []
    assert said(anew(app), "notes/anna") == ["Anna drinks tea.", long.strip()]
    assert flaws(anew(app)) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may do anything")
@pytest.mark.parametrize("name", ["ledger.jsonl", "vault.db"])
def test_without_permission(app: App, name: str) -> None:
    past(app).vault.close()  # type: ignore[attr-defined]
    state(app, name).chmod(0)

    assert "permission" in written_all_the_same(anew(app)).lower()

    state(app, name).chmod(0o600)
    caught_up(app)


# -- the ledger ------------------------------------------------------------------------------------------------------


def test_with_a_folder_in_the_place_of_the_ledger(app: App) -> None:
    path = state(app, "ledger.jsonl")
    path.rename(path.with_name("aside"))
    path.mkdir()

    text = written_all_the_same(anew(app))

    assert "it is a folder" in text
    assert "Check its permissions and what is in its place" in text
    path.rmdir()
    path.with_name("aside").rename(path)
    caught_up(app)


def _bit(data: bytes) -> bytes:
    at = data.index(b'"seq":') + 6
    return data[:at] + bytes([data[at] ^ 2]) + data[at + 1 :]


def _line(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join(lines[:1] + lines[2:])


def _tail(data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-1])


def _twice(data: bytes) -> bytes:
    return data + data.splitlines(keepends=True)[-1]


@pytest.mark.parametrize(
    ("spoil", "flaw"), [(_bit, "altered"), (_line, "removed"), (_tail, "cut"), (_twice, "repeated")]
)
def test_with_a_ledger_that_was_tampered_with_it_goes_on_and_a_check_tells(
    app: App, spoil: Callable[[bytes], bytes], flaw: str
) -> None:
    keep(app, "bela", "Bela bakes bread.")
    path = state(app, "ledger.jsonl")
    path.write_bytes(spoil(path.read_bytes()))
    fresh = anew(app)
    assert flaw in flaws(fresh)

    done = fresh.edit("notes/anna", lambda _: {"body": "Anna drinks coffee."})

    assert [warning.code for warning in done.warnings] == []
    assert said(fresh, "notes/anna")[-1] == "Anna drinks coffee."
    assert [each for each in flaws(fresh) if each in {flaw, "lost_before"}] != []


def test_a_ledger_that_is_gone_is_told_and_begun_anew(app: App) -> None:
    state(app, "ledger.jsonl").unlink()
    fresh = anew(app)

    fresh.edit("notes/anna", lambda _: {"body": "Anna drinks coffee."})

    assert told(fresh)[-1] == "change notes/anna 2"
    assert "lost_before" in flaws(fresh)


# -- a new key -------------------------------------------------------------------------------------------------------


def test_the_key_is_changed_and_everything_stays_readable(app: App) -> None:
    before = key_file()

    facts = app.records.rotate()

    assert (facts.place, facts.key) == ("file", str(key_file()))
    assert key_file() != before
    assert said(anew(app), "notes/anna") == ["Anna drinks tea."]
    assert told(anew(app))[-1] == "rotate"
    assert flaws(anew(app)) == []


def test_a_key_goes_from_a_file_into_a_head_and_to_another_passphrase(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mnemic.domain.vault import KeyPlace

    path = key_file()
    monkeypatch.setenv(PASSPHRASE, "seven small boats")
    app.records.rotate(KeyPlace.PASSPHRASE)
    assert not path.exists()
    monkeypatch.setenv("MNEMIC_NEW_PASSPHRASE", "nine large boats")
    anew(app).records.rotate()
    monkeypatch.delenv("MNEMIC_NEW_PASSPHRASE")

    assert "passphrase is wrong" in flaws(anew(app))[0]
    monkeypatch.setenv(PASSPHRASE, "nine large boats")
    assert said(anew(app), "notes/anna") == ["Anna drinks tea."]
    assert flaws(anew(app)) == []


def test_without_history_there_is_no_key_to_change(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="keeps no history"):
        an_app(tmp_path / "none", "history.keep=false").records.rotate()
