"""Sensitive memories on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mnemic import config

if TYPE_CHECKING:
    from command_line import Shell

WORD = "zanzibarian"


@pytest.fixture
def allowed(project: Shell) -> Shell:
    """A bundle that keeps sensitive memories."""
    project.ok("config", "set", "rules.sensitive", "true")
    return project


def remembered(shell: Shell, text: str = f"Anna takes {WORD} drops.") -> str:
    return str(json.loads(shell.ok("remember", text, "--privacy", "sensitive", "--json"))["id"])


def test_a_refusal_names_the_setting(project: Shell) -> None:
    done = project.run("remember", "Anna takes drops.", "--privacy", "sensitive")

    assert done.exit_code == 3
    assert "mnemic config set rules.sensitive true" in done.stderr


def test_it_is_shown_with_reveal_only(allowed: Shell) -> None:
    wanted = remembered(allowed)

    stub = allowed.ok("show", wanted)
    assert WORD not in stub + allowed.ok("show", wanted, "--json")
    assert f"mnemic show {wanted} --reveal" in stub
    assert f"Anna takes {WORD} drops." in allowed.ok("show", wanted, "--reveal")
    told = json.loads(allowed.ok("show", wanted, "--reveal", "--json"))
    assert (told["body"], told["privacy"], told["id"]) == (f"Anna takes {WORD} drops.", "sensitive", wanted)


def test_an_unknown_class_is_refused(project: Shell) -> None:
    for words in (("remember", "A text."), ("edit", "notes/tea")):
        done = project.run(*words, "--privacy", "hush")

        assert done.exit_code == 2
        assert "public, private, sensitive" in done.stderr


def test_what_is_sealed_is_edited_by_options_and_in_no_editor(allowed: Shell) -> None:
    wanted = remembered(allowed)

    refused = allowed.run("edit", wanted)
    assert (refused.exit_code, "--text -" in refused.stderr) == (3, True)
    allowed.ok("edit", wanted, "--text", "-", stdin=f"No {WORD} drops any more.")

    assert f"No {WORD} drops any more." in allowed.ok("show", wanted, "--reveal")
    assert WORD not in allowed.ok("show", wanted)


def test_a_memory_is_sealed_and_unsealed(allowed: Shell) -> None:
    wanted = str(json.loads(allowed.ok("edit", "notes/cello", "--privacy", "sensitive", "--json"))["id"])
    assert "luthier" not in allowed.ok("show", wanted)
    assert allowed.run("recall", "cello luthier").exit_code == 1

    allowed.ok("edit", wanted, "--privacy", "private")

    assert "luthier" in allowed.ok("show", wanted)


def test_check_reports_what_somebody_marked_by_hand(allowed: Shell) -> None:
    path = allowed.memory / "notes/hidden.md"
    path.write_text("---\ntype: note\nprivacy: sensitive\n---\nText.\n", encoding="utf-8")

    done = allowed.run("check")

    assert done.exit_code == 1
    assert "mnemic edit notes/hidden --privacy sensitive" in " ".join(done.stdout.split())


def test_what_every_stub_says_is_not_taken_for_what_the_memory_said(allowed: Shell) -> None:
    allowed.ok("remember", "Anna takes the blue drops at nine.", "--privacy", "sensitive", "--id", "notes/one")
    allowed.ok("remember", "Bert has a loan of forty thousand.", "--privacy", "sensitive", "--id", "notes/other")

    asked = allowed.run("forget", "notes/one").stderr
    done = allowed.json("forget", "notes/one", "--confirm", "notes/one")

    assert "notes/other" not in asked
    assert done["receipt"]["elsewhere"] == []
    assert done["receipt"]["clean"] is True


def test_the_past_of_a_sensitive_memory_is_told_without_numbers_of_the_vault(allowed: Shell) -> None:
    allowed.ok("remember", "Anna takes the blue drops.", "--privacy", "sensitive", "--id", "notes/one")
    allowed.ok("edit", "notes/one", "--text", "Anna takes the green drops.")

    done = allowed.run("history", "notes/one")

    assert "sealed_version" not in done.stdout
    assert "drops" not in done.output
    assert "mnemic show notes/one --reveal" in " ".join(done.stderr.split())


def test_by_subject_what_cannot_be_read_is_told_and_not_passed_over_in_silence(allowed: Shell) -> None:
    allowed.ok("remember", "Bert has a loan of forty thousand.", "--privacy", "sensitive", "--id", "notes/loan")
    allowed.ok("remember", "Bert rows across the bay.", "--id", "notes/boat")
    allowed.ok("edit", "notes/boat", "--text", "Bert rows on Sundays.")
    keys = config.user_data_dir() / "keys"
    away = keys.rename(keys.with_name("away"))

    asked = allowed.run("forget", "--subject", "Bert")
    done = allowed.run("forget", "--subject", "Bert", "--confirm", "Bert")
    again = allowed.run("forget", "--subject", "Bert", "--confirm", "Bert")

    for told in (asked.stderr, done.stderr, again.stderr):
        assert "is not known, and they stay: notes/loan. The vault cannot be opened" in " ".join(told.split())
    assert "what the kept versions say cannot be read, and is not looked for" in " ".join(done.stderr.split())
    assert (asked.exit_code, done.exit_code, again.exit_code) == (3, 0, 1)
    assert "Not looked for: what 6 kept versions said." in " ".join(done.stdout.split())
    away.rename(keys)
    assert allowed.json("show", "notes/loan", "--reveal")["body"] == "Bert has a loan of forty thousand."
    assert allowed.json("ledger", "log")["events"][0]["deed"] == "erase"
    assert [row["deed"] for row in allowed.json("ledger", "log")["events"]].count("erase") == 1
    assert allowed.run("forget", "--subject", "Bert").stderr.startswith("1 memory would go")


def test_no_receipt_is_called_clean_while_kept_versions_cannot_be_read(allowed: Shell) -> None:
    allowed.ok("remember", "Bert rows across the bay.", "--id", "notes/boat")
    allowed.ok("remember", "The harbour closes at nine.", "--id", "notes/harbour")
    keys = config.user_data_dir() / "keys"
    away = keys.rename(keys.with_name("away"))

    one = allowed.json("forget", "notes/harbour", "--confirm", "notes/harbour")["receipt"]
    said = allowed.run("forget", "notes/boat", "--confirm", "notes/boat").stdout
    away.rename(keys)
    allowed.ok("remember", "Anna rows too.", "--id", "notes/anna")
    opened = allowed.json("forget", "notes/anna", "--confirm", "notes/anna")["receipt"]

    assert (one["unread_versions"], one["clean"], one["found"]) == (1, False, [])
    assert "Not looked for: what 1 kept version said. That could not be read" in " ".join(said.split())
    assert (opened["unread_versions"], opened["clean"]) == (0, True)


def test_an_earlier_version_of_a_sensitive_memory_is_revealed_to_whoever_asks_for_it(allowed: Shell) -> None:
    allowed.ok("remember", "Anna takes the blue drops.", "--privacy", "sensitive", "--id", "notes/one")
    allowed.ok("edit", "notes/one", "--text", "Anna takes the green drops.")
    version = ("history", "notes/one", "--version")

    assert "drops" not in allowed.ok(*version, "1")
    assert allowed.json(*version, "1", "--reveal")["body"] == "Anna takes the blue drops."
    assert "Anna takes the green drops." in allowed.ok(*version, "2", "--reveal")
    assert allowed.run(*version, "7", "--reveal").exit_code == 1
    assert allowed.run("history", "notes/one", "--reveal").exit_code == 2
    keys = config.user_data_dir() / "keys"
    away = keys.rename(keys.with_name("away"))
    locked = allowed.run(*version, "1", "--reveal")
    away.rename(keys)
    assert (locked.exit_code, locked.stdout) == (3, "")
    assert "The vault cannot be opened" in locked.stderr


def test_reveal_changes_nothing_of_a_version_that_is_not_sensitive(allowed: Shell) -> None:
    allowed.ok("remember", "The harbour closes at nine.", "--id", "notes/harbour")

    version = ("history", "notes/harbour", "--version", "1")

    assert allowed.ok(*version, "--reveal") == allowed.ok(*version)
