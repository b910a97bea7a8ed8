"""The past on the command line: `history`, `diff`, and `--as-of` where something is found or read."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from mnemic.entry.cli.columns import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from command_line import Shell

WIDTH = 80
TEA = "what tea does Anna prefer?"


def now() -> str:
    """This moment, that nothing else happens in."""
    time.sleep(0.002)  # the clock of the program is the machine's
    moment = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    time.sleep(0.002)
    return moment


@pytest.fixture
def changed(project: Shell) -> tuple[Shell, str, str]:
    """Before, and after the tea was another one; then the note of the bees was replaced."""
    before = now()
    project.ok("edit", "notes/tea", "--text", "Anna prefers black tea, with\nmilk.")
    between = now()
    project.ok("remember", "Runa sold her bees.", "--id", "notes/sold", "--supersedes", "notes/bees")
    return project, before, between


def narrow(text: str) -> bool:
    return max(map(columns, text.splitlines())) <= WIDTH


def test_what_was_known_then_is_found_and_read(changed: tuple[Shell, str, str]) -> None:
    shell, before, between = changed

    assert "green tea" in shell.ok("recall", TEA, "--as-of", before)
    assert "black tea" in shell.ok("recall", TEA, "--as-of", between)
    assert "Anna prefers green tea." in shell.ok("show", "notes/tea", "--as-of", before)
    assert "with\nmilk." in shell.ok("show", "notes/tea", "--as-of", between)
    assert shell.json("show", "notes/bees", "--as-of", between)["state"] == "active"
    assert shell.json("show", "notes/bees")["state"] == "superseded"
    assert shell.run("show", "notes/sold", "--as-of", between).exit_code == 1


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("0000-01-01", 2),
        ("0001-01-01", 1),
        ("0001-01-01T00:00:00Z", 1),
        ("0001-01-01T00:00:00+02:00", 2),
        ("9999-12-31", 0),
        ("9999-12-31T23:59:59-05:00", 2),
        ("10000-01-01", 2),
        ("yesterday", 2),
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "America/Los_Angeles"])
def test_dates_at_the_ends_of_the_calendar_are_understood_or_refused(
    changed: tuple[Shell, str, str], monkeypatch: pytest.MonkeyPatch, given: str, status: int, zone: str
) -> None:
    """Midnight in Kiritimati on the first day of year 1 is no moment of the calendar in UTC; a clear error."""
    shell, _, _ = changed
    monkeypatch.setenv("MNEMIC_BUNDLE_ZONE", zone)
    outside = (given, zone) in {("0001-01-01", "Pacific/Kiritimati"), ("9999-12-31", "America/Los_Angeles")}
    bare = zone != "UTC" and outside

    for words in (("recall", TEA, "--as-of", given), ("show", "notes/tea", "--as-of", given)):
        done = shell.run(*words)
        assert done.exit_code in ({status, 2} if bare else {status}), done.output
        if done.exit_code == 2:
            assert f"'{given}' is no date or time" in done.stderr
    done = shell.run("diff", "--from", "0001-01-01T00:00:00Z", "--to", given)
    assert done.exit_code in {0, 1, 2}, done.output


def test_a_memory_of_the_year_one_is_shown_in_any_zone(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_BUNDLE_ZONE", "America/Los_Angeles")
    times = "created: 0001-01-01T00:00:00Z\ntimestamp: 0001-01-01T00:00:00Z\nvalid_until: 9999-12-31T23:00:00Z\n"
    text = f"---\ntype: note\ntitle: Old\n{times}---\n\nOlder.\n"
    (project.memory / "notes" / "old.md").write_text(text, encoding="utf-8")

    assert "told 1 Jan 1" in project.ok("show", "notes/old")
    assert "1 Jan 1" in project.ok("history", "notes/old")
    assert "1 Jan 1" in project.ok("recall", "what is older?")


def test_history_tells_every_version_and_the_chain_within_the_width_of_a_terminal(
    changed: tuple[Shell, str, str],
) -> None:
    shell, _, _ = changed
    shell.ok("edit", "notes/tea", "--add-tag", "tea", "--title", "What Anna drinks " * 6)

    tea, bees = shell.ok("history", "notes/tea"), shell.ok("history", "notes/bees")

    assert narrow(tea)
    assert narrow(bees)
    assert "by user_explicit · person" in tea
    assert "    - Anna prefers green tea.\n    + Anna prefers black tea, with\n    + milk.\n" in tea
    assert "tags: anna → anna, tea" in tea
    assert "state: active → superseded" in bees
    assert "superseded by:\n  notes/sold · Runa sold her bees" in bees
    assert "supersedes:\n  notes/bees" in shell.ok("history", "notes/sold")


def test_a_version_is_printed_whole_also_of_a_memory_that_is_gone(changed: tuple[Shell, str, str]) -> None:
    shell, _, _ = changed
    (shell.memory / "notes" / "tea.md").unlink()

    assert "Anna prefers green tea." in shell.ok("history", "notes/tea", "--version", "1")
    assert shell.json("history", "notes/tea", "--version", "2")["body"].strip() == "Anna prefers black tea, with\nmilk."
    assert "its document was taken away" in shell.ok("history", "notes/tea")
    gone = shell.run("history", "notes/tea", "--version", "3")
    assert gone.exit_code == 1
    assert "no version 3" in gone.stderr
    assert shell.run("history", "notes/nobody").exit_code == 1


def test_diff_tells_what_changed_and_its_status_says_whether_anything_did(changed: tuple[Shell, str, str]) -> None:
    shell, before, between = changed

    told = shell.ok("diff", "--from", before)

    assert narrow(told)
    assert "changed  notes/tea\n" in told
    assert "    + Anna prefers black tea, with\n" in told
    assert "superseded by notes/sold  notes/bees\n" in told
    assert "new  notes/sold\n" in told
    assert shell.ok("diff", "--from", before, "--to", between).splitlines()[0] == "changed  notes/tea"
    assert "notes/tea" in shell.ok("diff", "--from", before, "notes/tea")
    nothing = shell.run("diff", "--from", now())
    assert (nothing.exit_code, nothing.stdout) == (1, "Nothing changed between the two.\n")
    assert shell.run("diff", "--from", between, "--to", before).exit_code == 2
    assert shell.run("diff").exit_code == 2


def test_a_version_that_is_not_there_is_told_by_the_name_of_its_memory(project: Shell) -> None:
    done = project.run("history", "notes/tea", "--version", "9")

    assert done.exit_code == 1
    assert done.stderr.startswith("Error: The vault holds no version 9 of 'notes/tea'.\n")


def test_what_came_and_went_between_the_two_is_not_told_as_if_it_held(project: Shell) -> None:
    before = now()
    project.ok("remember", "Anna lives in Oslo.", "--id", "notes/oslo")
    project.ok("remember", "Anna lives in Bergen.", "--id", "notes/bergen", "--supersedes", "notes/oslo")

    told = project.ok("diff", "--from", before)

    assert "new, superseded by notes/bergen  notes/oslo\n" in told
    assert "new  notes/bergen\n" in told


def test_text_of_a_memory_does_not_steer_the_terminal(project: Shell) -> None:
    path = project.memory / "notes" / "tea.md"
    path.write_text(path.read_text(encoding="utf-8").replace("green", "\x1b[31m\u202egreen"), encoding="utf-8")

    told: Sequence[str] = (
        project.ok("history", "notes/tea"),
        project.ok("diff", "--from", "2020-01-01"),
        project.ok("history", "notes/tea", "--version", "2"),
    )

    assert not any(sign in text for sign in ("\x1b", "\u202e") for text in told)


def test_what_is_over_is_marked_where_it_is_asked_for(project: Shell) -> None:
    project.ok("remember", "The gate code is heron.", "--valid-until", "2024-05-01", "--id", "notes/gate")

    assert project.run("recall", "what is the gate code?").exit_code == 1
    assert "PAST, until 1 May 2024" in project.ok("recall", "what is the gate code?", "--at", "2024-04-01")


def test_what_was_known_on_a_day_includes_the_day(project: Shell) -> None:
    project.ok("remember", "The code of the gate is on the board.", "--id", "notes/gate")
    today = datetime.now(UTC).date()
    yesterday = today - timedelta(days=1)

    assert "notes/gate" in project.ok("recall", "code of the gate", "--as-of", str(today))
    assert "notes/gate" in project.ok("diff", "--from", str(yesterday), "--to", str(today))
    assert project.run("show", "notes/gate", "--as-of", str(yesterday)).exit_code == 1


def test_what_is_past_is_told_by_the_day_of_knowing(project: Shell) -> None:
    end = datetime.now(UTC).date() + timedelta(days=30)
    project.ok("remember", "Bo lends his bike.", "--id", "notes/bike", "--valid-until", f"{end}T00:00:00Z")
    later = f"{end + timedelta(days=30)}T00:00:00Z"

    told = project.ok("recall", "who lends a bike", "--at", str(end - timedelta(days=9)), "--as-of", later)
    assert "PAST, until" in told
    told = project.ok("recall", "who lends a bike")
    assert "until" in told
    assert "PAST" not in told
