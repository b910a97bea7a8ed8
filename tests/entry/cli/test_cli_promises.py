"""`mnemic promises`, as a person types it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from command_line import Shell


def _kept(shell: Shell) -> None:
    shell.ok("remember", "Call the roofer.", "--kind", "commitment", "--due", "2020-05-06")
    shell.ok("remember", "Write the notes.", "--kind", "commitment", "--on-event", "release")


def test_promises_are_listed_settled_put_off_and_fired(shell: Shell) -> None:
    _kept(shell)

    assert shell.ok("promises").splitlines() == [
        "Call the roofer",
        "    overdue · was due 6 May 2020",
        "    commitments/call-the-roofer",
        "Write the notes",
        "    waiting for an event · on release",
        "    commitments/write-the-notes",
    ]
    assert shell.ok("promises", "snooze", "commitments/call-the-roofer", "2199-01-01").startswith("Snoozed until")
    assert shell.ok("promises", "fire", "Release") == "Due now: commitments/write-the-notes\n"
    assert shell.ok("promises", "done", "commitments/write-the-notes") == "Kept commitments/write-the-notes\n"
    told = shell.json("promises")["promises"]
    assert [(one["id"], one["when"]) for one in told] == [("commitments/call-the-roofer", "snoozed")]


def test_nothing_promised_and_no_such_event_end_with_one(shell: Shell) -> None:
    for words, told in (
        (("promises",), "Nothing is promised.\n"),
        (("promises", "fire", "x"), "No promise waits for this event.\n"),
    ):
        done = shell.run(*words)

        assert (done.exit_code, done.stdout) == (1, told)
