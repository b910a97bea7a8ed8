"""The file of the ledger: its form, and how it goes on after a crash."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger_samples import KEY, NOW, a_ledger, an_act, filled, flaws, lines, put

from mnemic.adapters.ledger.canonical import event_of, line_of, link_of
from mnemic.adapters.ledger.seals import seals_at
from mnemic.domain.ledger import BEGINNING, Act, Deed
from mnemic.errors import LedgerError, VaultLockedError, WriteFailedError

if TYPE_CHECKING:
    from pathlib import Path

# -- form --------------------------------------------------------------------------------------------------------------

moments = st.datetimes(min_value=datetime(1971, 1, 1), max_value=datetime(2900, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
printable = st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), max_size=60)
hexes = st.integers(0, 16**64 - 1).map(lambda number: f"{number:064x}")


acts = st.builds(
    Act,
    at=moments,
    deed=st.just(Deed.CHANGE),
    uid=printable.filter(bool),
    version=st.integers(0, 10**17),
    commitment=st.just("") | hexes,
)


@given(acts, st.integers(1, 10**17), hexes)
def test_an_event_has_one_form_which_gives_it_back(act: Act, seq: int, prev: str) -> None:
    line, digest = line_of(act, seq, prev)

    event = event_of(line[:-1])
    assert event is not None
    assert (event.act, event.seq, event.prev, event.hash) == (act, seq, prev, digest)
    fields = json.loads(line)
    assert json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":")) == line.decode().rstrip("\n")


def test_anybody_can_check_the_chain_with_a_few_lines_of_code(tmp_path: Path) -> None:
    ledger = filled(tmp_path, 5)
    before = BEGINNING

    for number, line in enumerate(lines(ledger), 1):
        event = json.loads(line)
        stated = event.pop("hash")
        text = json.dumps(event, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        assert sha256(text.encode()).hexdigest() == stated
        assert (event["seq"], event["prev"]) == (number, before)
        before = stated


def test_an_event_on_paper(tmp_path: Path) -> None:
    """Every byte, so that a change of the form cannot go unseen."""
    ledger = a_ledger(tmp_path)
    ledger.append([Act(at=NOW, deed=Deed.ERASE)])

    assert ledger.path.read_bytes() == (
        b'{"at":"2026-05-03T10:00:00Z","commitment":"","deed":"erase",'
        b'"hash":"4cfb1306a4fc196d835dc4c0f0ab57fefd51fdd45dbf52d9cd5bed3db5d201a5",'
        b'"prev":"' + b"0" * 64 + b'","seq":1,"uid":"","version":0}\n'
    )


@pytest.mark.parametrize(
    "changed",
    [
        lambda line: line.replace(b'"seq":1', b'"seq":01'),
        lambda line: line.replace(b'"seq":1', b'"seq":1.0'),
        lambda line: line.replace(b'"seq":1', b'"seq": 1'),
        lambda line: line.replace(b'"deed"', b'"more":1,"deed"'),
        lambda line: line + b" ",
        lambda line: line.replace(b"memory", b"mem\\u006fry"),
        lambda line: line[:0],
        lambda line: line * 30,
        lambda line: b"\xff\xfe" + line,
    ],
)
def test_another_form_of_the_same_is_no_event(changed: object) -> None:
    line, _ = line_of(an_act(1), 1, BEGINNING)

    assert link_of(changed(line[:-1])) is None  # type: ignore[operator]


def test_a_line_in_our_form_that_we_would_not_write_is_no_event() -> None:
    line, _ = line_of(an_act(1), 1, BEGINNING)
    for old, new in ((b"change", b"invent"), (b"2026-05", b"2026-55"), (b"memory", b"mem\xffry")):
        assert event_of(line[:-1].replace(old, new)) is None


@pytest.mark.parametrize(
    "fields",
    [
        {"uid": "two\nlines"}, {"uid": "\ud800"}, {"uid": "x" * 201}, {"version": -1}, {"commitment": "abc"},
        {"at": datetime(2026, 5, 3)}, {"deed": Deed.ERASE},  # noqa: DTZ001
    ],
)  # fmt: skip
def test_an_act_that_cannot_be_recorded_cannot_be_made(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"uid|version|commitment|at:|erasure"):
        Act(**{"at": NOW, "deed": Deed.CHANGE, "uid": "a", **fields})  # type: ignore[arg-type]


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    filled(tmp_path / ".mnemic", 1)

    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / ".mnemic").iterdir()}

    assert modes == {"ledger.jsonl": 0o600, "ledger.anchor": 0o600}


# -- going on ----------------------------------------------------------------------------------------------------------


def test_another_process_goes_on_where_one_stopped(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    first, second = a_ledger(tmp_path), a_ledger(tmp_path)
    for number in range(4, 10):
        (first if number % 2 else second).append([an_act(number)])

    assert [event.seq for event in first.events()] == list(range(1, 10))
    assert flaws(tmp_path) == []


@pytest.mark.parametrize("left", [1, 50, 200])
def test_a_half_written_line_is_told_and_healed_by_the_next_append(tmp_path: Path, left: int) -> None:
    ledger = filled(tmp_path, 3)
    torn, _ = line_of(an_act(4), 4, ledger.head()[1])
    with ledger.path.open("ab") as file:
        file.write(torn[:left])

    report = a_ledger(tmp_path).verify()
    assert [finding.flaw for finding in report.findings] == ["unfinished"]
    assert report.sound
    assert report.events == 3
    assert [event.seq for event in a_ledger(tmp_path).events()] == [1, 2, 3]

    ledger.append([an_act(4)])

    assert [event.seq for event in ledger.events()] == [1, 2, 3, 4]
    assert flaws(tmp_path) == []


def test_a_last_event_that_lacks_only_its_line_feed_is_kept(tmp_path: Path) -> None:
    ledger = filled(tmp_path, 3)
    put(ledger, ledger.path.read_bytes()[:-1])
    assert flaws(tmp_path) == ["unfinished"]

    fresh = a_ledger(tmp_path)
    fresh.append([an_act(3)])

    assert [event.seq for event in fresh.events()] == [1, 2, 3]
    assert flaws(tmp_path) == []


def test_an_anchor_that_is_behind_is_told_and_healed(tmp_path: Path) -> None:
    ledger = filled(tmp_path, 3)
    old = (tmp_path / "ledger.anchor").read_bytes()
    ledger.append([an_act(4), an_act(5)])
    (tmp_path / "ledger.anchor").write_bytes(old)

    report = a_ledger(tmp_path).verify()
    assert [finding.flaw for finding in report.findings] == ["anchor_behind"]
    assert (report.sound, report.events, report.vouched) == (True, 5, 3)

    a_ledger(tmp_path).append([an_act(5)])

    assert flaws(tmp_path) == []
    assert a_ledger(tmp_path).verify().vouched == 5


def test_a_ledger_goes_on_over_damage_at_its_end_and_the_damage_stays_told(tmp_path: Path) -> None:
    """No memory is refused because the record of it is damaged."""
    ledger = filled(tmp_path, 5)
    *kept, last = lines(ledger)
    put(ledger, *kept, last.replace(b'{"at"', b'["at"'))

    a_ledger(tmp_path).append([an_act(6), an_act(7)])

    assert [event.seq for event in a_ledger(tmp_path).events()] == [1, 2, 3, 4, 6, 7]
    assert flaws(tmp_path) == ["malformed", "lost_before"]


def test_without_the_key_events_are_recorded_and_the_anchor_catches_up_later(tmp_path: Path) -> None:
    filled(tmp_path, 3)

    def locked() -> bytes:
        raise VaultLockedError("The vault cannot be opened: its key file is missing.")

    ledger = a_ledger(tmp_path)
    ledger._given_key = locked
    ledger.append([an_act(4)])

    report = ledger.verify()
    assert [finding.flaw for finding in report.findings] == ["unsigned", "anchor_behind"]
    assert "its key file is missing" in report.findings[0].message
    assert report.sound
    a_ledger(tmp_path).append([an_act(5)])
    assert flaws(tmp_path) == []


def test_a_ledger_that_is_older_than_its_vault_gets_an_anchor_when_that_is_founded(tmp_path: Path) -> None:
    filled(tmp_path, 3, key=None)
    assert flaws(tmp_path, key=None) == ["unsigned"]

    a_ledger(tmp_path).append([Act(at=NOW, deed=Deed.FOUND)])

    assert flaws(tmp_path) == []
    assert a_ledger(tmp_path).verify().vouched == 4


# -- the system refuses ------------------------------------------------------------------------------------------------


def test_a_full_disk_records_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = filled(tmp_path, 3)
    before = ledger.path.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteFailedError, match="no space left"):
        ledger.append([an_act(4)], durable=True)

    monkeypatch.undo()
    assert ledger.path.read_bytes() == before
    ledger.append([an_act(4)], durable=True)
    assert flaws(tmp_path) == []


def test_something_else_in_its_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "ledger.jsonl").mkdir()

    with pytest.raises(LedgerError):
        a_ledger(tmp_path).append([an_act(1)])
    with pytest.raises(LedgerError):
        a_ledger(tmp_path).verify()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes there")
def test_a_named_pipe_in_its_place_is_told_by_whatever_reads_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ledger.jsonl")
    ledger = a_ledger(tmp_path)

    for read in (ledger.head, ledger.verify, lambda: list(ledger.events()), lambda: list(ledger.lines())):
        with pytest.raises(LedgerError, match="it is not a file"):
            read()
    with pytest.raises(LedgerError, match="it is not a file"):
        ledger.append([an_act(1)])


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"precious")
    (tmp_path / "ledger.jsonl").symlink_to(tmp_path / "elsewhere")

    with pytest.raises((LedgerError, WriteFailedError)):
        a_ledger(tmp_path).append([an_act(1)])
    with pytest.raises(LedgerError):
        a_ledger(tmp_path).verify()
    assert (tmp_path / "elsewhere").read_bytes() == b"precious"


# -- seals -------------------------------------------------------------------------------------------------------------


def test_a_long_ledger_is_sealed_in_stretches_and_checked_by_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mnemic.adapters.ledger.seals.STRETCH", 4096)
    ledger = filled(tmp_path, 100, batch=3)

    seals = list(seals_at(tmp_path / "ledger.seals", KEY))
    assert len(seals) >= 5
    data = ledger.path.read_bytes()
    assert [sha256(data[seal.begin : seal.end]).hexdigest() for seal in seals] == [seal.digest for seal in seals]
    assert [seal.begin for seal in seals[1:]] == [seal.end for seal in seals[:-1]]
    assert flaws(tmp_path) == []
    assert ledger.verify().events == 100


def test_there_are_never_many_seals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stretch grows with the ledger."""
    monkeypatch.setattr("mnemic.adapters.ledger.seals.STRETCH", 512)
    filled(tmp_path, 2_000, batch=2)

    assert 64 < len(list(seals_at(tmp_path / "ledger.seals", KEY))) < 400
    assert flaws(tmp_path) == []


