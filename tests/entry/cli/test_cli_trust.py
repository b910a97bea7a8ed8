"""Citations, outcomes, trust and whose a preference is, as a person sees and sets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mnemic.entry.cli.columns import columns

if TYPE_CHECKING:
    from command_line import Shell

PLAN = "---\ntype: note\n---\nThe crane comes on Tuesday.\n"


@pytest.fixture
def harbour(shell: Shell) -> Shell:
    shell.ok("init")
    (shell.memory / "notes").mkdir()
    (shell.memory / "notes" / "plan.md").write_text(PLAN, encoding="utf-8")
    shell.ok("remember", "Runa has ordered a machine for the quay.", "--id", "notes/crane",
             "--cites", "memory/notes/plan.md:4")  # fmt: skip
    return shell


def rewritten(shell: Shell, old: str, new: str) -> None:
    path = shell.memory / "notes" / "plan.md"
    path.write_text(path.read_text("utf-8").replace(old, new), encoding="utf-8")


def test_a_citation_is_shown_in_one_line_and_flagged_once_it_is_stale(harbour: Shell) -> None:
    assert "cites: notes/plan.md:4, intact\n" in harbour.ok("show", "notes/crane")
    assert harbour.json("show", "notes/crane")["citation"] == {
        "cited": "notes/plan.md:4",
        "standing": "intact",
        "now": None,
    }
    rewritten(harbour, "The crane", "News.\nThe crane")
    assert "cites: notes/plan.md:4, moved to notes/plan.md:5\n" in harbour.ok("show", "notes/crane")
    assert harbour.json("show", "notes/crane")["citation"]["now"] == "notes/plan.md:5"

    rewritten(harbour, "Tuesday", "Friday")

    assert "STALE" in harbour.ok("show", "notes/crane")
    plain = harbour.ok("recall", "what has Runa ordered?")
    assert "STALE: cites notes/plan.md:4, changed" in plain
    result = harbour.json("recall", "what has Runa ordered?")["results"][0]
    assert result["citation"]["standing"] == "changed"


def test_a_check_reports_it_as_a_problem_of_its_own(harbour: Shell) -> None:
    harbour.ok("check", "--repair")  # the document that was made by hand has no place in the index file yet
    rewritten(harbour, "Tuesday", "Friday")

    done = harbour.json("check", status=1)

    assert [(each["path"], each["code"], each["repairable"]) for each in done["problems"]] == [
        ("notes/crane.md", "stale_citation", False)
    ]
    assert "notes/plan.md:4" in harbour.run("check").output


@pytest.mark.parametrize(
    ("cites", "status"),
    [("nonsense", 2), ("memory/notes/none.md:1", 1), ("../../../etc/hostname:1", 3), ("session:x#1", 1)],
)
def test_what_cannot_be_cited_is_said_and_nothing_kept(harbour: Shell, cites: str, status: int) -> None:
    done = harbour.run("remember", "No.", "--id", "notes/no", "--cites", cites)

    assert done.exit_code == status
    assert "cannot be cited" in done.output or "is not read" in done.output or "no session" in done.output
    assert not (harbour.memory / "notes" / "no.md").exists()


def test_a_failed_plan_is_shown_as_failed(harbour: Shell) -> None:
    harbour.ok("remember", "Mend the wall with concrete.", "--kind", "procedure", "--id", "notes/concrete")
    made = harbour.json("remember", "It fell off.", "--kind", "outcome", "--outcome-of", "notes/concrete",
                        "--result", "failed")  # fmt: skip
    told = f"failed: {made['id']}, "

    assert told in harbour.ok("recall", "how do we mend the wall?")
    assert f"what came of it: {told}" in harbour.ok("show", "notes/concrete")
    assert "outcome of: notes/concrete (failed)" in harbour.ok("show", made["id"])
    results = harbour.json("recall", "how do we mend the wall?")["results"]
    failed = next(each for each in results if each["id"] == "notes/concrete")
    assert (failed["outcome"]["result"], failed["outcome"]["id"]) == ("failed", made["id"])
    assert failed["channels"]["outcome"] < 0
    assert harbour.json("show", "notes/concrete")["outcomes"] == [failed["outcome"]]
    assert {"outcomes", "citation"}.isdisjoint(harbour.json("show", made["id"]))
    assert all(each["outcome"] is None for each in results if each["id"] != "notes/concrete")


def test_a_result_is_one_of_three_and_may_be_corrected(harbour: Shell) -> None:
    made = harbour.json("remember", "It held.", "--kind", "outcome", "--outcome-of", "notes/crane", "--result", "Mixed")

    assert harbour.run("edit", made["id"], "--result", "great").exit_code == 2
    harbour.ok("edit", made["id"], "--result", "succeeded")

    assert harbour.json("show", made["id"])["result"] == "succeeded"
    assert (
        harbour.run("remember", "No.", "--kind", "outcome", "--outcome-of", "notes/crane", "--result", "x").exit_code
        == 2
    )


def test_an_explanation_says_who_said_it_and_how_far_that_is_believed(harbour: Shell) -> None:
    harbour.ok("remember", "Storms come from the west.", "--id", "notes/storm", "--source", "web")

    assert "web, believed 0.3, not verified" in harbour.ok("recall", "where do storms come from?", "--explain")
    assert "trust: believed 0.3, not verified" in harbour.ok("show", "notes/storm")
    harbour.ok("edit", "notes/storm", "--verified")
    assert "web, believed 0.3, verified" in harbour.ok("recall", "where do storms come from?", "--explain")
    harbour.ok("edit", "notes/storm", "--not-verified")
    assert harbour.json("recall", "where do storms come from?")["results"][0]["provenance"] == {
        "origin": "web",
        "authority": 0.3,
        "verified": False,
    }


def test_a_person_promotes_what_a_model_said_by_vouching_for_it(harbour: Shell) -> None:
    harbour.ok("remember", "Gulls are clever.", "--id", "notes/gulls", "--source", "model")

    refused = harbour.run("edit", "notes/gulls", "--kind", "belief")
    assert refused.exit_code == 3
    assert "--kind belief --verified" in " ".join(refused.output.split())
    harbour.ok("edit", "notes/gulls", "--kind", "belief", "--verified")

    shown = harbour.json("show", "notes/gulls")
    assert (shown["kind"], shown["provenance"]["origin"], shown["provenance"]["verified"]) == ("belief", "model", True)


def test_a_preference_says_whose_it_is(harbour: Shell) -> None:
    written = harbour.ok("remember", "Tea.", "--kind", "preference", "--id", "notes/ours")
    harbour.ok("remember", "Juice.", "--kind", "preference", "--id", "notes/mia", "--user", "mia", "--project", "quay")

    assert f"  holds for project {harbour.folder.name}\n" in written
    assert f"holds for: project {harbour.folder.name}\n" in harbour.ok("show", "notes/ours")
    assert "holds for: user mia, project quay\n" in harbour.ok("show", "notes/mia")


def test_an_edit_can_do_what_the_warning_advises(harbour: Shell) -> None:
    harbour.ok("remember", "In Oslo.", "--id", "notes/oslo", "--claim", "city=Oslo")
    held = harbour.run("remember", "In Rome.", "--id", "notes/rome", "--claim", "city=Rome")
    assert "--supersedes notes/oslo" in " ".join(held.output.split())

    harbour.ok("edit", "notes/rome", "--supersedes", "notes/oslo", "--state", "active")

    assert harbour.json("show", "notes/oslo")["superseded_by"] == ["notes/rome"]
    assert harbour.json("show", "notes/oslo")["state"] == "superseded"


def test_long_names_stay_within_eighty_columns(harbour: Shell) -> None:
    name = f"outcomes/{'a-very-long-name-' * 6}end"
    harbour.ok("remember", "It fell into the sea.", "--kind", "outcome", "--outcome-of", "notes/crane", "--id", name,
               "--result", "failed")  # fmt: skip

    lines = harbour.ok("recall", "what has Runa ordered?").splitlines()

    told = [line for line in lines if "failed" in line or "a-very-long" in line]
    assert told
    told += harbour.ok("show", "notes/crane").splitlines()
    assert max(map(columns, told)) <= 80 or all(" " not in line.strip() for line in told if columns(line) > 80)
