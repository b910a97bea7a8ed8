"""The machine itself: its clock, its randomness, its time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from mnemic.domain.ids import uuid7

if TYPE_CHECKING:
    from mnemic.domain.ids import Uid


class SystemClock:
    """The operating system's clock, in UTC."""

    def now(self) -> datetime:
        """The current moment."""
        return datetime.now(UTC)


class RandomIds:
    """UUIDs of version 7 from the clock and the operating system's randomness."""

    def new(self) -> Uid:
        """A fresh one."""
        return uuid7()


class MachineZone(tzinfo):
    """The time zone the machine is set to, with its summer times, past ones included."""

    def __str__(self) -> str:
        """As reports name it, in the place of a zone's own name."""
        return "the machine's time zone"

    def utcoffset(self, when: datetime | None, /) -> timedelta:
        """How far the local time of `when` is from UTC."""
        local = (when or datetime.now()).replace(tzinfo=None)  # noqa: DTZ005 - local time is the question here
        try:
            return local.astimezone().utcoffset() or timedelta(0)
        except (OverflowError, ValueError, OSError):  # a year the operating system's calendar does not know
            return datetime.now().astimezone().utcoffset() or timedelta(0)

    def dst(self, when: datetime | None, /) -> timedelta | None:  # noqa: ARG002 - the offset above holds it already
        """Unknown apart from the offset."""
        return None

    def tzname(self, when: datetime | None, /) -> str:
        """The zone's abbreviation."""
        offset = self.utcoffset(when)
        sign = "-" if offset < timedelta(0) else "+"
        minutes = abs(offset) // timedelta(minutes=1)
        return f"UTC{sign}{minutes // 60:02d}:{minutes % 60:02d}"

    def fromutc(self, when: datetime, /) -> datetime:
        """The local time of a moment given in UTC."""
        try:
            local = when.replace(tzinfo=UTC).astimezone()
        except (OverflowError, ValueError, OSError):
            return (when.replace(tzinfo=None) + self.utcoffset(None)).replace(tzinfo=self)
        return local.replace(tzinfo=self)
