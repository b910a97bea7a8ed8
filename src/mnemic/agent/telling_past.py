"""`memory_history`: how a memory came to be what it is, for a model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from mnemic.agent import lines
from mnemic.agent.telling import note_lines
from mnemic.agent.tool import ToolResult
from mnemic.domain.ids import reference
from mnemic.domain.instants import format_instant
from mnemic.errors import AccessRefusedError
from mnemic.text.quoting import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from mnemic.agent.turn import Turn
    from mnemic.domain.differences import FieldChange
    from mnemic.services.chronicle.history import Link, Story, Told

_MOST: Final = 20
_CHARACTERS: Final = 300
_NEXT: Final = "What is so today is the last version; the others were said once, and hold no more."


def history(turn: Turn, given: dict[str, Any]) -> ToolResult:
    """The last versions of a memory, oldest first, what each changed, and the chain of what replaced what."""
    if turn.ended:
        raise AccessRefusedError("This turn has ended.", hint="Begin the next one, and use that.")
    turn.gate.check_budget()
    story = turn.memory.past.history(given["id"])
    shown = story.versions[-given.get("most", _MOST) :]
    notes = list(story.notes)
    if left_out := len(story.versions) - len(shown):
        notes.append(f"{left_out} earlier versions are not listed")
    name = reference(story.bundle, story.id)
    text = lines.joined(_lines(name, story, shown, turn.memory.bundle.zone))
    # It is read as much as a memory is. Who has seen a story may not change the memory: that takes its own read.
    turn.gate.read("its history", "", len(text))
    return ToolResult(
        text=lines.joined([text, f"next: {_NEXT}", *note_lines(notes)]),
        data={
            "id": name,
            "versions": [_version(each) for each in shown],
            "supersedes": [reference(story.bundle, link.id) for link in story.supersedes],
            "superseded_by": [reference(story.bundle, link.id) for link in story.superseded_by],
            "next": _NEXT,
            "notes": notes,
        },
    )


def _lines(name: str, story: Story, shown: Sequence[Told], zone: tzinfo) -> Iterator[str]:
    gone = story.versions[-1].version.memory is None
    state = "gone" if gone else str(story.last.state)
    yield lines.facts(lines.name(name), state, f"{len(story.versions)} versions", lines.quoted(story.last.title))
    for told in shown:
        version, memory = told.version, told.version.memory
        origin = str(memory.provenance.origin or "") if memory else ""
        yield lines.facts(f"{version.number}. {lines.day(version.at, zone)}", _what(told), origin)
        if memory is not None and not told.changes:
            yield f"  said: {lines.quoted(_cut(memory.body or memory.title))}"
        for change in told.changes:
            before, after = (lines.quoted(_value(value)) for value in (change.before, change.after))
            yield f"  {lines.name(change.field)}: {before} -> {after}"
    yield from _chain("supersedes", story.supersedes, story.bundle)
    yield from _chain("superseded by", story.superseded_by, story.bundle)


def _chain(head: str, links: Sequence[Link], bundle: str) -> Iterator[str]:
    if links:
        yield f"{head}: {', '.join(lines.name(reference(bundle, link.id)) for link in links)}"


def _version(told: Told) -> dict[str, object]:
    version, memory = told.version, told.version.memory
    return {
        "number": version.number,
        "at": format_instant(version.at),
        "what": _what(told),
        "state": str(memory.state) if memory else "gone",
        "origin": str(memory.provenance.origin or "") if memory else "",
        "title": visible(memory.title) if memory else "",
        "changes": [_change(each) for each in told.changes],
    }


def _change(each: FieldChange) -> dict[str, str]:
    return {"field": each.field, "before": visible(_value(each.before)), "after": visible(_value(each.after))}


def _what(told: Told) -> str:
    version = told.version
    if version.memory is None:
        return "remove"
    return str(version.deed or ("remember" if version.number == 1 else "change"))


def _value(value: object) -> str:
    if value is None:
        return ""
    return _cut(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= _CHARACTERS else f"{text[: _CHARACTERS - 1]}…"
