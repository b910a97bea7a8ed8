"""`mnemic proposals`, as a person types it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from test_cli_json import check, promised

if TYPE_CHECKING:
    from command_line import Shell

PROPOSE = ("--set", "rules.contradictions=propose")


def proposed(shell: Shell) -> str:
    """Anna moved, says a page; the id of the proposal."""
    shell.ok("remember", "Anna lives in Oslo.", "--claim", "anna.city=Oslo", "--id", "notes/oslo")
    done = shell.run(
        *PROPOSE, "remember", "Anna lives in Bergen.", "--claim", "anna.city=Bergen", "--id", "notes/bergen"
    )
    assert "a proposal to replace the other is waiting: mnemic proposals show" in " ".join(done.stderr.split())
    (row,) = shell.json("proposals")["proposals"]
    return str(row["id"])


def test_without_any_it_says_so(project: Shell) -> None:
    done = project.run("proposals")

    assert (done.exit_code, done.stdout) == (1, "Nothing is proposed.\n")
    assert project.json("proposals", status=1) == {"proposals": [], "damaged": []}


def test_it_is_listed_shown_applied_and_undone(project: Shell) -> None:
    name = proposed(project)

    lines = project.ok("proposals", "list").splitlines()
    assert lines[0] == "notes/bergen takes the place of notes/oslo"
    assert lines[1].startswith("    supersede · waiting · by ")
    assert lines[2] == f"    {name}"
    shown = project.ok("proposals", "show", name)
    assert "notes/bergen claims anna.city = Bergen. notes/oslo claims anna.city = Oslo." in shown
    assert "-state: quarantined\n" in shown
    assert "+state: superseded\n" in shown
    assert "\x1b" not in shown
    assert project.ok("proposals", "approve", name) == (
        f"Applied: {name}\n  notes/bergen (active)\n  notes/oslo (superseded)\n"
    )
    assert "notes/bergen" in project.ok("recall", "where does Anna live")
    again = project.run("proposals", "approve", name)
    assert (again.exit_code, "applied already" in again.stderr) == (3, True)
    assert project.ok("proposals", "undo", name).startswith(f"Taken back: {name}\n")
    assert "notes/oslo" in project.ok("recall", "where does Anna live")
    assert project.ok("proposals", "--all").splitlines()[2] == f"    {name}"


def test_of_several_each_is_decided_by_itself(project: Shell) -> None:
    name = proposed(project)

    done = project.run("proposals", "reject", "unknown", name, "--why", "She only visits.")

    assert (done.exit_code, done.stdout) == (1, f"Rejected: {name}\n")
    assert "There is no proposal 'unknown'" in " ".join(done.stderr.split())
    assert "Rejected because: She only visits." in project.ok("proposals", "show", name)


def test_of_processes_that_approve_at_once_one_does_it(project: Shell) -> None:
    name = proposed(project)

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: project.process("proposals", "approve", name), range(4)))

    assert sorted(each.returncode for each in done) == [0, 3, 3, 3]
    assert all(b"applied already" in each.stderr for each in done if each.returncode)


def test_what_moved_on_is_told_before_and_at_the_approval(project: Shell) -> None:
    name = proposed(project)
    project.ok("edit", "notes/oslo", "--add-tag", "city")

    assert "! It cannot be applied any more: notes/oslo changed since" in project.ok("proposals", "show", name)
    done = project.run("proposals", "approve", name)
    assert done.exit_code == 3
    assert f"mnemic proposals reject {name}" in " ".join(done.stderr.split())


def test_a_damaged_file_is_told_and_hides_no_other(project: Shell) -> None:
    name = proposed(project)
    (project.memory / "_proposals" / "odd.md").write_bytes(b"\xff\xfe")

    done = project.run("proposals")

    assert (done.exit_code, f"    {name}\n" in done.stdout) == (1, True)
    assert "_proposals/odd.md cannot be used" in " ".join(done.stderr.split())
    assert project.run("proposals", "approve", "odd").exit_code == 3


def test_as_json(project: Shell) -> None:
    name = proposed(project)

    listed = project.json("proposals", "list")
    check(listed["proposals"][0], promised("proposals"))
    shown = project.json("proposals", "show", name)
    check(shown, {**promised("proposals"), **promised("proposals", 1)})
    assert (shown["aim"], shown["status"], shown["unfit"]) == ("supersede", "waiting", [])
    assert [set(step) for step in shown["steps"]] == [{"id", "new", "diff"}] * 2
    done = project.json("proposals", "approve", name)
    assert [set(each) for each in done["decided"]] == [{"id", "status", "memories", "warnings"}]
    assert done["failed"] == []
    (failure,) = project.json("proposals", "approve", name, "other", status=3)["failed"][:1]
    assert (set(failure), failure["code"]) == ({"id", "code", "message", "hint"}, "proposal_decided")
