"""`--json` prints what docs/reference/json.md promises: exactly these names, in these types."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from command_line import Shell

CONTRACT = Path(__file__).parents[3] / "docs" / "reference" / "json.md"
TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (dict,),
    "list": (list,),
    "list of strings": (list,),
    "list of objects": (list,),
}


def promised(section: str, table: int = 0) -> dict[str, tuple[type, ...]]:
    """Name to types of a table in a section of the contract."""
    text = CONTRACT.read_text(encoding="utf-8").split(f"\n## {section}\n")[1].split("\n## ")[0]
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    found: dict[str, tuple[type, ...]] = {}
    for row in tables[table].splitlines()[2:]:
        names, kind, *_ = (cell.strip() for cell in row.strip("|").split("|"))
        kinds = tuple(known for word in kind.split(" or ") for known in TYPES.get(word, (type(None),)))
        found |= dict.fromkeys(re.findall(r"`([a-z_]+)`", names), kinds)
    return found


def check(value: dict[str, Any], names: dict[str, tuple[type, ...]]) -> None:
    """Every promised name and no other, each of its type; null only where the contract says so."""
    assert set(value) == set(names)
    for name, kinds in names.items():
        assert type(value[name]) in kinds, name


def test_init(shell: Shell) -> None:
    check(shell.json("init", "notes", "--name", "mine"), promised("init"))


def test_remember_and_edit(project: Shell) -> None:
    names = promised("remember, edit")

    made = project.json("remember", "Zebras sleep standing.", "--claim", "zebra.sleep=standing")
    check(made, names)
    assert (made["state"], made["created"], made["warnings"], len(made["revision"])) == ("active", True, [], 64)
    other = project.json("remember", "Zebras sleep lying down.", "--claim", "zebra.sleep=lying")
    assert (other["state"], [set(warning) for warning in other["warnings"]]) == ("quarantined", [{"code", "message"}])
    check(project.json("edit", made["id"], "--add-tag", "zebra"), names)
    again = project.json("remember", "Zebras sleep standing.")
    assert (again["created"], again["id"]) == (False, made["id"])


def test_recall(project: Shell) -> None:
    answer = project.json("recall", "what tea does Anna prefer?")

    check(answer, promised("recall"))
    hit = answer["results"][0]
    check(hit, promised("recall", 1))
    assert (hit["id"], hit["source"]) == ("notes/tea", {"path": "notes/tea.md", "line": hit["source"]["line"]})
    assert set(hit["provenance"]) == {"origin", "authority", "verified"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", hit["when"])
    assert hit["score"] == pytest.approx(sum(hit["channels"].values()), abs=1e-4)


def test_recall_with_nothing_to_say(project: Shell) -> None:
    answer = project.json("recall", "quantum chromodynamics", status=1)

    check(answer, promised("recall"))
    assert (answer["results"], answer["abstained"], answer["query"]) == ([], True, "quantum chromodynamics")


@pytest.mark.parametrize("profile", ["fields", "resonance"])
def test_recall_by_another_profile_has_the_same_names(project: Shell, profile: str) -> None:
    for hit in project.json("recall", "tea", "--profile", profile)["results"]:
        check(hit, promised("recall", 1))


def test_history_and_diff(project: Shell) -> None:
    project.ok("edit", "notes/tea", "--text", "Anna prefers black tea.")
    project.ok("remember", "Anna drinks coffee now.", "--id", "notes/coffee", "--supersedes", "notes/tea")
    (project.memory / "notes" / "bees.md").unlink()

    story = project.json("history", "notes/tea")
    check(story, promised("history"))
    for version in (*story["versions"], *project.json("history", "notes/bees")["versions"]):
        check(version, promised("history", 1))
        assert all(set(change) == {"field", "before", "after"} for change in version["changes"])
    assert [set(link) for link in story["superseded_by"]] == [{"id", "title", "state", "recorded_at"}]
    told = project.json("diff", "--from", "2020-01-01")
    check(told, promised("diff"))
    for difference in told["differences"]:
        check(difference, promised("diff", 1))
    assert project.json("diff", "--from", "2090-01-01", "--to", "2090-01-02", status=1)["differences"] == []


def test_conversations(project: Shell) -> None:
    turn = {"session": "kitchen", "turn": 1, "at": "2026-05-03T08:14:00Z", "role": "user", "text": "Zebras sleep."}
    (project.folder / "talk.jsonl").write_text(f"{json.dumps(turn)}\nnonsense\n", encoding="utf-8")

    done = project.json("import", "chat", "talk.jsonl", status=1)
    check(done, promised("import"))
    assert set(done["refused"][0]) == {"path", "line", "code", "why"}
    check(project.json("import", "chat", "talk.jsonl", "--dry-run", status=1), promised("import"))
    rows = project.json("session", "list")
    assert [set(row) for row in rows["sessions"]] == [
        {"id", "title", "conversation", "source", "turns", "first", "last"}
    ]
    for words in (("session", "show", "kitchen"), ("show", "session:kitchen#1")):
        session = project.json(*words)
        assert set(session) == {"session", "title", "conversation", "source", "turns"}
        assert set(session["turns"][0]) == {"id", "number", "at", "speaker", "role", "text", "attachments"}
    gone = project.json("forget", "session:kitchen", "--confirm", "session:kitchen")
    check(gone, promised("forget"))
    check(gone["receipt"], promised("forget", 1))
    assert (gone["forgotten"], gone["turns"], gone["left"], gone["notes"]) == (["session:kitchen"], 1, [], [])


def test_show_leaves_out_what_is_empty(project: Shell) -> None:
    fields = project.json("show", "notes/tea")

    assert {
        "uid",
        "id",
        "kind",
        "title",
        "body",
        "recorded_at",
        "changed_at",
        "tags",
        "path",
        "line",
        "revision",
    } <= set(fields)
    assert not [name for name, value in fields.items() if value in ("", None, [], {})]
    assert fields["provenance"]["origin"] == "user_explicit"


def test_index_check_status_and_doctor(project: Shell) -> None:
    (project.memory / "notes/odd.md").write_text("---\ntitle: [\n---\nWords.\n", encoding="utf-8")

    check(project.json("index"), promised("index"))
    found = project.json("check", status=1)
    check(found, promised("check"))
    assert set(found["problems"][0]) == {"path", "line", "code", "message", "repairable"}
    mended = project.run("check", "--repair", "--json")
    check(json.loads(mended.stdout), promised("check"))
    check(project.json("status"), promised("status"))
    findings = project.json("doctor")["findings"]
    assert {frozenset(one) for one in findings} == {frozenset({"check", "level", "message", "hint"})}
    assert {one["level"] for one in findings} <= {"ok", "note", "problem"}


def test_status_of_several_bundles(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.folder.parent)
    project.ok("status")  # makes the person's own
    monkeypatch.chdir(project.folder)

    found = project.json("status")

    check(found, promised("status"))
    names = promised("status")
    del names["others"]
    assert [found["bundle"], *(one["bundle"] for one in found["others"])] == ["project", "own"]
    for one in found["others"]:
        check(one, names)


def test_config_show(project: Shell) -> None:
    found = project.json("config", "show")

    assert {frozenset(one) for one in found.values()} == {frozenset({"value", "origin"})}
    assert found["recall.k"] == {"value": 8, "origin": "default"}
    assert found["embed.engines"] == {"value": [], "origin": "MNEMIC_EMBED_ENGINES"}


def test_an_error_leaves_standard_output_empty(project: Shell) -> None:
    done = project.run("show", "notes/nothing", "--json")

    assert (done.exit_code, done.stdout) == (1, "")
    assert "no memory" in done.stderr
