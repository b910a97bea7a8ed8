"""`mnemic ledger`, and what `status` and `doctor` say of the history."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest

from mnemic import config

if TYPE_CHECKING:
    from pathlib import Path

    from command_line import Shell


@pytest.fixture
def filled(project: Shell) -> Shell:
    """Beside three others a memory that changed, one that was taken away by hand, one that was forgotten."""
    project.ok("remember", "Anna drinks tea.", "--id", "people/anna")
    project.ok("edit", "people/anna", "--text", "Anna drinks coffee.")
    project.ok("remember", "Bela bakes bread.", "--id", "people/bela")
    (project.memory / "people/bela.md").unlink()
    project.ok("remember", "Cleo plays chess.", "--id", "people/cleo")
    project.ok("forget", "people/cleo", "--confirm", "people/cleo")
    return project


def key_file() -> Path:
    (path,) = (config.user_data_dir() / "keys").glob("*.key")
    return path


def test_the_log_tells_what_was_done_to_which_memory(filled: Shell) -> None:
    lines = [line.split("  ") for line in filled.ok("ledger", "log").splitlines()]

    told = [" ".join(part.strip() for part in line[-2:] if part.strip()) for line in lines]
    deeds = [row["deed"] for row in filled.json("ledger", "log")["events"]]
    assert deeds[::-1][-6:] == ["remember", "change", "remember", "remove", "remember", "erase"]
    assert any("people/anna version 2" in line for line in told)
    assert any("people/bela version 2 (gone)" in line for line in told)
    assert "cleo" not in " ".join(told)
    assert sum("(forgotten)" in line for line in told) == 2


def test_the_log_of_one_memory_since_a_day_and_of_at_most_so_many(filled: Shell) -> None:
    assert [row["version"] for row in filled.json("ledger", "log", "people/anna")["events"]] == [2, 1]
    assert [row["gone"] for row in filled.json("ledger", "log", "people/bela")["events"]] == [True, True]
    assert len(filled.json("ledger", "log", "--limit", "3")["events"]) == 3
    assert filled.json("ledger", "log", "--since", "9998-01-01")["events"] == []
    assert filled.ok("ledger", "log", "--since", "9998-01-01") == "Nothing is recorded.\n"
    assert len(filled.json("ledger", "log", "--since", "2020-01-01")["events"]) == 10


@pytest.mark.parametrize("words", [("people/cleo",), ("people/nobody",)])
def test_of_what_is_not_known_there_is_no_log(filled: Shell, words: tuple[str, ...]) -> None:
    done = filled.run("ledger", "log", *words)

    assert (done.exit_code, done.stdout) == (1, "")
    assert filled.run("ledger", "log", "--since", "the day before").exit_code == 2


def test_what_was_exported_can_be_checked_without_mnemic(filled: Shell, tmp_path: Path) -> None:
    done = filled.run("ledger", "export", str(tmp_path / "out.jsonl"))

    data = (tmp_path / "out.jsonl").read_bytes()
    assert data == (filled.memory / ".mnemic/ledger.jsonl").read_bytes()
    assert filled.run("ledger", "export", "-").stdout_bytes == data
    last = "0" * 64
    for line in data.splitlines():
        event = json.loads(line)
        stated = event.pop("hash")
        text = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert hashlib.sha256(text.encode()).hexdigest() == stated
        assert event["prev"] == last
        last = stated
    assert f"10 lines. Last event: 10 {last}" in done.stderr
    assert filled.ok("ledger", "head") == f"10 {last}\n"
    assert filled.json("ledger", "head") == {"events": 10, "head": last}


def test_an_export_that_cannot_be_written_says_so(filled: Shell) -> None:
    done = filled.run("ledger", "export", "no/such/folder/out.jsonl")

    assert done.exit_code == 3
    assert "no such file or directory" in done.stderr


def test_a_sound_bundle(filled: Shell) -> None:
    out = filled.ok("ledger", "verify")

    assert out.startswith("10 events, 7 versions.\n")
    assert out.endswith("All of it is sound.\n")


def test_damage_is_told_and_is_exit_status_1(filled: Shell) -> None:
    path = filled.memory / ".mnemic/ledger.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))

    done = filled.run("ledger", "verify")

    assert done.exit_code == 1
    assert "! before event 4: 3 missing" in done.stdout
    found = filled.json("ledger", "verify", status=1)
    assert (found["sound"], found["findings"][0]["flaw"]) == (False, "removed")


def test_a_document_whose_version_is_not_in_the_vault_is_told_and_made_up_for(filled: Shell) -> None:
    """As after a power cut that took the vault's last write and nothing else."""
    import sqlite3

    db = sqlite3.connect(filled.memory / ".mnemic/vault.db")
    db.execute("delete from version where number = 2")
    db.commit()
    db.close()

    done = filled.run("ledger", "verify")

    assert done.exit_code == 1
    assert "people/anna does not say what the newest version in the vault says" in done.stdout
    assert "the vault holds people/bela, of which there is no document" in done.stdout
    assert "the next command keeps what the documents say" in " ".join(done.stderr.split())
    filled.ok("recall", "tea")
    assert filled.ok("ledger", "verify").endswith("All of it is sound.\n")


