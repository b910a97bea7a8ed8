"""The texts of resources and prompts: lists of memories, one memory whole, what is worth a review."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.capsule import Slot
from mnemic.domain.entries import Source, Where
from mnemic.domain.ids import reference
from mnemic.domain.instants import format_instant
from mnemic.domain.memory import State
from mnemic.services.bundle import named
from mnemic.services.context.promises import When, due_promises
from mnemic.services.judging.quarantine import reasons
from mnemic.services.judging.similar import similar_memories
from mnemic.text.quoting import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.app import App
    from mnemic.domain.documents import Located
    from mnemic.domain.entries import IndexedEntry
    from mnemic.domain.session import Turn
    from mnemic.services.context.promises import Promise
    from mnemic.services.reviewing.release import Suspect

PAGE = 200
"""Memories on a page of the index."""
_MOST = 100_000
_DESCRIPTION = 200
_COMPARED = 30
"""So many of the newest memories are compared with all others: more would keep a person waiting."""
_LISTED = 20
_NO_KIND = "in review"
_SOON = timedelta(days=7)
_MEMORIES = Where(sources=(Source.MEMORY,))


class Row(NamedTuple):
    """A memory in a list; `id` is what it is called from outside, with its bundle's name where it has one."""

    kind: str
    id: str
    title: str
    description: str


def rows(app: App, where: Where = _MEMORIES) -> list[Row]:
    """Memories of every bundle, by kind and id."""
    return sorted(_row(name, entry) for name, entry in _entries(app, where))


def _entries(app: App, where: Where) -> Iterator[tuple[str, IndexedEntry]]:
    app.reindex(embed=False)
    for name, bundle in named((app.bundle, *app.others)):
        current = replace(where, current_at=bundle.clock.now())
        with bundle.index.reading() as index:
            entries = index.entries(index.by_prior(current, _MOST))
        yield from ((name, entry) for entry in entries.values())


def _row(bundle: str, entry: IndexedEntry) -> Row:
    return Row(entry.kind, reference(bundle, entry.id), entry.title, entry.description)


def _promised(promise: Promise) -> Row:
    memory = promise.memory
    return Row(memory.kind, promise.reference, memory.title, memory.description)


