"""What every memory store must do.

```python
class TestMyStore(MemoryStoreContract):
    @pytest.fixture
    def store(self, tmp_path): return MyStore(tmp_path)
```
"""

from __future__ import annotations

import threading
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from mnemic.domain.changes import ChangeSet, Put, Removal
from mnemic.domain.ids import MemoryId, Uid, memory_id, uuid7
from mnemic.domain.memory import Claim, Loading, Memory, Privacy, Scope, State
from mnemic.domain.outcomes import Result
from mnemic.domain.provenance import Origin, Provenance
from mnemic.domain.revision import revision
from mnemic.errors import (
    IdTakenError,
    InvalidIdError,
    InvalidMemoryError,
    MemoryChangedError,
    MemoryNotFoundError,
    MnemicError,
    NotFoundError,
)

if TYPE_CHECKING:
    from mnemic.domain.documents import Located
    from mnemic.ports import MemoryStore

NOON = datetime(2026, 5, 3, 12, tzinfo=timezone(timedelta(hours=2)))


def a_memory(name: str = "people/anna-berg", **fields: object) -> Memory:
    """A memory to store; every one has a uid of its own."""
    wanted: dict[str, object] = {
        "uid": uuid7(),
        "id": memory_id(name),
        "kind": "person",
        "title": "Anna Berg",
        "body": "Anna is a cardiologist in Bergen.",
        "recorded_at": NOON,
        "changed_at": NOON,
    }
    return Memory(**{**wanted, **fields})  # type: ignore[arg-type]


def create(store: MemoryStore, *memories: Memory) -> tuple[Located, ...]:
    """Put new memories in, in one change set."""
    return store.apply(ChangeSet(puts=tuple(map(Put, memories)))).written


def names(store: MemoryStore) -> list[str]:
    """The ids of everything in the store, by path."""
    return [located.memory.id for stamp in store.stamps() for located in store.read(stamp.path).memories]


