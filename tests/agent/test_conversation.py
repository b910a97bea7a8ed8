"""A conversation: what each turn gives and shows, what is kept of it, and the same for asynchronous hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_type

import anyio
import pytest
from loops import KEY, an_app, done, keep, refused, searched

from mnemic.agent.conversation import AsyncTurn
from mnemic.agent.reading import Found
from mnemic.agent.tool import ToolResult
from mnemic.domain.capsule import Capsule
from mnemic.domain.drafts import Draft
from mnemic.domain.session import Role
from mnemic.errors import IndexUnavailableError, SecretRefusedError, SessionNotFoundError
from mnemic.services.writing.log_turn import session_of

if TYPE_CHECKING:
    from pathlib import Path

    from loops import SetClock

    from mnemic.agent.conversation import Conversation
    from mnemic.agent.turn import Turn
    from mnemic.app import App

EVERY = [
    *("memory_search", "memory_read", "memory_write", "memory_forget"),
    *("memory_promises", "memory_history", "memory_review"),
]


def shown(turn: Turn | AsyncTurn) -> list[str]:
    return [tool.name for tool in turn.tools()]


def log(app: App, conversation: str = "support-42") -> list[tuple[str, str]]:
    """`(speaker, text)` of what was kept."""
    try:
        return [(said.speaker, said.text) for said in app.show(f"session:{session_of(conversation)}").turns]
    except SessionNotFoundError:
        return []


# Which tools are there


def test_a_turn_begins_with_the_search_alone_and_a_search_brings_the_rest(conversation: Conversation) -> None:
    turn = conversation.begin("What is the weather like?")

    assert shown(turn) == EVERY[:1]
    line = refused(turn, "memory_read", "access_refused", id="notes/tea")
    searched(turn, "weather")

    assert "Call memory_search first" in line
    assert shown(turn) == EVERY
    assert shown(conversation.begin("And tomorrow?")) == EVERY[:1]


def test_a_search_that_was_refused_brings_nothing(turn: Turn) -> None:
    refused(turn, "memory_search", "invalid_arguments", words="tea")

    assert shown(turn) == EVERY[:1]


@pytest.mark.parametrize(
    "words", ["Remember that I drink tea.", "Запомни, что я пью чай.", "Merk dir, dass ich Tee trinke."]
)
def test_who_speaks_of_memory_brings_all_tools_at_once(conversation: Conversation, words: str) -> None:
    assert shown(conversation.begin(words)) == EVERY


def test_that_a_tool_is_there_permits_nothing(conversation: Conversation) -> None:
    turn = conversation.begin("Remember that I drink tea.")

    refused(turn, "memory_write", "access_refused", receipt="s-aaaaaaaaaaaaaaaa", text="Anna drinks tea.")


def test_the_host_itself_gives_the_context_and_the_model_cannot_ask_for_it(turn: Turn) -> None:
    line = refused(turn, "memory_context", "invalid_arguments", message="hello")

    assert "no such tool" in line


def test_a_client_without_announced_turns_asks_for_context_and_begins_anew(app: App) -> None:
    from mnemic.agent.turn import Turn

    keep(app, "tea", "Anna drinks tea.")
    turn = Turn(app, app.gate("client", follows=True))
    receipt = searched(turn, "tea")
    done(turn, "memory_read", id="notes/tea")

    told = done(turn, "memory_context", message="What does Anna drink?")

    assert shown(turn) == ["memory_context", *EVERY]
    assert "Anna drinks tea" in told["prefix"]
    assert turn.gate.left().reads == 10
    refused(turn, "memory_write", "access_refused", receipt=receipt, text="Gin.")


def test_asking_for_context_fills_no_budget_of_a_turn_that_was_announced(app: App) -> None:
    from mnemic.agent.turn import Turn

    keep(app, "tea", "Anna drinks tea.")
    gate = app.gate("client")
    gate.begin()
    turn = Turn(app, gate)
    done(turn, "memory_read", id="notes/tea")

    done(turn, "memory_context", message="What does Anna drink?")

    assert gate.left().reads == 9


# Context


def test_a_turn_comes_with_what_is_known_about_the_prompt(app: App, conversation: Conversation) -> None:
    keep(app, "tea", "Anna drinks green tea.")

    turn = conversation.begin("Which tea does Anna drink?")

    assert "Anna drinks green tea" in turn.context.prefix
    assert turn.context.items


def test_a_budget_of_the_conversation_holds_for_every_turn(app: App) -> None:
    keep(app, "tea", "Anna drinks green tea.")

    turn = app.conversation("small", budget=150).begin("tea?")

    assert turn.context.budget == 150


def test_pins_come_whatever_is_said(app: App, conversation: Conversation) -> None:
    keep(app, "tea", "Anna drinks green tea.")

    turn = conversation.begin("Hello!", pins=["notes/tea"])

    assert "Anna drinks green tea" in turn.context.text


# What is kept


def test_prompt_and_reply_are_kept_and_found_in_the_next_turn(app: App, conversation: Conversation) -> None:
    conversation.begin("My boat is called Wanda.").end("A fine name.")

    results = done(conversation.begin("What is it called?"), "memory_search", query="boat Wanda")["results"]

    assert log(app) == [("anna", "My boat is called Wanda."), ("helper", "A fine name.")]
    assert results[0]["id"] == "session:agent-support-42#1"
    assert conversation.good_turns == 1


def test_a_turn_that_failed_is_kept_with_its_prompt_alone(app: App) -> None:
    def fail() -> None:
        with app.conversation("support-42", user="anna") as conversation:
            conversation.begin("My boat is called Wanda.")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert log(app) == [("anna", "My boat is called Wanda.")]


def test_an_abandoned_turn_is_no_good_one(app: App, conversation: Conversation) -> None:
    conversation.begin("First.").abandon()
    with conversation.begin("Second."):
        pass
    conversation.begin("Third.")
    conversation.begin("Fourth.").end("Yes.")

    assert [text for _, text in log(app)] == ["First.", "Second.", "Third.", "Fourth.", "Yes."]
    assert conversation.good_turns == 1


def test_a_turn_ends_once(app: App, conversation: Conversation) -> None:
    turn = conversation.begin("Hello.")
    turn.end("Good morning.")
    turn.end("Good evening.")
    turn.abandon()
    conversation.close()

    assert [text for _, text in log(app)] == ["Hello.", "Good morning."]


def test_a_conversation_goes_on_where_it_stopped(app: App, clock: SetClock) -> None:
    for text in ("One.", "Two."):
        with app.conversation("support-42") as conversation:
            conversation.begin(text).end("Yes.")
        clock.move(days=1)

    session = app.show("session:agent-support-42")
    assert [said.text for said in session.turns] == ["One.", "Yes.", "Two.", "Yes."]
    assert [said.role for said in session.turns[:2]] == [Role.USER, Role.ASSISTANT]
    assert session.session is not None
    assert (session.session.head.conversation, session.session.head.source) == ("support-42", "agent")


def test_nothing_is_kept_where_that_is_not_wanted(app: App) -> None:
    with app.conversation("support-42", log=False) as conversation:
        turn = conversation.begin("Hello.")
        written = turn.write(Draft(body="Anna drinks tea."), receipt=turn.search("tea").receipt)
        turn.end("Good morning.")

    assert log(app) == []
    assert written.memory.provenance.session == ""


def test_a_secret_never_touches_the_disk(app: App, tmp_path: Path, conversation: Conversation) -> None:
    conversation.begin(f"My token is {KEY}, use it.").end(f"I use {KEY}.")

    assert conversation.logged is not None
    assert conversation.logged.redacted == {"GitHub token": 2}
    assert "token" in log(app)[0][1]
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def test_where_secrets_are_refused_the_utterance_is_left_out(tmp_path: Path) -> None:
    app = an_app(tmp_path / "strict", "rules.secrets_in_sessions=refuse")
    with app.conversation("support-42") as conversation:
        conversation.begin(f"My token is {KEY}.").end("Thank you.")

        assert conversation.logged is not None
        assert len(conversation.logged.refused) == 1
    assert log(app) == [("agent", "Thank you.")]


def test_a_conversation_named_by_a_secret_is_not_begun(app: App) -> None:
    with pytest.raises(SecretRefusedError):
        app.conversation(f"chat {KEY}")


@pytest.mark.parametrize(
    "name",
    ["Anna's chat", "../../etc/passwd", "会話", "con", "\ud800", "a" * 500, "user@example.org", "x\ny", ".", "Ünï"],
)
def test_any_name_has_a_session_of_its_own(app: App, name: str) -> None:
    with app.conversation(name) as conversation:
        conversation.begin("Hello.").end("Yes.")

    assert [text for _, text in log(app, name)] == ["Hello.", "Yes."]
    assert session_of(name) != session_of(f"{name} ")


def test_conversations_without_a_name_are_different_ones(app: App) -> None:
    assert app.conversation().name != app.conversation().name


@pytest.mark.parametrize("text", ["", "  \n", "\ud800", "a\0b", "x" * 250_000, "🫖" * 1_000])
def test_any_prompt_can_begin_a_turn(app: App, conversation: Conversation, text: str) -> None:
    turn = conversation.begin(text)
    searched(turn, "tea")
    turn.end(text)

    assert len(log(app)) <= 2


def test_without_its_context_a_turn_does_not_begin(
    app: App, conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked is kept; the failure is the host's to see."""

    def fail(*_: object, **__: object) -> Capsule:
        raise IndexUnavailableError("the index is gone")

    monkeypatch.setattr(type(app), "context", fail)

    with pytest.raises(IndexUnavailableError):
        conversation.begin("Hello.")

    assert log(app) == [("anna", "Hello.")]
    assert conversation.good_turns == 0


