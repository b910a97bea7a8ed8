"""Many byte strings at once are found exactly where a plain search finds each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemic.adapters.erasure.needles import Needles

FEW = st.binary(max_size=60).map(lambda data: bytes(byte % 4 + 65 for byte in data))
"""Of few different bytes, so that there is much to be found."""


def plainly(data: bytes, needles: list[bytes]) -> set[int]:
    low = data.lower()
    return {number for number, needle in enumerate(needles) if needle and needle.lower() in low}


@given(FEW, st.lists(FEW.map(lambda data: data[:12]), max_size=8))
def test_the_same_needles_are_found_as_by_looking_for_each(data: bytes, needles: list[bytes]) -> None:
    assert {number for _, number in Needles(needles).within(data)} == plainly(data, needles)


@given(st.binary(max_size=40), st.binary(min_size=8, max_size=30), st.binary(max_size=40))
def test_a_needle_is_found_at_every_place_and_there_it_stands(before: bytes, needle: bytes, after: bytes) -> None:
    data = before + needle + after + needle

    found = sorted(at for at, _ in Needles([needle]).within(data))

    low = data.lower()
    assert found == [at for at in range(len(low)) if low.startswith(needle.lower(), at)]


def test_nothing_is_found_in_nothing() -> None:
    assert list(Needles([b"abcdefghij", b"abc", b""]).within(b"")) == []
    assert list(Needles([]).within(b"anything")) == []
