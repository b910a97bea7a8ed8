"""What every turn store must do.

```python
class TestMyTurns(TurnStoreContract):
    @pytest.fixture
    def store(self, tmp_path): return MyTurns(tmp_path)
```
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from typing import TYPE_CHECKING

from mnemic.domain.access import Delivery, OpenTurn, Receipt, ReceiptKind, Usage, Use

if TYPE_CHECKING:
    from mnemic.ports import TurnStore

NOON = datetime(2026, 5, 3, 12, tzinfo=timezone(timedelta(hours=2)))
MINUTE = timedelta(minutes=1)
_numbers = count()


def a_receipt(turn: OpenTurn, memory_id: str = "", revision: str = "") -> Receipt:
    """One that no other test has: of a read where there is an id, else of a search."""
    kind = ReceiptKind.READ if memory_id else ReceiptKind.SEARCH
    token = f"{kind[0]}-{next(_numbers):016}"
    return Receipt(token=token, kind=kind, turn=turn.id, issued_at=NOON, id=memory_id, revision=revision)


def read(store: TurnStore, turn: OpenTurn, memory_id: str = "a", *, characters: int = 1, most: int = 10) -> bool:
    """Take a read from the turn's budget of so many reads and ten times as many characters."""
    receipt = a_receipt(turn, memory_id, "1")
    return store.note_read(receipt, characters, most_reads=most, most_characters=10 * most)


