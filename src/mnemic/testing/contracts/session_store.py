"""What every session store must do.

```python
class TestMySessions(SessionStoreContract):
    @pytest.fixture
    def store(self, tmp_path): return MySessions(tmp_path)
```
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from mnemic.domain.session import Conflict, Role, SessionHead, Turn
from mnemic.errors import InvalidSessionError, SessionNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.ports import SessionStore

HEAD = SessionHead(id="ferry", title="Ferry to Rømø", conversation="mira", source="chat", project="/home/mira")
NOON = datetime(2026, 5, 3, 12, tzinfo=timezone(timedelta(hours=2)))


def a_turn(number: int, text: str = "Moin!", *, source_id: str = "", session: str = HEAD.id) -> Turn:
    """A turn to store, a minute after the one before it."""
    at = NOON + timedelta(minutes=number % 1000)
    return Turn(session=session, number=number, at=at, speaker="Mira", role=Role.USER, text=text, source_id=source_id)


class SessionStoreContract:
    """Inherit from it and give the fixture `store`: an empty `SessionStore`."""

    def test_a_turn_comes_back_as_it_went_in(self, store: SessionStore) -> None:
        """Every field, with any text."""
        turn = Turn(
            session=HEAD.id,
            number=1,
            at=datetime(2026, 5, 3, 23, 59, 59, 123456, tzinfo=timezone(timedelta(hours=-9, minutes=-30))),
            speaker="Михаил 🛶",
            role=Role.ASSISTANT,
            text='a\r\nb\u2028c\x85d\x00e "quoted" \\n \ufeff é é',
            attachments=("a ferry at dusk", ""),
            source_id="D1:1",
        )
        appended = store.append(HEAD, [turn])
        session = store.read(HEAD.id)

        assert (appended.session, appended.added, appended.known) == (HEAD.id, 1, 0)
        assert session.turns == (turn,)
        assert session.turns[0].at.utcoffset() == turn.at.utcoffset()
        assert session.head == HEAD

    def test_appending_again_adds_nothing(self, store: SessionStore) -> None:
        """Known by source id, or by number where there is none."""
        turns = [a_turn(1), a_turn(2, source_id="b"), a_turn(3)]
        store.append(HEAD, turns)

        again = store.append(HEAD, turns)

        assert (again.added, again.known, again.conflicts) == (0, len(turns), ())
        assert list(store.read(HEAD.id).turns) == turns

    def test_a_longer_version_adds_what_is_new(self, store: SessionStore) -> None:
        """The first part of a growing conversation is known."""
        turns = [a_turn(n, f"turn {n}") for n in range(1, 6)]
        store.append(HEAD, turns[:3])

        appended = store.append(HEAD, turns)

        assert (appended.added, appended.known) == (2, 3)
        assert list(store.read(HEAD.id).turns) == turns

    def test_a_known_turn_with_another_text_is_a_conflict_and_the_stored_text_stands(self, store: SessionStore) -> None:
        """Nothing said is ever overwritten by an import."""
        store.append(HEAD, [a_turn(1, "at ten"), a_turn(0, "at noon", source_id="b")])

        appended = store.append(HEAD, [a_turn(7), a_turn(1, "at eleven"), a_turn(0, "at one", source_id="b")])

        assert appended.conflicts == (Conflict(position=1, number=1), Conflict(position=2, number=2))
        assert [turn.text for turn in store.read(HEAD.id).turns] == ["at ten", "at noon", "Moin!"]

    def test_the_same_moment_in_another_zone_is_no_conflict(self, store: SessionStore) -> None:
        """Moments are compared, not their spelling."""
        turn = a_turn(1)
        store.append(HEAD, [turn])
        elsewhere = Turn(
            session=HEAD.id, number=1, at=turn.at.astimezone(UTC), speaker="Mira", role=Role.USER, text=turn.text
        )
        assert store.append(HEAD, [elsewhere]).conflicts == ()

    def test_number_0_gets_the_next_free_number(self, store: SessionStore) -> None:
        """Which is one above the highest, not a gap."""
        store.append(HEAD, [a_turn(2, "two"), a_turn(0, "next", source_id="x"), a_turn(0, "after it")])

        assert [(turn.number, turn.text) for turn in store.read(HEAD.id).turns] == [
            (2, "two"),
            (3, "next"),
            (4, "after it"),
        ]

    def test_a_new_source_id_never_takes_the_number_of_another_turn(self, store: SessionStore) -> None:
        """Two turns that claim one number are both kept."""
        store.append(HEAD, [a_turn(1, "first", source_id="a"), a_turn(1, "second", source_id="b")])

        assert [turn.number for turn in store.read(HEAD.id).turns] == [1, 2]

    def test_turns_are_read_by_number_whatever_order_they_came_in(self, store: SessionStore) -> None:
        """And each with a line of its own."""
        store.append(HEAD, [a_turn(3), a_turn(1)])
        store.append(HEAD, [a_turn(2)])
        session = store.read(HEAD.id)

        assert [turn.number for turn in session.turns] == [1, 2, 3]
        assert len(set(session.lines)) == len(session.turns)

    def test_the_head_stands_as_first_written(self, store: SessionStore) -> None:
        """A later title does not replace it."""
        store.append(HEAD, [a_turn(1)])
        store.append(SessionHead(id=HEAD.id, title="Other"), [a_turn(2)])

        assert store.read(HEAD.id).head == HEAD

    def test_a_session_without_turns_is_not_made(self, store: SessionStore) -> None:
        """Nothing to keep, nothing kept."""
        assert store.append(HEAD, []).added == 0
        assert store.stamps() == []

    def test_all_turns_of_an_append_go_in_or_none(self, store: SessionStore) -> None:
        """A source that breaks off leaves the store as it was, for a new session and for an old one."""

        def breaking_off(text: str) -> Iterator[Turn]:
            yield a_turn(5, text)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.append(HEAD, breaking_off("new"))
        assert store.stamps() == []

        store.append(HEAD, [a_turn(1)])
        with pytest.raises(KeyboardInterrupt):
            store.append(HEAD, breaking_off("more"))
        assert [turn.number for turn in store.read(HEAD.id).turns] == [1]

    @pytest.mark.parametrize(
        "bad",
        [
            a_turn(1, session="another"),
            a_turn(-1),
            a_turn(10**12),
            Turn(session=HEAD.id, number=1, at=datetime(2026, 5, 3), speaker="", role=Role.USER, text=""),  # noqa: DTZ001
        ],
        ids=["another session", "negative number", "huge number", "no offset"],
    )
    def test_a_turn_that_cannot_be_kept_is_refused(self, store: SessionStore, bad: Turn) -> None:
        """With an error for the caller, and nothing stored."""
        with pytest.raises(InvalidSessionError):
            store.append(HEAD, [bad])
        assert store.stamps() == []

    def test_stamps_and_heads_list_every_session_by_id(self, store: SessionStore) -> None:
        """And a stamp's path leads to its session."""
        for name in ("b", "a-2", "a"):
            store.append(SessionHead(id=name), [a_turn(1, session=name)])

        assert [head.id for head in store.heads()] == ["a", "a-2", "b"]
        assert sorted(store.read_path(stamp.path).head.id for stamp in store.stamps()) == ["a", "a-2", "b"]
        assert [stamp.path for stamp in store.stamps()] == sorted(stamp.path for stamp in store.stamps())
        assert all(store.read_path(stamp.path).path == stamp.path for stamp in store.stamps())

    def test_a_stamp_changes_with_its_session_and_only_then(self, store: SessionStore) -> None:
        """So that a scan finds what to read again."""
        store.append(HEAD, [a_turn(1)])
        (before,) = store.stamps()
        store.append(HEAD, [a_turn(1)])
        (same,) = store.stamps()
        store.append(HEAD, [a_turn(2)])
        (after,) = store.stamps()

        assert same == before
        assert after != before

    def test_an_erased_turn_is_gone_and_the_others_keep_their_numbers(self, store: SessionStore) -> None:
        """Its number is not given again, not even when it was the last one."""
        store.append(HEAD, [a_turn(n, f"turn {n}") for n in (1, 2, 3)])

        assert store.erase(HEAD.id, [2, 3, 99]) == len([2, 3])
        store.append(HEAD, [a_turn(0, "new")])

        assert [(turn.number, turn.text) for turn in store.read(HEAD.id).turns] == [(1, "turn 1"), (4, "new")]
        assert store.erase(HEAD.id, [2]) == 0

    def test_an_import_does_not_bring_an_erased_turn_back(self, store: SessionStore) -> None:
        """Neither one known by number nor one known by its source id."""
        turns = [a_turn(1), a_turn(2, source_id="b"), a_turn(3)]
        store.append(HEAD, turns)
        store.erase(HEAD.id, [1, 2])

        again = store.append(HEAD, turns)

        assert (again.added, again.known, again.conflicts) == (0, 3, ())
        assert [turn.number for turn in store.read(HEAD.id).turns] == [3]

    def test_an_erased_session_is_gone(self, store: SessionStore) -> None:
        """And can be told how many turns it had."""
        store.append(HEAD, [a_turn(1), a_turn(2)])

        assert store.erase(HEAD.id) == len([1, 2])
        assert store.stamps() == []
        assert list(store.heads()) == []
        with pytest.raises(SessionNotFoundError):
            store.read(HEAD.id)

    @pytest.mark.parametrize("name", ["nobody", "../ferry", "", "Ferry", "a/b", "con"])
    def test_a_session_that_is_not_there_is_not_found(self, store: SessionStore, name: str) -> None:
        """Whatever its name looks like."""
        with pytest.raises(SessionNotFoundError):
            store.read(name)
        with pytest.raises(SessionNotFoundError):
            store.erase(name)
        with pytest.raises(SessionNotFoundError):
            store.read_path(f".mnemic/sessions/{name}.jsonl")
