"""Values of claims that say the same are told from those that cannot both be so, in five languages.

The pairs of `claims_held_out.json` were written before the rules and changed none of them.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.domain.claims import claim_key
from mnemic.text.claim_values import claim_value

HERE = Path(__file__).parent
TODAY = date(2026, 5, 3)
LANGUAGES = ("en", "de", "ru", "ja", "zh")


def labelled(part: str) -> list[tuple[str, str, tuple[str, str], tuple[str, str]]]:
    """Language, label (same, other, apart) and two claims as key and value."""
    corpus = json.loads((HERE / f"claims_{part}.json").read_text(encoding="utf-8"))
    return [
        (language, label, tuple(one), tuple(other))
        for language in LANGUAGES
        for label, pairs in corpus[language].items()
        for one, other in pairs
    ]


def judged(language: str, one: tuple[str, str], other: tuple[str, str]) -> str:
    if claim_key(one[0]) != claim_key(other[0]):
        return "apart"
    first, second = (claim_value(value, key=key, language=language, today=TODAY) for key, value in (one, other))
    assert first.agrees(second) == second.agrees(first)
    return "same" if first.agrees(second) else "other"


def agree(one: str, other: str, *, key: str = "", language: str = "und") -> bool:
    return judged(language, (key, one), (key, other)) == "same"


@pytest.mark.parametrize("part", ["dev", "held_out"])
def test_every_labelled_pair_is_judged_right(part: str) -> None:
    """Precision and recall of 1, as docs/explanation/trust-contradictions.md says."""
    wrong = [
        (language, label, one, other)
        for language, label, one, other in labelled(part)
        if judged(language, one, other) != label
    ]

    assert wrong == []


def test_the_corpus_is_as_large_as_its_figures_say() -> None:
    assert [len(labelled(part)) for part in ("dev", "held_out")] == [83, 77]


@pytest.mark.parametrize(
    ("one", "other", "language", "same"),
    [
        ("1.234", "1234", "de", True),
        ("1.234", "1234", "en", False),
        ("1.234", "1234", "und", True),
        ("1,234", "1234", "en", True),
        ("1,234", "1234", "ru", False),
        ("1,000", "1000", "ru", True),
        ("0.125", "125", "und", False),
        ("1,00,000", "100000", "en", True),
        ("1.2.3", "123", "en", False),
        ("1,23,4", "1234", "en", False),
    ],
)
def test_the_language_settles_what_a_mark_before_three_digits_says(
    one: str, other: str, language: str, *, same: bool
) -> None:
    assert agree(one, other, language=language) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("0000-01-01", "0000-01-02", False),
        ("9999-12-31", "9999-12-30", False),
        ("9999-12-31T23:59:59-12:00", "9999-12-31T23:59:59-12:00", True),
        ("0001-01-01T00:00:00+14:00", "0001-01-01", True),
        ("2026-02-30", "2026-02-28", False),
        ("2026-05-03T10:00", "2026-05-03T10:00Z", True),
        ("2026-05-03T10:00Z", "2026-05-03T11:00Z", False),
        ("2026-05-03T10:00Z", "3 May 2026", True),
        ("3 May 2026 10:00", "2026-05-03T10:00", True),
        ("03/04/2026", "3 April 2026", True),
        ("03/04/2026", "4 March 2026", True),
        ("03/04/2026", "5 April 2026", False),
        ("May 2026", "2026-05-17", True),
        ("May 2026", "2026-06-17", False),
        ("tomorrow", "2026-05-04", True),
    ],
)
def test_days_and_moments_are_compared_up_to_the_ends_of_the_calendar(one: str, other: str, *, same: bool) -> None:
    assert agree(one, other) is same


def test_a_value_of_any_length_is_compared_as_it_reads() -> None:
    long = "word " * 2_000

    assert agree(long, f" {long.upper()}")
    assert not agree(long, f"{long} more")
    assert agree("9" * 10_000, "9" * 10_000)
    assert not agree("9" * 10_000, "9" * 9_999)


@given(st.text(max_size=200), st.text(max_size=30), st.sampled_from([*LANGUAGES, "und"]))
def test_every_value_agrees_with_itself_whatever_its_blanks(value: str, key: str, language: str) -> None:
    assert agree(value, f" {value}\t", key=key, language=language)


@given(st.text(max_size=60), st.text(max_size=60))
def test_to_agree_is_mutual(one: str, other: str) -> None:
    assert agree(one, other) == agree(other, one)


@given(st.integers(1, 10**9), st.sampled_from([",", "'", " ", "\u202f"]))
def test_a_whole_number_is_the_same_however_its_thousands_are_parted(number: int, mark: str) -> None:
    assert agree(f"{number:,}".replace(",", mark), str(number), language="en")


@given(st.text())
def test_a_key_that_was_made_comparable_stays_as_it_is(text: str) -> None:
    assert claim_key(claim_key(text)) == claim_key(text)
