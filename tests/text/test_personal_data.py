"""Personal data gets its label; numbers that only look alike do not.

The held-out half of the corpus changed nothing in the rules.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.personal_data import NAMES, PersonalData, iban_checks, labels, luhn, personal_data

HERE = Path(__file__).parent


@pytest.mark.parametrize("half", ["dev", "held_out"])
def test_labels_are_found_and_few_are_wrong(half: str) -> None:
    rows = json.loads((HERE / f"personal_data_{half}.json").read_text(encoding="utf-8"))
    pairs = [(set(row["labels"]), set(map(str, labels(row["text"])))) for row in rows]

    right = sum(len(wanted & found) for wanted, found in pairs)

    assert right >= 0.9 * sum(len(wanted) for wanted, _ in pairs)
    assert right >= 0.9 * sum(len(found) for _, found in pairs)


@pytest.mark.parametrize(
    ("text", "label", "thing"),
    [
        ("Mail boris@havn.no!", PersonalData.EMAIL, "boris@havn.no"),
        ("Ring +47 912 34 567 today.", PersonalData.PHONE, "+47 912 34 567"),
        ("Card 4111 1111 1111 1111.", PersonalData.CARD, "4111 1111 1111 1111"),
        ("To DE89 3704 0044 0532 0130 00 please", PersonalData.IBAN, "DE89 3704 0044 0532 0130 00"),
        ("The NAS is 192.168.178.23, upstairs", PersonalData.IP, "192.168.178.23"),
    ],
)
def test_a_finding_says_what_stands_where(text: str, label: PersonalData, thing: str) -> None:
    (found,) = personal_data(text)

    assert (found.label, text[found.start : found.end]) == (label, thing)


def test_a_wrong_check_digit_is_no_card_and_no_account() -> None:
    assert luhn("4111111111111111")
    assert not luhn("4111111111111112")
    assert iban_checks("GB82WEST12345698765432")
    assert labels("Card 4111 1111 1111 1112, to DE88 3704 0044 0532 0130 00") == ()


@given(st.integers(0, 10**15 - 1))
def test_luhn_sees_every_single_wrong_digit(number: int) -> None:
    digits = f"4{number:015}"
    whole = next(f"{digits}{check}" for check in range(10) if luhn(f"{digits}{check}"))

    assert not any(luhn(whole[:at] + str((int(whole[at]) + 1) % 10) + whole[at + 1 :]) for at in range(len(whole)))


@given(st.text(max_size=200))
def test_findings_lie_in_the_text_and_do_not_overlap(text: str) -> None:
    found = personal_data(text)

    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert set(NAMES) == set(PersonalData)
