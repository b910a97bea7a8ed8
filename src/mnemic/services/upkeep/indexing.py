"""From documents and sessions to what the index holds of them: pure, so that a rebuild gives the same entries.

The fact that answers a question is often an aside in a text about something else, so every passage is searched with
its context: title and headings of a note; speaker, day and resolved relative dates of a turn. What stands around a
passage counts when it is judged (`ranking/evidence.py`), and USE embeds a turn together with those before and after.
"""

from __future__ import annotations

from datetime import timedelta
from posixpath import dirname, normpath
from typing import TYPE_CHECKING

from mnemic.domain.citations import citation_in
from mnemic.domain.claims import claim_key, normal_claim
from mnemic.domain.entries import Source
from mnemic.domain.entry import Entry, EntryPassage
from mnemic.domain.ids import SESSION_PREFIX, id_of_path
from mnemic.domain.instants import local
from mnemic.domain.kinds import kind_key
from mnemic.domain.links import links_in, links_in_properties, names_of
from mnemic.domain.loading import loading_of
from mnemic.domain.memory import State
from mnemic.domain.provenance import is_ones_own
from mnemic.domain.sealing import is_hidden
from mnemic.domain.session import Role
from mnemic.text.dates import dates_in, resolved
from mnemic.text.injection_signs import MILD, injection_signs
from mnemic.text.passages import passages, sentences
from mnemic.text.tokens import count_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date, tzinfo

    from mnemic.domain.documents import Document, Located
    from mnemic.domain.memory import Memory
    from mnemic.domain.session import Session, Turn
    from mnemic.text.passages import Passage

SURE_DATE = 0.65
"""Readings of dates less certain than this are not indexed."""
LONGEST_RANGE = timedelta(days=400)
"""A longer span of days ("since 1990") says little about when something happened."""
SENTENCES = 3
"""Sentences a passage of a turn; a single one left over joins the passage before it."""
EMBED_CHARACTERS = 1_200
"""Texts longer than this are embedded in pieces: a vector of much says little of anything."""
MOST_PIECES = 24


def entries_of_document(document: Document, zone: tzinfo) -> tuple[Entry, ...]:
    """One entry a memory; none of what is sensitive, so that no search, vector or text for an agent can hold it."""
    return tuple(_of_memory(located, zone) for located in document.memories if not is_hidden(located.memory))


def entries_of_session(session: Session, zone: tzinfo) -> tuple[Entry, ...]:
    """One entry a turn; what the system said to the assistant is kept, but nobody's memory."""
    told = [
        (turn, line) for turn, line in zip(session.turns, session.lines, strict=True) if turn.role is not Role.SYSTEM
    ]
    return tuple(_of_turn(told, position, session, zone) for position in range(len(told)))


# -- notes -------------------------------------------------------------------------------------------------------


def _of_memory(located: Located, zone: tzinfo) -> Entry:
    memory = located.memory
    pieces = passages(memory.body)
    names, source = _names(memory, located.path), memory.provenance
    return Entry(
        id=memory.id,
        uid=memory.uid,
        source=Source.MEMORY,
        group=memory.id,
        position=0,
        kind=kind_key(memory.kind),
        title=memory.title,
        passages=_passages(memory, pieces, located.line),
        tokens=count_tokens(f"{memory.title}\n{memory.body}"),
        line=located.line,
        recorded_at=memory.recorded_at,
        changed_at=memory.changed_at,
        description=memory.description,
        tags=memory.tags,
        names=names,
        embed=tuple(_embedded(memory, pieces)),
        links=tuple(dict.fromkeys(_links(memory, located.path))),
        days=_days(f"{memory.title}\n{memory.description}\n{memory.body}", local(memory.recorded_at, zone).date()),
        state=memory.state,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        due=memory.due,
        salience=memory.salience,
        confidence=memory.confidence,
        authority=source.authority,
        verified=source.verified,
        origin=source.origin or "",
        privacy=memory.privacy,
        scope="/".join(filter(None, (memory.scope.user, memory.scope.agent, memory.scope.project))),
        claim=None if memory.claim is None else (claim_key(memory.claim.key), normal_claim(memory.claim.value)),
        loading=loading_of(memory),
        offered=memory.auto_invoke is True and is_ones_own(source.origin, verified=source.verified),
        outcome_of=id_of_path(memory.outcome_of.strip()) if memory.outcome_of else "",
        result=memory.result or "",
        cites=citation_in(source) is not None,
    )


def _passages(memory: Memory, pieces: Sequence[Passage], line: int) -> tuple[EntryPassage, ...]:
    claim = (memory.claim.key, memory.claim.value) if memory.claim else ()
    head = EntryPassage(
        text=memory.description or memory.title,
        context=" ".join(((memory.title,) if memory.description else ()) + memory.tags + claim),
        line=line,
    )
    body = [
        EntryPassage(
            text=piece.text,
            # A title taken from the text's own first words would only say them twice.
            context=" ".join(("" if number == 0 and _opens(memory) else memory.title, *piece.heading)).strip(),
            line=line + piece.line - 1,
        )
        for number, piece in enumerate(pieces)
    ]
    # A note whose text is its title's sentence needs no passage for the title alone.
    return (head, *body) if memory.description or memory.tags or claim or not pieces else tuple(body)


def _opens(memory: Memory) -> bool:
    """Whether the body begins with the title."""
    return memory.body.lstrip("#>*-+ \t\n").startswith(memory.title.rstrip("…."))


