"""Dates and times of options, read in the bundle's zone."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from mnemic.domain.instants import end_of_day, local, parse_instant

if TYPE_CHECKING:
    from datetime import datetime, tzinfo


def moment(given: object, zone: tzinfo) -> datetime | None:
    """The moment an option names; None when it was not given."""
    return None if given is None else parse_instant(str(given), zone=zone)


def known_by(given: object, zone: tzinfo) -> datetime | None:
    """The moment up to which an option asks what was known; a date alone includes the day."""
    return None if given is None else end_of_day(str(given), zone=zone)


def day(when: datetime, zone: tzinfo) -> str:
    """A day for people: `3 May 2026`."""
    there = local(when, zone)
    return f"{there.day} {there:%b} {there.year}"


def minute(when: datetime, zone: tzinfo) -> str:
    """A moment for people: `3 May 2026, 06:14`."""
    return f"{day(when, zone)}, {local(when, zone):%H:%M}"


def rfc3339(when: datetime | None) -> str | None:
    """A moment for programs, in UTC."""
    from mnemic.domain.instants import format_instant

    return None if when is None else format_instant(when.astimezone(UTC))
