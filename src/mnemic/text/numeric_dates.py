"""Dates written in digits, the same in every language: ISO days, months, weeks and quarters, dots and slashes."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final

from mnemic.text.periods import Found, Period, a_day, a_month, a_quarter, recurring

if TYPE_CHECKING:
    from collections.abc import Iterator

_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_FORMS: Final = re.compile(
    r"(?<![\w.,/:-])(?:"
    rf"{_YEAR}-?W(?P<week>\d\d)(?:-?(?P<weekday>[1-7]))?"
    rf"|{_YEAR.replace('year', 'iso')}(?P<mark>[-/.])(?P<month>\d\d?)(?:(?P=mark)(?P<day>\d\d?))?(?:T[\d:.+-]*Z?)?"
    rf"|{_YEAR.replace('year', 'before')}[-/ ]?Q(?P<later>[1-4])"
    rf"|Q(?P<quarter>[1-4])(?:[-/ ]{{0,2}}{_YEAR.replace('year', 'after')})?"
    r"|(?P<first>\d\d?)(?P<sign>[./-])(?P<second>\d\d?)(?P=sign)(?P<last>(?:19|20)?\d\d)"
    r")(?![\w/]|[.,:-]\d)",
    re.IGNORECASE,
)
_SURE: Final = 1.0
_LIKELY: Final = 0.9
_EITHER: Final = 0.5
_MONTHS: Final = 12
_CENTURY: Final = 100


def numeric_dates(text: str, today: date) -> Iterator[Found]:
    """The dates in digits, in order.

    `03/04/2023` is read day first, as most of the world writes it, with certainty 0.5; `13/04` and `04/13` leave no
    doubt. Two digits of a year mean 2000 to 2099. `Q3` alone is the last third quarter that has begun.
    """
    for match in _FORMS.finditer(text):
        try:
            period, certainty = _meaning(match, today)
        except ValueError:
            continue
        alone = match["quarter"] is not None and match["after"] is None
        yield Found(match.start(), match.end(), period, certainty, relative=alone, year_given=not alone)


def _meaning(match: re.Match[str], today: date) -> tuple[Period, float]:
    if match["week"]:
        return _week(int(match["year"]), int(match["week"]), match["weekday"])
    if match["iso"]:
        return _iso(match)
    if match["later"]:
        return a_quarter(int(match["before"]), int(match["later"])), _SURE
    if match["quarter"]:
        quarter = int(match["quarter"])
        if match["after"]:
            return a_quarter(int(match["after"]), quarter), _SURE
        return recurring(lambda year: a_quarter(year, quarter), None, today), _EITHER
    period, certainty = _day_and_month(int(match["first"]), int(match["second"]), match["last"])
    # Nobody writes the month first with dots.
    return period, _LIKELY if match["sign"] == "." else certainty


def _week(year: int, week: int, weekday: str | None) -> tuple[Period, float]:
    if weekday:
        return a_day(date.fromisocalendar(year, week, int(weekday))), _SURE
    return Period(date.fromisocalendar(year, week, 1), a_day(date.fromisocalendar(year, week, 7)).end), _SURE


def _iso(match: re.Match[str]) -> tuple[Period, float]:
    year, month = int(match["iso"]), int(match["month"])
    if match["day"]:
        return a_day(date(year, month, int(match["day"]))), _SURE
    if match["mark"] == "." or len(match["month"]) == 1:
        raise ValueError("2023.5 is a number")
    return a_month(year, month), _SURE if match["mark"] == "-" else _LIKELY


def _day_and_month(first: int, second: int, last: str) -> tuple[Period, float]:
    year = int(last) if int(last) >= _CENTURY else 2000 + int(last)
    if second > _MONTHS:
        return a_day(date(year, first, second)), _LIKELY
    certainty = _LIKELY if first > _MONTHS or first == second else _EITHER
    return a_day(date(year, second, first)), certainty
