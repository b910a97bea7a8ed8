"""`memory_promises`: what is owed, for a model; a change of one follows the rules of every change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mnemic.agent import lines
from mnemic.agent.telling import note_lines, written
from mnemic.agent.tool import ToolResult
from mnemic.domain.instants import format_instant, parse_instant
from mnemic.errors import AccessRefusedError, InvalidArgumentsError
from mnemic.services.context.promises import fulfilled, put_off
from mnemic.text.quoting import visible

if TYPE_CHECKING:
    from datetime import tzinfo

    from mnemic.agent.turn import Turn
    from mnemic.services.context.promises import Promise

_MOST: Final = 50
_NEXT: Final = "To mark one as done or to snooze it: memory_read it, then hand back the receipt that gives."
_TOOL: Final = "memory_promises"


def promises(turn: Turn, given: dict[str, Any]) -> ToolResult:
    """List them, or mark one as done or snoozed."""
    if turn.ended:
        raise AccessRefusedError("This turn has ended.", hint="Begin the next one, and use that.")
    if given.get("action", "list") == "list":
        return _listed(turn, settled=given.get("settled", False))
    return _changed(turn, given)


def _listed(turn: Turn, *, settled: bool) -> ToolResult:
    zone = turn.memory.bundle.zone
    found = turn.memory.promises.list(settled=settled)
    shown = found[:_MOST]
    # Found, so that they may be read and changed. The receipt is kept back: nothing was looked for.
    turn.gate.searched([each.reference for each in shown])
    notes = [f"{len(found) - _MOST} more are not listed"] if len(found) > _MOST else []
    known = [_line(number, each, zone) for number, each in enumerate(shown, 1)]
    return ToolResult(
        text=lines.joined(
            [*(known or ["Nothing is promised."]), f"next: {_NEXT}" if known else "", *note_lines(notes)]
        ),
        data={"promises": [_data(each) for each in shown], "next": _NEXT if known else "", "notes": notes},
    )


def _changed(turn: Turn, given: dict[str, Any]) -> ToolResult:
    action = given["action"]
    for name in ("id", "receipt", *(("until",) if action == "snooze" else ())):
        if not given.get(name, "").strip():
            raise InvalidArgumentsError(_TOOL, f"{name} is missing", hint=f"{action} needs it. {_NEXT}")
    bundle = turn.memory.bundle
    memory = turn.would_forget(given["id"], receipt=given["receipt"]).memory
    if memory is None:
        raise InvalidArgumentsError(_TOOL, f"{given['id']} is no promise", hint="List them with action list.")
    if action == "done":
        fields: dict[str, Any] = fulfilled(memory)
    else:
        fields = put_off(memory, parse_instant(given["until"], zone=bundle.zone), now=bundle.clock.now())
    done = turn.change(given["id"], receipt=given["receipt"], **fields)
    told = written(done, "done" if action == "done" else "snoozed")
    data = {
        "promises": [],
        "changed": done.memory.id,
        "state": str(done.memory.state),
        "revision": done.revision,
        "next": "",
        "notes": [warned.message for warned in done.warnings],
    }
    return ToolResult(text=told.text, data=data)


def _line(number: int, each: Promise, zone: tzinfo) -> str:
    memory = each.memory
    return lines.facts(
        f"{number}. {lines.name(each.reference)}",
        str(each.when),
        f"due {lines.day(memory.due, zone)}" if memory.due else "",
        f"on {lines.quoted(memory.on_event)}" if memory.on_event else "",
        f"until {lines.day(memory.snoozed_until, zone)}" if each.when == "snoozed" and memory.snoozed_until else "",
        lines.quoted(memory.title),
    )


def _data(each: Promise) -> dict[str, str]:
    memory = each.memory
    return {
        "id": each.reference,
        "title": visible(memory.title),
        "when": str(each.when),
        "due": format_instant(memory.due) if memory.due else "",
        "on_event": visible(memory.on_event),
        "snoozed_until": format_instant(memory.snoozed_until) if memory.snoozed_until else "",
    }
