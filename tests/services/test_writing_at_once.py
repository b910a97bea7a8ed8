"""Several who write at the same moment: nothing of anybody is lost, and what two say alike is kept once."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rooms import an_app, documents, found, keep

from mnemic.domain.drafts import Draft
from mnemic.errors import MemoryChangedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.app import App
    from mnemic.domain.documents import Stamp
    from mnemic.domain.memory import Memory

PROGRAM = """
import json, sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from rooms import an_app
from mnemic.domain.drafts import Draft
app = an_app(Path({root!r}))
number = int(sys.argv[1])
app.recall("warm up: every module is loaded now")
print("ready", flush=True)
sys.stdin.readline()
done = {act}
print(json.dumps([done.created, done.memory.id, [warning.code for warning in done.warnings]]))
"""


@pytest.fixture
def app(tmp_path: Path) -> App:
    return an_app(tmp_path / "memory")


def at_once(app: App, count: int, act: str) -> list[tuple[bool, str, list[str]]]:
    """What `act` gave in each of `count` processes that began it together."""
    code = textwrap.dedent(PROGRAM).format(tests=str(Path(__file__).parent), root=str(app.root), act=act)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(number)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for number in range(count)
    ]  # fmt: skip
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    results = []
    for process in running:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        created, name, codes = json.loads(out)
        results.append((created, name, codes))
    return results


# -- edits -------------------------------------------------------------------------------------------------------


def test_eight_who_add_a_tag_at_once_lose_none(app: App) -> None:
    keep(app, "tea", "Anna prefers green tea.")

    at_once(app, 8, "app.edit('notes/tea', lambda memory: {'tags': (*memory.tags, f't{number}')})")

    located = app.show("notes/tea").memory
    assert located is not None
    assert sorted(located.memory.tags) == [f"t{number}" for number in range(8)]


def test_a_change_is_made_anew_to_what_somebody_else_left(app: App) -> None:
    keep(app, "tea", "Anna prefers green tea.")
    other = an_app(app.root)
    seen: list[tuple[str, ...]] = []

    def change(memory: Memory) -> dict[str, object]:
        if not seen:
            other.edit("notes/tea", lambda _: {"tags": ("theirs",)})
        seen.append(memory.tags)
        return {"tags": (*memory.tags, "ours")}

    done = app.edit("notes/tea", change)

    assert seen == [(), ("theirs",)]
    assert done.memory.tags == ("theirs", "ours")


def test_a_change_to_an_expected_revision_is_never_made_to_another(app: App) -> None:
    kept = keep(app, "tea", "Anna prefers green tea.")
    other = an_app(app.root)

    def change(_: Memory) -> dict[str, object]:
        other.edit("notes/tea", lambda _: {"tags": ("theirs",)})
        return {"tags": ("ours",)}

    with pytest.raises(MemoryChangedError):
        app.edit("notes/tea", change, expect=kept.revision)

    located = app.show("notes/tea").memory
    assert located is not None
    assert located.memory.tags == ("theirs",)


def test_a_memory_that_changes_at_every_look_is_given_up(app: App) -> None:
    keep(app, "tea", "Anna prefers green tea.")
    other = an_app(app.root)

    def change(memory: Memory) -> dict[str, object]:
        other.edit("notes/tea", lambda _: {"body": f"{memory.body} Again."})
        return {"tags": ("ours",)}

    with pytest.raises(MemoryChangedError):
        app.edit("notes/tea", change)


# -- new memories ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("attempt", range(3))
def test_two_who_say_the_same_at_once_are_told_apart_and_one_file_is_written(app: App, attempt: int) -> None:
    said = f"Runa keeps {attempt + 2} bees behind the lighthouse."

    done = at_once(app, 2, f"app.remember(Draft(body={said!r}))")

    assert sorted(created for created, _, _ in done) == [False, True]
    assert len({name for _, name, _ in done}) == 1
    assert [codes for created, _, codes in done if not created] == [["duplicate"]]
    assert len([name for name in documents(app.root) if name.startswith("notes/runa")]) == 1


def test_six_who_say_different_things_under_one_title_at_once_are_all_heard(app: App) -> None:
    done = at_once(app, 6, "app.remember(Draft(title='Bees', body=f'Hive{number} moved to field{number}.'))")

    assert [created for created, _, _ in done] == [True] * 6
    assert len({name for _, name, _ in done}) == 6
    for number in range(6):
        assert found(app, f'"hive{number}"')


def test_what_somebody_wrote_between_the_choice_of_an_id_and_the_writing_is_seen(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = an_app(app.root)
    propose = app.bundle.store.propose_id

    def late(kind: str, title: str) -> str:
        chosen = propose(kind, title)
        other.remember(Draft(body="Runa keeps bees."))
        return chosen

    monkeypatch.setattr(app.bundle.store, "propose_id", late)

    done = app.remember(Draft(body="Runa keeps bees."))

    assert (done.created, done.memory.id) == (False, "notes/runa-keeps-bees")


# -- looking while somebody writes -----------------------------------------------------------------------------------


def test_what_is_written_while_another_looks_is_not_taken_for_deleted(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other has listed the documents when it appears, and reads the index when that knows it."""
    keep(app, "tea", "Anna prefers green tea.")
    other, looked = an_app(app.root), app.bundle.store.stamps
    app.edit("notes/tea", lambda _: {"tags": ("warm",)})

    def slowly() -> Sequence[Stamp]:
        monkeypatch.undo()
        stamps = looked()
        keep(other, "cocoa", "Boris prefers cocoa.")
        return stamps

    monkeypatch.setattr(app.bundle.store, "stamps", slowly)
    found(app, "cocoa")

    assert [told.version.number for told in app.past.history("notes/cocoa").versions] == [1]


def test_nor_when_it_makes_up_for_what_is_owed(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(app, "tea", "Anna prefers green tea.")
    other, looked = an_app(app.root), app.bundle.store.stamps
    found(app, "tea")
    app.bundle.owed.note()
    calls = 0

    def slowly() -> Sequence[Stamp]:
        nonlocal calls
        calls += 1
        stamps = looked()
        if calls == 2:  # the first looks whether anything changed
            keep(other, "cocoa", "Boris prefers cocoa.")
        return stamps

    monkeypatch.setattr(app.bundle.store, "stamps", slowly)
    found(app, "tea")
    monkeypatch.undo()

    assert not app.bundle.owed
    assert [told.version.number for told in app.past.history("notes/cocoa").versions] == [1]
