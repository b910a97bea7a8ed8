"""Moments: what is read, in which zone, and how it is written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.domain.instants import end_of_day, format_instant, parse_instant
from mnemic.errors import InvalidTimeError

OSLO = ZoneInfo("Europe/Oslo")


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-05-03", "2026-05-02T22:00:00Z"),
        ("2026-05-03T08:14", "2026-05-03T06:14:00Z"),
        ("2026-05-03 08:14:30", "2026-05-03T06:14:30Z"),
        ("2026-01-03 08:14:30", "2026-01-03T07:14:30Z"),
        ("2026-05-03T08:14:00Z", "2026-05-03T08:14:00Z"),
        ("2026-05-03t08:14:00z", "2026-05-03T08:14:00Z"),
        ("2026-05-03T08:14:00+02:00", "2026-05-03T06:14:00Z"),
        ("2026-05-03T08:14:00-0330", "2026-05-03T11:44:00Z"),
        ("2026-05-03 08:14 +00:00", "2026-05-03T08:14:00Z"),
        ("  2026-05-03T08:14:00Z\n", "2026-05-03T08:14:00Z"),
        ("2026-05-03T08:14:00.5Z", "2026-05-03T08:14:00.500000Z"),
        ("2026-05-03T08:14:00,123456789Z", "2026-05-03T08:14:00.123456Z"),
        ("2026-05-03T08:14:00.000000Z", "2026-05-03T08:14:00Z"),
        ("0001-01-02T00:00:00Z", "0001-01-02T00:00:00Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ("2024-02-29", "2024-02-28T23:00:00Z"),
    ],
)
def test_a_moment_is_read_in_the_given_zone_unless_it_names_its_own(text: str, utc: str) -> None:
    assert format_instant(parse_instant(text, zone=OSLO)) == utc


def test_a_moment_keeps_the_offset_it_was_written_with() -> None:
    assert parse_instant("2026-05-03T08:14:00+02:00").utcoffset() == timedelta(hours=2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026",
        "2026-05",
        "2026-13-01",
        "2026-02-30",
        "2023-02-29",
        "20260503",
        "2026-5-3",
        "2026-05-03T8:14",
        "2026-05-03T24:00",
        "2026-05-03T25:00",
        "2026-05-03T08:60",
        "2026-05-03T08:14:60",
        "2026-05-03T08",
        "2026-05-03T08:14:00+25:00",
        "2026-05-03T08:14:00.Z",
        "2026-05-03T08:14:00.1234567890Z",
        "2026-05-03T08:14:00 Europe/Oslo",
        "2026-05-03 extra",
        "0000-01-01",
        "10000-01-01",
        "-2026-05-03",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "٢٠٢٦-٠٥-٠٣",
        "2026-05-03\x00",
        "2026‑05‑03",
    ],
)
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(InvalidTimeError) as caught:
        parse_instant(text)

    assert caught.value.given == text


def test_a_date_alone_must_be_in_the_calendar_in_utc_too() -> None:
    with pytest.raises(InvalidTimeError):
        parse_instant("0001-01-01", zone=OSLO)


moments = st.datetimes(
    min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 31),  # noqa: DTZ001 - Hypothesis wants them so
    timezones=st.sampled_from([UTC, OSLO, timezone(timedelta(hours=5, minutes=45)), timezone(-timedelta(hours=12))]),
)  # fmt: skip


@given(moments)
def test_what_was_written_is_read_back_as_the_same_moment(moment: datetime) -> None:
    text = format_instant(moment)

    assert parse_instant(text) == moment
    assert format_instant(parse_instant(text)) == text
    assert text.endswith("Z")


@given(moments, moments)
def test_moments_to_the_second_sort_as_they_are_written(one: datetime, other: datetime) -> None:
    one, other = one.replace(microsecond=0), other.replace(microsecond=0)

    assert (format_instant(one) < format_instant(other)) == (one < other)


def test_a_date_alone_is_meant_to_its_end_and_a_time_to_itself() -> None:
    assert end_of_day("2026-05-03", zone=OSLO) == datetime(2026, 5, 3, 21, 59, 59, 999999, tzinfo=UTC)
    assert end_of_day("2026-10-25", zone=OSLO) == datetime(2026, 10, 25, 22, 59, 59, 999999, tzinfo=UTC)
    assert end_of_day("2026-05-03T10:00", zone=OSLO) == datetime(2026, 5, 3, 8, tzinfo=UTC)
    with pytest.raises(InvalidTimeError):
        end_of_day("yesterday")
