"""Dates and ranges that a text speaks of, absolute and relative, in seven languages.

English, German, Spanish, French, Russian, Japanese and Chinese are understood, and dates in digits everywhere. What a
relative word means depends on the day it was said, so that day comes in as an argument; nothing here reads a clock.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mnemic.text.date_hints import may_hold_dates
from mnemic.text.languages import language_of
from mnemic.text.periods import Found, Period, a_day, a_month, a_year

if TYPE_CHECKING:
    from datetime import date

_LONGEST: Final = 20_000
_CJK: Final = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
_CJK_CONNECTOR: Final = re.compile(r"\s*(?:から|より|至|到|〜|~|-|–|—|ー)\s*")
_SPACED: Final = ("en", "de", "es", "fr", "ru")
_FARTHEST_APART: Final = 12
_DOUBTFUL: Final = 0.5


@dataclass(frozen=True, slots=True)
class DateSpan:
    """The days that a piece of a text means.

    `start` is the first day and `end` the one after the last; `text` stands at ``[offset_start:offset_end]`` of the
    source. `certainty`, 0 to 1, says how sure the reading is: 1 for a full date, 0.7 where the year had to be guessed
    (the last one that has begun), 0.5 for `03/04/2023` (read day first), bare weekdays and vague numbers. `relative`
    tells that the same words mean other days on another day.
    """

    start: date
    end: date
    text: str
    offset_start: int
    offset_end: int
    certainty: float
    relative: bool = False


def dates_in(text: str, *, today: date) -> tuple[DateSpan, ...]:
    """The dates and ranges in a text, in order, without overlap.

    Weeks begin on Monday, seasons are those of the northern half. `last March` is the last March that is over, `last
    Friday` the Friday before today, `two weeks ago` the calendar week that day lies in, `the last two weeks` the days
    up to today, `since May` goes on until today. A month without a year is the last one that has begun. A month name
    that is also a word (`may`, `march`, `mars`) or an abbreviation counts only beside a day, a year or a preposition,
    and a lower-case `5 may` not at all.

    Args:
        text: Any text; only the first 20,000 characters are read.
        today: The reference day: now for a query, the day a turn was said for the turn.
    """
    plain = text[:_LONGEST]
    # One character for one, so that offsets stay true: NFKC only where it keeps the length.
    if not plain.isascii():
        plain = "".join(_narrow(char) for char in plain)
    if not may_hold_dates(plain):
        return ()
    languages = _languages(plain)
    found = _without_overlap(_candidates(plain, today, languages))
    return tuple(
        DateSpan(
            one.period.start,
            one.period.end,
            text[one.begin : one.stop],
            one.begin,
            one.stop,
            one.certainty,
            one.relative,
        )
        for one in _ranges_joined(plain, found, languages)
    )


def resolved(text: str, *, said_on: date) -> str:
    """The absolute dates that the relative words of a text mean, for indexing it with its context.

    Days are written `2023-05-07`, months `2023-05`, years `2023`, others as first and last day
    (`2023-05-01/2023-05-07`); each once, in order, with a space between; empty if there are none. Readings of certainty
    0.5 and less (`on Monday`, `a few days ago`) are left out: a wrong date is worse than none.
    """
    spans = (span for span in dates_in(text, today=said_on) if span.relative and span.certainty > _DOUBTFUL)
    return " ".join(dict.fromkeys(_written(Period(span.start, span.end)) for span in spans))


def _written(period: Period) -> str:
    if period == a_day(period.start):
        return period.start.isoformat()
    if period == a_month(period.start.year, period.start.month):
        return period.start.isoformat()[:7]
    if period == a_year(period.start.year):
        return period.start.isoformat()[:4]
    last = period.end.fromordinal(period.end.toordinal() - 1)
    return f"{period.start.isoformat()}/{last.isoformat()}"


def _narrow(char: str) -> str:
    narrow = unicodedata.normalize("NFKC", char)
    return narrow if len(narrow) == 1 else char


def _languages(text: str) -> tuple[str, ...]:
    """The languages whose words are looked for: English alone (and Russian), or all, the text's own first.

    A few words show their language badly, so a guess other than English decides only which language goes first.
    """
    own = language_of(text)
    if own == "en":
        return ("en", "ru") if _CYRILLIC.search(text) else ("en",)
    return tuple(dict.fromkeys(("en" if own not in _SPACED else own, *_SPACED)))


def _candidates(text: str, today: date, languages: tuple[str, ...]) -> list[Found]:
    """All readings. Each kind is imported where its signs are: most questions hold none of them."""
    found: list[Found] = []
    if any(map(str.isdigit, text)):
        from mnemic.text.numeric_dates import numeric_dates

        found += numeric_dates(text, today)
    if _CJK.search(text):
        from mnemic.text.cjk_dates import cjk_dates

        found += cjk_dates(text, today)
    from mnemic.text.worded_dates import worded_dates

    found += worded_dates(text, today, languages)
    return found


def _without_overlap(found: list[Found]) -> list[Found]:
    """The longer of two readings of the same words, in order of place."""
    kept: list[Found] = []
    taken_to = -1
    for one in sorted(found, key=lambda one: (one.begin, -one.stop)):
        if one.begin >= taken_to:
            kept.append(one)
            taken_to = one.stop
    return kept


def _ranges_joined(text: str, found: list[Found], languages: tuple[str, ...]) -> list[Found]:
    joined: list[Found] = []
    for one in found:
        before = joined[-1] if joined else None
        if before is not None and _is_range(text, before, one, languages):
            try:
                joined[-1] = before.until(one)
            except ValueError:
                joined.append(one)
        else:
            joined.append(one)
    return joined


def _is_range(text: str, first: Found, second: Found, languages: tuple[str, ...]) -> bool:
    between = text[first.stop : second.begin]
    if not between or len(between) > _FARTHEST_APART:
        return False
    if _CJK_CONNECTOR.fullmatch(between):
        return True
    from mnemic.text.worded_dates import is_connector, opens_range

    connector = is_connector(between, languages)
    return connector == "&" or (connector == "+" and opens_range(text[: first.begin][-_FARTHEST_APART:], languages))
