"""LoCoMo's figures from a talk that we wrote: what counts, what does not, and what is said about it."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from mnemic.bench import locomo
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.bench.bundles import Workshop


@pytest.fixture
def report(talks: Path, workshop: Workshop) -> dict[str, Any]:
    return locomo.measure(talks, workshop, elsewhere=3).as_json()


def test_evidence_that_is_named_in_the_question_is_found(report: dict[str, Any]) -> None:
    """Each question shares rare words with its evidence, so that anything below 100 at turn 5 is a broken bench."""
    assert report["n"] == 6
    assert report["turn"]["recall@5"] == 100.0
    assert report["by_category"]["1"]["turn"]["all@5"] == 100.0
    assert report["session"]["recall@1"] > 50.0


def test_categories_are_told_apart_and_the_adversarial_one_is_in_no_total(report: dict[str, Any]) -> None:
    assert {name: row["n"] for name, row in report["by_category"].items()} == {"1": 1, "2": 1, "3": 1, "4": 3}
    assert report["category_5"]["n"] == 1


def test_the_official_count_stands_beside_the_repaired_one(report: dict[str, Any]) -> None:
    """Of 8 questions it finds 5 whole, the glued names never, `D` never, and no evidence counts as found."""
    assert report["official"] == {"turn": dict.fromkeys(("recall@5", "recall@10", "recall@20"), 75.0), "n": 8}
    assert any("D2:6; D2:08 → D2:8" in note for note in report["protocol"]["notes"])


def test_questions_that_are_not_asked_are_counted_with_their_reason(report: dict[str, Any]) -> None:
    left_out = {item["why"]: item["count"] for item in report["protocol"]["left_out"]}

    assert left_out["category 3: its evidence names no turn"] == 1
    assert left_out["category 3: it names no evidence"] == 1


def test_a_k_as_large_as_the_conversation_gives_no_figure(report: dict[str, Any]) -> None:
    """There are two sessions in each talk: five of two would always be all."""
    assert report["session"]["recall@5"] is None
    assert {"why": "at k = 5: the conversation has no more than 5 sessions", "count": 6} in report["protocol"][
        "left_out"
    ]


def test_answers_are_kept_and_refused_where_they_should_be(
    talks: Path, workshop: Workshop, silent_workshop: Workshop
) -> None:
    """Two extremes: one never refuses, not even in the wrong conversation; one never answers, not even in the right."""
    ready = locomo.measure(talks, workshop, elsewhere=3).figures
    silent = locomo.measure(talks, silent_workshop, elsewhere=3).figures

    assert ready["abstention"] == {"refused": 0.0, "kept": 100.0, "n": 6}
    assert silent["abstention"] == {"refused": 100.0, "kept": 0.0, "n": 6}
    assert silent["turn"]["recall@20"] == 0.0  # type: ignore[index]


def test_a_single_conversation_has_no_wrong_one(talks: Path, workshop: Workshop) -> None:
    talks.write_text(json.dumps(json.loads(talks.read_text())[:1]))

    assert "abstention" not in locomo.measure(talks, workshop, elsewhere=3).figures


def test_the_protocol_names_everything_that_a_figure_depends_on(report: dict[str, Any], talks: Path) -> None:
    protocol = report["protocol"]

    assert protocol["data"] == ({"name": "talks.json", "sha256": sha256(talks.read_bytes()).hexdigest()},)
    assert protocol["spaces"] == ("fake/1/ngrams/64",)
    assert protocol["settings"] == {"bundle.zone": "UTC", "weights.caution": -1000.0}
    assert protocol["k"] == {"turn": (5, 10, 20), "session": (1, 5, 10)}
    assert protocol["seed"] == 3
    assert protocol["machine"]["cpus"] >= 1
    json.dumps(report)


def test_two_runs_give_the_same_figures(talks: Path, workshop: Workshop, report: dict[str, Any]) -> None:
    again = locomo.measure(talks, workshop, elsewhere=3).as_json()

    assert again == report


def test_what_only_annotators_wrote_is_never_found(talks: Path, plain_workshop: Workshop, tmp_path: Path) -> None:
    """`query` says `zeppelin`, nobody else does: a question for it has its turn as evidence and must not find it."""
    samples = json.loads(talks.read_text())
    samples[0]["qa"] = [{"question": "zeppelin", "category": 4, "evidence": ["D2:4"]}]
    talks.write_text(json.dumps(samples[:1]))
    details = tmp_path / "details.jsonl"

    locomo.measure(talks, plain_workshop, details=details)

    row = json.loads(details.read_text())
    assert row["query"] == "zeppelin"
    assert row["evidence"] == ["session:ferry-s02#4"]
    assert row["turns"] == []


def test_details_hold_a_line_a_question(talks: Path, workshop: Workshop, tmp_path: Path) -> None:
    locomo.measure(talks, workshop, details=tmp_path / "details.jsonl")

    rows = [json.loads(line) for line in (tmp_path / "details.jsonl").read_text().splitlines()]
    assert [(row["conversation"], row["number"], row["category"]) for row in rows[-2:]] == [
        ("ferry", 7, 5),
        ("kiln", 0, 4),
    ]
    assert rows[0]["turns"][0] == rows[0]["evidence"][0] == "session:ferry-s01#1"


def test_a_file_that_asks_nothing_is_refused(talks: Path, workshop: Workshop) -> None:
    samples = json.loads(talks.read_text())
    talks.write_text(json.dumps([{**sample, "qa": []} for sample in samples]))

    with pytest.raises(ImportSourceError, match="asks no question"):
        locomo.measure(talks, workshop)