class MemoryStoreContract:
    """Inherit from it and give the fixture `store`: an empty `MemoryStore` that can be written."""

    def test_a_new_store_has_nothing_and_is_healthy(self, store: MemoryStore) -> None:
        assert store.stamps() == []
        assert store.check().healthy
        assert store.location
        assert not store.read_only

    def test_what_was_put_is_found_by_its_id_and_by_its_path(self, store: MemoryStore) -> None:
        memory = a_memory()

        (written,) = create(store, memory)

        found = store.find("people/anna-berg")
        assert found == written
        assert revision(found.memory) == found.revision == revision(memory)
        assert (found.memory.uid, found.memory.title, found.memory.body) == (memory.uid, memory.title, memory.body)
        assert store.read(found.path).memories == (found,)
        assert [stamp.path for stamp in store.stamps()] == [found.path]

    def test_every_field_comes_back(self, store: MemoryStore) -> None:
        memory = a_memory(
            kind="outcome",
            title="Tea: yes, #1 \N{HOT BEVERAGE}",
            body="# Head\n\n---\n\nلا شيء · 東京 · ёж\n",
            description="One line: with a colon",
            tags=("a", "no", "1984"),
            resource="https://example.org/a?b=c#d",
            valid_from=NOON,
            valid_until=NOON + timedelta(days=3, microseconds=7),
            due=NOON + timedelta(days=1),
            state=State.QUARANTINED,
            salience=0.9,
            confidence=0.25,
            privacy=Privacy.PUBLIC,
            provenance=Provenance.of(
                Origin.WEB, locator="https://example.org", verified=True, session="s", turns=(1, 3)
            ),
            claim=Claim("city", "Oslo"),
            scope=Scope(user="u", project="p"),
            loading=Loading.ALWAYS,
            auto_invoke=True,
            user_invocable=False,
            requires=("knowledge/tea",),
            outcome_of="notes/tea",
            result=Result.FAILED,
            extra={"mood": "calm", "nested": {"list": ["x", "y"]}},
        )

        create(store, memory)

        found = store.find(memory.id)
        assert found.revision == revision(memory)
        assert replace(found.memory, body=memory.body) == replace(
            memory,
            recorded_at=memory.recorded_at.astimezone(UTC),
            changed_at=found.memory.changed_at,
        )

    @pytest.mark.parametrize(
        "spelling",
        ["Zoë/Straße-Ångström", "ZOË/STRASSE-ÅNGSTRÖM", unicodedata.normalize("NFD", "zoë/straße-ångström")],
    )
    def test_an_id_is_found_in_any_case_and_normalization(self, store: MemoryStore, spelling: str) -> None:
        (written,) = create(store, a_memory("zoë/straße-ångström"))

        assert store.find(spelling) == written

    @pytest.mark.parametrize("name", ["nobody", "people/nobody", "people/anna-berg/deeper"])
    def test_an_unknown_id_is_not_found(self, store: MemoryStore, name: str) -> None:
        create(store, a_memory())

        with pytest.raises(MemoryNotFoundError):
            store.find(name)

    @pytest.mark.parametrize("name", ["", "../secret", "/etc/passwd", "people/../../x", "people/.hidden", "people//x"])
    def test_an_id_that_no_memory_may_have_is_refused(self, store: MemoryStore, name: str) -> None:
        with pytest.raises(InvalidIdError):
            store.find(name)

    @pytest.mark.parametrize("name", ["index", "people/log", "../secret", "a" * 300, "con", "_staging/x", "a\0b"])
    def test_nothing_is_written_under_an_id_that_no_memory_may_have(self, store: MemoryStore, name: str) -> None:
        memory = replace(a_memory(), id=MemoryId(name))

        with pytest.raises(InvalidIdError):
            create(store, memory)

        assert store.stamps() == []

    def test_a_document_that_is_gone_cannot_be_read(self, store: MemoryStore) -> None:
        with pytest.raises(NotFoundError):
            store.read("people/nobody.md")

    def test_a_new_memory_cannot_take_an_id_in_use(self, store: MemoryStore) -> None:
        (written,) = create(store, a_memory())

        with pytest.raises(IdTakenError) as refused:
            create(store, a_memory(body="Another Anna."))

        assert refused.value.taken_by == written.path
        assert store.find("people/anna-berg") == written

    @pytest.mark.parametrize("other", ["people/ANNA-BERG", "people/ａnna-berg"])
    def test_ids_that_some_system_cannot_keep_apart_collide(self, store: MemoryStore, other: str) -> None:
        create(store, a_memory())

        with pytest.raises(IdTakenError):
            create(store, replace(a_memory(), id=MemoryId(other)))

    def test_an_edit_takes_the_revision_that_was_read(self, store: MemoryStore) -> None:
        (first,) = create(store, a_memory())
        edited = first.memory.changed(NOON + timedelta(days=1), body="Anna moved to Oslo.")

        applied = store.apply(ChangeSet(puts=(Put(edited, first.revision),)))

        (second,) = applied.written
        assert second == store.find("people/anna-berg")
        assert second.memory.body == "Anna moved to Oslo."
        assert second.memory.changed_at == NOON + timedelta(days=1)
        assert second.memory.recorded_at == first.memory.recorded_at
        assert second.revision != first.revision

    def test_an_edit_moves_the_stamp(self, store: MemoryStore) -> None:
        (first,) = create(store, a_memory())
        before = store.stamps()

        store.apply(ChangeSet(puts=(Put(first.memory.changed(NOON, title="Anna Dahl"), first.revision),)))

        assert store.stamps() != before

    def test_a_stale_revision_is_a_conflict_and_changes_nothing(self, store: MemoryStore) -> None:
        (first,) = create(store, a_memory())
        (second,) = store.apply(
            ChangeSet(puts=(Put(first.memory.changed(NOON, body="Second."), first.revision),))
        ).written

        with pytest.raises(MemoryChangedError) as refused:
            store.apply(ChangeSet(puts=(Put(first.memory.changed(NOON, body="Third."), first.revision),)))

        assert (refused.value.expected, refused.value.found) == (first.revision, second.revision)
        assert store.find("people/anna-berg") == second

    def test_an_edit_of_a_memory_that_is_gone_is_a_conflict(self, store: MemoryStore) -> None:
        (first,) = create(store, a_memory())
        store.apply(ChangeSet(removals=(Removal(first.memory.id, first.revision),)))

        with pytest.raises(MemoryChangedError) as refused:
            store.apply(ChangeSet(puts=(Put(first.memory, first.revision),)))

        assert refused.value.found is None
        assert store.stamps() == []

    def test_a_put_that_changes_nothing_writes_nothing(self, store: MemoryStore) -> None:
        (first,) = create(store, a_memory())
        before = store.stamps()

        later = first.memory.changed(NOON + timedelta(days=9))
        applied = store.apply(ChangeSet(puts=(Put(later, first.revision),)))

        assert applied.unchanged == (first,)
        assert applied.written == ()
        assert store.stamps() == before
        assert store.find("people/anna-berg").memory.changed_at == NOON

    def test_a_removal_takes_the_memory_away(self, store: MemoryStore) -> None:
        anna, bob = create(store, a_memory(), a_memory("people/bob", title="Bob"))

        applied = store.apply(ChangeSet(removals=(Removal(anna.memory.id, anna.revision),)))

        assert applied.removed == (anna.memory.id,)
        assert names(store) == [bob.memory.id]
        with pytest.raises(NotFoundError):
            store.read(anna.path)

    def test_a_removal_takes_the_revision_that_was_read(self, store: MemoryStore) -> None:
        (first,) = create(store, a_memory())

        with pytest.raises(MemoryChangedError):
            store.apply(ChangeSet(removals=(Removal(first.memory.id, "0" * 64),)))

        assert store.find("people/anna-berg") == first

    def test_an_id_is_free_again_after_its_removal(self, store: MemoryStore) -> None:
        (first,) = create(store, a_memory())
        store.apply(ChangeSet(removals=(Removal(first.memory.id, first.revision),)))

        (again,) = create(store, a_memory(body="A new Anna."))

        assert store.find("people/anna-berg") == again

    def test_puts_and_removals_go_together(self, store: MemoryStore) -> None:
        old, kept = create(store, a_memory("notes/old"), a_memory("notes/kept"))
        edited = kept.memory.changed(NOON, body="Edited.")

        applied = store.apply(
            ChangeSet(
                puts=(Put(a_memory("notes/new")), Put(edited, kept.revision)),
                removals=(Removal(old.memory.id, old.revision),),
            )
        )

        assert [located.memory.id for located in applied.written] == ["notes/new", "notes/kept"]
        assert names(store) == ["notes/kept", "notes/new"]

    def test_one_conflict_stops_all_of_a_change_set(self, store: MemoryStore) -> None:
        first, second = create(store, a_memory("notes/a"), a_memory("notes/b"))
        before = store.stamps()

        with pytest.raises(MemoryChangedError):
            store.apply(
                ChangeSet(
                    puts=(Put(a_memory("notes/c")), Put(first.memory.changed(NOON, body="Edited."), first.revision)),
                    removals=(Removal(second.memory.id, "0" * 64),),
                )
            )

        assert store.stamps() == before
        assert store.find("notes/a") == first

    def test_one_id_twice_in_a_change_set_is_refused(self, store: MemoryStore) -> None:
        with pytest.raises((IdTakenError, InvalidMemoryError)):
            create(store, a_memory("notes/a"), a_memory("notes/a"))
        assert store.stamps() == []

        (first,) = create(store, a_memory("notes/a"))
        with pytest.raises((IdTakenError, InvalidMemoryError)):
            store.apply(
                ChangeSet(
                    puts=(Put(first.memory.changed(NOON, body="Edited."), first.revision),),
                    removals=(Removal(first.memory.id, first.revision),),
                )
            )
        assert store.find("notes/a") == first

    def test_an_empty_change_set_does_nothing(self, store: MemoryStore) -> None:
        applied = store.apply(ChangeSet())

        assert (applied.written, applied.unchanged, applied.removed) == ((), (), ())

    def test_stamps_come_by_path(self, store: MemoryStore) -> None:
        create(store, *(a_memory(name) for name in ("z/z", "a/b/c", "a-b", "a/a", "ä")))

        paths = [stamp.path for stamp in store.stamps()]

        assert paths == sorted(paths)
        assert len(paths) == 5

    def test_two_memories_with_one_uid_are_a_problem(self, store: MemoryStore) -> None:
        uid = Uid("01890a5d-ac96-774b-bcce-b302099a8057")
        create(store, a_memory("notes/a", uid=uid), a_memory("notes/b", uid=uid))

        report = store.check()

        assert [problem.code for problem in report.problems] == ["duplicate_uid"]
        assert report.documents == 2
        assert not report.healthy

    def test_a_repair_of_a_healthy_store_changes_nothing(self, store: MemoryStore) -> None:
        create(store, a_memory())
        before = store.stamps()

        report = store.check(repair=True)

        assert report.healthy
        assert (report.repaired, report.recovered_copies) == ((), ())
        assert store.stamps() == before

    def test_of_many_threads_editing_one_memory_none_overwrites_another(self, store: MemoryStore) -> None:
        create(store, a_memory(body="0"))
        outcomes: list[str] = []

        def count() -> None:
            for _ in range(5):
                found = store.find("people/anna-berg")
                more = found.memory.changed(NOON, body=str(int(found.memory.body) + 1))
                try:
                    store.apply(ChangeSet(puts=(Put(more, found.revision),)))
                    outcomes.append("written")
                except MemoryChangedError:
                    outcomes.append("conflict")
                except MnemicError as error:
                    outcomes.append(repr(error))

        threads = [threading.Thread(target=count) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert set(outcomes) <= {"written", "conflict"}
        assert int(store.find("people/anna-berg").memory.body) == outcomes.count("written") > 0
