"""Hints: at most a few memories that a message names, by metadata alone, and none for most messages."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rooms import NOW, an_app, chat, keep

from mnemic.services.context.hints import hints

if TYPE_CHECKING:
    from mnemic.app import App

DATA = json.loads(
    (Path(__file__).parent.parent.parent / "benchmarks" / "data" / "hints.json").read_text(encoding="utf-8")
)
LABELLED: list[dict[str, Any]] = DATA["messages"]


def hinted(app: App, message: str, *, most: int = 2, exclude: tuple[str, ...] = ()) -> list[str]:
    """Ids of the hints, as results show them, in an index up to date."""
    app.recall("anything")
    found = hints([app.bundle, *app.others], message, most=most, now=NOW, exclude=exclude)
    return [f"{hint.bundle}:{hint.id}" if hint.bundle else hint.id for hint in found]


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> App:
    """A bundle of 125 memories of many kinds in five languages."""
    root = tmp_path_factory.mktemp("hints")
    for memory in DATA["memories"]:
        path = root / f"{memory['id']}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        fields = {"type": memory["kind"]} | {name: memory.get(name, []) for name in ("title", "description", "tags")}
        front = {**fields, "aliases": memory.get("aliases", [])}
        head = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in front.items())
        path.write_text(f"---\n{head}---\n{memory['description']}.\n", encoding="utf-8")
        os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    app = an_app(root)
    app.recall("anything")
    return app


@pytest.mark.parametrize("half", [0, 1], ids=["development", "held out"])
def test_nearly_every_hint_fits_and_most_memories_that_are_named_are_hinted_at(labelled: App, half: int) -> None:
    """Every second message shaped the constants; the others were only counted."""
    given = fitting = named = found = 0
    for one in LABELLED[half::2]:
        ids = [hint.id for hint in hints([labelled.bundle], one["message"], most=2, now=NOW)]
        given += len(ids)
        fitting += len({*ids} & {*one["fitting"], *one["also"]})
        named += len(one["fitting"])
        found += len({*ids} & {*one["fitting"]})

    assert fitting / given >= 0.94
    assert found / named >= 0.92


def test_the_labelled_set_is_as_large_as_its_figures_need() -> None:
    assert len(DATA["memories"]) >= 120
    assert len(LABELLED) >= 200
    assert sum(not one["fitting"] for one in LABELLED) > len(LABELLED) / 2


def test_a_hint_has_metadata_and_no_body(tmp_path: Path) -> None:
    app = an_app(tmp_path)
    keep(app, "anna-berg", "She keeps bees.", title="Anna Berg", description="Colleague", kind="person")
    app.recall("anything")

    (hint,) = hints([app.bundle], "Write to Anna Berg", most=2, now=NOW)

    assert (hint.id, hint.bundle, hint.title, hint.kind) == ("notes/anna-berg", "", "Anna Berg", "person")
    assert (hint.description, hint.matched) == ("Colleague", ("anna", "berg"))
    assert "bees" not in repr(hint)


def test_words_of_the_body_alone_are_no_hint(tmp_path: Path) -> None:
    app = an_app(tmp_path)
    keep(app, "anna-berg", "Her kestrel nests in the tower.", title="Anna Berg")

    assert hinted(app, "How is the kestrel in the tower?") == []


def test_an_alias_names_its_memory(tmp_path: Path) -> None:
    app = an_app(tmp_path)
    (tmp_path / "vpn.md").write_text("---\ntype: note\ntitle: WireGuard\naliases: [tunnelblick]\n---\nText.\n")

    assert hinted(app, "Tunnelblick does not start") == ["vpn"]


def test_no_more_than_asked_for_and_nothing_that_is_there_already(tmp_path: Path) -> None:
    app = an_app(tmp_path)
    for name in ("kestrel", "osprey", "merlin"):
        keep(app, name, title=name.title())
    message = "Compare kestrel, osprey and merlin"

    assert hinted(app, message) == ["notes/kestrel", "notes/merlin"]
    assert hinted(app, message, most=1) == ["notes/kestrel"]
    assert hinted(app, message, most=0) == []
    assert hinted(app, message, exclude=("notes/kestrel",)) == ["notes/merlin", "notes/osprey"]


def test_only_what_is_active_and_valid_is_hinted_at(tmp_path: Path) -> None:
    app = an_app(tmp_path)
    keep(app, "kestrel", title="Kestrel")
    keep(app, "osprey", title="Osprey", valid_from=NOW - timedelta(days=9), valid_until=NOW - timedelta(days=1))
    keep(app, "kestrel-two", title="The falcon", supersedes=("notes/kestrel",))

    assert hinted(app, "kestrel and osprey") == []


def test_what_was_said_is_no_hint(tmp_path: Path) -> None:
    app = an_app(tmp_path / "bundle")
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": "The kestrel is back."}], session="kestrel"))

    assert hinted(app, "kestrel") == []


def test_another_bundles_memory_is_hinted_at_under_its_bundles_name(tmp_path: Path) -> None:
    app, other = an_app(tmp_path / "one"), an_app(tmp_path / "two", "bundle.name=team")
    keep(other, "kestrel", title="Kestrel")
    other.recall("anything")
    bundles = [app.bundle, replace(other.bundle, name="team")]

    found = hints(bundles, "kestrel", most=2, now=NOW)
    excluded = hints(bundles, "kestrel", most=2, now=NOW, exclude=("team:notes/kestrel",))

    assert [(hint.bundle, hint.id) for hint in found] == [("team", "notes/kestrel")]
    assert excluded == ()


@pytest.mark.parametrize("message", ["", " \n", "the of and", "?!", "\ud800", "x" * 5_000_000, '"* OR NEAR(', "的"])
def test_odd_messages_give_no_hint(tmp_path: Path, message: str) -> None:
    app = an_app(tmp_path)
    keep(app, "kestrel", title="Kestrel")

    assert hinted(app, message) == []


def test_an_empty_bundle_gives_no_hint(tmp_path: Path) -> None:
    assert hinted(an_app(tmp_path), "kestrel") == []
