"""A cheap look whether a text can name a day at all, before the rules of seven languages are loaded for it."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from typing import Final

from mnemic.text.date_words import EXPRESSIONS, MONTHS, SEASONS, UNITS, WEEKDAYS
from mnemic.text.folding import fold

_DIGITS_OR_CJK: Final = re.compile(r"[\d年月日週周天昨今明去来來翌曜星期季春夏秋冬]")
_WORD: Final = re.compile(r"[^\W\d_]+")


def may_hold_dates(text: str) -> bool:
    """Whether `dates_in` could find anything; True is no promise, False is one."""
    if _DIGITS_OR_CJK.search(text):
        return True
    words = _words()
    return any(fold(word) in words for word in _WORD.findall(text))


@cache
def _words() -> frozenset[str]:
    """Every word without which no date in words can be written."""
    tables = chain(MONTHS.values(), WEEKDAYS.values(), SEASONS.values(), UNITS.values())
    named = (form for table in tables for entry in table.split() for form in entry.split("|"))
    spoken = (word for table in EXPRESSIONS.values() for expression in table for word in expression.split())
    return frozenset(chain(named, spoken))
