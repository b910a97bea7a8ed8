"""`mnemic diff`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.session import FOUND_NOTHING, CliSession, echo_json, failures, note
from mnemic.entry.cli.times import known_by, moment

if TYPE_CHECKING:
    from datetime import datetime

    from mnemic.domain.differences import Difference
    from mnemic.services.chronicle.diff import Believed

_WIDTH = 76
_COLORS = {"new": "green", "released": "green", "restored": "green", "removed": "red", "changed": "yellow"}


@click.command()
@click.argument("wanted", metavar="[ID]", default="")
@click.option("--from", "since", metavar="DATE", required=True, help="The earlier moment.")
@click.option("--to", "until", metavar="DATE", help="The later moment, a day included; now when left out.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def diff(session: CliSession, /, wanted: str, since: str, until: str | None, as_json: bool) -> None:
    """Print what changed in what is believed between two moments, of all memories or of one.

    Example: mnemic diff --from 2026-05-01 --to 2026-06-01
    """
    with failures():
        app = session.app()
        start, end = moment(since, app.bundle.zone), known_by(until, app.bundle.zone)
        assert start is not None
        end = end or app.bundle.clock.now()
        believed = app.past.diff(start, end, wanted)
    if as_json:
        echo_json(believed_json(believed, start, end))
    else:
        _render(believed)
        for text in believed.notes:
            note(text)
    if not believed.differences:
        sys.exit(FOUND_NOTHING)


def believed_json(believed: Believed, since: datetime, until: datetime) -> dict[str, object]:
    """The stable JSON of what changed."""
    from mnemic.entry.cli.times import rfc3339

    return {
        "from": rfc3339(since),
        "to": rfc3339(until),
        "differences": [_json(each) for each in believed.differences],
        "notes": list(believed.notes),
    }


def _json(each: Difference) -> dict[str, object]:
    from mnemic.domain.ids import reference
    from mnemic.entry.cli.history import change_json

    memory = each.memory
    return {
        "id": reference(each.bundle, memory.id),
        "uid": memory.uid,
        "title": memory.title,
        "happened": each.happened,
        "state": memory.state,
        "superseded_by": [reference(each.bundle, name) for name in memory.superseded_by],
        "changes": [change_json(change) for change in each.changes],
    }


def _render(believed: Believed) -> None:
    from mnemic.domain.ids import reference
    from mnemic.entry.cli.columns import hanging
    from mnemic.entry.cli.history import change_lines

    if not believed.differences:
        click.echo("Nothing changed between the two.")
    for each in believed.differences:
        memory = each.memory
        name = reference(each.bundle, memory.id)
        click.echo("\n".join(hanging(f"{click.style(_what(each), fg=_COLORS.get(each.happened))}  ", name, _WIDTH)))
        told = [change for change in each.changes if change.field not in {"state", "superseded_by"}]
        if told:
            click.echo("\n".join(f"    {line}" for line in change_lines(told, _WIDTH - 4)))
        else:
            click.echo("\n".join(hanging("    ", memory.title, _WIDTH)))


def _what(each: Difference) -> str:
    """What happened; of what came and is believed no more that too, and what took its place."""
    from mnemic.domain.ids import reference

    memory = each.memory
    over = f", {memory.state}" if each.happened == "new" and memory.state != "active" else ""
    if memory.state != "superseded" or not (over or each.happened == "superseded"):
        return f"{each.happened}{over}"
    names = ", ".join(reference(each.bundle, name) for name in memory.superseded_by)
    return f"{each.happened}{over}{f' by {names}' if names else ''}"
