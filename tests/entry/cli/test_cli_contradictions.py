"""Contradictions as they are shown on a terminal of 80 columns, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mnemic.entry.cli.columns import columns

if TYPE_CHECKING:
    from command_line import Shell

LONG = "For local development on the machines of the whole team the frontend of the shop listens on port"
WIDE = "注文システムのデータベースはとても大きいので東京にある新しいデータセンターの地下にあるサーバーのポート"


@pytest.mark.parametrize(
    ("one", "other"), [(f"{LONG} 3000.", f"{LONG} 5173."), (f"{WIDE}3000です。", f"{WIDE}5173です。")]
)
def test_a_write_shows_both_texts_within_eighty_columns(shell: Shell, one: str, other: str) -> None:
    shell.ok("init")
    shell.ok("remember", one, "--id", "notes/one")

    done = shell.run("remember", other, "--id", "notes/other")

    assert done.exit_code == 0
    assert "this may contradict notes/one" in done.stderr
    assert max(map(columns, done.stderr.splitlines())) <= 80
    said = "".join(done.stderr.split())
    assert "".join(one.split()) in said
    assert "".join(other.split()) in said


def test_the_command_that_settles_it_can_be_copied(project: Shell) -> None:
    done = project.run("remember", "Anna prefers black coffee.", "--id", "notes/coffee-without-milk-or-sugar")

    line = done.stderr.splitlines()[-1]
    assert line == "  mnemic edit notes/coffee-without-milk-or-sugar --supersedes notes/tea"
    assert max(map(columns, project.run("check", "--contradictions").output.splitlines())) <= 80
    project.ok(*line.split()[1:])
    assert project.json("show", "notes/tea")["state"] == "superseded"
    assert project.run("check", "--contradictions").exit_code == 0


def test_the_json_of_a_write_holds_both_statements(project: Shell) -> None:
    made = project.json("remember", "Anna prefers black coffee.", "--id", "notes/coffee")

    assert made["state"] == "active"
    (warning,) = made["warnings"]
    assert warning["code"] == "may_contradict"
    assert warning["statements"] == [
        {"id": "notes/coffee", "text": "Anna prefers black coffee."},
        {"id": "notes/tea", "text": "Anna prefers green tea."},
    ]


def test_a_text_that_steers_a_terminal_does_not(shell: Shell) -> None:
    shell.ok("init")
    shell.ok("remember", "Anna lives in \x1b[31mOslo.", "--id", "notes/oslo")

    assert "\x1b" not in shell.run("remember", "Anna lives in Bergen.").stderr
    assert "\x1b" not in shell.run("check", "--contradictions").stdout


def test_a_check_lists_what_contradicts_and_what_may(project: Shell) -> None:
    assert project.json("check", "--contradictions") == {"contradictions": []}
    assert "0 contradicting, 0 that may contradict" in project.ok("check", "--contradictions")
    project.ok("remember", "Anna prefers black coffee.", "--id", "notes/coffee")
    (project.memory / "notes/a.md").write_text(
        "---\ntype: note\nclaim: {key: x.y, value: '1,000'}\n---\nOne.\n", "utf-8"
    )
    (project.memory / "notes/b.md").write_text(
        "---\ntype: note\nclaim: {key: X / Y, value: '2000'}\n---\nTwo.\n", "utf-8"
    )

    done = project.run("check", "--contradictions")

    assert done.exit_code == 1
    assert "1 contradicting, 1 that may contradict" in done.stdout
    assert done.stdout.index("x.y = 1,000") < done.stdout.index("Anna prefers black coffee.")
    sure, may = project.json("check", "--contradictions", status=1)["contradictions"]
    assert (sure["code"], sure["how"], sure["one"]) == (
        *("contradiction", "value"),
        {"id": "notes/a", "text": "x.y = 1,000"},
    )
    assert (may["code"], may["how"], may["other"]["id"]) == ("may_contradict", "other", "notes/tea")


def test_contradictions_are_not_repaired(project: Shell) -> None:
    done = project.run("check", "--contradictions", "--repair")

    assert done.exit_code == 2
    assert "settled by a person" in done.stderr
