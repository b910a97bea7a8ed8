"""`mnemic forget` and `mnemic edit`: what is said about what is gone, and what is not emptied."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from command_line import Shell

NEWS = ("remember", "Anna prefers cocoa now.", "--supersedes", "notes/tea", "--id", "notes/cocoa")
BACK = "mnemic edit notes/tea --state active"


def test_who_forgets_a_successor_is_told_of_what_it_replaced_within_80_columns(project: Shell) -> None:
    project.ok(*NEWS)

    done = project.run("forget", "notes/cocoa", "--confirm", "notes/cocoa")

    assert done.exit_code == 0
    assert done.stdout.startswith("Forgot notes/cocoa.\n")
    told = " ".join(done.stderr.split())
    assert told == f"Note: notes/tea was replaced by it and stays superseded; to bring it back: {BACK}"
    assert max(map(len, done.stderr.splitlines())) <= 80
    assert project.run("check").exit_code == 0


def test_what_it_says_to_do_brings_the_old_one_back(project: Shell) -> None:
    project.ok(*NEWS)
    project.ok("forget", "notes/cocoa", "--confirm", "notes/cocoa")

    project.ok(*BACK.split()[1:])

    assert [hit["id"] for hit in project.json("recall", "green tea")["results"]] == ["notes/tea"]


def test_a_program_is_told_the_same(project: Shell) -> None:
    project.ok(*NEWS)

    gone = project.json("forget", "notes/cocoa", "--confirm", "notes/cocoa")

    assert gone["notes"] == [f"notes/tea was replaced by it and stays superseded; to bring it back: {BACK}"]


def test_a_text_is_not_emptied_by_a_slip(project: Shell) -> None:
    done = project.run("edit", "notes/tea", "--text", "")

    assert done.exit_code == 2
    assert done.stderr == (
        "Error: text: it would be empty.\n  To remove it: mnemic forget notes/tea --confirm notes/tea\n"
    )
    assert project.json("show", "notes/tea")["body"] == "Anna prefers green tea."
