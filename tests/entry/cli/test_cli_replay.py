"""`mnemic replay`, as a person types it, and the JSON it promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_cli_json import check, promised

from mnemic.entry.cli.columns import columns

if TYPE_CHECKING:
    from command_line import Shell


@pytest.fixture
def claimed(shell: Shell) -> Shell:
    """A bundle in which two sources agree about Anna and two do not about a car."""
    shell.ok("init")
    for name, text, claim in (
        ("ferry", "On the ferry Anna spoke of her flat in Oslo.", "anna.city=Oslo"),
        ("register", "The register has Anna at an Oslo address.", "Anna/City=oslo"),
        ("red", "The car was washed and is red.", "car.colour=red"),
        ("blue", "Bert painted the car blue.", "car.colour=blue"),
    ):
        shell.ok("remember", text, "--id", f"notes/{name}", "--claim", claim, "--locator", f"https://{name}.example/1")
    return shell


def test_a_dry_run_says_what_is_supported_and_would_be_proposed(claimed: Shell) -> None:
    assert claimed.ok("replay", "--dry-run").splitlines() == [
        "anna.city = oslo",
        "    2 memories, 2 sources, confidence 0.35; enough for a belief",
        "car.colour = red",
        "    1 memory, 1 source, confidence 0.35; not enough: others claim blue; 2",
        "    memories are needed; 2 independent sources are needed",
        "",
        "Believe that anna.city = oslo",
        f"    {claimed.json('replay', '--dry-run')['proposals'][0]['id']}",
        "4 memories looked at, 1 change would be proposed; nothing was written.",
    ]
    assert claimed.run("proposals").exit_code == 1


def test_what_is_proposed_is_told_once_and_waits_for_a_person(claimed: Shell) -> None:
    first = claimed.ok("replay").splitlines()
    again = claimed.ok("replay").splitlines()

    assert first[-1] == "4 memories looked at, 1 change proposed. Look at them: mnemic proposals"
    assert again[-2:] == [
        "4 memories looked at, 0 changes proposed, 1 waiting from before. Look at them:",
        "mnemic proposals",
    ]
    assert claimed.json("proposals")["proposals"][0]["made_by"] == "replay"


def test_what_was_refused_is_enough_for_a_belief_and_it_is_said_why_it_is_not_proposed(claimed: Shell) -> None:
    claimed.ok("replay")
    claimed.ok("proposals", "reject", claimed.json("proposals")["proposals"][0]["id"])

    said = claimed.ok("replay")

    assert "enough for a belief" in said
    assert " ".join(said.split()).endswith(
        "0 changes proposed. What is believed already, or was refused, is not proposed again."
    )


def test_with_json_it_prints_what_is_promised(claimed: Shell) -> None:
    done = claimed.json("replay")

    check(done, promised("replay"))
    assert (done["dry_run"], done["memories"], done["waiting"], done["passed_over"], done["notes"]) == (
        False,
        4,
        0,
        0,
        [],
    )
    (proposal,) = done["proposals"]
    assert set(proposal) == {"id", "aim", "title", "why", "memories"}
    assert (proposal["aim"], proposal["memories"]) == ("promote", ["beliefs/anna-city-oslo"])
    for claim in done["claims"]:
        check(claim, promised("replay", 1))
    assert [claim["eligible_for_promotion"] for claim in done["claims"]] == [True, False]
    assert claimed.json("replay")["waiting"] == 1


def test_an_empty_bundle_is_looked_over_without_a_word_too_many(shell: Shell) -> None:
    shell.ok("init")

    assert shell.ok("replay") == "0 memories looked at, 0 changes proposed.\n"


def test_long_and_hostile_claims_keep_within_the_width_and_steer_no_terminal(shell: Shell) -> None:
    shell.ok("init")
    folder = shell.memory / "notes"
    folder.mkdir()
    for number, value in enumerate(("v" * 5000, "\\x1b[31mred", "部" * 400, "ok", "fine")):
        head = f'type: note\ntimestamp: 2026-05-01T00:00:00Z\nclaim:\n  key: "{"k" * 300}"\n  value: "{value}"'
        (folder / f"{number}.md").write_text(f"---\n{head}\n---\n\nText {number}.\n", encoding="utf-8")

    told = shell.ok("replay")

    assert "\x1b" not in told
    assert max(columns(line) for line in told.splitlines()) <= 80
    assert "and 1 more" in told


def test_files_that_cannot_be_used_are_named_as_a_number(claimed: Shell) -> None:
    (claimed.memory / "notes" / "broken.md").write_text("---\ntype: [\n---\n", encoding="utf-8")

    done = claimed.run("replay", "--dry-run")

    assert done.exit_code == 0
    assert "1 file could not be used and was passed over" in " ".join(done.stderr.split())