@pytest.mark.parametrize("spoilt", ["gone", "emptied", "garbage", "cut", "of another key", "first only"])
def test_without_good_seals_lines_are_checked_and_seals_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoilt: str
) -> None:
    monkeypatch.setattr("mnemic.adapters.ledger.seals.STRETCH", 4096)
    ledger = filled(tmp_path, 100, batch=3)
    path = tmp_path / "ledger.seals"
    data = path.read_bytes()
    match spoilt:
        case "gone":
            path.unlink()
        case "of another key":
            filled(tmp_path / "other", 100, batch=3, key=b"z" * 32)
            path.write_bytes((tmp_path / "other" / "ledger.seals").read_bytes())
        case _:
            left = {"emptied": b"", "garbage": b"\xff\n[]\n", "cut": data[:-9], "first only": data.splitlines(True)[0]}  # noqa: FBT003
            path.write_bytes(left[spoilt])
    assert flaws(tmp_path) == []
    whole = ledger.path.read_bytes()
    put(ledger, whole.replace(b"memory-2", b"memory-3", 1))
    assert flaws(tmp_path) == ["altered"]
    put(ledger, whole)

    for number in range(101, 120):
        a_ledger(tmp_path).append([an_act(number)])

    assert list(seals_at(path, KEY))[-1].seq > 100
    assert flaws(tmp_path) == []


def test_what_is_not_in_order_is_not_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemic.adapters.ledger.seals.STRETCH", 4096)
    ledger = filled(tmp_path, 9)
    put(ledger, ledger.path.read_bytes().replace(b"memory-2", b"memory-3", 1))

    for number in range(10, 40):
        a_ledger(tmp_path).append([an_act(number)])

    assert list(seals_at(tmp_path / "ledger.seals", KEY)) == []
    assert flaws(tmp_path) == ["altered"]
