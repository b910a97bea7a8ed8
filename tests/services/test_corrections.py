"""A memory that replaces another one: history on both sides, and nonsense refused before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rooms import SetClock, an_app, documents, keep

from mnemic.domain.drafts import Draft
from mnemic.domain.memory import Claim, State
from mnemic.errors import InvalidMemoryError, MemoryNotFoundError, MnemicError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mnemic.app import App
    from mnemic.domain.memory import Memory


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def app(root: Path) -> App:
    return an_app(root, clock=SetClock())


def stored(app: App, name: str) -> Memory:
    return app.bundle.store.find(f"notes/{name}").memory


def by_hand(root: Path, name: str, front: str) -> None:
    (root / "notes").mkdir(exist_ok=True)
    (root / "notes" / f"{name}.md").write_text(f"---\ntype: note\n{front}---\nText of {name}.\n", encoding="utf-8")


WAYS: dict[str, Callable[[App, tuple[str, ...]], object]] = {
    "written": lambda app, names: keep(app, "new", supersedes=names),
    "edited": lambda app, names: app.edit("notes/new", lambda _: {"supersedes": names}),
}


def test_a_correction_keeps_both_sides(app: App) -> None:
    keep(app, "oslo", "Anna lives in Oslo.")

    done = keep(app, "rome", "No, in Rome.", kind="correction", supersedes=("Notes/Oslo.md",))

    assert done.memory.supersedes == ("notes/oslo",)
    assert stored(app, "oslo").superseded_by == ("notes/rome",)
    assert (stored(app, "oslo").state, stored(app, "oslo").body) == (State.SUPERSEDED, "Anna lives in Oslo.")
    assert app.check().healthy


def test_a_correction_of_nothing_is_refused(app: App) -> None:
    with pytest.raises(InvalidMemoryError, match="supersedes") as refused:
        keep(app, "rome", kind="correction")

    assert "--supersedes" in refused.value.hint


@pytest.mark.parametrize(
    ("names", "error", "words"),
    [
        (("notes/none",), MemoryNotFoundError, "none"),
        (("notes/old", "notes/none"), MemoryNotFoundError, "none"),
        (("notes/new",), InvalidMemoryError, "cannot replace itself"),
        (("Notes/New.md",), InvalidMemoryError, "cannot replace itself"),
        (("own:people/anna",), InvalidMemoryError, "another bundle"),
        (("session:kitchen#1",), InvalidMemoryError, "another bundle"),
        (("notes/old", "own:people/anna"), InvalidMemoryError, "another bundle"),
        (("notes/middle",), InvalidMemoryError, "replaces notes/new already"),
        (("notes/end",), InvalidMemoryError, "replaces notes/new already"),
    ],
)
@pytest.mark.parametrize("way", ["written", "edited"])
def test_nonsense_is_refused_and_nothing_is_written(  # noqa: PLR0913, PLR0917 - a case and where it happens
    app: App, root: Path, names: tuple[str, ...], error: type[MnemicError], words: str, way: str
) -> None:
    """`end` replaces `middle`, which replaces `new`, as somebody wrote by hand."""
    keep(app, "old")
    by_hand(root, "middle", "supersedes: [notes/new]\nsuperseded_by: [notes/end]\nstatus: superseded\n")
    by_hand(root, "end", "supersedes: [notes/middle]\n")
    if way == "edited":
        keep(app, "new")
    app.reindex(embed=False)
    before = documents(root)

    with pytest.raises(error, match=words):
        WAYS[way](app, names)

    assert documents(root) == before


def test_a_circle_that_was_told_from_the_other_side_alone_is_refused(app: App, root: Path) -> None:
    by_hand(root, "one", "superseded_by: [notes/two]\n")
    by_hand(root, "two", "superseded_by: [notes/three]\n")
    keep(app, "three")

    with pytest.raises(InvalidMemoryError, match="already"):
        app.edit("notes/one", lambda _: {"supersedes": ("notes/three",)})


def test_a_circle_that_somebody_made_by_hand_hangs_nothing(app: App, root: Path) -> None:
    by_hand(root, "one", "supersedes: [notes/two]\n")
    by_hand(root, "two", "supersedes: [notes/one]\n")

    done = keep(app, "three", supersedes=("notes/one",))

    assert done.memory.supersedes == ("notes/one",)


def test_a_name_of_its_own_bundle_is_no_other_one(app: App) -> None:
    keep(app, "old")

    assert keep(app, "new", supersedes=(f"{app.bundle.name}:notes/old",)).memory.supersedes == ("notes/old",)


def test_an_edit_settles_a_contradiction_as_it_is_advised(app: App) -> None:
    """What the warning says can be done: the edited memory takes the place of the one it contradicts."""
    keep(app, "oslo", "Anna lives in Oslo.", claim=Claim("anna.city", "Oslo"))
    keep(app, "rome", "Anna was in Rome.")
    claimed = {"claim": Claim("anna.city", "Rome")}

    held = app.edit("notes/rome", lambda _: claimed)
    assert held.memory.state is State.QUARANTINED
    assert "--supersedes notes/oslo" in held.warnings[0].message
    app.edit("notes/rome", lambda _: {"supersedes": ("notes/oslo",), "state": State.ACTIVE})

    assert (stored(app, "rome").state, stored(app, "oslo").state) == (State.ACTIVE, State.SUPERSEDED)
    assert stored(app, "oslo").superseded_by == ("notes/rome",)
    assert app.check().healthy


def test_what_an_edit_replaced_before_it_need_not_find_again(app: App) -> None:
    keep(app, "old")
    keep(app, "new", supersedes=("notes/old",))
    app.forget("notes/old", confirm="notes/old")
    app.edit("notes/new", lambda _: {"tags": ("kept",)})

    assert stored(app, "new").tags == ("kept",)


links = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8)


@given(links)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_however_memories_replace_each_other_there_is_never_a_circle(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[int, int]]
) -> None:
    app = an_app(tmp_path_factory.mktemp("m") / "memory", "history.keep=false", clock=SetClock())
    for number in range(5):
        app.remember(Draft(id=f"notes/n{number}", body=f"Number {number} of a row of things: {'x' * number}."))
    for newer, older in pairs:
        try:
            app.edit(f"notes/n{newer}", lambda m, o=older: {"supersedes": (*m.supersedes, f"notes/n{o}")})  # type: ignore[misc]
        except InvalidMemoryError:
            continue

    above = {f"notes/n{number}": stored(app, f"n{number}").supersedes for number in range(5)}
    for start, olds in above.items():
        seen, waiting = set[str](), list(olds)
        while waiting:
            name = waiting.pop()
            assert name != start
            if name not in seen:
                seen.add(name)
                waiting += above[name]  # type: ignore[index]
    for newer, olds in above.items():
        assert all(newer in stored(app, old.removeprefix("notes/")).superseded_by for old in olds)
