"""What an agent may do in a turn: nothing new before a search, no change before a search and a read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rooms import SetClock, an_app

from mnemic.adapters.sqlite.state import SqliteTurns
from mnemic.domain.access import Budget
from mnemic.domain.policy import Limits
from mnemic.errors import AccessRefusedError, BudgetSpentError, StorageError
from mnemic.services.context.gate import TURN_MINUTES, Gate
from mnemic.testing.turn_store import InMemoryTurns

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from mnemic.domain.access import OpenTurn
    from mnemic.ports import TurnStore

FORGED = "s-abcdefghijklmnop"


@pytest.fixture(params=["memory", "sqlite"])
def turns(request: pytest.FixtureRequest, tmp_path: Path) -> TurnStore:
    return InMemoryTurns() if request.param == "memory" else SqliteTurns(tmp_path / "state.db")


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def gate(turns: TurnStore, clock: SetClock) -> Gate:
    return a_gate(turns, clock)


def a_gate(
    turns: TurnStore, clock: SetClock, conversation: str = "mira", *, follows: bool = False, **limits: int
) -> Gate:
    return Gate(turns=turns, clock=clock, limits=Limits(**limits), conversation=conversation, follows=follows)


def refused(attempt: Callable[[], object]) -> AccessRefusedError:
    with pytest.raises(AccessRefusedError) as told:
        attempt()
    assert told.value.hint.startswith("Call memory_")
    assert "\n" not in told.value.message + told.value.hint
    return told.value


# -- the rules ---------------------------------------------------------------------------------------------------


def test_with_the_receipt_of_a_search_something_new_may_be_written(gate: Gate) -> None:
    gate.begin()

    gate.check_create(gate.searched([]))


def test_with_the_receipt_of_the_read_what_was_found_may_be_changed(gate: Gate) -> None:
    gate.begin()
    gate.searched(["people/anna", "people/jonas"])

    receipt = gate.read("people/anna", "abc123", 100)

    assert gate.check_change(receipt, "people/anna") == "abc123"
    assert gate.check_change(f" {receipt}\n", "people/anna") == "abc123"


def test_a_search_after_the_read_does_as_well(gate: Gate) -> None:
    receipt = gate.read("people/anna", "abc123", 100)
    gate.searched(["people/anna"])

    assert gate.check_change(receipt, "people/anna") == "abc123"


def test_each_receipt_is_of_the_revision_that_was_read(gate: Gate) -> None:
    gate.searched(["people/anna"])
    old, new = gate.read("people/anna", "old", 1), gate.read("people/anna", "new", 1)

    assert (gate.check_change(old, "people/anna"), gate.check_change(new, "people/anna")) == ("old", "new")


def test_what_is_missing_is_named(gate: Gate, turns: TurnStore, clock: SetClock) -> None:
    gate.begin()
    other = a_gate(turns, clock, "jonas")
    search, read = gate.searched(["people/anna"]), gate.read("people/anna", "abc123", 1)
    unfound = gate.read("people/jonas", "abc123", 1)
    foreign = other.searched(["people/anna"])

    for check, expected in [
        (lambda: gate.check_create(""), "No search receipt was given"),
        (lambda: gate.check_create(" "), "No search receipt was given"),
        (lambda: gate.check_create("people/anna"), "This is no receipt"),
        (lambda: gate.check_create(search.upper()), "This is no receipt"),
        (lambda: gate.check_create(FORGED), "never given"),
        (lambda: gate.check_create(foreign), "another conversation"),
        (lambda: gate.check_create(read), "the receipt of a read"),
        (lambda: gate.check_change("", "people/anna"), "No read receipt was given"),
        (lambda: gate.check_change("yes", "people/anna"), "This is no receipt"),
        (lambda: gate.check_change(FORGED, "people/anna"), "never given"),
        (lambda: gate.check_change(search, "people/anna"), "the receipt of a search"),
        (lambda: gate.check_change(read, "people/jonas"), "of people/anna, not of people/jonas"),
        (lambda: gate.check_change(unfound, "people/jonas"), "no search of this turn found it"),
    ]:
        assert expected in refused(check).message

    gate.begin()

    assert "a turn that has ended" in refused(lambda: gate.check_create(search)).message
    assert "a turn that has ended" in refused(lambda: gate.check_change(read, "people/anna")).message


def test_nobody_learns_a_receipt_by_asking_without_one(gate: Gate) -> None:
    first, second = refused(lambda: gate.check_create("")), refused(lambda: gate.check_create(""))

    assert first.message == second.message


@given(st.one_of(st.text(max_size=40), st.from_regex(r"[sr]-[a-z2-7]{16}", fullmatch=True)))
def test_no_text_that_was_not_given_opens_anything(forged: str) -> None:
    gate = a_gate(InMemoryTurns(), SetClock())
    gate.searched(["a"])
    gate.read("a", "1", 1)

    refused(lambda: gate.check_create(forged))
    refused(lambda: gate.check_change(forged, "a"))


# -- the budget --------------------------------------------------------------------------------------------------


def test_ten_memories_are_read_in_a_turn_and_no_eleventh(gate: Gate) -> None:
    for number in range(10):
        gate.check_budget()
        assert gate.read(f"notes/{number}", "1", 100)
    assert gate.left() == Budget(0, 44_000)

    with pytest.raises(BudgetSpentError, match="10 memories were read"):
        gate.check_budget()
    with pytest.raises(BudgetSpentError, match="10 memories were read"):
        gate.read("notes/10", "1", 100)

    gate.begin()
    gate.check_budget()
    assert gate.left() == Budget(10, 45_000)


def test_no_more_characters_are_read_than_a_turn_allows(gate: Gate) -> None:
    gate.read("notes/long", "1", 44_000)

    with pytest.raises(BudgetSpentError, match=r"notes/next has 1,001 characters; 1,000 may still be read"):
        gate.read("notes/next", "1", 1_001)
    assert gate.read("notes/next", "1", 1_000)
    with pytest.raises(BudgetSpentError, match="45,000 characters were read"):
        gate.check_budget()


def test_the_limits_are_those_of_the_bundle(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory", "limits.turn_reads=1", "limits.turn_characters_read=7")

    assert app.gate("mira").left() == Budget(1, 7)


def test_two_hundred_calls_at_once_open_one_turn_and_keep_its_budget(turns: TurnStore, clock: SetClock) -> None:
    gates = [a_gate(turns, clock) for _ in range(4)]

    def work(number: int) -> tuple[str, str]:
        gate = gates[number % 4]
        search = gate.searched([f"notes/{number}"])
        try:
            return search, gate.read(f"notes/{number}", "1", 10)
        except BudgetSpentError:
            return search, ""

    with ThreadPoolExecutor(20) as pool:
        done = list(pool.map(work, range(200)))

    for search, _ in done:
        gates[0].check_create(search)
    changeable = [number for number, (_, read) in enumerate(done) if read]
    assert len(changeable) == 10
    assert all(gates[1].check_change(done[number][1], f"notes/{number}") == "1" for number in changeable)


# -- when a turn ends --------------------------------------------------------------------------------------------


def test_an_announced_turn_lasts_until_the_next(gate: Gate, clock: SetClock) -> None:
    gate.begin()
    receipt = gate.searched([])
    clock.move(hours=20)
    gate.check_create(receipt)

    gate.end()

    assert "ended" in refused(lambda: gate.check_create(receipt)).message


def test_a_turn_that_nobody_announced_ends_after_half_an_hour(gate: Gate, clock: SetClock) -> None:
    receipt = gate.searched([])
    clock.move(minutes=TURN_MINUTES, seconds=-1)
    gate.check_create(receipt)

    clock.move(seconds=1)

    assert "ended" in refused(lambda: gate.check_create(receipt)).message
    assert gate.current().begun_at == clock.at


def test_who_follows_has_a_new_turn_when_one_is_announced_anywhere(turns: TurnStore, clock: SetClock) -> None:
    """Also within one tick of the clock."""
    follower, hook = a_gate(turns, clock, "client", follows=True), a_gate(turns, clock, "prompt")
    for _ in range(3):
        receipt = follower.searched([])
        follower.check_create(receipt)

        hook.begin()

        assert "ended" in refused(lambda given=receipt: follower.check_create(given)).message  # type: ignore[misc]


def test_who_does_not_follow_keeps_its_turn(turns: TurnStore, clock: SetClock) -> None:
    gate = a_gate(turns, clock)
    receipt = gate.searched([])

    a_gate(turns, clock, "prompt").begin()

    gate.check_create(receipt)


def test_a_follower_that_begins_a_turn_ends_no_other(turns: TurnStore, clock: SetClock) -> None:
    one, other = (a_gate(turns, clock, name, follows=True) for name in ("one", "other"))
    receipt, own = one.searched([]), other.searched([])

    assert not other.begin().announced

    one.check_create(receipt)
    refused(lambda: other.check_create(own))


def test_a_clock_that_is_set_back_ends_what_began_in_the_future_and_nothing_later(
    turns: TurnStore, clock: SetClock
) -> None:
    follower = a_gate(turns, clock, "client", follows=True)
    a_gate(turns, clock, "prompt").begin()
    old = follower.searched([])

    clock.move(days=-1)

    refused(lambda: follower.check_create(old))
    follower.check_create(follower.searched([]))


# -- where nothing can be kept -----------------------------------------------------------------------------------


class Broken(InMemoryTurns):
    """A store whose disk is full while `full`."""

    full = True

    def begin(self, *given: object, **options: object) -> OpenTurn:
        self._check()
        return super().begin(*given, **options)  # type: ignore[arg-type]

    def note_search(self, *given: object) -> None:
        self._check()
        super().note_search(*given)  # type: ignore[arg-type]

    def note_read(self, *given: object, **options: object) -> bool:
        self._check()
        return super().note_read(*given, **options)  # type: ignore[arg-type]

    def _check(self) -> None:
        if self.full:
            raise StorageError("The disk is full.", hint="Make room.")


def test_where_nothing_can_be_kept_one_searches_and_reads_and_may_not_write(clock: SetClock) -> None:
    gate = a_gate(Broken(), clock)

    assert gate.begin().id == ""
    assert gate.searched(["a"]) == ""
    gate.check_budget()
    assert gate.read("a", "1", 10) == ""
    assert gate.left() == Budget(10, 45_000)
    for check in (lambda: gate.check_create(""), lambda: gate.check_change("", "a")):
        with pytest.raises(StorageError, match="The disk is full"):
            check()


def test_a_disk_that_fills_up_within_a_turn_is_given_as_the_reason(clock: SetClock) -> None:
    turns = Broken()
    turns.full = False
    gate = a_gate(turns, clock)
    gate.begin()

    turns.full = True

    with pytest.raises(StorageError, match="The disk is full"):
        gate.check_create(gate.searched([]))


def test_a_turn_whose_beginning_could_not_be_kept_ends_the_one_before_all_the_same(clock: SetClock) -> None:
    turns = Broken()
    turns.full = False
    gate = a_gate(turns, clock)
    gate.begin()
    receipt = gate.searched([])
    turns.full = True
    gate.begin()

    turns.full = False

    refused(lambda: gate.check_create(receipt))
    gate.check_create(gate.searched([]))


# -- any sequence ------------------------------------------------------------------------------------------------

IDS = ("a", "b", "c")
REVISION = "1"
STEPS = st.one_of(
    st.tuples(st.just("begin")),
    st.tuples(st.just("end")),
    st.tuples(st.just("announce")),
    st.tuples(st.just("wait"), st.sampled_from([7, 31])),
    st.tuples(st.just("search"), st.sets(st.sampled_from(IDS))),
    st.tuples(st.just("read"), st.sampled_from(IDS), st.integers(0, 60)),
    st.tuples(st.just("create"), st.integers(0, 20)),
    st.tuples(st.just("change"), st.integers(0, 20), st.sampled_from(IDS)),
)


class Played:
    """A conversation beside what the rules say of it, told once more in the plainest way."""

    def __init__(self, *, follows: bool) -> None:
        self.turns, self.clock = InMemoryTurns(), SetClock()
        self.gate = a_gate(self.turns, self.clock, follows=follows, turn_reads=3, turn_characters_read=100)
        self.tokens = [FORGED]
        self.begun: datetime | None = None
        self.announced = False
        self.found: set[str] = set()
        self.given: dict[str, str] = {}
        self.reads = self.characters = 0

    def begin(self) -> None:
        self.gate.begin()
        self._expect_turn(announced=not self.gate.follows)

    def end(self) -> None:
        self.gate.end()
        self.begun = None

    def announce(self) -> None:
        a_gate(self.turns, self.clock, "other").begin()
        if self.gate.follows:
            self.begun = None

    def wait(self, minutes: int) -> None:
        self.clock.move(minutes=minutes)

    def search(self, ids: set[str]) -> None:
        self._expect_some_turn()
        token = self.gate.searched(ids)
        self.tokens.append(token)
        self.found |= ids
        self.given[token] = ""

    def read(self, memory_id: str, characters: int) -> None:
        self._expect_some_turn()
        fits = self.reads < 3 and self.characters + characters <= 100
        try:
            token = self.gate.read(memory_id, REVISION, characters)
        except BudgetSpentError:
            assert not fits
        else:
            assert fits
            self.tokens.append(token)
            self.given[token] = memory_id
            self.reads, self.characters = self.reads + 1, self.characters + characters
        assert self.gate.left() == Budget(3 - self.reads, 100 - self.characters)

    def create(self, choice: int) -> None:
        self._expect_some_turn()
        token = self.tokens[choice % len(self.tokens)]
        assert allowed(lambda: self.gate.check_create(token)) == (self.given.get(token) == "")

    def change(self, choice: int, memory_id: str) -> None:
        self._expect_some_turn()
        token = self.tokens[choice % len(self.tokens)]
        may = self.given.get(token) == memory_id and memory_id in self.found
        assert allowed(lambda: self.gate.check_change(token, memory_id)) == may

    def _expect_turn(self, *, announced: bool) -> None:
        self.begun, self.announced = self.clock.at, announced
        self.found, self.given = set(), {}
        self.reads = self.characters = 0

    def _expect_some_turn(self) -> None:
        late = self.begun is not None and self.clock.at - self.begun > timedelta(minutes=TURN_MINUTES)
        if self.begun is None or (late and not self.announced):
            self._expect_turn(announced=False)


def allowed(check: Callable[[], object]) -> bool:
    try:
        return check() in {None, REVISION}
    except AccessRefusedError:
        return False


@given(st.lists(STEPS, max_size=40), st.booleans())
def test_after_any_sequence_only_what_the_rules_allow_is_allowed(steps: list[tuple[Any, ...]], follows: bool) -> None:  # noqa: FBT001
    played = Played(follows=follows)
    for name, *values in steps:
        getattr(played, name)(*values)