class TurnStoreContract:
    """Inherit from it and give the fixture `store`: an empty `TurnStore`."""

    def test_before_anything_happened_there_is_nothing(self, store: TurnStore) -> None:
        assert store.current("mira") is None
        assert store.last_announced() is None
        assert store.receipt("s-aaaaaaaaaaaaaaaa") is None
        assert not store.was_given("s-aaaaaaaaaaaaaaaa")
        assert not store.was_found("", "a")
        assert store.deliveries("mira", 10) == []
        assert store.usage(["a"]) == {}
        assert store.frozen("mira") is None
        store.end("mira")
        store.erase(["a"])

    def test_a_turn_is_open_until_the_next_begins(self, store: TurnStore) -> None:
        first = store.begin("mira", NOON, announced=True)
        assert (first.conversation, first.begun_at, first.announced) == ("mira", NOON, True)
        assert (first.reads, first.characters) == (0, 0)
        assert store.current("mira") == first

        second = store.begin("mira", NOON + MINUTE, announced=False)

        assert second.id != first.id
        assert not second.announced
        assert store.current("mira") == second

    def test_conversations_have_turns_of_their_own(self, store: TurnStore) -> None:
        mira = store.begin("mira", NOON, announced=True)
        jonas = store.begin("jonas", NOON + MINUTE, announced=True)
        store.end("jonas")

        assert store.current("mira") == mira
        assert store.current("jonas") is None
        assert jonas.id != mira.id

    def test_a_turn_begins_instead_of_the_one_that_was_seen_and_of_no_other(self, store: TurnStore) -> None:
        """Two that come to the same decision get the same turn."""
        first = store.begin("mira", NOON, announced=False, instead_of="")
        assert store.begin("mira", NOON + MINUTE, announced=False, instead_of="") == first

        second = store.begin("mira", NOON + MINUTE, announced=False, instead_of=first.id)

        assert second.id != first.id
        assert store.begin("mira", NOON + MINUTE, announced=False, instead_of=first.id) == second
        store.end("mira")
        assert store.begin("mira", NOON + MINUTE, announced=False, instead_of=second.id).id != second.id

    def test_the_last_announcement_is_of_any_conversation(self, store: TurnStore) -> None:
        store.begin("mira", NOON, announced=True)
        store.begin("jonas", NOON + MINUTE, announced=True)
        store.begin("mira", NOON + 2 * MINUTE, announced=False)

        assert store.last_announced() == NOON + MINUTE

    def test_which_came_first_can_be_told_within_one_tick_of_the_clock(self, store: TurnStore) -> None:
        for _ in range(3):
            open_turn = store.begin("mira", NOON, announced=False)
            last = store.last_announced()
            assert last is None or last < open_turn.begun_at

            store.begin("jonas", NOON, announced=True)

            last = store.last_announced()
            assert last is not None
            assert open_turn.begun_at < last < NOON + MINUTE

    def test_a_clock_that_is_set_back_leaves_no_announcement_in_the_future(self, store: TurnStore) -> None:
        store.begin("jonas", NOON + 60 * MINUTE, announced=True)

        turn = store.begin("mira", NOON, announced=False)

        last = store.last_announced()
        assert last is not None
        assert last <= turn.begun_at == NOON

    def test_a_receipt_comes_back_as_long_as_its_turn_is_open(self, store: TurnStore) -> None:
        turn = store.begin("mira", NOON, announced=True)
        searched, was_read = a_receipt(turn), a_receipt(turn, "people/anna", "abc123")
        store.note_search(searched, ["people/anna"])
        assert store.note_read(was_read, 10, most_reads=10, most_characters=100)
        assert store.receipt(searched.token) == searched
        assert store.receipt(was_read.token) == was_read

        store.begin("mira", NOON + MINUTE, announced=True)

        for receipt in (searched, was_read):
            assert store.receipt(receipt.token) is None
            assert store.was_given(receipt.token)

    def test_an_ended_turn_holds_nothing(self, store: TurnStore) -> None:
        turn = store.begin("mira", NOON, announced=True)
        receipt = a_receipt(turn)
        store.note_search(receipt, ["a"])

        store.end("mira")

        assert store.current("mira") is None
        assert store.receipt(receipt.token) is None
        assert store.was_given(receipt.token)
        assert not store.was_found(turn.id, "a")
        assert not read(store, turn)

    def test_what_a_search_finds_after_its_turn_counts_for_nobody(self, store: TurnStore) -> None:
        turn = store.begin("mira", NOON, announced=True)
        later = store.begin("mira", NOON + MINUTE, announced=True)
        late = a_receipt(turn)

        store.note_search(late, ["a"])

        assert not store.was_found(turn.id, "a")
        assert not store.was_found(later.id, "a")
        assert store.receipt(late.token) is None
        assert store.was_given(late.token)

    def test_what_was_found_is_known_in_its_turn_only(self, store: TurnStore) -> None:
        mira = store.begin("mira", NOON, announced=True)
        jonas = store.begin("jonas", NOON + MINUTE, announced=True)
        store.note_search(a_receipt(mira), ["a", "b", "a"])
        store.note_search(a_receipt(mira), ["b", "c"])

        assert [each for each in "abcd" if store.was_found(mira.id, each)] == ["a", "b", "c"]
        assert not store.was_found(jonas.id, "a")

    def test_reads_are_taken_from_the_budget_until_it_is_spent(self, store: TurnStore) -> None:
        turn = store.begin("mira", NOON, announced=True)

        assert [read(store, turn, most=3) for _ in range(5)] == [True, True, True, False, False]

        open_now = store.current("mira")
        assert open_now is not None
        assert (open_now.reads, open_now.characters) == (3, 3)

    def test_a_read_that_is_too_long_for_what_is_left_takes_nothing(self, store: TurnStore) -> None:
        turn = store.begin("mira", NOON, announced=True)
        assert read(store, turn, characters=60)
        refused = a_receipt(turn, "b", "1")

        assert not store.note_read(refused, 41, most_reads=10, most_characters=100)
        assert not store.was_given(refused.token)
        assert read(store, turn, characters=40)

        open_now = store.current("mira")
        assert open_now is not None
        assert (open_now.reads, open_now.characters) == (2, 100)

    def test_the_next_turn_has_the_whole_budget_again(self, store: TurnStore) -> None:
        assert read(store, store.begin("mira", NOON, announced=True), characters=10, most=1)

        assert read(store, store.begin("mira", NOON + MINUTE, announced=True), characters=10, most=1)

    def test_deliveries_come_back_newest_first(self, store: TurnStore) -> None:
        several = [Delivery(id=f"notes/{n}", slot="user", why=f"word {n}", tokens=n) for n in range(3)]
        store.note_delivery("mira", NOON, several[:2])
        store.note_delivery("jonas", NOON, several[:1])
        store.note_delivery("mira", NOON + MINUTE, several[2:])
        store.note_delivery("mira", NOON + MINUTE, [])

        expected = [(NOON + MINUTE, several[2]), (NOON, several[1]), (NOON, several[0])]
        assert store.deliveries("mira", 10) == expected
        assert store.deliveries("mira", 2) == expected[:2]

    def test_uses_are_counted_by_kind(self, store: TurnStore) -> None:
        """An id that is given twice at once counts once."""
        store.note_use(["a", "b", "a"], Use.DELIVERED, NOON)
        store.note_use(["a"], Use.READ, NOON + MINUTE)
        store.note_use(["a"], Use.USED, NOON + 2 * MINUTE)
        store.note_use(["a"], Use.DELIVERED, NOON + 3 * MINUTE)
        store.note_use([], Use.USED, NOON)

        assert store.usage(["a", "b", "c"]) == {
            "a": Usage(delivered=2, read=1, used=1, last_at=NOON + 3 * MINUTE),
            "b": Usage(delivered=1, last_at=NOON),
        }

    def test_the_frozen_text_stays_over_turns_until_another_takes_its_place(self, store: TurnStore) -> None:
        store.freeze("mira", "first\n", ["a"], NOON)
        store.begin("mira", NOON, announced=True)
        store.end("mira")
        assert store.frozen("mira") == "first\n"

        store.freeze("mira", "", [], NOON)

        assert store.frozen("mira") == ""
        assert store.frozen("jonas") is None
        store.erase(["a"])
        assert store.frozen("mira") == ""

    def test_a_text_made_of_what_is_gone_is_dropped_and_counts_stay(self, store: TurnStore) -> None:
        store.freeze("mira", "of both", ["a", "b"], NOON)
        store.freeze("jonas", "of a part", ["a#x"], NOON)
        store.freeze("vera", "of the other", ["b"], NOON)
        store.note_use(["a"], Use.READ, NOON)

        store.thaw(["a"])

        assert [store.frozen(name) for name in ("mira", "jonas", "vera")] == [None, None, "of the other"]
        assert store.usage(["a"])["a"].read == 1

    def test_an_erased_memory_is_nowhere_and_the_others_stay(self, store: TurnStore) -> None:
        turn = store.begin("mira", NOON, announced=True)
        of_a, of_b = a_receipt(turn, "a", "1"), a_receipt(turn, "ab", "1")
        store.note_search(a_receipt(turn), ["a", "ab"])
        for receipt in (of_a, of_b):
            store.note_read(receipt, 5, most_reads=10, most_characters=100)
        store.note_use(["a", "ab"], Use.READ, NOON)
        store.note_delivery("mira", NOON, [Delivery(id=i, slot="", why="", tokens=1) for i in ("a", "ab")])
        store.freeze("mira", "of both", ["a", "ab"], NOON)
        store.freeze("jonas", "of one", ["ab"], NOON)

        store.erase(["a", "never heard of"])

        assert not store.was_found(turn.id, "a")
        assert store.receipt(of_a.token) is None
        assert store.receipt(of_b.token) == of_b
        assert store.was_found(turn.id, "ab")
        assert list(store.usage(["a", "ab"])) == ["ab"]
        assert [delivery.id for _, delivery in store.deliveries("mira", 10)] == ["ab"]
        assert store.frozen("mira") is None
        assert store.frozen("jonas") == "of one"
        still_open = store.current("mira")
        assert still_open is not None
        assert still_open.reads == 2  # forgetting gives no budget back

    def test_an_erased_session_takes_its_turns_along(self, store: TurnStore) -> None:
        ids = ["session:x", "session:x#1", "session:x#22", "session:xy", "session:xy#1"]
        store.note_use(ids, Use.DELIVERED, NOON)
        store.freeze("mira", "said in x", ["session:x#22"], NOON)
        store.freeze("x", "the same conversation", [], NOON)
        store.begin("x", NOON, announced=True)
        store.note_delivery("x", NOON, [Delivery(id="a", slot="", why="said in x", tokens=1)])

        store.erase(["session:x"])

        assert list(store.usage(ids)) == ["session:xy", "session:xy#1"]
        assert store.frozen("mira") is None
        assert store.frozen("x") is None
        assert store.current("x") is None
        assert store.deliveries("x", 10) == []

    def test_an_erased_turn_leaves_its_session_and_no_text_made_of_it_whole(self, store: TurnStore) -> None:
        ids = ["session:x", "session:x#1", "session:x#2", "session:x#22"]
        store.note_use(ids, Use.DELIVERED, NOON)
        store.freeze("mira", "of all that was said", ["session:x"], NOON)
        store.freeze("jonas", "of the first", ["session:x#1"], NOON)

        store.erase(["session:x#2"])

        assert list(store.usage(ids)) == ["session:x", "session:x#1", "session:x#22"]
        assert store.frozen("mira") is None
        assert store.frozen("jonas") == "of the first"

    def test_any_text_is_an_id_or_a_conversation(self, store: TurnStore) -> None:
        """Quotes, wildcards, signs of every script: data, and no part of a query."""
        odd = ["a'; drop table usage; --", "%", "_", "*", "люди/анна", "a\x00b", "", "🛶", 'x"y']
        for text in odd:
            turn = store.begin(text, NOON, announced=True)
            store.note_search(a_receipt(turn), odd)
            assert all(store.was_found(turn.id, each) for each in odd)
            store.freeze(text, text, [text], NOON)
        store.note_use(odd, Use.USED, NOON)
        assert list(store.usage(odd)) == odd

        store.erase(["%"])

        assert list(store.usage(odd)) == [each for each in odd if each != "%"]
        assert [store.frozen(each) for each in odd] == [each if each != "%" else None for each in odd]

    def test_two_hundred_calls_at_once_lose_nothing_and_keep_the_budget(self, store: TurnStore) -> None:
        turn = store.begin("mira", NOON, announced=True)

        def work(number: int) -> tuple[str, bool]:
            receipt = a_receipt(turn)
            store.note_search(receipt, [f"notes/{number}"])
            store.note_use(["a"], Use.READ, NOON.astimezone(UTC))
            return receipt.token, read(store, turn, characters=3)

        with ThreadPoolExecutor(20) as pool:
            done = list(pool.map(work, range(200)))

        assert sum(was_read for _, was_read in done) == 10
        assert all(store.receipt(token) for token, _ in done)
        assert all(store.was_found(turn.id, f"notes/{number}") for number in range(200))
        assert store.usage(["a"])["a"].read == 200
        open_now = store.current("mira")
        assert open_now is not None
        assert (open_now.reads, open_now.characters) == (10, 30)

    def test_many_that_open_the_same_turn_at_once_get_one(self, store: TurnStore) -> None:
        def work(_: int) -> str:
            return store.begin("mira", NOON, announced=False, instead_of="").id

        with ThreadPoolExecutor(20) as pool:
            assert len(set(pool.map(work, range(100)))) == 1
