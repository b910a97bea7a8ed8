"""Sentences that cannot both be so are told from those that can, in five languages, without any model.

`opposed_held_out.json` was written before the rules, `opposed_wild.json` after them and by another pattern; neither
changed any of them.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ordinary_notes import ordinary_notes

from mnemic.text.opposition import Opposition, opposed
from mnemic.text.passages import sentences

HERE = Path(__file__).parent
DOCUMENT = HERE.parent.parent / "docs" / "explanation" / "trust-contradictions.md"
LANGUAGES = ("en", "de", "ru", "ja", "zh")
PARTS = {"dev": "development", "held_out": "held out", "wild": "as agents write"}


def pairs(part: str, label: str, *languages: str) -> list[tuple[str, str]]:
    corpus = json.loads((HERE / f"opposed_{part}.json").read_text(encoding="utf-8"))
    return [(one, other) for language in languages or LANGUAGES for one, other in corpus[language][label]]


def figures(part: str, *languages: str) -> tuple[int, float, float]:
    """Pairs, precision and recall."""
    right, free = pairs(part, "opposed", *languages), pairs(part, "compatible", *languages)
    found = sum(opposed(*pair) is not None for pair in right)
    alarms = sum(opposed(*pair) is not None for pair in free)
    return len(right) + len(free), found / (found + alarms), found / len(right)


@pytest.mark.parametrize("part", PARTS)
def test_nine_of_ten_warnings_are_right_and_more_than_half_of_the_contradictions_are_found(part: str) -> None:
    _, precision, recall = figures(part)

    assert precision >= 0.9
    assert recall >= 0.5


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", ["dev", "held_out"])
def test_no_language_falls_behind(part: str, language: str) -> None:
    _, precision, recall = figures(part, language)

    assert precision >= 0.9
    assert recall >= 0.8


@pytest.mark.parametrize("part", PARTS)
def test_the_figures_of_the_documentation_are_those_of_the_code(part: str) -> None:
    count, precision, recall = figures(part)

    assert f"| {PARTS[part]} | {count} | {precision:.2f} | {recall:.2f} |" in DOCUMENT.read_text(encoding="utf-8")


def test_ordinary_notes_do_not_contradict_each_other() -> None:
    said = sorted({sentence.text for note in ordinary_notes() for sentence in sentences(note)})

    alarms = [pair for pair in combinations(said, 2) if opposed(*pair)]

    assert alarms == []


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("Anna lives in Oslo.", "Anna now lives in Bergen.", Opposition.OTHER),
        ("The limit is 1,000.", "The limit is 1,500.", Opposition.NUMBER),
        ("Anna likes tea.", "Anna doesn't like tea.", Opposition.NEGATION),
        ("The cache is on.", "The cache is off.", Opposition.ANTONYM),
        ("We use k8s.", "We switched from k8s to nomad.", Opposition.CHANGE),
    ],
)
def test_it_is_told_in_what_they_differ(one: str, other: str, how: Opposition) -> None:
    assert opposed(one, other) is how


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The limit is 1,000.", "The limit is 1000."),
        ("The release is on 3 May 2026.", "The release is on 2026-05-03."),
        ("lives in Oslo", "lives in Bergen"),
        ("Port: 5432", "Port: 6432"),
        ("Chapter 3 is long.", "Chapter 4 is long."),
        ("", "Anna lives in Oslo."),
        ("Anna lives in Oslo.", "Анна живёт в Бергене."),
        (f"Anna lives in {'Oslo ' * 60}.", f"Anna lives in {'Bergen ' * 60}."),
    ],
)
def test_what_need_not_contradict_is_left_alone(one: str, other: str) -> None:
    assert opposed(one, other) is None


WORDS = (
    "Anna Bertil lives in Oslo Bergen not never no longer limit is 30 45 Анна не живёт в アンナは 住んで です 不 在 . ,"
)
worded = st.lists(st.sampled_from(WORDS.split()), max_size=9).map(" ".join) | st.text(max_size=80)


@given(worded, worded)
def test_any_two_texts_have_an_answer_and_it_is_mutual(one: str, other: str) -> None:
    assert opposed(one, other) == opposed(other, one)
    assert opposed(one, one) is None
