"""Pairs of notes and questions, and paragraphs in several languages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mnemic.bench import pairs, xquad
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.bench.bundles import Workshop
    from mnemic.bench.protocol import Protocol, Report

NOTES = {
    "en": [
        {"note": "Runa keeps bees behind the lighthouse.", "question": "Who keeps bees?"},
        {"note": "The cello is at the luthier until June.", "question": "Where is the cello?"},
        {"note": "Prefers oat milk in coffee.", "question": "Which milk goes into coffee?"},
    ],
    "de": [
        {"note": "Runa hält Bienen hinter dem Leuchtturm.", "question": "Wer hält Bienen?"},
        {"note": "Das Cello ist bis Juni beim Geigenbauer.", "question": "Wo ist das Cello?"},
        {"note": "Nimmt Hafermilch in den Kaffee.", "question": "Welche Milch kommt in den Kaffee?"},
    ],
}


def a_squad(paragraphs: dict[str, dict[str, str]]) -> dict[str, object]:
    rows = [
        {"context": context, "qas": [{"id": name, "question": question} for name, question in questions.items()]}
        for context, questions in paragraphs.items()
    ]
    return {"data": [{"title": "", "paragraphs": rows}]}


SQUAD = {
    "en": a_squad(
        {
            "The lighthouse was built in 1874 from grey granite.": {"a": "When was the lighthouse built?"},
            "Amber washes ashore after winter storms. " * 300: {"b": "When does amber wash ashore?"},
        }
    ),
    "de": a_squad(
        {
            "Der Leuchtturm wurde 1874 aus grauem Granit gebaut.": {"a": "Wann wurde der Leuchtturm gebaut?"},
            "Bernstein wird nach Winterstürmen angespült.": {"b": "Wann wird Bernstein angespült?"},
        }
    ),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps(NOTES), encoding="utf-8")
    return path


def both(report: Report) -> tuple[dict[str, Any], Protocol]:
    return dict(report.figures), report.protocol


def write_squad(folder: Path, contents: dict[str, dict[str, object]]) -> list[Path]:
    paths = [folder / f"xquad-own.{language}.json" for language in contents]
    for path, content in zip(paths, contents.values(), strict=True):
        path.write_text(json.dumps(content), encoding="utf-8")
    return paths


def test_settings_whose_languages_are_there_are_measured_and_pooled(file: Path, workshop: Workshop) -> None:
    figures, protocol = both(pairs.measure(file, workshop))

    assert [name for name in figures if ">" in name] == ["en>en", "de>de"]
    assert figures["pooled"] == {"recall@1": 100.0, "recall@5": None, "mrr": 1.0, "unanswered": 0.0, "n": 6}
    assert figures["de>de"]["n"] == 3
    left_out = [item.why for item in protocol.left_out]
    assert left_out == [
        f"{name}: the file lacks a language of it" for name in pairs.POOLED if "en>en" != name != "de>de"
    ]


def test_a_note_that_a_guard_refuses_is_left_out_aloud(file: Path, workshop: Workshop) -> None:
    secret = {"note": "The deploy key is ghp_16C7e42F292c6912E7710c838347Ae178B4a", "question": "What is the key?"}
    file.write_text(json.dumps({"en": [*NOTES["en"], secret]}), encoding="utf-8")

    figures, protocol = both(pairs.measure(file, workshop))

    assert figures["en>en"]["n"] == 3
    assert any("en>en: the note was refused (secret" in item.why for item in protocol.left_out)


@pytest.mark.parametrize(
    "content",
    ["[]", "{}", '{"en": []}', '{"en": [{"note": "a"}]}', '{"en": [{"note": "a", "question": "b"}], "ru": [1, 2]}',
     '{"fr": [{"note": "a", "question": "b"}]}'],
)  # fmt: skip
def test_a_file_of_another_shape_is_refused(file: Path, workshop: Workshop, content: str) -> None:
    file.write_text(content)

    with pytest.raises(ImportSourceError):
        pairs.measure(file, workshop)


def test_every_language_asks_every_language(tmp_path: Path, workshop: Workshop) -> None:
    figures, protocol = both(xquad.measure(write_squad(tmp_path, SQUAD), workshop))

    assert [name for name in figures if ">" in name] == ["de>de", "en>en", "de>en", "en>de"]
    assert figures["en>en"]["recall@1"] == figures["de>de"]["recall@1"] == 100.0
    assert figures["en>en"]["recall@5"] is None
    assert protocol.n == 8


def test_files_that_are_not_aligned_are_refused(tmp_path: Path, workshop: Workshop) -> None:
    """A cross-lingual figure over different paragraphs would be noise."""
    turned = {**SQUAD, "de": a_squad({"Bernstein.": {"b": "Wann?"}, "Leuchtturm.": {"a": "Wann?"}})}

    with pytest.raises(ImportSourceError, match="not aligned with en"):
        xquad.measure(write_squad(tmp_path, turned), workshop)


def test_a_file_without_paragraphs_is_refused(tmp_path: Path, workshop: Workshop) -> None:
    with pytest.raises(ImportSourceError, match="shape of SQuAD"):
        xquad.measure(write_squad(tmp_path, {"en": {"data": []}}), workshop)
