"""Whatever is done to a ledger is found, and told apart."""

from __future__ import annotations

import json
import os
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger_samples import KEY, a_ledger, an_act, filled, flaws, lines, put

from mnemic.adapters.ledger.canonical import line_of
from mnemic.adapters.ledger.seals import seals_at
from mnemic.domain.ledger import BEGINNING

if TYPE_CHECKING:
    from mnemic.adapters.ledger.chain import JsonlLedger

EVENTS = 12


@pytest.fixture(params=["lines", "seals"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JsonlLedger:
    """Twelve events, checked line by line, or most of them sealed."""
    if request.param == "seals":
        monkeypatch.setattr("mnemic.adapters.ledger.seals.STRETCH", 900)
    return filled(tmp_path, EVENTS)


def found(ledger: JsonlLedger) -> list[str]:
    return flaws(ledger.path.parent)


def anchor_of(ledger: JsonlLedger) -> Path:
    return ledger.path.with_name("ledger.anchor")


# -- one by one --------------------------------------------------------------------------------------------------------


def test_a_flipped_bit_is_an_altered_event(ledger: JsonlLedger) -> None:
    whole = lines(ledger)
    put(ledger, *whole[:4], whole[4].replace(b"memory-5", b"memory-4"), *whole[5:])

    report = ledger.verify()

    assert [(finding.flaw, finding.line) for finding in report.findings] == [("altered", 5)]
    assert not report.sound


@pytest.mark.parametrize("field", ['"hash":"', '"prev":"', '"seq":', '"commitment":"', '"at":"2'])
def test_it_is_one_finding_whatever_field_was_hit(ledger: JsonlLedger, field: str) -> None:
    whole = lines(ledger)
    at = whole[4].index(field.encode()) + len(field)
    digit = b"7" if whole[4][at : at + 1] != b"7" else b"3"
    put(ledger, *whole[:4], whole[4][:at] + digit + whole[4][at + 1 :], *whole[5:])

    assert found(ledger) == ["altered"]


def test_a_line_that_is_no_event_is_malformed(ledger: JsonlLedger) -> None:
    whole = lines(ledger)
    put(ledger, *whole[:4], b"{" + whole[4], *whole[5:])

    assert found(ledger) == ["malformed"]


@pytest.mark.parametrize("inserted", [b"\n", b"nothing\n", b"x" * 300_000 + b"\n"])
def test_so_is_one_that_was_put_between(ledger: JsonlLedger, inserted: bytes) -> None:
    whole = lines(ledger)
    put(ledger, *whole[:4], inserted, *whole[4:])

    assert found(ledger) == ["malformed"]


def test_a_removed_line_is_named(ledger: JsonlLedger) -> None:
    whole = lines(ledger)
    put(ledger, *whole[:4], *whole[5:])

    report = ledger.verify()

    assert [finding.message for finding in report.findings] == ["before event 6: 5 missing"]
    assert [str(finding.flaw) for finding in report.findings] == ["removed"]


def test_several_removed_lines_are_named_together(ledger: JsonlLedger) -> None:
    whole = lines(ledger)
    put(ledger, *whole[3:7], *whole[9:])

    report = ledger.verify()

    assert [finding.message for finding in report.findings] == [
        "before event 4: 1 to 3 missing",
        "before event 10: 8 to 9 missing",
    ]


@pytest.mark.parametrize("left", [0, 1, 5, 11])
def test_a_cut_tail_is_found_by_the_anchor(ledger: JsonlLedger, left: int) -> None:
    put(ledger, *lines(ledger)[:left])

    report = ledger.verify()

    assert [str(finding.flaw) for finding in report.findings] == ["cut"]
    assert "12 missing" in report.findings[0].message or f"{left + 1} to 12 missing" in report.findings[0].message
    assert (report.events, report.vouched) == (left, left)


def test_so_is_a_ledger_that_is_gone(ledger: JsonlLedger) -> None:
    ledger.path.unlink()

    assert found(ledger) == ["cut"]


@pytest.mark.parametrize("first", [0, 5, 11])
def test_a_duplicated_tail_is_told_line_by_line(ledger: JsonlLedger, first: int) -> None:
    whole = lines(ledger)
    put(ledger, *whole, *whole[first:])

    assert found(ledger) == ["repeated"] * (EVENTS - first)


def test_two_writers_without_a_lock_are_told(ledger: JsonlLedger) -> None:
    """Both went on from event 12: that is one damage, however far each of them came."""
    last = ledger.head()[1]
    ours, ours_hash = line_of(an_act(13), 13, last)
    theirs, theirs_hash = line_of(an_act(99), 13, last)
    more, more_hash = line_of(an_act(14), 14, ours_hash)
    other, _ = line_of(an_act(98), 14, theirs_hash)
    end, _ = line_of(an_act(15), 15, more_hash)
    put(ledger, *lines(ledger), ours, theirs, more, other, end)

    assert found(ledger) == ["forked", "anchor_behind"]


def test_two_writers_of_whom_the_second_goes_on_are_told_once(ledger: JsonlLedger) -> None:
    last = ledger.head()[1]
    ours, _ = line_of(an_act(13), 13, last)
    theirs, theirs_hash = line_of(an_act(99), 13, last)
    other, other_hash = line_of(an_act(98), 14, theirs_hash)
    more, _ = line_of(an_act(97), 15, other_hash)
    put(ledger, *lines(ledger), ours, theirs, other, more)

    assert found(ledger) == ["forked", "anchor_behind"]


def test_lines_in_another_order_are_told(ledger: JsonlLedger) -> None:
    whole = lines(ledger)
    put(ledger, *whole[:4], whole[5], whole[4], *whole[6:])

    assert found(ledger) == ["removed", "misplaced"]


def test_an_event_put_in_the_place_of_another_does_not_follow(ledger: JsonlLedger) -> None:
    whole = lines(ledger)
    other, _ = line_of(an_act(77), 5, BEGINNING)
    put(ledger, *whole[:4], other, *whole[5:])

    assert found(ledger)[0] == "rewritten"


@pytest.mark.parametrize("first", [1, 5, 12])
def test_a_chain_made_anew_from_some_event_on_is_found_by_the_anchor(ledger: JsonlLedger, first: int) -> None:
    """Anybody can compute hashes; only who has the key can sign."""
    last = json.loads(lines(ledger)[first - 2])["hash"] if first > 1 else BEGINNING
    made = []
    for seq in range(first, EVENTS + 1):
        line, last = line_of(an_act(seq + 100), seq, last)
        made.append(line)
    put(ledger, *lines(ledger)[: first - 1], *made)

    assert found(ledger) == ["rewritten"]
    assert flaws(ledger.path.parent, key=None) == ["unsigned", "rewritten"]


def test_a_bundle_without_findings_is_sound_also_without_the_key(ledger: JsonlLedger) -> None:
    report = a_ledger(ledger.path.parent, key=None).verify()

    assert [finding.flaw for finding in report.findings] == ["unsigned"]
    assert (report.sound, report.events, report.vouched) == (True, EVENTS, 0)


# -- the anchor --------------------------------------------------------------------------------------------------------


def test_a_missing_anchor_is_told(ledger: JsonlLedger) -> None:
    anchor_of(ledger).unlink()

    assert found(ledger) == ["anchor_missing"]


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"\x00" * 300, b'{"mac":"\\ud800"}', b"[" * 100_000, b'{"format":"mnemic anchor 1"}']
)
def test_an_anchor_that_cannot_be_read_is_told(ledger: JsonlLedger, data: bytes) -> None:
    anchor_of(ledger).write_bytes(data)

    assert found(ledger) == ["anchor_forged"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes there")
def test_a_named_pipe_in_its_place_is_told_and_holds_nobody(ledger: JsonlLedger) -> None:
    anchor_of(ledger).unlink()
    os.mkfifo(anchor_of(ledger))

    assert found(ledger) == ["anchor_forged"]


def test_an_anchor_of_another_key_is_forged(ledger: JsonlLedger) -> None:
    put(ledger, *lines(ledger)[:5])
    filled(ledger.path.parent / "other", 5, key=b"z" * 32)
    anchor_of(ledger).write_bytes((ledger.path.parent / "other" / "ledger.anchor").read_bytes())

    assert found(ledger) == ["anchor_forged"]


@pytest.mark.parametrize("number", range(0, 40, 3))
def test_no_digit_of_an_anchor_can_be_changed(ledger: JsonlLedger, number: int) -> None:
    data = anchor_of(ledger).read_bytes()
    digits = [at for at, byte in enumerate(data) if bytes([byte]).isdigit()]
    at = digits[number * len(digits) // 40]
    anchor_of(ledger).write_bytes(data[:at] + (b"1" if data[at : at + 1] != b"1" else b"2") + data[at + 1 :])

    assert found(ledger) == ["anchor_forged"]


def test_what_is_done_to_the_anchor_between_two_appends_of_one_process_is_noticed(ledger: JsonlLedger) -> None:
    """It remembers what it wrote, and takes nothing else for that."""
    ledger.append([an_act(50)])
    data = anchor_of(ledger).read_bytes()
    anchor_of(ledger).write_bytes(data.replace(b'"seq":13', b'"seq":12'))

    ledger.append([an_act(51)])
    ledger.append([an_act(52)])

    assert found(ledger) == ["lost_before"]
    assert ledger.verify().events == EVENTS + 3


def test_going_on_after_a_cut_does_not_hide_it(ledger: JsonlLedger) -> None:
    put(ledger, *lines(ledger)[:5])

    fresh = a_ledger(ledger.path.parent)
    fresh.append([an_act(50)])
    fresh.append([an_act(51)])

    report = a_ledger(ledger.path.parent).verify()
    assert [str(finding.flaw) for finding in report.findings] == ["lost_before"]
    assert report.findings[0].message == "events were missing at the end: 12 had been vouched for, 5 were there"
    assert not report.sound


@pytest.mark.parametrize("damage", ["missing", "forged", "rewritten", "emptied"])
def test_nor_anything_else_that_was_done_to_the_end(ledger: JsonlLedger, damage: str) -> None:
    match damage:
        case "missing":
            anchor_of(ledger).unlink()
        case "forged":
            anchor_of(ledger).write_bytes(b"{}")
        case "rewritten":
            line, last = line_of(an_act(70), 12, json.loads(lines(ledger)[10])["hash"])
            put(ledger, *lines(ledger)[:11], line, line_of(an_act(71), 13, last)[0])
        case _:
            put(ledger)

    for number in (50, 51, 52):
        a_ledger(ledger.path.parent).append([an_act(number)])

    assert found(ledger) == ["lost_before"]


def test_of_very_much_damage_only_some_is_listed_and_the_rest_counted(tmp_path: Path) -> None:
    ledger = filled(tmp_path, 300, batch=300)
    put(ledger, *(line.replace(b'"deed":"change"', b'"deed":"fulfil"') for line in lines(ledger)))

    report = ledger.verify()

    assert (len(report.findings), report.more) == (100, 200)
    assert not report.sound


# -- any ---------------------------------------------------------------------------------------------------------------


def _whole() -> tuple[bytes, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        ledger = filled(Path(folder), EVENTS)
        return ledger.path.read_bytes(), anchor_of(ledger).read_bytes()


WHOLE, ANCHOR = _whole()
LINES = WHOLE.splitlines(keepends=True)


def grave(data: bytes) -> bool:
    """Whether a verification of these bytes finds something that no crash explains."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        place = Path(folder)
        (place / "ledger.jsonl").write_bytes(data)
        (place / "ledger.anchor").write_bytes(ANCHOR)
        return not a_ledger(place).verify().sound


def test_the_sample_itself_is_sound() -> None:
    assert not grave(WHOLE)


@given(st.integers(0, len(WHOLE) - 2), st.integers(1, 255))
def test_any_changed_byte_is_found(at: int, bits: int) -> None:
    """But for the last line feed, which is healed: what it ends is whole."""
    assert grave(WHOLE[:at] + bytes([WHOLE[at] ^ bits]) + WHOLE[at + 1 :])


@given(st.integers(0, len(WHOLE) - 2))
def test_any_removed_byte_is_found(at: int) -> None:
    assert grave(WHOLE[:at] + WHOLE[at + 1 :])


@given(st.integers(0, len(WHOLE) - 2))
def test_any_cut_is_found(end: int) -> None:
    assert grave(WHOLE[:end]) or WHOLE[:end] == WHOLE[:-1]


@given(st.integers(0, EVENTS - 1), st.integers(0, EVENTS))
def test_any_line_removed_or_once_more_in_any_place_is_found(number: int, to: int) -> None:
    assert grave(b"".join(LINES[:number] + LINES[number + 1 :]))
    assert grave(b"".join([*LINES[:to], LINES[number], *LINES[to:]]))


@given(st.permutations(range(EVENTS)))
def test_any_other_order_is_found(order: list[int]) -> None:
    assert grave(b"".join(LINES[number] for number in order)) == (order != list(range(EVENTS)))


@given(st.binary(max_size=400))
def test_any_bytes_at_all_are_read_without_an_accident(data: bytes) -> None:
    assert grave(data)
    assert grave(WHOLE[:700] + data)


def test_a_forged_digest_of_a_stretch_does_not_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemic.adapters.ledger.seals.STRETCH", 900)
    ledger = filled(tmp_path, EVENTS)
    seals = tmp_path / "ledger.seals"
    changed = ledger.path.read_bytes().replace(b"memory-2", b"memory-3", 1)
    first = next(seals_at(seals, KEY))
    made = sha256(changed[: first.end]).hexdigest()
    put(ledger, changed)
    seals.write_bytes(seals.read_bytes().replace(first.digest.encode(), made.encode()))

    assert found(ledger) == ["altered"]


def test_an_older_anchor_in_the_newer_ones_place_does_not_help(ledger: JsonlLedger) -> None:
    """Whoever cuts the last event has the anchor before it at hand, but not in its place."""
    data = anchor_of(ledger).read_bytes()
    newer = data.index(b'"seq":12') // 2048
    places = [data[:2048], data[2048:]]
    put(ledger, *lines(ledger)[:-1])

    for spoilt in (places[1 - newer], b" " * 2047 + b"\n", b"\0" * 2048):
        anchor_of(ledger).write_bytes(b"".join(spoilt if at == newer else places[at] for at in (0, 1)))
        assert found(ledger) == ["anchor_forged"]
    anchor_of(ledger).write_bytes(places[1] + places[0])
    assert found(ledger) == ["anchor_forged"]
