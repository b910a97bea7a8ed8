"""A memory as the vault keeps it; that any memory comes back is shown beside the other format of memories."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest
from memory_samples import NOON, a_memory

from mnemic.domain.versions import GONE, from_bytes, to_bytes


def test_the_same_memory_gives_the_same_bytes_whatever_zone_its_moments_are_told_in() -> None:
    oslo = NOON.astimezone(timezone(timedelta(hours=2)))

    assert to_bytes(a_memory(valid_from=oslo)) == to_bytes(a_memory(valid_from=NOON))


def test_what_says_no_more_than_usual_takes_no_room() -> None:
    assert to_bytes(a_memory()) == (
        b'{"body":"A body.","changed_at":"2026-05-03T12:00:00Z","id":"notes/a","kind":"note",'
        b'"recorded_at":"2026-05-03T12:00:00Z","title":"A title","uid":"0190a1b2-0000-7000-8000-000000000001"}'
    )


def test_a_memory_that_was_taken_away_is_none() -> None:
    assert from_bytes(GONE) is None


def test_fields_of_a_later_release_are_passed_over() -> None:
    later = to_bytes(a_memory()).replace(b'"kind"', b'"mood":"blue","kind"')

    assert from_bytes(later) == a_memory()


@pytest.mark.parametrize(
    "data", [b"x", b"[]", b"null", b"{}", b'{"uid":"u"}', b"\xff", to_bytes(a_memory()).replace(b"2026-05", b"2026-55")]
)
def test_what_is_no_memory_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no memory"):
        from_bytes(data)
