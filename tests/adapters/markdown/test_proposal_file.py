"""The file of a proposal: whatever stands in it comes back, and what was changed in it is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.adapters.markdown.formats.proposal import decode, encode
from mnemic.domain.proposals import Evidence, Step
from mnemic.domain.step_diff import diff_of
from mnemic.testing.contracts.proposal_store import HARD, a_memory, a_proposal

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.sampled_from(
    [HARD, "````", "\n```\n", "checksum: " + "0" * 64, "---\n", "## The same as data", "````json\n{}\n````"]
)


@given(title=texts, why=texts, quote=texts, before=texts, after=texts, front=texts)
@settings(max_examples=200)
def test_whatever_it_says_it_comes_back(  # noqa: PLR0913, PLR0917 - a text for each place
    title: str, why: str, quote: str, before: str, after: str, front: str
) -> None:
    old = a_memory("tea", body=before, extra={"mood": front})
    written = a_proposal(
        "mine",
        title=title,
        why=why,
        made_by=front,
        evidence=(Evidence(id="notes/why", text=quote),),
        steps=(Step(before=old, after=replace(old, body=after, title=title), revision="r"),),
    )

    data = encode(written)

    assert decode(data) == written
    assert decode(data.replace(b"\n", b"\r\n")) == written
    assert encode(decode(data)) == data


@given(place=st.integers(0, 1_000_000), sign=st.integers(1, 255))
def test_a_byte_that_was_changed_is_noticed(place: int, sign: int) -> None:
    data = bytearray(encode(a_proposal()))
    data[place % len(data)] ^= sign

    with pytest.raises(ValueError, match=r".") as caught:
        decode(bytes(data))

    assert str(caught.value)


@given(keep=st.floats(0, 1, exclude_max=True))
def test_a_file_that_was_cut_off_is_noticed(keep: float) -> None:
    data = encode(a_proposal())

    with pytest.raises(ValueError, match=r"."):
        decode(data[: int(len(data) * keep)])


@given(text=texts)
def test_every_line_of_a_diff_is_one_line_that_can_be_seen(text: str) -> None:
    old = a_memory("tea", body="Anna drinks tea.")

    lines = diff_of(Step(before=old, after=replace(old, body=text, title=text, tags=(text,))))

    assert all(line.isprintable() for line in lines)
    assert all(line[:1] in {"+", "-", " ", "@"} for line in lines)


def test_a_diff_shows_every_field_that_changes_and_no_other() -> None:
    old = a_memory("tea", tags=("drink",), salience=0.2)

    lines = diff_of(Step(before=old, after=replace(old, salience=0.9, extra={"mood": {"deep": "calm"}})))

    changed = [line for line in lines[2:] if line[0] in "+-"]
    assert changed == ["+extra.mood.deep: calm", "-salience: 0.2", "+salience: 0.9"]
