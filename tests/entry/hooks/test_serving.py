"""The server of hooks itself: when it opens its socket, and what it remembers of a conversation."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from mnemic.entry.hooks.serving import Hooks, listen
from mnemic.entry.socket.protocol import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mnemic.app import App

START_LINE = b"You have a long-term memory"


def request(event: str, session: str = "new", prompt: str = "what does Anna drink?") -> Request:
    body = json.dumps({"session_id": session, "prompt": prompt, "source": "startup"}).encode()
    return Request(verb="hook", client="claude-code", event=event, body=body)


def test_the_socket_is_not_there_before_an_answer_takes_no_time(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook that finds none helps itself; one that finds it would wait. Whoever calls `listen` waits for neither."""
    ready, begun = threading.Event(), threading.Event()
    context = type(app).context

    def slow(*given: object, **options: object) -> object:
        begun.set()
        ready.wait()
        return context(*given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(type(app), "context", slow)
    listening = listen(app)
    begun.wait()
    assert not (app.state_folder / "sock").exists()
    assert not listening.serving

    ready.set()

    assert listening.wait()
    listening.close()


def test_one_that_is_closed_before_it_is_ready_never_opens_its_socket(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = threading.Event()
    monkeypatch.setattr(Hooks, "warm", lambda _: ready.wait())
    listening = listen(app)
    listening.close()
    ready.set()

    assert not listening.wait()
    assert not (app.state_folder / "sock").exists()


def test_one_that_is_closed_while_it_begins_waits_for_what_is_begun(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks, failures = Hooks(app), list[BaseException]()
    start = threading.Thread.start
    beginning, going_on = threading.Event(), threading.Event()

    def late(thread: threading.Thread) -> None:
        if thread.name == "mnemic-hooks":
            beginning.set()
            going_on.wait()
        start(thread)

    def closing_it() -> None:
        try:
            hooks.close()
        except RuntimeError as error:
            failures.append(error)

    monkeypatch.setattr(threading.Thread, "start", late)
    begins, closes = threading.Thread(target=hooks.warm), threading.Thread(target=closing_it)
    begins.start()
    beginning.wait()
    closes.start()
    closes.join(0.2)  # as long as it takes to fail; one that waits is still at it
    going_on.set()
    begins.join()
    closes.join()

    assert failures == []


def test_a_memory_that_cannot_get_ready_answers_all_the_same(
    app: App, monkeypatch: pytest.MonkeyPatch, log_lines: Callable[[], list[str]]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("nothing")

    monkeypatch.setattr(type(app), "context", broken)
    listening = listen(app)

    assert listening.wait()

    listening.close()
    assert "warming up: RuntimeError" in log_lines()[-1]


@pytest.fixture
def hooks(app: App) -> Iterator[Hooks]:
    """The answers of a server without its socket; its thread has ended when the bundle is taken away."""
    with closing(Hooks(app)) as answering:
        yield answering


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_what_a_conversation_starts_with_is_given_again_until_it_has_arrived(hooks: Hooks, event: str) -> None:
    assert START_LINE in hooks(request(event))
    hooks.lost(request(event))

    assert START_LINE in hooks(request("UserPromptSubmit"))
    assert START_LINE not in hooks(request("UserPromptSubmit"))


def test_the_facts_of_a_prompt_that_did_not_arrive_are_not_owed(hooks: Hooks) -> None:
    hooks(request("SessionStart"))
    hooks(request("UserPromptSubmit"))

    hooks.lost(request("UserPromptSubmit"))
    hooks.lost(request("Stop"))

    assert START_LINE not in hooks(request("UserPromptSubmit"))


def test_of_thousands_of_conversations_only_the_last_ones_are_remembered(hooks: Hooks) -> None:
    hooks.lost(request("SessionStart", session="s1"))
    for number in range(200):
        hooks.lost(request("SessionStart", session=f"other-{number}"))

    assert START_LINE not in hooks(request("UserPromptSubmit", session="s1"))
