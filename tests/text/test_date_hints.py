"""No text with a date may be passed over by the cheap look."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.date_hints import may_hold_dates
from mnemic.text.date_words import EXPRESSIONS, MONTHS, SEASONS, SHIFTS, UNITS, WEEKDAYS
from mnemic.text.dates import dates_in

TODAY = date(2026, 5, 20)
WORDS = sorted(
    {
        form
        for tables in (MONTHS, WEEKDAYS, SEASONS, UNITS, SHIFTS)
        for table in tables.values()
        for entry in table.split()
        for form in entry.split("|")
    }
    | {expression for table in EXPRESSIONS.values() for expression in table}
    | {"昨年の3月", "先週", "去年三月", "上周", "来週", "昨日", "2023-05", "7", "Q3"},
)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join))
def test_a_text_in_which_a_date_is_found_passes_the_cheap_look(text: str) -> None:
    if dates_in(text, today=TODAY):
        assert may_hold_dates(text)


@pytest.mark.parametrize("text", ["what does Anna drink?", "что пьёт Анна?", "was trinkt sie?", "お母さんの膝"])
def test_a_text_without_any_date_word_is_spared_the_rules(text: str) -> None:
    assert not may_hold_dates(text)
