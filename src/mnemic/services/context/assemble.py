"""The text that goes into an agent's context in one turn: bounded, explained, and made of quotations only.

Three slots under one budget. `system` stays the same for a conversation, so that prompt caches hold. `turn` is gone
with the next prompt. `prefix` goes before the user's own words: what they call by name, then the facts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from mnemic.domain.capsule import Omitted, Slot, Why
from mnemic.domain.ids import SESSION_PREFIX, reference
from mnemic.domain.instants import local
from mnemic.domain.sealing import is_hidden
from mnemic.errors import DocumentUnreadableError, NotFoundError, StorageError
from mnemic.services.context.account import Account, Piece
from mnemic.services.context.facts import add_facts
from mnemic.services.context.hints import hints
from mnemic.services.context.invoke import calls
from mnemic.services.context.promises import When, due_promises
from mnemic.services.context.resident import always, offered, quoted, recent, summaries
from mnemic.services.recalling.query import asked_of
from mnemic.services.upkeep.refresh import refresh
from mnemic.text.context_markers import conversation_language, markers
from mnemic.text.guidance import INSTRUCTION_LINE
from mnemic.text.quoting import as_fact
from mnemic.text.terms import LONGEST_QUERY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from mnemic.domain.capsule import Capsule
    from mnemic.domain.results import Answer, Hit
    from mnemic.ports import TokenCounter
    from mnemic.services.bundle import Bundle
    from mnemic.services.context.hints import Hint
    from mnemic.services.context.resident import Resident
    from mnemic.text.context_markers import Markers

EVERY_SLOT = frozenset(Slot)
SYSTEM_SHARE = 0.5
"""Of the budget, at most so much goes into the system slot when the others are wanted too."""
CANDIDATES = 2
"""So many times the wanted facts are looked for, so that one kind can stand back for another."""
_CUT = "[… shortened]\n</memory>"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """What is wanted.

    Attributes:
        message: The user's words.
        now: The moment dues and ages are counted from.
        slots: Which texts are made.
        budget: Tokens for all of them together.
        facts: At most so many facts.
        most: At most so many texts in the prefix, whatever brought them there: an agent's working set.
        quotas: How many facts of a kind come first (`turn` for turns of sessions).
        hints: At most so many hints.
        due_within: Promises due within this time are told.
        tail: The conversation before the message, a weak second query.
        language: ISO 639-1 code of the marker lines; empty: that of the message.
        apart: Sessions whose turns the agent has before it anyway.
        pins: References of memories that come whole whatever the message is about.
        frozen: The system slot as it was made for this conversation before, by bundle; None for a part that was not.
            It is given again, unchanged, where the slot is wanted, and what stands there is not told again.
        min_authority: What nobody called by its name comes from a source that is believed as much, or not at all.
    """

    message: str
    now: datetime
    slots: frozenset[Slot] = EVERY_SLOT
    budget: int = 4_000
    facts: int = 10
    most: int = 12
    quotas: Mapping[str, int] = field(default_factory=dict)
    hints: int = 2
    due_within: timedelta = timedelta(days=7)
    tail: str = ""
    language: str = ""
    apart: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    frozen: tuple[str | None, ...] = ()
    min_authority: float = 0.0


def assemble(
    bundles: Sequence[Bundle],
    request: ContextRequest,
    *,
    recall: Callable[[str, int, str], Answer],
    count: TokenCounter,
) -> Capsule:
    """Put the context of a turn together.

    Args:
        bundles: The first one's references carry no bundle name.
        request: What is wanted.
        recall: Finds so many results for a query and a conversation's tail; called before anything else is read, so
            that the index is up to date.
        count: What a text costs; a budget holds by it.
    """
    language = request.language or conversation_language(request.message, request.tail)
    lines = markers(language)
    hits: Sequence[Hit] = ()
    if _asks(request):
        query = asked_of(request.message, min(bundles[0].policy.limits.query_characters, LONGEST_QUERY))
        answer = recall(query, request.facts * CANDIDATES, request.tail)
        hits, degraded = [hit for hit in answer.hits if not _is_apart(hit, request.apart)], answer.degraded
    else:
        degraded = _brought_up(bundles)
    account = Account(request.budget, count, given="\n\n".join(filter(None, request.frozen)))
    if Slot.SYSTEM in request.slots:
        _system(account, bundles, request)
    if Slot.PREFIX in request.slots:
        _called(account, bundles, request.message)
        _pinned(account, bundles, request.pins)
    if Slot.TURN in request.slots:
        account.take(_due(bundles, request, lines))
    most = min(request.facts, request.most - account.size(Slot.PREFIX))
    add_facts(account, hits, bundles, most=most, quotas=request.quotas, now=request.now, lines=lines)
    if Slot.TURN in request.slots and request.message.strip():
        there = {item.id for item in account.items}
        found = hints(
            bundles, request.message, most=request.hints, now=request.now, exclude=there,
            min_authority=request.min_authority,
        )  # fmt: skip
        account.take(_hinted(found, account, lines))
    return account.closed(language, degraded)


def _asks(request: ContextRequest) -> bool:
    return Slot.PREFIX in request.slots and request.facts > 0 and bool(request.message.strip())


def _is_apart(hit: Hit, sessions: Sequence[str]) -> bool:
    return any(hit.id.startswith(f"{SESSION_PREFIX}{session}#") for session in sessions)


def _brought_up(bundles: Sequence[Bundle]) -> tuple[str, ...]:
    """Bring the indexes up to date, as a recall does; says what stood in the way.

    Raises:
        DocumentUnreadableError: The first bundle cannot be looked through at all.
    """
    notes: list[str] = []
    for bundle in bundles:
        try:
            with bundle.index.hurried():
                notes += refresh(bundle).behind
        except StorageError as error:
            if bundle is bundles[0] and isinstance(error, DocumentUnreadableError):
                raise
            notes.append(f"the bundle {bundle.name} was not looked through: {error.message}")
    return tuple(notes)


def _system(account: Account, bundles: Sequence[Bundle], request: ContextRequest) -> None:
    """Each bundle's part as it was given before in this conversation, or made now."""
    others = request.slots - {Slot.SYSTEM}
    limit = int(request.budget * SYSTEM_SHARE) if others else request.budget
    for number, bundle in enumerate(bundles):
        part = request.frozen[number] if number < len(request.frozen) else None
        if part is not None:
            account.give_again(part)
            continue
        if number == 0:
            account.take([Piece("", Slot.SYSTEM, Why.INSTRUCTION, INSTRUCTION_LINE)], limit)
        _resident(account, bundle, bundle.name if number else "", limit, request.min_authority)
        account.close_part()


