"""One turn of an agent: what it may search, read and write, and the tools its model may call."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Self

from mnemic.agent.reading import Found, ReadText, Seen
from mnemic.agent.tools import CONTEXT, SEARCH, TOOLS, call
from mnemic.agent.writing import check_changes, check_labels, says_otherwise
from mnemic.domain.access import Use
from mnemic.domain.capsule import Capsule
from mnemic.domain.entries import Source, Where
from mnemic.domain.ids import parse_turn_id
from mnemic.domain.kinds import kind_named
from mnemic.domain.memory import Scope, State
from mnemic.domain.provenance import Origin, Provenance
from mnemic.domain.sealing import is_hidden
from mnemic.errors import AccessRefusedError, BudgetSpentError, InvalidMemoryError, MemoryChangedError, StorageError
from mnemic.services.judging.guards import check_not_standing
from mnemic.services.judging.quarantine import PERSON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from types import TracebackType

    from mnemic.agent.access import MemoryAccess
    from mnemic.agent.tool import Tool, ToolResult
    from mnemic.domain.drafts import Draft, Remembered
    from mnemic.services.context.gate import Gate
    from mnemic.services.erasing.forget import Forgotten


@dataclass(slots=True)
class Turn:
    """What one prompt of a user allows; safe to use from several threads.

    `Conversation.begin` makes one for each prompt. A server whose client announces no turns keeps one for each client
    instead, over a gate that follows the turns of others.

    Attributes:
        memory: The opened bundles.
        gate: The rules of access.
        context: What belongs into the agent's context for the prompt.
        agent: Who is recorded as the writer.
        user: Whose preferences it learns; empty: those of the bundle's own user or project.
        session: The session that the conversation is kept in, recorded with what is written.
        every_tool: All tools are there from the beginning, `memory_context` too; else as `tools` says.
        revealed: The tools that a search brings are there already.
        when_ended: Told the reply when it is over, or None when there was none.
    """

    memory: MemoryAccess = field(repr=False)
    gate: Gate
    _: KW_ONLY
    context: Capsule = field(default_factory=Capsule)
    agent: str = ""
    user: str = ""
    session: str = ""
    every_tool: bool = True
    revealed: bool = False
    when_ended: Callable[[str | None], None] | None = field(default=None, repr=False)
    _ended: bool = field(default=False, init=False)
    _guard: Lock = field(default_factory=Lock, init=False, repr=False)

    @property
    def conversation(self) -> str:
        """The name of its conversation."""
        return self.gate.conversation

    @property
    def writer(self) -> str:
        """Who is recorded as the writer: the agent, whatever it calls itself, and never a person."""
        name = self.agent.strip()
        return "agent" if name.casefold() in {"", PERSON} else name

    @property
    def ended(self) -> bool:
        """Whether nothing can be done in it any more."""
        return self._ended

    # -- what a model does ---------------------------------------------------------------------------------------

    def tools(self) -> tuple[Tool, ...]:
        """What the model may call now; to be asked for anew before every call of the model.

        A turn begins with `memory_search` alone. The others come once something was searched, or at once when the
        prompt speaks of memory. That a tool is there is no permission: each call is judged by itself.
        """
        if self.every_tool:
            return TOOLS
        return tuple(tool for tool in TOOLS if tool is not CONTEXT) if self.revealed else (SEARCH,)

    def call(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """Do what a model asks for; see `tools.call`."""
        return call(self, name, arguments)

    def search(  # noqa: PLR0913 - one keyword a filter
        self,
        query: str,
        *,
        k: int | None = None,
        kinds: Sequence[str] = (),
        tags: Sequence[str] = (),
        include_sessions: bool = True,
        at: datetime | None = None,
        states: Sequence[State] = (State.ACTIVE,),
    ) -> Found:
        """Find what is known; the receipt allows to create a memory in this turn.

        Raises:
            AccessRefusedError: The turn has ended.
            LimitExceededError, IndexUnavailableError: As `App.recall`.
        """
        self._check_open()
        where = Where(
            kinds=tuple(kinds),
            tags=tuple(tags),
            sources=() if include_sessions else (Source.MEMORY,),
            states=tuple(states) or (State.ACTIVE,),
            valid_at=at,
        )
        limits = self.memory.bundle.policy.limits
        answer = self.memory.recall(query, k=k or max(limits.recall, 1), where=where)
        references = [hit.reference for hit in answer.hits]
        # Who found a turn found its session too, and may read that whole.
        sessions = [
            reference.partition("#")[0]
            for reference, hit in zip(references, answer.hits, strict=True)
            if parse_turn_id(hit.id)
        ]
        receipt = self.gate.searched(dict.fromkeys((*references, *sessions)))
        self.revealed = True
        return Found(answer=answer, receipt=receipt, left=self.gate.left())

    def read(self, wanted: str, *, around: int = 0, start: int = 0, length: int | None = None) -> ReadText:
        """Read one thing; the receipt of a whole text allows to change or forget this version of it.

        Args:
            wanted: Its id.
            around: For a turn of a session: so many turns before and after it too.
            start: Begin at this character; such a part gives no receipt.
            length: At most so many characters.

        Raises:
            BudgetSpentError: What may be read in a turn has been read, or this is more than what is left.
            MemoryNotFoundError, SessionNotFoundError, InvalidIdError: There is no such thing.
        """
        self._check_open()
        self.gate.check_budget()
        seen = self._look(wanted, around=around, reads=True)
        text = seen.text[start:] if length is None else seen.text[start : start + length]
        left = self.gate.left().characters
        if 0 < left < len(text):
            raise BudgetSpentError(
                f"{seen.id} has {len(text):,} characters; {left:,} may still be read in this turn. "
                "Read a part of it with start and length."
            )
        receipt = self.gate.read(seen.id, seen.revision, len(text))
        self._note_use([seen.id], Use.READ)
        whole = len(text) == len(seen.text)
        return ReadText(seen=seen, text=text, start=start, receipt=receipt if whole else "", left=self.gate.left())

    def write(self, draft: Draft, *, receipt: str, supersedes: Mapping[str, str] | None = None) -> Remembered:
        """Keep a new memory.

        Args:
            draft: What is to be kept; the agent itself is its source unless it says otherwise.
            receipt: Of a search in this turn.
            supersedes: Memories that it replaces, each with the receipt of its read in this turn.

        Raises:
            AccessRefusedError: Nothing was searched, or one that is to be replaced was not found and read.
            MemoryChangedError: One that is to be replaced changed since it was read.
            MnemicError: All that `App.remember` raises.
        """
        self._check_open()
        self.gate.check_create(receipt)
        replaced = [self._checked(wanted, proof) for wanted, proof in (supersedes or {}).items()]
        if missing := set(draft.supersedes) - set(supersedes or {}):
            raise AccessRefusedError(
                f"{min(missing)} is to be replaced and was not read.",
                hint="Search it, read it, and hand over the receipt of the read.",
            )
        for seen in replaced:
            if seen.memory is None or self.memory.locate(seen.id)[0] is not self.memory.bundle:
                raise InvalidMemoryError(
                    "supersedes",
                    f"{seen.id} is no memory of the bundle that is written to",
                    hint="Write the new memory without it, and tell the user that the other one stands.",
                )
        given = replace(draft, supersedes=tuple(seen.id for seen in replaced), by_agent=True)
        if draft.provenance.origin is None:
            given = replace(given, provenance=self._said_by(Origin.MODEL))
        elif self.session:  # what it hands on was said here, not in a conversation of its choice
            given = replace(given, provenance=replace(draft.provenance, session=self.session))
        if self.user and given.scope == Scope() and kind_named(given.kind).scoped:
            given = replace(given, scope=Scope(user=self.user))
        done = self.memory.remember(given)
        self._note_use(given.supersedes, Use.USED)
        return done

    def change(self, /, wanted: str, *, receipt: str, source: Origin | None = None, **fields: object) -> Remembered:
        """Change fields of a memory.

        Args:
            wanted: Its id.
            receipt: Of its read in this turn.
            source: Who said what is new. Where that is left out, the agent is the source of another content, and a
                change of tags or dates alone leaves the source as it is.
            **fields: The new values, by their names in `Memory`.

        Raises:
            AccessRefusedError: It was not found and read in this turn.
            MemoryChangedError: It changed since it was read.
            MnemicError: All that `App.edit` raises.
        """
        self._check_open()
        seen = self._checked(wanted, receipt)
        if seen.memory is None:
            raise InvalidMemoryError(
                "id",
                f"{seen.id} is what was said in a conversation, and stays as it was said",
                hint="Write a memory about it instead.",
            )

        if is_hidden(seen.memory) and not self._reads_sensitive(wanted):
            raise AccessRefusedError(
                f"{seen.id} is sensitive; only its owner reads and changes what it says.",
                hint="Tell the user; they change it with mnemic edit.",
            )
        check_changes(source, fields)
        if fields.keys() - {"tags"}:  # a date alone would take it away too
            check_not_standing(seen.memory)
        if source is not None or says_otherwise(seen.memory, fields):
            fields = {"provenance": self._said_by(source or Origin.MODEL), **fields}
        else:
            check_labels(seen.memory, fields)
        done = self.memory.edit(seen.id, lambda _: fields, expect=seen.revision)
        self._note_use([seen.id], Use.USED)
        return done

    def forget(self, wanted: str, *, receipt: str, confirm: str) -> Forgotten:
        """Remove something for good.

        Args:
            wanted: Its id.
            receipt: Of its read in this turn.
            confirm: The id again.

        Raises:
            AccessRefusedError: It was not found and read in this turn.
            MemoryChangedError: It changed since it was read.
            ConfirmationError: `confirm` is another text.
            OriginRefusedError: It stands before every conversation; its owner alone removes that.
        """
        return self.memory.forget(self.would_forget(wanted, receipt=receipt).id, confirm=confirm)

    def would_forget(self, wanted: str, *, receipt: str) -> Seen:
        """What `forget` would remove; raises as it does."""
        self._check_open()
        seen = self._checked(wanted, receipt)
        if seen.memory is not None:
            check_not_standing(seen.memory)
        return seen

    # -- its beginning and end -----------------------------------------------------------------------------------

    def renew(self, message: str, *, budget: int | None = None) -> Capsule:
        """Begin anew with another message, for a client that announces no turns; gives its context.

        A turn that somebody announced goes on: a model cannot fill its own budgets by asking for context again.
        """
        self._check_open()
        if not self.gate.current().announced:
            self.gate.begin(announced=False)
        self.context = self.memory.context(message, budget=budget, conversation=self.conversation)
        return self.context

    def end(self, reply: str = "") -> None:
        """The turn is over, and this was answered; a second call does nothing."""
        self._end(reply)

    def abandon(self) -> None:
        """The turn is over without an answer; what was asked is kept, and it does not count as a good one."""
        self._end(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.abandon()

    def _end(self, reply: str | None) -> None:
        with self._guard:
            if self._ended:
                return
            self._ended = True
        try:
            self.gate.end()
        finally:
            if self.when_ended is not None:
                self.when_ended(reply)

    def _check_open(self) -> None:
        if self._ended:
            raise AccessRefusedError("This turn has ended.", hint="Begin the next one, and use that.")

    # -- looking -------------------------------------------------------------------------------------------------

    def _look(self, wanted: str, *, around: int = 0, reads: bool = False) -> Seen:
        bundle, _ = self.memory.locate(wanted)
        prefix = "" if bundle is self.memory.bundle else f"{bundle.name}:"
        reveal = reads and self._reads_sensitive(wanted)
        return Seen.of(self.memory.show(wanted, around=around, reveal=reveal), prefix)

    def _reads_sensitive(self, wanted: str) -> bool:
        return self.memory.locate(wanted)[0].policy.rules.agents_read_sensitive

    def _checked(self, wanted: str, receipt: str) -> Seen:
        """A thing that was found and read in this turn, and still is what was read."""
        seen = self._look(wanted)
        read = self.gate.check_change(receipt, seen.id)
        if seen.revision != read:
            raise MemoryChangedError(seen.id, expected=read, found=seen.revision)
        return seen

    def _said_by(self, origin: Origin) -> Provenance:
        return Provenance.of(origin, actor=self.writer, session=self.session)

    def _note_use(self, ids: Iterable[str], use: Use) -> None:
        # An account that cannot be kept undoes nothing of what was done.
        with suppress(StorageError):
            self.gate.turns.note_use(list(ids), use, self.gate.clock.now())
