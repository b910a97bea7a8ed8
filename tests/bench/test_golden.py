"""A user's own questions, from the command line: found, missed, refused, and what is wrong with the file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft
from mnemic.entry.cli.main import cli

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

NOTES = {
    "Bees": "Runa keeps bees behind the lighthouse.",
    "Cello": "The cello is at the luthier until June.",
    "Milk": "Prefers oat milk in coffee.",
}


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    create_bundle(folder)
    app = App.start(folder, embedders=())
    for title, body in NOTES.items():
        app.remember(Draft(title=title, body=body, id=f"notes/{title.lower()}"))
    return folder


def golden(bundle: Path, content: str, *options: str) -> Result:
    file = bundle.parent / "questions.json"
    file.write_text(content, encoding="utf-8")
    settings = ("--set", "embed.engines=", "--set", "weights.caution=-1000")
    return CliRunner().invoke(cli, ["--bundle", str(bundle), *settings, "bench", "golden", str(file), *options])


def figures(bundle: Path, rows: list[dict[str, object]], *options: str) -> dict[str, Any]:
    done = golden(bundle, json.dumps(rows), "--json", *options)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


BEES: dict[str, object] = {"query": "who keeps bees behind the lighthouse", "expect": ["notes/bees"]}
CELLO: dict[str, object] = {"query": "where is the cello, at the luthier?", "expect": ["note:cello"], "lang": "en"}
MILK: dict[str, object] = {"query": "oat milk in coffee", "expect": ["note:Milk", "notes/bees"]}
NOTHING: dict[str, object] = {"query": "xylophone", "expect": []}


def test_ids_and_titles_are_found_and_silence_is_right_where_nothing_is_expected(bundle: Path) -> None:
    report = figures(bundle, [BEES, CELLO, NOTHING], "-k", "2")

    assert (report["recall@2"], report["recall@1"], report["mrr"]) == (100.0, 100.0, 1.0)
    assert report["abstention"] == {"refused": 100.0, "kept": 100.0}
    assert (report["n"], report["n_unanswerable"], report["missed"]) == (2, 1, [])
    assert report["by_language"]["en"]["n"] == 1


def test_half_of_what_is_expected_is_half_a_recall(bundle: Path) -> None:
    report = figures(bundle, [MILK], "-k", "1")

    assert (report["recall@1"], report["any@1"], report["mrr"]) == (50.0, 100.0, 1.0)


def test_what_was_missed_is_shown(bundle: Path) -> None:
    wrong: dict[str, object] = {"query": "oat milk in coffee", "expect": ["notes/bees"]}

    report = figures(bundle, [wrong, {**BEES, "expect": []}], "-k", "1")

    assert report["missed"] == [
        {"query": "oat milk in coffee", "expect": ["notes/bees"], "found": ["notes/milk"]},
        {"query": BEES["query"], "expect": [], "found": ["notes/bees"]},
    ]


def test_an_expectation_that_names_nothing_counts_against_recall_and_is_named(bundle: Path) -> None:
    """A renamed note must not make the figure better by going away."""
    report = figures(bundle, [{"query": "oat milk", "expect": ["note:Milk", "note:Honey", "notes/gone"]}], "-k", "2")

    assert report["recall@2"] == pytest.approx(33.3)
    assert [note.split(" ")[0] for note in report["protocol"]["notes"]] == ["note:Honey", "notes/gone"]


def test_as_many_results_as_there_are_notes_are_never_counted(bundle: Path) -> None:
    """Three notes, and k = 8 by default: all of them would always be found."""
    assert "recall@2" in figures(bundle, [BEES])


@pytest.mark.parametrize(("least", "status"), [("75", 1), ("66.7", 0)])
def test_a_lower_bound_decides_the_exit_status(bundle: Path, least: str, status: int) -> None:
    rows = [BEES, CELLO, {"query": "oat milk", "expect": ["notes/gone"]}]

    assert golden(bundle, json.dumps(rows), "--min", least, "-k", "2").exit_code == status


def test_a_lower_bound_without_anything_expected_is_not_reached(bundle: Path) -> None:
    assert golden(bundle, json.dumps([NOTHING]), "--min", "1").exit_code == 1


def test_a_question_a_line_is_read_too(bundle: Path) -> None:
    lines = "\n".join(json.dumps(row) for row in (BEES, {**CELLO, "now": "2026-05-03"})) + "\n\n"

    done = golden(bundle, lines, "--json")

    assert json.loads(done.stdout)["n"] == 2


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "asks nothing"),
        ("[]", "asks nothing"),
        ("[1]", "question 1 has no query"),
        ('{"query": "a", "expect": []}\n{"query": "b"}', "questions.json:2: question 2 has no list of ids in expect"),
        ('{"query": "a", "expect": []}\n{', "questions.json:2: it is not JSON"),
        ('[\n{"query": "a", "expect": [""]}]', "no list of ids"),
        ('{"query": "a", "expect": [], "now": "soon"}', "question 1: 'soon' is no date"),
    ],
)
def test_a_file_that_is_not_understood_is_refused_with_its_line(bundle: Path, content: str, why: str) -> None:
    done = golden(bundle, content)

    assert done.exit_code == 2
    assert why in done.stderr


def test_a_report_for_people_fits_a_terminal(bundle: Path) -> None:
    done = golden(bundle, json.dumps([BEES, CELLO, NOTHING]), "-k", "2")

    assert done.exit_code == 0
    assert "recall@2" in done.output
    assert "sha256" in done.output