def _resident(account: Account, bundle: Bundle, name: str, limit: int, trusted: float) -> None:
    for summary in summaries(bundle, name, trusted):
        _take_shortened(account, summary, limit)
    # What is both is always there.
    loaded = {one.id: one for one in (*recent(bundle, name, trusted), *always(bundle, name, trusted))}
    account.take(_in_system(sorted(loaded.values(), key=lambda one: one.why is not Why.ALWAYS)), limit)
    account.take(_in_system(offered(bundle, name, trusted)), limit)


def _in_system(found: Iterable[Resident]) -> Iterator[Piece]:
    return (Piece(one.id, Slot.SYSTEM, one.why, one.text) for one in found)


def _take_shortened(account: Account, summary: Resident, limit: int) -> None:
    """Whole, or its first paragraphs: an overview says the most important things first."""
    whole, room = account.cost(summary.text), account.room(limit)
    text = summary.text
    if whole > room:
        account.omit(summary.id, Slot.SYSTEM, Omitted.BUDGET, whole)
        text = _shortened(text, room, account)
    if text:
        account.keep(Piece(summary.id, Slot.SYSTEM, summary.why, text), account.cost(text))


def _shortened(text: str, room: int, account: Account) -> str:
    """As many whole paragraphs of a block as fit; nothing when not even the first does."""
    head, _, rest = text.partition("\n")
    kept = ""
    for paragraph in rest.removesuffix("\n</memory>").split("\n\n"):
        longer = f"{kept}{paragraph}\n\n"
        if account.cost(f"{head}\n{longer}{_CUT}") > room:
            break
        kept = longer
    return f"{head}\n{kept}{_CUT}" if kept else ""


def _called(account: Account, bundles: Sequence[Bundle], message: str) -> None:
    """What the message calls by name, after what that requires."""
    found = calls(bundles, message)
    account.take(
        Piece(
            reference(one.bundle, one.located.memory.id),
            Slot.PREFIX,
            Why.REQUIRED if one.required else Why.NAMED,
            quoted(one.bundle, one.located, one.located.memory.body),
        )
        for one in found.found
    )
    for name in found.unknown:
        account.omit(name, Slot.PREFIX, Omitted.UNKNOWN)
    for name in found.closed:
        account.omit(name, Slot.PREFIX, Omitted.NOT_INVOCABLE)


def _pinned(account: Account, bundles: Sequence[Bundle], pins: Sequence[str]) -> None:
    """What the caller wants to be there in any case."""
    for wanted in pins:
        if account.shows(wanted):
            continue
        name, bundle, memory_id = _place(bundles, wanted)
        try:
            located = bundle.store.find(memory_id)
        except (NotFoundError, StorageError):
            account.omit(wanted, Slot.PREFIX, Omitted.UNKNOWN)
            continue
        if is_hidden(located.memory):  # nobody has asked for what it says
            continue
        account.take([Piece(wanted, Slot.PREFIX, Why.PINNED, quoted(name, located, located.memory.body))])


def _place(bundles: Sequence[Bundle], named: str) -> tuple[str, Bundle, str]:
    name, colon, rest = named.partition(":")
    for bundle in bundles[1:]:
        if colon and bundle.name == name:
            return name, bundle, rest
    return "", bundles[0], named


def _due(bundles: Sequence[Bundle], request: ContextRequest, lines: Markers) -> Iterator[Piece]:
    """Promises whose time has come, the most urgent first."""
    for promise in due_promises(bundles, now=request.now, within=request.due_within):
        assert promise.due is not None
        if promise.memory.provenance.authority < request.min_authority:
            continue
        day = f"{local(promise.due, bundles[0].zone):%Y-%m-%d}"
        when = (lines.overdue if promise.when is When.OVERDUE else lines.due).format(date=day)
        named = promise.reference
        yield Piece(named, Slot.TURN, Why.DUE, f"- {when}: {as_fact(promise.memory.title)} [{named}]")


def _hinted(found: Iterable[Hint], account: Account, lines: Markers) -> Iterator[Piece]:
    """Memories whose names the message touches and that are not there anyway: titles, no texts."""
    head = f"{lines.hints}\n"
    for hint in found:
        named = reference(hint.bundle, hint.id)
        if not account.shows(named):
            line = f"- {as_fact(hint.title)} [{named} · {as_fact(hint.kind)}]"
            yield Piece(named, Slot.TURN, Why.HINT, head + line)
            head = ""
