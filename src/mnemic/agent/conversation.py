"""A conversation of an agent with its user: turn after turn, each with its context, kept when it is over.

with memory.conversation("support-42", user="anna") as conversation:
    turn = conversation.begin("What did I say about tea?")
    answer = ask_the_model(turn.context, turn.tools(), turn.call)
    turn.end(answer)

`async with` gives the same, to be awaited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from mnemic.agent.threads import Behind, awaitable, in_thread
from mnemic.agent.turn import Turn
from mnemic.domain.session import Role
from mnemic.services.judging.guards import check_id
from mnemic.services.writing.log_turn import Logged, Said, log_turn, session_of, unicode_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from mnemic.agent.access import MemoryAccess
    from mnemic.agent.tool import Tool
    from mnemic.domain.access import OpenTurn
    from mnemic.domain.capsule import Capsule

TAIL_CHARACTERS = 2_000
"""So much of the last exchange, from its end, is a weak second query for the context of the next turn."""


class Conversation:
    """Turns of one conversation, one after the other; leaving the `with` ends the open one.

    Args:
        memory: The opened bundles.
        name: What it is called, the same every time it goes on; a new one when left out.
        user: Who speaks, for the log and as the one whose preferences are learned.
        agent: Who answers, for the log and as the writer of memories.
        log: Whether prompts and replies are kept in a session, where later searches find them.
        budget: Tokens for the context of a turn; the setting's when left out.

    Raises:
        SecretRefusedError: The name holds a credential.
    """

    def __init__(  # noqa: PLR0913 - one keyword an option
        self,
        memory: MemoryAccess,
        name: str = "",
        *,
        user: str = "",
        agent: str = "",
        log: bool = True,
        budget: int | None = None,
    ) -> None:
        check_id(name)
        self._memory = memory
        self.name = unicode_of(name) or f"conversation-{memory.bundle.ids.new()}"
        self._user, self._agent, self._owner = user or "user", agent or "agent", user
        self._log = log and not memory.bundle.store.read_only
        self._budget = budget
        self._gate = memory.gate(self.name)
        self._open: Turn | None = None
        self._tail = ""
        self.good_turns = 0
        """Turns that ended with an answer since this object was made."""
        self.logged: Logged | None = None
        """What was kept of the turn that ended last, and what was taken out of it."""

    def begin(self, text: str, *, pins: Sequence[str] = ()) -> Turn:
        """A new turn for what the user said; one that is still open is abandoned.

        Args:
            text: The user's words.
            pins: Ids of memories that belong into the context whatever the words are about.
        """
        self.close()
        opened = self._gate.begin()
        turn = Turn(
            memory=self._memory,
            gate=self._gate,
            agent=self._agent,
            user=self._owner,
            session=session_of(self.name) if self._log else "",
            every_tool=False,
            revealed=_speaks_of_memory(text),
            when_ended=lambda reply: self._ended(opened, text, reply),
        )
        self._open = turn
        try:
            turn.context = self._memory.context(
                text,
                budget=self._budget,
                conversation=self.name,
                tail=self._tail,
                apart=(session_of(self.name),),
                pins=pins,
            )
        except BaseException:
            turn.abandon()
            raise
        return turn

    def close(self) -> None:
        """Abandon the turn that is open, if one is."""
        if self._open is not None:
            self._open.abandon()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> AsyncConversation:
        return AsyncConversation(self)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await in_thread(self.close)

    def _ended(self, turn: OpenTurn, text: str, reply: str | None) -> None:
        self._open = None
        self.good_turns += reply is not None
        self._tail = "\n".join(part for part in (text, reply) if part)[-TAIL_CHARACTERS:]
        self.logged = None
        if not self._log:
            return
        now = self._memory.bundle.clock.now()
        name = turn.id or self._memory.bundle.ids.new()  # a turn that the store could not keep has none
        said = [Said(speaker=self._user, role=Role.USER, text=text, at=turn.begun_at, name=f"{name}:prompt")]
        if reply:
            said.append(Said(speaker=self._agent, role=Role.ASSISTANT, text=reply, at=now, name=f"{name}:reply"))
        self.logged = log_turn(self._memory.bundle, self.name, [each for each in said if each.text.strip()])


class AsyncTurn(Behind[Turn]):
    """A `Turn` whose methods are awaited."""

    __slots__ = ()

    search = awaitable(Turn.search)
    read = awaitable(Turn.read)
    write = awaitable(Turn.write)
    change = awaitable(Turn.change)
    would_forget = awaitable(Turn.would_forget)
    forget = awaitable(Turn.forget)
    call = awaitable(Turn.call)
    end = awaitable(Turn.end)
    abandon = awaitable(Turn.abandon)

    @property
    def context(self) -> Capsule:
        """What belongs into the agent's context for the prompt."""
        return self.sync.context

    def tools(self) -> tuple[Tool, ...]:
        """What the model may call now; to be asked for anew before every call of the model."""
        return self.sync.tools()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.abandon()


class AsyncConversation(Behind[Conversation]):
    """A `Conversation` whose methods are awaited; `async with memory.conversation(...)` gives one."""

    __slots__ = ()

    _begin = awaitable(Conversation.begin)
    close = awaitable(Conversation.close)

    async def begin(self, text: str, *, pins: Sequence[str] = ()) -> AsyncTurn:
        """A new turn for what the user said; one that is still open is abandoned."""
        return AsyncTurn(await self._begin(text, pins=pins))

    @property
    def name(self) -> str:
        """What it is called."""
        return self.sync.name

    @property
    def good_turns(self) -> int:
        """Turns that ended with an answer since it was made."""
        return self.sync.good_turns

    @property
    def logged(self) -> Logged | None:
        """What was kept of the turn that ended last, and what was taken out of it."""
        return self.sync.logged


def _speaks_of_memory(text: str) -> bool:
    from mnemic.text.memory_wording import speaks_of_memory

    return speaks_of_memory(text)
