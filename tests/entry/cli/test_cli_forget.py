"""`mnemic forget` and `mnemic edit`: what is said about what is gone, and what is not emptied."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

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


def test_without_confirmation_what_would_go_is_shown_and_nothing_goes(project: Shell) -> None:
    project.ok(*NEWS)

    done = project.run("forget", "notes/tea")

    assert done.exit_code == 3
    assert done.stdout == ""
    assert done.stderr.startswith("1 memory would go for good:\n  notes/tea  ")
    assert "Made from it, and stays (to remove it too: --derived):\n  notes/cocoa" in done.stderr
    assert "Nothing was removed" in done.stderr
    assert project.json("show", "notes/tea")["body"] == "Anna prefers green tea."
    assert max(map(len, done.stderr.partition("Error:")[0].splitlines())) <= 80


def test_a_receipt_says_what_went_and_what_is_beyond_reach_and_is_written_once(project: Shell, tmp_path: Path) -> None:
    file = tmp_path / "receipt.json"

    said = project.ok("forget", "notes/tea", "--confirm", "notes/tea", "--receipt", str(file))

    assert "Found: nothing of it." in said
    assert "Beyond reach:" in said
    receipt = json.loads(file.read_text(encoding="utf-8"))
    assert receipt["clean"] is True
    assert "tea" not in json.dumps({**receipt, "beyond": []})
    again = project.run("forget", "notes/other", "--confirm", "notes/other", "--receipt", str(file))
    assert (again.exit_code, "nothing was removed" in again.stderr) == (3, True)


def test_by_subject_everything_is_listed_first_and_goes_with_the_subject_repeated(project: Shell) -> None:
    project.ok("remember", "The boat is called Zora.", "--id", "notes/boat")
    project.ok("remember", "Dinghies need paint.", "--id", "notes/paint", "--tag", "zora")

    shown = project.run("forget", "--subject", "ZORA")

    assert shown.exit_code == 3
    assert "2 memories would go for good:" in shown.stderr
    assert "mnemic forget --subject ZORA --confirm ZORA" in shown.stderr
    gone = project.json("forget", "--subject", "ZORA", "--confirm", "zora")
    assert sorted(gone["forgotten"]) == ["notes/boat", "notes/paint"]
    nothing = project.run("forget", "--subject", "Zora")
    assert (nothing.exit_code, nothing.stderr) == (1, "Nothing names it as a whole word.\n")


def test_the_turns_that_would_go_are_listed_too(project: Shell, tmp_path: Path) -> None:
    said = ("Zora is the boat.", "Is she?", "Zora, yes: moored at the pier.")
    head = {"session": "pier", "speaker": "Nina", "role": "user", "at": "2026-05-03T10:00:00Z"}
    lines = ({**head, "turn": n, "text": text} for n, text in enumerate(said, start=1))
    (tmp_path / "talk.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    project.ok("import", "chat", str(tmp_path / "talk.jsonl"), "--no-embed")
    project.ok("remember", "Moored at the pier, is she?", "--id", "notes/pier", "--cites", "session:pier#2")

    def told(*words: str) -> tuple[str, list[str]]:
        would = json.loads(project.run("forget", *words, "--json").stdout)["would_forget"]
        return project.run("forget", *words).stderr.partition("Error:")[0], would["said"]

    named, quoted, whole = told("--subject", "Zora"), told("notes/pier", "--with-session-quotes"), told("session:pier")

    assert named[0].startswith("2 turns of sessions would go for good:\n  session:pier#1\n  session:pier#3\n")
    assert named[1] == ["session:pier#1", "session:pier#3"]
    assert "1 turn of sessions would go for good:\n  session:pier#2\n" in quoted[0]
    assert quoted[1] == []
    assert whole[0].startswith("3 turns of sessions would go for good:\n  session:pier\n")
    assert whole[1] == ["session:pier"]


def test_one_thing_must_be_named(project: Shell) -> None:
    for words in ((), ("notes/tea", "--subject", "tea"), ("--subject", "tea", "--past")):
        assert project.run("forget", *words).exit_code == 2


def test_a_program_sees_what_would_go_too(project: Shell) -> None:
    done = project.run("forget", "notes/tea", "--json")

    assert done.exit_code == 3
    would = json.loads(done.stdout)["would_forget"]
    assert [one["id"] for one in would["memories"]] == ["notes/tea"]
    lists = {"memories", "deleted", "earlier", "said", "derived", "quotes", "elsewhere", "notes"}
    assert set(would) == {*lists, "turns", "versions", "proposals"}


def test_what_it_said_earlier_goes_alone(project: Shell) -> None:
    project.ok("edit", "notes/tea", "--text", "Anna prefers cocoa.")

    said = project.ok("forget", "notes/tea", "--confirm", "notes/tea", "--past")

    assert said.startswith("Forgot what notes/tea said earlier; the memory stays.")
    assert project.json("show", "notes/tea")["body"] == "Anna prefers cocoa."


def test_the_command_that_confirms_has_the_same_options(project: Shell, tmp_path: Path) -> None:
    project.ok("edit", "notes/tea", "--text", "Anna prefers white tea.")
    file = str(tmp_path / "a receipt.json")

    past = project.run("forget", "notes/tea", "--past", "--receipt", file).stderr
    named = project.run("forget", "--subject", "bees", "--derived", "--with-session-quotes").stderr

    assert past.endswith(f"mnemic forget notes/tea --confirm notes/tea --past --receipt '{file}'\n")
    assert named.endswith("mnemic forget --subject bees --confirm bees --derived --with-session-quotes\n")
    project.ok(*shlex.split(past.rpartition(": mnemic ")[2]))
    assert project.json("show", "notes/tea")["body"] == "Anna prefers white tea."
    assert [row["number"] for row in project.json("history", "notes/tea")["versions"]] == [2]
    assert "Anna prefers white tea." in project.ok("history", "notes/tea")


def test_a_subject_that_nothing_names_is_not_recorded_as_forgotten(project: Shell) -> None:
    done = project.run("forget", "--subject", "Zebediah", "--confirm", "Zebediah")

    assert (done.exit_code, done.stdout) == (1, "")
    assert "Nothing names it as a whole word." in done.stderr
    assert "erase" not in [row["deed"] for row in project.json("ledger", "log")["events"]]


def test_by_subject_what_only_kept_versions_say_is_listed_and_goes_too(project: Shell) -> None:
    project.ok("remember", "Dora collects maps.", "--id", "notes/maps")
    project.ok("remember", "Dora sold her globes.", "--id", "notes/globes", "--title", "Globes")
    project.ok("edit", "notes/globes", "--text", "The globes are sold.")
    project.ok("status")
    (project.memory / "notes" / "maps.md").unlink()

    shown = project.run("forget", "--subject", "Dora")
    would = json.loads(project.run("forget", "--subject", "Dora", "--json").stdout)["would_forget"]
    done = project.json("forget", "--subject", "Dora", "--confirm", "Dora")

    assert shown.exit_code == 3
    assert shown.stderr.startswith(
        "What is kept of 1 memory would go, deleted by hand:\n  notes/maps  Dora collects maps\n"
        "What was said earlier would go, and the memory stays:\n  notes/globes  Globes\n"
        "with 3 kept versions, key and all\n"
    )
    assert would["deleted"] == [{"id": "notes/maps", "title": "Dora collects maps"}]
    assert would["earlier"] == [{"id": "notes/globes", "title": "Globes"}]
    assert (done["forgotten"], done["earlier"]) == (["notes/maps"], ["notes/globes"])
    assert (done["receipt"]["removed"]["versions"], done["receipt"]["clean"]) == (3, True)
    assert [row["deed"] for row in project.json("ledger", "log")["events"]].count("erase") == 1
    assert [row["number"] for row in project.json("history", "notes/globes")["versions"]] == [2]
    assert project.run("history", "notes/maps").exit_code == 1
    assert project.run("forget", "--subject", "Dora").stderr == "Nothing names it as a whole word.\n"
    assert project.json("show", "notes/globes")["body"] == "The globes are sold."
