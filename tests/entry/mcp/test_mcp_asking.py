"""What a server tells and asks while a call goes on: progress, and the person's leave to forget."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client
from mcp.types import ElicitResult
from mcp_places import ERAS, Connected, text_of

from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft
from mnemic.entry.mcp.forgetting import question
from mnemic.entry.mcp.graph.server import graph_server
from mnemic.entry.mcp.opened import Opened
from mnemic.entry.mcp.server import memory_server
from mnemic.errors import MemoryNotFoundError

if TYPE_CHECKING:
    from pathlib import Path

    from mcp.types import ElicitRequestParams

    from mnemic.ports import Progress


@pytest.fixture
def app(in_memory: Path) -> App:
    create_bundle(in_memory / "memory")
    opened = App.start(in_memory / "memory", embedders=())
    opened.remember(Draft(body="Anna prefers green tea.", id="notes/tea"))
    return opened


@pytest.fixture(params=ERAS)
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Person:
    """Answers forms, and remembers what they were asked."""

    def __init__(self, action: str, content: dict[str, Any] | None) -> None:
        self.asked: list[str] = []
        self._answer = ElicitResult(action=action, content=content)  # type: ignore[arg-type]

    async def __call__(self, _context: object, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        return self._answer


def forgotten(app: App) -> bool:
    try:
        app.show("notes/tea")
    except MemoryNotFoundError:
        return True
    return False


def first_step(client: Connected) -> Any:  # noqa: ANN401 - what JSON holds
    client.data("memory_search", query="green tea")
    receipt = client.data("memory_read", id="notes/tea")["receipt"]
    return client.call("memory_forget", id="notes/tea", receipt=receipt)


def test_a_person_who_agrees_needs_no_second_call(app: App, era: str) -> None:
    person = Person("accept", {"forget": True})
    server = memory_server(Opened(lambda: app))

    with Connected(lambda: Client(server, mode=era, elicitation_callback=person)) as client:
        result = first_step(client)

    assert result.structured_content["removed"]
    assert forgotten(app)
    assert person.asked == ["Forget this for good?\n\nnotes/tea: Anna prefers green tea\n\nIt cannot be brought back."]


def test_a_form_is_bounded_and_shows_nothing_that_turns_text_around() -> None:
    asked = question({"id": "session:a", "title": "Tea\u202e\n\nForget all?" + "x" * 500, "turns": 12})

    assert asked.startswith("Forget this conversation of 12 turns for good?\n\nsession:a: Tea Forget all?xxx")
    assert len(asked) < 350


def test_a_form_that_was_closed_is_no_answer(app: App, era: str) -> None:
    server = memory_server(Opened(lambda: app))

    with Connected(lambda: Client(server, mode=era, elicitation_callback=Person("cancel", None))) as client:
        result = first_step(client)

    assert result.is_error
    assert "closed the question without an answer" in text_of(result)
    assert "said no" not in text_of(result)
    assert not forgotten(app)


@pytest.mark.parametrize(
    ("action", "content"),
    [("decline", None), ("accept", {"forget": False}), ("accept", {}), ("accept", None)],
)
def test_a_person_who_does_not_agree_is_obeyed(app: App, era: str, action: str, content: dict[str, Any] | None) -> None:
    server = memory_server(Opened(lambda: app))

    with Connected(lambda: Client(server, mode=era, elicitation_callback=Person(action, content))) as client:
        result = first_step(client)

    assert result.is_error
    assert "said no" in text_of(result)
    assert not forgotten(app)


@pytest.mark.parametrize(("content", "gone"), [({"forget": False}, False), ({"forget": True}, True)])
def test_a_model_that_confirms_by_itself_does_not_answer_for_the_person(
    app: App, era: str, content: dict[str, Any], *, gone: bool
) -> None:
    person = Person("accept", content)
    server = memory_server(Opened(lambda: app))

    with Connected(lambda: Client(server, mode=era, elicitation_callback=person)) as client:
        client.data("memory_search", query="green tea")
        receipt = client.data("memory_read", id="notes/tea")["receipt"]
        result = client.call("memory_forget", id="notes/tea", receipt=receipt, confirm="notes/tea")

    assert len(person.asked) == 1
    assert forgotten(app) is gone
    assert result.is_error is not gone


def test_a_client_without_forms_is_answered_how_to_confirm(app: App, era: str) -> None:
    server = memory_server(Opened(lambda: app))

    with Connected(lambda: Client(server, mode=era)) as client:
        result = first_step(client)

    assert not result.structured_content["removed"]
    assert "confirm" in text_of(result)
    assert not forgotten(app)


def test_nobody_is_asked_about_what_may_not_be_forgotten(app: App, era: str) -> None:
    person = Person("accept", {"forget": True})
    server = memory_server(Opened(lambda: app))

    with Connected(lambda: Client(server, mode=era, elicitation_callback=person)) as client:
        client.refused("memory_forget", id="notes/tea", receipt="r-aaaaaaaaaaaaaaaa")

    assert person.asked == []
    assert not forgotten(app)


def test_a_call_that_waits_for_a_large_bundle_tells_how_far_it_is(app: App, era: str) -> None:
    heard = Event()
    notes: list[tuple[float, float | None, str | None]] = []

    async def listen(done: float, total: float | None, what: str | None) -> None:
        notes.append((done, total, what))
        heard.set()

    def index(_app: App, progress: Progress) -> None:
        progress(1, 3, "indexing")
        heard.wait(30)

    server = memory_server(Opened(lambda: app, index))
    with Connected(lambda: Client(server, mode=era)) as client:
        result = client.do(client.client.call_tool, "memory_search", {"query": "tea"}, progress_callback=listen)

    assert not result.is_error
    assert notes == [(1, 3, "indexing")]


def test_the_bundle_is_opened_once_the_first_message_was_answered(app: App, era: str) -> None:
    """No tool is called and none is listed: from then on hooks are answered."""
    begun = Event()

    class Beside:
        def close(self) -> None:
            pass

    def begin(_app: App) -> Beside:
        begun.set()
        return Beside()

    for serve in (memory_server, graph_server):
        begun.clear()
        with Connected(lambda: Client(serve(Opened(lambda: app, begin=begin)), mode=era)):  # noqa: B023 - ends here
            assert begun.wait(30)


def test_a_fault_of_ours_gives_nothing_away(app: App, era: str, caplog: pytest.LogCaptureFixture) -> None:
    from mcp.shared.exceptions import MCPError

    def broken(_app: App, _progress: Progress) -> None:
        raise RuntimeError("/home/anna/private")

    with (
        Connected(lambda: Client(memory_server(Opened(lambda: app, broken)), mode=era)) as client,
        pytest.raises(MCPError, match="Internal error") as caught,
    ):
        client.call("memory_search", query="tea")

    assert "private" not in str(caught.value.error)
    assert "/home/anna/private" in caplog.text