def _embedded(memory: Memory, pieces: Sequence[Passage]) -> Iterator[str]:
    """A note whole when it is short; else in runs of passages, each under its title."""
    head = ". ".join(filter(None, (memory.title.rstrip("."), memory.description)))
    first = memory.description if _opens(memory) else head
    runs: list[str] = []
    for piece in pieces:
        if runs and len(runs[-1]) + len(piece.text) <= EMBED_CHARACTERS:
            runs[-1] += f"\n{piece.text}"
        elif len(runs) == MOST_PIECES:
            break
        else:
            runs.append(piece.text)
    if not runs:
        yield head
    for number, run in enumerate(runs):
        under = first if number == 0 else head
        yield f"{under}. {run}" if under else run


def _names(memory: Memory, path: str) -> tuple[str, ...]:
    stem = path.rpartition("/")[2].removesuffix(".md")
    aliases = (*names_of(memory.extra.get("aliases")), *names_of(memory.extra.get("alias")))
    return tuple(dict.fromkeys(name for name in (memory.title, stem, *aliases) if name))


def _links(memory: Memory, path: str) -> Iterator[str]:
    """Ids and, for wiki links, names; resolved when asked for, since what is linked to may be written later."""
    found = links_in(memory.body)
    for wiki in (*found.wiki, *links_in_properties(memory.extra)):
        target = wiki.target.removesuffix(".md")
        yield id_of_path(target) if "/" in target else target.casefold()
    for link in found.markdown:
        target = link.target.partition("#")[0].partition("?")[0]
        if target.endswith(".md") and "://" not in target:
            inside = target.lstrip("/") if target.startswith("/") else normpath(f"{dirname(path)}/{target}").lstrip("/")
            yield id_of_path(inside)
    yield from memory.supersedes
    if memory.outcome_of:
        yield memory.outcome_of


# -- turns -------------------------------------------------------------------------------------------------------


def _of_turn(turns: Sequence[tuple[Turn, int]], position: int, session: Session, zone: tzinfo) -> Entry:
    turn, line = turns[position]
    said_on = local(turn.at, zone).date()
    context = " ".join(
        filter(
            None,
            (
                f"{said_on.day:02d} {said_on:%B %Y}",
                resolved(turn.text, said_on=said_on),
                turn.speaker,
                session.head.title,
            ),
        )
    )
    around = [_said(turns[place][0]) for place in range(max(position - 1, 0), min(position + 2, len(turns)))]
    return Entry(
        id=turn.id,
        uid="",
        source=Source.TURN,
        group=f"{SESSION_PREFIX}{session.head.id}",
        position=position,
        kind="turn",
        title=session.head.title or session.head.id,
        passages=tuple(EntryPassage(text=text, context=context, line=line) for text in _spoken(turn)),
        tokens=count_tokens(_said(turn)),
        line=line,
        recorded_at=turn.at,
        changed_at=turn.at,
        names=(turn.speaker,) if turn.speaker else (),
        embed=(_shown(turn),) if turn.text.strip() or turn.attachments else (),
        embed_near=("\n".join(around),) if turn.text.strip() or turn.attachments else (),
        days=((said_on, said_on + timedelta(days=1)), *_days(turn.text, said_on)),
        state=State.QUARANTINED if _gives_orders(turn) else State.ACTIVE,
        authority=_AUTHORITY[turn.role],
        origin=_ORIGIN[turn.role],
        speaker=turn.speaker,
        asks=turn.text.rstrip().endswith(("?", "？", "؟")),
    )


def _gives_orders(turn: Turn) -> bool:
    """Whether it must not come before an agent unasked: text of a tool or a model that wants to be obeyed.

    The log keeps it word by word. Markup of prompts and calls of tools are everyday talk among programs, and a model
    may well repeat what the user wants from now on.
    """
    if turn.role not in _UNTRUSTED_ROLES:
        return False
    plain = _EVERYDAY if turn.role is Role.TOOL else _EVERYDAY | MILD
    return any(sign.name not in plain for sign in injection_signs("\n".join((turn.text, *turn.attachments))))


_UNTRUSTED_ROLES = frozenset({Role.ASSISTANT, Role.TOOL})
_EVERYDAY = frozenset({"role-tag", "tool-call"})


def _said(turn: Turn) -> str:
    """Who said what, and what was shown."""
    return f"{turn.speaker}: {_shown(turn)}"


def _shown(turn: Turn) -> str:
    """What was said, and what was shown."""
    shown = "".join(f" [{attachment}]" for attachment in turn.attachments)
    return f"{turn.text}{shown}".strip()[:EMBED_CHARACTERS]


def _spoken(turn: Turn) -> list[str]:
    """A turn in passages of up to three sentences, what was shown with the last of them."""
    said = [piece.text for piece in sentences(turn.text)]
    parts = [" ".join(said[start : start + SENTENCES]) for start in range(0, len(said), SENTENCES)] or [""]
    if len(parts) > 1 and len(said) % SENTENCES == 1:
        parts[-2:] = [f"{parts[-2]} {parts[-1]}"]
    parts[-1] = " ".join(filter(None, (parts[-1], *(f"[{attachment}]" for attachment in turn.attachments))))
    return parts


_AUTHORITY = {Role.USER: 0.7, Role.ASSISTANT: 0.3, Role.TOOL: 0.6, Role.SYSTEM: 0.5}
_ORIGIN = {Role.USER: "user_said", Role.ASSISTANT: "model", Role.TOOL: "tool", Role.SYSTEM: "document"}


def _days(text: str, said_on: date) -> tuple[tuple[date, date], ...]:
    spans = (span for span in dates_in(text, today=said_on) if span.certainty >= SURE_DATE)
    return tuple(dict.fromkeys((span.start, span.end) for span in spans if span.end - span.start <= LONGEST_RANGE))
