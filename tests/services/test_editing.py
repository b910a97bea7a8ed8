"""Changing a memory: a text is never emptied by a slip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rooms import an_app, documents, keep

from mnemic.agent.turn import Turn
from mnemic.domain.drafts import Draft
from mnemic.errors import InvalidMemoryError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App


@pytest.fixture
def app(tmp_path: Path) -> App:
    app = an_app(tmp_path / "memory")
    keep(app, "tea", "Anna prefers green tea.", title="Tea")
    return app


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n"])
def test_a_text_is_not_emptied(app: App, text: str) -> None:
    before = documents(app.root)

    with pytest.raises(InvalidMemoryError, match="text: it would be empty") as caught:
        app.edit("Notes/Tea", lambda _: {"body": text, "tags": ("x",)})

    assert caught.value.hint == "To remove it: mnemic forget notes/tea --confirm notes/tea"
    assert documents(app.root) == before


def test_an_agent_does_not_empty_it_either(app: App) -> None:
    turn = Turn(app, app.gate("mira"))
    turn.search("green tea")
    receipt = turn.read("notes/tea").receipt

    result = turn.call("memory_write", {"id": "notes/tea", "receipt": receipt, "text": ""})

    assert result.failed
    assert "it would be empty" in result.text
    assert "Anna prefers green tea." in (app.root / "notes/tea.md").read_text(encoding="utf-8")


def test_one_that_has_no_text_anyway_can_be_changed(app: App) -> None:
    app.remember(Draft(id="notes/bare", title="Call Runa", body=""))

    assert app.edit("notes/bare", lambda _: {"body": "", "tags": ("x",)}).created
    assert app.edit("notes/bare", lambda _: {"body": "About the bees."}).created


def test_who_knows_what_the_title_says_may_empty_it(app: App) -> None:
    assert app.edit("notes/tea", lambda _: {"body": ""}, may_empty=True).created


@pytest.mark.parametrize(
    ("title", "then"), [("", "Runa moved in June"), ("Runa", "Runa"), ("Runa moved in May", "Runa moved in June")]
)
def test_a_title_that_was_taken_from_the_text_goes_with_it(app: App, title: str, then: str) -> None:
    app.remember(Draft(id="notes/runa", title=title, body="Runa moved in May."))

    assert app.edit("notes/runa", lambda _: {"body": "Runa moved in June."}).memory.title == then
    assert app.edit("notes/runa", lambda _: {"body": ""}, may_empty=True).memory.title == then
    assert app.edit("notes/runa", lambda _: {"title": "Moving", "body": "In July."}).memory.title == "Moving"
