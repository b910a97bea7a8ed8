"""Moments: read from any sensible text, kept with an offset, written in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo

from mnemic.errors import InvalidTimeError

_INSTANT = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[Tt ]((?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s*([Zz]|[+-]\d{2}:?\d{2})?)?\Z",
    re.ASCII,
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_MICRO_DIGITS = 6


def parse_instant(text: str, *, zone: tzinfo = UTC) -> datetime:
    """The moment that `text` names; without an offset it is read in `zone`, a date alone as its midnight.

    It comes back with its offset as a number, see `pinned`. Of an hour that the end of summer time repeats, the first
    is meant.

    Raises:
        InvalidTimeError: Not a date or time of the years 1 to 9999.
    """
    match = _INSTANT.match(text.strip())
    if match is None:
        raise InvalidTimeError(text)
    day, clock, offset = match.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{_clock(clock)}{_offset(offset)}")
        aware = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        aware.astimezone(UTC)  # years 1 and 9999 may leave the calendar on the way
    except (ValueError, OverflowError):
        raise InvalidTimeError(text) from None
    return pinned(aware)


def moment_of(seconds: float) -> datetime:
    """Seconds since 1970 as a moment in UTC; years that the operating system cannot convert included."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


def local(moment: datetime, zone: tzinfo) -> datetime:
    """The moment by the clocks of a zone; in UTC where it would leave the calendar, of which that has the ends."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment.astimezone(UTC)


def end_of_day(text: str, *, zone: tzinfo = UTC) -> datetime:
    """As `parse_instant`, but a date alone is meant to its end: what was known on a day includes the day.

    Raises:
        InvalidTimeError: Not a date or time of the years 1 to 9999.
    """
    begun = parse_instant(text, zone=zone)
    if not _DAY.match(text.strip()):
        return begun
    try:
        return parse_instant(f"{text.strip()}T23:59:59.999999", zone=zone)
    except InvalidTimeError:  # the end of the last day of all is beyond the calendar, in the west
        return begun


def pinned(moment: datetime) -> datetime:
    """The same moment with its offset as a number instead of the rules of a zone.

    Python calls moments of a repeated or skipped hour unequal to themselves in another zone, and adds seconds by the
    clock on the wall; with a plain offset it does neither.
    """
    offset = moment.utcoffset()
    return moment if offset is None else moment.replace(tzinfo=timezone(offset), fold=0)


def _clock(clock: str | None) -> str:
    if clock is None:
        return time.min.isoformat()
    head, dot, fraction = clock.replace(",", ".").partition(".")
    return f"{head}.{fraction[:_MICRO_DIGITS]:0<{_MICRO_DIGITS}}" if dot else head


def _offset(offset: str | None) -> str:
    if offset is None:
        return ""
    return "+00:00" if offset in "Zz" else offset if ":" in offset else f"{offset[:3]}:{offset[3:]}"


def format_instant(moment: datetime) -> str:
    """RFC 3339 in UTC, to the second unless the moment is finer: `2026-05-03T06:14:00Z`."""
    text = moment.astimezone(UTC).isoformat(timespec="seconds" if not moment.microsecond else "microseconds")
    return text.replace("+00:00", "Z")