# Awaited


def test_the_same_conversation_can_be_awaited(app: App) -> None:
    keep(app, "tea", "Anna drinks green tea.")

    async def talk() -> tuple[int, list[str]]:
        async with app.conversation("support-42", user="anna", agent="helper") as conversation:
            turn = await conversation.begin("Which tea does Anna drink?")
            assert_type(turn, AsyncTurn)
            assert_type(turn.context, Capsule)
            found = await turn.search("tea", k=3)
            assert_type(found, Found)
            result = await turn.call("memory_read", {"id": found.answer.hits[0].id})
            assert_type(result, ToolResult)
            await turn.change("notes/tea", receipt=str(result.data["receipt"]), body="Anna drinks gin.")
            names = shown(turn)
            await turn.end("Gin.")
            async with await conversation.begin("Really?"):
                pass
            return conversation.good_turns, names

    good, names = anyio.run(talk)

    assert (good, names) == (1, EVERY)
    assert [text for _, text in log(app)] == ["Which tea does Anna drink?", "Gin.", "Really?"]
    assert app.show("notes/tea").memory.memory.body.strip() == "Anna drinks gin."  # type: ignore[union-attr]


def test_leaving_an_awaited_conversation_by_an_error_keeps_the_prompt(app: App) -> None:
    async def talk() -> None:
        async with app.conversation("support-42", user="anna") as conversation:
            await conversation.begin("My boat is called Wanda.")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        anyio.run(talk)

    assert log(app) == [("anna", "My boat is called Wanda.")]


def test_many_awaited_calls_at_once_all_come_back(app: App) -> None:
    keep(app, "tea", "Anna drinks green tea.")
    results: list[ToolResult] = []

    async def talk() -> None:
        async with app.conversation("support-42") as conversation:
            turn = await conversation.begin("tea?")

            async def search() -> None:
                results.append(await turn.call("memory_search", {"query": "tea"}))

            async with anyio.create_task_group() as group:
                for _ in range(50):
                    group.start_soon(search)

    anyio.run(talk)

    assert [result.failed for result in results] == [False] * 50
    assert len({result.data["receipt"] for result in results}) == 50
