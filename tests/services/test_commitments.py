"""What the ledger commits to is what the vault holds, or the verification says that it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rooms import SetClock, an_app, keep

from mnemic.domain.erasure import Wishes
from mnemic.domain.memory import Claim, Memory, Privacy, Scope, State

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App
    from mnemic.services.chronicle.audit import Audited


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def app(tmp_path: Path, clock: SetClock) -> App:
    return an_app(tmp_path / "memory", "rules.sensitive=true", clock=clock)


def audited(app: App) -> Audited:
    found = app.records.verify()
    assert found is not None
    return found


def edited(app: App, clock: SetClock, *texts: str) -> Memory:
    memory = keep(app, "tea", "Anna drinks tea.").memory
    for text in texts:
        clock.move(hours=1)
        memory = app.edit("notes/tea", lambda _, text=text: {"body": text}).memory  # type: ignore[misc]
    return memory


def test_all_that_is_kept_fits(app: App, clock: SetClock) -> None:
    edited(app, clock, "Anna drinks gin.", "Anna drinks nothing. ")
    keep(app, "odd", "Ångström\r\n\r\n- e\u0301té  \n", title="  A  b ", tags=("x", "y"), claim=Claim("a.b", " 1,0 "))
    keep(app, "pref", "Likes it.", kind="preference", scope=Scope(user="anna"))
    keep(app, "secret", "Anna takes the blue drops.", privacy=Privacy.SENSITIVE)
    keep(app, "later", "Anna drinks milk.", supersedes=("notes/tea",))
    app.edit("notes/odd", lambda _: {"state": State.ARCHIVED})
    (app.root / "notes/hand.md").write_text(
        "---\ntype: note\nrating: 7\nodd: {a: [1, 2.50]}\n---\n\n\n# By hand\n\nSo."
    )
    (app.root / "notes/pref.md").unlink()

    found = audited(app)

    assert (found.vault, found.apart, found.sound) == ((), (), True)
    assert audited(app).sound


def test_a_version_that_another_one_was_put_in_the_place_of_is_told(app: App, clock: SetClock) -> None:
    memory = edited(app, clock, "Anna drinks gin.", "Anna drinks milk.")
    history = app.bundle.past()
    assert history is not None
    vault = history.vault
    kept = [(version.at, vault.get(memory.uid, version.number)) for version in vault.versions(memory.uid)]

    # Whoever has the key can write a vault that is whole in itself.
    vault.destroy(memory.uid)
    for at, content in kept:
        vault.put(memory.uid, content.replace(b"gin", b"rum"), at)
    lost_key = audited(app).vault

    assert [said.partition(" is ")[0] for said in lost_key] == [f"version {n} of notes/tea" for n in (1, 2, 3)]
    assert not audited(app).sound


@pytest.mark.parametrize("times", [1, 2])
def test_after_the_past_of_a_memory_was_erased_what_stands_fits_still(app: App, clock: SetClock, times: int) -> None:
    edited(app, clock, "Anna drinks gin.", "Anna drinks milk.")

    for _ in range(times):
        app.forget("notes/tea", confirm="notes/tea", wishes=Wishes(past=True))

    found = audited(app)
    assert (found.ledger.sound, found.vault, found.apart) == (True, (), ())


def test_what_came_back_after_it_was_forgotten_begins_anew(app: App, clock: SetClock) -> None:
    edited(app, clock)
    document = (app.root / "notes/tea.md").read_bytes()
    app.forget("notes/tea", confirm="notes/tea")
    (app.root / "notes").mkdir(exist_ok=True)
    (app.root / "notes/tea.md").write_bytes(document.replace(b"tea", b"rum"))

    app.recall("rum")

    assert audited(app).sound


def test_a_new_key_of_the_bundle_changes_no_commitment(app: App, clock: SetClock) -> None:
    edited(app, clock, "Anna drinks gin.")

    app.records.rotate()

    assert audited(app).sound