def page(app: App, number: int) -> str | None:
    """One page of the index as Markdown, from 1; None beyond the last."""
    listed = rows(app)
    pages = max(1, -(-len(listed) // PAGE))
    if not 1 <= number <= pages:
        return None
    lines = [f"# Memories, page {number} of {pages}: {len(listed)} active"]
    if others := _not_listed(app, len(listed)):
        lines += ["", f"Not listed: {others}."]
    kind = ""
    for row in listed[(number - 1) * PAGE : number * PAGE]:
        if row.kind != kind:
            kind = row.kind
            lines += ["", f"## {_one_line(kind)}", ""]
        lines.append(_line(row))
    if number < pages:
        lines += ["", f"Next page: memory://index/{number + 1}"]
    return "\n".join(lines) + "\n"


def _not_listed(app: App, listed: int) -> str:
    """How many memories are in other states or have ended, such as "2 superseded, 1 quarantined, 1 over"."""
    counts: Counter[str] = Counter()
    for bundle in (app.bundle, *app.others):
        with bundle.index.reading() as index:
            counts.update(index.census().by_state)
    over = counts[State.ACTIVE] - listed
    told = [f"{counts[state]} {state}" for state in State if state is not State.ACTIVE and counts[state]]
    return ", ".join([*told, *([f"{over} over"] if over > 0 else [])])


def _line(row: Row) -> str:
    about = _one_line(row.description)
    return f"- {row.id}: {_one_line(row.title)}{f' ({about})' if about else ''}"


def _held(each: Suspect) -> str:
    """A memory in quarantine without its words, which would stand in what the person says to their agent."""
    against = [f"it contradicts {reference(each.bundle, other.memory.id)}" for other in each.against]
    told = "; ".join((*reasons(each.signs), *against))
    return f"- {reference(each.bundle, each.located.memory.id)}{f': {told}' if told else ''}"


def _one_line(text: str) -> str:
    flat = one_line(text)
    return flat if len(flat) <= _DESCRIPTION else f"{flat[: _DESCRIPTION - 1]}…"


def document(app: App, wanted: str) -> str:
    """A memory, a session or a turn, whole, as Markdown.

    Raises:
        NotFoundError: There is no such thing.
        InvalidIdError: No memory can be called that.
    """
    shown = app.show(wanted)
    if shown.memory is not None:
        return _memory_text(shown.memory)
    assert shown.session is not None
    head = shown.session.head
    return "\n\n".join([f"# {_one_line(head.title or head.id)}", *map(_turn_text, shown.turns)]) + "\n"


def _memory_text(located: Located) -> str:
    memory = located.memory
    facts = {
        "id": memory.id,
        "kind": memory.kind,
        "state": str(memory.state),
        "told": format_instant(memory.recorded_at),
        "changed": format_instant(memory.changed_at),
        "due": format_instant(memory.due) if memory.due else "",
        "tags": ", ".join(memory.tags),
        "source": " ".join(filter(None, (memory.provenance.origin or "", memory.provenance.locator))),
        "supersedes": ", ".join(memory.supersedes),
        "superseded by": ", ".join(memory.superseded_by),
    }
    told = [f"- {name}: {_one_line(value)}" for name, value in facts.items() if value]
    return "\n".join([f"# {_one_line(memory.title)}", "", *told, "", visible(memory.body).strip("\n")]).rstrip() + "\n"


def _turn_text(turn: Turn) -> str:
    return f"## {turn.number} · {_one_line(turn.speaker)} · {format_instant(turn.at)}\n\n{visible(turn.text).strip()}"


def capsule(app: App, conversation: str) -> str:
    """The steady part of an agent's context, and what is due."""
    return app.context("", slots=frozenset({Slot.SYSTEM, Slot.TURN}), conversation=conversation, record=False).text


def review(app: App) -> dict[str, list[str]]:
    """What a person should look at, a list a heading: in quarantine, nearly said twice, due, proposed."""
    quarantined = [_held(each) for each in app.quarantine.list()]
    now = app.bundle.clock.now()
    promises = due_promises((app.bundle, *app.others), now=now, within=_SOON)
    due = [
        f"{_line(_promised(promise))}, due {format_instant(promise.due)}"
        f"{' (overdue)' if promise.when is When.OVERDUE else ''}"
        for promise in promises
        if promise.due is not None
    ]
    return {
        "In quarantine": _bounded(quarantined),
        "Nearly the same": _bounded(_near_duplicates(app)),
        "Due": _bounded(due),
        "Proposed": _bounded(
            [f"- {each.reference}: {_one_line(each.proposal.title)}" for each in app.proposals.list()[0]]
        ),
    }


def _bounded(lines: list[str]) -> list[str]:
    return lines if len(lines) <= _LISTED else [*lines[:_LISTED], f"- … and {len(lines) - _LISTED} more"]


def _near_duplicates(app: App) -> list[str]:
    """Pairs among the newest memories of the first bundle and all others of it, each once."""
    entries = (entry for bundle, entry in _entries(app, _MEMORIES) if not bundle)
    newest = sorted(entries, key=lambda entry: (-entry.recorded_at, entry.id))[:_COMPARED]
    pairs: dict[tuple[str, str], None] = {}
    for entry in newest:
        memory = app.bundle.store.find(entry.id).memory
        # Of another kind, so that it is compared with every memory and not recognized as itself.
        _, near = similar_memories(app.bundle, replace(memory, kind=_NO_KIND))
        pairs |= dict.fromkeys((min(entry.id, other), max(entry.id, other)) for other in near if other != entry.id)
    return [f"- {one} and {other}" for one, other in pairs]
