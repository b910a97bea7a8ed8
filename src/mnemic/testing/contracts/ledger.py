"""What every ledger must do.

```python
class TestMyLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, tmp_path): return MyLedger(tmp_path)
```
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from mnemic.domain.ledger import BEGINNING, Act, Deed

if TYPE_CHECKING:
    from mnemic.ports import Ledger

NOON = datetime(2026, 5, 3, 12, tzinfo=timezone(timedelta(hours=2)))
ANNA, BELA = "0190a1b2-0000-7000-8000-00000000000a", "0190a1b2-0000-7000-8000-00000000000b"
ONE, TWO = "1" * 64, "2" * 64


def an_act(uid: str = ANNA, version: int = 1, deed: Deed = Deed.CHANGE, commitment: str = ONE) -> Act:
    """Something done to a memory."""
    return Act(at=NOON, deed=deed, uid=uid, version=version, commitment=commitment)


def an_erasure(number: str = "") -> Act:
    """One that names nothing, but maybe the number that whoever repeats it knows."""
    return Act(at=NOON, deed=Deed.ERASE, commitment=number)


class LedgerContract:
    """Inherit from it and give the fixture `ledger`: an empty `Ledger`."""

    def test_before_the_first_event_there_is_nothing_and_nothing_wrong(self, ledger: Ledger) -> None:
        assert ledger.head() == (0, BEGINNING)
        assert list(ledger.events()) == []
        assert ledger.append([]) == ()

        report = ledger.verify()

        assert (report.events, report.head, report.findings, report.sound) == (0, BEGINNING, (), True)

    def test_each_event_names_the_one_before(self, ledger: Ledger) -> None:
        first, second = ledger.append([an_act(version=1), an_act(version=2)])
        (third,) = ledger.append([an_act(BELA, deed=Deed.REMEMBER)])

        assert [event.seq for event in (first, second, third)] == [1, 2, 3]
        assert [first.prev, second.prev, third.prev] == [BEGINNING, first.hash, second.hash]
        assert ledger.head() == (3, third.hash)

    def test_what_was_recorded_comes_back(self, ledger: Ledger) -> None:
        acts = [an_act(deed=deed, uid=BELA if deed is not Deed.ERASE else "", version=0) for deed in Deed]

        ledger.append(acts, durable=True)

        assert [event.act for event in ledger.events()] == acts
        assert [event.act.at.utcoffset() for event in ledger.events()] == [timedelta(0)] * len(acts)

    def test_moments_keep_their_fraction(self, ledger: Ledger) -> None:
        at = datetime(2026, 5, 3, 10, 0, 0, 120, UTC)

        ledger.append([Act(at=at, deed=Deed.FOUND)])

        assert [event.act.at for event in ledger.events()] == [at]

    def test_events_of_one_memory_or_after_a_number(self, ledger: Ledger) -> None:
        ledger.append([an_act(), an_act(BELA), an_erasure(), an_act(version=2)])

        assert [event.seq for event in ledger.events(uid=ANNA)] == [1, 4]
        assert [event.seq for event in ledger.events(after=2)] == [3, 4]
        assert [event.seq for event in ledger.events(uid=BELA, after=2)] == []
        assert [event.seq for event in ledger.events(uid=ANNA[:-1])] == []

    def test_the_same_act_once_more_is_not_recorded_again(self, ledger: Ledger) -> None:
        """Whoever completes what a crash cut off need not know how far it had come."""
        events = ledger.append([an_act(), an_act(BELA)])

        assert ledger.append([an_act(), an_act(BELA)]) == events
        assert ledger.append([an_act(commitment="")]) == events[:1]

        assert ledger.head() == (2, events[1].hash)

    def test_another_content_under_the_same_number_is_told(self, ledger: Ledger) -> None:
        """A power cut may take a version from the vault, whose number is then given again."""
        ledger.append([an_act(version=2), an_act(version=2, commitment=TWO)])

        assert [event.act.commitment for event in ledger.events()] == [ONE, TWO]

    def test_what_happens_again_after_something_else_is_recorded_again(self, ledger: Ledger) -> None:
        acts = [an_act(deed=deed) for deed in (Deed.ARCHIVE, Deed.RELEASE, Deed.ARCHIVE)]

        ledger.append(acts)
        ledger.append([an_act(deed=Deed.ARCHIVE, version=2)])

        assert [event.act.deed for event in ledger.events()] == ["archive", "release", "archive", "archive"]

    def test_erasures_are_told_apart_by_their_numbers_only(self, ledger: Ledger) -> None:
        ledger.append([an_erasure(), an_erasure()])
        ledger.append([an_erasure(ONE), an_erasure(TWO)])
        ledger.append([an_erasure(ONE)])

        assert ledger.head()[0] == 4

    def test_events_of_many_threads_are_one_chain(self, ledger: Ledger) -> None:
        def work(number: int) -> None:
            for version in range(1, 6):
                ledger.append([an_act(f"memory-{number}", version)])

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))

        events = list(ledger.events())
        assert [event.seq for event in events] == list(range(1, 41))
        assert [event.prev for event in events[1:]] == [event.hash for event in events[:-1]]
        assert [event.act.version for event in ledger.events(uid="memory-3")] == [1, 2, 3, 4, 5]
        assert ledger.verify().sound
