"""Sensitive memories on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

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
