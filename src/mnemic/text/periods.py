"""Spans of calendar days: a month, a week, the third quarter, the summer before last."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_DECEMBER: Final = 12
_SATURDAY: Final = 5


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `start` up to, without, `end`."""

    start: date
    end: date

    def in_year(self, year: int) -> Period:
        """The same days of another year; the 29th of February becomes the 1st of March."""
        years = year - self.start.year
        return Period(_moved(self.start, years), _moved(self.end, years))


@dataclass(frozen=True, slots=True)
class Found:
    """A date expression at ``text[begin:stop]`` and the days it means."""

    begin: int
    stop: int
    period: Period
    certainty: float
    relative: bool = False  # it means other days on another day
    year_given: bool = True

    def until(self, other: Found) -> Found:
        """From the first day of this to the last of the other; a year given once holds for both."""
        start, end = self.period, other.period
        if not self.year_given:
            start = start.in_year(end.start.year)
            if start.start > end.start:
                start = start.in_year(end.start.year - 1)
        certainty = min(self.certainty, other.certainty)
        if other.year_given and not other.relative:
            certainty = other.certainty
        if end.end <= start.start:
            raise ValueError("The range ends before it begins.")
        return replace(
            other,
            begin=self.begin,
            period=Period(start.start, end.end),
            certainty=certainty,
            relative=self.relative or other.relative,
        )


def _moved(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, month=3, day=1)


def a_day(day: date) -> Period:
    """One day."""
    return Period(day, day + timedelta(days=1))


def a_month(year: int, month: int) -> Period:
    """A calendar month, 1 to 12. Raises ValueError for others."""
    start = date(year, month, 1)
    return Period(start, date(year + month // _DECEMBER, month % _DECEMBER + 1, 1))


def a_year(year: int) -> Period:
    """A calendar year."""
    return Period(date(year, 1, 1), date(year + 1, 1, 1))


def a_quarter(year: int, quarter: int) -> Period:
    """A quarter of a year, 1 to 4."""
    return Period(a_month(year, 3 * quarter - 2).start, a_month(year, 3 * quarter).end)


def a_season(year: int, season: int) -> Period:
    """Spring (0), summer, autumn or winter (3) of the northern half; winter goes on into the next year."""
    first = 3 * season + 3
    last_year, last_month = (year + 1, 2) if first == _DECEMBER else (year, first + 2)
    return Period(date(year, first, 1), a_month(last_year, last_month).end)


def shifted(unit: str, count: int, today: date) -> Period:
    """The calendar day, week (from Monday), weekend, month, quarter or year so many of them away from today's.

    Raises:
        ValueError, OverflowError: It lies outside the years 1 to 9999.
    """
    monday = today - timedelta(days=today.weekday())
    if unit == "day":
        return a_day(today + timedelta(days=count))
    if unit == "week":
        start = monday + timedelta(weeks=count)
        return Period(start, start + timedelta(weeks=1))
    if unit == "weekend":
        start = monday + timedelta(weeks=count, days=_SATURDAY)
        return Period(start, start + timedelta(days=2))
    if unit == "year":
        return a_year(today.year + count)
    months = today.year * 12 + today.month - 1 + count * (3 if unit == "quarter" else 1)
    if unit == "quarter":
        return a_quarter(months // 12, months % 12 // 3 + 1)
    return a_month(months // 12, months % 12 + 1)


def stretch(unit: str, count: int, today: date) -> Period:
    """The last (negative) or next so many units, today among them."""
    days = {"day": 1, "week": 7, "weekend": 7}.get(unit)
    if days is not None:
        far = today + timedelta(days=days * count)
    else:
        months = {"month": 1, "quarter": 3, "year": 12}[unit] * count + today.year * 12 + today.month - 1
        month = a_month(months // 12, months % 12 + 1)
        far = min(month.start + timedelta(days=today.day - 1), month.end - timedelta(days=1))
    return Period(far, today + timedelta(days=1)) if count < 0 else Period(today, far + timedelta(days=1))


def recurring(in_year: Callable[[int], Period], shift: int | None, today: date) -> Period:
    """Which one is meant of what comes once a year.

    Args:
        in_year: The period in a given year.
        shift: -1 the last one that is over, +1 the next to begin, 0 this year's, -2 and 2 one further; without any
            word for it, the last one that has begun.
        today: The day the words are seen from.
    """
    if shift == 0:
        return in_year(today.year)
    if shift is None:
        year = today.year if in_year(today.year).start <= today else today.year - 1
        return in_year(year)
    if shift < 0:
        year = today.year if in_year(today.year).end <= today else today.year - 1
        return in_year(year + shift + 1)
    year = today.year if in_year(today.year).start > today else today.year + 1
    return in_year(year + shift - 1)


def a_weekday(weekday: int, shift: int | None, today: date) -> Period:
    """Monday (0) to Sunday: the last before today, this week's, the next after today; without a word, the last."""
    if shift == 0:
        return a_day(today - timedelta(days=today.weekday() - weekday))
    back = (today.weekday() - weekday - 1) % 7 + 1
    ahead = (weekday - today.weekday() - 1) % 7 + 1
    if shift is None or shift < 0:
        return a_day(today - timedelta(days=back + 7 * (-(shift or -1) - 1)))
    return a_day(today + timedelta(days=ahead + 7 * (shift - 1)))