def test_a_locked_vault_is_told_with_what_helps(filled: Shell) -> None:
    key = key_file()
    key.rename(key.with_suffix(".aside"))

    done = filled.run("ledger", "verify")

    assert done.exit_code == 1
    assert "Put it back from a backup" in " ".join(done.stdout.split())
    told = filled.json("doctor", status=1)["findings"]
    assert [each["message"] for each in told if each["level"] == "problem"] == [f"{key}, which is missing"]
    done = filled.run("remember", "Dora sails.")
    assert done.exit_code == 0
    assert "the history does not have the last changes yet" in " ".join(done.stderr.split())
    assert "Put it back from a backup" in " ".join(done.stderr.split())
    assert filled.run("ledger", "rotate", "--yes").exit_code == 3
    key.with_suffix(".aside").rename(key)
    filled.ok("recall", "sails")
    assert filled.ok("ledger", "verify").endswith("All of it is sound.\n")


def test_the_key_is_changed(filled: Shell) -> None:
    before = key_file()

    out = filled.ok("ledger", "rotate", "--yes")

    assert not before.exists()
    assert str(key_file()) in out.replace("\n", "")
    assert "Back it up" in " ".join(out.split())
    assert filled.json("ledger", "rotate", "--yes") == {
        "kept": True, "why": "", "events": 12, "versions": 7, "key": "file", "key_place": str(key_file())
    }  # fmt: skip
    assert filled.ok("ledger", "verify").endswith("All of it is sound.\n")


def test_the_key_goes_into_a_passphrase(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Set MNEMIC_PASSPHRASE" in filled.run("ledger", "rotate", "--yes", "--key", "passphrase").stderr
    assert filled.ok("ledger", "verify").endswith("All of it is sound.\n")
    monkeypatch.setenv("MNEMIC_NEW_PASSPHRASE", "seven small boats")

    out = filled.ok("ledger", "rotate", "--yes", "--key", "passphrase")

    assert "Who forgets it loses the old versions." in " ".join(out.split())
    monkeypatch.delenv("MNEMIC_NEW_PASSPHRASE")
    assert filled.run("ledger", "verify").exit_code == 1
    monkeypatch.setenv("MNEMIC_PASSPHRASE", "seven small boats")
    assert filled.ok("ledger", "verify").endswith("All of it is sound.\n")


def test_status_and_doctor_tell_what_is_kept_and_where_the_key_is(filled: Shell) -> None:
    assert "7 versions in the vault, 10 events in the ledger" in filled.ok("status")
    history = filled.json("status")["history"]
    assert (history["kept"], history["versions"], history["key"]) == (True, 7, "file")
    told = {each["check"]: each for each in filled.json("doctor")["findings"]}
    assert told["history"]["message"] == "7 versions, 10 events"
    assert (told["key"]["message"], "backup" in told["key"]["hint"]) == (str(key_file()), True)


def test_a_bundle_that_keeps_nothing_says_so(project: Shell) -> None:
    project.ok("init", "other")
    other = ("--bundle", "other", "--set", "history.keep=false")
    project.ok(*other, "remember", "Anna drinks tea.")

    assert project.ok(*other, "ledger", "verify") == "This bundle keeps no history.\n"
    assert project.json(*other, "ledger", "verify") == {"kept": False, "sound": True}
    assert "no history" in project.ok(*other, "status")
    assert project.json(*other, "status")["history"]["why"] == "the setting history.keep says so"
    assert "history.keep true" in project.run(*other, "ledger", "rotate", "--yes").stderr
    told = [each for each in project.json(*other, "doctor")["findings"] if each["check"] == "history"]
    assert [each["level"] for each in told] == ["note"]


def test_a_history_that_is_not_added_to_any_more_is_still_looked_at(filled: Shell) -> None:
    filled.ok("config", "set", "history.keep", "false")
    filled.ok("edit", "people/anna", "--text", "Anna drinks water.")

    assert filled.ok("ledger", "verify").endswith("All of it is sound.\n")
    assert "10 events in the ledger; nothing is added to them" in filled.ok("status")


def test_the_old_key_goes_only_when_that_is_meant(filled: Shell) -> None:
    before = filled.json("status")["history"]

    refused = filled.run("ledger", "rotate")

    assert refused.exit_code == 3
    assert "every copy of this bundle" in refused.stderr
    assert "mnemic ledger rotate --yes" in refused.stderr
    assert filled.json("status")["history"] == before
